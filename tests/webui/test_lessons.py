"""Rules that one can learn: example games on every server, and a picture for every article."""

import re
from html import unescape
from itertools import pairwise

import pytest
from msgspec.structs import replace

from analyzer.review.annotation import annotate
from records.events import (
    CarteBlanche,
    Cut,
    Declare,
    Discard,
    Dix,
    Draw,
    Meld,
    Play,
    Score,
    Trick,
)
from records.format import codec
from records.replay import replay
from records.rules.english import explain_sheet
from records.rules.registry import ALL_SHEETS
from records.validator import check
from tests.samples.examples import EXAMPLES
from tests.webui.public_site import Browser
from webui.server.game_cache import GameNotFound
from webui.server.lesson_pictures import sheet_lesson
from webui.server.lessons import (
    EXAMPLE_NAMES,
    FIRST_PAGE_EXAMPLE,
    QUESTION_STEP,
    example_file,
    find_moments,
    first_question,
    guided_example,
    lesson_chapters,
    open_example,
)

sheets = pytest.mark.parametrize("sheet", ALL_SHEETS, ids=lambda sheet: sheet.id)
KINDS = {
    "cut": (Cut,), "carte_blanche": (CarteBlanche,), "draw": (Draw,), "melds": (Meld,),
    "reuse": (Meld,), "pending": (Declare,), "bonuses": (Score,), "brisques": (Score, Trick),
    "play": (Trick, Discard), "dix": (Dix, Play),
}  # fmt: skip
"""The events that articles are about."""


@pytest.mark.parametrize("name", EXAMPLE_NAMES)
def test_an_example_is_a_legal_complete_game(name):
    data = example_file(name).read_bytes()
    assert data == codec.encode(EXAMPLES[name].record())
    report = check(data)
    assert (report.verdict, report.finished, report.findings) == ("legal", True, [])


def test_there_is_an_example_of_every_rulebook_and_no_other():
    assert {FIRST_PAGE_EXAMPLE, *(sheet.id for sheet in ALL_SHEETS)} == set(EXAMPLES)
    with pytest.raises(GameNotFound):
        open_example("../../../etc/passwd")


@sheets
def test_every_article_is_seen_in_the_example(sheet):
    game = open_example(sheet.id)
    articles = [part.article for part in explain_sheet(sheet).sections]
    moments = find_moments(game, articles)
    assert list(moments) == articles
    for article, moment in moments.items():
        steps = game.deal(moment.deal).deal.steps
        assert steps[moment.number] is moment.step
        if article == "deal":
            assert moment.before is None
        elif article in KINDS:
            assert isinstance(moment.event, KINDS[article]), article
    if sheet.rules.dix is not None and sheet.rules.dix.points:
        assert isinstance(moments["dix"].event, Dix)
    close = moments["close"].step
    assert (close.stock, close.turn_up) == (0, None)
    assert moments["game"].deal == len(game.record.deals) - 1


@sheets
def test_a_rulebook_begins_with_the_game_in_pictures(client, sheet):
    page = client.get(f"/rules/{sheet.id}").text
    pictures = page.partition("The game in pictures")[2].partition('class="with-contents"')[0]
    told = re.findall(r"<h3>([^<]*)</h3>", pictures)
    tricks = ["The deal", "A trick", "A meld", "The close", "The count"]
    turns = ["The deal", "A turn", "A combination", "The close", "The count"]
    assert told == (turns if sheet.rules.tableau else tricks)
    assert pictures.count('<figure class="picture">') == 5
    for part in sheet_lesson(sheet.id).story:
        assert part.picture.rows or part.picture.scores, part.heading
    assert 'id="laws"' in page.partition('class="with-contents"')[2], "the judge's reference"


@pytest.mark.sampled(4)
@pytest.mark.long
@sheets
def test_every_article_shows_a_position_that_can_be_opened(client, sheet):
    page = client.get(f"/rules/{sheet.id}").text
    for part in explain_sheet(sheet).sections:
        article = re.search(rf'id="{part.article}".*?</section>', page, re.DOTALL)
        assert article, part.article
        said, position, game = re.search(
            r'<figcaption>([^<]*).*href="([^"]*)">Open this position.*href="([^"]*)">Play through a short game',
            article[0],
            re.DOTALL,
        ).groups()
        opened = client.get(unescape(position)).text
        assert f'aria-atomic="true">{said.strip()}</p>' in opened, part.article
        assert game == f"/examples/{sheet.id}/deals/1"


