//! A rule sheet with its options chosen, the faces of cards, and the settlement of a deal.
//!
//! A part of the validator that was written from the published pages; `main.rs` says more.

use crate::json::Json;

/// Ranks from high to low in tricks.
pub const RANKS: &[u8] = b"ATKQJ987";
pub const SUITS: &[u8] = b"SHDC";
/// Where the faces of a pack would go on: a card of no pack, or one that is not known.
pub const NO_FACE: u8 = 255;
const MOST_BRISQUE_RANK: u8 = 1;
const QUIET_BELOW: i64 = 100;

/// The rank and the suit of a card as one number: four suits for every rank.
pub type Face = u8;

pub fn face_of(card: &str) -> Face {
    let short = card.strip_prefix("10").map_or(card.to_string(), |rest| format!("T{rest}"));
    let letters = short.as_bytes();
    let rank = RANKS.iter().position(|rank| *rank == letters[0]);
    let suit = SUITS.iter().position(|suit| *suit == letters[1]);
    match (rank, suit) {
        (Some(rank), Some(suit)) => (rank * 4 + suit) as Face,
        _ => NO_FACE,
    }
}

/// Which copy a card says that it is, or 0.
pub fn label_of(card: &str) -> u8 {
    card.split('.').nth(1).and_then(|label| label.parse().ok()).unwrap_or(0)
}

pub fn face_text(face: Face) -> String {
    format!("{}{}", RANKS[rank_of(face) as usize] as char, SUITS[suit_of(face) as usize] as char)
}

/// The place of a rank among `RANKS`: the lower, the higher the card.
pub fn rank_of(face: Face) -> u8 {
    face / 4
}

pub fn suit_of(face: Face) -> u8 {
    face % 4
}

pub fn is_brisque(face: Face) -> bool {
    rank_of(face) <= MOST_BRISQUE_RANK
}

fn rank_at(letter: u8) -> u8 {
    RANKS.iter().position(|rank| *rank == letter).expect("a rank") as u8
}

/// One row of the table of melds.
pub struct Meld {
    pub name: String,
    pub points: i64,
    /// The ranks that a card may have, and where its suit comes from.
    pub cards: Vec<(Vec<u8>, String)>,
    pub kind: u8,
    pub class: u8,
    pub level: u8,
    pub size: usize,
}

/// What forbids a meld of used cards; without a class, a meld of any.
pub struct Clause {
    pub name: String,
    pub class: Option<u8>,
}

pub struct Terms {
    base: i64,
    winner_total: i64,
    loser_total: i64,
    least_difference: i64,
    for_brisques: i64,
    loser_below_100: i64,
}

#[derive(Clone, Copy)]
pub struct Cut {
    pub packet: i64,
    pub dealer_points: i64,
    pub guess_points: i64,
}

pub struct Phase {
    /// How many melds may be scored after a trick.
    pub melds: i64,
    pub plain_led: Vec<String>,
    pub trumps_led: Vec<String>,
}

pub struct Rules {
    pub ranks: Vec<u8>,
    pub copies: usize,
    pub hand: usize,
    pub trump_melds: Vec<String>,
    pub laid_melds_make_trumps: bool,
    pub cut: Option<Cut>,
    pub carte_blanche_points: i64,
    pub courts: Vec<u8>,
    /// Whether a hand dealt blank may be shown only before anyone has played.
    pub shown_before_first_lead: bool,
    /// With a stock, and after the close.
    pub phases: [Phase; 2],
    pub melds: Vec<Meld>,
    bezique_cards: Json,
    pub forbids: Vec<Clause>,
    /// Whether a meld that has lost a card may be restored.
    pub restores: bool,
    pub marriage: u8,
    pub has_pending_melds: bool,
    pub last_trick_points: i64,
    pub brisques_count: String,
    pub brisque_points: i64,
    rubicon: i64,
    rounded_to: i64,
    win: Terms,
    rubicon_terms: Terms,
    win_difference: String,
    rubicon_valued_by: String,
    loser_keeps_total: bool,
    draw_keeps_totals: bool,
}

/// Numbers for names, in the order in which they are met.
#[derive(Default)]
struct Names(Vec<String>);

impl Names {
    fn number(&mut self, name: &str) -> u8 {
        let known = self.0.iter().position(|other| other == name);
        known.unwrap_or_else(|| {
            self.0.push(name.to_string());
            self.0.len() - 1
        }) as u8
    }
}

