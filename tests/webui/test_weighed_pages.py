"""Every choice weighed: the job behind the page, turning points and grades by the reader's limit, the table."""

import re
from html import unescape

import msgspec
import pytest

from analyzer.review.deep_review import ChanceSource
from analyzer.review.review_words import explain_grade, explain_loss, points_with_error
from analyzer.review.reviewer import DecisionCount
from analyzer.review.stored import load_review, save_review
from records.events import Play
from records.selfplay import play_game
from tests.machine.waiting import wait_until
from tests.make.stored_games import store_game
from tests.make.unfinished_reviews import PacedWork, begun_review
from tests.make.weighed_games import unread_review, weighed_choice, written_review
from webui import create_app
from webui.application import close_app
from webui.replay.pictures import FELT_COLOUR, HEADLINE_COLOUR, MUTED_COLOUR, TEXT_COLOUR
from webui.replay.weighed_deals import (
    build_lead_chart,
    weigh_game,
)
from webui.server.game_jobs import WeighingJob, describe_weighing

GAME = play_game("bezique", seed=3, deals=1)
LOSSES = [(70, 8), (25, 4), (30, 20), (15, 2), (45, 5)]
"""A blunder, a mistake, one that is too close to tell, an inaccuracy, another mistake: with a limit of 20 points."""
REVIEW = written_review(GAME, LOSSES)
DECISIONS = REVIEW.deals[0].decisions
DIGEST = REVIEW.digest
PAGE = f"/games/{DIGEST}/review"


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    """Reads the pages of the game, whose choices have been weighed."""
    app = create_app(data=tmp_path_factory.mktemp("weighed"), testing=True)
    store_game(app, GAME)
    save_review(app.extensions["store"], REVIEW)
    reader = app.test_client()
    reader.get(PAGE)
    yield reader
    close_app(app)


def text_of(page):
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", page)))


@pytest.mark.slow
def test_the_choices_are_weighed_behind_the_page_and_kept(fresh, fresh_client):
    """Of the first cards of a deal, which takes no time."""
    (deal,) = GAME.deals
    begun = msgspec.structs.replace(deal, events=deal.events[:7], claims=None)
    record = msgspec.structs.replace(GAME, deals=[begun], result=None)
    digest = store_game(fresh, record)
    page = f"/games/{digest}/review"
    assert "Weigh every choice" in fresh_client.get(page).text
    assert fresh_client.get(f"{page}/choices.json").status_code == 404
    answer = fresh_client.post(f"{page}/weighing?least=40", data={"width": "quick"})
    assert (answer.status_code, answer.location) == (303, f"{page}?least=40#choices")
    progress = f"{page}/weighing.json"
    wait_until(lambda: not fresh_client.get(progress).json["goes_on"], pause=0.1)
    assert fresh_client.get(progress).json["state"] == "done"
    kept = load_review(fresh.extensions["store"], digest)
    played = [number for number, event in enumerate(begun.events) if isinstance(event, Play)]
    assert {each.event for each in kept.deals[0].decisions} <= {*played}
    assert kept.terms.least == 40
    assert "Weigh again" in fresh_client.get(page).text


@pytest.fixture
def paced(fresh, monkeypatch):
    """The work on the review of a game that is stored: nothing found, one mistake, the blunder besides, everything."""
    swapped = written_review(GAME, [LOSSES[1], LOSSES[0], *LOSSES[2:]])
    work = PacedWork([*(begun_review(swapped, number) for number in (0, 1, 2)), swapped])
    work.replace_work(monkeypatch)
    store_game(fresh, GAME)
    save_review(fresh.extensions["store"], unread_review(GAME))
    yield work
    work.end()


def part_of(client, query=""):
    return client.get(f"{PAGE}/weighing/found{query}", headers={"X-Requested-With": "fetch"})


def start_and_find(client, work, number):
    """Ask for the review, and let the work go on to this one of what it finds."""
    job = f"/api/v1/games/{DIGEST}/deep-review/job"
    client.post(f"{PAGE}/weighing", data={"width": "quick"})
    for _ in range(number):
        work.go_on()
    weighed = sum(len(deal.decisions) for deal in work.found[number].deals)
    wait_until(lambda: client.get(job).json["weighed"] == weighed)


