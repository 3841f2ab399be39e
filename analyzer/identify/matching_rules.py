"""Find the rules a record was played by: try every sheet, and change its options one by one.

A set of rules is *accepted* if nothing in the record breaks it and every claim in the record agrees with it.
The options of a sheet are searched greedily from its defaults, the best single change first. Where several
values of an option are accepted, the record leaves that option open, and the answer says so.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from math import inf
from time import monotonic
from typing import NamedTuple

import msgspec

from records.errors import RulesError
from records.record import Record, Rules
from records.replay import Frame, replay
from records.rules.registry import (
    ALL_SHEETS,
    own_sheets,
    permits,
    resolve_rules,
    sheet_of_rules,
)
from records.rules.vocabulary import ChoiceOption, NumberOption, RuleOptionValue, RuleSheet
from records.validate.finding import CUT_SHORT_CLAUSE, MOST_STEPS_A_RECORD, Finding, StepBudget
from records.validate.report import Report
from records.validator import Validator

MOST_OPTIONS_CHANGED = 6
"""Options that may differ from a sheet's defaults at most."""
MOST_DIFFERENCES_SHOWN = 3
TARGET_STEP_POINTS = 100
"""Targets of a match are searched in steps of so many points."""
MOST_READINGS_AFTER_BREACH = 64
"""Readings followed in a deal after its first breach: under the wrong rules they number ten thousands."""

STEPS_IN_A_HURRY = MOST_STEPS_A_RECORD // 25
"""What may be searched under a sheet that is tried when the time is over."""
MOST_IDENTIFICATION_STEPS = len(ALL_SHEETS) * MOST_STEPS_A_RECORD
"""What is searched in a record under all rules together: under every sheet as much as if it were checked alone, once."""

OptionSettings = dict[str, RuleOptionValue]
Misfit = tuple[int, int, int]
"""How badly rules fit, least is best: minus the events before breaches, then breaches, then mismatches."""


class RulesCandidate(msgspec.Struct):
    """A sheet with the options under which a record fits it best.

    Of the record's `events`, so many are `followed`: those before the first breach of their deal. By this the sheets
    are compared. `breaches` and `mismatches` count what does not fit; as a deal may be broken off after a breach,
    these counts of different sheets cannot be compared, and there may be more breaches unless `all_told`. `differs`
    lists the first of what does not fit, each code once. `open` names the options of which other values are
    accepted too, alone or together with another value of one more option.
    `cut_short` says that options were left untried, or like cards untold, because that would have cost too much.
    """

    sheet: str
    name: str
    options: OptionSettings
    accepted: bool
    breaches: int
    mismatches: int
    differs: list[Finding]
    followed: int
    events: int
    all_told: bool = True
    open: list[str] = []
    cut_short: bool = False


class _Limits:
    """What the search may cost: all rules that are tried share a budget, and all searching stops at a time.

    `stopped` says whether something was left untried since it was last set to False.
    """

    def __init__(self, until: float) -> None:
        self.budget = StepBudget(MOST_IDENTIFICATION_STEPS)
        self.stopped = False
        self._until = until

    @property
    def is_late(self) -> bool:
        """Whether the time is over."""
        return monotonic() > self._until

    def allow(self) -> bool:
        """Whether something more may be tried."""
        allowed = self.budget.left > 0 and not self.is_late
        self.stopped = self.stopped or not allowed
        return allowed


