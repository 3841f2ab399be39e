"""Findings as lines for people, in the style of a compiler, and a summary."""

from collections.abc import Iterator
from dataclasses import replace

from records.codec import as_json, find_text_places
from records.phrases import pluralize
from records.validate.groups import fold_findings
from records.validate.report import Report
from webui.cli.report_formats.finding_lines import (
    finding_lines,
    group_lines,
    summary_lines,
    verdict_line,
)
from webui.cli.report_formats.reporter import FindingTally
from webui.cli.sources import InputRecord


class TextReporter:
    """Tells at most so many findings of a record; a habit is one, unless `every` one is asked for."""

    def __init__(self, most: int | None, *, every: bool) -> None:
        self.most = most
        self.every = every

    def begin(self) -> Iterator[str]:
        """Nothing: lines speak for themselves."""
        yield from ()

    def tell(self, input_record: InputRecord, report: Report) -> Iterator[str]:
        """The verdict and the findings; nothing if there are none."""
        if not report.findings:
            return
        yield verdict_line(input_record, report)
        groups = [] if self.every else fold_findings(report.findings)[: self.most]
        told = report.findings[: self.most] if self.every else [group.first for group in groups]
        entry = input_record.entry
        places = find_text_places(entry.data, told, first_line=entry.line or 1)
        # The event that a finding is about is looked up in JSON.
        input_record = replace(input_record, entry=replace(entry, data=as_json(entry.data)))
        for number, (finding, place) in enumerate(zip(told, places, strict=True)):
            if self.every:
                yield from finding_lines(input_record, finding, place)
            else:
                yield from group_lines(input_record, groups[number], place)
        left = len(report.findings if self.every else report.groups) - len(told)
        if left and self.every:
            yield f"  and {pluralize(left, 'more finding')}"
        elif left:
            yield f"  and {pluralize(left, 'more kind of finding', 'more kinds of findings')}"

    def end(self, tally: FindingTally) -> Iterator[str]:
        """The counts of verdicts and findings."""
        yield from summary_lines(tally.verdicts, tally.codes)
