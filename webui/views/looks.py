"""A look at what was sent before it is stored: the list of its records, what of it is chosen, and the button that stores it."""

from collections.abc import Sequence, Set
from io import BytesIO

from flask import abort, current_app, flash, request, url_for
from flask.typing import ResponseReturnValue
from msgspec.structs import replace
from werkzeug.datastructures import FileStorage

from analyzer.ingest.batch import NotExamined, RecordOutcome
from analyzer.ingest.previews import RecordPreview
from analyzer.ingest.tasks import RecordChoice
from analyzer.store.store import StoredGame
from analyzer.upkeep.trash import list_trash
from records.format.codec import list_understood
from records.format.open_readings import find_open_places
from records.phrases import pluralize
from records.study import LARGEST_STUDY_FILE
from records.validate.report import Report
from webui.replay.pictures import render_preview_svg
from webui.server import limits
from webui.server.access import may
from webui.server.actions import Action
from webui.server.client import client_address
from webui.server.game_cache import GameSource, InvalidPermalink, open_record
from webui.server.imports_queue import IncomingFile
from webui.server.looks_queue import (
    LOOK_DAYS,
    MOST_LISTED,
    MOST_TICKS,
    RECORDS_ON_PAGE,
    SMALL_BYTES,
    LookJob,
    TooManyChoices,
)
from webui.server.page import Page, Views, requested_page
from webui.server.private_links import link_key, new_link_key, remember_link, upload_id
from webui.server.private_uploads import LARGEST_PRIVATE_UPLOAD, MOST_PRIVATE_RECORDS
from webui.server.request_kinds import PAGES, REPLAYS, UPLOADS
from webui.server.responses import json_response, keep_private, lead_to
from webui.server.shown_findings import first_finding_of_deal, steps_of_findings
from webui.views import game_cache, import_queue, look_queue, store
from webui.views.home import (
    MOST_RECORDS_AT_ONCE,
    OpenText,
    UploadVerdicts,
    VerdictsPage,
    add_notes_of,
    incoming_files,
    is_large_upload,
    keep_privately,
    page_with_text,
    pasted_record,
    refuse_without_files,
    sent_files,
    store_at_once,
)
from webui.views.recorder import LARGEST_DRAFT, RecorderPage, RecordOrigin, page_with_unstored
from webui.views.sent import opened_upload
from webui.views.studies import keep_studies

PASTED = "pasted"
"""The name of a record that came in no file."""
LONGEST_EDITED = 256 * 1024
"""So many bytes of what was sent are shown at most, to be edited."""
MOST_UNDERSTOOD = 500
"""So many places are listed that were read otherwise than they are written."""
LONGEST_WAIT = 2.0
"""So many seconds an answer waits for a look that may end at once."""
TOO_MANY_CHOICES = f"Up to {MOST_TICKS:,} records can be left out one by one. Send what you want in a file of its own."
STILL_LOOKING = (
    "The records are still being looked at. Wait until the list is complete, or stop it."
)
CORRECTED_VERDICTS = ("illegal", "incomplete")
"""Records of these verdicts can be opened in the recorder before they are stored."""
blueprint = Views("looks", __name__)
blueprint.after_request(keep_private)


def _digests_in_trash() -> Set[str]:
    return {game.digest for game in list_trash(store())} if may("delete") else set()


class ListedRecords(Page):
    """A page of the list, counted from 1 by its `number`, as far as it has rows, and what is chosen of it.

    `trash` has the digests of deleted games, for who may see them.
    """

    template = "looks/_found.html"
    job: LookJob
    rows: Sequence[RecordPreview]
    number: int
    choice: RecordChoice
    trash: Set[str]

    records_on_page = RECORDS_ON_PAGE

    @staticmethod
    def game_of_same_cards(row: RecordPreview) -> StoredGame | None:
        """The stored game with the same cards as a new record, if who asks may see it and nothing else is told of the match."""
        is_asked = row.state == "new" and row.same_cards and not row.match
        return store().game(row.same_cards) if is_asked and may("read") else None

    @staticmethod
    def may_be_corrected(row: RecordPreview) -> bool:
        """Whether a record that would be stored can be opened in the recorder, and there is something to mend or to go on with."""
        is_open = row.state == "new" and row.verdict in CORRECTED_VERDICTS and may("validate")
        return is_open and row.size <= LARGEST_DRAFT


