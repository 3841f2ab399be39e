"""Who may what: every address, safe and unsafe, asked by everybody, on every kind of server."""

import re
import time
from pathlib import Path

import pytest
from flask import Flask
from msgspec.structs import replace

from records.format import codec
from records.selfplay import play_game
from tests.make.empty_store import with_empty_database
from tests.webui.address_table import TABLE, address_table
from tests.webui.public_site import LOCAL_KEY, PASSWORD, SITE, Browser, Program, public_site
from webui import application, create_app
from webui.application import close_app
from webui.server import logins
from webui.server.logins import PasswordError, set_password
from webui.server.page import UndeclaredAddress, Views

KEEPING = ("control-imports", "copy", "run-evenings")
ADMINS = {"admin", "steward"}
PROGRAMS = {"reader", "uploader", "steward"}
VISITORS = {"nobody", "stranger"}

PUBLIC = {
    "look": VISITORS | PROGRAMS | {"admin", "command"},
    "read": VISITORS | PROGRAMS | {"admin", "command"},
    "validate": VISITORS | PROGRAMS | {"admin"},
    "upload": VISITORS | {"uploader"} | ADMINS,
    "rollouts": {"uploader"} | ADMINS,
    "use-link": VISITORS | PROGRAMS | {"admin"},
    **dict.fromkeys(KEEPING, ADMINS),
    "delete": {*ADMINS, "command"},
    "rename": {*ADMINS, "command"},
    "correct": {*ADMINS, "command"},
    "keep-rulebooks": {*ADMINS, "command"},
    "copy-by-key": {"command"},
    "measure": PROGRAMS | {"admin"},
    "log-in": VISITORS | {"admin"},
    "log-out": {"admin"},
}
READ_ONLY = {**PUBLIC, "validate": PROGRAMS | {"admin"}, "upload": {"uploader"} | ADMINS}
CHECK_ONLY = {**READ_ONLY, "read": PROGRAMS | {"admin", "command"}, "validate": PUBLIC["validate"]}
GENEROUS = {**PUBLIC, "rollouts": VISITORS | {"uploader"} | ADMINS}
LOOPBACK = {
    "look": {"person", "reader", "uploader", "steward", "command"},
    "read": {"person", *PROGRAMS, "command"},
    "validate": {"person", *PROGRAMS},
    "upload": {"person", "uploader", "steward"},
    "rollouts": {"person", "uploader", "steward"},
    "use-link": {"person", *PROGRAMS},
    **{action: {"person", "steward"} for action in KEEPING},
    "delete": {"person", "steward", "command"},
    "rename": {"person", "steward", "command"},
    "correct": {"person", "steward", "command"},
    "keep-rulebooks": {"person", "steward", "command"},
    "copy-by-key": {"command"},
    "measure": {"person", *PROGRAMS},
    "log-in": {"person"},
    "log-out": set(),
}
SITES = {
    "public": ({}, PUBLIC),
    "public, read-only": ({"visitors_may": ["read"]}, READ_ONLY),
    "public, for checking": ({"visitors_may": ["validate"]}, CHECK_ONLY),
    "public, with roll-outs": ({"visitors_may": ["read", "validate", "upload", "rollouts"]}, GENEROUS),
    "behind a proxy": ({"behind_proxy": 1}, PUBLIC),
    "loopback": ({"public": False}, LOOPBACK),
}  # fmt: skip


def expected_of(expected: dict[str, set[str]], action: str, address: str) -> set[str]:
    """Who may ask for an address of this action; no cookie counts where programs ask."""
    allowed = expected[action]
    of_programs = address.startswith("/api/v1") and not allowed >= VISITORS
    return allowed - {"admin"} if of_programs else allowed


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
            app, token=logins.add_token(folder, role, scope), site=SITE if public else site
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


@pytest.mark.long
def test_every_address_is_in_the_table(app):
    """Whoever changes who may what sees it here; `python -m tests.webui.address_table` writes the table anew."""
    assert TABLE.read_text(encoding="utf-8") == address_table(app)


def test_an_address_that_says_not_who_may_ask_for_it_cannot_be(tmp_path, monkeypatch):
    undeclared = Views("late", __name__)
    undeclared.get("/late")(lambda: "reached")
    monkeypatch.setattr(application, "VIEWS", (undeclared,))
    with pytest.raises(UndeclaredAddress, match="late"):
        create_app(data=with_empty_database(tmp_path), testing=True)


