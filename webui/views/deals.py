"""Deals: the replay, step by step."""

from typing import Any

from click import unstyle
from flask import Blueprint, Response, abort, current_app, redirect, request, url_for
from flask.typing import ResponseReturnValue

from analyzer.annotate import stored_annotations
from analyzer.annotate.annotation import Annotation
from analyzer.annotate.annotator import reason_not_annotated
from analyzer.deep_review.stored_reviews import load_deep_review
from webui.display.wording import date_words
from webui.display.words.verdict_words import VERDICT_TONES
from webui.games.cache import CachedGame, OpenedGame
from webui.games.permalink import encode_permalink
from webui.pages.deals import EventLine, ReplayPage
from webui.pages.findings import ShownFinding
from webui.replay.board import render_step_text
from webui.replay.preview.png import draw_png
from webui.replay.preview.preview_svg import render_preview_svg
from webui.replay.review import DealReview, review_deal, with_least_loss
from webui.replay.steps import DealSteps, ReplayStep, step_reasons, trick_starts
from webui.replay.table_svg import render_step_svg
from webui.replay.visibility import FULL_VISIBILITY, Visibility
from webui.views import analysed_games, game_cache, store

WRONG_STEP_TEXT = "A step is a number; 0 is before the first event."
blueprint = Blueprint("deals", __name__, url_prefix="/games/<digest>/deals")


@blueprint.get("/<int:deal>")
def replay(digest: str, deal: int) -> ResponseReturnValue:
    """A deal (counted from 1) at a step: step 0 is the deal, step n follows event n."""
    return replay_page(ReplayPage, game_cache().game(digest), deal).render()


@blueprint.get("/<int:deal>.json")
def replay_json(digest: str, deal: int) -> ResponseReturnValue:
    """All visible steps of a deal."""
    return deal_response(game_cache().game(digest), deal)


def deal_response(game: OpenedGame, deal: int) -> Response:
    """All visible steps of a deal of this game, as JSON."""
    visibility = requested_visibility(len(game.record.players))
    return current_app.response_class(
        game.deal(deal - 1, visibility).json, mimetype="application/json"
    )


@blueprint.get("/<int:deal>.txt")
def replay_text(digest: str, deal: int) -> ResponseReturnValue:
    """A step as text, as the terminal draws it."""
    steps, number, _ = _position(game_cache().game(digest), deal)
    text = unstyle("\n".join(render_step_text(steps, number))) + "\n"
    return current_app.response_class(text, mimetype="text/plain")


@blueprint.get("/<int:deal>.svg")
def replay_picture(digest: str, deal: int) -> ResponseReturnValue:
    """A step as a picture, or as the wide one with large cards."""
    return current_app.response_class(
        step_picture(game_cache().game(digest), deal), mimetype="image/svg+xml"
    )


@blueprint.get("/<int:deal>.png")
def replay_preview(digest: str, deal: int) -> ResponseReturnValue:
    """A step as a preview picture for programs that show what a link leads to."""
    return preview_response(game_cache().game(digest), deal)


def step_picture(game: OpenedGame, deal: int) -> str:
    """The step of a deal that the address names, as the text of an SVG file."""
    render = render_preview_svg if request.args.get("wide") else render_step_svg
    return render(*_position(game, deal))


def preview_response(game: OpenedGame, deal: int) -> Response:
    """The step of a deal that the address names, as a PNG."""
    return draw_preview(*_position(game, deal))


def draw_preview(deal: DealSteps, number: int, near: int) -> Response:
    """A step as a PNG, seen from the seat `near`, that a browser may keep for an hour."""
    picture = draw_png(render_preview_svg(deal, number, near))
    response = current_app.response_class(picture, mimetype="image/png")
    response.headers["Cache-Control"] = "private, max-age=3600"
    response.add_etag()
    return response


def _position(game: OpenedGame, deal: int) -> tuple[DealSteps, int, int]:
    visibility = requested_visibility(len(game.record.players))
    steps = game.deal(deal - 1, visibility).deal
    number = min(requested_number("step", WRONG_STEP_TEXT) or 0, len(steps.steps) - 1)
    return steps, number, requested_near_seat(len(steps.names), visibility)


def requested_number(name: str, wrong: str) -> int | None:
    """The number that the address gives under this name; answers 400 with the text `wrong` if it is none."""
    text = request.args.get(name)
    if text is None:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        abort(400, wrong)
    return int(text)


def requested_seat(name: str, players: int) -> int | None:
    """The seat that the address gives under this name; answers 400 if there is no such seat."""
    wrong = f"A seat is a number from 0 to {players - 1}, in the order of the players."
    seat = requested_number(name, wrong)
    if seat is not None and seat >= players:
        abort(400, wrong)
    return seat


