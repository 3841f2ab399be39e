"""`bezique validate`: findings in the style of compiler messages, or in a format for another program."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from webui.cli.main import (
    FROM_ZERO,
    FilePath,
    ProgressBar,
    complete_codes,
    error_sentence,
    server_address,
)
from webui.cli.own_sheets import own_sheets_option
from webui.cli.sources import InputRecord, find_inputs_that_exist, read_input_records

if TYPE_CHECKING:  # what works is loaded when it is needed, so that the help starts at once
    from records.validate.report import Report
    from webui.cli.reports import FindingTally, Reporter
    from webui.cli.settings import LinterSettings, RecordToJudge

FORMATS = ("text", "json", "github", "sarif", "junit")


EPILOG = """
What a folder leaves out is in its bezique.toml, or under [tool.bezique] in its pyproject.toml; the nearest
folder above a file counts. --select counts instead of theirs, --ignore with theirs. The verdict is that of
all findings, and what keeps a record from being read is always told.

\b
  select = ["illegal", "mismatch"]
  ignore = ["wrong-trick-winner"]
  lenient = true

Limits: 8 MiB, 1,000 deals, 1,000 lines and 10,000 notes a record, 5,000 events a deal, 512 entries in any other
list, and 200 times its size from a compressed file. Every record is judged as it is alone. The format page
lists all limits.

\b
Exit status:
  0  no findings, or only notes
  1  a rule was broken, a score is wrong, or there is a warning
  2  a record or a file cannot be read
  130  interrupted
"""


@click.command(epilog=EPILOG)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=FilePath())
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="text", show_default=True,
    help="text for people; json: one report per line, in the order of the records; github: annotations of a workflow;"
    " sarif and junit: one document.",
)  # fmt: skip
@click.option(
    "--select", multiple=True, metavar="CODES", shell_complete=complete_codes,
    help="Report only these findings: codes or severities, with commas. May be repeated.",
)  # fmt: skip
@click.option(
    "--ignore", multiple=True, metavar="CODES", shell_complete=complete_codes,
    help="Leave these findings out. May be repeated.",
)  # fmt: skip
@click.option("--no-settings", is_flag=True, help="Read no bezique.toml and no pyproject.toml.")
@click.option(
    "--lenient", is_flag=True, help="Warn about unknown members instead of refusing the record."
)
@click.option(
    "--max-findings", type=FROM_ZERO, metavar="N",
    help="Print at most N findings per record, a habit being one; the summary counts all.",
)  # fmt: skip
@click.option(
    "--all", "every", is_flag=True,
    help="Print every finding, also those that follow from another or repeat a habit.",
)  # fmt: skip
@own_sheets_option
@click.option("-q", "--quiet", is_flag=True, help="Print nothing and only set the exit status.")
@click.pass_context
def validate(
    ctx: click.Context,
    paths: tuple[str, ...],
    *,
    form: str,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    no_settings: bool,
    lenient: bool,
    max_findings: int | None,
    every: bool,
    quiet: bool,
) -> None:
    """Check records against the rules.

    Checks every event by the rules that the record names, and every score and trick winner in the record.

    PATH is a file, a folder (every .json, .jsonl, .ndjson and .bezique file below it, compressed or not) or - for standard
    input. Records without findings are only counted. What a program or a player does again and again is reported
    once, and what follows from a finding below it. Deals, events and tricks are counted from 1 in words; the
    JSON pointers beside them and JSON reports count from 0, as the format does.

    \b
      bezique validate game.json
      bezique validate samples/ --max-findings 3
      bezique validate games/ --format github --ignore note
      zcat games.jsonl.gz | bezique validate - --format json
    """
    from webui.cli.reports import FindingTally

    chosen = settings_of_options(select, ignore, lenient=lenient)
    tally, reporter = FindingTally(), make_reporter(form, max_findings, every=every)
    with ProgressBar("validating") as bar:
        if not quiet:
            print_above(bar, reporter.begin())
        for input_record, report in records_with_reports(
            paths, bar, tally, chosen, with_settings=not no_settings
        ):
            tally.add(report)
            if not quiet:
                print_above(bar, reporter.tell(input_record, report))
        if not quiet:
            print_above(bar, reporter.end(tally))
    ctx.exit(tally.status())


def settings_of_options(
    select: tuple[str, ...], ignore: tuple[str, ...], *, lenient: bool
) -> "LinterSettings":
    """What the options choose; raises Refusal at a name that is no code and no severity."""
    from webui.cli.settings import LinterSettings, read_names

    return LinterSettings().with_options(
        read_names(select, "--select"), read_names(ignore, "--ignore"), lenient=lenient
    )


def make_reporter(form: str, most: int | None, *, every: bool) -> "Reporter":
    """What prints the reports in a format; only its own module is loaded."""
    if form == "text":
        from webui.cli.reports import TextReporter

        return TextReporter(most, every=every)
    from webui.cli.program_reporters import REPORTERS

    return REPORTERS[form](most, every=every)


def print_above(bar: ProgressBar, lines: Iterable[str]) -> None:
    """Print lines, if there are any, where they do not run into the bar."""
    text = "\n".join(lines)
    if text:
        bar.clear()
        click.echo(text)


def records_with_reports(
    paths: tuple[str, ...],
    bar: ProgressBar,
    tally: "FindingTally",
    chosen: "LinterSettings",
    *,
    with_settings: bool,
) -> "Iterator[tuple[InputRecord, Report]]":
    """Every record with its report; and a file that cannot be read is told."""

    def tell(sentence: str) -> None:
        bar.clear()
        click.echo(f"Error: {sentence}", err=True)
        tally.missing += 1

    inputs, missing = find_inputs_that_exist(paths)
    for sentence in missing:
        tell(sentence)
    records = read_input_records(inputs, bar, lambda error: tell(error_sentence(error)))
    to_judge = _with_settings(records, chosen, with_settings=with_settings)
    if server_address():
        from webui.cli.remote import judge_at_site

        judged = judge_at_site(to_judge)
    else:
        judged = _judge_here(to_judge)
    for (input_record, settings), report in judged:
        yield input_record, settings.filter_report(report)


def _with_settings(
    records: Iterable[InputRecord], chosen: "LinterSettings", *, with_settings: bool
) -> "Iterator[RecordToJudge]":
    """The records with the settings of their folders, and what was chosen."""
    from webui.cli.settings import RecordToJudge, folder_settings

    settings = chosen
    for input_record in records:
        if input_record.number == 1 and with_settings:
            folder = (input_record.source.path or Path("stdin")).absolute().parent
            settings = folder_settings(folder).with_options(
                chosen.select, chosen.ignore, lenient=chosen.lenient
            )
        yield RecordToJudge(input_record, settings)


def _judge_here(records: "Iterable[RecordToJudge]") -> "Iterator[tuple[RecordToJudge, Report]]":
    for each in records:
        yield each, report_on(each.record, strict=not each.settings.lenient)


def report_on(input_record: InputRecord, *, strict: bool) -> "Report":
    """The report on one record."""
    from records.validator import check_entry

    return check_entry(input_record.entry, strict=strict, identify=True)
