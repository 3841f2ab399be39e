"""Stored games: the list, one game, its record and its report; and deleting it."""

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, date, datetime
from typing import Annotated, TypeAlias

import msgspec
from flask import Response, current_app
from msgspec import Meta
from msgspec.structs import replace

from analyzer.db.deletion import delete_games
from analyzer.db.game_filter import GameFilter
from analyzer.db.store import StoredGame
from analyzer.db.stored_records import read_records, stream_pieces
from analyzer.ingest.examination import game_key
from records import codec
from records.conversion.redaction import MatchMoment, redact
from records.record import Record
from records.rules.registry import ALL_SHEETS
from records.validate.report import Report
from records.validate.verdict import Verdict
from webui.http.answers.problems import ProblemRaised
from webui.interface.operation import (
    LINES_MEDIA_TYPE,
    FromOne,
    FromZero,
    SentRecords,
)
from webui.interface.record_answers import record_answer
from webui.interface.request_reading import only_record
from webui.views import game_cache, store
from webui.views.games import DOWNLOAD_SECONDS

MOST_LISTED, LISTED_UNASKED = 200, 50
"""The most games in one answer, and how many without a wish."""
LONGEST_TEXT = 200
"""The most characters of a filter."""

Digest: TypeAlias = Annotated[
    str,
    Meta(
        pattern="^[0-9a-f]{12,64}$",
        description="The digest of a game, or its first twelve characters or more.",
        examples=["3f786850e387"],
    ),
]
FilterText: TypeAlias = Annotated[str, Meta(max_length=LONGEST_TEXT)]


class GameParameters(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Which game."""

    digest: Digest


class GameFilters(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
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


class GameListParameters(GameFilters, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Which games, and how many of them."""

    limit: Annotated[
        int, Meta(ge=1, le=MOST_LISTED, description="The most games in the answer.")
    ] = LISTED_UNASKED
    cursor: Annotated[FilterText | None, Meta(description="`next` of the answer before.")] = None


class GameList(msgspec.Struct, frozen=True):
    """Games, those stored last first; `next` is the cursor for more, null at the end."""

    games: list[StoredGame]
    next: str | None


class SeatParameters(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Whose view of a record, and until when."""

    seat: Annotated[
        int, Meta(ge=0, description="The seat, counted from 0 in the order of players.")
    ]
    deal: Annotated[
        FromOne | None,
        Meta(description="Stop after this deal, counted from 1, or in it with `step`."),
    ] = None
    step: Annotated[
        FromZero | None, Meta(description="Stop after so many events of that deal.")
    ] = None


class GameSeatParameters(SeatParameters, forbid_unknown_fields=True, frozen=True, kw_only=True):
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
    return GameList([_in_utc(game) for game in games], _write_cursor(games[-1]) if more else None)


def export_games(given: GameFilters) -> Response:
    """The records of the games that pass the filters, as they were uploaded, one per line."""
    records = read_records(store(), _filter(given), seconds=DOWNLOAD_SECONDS)
    return current_app.response_class(
        stream_pieces(records, "games.jsonl"), mimetype=LINES_MEDIA_TYPE
    )


def game(given: GameParameters) -> StoredGame:
    """What the list tells of one game."""
    return _in_utc(game_cache().game(given.digest).stored)


def record(given: GameParameters) -> Response:
    """The record of a game as it was uploaded, byte for byte; only notes are ever added.

    `Accept: text/vnd.bezique` asks for what it says in the notation.
    """
    opened = game_cache().game(given.digest)
    return record_answer(opened.record, lambda: opened.data)


def report(given: GameParameters) -> Report:
    """The report on a game, by the rules as this server has them now."""
    return game_cache().game(given.digest).report


def delete_game(given: GameParameters) -> Response:
    """Delete a game and everything that was computed about it."""
    digest = game_cache().game(given.digest).digest
    delete_games(store(), [digest])
    game_cache().clear()
    return current_app.response_class(status=204)


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
    if given.sheet and given.sheet not in {sheet.id for sheet in ALL_SHEETS}:
        detail = f"There is no rule sheet “{given.sheet}”."
        raise ProblemRaised("invalid-parameter", detail, parameter="sheet")
    chosen = {
        name: getattr(given, name) for name in GameFilters.__struct_fields__ if getattr(given, name)
    }
    return GameFilter(**chosen, stored_until=stored_until, after_game=after_game)


def _in_utc(game: StoredGame) -> StoredGame:
    """The game with times that say their zone."""
    started = game.started and game.started.replace(tzinfo=UTC)
    return replace(game, started=started, stored_at=game.stored_at.replace(tzinfo=UTC))


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
