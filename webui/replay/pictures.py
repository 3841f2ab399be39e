"""A position as a picture: a table as SVG, and a wide preview with large cards as PNG."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

from markupsafe import escape
from PIL import ImageFont
from resvg_py import svg_to_bytes

from records.cards import RANKS, SUITS, describe_card
from webui.display.card_svg import CARD_VIEW_BOX, SUIT_SHAPES, card_svgs
from webui.display.text_layout import isolate_markup
from webui.display.words import UNCERTAIN_CARD_MEANING, points_words
from webui.replay.mistakes import MistakeHeadline, with_marks
from webui.replay.steps import DealSteps, ReplayStep, SeatStep

# PNG pictures, for programs that show no SVG: they are drawn by resvg, with the fonts that lie beside this file.

FONTS = Path(__file__).parent / "font"
WIDE_FONT_FILE = FONTS / "DejaVuSerif.ttf"
"""Draws what the typeface of the pages lacks. It is wider than any that a browser may take, so texts are measured by it."""
FONT_FILES = [str(FONTS / "BeziqueText.ttf"), str(WIDE_FONT_FILE)]
FONT_NAME = "Bezique Text"
FONT_FAMILY = f'font-family="{FONT_NAME}, system-ui, sans-serif"'
MOST_PICTURES_CACHED = 64
"""A picture takes some 100 kB, and its text as many: together they stay below 16 MB."""


@lru_cache(maxsize=MOST_PICTURES_CACHED)
def draw_png(svg: str, width: int | None = None) -> bytes:
    """A picture of the size that its view box has, or as wide as `width` says, in pixels; the last ones are kept."""
    return render_svg(svg, width)


def render_svg(svg: str, width: int | None) -> bytes:
    """A picture as PNG, so many pixels wide.

    The fonts of the machine are not asked, so that a picture is the same everywhere: nothing is drawn of letters that
    are not Latin, Greek or Cyrillic.
    """
    return svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,
        font_files=FONT_FILES,
        sans_serif_family=FONT_NAME,
    )


# A step of a deal as a self-contained SVG picture, without styles or scripts.

PICTURE_WIDTH, PICTURE_MARGIN, LINE_HEIGHT = 720, 24, 26
CARD_WIDTH, CARD_HEIGHT = 60, 84
GROUP_GAP, LEAST_SHOWN = 0.3, 0.2
"""Between groups of cards, and what is at least seen of a card under another, in widths of a card."""
FELT_COLOUR, TEXT_COLOUR, MUTED_COLOUR = "#1f6148", "#f6f3e8", "#d3e3d8"
SUIT_COLOURS = {"S": "#1a2030", "H": "#b3202c", "D": "#bb3f12", "C": "#14382a", "x": "#5e5b52"}
PAPER_COLOUR = "#fdfbf5"
CARD_PART_PAINT = {
    "paper": f'fill="{PAPER_COLOUR}" stroke="#cfc8b6"',
    "rank": 'fill="none" stroke="{ink}" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"',
    "pip": 'fill="{ink}"',
    "robe": 'fill="{ink}"',
    "blazon": f'fill="{PAPER_COLOUR}"',
    "face": f'fill="{PAPER_COLOUR}" stroke="{{ink}}"',
    "eyes": 'stroke="{ink}" stroke-width="1.5" stroke-linecap="round"',
    "gold": 'fill="#cf9a3c" stroke="{ink}" stroke-width=".8" stroke-linejoin="round"',
    "frame": 'fill="none" stroke="{ink}" stroke-width=".8" opacity=".55"',
    "back": 'fill="#7d2438"',
    "weave": 'fill="none" stroke="#e6c98f" stroke-width=".6"',
}
"""How each part of a card is painted; must agree with the light colours in css/cards.css."""
DASHED_EDGE = f'fill="none" stroke="{TEXT_COLOUR}" stroke-dasharray="4 3"'
"""The edge of a card whose position is uncertain."""
CHOICE_EDGES = {
    "bad": 'fill="none" stroke="#ff5a5a" stroke-width="7"',
    "better": 'fill="none" stroke="#f3cf85" stroke-width="6"',
}
"""The edges of the card of a mistake, and of those that were better."""
HEADLINE_COLOUR = "#f3cf85"
PAPER_PAINT = {
    f'fill="{FELT_COLOUR}"': 'fill="#fff" stroke="#000" stroke-width="3"',
    CHOICE_EDGES["bad"]: 'fill="none" stroke="#000" stroke-width="7" stroke-dasharray="12 6"',
    CHOICE_EDGES["better"]: 'fill="none" stroke="#000" stroke-width="6"',
    **dict.fromkeys((TEXT_COLOUR, MUTED_COLOUR, HEADLINE_COLOUR), "#000"),
}
"""How what is painted on the felt is painted on paper, where red and gold are greys."""
_CLASS = re.compile(r'class="([a-z]+)(?:-([SHDCx]))?"')


def paint_for_paper(svg: str) -> str:
    """A picture of this module in black on white, without the felt."""
    for paint, on_paper in PAPER_PAINT.items():
        svg = svg.replace(paint, on_paper)
    return svg


def render_step_svg(deal: DealSteps, number: int, near: int) -> str:
    """The table at a step, seen from a seat: hands, melds, trick, stock and scores, and the step in words."""
    step = deal.steps[number]
    seats = [*((near + i) % len(deal.names) for i in range(1, len(deal.names))), near]
    rows: list[str] = []
    y = PICTURE_MARGIN + LINE_HEIGHT
    for seat in seats:
        if seat == near:
            y = _middle(rows, deal, step, y)
        y = _seat(rows, deal, step, seat, y)
    rows.append(_text(PICTURE_MARGIN, y + LINE_HEIGHT, step.say, TEXT_COLOUR))
    if any(seat.unsure for seat in step.seats):
        y += LINE_HEIGHT
        rows.append(
            _text(PICTURE_MARGIN, y + LINE_HEIGHT, f"Pale: {UNCERTAIN_CARD_MEANING}", MUTED_COLOUR)
        )
    height = y + LINE_HEIGHT + PICTURE_MARGIN
    title = escape(f"{' – '.join(deal.names)}, deal {deal.deal + 1}, step {number}: {step.say}")
    return isolate_markup(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {PICTURE_WIDTH} {height}" role="img">'
        f"<title>{title}</title>{define_cards(map(_symbol, _items(step)))}"
        f'<rect width="{PICTURE_WIDTH}" height="{height}" fill="{FELT_COLOUR}"/>{"".join(rows)}</svg>'
    )


def _seat(rows: list[str], deal: DealSteps, step: ReplayStep, seat: int, y: int) -> int:
    view = step.seats[seat]
    text = f"{deal.names[seat]}   {points_words(view.points)} points, game {points_words(view.total)}   {view.won}"
    rows.append(_text(PICTURE_MARGIN, y, text, TEXT_COLOUR))
    hand = [*view.hand, *["??"] * view.backs]
    y = _fan(rows, [hand], y + 10)
    return _fan(rows, [group.cards for group in view.laid], y) if view.laid else y + LINE_HEIGHT


def _middle(rows: list[str], deal: DealSteps, step: ReplayStep, y: int) -> int:
    trumps = f"{deal.no_trump}" if step.trump is None else ""
    text = f"{step.stock} in stock   {step.heading}   {step.phase}   {trumps}"
    rows.append(_text(PICTURE_MARGIN, y, text.strip(), MUTED_COLOUR))
    if step.trump is not None:
        rows.append(draw_trump_badge(step.trump, PICTURE_WIDTH - PICTURE_MARGIN - 13, y - 8))
    return _fan(rows, table_groups(step), y + 10)


def draw_trump_badge(suit: str, x: float, y: float, scale: float = 1) -> str:
    """The sign of the trump suit on paper, 26 wide and high, around a point."""
    badge = f'<rect x="-13" y="-13" width="26" height="26" rx="4" fill="{PAPER_COLOUR}"/>'
    sign = f'<path d="{SUIT_SHAPES[suit]}" fill="{SUIT_COLOURS[suit]}"/>'
    return f'<g transform="translate({x} {y}) scale({scale})">{badge}{sign}</g>'


def table_groups(step: ReplayStep) -> list[list[str]]:
    """What lies in the middle, side by side: stock and turn-up, the cards played, and piles."""
    stock = [step.turn_up] if step.turn_up else []
    groups = [["??", *stock] if step.stock else stock, [item for _, item in step.centre]]
    return [*filter(None, groups), *(pile.cards for pile in step.tableau if pile.cards)]


def _fan(rows: list[str], groups: list[list[str]], y: int) -> int:
    """Draw groups of cards side by side below a line; the y coordinate below them."""
    if not any(groups):
        return y + LINE_HEIGHT
    room = PICTURE_WIDTH - 2 * PICTURE_MARGIN
    placed = place_cards(groups, PICTURE_MARGIN, y + 8, width=room, card_width=CARD_WIDTH)
    rows += map(draw_card, placed)
    return y + CARD_HEIGHT + LINE_HEIGHT + 14


class PlacedCard(NamedTuple):
    """A card, by its symbol, at a place of a picture; `is_pale` if its position is uncertain; `edge` is its mark of a choice."""

    symbol: str
    left: float
    top: float
    width: float
    is_pale: bool
    edge: str = ""

    @property
    def height(self) -> float:
        """A card is as high as seven fifths of its width."""
        return self.width * CARD_HEIGHT / CARD_WIDTH


def place_cards(
    groups: list[list[str]], left: float, top: float, *, width: float, card_width: float
) -> list[PlacedCard]:
    """Groups of cards side by side, closer together if there are many, and smaller if there are too many groups."""
    further = sum(map(len, groups)) - len(groups)
    least = len(groups) + GROUP_GAP * (len(groups) - 1) + LEAST_SHOWN * further
    card_width = min(card_width, width / least)
    room = width - card_width * (len(groups) + GROUP_GAP * (len(groups) - 1))
    step = min(card_width * 16 / 15, room / max(further, 1))
    placed = []
    for group in groups:
        for item in group:
            marks = {*item.split()[1:]}
            lift = card_width * 2 / 15 if {"lifted", "better"} & marks else 0
            is_pale = bool({"half", "either"} & marks)
            edge = next((mark for mark in CHOICE_EDGES if mark in marks), "")
            placed.append(PlacedCard(_symbol(item), left, top - lift, card_width, is_pale, edge))
            left += step
        left += card_width - step + GROUP_GAP * card_width
    return placed


def draw_card(card: PlacedCard) -> str:
    """A card, whose symbol `define_cards` has defined."""
    place = f'x="{card.left:.1f}" y="{card.top:.1f}" width="{card.width:.1f}" height="{card.height:.1f}"'
    edge = f'<rect {place} rx="8" {CHOICE_EDGES[card.edge]}/>' if card.edge else ""
    if card.is_pale:
        return f'<use href="#{card.symbol}" {place} opacity=".62"/><rect {place} rx="5" {DASHED_EDGE}/>{edge}'
    return f'<use href="#{card.symbol}" {place}/>{edge}'


def define_cards(symbols: Iterable[str]) -> str:
    """The symbols of cards, to be drawn by `draw_card`."""
    return f"<defs>{''.join(map(_defined, sorted({*symbols})))}</defs>"


def _items(step: ReplayStep) -> Iterator[str]:
    yield "??"
    for seat in step.seats:
        yield from seat.hand
        for group in seat.laid:
            yield from group.cards
    for group in step.tableau:
        yield from group.cards
    yield from (item for _, item in step.centre)
    if step.turn_up:
        yield step.turn_up


def _symbol(item: str) -> str:
    return item.split()[0][:2].replace("?", "x")


def _defined(symbol: str) -> str:
    """The symbol of a card, coloured by attributes alone."""
    code = symbol.replace("x", "?")
    suit = symbol[1] if symbol[1] in SUITS else "x"
    painted = _CLASS.sub(
        lambda found: (
            CARD_PART_PAINT[found[1]].format(ink=SUIT_COLOURS[suit])
            if found[1] in CARD_PART_PAINT
            else ""
        ),
        card_svgs(RANKS)[symbol],
    )
    return f'<symbol id="{symbol}" viewBox="{CARD_VIEW_BOX}"><title>{describe_card(code)}</title>{painted}</symbol>'


def _text(x: int, y: int, text: str, ink: str) -> str:
    font = f'{FONT_FAMILY} font-size="17"'
    return f'<text x="{x}" y="{y}" fill="{ink}" {font} xml:space="preserve">{escape(text)}</text>'


# A position as a wide picture with large cards, which can be read where it is shown small, beside a link.

PREVIEW_WIDTH, PREVIEW_HEIGHT = 1200, 630
"""The size that such programs ask for, in pixels."""
SMALL_PREVIEW_WIDTH = 600
"""Of the same picture for a message."""
PREVIEW_WIDTHS = {"small": SMALL_PREVIEW_WIDTH, "large": PREVIEW_WIDTH}
"""How many pixels wide a picture of each size is."""
MARGIN, TEXT_SIZE, PREVIEW_CARD_WIDTH = 40, 30, 94
ROOM = PREVIEW_WIDTH - 2 * MARGIN
TEXT_GAP, SIGNS_ROOM = 30, 230
"""Between texts of a line at least, and what trumps and the size of the stock take with it."""
LONGEST_TEXT = 200
"""No line has room for so many letters; the rest is not measured."""
HEADLINE_SIZE = 34
LETTERS_WITHOUT_SHAPE = re.compile(
    "[^ -~\u00a0-\u024f\u0370-\u04ff\u1e00-\u1eff\u2010-\u205e\u20a0-\u20bf\u2122\u2190-\u2193\u2212\u2660-\u2667]"
)
"""What the fonts of the pictures lack, and a box stands for."""
FAR_NAME, FAR_CARDS, MIDDLE, NEAR_CARDS, NEAR_NAME, SENTENCE = 56, 78, 240, 402, 573, 613
"""Where the parts begin, from the top: cards at their upper edge, lines of text at their foot."""


class PlacedMark(NamedTuple):
    """A text or sign of a picture, and the box around it, in pixels."""

    svg: str
    left: float
    top: float
    width: float
    height: float


class Preview(NamedTuple):
    """What lies where on the wide picture: no mark is under a card."""

    cards: list[PlacedCard]
    marks: list[PlacedMark]

    @property
    def svg(self) -> str:
        """The picture."""
        defined = define_cards(card.symbol for card in self.cards)
        drawn = "".join([*(mark.svg for mark in self.marks), *map(draw_card, self.cards)])
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {PREVIEW_WIDTH} {PREVIEW_HEIGHT}" {FONT_FAMILY}>'
            f'{defined}<rect width="100%" height="100%" fill="{FELT_COLOUR}"/>{drawn}</svg>'
        )


def render_preview_svg(
    deal: DealSteps, number: int, near: int, told: MistakeHeadline | None = None
) -> str:
    """The table at a step, seen from a seat, and the step in words; of more than two seats only this one has its cards.

    Where the step tells a mistake, its headline stands there, its card has a red edge, and better ones are raised.
    """
    return lay_out_preview(deal, number, near, told).svg


def lay_out_preview(
    deal: DealSteps, number: int, near: int, told: MistakeHeadline | None = None
) -> Preview:
    """What lies where on the picture of a step, seen from a seat."""
    step = with_marks(deal.steps[number], told) if told else deal.steps[number]
    others = [(near + i) % len(deal.names) for i in range(1, len(deal.names))]
    cards = [*_preview_middle(step), *_cards(step.seats[near], NEAR_CARDS)]
    marks = [*_preview_signs(step), *_points(deal, step, near, NEAR_NAME)]
    if len(others) == 1:
        cards += _cards(step.seats[others[0]], FAR_CARDS)
        marks += _points(deal, step, others[0], FAR_NAME)
    else:
        marks += _points_of_many(deal, step, others)
    return Preview(cards, [*marks, _preview_sentence(step, told)])


def _preview_sentence(step: ReplayStep, told: MistakeHeadline | None) -> PlacedMark:
    if told is None:
        return _preview_text(step.say, MARGIN, SENTENCE, ROOM, ink=MUTED_COLOUR, size=TEXT_SIZE - 4)
    fits = measure_text(told.headline, HEADLINE_SIZE) < ROOM
    size = HEADLINE_SIZE if fits else TEXT_SIZE - 4
    return _preview_text(told.headline, MARGIN, SENTENCE, ROOM, ink=HEADLINE_COLOUR, size=size)


def _cards(seat: SeatStep, top: int) -> list[PlacedCard]:
    """The hand of a seat, and its melds beside it."""
    groups = [[*seat.hand, *["??"] * seat.backs], *(group.cards for group in seat.laid)]
    return place_cards(
        [*filter(None, groups)], MARGIN, top, width=ROOM, card_width=PREVIEW_CARD_WIDTH
    )


def _preview_middle(step: ReplayStep) -> list[PlacedCard]:
    """Stock, trick and piles."""
    return place_cards(
        table_groups(step), MARGIN, MIDDLE, width=ROOM - SIGNS_ROOM, card_width=PREVIEW_CARD_WIDTH
    )


def _preview_signs(step: ReplayStep) -> Iterator[PlacedMark]:
    """Trumps and the size of the stock, at the right of the middle."""
    words = f"{step.stock} in stock" if step.stock else "stock empty"
    right = PREVIEW_WIDTH - MARGIN
    yield _preview_text(words, right, MIDDLE + 105, SIGNS_ROOM, ink=MUTED_COLOUR, end=True)
    if step.trump is not None:
        badge = draw_trump_badge(step.trump, right - 30, MIDDLE + 38, 2.3)
        yield PlacedMark(badge, right - 60, MIDDLE + 8, 60, 60)


def _points(deal: DealSteps, step: ReplayStep, seat: int, foot: int) -> list[PlacedMark]:
    """The name of a seat, and its points at the right; the name has the room that they leave."""
    view = step.seats[seat]
    words = f"{points_words(view.points)} points, {points_words(view.total)} in the match"
    points = _preview_text(words, PREVIEW_WIDTH - MARGIN, foot, ROOM, end=True)
    room = ROOM - points.width - TEXT_GAP
    return [_preview_text(deal.names[seat], MARGIN, foot, room), points]


def _points_of_many(deal: DealSteps, step: ReplayStep, seats: list[int]) -> Iterator[PlacedMark]:
    """Three seats in a line, in turn, each with its points."""
    for place, seat in enumerate(seats):
        points = points_words(step.seats[seat].points)
        left, foot = MARGIN + ROOM / 3 * (place % 3), FAR_NAME + 46 * (place // 3)
        room = ROOM / 3 - TEXT_GAP - measure_text(f" {points}", TEXT_SIZE)
        name = fit_text(deal.names[seat], room, TEXT_SIZE)
        yield _preview_text(f"{name} {points}", left, foot, ROOM / 3)


def _preview_text(
    text: str,
    x: float,
    foot: float,
    room: float,
    *,
    ink: str = TEXT_COLOUR,
    size: int = TEXT_SIZE,
    end: bool = False,
) -> PlacedMark:
    """A line of text, cut where it has no more room; `x` is where it begins, or if `end`, where it ends."""
    shown = fit_text(text, room, size)
    width = measure_text(shown, size) + 2
    anchor = ' text-anchor="end"' if end else ""
    svg = f'<text x="{x:.0f}" y="{foot}" fill="{ink}" font-size="{size}"{anchor}>{escape(shown)}</text>'
    return PlacedMark(svg, x - width if end else x, foot - size, width, size * 1.3)


@lru_cache(maxsize=4)
def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(WIDE_FONT_FILE, size, layout_engine=ImageFont.Layout.BASIC)


def measure_text(text: str, size: int) -> float:
    """How wide a line of text is drawn at most, in pixels."""
    return _font(size).getlength(text)


@lru_cache(maxsize=MOST_PICTURES_CACHED)
def fit_text(text: str, room: float, size: int) -> str:
    """A line of text with a box for each letter that the fonts lack, cut to so many pixels."""
    text = LETTERS_WITHOUT_SHAPE.sub("□", normalize("NFC", text[:LONGEST_TEXT]))
    if measure_text(text, size) <= room:
        return text
    fitting = bisect_right(
        range(1, len(text)), room, key=lambda most: measure_text(f"{text[:most]}…", size)
    )
    return f"{text[:fitting].rstrip()}…"
