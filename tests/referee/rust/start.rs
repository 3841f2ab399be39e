//! How a deal begins: what was dealt, or a position in the middle, and whether it can be.
//!
//! A part of the validator that was written from the published pages; `main.rs` says more.

use crate::deal::{is_misdeal, type_of, Deal, Severity, Showing};
use crate::json::Json;
use crate::readings::{keep_different, Reading};
use crate::sheet::{face_of, is_brisque, label_of, Face, Meld, Rules, SUITS};
use std::collections::HashSet;

type Code = &'static str;
/// So many cards more than a hand has may lie before a player in a reading that is given up later.
const MOST_TOO_MANY: usize = 8;

/// Begins a deal. What cannot have been dealt or set up is its first fault.
pub fn begin<'a>(rules: &'a Rules, told: &Json) -> Deal<'a> {
    let mut deal = Deal::new(rules, told.need("dealer").int() as usize);
    let events = told.entries("events");
    let has_draws = events.iter().any(|event| type_of(event) == "draw");
    deal.stock_cards = told.get("stock").map(Json::texts);
    deal.draws_from_stock = deal.stock_cards.is_some() && !has_draws;
    deal.is_partial = !is_full(told, rules, has_draws);
    let begun = match told.get("setup") {
        Some(setup) => set_up(&mut deal, setup),
        None => deal_out(&mut deal, told),
    };
    match begun {
        Err(_) if told.get("setup").is_none() && events.iter().any(is_misdeal) => {
            deal.skip = Some("what was dealt is wrong, and excused")
        }
        Err(code) => deal.fault(Severity::Illegal, code, None),
        Ok(()) => {}
    }
    deal
}

/// Whether a deal tells everything; if it does not say so, what it has decides.
fn is_full(told: &Json, rules: &Rules, has_draws: bool) -> bool {
    if let Some(level) = told.get("knowledge") {
        return level.text() == "full";
    }
    let tells_stock = has_draws || told.get("stock").is_some();
    let Some(setup) = told.get("setup") else {
        let is_whole = |hand: &Json| {
            hand.list().len() == rules.hand && !hand.texts().iter().any(|card| card.contains('?'))
        };
        let hands = told.entries("hands");
        return tells_stock && hands.len() == 2 && hands.iter().all(is_whole);
    };
    let is_closed = setup.get("stock").is_none_or(|stock| stock.int() == 0);
    is_closed || (tells_stock && setup.get("hands").is_some())
}

fn deal_out(deal: &mut Deal, told: &Json) -> Result<(), Code> {
    let rules = deal.rules;
    deal.turn = 1 - deal.dealer;
    deal.stock = (rules.pack_size() - 2 * rules.hand) as i64;
    let hands: Option<Vec<Vec<String>>> =
        told.get("hands").map(|hands| hands.list().iter().map(Json::texts).collect());
    if let Some(hands) = &hands {
        if hands.len() != 2 {
            return Err("wrong-number-of-hands");
        }
        if hands.iter().any(|hand| hand.len() != rules.hand) {
            return Err("wrong-hand-size");
        }
    }
    if told.get("turn_up").is_some() {
        return Err("turn-up-not-in-rules");
    }
    let dealt: Vec<String> = hands.iter().flatten().flatten().cloned().collect();
    let stock = deal.stock_cards.iter().flatten();
    let cards: Vec<(Face, u8)> =
        dealt.iter().chain(stock).map(|card| face_and_label(card)).collect();
    check_copies(rules, &cards)?;
    if deal.stock_cards.as_ref().is_some_and(|cards| cards.len() as i64 != deal.stock) {
        return Err("wrong-stock-size");
    }
    let mut reading = Reading::default();
    for (seat, hand) in hands.iter().flatten().enumerate() {
        for card in hand {
            let card = deal.new_card(card, seat, false);
            deal.note_out(card.face, card.label);
            reading.cards.push(card);
        }
    }
    deal.readings = vec![reading];
    if hands.is_none() {
        deal.skip = (!told.entries("events").is_empty()).then_some("no hands");
        return Ok(());
    }
    for seat in 0..2 {
        let is_blank = deal.is_blank(seat);
        deal.showing[seat] = Showing { has_chain: is_blank, for_dealt: is_blank, for_drawn: false };
    }
    Ok(())
}

