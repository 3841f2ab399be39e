"""A lake holds what a database holds, however its games came into it, and whoever wrote at the same time."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from analyzer.ingest.deletion import delete_games
from analyzer.lake import importing, joining, judging, merging
from analyzer.lake.copying import copy_from_lake, copy_into_lake
from analyzer.lake.importing import LakeImport
from analyzer.lake.joining import add_parts, delete_from_lake
from analyzer.lake.judging import judge
from analyzer.lake.merging import clean, compact
from analyzer.lake.workbench import write_note
from analyzer.statistics.answer import run_ask
from analyzer.statistics.ask import presets
from analyzer.statistics.questions import questions, run_question
from analyzer.store.lake_place import LakePlace, LakeUnreachable, folder_for
from analyzer.store.lake_state import (
    PARTS,
    PENDING,
    VERSIONS,
    LakePart,
    LakeState,
    add_state,
    read_state,
)
from analyzer.store.lake_store import LakeStore
from analyzer.store.store import Store
from analyzer.upkeep.keeping import add_rulebook
from records.errors import StoreError
from records.format import codec
from records.rules.registry import sheet_of_rules
from records.validator import JUDGEMENT_VERSION
from tests.analyzer.ingest.test_matches import SHEETS, beginning, game, numbers, told
from tests.analyzer.lake.lakes import (
    add,
    everything,
    load,
    new_place,
    object_store,
    reader,
    record_texts,
    sources,
)
from tests.make.empty_store import with_empty_database
from tests.make.own_rulebooks import own_game
from tests.referee import recount
from tests.soak.loading import dated, mixed

pytestmark = pytest.mark.long
GAMES = 22
INSERT_STUDY = """
    INSERT INTO studies (study, number, content, visibility, size, made_by)
    VALUES ('one', $number, '{}', $visibility, 2, 'Ann')
"""


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What stands for lakes of other places lies here."""
    with patch.dict("os.environ", XDG_CACHE_HOME=str(tmp_path_factory.mktemp("cache"))):
        yield


@pytest.fixture(scope="module", params=["folder", pytest.param("memory", marks=pytest.mark.slow), pytest.param("s3", marks=pytest.mark.slow)])  # fmt: skip
def kind(request: pytest.FixtureRequest) -> Iterator[str]:
    """The kinds of places."""
    with object_store() if request.param == "s3" else nullcontext():
        yield request.param


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Store]:
    with Store(with_empty_database(tmp_path / "database")) as store:
        yield store


@pytest.fixture(scope="module")
def lines() -> list[bytes]:
    """Games of all sheets, some with a date, one of them twice, and a line that is none."""
    found = dated(mixed(range(GAMES)))
    return [line.strip() + b"\n" for line in (*found, found[3], b"{}")]


def test_holds_what_a_database_holds(
    kind: str, tmp_path: Path, database: Store, lines: list[bytes]
) -> None:
    place = new_place(kind, tmp_path)
    first, second = b"".join(lines[:14]), b"".join(lines[10:])
    load(database, tmp_path, first, second)
    add(place, tmp_path, first, processes=2 if kind == "s3" else 0)
    added = add(place, tmp_path, second)
    assert added.known == 5  # four lines, and a game of the first file again
    with reader(place) as lake:
        assert everything(lake) == everything(database)
        assert record_texts(lake) == record_texts(database)
    assert len(compact(place).parts) == 1
    clean(place, timedelta(0))
    assert len(place.names(PARTS)) == 1
    with reader(place) as lake:
        assert everything(lake) == everything(database)
        assert record_texts(lake) == record_texts(database)


def test_rows_are_those_that_are_counted_another_way(tmp_path: Path, lines: list[bytes]) -> None:
    place = new_place("folder", tmp_path)
    add(place, tmp_path, b"".join(lines[:GAMES]))
    with reader(place) as lake:
        recount.compare(lake, b"".join(lines[:GAMES]))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 15])
