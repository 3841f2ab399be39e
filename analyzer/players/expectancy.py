"""The chance of winning a match, from what became of the stored matches by the same rules.

The estimate is a Nadaraya-Watson mean with a Gaussian kernel over two numbers, the dealer's lead and
what both had before the deal, among states with as many tricks behind them; its widths are shares of the
points that winners end with. One match won and one lost are added to what is near (Laplace's rule), so
that few matches say little.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from analyzer.db.store import Store

LEAD_BANDWIDTH, POINTS_BANDWIDTH = 0.05, 0.15
"""Widths of the bell curve, as shares of a winner's points: of the lead, and of the points before the deal."""
FEWEST_MATCHES = 30
"""Matches by the same rules without which nothing is said."""

SELECT_DEAL_START = """
    SELECT game, variant, side, match_score, match_score_against
    FROM games
    JOIN seats USING (game, variant)
    WHERE digest = $digest AND deal = $deal AND role = 'dealer' AND opponent IS NOT NULL
"""


@dataclass(frozen=True, slots=True)
class WinChance:
    """The chance of the first side after so many tricks; `weight` counts the states near it."""

    trick: int
    chance: float
    weight: float


@dataclass(frozen=True, slots=True)
class Expectancy:
    """The chances in a deal, out of so many matches; no chances where the matches are too few."""

    matches: int
    chances: list[WinChance]


def match_expectancy(store: Store, digest: str, deal: int, leads: Mapping[int, int]) -> Expectancy:
    """The first side's chances of winning the match, in a deal of a stored game.

    `leads` says by how many points of the deal the first side is ahead after so many tricks. The game
    itself does not count. Only games of two have chances. Raises QueryTimeout.
    """
    start = store.rows(SELECT_DEAL_START, {"digest": digest, "deal": deal}).rows
    if not start:
        return Expectancy(0, [])
    ((game, variant, side, own, other),) = start
    mine = 1 if side == 0 else -1
    sql = (files("analyzer.players") / "expectancy.sql").read_text(encoding="utf-8")
    asked = {
        "game": game,
        "variant": variant,
        "before": own + other,
        "tricks": list(leads),
        "leads": [own - other + mine * lead for lead in leads.values()],
    }
    found = store.rows(sql, {**asked, "near": LEAD_BANDWIDTH, "far": POINTS_BANDWIDTH}).rows
    matches = found[0][3] if found else 0
    if matches < FEWEST_MATCHES:
        return Expectancy(matches, [])
    chances = [
        WinChance(trick, chance if side == 0 else 1 - chance, weight)
        for trick, chance, weight, _ in found
    ]
    return Expectancy(matches, chances)
