"""Studies: made at the table, read as a lesson, changed by their authors alone, and taken from one site to another."""

import gzip
import re
from html import unescape
from io import BytesIO

import pytest
from msgspec.structs import replace

from analyzer.review.deep_review import ReviewTerms
from analyzer.review.reviewer import review_record
from analyzer.review.stored import save_review
from analyzer.store.store import Store
from analyzer.store.studies import (
    DAYS_DELETED,
    MOST_VERSIONS,
    StudyContent,
    StudyGame,
    StudyRefused,
    begin_study,
    change_study,
    list_studies,
    read_stored_study,
    undo_change,
)
from records.events import Trick
from records.format import codec
from records.selfplay import play_game
from records.study import (
    LARGEST_STUDY_FILE,
    LineNote,
    Study,
    StudyFile,
    StudyMoment,
    StudyUnreadable,
    read_study,
    write_study,
)
from tests.make.empty_store import with_empty_database
from tests.make.stored_games import store_game
from tests.webui.public_site import Browser, key_of
from webui import create_app
from webui.application import close_app
from webui.replay.deal_reviews import review_deal
from webui.replay.what_if import events_for_url, write_line
from webui.server.sent_studies import find_studies


@pytest.fixture
def digest(fresh, legal):
    store_game(fresh, legal)
    return codec.digest(legal)


def add(client, digest, study="", **more):
    """Add a moment, and return the address of its study."""
    form = {"game": digest, "deal": 1, "event": 3, "near": 0, "study": study, "line": ""} | more
    answer = client.post("/studies/moments", data=form)
    assert answer.status_code == 303, answer.text
    return answer.location.rpartition("/")[0]


def study_of(client, address):
    return client.get(f"{address}.json").json


def played(record, count):
    """What was played from step 3 on, as an address spells it."""
    return write_line(events_for_url(record.deals[0].events[3:])[0][:count])


def test_three_moments_make_a_lesson(fresh_client, digest, legal):
    address = add(
        fresh_client, digest, new_title="Club paper", title="One", text="! Q♥ <b>leads</b>"
    )
    study = address.rpartition("/")[2]
    line = played(legal, 1)
    add(
        fresh_client, digest, study, asks=1, question="What now?", answer="Hold the ace.", line=line
    )
    add(fresh_client, digest, study, title="Three", event=0)
    first = fresh_client.get(address).text
    assert "Club paper" in first
    assert "&lt;b&gt;leads" in first
    assert "(good)" in first
    assert "Next moment" in first
    assert 'class="felt' in first
    asked = fresh_client.get(f"{address}/2").text
    assert "What now?" in asked
    assert asked.count("Show the answer") == 1
    assert "Hold the ace." not in asked
    answered = fresh_client.get(f"{address}/2?line=0").text
    assert "Hold the ace." in answered
    assert "Step on" in answered
    assert 'aria-current="step"' in fresh_client.get(f"{address}/2?line=1").text
    printed = fresh_client.get(f"{address}/print").text
    assert printed.count('<article class="study">') == 3
    assert "Hold the ace." in printed
    assert fresh_client.get(f"{address}/4").status_code == 404
    assert [each.get("title") for each in study_of(fresh_client, address)["moments"]] == ["One", None, "Three"]  # fmt: skip


def test_cards_that_are_named_are_pointed_at(fresh_client, digest, legal):
    card = legal.deals[0].hands[0][0]
    sign = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}[card[1]]
    rank = card[0].replace("T", "10")
    address = add(fresh_client, digest, text=f"Keep {rank}{sign}.", event=0)
    page = fresh_client.get(address).text
    assert ", pointed at" in page
    assert re.search(r'class="card[^"]* pointed"', page)


def test_at_a_mistake_the_form_has_the_sentence_and_the_better_card(fresh_client, fresh):
    record = play_game("bezique", seed=26, style="random")
    review = review_record(record, terms=ReviewTerms(worlds=0))
    digest = store_game(fresh, record)
    save_review(fresh.extensions["store"], review)
    headlines = review_deal(review, 0, record.deals[0].events).headlines
    step, told = next((step, told) for step, told in headlines.items() if told.better)
    for shown in (step, step + 1):
        form = fresh_client.get(f"/games/{digest}/deals/1/study?step={shown}").text
        assert f'name="event" value="{step}"' in form
        assert f'name="near" value="{told.seat}"' in form
        assert 'value="1" checked' in form
        assert told.headline in form
        assert re.search(r'<option value="play-[^"]+" selected>the better choice', form)


