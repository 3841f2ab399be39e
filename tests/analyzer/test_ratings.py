"""Ratings: the published method, applied in the order of play, independent of the order of import."""

import time
from datetime import date
from pathlib import Path
from random import Random

import pytest
from openskill.models import PlackettLuce

from analyzer.db.store import Store
from analyzer.ingest.loader import ingest_bytes
from analyzer.players import ratings
from analyzer.players.directory import list_players, list_sheet_summaries, rating_history
from analyzer.players.ratings import EMPTY_LADDER, Ratings, rate_matches
from records import codec
from records.selfplay import play_game

JANUARY, MARCH = date(2026, 1, 1), date(2026, 3, 1)


def match(one: str, other: str, winner: int | None, month: date | None = None):
    return [one, other], None, winner, month


def test_a_first_match_moves_both_as_the_method_says() -> None:
    found = rate_matches([match("Ann", "Bob", 0)])
    model = PlackettLuce()
    [[ann], [bob]] = model.rate([[model.rating()], [model.rating()]], ranks=[1, 2])
    assert (found["Ann"].rating, found["Ann"].deviation) == pytest.approx((ann.mu, ann.sigma))
    assert (found["Bob"].rating, found["Bob"].deviation) == pytest.approx((bob.mu, bob.sigma))
    assert found["Ann"].rating > 25 > found["Bob"].rating
    assert found["Ann"].deviation < 25 / 3


def test_a_drawn_match_leaves_equals_equal() -> None:
    found = rate_matches([match("Ann", "Bob", None)])
    assert found["Ann"].rating == pytest.approx(found["Bob"].rating)


def test_partners_win_together() -> None:
    found = rate_matches([(["Ann", "Bob", "Cleo", "Dan"], [0, 1, 0, 1], 1, None)])
    assert (
        found["Bob"].rating
        == found["Dan"].rating
        > 25
        > found["Ann"].rating
        == found["Cleo"].rating
    )


def test_who_plays_himself_is_not_rated() -> None:
    assert rate_matches([match("Ann", "Ann", 0)]) == {}


def test_the_stronger_comes_out_above() -> None:
    random = Random(1)
    strength = {"weak": 0.2, "middle": 0.5, "strong": 0.8}
    matches = []
    for _ in range(300):
        one, other = random.sample(sorted(strength), 2)
        chance = strength[one] / (strength[one] + strength[other])
        matches.append(match(one, other, 0 if random.random() < chance else 1))
    found = rate_matches(matches)
    assert found["weak"].rating < found["middle"].rating < found["strong"].rating
    assert all(one.deviation < 25 / 9 and one.matches > 150 for one in found.values())
    assert found["strong"].surely == found["strong"].rating - 3 * found["strong"].deviation


def test_a_month_keeps_the_rating_at_its_end() -> None:
    found = rate_matches(
        [
            match("Ann", "Bob", 0, JANUARY),
            match("Ann", "Bob", 0, JANUARY),
            match("Ann", "Bob", 1, MARCH),
        ]
    )
    months = found["Ann"].months
    assert list(months) == [JANUARY, MARCH]
    assert [matches for _, _, matches in months.values()] == [2, 3]
    assert months[MARCH][:2] == (found["Ann"].rating, found["Ann"].deviation)
    assert rate_matches([match("Ann", "Bob", 0)], rate_matches([]))["Ann"].months == {}


def test_going_on_changes_nothing_of_before() -> None:
    first = rate_matches([match("Ann", "Bob", 0, JANUARY)])
    before = (first["Ann"].rating, dict(first["Ann"].months))
    rate_matches([match("Ann", "Bob", 0, MARCH)], first)
    assert (first["Ann"].rating, first["Ann"].months) == before


def fill(store: Store, seeds: range) -> None:
    for seed in seeds:
        names = [("Ann", "Bob"), ("Bob", "Cleo"), ("Cleo", "Ann")][seed % 3]
        record = play_game("zique", seed=seed, names=list(names))
        record.meta = {"started": f"2026-01-{seed + 1:02}T19:30:00Z"}
        ingest_bytes(store, "games.json", codec.encode(record))


def told(ladder) -> dict[str, tuple[float, float, int]]:
    return {
        name: (one.rating, one.deviation, one.matches) for name, one in ladder.standings.items()
    }


def test_what_comes_later_is_added(store: Store) -> None:
    assert Ratings(store).ladder() == EMPTY_LADDER
    fill(store, range(3))
    going_on = Ratings(store)
    assert going_on.ladder().matches == 3
    assert going_on.ladder() is going_on.ladder()
    fill(store, range(3, 6))
    assert told(going_on.ladder()) == told(Ratings(store).ladder())
    assert sum(one.matches for one in going_on.ladder().standings.values()) == 12


def test_what_is_taken_away_is_forgotten(store: Store) -> None:
    fill(store, range(4))
    going_on = Ratings(store)
    going_on.ladder()
    with store.writing() as cursor:
        cursor.execute("DELETE FROM games WHERE started < '2026-01-02'")
    fill(store, range(4, 5))
    assert going_on.ladder().matches == 4
    assert told(going_on.ladder()) == told(Ratings(store).ladder())


def test_much_is_rated_behind_ones_back(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings, "MATCHES_RATED_AT_ONCE", 2)
    fill(store, range(4))
    waiting = Ratings(store)
    first = waiting.ladder()
    assert (first.pending, first.standings) == (4, {})
    for _ in range(100):
        if not waiting.ladder().pending:
            break
        time.sleep(0.05)
    monkeypatch.undo()
    assert told(waiting.ladder()) == told(Ratings(store).ladder())


def test_a_store_can_be_closed_while_ratings_are_made(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        fill(store, range(2))
        with store.writing() as cursor:
            cursor.execute(
                "INSERT INTO games SELECT games.* REPLACE (game + i AS game) FROM games, range(1, 4000) AS t (i)"
            )
        slow = Ratings(store)
        assert slow.ladder().pending == 8000
        slow.close()
        assert slow.ladder().matches == 0


def test_only_clean_and_complete_matches_are_rated(store: Store) -> None:
    fill(store, range(2))
    with store.writing() as cursor:
        cursor.execute("UPDATE games SET clean = false WHERE started < '2026-01-02'")
    assert Ratings(store).ladder().matches == 1


def test_the_list_and_the_page_of_a_player(store: Store) -> None:
    fill(store, range(6))
    ladder = Ratings(store).ladder()
    players = list_players(store, ladder)
    assert {one.name for one in players} == {"Ann", "Bob", "Cleo"}
    assert sum(one.matches for one in players) == 12
    assert all(one.standing is not None for one in players)
    assert [one.name for one in list_players(store, ladder, "AN")] == ["Ann"]
    (played,) = list_sheet_summaries(store, "Ann")
    ann = next(one for one in players if one.name == "Ann")
    assert (played.sheet, played.matches, played.deals) == ("zique", ann.matches, ann.deals)
    assert played.since == played.until == JANUARY
    assert list_sheet_summaries(store, "Nobody") == []


def test_the_history_of_a_rating() -> None:
    standing = rate_matches([match("Ann", "Bob", 0, JANUARY), match("Ann", "Bob", 0, MARCH)])["Ann"]
    found = rating_history("Ann", standing)
    assert found.column("month") == ["2026-01", "2026-03"]
    for row in found.dicts():
        assert row["low"] < row["rating"] < row["high"]
    assert found.column("n") == [1, 2]
