"""Options: the default is the sheet itself, a value changes it, anything else is refused with a sentence."""

from collections.abc import Callable, Iterable
from itertools import combinations, product
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from records.errors import OptionTextError, RulesError
from records.rules import registry
from records.rules.registry import (
    ALL_SHEETS,
    apply_options,
    changes_of,
    get_sheet,
    permits,
    read_options,
    resolve_sheet,
)
from records.rules.vocabulary import (
    ChoiceOption,
    ChoiceValue,
    FieldChange,
    Follow,
    NumberOption,
    Option,
    RaceTo,
    RuleOptionValue,
    RuleSheet,
    TurnUp,
    When,
    Window,
)

OPTIONS = [(sheet, option) for sheet in registry.ALL_SHEETS for option in sheet.options]
VALUES = [
    (sheet, option, value)
    for sheet, option in OPTIONS
    for value in (
        option.permitted if isinstance(option, ChoiceOption) else (option.least, option.most)
    )
]


def label(part: object) -> str:
    if isinstance(part, RuleSheet):
        return part.id
    return part.name if isinstance(part, ChoiceOption | NumberOption) else str(part)


def fields(sheet: RuleSheet) -> dict[str, Any]:
    return msgspec.to_builtins(sheet)  # type: ignore[no-any-return]


def refusal(*given: Any) -> RulesError:
    with pytest.raises(RulesError) as caught:
        resolve_sheet(*given)
    return caught.value


@pytest.mark.parametrize("sheet", registry.ALL_SHEETS, ids=label)
def test_no_options_and_all_defaults_are_the_sheet_itself(sheet: RuleSheet) -> None:
    defaults = {option.name: option.default for option in sheet.options}
    for resolved in (resolve_sheet(sheet.id), resolve_sheet(sheet.id, sheet.edition, defaults)):
        assert fields(resolved.sheet) == fields(sheet)
        assert resolved.options == defaults
        assert resolved.changed == {}


@pytest.mark.parametrize(("sheet", "option", "value"), VALUES, ids=label)
def test_a_value_that_is_not_the_default_changes_the_sheet(
    sheet: RuleSheet, option: Option, value: RuleOptionValue
) -> None:
    resolved = resolve_sheet(sheet.id, None, {option.name: value})
    assert resolved.options[option.name] == value
    assert (fields(resolved.sheet) == fields(sheet)) == (value == option.default)
    told = {} if value == option.default else {option.name: value}
    if option.name == "long_game" and value:
        told["target"] = 1600
    assert resolved.changed == told


@pytest.mark.parametrize(("sheet", "option"), OPTIONS, ids=label)
def test_an_option_permits_its_default(sheet: RuleSheet, option: Option) -> None:
    assert permits(option, option.default)


def close(sheet: RuleSheet) -> Any:
    return next(phase for phase in sheet.rules.phases if phase.name == "close")


def dix(sheet: RuleSheet) -> Any:
    return sheet.rules.dix


def bonus(sheet: RuleSheet, name: str) -> Any:
    return next(bonus for bonus in sheet.rules.bonuses if bonus.name == name)


def target(sheet: RuleSheet) -> int:
    assert isinstance(sheet.rules.match, RaceTo)
    return sheet.rules.match.target[2]


def dealer_seven(sheet: RuleSheet) -> int:
    assert isinstance(sheet.rules.trumps, TurnUp)
    return sheet.rules.trumps.dealer_seven


