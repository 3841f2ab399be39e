"""A step of a deal as a self-contained SVG picture, without styles or scripts."""

import re
from collections.abc import Iterator

from markupsafe import escape

from records.cards import RANKS, SUITS, describe_card
from webui.display.card_svg import CARD_VIEW_BOX, SUIT_SHAPES, card_svgs
from webui.display.wording import UNCERTAIN_CARD_MEANING, points_words
from webui.replay.layout import CardGroup
from webui.replay.steps import DealSteps, ReplayStep

PICTURE_WIDTH, PICTURE_MARGIN, LINE_HEIGHT = 720, 24, 26
CARD_WIDTH, CARD_HEIGHT = 60, 84
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
_CLASS = re.compile(r'class="([a-z]+)(?:-([SHDCx]))?"')


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
    used = sorted({_symbol(item) for item in _items(step)})
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {PICTURE_WIDTH} {height}" role="img">'
        f"<title>{title}</title><defs>{''.join(map(_defined, used))}</defs>"
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
        shape = SUIT_SHAPES[step.trump]
        badge = f'<rect x="-13" y="-13" width="26" height="26" rx="4" fill="{PAPER_COLOUR}"/>'
        path = f'<path d="{shape}" fill="{SUIT_COLOURS[step.trump]}"/>'
        rows.append(
            f'<g transform="translate({PICTURE_WIDTH - PICTURE_MARGIN - 13} {y - 8})">{badge}{path}</g>'
        )
    stock = [step.turn_up] if step.turn_up else []
    groups = [["??", *stock] if step.stock else stock, [item for _, item in step.centre]]
    return _fan(rows, [*filter(None, groups), *_piles(step.tableau)], y + 10)


def _piles(tableau: list[CardGroup]) -> list[list[str]]:
    return [group.cards for group in tableau if group.cards]


def _fan(rows: list[str], groups: list[list[str]], y: int) -> int:
    """Draw groups of cards side by side, closer together if there are many; the y coordinate below them."""
    count = sum(map(len, groups))
    if not count:
        return y + LINE_HEIGHT
    gap = 18
    room = PICTURE_WIDTH - 2 * PICTURE_MARGIN - CARD_WIDTH * len(groups) - gap * (len(groups) - 1)
    step = min(CARD_WIDTH + 4, room / max(count - len(groups), 1)) if count > len(groups) else 0
    x = float(PICTURE_MARGIN)
    for group in groups:
        for item in group:
            lift = 8 if "lifted" in item.split() else 0
            place = f'x="{x:.1f}" y="{y + 8 - lift}" width="{CARD_WIDTH}" height="{CARD_HEIGHT}"'
            if {"half", "either"} & {*item.split()}:
                rows.append(f'<use href="#{_symbol(item)}" {place} opacity=".62"/>')
                rows.append(f'<rect {place} rx="5" {DASHED_EDGE}/>')
            else:
                rows.append(f'<use href="#{_symbol(item)}" {place}/>')
            x += step
        x += CARD_WIDTH - step + gap
    return y + CARD_HEIGHT + LINE_HEIGHT + 14


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
    font = 'font-family="Georgia, serif" font-size="17"'
    return f'<text x="{x}" y="{y}" fill="{ink}" {font} xml:space="preserve">{escape(text)}</text>'
