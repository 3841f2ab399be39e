"""An upgraded database is that of a fresh import of the same records, with what no record tells; the old one stays."""

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import msgspec
import pytest
import zstandard
from msgspec.structs import replace

from analyzer.ingest.loader import ingest, ingest_bytes
from analyzer.ingest.renaming import rename_player, take_back_rename
from analyzer.review.annotation import ANNOTATION_VERSION, annotation_of
from analyzer.review.deep_review import GameReview, ReviewedDeal, ReviewTerms, deep_review_of
from analyzer.review.reviewer import review_record
from analyzer.review.stored import load_review, review_stored_exactly, save_review
from analyzer.store.acknowledged import ACKNOWLEDGED_FILE_NAME
from analyzer.store.durable_files import sync_folder
from analyzer.store.games import import_summary
from analyzer.store.instance import StoreDamaged, StoreFull, StoreInUse
from analyzer.store.packing import record_packer, unpack_record
from analyzer.store.player_names import list_renames
from analyzer.store.schema import LEFT_OUT_FOLDER, SchemaTooNew, SchemaTooOld
from analyzer.store.store import DATABASE_FILE_NAME, Store
from analyzer.store.studies import StudyContent, begin_study, change_study, undo_change
from analyzer.upkeep import upgrade
from analyzer.upkeep.doctor import check_folder
from analyzer.upkeep.rescue import rescue_records
from analyzer.upkeep.upgrade import BUILDING_FOLDER, UpgradeSummary, upgrade_folder
from records.format import codec
from records.format.files import Entry
from records.selfplay import play_game
from records.study import Study
from tests.analyzer.made_up_reviews import made_up_review
from tests.machine.power_loss import WatchedDisk
from tests.machine.small_disk import fill_disk, make_room, small_disk

pytestmark = pytest.mark.long

OLD = Path(__file__).parent / "old_databases"
"""Databases of earlier programs, which `make.py` there has made."""
SENT = json.loads((OLD / "records.json").read_text(encoding="utf-8"))
DERIVED = ("records", "games", "deals", "seats", "tricks", "scores", "cards", "findings")
WITH_TIMES = {"records": "stored_at", "games": "stored_at"}
TAKEN = ("rejected", "imports", "import_batches")
MOMENTS = 20
STEPS = ("store_batches", "insert_rows", "write_file", "sync_folder", "remove_unfinished_upgrade")
"""The functions of an upgrade after which something lies otherwise on the disk, beside `os.link`."""
KEPT = "bezique.before-upgrade.duckdb"


def old_folder(folder: Path, commit: str) -> Path:
    """A data folder with the database of an earlier program."""
    folder.mkdir()
    packed = (OLD / f"{commit}.duckdb.zst").read_bytes()
    (folder / DATABASE_FILE_NAME).write_bytes(zstandard.decompress(packed))
    return folder


def made_older(folder: Path) -> Path:
    """A data folder whose database says that an earlier program made it."""
    with duckdb.connect(folder / DATABASE_FILE_NAME) as connection:
        connection.execute("UPDATE schema_version SET judgement = judgement - 1")
    return folder


def read_rows(path: Path, sql: str) -> list[tuple[Any, ...]]:
    """The answer of a statement on a database that this program may not know."""
    with duckdb.connect(path, read_only=True) as connection:
        return connection.execute(sql).fetchall()


def upgraded(folder: Path) -> UpgradeSummary:
    """The summary of an upgrade that takes place."""
    summary = upgrade_folder(folder)
    assert summary is not None
    return summary


def rows_of(store: Store, table: str) -> list[tuple[Any, ...]]:
    """The rows of a table without the times at which they were stored."""
    left_out = f"EXCLUDE ({WITH_TIMES[table]})" if table in WITH_TIMES else ""
    return sorted(store.rows(f"SELECT * {left_out} FROM {table}").rows, key=repr)


