"""Commands that ask a site by its interface, with `bezique --server ADDRESS`, in place of a data folder."""

import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from io import SEEK_END, SEEK_SET, BytesIO
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile, gettempdir
from typing import Any, BinaryIO
from urllib.parse import quote, urlencode, urlsplit

import msgspec
from msgspec.structs import replace

from analyzer.ingest.loader import IngestCounts
from analyzer.statistics.ask import Ask
from analyzer.statistics.questions import Answer, Chart, Question, QuestionFilters
from analyzer.store.durable_files import errors_about
from analyzer.store.games import StoredRecord
from records.format import codec
from records.rules.registry import KEY_MARK
from records.validate.finding import Finding
from records.validate.report import Report
from webui.api.games import MOST_LISTED, GameList
from webui.api.statistics import StatisticsList
from webui.api.uploads import ImportAnswer, ImportState, RecordsNotExamined, UploadAnswer
from webui.cli.main import ProgressBar, Refusal, server_address
from webui.cli.settings import RecordToJudge
from webui.cli.sources import CommandInput

# The site: one request at a time, waiting where it says to wait, refusing in its words.

TOKEN_VARIABLE = "BEZIQUE_TOKEN"
"""The environment variable with the token; an option would show it to whoever lists the processes."""
INTERFACE_PATH = "/api/v1"
LINES_MEDIA_TYPE = "application/x-ndjson"
TIMEOUT_SECONDS = 600.0
MOST_TRIES = 20
LONGEST_WAIT_SECONDS = 300
LARGEST_REFUSAL_BYTES = 64 * 1024
"""How much is read of an answer that refuses."""

Parameters = Mapping[str, Any] | Sequence[tuple[str, Any]]


class SiteProblem(msgspec.Struct):
    """What the site says is wrong."""

    title: str = ""
    detail: str = ""


class SiteClient:
    """Asks the interface of the site at an address, such as `https://club.example.org`; raises Refusal for no address.

    Redirects are not followed: they could lead the token to another host.
    """

    def __init__(self, address: str, token: str = "") -> None:
        try:
            parts = urlsplit(address)
            host, port = parts.hostname, parts.port
        except ValueError:
            parts, host, port = urlsplit(""), None, None
        if not host or parts.scheme not in ("http", "https") or parts.query:
            raise Refusal(
                f"--server is an address such as https://club.example.org, not {address}."
            )
        self.address = address.rstrip("/")
        self._path = parts.path.rstrip("/").removesuffix(INTERFACE_PATH) + INTERFACE_PATH
        self._place, self._is_secure = (host, port), parts.scheme == "https"
        self._headers = {"Accept-Encoding": "identity", "User-Agent": "bezique"}
        token = token or os.environ.get(TOKEN_VARIABLE, "")
        if token:
            self._headers["Authorization"] = f"Bearer {token}"

    def get(self, *path: str, parameters: Parameters = ()) -> Any:
        """The JSON of an address below the interface."""
        with self.open("GET", *path, parameters=parameters) as answer:
            return msgspec.json.decode(answer.read())

    @contextmanager
    def open(
        self,
        method: str,
        *path: str,
        parameters: Parameters = (),
        body: bytes | BinaryIO = b"",
        size: int | None = None,
        media_type: str = LINES_MEDIA_TYPE,
    ) -> Iterator[HTTPResponse]:
        """The answer of an address, to be read; raises Refusal, in the words of the site if it refuses.

        A body that is a stream has so many bytes, its `size`. A request that comes too early is sent again as soon as
        the site says.
        """
        stream = BytesIO(body) if isinstance(body, bytes) else body
        headers = dict(self._headers)
        if body:
            length = len(body) if isinstance(body, bytes) else size
            headers |= {"Content-Type": media_type, "Content-Length": str(length)}
        target = "/".join([self._path, *(quote(part, safe="") for part in path)])
        if parameters:
            target += f"?{urlencode(parameters, doseq=True)}"
        for tries_left in reversed(range(MOST_TRIES)):
            stream.seek(0, SEEK_SET)
            connection, answer = self._ask(method, target, stream if body else None, headers)
            try:
                wait = _seconds_to_wait(answer) if tries_left else None
                if wait is None:
                    self._refuse_errors(answer)
                    yield answer
                    return
            except HTTPException as error:
                raise Refusal(f"{self.address} broke off its answer: {error}.") from error
            finally:
                connection.close()
            time.sleep(wait)

    def _ask(
        self, method: str, target: str, body: BinaryIO | None, headers: Mapping[str, str]
    ) -> tuple[HTTPConnection, HTTPResponse]:
        """A connection, and the answer that begins on it; raises Refusal."""
        kind = HTTPSConnection if self._is_secure else HTTPConnection
        connection = kind(*self._place, timeout=TIMEOUT_SECONDS)
        try:
            with suppress(BrokenPipeError, ConnectionResetError):  # it refuses before all is sent
                connection.request(method, target, body=body, headers=headers)
            return connection, connection.getresponse()
        except (HTTPException, OSError) as error:
            connection.close()
            reason = getattr(error, "strerror", None) or error or "it closed the connection"
            raise Refusal(f"{self.address} cannot be asked: {reason}.") from error

    def _refuse_errors(self, answer: HTTPResponse) -> None:
        if answer.status < 300:
            return
        data = answer.read(LARGEST_REFUSAL_BYTES)
        try:
            problem = msgspec.json.decode(data, type=SiteProblem)
        except msgspec.DecodeError:
            problem = SiteProblem()
        words = problem.detail or problem.title or answer.reason
        raise Refusal(f"{self.address} answers with status {answer.status}: {words}")


