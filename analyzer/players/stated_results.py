"""Results as records state them, of matches whose play is not written down: a club keeps them in pencil, with the scores."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

import msgspec

from analyzer.db.packing.packed_record import unpack_record
from analyzer.db.store import Store
from records import codec

MOST_STATED = 5_000
"""So many such matches count, the latest of a choice: their records are read."""


@dataclass(frozen=True, slots=True)
class StatedResult:
    """What a record says that a match came to, by side; a `winner` of None is a draw."""

    game: int
    digest: str
    scores: list[int]
    settlement: list[int] | None
    winner: int | None


def read_stated_results(store: Store, choice: dict[str, object]) -> list[StatedResult]:
    """The results that only the records know, of the matches chosen, the latest first, at most `MOST_STATED`.

    A record that does not say who won, and with how many points, has none.
    """
    sql = (files("analyzer") / "players" / "stated_matches.sql").read_text(encoding="utf-8")
    rows = store.rows(sql, {**choice, "most": MOST_STATED}).rows
    found = []
    for game, digest, data in rows:
        record = codec.decode(unpack_record(data)).record
        stated = record.result if record else None
        if stated and stated.scores and stated.winner is not msgspec.UNSET:
            found.append(
                StatedResult(game, digest, stated.scores, stated.settlement, stated.winner)
            )
    return found


def as_parameters(results: Sequence[StatedResult]) -> dict[str, object]:
    """Results as the parameters of `chosen_matches.sql`: a list for each column."""
    return {
        "stated_games": [each.game for each in results],
        "stated_scores": [each.scores for each in results],
        "stated_settlements": [each.settlement for each in results],
        "stated_winners": [each.winner for each in results],
    }
