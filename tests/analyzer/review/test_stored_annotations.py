"""Reviews of what is exact in the database: made once, found again, remade on request, and counted."""

import io
from unittest.mock import patch

import msgspec
import pytest
import zstandard

from analyzer.ingest.deletion import delete_games
from analyzer.ingest.loader import ingest
from analyzer.ingest.tasks import map_tasks
from analyzer.players.expectancy import shipped_models
from analyzer.players.winning_model import ChanceModels
from analyzer.review import stored
from analyzer.review.deep_review import REVIEW_VERSION, GameReview, ReviewTerms
from analyzer.review.review_sums import list_costly_choices, seat_sums
from analyzer.review.reviewer import review_record
from analyzer.store.store import Store
from records.errors import StoreError
from records.format import codec
from records.format.files import Entry, read_entries
from records.selfplay import play_game

QUICK = ReviewTerms(worlds=0, last_trick=False)


@pytest.fixture
def games(store: Store) -> list[str]:
    records = [play_game("bezique", seed=seed, style="random") for seed in (1, 2)]
    records += [play_game("zetema", seed=1, players=3), play_game("zetema", seed=1)]
    lines = b"\n".join(codec.encode(record) for record in records)
    ingest(store, read_entries(io.BytesIO(lines), name="games.jsonl"))
    return [codec.digest(record) for record in records]


@pytest.mark.slow
def test_what_is_kept_is_what_was_made(store, games):
    assert stored.load_review(store, games[0]) is None
    made = stored.review_stored_exactly(store, games[0])
    assert stored.load_review(store, games[0]) == made
    assert made == review_record(
        play_game("bezique", seed=1, style="random"), terms=stored.EXACT_TERMS
    )
    assert (made.digest, made.version) == (games[0], REVIEW_VERSION)


@pytest.mark.long
def test_only_games_of_two_wait_and_only_until_they_are_annotated(store, games):
    assert sorted(stored.list_games_without_review(store)) == sorted([games[0], games[1], games[3]])
    stored.review_stored_exactly(store, games[1], QUICK)
    assert sorted(stored.list_games_without_review(store)) == sorted([games[0], games[3]])
    assert sorted(stored.list_two_player_games(store)) == sorted([games[0], games[1], games[3]])


@pytest.mark.long
def test_made_again_it_takes_the_place_of_the_first(store, games):
    stored.review_stored_exactly(store, games[0], QUICK)
    stored.review_stored_exactly(store, games[0], ReviewTerms(worlds=0, least=40, last_trick=False))
    kept = stored.load_review(store, games[0])
    assert kept.terms.least == 40
    assert store.rows("SELECT count(*) FROM game_reviews").rows == [(1,)]
    assert store.rows("SELECT count(*) FROM reviews").rows == [(2 * len(kept.deals),)]


@pytest.mark.long
def test_an_earlier_analysis_is_read_as_far_as_it_can_be_and_waits_to_be_made_anew(store, games):
    stored.review_stored_exactly(store, games[0], QUICK)
    with store.writing() as cursor:
        cursor.execute("UPDATE game_reviews SET version = '0.9'")
    assert stored.load_review(store, games[0]) is not None
    assert games[0] in stored.list_games_without_review(store)
    with store.writing() as cursor:
        cursor.execute("UPDATE game_reviews SET data = ?", [zstandard.compress(b"{}")])
    assert stored.load_review(store, games[0]) is None


@pytest.mark.slow
def test_the_rows_count_what_the_annotation_says(store, games):
    notes = stored.review_stored_exactly(store, games[0])
    sums = seat_sums(notes)
    sql = """
        SELECT sum(lost), sum(mistakes), sum(melds_lost), sum(melds_lost_points), sum(melds_delayed),
            sum(melds_given_up), sum(brisques_let_go)
        FROM reviews GROUP BY seat ORDER BY seat
    """
    assert store.rows(sql).rows == [
        (s.lost, s.mistakes, s.melds_lost, s.melds_lost_points, s.melds_delayed, s.melds_given_up,
         s.brisques)
        for s in sums
    ]  # fmt: skip
    costs = [each.cost for each in list_costly_choices(notes)]
    assert costs == sorted(costs, reverse=True)