def _seconds_to_wait(answer: HTTPResponse) -> int | None:
    """In how many seconds a refused request may come again; None if it was answered, or will not be."""
    after = answer.headers.get("Retry-After", "")
    if answer.status not in (429, 503) or not after.isdigit() or int(after) > LONGEST_WAIT_SECONDS:
        return None
    return max(1, int(after))


def requested_site() -> SiteClient:
    """The site that the option `--server` of `bezique` names; raises Refusal if it is no address."""
    return SiteClient(server_address())


# `bezique --server ADDRESS validate`: records are read here and judged there.

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
            findings = entry.findings + entry.notes
            yield each, Report(verdict="unreadable", line=entry.line, findings=findings)
        elif line is not None:
            yield each, _at_line(next(reports), entry.line)
        else:
            (report,) = _ask(site, [entry.data], lenient=lenient)
            yield each, _at_line(report, entry.line)


def _ask(site: SiteClient, records: list[bytes], *, lenient: bool) -> Iterator[Report]:
    """The reports on records, in their order; what one request does not examine is sent in the next. Raises Refusal."""
    parameters = {"lenient": "true"} if lenient else {}
    left = records
    while left:
        judged, left_over = 0, 0
        with site.open("POST", "validate", parameters=parameters, body=b"\n".join(left)) as answer:
            for line in answer:
                report, left_over = _read_judgement(line)
                if report is not None:
                    judged += 1
                    yield report
        if judged + left_over != len(left):
            raise Refusal(f"{site.address} judged {judged:,} of {len(left):,} records.")
        if not judged:
            raise Refusal(f"{site.address} examines no record as costly as the next one.")
        left = left[judged:]


def _read_judgement(line: bytes) -> tuple[Report | None, int]:
    """A line of an answer: a report, or at the end how many records are not examined."""
    try:
        return msgspec.json.decode(line, type=Report), 0
    except msgspec.ValidationError:
        return None, msgspec.json.decode(line, type=RecordsNotExamined).not_examined


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


# `bezique --server ADDRESS ingest`: files are sent as they are, and stored there.

SECONDS_BETWEEN_LOOKS = 0.5


def send_files(sources: list[CommandInput]) -> IngestCounts:
    """Store the records of these files at the chosen site; returns what became of them. Raises Refusal."""
    site, counts = requested_site(), IngestCounts()
    with ProgressBar("sending", total=len(sources)) as bar:
        for number, source in enumerate(sources):
            bar.show(number, source.name)
            with source.opened() as stream:
                if source.size is None:
                    with TemporaryFile() as whole:
                        with errors_about(Path(gettempdir())):
                            copyfileobj(stream, whole)
                        _send(site, whole, counts, bar)
                else:
                    _send(site, stream, counts, bar)
    return counts


def _send(site: SiteClient, stream: BinaryIO, counts: IngestCounts, bar: ProgressBar) -> None:
    size = stream.seek(0, SEEK_END)
    if not size:
        return
    with site.open("POST", "games", body=stream, size=size) as answer:
        data, in_background = answer.read(), answer.status == 202
    if in_background:
        _wait(site, msgspec.json.decode(data, type=ImportAnswer).upload, counts, bar)
        return
    for record in msgspec.json.decode(data, type=UploadAnswer).records:
        counts.records += 1
        counts.states[record.state] += 1
        counts.deals += record.deals
        counts.findings += record.findings
        counts.told_again += bool(record.match)
        if record.awaits:
            counts.waiting[record.awaits] += 1