def test_records_of_a_match_count_once_in_any_order(
    seed: int, tmp_path: Path, database: Store
) -> None:
    random = Random(seed)
    place = new_place("folder", tmp_path)
    records = []
    for sheet in SHEETS:
        fullest, others = told(sheet, seed, random)
        records += [fullest, *others]
    records += [with_event(record) for record in random.sample(records, 6)]
    random.shuffle(records)
    left = [record.replace(b"\n", b" ") + b"\n" for record in records]
    while left:
        size = random.randint(1, 5)
        file = b"".join(left[:size])
        counts, job = load(database, tmp_path, file), LakeImport(place)
        job.run(sources(tmp_path, file))
        assert job.counts.states == counts.states
        assert job.counts.told_again == counts.told_again
        assert job.counts.told_otherwise == counts.told_otherwise
        left = left[size:]
        if random.random() < 0.3:
            compact(place)
    with reader(place) as lake:
        assert numbers(lake) == numbers(database)
        assert everything(lake)["other_games"] == everything(database)["other_games"]
        digests = [digest for (digest,) in lake.rows("SELECT digest FROM games").rows]
    gone = random.sample(digests, 2)
    assert delete_from_lake(place, gone) == delete_games(database, gone) == 2
    for _ in range(2):
        with reader(place) as lake:
            assert numbers(lake) == numbers(database)
            assert everything(lake)["records"] == everything(database)["records"]
        compact(place)


def test_what_does_not_fit_into_memory_goes_to_the_disk(tmp_path: Path, lines: list[bytes]) -> None:
    place = new_place("folder", tmp_path)
    add(place, tmp_path, lines[0])
    sorted_sql = "SELECT hash(i) AS h, max(h) OVER (ORDER BY i DESC) FROM range(2_000_000) AS it (i) ORDER BY h LIMIT 3"
    with LakeStore(folder_for(place.address), settings={"memory_limit": "40MB"}) as lake:
        assert len(lake.rows(sorted_sql).rows) == 3
        ((spill,),) = lake.rows("SELECT current_setting('temp_directory')").rows
        assert Path(spill).is_dir()
    assert not Path(spill).exists()


def with_event(record: bytes) -> bytes:
    """The same plays, told of another occasion."""
    raw = json.loads(record)
    raw["meta"] = {**raw.get("meta", {}), "event": "Friday"}
    return json.dumps(raw).encode()


def with_people(record: bytes, *players: dict[str, str]) -> bytes:
    raw = json.loads(record)
    raw["players"] = list(players)
    return json.dumps(raw).encode() + b"\n"


def test_people_have_the_names_of_all_imports(tmp_path: Path, database: Store) -> None:
    """Two people with one name, one of them with an id, and one whose name is written in two ways."""
    ann, other = {"name": "Ann"}, {"name": "Ann", "id": "ann@club"}
    bob, robert = {"name": "Bob", "id": "b1"}, {"name": "Robert", "id": "b1"}
    games = [
        with_people(game("zique", 1), ann, bob),
        with_people(game("zique", 2), other, robert),
        with_people(game("zique", 3), other, robert),
    ]
    place = new_place("folder", tmp_path)
    for record in games:
        load(database, tmp_path, record)
        add(place, tmp_path, record)
        with reader(place) as lake:
            assert everything(lake) == everything(database)
            assert lake.rows("SELECT people FROM games ORDER BY digest") == database.rows(
                "SELECT people FROM games ORDER BY digest"
            )


def test_same_plays_of_other_people_are_another_match(tmp_path: Path, database: Store) -> None:
    games = [
        with_people(game("zique", 1), {"name": name}, {"name": "Bob"}) for name in ("Ann", "Cleo")
    ]
    place = new_place("folder", tmp_path)
    for record in (*games, *games):
        load(database, tmp_path, record)
        add(place, tmp_path, record)
    with reader(place) as lake:
        assert len(everything(lake)["games"]) == 2
        assert everything(lake) == everything(database)


