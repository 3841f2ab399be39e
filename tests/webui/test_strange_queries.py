"""Every address answers strange queries: what it cannot use it refuses with a sentence, and soon."""

import os
from collections.abc import Iterator
from random import Random
from time import process_time
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from flask import Flask
from werkzeug.datastructures import ImmutableMultiDict

from tests.machine.cpu_cost import CpuCost

pytestmark = pytest.mark.long

MOST_CPU_SECONDS = 1.0
QUERIES = int(os.environ.get("BEZIQUE_QUERIES", "8"))
"""How many queries each address gets, drawn with a fixed seed; there are some hundred of each."""
VALUES = [
    "", " ", "0", "-1", "1", "007", "1e9", "9" * 400, "99999999999999999999", "\u0663", "1.5", "true", "null", "[]", "{}", "%", "%00",
    "\x00", "a\x00b", "\ud800", "\udcff", "\u202eabc\u2066", "\ufeff", "'", '"', "<script>", "../../etc", "{{7*7}}", "\r\nX: y",
    "x" * 8192, "~" * 8192, "(" * 4096, "é" * 4000, "👑" * 2000, "=1+1", "\u200b", "play-0-QS~play-1-7H", "draw-0-??", "KLUv_WBzArUH",
]  # fmt: skip
ASKED: set[str] = set()
"""The names that the last request asked its query for."""


class WatchedQuery(ImmutableMultiDict[str, str]):
    """A query that notes what it is asked for."""

    def get(self, key: str, *rest: Any, **how: Any) -> Any:
        ASKED.add(key)
        return super().get(key, *rest, **how)

    def getlist(self, key: str, *rest: Any, **how: Any) -> Any:
        ASKED.add(key)
        return super().getlist(key, *rest, **how)

    def __getitem__(self, key: str) -> Any:
        ASKED.add(key)
        return super().__getitem__(key)


@pytest.fixture
def watched(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Flask:
    monkeypatch.setattr(app.request_class, "parameter_storage_class", WatchedQuery, raising=False)
    return app


PARTS = {"deal": 1, "number": 1, "game": "bezique", "sheet_id": "bezique", "code": "must-follow-suit", "part": "results", "chapter": "format", "file": "index.json", "schema_name": "record", "filename": "icon.svg", "key": "a", "link": "a", "content": "a", "sent": "a", "study": "a", "upload": "a", "folder": "good"}  # fmt: skip
NAMES = {"statistics": "points_by_source", "explore": "sheet"}


def addresses(app: Flask, digest: str) -> Iterator[str]:
    """One address of every view that answers GET, but for the interface: `test_interface_contract.py` asks that."""
    adapter = app.url_map.bind("localhost")
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and not rule.endpoint.startswith("interface."):
            name = NAMES.get(rule.endpoint.partition(".")[0], "a")
            known = {**PARTS, "digest": digest, "name": name}
            parts = {part: known[part] for part in rule.arguments}
            yield adapter.build(rule.endpoint, parts)


def asked_of(client: Any, address: str) -> set[str]:
    """The names that a view asks its query for, also those that it asks for only where others are given."""
    found: set[str] = set()
    while True:
        ASKED.clear()
        client.get(address, query_string=dict.fromkeys(found, "1"), buffered=True)
        client.get(address, query_string=dict.fromkeys(found, "bezique"), buffered=True)
        if found >= ASKED:
            return found
        found |= ASKED


def queries(names: set[str]) -> Iterator[str]:
    """Each value for each name, for all names at once, and names more than once."""
    for value in VALUES:
        for name in sorted(names):
            yield written([(name, value)])
        yield written([(name, value) for name in sorted(names)])
        yield written([(value, value)])
    for name in sorted(names):
        yield written([(name, "1"), (name, "2"), (name, "x" * 100)])
        yield written([(name, str(number)) for number in range(500)])
    yield "&".join(["a"] * 4000)
    yield "%ff%fe=%c3%28&=&==&;;"


def written(pairs: list[tuple[str, str]]) -> str:
    """A query whose lone surrogates are bytes that are not UTF-8."""
    return urlencode(pairs, errors="surrogatepass")


@pytest.mark.slow
def test_strange_queries_are_answered(watched: Flask, stored: str) -> None:
    client = watched.test_client()
    wrong, count = [], 0
    for address in addresses(watched, stored):
        strange = list(queries(asked_of(client, address)))
        for query in Random(address).sample(strange, min(QUERIES, len(strange))):
            start = process_time()
            response = client.get(f"{address}?{query}")
            taken = process_time() - start
            if taken > MOST_CPU_SECONDS:
                with CpuCost() as cost:
                    client.get(f"{address}?{query}")
                taken = cost.seconds
            count += 1
            said = response.get_data()
            if response.status_code >= 500 or taken > MOST_CPU_SECONDS:
                wrong.append((address, query[:100], response.status, round(taken, 2)))
            elif response.status_code >= 400 and not said.strip():
                wrong.append((address, query[:100], response.status, "says nothing"))
    assert wrong == []
    assert count > 50 * min(QUERIES, 20)


OWN_NAMES = (
    "endpoint",
    "values",
    "_external",
    "_scheme",
    "_anchor",
    "_method",
    "self",
    "digest",
    "sent",
    "parameter",
)
"""Names of the arguments of functions of ours and of Flask, which are names of parameters like any other."""
LEADING_ON = {"name": " Ann", "first": " Ann", "second": "", "every": "1"}
"""A query that makes addresses of players lead on to another."""


@pytest.mark.slow
def test_a_name_in_a_query_is_never_an_argument_of_the_program(
    watched: Flask, stored: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watched.extensions["limiter_of_kinds"], "enabled", False)
    client, led_on = watched.test_client(), 0
    odd, others = (
        written([(name, "_x") for name in names]) for names in (OWN_NAMES, ("nobodys", "own"))
    )
    for address in addresses(watched, stored):
        for query in ("", written([*LEADING_ON.items()])):
            plain = client.get(f"{address}?{query}&{others}", buffered=True)
            answer = client.get(f"{address}?{query}&{odd}", buffered=True)
            assert answer.status == plain.status, (address, query)
            if plain.location:
                led_on += 1
                assert urlsplit(answer.location)[:3] == urlsplit(plain.location)[:3], address
                if address.endswith(".json"):
                    assert client.get(answer.location).mimetype == "application/json", address
    assert led_on >= 5


@pytest.mark.slow
def test_bytes_that_are_no_text_are_read_as_if_they_were_percent_encoded(
    watched: Flask, stored: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watched.extensions["limiter_of_kinds"], "enabled", False)
    client = watched.test_client()
    for address in addresses(watched, stored):
        names = ["x", *sorted(asked_of(client, address))[:2]]
        for value, encoded in (("\xff\xc3(", "%FF%C3("), ("\x80 \x00\xe9", "%80%20%00%E9")):
            raw = "&".join(f"{name}={value}" for name in names)
            answer = client.get(address, environ_overrides={"QUERY_STRING": raw}, buffered=True)
            same = client.get(f"{address}?{raw.replace(value, encoded)}", buffered=True)
            assert answer.status_code < 500, (address, raw)
            assert (answer.status, answer.location) == (same.status, same.location), (address, raw)
