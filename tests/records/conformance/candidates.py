"""Positions from which the kit is chosen: for every meld, and for every end of a match."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from records.documents.points_page import EXAMPLES
from records.events import Discard, Irregular, Meld, Play, Score, Trick
from records.record import Claims, Deal, Laid, Player, Record, Result, Rules, Setup
from records.rules.settlement import settle_deal
from records.rules.vocabulary import MeldRule, OneDeal, RaceTo, RuleSheet, TurnUp
from tests.records.rules.changed_sheets import pattern_text


@dataclass
class Candidate:
    """A record that the kit may have: a name, the area, what it is about, its laws, and its twin's name if it has one."""

    name: str
    area: str
    about: str
    record: Record
    laws: list[str] = field(default_factory=list)
    twin: str | None = None

    @property
    def case_id(self) -> str:
        """The id that it has as a case."""
        return f"{self.record.rules.id}/{self.area}/{self.name}"


def record_of(sheet: str, *deals: Deal, players: int = 2, **more: Any) -> Record:
    """A record of some deals by a sheet."""
    return Record(
        format="bezique-record",
        version="1.0",
        rules=Rules(id=sheet),
        players=[
            Player(name=name) for name in ("Ann", "Bob", "Cleo", "Dan", "Eve", "Fay")[:players]
        ],
        deals=list(deals),
        **more,
    )


# -- melds


def every_meld(sheet: RuleSheet) -> Iterator[Candidate]:
    """Every line of the table of melds: scored with its points, and its twin with other points."""
    rows = sheet.rules.melds
    for row in rows:
        cards = _cards_of(sheet, row)
        if cards is None:
            continue
        name = f"meld-{row.words.replace(' ', '-')}"
        spades = sum(card == "KS" for card in cards) if row.name == "marriages" else 0
        points = row.points + (10 * spades if len(cards) < 10 else 0)
        record = melded(sheet, row, cards, points)
        other = next((r.points for r in rows if r.name == row.name and r.points != row.points), 0)
        wrong = other or points + 10
        twin = melded(sheet, row, cards, wrong)
        about = f"{row.words.capitalize()}, {' '.join(cards)}, scores {points}"
        laws = ["Z3"] if sheet.rules.tableau else []
        yield Candidate(name, "twins", f"{about}.", record, laws, f"{name}-wrong")
        yield Candidate(
            f"{name}-wrong", "twins", f"{about}; here {wrong} are claimed.", twin, laws, name
        )


def _cards_of(sheet: RuleSheet, row: MeldRule) -> list[str] | None:
    """Cards that form a meld with hearts as trumps; like cards where the sheet has several packs."""
    if sheet.rules.tableau is not None:
        return _ZETEMA_CARDS.get(row.words)
    times, _, slots = pattern_text(row.cards).rpartition(" * ")
    suits = {"t": "H", "p": "C", "b": ""}
    cards, alike = [], 0
    for _ in range(int(times or 1)):
        for slot in slots.split():
            rank, letter = slot[0], slot[1]
            if letter == "x":
                order = "SHDC" if sheet.rules.pack.packs == 1 else "SSHH"
                cards.append(rank + order[alike % 4])
                alike += 1
            elif letter == "b":
                cards.append(rank + {"Q": "S", "J": "D"}[rank])
            else:
                cards.append(rank + suits[letter])
    return cards


def melded(sheet: RuleSheet, row: MeldRule, cards: list[str], points: int) -> Record:
    """The first seat has just won a trick and melds."""
    meld = Meld(seat=0, meld=row.name, cards=cards, points=points)
    if sheet.rules.tableau is not None:
        own = cards if row.name != "marriages" else cards[:2]
        lying = [card for card in cards[2:] if row.name == "marriages"] or None
        filler = ["2C", "3D", "4C", "6D", "8H", "9D"]
        hand = [*own, *[card for card in filler if card not in cards][: 6 - len(own)]]
        setup = Setup(hands=[hand, ["5C"]], seat=0, stock=7, tableau=lying)
        return record_of(sheet.id, Deal(dealer=1, knowledge="full", setup=setup, events=[meld]))
    size = len(cards)
    # Cards without a use for the other player, no like ones among them where there is one pack.
    loose = [rank + suit for rank in "98" for suit in "CD"] + ["8S", "9S", "8H", "9H"]
    captured = None
    hands = [cards, loose[:size]]
    if sheet.rules.melds_from.value == "captured":
        hands, captured = [["9C"], ["8C"]], [["8D", "9D", *cards], []]
        captured[0] = captured[0] if len(captured[0]) % 2 == 0 else captured[0][1:]
    turned = isinstance(sheet.rules.trumps, TurnUp)
    setup = Setup(
        hands=hands,
        seat=0,
        stock=5 if turned else 6,
        turn_up="9H" if turned else None,
        trump="H",
        won=True,
        captured=captured,
    )
    return record_of(sheet.id, Deal(dealer=1, knowledge="full", setup=setup, events=[meld]))


