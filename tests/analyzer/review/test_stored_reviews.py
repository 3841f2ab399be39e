"""Deep reviews in the database: kept as made, with a row for every decision, and gone with their game."""

from collections import deque
from collections.abc import Iterator
from pathlib import Path

import pytest

from analyzer.ingest.deletion import delete_games
from analyzer.ingest.loader import ingest
from analyzer.review.deep_review import ReviewTerms
from analyzer.review.stored import (
    GameNotStored,
    list_games_without_review,
    load_review,
    review_stored_game,
    save_review,
)
from analyzer.store.games import backup_store
from analyzer.store.store import Store
from records.format import codec
from records.format.files import Entry
from records.selfplay import play_game
from tests.make.whole_reviews import review_deeply

FEW = ReviewTerms(worlds=2, positions=500)
RECORD = play_game("marjolet", seed=3, style="casual", deals=1)
DIGEST = codec.digest(RECORD)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder = tmp_path_factory.mktemp("data")
    with Store(folder, files=folder.parent) as opened:
        ingest(opened, [Entry("game.json", None, codec.encode(RECORD))])
        yield opened


@pytest.mark.long
def test_what_is_kept_is_what_was_made_until_its_game_is_deleted(
    store: Store, tmp_path: Path
) -> None:
    assert load_review(store, DIGEST) is None
    assert list_games_without_review(store, weighed=True) == [DIGEST]
    for _ in range(2):
        deque(review_stored_game(store, DIGEST, lambda _: FEW, processes=0), maxlen=0)
    made = review_deeply(RECORD, terms=FEW)
    assert load_review(store, DIGEST) == made
    assert list_games_without_review(store, weighed=True) == []
    decisions = [each for each in made.deals[0].decisions if len(each.choices) > 1]
    sql = "SELECT phase, kind, grade, sum(lost), count(*) FROM decisions GROUP BY ALL"
    rows = store.rows(sql).rows
    assert sum(row[-1] for row in rows) == len(decisions)
    assert sum(row[-2] for row in rows) == pytest.approx(sum(each.lost for each in decisions))
    assert {row[0] for row in rows} == {"stock", "last_trick", "close"}
    copy = backup_store(store, tmp_path / "copy")
    with Store(copy.parent) as copied:
        assert load_review(copied, DIGEST) == made
    delete_games(store, [DIGEST])
    assert load_review(store, DIGEST) is None
    assert store.rows("SELECT count(*) FROM decisions").rows == [(0,)]
    with pytest.raises(GameNotStored):
        save_review(store, made)
