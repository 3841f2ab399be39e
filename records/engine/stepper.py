"""Apply the events of a deal to its table, in order, with the draws that a record leaves out."""

from collections.abc import Callable, Mapping
from typing import Generic, Never, Protocol, TypeVar

from records.engine.copies import SPENT_BIT
from records.engine.dix import is_seven_due, seven_of
from records.engine.effects import acts_at, draw, forgo_draws, forgo_draws_not_written
from records.engine.hidden_cards import is_draw_written
from records.engine.plain_play import PLAIN_STARTS, may_run_plainly, run_plain_events
from records.engine.readings import after_leaving
from records.engine.table import Table
from records.events import CarteBlanche, Discard, Dix, Draw, Event, Meld, Play
from records.rules.vocabulary import Window

NOTHING_BEFORE: Mapping[type[Event], Callable[[Table, Event], None]] = {}
"""Where every draw is written, nothing is done before an event."""


class CodedBreach(Protocol):
    """What a check returns, as far as the engine needs to know it."""

    @property
    def code(self) -> str:
        """The code of the finding."""


BreachT = TypeVar("BreachT", bound=CodedBreach)
EventChecks = Mapping[type[Event], Callable[..., tuple[BreachT, ...] | None]]
"""A check for every type of event: given the table and the event, it returns what is wrong, or None."""


class Stepper(Generic[BreachT]):
    """Takes a table from event to event: draws that are due and not written, the check, the change.

    Checks are passed in, since the engine judges nothing; without them every event is applied as it
    is. An event that cannot have happened stops the deal: a breach with one of the `stopping_codes` changes
    nothing and sets `stopped`. An event whose breaches `count_nothing` changes the table and scores nothing.
    """

    __slots__ = (
        "_before", "_checks", "_count_nothing", "_effects", "_stopping_codes", "stopped", "table",
    )  # fmt: skip

    def __init__(
        self,
        table: Table,
        checks: EventChecks[BreachT] | None = None,
        stopping_codes: frozenset[str] = frozenset(),
        count_nothing: Callable[[Table, tuple[BreachT, ...]], bool] | None = None,
    ) -> None:
        self.table = table
        self.stopped = False
        self._stopping_codes = stopping_codes
        self._count_nothing = count_nothing
        # Two look-ups per event cost less than a table of both for every deal.
        self._checks = checks
        self._effects = acts_at(table)
        self._before = _acts_before(table) if table.knowledge.omits_draws else NOTHING_BEFORE

    def advance(self, event: Event) -> tuple[BreachT, ...]:
        """Apply the next event of the deal; returns what the checks found wrong with it."""
        table, kind, checks = self.table, type(event), self._checks
        table.index += 1
        if self._before and kind in self._before:
            self._before[kind](table, event)
        if checks is None or (found := checks[kind](table, event)) is None:
            self._effects[kind](table, event)
            return ()
        if any([breach.code in self._stopping_codes for breach in found]):
            # From here on nobody knows who holds what, so the verdict on the rest stays open.
            table.leave_open(points=True, brisques=True)
            self.stopped = True
        elif self._count_nothing is not None and self._count_nothing(table, found):
            table.counts_nothing = True
            self._effects[kind](table, event)
            table.counts_nothing = False
        else:
            self._effects[kind](table, event)
        return found

    def advance_unless(self, event: Event, forbidden: frozenset[str]) -> tuple[BreachT, ...]:
        """As `advance`, but a breach with one of these codes is returned before the event has changed anything."""
        table, kind, checks = self.table, type(event), self._checks
        if checks is None or (self._before and kind in self._before):
            return self.advance(event)
        table.index += 1
        found = checks[kind](table, event)
        if found is None:
            self._effects[kind](table, event)
            return ()
        if any([breach.code in forbidden for breach in found]):
            return found
        table.index -= 1
        return self.advance(event)

    def advance_to_breach(self) -> tuple[tuple[BreachT, ...], int, int] | None:
        """Apply events up to the first with a breach; None if there is none to the end of the deal.

        Returns its breaches, and how many awards and tricks there were before it. Most events are plain play, which
        needs no check, and are applied in one go.
        """
        table = self.table
        events, awards, plainly = table.events, table.awards, may_run_plainly(table)
        while (index := table.index + 1) < len(events):
            if plainly and type(events[index]) in PLAIN_STARTS:
                index = run_plain_events(table, events, index)
                table.index = index - 1
                if index == len(events):
                    return None
            counted, tricks = len(awards), table.tricks
            found = self.advance(events[index])
            if found:
                return found, counted, tricks
        return None

    def draw_before(self, event: Event) -> None:
        """Make the draws that are due and not written, if they must come before this event."""
        if type(event) in self._before:
            self._before[type(event)](self.table, event)

    def table_after_draws(self) -> Table:
        """The table on which the next card is played: a copy with the draws made that are due and not written."""
        table = self.table
        if not (self._before and table.draws_due and table.stock.order):
            return table
        drawn = table.copy()
        _draw_from_stock(drawn, before=None)
        return drawn


def unchecked_stepper(table: Table) -> Stepper[Never]:
    """A stepper without checks, for players who only do what is legal."""
    return Stepper(table)


def _acts_before(table: Table) -> Mapping[type[Event], Callable[[Table, Event], None]]:
    """What is done before events of some types: the draws that are due, where a record does not write them."""
    return dict.fromkeys(_events_after_draws(table), _draw_before)


def _events_after_draws(table: Table) -> frozenset[type[Event]]:
    """The events before which the cards due are drawn: none, where a record writes its draws."""
    if not table.knowledge.omits_draws:
        return frozenset()
    if table.rules.has_tableau:
        return frozenset({Meld, Discard})
    # Elsewhere melds come before the draws; so does a dix, unless it may be shown or exchanged at any time.
    rule = table.rules.written.dix
    anytime = rule is not None and Window.AT_ANY_TIME in (rule.exchange, rule.show)
    return frozenset({Play, CarteBlanche, Dix} if anytime else {Play, CarteBlanche})


def _draw_before(table: Table, event: Event) -> None:
    """Draw what is due: from the stock that the record writes, or else cards that nobody has seen.

    A dix or a carte blanche may come between the draws: then no more is drawn than its seat needs to hold one,
    and nothing that the record writes further on.
    """
    if table.stock.order is not None:
        _draw_from_stock(table, before=event if isinstance(event, Dix | CarteBlanche) else None)
    elif isinstance(event, CarteBlanche):
        forgo_draws_not_written(table)
    elif table.draws_due and not isinstance(event, Dix):
        forgo_draws(table)


def _draw_from_stock(table: Table, *, before: Dix | CarteBlanche | None) -> None:
    """Draw the cards that are due, in order, then the turn-up."""
    for seat in table.draws_due:
        if isinstance(before, Dix) and not _awaits_seven(table, before):
            return
        if before is not None and is_draw_written(table, seat):
            return
        draw(table, Draw(seat=seat, card=table.stock.next_card() or "??"))


def _awaits_seven(table: Table, event: Dix) -> bool:
    """Whether the seven of a dix is still to be drawn: none is held, or only one that has scored, and the stock has another."""
    seat, seven = event.seat, seven_of(table, event)
    count = table.held[seat].get(seven, 0)
    if not count:
        return True
    if event.points == 0 or after_leaving(table.readings[seat], seven, count, lacks=SPENT_BIT):
        return False
    return is_seven_due(table, seat)
