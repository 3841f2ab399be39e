import gzip
import json

import pytest
import zstandard

from records.format import codec
from records.selfplay import play_game
from records.validate import finding
from webui import create_app
from webui.api.requests import LINES_MEDIA_TYPE


def test_one_record_has_one_report_and_nothing_is_kept(fresh_client, store, legal):
    answer = fresh_client.post("/api/validate", data=codec.encode(legal)).json
    assert answer["records"] == 1
    assert answer["reports"][0]["verdict"] == "legal"
    assert answer["reports"][0]["digest"] == codec.digest(legal)
    assert store.counts().games == 0


def test_lines_have_a_report_each_in_their_order(client, legal, miscounted):
    lines = b"\n".join([codec.encode(legal), b"{", codec.encode(miscounted)])
    for body in (lines, gzip.compress(lines), zstandard.compress(lines)):
        reports = client.post("/api/validate", data=body).json["reports"]
        assert [report["verdict"] for report in reports] == [
            "legal",
            "unreadable",
            "legal_with_mismatches",
        ]
        assert [report.get("line") for report in reports] == [1, 2, 3]


def test_lenient_reading_is_asked_for(client, legal):
    data = codec.encode(legal)[:-1] + b',"surprise":1}'
    assert client.post("/api/validate", data=data).json["reports"][0]["verdict"] == "unreadable"
    lenient = client.post("/api/validate?strict=0", data=data).json["reports"][0]
    assert lenient["verdict"] == "legal"


def test_nothing_sent_is_an_error_as_json(client):
    answer = client.post("/api/validate")
    assert answer.status_code == 400
    assert "Send a record" in answer.json["error"]["text"]


def test_it_is_documented(client):
    assert "/api/validate" in client.get("/api").text


def test_too_many_records_in_one_request_are_refused(tmp_path, legal):
    app = create_app(data=tmp_path, testing=True, max_request_records=3)
    client, line = app.test_client(), codec.encode(legal) + b"\n"
    accepted = client.post("/api/validate", data=line * 3, buffered=True)
    answers = [
        client.post("/api/validate", data=body)
        for body in (line * 4, b"{}\n" * 4, gzip.compress(line * 4))
    ]
    app.extensions["store"].close()
    assert accepted.json["records"] == len(accepted.json["reports"]) == 3
    assert [answer.status_code for answer in answers] == [413] * 3
    assert "up to 3 records" in answers[0].json["error"]["text"]


def test_a_body_that_expands_too_far_is_refused(client):
    answer = client.post("/api/validate", data=gzip.compress(b"\n" * 20_000_000))
    assert answer.status_code == 413
    assert "expand too far" in answer.json["error"]["text"]


def test_the_answer_comes_report_by_report(client, legal):
    """The first report is there before the last record is judged."""
    lines = b"\n".join([codec.encode(legal)] * 3)
    with client.post("/api/validate", data=lines, buffered=False) as answer:
        pieces = list(answer.response)
    assert len(pieces) == 5


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_what_is_not_examined_has_no_verdict(client, legal, monkeypatch, pack):
    line = codec.encode(legal) + b"\n"
    monkeypatch.setattr(finding, "REQUEST_STEPS", 0)
    monkeypatch.setattr(finding, "MOST_BYTES_EXAMINED", 3 * len(line))
    answer = client.post("/api/validate", data=pack(line * 10)).json
    assert answer["records"] == len(answer["reports"]) + answer["not_examined"] == 10
    assert len(answer["reports"]) == 3
    assert {report["verdict"] for report in answer["reports"]} == {"legal"}
    lines = {"Content-Type": LINES_MEDIA_TYPE}
    *reports, last = client.post(
        "/api/v1/validate", data=pack(line * 10), headers=lines
    ).text.splitlines()
    assert [json.loads(report)["verdict"] for report in reports] == ["legal"] * 3
    assert json.loads(last) == {"not_examined": 7}


@pytest.mark.long
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_many_games_are_examined_however_they_are_packed(client, legal, pack):
    line = codec.encode(legal) + b"\n"
    many = 2_000_000 // len(line)
    answer = client.post("/api/validate", data=pack(line * many)).json
    assert [report["verdict"] for report in answer["reports"]] == ["legal"] * many


@pytest.mark.long
def test_games_that_differ_and_are_compressed_are_all_examined(client):
    games = [play_game("bezique", seed=seed, deals=2) for seed in range(40)]
    packed = gzip.compress(b"\n".join(map(codec.encode, games)))
    reports = client.post("/api/validate", data=packed).json["reports"]
    assert {report["verdict"] for report in reports} == {"incomplete"}
