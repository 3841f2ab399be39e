"""A record that can be read in several ways: the page shows the line and its readings, and one click chooses."""

from html import unescape
from io import BytesIO
from re import findall

import pytest
from flask.testing import FlaskClient

from records.format.notation_writer import write_notation
from records.selfplay import play_game

TEXT = write_notation(play_game("zique", seed=3, deals=1)).replace(
    "\n\n", "\n[date 5/3/2026]\n\n", 1
)


def choices(page: str) -> list[str]:
    return [unescape(each) for each in findall(r'name="reading" value="([^"]+)"', page)]


def kept_text(page: str) -> str:
    """The text that the form of the readings sends."""
    (text,) = findall(r'name="record" rows="12" spellcheck="false">\n([^<]*)</textarea>', page)
    return unescape(text)


@pytest.mark.parametrize("address", ["/", "/check"])
def test_the_line_and_both_readings_are_shown(fresh_client: FlaskClient, address: str):
    page = fresh_client.post(address, data={"record": TEXT}).text
    assert "<code>[date <mark>5/3/2026</mark>]</code>" in page
    line = 1 + TEXT.split("\n").index("[date 5/3/2026]")
    assert choices(page) == [f"{line}:7:2026-03-05", f"{line}:7:2026-05-03"]
    assert kept_text(page).strip() == TEXT.strip()


@pytest.mark.parametrize("number", [0, 1])
def test_one_click_stores_the_record_as_it_was_meant(fresh_client: FlaskClient, number: int):
    page = fresh_client.post("/", data={"record": TEXT}).text
    chosen = choices(page)[number]
    # Browsers send a text with line ends of two characters.
    sent = kept_text(page).replace("\n", "\r\n")
    fresh_client.post("/", data={"record": sent, "reading": chosen})
    (game,) = fresh_client.get("/index.json").json["games"]
    assert game["started"].startswith(chosen.rpartition(":")[2])


def test_a_file_is_asked_about_as_what_is_pasted(fresh_client: FlaskClient):
    files = [(BytesIO(text), name) for text, name in [(TEXT.encode(), "a.txt"), (b"{", "b.json")]]
    page = fresh_client.post("/", data={"files": files}).text
    assert len(choices(page)) == 2


def test_each_of_many_records_can_be_asked_about(fresh_client: FlaskClient):
    """A long list has a link at every record that can be read in several ways."""
    fresh_client.application.config["MAX_SHOWN_RECORDS"] = 1
    files = [(BytesIO(text), name) for text, name in [(TEXT.encode(), "a.txt"), (b"{", "b.json")]]
    look = fresh_client.post("/look", data={"files": files}, follow_redirects=True).text
    assert choices(look) == []
    (address,) = findall(r'href="([^"]+/readings[^"]*)">Choose what it means', look)
    page = fresh_client.get(unescape(address)).text
    assert len(choices(page)) == 2
    sent = {"record": kept_text(page), "reading": choices(page)[0]}
    assert "Store 1 game" in fresh_client.post("/look", data=sent, follow_redirects=True).text
    assert fresh_client.get(unescape(address).replace("/records/", "/records/0")).status_code == 404


def test_what_was_sent_privately_is_sent_privately_again(fresh_client: FlaskClient):
    page = fresh_client.post("/", data={"record": TEXT, "private": "1"}).text
    assert '<input type="hidden" name="private" value="1">' in page
    assert (
        'name="private" value="1">'
        not in fresh_client.post("/", data={"record": TEXT}).text.split('class="asked"')[1]
    )


@pytest.mark.parametrize(
    "chosen", ["7:7:2027-01-01", "1:1:x", "x", ":", "7:7:", "9" * 5000 + ":1:x"]
)
def test_a_reading_that_is_none_is_refused(client: FlaskClient, chosen: str):
    assert client.post("/check", data={"record": TEXT, "reading": chosen}).status_code == 400