def everything(folder: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of what follows from records and of what was taken over, with its times."""
    with Store(folder) as store:
        found = {table: store.rows(f"FROM {table}").rows for table in (*DERIVED, *TAKEN)}
        return {table: sorted(rows, key=repr) for table, rows in found.items()}


def short_games(number: int) -> list[bytes]:
    """Games of one deal, which are soon judged."""
    return [codec.encode(play_game("marjolet", seed=seed, deals=1)) for seed in range(number)]


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.fixture(scope="module", params=sorted(SENT))
def commit(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory, commit: str) -> Path:
    """The database as it was, upgraded in the folder beside it."""
    folder = tmp_path_factory.mktemp("old") / "data"
    upgraded(old_folder(folder, commit))
    assert sorted(files(folder)) == sorted([ACKNOWLEDGED_FILE_NAME, DATABASE_FILE_NAME, KEPT])
    return folder / KEPT


@pytest.fixture(scope="module")
def new(old: Path) -> Iterator[Store]:
    with Store(old.parent) as store:
        yield store


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory, old: Path) -> Iterator[Store]:
    """The records of the old database, imported by this program."""
    rows = read_rows(old, "SELECT name, line, data FROM records ORDER BY rowid")
    with Store(tmp_path_factory.mktemp("fresh")) as store:
        ingest(store, (Entry(name, line, unpack_record(data)) for name, line, data in rows))
        yield store


def test_the_old_file_is_kept_byte_for_byte(old: Path, commit: str) -> None:
    assert old.read_bytes() == zstandard.decompress((OLD / f"{commit}.duckdb.zst").read_bytes())


def test_every_record_is_that_which_was_sent(new: Store, old: Path, commit: str) -> None:
    found = {}
    for name, line, digest in new.rows("SELECT name, line, digest FROM records").rows:
        data = new.record_bytes(digest)
        assert data is not None
        place = f"{name}:{line}" if name.endswith(".jsonl") else name
        found[place] = hashlib.sha256(data).hexdigest()
    assert found.items() <= SENT[commit].items()
    assert len(found) == len(read_rows(old, "FROM records")) > 20


@pytest.mark.parametrize("table", DERIVED)
def test_its_rows_are_those_of_a_fresh_import(new: Store, fresh: Store, table: str) -> None:
    expected = rows_of(fresh, table)
    assert expected
    assert rows_of(new, table) == expected


def test_the_doctor_finds_nothing_wrong(new: Store) -> None:
    """Sums and samples are compared with their rows."""
    assert check_folder_problems(new) == []


def check_folder_problems(store: Store) -> list[str]:
    """What the doctor finds wrong with a copy of a database that is open."""
    copy = store.folder.parent / "checked"
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir()
    with store.still() as path:
        for file in path.parent.glob(f"{DATABASE_FILE_NAME}*"):
            shutil.copy(file, copy / file.name)
    return [each.message for each in check_folder(copy, lambda *_: None).problems if each.severity != "note"]  # fmt: skip


@pytest.mark.parametrize(
    ("table", "time"),
    [("records", "stored_at"), ("games", "stored_at"), ("rejected", "seen_at"),
     ("imports", "started_at"), ("import_batches", "committed_at")],
)  # fmt: skip
def test_times_and_the_log_are_those_of_then(new: Store, old: Path, table: str, time: str) -> None:
    sql = f"SELECT digest, {time} FROM {table}" if table in WITH_TIMES else f"FROM {table}"
    before = read_rows(old, sql)
    assert before
    if table in WITH_TIMES:
        sql = sql.replace("FROM games", "FROM stored_games")
        today = dict(new.rows("SELECT former_digests.digest, records.digest FROM former_digests JOIN records USING (game)").rows)  # fmt: skip
        before = [(today.get(digest, digest), *rest) for digest, *rest in before]
    assert sorted(new.rows(sql).rows, key=repr) == sorted(before, key=repr)


def test_the_pages_read_what_was_taken_over(new: Store) -> None:
    assert [record.findings[0].code for record in new.rejected() if record.name == "unreadable.json"]  # fmt: skip


def test_verdicts_are_those_of_today(new: Store, old: Path, commit: str) -> None:
    sql = "SELECT digest, verdict FROM games"
    before, after = dict(read_rows(old, sql)), dict(new.rows(sql).rows)
    changed = [digest for digest in after if before.get(digest, after[digest]) != after[digest]]
    assert bool(changed) == (commit == "6e4ec8a")


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    """A folder with everything that no record tells, as if an earlier program had made it."""
    folder = tmp_path / "data"
    games = short_games(6)
    with Store(folder) as store:
        ingest_bytes(store, "evening.jsonl", b"\n".join(games[:4]), upload="upload-1")
        ingest_bytes(store, "late.jsonl", b"\n".join([*games[4:], b"{no record}"]), upload="upload-2")  # fmt: skip
        first, second = (str(codec.decode(game).digest()) for game in games[:2])
        rename_player(store, "Ann", "Cleo")
        for digest in (first, second):
            review_stored_exactly(store, digest)
        record = codec.decode(games[2]).record
        assert record is not None
        save_review(store, made_up_review(record))
        with store.writing() as cursor:
            cursor.execute("UPDATE game_reviews SET made_at = '2024-05-06 07:08:09'")
            cursor.execute("UPDATE game_reviews SET version = '0' WHERE digest = ?", [second])
    return made_older(folder)


@pytest.mark.long
def test_studies_are_taken_over_and_rescued(tmp_path: Path) -> None:
    """With their versions, so that what could be undone still can be."""
    folder, sql = tmp_path / "data", "SELECT * FROM studies ORDER BY study, number"
    with Store(folder) as store:
        ingest_bytes(store, "evening.jsonl", b"\n".join(short_games(2)))
        for study in ("a", "b"):
            begin_study(store, study, StudyContent(Study(title="One")), "author")
            change_study(store, study, StudyContent(Study(title="Two")), "author", after=1)
        change_study(store, "b", None, "author", after=2)
        before = store.rows(sql).rows
    upgraded(made_older(folder))
    rescue_records(folder, tmp_path / "rescued", lambda done, total: None)
    for each in (folder, tmp_path / "rescued"):
        with Store(each) as store:
            assert store.rows(sql).rows == before
            undo_change(store, "b", after=3)


def decisions_alone(review: GameReview) -> GameReview:
    """A deep review as it was: nothing but the decisions."""
    deals = [
        ReviewedDeal(each.deal, each.decisions, each.turning_points, each.why_not)
        for each in review.deals
    ]
    return replace(deep_review_of(review), deals=deals)


@pytest.mark.slow
def test_before_schema_15_a_game_had_two_documents_which_are_joined(tmp_path: Path) -> None:
    """Whatever one of them had alone is in the review: luck, the best lines, what was missed, every choice weighed."""
    folder, records = tmp_path / "data", [codec.decode(game).record for game in short_games(3)]
    made = [
        review_record(record, terms=ReviewTerms(worlds=2, positions=500, rollouts=2))
        for record in records
        if record
    ]
    with Store(folder) as store:
        ingest_bytes(store, "evening.jsonl", b"\n".join(short_games(3)), upload="upload-1")
    with duckdb.connect(folder / DATABASE_FILE_NAME) as connection:
        connection.execute("DROP TABLE game_reviews")
        for table, view, version, of in (
            ("annotations", annotation_of, ANNOTATION_VERSION, (0, 1)),
            ("deep_reviews", decisions_alone, "2.1", (0, 2)),
        ):
            connection.execute(
                f"CREATE TABLE {table} (game BIGINT, digest VARCHAR, version VARCHAR, terms JSON, data BLOB, made_at TIMESTAMP)"
            )
            for number in of:
                document = replace(view(made[number]), version=version)
                data = zstandard.compress(msgspec.json.encode(document))
                connection.execute(
                    f"INSERT INTO {table} VALUES (0, ?, ?, '{{}}', ?, '2024-05-06 07:08:09')",
                    [document.digest, document.version, data],
                )
    summary = upgraded(made_older(folder))
    assert (summary.reviews, summary.reviews_dropped) == (4, 0)
    with Store(folder) as store:
        both, exact, weighed = (load_review(store, each.digest) for each in made)
    assert both
    assert exact
    assert weighed
    assert (both.stage, exact.stage, weighed.stage) == ("weighed", "exact", "weighed")
    assert both.is_read
    assert exact.is_read
    assert not weighed.is_read
    for before, after in zip(made[0].deals, both.deals, strict=True):
        assert after.luck == before.luck
        assert after.missed == before.missed
        assert after.close == before.close
        assert [(each.event, each.lost, each.line) for each in after.decisions] == [
            (each.event, each.lost, each.line) for each in before.decisions
        ]
    assert annotation_of(exact).deals == annotation_of(made[1]).deals


@pytest.mark.slow
def test_what_no_record_tells_is_taken_over(filled: Path) -> None:
    sql = "SELECT digest, stored_at, names FROM games ORDER BY rowid"
    before = read_rows(filled / DATABASE_FILE_NAME, sql)
    summary = upgraded(filled)
    assert (summary.records, summary.changed, summary.left_out) == (6, 0, 0)
    assert (summary.reviews, summary.reviews_dropped) == (2, 1)
    with Store(filled) as store:
        assert store.rows(sql).rows == before
        for upload, number in (("upload-1", 4), ("upload-2", 2)):
            assert sum(import_summary(store, upload, 5).verdicts.values()) == number
        assert len(import_summary(store, "upload-2", 5).rejected) == 1
        names = {name for *_, own in before for name in own}
        seated = {name for (name,) in store.rows("SELECT DISTINCT player FROM seats").rows}
        assert seated == names == {name for (name,) in store.rows("SELECT DISTINCT opponent FROM seats").rows}  # fmt: skip
        digests = [digest for digest, *_ in before]
        assert [load_review(store, each) is not None for each in digests[:3]] == [True, False, True]  # fmt: skip
        sql = "SELECT DISTINCT made_at FROM game_reviews"
        assert store.rows(sql).rows == [(datetime(2024, 5, 6, 7, 8, 9),)]
        assert store.rows("SELECT count(*) > 0 FROM reviews").rows == [(True,)]
        assert store.rows("SELECT count(*) > 0 FROM decisions").rows == [(True,)]
        assert check_folder_problems(store) == []
    assert upgrade_folder(filled) is None


@pytest.mark.slow
def test_before_schema_13_the_names_of_games_tell_who_was_renamed(filled: Path) -> None:
    sql = "SELECT game, seat, player, opponent FROM seats ORDER BY ALL"
    before = read_rows(filled / DATABASE_FILE_NAME, sql)
    with duckdb.connect(filled / DATABASE_FILE_NAME) as connection:
        connection.execute("DROP TABLE renames")
    upgraded(filled)
    with Store(filled) as store:
        assert store.rows(sql).rows == before
        assert [(made.person, made.now) for made in list_renames(store)] == [("name:Ann", "Cleo")]
        take_back_rename(store, "Cleo")
        assert {name for (name,) in store.rows("SELECT player FROM seats").rows} == {"Ann", "Bob"}


@pytest.mark.slow
def test_records_that_are_none_any_more_lie_in_a_folder(filled: Path) -> None:
    """What a later program takes for one game, or cannot read, is lost nowhere."""
    twin = short_games(1)[0].replace(b'{"format"', b'{ "format"', 1)
    with duckdb.connect(filled / DATABASE_FILE_NAME) as connection:
        for digest, data in (("a" * 64, twin), ("b" * 64, b"no record")):
            packed = record_packer()(data)
            row = [int(digest[:15], 16), digest, "old.json", None, len(data), packed]
            connection.execute("INSERT INTO records (game, digest, name, line, size, data) VALUES (?, ?, ?, ?, ?, ?)", row)  # fmt: skip
    summary = upgraded(filled)
    assert (summary.records, summary.left_out) == (6, 2)
    assert files(filled / LEFT_OUT_FOLDER) == {f"{'a' * 64}.json": twin, f"{'b' * 64}.json": b"no record"}  # fmt: skip


@pytest.mark.slow
def test_killed_or_without_power_at_any_moment_it_goes_on_and_ends_equal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(tmp_path / "data") as store:
        ingest_bytes(store, "games.jsonl", b"\n".join(short_games(4)), upload="upload-1")
        rename_player(store, "Ann", "Cleo")
    expected = everything(tmp_path / "data")
    filled = made_older(tmp_path / "data")
    monkeypatch.setattr(upgrade, "RECORDS_PER_BATCH", 1)
    with pytest.MonkeyPatch.context() as patched:
        left = keep_moments(filled, tmp_path / "moments", patched)
        upgraded(filled)
    assert len(left) >= MOMENTS
    for folder in left[:: len(left) // MOMENTS]:
        stored = records_in_the_making(folder)
        judged = list[int]()
        upgrade_folder(folder, lambda done, _, judged=judged: judged.append(done))
        assert judged == ([] if stored is None else [*range(stored + 1, 5)])
        assert everything(folder) == expected
        assert read_rows(folder / KEPT, "SELECT count(*) FROM records") == [(4,)]
        assert not (folder / BUILDING_FOLDER).exists()


def records_in_the_making(folder: Path) -> int | None:
    """How many records the unfinished new database has; None where the old one is not there any more."""
    with suppress(SchemaTooOld):
        Store(folder).close()
        return None
    try:
        ((number,),) = read_rows(
            folder / BUILDING_FOLDER / DATABASE_FILE_NAME, "SELECT count(*) FROM records"
        )
    except duckdb.Error:
        return 0
    return int(number)


def test_a_second_upgrade_at_the_same_time_is_refused(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At every step, the last ones included: it would begin the new database again under the feet of the first."""
    refused = 0

    def attempt(*_: object) -> None:
        nonlocal refused
        with pytest.raises(StoreInUse):
            upgrade_folder(filled)
        refused += 1

    def beside(step: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any, **named: Any) -> Any:
            attempt()
            return step(*arguments, **named)

        return run

    with monkeypatch.context() as patched:
        for name in (*STEPS, "_swap", "_keep"):
            patched.setattr(upgrade, name, beside(getattr(upgrade, name)))
        summary = upgrade_folder(filled, attempt)
    assert summary is not None
    assert (summary.records, refused > len(STEPS)) == (6, True)
    assert read_rows(filled / DATABASE_FILE_NAME, "SELECT count(*) FROM records") == [(6,)]


def keep_moments(folder: Path, moments: Path, patched: pytest.MonkeyPatch) -> list[Path]:
    """Fill a list with what a kill, and what a power loss, leave of a folder before and after every step of an upgrade."""
    left, disk = list[Path](), WatchedDisk(folder)
    patched.setattr(os, "fsync", disk.fsync)
    sync_folder(folder)

    def keep() -> None:
        number = len(left)
        left.append(Path(shutil.copytree(folder, moments / f"{number}-killed")))
        left.append(disk.write_survivors(moments / f"{number}-without-power"))

    def watched(step: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any, **named: Any) -> Any:
            keep()
            answer = step(*arguments, **named)
            keep()
            return answer

        return run

    for name in STEPS:
        patched.setattr(upgrade, name, watched(getattr(upgrade, name)))
    patched.setattr(os, "link", watched(os.link))
    return left


def damage_record(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("UPDATE records SET data = data[:200] WHERE rowid IN (2, 4)")


def lose_record(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("DELETE FROM records WHERE rowid IN (2, 4)")


@pytest.mark.slow
@pytest.mark.parametrize("damage", [damage_record, lose_record])
def test_unless_everything_is_read_nothing_is_upgraded(
    filled: Path, damage: Callable[[duckdb.DuckDBPyConnection], None]
) -> None:
    with duckdb.connect(filled / DATABASE_FILE_NAME) as connection:
        damage(connection)
    before = files(filled)
    with pytest.raises(StoreDamaged, match=r"2 records .* nothing was upgraded: .* --rescue NEW"):
        upgrade_folder(filled)
    assert files(filled) == before


@pytest.mark.slow
def test_a_damaged_file_is_never_taken_for_an_empty_one(filled: Path, tmp_path: Path) -> None:
    """A byte of every second block in turn: either every record is there afterwards, or nothing has changed."""
    data, refused = (filled / DATABASE_FILE_NAME).read_bytes(), 0
    for at in range(5000, len(data), 512 * 1024):
        folder = tmp_path / str(at)
        folder.mkdir()
        (folder / DATABASE_FILE_NAME).write_bytes(data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :])  # fmt: skip
        with suppress(StoreDamaged):
            assert upgraded(folder).records == 6
            continue
        refused += 1
        assert not (folder / KEPT).exists()
    assert refused


@pytest.mark.slow
def test_a_full_disk_leaves_the_old_one_and_with_room_it_goes_on(
    filled: Path, tmp_path: Path
) -> None:
    with small_disk(tmp_path / "disk", 40) as disk:
        shutil.copytree(filled, disk / "data")
        before = files(disk / "data")
        for room in (0, 1_500_000, 5_000_000):
            fill_disk(disk, but=room)
            with suppress(StoreFull):
                upgrade_folder(disk / "data")
                break
            assert files(disk / "data") == before
        make_room(disk)
        upgrade_folder(disk / "data")
        with Store(disk / "data") as store:
            assert store.counts().games == 6


@pytest.mark.slow
def test_a_disk_without_room_is_refused_at_once(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upgrade, "disk_usage", lambda _: type("Usage", (), {"free": 1000}))
    before = files(filled)
    with pytest.raises(StoreFull, match="nothing was upgraded, and the old one is as it was"):
        upgrade_folder(filled)
    assert files(filled) == before


@pytest.mark.slow
def test_what_an_older_program_stores_meanwhile_is_in_the_new_one(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An upgrade that was interrupted begins again if the old database has changed since."""
    monkeypatch.setattr(upgrade, "RECORDS_PER_BATCH", 1)

    def stop(done: int, total: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        upgrade_folder(filled, stop)
    with duckdb.connect(filled / DATABASE_FILE_NAME) as connection:
        first = "(SELECT game FROM records WHERE rowid = 0)"
        connection.execute(f"DELETE FROM games WHERE game = {first}; DELETE FROM records WHERE rowid = 0")  # fmt: skip
    done: list[int] = []
    assert upgrade_folder(filled, lambda number, total: done.append(number)) is not None
    assert done == [1, 2, 3, 4, 5]


@pytest.mark.slow
def test_a_database_in_use_a_newer_one_and_a_protected_one_are_refused(filled: Path) -> None:
    with duckdb.connect(filled / DATABASE_FILE_NAME), pytest.raises((StoreInUse, StoreDamaged)):
        upgrade_folder(filled)
    with duckdb.connect(filled / DATABASE_FILE_NAME) as connection:
        connection.execute("UPDATE schema_version SET version = version + 1")
    with pytest.raises(SchemaTooNew):
        upgrade_folder(filled)


@pytest.mark.slow
def test_records_are_judged_in_other_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upgrade, "MOST_BYTES_IN_ONE_PROCESS", 0)
    monkeypatch.setattr(upgrade, "RECORDS_PER_BATCH", 2)
    with Store(tmp_path) as store:
        ingest_bytes(store, "games.jsonl", b"\n".join(short_games(6)))
    before = everything(tmp_path)
    summary = upgrade_folder(made_older(tmp_path), processes=2)
    assert summary is not None
    assert everything(tmp_path) == before


@pytest.mark.slow
def test_a_second_upgrade_keeps_both(filled: Path) -> None:
    upgraded(filled)
    assert Path(upgraded(made_older(filled)).kept).name == "bezique.before-upgrade-2.duckdb"
    assert (filled / KEPT).exists()


@pytest.mark.slow
def test_only_upgrading_opens_an_older_one(filled: Path) -> None:
    with pytest.raises(SchemaTooOld, match=f"`bezique upgrade --data {filled}`"):
        Store(filled)