@pytest.mark.long
def test_what_has_been_found_is_shown_before_the_review_is_whole(paced, fresh_client):
    start_and_find(fresh_client, paced, 2)
    of = len(paced.found[-1].deals[0].decisions)
    progress = fresh_client.get(f"{PAGE}/weighing.json")
    assert (
        progress.json["counted"]
        == f"2 of {of} decisions weighed; 1 of them needs more possible deals."
    )
    assert len(progress.data) < 500
    page = fresh_client.get(f"{PAGE}?least=20").text
    text = text_of(page)
    assert "This review is not finished" in text
    assert progress.json["counted"] in text
    assert "2 mistakes so far" in text
    listed = text.partition("Mistakes, costliest first")[2]
    assert listed.index("probably loses 70 ± 8 points by") < listed.index(
        "probably loses 25 ± 4 points by"
    )
    blunder = paced.found[2].deals[0].decisions[1]
    assert f"/games/{DIGEST}/deals/1?step={blunder.event}" in page
    part = part_of(fresh_client, "?least=20").text
    assert part in page
    assert "1 mistake so far" in part_of(fresh_client, "?least=60").text
    by_hand = fresh_client.get(f"{PAGE}/weighing/found?least=20")
    assert (by_hand.status_code, by_hand.location) == (303, f"{PAGE}?least=20#choices")
    job = fresh_client.get(f"/api/v1/games/{DIGEST}/deep-review/job").json
    assert (job["state"], job["weighed"], job["decisions"]) == ("running", 2, of)
    paced.end()
    wait_until(lambda: not fresh_client.get(f"{PAGE}/weighing.json").json["goes_on"])
    page = fresh_client.get(f"{PAGE}?least=20").text
    assert "so far" not in page
    assert page.count('wide=1"') == 3
    ended = part_of(fresh_client)  # what a script asks for when it is just over is no error
    assert (ended.status_code, ended.data) == (204, b"")


@pytest.mark.long
def test_while_others_come_first_nothing_has_been_found(fresh, fresh_client):
    fresh.extensions["weighing"].close()  # nothing is begun any more
    store_game(fresh, GAME)
    save_review(fresh.extensions["store"], unread_review(GAME))
    fresh_client.post(f"{PAGE}/weighing", data={"width": "quick"})
    answer = fresh_client.get(PAGE)
    assert answer.status_code == 200
    assert "No decision has been weighed yet." in text_of(answer.text)
    assert " so far" in text_of(answer.text)


@pytest.mark.long
@pytest.mark.parametrize("is_stopped", [True, False])
def test_nothing_is_kept_of_a_review_that_is_stopped_or_fails(
    fresh, fresh_client, paced, monkeypatch, is_stopped
):
    start_and_find(fresh_client, paced, 2)
    if is_stopped:
        fresh_client.post(f"{PAGE}/weighing/stop")
    else:
        monkeypatch.setattr(paced, "count", lambda: 1 / 0)
    paced.end()
    wait_until(lambda: not fresh_client.get(f"{PAGE}/weighing.json").json["goes_on"])
    assert fresh.extensions["weighing"].job(DIGEST).work is None
    known = load_review(fresh.extensions["store"], DIGEST)
    assert known is None or known.stage == "exact"
    assert fresh.extensions["store"].rows("SELECT count(*) FROM decisions").rows == [(0,)]
    page = fresh_client.get(PAGE).text
    assert "so far" not in page
    assert "probably loses" not in page
    ended = part_of(fresh_client)  # what a script asks for when it is just over is no error
    assert (ended.status_code, ended.data) == (204, b"")


@pytest.mark.long
def test_a_new_review_in_the_making_takes_over_what_was_weighed_before(fresh, fresh_client, paced):
    """Of what is weighed again the new values are told, of all else the old ones."""
    save_review(fresh.extensions["store"], REVIEW)
    start_and_find(fresh_client, paced, 1)
    text = text_of(fresh_client.get(f"{PAGE}?least=20").text)
    assert "probably loses 25 ± 4 points by" in text
    assert "probably loses 45 ± 5 points by" in text
    assert load_review(fresh.extensions["store"], DIGEST).is_weighed


def test_of_very_many_mistakes_the_costliest_are_listed(reader, monkeypatch):
    monkeypatch.setattr("webui.views.reviews.MOST_LISTED", 2)
    text = text_of(reader.get(f"{PAGE}?least=15").text).partition("Mistakes, costliest first")[2]
    assert [
        lost for lost in ("70 ± 8", "45 ± 5", "25 ± 4", "15 ± 2") if f"loses {lost}" in text
    ] == [
        "70 ± 8",
        "45 ± 5",
    ]


def test_how_much_has_been_weighed_is_said_in_plain_words():
    for count, words in (
        (DecisionCount(), "No decision has been weighed yet."),
        (DecisionCount(1), "1 decision weighed; the deals are still being read."),
        (DecisionCount(1200, 0, 3400), "1,200 of 3,400 decisions weighed."),
        (
            DecisionCount(12, 1, 12),
            "12 of 12 decisions weighed; 1 of them needs more possible deals.",
        ),
    ):
        job = WeighingJob(digest=DIGEST, terms=REVIEW.terms, count=count)
        assert describe_weighing(job, 0).counted == words


