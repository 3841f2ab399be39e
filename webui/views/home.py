"""The first page: games checked and uploaded, and the verdicts on them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from os import SEEK_END
from typing import BinaryIO, Self, cast

from flask import Response, abort, current_app, flash, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import FileStorage

from analyzer.ingest.batch import NotExamined, RecordOutcome, content_digest, prepare_batch
from analyzer.ingest.loader import add_notes, examine_bytes, ingest_files
from analyzer.ingest.tasks import ALL_RECORDS, RecordChoice
from analyzer.players.standings import with_stated_results
from analyzer.store.store import StoreCounts, StoredGame
from analyzer.upkeep.trash import TRASH_DAYS
from records.format import codec
from records.format.files import Entry, count_entries, read_entries
from records.format.open_readings import (
    NoSuchReading,
    OpenPlace,
    choose_reading,
    find_open_places,
)
from records.phrases import pluralize
from records.record import FREE_EXPANDED_BYTES, MAX_EXPANSION
from records.validate.finding import Finding, RequestBudget
from records.validate.report import Report
from webui.replay.match_curve import Spark
from webui.replay.steps import FULL_VISIBILITY, trick_starts
from webui.server import limits
from webui.server.access import may
from webui.server.actions import Action
from webui.server.client import client_address
from webui.server.game_cache import CachedGame, GameCache
from webui.server.imports_queue import ImportJob, IncomingFile, utc_now
from webui.server.lessons import (
    FIRST_PAGE_EXAMPLE,
    CardAnswer,
    FirstQuestion,
    first_question,
    open_example,
)
from webui.server.limits import count_private_upload
from webui.server.page import Page, Views
from webui.server.private_links import (
    new_link_key,
    private_link,
    remember_link,
    remember_sent_privately,
    sent_privately,
    upload_id,
)
from webui.server.private_uploads import (
    LARGEST_PRIVATE_UPLOAD,
    MOST_PRIVATE_RECORDS,
    PrivateRecord,
    PrivateUpload,
    UnreadablePrivateRecord,
    private_record,
)
from webui.server.request_kinds import FILES, PAGES, UPLOADS
from webui.server.responses import is_scripted, json_response, lead_to
from webui.server.shown_findings import (
    ShownDiagnosis,
    ShownFinding,
    ShownGroup,
    first_finding_of_deal,
    group_for_page,
    group_of_game,
)
from webui.views import game_cache, import_queue, private_uploads, store
from webui.views.api import admitted_records
from webui.views.deals import TablePage
from webui.views.games import draw_sparks, game_as_stored
from webui.views.notes import may_add_notes
from webui.views.studies import keep_studies

# The verdicts on records that were uploaded, at an address of their own, so that going back and reloading keep them.

MOST_IN_ADDRESS = 40
"""More records have no address: it would be too long for a browser's history."""
verdicts_blueprint = Views("verdicts", __name__)


def verdicts_address(outcomes: Sequence[RecordOutcome]) -> str:
    """The address of the verdicts on these records; empty if there are none or too many, or if one has none.

    What leads to the verdict on a game leads to that on the record as it is stored. The same game may be sent again with
    other claims or words, and then what is wrong with them is told in the answer alone.
    """
    games = [str(each.digest) for each in outcomes if each.state != "rejected"]
    unread = [each.content for each in outcomes if each.state == "rejected"]
    if not 0 < len(outcomes) <= MOST_IN_ADDRESS:
        return ""
    if not all(map(_is_as_stored, outcomes)):
        return ""
    return url_for("verdicts.show", game=[*dict.fromkeys(games)], unread=[*dict.fromkeys(unread)])


def _is_as_stored(outcome: RecordOutcome) -> bool:
    """Whether the verdict on a record is that on the stored one of the same game.

    Another record of it may have been stored before, and what is told of a file, such as its encoding, is stored nowhere.
    """
    if outcome.state == "rejected" or outcome.report is None:
        return True
    findings = game_cache().game(str(outcome.digest)).report.findings
    return [(each.code, each.message) for each in findings] == [
        (each.code, each.message) for each in outcome.report.findings
    ]


