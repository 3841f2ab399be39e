"""The story on a game's page: one curve, three moments on it, the deals; each number is the one of its other pages."""

import re
from html import unescape
from itertools import accumulate, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from analyzer.players.match_course import (
    MOST_DEALS_BY_TRICK,
    CourseScore,
    chances_through,
    read_course,
)
from analyzer.review.stored import EXACT_TERMS, review_stored_exactly
from records.format import codec
from records.format.redaction import redact
from records.phrases import signed_points
from records.record import Record
from records.rules.registry import ALL_SHEETS
from records.selfplay import play_game
from tests.make.stored_games import store_game
from tests.webui.test_reviews import whole
from webui.display.words import percent_words, sheet_marks
from webui.replay.match_curve import (
    CURVE_UNITS,
    MARK_HEIGHT,
    MARK_WIDTH,
    MOST_SPARK_DEALS,
    SPARK_HEIGHT,
    MarkedPlace,
    draw_scores,
    draw_spark,
)
from webui.server.game_jobs import WeighingJob
from webui.server.game_story import TOO_LITTLE_TEXT

SCRIPT = {"X-Requested-With": "fetch"}
GAME = play_game("bezique", seed=26, style="random", names=["Ann", "Bob"])


def page_of(client, store, record: Record) -> str:
    digest = store_game(store, record)
    return unescape(client.get(f"/games/{digest}").text)


def story_of(page: str) -> str:
    """What stands between the heading of the story and that of the deals."""
    return page.partition('id="story"')[2].partition('id="deals"')[0]


@pytest.mark.sampled(4)
@pytest.mark.long
@pytest.mark.parametrize("sheet", ["marjolet", "bezique", "zique", "rubicon-bezique", "zetema"])
def test_the_chances_are_those_beside_the_replay(fresh_client, store, sheet):
    record = play_game(sheet, seed=3, players=2, names=["Ann", "Bob"])
    if sheet == "rubicon-bezique":
        record = play_game(sheet, seed=3, names=["Ann", "Bob"], deals=1)
    digest = store_game(store, record)
    totals = [[0, 0]]
    for deal in record.deals:
        totals.append([a + b for a, b in zip(totals[-1], deal.claims.scores, strict=True)])
    game = fresh_client.application.extensions["game_cache"].game(digest)
    models = fresh_client.application.extensions["chance_models"]
    course, before = read_course(store, digest), dict(enumerate(totals))
    found = chances_through(models, game.stored, record, game.resolved, course, before).chances
    for number in range(len(record.deals)):
        beside = fresh_client.get(f"/games/{digest}/deals/{number + 1}/expectancy.json").json
        own = [round(each.chance.chance, 4) for each in found if each.deal == number]
        assert own == [each["chance"] for each in beside["chances"]][: len(own)]
        # The end of a deal is the beginning of the next one.
        assert len(own) == len(beside["chances"]) - (number < len(record.deals) - 1)
    assert found[-1].chance.decided


@pytest.mark.sampled(3)
@pytest.mark.long
@pytest.mark.parametrize("sheet", ["marjolet", "bezique", "polish-bezique", "rubicon-bezique"])
def test_where_a_view_shows_every_point_the_chances_are_the_same(fresh_client, store, sheet):
    record = redact(play_game(sheet, seed=3, players=2, names=["Ann", "Bob"]), 0)
    page = page_of(fresh_client, store, record)
    digest = codec.digest(record)
    last = fresh_client.get(f"/games/{digest}/deals/1/expectancy.json").json["chances"]
    if "Ann’s chance to win" in page:
        assert f"{percent_words(last[0]['chance'])} at first" in page
        after = re.findall(r'class="deal".*?</tr>', page, re.S)[0]
        assert f"<b>{percent_words(last[-1]['chance'])}</b>" in after
    else:
        assert TOO_LITTLE_TEXT in page


