"""The play: what happened at the table, however a record writes it, and whether two records tell of one match.

A digest names a record's text; the play is its match. Two records of one match have the same play, or one of them shows
less of it: it was written by another seat, or it stops earlier.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias, TypeVar

import msgspec
from msgspec.structs import replace

from records.cards import FACE_OF, is_unknown, may_be_same, sorted_faces
from records.engine.deal import is_partial
from records.errors import RulesError
from records.events import (
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
    actor_of,
)
from records.format.semantics import read_day, read_time, sides_of
from records.people import player_key, read_name
from records.record import Deal, Player, Record, Setup
from records.rules.registry import SHEETS_BY_ID, ResolvedSheet, resolve_rules

ENOUGH_PLAYS = 16
"""So many cards played in one order tell a deal from any other that the same people play; so do all the hands dealt."""

MOST_MATCHED = 64
"""So many cards of a hand, or acts between two plays, are matched with those of another record; no game has as many."""
Item = TypeVar("Item")
PersonOf: TypeAlias = Callable[[Player], str]
"""Says which person a player of a record is, by a key."""

_ENCODER = msgspec.json.Encoder(order="deterministic")


class Relation(StrEnum):
    """How a record stands to another one of the same match."""

    SAME = "same"
    """Both have the same play."""
    VIEW = "view"
    """They show as much of the match, but not the same cards."""
    BEGINNING = "beginning"
    """It stops earlier."""
    WHOLE = "whole"
    """It goes on longer."""


class Act(NamedTuple):
    """What a seat does or gets between two plays; `cards` are sorted.

    `numbers` are those of a cut or a ruling, and in a deal known by its scores alone the points.
    """

    kind: str
    seat: int
    name: str = ""
    cards: tuple[str, ...] = ()
    numbers: tuple[int | None, ...] = ()


class CardInOrder(NamedTuple):
    """A card played to a trick, or discarded."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class DealPlay:
    """A deal as it was played, seats numbered from the first dealer, cards without labels.

    `between[n]` are the acts after `n` cards were played. `stock` are the cards not dealt, in the order of drawing, as far as
    they are known; where that order is not known in full, the draws are among the acts.
    """

    dealer: int
    level: str
    setup: str
    hands: tuple[tuple[str, ...], ...]
    turn_up: str
    stock: tuple[str, ...]
    plays: tuple[CardInOrder, ...]
    between: tuple[tuple[Act, ...], ...]
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchPlay:
    """A match as it was played: resolved rules, people in their seats, the day on the record's own clock, and the deals.

    `said` is what tells apart records that show no card: everything that they say of the occasion and the result.
    """

    rules: str
    people: tuple[str, ...]
    sides: tuple[tuple[int, ...], ...]
    day: str
    deals: tuple[DealPlay, ...]
    said: str

    @property
    def key(self) -> str:
        """The SHA-256, in hex, of everything here: two records with the same key tell the same of the same match."""
        return _hash(self)

    @property
    def starts(self) -> tuple[str, ...]:
        """What is enough to find other records of this match: hashes of the hands dealt first, and of the first plays.

        Both count the rules and the people. None where the record does not show either in full.
        """
        if not self.deals or self.said:
            return ()
        first, who = self.deals[0], (self.rules, self.people, self.sides)
        whole = first.hands and not any(is_unknown(card) for hand in first.hands for card in hand)
        plays = first.plays[:ENOUGH_PLAYS]
        enough = len(plays) == ENOUGH_PLAYS and not any(is_unknown(card) for _, card in plays)
        return (
            *([_hash((who, first.hands))] if whole and not first.setup else []),
            *([_hash((who, first.setup, plays))] if enough else []),
        )

    @property
    def fullness(self) -> int:
        """How many cards and acts the record shows: of several records of a match, the fullest stands for it."""
        return sum(map(_fullness, self.deals))


def _hash(value: object) -> str:
    return hashlib.sha256(_ENCODER.encode(value)).hexdigest()


