"""`bezique redact`: records as one seat saw them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from webui.cli.main import FROM_ONE, FROM_ZERO, FilePath, ProgressBar, Refusal
from webui.cli.own_sheets import own_sheets_option
from webui.cli.sources import (
    InputRecord,
    check_deal_number,
    decode_input_record,
    find_input_record,
    find_inputs,
    read_input_records,
)

if TYPE_CHECKING:  # what works is loaded when it is needed, so that the help starts at once
    from records.record import Record


@click.command()
@click.argument("file", type=FilePath())
@click.option(
    "--seat", type=FROM_ZERO, required=True, metavar="SEAT",
    help="The seat as records count it: 0 is the first player.",
)  # fmt: skip
@click.option(
    "--record", "number", type=FROM_ONE, metavar="N",
    help="Redact only the N-th record of the file.  [default: all; with --deal, the first]",
)  # fmt: skip
@click.option(
    "--deal", type=FROM_ONE, metavar="N",
    help="Stop after the N-th deal, or in it with --step.",
)  # fmt: skip
@click.option(
    "--step",
    type=FROM_ZERO,
    metavar="N",
    help="Stop after the N-th event of that deal.",
)
@own_sheets_option
def redact(file: str, *, seat: int, number: int | None, deal: int | None, step: int | None) -> None:
    """Write what one player could know of a game.

    FILE holds one or more records; - is standard input. Prints each as that seat saw it, in its canonical form, one a
    line: the hands and draws of the others are unknown cards. Left out is also what might betray them: which copy a
    card is, the order of a hand, times, notes, lines, extensions, the occasion and the program.

    \b
      bezique redact game.json --seat 0
      bezique redact games.jsonl --seat 1 --record 3 --deal 2 --step 34
    """
    from records.format import codec

    if step is not None and deal is None:
        raise click.UsageError("--step counts the events of a deal: give --deal, too.")
    for input_record in _input_records(file, number or (1 if deal else None)):
        record = decode_input_record(input_record)
        click.echo(codec.encode(_redact(record, seat, deal, step)))


def _input_records(file: str, number: int | None) -> Iterator[InputRecord]:
    if number is not None:
        yield find_input_record(file, number)
        return
    with ProgressBar("redacting") as bar:
        yield from read_input_records(find_inputs((file,)), bar)


def _redact(record: "Record", seat: int, deal: int | None, step: int | None) -> "Record":
    from records.format import redaction

    if seat >= len(record.players):
        raise Refusal(f"Seat {seat} does not exist; the seats are 0 to {len(record.players) - 1}.")
    check_deal_number(record, deal)
    until = None
    if deal is not None:
        events = len(record.deals[deal - 1].events)
        if step is not None and step > events:
            raise Refusal(f"Step {step} does not exist; deal {deal} ends at step {events}.")
        until = redaction.MatchMoment(deal - 1, events if step is None else step)
    return redaction.redact(record, seat, until)
