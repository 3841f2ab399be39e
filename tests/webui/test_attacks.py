"""What strangers try: other names and addresses, other people's links, forms of other sites, logs and caches."""

import io
import logging
import re

import pytest
from flask import Flask
from werkzeug import security

from records.format import codec
from records.selfplay import play_game
from tests.webui.public_site import (
    PASSWORD,
    SITE,
    Browser,
    Program,
    key_of,
)
from webui.server import logins
from webui.server.private_links import upload_id

RECORD = codec.encode(play_game("zique", seed=1)).decode()


@pytest.fixture
def site(open_site) -> Flask:
    return open_site(
        ratelimit_logins="1000 per minute", ratelimit_uploads="1000 per minute",
        large_upload=30_000, import_processes=0,
    )  # fmt: skip


def send(app: Flask, **more: str) -> str:
    """The private link of an upload."""
    answer = Browser(app).post("/", form="/", record=RECORD, **more)
    found = re.search(r'href="(/sent/[^"]+)">', answer.text)
    return answer.location or (found[1] if found else "")


NAMES = {
    "CLUB.Example.org": 200,
    "club.example.org.": 200,
    "club.example.org:8443": 200,
    "club.example.org.:443": 200,
    "[::1]": 200,
    "127.0.0.1:8000": 200,
    "evil@club.example.org": 421,
    "club.example.org@evil.example": 421,
    "club.example.org/evil": 421,
    "club.example.org?x=": 421,
    "club.example.org#x": 421,
    "club.example.org\\@evil.example": 421,
    "club.example.org, evil.example": 421,
    "club.example.org:80:90": 421,
    "club.example.org..": 421,
    ".": 421,
    "a..b": 421,
    f"{'x' * 300}.example.org": 421,
    "xclub.example.org": 421,
    "[::1]evil.example": 421,
    "[club.example.org]": 421,
    "[::ffff:203.0.113.7]": 421,
    "2130706433.example": 421,
    "": 421,
}


@pytest.mark.sampled(20)
@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_no_other_name_passes_for_that_of_the_site(site, name):
    answer = site.test_client().get("/rules", base_url=SITE, headers={"Host": name})
    assert answer.status_code == NAMES[name]
    assert "evil" not in answer.text


