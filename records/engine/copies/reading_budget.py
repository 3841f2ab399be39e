"""What telling like copies apart may cost: counted in steps, never in seconds, so that a verdict never depends on the machine."""

MOST_READING_STEPS = 300_000
"""Steps for all deals of one record. A step takes about two microseconds, so this is a bit more than half a second."""
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


class ReadingBudget:
    """What is left to spend on telling copies apart, in steps; all deals of a record share one.

    When it ends, the readings sampled are followed on, and none is searched for: a sample that runs out
    then proves nothing, and the deal is undetermined.
    """

    __slots__ = ("_for_readers", "gave_up", "left", "steps")

    def __init__(self, steps: int = MOST_READING_STEPS) -> None:
        self.steps = self.left = steps
        self.gave_up = False
        self._for_readers: ReadingBudget | None = None

    @property
    def for_readers(self) -> "ReadingBudget":
        """What is left for those who look at the tables of the same record: the verdict does not depend on them."""
        if self._for_readers is None:
            self.allow_readers(MOST_READER_STEPS)
        assert self._for_readers is not None
        return self._for_readers

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
