//! Whether a value is a record: what the JSON Schema says, walked, and what it does not say.
//!
//! A part of the validator that was written from the published pages; `main.rs` says more.

use crate::json::Json;

/// Deal and event, counted from 0; of the record or of a deal as a whole without them.
pub type Place = (Option<usize>, Option<usize>);
pub const NOWHERE: Place = (None, None);

const MOST_DEALS: usize = 1000;
const MOST_EVENTS: usize = 5000;
const MOST_LINE_EVENTS: usize = 20_000;
const DEEPEST: usize = 32;
const MOST_DIGITS: usize = 4300;
/// The highest seat of any game: the schema's limit, which a record with fewer players lowers.
const HIGHEST_SEAT: i64 = 5;

pub struct Defect {
    pub code: &'static str,
    pub place: Place,
}

pub struct Reader<'a> {
    definitions: &'a Json,
    pub defects: Vec<Defect>,
    /// Of a later minor version, whose new members are passed over.
    is_newer: bool,
    seats: usize,
}

impl<'a> Reader<'a> {
    /// Of the `$defs` of `record.schema.json`.
    pub fn new(definitions: &'a Json) -> Self {
        Reader { definitions, defects: vec![], is_newer: false, seats: 2 }
    }

    fn report(&mut self, code: &'static str, place: Place) {
        self.defects.push(Defect { code, place })
    }

    pub fn read(&mut self, record: &Json) {
        if let Some(code) = self.heading_defect(record) {
            return self.report(code, NOWHERE);
        }
        self.seats = match record.get("players").map(Json::list) {
            Some(players) if (2..=6).contains(&players.len()) => players.len(),
            _ => 6,
        };
        self.walk(self.definition("Record"), record, NOWHERE, "");
        if self.defects.iter().any(|defect| defect.code == "wrong-type") {
            return;
        }
        self.check_sides(record);
        let sides = record.get("sides").map_or(self.seats, |sides| sides.list().len());
        self.check_time(record);
        for (index, deal) in record.entries("deals").iter().enumerate() {
            self.check_deal(deal, sides, (Some(index), None));
        }
        self.check_result(record, sides);
        self.check_anchors(record);
    }

