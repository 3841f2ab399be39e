//! A deal, followed event by event in every reading of like cards, with every fault that the events have.
//!
//! A part of the validator that was written from the published pages; `main.rs` says more.

use crate::json::Json;
use crate::readings::{keep_different, Card, Reading};
use crate::sheet::{
    face_of, is_brisque, label_of, rank_of, suit_of, Face, Meld, Rules, NO_FACE, RANKS,
};
use std::collections::HashSet;
use std::rc::Rc;

/// With more readings the program gives the record up.
const MOST_READINGS: usize = 20_000;

#[derive(Clone, Copy, PartialEq)]
pub enum Severity {
    Mismatch,
    Illegal,
}

#[derive(Clone)]
pub struct Fault {
    pub severity: Severity,
    pub code: &'static str,
    pub event: Option<usize>,
}

/// When a player may show carte blanche.
#[derive(Clone, Copy, Default)]
pub struct Showing {
    /// No court card has come since the deal, and no showing was left out.
    pub has_chain: bool,
    /// The hand as it was dealt may be shown.
    pub for_dealt: bool,
    /// The hand may be shown for the card drawn last.
    pub for_drawn: bool,
}

/// What a meld that is withdrawn gives back.
#[derive(Clone)]
struct BeforeMeld {
    seat: usize,
    trump: Option<u8>,
    melds_left: i64,
}

#[derive(Clone, Copy)]
struct CutMade {
    seat: usize,
    packet: i64,
    guess: Option<i64>,
}

#[derive(Clone)]
pub struct Deal<'a> {
    pub rules: &'a Rules,
    pub dealer: usize,
    pub readings: Vec<Reading>,
    next_id: u16,
    pub turn: usize,
    pub trick: Vec<(usize, Face)>,
    pub trump: Option<u8>,
    pub trick_winner: Option<usize>,
    last_winner: Option<usize>,
    /// Whose trick a `trick` event may still claim.
    pub claimable_trick: Option<usize>,
    /// Whether the winner of the trick may meld: nothing was drawn or played since.
    pub may_meld: bool,
    pub melds_left: i64,
    /// Who is to draw, in order.
    pub draws_due: Vec<usize>,
    pub stock: i64,
    /// The cards of the stock, if the deal tells them, and how many of them were drawn.
    pub stock_cards: Option<Vec<String>>,
    drawn: usize,
    /// Whether the draws are not written, but follow from the stock.
    pub draws_from_stock: bool,
    /// Whether the deal does not tell everything.
    pub is_partial: bool,
    faces_out: [usize; 32],
    labels_out: HashSet<(Face, u8)>,
    pub points: [i64; 2],
    pub brisques: [i64; 2],
    brisques_claimed: [Option<i64>; 2],
    bonuses_claimed: HashSet<(usize, String)>,
    cut: Option<CutMade>,
    pub showing: [Showing; 2],
    before_melds: Vec<BeforeMeld>,
    pub is_over: bool,
    pub is_misdeal: bool,
    pub faults: Vec<Fault>,
    /// Whether a fault ended the replay.
    pub is_broken: bool,
    /// Why the program cannot judge the deal.
    pub skip: Option<&'static str>,
}

pub fn type_of(event: &Json) -> &str {
    event.need("type").text()
}

pub fn is_misdeal(event: &Json) -> bool {
    type_of(event) == "irregular" && event.need("what").text() == "misdeal"
}

fn seat_of(event: &Json) -> usize {
    event.get("seat").map_or(0, Json::int) as usize
}

/// Events that may stand between an event and the irregularity that excuses or withdraws it.
fn may_stand_between(event: &Json) -> bool {
    ["trick", "score", "irregular"].contains(&type_of(event))
}

