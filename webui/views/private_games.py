"""The games of a private upload, by its link: shown, replayed and reviewed like stored ones, and stored in no table."""

from flask import abort
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
from webui.server.responses import attachment, keep_private, text_response
from webui.server.shown_findings import ShownDiagnosis, ShownGroup, group_of_opened
from webui.views import analysed_games, deals, private_uploads
from webui.views.deal_addresses import REVIEW, DealSource
from webui.views.sent import opened_upload

blueprint = Views("private_games", __name__)
blueprint.after_request(keep_private)


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


def _game_data(sent: str, number: int) -> object:
    """The report on a record of a private upload, and the record."""
    upload, stored = _stored(sent, number)
    opened = open_private_record(stored, upload, number)
    return {"report": _report(stored), "record": opened.record}


@blueprint.page("/sent/<sent>/records/<int:number>", Action.USE_LINK, PERMALINKS, data=_game_data)
def game(sent: str, number: int) -> PrivateGamePage:
    """One game of a private upload: verdict, findings, deals."""
    upload, stored = _stored(sent, number)
    opened = open_private_record(stored, upload, number)
    report = _report(stored)
    return PrivateGamePage(
        sent=upload,
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
    )


@blueprint.address("/sent/<sent>/records/<int:number>/record.json", Action.USE_LINK, PAGES)
def original(sent: str, number: int) -> ResponseReturnValue:
    """A record of a private upload as it came, byte for byte."""
    _, stored = _stored(sent, number)
    return attachment(stored.data, f"private-{number}.json")


@blueprint.address("/sent/<sent>/records/<int:number>/review.txt", Action.USE_LINK, REVIEWS)
def review_text(sent: str, number: int) -> ResponseReturnValue:
    """The game as text, with its mistakes; the review is stored nowhere."""
    opened = _opened(sent, number)
    if not deals.is_reviewable(opened):
        abort(404)
    review = analysed_games().review(opened.record)
    text = "\n\n".join(narrate_game(opened.record, review)) + "\n"
    return text_response(text)


def _stored(sent: str, number: int) -> tuple[str, PrivateRecord]:
    """The public id of an upload, and its record with this number, from 1; answers 404 if there is none."""
    upload = opened_upload(sent)
    private = private_uploads().load(upload)
    if private is None or not 1 <= number <= len(private.records):
        abort(404)
    return upload, private.records[number - 1]


def _opened(sent: str, number: int) -> OpenedGame:
    upload, stored = _stored(sent, number)
    return open_private_record(stored, upload, number)


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
