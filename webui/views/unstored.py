"""Games that are in no collection: the examples that every server has, records that come in the address, private uploads."""

from flask import Response, abort, request
from flask.typing import ResponseReturnValue

from analyzer.review.narrative import narrate_game
from records.format import codec
from records.rules.registry import sheet_of_rules
from records.rules.vocabulary import RuleSheet
from records.validate.report import Report
from records.validator import check
from webui.server.actions import Action
from webui.server.game_cache import InvalidPermalink, OpenedGame, open_permalink
from webui.server.lessons import guided_example
from webui.server.page import Page, Views
from webui.server.private_uploads import PrivateRecord, open_private_record
from webui.server.request_kinds import PAGES, PERMALINKS, REPLAYS, REVIEWS
from webui.server.responses import attachment, keep_private, text_response
from webui.server.shown_findings import ShownDiagnosis, ShownGroup, group_of_opened
from webui.views import analysed_games, private_uploads
from webui.views.deal_addresses import PICTURES, REVIEW, STUDY, DealSource
from webui.views.deals import requested_number
from webui.views.rules import SheetPage, sheet_page
from webui.views.sent import opened_upload

# Examples, and records in the address.

WRONG_DEAL_TEXT = "A deal is a number; 1 is the first."
examples_blueprint = Views("examples", __name__)
permalinks_blueprint = Views("permalinks", __name__)


@examples_blueprint.address("/examples/<game>/record.json", Action.LOOK, PAGES)
def original(game: str) -> Response:
    """The record of an example."""
    return attachment(codec.encode(guided_example(game).record), f"{game}.json")


def open_example_deal(game: str, deal: int) -> tuple[OpenedGame, int]:
    """The example with this name, and the number of one of its deals."""
    return guided_example(game), deal


def open_requested_deal() -> tuple[OpenedGame, int]:
    """The game in the address and the number of the deal, from 1; answers 400 if either is wrong."""
    number = requested_number("deal", WRONG_DEAL_TEXT)
    try:
        return open_permalink(request.args.get("record", "")), 1 if number is None else number
    except InvalidPermalink as wrong:
        abort(400, str(wrong))


DealSource(
    blueprint=examples_blueprint,
    address="/examples/<game>/deals/<int:deal>",
    open_deal=open_example_deal,
    action=Action.LOOK,
    cost=REPLAYS,
    words={"game": "an example", "record": "The record of an example"},
).declare(REVIEW, *PICTURES)
DealSource(
    blueprint=permalinks_blueprint,
    address="/replay",
    open_deal=open_requested_deal,
    action=Action.VALIDATE,
    cost=PERMALINKS,
    words={"game": "the record in the address", "record": "The record in the address"},
).declare(REVIEW, about_query=True)


# The games of a private upload, by its link: shown, replayed and reviewed like stored ones, and stored in no table.

private_blueprint = Views("private_games", __name__)
private_blueprint.after_request(keep_private)


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


@private_blueprint.page(
    "/sent/<sent>/records/<int:number>", Action.USE_LINK, PERMALINKS, data=_game_data
)
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
        reviewable=not opened.why_not_reviewed,
    )


@private_blueprint.page("/sent/<sent>/records/<int:number>/rules", Action.USE_LINK, PAGES)
def rules(sent: str, number: int) -> SheetPage:
    """The rulebook of a game of a private upload, with the options of the game."""
    opened = _opened(sent, number)
    return sheet_page(sheet_of_rules(opened.record.rules), options=opened.resolved.changed)


@private_blueprint.address("/sent/<sent>/records/<int:number>/record.json", Action.USE_LINK, PAGES)
def private_record(sent: str, number: int) -> ResponseReturnValue:
    """A record of a private upload as it came, byte for byte."""
    _, stored = _stored(sent, number)
    return attachment(stored.data, f"private-{number}.json")


@private_blueprint.address("/sent/<sent>/records/<int:number>/review.txt", Action.USE_LINK, REVIEWS)
def review_text(sent: str, number: int) -> ResponseReturnValue:
    """The game as text, with its mistakes; the review is stored nowhere."""
    opened = _opened(sent, number)
    if opened.why_not_reviewed:
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
    blueprint=private_blueprint,
    address="/sent/<sent>/records/<int:number>/deals/<int:deal>",
    open_deal=_open_deal,
    action=Action.USE_LINK,
    cost=PERMALINKS,
    words={"game": "a private game", "record": "The private record"},
).declare(REVIEW, STUDY)
