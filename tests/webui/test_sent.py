"""The private link of an upload: its sender watches, stops, discards and deletes it, and nobody else does."""

import io
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from records.format import codec
from records.selfplay import play_game
from tests.machine.waiting import wait_until
from tests.webui.held_imports import held_imports
from tests.webui.public_site import SITE, Browser, Program, key_of, old_link
from webui.server import logins, private_links
from webui.server.private_links import new_link_key, upload_id

GAMES = 20


@pytest.fixture
def site(open_site) -> Flask:
    return open_site(large_upload=30_000, import_processes=0, ratelimit_enabled=False)


@pytest.fixture(scope="module")
def lines() -> bytes:
    games = [codec.encode(play_game("marjolet", seed=seed)) for seed in range(GAMES)]
    return b"\n".join([*games, b"{}"]) + b"\n"


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    with held_imports(2_000) as gate:
        yield gate


def upload(browser: Browser | Program, data: bytes, name: str = "season.jsonl") -> str:
    """The private link of a large upload, without the host."""
    answer = browser.post("/", form="/", files=(io.BytesIO(data), name))
    assert answer.status_code == 303, answer.text
    assert answer.location.startswith("/sent/")
    return answer.location


def upload_small(browser: Browser, *games: bytes) -> str:
    """The private link of a small upload, without the host; empty if it stored nothing."""
    page = browser.post("/", form="/", record=b"\n".join(games).decode()).text
    found = re.search(rf'href="(/sent/[^"]+)">{SITE}/sent/', page)
    return found[1] if found else ""


def shown(link: str) -> str:
    """Where a browser that has the link is shown the upload."""
    return link.partition("#")[0]


def wait(browser: Browser | Program, address: str, state: str) -> None:
    wait_until(lambda: browser.get(f"{address}/progress.json").json["state"] == state, pause=0.05)


@pytest.mark.long
def test_only_the_sender_and_the_admin_stop_an_import(site, lines, gate):
    sender, stranger, admin = Browser(site), Browser(site), Browser(site).log_in()
    link = shown(upload(sender, lines))
    (listed,) = stranger.get("/imports.json").json
    public = f"/imports/{listed['id']}"
    for act in ("stop", "resume", "discard"):
        assert stranger.post(f"{public}/{act}").status_code == 403
        assert sender.post(f"{public}/{act}").status_code == 403, (
            "the public id gives nobody a right"
        )
        assert stranger.post(f"/sent/{listed['id']}/{act}").status_code == 404
    assert sender.post(f"{link}/delete").status_code == 409
    assert sender.post(f"{link}/stop").status_code == 303
    gate.set()
    wait(sender, link, "stopped")
    assert "Continue" in sender.get(link).text
    assert "Continue" not in stranger.get(public).text
    assert admin.post(f"{public}/resume", form=public).status_code == 303
    wait(sender, link, "done")


@pytest.mark.long
def test_nothing_that_strangers_see_has_the_key_or_the_names(site, lines):
    sender, stranger = Browser(site), Browser(site)
    link = upload(sender, lines, "Annas-secret.jsonl")
    wait(sender, shown(link), "done")
    key = key_of(link)
    (listed,) = stranger.get("/imports.json").json
    assert listed["id"] == upload_id(key)
    for path in (
        "/",
        "/imports",
        "/imports.json",
        f"/imports/{listed['id']}",
        f"/imports/{listed['id']}.json",
    ):
        page = stranger.get(path).text
        assert key not in page, path
        assert "Annas-secret" not in page, path
        assert "line 21" not in page, path
    assert "Annas-secret.jsonl" in sender.get(link).text
    assert "Annas-secret.jsonl, line 21" in sender.get(link).text
    for path in (site.config["DATA"] / "uploads").rglob("*"):
        assert key not in str(path)
        assert path.is_dir() or key.encode() not in path.read_bytes()
    assert site.extensions["store"].rows("SELECT DISTINCT job FROM imports").rows == [
        (listed["id"],)
    ]


@pytest.mark.long
def test_the_sender_deletes_what_the_upload_stored_and_nothing_else(site, lines):
    first, second = Browser(site), Browser(site)
    games = lines.splitlines()[:GAMES]
    small = shown(upload_small(first, *games[:3]))
    link = shown(upload(second, lines))
    wait(second, link, "done")
    store = site.extensions["store"]
    assert store.counts().games == GAMES
    assert len(second.get(f"{link}.json").json["games"]) == GAMES - 3
    assert f"Delete {GAMES - 3} games" in second.get(link).text
    assert second.post(f"{link}/delete").status_code == 303
    assert store.counts().games == 3
    assert store.counts().rejected == 0
    assert len(first.get(f"{small}.json").json["games"]) == 3
    assert "Nothing that this upload stored is left" in second.get(link).text
    assert first.post(f"{small}/delete").status_code == 303
    assert store.counts().games == 0


