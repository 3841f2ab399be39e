"""Looking at a game together: a link that moves with the steps of the reader who made it."""

from collections.abc import Iterator

import msgspec
from flask import Response, abort, request
from flask.typing import ResponseReturnValue

from records.phrases import pluralize
from webui.server.actions import Action
from webui.server.page import Views
from webui.server.request_kinds import FOLLOWERS, PAGES
from webui.server.responses import json_response, keep_private, lead_to
from webui.server.shown_steps import MOST_SHOWN, ShownStep, TooManyShown
from webui.views import game_cache, readers_together

ENDED_TEXT = "Nobody shows a game by this link any more: whoever did has stopped, or left the page. Ask for a new link."
FULL_TEXT = f"{pluralize(MOST_SHOWN, 'reader')} show their steps to others now, as many as may. Try again later."
SECONDS_TO_TRY_AGAIN = 3
blueprint = Views("together", __name__)


@blueprint.form("/together", Action.READ, PAGES, needs_form_token=False)
def begin() -> Response:
    """Show the step of the form fields `digest`, `deal` and `step` to others: JSON with the link's `key`, and the `secret`."""
    try:
        key, secret = readers_together().begin(_requested_step())
    except TooManyShown:
        abort(503, FULL_TEXT)
    return keep_private(json_response({"key": key, "secret": secret}))


@blueprint.form("/together/<link>", Action.READ, PAGES, needs_form_token=False)
def move(link: str) -> ResponseReturnValue:
    """Show another step, with the field `secret`; with `leaves` the page is being left, with `ends` nothing is shown any more."""
    secret = request.form.get("secret", "")
    if "ends" in request.form:
        readers_together().end(link, secret)
    elif "leaves" in request.form:
        readers_together().leave(link, secret)
    elif not readers_together().move(link, secret, _requested_step()):
        abort(404, ENDED_TEXT)
    return "", 204


@blueprint.address("/together/<link>", Action.READ, PAGES)
def follow(link: str) -> ResponseReturnValue:
    """The page of the step that is shown now, which then follows."""
    shown = readers_together().shown(link)
    if shown is None:
        abort(404, ENDED_TEXT)
    return lead_to("deals.replay", **shown._asdict(), follow=link)


@blueprint.address("/together/<link>/steps", Action.READ, FOLLOWERS)
def steps(link: str) -> Response:
    """The steps that are shown, as server-sent events: `step` for each, `end` when nothing is shown any more."""
    if readers_together().shown(link) is None:
        abort(404, ENDED_TEXT)
    response = Response(_events(readers_together().follow(link)), mimetype="text/event-stream")
    response.headers["X-Accel-Buffering"] = "no"  # nginx passes every event on at once
    return keep_private(response)


def _events(shown: Iterator[ShownStep | None]) -> Iterator[bytes]:
    yield f"retry: {1000 * SECONDS_TO_TRY_AGAIN}\n\n".encode()
    for step in shown:
        yield b": nothing new\n\n" if step is None else _event("step", step._asdict())
    yield _event("end", {})


def _event(name: str, data: object) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (name.encode(), msgspec.json.encode(data))


def _requested_step() -> ShownStep:
    """The step that the form names, of a stored game; answers 404 without one, as for every other page of it."""
    game = game_cache().game(request.form.get("digest", ""))
    deal, step = (request.form.get(name, -1, type=int) for name in ("deal", "step"))
    if not (1 <= deal <= max(1, len(game.record.deals)) and step >= 0):
        abort(404)
    return ShownStep(game.digest, deal, step)
