//! A validator for two rulebooks, which answers the questions of the conformance kit, one in every line.
//!
//! It was written from the published pages, their rule sheets and schema alone, by somebody who had not seen the programs of
//! this repository, and it shares no code with them. So what it says of a record is a second opinion, also on the pages.
//! Names and order were made readable since; what it decides may be changed only where a page says so.
//! Its one argument is the folder of the specification, from which it reads the schema and the sheets.

mod choices;
mod deal;
mod format;
mod json;
mod readings;
mod record;
mod sheet;
mod start;

use json::{number, numbers, parse, text, Json};
use record::{Judgement, Published};
use std::io::{BufRead, Write};
use std::path::Path;

const SHEETS: [&str; 2] = ["rubicon-bezique-club", "six-pack-bezique"];
const ASKS: [&str; 5] = ["validate", "settle", "replay", "perft", "ending"];
const FEATURES: [&str; 4] = ["setup", "labels", "options", "irregular"];

type Members = Vec<(&'static str, Json)>;

fn main() {
    let folder = std::env::args().nth(1).expect("the folder of the specification");
    let published = read_published(Path::new(&folder));
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let members = match parse(&line) {
            Ok(request) => {
                let mut members = vec![("seq", request.value.need("seq").clone())];
                members.extend(answer(&published, &request.value, request.has_surrogate));
                members
            }
            Err(why) => vec![("error", text(why))],
        };
        let mut answer = String::new();
        json::object(members).write(&mut answer);
        writeln!(out, "{answer}").and_then(|()| out.flush()).expect("an open output");
    }
}

fn read_published(folder: &Path) -> Published {
    let read = |path: &Path| {
        let source = std::fs::read_to_string(path).expect("a file of the specification");
        parse(&source).expect("JSON").value
    };
    let files = std::fs::read_dir(folder.join("sheets")).expect("the folder of the rule sheets");
    let ids =
        files.flatten().filter_map(|file| Some(file.path().file_stem()?.to_str()?.to_string()));
    let (known, other_sheets): (Vec<String>, Vec<String>) =
        ids.partition(|id| SHEETS.contains(&id.as_str()));
    let sheet = |id: String| {
        let path = folder.join("sheets").join(format!("{id}.json"));
        (id, read(&path))
    };
    Published {
        definitions: read(&folder.join("record.schema.json")).need("$defs").clone(),
        sheets: known.into_iter().map(sheet).collect(),
        other_sheets,
    }
}

fn answer(published: &Published, request: &Json, has_surrogate: bool) -> Members {
    let given = || request.need("given");
    match request.need("ask").text() {
        "hello" => hello(),
        "validate" => validate(published, given(), has_surrogate),
        "settle" => settle(published, given()),
        ask => {
            told_of_deal(published, ask, given()).unwrap_or_else(|why| vec![("skip", text(&why))])
        }
    }
}

fn hello() -> Members {
    let texts = |names: &[&str]| Json::List(names.iter().map(|name| text(name)).collect());
    vec![
        ("protocol", text("1.0")),
        ("program", text("from-the-pages")),
        ("version", text("1.0")),
        ("asks", texts(&ASKS)),
        ("sheets", texts(&SHEETS)),
        ("levels", texts(&["full"])),
        ("features", texts(&FEATURES)),
        ("detail", text("code")),
    ]
}

fn validate(published: &Published, given: &Json, has_surrogate: bool) -> Members {
    let judgement = match given.member("record") {
        Some(record) => record::judge(published, record, has_surrogate),
        None => {
            let bytes = given.get("base64").map_or(vec![], |encoded| decode(encoded.text()));
            record::judge_bytes(published, &bytes)
        }
    };
    let (verdict, fault) = match judgement {
        Judgement::Skipped(why) => return vec![("skip", text(&why))],
        Judgement::Told { verdict, fault } => (verdict, fault),
    };
    let is_right = ["legal", "incomplete"].contains(&verdict);
    let mut members = vec![("verdict", text(verdict)), ("right", Json::Bool(is_right))];
    if let Some((code, (deal, event))) = fault {
        let entry = |index: Option<usize>| index.map_or(Json::Null, |index| number(index as i64));
        members.push(("at", Json::List(vec![entry(deal), entry(event)])));
        members.push(("code", text(code)));
    }
    members
}

fn settle(published: &Published, given: &Json) -> Members {
    let sheet = &published.sheets[given.need("sheet").text()];
    let rules = match sheet::read_rules(sheet, given.get("options")) {
        Ok(rules) => rules,
        Err(code) => return vec![("error", text(code))],
    };
    let pair = |name| {
        let values = given.need(name).ints();
        [values[0], values[1]]
    };
    let settled = rules.settle(pair("points"), pair("brisques"));
    vec![
        ("totals", numbers(&settled.totals)),
        ("receives", numbers(&settled.receives)),
        ("winner", settled.winner.map_or(Json::Null, |seat| number(seat as i64))),
    ]
}

/// What is asked of the one deal of a record.
fn told_of_deal(published: &Published, ask: &str, given: &Json) -> Result<Members, String> {
    let record = given.need("record");
    let chosen = record.need("rules");
    let sheet = published.sheets.get(chosen.need("id").text()).ok_or("other sheet")?;
    let rules = sheet::read_rules(sheet, chosen.get("options"))?;
    let [told] = record.need("deals").list() else {
        return Err("several deals".to_string());
    };
    let deal = start::begin(&rules, told);
    if deal.is_broken {
        return Err("the deal cannot begin so".to_string());
    }
    let events = told.entries("events");
    match ask {
        "replay" => choices::tell_steps(deal, events),
        "perft" => choices::count_ways(deal, events, given.need("depth").int() as usize),
        "ending" => choices::value_cards(deal, events),
        _ => Err("not known".to_string()),
    }
}

fn decode(base64: &str) -> Vec<u8> {
    let mut bytes = vec![];
    let (mut pending, mut bits) = (0u32, 0);
    for letter in base64.bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => continue,
        };
        pending = pending << 6 | value as u32;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((pending >> bits) as u8);
            pending &= (1 << bits) - 1
        }
    }
    bytes
}