@pytest.mark.parametrize("width", ["", "huge", "512"])
def test_only_some_widths_can_be_asked_for(reader, width):
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(reader.application.config, "WTF_CSRF_ENABLED", False)
        answer = reader.post(f"{PAGE}/weighing", data={"width": width})
    assert answer.status_code == 400
    assert "quick, default or deep" in answer.text


def test_turning_points_are_pictures_with_what_was_played_and_what_was_better(reader):
    page = reader.get(f"{PAGE}?least=20").text
    pictures = re.findall(r'src="/games/\w+/deals/1\.svg\?step=(\d+)[^"]*wide=1"', page)
    costly = [DECISIONS[0], DECISIONS[4], DECISIONS[1]]
    assert pictures == [str(each.event) for each in costly]
    text = text_of(page)
    worst = costly[0]
    assert f"{REVIEW.names[worst.seat]} probably loses 70 ± 8 points by playing" in text
    assert "In 41 of 64 possible deals the card is needed later." in text
    assert "−40 ± 4 points" in text
    assert "+30 ± 4 points" in text
    address = re.search(r'src="([^"]+wide=1)"', unescape(page))[1]
    on_felt, on_paper = reader.get(address).text, reader.get(f"{address}&paper=1").text
    assert f"{address}&paper=1" in unescape(page)
    assert FELT_COLOUR in on_felt
    assert not {FELT_COLOUR, TEXT_COLOUR, MUTED_COLOUR, HEADLINE_COLOUR} & {
        *re.findall("#[0-9a-f]{6}", on_paper)
    }
    assert on_felt.count("<use") == on_paper.count("<use") > 0


def test_what_cannot_be_told_from_nothing_may_be_better():
    decision = msgspec.structs.replace(DECISIONS[0], lost=8.0, why="")
    for error, words in ((4, "probably loses 8"), (5, "may lose 8")):
        choices = decision.choices[:]
        choices[decision.chosen] = weighed_choice(["7C"], 22, 8, error)
        unsure = msgspec.structs.replace(decision, error=error, choices=choices)
        says = explain_loss(unsure, REVIEW.names).says
        assert words in says
        assert ("may be better" in says) == (error == 5)
    best = msgspec.structs.replace(decision, chosen=0)
    says = explain_grade(best, REVIEW.names, least=20).says
    assert says == "This was the best choice, as far as the possible deals tell."
    sure = msgspec.structs.replace(best, certain=True)
    assert explain_grade(sure, REVIEW.names, least=20).says == "This was the best choice."


@pytest.mark.long
def test_a_choice_has_its_chance_of_winning_where_that_is_known(fresh, fresh_client):
    """Of the costliest mistake only: no other choice was given one."""
    worst = DECISIONS[0]
    best, made = worst.choices[0], worst.choices[worst.chosen]
    known = [
        msgspec.structs.replace(best, chance=0.6, chance_error=0.02),
        *worst.choices[1 : worst.chosen],
        msgspec.structs.replace(
            made, chance=0.5, chance_error=0.02, chance_behind=0.1, chance_behind_error=0.03
        ),
    ]
    decisions = [msgspec.structs.replace(worst, choices=known), *DECISIONS[1:]]
    deal = msgspec.structs.replace(REVIEW.deals[0], decisions=decisions)
    source = ChanceSource(12, 2400)
    store = fresh.extensions["store"]
    store_game(store, GAME)
    save_review(store, msgspec.structs.replace(REVIEW, deals=[deal], chances=source))
    text = text_of(fresh_client.get(f"{PAGE}?least=20").text)
    assert "+30 ± 4 points 60 ± 2 % to win" in text
    lowers = "lowers the chance of winning the match by 10 ± 3 percentage points"
    assert text.count(lowers) == 2, "as a turning point, and in the list"
    assert "from 12 stored matches and 2,400 simulated matches" in text
    drill = f"/games/{DIGEST}/drill?deal=1&step={worst.event}"
    offer = fresh_client.get(drill.replace("drill", "drill.json")).json["question"]["choices"][0]
    answer = fresh_client.get(f"{drill}&choice={offer['key']}").text
    assert lowers in text_of(answer)
    assert "In percent: the chance of winning the match." in answer
    assert "In percent" not in fresh_client.get(drill).text


