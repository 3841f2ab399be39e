//! What can be done next in a deal: the choices of every step, the ways to go on, and what cards are worth at the end.
//!
//! A part of the validator that was written from the published pages; `main.rs` says more.

use crate::deal::Deal;
use crate::json::{number, numbers, object, text, Json};
use crate::sheet::{face_text, Face, Meld, SUITS};

type Answer = Result<Vec<(&'static str, Json)>, String>;

/// A meld that may score, and the faces of its cards.
type Choice<'a> = (&'a Meld, Vec<Face>);

fn play(seat: usize, face: Face) -> Json {
    let card = text(&face_text(face));
    object(vec![("type", text("play")), ("seat", number(seat as i64)), ("card", card)])
}

fn meld(seat: usize, (meld, faces): &Choice) -> Json {
    object(vec![
        ("type", text("meld")),
        ("seat", number(seat as i64)),
        ("meld", text(&meld.name)),
        ("cards", Json::List(faces.iter().map(|face| text(&face_text(*face))).collect())),
    ])
}

impl<'a> Deal<'a> {
    /// The faces that may be played, unless the deal is over or a draw comes first.
    pub fn plays(&self) -> Option<Vec<Face>> {
        if self.is_over || (!self.draws_due.is_empty() && !self.draws_from_stock) {
            return None;
        }
        let mut drawn = self.clone();
        drawn.draw_from_stock();
        let hand = drawn.readings[0].held(drawn.turn).map(|card| card.face).collect();
        let mut faces = drawn.replies(drawn.turn).map_or(hand, |(_, faces)| faces);
        faces.sort_unstable();
        faces.dedup();
        Some(faces)
    }

    /// The melds that may score.
    pub fn melds(&self) -> Vec<Choice<'a>> {
        let Some(seat) = self.trick_winner.filter(|_| self.may_meld && self.melds_left > 0) else {
            return vec![];
        };
        let mut hand: Vec<Face> = self.readings[0].held(seat).map(|card| card.face).collect();
        hand.sort_unstable();
        let mut choices: Vec<Choice> = vec![];
        for meld in &self.rules.melds {
            for faces in self.faces_in(&hand, meld) {
                let found = self.rules.meld_of(&meld.name, &faces, self.trump);
                let is_it = found.is_some_and(|found| std::ptr::eq(found, meld));
                if is_it && self.may_score(seat, meld, &faces) {
                    choices.push((meld, faces))
                }
            }
        }
        choices
    }

    /// The sets of cards of a hand that a meld could be.
    fn faces_in(&self, hand: &[Face], meld: &Meld) -> Vec<Vec<Face>> {
        if meld.cards[0].1 == "any" {
            let ranks = &meld.cards[0].0;
            let fits = |face: &&Face| ranks.contains(&face_text(**face).as_bytes()[0]);
            let own: Vec<Face> = hand.iter().filter(fits).copied().collect();
            return subsets_of_size(&own, meld.size);
        }
        let mut sets: Vec<Vec<Face>> = vec![];
        for suit in 0..SUITS.len() as u8 {
            // Without trumps a meld of trumps may be in any suit, since it makes them.
            let made = [self.trump.or(Some(suit)), self.trump];
            for mut faces in made.into_iter().filter_map(|of| self.rules.faces_of(meld, suit, of)) {
                faces.sort_unstable();
                if is_among(&faces, hand) && !sets.contains(&faces) {
                    sets.push(faces)
                }
            }
        }
        sets
    }

    fn may_score(&self, seat: usize, meld: &Meld, faces: &[Face]) -> bool {
        let cards: Vec<String> = faces.iter().map(|face| face_text(*face)).collect();
        self.readings.iter().any(|reading| {
            let choices = reading.choices(seat, &cards);
            choices.iter().any(|ids| !reading.forbids(self.rules, seat, ids, meld))
        })
    }

    /// The deal after one more event.
    fn after(&self, event: Json) -> Deal<'a> {
        let mut next = self.clone();
        next.follow(&[event], 0);
        next
    }

    /// The deal after every choice that can be made.
    fn ways_on(&self) -> Vec<Deal<'a>> {
        let seat = self.turn;
        let melds = self.melds().iter().map(|choice| meld(seat, choice)).collect::<Vec<_>>();
        let plays = self.plays().unwrap_or_default().into_iter().map(|face| play(seat, face));
        melds.into_iter().chain(plays).map(|event| self.after(event)).collect()
    }

    /// Points of a player less those of the other.
    fn lead_of(&self, seat: usize) -> i64 {
        self.points[seat] - self.points[1 - seat]
    }

    /// The lead of a player at the end, if both do their best.
    fn best(&self, seat: usize) -> i64 {
        let values = self.ways_on().into_iter().map(|next| next.best(seat));
        let best = if self.turn == seat { values.max() } else { values.min() };
        best.unwrap_or(self.lead_of(seat))
    }
}