@pytest.mark.long
def test_without_a_review_the_largest_scores_are_the_moments(fresh_client, store):
    record = play_game("bezique", seed=3, names=["Ann", "Bob"])
    page = page_of(fresh_client, store, record)
    moments = story_of(page).split('<li class="moment"')[1:]
    assert len(moments) == 3
    assert sum("the lead for good" in moment.partition("<p")[0] for moment in moments) == 1
    assert all(".svg?step=" in moment for moment in moments)
    places = [tuple(map(int, re.findall(r"Deal (\d+), step (\d+)", each)[0])) for each in moments]
    assert places == sorted(places)
    assert page.count('class="mark"') == 3
    assert f'data-part="/games/{codec.digest(record)}/story"' in page


@pytest.mark.slow
def test_the_moments_are_the_turning_points_of_the_review(fresh_client, store):
    digest = store_game(store, GAME)
    review_stored_exactly(
        store, digest, models=fresh_client.application.extensions["chance_models"]
    )
    page = unescape(fresh_client.get(f"/games/{digest}").text)
    review = unescape(whole(fresh_client, f"/games/{digest}/review").text)
    turns = review.partition('id="turning-points"')[2].partition("</section>")[0]
    told = re.findall(r"</span> ([^<]+)</span>\s*</a>\s*(?:<p>([^<]+)</p>)?", turns)
    assert told
    for says, why in told:
        assert says in story_of(page)
        assert why in story_of(page)
    assert "data-part" not in page
    # For paper, every choice that the review lists.
    printed = page.partition('class="print-only"')[2]
    listed = re.findall(r'class="costly" id="mistake-(\d+)-(\d+)', review)
    assert listed
    assert all(f"<b>Deal {deal}, step {step}: " in printed for deal, step in listed)


@pytest.mark.long
def test_while_mistakes_are_looked_for_the_moments_are_those_so_far(fresh_client, store):
    """From a script's first question on, and while every choice is weighed; once all is done nothing is said."""
    page = page_of(fresh_client, store, GAME)
    assert "while-busy" in story_of(page), "shown while the script waits"
    digest = codec.digest(GAME)
    review_stored_exactly(store, digest)
    assert "so far" not in story_of(fresh_client.get(f"/games/{digest}").text)
    weighings = fresh_client.application.extensions["reviews"].weighings
    weighings._jobs[digest] = WeighingJob(digest=digest, terms=EXACT_TERMS)
    told = story_of(fresh_client.get(f"/games/{digest}").text)
    assert "These are the moments so far" in told
    assert f'href="/games/{digest}/review"' in told
    del weighings._jobs[digest]


@pytest.mark.slow
def test_the_part_for_a_script_looks_for_the_mistakes(fresh_client, store):
    digest = store_game(store, GAME)
    address = f"/games/{digest}/story"
    assert fresh_client.get(address).location == f"/games/{digest}"
    whole(fresh_client, f"/games/{digest}/review")
    part = fresh_client.get(address, headers=SCRIPT)
    assert part.status_code == 200
    assert 'class="grade grade-' in part.text
    assert "<title>" not in part.text


@pytest.mark.long
def test_where_there_is_no_chance_the_running_score_says_why(fresh_client, store):
    page = page_of(fresh_client, store, play_game("zetema", seed=2, players=4))
    assert "A chance of winning is known for two players only." in story_of(page)
    assert page.count('class="line side-') == 4
    record = play_game("rubicon-bezique", seed=2, deals=1)
    record.deals += play_game("rubicon-bezique", seed=3, deals=1).deals
    record.result = None
    page = page_of(fresh_client, store, record)
    assert "Each deal is a match of its own, so there is no one chance of winning." in page
    assert "data-part" in page


@pytest.mark.long
def test_of_a_very_long_match_the_chance_is_told_deal_by_deal(fresh_client, store):
    """And its page costs no more than its deals: of tricks there are too many."""
    record = play_game("marjolet", seed=1, names=["Ann", "Bob"])
    record.result, record.deals = None, record.deals[:1] * (MOST_DEALS_BY_TRICK + 1)
    for deal in record.deals:
        deal.claims = None
    page = page_of(fresh_client, store, record)
    path = re.search(r'class="(?:line|line side-1)" d="([^"]+)"', page)[1]
    assert path.count("L") + path.count("H") <= len(record.deals) + 2


MOMENTS = st.lists(
    st.builds(MarkedPlace, st.integers(0, 2), st.integers(0, 9), st.integers(0, 1)),
    max_size=3,
).map(lambda moments: sorted(moments, key=lambda each: (each.deal, each.event)))


