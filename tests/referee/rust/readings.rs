//! The cards before the players, in every way in which like cards can be told apart.
//!
//! A record without labels does not say which of two like cards was played or melded. A reading is one way to take it, and
//! an event is right if it is in some reading. A part of the validator that was written from the published pages;
//! `main.rs` says more.

use crate::sheet::{face_of, label_of, Face, Meld, Rules};
use std::collections::HashSet;
use std::rc::Rc;

#[derive(Clone)]
pub struct Card {
    pub id: u16,
    pub face: Face,
    pub label: u8,
    pub seat: usize,
    pub on_table: bool,
    /// Four bits for each class of melds: the levels in which it has scored.
    levels: u32,
    /// A bit for each kind in which it has scored.
    kinds: u16,
}

impl Card {
    pub fn new(id: u16, text: &str, seat: usize, on_table: bool) -> Card {
        let (face, label) = (face_of(text), label_of(text));
        Card { id, face, label, seat, on_table, levels: 0, kinds: 0 }
    }

    /// The levels of a class in which it has scored, a bit for each.
    fn levels_in(&self, class: u8) -> u32 {
        self.levels >> (class * 4) & 0xf
    }
}

/// A meld that has scored, with those of its cards that are still before the player.
#[derive(Clone)]
struct Scored {
    seat: usize,
    kind: u8,
    class: u8,
    level: u8,
    cards: Vec<Member>,
    has_lost: bool,
}

#[derive(Clone)]
struct Member {
    id: u16,
    /// Whether the card has scored in a later meld.
    has_served_again: bool,
}

impl Scored {
    fn has(&self, id: u16) -> bool {
        self.cards.iter().any(|card| card.id == id)
    }

    fn is_within(&self, ids: &[u16]) -> bool {
        self.cards.iter().all(|card| ids.contains(&card.id))
    }
}

#[derive(Clone, Default)]
pub struct Reading {
    pub cards: Vec<Card>,
    melds: Vec<Scored>,
    /// What it was before the last meld, which may be withdrawn.
    pub before: Option<Rc<Reading>>,
}

/// What tells a card from a like one of its owner: its place, the melds that it is in, and the levels that it had.
type Likeness = (bool, Vec<usize>, u32);

impl Reading {
    pub fn held(&self, seat: usize) -> impl Iterator<Item = &Card> {
        self.cards.iter().filter(move |card| card.seat == seat)
    }

    pub fn card(&self, id: u16) -> &Card {
        self.cards.iter().find(|card| card.id == id).expect("a card before a player")
    }

    /// The cards of two players together.
    pub fn joined(&self, other: &Reading) -> Reading {
        let cards = [&self.cards[..], &other.cards].concat();
        Reading { cards, melds: [&self.melds[..], &other.melds].concat(), before: None }
    }

    fn likeness(&self, card: &Card) -> Likeness {
        let melds = self.melds.iter().enumerate().filter(|(_, meld)| meld.has(card.id));
        (card.on_table, melds.map(|(index, _)| index).collect(), card.levels)
    }

    /// One of each sort of copies of a card that a player has.
    pub fn copies(&self, seat: usize, face: Face, label: u8) -> Vec<u16> {
        let mut sorts: Vec<Likeness> = vec![];
        let mut ids = vec![];
        for card in self.held(seat).filter(|card| card.face == face) {
            if label != 0 && card.label != label {
                continue;
            }
            let sort = self.likeness(card);
            if label != 0 || !sorts.contains(&sort) {
                sorts.push(sort);
                ids.push(card.id);
            }
        }
        ids
    }

    /// The different choices of cards that a meld may be made of.
    pub fn choices(&self, seat: usize, cards: &[String]) -> Vec<Vec<u16>> {
        if cards.iter().any(|card| label_of(card) != 0) {
            return self.labelled(seat, cards).into_iter().collect();
        }
        let mut faces: Vec<Face> = cards.iter().map(|card| face_of(card)).collect();
        faces.sort_unstable();
        let mut choices: Vec<Vec<u16>> = vec![vec![]];
        for like in faces.chunk_by(|face, next| face == next) {
            let picks = self.picks(seat, like[0], like.len());
            let with = |choice: &Vec<u16>| -> Vec<Vec<u16>> {
                picks.iter().map(|pick| [&choice[..], pick].concat()).collect()
            };
            choices = choices.iter().flat_map(with).collect();
        }
        choices
    }