impl<'a> Deal<'a> {
    pub fn new(rules: &'a Rules, dealer: usize) -> Deal<'a> {
        Deal {
            rules,
            dealer,
            readings: vec![],
            next_id: 1,
            turn: 0,
            trick: vec![],
            trump: None,
            trick_winner: None,
            last_winner: None,
            claimable_trick: None,
            may_meld: false,
            melds_left: 0,
            draws_due: vec![],
            stock: 0,
            stock_cards: None,
            drawn: 0,
            draws_from_stock: false,
            is_partial: false,
            faces_out: [0; 32],
            labels_out: HashSet::new(),
            points: [0; 2],
            brisques: [0; 2],
            brisques_claimed: [None; 2],
            bonuses_claimed: HashSet::new(),
            cut: None,
            showing: [Showing::default(); 2],
            before_melds: vec![],
            is_over: false,
            is_misdeal: false,
            faults: vec![],
            is_broken: false,
            skip: None,
        }
    }

    pub fn new_card(&mut self, text: &str, seat: usize, on_table: bool) -> Card {
        self.next_id += 1;
        Card::new(self.next_id - 1, text, seat, on_table)
    }

    /// Notes that a card is not in the stock.
    pub fn note_out(&mut self, face: Face, label: u8) {
        if face != NO_FACE {
            self.faces_out[face as usize] += 1;
            self.labels_out.insert((face, label));
        }
    }

    pub fn is_court(&self, face: Face) -> bool {
        face != NO_FACE && self.rules.courts.contains(&RANKS[rank_of(face) as usize])
    }

    /// Whether a hand, with what lies on the table, has no court card.
    pub fn is_blank(&self, seat: usize) -> bool {
        !self.readings[0].held(seat).any(|card| self.is_court(card.face))
    }

    /// 0 as long as there is a stock, 1 after the close.
    pub fn phase(&self) -> usize {
        (self.stock <= 0) as usize
    }

    pub fn brisque_points(&self) -> [i64; 2] {
        self.brisques.map(|count| count * self.rules.brisque_points)
    }

    pub fn fault(&mut self, severity: Severity, code: &'static str, event: Option<usize>) {
        self.is_broken |= severity == Severity::Illegal;
        self.faults.push(Fault { severity, code, event })
    }

    fn mismatch(&mut self, code: &'static str, event: usize) {
        self.fault(Severity::Mismatch, code, Some(event))
    }

    /// Compares a claim of points, if the event makes one.
    fn compare(&mut self, event: &Json, index: usize, points: i64, code: &'static str) {
        if event.get("points").is_some_and(|claimed| claimed.int() != points) {
            self.mismatch(code, index)
        }
    }

    fn goes_on(&self) -> bool {
        self.skip.is_none() && !self.is_broken
    }

    fn keep_different(&mut self) {
        keep_different(&mut self.readings);
        if self.readings.len() > MOST_READINGS {
            self.skip = Some("too many readings")
        }
    }

    pub fn run(&mut self, events: &[Json]) {
        for index in 0..events.len() {
            if self.goes_on() {
                self.follow(events, index);
            }
        }
        if !self.goes_on() || !self.is_over || self.is_misdeal {
            return;
        }
        for seat in 0..2 {
            let taken = self.brisque_points()[seat];
            if self.brisques_claimed[seat].is_some_and(|claimed| claimed < taken) {
                self.fault(Severity::Mismatch, "wrong-brisques", None)
            }
        }
    }

    /// Follows one of the events.
    pub fn follow(&mut self, events: &[Json], index: usize) {
        if self.is_misdeal {
            return self.fault(Severity::Illegal, "event-after-end", Some(index));
        }
        match type_of(&events[index]) {
            "play" => self.play(events, index),
            "draw" => self.draw(events, index),
            "meld" | "declare" => self.meld(events, index),
            "carte_blanche" => self.carte_blanche(events, index),
            "cut" => self.make_cut(events, index),
            "trick" => self.claim_trick(&events[index], index),
            "score" => self.claim_score(&events[index], index),
            "irregular" => self.irregular(events, index),
            "dix" => {
                if self.may_pass(events, index, &["dix-not-in-rules"]) {
                    self.compare(&events[index], index, 0, "wrong-dix-points")
                }
            }
            _ => {
                self.may_pass(events, index, &["event-not-in-rules"]);
            }
        }
    }

    /// Whether an event without breaches, or with excused ones, happens; else the first breach is a fault.
    fn may_pass(&mut self, events: &[Json], index: usize, breaches: &[&'static str]) -> bool {
        let passes = breaches.iter().all(|code| is_excused(events, index, code));
        if !passes {
            self.fault(Severity::Illegal, breaches[0], Some(index))
        }
        passes
    }

    fn play(&mut self, events: &[Json], index: usize) {
        if self.is_over {
            self.may_pass(events, index, &["event-after-end"]);
            return;
        }
        let event = &events[index];
        let seat = seat_of(event);
        let card = event.need("card").text();
        let (face, label) = (face_of(card), label_of(card));
        let mut breaches = vec![];
        self.draw_from_stock();
        if !self.draws_due.is_empty() {
            if self.is_partial {
                self.skip = Some("draws that are not written");
            }
            breaches.push("draw-missing")
        }
        if self.skip.is_some() {
            return;
        }
        if seat != self.turn {
            breaches.push("out-of-turn")
        }
        let held = self.copies(seat, face, label);
        if !self.rules.has_card(card) {
            breaches.push("card-not-in-pack")
        } else if held.is_empty() {
            breaches.push("card-not-held")
        }
        let mut played = held.clone();
        if let Some(from) = event.get("from").map(Json::text) {
            played.retain(|(reading, id)| {
                self.readings[*reading].card(*id).on_table == (from == "table")
            });
            if played.is_empty() && !held.is_empty() {
                breaches.push(if from == "table" { "not-on-table" } else { "not-in-hand" });
                played = held.clone();
            }
        }
        if seat == self.turn && !held.is_empty() {
            breaches.extend(self.breach_of_duty(face))
        }
        if !self.may_pass(events, index, &breaches) {
            return;
        }
        if breaches.contains(&"draw-missing") {
            self.skip = Some("a play before a draw, excused");
            return;
        }
        self.take_away(played);
        self.end_showings(seat);
        self.trick.push((seat, face));
        self.turn = 1 - seat;
        if self.trick.len() == 2 {
            self.finish_trick()
        }
    }

    /// The reading and the card of every different way to play a card.
    fn copies(&self, seat: usize, face: Face, label: u8) -> Vec<(usize, u16)> {
        let of = |(index, reading): (usize, &Reading)| {
            let ids = reading.copies(seat, face, label);
            ids.into_iter().map(|id| (index, id)).collect::<Vec<_>>()
        };
        self.readings.iter().enumerate().flat_map(of).collect()
    }

    /// The cards in the hand that a reply may be, with the duty that they do.
    pub fn replies(&self, seat: usize) -> Option<(&'a str, Vec<Face>)> {
        let (_, led) = *self.trick.first()?;
        let phase = if self.stock == 0 && self.draws_due.is_empty() { 1 } else { 0 };
        let duties = &self.rules.phases[phase];
        let are_trumps = self.trump == Some(suit_of(led));
        let duties = if are_trumps { &duties.trumps_led } else { &duties.plain_led };
        duties.iter().find_map(|duty| {
            let does = |face: &Face| match duty.as_str() {
                "any" => true,
                "suit_led" => suit_of(*face) == suit_of(led),
                "higher_of_suit_led" => {
                    suit_of(*face) == suit_of(led) && rank_of(*face) < rank_of(led)
                }
                "trumps" => Some(suit_of(*face)) == self.trump,
                _ => panic!("the duty {duty} is not known"),
            };
            let hand = self.readings[0].held(seat).map(|card| card.face);
            let cards: Vec<Face> = hand.filter(does).collect();
            (!cards.is_empty()).then_some((duty.as_str(), cards))
        })
    }

    fn breach_of_duty(&self, face: Face) -> Option<&'static str> {
        let (duty, cards) = self.replies(self.turn)?;
        if cards.contains(&face) {
            return None;
        }
        let follows = suit_of(self.trick[0].1) == suit_of(face);
        Some(match duty {
            "trumps" => "must-trump",
            "higher_of_suit_led" if follows => "must-beat",
            _ => "must-follow-suit",
        })
    }

    fn take_away(&mut self, played: Vec<(usize, u16)>) {
        let old = std::mem::take(&mut self.readings);
        for (index, id) in played {
            let mut reading = old[index].clone();
            reading.before = None;
            reading.remove(self.rules, id);
            self.readings.push(reading);
        }
        self.keep_different();
        self.before_melds.clear();
        self.claimable_trick = None;
        self.may_meld = false;
    }

    /// A showing that was open and not used ends the chain of its player.
    fn end_showings(&mut self, player: usize) {
        let before_first_lead = self.rules.shown_before_first_lead;
        for (seat, showing) in self.showing.iter_mut().enumerate() {
            let was_open = showing.for_dealt || showing.for_drawn;
            showing.for_dealt &= seat != player && !before_first_lead;
            showing.for_drawn = false;
            showing.has_chain &= !was_open || showing.for_dealt;
        }
    }

    fn finish_trick(&mut self) {
        let ((leader, led), (other, reply)) = (self.trick[0], self.trick[1]);
        let beats = if suit_of(led) == suit_of(reply) {
            rank_of(reply) < rank_of(led)
        } else {
            Some(suit_of(reply)) == self.trump
        };
        let winner = if beats { other } else { leader };
        self.brisques[winner] += is_brisque(led) as i64 + is_brisque(reply) as i64;
        self.trick.clear();
        self.turn = winner;
        self.last_winner = Some(winner);
        self.win_trick(winner);
        if self.stock == 0 && self.readings.iter().all(|reading| reading.cards.is_empty()) {
            self.is_over = true;
            self.may_meld = false;
            self.points[winner] += self.rules.last_trick_points
        }
    }

    /// What the winner of a trick may do, and who draws.
    pub fn win_trick(&mut self, winner: usize) {
        self.trick_winner = Some(winner);
        self.claimable_trick = Some(winner);
        self.may_meld = true;
        self.melds_left = self.rules.phases[self.phase()].melds;
        if self.stock > 0 {
            self.draws_due = vec![winner, 1 - winner]
        }
    }

    fn draw(&mut self, events: &[Json], index: usize) {
        let event = &events[index];
        let seat = seat_of(event);
        let card = event.need("card").text();
        let (face, label) = (face_of(card), label_of(card));
        let mut breaches = vec![];
        if !self.draws_due.contains(&seat) {
            breaches.push("draw-not-due")
        } else if self.draws_due[0] != seat {
            breaches.push("draw-out-of-turn")
        }
        if !self.rules.has_card(card) {
            breaches.push("card-not-in-pack")
        } else if let Some(stock) = &self.stock_cards {
            let is_other =
                |next: &String| face_of(next) != face || (label != 0 && label_of(next) != label);
            if stock.get(self.drawn).is_some_and(is_other) {
                breaches.push("wrong-card-drawn")
            }
        } else if self.faces_out[face as usize] >= self.rules.copies
            || (label != 0 && self.labels_out.contains(&(face, label)))
        {
            breaches.push("no-such-card-left")
        }
        if !self.may_pass(events, index, &breaches) {
            return;
        }
        if breaches.contains(&"draw-not-due") {
            self.skip = Some("a draw too many, excused");
            return;
        }
        self.take_from_stock(seat, card)
    }

    /// Makes the draws that are due, if they follow from the stock.
    pub fn draw_from_stock(&mut self) {
        while self.draws_from_stock && !self.draws_due.is_empty() {
            let stock = self.stock_cards.as_ref();
            let Some(card) = stock.and_then(|stock| stock.get(self.drawn)).cloned() else {
                self.skip = Some("more draws than the stock has cards");
                return;
            };
            self.take_from_stock(self.draws_due[0], &card)
        }
    }

    fn take_from_stock(&mut self, seat: usize, card: &str) {
        self.draws_due.retain(|due| *due != seat);
        self.stock -= 1;
        self.drawn += 1;
        self.may_meld = false;
        self.before_melds.clear();
        let card = self.new_card(card, seat, false);
        self.note_out(card.face, card.label);
        for reading in &mut self.readings {
            reading.cards.push(card.clone());
            reading.before = None;
        }
        if self.is_court(card.face) {
            self.showing[seat] = Showing::default();
        } else {
            self.showing[seat].for_drawn |= self.showing[seat].has_chain;
        }
        if self.stock <= 0 && self.draws_due.is_empty() {
            let cards = self.readings.iter_mut().flat_map(|reading| &mut reading.cards);
            cards.for_each(|card| card.on_table = false);
            self.keep_different()
        }
    }

    fn meld(&mut self, events: &[Json], index: usize) {
        let event = &events[index];
        let (seat, scores) = (seat_of(event), type_of(event) == "meld");
        let name = event.need("meld").text();
        let cards = event.need("cards").texts();
        let faces: Vec<Face> = cards.iter().map(|card| face_of(card)).collect();
        let meld = self.rules.meld_of(name, &faces, self.trump);
        let choices = |(index, reading): (usize, &Reading)| {
            let ids = reading.choices(seat, &cards).into_iter();
            ids.map(|ids| (index, ids)).collect::<Vec<_>>()
        };
        let mut made: Vec<(usize, Vec<u16>)> =
            self.readings.iter().enumerate().flat_map(choices).collect();
        let mut breaches = self.breaches_of_meld(seat, scores, &cards, made.is_empty());
        if !self.rules.melds.iter().any(|other| other.name == name) {
            breaches.push("meld-not-in-rules")
        } else if meld.is_none() {
            breaches.push("wrong-cards-for-meld")
        }
        if let (true, Some(meld)) = (scores, meld) {
            let is_allowed = |(index, ids): &(usize, Vec<u16>)| {
                !self.readings[*index].forbids(self.rules, seat, ids, meld)
            };
            if made.iter().any(is_allowed) {
                made.retain(is_allowed)
            } else if !made.is_empty() {
                breaches.push("meld-reuses-cards")
            }
        }
        if !self.may_pass(events, index, &breaches) {
            return;
        }
        let scored = meld.filter(|_| scores);
        self.lay_down(seat, made, scored);
        let makes_trumps = self.rules.trump_melds.iter().any(|one| one == name);
        let counts = scores || self.rules.laid_melds_make_trumps;
        if meld.is_some() && self.trump.is_none() && makes_trumps && counts {
            self.trump = Some(suit_of(faces[0]))
        }
        if scores {
            let worth = scored.map_or(0, |meld| meld.points);
            self.points[seat] += worth;
            self.melds_left -= scored.is_some() as i64;
            self.compare(event, index, worth, "wrong-meld-points")
        }
    }

    /// What is wrong with the time of a meld and with its cards, in the order in which it is told.
    fn breaches_of_meld(
        &self,
        seat: usize,
        scores: bool,
        cards: &[String],
        is_nowhere_held: bool,
    ) -> Vec<&'static str> {
        let mut breaches = vec![];
        let is_open = !self.is_over && self.trick_winner.is_some() && self.may_meld;
        if !is_open {
            breaches.push("meld-out-of-window")
        } else if self.trick_winner != Some(seat) {
            breaches.push("meld-by-loser")
        }
        let is_late = self.stock == 0 && self.rules.phases[1].melds == 0;
        if scores && is_late {
            breaches.push("meld-after-close")
        } else if scores && is_open && self.melds_left <= 0 {
            breaches.push("too-many-melds")
        }
        if !cards.iter().all(|card| self.rules.has_card(card)) {
            breaches.push("card-not-in-pack")
        } else if is_nowhere_held {
            breaches.push("meld-card-not-held")
        }
        if !scores && is_late {
            breaches.push("meld-after-close")
        }
        if !scores && !self.rules.has_pending_melds {
            breaches.push("no-pending-melds")
        }
        breaches
    }

