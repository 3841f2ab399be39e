"""`bezique conform`: the conformance kit, written out, and run on a program or on this one."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from records.conformance import SECONDS_PER_ANSWER
from records.phrases import pluralize
from records.rules.registry import ALL_SHEETS, own_sheets
from webui.cli.main import FOLDER_PATH, FilePath, ProgressBar, WholeNumber
from webui.cli.own_sheets import is_sheet_file, own_sheets_option, sheet_id_of

if TYPE_CHECKING:
    from records.conformance.cases import Case
    from records.conformance.error_cases import Caught
    from records.conformance.run import CaseResult, KitReport
    from records.rules.vocabulary import RuleSheet


MOST_FAILURES_NAMED = 10


class _SheetOfCases(click.Choice[str]):
    """The ID of a rulebook, also of that of a file."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return sheet_id_of(value) if is_sheet_file(value) else super().convert(value, param, ctx)


SHEET = click.option(
    "--rules", "sheets", multiple=True, metavar="ID|FILE", type=_SheetOfCases([sheet.id for sheet in ALL_SHEETS]),
    help="Only the cases of this rulebook, and those of none; may be given several times.",
)  # fmt: skip


@click.group()
def conform() -> None:
    """Test a program that reads or checks records against the conformance kit.

    The kit holds cases: records with what is to be said of them. The page conformance.md describes them and the
    protocol.

    \b
      bezique conform write kit
      bezique conform run -- python3 harness.py
    """


@conform.command()
@click.argument("folder", type=FOLDER_PATH, metavar="DIR")
@click.option(
    "--games", type=WholeNumber(min=0, max=1000), default=0, show_default=True, metavar="N",
    help="Add N games of every rule sheet, each followed event by event and damaged in several places.",
)  # fmt: skip
@SHEET
@click.option(
    "--errors", is_flag=True,
    help="Plant errors in the values of a rulebook of your own, one at a time, and add cases that catch them; takes a minute, with many packs some.",
)  # fmt: skip
def write(folder: Path, games: int, sheets: tuple[str, ...], *, errors: bool) -> None:
    """Write the kit into a folder: an index, a file of cases for every rule sheet, harnesses and a driver.

    Replaces the index and the cases of an older kit. Harnesses, a driver and other files that are there stay as they are.

    Of a rulebook of your own, its file after --rules, the cases are made from its data, and every record carries it. A file
    beside them says what they do not show.

    \b
      bezique conform write kit
      bezique conform write kit --rules zique --games 20
      bezique conform write kit --rules ours.toml --errors
    """
    from analyzer.store.durable_files import errors_about
    from records.conformance.answers import generated_cases
    from records.conformance.cases import kit_folder, read_kit, write_kit
    from records.conformance.own_cases import GAMES_OF_OWN, not_covered, own_cases

    cases = _of_sheets(read_kit(kit_folder()), sheets)
    for sheet in ALL_SHEETS:
        if not sheets or sheet.id in sheets:
            cases += generated_cases(sheet, games)
    if errors and not own_sheets():
        raise click.UsageError(
            "--errors is for a rulebook of your own: name its file with --rules."
        )
    told: dict[str, str] = {}
    for sheet in own_sheets():
        own = [*own_cases(sheet, games or GAMES_OF_OWN)]
        more, caught = _choose(sheet, own) if errors else ([], {})
        cases += [*own, *more]
        told[sheet.id] = not_covered(sheet, caught)
    was_filled = folder.is_dir() and any(folder.iterdir())
    with errors_about(folder):
        index = write_kit(folder, cases)
        for name, text in told.items():
            (folder / f"{name}.md").write_text(text, encoding="utf-8")
        for program in (*kit_folder().glob("harness.*"), *kit_folder().glob("driver.*")):
            # Somebody may have made the harness of an older kit their own.
            if not (folder / program.name).exists():
                (folder / program.name).write_bytes(program.read_bytes())
    click.echo(f"{pluralize(index.cases, 'case')} in {pluralize(len(index.files), 'file')}.")
    if was_filled:
        click.echo(f"{folder} was not empty: what else was there stays.", err=True)


def _choose(sheet: "RuleSheet", cases: "list[Case]") -> "tuple[list[Case], Caught]":
    """The cases that catch planted errors, chosen while a bar shows how far the work is."""
    from records.conformance.error_cases import choose_cases, errors_to_catch

    with ProgressBar("planting", len(errors_to_catch(sheet))) as bar:
        return choose_cases(
            sheet, cases, on_error=lambda done: bar.show(done, pluralize(done, "error"))
        )


@conform.command(context_settings={"ignore_unknown_options": True})
@click.argument("program", nargs=-1, required=True, type=click.UNPROCESSED,
                metavar="-- PROGRAM [ARGUMENT...]")  # fmt: skip