class LookPage(ListedRecords):
    """The records that were found in an upload, of which nothing is stored, with a page of their list.

    `text` is what was pasted, empty if something else was sent, and `understood` are the first places of it that were read
    otherwise than they are written.
    `chosen` counts the new records that will be stored. `verdicts` has the reports on the records of a small upload.
    """

    template = "looks/look.html"
    upload: str
    chosen: int
    verdicts: UploadVerdicts | None
    text: str
    understood: Sequence[str]

    @property
    def title(self) -> str:
        """What was found in what was sent."""
        job, found = self.job, list[str]()
        if job.listed or not job.studies:
            found.append(pluralize(job.listed, "record"))
        if job.studies:
            found.append(
                "a study"
                if len(job.studies) == 1
                else pluralize(len(job.studies), "study", "studies")
            )
        words = " and ".join(found)
        return f"{words[0].upper()}{words[1:]} in {title_of_look(job)}"

    @property
    def may_be_private(self) -> bool:
        """Whether no more is chosen than a private upload holds."""
        return self.chosen <= MOST_PRIVATE_RECORDS and self.job.read <= LARGEST_PRIVATE_UPLOAD

    @property
    def progress(self) -> dict[str, object]:
        """How far the look is, as a script shows it."""
        return describe_look(self.job, look_queue().jobs_before(self.job))

    @property
    def limits(self) -> dict[str, int]:
        """What the page says of limits: the most records listed and kept privately, and the days that files wait."""
        return {"listed": MOST_LISTED, "private": MOST_PRIVATE_RECORDS, "days": LOOK_DAYS}


def title_of_look(job: LookJob) -> str:
    """What was sent, in words."""
    return "what you pasted" if job.names == [PASTED] else job.title


def describe_look(job: LookJob, before: int) -> dict[str, object]:
    """How far a look is; `before` counts the looks that are worked on before it."""
    words = {"waiting": "Waiting", "running": "Looking"}.get(job.state, "Done")
    if job.state == "waiting" and before:
        words = f"Waiting for {pluralize(before, 'other upload')}"
    return {
        "state": job.state,
        "words": words,
        "goes_on": job.is_active,
        "share": round(job.share, 4),
        "percent": job.percent,
        "title": title_of_look(job),
        "listed": f"{job.listed:,}",
        "say": job.spoken_progress(words),
    }


@blueprint.form("/look", Action.UPLOAD, UPLOADS, takes_files=True)
def look() -> ResponseReturnValue:
    """Look at files or a pasted record, and store nothing; leads to the list of what was found."""
    sent = sent_files()
    is_large_upload(sent)  # refuses what costs too much
    files = incoming_files(sent)
    if text := pasted_record().encode():
        files.append(IncomingFile(PASTED, len(text), FileStorage(BytesIO(text)).save))
    if not files:
        return refuse_without_files()
    key = new_link_key()
    job = look_queue().add(upload_id(key), files, client_address())
    remember_link(key)
    limits.end_turn()
    _replace_look(request.form.get("instead", ""))
    look_queue().wait(job.id, LONGEST_WAIT)
    return lead_to("looks.show", sent=job.id)


def _replace_look(sent: str) -> None:
    """Discard the look at a text which was edited since, if the browser has its link."""
    before = look_queue().job(sent) if link_key(sent) else None
    if before is not None:
        _discard(before)


def _look_data(sent: str) -> object:
    """The state of a look, how many records of each state it found, and a page of them; `?page=` chooses it."""
    page = _look_page(_job(sent))
    counts = {"listed": page.job.listed, **page.job.counts}
    records = [replace(each, report=None, text="") for each in page.rows]
    return {"state": page.job.state, "pages": page.job.pages, "counts": counts, "records": records}


@blueprint.page("/look/<sent>", Action.USE_LINK, PAGES, data=_look_data)
def show(sent: str) -> LookPage | ResponseReturnValue:
    """What was found; what is stored already has the page of the upload."""
    upload = opened_upload(sent)
    job = look_queue().job(upload)
    return lead_to("sent.show", sent=upload) if job is None else _look_page(job)


def _look_page(job: LookJob) -> LookPage:
    queue = look_queue()
    number = requested_page(job.pages)
    rows = queue.page(job, number)
    text = _pasted_text(job) if job.names == [PASTED] and not job.is_active else ""
    return LookPage(
        upload=job.id,
        job=job,
        rows=rows,
        number=number,
        choice=queue.choice(job),
        chosen=queue.count_ticked(job),
        verdicts=None if job.is_active or number > 1 else _verdicts(job, rows),
        text=text,
        trash=_digests_in_trash(),
        understood=list_understood(text)[:MOST_UNDERSTOOD],
    )


