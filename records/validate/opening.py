"""What leaves a deal open: the ways in which marriages may have happened, and what the record would have to show."""

from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import Any, NamedTuple

from records.engine.hidden_cards import trumps_unknown
from records.engine.stepper import BreachT, EventChecks, Stepper
from records.engine.table import Table, TableStep
from records.engine.zetema import MarriageWay, find_combination, ways_of_marriages
from records.events import Declare, Discard, Draw, Event, Irregular, Meld, Play
from records.phrases import join_words
from records.record import Deal
from records.rules.vocabulary import TurnUp
from records.validate.breach import seat_name
from records.validate.codes import FINDING_CODES
from records.validate.finding import CUT_SHORT_CLAUSE, Finding, place_in_deal

# Foresight: in which way marriages happened, where a record leaves it open, as far as what follows tells.
#
# A deal is legal if in some way of its marriages all of it is. So wherever there are several ways, each is tried
# on a copy of the table, to the end of the deal, and one that nothing contradicts is taken, or else the one that
# the least does. Two kings and two queens of one suit give a handful of ways. Where cards are hidden, or a
# record has more of them than the pack, there may be many: then so many events are tried and no more, and the
# table is told that its ways are given up.

MOST_WAYS = 64
"""So many ways of one event are tried, and so many such events one after the other."""
TRIED_IN_A_DEAL, TRIED_FOR_AN_EVENT = 100, 16
"""So many events are tried: a number for every deal, and more for each of its events."""
COPY_COST, EVENTS_COPIED = 8, 64
"""What a copy of a table costs, in events tried: a number, and one more for so many events."""
MARRIAGES_COST = 12
"""What it costs, in events tried, to find the ways of marriages."""


class FaultCodes(NamedTuple):
    """The codes of breaches that make a deal illegal, and of those that are wrong numbers."""

    illegal: frozenset[str]
    mismatch: frozenset[str]


class Faults(NamedTuple):
    """What is against a way: illegal events, those that were excused, wrong numbers, a deal that is not over."""

    illegal: int = 0
    excused: int = 0
    mismatches: int = 0
    unfinished: bool = False


class _Fork(NamedTuple):
    """A table before marriages that can have happened in several ways, those still to be tried, and the faults so far."""

    table: Table
    ways: Iterator[MarriageWay]
    faults: Faults


