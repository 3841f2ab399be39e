"""Ratings: the published formulas recomputed, in the order of play, whatever the order of arrival."""

import io
import itertools
import math
import time
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.ingest.deletion import delete_games
from analyzer.ingest.loader import ingest
from analyzer.ingest.renaming import rename_player
from analyzer.players import ratings
from analyzer.players.directory import (
    RatedMatch,
    find_rating_trend,
    list_players,
    list_rated_matches,
    list_sheet_summaries,
    rating_history,
)
from analyzer.players.ratings import (
    BETA,
    KAPPA,
    RATING_PARAMETERS,
    START_DEVIATION,
    START_MEAN,
    TAU,
    UNRATED,
    FinishedMatch,
    Ladder,
    Ratings,
    Standing,
    rating_model,
    standings_after,
)
from analyzer.store.store import Store
from records.format import codec
from records.format.files import read_entries
from records.record import Record
from records.selfplay import play_game
from tests.make.stored_games import store_game

JANUARY = date(2026, 1, 1)


def match(one: str, other: str, winner: int | None) -> FinishedMatch:
    return FinishedMatch([one, other], None, winner)


def rated(matches: Iterable[FinishedMatch]) -> dict[str, Standing]:
    model, standings = rating_model(), dict[str, Standing]()
    for each in matches:
        standings |= standings_after(model, standings, each)
    return standings


def weng_and_lin(teams: list[list[Standing]], ranks: list[int]) -> list[list[tuple[float, float]]]:
    """Algorithm 4 of Weng and Lin (2011), written from the paper, with `tau` added before the match."""
    sigmas = [[math.hypot(one.deviation, TAU) for one in team] for team in teams]
    means = [sum(one.rating for one in team) for team in teams]
    variances = [sum(sigma**2 for sigma in team) for team in sigmas]
    c = math.sqrt(sum(variance + BETA**2 for variance in variances))
    exps = [math.exp(mean / c) for mean in means]
    sums = [sum(e for e, rank in zip(exps, ranks, strict=True) if rank >= own) for own in ranks]
    alike = [ranks.count(rank) for rank in ranks]
    found = []
    for i, team in enumerate(teams):
        omega = delta = 0.0
        for q in range(len(teams)):
            if ranks[q] <= ranks[i]:
                share = exps[i] / sums[q]
                omega += ((1 - share) if q == i else -share) / alike[q]
                delta += share * (1 - share) / alike[q]
        omega *= variances[i] / c
        delta *= variances[i] / c**2 * math.sqrt(variances[i]) / c
        found.append(
            [
                (
                    one.rating + sigma**2 / variances[i] * omega,
                    sigma * math.sqrt(max(1 - sigma**2 / variances[i] * delta, KAPPA)),
                )
                for one, sigma in zip(team, sigmas[i], strict=True)
            ]
        )
    return found


def some_matches(number: int) -> Iterator[FinishedMatch]:
    """Matches of two, three and four, some of them with partners, some drawn."""
    random = Random(number)
    for _ in range(number):
        seats = random.choice((2, 2, 3, 4))
        sides = [0, 1, 0, 1] if seats == 4 and random.random() < 0.5 else None
        winner = random.choice((None, *range(2 if sides else seats)))
        yield FinishedMatch(random.sample("ABCDEFG", seats), sides, winner)


def test_every_match_moves_the_ratings_as_the_paper_says() -> None:
    standings: dict[str, Standing] = {}
    for names, sides, winner in some_matches(300):
        after = standings_after(rating_model(), standings, FinishedMatch(names, sides, winner))
        own = sides or list(range(len(names)))
        teams = [
            [n for n, s in zip(names, own, strict=True) if s == side] for side in sorted({*own})
        ]
        ranks = [1 if winner in (None, side) else 2 for side in range(len(teams))]
        expected = weng_and_lin(
            [[standings.get(n, UNRATED) for n in team] for team in teams], ranks
        )
        for team, pairs in zip(teams, expected, strict=True):
            for name, (mean, deviation) in zip(team, pairs, strict=True):
                assert (after[name].rating, after[name].deviation) == pytest.approx(
                    (mean, deviation)
                )
                assert after[name].matches == standings.get(name, UNRATED).matches + 1
                assert after[name].surely == after[name].rating - 3 * after[name].deviation
        assert after.keys() == {*names}
        standings |= after


def test_the_parameters_told_to_readers_are_those_used() -> None:
    model, told = rating_model(), {each.name: each.value for each in RATING_PARAMETERS}
    values = {"mu": START_MEAN, "sigma": START_DEVIATION, "beta": BETA, "tau": TAU, "kappa": KAPPA}
    for name, value in values.items():
        assert getattr(model, name) == value
        number, _, divisor = told[name].partition("/")
        assert float(number) / float(divisor or 1) == pytest.approx(value)
    assert (model.limit_sigma, model.balance, model.margin) == (False, False, 0)


