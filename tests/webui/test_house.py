"""Every response: headers, errors, secrets, the chart script, the card symbols."""

import gzip
import re
from collections.abc import Iterator
from dataclasses import fields
from functools import partial
from html import unescape
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
import zstandard
from jinja2 import nodes
from markupsafe import escape
from werkzeug.test import TestResponse

from analyzer.store.store import QueryTimeout
from records.cards import RANKS, SUITS
from records.format import codec
from records.selfplay import play_game
from tests.make.stored_games import store_game
from tests.webui.page_heads import meta
from webui import create_app
from webui.application import close_app
from webui.display.card_svg import card_sprite, card_symbol_id
from webui.server.game_cache import encode_permalink
from webui.server.page import Page

pytestmark = pytest.mark.long

PAGES = [
    "/", "/games", "/statistics", "/explore?metric=points&by=sheet", "/sql?q=SELECT+1", "/reviews", "/players", "/player?name=Ann", "/statistics/sheets/bezique", "/rules", "/rules/bezique", "/findings",
    "/glossary", "/docs?q=dix", "/docs/tutorial", "/spec?q=dix", "/spec/format", "/api", "/nothing",
]  # fmt: skip


@pytest.mark.parametrize("path", [*PAGES, "/static/css/tokens.css", "/games.json"])
def test_every_answer_has_the_strict_headers(client, path):
    headers = client.get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize(
    "path",
    ["", "/deals/1", "/deals/1/what-if", "/review", "/doubts", "/delete"],
)
def test_every_page_of_a_game_marks_games_in_the_navigation(client, stored, path):
    page = client.get(f"/games/{stored}{path}").text
    assert re.search(r'<a href="/games" aria-current="true">', page)


def test_pages_beside_the_list_mark_games_in_the_navigation(client):
    record = encode_permalink(codec.encode(play_game("zetema", seed=1)))
    for path in ("/backup", f"/replay?record={record}"):
        assert '<a href="/games" aria-current="true">' in client.get(path).text, path
    assert '<a href="/record" aria-current="true">' in client.get("/imports").text


@pytest.fixture(scope="module")
def texts(app) -> dict[str, str]:
    return {path: app.test_client().get(path).text for path in PAGES}


@pytest.mark.parametrize("path", PAGES)
def test_no_page_has_inline_script_or_style_or_another_host(texts, path):
    page = texts[path]
    assert not re.search(r"\sstyle\s*=|<style|\son[a-z]+\s*=|javascript:", page)
    for attributes in re.findall(r"<script([^>]*)>", page):
        assert "src=" in attributes or "application/json" in attributes
    for address in re.findall(r'(?:src|href|action)="([^"]*)"', page):
        assert address.startswith(("/", "#", "?"))


ONLY_OURS = re.compile(
    r"(?i)\b(worlds?|widths?|roll-?outs?|clean deals?|digests?|outlook|deviations?|shr[iu]nks? towards)\b"
)
"""Words that nobody says at a table; elsewhere the glossary explains them."""
READ_BY_PLAYERS = [
    "/", "/games", "/statistics", "/reviews", "/players", "/player?name=Ann", "/statistics/sheets/bezique",
    "/players/compare?first=Ann&second=Bob", "/rules", "/rules/bezique", "/rules/compare", "/findings", "/daily",
    "/events", "/standings", "/record", "/studies", "/explore?metric=points&by=sheet",
    "/statistics/expectancy/bezique", "/statistics/last_trick", "/rules/own", "/player/strengths?name=Ann", "/player/mistakes?name=Ann",
]  # fmt: skip


def test_pages_for_players_have_no_words_that_only_we_know(client, stored):
    of_a_game = ("", "/review", "/deals/1", "/deals/1/what-if", "/drill", "/notes")
    for path in (*READ_BY_PLAYERS, *(f"/games/{stored}{part}" for part in of_a_game)):
        answer = client.get(path)
        assert answer.status_code == 200, path
        body = answer.text.split("</head>")[1]
        for hidden in ("script", "code", "pre", "details"):
            body = re.sub(f"<{hidden}\\b.*?</{hidden}>", " ", body, flags=re.DOTALL)
        said = unescape(
            re.sub("<[^>]*>", " ", body)
            + " ".join(re.findall('(?:aria-label|title)="([^"]*)"', body))
        )
        assert ONLY_OURS.findall(said) == [], path


