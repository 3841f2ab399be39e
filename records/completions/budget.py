"""What the search for completions may cost: counted in clauses, conflicts and events, never in seconds."""

MOST_CLAUSES = 120_000
"""Clauses written for one record: about a quarter of a second."""

MOST_CONFLICTS = 40_000
"""Dead ends of the solver for one record: about a quarter of a second."""

MOST_EVENTS_REPLAYED = 8_000
"""Events of completions replayed for one record: about a quarter of a second."""

MOST_NUMBERS_COMPARED = 256
"""Completions whose numbers are compared for one deal."""


class SearchGivenUpError(Exception):
    """The search cannot go on: the deal has something it does not model, or the budget is spent."""


class SearchBudget:
    """What is left to spend on the deals of one record."""

    def __init__(
        self,
        clauses: int = MOST_CLAUSES,
        conflicts: int = MOST_CONFLICTS,
        events: int = MOST_EVENTS_REPLAYED,
    ) -> None:
        self.clauses, self.conflicts, self.events = clauses, conflicts, events

    def spend_clauses(self, number: int) -> None:
        """Pay for clauses; raises SearchGivenUpError when there is nothing left."""
        self.clauses -= number
        if self.clauses < 0:
            raise SearchGivenUpError

    def spend_conflicts(self, number: int) -> None:
        """Pay for dead ends of the solver."""
        self.conflicts -= number
        if self.conflicts < 0:
            raise SearchGivenUpError

    def spend_events(self, number: int) -> None:
        """Pay for a replay of so many events."""
        self.events -= number
        if self.events < 0:
            raise SearchGivenUpError
