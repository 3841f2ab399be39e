"""`bezique identify`: by which rules a game was played, and what an illegal one may have meant."""

from collections.abc import Iterator
from itertools import islice

import click
import msgspec

from analyzer.identify.corrections import suggest_corrections
from analyzer.identify.matching_rules import RulesCandidate, identify_rules
from records import codec
from records.errors import RulesError
from records.record import Record
from records.safe_text import sanitize_text
from webui.cli.progress_bar import ProgressBar
from webui.cli.refusal import Refusal
from webui.cli.sources import find_inputs, read_input_records
from webui.display.wording import options_words, pluralize

EXIT_NONE_ACCEPTS = 1
"""The exit status where no rulebook accepts the record."""


@click.command()
@click.argument("file")
@click.option(
    "--record", "number", type=click.IntRange(min=1), default=1, metavar="N",
    help="The N-th record of the file.  [default: the first]",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="The same for programs.")
@click.pass_context
def identify(ctx: click.Context, file: str, *, number: int, as_json: bool) -> None:
    """Say by which rules a game may have been played.

    The record is held against every rulebook, whatever rules it names, with the options that fit it best:
    those that accept it and give its numbers are listed, and what differs by the others. If it is illegal by
    the rules it names, the single changes that would make it legal follow: one card, one seat, one draw.

    \b
      bezique identify game.json
      bezique identify games.jsonl --record 7 --json

    Exit status: 0 some rulebook accepts it, 1 none does, 2 it cannot be read.
    """
    record = _nth(file, number)
    found = identify_rules(record)
    try:
        meant = suggest_corrections(record)
    except RulesError:
        meant = []
    if as_json:
        suggestions = [
            {name: getattr(each, name) for name in ("deal", "event", "kind", "says", "mismatches")}
            for each in meant
        ]
        click.echo(msgspec.json.encode({"rules": found, "did_you_mean": suggestions}).decode())
    else:
        click.echo("\n".join(_told(found)))
        if meant:
            click.echo(click.style("\nDid you mean", bold=True))
        for each in meant:
            where = "" if each.event is None else f", event {each.event + 1}"
            wrong = (
                f"  ({pluralize(each.mismatches, 'number')} would differ)"
                if each.mismatches
                else ""
            )
            click.echo(f"  Deal {each.deal + 1}{where}: {sanitize_text(each.says)}{wrong}")
    ctx.exit(0 if any(each.accepted for each in found) else EXIT_NONE_ACCEPTS)


def _told(found: list[RulesCandidate]) -> Iterator[str]:
    accepted = [each for each in found if each.accepted]
    yield click.style("Accepted by" if accepted else "No rulebook accepts it", bold=True)
    for each in accepted:
        with_options = f" with {options_words(each.options)}" if each.options else ""
        yield f"  {each.name} ({each.sheet}){with_options}"
        if each.open:
            yield click.style(f"      It leaves open: {', '.join(each.open)}.", dim=True)
    yield click.style("What differs by the others" if accepted else "What differs", bold=True)
    for each in (one for one in found if not one.accepted):
        yield f"  {each.name} ({each.sheet}): {_what_differs(each)}"
        for finding in each.differs[:1]:
            yield click.style(f"      {sanitize_text(finding.message)}", dim=True)


def _what_differs(each: RulesCandidate) -> str:
    what = []
    if each.breaches:
        least = "" if each.all_told else "at least "
        what.append(f"{least}{pluralize(each.breaches, 'breach', 'breaches')}")
    if each.mismatches:
        what.append(f"{pluralize(each.mismatches, 'number')} wrong")
    return ", ".join(what)


def _nth(file: str, number: int) -> Record:
    with ProgressBar("reading") as bar:
        found = next(islice(read_input_records(find_inputs((file,)), bar), number - 1, None), None)
    if found is None:
        raise Refusal(f"{file} has no record {number}.")
    entry = found.entry
    record = None if entry.findings else codec.decode(entry.data, line=entry.line).record
    if record is None:
        raise Refusal(f"{found.place} cannot be read; `bezique validate` says why.")
    return record