fn face_and_label(card: &str) -> (Face, u8) {
    (face_of(card), label_of(card))
}

/// Whether the cards can be of one pack.
fn check_copies(rules: &Rules, cards: &[(Face, u8)]) -> Result<(), Code> {
    if !cards.iter().all(|(face, label)| rules.has(*face, *label)) {
        return Err("card-not-in-pack");
    }
    let copies = |face: Face| cards.iter().filter(|(other, _)| *other == face).count();
    if cards.iter().any(|(face, _)| copies(*face) > rules.copies) {
        return Err("too-many-copies");
    }
    let mut seen = HashSet::new();
    let mut labelled = cards.iter().filter(|(_, label)| *label != 0);
    if labelled.all(|card| seen.insert(card)) {
        Ok(())
    } else {
        Err("card-twice")
    }
}

fn set_up(deal: &mut Deal, setup: &Json) -> Result<(), Code> {
    let rules = deal.rules;
    deal.stock = setup.get("stock").map_or(0, Json::int);
    deal.trump = setup.get("trump").map(|trump| suit_number(trump.text()));
    if setup.get("tableau").is_some() || setup.get("spent_dixes").is_some() {
        return Err("setup-not-in-rules");
    }
    if setup.get("turn_up").is_some() {
        return Err("turn-up-not-in-rules");
    }
    let trick = setup.get("trick").map_or(vec![], Json::texts);
    let is_won = setup.get("won") == Some(&Json::Bool(true));
    let seat = setup.need("seat").int() as usize;
    let mut missing = [0; 2];
    missing[1 - seat] = (trick.len() == 1) as usize;
    let laid = [lay_out(deal, setup, 0)?, lay_out(deal, setup, 1)?];
    if trick.len() > 1 || (is_won && !trick.is_empty()) {
        return Err("impossible-trick");
    }
    let readings = join(rules, &laid, missing)?;
    let position = Position { setup, trick, is_won, seat };
    position.check_counts(deal, &readings)?;
    let outside = position.outside(deal);
    deal.readings = possible(rules, readings, &outside)?;
    let faces = |reading: &Reading| {
        let mut faces: Vec<Face> = reading.cards.iter().map(|card| card.face).collect();
        faces.sort_unstable();
        faces
    };
    let first = faces(&deal.readings[0]);
    if deal.readings.iter().any(|reading| faces(reading) != first) {
        deal.skip = Some("two cards on the table may be one")
    }
    position.take_over(deal);
    Ok(())
}

fn suit_number(suit: &str) -> u8 {
    SUITS.iter().position(|other| suit.as_bytes().first() == Some(other)).expect("a suit") as u8
}

/// The ways in which the hand and the melds on the table of a seat may be cards: of two melds that lie there a card may be
/// one and the same.
fn lay_out(deal: &mut Deal, setup: &Json, seat: usize) -> Result<Vec<Reading>, Code> {
    let rules = deal.rules;
    let mut hand = Reading::default();
    for card in setup.need("hands").list()[seat].texts() {
        hand.cards.push(deal.new_card(&card, seat, false));
    }
    let mut readings = vec![hand];
    let melds = setup.get("tables").map_or(&[][..], |tables| tables.list()[seat].list());
    for told in melds {
        let cards = told.get("cards").map_or(vec![], Json::texts);
        let meld = meld_on_table(rules, told.need("meld").text(), &cards, deal.trump)
            .ok_or("no-meld-on-table")?;
        let is_scored = told.get("scored") != Some(&Json::Bool(false));
        let mut more = vec![];
        for reading in &readings {
            for (mut ids, new) in ways_to_lie(reading, &cards) {
                let mut reading = reading.clone();
                for card in new {
                    let card = deal.new_card(&card, seat, true);
                    ids.push(card.id);
                    reading.cards.push(card);
                }
                if is_scored {
                    reading.score(rules, seat, &ids, meld, cards.len() < meld.size)
                }
                if reading.cards.len() <= rules.hand + MOST_TOO_MANY {
                    more.push(reading);
                }
            }
        }
        keep_different(&mut more);
        readings = more;
    }
    Ok(readings)
}

