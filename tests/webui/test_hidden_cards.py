"""What a seat may not see changes nothing: not the page, its JSON, the text or the picture.

Deals of every sheet at every table are dealt anew, so that everything that one seat has seen is the same
(`tests.webui.redeals`). Whoever looks from this seat must then get the same answers, to the last character: every step
up to that moment in JSON, with its words and numbers; the page with titles, labels and links; the frame; the page that lets
the seat try again; the picture; the text. `BEZIQUE_MOMENTS=500` looks at nearly every moment of every deal.
"""

import os
import re
from collections.abc import Callable, Iterator
from functools import cache
from html import unescape
from itertools import islice
from random import Random
from types import ModuleType
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec import json
from msgspec.structs import replace
from werkzeug.exceptions import NotFound

from analyzer.review import stored
from analyzer.review.deep_review import ReviewedChoice, ReviewedDecision
from records.events import (
    EVENT_TYPES,
    CarteBlanche,
    Discard,
    Dix,
    Draw,
    Irregular,
    Meld,
    Play,
    Score,
)
from records.format import codec
from records.record import Line, Note, Record
from records.replay import replay
from records.rules.registry import resolve_rules
from records.selfplay import play_game
from records.validate.finding import Place
from tests.exercised.mutated_source import mutated
from tests.make.stored_games import store_game
from tests.make.tables import play_with_stock, table
from tests.playouts.games import STANDARD
from tests.webui.redeals import CardPlace, FollowedDeal
from webui import create_app
from webui.application import close_app
from webui.replay import steps
from webui.replay.board import render_step_text
from webui.replay.moving_pictures import Span, plan_animation
from webui.replay.pictures import render_preview_svg, render_step_svg
from webui.replay.steps import DealSteps, Visibility
from webui.server.analysed_games import DrillPosition
from webui.server.game_cache import GameSource, OpenedGame
from webui.views import deals as deal_views
from webui.views import drills as drill_views
from webui.views import what_if as what_if_views
from webui.views.deals import EmbedPage, ReplayPage
from webui.views.drills import DrillPage

Readers = dict[str, FlaskClient]

MOMENTS = int(os.environ.get("BEZIQUE_MOMENTS", "3"))
TRIES = 5
"""How often a deal is dealt anew until nothing in it is against the rules that was not so before."""
DIGEST = "0" * 64
LABELLED = {"labels": True, "where": True, "shows": True}
SHORT_DEAL = 60
"""The events of a deal in which one is made wrong."""
CARTE_BLANCHE_SEED = 35
"""With it, self-play of Rubicon Bezique begins with carte blanche."""


class SeenDeal(NamedTuple):
    """A deal as a seat has seen it `until` a step, and an `other` that it cannot tell from it."""

    record: Record
    other: Record
    seat: int
    until: int


@cache
def followed(way: int, *, labelled: bool) -> FollowedDeal:
    """A deal by one way to play, in which something irregular happens."""
    record = STANDARD[way].play(2, "random", deals=1, **(LABELLED if labelled else {}))
    record.deals[0].events.insert(9, Irregular(seat=1, what="other"))
    return FollowedDeal(record)


@cache
def with_carte_blanche() -> FollowedDeal:
    """A deal in which carte blanche is shown."""
    record = play_game("rubicon-bezique", seed=CARTE_BLANCHE_SEED, deals=1)
    assert isinstance(record.deals[0].events[0], CarteBlanche)
    return FollowedDeal(record)


def look_alike(deal: FollowedDeal, seat: int, step: int, random: Random) -> SeenDeal | None:
    """The deal until a step with another that looks the same to the seat; None if none was found."""
    for _ in range(TRIES):
        other = deal.redeal(seat, step, random)
        if other != deal.dealt:
            records = (with_comments(deal, dealt, seat, step) for dealt in (deal.dealt, other))
            pair = SeenDeal(*records, seat, step)
            if breaks_the_same_rules(pair):
                return pair
    return None


def breaks_the_same_rules(pair: SeenDeal) -> bool:
    """Whether the other deal is as lawful as the deal until this step."""
    one, two = (
        [
            (finding.code, finding.at)
            for frame in replay(record, findings_only=True)
            for finding in frame.findings
            if frame.index < pair.until
        ]
        for record in (pair.record, pair.other)
    )
    return one == two