def identify_rules(record: Record, *, until: float = inf) -> list[RulesCandidate]:
    """Every sheet, and the one that the record carries: those that accept the record first, then the best fit first.

    Of sheets that fit equally well, the record's own rules come first, then those with the fewest options changed.
    The sheets share the time and a budget of steps: each is tried as it is, then the options of those that fit best.
    All searching stops at the time `until`, on the clock of `time.monotonic`, or when the budget has ended.
    """
    limits = _Limits(until)
    sheets = _sheets_to_try(record)
    plain = [_PlainFit.of(record, sheet, limits) for sheet in sheets]
    found = [_best_fit(record, fit, limits) for fit in sorted(plain, key=lambda fit: fit.cost)]
    order = [sheet.id for sheet in sheets]
    own = next((fit.sheet for fit in plain if fit.sheet.id == record.rules.id), None)
    named = None if own is None else (own.id, _own_options(record, own))

    def place(entry: tuple[Misfit, RulesCandidate]) -> tuple[Misfit, bool, int, int]:
        cost, candidate = entry
        is_named = (candidate.sheet, candidate.options) == named
        return cost, not is_named, len(candidate.options), order.index(candidate.sheet)

    return [candidate for _, candidate in sorted(found, key=place)]


def _sheets_to_try(record: Record) -> list[RuleSheet]:
    """The published sheets, the one that the record carries, and others of one's own with other ids."""
    own = {sheet.id: sheet for sheet in own_sheets()}
    if record.rules.sheet is not None:
        with suppress(RulesError):
            own[record.rules.id] = sheet_of_rules(record.rules)
    return [*ALL_SHEETS, *own.values()]


class _PlainFit(NamedTuple):
    """A sheet with the options that it has by itself, and how badly it fits."""

    sheet: RuleSheet
    report: Report | None
    cost: Misfit

    @classmethod
    def of(cls, record: Record, sheet: RuleSheet, limits: _Limits) -> "_PlainFit":
        """Try the sheet; once the time is over, with few steps."""
        hurried = StepBudget(STEPS_IN_A_HURRY)
        report = _report_under(record, sheet, {}, hurried if limits.is_late else limits.budget)
        return cls(sheet, report, _misfit(report))


def _best_fit(record: Record, plain: _PlainFit, limits: _Limits) -> tuple[Misfit, RulesCandidate]:
    """The options of a sheet that fit best."""
    options: OptionSettings = {}
    sheet, report, cost = plain
    limits.stopped = _is_cut_short(report)
    own = _own_options(record, sheet)
    for fitting in _tried(record, sheet, [own] if own else [], limits):
        # Where nothing speaks against what the record says of itself, nothing else is proposed.
        if fitting[0] == (0, 0, 0):
            cost, options, report = fitting
    for _ in range(MOST_OPTIONS_CHANGED):
        if cost == (0, 0, 0) or report is None or report.verdict == "unreadable":
            break
        candidates = _better_settings(record, sheet, options, report, limits)
        best = min(candidates, key=lambda entry: entry[0], default=None)
        if best is None or best[0] >= cost:
            break
        cost, options, report = best
    accepted = cost == (0, 0, 0)
    is_open = _left_open(record, sheet, options, limits) if accepted else []
    return cost, RulesCandidate(
        sheet=sheet.id,
        name=sheet.name,
        options=options,
        accepted=accepted,
        breaches=cost[1],
        mismatches=cost[2],
        differs=_worst(report.findings if report else []),
        followed=_count_followed(record, report),
        events=sum(len(deal.events) for deal in record.deals),
        all_told=not (report and report.assignments and report.assignments.capped),
        open=is_open,
        cut_short=limits.stopped,
    )


def _own_options(record: Record, sheet: RuleSheet) -> OptionSettings:
    """The options of the record that this sheet has, too, and that are not its defaults."""
    given = record.rules.options or {}
    return {
        option.name: given[option.name]
        for option in sheet.options
        if option.name in given
        if permits(option, given[option.name]) and given[option.name] != option.default
    }


def _tried(
    record: Record, sheet: RuleSheet, changes: Iterable[OptionSettings], limits: _Limits
) -> Iterator[tuple[Misfit, OptionSettings, Report]]:
    """How badly each of these settings fits, as far as they may be tried; a report that is cut short proves nothing."""
    for changed in changes:
        if not limits.allow():
            return
        report = _report_under(record, sheet, changed, limits.budget)
        if _is_cut_short(report):
            limits.stopped = True
        elif report is not None:
            yield _misfit(report), changed, report


