"""Rule sheets are complete data in the order of their rulebooks, and no other code names one."""

import ast
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from records.events import MELD_NAMES, SCORE_NAMES
from records.rules import registry
from records.rules.compiled import card_sets_for, parse_pattern
from records.rules.english import ARTICLES, explain_sheet
from records.rules.vocabulary import ChoiceOption, PhaseStep, RuleSheet, Until

ROOT = Path(__file__).parents[3]
SHEETS = sorted((ROOT / "records/rules/sheets").glob("[a-z]*.py"))
RULINGS = (ROOT / "records/spec/rulings.md").read_text()
HEADINGS = set(re.findall(r"^### (\S+)$", RULINGS, flags=re.MULTILINE))
LOGIC = (
    ast.If, ast.IfExp, ast.For, ast.While, ast.FunctionDef, ast.Lambda, ast.ClassDef, ast.BoolOp,
    ast.Compare, ast.BinOp, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Match,
    ast.Try, ast.With, ast.Starred, ast.Subscript,
)  # fmt: skip


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(), str(path))


def program_files() -> Iterator[Path]:
    """Every module but the sheets themselves."""
    for package in ("records", "analyzer", "webui"):
        for path in sorted((ROOT / package).rglob("*.py")):
            if path not in SHEETS:
                yield path


by_name = pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
by_sheet = pytest.mark.parametrize("sheet", registry.ALL_SHEETS, ids=lambda sheet: sheet.id)


@by_name
def test_a_sheet_has_no_logic(path: Path) -> None:
    assert [type(node).__name__ for node in ast.walk(tree(path)) if isinstance(node, LOGIC)] == []


@by_name
def test_a_sheet_imports_the_vocabulary_only(path: Path) -> None:
    imported = [
        node.module if isinstance(node, ast.ImportFrom) else "import"
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    assert imported == ["records.rules.vocabulary"]


@by_name
def test_a_sheet_is_one_value_on_one_screen(path: Path) -> None:
    docstring, imports, value = tree(path).body
    assert isinstance(docstring, ast.Expr)
    assert isinstance(imports, ast.ImportFrom)
    assert isinstance(value, ast.Assign)
    assert 50 <= len(path.read_text().splitlines()) <= 110


@by_name
def test_a_sheet_writes_every_field_in_the_order_of_the_vocabulary(path: Path) -> None:
    value = tree(path).body[-1]
    assert isinstance(value, ast.Assign)
    assert isinstance(value.value, ast.Call)
    written = [keyword.arg for keyword in value.value.keywords]
    assert written == [field.name for field in fields(RuleSheet)]


def test_every_sheet_is_registered_once() -> None:
    ids = [sheet.id for sheet in registry.ALL_SHEETS]
    assert sorted(ids) == sorted(path.stem.replace("_", "-") for path in SHEETS)
    assert len(set(ids)) == len(ids)


@by_sheet
def test_names_that_an_option_can_address_are_never_fields_too(sheet: RuleSheet) -> None:
    names = {part.name for parts in (sheet.phases, sheet.bonuses, sheet.melds) for part in parts}
    assert not names & {field.name for field in fields(RuleSheet)}


@by_sheet
def test_the_default_of_a_choice_changes_nothing(sheet: RuleSheet) -> None:
    for option in sheet.options:
        if isinstance(option, ChoiceOption):
            unchanged = [value for value, changes in option.values.items() if not changes]
            assert unchanged == [option.default]
            assert len({type(value) for value in option.values}) == 1


@by_sheet
def test_options_have_different_names(sheet: RuleSheet) -> None:
    names = [option.name for option in sheet.options]
    assert len(set(names)) == len(names)


@by_sheet
def test_names_are_those_of_the_format(sheet: RuleSheet) -> None:
    assert {meld.name for meld in sheet.melds} <= set(MELD_NAMES)
    assert {bonus.name for bonus in sheet.bonuses} <= set(SCORE_NAMES)


@by_sheet
def test_no_set_of_cards_is_two_melds_of_one_name(sheet: RuleSheet) -> None:
    for trump in ("S", "H", "D", "C"):
        seen = [
            (meld.name, cards)
            for meld in sheet.melds
            for cards in card_sets_for(meld, trump, sheet.bezique_cards, sheet.pack)
        ]
        assert len(seen) == len(set(seen))


@by_sheet
def test_every_meld_fits_into_a_hand(sheet: RuleSheet) -> None:
    held = [meld for meld in sheet.melds if meld.name != "marriages"]
    assert all(parse_pattern(meld.cards).size <= max(sheet.hand.values()) for meld in held)


@by_sheet
def test_a_family_climbs_by_kind(sheet: RuleSheet) -> None:
    """A kind has one family and one level; above the first a level has one kind."""
    places = {(meld.family, meld.level, meld.kind) for meld in sheet.melds}
    assert len(places) == len({meld.kind for meld in sheet.melds})
    above = [(family, level) for family, level, _ in places if level > 1]
    assert len(above) == len(set(above))


@by_sheet
def test_phases_go_from_the_stock_to_the_last_card(sheet: RuleSheet) -> None:
    assert [phase.name for phase in sheet.phases] == ["stock", "close"]
    assert [phase.until for phase in sheet.phases] == [Until.STOCK_EMPTY, Until.HANDS_EMPTY]
    assert PhaseStep.DRAW not in sheet.phases[-1].steps


@by_sheet
def test_the_stock_runs_out_evenly(sheet: RuleSheet) -> None:
    """Two draw after each trick, and the turn-up is drawn last: the rest of the pack is even."""
    pack = 4 * len(sheet.pack.ranks) * sheet.pack.copies
    assert (pack - 2 * sheet.hand[2]) % 2 == 0


@by_sheet
def test_every_article_has_its_law(sheet: RuleSheet) -> None:
    spoken = {section.article for section in explain_sheet(sheet).sections}
    assert spoken <= set(sheet.laws) <= {name for name, _, _ in ARTICLES}


@by_sheet
def test_every_law_and_ruling_is_written_down(sheet: RuleSheet) -> None:
    told = " ".join([*sheet.laws.values(), *(option.ruling for option in sheet.options)])
    numbers = set(re.findall(r"\b(?:[CAZ]-?\d+[a-d]?|R-[A-Z0-9]+)\b", told))
    assert numbers
    assert numbers <= HEADINGS


@by_sheet
def test_every_option_and_source_is_written_down(sheet: RuleSheet) -> None:
    assert all(f"`{option.name}`" in RULINGS for option in sheet.options)
    tags = set(re.findall(r"\[\w+\]", " ".join([*sheet.sources, *sheet.laws.values()])))
    assert tags
    assert all(f"| {tag} |" in RULINGS for tag in tags)


@by_sheet
def test_every_source_of_a_law_is_a_source_of_the_sheet(sheet: RuleSheet) -> None:
    cited = set(re.findall(r"\[\w+\]", " ".join(sheet.laws.values())))
    assert cited <= set(re.findall(r"\[\w+\]", " ".join(sheet.sources)))


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