def look_alikes(
    deal: FollowedDeal, seat: int, random: Random, *, moments: int = MOMENTS
) -> list[SeenDeal]:
    """The deal at random moments, each with another that looks the same to the seat."""
    steps = random.sample(range(1, len(deal.events)), len(deal.events) - 1)
    hiding = (step for step in steps if deal.hides_something(seat, step))
    chosen = sorted(islice(hiding, moments))
    return [*filter(None, (look_alike(deal, seat, step, random) for step in chosen))]


def with_comments(deal: FollowedDeal, dealt: dict[CardPlace, str], seat: int, step: int) -> Record:
    """The record until soon after a step, with a note, a line and an irregularity that tell what the seat cannot see."""
    first_draw = next(i for i, event in enumerate(deal.events) if isinstance(event, Draw))
    record = deal.written(dealt, max(step + 2, first_draw + 1))
    told = " ".join(dealt[place] for place in deal.unseen(seat, step))
    events = [
        replace(event, text=told) if isinstance(event, Irregular) else event
        for event in record.deals[0].events
    ]
    return replace(
        record,
        deals=[replace(record.deals[0], events=events)],
        notes=[Note(at=[0, 0], text=told, by=told)],
        lines=[Line(at=[0, 0], events=events[:1], text=told)],
    )


def opened(record: Record) -> OpenedGame:
    resolved = resolve_rules(record.rules)
    source = GameSource("deals", {"digest": DIGEST})
    return OpenedGame(record=record, resolved=resolved, source=source, digest=DIGEST)


def seen(record: Record, pair: SeenDeal) -> DealSteps:
    """The deal as it is sent to who looks from the seat until the step."""
    return opened(record).read_deal(0, Visibility(pair.seat, pair.until)).deal


def _codes(deal: DealSteps) -> list[tuple[str, Place]]:
    return [(finding.code, finding.at) for finding in deal.findings]


def assert_steps_alike(pair: SeenDeal) -> None:
    """Every step up to this moment is the same, in words and numbers."""
    one, two = seen(pair.record, pair), seen(pair.other, pair)
    for step, (left, right) in enumerate(zip(one.steps, two.steps, strict=True)):
        assert left == right, (pair.seat, step)
    assert json.encode(one) == json.encode(two)


def assert_answers_alike(app: Flask, pair: SeenDeal) -> None:
    """The page, the frame, the JSON, the pictures and the text of this moment are the same."""
    one, two = (answers(app, pair, record) for record in (pair.record, pair.other))
    for name, answer in one.items():
        assert answer == two[name], name


def answers(app: Flask, pair: SeenDeal, record: Record) -> dict[str, str]:
    """What is sent of the last step that the seat has seen, by what it is."""
    game = opened(record)
    shown = game.deal(0, Visibility(pair.seat, pair.until))
    return {
        "page": page_of(ReplayPage, app, pair, game),
        "frame": page_of(EmbedPage, app, pair, game),
        "drill": drill_of(app, pair, game),
        "json": shown.json,
        "picture": render_step_svg(shown.deal, pair.until, pair.seat),
        "preview": render_preview_svg(shown.deal, pair.until, pair.seat),
        **{f"animation of the {span}": animation_of(span, pair, game) for span in Span},
        "text": "\n".join(render_step_text(shown.deal, pair.until)),
    }


def animation_of(span: Span, pair: SeenDeal, game: OpenedGame) -> str:
    """Everything that an animation up to the last step that the seat has seen is made from."""
    shown = game.deal(0, Visibility(pair.seat, pair.until)).deal
    events = game.record.deals[0].events
    return plan_animation(shown, events, span=span, number=pair.until, near=pair.seat).key


def page_of(kind: type[ReplayPage], app: Flask, pair: SeenDeal, game: OpenedGame) -> str:
    """The page of the last step that the seat has seen."""
    query = {"step": pair.until, "see": pair.seat, "until": pair.until}
    with app.test_request_context(f"/games/{DIGEST}/deals/1", query_string=query):
        return str(deal_views.replay_page(kind, game, 1).render())