class TurnStepper(Stepper[BreachT]):
    """Takes a table of Zetema from event to event, and foresees in which way its marriages happened.

    `forks` counts those whose way shows only in what follows them.
    """

    __slots__ = ("_fault_codes", "_left", "_trying", "forks")

    def __init__(
        self,
        table: Table,
        checks: EventChecks[BreachT] | None,
        stopping_codes: frozenset[str],
        count_nothing: Callable[[Table, tuple[BreachT, ...]], bool] | None,
        fault_codes: FaultCodes,
    ) -> None:
        super().__init__(table, checks, stopping_codes, count_nothing)
        self._fault_codes = fault_codes
        self._left = TRIED_IN_A_DEAL + TRIED_FOR_AN_EVENT * len(table.events)
        self._trying = False
        self.forks = 0

    def advance(self, event: Event) -> tuple[BreachT, ...]:
        """Apply the next event of the deal, marriages in the way that was foreseen."""
        self._foresee_next(event)
        return super().advance(event)

    def advance_unless(self, event: Event, forbidden: frozenset[str]) -> tuple[BreachT, ...]:
        """As `advance`, but a breach with one of these codes is returned before the event has changed anything else."""
        self._foresee_next(event)
        return super().advance_unless(event, forbidden)

    def _foresee_next(self, event: Event) -> None:
        if type(event) is Meld and not self._trying:
            self.table.index += 1
            self._foresee(self.table, event)
            self.table.index -= 1

    def ways_of_next(self, event: Event) -> list[MarriageWay]:
        """The ways in which the next event can have happened, if it is of marriages; at most `MOST_WAYS`."""
        table = self.table
        self.draw_before(event)
        if type(event) is not Meld or event.meld != "marriages":
            return []
        table.index += 1
        ways = list(islice(ways_of_marriages(table, event), MOST_WAYS))
        table.index -= 1
        return ways

    def _foresee(self, table: Table, event: Any) -> None:
        """Choose the way of marriages that are about to happen, if there are several."""
        fork = self._fork_at(table, event, Faults())
        if fork is None or event not in table.events[table.index : table.index + 1]:
            return
        self.forks += 1
        foreseen = self._best_ways(fork)
        if foreseen is None:
            table.tableau.ways_given_up = table.tracking.exhausted = True
            table.stock.order = None
            table.leave_open(points=True)
        else:
            table.tableau.ways |= foreseen

    def _fork_at(self, table: Table, event: Any, faults: Faults) -> _Fork | None:
        """A fork, if the event at hand can have happened in several ways; the only way is foreseen at once."""
        draw_first = self._before.get(type(event))
        if draw_first is not None:
            draw_first(table, event)
        tableau, index = table.tableau, table.index
        foreseen = tableau.ways_given_up or index in tableau.ways
        if event.meld != "marriages" or foreseen or find_combination(table, event) is None:
            return None
        self._left -= MARRIAGES_COST
        ways = ways_of_marriages(table, event)
        first = next(ways, None)
        second = None if first is None else next(ways, None)
        # In a deal with every card known, marriages that are withdrawn leave nothing behind.
        if first is None or second is None or _is_withdrawn(table):
            tableau.ways[index] = first
            return None
        return _Fork(table, chain((first, second), ways), faults)

    def _best_ways(self, start: _Fork) -> dict[int, MarriageWay | None] | None:
        """The ways, of these marriages and of those that follow, with the fewest faults; None if that is not known."""
        forks, tried, best, foreseen, tried_all = [start], [0], None, None, True
        while forks:
            fork = forks[-1]
            way = next(fork.ways, None)
            if way is None:
                forks.pop(), tried.pop()
                continue
            tried[-1] += 1
            if self._left <= 0 or tried[-1] > MOST_WAYS:
                tried_all = False
                break
            table = _copied(fork.table)
            table.tableau.ways[table.index] = way
            table.index -= 1
            outcome = self._try(table, fork.faults, best)
            if isinstance(outcome, _Fork):
                if len(forks) < MOST_WAYS:
                    forks.append(outcome)
                    tried.append(0)
                else:
                    tried_all = False
            elif outcome is not None and (best is None or outcome < best):
                best, foreseen = outcome, table.tableau.ways
                if best == Faults(unfinished=best.unfinished and table.knowledge.partial):
                    break
        return foreseen if tried_all or (best is not None and best < Faults(1)) else None

    def _try(self, table: Table, faults: Faults, best: Faults | None) -> "Faults | _Fork | None":
        """What is against a table to its deal's end, or to the next fork; None once it is as much as the best."""
        trial, events = self._on_trial(table), table.events
        self._left -= COPY_COST + len(events) // EVENTS_COPIED
        for index in range(table.index + 1, len(events)):
            event = events[index]
            if isinstance(event, Meld):
                table.index = index
                fork = self._fork_at(table, event, faults)
                if fork is not None:
                    return fork
                table.index = index - 1
            self._left -= 1
            found = trial.advance(event)
            if found:
                faults = self._with_faults(faults, table, found)
                if trial.stopped:
                    return faults._replace(illegal=faults.illegal + len(events) - index - 1)
                if best is not None and faults >= best:
                    return None
        return faults._replace(unfinished=table.step is not TableStep.OVER)

    def _on_trial(self, table: Table) -> "TurnStepper[BreachT]":
        """A stepper that foresees nothing itself, to try a table."""
        trial = TurnStepper(
            table, self._checks, self._stopping_codes, self._count_nothing, self._fault_codes
        )
        trial._trying = True
        return trial

    def _with_faults(self, faults: Faults, table: Table, found: tuple[BreachT, ...]) -> Faults:
        """The faults with those of one event more; one that is excused counts something."""
        codes = [breach.code for breach in found]
        if not self._fault_codes.illegal.isdisjoint(codes):
            if self._count_nothing is None or self._count_nothing(table, found):
                faults = faults._replace(illegal=faults.illegal + 1)
            else:
                faults = faults._replace(excused=faults.excused + 1)
        wrong = sum(code in self._fault_codes.mismatch for code in codes)
        return faults._replace(mismatches=faults.mismatches + wrong)


