"""Arbitrary well-formed records: everything the format allows, legal or not."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from msgspec import UNSET

from records.cards import FACES, LABELLED_CARDS, UNKNOWN_CARDS
from records.events import (
    MAX_INTEGER,
    MELD_NAMES,
    MIN_INTEGER,
    SCORE_NAMES,
    AnyEvent,
    CarteBlanche,
    Cut,
    Declare,
    Discard,
    Dix,
    Draw,
    Irregular,
    Meld,
    Play,
    Score,
    Trick,
)
from records.record import (
    RECORD_FORMAT,
    RECORD_VERSION,
    Claims,
    Deal,
    Laid,
    Line,
    Note,
    Player,
    Provenance,
    Record,
    Result,
    Rules,
    Setup,
)

T = TypeVar("T")
TEXTS = st.text(max_size=12)
NUMBERS = st.integers(MIN_INTEGER, MAX_INTEGER) | st.integers(-50, 2000)
COUNTS = st.integers(0, MAX_INTEGER) | st.integers(0, 50)
DOMAINS = st.sampled_from(["org.example.table", "com.example", "net.example-2.a_b"])
JSON: SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
EXT = st.none() | st.none() | st.dictionaries(DOMAINS, JSON, max_size=2)
MELDS = st.sampled_from(MELD_NAMES)
SIDES = {
    2: [[[0], [1]]],
    3: [[[0], [1], [2]]],
    4: [[[0], [1], [2], [3]], [[0, 2], [1, 3]]],
    5: [[[0], [1], [2], [3], [4]]],
    6: [[[0], [1], [2], [3], [4], [5]], [[0, 2, 4], [1, 3, 5]], [[0, 3], [1, 4], [2, 5]]],
}


def maybe(values: SearchStrategy[Any]) -> SearchStrategy[Any]:
    """A value, or None for a member left out."""
    return st.none() | values


def built(target: Callable[..., T], /, **members: SearchStrategy[Any]) -> SearchStrategy[T]:
    """Objects made of their members; `st.builds` would look at all four hundred cards each time."""
    return st.fixed_dictionaries(members).map(lambda drawn: target(**drawn))


CARDS = {
    "bare": st.sampled_from(FACES) | st.sampled_from(UNKNOWN_CARDS),
    "labelled": st.sampled_from(LABELLED_CARDS) | st.sampled_from(UNKNOWN_CARDS),
}


@cache
def events(pack: str, players: int) -> SearchStrategy[AnyEvent]:
    """An event of any type, by any of the seats."""
    card, seat = CARDS[pack], st.integers(0, players - 1)
    cards = st.lists(card, max_size=4)
    more = {"ms": maybe(COUNTS), "ext": EXT}
    points = maybe(NUMBERS)
    return st.one_of(
        built(Play, seat=seat, card=card, source=st.sampled_from([None, "hand", "table"]), **more),
        built(Trick, winner=seat, **more),
        built(Draw, seat=seat, card=card, **more),
        built(
            Meld, seat=seat, meld=MELDS, cards=cards, from_tableau=maybe(cards), points=points, **more
        ),
        built(Declare, seat=seat, meld=MELDS, cards=cards, **more),
        built(
            Dix, seat=seat, action=st.sampled_from(["exchange", "show", "play"]), card=maybe(card),
            points=points, **more,
        ),
        built(CarteBlanche, seat=seat, points=points, **more),
        built(Discard, seat=seat, card=card, **more),
        built(Cut, seat=seat, packet=COUNTS, guess=maybe(COUNTS), **more),
        built(
            Score, seat=seat, what=st.sampled_from(SCORE_NAMES), count=maybe(COUNTS), points=points, **more
        ),
        built(
            Irregular, seat=seat, cards=maybe(cards), points=points, text=TEXTS,
            what=st.sampled_from(["revoke", "exposed_card", "withdrawn_meld", "misdeal", "other"]), **more,
        ),
    )  # fmt: skip


@cache
def setups(pack: str, players: int) -> SearchStrategy[Setup]:
    """A position in mid-deal."""
    card = CARDS[pack]
    cards = st.lists(card, max_size=3)
    laid = built(Laid, meld=MELDS, cards=cards, scored=st.booleans())

    def each(values: SearchStrategy[Any]) -> SearchStrategy[list[Any]]:
        return st.lists(values, min_size=players, max_size=players)

    return built(
        Setup,
        hands=each(cards),
        seat=st.integers(0, players - 1),
        tables=maybe(each(st.lists(laid, max_size=2))),
        stock=COUNTS,
        trump=st.sampled_from([None, *"SHDC"]),
        turn_up=maybe(card),
        scores=maybe(each(NUMBERS)),
        brisques=maybe(each(COUNTS)),
        won=st.booleans(),
        trick=maybe(cards),
        spent_dixes=maybe(cards),
        captured=maybe(each(cards)),
        tableau=maybe(cards),
    )


@st.composite
def deals(draw: DrawFn, pack: str, players: int, sides: int) -> Deal:
    """A deal, fresh or set up."""
    card, seat = CARDS[pack], st.integers(0, players - 1)
    setup = draw(maybe(setups(pack, players)))
    hands = st.lists(st.lists(card, max_size=3), min_size=players, max_size=players)
    scores = st.lists(NUMBERS, min_size=sides, max_size=sides)
    return Deal(
        dealer=draw(seat),
        knowledge=draw(st.sampled_from([None, "full", "seat", "public", "plays", "scores"])),
        seat=draw(seat),
        hands=draw(maybe(hands)) if setup is None else None,
        turn_up=draw(maybe(card)) if setup is None else None,
        stock=draw(maybe(st.lists(card, max_size=3))),
        setup=setup,
        events=draw(st.lists(events(pack, players), max_size=3)),
        claims=draw(maybe(built(Claims, scores=maybe(scores)))),
        ext=draw(EXT),
    )


@st.composite
def notes(draw: DrawFn, played: list[Deal]) -> Note:
    """A comment at a deal or an event that is there."""
    deal = draw(st.integers(0, len(played) - 1))
    event = draw(st.sampled_from([None, *range(len(played[deal].events))]))
    at = [deal] if event is None else [deal, event]
    return Note(at=at, text=draw(TEXTS), by=draw(maybe(TEXTS)))


@st.composite
def lines(draw: DrawFn, played: list[Deal], pack: str, players: int) -> Line:
    """A variation from an event on, or from the end."""
    deal = draw(st.integers(0, len(played) - 1))
    event = draw(st.integers(0, len(played[deal].events)))
    return Line(
        at=[deal, event],
        events=draw(st.lists(events(pack, players), max_size=2)),
        text=draw(maybe(TEXTS)),
        by=draw(maybe(TEXTS)),
    )


@st.composite
def metas(draw: DrawFn) -> dict[str, Any]:
    """What is told about the game: free, but for the time of its start."""
    meta = draw(st.dictionaries(TEXTS.filter(lambda name: name != "started"), JSON, max_size=3))
    started = draw(maybe(st.datetimes(datetime(1700, 1, 1), timezones=st.just(UTC))))
    return meta if started is None else {**meta, "started": started.isoformat(timespec="seconds")}


RULES = built(
    Rules,
    id=TEXTS | st.sampled_from(["bezique", "zique"]),
    edition=maybe(COUNTS),
    options=st.dictionaries(TEXTS, st.booleans() | NUMBERS | TEXTS, max_size=2),
)
PLAYERS = built(
    Player, name=TEXTS, id=maybe(TEXTS), kind=st.sampled_from([None, "person", "program"])
)
PROVENANCES = built(Provenance, made=maybe(TEXTS), program=maybe(TEXTS), version=maybe(TEXTS))


@cache
def results(sides: int) -> SearchStrategy[Result]:
    """What a game came to; a winner of None is a drawn game."""
    scores = st.lists(NUMBERS, min_size=sides, max_size=sides)
    status = st.sampled_from([None, "complete", "unfinished", "abandoned"])
    winner = st.just(UNSET) | maybe(st.integers(0, sides - 1))
    return built(
        Result, status=status, scores=maybe(scores), settlement=maybe(scores), winner=winner
    )


@st.composite
def records(draw: DrawFn) -> Record:
    """A record as the format allows it."""
    players = draw(st.integers(2, 6))
    sides = draw(st.sampled_from(SIDES[players]))
    pack = draw(st.sampled_from(sorted(CARDS)))
    played = draw(st.lists(deals(pack, players, len(sides)), max_size=2))
    return Record(
        format=RECORD_FORMAT,
        version=RECORD_VERSION,
        rules=draw(RULES),
        players=draw(st.lists(PLAYERS, min_size=players, max_size=players)),
        sides=sides if len(sides) < players else draw(maybe(st.just(sides))),
        meta=draw(maybe(metas())),
        deals=played,
        result=draw(maybe(results(len(sides)))),
        notes=draw(maybe(st.lists(notes(played), max_size=2))) if played else None,
        lines=draw(maybe(st.lists(lines(played, pack, players), max_size=2))) if played else None,
        provenance=draw(maybe(PROVENANCES)),
        ext=draw(EXT),
    )