/// The meld that cards on the table are, or what is left of it.
fn meld_on_table<'a>(
    rules: &'a Rules,
    name: &str,
    cards: &[String],
    trump: Option<u8>,
) -> Option<&'a Meld> {
    let faces: Vec<Face> = cards.iter().map(|card| face_of(card)).collect();
    let named = |trump: Option<u8>| {
        let mut melds = rules.melds.iter().filter(|meld| meld.name == name);
        melds.find(|meld| rules.fits(meld, &faces, trump, true))
    };
    let made_trumps = rules.trump_melds.iter().any(|one| one == name);
    let meld = named(trump).or_else(|| made_trumps.then(|| named(None)).flatten());
    meld.filter(|_| !faces.is_empty())
}

/// Which cards of a meld are cards that lie on the table already, and which are others.
fn ways_to_lie(reading: &Reading, cards: &[String]) -> Vec<(Vec<u16>, Vec<String>)> {
    let mut sorted = cards.to_vec();
    sorted.sort();
    let mut ways: Vec<(Vec<u16>, Vec<String>)> = vec![(vec![], vec![])];
    for like in sorted.chunk_by(|card, next| card == next) {
        let (face, label) = face_and_label(&like[0]);
        let lies = reading.cards.iter().filter(|card| card.on_table);
        let lies = lies.filter(|card| card.face == face && card.label == label);
        let ids: Vec<u16> = lies.map(|card| card.id).collect();
        let fewest = if label == 0 { 0 } else { ids.len().min(like.len()) };
        let subsets: Vec<Vec<u16>> = subsets(&ids)
            .into_iter()
            .filter(|some| (fewest..=like.len()).contains(&some.len()))
            .collect();
        let mut more = vec![];
        for (old, new) in &ways {
            for some in &subsets {
                let others = &like[..like.len() - some.len()];
                more.push(([&old[..], some].concat(), [&new[..], others].concat()));
            }
        }
        ways = more;
    }
    ways
}

fn subsets(ids: &[u16]) -> Vec<Vec<u16>> {
    let mut subsets: Vec<Vec<u16>> = vec![vec![]];
    for id in ids {
        let with = |some: &Vec<u16>| [&some[..], &[*id]].concat();
        let more: Vec<Vec<u16>> = subsets.iter().map(with).collect();
        subsets.extend(more);
    }
    subsets
}

/// Both sides together, where both have as many cards as the other, the one in the trick included.
fn join(
    rules: &Rules,
    laid: &[Vec<Reading>; 2],
    missing: [usize; 2],
) -> Result<Vec<Reading>, Code> {
    let fits = |reading: &&Reading| reading.cards.len() <= rules.hand;
    if laid.iter().any(|readings| !readings.iter().any(|reading| fits(&reading))) {
        return Err("hand-too-large");
    }
    let mut joined = vec![];
    for first in laid[0].iter().filter(fits) {
        for second in laid[1].iter().filter(fits) {
            if first.cards.len() + missing[0] == second.cards.len() + missing[1] {
                joined.push(first.joined(second));
            }
        }
    }
    if joined.is_empty() {
        Err("uneven-hands")
    } else {
        Ok(joined)
    }
}

/// The readings in which no card is there more often than the pack has it.
fn possible(
    rules: &Rules,
    readings: Vec<Reading>,
    outside: &[(Face, u8)],
) -> Result<Vec<Reading>, Code> {
    let mut possible = vec![];
    let mut found = HashSet::new();
    for reading in readings {
        let mut cards = outside.to_vec();
        cards.extend(reading.cards.iter().map(|card| (card.face, card.label)));
        match check_copies(rules, &cards) {
            Ok(()) => possible.push(reading),
            Err(code) => {
                found.insert(code);
            }
        }
    }
    let codes = ["card-not-in-pack", "card-twice", "too-many-copies"];
    let code = codes.into_iter().find(|code| found.contains(code));
    match code {
        Some(code) if possible.is_empty() => Err(code),
        _ => Ok(possible),
    }
}

struct Position<'a> {
    setup: &'a Json,
    trick: Vec<String>,
    is_won: bool,
    /// Who is to play, or has won the trick.
    seat: usize,
}

