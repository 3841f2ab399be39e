"""Changes to a known sheet: a JSON Patch in which items may be named, mistakes in their places, options that stay true."""

import json
from typing import Any

import msgspec
import pytest

from records.rules.own_sheet import read_own_sheet
from records.rules.registry import apply_options, get_sheet
from records.rules.sheet_text import SheetError
from records.rules.vocabulary import RuleSheet


def own(*changes: dict[str, Any], base: str = "bezique", **members: Any) -> RuleSheet:
    return read_own_sheet(written(*changes, base=base, **members).encode())


def written(*changes: dict[str, Any], base: str = "bezique", **members: Any) -> str:
    """A file of one change a line, from line 3."""
    head = {"base": base, "id": "ours", "name": "Ours", **members}
    lines = ",\n".join(json.dumps(change) for change in changes)
    return f'{json.dumps(head)[:-1]},\n"changes": [\n{lines}\n]}}'


def mistakes(*changes: dict[str, Any], **members: Any) -> list[tuple[int, int, str]]:
    with pytest.raises(SheetError) as caught:
        own(*changes, **members)
    return [tuple(each) for each in caught.value.mistakes]


def add(path: str, value: Any) -> dict[str, Any]:
    return {"op": "add", "path": path, "value": value}


def replace(path: str, value: Any) -> dict[str, Any]:
    return {"path": path, "value": value}


def remove(path: str) -> dict[str, Any]:
    return {"op": "remove", "path": path}


BONUS = {"name": "last_trick", "points": 30, "tricks": "last_stock_trick", "to": "loser"}
FOUR_TENS = {
    "name": "four_tens", "words": "four tens/~", "points": 90, "kind": "four_tens", "class": "four_tens", "level": 1,
    "cards": {"form": "list", "repeat": 4, "cards": [{"ranks": ["T"], "suit": "any"}]},
}  # fmt: skip


def points(sheet: RuleSheet) -> list[int]:
    return [bonus.points for bonus in sheet.rules.bonuses]


def test_an_item_is_added_before_an_index_or_a_name_or_at_the_end() -> None:
    assert points(get_sheet("bezique")) == [10]
    assert points(own(add("/rules/bonuses/0", BONUS))) == [30, 10]
    assert points(own(add("/rules/bonuses/last_trick", BONUS))) == [30, 10]
    assert points(own(add("/rules/bonuses/1", BONUS))) == [10, 30]
    assert points(own(add("/rules/bonuses/-", BONUS))) == [10, 30]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (replace("/rules/bonuses/-", BONUS), 'there is no "-"'),
        (remove("/rules/bonuses/-"), 'there is no "-"'),
        (add("/rules/bonuses/2", BONUS), 'there is no "2"'),
        (replace("/rules/bonuses/1", BONUS), 'there is no "1"'),
        (replace("/rules/bonuses/00", BONUS), 'there is no "00"'),
        (replace("/rules/cats", BONUS), 'there is no "cats"'),
        (replace("/rules/pack~2", BONUS), "~ is written ~0"),
        (replace("/rules/hand/2", 8) | {"form": "x"}, 'A change has no "form"'),
    ],
)
def test_a_path_that_leads_nowhere(change: dict[str, Any], words: str) -> None:
    ((line, column, says),) = mistakes(change)
    assert (line, column) in (place_of(change, "path"), place_of(change, "form"))
    assert words in says


def place_of(change: dict[str, Any], member: str) -> tuple[int, int]:
    """Where the value of a member of the only change stands."""
    return 3, json.dumps(change).find(f'"{member}": ') + len(f'"{member}": ') + 1


def test_a_name_may_have_a_slash_and_a_tilde() -> None:
    sheet = own(add("/rules/melds/-", FOUR_TENS), replace("/rules/melds/four tens~1~0/points", 70))
    assert sheet.rules.melds[-1].points == 70


def test_a_mistake_inside_the_value_of_a_change_is_told_where_it_stands() -> None:
    broken = json.loads(json.dumps(FOUR_TENS))
    broken["cards"]["cards"][0]["suit"] = "hearts"
    change = add("/rules/melds/0", broken)
    ((line, column, says),) = mistakes(replace("/rules/hand/2", 8), change)
    assert line == 4
    assert json.dumps(change)[column - 1 :].startswith('"hearts"')
    assert says.endswith('is wanted here, not "hearts".')


