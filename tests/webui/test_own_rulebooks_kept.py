"""Rulebooks of a table's own on a site: anybody may look at a file, the admin decides what is kept, and then it is a rulebook."""

import json
import re
from html import unescape
from io import BytesIO
from random import Random

import pytest
from msgspec.structs import replace

from analyzer.ingest.loader import ingest_bytes
from analyzer.upkeep.keeping import add_rulebook
from records.format import codec
from records.rules.own_numbers import list_numbers, write_changed_sheet
from records.rules.own_sheet import read_own_sheet
from records.rules.registry import (
    SHEET_ORDER,
    SHEETS_BY_ID,
    SHEETS_FOLDER,
    sheet_key,
    sheet_of_rules,
)
from records.rules.sheet_text import SheetError
from tests.make.own_rulebooks import OURS, own_game
from tests.webui.public_site import Browser
from tests.webui.test_looks import look
from tests.webui.test_recorder import drive, written_by_hand

JSON = "application/json"
GAME = own_game("zique", ("/rules/melds/bezique/points", 70))
NAMED = replace(GAME, rules=replace(GAME.rules, sheet=None))
SHEET, KEY = sheet_of_rules(GAME.rules), sheet_key(GAME.rules)


def test_a_file_is_looked_at_and_compared_with_its_base(fresh_client) -> None:
    page = fresh_client.post("/rules/own", data={"text": OURS}).text
    assert "It has no mistakes." in page
    assert "How it differs from Zique" in page
    assert "70" in page
    other = fresh_client.post("/rules/own", data={"text": OURS, "against": "bezique"}).text
    assert "How it differs from Bezique" in other
    assert fresh_client.get("/rules/own.json").json == []


def test_every_mistake_of_a_file_has_its_line(fresh_client) -> None:
    text = OURS.replace("zique", "ziqe", 1).replace("= 70", '= "70"')
    answer = fresh_client.post("/rules/own", data={"file": (BytesIO(text.encode()), "ours.toml")})
    assert answer.status_code == 400
    assert "Line 1, column 1: There is no rulebook" in answer.text
    assert OURS.split("\n")[3] in answer.text, "the text is still there"


def test_a_file_of_json_is_read_as_such(fresh_client) -> None:
    data = json.loads((SHEETS_FOLDER / "zique.json").read_bytes()) | {"id": "ours"}
    assert "no mistakes" in fresh_client.post("/rules/own", data={"text": json.dumps(data)}).text


def test_what_is_no_text_or_too_long_is_refused(fresh_client) -> None:
    for data, status in ((b"\xff\xfe", 400), (b"x" * 200_000, 413)):
        sent = {"file": (BytesIO(data), "ours.toml")}
        assert fresh_client.post("/rules/own", data=sent).status_code == status


@pytest.mark.long
def test_a_kept_rulebook_is_a_rulebook_like_the_others(fresh_client, store) -> None:
    kept = fresh_client.post("/rules/own/keep", data={"text": OURS}, follow_redirects=True).text
    assert "Our Zique is kept." in kept
    (key,) = re.findall(r'href="/rules/(ours~[0-9a-f]{12})"', fresh_client.get("/rules").text)
    for address in (f"/rules/{key}", f"/rules/{key}.json", f"/rules/{key}/form", f"/games?sheet={key}",
                    f"/rules/compare?against={key}", f"/rules/compare?sheet={key}&sheet=zique"):  # fmt: skip
        assert fresh_client.get(address).status_code == 200, address
    assert "this site keeps it" in fresh_client.get(f"/rules/{key}").text
    data = fresh_client.get(f"/api/v1/sheets/{key}").json
    assert (data["format"], data["id"]) == ("bezique-sheet", "ours")
    assert ingest_bytes(store, "game.json", codec.encode(NAMED))[0].state == "stored"
    for address in ("/games", "/statistics", "/rules/compare"):
        assert f'value="{key}"' in fresh_client.get(address).text, address
    told = fresh_client.post("/api/v1/validate", data=codec.encode(NAMED), content_type=JSON).json
    assert told["verdict"] in ("legal", "incomplete")


def test_a_record_waits_and_says_so_until_its_rulebook_is_added(fresh_client, store) -> None:
    sent = fresh_client.post("/api/v1/games", data=codec.encode(NAMED), content_type=JSON).json[
        "records"
    ][0]
    assert (sent["state"], sent["verdict"], sent["awaits"]) == ("rejected", "unreadable", "ours")
    files = {"files": (BytesIO(codec.encode(NAMED)), "game.json")}
    page = fresh_client.post("/", data=files, follow_redirects=True).text
    assert "It is kept until the rulebook “ours” is added, and then becomes a game." in page
    assert "It is kept until the rulebook “ours” is added" in fresh_client.get("/imports").text
    added = fresh_client.post(
        "/api/v1/rulebooks", json={"text": OURS.replace("Our Zique", "Ours"), "toml": True}
    )
    assert added.json["stored"] == 1
    assert store.counts().games == 1
    refused = fresh_client.delete("/api/v1/rulebooks?rulebook=ours")
    assert (refused.status_code, "1 record goes by Ours" in refused.json["detail"]) == (409, True)


def test_who_looks_before_storing_is_told_that_a_record_waits(fresh_client, store) -> None:
    address = look(fresh_client, ("game.json", codec.encode(NAMED)))
    page = fresh_client.get(address).text
    assert "No rulebook “ours” is known here." in page
    sent = fresh_client.post(f"{address}/store", data={}, follow_redirects=True).text
    assert "1 record waits for a rulebook that is not known here." in sent
    assert add_rulebook(store, SHEET, "command").stored == 1