@sheets
def test_the_short_game_tells_every_rule_where_it_is_needed(sheet):
    game = guided_example(sheet.id)
    told = {
        note.by: note.text
        for deal in range(len(game.record.deals))
        for note in game.deal(deal).deal.margin.notes
    }
    for part in explain_sheet(game.resolved.sheet).sections:
        assert told[part.heading].startswith(part.sentences[0])


@pytest.mark.long
def test_examples_are_shown_to_everybody(open_site):
    app = open_site(visitors_may=[])
    visitor = Browser(app)
    for path in ("deals/1", "deals/1.json", "deals/1.svg", "deals/1/what-if", "record.json"):
        assert visitor.get(f"/examples/marjolet/{path}").status_code == 200, path
    assert visitor.get("/examples/marjolet/deals/9").status_code == 404
    assert visitor.get("/examples/nothing/deals/1").status_code == 404


@pytest.mark.long
def test_the_answers_of_the_first_page_come_true():
    """The best line, played on by the rules alone, wins the match by the points that the page names."""
    question, game = first_question(), open_example(FIRST_PAGE_EXAMPLE)
    deal = game.record.deals[-1]
    close = annotate(game.record).deals[-1].close
    decision = next(each for each in close.decisions if each.event == QUESTION_STEP)
    plays = [Play(seat=move.seat, card=move.card) for move in decision.line]
    tried = replace(deal, events=[*deal.events[:QUESTION_STEP], *plays], claims=None)
    record = replace(game.record, deals=[*game.record.deals[:-1], tried], result=None)
    *_, last = replay(record)
    before = question.deal.before
    ada, bruno = (before[seat] + last.table.deal_points[seat] for seat in (0, 1))
    best, *others = question.answers
    assert bruno - ada == 20
    assert best.card == "AD"
    assert best.says.endswith("Bruno wins the match by 20 points.")
    assert not any(other.is_best or "Bruno wins" in other.says for other in others)
    later = [each.lost for each in close.decisions if each.event > QUESTION_STEP]
    assert not any(later), "what was played lost all that the page says"
    scores = game.record.result.scores
    (played,) = [answer for answer in question.answers if answer.was_played]
    assert played.says.endswith(f"Ada wins the match by {scores[0] - scores[1]} points.")


def test_what_the_first_page_says_of_its_position_is_so():
    question = first_question()
    step = question.deal.steps[QUESTION_STEP]
    ada, bruno = step.seats
    assert step.turn == "Bruno to lead"
    assert (step.stock, len(ada.hand), len(bruno.hand)) == (0, 7, 7)
    brisques = [int(seat.won.split()[2]) for seat in step.seats]
    assert [seat.total + 10 * taken for seat, taken in zip(step.seats, brisques, strict=True)] == [
        1020,
        1020,
    ]
    assert [card for card in ada.hand if card[1] == "D"] == ["AD"]


MOST_CHAPTERS = 40


@pytest.mark.parametrize("name", EXAMPLE_NAMES)
def test_a_lesson_comes_to_every_rule_in_few_steps(client, name):
    chapters = lesson_chapters(name)
    assert len(chapters) <= MOST_CHAPTERS
    assert bool(chapters) == (name != FIRST_PAGE_EXAMPLE)
    told = [heading for each in chapters for heading in each.heading.split(", ")]
    assert sorted(told) == sorted(
        note.by for note in guided_example(name).record.notes or [] if chapters
    )
    for number, (here, after) in enumerate(pairwise(chapters), start=1):
        page = unescape(client.get(f"/examples/{name}/deals/{here.deal}?step={here.step}").text)
        assert f"data-lesson-number>{number}</span> of {len(chapters)}" in page
        on = f'href="/examples/{name}/deals/{after.deal}?step={after.step}">Next'
        assert on in page