impl Position<'_> {
    fn captured(&self) -> Vec<Vec<String>> {
        self.setup.entries("captured").iter().map(Json::texts).collect()
    }

    /// The brisques in the tricks of both: those told, or else those among the captured cards.
    fn brisques(&self) -> [i64; 2] {
        let told = self.setup.get("brisques").map(Json::ints);
        told.map_or_else(|| self.captured_brisques(), |counts| [counts[0], counts[1]])
    }

    fn captured_brisques(&self) -> [i64; 2] {
        let mut counts = [0; 2];
        for (seat, cards) in self.captured().iter().enumerate() {
            counts[seat] = count_brisques(cards);
        }
        counts
    }

    /// Whether the stock, the captured cards and the brisques can be so many.
    fn check_counts(&self, deal: &Deal, readings: &[Reading]) -> Result<(), Code> {
        let captured = self.captured();
        let has_captured = !captured.is_empty();
        let sizes = readings.iter().map(|reading| reading.cards.len());
        let held = (sizes.min().expect("a reading") + self.trick.len()) as i64;
        let pack = deal.rules.pack_size() as i64;
        let taken: usize = captured.iter().map(Vec::len).sum();
        if deal.stock % 2 != 0 || deal.stock > pack - held - taken as i64 {
            return Err("impossible-stock");
        }
        if deal.stock_cards.as_ref().is_some_and(|cards| cards.len() as i64 != deal.stock) {
            return Err("wrong-stock-size");
        }
        let lacks_trick = self.is_won && has_captured && captured[self.seat].len() < 2;
        if lacks_trick || captured.iter().any(|cards| cards.len() % 2 != 0) {
            return Err("impossible-captures");
        }
        let brisques = self.brisques();
        let before = |reading: &Reading| {
            reading.cards.iter().filter(|card| is_brisque(card.face)).count() as i64
        };
        let fewest = readings.iter().map(before).min().expect("a reading");
        let in_pack = (2 * SUITS.len() * deal.rules.copies) as i64;
        let most = in_pack - fewest - count_brisques(&self.trick);
        let is_other = has_captured && brisques != self.captured_brisques();
        if is_other || brisques[0] + brisques[1] > most.min(pack - held - deal.stock) {
            return Err("impossible-brisques");
        }
        Ok(())
    }

    /// Every card that is told and does not lie before a player.
    fn outside(&self, deal: &Deal) -> Vec<(Face, u8)> {
        let captured = self.captured();
        let stock = deal.stock_cards.iter().flatten();
        let cards = self.trick.iter().chain(captured.iter().flatten()).chain(stock);
        cards.map(|card| face_and_label(card)).collect()
    }

    fn take_over(&self, deal: &mut Deal) {
        let captured = self.captured();
        let held = deal.readings[0].cards.iter().map(|card| (card.face, card.label));
        let gone = self.trick.iter().chain(captured.iter().flatten());
        let out: Vec<(Face, u8)> = held.chain(gone.map(|card| face_and_label(card))).collect();
        out.into_iter().for_each(|(face, label)| deal.note_out(face, label));
        deal.brisques = self.brisques();
        if let Some(scores) = self.setup.get("scores").map(Json::ints) {
            deal.points = [scores[0], scores[1]]
        }
        deal.turn = self.seat;
        deal.trick = self.trick.iter().map(|card| (1 - self.seat, face_of(card))).collect();
        if self.is_won {
            deal.win_trick(self.seat)
        }
        let is_empty = deal.readings[0].cards.is_empty() && self.trick.is_empty();
        if is_empty && deal.stock == 0 {
            deal.is_over = true;
            deal.may_meld = false
        }
        if deal.stock > 0 {
            self.open_showings(deal)
        }
    }

    /// A blank hand may be shown unless its player has played since the last draw, or someone has since it was dealt.
    fn open_showings(&self, deal: &mut Deal) {
        let has_table = |table: &Json| !table.list().is_empty();
        let had_tricks = self.is_won
            || deal.brisques != [0, 0]
            || self.captured().iter().any(|cards| !cards.is_empty())
            || self.setup.entries("tables").iter().any(has_table);
        for seat in (0..2).filter(|seat| deal.is_blank(*seat)).collect::<Vec<_>>() {
            let has_led = !self.trick.is_empty() && seat != self.seat;
            deal.showing[seat] = Showing {
                has_chain: true,
                for_dealt: !deal.rules.shown_before_first_lead && !had_tricks && !has_led,
                for_drawn: !self.is_won && self.trick.is_empty(),
            };
        }
    }
}

fn count_brisques(cards: &[String]) -> i64 {
    cards.iter().filter(|card| is_brisque(face_of(card))).count() as i64
}
