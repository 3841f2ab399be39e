"""Records in the notation, uploaded or pasted: judged like all others, and stored as the JSON that they stand for."""

from io import BytesIO

import pytest

from records.format import codec
from records.format.notation_writer import write_notation
from records.selfplay import play_game

GAME = play_game("zique", seed=3, deals=1)
OTHER = play_game("marjolet", seed=4, deals=1)
TEXT = write_notation(GAME).replace("\n\n", "\n# typed by hand\n", 1)


def send(client, *files, **form):
    """Upload files and what is pasted."""
    data = {"files": [(BytesIO(text.encode()), name) for name, text in files], **form}
    return client.post("/", data=data, follow_redirects=True)


@pytest.mark.long
def test_texts_are_stored_as_json_and_known_again(fresh_client):
    assert send(fresh_client, record=TEXT).status_code == 200
    (line,) = fresh_client.get("/games.jsonl").data.splitlines()
    assert line == codec.encode(GAME)
    again = fresh_client.post("/", data={"record": codec.encode(GAME).decode()})
    assert again.status_code == 303
    send(fresh_client, ("evening.bezique", TEXT + write_notation(OTHER)))
    lines = fresh_client.get("/games.jsonl").data.splitlines()
    assert sorted(lines) == sorted([codec.encode(GAME), codec.encode(OTHER)])


def test_mistakes_are_told_with_their_lines(client):
    page = client.post("/check", data={"record": TEXT.replace("[turn_up", "[turned")}).text
    line = 1 + TEXT.split("\n").index(next(s for s in TEXT.split("\n") if "[turn_up" in s))
    assert f"Line {line}, column 2: expected a tag of a deal: brisques" in page


def test_behind_a_private_link_it_is_json_too(fresh_client):
    sent = fresh_client.post("/", data={"record": TEXT, "private": "1"})
    record = fresh_client.get(f"{sent.location.partition('#')[0]}/records/1/record.json")
    assert record.data == codec.encode(GAME)


def test_the_interface_for_programs_reports_on_it(client):
    text = TEXT + write_notation(OTHER).replace("marjolet", "marjolett")
    first, second = client.post("/api/validate", data=text).get_json()["reports"]
    assert (first["verdict"], first["line"]) == ("incomplete", 1)
    assert second["findings"][0]["code"] == "unknown-sheet"
    assert second["line"] == 1 + TEXT.count("\n")