def drill_of(app: Flask, pair: SeenDeal, game: OpenedGame) -> str:
    """The page on which the seat tries this moment again."""
    choices = [ReviewedChoice("play", [card], 0.0) for card in ("QS", "7D")]
    decision = ReviewedDecision(pair.until, pair.seat, "stock", choices, 0, "best")
    position = DrillPosition(DIGEST, 0, pair.until, melding=False)
    drill = drill_views.Drill("drills.game", {"digest": DIGEST}, [position])
    with app.test_request_context(f"/games/{DIGEST}/drill"):
        question = drill_views.drill_question(game, drill, position, decision)
        return DrillPage(
            whose="",
            digest=DIGEST,
            question=question,
            answer=None,
            again_address="",
            next_address="",
            total=1,
            least=10,
            least_loss=None,
        ).render()


def what_if_of(app: Flask, pair: SeenDeal, record: Record) -> tuple[str, str]:
    """The page and the JSON of What if, at the last step that the seat has seen."""
    query = {"step": pair.until, "see": pair.seat, "until": pair.until}
    with app.test_request_context(f"/games/{DIGEST}/deals/1/what-if", query_string=query):
        game = opened(record)
        page = what_if_views.what_if(game, 1).render()
        return str(page), what_if_views.what_if_data(game, 1).get_data(as_text=True)


SEATS = [(way, seat) for way, each in enumerate(STANDARD) for seat in range(each.players)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("way", "seat"), SEATS, ids=[f"{STANDARD[way]} {seat}" for way, seat in SEATS]
)
def test_cards_that_a_seat_cannot_see_change_nothing(app, way, seat):
    random = Random(f"{way} {seat}")
    pairs = list(look_alikes(followed(way, labelled=seat % 2 == 0), seat, random))
    assert pairs
    whole = random.choice(pairs)
    for pair in pairs:
        if pair is not whole:
            assert_steps_alike(pair)
    assert_answers_alike(app, whole)


@pytest.mark.parametrize("seat", [0, 1])
def test_carte_blanche_shows_the_hand_of_that_moment_alone(app, seat):
    for pair in look_alikes(with_carte_blanche(), seat, Random(seat), moments=MOMENTS):
        assert_steps_alike(pair)


@pytest.mark.long
def test_every_kind_of_event_happens_in_these_deals():
    """Every seat of these deals looks, so of every kind of event some seat looks that is not the one to act."""
    deals = [followed(way, labelled=labelled) for way, _ in SEATS for labelled in (False, True)]
    kinds = {type(event) for deal in (*deals, with_carte_blanche()) for event in deal.events}
    assert kinds == set(EVENT_TYPES)


# Like cards: that a position is uncertain depends on the hand.


LIKE_CARDS = [
    # A queen is played of which one lies married: another may be in the hand.
    (
        "bezique",
        "N: QS 9H 8H 7H 9C 8C | N lays marriage KS QS | S: AS 9D 8D 7D TD AD JD KD | trump C | stock 20 | N leads",
        ("QS", "TC"),
        "N QS, S AS",
    ),
    # Two kings of clubs lie there, one of them married since; a third may be in the hand.
    (
        "rubicon-bezique",
        "N: QC KC 8H 7H JH | N lays four_kings KC KC KH KS | S: AS AS 9D 9D 8D 7D TD AD JD | trump D"
        " | stock 20 | N leads",
        ("KC", "TC"),
        "N KC, S AS",
    ),
]


def uncertain_pairs() -> list[SeenDeal]:
    """Positions in which a like card in a hand that is not seen makes the position of another uncertain."""
    pairs = []
    for sheet, position, (card, other), told in LIKE_CARDS:
        swapped = position.replace(f"{card} ", f"{other} ", 1)
        one, two = (table(each, told, sheet=sheet) for each in (position, swapped))
        assert one.position.seats[0].unsure
        assert not two.position.seats[0].unsure
        pairs.append(SeenDeal(one.record, two.record, 1, 1))
    return pairs


def test_where_a_like_card_may_lie_does_not_tell_what_is_in_the_hand():
    for pair in uncertain_pairs():
        assert_steps_alike(pair)


# Broken rules: of what another seat did wrong it is told that it was wrong, and no more.


def damaged(deal: FollowedDeal, index: int, random: Random) -> FollowedDeal:
    """The deal with one event that is wrong."""
    event, events = deal.events[index], [*deal.events]
    other = random.choice(sorted(deal.record.deals[0].hands[0]))
    match event:
        case Play() | Draw() | Discard():
            events[index] = replace(event, card=other)
        case Meld():
            wrong = {"cards": [other, *event.cards[1:]]}, {"points": (event.points or 0) + 10}
            events[index] = replace(event, **random.choice(wrong))
        case Dix() | Score():
            events[index] = replace(event, points=(event.points or 0) + 10)
        case _:
            events.insert(index, event)
    return FollowedDeal(replace(deal.record, deals=[replace(deal.record.deals[0], events=events)]))


