"""Lines: what might have been played instead, judged by the rules like what was."""

from collections.abc import Iterator

from records.engine.deal import lay_out_deal
from records.engine.event_effects import acts_at
from records.engine.table import Table
from records.record import Line, Record
from records.replay import Match
from records.validate.codes.all_codes import FINDING_CODES
from records.validate.dispatch import DEAL_STOPPING_CODES, checks_at
from records.validate.finding import Finding, Place


def check_lines(record: Record, match: Match) -> Iterator[Finding]:
    """A finding for the first unlawful event of every line; a line never makes its game illegal."""
    for number, line in enumerate(record.lines or []):
        table = _table_at(record, match, line)
        if table is not None:
            yield from _judge(table, line, number)


def _table_at(record: Record, match: Match, line: Line) -> Table | None:
    """The table before the event at which a line begins; None where the deal does not get there."""
    deal = record.deals[line.at[0]]
    start = line.at[1] if len(line.at) > 1 else 0
    table = lay_out_deal(match.rules, deal, match.names)
    checks, acts = checks_at(table), acts_at(table)
    for index, event in enumerate(deal.events[:start]):
        table.index = index
        found = checks[type(event)](table, event) or ()
        if any(breach.code in DEAL_STOPPING_CODES for breach in found):
            return None
        acts[type(event)](table, event)
    table.events = [*deal.events[:start], *line.events]
    return table


def _judge(table: Table, line: Line, number: int) -> Iterator[Finding]:
    checks, acts = checks_at(table), acts_at(table)
    for index, event in enumerate(line.events):
        table.index = len(table.events) - len(line.events) + index
        for breach in checks[type(event)](table, event) or ():
            if FINDING_CODES[breach.code].severity == "illegal":
                yield Finding(
                    code="line-not-lawful",
                    severity=FINDING_CODES["line-not-lawful"].severity,
                    at=Place(
                        deal=line.at[0],
                        event=line.at[1] if len(line.at) > 1 else None,
                        pointer=f"/lines/{number}/events/{index}",
                        seat=breach.seat,
                    ),
                    message=f"In a line proposed here: {breach.message}",
                    rule=f"{table.rules.sheet.id}/{FINDING_CODES[breach.code].article}",
                    expected=breach.expected,
                    found=breach.code,
                    legal=breach.legal,
                )
                return
        acts[type(event)](table, event)