def test_a_rulebook_with_mistakes_or_of_another_is_not_kept(fresh_client, store) -> None:
    add_rulebook(store, SHEET, "command")
    for text, says in (
        (OURS, "Another rulebook with the id ours"),
        (OURS.replace("= 70", "= -70"), "line 7, column 1"),
    ):
        page = fresh_client.post("/rules/own/keep", data={"text": text})
        assert (page.status_code, says in page.text) == (409, True)
        answer = fresh_client.post("/api/v1/rulebooks", json={"text": text, "toml": True})
        assert answer.status_code == 409
    removed = fresh_client.post("/rules/own/remove", data={"rulebook": KEY}, follow_redirects=True)
    assert "Ours is removed." in removed.text
    assert fresh_client.get(f"/rules/{KEY}").status_code == 404


def test_the_admin_decides_and_everybody_may_read_what_is_kept(open_site) -> None:
    site = open_site(visitors_may=["validate"])
    visitor, admin = Browser(site), Browser(site).log_in()
    looked = visitor.post("/rules/own", form="/rules/own", text=OURS).text
    assert "The admin of this site decides" in looked
    assert visitor.post("/rules/own/keep", form="/rules/own", text=OURS).status_code == 403
    kept = admin.post("/rules/own/keep", form="/rules/own", text=OURS)
    assert kept.status_code == 303
    assert "Our Zique" in visitor.get(str(kept.location)).text
    assert "Our Zique" in visitor.get("/rules").text


@pytest.mark.long
def test_a_game_is_entered_by_a_kept_rulebook(fresh_client, store) -> None:
    add_rulebook(store, SHEET, "Ann")
    assert f'"id":"{SHEET.id}"' in fresh_client.get("/record").text
    played = written_by_hand(replace(NAMED, deals=NAMED.deals[:1], result=None), "public")
    entered = drive(fresh_client, played, Random(1), 0.02)
    assert codec.digest(entered) == codec.digest(played)
    assert ingest_bytes(store, "game.json", codec.encode(entered))[0].state == "stored"
    assert KEY in fresh_client.get(f"/games?sheet={KEY}").text


@pytest.mark.parametrize("base", SHEET_ORDER)
def test_every_number_of_the_form_changes_the_rulebook_in_its_place(base) -> None:
    before = SHEETS_BY_ID[base]
    for number in list_numbers(base):
        text = write_changed_sheet(base, "Haus Žluť", [(number, number.value + 1)])
        try:
            sheet = read_own_sheet(text.encode())
        except SheetError:
            assert number.path in ("/rules/pack/copies", "/rules/hand/2"), number
            continue
        assert (sheet.id, sheet.name) == ("haus-zlut", "Haus Žluť")
        assert sheet.rules != before.rules, number


def test_who_writes_no_file_makes_a_rulebook_from_another_one(fresh_client) -> None:
    """`Make our own version` on a rulebook's page, the points typed over, a look, and it is kept."""
    assert (
        'href="/rules/own?base=rubicon-bezique"' in fresh_client.get("/rules/rubicon-bezique").text
    )
    form = fresh_client.get("/rules/own?base=rubicon-bezique").text
    names = dict(re.findall(r'name="(/rules/[^"]+)"[^>]*value="(\d+)"', form))
    assert names["/rules/melds/bezique/points"] == "40"
    sent = names | {
        "base": "rubicon-bezique",
        "name": "Ours of the café",
        "/rules/melds/bezique/points": "50",
    }
    page = fresh_client.post("/rules/own/numbers", data=sent).text
    assert "It has no mistakes." in page
    assert "Rubicon Bezique as our table plays it: bezique 50." in page
    text = unescape(re.findall(r'<textarea name="text" hidden>\n(.*?)</textarea>', page, re.S)[0])
    assert json.loads(text)["changes"] == [{"path": "/rules/melds/bezique/points", "value": 50}]
    kept = fresh_client.post("/rules/own/keep", data={"text": text}, follow_redirects=True).text
    assert "Ours of the café is kept." in kept


def test_whatever_it_is_called_it_can_be_kept(fresh_client) -> None:
    for name in (
        "Bezique 2",
        "Bezique 3",
        "Наш дом",
        "Наша игра",
        "House 2025",
        "House 2026",
    ):
        sent = {"base": "zique", "name": name, "/rules/brisques/points": "20"}
        page = fresh_client.post("/rules/own/numbers", data=sent).text
        text = unescape(
            re.findall(r'<textarea name="text" hidden>\n(.*?)</textarea>', page, re.DOTALL)[0]
        )
        kept = fresh_client.post("/rules/own/keep", data={"text": text}, follow_redirects=True)
        assert kept.status_code == 200, (name, text)
        assert f"{name} is kept." in unescape(kept.text)


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"name": "Ours"}, "Change a number first"),
        ({"/rules/brisques/points": "20"}, "Give it a name."),
        ({"name": "Ours", "/rules/brisques/points": "ten"}, "“each brisque”, write a whole number from 1"),
        ({"name": "Ours", "/rules/brisques/points": "9" * 30}, "“each brisque”, write a whole number from 1"),
        ({"name": "Ours", "/rules/hand/2": "1"}, "No hand can hold the 2 cards of"),
        ({"name": "Bezique ", "/rules/brisques/points": "20"}, "Give yours another name."),
    ],
)  # fmt: skip
def test_what_the_form_cannot_make_is_told_and_the_form_stays(fresh_client, sent, said) -> None:
    answer = fresh_client.post("/rules/own/numbers", data=sent)
    assert answer.status_code == 400
    assert said in answer.text
    for path, value in sent.items():
        assert f'name="{path}"' in answer.text
        assert f'value="{value[:20].strip()}"' in answer.text
    assert fresh_client.post("/rules/own/numbers", data={"base": "no"}).status_code == 400