@pytest.mark.long
def test_a_close_that_was_not_solved_as_a_whole_counts_no_points(store):
    record = play_game("polish-bezique", seed=1)
    ingest(store, read_entries(io.BytesIO(codec.encode(record)), name="game.json"))
    stored.review_stored_exactly(store, codec.digest(record), ReviewTerms(worlds=0, positions=20))
    assert store.rows("SELECT count(*), count(lost) FROM reviews").rows[0][1] == 0


@pytest.mark.slow
def test_it_survives_json(store, games):
    notes = stored.review_stored_exactly(store, games[0])
    assert msgspec.json.decode(msgspec.json.encode(notes), type=GameReview) == notes


def test_a_game_that_is_not_there(store):
    with pytest.raises(StoreError, match="no game"):
        stored.review_stored_exactly(store, "0" * 64)


@pytest.mark.long
def test_luck_has_a_row_for_each_player_of_a_deal_that_was_rolled_out(store: Store) -> None:
    record = play_game("marjolet", seed=3, style="random", deals=2)
    ingest(store, [Entry("game.json", None, codec.encode(record))])
    digest = codec.digest(record)
    notes = stored.review_stored_exactly(
        store, digest, ReviewTerms(worlds=0, rollouts=4, last_trick=False, positions=200)
    )
    rows = store.rows("SELECT * FROM luck ORDER BY deal, seat").dicts()
    assert [(row["deal"], row["seat"]) for row in rows] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    parts = ("average_deal", "dealt", "drawn", "skill", "skill_against", "rest")
    for row in rows:
        (points,) = store.rows(
            "SELECT points - points_against FROM seats WHERE deal = $deal AND seat = $seat",
            {"deal": row["deal"], "seat": row["seat"]},
        ).rows[0]
        assert row["result"] == points
        assert sum(row[part] for part in parts) == pytest.approx(points, abs=0.01)
        luck = notes.deals[row["deal"]].luck
        assert luck is not None
        assert (row["skill"], row["rollouts"]) == (luck.skill[row["seat"]], 4)
    stored.review_stored_exactly(
        store, digest, ReviewTerms(worlds=0, last_trick=False, positions=200)
    )
    assert store.rows("SELECT * FROM luck ORDER BY deal, seat").dicts() == rows
    again = stored.load_review(store, digest)
    assert again
    assert (again.terms.rollouts, again.terms.positions) == (4, 200)


@pytest.mark.slow
def test_games_are_annotated_alike_in_other_processes(store, games):
    here = [stored.review_stored_exactly(store, digest, QUICK) for digest in games]
    there = stored.review_games_exactly(store, [(each, QUICK) for each in games], 2)
    assert list(there) == here
    assert [stored.load_review(store, digest) for digest in games] == here


@pytest.mark.slow
@pytest.mark.parametrize("way", ["one after the other", "other processes", "a cluster"])
def test_what_somebody_deletes_meanwhile_is_left_out(store, games, way):
    """One is deleted before its turn, one while it is reviewed."""
    asked = [games[0], games[1], games[3]]
    delete_games(store, [games[3]])

    def keep(store, review):
        if review.digest == games[0]:
            delete_games(store, [games[0]])
        stored.save_review(store, review)

    if way == "a cluster":
        with patch.object(stored, "map_tasks", on_no_cluster):
            found = [
                *stored.review_games_on_cluster(
                    store, asked, lambda _: QUICK, None, ChanceModels(store, shipped_models()), keep
                )
            ]
    else:
        terms, processes = [(each, QUICK) for each in asked], 2 if way == "other processes" else 0
        found = [*stored.review_games_exactly(store, terms, processes, keep=keep)]
    assert [review.digest for review in found] == [games[1]]
    assert store.rows("SELECT digest FROM game_reviews").rows == [(games[1],)]
    assert not [*stored.review_games_exactly(store, [(games[0], QUICK)], 0)]


def on_no_cluster(function, tasks, processes, client, telling):
    """As the workers of a cluster would do it."""
    return map_tasks(function, tasks, processes, None, telling)
