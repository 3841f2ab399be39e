"""A candidate as a case of the kit: what is given, what is expected, and who else says so."""

from collections.abc import Iterator

import msgspec

from records.conformance.answers import OWN_ANSWERS
from records.conformance.cases import Case, Confirmed, Feature, Level
from records.events import Irregular
from records.format.codec import encode
from records.record import Record
from records.rules.registry import get_sheet
from records.rules.vocabulary import RuleSheet
from tests.playouts.asserts import stripped
from tests.records.conformance.candidates import Candidate
from tests.records.conformance.game_candidates import games
from tests.records.conformance.refereed import may_be_refereed, referee_says


def case_of(candidate: Candidate) -> Case:
    """The case: the answer of this program, and whether the referee comes to the same.

    The place of the first fault is expected only where the referee finds it there, too, or cannot judge the record.
    """
    record = candidate.record
    given = {"record": msgspec.json.decode(encode(record))}
    expect = OWN_ANSWERS["validate"](given)
    confirmed: list[Confirmed] = []
    if may_be_refereed(record):
        said = referee_says(record)
        if said is not None and said.right == expect["right"]:
            confirmed = ["referee"]
            if not said.right and list(said.at or (None, None)) != expect["at"]:
                expect = {name: expect[name] for name in ("right", "verdict")}
        elif said is None and candidate.name.endswith(BARE) and expect["right"]:
            # Too many readings to follow; the referee follows the one in which it was played.
            confirmed = ["referee"]
    sheet = record.rules.id
    return Case(
        id=candidate.case_id,
        area=candidate.area,  # type: ignore[arg-type]
        ask="validate",
        sheet=sheet,
        level=level_of(record),
        features=features_of(record),
        laws=candidate.laws,
        about=candidate.about,
        twin=candidate.twin and f"{sheet}/{candidate.area}/{candidate.twin}",
        confirmed=confirmed,
        given=given,
        expect=expect,
    )


def level_of(record: Record) -> Level:
    """How much a record tells: the least that any of its deals does."""
    levels: tuple[Level, ...] = ("scores", "plays", "public", "seat")
    told = {deal.knowledge for deal in record.deals}
    hidden = "?" in repr(
        [(deal.hands, deal.setup, deal.turn_up, deal.events) for deal in record.deals]
    )
    return next((level for level in levels if level in told), "public" if hidden else "full")


def features_of(record: Record) -> list[Feature]:
    """What a record has that not every program reads."""
    events = [event for deal in record.deals for event in deal.events]
    sheet = get_sheet(record.rules.id)
    packs = sheet.rules.pack.packs > 1 or bool(sheet.rules.pack.doubled_suits)
    found: dict[Feature, bool] = {
        "setup": any(deal.setup is not None for deal in record.deals),
        "labels": packs and '.1"' in encode(record).decode(),
        "options": bool(record.rules.options),
        "irregular": any(isinstance(event, Irregular) for event in events),
        "lines": bool(record.lines),
    }
    return [feature for feature, is_so in found.items() if is_so]


BARE = "-bare"


def whole_games(sheet: RuleSheet) -> Iterator[Candidate]:
    """A whole game; of more than two packs with labels, and without."""
    name, record = next(games(sheet))
    yield Candidate(name, "games", "A deal played by the rules, every number claimed.", record)
    if sheet.rules.pack.packs > 2:
        about = "A deal played by the rules; which copy is which is not told."
        yield Candidate(name + BARE, "games", about, stripped(record))


def copied_games(sheet: RuleSheet) -> Iterator[Candidate]:
    """Whole games as they were played, every number claimed."""
    for name, record in games(sheet):
        yield Candidate(name, "games", "A deal played by the rules, every number claimed.", record)
