"""A player's strengths and weaknesses: what differs from all players by one rulebook by more than chance would bring."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from analyzer.statistics.answer import run_ask
from analyzer.statistics.ask import Ask, from_address, limit_ask
from analyzer.store.store import Store

MOST_TRAITS = 3
"""The most strengths, and the most weaknesses, that are listed."""
WIDER = 1.5
"""So much wider than its 95 % interval a value must miss that of all players.

Some dozen measures are compared, so that chance would bring every second player a difference that is none. An interval
so much wider holds in 99.7 of 100 cases: of all measures together chance brings one in some thirty players.
"""


@dataclass(frozen=True, slots=True)
class _Measure:
    """A question to the tables, what it counts in words, and whether more of it is better."""

    address: str
    words: str
    more_is_better: bool


MEASURES = (
    _Measure("metric=meld_points", "points for melds in a deal", more_is_better=True),
    _Measure("metric=brisques", "aces and tens taken in a deal", more_is_better=True),
    _Measure("metric=last_tricks_won", "last tricks won in 100 deals", more_is_better=True),
    _Measure("metric=missed_brisques", "aces and tens missed in a deal", more_is_better=False),
    _Measure("metric=lost_in_close", "points lost after the close in a deal", more_is_better=False),
    _Measure("metric=melds_lost", "possible melds never made in a deal", more_is_better=False),
    _Measure("metric=mistakes_made", "mistakes in 100 decisions", more_is_better=False),
)
MELDS = _Measure("metric=meld_rate&by=meld", "melds “{}” in 100 deals", more_is_better=True)


@dataclass(frozen=True, slots=True)
class Trait:
    """What a player does more or less than all players: a value with its 95 % interval, and that of all players.

    `words` say what is counted, with its unit; `is_more` whether the player has more of it, `is_good` whether that is
    better. `distance` is in half widths of the interval.
    """

    words: str
    value: float
    low: float
    high: float
    of_all: float
    is_more: bool
    is_good: bool
    distance: float


@dataclass(frozen=True, slots=True)
class Strengths:
    """The strengths and the weaknesses of a player by one sheet, the surest first; `compared` measures had an interval."""

    sheet: str
    strengths: list[Trait]
    weaknesses: list[Trait]
    compared: int


def find_strengths(store: Store, name: str, sheet: str) -> Strengths:
    """Compare a player with all players by a sheet, in the deals that statistics count; raises QueryTimeout."""
    values = [
        value for measure in (*MEASURES, MELDS) for value in _values(store, measure, name, sheet)
    ]
    traits = sorted(
        (trait for trait in values if trait.distance > WIDER), key=lambda trait: -trait.distance
    )
    return Strengths(
        sheet=sheet,
        strengths=[trait for trait in traits if trait.is_good][:MOST_TRAITS],
        weaknesses=[trait for trait in traits if not trait.is_good][:MOST_TRAITS],
        compared=len(values),
    )


def _values(store: Store, measure: _Measure, name: str, sheet: str) -> Iterator[Trait]:
    """The values of a measure that have an interval, one for each group of its question."""
    ask = from_address(measure.address)
    metric, by = ask.metric.name, ask.by.name if ask.by else ""
    everyone = {row.get(by): row[metric] for row in _rows(store, limit_ask(ask, sheet=sheet))}
    for row in _rows(store, limit_ask(ask, sheet=sheet, player=name)):
        value, low, high, of_all = row[metric], row["low"], row["high"], everyone.get(row.get(by))
        if value is None or low is None or high is None or of_all is None or high <= low:
            continue
        is_more = value > of_all
        half_width = high - value if value < of_all else value - low
        yield Trait(
            words=measure.words.format(str(row.get(by)).replace("_", " ")),
            value=value,
            low=low,
            high=high,
            of_all=of_all,
            is_more=is_more,
            is_good=is_more == measure.more_is_better,
            distance=abs(value - of_all) / half_width if half_width else 0,
        )


def _rows(store: Store, ask: Ask) -> list[dict[str, Any]]:
    return run_ask(store, ask).dicts()
