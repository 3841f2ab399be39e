"""The smallest record for every code that a replay finds: positions of a few cards, written as text."""

from dataclasses import dataclass, field
from typing import Any

import msgspec

from records.events import AnyEvent, Discard, Meld, Play, Score
from records.record import Claims, Deal, Knowledge, Line, Record, Result, Setup
from tests.make.tables import N, S, deal_of, record_of


@dataclass
class Broken:
    """A position, what is told from it, and where the finding is: a pointer, or the number of an event."""

    position: str
    told: str = ""
    at: int | str = "/deals/0"
    sheet: str = "bezique"
    options: dict[str, Any] = field(default_factory=dict)
    claims: list[int] | None = None
    result: Result | None = None
    knowledge: Knowledge | None = None

    @property
    def pointer(self) -> str:
        """The JSON pointer of the finding."""
        return self.at if isinstance(self.at, str) else f"/deals/0/events/{self.at}"

    def record(self) -> Record:
        """The record itself."""
        deal = deal_of(self.position, self.told)
        deal.claims = Claims(scores=self.claims) if self.claims else None
        deal.knowledge = self.knowledge
        record = record_of([deal], sheet=self.sheet, **self.options)
        record.result = self.result
        return record


@dataclass
class Told:
    """A record that a position and events cannot tell, and the pointer of its finding."""

    pointer: str
    deals: list[Deal]
    sheet: str = "bezique"
    options: dict[str, Any] = field(default_factory=dict)
    result: Result | None = None
    lines: list[Line] | None = None

    def record(self) -> Record:
        """The record itself."""
        record = record_of(self.deals, sheet=self.sheet, **self.options)
        record.result, record.lines = self.result, self.lines
        return record


def two_led(deal: Deal) -> Deal:
    """The deal with two cards in the trick of its position."""
    if deal.setup is not None:
        deal.setup.trick = ["8D", "7D"]
    return deal


EIGHT = "N: AS AH AD AC 9S 9H 9D 9C"
DEALT = f"{EIGHT} | S: 8S 8H 8D 8C JS JH JD JC | S deals afresh"
LAST = "N: 9S | S: 8S | trump H"
WON = "turn-up 8C | stock 1 | N won"
LEADS = "turn-up 8C | stock 1 | N leads"
NOBODY = "S: 9H 9D"

DEALS = {
    "wrong-hand-size": Broken(f"{DEALT.replace(' 9C', '')} | turn-up QD", at="/deals/0/hands/0"),
    "wrong-stock-size": Told(
        "/deals/0/stock",
        [msgspec.structs.replace(deal_of(f"{DEALT} | turn-up QD"), stock=["KC"])],
    ),
    "wrong-number-of-hands": Told(
        "/deals/0/hands",
        [Deal(dealer=S, hands=deal_of(f"{EIGHT} | S deals afresh").hands[:1], turn_up="QD")],
    ),
    "turn-up-missing": Broken(DEALT),
    "turn-up-not-in-rules": Told(
        "/deals/0/turn_up", [Deal(dealer=S, turn_up="QS")], sheet="rubicon-bezique"
    ),
    "card-not-in-pack": Broken("N: 6S | S: 7S | trump H"),
    "too-many-copies": Broken("N: QS QS | S: QS 7S | trump H"),
    "card-twice": Broken("N: QS.1 | S: QS.1 | trump H"),
    "deal-cut-short": Told("/deals/0", [deal_of(f"{LAST} | S deals"), deal_of(f"{LAST} | N deals")]),
    "wrong-dealer": Told("/deals/1/dealer", [deal_of(LAST, "N 9S, S 8S"), deal_of(LAST)]),
}  # fmt: skip