def _fullness(deal: DealPlay) -> int:
    acts = [act for acts in deal.between for act in acts]
    drawn = _known(card for act in acts if act.kind == "draw" for card in act.cards)
    # The card turned up is drawn last; a stock and its draws are the same cards.
    others = [act for act in acts if act.kind != "draw"]
    cards = [*(card for hand in deal.hands for card in hand), *(card for _, card in deal.plays)]
    cards += [card for act in others for card in act.cards]
    undealt = max(_known((deal.turn_up, *deal.stock)), drawn)
    return undealt + len(others) + _known(cards)


def _known(cards: Iterable[str]) -> int:
    return sum(bool(card) and not is_unknown(card) for card in cards)


# A record to its play.


def match_play(record: Record, who: PersonOf = player_key) -> MatchPlay | None:
    """The play that a record tells of; None if its rules cannot be resolved. `who` says which person a player is."""
    try:
        resolved = resolve_rules(record.rules)
    except RulesError:
        return None
    seats = len(record.players)
    if not record.deals:
        return min(
            (_from_seat(record, resolved, who, first) for first in range(seats)),
            key=_ENCODER.encode,
        )
    return _from_seat(record, resolved, who, record.deals[0].dealer)


def match_traces(record: Record, who: PersonOf = player_key) -> tuple[str, ...]:
    """Hashes by which records of one match are found; at least one, unless the rules cannot be resolved.

    They are `MatchPlay.starts`, or `MatchPlay.key` where there are none. Only the beginning of a record is read for the first.
    """
    if record.deals and any(map(_shows_cards, record.deals)):
        first = record.deals[0]
        shown = replace(record, deals=[replace(first, events=_first_events(first))])
        play = match_play(shown, who)
        if play is None or play.starts:
            return play.starts if play else ()
    whole = match_play(record, who)
    return (whole.key,) if whole else ()


def _first_events(deal: Deal) -> list[AnyEvent]:
    """The events of a deal up to so many plays as are enough."""
    plays = 0
    for index, event in enumerate(deal.events):
        plays += isinstance(event, Play | Discard)
        if plays == ENOUGH_PLAYS:
            return deal.events[: index + 1]
    return deal.events


def _from_seat(record: Record, resolved: ResolvedSheet, who: PersonOf, first: int) -> MatchPlay:
    """The play with seats numbered from this one on."""
    seats = len(record.players)
    sides = sorted(
        (tuple(sorted((seat - first) % seats for seat in side)), number)
        for number, side in enumerate(sides_of(record))
    )
    turned = _Turned(first, seats, [number for _, number in sides], resolved)
    said = (
        "" if any(_shows_cards(deal) for deal in record.deals) else _words_of_record(record, turned)
    )
    return MatchPlay(
        rules=_rules_key(resolved),
        people=tuple(turned.by_seat([who(player) for player in record.players])),
        sides=tuple(side for side, _ in sides),
        day=day_played(record),
        deals=tuple(turned.deal(deal) for deal in record.deals),
        said=said,
    )


@lru_cache
def _rules_key(resolved: ResolvedSheet) -> str:
    sheet = resolved.sheet
    # Two tables may give one id to different rulebooks.
    own = [] if sheet.id in SHEETS_BY_ID else [msgspec.to_builtins(sheet.rules, str_keys=True)]
    return _hash((sheet.id, sheet.edition, dict(resolved.options), *own))


def _shows_cards(deal: Deal) -> bool:
    return deal.knowledge != "scores"


def _words_of_record(record: Record, turned: "_Turned") -> str:
    """What a record without cards tells of the occasion; its result too, if it has no deal."""
    meta = dict(record.meta or {})
    started = meta.get("started")
    if isinstance(started, str) and (moment := read_time(started)) is not None:
        meta["started"] = moment.isoformat()  # one time can be written in several ways
    texts = {name: read_name(v) if isinstance(v, str) else v for name, v in meta.items()}
    result = None if record.deals else turned.result(record)
    return _hash((texts, result))


def day_played(record: Record) -> str:
    """The day on which a match was started, on the record's own clock, or `meta.date` without one; "" if it gives none."""
    meta = record.meta or {}
    started, day = meta.get("started"), meta.get("date")
    if isinstance(started, str) and (moment := read_time(started)) is not None:
        return moment.date().isoformat()
    return day if isinstance(day, str) and read_day(day) is not None else ""


