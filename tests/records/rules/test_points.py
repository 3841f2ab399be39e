"""Double entry: `points.csv` was typed from the rulebooks, with hearts as trumps."""

import csv
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from records.rules import registry
from records.rules.compiled import card_sets_for, fits_shape
from records.rules.vocabulary import (
    BrisqueCount,
    MeldRule,
    OneDeal,
    RaceTo,
    RuleSheet,
    ShapedCards,
    To,
    TurnUp,
    When,
)

TRUMP = "H"


def rows() -> list[dict[str, str]]:
    with (Path(__file__).parent / "points.csv").open(newline="") as file:
        return list(csv.DictReader(file))


ROWS = rows()
MELD_ROWS = [row for row in ROWS if row["cards"]]
OTHER_ROWS = [row for row in ROWS if not row["cards"]]


def named(row: dict[str, str]) -> str:
    return f"{row['sheet']}: {row['item']} {row['cards']}".strip()


def is_one(meld: MeldRule, cards: tuple[str, ...], sheet: RuleSheet) -> bool:
    if isinstance(meld.cards, ShapedCards):
        return fits_shape(meld.cards, cards, sheet.rules.pack.row or ())
    return cards in card_sets_for(meld, TRUMP, sheet.rules)


def melds_of(row: dict[str, str]) -> list[MeldRule]:
    """The melds of the sheet that these cards are, under the name of the row."""
    sheet = registry.get_sheet(row["sheet"])
    cards = tuple(sorted(row["cards"].split()))
    return [
        meld
        for meld in sheet.rules.melds
        if meld.name == row["item"] and is_one(meld, cards, sheet)
    ]


@pytest.mark.parametrize("row", MELD_ROWS, ids=named)
def test_a_meld_is_worth_what_the_book_says(row: dict[str, str]) -> None:
    assert [meld.points for meld in melds_of(row)] == [int(row["value"])]


@pytest.mark.parametrize("sheet", registry.ALL_SHEETS, ids=lambda sheet: sheet.id)
def test_the_books_have_no_meld_more_and_none_less(sheet: RuleSheet) -> None:
    typed = Counter(
        (meld.name, meld.cards)
        for row in MELD_ROWS
        if row["sheet"] == sheet.id
        for meld in melds_of(row)
    )
    assert typed == Counter((meld.name, meld.cards) for meld in sheet.rules.melds)


def bonus(sheet: RuleSheet, when: When, to: To) -> int:
    return sum(
        found.points for found in sheet.rules.bonuses if (found.tricks, found.to) == (when, to)
    )


def brisque(sheet: RuleSheet, rank: str) -> int:
    found = sheet.rules.brisques
    return found.points if found.count is BrisqueCount.AT_THE_END and rank in found.ranks else 0


def turned_seven(sheet: RuleSheet) -> int:
    assert isinstance(sheet.rules.trumps, TurnUp)
    return sheet.rules.trumps.dealer_seven


def target(sheet: RuleSheet) -> int:
    assert isinstance(sheet.rules.match, RaceTo)
    return sheet.rules.match.target[2]


def zetema_of(rank: str) -> Callable[[RuleSheet], int]:
    return lambda sheet: sheet.rules.tableau.zetemas[rank] if sheet.rules.tableau else 0


ZETEMAS = ("kings", "queens", "jacks", "aces", "fives", "tens", "twos")
ITEMS: dict[str, Callable[[RuleSheet], int]] = {
    "cards in the pack": lambda sheet: (
        len(sheet.rules.pack.ranks) * sum(sheet.rules.pack.copies.values())
    ),
    "cards dealt": lambda sheet: sheet.rules.hand[2],
    "cards dealt to six": lambda sheet: sheet.rules.hand[6],
    "exact cut": lambda sheet: sheet.rules.cut.dealer_points if sheet.rules.cut else 0,
    "right guess": lambda sheet: sheet.rules.cut.guess_points if sheet.rules.cut else 0,
    "carte blanche": lambda sheet: (
        sheet.rules.carte_blanche.points if sheet.rules.carte_blanche else 0
    ),
    "melds after a trick": lambda sheet: sheet.rules.phases[0].meld_limit,
    "brisque when counted": lambda sheet: sheet.rules.brisques.points,
    "rubicon": lambda sheet: (
        sheet.rules.match.rubicon if isinstance(sheet.rules.match, OneDeal) else 0
    ),
    "game for four": lambda sheet: (
        sheet.rules.match.target[4] if isinstance(sheet.rules.match, RaceTo) else 0
    ),
    "marriage in spades": lambda sheet: (
        sheet.rules.tableau.doubled_suit_points if sheet.rules.tableau else 0
    ),
    **{f"zetema of {name}": zetema_of(rank) for rank, name in zip("KQJA5T2", ZETEMAS, strict=True)},
    "turned seven": turned_seven,
    "dix": lambda sheet: sheet.rules.dix.points if sheet.rules.dix else 0,
    "tenth trick to the loser": lambda sheet: bonus(sheet, When.LAST_STOCK_TRICK, To.LOSER),
    "tenth trick to the winner": lambda sheet: bonus(sheet, When.LAST_STOCK_TRICK, To.WINNER),
    "last trick": lambda sheet: bonus(sheet, When.LAST_TRICK, To.WINNER),
    "all last tricks": lambda sheet: bonus(sheet, When.ALL_CLOSED_TRICKS, To.WINNER),
    "each ace": lambda sheet: brisque(sheet, "A"),
    "each ten": lambda sheet: brisque(sheet, "T"),
    "melds after the close": lambda sheet: sheet.rules.phases[-1].meld_limit,
    "game": target,
}


@pytest.mark.parametrize("row", OTHER_ROWS, ids=named)
def test_everything_else_is_what_the_book_says(row: dict[str, str]) -> None:
    assert ITEMS[row["item"]](registry.get_sheet(row["sheet"])) == int(row["value"])


@pytest.mark.parametrize("sheet", registry.ALL_SHEETS, ids=lambda sheet: sheet.id)
def test_the_books_have_no_bonus_more(sheet: RuleSheet) -> None:
    typed = {row["item"] for row in OTHER_ROWS if row["sheet"] == sheet.id}
    tricks = {item for item in typed if item.startswith(("tenth", "last", "all last"))}
    assert len(tricks) == len(sheet.rules.bonuses)


@pytest.mark.parametrize(
    "sheet", [s for s in registry.ALL_SHEETS if s.rules.brisques.points], ids=lambda sheet: sheet.id
)
def test_brisques_of_a_deal_come_to_80_points_a_pack(sheet: RuleSheet) -> None:
    """The arithmetic of C9: eight aces and tens a pack, ten points each."""
    assert 4 * len(sheet.rules.brisques.ranks) * sheet.rules.brisques.points == 80
