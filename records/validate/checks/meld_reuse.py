"""What a refused meld is told: the card, the earlier meld and the clause of the rule of reuse that forbids it.

Only a meld that the rule has refused comes here, so that legal melds cost nothing.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from records.cards import FACE_OF, count_cards, describe_card
from records.engine.copies.marks import USED_BIT
from records.engine.copies.prohibitions import Prohibition, find_prohibition
from records.engine.copies.reuse import reuse_rule_of
from records.engine.table import Table
from records.events import Meld, Play
from records.phrases import join_words, list_cards, name_card, with_article
from records.rules.vocabulary import MeldRule
from records.validate.breach import Breach, breach_by

ALL_THREE = 3
"""So many different cards and more are "these cards", when all of a meld are meant."""
MOST_EVENTS_NAMED = 4
"""So many events are named where any of them may be meant."""


class _Earlier(NamedTuple):
    """A meld that the seat has scored in this deal: its name and its event, -1 where the setup laid it."""

    name: str
    event: int


def reuse_breach(table: Table, event: Meld, row: MeldRule) -> Breach:
    """The breach of a meld that the rule of reuse forbids in every reading."""
    seat, cards = event.seat, list_cards(event.cards)
    allows = reuse_rule_of(row, table.rules, table.melding.scored[seat])
    prohibition = find_prohibition(
        table.melding.readings[seat],
        count_cards(event.cards),
        table.melding.cards[seat],
        allows,
    )
    if prohibition is None:
        clause, used = "captured" if table.rules.melds_captured else "copies", ""
        earlier = list(_of_the_class(table, event, row))
    else:
        clause, used = prohibition.clause, _used_words(event, prohibition.cards)
        earlier = list(_forbidding(table, event, prohibition))
    events = [meld.event for meld in earlier if meld.event >= 0]
    return breach_by(
        table,
        seat,
        "meld-reuses-cards",
        clause=clause,
        meld=with_article(row.words),
        cards=cards,
        used=used,
        earlier=_earlier_words(earlier),
        found=cards,
        since=min(events, default=None),
    )


def _used_words(event: Meld, used: frozenset[str]) -> str:
    """The cards that a clause forbids in every reading: `the king of hearts`, `a queen of spades`, `these cards`."""
    if not used:
        return "whichever copies these are, one of them"
    if used == set(event.cards) and ALL_THREE <= len(used) == len(event.cards):
        return "these cards"
    return join_words(
        name_card(card) if event.cards.count(card) == 1 else with_article(describe_card(card))
        for card in sorted(used, key=event.cards.index)
    )


def _earlier_words(melds: Iterable[_Earlier]) -> str:
    """Melds with their events, counted from 1: `the marriage of event 3 or 9`."""
    events: dict[str, list[int]] = {}
    for meld in sorted(set(melds), key=lambda meld: meld.event):
        events.setdefault(meld.name, []).append(meld.event)
    parts = []
    for name, places in events.items():
        numbers = [str(1 + place) for place in places if place >= 0]
        if len(numbers) < len(places):
            parts.append(f"the {name} that lay there at the start")
        if len(numbers) > MOST_EVENTS_NAMED:
            numbers[MOST_EVENTS_NAMED - 1 :] = ["a later event"]
        if numbers:
            parts.append(f"the {name} of event {join_words(numbers, 'or')}")
    return join_words(parts, "or") if parts else "an earlier meld"


def _forbidding(table: Table, event: Meld, prohibition: Prohibition) -> Iterator[_Earlier]:
    """The earlier melds that forbid this one: one of them does in every reading."""
    rules, seat = table.rules, event.seat
    concerned = prohibition.cards or set(event.cards)
    by_kind = [
        number
        for number, (kind, _) in enumerate(table.melding.scored[seat])
        if prohibition.bits & rules.kind_bit[kind]
    ]
    if prohibition.bits & USED_BIT:
        by_kind = list(_melds_since_the_trick(table, seat))
    by_kind = [number for number in by_kind if _may_have_used(table, seat, number, concerned)]
    for number in _sure_to_be_held(table, seat, by_kind, prohibition) or by_kind:
        yield _earlier_meld(table, seat, number)
    for number in range(len(table.melding.scored[seat])):
        if prohibition.bits & 1 << (rules.first_set_bit + number):
            yield _earlier_meld(table, seat, number)


def _melds_since_the_trick(table: Table, seat: int) -> Iterator[int]:
    last_play = max(
        (i for i in range(table.index) if isinstance(table.events[i], Play)), default=-1
    )
    for number, place in enumerate(table.melding.scored_at[seat]):
        if place > last_play:
            yield number


def _may_have_used(table: Table, seat: int, number: int, cards: Iterable[str]) -> bool:
    """Whether an earlier meld has one of these cards; what a setup laid is not looked up."""
    return (melded := _cards_of(table, seat, number)) is None or not melded.isdisjoint(cards)


def _cards_of(table: Table, seat: int, number: int) -> frozenset[str] | None:
    place = table.melding.scored_at[seat][number]
    earlier = table.events[place] if place >= 0 else None
    return frozenset(earlier.cards) if isinstance(earlier, Meld) else None


def _sure_to_be_held(
    table: Table, seat: int, melds: list[int], prohibition: Prohibition
) -> list[int]:
    """Of these melds, those whose copies of the cards forbidden are still held, if that accounts for every marked copy."""
    played: set[str] = set()
    sure, at = [], table.index
    for number in reversed(melds):
        place = table.melding.scored_at[seat][number]
        while at > max(place, 0):
            at -= 1
            event = table.events[at]
            if isinstance(event, Play) and event.seat == seat:
                played.add(event.card)
        cards = _cards_of(table, seat, number)
        if cards is not None and not played & prohibition.cards & cards:
            sure.append(number)
    for card in prohibition.cards:
        marked = max(
            sum(1 for name, mark in reading if name == card and mark & prohibition.bits)
            for reading in table.melding.readings[seat]
        )
        used = sum(card in (_cards_of(table, seat, number) or ()) for number in sure)
        if used < marked:
            return []
    return sure[::-1]


def _earlier_meld(table: Table, seat: int, number: int) -> _Earlier:
    place = table.melding.scored_at[seat][number]
    event = table.events[place] if place >= 0 else None
    name = event.meld if isinstance(event, Meld) else table.melding.scored[seat][number][0]
    return _Earlier(name.replace("_", " "), place)


def _of_the_class(table: Table, event: Meld, row: MeldRule) -> Iterator[_Earlier]:
    """The earlier melds of the class that may have had one of these cards: some choice of copies took one from each."""
    faces = {FACE_OF[card] for card in event.cards}
    for number, (kind, _) in enumerate(table.melding.scored[event.seat]):
        cards = _cards_of(table, event.seat, number)
        related = table.rules.family[kind][0] == row.family
        if related and (cards is None or not faces.isdisjoint(FACE_OF[card] for card in cards)):
            yield _earlier_meld(table, event.seat, number)
