import gzip
import re
from io import BytesIO
from pathlib import Path
from time import sleep

import pytest
from markupsafe import escape
from msgspec.structs import replace

from records.format import codec
from records.record import Player
from records.validate import finding
from tests.webui.public_site import Browser
from webui import create_app
from webui.views.home import MOST_EXPANDED_AT_ONCE

SAMPLE = Path(__file__).parents[2] / "samples/broken/other-encoding.json"

SMALL = {"max_content_length": 1000, "max_upload_length": 1000}
FETCH = {"X-Requested-With": "fetch"}


def send(client, *files, text="", headers=None, follow=True):
    data = {"record": text, "files": [(BytesIO(data), name) for name, data in files]}
    return client.post("/", data=data, headers=headers, follow_redirects=follow)


def test_an_empty_house_says_what_to_do_first(fresh_client):
    page = fresh_client.get("/").text
    assert "No games yet" in page
    assert 'type="file"' in page


def test_a_stored_game_is_listed(client, stored):
    page = client.get("/").text
    assert f"/games/{stored}" in page
    assert "&lt;Bob&gt;" in page
    assert "<Bob>" not in page


@pytest.mark.long
def test_who_has_no_record_is_led_to_a_lawful_game_and_to_a_broken_one(
    client, fresh_client, illegal
):
    """Also where the latest games are illegal, or where there is none."""
    for each in (client, fresh_client):
        page = each.get("/").text
        assert 'href="/examples/ace-of-diamonds/deals/1">Watch Ada – Bruno play' in page
        assert "/findings/must-follow-suit" in page
    assert client.get("/examples/ace-of-diamonds/deals/1").status_code == 200


def test_the_first_page_says_what_bezique_is_and_asks_a_question(fresh_client):
    page = fresh_client.get("/").text
    assert "What is Bezique?" in page
    assert "What would you play?" in page
    assert "Bruno to lead" in page
    assert re.search(r"data-answer hidden>", page)
    assert re.search(r"data-values hidden>", page)


@pytest.mark.long
@pytest.mark.parametrize(
    ("card", "says"),
    [
        ("AD", "The ace of diamonds: if both play their best from there, Bruno wins the match by 20 points."),
        ("AH", "The ace of hearts: if both play their best from there, the match is tied, and another deal decides it."),
        ("KH", "The king of hearts: if both play their best from there, Ada wins the match by 40 points."),
        ("ask", None),
    ],
)  # fmt: skip
def test_the_question_is_answered_without_script(fresh_client, card, says):
    page = fresh_client.get(f"/?play={card}").text
    assert "data-values>" in page
    # He is 10 points behind in this deal, and was 30 ahead before it.
    assert "A♦ −10" in page
    assert "Bruno led the match by 30 points." in page
    assert re.search(r"data-answer[^>]*>([^<]*)</p>", page)[1] == (says or "")
    assert ("tone-good" in page) is (card == "AD")


def test_the_site_has_an_icon_where_everything_looks_for_it(client):
    icon = client.get("/favicon.ico")
    assert icon.status_code == 200
    assert icon.data[:4] == b"\0\0\1\0"
    for address in re.findall(
        r'rel="(?:icon|apple-touch-icon)" href="([^"]*)"', client.get("/").text
    ):
        assert client.get(address).status_code == 200, address


@pytest.mark.parametrize(
    ("path", "canonical"),
    [
        ("/", "/"),
        ("/?play=AD", "/"),
        ("/rules/bezique?hand_size=9", "/rules/bezique"),
        ("/games?sheet=bezique", "/games"),
        ("/player?name=Ann", None),
        ("/standings?event=Cup", None),
        ("/players/compare?first=Ann&second=Bob", None),
        ("/sql?q=SELECT+1", None),
        ("/nothing", None),
    ],
)
def test_a_page_names_the_address_that_stands_for_it(client, path, canonical):
    found = re.findall(r'<link rel="canonical" href="([^"]*)">', client.get(path).text)
    assert found == ([canonical] if canonical else [])


def test_no_error_names_an_address_that_stands_for_it(app, client):
    adapter = app.url_map.bind("localhost")
    wrong = 0
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and rule.arguments:
            address = adapter.build(rule.endpoint, dict.fromkeys(rule.arguments, 777))
            answer = client.get(address, headers={"Accept": "text/html"}, buffered=True)
            if answer.status_code >= 400 and answer.mimetype == "text/html":
                wrong += 1
                for named in ('rel="canonical"', 'property="og:url"', 'rel="alternate"'):
                    assert named not in answer.text, address
    assert wrong > 10