    fn lay_down(&mut self, seat: usize, made: Vec<(usize, Vec<u16>)>, scored: Option<&Meld>) {
        let (trump, melds_left) = (self.trump, self.melds_left);
        self.before_melds.push(BeforeMeld { seat, trump, melds_left });
        let old = std::mem::take(&mut self.readings);
        for (index, ids) in made {
            let mut reading = old[index].clone();
            reading.before = Some(Rc::new(old[index].clone()));
            if let Some(meld) = scored {
                reading.score(self.rules, seat, &ids, meld, false)
            }
            reading.lay(&ids);
            self.readings.push(reading);
        }
        self.keep_different();
    }

    fn carte_blanche(&mut self, events: &[Json], index: usize) {
        self.draw_from_stock();
        if self.is_partial && !self.draws_due.is_empty() {
            self.skip = Some("draws that are not written");
        }
        if self.skip.is_some() {
            return;
        }
        let event = &events[index];
        let seat = seat_of(event);
        let showing = self.showing[seat];
        let is_open = showing.has_chain && (showing.for_dealt || showing.for_drawn);
        let breach = match (self.is_blank(seat), is_open) {
            (false, _) => vec!["not-blank"],
            (true, false) => vec!["carte-blanche-too-late"],
            (true, true) => vec![],
        };
        if self.may_pass(events, index, &breach) {
            self.showing[seat].for_dealt = false;
            self.showing[seat].for_drawn = false;
            let worth = self.rules.carte_blanche_points;
            self.points[seat] += worth;
            self.compare(event, index, worth, "wrong-score-points")
        }
    }

