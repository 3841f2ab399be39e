"""Views of damaged games that every completion refutes, each with the argument why.

The game is damaged in one of the ways of `tests.playouts.mutants`, and the referee, who follows every
copy, says which event no reading survives. A view of it is kept only where an argument says that what
the breach depends on stays in sight, so that filling in the rest saves nothing:

own breach      In the view of the seat that breaks the rule. Whether it may play, meld or show these cards
                depends on its own cards, which the view shows, and on what lies open.
open breach     In the view of an onlooker, and of one who wrote down plays and melds where the turn-up makes
                trumps. Whose turn it is, whether it is time to meld, whether these faces are that meld: no
                hand is asked.
counted out     A face is played more often than the pack has it; in every view that keeps the plays.
later shown     A revoke after the close, where the deal is played out: nothing is drawn any more, so the hand
                at that moment is what the seat plays from then on; in every view that keeps the plays.

A draw that is due and not written may always be filled in, so no argument holds at an event before
which one is due, except for melds, which come before the draws.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace

from records.events import CarteBlanche, Declare, Discard, Dix, Draw, Meld, Play
from records.record import Record
from records.rules.vocabulary import TurnUp, Window
from records.validator import check_record
from tests.playouts import views
from tests.playouts.asserts import sheet_of
from tests.playouts.mutants import KINDS
from tests.playouts.piles import Seats
from tests.playouts.referee import Judgement, TooManyWorldsError, judge
from tests.playouts.world import World, Wrong
from tests.records.partial.positions import pack_of
from tests.records.partial.truth import draws_owed

MOST_WORLDS = 500
"""The referee follows so many ways to read a game; memory would end before the last of some random games."""
LEAST_FOUND = 0.9
"""At least so many refuted views are found illegal."""
OPEN_REASONS = frozenset({
    "not in turn", "not the time to meld", "too many melds", "nothing is shown unscored",
    "no melds in the close", "not that meld", "not in this game", "nothing is shown once melds are over",
    "it scores no more after the close", "nothing to take", "not the dix", "no dix in this game",
    "an event of another game", "no such seven was played", "not the time to combine",
    "not that combination",
})  # fmt: skip
"""What the referee says of breaches that need no hand to be seen."""


class Refuted(NamedTuple):
    """A record that no completion makes legal: the argument, the kind of view and the kind of damage."""

    argument: str
    view: str
    damage: str
    record: Record


class Breach(NamedTuple):
    """Where a damaged game breaks down: the event, the worlds before it, what the referee says in each."""

    record: Record
    index: int
    event: Any
    worlds: list[Any]
    reasons: set[str]


def refuted_views(record: Record, random: Random) -> Iterator[Refuted]:
    """Refuted views of a legal game of one deal without labels, damaged in every way once.

    Games and damages that may be read in too many ways for the referee are left out.
    """
    try:
        known = judge(record, most_worlds=MOST_WORLDS)
    except TooManyWorldsError:
        return
    for damage, change in KINDS.items():
        mutant = change(record, random)
        if (
            mutant is None
            or len(mutant.record.deals) != 1
            or mutant.record.rules is not record.rules
        ):
            continue
        breach = _breach(mutant.record, known)
        if breach is None:
            continue
        for argument, holds in ARGUMENTS.items():
            for view, seen in holds(breach, random):
                yield Refuted(argument, view, damage, seen)


def _breach(record: Record, known: Judgement) -> Breach | None:
    """The first breach of a damaged game, if the validator finds it illegal there with every card known."""
    try:
        judgement = judge(record, like=known, most_worlds=MOST_WORLDS)
    except TooManyWorldsError:
        return None
    index, events = judgement.event, record.deals[0].events
    if judgement.right or index is None or index >= len(events):
        return None
    found = check_record(record).findings
    if not any(f.severity == "illegal" and f.at.event == index for f in found):
        return None
    trail = judgement.trails[0]
    reasons = set()
    for world in trail.worlds[index]:
        try:
            list(trail.referee.act(world, events[index]))
        except Wrong as why:
            reasons.add(str(why))
    return Breach(record, index, events[index], trail.worlds[index], reasons)


Views = Iterator[tuple[str, Record]]


def _seen(breach: Breach, random: Random, *kinds: str) -> Views:
    for kind in kinds:
        for record in views.KINDS[kind](breach.record, random):
            yield kind, record


def _is_due(breach: Breach) -> bool:
    """Whether cards are to be drawn before the event, so that a draw not written may come first."""
    owed = bool(draws_owed(breach.worlds[0]))
    if isinstance(breach.event, Meld | Declare) and isinstance(breach.worlds[0], World):
        return False
    rule = sheet_of(breach.record).rules.dix
    if isinstance(breach.event, Dix) and rule is not None:
        return owed and Window.AT_ANY_TIME in (rule.exchange, rule.show)
    return owed


def _married_before(breach: Breach) -> bool:
    """Whether what lies on the tableau may depend on where cards of marriages came from (Zetema)."""
    before = breach.record.deals[0].events[: breach.index]
    return any(isinstance(event, Meld) and event.meld == "marriages" for event in before)


def _drawn_since_the_trick(breach: Breach) -> bool:
    """Whether a card was drawn after the last play, which ends the time to meld."""
    for event in reversed(breach.record.deals[0].events[: breach.index]):
        if isinstance(event, Play):
            return False
        if isinstance(event, Draw):
            return True
    return False


def own_breach(breach: Breach, random: Random) -> Views:
    """The view of the seat that breaks the rule."""
    acts = (Play, Discard, Meld, Declare, Dix, CarteBlanche)
    if not isinstance(breach.event, acts) or _is_due(breach) or _married_before(breach):
        return
    bare = replace(breach.record, deals=[views.of_seat(breach.record.deals[0], breach.event.seat)])
    yield "seat", bare


def open_breach(breach: Breach, random: Random) -> Views:
    """An onlooker's view, and plays and melds where the turn-up makes trumps."""
    if not breach.reasons <= OPEN_REASONS or _is_due(breach) or _married_before(breach):
        return
    yield from _seen(breach, random, "public", "without trick events")
    if _drawn_since_the_trick(breach):
        # Without the draws the same meld would still be in time.
        return
    yield from _seen(breach, random, "public without hands", "hands without draws")
    if isinstance(sheet_of(breach.record).rules.trumps, TurnUp) and not isinstance(
        breach.event, Dix
    ):
        yield from _seen(breach, random, "plays")


