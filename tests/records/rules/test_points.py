"""Double entry: `points.csv` was typed from the rulebooks, with hearts as trumps."""

import csv
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from records.rules import registry
from records.rules.compiled import card_sets_for, fits_shape, parse_pattern
from records.rules.vocabulary import (
    BrisqueCount,
    MeldRule,
    OneDeal,
    RaceTo,
    RuleSheet,
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
    if parse_pattern(meld.cards).shape:
        return fits_shape(meld, cards, sheet.pack)
    return cards in card_sets_for(meld, TRUMP, sheet.bezique_cards, sheet.pack)


def melds_of(row: dict[str, str]) -> list[MeldRule]:
    """The melds of the sheet that these cards are, under the name of the row."""
    sheet = registry.get_sheet(row["sheet"])
    cards = tuple(sorted(row["cards"].split()))
    return [meld for meld in sheet.melds if meld.name == row["item"] and is_one(meld, cards, sheet)]


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
    assert typed == Counter((meld.name, meld.cards) for meld in sheet.melds)


def bonus(sheet: RuleSheet, when: When, to: To) -> int:
    return sum(found.points for found in sheet.bonuses if (found.when, found.to) == (when, to))


def brisque(sheet: RuleSheet, rank: str) -> int:
    found = sheet.brisques
    return found.points if found.count is BrisqueCount.AT_THE_END and rank in found.ranks else 0


def turned_seven(sheet: RuleSheet) -> int:
    assert isinstance(sheet.trumps, TurnUp)
    return sheet.trumps.dealer_seven


def target(sheet: RuleSheet) -> int:
    assert isinstance(sheet.game, RaceTo)
    return sheet.game.target


def zetema_of(rank: str) -> Callable[[RuleSheet], int]:
    return lambda sheet: sheet.tableau.zetemas[rank] if sheet.tableau else 0


ZETEMAS = ("kings", "queens", "jacks", "aces", "fives", "tens", "twos")
ITEMS: dict[str, Callable[[RuleSheet], int]] = {
    "cards in the pack": lambda sheet: (
        len(sheet.pack.ranks) * (4 * sheet.pack.copies + len(sheet.pack.doubled_suits))
    ),
    "cards dealt": lambda sheet: sheet.hand[2],
    "cards dealt to six": lambda sheet: sheet.hand[6],
    "exact cut": lambda sheet: sheet.cut.dealer_points if sheet.cut else 0,
    "right guess": lambda sheet: sheet.cut.guess_points if sheet.cut else 0,
    "carte blanche": lambda sheet: sheet.carte_blanche.points if sheet.carte_blanche else 0,
    "melds after a trick": lambda sheet: sheet.phases[0].melds,
    "brisque when counted": lambda sheet: sheet.brisques.points,
    "rubicon": lambda sheet: sheet.game.rubicon if isinstance(sheet.game, OneDeal) else 0,
    "game for four": lambda sheet: sheet.game.many_target if isinstance(sheet.game, RaceTo) else 0,
    "marriage in spades": lambda sheet: sheet.tableau.imperial_points if sheet.tableau else 0,
    **{f"zetema of {name}": zetema_of(rank) for rank, name in zip("KQJA5T2", ZETEMAS, strict=True)},
    "turned seven": turned_seven,
    "dix": lambda sheet: sheet.dix.points if sheet.dix else 0,
    "tenth trick to the loser": lambda sheet: bonus(sheet, When.LAST_STOCK_TRICK, To.LOSER),
    "tenth trick to the winner": lambda sheet: bonus(sheet, When.LAST_STOCK_TRICK, To.WINNER),
    "last trick": lambda sheet: bonus(sheet, When.LAST_TRICK, To.WINNER),
    "all last tricks": lambda sheet: bonus(sheet, When.ALL_CLOSED_TRICKS, To.WINNER),
    "each ace": lambda sheet: brisque(sheet, "A"),
    "each ten": lambda sheet: brisque(sheet, "T"),
    "melds after the close": lambda sheet: sheet.phases[-1].melds,
    "game": target,
}


@pytest.mark.parametrize("row", OTHER_ROWS, ids=named)
def test_everything_else_is_what_the_book_says(row: dict[str, str]) -> None:
    assert ITEMS[row["item"]](registry.get_sheet(row["sheet"])) == int(row["value"])


@pytest.mark.parametrize("sheet", registry.ALL_SHEETS, ids=lambda sheet: sheet.id)
def test_the_books_have_no_bonus_more(sheet: RuleSheet) -> None:
    typed = {row["item"] for row in OTHER_ROWS if row["sheet"] == sheet.id}
    tricks = {item for item in typed if item.startswith(("tenth", "last", "all last"))}
    assert len(tricks) == len(sheet.bonuses)


@pytest.mark.parametrize(
    "sheet", [s for s in registry.ALL_SHEETS if s.brisques.points], ids=lambda sheet: sheet.id
)
def test_brisques_of_a_deal_come_to_80_points_a_pack(sheet: RuleSheet) -> None:
    """The arithmetic of C9: eight aces and tens a pack, ten points each."""
    assert 4 * len(sheet.brisques.ranks) * sheet.brisques.points == 80