def test_an_import_counts_as_a_whole_and_goes_on(
    kind: str, tmp_path: Path, database: Store, lines: list[bytes]
) -> None:
    place = new_place(kind, tmp_path)
    files = sources(tmp_path, b"".join(lines))
    load(database, tmp_path, b"".join(lines))
    ingest = importing.ingest

    def stop(done: int) -> None:
        raise KeyboardInterrupt

    with patch.multiple(importing, LEAST_SHARE=1, MOST_SHARE=1):
        with pytest.raises(KeyboardInterrupt):
            LakeImport(place, progress=stop).run(files)
        assert read_state(place).number == 0
        assert len(place.names(PENDING)) == 1
        made, shares = [], list[int]()
        with patch.object(importing, "ingest", lambda *words: made.append(1) or ingest(*words)):
            job = LakeImport(place, progress=shares.append)
            job.run(files)
    assert len(shares) > 1
    assert len(made) == len(shares) - 1
    assert job.counts.states == {"stored": GAMES, "known": 1, "rejected": 1}
    assert not place.names(PENDING)
    with reader(place) as lake:
        assert everything(lake) == everything(database)
    assert job.run(files).known == GAMES  # the lake has this import already


def test_two_imports_at_once_lose_nothing_and_store_nothing_twice(
    tmp_path: Path, database: Store, lines: list[bytes]
) -> None:
    """While one is about to add what it made, another adds the same games, and some more."""
    place = new_place("folder", tmp_path)
    first, second = b"".join(lines[:12]), b"".join(lines[6:20])
    load(database, tmp_path, second, first)
    met: list[int] = []

    def overtaken(place: LakePlace, state: LakeState) -> bool:
        if not met:
            met.append(1)
            add(place, tmp_path, second)
        return add_state(place, state)

    with patch.object(joining, "add_state", overtaken):
        added = add(place, tmp_path, first)
    assert added.known == 6
    with reader(place) as lake:
        assert everything(lake) == everything(database)


def test_a_lake_is_compacted_while_others_change_it(tmp_path: Path, lines: list[bytes]) -> None:
    place = new_place("folder", tmp_path)
    for at in range(0, 12, 4):
        add(place, tmp_path, b"".join(lines[at : at + 4]))
    with reader(place) as lake:
        before = everything(lake)
        digests = [digest for (digest,) in lake.rows("SELECT digest FROM games").rows]
        merge = merging.merge_parts

        def slow(task: merging.MergeTask) -> object:
            delete_from_lake(place, digests[:1])
            return merge(task)

        with patch.object(merging, "merge_parts", slow):
            state = compact(place)
        assert state.games == 11  # what was merged is not used: a part of it has changed
        assert everything(lake) == before  # a reader keeps to its state
    with reader(place) as lake:
        assert len(everything(lake)["games"]) == 11
    assert compact(place).games == 11


def test_an_older_lake_is_judged_again(tmp_path: Path, database: Store, lines: list[bytes]) -> None:
    place = new_place("folder", tmp_path)
    for half in (lines[:12], lines[8:]):
        load(database, tmp_path, b"".join(half))
        add(place, tmp_path, b"".join(half))
    with reader(place) as lake:
        times = lake.rows("SELECT digest, stored_at FROM records ORDER BY ALL").rows
    with patch("analyzer.store.lake_state.JUDGEMENT_VERSION", JUDGEMENT_VERSION + 1):
        with pytest.raises(StoreError, match="bezique lake judge"):
            reader(place)
        assert judge(place).games == GAMES
    with reader(place) as lake:
        assert everything(lake) == everything(database)
        assert lake.rows("SELECT digest, stored_at FROM records ORDER BY ALL").rows == times
        assert record_texts(lake) == record_texts(database)
    assert not place.names(PENDING)


def test_what_a_worker_of_another_version_has_made_is_never_used(
    tmp_path: Path, lines: list[bytes]
) -> None:
    """Whoever judges, merges or imports on a cluster is told, and the next try makes it anew."""
    place = new_place("folder", tmp_path)
    for line in lines[:3]:
        add(place, tmp_path, line)
    files = sources(tmp_path, lines[3])
    state = read_state(place)
    for module, name, work in (
        (judging, "judge_part", lambda: judge(place)),
        (merging, "merge_parts", lambda: compact(place)),
        (importing, "make_share", lambda: LakeImport(place).run(files)),
    ):
        with (
            patch.object(module, name, by_another_version(getattr(module, name))),
            pytest.raises(StoreError, match="a worker has another version"),
        ):
            work()
        assert read_state(place) == state
        work()
        state = read_state(place)
        assert {part.made_by for part in state.parts} == {VERSIONS}
    assert state.games == 4