@cache
def broken_pairs(way: int) -> list[SeenDeal]:
    """Deals with one wrong event of every type, and others that look the same to the seat after it."""
    random, pairs = Random(way), list[SeenDeal]()
    record = followed(way, labelled=False).record
    dealt = record.deals[0]
    begun = replace(dealt, events=dealt.events[:SHORT_DEAL], claims=None)
    deal = FollowedDeal(replace(record, deals=[begun], result=None))
    for kind in sorted({type(event) for event in deal.events}, key=lambda kind: kind.__name__):
        places = [i for i, event in enumerate(deal.events) if type(event) is kind]
        index = random.choice(places)
        wrong = damaged(deal, index, random)
        for seat in random.sample(range(len(deal.held)), 2):
            pair = look_alike(wrong, seat, index + 1, random)
            if pair and seen(pair.record, pair).findings:
                pairs.append(pair)
    return pairs


ONE_A_SHEET = [
    way for way, each in enumerate(STANDARD) if each.players == each.sheet.rules.players[-1]
]


@pytest.mark.parametrize("way", ONE_A_SHEET, ids=str)
def test_what_another_seat_did_wrong_reveals_none_of_its_cards(way):
    assert broken_pairs(way)
    for pair in broken_pairs(way):
        assert_steps_alike(pair)


def stock_pair() -> SeenDeal:
    """A seat draws another card than the top of the recorded stock, which is not the same in both deals."""
    record = play_game("bezique", seed=4, deals=1)
    dealt = record.deals[0]
    draws = [i for i, event in enumerate(dealt.events) if isinstance(event, Draw)]
    stock = [dealt.events[i].card for i in draws[:-1]]
    index, place = draws[3], draws.index(draws[3])
    seat = dealt.events[index].seat
    wrong, later = stock[20], next(card for card in stock[30:] if card not in stock[3:21])
    events = [*dealt.events[:index], replace(dealt.events[index], card=wrong)]
    swapped = [*stock]
    swapped[place], swapped[stock.index(later)] = later, stock[place]
    one, two = (
        replace(record, deals=[replace(dealt, events=events, stock=each, claims=None)], result=None)
        for each in (stock, swapped)
    )
    return SeenDeal(one, two, seat, index + 1)


def test_who_draws_a_wrong_card_is_not_told_the_top_of_the_stock():
    pair = stock_pair()
    assert [code for code, _ in _codes(seen(pair.record, pair))] == ["wrong-card-drawn"]
    assert_steps_alike(pair)


# What comes: where it is hidden, a deal that goes on otherwise looks the same.


@cache
def played_on_otherwise(sheet: str, step: int) -> SeenDeal:
    """A deal whose stock is recorded, and the same deal only until the event after a step; another card is played there."""
    record = play_with_stock(sheet, seed=4)
    dealt = record.deals[0]
    events = dealt.events[:step]
    event = dealt.events[step]
    assert isinstance(event, Play)
    held = [card for card in (dealt.hands or [])[event.seat] if card != event.card]
    other = replace(dealt, events=[*events, replace(event, card=held[0])], claims=None)
    told = [Note(at=[0, step], text="What comes.")]
    return SeenDeal(
        replace(record, notes=told, result=None),
        replace(record, deals=[other], notes=told, result=None),
        0,
        step,
    )


@pytest.mark.parametrize("sheet", ["bezique", "rubicon-bezique", "polish-bezique"])
def test_what_comes_changes_nothing_in_what_if(app, sheet):
    for step in (0, 1):
        pair = played_on_otherwise(sheet, step)
        assert what_if_of(app, pair, pair.record) == what_if_of(app, pair, pair.other)
        assert "All hands are face up here." in what_if_of(app, pair, pair.record)[0]


def test_no_line_of_the_record_opens_where_anything_is_hidden(app):
    pair = look_alikes(followed(0, labelled=True), 0, Random(1), moments=1)[0]
    for query, answered in (({}, True), ({"see": 0}, False), ({"until": 5}, False)):
        with app.test_request_context("/", query_string={"kept": 0, **query}):
            game = opened(pair.record)
            if answered:
                assert what_if_views.what_if(game, 1).recorded_line
            else:
                with pytest.raises(NotFound):
                    what_if_views.what_if(game, 1)