def _verdicts(job: LookJob, rows: Sequence[RecordPreview]) -> UploadVerdicts | None:
    """The reports on the records of a small upload."""
    most = int(current_app.config["MAX_SHOWN_RECORDS"])
    shown = [each for each in rows[:most] if each.report is not None]
    if not shown or job.listed > len(shown):
        return None
    asked = {
        each.content: OpenText(each.text, places, is_private=False)
        for each in shown
        if each.text and (places := find_open_places(each.text))
    }
    outcomes = [_outcome(each) for each in shown]
    pictures = {each.content: _picture_address(job, each) for each in shown}
    return UploadVerdicts.of(
        game_cache(), outcomes, most, asked=asked, pictures=pictures, is_look=True
    )


def _picture_address(job: LookJob, row: RecordPreview) -> str:
    """Where the table at the first finding of a record is drawn; empty if it is of no deal, or the record is large."""
    found = first_finding_of_deal(row.report.findings if row.report else ())
    is_shown = row.verdict != "unreadable" and not row.awaits and row.size <= LARGEST_DRAFT
    if found is None or not is_shown:
        return ""
    return url_for("looks.picture", sent=job.id, content=row.content)


def _outcome(preview: RecordPreview) -> RecordOutcome:
    state = {"new": "stored", "unreadable": "rejected"}.get(preview.state, "known")
    return RecordOutcome(
        name=preview.name,
        line=preview.line,
        size=preview.size,
        state=state,  # type: ignore[arg-type]
        verdict=preview.verdict,
        digest=preview.digest or None,
        content=preview.content,
        match=preview.match,
        relation=preview.relation,
        report=preview.report or Report(verdict="unreadable"),
    )


@blueprint.address("/look/<sent>/progress.json", Action.USE_LINK, PAGES)
def progress(sent: str) -> ResponseReturnValue:
    """How far the look is; status 404 once it is stored or discarded."""
    job = _job(sent)
    return json_response(describe_look(job, look_queue().jobs_before(job)))


@blueprint.address("/look/<sent>/found", Action.USE_LINK, PAGES)
def found(sent: str) -> ResponseReturnValue:
    """The rows of the first page of the list, as far as there are any, for a script."""
    job = _job(sent)
    part = ListedRecords(
        job=job,
        rows=look_queue().page(job, 1),
        number=1,
        choice=look_queue().choice(job),
        trash=_digests_in_trash(),
    )
    return part.render()


@blueprint.page("/look/<sent>/records/<content>", Action.USE_LINK, UPLOADS)
def correct(sent: str, content: str) -> RecorderPage:
    """A record of the list in the recorder, which stores it once it is corrected; `?page=` is the page of the list."""
    job = _job(sent)
    data = look_queue().record_bytes(job, content) or abort(404)
    number = requested_page(job.pages)
    return page_with_unstored(data, RecordOrigin(job.id, content, number))


@blueprint.address("/look/<sent>/records/<content>/finding.svg", Action.USE_LINK, REPLAYS)
def picture(sent: str, content: str) -> ResponseReturnValue:
    """The table at the first finding of a record of the list's first page; answers 404 where there is no such table."""
    job = _job(sent)
    row = next((each for each in look_queue().page(job, 1) if each.content == content), None)
    data = look_queue().record_bytes(job, content) if row and _picture_address(job, row) else None
    if row is None or row.report is None or data is None:
        abort(404)
    try:
        game = open_record(data, GameSource("looks", {}))
    except InvalidPermalink:
        abort(404)
    finding = first_finding_of_deal(row.report.findings) or abort(404)
    deal = game.deal(finding.at.deal or 0).deal
    step = steps_of_findings(game)(finding) or 0
    svg = render_preview_svg(deal, min(step, len(deal.steps) - 1), 0)
    return current_app.response_class(svg, mimetype="image/svg+xml")


@blueprint.page("/look/<sent>/records/<content>/readings", Action.USE_LINK, UPLOADS)
def readings(sent: str, content: str) -> VerdictsPage:
    """A record of the list that can be read in several ways, with each of them to choose; `?page=` is the page of the list."""
    job = _job(sent)
    rows = look_queue().page(job, requested_page(job.pages))
    row = next((each for each in rows if each.content == content), None) or abort(404)
    text = (look_queue().record_bytes(job, content) or b"").decode("utf-8", "replace")
    if not (places := find_open_places(text)):
        abort(404)
    asked = {content: OpenText(text, places, is_private=False)}
    return VerdictsPage(
        verdicts=UploadVerdicts.of(game_cache(), [_outcome(row)], 1, asked=asked, is_look=True)
    )