/// Reads a rule sheet with options; the code of what is wrong with these.
pub fn read_rules(sheet: &Json, options: Option<&Json>) -> Result<Rules, &'static str> {
    let chosen = choose(sheet, options)?;
    let rules = chosen.need("rules");
    let (mut kinds, mut classes) = (Names::default(), Names::default());
    let melds = rules.need("melds").list();
    let melds = melds.iter().map(|meld| read_meld(meld, &mut kinds, &mut classes)).collect();
    let reuse = rules.need("reuse");
    let holds = |clause: &&Json| {
        let given = clause.need("given").members();
        given.iter().all(|(name, value)| reuse.member(name) == Some(value))
    };
    let clauses = reuse.need("forbids").list().iter().filter(holds);
    let forbids = clauses.map(|clause| Clause {
        name: clause.need("clause").text().to_string(),
        class: clause.get("class").map(|class| classes.number(class.text())),
    });
    let (pack, trumps, blank) =
        (rules.need("pack"), rules.need("trumps"), rules.need("carte_blanche"));
    let (brisques, game) = (rules.need("brisques"), rules.need("match"));
    let settlement = game.need("settlement");
    let phases = rules.need("phases").list();
    Ok(Rules {
        ranks: letters(pack.need("ranks")),
        copies: pack.need("copies").need("S").int() as usize,
        hand: rules.need("hand").need("2").int() as usize,
        trump_melds: trumps.need("melds").texts(),
        laid_melds_make_trumps: trumps.need("when").text() == "laid",
        cut: rules.get("cut").map(|cut| Cut {
            packet: cut.need("packet").int(),
            dealer_points: cut.need("dealer_points").int(),
            guess_points: cut.need("guess_points").int(),
        }),
        carte_blanche_points: blank.need("points").int(),
        courts: letters(blank.need("courts")),
        shown_before_first_lead: blank.need("first").text() == "before_first_lead",
        phases: [read_phase(&phases[0]), read_phase(&phases[1])],
        melds,
        bezique_cards: rules.need("bezique_cards").clone(),
        forbids: forbids.collect(),
        restores: reuse.need("law").text() == "R-001",
        marriage: kinds.number("marriage"),
        has_pending_melds: rules.member("pending") == Some(&Json::Bool(true)),
        last_trick_points: rules.need("bonuses").list()[0].need("points").int(),
        brisques_count: brisques.need("count").text().to_string(),
        brisque_points: brisques.need("points").int(),
        rubicon: game.need("rubicon").int(),
        rounded_to: settlement.need("rounded_to").int(),
        win: read_terms(settlement.need("win")),
        rubicon_terms: read_terms(settlement.need("rubicon")),
        win_difference: settlement.need("win_difference").text().to_string(),
        rubicon_valued_by: settlement.need("rubicon_valued_by").text().to_string(),
        loser_keeps_total: settlement.need("loser").text() == "own_total",
        draw_keeps_totals: settlement.need("draw").text() == "own_total",
    })
}

fn choose(sheet: &Json, options: Option<&Json>) -> Result<Json, &'static str> {
    let mut chosen = sheet.clone();
    for (name, wanted) in options.map_or(&[][..], Json::members) {
        let mut offered = sheet.need("options").list().iter();
        let option = offered.find(|option| option.need("name").text() == name);
        let option = option.ok_or("unknown-option")?;
        let mut values = option.need("values").list().iter();
        let value = values.find(|value| value.member("value") == Some(wanted));
        for change in value.ok_or("bad-option-value")?.entries("changes") {
            let new = change.member("value").expect("a value").clone();
            chosen.replace_at(change.need("path").text(), new);
        }
    }
    Ok(chosen)
}

fn letters(names: &Json) -> Vec<u8> {
    names.list().iter().map(|name| name.text().as_bytes()[0]).collect()
}

fn read_meld(meld: &Json, kinds: &mut Names, classes: &mut Names) -> Meld {
    let shape = meld.need("cards");
    let repeat = shape.need("repeat").int() as usize;
    let cards: Vec<(Vec<u8>, String)> = shape
        .need("cards")
        .list()
        .iter()
        .map(|card| (letters(card.need("ranks")), card.need("suit").text().to_string()))
        .collect();
    Meld {
        name: meld.need("name").text().to_string(),
        points: meld.need("points").int(),
        size: repeat * cards.len(),
        cards,
        kind: kinds.number(meld.need("kind").text()),
        class: classes.number(meld.need("class").text()),
        level: meld.need("level").int() as u8,
    }
}

fn read_phase(phase: &Json) -> Phase {
    let duties = phase.need("must_play");
    Phase {
        melds: phase.get("melds").map_or(i64::MAX, Json::int),
        plain_led: duties.need("plain_led").texts(),
        trumps_led: duties.need("trumps_led").texts(),
    }
}

fn read_terms(terms: &Json) -> Terms {
    let value = |name| terms.need(name).int();
    Terms {
        base: value("base"),
        winner_total: value("winner_total"),
        loser_total: value("loser_total"),
        least_difference: value("least_difference"),
        for_brisques: value("for_brisques"),
        loser_below_100: value("loser_below_100"),
    }
}

pub struct Settled {
    pub totals: [i64; 2],
    pub receives: [i64; 2],
    pub winner: Option<usize>,
    pub counts_brisques: bool,
}

impl Rules {
    pub fn pack_size(&self) -> usize {
        self.copies * self.ranks.len() * SUITS.len()
    }

    /// Whether a card has a rank of the pack, and no label that the pack lacks.
    pub fn has_card(&self, card: &str) -> bool {
        self.has(face_of(card), label_of(card))
    }

