import gzip

import zstandard

from records import codec
from webui import create_app


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


def test_the_api_needs_no_token(tmp_path, legal):
    app = create_app(data=tmp_path, testing=True)
    answer = app.test_client().post("/api/validate", data=codec.encode(legal))
    app.extensions["store"].close()
    assert answer.status_code == 200


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
