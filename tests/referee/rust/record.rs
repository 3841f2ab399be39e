//! The judgement of a record: its deals in order, then what it claims of the match.
//!
//! A part of the validator that was written from the published pages; `main.rs` says more.

use crate::deal::{is_misdeal, Deal, Severity};
use crate::format::{Place, Reader, NOWHERE};
use crate::json::{parse, Json};
use crate::sheet::{read_rules, Rules, Settled};
use crate::start::begin;
use std::collections::HashMap;

const MOST_BYTES: usize = 8 * 1024 * 1024;

/// What was published: the definitions of the schema, and the rule sheets.
pub struct Published {
    pub definitions: Json,
    pub sheets: HashMap<String, Json>,
    /// The ids of the sheets that this program does not know.
    pub other_sheets: Vec<String>,
}

pub enum Judgement {
    Skipped(String),
    Told { verdict: &'static str, fault: Option<(&'static str, Place)> },
}

fn skipped(why: &str) -> Judgement {
    Judgement::Skipped(why.to_string())
}

fn unreadable(code: &'static str, place: Place) -> Judgement {
    Judgement::Told { verdict: "unreadable", fault: Some((code, place)) }
}

/// Judges bytes that may be no record at all.
pub fn judge_bytes(published: &Published, bytes: &[u8]) -> Judgement {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.len() > MOST_BYTES {
        return unreadable("record-too-large", NOWHERE);
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return unreadable("not-utf8", NOWHERE);
    };
    if text.trim().is_empty() {
        return unreadable("empty-file", NOWHERE);
    }
    let mut lines = text.lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('#'));
    if first.is_some_and(|line| line.starts_with("[bezique")) {
        return skipped("notation");
    }
    match parse(text) {
        Ok(parsed) => judge(published, &parsed.value, parsed.has_surrogate),
        Err(_) => unreadable("not-json", NOWHERE),
    }
}

/// Judges what may be a record; with half a surrogate pair in a text it is none.
pub fn judge(published: &Published, record: &Json, has_surrogate: bool) -> Judgement {
    if has_surrogate {
        return unreadable("not-utf8", NOWHERE);
    }
    let mut reader = Reader::new(&published.definitions);
    reader.read(record);
    if let Some(defect) = reader.defects.first() {
        return unreadable(defect.code, defect.place);
    }
    let chosen = record.need("rules");
    let id = chosen.need("id").text();
    if chosen.get("sheet").is_some() {
        return skipped("a rulebook inside");
    }
    let Some(sheet) = published.sheets.get(id) else {
        let is_known = published.other_sheets.iter().any(|other| other == id);
        return if is_known {
            skipped("other sheet")
        } else {
            unreadable("unknown-sheet", NOWHERE)
        };
    };
    if chosen.get("edition").is_some_and(|edition| edition.int() != sheet.need("edition").int()) {
        return unreadable("unknown-edition", NOWHERE);
    }
    let rules = match read_rules(sheet, chosen.get("options")) {
        Ok(rules) => rules,
        Err(code) => return unreadable(code, NOWHERE),
    };
    if record.need("players").list().len() != 2 {
        return unreadable("wrong-number-of-players", NOWHERE);
    }
    reader.check_labels(record, &|card| rules.has_card(card));
    if let Some(defect) = reader.defects.first() {
        return unreadable(defect.code, defect.place);
    }
    let mut game = Match::new(&rules);
    game.play(record.entries("deals"));
    game.judgement(record)
}

struct Match<'a> {
    rules: &'a Rules,
    faults: Vec<(Severity, &'static str, Place)>,
    skip: Option<&'static str>,
    next_dealer: Option<usize>,
    /// The settlement of the deal that decided the match.
    settled: Option<Settled>,
    sums: [i64; 2],
    /// Whether the last deal stops before its end.
    is_unfinished: bool,
}