def test_moments_are_edited_moved_deleted_and_undone(fresh_client, digest, legal):
    address = add(fresh_client, digest, title="One")
    study = address.rpartition("/")[2]
    add(fresh_client, digest, study, title="Two", line=played(legal, 1))

    def titles():
        return [each["title"] for each in study_of(fresh_client, address)["moments"]]

    form = {"title": "Second", "line": "same", "note-0": "Here."}
    assert "as it is" in fresh_client.get(f"{address}/2/edit").text
    fresh_client.post(f"{address}/2/edit", data=form)
    assert study_of(fresh_client, address)["moments"][1]["notes"] == [{"event": 0, "text": "Here."}]
    assert "Here." in fresh_client.get(f"{address}/2?line=1").text
    fresh_client.post(f"{address}/2/move", data={"to": 1})
    assert titles() == ["Second", "One"]
    fresh_client.post(f"{address}/1/delete")
    assert titles() == ["One"]
    for expected in (["Second", "One"], ["One", "Second"], ["One", "Two"], ["One"]):
        fresh_client.post(f"{address}/undo")
        assert titles() == expected
    assert fresh_client.post(f"{address}/undo").status_code == 409


@pytest.mark.parametrize(
    ("visibility", "told"),
    [
        ("private", "Saved. Only you see it, with your editing link."),
        ("unlisted", "Saved. Whoever has the readers’ link sees it."),
        ("public", "Saved. Everybody sees it, and it is in the list of studies."),
    ],
)
def test_the_readers_link_is_told_apart_from_the_editing_link(
    fresh_client, digest, visibility, told
):
    address = add(fresh_client, digest, title="One")
    form = {"visibility": visibility, "title": "Lesson"}
    answer = fresh_client.post(f"{address}/edit", data=form, follow_redirects=True)
    assert told in answer.text
    readers, editing = ('id="readers-link"' in answer.text), 'id="link"'
    assert readers == (visibility != "private")
    links = re.findall(r'readonly value="([^"]+)"', answer.text)
    assert [link.partition("#")[0] for link in links] == [f"http://localhost{address}"] * len(links)
    assert ["#" in link for link in links] == [False] * readers + [True]
    assert answer.text.index("For readers") < answer.text.index(editing)


def test_a_moment_is_edited_from_its_page_and_leads_on_to_the_next(
    fresh_client, digest, fresh, illegal
):
    address = add(fresh_client, digest, title="One")
    study = address.rpartition("/")[2]
    lost = store_game(fresh, illegal)
    for game in (digest, lost):
        add(fresh_client, game, study)

    def follows(number):
        """Where saving a moment leads whose form offers the next one, and whether it does."""
        assert f'href="{address}/{number}/edit"' in fresh_client.get(f"{address}/{number}").text
        offered = 'name="next"' in fresh_client.get(f"{address}/{number}/edit").text
        saved = fresh_client.post(f"{address}/{number}/edit", data={"next": 1})
        return offered, saved.location.removeprefix(f"{address}/")

    assert [follows(1), follows(2), follows(3)] == [(True, "2/edit"), (True, "3/edit"), (False, "3")]  # fmt: skip
    fresh_client.post(f"/games/{lost}/delete")
    assert follows(2) == (False, "2")
    assert f'href="{address}/3/edit"' not in fresh_client.get(f"{address}/3").text


def test_a_deleted_study_can_be_brought_back(fresh_client, digest):
    address = add(fresh_client, digest)
    before = study_of(fresh_client, address)
    fresh_client.post(f"{address}/delete")
    assert fresh_client.get(address).status_code == 404
    assert fresh_client.get("/studies.json").json == []
    assert "Bring it back" in fresh_client.get(f"{address}/edit").text
    fresh_client.post(f"{address}/undo")
    assert study_of(fresh_client, address) == before


