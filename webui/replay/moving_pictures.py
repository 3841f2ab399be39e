"""A trick, a moment or a whole deal as an animation: the wide pictures of its steps, one after the other.

Each card and each line of text is drawn once by resvg and then pasted wherever it lies: that takes a fifth of the time
of drawing every picture anew. The frames have one palette, and are written as GIF or WebP by Pillow.
"""

import hashlib
import io
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from math import dist
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace
from PIL import Image

from records.cards import RANKS
from records.events import AnyEvent, Draw
from webui.display.card_svg import card_svgs
from webui.replay.pictures import (
    FELT_COLOUR,
    FONT_FAMILY,
    MARGIN,
    MIDDLE,
    MUTED_COLOUR,
    PREVIEW_CARD_WIDTH,
    PREVIEW_HEIGHT,
    PREVIEW_WIDTH,
    TEXT_COLOUR,
    PlacedCard,
    PlacedMark,
    Preview,
    define_cards,
    draw_card,
    draw_trump_badge,
    lay_out_preview,
    render_svg,
)
from webui.replay.steps import DealComments, DealSteps, ReplayStep

# What is shown: which steps, for how long, and the frames between two of them.

MOST_FRAMES = 160
"""A longer deal is shown in fewer steps, so that no record asks for more of the processor or of the memory."""
STEPS_BEFORE_MOMENT, STEPS_AFTER_MOMENT = 5, 1
FRAMES_BETWEEN, BETWEEN_MS = 3, 90
"""While a card moves, in a trick or a moment: less than twelve frames a second."""
MOST_MOVING_STEPS = MOST_FRAMES // (1 + FRAMES_BETWEEN)
DEAL_MS, CLOSE_MS, SCORE_MS, LAST_MS = 600, 1100, 900, 3000
"""How long a step of a deal stands still, and one of a trick or a moment; what is added where somebody scores; and the end."""


class Span(StrEnum):
    """What part of a deal is shown."""

    TRICK = "trick"
    MOMENT = "moment"
    DEAL = "deal"


class Format(StrEnum):
    """How an animation is written."""

    GIF = "gif"
    WEBP = "webp"


class AnimationFrame(NamedTuple):
    """A picture of the animation: the step it leads to, by its index among those shown.

    `share` is how far the cards have moved from the step before, from 0 to 1; the frame is shown so many `milliseconds`.
    """

    step: int
    share: float
    milliseconds: int


def choose_steps(deal: DealSteps, events: Sequence[AnyEvent], span: Span, number: int) -> list[int]:
    """The numbers of the steps to show around a step, or of a whole deal with these events; few enough for `MOST_FRAMES`."""
    last = len(deal.steps) - 1
    if span is Span.DEAL:
        return _steps_of_deal(deal, events)
    if span is Span.MOMENT:
        first, end = number - STEPS_BEFORE_MOMENT, number + STEPS_AFTER_MOMENT
    else:
        trick = [i for i, step in enumerate(deal.steps) if step.trick == deal.steps[number].trick]
        first, end = trick[0] - 1, trick[-1]
    return [*range(max(0, first), min(last, end) + 1)][-MOST_MOVING_STEPS:]


