"""The interface for programs: what it answers, what it refuses, and for whom."""

import gzip
import json
import re
from io import BytesIO
from itertools import count

import msgspec
import pytest
import zstandard
from flask import Flask
from flask.testing import FlaskClient

from analyzer.ingest.loader import ingest_bytes
from analyzer.review.annotation import annotation_of
from analyzer.review.deep_review import GameReview
from records.format import codec
from records.format.notation_writer import write_notation
from records.format.redaction import redact
from records.record import Record
from records.selfplay import play_game
from tests.machine.waiting import wait_until
from tests.make.stored_games import store_game
from tests.webui.public_site import SITE, Browser, Program
from webui import create_app
from webui.application import close_app
from webui.server import logins
from webui.server.access import read_origin
from webui.server.private_links import mask_keys

JSON, LINES, NOTATION = "application/json", "application/x-ndjson", "text/vnd.bezique"
HERE = "/api/v1"


@pytest.fixture(scope="module")
def lines() -> bytes:
    """Five games, one a line."""
    return b"".join(codec.encode(play_game("zique", seed=n)) + b"\n" for n in range(5))


def problem(answer, name: str) -> dict[str, object]:
    """The problem in an answer, whose type is this one."""
    assert answer.mimetype == "application/problem+json", answer.text
    assert answer.json["type"] == f"/spec/interface#{name}", answer.text
    assert answer.json["status"] == answer.status_code
    assert answer.json["detail"].endswith((".", "?"))
    return answer.json


def test_a_record_has_a_report_and_lines_have_one_each(client: FlaskClient, legal, miscounted):
    one = client.post(f"{HERE}/validate", data=codec.encode(legal), content_type=JSON)
    assert one.json["verdict"] == "legal"
    lines = b"\n".join([codec.encode(legal), b"{", codec.encode(miscounted)])
    for encoding, body in (
        ("", lines),
        ("gzip", gzip.compress(lines)),
        ("zstd", zstandard.compress(lines)),
    ):
        answer = client.post(
            f"{HERE}/validate",
            data=body,
            content_type=LINES,
            headers={"Content-Encoding": encoding} if encoding else {},
        )
        assert answer.mimetype == LINES
        reports = [json.loads(line) for line in answer.text.splitlines()]
        assert [each["verdict"] for each in reports] == [
            "legal",
            "unreadable",
            "legal_with_mismatches",
        ]
        assert [each["line"] for each in reports] == [1, 2, 3]


@pytest.mark.long
def test_the_notation_is_a_type_of_its_own(fresh_client: FlaskClient, legal, miscounted):
    text = write_notation(legal) + write_notation(miscounted)
    asked = fresh_client.post(f"{HERE}/validate", data=text, content_type=NOTATION)
    assert asked.mimetype == LINES
    reports = [json.loads(line) for line in asked.text.splitlines()]
    assert [each["verdict"] for each in reports] == ["legal", "legal_with_mismatches"]
    stored = fresh_client.post(
        f"{HERE}/games", data=gzip.compress(text.encode()), content_type=NOTATION
    )
    assert [each["state"] for each in stored.json["records"]] == ["stored", "stored"]
    for each, record in zip(stored.json["records"], (legal, miscounted), strict=True):
        address = f"{each['address']}/record"
        for accept, mimetype, data in (
            (NOTATION, NOTATION, write_notation(record).encode()),
            (f"{JSON};q=0.5, text/*", NOTATION, write_notation(record).encode()),
            ("*/*", JSON, codec.encode(record)),
        ):
            answer = fresh_client.get(address, headers={"Accept": accept})
            assert (answer.mimetype, answer.data) == (mimetype, data)
            assert "Accept" in answer.vary
        again = fresh_client.get(address, headers={"Accept": NOTATION, "If-None-Match": "*"})
        assert again.status_code == 304
    only_png = fresh_client.get(address, headers={"Accept": "image/png"})
    assert JSON in problem(only_png, "not-acceptable")["detail"]
    seen = fresh_client.post(
        f"{HERE}/redact?seat=0",
        data=write_notation(legal),
        content_type=NOTATION,
        headers={"Accept": NOTATION},
    )
    assert seen.text == write_notation(redact(legal, 0))
    latin = fresh_client.post(
        f"{HERE}/validate", data=text, content_type=f"{NOTATION}; charset=latin-1"
    )
    assert "UTF-8" in problem(latin, "unsupported-media-type")["detail"]
    other = fresh_client.post(f"{HERE}/validate", data=text, content_type="text/plain")
    assert NOTATION in problem(other, "unsupported-media-type")["detail"]


