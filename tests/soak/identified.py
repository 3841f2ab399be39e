"""Records of sheets under random options, whose rules are looked for: the truth must be among the answers.

A record names its own rules, or its sheet without the options, or another sheet. What is found must

- accept the record by the sheet that it was played by, with each option at its true value, or told as open;
- change no more options than are needed of the truth;
- have the rules of the record first where they fit, and else what changes the fewest options: the truth, where each of its
  options shows and no other sheet fits with as few.
"""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from analyzer.identify.matching_rules import RulesCandidate, identify_rules
from records.errors import RulesError
from records.record import Record, Rules
from records.rules.registry import ALL_SHEETS, resolve_sheet
from records.rules.vocabulary import ChoiceOption, RuleOptionValue, RuleSheet
from records.selfplay import play_game
from records.validator import check_record

Options = dict[str, RuleOptionValue]


class Hidden(NamedTuple):
    """A record that does not say by which rules it was played, or does, and these rules."""

    record: Record
    sheet: RuleSheet
    options: Options


def hide_rules(number: int) -> Hidden:
    """The record of this number: of each sheet in turn, under up to three options."""
    random = Random(f"identified {number}")
    sheet = ALL_SHEETS[number % len(ALL_SHEETS)]
    options = _random_options(sheet, random)
    deals = random.choice((1, 1, 2, 4))
    record = play_game(sheet.id, seed=number, options=options, style="random", deals=deals)
    header = random.choice(("own", "none", "another"))
    if header == "none":
        record = replace(record, rules=Rules(id=sheet.id))
    elif header == "another":
        other = random.choice([each for each in ALL_SHEETS if each is not sheet])
        record = replace(record, rules=Rules(id=other.id))
    return Hidden(record, sheet, options)


def _random_options(sheet: RuleSheet, random: Random) -> Options:
    """Up to three options at a value that is not their default."""
    options: Options = {}
    for option in random.sample(sheet.options, min(len(sheet.options), random.randrange(4))):
        if isinstance(option, ChoiceOption):
            values = [value for value in option.permitted if value != option.default]
        else:
            values = [option.default + 300, option.default + 500]
        options[option.name] = random.choice(values)
    try:
        resolve_sheet(sheet.id, None, options)
    except RulesError:
        return {}
    return options


def complaints(hidden: Hidden) -> list[str]:
    """What is wrong with the answers about a record."""
    record, sheet, truth = hidden
    found = identify_rules(record)
    true = next(each for each in found if each.sheet == sheet.id)
    if not true.accepted:
        return ["the sheet is not accepted"]
    wrong = [f"{name} is neither named nor open" for name in _untold(true, sheet, truth)]
    shown = _needed(record, sheet, truth)
    own = record.rules.options if record.rules.id == sheet.id else None
    if true.options != own and len(true.options) > len(shown):
        wrong.append(f"{len(shown)} changes would do, and {len(true.options)} are named")
    return wrong + _order_complaints(hidden, found, is_simplest=len(shown) == len(truth))


def _order_complaints(
    hidden: Hidden, found: list[RulesCandidate], *, is_simplest: bool
) -> list[str]:
    record, sheet, truth = hidden
    first, own = found[0], record.rules
    own_sheet = next(each for each in ALL_SHEETS if each.id == own.id)
    if fits(record, own_sheet, own.options or {}):
        is_first = (first.sheet, first.options) == (own.id, own.options or {})
        return [] if is_first else ["the record's own rules are not first"]
    others = [each for each in found if each.accepted and each.sheet != sheet.id]
    is_alone = all(len(each.options) > len(truth) for each in others)
    is_true = first.sheet == sheet.id and not _untold(first, sheet, truth)
    if is_simplest and is_alone and not is_true:
        return [f"the truth is the simplest and not first: {first.sheet} {first.options}"]
    changes = [len(each.options) for each in found if each.accepted]
    return [] if len(first.options) == min(changes) else ["something simpler is not first"]


def fits(record: Record, sheet: RuleSheet, options: Options) -> bool:
    """Whether the validator finds nothing wrong with a record by these rules."""
    try:
        resolve_sheet(sheet.id, None, options)
    except RulesError:
        return False
    report = check_record(replace(record, rules=Rules(id=sheet.id, options=options)))
    return not any(
        found.severity in ("unreadable", "illegal", "mismatch") for found in report.findings
    )


def _untold(found: RulesCandidate, sheet: RuleSheet, truth: Options) -> list[str]:
    """The options that have another value in truth, and are not open."""
    return [
        name
        for name in sorted({*truth, *found.options})
        if _value(truth, sheet, name) != _value(found.options, sheet, name)
        and name not in found.open
    ]


def _needed(record: Record, sheet: RuleSheet, truth: Options) -> Options:
    """The options of the truth that the record shows: without the others it fits as well."""
    needed = truth
    for name in truth:
        if fits(record, sheet, _without(needed, name)):
            needed = _without(needed, name)
    return needed


def _value(options: Options, sheet: RuleSheet, name: str) -> RuleOptionValue:
    default = next(option.default for option in sheet.options if option.name == name)
    return options.get(name, default)


def _without(options: Options, name: str) -> Options:
    return {other: value for other, value in options.items() if other != name}


def _examine(number: int) -> tuple[int, list[str], str]:
    hidden = hide_rules(number)
    about = f"{hidden.sheet.id} {hidden.options}, says {hidden.record.rules.id} {hidden.record.rules.options}"
    return number, complaints(hidden), about


def main(records: int, first: int, workers: int, show: Callable[[str], None] = print) -> int:
    """Look for the rules of so many records; 1 if an answer was not as it must be."""
    kinds: Counter[str] = Counter()
    with ProcessPoolExecutor(workers) as pool:
        for number, wrong, about in pool.map(_examine, range(first, first + records), chunksize=4):
            kinds[wrong[0] if wrong else "right"] += 1
            if wrong:
                show(f"{number}: {about}: {'; '.join(wrong)}")
    show(f"{records:,} records: {kinds['right']:,} with the right answers")
    return int(kinds["right"] < records)