@pytest.mark.parametrize(
    ("name", "headers", "peer"),
    [
        ("127.0.0.1:8000", {"X-Forwarded-For": "203.0.113.7"}, "127.0.0.1"),
        ("127.0.0.1:8000", {"X-Forwarded-For": "127.0.0.1"}, "127.0.0.1"),
        ("club.example.org", {"X-Forwarded-For": "203.0.113.7", "X-Forwarded-Host": "localhost"}, "127.0.0.1"),
        ("localhost", {}, "203.0.113.7"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("proxies", [0, 1])
def test_who_comes_from_elsewhere_is_not_of_this_machine(open_site, name, headers, peer, proxies):
    app = open_site(behind_proxy=proxies)
    client = app.test_client()
    answer = client.get(
        "/rules",
        base_url="http://club.example.org",
        headers={"Host": name, **headers},
        environ_base={"REMOTE_ADDR": peer},
    )
    assert answer.status_code in (403, 421)


@pytest.mark.long
def test_a_log_names_no_private_link(site, caplog, monkeypatch):
    """Links of earlier versions have the key in their path."""
    key = key_of(send(site))
    assert key
    link = f"/sent/{key}"

    def fail(sent: str) -> None:
        raise RuntimeError(f"cannot read /sent/{sent}")

    monkeypatch.setitem(site.view_functions, "sent.show", fail)
    site.config.update(TESTING=False, PROPAGATE_EXCEPTIONS=False)
    assert Browser(site).get(link).status_code == 500
    logging.getLogger("waitress").error("Exception while serving %s", f"{link}.json")
    logging.getLogger("waitress").error("cannot go to /login?next=%%2Fsent%%2F%s", key)
    assert caplog.text.count("/sent/…") >= 3
    assert "cannot read" in caplog.text
    assert key not in caplog.text


def test_no_address_shows_whose_a_request_is(site, tmp_path):
    """A token and a password are taken from nowhere but a header and a form: addresses are logged and passed on."""
    token = logins.add_token(tmp_path, "steward", "admin")
    visitor = Browser(site)
    for name in ("token", "access_token", "bearer", "key", "Authorization", "password", "admin"):
        assert visitor.get(f"/backup?{name}={token}").status_code == 403
        assert visitor.post(f"/login?{name}={PASSWORD}").status_code == 403
    assert Program(site, token=token).get("/backup").status_code == 200


@pytest.mark.long
def test_pages_for_one_reader_stay_in_no_cache(site):
    given, admin = [send(site), send(site, private="1")], Browser(site).log_in()
    link, own = (admin.open_link(each) for each in given)
    private = [link, f"{link}.json", own, f"{own}/records/1", f"{own}/records/1/record.json", f"{own}/records/1/deals/1", f"{own}/records/9", "/sent/none", "/sent", "/login", "/backup", "/backup.json"]  # fmt: skip
    for address in private:
        assert admin.get(address).headers["Cache-Control"] == "no-store", address
    assert admin.post("/backup", form="/backup").headers["Cache-Control"] == "no-store"
    for address in [*private, "/", "/games"]:
        answer = admin.get(address)
        assert answer.headers["Referrer-Policy"] == "same-origin", address
        assert "public" not in answer.headers.get("Cache-Control", ""), address
        assert "Cookie" in answer.headers["Vary"], address


def test_a_session_cannot_be_fixed_beforehand(site):
    """Whoever plants a cookie in the admin's browser knows nothing of the session after the login."""
    thief, admin = Browser(site), Browser(site)
    thief.get("/login")
    planted = thief.client.get_cookie("__Host-bezique", "club.example.org")
    assert planted is not None
    admin.client.set_cookie(
        planted.key, planted.value, domain="club.example.org", secure=True, httponly=True
    )
    admin.log_in()
    changed = admin.client.get_cookie("__Host-bezique", "club.example.org")
    assert changed is not None
    assert changed.value != planted.value
    assert admin.get("/backup").status_code == 200
    assert thief.get("/backup").status_code == 403
    with thief.client.session_transaction(base_url=SITE) as session:
        session["admin"] = "guessed"
    assert thief.get("/backup").status_code == 403


def unsafe_addresses(app: Flask) -> list[str]:
    """The addresses under a private link that change something."""
    return sorted(
        str(rule)
        for rule in app.url_map.iter_rules()
        if str(rule).startswith("/sent/<sent>") and "POST" in (rule.methods or ())
    )


@pytest.fixture
def stopped(site) -> str:
    """The link of an import that was stopped before it began."""
    site.extensions["imports"].close()  # nothing is begun any more
    lines = b"\n".join(codec.encode(play_game("marjolet", seed=seed)) for seed in range(8))
    link = Browser(site).post("/", form="/", files=(io.BytesIO(lines), "a.jsonl")).location
    job = site.extensions["imports"].job(upload_id(key_of(link)))
    job.end("stopped", "")
    return str(link)


@pytest.mark.slow
def test_what_a_link_allows_needs_the_link_and_a_form(site, stopped, tmp_path):
    """Nobody gets anywhere with the public id, with another's link, or with a form of another site."""
    key, other = key_of(stopped), send(site)
    job = site.extensions["imports"].job(upload_id(key))
    before = {path: path.read_bytes() for path in tmp_path.rglob("uploads/**/*") if path.is_file()}
    assert len(before) == 2
    people = {
        "stranger": Browser(site),
        "sender": Browser(site),
        "admin": Browser(site).log_in(),
        "program": Program(site, token=logins.add_token(tmp_path, "program", "upload")),
    }
    addresses = unsafe_addresses(site)
    assert len(addresses) == 6
    for address in addresses:
        for who, person in people.items():
            for wrong in (upload_id(key), f"{key}x", key[:-1], key.swapcase(), upload_id(upload_id(key))):  # fmt: skip
                answer = person.post(address.replace("<sent>", wrong))
                assert answer.status_code == 404, (who, address)
        client = people["sender"].client
        for headers in ({"Referer": f"{SITE}/"}, {"Referer": "https://evil.example/"}, {}):
            path = address.replace("<sent>", key)
            for data in ({}, {"csrf_token": "guessed"}):
                answer = client.post(path, base_url=SITE, headers=headers, data=data)
                assert answer.status_code == 400, address
        foreign = re.search(r'name="csrf_token" value="([^"]+)"', people["stranger"].get("/").text)
        assert foreign
        answer = client.post(path, base_url=SITE, headers={"Referer": f"{SITE}/"}, data={"csrf_token": foreign[1]})  # fmt: skip
        assert answer.status_code == 400, "that is the token of another session"
        assert client.get(path, base_url=SITE).status_code in (404, 405)
    after = {path: path.read_bytes() for path in tmp_path.rglob("uploads/**/*") if path.is_file()}
    assert after == before
    assert job.state == "stopped"
    assert (visitor := Browser(site)).get(visitor.open_link(other)).status_code == 200


def test_a_password_is_compared_at_the_same_cost_however_wrong(site, monkeypatch):
    """What a guess costs says nothing of how near it is: every one is hashed whole."""
    checked: list[str] = []
    check = security.check_password_hash
    monkeypatch.setattr(
        security, "check_password_hash", lambda hashed, given: (checked.append(given), check(hashed, given))[1]
    )  # fmt: skip
    for guess in ("", "x", PASSWORD[:-1], PASSWORD.upper(), f"{PASSWORD} ", PASSWORD):
        Browser(site).post("/login", password=guess)
    assert len(checked) == 6


def test_guesses_are_counted_whatever_else_a_request_says(open_site):
    """Neither other headers, cookies nor spellings of the address give a client more guesses."""
    app = open_site(wtf_csrf_enabled=False)
    tried = []
    for number in range(12):
        client = app.test_client()
        more = {
            "X-Forwarded-For": f"203.0.113.{number}", "X-Real-IP": f"203.0.113.{number}", "Forwarded": f"for=203.0.113.{number}",
            "Host": ("club.example.org", "CLUB.example.org:443", "club.example.org.")[number % 3],
        }  # fmt: skip
        path = f"/login?{number}" if number % 2 else "/login"
        tried.append(client.post(path, base_url=SITE, headers=more, data={"password": f"guess {number}"}).status_code)  # fmt: skip
    assert tried == [403] * 5 + [429] * 7
