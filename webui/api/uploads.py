"""Checking and storing records, watching imports, and taking back what one has sent."""

from collections.abc import Iterator
from time import monotonic
from typing import Annotated, Any, BinaryIO, Literal, TypeAlias, cast

import msgspec
from flask import Response, current_app
from msgspec import Meta
from werkzeug.datastructures import FileStorage

from analyzer.ingest.batch import RecordOutcome
from records.format.files import read_entries
from records.match_play import Relation
from records.validate.finding import RequestBudget
from records.validate.report import Report
from records.validator import check_entry
from webui.api.requests import (
    LINES_MEDIA_TYPE,
    LONGEST_MAGIC,
    MAGIC_BYTES,
    SentFile,
    SentRecords,
    SentStruct,
    spool_body,
)
from webui.server.access import may
from webui.server.client import client_address
from webui.server.error_pages import ProblemRaised, interface_address
from webui.server.imports_queue import ImportCounts, ImportJob, ImportStateName
from webui.server.private_links import new_link_key, upload_id
from webui.server.responses import json_response
from webui.views import import_queue
from webui.views.api import reports_of_request
from webui.views.home import incoming_files, is_large_upload, refused_if_not_examined, store_at_once
from webui.views.sent import delete_sent, known_upload

# Records that are judged, and not stored.


class ValidationParameters(SentStruct, frozen=True):
    """How to read the records."""

    lenient: Annotated[
        bool, msgspec.Meta(description="Warn about unknown members instead of refusing the record.")
    ] = False
    stream: Annotated[
        bool,
        msgspec.Meta(
            description="Take any number of records, answer with lines, and say on the last one how it ended."
        ),
    ] = False


class RecordsNotExamined(msgspec.Struct, frozen=True):
    """The last line of an answer whose request would have cost more than it may: how many records, the last, have no report.

    Send them again by themselves.
    """

    not_examined: int


class StreamEnd(msgspec.Struct, frozen=True):
    """The last line of a stream: after the `whole` was examined, or when its `time` was up, and how many reports came before.

    Send what comes after the `line` of the last report in another request. A stream without such a line broke off.
    """

    ended: Literal["whole", "time"]
    examined: int


LAST_LINES = (RecordsNotExamined, StreamEnd)


def validate(given: ValidationParameters, sent: SentRecords) -> Response:
    """Judge records by the rules that they name; nothing is stored.

    A record has its report. Lines, and records in the notation, have a report each, in their order, sent as soon as the
    record is judged. What cannot be read has a report, too, with the verdict `unreadable`. Each record is judged as if it
    were alone. Where all would cost more than a request may, the last line says how many were not examined. With `stream`,
    any number may be sent, and what bounds them is time.
    """
    if sent.stream is not None:
        until = monotonic() + current_app.config["STREAM_SECONDS"]
        lines = _stream_reports(sent.stream, until, strict=not given.lenient)
        return current_app.response_class(lines, mimetype=LINES_MEDIA_TYPE)
    reports = _reports(sent, strict=not given.lenient)
    if not sent.as_lines:
        return json_response(msgspec.Raw(next(reports)))
    return current_app.response_class(
        (report + b"\n" for report in reports), mimetype=LINES_MEDIA_TYPE
    )


def _reports(sent: SentRecords, *, strict: bool) -> Iterator[bytes]:
    """The reports as JSON, never more than one in memory; at the end, how many records are not examined, if any."""
    examined = 0
    for report in reports_of_request(sent.data, strict=strict):
        yield msgspec.json.encode(report)
        examined += 1
    if examined < sent.records:
        yield msgspec.json.encode(RecordsNotExamined(sent.records - examined))


def _stream_reports(file: BinaryIO, until: float, *, strict: bool) -> Iterator[bytes]:
    """The reports as lines, each made when the one before has been sent, `until` the time is up; at the end, how it ended."""
    examined = 0
    ended: Literal["whole", "time"] = "whole"
    with file:
        try:
            for entry in read_entries(cast("BinaryIO", _TimedFile(file, until))):
                report = check_entry(entry, strict=strict, identify=True, budget=RequestBudget())
                yield msgspec.json.encode(report) + b"\n"
                examined += 1
                _require_time(until)
        except TimeIsUp:
            ended = "time"
    yield msgspec.json.encode(StreamEnd(ended, examined)) + b"\n"


class TimeIsUp(Exception):
    """A stream has taken all the time that it may."""


def _require_time(until: float) -> None:
    if monotonic() >= until:
        raise TimeIsUp


class _TimedFile:
    """A file of which nothing is read any more once the time is up, though a record goes on without end: raises TimeIsUp."""

    def __init__(self, file: BinaryIO, until: float) -> None:
        self._file, self._until = file, until

    def read(self, size: int = -1) -> bytes:
        """The same in time."""
        _require_time(self._until)
        return self._file.read(size)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


# Storing records, watching imports, and taking back what one has sent.

ENDINGS = {"gzip": ".gz", "zstd": ".zst"}
UploadKey: TypeAlias = Annotated[
    str, Meta(max_length=100, description="The key that storing answered with.")
]
UploadId: TypeAlias = Annotated[
    str, Meta(max_length=100, description="The public id of an upload.")
]


