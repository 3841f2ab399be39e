"""What happened to the copies of one seat, kept where its readings may become too many to be listed.

A story is a chain of steps from the point where no copy was told apart: cards melded, cards played, melds
taken up. What a story allows can be asked of a `ReadingFinder` (see `proof`) without listing every reading.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple
from weakref import ref

from records.engine.copies.marks import Readings, ReusePredicate

MOST_READINGS_LISTED = 1024
"""So many readings of one seat are all followed."""
READINGS_SAMPLED = 32
"""So many are followed where there are more; whether there are others is looked for where it matters."""


class CopyLeft(NamedTuple):
    """A copy of a card left the seat, which held so many before, from the hand or the table if it is said."""

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
"""Finds a reading that a story allows: none, if there is none; None, if it gave up."""


class CopyHistory:
    """A chain of steps; the same step after the same story is the same story."""

    __slots__ = ("__weakref__", "_asked", "_next", "before", "bounds", "cards", "step", "witness")

    def __init__(
        self,
        witness: ReadingFinder,
        before: "CopyHistory | None" = None,
        step: HistoryStep | None = None,
    ) -> None:
        self.witness = witness
        self.before = before
        self.step = step
        melded = (
            frozenset(dict(step.wanted)) if isinstance(step, CopiesMelded) else frozenset[str]()
        )
        self.cards: frozenset[str] = melded | before.cards if before else melded
        self.bounds: dict[str, tuple[int, int]] | None = None
        self._asked: list[Readings | None] = []
        self._next: dict[HistoryStep, ref[CopyHistory]] = {}

    def then(self, step: HistoryStep) -> "CopyHistory":
        """The story with one more step."""
        known = self._next.get(step)
        found = known() if known else None
        if found is None:
            found = CopyHistory(self.witness, self, step)
            self._next[step] = ref(found)
        return found

    def chain(self) -> Iterator["CopyHistory"]:
        """The story and those it goes on from, the newest first, without the one in which nothing happened."""
        story: CopyHistory | None = self
        while story is not None and story.step is not None:
            yield story
            story = story.before

    def reading(self) -> Readings | None:
        """One reading that the story allows; none, if there is none; None, where that was not found out."""
        if not self._asked:
            self._asked.append(self.witness(self))
        return self._asked[0]


class ReadingsWithHistory(Readings):
    """Readings with the story that they come from: all that it allows (`whole`), or some of them.

    `search_given_up` says that none was found, and that not everything was searched.
    """

    story: CopyHistory
    whole: bool
    left_open: bool


def attach_history(
    readings: Readings, story: CopyHistory, *, whole: bool = True, left_open: bool = False
) -> ReadingsWithHistory:
    """These readings of a story."""
    found = ReadingsWithHistory(readings)
    found.story, found.whole, found.left_open = story, whole, left_open
    return found


def readings_after_step(
    before: ReadingsWithHistory, found: Readings, step: HistoryStep
) -> ReadingsWithHistory:
    """What a step leaves of readings; where it leaves none of some, another is looked for."""
    story, whole, left_open = before.story.then(step), before.whole, False
    if len(found) > MOST_READINGS_LISTED:
        found, whole = tuple(sorted(found)[:: -(-len(found) // READINGS_SAMPLED)]), False
    elif whole and found == ((),):
        story = CopyHistory(story.witness)
    elif not found and not whole:
        others = story.reading()
        found, left_open = others or (), others is None
    return attach_history(found, story, whole=whole, left_open=left_open)


def search_given_up(readings: Readings) -> bool:
    """Whether no reading was found, and not for want of one: the search was given up."""
    return type(readings) is ReadingsWithHistory and readings.left_open


def are_all_readings(readings: Readings) -> bool:
    """Whether these are all the readings there are."""
    return type(readings) is not ReadingsWithHistory or readings.whole