    fn make_cut(&mut self, events: &[Json], index: usize) {
        let Some(cut) = self.rules.cut else {
            self.may_pass(events, index, &["event-not-in-rules"]);
            return;
        };
        let event = &events[index];
        let seat = seat_of(event);
        let (packet, guess) = (event.need("packet").int(), event.get("guess").map(Json::int));
        let mut breaches = vec![];
        let is_first = events[..index].iter().all(|before| type_of(before) == "irregular");
        if seat != self.dealer || !is_first {
            breaches.push("cut-out-of-place")
        }
        if !(1..self.rules.pack_size() as i64).contains(&packet) {
            breaches.push("impossible-cut")
        }
        if self.may_pass(events, index, &breaches) {
            self.cut = Some(CutMade { seat, packet, guess });
            self.points[seat] += if packet == cut.packet { cut.dealer_points } else { 0 };
            self.points[1 - seat] += if guess == Some(packet) { cut.guess_points } else { 0 };
        }
    }

    fn claim_trick(&mut self, event: &Json, index: usize) {
        let claimed = event.need("winner").int() as usize;
        match self.claimable_trick.take() {
            None => self.mismatch("trick-out-of-place", index),
            Some(winner) if winner != claimed => self.mismatch("wrong-trick-winner", index),
            _ => {}
        }
    }

