"""The deck: every card as an SVG symbol, drawn for this project in a box of 60 by 84.

The index is at the top left, where it stays visible in a fan. Beside it are pips, or the bust of a court
card, the same from both ends. Classes mark the parts, and the page's custom properties colour them.
"""

from functools import cache

from markupsafe import Markup

from records.cards import RANKS, SUITS

CARD_VIEW_BOX = "0 0 60 84"

SUIT_SHAPES = {
    "S": "M0-9.5C2-6.5 9-2 9 3 9 5.8 7 7.5 4.8 7.5 3.2 7.5 1.9 6.8 1 5.5 1.2 7.5 1.8 9 3.5 10H-3.5"
    "C-1.8 9-1.2 7.5-1 5.5-1.9 6.8-3.2 7.5-4.8 7.5-7 7.5-9 5.8-9 3-9-2-2-6.5 0-9.5Z",
    "H": "M0 9C-2 7-9 1.8-9-3.4-9-6.8-6.6-9-4-9-2.2-9-.8-8 0-6.4.8-8 2.2-9 4-9 6.6-9 9-6.8 9-3.4"
    " 9 1.8 2 7 0 9Z",
    "D": "M0-10C1.8-6.5 4.5-3 7.6 0 4.5 3 1.8 6.5 0 10-1.8 6.5-4.5 3-7.6 0-4.5-3-1.8-6.5 0-10Z",
    "C": "M-2.4-1.3A4.5 4.5 0 1 1 2.4-1.3 4.5 4.5 0 1 1 1.1 5C1.3 7.4 2 9 3.6 10H-3.6C-2 9-1.3 7.4"
    "-1.1 5A4.5 4.5 0 1 1-2.4-1.3Z",
}
RANK_SHAPES = {
    "A": "M1 19 7 1.5 13 19M3.4 13H10.6",
    "K": "M2 1V19M13 1 2.5 11.5M6 8.6 13 19",
    "Q": "M7 1.2C10.6 1.2 13 5 13 10S10.6 18.8 7 18.8 1 15 1 10 3.4 1.2 7 1.2ZM8.5 14 13 20",
    "J": "M4 1.4H12.5M9.5 1.4V13.5C9.5 17 7.8 18.8 5.2 18.8 2.8 18.8 1.3 17.2 1.2 14.5",
    "T": "M-.4 4.4 2.4 1.5V19M10.2 1.3C12.6 1.3 14 5 14 10S12.6 18.8 10.2 18.8 6.4 15 6.4 10 7.8"
    " 1.3 10.2 1.3Z",
    "9": "M12.6 6.8A5.6 5.6 0 1 0 7 12.4 5.6 5.6 0 0 0 12.6 6.8C12.8 13 10 17.6 4.4 19",
    "8": "M7 9.3A4.1 4.1 0 1 1 7 1.2 4.1 4.1 0 1 1 7 9.3 4.8 4.8 0 1 0 7 18.8 4.8 4.8 0 1 0 7 9.3Z",
    "7": "M1.2 1.4H12.8C8.5 7 6 13 5.5 19",
    "6": "M1.4 13.2A5.6 5.6 0 1 0 7 7.6 5.6 5.6 0 0 0 1.4 13.2C1.2 7 4 2.4 9.6 1",
    "5": "M12 1.4H3.2L2.2 9.4C3.4 8.2 5 7.6 6.8 7.6 10.4 7.6 12.8 10 12.8 13.2S10.2 18.8 6.8 18.8"
    "C4.2 18.8 2.2 17.7 1.2 15.8",
    "4": "M9.8 19V1.2L1 13.6H13.4",
    "3": "M1.4 1.4H12L6.4 8.2C10.4 8 12.8 10.2 12.8 13.4S10.2 18.8 6.8 18.8C4.2 18.8 2.2 17.7 1.2 15.8",
    "2": "M1.4 6C1.6 3 3.8 1.2 7 1.2S12.4 3.2 12.4 6C12.4 10 6 13 1.2 18.8H13",
    "x": "M1.8 5.6C2.2 2.8 4.2 1.2 7 1.2S12 3 12 5.8C12 9.6 7 9.6 7 13.4M7 18.4V18.6",
}