def by_another_version(work: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The work as a worker with another version of the program does and notes it."""

    def done(task: Any) -> Any:
        made = work(task)
        if isinstance(made, LakePart):
            return replace(made, made_by=(0, 0))
        made = replace(made, part=replace(made.part, made_by=(0, 0)))
        write_note(task.place, task.name, made)
        return made

    return done


def test_a_lake_of_a_newer_program_is_left_alone(tmp_path: Path, lines: list[bytes]) -> None:
    place = new_place("folder", tmp_path)
    add(place, tmp_path, lines[0])
    with (
        patch("analyzer.store.lake_state.JUDGEMENT_VERSION", JUDGEMENT_VERSION - 1),
        pytest.raises(StoreError, match="was written by a newer program"),
    ):
        add(place, tmp_path, lines[1])
    (place.folder or tmp_path).joinpath("states/0000000002.json").write_bytes(b"{")
    with pytest.raises(StoreError, match="its state cannot be read"):
        reader(place)


def test_questions_have_the_same_answers(
    tmp_path: Path, database: Store, lines: list[bytes]
) -> None:
    """Every stored question and preset, of a lake of several parts in which games are hidden."""
    place = new_place("folder", tmp_path)
    for half in (lines[:12], lines[6:]):
        load(database, tmp_path, b"".join(half))
        add(place, tmp_path, b"".join(half))
    with reader(place) as lake:
        for question in questions():
            assert run_question(lake, question).rows == run_question(database, question).rows
        for preset in presets():
            assert run_ask(lake, preset.ask).rows == run_ask(database, preset.ask).rows


def test_a_rulebook_of_the_lake_is_known_to_imports(tmp_path: Path, database: Store) -> None:
    """A record that names a rulebook which a database brought is judged by it."""
    played = own_game("zique", ("/rules/melds/bezique/points", 70))
    line = codec.encode(replace(played, rules=replace(played.rules, sheet=None)))
    add_rulebook(database, sheet_of_rules(played.rules), "command")
    load(database, tmp_path, line)
    told = everything(database)
    assert len(told["games"]) == 1
    database.close()
    place = new_place("folder", tmp_path)
    copy_into_lake(database.folder, place)
    with reader(place) as lake:
        digests = [digest for (digest,) in lake.rows("SELECT digest FROM records").rows]
    delete_from_lake(place, digests)
    add(place, tmp_path, line)
    with reader(place) as lake:
        assert everything(lake) == told


def test_records_by_a_rulebook_of_the_lake_are_joined_and_deleted(
    tmp_path: Path, database: Store
) -> None:
    """A beginning and the whole, and the same plays of other people, by a rulebook that no process knows by itself."""
    played = own_game("zique", ("/rules/melds/bezique/points", 70))
    named = replace(played, rules=replace(played.rules, sheet=None))
    whole = codec.encode(named) + b"\n"
    records = [
        beginning(named, Random(1)) + b"\n",
        whole,
        *(with_people(whole, {"name": name}, {"name": "Bob"}) for name in ("Ann", "Cleo")),
    ]
    add_rulebook(database, sheet_of_rules(played.rules), "command")
    database.close()
    place = new_place("folder", tmp_path)
    copy_into_lake(database.folder, place)
    with Store(database.folder) as alone:
        for record in records:
            load(alone, tmp_path, record)
        expected = numbers(alone)
        digests = [digest for (digest,) in alone.rows("SELECT digest FROM games").rows]
    for record in records:
        add(place, tmp_path, record)
    with reader(place) as lake:
        assert numbers(lake) == expected
    assert delete_from_lake(place, digests) == len(digests)
    judge(place)
    with reader(place) as lake:
        assert len(everything(lake)["games"]) == 1  # the beginning stands for its match
        assert not everything(lake)["other_games"]


def test_what_was_deleted_comes_back_with_the_same_import(
    tmp_path: Path, lines: list[bytes]
) -> None:
    """Also where the notes of the import could not be deleted."""
    place = new_place("folder", tmp_path)
    files = sources(tmp_path, b"".join(lines[:4]))
    with patch.object(LakePlace, "remove", side_effect=LakeUnreachable("no right to delete")):
        LakeImport(place).run(files)
    assert place.names(PENDING)
    with reader(place) as lake:
        digests = [digest for (digest,) in lake.rows("SELECT digest FROM games").rows]
    delete_from_lake(place, digests[:1])
    assert LakeImport(place).run(files).known == 3
    with reader(place) as lake:
        assert len(everything(lake)["games"]) == 4


@pytest.mark.parametrize("change", ["add", "delete", "judge", "compact"])
def test_a_state_that_was_written_though_the_answer_was_lost(
    change: str, tmp_path: Path, lines: list[bytes]
) -> None:
    """As an object store does it whose client sends a request again."""
    place = new_place("folder", tmp_path)
    for at in (0, 2):
        add(place, tmp_path, b"".join(lines[at : at + 2]))
    with reader(place) as lake:
        digests = [digest for (digest,) in lake.rows("SELECT digest FROM games").rows]
    create = LakePlace.create
    with patch.object(LakePlace, "create", lambda *words: create(*words) and False):
        if change == "add":
            assert add(place, tmp_path, lines[4]).known == 0
        elif change == "delete":
            assert delete_from_lake(place, digests[:1]) == 1
        elif change == "judge":
            judge(place)
        else:
            assert len(compact(place).parts) == 1
    with reader(place) as lake:
        assert len(everything(lake)["games"]) == 4 + {"add": 1, "delete": -1}.get(change, 0)


def test_a_part_that_is_named_already_is_not_added_again(
    tmp_path: Path, lines: list[bytes]
) -> None:
    place = new_place("folder", tmp_path)
    state = add(place, tmp_path, b"".join(lines[:2])).state
    assert add_parts(place, state.parts).state.games == 2


def test_judging_again_changes_nothing(tmp_path: Path) -> None:
    """Of records that tell as much of a match, the first that was stored stands for it."""
    place = new_place("folder", tmp_path)
    fullest, others = told("zique", 1, Random(1))
    for record in (*others[:2], fullest, *others[2:]):
        add(place, tmp_path, record.replace(b"\n", b" "))
    with reader(place) as lake:
        before = everything(lake)
    judge(place)
    with reader(place) as lake:
        assert everything(lake) == before


def test_a_reader_and_a_cleaning(tmp_path: Path, lines: list[bytes]) -> None:
    """What a list named within the last day stays, however old it is; a reader goes on with what it has read."""
    place = new_place("folder", tmp_path)
    with patch("analyzer.store.lake_state.KEY_TIME", "20200101T000000"):  # made long ago
        for line in lines[:2]:
            add(place, tmp_path, line)
    with reader(place) as lake:
        before = everything(lake)
        compact(place)
        assert clean(place) == (0, 0, 0)
        assert everything(lake) == before
        lake._looked_at = 0
        with closing(lake.cursor()) as cursor:
            cursor.execute("SELECT * FROM tricks")
            assert lake.rows("SELECT count(*) FROM games").rows == [(2,)]
            assert lake.state.number == 3
            assert cursor.fetchone(), "a statement at work goes on with the state that it reads"
        assert everything(lake) == before
    assert clean(place, timedelta(0)) == (2, 2, 0)
    with reader(place) as lake:
        assert everything(lake) == before


def test_a_database_becomes_a_lake_and_back(
    kind: str, tmp_path: Path, database: Store, lines: list[bytes]
) -> None:
    load(database, tmp_path, b"".join(lines))
    with database.writing() as cursor:
        for number, visibility in enumerate(("public", "public", "private")):
            cursor.execute(INSERT_STUDY, {"number": number, "visibility": visibility})
    held, texts = everything(database), record_texts(database)
    order = database.rows("SELECT digest FROM records ORDER BY rowid").rows
    database.close()
    place = new_place(kind, tmp_path)
    assert copy_into_lake(database.folder, place).known == 0
    assert copy_into_lake(database.folder, place).known == GAMES
    with reader(place) as lake:
        assert everything(lake) == held
        assert record_texts(lake) == texts
    copy_from_lake(place, tmp_path / "back")
    with Store(tmp_path / "back") as back:
        assert record_texts(back) == texts
        assert back.rows("SELECT digest FROM records ORDER BY rowid").rows == order
