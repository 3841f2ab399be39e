"""What happened to the copies of one seat, kept where its readings may become too many to list.

A history is a chain of steps from the point where no copy was told apart: cards melded, cards played,
melds taken up. It determines all readings without listing them. Some are listed all the same, because
most events are allowed by one of those, and a listed reading is quick to check. Only where none of them
allows an event is a solver (`SatSearch` in `records.engine.reading_sat`) asked whether another does.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple
from weakref import ref

from records.engine.copies import STEPS_A_READING, Reading, ReadingBudget, Readings, ReusePredicate

MOST_READINGS_LISTED = 1024
"""The most readings of one seat that are all listed."""
READINGS_SAMPLED = 8
"""How many are listed if there are more; others are searched for when these do not suffice."""


class CopyLeft(NamedTuple):
    """A copy of a card left the seat, which `held` so many before; `where` it lay, if the record says so."""

    card: str
    held: int
    where: str | None


class CopiesMelded(NamedTuple):
    """Copies of cards were laid and marked by `bit`, as a rule of reuse allows; `held` counts the copies."""

    wanted: tuple[tuple[str, int], ...]
    held: tuple[int, ...]
    bit: int
    allows: ReusePredicate


class MeldsTakenUp(NamedTuple):
    """All laid cards went back to the hand (C7)."""


class CopiesLying(NamedTuple):
    """So many copies of a card lie on the table: at least, or at most."""

    card: str
    number: int
    at_least: bool


HistoryStep = CopyLeft | CopiesMelded | MeldsTakenUp | CopiesLying


ReadingFinder = Callable[["CopyHistory"], Readings | None]
"""Finds one reading that a history allows: empty if there is none, None if the search was given up."""


class HistorySearches(NamedTuple):
    """Who finds readings in the histories of a seat, and what is left to spend on following them.

    What the replay asks and what its readers ask are searched apart, since a solver answers by what it was asked
    before: the verdict must not depend on who else looks at the table.
    """

    for_replay: ReadingFinder
    for_readers: ReadingFinder
    budget: ReadingBudget


class CopyHistory:
    """A chain of steps, linked from the newest to the oldest.

    The same step after the same history is the same object: a check asks what a meld would leave before
    the meld is applied, and both then share one answer of the solver. `cards` have been melded in it;
    `bounds` keeps what `readings.laid_bounds` has found.
    """

    __slots__ = (
        "__weakref__",
        "_answers",
        "_next",
        "before",
        "bounds",
        "cards",
        "searches",
        "step",
    )

    def __init__(
        self,
        searches: HistorySearches,
        before: "CopyHistory | None" = None,
        step: HistoryStep | None = None,
    ) -> None:
        self.searches = searches
        self.before = before
        self.step = step
        melded = (
            frozenset(dict(step.wanted)) if isinstance(step, CopiesMelded) else frozenset[str]()
        )
        self.cards: frozenset[str] = melded | before.cards if before else melded
        self.bounds: dict[str, tuple[int, int]] | None = None
        self._answers: list[Readings | None] = []
        # Weak, so that a history that was only considered goes when nobody holds it any more.
        self._next: dict[HistoryStep, ref[CopyHistory]] = {}

    def then(self, step: HistoryStep) -> "CopyHistory":
        """The history with one more step."""
        known = self._next.get(step)
        found = known() if known else None
        if found is None:
            found = CopyHistory(self.searches, self, step)
            self._next[step] = ref(found)
        return found

    def chain(self) -> Iterator["CopyHistory"]:
        """The history and those it goes on from, the newest first, without the empty one."""
        history: CopyHistory | None = self
        while history is not None and history.step is not None:
            yield history
            history = history.before

    def sure_bounds(self, card: str) -> tuple[int, int]:
        """How many copies of a card lie on the table at least and at most, by counting alone.

        Of copies laid since the melds were last taken up, no more can have gone than were played since; and there are
        not more than the seat holds.
        """
        least = played = laid = 0
        held: int | None = None
        for earlier in self.chain():
            match earlier.step:
                case MeldsTakenUp():
                    break
                case CopyLeft(name, before, _) if name == card:
                    played += 1
                    held = before - 1 if held is None else held
                case CopiesMelded(wanted, copies, _, _):
                    for (name, number), of_card in zip(wanted, copies, strict=True):
                        if name == card:
                            laid += number
                            least = max(least, number - played)
                            held = of_card if held is None else held
        return least, min(laid, held or 0)

    def reading(self) -> Readings | None:
        """One reading that the history allows: empty if there is none, None if the search was given up."""
        if not self._answers:
            self._answers.append(self.searches.for_replay(self))
        return self._answers[0]

    def allows(self, step: HistoryStep) -> bool:
        """Whether some reading allows this step next, as far as a reader's search finds one."""
        found = self.searches.for_readers(self.then(step))
        if found is None:
            self.searches.budget.for_readers.gave_up = True
        return bool(found)


class ReadingsWithHistory(Readings):
    """Readings with the history that they come from: all that it allows (`complete`), or some of them.

    `given_up` says that none was found, but that the search did not come to its end.
    """

    history: CopyHistory
    complete: bool
    given_up: bool


def attach_history(
    readings: Readings, history: CopyHistory, *, complete: bool = True, given_up: bool = False
) -> ReadingsWithHistory:
    """These readings, as ones that this history allows."""
    found = ReadingsWithHistory(readings)
    found.history, found.complete, found.given_up = history, complete, given_up
    return found


def readings_after_step(
    before: ReadingsWithHistory, found: Readings, step: HistoryStep, *, all_found: bool = True
) -> ReadingsWithHistory:
    """The readings `found` to survive a step, with the longer history; if none of a sample did, search for one.

    Where `all_found` is false there may be others, even if those before were all there are.
    """
    history, complete, given_up = before.history.then(step), before.complete and all_found, False
    history.searches.budget.spend(STEPS_A_READING * len(found))
    if len(found) > MOST_READINGS_LISTED:
        # Too many from here on: list some from all over, so that they differ as much as they can.
        found, complete = scattered(sorted(found), READINGS_SAMPLED), False
    elif complete and found == ((),):
        # No copy is told apart any more, so what happened before cannot matter: start a new history.
        history = CopyHistory(history.searches)
    elif not found and not complete:
        others = history.reading()
        found, given_up = others or (), others is None
    return attach_history(found, history, complete=complete, given_up=given_up)


def scattered(readings: Sequence[Reading], number: int) -> Readings:
    """At most so many of these readings, taken at equal distances."""
    return tuple(readings[:: -(-len(readings) // number)])


def search_given_up(readings: Readings) -> bool:
    """Whether no reading was found because the search was given up, so that there may be one."""
    return type(readings) is ReadingsWithHistory and readings.given_up


def are_all_readings(readings: Readings) -> bool:
    """Whether these are all the readings there are."""
    return type(readings) is not ReadingsWithHistory or readings.complete