@click.option(
    "--kit", type=FilePath(exists=True, file_okay=False, path_type=Path), metavar="DIR",
    help="The folder of the kit; the one that comes with this program if left out.",
)  # fmt: skip
@SHEET
@click.option(
    "--jobs", type=WholeNumber(1, 64), metavar="N",
    help="So many processes of the program at once; one a processor if left out.",
)  # fmt: skip
@click.option(
    "--seconds", type=click.FloatRange(min=0.1), default=SECONDS_PER_ANSWER, show_default=True,
    help="How long an answer may take.",
)  # fmt: skip
@click.option("--report", type=FilePath(dir_okay=False, path_type=Path), metavar="FILE",
              help="Write the results as JSON.")  # fmt: skip
@click.option("--badge", "badge_file", type=FilePath(dir_okay=False, path_type=Path), metavar="FILE",
              help="Write a badge as SVG.")  # fmt: skip
@click.pass_context
def run(
    ctx: click.Context,
    program: tuple[str, ...],
    *,
    kit: Path | None,
    sheets: tuple[str, ...],
    jobs: int | None,
    seconds: float,
    report: Path | None,
    badge_file: Path | None,
) -> None:
    """Ask a program the cases of the kit, and compare its answers.

    The program reads a JSON object a line and answers with one. What it says that it cannot do is not asked.

    \b
      bezique conform run -- python my_validator.py
      bezique conform run --rules zique --report results.json --badge kit.svg -- node validator.mjs

    \b
    Exit status:
      0  at least one case was answered, and every answer was as expected
      1  some were not, or every case was skipped
      2  the program, the kit or a file of results cannot be used
    """
    from records.conformance.cases import kit_folder, read_kit
    from records.conformance.run import report_on, run_kit

    cases = _of_sheets(read_kit(kit or kit_folder()), sheets)
    _try_to_write(report, badge_file)
    with ProgressBar("asking", len(cases)) as bar:
        hello, results = run_kit(
            program,
            cases,
            jobs=jobs or os.cpu_count() or 1,
            seconds=seconds,
            on_result=lambda done: bar.show(done, pluralize(done, "case")),
        )
    found = report_on(hello, cases, results)
    click.echo("\n".join((*_result_lines(found), *_simplest_lines(cases, results))))
    _write_results(found, report, badge_file)
    ctx.exit(0 if found.conforms else 1)


def _try_to_write(*files: Path | None) -> None:
    """Raise OSError for a file that cannot be written, before the minutes that the kit takes.

    A pipe or device is not tried: whoever reads a pipe would take the trial for the end.
    """
    for file in filter(None, files):
        is_new = not file.exists()
        if is_new or file.is_file():
            file.open("ab").close()
        if is_new:  # a link to nothing stays a link
            file.resolve().unlink()


def _write_results(found: "KitReport", report: Path | None, badge_file: Path | None) -> None:
    """Write the files that were asked for."""
    import msgspec

    from analyzer.store.durable_files import errors_about
    from records.conformance.run import badge

    if report is not None:
        with errors_about(report):
            report.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")
    if badge_file is not None:
        with errors_about(badge_file):
            badge_file.write_text(badge(found), encoding="utf-8")


@conform.command()
@own_sheets_option
def answer() -> None:
    """Answer the kit's questions on standard input, as a program under test does.

    \b
      bezique conform run -- bezique conform answer
      bezique conform run -- bezique conform answer --rules ours.toml
    """
    from webui.cli.kit_answers import answer_lines

    for line in answer_lines(sys.stdin.buffer):
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()


def _result_lines(found: "KitReport") -> Iterator[str]:
    """The table, the sum, and the first failures."""
    from records.conformance.run import sum_lines, table_lines

    yield from table_lines(found)
    yield from sum_lines(found)
    for result in found.failures[:MOST_FAILURES_NAMED]:
        yield f"  {result.outcome}: {result.case}"
    if len(found.failures) > MOST_FAILURES_NAMED:
        yield f"  and {len(found.failures) - MOST_FAILURES_NAMED} more"


def _simplest_lines(cases: "list[Case]", results: "list[CaseResult]") -> Iterator[str]:
    """The simplest of the failures, in full."""
    from records.conformance.run import disagreement_lines, simplest_disagreement

    simplest = simplest_disagreement(cases, results)
    if simplest is not None:
        yield "\nThe simplest of them:"
        yield from disagreement_lines(*simplest)


def _of_sheets(cases: "list[Case]", sheets: tuple[str, ...]) -> "list[Case]":
    """The cases of these sheets and those of none, such as bytes; all if no sheet is named."""
    return [case for case in cases if not sheets or case.sheet in (None, *sheets)]