EFFECTS: list[tuple[str, dict[str, RuleOptionValue], Callable[[RuleSheet], object], object]] = [
    ("bezique", {"hand_size": 9}, lambda sheet: sheet.rules.hand[2], 9),
    ("bezique", {"meld_after_close": True}, lambda sheet: close(sheet).melds, 1),
    ("bezique-enhanced", {"meld_after_close": False}, lambda sheet: close(sheet).melds, 0),
    ("marjolet", {"meld_after_close": True}, lambda sheet: close(sheet).melds, None),
    ("marjolet-oxford", {"meld_after_close": False}, lambda sheet: close(sheet).melds, 0),
    ("marjolet", {"dix_once_per_card": False}, lambda sheet: dix(sheet).once_per_card, False),
    ("marjolet", {"dix_in_last_tricks": False}, lambda sheet: dix(sheet).in_last_tricks, False),
    ("bezique", {"exchange_is_the_meld": True},
     lambda sheet: dix(sheet).exchange_is_the_meld, True),
    ("bezique", {"bezique_cards": "by_trump"}, lambda sheet: sheet.rules.bezique_cards["S"],
     ("QC", "JH")),
    ("bezique", {"sequence_then_marriage": True},
     lambda sheet: sheet.rules.reuse.sequence_then_marriage, True),
    ("zique", {"sequence_then_marriage": False},
     lambda sheet: sheet.rules.reuse.sequence_then_marriage, False),
    ("bezique", {"singles_then_double": True}, lambda sheet: sheet.rules.reuse.singles_then_double, True),
    ("bezique", {"double_then_single": True}, lambda sheet: sheet.rules.reuse.double_then_single, True),
    ("bezique", {"last_trick": "before_close"}, lambda sheet: bonus(sheet, "last_trick").tricks,
     When.LAST_STOCK_TRICK),
    ("marjolet", {"last_trick": "before_close"},
     lambda sheet: bonus(sheet, "tenth_trick").points, 10),
    ("marjolet", {"last_tricks_bonus": 40},
     lambda sheet: bonus(sheet, "all_last_tricks").points, 40),
    ("bezique", {"follow": "any"}, lambda sheet: close(sheet).follow, Follow.ANY),
    ("bezique", {"follow": "suit"}, lambda sheet: close(sheet).follow, Follow.SUIT),
    ("zique", {"follow": "head"}, lambda sheet: close(sheet).follow, Follow.HEAD),
    ("bezique", {"target": 2000}, target, 2000),
    ("zique", {"long_game": True}, target, 1600),
    ("zique", {"dix": True}, lambda sheet: dix(sheet).points, 10),
    ("zique", {"dix": True}, lambda sheet: dix(sheet).show, Window.AT_ANY_TIME),
    ("zique", {"dix": True}, lambda sheet: dix(sheet).exchange, Window.NEVER),
    ("zique", {"dix": True}, dealer_seven, 10),
    ("zique", {"dix_exchange": True}, lambda sheet: dix(sheet).exchange, Window.AT_ANY_TIME),
    ("zique", {"dix_exchange": True}, lambda sheet: dix(sheet).points, 0),
    ("zique", {"dix": True, "dix_exchange": True}, lambda sheet: dix(sheet).points, 10),
]  # fmt: skip


@pytest.mark.parametrize(("sheet_id", "options", "look", "expected"), EFFECTS)
def test_an_option_does_what_it_says(
    sheet_id: str,
    options: dict[str, RuleOptionValue],
    look: Callable[[RuleSheet], object],
    expected: object,
) -> None:
    before = look(get_sheet(sheet_id))
    assert look(resolve_sheet(sheet_id, None, options).sheet) == expected
    assert look(get_sheet(sheet_id)) == before


def test_an_option_leaves_the_other_parts_alone() -> None:
    changed = resolve_sheet("bezique", None, {"follow": "any"}).sheet
    assert changed.rules.phases[0] == get_sheet("bezique").rules.phases[0]
    assert changed.rules.melds is get_sheet("bezique").rules.melds


def test_the_same_rules_are_resolved_once() -> None:
    given = {"dix": True, "hand_size": 9}
    backwards = dict(reversed(given.items()))
    assert resolve_sheet("zique", 1, given) is resolve_sheet("zique", 1, backwards)


