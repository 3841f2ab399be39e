"""What came of some games: how many were judged how, what was found in them, what could not be read."""

from dataclasses import dataclass

from analyzer.db.game_filter import Chosen
from analyzer.db.store import Rejected, Store

MOST_CODES = 100

VERDICTS = "SELECT verdict, count(*) FROM games WHERE {where} GROUP BY ALL ORDER BY count(*) DESC"
FINDINGS = """
    SELECT code, severity, count(*) AS times, count(DISTINCT findings.game) AS held
    FROM findings JOIN games USING (game)
    WHERE {where}
    GROUP BY ALL
    ORDER BY times DESC, code
    LIMIT {most}
"""


@dataclass(frozen=True, slots=True)
class Found:
    """A finding code: how often it was found, and in how many games."""

    code: str
    severity: str
    times: int
    games: int


@dataclass(frozen=True, slots=True)
class Came:
    """The numbers of games by verdict, the findings by code, and what was not stored."""

    verdicts: dict[str, int]
    findings: list[Found]
    rejected: list[Rejected]


def came_of(store: Store, chosen: Chosen, most_rejected: int) -> Came:
    """What came of the games that are meant, and of what else was in their files."""
    where, used = chosen.where()
    verdicts = store.rows(VERDICTS.format(where=where), used).rows
    findings = store.rows(FINDINGS.format(where=where, most=MOST_CODES), used).rows
    return Came(
        {verdict: int(count) for verdict, count in verdicts},
        [Found(*row) for row in findings],
        store.rejected(most_rejected, files=chosen.files),
    )
