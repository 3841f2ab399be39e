"""Expectancy: the chance of winning a match, estimated from stored matches by the same rules.

The estimate is a Nadaraya-Watson mean with a Gaussian kernel over two numbers: the dealer's lead, and the points
both had before the deal, among states after the same number of tricks. The bandwidths are shares of the points
winners end with. One match won and one lost are added (Laplace's rule), so that a few matches prove little.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from analyzer.db.store import Store

LEAD_BANDWIDTH, POINTS_BANDWIDTH = 0.05, 0.15
"""Bandwidths as shares of a winner's points: for the lead, and for the points before the deal."""
FEWEST_MATCHES = 30
"""With fewer matches by the same rules there is no estimate."""

SELECT_DEAL_START = """
    SELECT game, variant, side, match_score, match_score_against
    FROM games
    JOIN seats USING (game, variant)
    WHERE digest = $digest AND deal = $deal AND role = 'dealer' AND opponent IS NOT NULL
"""


@dataclass(frozen=True, slots=True)
class WinChance:
    """The chance of the first side after `trick` tricks; `weight` is the weighted number of states near it."""

    trick: int
    chance: float
    weight: float


@dataclass(frozen=True, slots=True)
class Expectancy:
    """The chances in a deal, from so many matches; `chances` is empty if they are too few."""

    matches: int
    chances: list[WinChance]


def match_expectancy(store: Store, digest: str, deal: int, leads: Mapping[int, int]) -> Expectancy:
    """The first side's chances of winning the match, trick by trick, in a deal of a stored game.

    `leads` maps numbers of tricks to the first side's lead in the deal. The game itself does not count. Only games
    for two have chances. Raises QueryTimeout.
    """
    start = store.rows(SELECT_DEAL_START, {"digest": digest, "deal": deal}).rows
    if not start:
        return Expectancy(0, [])
    ((game, variant, side, own, other),) = start
    if own is None or other is None:
        return Expectancy(0, [])
    mine = 1 if side == 0 else -1
    sql = (files("analyzer.players") / "expectancy.sql").read_text(encoding="utf-8")
    parameters = {
        "game": game,
        "variant": variant,
        "before": own + other,
        "tricks": list(leads),
        "leads": [own - other + mine * lead for lead in leads.values()],
    }
    found = store.rows(sql, {**parameters, "near": LEAD_BANDWIDTH, "far": POINTS_BANDWIDTH}).rows
    matches = found[0][3] if found else 0
    if matches < FEWEST_MATCHES:
        return Expectancy(matches, [])
    chances = [
        WinChance(trick, chance if side == 0 else 1 - chance, weight)
        for trick, chance, weight, _ in found
    ]
    return Expectancy(matches, chances)