def _report_under(
    record: Record,
    sheet: RuleSheet,
    options: OptionSettings,
    budget: StepBudget,
) -> Report | None:
    """The report under other rules; None if the options contradict each other."""
    validator = _validator(record, sheet, options, budget)
    if validator.resolved is None:
        return None
    for frame in _frames(validator):
        validator.see(frame)
        if frame.tainted:
            frame.table.tracking.limit = MOST_READINGS_AFTER_BREACH
    return validator.report()


def _fits(record: Record, sheet: RuleSheet, options: OptionSettings, limits: _Limits) -> bool:
    """Whether other rules accept a record; it stops reading at the first thing that does not fit."""
    validator = _validator(record, sheet, options, limits.budget)
    for frame in _frames(validator):
        validator.see(frame)
        if _worst(validator.findings):
            validator.spend_budget()
            return False
    report = validator.report()
    if _is_cut_short(report):
        limits.stopped = True
        return False
    return not _worst(report.findings)


def _is_cut_short(report: Report | None) -> bool:
    """Whether less was searched than if the record were checked alone, and it mattered."""
    return report is not None and any(
        [finding.clause == CUT_SHORT_CLAUSE for finding in report.findings]
    )


def _validator(
    record: Record, sheet: RuleSheet, options: OptionSettings, budget: StepBudget
) -> Validator:
    rules = _rules_of(record, sheet, options)
    changed = msgspec.structs.replace(record, rules=rules, lines=None)
    return Validator(changed, reconcile=False, budget=budget)


def _rules_of(record: Record, sheet: RuleSheet, options: OptionSettings) -> Rules:
    """The sheet with these options as a record names it, with the rulebook that this one carries."""
    inner = record.rules.sheet if sheet.id == record.rules.id else None
    return Rules(id=sheet.id, options=options, sheet=inner)


def _frames(validator: Validator) -> Iterator[Frame]:
    """The frames with findings; none if the record cannot be one of this game."""
    if validator.match is not None:
        yield from replay(
            validator.record, match=validator.match, findings_only=True, few_readings=True
        )


def _misfit(report: Report | None) -> Misfit:
    """How badly a report fits; the later the first breach of a deal, the better."""
    if report is None or report.verdict == "unreadable":
        return (1 << 30, 1, 0)
    first_breaches = _first_breaches(report)
    # Every deal with a breach costs more than the events before breaches can make up for.
    legal_events = sum(first_breaches.values()) - len(first_breaches) * (1 << 13)
    severities = [finding.severity for finding in report.findings]
    return (-legal_events, severities.count("illegal"), severities.count("mismatch"))


def _first_breaches(report: Report) -> dict[int, int]:
    """The event of the first breach of every deal that has one, 0 for the deal itself."""
    first: dict[int, int] = {}
    for finding in report.findings:
        if finding.severity == "illegal" and finding.at.deal is not None:
            first.setdefault(finding.at.deal, finding.at.event or 0)
    return first


def _count_followed(record: Record, report: Report | None) -> int:
    """How many events of a record come before the first breach of their deal."""
    if report is None or report.verdict == "unreadable":
        return 0
    first = _first_breaches(report)
    return sum(first.get(number, len(deal.events)) for number, deal in enumerate(record.deals))


def _better_settings(
    record: Record, sheet: RuleSheet, options: OptionSettings, report: Report, limits: _Limits
) -> list[tuple[Misfit, OptionSettings, Report]]:
    """What every setting that differs in one option comes to; where the cards are not those of the game, those that mend this."""
    changes = _changes(record, sheet, options)
    if not _has_other_cards(report):
        return list(_tried(record, sheet, changes, limits))
    packs = _with_other_packs(record, sheet, options, changes)
    return [each for each in _tried(record, sheet, packs, limits) if not _has_other_cards(each[2])]