def test_every_page_says_in_its_head_what_it_is(texts, client, stored):
    """Each in its own words, once, and as short as programs show it."""
    of_a_game = ("", "/deals/1", "/deals/2?step=9", "/deals/1/what-if", "/notes")
    games = {path: client.get(f"/games/{stored}{path}").text for path in of_a_game}
    said = {}
    for path, page in (texts | games).items():
        told = meta(page)
        (said[path],) = told["description"]
        assert told["og:description"] == [said[path]]
        assert f"<title>{escape(told['og:title'][0])}</title>" in page
        assert 20 < len(said[path]) < 300, path
        assert not re.search("</|`", said[path]), path
        for name in ("og:image", "og:image:alt", "og:site_name"):
            assert len(told[name]) == 1, (path, name)
        assert all(url.startswith("http://localhost/") for url in told.get("og:url", []))
    assert len({*said.values()}) == len(said)


@pytest.fixture(scope="module")
def walked(tmp_path_factory, legal, illegal):
    """An application with a legal and an illegal game, and none that other tests have stored."""
    app = create_app(data=tmp_path_factory.mktemp("walked"), ratelimit_enabled=False)
    for record in (legal, illegal):
        store_game(app, record)
    yield app
    close_app(app)


OWNERS = {"player", "sheet"}
"""Whose games a question is about: the links of all players and sheets are made by the same lines."""