def test_a_report_is_sent_before_the_next_record_is_judged(client, lines):
    for encoding, expanded in (("zstd", zstandard.ZstdDecompressor().decompressobj), ("", None)):
        answer = client.post(
            f"{HERE}/validate",
            data=lines,
            content_type=LINES,
            headers={"Accept-Encoding": encoding},
        )
        pieces = iter(answer.response)
        first = next(pieces)
        data = expanded().decompress(first) if expanded else first
        assert json.loads(data)["line"] == 1  # a whole report, and the others are not made yet
        answer.close()


def streamed(client: FlaskClient, body: bytes, encoding: str = "") -> list[dict[str, object]]:
    """The lines that a stream of records is answered with."""
    answer = client.post(
        f"{HERE}/validate?stream=true",
        data=body,
        content_type=LINES,
        headers={"Content-Encoding": encoding} if encoding else {},
    )
    assert (answer.status_code, answer.mimetype) == (200, LINES)
    return [json.loads(line) for line in answer.text.splitlines()]


@pytest.mark.long
def test_a_stream_has_any_number_of_records_and_says_how_it_ended(fresh, lines):
    fresh.config["MAX_REQUEST_RECORDS"] = 3
    fresh.config["MAX_CONTENT_LENGTH"] = len(lines) // 2
    client = fresh.test_client()
    problem(client.post(f"{HERE}/validate", data=lines, content_type=LINES), "too-large")
    body = lines + b"{\n" + lines
    whole = {"ended": "whole", "examined": 11}
    for encoding, sent in (
        ("", body),
        ("gzip", gzip.compress(body)),
        ("zstd", zstandard.compress(body)),
    ):
        *reports, end = streamed(client, sent, encoding)
        assert end == whole
        assert [each["line"] for each in reports] == list(range(1, 12))
        assert [each["verdict"] for each in reports] == [
            *["legal"] * 5,
            "unreadable",
            *["legal"] * 5,
        ]
    alone = client.post(f"{HERE}/validate", data=lines.splitlines()[0], content_type=JSON).json
    assert reports[0] == {**alone, "line": 1}


def test_a_stream_ends_when_its_time_is_up(fresh, lines):
    client = fresh.test_client()
    fresh.config["STREAM_SECONDS"] = 0.0
    assert streamed(client, lines) == [{"ended": "time", "examined": 0}]
    assert client.get(HERE).json["limits"]["stream_seconds"] == 0
    for body, encoding in ((b"", ""), (lines, "gzip")):
        headers = {"Content-Encoding": encoding} if encoding else {}
        place = f"{HERE}/validate?stream=true"
        problem(client.post(place, data=body, content_type=LINES, headers=headers), "invalid-body")


def test_a_stream_of_a_record_without_end_ends_in_time(fresh, monkeypatch):
    """The time is looked at before more is read, not after a record alone."""
    seconds = count()
    monkeypatch.setattr("webui.api.uploads.monotonic", lambda: next(seconds))
    fresh.config["STREAM_SECONDS"] = 3
    body = b'[\n{"' + b'a\\"' * 1_000_000
    assert streamed(fresh.test_client(), body) == [{"ended": "time", "examined": 0}]
    assert next(seconds) < 10


def test_a_report_of_a_stream_is_sent_before_the_next_record_is_judged(client, lines):
    body = lines.splitlines(keepends=True)
    answer = client.post(f"{HERE}/validate?stream=true", data=body[0] * 40, content_type=LINES)
    pieces = iter(answer.response)
    assert json.loads(next(pieces))["line"] == 1
    answer.close()