def counted_out(breach: Breach, random: Random) -> Views:
    """A face played more often than the pack has it."""
    deal = breach.record.deals[0]
    played = Counter(e.card for e in deal.events if isinstance(e, Play | Discard))
    if played - pack_of(sheet_of(breach.record)):
        yield from _seen(
            breach, random, "public", "only plays", "plays", "plays without turn up",
            "holes in hands and draws", "random draws left out",
        )  # fmt: skip


def later_shown(breach: Breach, random: Random) -> Views:
    """A revoke after the close in a deal played out."""
    world, event = breach.worlds[0], breach.event
    if (
        isinstance(world, Seats)
        or not isinstance(event, Play)
        or not world.closed
        or not world.trick
    ):
        return
    rest = breach.record.deals[0].events[breach.index :]
    played = [Counter(e.card for e in rest if isinstance(e, Play) and e.seat == s) for s in (0, 1)]
    held = [Counter(card[:2] for card in hand) for hand in world.hands]
    if played != held or event.seat == world.trick[0][0] or event.source == "table":
        return
    yield from _seen(breach, random, "public", "without trick events", "public without hands")
    if isinstance(sheet_of(breach.record).rules.trumps, TurnUp):
        yield from _seen(breach, random, "plays", "only plays")


ARGUMENTS: dict[str, Callable[[Breach, Random], Views]] = {
    "own breach": own_breach,
    "open breach": open_breach,
    "counted out": counted_out,
    "later shown": later_shown,
}