@dataclass(frozen=True, slots=True)
class _Turned:
    """Rewrites a record's seats so that `first` becomes seat 0; `sides` are the record's, in their new order."""

    first: int
    seats: int
    sides: list[int]
    resolved: ResolvedSheet

    def seat(self, seat: int) -> int:
        return (seat - self.first) % self.seats

    def by_seat(self, values: Sequence[Any]) -> list[Any]:
        """Values by seat, in the new order; values that do not fit the seats stay as they are."""
        if len(values) != self.seats:
            return list(values)
        return [values[(seat + self.first) % self.seats] for seat in range(self.seats)]

    def by_side(self, values: Sequence[int] | None) -> tuple[int, ...]:
        if values is None or len(values) != len(self.sides):
            return tuple(values or ())
        return tuple(values[side] for side in self.sides)

    def result(self, record: Record) -> Any:
        given = record.result
        if given is None:
            return None
        won = given.winner
        winner = None if won is msgspec.UNSET else [won if won is None else self.sides.index(won)]
        return given.status, self.by_side(given.scores), self.by_side(given.settlement), winner

    def deal(self, deal: Deal) -> DealPlay:
        """A deal in canonical order."""
        level = deal.knowledge or ("seat" if is_partial(deal) else "full")
        hands = tuple(self.by_seat([sorted_faces(hand) for hand in deal.hands or ()]))
        events = [event for event in deal.events if level == "scores" or not _is_derived(event)]
        stock = None if level != "full" else self._stock(deal, hands)
        if stock is not None:
            events = [event for event in events if not isinstance(event, Draw)]
        plays, between = self._split(events, points=level == "scores")
        return DealPlay(
            dealer=self.seat(deal.dealer),
            level=level,
            setup="" if deal.setup is None else _hash(self._setup(deal.setup)),
            hands=hands,
            turn_up=FACE_OF[deal.turn_up] if deal.turn_up else "",
            stock=tuple(FACE_OF[card] for card in deal.stock or ()) if stock is None else stock,
            plays=plays,
            between=between,
            scores=self.by_side(deal.claims.scores if deal.claims else None)
            if level == "scores"
            else (),
        )

    def _stock(self, deal: Deal, hands: Sequence[Sequence[str]]) -> tuple[str, ...] | None:
        """The cards not dealt, as the stock or the draws of a deal that shows every card have them.

        None if the two contradict each other, or the last card drawn is not the one that lay open.
        """
        drawn = [FACE_OF[event.card] for event in deal.events if isinstance(event, Draw)]
        written = None if deal.stock is None else [FACE_OF[card] for card in deal.stock]
        size = len(drawn)
        if deal.setup is None:
            turned = deal.turn_up is not None
            size = self.resolved.sheet.rules.pack.cards - sum(map(len, hands)) - turned
        elif deal.setup.stock:
            size = deal.setup.stock
        if written is not None and drawn[: len(written)] != written[: len(drawn)]:
            return None
        last = drawn[len(written) if written is not None else size :]
        if last and last != _last_draw(deal):
            return None
        return tuple(written if written is not None else drawn[:size])

    def _setup(self, setup: Setup) -> Any:
        """A position; what is left out is written as what that means."""
        none = [0] * self.seats
        captured = [sorted_faces(own) for own in setup.captured or ()]
        ranks = self.resolved.sheet.rules.brisques.ranks
        taken = [sum(card[0] in ranks for card in own) for own in captured]
        just_won = setup.captured[setup.seat][-2:] if setup.captured and setup.won else ()
        tables = [
            sorted((laid.meld, sorted_faces(laid.cards), laid.scored) for laid in own)
            for own in setup.tables or [[]] * self.seats
        ]
        return (
            self.by_seat([sorted_faces(hand) for hand in setup.hands]), self.seat(setup.seat), self.by_seat(tables),
            setup.stock, setup.trump or (setup.turn_up or "")[1:2], setup.turn_up and FACE_OF[setup.turn_up],
            self.by_seat(setup.scores or none), self.by_seat(setup.brisques or taken or none), setup.won,
            [FACE_OF[card] for card in setup.trick or ()], sorted_faces(setup.spent_dixes or ()), self.by_seat(captured),
            sorted_faces(just_won), sorted_faces(setup.tableau or ()),
        )  # fmt: skip

    def _split(
        self, events: Iterable[AnyEvent], *, points: bool
    ) -> tuple[tuple[CardInOrder, ...], tuple[tuple[Act, ...], ...]]:
        plays: list[CardInOrder] = []
        between: list[list[Act]] = [[]]
        for event in events:
            if isinstance(event, Play | Discard):
                plays.append(CardInOrder(self.seat(event.seat), FACE_OF[event.card]))
                between.append([])
            else:
                between[-1].append(self._act(event, points=points))
        return tuple(plays), tuple(tuple(sorted(acts, key=_ENCODER.encode)) for acts in between)

    def _act(self, event: Any, *, points: bool) -> Act:
        seat = self.seat(actor_of(event))
        numbers = (event.points,) if points and hasattr(event, "points") else ()
        match event:
            case Draw():
                return Act("draw", seat, "", (FACE_OF[event.card],))
            case Meld():
                return Act("meld", seat, event.meld, sorted_faces(event.cards), numbers)
            case Declare():
                return Act("declare", seat, event.meld, sorted_faces(event.cards))
            case Dix():
                return Act("dix", seat, event.action, (), numbers)
            case CarteBlanche():
                return Act("carte_blanche", seat, "", (), numbers)
            case Cut():
                return Act("cut", seat, "", (), (event.packet, event.guess))
            case Score():
                return Act("score", seat, event.what, (), (event.count, *numbers))
            case Irregular():
                return Act(
                    "irregular",
                    seat,
                    event.what,
                    sorted_faces(event.cards or ()),
                    (event.points or 0,),
                )
            case _:
                return Act("trick", seat)