@pytest.mark.long
def test_an_upload_without_script_answers_with_the_whole_page(fresh_client, legal):
    page = send(fresh_client, ("legal.json", codec.encode(legal))).text
    assert "<title>" in page
    assert "Open the game" in page
    assert "The game follows every rule" in page


@pytest.mark.long
def test_a_verdict_has_an_address_of_its_own(fresh_client, illegal):
    """Reloading shows it again, whether a script sent the record or a form did; the unreadable ones, too."""
    sent = {"record": codec.encode(illegal).decode() + "\n{}"}
    address = fresh_client.post("/", data=sent).location
    scripted = fresh_client.post("/", data=sent, headers=FETCH)
    assert scripted.headers["Content-Location"] == address
    page = fresh_client.get(address).text
    assert page.count("A rule was broken.") == 1
    assert "It was not stored." in page
    assert "Open the game" in page
    reports = fresh_client.get(address.replace("?", ".json?")).json["reports"]
    assert [report["verdict"] for report in reports] == ["illegal", "unreadable"]
    assert fresh_client.get("/verdicts").status_code == 404
    assert fresh_client.get("/verdicts?game=none").status_code == 404
    assert fresh_client.get("/verdicts?unread=none").status_code == 404


@pytest.mark.long
def test_a_game_sent_again_with_other_claims_has_its_own_verdict_in_place(fresh_client, legal):
    """The digest leaves out what a record claims: the address would show the verdict on the record that is stored."""
    fresh_client.post("/", data={"record": codec.encode(legal).decode()})
    wrong = replace(legal, result=replace(legal.result, winner=1 - legal.result.winner))
    assert codec.digest(wrong) == codec.digest(legal)
    answer = fresh_client.post("/", data={"record": codec.encode(wrong).decode()})
    assert answer.status_code == 200
    assert "/findings/wrong-winner" in answer.text
    again = fresh_client.post("/", data={"record": codec.encode(legal).decode()})
    assert again.status_code == 303


@pytest.mark.long
def test_an_upload_by_script_answers_with_the_verdict_alone(fresh_client, illegal):
    page = send(fresh_client, ("illegal.json", codec.encode(illegal)), headers=FETCH).text
    assert "<title>" not in page
    assert "A rule was broken." in page
    assert "but it is Bob&#39;s turn to play" in page
    assert "/rules/bezique#play" in page
    assert "/findings/out-of-turn" in page
    assert "/deals/1?step=2" in page


@pytest.mark.long
def test_a_pasted_record_is_checked(fresh_client, miscounted):
    page = send(fresh_client, text=codec.encode(miscounted).decode(), headers=FETCH).text
    assert "the rules give 20" in page
    assert "Scores differ" in page


@pytest.mark.long
def test_several_files_and_a_zipped_list_are_all_checked(fresh_client, legal, illegal):
    lines = gzip.compress(codec.encode(legal) + b"\n" + codec.encode(illegal) + b"\nnonsense\n")
    page = send(fresh_client, ("two.jsonl.gz", lines), ("three.json", b"{}"), headers=FETCH).text
    assert "4 records" in page
    assert "1 × legal" in page
    assert "2 × unreadable" in page
    assert "line 3" in page


