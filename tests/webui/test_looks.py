"""Before anything is stored, a list says what was found, and what is ticked is stored."""

import gzip
import json
import tarfile
import zipfile
from html import unescape
from io import BytesIO
from pathlib import Path
from re import findall, search, sub

import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec.structs import replace

from analyzer.ingest.renaming import rename_player
from records.format import codec
from records.format.notation_writer import write_notation
from records.format.redaction import redact
from records.record import Record
from records.selfplay import play_game
from records.validator import check
from tests.make.stored_games import store_game
from webui.server import looks_queue

GAMES = [play_game("zique", seed=seed, deals=1, names=["Ann", "Bob"]) for seed in range(4)]
SAMPLES = Path(__file__).parents[2] / "samples"
RECORDS = [codec.encode(game) for game in GAMES]


def look(client: FlaskClient, *files: tuple[str, bytes], **form: str) -> str:
    """The address of the list of what was found."""
    data = {"files": [(BytesIO(content), name) for name, content in files], **form}
    answer = client.post("/look", data=data)
    assert answer.status_code == 303, answer.text
    client.application.extensions["looks"].wait(answer.location.rpartition("/")[2], None)
    return answer.location


def rows(client: FlaskClient, address: str) -> list[dict[str, object]]:
    return client.get(f"{address}.json").json["records"]


def ticks(page: str) -> list[str]:
    return findall(r'name="take" value="(\w+)"', page)


def number_stored(client: FlaskClient) -> int:
    return client.get("/index.json").json["counts"]["games"]


def test_nothing_is_stored_before_it_is_asked_for(fresh_client: FlaskClient):
    address = look(fresh_client, ("games.jsonl", b"\n".join(RECORDS)))
    page = fresh_client.get(address).text
    assert "4 records in games.jsonl" in page
    assert "Store 4 games" in page
    assert number_stored(fresh_client) == 0
    sent = fresh_client.post(f"{address}/store", data={}, follow_redirects=True).text
    assert "Stored 4 games." in sent
    assert number_stored(fresh_client) == 4
    lines = fresh_client.get("/games.jsonl").data.splitlines()
    assert sorted(lines) == sorted(RECORDS)


def test_what_is_not_ticked_is_left_out(fresh_client: FlaskClient):
    address = look(fresh_client, ("games.jsonl", b"\n".join(RECORDS)))
    shown = ticks(fresh_client.get(address).text)
    fresh_client.post(f"{address}/store", data={"shown": shown, "take": shown[:1], "from": "1"})
    (line,) = fresh_client.get("/games.jsonl").data.splitlines()
    assert line in RECORDS


def test_ticks_are_kept_from_page_to_page_and_all_or_none_can_be_ticked(fresh_client: FlaskClient):
    many = [codec.encode(play_game("zique", seed=seed, deals=1)) for seed in range(103)]
    address = look(fresh_client, ("games.jsonl", b"\n".join(many)))
    first = ticks(fresh_client.get(address).text)
    assert len(first) == 100
    form = {"shown": first, "take": first[2:], "from": "1", "page": "2"}
    second = fresh_client.post(f"{address}/choose", data=form, follow_redirects=True).text
    assert "Store 101 games" in second
    assert len(ticks(second)) == 3
    none = fresh_client.post(f"{address}/choose", data={"all": "none"}, follow_redirects=True).text
    assert "Store 0 games" in none
    form = {"shown": first, "take": first[:5], "from": "1"}
    fresh_client.post(f"{address}/store", data=form)
    assert number_stored(fresh_client) == 5


def test_the_list_says_what_is_here_already(fresh: Flask, fresh_client: FlaskClient):
    whole, seen = play_game("polish-bezique", seed=1, names=["Eve", "Fay"]), GAMES[0]
    for game in (whole, seen):
        store_game(fresh, game)
    files = [
        ("known.json", RECORDS[0]),
        ("view.json", codec.encode(redact(whole, 0))),
        ("new.json", RECORDS[1]),
        ("again.json", RECORDS[1]),
        ("broken.json", b'{"format":'),
    ]
    address = look(fresh_client, *files)
    found = {row["name"]: row for row in rows(fresh_client, address)}
    states = {name: row["state"] for name, row in found.items()}
    assert states == {
        "known.json": "known",
        "view.json": "new",
        "new.json": "new",
        "again.json": "again",
        "broken.json": "unreadable",
    }
    assert found["view.json"]["match"] == codec.digest(whole)
    assert found["view.json"]["relation"] == "view"
    assert found["new.json"]["players"] == ["Ann", "Bob"]
    page = fresh_client.get(address).text
    assert "You have this already" in page
    assert "Another record of a match that" in page
    assert "Store 2 games" in page


