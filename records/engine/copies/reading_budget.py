"""What telling like copies apart may cost, and how many readings are followed.

Costs are counted in steps, never in seconds, so that a verdict never depends on the machine.
"""

from dataclasses import dataclass

MOST_READING_STEPS = 300_000
"""Steps for all deals of one record. A step takes about two microseconds, so this is a bit more than half a second."""
MOST_FEW_READINGS_STEPS = 75_000
"""Steps more, with which few readings may prove deals legal: an attempt that fails takes none from those that decide."""
MOST_READER_STEPS, MOST_REVIEW_STEPS = 1_000_000, 6_000_000
"""Steps to say what may be done at the tables of one record, as its pages ask; and as its review asks, which also looks
at tables that might have been. Few games take a tenth of them."""
LISTING_SHARE = 2
"""While more than this part of the steps is left (a half), readings are listed; then only a sample is, and a solver asked."""

STEPS_A_READING = 2
STEPS_A_CHOICE = 4
STEPS_A_CONFLICT = 24
LITERALS_A_STEP = 16
PROPAGATIONS_A_STEP = 8
VARIABLES_A_STEP = 32
"""What takes how many steps, or how many of it take one: a reading written down, a choice of copies tried, a dead end of
the solver, a literal of a clause, what the solver concludes, and a variable of its answer. A clause takes one step more."""

MOST_READINGS_FOLLOWED = 32_768
"""The most readings of a seat that are followed where no history is kept. Beyond that only a sample is: a reading
of it that survives still proves the record legal, but if none survives, that proves nothing."""
FEW_READINGS = 8
"""So many are followed first where any one that survives proves the deal legal: nearly always one does."""
MOST_AFTER_ILLEGAL_MELDS, LEAST_FOLLOWED = 2_048, 16
"""Illegal melds are laid in so many readings, counted together, and from then on in the fewest that are followed: the
verdict is known, and nothing tells which copies they were."""
CARDS_A_READING = 8
"""A reading, or a choice of copies, of so many more cards costs as much as one more."""
LEAST_CHOICES_TRIED = 64
"""So many choices are tried for a meld even when the budget is spent."""


class ReadingBudget:
    """What is left to spend on telling copies apart, in steps; all deals of a record share one.

    It begins with `steps`, or with `MOST_READING_STEPS`. When it ends, the readings sampled are followed on, and none
    is searched for: a sample that runs out then proves nothing, and the deal is undetermined.
    """

    __slots__ = ("_for_readers", "gave_up", "left", "steps")

    def __init__(self, steps: int | None = None) -> None:
        self.steps: int = MOST_READING_STEPS if steps is None else steps
        self.left: int = self.steps
        self.gave_up = False
        self._for_readers: ReadingBudget | None = None

    @property
    def for_readers(self) -> "ReadingBudget":
        """What is left for those who look at the tables of the same record: the verdict does not depend on them."""
        if self._for_readers is None:
            self.allow_readers(MOST_READER_STEPS)
        assert self._for_readers is not None
        return self._for_readers

    def for_few_readings(self) -> "ReadingBudget":
        """A budget for following few readings: no larger than this one, as a file or a request may have less left."""
        return ReadingBudget(min(self.steps, MOST_FEW_READINGS_STEPS))

    def allow_readers(self, steps: int) -> None:
        """Let those who look at the tables take so many steps from now on."""
        self._for_readers = ReadingBudget(steps)

    def spend(self, steps: int) -> None:
        """Take these steps from what is left; it may go below zero, for work that was begun."""
        self.left -= steps

    @property
    def is_spent(self) -> bool:
        """Whether nothing is left."""
        return self.left <= 0

    @property
    def is_cut_short(self) -> bool:
        """Whether nothing is left, and a record checked alone would have had more."""
        return self.is_spent and self.steps < MOST_READING_STEPS

    @property
    def spent(self) -> int:
        """How much has been spent."""
        return self.steps - self.left

    @property
    def is_ample(self) -> bool:
        """Whether there is enough left to list all readings, and not only a sample."""
        return self.left * LISTING_SHARE > self.steps


@dataclass(slots=True)
class ReadingTracking:
    """Whether all readings of the seats could be followed, and what is left to spend on that.

    At most `limit` readings of a seat are followed; the fewest once the `budget` is spent. `incomplete`: some were
    dropped, or a search was given up. `exhausted`: those followed ran out, which then proves nothing. `largest` is
    the largest number of assignments met, `in_illegal_melds` the number of readings in which illegal melds were laid.

    With `few`, a few readings are followed to prove the deal legal; where they do not, it is replayed with all of
    them. Dropping some leaves nothing incomplete then. With `likely_only`, too, each is followed by likely copies alone:
    by one choice for a meld, if that is allowed, and by two for a card that leaves.
    """

    budget: ReadingBudget
    limit: int = MOST_READINGS_FOLLOWED
    few: bool = False
    likely_only: bool = False
    incomplete: bool = False
    exhausted: bool = False
    largest: int = 1
    in_illegal_melds: int = 0

    def follow_few(self, budget: ReadingBudget, *, likely_only: bool) -> None:
        """Follow a few readings, to prove the deal legal by one of them, and pay from this budget."""
        self.few, self.likely_only = True, likely_only
        self.limit, self.budget = FEW_READINGS, budget

    def note_dropped(self) -> None:
        """Note that some readings are followed no more."""
        self.incomplete = self.incomplete or not self.few

    def pay_for_readings(self, count: int, cards: int) -> None:
        """Pay for so many readings, each of so many cards, that are followed."""
        self._spend(STEPS_A_READING * count * size_of(cards))

    def most_choices(self, cards: int) -> int:
        """How many choices of copies the budget allows to try, each of so many cards."""
        return max(LEAST_CHOICES_TRIED, self.budget.left // (STEPS_A_CHOICE * size_of(cards)))

    def pay_for_choices(self, count: int, cards: int) -> None:
        """Pay for so many choices that were tried, each of so many cards."""
        self._spend(STEPS_A_CHOICE * count * size_of(cards))

    def _spend(self, steps: int) -> None:
        self.budget.spend(steps)
        if self.budget.is_spent:
            self.limit = min(self.limit, LEAST_FOLLOWED)


def size_of(cards: int) -> int:
    """How many readings one of so many cards counts for."""
    return 1 + cards // CARDS_A_READING
