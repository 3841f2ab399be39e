"""Records in the notation, uploaded or pasted: judged like all others, and stored as the JSON that they stand for."""

from io import BytesIO

from records import codec
from records.notation import write_notation
from records.selfplay import play_game

GAME = play_game("zique", seed=3, deals=1)
OTHER = play_game("marjolet", seed=4, deals=1)
TEXT = write_notation(GAME).replace("\n\n", "\n# typed by hand\n", 1)


def send(client, *files, **form):
    data = {"files": [(BytesIO(text.encode()), name) for name, text in files], **form}
    return client.post("/", data=data, follow_redirects=True)


def test_a_pasted_text_is_stored_as_json_and_known_again(fresh_client):
    assert send(fresh_client, record=TEXT).status_code == 200
    (line,) = fresh_client.get("/games.jsonl").data.splitlines()
    assert line == codec.encode(GAME)
    again = fresh_client.post("/", data={"record": codec.encode(GAME).decode()})
    assert again.status_code == 303
    assert len(fresh_client.get("/games.jsonl").data.splitlines()) == 1


def test_a_file_of_several_games_is_stored_game_by_game(fresh_client):
    send(fresh_client, ("evening.bezique", TEXT + write_notation(OTHER)))
    lines = fresh_client.get("/games.jsonl").data.splitlines()
    assert sorted(lines) == sorted([codec.encode(GAME), codec.encode(OTHER)])


def test_mistakes_are_told_with_their_lines(fresh_client):
    page = send(fresh_client, record=TEXT.replace("[turn_up", "[turnup")).text
    line = 1 + TEXT.split("\n").index(next(s for s in TEXT.split("\n") if "[turn_up" in s))
    assert f"Line {line}, column 2: expected a tag of a deal: brisques" in page
    assert fresh_client.get("/games.jsonl").data == b""


def test_behind_a_private_link_it_is_json_too(fresh_client):
    sent = fresh_client.post("/", data={"record": TEXT, "private": "1"})
    record = fresh_client.get(f"{sent.location}/records/1/record.json")
    assert record.data == codec.encode(GAME)


def test_the_interface_for_programs_reports_on_it(fresh_client):
    text = TEXT + write_notation(OTHER).replace("marjolet", "marjolett")
    first, second = fresh_client.post("/api/validate", data=text).get_json()["reports"]
    assert (first["verdict"], first["line"]) == ("incomplete", 1)
    assert second["findings"][0]["code"] == "unknown-sheet"
    assert second["line"] == 1 + TEXT.count("\n")