def test_the_annotated_game_as_text_tells_the_turning_points(reader):
    text = reader.get(f"{PAGE}.txt?least=20").text
    for lost in ("70 ±\u00a08", "25 ±\u00a04", "45 ±\u00a05"):
        assert text.count(f"loses {lost} points by ") == 1
    assert "loses 15 ±" not in text
    assert "loses 45 ±" not in reader.get(f"{PAGE}.txt?least=60").text


def test_the_limit_grades_anew_without_weighing(reader):
    for least, costly in ((20, [0, 4, 1]), (60, [0]), (10, [0, 4, 1]), (100, [])):
        text = unescape(reader.get(f"{PAGE}?least={least}").text)
        pictures = re.findall(r'\.svg\?step=(\d+)[^"]*wide=1"', text)
        assert pictures == [str(DECISIONS[place].event) for place in costly], least
        served = reader.get(f"{PAGE}/choices.json?least={least}").json
        events = [each["event"] for each in served["deals"][0]["decisions"]]
        turns = served["deals"][0].get("turning_points", [])
        assert [events[place] for place in turns] == [DECISIONS[place].event for place in costly]
    assert "No choice was a mistake by this limit." in text


def test_grades_add_up_to_the_decisions_of_each_player():
    found = weigh_game(REVIEW, least=20)
    sums = [sum(row.counts[seat] for row in found.grades) for seat in (0, 1)]
    assert sums == [sum(each.seat == seat for each in DECISIONS) for seat in (0, 1)]
    counts = {row.name: sum(row.counts) for row in found.grades}
    assert (counts["blunder"], counts["mistake"]) == (1, 2)
    assert (counts["inaccuracy"], counts["too_close"]) == (1, 1)


def test_no_number_stands_without_its_error():
    assert points_with_error(12.3, 4.4) == "+12 ±\u00a04"
    assert points_with_error(-2.52, 0.44) == "−2.5 ±\u00a00.4"
    assert points_with_error(40, 0) == "+40"
    assert points_with_error(2126.7, 102) == "+2,127 ±\u00a0102"
    for row in weigh_game(REVIEW, least=20).phases:
        for cell in row.cells:
            assert "±" in cell.lost


def test_the_chart_marks_the_turning_points_where_the_lead_was():
    chart = build_lead_chart(DECISIONS, REVIEW.deals[0].turning_points)
    assert [line.seat for line in chart.lines] == [0, 1]
    for mark, place in zip(chart.marks, REVIEW.deals[0].turning_points, strict=True):
        decision = DECISIONS[place]
        lead = decision.choices[decision.chosen].value * (-1 if decision.seat else 1)
        assert mark.y == pytest.approx(50 - 50 * lead / chart.scale, abs=0.01)
    assert chart.scale % 20 == 0


def test_the_table_has_every_weighed_choice_with_value_error_and_grade(reader):
    page = reader.get("/".join(["/games", DIGEST, "deals", "1?least=20"])).text
    review = msgspec.json.decode(re.search(r'id="review">(.*?)</script>', page)[1])
    worst = DECISIONS[0]
    shown = review["best"][str(worst.event)]
    assert [offer["worth"] for offer in shown["offers"]][-1] == "−40 ±\u00a04"
    assert [offer["grade"] for offer in shown["offers"]][-1] == "blunder"
    assert [offer["did"] for offer in shown["offers"]].index(True) == worst.chosen
    assert "probably loses 70 ±\u00a08 points by playing" in shown["says"]
    stops = {each.event for each in (DECISIONS[0], DECISIONS[1], DECISIONS[4])}
    assert stops <= {*review["mistakes"]}
    assert DECISIONS[2].event not in review["mistakes"]
    line = re.search(rf'data-step="{worst.event + 1}".*?</a>', page)[0]
    assert "blunder −70 ±\u00a08 points" in unescape(line)


def test_who_sees_one_hand_sees_no_value(reader):
    page = reader.get(f"/games/{DIGEST}/deals/1?see=0").text
    assert 'id="review"' not in page
    marks = re.compile(
        '<select id="mark">.*?</select>', re.DOTALL
    )  # what a reader may say of a step
    assert "blunder" not in marks.sub("", page)


@pytest.mark.slow
def test_a_read_only_collection_says_that_it_cannot_weigh(tmp_path, reader):
    folder = tmp_path / "data"
    app = create_app(data=folder, testing=True)
    store_game(app, GAME)
    app.test_client().get(PAGE)
    close_app(app)
    shown = create_app(data=folder, testing=True, read_only=True)
    text = shown.test_client().get(PAGE).text
    assert "This collection is read-only" in text
    assert "Weigh every choice" not in text
    assert shown.test_client().post(f"{PAGE}/weighing", data={"width": "quick"}).status_code in (
        400,
        403,
    )
    close_app(shown)
