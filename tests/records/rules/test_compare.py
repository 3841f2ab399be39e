"""Sheets side by side: everything in each sheet is shown, and differences are marked."""

from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from records.rules import registry
from records.rules.compare import Comparison, compare_rule_sheets, meld_keys_of
from records.rules.english_melds import cards_in_words
from records.rules.own_sheet import read_sheet_at
from records.rules.registry import get_sheet, resolve_sheet
from records.rules.vocabulary import ChoiceOption, RuleSheet
from tests.records.rules.changed_sheets import read_pattern, with_rules
from tests.records.rules.test_points import MELD_ROWS
from tests.records.rules.test_points import melds_of as melds_of_row

ALL = registry.ALL_SHEETS
by_sheet = pytest.mark.parametrize("sheet", ALL, ids=lambda sheet: sheet.id)


def column(comparison: Comparison, sheet_id: str) -> dict[tuple[str, str, str], str]:
    """What one sheet says, by article, property and detail."""
    place = [sheet.id for sheet in comparison.sheets].index(sheet_id)
    return {
        (group.article, row.name, row.detail): row.cells[place].text
        for group in comparison.groups
        for row in group.rows
    }


def said(sheet: RuleSheet) -> list[list[str]]:
    return [
        [row.name, *(cell.text for cell in row.cells)]
        for group in compare_rule_sheets([sheet]).groups
        for row in group.rows
    ]


def test_every_sheet_is_a_column_and_every_row_has_a_cell_for_each() -> None:
    found = compare_rule_sheets(ALL)
    assert [(sheet.id, sheet.name) for sheet in found.sheets] == [(s.id, s.name) for s in ALL]
    assert all(len(row.cells) == len(ALL) for group in found.groups for row in group.rows)


@by_sheet
def test_every_meld_of_a_sheet_stands_in_its_column_with_its_points(sheet: RuleSheet) -> None:
    """The points are those typed from the rulebooks a second time."""
    told = column(compare_rule_sheets(ALL), sheet.id)
    points = {detail: text.split(" (")[0].replace(",", "")
              for (article, _, detail), text in told.items() if article == "melds" and detail}  # fmt: skip
    rows = [row for row in MELD_ROWS if row["sheet"] == sheet.id]
    assert rows
    for row in rows:
        (meld,) = melds_of_row(row)
        assert points.pop(cards_in_words(meld.cards, sheet.rules), row["value"]) == row["value"]
    assert set(points.values()) == {"–"}


@by_sheet
def test_every_option_of_a_sheet_is_listed_with_its_default(sheet: RuleSheet) -> None:
    told = column(compare_rule_sheets(ALL), sheet.id)
    listed = {name: text for (article, name, _), text in told.items() if article == "options"}
    for option in sheet.options:
        assert listed[option.name] == str(option.default).lower()
    assert [text for text in listed.values() if text != "–"] == [
        listed[name] for name in listed if name in {option.name for option in sheet.options}
    ]


@by_sheet
def test_whatever_an_option_changes_is_compared(sheet: RuleSheet) -> None:
    for option in sheet.options:
        values = (
            list(option.permitted)
            if isinstance(option, ChoiceOption)
            else [option.least, option.most]
        )
        for value in values:
            changed = resolve_sheet(sheet.id, None, {option.name: value}).sheet
            assert (said(changed) == said(sheet)) == (value == option.default), option.name


NAMES = {
    "Phase.until", "Pack.row", "MeldRule.cards", "MeldRule.level", "MeldRule.sets", "Phase.must_play",
    "Reuse.forbids", "RuleSheet.edition", "SheetRules.bezique_cards", "TrickPlay.takes", "PaidPoints.winner_total", "PaidPoints.loser_total",
    "PaidPoints.least_difference", "PaidPoints.for_brisques", "PaidPoints.loser_below_100",
}  # fmt: skip
"""Members that name or order things (they are headings and rows, not cells), and those that say another member in full;
which cards are a bezique is changed by an option above.

Words that are no enumeration are names or of one value only, and none is changed.
"""
BOOKS = ("options", "articles", "laws", "sources")


def variants(part: Any) -> Iterator[tuple[str, Any]]:
    """The part with one member after the other changed, by the member's name."""
    for field in part.__struct_fields__:
        value = getattr(part, field)
        name = f"{type(part).__name__}.{field}"
        if name in NAMES or field in BOOKS:
            continue
        if isinstance(value, msgspec.Struct):
            for inner, changed in variants(value):
                yield inner, replace(part, **{field: changed})
        elif isinstance(value, tuple) and value and isinstance(value[0], msgspec.Struct):
            for i, item in enumerate(value):
                for inner, changed in variants(item):
                    parts = (*value[:i], changed, *value[i + 1 :])
                    yield inner, replace(part, **{field: parts})
        elif (other := another(value)) is not None:
            yield name, replace(part, **{field: other})


