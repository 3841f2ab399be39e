"""A private upload: its link shows everything, and nothing else shows anything."""

import gzip
import io
import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask
from msgspec.structs import replace

from records.format import codec
from records.rules.registry import sheet_key
from records.selfplay import play_game
from tests.make.own_rulebooks import own_game
from tests.webui.public_site import Browser, key_of, public_site
from webui.application import close_app

pytestmark = pytest.mark.long

MARK = "Xanthippe"
"""The name of a player that stands nowhere else."""


FIXED = (
    "/favicon.ico",
    "/examples/",
    "/static/",
    "/rules",
    "/findings",
    "/glossary",
    "/spec",
    "/plotly",
    "/reviews",
    "/replay",
)


@pytest.fixture(scope="module")
def record() -> bytes:
    game = play_game("bezique", seed=3, names=[MARK, f"{MARK} II"])
    game = replace(game, deals=game.deals[:1], result=None)
    return codec.encode(replace(game, meta={"event": f"{MARK} Cup", "site": f"{MARK} Hall"}))


@pytest.fixture
def site(open_site) -> Flask:
    return open_site(
        ratelimit_logins="1000 per minute", ratelimit_uploads="1000 per minute",
        ratelimit_private="1000 per minute", ratelimit_sql="1000 per minute", ratelimit_reviews="1000 per minute",
        visitors_may=["read", "validate", "upload", "rollouts"],
    )  # fmt: skip


def upload(browser: Browser, *records: bytes) -> str:
    """The private link."""
    file = (io.BytesIO(b"\n".join(records)), f"{MARK}.jsonl")
    answer = browser.post("/", form="/", private="1", files=file)
    assert answer.status_code == 303, answer.text
    return answer.location


def followed(browser: Browser, start: str) -> dict[str, str]:
    """The texts of every address that links lead to, once for each set of parameters.

    Pages that are the same whatever is stored are left out.
    """
    found: dict[str, str] = {}
    seen, left = {start}, [start]
    while left:
        address = left.pop()
        answer = browser.get(address)
        assert answer.status_code == 200, address
        data = (
            gzip.decompress(answer.data)
            if address.partition("?")[0].endswith(".gz")
            else answer.data
        )
        found[address] = f"{answer.headers} {data.decode()}"
        if answer.mimetype != "text/html":
            continue
        for link in re.findall(r'href="(/[^"]*)', answer.text):
            parts = urlsplit(unescape(link))
            kind = f"{parts.path} {sorted(parse_qs(parts.query))}"
            if not link.startswith(FIXED) and kind not in seen:
                seen.add(kind)
                left.append(unescape(link).partition("#")[0])
    return found


def test_nobody_can_have_the_choices_of_a_private_game_weighed(site, record):
    """Deep reviews are stored with a game, and a private one is stored nowhere."""
    browser = Browser(site)
    upload(browser, record)
    digest = codec.digest(codec.decode(record).record)
    for address in (
        f"/games/{digest}/review",
        f"/games/{digest}/drill",
        f"/games/{digest}/review/choices.json",
    ):
        assert browser.get(address).status_code == 404
    weighing = browser.post(f"/games/{digest}/review/weighing", form="/", width="quick")
    assert weighing.status_code == 404
    started = browser.post(f"/api/v1/games/{digest}/deep-review", form="/")
    assert started.status_code in (400, 404, 415)
    assert not site.extensions["weighing"].job(digest)


def test_the_link_leads_to_everything(site, record):
    link = upload(Browser(site), record, b"{}")
    friend = Browser(site)
    shown = friend.open_link(link)
    page = friend.get(shown)
    assert MARK in page.text
    assert page.headers["X-Robots-Tag"] == "noindex, nofollow"
    own = f"{shown}/records/1"
    assert friend.get(f"{own}/record.json").data == record
    assert friend.get(f"{own}.json").json["report"]["verdict"] == "incomplete"
    assert MARK in friend.get(f"{own}/review.txt").text
    assert "only of games that everybody may see" in friend.get(own).text
    replay = friend.get(f"{own}/deals/1?step=5")
    assert "This game is private" in replay.text
    assert all(f"{own}/" in at for at in re.findall(r'<a href="([^"]*what-if[^"]*)"', replay.text))
    assert friend.get(f"{own}/deals/1.json").json["names"] == [MARK, f"{MARK} II"]
    assert friend.get(f"{own}/deals/1/what-if?step=5").status_code == 200
    assert friend.get(f"{own}/deals/99").status_code == 404
    assert friend.get(f"{shown}/records/2").status_code == 404, "the second was unreadable"


def test_the_rulebook_of_a_private_game_is_told_to_who_has_the_link_alone(site):
    game = own_game("zique", ("/rules/melds/bezique/points", 70))
    game.rules.options = {"dix": True}
    browser = Browser(site)
    upload(browser, codec.encode(game))
    (sent,) = browser.get("/sent.json").json["uploads"]
    page = browser.get(f"/sent/{sent}/records/1").text
    assert f'<a href="/sent/{sent}/records/1/rules">Ours</a>' in page
    told = browser.get(f"/sent/{sent}/records/1/rules")
    assert told.status_code == 200
    assert "a private game brings it along" in told.text
    assert "Shown with another choice" in told.text
    points = {
        meld["points"] for meld in browser.get(f"/sent/{sent}/records/1/rules.json").json["melds"]
    }
    assert 70 in points
    key = sheet_key(game.rules)
    assert key not in told.text
    assert browser.get(f"/rules/{key}").status_code == 404
    assert Browser(site).get(f"/sent/{sent}/records/1/rules").status_code == 404


