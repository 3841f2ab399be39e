"""Judging one completion: the ordinary replay of a deal in which every card is known."""

from typing import NamedTuple

from msgspec.structs import replace

from records.completions.budget import (
    MOST_READINGS,
    STEPS_A_DEAL,
    STEPS_A_FINDING,
    STEPS_A_REPLAYED_EVENT,
    SearchBudget,
    SearchGivenUpError,
)
from records.completions.written_deal.deal_layout import DealLayout
from records.record import Record
from records.replay import Match, replay
from records.validate.finding import Finding


class CompletionVerdict(NamedTuple):
    """What the replay says of a completion: the position and code of its first breach, or its mismatches.

    `unsure`: not every reading of the copies could be followed, so the verdict proves nothing.
    """

    position: int | None
    code: str
    mismatches: tuple[Finding, ...]
    unsure: bool

    @property
    def legal(self) -> bool:
        """Whether no rule is broken."""
        return not self.code


class CompletionJudge:
    """Replays the completions of one deal of a record, with the scores that the deals before it came to."""

    def __init__(self, record: Record, match: Match, number: int, budget: SearchBudget) -> None:
        self._record = replace(record, deals=[], result=None, notes=None, lines=None)
        self._match, self._number, self._budget = match, number, budget

    def judge(self, layout: DealLayout, cards: list[str]) -> CompletionVerdict:
        """The verdict on the deal with these cards in its slots."""
        self._budget.spend(STEPS_A_DEAL + STEPS_A_REPLAYED_EVENT * len(layout.steps))
        record = replace(self._record, deals=[layout.completed(cards)])
        match = Match(record, self._match.resolved, budget=self._match.reading_budget)
        scores = self._match.scores
        match.scores = None if scores is None else list(scores)
        mismatches, unsure = [], False
        for frame in replay(record, match=match, findings_only=True):
            self._budget.spend(STEPS_A_FINDING * len(frame.findings))
            for finding in frame.findings:
                if finding.severity == "illegal":
                    return CompletionVerdict(finding.at.event, finding.code, (), unsure)
                if finding.severity == "mismatch":
                    mismatches.append(self._in_record(layout, finding))
            tracking = frame.table.tracking
            if tracking.largest > MOST_READINGS:
                raise SearchGivenUpError
            unsure = tracking.exhausted or frame.table.knowledge.uncertain
        return CompletionVerdict(None, "", tuple(mismatches), unsure)

    def _in_record(self, layout: DealLayout, finding: Finding) -> Finding:
        """A finding at its place in the record, where the draws that it leaves out are not counted."""
        at, deal = finding.at, f"/deals/{self._number}"
        event = None if at.event is None else layout.steps[at.event].index
        rest = at.pointer.removeprefix("/deals/0")
        if event is not None:
            rest = f"/events/{event}" + rest.removeprefix(f"/events/{at.event}")
        return replace(finding, at=replace(at, deal=self._number, event=event, pointer=deal + rest))