    fn heading_defect(&mut self, record: &Json) -> Option<&'static str> {
        if !matches!(record, Json::Object(_)) {
            return Some("wrong-type");
        }
        if depth(record) > DEEPEST {
            return Some("too-deep");
        }
        if record.get("format").map(Json::text) != Some("bezique-record") {
            return Some("wrong-format");
        }
        let Some(version) = record.get("version") else {
            return Some("missing-version");
        };
        let minor = version.text().strip_prefix("1.").unwrap_or("");
        let is_number = minor.bytes().all(|byte| byte.is_ascii_digit());
        if !(1..=9).contains(&minor.len()) || !is_number {
            return Some("unsupported-version");
        }
        self.is_newer = minor.bytes().any(|byte| byte != b'0');
        None
    }

    fn definition(&self, reference: &str) -> &'a Json {
        self.definitions.need(reference.rsplit('/').next().expect("a name"))
    }

    fn walk(&mut self, schema: &'a Json, value: &Json, place: Place, path: &str) {
        if let Some(reference) = schema.get("$ref").map(Json::text) {
            let name = reference.rsplit('/').next().expect("a name");
            let path = if ["Card", "MeldName"].contains(&name) { name } else { path };
            return self.walk(self.definition(reference), value, place, path);
        }
        if let Some(ways) = schema.get("anyOf") {
            return self.walk_any(ways.list(), value, place, path);
        }
        match schema.get("type").map_or("", Json::text) {
            "object" => self.walk_object(schema, value, place, path),
            "array" => self.walk_list(schema, value, place, path),
            "string" => self.walk_text(schema, value, place, path),
            "integer" => self.walk_integer(schema, value, place),
            "boolean" if !matches!(value, Json::Bool(_)) => self.report("wrong-type", place),
            _ => {}
        }
    }

    fn walk_any(&mut self, ways: &'a [Json], value: &Json, place: Place, path: &str) {
        if path.ends_with("/events/*") {
            return self.walk_event(ways, value, place, path);
        }
        let may_be_null = ways.iter().any(|way| way.get("type").map(Json::text) == Some("null"));
        if *value == Json::Null && may_be_null {
            return;
        }
        if !path.ends_with("/options/*") {
            return self.walk(&ways[0], value, place, path);
        }
        match value {
            Json::Bool(_) | Json::Text(_) => {}
            Json::Number(digits) if !is_integer(digits) => self.report("not-an-integer", place),
            Json::Number(digits) if digits.parse::<i64>().is_ok() => {}
            Json::Number(_) => self.report("out-of-range", place),
            _ => self.report("wrong-type", place),
        }
    }

    fn walk_event(&mut self, ways: &'a [Json], event: &Json, place: Place, path: &str) {
        if !matches!(event, Json::Object(_)) {
            return self.report("wrong-type", place);
        }
        let name = match event.member("type") {
            None => return self.report("missing-member", place),
            Some(Json::Text(name)) => name,
            Some(_) => return self.report("wrong-type", place),
        };
        for way in ways {
            let shape = self.definition(way.need("$ref").text());
            if shape.need("properties").need("type").need("const").text() == name {
                return self.walk(shape, event, place, path);
            }
        }
        self.report("unknown-event-type", place)
    }

    fn walk_object(&mut self, schema: &'a Json, value: &Json, place: Place, path: &str) {
        let Json::Object(members) = value else {
            return self.report("wrong-type", place);
        };
        self.check_names(value, place);
        if schema.get("propertyNames").is_some() {
            for (name, member) in members {
                if !is_extension_key(name) {
                    self.report("bad-extension-key", place)
                }
                self.check_anything(member, place)
            }
            return;
        }
        let Some(known) = schema.get("properties") else {
            for (_, member) in members {
                match schema.get("additionalProperties") {
                    Some(shape) => self.walk(shape, member, place, &format!("{path}/*")),
                    None => self.check_anything(member, place),
                }
            }
            return;
        };
        for (name, member) in members {
            match known.get(name) {
                None if self.is_newer => {}
                None => self.report("unknown-member", place),
                Some(shape) => self.walk_member(shape, member, place, &format!("{path}/{name}")),
            }
        }
        for name in schema.entries("required") {
            if value.member(name.text()).is_none() {
                self.report("missing-member", place)
            }
        }
    }

    /// A member; the deals of a record and the events of a deal have places of their own.
    fn walk_member(&mut self, shape: &'a Json, value: &Json, place: Place, path: &str) {
        let most = match path {
            "/deals" => MOST_DEALS,
            "/deals/*/events" => MOST_EVENTS,
            _ => return self.walk(shape, value, place, path),
        };
        let Json::List(entries) = value else {
            return self.walk(shape, value, place, path);
        };
        if entries.len() > most {
            let code = if path == "/deals" { "too-many-deals" } else { "too-many-events" };
            self.report(code, place)
        }
        let list = shape.get("anyOf").map_or(shape, |ways| &ways.list()[0]);
        let path = format!("{path}/*");
        for (index, entry) in entries.iter().take(most).enumerate() {
            let place =
                if place.0.is_none() { (Some(index), None) } else { (place.0, Some(index)) };
            self.walk(list.need("items"), entry, place, &path)
        }
    }

    fn walk_list(&mut self, schema: &'a Json, value: &Json, place: Place, path: &str) {
        let Json::List(entries) = value else {
            return self.report("wrong-type", place);
        };
        let (count, last) = (entries.len() as i64, path.rsplit('/').next().unwrap_or(""));
        if schema.get("maxItems").is_some_and(|most| count > most.int()) {
            return self.report(
                match last {
                    "players" => "too-many-players",
                    "at" => "bad-anchor",
                    "events" => "too-many-events",
                    _ => "list-too-long",
                },
                place,
            );
        }
        if schema.get("minItems").is_some_and(|fewest| count < fewest.int()) {
            self.report(if last == "players" { "too-few-players" } else { "bad-anchor" }, place)
        }
        for entry in entries {
            self.walk(schema.need("items"), entry, place, &format!("{path}/*"))
        }
    }

    fn walk_text(&mut self, schema: &Json, value: &Json, place: Place, path: &str) {
        let Json::Text(text) = value else {
            return self.report("wrong-type", place);
        };
        if schema.get("enum").is_some_and(|known| !known.list().contains(value)) {
            self.report(if path == "MeldName" { "unknown-meld" } else { "unknown-value" }, place)
        }
        if schema.get("maxLength").is_some_and(|most| text.chars().count() as i64 > most.int()) {
            self.report("name-too-long", place)
        }
        if path == "Card" && !is_card(text) {
            self.report("bad-card", place)
        }
    }

    fn walk_integer(&mut self, schema: &Json, value: &Json, place: Place) {
        let Json::Number(digits) = value else {
            return self.report("wrong-type", place);
        };
        if !is_integer(digits) {
            return self.report("not-an-integer", place);
        }
        let Ok(found) = digits.parse::<i64>() else {
            return self.report("out-of-range", place);
        };
        let least = schema.get("minimum").map_or(i64::MIN, Json::int);
        let most = match schema.get("maximum").map_or(i64::MAX, Json::int) {
            HIGHEST_SEAT => self.seats as i64 - 1,
            most => most,
        };
        if !(least..=most).contains(&found) {
            self.report("out-of-range", place)
        }
    }

    fn check_names(&mut self, value: &Json, place: Place) {
        let members = value.members();
        for (index, (name, _)) in members.iter().enumerate() {
            if members[..index].iter().any(|(other, _)| other == name) {
                self.report("duplicate-member", place)
            }
        }
    }

    /// What stands in `meta` and `ext`: any value, as long as it can be kept.
    fn check_anything(&mut self, value: &Json, place: Place) {
        match value {
            Json::Number(digits) => {
                let is_long = digits.trim_start_matches('-').len() > MOST_DIGITS;
                if is_integer(digits) && is_long {
                    self.report("out-of-range", place)
                }
            }
            Json::List(entries) => {
                entries.iter().for_each(|entry| self.check_anything(entry, place))
            }
            Json::Object(members) => {
                self.check_names(value, place);
                members.iter().for_each(|(_, member)| self.check_anything(member, place))
            }
            _ => {}
        }
    }

    fn check_sides(&mut self, record: &Json) {
        let Some(sides) = record.get("sides") else {
            return;
        };
        let sides: Vec<Vec<i64>> = sides.list().iter().map(Json::ints).collect();
        let alone: Vec<Vec<i64>> = (0..self.seats as i64).map(|seat| vec![seat]).collect();
        let together: &[&[&[i64]]] = match self.seats {
            4 => &[&[&[0, 2], &[1, 3]]],
            6 => &[&[&[0, 2, 4], &[1, 3, 5]], &[&[0, 3], &[1, 4], &[2, 5]]],
            _ => &[],
        };
        if sides != alone && !together.iter().any(|known| sides == *known) {
            self.report("bad-sides", NOWHERE)
        }
    }

    fn check_time(&mut self, record: &Json) {
        let started = record.get("meta").and_then(|meta| meta.member("started"));
        if started.is_some_and(|started| !is_time(started.text())) {
            self.report("bad-time", NOWHERE)
        }
    }

    fn check_deal(&mut self, deal: &Json, sides: usize, place: Place) {
        let setup = deal.get("setup");
        if setup.is_some() && (deal.get("hands").is_some() || deal.get("turn_up").is_some()) {
            self.report("two-starts", place)
        }
        let knowledge = deal.get("knowledge").map_or("", Json::text);
        if knowledge == "seat" && deal.get("seat").is_none() {
            self.report("missing-member", place)
        }
        let scores = deal.get("claims").and_then(|claims| claims.get("scores"));
        if scores.is_some_and(|scores| scores.list().len() != sides) {
            self.report("wrong-count", place)
        }
        for name in ["hands", "tables", "scores", "brisques", "captured"] {
            let of_seats = setup.and_then(|setup| setup.get(name));
            if of_seats.is_some_and(|of_seats| of_seats.list().len() != self.seats) {
                self.report("wrong-count", place)
            }
        }
    }

    fn check_result(&mut self, record: &Json, sides: usize) {
        let Some(result) = record.get("result") else {
            return;
        };
        for name in ["scores", "settlement"] {
            if result.get(name).is_some_and(|of_sides| of_sides.list().len() != sides) {
                self.report("wrong-count", NOWHERE)
            }
        }
        if result.get("winner").is_some_and(|winner| winner.int() >= sides as i64) {
            self.report("out-of-range", NOWHERE)
        }
    }

    /// Notes stand at a deal or an event of it, lines at an event or after the last.
    fn check_anchors(&mut self, record: &Json) {
        let deals = record.entries("deals");
        let mut events = 0;
        for (name, is_line) in [("notes", false), ("lines", true)] {
            for one in record.entries(name) {
                let anchor = one.get("at").map_or(vec![], Json::ints);
                let deal = anchor.first().and_then(|deal| deals.get(*deal as usize));
                let length = deal.map(|deal| deal.entries("events").len());
                let is_right = match (length, anchor.get(1)) {
                    (None, _) => false,
                    (Some(_), None) => !is_line,
                    (Some(length), Some(event)) => (*event as usize) < length + is_line as usize,
                };
                if !is_right {
                    self.report("bad-anchor", NOWHERE)
                }
                events += one.entries("events").len();
            }
        }
        if events > MOST_LINE_EVENTS {
            self.report("too-many-events", NOWHERE)
        }
    }

    /// Where some cards have labels, all need them of which the pack has more than one.
    pub fn check_labels(&mut self, record: &Json, is_in_pack: &dyn Fn(&str) -> bool) {
        let cards = cards_of(record);
        let has_label = |card: &str| card.contains('.');
        let labelled = |card: &str| {
            let bare = card.split('.').next().expect("a card");
            has_label(card) && is_in_pack(bare)
        };
        if !cards.iter().any(|(card, _)| labelled(card)) {
            return;
        }
        let mut bare = cards.iter().filter(|(card, _)| !has_label(card) && !card.contains('?'));
        if let Some((_, place)) = bare.find(|(card, _)| is_in_pack(card)) {
            self.report("mixed-labels", *place)
        }
    }
}

