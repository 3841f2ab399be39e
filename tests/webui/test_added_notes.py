"""Notes that come with a game that is already stored are added to its record."""

import json
import re

import pytest
from msgspec.structs import replace

from analyzer.ingest import loader
from analyzer.ingest.loader import ingest_bytes
from records.format import codec
from records.record import Note
from records.selfplay import play_game
from records.validator import check_record
from tests.webui.public_site import Browser


def noted(record, *texts):
    notes = [Note(at=[0, 3], text=text, by="Ann") for text in texts]
    return {"record": codec.encode(replace(record, notes=notes)).decode()}


@pytest.mark.slow
def test_notes_of_a_known_game_are_added_once_and_said(fresh_client, legal):
    digest = codec.digest(legal)
    fresh_client.post("/", data={"record": codec.encode(legal).decode()})
    assert "First." not in fresh_client.get(f"/games/{digest}/deals/1").text
    said = fresh_client.post("/", data=noted(legal, "First."), follow_redirects=True).text
    assert "1 note was added to what is stored." in said
    assert "First." in fresh_client.get(f"/games/{digest}/deals/1").text
    again = fresh_client.post("/", data=noted(legal, "First."), follow_redirects=True).text
    assert "added to what is stored" not in again
    fetched = fresh_client.post(
        "/", data=noted(legal, "Second.", "First."), headers={"X-Requested-With": "fetch"}
    )
    assert "1 note was added to what is stored." in fetched.text
    kept = codec.decode(fresh_client.get(f"/games/{digest}/record.json").data).record
    assert [note.text for note in kept.notes] == ["First.", "Second."]
    assert replace(kept, notes=None) == legal


OWN = {"at": [0, 1], "text": 'Own ]} " note.', "by": "Bob"}


@pytest.mark.long
def test_a_record_that_changed_meanwhile_takes_no_notes(store, legal, monkeypatch):
    """What another upload has added since the record was read must not be lost."""
    (outcome,) = ingest_bytes(store, "a", codec.encode(legal))
    sent = [noted(legal, text)["record"].encode() for text in ("First.", "Second.")]

    def check_slowly(record):
        monkeypatch.setattr(loader, "check_record", check_record)
        assert loader.add_notes(store, outcome.digest, sent[1]) == 1
        return check_record(record)

    monkeypatch.setattr(loader, "check_record", check_slowly)
    assert loader.add_notes(store, outcome.digest, sent[0]) == 0
    kept = codec.decode(store.record_bytes(outcome.digest)).record
    assert [note.text for note in kept.notes] == ["Second."]


@pytest.mark.sampled(10)
@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("own", [None, [], [OWN]])
@pytest.mark.parametrize("place", [0, -1])
def test_every_other_byte_of_a_record_stays(store, legal, indent, own, place):
    members = [*json.loads(codec.encode(legal)).items()]
    if own is not None:
        members.insert(len(members) if place else 0, ("notes", own))
    text = json.dumps(dict(members), indent=indent, ensure_ascii=bool(place)) + "\n"
    (outcome,) = ingest_bytes(store, "a", text.encode())
    before = store.record_bytes(outcome.digest)
    assert loader.add_notes(store, outcome.digest, noted(legal, "New.")["record"].encode())
    after = store.record_bytes(outcome.digest)
    start = next(i for i, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1])
    left = len(before) - start
    assert after.endswith(before[start:])
    added = after[start : len(after) - left].decode()
    assert '"New."' in added
    assert '"text":"' in added
    assert len(codec.decode(after).record.notes) == len(own or []) + 1


@pytest.mark.long
def test_a_note_that_would_change_the_report_is_not_added(fresh_client, legal):
    fresh_client.post("/", data={"record": codec.encode(legal).decode()})
    nowhere = codec.encode(replace(legal, notes=[Note(at=[99, 3], text="Nowhere.")])).decode()
    said = fresh_client.post("/", data={"record": nowhere}, follow_redirects=True).text
    assert "added to what is stored" not in said
    record = codec.decode(fresh_client.get(f"/games/{codec.digest(legal)}/record.json").data).record
    assert record.notes is None


@pytest.mark.slow
def test_visitors_add_nothing_to_what_others_stored(open_site, legal):
    app = open_site()
    Browser(app).post("/", form="/", record=codec.encode(legal).decode())
    Browser(app).post("/", form="/", **noted(legal, "Mine."))
    assert "Mine." not in Browser(app).get(f"/games/{codec.digest(legal)}/deals/1").text


def notes_of(browser: Browser, digest: str) -> list[str]:
    record = codec.decode(browser.get(f"/games/{digest}/record.json").data).record
    return [note.text for note in record.notes or []]


def add(browser: Browser, digest: str, text: str, **more: str) -> int:
    notes = json.dumps([{"at": [0, 3], "text": text}])
    return browser.post(f"/games/{digest}/notes", notes=notes, **more).status_code