def test_places_move_along_with_items_that_are_inserted_or_removed() -> None:
    told = mistakes(
        replace("/rules/melds/bezique/name", "zique"),
        add("/rules/melds/0", FOUR_TENS),
        remove("/rules/melds/four jacks"),
        replace("/rules/bonuses/0/name", "first_trick"),
    )
    assert [line for line, _, _ in told] == [3, 6]


def test_a_mistake_in_laws_of_ones_own_is_told_where_it_stands() -> None:
    ((line, column, says),) = mistakes(
        laws=[{"id": "O1", "says": ["Ours."]}, {"id": "O2", "says": [7]}]
    )
    text = written(laws=[{"id": "O1", "says": ["Ours."]}, {"id": "O2", "says": [7]}])
    assert text.splitlines()[line - 1][column - 1 :].startswith("7")
    assert says == "A text is wanted here, not 7."


# The options of the base.


def options(sheet: RuleSheet) -> set[str]:
    return {option.name for option in sheet.options}


BEZIQUE_OPTIONS = options(get_sheet("bezique"))


def test_an_option_follows_the_item_that_it_sets() -> None:
    sheet = own(add("/rules/bonuses/0", BONUS))
    changed = apply_options(sheet, {"last_trick": "before_close"}).sheet
    assert [bonus.tricks.value for bonus in changed.rules.bonuses] == ["last_stock_trick"] * 2
    assert [bonus.tricks.value for bonus in sheet.rules.bonuses] == [
        "last_stock_trick",
        "last_trick",
    ]


@pytest.mark.parametrize(
    ("changes", "settled"),
    [
        ([remove("/rules/bonuses/0")], {"last_trick"}),
        ([replace("/rules/phases/close/follow", "suit")], {"follow"}),
        ([replace("/rules/hand/2", 7)], {"hand_size"}),
        ([replace("/rules/melds/bezique/points", 50)], set()),
        ([replace("/rules/match/target/2", 1500)], set()),
        ([replace("/rules/match/target/2", 50)], {"target"}),
        (
            [replace("/rules/dix", None)],
            {"dix_once_per_card", "dix_in_last_tricks", "exchange_is_the_meld"},
        ),
    ],
)  # fmt: skip
def test_what_a_change_settles_is_no_option_any_more(
    changes: list[dict[str, Any]], settled: set[str]
) -> None:
    sheet = own(*changes)
    assert options(sheet) == BEZIQUE_OPTIONS - settled
    for option in sheet.options:
        assert apply_options(sheet, {option.name: option.default})


def test_a_number_that_a_change_sets_is_the_default_of_its_option() -> None:
    sheet = own(replace("/rules/match/target/2", 1500))
    (target,) = [option for option in sheet.options if option.name == "target"]
    assert target.default == 1500
    assert apply_options(sheet, {}).options["target"] == 1500


def test_options_of_the_file_are_taken_as_they_are_and_checked() -> None:
    base = json.loads(msgspec.json.encode(get_sheet("bezique")))
    told = mistakes(remove("/rules/bonuses/0"), options=base["options"])
    assert [says for _, _, says in told] == [
        "/rules/bonuses/0/tricks leads nowhere; items of lists are numbered from 0 here."
    ]


def test_what_follows_in_a_base_is_made_anew_whatever_is_removed() -> None:
    fewer = [replace(f"/rules/pack/copies/{suit}", 3) for suit in "SHDC"]
    sheet = own(remove("/rules/melds/four jacks"), *fewer)
    assert sheet.rules.pack.cards == 96
    assert {meld.words: meld.sets for meld in sheet.rules.melds}["four aces"]["S"] == 31
    other = own(*fewer, remove("/rules/melds/four jacks"))
    assert msgspec.json.encode(other.rules) == msgspec.json.encode(sheet.rules)


def test_what_a_change_adds_to_what_follows_is_a_mistake() -> None:
    ((line, _, says),) = mistakes(add("/rules/play/takes/-", "highest_trump"))
    assert line == 3
    assert says.startswith("This follows from the rest of the sheet")
