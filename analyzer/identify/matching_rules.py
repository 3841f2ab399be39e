"""Which rules a record was played by: every sheet is tried, its options turned one by one.

A set of rules is *accepted* if nothing in the record breaks it and every number in the record is what it
gives. The options of a sheet are searched from its defaults, the best single change first: that finds what a
record shows, and where several settings do as well, it says which options the record leaves open.
"""

from collections.abc import Iterator, Mapping
from math import inf
from time import monotonic

import msgspec

from records.record import Record, Rules
from records.replay import Frame, replay
from records.rules.registry import ALL_SHEETS
from records.rules.vocabulary import ChoiceOption, NumberOption, RuleOptionValue, RuleSheet
from records.validate.finding import Finding
from records.validate.report import Report
from records.validator import Validator

MOST_OPTIONS_CHANGED = 6
"""So many options may differ from a sheet's defaults."""
MOST_DIFFERENCES_TOLD = 3
"""So many differences are told."""
TARGET_STEP_POINTS = 100
MOST_READINGS_AFTER_BREACH = 64
"""So many ways to tell like cards apart are followed in a deal once something in it is illegal: by rules
that are not its own they come by the ten thousand."""

OptionSettings = dict[str, RuleOptionValue]
Misfit = tuple[int, int, int]


class RulesCandidate(msgspec.Struct):
    """A sheet with the options under which a record fits it best.

    `breaches` and `mismatches` are what is left, `differs` the first of them; there may be more breaches
    if not `all_told`. `open` are the options of which other values are accepted as well.
    """

    sheet: str
    name: str
    options: OptionSettings
    accepted: bool
    breaches: int
    mismatches: int
    differs: list[Finding]
    all_told: bool = True
    open: list[str] = []


def identify_rules(record: Record, *, until: float = inf) -> list[RulesCandidate]:
    """Every sheet, those that accept the record first, then by how little differs.

    After the time `until`, as `time.monotonic` tells it, options are not searched any more.
    """
    found = [_best(record, sheet, until) for sheet in ALL_SHEETS]
    return [candidate for _, candidate in sorted(found, key=lambda each: each[0])]


def _best(record: Record, sheet: RuleSheet, until: float) -> tuple[Misfit, RulesCandidate]:
    """The options of a sheet that fit best."""
    options: OptionSettings = {}
    report = _report_under(record, sheet, options)
    cost = _misfit(report)
    for _ in range(MOST_OPTIONS_CHANGED):
        if cost == (0, 0, 0) or _hopeless(report) or monotonic() > until:
            break
        tried = [
            (_misfit(after), changed, after)
            for changed in _changes(record, sheet, options)
            if (after := _report_under(record, sheet, changed)) is not None
        ]
        best = min(tried, key=lambda each: each[0], default=None)
        if best is None or best[0] >= cost:
            break
        cost, options, report = best
    accepted = cost == (0, 0, 0)
    return cost, RulesCandidate(
        sheet=sheet.id,
        name=sheet.name,
        options=options,
        accepted=accepted,
        breaches=cost[1],
        mismatches=cost[2],
        differs=_worst(report.findings if report else []),
        all_told=not (report and report.assignments and report.assignments.capped),
        open=_left_open(record, sheet, options) if accepted and monotonic() < until else [],
    )


def _report_under(record: Record, sheet: RuleSheet, options: OptionSettings) -> Report | None:
    """The report by other rules; None if the options contradict each other."""
    reader = _reader(record, sheet, options)
    if reader.resolved is None:
        return None
    for frame in _frames(reader):
        reader.see(frame)
        if frame.tainted:
            frame.table.tracking.limit = MOST_READINGS_AFTER_BREACH
    return reader.report()


def _fits(record: Record, sheet: RuleSheet, options: OptionSettings) -> bool:
    """Whether other rules accept a record: it is read no further than something is wrong."""
    reader = _reader(record, sheet, options)
    for frame in _frames(reader):
        reader.see(frame)
        if _worst(reader.findings):
            return False
    return not _worst(reader.report().findings)


def _reader(record: Record, sheet: RuleSheet, options: OptionSettings) -> Validator:
    rules = Rules(id=sheet.id, options=options)
    return Validator(msgspec.structs.replace(record, rules=rules, lines=None), reconcile=False)


def _frames(reader: Validator) -> Iterator[Frame]:
    """The frames at which something is found; none if the record is not one of such a game."""
    if reader.match is not None:
        yield from replay(reader.record, match=reader.match, only=())


def _misfit(report: Report | None) -> Misfit:
    """What does not fit: how little of the deals is kept, breaches, numbers that differ."""
    if report is None or report.verdict == "unreadable":
        return (1 << 30, 1, 0)
    illegal = [finding for finding in report.findings if finding.severity == "illegal"]
    first: dict[int, int] = {}
    for finding in illegal:
        if finding.at.deal is not None:
            first.setdefault(finding.at.deal, finding.at.event or 0)
    kept = sum(first.values()) - len(first) * (1 << 13)
    wrong = sum([finding.severity == "mismatch" for finding in report.findings])
    return (-kept, len(illegal), wrong)


def _hopeless(report: Report | None) -> bool:
    """Whether no option can help: cards or players are not those of the game."""
    if report is None or report.verdict == "unreadable":
        return True
    return any(
        [finding.code in ("card-not-in-pack", "too-many-copies") for finding in report.findings]
    )


def _changes(record: Record, sheet: RuleSheet, options: OptionSettings) -> Iterator[OptionSettings]:
    """Every set of options that differs in one."""
    for option in sheet.options:
        for value in _values(record, option):
            if value != options.get(option.name, option.default):
                changed = {**options, option.name: value}
                if value == option.default:
                    del changed[option.name]
                yield changed


def _values(record: Record, option: ChoiceOption | NumberOption) -> list[RuleOptionValue]:
    """The values worth trying: of a number those that the scores suggest."""
    if isinstance(option, ChoiceOption):
        return list(option.values)
    scores = record.result.scores if record.result and record.result.scores else []
    most = max(scores, default=option.default)
    below = most // TARGET_STEP_POINTS * TARGET_STEP_POINTS
    above = max(below, option.default) + TARGET_STEP_POINTS
    tried = [option.default, below, most, below + TARGET_STEP_POINTS, above]
    return [value for value in dict.fromkeys(tried) if option.low <= value <= option.high]


def _left_open(record: Record, sheet: RuleSheet, options: OptionSettings) -> list[str]:
    """The options that might be otherwise, one at a time."""
    found: dict[str, None] = {}
    for changed in _changes(record, sheet, options):
        if _fits(record, sheet, changed):
            found |= dict.fromkeys(_differing(changed, options))
    return list(found)


def _differing(one: Mapping[str, object], other: Mapping[str, object]) -> list[str]:
    return [name for name in {**one, **other} if one.get(name) != other.get(name)]


def _worst(findings: list[Finding]) -> list[Finding]:
    """The first of what is wrong."""
    found = [f for f in findings if f.severity in ("unreadable", "illegal", "mismatch")]
    rank = {"unreadable": 0, "illegal": 1, "mismatch": 2}
    return sorted(found, key=lambda finding: rank[finding.severity])[:MOST_DIFFERENCES_TOLD]
