"""The sets of cards of melds, checked by combinatorics; the cards are written as patterns: `4 * Ax`, `Kt Qt`."""

from itertools import combinations_with_replacement
from math import comb

import pytest
from msgspec.structs import replace

from records.rules.compiled import SortedFaces, bezique_faces, card_sets_for, fits_shape
from records.rules.registry import ALL_SHEETS, get_sheet, resolve_sheet
from records.rules.vocabulary import MeldRule, RuleSheet, ShapedCards, SheetRules
from tests.records.rules.changed_sheets import pattern_text, read_pattern

FIXED = get_sheet("bezique").rules
BY_TRUMP = resolve_sheet("bezique", None, {"bezique_cards": "by_trump"}).sheet.rules
ZETEMA = get_sheet("zetema").rules


def meld(cards: str) -> MeldRule:
    return MeldRule("any", "any", 0, read_pattern(cards), "any", "any", 1, None)


def packs(copies: int, rules: SheetRules = FIXED) -> SheetRules:
    of_suits = dict.fromkeys(rules.pack.copies, copies)
    return replace(rules, pack=replace(rules.pack, copies=of_suits))


def found(
    cards: str,
    trump: str | None = "H",
    copies: int = 2,
    rules: SheetRules = FIXED,
    *,
    makes_trumps: bool = False,
) -> tuple[SortedFaces, ...]:
    return card_sets_for(meld(cards), trump, packs(copies, rules), makes_trumps=makes_trumps)


@pytest.mark.parametrize("sheet", ALL_SHEETS, ids=lambda sheet: sheet.id)
def test_patterns_say_what_the_sheets_say(sheet: RuleSheet) -> None:
    for row in sheet.rules.melds:
        assert read_pattern(pattern_text(row.cards)) == row.cards


@pytest.mark.parametrize(("text", "size"), [("4 * Ax", 4), ("2 * Qb Jb", 4), ("Kt Qt", 2)])
def test_cards_know_how_many_they_are(text: str, size: int) -> None:
    assert read_pattern(text).size == size


def test_a_royal_marriage_is_one_pair_and_a_common_one_three() -> None:
    assert found("Kt Qt") == (("KH", "QH"),)
    assert found("Kp Qp") == (("KC", "QC"), ("KD", "QD"), ("KS", "QS"))


def test_the_marjolet_goes_with_one_royal_queen_and_three_others() -> None:
    assert found("Jt Qt", "C", 1) == (("JC", "QC"),)
    assert found("Jt Qp", "C", 1) == (("JC", "QD"), ("JC", "QH"), ("JC", "QS"))


@pytest.mark.parametrize(
    ("copies", "count"),
    [
        (1, 1),  # the four suits
        (2, comb(4, 4) + 4 * comb(3, 2) + comb(4, 2)),  # all different; one pair; two pairs: 19
        (4, comb(4 + 4 - 1, 4)),  # any multiset of four from four suits: 35
        (6, comb(4 + 4 - 1, 4)),
    ],
)
def test_four_of_a_kind_in_so_many_packs(copies: int, count: int) -> None:
    assert len(found("4 * Ax", copies=copies)) == count


@pytest.mark.parametrize("copies", [1, 2, 3, 4, 5, 6])
def test_four_of_a_kind_counted_another_way(copies: int) -> None:
    hands = combinations_with_replacement(("QC", "QD", "QH", "QS"), 4)
    assert set(found("4 * Qx", copies=copies)) == {
        hand for hand in hands if all(hand.count(card) <= copies for card in hand)
    }


@pytest.mark.parametrize(("copies", "sets"), [(2, ()), (4, (("AH",) * 4,)), (6, (("AH",) * 4,))])
def test_four_trump_aces_need_four_packs(copies: int, sets: tuple[SortedFaces, ...]) -> None:
    assert found("4 * At", copies=copies) == sets


@pytest.mark.parametrize(("times", "copies", "count"), [(2, 1, 0), (2, 2, 1), (3, 2, 0), (4, 4, 1)])
def test_many_beziques_need_as_many_packs(times: int, copies: int, count: int) -> None:
    assert len(found(f"{times} * Qb Jb", copies=copies)) == count


@pytest.mark.parametrize("trump", [None, "S", "H", "D", "C"])
def test_bezique_is_fixed_whatever_trumps_are(trump: str | None) -> None:
    """Law C11."""
    assert found("Qb Jb", trump) == (("JD", "QS"),)