def test_an_address_added_later_is_refused_to_everybody(fresh):
    fresh.add_url_rule("/late", "late", lambda: "reached")
    assert fresh.test_client().get("/late").status_code == 403


@pytest.mark.slow
@pytest.mark.parametrize("kind", SITES)
def test_every_address_is_asked_by_everybody(open_site, tmp_path, kind):
    settings, expected = SITES[kind]
    app = open_site(wtf_csrf_enabled=False, ratelimit_enabled=False, **settings)
    people = everybody(app, tmp_path)
    # Whoever passes the gate reaches a view: what the views do is no matter here.
    app.view_functions = dict.fromkeys(app.view_functions, lambda **_: "reached")
    wrong = []
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        action, _, method, address = line.split()
        for who, person in people.items():
            answer = person.ask(method, sampled(address))
            reached = answer.text == "reached"
            assert reached or answer.status_code == 403
            if reached is not (who in expected_of(expected, action, address)):
                wrong.append((who, line, answer.status_code))
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


@pytest.mark.long
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


@pytest.mark.long
def test_a_public_server_answers_to_its_names_over_https(open_site):
    app = open_site(site_hosts=["club.example.org", "Bezique.example.com"])
    client = app.test_client()
    for site, status in (
        (SITE, 200),
        ("https://bezique.example.com:8443", 200),
        ("https://other.example.org", 421),
        ("http://club.example.org", 403),
        ("http://localhost", 200),
    ):
        assert client.get("/", base_url=site).status_code == status, site


@pytest.mark.long
def test_a_command_asks_by_the_address_that_the_server_listens_on(open_site):
    app = open_site()
    command = Program(app, key=LOCAL_KEY, site="http://192.168.1.5:8000")
    assert command.post("/local/backup").status_code == 200
    assert command.get("/games").status_code == 200
    assert command.post("/evenings").status_code == 403
    guess = Program(app, key="a guess", site="http://192.168.1.5:8000")
    assert guess.post("/local/backup").status_code == 403


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
def site(open_site) -> Flask:
    return open_site(ratelimit_logins="1000 per minute")


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


def test_every_form_needs_its_token(site):
    admin, unguarded = Browser(site).log_in(), set()
    forms = {str(rule) for rule in site.url_map.iter_rules() if "POST" in rule.methods}
    assert {"/login", "/backup", "/games/<digest>/delete", "/sent/<sent>/delete"} <= forms
    for address in forms:
        answer = admin.client.post(sampled(address), base_url=SITE, headers={"Referer": f"{SITE}/"})
        if answer.status_code != 400 or "token" not in answer.text:
            unguarded.add(address)
    for_programs = {each for each in forms if each.startswith(("/api/", "/local/"))}
    reading = {"/games/<digest>/notes/record.json", "/record/file", "/record/next"}
    by_secret = {
        "/together",
        "/together/<link>",
    }  # the first tells a secret, without which the second does nothing
    assert unguarded | {"/record/next"} == for_programs | reading | by_secret, "they change nothing"


@pytest.mark.long
def test_passwords_cannot_be_tried_for_long(open_site):
    app = open_site()
    browser = Browser(app)
    tried = [browser.post("/login", password=f"guess {number}").status_code for number in range(7)]
    assert tried == [403] * 5 + [429] * 2


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
    later = time.monotonic() + logins.ADMIN_SESSION_SECONDS
    monkeypatch.setattr(logins.time, "monotonic", lambda: later - 60)
    assert browser.get("/backup").status_code == 200
    monkeypatch.setattr(logins.time, "monotonic", lambda: later + 1)
    assert browser.get("/backup").status_code == 403


@pytest.mark.long
def test_a_new_password_ends_every_session(site):
    browser = Browser(site).log_in()
    set_password(site.config["DATA"], "another long password")
    assert browser.get("/backup").status_code == 403
    assert browser.post("/login", password=PASSWORD).status_code == 403
    assert browser.post("/login", password="another long password").status_code == 303
    assert browser.get("/backup").status_code == 200


@pytest.mark.long
def test_a_password_is_stored_as_a_hash_for_its_owner_only(tmp_path):
    set_password(tmp_path / "data", PASSWORD)
    path = tmp_path / "data" / "admin-password"
    assert path.read_text().startswith("scrypt:32768:8:1$")
    assert PASSWORD not in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600
    assert [name.name for name in path.parent.iterdir()] == ["admin-password"]
    with pytest.raises(PasswordError, match="12 to 1,000 characters"):
        set_password(tmp_path, "too short")