@pytest.mark.parametrize(
    ("path", "more", "name"),
    [
        ("/games?sort=x", {}, "unknown-parameter"),
        ("/games?limit=0", {}, "invalid-parameter"),
        ("/games?limit=1&limit=2", {}, "invalid-parameter"),
        ("/games?since=yesterday", {}, "invalid-parameter"),
        ("/games?sheet=poker", {}, "invalid-parameter"),
        ("/games?cursor=!", {}, "invalid-cursor"),
        ("/games/short", {}, "invalid-parameter"),
        ("/games/0123456789ab", {}, "not-found"),
        ("/nothing", {}, "not-found"),
        ("/statistics/nothing", {}, "not-found"),
        ("/explore?metric=nothing", {}, "refused-question"),
        ("/explore?metric=points&nothing=1", {}, "unknown-parameter"),
        ("/validate", {"method": "PUT"}, "method-not-allowed"),
        ("/validate", {"method": "POST", "data": {"file": "x"}}, "unsupported-media-type"),
        (
            "/validate",
            {"method": "POST", "data": "{}", "content_type": "multipart/form-data; boundary=x"},
            "unsupported-media-type",
        ),
        ("/validate", {"method": "POST", "data": "", "content_type": JSON}, "invalid-body"),
        ("/validate", {"method": "POST", "data": "{}\n{}", "content_type": JSON}, "invalid-body"),
        (
            "/validate",
            {"method": "POST", "data": "{}", "content_type": JSON, "headers": {"Content-Encoding": "gzip"}},
            "invalid-body",
        ),
        (
            "/validate",
            {"method": "POST", "data": "{}", "content_type": JSON, "headers": {"Content-Encoding": "br"}},
            "unsupported-media-type",
        ),
        ("/redact?seat=0", {"method": "POST", "data": "{}", "content_type": JSON}, "unreadable-record"),
        ("/sql", {"method": "POST", "json": {"sql": "DROP TABLE games"}}, "refused-statement"),
        ("/sql", {"method": "POST", "json": {"sql": "SELECT 1", "more": 1}}, "invalid-body"),
    ],
)  # fmt: skip
def test_a_refusal_is_a_problem_with_a_type(client, path, more, name):
    problem(client.open(HERE + path, **more), name)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/sql", '{"sql": "SELECT 1", "sql": "SELECT 2"}'),
        ("/games/{}/deep-review", '{"width": "quick", "seed": 1, "wid\\u0074h": "deep"}'),
        ("/games/{}/annotation/luck", '{"rollouts": 20, "rollouts": 20}'),
        (
            "/games/{}/deals/1/what-if",
            '{"step": 0, "events": [{"type": "play", "seat": 0, "card": "TS", "card": "AS"}]}',
        ),
        (
            "/games/{}/deals/1/what-if",
            '{"step": 0, "events": [{"type": "play", "seat": 0, "card": "TS", "ext": {"org.a": {"b": 1, "b": 2}}}]}',
        ),
    ],
)
def test_a_member_that_is_given_twice_is_refused(client, stored, path, body):
    answer = client.post(HERE + path.format(stored[:12]), data=body, content_type=JSON)
    assert "appears twice" in problem(answer, "invalid-body")["detail"]


def test_a_body_without_records_that_is_too_large_is_told_the_limit(client):
    answer = client.post(f"{HERE}/sql", json={"sql": "x" * 70_000})
    assert problem(answer, "too-large")["detail"] == "A body without records may have up to 64 KiB."
    limits = client.get(HERE).json["limits"]
    assert limits["body_without_records"] == 65_536
    long = client.post(f"{HERE}/sql", json={"sql": "x" * (limits["statement"] + 1)})
    problem(long, "invalid-body")