def melds_withdrawn(sheet: RuleSheet) -> Iterator[Candidate]:
    """The same meld twice: with the first one withdrawn (A-45), and without."""
    row = next(row for row in sheet.rules.melds if row.name in ("marriage", "marriages"))
    record = melded(sheet, row, _cards_of(sheet, row) or [], row.points)
    (deal,) = record.deals
    (meld,) = deal.events
    back = Irregular(seat=0, what="withdrawn_meld")
    for name, events in (("right", [meld, back, meld]), ("wrong", [meld, meld])):
        about = f"A marriage, and the same one again: the first was {'' if name == 'right' else 'not '}withdrawn."
        other = "wrong" if name == "right" else "right"
        changed = replace(record, deals=[replace(deal, events=events)])
        yield Candidate(f"A-45-{name}", "twins", about, changed, ["A-45"], f"A-45-{other}")


_ZETEMA_CARDS = {
    "sequence": ["4S", "5H", "6D", "7C", "8S", "9H"],
    "flush": ["2H", "4H", "6H", "8H", "TH", "QH"],
    "flush sequence": ["4S", "5S", "6S", "7S", "8S", "9S"],
    "assembly of kings or queens": ["KS", "KS", "KH", "KD", "KC"],
    "assembly of jacks": ["JS", "JS", "JH", "JD", "JC"],
    "assembly of aces or fives": ["AS", "AS", "AH", "AD", "AC"],
    "assembly of another rank": ["7S", "7S", "7H", "7D", "7C"],
    "marriage": ["KH", "QH"],
    "two marriages": ["KH", "QH", "KD", "QD"],
    "three marriages": ["KH", "QH", "KD", "QD", "KC", "QC"],
    "four marriages": ["KS", "QS", "KH", "QH", "KD", "QD", "KC", "QC"],
    "five marriages": ["KS", "QS", "KS", "QS", "KH", "QH", "KD", "QD", "KC", "QC"],
}


def no_new_card(sheet: RuleSheet) -> Iterator[Candidate]:
    """A meld all of whose cards lie in other melds already (A-19)."""
    if "A-19" not in sheet.cited("reuse"):
        return
    lying = [
        Laid(meld="four_kings", cards=["KS", "KH", "KD", "KC"]),
        Laid(meld="four_queens", cards=["QS", "QH", "QD", "QC"]),
    ]
    others = ["9C", "9D", "8C", "8D", "9S", "8S", "JC", "JH"]
    married = Laid(meld="marriage", cards=["KH", "QH"])
    meld = Meld(seat=0, meld="marriage", cards=["KH", "QH"], points=40)
    for name, tables in (("right", lying), ("wrong", [*lying, married])):
        setup = Setup(
            hands=[[], others], seat=0, tables=[tables, []], stock=5, turn_up="9H", won=True
        )
        deal = Deal(dealer=1, knowledge="full", setup=setup, events=[meld])
        about = "King and queen that lie in fours of a kind marry, with no new card, but not twice."
        other = "wrong" if name == "right" else "right"
        yield Candidate(f"no-new-card-{name}", "twins", about, record_of(sheet.id, deal), ["A-19"],
                        f"no-new-card-{other}")  # fmt: skip


# -- the ends of matches


def ends_of_matches(sheet: RuleSheet) -> Iterator[Candidate]:
    """The last trick of a match, and what comes of it."""
    if sheet.rules.tableau is not None:
        yield from _ends_of_zetema(sheet)
    elif isinstance(sheet.rules.match, RaceTo):
        yield from _ends_of_races(sheet)
    else:
        yield from _settlements(sheet)


def _last_deal(sheet: RuleSheet, points: list[int], brisques: list[int], dealer: int = 1) -> Deal:
    """A deal with one trick to go, which the first seat wins, and these points of the deal at its end, without brisques."""
    last = next(bonus.points for bonus in sheet.rules.bonuses if bonus.name == "last_trick")
    setup = Setup(
        hands=[["9S"], ["8S"]],
        seat=0,
        trump="H",
        scores=[points[0] - last, points[1]],
        brisques=brisques if any(brisques) else None,
    )
    events = [Play(seat=0, card="9S"), Play(seat=1, card="8S"), Trick(winner=0),
              Score(seat=0, what="last_trick", points=last)]  # fmt: skip
    return Deal(dealer=dealer, knowledge="full", setup=setup, events=events)