    fn claim_score(&mut self, event: &Json, index: usize) {
        let what = event.need("for").text();
        if what == "brisques" {
            return self.claim_brisques(event, index);
        }
        let seat = seat_of(event);
        let Some(worth) = self.bonus(what, seat) else {
            return self.mismatch("score-not-earned", index);
        };
        if !self.bonuses_claimed.insert((seat, what.to_string())) {
            return self.mismatch("scored-twice", index);
        }
        self.compare(event, index, worth, "wrong-score-points")
    }

    /// What a bonus is worth to a player who has earned it.
    fn bonus(&self, what: &str, seat: usize) -> Option<i64> {
        let is_last = self.is_over && self.last_winner == Some(seat);
        let cut = self.cut.zip(self.rules.cut);
        match what {
            "last_trick" => is_last.then_some(self.rules.last_trick_points),
            "cut" => cut.and_then(|(made, cut)| {
                (made.packet == cut.packet && made.seat == seat).then_some(cut.dealer_points)
            }),
            "guess" => cut.and_then(|(made, cut)| {
                (made.guess == Some(made.packet) && made.seat != seat).then_some(cut.guess_points)
            }),
            _ => None,
        }
    }

    fn claim_brisques(&mut self, event: &Json, index: usize) {
        let taken = self.brisque_points();
        let counts = self.is_over
            && self.rules.brisques_count == "to_settle"
            && self.rules.settle(self.points, taken).counts_brisques;
        if !counts {
            return self.mismatch("score-not-earned", index);
        }
        let seat = seat_of(event);
        let points = event.get("points").map(Json::int);
        let counted = event.get("count").map(|count| count.int() * self.rules.brisque_points);
        if let Some(more) = points.or(counted) {
            let sum = self.brisques_claimed[seat].unwrap_or(0) + more;
            self.brisques_claimed[seat] = Some(sum);
            if sum > taken[seat] {
                return self.mismatch("wrong-brisques", index);
            }
        }
        if points.is_some() && counted.is_some() && points != counted {
            self.mismatch("wrong-score-points", index)
        }
    }

