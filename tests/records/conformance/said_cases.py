"""Cases for single sentences of the pages, which no law tells: each record with the verdict and code that they demand."""

from collections.abc import Iterator
from typing import NamedTuple

from records.conformance.cases import Case
from records.events import Irregular
from records.record import Deal, Record, Result
from records.rules.vocabulary import RuleSheet
from tests.make.tables import deal_of, record_of
from tests.records.conformance.candidates import Candidate
from tests.records.conformance.case_making import case_of
from tests.records.conformance.several_faults import EVENTS, of_whole_deals, told, two_faults

NO_MELD = "N: QH QH QH QH | S: 9D 8D 7S 7C | trump D | stock 4 | N won"
WRONG_CARDS = "N: KH 9C | S: 9D 8D | turn-up 8H | stock 5 | N won"
TAKEN = "N: AS | S: TS | trump H | brisques 3 1 | N leads"
TRICK = "N AS, S TS"
OVER = "N: AS | S: TS | trump H | scores 1990 0 | N leads"
TWICE = "N: 9C 8C | N lays marriage KS QS | N lays marriage KS QS | S: 9D 8D 7D 9S | trump H | stock 5 | N leads"
TURN = "A: KH QH 2C 3D 4C 6D | B: KD QD 2D 3C 4D 6C | stock 7"


class Said(NamedTuple):
    """A record of a sheet, what it is about, and the verdict, the first code and its place that the pages demand."""

    name: str
    sheet: str
    about: str
    record: Record
    verdict: str
    code: str | None = None
    at: tuple[int | None, int | None] | None = None


def _set_up(position: str, events: str, sheet: str, result: Result | None = None) -> Record:
    record = told(position, events, sheet)
    record.result = result
    return record


def _empty(sheet: str, *deals: Deal, result: Result | None = None) -> Record:
    record = record_of(list(deals), sheet=sheet)
    record.result = result
    return record


def said() -> Iterator[Said]:
    """All of them."""
    yield from _of_events()
    yield from _of_claims()
    yield from _of_deals()


def _of_events() -> Iterator[Said]:
    for sheet in ("zique", "chinese-bezique"):
        about = "A dix in a game with tricks that has none."
        yield Said("no-dix", sheet, about, _set_up(NO_MELD if sheet != "zique" else WRONG_CARDS, "N dix show 10", sheet),
                   "illegal", "dix-not-in-rules", (0, 0))  # fmt: skip
    about = "A dix in Zetema."
    dix = _set_up(TURN, "", "zetema")
    dix.deals[0].events = deal_of(WRONG_CARDS, "N dix show").events
    yield Said("no-dix", "zetema", about, dix, "illegal", "event-not-in-rules", (0, 0))
    for sheet, position, meld, points in (
        ("zique", WRONG_CARDS, "marriage KH 9C", 40),
        ("chinese-bezique", NO_MELD, "four_trump_queens QH QH QH QH", 600),
    ):
        for name, claim in (("claims", f" {points}"), ("claims-nothing", "")):
            record = _set_up(position, f"N melds {meld}{claim}, irregular N other", sheet)
            about = f"Cards that form no such meld, excused: worth 0, and the record {name.replace('-', ' ')}."
            fault = ("wrong-meld-points", (0, 0)) if claim else (None, None)
            verdict = "legal_with_mismatches" if claim else "incomplete"
            yield Said(f"excused-{name}", sheet, about, record, verdict, *fault)


def _of_claims() -> Iterator[Said]:
    ways = {
        "5 brisques 50": None,
        "5 brisques": None,
        "brisques": None,
        "4 brisques 50": ("wrong-score-points", (0, 2)),
        "6 brisques": ("wrong-brisques", (0, 2)),
        "4 brisques": ("wrong-brisques", (0, None)),
    }
    for claim, fault in ways.items():
        event = f"N counts {claim}" if claim != "brisques" else "N scores brisques"
        verdict = "legal_with_mismatches" if fault else "incomplete"
        yield Said(
            f"brisques-{claim.replace(' brisques', '').replace(' ', '-')}", "zique",
            f"Three brisques in the position, and two taken since: {claim}.",
            _set_up(TAKEN, f"{TRICK}, {event}", "zique"), verdict, *(fault or ()),
        )  # fmt: skip
    for winner, wrong in ((1, False), (0, True)):
        fault = ("wrong-winner", (None, None)) if wrong else ()
        verdict = "legal_with_mismatches" if wrong else "undetermined"
        result = Result(status="complete", scores=[970, 1010], winner=winner)
        about = "A result without deals is held against itself."
        yield Said(
            f"no-deals-{winner}", "zique", about, _empty("zique", result=result), verdict, *fault
        )
    record = _set_up(OVER, TRICK, "zique", Result(status="abandoned"))
    yield Said("abandoned-but-over", "zique", "A match that was won is called abandoned.", record,
               "legal_with_mismatches", "wrong-status", (None, None))  # fmt: skip
    for seat, wrong in (("N", False), ("S", True)):
        record = _set_up(WRONG_CARDS, f"{seat} takes", "zique")
        fault = ("wrong-trick-winner", (0, 0)) if wrong else ()
        verdict = "legal_with_mismatches" if wrong else "incomplete"
        about = "A trick event names who has won the trick before a position."
        yield Said(f"trick-before-{seat}", "zique", about, record, verdict, *fault)


def _of_deals() -> Iterator[Said]:
    yield Said("reuse-on-the-table", "zique", "Melds that lie in a position are not judged by the rule of reuse.",
               _set_up(TWICE, "", "zique"), "incomplete")  # fmt: skip
    one = Deal(dealer=0, hands=[["AS", "KS", "QS", "JS", "9S", "8S", "7S", "TS"]], turn_up="8C")
    yield Said("one-hand", "zique", "One hand for two players.", _empty("zique", one), "illegal",
               "wrong-number-of-hands", (0, None))  # fmt: skip
    none = Deal(dealer=0, knowledge="full")
    about = "A deal without hands leaves them open, whatever its knowledge."
    yield Said("no-hands", "zique", about, _empty("zique", none), "undetermined")
    record = _set_up("N: 9S 9H | S: 8S | turn-up 8H | stock 5", "", "zique")
    record.deals[0].events = [Irregular(seat=0, what="misdeal")]
    yield Said("misdeal-of-a-position", "zique", "A misdeal excuses no impossible position.", record, "illegal",
               "uneven-hands", (0, None))  # fmt: skip


def said_cases(sheet: RuleSheet) -> Iterator[Case]:
    """The cases of a sheet: single sentences, and which of two faults comes first."""
    for one in said():
        if one.sheet == sheet.id:
            yield _case(one.name, one.about, one.record)
    for each in EVENTS:
        if each.sheet == sheet.id:
            yield _first_of_two(each.first, each.other, two_faults(each))
    for _, first, other, record in of_whole_deals():
        if record.rules.id == sheet.id:
            yield _first_of_two(first, other, record)


def _first_of_two(first: str, other: str, record: Record) -> Case:
    kind = type(record.deals[0].events[-1]).__name__.lower() if record.deals[0].events else "deal"
    return _case(
        f"{first}-before-{other}-{kind}",
        f"Two faults at one place: `{first}` and `{other}`.",
        record,
    )


def _case(name: str, about: str, record: Record) -> Case:
    case = case_of(Candidate(name, "odd", about, record))
    case.confirmed = case.confirmed or ["text"]
    return case