# Stored games, asked for over HTTP.


@cache
def reviewed_pair() -> SeenDeal:
    return look_alikes(followed(0, labelled=False), 1, Random(5), moments=1)[0]


@pytest.fixture(scope="module")
def readers(tmp_path_factory) -> Iterator[Readers]:
    """Readers of two deals that look the same to a seat, by digest; each is stored and reviewed without the other."""
    apps = {}
    for record in reviewed_pair()[:2]:
        app = create_app(
            data=tmp_path_factory.mktemp("alike"), testing=True, wtf_csrf_enabled=False
        )
        store_game(app, record)
        stored.review_stored_exactly(app.extensions["store"], codec.digest(record))
        apps[codec.digest(record)] = app
    yield {digest: app.test_client() for digest, app in apps.items()}
    for app in apps.values():
        close_app(app)


def asked(readers: Readers, record: Record, address: str) -> str:
    """The answer at an address of the deal; the game's own digest is left out."""
    pair, digest = reviewed_pair(), codec.digest(record)
    answer = readers[digest].get(address.format(digest=digest, seat=pair.seat, until=pair.until))
    assert answer.status_code == 200
    return answer.text.replace(digest, DIGEST).replace(digest[:12], DIGEST[:12])


VIEW = "?see={seat}&until={until}&step=999"


@pytest.mark.parametrize(
    "address",
    [
        "/games/{digest}/deals/1" + VIEW,
        "/games/{digest}/deals/1.json" + VIEW,
        "/games/{digest}/deals/1.svg" + VIEW,
        "/games/{digest}/deals/1.txt" + VIEW,
        "/embed/games/{digest}/deals/1" + VIEW,
        "/embed/games/{digest}/deals/1.json" + VIEW,
        "/games/{digest}/deals/1/expectancy.json" + VIEW,
    ],
)
def test_stored_games_that_look_the_same_are_answered_with_the_same(readers, address):
    assert_stored_alike(readers, address)


def assert_stored_alike(readers: Readers, address: str) -> None:
    record, other, *_ = reviewed_pair()
    assert asked(readers, record, address) == asked(readers, other, address)


def links(page: str) -> dict[str, str]:
    """The links of a page, by what they are: their words, or the name that scripts know them by."""
    found = re.findall(r'<a\b([^>]*)href="([^"]*)"([^>]*)>(.*?)</a>', page, re.DOTALL)
    named = {}
    for before, href, after, words in found:
        name = re.search(r'data-(?:view|go)="([^"]*)"', before + after)
        told = " ".join(re.sub(r"<[^>]*>", " ", words).split())
        named[name[1] if name else told] = unescape(href)
    return named


@pytest.mark.parametrize("kind", [ReplayPage, EmbedPage])
def test_links_out_of_a_view_keep_it_unless_they_say_that_they_show_more(app, kind):
    assert_links_keep_the_view(app, kind)


def assert_links_keep_the_view(app: Flask, kind: type[ReplayPage]) -> None:
    pair = reviewed_pair()
    page = page_of(kind, app, pair, opened(pair.record))
    found = links(page)
    shows_more = {"see-all", "see-0", "see-1", "show"}
    for name, href in found.items():
        where = urlsplit(href)
        if name in shows_more or (where.path and "/deals/" not in where.path) or href[0] == "#":
            continue
        query = parse_qs(where.query)
        assert query.get("see") == [str(pair.seat)], name
        assert query.get("until") == [str(pair.until)], name
    framed = re.search(r'iframe src="([^"]*)"', unescape(unescape(page)))
    for address in [found.get("picture"), found.get("text"), framed and unescape(framed[1])]:
        assert (address is None) == (kind is EmbedPage)
    alternate = unescape(re.search(r'rel="alternate"[^>]*href="([^"]*)"', page)[1])
    assert parse_qs(urlsplit(alternate).query)["see"] == [str(pair.seat)]


# A test that passes without a rule has not asked for it: every rule is taken away once.


def steps_alike(_app: Flask, _readers: Readers) -> None:
    for pair in some_pairs():
        assert_steps_alike(pair)


def answers_alike(app: Flask, _readers: Readers) -> None:
    assert_answers_alike(app, some_pairs()[0])


