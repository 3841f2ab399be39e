"""The site on a folder of Parquet files: every page works, and nothing can be uploaded."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from analyzer.ingest.loader import ingest
from analyzer.store.parquet import export_parquet
from analyzer.store.store import Store
from records.format.files import read_entries
from tests.soak.loading import dated, mixed
from webui import create_app
from webui.application import close_app


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("site")
    with Store(where / "data", files=where) as store:
        lines = b"\n".join(dated(mixed(range(24))))
        ingest(store, read_entries(io.BytesIO(lines), name="games.jsonl"))
        export_parquet(store, where / "parquet")
    return where / "parquet"


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[FlaskClient]:
    app = create_app(data=folder, testing=True, wtf_csrf_enabled=False)
    yield app.test_client()
    close_app(app)


@pytest.mark.long
@pytest.mark.parametrize(
    "address",
    ["/", "/games", "/games.json", "/statistics", "/statistics/points_by_source", "/explore",
     "/explore?metric=deals_won&by=month", "/players", "/player?name=Ann", "/rules/zique", "/sql",
     "/sql?q=SELECT+sheet,+count(*)+FROM+tricks+GROUP+BY+1"],
)  # fmt: skip
def test_pages_are_answered(client: FlaskClient, address: str) -> None:
    assert client.get(address, follow_redirects=True).status_code == 200


@pytest.mark.slow
def test_a_game_is_replayed_and_downloaded(client: FlaskClient) -> None:
    listed = client.get("/games.json").json["games"]
    shortest = min(listed, key=lambda game: game["events"])  # its review needs least
    address = f"/games/{shortest['digest']}"
    assert client.get(address).status_code == 200
    assert client.get(f"{address}/deals/1", follow_redirects=True).status_code == 200
    assert client.get(f"{address}/review").status_code == 200
    assert client.get(f"{address}.json").status_code == 200


@pytest.mark.slow
def test_the_first_page_says_that_it_is_read_only(client: FlaskClient) -> None:
    page = client.get("/").text
    assert "is read-only" in page
    assert "data-drop" not in page


def test_an_upload_is_refused_in_words(client: FlaskClient, folder: Path) -> None:
    before = sorted(folder.rglob("*"))
    answer = client.post("/", data={"record": "{}"})
    assert answer.status_code == 403
    assert "is read-only" in answer.text
    assert sorted(folder.rglob("*")) == before
    digest = client.get("/games.json").json["games"][0]["digest"]
    assert client.post(f"/games/{digest}/delete").status_code == 403
