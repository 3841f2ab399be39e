"""Who may what: every address, safe and unsafe, asked by everybody, on every kind of server."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from msgspec.structs import replace

from records import codec
from records.record import Player
from records.selfplay import play_game
from tests.webui.public_site import LOCAL_KEY, PASSWORD, SITE, Browser, Program, public_site
from webui import create_app
from webui.access import admin_sessions, tokens
from webui.access.actions import ENDPOINT_ACTIONS
from webui.access.password import PasswordError, set_password
from webui.application import close_app

OPEN = """
GET /
GET /api
GET /api.json
GET /api/v1
GET /api/v1/openapi.json
GET /api/v1/schemas
GET /api/v1/schemas/<name>
GET /api/v1/sheets
GET /api/v1/sheets/<sheet>
GET /docs
GET /docs.json
GET /docs/<name>
GET /docs/<name>.json
GET /examples/<game>/deals/<int:deal>
GET /examples/<game>/deals/<int:deal>.json
GET /examples/<game>/deals/<int:deal>.png
GET /examples/<game>/deals/<int:deal>.svg
GET /examples/<game>/deals/<int:deal>/review
GET /examples/<game>/deals/<int:deal>/what-if
GET /examples/<game>/deals/<int:deal>/what-if.json
GET /examples/<game>/deals/<int:deal>/what-if.png
GET /examples/<game>/deals/<int:deal>/what-if/record.json
GET /examples/<game>/deals/<int:deal>/what-if/values
GET /examples/<game>/record.json
GET /favicon.ico
GET /findings
GET /findings.json
GET /findings/<code>
GET /findings/<code>.json
GET /findings/<code>/sample.json
GET /glossary
GET /glossary.json
GET /health/live
GET /health/ready
GET /plotly-<number>.min.js
GET /reviews
GET /reviews.json
GET /rules
GET /rules.json
GET /rules/<sheet_id>
GET /rules/<sheet_id>.json
GET /rules/<sheet_id>/form
GET /rules/<sheet_id>/form.json
GET /rules/compare
GET /rules/compare.json
GET /series.css
GET /spec
GET /spec.json
GET /spec/<chapter>
GET /spec/<chapter>.json
GET /spec/<chapter>.md
GET /spec/<folder>/
GET /spec/<schema_name>.schema.json
GET /spec/conformance/<file>
GET /spec/samples
GET /spec/samples/<folder>/<file>
GET /spec/samples/index.json
GET /spec/sheets/<sheet_id>.json
GET /static/<path:filename>
GET /version
"""
READING = """
GET /embed/games/<digest>/deals/<int:deal>
GET /embed/games/<digest>/deals/<int:deal>.json
GET /explore
GET /explore.csv
GET /explore.json
GET /explore/figure.json
GET /explore/values/<name>.json
GET /events
GET /events.json
GET /games
GET /games.csv
GET /games.json
GET /games.jsonl
GET /games.jsonl.gz
GET /games/<digest>
GET /games/<digest>.json
GET /games/<digest>/deals/<int:deal>
GET /games/<digest>/deals/<int:deal>.json
GET /games/<digest>/deals/<int:deal>.png
GET /games/<digest>/deals/<int:deal>.svg
GET /games/<digest>/deals/<int:deal>.txt
GET /games/<digest>/deals/<int:deal>/expectancy.json
GET /games/<digest>/drill
GET /games/<digest>/drill.json
GET /games/<digest>/deals/<int:deal>/what-if
GET /games/<digest>/deals/<int:deal>/what-if.json
GET /games/<digest>/deals/<int:deal>/what-if.png
GET /games/<digest>/deals/<int:deal>/what-if/record.json
GET /games/<digest>/deals/<int:deal>/what-if/values
GET /games/<digest>/doubts
GET /games/<digest>/doubts.json
GET /games/<digest>/record.json
GET /games/<digest>/report.json
GET /games/<digest>/review
GET /games/<digest>/review.json
GET /games/<digest>/review.txt
GET /games/<digest>/review/choices.json
GET /games/<digest>/review/luck.json
GET /games/<digest>/review/weighing.json
GET /games/<digest>/review/weighing/found
GET /games/<digest>/notes
GET /games/<digest>/notes.json
POST /games/<digest>/notes/record.json
GET /imports
GET /imports.json
GET /imports/<upload>
GET /imports/<upload>.json
GET /index.json
GET /player
GET /player/drill
GET /player/drill.json
GET /player.json
GET /player/<part>/figure.json
GET /player/rating.json
GET /players
GET /players.csv
GET /players.json
GET /players/compare
GET /players/compare.json
GET /sql
GET /sql.csv
GET /sql.json
GET /crosstable.csv
GET /standings
GET /standings.csv
GET /standings.json
GET /statistics
GET /statistics.json
GET /statistics/<name>
GET /statistics/<name>.csv
GET /statistics/<name>.json
GET /statistics/<name>/figure.json
GET /statistics/expectancy/<sheet_id>
GET /statistics/expectancy/<sheet_id>.json
GET /statistics/expectancy/<sheet_id>/figure.json
GET /statistics/sheets/<sheet_id>
GET /statistics/sheets/<sheet_id>.json
GET /verdicts
GET /verdicts.json
"""
CHECKING = """
POST /api/validate
POST /check
GET /replay
GET /replay.json
GET /replay/review
GET /replay/what-if
GET /replay/what-if.json
GET /replay/what-if/record.json
GET /replay/what-if/values
"""
UPLOADING = "POST /"
ROLLING_OUT = """
POST /games/<digest>/review/luck
POST /games/<digest>/review/luck/stop
POST /games/<digest>/review/weighing
POST /games/<digest>/review/weighing/stop
"""
LINKS = """
POST /games/<digest>/notes
GET /sent
GET /sent.json
GET /sent/<sent>
GET /sent/<sent>.json
GET /sent/<sent>/progress.json
GET /sent/<sent>/records/<int:number>
GET /sent/<sent>/records/<int:number>.json
GET /sent/<sent>/records/<int:number>/deals/<int:deal>
GET /sent/<sent>/records/<int:number>/deals/<int:deal>.json
GET /sent/<sent>/records/<int:number>/deals/<int:deal>/review
GET /sent/<sent>/records/<int:number>/deals/<int:deal>/what-if
GET /sent/<sent>/records/<int:number>/deals/<int:deal>/what-if.json
GET /sent/<sent>/records/<int:number>/deals/<int:deal>/what-if/record.json
GET /sent/<sent>/records/<int:number>/deals/<int:deal>/what-if/values
GET /sent/<sent>/records/<int:number>/record.json
GET /sent/<sent>/records/<int:number>/review.txt
POST /sent/<sent>/delete
POST /sent/<sent>/discard
POST /sent/<sent>/resume
POST /sent/<sent>/stop
POST /sent/open
"""
KEEPING = """
GET /backup
GET /backup.json
POST /backup
GET /games/<digest>/delete
GET /games/<digest>/delete.json
POST /games/<digest>/delete
POST /imports/<upload>/discard
POST /imports/<upload>/resume
POST /imports/<upload>/stop
"""
COMMANDS = "POST /local/backup"
WATCHING = "GET /metrics"
LOGGING_IN = """
GET /login
GET /login.json
POST /login
"""
LOGGING_OUT = "POST /logout"
INTERFACE_READING = """
GET /api/v1/explore
GET /api/v1/games
GET /api/v1/games/<digest>
GET /api/v1/games/<digest>/annotation
POST /api/v1/games/<digest>/annotation
GET /api/v1/games/<digest>/annotation/job
GET /api/v1/games/<digest>/deep-review
GET /api/v1/games/<digest>/deep-review/job
GET /api/v1/games/<digest>/deals/<int:deal>/frames
GET /api/v1/games/<digest>/deals/<int:deal>/position
POST /api/v1/games/<digest>/deals/<int:deal>/what-if
GET /api/v1/games/<digest>/identified
GET /api/v1/games/<digest>/record
GET /api/v1/games/<digest>/record/redacted
GET /api/v1/games/<digest>/report
GET /api/v1/games/records
GET /api/v1/imports/<upload>
POST /api/v1/sql
GET /api/v1/sql/tables
GET /api/v1/statistics
GET /api/v1/statistics/<name>
"""
INTERFACE_CHECKING = """
POST /api/v1/identify
POST /api/v1/redact
POST /api/v1/validate
"""
INTERFACE_UPLOADING = "POST /api/v1/games"
INTERFACE_ROLLING_OUT = """
POST /api/v1/games/<digest>/annotation/luck
POST /api/v1/games/<digest>/deep-review
"""
INTERFACE_LINKS = "DELETE /api/v1/sent/<key>"
INTERFACE_KEEPING = "DELETE /api/v1/games/<digest>"
LIKE_PAGES = {
    INTERFACE_READING: READING,
    INTERFACE_CHECKING: CHECKING,
    INTERFACE_UPLOADING: UPLOADING,
    INTERFACE_ROLLING_OUT: ROLLING_OUT,
    INTERFACE_LINKS: LINKS,
    INTERFACE_KEEPING: KEEPING,
}
"""What the interface for programs offers is for those who may ask the like pages; but its admin is who has a token."""
GROUPS = (
    OPEN, READING, CHECKING, UPLOADING, ROLLING_OUT, LINKS, KEEPING, COMMANDS, WATCHING, LOGGING_IN, LOGGING_OUT,
    *LIKE_PAGES,
)  # fmt: skip
"""Every address by what it is for. A new one must be entered here by hand, and in the table of actions."""

ADMINS = {"admin", "steward"}
PROGRAMS = {"reader", "uploader", "steward"}
VISITORS = {"nobody", "stranger"}

PUBLIC = {
    OPEN: VISITORS | PROGRAMS | {"admin", "command"},
    READING: VISITORS | PROGRAMS | {"admin"},
    CHECKING: VISITORS | PROGRAMS | {"admin"},
    UPLOADING: VISITORS | {"uploader"} | ADMINS,
    ROLLING_OUT: {"uploader"} | ADMINS,
    LINKS: VISITORS | PROGRAMS | {"admin"},
    KEEPING: ADMINS,
    COMMANDS: {"command"},
    WATCHING: PROGRAMS | {"admin"},
    LOGGING_IN: VISITORS | {"admin"},
    LOGGING_OUT: {"admin"},
}
READ_ONLY = {**PUBLIC, CHECKING: PROGRAMS | {"admin"}, UPLOADING: {"uploader"} | ADMINS}
CHECK_ONLY = {**READ_ONLY, READING: PROGRAMS | {"admin"}, CHECKING: PUBLIC[CHECKING]}
GENEROUS = {**PUBLIC, ROLLING_OUT: VISITORS | {"uploader"} | ADMINS}
LOOPBACK = {
    OPEN: {"person", "reader", "uploader", "steward", "command"},
    READING: {"person", *PROGRAMS},
    CHECKING: {"person", *PROGRAMS},
    UPLOADING: {"person", "uploader", "steward"},
    ROLLING_OUT: {"person", "uploader", "steward"},
    LINKS: {"person", *PROGRAMS},
    KEEPING: {"person", "steward"},
    COMMANDS: {"command"},
    WATCHING: {"person", *PROGRAMS},
    LOGGING_IN: {"person"},
    LOGGING_OUT: set(),
}
SITES = {
    "public": ({}, PUBLIC),
    "public, read-only": ({"visitors_may": ["read"]}, READ_ONLY),
    "public, for checking": ({"visitors_may": ["validate"]}, CHECK_ONLY),
    "public, with roll-outs": ({"visitors_may": ["read", "validate", "upload", "rollouts"]}, GENEROUS),
    "behind a proxy": ({"behind_proxy": 1}, PUBLIC),
    "loopback": ({"public": False}, LOOPBACK),
}  # fmt: skip


def expected_of(expected: dict[str, set[str]], group: str) -> set[str]:
    """Who may ask a group of addresses; no cookie counts where programs ask."""
    if group not in LIKE_PAGES:
        return expected[group]
    allowed = expected[LIKE_PAGES[group]]
    return allowed if allowed >= VISITORS else allowed - {"admin"}


def requests_of(app: Flask) -> set[str]:
    """Every method of every address; what words a part of an address may not be is no part of its name."""
    return {
        re.sub(r"<other\(.*?\):", "<", f"{method} {rule}")
        for rule in app.url_map.iter_rules()
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }


def sampled(address: str) -> str:
    """An address of a rule, at which nothing is stored."""
    address = (
        address.replace("<int:deal>", "1")
        .replace("<int:number>", "1")
        .replace("<sheet_id>", "bezique")
    )
    return re.sub(r"<[^>]*>", "none", address)


def everybody(app: Flask, folder: Path) -> dict[str, Browser | Program]:
    scopes = {"reader": "read", "uploader": "upload", "steward": "admin"}
    public, proxies = app.config["PUBLIC"], app.config["BEHIND_PROXY"]
    site = "http://localhost" if not public else "http://club.example.org" if proxies else SITE
    said = {"X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https"} if proxies else {}
    found: dict[str, Browser | Program] = {
        role: Program(
            app, token=tokens.add_token(folder, role, scope), site=SITE if public else site
        )
        for role, scope in scopes.items()
    }
    found["command"] = Program(app, key=LOCAL_KEY, site="http://127.0.0.1")
    if not public:
        return {**found, "person": Browser(app, site)}
    browsers = {name: Browser(app, site, **said) for name in ("nobody", "stranger", "admin")}
    browsers["stranger"].get("/login")  # now has a cookie
    browsers["admin"].site = browsers["stranger"].site = site
    log_in(browsers["admin"])
    return {**found, **browsers}


def log_in(browser: Browser) -> None:
    if "X-Forwarded-Proto" in browser.headers:
        browser.client.environ_base.update({"HTTP_REFERER": f"{SITE}/"})
    answer = browser.post("/login", password=PASSWORD)
    assert answer.status_code == 303, answer.text


def test_every_address_is_in_the_table(app):
    assert set(app.view_functions) == set(ENDPOINT_ACTIONS)
    listed = [line for group in GROUPS for line in group.split("\n") if line]
    assert sorted(listed) == sorted(requests_of(app))


@pytest.mark.parametrize("kind", SITES)
def test_every_address_is_asked_by_everybody(tmp_path, kind):
    settings, expected = SITES[kind]
    app = public_site(tmp_path, wtf_csrf_enabled=False, ratelimit_enabled=False, **settings)
    people = everybody(app, tmp_path)
    # Whoever passes the gate reaches a view: what the views do is no matter here.
    app.view_functions = dict.fromkeys(app.view_functions, lambda **_: "reached")
    wrong = []
    for group in GROUPS:
        for line in filter(None, group.split("\n")):
            method, _, address = line.partition(" ")
            for who, person in people.items():
                answer = person.ask(method, sampled(address))
                reached = answer.text == "reached"
                assert reached or answer.status_code == 403
                if reached is not (who in expected_of(expected, group)):
                    wrong.append((who, line, answer.status_code))
    close_app(app)
    assert wrong == []


FOREIGN = [
    ("http://club.example.org", {}, 421),
    ("http://localhost.example.org", {}, 421),
    ("http://127.0.0.1.example.org", {}, 421),
    ("http://10.0.0.1", {}, 421),
    ("http://localhost", {"X-Forwarded-For": "203.0.113.7"}, 403),
    ("http://localhost", {"Forwarded": "for=203.0.113.7"}, 403),
    ("http://localhost", {"Via": "1.1 proxy"}, 403),
    ("http://localhost", {"X-Real-IP": "203.0.113.7"}, 403),
]


@pytest.mark.parametrize(("site", "headers", "status"), FOREIGN)
def test_a_server_that_is_not_public_answers_only_to_its_own_machine(
    tmp_path, site, headers, status
):
    app = create_app(data=tmp_path, testing=True)
    for path in ("/", "/games", "/backup", "/static/css/tokens.css", "/nothing"):
        answer = app.test_client().get(path, base_url=site, headers=headers)
        assert answer.status_code == status, path
        assert "serve --public" in answer.text
    far = {"REMOTE_ADDR": "203.0.113.7"}
    assert app.test_client().get("/", environ_base=far).status_code == 403
    for own in ("localhost:8000", "127.0.0.1:8000", "127.1.2.3", "[::1]:8000", "LOCALHOST."):
        assert app.test_client().get("/", base_url=f"http://{own}").status_code == 200, own
    close_app(app)


def test_a_public_server_answers_to_its_names_over_https(tmp_path):
    app = public_site(tmp_path, site_hosts=["club.example.org", "Bezique.example.com"])
    client = app.test_client()
    for site, status in (
        (SITE, 200),
        ("https://bezique.example.com:8443", 200),
        ("https://other.example.org", 421),
        ("http://club.example.org", 403),
        ("http://localhost", 200),
    ):
        assert client.get("/", base_url=site).status_code == status, site
    close_app(app)


def test_a_command_asks_by_the_address_that_the_server_listens_on(tmp_path):
    app = public_site(tmp_path)
    command = Program(app, key=LOCAL_KEY, site="http://192.168.1.5:8000")
    assert command.post("/local/backup").status_code == 200
    assert command.get("/games").status_code == 403
    guess = Program(app, key="a guess", site="http://192.168.1.5:8000")
    assert guess.post("/local/backup").status_code == 403
    close_app(app)


def test_a_public_server_needs_a_password(tmp_path):
    with pytest.raises(PasswordError, match="bezique admin password"):
        create_app(data=tmp_path, public=True, site_hosts=["club.example.org"])


def test_the_cookie_of_a_public_server_is_secure(tmp_path):
    app = public_site(tmp_path / "https")
    (cookie,) = app.test_client().get("/login", base_url=SITE).headers.getlist("Set-Cookie")
    assert cookie.startswith("__Host-bezique=")
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=Lax"} <= set(cookie.split("; "))
    assert "Domain" not in cookie
    close_app(app)
    app = public_site(tmp_path / "http", plain_http=True)
    client = app.test_client()
    (cookie,) = client.get("/login", base_url="http://club.example.org").headers.getlist(
        "Set-Cookie"
    )
    assert "Secure" not in cookie
    close_app(app)


@pytest.fixture
def site(tmp_path) -> Iterator[Flask]:
    app = public_site(tmp_path, ratelimit_logins="1000 per minute")
    yield app
    close_app(app)


def test_the_admin_logs_in_and_out(site):
    browser = Browser(site)
    refused = browser.get("/backup")
    assert refused.status_code == 403
    assert 'href="/login?next=/backup"' in refused.text
    wrong = browser.post("/login", password="a wrong password")
    assert wrong.status_code == 403
    assert "That is not the password." in wrong.text
    assert browser.get("/backup").status_code == 403
    done = browser.post("/login", form="/login?next=/backup", password=PASSWORD, next="/backup")
    assert (done.status_code, done.location) == (303, "/backup")
    page = browser.get("/backup")
    assert page.status_code == 200
    assert "Log out" in page.text
    assert browser.post("/logout", form="/backup").status_code == 303
    assert browser.get("/backup").status_code == 403


@pytest.mark.parametrize(
    "elsewhere",
    [
        "https://evil.example",
        "//evil.example",
        "/\\evil.example",
        "/\\[",
        "//[",
        "http://[",
        "javascript:x",
        "",
    ],
)
def test_logging_in_leads_to_no_other_site(site, elsewhere):
    done = Browser(site).post("/login", password=PASSWORD, next=elsewhere)
    assert (done.status_code, done.location) == (303, "/")


def test_logging_in_needs_the_token_of_its_form(site):
    answer = site.test_client().post(
        "/login", base_url=SITE, data={"password": PASSWORD}, headers={"Referer": f"{SITE}/"}
    )
    assert answer.status_code == 400


def test_passwords_cannot_be_tried_for_long(tmp_path):
    app = public_site(tmp_path)
    browser = Browser(app)
    tried = [browser.post("/login", password=f"guess {number}").status_code for number in range(7)]
    assert tried == [403] * 5 + [429] * 2
    close_app(app)


def test_a_copied_cookie_is_worth_nothing_after_the_log_out(site):
    browser = Browser(site).log_in()
    cookie = browser.client.get_cookie("__Host-bezique", "club.example.org")
    assert cookie is not None
    copy = f"{cookie.key}={cookie.value}"
    thief = site.test_client(use_cookies=False)
    assert thief.get("/backup", base_url=SITE, headers={"Cookie": copy}).status_code == 200
    browser.post("/logout", form="/backup")
    assert thief.get("/backup", base_url=SITE, headers={"Cookie": copy}).status_code == 403


def test_a_session_ends_after_a_while(site, monkeypatch):
    browser = Browser(site).log_in()
    later = time.monotonic() + admin_sessions.ADMIN_SESSION_SECONDS
    monkeypatch.setattr(admin_sessions.time, "monotonic", lambda: later - 60)
    assert browser.get("/backup").status_code == 200
    monkeypatch.setattr(admin_sessions.time, "monotonic", lambda: later + 1)
    assert browser.get("/backup").status_code == 403


def test_a_new_password_ends_every_session(site):
    browser = Browser(site).log_in()
    set_password(site.config["DATA"], "another long password")
    assert browser.get("/backup").status_code == 403
    assert browser.post("/login", password=PASSWORD).status_code == 403
    assert browser.post("/login", password="another long password").status_code == 303
    assert browser.get("/backup").status_code == 200


def test_a_password_is_stored_as_a_hash_for_its_owner_only(tmp_path):
    set_password(tmp_path / "data", PASSWORD)
    path = tmp_path / "data" / "admin-password"
    assert path.read_text().startswith("scrypt:32768:8:1$")
    assert PASSWORD not in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600
    assert [name.name for name in path.parent.iterdir()] == ["admin-password"]
    with pytest.raises(PasswordError, match="12 to 1,000 characters"):
        set_password(tmp_path, "too short")


def test_tokens_work_while_the_server_runs(site, tmp_path):
    record = codec.encode(play_game("zique", seed=1))
    secret = tokens.add_token(tmp_path, "reader", "read")
    reader = Program(site, token=secret)
    assert reader.get("/games.jsonl").status_code == 200
    assert reader.post("/", record=record).status_code == 403
    uploader = Program(site, token=tokens.add_token(tmp_path, "uploader", "upload"))
    assert uploader.post("/", record=record).status_code == 200, "programs need no token of a form"
    digest = codec.digest(codec.decode(record).record)
    assert uploader.post(f"/games/{digest}/delete").status_code == 403
    steward = Program(site, token=tokens.add_token(tmp_path, "steward", "admin"))
    assert len(steward.post("/backup").data) > 100_000
    assert steward.post(f"/games/{digest}/delete").status_code == 303
    assert site.extensions["store"].counts().games == 0
    tokens.revoke_token(tmp_path, "reader")
    refused = reader.get("/games.jsonl")
    assert refused.status_code == 401
    assert refused.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_token_decides_and_the_cookie_does_not(site, tmp_path):
    admin = Browser(site).log_in()
    admin.headers = {"Authorization": f"Bearer {tokens.add_token(tmp_path, 'reader', 'read')}"}
    assert admin.get("/backup").status_code == 403
    admin.headers = {"Authorization": "Bearer bezique_guessed"}
    assert admin.get("/games").status_code == 401
    admin.headers = {"Authorization": "Basic dXNlcjpwYXNz"}
    assert admin.get("/backup").status_code == 200, "that is the proxy's own password"


def test_tokens_are_stored_as_hashes_for_their_owner_only(tmp_path):
    secrets = [tokens.add_token(tmp_path, f"token {number}", "admin") for number in range(3)]
    path = tmp_path / "tokens.json"
    assert path.stat().st_mode & 0o777 == 0o600
    assert not any(secret in path.read_text() for secret in secrets)
    assert len(set(secrets)) == 3
    for number, secret in enumerate(secrets):
        found = tokens.find_token(tmp_path, secret)
        assert found is not None
        assert (found.name, found.scope) == (f"token {number}", "admin")
    assert tokens.find_token(tmp_path, found.sha256) is None, "a hash is no token"
    path.write_text("[{")
    with pytest.raises(tokens.TokenError):
        tokens.find_token(tmp_path, secrets[0])


def test_broken_tokens_let_nobody_in(site, tmp_path):
    secret = tokens.add_token(tmp_path, "reader", "read")
    (tmp_path / "tokens.json").write_text("{}")
    assert Program(site, token=secret).get("/games").status_code == 401
    assert Browser(site).get("/games").status_code == 200


def test_a_visitor_checks_a_record_that_is_not_stored(tmp_path):
    app = public_site(tmp_path, visitors_may=["read", "validate"])
    browser = Browser(app)
    page = browser.get("/").text
    assert 'action="/check"' in page
    record = codec.encode(play_game("zique", seed=1)).decode()
    answer = browser.post("/check", form="/", record=record)
    assert "Legal" in answer.text
    assert "It was not stored." in answer.text
    assert app.extensions["store"].counts().games == 0
    close_app(app)


def test_who_may_not_read_is_not_told_who_played_a_known_game(tmp_path):
    app = public_site(tmp_path, visitors_may=["validate", "upload"])
    record = play_game("zique", seed=1)
    (stored, other) = (
        codec.encode(replace(record, players=[Player(name=name), *record.players[1:]])).decode()
        for name in ("Cleopatra", "Clio")
    )
    Browser(app).post("/", form="/", record=stored)
    answer = Browser(app).post("/", form="/", record=other)
    assert "This game is already stored." in answer.text
    assert "Cleopatra" not in answer.text
    close_app(app)


@pytest.mark.parametrize(
    ("work", "extension", "sent"),
    [("luck", "rollouts", {"rollouts": "20"}), ("weighing", "weighing", {"width": "quick"})],
)
def test_work_on_a_game_is_stopped_by_who_started_it_or_by_the_admin(
    tmp_path, work, extension, sent
):
    app = public_site(tmp_path, visitors_may=["read", "upload", "rollouts"])
    browser, stranger, admin = Browser(app), Browser(app), Browser(app).log_in()
    record = play_game("zique", seed=1)
    browser.post("/", form="/", record=codec.encode(record).decode())
    address = f"/games/{codec.digest(record)}/review/{work}"
    queue = app.extensions[extension]
    queue.close()  # nothing is begun any more: they wait for ever
    for stopper, stopped in ((stranger, False), (browser, True), (admin, True)):
        assert browser.post(address, form="/", **sent).status_code == 303
        answer = stopper.post(f"{address}/stop", form="/login" if stopper is not admin else "/")
        assert (answer.status_code == 303) is stopped
        job = queue.job(codec.digest(record))
        assert (job.stopping or job.state == "stopped") is stopped
    close_app(app)