def test_the_sender_reads_why_a_record_was_not_stored(site, record):
    def opened(*records: bytes) -> str:
        browser = Browser(site)
        return browser.get(browser.open_link(upload(Browser(site), *records))).text

    page = unescape(opened(record, b'{"format": "chess"}'))
    assert f"<b>{MARK}.jsonl, line 2</b>: " in page
    assert 'its <code>format</code> is "chess"' in page
    assert "Unreadable records" not in opened(record)


@pytest.mark.slow
def test_nothing_else_shows_a_trace(site, record):
    """Every page, JSON address, export and table, as a stranger and as the admin sees them."""
    sender = Browser(site)
    link = upload(sender, record, f'{{"format": "{MARK}"}}'.encode())
    key = key_of(link)
    public = play_game("zique", seed=1)
    public = replace(public, deals=public.deals[:1], result=None)
    sender.post("/", form="/", record=codec.encode(public).decode())
    digest = codec.decode(record).digest()
    admin = Browser(site).log_in()
    everything = followed(admin, "/")
    assert {"/statistics", "/players", "/imports", "/backup"} <= set(everything)
    for visitor, shown in ((admin, everything), (Browser(site), {})):
        for more in (
            "/", "/games", "/imports", "/players", "/index.json", "/games.json", "/games.jsonl", "/imports.json", "/players.json", "/api.json",
            f"/games?player={MARK}", f"/player.json?name={MARK}", "/explore/values/player.json",
            "/sql.csv?q=SELECT+*+FROM+games", "/sql.csv?q=SELECT+*+FROM+seats", "/sql.csv?q=SELECT+*+FROM+findings",
        ):  # fmt: skip
            shown[more] = visitor.get(more).text
        for address, text in shown.items():
            if MARK not in address:
                assert MARK not in text, address
            assert key not in text, address
            assert digest not in text, address
        assert visitor.get(f"/games/{digest}").status_code == 404
        assert visitor.get(f"/games.json?player={MARK}").json["total"] == 0
    store = site.extensions["store"]
    tables = [name for (name,) in store.rows("SELECT table_name FROM duckdb_tables()").rows]
    assert len(tables) > 8
    for table in tables:
        found = store.rows(
            f"SELECT count(*) FROM {table} AS t WHERE contains(t::VARCHAR, '{MARK}')"
        )
        assert found.rows == [(0,)], table
    copy = admin.post("/backup", form="/backup")
    assert copy.status_code == 200
    assert MARK.encode() not in copy.data
    assert str(digest).encode() not in copy.data
    assert all(key not in str(path) for path in site.config["DATA"].rglob("*"))


def test_it_is_deleted_by_its_link(site, record):
    sender = Browser(site)
    link = upload(sender, record, record).partition("#")[0]
    (kept,) = (site.config["DATA"] / "private").iterdir()
    assert kept.stat().st_mode & 0o077 == kept.parent.stat().st_mode & 0o077 == 0
    assert "Delete 2 games" in sender.get(link).text
    assert Browser(site).post(f"{link}x/delete").status_code == 404
    assert sender.post(f"{link}/delete").location == "/"
    assert "Deleted 2 games." in sender.get("/").text
    for gone in (link, f"{link}.json", f"{link}/records/1", f"{link}/records/1/deals/1.json"):
        assert sender.get(gone).status_code == 404
    assert not list((site.config["DATA"] / "private").iterdir())


def test_it_survives_the_server(site, record, tmp_path):
    link = upload(Browser(site), record)
    close_app(site)
    again = public_site(tmp_path)
    friend = Browser(again)
    assert MARK in friend.get(friend.open_link(link)).text
    close_app(again)


def test_what_cannot_be_kept_is_said(site, record):
    sender = Browser(site)
    answer = sender.post("/", form="/", private="1", record="{}")
    assert "It was not stored" in answer.text
    many = sender.post("/", form="/", private="1", record="\n".join(["{}"] * 101))
    assert many.status_code == 413
    assert "at most 100 records" in many.text
    assert sender.post("/", form="/", private="1").status_code == 400
    assert not (site.config["DATA"] / "private").exists()


@pytest.mark.long
@pytest.mark.parametrize("left", [0, 20])
def test_one_that_cannot_be_read_is_told_and_can_be_deleted(site, record, left):
    """Its sender uploads what else there is, and deletes it; nothing speaks of the games of the site."""
    sender = Browser(site)
    link = upload(sender, record).partition("#")[0]
    (kept,) = (site.config["DATA"] / "private").iterdir()
    kept.write_bytes(kept.read_bytes()[:left])
    assert upload(sender, record)
    shown = sender.get(link)
    assert (shown.status_code, "cannot be read" in shown.text) == (200, True)
    assert f'action="{link}/delete"' in shown.text
    assert sender.get(f"{link}.json").json["private"] is None
    for own in ("", ".json", "/record.json", "/review.txt", "/deals/1", "/deals/1.json"):
        answer = sender.get(f"{link}/records/1{own}")
        assert answer.status_code == 500
        assert "A file of the server is broken" in answer.text
        assert "games" not in re.sub(
            r"<(header|footer|nav).*?</\1>", "", answer.text, flags=re.DOTALL
        )
    assert sender.post(f"{link}/delete", form=link).status_code == 303
    assert "Deleted the upload." in sender.get("/").text
    assert sender.get(link).status_code == 404