def test_who_changes_what_somebody_else_changed_is_told(fresh_client, digest):
    address = add(fresh_client, digest)
    version = fresh_client.get(f"{address}/edit.json").json["version"]
    for expected in (303, 409):
        form = {"title": f"Now {expected}", "after": version}
        assert fresh_client.post(f"{address}/edit", data=form).status_code == expected


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"event": 100_000}, 400),
        ({"deal": 9}, 400),
        ({"deal": 0}, 400),
        ({"event": "x"}, 400),
        ({"line": "play-0-XX"}, 400),
        ({"line": "~".join(["play-0-AS"] * 4)}, 400),
        ({"text": "x" * 4001}, 400),
        ({"title": "x" * 201}, 400),
        ({"game": "0" * 64}, 404),
        ({"game": "", "sent": "nobody", "record": 1}, 404),
        ({"study": "nobody"}, 404),
    ],
)
def test_what_is_no_moment_is_refused(fresh_client, digest, form, status):
    given = {"game": digest, "deal": 1, "event": 3, "near": 0, "line": ""} | form
    assert fresh_client.post("/studies/moments", data=given).status_code == status
    assert fresh_client.get("/studies.json").json == []


def test_one_click_makes_a_study_of_the_moments_on_a_game_s_page(fresh_client, fresh):
    game = play_game("bezique", seed=26, style="random", names=["Ann", "Bob"])
    store_game(fresh, game)
    fresh_client.get(f"/games/{codec.digest(game)}/review")
    page = unescape(fresh_client.get(f"/games/{codec.digest(game)}").text)
    assert "Make a study of these moments" in page
    (action,) = re.findall(r'action="(/games/\w+/study)"', page)
    answer = fresh_client.post(action)
    address = answer.location.removesuffix("/edit")
    assert "The study has 3 moments." in fresh_client.get(answer.location).text
    made = study_of(fresh_client, address)
    assert made["visibility"] == "private"
    assert made["title"] == "Study of Ann – Bob"
    shown = re.findall(r"/deals/(\d+)\?step=(\d+)", page.partition('class="moments"')[2])[:3]
    assert [moment["at"] for moment in made["moments"]] == [[int(d) - 1, int(s)] for d, s in shown]
    # A page keeps a number and its percent sign in one line.
    words = unescape(re.sub(r"<[^>]*>", "", page)).replace("\u00a0", " ")
    for number, moment in enumerate(made["moments"], 1):
        assert all(line in words for line in moment["text"].replace("\u00a0", " ").splitlines())
        assert 'class="felt' in fresh_client.get(f"{address}/{number}").text
    # A choice is called after the trick that the replay counts it to, and after who made it.
    titles = [moment["title"] for moment in made["moments"]]
    for (deal, step), title in zip(
        [moment["at"] for moment in made["moments"]], titles, strict=True
    ):
        events = game.deals[deal].events
        tricks = sum(isinstance(each, Trick) for each in events[:step])
        if ": " in title:
            assert title in {
                f"Deal {deal + 1}, trick {tricks + 1}: {name}" for name in ("Ann", "Bob")
            }
    assert any(": " in title for title in titles)


def test_a_game_without_moments_makes_no_study(fresh_client, fresh, illegal):
    store_game(fresh, illegal)
    page = f"/games/{codec.digest(illegal)}"
    assert "Make a study" not in fresh_client.get(page).text
    assert fresh_client.post(f"{page}/study").status_code == 404


# From one site to another.


def bring(client, data, **more):
    """Send a file at the desk, and store all of it."""
    look = client.post("/look", data={"files": (BytesIO(data), "study.json")})
    return client.post(f"{look.location}/store", data=more, follow_redirects=True).text


