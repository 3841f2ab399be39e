"""What programs show beside a link to a page: its title, what it is, and a picture of the position.

The pictures are PNG files that the server draws. They are the same on every machine.
"""

import re
import struct
from io import BytesIO
from pathlib import Path

import pytest
from msgspec.structs import replace
from PIL import Image, ImageFont

import webui
from records.format import codec
from records.record import Record
from records.rules.registry import ALL_SHEETS, resolve_rules
from records.selfplay import play_game
from tests.webui.page_heads import meta
from webui.replay.pictures import (
    FONT_FAMILY,
    FONT_FILES,
    MARGIN,
    PREVIEW_HEIGHT,
    PREVIEW_WIDTH,
    PlacedCard,
    PlacedMark,
    draw_png,
    lay_out_preview,
    measure_text,
    render_preview_svg,
)
from webui.replay.steps import read_deal_steps
from webui.server.game_cache import encode_permalink
from webui.server.request_kinds import REQUEST_KINDS

TEMPLATES = Path(webui.__file__).parent / "templates"
LEAST_CARD_WIDTH = 36
"""In pixels of 1,200: narrower cards cannot be read where the picture is shown at half its size."""


def size_of(png: bytes) -> tuple[int, int]:
    """The width and height that the head of a PNG file states."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def drawn(record: Record, step: int = 40, near: int = 0) -> str:
    deal = read_deal_steps(record, resolve_rules(record.rules), 0)
    return render_preview_svg(deal, min(step, len(deal.steps) - 1), near)


def test_every_template_of_a_page_describes_it():
    """Pages of which only one exists for a visitor, too: those of an upload, and of the admin."""
    templates = [path for path in TEMPLATES.rglob("*.html") if path.name != "base.html"]
    pages = {path.name: path.read_text() for path in templates}
    whole = {name: text for name, text in pages.items() if '{% extends "base.html" %}' in text}
    assert len(whole) > 30
    assert [name for name, text in whole.items() if "{% block description %}" not in text] == []


@pytest.mark.parametrize(
    "path",
    [
        "/games/{}/deals/1?step=40", "/games/{}", "/examples/zetema/deals/1?step=9", "/games/{}/deals/1/what-if?step=9",
        "/examples/bezique/deals/1/what-if?step=9",
    ],
)  # fmt: skip
def test_a_game_has_a_picture_of_its_position(client, stored, path):
    told = meta(client.get(path.format(stored)).text)
    (address,) = told["og:image"]
    answer = client.get(address.removeprefix("http://localhost"))
    assert (answer.status_code, answer.mimetype) == (200, "image/png")
    assert size_of(answer.data) == (PREVIEW_WIDTH, PREVIEW_HEIGHT)
    assert [told["og:image:width"], told["og:image:height"]] == [["1200"], ["630"]]
    assert "max-age" in answer.headers["Cache-Control"]


def test_nobody_is_told_of_a_picture_of_a_game_that_only_its_link_holds(client, legal):
    small = replace(legal, deals=legal.deals[:1], result=None)
    page = client.get(f"/replay?record={encode_permalink(codec.encode(small))}").text
    assert meta(page)["og:image"] == ["http://localhost/static/preview.png"]


def test_a_picture_is_of_the_view_of_its_page(client, stored):
    page = client.get(f"/games/{stored}/deals/1?step=9&see=1&until=12").text
    (address,) = meta(page)["og:image"]
    assert re.search(r"\.png\?step=9&see=1&until=12$", address)


def test_the_picture_of_what_if_is_of_its_line(client, stored):
    page = client.get(f"/games/{stored}/deals/1/what-if?step=9").text
    (first, *_) = re.findall(r'href="([^"]+&amp;line=[^"]+)#choices"', page)
    after = client.get(first.replace("&amp;", "&")).text
    before, later = (
        client.get(meta(text)["og:image"][0].removeprefix("http://localhost"))
        for text in (page, after)
    )
    assert before.mimetype == later.mimetype == "image/png"
    assert before.data != later.data


@pytest.mark.parametrize("sheet", [sheet.id for sheet in ALL_SHEETS])
def test_cards_are_large_enough_to_be_read(sheet):
    """In any position of a game, with the most players there may be: except for piles of a tableau."""
    players = max(resolve_rules(play_game(sheet, seed=1).rules).sheet.rules.players)
    record = play_game(sheet, seed=5, names=list("ABCDEF"[:players]))
    deal = read_deal_steps(record, resolve_rules(record.rules), 0)
    for number in range(0, len(deal.steps), 7):
        svg = render_preview_svg(deal, number, 0)
        cards = re.findall(r'<use href="#(..)" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"', svg)
        assert cards
        assert all(float(left) + float(width) <= PREVIEW_WIDTH - 39 for _, left, _, width in cards)
        assert all(float(width) >= LEAST_CARD_WIDTH for *_, width in cards), number
        hand = [item.split()[0][:2] for item in deal.steps[number].seats[0].hand]
        assert {*hand} <= {card for card, *_ in cards}


def overlap(one: PlacedMark | PlacedCard, other: PlacedMark | PlacedCard) -> bool:
    return (
        one.left < other.left + other.width
        and other.left < one.left + one.width
        and one.top < other.top + other.height
        and other.top < one.top + one.height
    )


@pytest.mark.parametrize("name", ["W" * 30, "山" * 30, "i" * 200])
@pytest.mark.long
@pytest.mark.parametrize("players", [2, 5])
def test_no_text_is_under_another_or_under_a_card(name, players):
    """Whatever letters a name has: they are measured, not counted."""
    sheet = "zetema" if players > 2 else "six-pack-bezique"
    record = play_game(sheet, seed=5, names=[f"{name}{seat}" for seat in range(players)])
    deal = read_deal_steps(record, resolve_rules(record.rules), 0)
    for number in range(0, len(deal.steps), 23):
        cards, marks = lay_out_preview(deal, number, 0)
        for place, mark in enumerate(marks):
            assert mark.left >= MARGIN - 1
            assert mark.left + mark.width <= PREVIEW_WIDTH - MARGIN + 4
            assert not any(overlap(mark, other) for other in [*marks[:place], *cards]), mark.svg


@pytest.mark.long
def test_letters_are_drawn_and_those_without_a_shape_are_boxes(legal):
    """Fonts of the machine are not asked: a font that was not found would leave the names out."""

    def named(name: str) -> bytes:
        players = [replace(player, name=name) for player in legal.players]
        return draw_png(re.sub("<use[^>]*>", "", drawn(replace(legal, players=players))))

    plain = draw_png(re.sub("<text.*?</text>|<use[^>]*>", "", drawn(legal)))
    assert len({plain, named("Ann"), named("Żaneta"), named("Ωμέγα"), named("Жанна")}) == 5
    assert named("山田") == named("龍馬") == named("□□")
    assert named("Cafe\u0301") == named("Caf\u00e9")
    assert named("<&\x00\x1b\u202e>") != plain
    assert size_of(named("long " * 40)) == (PREVIEW_WIDTH, PREVIEW_HEIGHT)


def test_a_picture_is_drawn_once_and_not_sent_to_who_has_it(client, stored):
    address = f"/games/{stored}/deals/1.png?step=33"
    first = client.get(address)
    drawings = draw_png.cache_info().misses
    again = client.get(address, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, draw_png.cache_info().misses) == (304, drawings)


def test_pictures_cost_a_client_more_than_pages():
    (kind,) = [kind for kind in REQUEST_KINDS if kind.name == "previews"]
    assert kind.rate == "60 per minute"


def ink_width(text: str) -> int:
    """How wide a line of text is drawn at 30 pixels."""
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 50" {FONT_FAMILY}><text x="0" y="40" font-size="30">{text}</text></svg>'
    left, _, right, _ = Image.open(BytesIO(draw_png(svg, 900))).getbbox() or (0, 0, 0, 0)
    return right - left


def test_letters_are_those_of_the_pages_and_others_are_drawn_too():
    pages = ImageFont.truetype(FONT_FILES[0], 30, layout_engine=ImageFont.Layout.BASIC)
    for text in ("Maximiliane, Łódź, 1,120 points", "Щербаков, Їжак"):
        assert ink_width(text) == pytest.approx(pages.getlength(text), rel=0.02)
        assert ink_width(text) < measure_text(text, 30)
    greek = "Αλέξανδρος"
    assert ink_width(greek) == pytest.approx(measure_text(greek, 30), rel=0.02)