def _ends_of_races(sheet: RuleSheet) -> Iterator[Candidate]:
    target = sheet.rules.match.target[2] if isinstance(sheet.rules.match, RaceTo) else 0
    complete = {"status": "complete"}
    for name, about, points, winner in (
        ("at-target", "who reaches exactly the target has won", [target, 100], 0),
        (
            "second-wins",
            "both reach the target, and the second player has more",
            [target + 10, target + 40],
            1,
        ),
    ):
        deal = _last_deal(sheet, points, [0, 0])
        right = record_of(sheet.id, deal, result=Result(scores=points, winner=winner, **complete))
        other = replace(right, result=Result(scores=points, winner=1 - winner, **complete))
        laws = ["A-11"]
        yield Candidate(
            f"end-{name}",
            "twins",
            f"The end of a match: {about}.",
            right,
            laws,
            f"end-{name}-wrong",
        )
        yield Candidate(f"end-{name}-wrong", "twins", f"The end of a match: {about}; here the other is named.",
                        other, laws, f"end-{name}")  # fmt: skip
    for name, about, points in (
        ("tie", "both have the same points, so another deal is due", [target + 20, target + 20]),
        ("short", "ten points are missing, so another deal is due", [target - 10, 100]),
    ):
        deal = _last_deal(sheet, points, [0, 0])
        right = record_of(sheet.id, deal, result=Result(scores=points, status="unfinished"))
        wrong = record_of(sheet.id, deal, result=Result(scores=points, status="complete"))
        yield Candidate(
            f"end-{name}",
            "twins",
            f"The end of a deal: {about}.",
            right,
            ["A-11"],
            f"end-{name}-wrong",
        )
        yield Candidate(f"end-{name}-wrong", "twins", f"The end of a deal: {about}; here the match is complete.",
                        wrong, ["A-11"], f"end-{name}")  # fmt: skip
    short, over = _last_deal(sheet, [300, 200], [0, 0]), _last_deal(sheet, [target, 200], [0, 0])
    again = _last_deal(sheet, [50, 20], [0, 0], dealer=0)
    yield Candidate("next-dealer", "twins", "The deal passes to the other player.",
                    record_of(sheet.id, short, again), ["C2"], "same-dealer")  # fmt: skip
    yield Candidate("same-dealer", "twins", "The same player deals again.",
                    record_of(sheet.id, short, replace(again, dealer=1)), ["C2"], "next-dealer")  # fmt: skip
    yield Candidate("deal-after-the-end", "twins", "Another deal follows though the match was won.",
                    record_of(sheet.id, over, again), ["A-11"], "next-dealer")  # fmt: skip
    yield from _brisques_counted(sheet)