@dataclass(frozen=True, slots=True)
class OpenText:
    """A record in the notation that was not read, as its `text`, and what is asked: the `places` with several readings.

    `is_private` says that it was sent to be kept privately, as it will be when it is sent again.
    """

    text: str
    places: list[OpenPlace]
    is_private: bool


def open_texts(
    outcomes: Sequence[RecordOutcome], files: Sequence[tuple[str, bytes]]
) -> dict[str, OpenText]:
    """The records of an upload that have places with several readings, by the digest of their bytes."""
    asked = {each.content for each in outcomes if each.report and _has_open_places(each.report)}
    found: dict[str, OpenText] = {}
    for name, data in files if asked else ():
        for entry in read_entries(BytesIO(data), name=name):
            content = content_digest(entry.data)
            if content in asked and content not in found:
                text = entry.data.decode("utf-8", "replace")
                private = bool(request.form.get("private"))
                found[content] = OpenText(text, find_open_places(text), private)
    return found


def _has_open_places(report: Report) -> bool:
    return any(finding.code == "several-readings" for finding in report.findings)


@dataclass(frozen=True, slots=True)
class UploadedRecord:
    """One uploaded record: the outcome, its game if it is stored, and its text if that can be read in several ways.

    `picture` is the address of the table at the first finding; empty where it is of no deal, or nobody can draw it.
    """

    outcome: RecordOutcome
    report: Report
    game: StoredGame | None
    groups: list[ShownGroup]
    diagnosis: ShownDiagnosis | None
    open_text: OpenText | None = None
    picture: str = ""

    @classmethod
    def of(
        cls,
        cache: GameCache,
        outcome: RecordOutcome,
        open_text: OpenText | None = None,
        picture: str = "",
    ) -> Self:
        """What the page shows of an outcome; only a stored game has steps to lead to, and a `picture` without being given one."""
        report = outcome.report or Report(verdict="unreadable")
        digest = outcome.digest if outcome.state != "rejected" else None
        game = cache.store.game(digest) if digest else None
        groups = (
            group_of_game(cache, game, report.findings) if game else group_for_page(report.findings)
        )
        diagnosis = ShownDiagnosis.of(report.findings, game.names if game else ())
        if game:
            picture = _picture_of_game(cache, game, report.findings)
        return cls(outcome, report, game, groups, diagnosis, open_text, picture)

    @property
    def address_of_report(self) -> str:
        """The address of the whole report; empty if the game is not stored."""
        return url_for("games.report", digest=self.game.digest) if self.game else ""


def _picture_of_game(cache: GameCache, game: StoredGame, findings: Sequence[Finding]) -> str:
    """The address of the table at the first finding on a stored game; empty if it is of no deal."""
    finding = first_finding_of_deal(findings)
    step = cache.step_of(game.digest, finding) if finding else None
    if finding is None or finding.at.deal is None or step is None:
        return ""
    return url_for("deals.replay_picture", digest=game.digest, deal=finding.at.deal + 1, step=step, wide=1)  # fmt: skip


class UploadVerdicts(Page):
    """The verdicts on an upload; `records` counts them all, `shown` are those shown in full.

    In a look, `is_look`, nothing is stored. `rejected` counts those that were to be stored and were not. `link_key` is the key of the sender's private link, empty where there is none.
    """

    template = "home/_verdicts.html"
    records: int
    shown: list[UploadedRecord]
    tally: Mapping[str, int]
    rejected: int
    link_key: str
    is_look: bool = False

    @classmethod
    def of(
        cls,
        cache: GameCache,
        outcomes: Sequence[RecordOutcome],
        most: int,
        link_key: str = "",
        *,
        asked: Mapping[str, OpenText] | None = None,
        pictures: Mapping[str, str] | None = None,
        is_look: bool = False,
    ) -> Self:
        """The verdicts on the records of an upload, the first `most` of them in full.

        Of the texts that are `asked` about, by the digests of their bytes, readers are asked what they mean; `pictures` are
        the addresses of those at the first findings. In a look nothing is stored.
        """
        asked, pictures = asked or {}, pictures or {}
        return cls(
            is_look=is_look,
            records=len(outcomes),
            shown=[
                UploadedRecord.of(
                    cache, outcome, asked.get(outcome.content), pictures.get(outcome.content, "")
                )
                for outcome in outcomes[:most]
            ],
            tally=Counter(outcome.verdict for outcome in outcomes),
            rejected=sum(outcome.state == "rejected" for outcome in outcomes),
            link_key=link_key,
        )


