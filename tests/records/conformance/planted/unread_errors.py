"""Errors of programs that do not look at something in a record: they judge as if it were not there."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from records.events import AnyEvent, Irregular, Play, Score
from records.record import Deal, Record, Setup
from records.rules.vocabulary import BrisqueCount, OneDeal, RaceTo
from tests.records.conformance.planted.planting import SHEETS, Planted, Unread, sheets_where

Edit = Callable[[Record], Record]

TRICKS = sheets_where(lambda rules: True)
RACES = sheets_where(lambda rules: isinstance(rules.match, RaceTo))
SETTLED = sheets_where(lambda rules: isinstance(rules.match, OneDeal))
BRISQUES = sheets_where(lambda rules: rules.brisques.count is BrisqueCount.AT_THE_END)
EXCHANGED = sheets_where(lambda rules: rules.dix is not None and not rules.dix.spent_exchanges)


def _deals(edit: Callable[[Deal], Deal]) -> Edit:
    return lambda record: replace(record, deals=[edit(deal) for deal in record.deals])


def _events(edit: Callable[[AnyEvent], AnyEvent | None]) -> Edit:
    def edited(deal: Deal) -> Deal:
        found = [edit(event) for event in deal.events]
        return replace(deal, events=[event for event in found if event is not None])

    return _deals(edited)


def _setup(**values: Any) -> Edit:
    def edited(deal: Deal) -> Deal:
        setup: Setup | None = deal.setup and replace(deal.setup, **values)
        return replace(deal, setup=setup)

    return _deals(edited)


def _result(**values: Any) -> Edit:
    return lambda record: replace(record, result=record.result and replace(record.result, **values))


def _without(what: str) -> Edit:
    return _events(
        lambda event: None if isinstance(event, Irregular) and event.what == what else event
    )


def _source(event: AnyEvent) -> AnyEvent:
    return replace(event, source=None) if isinstance(event, Play) else event


def _count(event: AnyEvent) -> AnyEvent:
    told = isinstance(event, Score) and event.points is not None
    return replace(event, count=None) if told else event


def _ruling(event: AnyEvent) -> AnyEvent:
    return replace(event, points=None) if isinstance(event, Irregular) else event


ROWS: list[tuple[str, str, str, tuple[str, ...], Edit]] = [
    ("stock-unread", "draw order", "The order of a recorded stock is not compared.", SHEETS,
     _deals(lambda deal: replace(deal, stock=None))),
    ("from-unread", "who melds", "Nobody asks from where a card is played.", TRICKS, _events(_source)),
    ("count-unread", "brisques", "A number of brisques is not compared with its points.", BRISQUES, _events(_count)),
    ("misdeal-unread", "irregularities", "A misdeal keeps its score.", RACES, _without("misdeal")),
    ("ruling-unread", "irregularities", "Points ruled at the table do not count.", RACES, _events(_ruling)),
    ("withdrawal-unread", "irregularities", "A withdrawn meld keeps its points.", TRICKS, _without("withdrawn_meld")),
    ("brisques-before-unread", "brisques", "The brisques of a position do not count.", BRISQUES, _setup(brisques=None)),
    ("spent-unread", "sevens", "Nobody asks whether a seven of a position has scored.", EXCHANGED, _setup(spent_dixes=None)),
    ("scores-before-unread", "match", "The scores of a position do not count.", SHEETS, _setup(scores=None)),
    ("deal-claims-unread", "match", "The scores claimed for a deal are not compared.", SHEETS,
     _deals(lambda deal: replace(deal, claims=None))),
    ("result-unread", "match", "The scores of the result are not compared.", SHEETS, _result(scores=None)),
    ("status-unread", "match", "Nobody asks whether the match was over.", SHEETS, _result(status=None)),
    ("winner-unread", "match", "Nobody compares the winner of the match.", SHEETS, _result(winner=None)),
    ("settlement-unread", "settlement", "The settlement is not compared.", SETTLED, _result(settlement=None)),
    ("last-deal-only", "match", "Only the last deal counts.", RACES,
     lambda record: replace(record, deals=record.deals[-1:])),
]  # fmt: skip

UNREAD_ERRORS: list[Planted] = [
    Planted(sheet, name, kind, says, Unread(edit))
    for name, kind, says, sheets, edit in ROWS
    for sheet in sheets
]
