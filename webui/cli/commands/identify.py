"""`bezique identify`: which rules fit a game, and which single change would make it legal."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from records.errors import RulesError
from records.phrases import pluralize, sanitize_text
from webui.cli.main import FilePath
from webui.cli.own_sheets import own_sheets_option
from webui.cli.sources import decode_input_record, find_input_record, record_option
from webui.display.verdict_words import CUT_SHORT

if TYPE_CHECKING:  # what works is loaded when it is needed, so that the help starts at once
    from analyzer.identify.corrections import Correction
    from analyzer.identify.matching_rules import RulesCandidate

EXIT_NONE_ACCEPTS = 1
"""The exit status if no rulebook fits the record."""


@click.command()
@click.argument("file", type=FilePath())
@record_option("Use")
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True,
    help="Text for people, or JSON.",
)  # fmt: skip
@own_sheets_option
@click.pass_context
def identify(ctx: click.Context, file: str, *, number: int, form: str) -> None:
    """Find the rules that fit a game.

    Checks the record against every rulebook, whichever one it names, with the options that fit it best.
    Lists the rulebooks that fit, and what doesn't fit the others. If the record is illegal by the rules it
    names, also lists single changes that would make it legal: one card, one seat, one draw.

    \b
      bezique identify game.json
      bezique identify games.jsonl --record 7 --format json

    Exit status: 0 some rulebook fits, 1 none fits, 2 the record cannot be read.
    """
    import msgspec

    from analyzer.identify.corrections import suggest_corrections
    from analyzer.identify.matching_rules import identify_rules

    record = decode_input_record(find_input_record(file, number))
    candidates = identify_rules(record)
    try:
        corrections = suggest_corrections(record)
    except RulesError:
        # The record names rules that do not exist, so nothing can be corrected by them.
        corrections = []
    if form == "json":
        suggestions = [
            {
                name: getattr(correction, name)
                for name in ("deal", "event", "kind", "says", "mismatches")
            }
            for correction in corrections
        ]
        click.echo(msgspec.json.encode({"rules": candidates, "did_you_mean": suggestions}).decode())
    else:
        click.echo("\n".join(_candidate_lines(candidates)))
        if corrections:
            click.echo(click.style("\nWhat went wrong?", bold=True))
        for correction in corrections:
            click.echo(_correction_line(correction))
    accepted = any(candidate.accepted for candidate in candidates)
    ctx.exit(0 if accepted else EXIT_NONE_ACCEPTS)


def _correction_line(correction: "Correction") -> str:
    event = "" if correction.event is None else f", event {correction.event + 1}"
    wrong = (
        f"  ({pluralize(correction.mismatches, 'score')} in the record would be wrong)"
        if correction.mismatches
        else ""
    )
    return f"  Deal {correction.deal + 1}{event}: {sanitize_text(correction.says)}{wrong}"


def _candidate_lines(candidates: "list[RulesCandidate]") -> Iterator[str]:
    from webui.display.words import options_words

    accepted = [candidate for candidate in candidates if candidate.accepted]
    yield click.style("These rulebooks fit" if accepted else "No rulebook fits", bold=True)
    for candidate in accepted:
        options = f" with {options_words(candidate.options)}" if candidate.options else ""
        yield f"  {candidate.name} ({candidate.sheet}){options}"
        if candidate.open:
            yield click.style(
                f"      The record doesn't show which of these options applied: {', '.join(candidate.open)}.",
                dim=True,
            )
        yield from _cut_short_lines(candidate)
    yield click.style("What doesn't fit, rulebook by rulebook", bold=True)
    for candidate in candidates:
        if candidate.accepted:
            continue
        yield f"  {candidate.name} ({candidate.sheet}): {_count_differences(candidate)}"
        for finding in candidate.differs[:1]:
            yield click.style(f"      {sanitize_text(finding.message)}", dim=True)
        yield from _cut_short_lines(candidate)


def _cut_short_lines(candidate: "RulesCandidate") -> Iterator[str]:
    if candidate.cut_short:
        yield click.style(f"      {CUT_SHORT}", dim=True)


def _count_differences(candidate: "RulesCandidate") -> str:
    if candidate.breaches:
        events = pluralize(candidate.events, "event")
        return f"{candidate.followed:,} of {events} before a breach"
    return pluralize(candidate.mismatches, "wrong score")