def kind_of(link: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """What links have in common that differ only in whose games they are about.

    Data has the same query as the page that it belongs to, and that page is of a kind of its own.
    """
    address = urlsplit(link)
    is_data = address.path.endswith((".json", ".csv"))
    query = [
        (name, "" if is_data or name in OWNERS else re.sub("'[^']*'", "''", value))
        for name, value in parse_qsl(address.query, keep_blank_values=True)
    ]
    return address.path, tuple(query)


PREFIX = "/club/bezique"
"""Where a proxy shows the site that is walked over: nothing may lead out of it."""
ADDRESS = re.compile(
    r'\b(?:href|src|action|formaction|data-[a-z-]+|content)="(?:http://localhost)?(/[^"]*)'
)
ADDRESS_IN_DATA = re.compile(rb'"(?:address|link|location|openapi|page|url)":"(/[^"]*)')


def below_the_prefix(app):
    """A browser whose requests come as the server hands them on under that path."""
    client = app.test_client()
    client.open = partial(client.open, environ_overrides={"SCRIPT_NAME": PREFIX})
    return client


def addresses_in(answer: TestResponse) -> list[str]:
    """Every address of this site in a page, or in JSON, and where it redirects to."""
    redirected = [answer.location] if answer.location else []
    if answer.mimetype == "text/html":
        return [*redirected, *map(unescape, ADDRESS.findall(answer.text))]
    return [*redirected, *(found.decode() for found in ADDRESS_IN_DATA.findall(answer.data))]


@pytest.mark.slow
def test_no_page_leads_to_a_page_that_is_not_there(walked, stored, stored_illegal):
    """Follow one link of each kind on every page, data and downloads included, under a proxy's path."""
    client = below_the_prefix(walked)
    left, seen, kinds, outside = ["/"], {"/"}, set(), set()
    while left:
        path = left.pop()
        answer = client.get(path, buffered=True)
        assert answer.status_code == 200, path
        outside |= {
            (path, each) for each in addresses_in(answer) if not f"{each}/".startswith(f"{PREFIX}/")
        }
        if answer.mimetype != "text/html":
            continue
        for link in re.findall(r'href="(/[^"]*)', answer.text):
            link = unescape(link).partition("#")[0].removeprefix(PREFIX)
            if "step=" in link or kind_of(link) in kinds or link.startswith("/static/"):
                continue
            kinds.add(kind_of(link))
            seen.add(link)
            left.append(link)
    assert outside == set()
    assert {"/games", "/statistics", "/rules/bezique", "/api", f"/games/{stored}.json"} <= seen
    assert {f"/games/{stored_illegal}/review", "/statistics/points_by_source.csv"} <= seen
    assert any(link.startswith("/explore?") and "player=" in link for link in seen)
    assert any(link.startswith("/sql.csv?") for link in seen)


def test_what_answers_forms_and_errors_stays_below_the_path_of_a_proxy(app, stored):
    client = below_the_prefix(app)
    small = encode_permalink(client.get(f"/games/{stored}/record.json").data)
    answers = [
        client.post("/", data={"record": "{}"}),
        client.post("/check", data={"record": "{}"}),
        client.post(f"/games/{stored}/review/luck", data={"rollouts": "x"}),
        client.get(f"/replay?record={small}"),
        client.get(f"/games/{stored}/deals/1/what-if/values?step=1"),
        client.get(f"/replay/what-if/values?step=1&deal=1&record={small}"),
        client.get(f"/games/{stored[:12]}"),
        client.get("/spec/glossary"),
        client.get("/examples/zique/deals/1/review"),
        client.get(f"/games/{stored}/delete"),
        client.get("/imports"),
        client.get("/nothing"),
        client.post("/api/v1/games", data=b"{}", content_type="application/json"),
        *(client.get(f"/api/v1{path}") for path in ("", "/sheets", "/schemas", "/statistics")),
        client.get("/api/v1/nothing"),
    ]
    assert sum(bool(answer.location) for answer in answers) >= 5
    for answer in answers:
        for address in addresses_in(answer):
            assert address.startswith(f"{PREFIX}/"), answer.request.path


def test_no_script_knows_an_address_of_the_site():
    """Scripts read addresses from the page, which knows under which path it is."""
    absolute = re.compile(r"""["'`]/(?![/*])[a-z$]""")
    folder = Path(__file__).parents[2] / "webui/static"
    scripts = [*folder.rglob("*.js"), *folder.rglob("*.css")]
    assert [path.name for path in scripts if absolute.search(path.read_text())] == []


def test_errors_are_pages_for_people_and_json_for_programs(client):
    page = client.get("/nothing")
    assert page.status_code == 404
    assert "Page not found" in page.text
    twin = client.get("/nothing.json")
    assert twin.json["error"]["status"] == 404
    assert client.get("/games/nothing.json").json["error"]["status"] == 404
    assert client.get("/api/validate").status_code == 405


def test_a_fault_of_ours_is_a_page_that_tells_nothing(tmp_path, monkeypatch):
    app = create_app(data=tmp_path)

    def break_down(**_):
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(app.extensions["store"], "games", break_down)
    answer = app.test_client().get("/games")
    app.extensions["store"].close()
    assert answer.status_code == 500
    assert "Something went wrong" in answer.text
    assert "secret" not in answer.text


def test_a_question_that_takes_too_long_is_503(app, client, monkeypatch):
    def take_too_long(*_):
        raise QueryTimeout("too long")

    monkeypatch.setattr(app.extensions["store"], "rows", take_too_long)
    assert client.get("/statistics/points_by_source").status_code == 503


def test_the_bundle_comes_from_the_installed_package_and_is_kept_for_long(client):
    (address,) = re.findall(r'name="plotly" content="([^"]*)"', client.get("/statistics").text)
    plain = client.get(address)
    zipped = client.get(address, headers={"Accept-Encoding": "gzip"})
    smallest = client.get(address, headers={"Accept-Encoding": "gzip, deflate, br, zstd"})
    assert "immutable" in plain.headers["Cache-Control"]
    assert "Content-Encoding" not in plain.headers
    assert zipped.headers["Content-Encoding"] == "gzip"
    assert smallest.headers["Content-Encoding"] == "zstd"
    assert gzip.decompress(zipped.data) == zstandard.decompress(smallest.data) == plain.data
    assert len(smallest.data) < len(zipped.data) < len(plain.data) / 2
    assert client.get("/plotly-0.0.1.min.js").status_code == 404


def test_long_answers_are_compressed_and_pages_with_a_token_are_not(client, stored):
    ask = {"Accept-Encoding": "gzip"}
    replay = client.get(f"/games/{stored}/deals/1", headers=ask)
    assert replay.headers["Content-Encoding"] == "gzip"
    assert len(replay.data) < 40_000
    assert "Content-Encoding" not in client.get("/", headers=ask).headers


def test_the_deck_has_every_card_and_no_colour_of_its_own():
    symbols = card_sprite()
    for suit in SUITS:
        for rank in RANKS:
            assert f'id="{card_symbol_id(rank + suit)}"' in symbols
    assert not re.search(r"#[0-9a-f]{3,6}\b|rgb|style=", symbols)


def test_colours_are_named_in_the_tokens_only(app):
    folder = Path(app.static_folder) / "css"
    for sheet in folder.rglob("*.css"):
        if sheet.name != "tokens.css":
            assert not re.search(r"#[0-9a-fA-F]{3,8}\b", sheet.read_text()), sheet.name


def test_sizes_of_letters_are_those_of_the_scale(app):
    """Paper has its own, in points, and letters on a card or beside it grow with the card."""
    folder = Path(app.static_folder) / "css"
    for sheet in {*folder.rglob("*.css")} - {folder / "tokens.css"}:
        sizes = re.findall(r"font(?:-size)?:([^;]*);", sheet.read_text(encoding="utf-8"))
        assert [size for size in sizes if re.search(r"\d(?:rem|em|vw)\b", size)] == [], sheet.name


def test_spaces_on_the_scale_are_called_by_their_names(app):
    spaces = re.compile(r"\n\s*((?:padding|margin|(?:row-|column-)?gap)[a-z-]*: [^;]*)")
    for sheet in (Path(app.static_folder) / "css").rglob("*.css"):
        for space in spaces.findall(sheet.read_text(encoding="utf-8")):
            assert not re.search(r"(?<![\w.-])[248]px", space), (sheet.name, space)


def test_every_property_that_style_sheets_use_is_set_somewhere(app, client):
    """A rule with one that nobody sets is passed over without a word."""
    static = Path(app.static_folder)
    texts = [
        path.read_text(encoding="utf-8")
        for kind in ("css", "js")
        for path in static.rglob(f"*.{kind}")
    ]
    texts.append(client.get("/series.css").text)
    used = {name for text in texts for name in re.findall(r"var\((--[\w-]+)", text)}
    is_set = {
        name
        for text in texts
        for name in re.findall(r"(?:setProperty\(\s*[\"`])?(--[\w-]+)[\"`]?\s*[:,]", text)
    }
    assert len(used) > 30
    assert used - is_set == set()


def test_style_sheets_choose_colours_alone_by_the_scheme(app):
    """So a page that is no barrier in light colours can be one in dark colours by its colours alone."""
    for sheet in (Path(app.static_folder) / "css").rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        assert "prefers-color-scheme" not in text, sheet.name
        for rule in re.findall(r"[^{}]*data-theme[^{}]*\{[^{}]*\}", text):
            assert re.search(r"\{\s*color-scheme: \w+;\s*\}$", rule), rule


def test_every_script_finds_what_it_imports(app):
    scripts = Path(app.static_folder) / "js"
    wanted = [
        (script.relative_to(scripts), script.parent / name)
        for script in scripts.rglob("*.js")
        for name in re.findall(r'^import [^"]*"(\.[^"]*)"', script.read_text(), re.MULTILINE)
    ]
    assert len(wanted) > 30
    assert [str(script) for script, path in wanted if not path.is_file()] == []


def test_the_head_of_a_page_with_a_table_asks_for_every_script_at_once(client, stored):
    scripts = Path(client.application.static_folder) / "js"
    deal = f"/games/{stored}/deals/1"
    for path in (deal, f"{deal}/what-if", f"/embed/games/{stored}/deals/1", "/record"):
        head, body = client.get(path).text.split("</head>")
        (begun,) = re.findall(r'<script type="module" src="/static/js/([^"]*)"', body)
        needed, left = set(), [scripts / begun]
        while left:
            script = left.pop()
            needed.add(script)
            for name in re.findall(r'"(\.[^"]*\.js)"', script.read_text()):
                left += {(script.parent / name).resolve()} - needed
        asked = re.findall(r'rel="modulepreload" href="/static/js/([^"]*)"', head)
        assert sorted(asked) == sorted(str(script.relative_to(scripts)) for script in needed)


def test_no_loop_of_a_page_computes_what_is_the_same_for_all_its_rows(app):
    """What a page computes of all its rows would be computed again for each: with a thousand, for seconds."""
    pages = list(pages_below(Page))
    values = {field.name for page in pages for field in fields(page)}
    computed = {
        name for page in pages for name in {*dir(page)} - values
        if isinstance(getattr(page, name), property)
    }  # fmt: skip
    assert len(computed) > 50
    environment = app.jinja_env
    for template in environment.list_templates():
        source, _, _ = environment.loader.get_source(environment, template)
        for loop in environment.parse(source).find_all(nodes.For):
            read = {
                part.attr
                for row in loop.body
                for part in row.find_all(nodes.Getattr)
                if isinstance(part.node, nodes.Name) and part.node.name == "page"
            }
            assert not read & computed, f"{template}: set {read & computed} before the loop"


def pages_below(kind: type[Page]) -> Iterator[type[Page]]:
    for page in kind.__subclasses__():
        yield page
        yield from pages_below(page)


def test_only_one_place_knows_how_a_script_is_told_from_a_reader():
    package = Path(__file__).parents[2] / "webui"
    places = [
        path.relative_to(package).as_posix()
        for path in sorted([*package.rglob("*.py"), *package.rglob("*.html")])
        if "X-Requested-With" in path.read_text(encoding="utf-8")
    ]
    assert places == ["server/responses.py"]