_LEFT, _MIDDLE, _RIGHT = 29.5, 39, 48.5
_PIPS: dict[str, tuple[tuple[float, float], ...]] = {
    "2": ((_MIDDLE, 18), (_MIDDLE, 66)),
    "3": ((_MIDDLE, 18), (_MIDDLE, 42), (_MIDDLE, 66)),
    "4": ((_LEFT, 18), (_RIGHT, 18), (_LEFT, 66), (_RIGHT, 66)),
    "5": ((_LEFT, 18), (_RIGHT, 18), (_MIDDLE, 42), (_LEFT, 66), (_RIGHT, 66)),
    "6": ((_LEFT, 18), (_RIGHT, 18), (_LEFT, 42), (_RIGHT, 42), (_LEFT, 66), (_RIGHT, 66)),
    "7": ((_LEFT, 18), (_RIGHT, 18), (_MIDDLE, 30), (_LEFT, 42), (_RIGHT, 42), (_LEFT, 66),
          (_RIGHT, 66)),
    "8": ((_LEFT, 18), (_RIGHT, 18), (_MIDDLE, 30), (_LEFT, 42), (_RIGHT, 42), (_MIDDLE, 54),
          (_LEFT, 66), (_RIGHT, 66)),
    "9": ((_LEFT, 16), (_RIGHT, 16), (_LEFT, 33), (_RIGHT, 33), (_MIDDLE, 42), (_LEFT, 51),
          (_RIGHT, 51), (_LEFT, 68), (_RIGHT, 68)),
    "T": ((_LEFT, 16), (_RIGHT, 16), (_MIDDLE, 24.5), (_LEFT, 33), (_RIGHT, 33), (_LEFT, 51),
          (_RIGHT, 51), (_MIDDLE, 59.5), (_LEFT, 68), (_RIGHT, 68)),
}  # fmt: skip

_ROBE = "M24 41.7V37.5C24 31 28 28.4 33 27.8H45C50 28.4 54 31 54 37.5V41.7Z"
_FACE = "M33.6 17H44.4V22.4C44.4 26.4 42 28.8 39 28.8S33.6 26.4 33.6 22.4Z"
_EYES = "M36.7 21.2V21.3M41.3 21.2V21.3"
_COLLAR = "M31.6 28.2C35 31.4 43 31.4 46.4 28.2L48.6 30C44 35 34 35 29.4 30Z"
_COURTS = {
    "K": ("M32 17.6 30.6 8.4 35.4 12 39 7 42.6 12 47.4 8.4 46 17.6Z", "M33.6 20.6C33.6 29 36.4 30.6 39"
          " 30.6S44.4 29 44.4 20.6L42.6 24.6H35.4Z"),
    "Q": ("M32.4 17C31.6 14 32.4 11.4 34 11.4 35.4 11.4 36 12.6 36.4 13.6 36.6 10.8 37.4 8.4 39 8.4"
          "S41.4 10.8 41.6 13.6C42 12.6 42.6 11.4 44 11.4 45.6 11.4 46.4 14 45.6 17Z",
          "M33.8 17C30 19 30.4 25 29 30.4H34.4C33 27 33.4 22 33.8 17ZM44.2 17C48 19 47.6 25 49 30.4H43.6"
          "C45 27 44.6 22 44.2 17Z"),
    "J": ("M30.4 17.6C30.4 12.4 34 10.6 39 10.6S47.6 12.4 47.6 17.6L39 16ZM45 12C48 7.6 51 7 52.4 7.4"
          " 52.4 10.6 50 13.6 46.8 14.4Z",
          "M33.6 16.6H35.4C35.6 20 35 24 33.4 27.6L31 25.4C32 22.6 32 19 31.6 16.6ZM44.4 16.6H42.6"
          "C42.4 20 43 24 44.6 27.6L47 25.4C46 22.6 46 19 46.4 16.6Z"),
}  # fmt: skip
"""What distinguishes the court cards: the headgear, in gold, and beard or hair, in the suit's colour."""