@pytest.mark.parametrize(
    ("name", "value"),
    [("dix", 1), ("dix", 0), ("dix", "true"), ("hand_size", True), ("hand_size", "8"),
     ("hand_size", 10), ("follow", "Head"), ("follow", False)],
)  # fmt: skip
def test_a_value_of_another_type_is_not_the_value(name: str, value: RuleOptionValue) -> None:
    resolve_sheet("zique", None, {"dix": True, "hand_size": 8})
    assert refusal("zique", None, {name: value}).code == "bad-option-value"


@pytest.mark.parametrize("value", [True, 99, 10_001, -500, "1000"])
def test_a_number_keeps_its_bounds(value: RuleOptionValue) -> None:
    error = refusal("marjolet", None, {"target": value})
    assert error.code == "bad-option-value"
    assert "a whole number from 100 to 10000" in str(error)


def test_an_unknown_sheet_is_answered_with_the_known_ones() -> None:
    error = refusal("marjolett")
    assert (error.code, error.pointer, error.found) == ("unknown-sheet", "/rules/id", "marjolett")
    assert error.candidates[0] == "marjolet"
    assert all(sheet.id in str(error) for sheet in registry.ALL_SHEETS)


def test_a_sheet_like_no_other_has_all_as_candidates() -> None:
    assert refusal("?").candidates == tuple(sheet.id for sheet in registry.ALL_SHEETS)


def test_an_unknown_edition() -> None:
    error = refusal("zique", 2)
    assert (error.code, error.pointer) == ("unknown-edition", "/rules/edition")
    assert (error.found, error.candidates) == ("2", ("1",))


def test_an_unknown_option_is_answered_with_the_known_ones() -> None:
    error = refusal("zique", None, {"dix_exchang": True})
    assert (error.code, error.pointer) == ("unknown-option", "/rules/options/dix_exchang")
    assert error.candidates[0] == "dix_exchange"
    assert all(option.name in str(error) for option in get_sheet("zique").options)


def test_a_wrong_value_is_answered_with_the_right_ones() -> None:
    error = refusal("zique", None, {"follow": "suits"})
    assert str(error) == 'The option follow can be "suit", "head" or "any", not "suits".'
    assert (error.pointer, error.found) == ("/rules/options/follow", '"suits"')


@pytest.mark.parametrize("name", ["a/b", "a~b"])
def test_a_pointer_is_escaped(name: str) -> None:
    escaped = {"a/b": "a~1b", "a~b": "a~0b"}[name]
    assert refusal("zique", None, {name: True}).pointer == f"/rules/options/{escaped}"


def test_a_huge_name_is_not_repeated_in_full() -> None:
    error = refusal("x" * 1_000_000)
    assert len(error.found) == 80
    assert len(str(error)) < 600


def two_targets() -> RuleSheet:
    """A sheet in which two options set the game's target, and a third the whole game."""
    sheet = get_sheet("zique")
    game = msgspec.to_builtins(sheet.rules.match, str_keys=True) | {"target": {"2": 5}}
    changes = (FieldChange("replace", "/rules/match", game),)
    values = (ChoiceValue(False, ()), ChoiceValue(True, changes))
    short = ChoiceOption("short", "Five points.", "A-11", False, values)
    return replace(sheet, options=(*sheet.options, short))


@pytest.mark.parametrize(
    ("first", "second"),
    [(("long_game", True), ("target", 1000)), (("long_game", True), ("short", True)),
     (("target", 1000), ("short", True))],
)  # fmt: skip
def test_options_that_set_the_same_field_are_refused_together(
    first: tuple[str, RuleOptionValue], second: tuple[str, RuleOptionValue]
) -> None:
    for alone in (first, second):
        apply_options(two_targets(), dict([alone]))
    with pytest.raises(RulesError) as caught:
        apply_options(two_targets(), dict([first, second]))
    assert caught.value.code == "contradictory-options"
    assert caught.value.candidates == (first[0], second[0])
    assert "Give only one of them" in str(caught.value)