def _steps_of_deal(deal: DealSteps, events: Sequence[AnyEvent]) -> list[int]:
    """All steps but draws, which the next step shows; of a long deal the ends of tricks and what scores."""
    ends = {0, len(deal.steps) - 1}
    shown = [
        number
        for number, step in enumerate(deal.steps)
        if number in ends or step.event is None or not isinstance(events[step.event], Draw)
    ]
    if len(shown) > MOST_FRAMES:
        tricks = [deal.steps[number].trick for number in shown]
        changes = pairwise([*tricks, None])
        ends |= {
            number for number, (trick, after) in zip(shown, changes, strict=True) if trick != after
        }
        shown = [number for number in shown if number in ends or deal.steps[number].gains]
    every = -(-len(shown) // MOST_FRAMES)
    return shown[-1::-every][::-1]


def _plan_frames(steps: Sequence[ReplayStep], span: Span) -> list[AnimationFrame]:
    """The frames of an animation of these steps; of a whole deal there are none between two steps."""
    usual = DEAL_MS if span is Span.DEAL else CLOSE_MS
    between = 0 if span is Span.DEAL else FRAMES_BETWEEN
    frames = []
    for index, step in enumerate(steps):
        if index:
            shares = (part / (between + 1) for part in range(1, between + 1))
            frames += [AnimationFrame(index, share, BETWEEN_MS) for share in shares]
        frames.append(AnimationFrame(index, 1, usual + SCORE_MS if step.gains else usual))
    return [*frames[:-1], frames[-1]._replace(milliseconds=LAST_MS)]


class Animation(msgspec.Struct, frozen=True):
    """An animation that can be made: a deal with nothing but the steps shown, seen from a seat, and the frames.

    It is so many pixels wide.
    """

    deal: DealSteps
    near: int
    frames: list[AnimationFrame]
    width: int
    format: Format

    @property
    def key(self) -> str:
        """What tells it from every other one: all that is seen in it."""
        return hashlib.sha256(msgspec.json.encode(self)).hexdigest()

    def draw(self, frames: Sequence[AnimationFrame]) -> list[bytes]:
        """Some of its frames, as `write` takes them."""
        return draw_frames(self.deal, frames, self.near, self.width)

    def write(self, pictures: Sequence[bytes]) -> bytes:
        """The file of all its frames."""
        return write_animation(pictures, [each.milliseconds for each in self.frames], self.format)


def plan_animation(
    deal: DealSteps,
    events: Sequence[AnyEvent],
    *,
    span: Span,
    number: int,
    near: int,
    width: int = PREVIEW_WIDTH,
    kind: Format = Format.GIF,
) -> Animation:
    """An animation of what a deal with these events shows around a step, or of all of it."""
    steps = [deal.steps[each] for each in choose_steps(deal, events, span, number)]
    shown = replace(
        deal, steps=steps, findings=[], margin=DealComments([], [], 0), cards={}, outcome=[]
    )
    return Animation(shown, near, _plan_frames(steps, span), width, kind)


def between(before: Preview, after: Preview, share: float) -> Preview:
    """A picture between two: each card has moved for a share of its way, and the texts are those that come.

    A card that was nowhere was face down before, or comes from the stock; what is not there any more has gone.
    """
    left = [*before.cards]
    origins = [_take(card, left, at_place=True) for card in after.cards]
    for index, card in enumerate(after.cards):
        origins[index] = origins[index] or _take(card, left)
    stock = next((card for card in before.cards if _place(card) == STOCK_PLACE), None)
    ways = []
    for origin, card in zip(origins, after.cards, strict=True):
        face_down = _take(card._replace(symbol=BACK), left) if origin is None else None
        ways.append((origin or face_down or stock or card, card))
    ways.sort(key=lambda way: dist(_place(way[0]), _place(way[1])))  # what moves most is above
    return Preview([_moved(origin, card, share) for origin, card in ways], after.marks)


STOCK_PLACE, BACK = (MARGIN, MIDDLE), "xx"


def _place(card: PlacedCard) -> tuple[float, float]:
    return card.left, card.top


def _take(card: PlacedCard, left: list[PlacedCard], *, at_place: bool = False) -> PlacedCard | None:
    """Take away the same card as it lay before: at its place, or the one that was nearest."""
    alike = [
        other
        for other in left
        if other.symbol == card.symbol and (not at_place or _place(other) == _place(card))
    ]
    if not alike:
        return None
    nearest = min(alike, key=lambda other: dist(_place(other), _place(card)))
    left.remove(nearest)
    return nearest


def _moved(origin: PlacedCard, card: PlacedCard, share: float) -> PlacedCard:
    """A card on its way; it is fastest in the middle."""
    share = share * share * (3 - 2 * share)
    left, top = (a + (b - a) * share for a, b in zip(_place(origin), _place(card), strict=True))
    return card._replace(left=left, top=top)


# A frame: the parts of a picture, each drawn once, and pasted where they lie.

PALETTE_COLOURS = 128
MOST_DRAWINGS_CACHED = 256
"""A part takes some 50 kB at the larger size."""


def draw_frames(
    deal: DealSteps, frames: Sequence[AnimationFrame], near: int, width: int
) -> list[bytes]:
    """Frames of the steps that a deal has, seen from a seat, so many pixels wide; each as a PNG with the common palette."""
    return [_as_png(draw_picture(_lay_out_frame(deal, frame, near), width)) for frame in frames]


def _lay_out_frame(deal: DealSteps, frame: AnimationFrame, near: int) -> Preview:
    after = lay_out_preview(deal, frame.step, near)
    if frame.share == 1:
        return after
    return between(lay_out_preview(deal, frame.step - 1, near), after, frame.share)


def _as_png(frame: Image.Image) -> bytes:
    stream = io.BytesIO()
    frame.quantize(palette=common_palette(), dither=Image.Dither.NONE).save(
        stream, "PNG", compress_level=1
    )
    return stream.getvalue()


def draw_picture(preview: Preview, width: int) -> Image.Image:
    """A picture, so many pixels wide."""
    scale = width / PREVIEW_WIDTH
    frame = Image.new("RGB", (width, round(PREVIEW_HEIGHT * scale)), FELT_COLOUR)
    for mark in preview.marks:
        frame.paste(_mark(mark, scale), (round(mark.left * scale), round(mark.top * scale)))
    for card in preview.cards:
        part = _card(card.symbol, round(card.width * scale), is_pale=card.is_pale)
        frame.paste(part, (round(card.left * scale), round(card.top * scale)), part)
    return frame


@lru_cache(maxsize=MOST_DRAWINGS_CACHED)
def _card(symbol: str, width: int, *, is_pale: bool) -> Image.Image:
    card = PlacedCard(symbol, 0, 0, PREVIEW_CARD_WIDTH, is_pale)
    return _draw(
        f"{define_cards([symbol])}{draw_card(card)}", (0, 0, card.width, card.height), width, "RGBA"
    )


@lru_cache(maxsize=MOST_DRAWINGS_CACHED)
def _mark(mark: PlacedMark, scale: float) -> Image.Image:
    """A text or sign, on the felt."""
    felt = f'<rect x="-9" y="-9" width="9999" height="9999" fill="{FELT_COLOUR}"/>'
    width = max(1, round(mark.width * scale))
    return _draw(felt + mark.svg, (mark.left, mark.top, mark.width, mark.height), width, "RGB")


def _draw(svg: str, box: tuple[float, float, float, float], width: int, mode: str) -> Image.Image:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{" ".join(map(str, box))}" {FONT_FAMILY}>'
    return Image.open(io.BytesIO(render_svg(f"{head}{svg}</svg>", width))).convert(mode)


@lru_cache(maxsize=1)
def common_palette() -> Image.Image:
    """A picture with the colours of all cards, texts and signs, and those between them at their edges."""
    sheet = Image.new("RGB", (PREVIEW_WIDTH, PREVIEW_HEIGHT), FELT_COLOUR)
    for place, symbol in enumerate(card_svgs(RANKS)):
        card = _card(symbol, PREVIEW_CARD_WIDTH // 2, is_pale=place % 5 == 0)
        sheet.paste(card, (place % 20 * 50, place // 20 * 70), card)
    for place, ink in enumerate((TEXT_COLOUR, MUTED_COLOUR)):
        text = (
            f'<text x="0" y="30" fill="{ink}" font-size="30">Maximiliane 1234567890 points</text>'
        )
        sheet.paste(_mark(PlacedMark(text, 0, 0, 600, 40), 1), (0, 400 + 50 * place))
    for place, suit in enumerate("SHDC"):
        badge = draw_trump_badge(suit, 30, 30, 2.3)
        sheet.paste(_mark(PlacedMark(badge, 0, 0, 60, 60), 1), (700 + 70 * place, 400))
    return sheet.quantize(PALETTE_COLOURS, method=Image.Quantize.MEDIANCUT)


# The file.

GIF_OPTIONS: Mapping[str, Any] = {"optimize": True, "disposal": 1}
"""Pillow then writes what has changed since the frame before, and nothing else of it: half as many bytes."""
WEBP_OPTIONS: Mapping[str, Any] = {"lossless": True, "quality": 0, "method": 1}
"""More effort makes a file smaller by a tenth, and takes twice as long."""


def write_animation(pictures: Sequence[bytes], milliseconds: Sequence[int], kind: Format) -> bytes:
    """The pictures, each shown so long, as a file; it begins again at its end."""
    first, *further = (Image.open(io.BytesIO(picture)) for picture in pictures)
    stream = io.BytesIO()
    options = GIF_OPTIONS if kind is Format.GIF else WEBP_OPTIONS
    first.save(
        stream,
        kind,
        save_all=True,
        append_images=further,
        duration=[*milliseconds],
        loop=0,
        **options,
    )
    return stream.getvalue()