    pub fn has(&self, face: Face, label: u8) -> bool {
        face != NO_FACE
            && self.ranks.contains(&RANKS[rank_of(face) as usize])
            && label as usize <= self.copies
    }

    /// What both sides receive for the points of a deal and those of their brisques.
    pub fn settle(&self, points: [i64; 2], brisques: [i64; 2]) -> Settled {
        let may_count = self.brisques_count == "to_settle";
        let behind = (points[0] >= points[1]) as usize;
        let is_level = points[0] == points[1];
        let is_saved = !is_level
            && may_count
            && points[behind] < self.rubicon
            && points[behind] + brisques[behind] >= self.rubicon;
        let counts_brisques = is_saved || (is_level && may_count);
        let totals = if counts_brisques {
            [points[0] + brisques[0], points[1] + brisques[1]]
        } else {
            points
        };
        if totals[0] == totals[1] {
            let receives = if self.draw_keeps_totals { totals } else { [0, 0] };
            return Settled { totals, receives, winner: None, counts_brisques };
        }
        let winner = (totals[0] < totals[1]) as usize;
        let loser = 1 - winner;
        let is_rubicon = !is_saved && totals[loser] < self.rubicon;
        let mut receives = [0, 0];
        receives[winner] = self.value(points, totals, winner, is_rubicon);
        receives[loser] = if self.loser_keeps_total { totals[loser] } else { 0 };
        Settled { totals, receives, winner: Some(winner), counts_brisques }
    }

    /// What the winner receives.
    fn value(&self, points: [i64; 2], totals: [i64; 2], winner: usize, is_rubicon: bool) -> i64 {
        let without = is_rubicon && self.rubicon_valued_by == "points_without_brisques";
        let valued = if without { points } else { totals };
        let (won, lost) = (valued[winner], valued[1 - winner]);
        let rounded = |score: i64| score.div_euclid(self.rounded_to) * self.rounded_to;
        let terms = if is_rubicon { &self.rubicon_terms } else { &self.win };
        let mut value = terms.base;
        if terms.loser_total == -1 {
            let is_close = self.win_difference == "close" && rounded(won) == rounded(lost);
            let is_exact = !is_rubicon && (is_close || self.win_difference == "none");
            let difference = if is_exact { won - lost } else { rounded(won) - rounded(lost) };
            value += difference.max(terms.least_difference);
        } else {
            value += rounded(won) * terms.winner_total + rounded(lost) * terms.loser_total;
        }
        if is_rubicon {
            value += terms.for_brisques;
            value += if lost < QUIET_BELOW { terms.loser_below_100 } else { 0 };
        }
        value
    }

    /// Whether faces are the cards of a meld, or with `may_lack` some of them.
    pub fn fits(&self, meld: &Meld, faces: &[Face], trump: Option<u8>, may_lack: bool) -> bool {
        if faces.len() > meld.size
            || (!may_lack && faces.len() != meld.size)
            || faces.contains(&NO_FACE)
        {
            return false;
        }
        if meld.cards[0].1 == "any" {
            let ranks = &meld.cards[0].0;
            return faces.iter().all(|face| ranks.contains(&RANKS[rank_of(*face) as usize]));
        }
        (0..SUITS.len() as u8).filter_map(|suit| self.faces_of(meld, suit, trump)).any(
            |mut free| {
                faces.iter().all(|face| {
                    let found = free.iter().position(|other| other == face);
                    found.map(|index| free.swap_remove(index)).is_some()
                })
            },
        )
    }

    /// The faces of a meld in a suit, if it can be made in it.
    pub fn faces_of(&self, meld: &Meld, suit: u8, trump: Option<u8>) -> Option<Vec<Face>> {
        let mut faces = vec![];
        for (ranks, of) in meld.cards.iter().cycle().take(meld.size) {
            let rank = rank_at(ranks[0]);
            faces.push(match of.as_str() {
                "trumps" => rank * 4 + trump?,
                "plain" if Some(suit) == trump => return None,
                "plain" => rank * 4 + suit,
                "bezique" => self.bezique_card(ranks[0], trump),
                _ => return None,
            });
        }
        Some(faces)
    }

    fn bezique_card(&self, rank: u8, trump: Option<u8>) -> Face {
        let suit =
            trump.map_or("none".to_string(), |suit| char::from(SUITS[suit as usize]).to_string());
        let cards = self.bezique_cards.need(&suit).texts();
        face_of(cards.iter().find(|card| card.as_bytes()[0] == rank).expect("a bezique card"))
    }

    /// The meld of a name that these faces are. The first meld that makes trumps counts as one of trumps.
    pub fn meld_of(&self, name: &str, faces: &[Face], trump: Option<u8>) -> Option<&Meld> {
        let makes_trumps = trump.is_none() && self.trump_melds.iter().any(|one| one == name);
        let trump = if makes_trumps {
            faces.first().filter(|face| **face != NO_FACE).map(|face| suit_of(*face))
        } else {
            trump
        };
        self.melds.iter().find(|meld| meld.name == name && self.fits(meld, faces, trump, false))
    }
}
