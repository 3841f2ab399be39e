"""Notes that come with a game that is already stored are added to its record."""

import json

import pytest
from msgspec.structs import replace

from analyzer.ingest import added_notes
from analyzer.ingest.loader import ingest_bytes
from records import codec
from records.record import Note
from records.validator import check_record
from tests.webui.public_site import Browser, public_site
from webui.application import close_app


def noted(record, *texts):
    notes = [Note(at=[0, 3], text=text, by="Ann") for text in texts]
    return {"record": codec.encode(replace(record, notes=notes)).decode()}


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


def test_a_record_that_changed_meanwhile_takes_no_notes(store, legal, monkeypatch):
    """What another upload has added since the record was read must not be lost."""
    (outcome,) = ingest_bytes(store, "a", codec.encode(legal))
    sent = [noted(legal, text)["record"].encode() for text in ("First.", "Second.")]

    def check_slowly(record):
        monkeypatch.setattr(added_notes, "check_record", check_record)
        assert added_notes.add_notes(store, outcome.digest, sent[1]) == 1
        return check_record(record)

    monkeypatch.setattr(added_notes, "check_record", check_slowly)
    assert added_notes.add_notes(store, outcome.digest, sent[0]) == 0
    kept = codec.decode(store.record_bytes(outcome.digest)).record
    assert [note.text for note in kept.notes] == ["Second."]


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
    assert added_notes.add_notes(store, outcome.digest, noted(legal, "New.")["record"].encode())
    after = store.record_bytes(outcome.digest)
    start = next(i for i, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1])
    left = len(before) - start
    assert after.endswith(before[start:])
    added = after[start : len(after) - left].decode()
    assert '"New."' in added
    assert '"text":"' in added
    assert len(codec.decode(after).record.notes) == len(own or []) + 1


def test_a_note_that_would_change_the_report_is_not_added(fresh_client, legal):
    fresh_client.post("/", data={"record": codec.encode(legal).decode()})
    nowhere = codec.encode(replace(legal, notes=[Note(at=[99, 3], text="Nowhere.")])).decode()
    said = fresh_client.post("/", data={"record": nowhere}, follow_redirects=True).text
    assert "added to what is stored" not in said
    record = codec.decode(fresh_client.get(f"/games/{codec.digest(legal)}/record.json").data).record
    assert record.notes is None


def test_visitors_add_nothing_to_what_others_stored(tmp_path, legal):
    app = public_site(tmp_path)
    Browser(app).post("/", form="/", record=codec.encode(legal).decode())
    Browser(app).post("/", form="/", **noted(legal, "Mine."))
    assert "Mine." not in Browser(app).get(f"/games/{codec.digest(legal)}/deals/1").text
    close_app(app)