PLAYS = {
    "event-after-end": Broken(LAST, "N 9S, S 8S, N 7S", at=2),
    "event-not-in-rules": Broken(f"N: 9S 8S | {NOBODY} | {LEADS}", "N shows carte_blanche 50", at=0),
    "out-of-turn": Broken(LAST, "S 8S", at=0),
    "card-not-held": Broken(LAST, "N KS", at=0),
    "not-on-table": Broken(LAST, "N 9S from table", at=0),
    "not-in-hand": Broken(f"N: 9S | N lays marriage KS QS | S: 9H 9D 9C | {LEADS}",
                          "N KS from hand", at=0),
    "must-follow-suit": Broken("N: 7S | S: 9H 7C | trump S | S replies to KH", "S 7C", at=0),
    "must-beat": Broken("N: 7S | S: AH 9H | trump S | S replies to KH", "S 9H", at=0),
    "must-trump": Broken("N: 7S | S: 8S 7C | trump S | S replies to KH", "S 7C", at=0),
    "no-legal-completion": Broken("N: TD 8S JC JD | S: 9C 9S 9H QH",
                                  "N TD, S 9C, N 8S, S 9S, S 9H, N JC", at=5, knowledge="public"),
    "trick-out-of-place": Broken(LAST, "N takes", at=0),
    "wrong-trick-winner": Broken(LAST, "N 9S, S 8S, S takes", at="/deals/0/events/2/winner"),
}  # fmt: skip

DRAWS = {
    "draw-missing": Broken(f"N: 9S | S: 9H | {WON}", "N 9S", at=0, knowledge="full"),
    "draw-out-of-turn": Broken(f"N: 9S | S: 9H | {WON}", "S draws KC", at=0),
    "draw-not-due": Broken(f"N: 9S | S: 9H | {LEADS}", "N draws KC", at=0),
    "wrong-card-drawn": Broken(f"N: 9S | S: 9H | {WON}", "N draws KC, S draws QC", at=1),
    "no-such-card-left": Broken(f"N: KC | S: KC | {WON}", "N draws KC", at=0),
}

MELDS = {
    "meld-by-loser": Broken(f"N: 9H 9D | S: KS QS | {WON}", "S melds marriage KS QS 20", at=0),
    "meld-out-of-window": Broken(f"N: KS QS | {NOBODY} | {LEADS}", "N melds marriage KS QS 20", at=0),
    "meld-after-close": Broken(f"N: KS QS | {NOBODY} | trump H | N won",
                               "N melds marriage KS QS 20", at=0),
    "too-many-melds": Broken(f"N: KS QS JD | S: 9S 9H 9D | {WON}",
                             "N melds marriage KS QS 20, N melds bezique QS JD 40", at=1),
    "meld-card-not-held": Broken(f"N: KS 9S | {NOBODY} | {WON}", "N melds marriage KS QS 20", at=0),
    "meld-not-in-rules": Broken(f"N: JC QD | {NOBODY} | {WON}", "N melds marjolet JC QD 40", at=0),
    "wrong-cards-for-meld": Broken(f"N: KS QH | {NOBODY} | {WON}", "N melds marriage KS QH", at=0),
    "meld-reuses-cards": Broken(f"N: | N lays marriage KS QS | {NOBODY} | {WON}",
                                "N melds marriage KS QS 20", at=0),
    "no-pending-melds": Broken(f"N: KS QS | {NOBODY} | {WON}", "N shows marriage KS QS", at=0,
                               sheet="zique"),
    "wrong-meld-points": Broken(f"N: KS QS | {NOBODY} | {WON}", "N melds marriage KS QS 40",
                                at="/deals/0/events/0/points"),
}  # fmt: skip

DIXES = {
    "dix-not-in-rules": Broken(f"N: 7C | S: 9H | {WON}", "N dix exchange", at=0, sheet="zique"),
    "dix-not-played": Broken(f"N: 7C | S: 9H | {LEADS}", "N dix play 10", at=0),
    "dix-not-held": Broken(f"N: 9C | S: 9H | {WON}", "N dix show 10", at=0, knowledge="full"),
    "dix-out-of-window": Broken(f"N: 7C | S: 9H | {LEADS}", "N dix show 10", at=0),
    "nothing-to-exchange": Broken("N: 7C | S: 9H | trump C | N won", "N dix exchange 10", at=0),
    "dix-spent": Broken(f"N: 7C | S: 9H | spent 7C | {WON}", "N dix show 10", at=0),
    "wrong-dix-points": Broken(f"N: 7C | S: 9H | {WON}", "N dix show 20",
                               at="/deals/0/events/0/points"),
}  # fmt: skip