class VerdictsPage(Page):
    """The verdicts on some records, at an address of their own."""

    template = "verdicts/verdicts.html"
    verdicts: UploadVerdicts

    @property
    def data(self) -> object:
        """The reports on the stored games and the unreadable records in the address."""
        return {"reports": [each.report for each in self.verdicts.shown]}


@verdicts_blueprint.page("/verdicts", Action.READ, UPLOADS, about_query=True)
def show() -> VerdictsPage:
    """The verdicts on the stored games and the unreadable records in the address."""
    return VerdictsPage(verdicts=_requested())


def _requested() -> UploadVerdicts:
    """The verdicts that the address names; answers 404 if one of its games is not stored, or nothing is."""
    digests = request.args.getlist("game")[:MOST_IN_ADDRESS]
    outcomes = [_outcome(game_cache().game(digest)) for digest in digests]
    unread = store().rejected_with(request.args.getlist("unread")[:MOST_IN_ADDRESS])
    outcomes += [
        RecordOutcome(
            name=record.name,
            line=record.line,
            size=record.size,
            state="rejected",
            verdict="unreadable",
            digest=None,
            awaits=record.awaits or "",
            report=Report(verdict="unreadable", line=record.line, findings=record.findings),
        )
        for record in unread
    ]
    if not outcomes:
        abort(404)
    most = int(current_app.config["MAX_SHOWN_RECORDS"])
    return UploadVerdicts.of(game_cache(), outcomes, most)


def _outcome(game: CachedGame) -> RecordOutcome:
    stored = game_as_stored(game)
    return RecordOutcome(
        name=stored.name,
        line=stored.line,
        size=len(game.data),
        state="stored",
        verdict=game.report.verdict,
        digest=game.digest,
        match=stored.match or "",
        relation=stored.relation or "",
        report=game.shown_report,
    )


# The first page and its drop zone.

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
UNDO_STORED = f"Stored. To undo it, delete the game at the foot of its page: for {TRASH_DAYS} days it can be brought back."
ALREADY_STORED = "This game is already stored."
TOO_COSTLY = "Judging these records would take longer than a request may. Send fewer at a time, or those with unseen cards alone."
CHECK_TOO_LARGE = "These are too many records to check at once. Send fewer, send them uncompressed, or use /api/validate."
LONGEST_BEGINNING = 2_000
"""So many characters of a record may stand in the address of the first page."""
blueprint = Views("home", __name__)


@blueprint.address("/", Action.LOOK, PAGES)
def home() -> ResponseReturnValue:
    """The first page; the address may bring the beginning of a `record` to go on with."""
    return _page(text=request.args.get("record", "")[:LONGEST_BEGINNING]).render()


@blueprint.address("/favicon.ico", Action.LOOK, FILES)
def icon() -> Response:
    """The icon of the site, where browsers and programs look for it unasked."""
    return current_app.send_static_file("favicon.ico")


@blueprint.address("/index.json", Action.READ, PAGES)
def home_json() -> ResponseReturnValue:
    """How much is stored, and the latest games."""
    return json_response({"counts": store().counts(), "games": _recent()})


@blueprint.form("/", Action.UPLOAD, UPLOADS, takes_files=True)
def upload() -> ResponseReturnValue:
    """Store files or a pasted record at once, as the recorder and earlier programs ask; answers with the verdicts.

    A script gets them without the page around them. The first page itself sends what it gets to be looked at.
    """
    key = new_link_key()
    sent = sent_files()
    if request.form.get("private"):
        if is_large_upload(sent):
            abort(413, PRIVATE_TOO_LARGE)
        return keep_privately(key, _read(sent))
    if is_large_upload(sent):
        job = import_queue().add(upload_id(key), incoming_files(sent), client_address())
        if may("control-imports"):
            return lead_to("imports.show_import", upload=job.id)
        remember_link(key)
        return redirect(private_link(key), 303)
    given = _read(sent)
    if not given:
        return refuse_without_files()
    with refused_if_not_examined():
        outcomes = store_at_once(upload_id(key), given, current_app.config["MAX_SHOWN_RECORDS"])
    add_notes_of(outcomes, given)
    keep_studies(given)
    # Whoever may delete every game needs no link to the own ones.
    stored = any(outcome.state == "stored" for outcome in outcomes)
    link_key = key if stored and not may("delete") else ""
    if link_key:
        remember_link(key)
    elif stored:
        flash(UNDO_STORED)
    are_open = any(each.report and _has_open_places(each.report) for each in outcomes)
    address = "" if are_open or not may("read") else verdicts_address(outcomes)
    return _answer(outcomes, link_key, address=address, files=given)