def test_the_list_says_which_records_of_one_match_were_sent_together(fresh_client: FlaskClient):
    whole = play_game("polish-bezique", seed=1, names=["Eve", "Fay"])
    beginning = replace(
        whole,
        deals=[replace(whole.deals[0], events=whole.deals[0].events[:40], claims=None)],
        result=None,
    )
    files = [
        ("first.json", codec.encode(beginning)),
        ("b.jsonl", b"\n".join([RECORDS[1], codec.encode(whole)])),
        ("view.json", codec.encode(redact(whole, 1))),
    ]
    address = look(fresh_client, *files)
    found = {row["name"]: row.get("within") for row in rows(fresh_client, address)}
    place = {"number": 2, "name": "b.jsonl", "line": 2}
    assert found == {
        "first.json": {**place, "relation": "beginning"},
        "b.jsonl": None,
        "view.json": {**place, "relation": "view"},
    }
    page = sub(r"\s+", " ", fresh_client.get(address).text)
    link = f'<a href="{address}?page=1#record-1-3">line 2 of b.jsonl</a>'
    assert f"This is the beginning of {link}." in page
    assert f"This is another view of {link}." in page
    assert 'id="record-1-3"' in page
    assert "Store 4 games" in page
    fresh_client.post(f"{address}/store", data={})
    assert number_stored(fresh_client) == 2


@pytest.mark.long
def test_two_spellings_of_a_player_are_one_in_what_was_sent_together(
    fresh: Flask, fresh_client: FlaskClient
):
    store_game(fresh, play_game("zique", seed=9, deals=1, names=["Ann", "Zoe"]))
    store_game(fresh, play_game("zique", seed=8, deals=1, names=["Anne", "Zoe"]))
    others = [
        codec.encode(play_game("zique", seed=3, deals=1, names=[name, "Bob"])) for name in ("Ann", "Anne")
    ]  # fmt: skip
    for relation in (None, "same"):
        address = look(fresh_client, ("two.jsonl", b"\n".join(others)))
        told = [row.get("within") for row in rows(fresh_client, address)]
        assert [each and each["relation"] for each in told] == [None, relation]
        fresh_client.post(f"{address}/discard")
        if relation is None:
            rename_player(fresh.extensions["store"], "Anne", "Ann")


def test_a_record_of_a_corrected_game_is_told_as_one_of_its_match(
    fresh: Flask, fresh_client: FlaskClient
):
    slip = play_game("zique", seed=0, deals=1, names=["Anm", "Bob"])
    slip = replace(
        slip,
        deals=[replace(slip.deals[0], events=slip.deals[0].events[:60], claims=None)],
        result=None,
    )
    store_game(fresh, slip)
    digest = codec.digest(slip)
    for number, relation in ((0, ""), (1, "whole"), (0, "")):
        if number:
            fresh_client.post(f"/games/{digest}/corrections", data={"name1": "Ann"})
        elif relation == "":
            fresh_client.post(f"/games/{digest}/corrections/1/undo")
        address = look(fresh_client, ("whole.json", RECORDS[0]))
        (row,) = rows(fresh_client, address)
        assert row.get("relation", "") == relation
        fresh_client.post(f"{address}/discard")


