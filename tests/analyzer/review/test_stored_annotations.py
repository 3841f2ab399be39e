"""Annotations in the database: made once, found again, remade on request, and counted."""

import io

import msgspec
import pytest
import zstandard

from analyzer.ingest.loader import ingest
from analyzer.review import stored
from analyzer.review.annotation_words import mistakes, seat_sums
from analyzer.review.annotator import ANNOTATION_VERSION, AnalysisTerms, Annotation, annotate
from analyzer.store.store import Store
from records.errors import StoreError
from records.format import codec
from records.format.files import Entry, read_entries
from records.selfplay import play_game

QUICK = AnalysisTerms(brink=False)


@pytest.fixture
def games(store: Store) -> list[str]:
    records = [play_game("bezique", seed=seed, style="random") for seed in (1, 2)]
    records += [play_game("zetema", seed=1, players=3), play_game("zetema", seed=1)]
    lines = b"\n".join(codec.encode(record) for record in records)
    ingest(store, read_entries(io.BytesIO(lines), name="games.jsonl"))
    return [codec.digest(record) for record in records]


@pytest.mark.slow
def test_what_is_kept_is_what_was_made(store, games):
    assert stored.load_annotation(store, games[0]) is None
    made = stored.annotate_stored_game(store, games[0])
    assert stored.load_annotation(store, games[0]) == made
    assert made == annotate(play_game("bezique", seed=1, style="random"))
    assert (made.digest, made.version) == (games[0], ANNOTATION_VERSION)


@pytest.mark.long
def test_only_games_of_two_wait_and_only_until_they_are_annotated(store, games):
    assert sorted(stored.list_unannotated_games(store)) == sorted([games[0], games[1], games[3]])
    stored.annotate_stored_game(store, games[1], QUICK)
    assert sorted(stored.list_unannotated_games(store)) == sorted([games[0], games[3]])
    assert sorted(stored.list_two_player_games(store)) == sorted([games[0], games[1], games[3]])


@pytest.mark.long
def test_made_again_it_takes_the_place_of_the_first(store, games):
    stored.annotate_stored_game(store, games[0], QUICK)
    stored.annotate_stored_game(store, games[0], AnalysisTerms(least=40, brink=False))
    kept = stored.load_annotation(store, games[0])
    assert kept.terms.least == 40
    assert store.rows("SELECT count(*) FROM annotations").rows == [(1,)]
    assert store.rows("SELECT count(*) FROM reviews").rows == [(2 * len(kept.deals),)]


@pytest.mark.long
def test_an_earlier_analysis_is_read_as_far_as_it_can_be_and_waits_to_be_made_anew(store, games):
    stored.annotate_stored_game(store, games[0], QUICK)
    with store.writing() as cursor:
        cursor.execute("UPDATE annotations SET version = '0.9'")
    assert stored.load_annotation(store, games[0]) is not None
    assert games[0] in stored.list_unannotated_games(store)
    with store.writing() as cursor:
        cursor.execute("UPDATE annotations SET data = ?", [zstandard.compress(b"{}")])
    assert stored.load_annotation(store, games[0]) is None


@pytest.mark.slow
def test_the_rows_count_what_the_annotation_says(store, games):
    notes = stored.annotate_stored_game(store, games[0])
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
    losses = [worst.choice.lost for worst in mistakes(notes)]
    assert losses == sorted(losses, reverse=True)
    assert len(losses) == sum(total.mistakes for total in sums)


@pytest.mark.long
def test_a_close_that_was_not_solved_as_a_whole_counts_no_points(store):
    record = play_game("polish-bezique", seed=1)
    ingest(store, read_entries(io.BytesIO(codec.encode(record)), name="game.json"))
    stored.annotate_stored_game(store, codec.digest(record), AnalysisTerms(positions=20))
    assert store.rows("SELECT count(*), count(lost) FROM reviews").rows[0][1] == 0


@pytest.mark.slow
def test_it_survives_json(store, games):
    notes = stored.annotate_stored_game(store, games[0])
    assert msgspec.json.decode(msgspec.json.encode(notes), type=Annotation) == notes


def test_a_game_that_is_not_there(store):
    with pytest.raises(StoreError, match="no game"):
        stored.annotate_stored_game(store, "0" * 64)


@pytest.mark.long
def test_luck_has_a_row_for_each_player_of_a_deal_that_was_rolled_out(store: Store) -> None:
    record = play_game("marjolet", seed=3, style="random", deals=2)
    ingest(store, [Entry("game.json", None, codec.encode(record))])
    digest = codec.digest(record)
    notes = stored.annotate_stored_game(
        store, digest, AnalysisTerms(rollouts=4, brink=False, positions=200)
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
    stored.annotate_stored_game(store, digest, AnalysisTerms(brink=False, positions=200))
    assert store.rows("SELECT count(*) FROM luck").rows == [(0,)]


@pytest.mark.slow
def test_games_are_annotated_alike_in_other_processes(store, games):
    here = [stored.annotate_stored_game(store, digest, QUICK) for digest in games]
    there = stored.annotate_stored_games(store, [(each, QUICK) for each in games], 2)
    assert list(there) == here
    assert [stored.load_annotation(store, digest) for digest in games] == here
