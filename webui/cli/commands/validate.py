"""`bezique validate`: findings in the style of compiler messages, or reports as JSON."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Literal

import click
import msgspec

from records.phrases import pluralize
from records.validate.groups import fold_findings
from records.validate.report import Report
from records.validate.shared_budget import SharedBudget
from records.validator import check
from webui.cli.finding_lines import finding_lines, group_lines, summary_lines, verdict_line
from webui.cli.progress_bar import ProgressBar
from webui.cli.sources import InputRecord, find_inputs, read_input_records

EXIT_FINE, EXIT_FINDINGS, EXIT_UNREADABLE = 0, 1, 2
WRONG_SEVERITIES = ("illegal", "mismatch", "warning")
"""Findings of these severities make the exit status 1; notes do not."""


class FindingTally:
    """Counts of verdicts and findings over all records so far."""

    def __init__(self) -> None:
        self.verdicts: Counter[str] = Counter()
        self.codes: Counter[tuple[str, str]] = Counter()

    def add(self, report: Report) -> None:
        """Count one more report."""
        self.verdicts[report.verdict] += 1
        self.codes.update((finding.code, finding.severity) for finding in report.findings)

    def status(self) -> int:
        """The exit status for these counts."""
        if self.verdicts["unreadable"]:
            return EXIT_UNREADABLE
        return (
            EXIT_FINDINGS
            if any(severity in WRONG_SEVERITIES for _, severity in self.codes)
            else EXIT_FINE
        )


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True,
    help="text for people, or json: one report per line, in the order of the records.",
)  # fmt: skip
@click.option(
    "--lenient", is_flag=True, help="Warn about unknown members instead of refusing the record."
)
@click.option(
    "--max-findings", type=click.IntRange(min=0), metavar="N",
    help="Print at most N findings per record, a habit being one; the summary counts all.",
)  # fmt: skip
@click.option(
    "--all", "every", is_flag=True,
    help="Print every finding, also those that follow from another or repeat a habit.",
)  # fmt: skip
@click.option("-q", "--quiet", is_flag=True, help="Print nothing and only set the exit status.")
@click.pass_context
def validate(
    ctx: click.Context,
    paths: tuple[str, ...],
    *,
    form: Literal["text", "json"],
    lenient: bool,
    max_findings: int | None,
    every: bool,
    quiet: bool,
) -> None:
    """Check records against the rules.

    Checks every event by the rules that the record names, and every score and trick winner in the record.

    PATH is a file, a folder (every .json and .jsonl file below it, compressed or not) or - for standard
    input. Records without findings are only counted. What a program or a player does again and again is told
    once, and what follows from a finding below it. Deals, events and tricks are counted from 1 in words; the
    JSON pointers beside them and JSON reports count from 0, as the format does.

    \b
      bezique validate game.json
      bezique validate samples/ --max-findings 3
      zcat games.jsonl.gz | bezique validate - --format json

    Limits: 8 MiB, 1,000 deals, 1,000 lines and 10,000 notes a record, 5,000 events a deal, 512 entries in any other
    list, and 200 times its size from a compressed file. The records of one file share a budget for what must be
    searched in partial records; a note says where it has ended. The format page lists all limits.

    \b
    Exit status:
      0  no findings, or only notes
      1  a rule was broken, a score is wrong, or there is a warning
      2  a record or a file cannot be read
    """
    tally = FindingTally()
    with ProgressBar("validating") as bar:
        for input_record, report in records_with_reports(paths, bar, strict=not lenient):
            tally.add(report)
            if not quiet:
                print_above(
                    bar, report_lines(input_record, report, form, max_findings, every=every)
                )
    if form == "text" and not quiet:
        click.echo("\n".join(summary_lines(tally.verdicts, tally.codes)))
    ctx.exit(tally.status())


def print_above(bar: ProgressBar, lines: Iterable[str]) -> None:
    """Print lines, if there are any, where they do not run into the bar."""
    text = "\n".join(lines)
    if text:
        bar.clear()
        click.echo(text)


def records_with_reports(
    paths: tuple[str, ...], bar: ProgressBar, *, strict: bool
) -> Iterator[tuple[InputRecord, Report]]:
    """Every record with its report; the records of one file share a budget."""
    budget = SharedBudget()
    for input_record in read_input_records(find_inputs(paths), bar):
        if input_record.number == 1:
            budget = SharedBudget()
        yield input_record, report_on(input_record, budget, strict=strict)


def report_on(input_record: InputRecord, budget: SharedBudget, *, strict: bool) -> Report:
    """The report on one record, which shares a budget with the others of its file."""
    entry = input_record.entry
    if entry.findings:
        return Report(verdict="unreadable", line=entry.line, findings=entry.findings)
    return check(entry.data, line=entry.line, strict=strict, identify=True, budget=budget)


def report_lines(
    input_record: InputRecord,
    report: Report,
    form: Literal["text", "json"],
    most: int | None,
    *,
    every: bool,
) -> Iterator[str]:
    """The lines printed for one record; none if it has no findings. Findings are folded, unless `every` one is asked for."""
    if form == "json":
        yield msgspec.json.encode(report).decode()
        return
    if not report.findings:
        return
    yield verdict_line(input_record, report)
    told = (
        [list(finding_lines(input_record, finding)) for finding in report.findings[:most]]
        if every
        else [
            list(group_lines(input_record, group))
            for group in fold_findings(report.findings)[:most]
        ]
    )
    left = len(report.findings if every else report.groups) - len(told)
    for lines in told:
        yield from lines
    if left:
        yield f"  and {pluralize(left, 'more finding' if every else 'more kind of finding', '' if every else 'more kinds of findings')}"
