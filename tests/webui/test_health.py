"""What programs ask that watch a server: does it live, can it work, which version, how busy is it."""

import re
from collections import namedtuple
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

import bezique
from analyzer.store.schema import SCHEMA_VERSION
from webui.views import health


def test_a_server_that_works_says_so(client: FlaskClient) -> None:
    assert client.get("/health/live").json == {"status": "ok"}
    ready = client.get("/health/ready")
    assert (ready.status_code, ready.headers["Cache-Control"]) == (200, "no-store")
    assert ready.json == {"status": "ok", "checks": {"database": "ok", "disk": "ok"}}


def test_a_server_without_its_database_lives_and_is_not_ready(
    fresh: Flask, fresh_client: FlaskClient
) -> None:
    path = Path(fresh.config["DATA"]) / "bezique.duckdb"
    path.rename(path.with_name("away"))
    assert fresh_client.get("/health/live").status_code == 200
    ready = fresh_client.get("/health/ready")
    assert (ready.status_code, ready.json["checks"]["database"]) == (503, "failing")
    assert str(path.parent) not in ready.text, "visitors need not know where it is"
    path.with_name("away").rename(path)
    assert fresh_client.get("/health/ready").status_code == 200


def test_a_server_without_room_on_its_disk_is_not_ready(
    fresh_client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    for free, status in ((health.LEAST_FREE_BYTES, 200), (health.LEAST_FREE_BYTES - 1, 503)):
        monkeypatch.setattr(health, "disk_usage", lambda _, free=free: usage(0, 0, free))
        ready = fresh_client.get("/health/ready")
        assert ready.status_code == status
    assert ready.json["checks"] == {"database": "ok", "disk": "full"}


def test_the_version_is_that_of_the_package(client: FlaskClient) -> None:
    said = client.get("/version").json
    assert said == {
        "name": "bezique",
        "version": bezique.__version__,
        "format": "1.0",
        "database": SCHEMA_VERSION,
    }


def test_the_numbers_are_in_the_format_of_prometheus(app: Flask, client: FlaskClient) -> None:
    tally = app.extensions["request_tally"]
    tally.add("pages", 200, 0.25)
    tally.add("pages", 200, 0.5)
    answer = client.get("/metrics")
    assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    lines = answer.text.splitlines()
    assert 'bezique_answers_total{kind="pages",status="200"} 2' in lines
    assert 'bezique_answer_seconds_total{kind="pages"} 0.750000' in lines
    assert "bezique_games_stored 2" in lines
    said = set()
    for line in lines:
        if comment := re.fullmatch(r"# (HELP|TYPE) (\w+) .+", line):
            said.add(comment[2])
            continue
        sample = re.fullmatch(r'(\w+)(?:\{\w+="[^"]*"(?:,\w+="[^"]*")*\})? [0-9.e+-]+', line)
        assert sample is not None, line
        assert sample[1] in said, "every number has a meaning before it"