    fn labelled(&self, seat: usize, cards: &[String]) -> Option<Vec<u16>> {
        let mut ids = vec![];
        for card in cards {
            let id = *self.copies(seat, face_of(card), label_of(card)).first()?;
            if ids.contains(&id) {
                return None;
            }
            ids.push(id);
        }
        Some(ids)
    }

    /// The different ways to take some copies of a card.
    fn picks(&self, seat: usize, face: Face, count: usize) -> Vec<Vec<u16>> {
        let mut sorts: Vec<(Likeness, Vec<u16>)> = vec![];
        for card in self.held(seat).filter(|card| card.face == face) {
            let sort = self.likeness(card);
            match sorts.iter_mut().find(|(other, _)| *other == sort) {
                Some((_, ids)) => ids.push(card.id),
                None => sorts.push((sort, vec![card.id])),
            }
        }
        let mut picks: Vec<Vec<u16>> = vec![vec![]];
        for (_, ids) in &sorts {
            let more = |pick: &Vec<u16>| -> Vec<Vec<u16>> {
                let most = ids.len().min(count - pick.len());
                (0..=most).map(|some| [&pick[..], &ids[..some]].concat()).collect()
            };
            picks = picks.iter().flat_map(more).collect();
        }
        picks.retain(|pick| pick.len() == count);
        picks
    }

    /// Whether a clause of the rulebook forbids these cards to score in a meld.
    pub fn forbids(&self, rules: &Rules, seat: usize, ids: &[u16], meld: &Meld) -> bool {
        let clauses = rules.forbids.iter();
        let mut own = clauses.filter(|clause| clause.class.is_none_or(|class| class == meld.class));
        own.any(|clause| self.is_breach(&clause.name, rules, seat, ids, meld))
    }

    fn is_breach(
        &self,
        clause: &str,
        rules: &Rules,
        seat: usize,
        ids: &[u16],
        meld: &Meld,
    ) -> bool {
        let mine: Vec<&Scored> = self.melds.iter().filter(|one| one.seat == seat).collect();
        let shares = |one: &&&Scored| {
            let ids = one.cards.iter().map(|card| card.id).filter(|id| ids.contains(id));
            ids.into_iter().any(|id| !rules.restores || is_latest(&mine, one, id))
        };
        let of_kind = |one: &&&Scored| one.kind == meld.kind;
        let of_class = |one: &&&Scored| one.class == meld.class;
        let remarried = meld.kind == rules.marriage
            && ids.iter().all(|id| self.card(*id).kinds >> meld.kind & 1 == 1);
        let mut related = mine.iter().filter(shares);
        match clause {
            "same-set" => mine
                .iter()
                .filter(of_kind)
                .any(|one| !one.has_lost && one.cards.len() == ids.len() && one.is_within(ids)),
            "down" => ids.iter().any(|id| self.card(*id).levels_in(meld.class) >> meld.level != 0),
            "nothing-new" if rules.restores => {
                let lower: Vec<&&Scored> =
                    related.filter(of_class).filter(|one| one.level < meld.level).collect();
                let is_old = |id: &u16| lower.iter().any(|one| one.has(*id));
                !lower.is_empty()
                    && lower.iter().all(|one| one.is_within(ids))
                    && ids.iter().all(is_old)
            }
            "nothing-new" => {
                let lower = (1 << (meld.level - 1)) - 1;
                ids.iter().all(|id| self.card(*id).levels_in(meld.class) & lower != 0)
            }
            "not-left" => {
                !remarried
                    && related.filter(of_kind).any(|one| {
                        let left = |card: &Member| card.has_served_again && !ids.contains(&card.id);
                        !one.has_lost && !one.cards.iter().any(left)
                    })
            }
            "not-played" => !remarried && related.filter(of_kind).any(|one| !one.has_lost),
            "class" => related
                .filter(of_class)
                .any(|one| one.level >= meld.level && (one.kind != meld.kind || !one.has_lost)),
            "not-whole" => related
                .filter(of_class)
                .any(|one| one.level < meld.level && (one.has_lost || !one.is_within(ids))),
            "not-restored" => related.any(|one| {
                let served = |id: &u16| !one.has(*id) && self.card(*id).levels_in(meld.class) != 0;
                one.kind == meld.kind
                    && one.has_lost
                    && (!one.is_within(ids) || ids.iter().any(served))
            }),
            _ => panic!("the clause {clause} is not known"),
        }
    }

