"""A position as a wide picture with large cards, which can be read where it is shown small, beside a link."""

import re
from unicodedata import normalize

from markupsafe import escape

from webui.display.wording import points_words
from webui.replay.steps import DealSteps, ReplayStep, SeatStep
from webui.replay.table_svg import (
    FELT_COLOUR,
    MUTED_COLOUR,
    TEXT_COLOUR,
    define_cards,
    draw_cards,
    draw_trump_badge,
    table_groups,
)

PREVIEW_WIDTH, PREVIEW_HEIGHT = 1200, 630
"""The size that such programs ask for, in pixels."""
MARGIN, TEXT_SIZE, CARD_WIDTH = 40, 30, 94
ROOM = PREVIEW_WIDTH - 2 * MARGIN
MOST_LETTERS, MOST_LETTERS_OF_NAME = 68, 32
"""About as many letters as a line has room for, and as a name has where the points stand beside it."""
LETTERS_WITHOUT_SHAPE = re.compile(
    "[^ -~\u00a0-\u024f\u0370-\u04ff\u1e00-\u1eff\u2010-\u205e\u20a0-\u20bf\u2122\u2190-\u2193\u2212\u2660-\u2667]"
)
"""What the font of the pictures lacks, and a box stands for."""
FAR_NAME, FAR_CARDS, MIDDLE, NEAR_CARDS, NEAR_NAME, SENTENCE = 60, 78, 240, 402, 573, 613
"""Where the parts begin, from the top: cards at their upper edge, lines of text at their foot."""


def render_preview_svg(deal: DealSteps, number: int, near: int) -> str:
    """The table at a step, seen from a seat, and the step in words; of more than two seats only this one has its cards."""
    step = deal.steps[number]
    others = [(near + i) % len(deal.names) for i in range(1, len(deal.names))]
    drawn = [*_middle(step), *_cards(step.seats[near], NEAR_CARDS)]
    if len(others) == 1:
        drawn += [
            *_points(deal, step, others[0], FAR_NAME),
            *_cards(step.seats[others[0]], FAR_CARDS),
        ]
    else:
        drawn += _points_of_many(deal, step, others)
    drawn += _points(deal, step, near, NEAR_NAME)
    drawn.append(
        _text(step.say, MARGIN, SENTENCE, MOST_LETTERS, ink=MUTED_COLOUR, size=TEXT_SIZE - 4)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {PREVIEW_WIDTH} {PREVIEW_HEIGHT}" font-family="Georgia, serif">'
        f'{define_cards(step)}<rect width="100%" height="100%" fill="{FELT_COLOUR}"/>{"".join(drawn)}</svg>'
    )


def _cards(seat: SeatStep, top: int) -> list[str]:
    """The hand of a seat, and its melds beside it."""
    groups = [[*seat.hand, *["??"] * seat.backs], *(group.cards for group in seat.laid)]
    return draw_cards([*filter(None, groups)], MARGIN, top, width=ROOM, card_width=CARD_WIDTH)


def _middle(step: ReplayStep) -> list[str]:
    """Stock, trick and piles, with trumps and the size of the stock at the right."""
    words = f"{step.stock} in stock" if step.stock else "stock empty"
    right = PREVIEW_WIDTH - MARGIN
    drawn = [_text(words, right, MIDDLE + 105, 24, ink=MUTED_COLOUR, end=True)]
    if step.trump is not None:
        drawn.append(draw_trump_badge(step.trump, right - 30, MIDDLE + 38, 2.3))
    cards = draw_cards(table_groups(step), MARGIN, MIDDLE, width=ROOM - 190, card_width=CARD_WIDTH)
    return [*drawn, *cards]


def _points(deal: DealSteps, step: ReplayStep, seat: int, foot: int) -> list[str]:
    """The name of a seat, and its points at the right."""
    view = step.seats[seat]
    points = f"{points_words(view.points)} points, {points_words(view.total)} in the match"
    return [
        _text(deal.names[seat], MARGIN, foot, MOST_LETTERS_OF_NAME),
        _text(points, PREVIEW_WIDTH - MARGIN, foot, MOST_LETTERS, end=True),
    ]


def _points_of_many(deal: DealSteps, step: ReplayStep, seats: list[int]) -> list[str]:
    """Three seats in a line, in turn, each with its points."""
    return [
        _text(
            f"{_shortened(deal.names[seat], 14)} {points_words(step.seats[seat].points)}",
            MARGIN + ROOM / 3 * (place % 3),
            FAR_NAME + 46 * (place // 3),
            22,
        )
        for place, seat in enumerate(seats)
    ]


def _text(
    text: str,
    x: float,
    foot: float,
    most: int,
    *,
    ink: str = TEXT_COLOUR,
    size: int = TEXT_SIZE,
    end: bool = False,
) -> str:
    anchor = ' text-anchor="end"' if end else ""
    shown = LETTERS_WITHOUT_SHAPE.sub("□", _shortened(normalize("NFC", text), most))
    return f'<text x="{x:.0f}" y="{foot}" fill="{ink}" font-size="{size}"{anchor}>{escape(shown)}</text>'


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