def requested_visibility(players: int) -> Visibility:
    """The seat and the last step that the address limits the view to."""
    until = requested_number(
        "until", "The last step to show is a number; 0 is before the first event."
    )
    return Visibility(seat=requested_seat("see", players), until=until)


def requested_near_seat(players: int, visibility: Visibility) -> int:
    """The seat at the near edge of the table: the one in the address, or else the one whose cards are seen."""
    near = requested_seat("near", players)
    return (visibility.seat or 0) if near is None else near


def requested_least_loss() -> int | None:
    """The points lost that make a mistake, if the address gives a limit."""
    wrong = "The smallest loss of a mistake is a number of points, 1 or more."
    least = requested_number("least", wrong)
    if least == 0:
        abort(400, wrong)
    return least


def replay_page(kind: type[ReplayPage], game: OpenedGame, number: int) -> ReplayPage:
    """The page of a deal (counted from 1), of either kind, at the step that the address names."""
    visibility = requested_visibility(len(game.record.players))
    opened_deal = game.deal(number - 1, visibility)
    deal = opened_deal.deal
    step = requested_number("step", WRONG_STEP_TEXT) or 0
    notes = known_annotation(game) if visibility == FULL_VISIBILITY else None
    least = requested_least_loss()
    played = game.record.deals[deal.deal].events
    deep = load_deep_review(store(), game.digest) if notes and game.digest else None
    review = review_deal(with_least_loss(notes, least), deal.deal, played, deep) if notes else None
    return kind(
        digest=game.digest,
        source=game.source,
        deal=deal,
        visibility=visibility,
        near=requested_near_seat(len(deal.names), visibility),
        step_number=min(step, len(deal.steps) - 1),
        events=[_line(deal, number, step, review) for number, step in enumerate(deal.steps)],
        findings=_shown_findings(deal),
        trick_starts=trick_starts(deal.steps),
        json=opened_deal.json,
        review=review,
        least_loss=least,
        occasion=occasion_of(game),
        reviewable=visibility == FULL_VISIBILITY and is_reviewable(game),
        permalink=encode_permalink(game.data)
        if isinstance(game, CachedGame) and visibility == FULL_VISIBILITY
        else "",
    )


def known_annotation(game: OpenedGame) -> Annotation | None:
    """The annotation of a game, if it was made before."""
    if isinstance(game, CachedGame):
        return stored_annotations.load_annotation(store(), game.digest)
    return analysed_games().known_review(game.record)


def is_reviewable(game: OpenedGame) -> bool:
    """Whether a game can be annotated at all."""
    return not reason_not_annotated(game.resolved.sheet, len(game.record.players))


def review_and_return(game: OpenedGame, deal: int) -> ResponseReturnValue:
    """Review a game that is in no collection, and lead back to a deal of it (counted from 1), with its review open."""
    if game.source is None or not is_reviewable(game):
        abort(404)
    here: dict[str, Any] = {
        "deal": deal,
        "step": requested_number("step", WRONG_STEP_TEXT),
        "near": requested_seat("near", len(game.record.players)),
        "least": requested_least_loss(),
        "tab": "review",
        **game.source.values,
    }
    analysed_games().review(game.record)
    return redirect(url_for(f"{game.source.blueprint}.replay", **here), 303)


def occasion_of(game: OpenedGame) -> str:
    """When and where a stored game was played: `5 March 2026, London`; empty if its record does not say."""
    if not isinstance(game, CachedGame):
        return ""
    stored = game.stored
    return ", ".join(filter(None, [stored.event, date_words(stored.started), stored.site]))


def _shown_findings(deal: DealSteps) -> list[ShownFinding]:
    """The findings of a deal, each with its step; they are in the order of the steps."""
    return [
        ShownFinding.of(deal.findings[i], deal.names, step=number)
        for number, step in enumerate(deal.steps)
        for i in step.findings
    ]


def _line(deal: DealSteps, number: int, step: ReplayStep, review: DealReview | None) -> EventLine:
    before = deal.steps[number - 1].trick if number else 0
    return EventLine(
        step=number,
        heading=step.heading if step.trick != before else "",
        say=step.say,
        reasons=step_reasons(step, deal.names),
        gains=[(deal.names[gain.seat], gain.points) for gain in step.gains],
        tone=_tone([deal.findings[i].severity for i in step.findings]),
        notes=[note for note in deal.margin.notes if note.step == number],
        lines=[line for line in deal.margin.lines if line.step == number],
        lost=review.loss_at.get(number, 0) if review else 0,
        missed=review.missed_at.get(number, 0) if review else 0,
        graded=review.graded_at.get(number, "") if review else "",
    )


def _tone(severities: list[str]) -> str:
    """The tone of the worst finding, empty if there is none."""
    tones = {VERDICT_TONES[severity] for severity in severities}
    return next((tone for tone in ("bad", "fair", "plain") if tone in tones), "")
