"""Lines: what might have been played instead, judged by the rules like what was."""

from collections.abc import Iterator

from records.engine.copies.labels import events_without_single_labels, has_single_cards
from records.engine.deal import lay_out_deal
from records.engine.stepper import Stepper
from records.record import Line, Record
from records.replay import Match
from records.validate.breach import Breach
from records.validate.codes.all_codes import FINDING_CODES
from records.validate.dispatch import checking_stepper
from records.validate.finding import Finding, Place
from records.validate.irregularities import excused_codes


def check_lines(record: Record, match: Match) -> Iterator[Finding]:
    """A finding for the first unlawful event of every line; a line never makes its game illegal."""
    for number, line in enumerate(record.lines or []):
        stepper = _stepper_at(record, match, line)
        # Of a deal of scores nobody knows what might have been played instead.
        if not (stepper.stopped or stepper.table.knowledge.scores_only):
            yield from _check_line(stepper, line, number)


def _stepper_at(record: Record, match: Match, line: Line) -> Stepper[Breach]:
    """The deal as it was played up to where a line begins; stopped where the deal does not get there."""
    deal = record.deals[line.at[0]]
    start = line.at[1] if len(line.at) > 1 else 0
    table = lay_out_deal(match.rules, deal, match.names)
    stepper = checking_stepper(table)
    played, tried = table.events[:start], line.events
    if has_single_cards(match.rules):
        tried = events_without_single_labels(match.rules, tried)
    # Some rules look at what follows: what led to the line is read as fits the line.
    table.events = [*played, *tried]
    for event in played:
        stepper.advance(event)
        if stepper.stopped:
            return stepper
    return stepper


def _check_line(stepper: Stepper[Breach], line: Line, number: int) -> Iterator[Finding]:
    for index, event in enumerate(stepper.table.events[stepper.table.index + 1 :]):
        found = stepper.advance(event)
        table = stepper.table
        excused = excused_codes(table.events, table.index, found) if found else ()
        for breach in found:
            if FINDING_CODES[breach.code].severity == "illegal" and breach.code not in excused:
                yield _unlawful(breach, line, f"/lines/{number}/events/{index}", stepper)
                return


def _unlawful(breach: Breach, line: Line, pointer: str, stepper: Stepper[Breach]) -> Finding:
    code = FINDING_CODES["line-not-lawful"]
    return Finding(
        code=code.code,
        severity=code.severity,
        at=Place(
            deal=line.at[0],
            event=line.at[1] if len(line.at) > 1 else None,
            pointer=pointer,
            seat=breach.seat,
        ),
        message=code.sentence(breach=breach.message),
        rule=f"{stepper.table.rules.sheet.id}/{FINDING_CODES[breach.code].article}",
        expected=breach.expected,
        found=breach.code,
        legal=breach.legal,
    )