@pytest.mark.long
def test_a_body_that_expands_too_far_is_refused(client):
    bomb = gzip.compress(b" " * 64 * 1024 * 1024)
    answer = client.post(
        f"{HERE}/sql", data=bomb, content_type=JSON, headers={"Content-Encoding": "gzip"}
    )
    problem(answer, "too-large")


@pytest.mark.long
def test_games_are_stored_listed_read_and_deleted(fresh_client: FlaskClient, lines):
    answer = fresh_client.post(f"{HERE}/games", data=lines, content_type=LINES).json
    assert [each["state"] for each in answer["records"]] == ["stored"] * 5
    again = fresh_client.post(f"{HERE}/games", data=lines + b"{}\n", content_type=LINES).json
    assert [each["state"] for each in again["records"]] == ["known"] * 5 + ["rejected"]
    elsewhere = {**json.loads(lines.splitlines()[0]), "meta": {"site": "Elsewhere"}}
    renamed = json.dumps(elsewhere).encode()
    (told,) = fresh_client.post(f"{HERE}/games", data=renamed, content_type=JSON).json["records"]
    assert (told["state"], bool(told["stored_as"])) == ("known", True)
    stored = [each["digest"] for each in answer["records"]]

    listed, cursor = [], ""
    while True:
        page = fresh_client.get(f"{HERE}/games?limit=2{cursor}").json
        listed += [game["digest"] for game in page["games"]]
        if page["next"] is None:
            break
        cursor = f"&cursor={page['next']}"
    assert sorted(listed) == sorted(stored)
    assert len(set(listed)) == 5

    short = stored[0][:12]
    assert fresh_client.get(f"{HERE}/games/{short}").json["digest"] == stored[0]
    assert fresh_client.get(f"{HERE}/games/{short}/record").data == lines.splitlines()[0]
    assert fresh_client.get(f"{HERE}/games/{short}/report").json["verdict"] == "legal"
    records = fresh_client.get(f"{HERE}/games/records?sheet=zique").data
    assert sorted(records.splitlines()) == sorted(lines.splitlines())
    assert fresh_client.delete(f"{HERE}/games/{short}").status_code == 204
    problem(fresh_client.get(f"{HERE}/games/{short}"), "not-found")


@pytest.mark.long
def test_games_of_any_dates_that_were_stored_at_once_are_all_listed(fresh_client, lines):
    days = ("03-09", "01-02", "12-24", "05-05", "02-28")
    games = [
        json.loads(line) | {"meta": {"date": f"2025-{day}"}}
        for line, day in zip(lines.splitlines(), days, strict=True)
    ]
    sent = "\n".join(map(json.dumps, games)).encode()
    assert fresh_client.post(f"{HERE}/games", data=sent, content_type=LINES).status_code == 200
    page = fresh_client.get(f"{HERE}/games?limit=2").json
    listed = [*page["games"]]
    while page["next"] is not None:
        page = fresh_client.get(f"{HERE}/games?limit=2&cursor={page['next']}").json
        listed += page["games"]
    assert len({game["digest"] for game in listed}) == len(days)


@pytest.mark.long
def test_a_cursor_keeps_its_place_while_games_are_stored(fresh, fresh_client, lines):
    one, *others = lines.splitlines()
    for each in others:
        ingest_bytes(fresh.extensions["store"], "game.json", each)
    page = fresh_client.get(f"{HERE}/games?limit=2").json
    ingest_bytes(fresh.extensions["store"], "game.json", one)
    rest = fresh_client.get(f"{HERE}/games?cursor={page['next']}").json
    found = [game["digest"] for game in page["games"] + rest["games"]]
    assert found == [codec.digest(codec.decode(each).record) for each in reversed(others)]


@pytest.mark.long
def test_many_records_are_stored_in_the_background(tmp_path, lines):
    app = create_app(data=tmp_path, testing=True, large_upload=1000, import_processes=0)
    client = app.test_client()
    answer = client.post(f"{HERE}/games", data=gzip.compress(lines), content_type=LINES)
    assert answer.status_code == 202
    assert answer.location == answer.json["progress"]
    wait_until(lambda: client.get(answer.json["progress"]).json["state"] == "done")
    assert len(client.get(f"{HERE}/games").json["games"]) == 5
    assert client.delete(f"{HERE}/sent/{answer.json['key']}").json == {"games": 5}
    close_app(app)