@pytest.mark.parametrize(
    ("trump", "pair"),
    [(None, ("QS", "JD")), ("S", ("QC", "JH")), ("D", ("QC", "JH")), ("H", ("QS", "JD")),
     ("C", ("QS", "JD"))],
)  # fmt: skip
def test_bezique_by_trump(trump: str | None, pair: tuple[str, str]) -> None:
    """The option of law C11."""
    assert bezique_faces(trump, BY_TRUMP) == pair
    assert found("2 * Qb Jb", trump, rules=BY_TRUMP) == (tuple(sorted(pair * 2)),)


def test_without_trumps_every_suit_is_plain() -> None:
    assert found("Kt Qt", None) == ()
    assert len(found("Kp Qp", None)) == 4
    assert len(found("Ap Tp Kp Qp Jp", None)) == 4


def test_the_first_marriage_scored_is_royal_in_its_own_suit() -> None:
    assert len(found("Kt Qt", None, makes_trumps=True)) == 4
    assert found("Kp Qp", None, makes_trumps=True) == ()
    assert found("4 * Ax", None, makes_trumps=True) == found("4 * Ax", None)


@pytest.mark.parametrize("text", ["Kt Qt", "Kp Qp", "4 * Ax", "Qb Jb"])
def test_once_there_are_trumps_nothing_makes_them(text: str) -> None:
    assert found(text, "D", makes_trumps=True) == found(text, "D")


def test_five_of_a_rank_in_the_pack_with_spades_twice_is_one_set() -> None:
    sets = card_sets_for(meld("5 * Kx"), None, ZETEMA)
    assert sets == (("KC", "KD", "KH", "KS", "KS"),)


def test_ranks_outside_the_pack_make_nothing() -> None:
    assert found("4 * 6x") == ()


def test_sets_are_sorted_and_different() -> None:
    sets = found("4 * Ax")
    assert list(sets) == sorted(set(sets))
    assert all(list(cards) == sorted(cards) for cards in sets)


def test_two_melds_of_one_pattern_are_worked_out_once() -> None:
    one = meld("4 * Jx")
    assert card_sets_for(one, "S", packs(2)) is card_sets_for(replace(one), "S", packs(2))


def zetema(cards: str) -> tuple[SortedFaces, ...]:
    return card_sets_for(meld(cards), None, ZETEMA)


@pytest.mark.parametrize(("pairs", "count"), [(1, 4), (2, 7), (3, 7), (4, 4), (5, 1)])
def test_marriages_at_once(pairs: int, count: int) -> None:
    """Pairs are chosen from five, of which two are alike: C(3, n) + C(3, n-1) + C(3, n-2)."""
    assert count == comb(3, pairs) + comb(3, pairs - 1) + (comb(3, pairs - 2) if pairs > 1 else 0)
    assert len(zetema(f"{pairs} * Km Qm")) == count


def test_an_assembly_is_of_one_rank_of_several() -> None:
    assert len(zetema("5 * [KQ]x")) == 2
    assert len(zetema("5 * [T9876432]x")) == 8
    assert zetema("5 * Jx") == (("JC", "JD", "JH", "JS", "JS"),)


SHAPES = ("6 run", "6 suit", "6 run suit")


def has_shape(text: str, faces: tuple[str, ...], rules: SheetRules = ZETEMA) -> bool:
    shape = read_pattern(text)
    assert isinstance(shape, ShapedCards)
    return fits_shape(shape, faces, rules.pack.row or ())


@pytest.mark.parametrize(
    ("cards", "shape"),
    [
        ("KS QH JS TS 9S 8S", "6 run"),
        ("6D 5D 4D 3D 2D AH", "6 run"),
        ("KS QS JS TS 9S 8S", "6 run suit"),
        ("KS KS JS TS 9S 8S", "6 suit"),
        ("KH QH JH TH 9H 2H", "6 suit"),
        ("KS QH JS TS 9S 7S", None),
        ("KS QS JS TS 9S", None),
        ("KS KH QS JS TS 9S", None),
        ("AS KS QH JS TS 9S", None),
        ("3S 2S AS KS QH JS", None),
    ],
)
def test_six_cards_have_one_shape_or_none(cards: str, shape: str | None) -> None:
    """Rulings A-37, A-39: the ace is low, runs go round no corner, a set has one name."""
    found = [text for text in SHAPES if has_shape(text, tuple(cards.split()))]
    assert found == ([shape] if shape else [])


def test_an_ace_may_be_high_by_option() -> None:
    high = resolve_sheet("zetema", None, {"ace_high": True}).sheet.rules
    assert has_shape("6 run", ("AS", "KS", "QH", "JS", "TS", "9S"), high)
    assert not has_shape("6 run", ("3S", "2S", "AS", "KS", "QH", "JS"), high)
