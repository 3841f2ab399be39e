"""Deals of stored games: every step, a position with its choices, and what might have been played instead."""

from typing import Annotated, Any, TypeAlias

import msgspec
from flask import Response, current_app
from msgspec import Meta

from records.events import AnyEvent
from webui.games.cache import CachedGame
from webui.http.answers.problems import ProblemRaised
from webui.interface.calls.games import Digest, require_seat
from webui.interface.operation import JSON_MEDIA_TYPE, FromZero
from webui.replay.line_url import MOST_LINE_EVENTS, UnlawfulLine, read_line, write_line
from webui.replay.steps import DealSteps, ReplayStep
from webui.replay.visibility import Visibility
from webui.replay.what_if import Continuation, TriedLine
from webui.views import game_cache

DealNumber: TypeAlias = Annotated[
    int, Meta(ge=0, description="The deal, counted from 1.", examples=[1])
]
StepNumber: TypeAlias = Annotated[
    int, Meta(ge=0, description="The step: 0 is the deal, n follows the n-th event.", examples=[12])
]


class DealParameters(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Which deal."""

    digest: Digest
    deal: DealNumber


class FrameParameters(DealParameters, forbid_unknown_fields=True, frozen=True):
    """Which deal, and how much of it is seen."""

    see: Annotated[
        FromZero | None, Meta(description="Only what this seat sees, counted from 0.")
    ] = None
    until: Annotated[FromZero | None, Meta(description="The last step that is shown.")] = None


class PositionParameters(DealParameters, forbid_unknown_fields=True, frozen=True):
    """Which step of a deal."""

    step: StepNumber = 0


class LineToTry(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Events to play from a step on, in place of what was played; with `finish`, simple players play on to the end."""

    step: StepNumber
    events: Annotated[list[AnyEvent], Meta(max_length=MOST_LINE_EVENTS)] = []
    finish: bool = False


class PositionAnswer(msgspec.Struct, frozen=True):
    """A table and what may be done there.

    `step` is where the line leaves the deal, and `events` are the line. `choices` are legal; where a choice has its `worth`,
    it is what it brings with best play, and `best_line` is that play; elsewhere `why_no_values` says why it has none. Where
    there is no choice, `why_none` says why. `unseen` are the cards that may be drawn next where the record leaves that
    open, `cut` the most cards that may be cut.
    """

    deal: int
    step: int
    events: list[AnyEvent]
    table: ReplayStep
    choices: list[Continuation]
    why_none: str
    unseen: list[str]
    cut: int | None
    best_line: list[AnyEvent]
    why_no_values: str


def frames(given: FrameParameters) -> Response:
    """Every step of a deal: what lies where, the points, the choices, and the findings."""
    game = _game_with_seat(given.digest, given.see)
    visibility = Visibility(seat=given.see, until=given.until)
    return current_app.response_class(
        game.deal(given.deal - 1, visibility).json, mimetype=JSON_MEDIA_TYPE
    )


def position(given: PositionParameters) -> PositionAnswer:
    """The table at a step of a deal, and every legal choice."""
    game = game_cache().game(given.digest)
    _require_step(game, given.deal, given.step, parameter="step")
    return _answer(game, given.deal, given.step, "")


def what_if(given: DealParameters, tried: LineToTry) -> PositionAnswer:
    """The table after other events than those that were played, and every legal choice there."""
    game = game_cache().game(given.digest)
    _require_step(game, given.deal, tried.step)
    try:
        line = write_line(tried.events)
        read_line(line, len(game.record.players))
    except (LookupError, UnlawfulLine) as error:
        words = str(error) if isinstance(error, UnlawfulLine) else ""
        detail = words or "A line holds choices: no scores, tricks or irregularities."
        raise ProblemRaised("unlawful-line", detail) from None
    try:
        if tried.finish:
            line = game.finish_line(given.deal - 1, tried.step, line)
    except UnlawfulLine as error:
        raise ProblemRaised("unlawful-line", str(error)) from error
    return _answer(game, given.deal, tried.step, line)


def _answer(game: CachedGame, deal: int, step: int, line: str) -> PositionAnswer:
    try:
        tried: TriedLine = game.try_line(deal - 1, step, line)
    except UnlawfulLine as error:
        raise ProblemRaised("unlawful-line", str(error)) from error
    return PositionAnswer(
        deal=deal,
        step=tried.start,
        events=tried.line,
        table=tried.deal.steps[tried.number],
        choices=tried.choices,
        why_none=tried.why_none,
        unseen=tried.unseen,
        cut=tried.cut,
        best_line=tried.best_line,
        why_no_values=tried.why_no_values,
    )


def _require_step(game: CachedGame, deal: int, step: int, parameter: str = "") -> None:
    """Raise ProblemRaised for a step that a deal does not have: a line would begin at its last one instead."""
    last = len(game.deal(deal - 1).deal.steps) - 1
    if step > last:
        detail = f"Deal {deal} ends at step {last}; there is no step {step}."
        raise ProblemRaised("unlawful-line", detail, parameter=parameter)


def _game_with_seat(digest: str, seat: int | None) -> CachedGame:
    game: CachedGame = game_cache().game(digest)
    if seat is not None:
        require_seat(game.record, seat, "see")
    return game


FRAMES_CONTENT: Any = DealSteps