def test_four_points_are_two_matches_in_three() -> None:
    """What the page of players says of two players with small deviations."""
    assert 1 / (1 + math.exp(-4 / math.sqrt(2 * (BETA**2 + 1)))) == pytest.approx(2 / 3, abs=0.01)


def fill(store: Store, seeds: range) -> None:
    for seed in seeds:
        names = [("Ann", "Bob"), ("Bob", "Cleo"), ("Cleo", "Ann")][seed % 3]
        record = play_game("zique", seed=seed, names=list(names))
        record.meta = {"started": f"2026-01-{seed + 1:02}T19:30:00Z"}
        store_game(store, record)


def short_game(seed: int) -> Record:
    """A quick match of three players in pairs; some at the same time, some with no time."""
    names = list(Random(seed).sample(["Ann", "Bob", "Cleo"], 2))
    record = play_game("marjolet", seed=seed, names=names, options={"target": 100})
    if seed % 4:
        late = "2025-12-31T23:30:00-05:00"
        record.meta = {"started": f"2026-01-0{seed % 3}T02:30:00Z" if seed % 3 else late}
    return record


GAMES = {codec.digest(record): record for record in map(short_game, range(10))}
"""Some games by their digests."""


def order_of_play(digest: str) -> tuple[bool, datetime, str]:
    """The order that the page states: no time first, then the time in UTC, then the digest."""
    text = (GAMES[digest].meta or {}).get("started")
    time = datetime.fromisoformat(str(text or "2000-01-01T00:00:00Z"))
    return text is not None, time, digest


def expected_standings(digests: Iterable[str]) -> dict[str, Standing]:
    def finished(record: Record) -> FinishedMatch:
        assert record.result is not None
        return FinishedMatch([one.name for one in record.players], None, record.result.winner)

    return rated(finished(GAMES[digest]) for digest in sorted(digests, key=order_of_play))


def upload(store: Store, digests: Iterable[str]) -> None:
    lines = b"".join(codec.encode(GAMES[digest]) + b"\n" for digest in digests)
    ingest(store, read_entries(io.BytesIO(lines), name="games.jsonl"))


@st.composite
def arrivals(draw: st.DrawFn) -> list[tuple[str, list[str]]]:
    """Uploads of all games in any order and any parts, with questions, restarts and deletions between."""
    left = draw(st.permutations(sorted(GAMES)))
    steps: list[tuple[str, list[str]]] = []
    while left:
        size = draw(st.integers(1, len(left)))
        steps.append(("upload", left[:size]))
        left = left[size:]
        kind = draw(st.sampled_from(["ask", "ask", "restart", "delete", "nothing"]))
        count = draw(st.integers(1, 4)) if kind == "delete" else 0
        gone = draw(st.permutations(sorted(GAMES)))[:count]
        steps += [(kind, gone), ("ask", [])] if kind == "delete" else [(kind, [])]
    return steps


@pytest.mark.slow
@given(arrivals())
@settings(max_examples=12, deadline=None)
def test_ratings_do_not_depend_on_how_the_games_arrived(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, list[str]]]
) -> None:
    stored: set[str] = set()
    with (
        pytest.MonkeyPatch.context() as patch,
        Store(tmp_path_factory.mktemp("arrivals")) as store,
    ):
        patch.setattr(ratings, "MATCHES_PER_PORTION", 5)
        going_on = Ratings(store)
        for kind, digests in [*steps, ("ask", [])]:
            match kind:
                case "upload":
                    upload(store, digests)
                    stored |= {*digests}
                case "delete":
                    delete_games(store, digests)
                    stored -= {*digests}
                case "restart":
                    going_on.close()
                    going_on = Ratings(store)
                case "ask":
                    ladder = going_on.ladder()
                    assert ladder.matches == len(stored)
                    assert ladder.standings == expected_standings(stored)
        assert_changes_lead_to_standings(store, going_on.ladder(), stored)
        going_on.close()


def assert_changes_lead_to_standings(store: Store, ladder: Ladder, stored: set[str]) -> None:
    for name, standing in ladder.standings.items():
        found = list_rated_matches(store, ladder, name)
        own = [d for d in stored if name in [one.name for one in GAMES[d].players]]
        assert [each.digest for each in found] == sorted(own, key=order_of_play)
        assert found[0].before == START_MEAN
        assert all(one.rating == two.before for one, two in itertools.pairwise(found))
        assert (found[-1].rating, found[-1].deviation) == (standing.rating, standing.deviation)