/// Every card of a record with its place.
fn cards_of(record: &Json) -> Vec<(String, Place)> {
    let mut cards = vec![];
    for (index, deal) in record.entries("deals").iter().enumerate() {
        let place = (Some(index), None);
        add_members(deal, &["hands", "turn_up", "stock"], place, &mut cards);
        if let Some(setup) = deal.get("setup") {
            let names =
                ["hands", "tables", "turn_up", "trick", "spent_dixes", "captured", "tableau"];
            add_members(setup, &names, place, &mut cards);
        }
        for (number, event) in deal.entries("events").iter().enumerate() {
            let names = ["card", "cards", "from_tableau"];
            add_members(event, &names, (Some(index), Some(number)), &mut cards);
        }
    }
    for event in record.entries("lines").iter().flat_map(|line| line.entries("events")) {
        add_members(event, &["card", "cards", "from_tableau"], NOWHERE, &mut cards);
    }
    cards
}

fn add_members(of: &Json, names: &[&str], place: Place, cards: &mut Vec<(String, Place)>) {
    for value in names.iter().filter_map(|name| of.get(name)) {
        add_cards(value, place, cards);
    }
}

fn add_cards(value: &Json, place: Place, cards: &mut Vec<(String, Place)>) {
    match value {
        Json::Text(card) => cards.push((card.clone(), place)),
        Json::List(entries) => entries.iter().for_each(|entry| add_cards(entry, place, cards)),
        Json::Object(_) => add_members(value, &["cards"], place, cards),
        _ => {}
    }
}