@pytest.mark.slow
@pytest.mark.parametrize("files", [1, 8])
def test_what_expands_to_much_is_not_checked_at_once(client, app, legal, files):
    line = codec.encode(legal) + b"\n"
    packed = gzip.compress(line * (MOST_EXPANDED_AT_ONCE // files // len(line) + 1))
    sent = [(f"{number}.jsonl.gz", packed) for number in range(files)]
    assert sum(len(data) for _, data in sent) < MOST_EXPANDED_AT_ONCE // 10
    assert send(client, *sent, follow=False).status_code == 303
    while any(job.is_active for job in app.extensions["imports"].jobs()):
        sleep(0.05)
    form = {"files": [(BytesIO(data), name) for name, data in sent]}
    refused = client.post("/check", data=form, headers=FETCH)
    assert refused.status_code == 413
    assert "send them uncompressed" in refused.json["error"]["text"]


def test_what_would_take_too_long_is_refused_as_a_whole(fresh_client, store, legal, monkeypatch):
    monkeypatch.setattr(finding, "REQUEST_STEPS", -len(codec.encode(legal)))
    sent = [(f"{i}.json", codec.encode(legal)) for i in range(2)]
    for answer in (send(fresh_client, *sent, headers=FETCH), send(fresh_client, *sent)):
        assert answer.status_code == 413
        assert "would take longer than a request may" in answer.text
    assert store.counts().games == 0


@pytest.mark.long
def test_the_same_game_again_is_recognised(fresh_client, store, legal):
    file = ("legal.json", codec.encode(legal))
    send(fresh_client, file)
    assert "This game is already stored." in send(fresh_client, file).text
    moved = codec.encode(replace(legal, meta={"site": "Elsewhere"}))
    before = escape(" – ".join(player.name for player in legal.players))
    page = send(fresh_client, ("legal.json", moved), headers=FETCH).text
    assert f"This game is already stored, as {before}" in page
    assert f"The record sent says {before}, Elsewhere" in page
    assert f"Stored as {before}" in send(fresh_client, ("legal.json", moved)).text
    assert store.counts().games == 1
    other = codec.encode(replace(legal, players=[Player(name="Clio"), *legal.players[1:]]))
    send(fresh_client, ("legal.json", other))
    assert store.counts().games == 2


@pytest.mark.long
def test_nothing_sent_is_said_in_words(fresh_client):
    answer = send(fresh_client)
    assert answer.status_code == 400
    assert "Choose a file first" in answer.text
    scripted = send(fresh_client, headers=FETCH)
    assert scripted.status_code == 400
    assert "Choose a file first" in scripted.json["error"]["text"]


@pytest.mark.parametrize("path", ["/", "/api/validate"])
def test_too_large_is_413(tmp_path, path):
    app = create_app(data=tmp_path, testing=True, wtf_csrf_enabled=False, **SMALL)
    answer = app.test_client().post(path, data=b"x" * 2000, headers=FETCH)
    app.extensions["store"].close()
    assert answer.status_code == 413
    assert answer.json["error"]["status"] == 413


def unread(client, address: str) -> list[str]:
    """The reasons that a page gives for records that were not stored."""
    text = client.get(address).text
    return re.findall(r"<li><b>([^<]*)</b>", text.partition('id="unreadable"')[2])


@pytest.mark.long
def test_the_records_that_were_not_stored_are_counted_and_told(fresh_client, legal):
    lines = [codec.encode(legal).decode(), "{}", "{bad", codec.encode(legal).decode()]
    answer = fresh_client.post("/", data={"record": "\n".join(lines)}, follow_redirects=True).text
    assert "2 records were not stored." in answer
    assert '<a href="/imports#unreadable">Why</a>' in answer
    home = fresh_client.get("/").text
    counted = (
        '</span> <span><a href="/imports#unreadable">2 unreadable records</a> not stored</span></p>'
    )
    assert counted in home, "in the line of the games"
    assert unread(fresh_client, "/imports") == ["pasted, line 2", "pasted, line 3"]
    fresh_client.post("/", data={"record": "\n".join(lines)})
    assert "2 unreadable records" in fresh_client.get("/").text, "they are the same"
    many = "\n".join([codec.encode(legal).decode(), *["{}"] * 120])
    answer = fresh_client.post("/", data={"record": many}).text
    assert "120 records were not stored." in answer
    assert len(unread(fresh_client, "/imports")) == 20


@pytest.mark.long
def test_a_record_that_is_only_checked_is_not_said_to_be_missing(open_site):
    app = open_site(visitors_may=["read", "validate"])
    answer = Browser(app).post("/check", form="/", record="{}\n{}")
    assert "were not stored" not in answer.text


@pytest.mark.long
def test_a_sender_sees_why_and_other_visitors_do_not(open_site, legal):
    app = open_site()
    sender = Browser(app)
    answer = sender.post("/", form="/", record=f"{codec.encode(legal).decode()}\n{{}}")
    assert "1 record was not stored." in answer.text
    (link,) = re.findall(r'<a href="(/sent/[^"]+)#unreadable">Why</a>', answer.text)
    assert unread(sender, link) == ["pasted, line 2"]
    assert "unreadable record" not in Browser(app).get("/").text
    assert unread(Browser(app), "/imports") == []
    only = sender.get(sender.post("/", form="/", record="{}\n[]").location).text
    assert "2 records were not stored. The reasons are below." in only


@pytest.mark.long
def test_what_is_told_of_a_file_is_told_whether_its_game_was_stored_before_or_not(fresh_client):
    data = SAMPLE.read_bytes()
    for _ in range(2):
        sent = {"files": (BytesIO(data), "games.json")}
        answer = fresh_client.post("/", data=sent, follow_redirects=True)
        assert "/findings/other-encoding" in answer.text
