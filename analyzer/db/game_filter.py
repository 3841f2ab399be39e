"""The filter by which lists, exports and the pages of an import select games."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime
from typing import Any

SELECT_COMMITS_OF_UPLOAD = """
    SELECT committed_at FROM import_batches JOIN imports USING (import) WHERE job = $upload
"""
"""When the batches of an upload were committed. The games of a batch have the same time to the microsecond, because
they are stored in its transaction; only one transaction writes at a time, so no other game has it."""

FILTER_CONDITIONS = {
    "sheet": "games.sheet = $sheet",
    "verdict": "games.verdict = $verdict",
    "program": "games.program = $program",
    "player": "contains(lower(array_to_string(games.names, ' ')), lower($player))",
    "opponent": "contains(lower(array_to_string(games.names, ' ')), lower($opponent))",
    "event": "games.event = $event",
    "season": "year(games.started) = $season",
    "since": "games.started >= $since",
    "until": "games.started < $until + INTERVAL 1 DAY",
    "finding": "games.game IN (SELECT game FROM findings WHERE code = $finding)",
    "digests": "list_contains($digests, games.digest)",
    "stored_until": "games.stored_at <= $stored_until",
    "after_game": "(games.stored_at < $stored_until OR games.game > $after_game)",
    "upload": f"games.stored_at IN ({SELECT_COMMITS_OF_UPLOAD})",
}
"""The SQL condition of each field."""

GAME_ORDERS = {
    "stored": "games.stored_at DESC, game",
    "latest": "games.started DESC NULLS LAST, game",
    "earliest": "games.started ASC NULLS LAST, game",
    "rules": "games.sheet, games.started DESC NULLS LAST, game",
    "event": "games.event NULLS LAST, games.started DESC NULLS LAST, game",
    "score": "list_max(games.scores) DESC NULLS LAST, game",
    "findings": "games.findings DESC, game",
}
"""The orders of a list of games, as SQL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFilter:
    """A selection of games; empty fields do not restrict it.

    `player` and `opponent` are any part of a name, `finding` is a code, `upload` the public id of the upload that
    stored the games. `season` is a year, `since` and `until` are the first and the last day on which the games started.
    `stored_until`, a time, and `after_game`, the key of a game stored then, go together: they leave the games that the
    list, with those stored last first, has after that one.
    """

    sheet: str | None = None
    verdict: str | None = None
    program: str | None = None
    player: str | None = None
    opponent: str | None = None
    event: str | None = None
    season: int | None = None
    since: date | None = None
    until: date | None = None
    finding: str | None = None
    digests: Sequence[str] = ()
    upload: str | None = None
    stored_until: datetime | None = None
    after_game: int | None = None

    def where(self) -> tuple[str, dict[str, Any]]:
        """The condition as SQL, and its parameters."""
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        used = {name: value for name, value in given.items() if value}
        return " AND ".join(["true", *(FILTER_CONDITIONS[name] for name in used)]), used


ALL_GAMES = GameFilter()
