import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from analyzer.ingest.loader import ingest
from analyzer.review import stored
from analyzer.review.deep_review import ReviewTerms
from analyzer.review.stored import save_review
from analyzer.sql.pool import StatementPool
from analyzer.statistics.intervals import FEWEST_MATCHES
from analyzer.statistics.questions import questions
from analyzer.store.store import Store
from records.format import codec
from records.format.files import read_entries
from records.record import Record
from records.rules.registry import ALL_SHEETS
from records.selfplay import play_game
from tests.analyzer.made_up_reviews import made_up_review
from tests.make.empty_store import with_empty_database

SEEDS = (1, 2, 3)


@pytest.fixture(scope="session")
def played() -> list[Record]:
    """Three complete games of every sheet."""
    return [
        play_game(sheet.id, seed=seed, style="random" if seed % 2 else "greedy")
        for sheet in ALL_SHEETS
        for seed in SEEDS
    ]


@pytest.fixture(scope="session")
def lines(played: list[Record]) -> bytes:
    """The same games, one a line."""
    return b"".join(codec.encode(record) + b"\n" for record in played)


@pytest.fixture(scope="session")
def raw(lines: bytes) -> list[dict[str, Any]]:
    """The same games as plain JSON: for recounting without any of our code."""
    return [json.loads(line) for line in lines.splitlines()]


@pytest.fixture
def however_few(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Means have intervals however few matches there are."""
    monkeypatch.setitem(FEWEST_MATCHES, "mean", 2)
    questions.cache_clear()
    yield
    questions.cache_clear()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(with_empty_database(tmp_path)) as opened:
        yield opened


@pytest.fixture(scope="session")
def full(
    tmp_path_factory: pytest.TempPathFactory, lines: bytes, played: list[Record]
) -> Iterator[Store]:
    """A database with those games, annotated, some with a deep review; for reading only."""
    with Store(tmp_path_factory.mktemp("full")) as opened:
        ingest(opened, read_entries(io.BytesIO(lines), name="games.jsonl"))
        for digest in stored.list_games_without_review(opened):
            game = opened.game(digest)
            # Roll-outs of Marjolet are quick; the others have no estimate of luck and skill.
            rollouts = 2 if game is not None and game.sheet == "marjolet" else 0
            terms = ReviewTerms(worlds=0, positions=200, last_trick=False, rollouts=rollouts)
            stored.review_stored_exactly(opened, digest, terms)
        for record in played:
            if len(record.players) == 2 and record.rules.id in ("zique", "marjolet"):
                exact = stored.load_review(opened, codec.digest(record))
                save_review(opened, made_up_review(record, exact))
        yield opened


@pytest.fixture(scope="session")
def statements(full: Store) -> Iterator[StatementPool]:
    """The processes that run readers' SQL on that database."""
    pool = StatementPool(full.path.parent)
    yield pool
    pool.close()


@pytest.fixture(scope="session")
def real() -> list[Path]:
    """Matches of other people's programs, where this machine has them."""
    folder = Path(__file__).parents[3] / "shared" / "real"
    found = sorted(folder.glob("*.json"))
    if not found:
        pytest.skip(f"no records of other programs in {folder}")
    return found
