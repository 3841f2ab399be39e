"""What if: a line of the reader's own from a step on, every choice legal by the rules on the server."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from flask import Response, abort, redirect, request, url_for
from flask.typing import ResponseReturnValue
from msgspec.structs import replace

from records.event_words import describe_event
from records.format import codec
from records.record import Line
from records.replay import Match
from webui.replay.steps import (
    FULL_VISIBILITY,
    DealSteps,
    first_unlawful_event,
    shorten_text,
)
from webui.replay.what_if import (
    Continuation,
    TriedLine,
    UnlawfulLine,
    add_line,
    events_for_url,
    write_line,
)
from webui.server.game_cache import OpenedGame
from webui.server.responses import attachment, json_response, with_query
from webui.views import analysed_games
from webui.views.deals import (
    WRONG_STEP_TEXT,
    TablePage,
    draw_preview,
    occasion_of,
    requested_least_loss,
    requested_near_seat,
    requested_number,
    requested_visibility,
)

LONGEST_COMMENT = 2000
"""The most characters of a comment on a line."""


@dataclass(frozen=True, slots=True)
class RecordedLine:
    """A line of the record: its author, its text, why it is not legal, if so, and its events not replayed (`left`)."""

    by: str
    text: str
    wrong: str
    left: list[str]


@dataclass(frozen=True, slots=True)
class TriedEvent:
    """An event of a tried line: in words, the points it scored, and the line up to it as text for an address."""

    say: str
    gains: list[tuple[str, int]]
    line: str


class WhatIfPage(TablePage):
    """A deal with a line of the reader's own, all cards face up.

    `played` are the events of the line, `recorded_event` is what was done at the table instead, and `recorded_outcome` how
    the deal and the match ended there, told once the line has ended the deal in another way. `recorded_line` is the line
    of the record that the address names, if it does. After `played_out_from` events of the line simple players have
    played on, if the reader let them. The view of the replay is kept for the way back.
    """

    template = "deals/what_if.html"
    view = "what_if"
    tried_line: TriedLine
    line: str
    played: list[TriedEvent]
    recorded_event: str
    recorded_outcome: list[str]
    recorded_line: RecordedLine | None
    played_out_from: int | None

    @property
    def _query(self) -> dict[str, Any]:
        return {"step": self.tried_line.start, "line": self.line or None}

    @property
    def preview_address(self) -> str:
        """The whole address of the picture that programs show beside a link to this page.

        Empty for a game that nobody sees but who has its link.
        """
        return self.address("what_if_preview", _external=True) if self.is_public else ""

    @property
    def replay_address(self) -> str:
        """The address of the replay, at the step where the line leaves it."""
        return self.address("replay", line=None)

    @property
    def form_fields(self) -> list[tuple[str, str]]:
        """The hidden fields of a form that stays on this page: all that its address names."""
        return parse_qsl(urlsplit(self.address()).query)

    @property
    def finished_line(self) -> str:
        """The line with the best play of both to the end of the deal, as text for an address."""
        return write_line([*self.tried_line.line, *self.tried_line.best_line])

    def line_with(self, choice: Continuation) -> str:
        """The line with one more choice, as text for an address."""
        return write_line([*self.tried_line.line, choice.event])


def what_if(game: OpenedGame, deal: int) -> WhatIfPage:
    """The page of a line in a deal (counted from 1); the address holds the line, or the number of one in the record."""
    visibility = requested_visibility(game)
    tried_line, opened = _requested_line(game, deal)
    recorded = game.deal(deal - 1).deal if visibility.until is None else None
    return WhatIfPage(
        digest=game.digest,
        source=game.source,
        deal=tried_line.deal,
        sheet=game.resolved.sheet,
        visibility=visibility,
        near=requested_near_seat(game, visibility),
        step_number=tried_line.number,
        least_loss=requested_least_loss(),
        occasion=occasion_of(game),
        tried_line=tried_line,
        line=write_line(tried_line.line),
        played=_played_events(tried_line),
        recorded_event=_recorded_event(recorded, tried_line) if recorded else "",
        recorded_outcome=_recorded_outcome(recorded, tried_line) if recorded else [],
        recorded_line=opened,
        played_out_from=_played_out_from(),
    )


def what_if_data(game: OpenedGame, deal: int) -> Response:
    """The events of the line, the table after it, the choices, and how the match stands where the line ends the deal."""
    tried_line, opened = _requested_line(game, deal)
    answer = {
        "deal": deal,
        "step": tried_line.start,
        "line": tried_line.line,
        "table": tried_line.deal.steps[tried_line.number],
        "choices": tried_line.choices,
        "unseen": tried_line.unseen,
        "match": tried_line.match,
        "opened": opened,
    }
    return json_response(answer)


def what_if_preview(game: OpenedGame, deal: int) -> Response:
    """The table after the line, as a preview picture."""
    tried_line, _ = _requested_line(game, deal)
    near = requested_near_seat(game, requested_visibility(game))
    return draw_preview(tried_line.deal, tried_line.number, near)


def search_values(game: OpenedGame, deal: int) -> ResponseReturnValue:
    """Search longer for the values of a line in a deal (counted from 1), and lead back to its page."""
    tried_line, _ = _requested_line(game, deal)
    if tried_line.searches_further:
        analysed_games().search_line(game.shown_record, deal - 1, tried_line)
    page = url_for(f"{game.source.blueprint}.what_if", **(request.view_args or {}))
    return redirect(with_query(page), 303)


def record(game: OpenedGame, deal: int) -> Response:
    """The record with the line added to its `lines`, checked; the stored record stays as it is."""
    tried_line, _ = _requested_line(game, deal)
    if not tried_line.line:
        abort(400, "The line is empty. Play a card first.")
    line = Line(
        at=[deal - 1, tried_line.start],
        events=tried_line.line,
        text=_comment("text") or None,
        by=_comment("by") or None,
    )
    try:
        data = add_line(game.record, line)
    except UnlawfulLine as wrong:
        abort(400, str(wrong))
    return attachment(data, f"{codec.digest(game.record)[:12]}-line.json")


def _comment(name: str) -> str:
    text = request.args.get(name, "").strip()
    if len(text) > LONGEST_COMMENT:
        abort(400, f"A comment on a line has at most {LONGEST_COMMENT:,} characters.")
    return text


def _played_out_from() -> int | None:
    """After how many events of the line simple players play on, if the address lets them."""
    text = _line_in_address()
    return (len(text.split("~")) if text else 0) if request.args.get("finish") else None


def _requested_line(game: OpenedGame, deal: int) -> tuple[TriedLine, RecordedLine | None]:
    """The line that the address spells, or the line of the record whose number it gives.

    Where anything is hidden, the lines of the record cannot be opened; where the future is, no choice is marked as
    recorded.
    """
    visibility = requested_visibility(game)
    line_number = requested_number("kept", "A line of the record is a number; 0 is the first.")
    try:
        if line_number is not None and visibility == FULL_VISIBILITY:
            return _recorded_line(game, deal - 1, line_number)
        if line_number is not None:
            abort(404)
        start = requested_number("step", WRONG_STEP_TEXT) or 0
        if visibility.until is not None:
            start = min(start, visibility.until)
        line = _line_in_address()
        if request.args.get("finish"):
            line = game.finish_line(deal - 1, start, line)
        tried_line = game.try_line(deal - 1, start, line)
        if tried_line.searches_further:
            known = analysed_games().known_line(game.shown_record, deal - 1, tried_line)
            tried_line = known or tried_line
        if visibility.until is None:
            return tried_line, None
        choices = [replace(choice, recorded=False) for choice in tried_line.choices]
        return replace(tried_line, choices=choices), None
    except UnlawfulLine as wrong:
        abort(400, str(wrong))


def _recorded_line(game: OpenedGame, deal: int, number: int) -> tuple[TriedLine, RecordedLine]:
    """A line of the record, played as far as it is legal; answers 404 if there is no such line."""
    lines = game.record.lines or []
    if number >= len(lines) or lines[number].at[0] != deal:
        abort(404)
    line = lines[number]
    at, wrong = first_unlawful_event(
        game.shown_record, Match(game.shown_record, game.resolved), line
    ) or (
        None,
        "",
    )
    events, done = events_for_url(line.events[:at])
    start = line.at[1] if len(line.at) > 1 else 0
    tried_line = game.try_line(deal, start, write_line(events))
    left = [describe_event(event, tried_line.deal.names) for event in line.events[done:]]
    return tried_line, RecordedLine(shorten_text(line.by), shorten_text(line.text), wrong, left)


def _line_in_address() -> str:
    """The line in the address, with the card or the cut that the form adds."""
    given = request.args.get
    line, draws, card = (given(name, "") for name in ("line", "draws", "card"))
    dealer, packet, guess = (given(name, "") for name in ("cuts", "packet", "guess"))
    drawn = f"draw-{draws}-{card}" if card else ""
    cut = "-".join(filter(None, ("cut", dealer, packet, guess))) if packet else ""
    return "~".join(filter(None, (line, cut, drawn)))


def _played_events(tried_line: TriedLine) -> list[TriedEvent]:
    """The events of the line, each with the line up to it and the points it scored."""
    steps = tried_line.deal.steps[tried_line.start + 1 :]
    return [
        TriedEvent(
            say=step.say,
            gains=[(tried_line.deal.names[gain.seat], gain.points) for gain in step.gains],
            line=write_line(tried_line.line[: number + 1]),
        )
        for number, step in enumerate(steps[: len(tried_line.line)])
    ]


def _recorded_event(recorded: DealSteps, tried_line: TriedLine) -> str:
    """What was done at the table at the step where the line leaves the deal."""
    after = tried_line.start + 1
    return recorded.steps[after].say if after < len(recorded.steps) - 1 else ""


def _recorded_outcome(recorded: DealSteps, tried_line: TriedLine) -> list[str]:
    """How the deal ended at the table, if the line ended it in another way."""
    ended = tried_line.deal.outcome
    return recorded.outcome if ended and ended != recorded.outcome else []
