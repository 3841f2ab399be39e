"""The games of a private upload, by its link: shown, replayed and reviewed like stored ones, and stored in no table."""

from dataclasses import dataclass

from flask import abort, current_app
from flask.typing import ResponseReturnValue

from analyzer.review.narrative import narrate_game
from records.rules.vocabulary import RuleSheet
from records.validate.report import Report
from records.validator import check
from webui.server.actions import Action
from webui.server.game_cache import OpenedGame
from webui.server.page import Page, Views
from webui.server.private_uploads import PrivateRecord, open_private_record
from webui.server.request_kinds import PAGES, PERMALINKS, REVIEWS
from webui.server.responses import attachment, json_response, keep_private
from webui.server.shown_findings import ShownDiagnosis, ShownGroup, group_of_opened
from webui.views import analysed_games, deals, private_uploads
from webui.views.deal_addresses import REVIEW, DealSource
from webui.views.sent import opened_upload

blueprint = Views("private_games", __name__)
blueprint.after_request(keep_private)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateGamePage(Page):
    """A private game: `number` is that of its record in the upload, from 1, `sent` the public id of the upload."""

    template = "imports/private_game.html"
    sent: str
    number: int
    stored: PrivateRecord
    report: Report
    sheet: RuleSheet
    diagnosis: ShownDiagnosis | None
    groups: list[ShownGroup]
    reviewable: bool


@blueprint.address("/sent/<sent>/records/<int:number>", Action.USE_LINK, PERMALINKS)
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


@blueprint.address("/sent/<sent>/records/<int:number>.json", Action.USE_LINK, PERMALINKS)
def game_json(sent: str, number: int) -> ResponseReturnValue:
    """The report on a record of a private upload, and the record."""
    stored = _stored(sent, number)
    opened = open_private_record(stored, sent, number)
    return json_response({"report": _report(stored), "record": opened.record})


@blueprint.address("/sent/<sent>/records/<int:number>/record.json", Action.USE_LINK, PAGES)
def original(sent: str, number: int) -> ResponseReturnValue:
    """A record of a private upload as it came, byte for byte."""
    return attachment(_stored(sent, number).data, f"private-{number}.json")


@blueprint.address("/sent/<sent>/records/<int:number>/review.txt", Action.USE_LINK, REVIEWS)
def review_text(sent: str, number: int) -> ResponseReturnValue:
    """The annotated game as text; the annotation is stored nowhere."""
    opened = _opened(sent, number)
    if not deals.is_reviewable(opened):
        abort(404)
    annotation = analysed_games().review(opened.record)
    text = "\n\n".join(narrate_game(opened.record, annotation)) + "\n"
    return current_app.response_class(text, mimetype="text/plain")


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


def _open_deal(sent: str, number: int, deal: int) -> tuple[OpenedGame, int]:
    return _opened(sent, number), deal


DealSource(
    blueprint=blueprint,
    address="/sent/<sent>/records/<int:number>/deals/<int:deal>",
    open_deal=_open_deal,
    action=Action.USE_LINK,
    cost=PERMALINKS,
    words={"game": "a private game", "record": "The private record"},
).declare(REVIEW)
