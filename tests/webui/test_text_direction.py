"""Names that are written from right to left move nothing around them, on any page."""

import re
import sys
import unicodedata
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from analyzer.review.stored import save_review
from records.format import codec
from records.selfplay import play_game
from tests.make.empty_store import with_empty_database
from tests.make.stored_games import store_game
from tests.make.weighed_games import written_review
from tests.webui.conftest import ENDLESS_RATES
from tests.webui.test_strange_queries import addresses
from webui import create_app
from webui.application import close_app
from webui.display.text_layout import isolate_markup, isolate_text

pytestmark = pytest.mark.long

HEBREW, ARABIC, TURNED = "שרה כהן", "مريم", "\u202eEve"
"""The last name turns what follows it, and never turns back."""
ISOLATED = re.compile("\u2068[^\u2066-\u2069]*\u2069")
TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")
QUERY = {
    "name": HEBREW,
    "player": HEBREW,
    "opponent": ARABIC,
    "first": HEBREW,
    "second": ARABIC,
    "step": "999",
}
PAGES_OF_GAMES = {
    "home.home", "games.games", "games.game", "deals.replay", "deals.what_if", "embed.replay",
    "reviews.review", "drills.game", "identify.identify", "notes.notes", "players.list_players", "players.player",
    "players.compare", "events.standings", "drills.player",
}  # fmt: skip


class ShownTexts(HTMLParser):
    """All that a page shows and tells: each text, and each label and title, by itself."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.inside: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "style", "textarea", "option"):
            self.inside.append(tag)
        shown = {"aria-label", "title", "alt", "content"}
        self.texts += [value for name, value in attrs if name in shown and value]

    def handle_endtag(self, tag: str) -> None:
        if self.inside and self.inside[-1] == tag:
            self.inside.pop()

    def handle_data(self, data: str) -> None:
        if not self.inside:
            self.texts.append(data)


def turns(text: str) -> bool:
    """Whether something in a text that is not isolated is written from right to left, or turns what follows."""
    left = ISOLATED.sub("", text)
    return bool(TURNING.search(left)) or any(
        unicodedata.bidirectional(letter) in ("R", "AL", "AN") for letter in left
    )


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """A site with three games: legal and weighed, illegal, and with a name that turns what follows it."""
    app = create_app(
        data=with_empty_database(tmp_path_factory.mktemp("turned")),
        testing=True,
        wtf_csrf_enabled=False,
        **ENDLESS_RATES,
    )
    store, meta = app.extensions["store"], {"event": f"{HEBREW} 2026"}
    weighed = replace(play_game("zique", seed=2, names=[HEBREW, ARABIC]), meta=meta)
    illegal = replace(play_game("zique", seed=3, names=[ARABIC, HEBREW]), meta=meta)
    events = illegal.deals[0].events
    events[1] = replace(events[1], seat=events[0].seat)
    turned = replace(play_game("zique", seed=4, names=[TURNED, HEBREW]), meta=meta)
    for record in (weighed, illegal, turned):
        store_game(store, record)
    save_review(store, written_review(weighed, [(70, 8), (0, 0), (25, 4)]))
    app.config["DIGESTS"] = [codec.digest(record) for record in (weighed, illegal, turned)]
    yield app
    close_app(app)


@pytest.mark.slow
def test_every_page_isolates_the_names(app: Flask) -> None:
    client, wrong, shown = app.test_client(), [], set()
    for address in {
        address: None for digest in app.config["DIGESTS"] for address in addresses(app, digest)
    }:
        for query in ({}, QUERY):
            answer = client.get(address, query_string=query)
            if answer.mimetype != "text/html":
                break
            texts = ShownTexts(answer.text).texts
            wrong += [(address, text) for text in texts if turns(text)]
            if any(f"\u2068{name}\u2069" in text for text in texts for name in (HEBREW, ARABIC)):
                shown.add(app.url_map.bind("localhost").match(address)[0])
    assert wrong == []
    assert PAGES_OF_GAMES - shown == set()


@pytest.mark.slow
def test_the_sentences_that_a_script_shows_isolate_the_names(app: Flask) -> None:
    client, game = app.test_client(), f"/games/{app.config['DIGESTS'][0]}"
    client.get(f"{game}/review")  # which reviews the close
    page = client.get(f"{game}/deals/1").text
    for kind in ("deal", "review"):
        found = re.search(f'<script type="application/json" id="{kind}">(.*?)</script>', page)
        assert found
        assert HEBREW in found[1]
        assert not turns(found[1])


def test_a_picture_isolates_the_names(app: Flask) -> None:
    picture = app.test_client().get(f"/games/{app.config['DIGESTS'][0]}/deals/1.svg?step=999").text
    assert f"\u2068{HEBREW}\u2069" in picture
    assert not turns(picture)


def test_programs_get_names_as_they_are(app: Flask) -> None:
    for address in (
        "/games.csv", "/games.json", "/players.json", f"/games/{app.config['DIGESTS'][2]}/record.json",
        f"/games/{app.config['DIGESTS'][0]}/deals/1.json", f"/games/{app.config['DIGESTS'][0]}/deals/1.txt",
    ):  # fmt: skip
        text = app.test_client().get(address).text
        assert HEBREW in text, address
        assert "\u2068" not in text, address


def test_a_field_keeps_what_was_typed(app: Flask) -> None:
    page = app.test_client().get("/games", query_string={"player": HEBREW}).text
    assert f'value="{HEBREW}"' in page


def test_a_name_copied_from_a_page_is_found(app: Flask) -> None:
    client, copied = app.test_client(), isolate_text(HEBREW)
    assert HEBREW in client.get("/players.json", query_string={"q": copied}).text
    assert HEBREW in client.get("/games.json", query_string={"player": copied}).text
    both = client.get("/players/compare", query_string={"first": copied, "second": ARABIC})
    assert f'value="{HEBREW}"' in both.text


@given(st.text(st.sampled_from("אבم٣\u200f\u202e\u2067\u2069 a1,.–-\"'’:(\n")))
def test_nothing_turns_what_is_around_it(text: str) -> None:
    isolated = isolate_text(text)
    assert not turns(isolated)
    kept = TURNING.sub(" ", text)
    assert TURNING.sub("", isolated) == kept


@given(
    st.lists(st.sampled_from(['<b title="א – ב">', "</b>", "אב", " – ", "1", "<", ">", "&#34;"]))
)
def test_markup_stays_what_it_was(pieces: list[str]) -> None:
    markup = "".join(pieces)
    assert TURNING.sub("", isolate_markup(markup)) == markup


def test_names_are_isolated_one_by_one() -> None:
    said = "שרה כהן – ד״ר דניאל בן-דוד 290, מרים 200."
    assert isolate_text(said) == "⁨שרה כהן⁩ – ⁨ד״ר דניאל בן-דוד⁩ 290, ⁨מרים⁩ 200."


def test_every_letter_that_is_written_from_right_to_left_is_known() -> None:
    letters = [
        chr(code)
        for code in range(sys.maxunicode + 1)
        if unicodedata.bidirectional(chr(code)) in ("R", "AL", "AN")
    ]
    assert [letter for letter in letters if isolate_text(letter) == letter] == []
    assert isolate_text("\ufeff{}") == "\ufeff{}", "a byte-order mark has no direction"
