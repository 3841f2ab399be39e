"""A trick, a moment or a deal as an animation: what it shows, what it costs, who gets it and how often it is made."""

import io
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise

import pytest
from flask import Flask
from msgspec.structs import replace
from PIL import Image, ImageChops

from records.format import codec
from records.rules.registry import resolve_rules
from records.selfplay import play_game
from tests.webui.public_site import SITE
from webui.replay import moving_pictures
from webui.replay.moving_pictures import (
    FRAMES_BETWEEN,
    LAST_MS,
    MOST_FRAMES,
    Animation,
    Format,
    Span,
    choose_steps,
    plan_animation,
)
from webui.replay.pictures import (
    PREVIEW_HEIGHT,
    PREVIEW_WIDTH,
    SMALL_PREVIEW_WIDTH,
    draw_png,
    lay_out_preview,
    render_preview_svg,
)
from webui.replay.steps import DealSteps, read_deal_steps
from webui.server import animation_jobs
from webui.server.animation_jobs import AnimationQueue
from webui.server.game_cache import encode_permalink
from webui.server.jobs import QueueFull
from webui.views import deals

NAMES = ["Maximiliane von Hohenzollern-S", "W" * 30]
MOST_BYTES, MOST_CPU_SECONDS = 3_000_000, 5
"""Of the animation of a deal."""
LEAST_MS = 1000 / 12


@cache
def deal_of(sheet: str) -> tuple[DealSteps, list]:
    record = play_game(sheet, seed=5, names=NAMES, deals=1)
    deal = read_deal_steps(record, resolve_rules(record.rules), 0)
    return deal, record.deals[0].events


def planned(sheet: str = "bezique", span: Span = Span.TRICK, **more: object) -> Animation:
    deal, events = deal_of(sheet)
    return plan_animation(deal, events, span=span, near=0, **{"number": 40, **more})


def made(asked: Animation) -> bytes:
    return asked.write(asked.draw(asked.frames))


def pictures_of(data: bytes) -> Iterator[tuple[Image.Image, int]]:
    """Every frame of a file as the library decodes it, and its milliseconds."""
    with Image.open(io.BytesIO(data)) as image:
        for number in range(image.n_frames):
            image.seek(number)
            picture = image.convert("RGB")
            yield picture, image.info["duration"]


def largest_difference(one: Image.Image, other: Image.Image) -> int:
    """By how much of 255 the squares of eight pixels of two pictures differ at most."""
    differences = ImageChops.difference(one.reduce(8), other.reduce(8))
    return max(most for _, most in differences.getextrema())