impl<'a> Match<'a> {
    fn new(rules: &'a Rules) -> Match<'a> {
        Match {
            rules,
            faults: vec![],
            skip: None,
            next_dealer: None,
            settled: None,
            sums: [0; 2],
            is_unfinished: false,
        }
    }

    fn mismatch(&mut self, code: &'static str, place: Place) {
        self.faults.push((Severity::Mismatch, code, place))
    }

    fn is_broken(&self) -> bool {
        self.faults.iter().any(|(severity, _, _)| *severity == Severity::Illegal)
    }

    fn play(&mut self, deals: &[Json]) {
        for (index, told) in deals.iter().enumerate() {
            let place = (Some(index), None);
            let dealer = told.need("dealer").int() as usize;
            let is_excused = told.entries("events").iter().any(is_misdeal);
            if self.next_dealer.is_some_and(|next| next != dealer) && !is_excused {
                self.mismatch("wrong-dealer", place)
            }
            self.skip = unknown(told);
            if self.skip.is_some() {
                return;
            }
            let deal = self.play_deal(told, index);
            if deal.is_broken || self.skip.is_some() {
                return;
            }
            if deal.is_over {
                self.count(&deal, told, place);
                continue;
            }
            self.is_unfinished = true;
            if index + 1 < deals.len() {
                self.faults.push((Severity::Illegal, "deal-cut-short", place));
                return;
            }
        }
    }

    fn play_deal(&mut self, told: &Json, index: usize) -> Deal<'a> {
        let mut deal = begin(self.rules, told);
        if self.settled.is_some() && !deal.is_broken {
            self.mismatch("deal-after-game-won", (Some(index), None))
        }
        deal.run(told.entries("events"));
        let faults = deal.faults.iter();
        self.faults.extend(faults.map(|one| (one.severity, one.code, (Some(index), one.event))));
        self.skip = deal.skip.filter(|_| !deal.is_broken);
        deal
    }

    /// Adds a deal that is over to the match.
    fn count(&mut self, deal: &Deal, told: &Json, place: Place) {
        let settled = self.rules.settle(deal.points, deal.brisque_points());
        let totals = if deal.is_misdeal { deal.points } else { settled.totals };
        let claimed = told.get("claims").and_then(|claims| claims.get("scores"));
        if claimed.is_some_and(|scores| scores.ints() != totals) {
            self.mismatch("wrong-deal-scores", place)
        }
        self.sums = [self.sums[0] + totals[0], self.sums[1] + totals[1]];
        if deal.is_misdeal {
            self.next_dealer.get_or_insert(deal.dealer);
        } else {
            self.next_dealer = Some(1 - deal.dealer);
            self.settled.get_or_insert(settled);
        }
    }

    /// Compares the result with a match that was followed to its end, or to where it stops.
    fn compare(&mut self, result: &Json) {
        if !self.is_unfinished {
            if result.get("scores").is_some_and(|scores| scores.ints() != self.sums) {
                self.mismatch("wrong-result-scores", NOWHERE)
            }
            if let Some(settled) = &self.settled {
                let winner = result.member("winner").map(|winner| match winner {
                    Json::Null => None,
                    seat => Some(seat.int() as usize),
                });
                let receives = result.get("settlement").map(Json::ints);
                let is_other_winner = winner.is_some_and(|winner| winner != settled.winner);
                let is_other = receives.is_some_and(|receives| receives != settled.receives);
                if is_other_winner {
                    self.mismatch("wrong-winner", NOWHERE)
                }
                if is_other {
                    self.mismatch("wrong-settlement", NOWHERE)
                }
            }
        }
        let status = result.get("status").map(Json::text);
        if status.is_some_and(|status| (status == "complete") != self.settled.is_some()) {
            self.mismatch("wrong-status", NOWHERE)
        }
    }

    fn judgement(mut self, record: &Json) -> Judgement {
        if let Some(why) = self.skip {
            return skipped(why);
        }
        let result = record.get("result");
        if let Some(result) = result.filter(|_| !self.is_broken()) {
            if record.entries("deals").is_empty() {
                return skipped("a result without deals");
            }
            self.compare(result)
        }
        let verdict = if self.is_broken() {
            "illegal"
        } else if !self.faults.is_empty() {
            "legal_with_mismatches"
        } else if self.settled.is_some() && !self.is_unfinished {
            "legal"
        } else {
            "incomplete"
        };
        let fault = self.faults.first().map(|(_, code, place)| (*code, *place));
        Judgement::Told { verdict, fault }
    }
}

/// Why a deal that does not tell everything is not for this program.
fn unknown(told: &Json) -> Option<&'static str> {
    if told.get("knowledge").is_some_and(|level| level.text() != "full") {
        return Some("not everything is told");
    }
    let mut text = String::new();
    for name in ["hands", "stock", "setup", "turn_up"] {
        told.get(name).unwrap_or(&Json::Null).write(&mut text);
    }
    for event in told.entries("events") {
        event.get("card").unwrap_or(&Json::Null).write(&mut text);
        event.get("cards").unwrap_or(&Json::Null).write(&mut text);
    }
    text.contains('?').then_some("unknown cards")
}
