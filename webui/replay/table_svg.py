"""A step of a deal as one picture that stands by itself: SVG without styles, scripts or anything from elsewhere."""

import re
from collections.abc import Iterator

from markupsafe import escape

from records.cards import RANKS, SUITS, words
from webui.display.card_svg import BOX, SUIT_SHAPES, faces
from webui.display.wording import PALE
from webui.replay.layout import Group
from webui.replay.steps import DealSteps, Step

WIDTH, MARGIN, LINE = 720, 24, 26
CARD, TALL = 60, 84
FELT, INK, MUTED = "#1f6148", "#f6f3e8", "#d3e3d8"
INKS = {"S": "#1a2030", "H": "#b3202c", "D": "#bb3f12", "C": "#14382a", "x": "#5e5b52"}
PAPER = "#fdfbf5"
PARTS = {
    "paper": f'fill="{PAPER}" stroke="#cfc8b6"',
    "rank": 'fill="none" stroke="{ink}" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"',
    "pip": 'fill="{ink}"',
    "robe": 'fill="{ink}"',
    "blazon": f'fill="{PAPER}"',
    "face": f'fill="{PAPER}" stroke="{{ink}}"',
    "eyes": 'stroke="{ink}" stroke-width="1.5" stroke-linecap="round"',
    "gold": 'fill="#cf9a3c" stroke="{ink}" stroke-width=".8" stroke-linejoin="round"',
    "frame": 'fill="none" stroke="{ink}" stroke-width=".8" opacity=".55"',
    "back": 'fill="#7d2438"',
    "weave": 'fill="none" stroke="#e6c98f" stroke-width=".6"',
}
"""What a part of a card is painted with, as css/cards.css paints it in the light."""
DASHED = f'fill="none" stroke="{INK}" stroke-dasharray="4 3"'
"""The edge of a card that may lie in either of two places."""
_CLASS = re.compile(r'class="([a-z]+)(?:-([SHDCx]))?"')


def picture(deal: DealSteps, number: int, near: int) -> str:
    """The table at a step, seen from a seat: hands, melds, trick, stock and scores, and the step in words."""
    step = deal.steps[number]
    seats = [*((near + i) % len(deal.names) for i in range(1, len(deal.names))), near]
    rows: list[str] = []
    y = MARGIN + LINE
    for seat in seats:
        if seat == near:
            y = _middle(rows, deal, step, y)
        y = _seat(rows, deal, step, seat, y)
    rows.append(_text(MARGIN, y + LINE, step.say, INK))
    if any(seat.unsure for seat in step.seats):
        y += LINE
        rows.append(_text(MARGIN, y + LINE, PALE, MUTED))
    height = y + LINE + MARGIN
    title = escape(f"{' – '.join(deal.names)}, deal {deal.deal + 1}, step {number}: {step.say}")
    used = sorted({_symbol(item) for item in _items(step)})
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">'
        f"<title>{title}</title><defs>{''.join(map(_defined, used))}</defs>"
        f'<rect width="{WIDTH}" height="{height}" fill="{FELT}"/>{"".join(rows)}</svg>'
    )


def _seat(rows: list[str], deal: DealSteps, step: Step, seat: int, y: int) -> int:
    view = step.seats[seat]
    said = f"{deal.names[seat]}   {view.points} points, game {view.total}   {view.won}"
    rows.append(_text(MARGIN, y, said, INK))
    hand = [*view.hand, *["??"] * view.backs]
    y = _fan(rows, [hand], y + 10)
    return _fan(rows, [group.cards for group in view.laid], y) if view.laid else y + LINE


def _middle(rows: list[str], deal: DealSteps, step: Step, y: int) -> int:
    trumps = f"{deal.no_trump}" if step.trump is None else ""
    told = f"{step.stock} in stock   {step.heading}   {step.phase}   {trumps}"
    rows.append(_text(MARGIN, y, told.strip(), MUTED))
    if step.trump is not None:
        shape = SUIT_SHAPES[step.trump]
        badge = f'<rect x="-13" y="-13" width="26" height="26" rx="4" fill="{PAPER}"/>'
        path = f'<path d="{shape}" fill="{INKS[step.trump]}"/>'
        rows.append(f'<g transform="translate({WIDTH - MARGIN - 13} {y - 8})">{badge}{path}</g>')
    stock = [step.turn_up] if step.turn_up else []
    groups = [["??", *stock] if step.stock else stock, [item for _, item in step.centre]]
    return _fan(rows, [*filter(None, groups), *_piles(step.tableau)], y + 10)


def _piles(tableau: list[Group]) -> list[list[str]]:
    return [group.cards for group in tableau if group.cards]


def _fan(rows: list[str], groups: list[list[str]], y: int) -> int:
    """Groups of cards side by side, closer where they are many."""
    count = sum(map(len, groups))
    if not count:
        return y + LINE
    gap = 18
    room = WIDTH - 2 * MARGIN - CARD * len(groups) - gap * (len(groups) - 1)
    step = min(CARD + 4, room / max(count - len(groups), 1)) if count > len(groups) else 0
    x = float(MARGIN)
    for group in groups:
        for item in group:
            lift = 8 if "lifted" in item.split() else 0
            place = f'x="{x:.1f}" y="{y + 8 - lift}" width="{CARD}" height="{TALL}"'
            if {"half", "either"} & {*item.split()}:
                rows.append(f'<use href="#{_symbol(item)}" {place} opacity=".62"/>')
                rows.append(f'<rect {place} rx="5" {DASHED}/>')
            else:
                rows.append(f'<use href="#{_symbol(item)}" {place}/>')
            x += step
        x += CARD - step + gap
    return y + TALL + LINE + 14


def _items(step: Step) -> Iterator[str]:
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
    """A card's symbol, every part painted by attributes."""
    code = symbol.replace("x", "?")
    suit = symbol[1] if symbol[1] in SUITS else "x"
    painted = _CLASS.sub(
        lambda found: PARTS[found[1]].format(ink=INKS[suit]) if found[1] in PARTS else "",
        faces(RANKS)[symbol],
    )
    return f'<symbol id="{symbol}" viewBox="{BOX}"><title>{words(code)}</title>{painted}</symbol>'


def _text(x: int, y: int, said: str, ink: str) -> str:
    font = 'font-family="Georgia, serif" font-size="17"'
    return f'<text x="{x}" y="{y}" fill="{ink}" {font} xml:space="preserve">{escape(said)}</text>'