def test_a_position_has_its_choices_and_other_events_lead_elsewhere(client, stored, legal):
    place = f"{HERE}/games/{stored[:12]}/deals/1"
    position = client.get(f"{place}/position?step=0").json
    choice = next(each["event"] for each in position["choices"] if not each["recorded"])
    tried = client.post(f"{place}/what-if", json={"step": 0, "events": [choice]}).json
    assert tried["events"] == [choice]
    problem(
        client.post(f"{place}/what-if", json={"events": [choice, choice], "step": 0}),
        "unlawful-line",
    )
    ended = client.post(f"{place}/what-if", json={"step": 0, "finish": True}).json
    assert ended["why_none"] == "The deal is over."
    steps = client.get(f"{place}/frames?see=0").json["steps"]
    assert len(steps) == len(legal.deals[0].events) + 2
    assert not any(step["seats"][1]["hand"] for step in steps)
    seen = client.get(f"{HERE}/games/{stored[:12]}/record/redacted?seat=0&deal=1&step=0").json
    assert "events" not in seen["deals"][0]
    assert "meta" not in seen


def test_a_step_that_a_deal_does_not_have_is_refused(client, stored, legal):
    place, events = f"{HERE}/games/{stored[:12]}", len(legal.deals[0].events)
    deal = f"{place}/deals/1"
    last = len(client.get(f"{deal}/frames").json["steps"]) - 1
    for step in (0, events, last):  # the last is the settlement, which follows no event
        assert client.get(f"{deal}/position?step={step}").status_code == 200
        assert client.post(f"{deal}/what-if", json={"step": step}).status_code == 200
    for step in (last + 1, 9999):
        refused = problem(client.get(f"{deal}/position?step={step}"), "unlawful-line")
        assert refused["parameter"] == "step"
        assert refused["detail"] == f"Deal 1 ends at step {last}; there is no step {step}."
        for finish in (False, True):
            tried = {"step": step, "finish": finish}
            problem(client.post(f"{deal}/what-if", json=tried), "unlawful-line")
    redacted = f"{place}/record/redacted?seat=0&deal=1&step="
    assert client.get(f"{redacted}{events}").status_code == 200
    refused = problem(client.get(f"{redacted}{events + 1}"), "invalid-parameter")
    assert refused["parameter"] == "step"
    assert refused["detail"] == f"Deal 1 ends at step {events}; there is no step {events + 1}."


@pytest.mark.long
def test_an_annotation_is_made_as_a_job(fresh, fresh_client, legal):
    store_game(fresh, legal)
    place = f"{HERE}/games/{codec.digest(legal)[:12]}/annotation"
    problem(fresh_client.get(place), "not-annotated")
    problem(fresh_client.get(f"{place}/job"), "not-annotated")
    started = fresh_client.post(place)
    assert started.status_code == 202
    wait_until(lambda: fresh_client.get(started.location).json["state"] == "done")
    assert fresh_client.get(place).json["digest"] == codec.digest(legal)


@pytest.mark.slow
def test_a_deep_review_is_made_as_a_job(fresh, fresh_client, monkeypatch):
    record = play_game("marjolet", seed=3, style="casual", deals=1)
    store_game(fresh, record)
    place = f"{HERE}/games/{codec.digest(record)[:12]}/deep-review"
    problem(fresh_client.get(place), "not-weighed")
    problem(fresh_client.get(f"{place}/job"), "not-weighed")
    problem(fresh_client.post(place, json={"width": "wide"}), "invalid-body")
    monkeypatch.setattr("analyzer.review.deep_review.QUICK_WORLDS", 1)
    monkeypatch.setattr("analyzer.review.deep_review.LEAST_WORLDS", 2)
    started = fresh_client.post(place, json={"width": "quick", "seed": 5, "least": 30})
    assert started.status_code == 202
    wait_until(lambda: fresh_client.get(started.location).json["state"] == "done")
    review = msgspec.convert(fresh_client.get(place).json, GameReview)
    assert (review.digest, review.deals[0].deal) == (codec.digest(record), 0)
    assert (review.terms.worlds, review.terms.seed, review.terms.least) == (2, 5, 30)
    whole = fresh_client.get(place.replace("deep-review", "review")).json
    assert whole["stage"] == "weighed"
    assert len(whole["deals"][0]["decisions"]) >= len(review.deals[0].decisions)


