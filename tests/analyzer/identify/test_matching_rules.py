"""Matching rules: the true rules are always among those accepted, and differences are listed."""

import os
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from analyzer.identify import matching_rules
from analyzer.identify.matching_rules import MOST_IDENTIFICATION_STEPS, identify_rules
from records.errors import RulesError
from records.format import codec
from records.rules.registry import ALL_SHEETS, resolve_sheet
from records.rules.vocabulary import ChoiceOption, RuleOptionValue, RuleSheet
from records.selfplay import play_game
from records.validate.finding import StepBudget
from records.validator import Validator, check_record
from tests.costs.payloads import begun_text
from tests.machine.cpu_cost import CpuCost
from tests.soak.identified import complaints, hide_rules

GAMES = int(os.environ.get("BEZIQUE_WHICH", "8"))
"""Records of all sheets under random options: `python -m tests.soak --identified` looks at 600."""


def some_options(sheet: RuleSheet, random: Random) -> dict[str, RuleOptionValue]:
    """Up to three options, at any value."""
    number = min(len(sheet.options), random.choice([0, 1, 2, 3]))
    options = {
        option.name: random.choice(list(option.permitted))
        if isinstance(option, ChoiceOption)
        else random.choice([option.default, option.default + 300])
        for option in random.sample(sheet.options, number)
    }
    try:
        resolve_sheet(sheet.id, None, options)
    except RulesError:
        return {}
    return options


@pytest.mark.sampled(3)
@pytest.mark.long
@pytest.mark.parametrize("number", [71, 177, 998, *range(GAMES)])
def test_the_truth_is_among_the_answers_and_first_where_it_is_the_simplest(number: int) -> None:
    """71: an option that changes the pack; 177: two that hide one another; 998: a match broken off below its target."""
    assert complaints(hide_rules(number)) == []


@pytest.mark.long
def test_what_differs_is_said_and_the_accepted_come_first():
    found = identify_rules(play_game("marjolet", seed=1))
    assert found[0].accepted
    accepted = [each.accepted for each in found]
    assert accepted == sorted(accepted, reverse=True)
    zetema = next(each for each in found if each.sheet == "zetema")
    assert zetema.breaches
    assert zetema.differs
    assert not zetema.accepted


@pytest.mark.long
def test_an_option_that_leaves_a_trace_is_found():
    record = play_game("bezique", seed=2, options={"hand_size": 9, "meld_after_close": True})
    record.rules.options = {}
    best = identify_rules(record)[0]
    assert (best.sheet, best.options["hand_size"]) == ("bezique", 9)
    assert best.accepted


@pytest.mark.long
def test_a_game_that_was_not_finished_leaves_its_target_open():
    record = play_game("marjolet", seed=111, options={"target": 800}, style="random", deals=4)
    assert max(record.result.scores) < 500
    record.rules.options = {}
    marjolet = next(each for each in identify_rules(record) if each.sheet == "marjolet")
    assert marjolet.accepted
    assert "target" in marjolet.open


@pytest.mark.long
def test_what_is_open_is_what_would_be_accepted_too():
    """An option is open if another value of it alone passes the whole validator."""
    record = play_game("chinese-bezique", seed=0)
    found = next(each for each in identify_rules(record) if each.sheet == "chinese-bezique")
    fits = set()
    for option in resolve_sheet("chinese-bezique").sheet.options:
        for value in option.permitted:
            if value != option.default:
                record.rules.options = {option.name: value}
                fits |= {option.name} if check_record(record).verdict == "legal" else set()
    assert set(found.open) == fits


@pytest.mark.long
def test_by_other_rules_cards_are_not_told_apart_without_end():
    """Chinese cards by the rules of six packs: a hundred thousand ways were followed, for a minute."""
    with CpuCost() as cost:
        found = {each.sheet: each for each in identify_rules(play_game("chinese-bezique", seed=4))}
    assert cost.seconds < 20
    six = found["six-pack-bezique"]
    assert not six.accepted
    assert six.all_told
    assert six.differs[0].at.event == 32
    assert found["chinese-bezique"].accepted