def store_at_once(
    upload: str,
    files: list[tuple[str, bytes]],
    most_reports: int,
    wanted: RecordChoice = ALL_RECORDS,
) -> list[RecordOutcome]:
    """Store the wanted records of the files of a small upload, by its public id; raises NotExamined."""
    return ingest_files(
        store(),
        files,
        upload,
        most_reports=most_reports,
        budget=RequestBudget(),
        before_storing=limits.end_turn,
        wanted=wanted,
    )


def add_notes_of(outcomes: list[RecordOutcome], files: list[tuple[str, bytes]]) -> None:
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
        for entry in read_entries(BytesIO(data), name=name):
            digest = (
                codec.decode(entry.data, line=entry.line).digest() if not entry.findings else None
            )
            if digest in known and digest is not None:
                added += add_notes(store(), digest, entry.data)
    if added:
        game_cache().clear()
        flash(f"{pluralize(added, 'note was', 'notes were')} added to what is stored.")


def keep_privately(
    key: str, files: list[tuple[str, bytes]], wanted: RecordChoice = ALL_RECORDS
) -> ResponseReturnValue:
    """Store the wanted records, and studies, where only who has their link sees them; what cannot be read is not stored."""
    entries = list[Entry]()
    for name, data in files:
        for entry in wanted.of(read_entries(BytesIO(data), name=name)):
            entries.append(entry)
            size = sum(len(entry.data) for entry in entries)
            if len(entries) > MOST_PRIVATE_RECORDS or size > LARGEST_PRIVATE_UPLOAD:
                abort(413, PRIVATE_TOO_LARGE)
    if not entries:
        return refuse_without_files()
    with refused_if_not_examined():
        outcomes = prepare_batch(entries, reports=True, budget=RequestBudget()).outcomes
    records, unreadable = [], []
    for entry, outcome in zip(entries, outcomes, strict=True):
        record = None if outcome.state == "rejected" else private_record(entry, outcome.verdict)
        if record is not None:
            records.append(record)
        else:
            findings = outcome.report.findings[:1] if outcome.report else []
            unreadable.append(UnreadablePrivateRecord(outcome.name, outcome.line, findings))
    if not records:
        return _answer(outcomes, files=files)
    count_private_upload()
    private_uploads().save(upload_id(key), PrivateUpload(utc_now(), records, unreadable))
    _add_private_notes(records)
    keep_studies(files, upload_id(key))
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


@blueprint.form("/check", Action.VALIDATE, UPLOADS)
def check() -> ResponseReturnValue:
    """Check files or a pasted record, as an upload does, and store nothing."""
    sent = sent_files()
    if is_large_upload(sent):
        abort(413, CHECK_TOO_LARGE)
    files = _read(sent)
    if not files:
        return refuse_without_files()
    budget = RequestBudget()
    with refused_if_not_examined():
        outcomes = [
            outcome for name, data in files for outcome in examine_bytes(name, data, budget)
        ]
    for outcome in outcomes:
        outcome.state = "rejected"  # nothing is stored, whatever it is
    return _answer(outcomes, files=files)


