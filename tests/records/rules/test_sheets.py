"""Rule sheets are complete, and no code names one."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from records.events import MELD_NAMES, SCORE_NAMES
from records.rules import registry
from records.rules.compiled import card_sets_for
from records.rules.english import ARTICLES, explain_sheet
from records.rules.vocabulary import REUSE_RULES, ChoiceOption, PhaseStep, RuleSheet, Until

ROOT = Path(__file__).parents[3]
NAMED_IN_ORDER = ROOT / "records/rules/registry.py"
"""The one module that names the sheets: in which order they are told."""
RULINGS = (ROOT / "records/spec/rulings.md").read_text()
HEADINGS = set(re.findall(r"^### (\S+)$", RULINGS, flags=re.MULTILINE))


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(), str(path))


def program_files() -> Iterator[Path]:
    for package in ("records", "analyzer", "webui"):
        for path in sorted((ROOT / package).rglob("*.py")):
            if path != NAMED_IN_ORDER:
                yield path


by_sheet = pytest.mark.parametrize("sheet", registry.ALL_SHEETS, ids=lambda sheet: sheet.id)


def test_every_file_is_a_sheet_and_no_two_are_one() -> None:
    ids = [sheet.id for sheet in registry.ALL_SHEETS]
    assert sorted(ids) == sorted(path.stem for path in registry.SHEETS_FOLDER.iterdir())
    assert len(set(ids)) == len(ids)


@by_sheet
def test_a_sheet_rests_on_a_known_law_of_reuse(sheet: RuleSheet) -> None:
    assert sheet.rules.reuse.law in REUSE_RULES
    assert sheet.cited("reuse").startswith(sheet.rules.reuse.law)


@by_sheet
def test_the_default_of_a_choice_changes_nothing(sheet: RuleSheet) -> None:
    for option in sheet.options:
        if isinstance(option, ChoiceOption):
            unchanged = [each.value for each in option.values if not each.changes]
            assert unchanged == [option.default]
            assert len({type(value) for value in option.permitted}) == 1


@by_sheet
def test_options_have_different_names(sheet: RuleSheet) -> None:
    names = [option.name for option in sheet.options]
    assert len(set(names)) == len(names)


@by_sheet
def test_names_are_those_of_the_format(sheet: RuleSheet) -> None:
    assert {meld.name for meld in sheet.rules.melds} <= set(MELD_NAMES)
    assert {bonus.name for bonus in sheet.rules.bonuses} <= set(SCORE_NAMES)


@by_sheet
def test_no_set_of_cards_is_two_melds_of_one_name(sheet: RuleSheet) -> None:
    for trump in ("S", "H", "D", "C"):
        seen = [
            (meld.name, cards)
            for meld in sheet.rules.melds
            for cards in card_sets_for(meld, trump, sheet.rules)
        ]
        assert len(seen) == len(set(seen))


@by_sheet
def test_every_meld_fits_into_a_hand(sheet: RuleSheet) -> None:
    held = [meld for meld in sheet.rules.melds if meld.name != "marriages"]
    assert all(meld.cards.size <= max(sheet.rules.hand.values()) for meld in held)


@by_sheet
def test_a_family_climbs_by_kind(sheet: RuleSheet) -> None:
    """A kind has one family and one level; above the first a level has one kind."""
    places = {(meld.family, meld.level, meld.kind) for meld in sheet.rules.melds}
    assert len(places) == len({meld.kind for meld in sheet.rules.melds})
    above = [(family, level) for family, level, _ in places if level > 1]
    assert len(above) == len(set(above))


@by_sheet
def test_phases_go_from_the_stock_to_the_last_card(sheet: RuleSheet) -> None:
    assert [phase.name for phase in sheet.rules.phases] == ["stock", "close"]
    assert [phase.until for phase in sheet.rules.phases] == [Until.STOCK_EMPTY, Until.HANDS_EMPTY]
    assert PhaseStep.DRAW not in sheet.rules.phases[-1].steps


@by_sheet
def test_the_stock_runs_out_evenly(sheet: RuleSheet) -> None:
    """Two draw after each trick, and the turn-up is drawn last: the rest of the pack is even."""
    pack = 4 * len(sheet.rules.pack.ranks) * sheet.rules.pack.packs
    assert (pack - 2 * sheet.rules.hand[2]) % 2 == 0


@by_sheet
def test_every_article_has_its_law(sheet: RuleSheet) -> None:
    spoken = {section.article for section in explain_sheet(sheet).sections}
    assert spoken == {each.id for each in sheet.articles} <= {name for name, _, _ in ARTICLES}
    assert all(each.laws or each.sources for each in sheet.articles)


@by_sheet
def test_every_law_and_ruling_is_written_down(sheet: RuleSheet) -> None:
    told = " ".join([*cited(sheet), *(option.law for option in sheet.options)])
    numbers = set(re.findall(r"\b(?:[CAZ]-?\d+[a-d]?|R-[A-Z0-9]+)\b", told))
    assert numbers
    assert numbers <= HEADINGS


@by_sheet
def test_every_option_and_source_is_written_down(sheet: RuleSheet) -> None:
    assert all(f"`{option.name}`" in RULINGS for option in sheet.options)
    tags = {source.tag for source in sheet.sources}
    assert tags
    assert all(f"| [{tag}] |" in RULINGS for tag in tags)


@by_sheet
def test_every_source_of_a_law_is_a_source_of_the_sheet(sheet: RuleSheet) -> None:
    named = {tag for each in sheet.articles for tag in (*each.sources, *each.points_from)}
    assert named <= {source.tag for source in sheet.sources}


def cited(sheet: RuleSheet) -> list[str]:
    return [each.cited for each in sheet.articles]


def docstrings(module: ast.Module) -> set[ast.Constant]:
    return {
        node.value
        for node in ast.walk(module)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def texts(path: Path) -> Iterator[ast.Constant]:
    """The string constants of a module that are not documentation."""
    module = tree(path)
    documentation = docstrings(module)
    constants = [node for node in ast.walk(module) if isinstance(node, ast.Constant)]
    for node in constants:
        if isinstance(node.value, str) and node not in documentation:
            yield node


@pytest.mark.slow
def test_no_sheet_is_named_outside_the_sheets() -> None:
    """Ids that are words of the format as well (a meld, a score) are the next test's business."""
    ids = {sheet.id for sheet in registry.ALL_SHEETS} - set(MELD_NAMES) - set(SCORE_NAMES)
    named = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.value}"
        for path in program_files()
        for node in texts(path)
        if node.value in ids
    ]
    assert named == []


@pytest.mark.long
def test_nobody_asks_which_sheet_it_is() -> None:
    """No `sheet.id == "..."`, in whatever form."""
    asked = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in program_files()
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Compare) and compares_an_id(node)
    ]
    assert asked == []


def compares_an_id(node: ast.Compare) -> bool:
    sides = [node.left, *node.comparators]
    has_id = any(isinstance(side, ast.Attribute) and side.attr == "id" for side in sides)
    return has_id and any(
        isinstance(part, ast.Constant) for side in sides for part in ast.walk(side)
    )