def _has_other_cards(report: Report) -> bool:
    """Whether the record has cards that the pack of the game does not have."""
    return any(
        [finding.code in ("card-not-in-pack", "too-many-copies") for finding in report.findings]
    )


def _with_other_packs(
    record: Record, sheet: RuleSheet, options: OptionSettings, changes: Iterable[OptionSettings]
) -> Iterator[OptionSettings]:
    """The settings under which the game has another pack than under these options."""

    def pack_under(settings: OptionSettings) -> object:
        with suppress(RulesError):
            return resolve_rules(_rules_of(record, sheet, settings)).sheet.rules.pack
        return None

    pack = pack_under(options)
    yield from (changed for changed in changes if pack_under(changed) not in (None, pack))


def _changes(record: Record, sheet: RuleSheet, options: OptionSettings) -> Iterator[OptionSettings]:
    """Every setting that differs in one option."""
    for option in sheet.options:
        for value in _values(record, option):
            if value != options.get(option.name, option.default):
                changed = {**options, option.name: value}
                if value == option.default:
                    del changed[option.name]
                yield changed


def _values(record: Record, option: ChoiceOption | NumberOption) -> list[RuleOptionValue]:
    """The values worth trying; for a number, those that the final scores suggest."""
    if isinstance(option, ChoiceOption):
        return list(option.permitted)
    scores = record.result.scores if record.result and record.result.scores else []
    highest = max(scores, default=option.default)
    below = highest // TARGET_STEP_POINTS * TARGET_STEP_POINTS
    above = max(below, option.default) + TARGET_STEP_POINTS
    # Of a match that was broken off, the last two show that it leaves its target open.
    beyond = (above, above + TARGET_STEP_POINTS)
    values = [option.default, below, highest, below + TARGET_STEP_POINTS, *beyond]
    return [value for value in dict.fromkeys(values) if option.least <= value <= option.most]


def _left_open(
    record: Record, sheet: RuleSheet, options: OptionSettings, limits: _Limits
) -> list[str]:
    """The options that, changed alone or together with one other, are accepted as well, as far as they may be tried."""
    found: dict[str, None] = {}
    failed = []
    for changed in _changes(record, sheet, options):
        if not limits.allow():
            return list(found)
        if _fits(record, sheet, changed, limits):
            found |= dict.fromkeys(_differing(changed, options))
        else:
            failed.append(changed)
    for pair in _pairs_of_changes(record, sheet, options, failed):
        names = _differing(pair, options)
        if found.keys() >= set(names):
            continue
        if not limits.allow():
            break
        if _fits(record, sheet, pair, limits):
            found |= dict.fromkeys(names)
    return list(found)


def _pairs_of_changes(
    record: Record, sheet: RuleSheet, options: OptionSettings, failed: list[OptionSettings]
) -> Iterator[OptionSettings]:
    """Every setting that differs in two options, of which one does not fit alone: the other may have hidden it."""
    seen: set[frozenset[tuple[str, RuleOptionValue]]] = set()
    for changed in failed:
        for pair in _changes(record, sheet, changed):
            key = frozenset(pair.items())
            if len(_differing(pair, options)) == 2 and key not in seen:
                seen.add(key)
                yield pair


def _differing(options: Mapping[str, object], others: Mapping[str, object]) -> list[str]:
    return [name for name in {**options, **others} if options.get(name) != others.get(name)]


def _worst(findings: list[Finding]) -> list[Finding]:
    """The first findings of every code that does not fit, the most serious first."""
    rank = {"unreadable": 0, "illegal": 1, "mismatch": 2}
    first: dict[str, Finding] = {}
    for finding in findings:
        if finding.severity in rank:
            first.setdefault(finding.code, finding)
    by_rank = sorted(first.values(), key=lambda finding: rank[finding.severity])
    return by_rank[:MOST_DIFFERENCES_SHOWN]
