"""`bezique --server ADDRESS validate`: records are read here and judged there."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from records.validate.finding import Finding
from records.validate.report import Report
from webui.cli.refusal import Refusal
from webui.cli.remote.site_client import SiteClient, requested_site
from webui.cli.settings.linter_settings import RecordToJudge

MOST_RECORDS_SENT, MOST_BYTES_SENT = 500, 4 * 1024 * 1024
"""The most records of one request, and the most bytes, unless one record has more."""


def judge_at_site(records: Iterable[RecordToJudge]) -> Iterator[tuple[RecordToJudge, Report]]:
    """Every record with the report of the chosen site, in their order; raises Refusal."""
    site = requested_site()
    batch: list[RecordToJudge] = []
    size = 0
    for each in records:
        length = len(each.record.entry.data)
        if batch and (
            len(batch) >= MOST_RECORDS_SENT
            or size + length > MOST_BYTES_SENT
            or batch[0].settings.lenient != each.settings.lenient
        ):
            yield from _judge(site, batch)
            batch, size = [], 0
        batch.append(each)
        size += length
    if batch:
        yield from _judge(site, batch)


def _judge(site: SiteClient, batch: list[RecordToJudge]) -> Iterator[tuple[RecordToJudge, Report]]:
    """The reports on some records: those that are one line, or can be, are sent together."""
    entries = [each.record.entry for each in batch]
    lines = [None if entry.findings else _as_line(entry.data) for entry in entries]
    together = [line for line in lines if line is not None]
    lenient = batch[0].settings.lenient
    reports = _ask(site, together, lenient=lenient)
    for each, line in zip(batch, lines, strict=True):
        entry = each.record.entry
        if entry.findings:  # it was no record even before its JSON was read
            yield each, Report(verdict="unreadable", line=entry.line, findings=entry.findings)
        elif line is not None:
            yield each, _at_line(next(reports), entry.line)
        else:
            (report,) = _ask(site, [entry.data], lenient=lenient)
            yield each, _at_line(report, entry.line)


def _ask(site: SiteClient, records: list[bytes], *, lenient: bool) -> Iterator[Report]:
    if not records:
        return
    body = b"\n".join(records)
    parameters = {"lenient": "true"} if lenient else {}
    with site.open("POST", "validate", parameters=parameters, body=body) as answer:
        count = 0
        for line in answer:
            count += 1
            yield msgspec.json.decode(line, type=Report)
        if count != len(records):
            raise Refusal(f"{site.address} judged {count:,} of {len(records):,} records.")


def _as_line(data: bytes) -> bytes | None:
    """A record on one line; None if it has several and is no JSON, so that the places of its faults would change."""
    if b"\n" not in data.strip():
        return data.strip() or None
    try:
        msgspec.json.decode(data, type=msgspec.Raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    return data.replace(b"\r", b" ").replace(b"\n", b" ")


def _at_line(report: Report, line: int | None) -> Report:
    """The report with the line of the record here, in place of the line of the request."""
    findings: list[Finding] = [
        replace(each, at=replace(each.at, line=line)) for each in report.findings
    ]
    changed: dict[str, Any] = {"line": line, "findings": findings, "groups": []}
    return replace(report, **changed)