OPENINGS = {
    "not-blank": Broken(f"N: KS 9S | {NOBODY} | stock 2 | N leads", "N shows carte_blanche 50", at=0,
                        sheet="rubicon-bezique"),
    "carte-blanche-too-late": Broken(f"N: 9S 8S | {NOBODY} | stock 2 | N leads",
                                     "N 9S, N shows carte_blanche 50", at=1,
                                     sheet="rubicon-bezique"),
    "cut-out-of-place": Broken("N: 9S | S: 9H | stock 2 | S deals", "N cuts 24 guessed 26", at=0,
                               sheet="six-pack-bezique"),
    "impossible-cut": Broken("N: 9S | S: 9H | stock 2 | S deals", "S cuts 0 guessed 26",
                             at="/deals/0/events/0/packet", sheet="six-pack-bezique"),
}  # fmt: skip


def tableau(pointer: str, hand: str, lying: str, *events: AnyEvent) -> Told:
    """Zetema: North to act with a hand; South holds five; so many cards lie in the tableau."""
    hands = [hand.split(), ["2H", "3D", "4C", "7H", "8D"]]
    setup = Setup(hands=hands, seat=N, tableau=lying.split() or None)
    return Told(pointer, [Deal(dealer=S, setup=setup, events=list(events))], sheet="zetema")


def married(from_tableau: list[str] | None) -> Meld:
    """North marries the king and queen of hearts."""
    return Meld(seat=N, meld="marriages", cards=["KH", "QH"], from_tableau=from_tableau)


TABLEAUS = {
    "discard-not-of-combination": tableau(
        "/deals/0/events/1", "KS KS KH KD KC 9S", "",
        Meld(seat=N, meld="assembly", cards=["KS", "KS", "KH", "KD", "KC"], points=130),
        Discard(seat=N, card="9S"),
    ),
    "must-go-on": tableau(
        "/deals/0/events/1", "KS QS 9S", "KS KH KD KC QS QH QD QC",
        Discard(seat=N, card="KS"),
        Discard(seat=N, card="9S"),
    ),
    "not-on-tableau": tableau("/deals/0/events/0", "KH QH 9S 6D 4S 2C", "", married(["KH"])),
    "marriage-without-hand-card": tableau(
        "/deals/0/events/0", "JS TD 9S 6D 4S 2C", "KH QH", married(None)
    ),
}  # fmt: skip

SETUPS = {
    "setup-not-in-rules": Broken("N: 9S | S: 8S | spent 7S", at="/deals/0/setup/spent_dixes",
                                 sheet="rubicon-bezique"),
    "trumps-not-turned-up": Broken(f"N: 9S | S: 8S | trump H | {LEADS}", at="/deals/0/setup/trump"),
    "no-meld-on-table": Broken(f"N: 9S | N lays marriage KS QH | S: 9H 9D 9C | {LEADS}",
                               at="/deals/0/setup/tables/0/0"),
    "uneven-hands": Broken("N: 9S | S: 8S 8H | trump H", at="/deals/0/setup/hands"),
    "hand-too-large": Broken(f"{EIGHT} 8D | S: 8S 8H 8C JS JH JD JC QS QH | trump H",
                             at="/deals/0/setup/hands/0"),
    "impossible-stock": Broken("N: 9S | S: 8S | turn-up 8C | stock 62", at="/deals/0/setup/stock"),
    "impossible-trick": Told("/deals/0/setup/trick", [two_led(deal_of(LAST))]),
    "impossible-captures": Broken(f"{LAST} | N captured KS", at="/deals/0/setup/captured/0",
                                  sheet="polish-bezique"),
    "impossible-brisques": Broken(f"{LAST} | brisques 9 9", at="/deals/0/setup/brisques"),
    "impossible-spent-dix": Broken(f"{LAST} | spent 7H", at="/deals/0/setup/spent_dixes"),
    "impossible-pile": tableau("/deals/0/setup/tableau", "KH QH 9S 6D 4S 2C", "5S 5S 5H 5D 5C"),
}  # fmt: skip

