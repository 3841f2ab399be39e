"""Which combination some cards form, and what it is worth, as far as the record shows the cards (law Z3)."""

from functools import lru_cache

from records.cards import is_unknown
from records.engine.hidden_cards import full_hand_size, may_be_among
from records.engine.table import Table
from records.engine.zetema.marriages import MOST_MARRIED, sets_of_pairs
from records.events import Meld
from records.rules import vocabulary as v
from records.rules.compiled import meld_requirements
from records.rules.patterns import in_a_row, parse_pattern


def find_combination(table: Table, event: Meld) -> v.MeldRule | None:
    """The combination that these cards form under this name, if they do; of several possible ones the cheapest."""
    if not any(map(is_unknown, event.cards)):
        return table.rules.combination(full_hand_size(table), event.meld, tuple(event.cards))
    rows = [row for row, _ in _possible(table, event)]
    return min(rows, key=lambda row: row.points, default=None)


def combination_points(table: Table, row: v.MeldRule, cards: list[str] | tuple[str, ...]) -> int:
    """A combination's points, with the extra for marriages of the doubled suit (A-41)."""
    tableau = table.rules.sheet.tableau
    pairs = len(cards) // 2
    if tableau is None or row.name != "marriages" or pairs >= tableau.imperial_below:
        return row.points
    doubled = sum(card[1] in table.rules.sheet.pack.doubled_suits for card in cards) // 2
    return row.points + doubled * tableau.imperial_points


def possible_points(table: Table, event: Meld, row: v.MeldRule) -> list[int]:
    """All that a combination found can be worth, the least first; of cards that the record shows it is one number."""
    if not any(map(is_unknown, event.cards)):
        return [combination_points(table, row, event.cards)]
    return sorted({combination_points(table, row, cards) for row, cards in _possible(table, event)})


PossibleCombination = tuple[v.MeldRule, tuple[str, ...]]
"""A combination that cards may form, and the cards as far as they matter for its points."""


def _possible(table: Table, event: Meld) -> tuple[PossibleCombination, ...]:
    """What cards that are not all known may form under the name given."""
    full, cards = full_hand_size(table), tuple(event.cards)
    if len(cards) > MOST_MARRIED:
        return ()
    if event.meld == "marriages":
        return tuple(
            (row, pairs)
            for pairs in sets_of_pairs(table, cards)
            for row in table.rules.combinations(full, pairs)
        )
    return _formed_by(table.rules.sheet, full, event.meld, cards)


@lru_cache(maxsize=4096)
def _formed_by(
    sheet: v.RuleSheet, full: int, name: str, cards: tuple[str, ...]
) -> tuple[PossibleCombination, ...]:
    listed = [
        (row, cards)
        for needed, row in meld_requirements(sheet, None)
        if row.name == name and _may_be(cards, [face for face, n in needed for _ in range(n)])
    ]
    shaped = [
        (row, cards)
        for row in sheet.melds
        if row.name == name and _may_have_shape(row, cards, full, sheet.pack)
    ]
    return tuple(listed + shaped)


def _may_be(cards: tuple[str, ...], faces: list[str]) -> bool:
    return len(cards) == len(faces) and may_be_among(cards, faces)


def _may_have_shape(row: v.MeldRule, cards: tuple[str, ...], full: int, pack: v.Pack) -> bool:
    pattern, size = parse_pattern(row.cards), len(cards)
    if not pattern.shape or size != min(pattern.size, full):
        return False
    ranks = [card[0] for card in cards if card[0] != "?"]
    suits = [card[1] for card in cards if card[1] != "?"]
    starts = range(len(pack.runs) - size + 1)
    run = len(set(ranks)) == len(ranks) and any(
        set(ranks) <= set(pack.runs[start : start + size]) for start in starts
    )
    no_run = len(ranks) < size or not in_a_row(cards, pack.runs)
    one_suit, more_suits = len(set(suits)) <= 1, len(suits) < size or len(set(suits)) > 1
    return (run if pattern.run else no_run) and (one_suit if pattern.suit else more_suits)