@cache
def card_sprite(ranks: str = RANKS) -> Markup:
    """A hidden SVG with a symbol for each suit, each card of these ranks, unknown cards and the back."""
    shapes = [
        *(_symbol(f"s-{suit}", _path(SUIT_SHAPES[suit])) for suit in SUITS),
        *(_symbol(f"c-{name}", face) for name, face in card_svgs(ranks).items()),
    ]
    return Markup('<svg class="sprite" aria-hidden="true" focusable="false">{}</svg>').format(
        Markup("").join(Markup(shape) for shape in shapes)
    )


@cache
def card_svgs(ranks: str = RANKS) -> dict[str, str]:
    """The SVG of every card of these ranks, of unknown cards and of the back (`xx`), by name."""
    return {
        **{f"{rank}{suit}": _front(rank, suit) for suit in SUITS for rank in ranks},
        **{f"x{suit}": _in_suit(suit, _index("x", suit)) for suit in SUITS},
        **{f"{rank}x": _in_suit("x", _index(rank, None)) for rank in ranks},
        "xx": _back(),
    }


def card_symbol_id(card: str) -> str:
    """The id of a card's symbol: `c-QS` for `QS.1`, `c-xS` for `?S`."""
    return "c-" + card[:2].replace("?", "x")


def _symbol(name: str, content: str) -> str:
    box = "-10 -10 20 20" if name.startswith("s-") else CARD_VIEW_BOX
    return f'<symbol id="{name}" viewBox="{box}">{content}</symbol>'


def _path(shape: str, **attributes: str) -> str:
    written = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return f'<path d="{shape}"{written}/>'


def _paper() -> str:
    return '<rect class="paper" x=".75" y=".75" width="58.5" height="82.5" rx="5.5"/>'


def _front(rank: str, suit: str) -> str:
    return _in_suit(suit, _index(rank, suit) + _picture(rank, suit))


def _in_suit(suit: str, content: str) -> str:
    return f'<g class="suit-{suit}">{_paper()}{content}</g>'


def _index(rank: str, suit: str | None) -> str:
    """Rank above suit, in the corner that stays visible in a fan."""
    index = _path(RANK_SHAPES[rank], **{"class": "rank", "transform": "translate(5 6.5)"})
    return index + _suit(suit, 12, 37.5, 0.72) if suit else index


def _suit(suit: str, x: float, y: float, scale: float, *, turned: bool = False) -> str:
    turn = " rotate(180)" if turned else ""
    return _path(
        SUIT_SHAPES[suit],
        **{"class": "pip", "transform": f"translate({x} {y}) scale({scale}){turn}"},
    )


def _picture(rank: str, suit: str) -> str:
    if rank == "A":
        return _suit(suit, 38, 44, 1.55)
    if rank in _COURTS:
        return _court(rank, suit)
    return "".join(_suit(suit, x, y, 0.6, turned=y > 42) for x, y in _PIPS[rank])


def _court(rank: str, suit: str) -> str:
    """A bust, and the same upside down."""
    half = _bust(rank, suit)
    frame = '<rect class="frame" x="23" y="5.5" width="32" height="73" rx="2.5"/>'
    return f'{frame}<g>{half}</g><g transform="rotate(180 39 42)">{half}</g>'


def _bust(rank: str, suit: str) -> str:
    headgear, hair = _COURTS[rank]
    return (
        _path(_ROBE, **{"class": "robe"})
        + _path(_COLLAR, **{"class": "gold"})
        + _suit_on_robe(suit)
        + _path(_FACE, **{"class": "face"})
        + _path(_EYES, **{"class": "eyes"})
        + _path(hair, **{"class": "robe"})
        + _path(headgear, **{"class": "gold"})
    )


def _suit_on_robe(suit: str) -> str:
    return _path(
        SUIT_SHAPES[suit], **{"class": "blazon", "transform": "translate(39 37.8) scale(.27)"}
    )


def _back() -> str:
    weave = "".join(
        f"M{x} {y}l4 5-4 5-4-5z"
        for row, y in enumerate(range(7, 72, 5))
        for x in range(10 + 4 * (row % 2), 52, 8)
    )
    back = '<rect class="back" x="4" y="4" width="52" height="76" rx="3"/>'
    return f'{_paper()}{back}<path class="weave" d="{weave}"/>'
