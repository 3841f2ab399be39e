"""Win expectancy: recomputed one state at a time, and sensible where the outcome is plain."""

import math
from pathlib import Path
from typing import Any

import pytest

from analyzer.db.store import Store
from analyzer.ingest.loader import ingest_bytes
from analyzer.players import expectancy as module
from analyzer.players.expectancy import LEAD_BANDWIDTH, POINTS_BANDWIDTH, match_expectancy
from records import codec
from records.selfplay import play_game

MATCHES = 40
WON = "SELECT digest, winner, deals FROM games ORDER BY digest"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with Store(tmp_path_factory.mktemp("played")) as store:
        for seed in range(MATCHES):
            record = play_game("zique", seed=seed, style="random" if seed % 2 else "greedy")
            ingest_bytes(store, "games.json", codec.encode(record))
        ingest_bytes(store, "other.json", codec.encode(play_game("zetema", seed=1)))
        yield store


def digests(store: Store) -> list[str]:
    return [
        row[0]
        for row in store.rows("SELECT digest FROM games WHERE sheet = 'zique' ORDER BY 1").rows
    ]


def states(store: Store, digest: str) -> tuple[list[tuple[int, float, float, float]], float]:
    """Every state of the other matches, from the dealer's side: tricks, lead, points before, won; and the scale."""
    seats = store.rows(
        "SELECT seats.game, deal, side, match_score, match_score_against, match_outcome, points, points_against "
        "FROM seats JOIN games USING (game) WHERE role = 'dealer' AND digest <> $digest AND seats.sheet = 'zique'",
        {"digest": digest},
    ).rows
    found, finals = [], []
    for game, deal, side, own, other, won, points, against in seats:
        finals.append(max(own + points, other + against))
        found.append((0, own - other, own + other, won))
        tricks = store.rows(
            "SELECT trick, points_ahead FROM tricks WHERE game = $game AND deal = $deal",
            {"game": game, "deal": deal},
        ).rows
        for trick, ahead in tricks:
            lead = own - other + (ahead if side == 0 else -ahead)
            found.append((trick + 1, lead, own + other, won))
    finals.sort()
    place = 0.9 * (len(finals) - 1)
    low = math.floor(place)
    return found, finals[low] + (place - low) * (finals[math.ceil(place)] - finals[low])


def test_the_chance_is_a_mean_over_near_states(played: Store) -> None:
    digest = digests(played)[3]
    leads = {0: 0, 5: 40, 20: -30}
    side, own, other = played.rows(
        "SELECT side, match_score, match_score_against FROM seats JOIN games USING (game) "
        "WHERE digest = $digest AND deal = 1 AND role = 'dealer'", {"digest": digest}
    ).rows[0]  # fmt: skip
    found = match_expectancy(played, digest, 1, leads)
    assert found.matches == MATCHES - 1
    everything, scale = states(played, digest)
    for one in found.chances:
        lead = own - other + (leads[one.trick] if side == 0 else -leads[one.trick])
        weights = [
            (math.exp(-0.5 * (((x - lead) / (scale * LEAD_BANDWIDTH)) ** 2 + ((y - own - other) / (scale * POINTS_BANDWIDTH)) ** 2)), won)
            for trick, x, y, won in everything
            if trick == one.trick
        ]  # fmt: skip
        near = sum(weight for weight, _ in weights)
        chance = (sum(weight * won for weight, won in weights) + 1) / (near + 2)
        assert one.weight == pytest.approx(near)
        assert one.chance == pytest.approx(chance if side == 0 else 1 - chance)


def test_a_lead_is_better_than_none(played: Store) -> None:
    digest = digests(played)[0]
    behind, level, ahead = (
        match_expectancy(played, digest, 0, {10: lead}).chances[0].chance for lead in (-250, 0, 250)
    )
    assert behind < level < ahead


def test_far_from_everything_nothing_is_known(played: Store) -> None:
    (one,) = match_expectancy(played, digests(played)[0], 0, {10: 100_000}).chances
    assert one.weight == pytest.approx(0)
    assert one.chance == pytest.approx(0.5)


def test_too_few_matches_say_nothing(played: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FEWEST_MATCHES", MATCHES)
    found = match_expectancy(played, digests(played)[0], 0, {0: 0})
    assert (found.matches, found.chances) == (MATCHES - 1, [])


def test_only_games_of_two_have_chances(tmp_path: Path) -> None:
    sample = Path(__file__).parents[2] / "samples" / "good" / "zetema-3.json"
    with Store(tmp_path) as store:
        (outcome,) = ingest_bytes(store, "three.json", sample.read_bytes())
        assert outcome.digest is not None
        assert match_expectancy(store, outcome.digest, 0, {0: 0}).chances == []
        assert match_expectancy(store, "nothing", 0, {0: 0}).matches == 0