@pytest.mark.long
def test_a_ladder_that_was_handed_out_stays_as_it_was(store: Store) -> None:
    digests = sorted(GAMES, key=order_of_play)
    upload(store, digests[1:6])
    going_on = Ratings(store)
    first = going_on.ladder()
    before = {name: first.changes_of(name) for name in first.standings}
    assert going_on.ladder() is first
    upload(store, digests[6:])
    second = going_on.ladder()
    upload(store, digests[:1])
    third = going_on.ladder()
    assert {name: first.changes_of(name) for name in first.standings} == before
    assert (second.matches, third.matches) == (9, 10)
    assert third.standings != second.standings == expected_standings(digests[1:])


@pytest.mark.long
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
    assert waiting.ladder().standings == Ratings(store).ladder().standings


@pytest.mark.long
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


@pytest.mark.long
def test_what_is_closed_keeps_its_ladder_and_calls_all_others_pending(store: Store) -> None:
    digests = list(GAMES)
    upload(store, digests[:2])
    closed, fresh = Ratings(store), Ratings(store)
    rated = closed.ladder()
    closed.close()
    fresh.close()
    upload(store, digests[2:5])
    found = closed.ladder()
    assert (found.standings, found.matches, found.pending) == (rated.standings, 2, 5)
    assert (fresh.ladder().standings, fresh.ladder().pending) == ({}, 5)


@pytest.mark.long
def test_only_clean_and_complete_matches_are_rated(store: Store) -> None:
    fill(store, range(2))
    with store.writing() as cursor:
        cursor.execute("UPDATE games SET clean = false WHERE started < '2026-01-02'")
    assert Ratings(store).ladder().matches == 1


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("number", range(1, 5))
def test_a_rating_follows_a_rename_however_many_matches_there_are(
    store: Store, seat: int, number: int
) -> None:
    """In any seat: prints of matches that change in the same way must not add up to no change."""
    names = ["Ann", "Ann"]
    names[seat] = "Fritz"
    for seed in range(number):
        store_game(store, play_game("marjolet", seed=seed, deals=1, names=names, options={"target": 100}))  # fmt: skip
    ratings = Ratings(store)
    assert set(ratings.ladder().standings) == {"Ann", "Fritz"}
    rename_player(store, "Fritz", "Fred")
    assert set(ratings.ladder().standings) == {"Ann", "Fred"}
    assert ratings.ladder().standings == Ratings(store).ladder().standings


@pytest.mark.long
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


def test_the_history_of_a_rating(store: Store) -> None:
    upload(store, GAMES)
    ladder = Ratings(store).ladder()
    matches = list_rated_matches(store, ladder, "Ann")
    found = rating_history("Ann", matches)
    assert found.column("month") == ["2025-12", "2026-01"]
    assert found.column("n")[-1] == len(matches) == ladder.standings["Ann"].matches
    assert found.column("rating")[-1] == round(ladder.standings["Ann"].rating, 2)
    assert matches[0].started is None
    for row in found.dicts():
        assert row["low"] < row["rating"] < row["high"]
    assert list_rated_matches(store, ladder, "Nobody") == []


def rated_in(month: date | None, rating: float, deviation: float) -> RatedMatch:
    return RatedMatch("", "zique", None, month, ["Bob"], [], 1.0, rating, rating, deviation)


@pytest.mark.parametrize(
    ("last", "says"),
    [
        ((25.8, 1.0), "no clear change"), ((27.8, 2.0), "no clear change"), ((27.9, 2.0), "a clear rise"),
        ((12.1, 2.0), "a clear fall"), ((12.2, 2.0), "no clear change"),
    ],
)  # fmt: skip
def test_a_change_of_rating_is_clear_if_the_ranges_have_nothing_in_common(
    last: tuple[float, float], says: str
) -> None:
    # 20 ± 2 reaches from 16.08 to 23.92; 27.9 ± 2 begins at 23.98, and 12.1 ± 2 ends at 16.02.
    matches = [
        rated_in(None, 40, 1), rated_in(date(2026, 1, 1), 50, 1), rated_in(date(2026, 1, 1), 20, 2),
        rated_in(date(2026, 2, 1), 0, 1), rated_in(date(2026, 3, 1), *last),
    ]  # fmt: skip
    found = find_rating_trend("Ann", matches)
    assert found is not None
    assert (found.first.matches, found.last.matches) == (3, 5)
    assert found.says.startswith(
        "The rating of Ann was 20.0 (16.1 to 23.9) at the end of January 2026 and "
    )
    assert f"at the end of March 2026: {says}, as" in found.says


def test_one_month_tells_no_change_of_rating_and_no_month_nothing() -> None:
    found = find_rating_trend("Ann", [rated_in(date(2026, 1, 1), 20, 2)])
    assert found is not None
    assert found.says.endswith("at the end of January 2026; one month tells no change.")
    assert find_rating_trend("Ann", [rated_in(None, 20, 2)]) is None