@pytest.mark.long
def test_a_small_upload_has_a_link_if_it_stored_something(site, lines):
    sender = Browser(site)
    game = lines.splitlines()[0]
    link = upload_small(sender, game)
    assert sender.get(link).status_code == 200
    assert "Whoever has it can delete this upload" in sender.get(link).text, "nothing goes on"
    assert sender.get(link).headers["Cache-Control"] == "no-store"
    assert upload_small(Browser(site), game) == "", "it was stored already, by somebody else"
    admin = Browser(site).log_in()
    assert upload_small(admin, lines.splitlines()[1]) == "", "the admin needs no link"
    assert Browser(site).get("/sent/guess").status_code == 404
    assert sender.get("/sent/guess.json").status_code == 404


@pytest.mark.long
def test_a_program_controls_the_uploads_whose_link_it_has(site, lines, tmp_path):
    first = Program(site, token=logins.add_token(tmp_path, "first", "upload"))
    second = Program(site, token=logins.add_token(tmp_path, "second", "upload"))
    link = old_link(upload(first, lines))
    wait(first, link, "done")
    (listed,) = second.get("/imports.json").json
    assert second.post(f"/imports/{listed['id']}/discard").status_code == 403
    assert second.post(f"/sent/{listed['id']}/delete").status_code == 404
    assert first.post(f"{link}/delete").status_code == 303
    assert site.extensions["store"].counts().games == 0


PAGE = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
"""What a browser says when somebody goes to an address."""


@pytest.fixture
def private(site, lines) -> tuple[str, Browser]:
    """The link of a private upload, and the browser that sent it."""
    sender = Browser(site, **PAGE)
    answer = sender.post("/", form="/", record=lines.splitlines()[0].decode(), private="1")
    return str(answer.location), sender


@pytest.mark.long
def test_a_link_leads_to_its_upload_in_every_browser_that_has_it(site, private):
    link, sender = private
    address = shown(link)
    assert f"{SITE}{link}" in sender.get(address).text, "the sender can copy the link"
    other = Browser(site, **PAGE)
    asked = other.get(f"{address}/records/1/deals/1?step=3")
    assert "Open a private link" in asked.text
    for given in (f"{SITE}{link}", key_of(link), f" {SITE}{old_link(link)}/records/1?step=2 "):
        other = Browser(site, **PAGE)
        assert other.open_link(given) == address
        assert "Private games" in other.get(address).text
        assert other.get("/sent.json").json == {"uploads": [upload_id(key_of(link))]}
    wanted = f"{address}/records/1/deals/1?step=3"
    answer = Browser(site).post("/sent/open", form="/sent", link=link, next=wanted)
    assert answer.location == wanted
    replay = other.get(wanted).text
    assert f"step=3#{key_of(link)}" in replay, "the link that Share offers opens by itself"


@pytest.mark.sampled(5)
@pytest.mark.long
@pytest.mark.parametrize("wanted", ["//evil.example", "/sent/", "https://evil.example/sent/", "/\\evil.example", "/admin"])  # fmt: skip
def test_a_link_leads_nowhere_else(site, private, wanted):
    link, _ = private
    answer = Browser(site).post("/sent/open", form="/sent", link=link, next=wanted)
    assert answer.location == shown(link)


@pytest.mark.long
@pytest.mark.parametrize("given", ["", "nothing", "#", "/sent/", "https://club.example.org/sent#", "#" + "x" * 5000])  # fmt: skip
def test_what_is_no_link_is_told(site, private, given):
    answer = Browser(site).post("/sent/open", form="/sent", link=given)
    assert answer.status_code == 404
    assert "No upload has this link" in answer.text


@pytest.mark.long
def test_the_public_id_opens_nothing(site, private):
    link, _ = private
    public, stranger = shown(link), Browser(site)
    assert stranger.post("/sent/open", form="/sent", link=f"{SITE}{public}").status_code == 404
    for path in ("", ".json", "/records/1", "/records/1.json", "/records/1/deals/1.json"):
        assert stranger.get(public + path).status_code == 404
        asked = Browser(site, **PAGE).get(public + path)
        assert (asked.status_code, "Open a private link" in asked.text) == (200, True)


@pytest.mark.long
def test_links_of_earlier_versions_lead_to_the_address_without_the_key(site, private):
    link, _ = private
    old, other = old_link(link), Browser(site, **PAGE)
    for path in ("", "/records/1", "/records/1/deals/1?step=3"):
        answer = Browser(site, **PAGE).get(old + path)
        assert (answer.status_code, answer.location) == (303, shown(link) + path)
    assert other.get(old).status_code == 303
    assert other.get(shown(link)).status_code == 200
    program = Browser(site)
    assert program.get(f"{old}.json").json["private"] == 1
    assert program.get(f"{old}/records/1/record.json").status_code == 200


