"""Every list of every published sheet, emptied and doubled: it is refused, or the sheet is told, compared and played."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from records.format.codec import encode
from records.rules import registry
from records.rules.compare import compare_rule_sheets
from records.rules.english import explain_sheet
from records.rules.own_sheet import read_own_sheet
from records.rules.registry import ALL_SHEETS, SHEETS_FOLDER, add_sheet
from records.rules.sheet_text import SheetError
from records.rules.vocabulary import RuleSheet
from records.selfplay import play_game
from records.validator import check


@pytest.fixture(autouse=True)
def own_sheets(monkeypatch):
    """Sheets that are added are forgotten afterwards."""
    monkeypatch.setattr(registry, "_OWN_SHEETS", {})
    yield
    registry._resolve.cache_clear()


def lists_in(part: Any, at: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Every list in data: where it is, what holds it, and its name there."""
    steps = part.items() if isinstance(part, dict) else enumerate(part)
    for step, value in list(steps):
        if isinstance(value, list):
            yield f"{at}/{step}", part, step
        if isinstance(value, dict | list):
            yield from lists_in(value, f"{at}/{step}")


def accepted(data: Any) -> RuleSheet | None:
    try:
        return read_own_sheet(json.dumps(data).encode())
    except SheetError:
        return None


def letters(number: int) -> str:
    return "ours-" + "".join("abcdefghij"[int(digit)] for digit in str(number))


def changed_lists(sheet: RuleSheet) -> Iterator[tuple[str, RuleSheet]]:
    data = json.loads((SHEETS_FOLDER / f"{sheet.id}.json").read_bytes())
    del data["laws"], data["articles"]
    options = data["options"]
    for number, (at, holder, step) in enumerate(list(lists_in(data))):
        kept = holder[step]
        # Under other rules, to try every value of every option would take half the time: the rules stand alone.
        data["options"] = options if at.startswith("/options") else []
        for times in (0, 2):
            holder[step], data["id"] = kept * times, letters(2 * number + times)
            if kept and (read := accepted(data)):
                yield f"{at} times {times}", read
        holder[step] = kept


@pytest.mark.long
@pytest.mark.parametrize("base", ALL_SHEETS, ids=lambda sheet: sheet.id)
def test_a_sheet_with_a_list_emptied_or_doubled_works_or_is_refused(base: RuleSheet) -> None:
    for changed, sheet in changed_lists(base):
        assert explain_sheet(sheet).sections
        assert compare_rule_sheets([base, sheet])
        if changed.startswith("/rules/"):
            add_sheet(sheet)
            report = check(encode(play_game(sheet.id, seed=1, deals=1, style="random")))
            assert report.verdict in ("legal", "incomplete"), (changed, report.findings)


@pytest.mark.parametrize(
    ("base", "path", "value", "words"),
    [
        ("rubicon-bezique", "carte_blanche/courts", [], "This list is empty."),
        ("zetema", "pack/row", [], "This list is empty."),
        ("bezique", "pack/row", [], "This list is empty."),
        ("zetema", "pack/row", ["K", "Q", "Q"], 'Only the ends of a row may both be "Q".'),
        ("bezique", "brisques/ranks", ["A", "A"], 'Here "A" stands twice.'),
        ("rubicon-bezique", "carte_blanche/courts", ["K", "K"], 'Here "K" stands twice.'),
    ],
)
def test_a_list_without_items_or_with_equal_ones_is_a_mistake(
    base: str, path: str, value: list[str], words: str
) -> None:
    change = {"path": f"/rules/{path}", "value": value}
    file = {"base": base, "id": "ours", "name": "Ours", "changes": [change]}
    with pytest.raises(SheetError) as caught:
        read_own_sheet(json.dumps(file).encode())
    assert words in [says for _, _, says in caught.value.mistakes]


def test_two_equal_values_of_an_option_are_a_mistake() -> None:
    data = json.loads((SHEETS_FOLDER / "bezique.json").read_bytes())
    (option,) = [each for each in data["options"] if each["name"] == "last_trick"]
    option["values"] += option["values"]
    with pytest.raises(SheetError) as caught:
        read_own_sheet(json.dumps(data).encode())
    assert [says for _, _, says in caught.value.mistakes] == [
        f'The option last_trick has the value "{value}" twice.'
        for value in dict.fromkeys(each["value"] for each in option["values"])
    ]