@pytest.mark.parametrize("private", [False, True])
def test_a_study_goes_to_another_site_with_its_games(
    fresh_client, digest, legal, illegal, private, tmp_path
):
    spread = codec.encode(illegal).replace(b'":', b'" :\n ')
    fresh_client.post("/", data={"files": (BytesIO(spread), "spread.json")})
    address = add(fresh_client, digest, title="One", text="?? Ä ♥", line=played(legal, 2))
    study = address.rpartition("/")[2]
    add(fresh_client, codec.digest(illegal), study, asks=1, answer="None.")
    fresh_client.post(f"{address}/edit", data={"title": "Both", "by": "Ann", "text": "Two games."})
    sent = fresh_client.get(f"{address}/file.json").data
    assert [bytes(each) for each in read_study(sent).records] == [codec.encode(legal), spread]
    other = create_app(data=with_empty_database(tmp_path / "other"), testing=True, wtf_csrf_enabled=False)  # fmt: skip
    try:
        client = other.test_client()
        assert "Stored the study “Both” with 2 moments" in bring(client, sent, **({"private": "1"} if private else {}))  # fmt: skip
        (listed,) = client.get("/studies.json").json
        assert listed["visibility"] == "private"
        there = f"/study/{listed['id']}"
        assert client.get(f"{there}/file.json").data == sent
        assert 'class="felt' in client.get(there).text
        kept = other.extensions["store"].record_bytes(codec.digest(illegal))
        assert kept == (None if private else spread)
    finally:
        close_app(other)


def test_what_is_no_study_is_passed_over_and_what_expands_far_is_not_kept():
    study = write_study(Study(title="One"), [])
    huge = b'{"format":"bezique-study","x":"' + b"x" * (3 * LARGEST_STUDY_FILE) + b'"}'
    files = [("a.json", b"{}"), ("b.json.gz", gzip.compress(huge)), ("c.json.gz", gzip.compress(study))]  # fmt: skip
    far, small = find_studies(files)
    assert isinstance(far, StudyUnreadable)
    assert isinstance(small, StudyFile)
    assert small.title == "One"


def look_at(client, data):
    answer = client.post("/look", data={"files": (BytesIO(data), "study.json")})
    return answer.location, client.get(answer.location).text


def test_the_list_of_what_was_sent_names_a_study(fresh_client, legal):
    data = write_study(Study(title="One", moments=[StudyMoment(game=0, at=[0, 1])]), [codec.encode(legal)])  # fmt: skip
    _, page = look_at(fresh_client, data)
    assert "<h1>1 record and a study in study.json</h1>" in page
    assert "The study <b>One</b> has 1 moment." in page
    assert "Store 1 game" in page


def test_a_study_of_games_that_are_here_can_be_taken(fresh_client, digest):
    address = add(fresh_client, digest, new_title="Sent back")
    file = fresh_client.get(f"{address}/file.json").data
    look, page = look_at(fresh_client, file)
    assert "Take the study" in page
    taken = fresh_client.post(f"{look}/store")
    assert taken.location != address
    assert study_of(fresh_client, taken.location)["title"] == "Sent back"
    assert "Nothing new" not in fresh_client.get(taken.location).text


def test_a_study_without_games_is_no_unreadable_record(fresh_client):
    look, page = look_at(fresh_client, write_study(Study(title="Bare"), []))
    assert "<h1>A study in study.json</h1>" in page
    assert "nreadable" not in page
    assert "Bare" in fresh_client.get(fresh_client.post(f"{look}/store").location).text
    assert fresh_client.get("/index.json").json["counts"]["rejected"] == 0


def test_a_study_that_is_broken_says_so(fresh_client):
    _, page = look_at(fresh_client, write_study(Study(title="Bare"), [])[:-9])
    assert "The study cannot be read" in page
    assert "Take the study" not in page


def test_older_programs_send_a_study_in_one_request(fresh_client, digest):
    address = add(fresh_client, digest, new_title="Sent")
    file = fresh_client.get(f"{address}/file.json").data
    fresh_client.post("/", data={"files": (BytesIO(file), "study.json")})
    assert [each["title"] for each in fresh_client.get("/studies.json").json] == ["Sent", "Sent"]


def test_a_moment_behind_the_end_of_the_replay_is_the_last_step(fresh, fresh_client, illegal):
    digest = store_game(fresh, illegal)
    last = len(illegal.deals[0].events)
    study = add(fresh_client, digest, asks=1, event=last).rpartition("/")[2]
    add(fresh_client, digest, study, event=30)
    for page in (f"/study/{study}", f"/study/{study}/2?line=5", f"/study/{study}/print"):
        assert 'class="felt' in fresh_client.get(page).text
    for step in (0, last, last + 9):
        assert fresh_client.get(f"/games/{digest}/deals/1/study?step={step}").status_code == 200
    assert fresh_client.get(f"/study/{study}/1/edit").status_code == 200