class StoreParameters(SentStruct, frozen=True):
    """How to answer."""

    reports: Annotated[bool, Meta(description="Answer with the whole report on every record.")] = (
        False
    )


class UploadParameters(SentStruct, frozen=True):
    """Which upload."""

    upload: UploadId


class KeyParameters(SentStruct, frozen=True):
    """Which upload, by its key."""

    key: UploadKey


class StoredRecordState(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of a record: `stored`, `known` if the game was stored before, or `rejected` if it cannot be read.

    `line` counts from 1. `findings` counts those that do not follow from another. `stored_as` says with which names,
    event, site and time a known game is stored, if the record has others; what is stored stays. `match` is the digest of
    another record of the same match, which counts once, and `relation` is how this record stands to it; both are told to
    those who may read. A rejected record that `awaits` a rulebook of this id is kept, and becomes a game once that is added.
    """

    state: Literal["stored", "known", "rejected"]
    verdict: str
    line: int | None = None
    digest: str | None = None
    address: str | None = None
    deals: int = 0
    findings: int = 0
    stored_as: str = ""
    match: str = ""
    relation: Relation | None = None
    awaits: str = ""
    report: Report | None = None


class UploadAnswer(msgspec.Struct, frozen=True):
    """An upload: its public id, and what became of its records, in their order.

    Whoever has the `key` may delete what the upload stored. It is told only here, and null where nothing was stored or
    the sender may delete everything.
    """

    upload: str
    key: str | None
    records: list[StoredRecordState]


class ImportAnswer(msgspec.Struct, frozen=True):
    """An upload that is stored in the background: its public id, its key, and the address of its progress."""

    upload: str
    key: str
    progress: str


class ImportState(msgspec.Struct, frozen=True):
    """An import: its state, the share of its bytes that is read, from 0 to 1, and what is stored so far.

    `before` counts the imports that run before one that waits. An import that was stopped or interrupted can be resumed
    on its page.
    """

    upload: str
    state: ImportStateName
    share: float
    before: int
    counts: ImportCounts


class DeletedUpload(msgspec.Struct, frozen=True):
    """How many games were deleted."""

    games: int


def store_games(given: StoreParameters, sent: SentFile) -> Response:
    """Store records: one, one per line, or in the notation.

    What is small is stored before the answer comes. What is large is stored in the background, and the answer leads to
    its progress. A game is never stored twice; illegal games are stored with their findings.
    """
    with spool_body() as body:
        start = body.read(LONGEST_MAGIC)
        body.seek(0)
        name = "records.jsonl" + next(
            (ENDINGS[each] for each, magic in MAGIC_BYTES.items() if start.startswith(magic)), ""
        )
        file, key = FileStorage(stream=body, filename=name), new_link_key()
        if is_large_upload([file]):
            return _import(file, key)
        data = body.read()
    return _store(data, name, key, with_reports=given.reports)


def _store(data: bytes, name: str, key: str, *, with_reports: bool) -> Response:
    most = int(current_app.config["MAX_SHOWN_RECORDS"]) if with_reports else 0
    with refused_if_not_examined():
        outcomes = store_at_once(upload_id(key), [(name, data)], most)
    stored = any(outcome.state == "stored" for outcome in outcomes)
    return json_response(
        UploadAnswer(
            upload_id(key),
            key if stored and not may("delete") else None,
            [_state(outcome) for outcome in outcomes],
        )
    )


def _state(outcome: RecordOutcome) -> StoredRecordState:
    digest, may_read = outcome.digest if outcome.state != "rejected" else None, may("read")
    return StoredRecordState(
        state=outcome.state,
        verdict=outcome.verdict,
        line=outcome.line,
        digest=digest,
        address=interface_address(f"games/{digest}") if digest else None,
        deals=outcome.deals,
        findings=outcome.findings,
        stored_as=outcome.stored_as if may_read else "",
        match=outcome.match if may_read else "",
        relation=Relation(outcome.relation) if outcome.relation and may_read else None,
        awaits=outcome.awaits,
        report=outcome.report,
    )


def _import(file: FileStorage, key: str) -> Response:
    job = import_queue().add(upload_id(key), incoming_files([file]), client_address())
    progress = interface_address(f"imports/{job.id}")
    response = json_response(ImportAnswer(job.id, key, progress))
    response.status_code = 202
    response.headers["Location"] = progress
    return response


def show_import(given: UploadParameters) -> ImportState:
    """The progress of an import."""
    job: ImportJob | None = import_queue().job(given.upload)
    if job is None:
        raise ProblemRaised("not-found", "There is no such import.")
    return ImportState(
        upload=job.id,
        state=job.state,
        share=round(job.share, 4),
        before=import_queue().jobs_before(job) if job.state == "waiting" else 0,
        counts=job.counts,
    )


def delete_upload(given: KeyParameters) -> DeletedUpload:
    """Delete everything that an upload stored, by its key; what was stored before it stays."""
    return DeletedUpload(delete_sent(known_upload(given.key)))
