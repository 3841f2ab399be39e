"""The clauses of a rule of reuse forbid a choice of copies exactly if the rule does."""

from itertools import product
from random import Random

import pytest

from records.engine.copies import (
    LAID_BIT,
    MOVED_BIT,
    NEW_BIT,
    USED_BIT,
    Reading,
    reading_with_trace,
)
from records.engine.reuse import CLAUSES_IN_ORDER, prohibitions_of, reuse_rule_of, single_bits
from records.rules.compiled import CompiledSheet, compile_sheet
from records.rules.registry import ALL_SHEETS, resolve_sheet
from records.rules.vocabulary import MeldRule
from records.validate.codes import FINDING_CODES

TRIES = 150
OPTIONS = {
    "singles_then_double": (True, False),
    "double_then_single": (True, False),
    "sequence_then_marriage": (True, False),
    "card_leaves_by": ("played_or_melded", "played"),
    "polish_once_ever": (True, False),
}
WAYS = [
    (sheet.id, dict(zip(names, values, strict=True)))
    for sheet in ALL_SHEETS
    if sheet.rules.tableau is None
    for names in [[option.name for option in sheet.options if option.name in OPTIONS]]
    for values in product(*[OPTIONS[name] for name in names])
]


def marked(rules: CompiledSheet, scored: list[tuple[str, int]], luck: Random) -> int:
    """A mark such as copies have, and some that none has."""
    mark = LAID_BIT
    for index, (kind, _) in enumerate(scored):
        if luck.random() < 0.5:
            mark |= rules.lasting_bit[kind]
            mark |= 1 << (rules.first_set_bit + index) if rules.counts_sets else 0
    if rules.melds_captured:
        mark |= luck.choice([0, NEW_BIT, USED_BIT])
    elif rules.forgotten_bits and luck.random() < 0.3:
        mark |= MOVED_BIT
    return luck.choice([NEW_BIT if rules.melds_captured else 0, mark])


def some_reading(
    rules: CompiledSheet, scored: list[tuple[str, int]], cards: list[str], luck: Random
) -> tuple[Reading, Reading]:
    """The cards of a meld in one reading, and the reading: like cards and others beside them."""
    pairs = [(card, marked(rules, scored, luck)) for card in [*cards, *cards, "7D"]]
    chosen = tuple(sorted(pairs[: len(cards)]))
    reading = sorted(pair for pair in pairs if pair[1])
    if rules.traced_bits:
        sets = [1 << (rules.first_set_bit + index) for index in range(len(scored))]
        reading = list(reading_with_trace(reading, sum(luck.sample(sets, luck.randrange(2)))))
    return chosen, tuple(reading)


def melds_of(rules: CompiledSheet) -> list[tuple[MeldRule, list[str]]]:
    return [(row, list(faces)) for faces, rows in rules.melds("H").items() for row in rows]


@pytest.mark.parametrize(("sheet", "options"), WAYS, ids=str)
def test_some_clause_forbids_what_the_rule_forbids_and_nothing_else(sheet, options):
    rules = compile_sheet(resolve_sheet(sheet, None, options).sheet)
    luck = Random(f"{sheet} {options}")
    melds, answers = melds_of(rules), []
    for _ in range(TRIES):
        row, cards = luck.choice(melds)
        family = [other for other, _ in melds if other.family == row.family]
        earlier = luck.choices(family, k=3) + luck.choices([other for other, _ in melds], k=1)
        scored = [(other.kind, luck.choice([2, len(cards)])) for other in earlier]
        allows = reuse_rule_of(row, rules, scored)
        chosen, reading = some_reading(rules, scored, cards, luck)
        clauses = prohibitions_of(allows, chosen, reading)
        assert allows(chosen, reading) == (not clauses), (row.name, chosen, reading, clauses)
        assert clauses.keys() <= set(CLAUSES_IN_ORDER)
        answers.append(bool(clauses))
    assert set(answers) == {True, False}


def test_every_clause_has_its_words():
    words = FINDING_CODES["meld-reuses-cards"].clauses
    assert words.keys() == {*CLAUSES_IN_ORDER, "copies", "captured"}


def test_no_clause_speaks_where_anything_may_come_again():
    assert prohibitions_of(lambda chosen, reading: True, (("KS", 1),), (("KS", 1),)) == {}
    assert list(single_bits(0b10110)) == [0b10, 0b100, 0b10000]
