"""Uploads that wait are stored in one transaction: each as if it were alone, and none suffers from another."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from analyzer.ingest import loader
from analyzer.ingest.batch import RecordOutcome
from analyzer.ingest.deletion import delete_upload
from analyzer.ingest.loader import MOST_DEPOSITS, TooManyDeposits, ingest_bytes
from analyzer.store.games import digests_of_upload
from analyzer.store.instance import StoreFull
from analyzer.store.store import Store
from records.format import codec
from tests.machine.waiting import wait_until
from tests.make.zique_games import zique_games


def upload_together(
    store: Store, uploads: dict[str, bytes]
) -> dict[str, list[RecordOutcome] | Exception]:
    """What each upload, by its id, is answered: all of them wait until the last has come."""
    queue, answers = loader._queue_of(store), dict[str, list[RecordOutcome] | Exception]()

    def send(name: str, data: bytes) -> None:
        try:
            answers[name] = ingest_bytes(store, f"{name}.jsonl", data, name)
        except Exception as error:
            answers[name] = error

    threads = [threading.Thread(target=send, args=each) for each in uploads.items()]
    with queue._turn:
        for thread in threads:
            thread.start()
        wait_until(lambda: len(queue._waiting) == len(uploads))
    for thread in threads:
        thread.join()
    assert not queue._waiting
    return answers


def commits(store: Store) -> int:
    return int(store.rows("SELECT number FROM commits").rows[0][0])


def digests(data: bytes) -> list[str]:
    return sorted(str(codec.decode(line).digest()) for line in data.splitlines())


@pytest.fixture
def uploads() -> dict[str, bytes]:
    games = zique_games(12)
    return {
        f"upload-{number}": b"\n".join(games[2 * number : 2 * number + 2]) for number in range(6)
    }


@pytest.mark.long
def test_so_many_wait_to_be_stored_and_one_more_is_refused_at_once(tmp_path: Path) -> None:
    games = zique_games(MOST_DEPOSITS + 1)
    with Store(tmp_path) as store:
        queue = loader._queue_of(store)
        with queue._turn:
            threads = [
                threading.Thread(target=ingest_bytes, args=(store, "a.json", data))
                for data in games[1:]
            ]
            for thread in threads:
                thread.start()
            wait_until(lambda: len(queue._waiting) == MOST_DEPOSITS)
            turns: list[str] = []
            with pytest.raises(TooManyDeposits):
                ingest_bytes(store, "a.json", games[0], before_storing=lambda: turns.append("end"))
            assert turns == []
        for thread in threads:
            thread.join()
        assert store.counts().games == MOST_DEPOSITS
        ingest_bytes(store, "a.json", games[0])
        assert store.counts().games == MOST_DEPOSITS + 1


@pytest.mark.long
def test_uploads_that_wait_are_one_transaction_and_each_has_its_games(
    tmp_path: Path, uploads: dict[str, bytes]
) -> None:
    with Store(tmp_path) as store:
        before = commits(store)
        answers = upload_together(store, {**uploads, "broken": b"{}"})
        assert commits(store) == before + 1
        for name, data in uploads.items():
            assert [one.state for one in answers[name]] == ["stored", "stored"]
            assert digests_of_upload(store, name) == digests(data)
        assert [one.name for one in store.rejected(upload="broken")] == ["broken.jsonl"]
        assert delete_upload(store, "upload-3") == 2
        assert store.counts().games == 10
        assert digests_of_upload(store, "upload-4") == digests(uploads["upload-4"])


@pytest.mark.long
def test_a_game_that_two_send_at_once_is_stored_once(tmp_path: Path) -> None:
    game = zique_games(1)[0]
    with Store(tmp_path) as store:
        answers = upload_together(store, {"one": game, "two": game, "three": game})
        states = sorted(one.state for answer in answers.values() for one in answer)
        assert states == ["known", "known", "stored"]
        assert store.counts().games == 1


@pytest.mark.long
def test_an_upload_that_fails_takes_no_other_with_it(
    tmp_path: Path, uploads: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    real: Callable[..., None] = loader.store_deposits

    def fail_whole(store: Store, deposits: list[loader.Deposit]) -> None:
        if any(not each.digests.isdisjoint(digests(uploads["upload-2"])) for each in deposits):
            raise StoreFull("no room")
        real(store, deposits)

    monkeypatch.setattr(loader, "store_deposits", fail_whole)
    with Store(tmp_path) as store:
        answers = upload_together(store, uploads)
        assert isinstance(answers.pop("upload-2"), StoreFull)
        assert all(
            [one.state for one in answer] == ["stored", "stored"] for answer in answers.values()
        )
        assert store.counts().games == 10
