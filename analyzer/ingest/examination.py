"""Examine one record: validate it and turn it into rows, in a single replay and without a database."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import PurePath
from typing import Any

import msgspec
from msgspec.structs import replace

from analyzer.db.columns import EPOCH, MICROSECOND
from analyzer.ingest.deal_tally import TableRow, TallyCollector
from analyzer.ingest.rows import GameRows, PlayedGame, build_rows
from analyzer.intervals.interval_sql import KEY_BITS
from records import codec
from records.record import Record
from records.replay import Match, replay
from records.validate.report import Report, ResolvedRules
from records.validate.shared_budget import SharedBudget
from records.validator import Validator


@dataclass(frozen=True, slots=True)
class ExaminedRecord:
    """A record with its report and its rows; `rows` is None if it cannot be stored, and `reason` says why."""

    entry: codec.Entry
    report: Report
    rows: GameRows | None
    reason: str = "unreadable"


def content_digest(data: bytes) -> str:
    """The first 128 bits of the SHA-256 of these bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()[:32]


@lru_cache
def base_name(name: str) -> str:
    """A file's name without its folder."""
    return PurePath(name).name


def examine_record(
    entry: codec.Entry,
    *,
    reconcile: bool = True,
    budget: SharedBudget | None = None,
    names: Sequence[str] | None = None,
) -> ExaminedRecord:
    """Validate a record and build its rows; never raises, whatever the bytes hold.

    Without `reconcile` the report has no list of claims, which saves time. A `budget` is shared with other records.
    The rows have other `names` of the players, by seat, if those are given: somebody was renamed.
    """
    if entry.findings:
        return _unreadable(entry, entry.findings)
    budget = budget or SharedBudget()
    budget.admit(len(entry.data))
    examined = _examine(entry, budget, reconcile=reconcile, names=names)
    report = examined.report
    budget.pay_for_reading(len(entry.data), report.events, len(report.findings))
    return examined


def _examine(
    entry: codec.Entry, budget: SharedBudget, *, reconcile: bool, names: Sequence[str] | None
) -> ExaminedRecord:
    decoded = codec.decode(entry.data, line=entry.line)
    if decoded.record is None:
        return _unreadable(entry, decoded.findings)
    validator = Validator(decoded.record, line=entry.line, reconcile=reconcile, budget=budget)
    return _examine_decoded(validator, entry, decoded, names)


def game_key(digest: str) -> int:
    """The key of a game in the tables: the first 60 bits of its digest, which are as random as any."""
    return int(digest[: KEY_BITS // 4], 16)


def _unreadable(entry: codec.Entry, findings: list[Any]) -> ExaminedRecord:
    return ExaminedRecord(
        entry, Report(verdict="unreadable", line=entry.line, findings=findings), None
    )


def _examine_decoded(
    validator: Validator,
    entry: codec.Entry,
    decoded: codec.DecodedRecord,
    names: Sequence[str] | None,
) -> ExaminedRecord:
    """Replay a record once, for the validator and for the statistics together."""
    record, collector = validator.record, TallyCollector()
    if validator.match is None:
        report = validator.report()
        report.put_first(decoded.findings)
        return ExaminedRecord(entry, report, None)
    # Only frames with findings are asked for: tricks and scores are read from the table's log of tricks at the end.
    for frame in replay(
        record, match=validator.match, findings_only=True, log_tricks=True, few_readings=True
    ):
        validator.see(frame)
        collector.see(frame)
    report = validator.report()
    report.put_first(decoded.findings)
    report.digest = decoded.digest()
    played = record if names is None else _with_names(record, names)
    game = _played_game(game_key(report.digest or ""), played, report, validator.match)
    rows = build_rows(collector.deals, game, report)
    rows.tables["games"] = [_game_row(game, report, validator.match, rows)]
    # What is exported again is JSON, one record a line; the notation has many lines.
    data = codec.encode(record) if codec.is_notation(entry.data) else entry.data
    rows.tables["records"] = [_record_row(game.key, report.digest or "", entry, data)]
    return ExaminedRecord(entry, report, rows)


def _with_names(record: Record, names: Sequence[str]) -> Record:
    """A record with these names of its players."""
    players = [
        replace(player, name=name) for player, name in zip(record.players, names, strict=True)
    ]
    return replace(record, players=players)


def _played_game(key: int, record: Record, report: Report, match: Match) -> PlayedGame:
    provenance, time = record.provenance, start_time(record)
    options = _options(report.rules)
    outcomes = None
    if _is_decided(match):
        sides = range(len(match.sides))
        outcomes = [0.5 if match.winner is None else float(s == match.winner) for s in sides]
    return PlayedGame(
        key=key,
        record=record,
        sides=match.sides,
        options=options,
        variant=variant_key(record.rules.id, report.rules.edition if report.rules else 0, options),
        started=None if time is None else (time - EPOCH) // MICROSECOND,
        month=None if time is None else (time.replace(day=1) - EPOCH).days,
        program=provenance.program if provenance else None,
        outcomes=outcomes,
        settled=match.settlement is not None,
    )


def _is_decided(match: Match) -> bool:
    """Whether the match was played to its end, and its cards tell how it ended."""
    return match.complete and match.scores is not None


@lru_cache
def variant_key(sheet: str, edition: int, options: str) -> int:
    """The number of a sheet with its edition and options: 60 bits of an MD5."""
    text = f"{sheet} {edition} {options}"
    return int(hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()[:15], 16)


def _game_row(game: PlayedGame, report: Report, match: Match, rows: GameRows) -> TableRow:
    record, rules = game.record, report.rules
    provenance, result, decided = record.provenance, record.result, _is_decided(match)
    # A match is clean if it is complete and all its deals are clean: `rows._add_deal` puts that fourth in a row.
    return (
        game.key, report.digest, record.rules.id, rules.edition if rules else None, game.options,
        len(record.players), [player.name for player in record.players], _text(record, "event"),
        _text(record, "site"), game.started, game.program,
        provenance.version if provenance else None, report.verdict, result.status if result else None,
        decided, report.winner, report.scores, report.settlement, report.deals, report.events,
        len(rows.tables["findings"]), decided and all([deal[3] for deal in rows.tables["deals"]]),
        game.variant, game.month,
    )  # fmt: skip


def _options(rules: ResolvedRules | None) -> str:
    return msgspec.json.encode(rules.options if rules else {}).decode()


def _text(record: Record, name: str) -> str | None:
    value = (record.meta or {}).get(name)
    return value if isinstance(value, str) else None


def start_time(record: Record) -> datetime | None:
    """When the game started, in UTC without a zone; None if the record gives no valid time with a zone."""
    text = _text(record, "started")
    if text is None:
        return None
    try:
        time = datetime.fromisoformat(text)
        return time.astimezone(UTC).replace(tzinfo=None) if time.tzinfo else None
    except (ValueError, OverflowError):
        return None


def _record_row(game: int, digest: str, entry: codec.Entry, data: bytes) -> TableRow:
    """The row of the record; its bytes are compressed later, with those of the whole batch."""
    return (game, digest, base_name(entry.name), entry.line, len(data), data)
