"""A batch of records: each examined, duplicates found by digest, and the columns to store."""

import dataclasses
import gc
import hashlib
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from difflib import get_close_matches
from functools import lru_cache
from pathlib import PurePath
from typing import Any, Literal, NamedTuple

import msgspec

from analyzer.ingest.rows import (
    NO_START,
    SHEET_NUMBERS,
    GameRows,
    GameStart,
    PackedRows,
    PlayedGame,
    TableRow,
    TallyCollector,
    build_rows,
    describe_occasion,
)
from analyzer.statistics.intervals import KEY_BITS
from analyzer.store.packing import record_packer
from analyzer.store.tables import (
    EPOCH,
    INTEGER,
    MICROSECOND,
    PACKED_TABLES,
    ROW_TABLES,
    SHEET_IDS,
    Column,
    ColumnKind,
    Columns,
    coded_column,
    columns_of,
    pack_numbers,
)
from records.corrected import NO_CORRECTIONS, Corrections, correct
from records.format import codec
from records.format.files import Entry
from records.format.semantics import read_day, read_time
from records.match_play import day_played, match_traces
from records.people import NO_NAME, list_people, player_key
from records.record import Record
from records.replay import Match, replay
from records.rules.registry import SHEETS_BY_ID, sheet_key
from records.validate.finding import RequestBudget
from records.validate.report import Report, ResolvedRules
from records.validator import Validator, check

MINUTE = timedelta(minutes=1)

# One record examined: validated and turned into rows, in a single replay and without a database.


@dataclass(frozen=True, slots=True)
class ExaminedRecord:
    """A record with its report and its rows; `rows` is None if it cannot be stored, and `reason` says why.

    `digest` is what it is stored under, `people` are by seat, and `day` is when it was played. A record that names a rulebook
    which nobody knows `awaits` one with that id.
    """

    entry: Entry
    report: Report
    rows: GameRows | None
    reason: str = "unreadable"
    digest: str | None = None
    people: tuple[str, ...] = ()
    day: str = ""
    awaits: str = ""


def digest_apart(entry: Entry) -> str:
    """The digest that keeps a record apart from one with its own that tells of other people or another day."""
    record = codec.decode(entry.data).record
    return "" if record is None else codec.digest_with_occasion(record)


class NotExamined(Exception):
    """The records of a request would take more than a request may cost; none of them is stored."""


def content_digest(data: bytes) -> str:
    """The first 128 bits of the SHA-256 of these bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()[:32]


@lru_cache
def base_name(name: str) -> str:
    """A file's name without its folder."""
    return PurePath(name).name


def examine_record(
    entry: Entry,
    *,
    reconcile: bool = True,
    budget: RequestBudget | None = None,
    digest: str = "",
    corrections: Corrections = NO_CORRECTIONS,
) -> ExaminedRecord:
    """Validate a record and build its rows; never raises, whatever the bytes hold, but NotExamined.

    Without `reconcile` the report has no list of claims, which saves time. What it costs is taken from the `budget` of a request.
    A record that is kept apart from another one has the `digest` that says so; any other digest is not looked at. The rows
    tell what the `corrections` say. By what a record is known is as it was uploaded; others of its match are found by both.
    """
    if entry.findings:
        return _unreadable(entry, entry.findings + entry.notes)
    if budget is not None and not budget.admit(len(entry.data)):
        raise NotExamined
    decoded = codec.decode(entry.data, line=entry.line)
    if decoded.record is None:
        examined = _unreadable(entry, decoded.findings + entry.notes)
    else:
        told = correct(decoded.record, corrections)
        validator = Validator(told, line=entry.line, reconcile=reconcile, budget=budget)
        examined = _examine_decoded(validator, entry, decoded, digest)
    report = examined.report
    if budget is not None:
        budget.pay_for_reading(len(entry.data), report.events, len(report.findings))
        budget.pay_for_sheet(decoded.sheet_read(entry.data))
    return examined