@pytest.mark.long
def test_tokens_work_while_the_server_runs(site, tmp_path):
    record = codec.encode(play_game("zique", seed=1))
    secret = logins.add_token(tmp_path, "reader", "read")
    reader = Program(site, token=secret)
    assert reader.get("/games.jsonl").status_code == 200
    assert reader.post("/", record=record).status_code == 403
    uploader = Program(site, token=logins.add_token(tmp_path, "uploader", "upload"))
    assert uploader.post("/", record=record).status_code == 200, "programs need no token of a form"
    digest = codec.digest(codec.decode(record).record)
    assert uploader.post(f"/games/{digest}/delete").status_code == 403
    steward = Program(site, token=logins.add_token(tmp_path, "steward", "admin"))
    assert len(steward.post("/backup").data) > 100_000
    assert steward.post(f"/games/{digest}/delete").status_code == 303
    assert site.extensions["store"].counts().games == 0
    logins.revoke_token(tmp_path, "reader")
    refused = reader.get("/games.jsonl")
    assert refused.status_code == 401
    assert refused.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_token_decides_and_the_cookie_does_not(site, tmp_path):
    admin = Browser(site).log_in()
    admin.headers = {"Authorization": f"Bearer {logins.add_token(tmp_path, 'reader', 'read')}"}
    assert admin.get("/backup").status_code == 403
    admin.headers = {"Authorization": "Bearer bezique_guessed"}
    assert admin.get("/games").status_code == 401
    admin.headers = {"Authorization": "Basic dXNlcjpwYXNz"}
    assert admin.get("/backup").status_code == 200, "that is the proxy's own password"


def test_tokens_are_stored_as_hashes_for_their_owner_only(tmp_path):
    secrets = [logins.add_token(tmp_path, f"token {number}", "admin") for number in range(3)]
    path = tmp_path / "tokens.json"
    assert path.stat().st_mode & 0o777 == 0o600
    assert not any(secret in path.read_text() for secret in secrets)
    assert len(set(secrets)) == 3
    for number, secret in enumerate(secrets):
        found = logins.find_token(tmp_path, secret)
        assert found is not None
        assert (found.name, found.scope) == (f"token {number}", "admin")
    assert logins.find_token(tmp_path, found.sha256) is None, "a hash is no token"
    path.write_text("[{")
    with pytest.raises(logins.TokenError):
        logins.find_token(tmp_path, secrets[0])


@pytest.mark.long
def test_broken_tokens_let_nobody_in(site, tmp_path):
    secret = logins.add_token(tmp_path, "reader", "read")
    (tmp_path / "tokens.json").write_text("{}")
    assert Program(site, token=secret).get("/games").status_code == 401
    assert Browser(site).get("/games").status_code == 200


@pytest.mark.long
def test_a_visitor_checks_a_record_that_is_not_stored(open_site):
    app = open_site(visitors_may=["read", "validate"])
    browser = Browser(app)
    page = browser.get("/").text
    assert 'action="/check"' in page
    record = codec.encode(play_game("zique", seed=1)).decode()
    answer = browser.post("/check", form="/", record=record)
    assert "Legal" in answer.text
    assert "It was not stored." in answer.text
    assert app.extensions["store"].counts().games == 0


@pytest.mark.long
def test_who_may_not_read_is_not_told_who_played_a_known_game(open_site):
    app = open_site(visitors_may=["validate", "upload"])
    record = play_game("zique", seed=1)
    stored, other = (
        codec.encode(replace(record, meta={"event": event})).decode()
        for event in ("Cleopatra's cup", "Evening")
    )
    Browser(app).post("/", form="/", record=stored)
    answer = Browser(app).post("/", form="/", record=other)
    assert "This game is already stored." in answer.text
    assert "Cleopatra" not in answer.text


@pytest.mark.long
@pytest.mark.parametrize(
    ("work", "extension", "sent"),
    [("luck", "rollouts", {"rollouts": "20"}), ("weighing", "weighing", {"width": "quick"})],
)
def test_work_on_a_game_is_stopped_by_who_started_it_or_by_the_admin(
    open_site, work, extension, sent
):
    app = open_site(visitors_may=["read", "upload", "rollouts"])
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