@pytest.mark.long
def test_a_review_is_made_as_a_job_and_told_by_the_calls_before_it(fresh, fresh_client, legal):
    store_game(fresh, legal)
    place = f"{HERE}/games/{codec.digest(legal)[:12]}/review"
    problem(fresh_client.get(place), "not-reviewed")
    problem(fresh_client.get(f"{place}/job"), "not-reviewed")
    problem(fresh_client.post(place, json={"width": "wide"}), "invalid-body")
    started = fresh_client.post(place, json={"width": "exact"})
    assert started.status_code == 202
    wait_until(lambda: fresh_client.get(started.location).json["state"] == "done")
    review = msgspec.convert(fresh_client.get(place).json, GameReview)
    assert review.stage == "exact"
    annotation = fresh_client.get(place.replace("review", "annotation")).json
    assert annotation == msgspec.json.decode(msgspec.json.encode(annotation_of(review)))
    problem(fresh_client.get(place.replace("review", "deep-review")), "not-weighed")


def test_a_collection_that_is_only_read_takes_no_annotation(client, stored, app, monkeypatch):
    monkeypatch.setattr(app.extensions["store"], "read_only", True)
    problem(client.post(f"{HERE}/games/{stored}/annotation"), "not-allowed")


@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
def test_a_long_answer_is_compressed(client, stored, encoding):
    path = f"{HERE}/games/{stored}/report"
    plain = client.get(path).data
    packed = client.get(path, headers={"Accept-Encoding": encoding})
    assert packed.headers["Content-Encoding"] == encoding
    expand = gzip.decompress if encoding == "gzip" else zstandard.ZstdDecompressor().decompress
    assert expand(packed.data) == plain


