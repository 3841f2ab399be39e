"""Notes that come with a game that is already stored are added to its record."""

from msgspec.structs import replace

from records import codec
from records.record import Note
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