@blueprint.form("/look/<sent>/choose", Action.USE_LINK, PAGES)
def choose(sent: str) -> ResponseReturnValue:
    """Keep what is ticked on a page of the list, and lead to another; or tick all records, or none."""
    job = _job(sent)
    _keep_ticks(job)
    everything = request.form.get("all", "")
    if everything:
        look_queue().choose_all(job, none=everything == "none")
    page = request.form.get("page", 1, type=int)
    return lead_to("looks.show", sent=job.id, page=page, _anchor="list")


def _keep_ticks(job: LookJob) -> None:
    shown, ticked = (
        set(request.form.getlist(name)[:RECORDS_ON_PAGE]) for name in ("shown", "take")
    )
    if not shown:
        return
    page = request.form.get("from", 1, type=int)
    new = {each.content for each in look_queue().page(job, page) if each.state == "new"}
    try:
        look_queue().choose(job, shown & new, ticked & new)
    except TooManyChoices:
        abort(413, TOO_MANY_CHOICES)


@blueprint.form("/look/<sent>/stop", Action.USE_LINK, PAGES)
def stop(sent: str) -> ResponseReturnValue:
    """Stop looking; what was found can be stored with the rest."""
    job = _job(sent)
    look_queue().stop(job.id)
    look_queue().wait(job.id, LONGEST_WAIT)
    return lead_to("looks.show", sent=job.id)


@blueprint.form("/look/<sent>/discard", Action.USE_LINK, PAGES)
def discard(sent: str) -> ResponseReturnValue:
    """Delete what was sent; nothing of it was stored. What was pasted is in the box of the first page again."""
    job = _job(sent)
    text = _pasted_text(job)
    _discard(job)
    flash("Nothing was stored.")
    return page_with_text(text).render() if text else lead_to("home.home")


def _discard(job: LookJob) -> None:
    look_queue().stop(job.id)
    look_queue().wait(job.id, LONGEST_WAIT)
    look_queue().discard(job)


def _pasted_text(job: LookJob) -> str:
    """What was pasted; empty if nothing was, or more than a page takes."""
    if PASTED not in job.names or job.size > LONGEST_EDITED:
        return ""
    return dict(look_queue().contents(job))[PASTED].decode("utf-8", "replace")


@blueprint.form("/look/<sent>/store", Action.UPLOAD, UPLOADS)
def store_ticked(sent: str) -> ResponseReturnValue:
    """Store what is chosen, once, however often this is sent; leads to the page of the upload."""
    upload = opened_upload(sent)
    if look_queue().job(upload) is None:
        return lead_to("sent.show", sent=upload)
    job = _job(sent)
    if job.is_active:
        abort(409, STILL_LOOKING)
    _keep_ticks(job)
    if look_queue().take(upload) is None:
        return lead_to("sent.show", sent=upload)
    try:
        answer = _store(job, upload)
        look_queue().discard(job)
    finally:
        look_queue().give_back(upload)
    return answer


def _store(job: LookJob, upload: str) -> ResponseReturnValue:
    if job.takes_study and not job.counts.get("new"):
        kept = keep_studies(look_queue().contents(job))
        return lead_to("studies.show", study=kept[0]) if kept else lead_to("studies.index")
    wanted = look_queue().choice(job)
    if request.form.get("private"):
        key = link_key(upload) or abort(404)  # a private upload without its key would be lost
        return keep_privately(key, look_queue().contents(job), wanted)
    stored = _store_at_once(job, upload, wanted)
    if job.size <= LARGEST_STUDY_FILE:
        keep_studies(look_queue().contents(job))
    if not stored:
        import_queue().add(upload, look_queue().files(job), client_address(), wanted)
        if may("control-imports"):
            return lead_to("imports.show_import", upload=upload)
    return lead_to("sent.show", sent=upload)


def _store_at_once(job: LookJob, upload: str, wanted: RecordChoice) -> bool:
    """Store a small upload; whether it was small enough."""
    size = job.size
    is_small = size < int(current_app.config["LARGE_UPLOAD"]) and job.read <= max(size, SMALL_BYTES)
    if not is_small or job.listed > MOST_RECORDS_AT_ONCE:
        return False
    files = look_queue().contents(job)
    try:
        outcomes = store_at_once(upload, files, 0, wanted)
    except NotExamined:
        return False
    add_notes_of(outcomes, files)
    number = sum(outcome.state == "stored" for outcome in outcomes)
    flash(f"Stored {pluralize(number, 'game')}." if number else "Nothing new was stored.")
    if waiting := sum(bool(outcome.awaits) for outcome in outcomes):
        flash(
            f"{pluralize(waiting, 'record waits', 'records wait')} for a rulebook that is not known here."
        )
    return True


def _job(sent: str) -> LookJob:
    """The look of an upload whose link the browser has; answers 404 if there is none."""
    return look_queue().job(opened_upload(sent)) or abort(404)
