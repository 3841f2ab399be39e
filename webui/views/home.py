"""The first page and the drop zone."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from os import SEEK_END
from typing import BinaryIO, Self, cast

from flask import (
    Response,
    abort,
    current_app,
    flash,
    make_response,
    redirect,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import FileStorage

from analyzer.db.store import StoreCounts, StoredGame
from analyzer.ingest.added_notes import add_notes
from analyzer.ingest.batch import RecordOutcome, prepare_batch
from analyzer.ingest.loader import examine_bytes, ingest_files
from records import codec
from records.phrases import pluralize
from records.record import FREE_EXPANDED_BYTES, MAX_EXPANSION
from records.validate.shared_budget import SharedBudget
from webui.access.actions import Action
from webui.access.gate import may
from webui.access.own_uploads import (
    private_link,
    remember_link,
    remember_sent_privately,
    sent_privately,
)
from webui.access.private_links import new_link_key, upload_id
from webui.games.private_uploads import (
    LARGEST_PRIVATE_UPLOAD,
    MOST_PRIVATE_RECORDS,
    PrivateRecord,
    PrivateUpload,
    UnreadablePrivateRecord,
    private_record,
)
from webui.games.shown_findings import (
    ShownFinding,
)
from webui.http.client import client_address
from webui.http.limits import count_private_upload
from webui.http.page import Page, Views
from webui.http.request_kinds import FILES, PAGES, UPLOADS
from webui.http.responses import json_response
from webui.jobs.imports_queue import ImportJob, IncomingFile, utc_now
from webui.lessons.example_games import FIRST_PAGE_EXAMPLE, open_example
from webui.lessons.first_question import CardAnswer, FirstQuestion, first_question
from webui.replay.steps import trick_starts
from webui.replay.visibility import FULL_VISIBILITY
from webui.views import game_cache, import_queue, private_uploads, store
from webui.views.api import admitted_records
from webui.views.deals import TablePage
from webui.views.notes import may_add_notes
from webui.views.verdicts import UploadVerdicts, verdicts_address

RECENT_GAMES_SHOWN = 12
MOST_EXPANDED_AT_ONCE = 256 * 1024
"""What the files of an upload may expand to; more is imported in the background, however few bytes were sent."""
MOST_RECORDS_AT_ONCE = 250
"""How many records of an upload are stored while the sender waits: to store one takes 2 ms, however small it is."""
SMALLEST_FILES = 1024
"""More than `MOST_RECORDS_AT_ONCE` files must have at least so many bytes on average: to keep or import one takes
milliseconds, however small it is.
"""
TOO_SMALL_FILES = (
    f"More than {MOST_RECORDS_AT_ONCE} files, and most of them tiny. Put their records into one file, one per line, "
    "and send that."
)
EXPAND_TOO_FAR = "Together these compressed files expand too far. Send fewer at a time, or send them uncompressed."
PASTED_TOO_MANY = (
    f"Up to {MOST_RECORDS_AT_ONCE} records can be pasted. Put more into a file, and upload that."
)
PRIVATE_TOO_LARGE = (
    f"A private upload has at most {MOST_PRIVATE_RECORDS} records and "
    f"{LARGEST_PRIVATE_UPLOAD // 1024**2} MiB, in files below 1 MiB that expand to "
    f"no more than {MOST_EXPANDED_AT_ONCE // 1024} KiB."
)
ALREADY_STORED = "This game is already stored."
CHECK_TOO_LARGE = "These are too many records to check at once. Send fewer, send them uncompressed, or use /api/validate."
blueprint = Views("home", __name__)


@blueprint.address("/", Action.LOOK, PAGES)
def home() -> ResponseReturnValue:
    """The first page."""
    return _page().render()


@blueprint.address("/favicon.ico", Action.LOOK, FILES)
def icon() -> Response:
    """The icon of the site, where browsers and programs look for it unasked."""
    return current_app.send_static_file("favicon.ico")


@blueprint.address("/index.json", Action.READ, PAGES)
def home_json() -> ResponseReturnValue:
    """How much is stored, and the latest games."""
    return json_response({"counts": store().counts(), "games": _recent()})


@blueprint.address("/", Action.UPLOAD, UPLOADS, method="POST", takes_files=True)
def upload() -> ResponseReturnValue:
    """Take files or a pasted record; answers with the verdicts, without the page around them for a script."""
    key = new_link_key()
    sent = [file for file in request.files.getlist("files") if file.filename]
    if request.form.get("private"):
        return _keep_privately(key, sent)
    if is_large_upload(sent):
        files = [IncomingFile(str(file.filename), size_of_upload(file), file.save) for file in sent]
        job = import_queue().add(upload_id(key), files, client_address())
        if may("control-imports"):
            return redirect(url_for("imports.show_import", upload=job.id), 303)
        remember_link(key)
        return redirect(private_link(key), 303)
    given = _read(sent)
    if not given:
        return _without_files()
    budget = _budget(given)
    most = current_app.config["MAX_SHOWN_RECORDS"]
    outcomes = ingest_files(store(), given, upload_id(key), most_reports=most, budget=budget)
    _add_notes(outcomes, given)
    # Whoever may delete every game needs no link to the own ones.
    stored = any(outcome.state == "stored" for outcome in outcomes)
    link_key = key if stored and not may("delete") else ""
    if link_key:
        remember_link(key)
    return _answer(outcomes, link_key, address=verdicts_address(outcomes) if may("read") else "")


def _add_notes(outcomes: list[RecordOutcome], files: list[tuple[str, bytes]]) -> None:
    """Add the notes that came with games stored before, for who may change them, and say so."""
    known = {
        outcome.digest
        for outcome in outcomes
        if outcome.state == "known" and outcome.digest and may_add_notes(outcome.digest)
    }
    if not known:
        return
    added = 0
    for name, data in files:
        for entry in codec.read_entries(BytesIO(data), name=name):
            digest = (
                codec.decode(entry.data, line=entry.line).digest() if not entry.findings else None
            )
            if digest in known and digest is not None:
                added += add_notes(store(), digest, entry.data)
    if added:
        game_cache().clear()
        flash(f"{pluralize(added, 'note was', 'notes were')} added to what is stored.")


def _keep_privately(key: str, sent: list[FileStorage]) -> ResponseReturnValue:
    """Store records where only who has their link sees them; those that cannot be read are not stored."""
    if is_large_upload(sent):
        abort(413, PRIVATE_TOO_LARGE)
    entries, files = [], _read(sent)
    for name, data in files:
        for entry in codec.read_entries(BytesIO(data), name=name):
            entries.append(entry)
            size = sum(len(entry.data) for entry in entries)
            if len(entries) > MOST_PRIVATE_RECORDS or size > LARGEST_PRIVATE_UPLOAD:
                abort(413, PRIVATE_TOO_LARGE)
    if not entries:
        return _without_files()
    budgets = [_budget(files)] * len(entries)
    outcomes = prepare_batch(entries, reports=True, budgets=budgets).outcomes
    records, unreadable = [], []
    for entry, outcome in zip(entries, outcomes, strict=True):
        record = None if outcome.state == "rejected" else private_record(entry, outcome.verdict)
        if record is not None:
            records.append(record)
        else:
            findings = outcome.report.findings[:1] if outcome.report else []
            unreadable.append(UnreadablePrivateRecord(outcome.name, outcome.line, findings))
    if not records:
        return _answer(outcomes)
    count_private_upload()
    private_uploads().save(upload_id(key), PrivateUpload(utc_now(), records, unreadable))
    _add_private_notes(records)
    remember_sent_privately(upload_id(key))
    if unreadable:
        flash(f"Not stored, because unreadable: {pluralize(len(unreadable), 'record')}.")
    remember_link(key)
    return redirect(private_link(key), 303)


def _add_private_notes(records: list[PrivateRecord]) -> None:
    """Add the notes that came with games to private uploads that the browser sent before, and say so.

    To those whose links it has only opened nothing is added: others read them.
    """
    added = sum(private_uploads().add_notes(upload, records) for upload in sent_privately())
    if added:
        flash(
            f"{pluralize(added, 'note was', 'notes were')} added to what you had sent privately before."
        )


@blueprint.address("/check", Action.VALIDATE, UPLOADS, method="POST")
def check() -> ResponseReturnValue:
    """Check files or a pasted record, as an upload does, and store nothing."""
    sent = [file for file in request.files.getlist("files") if file.filename]
    if is_large_upload(sent):
        abort(413, CHECK_TOO_LARGE)
    files = _read(sent)
    if not files:
        return _without_files()
    budget = _budget(files)
    outcomes = [outcome for name, data in files for outcome in examine_bytes(name, data, budget)]
    for outcome in outcomes:
        outcome.state = "rejected"  # nothing is stored, whatever it is
    return _answer(outcomes)


def _answer(
    outcomes: list[RecordOutcome], link_key: str = "", *, address: str = ""
) -> ResponseReturnValue:
    """The verdicts, without the page around them for a script; with the key of a private link, that too.

    The `address` is theirs where they can be seen again, if they can: a script writes it into the browser's history.
    """
    most = current_app.config["MAX_SHOWN_RECORDS"]
    verdicts = UploadVerdicts.of(game_cache(), outcomes, most, link_key)
    if _is_scripted():
        response = make_response(verdicts.render())
        if address:
            response.headers["Content-Location"] = address
        return response
    if address and not link_key:
        known = sum(outcome.state == "known" for outcome in outcomes)
        if known:
            flash(ALREADY_STORED if len(outcomes) == 1 else f"Already stored: {known:,}.")
        # One is enough: messages travel in a cookie, which has room for 4 kB.
        if told := next((outcome for outcome in outcomes if outcome.stored_as), None):
            flash(f"Stored as {told.stored_as}; the record sent says {told.occasion}.")
        return redirect(address, 303)
    return _page(verdicts=verdicts, text=request.form.get("record", "")).render()


def is_large_upload(files: list[FileStorage]) -> bool:
    """Whether checking these files would take long; together they may hold and expand to no more than one file alone.

    A file that holds no record has a finding, and counts as one. Answers 413 if even an import would take too long for
    so few bytes.
    """
    size = sum(size_of_upload(file) for file in files)
    if len(files) > MOST_RECORDS_AT_ONCE and size < SMALLEST_FILES * len(files):
        abort(413, TOO_SMALL_FILES)
    if size >= int(current_app.config["LARGE_UPLOAD"]):
        return True
    left, records_left = max(size, MOST_EXPANDED_AT_ONCE), MOST_RECORDS_AT_ONCE
    blanks_left = FREE_EXPANDED_BYTES + MAX_EXPANSION * size
    for file in files:
        totals = codec.count_entries(
            cast(BinaryIO, file.stream), name=str(file.filename), most=records_left
        )
        file.stream.seek(0)
        if totals is None:
            return True
        left -= totals.size
        records_left -= totals.records
        blanks_left -= totals.expanded
        if blanks_left < 0:
            abort(413, EXPAND_TOO_FAR)
        if min(left, records_left) < 0:
            return True
    return False


def size_of_upload(file: FileStorage) -> int:
    """The size of a file in bytes, as it was sent."""
    size = file.stream.seek(0, SEEK_END)
    file.stream.seek(0)
    return size


def _read(sent: list[FileStorage]) -> list[tuple[str, bytes]]:
    files = [(str(file.filename), file.read()) for file in sent]
    text = request.form.get("record", "").strip()
    if text:
        if admitted_records(text.encode()) > MOST_RECORDS_AT_ONCE:
            abort(413, PASTED_TOO_MANY)
        files.append(("pasted", text.encode()))
    return files


def _budget(files: list[tuple[str, bytes]]) -> SharedBudget:
    """The budget of a request with these files: all their records share it."""
    return SharedBudget.of_request(sum(len(data) for _, data in files))


def _without_files() -> Response:
    problem = "Choose a file first, or paste a record."
    if _is_scripted():
        abort(400, problem)
    return make_response(_page(problem=problem).render(), 400)


def _is_scripted() -> bool:
    return request.headers.get("X-Requested-With") == "fetch"


def _recent() -> list[StoredGame]:
    return store().games(limit=RECENT_GAMES_SHOWN).games


def _unfinished() -> list[ImportJob]:
    return [job for job in import_queue().jobs() if job.is_active or job.can_resume]


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstTable(TablePage):
    """The table of the first page: the position of its question, with nothing of the replay around it."""

    template = "home/_question.html"
    view = "replay"
    findings: Sequence[ShownFinding] = ()
    trick_starts: Sequence[int] = ()
    review: None = None

    @classmethod
    def of(cls, question: FirstQuestion) -> Self:
        """The table of this question, seen by the player who is asked."""
        return cls(
            digest="",
            source=open_example(FIRST_PAGE_EXAMPLE).source,
            deal=question.deal,
            visibility=FULL_VISIBILITY,
            near=question.seat,
            step_number=question.step,
            least_loss=None,
            occasion="",
            trick_starts=trick_starts(question.deal.steps),
        )

    @property
    def address_of_match(self) -> str:
        """The address of the first step of the match."""
        return self.address(deal=1, step=None, near=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class HomePage(Page):
    """The first page: a question at the table, drop zone, verdicts on an upload without script, latest games.

    `play` is the card that the reader would play, `asked` says that they want the values, both without script. There
    are no games and no `counts` for visitors who may not see them.
    """

    template = "home/home.html"
    games: list[StoredGame]
    counts: StoreCounts | None
    verdicts: UploadVerdicts | None
    imports: list[ImportJob]
    text: str
    problem: str
    read_only: bool
    question: FirstQuestion
    table: FirstTable
    play: str
    asked: bool

    @property
    def answer(self) -> CardAnswer | None:
        """What the server says to the reader's card."""
        return self.question.answer_to(self.play)


def _page(verdicts: UploadVerdicts | None = None, text: str = "", problem: str = "") -> HomePage:
    question = first_question()
    play = request.args.get("play", "")
    return HomePage(
        question=question,
        table=FirstTable.of(question),
        play=play,
        asked=bool(play),
        games=_recent() if may("read") else [],
        counts=store().counts() if may("read") else None,
        verdicts=verdicts,
        imports=_unfinished() if may("control-imports") else [],
        text=text,
        problem=problem,
        read_only=store().read_only,
    )