    fn irregular(&mut self, events: &[Json], index: usize) {
        let event = &events[index];
        let seat = seat_of(event);
        let points = event.get("points").map_or(0, Json::int);
        if is_misdeal(event) {
            self.is_misdeal = true;
            self.is_over = true;
            self.points = [0; 2];
        }
        self.points[seat] += points;
        if event.need("what").text() == "withdrawn_meld" {
            self.withdraw(events, index, seat)
        }
    }

    /// Takes the last meld back, if nothing has happened since.
    fn withdraw(&mut self, events: &[Json], index: usize, seat: usize) {
        let Some(last) = events[..index].iter().rposition(|event| !may_stand_between(event)) else {
            return;
        };
        let meld = &events[last];
        let is_own = ["meld", "declare"].contains(&type_of(meld)) && seat_of(meld) == seat;
        let is_second = events[last..index].iter().any(|event| {
            type_of(event) == "irregular"
                && event.need("what").text() == "withdrawn_meld"
                && seat_of(event) == seat
        });
        if !is_own || is_second || self.before_melds.last().is_none_or(|before| before.seat != seat)
        {
            return;
        }
        let before = self.before_melds.pop().expect("a meld");
        if type_of(meld) == "meld" {
            let cards = meld.need("cards").texts();
            let faces: Vec<Face> = cards.iter().map(|card| face_of(card)).collect();
            let scored = self.rules.meld_of(meld.need("meld").text(), &faces, before.trump);
            self.points[seat] -= scored.map_or(0, |meld| meld.points)
        }
        self.trump = before.trump;
        self.melds_left = before.melds_left;
        for reading in &mut self.readings {
            if let Some(before) = reading.before.take() {
                *reading = (*before).clone()
            }
        }
        self.keep_different()
    }
}

