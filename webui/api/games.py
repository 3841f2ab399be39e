"""Stored games: lists, records, reports; deals with every step, positions, and what might have been played instead."""

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import date, datetime
from typing import Annotated, Any, TypeAlias

import msgspec
from flask import Response, current_app
from msgspec import Meta

from analyzer.ingest.batch import game_key
from analyzer.store.games import read_records, stream_pieces
from analyzer.store.store import GameFilter, StoredGame
from records.events import AnyEvent
from records.format import codec
from records.format.redaction import MatchMoment, redact
from records.record import Record
from records.rules.registry import is_sheet_key
from records.validate.finding import Verdict
from records.validate.report import Report
from webui.api.requests import (
    JSON_MEDIA_TYPE,
    LINES_MEDIA_TYPE,
    FromOne,
    FromZero,
    SentRecords,
    SentStruct,
    only_record,
    record_answer,
    refusals_as,
)
from webui.replay.steps import DealSteps, ReplayStep, Visibility
from webui.replay.what_if import (
    MOST_LINE_EVENTS,
    Continuation,
    MatchAfterLine,
    TriedLine,
    UnlawfulLine,
    read_line,
    write_line,
)
from webui.server.error_pages import ProblemRaised
from webui.server.game_cache import CachedGame
from webui.views import game_cache, store
from webui.views.games import DOWNLOAD_SECONDS, game_as_stored

# Games: the list, one game, its record and its report.

MOST_LISTED, LISTED_UNASKED = 200, 50
"""The most games in one answer, and how many without a wish."""
LONGEST_TEXT = 200
"""The most characters of a filter."""

Digest: TypeAlias = Annotated[
    str,
    Meta(
        pattern="^[0-9a-f]{12,64}$",
        description="The digest of a game, or its first twelve characters or more.",
        examples=["416659011bbc"],
    ),
]
FilterText: TypeAlias = Annotated[str, Meta(max_length=LONGEST_TEXT)]


class GameParameters(SentStruct, frozen=True):
    """Which game."""

    digest: Digest


AS_CORRECTED = Meta(description="As corrected, and not as it was uploaded.")


class RecordParameters(GameParameters, frozen=True, kw_only=True):
    """The record of which game, and in which state."""

    corrected: Annotated[bool, AS_CORRECTED] = False


class GameFilters(SentStruct, frozen=True, kw_only=True):
    """Which games: those that pass every filter."""

    sheet: Annotated[FilterText | None, Meta(description="The id of their rule sheet.")] = None
    verdict: Annotated[Verdict | None, Meta(description="Their verdict.")] = None
    program: Annotated[FilterText | None, Meta(description="The program that wrote them.")] = None
    player: Annotated[FilterText | None, Meta(description="Any part of a player's name.")] = None
    opponent: Annotated[FilterText | None, Meta(description="Any part of another's name.")] = None
    event: Annotated[FilterText | None, Meta(description="The event, as records state it.")] = None
    since: Annotated[date | None, Meta(description="The first day on which they started.")] = None
    until: Annotated[date | None, Meta(description="The last day on which they started.")] = None
    finding: Annotated[FilterText | None, Meta(description="The code of a finding on them.")] = None
    upload: Annotated[FilterText | None, Meta(description="The public id of their upload.")] = None


class ExportParameters(GameFilters, frozen=True, kw_only=True):
    """The records of which games, and in which state."""

    corrected: Annotated[bool, AS_CORRECTED] = False


class GameListParameters(GameFilters, frozen=True, kw_only=True):
    """Which games, and how many of them."""

    limit: Annotated[
        int, Meta(ge=1, le=MOST_LISTED, description="The most games in the answer.")
    ] = LISTED_UNASKED
    cursor: Annotated[FilterText | None, Meta(description="`next` of the answer before.")] = None


class GameList(msgspec.Struct, frozen=True):
    """Games, those stored last first; `next` is the cursor for more, null at the end."""

    games: list[StoredGame]
    next: str | None


class SeatParameters(SentStruct, frozen=True, kw_only=True):
    """Whose view of a record, and until when."""

    seat: Annotated[
        int,
        Meta(ge=0, description="The seat, counted from 0 in the order of players.", examples=[0]),
    ]
    deal: Annotated[
        FromOne | None,
        Meta(description="Stop after this deal, counted from 1, or in it with `step`."),
    ] = None
    step: Annotated[
        FromZero | None, Meta(description="Stop after so many events of that deal.")
    ] = None


class GameSeatParameters(SeatParameters, frozen=True, kw_only=True):
    """Whose view of a stored game, and until when."""

    digest: Digest


def list_games(given: GameListParameters) -> GameList:
    """The games that pass the filters, those stored last first.

    Ask again with `cursor` for those after them; what is stored meanwhile does not shift the list.
    """
    stored_until, after_game = _read_cursor(given.cursor) if given.cursor else (None, None)
    chosen = _filter(given, stored_until, after_game)
    listing = store().games(chosen, limit=given.limit)
    games = listing.games
    more = listing.total > len(games)
    return GameList(games, _write_cursor(games[-1]) if more else None)


def export_games(given: ExportParameters) -> Response:
    """The records of the games that pass the filters, as they were uploaded or as they are corrected, one per line."""
    records = read_records(
        store(), _filter(given), seconds=DOWNLOAD_SECONDS, corrected=given.corrected
    )
    return current_app.response_class(
        stream_pieces(records, "games.jsonl"), mimetype=LINES_MEDIA_TYPE
    )


def game(given: GameParameters) -> StoredGame:
    """What the list tells of one game."""
    return game_as_stored(game_cache().game(given.digest))


