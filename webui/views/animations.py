"""A trick, a moment or a whole deal as an animation, made when somebody asks for it."""

from typing import TypeVar

from flask import Response, abort, request

from webui.replay.moving_pictures import Animation, Format, Span, plan_animation
from webui.server.client import client_address
from webui.server.game_cache import OpenedGame
from webui.server.limits import Busy
from webui.server.responses import json_response
from webui.views import animation_queue
from webui.views.deals import picture_response, requested_position, requested_width

AddressWord = TypeVar("AddressWord", Format, Span)
PATIENCE_SECONDS = 50.0
"""So long somebody waits for an animation; then others come first, and it can be asked for again."""
NOT_MADE_TEXT = "The animation is not finished yet. Ask for it again in a few seconds."


def replay_gif(game: OpenedGame, deal: int) -> Response:
    """A trick, a moment or a whole deal as a GIF."""
    return _answer(_requested(game, deal, Format.GIF))


def replay_webp(game: OpenedGame, deal: int) -> Response:
    """A trick, a moment or a whole deal as a WebP."""
    return _answer(_requested(game, deal, Format.WEBP))


def animation_progress(game: OpenedGame, deal: int) -> Response:
    """The progress of an animation that somebody has asked for; the address names its `format`, too."""
    kind = _choice("format", Format, Format.GIF, "An animation is a gif or a webp.")
    progress = animation_queue().progress(_requested(game, deal, kind))
    return json_response(progress or abort(404, "Nobody has asked for this animation."))


def _answer(asked: Animation) -> Response:
    job = animation_queue().make(asked, client_address(), PATIENCE_SECONDS)
    if job.made:
        return picture_response(job.made, f"image/{asked.format}")
    raise Busy(503, job.reason or NOT_MADE_TEXT)


def _requested(game: OpenedGame, deal: int, kind: Format) -> Animation:
    """The animation that the address names: its span, around its step, of what its view may see."""
    steps, number, near = requested_position(game, deal)
    return plan_animation(
        steps,
        game.record.deals[steps.deal].events,
        span=_choice("span", Span, Span.TRICK, "A span is a trick, a moment or a deal."),
        number=number,
        near=near,
        width=requested_width(),
        kind=kind,
    )


def _choice(name: str, kinds: type[AddressWord], default: AddressWord, wrong: str) -> AddressWord:
    """The word that the address gives under this name; answers 400 with the text `wrong` if it is none of them."""
    try:
        return kinds(request.args.get(name, default))
    except ValueError:
        abort(400, wrong)
