"""The kinds of view, by their names, and what they are made with."""

from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace

from records.events import CarteBlanche, Cut, Declare, Dix, Draw, Meld
from records.record import Deal, Record
from tests.playouts.asserts import stripped


class View(NamedTuple):
    """A record that tells less than was known, and the kind of view that it is."""

    kind: str
    record: Record


DealView = Callable[[Deal, Random], Deal]
KINDS: dict[str, Callable[[Record, Random], Iterator[Record]]] = {}
"""Every kind of view by its name: it takes a legal full record and gives views of it."""
ALSO_LABELLED: set[str] = set()
"""The kinds that are given twice of a record with labels: without them, then with them."""

SEEN_BY_ALL = (Meld, Declare, Dix, CarteBlanche, Cut)
"""What everybody at the table saw; only the levels `plays` and `scores` may leave it out."""


def every_deal(function: DealView) -> DealView:
    """A kind in which every deal of the record is seen in the same way: without labels, and with those that it has."""

    def see(record: Record, random: Random) -> Iterator[Record]:
        bare = stripped(record)
        for given in (bare,) if bare == record else (bare, record):
            yield replace(given, deals=[function(deal, random) for deal in given.deals])

    KINDS[_name(function)] = see
    ALSO_LABELLED.add(_name(function))
    return function


def whole(function: Callable[[Record, Random], Iterator[Record]]) -> None:
    """A kind that looks at the whole record."""
    KINDS[_name(function)] = function


def _name(function: Callable[..., Any]) -> str:
    return function.__name__.replace("_", " ")


def hidden(cards: Iterable[str]) -> list[str]:
    return ["??" for _ in cards]


def without(deal: Deal, *types: type) -> list[Any]:
    return [event for event in deal.events if not isinstance(event, types)]


def draws_unseen(events: Iterable[Any], but: int | None = None) -> list[Any]:
    return [
        replace(event, card="??") if isinstance(event, Draw) and event.seat != but else event
        for event in events
    ]


def blurred(card: str, random: Random) -> str:
    """The card with its rank, its suit or both gone."""
    return random.choice(["??", "?" + card[1], card[0] + "?"])
