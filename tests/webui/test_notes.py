"""A reader's notes go into the record that is saved, not into the stored one."""

import msgspec
import pytest

from analyzer.review.deep_review import ReviewTerms
from analyzer.review.narrative import narrate_game
from analyzer.review.reviewer import review_record
from records.format import codec
from webui.server.game_cache import encode_permalink


def save(client, digest, notes):
    return client.post(
        f"/games/{digest}/notes/record.json", data={"notes": msgspec.json.encode(notes)}
    )


def test_notes_are_saved_with_the_record_and_the_stored_one_stays(client, stored):
    before = client.get(f"/games/{stored}/record.json").data
    notes = [
        {"at": [0], "text": "A good deal."},
        {"at": [0, 4], "text": "The king had to go.", "by": "Ann"},
    ]
    saved = codec.decode(save(client, stored, notes).data)
    assert saved.digest() == stored
    assert not saved.findings
    assert msgspec.to_builtins(saved.record.notes) == notes
    assert client.get(f"/games/{stored}/record.json").data == before


@pytest.mark.parametrize(
    ("notes", "said"),
    [
        ([], "Send 1 to"),
        ({"at": [0]}, "cannot be read"),
        ([{"at": [0], "text": "x" * 2001}], "Send 1 to"),
        ([{"at": [99], "text": "nowhere"}], "(Note 1, `at`)"),
        ([{"at": [0, 4999], "text": "nowhere"}], "(Note 1, `at`)"),
    ],
)
def test_notes_that_do_not_fit_are_refused_in_words(client, stored, notes, said):
    answer = save(client, stored, notes)
    assert answer.status_code == 400
    assert said in answer.text


def test_notes_with_two_members_of_one_name_are_refused(client, stored):
    """The decoder alone would take the last one, and lose what the reader wrote in the first."""
    twice = '[{"at": [0], "text": "A good deal.", "text": "A bad deal."}]'
    answer = client.post(f"/games/{stored}/notes/record.json", data={"notes": twice})
    assert answer.status_code == 400
    assert "appears twice in one object" in answer.text


def test_the_mark_of_a_note_stands_beside_its_event_and_in_the_text_of_the_review(client, stored):
    notes = [
        {"at": [0, 0], "text": "?? Too early.", "by": "Ann"},
        {"at": [0], "text": "Well, well."},
    ]
    data = save(client, stored, notes).data
    page = client.get("/replay", query_string={"record": encode_permalink(data), "step": 1})
    events = page.text.partition("data-events>")[2]
    assert (
        events.count('<b class="note-mark">??<span class="hidden-words"> (a blunder)</span></b>')
        == 2
    )
    assert '<span class="comment-text">Too early.</span>' in events
    record = codec.decode(data).record
    told = list(narrate_game(record, review_record(record, terms=ReviewTerms(worlds=0))))
    assert "Ann: “?? Too early.”" in told[3]
    assert told[2].endswith("A note: “Well, well.”")