def _brisques_counted(sheet: RuleSheet) -> Iterator[Candidate]:
    """Two tricks with brisques to go, and the scores of the deal claimed."""
    setup = Setup(hands=[["AS", "KH"], ["TS", "8D"]], seat=0, trump="C", scores=[100, 90])
    events = [Play(seat=0, card="AS"), Play(seat=1, card="TS"), Trick(winner=0),
              Play(seat=0, card="KH"), Play(seat=1, card="8D"), Trick(winner=0)]  # fmt: skip
    deal = Deal(dealer=1, knowledge="full", setup=setup, events=list(events))
    for name, score in (("right", 20), ("wrong", 30)):
        told = [*events, Score(seat=0, what="brisques", count=score // 10, points=score)]
        record = record_of(sheet.id, replace(deal, events=told))
        about = f"Two brisques in the last two tricks: {score} points are claimed."
        yield Candidate(f"brisques-{name}", "twins", about, record, ["C9"],
                        f"brisques-{'wrong' if name == 'right' else 'right'}")  # fmt: skip


def _settlements(sheet: RuleSheet) -> Iterator[Candidate]:
    if not isinstance(sheet.rules.match, OneDeal):
        return
    line = sheet.rules.match.rubicon
    exactly = [
        ("exactly at the rubicon", (line + 320, line), (100, 60)),
        ("exactly at the rubicon with brisques", (line + 220, line - 100), (120, 100)),
        ("ten points below the rubicon", (line + 320, line - 10), (0, 0)),
        ("saved and turned round", (line + 50, line - 100), (0, 200)),
        ("drawn", (line + 320, line + 320), (100, 100)),
        ("equal hundreds", (line + 320, line + 350), (200, 100)),
    ]
    for about, points, brisques in (*EXAMPLES[line, sheet.rules.brisques.count], *exactly):
        settled = settle_deal(sheet.rules.match, list(points), list(brisques))
        deal = _last_deal(sheet, list(points), [count // 10 for count in brisques])
        deal.claims = Claims(scores=settled.totals)
        name = "settled-" + about.replace(",", "").replace(" ", "-")
        result = Result(status="complete", scores=settled.totals, settlement=settled.receives,
                        winner=settled.winner)  # fmt: skip
        right = record_of(sheet.id, deal, result=result)
        best = settled.receives.index(max(settled.receives))
        other = [points + 100 * (side == best) for side, points in enumerate(settled.receives)]
        wrong = replace(right, result=replace(result, settlement=other))
        laws = ["C9" if settled.totals != list(points) else "C15"]
        yield Candidate(name, "twins", f"A settlement: {about}.", right, laws, f"{name}-wrong")
        yield Candidate(
            f"{name}-wrong",
            "twins",
            f"A settlement: {about}; another one is claimed.",
            wrong,
            laws,
            name,
        )
    first = _last_deal(sheet, [1200, 1100], [0, 0])
    yield Candidate("second-deal", "twins", "A second deal follows, though one deal is the match.",
                    record_of(sheet.id, first, _last_deal(sheet, [50, 0], [0, 0], dealer=0)), ["C15"])  # fmt: skip


def _ends_of_zetema(sheet: RuleSheet) -> Iterator[Candidate]:
    targets = sheet.rules.match.target if isinstance(sheet.rules.match, RaceTo) else {2: 0, 4: 0}
    target, many = targets[2], targets[4]

    def deal(scores: list[int], dealer: int | None = None) -> Deal:
        seats = len(scores)
        hands = [[card] for card in ("2C", "3D", "4C", "6D", "8H", "9D")[:seats]]
        setup = Setup(hands=hands, seat=0, scores=scores)
        events = [Discard(seat=seat, card=hands[seat][0]) for seat in range(seats)]
        return Deal(
            dealer=seats - 1 if dealer is None else dealer,
            knowledge="full",
            setup=setup,
            events=events,
        )

    def ended(
        scores: list[int], winner: int | None, sides: list[list[int]] | None = None
    ) -> Record:
        totals = [sum(scores[seat] for seat in side) for side in sides] if sides else scores
        result = Result(scores=totals, status="complete", winner=winner) if winner is not None else (
            Result(scores=totals, status="unfinished"))  # fmt: skip
        return record_of("zetema", deal(scores), players=len(scores), sides=sides, result=result)

    pairs = [[0, 2], [1, 3]]
    for name, about, record, law in (
        ("at-target", "two players, exactly 300: won", ended([target, 100], 0), "Z6"),
        ("three-at-target", "three players, exactly 300: won", ended([90, target, 120], 1), "Z6"),
        ("three-short", "three players, 290: not won", ended([90, target - 10, 120], None), "Z6"),
        ("four-at-target", "four players, exactly 200: won", ended([90, many, 120, 20], 1), "Z6"),
        ("four-short", "four players, 190: not won", ended([90, many - 10, 120, 20], None), "Z6"),
        (
            "partners",
            "partners, 120 and 80 together: won",
            ended([120, 90, 80, 20], 0, pairs),
            "A-43",
        ),
        ("tie", "two players, 320 each: not won", ended([target + 20, target + 20], None), "A-11"),
        ("short", "two players, 290: not won", ended([target - 10, 100], None), "Z6"),
    ):
        assert record.result is not None
        won = record.result.winner
        wrong = (
            replace(record.result, winner=1 - won if won in (0, 1) else 0)
            if isinstance(won, int)
            else replace(record.result, status="complete")
        )
        yield Candidate(
            f"end-{name}",
            "twins",
            f"The end of a deal: {about}.",
            record,
            [law],
            f"end-{name}-wrong",
        )
        yield Candidate(f"end-{name}-wrong", "twins", f"The end of a deal: {about}; here the opposite is claimed.",
                        replace(record, result=wrong), [law], f"end-{name}")  # fmt: skip
    for name, about, first, second in (
        ("next-dealer", "The deal passes to the next player.", deal([50, 20]), deal([30, 30], 0)),
        ("same-dealer", "The same player deals again.", deal([50, 20]), deal([30, 30], 1)),
        (
            "deal-after-the-end",
            "Another deal follows though the match was won.",
            deal([target, 20]),
            deal([30, 30], 0),
        ),
    ):
        yield Candidate(name, "twins", about, record_of("zetema", first, second), ["Z6"] if name == "deal-after-the-end" else [],
                        "next-dealer" if name != "next-dealer" else "same-dealer")  # fmt: skip
    claimed = deal([50, 20, 10, 5])
    for name, scores in (("right", [60, 25]), ("wrong", [60, 20])):
        claims = replace(claimed, claims=Claims(scores=scores))
        yield Candidate(f"sides-{name}", "twins", "Partners add their points together.",
                        record_of("zetema", claims, players=4, sides=pairs), ["A-43"],
                        f"sides-{'wrong' if name == 'right' else 'right'}")  # fmt: skip
