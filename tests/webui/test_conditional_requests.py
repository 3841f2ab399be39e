"""Requests for a part of an answer, or only for a newer one: the right bytes, and never more of them."""

import gzip
import re
from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient

from records.record import Record
from tests.make.stored_games import store_game
from webui import create_app
from webui.application import close_app

CONDITIONS = {
    "the first byte": {"Range": "bytes=0-0"},
    "the last bytes": {"Range": "bytes=-5"},
    "all but ten bytes": {"Range": "bytes=10-"},
    "beyond the end": {"Range": "bytes=99999999-"},
    "too long a number": {"Range": f"bytes=0-{'9' * 5000}"},
    "backwards": {"Range": "bytes=5-1"},
    "another unit": {"Range": "lines=1-2"},
    "two ranges": {"Range": "bytes=0-0,2-3"},
    "the whole many times": {"Range": f"bytes={','.join(['0-'] * 5000)}"},
    "every other byte": {"Range": f"bytes={','.join(f'{n}-{n}' for n in range(0, 8000, 2))}"},
    "part of another version": {"Range": "bytes=0-0", "If-Range": '"another"'},
    "another version": {"If-None-Match": '"another", W/"one more"'},
    "many versions": {"If-None-Match": ",".join(f'"{n}"' for n in range(5000))},
    "newer than long ago": {"If-Modified-Since": "Thu, 01 Jan 1970 00:00:00 GMT"},
    "newer than nonsense": {"If-Modified-Since": "yesterday", "If-None-Match": "x" * 5000},
    "part of a compressed answer": {"Range": "bytes=0-9", "Accept-Encoding": "gzip"},
}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, legal: Record) -> Iterator[Flask]:
    app = create_app(data=tmp_path_factory.mktemp("site"), testing=True, ratelimit_enabled=False)
    store_game(app, legal)
    yield app
    close_app(app)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture(params=[
    "/static/css/tokens.css", "/static/js/replay/navigation.js", "/series.css", "/plotly",
    "/games/{digest}/record.json", "/games/{digest}/report.json", "/games/{digest}", "/games.jsonl", "/games.jsonl.gz",
    "/explore.csv?metric=deals_won&by=sheet", "/statistics/points_by_source.csv", "/sql.csv?q=SELECT+1", "/api.json",
])  # fmt: skip
def address(request, app, stored: str) -> str:
    if request.param == "/plotly":
        return f"/plotly-{app.jinja_env.globals['plotly'].version}.min.js"
    return request.param.format(digest=stored)


def without_token(page: bytes) -> bytes:
    """A page without the token of its form, which tells the second."""
    return re.sub(rb'(name="csrf_token" value=")[^"]*', rb"\1", page)


@pytest.mark.sampled(40)
@pytest.mark.long
@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_part_is_right_and_never_longer_than_the_whole(client, address, condition):
    whole = client.get(address).data
    answer = client.get(address, headers=CONDITIONS[condition])
    assert len(answer.data) <= max(len(whole), 64)
    assert answer.status_code in (200, 206, 416)
    if answer.status_code == 206:
        first, last, of = map(int, re.findall(r"\d+", answer.headers["Content-Range"]))
        assert (answer.data, of) == (whole[first : last + 1], len(whole))
    if answer.status_code == 200:
        packed = answer.headers.get("Content-Encoding") == "gzip"
        data = gzip.decompress(answer.data) if packed else answer.data
        assert without_token(data) == without_token(whole)
    if answer.status_code == 416:
        assert condition in ("beyond the end", "backwards")
        assert answer.headers["Content-Range"] == f"bytes */{len(whole)}"


def test_who_has_a_version_gets_no_other(client, address):
    for encoding in ("identity", "gzip"):
        first = client.get(address, headers={"Accept-Encoding": encoding})
        version = first.headers.get("ETag")
        if version is None:
            continue
        again = client.get(address, headers={"Accept-Encoding": encoding, "If-None-Match": version})
        assert (again.status_code, again.data) == (304, b"")
        assert again.headers["ETag"] == version
        assert version.startswith("W/") is ("Content-Encoding" in first.headers)
    if "record.json" in address:
        assert version