def game_key(digest: str) -> int:
    """The key of a game in the tables: the first 60 bits of its digest, which are as random as any."""
    return int(digest[: KEY_BITS // 4], 16)


def _unreadable(entry: Entry, findings: list[Any]) -> ExaminedRecord:
    return ExaminedRecord(
        entry, Report(verdict="unreadable", line=entry.line, findings=findings), None
    )


def _examine_decoded(
    validator: Validator, entry: Entry, decoded: codec.DecodedRecord, digest: str
) -> ExaminedRecord:
    """Replay a record once, for the validator and for the statistics together; the validator has it as corrected."""
    told, collector = validator.record, TallyCollector()
    record = decoded.record or told
    if validator.match is None:
        report = validator.report()
        report.put_first(decoded.findings + entry.notes)
        unknown = any(finding.code == "unknown-sheet" for finding in report.findings)
        return ExaminedRecord(entry, report, None, awaits=_awaited(record) if unknown else "")
    # Only frames with findings are asked for: tricks and scores are read from the table's log of tricks at the end.
    for frame in replay(
        told, match=validator.match, findings_only=True, log_tricks=True, few_readings=True
    ):
        validator.see(frame)
        collector.see(frame)
    report = validator.report()
    report.put_first(decoded.findings + entry.notes)
    report.digest = decoded.digest()
    own = report.digest or ""
    if digest in ("", own) or codec.digest_with_occasion(record) != digest:
        digest = own
    game = _played_game(digest, told, report, validator.match)
    rows = build_rows(collector.deals, game, report)
    rows.tables["games"] = [_game_row(game, digest, report, validator.match, rows)]
    # What is exported again is JSON, one record a line; the notation has many lines.
    data = codec.encode(record) if codec.is_notation(entry.data) else entry.data
    rows.tables["records"] = [_record_row(game.key, digest, entry, data)]
    traces = match_traces(record) if told is record else match_traces(record) + match_traces(told)
    rows.tables["traces"] = [(game.key, game_key(trace)) for trace in dict.fromkeys(traces)]
    if former := codec.former_digest(record):
        rows.tables["former_digests"] = [(game.key, former)]
    people = tuple(player_key(player) for player in record.players)
    return ExaminedRecord(entry, report, rows, digest=digest, people=people, day=day_played(record))


def _awaited(record: Record) -> str:
    """The id of the rulebook that a record waits for; empty if it is most likely a slip for that of a published one."""
    wanted = record.rules.id
    letters = sorted(wanted)
    is_slip = any(sorted(each) == letters for each in SHEETS_BY_ID)
    return "" if is_slip or get_close_matches(wanted, SHEETS_BY_ID, cutoff=0.9) else wanted


def _played_game(digest: str, record: Record, report: Report, match: Match) -> PlayedGame:
    provenance, start = record.provenance, start_of(record)
    options, sheet = _options(report.rules), sheet_key(record.rules)
    outcomes = None
    if _is_decided(match):
        sides = range(len(match.sides))
        outcomes = [0.5 if match.winner is None else float(s == match.winner) for s in sides]
    return PlayedGame(
        key=game_key(digest),
        record=record,
        sheet=sheet,
        people=list_people(record.players, digest),
        sides=match.sides,
        options=options,
        variant=variant_key(sheet, report.rules.edition if report.rules else 0, options),
        start=start,
        month=None if start is None else start.month,
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


def _game_row(
    game: PlayedGame, digest: str, report: Report, match: Match, rows: GameRows
) -> TableRow:
    record, rules, people = game.record, report.rules, game.people
    names = [person.name or NO_NAME for person in people]
    provenance, result, decided = record.provenance, record.result, _is_decided(match)
    # A match is clean if it is complete and all its deals are clean: `rows._add_deal` puts that fourth in a row.
    return (
        game.key, digest, game.sheet, rules.edition if rules else None, game.options,
        len(people), names, names, [person.key for person in people], [person.label for person in people],
        _text(record, "event"), _text(record, "site"), *(game.start or NO_START)[:3], game.program,
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


def start_of(record: Record) -> GameStart | None:
    """When the game started; None if the record gives neither a valid time with a zone nor a day."""
    moment = read_time(_text(record, "started") or "")
    if moment is None:
        return _start_on(read_day(_text(record, "date") or ""))
    own, offset = moment.replace(tzinfo=None), (moment.utcoffset() or timedelta()) // MINUTE
    try:
        at = (own - offset * MINUTE - EPOCH) // MICROSECOND
    except OverflowError:  # in the first or the last hours that a calendar has
        at = None
    month = (own.replace(day=1) - EPOCH).days
    return GameStart((own - EPOCH) // MICROSECOND, offset, at, month)


def _start_on(day: date | None) -> GameStart | None:
    """The start of a game of which only the day is known."""
    if day is None:
        return None
    midnight = datetime.combine(day, time())
    at = (midnight - EPOCH) // MICROSECOND
    return GameStart(at, None, at, (midnight.replace(day=1) - EPOCH).days)


def _record_row(game: int, digest: str, entry: Entry, data: bytes) -> TableRow:
    """The row of the record; its bytes are compressed later, with those of the whole batch."""
    return (game, digest, base_name(entry.name), entry.line, len(data), data)


# The batch: records examined, duplicates found by digest, and the columns to store.
#
# A pure function makes it. Its result can be sent between processes and holds everything that the database will store.

_OCCASION = [
    list(ROW_TABLES["games"]).index(name)
    for name in ("names", "event", "site", "started", "utc_offset")
]
"""Where a row of `games` has what `describe_occasion` takes."""

MOST_REJECTED_ROWS = 200
"""Of one batch so many rejected records are kept with their findings; the others are only counted."""

RecordState = Literal["stored", "known", "rejected"]
"""New and stored, known (stored before, or earlier in the batch), or rejected because it cannot be stored."""


UNSTORABLE_ERRORS = (struct.error, UnicodeEncodeError)
"""Errors raised by a value that no column can hold."""


class RecordOutcome(msgspec.Struct, gc=False):
    """What became of one record, with its `report` if that was asked for.

    `content` is the digest of the bytes of a rejected record, by which it is found again. `occasion` says who played, and
    `stored_as` what a known game is stored with, if that is another occasion, though not other people or another day: the
    record's own is lost. `match` is the digest of another record of the same match, of which it is the `relation`. A rejected
    record that `awaits` a rulebook of this id is kept until it is added.
    """

    name: str
    line: int | None
    size: int
    state: RecordState
    verdict: str
    digest: str | None
    deals: int = 0
    events: int = 0
    findings: int = 0
    content: str = ""
    occasion: str = ""
    stored_as: str = ""
    people: tuple[str, ...] = ()
    day: str = ""
    traces: tuple[int, ...] = ()
    match: str = ""
    relation: str = ""
    awaits: str = ""
    report: Report | None = None


@dataclass(slots=True)
class PreparedBatch:
    """The outcome of every record, and the rows of the new ones: as columns by table, or in a `folder` of files."""

    outcomes: list[RecordOutcome] = field(default_factory=list)
    tables: dict[str, Columns] = field(default_factory=dict)
    folder: str | None = None


def prepare_batch(
    entries: Sequence[Entry],
    *,
    reports: bool = False,
    budget: RequestBudget | None = None,
    digests: Sequence[str] = (),
    corrections: Sequence[Corrections] = (),
) -> PreparedBatch:
    """Examine records, each as if it were alone; never raises, whatever they hold. With `reports` every outcome has its report.

    With the `budget` of a request, raises NotExamined where the records would cost more. `digests` are those
    that they are stored with already, by which records that are kept apart are known, and `corrections` are those of each.
    """
    none = [NO_CORRECTIONS] * len(entries)
    tasks = list(zip(entries, digests or [""] * len(entries), corrections or none, strict=True))
    with _without_gc():
        try:
            return _build_batch(
                (
                    examine_record(
                        entry, reconcile=reports, budget=budget, digest=digest, corrections=own
                    )
                    for entry, digest, own in tasks
                ),
                reports=reports,
            )
        except NotExamined:
            raise
        except (
            Exception
        ):  # one bad record must not cost the others: find it by examining each alone
            return _build_batch((examine_alone(*task) for task in tasks), reports=reports)


@contextmanager
def _without_gc() -> Iterator[None]:
    """Turn garbage collection off: a replay leaves no cycles, and the batch so far would be searched in vain."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def examine_alone(
    entry: Entry, digest: str, corrections: Corrections = NO_CORRECTIONS
) -> ExaminedRecord:
    """Examine a record alone; it is rejected with a reason if no table can hold it or the program fails."""
    report = Report(verdict="unreadable", line=entry.line)
    try:
        report = check(entry.data, line=entry.line, identify=True)
        examined = examine_record(entry, digest=digest, corrections=corrections)
        _build_batch([examined], reports=False)
    except UNSTORABLE_ERRORS as error:
        return ExaminedRecord(entry, report, None, f"a value is out of range: {error}")
    except Exception as error:
        return ExaminedRecord(entry, report, None, f"the program failed: {error!r}")
    return examined


def _build_batch(examined: Iterable[ExaminedRecord], *, reports: bool) -> PreparedBatch:
    """The outcomes and columns of examined records; of duplicates only the first is stored."""
    batch, stored = PreparedBatch(), dict[str | None, RecordOutcome]()
    rows: dict[str, list[TableRow]] = {table: [] for table in ROW_TABLES}
    packed = _Packed({}, [])
    for each in examined:
        record = _with_own_digest(each, stored)
        outcome = _outcome(record, stored)
        outcome.report = record.report if reports else None
        batch.outcomes.append(outcome)
        if record.rows is None:
            if len(rows["rejected"]) < MOST_REJECTED_ROWS:
                rows["rejected"].append(_rejected_row(record))
            if record.awaits:
                rows["waiting_records"].append(_waiting_row(record))
        elif outcome.state == "stored":
            stored[outcome.digest] = outcome
            for table, new_rows in record.rows.tables.items():
                rows[table] += new_rows
            packed.add(record.rows)
    for table in ("records", "waiting_records"):
        rows[table] = _compressed(rows[table])
    batch.tables = {
        table: columns_of(table, table_rows) for table, table_rows in rows.items() if table_rows
    }
    batch.tables |= packed.tables()
    return batch


@dataclass(slots=True)
class _Packed:
    """The packed rows of many games, by table; `sheets` are the rulebooks of their own that some go by."""

    parts: dict[str, list[PackedRows]]
    sheets: list[str]

    def add(self, rows: GameRows) -> None:
        """Add those of one game."""
        number = b""
        if rows.sheet not in SHEET_NUMBERS:
            number = pack_numbers(INTEGER, [len(SHEET_IDS) + len(self.sheets)])
            self.sheets.append(rows.sheet)
        for table, parts in rows.packed.items():
            own = [_numbered(each, number) for each in parts] if number else parts
            self.parts.setdefault(table, []).extend(own)

    def tables(self) -> dict[str, Columns]:
        """The tables that have rows."""
        found = {}
        for table, parts in self.parts.items():
            if parts:
                found[table] = stack_rows(PACKED_TABLES[table], parts)
                if self.sheets:
                    found[table]["sheet"] = self._sheet_column(parts)
        return found

    def _sheet_column(self, parts: list[PackedRows]) -> Column:
        """The column of rulebooks, if some are of their own: they may be more than a byte can number."""
        length = sum([length for length, _ in parts])
        numbers = b"".join([_wide(columns[SHEET_PLACE], length) for length, columns in parts])
        return coded_column(numbers, length, (*SHEET_IDS, *self.sheets), INTEGER)


SHEET_PLACE = list(PACKED_TABLES["tricks"]).index("sheet")
"""Which column of packed rows has the rulebook, in every table."""


def _numbered(rows: PackedRows, number: bytes) -> PackedRows:
    """Packed rows with the number of their rulebook, which takes four bytes."""
    length, columns = rows
    return length, (*columns[:SHEET_PLACE], number * length, *columns[SHEET_PLACE + 1 :])


def _wide(numbers: bytes, length: int) -> bytes:
    """The numbers of rulebooks in four bytes each."""
    return pack_numbers(INTEGER, list(numbers)) if len(numbers) == length else numbers


def _compressed(records: list[TableRow]) -> list[TableRow]:
    """Records with their bytes packed."""
    pack = record_packer()
    return [(*row, pack(data)) for *row, data in records]


def _with_own_digest(
    examined: ExaminedRecord, stored: Mapping[str | None, RecordOutcome]
) -> ExaminedRecord:
    """A record, kept apart if one with its digest came before it that tells of other people or another day."""
    before = stored.get(examined.digest)
    if before is None or not is_other_match(before, examined.people, examined.day):
        return examined
    apart = examine_record(examined.entry, digest=digest_apart(examined.entry))
    return dataclasses.replace(apart, report=examined.report)


class KnownOccasion(NamedTuple):
    """Who played a known game, and on which day."""

    people: tuple[str, ...]
    day: str


def is_other_match(known: "RecordOutcome | KnownOccasion", people: Sequence[str], day: str) -> bool:
    """Whether these are other people than those of a known game, or another day; a day that is not given is no other."""
    return tuple(known.people) != tuple(people) or bool(known.day and day and known.day != day)


def _outcome(examined: ExaminedRecord, stored: Mapping[str | None, RecordOutcome]) -> RecordOutcome:
    """What became of a record; `stored` are the games that came before it, by digest."""
    entry, report = examined.entry, examined.report
    occasion = "" if examined.rows is None else describe_occasion(*_occasion(examined.rows))
    known = stored.get(examined.digest)
    before = known.occasion if known else occasion
    state: RecordState = "known" if known else "stored"
    return RecordOutcome(
        name=base_name(entry.name),
        line=entry.line,
        size=len(entry.data),
        state="rejected" if examined.rows is None else state,
        verdict=report.verdict,
        digest=examined.digest,
        deals=report.deals,
        events=report.events,
        findings=len(report.findings),
        content=content_digest(entry.data) if examined.rows is None else "",
        occasion=occasion,
        stored_as="" if before == occasion else before,
        people=examined.people,
        day=examined.day,
        traces=_traces(examined.rows),
        awaits=examined.awaits,
    )


def _occasion(rows: GameRows) -> list[Any]:
    (game,) = rows.tables["games"]
    return [game[place] for place in _OCCASION]


def _traces(rows: GameRows | None) -> tuple[int, ...]:
    return tuple(trace for _, trace in rows.tables["traces"]) if rows else ()


def _rejected_row(examined: ExaminedRecord) -> TableRow:
    entry = examined.entry
    findings = msgspec.json.encode(examined.report.findings).decode()
    content, name = content_digest(entry.data), base_name(entry.name)
    return (content, name, entry.line, len(entry.data), examined.reason, findings)


def _waiting_row(examined: ExaminedRecord) -> TableRow:
    """The row of a record that waits for its rulebook; its bytes are compressed later, with those of the whole batch."""
    data = examined.entry.data
    name = base_name(examined.entry.name)
    return (content_digest(data), examined.awaits, name, examined.entry.line, len(data), data)


def stack_rows(kinds: Mapping[str, ColumnKind], parts: list[PackedRows]) -> Columns:
    """Packed rows of one table as columns, one part below the other."""
    length = sum([length for length, _ in parts])
    columns = zip(*[columns for _, columns in parts], strict=True)
    return {
        name: Column(kind, length, None, (b"".join(column),))
        if isinstance(kind, str)
        else coded_column(b"".join(column), length, kind)
        for (name, kind), column in zip(kinds.items(), columns, strict=True)
    }