def record(given: RecordParameters) -> Response:
    """The record of a game as it was uploaded, byte for byte, only notes are ever added; or as it is corrected.

    `Accept: text/vnd.bezique` asks for what it says in the notation.
    """
    opened = game_cache().game(given.digest)
    if given.corrected:
        return record_answer(opened.record, lambda: opened.corrected_data)
    return record_answer(opened.uploaded, lambda: opened.data)


def report(given: GameParameters) -> Report:
    """The report on a game, by the rules as this server has them now."""
    return game_cache().game(given.digest).report


def redact_game(given: GameSeatParameters) -> Response:
    """What one seat could know of a stored game, as a record."""
    return _redacted(game_cache().game(given.digest).record, given)


def redact_record(given: SeatParameters, sent: SentRecords) -> Response:
    """What one seat could know of a record, as a record; nothing is stored."""
    return _redacted(only_record(sent), given)


def require_seat(record: Record, seat: int, parameter: str) -> None:
    """Raise ProblemRaised if a parameter names a seat that nobody has."""
    if seat >= len(record.players):
        detail = f"The seats are 0 to {len(record.players) - 1}."
        raise ProblemRaised("invalid-parameter", detail, parameter=parameter)


def _redacted(whole: Record, given: SeatParameters) -> Response:
    require_seat(whole, given.seat, "seat")
    if given.step is not None and given.deal is None:
        detail = "step counts the events of a deal: give deal, too."
        raise ProblemRaised("invalid-parameter", detail, parameter="step")
    until = None
    if given.deal is not None:
        if given.deal > len(whole.deals):
            raise ProblemRaised(
                "invalid-parameter", f"There is no deal {given.deal}.", parameter="deal"
            )
        events = len(whole.deals[given.deal - 1].events)
        if given.step is not None and given.step > events:
            detail = f"Deal {given.deal} ends at step {events}; there is no step {given.step}."
            raise ProblemRaised("invalid-parameter", detail, parameter="step")
        until = MatchMoment(given.deal - 1, events if given.step is None else given.step)
    seen = redact(whole, given.seat, until)
    return record_answer(seen, lambda: codec.encode(seen))


def _filter(
    given: GameFilters, stored_until: datetime | None = None, after_game: int | None = None
) -> GameFilter:
    if given.sheet and not is_sheet_key(given.sheet):
        detail = f"There is no rule sheet “{given.sheet}”."
        raise ProblemRaised("invalid-parameter", detail, parameter="sheet")
    chosen = {
        name: getattr(given, name) for name in GameFilters.__struct_fields__ if getattr(given, name)
    }
    return GameFilter(**chosen, stored_until=stored_until, after_game=after_game)


def _write_cursor(last: StoredGame) -> str:
    """The place after a game in the list: when it was stored, and its key."""
    text = f"{last.stored_at.isoformat()} {game_key(last.digest)}"
    return urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _read_cursor(text: str) -> tuple[datetime, int]:
    try:
        plain = urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4)).decode("ascii")
        stored, _, key = plain.partition(" ")
        if not (key.isdigit() and len(key) < 20):
            raise ValueError(key)
        return datetime.fromisoformat(stored).replace(tzinfo=None), int(key)
    except (ValueError, binascii.Error):
        detail = "Take the cursor from `next` of the answer before, as it is."
        raise ProblemRaised("invalid-cursor", detail, parameter="cursor") from None


# Deals: every step, a position with its choices, and what might have been played instead.

DealNumber: TypeAlias = Annotated[
    int, Meta(ge=0, description="The deal, counted from 1.", examples=[1])
]
StepNumber: TypeAlias = Annotated[
    int, Meta(ge=0, description="The step: 0 is the deal, n follows the n-th event.", examples=[12])
]


class DealParameters(SentStruct, frozen=True):
    """Which deal."""

    digest: Digest
    deal: DealNumber


class FrameParameters(DealParameters, frozen=True):
    """Which deal, and how much of it is seen."""

    see: Annotated[
        FromZero | None, Meta(description="Only what this seat sees, counted from 0.")
    ] = None
    until: Annotated[FromZero | None, Meta(description="The last step that is shown.")] = None


class PositionParameters(DealParameters, frozen=True):
    """Which step of a deal."""

    step: StepNumber = 0


class LineToTry(SentStruct, frozen=True):
    """Events to play from a step on, in place of what was played; with `finish`, simple players play on to the end."""

    step: StepNumber
    events: Annotated[list[AnyEvent], Meta(max_length=MOST_LINE_EVENTS)] = msgspec.field(
        default_factory=list
    )
    finish: bool = False


class PositionAnswer(msgspec.Struct, frozen=True):
    """A table and what may be done there.

    `step` is where the line leaves the deal, and `events` are the line. `choices` are legal; where a choice has its `worth`,
    it is what it brings with best play, and `best_line` is that play; elsewhere `why_no_values` says why it has none. Where
    there is no choice, `why_none` says why. `unseen` are the cards that may be drawn next where the record leaves that
    open, `cut` the most cards that may be cut. Where the line has ended the deal, `match` is how the match stands, unless the
    record leaves that open.
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
    match: MatchAfterLine | None


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
    if tried.finish:
        with refusals_as("unlawful-line", UnlawfulLine):
            line = game.finish_line(given.deal - 1, tried.step, line)
    return _answer(game, given.deal, tried.step, line)


def _answer(game: CachedGame, deal: int, step: int, line: str) -> PositionAnswer:
    with refusals_as("unlawful-line", UnlawfulLine):
        tried: TriedLine = game.try_line(deal - 1, step, line)
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
        match=tried.match,
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