def _last_draw(deal: Deal) -> list[str]:
    """What lies open under the stock at its end: the card turned up, or the seven that somebody exchanged for it."""
    turn_up = deal.turn_up or (deal.setup.turn_up if deal.setup else None)
    if turn_up is None:
        return []
    exchanged = any(isinstance(e, Dix) and e.action == "exchange" for e in deal.events)
    return [FACE_OF["7" + turn_up[1] if exchanged else turn_up]]


def _is_derived(event: AnyEvent) -> bool:
    """Whether an event only says what follows from the others: who took a trick, what a bonus or a seven played came to."""
    return isinstance(event, Trick | Score) or (isinstance(event, Dix) and event.action == "play")


# Two plays: whether they are one match.


def relate(one: MatchPlay, other: MatchPlay) -> Relation | None:
    """How `one` stands to `other` if both are of one match for certain; None if they are not, or may not be.

    It is certain if rules, people and seats are the same, no day contradicts, everything that both show of the cards and
    acts agrees, and both show all the hands first dealt or the same first plays (`MatchPlay.starts`).
    """
    if one == other:
        return Relation.SAME
    is_sure = bool(set(one.starts) & set(other.starts))
    return _extent(one, other) if is_sure and may_be_one_match(one, other) else None


def may_be_one_match(one: MatchPlay, other: MatchPlay) -> bool:
    """Whether nothing that two records show contradicts: what both show may be too little to be sure."""
    if one == other:
        return True
    if (one.rules, one.people, one.sides) != (other.rules, other.people, other.sides):
        return False
    if one.said or other.said or (one.day and other.day and one.day != other.day):
        return False
    shared = min(len(one.deals), len(other.deals))
    for number in range(shared):
        ends = number == shared - 1
        mine, theirs = one.deals[number], other.deals[number]
        may_stop = ends and len(one.deals) == shared, ends and len(other.deals) == shared
        if not _agree(mine, theirs, may_stop):
            return False
    return True


