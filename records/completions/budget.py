"""What the search for completions may cost: counted in steps, never in seconds, so that a verdict never depends on the machine."""

MOST_STEPS = 200_000
"""Steps for all deals of one record. A step takes about two microseconds, so the search about a third of a second."""

STEPS_A_DEAL = 50
STEPS_A_REPLAYED_EVENT = 2
STEPS_A_FINDING = 4
PROPAGATIONS_A_STEP = 20
CARDS_A_STEP = 4
VARIABLES_A_STEP = 8
"""What a deal, an event replayed, a finding, and the parts of the encoding and of a solver's answer take; a clause takes one."""

MOST_READINGS = 256
"""Deals whose copies can be told apart in more ways are not searched: a single replay may take long."""

MOST_NUMBERS_COMPARED = 256
"""Completions whose numbers are compared for one deal."""


class SearchGivenUpError(Exception):
    """The search cannot go on: the deal has something it does not model, or the budget is spent."""


class NoCompletionError(Exception):
    """No completion agrees with the record: it needs a card where none can be."""


class SearchBudget:
    """What is left to spend on the deals of one record, in steps; `given` is what there was at first."""

    def __init__(self, steps: int = MOST_STEPS) -> None:
        self.given = self.steps = steps

    def spend(self, steps: int) -> None:
        """Pay for some work; raises SearchGivenUpError when there is nothing left."""
        self.steps -= steps
        if self.steps < 0:
            raise SearchGivenUpError

    @property
    def is_cut_short(self) -> bool:
        """Whether it has ended, and a record checked alone would have had more."""
        return self.steps < 0 and self.given < MOST_STEPS

    @property
    def spent(self) -> int:
        """How much has been spent."""
        return self.given - self.steps