    /// Scores a meld of these cards; with `has_lost` it has lost some already.
    pub fn score(&mut self, rules: &Rules, seat: usize, ids: &[u16], meld: &Meld, has_lost: bool) {
        for card in self.melds.iter_mut().flat_map(|one| &mut one.cards) {
            card.has_served_again |= ids.contains(&card.id);
        }
        for card in self.cards.iter_mut().filter(|card| ids.contains(&card.id)) {
            card.levels |= 1 << (meld.class * 4 + meld.level - 1);
            card.kinds |= 1 << meld.kind;
            card.on_table = true;
        }
        if !has_lost || rules.restores {
            let cards = ids.iter().map(|id| Member { id: *id, has_served_again: false }).collect();
            let (kind, class, level) = (meld.kind, meld.class, meld.level);
            self.melds.push(Scored { seat, kind, class, level, cards, has_lost });
        }
    }

    pub fn lay(&mut self, ids: &[u16]) {
        self.cards.iter_mut().filter(|card| ids.contains(&card.id)).for_each(|c| c.on_table = true);
    }

    /// Takes a card away that is played.
    pub fn remove(&mut self, rules: &Rules, id: u16) {
        self.cards.retain(|card| card.id != id);
        for meld in self.melds.iter_mut().filter(|meld| meld.has(id)) {
            meld.cards.retain(|card| card.id != id);
            meld.has_lost = true;
        }
        let may_matter = |meld: &Scored| !meld.has_lost || rules.restores;
        self.melds.retain(|meld| !meld.cards.is_empty() && may_matter(meld));
    }

    /// The same for readings that differ only in which of two like cards is which.
    fn fingerprint(&self) -> u64 {
        let base = |card: &Card| {
            let place = (card.seat as u64) << 16 | (card.on_table as u64) << 20;
            let what = card.face as u64 | (card.label as u64) << 8 | place;
            mix(mix(mix(1, what), card.levels as u64), card.kinds as u64)
        };
        let mut colours: Vec<u64> = self.cards.iter().map(base).collect();
        let place_of = |id: u16| self.cards.iter().position(|card| card.id == id);
        let mut melds: Vec<u64> = vec![];
        for _ in 0..3 {
            let mut seen_by: Vec<Vec<u64>> = vec![vec![]; colours.len()];
            melds.clear();
            for meld in &self.melds {
                let members: Vec<(usize, u64)> = meld
                    .cards
                    .iter()
                    .filter_map(|card| Some((place_of(card.id)?, card.has_served_again as u64)))
                    .collect();
                let of_cards = members.iter().map(|(place, again)| mix(colours[*place], *again));
                let row = meld.kind as u64 | (meld.class as u64) << 8 | (meld.level as u64) << 16;
                let colour = mix_all(mix(row, meld.has_lost as u64), of_cards.collect());
                members.iter().for_each(|(place, again)| seen_by[*place].push(mix(colour, *again)));
                melds.push(colour);
            }
            for (colour, seen) in colours.iter_mut().zip(seen_by) {
                *colour = mix_all(*colour, seen);
            }
        }
        let print = mix_all(mix(mix_all(7, colours), 99), melds);
        self.before.as_ref().map_or(print, |before| mix(print, before.fingerprint()))
    }
}

/// Of the melds of a class that a card has scored in, only the last one counts for it.
fn is_latest(melds: &[&Scored], meld: &Scored, id: u16) -> bool {
    let latest = melds.iter().rev().find(|one| one.class == meld.class && one.has(id));
    latest.is_some_and(|one| std::ptr::eq(*one, meld))
}

fn mix(sum: u64, more: u64) -> u64 {
    let mixed = (sum.rotate_left(5) ^ more).wrapping_mul(0x517c_c1b7_2722_0a95);
    mixed ^ (mixed >> 29)
}

/// The same in whatever order the values come.
fn mix_all(sum: u64, mut values: Vec<u64>) -> u64 {
    values.sort_unstable();
    values.into_iter().fold(sum, mix)
}

/// Keeps one of each sort of readings.
pub fn keep_different(readings: &mut Vec<Reading>) {
    let mut seen = HashSet::new();
    readings.retain(|reading| seen.insert(reading.fingerprint()));
}
