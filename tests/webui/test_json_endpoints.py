"""Every page is also available as JSON, and says where."""

import re
from html import unescape

import pytest
from msgspec.structs import replace

from tests.make.stored_games import store_game
from webui.server.game_cache import encode_permalink

NO_PAGE = re.compile(r"\.(json|jsonl|gz|csv|svg|png|gif|webp|txt|js|css|ico)$")
WATCHED = {
    "/imports/<upload>",
    "/look/<sent>",
    "/look/<sent>/records/<content>",
    "/look/<sent>/records/<content>/readings",
    "/sent/<sent>",
    "/sent/<sent>/records/<int:number>",
    "/sent/<sent>/records/<int:number>/deals/<int:deal>",
    "/sent/<sent>/records/<int:number>/deals/<int:deal>/study",
    "/sent/<sent>/records/<int:number>/deals/<int:deal>/what-if",
    "/sent/<sent>/records/<int:number>/rules",
}
"""The pages of uploads: only that they have a twin is asked here."""
LEADING_ON = {
    "/look/<sent>/found",
    "/sent/<sent>/records/<int:number>/deals/<int:deal>/what-if/values",
    "/replay/what-if/values",
    "/spec/<chapter>.md",
    "/spec/<folder>/",
    "/spec/samples",
    "/games/<digest>/deals/<int:deal>/what-if/values",
    "/examples/<game>/deals/<int:deal>/what-if/values",
    "/examples/<game>/deals/<int:deal>/review",
    "/replay/review",
    "/games/<digest>/review/weighing/found",
    "/games/<digest>/story",
    "/together/<link>",
    "/together/<link>/steps",
    "/sent/<sent>/records/<int:number>/deals/<int:deal>/review",
}
"""Addresses that are no pages: they lead to one."""
FOR_PROGRAMS = {
    "/health/live", "/health/ready", "/version", "/metrics", "/spec/conformance/<file>", "/spec/samples/<folder>/<file>",
}  # fmt: skip
"""Addresses that are no pages, under the names that programs expect."""


def pages(app):
    """The rules of all addresses that answer with a page."""
    rules = {str(rule) for rule in app.url_map.iter_rules() if "GET" in rule.methods}
    rules -= LEADING_ON | FOR_PROGRAMS
    no_pages = ("/static/", "/api/v1")
    return {rule for rule in rules if not NO_PAGE.search(rule) and not rule.startswith(no_pages)}


def sampled(rule, stored, study="a"):
    """An address of this rule at which something is to be seen."""
    for name, value in (
        ("/docs/<name>", "/docs/tutorial"), ("<digest>", stored), ("<int:deal>", "1"), ("<code>", "must-beat"), ("<sheet_id>", "bezique"),
        ("<name>", "points_by_source"), ("<game>", "bezique"), ("<chapter>", "format"),
        ("<int:number>", "1"), ("<study>", study),
    ):  # fmt: skip
        rule = rule.replace(name, value)
    return rule


@pytest.mark.slow
def test_every_page_has_a_twin_and_names_it(app, client, stored, small, evening, study):
    found = pages(app)
    assert len(found) > 20
    for rule in sorted(found - WATCHED):
        address = sampled(rule, stored, study) + {
            "/player": "?name=Ann",
            "/player/drill": "?name=Ann",
            "/player/strengths": "?name=Ann",
            "/player/mistakes": "?name=Ann",
            "/verdicts": f"?game={stored}",
            "/replay": f"?deal=1&record={small}",
            "/replay/what-if": f"?deal=1&record={small}",
        }.get(rule, "")
        page = client.get(address)
        assert (page.status_code, page.mimetype) == (200, "text/html"), address
        (link,) = re.findall(
            r'<link rel="alternate" type="application/json" href="([^"]*)"', page.text
        )
        path, _, query = address.partition("?")
        wanted = "/index.json" if path == "/" else f"{path}.json"
        assert unescape(link) == wanted + (f"?{query}" if query else "")
        for canonical in re.findall(r'<link rel="canonical" href="([^"]*)">', page.text):
            assert client.get(unescape(canonical)).status_code == 200, canonical
        twin = client.get(unescape(link))
        assert (twin.status_code, twin.mimetype) == (200, "application/json"), link
        assert twin.json is not None, link


@pytest.fixture
def evening(client):
    """An evening, while the test lasts: others share the site."""
    opening = {"event": "Club", "day": "2026-03-05", "system": "swiss"}
    address = client.post("/evenings", data=opening).headers["Location"]
    yield address
    client.post(f"{address}/delete")


@pytest.fixture
def study(client, stored):
    """The public id of a study with a moment, while the test lasts."""
    form = {"game": stored, "deal": 1, "event": 0, "near": 0, "line": ""}
    address = client.post("/studies/moments", data=form).location.rpartition("/")[0]
    client.post(f"{address}/edit", data={"visibility": "unlisted"})
    yield address.rpartition("/")[2]
    client.post(f"{address}/delete")


@pytest.fixture
def small(client, stored):
    return encode_permalink(client.get(f"/games/{stored}/record.json").data)


def test_the_page_of_an_import_has_one_too(app):
    assert {f"{page}.json" for page in WATCHED} <= {str(rule) for rule in app.url_map.iter_rules()}


@pytest.mark.parametrize(
    "address",
    ["/explore?metric=points&by=sheet", "/sql?q=SELECT+1+AS+%27%3Cb%3E%27", "/rules/compare?sheet=zique&sheet=zetema"],
)  # fmt: skip
def test_the_twin_is_asked_what_the_page_was_asked(client, address):
    link = re.search(
        r'rel="alternate" type="application/json" href="([^"]*)"', client.get(address).text
    )[1]
    assert unescape(link) == address.replace("?", ".json?")
    assert client.get(unescape(link)).status_code == 200


TIME_WITHOUT_ZONE = re.compile(r'"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.]*)"')


@pytest.mark.slow
def test_a_time_in_json_has_its_zone(fresh, legal):
    """Also where something was renamed, imported, reviewed and refused."""
    record = replace(legal, meta={"started": "2026-03-31T19:00:00+02:00"})
    digest, client = store_game(fresh, record), fresh.test_client()
    upload = client.post("/api/v1/games", data=b"{}", content_type="application/json").json[
        "upload"
    ]
    client.post("/api/v1/players/renames", json={"old": "Ann", "new": "Anne"})
    client.post(f"/games/{digest}/review/luck", data={"rollouts": "20"})
    client.get(f"/games/{digest}/review")
    fresh.config["LARGE_UPLOAD"] = 10
    client.post("/api/v1/games", data=b"{}" * 10, content_type="application/json")
    assert upload
    rules = [rule for rule in fresh.url_map.iter_rules() if "GET" in rule.methods]
    asked = 0
    for rule in rules:
        answer = client.get(f"{sampled(str(rule), digest)}?name=Anne&code=must-beat")
        if answer.mimetype == "application/json" and answer.status_code == 200:
            asked += 1
            assert not TIME_WITHOUT_ZONE.search(answer.text), rule
    assert asked > 50


def test_an_error_has_no_twin(client):
    assert "alternate" not in client.get("/nothing").text


def test_the_list_of_addresses_names_every_twin_and_what_it_is(app, client):
    told = client.get("/api.json").json["addresses"]
    rules = {str(rule) for rule in app.url_map.iter_rules() if "GET" in rule.methods}
    assert {rule for rule in rules if rule.endswith(".json")} <= told.keys()
    assert all(told.values())
