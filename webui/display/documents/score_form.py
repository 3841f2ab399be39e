"""A form on which people at a table write a deal down: how many tricks it has, what is dealt, what scores."""

from dataclasses import dataclass

from records.rules.explain import explain_sheet
from records.rules.vocabulary import BrisqueCount, RuleSheet, TurnUp

SEAT_LETTERS = "abcdef"
ZETEMA_TURNS = 40
"""Lines for the turns of a game without tricks; a deal may have more."""


@dataclass(frozen=True, slots=True)
class ScoreForm:
    """The form of a rulebook as it is without options; `lines` are its tricks, or turns where `has_tricks` is false.

    `seats` are the letters of the most players; `hand` cards are dealt to each of two. After `stock_tricks` the stock is empty. `melds` are the points of each, in
    words; `bonuses` are sentences.
    """

    sheet: str
    name: str
    seats: str
    has_tricks: bool
    lines: int
    stock_tricks: int
    hand: int
    turned_up: bool
    dix: int
    brisque: int
    melds: list[tuple[str, int]]
    bonuses: list[str]


def score_form(sheet: RuleSheet) -> ScoreForm:
    """The form of this rulebook, with a line for each player it allows."""
    hand = sheet.hand[2]
    cards = len(sheet.pack.ranks) * 4 * sheet.pack.copies
    has_tricks = sheet.tableau is None
    counts = sheet.brisques.count is BrisqueCount.AT_THE_END
    return ScoreForm(
        sheet=sheet.id,
        name=sheet.name,
        seats=SEAT_LETTERS[: max(sheet.players)],
        has_tricks=has_tricks,
        lines=cards // 2 if has_tricks else ZETEMA_TURNS,
        stock_tricks=cards // 2 - hand if has_tricks else 0,
        hand=hand,
        turned_up=isinstance(sheet.trumps, TurnUp),
        dix=sheet.dix.points if sheet.dix else 0,
        brisque=sheet.brisques.points if has_tricks and counts else 0,
        melds=[(meld.words, meld.points) for meld in sheet.melds],
        bonuses=_bonuses(sheet),
    )


def _bonuses(sheet: RuleSheet) -> list[str]:
    """What the rulebook says of points for tricks."""
    sections = explain_sheet(sheet).sections
    return [words for part in sections if part.article == "bonuses" for words in part.sentences]