@pytest.mark.long
@pytest.mark.parametrize("kind", Format)
@pytest.mark.parametrize("width", [SMALL_PREVIEW_WIDTH, PREVIEW_WIDTH])
def test_a_trick_is_decoded_as_it_was_planned(kind, width):
    asked = planned(kind=kind, width=width)
    data = made(asked)
    pictures = list(pictures_of(data))
    with Image.open(io.BytesIO(data)) as image:
        assert image.format == kind.upper()
        assert image.info["loop"] == 0
    assert {picture.size for picture, _ in pictures} == {
        (width, width * PREVIEW_HEIGHT // PREVIEW_WIDTH)
    }
    assert sum(ms for _, ms in pictures) == sum(each.milliseconds for each in asked.frames)
    assert min(ms for _, ms in pictures) >= LEAST_MS
    assert pictures[-1][1] == LAST_MS


@pytest.mark.long
@pytest.mark.parametrize("kind", Format)
@pytest.mark.parametrize("width", [SMALL_PREVIEW_WIDTH, PREVIEW_WIDTH])
def test_a_frame_is_the_preview_of_its_step(kind, width):
    """The parts that are pasted make the picture that the SVG of the preview makes, but for edges and rounded colours."""
    asked = planned(kind=kind, width=width)
    asked = replace(asked, frames=[frame for frame in asked.frames if frame.share == 1])
    shown = list(pictures_of(made(asked)))
    assert len(shown) == len(asked.deal.steps)
    for number, (picture, _) in enumerate(shown):
        preview = draw_png(render_preview_svg(asked.deal, number, 0), width)
        with Image.open(io.BytesIO(preview)) as drawn:
            assert largest_difference(picture, drawn.convert("RGB")) < 40


@pytest.mark.slow
@pytest.mark.parametrize("kind", Format)
@pytest.mark.parametrize("sheet", ["bezique", "six-pack-bezique"])
def test_a_deal_costs_little(sheet, kind):
    asked = planned(sheet, Span.DEAL, kind=kind)
    before = time.process_time()
    data = made(asked)
    assert time.process_time() - before < MOST_CPU_SECONDS
    assert len(data) < MOST_BYTES
    assert 60 < len(list(pictures_of(data))) <= MOST_FRAMES


@pytest.mark.slow
@pytest.mark.parametrize("sheet", ["zetema", "chinese-bezique", "polish-bezique"])
def test_no_name_and_no_play_makes_a_deal_costly(sheet):
    """With the longest names, of letters of all widths, the most players, and cards played at random."""
    players = max(resolve_rules(play_game(sheet, seed=1).rules).sheet.rules.players)
    names = [f"ŻΩЖ{seat}" * 50 for seat in range(players)]
    record = play_game(sheet, seed=5, names=names, deals=1, players=players, style="random")
    deal = read_deal_steps(record, resolve_rules(record.rules), 0)
    asked = plan_animation(deal, record.deals[0].events, span=Span.DEAL, number=0, near=0)
    before = time.process_time()
    assert len(made(asked)) < MOST_BYTES
    assert time.process_time() - before < MOST_CPU_SECONDS


@pytest.mark.parametrize("span", Span)
@pytest.mark.parametrize("sheet", ["bezique", "six-pack-bezique", "zetema", "chinese-bezique"])
def test_no_deal_has_more_frames_than_may_be(sheet, span, monkeypatch):
    for most in (MOST_FRAMES, 40):
        monkeypatch.setattr(moving_pictures, "MOST_FRAMES", most)
        monkeypatch.setattr(moving_pictures, "MOST_MOVING_STEPS", most // (1 + FRAMES_BETWEEN))
        for number in (0, 9, 10_000):
            deal, events = deal_of(sheet)
            number = min(number, len(deal.steps) - 1)
            asked = plan_animation(deal, events, span=span, number=number, near=1)
            assert 1 <= len(asked.frames) <= most
            shown = choose_steps(deal, events, span, number)
            assert shown == sorted(set(shown))
            if span is Span.DEAL:
                assert asked.deal.steps[-1] == deal.steps[-1]
            else:
                assert deal.steps[number] in asked.deal.steps


def test_a_trick_begins_before_its_first_card_and_ends_with_its_draws():
    deal, events = deal_of("bezique")
    number = next(i for i, step in enumerate(deal.steps) if step.trick == 5)
    asked = plan_animation(deal, events, span=Span.TRICK, number=number + 1, near=0)
    assert [step.trick for step in asked.deal.steps] == [4, *[5] * (len(asked.deal.steps) - 1)]
    assert len(asked.frames) == 1 + (len(asked.deal.steps) - 1) * (1 + FRAMES_BETWEEN)


def test_cards_move_from_where_they_were_to_where_they_come():
    """Between two steps there are the cards of the second, each nearer to its place from frame to frame."""
    asked = planned()
    for number in range(1, len(asked.deal.steps)):
        before, after = (lay_out_preview(asked.deal, each, 0) for each in (number - 1, number))
        shares = [part / 10 for part in range(11)]
        ways = [moving_pictures.between(before, after, share) for share in shares]
        for picture in ways:
            assert sorted(card.symbol for card in picture.cards) == sorted(
                card.symbol for card in after.cards
            )
            assert picture.marks == after.marks
        assert sorted(ways[-1].cards) == sorted(after.cards)
        places = {(card.left, card.top) for card in before.cards}
        assert {(card.left, card.top) for card in ways[0].cards} <= places
        for one, next_one in pairwise(ways):
            for near, far in zip(next_one.cards, one.cards, strict=True):
                assert abs(near.left - far.left) < 400
                assert abs(near.top - far.top) < 100


# Who gets it.


def address(stored: str, ending: str = ".gif", query: str = "step=9&size=small") -> str:
    return f"/games/{stored}/deals/1{ending}?{query}"


@pytest.mark.long
@pytest.mark.parametrize("kind", Format)
@pytest.mark.parametrize("span", ["trick", "moment"])
def test_a_reader_gets_an_animation(client, stored, kind, span):
    answer = client.get(address(stored, f".{kind}", f"step=9&size=small&span={span}"))
    assert (answer.status_code, answer.mimetype) == (200, f"image/{kind}")
    assert len(list(pictures_of(answer.data))) > 10
    again = client.get(
        address(stored, f".{kind}", f"step=9&size=small&span={span}"),
        headers={"If-None-Match": answer.headers["ETag"]},
    )
    assert again.status_code == 304


@pytest.mark.parametrize("query", ["size=huge", "span=match", "step=x", "see=7"])
def test_what_there_is_not_is_said(client, stored, query):
    for ending in (".gif", ".webp", "/animation.json"):
        answer = client.get(address(stored, ending, query))
        assert answer.status_code == 400
        assert "traceback" not in answer.text.lower()


def test_an_animation_shows_what_its_view_shows(client, stored, monkeypatch):
    asked: list[Animation] = []

    def note(self: AnimationQueue, animation: Animation, *_: object) -> animation_jobs.AnimationJob:
        asked.append(animation)
        return animation_jobs.AnimationJob(asked=animation, id="", made=b"GIF")

    monkeypatch.setattr(AnimationQueue, "make", note)
    client.get(address(stored, query="step=9&see=1&until=12&span=deal&near=0"))
    (animation,) = asked
    assert animation.near == 0
    assert {step.event for step in animation.deal.steps if step.event is not None} <= {*range(12)}
    for step in animation.deal.steps:
        assert step.seats[0].hand == []
        assert step.seats[0].backs


@pytest.mark.parametrize("ending", [".gif", ".webp", "/animation.json"])
def test_a_private_game_and_one_in_an_address_have_no_animation(client, legal, ending):
    small = replace(legal, deals=legal.deals[:1], result=None)
    held = encode_permalink(codec.encode(small))
    assert client.get(f"/replay{ending}?record={held}").status_code == 404
    assert client.get(f"/sent/abc/records/1/deals/1{ending}").status_code == 404


def test_whom_the_admin_lets_read_nothing_gets_no_animation(open_site):
    site = open_site(visitors_may=()).test_client()
    for ending in (".gif", ".webp", "/animation.json"):
        answer = site.get(address("0" * 64, ending), base_url=SITE)
        assert answer.status_code in (302, 303, 401, 403), ending


# How often it is made.


def processes_of(app: Flask) -> AnimationQueue:
    return app.extensions["animations"]


@pytest.fixture
def drawings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many frames were drawn at a time, instead of drawing them well."""
    drawn: list[int] = []
    draw = Animation.draw

    def counted(self: Animation, frames: list) -> list[bytes]:
        drawn.append(len(frames))
        return draw(self, frames)

    monkeypatch.setattr(Animation, "draw", counted)
    return drawn


@pytest.mark.long
def test_who_asks_for_the_same_animation_gets_what_is_made_once(client, app, stored, drawings):
    def ask(_: int) -> bytes:
        return app.test_client().get(address(stored, query="step=30&size=small")).data

    with ThreadPoolExecutor(2) as readers:
        one, two = readers.map(ask, range(2))
    assert one == two == ask(0)
    frames = sum(drawings)
    assert frames == len(list(pictures_of(one)))
    assert client.get(address(stored, query="step=31&size=small")).data == one  # of the same trick
    assert sum(drawings) == frames


@pytest.mark.long
def test_the_progress_of_an_animation_is_told_and_asks_for_none(client, app, stored, monkeypatch):
    query = "step=50&size=small"
    told = address(stored, "/animation.json", f"{query}&format=webp")
    assert client.get(told).status_code == 404
    seen = []
    draw = Animation.draw

    def looking(self: Animation, frames: list) -> list[bytes]:
        seen.append(app.test_client().get(told).json)
        return draw(self, frames)

    monkeypatch.setattr(Animation, "draw", looking)
    client.get(address(stored, ".webp", query))
    assert [each["state"] for each in seen] == ["running"] * len(seen)
    assert len(seen) > 1
    shares = [each["share"] for each in seen]
    assert shares == sorted(set(shares))
    after = client.get(told).json
    assert (after["state"], after["share"], after["goes_on"]) == ("done", 1.0, False)


def test_what_is_kept_has_an_end(app, monkeypatch):
    queue = AnimationQueue(app.extensions["processes_on_call"])
    queue.kept.most_bytes = 10_000
    monkeypatch.setattr(Animation, "draw", lambda self, frames: [b""] * len(frames))
    monkeypatch.setattr(Animation, "write", lambda self, pictures: b"x" * 3_000)
    deal, events = deal_of("zique")
    for number in range(20):
        asked = plan_animation(deal, events, span=Span.MOMENT, number=number, near=0)
        assert queue.make(asked, "someone", 60).made
    assert queue.kept.cache_info().weight <= 10_000
    assert queue._jobs == queue._clients == queue._waiting == {}
    queue.close()


def test_a_client_has_few_animations_in_the_making(app, monkeypatch):
    queue = AnimationQueue(app.extensions["processes_on_call"])
    with ThreadPoolExecutor(1) as gate:
        monkeypatch.setattr(queue, "_thread", gate)
        gate.submit(time.sleep, 1)
        deal, events = deal_of("zique")
        plans = [
            plan_animation(deal, events, span=Span.MOMENT, number=n, near=0) for n in range(9, 13)
        ]
        for asked in plans[:3]:
            assert not queue.make(asked, "someone", 0).made
        with pytest.raises(QueueFull):
            queue.make(plans[3], "someone", 0)
        assert queue.make(plans[0], "another", 0).is_active
        queue.closing = True


def test_who_has_waited_long_is_told_to_ask_again(client, stored, monkeypatch):
    monkeypatch.setattr(deals, "PATIENCE_SECONDS", 0)
    answer = client.get(address(stored, query="step=77&size=small"))
    assert answer.status_code == 503
    assert answer.headers["Retry-After"]
    assert "not finished" in answer.text


def test_why_an_animation_failed_is_said_once_and_it_can_be_asked_for_again(
    client, stored, monkeypatch
):
    def fail(self: Animation, frames: list) -> list[bytes]:
        raise OSError(28, "No space left on device", "/secret/place")

    with monkeypatch.context() as broken:
        broken.setattr(Animation, "draw", fail)
        answer = client.get(address(stored, query="step=60&size=small"))
        assert answer.status_code == 503
        assert "/secret" not in answer.text
    assert client.get(address(stored, query="step=60&size=small")).status_code == 200
