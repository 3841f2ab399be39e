"""The games of a private upload, by its link: shown, replayed and reviewed like stored ones, and stored in no table."""

from flask import Blueprint, abort, current_app
from flask.typing import ResponseReturnValue

from analyzer.annotate.narrative import narrate_game
from records.validate.report import Report
from records.validator import check
from webui.games.cache import OpenedGame
from webui.games.private_uploads import PrivateRecord, open_private_record
from webui.http.headers import keep_private
from webui.http.responses import attachment, json_response
from webui.pages.deals import ReplayPage
from webui.pages.findings import ShownDiagnosis, group_of_opened
from webui.pages.private_games import PrivateGamePage
from webui.views import analysed_games, deals, private_uploads
from webui.views import what_if as what_if_pages
from webui.views.sent import opened_upload

blueprint = Blueprint("private_games", __name__)
blueprint.after_request(keep_private)


@blueprint.get("/sent/<sent>/records/<int:number>")
def game(sent: str, number: int) -> ResponseReturnValue:
    """One game of a private upload: verdict, findings, deals."""
    stored = _stored(sent, number)
    opened = open_private_record(stored, sent, number)
    report = _report(stored)
    return PrivateGamePage(
        sent=sent,
        number=number,
        stored=stored,
        report=report,
        sheet=opened.resolved.sheet,
        diagnosis=ShownDiagnosis.of(
            report.findings,
            stored.players,
            analysed_games().corrections(opened.record, report.findings),
        ),
        groups=group_of_opened(opened, stored.players, report.findings),
        reviewable=deals.is_reviewable(opened),
    ).render()


@blueprint.get("/sent/<sent>/records/<int:number>.json")
def game_json(sent: str, number: int) -> ResponseReturnValue:
    """The report on a record of a private upload, and the record."""
    stored = _stored(sent, number)
    opened = open_private_record(stored, sent, number)
    return json_response({"report": _report(stored), "record": opened.record})


@blueprint.get("/sent/<sent>/records/<int:number>/record.json")
def original(sent: str, number: int) -> ResponseReturnValue:
    """A record of a private upload as it came, byte for byte."""
    return attachment(_stored(sent, number).data, f"private-{number}.json")


@blueprint.get("/sent/<sent>/records/<int:number>/review.txt")
def review_text(sent: str, number: int) -> ResponseReturnValue:
    """The annotated game as text; the annotation is stored nowhere."""
    opened = _opened(sent, number)
    if not deals.is_reviewable(opened):
        abort(404)
    annotation = analysed_games().review(opened.record)
    text = "\n\n".join(narrate_game(opened.record, annotation)) + "\n"
    return current_app.response_class(text, mimetype="text/plain")


@blueprint.get("/sent/<sent>/records/<int:number>/deals/<int:deal>")
def replay(sent: str, number: int, deal: int) -> ResponseReturnValue:
    """A deal of a private game."""
    return deals.replay_page(ReplayPage, _opened(sent, number), deal).render()


@blueprint.get("/sent/<sent>/records/<int:number>/deals/<int:deal>.json")
def replay_json(sent: str, number: int, deal: int) -> ResponseReturnValue:
    """All visible steps of a deal of a private game."""
    return deals.deal_response(_opened(sent, number), deal)


@blueprint.get("/sent/<sent>/records/<int:number>/deals/<int:deal>/review")
def review(sent: str, number: int, deal: int) -> ResponseReturnValue:
    """Review a private game; leads back to the deal."""
    return deals.review_and_return(_opened(sent, number), deal)


@blueprint.get("/sent/<sent>/records/<int:number>/deals/<int:deal>/what-if")
def what_if(sent: str, number: int, deal: int) -> ResponseReturnValue:
    """What if, for a deal of a private game."""
    return what_if_pages.what_if_page(_opened(sent, number), deal).render()


@blueprint.get("/sent/<sent>/records/<int:number>/deals/<int:deal>/what-if.json")
def what_if_json(sent: str, number: int, deal: int) -> ResponseReturnValue:
    """A deal of a private game with a line: the table, and every legal choice."""
    return what_if_pages.what_if_data(_opened(sent, number), deal)


@blueprint.get("/sent/<sent>/records/<int:number>/deals/<int:deal>/what-if/values")
def search_values(sent: str, number: int, deal: int) -> ResponseReturnValue:
    """Search longer for the values of a line; leads back to its page."""
    return what_if_pages.search_and_return(_opened(sent, number), deal)


@blueprint.get("/sent/<sent>/records/<int:number>/deals/<int:deal>/what-if/record.json")
def record(sent: str, number: int, deal: int) -> ResponseReturnValue:
    """The private record with the line added to its `lines`, checked."""
    return what_if_pages.record_with_line(_opened(sent, number), deal)


def _stored(sent: str, number: int) -> PrivateRecord:
    """A record of the upload with this public id, counted from 1; answers 404 if there is none."""
    upload = private_uploads().load(opened_upload(sent))
    if upload is None or not 1 <= number <= len(upload.records):
        abort(404)
    return upload.records[number - 1]


def _opened(sent: str, number: int) -> OpenedGame:
    return open_private_record(_stored(sent, number), sent, number)


def _report(stored: PrivateRecord) -> Report:
    return check(stored.data, line=stored.line, identify=True)