@pytest.mark.slow
def test_no_page_names_a_key_in_a_path(site, lines, private):
    """What a page leads to is logged by proxies, and told to them in the Referer of what comes next."""
    link, sender = private
    links = {link, upload_small(sender, lines.splitlines()[1]), upload(sender, lines)}
    wait(sender, shown(upload(sender, lines + b"\n")), "done")
    address = shown(link)
    pages = [shown(each) for each in links]
    pages += ["/", "/sent", "/imports", f"{address}/records/1", f"{address}/records/1/deals/1"]
    pages += [f"{address}/records/1/deals/1/what-if?step=2", f"{address}/records/1.json"]
    for page in pages:
        answer = sender.get(page)
        assert answer.status_code == 200, page
        assert answer.headers["Referrer-Policy"] == "same-origin"
        for each in links:
            assert key_of(each) not in answer.text.replace(f"#{key_of(each)}", ""), page


def test_only_the_address_where_programs_take_uploads_back_has_a_key_in_its_path(site):
    """It is a promise of the interface; the examples of proxies log nothing there."""
    named = {str(rule) for rule in site.url_map.iter_rules() if "key" in rule.arguments}
    assert named == {"/api/v1/sent/<key>"}


def test_the_script_of_a_link_opens_what_is_a_key_and_no_place_in_the_page():
    script = (Path(private_links.__file__).parents[1] / "static/js/private_link.js").read_text()
    pattern = re.search(r"^const KEY = /(.+)/;$", script, re.MULTILINE)
    assert pattern is not None
    for _ in range(100):
        assert re.search(pattern[1], f"#{new_link_key()}", re.ASCII)
    for other in ("", "#", "#main", "#opened", f"#{new_link_key()}x", f"#{new_link_key()[1:]}"):
        assert not re.search(pattern[1], other, re.ASCII)


NAMES_WITH_A_MEANING = ("endpoint", "values", "_anchor", "_method", "_scheme", "_external", "self", "sent", "number", "deal")  # fmt: skip
"""What a query may name, and `url_for` takes for an argument of its own or for a part of the path."""


def addresses_of_upload(app: Flask, sent: str) -> list[str]:
    """Every address of an upload that answers GET, and of its first record and deal."""
    adapter = app.url_map.bind("localhost")
    known = {"sent": sent, "number": 1, "deal": 1, "content": "a"}
    return [
        adapter.build(rule.endpoint, {part: known[part] for part in rule.arguments})
        for rule in app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and "sent" in rule.arguments
    ]


@pytest.mark.long
def test_an_old_link_leads_on_with_its_query_as_it_came(site, private):
    link, _ = private
    upload = upload_id(key_of(link))
    addresses = addresses_of_upload(site, key_of(link))
    assert len(addresses) > 8
    for address in addresses:
        for query in [f"{name}=x%20y" for name in NAMES_WITH_A_MEANING] + [
            "_external=1",
            "a=1&a=2",
        ]:
            answer = Browser(site, **PAGE).get(f"{address}?{query}", buffered=True)
            wanted = address.replace(key_of(link), upload)
            assert (answer.status_code, answer.location) == (303, f"{wanted}?{query}")


@pytest.mark.slow
def test_no_query_sends_a_reader_to_another_host_or_fails(site, private):
    """Of every address that answers GET, those that lead on among them."""
    adapter = site.url_map.bind("localhost")
    known = {"number": 1, "deal": 1, "game": "bezique", "chapter": "format", "sheet_id": "bezique"}
    led = 0
    for rule in site.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or not {*rule.arguments} <= {*known}:
            continue
        address = adapter.build(rule.endpoint, {part: known[part] for part in rule.arguments})
        for name in NAMES_WITH_A_MEANING:
            answer = Browser(site, **PAGE).get(f"{address}?{name}=x", buffered=True)
            assert answer.status_code != 500, (address, name)
            if answer.location:
                led += 1
                assert re.match(r"/(?!/)", answer.location), (address, name)
    assert led


@pytest.mark.long
def test_what_programs_get_by_an_old_link_does_not_name_the_key(site, private):
    link, _ = private
    for accept in ("*/*", "application/json"):
        program = Browser(site, Accept=accept)
        for address in addresses_of_upload(site, key_of(link)):
            answer = program.get(address, buffered=True)
            assert answer.status_code in (200, 303, 400, 404), address
            assert key_of(link) not in answer.text, address
            assert key_of(link) not in str(answer.headers), address


@pytest.mark.long
def test_an_upload_that_was_deleted_is_not_listed_any_more(site, lines):
    sender = Browser(site, **PAGE)
    kept, gone = (
        str(sender.post("/", form="/", record=game.decode(), private="1").location)
        for game in lines.splitlines()[:2]
    )
    for link in (kept, gone):
        sender.open_link(link)
    assert sender.get("/sent.json").json["uploads"] == [
        upload_id(key_of(each)) for each in (kept, gone)
    ]
    sender.post(f"{shown(gone)}/delete", form=shown(gone))
    assert sender.get("/sent.json").json == {"uploads": [upload_id(key_of(kept))]}
    for page in (
        sender.get("/sent"),
        sender.get("/sent/unknown"),
        sender.post("/sent/open", form="/sent", link="nothing"),
    ):
        assert upload_id(key_of(kept)) in page.text
        assert upload_id(key_of(gone)) not in page.text
