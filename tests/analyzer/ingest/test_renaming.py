"""Records of one match that write a name in several ways: one match as soon as, and as long as, the people are one."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from analyzer.ingest import correcting
from analyzer.ingest.loader import ingest_bytes
from analyzer.ingest.renaming import rename_player, take_back_rename
from analyzer.store.player_names import RenameRefused, list_renames
from analyzer.store.store import Store
from analyzer.upkeep.doctor import check_folder
from analyzer.upkeep.trash import restore_games, trash_games
from records.format import codec
from records.format.redaction import redact
from records.record import Record
from records.selfplay import play_game
from tests.analyzer.ingest.test_correcting import (
    assert_sound,
    beginning,
    digests,
    number_of_matches,
    rows,
)
from tests.make.empty_store import with_empty_database
from tests.make.renewed_folders import rescued_and_upgraded

GAME = play_game("zique", seed=1, deals=2, names=["Ann", "Bob"])
OTHER_GAME = play_game("zique", seed=2, deals=1, names=["Anne", "Bob"])
SPELLINGS = ("Ann", "Anm", "Anne")
SELECT_CALLED = "SELECT people, digest FROM stored_games"


def spelled(name: str, record: Record = GAME) -> Record:
    return replace(record, players=[replace(record.players[0], name=name), *record.players[1:]])


def store_all(store: Store, *records: Record) -> None:
    for record in records:
        ingest_bytes(store, "one.json", codec.encode(record))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(with_empty_database(tmp_path / "data"), files=tmp_path) as store:
        yield store


@pytest.mark.parametrize(
    "second",
    [spelled("Anne"), beginning(spelled("Anne")), redact(spelled("Anne"), 0)],
    ids=["the same", "a beginning", "a view"],
)
def test_records_are_of_one_match_while_their_people_are_one(store: Store, second: Record) -> None:
    store_all(store, GAME, second)
    before = rows(store)
    assert number_of_matches(store) == [(2, 0)]
    rename_player(store, "Anne", "Ann")
    assert number_of_matches(store) == [(1, 1)]
    assert_sound(store)
    take_back_rename(store, "Ann")
    assert rows(store) == before


def test_a_rename_of_many_games_goes_on_in_parts(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many games are made again at a time, what is one match is the same."""
    store_all(store, GAME, spelled("Anne"), beginning(spelled("Anne")), OTHER_GAME)
    before = rows(store)
    found = []
    for most in (1, 2, 100):
        monkeypatch.setattr(correcting, "GAMES_AT_A_TIME", most)
        rename_player(store, "Anne", "Ann")
        found.append(rows(store))
        assert number_of_matches(store) == [(2, 2)]
        take_back_rename(store, "Ann")
        assert rows(store) == before
    assert found[0] == found[1] == found[2]


def test_a_record_joins_a_match_of_somebody_who_was_renamed_before(store: Store) -> None:
    store_all(store, GAME, OTHER_GAME)
    rename_player(store, "Anne", "Ann")
    store_all(store, spelled("Anne"))
    assert number_of_matches(store) == [(2, 1)]
    assert_sound(store)


def test_an_upgrade_a_rescue_and_the_trash_keep_what_is_one_match(tmp_path: Path) -> None:
    folder = with_empty_database(tmp_path / "data")
    with Store(folder) as store:
        store_all(store, GAME, spelled("Anne"), OTHER_GAME)
        rename_player(store, "Anne", "Ann")
        assert number_of_matches(store) == [(2, 1)]
        before = rows(store)
        trash_games(store, digests(store)[:2])
        assert number_of_matches(store) == [(1, 0)]
        restore_games(store, digests_in_trash(before))
        assert rows(store) == before
        before = rows(store, without=("stored_at",))
    for each in rescued_and_upgraded(folder, tmp_path / "rescued"):
        assert not check_folder(each, lambda done, total: None).is_wrong
        with Store(each) as store:
            assert rows(store, without=("stored_at",)) == before


def digests_in_trash(before: dict[str, list[tuple[object, ...]]]) -> list[str]:
    found = [value for table in ("games", "other_games") for row in before[table] for value in row]
    return [value for value in found if isinstance(value, str) and len(value) == 64]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_what_is_one_match_follows_from_who_is_who_in_the_end(store: Store, seed: int) -> None:
    """Renames, made and taken back in any order, between records that come in any order."""
    random = Random(seed)
    waiting = [spelled("Ann"), beginning(spelled("Anm")), redact(spelled("Anne"), 1), OTHER_GAME]
    random.shuffle(waiting)
    for _ in range(14):
        if waiting and random.random() < 0.4:
            store_all(store, waiting.pop())
        else:
            rename_at_random(store, random)
    store_all(store, *waiting)
    others = codec.digest(OTHER_GAME)
    called = {names[0] for names, digest in store.rows(SELECT_CALLED).rows if digest != others}
    assert number_of_matches(store) == [(len(called) + 1, 3 - len(called))]
    assert_sound(store)
    while made := list_renames(store):
        take_back_rename(store, made[-1].now)
    assert number_of_matches(store) == [(4, 0)]


def rename_at_random(store: Store, random: Random) -> None:
    one, other = random.sample(SPELLINGS, 2)
    with suppress(RenameRefused):
        if random.random() < 0.3:
            take_back_rename(store, one)
        else:
            rename_player(store, one, other)