def _answer(
    outcomes: list[RecordOutcome],
    link_key: str = "",
    *,
    address: str = "",
    files: Sequence[tuple[str, bytes]],
) -> ResponseReturnValue:
    """The verdicts on records of these files, without the page around them for a script; with the key of a private link, that too.

    The `address` is theirs where they can be seen again, if they can: a script writes it into the browser's history.
    """
    most = current_app.config["MAX_SHOWN_RECORDS"]
    asked = open_texts(outcomes[:most], files)
    verdicts = UploadVerdicts.of(game_cache(), outcomes, most, link_key, asked=asked)
    if is_scripted():
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
            flash(f"Stored as {told.stored_as}; the record sent says {told.occasion} instead.")
        return redirect(address, 303)
    return _page(verdicts=verdicts, text=pasted_record()).render()


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
        totals = count_entries(
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


def sent_files() -> list[FileStorage]:
    """The files of the form."""
    return [file for file in request.files.getlist("files") if file.filename]


def incoming_files(sent: Sequence[FileStorage]) -> list[IncomingFile]:
    """The same files as a queue takes them."""
    return [IncomingFile(str(file.filename), size_of_upload(file), file.save) for file in sent]


def size_of_upload(file: FileStorage) -> int:
    """The size of a file in bytes, as it was sent."""
    size = file.stream.seek(0, SEEK_END)
    file.stream.seek(0)
    return size


def _read(sent: list[FileStorage]) -> list[tuple[str, bytes]]:
    files = [(str(file.filename), file.read()) for file in sent]
    text = pasted_record()
    if text:
        if admitted_records(text.encode()) > MOST_RECORDS_AT_ONCE:
            abort(413, PASTED_TOO_MANY)
        files.append(("pasted", text.encode()))
    return files


def pasted_record() -> str:
    """The record that was pasted, with the reading that was chosen in it; answers 400 if it has no such reading."""
    text = request.form.get("record", "").strip()
    chosen = request.form.get("reading", "")
    if not chosen:
        return text
    line, _, rest = chosen.partition(":")
    column, _, reading = rest.partition(":")
    try:
        # Browsers send line ends in two characters.
        return choose_reading(text.replace("\r\n", "\n"), int(line), int(column), reading)
    except (ValueError, NoSuchReading):
        abort(400, "The record cannot be read in this way.")


@contextmanager
def refused_if_not_examined() -> Iterator[None]:
    """Answer 413 where the records of the request would take longer than a request may; nothing is stored then."""
    try:
        yield
    except NotExamined:
        abort(413, TOO_COSTLY)


def refuse_without_files() -> Response:
    """The answer to a form with neither a file nor a record."""
    problem = "Choose a file first, or paste a record."
    if is_scripted():
        abort(400, problem)
    return make_response(_page(problem=problem).render(), 400)


def _recent() -> list[StoredGame]:
    return with_stated_results(store(), store().games(limit=RECENT_GAMES_SHOWN).games)


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
            sheet=open_example(FIRST_PAGE_EXAMPLE).resolved.sheet,
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


class HomePage(Page):
    """The first page: a question at the table, drop zone, verdicts on an upload without script, latest games.

    `play` is the card that the reader would play, `asked` says that they want the values, both without script. There
    are no games and no `counts` for visitors who may not see them.
    """

    template = "home/home.html"
    games: list[StoredGame]
    sparks: Mapping[str, Spark]
    counts: StoreCounts | None
    verdicts: UploadVerdicts | None
    imports: list[ImportJob]
    text: str
    problem: str
    read_only: bool
    as_of: datetime | None
    question: FirstQuestion
    table: FirstTable
    play: str
    asked: bool

    @property
    def answer(self) -> CardAnswer | None:
        """What the server says to the reader's card."""
        return self.question.answer_to(self.play)


def page_with_text(text: str) -> HomePage:
    """The first page with a text in its box, which nothing keeps."""
    return _page(text=text)


def _page(verdicts: UploadVerdicts | None = None, text: str = "", problem: str = "") -> HomePage:
    question = first_question()
    play = request.args.get("play", "")
    recent = _recent() if may("read") else []
    return HomePage(
        question=question,
        table=FirstTable.of(question),
        play=play,
        asked=bool(play),
        games=recent,
        sparks=draw_sparks(recent),
        counts=store().counts() if may("read") else None,
        verdicts=verdicts,
        imports=[
            job
            for job in (import_queue().jobs() if may("control-imports") else ())
            if job.is_active or job.can_resume
        ],
        text=text,
        problem=problem,
        read_only=store().read_only,
        as_of=store().as_of,
    )