def test_rates_are_told(tmp_path):
    app = create_app(data=tmp_path, testing=True, ratelimit_uploads="2 per minute")
    client = app.test_client()
    answers = [client.post(f"{HERE}/validate", data="{}", content_type=JSON) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[0].headers["RateLimit-Policy"] == '"uploads";q=2;w=60'
    assert re.fullmatch(r'"uploads";r=1;t=\d+', answers[0].headers["RateLimit"])
    assert "Retry-After" not in answers[0].headers
    problem(answers[2], "too-many-requests")
    assert 0 < int(answers[2].headers["Retry-After"]) <= 60
    close_app(app)


@pytest.fixture
def site(open_site) -> Flask:
    return open_site(allowed_origins=["https://viewer.example.org"])


@pytest.mark.long
def test_only_tokens_count(site, legal):
    admin = Browser(site).log_in()
    assert admin.get("/backup").status_code == 200
    assert admin.get(HERE).json["role"] == "visitor"
    folder = site.config["DATA"]
    body = {"data": codec.encode(legal), "content_type": JSON}
    roles = {"read": False, "upload": True, "admin": True}
    for scope, may_store in roles.items():
        program = Program(site, token=logins.add_token(folder, scope, scope))
        assert ("upload" in program.get(HERE).json["may"]) == may_store
        headers = program.headers
        answer = program.client.post(f"{HERE}/games", base_url=SITE, headers=headers, **body)
        assert answer.status_code == (200 if may_store else 403)
        if not may_store:
            problem(answer, "not-allowed")
    problem(Program(site, token="a guess").get(HERE), "unknown-token")
    digest = codec.digest(legal)
    problem(admin.ask("DELETE", f"{HERE}/games/{digest}"), "not-allowed")
    assert program.ask("DELETE", f"{HERE}/games/{digest}").status_code == 204
    assert "Set-Cookie" not in program.get(HERE).headers


def test_the_sender_takes_back_what_was_sent(site, legal):
    visitor = site.test_client(use_cookies=False)
    body = {"data": codec.encode(legal), "content_type": JSON}
    sent = visitor.post(f"{HERE}/games", base_url=SITE, **body).json
    assert visitor.delete(f"{HERE}/sent/nothing", base_url=SITE).status_code == 404
    assert visitor.delete(f"{HERE}/sent/{sent['key']}", base_url=SITE).json == {"games": 1}
    assert visitor.get(f"{HERE}/games", base_url=SITE).json["games"] == []


def test_pages_of_allowed_origins_may_ask_and_others_change_nothing(site, client):
    def ask(method: str, origin: str, path: str = HERE, **headers: str):
        return site.test_client().open(
            path, method=method, base_url=SITE, headers={"Origin": origin, **headers}
        )

    allowed = "https://viewer.example.org"
    asked = {"Access-Control-Request-Method": "POST"}
    preflight = ask("OPTIONS", allowed, f"{HERE}/games", **asked)
    assert preflight.status_code == 200
    assert preflight.headers["Access-Control-Allow-Origin"] == allowed
    assert "Authorization" in preflight.headers["Access-Control-Allow-Headers"]
    assert "Access-Control-Allow-Credentials" not in preflight.headers
    assert ask("GET", allowed).headers["Access-Control-Allow-Origin"] == allowed
    problem(ask("POST", allowed, f"{HERE}/games"), "unsupported-media-type")
    for origin in ("https://evil.example", "null", "http://viewer.example.org"):
        assert "Access-Control-Allow-Origin" not in ask("GET", origin).headers
        assert "Access-Control-Allow-Origin" not in ask("OPTIONS", origin, **asked).headers
        problem(ask("POST", origin, f"{HERE}/games"), "foreign-origin")
    assert "Access-Control-Allow-Origin" not in ask("GET", allowed, "/games").headers
    # On a server that is not public whoever sits there may do everything: no page of another site may do it for them.
    forged = client.delete(f"{HERE}/games/0123456789ab", headers={"Origin": "https://evil.example"})
    problem(forged, "foreign-origin")
    own = client.delete(f"{HERE}/games/0123456789ab", headers={"Origin": "http://localhost"})
    problem(own, "not-found")


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("https://Viewer.example.org", "https://viewer.example.org"),
        ("https://viewer.example.org/", "https://viewer.example.org"),
        ("http://localhost:3000", "http://localhost:3000"),
        ("http://[::1]:3000", "http://[::1]:3000"),
        ("https://viewer.example.org:443", "https://viewer.example.org"),
        ("https://viewer.example.org/path", ""),
        ("viewer.example.org", ""),
        ("https://user@viewer.example.org", ""),
        ("null", ""),
        ("*", ""),
        ("https://x:y", ""),
    ],
)
def test_an_origin_is_read_as_browsers_write_it(text, origin):
    assert read_origin(text) == origin


def test_addresses_begin_with_the_path_of_the_site(client, stored):
    here = {"environ_overrides": {"SCRIPT_NAME": "/club"}}
    assert client.get(f"{HERE}/openapi.json", **here).json["servers"] == [{"url": "/club"}]
    assert client.get(f"{HERE}/sheets", **here).json["sheets"][0]["address"].startswith("/club/api")
    assert client.get(f"{HERE}/nothing", **here).json["instance"] == "/club/api/v1/nothing"
    assert mask_keys(f"DELETE {HERE}/sent/secret") == f"DELETE {HERE}/sent/…"


def test_a_form_is_no_record_for_the_older_address_either(client, legal: Record):
    form = {"file": (BytesIO(codec.encode(legal)), "game.json")}
    assert client.post("/api/validate", data=form).status_code == 415