MOST_OVERSPENT = 300_000
"""What the last rules tried may spend beyond what was left: they are told at the end what they have cost."""


@pytest.fixture
def spent(monkeypatch) -> list[int]:
    """The steps that have been searched, in order."""
    steps = []
    original = StepBudget.spend

    def spend(self: StepBudget, searched: int) -> None:
        steps.append(searched)
        original(self, searched)

    monkeypatch.setattr(StepBudget, "spend", spend)
    return steps


def test_all_rules_together_search_no_more_than_one_budget(spent, monkeypatch):
    """Eight events with unknown cards: each sheet and option searched as much as a record may cost alone."""
    most, tried = MOST_OVERSPENT // 2, []

    def validator(*given: Any, **settings: Any) -> Validator:
        tried.append(Validator(*given, **settings))
        return tried[-1]

    monkeypatch.setattr(matching_rules, "MOST_IDENTIFICATION_STEPS", most)
    monkeypatch.setattr(matching_rules, "Validator", validator)
    found = identify_rules(codec.decode(begun_text("bezique", 8)).record)
    assert len(tried) == len(ALL_SHEETS)
    assert most < sum(spent) < most + MOST_OVERSPENT
    assert any(each.cut_short for each in found)


@pytest.mark.long
def test_where_nothing_is_cut_short_nothing_says_so(spent):
    found = identify_rules(play_game("bezique", seed=2, options={"hand_size": 9}))
    assert sum(spent) < MOST_IDENTIFICATION_STEPS
    assert not any(each.cut_short for each in found)


@pytest.mark.long
def test_without_a_budget_for_options_the_sheets_are_judged_as_alone(monkeypatch):
    record = play_game("chinese-bezique", seed=0)
    whole = {each.sheet: each for each in identify_rules(record)}
    monkeypatch.setattr(matching_rules, "MOST_IDENTIFICATION_STEPS", 1)
    short = {each.sheet: each for each in identify_rules(record)}
    assert short["zetema"].breaches == whole["zetema"].breaches
    assert not short["chinese-bezique"].open
    assert short["chinese-bezique"].cut_short


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sheet", "options"),
    [("bezique", {"target": 2000}), ("zique", {"dix": True, "hand_size": 9})],
)
def test_the_options_of_a_record_are_proposed_where_they_fit(
    sheet: str, options: dict[str, RuleOptionValue]
) -> None:
    record = play_game(sheet, seed=1, style="random", options=options)
    fitting = [found for found in identify_rules(record) if found.accepted]
    assert options in [found.options for found in fitting if found.sheet == sheet]
    assert all(
        found.options.get(name, value) == value
        for found in fitting
        for name, value in options.items()
    )


@pytest.mark.sampled(4)
@pytest.mark.long
@pytest.mark.parametrize("sheet", ALL_SHEETS, ids=lambda sheet: sheet.id)
def test_the_own_rules_of_a_legal_record_come_first(sheet):
    """Short games fit several rulebooks; what the record says of itself is not changed without a reason."""
    for seed in range(2):
        random = Random(f"own {sheet.id} {seed}")
        options = some_options(sheet, random)
        record = play_game(sheet.id, seed=seed, options=options, style="random", deals=1)
        begun = replace(
            record.deals[0], events=record.deals[0].events[: random.choice((4, 12, 90))]
        )
        for given in (record, replace(record, deals=[begun], result=None)):
            first = identify_rules(given)[0]
            own = {o.name: options[o.name] for o in sheet.options if o.name in options}
            assert first.sheet == sheet.id
            assert first.options == {n: v for n, v in own.items() if v != defaults(sheet)[n]}


def defaults(sheet: RuleSheet) -> dict[str, RuleOptionValue]:
    return {option.name: option.default for option in sheet.options}
