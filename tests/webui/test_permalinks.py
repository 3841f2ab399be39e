"""A record inside a link: unchanged, checked, never stored, and safe to expand."""

import re
from base64 import urlsafe_b64encode
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
import zstandard
from msgspec.structs import replace

from records.events import Play
from records.format import codec
from records.record import Deal, Line
from records.rules.registry import ALL_SHEETS, resolve_sheet
from records.selfplay import play_game
from webui.replay.what_if import try_line
from webui.server.game_cache import (
    LARGEST_RECORD_BYTES,
    LONGEST_PERMALINK,
    InvalidPermalink,
    decode_permalink,
    encode_permalink,
)


def carrying(data):
    small = zstandard.ZstdCompressionParameters(window_log=17)
    packed = zstandard.ZstdCompressor(compression_params=small).compress(data)
    return urlsafe_b64encode(packed).decode().rstrip("=")


@pytest.mark.parametrize("sheet", [sheet.id for sheet in ALL_SHEETS])
def test_a_whole_game_fits_into_a_link_and_comes_out_as_it_went_in(sheet):
    data = codec.encode(play_game(sheet, seed=2))
    assert 0 < len(encode_permalink(data)) <= LONGEST_PERMALINK
    assert decode_permalink(encode_permalink(data)) == data
    assert re.fullmatch(r"[A-Za-z0-9_-]+", encode_permalink(data))


def test_what_is_too_long_is_not_offered():
    text = "".join(f'{{"{number * 7919 % 104729}":{number * number}}}' for number in range(9000))
    assert encode_permalink(text.encode()) == ""
    assert encode_permalink(b" " * (LARGEST_RECORD_BYTES + 1)) == ""


def test_a_bomb_is_refused_before_it_goes_off(client):
    bomb = carrying(b" " * (64 * 1024 * 1024))
    assert len(bomb) <= LONGEST_PERMALINK
    with pytest.raises(InvalidPermalink, match="more than 256 KiB"):
        decode_permalink(bomb)
    assert client.get("/replay", query_string={"record": bomb}).status_code == 400


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "nothing to read"),
        ("%%%", "damaged"),
        ("é", "damaged"),
        ("AAAA", "damaged"),
        ("A" * (LONGEST_PERMALINK + 1), "at most"),
        (carrying(b"[1, 2]"), ""),
        (carrying(b'{"format": "bezique-record"'), ""),
    ],
)
def test_what_is_no_record_is_refused_in_words(client, text, said):
    answer = client.get("/replay.json", query_string={"record": text})
    assert answer.status_code == 400
    assert said in answer.json["error"]["text"] != ""


def test_a_link_that_was_cut_off_is_refused(client, legal):
    text = encode_permalink(codec.encode(legal))
    for cut in (text[:-1], text[:-40], text[: len(text) // 2]):
        assert client.get("/replay", query_string={"record": cut}).status_code == 400


@pytest.mark.parametrize("address", ["/replay", "/replay.json"])
def test_a_record_that_no_rules_can_replay_is_refused_in_words(client, legal, address):
    three = replace(
        legal, players=[*legal.players, legal.players[0]], deals=[Deal(dealer=0)], result=None
    )
    answer = client.get(address, query_string={"record": encode_permalink(codec.encode(three))})
    assert answer.status_code == 400
    assert "is a game for 2 players" in unescape(answer.text)


def test_the_replay_offers_the_link_and_it_leads_to_the_same_deal(client, stored):
    page = client.get(f"/games/{stored}/deals/1?step=5").text
    link = unescape(re.search(r'href="(/replay\?[^"]*)" data-view="permalink"', page).group(1))
    carried = client.get(link)
    assert carried.status_code == 200
    assert "not stored anywhere else" in carried.text
    assert stored not in carried.text
    same = client.get(link.replace("/replay?", "/replay.json?")).json
    assert same == client.get(f"/games/{stored}/deals/1.json").json


@pytest.fixture
def with_a_line(legal):
    """The first deal of the legal game, and a line that is played at its second card instead."""
    events = legal.deals[0].events
    at = [n for n, event in enumerate(events) if isinstance(event, Play)][1]
    choices = try_line(legal, resolve_sheet("bezique", None, {}), 0, at, []).choices
    other = next(choice.event for choice in choices if not choice.recorded)
    line = Line(at=[0, at], events=[other], by="Cleo", text="bolder")
    record = replace(legal, deals=legal.deals[:1], result=None, notes=None, lines=[line])
    return encode_permalink(codec.encode(record)), line


def test_its_lines_open_and_are_played_on_and_saved(client, with_a_line):
    text, line = with_a_line
    page = client.get("/replay", query_string={"record": text, "near": 1}).text
    opening = {unescape(found) for found in re.findall(r'href="([^"]*kept=0[^"]*)"', page)}
    (link,) = opening
    opened = client.get(link).text
    assert "bolder" in opened
    (saving,) = re.findall(r'<form class="save-line" action="([^"]*)"', opened)
    form = opened[opened.index('class="save-line"') :]
    sent = dict(re.findall(r'type="hidden" name="([^"]*)" value="([^"]*)"', form))
    saved = client.get(urlsplit(unescape(saving)).path, query_string={**sent, "text": "again"})
    kept = codec.decode(saved.data).record
    assert [(each.at, each.text, len(each.events)) for each in kept.lines] == [
        (line.at, "bolder", 1), (line.at, "again", 1),
    ]  # fmt: skip
    (back,) = set(re.findall(r'href="(/replay\?[^"]*)"', opened))
    near, step = (parse_qs(urlsplit(unescape(back)).query)[name] for name in ("near", "step"))
    assert (near, step) == (["1"], [str(line.at[1])])


@pytest.mark.parametrize("view", [{"see": 0}, {"until": 50}])
def test_where_something_is_hidden_its_lines_are_not_there(client, with_a_line, view):
    text, _ = with_a_line
    page = client.get("/replay", query_string={"record": text, **view}).text
    assert "kept=" not in page
    assert "bolder" not in page
    asked = {"record": text, "kept": 0, **view}
    assert client.get("/replay/what-if.json", query_string=asked).status_code == 404


def test_what_is_hidden_is_not_offered_in_a_link(client, stored):
    for view in ("see=0", "until=5"):
        page = client.get(f"/games/{stored}/deals/1?step=5&{view}").text
        assert "/replay?" not in page


@pytest.mark.long
def test_nothing_is_kept(fresh_client, store, legal, illegal):
    for record in (legal, illegal):
        link = {"record": encode_permalink(codec.encode(record)), "deal": 1, "step": 3}
        page = fresh_client.get("/replay", query_string=link)
        assert page.status_code == 200
        for href in re.findall(r'href="(/[^"]*)"', page.text):
            assert "/games/" not in href
    assert store.counts().games == 0


def test_a_deal_that_is_not_in_it(client, legal):
    text = encode_permalink(codec.encode(legal))
    for deal, status in (("99", 404), ("0", 404), ("x", 400)):
        asked = client.get("/replay", query_string={"record": text, "deal": deal})
        assert asked.status_code == status