@pytest.mark.long
def test_who_has_the_link_of_the_upload_adds_notes_from_the_page(open_site, legal):
    """The sender has it at once, a friend by opening it; a stranger, and the sender of another upload, have not."""
    app = open_site()
    digest = codec.digest(legal)
    sender, friend, other = Browser(app), Browser(app), Browser(app)
    page = sender.post("/", form="/", record=codec.encode(legal).decode()).text
    (link,) = set(re.findall(r'href="(/sent/[^"]+#[^"]+)"', page))
    assert add(sender, digest, "By the sender.", by="Ann") == 303
    assert add(friend, digest, "By a stranger.") == 403
    friend.open_link(link)
    assert add(friend, digest, "By a friend.") == 303
    other.post("/", form="/", record=codec.encode(play_game("zique", seed=4)).decode())
    assert add(other, digest, "By another sender.") == 403
    assert add(Browser(app).log_in(), digest, "By the admin.") == 303
    assert notes_of(other, digest) == ["By the sender.", "By a friend.", "By the admin."]
    page = other.get(f"/games/{digest}/notes").text
    assert "<b>Ann</b>" in page
    assert "Add them to the stored game" not in page
    assert "Add them to the stored game" in friend.get(f"/games/{digest}/notes").text
    assert [note.get("by") for note in other.get(f"/games/{digest}/notes.json").json][:2] == ["Ann", None]  # fmt: skip
    report = other.get(f"/games/{digest}/report.json").json
    assert (report["digest"], report["verdict"]) == (digest, "legal")


@pytest.mark.long
def test_the_sender_adds_notes_by_uploading_them_too(open_site, legal):
    app = open_site()
    sender = Browser(app)
    sender.post("/", form="/", record=codec.encode(legal).decode())
    sender.post("/", form="/", **noted(legal, "Mine."))
    assert notes_of(sender, codec.digest(legal)) == ["Mine."]


@pytest.mark.long
def test_notes_are_added_to_a_game_that_was_sent_privately(open_site, legal):
    """Whoever has the first link sees them there; a stranger who sends the same game adds nothing."""
    app = open_site()
    sender, friend, stranger = Browser(app), Browser(app), Browser(app)
    sent = {"record": codec.encode(legal).decode()}
    link = sender.post("/", form="/", private="1", **sent).location
    link = friend.open_link(link)
    said = stranger.post("/", form="/", private="1", **noted(legal, "A stranger's."))
    assert "added" not in stranger.get(said.location).text
    said = sender.post("/", form="/", private="1", **noted(legal, "First.", "Second."))
    assert (
        "2 notes were added to what you had sent privately before."
        in sender.get(said.location).text
    )
    kept = codec.decode(friend.get(f"{link}/records/1/record.json").data).record
    assert [note.text for note in kept.notes] == ["First.", "Second."]
    assert replace(kept, notes=None) == legal
    assert friend.get(f"/games/{codec.digest(legal)}").status_code == 404


@pytest.mark.long
def test_who_only_opened_a_private_link_keeps_private_notes_private(open_site, legal):
    """A friend who sends the same game privately, with notes, shows them to nobody else."""
    app = open_site()
    sender, friend = Browser(app), Browser(app)
    link = sender.post("/", form="/", private="1", record=codec.encode(legal).decode()).location
    link = friend.open_link(link)
    said = friend.post("/", form="/", private="1", **noted(legal, "The friend's own."))
    assert "added" not in friend.get(said.location).text
    assert b"The friend" not in sender.get(f"{link}/records/1/record.json").data
    again = friend.post("/", form="/", private="1", **noted(legal, "Another."))
    assert "1 note was added" in friend.get(again.location).text
    assert b"Another" in friend.get(f"{said.location.partition('#')[0]}/records/1/record.json").data
    assert b"Another" not in sender.get(f"{link}/records/1/record.json").data


@pytest.mark.long
@pytest.mark.parametrize("address", ["/games/{}/record.json", "/api/v1/games/{}/record"])
def test_a_record_with_a_new_note_is_another_version(fresh_client, legal, address):
    fresh_client.post("/", data={"record": codec.encode(legal).decode()})
    address = address.format(codec.digest(legal))
    version = {"If-None-Match": fresh_client.get(address).headers["ETag"]}
    assert fresh_client.get(address, headers=version).status_code == 304
    fresh_client.post("/", data=noted(legal, "New."))
    changed = fresh_client.get(address, headers=version)
    assert changed.status_code == 200
    assert b"New." in changed.data


@pytest.mark.long
def test_notes_that_do_not_fit_change_nothing(fresh_client, legal):
    digest = codec.digest(legal)
    fresh_client.post("/", data={"record": codec.encode(legal).decode()})
    for notes in ([], [{"at": [99], "text": "nowhere"}], [{"at": [0], "text": "x" * 2001}]):
        answer = fresh_client.post(f"/games/{digest}/notes", data={"notes": json.dumps(notes)})
        assert answer.status_code == 400
    assert fresh_client.get(f"/games/{digest}/record.json").data == codec.encode(legal)