def another(value: Any) -> Any:
    """Another value of the same sort; none for what has none."""
    match value:
        case bool():
            return not value
        case int():
            return value + 7
        case Enum():
            members = list(type(value))
            return members[(members.index(value) + 1) % len(members)]
        case tuple():
            return value[:-1] if len(value) > 1 else None
        case dict():
            return {key: another(inner) or inner for key, inner in value.items()} or None
    return None


def test_every_word_of_the_vocabulary_is_compared() -> None:
    """Whatever field is changed in whatever sheet, some sheet's column says so."""
    seen: dict[str, bool] = {}
    for sheet in ALL:
        before = said(sheet)
        for name, changed in variants(sheet):
            seen[name] = seen.get(name, False) or said(changed) != before
    assert [name for name, shown in seen.items() if not shown] == []
    assert {"Phase.follow", "Pack.copies", "RaceTo.target", "TableauRule.zetemas"} <= set(seen)


def test_a_sheet_that_is_added_is_a_column_too() -> None:
    """Nothing is written down beforehand: a sheet nobody has heard of is compared like the others."""
    new = replace(with_rules(get_sheet("zique"), hand={2: 11}), id="new", name="New")
    found = compare_rule_sheets([*ALL, new])
    assert column(found, "new")["deal", "cards dealt to each", ""] == "11"


def test_who_melds_is_told() -> None:
    rulebooks = Path(__file__).parents[3] / "samples" / "rulebooks"
    partners = read_sheet_at(rulebooks / "bezique-four-partners.toml")
    sheets = [get_sheet("bezique"), get_sheet("zetema"), partners]
    told = [column(compare_rule_sheets(sheets), sheet.id) for sheet in sheets]
    assert [each["melds", "who melds", ""] for each in told] == [
        "the winner of a trick", "a player, in turn", "the winner of a trick or a partner",
    ]  # fmt: skip


# what is marked


def marked(comparison: Comparison, article: str, name: str) -> list[str]:
    row = next(
        row for group in comparison.groups if group.article == article
        for row in group.rows if row.name == name
    )  # fmt: skip
    return [
        sheet.id for sheet, cell in zip(comparison.sheets, row.cells, strict=True) if cell.differs
    ]


def test_what_differs_from_most_is_marked() -> None:
    found = compare_rule_sheets(
        [get_sheet(name) for name in ("bezique", "zique", "polish-bezique", "marjolet")]
    )
    assert marked(found, "deal", "packs") == ["marjolet"]
    assert marked(found, "deal", "players") == []
    assert marked(found, "close", "the reply to a card led") == ["zique"]


def test_where_as_many_say_one_thing_as_another_all_are_marked() -> None:
    found = compare_rule_sheets([get_sheet("bezique"), get_sheet("marjolet")])
    assert marked(found, "deal", "packs") == ["bezique", "marjolet"]


def test_a_sheet_that_all_are_compared_with_stands_first() -> None:
    found = compare_rule_sheets(ALL, against="marjolet")
    assert (found.sheets[0].id, found.against) == ("marjolet", "marjolet")
    assert not any(row.cells[0].differs for group in found.groups for row in group.rows)
    assert marked(found, "deal", "packs") == [
        sheet.id for sheet in ALL if sheet.rules.pack.packs != 1 or sheet.rules.pack.doubled_suits
    ]


def test_another_word_for_a_meld_is_told_and_not_marked() -> None:
    found = compare_rule_sheets(
        [get_sheet("bezique"), get_sheet("polish-bezique"), get_sheet("zique")]
    )
    cells = column(found, "zique")
    assert cells["melds", "bezique", "queen of spades and jack of diamonds"] == "50 (zique)"
    assert cells["melds", "royal marriage", "king and queen of trumps"] == "40"
    assert marked(found, "melds", "royal marriage") == []
    assert marked(found, "melds", "bezique") == ["zique"]


def test_only_what_differs() -> None:
    sheets = [get_sheet("rubicon-bezique"), get_sheet("rubicon-bezique-recommended")]
    found = compare_rule_sheets(sheets, only_differing=True)
    assert [(group.article, row.name) for group in found.groups for row in group.rows] == [
        ("melds", "double bezique"), ("melds", "triple bezique"), ("melds", "quadruple bezique"),
    ]  # fmt: skip
    assert (
        compare_rule_sheets([sheets[0], replace(sheets[0], id="same")], only_differing=True).groups
        == ()
    )


def test_what_no_sheet_has_is_left_out() -> None:
    articles = {
        group.article
        for group in compare_rule_sheets([get_sheet("bezique"), get_sheet("zique")]).groups
    }
    assert "tableau" not in articles
    assert "cut" not in articles


def test_a_meld_stands_where_its_sheets_have_it() -> None:
    order = meld_keys_of([get_sheet("bezique"), get_sheet("bezique-enhanced")])
    assert (
        order.index(("sequence", read_pattern("Ap Tp Kp Qp Jp")))
        == order.index(("sequence", read_pattern("At Tt Kt Qt Jt"))) + 1
    )
    assert len(order) == len(set(order))