/// Whether sorted faces are all in a sorted hand.
fn is_among(faces: &[Face], hand: &[Face]) -> bool {
    let mut rest = hand.iter();
    faces.iter().all(|face| rest.any(|other| other == face))
}

/// Every different way to take some of the sorted faces.
fn subsets_of_size(faces: &[Face], size: usize) -> Vec<Vec<Face>> {
    let mut sets: Vec<Vec<Face>> = vec![vec![]];
    for like in faces.chunk_by(|face, next| face == next) {
        let with = |set: &Vec<Face>| -> Vec<Vec<Face>> {
            let most = like.len().min(size - set.len());
            (0..=most).map(|count| [&set[..], &like[..count]].concat()).collect()
        };
        sets = sets.iter().flat_map(with).collect();
    }
    sets.retain(|set| set.len() == size);
    sets
}

/// How many ways there are to go on by one choice, by two and so on, and the points at their ends.
pub fn count_ways(mut deal: Deal, events: &[Json], depth: usize) -> Answer {
    deal.draws_from_stock = true;
    deal.run(events);
    let (mut nodes, mut points) = (vec![], vec![]);
    let mut ends = vec![deal];
    for _ in 0..depth {
        ends = ends.iter().flat_map(Deal::ways_on).collect();
        if let Some(why) = ends.iter().find_map(|end| end.skip) {
            return Err(why.to_string());
        }
        nodes.push(number(ends.len() as i64));
        let sum = |seat: usize| ends.iter().map(|end| end.points[seat]).sum::<i64>();
        points.push(numbers(&[sum(0), sum(1)]));
    }
    Ok(vec![("nodes", Json::List(nodes)), ("points", Json::List(points))])
}

/// What every card is worth to the player who leads.
pub fn value_cards(mut deal: Deal, events: &[Json]) -> Answer {
    deal.run(events);
    let (seat, here) = (deal.turn, deal.lead_of(deal.turn));
    let faces = deal.plays().ok_or("nothing can be played")?;
    let value = |face: &Face| number(deal.after(play(seat, *face)).best(seat) - here);
    let values = faces.iter().map(|face| (face_text(*face), value(face))).collect();
    Ok(vec![("values", Json::Object(values))])
}

/// The scores and the choices at every event of a legal deal.
pub fn tell_steps(mut deal: Deal, events: &[Json]) -> Answer {
    let mut steps = vec![];
    for index in 0..events.len() {
        let plays = deal.plays().filter(|_| deal.draws_due.is_empty());
        let (melds, seat) = (deal.melds(), deal.turn);
        deal.follow(events, index);
        if deal.is_broken {
            return Err("the deal is illegal".to_string());
        }
        if let Some(why) = deal.skip {
            return Err(why.to_string());
        }
        let place = numbers(&[0, index as i64]);
        let mut step = vec![("at", place), ("scores", numbers(&deal.points))];
        if let Some(faces) = plays {
            step.push(("seat", number(seat as i64)));
            step.push(("plays", sorted_texts(&faces)));
        }
        if !melds.is_empty() {
            let mut rows: Vec<Vec<Json>> = melds.iter().map(meld_row).collect();
            rows.sort_by_key(|row| format!("{row:?}"));
            step.push(("melds", Json::List(rows.into_iter().map(Json::List).collect())));
        }
        steps.push(object(step));
    }
    Ok(vec![("steps", Json::List(steps))])
}

fn sorted_texts(faces: &[Face]) -> Json {
    let mut cards: Vec<String> = faces.iter().map(|face| face_text(*face)).collect();
    cards.sort();
    Json::List(cards.iter().map(|card| text(card)).collect())
}

/// Name, points and cards of a meld in one list.
fn meld_row((meld, faces): &Choice) -> Vec<Json> {
    let mut row = vec![text(&meld.name), number(meld.points)];
    row.extend_from_slice(sorted_texts(faces).list());
    row
}
