"""One record as bytes: checked and turned into rows, in one replay and without a database."""

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Any
from uuid import UUID

import msgspec
import zstandard

from analyzer.collect import Collector, Row
from analyzer.rows import COLUMNS as PLAY_COLUMNS
from analyzer.rows import Game, Rows, rows_of
from records import codec
from records.check import Reader
from records.frames import Match, replay
from records.record import Record
from records.report import Report

COLUMNS = {
    **PLAY_COLUMNS,
    "games": (
        "game", "digest", "sheet", "edition", "options", "players", "names", "event", "site", "started",
        "program", "program_version", "verdict", "status", "complete", "winner", "scores", "settlement", "deals", "events",
        "findings", "clean", "variant", "month",
    ),
    "records": ("game", "digest", "name", "line", "content", "size", "data"),
}  # fmt: skip
"""The columns that the rows of one game fill, by table."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a record was found, and its bytes; `content` names the bytes (half of their SHA-256)."""

    name: str
    line: int | None
    data: bytes
    content: UUID


@dataclass(frozen=True, slots=True)
class Examined:
    """A record read: its report, and its rows by table if it could be read."""

    source: Source
    report: Report
    rows: Rows | None


def source_of(entry: codec.Entry) -> Source:
    """An entry with its name shortened to the file's own, and its bytes hashed."""
    content = UUID(bytes=hashlib.sha256(entry.data).digest()[:16])
    return Source(PurePath(entry.name).name, entry.line, entry.data, content)


def examine(entry: codec.Entry, source: Source) -> Examined:
    """Check a record and collect its rows; never raises for what the bytes hold."""
    if entry.findings:
        return _unreadable(source, entry.findings)
    decoded = codec.decode(source.data, line=source.line)
    if decoded.record is None:
        return _unreadable(source, decoded.findings)
    return _replayed(decoded.record, source, decoded)


def game_key(digest: str) -> int:
    """The key of a game in the tables: the first 60 bits of its digest."""
    return int(digest[:15], 16)


def _unreadable(source: Source, findings: list[Any]) -> Examined:
    return Examined(source, Report(verdict="unreadable", line=source.line, findings=findings), None)


def _replayed(record: Record, source: Source, decoded: codec.Decoded) -> Examined:
    reader, collector = Reader(record, line=source.line), Collector(record)
    if reader.match is None:
        report = reader.report()
        report.findings = [*decoded.findings, *report.findings]
        return Examined(source, report, None)
    for frame in replay(record, match=reader.match):
        reader.see(frame)
        collector.see(frame)
    report = reader.report()
    report.findings = [*decoded.findings, *report.findings]
    report.digest = decoded.digest()
    rows = _rows(source, report, collector, reader.match)
    return Examined(source, report, rows)


def _rows(source: Source, report: Report, collector: Collector, match: Match) -> Rows:
    digest = report.digest or ""
    game = game_key(digest)
    row = _game(game, collector.record, report, match)
    rows = rows_of(collector, row, report)
    rows.tables["games"] = [
        (*_listed(row, collector.record, report, match, rows), row.variant, row.month)
    ]
    rows.tables["records"] = [_record(game, digest, source)]
    return rows


def _game(key: int, record: Record, report: Report, match: Match) -> Game:
    made, start, sides = record.provenance, started(record), range(len(match.sides))
    drawn = match.winner is None
    return Game(
        key=key,
        variant=variant_key(record.rules.id, report),
        month=start.date().replace(day=1) if start else None,
        program=made.program if made else None,
        outcomes=[0.5 if drawn else float(side == match.winner) for side in sides]
        if match.complete
        else None,
        settled=match.settlement is not None,
    )


def variant_key(sheet: str, report: Report) -> int:
    """The number that stands for a sheet, its edition and its options: 60 bits of an MD5."""
    edition = report.rules.edition if report.rules else 0
    text = f"{sheet} {edition} {_options(report)}"
    return int(hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()[:15], 16)


def _listed(game: Game, record: Record, report: Report, match: Match, rows: Rows) -> Row:
    clean = match.complete and all(deal[3] for deal in rows.tables["deals"])
    made, result = record.provenance, record.result
    rules = report.rules
    return (
        game.key, report.digest, record.rules.id, rules.edition if rules else None, _options(report),
        len(record.players), [player.name for player in record.players], _text(record, "event"),
        _text(record, "site"), started(record), game.program,
        made.version if made else None, report.verdict, result.status if result else None,
        match.complete, report.winner, report.scores, report.settlement, report.deals, report.events,
        len(report.findings), clean,
    )  # fmt: skip


def _options(report: Report) -> str:
    return msgspec.json.encode(report.rules.options if report.rules else {}).decode()


def _text(record: Record, name: str) -> str | None:
    value = (record.meta or {}).get(name)
    return value if isinstance(value, str) else None


def started(record: Record) -> datetime | None:
    """When the game was started, in UTC without a zone; None if the record gives no such time."""
    try:
        time = datetime.fromisoformat(_text(record, "started") or "")
        return time.astimezone(UTC).replace(tzinfo=None) if time.tzinfo else None
    except (ValueError, OverflowError):
        return None


def _record(game: int, digest: str, source: Source) -> Row:
    data = zstandard.compress(source.data)
    return (game, digest, source.name, source.line, source.content, len(source.data), data)
