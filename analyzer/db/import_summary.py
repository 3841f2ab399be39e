"""Summary of an import: games by verdict, findings by code, and the records that were not stored."""

from dataclasses import dataclass

from analyzer.db.game_filter import GameFilter
from analyzer.db.store import RejectedRecord, Store

MOST_FINDING_CODES = 100

COUNT_VERDICTS = (
    "SELECT verdict, count(*) FROM games WHERE {where} GROUP BY ALL ORDER BY count(*) DESC"
)
COUNT_FINDING_CODES = """
    SELECT code, severity, count(*) AS times, count(DISTINCT findings.game) AS held
    FROM findings JOIN games USING (game)
    WHERE {where}
    GROUP BY ALL
    ORDER BY times DESC, code
    LIMIT {most}
"""


@dataclass(frozen=True, slots=True)
class FindingCount:
    """A finding code: how many times it was found, and in how many games."""

    code: str
    severity: str
    times: int
    games: int


@dataclass(frozen=True, slots=True)
class ImportSummary:
    """The number of games by verdict, the findings by code, and the records that were not stored."""

    verdicts: dict[str, int]
    findings: list[FindingCount]
    rejected: list[RejectedRecord]


def import_summary(store: Store, upload: str, most_rejected: int) -> ImportSummary:
    """The summary of what an upload stored, by its public id, and of its records that were not stored."""
    where, parameters = GameFilter(upload=upload).where()
    verdicts = store.rows(COUNT_VERDICTS.format(where=where), parameters).rows
    findings = store.rows(
        COUNT_FINDING_CODES.format(where=where, most=MOST_FINDING_CODES), parameters
    ).rows
    return ImportSummary(
        {verdict: int(count) for verdict, count in verdicts},
        [FindingCount(*row) for row in findings],
        store.rejected(most_rejected, upload),
    )


def is_logged_upload(store: Store, upload: str) -> bool:
    """Whether the import log knows an upload with this public id."""
    return bool(store.rows("SELECT 1 FROM imports WHERE job = ? LIMIT 1", [upload]).rows)
