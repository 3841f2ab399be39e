"""Cases for single clauses of the pages, told of every sheet that has the clause.

A program that follows a page in most places and misses one clause gives one of these another verdict. What breaks a clause
stands alone in its record. What a clause allows may stand beside what others allow: one record shows several errors.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from msgspec.structs import replace

from records.conformance.cases import Case
from records.record import Claims, Deal, Record, Result
from records.rules.settlement import settle_deal
from records.rules.vocabulary import BrisqueCount, FirstMeld, OneDeal, RaceTo, RuleSheet, TurnUp
from tests.make.tables import deal_of, record_of
from tests.records.conformance.candidates import Candidate
from tests.records.conformance.case_making import case_of
from tests.records.conformance.one_change import as_json, the_change
from tests.records.conformance.other_cases import made

LAST = "N: 9S | S: 8S | trump H | N leads"
TWO = "N: 9S 9D | S: 8S 8D | trump H | N leads"
PREFIX = "clause-"
"""The name of every case made here begins so."""
ROOM = {
    "bezique": 20, "rubicon-bezique": 23, "rubicon-bezique-club": 34, "rubicon-bezique-recommended": 37,
    "chinese-bezique": 46, "six-pack-bezique": 70, "zique": 62, "bezique-enhanced": 79,
}  # fmt: skip
"""So many cases at most of the sheets whose kits have no room for all; of some the last clauses are left out."""
BLANK = ["AS", "AH", "TS", "TH", "9S", "9H", "8S", "8H", "7S", "7H", "7D", "AD"]
COURTS = ["KC", "AC", "TC", "TC", "9C", "9C", "8C", "8C", "7C", "7C", "KD", "KH"]

TIGHT = ("bezique", "rubicon-bezique", "rubicon-bezique-club", "rubicon-bezique-recommended")
"""Sheets that have no room for what only repeats another sheet."""

Fault = tuple[str, int | None, int | None]


class Clause(NamedTuple):
    """A record about a clause: the code and the place of its fault, or None if it is right.

    `mended` is the record with one change that makes it right, if there is one.
    """

    name: str
    about: str
    record: Record
    fault: Fault | None = None
    mended: Record | None = None


def clauses(sheet: RuleSheet) -> Iterator[Clause]:
    """The records of a sheet, as many as its kit has room for: first those of clauses that few sheets have."""
    if sheet.rules.tableau is None:
        chapters = (
            _reuse,
            _after_close,
            _carte_blanche,
            _cut,
            _trumps,
            _irregular,
            _claims,
            _positions,
            _before_the_end,
            _stock,
        )
        yield from islice((one for chapter in chapters for one in chapter(sheet)), ROOM.get(sheet.id))  # fmt: skip


def clause_cases(sheet: RuleSheet) -> Iterator[Case]:
    """The cases of a sheet, those that are wrong with a right twin as long as there is room."""
    room = ROOM.get(sheet.id, 400) - sum(1 for _ in clauses(sheet))
    for one in clauses(sheet):
        room -= one.mended is not None
        right = one.mended if room >= 0 else None
        twin = None if right is None else f"{PREFIX}{one.name}-right"
        yield _case(PREFIX + one.name, one.about, one.record, twin)
        if right is not None:
            change = the_change(as_json(right), as_json(one.record))
            about = f"{one.about} This one is right; in the wrong one {change}."
            yield _case(f"{PREFIX}{one.name}-right", about, right, PREFIX + one.name)
    if _has(sheet, "settlement_rounding"):
        yield from _settlements(sheet)


def _case(name: str, about: str, record: Record, twin: str | None) -> Case:
    case = case_of(Candidate(name, "odd", about, record, twin=twin))
    case.confirmed = case.confirmed or ["text"]
    return case


SETTLED: tuple[tuple[str, str, list[int], dict[str, str], list[int]], ...] = (
    ("exactly-100-not-rounded", "A loser with exactly 100 has no fewer than 100, and a rubicon is rounded always.",
     [1350, 100], {"settlement_rounding": "none"}, [2720, 0]),
    ("close-across-a-hundred", "Scores less than 100 apart, but not of one hundred, are rounded.",
     [1550, 1490], {"settlement_rounding": "close"}, [600, 0]),
    ("rounded-below-zero", "Scores below zero are rounded down, too: 150 below counts as 200 below.",
     [1350, -150], {}, [2520, 0]),
    ("least-difference-not-rounded", "The least difference holds also where the difference is not rounded.",
     [1550, 1490], {"settlement": "portland", "settlement_rounding": "none"}, [600, 0]),
)  # fmt: skip
"""Settlements by the rounding chosen: the points of both, the options, and what each receives."""


def _settlements(sheet: RuleSheet) -> Iterator[Case]:
    for name, about, points, options, receives in SETTLED:
        given = {"sheet": sheet.id, "options": options, "points": points, "brisques": [0, 0]}
        case = made(PREFIX + name, "settlement", "settle", about, given, sheet=sheet.id, laws=["C15"],
                    confirmed=["referee"])  # fmt: skip
        assert case.expect["receives"] == receives, case.expect
        case.features = ["options"]
        yield case


# -- what every record is made of


def _told(
    sheet: RuleSheet, position: str, events: str, *,
    scores: Iterable[int] | None = None, result: Result | None = None, **options: Any,
) -> Record:  # fmt: skip
    """A deal from a position, with what it claims; `options` that are those of the sheet are not written."""
    deal = deal_of(position, events)
    deal.claims = Claims(scores=[*scores]) if scores else None
    return _record(sheet, deal, result=result, **options)


def _wrong(
    sheet: RuleSheet, name: str, about: str, position: str, events: str, fault: Fault,
    *mended: tuple[str, str], otherwise: dict[str, Any] | None = None, **options: Any,
) -> Clause:  # fmt: skip
    """A clause that is broken; and the record mended by other words in what is told, or `otherwise` by other options."""
    record = _told(sheet, position, events, **options)
    right = None
    if mended or otherwise:
        for old, new in mended:
            assert old in position or old in events, (name, old)
            position, events = position.replace(old, new), events.replace(old, new)
        right = _told(sheet, position, events, **(options | (otherwise or {})))
    return Clause(name, about, record, fault, right)


def _record(sheet: RuleSheet, *deals: Deal, result: Result | None = None, **options: Any) -> Record:
    told = {name: value for name, value in options.items() if value != _default(sheet, name)}
    record = record_of(list(deals), sheet=sheet.id, **told)
    record.result = result
    for deal in deals:
        deal.knowledge = "full"
    return record


def _default(sheet: RuleSheet, name: str) -> Any:
    return next(option.default for option in sheet.options if option.name == name)


def _has(sheet: RuleSheet, *names: str) -> bool:
    return {*names} <= {option.name for option in sheet.options}


def _stock_of(sheet: RuleSheet, cards: int, trump: str = "H") -> str:
    """So many cards to be drawn, the turn-up one of them."""
    if isinstance(sheet.rules.trumps, TurnUp):
        return f"turn-up 8{trump} | stock {cards - 1}"
    return f"trump {trump} | stock {cards}"


def _last_trick(sheet: RuleSheet) -> int:
    return next(bonus.points for bonus in sheet.rules.bonuses if bonus.name == "last_trick")


def _points(sheet: RuleSheet, meld: str, *, trump: bool = False) -> int:
    """What a meld scores; of two lines of one name the first is that of trumps."""
    worth = [row.points for row in sheet.rules.melds if row.name == meld]
    return max(worth) if trump else min(worth)


def _is_held(sheet: RuleSheet) -> bool:
    return sheet.rules.melds_from.value == "held"


def _forbids(sheet: RuleSheet, clause: str, family: str | None = None) -> bool:
    return any(
        one.clause == clause and family in (None, one.family) for one in sheet.rules.reuse.forbids
    )


# -- melds


def _reuse(sheet: RuleSheet) -> Iterator[Clause]:
    if not _is_held(sheet) or sheet.rules.pack.packs == 1:
        return
    yield from _reuse_downwards(sheet)
    yield from _reuse_upwards(sheet)
    yield from _reuse_of_six_packs(sheet)
    if _forbids(sheet, "not-left"):
        yield from _left_by_a_meld(sheet)


def _reuse_downwards(sheet: RuleSheet) -> Iterator[Clause]:
    melds = {row.name for row in sheet.rules.melds}
    if _forbids(sheet, "down", "sequence"):
        broken = f"N: 7H | N lays sequence TS KS QS JS | S: 9H 9D 9C 8C 7D | {_stock_of(sheet, 6, 'S')} | N won"
        yield _wrong(
            sheet, "down-from-a-broken-meld", "A marriage from a sequence whose ace was played.",
            broken, f"N melds marriage KS QS {_points(sheet, 'marriage', trump=True)}", ("meld-reuses-cards", 0, 0),
            sequence_then_marriage=False, otherwise={"sequence_then_marriage": True})  # fmt: skip
    if _forbids(sheet, "down", "bezique") and "triple_bezique" in melds:
        triple = f"N: 7H | N lays triple_bezique QS QS QS JD JD JD | S: 9H 9D 9C 8C 7C 7D 8D | {_stock_of(sheet, 6)} | N won"
        yield _wrong(
            sheet, "down-two-levels", "A bezique from a triple: two levels down.",
            triple, f"N melds bezique QS JD {_points(sheet, 'bezique')}", ("meld-reuses-cards", 0, 0),
            double_then_single=False, otherwise={"double_then_single": True})  # fmt: skip


def _reuse_upwards(sheet: RuleSheet) -> Iterator[Clause]:
    if _forbids(sheet, "nothing-new"):
        single = f"N: QS JD | N lays bezique QS JD | S: 9H 9D 9C 8C | {_stock_of(sheet, 6)} | N won"
        yield Clause(
            "double-with-new-cards",
            "A double bezique from a bezique and two new cards, though no singles make a double.",
            _told(sheet, single, f"N melds double_bezique QS QS JD JD {_points(sheet, 'double_bezique')}",
                  singles_then_double=False))  # fmt: skip


def _reuse_of_six_packs(sheet: RuleSheet) -> Iterator[Clause]:
    if _forbids(sheet, "not-whole"):
        whole = "N: QS.2 JD.2 JD.3 | N lays bezique QS.1 JD.1 | S: 9H.1 9D.1 9C.1 8C.1 8C.2 | trump H | stock 6 | N won"
        broken = "N: QS QS JD | N lays bezique JD | S: 9H 9D 9C 8C | trump H | stock 6 | N won"
        about = "A double with one card of a bezique, not the whole of it."
        yield _wrong(sheet, "not-whole", about, whole, "N melds double_bezique QS.1 QS.2 JD.2 JD.3",
                     ("meld-reuses-cards", 0, 0), ("double_bezique QS.1 QS.2 JD.2 JD.3", "double_bezique QS.1 QS.2 JD.2 JD.1"))  # fmt: skip
        about = "A double from a bezique whose queen was played."
        yield _wrong(sheet, "not-whole-broken", about, broken, "N melds double_bezique QS QS JD JD",
                     ("meld-reuses-cards", 0, 0))  # fmt: skip
    if _forbids(sheet, "not-restored"):
        two = (
            "N: 7H.1 7H.2 7H.3 7H.4 | N lays double_bezique QS.1 JD.1 | N lays bezique QS.3 JD.3"
            " | S: 9H.1 9D.1 9C.1 8C.1 8C.2 8C.3 8C.4 8C.5 | trump H | stock 6 | N won"
        )
        last = "N: QS.3 | N lays marriage KS.1 QS.1 | S: 9H.1 9D.1 9C.1 | trump H | stock 6 | N won"
        about = "A king of two marriages: only the last of them counts, and that lacks its queen."
        yield _wrong(sheet, "restored-last-meld", about, last, "N melds marriage KS.1 QS.3",
                     ("meld-reuses-cards", 0, 0), ("KS.1 QS.1 |", "KS.1 QS.1 | N lays marriage KS.1 |"))  # fmt: skip
        about = "A king of two marriages: the earlier lacks its queen, but the last is whole."
        yield _wrong(sheet, "earlier-meld-restored", about, last.replace("N lays", "N lays marriage KS.1 | N lays"),
                     "N melds marriage KS.1 QS.3", ("meld-reuses-cards", 0, 0))  # fmt: skip
        about = "A broken double restored with cards that have scored in its class."
        yield _wrong(sheet, "restored-with-scored-cards", about, two, "N melds double_bezique QS.1 QS.3 JD.1 JD.3",
                     ("meld-reuses-cards", 0, 0))  # fmt: skip


def _left_by_a_meld(sheet: RuleSheet) -> Iterator[Clause]:
    """Three tricks: a marriage, a meld with one of its cards, and the next marriage with the other or the same card."""
    rounds = (
        "N 9C.1, S 7C.1, N melds marriage KH.1 QH.1, N draws 8C.2, S draws 8C.3,"
        " N 9D.1, S 7D.1, N {second}, N draws 8D.2, S draws 8D.3, N 9S.1, S 7S.1, N melds marriage KH.1 QH.2"
    )
    start = "N: KH.1 QH.1 QH.2 {fours} 9C.1 9D.1 9S.1 | S: 7C.1 7D.1 7S.1 8C.1 8D.1 8S.1 7C.2 7D.2 7S.2 | trump H | stock 20"
    kings, queens = "KS.1 KD.1 KC.1", "QS.1 QD.1 QC.1"
    ways = [
        ("not-left-itself", "The king marries again; only the king itself has left its marriage.",
         kings, f"melds four_kings KH.1 {kings}", False),
        ("left-by-a-meld", "The king marries again; its queen has left the marriage by scoring in a later meld.",
         queens, f"melds four_queens QH.1 {queens}", True),
    ]  # fmt: skip
    if sheet.rules.pending:
        ways.append(("not-left-by-declaring", "The king marries again; its queen was only declared in another meld.",
                     queens, f"shows four_queens QH.1 {queens}", False))  # fmt: skip
    for name, about, fours, second, right in ways:
        if right and sheet.id in TIGHT:
            continue
        record = _told(sheet, start.format(fours=fours), rounds.format(second=second),
                       card_leaves_by="played_or_melded")  # fmt: skip
        yield Clause(name, about, record, None if right else ("meld-reuses-cards", 0, 12))


def _after_close(sheet: RuleSheet) -> Iterator[Clause]:
    close = "N: KS QS JD | S: 9H 9D 9C | trump H | N won"
    refused = _has(sheet, "meld_after_close") and _default(sheet, "meld_after_close") is False
    if _is_held(sheet) and sheet.rules.pending and refused:
        yield _wrong(
            sheet, "declared-after-the-close", "A pending meld laid after the close, where nothing is melded any more.",
            close, "N shows marriage KS QS", ("meld-after-close", 0, 0), otherwise={"meld_after_close": True})  # fmt: skip
    if (
        _is_held(sheet)
        and _has(sheet, "meld_after_close")
        and sheet.rules.phases[0].melds == 1
        and sheet.rules.pack.packs > 1
    ):
        second = f", N melds bezique QS JD {_points(sheet, 'bezique')}"
        yield _wrong(
            sheet, "two-melds-after-the-close", "Two melds after one trick, by the option to meld after the close.",
            close, f"N melds marriage KS QS{second}", ("too-many-melds", 0, 1), (second, ""), meld_after_close=True)  # fmt: skip
        yield _options_after_the_close(sheet)
    yield _wrong(
        sheet, "trump-to-be-beaten", "By the option to follow suit a trump led must still be beaten.",
        "N: 9H 7S | S: AH 7H | trump H | N leads", "N 9H, S 7H", ("must-beat", 0, 1), ("S 7H", "S AH"), follow="suit")  # fmt: skip


def _options_after_the_close(sheet: RuleSheet) -> Clause:
    """Nothing in it is wrong; each clause of the options and of a withdrawn meld changes what it comes to."""
    declared = "N shows marriage KS QS, " if sheet.rules.pending else ""
    worth = _points(sheet, "marriage", trump=True)
    events = (
        f"{declared}N melds marriage KH QH {worth}, irregular N withdrawn_meld, N KH, S 9D, N QH, S 9S, N KS, S 8S,"
        " N QS, S 9H, irregular S other 70"
    )
    last = _last_trick(sheet)
    return Clause(
        "options-after-the-close",
        "After the close by options: a meld withdrawn scores nothing, no trump need be followed, and a ruling counts.",
        _told(sheet, "N: KH QH KS QS | S: 9D 9H 8S 9S | trump H | N won", events,
              scores=[0, last + 70], meld_after_close=True, follow="any"))  # fmt: skip


def _trumps(sheet: RuleSheet) -> Iterator[Clause]:
    """The first meld makes trumps: also a sequence, also one that is excused, but none that is withdrawn."""
    if not isinstance(sheet.rules.trumps, FirstMeld):
        return
    marriage, sequence = (
        _points(sheet, "marriage", trump=True),
        _points(sheet, "sequence", trump=True),
    )
    position = "N: AH TH KH QH JH 9S KS QS | S: 8S 8D 8C 9C 9D 7D 7D 7D | stock 20 | N won"
    yield Clause(
        "trumps-of-a-sequence",
        "A marriage withdrawn makes no trumps; the sequence after it does, though it is no marriage.",
        _told(sheet, position, f"N melds marriage KS QS {marriage}, irregular N withdrawn_meld,"
              f" N melds sequence AH TH KH QH JH {sequence}, N draws 7C, S draws 7C, N 9S, S 8S,"
              f" N melds marriage KS QS {_points(sheet, 'marriage')}"))  # fmt: skip
    yield Clause(
        "trumps-of-an-excused-meld",
        "A marriage of the player who lost the trick, excused: it scores and makes trumps. A card seen is drawn later.",
        _told(sheet, "N: 9S 9D 9C | S: 8S KD QD | stock 6 | N leads",
              f"N 9S, S 8S, S melds marriage KD QD {marriage}, irregular S other,"
              " S draws 7H, irregular S exposed_card, N draws 8C, N 9C, S QD, S takes"))  # fmt: skip


# -- carte blanche and the cut


def _carte_blanche(sheet: RuleSheet) -> Iterator[Clause]:
    rule = sheet.rules.carte_blanche
    if rule is None:
        return
    late = "carte-blanche-too-late"
    hand = sheet.rules.hand[2]
    dealt = f"N: {' '.join(BLANK[:hand])} | S: {' '.join(COURTS[:hand])} | S deals afresh"
    first = "N 7S, S KC, N draws {card}, S draws 7H"
    second = "N {card}, S 7H, N draws 8D, S draws 8D, N shows carte_blanche"
    yield _wrong(sheet, "draw-not-shown", "A blank draw that was not shown ends the chain.", dealt,
                 f"N shows carte_blanche, {first}, {second}".format(card="7D"), (late, 0, 9),
                 ("S draws 7H, ", "S draws 7H, N shows carte_blanche, "))  # fmt: skip
    yield _wrong(sheet, "court-played-again", "A court card drawn ends the chain, also when it has been played.", dealt,
                 f"N shows carte_blanche, {first}, {second}".format(card="KD"), (late, 0, 9))  # fmt: skip
    yield _wrong(sheet, "hand-not-shown", "A dealt hand that was not shown leaves nothing to show later.", dealt,
                 f"{first}, N shows carte_blanche".format(card="7D"), (late, 0, 4), ("N 7S, ", "N shows carte_blanche, N 7S, "))  # fmt: skip
    laid = f"N: 9S | N lays marriage KS QS | S: 9H 9D 9C | {_stock_of(sheet, 6)} | N leads"
    yield _wrong(sheet, "court-on-the-table", "Court cards on the table are court cards of the hand.",
                 laid, "N shows carte_blanche", ("not-blank", 0, 0), ("N shows carte", "S shows carte"))  # fmt: skip
    drawn = f"N: 9S 9D | S: 8S 8D | {_stock_of(sheet, 2)} | N won"
    yield Clause("blank-last-draw", "The last card drawn may be shown like every other.",
                 _told(sheet, drawn, "N draws 7D, S draws 7C, N shows carte_blanche"))  # fmt: skip
    replier = (
        f"N: {' '.join(COURTS[:hand])} | S: {' '.join(BLANK[:hand])} | N leads | S deals afresh"
    )
    about = "The player who replies shows a blank hand after the lead."
    if rule.first == "before_first_lead":
        yield _wrong(
            sheet,
            "blank-after-the-lead",
            about,
            replier,
            "N KC, S shows carte_blanche",
            (late, 0, 1),
            ("N KC, ", ""),
        )
    elif sheet.id not in TIGHT:
        yield Clause("blank-after-the-lead", about, _told(sheet, replier, "N KC, S shows carte_blanche"))  # fmt: skip
    if sheet.rules.brisques.count is not BrisqueCount.NEVER:
        earlier = "N: 9S | S: 8S 8D | trump H | stock 6 | brisques 1 0 | S replies to 9D"
        yield _wrong(sheet, "blank-after-a-trick", "Brisques in a position show that a trick was taken before.",
                     earlier, "S shows carte_blanche", (late, 0, 0), (" | brisques 1 0", ""))  # fmt: skip
        if sheet.id not in ("rubicon-bezique", "rubicon-bezique-recommended"):
            before = "N: 9S 7D | S: 8S 8D | trump H | stock 6 | brisques 1 0 | N leads"
            yield _wrong(sheet, "blank-after-a-trick-and-a-lead", "After a trick the player who replies shows before the lead.",
                         before, "N 7D, S shows carte_blanche", (late, 0, 1), ("N 7D, ", ""))  # fmt: skip


def _cut(sheet: RuleSheet) -> Iterator[Clause]:
    rule = sheet.rules.cut
    if rule is None:
        return
    hand, pack = sheet.rules.hand[2], sheet.rules.pack.packs * len(sheet.rules.pack.ranks) * 4
    dealt = f"N: {' '.join(COURTS[:hand])} | S: {' '.join(BLANK[:hand])} | S deals afresh"
    guessed = _last_trick(sheet) + rule.guess_points
    yield Clause("guess-of-another-packet", "A right guess scores, whatever the packet.",
                 _told(sheet, LAST, "S cuts 25 guessed 25, N 9S, S 8S", scores=[guessed, 0]))  # fmt: skip
    yield _wrong(sheet, "whole-pack-lifted", "A packet is less than the pack.", dealt, f"S cuts {pack} guessed 3",
                 ("impossible-cut", 0, 0), (f"{pack}", f"{pack - 1}"))  # fmt: skip
    yield _wrong(sheet, "cut-after-carte-blanche", "The cut comes before every other event.", dealt,
                 "S shows carte_blanche, S cuts 24", ("cut-out-of-place", 0, 1), ("S shows carte_blanche, ", ""))  # fmt: skip
    yield _wrong(sheet, "cut-after-a-meld", "The cut comes before every other event, a meld in a position too.",
                 "N: KS QS | S: 9H 9D | trump H | stock 6 | N won", "N melds marriage KS QS, S cuts 24",
                 ("cut-out-of-place", 0, 1), (", S cuts 24", ""))  # fmt: skip


# -- irregularities


def _irregular(sheet: RuleSheet) -> Iterator[Clause]:
    fault = "must-follow-suit"
    yield _misdealt(sheet)
    yield _wrong(sheet, "revoke-is-no-turn", "A revoke excuses no play out of turn.", TWO, "S 8S, irregular S revoke",
                 ("out-of-turn", 0, 0), ("revoke", "exposed_card"))  # fmt: skip
    yield _wrong(sheet, "excused-by-the-other", "An irregularity of the other player excuses nothing.",
                 TWO, "N 9S, S 8D, irregular N revoke", (fault, 0, 1), ("irregular N", "irregular S"))  # fmt: skip
    yield _wrong(sheet, "excused-for-another-card", "An irregularity that names another card excuses nothing.",
                 TWO, "N 9S, S 8D, irregular S revoke 8S", (fault, 0, 1), ("revoke 8S", "revoke 8D"))  # fmt: skip
    yield _wrong(sheet, "excused-too-late", "An irregularity after another event excuses nothing.",
                 TWO, "N 9S, S 8D, N 9D, irregular S revoke", (fault, 0, 1), ("N 9D, irregular S revoke", "irregular S revoke, N 9D"))  # fmt: skip
    yield _wrong(sheet, "no-such-card-excused", "No irregularity excuses a card that is not held.",
                 TWO, "N KS, irregular N other", ("card-not-held", 0, 0), ("N KS", "N 9S"))  # fmt: skip
    misdealt = deal_of(LAST, "N 9S, irregular N misdeal")
    after = replace(misdealt, events=[*misdealt.events, *deal_of(LAST, "irregular N other").events])
    next_one = deal_of(LAST, "N 9S, S 8S")
    yield Clause("after-a-misdeal", "Nothing follows a misdeal, an irregularity neither.",
                 _record(sheet, after, next_one), ("event-after-end", 0, 2), _record(sheet, misdealt, next_one))  # fmt: skip
    yield Clause("dealer-after-a-misdeal", "After a misdeal the same player deals again.",
                 _record(sheet, misdealt, replace(next_one, dealer=0)), ("wrong-dealer", 1, None))  # fmt: skip
    if not isinstance(sheet.rules.trumps, FirstMeld):
        yield _excused(sheet)


def _excused(sheet: RuleSheet) -> Clause:
    stock = _stock_of(sheet, 6)
    melded = f"S melds marriage KD QD {_points(sheet, 'marriage')}, irregular S other, "
    return Clause(
        "excused-and-scored",
        "What is excused counts: a meld of the player who lost the trick, and a draw out of turn.",
        _told(sheet, f"N: 9S 9D 9C | S: 8S KD QD | {stock} | N leads",
              f"N 9S, S 8S, {melded if _is_held(sheet) else ''}S draws 7H, irregular S exposed_card, N draws 8C"))  # fmt: skip


def _misdealt(sheet: RuleSheet) -> Clause:
    """A deal whose stock is written and whose draws are not, given up; the next ends with points for both."""
    last = _last_trick(sheet)
    cards = ["7D", "7C", "8D", "8C"]
    turned = isinstance(sheet.rules.trumps, TurnUp)
    first = deal_of(f"N: 9S | S: 8S | {_stock_of(sheet, 4)} | N leads", "N 9S, S 8S, N 7D, S 7C, irregular N misdeal 30")  # fmt: skip
    first.stock = cards[:3] if turned else cards
    second = deal_of(
        f"N: AS | S: 8S | trump H | scores 0 {last} | N captured AH 8H | S captured AD AC TH 7H | N leads",
        "N AS, S 8S, irregular S other 70",
    )
    points, brisques = [last, last + 70], [20, 30]
    totals = points
    if sheet.rules.brisques.count is not BrisqueCount.NEVER:
        totals = [points[seat] + brisques[seat] for seat in (0, 1)]
    result = Result(status="unfinished")
    if isinstance(sheet.rules.match, OneDeal):
        settled = settle_deal(sheet.rules.match, points, brisques)
        totals = settled.totals
        result = Result(status="complete", settlement=settled.receives, winner=settled.winner)
    result.scores = [totals[0] + 30, totals[1]]
    second.claims = Claims(scores=totals)
    return Clause(
        "misdeal-and-ruling",
        "A misdeal keeps the dealer and the points ruled, and is no deal of the match; brisques and a ruling count in the next.",
        _record(sheet, first, second, result=result))  # fmt: skip


# -- claims


def _claims(sheet: RuleSheet) -> Iterator[Clause]:
    yield _wrong(sheet, "trick-claimed-twice", "A trick is taken once.", TWO, "N 9S, S 8S, N takes, N takes",
                 ("trick-out-of-place", 0, 3), ("N takes, N takes", "N takes"))  # fmt: skip
    over = LAST
    if isinstance(sheet.rules.match, RaceTo):
        over = f"{LAST} | scores {sheet.rules.match.target[2]} 0"
    if sheet.rules.brisques.count is not BrisqueCount.NEVER:
        yield from _brisques(sheet)
    for name, about, code, result, other in (
        ("nobody-won", "A winner of null says that nobody won.", "wrong-winner", Result(winner=None), Result(winner=0)),
        ("called-abandoned", "A match that was decided is not abandoned.", "wrong-status",
         Result(status="abandoned"), Result(status="complete")),
    ):  # fmt: skip
        wrong, right = (_told(sheet, over, "N 9S, S 8S", result=each) for each in (result, other))
        yield Clause(name, about, wrong, (code, None, None), right)
    if sheet.rules.pack.packs > 1:
        position = f"N: 9S.1 | S: 8S.1 | {_stock_of(sheet, 4).replace('8H', '8H.1')} | N leads"
        one = _wrong(sheet, "labels-of-the-stock", "The copy drawn is the one that lies on top of the stock.",
                     position, "N 9S.1, S 8S.1, N draws 7D.2, S draws 7C.1", ("wrong-card-drawn", 0, 2), ("7D.2", "7D.1"))  # fmt: skip
        for (deal,) in (one.record.deals, one.mended.deals if one.mended else []):
            assert deal.setup is not None
            deal.stock = ["7D.1", "7C.1", "8D.1", "8C.1"][: deal.setup.stock]
        yield one


def _brisques(sheet: RuleSheet) -> Iterator[Clause]:
    position = "N: AS | S: 8S | trump H | brisques 2 4 | N leads"
    if sheet.rules.brisques.count is BrisqueCount.TO_SETTLE:
        position += f" | scores {1200 - _last_trick(sheet)} 1200"
    for name, about, claim, code, event in (
        ("too-few-brisques", "Two brisques are claimed of three.", "2 brisques", "wrong-brisques", None),
        ("brisques-and-points", "Of two brisques the points of three are claimed.", "2 brisques 30", "wrong-score-points", 2),
        ("brisques-of-the-other", "Four brisques are claimed of three; the other player has four.", "4 brisques",
         "wrong-brisques", 2),
    ):  # fmt: skip
        yield _wrong(sheet, name, about, position, f"N AS, S 8S, N counts {claim}", (code, 0, event),
                     (claim.split()[0] + " bris", "3 bris"))  # fmt: skip


# -- positions


def _positions(sheet: RuleSheet) -> Iterator[Clause]:
    packs, hand = sheet.rules.pack.packs, sheet.rules.hand[2]
    pack = packs * len(sheet.rules.pack.ranks) * 4
    left = _stock_of(sheet, pack - 2 * hand)
    hands = f"N: {' '.join(BLANK[:hand])} | S: {' '.join(COURTS[:hand])}"
    if packs > 1 and sheet.rules.brisques.count is not BrisqueCount.NEVER:
        yield _wrong(sheet, "brisques-without-tricks", "Brisques in a position in which no card was won.",
                     f"{hands} | {left} | brisques 2 0 | N leads", "", ("impossible-brisques", 0, None), ("2 0", "0 0"))  # fmt: skip
    kings = ["KD"] * packs + ["8D"] * (packs % 2)
    yield _wrong(sheet, "captured-cards-are-out", "A card is drawn of which every copy was captured.",
                 f"N: 9S | S: 8S | {_stock_of(sheet, 6)} | N captured {' '.join(kings)} | N leads",
                 "N 9S, S 8S, N draws KD", ("no-such-card-left", 0, 2), ("draws KD", "draws KC"))  # fmt: skip
    if _is_held(sheet) and packs > 1:
        twice = (
            f"N: KH QH | N lays marriage KH QH | S: 9H 9D 8D 7D | {_stock_of(sheet, 6)} | N leads"
        )
        yield _wrong(sheet, "from-tells-copies-apart", "The queen played came from the hand, so only the married one is left to marry.",
                     twice, "N QH from hand, S 8D, N melds marriage KH QH", ("meld-reuses-cards", 0, 2),
                     ("from hand", "from table"))  # fmt: skip
    if packs > 1:
        less = _stock_of(sheet, pack - 2 * hand - 4)
        yield _wrong(sheet, "captured-and-in-the-stock", "The stock has no room for the cards captured.",
                     f"{hands} | {left} | N captured 7S 7D 8D 9D | N leads", "", ("impossible-stock", 0, None), (left, less))  # fmt: skip


def _before_the_end(sheet: RuleSheet) -> Iterator[Clause]:
    if not isinstance(sheet.rules.match, OneDeal):
        return
    result = Result(status="unfinished", winner=1, settlement=[1420, 0])
    yield Clause("outcome-of-what-is-not-over", "A match that is not over has no winner and no settlement to compare.",
                 _told(sheet, LAST, "N 9S", result=result))  # fmt: skip
    if sheet.rules.brisques.count is BrisqueCount.TO_SETTLE:
        position = (
            "N: AS 9D | S: 8S 8D | trump H | stock 2 | scores 1150 1200 | brisques 3 5 | N leads"
        )
        record = _told(sheet, position, "N counts 3 brisques 30")
        record.deals[0].knowledge = None
        yield Clause("brisques-before-the-end", "Brisques count at the end of a deal, also of one that is told in part.",
                     record, ("score-not-earned", 0, 0))  # fmt: skip


def _stock(sheet: RuleSheet) -> Iterator[Clause]:
    """What may follow a trick and what may lie, from the table."""
    if not _is_held(sheet) or sheet.rules.pack.packs == 1:
        return
    pending = sheet.rules.pending
    stock = _stock_of(sheet, 6)
    shown = "N shows marriage KH QH, " if pending else ""
    yield Clause(
        "after-a-trick",
        "A trick, what is declared and melded after it, the draws, and only then who took it.",
        _told(sheet, f"N: 9S KH QH QH QS JD | S: 8S 9D 9C 8D 8C 7C | {stock} | N leads",
              f"N 9S, S 8S, {shown}N melds bezique QS JD {_points(sheet, 'bezique')}, N draws 7S, S draws 7S, N takes,"
              " N QH from hand"))  # fmt: skip
    yield from _lying(sheet)


def _lying(sheet: RuleSheet) -> Iterator[Clause]:
    rub = _forbids(sheet, "not-played")
    pending = sheet.rules.pending
    extra = 2 * pending + 2 * rub
    lying = "N lays marriage KS QS | N lays bezique QS JD"
    lying += " | N shows marriage KD QD" if pending else ""
    lying += " | N lays marriage KC" if rub else ""
    events = f"N melds marriage KD QD {_points(sheet, 'marriage')}, " if pending else ""
    events += "N draws 9H, S draws 9H"
    events += f", N 9C, S 8D, N melds marriage KC QC {_points(sheet, 'marriage')}" if rub else ""
    cards = ["9D", "9C", "9S", "8C", "8D", "8S", "7C", "7D", "7S"][: 4 + extra]
    own = "9C QC" if rub else "9C"
    yield Clause(
        "melds-of-a-position",
        "One queen may lie in two melds; a meld not yet scored, and one that has lost a card, may be melded.",
        _told(sheet, f"N: {own} | {lying} | S: {' '.join(cards)} | {_stock_of(sheet, 6)} | N won", events))  # fmt: skip
