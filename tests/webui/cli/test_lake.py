"""`bezique lake`, `ingest --lake` and `--data` with the address of a lake, as people type them."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace
from s3fs import S3FileSystem

import bezique
from analyzer.lake import added_reviews
from analyzer.lake.added_reviews import add_reviews
from analyzer.lake.joining import delete_from_lake
from analyzer.review.deep_review import GameReview
from analyzer.store.lake_place import LakePlace
from analyzer.store.lake_store import LakeStore
from analyzer.store.store import Store
from records.format import codec
from records.selfplay import play_game
from tests.analyzer.lake.lakes import everything, object_store, reader
from tests.machine.dask_clusters import dask_cluster
from tests.make.own_rulebooks import own_game
from tests.soak.loading import mixed
from webui import create_app
from webui.application import close_app
from webui.cli import reviewing
from webui.cli.main import main
from webui.server.imports_queue import UPLOADS_FOLDER, ImportJob, utc_now

pytestmark = pytest.mark.long


def run(*words: object, code: int = 0) -> str:
    found = CliRunner().invoke(main, list(map(str, words)))
    assert found.exit_code == code, found.output
    return found.output


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.jsonl"
    path.write_bytes(mixed(range(6)))
    return path


def test_from_files_to_a_database(tmp_path: Path, games: Path) -> None:
    lake, data = tmp_path / "lake", tmp_path / "data"
    assert "6 records: 6 stored" in run("ingest", games, "--lake", lake)
    assert "6 records: 6 already stored" in run("ingest", games, "--lake", lake)
    assert "6 records in 1 part" in run("lake", "show", lake)
    assert "verdict" in run("stats", "verdicts_by_program", "--data", lake)
    digest = bezique.open(lake).rows("SELECT digest FROM games")[0]["digest"]
    assert "Deleted 1 game." in run("lake", "delete", lake, digest[:12], "--yes")
    assert "1 part" in run("lake", "compact", lake, "--clean-after", 0)
    assert "Made a database with 5 records" in run("lake", "copy", lake, "--data", data)
    assert "has a database already" in run("lake", "copy", lake, "--data", data, code=2)
    assert "The lake has 5 records. 5 were there already." in run("lake", "add", lake, "--data", data)  # fmt: skip


@pytest.mark.slow
def test_what_databases_say_otherwise_and_what_is_in_none_is_told(
    tmp_path: Path, games: Path
) -> None:
    """Two databases correct a game, one has a record that waits, and a site an upload that is not imported."""
    lake = tmp_path / "lake"
    played = own_game("zique", ("/rules/melds/bezique/points", 70))
    waiting = codec.encode(replace(played, rules=replace(played.rules, sheet=None)))
    games.write_bytes(mixed(range(2)).rstrip() + b"\n" + waiting)
    for name, event in (("a", "Cup"), ("b", "League")):
        data = tmp_path / name
        run("ingest", games, "--data", data, code=2)  # as one waits
        with Store(data) as store:
            ((digest,),) = store.rows("SELECT digest FROM games ORDER BY digest LIMIT 1").rows
        run("correct", digest, "event", event, "--data", data)
    told = run("lake", "add", lake, "--data", tmp_path / "a")
    assert "1 record waits in it for a rulebook" in told
    job = ImportJob(id="one", files=[], created_at=utc_now(), queued_at=utc_now())
    (tmp_path / "b" / UPLOADS_FOLDER / "one").mkdir(parents=True)
    job.save(tmp_path / "b" / UPLOADS_FOLDER)
    told = run("lake", "add", lake, "--data", tmp_path / "b")
    assert f"1 upload to {tmp_path / 'b'} is not imported yet, and not added" in told
    assert "2 were there already." in told
    assert f"Game {digest[:12]}: event is 'Cup' in the lake and 'League' in the database; 'League' holds" in told  # fmt: skip


@pytest.mark.slow
def test_reviews_are_those_of_a_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Added two at a time, while somebody deletes a game."""
    lake, data, games = tmp_path / "lake", tmp_path / "data", tmp_path / "games.jsonl"
    played = (play_game("marjolet", seed=seed, deals=1) for seed in range(4))
    games.write_bytes(b"\n".join(map(codec.encode, played)))
    run("ingest", games, "--lake", lake)
    run("ingest", games, "--data", data)
    place, gone, added = LakePlace(str(lake)), list[str](), list[int]()

    def delete_meanwhile(place: LakePlace, reviews: Sequence[GameReview]) -> None:
        if not gone and reviews:
            gone.append(reviews[0].digest)
            delete_from_lake(place, gone)
        added.append(len(reviews))
        add_reviews(place, reviews)

    monkeypatch.setattr(added_reviews, "add_reviews", delete_meanwhile)
    monkeypatch.setattr(added_reviews, "MOST_WAITING", 2)
    words = ("review", "--stored", "--luck", 4, "--positions", 2000, "--data")
    told = run(*words, lake)
    assert told == run(*words, data)
    assert added == [2, 2, 0]
    run("delete", gone[0], "--yes", "--data", data)
    with reader(place) as store, Store(data) as database:
        there, here = everything(store), everything(database)
        for table in ("games", "records", "game_reviews", "reviews", "luck"):
            assert there[table] == here[table]
        assert len(here["game_reviews"]) == 3
    assert run(*words, lake).strip() == "0 games reviewed."
    weigh = ("review", "--stored", "--worlds", 2, "--positions", 2000, "--luck", 4, "--data")
    with dask_cluster(tmp_path, workers=2) as cluster:
        assert run(*weigh, lake, "--cluster", cluster.address) == run(*weigh, data)
    with reader(place) as store, Store(data) as database:
        assert everything(store)["decisions"] == everything(database)["decisions"] != []


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 3])
def test_a_game_that_is_deleted_before_its_review_keeps_no_other_from_one(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake, games = tmp_path / "lake", tmp_path / "games.jsonl"
    played = (play_game("marjolet", seed=seed, deals=1) for seed in range(number + 1))
    games.write_bytes(b"\n".join(map(codec.encode, played)))
    run("ingest", games, "--lake", lake)
    listed = reviewing.list_games_without_review

    def delete_meanwhile(store: Store, *, weighed: bool) -> list[str]:
        found = listed(store, weighed=weighed)
        delete_from_lake(LakePlace(str(lake)), found[:1])
        return found

    monkeypatch.setattr(LakeStore, "look_every", 0)
    monkeypatch.setattr(reviewing, "list_games_without_review", delete_meanwhile)
    words = ("review", "--stored", "--positions", 200, "--data", lake)
    assert f"{number} game" in run(*words)
    assert f"{number - 1} game" in run(*words, "--worlds", 2)


def test_a_site_shows_a_lake(tmp_path: Path, games: Path) -> None:
    run("ingest", games, "--lake", tmp_path / "lake")
    app = create_app(data=tmp_path / "lake", testing=True)
    try:
        visitor = app.test_client()
        page = visitor.get("/").text
        assert "This collection is read-only" in page
        assert "Its last change was on" in page
        for address in ("/games", "/players", "/explore", "/statistics"):
            assert visitor.get(address).status_code == 200
        game = visitor.get("/games.json").json["games"][0]["digest"]
        assert visitor.get(f"/games/{game}").status_code == 200
        run("lake", "delete", tmp_path / "lake", game, "--yes")
        app.extensions["store"]._looked_at = 0  # a quarter of a minute later
        assert len(visitor.get("/games.json").json["games"]) == 5
        assert visitor.get(f"/games/{game}").status_code == 404
    finally:
        close_app(app)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("lake", "show", "nowhere"), "nowhere is no lake yet"),
        (("lake", "judge", "nowhere", "--cluster", "tcp://127.0.0.1:9"), "nowhere is no lake yet"),
        (("lake", "show", "foo://bucket/games"), "othing here reaches foo://bucket/games"),
        (
            ("lake", "show", "gs://bucket/games"),
            "the package gcsfs (`pip install gcsfs`) is needed",
        ),
        (
            ("ingest", "{games}", "--lake", "gs://bucket/games"),
            "the package gcsfs (`pip install gcsfs`) is needed",
        ),
        (
            ("stats", "--data", "abfs://bucket/games"),
            "the package adlfs (`pip install adlfs`) is needed",
        ),
        (("lake", "show", ""), "A name is empty"),
        (("ingest", "{games}", "--data", "{lake}"), "which --data only reads"),
        (("lake", "add", "{lake}", "--data", "{lake}"), "here is no database in"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(
    words: tuple[str, ...], says: str, tmp_path: Path, games: Path
) -> None:
    places = {"games": games, "lake": tmp_path / "lake"}
    run("ingest", games, "--lake", places["lake"])
    found = CliRunner().invoke(main, [word.format(**places) for word in words])
    assert found.exit_code in (1, 2)
    assert says in found.output
    assert "Traceback" not in found.output
    assert not list(Path.cwd().glob("*:*"))


@pytest.fixture(scope="module")
def bucket(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch, object_store():
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield "s3://club/games"


@pytest.mark.slow
def test_an_object_store(bucket: str, games: Path) -> None:
    assert "6 stored" in run("ingest", games, "--lake", bucket, "--workers", 2)
    assert "6 records in 1 part" in run("lake", "show", bucket)
    assert "verdict" in run("stats", "verdicts_by_program", "--data", bucket)
    with bezique.open(bucket) as collection:
        assert len(collection) == 6
        assert len(list(collection.records())) == 6


@pytest.mark.slow
def test_an_object_store_that_does_not_answer(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    S3FileSystem.clear_instance_cache()  # a connection of another test is not used again
    for words in (
        ("lake", "show"),
        ("ingest", games, "--lake"),
        ("stats", "verdicts_by_program", "--data"),
    ):
        found = CliRunner().invoke(main, [*map(str, words), "s3://elsewhere/games"])
        assert found.exit_code == 2
        assert "The lake s3://elsewhere/games cannot be used: Could not connect" in found.output
