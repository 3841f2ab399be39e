"""What the search adds to the report on a record: a finding, a note, and whether a deal is still open."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from records.engine.table import Table
from records.partial.written_deal import MOST_READINGS, SearchBudget
from records.record import Record
from records.replay import Match
from records.validate.codes import FINDING_CODES
from records.validate.finding import CUT_SHORT_CLAUSE, Finding, place_in_deal

if TYPE_CHECKING:
    from records.partial.search import CompletionSearchResult


class SearchConclusion(NamedTuple):
    """The findings of the search in one deal; `is_open` says that its record leaves open whether it is legal.

    `event` is the first event found that is legal in one completion and illegal in another.
    """

    findings: tuple[Finding, ...]
    is_open: bool
    event: int | None = None


class RecordSearch:
    """Searches the partial deals of one record in their order; they share one `budget`."""

    def __init__(self, record: Record, budget: SearchBudget) -> None:
        self._record = record
        self.budget = budget
        self._noted: set[str] = set()

    def conclude(
        self, match: Match, deal: int, table: Table, found: Sequence[Finding]
    ) -> SearchConclusion:
        """Search one deal, before which the match stands as it is.

        `table` is the deal as replayed with its cards hidden, `found` are the findings in it so far.
        """
        # Few records are searched, and a command should start at once.
        from records.partial.search import CompletionSearchResult, search_completions

        if table.tracking.largest > MOST_READINGS:
            result = CompletionSearchResult("given-up")
        else:
            result = search_completions(self._record, match, deal, table.trump, self.budget)
        match result.outcome:
            case "illegal":
                return SearchConclusion((self._illegal(deal, result),), is_open=False)
            case "legal":
                known = {(finding.code, finding.at.pointer) for finding in found}
                new = [f for f in result.mismatches if (f.code, f.at.pointer) not in known]
                return SearchConclusion(tuple(new), is_open=False)
            case "given-up":
                clause = CUT_SHORT_CLAUSE if self.budget.is_cut_short else "given-up"
                return SearchConclusion(self._note(deal, clause), is_open=True)
            case "unsearched" | "more-players":
                return SearchConclusion(self._note(deal, result.outcome), is_open=True)
            case _:
                return SearchConclusion((), is_open=True, event=result.event)

    def _note(self, deal: int, clause: str) -> tuple[Finding, ...]:
        """The note that the search cost too much; once a record for each reason."""
        if clause in self._noted:
            return ()
        self._noted.add(clause)
        code = FINDING_CODES["too-many-completions"]
        return (code.finding(place_in_deal(deal), clause),)

    def _illegal(self, deal: int, result: "CompletionSearchResult") -> Finding:
        event, code = result.event, FINDING_CODES["no-legal-completion"]
        if event is None:
            return code.finding(place_in_deal(deal), "deal")
        seat = getattr(self._record.deals[deal].events[event], "seat", None)
        return code.finding(place_in_deal(deal, event, seat), "event")
