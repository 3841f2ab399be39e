"""The filter by which lists, exports and the pages of an import select games."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

FILTER_CONDITIONS = {
    "sheet": "games.sheet = $sheet",
    "verdict": "games.verdict = $verdict",
    "program": "games.program = $program",
    "player": "contains(lower(array_to_string(games.names, ' ')), lower($player))",
    "finding": "games.game IN (SELECT game FROM findings WHERE code = $finding)",
    "digests": "list_contains($digests, games.digest)",
    "files": "games.game IN (SELECT game FROM records WHERE list_contains($files, name))",
    "since": "games.stored_at >= $since",
    "until": "games.stored_at <= $until",
}
"""The SQL condition of each field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFilter:
    """A selection of games; empty fields do not restrict it.

    `player` is any part of a name, `finding` a code, `files` names the files the games came from. `since` and
    `until` limit the time at which they were stored, in UTC.
    """

    sheet: str | None = None
    verdict: str | None = None
    program: str | None = None
    player: str | None = None
    finding: str | None = None
    digests: Sequence[str] = ()
    files: Sequence[str] = ()
    since: datetime | None = None
    until: datetime | None = None

    def where(self) -> tuple[str, dict[str, Any]]:
        """The condition as SQL, and its parameters."""
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        used = {name: value for name, value in given.items() if value}
        return " AND ".join(["true", *(FILTER_CONDITIONS[name] for name in used)]), used


ALL_GAMES = GameFilter()