def packed(kind: str, files: list[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """The same records in another container."""
    box = BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(box, "w") as archive:
            for name, data in files:
                archive.writestr(name, data)
    elif kind == "tar.gz":
        with tarfile.open(fileobj=box, mode="w:gz") as archive:
            for name, data in files:
                info = tarfile.TarInfo(name)
                info.size = len(data)
                archive.addfile(info, BytesIO(data))
    elif kind == "lines":
        box.write(b"\n".join(data for _, data in files))
        return [("all.jsonl", box.getvalue())]
    elif kind == "gz":
        return [(f"{name}.gz", gzip.compress(data)) for name, data in files]
    else:
        return files
    return [(f"all.{kind}", box.getvalue())]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["files", "zip", "tar.gz", "lines", "gz"])
def test_any_container_and_order_gives_the_same_list(
    fresh: Flask, fresh_client: FlaskClient, kind: str
):
    whole = play_game("polish-bezique", seed=1, names=["Eve", "Fay"])
    for game in (whole, GAMES[0]):
        store_game(fresh, game)
    sent = [*RECORDS, RECORDS[2], codec.encode(redact(whole, 1)), b'{"format":1}']
    files = [(f"{number}.json", data) for number, data in enumerate(sent)]
    kept = ("state", "verdict", "digest", "players", "day", "sheet", "match", "relation", "problem")

    def listed(*files: tuple[str, bytes]) -> list[str]:
        address = look(fresh_client, *files)
        found = [
            json.dumps([row.get(name) for name in kept]) for row in rows(fresh_client, address)
        ]
        fresh_client.post(f"{address}/discard")
        return sorted(found)

    wanted = listed(*files)
    for order in (files, files[::-1], files[3:] + files[:3]):
        assert listed(*packed(kind, order)) == wanted
    assert number_stored(fresh_client) == 2


def test_a_choice_that_cannot_be_read_stores_nothing(fresh: Flask, fresh_client: FlaskClient):
    address = look(fresh_client, ("games.jsonl", b"\n".join(RECORDS)))
    shown = ticks(fresh_client.get(address).text)
    fresh_client.post(f"{address}/choose", data={"shown": shown, "take": shown[:1], "from": "1"})
    (choice,) = Path(fresh.config["DATA"]).glob("looks/*/choice.json")
    choice.write_bytes(choice.read_bytes().replace(b"but", b"bat"))
    assert "Store 0 games" in fresh_client.get(address).text
    fresh_client.post(f"{address}/store")
    assert number_stored(fresh_client) == 0


def test_it_is_stored_once_however_often_it_is_sent(fresh_client: FlaskClient):
    address = look(fresh_client, ("a.json", RECORDS[0]))
    for _ in range(3):
        answer = fresh_client.post(f"{address}/store", follow_redirects=True)
        assert answer.status_code == 200
    assert number_stored(fresh_client) == 1
    assert fresh_client.get(address).status_code == 303


def test_what_is_kept_private_is_in_no_list(fresh_client: FlaskClient):
    address = look(fresh_client, ("a.jsonl", b"\n".join(RECORDS)))
    shown = ticks(fresh_client.get(address).text)
    form = {"private": "1", "shown": shown, "take": shown[1:], "from": "1"}
    sent = fresh_client.post(f"{address}/store", data=form)
    assert number_stored(fresh_client) == 0
    page = fresh_client.get(sent.location.partition("#")[0]).text
    assert len(findall(r"/records/\d+\"", page)) == 3


def test_what_is_illegal_or_unfinished_opens_in_the_recorder(fresh_client: FlaskClient):
    """As it was sent, whatever stands around it; nothing is stored by that, and nothing else opens so."""
    short, broken = (replace(game.deals[0], claims=None) for game in GAMES[:2])
    short.events = short.events[:11]
    broken.events = [broken.events[0], broken.events[0], *broken.events[1:]]
    sent = [
        replace(game, deals=[deal], result=None)
        for game, deal in zip(GAMES, (short, broken), strict=False)
    ]
    lines = b"\n".join(
        [*map(codec.encode, sent), codec.encode(play_game("zique", seed=9)), b"nonsense"]
    )
    address = look(fresh_client, ("evening.jsonl", lines))
    page, listed = fresh_client.get(address).text, rows(fresh_client, address)
    assert [row["verdict"] for row in listed][:2] == ["incomplete", "illegal"]
    opened = {
        found: fresh_client.get(f"{address}/records/{found}.json").json
        for found in findall(r'/records/(\w+)\?page=1"', page)
    }
    assert list(opened) == [row["content"] for row in listed[:2]]
    for row, found in zip(listed, opened.values(), strict=False):
        assert found["digest"] == row["digest"]
        assert found["origin"] == {
            "sent": address.rpartition("/")[2], "content": row["content"], "page": 1,
        }  # fmt: skip
    assert fresh_client.get(f"{address}/records/{'0' * 32}").status_code == 404
    page_of_record = fresh_client.get(f"{address}/records/{listed[0]['content']}")
    assert page_of_record.headers["Cache-Control"] == "no-store"
    assert number_stored(fresh_client) == 0


def first_event(path: Path) -> int | None:
    """The event that the first finding on a broken sample is about, if it is about one."""
    (first, *_) = check(path.read_bytes()).findings
    return first.at.event


@pytest.mark.slow
def test_the_table_at_the_first_finding_is_drawn_wherever_one_is(fresh_client: FlaskClient):
    """Of every broken sample: a picture that a page shows is there, and one is shown where an event was wrong."""
    paths = sorted((SAMPLES / "broken").glob("*.json"))
    for some in (paths[start : start + 3] for start in range(0, len(paths), 3)):
        address = look(fresh_client, *((path.name, path.read_bytes()) for path in some))
        shown = findall(
            r'class="verdict-position[^>]*src="([^"]+)"', fresh_client.get(address).text
        )
        answers = [fresh_client.get(picture) for picture in shown]
        assert [(each.status_code, each.mimetype) for each in answers] == [(200, "image/svg+xml")] * len(shown)  # fmt: skip
        wrong = {
            f"{address}/records/{row['content']}/finding.svg"
            for row in rows(fresh_client, address)
            if row["verdict"] != "unreadable"
            and first_event(SAMPLES / "broken" / row["name"]) is not None
        }
        assert wrong <= {*shown}, some


def test_discarded_files_are_gone(fresh: Flask, fresh_client: FlaskClient):
    address = look(fresh_client, ("a.json", RECORDS[0]))
    answer = fresh_client.post(f"{address}/discard", follow_redirects=True)
    assert "Nothing was stored." in answer.text
    assert [*fresh.extensions["looks"].folder.glob("*")] == []
    assert fresh_client.get(address, follow_redirects=True).status_code == 404


def test_a_stranger_sees_nothing_of_it(fresh: Flask, fresh_client: FlaskClient):
    address = look(fresh_client, ("secret.json", RECORDS[0]))
    content = rows(fresh_client, address)[0]["content"]
    stranger = fresh.test_client()
    for method, path in [
        ("GET", ""), ("GET", ".json"), ("GET", "/found"), ("GET", "/progress.json"), ("POST", "/store"),
        ("POST", "/choose"), ("POST", "/discard"), ("POST", "/stop"), ("GET", f"/records/{content}"),
        ("GET", f"/records/{content}.json"),
    ]:  # fmt: skip
        answer = stranger.open(address + path, method=method, headers={"Accept": "text/html"})
        assert "Ann" not in answer.text
        assert "secret" not in answer.text
        assert answer.status_code in (200, 303, 404)
    assert number_stored(fresh_client) == 0
    assert fresh_client.get(address).status_code == 200


def test_an_open_reading_is_chosen_on_the_list(fresh_client: FlaskClient):
    text = write_notation(GAMES[0]).replace("\n\n", "\n[date 5/3/2026]\n\n", 1)
    page = fresh_client.get(look(fresh_client, record=text)).text
    chosen = search(r'name="reading" value="([^"]+)"', page)
    assert chosen
    page = fresh_client.get(look(fresh_client, record=text, reading=chosen[1])).text
    assert "Store 1 game" in page


def note_of(client: FlaskClient, record: Record) -> str:
    """What the list says of one record."""
    page = client.get(look(client, ("a.json", codec.encode(record)))).text
    notes = findall(r'<p class="found-note">(.*?)</p>', page)
    told = [sub("<[^>]+>", "", note) for note in notes]
    return " ".join(note for note in told if "in the recorder" not in note)


def test_the_list_asks_about_the_same_cards_under_other_names_or_days(
    fresh: Flask, fresh_client: FlaskClient
):
    dated = replace(GAMES[0], meta={"date": "2026-03-05"})
    store_game(fresh, dated)
    misspelt = play_game("zique", seed=0, deals=1, names=["Anm", "Bob"])
    assert note_of(fresh_client, replace(misspelt, meta=dated.meta)).startswith(
        "These cards are stored already, played by Ann and Bob: is a name misspelt?"
    )
    assert note_of(fresh_client, replace(dated, meta={"date": "2026-03-06"})).startswith(
        "These cards are stored already, as played on 5 March 2026: is the date wrong?"
    )
    assert note_of(fresh_client, dated).startswith("You have this already")
    assert note_of(fresh_client, GAMES[1]) == ""


def test_a_record_that_may_be_misspelt_starts_without_a_tick(
    fresh: Flask, fresh_client: FlaskClient
):
    """And what somebody chose stays, however often the page is opened."""
    store_game(fresh, GAMES[0])
    misspelt = codec.encode(play_game("zique", seed=0, deals=1, names=["Anm", "Bob"]))
    address = look(fresh_client, ("a.json", misspelt), ("b.json", codec.encode(GAMES[1])))

    def ticks() -> list[bool]:
        page = fresh_client.get(address).text
        return ["checked" in each for each in findall(r'name="take"[^>]*', page)]

    assert ticks() == [False, True]
    assert "Store 1 game" in fresh_client.get(address).text
    shown = findall(r'name="shown" value="([^"]+)"', fresh_client.get(address).text)
    fresh_client.post(f"{address}/choose", data={"shown": shown, "take": shown[:1], "from": 1})
    for _ in range(2):
        assert ticks() == [True, False]


def test_the_list_says_what_is_in_the_trash(fresh: Flask, fresh_client: FlaskClient):
    store_game(fresh, GAMES[0])
    fresh_client.post(f"/games/{codec.digest(GAMES[0])}/delete")
    assert note_of(fresh_client, GAMES[0]).startswith("This game is in the trash.")
    assert note_of(fresh_client, GAMES[1]) == ""


WRITTEN = write_notation(GAMES[0])


def box(page: str) -> str:
    """What the last box for a record has."""
    (text,) = findall(r'<textarea [^>]*name="record"[^>]*>([^<]*)</textarea>', page)[-1:]
    return unescape(text).strip().replace("\r\n", "\n")


@pytest.mark.parametrize("text", [WRITTEN, WRITTEN.replace("[rules zique", "[rules ziqeu"), "what?"])  # fmt: skip
def test_a_pasted_text_is_edited_and_never_lost(fresh: Flask, fresh_client: FlaskClient, text: str):
    address = look(fresh_client, record=text)
    page = fresh_client.get(address).text
    assert "Edit this text" in page
    assert box(page) == text.strip()
    again = look(fresh_client, record=WRITTEN, instead=address.rpartition("/")[2])
    assert fresh_client.get(address, follow_redirects=True).status_code == 404, "one look is left"
    assert "Store 1 game" in fresh_client.get(again).text
    back = look(fresh_client, record=text)
    page = fresh_client.post(f"{back}/discard", follow_redirects=True).text
    assert "Nothing was stored." in page
    assert box(page) == text.strip()
    assert len([*fresh.extensions["looks"].folder.glob("*")]) == 1


def test_nobody_discards_the_look_of_another_by_editing(fresh: Flask, fresh_client: FlaskClient):
    address = look(fresh_client, record=WRITTEN)
    look(fresh.test_client(), record=WRITTEN, instead=address.rpartition("/")[2])
    assert fresh_client.get(address).status_code == 200


def test_what_keeps_a_record_from_being_stored_is_an_error_and_no_note(fresh_client: FlaskClient):
    typed = WRITTEN.replace("[rules zique", "[rules ziqeu").replace("JS", "Js")
    assert typed.count("Js") > 2
    address = look(fresh_client, record=typed)
    (row,) = rows(fresh_client, address)
    assert row["state"] == "unreadable"
    assert "ziqeu" in row["problem"]


def test_all_that_was_understood_can_be_seen(fresh_client: FlaskClient):
    page = fresh_client.get(look(fresh_client, record=WRITTEN.replace("JS", "Js"))).text
    number = WRITTEN.count("JS")
    assert f"{number} places were read otherwise than they are written" in page
    assert page.count("“Js” was read as JS") >= number


@pytest.mark.slow
def test_a_large_upload_is_stored_in_the_background(fresh: Flask, fresh_client: FlaskClient):
    many = [codec.encode(play_game("zique", seed=seed, deals=1)) for seed in range(260)]
    address = look(fresh_client, ("games.jsonl", b"\n".join(many)))
    first = ticks(fresh_client.get(address).text)
    form = {"shown": first, "take": first[3:], "from": "1"}
    answer = fresh_client.post(f"{address}/store", data=form)
    fresh.extensions["imports"].wait(answer.location.rpartition("/")[2], None)
    assert number_stored(fresh_client) == 257
    assert [*fresh.extensions["looks"].folder.glob("*")] == []


def test_a_look_goes_on_after_the_server_ended(fresh: Flask, fresh_client: FlaskClient):
    address = look(fresh_client, ("games.jsonl", b"\n".join(RECORDS)))
    upload = address.rpartition("/")[2]
    queue = fresh.extensions["looks"]
    job = queue.job(upload)
    job.state = "running"
    looks_queue._save_job(queue.folder / upload, job)
    again = looks_queue.LookQueue(queue.store, queue.folder.parent, 0)
    again.wait(upload, None)
    assert again.job(upload).state == "done"
    assert again.job(upload).counts == {"new": 4}
    again.close()