def test_zique_is_long_or_has_a_target_of_its_own() -> None:
    error = refusal("zique", None, {"long_game": True, "target": 1000})
    assert (error.code, error.pointer) == ("contradictory-options", "/rules/options/target")
    assert str(error) == (
        "The options long_game (true) and target (1000) contradict each other: both set match.target.2, to different values."
        " Give only one of them."
    )
    assert target(resolve_sheet("zique", None, {"target": 1000}).sheet) == 1000


def test_options_that_set_one_value_alike_agree() -> None:
    for given in ({"long_game": True}, {"target": 1600}, {"long_game": True, "target": 1600}):
        resolved = resolve_sheet("zique", None, given)
        assert target(resolved.sheet) == resolved.options["target"] == 1600
    error = refusal("zique", None, {"long_game": True, "target": 800})
    assert (error.code, error.found) == ("contradictory-options", "800")


def test_a_value_that_changes_nothing_contradicts_nothing() -> None:
    given = {"long_game": False, "target": 1000, "short": False}
    assert target(apply_options(two_targets(), given).sheet) == 1000


def pairs() -> list[tuple[RuleSheet, dict[str, RuleOptionValue]]]:
    """Every two values of two options that set one field of a sheet."""
    found = []
    for sheet in (*ALL_SHEETS, two_targets()):
        for first, second in combinations(sheet.options, 2):
            for one, other in product(some_values(first), some_values(second)):
                if paths(changes_of(first, one)) & paths(changes_of(second, other)):
                    found.append((sheet, {first.name: one, second.name: other}))
    return found


def paths(changes: Iterable[FieldChange]) -> set[str]:
    return {change.path for change in changes}


def some_values(option: Option) -> list[RuleOptionValue]:
    if isinstance(option, ChoiceOption):
        return list(option.permitted)
    return [option.least, option.default, 1600, option.most]


def test_two_options_that_set_one_value_agree_or_are_refused() -> None:
    """What is accepted is what both say, and what the options are reported to be is accepted again and plays the same."""
    agreed = 0
    for sheet, given in pairs():
        options = {option.name: option for option in sheet.options}
        one, other = (
            {change.path: change.value for change in changes_of(options[name], value)}
            for name, value in given.items()
        )
        alike = all(one[path] == other[path] for path in one if path in other)
        try:
            resolved = apply_options(sheet, given)
        except RulesError:
            assert not alike
            continue
        assert alike
        agreed += 1
        again = apply_options(sheet, resolved.options)
        assert fields(again.sheet) == fields(resolved.sheet)
        assert again.options == resolved.options
    assert agreed >= 1


def test_options_are_read_from_texts() -> None:
    assert read_options(get_sheet("zique"), ["dix=true", "hand_size=9", "follow=any"]) == {
        "dix": True, "hand_size": 9, "follow": "any",
    }  # fmt: skip
    assert read_options(get_sheet("bezique"), ["target=1500"]) == {"target": 1500}


@pytest.mark.parametrize("text", ["dix=1", "dix=", "hand_size=nine", "hand_size=²"])
def test_a_text_that_is_no_value_is_refused_when_resolved(text: str) -> None:
    with pytest.raises(RulesError, match="not"):
        apply_options(get_sheet("zique"), read_options(get_sheet("zique"), [text]))


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (["hand_size"], "Write an option as NAME=VALUE, such as hand_size=8."),
        (["dix"], "Write an option as NAME=VALUE, such as dix=false."),
        (["dix=true", "dix=false"], "The option dix is given twice. Give it once."),
        (["dix=true", "dix=true"], "The option dix is given twice. Give it once."),
    ],
)
def test_a_text_that_is_no_option_or_comes_twice_is_refused(texts: list[str], said: str) -> None:
    with pytest.raises(OptionTextError) as caught:
        read_options(get_sheet("zique"), texts)
    assert str(caught.value) == said


def test_a_text_with_an_unknown_option_is_refused() -> None:
    with pytest.raises(RulesError, match="has no option"):
        read_options(get_sheet("zique"), ["tarjet=1000"])