fn depth(value: &Json) -> usize {
    match value {
        Json::List(entries) => 1 + entries.iter().map(depth).max().unwrap_or(0),
        Json::Object(members) => 1 + members.iter().map(|(_, one)| depth(one)).max().unwrap_or(0),
        _ => 0,
    }
}

fn is_integer(digits: &str) -> bool {
    !digits.contains(['.', 'e', 'E'])
}

/// A name like `org.example.note`.
fn is_extension_key(key: &str) -> bool {
    let mut parts = key.split('.');
    let owner = parts.next().expect("a part");
    let is_owner = owner.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && owner.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-');
    let is_part = |part: &str| {
        !part.is_empty()
            && part.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-".contains(letter))
    };
    is_owner && key.contains('.') && parts.all(is_part)
}

/// A card of some pack, with a label or without, or with `?` for what is not known.
fn is_card(text: &str) -> bool {
    let short = text.strip_prefix("10").map_or(text.to_string(), |rest| format!("T{rest}"));
    let is_rank = |letter: u8| b"AKQJT23456789".contains(&letter);
    let is_suit = |letter: u8| b"SHDC".contains(&letter);
    match *short.as_bytes() {
        [rank, suit] => (is_rank(rank) || rank == b'?') && (is_suit(suit) || suit == b'?'),
        [rank, suit, b'.', label] => {
            is_rank(rank) && is_suit(suit) && (b'1'..=b'8').contains(&label)
        }
        _ => false,
    }
}