/// Whether an irregularity after an event excuses a breach of it.
fn is_excused(events: &[Json], index: usize, code: &str) -> bool {
    let impossible =
        ["card-not-held", "meld-card-not-held", "card-not-in-pack", "no-such-card-left"];
    if impossible.contains(&code) {
        return false;
    }
    let event = &events[index];
    let after = events[index + 1..].iter().take_while(|after| may_stand_between(after));
    after.filter(|after| type_of(after) == "irregular").any(|irregular| {
        seat_of(irregular) == seat_of(event)
            && names_a_card_of(irregular, event)
            && match irregular.need("what").text() {
                "revoke" => code.starts_with("must-"),
                "exposed_card" => {
                    ["out-of-turn", "draw-out-of-turn", "draw-not-due"].contains(&code)
                }
                "withdrawn_meld" => ["meld", "declare"].contains(&type_of(event)),
                what => what == "other",
            }
    })
}

/// Whether the cards of an irregularity, if it names any, are of an event, if that has any.
fn names_a_card_of(irregular: &Json, event: &Json) -> bool {
    let named = irregular.get("cards").map_or(vec![], Json::texts);
    let mut own = event.get("cards").map_or(vec![], Json::texts);
    own.extend(event.get("card").map(|card| card.text().to_string()));
    let same = |a: &String, b: &String| face_of(a) == face_of(b) && label_of(a) == label_of(b);
    named.is_empty()
        || own.is_empty()
        || named.iter().any(|card| own.iter().any(|other| same(card, other)))
}
