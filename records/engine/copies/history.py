"""What happened to the copies of one seat, kept where its readings may become too many to be listed.

A story is a chain of steps from the point where no copy was told apart: cards melded, cards played, melds
taken up. What a story allows can be asked of a `Witness` (see `proof`) without listing every reading.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple
from weakref import ref

from records.engine.copies.marks import Allows, Readings

MOST = 1024
"""So many readings of one seat are all followed."""
FEW = 32
"""So many are followed where there are more; whether there are others is looked for where it matters."""


class Left(NamedTuple):
    """A copy of a card left the seat, which held so many before, from the hand or the table if it is said."""

    card: str
    held: int
    where: str | None


class Melded(NamedTuple):
    """Copies of cards were laid and marked by `bit`, as a rule of reuse allows; `held` counts the copies."""

    wanted: tuple[tuple[str, int], ...]
    held: tuple[int, ...]
    bit: int
    allows: Allows


class TakenUp(NamedTuple):
    """All laid cards went back to the hand (C7)."""


class Lies(NamedTuple):
    """So many copies of a card lie on the table: at least, or at most."""

    card: str
    number: int
    at_least: bool


Step = Left | Melded | TakenUp | Lies


Witness = Callable[["Story"], Readings | None]
"""Finds a reading that a story allows: none, if there is none; None, if it gave up."""


class Story:
    """A chain of steps; the same step after the same story is the same story."""

    __slots__ = ("__weakref__", "_asked", "_next", "before", "bounds", "cards", "step", "witness")

    def __init__(
        self, witness: Witness, before: "Story | None" = None, step: Step | None = None
    ) -> None:
        self.witness = witness
        self.before = before
        self.step = step
        melded = frozenset(dict(step.wanted)) if isinstance(step, Melded) else frozenset[str]()
        self.cards: frozenset[str] = melded | before.cards if before else melded
        self.bounds: dict[str, tuple[int, int]] | None = None
        self._asked: list[Readings | None] = []
        self._next: dict[Step, ref[Story]] = {}

    def then(self, step: Step) -> "Story":
        """The story with one more step."""
        known = self._next.get(step)
        found = known() if known else None
        if found is None:
            found = Story(self.witness, self, step)
            self._next[step] = ref(found)
        return found

    def chain(self) -> Iterator["Story"]:
        """The story and those it goes on from, the newest first, without the one in which nothing happened."""
        story: Story | None = self
        while story is not None and story.step is not None:
            yield story
            story = story.before

    def reading(self) -> Readings | None:
        """One reading that the story allows; none, if there is none; None, where that was not found out."""
        if not self._asked:
            self._asked.append(self.witness(self))
        return self._asked[0]


class Told(Readings):
    """Readings with the story that they come from: all that it allows (`whole`), or some of them.

    `left_open` says that none was found, and that not everything was searched.
    """

    story: Story
    whole: bool
    left_open: bool


def told(readings: Readings, story: Story, *, whole: bool = True, left_open: bool = False) -> Told:
    """These readings of a story."""
    found = Told(readings)
    found.story, found.whole, found.left_open = story, whole, left_open
    return found


def retold(before: Told, found: Readings, step: Step) -> Told:
    """What a step leaves of readings; where it leaves none of some, another is looked for."""
    story, whole, left_open = before.story.then(step), before.whole, False
    if len(found) > MOST:
        found, whole = tuple(sorted(found)[:: -(-len(found) // FEW)]), False
    elif whole and found == ((),):
        story = Story(story.witness)
    elif not found and not whole:
        others = story.reading()
        found, left_open = others or (), others is None
    return told(found, story, whole=whole, left_open=left_open)


def left_open(readings: Readings) -> bool:
    """Whether no reading was found, and not for want of one: the search was given up."""
    return type(readings) is Told and readings.left_open


def are_all(readings: Readings) -> bool:
    """Whether these are all the readings there are."""
    return type(readings) is not Told or readings.whole