def test_without_a_game_the_moment_says_so_and_the_file_goes_on(fresh_client, digest, illegal):
    fresh_client.post("/", data={"record": codec.encode(illegal).decode()})
    address = add(fresh_client, digest, title="Stays?")
    add(fresh_client, codec.digest(illegal), address.rpartition("/")[2], title="Stays")
    fresh_client.post(f"/games/{digest}/delete")
    for shown in (address, f"{address}/1?line=0", f"{address}/1?line=3"):
        assert "not stored here any more" in fresh_client.get(shown).text
    assert "not stored here any more" in fresh_client.get(f"{address}/print").text
    file = read_study(fresh_client.get(f"{address}/file.json").data)
    assert [each.title for each in file.moments] == ["Stays"]
    assert len(file.records) == 1


# Who may.


@pytest.fixture
def site(open_site, legal):
    app = open_site()
    store_game(app, legal)
    return app


def begin_as(browser, legal, **more):
    """Add a moment in a browser of a public site, and return the address of its study."""
    digest = codec.digest(legal)
    form = {"game": digest, "deal": 1, "event": 3, "near": 0, "line": ""} | more
    answer = browser.post("/studies/moments", form=f"/games/{digest}/deals/1/study", **form)
    assert answer.status_code == 303
    return answer.location.rpartition("/")[0]


def statuses(browser, address):
    """What a browser gets of a study: reading it, its forms, and a change."""
    return (
        browser.get(address).status_code,
        browser.get(f"{address}.json").status_code,
        browser.get(f"{address}/file.json").status_code,
        browser.get(f"{address}/edit").status_code,
        browser.post(f"{address}/edit", form="/studies", title="Taken").status_code,
        browser.get(address.replace("/study/", "/embed/study/") + "/1").status_code,
    )


def test_who_may_see_and_change_a_study(site, legal):
    author, stranger, admin = Browser(site), Browser(site), Browser(site).log_in()
    address = begin_as(author, legal, new_title="Mine")
    assert statuses(author, address) == (200, 200, 200, 200, 303, 404)
    assert statuses(stranger, address) == (404, 404, 404, 403, 403, 404)
    assert statuses(admin, address) == (200, 200, 200, 200, 303, 404)
    assert stranger.get("/studies.json").json == []
    for visibility, listed in (("unlisted", 0), ("public", 1)):
        author.post(f"{address}/edit", form=f"{address}/edit", title="Mine", visibility=visibility)
        assert statuses(stranger, address) == (200, 200, 200, 403, 403, 200)
        assert len(stranger.get("/studies.json").json) == listed
        kept_from_engines = "X-Robots-Tag" in stranger.get(address).headers
        assert kept_from_engines == (visibility != "public")
    assert "Mine" in stranger.get(address).text
    for change in ("undo", "delete", "1/delete", "1/move", "1/edit"):
        assert stranger.post(f"{address}/{change}", form="/studies", to=1).status_code == 403


def test_the_link_opens_a_study_on_another_device_and_no_address_has_the_key(site, legal):
    author, device = Browser(site, Accept="text/html"), Browser(site, Accept="text/html")
    address = begin_as(author, legal)
    page = author.get(f"{address}/edit").text
    link = re.search(r'id="link" readonly value="([^"]+)"', page)[1]
    assert "Open a private link" in device.get(address).text
    assert device.open_link(link) == address
    assert device.get(f"{address}/edit").status_code == 200
    key = key_of(link)
    for shown in (address, f"{address}/print", "/studies"):
        assert key not in author.get(shown).text


def test_where_visitors_may_not_upload_they_write_no_studies(open_site, legal):
    app = open_site(visitors_may=("read",))
    store_game(app, legal)
    visitor = Browser(app)
    assert "Add to a study" not in visitor.get(f"/games/{codec.digest(legal)}/deals/1").text
    assert visitor.get(f"/games/{codec.digest(legal)}/deals/1/study").status_code == 403
    assert visitor.post("/studies", form="/sent", title="No").status_code == 403