def _wait(site: SiteClient, upload: str, counts: IngestCounts, bar: ProgressBar) -> None:
    """Wait for an import in the background, and count what it stored."""
    while True:
        job = msgspec.convert(site.get("imports", upload), ImportState)
        if job.state not in ("waiting", "running"):
            break
        bar.show(round(100 * job.share), f"{job.share:.0%} of a file is stored")
        time.sleep(SECONDS_BETWEEN_LOOKS)
    counts.records += job.counts.records
    for state in ("stored", "known", "rejected"):
        counts.states[state] += getattr(job.counts, state)
    counts.deals += job.counts.deals
    counts.findings += job.counts.findings
    counts.told_again += job.counts.told_again
    if job.state != "done":
        raise Refusal(f"The import at {site.address}/imports/{upload} is {job.state}.")


# `bezique --server ADDRESS stats`: the answers of a site to questions and measures.


def ask_site(asked: Ask | Question, filters: QuestionFilters | None = None) -> Answer:
    """The answer of the chosen site to a question of Explore, or to one with a fixed answer; raises Refusal."""
    site = requested_site()
    if isinstance(asked, Ask):
        data = site.get("explore", parameters=asked.address())
        return _answer(data, QuestionFilters(every=asked.every))
    filters = filters or QuestionFilters()
    parameters = {"every": "true"} if filters.every else {}
    if filters.sheet:
        parameters["sheet"] = filters.sheet
    return _answer(site.get("statistics", asked.name, parameters=parameters), filters)


def keys_at_site(sheet_id: str) -> list[str]:
    """The keys of the rulebooks of a table's own with this id by which the chosen site has games; raises Refusal."""
    parameters = {"metric": "share_of_records", "by": "sheet", "every": "true"}
    answer = _answer(requested_site().get("explore", parameters=parameters), QuestionFilters())
    keys = [str(key) for key in answer.column("sheet")]
    return sorted(key for key in keys if key.startswith(f"{sheet_id}{KEY_MARK}"))


def name_at_site(key: str) -> str:
    """What people call the rulebook of a key at the chosen site; the key where the site does not say. Raises Refusal."""
    try:
        found: str = requested_site().get("sheets", key)["name"]
    except Refusal:
        return key  # removed since it was counted
    return found


def list_of_site() -> StatisticsList:
    """What the chosen site can be asked; raises Refusal."""
    return msgspec.convert(requested_site().get("statistics"), StatisticsList)


def _answer(data: dict[str, Any], filters: QuestionFilters) -> Answer:
    undrawn = {"chart": Chart("", {}, (), frozenset()), "x": "", "headline": ""}
    question = msgspec.convert(data | undrawn, Question)
    return msgspec.convert(data | {"question": question, "filters": filters}, Answer)


# `bezique --server ADDRESS export`: the records that a site has.


class SiteRecords:
    """The records of the chosen site, as uploaded or as `corrected`; what it refuses raises Refusal."""

    def __init__(self, *, corrected: bool = False) -> None:
        self._site = requested_site()
        self._state = {"corrected": "true"} if corrected else {}

    def lines(self, choice: dict[str, Any]) -> Iterator[StoredRecord]:
        """The records of the games that pass a choice, each on one line, as they come."""
        with self._site.open(
            "GET", "games", "records", parameters=_filters(choice) | self._state
        ) as answer:
            for line in answer:
                record = codec.decode(line).record
                if record is None:
                    raise Refusal(f"{self._site.address} sent what is no record.")
                yield StoredRecord(codec.digest(record), line.rstrip(b"\n"))

    def whole(self, digests: list[str]) -> Iterator[StoredRecord]:
        """The records of these games, byte for byte."""
        for digest in digests:
            with self._site.open(
                "GET", "games", digest, "record", parameters=self._state
            ) as answer:
                yield StoredRecord(digest, answer.read())

    def digests(self, choice: dict[str, Any]) -> list[str]:
        """The digests of the games that pass a choice."""
        parameters = {**_filters(choice), "limit": MOST_LISTED}
        found: list[str] = []
        while True:
            page = msgspec.convert(self._site.get("games", parameters=parameters), GameList)
            found += [game.digest for game in page.games]
            if page.next is None:
                return found
            parameters["cursor"] = page.next


def _filters(choice: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in choice.items() if value}