def _extent(one: MatchPlay, other: MatchPlay) -> Relation:
    mine, theirs = ((len(each.deals), len(each.deals[-1].plays)) for each in (one, other))
    if mine == theirs:
        return Relation.VIEW
    return Relation.BEGINNING if mine < theirs else Relation.WHOLE


def _agree(one: DealPlay, other: DealPlay, may_stop: tuple[bool, bool]) -> bool:
    """Whether what both deals show agrees; each may stop before the other does only if it is said to."""
    if (one.dealer, one.setup) != (other.dealer, other.setup):
        return False
    if "scores" in (one.level, other.level):
        return one.level != other.level or one.scores == other.scores
    plays = len(one.plays) - len(other.plays)
    if (plays < 0 and not may_stop[0]) or (plays > 0 and not may_stop[1]):
        return False
    return (
        _hands_agree(one.hands, other.hands)
        and (not one.turn_up or not other.turn_up or may_be_same(one.turn_up, other.turn_up))
        and all(map(may_be_same, one.stock, other.stock))
        and all(
            mine.seat == theirs.seat and may_be_same(mine.card, theirs.card)
            for mine, theirs in zip(one.plays, other.plays, strict=False)
        )
        and _acts_agree(one, other, may_stop)
    )


def _hands_agree(one: Sequence[Sequence[str]], other: Sequence[Sequence[str]]) -> bool:
    if not one or not other:
        return True
    return len(one) == len(other) and all(
        len(mine) == len(theirs) and _match_up(mine, theirs, may_be_same)
        for mine, theirs in zip(one, other, strict=True)
    )


def _acts_agree(one: DealPlay, other: DealPlay, may_stop: tuple[bool, bool]) -> bool:
    """Whether the acts agree that both show: all of what everybody saw, at the level `plays` some of it, of draws some."""
    shared = min(len(one.between), len(other.between))
    some = "plays" in (one.level, other.level)
    stops = [
        may_stop[0] and len(one.between) == shared,
        may_stop[1] and len(other.between) == shared,
    ]
    for number, (mine, theirs) in enumerate(zip(one.between, other.between, strict=False)):
        at_end = number == shared - 1
        for kind in {act.kind for act in (*mine, *theirs)}:
            # A deal that shows every card has draws only where they contradict its stock: no other one lacks these.
            some_only = some or (kind == "draw" and not one.level == other.level == "full")
            may_lack = [some_only or (at_end and stop) for stop in stops]
            for seat in range(max(act.seat for act in (*mine, *theirs)) + 1):
                of_seat = [
                    [act for act in acts if (act.kind, act.seat) == (kind, seat)]
                    for acts in (mine, theirs)
                ]
                if not _some_agree(of_seat[0], of_seat[1], may_lack):
                    return False
    return True


def _some_agree(one: Sequence[Act], other: Sequence[Act], may_lack: Sequence[bool]) -> bool:
    """Whether two lists of acts agree, where either may lack some of the other's."""
    fewer, more, lacks = (one, other, 0) if len(one) <= len(other) else (other, one, 1)
    return (len(fewer) == len(more) or may_lack[lacks]) and _match_up(fewer, more, _may_be_act)


def _may_be_act(one: Act, other: Act) -> bool:
    return (
        one._replace(cards=()) == other._replace(cards=())
        and len(one.cards) == len(other.cards)
        and _match_up(one.cards, other.cards, may_be_same)
    )


def _match_up(
    fewer: Sequence[Item], more: Sequence[Item], may_be: Callable[[Item, Item], bool]
) -> bool:
    """Whether each of the `fewer` can be another one of the `more`: a matching, made larger one by one.

    Of lists longer than any game has, only equal ones can.
    """
    if len(more) > MOST_MATCHED or list(fewer) == list(more):
        return list(fewer) == list(more)
    taken: dict[int, int] = {}

    def place(index: int, seen: set[int]) -> bool:
        for at, candidate in enumerate(more):
            if at not in seen and may_be(fewer[index], candidate):
                seen.add(at)
                if at not in taken or place(taken[at], seen):
                    taken[at] = index
                    return True
        return False

    return len(fewer) <= len(more) and all(place(index, set()) for index in range(len(fewer)))
