"""Deleting games, downloading records, and copying the database."""

import gzip
import io
from pathlib import Path

import pytest

from analyzer.ingest.loader import ingest_bytes
from analyzer.store.store import DATABASE_FILE_NAME, Store
from records.format import codec
from records.selfplay import play_game
from tests.make.stored_games import store_game
from tests.webui.public_site import LOCAL_KEY, Browser
from webui.server.local_server import KEY_HEADER


@pytest.fixture
def two(store, legal) -> list[bytes]:
    """Two games in the house, the first one legal."""
    lines = [codec.encode(legal), codec.encode(play_game("zique", seed=1))]
    ingest_bytes(store, "games.jsonl", b"\n".join(lines))
    return lines


@pytest.mark.long
def test_a_game_is_deleted_after_it_was_named(fresh_client, store, two, stored):
    client = fresh_client
    page = client.get(f"/games/{stored}").text
    assert f'href="/games/{stored}/delete"' in page
    question = client.get(f"/games/{stored}/delete").text
    assert "Ann – &lt;Bob&gt;" in question
    assert "from games.jsonl, line 1" in question
    assert store.counts().games == 2, "asking changes nothing"
    answer = client.post(f"/games/{stored}/delete", follow_redirects=True)
    assert "Deleted Ann – &lt;Bob&gt;, Bezique" in answer.text
    assert "1 game" in answer.text
    assert "Deleted" not in client.get("/games").text, "it is said once"
    for path in ("", ".json", "/deals/1", "/delete", "/record.json"):
        assert client.get(f"/games/{stored}{path}").status_code == 404
    client.post("/", data={"files": (io.BytesIO(two[0]), "again.json")})
    assert client.get(f"/games/{stored}").status_code == 200


@pytest.mark.long
def test_a_public_server_keeps_what_it_has(open_site, legal, stored):
    app = open_site()
    visitor = Browser(app)
    store_game(app, legal)
    assert "delete" not in visitor.get(f"/games/{stored}").text
    for path in (f"/games/{stored}/delete", "/backup"):
        assert visitor.get(path).status_code == 403
        assert visitor.post(path).status_code == 403
    for key, status in ((None, 403), ("", 403), ("guess", 403), (LOCAL_KEY, 200)):
        headers = {} if key is None else {KEY_HEADER: key}
        answer = app.test_client().post("/local/backup", headers=headers)
        assert answer.status_code == status


@pytest.mark.long
def test_records_are_downloaded_as_they_came(fresh_client, two):
    assert fresh_client.get("/games.jsonl").data == b"\n".join(two) + b"\n"
    zipped = fresh_client.get("/games.jsonl.gz?sheet=zique")
    assert gzip.decompress(zipped.data) == two[1] + b"\n"
    assert "attachment" in zipped.headers["Content-Disposition"]
    page = fresh_client.get("/games?sheet=zique").text
    assert 'href="/games.jsonl.gz?sheet=zique' in page


@pytest.mark.long
def test_a_copy_is_a_data_folder(fresh_client, store, two, tmp_path):
    assert "2 games" in fresh_client.get("/backup").text
    answer = fresh_client.post("/backup")
    assert len(answer.data) == answer.content_length
    (tmp_path / "copy").mkdir()
    (tmp_path / "copy" / DATABASE_FILE_NAME).write_bytes(answer.data)
    with Store(tmp_path / "copy") as copy:
        assert copy.counts() == store.counts()
    assert not list(Path(store.path.parent).glob("backup-*"))