def test_a_private_game_is_added_by_who_has_its_link(site, illegal):
    author, stranger = Browser(site), Browser(site)
    sent = author.post("/", form="/", record=codec.encode(illegal).decode(), private="1").location
    sent = sent.partition("#")[0]
    upload = sent.rpartition("/")[2]
    assert author.get(f"{sent}/records/1/deals/1/study?step=2").status_code == 200
    form = {"sent": upload, "record": 1, "deal": 1, "event": 2, "near": 0, "line": ""}
    answer = author.post("/studies/moments", form="/studies", **form)
    address = answer.location.rpartition("/")[0]
    assert 'class="felt' in author.get(address).text
    assert "Some games here are private" in author.get(f"{address}/edit").text
    assert stranger.post("/studies/moments", form="/studies", **form).status_code == 404
    author.post(f"{address}/edit", form=f"{address}/edit", visibility="unlisted")
    seen = stranger.get(address).text
    assert 'class="felt' in seen
    assert upload not in seen


def test_studies_are_limited_like_uploads(open_site, legal):
    app = open_site(ratelimit_uploads="2 per hour")
    store_game(app, legal)
    visitor = Browser(app)
    found = [visitor.post("/studies", form="/studies", title="One").status_code for _ in range(3)]
    assert found == [303, 303, 429]


# How they are stored.

ONE = StudyContent(Study(title="One"))


def test_only_the_last_changes_stay(store: Store) -> None:
    begin_study(store, "a", ONE, "author")
    for number in range(1, 2 * MOST_VERSIONS):
        content = replace(ONE, study=Study(title=str(number)))
        change_study(store, "a", content, "author", after=number)
    assert store.rows("SELECT count(*) FROM studies").rows == [(MOST_VERSIONS,)]
    stored = read_stored_study(store, "a")
    assert (stored.version, stored.earlier) == (2 * MOST_VERSIONS, MOST_VERSIONS - 1)


def test_a_change_over_another_one_is_refused(store: Store) -> None:
    begin_study(store, "a", ONE, "author")
    for change in (
        lambda: change_study(store, "a", None, "author", after=2),
        lambda: undo_change(store, "a", after=2),
        lambda: begin_study(store, "a", ONE, "author"),
        lambda: undo_change(store, "a", after=1),
        lambda: change_study(store, "b", None, "author", after=1),
    ):
        with pytest.raises(StudyRefused):
            change()


def test_there_is_room_for_so_much(store: Store, monkeypatch) -> None:
    moments = [StudyMoment(game=0, at=[0, 0], text="x" * 4000)] * 70
    too_large = StudyContent(Study(title="One", moments=moments), [StudyGame("a")])
    with pytest.raises(StudyRefused, match="KiB"):
        begin_study(store, "a", too_large, "author")
    monkeypatch.setattr("analyzer.store.studies.MOST_STUDIES", 1)
    begin_study(store, "a", ONE, "author")
    with pytest.raises(StudyRefused, match="no room"):
        begin_study(store, "b", ONE, "author")


def test_a_study_deleted_long_ago_is_gone(store: Store) -> None:
    begin_study(store, "a", ONE, "author")
    change_study(store, "a", None, "author", after=1)
    begin_study(store, "b", ONE, "author")
    assert read_stored_study(store, "a") is not None
    with store.writing() as cursor:
        cursor.execute(f"UPDATE studies SET made_at = made_at - INTERVAL {DAYS_DELETED + 1} DAY WHERE study = 'a'")  # fmt: skip
    begin_study(store, "c", ONE, "author")
    assert read_stored_study(store, "a") is None
    assert len(list_studies(store, [], every=True)) == 2


def test_a_note_in_a_line_is_stored(store: Store) -> None:
    moment = StudyMoment(game=0, at=[0, 1], notes=[LineNote(event=0, text="Here.")])
    content = StudyContent(Study(title="One", moments=[moment]), [StudyGame("a")])
    begin_study(store, "a", content, "author")
    assert read_stored_study(store, "a").content == content