SCORES = {
    "score-not-earned": Broken(LAST, "N scores last_trick 10", at=0),
    "scored-twice": Broken(LAST, "N 9S, S 8S, N scores last_trick 10, N scores last_trick 10", at=3),
    "score-out-of-place": Told(
        "/deals/0/events/1",
        [Deal(dealer=S, turn_up="7S", knowledge="plays",
              events=[Play(seat=N, card="9S"), Score(seat=S, what="turned_seven", points=10)])],
    ),
    "wrong-score-points": Broken(LAST, "N 9S, S 8S, N scores last_trick 20",
                                 at="/deals/0/events/2/points"),
    "wrong-brisques": Broken(LAST, "N counts 1 brisques 10", at="/deals/0/events/0/points"),
    "wrong-deal-scores": Broken(LAST, "N 9S, S 8S", claims=[20, 0], at="/deals/0/claims/scores"),
    "impossible-deal-scores": Told(
        "/deals/0/claims/scores",
        [Deal(dealer=S, knowledge="scores", claims=Claims(scores=[105, 95]))],
    ),
}  # fmt: skip

WINNING = f"{LAST} | scores 90 0"
GAMES = {
    "deal-after-game-won": Told(
        "/deals/1", [deal_of(WINNING, "N 9S, S 8S"), deal_of(f"{LAST} | N deals")],
        options={"target": 100},
    ),
    "wrong-result-scores": Broken(LAST, "N 9S, S 8S", result=Result(scores=[20, 0]),
                                  at="/result/scores"),
    "impossible-result-scores": Told(
        "/result/scores", [Deal(dealer=S, knowledge="scores")], sheet="rubicon-bezique",
        result=Result(status="complete", scores=[40, 0]),
    ),
    "wrong-winner": Broken(WINNING, "N 9S, S 8S", options={"target": 100},
                           result=Result(winner=1), at="/result/winner"),
    "wrong-status": Told("/result/status", [deal_of(LAST)], result=Result(status="complete")),
    "wrong-settlement": Broken("N: 9S | S: 8S | trump H | scores 1500 1200", "N 9S, S 8S",
                               result=Result(settlement=[500, 0]), at="/result/settlement",
                               sheet="rubicon-bezique"),
    "settlement-not-in-rules": Told("/result/settlement", [], result=Result(settlement=[500, 0])),
}  # fmt: skip

REMARKS = {
    "line-not-lawful": Told(
        "/lines/0/events/0", [deal_of(LAST)],
        lines=[Line(at=[0, 0], events=[Play(seat=S, card="8S")])],
    ),
    "lines-not-judged": Told(
        "/lines/200", [deal_of(LAST, ", ".join(["N counts 0 brisques 0"] * 100))],
        lines=[Line(at=[0, 100], events=[Play(seat=N, card="9S")])] * 201,
    ),
    "nothing-withdrawn": Broken(LAST, "irregular N withdrawn_meld", at=0),
    "irregularity": Broken(LAST, "irregular N exposed_card 9S", at=0),
    "unfinished": Told("", []),
    "undetermined": Broken("N: AS KS | S: ?? 9D | trump H", "N AS, S 9D", at=1),
    "too-many-completions": Broken("N: ?? ?? | S: 9H 9D | stock 2 | N won",
                                   "N melds marriage K? Q?", sheet="rubicon-bezique"),
}  # fmt: skip

RECORDS: dict[str, Broken | Told] = {
    **DEALS, **PLAYS, **DRAWS, **MELDS, **DIXES, **OPENINGS, **TABLEAUS, **SETUPS, **SCORES, **GAMES, **REMARKS,
}  # fmt: skip