@given(moments=MOMENTS, gains=st.lists(st.integers(-50, 500), min_size=1, max_size=9))
def test_what_is_drawn_is_on_the_drawing_and_no_mark_hides_another(moments, gains):
    record = play_game("marjolet", seed=1)
    deals = [replace(deal, events=deal.events[:10]) for deal in record.deals[:3]]
    record = replace(record, deals=deals)
    scores = [
        CourseScore(place % 3, place, place % 2, gain, "meld") for place, gain in enumerate(gains)
    ]
    scores.sort(key=lambda each: (each.deal, each.event))
    curve = draw_scores(record, ["Ann", "Bob"], scores, {}, moments)
    for line in curve.lines:
        assert all(0 <= int(number) <= CURVE_UNITS for number in re.findall(r"-?\d+", line.path))
    for mark in curve.marks:
        assert 0 <= mark.x <= 100
        assert 0 <= mark.y <= 100
    for one, other in combinations(curve.marks, 2):
        assert other.x - one.x >= MARK_WIDTH - 0.1 or abs(other.y - one.y) >= MARK_HEIGHT - 0.1


@given(st.lists(st.integers(-5_000, 5_000), min_size=2, max_size=100))
def test_the_line_of_a_lead_begins_at_nothing_and_fits(leads):
    spark = draw_spark(leads)
    heights = [int(y) for y in re.findall(r" (\d+)", spark.path)]
    assert all(0 < height < SPARK_HEIGHT for height in [*heights, spark.zero])
    if len(leads) < MOST_SPARK_DEALS:
        assert heights[0] == spark.zero
        assert spark.says.count(", ") == len(leads) - 1
    assert (heights[-1] < spark.zero) <= (leads[-1] > 0)
    assert (heights[-1] > spark.zero) <= (leads[-1] < 0)


def test_every_rulebook_has_a_mark_of_its_own():
    marks = sheet_marks()
    assert set(marks) == {sheet.id for sheet in ALL_SHEETS}
    assert len({*marks.values()}) == len(ALL_SHEETS)
    assert max(map(len, marks.values())) <= 2


@pytest.mark.long
def test_lists_have_the_lead_after_each_deal(fresh_client, store):
    record = play_game("marjolet", seed=2, names=["Ann", "Bob"])
    store_game(store, record)
    gains = [deal.claims.scores[0] - deal.claims.scores[1] for deal in record.deals]
    leads = ", ".join(map(signed_points, accumulate(gains)))
    for address in ("/games", "/"):
        page = unescape(fresh_client.get(address).text)
        assert f'aria-label="Lead of Ann deal by deal: {leads}"' in page
        assert '<span class="sheet-mark" aria-hidden="true">M</span>' in page


@pytest.mark.sampled(2)
@pytest.mark.long
@pytest.mark.parametrize("sheet", ["bezique", "zetema", "marjolet"])
def test_the_pages_of_unfinished_and_empty_records_have_what_is_known(fresh_client, store, sheet):
    record = play_game(sheet, seed=5, players=2, names=["Ann", "Bob"])
    record.result = None
    for events in (len(record.deals[-1].events) // 2, 1, 0):
        record.deals[-1].events = record.deals[-1].events[:events]
        record.deals[-1].claims = None
        page = page_of(fresh_client, store, record)
        assert page.count('role="img" aria-label="The chance of Ann to win the match') == 1
        assert "won" not in story_of(page)
    record.deals = record.deals[:1]
    page = page_of(fresh_client, store, record)
    assert 'id="deals"' in page


def test_a_badge_stands_only_where_something_is_wrong(fresh_client, store):
    record = play_game("zique", seed=4, deals=1, names=["Ann", "Bob"])
    page = page_of(fresh_client, store, record)
    assert "badge" not in page
    assert "The game follows every rule" in page
    row = fresh_client.get("/games").text.partition('class="game"')[2].partition("</li>")[0]
    assert "badge" not in row
    assert "<span>Legal so far, unfinished</span>" in row
    record.deals[0].claims.scores[0] += 10
    assert 'class="badge tone-fair"' in page_of(fresh_client, store, record)