@cache
def some_pairs() -> list[SeenDeal]:
    return [
        pair
        for seat in (0, 1)
        for pair in look_alikes(followed(1, labelled=False), seat, Random(seat), moments=4)
    ]


def uncertain_alike(_app: Flask, _readers: Readers) -> None:
    test_where_a_like_card_may_lie_does_not_tell_what_is_in_the_hand()


def broken_alike(_app: Flask, _readers: Readers) -> None:
    for pair in (*broken_pairs(1), stock_pair()):
        assert_steps_alike(pair)


def what_if_alike(app: Flask, _readers: Readers) -> None:
    test_what_comes_changes_nothing_in_what_if(app, "bezique")


def lines_hidden(app: Flask, _readers: Readers) -> None:
    test_no_line_of_the_record_opens_where_anything_is_hidden(app)


def stored_alike(_app: Flask, readers: Readers) -> None:
    assert_stored_alike(readers, "/games/{digest}/deals/1" + VIEW)


def links_kept(app: Flask, _readers: Readers) -> None:
    assert_links_keep_the_view(app, ReplayPage)


RULES: list[tuple[ModuleType, str, str, Callable[[Flask, Readers], None]]] = [
    (steps, "self.seat is None or seat == self.seat", "True", steps_alike),
    (steps, "self.seat is None or seat == self.seat", "seat != self.seat", steps_alike),
    (steps, "not self.sees(event.seat) and not openly", "False", steps_alike),
    (steps, "            hand=[],\n", "", steps_alike),
    (steps, "            unsure=[],\n", "", uncertain_alike),
    (steps, "            laid=surely_laid(view),\n", "", uncertain_alike),
    (steps, "if card.sure) + Counter(view.between)", ") + Counter(view.between)", uncertain_alike),
    (steps, " + len(view.unsure)", "", uncertain_alike),
    (steps, 'return replace(event, text="")', "return event", steps_alike),
    (steps, "if self.seat is None or (", "if True or (", broken_alike),
    (steps, '            message=f"{title}.",\n', "", broken_alike),
    (steps, " and finding.code not in REVEALING_CODES", "", broken_alike),
    (steps, "            expected=None,\n", "", broken_alike),
    (steps, "            since=None,\n", "", broken_alike),
    (steps, "            candidates=(),\n", "", broken_alike),
    (steps, "            legal=(),\n", "", broken_alike),
    (steps, "[] if unseen else event_cards(event)", "event_cards(event)", steps_alike),
    (steps, "legal_choices(frame.table) if visible else NO_CHOICES", "legal_choices(frame.table)", steps_alike),
    (steps, "isinstance(frame.event, Draw) and unseen", "False", steps_alike),
    (steps, "self.visibility.redact_event(frame.event)", "frame.event", steps_alike),
    (steps, "self.visibility.redact_seat(position.seats[seat], seat)", "position.seats[seat]", steps_alike),
    (steps, "map(self.visibility.redact_finding, frame.findings)", "frame.findings", broken_alike),
    (steps, "self.steps[: until + 1]", "self.steps", steps_alike),
    (steps, "if visibility.seat is None\n", "if True\n", answers_alike),
    (steps, "if visibility == FULL_VISIBILITY\n", "if True\n", answers_alike),
    (deal_views, "isinstance(game, CachedGame) and visibility == FULL_VISIBILITY", "isinstance(game, CachedGame)", stored_alike),
    (deal_views, '"see": self.visibility.seat,', "", links_kept),
    (deal_views, '"until": self.visibility.until,', "", links_kept),
    (what_if_views, "line_number is not None and visibility == FULL_VISIBILITY", "line_number is not None", lines_hidden),
    (what_if_views, "replace(choice, recorded=False)", "choice", what_if_alike),
    (what_if_views, ' if visibility.until is None else None', "", what_if_alike),
]  # fmt: skip


@pytest.mark.sampled(10)
@pytest.mark.long
@pytest.mark.parametrize(
    ("module", "rule", "without", "proof"), RULES, ids=[f"{rule[1]} {rule[2]}" for rule in RULES]
)
def test_without_this_rule_a_test_above_fails(app, readers, module, rule, without, proof):
    proof(app, readers)
    with mutated(module, rule, without), pytest.raises((AssertionError, pytest.fail.Exception)):
        proof(app, readers)