def _is_withdrawn(table: Table) -> bool:
    """Whether every card is known, and the event at hand is withdrawn right after it."""
    after = table.events[table.index + 1 : table.index + 2]
    withdrawn = any(isinstance(e, Irregular) and e.what == "withdrawn_meld" for e in after)
    return withdrawn and not table.knowledge.partial


def _copied(table: Table) -> Table:
    """A table to try something on, with the events of its deal."""
    other = table.copy()
    other.events = table.events
    return other


CODE = "undetermined"


class Opening(NamedTuple):
    """A deal that is left open, the first event that does (-1: the deal itself), and what would decide it."""

    deal: int
    event: int
    clause: str
    missing: str = ""

    def note(self) -> Finding:
        """The note that says so."""
        at = place_in_deal(self.deal, self.event if self.event >= 0 else None)
        return FINDING_CODES[CODE].finding(at, self.clause, missing=self.missing)


def opening_of(number: int, deal: Deal, table: Table) -> Opening | None:
    """What leaves this deal open; None if its record shows everything that matters."""
    knowledge = table.knowledge
    if knowledge.scores_only:
        return Opening(number, -1, "scores")
    exhausted = table.tracking.exhausted
    if not (knowledge.uncertain or exhausted):
        return None
    missing = list(_missing(deal, table))
    # The record may hide nothing, and what a seven of trumps scored is open for the readings that were left out.
    if exhausted and not (knowledge.uncertain and missing):
        clause = CUT_SHORT_CLAUSE if table.tracking.budget.is_cut_short else "search"
        return Opening(number, -1, clause)
    since = -1 if knowledge.open_since is None else knowledge.open_since
    return Opening(number, since, "missing", join_words(missing or ["every card"], "or"))


def _missing(deal: Deal, table: Table) -> Iterator[str]:
    """What the record of a deal does not show, in words."""
    turned = isinstance(table.rules.written.trumps, TurnUp)
    if deal.setup is None and turned and "?" in (deal.turn_up or "??"):
        yield "the turn-up"
    elif trumps_unknown(table):
        yield "the trump suit"
    yield from _missing_hands(deal, table)
    kinds: dict[type, str] = {
        Play: "every card played",
        Discard: "every card discarded",
        Draw: "every card drawn",
        Meld: "every card melded",
        Declare: "every card melded",
    }
    hidden = {kinds[type(event)] for event in deal.events if "?" in _cards_of(event)}
    if _leaves_out_draws(deal, table):
        hidden.add(kinds[Draw])
    yield from [words for words in dict.fromkeys(kinds.values()) if words in hidden]
    if table.knowledge.plays_only:
        yield "whether there were other melds"
    if table.rules.has_tableau and any(map(_hides_origin, deal.events)):
        yield "where the cards of every marriage lay"


def _missing_hands(deal: Deal, table: Table) -> Iterator[str]:
    hands = deal.setup.hands if deal.setup is not None else deal.hands
    if hands is None:
        yield "the hands"
        return
    for seat, hand in enumerate(hands[: table.seats]):
        if "?" in "".join(hand):
            yield f"the hand of {seat_name(table, seat)}"


def _cards_of(event: object) -> str:
    match event:
        case Play(card=card) | Draw(card=card) | Discard(card=card):
            return card
        case Meld(cards=cards) | Declare(cards=cards):
            return "".join(cards)
        case _:
            return ""


def _leaves_out_draws(deal: Deal, table: Table) -> bool:
    """Whether cards were drawn that the record does not write."""
    written = sum(isinstance(event, Draw) for event in deal.events)
    if table.rules.has_tableau:
        return deal.stock is None and not written
    while_drawing = table.tricks - sum(table.closed_tricks)
    return deal.stock is None and written < table.seats * while_drawing - len(table.draws_due)


def _hides_origin(event: object) -> bool:
    return isinstance(event, Meld) and event.meld == "marriages" and event.from_tableau is None