/// A date and a time with its offset, as RFC 3339 writes them, without leap seconds.
fn is_time(text: &str) -> bool {
    let Some((date, rest)) = text.split_at_checked(10) else {
        return false;
    };
    let Some((clock, rest)) = rest.split_at_checked(9) else {
        return false;
    };
    let fraction = rest.strip_prefix('.').map(|rest| {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        (digits, &rest[digits..])
    });
    let (digits, offset) = fraction.unwrap_or((1, rest));
    is_date(date) && is_clock(clock) && digits > 0 && is_offset(offset)
}

fn digits_at(text: &str, start: usize, end: usize) -> Option<u32> {
    let digits = text.get(start..end)?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

fn is_date(text: &str) -> bool {
    let (Some(year), Some(month), Some(day)) =
        (digits_at(text, 0, 4), digits_at(text, 5, 7), digits_at(text, 8, 10))
    else {
        return false;
    };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    let lines = text.as_bytes();
    year > 0 && (1..=days).contains(&day) && lines[4] == b'-' && lines[7] == b'-'
}

/// `T12:34:56`
fn is_clock(text: &str) -> bool {
    let (Some(hour), Some(minute), Some(second)) =
        (digits_at(text, 1, 3), digits_at(text, 4, 6), digits_at(text, 7, 9))
    else {
        return false;
    };
    let marks = text.as_bytes();
    let has_marks = b"Tt".contains(&marks[0]) && marks[3] == b':' && marks[6] == b':';
    has_marks && hour < 24 && minute < 60 && second < 60
}

/// `Z` or `+01:00`
fn is_offset(text: &str) -> bool {
    if text.eq_ignore_ascii_case("z") {
        return true;
    }
    let (Some(hours), Some(minutes)) = (digits_at(text, 1, 3), digits_at(text, 4, 6)) else {
        return false;
    };
    let marks = text.as_bytes();
    text.len() == 6 && b"+-".contains(&marks[0]) && marks[3] == b':' && hours < 24 && minutes < 60
}
