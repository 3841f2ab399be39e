"""`bezique show`: a game in the terminal, as a list of events or as the table at each step."""

import sys
from collections.abc import Iterator
from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click

from records.phrases import sanitize_text
from webui.cli.main import FROM_ONE, FROM_ZERO, FilePath, Refusal
from webui.cli.own_sheets import own_sheets_option
from webui.cli.sources import InputRecord, check_deal_number, find_input_record, record_option
from webui.display.verdict_words import VERDICT_WORDS, gap_words

if TYPE_CHECKING:  # what works is loaded when it is needed, so that the help starts at once
    from records.record import Record
    from records.rules.registry import ResolvedSheet
    from webui.replay.steps import DealSteps


@click.command()
@click.argument("file", type=FilePath())
@record_option("Show")
@click.option(
    "--deal",
    type=FROM_ONE,
    metavar="N",
    help="Show only the N-th deal.  [default: all]",
)
@click.option(
    "--step", type=FROM_ZERO, metavar="N",
    help="Draw the table after the N-th event of the deal (0: before the first; one more than there are events: the"
    " end). Without --deal, of the first deal.",
)  # fmt: skip
@click.option("--all", "whole", is_flag=True, help="Draw the table after every event.")
@own_sheets_option
def show(file: str, *, number: int, deal: int | None, step: int | None, whole: bool) -> None:
    """Replay a game in the terminal.

    FILE holds one or more records; - is standard input. By default, lists the events in words, with who takes
    each trick, the points, what they are for, and the findings. --step and --all draw the table instead: hands, melds, trick,
    stock, score, and what the rules allow next. The position of a card with a question mark is uncertain:
    it is in the hand or on the table, or in one of several melds.

    \b
      bezique show game.json
      bezique show game.json --deal 2 --step 34
      bezique show games.jsonl --record 7 --all
    """
    from webui.replay.steps import read_deal_steps

    if step is not None and whole:
        raise click.UsageError("--step draws one table and --all every one: give one of them.")
    record, resolved = _decode(find_input_record(file, number))
    check_deal_number(record, deal)
    count = len(record.deals)
    if step is not None and count:
        _print(_step_lines(read_deal_steps(record, resolved, (deal or 1) - 1), step))
        return
    numbers = range(count) if deal is None else range(deal - 1, deal)
    deals = (read_deal_steps(record, resolved, number) for number in numbers)
    _print(_game_lines(record, resolved, deals, whole=whole, with_verdict=deal is None))


def _decode(input_record: InputRecord) -> "tuple[Record, ResolvedSheet]":
    """The record and its rules; refuses a record that cannot be read, with the reasons."""
    from records.format import codec
    from records.rules.registry import resolve_rules

    entry = input_record.entry
    decoded = None if entry.findings else codec.decode(entry.data, line=entry.line)
    findings = entry.findings or (decoded.findings if decoded else [])
    if decoded is None or decoded.record is None:
        reasons = "".join(f"\n  {finding.at.pointer} {finding.message}" for finding in findings)
        raise Refusal(f"{input_record.place} cannot be read.{reasons}")
    rules = decoded.record.rules
    return decoded.record, resolve_rules(rules)


def _step_lines(deal: "DealSteps", number: int) -> Iterator[str]:
    from webui.replay.board import render_step_text

    last = len(deal.steps) - 1
    if number > last:
        raise Refusal(f"Step {number} does not exist; deal {deal.deal + 1} ends at step {last}.")
    return render_step_text(deal, number)


def _game_lines(
    record: "Record",
    resolved: "ResolvedSheet",
    deals: "Iterator[DealSteps]",
    *,
    whole: bool,
    with_verdict: bool,
) -> Iterator[str]:
    from webui.replay.board import list_events

    names = " and ".join(sanitize_text(player.name) for player in record.players)
    yield click.style(f"{names} play {resolved.sheet.name}", bold=True)
    for deal in deals:
        yield ""
        if whole:
            yield from _all_steps(deal)
        else:
            yield from list_events(deal)
    if with_verdict:
        yield ""
        yield from _verdict(record)


def _all_steps(deal: "DealSteps") -> Iterator[str]:
    from webui.replay.board import render_step_text

    for number in range(len(deal.steps)):
        if number:
            yield ""
        yield from render_step_text(deal, number)


def _verdict(record: "Record") -> Iterator[str]:
    from records.validator import check_record
    from webui.display.words import value_words
    from webui.replay.board import finding_words

    report = check_record(record)
    words = ", ".join([VERDICT_WORDS[report.verdict], *gap_words(report)])
    yield f"{words}: {value_words(report.scores)}"
    for finding in report.findings:
        if finding.at.deal is None:
            yield f"  {finding_words(finding)}"


def _print(output: Iterator[str]) -> None:
    """Print lines, through a pager if a terminal cannot hold them."""
    lines = list(output)
    text = "\n".join(lines)
    if sys.stdout.isatty() and len(lines) >= get_terminal_size().lines:
        click.echo_via_pager(text)
    else:
        click.echo(text)
