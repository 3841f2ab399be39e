"""Suggest what would mend the habits of a program: a change made at every place of a habit, and what it leaves wrong.

A program that lets the loser draw first breaks a rule in every deal, so no single change makes a deal legal. Each
habit is changed everywhere at once, the commonest first, and the whole record is checked again. A change is suggested
only if it leaves fewer findings and brings no new ones, and those after it are made on top of it.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import inf
from time import monotonic
from typing import NamedTuple

import msgspec

from records.events import AnyEvent, Draw, Play
from records.record import Deal, Record
from records.validate.finding import Finding
from records.validate.groups import FoldedFindings, fold_findings
from records.validate.shared_budget import FREE_STEPS, SharedBudget
from records.validator import check_record

MOST_HABITS_CHANGED = 6
"""Changes that are made on top of each other, at most."""
MOST_HABIT_STEPS = 4 * FREE_STEPS
"""What telling copies apart may take in all checks of changed records together."""
FEWEST_PLACES = 2
"""A habit has at least so many places; one alone is a slip, for which single changes are tried."""


class HabitCorrection(msgspec.Struct):
    """A change at every place of a habit, in words (`says`), made after those before it.

    `code` is the habit's, `places` how often the change was made, `left` how many findings are left, notes aside,
    and `illegal` how many of them break a rule.
    """

    code: str
    says: str
    places: int
    left: int
    illegal: int


class MendedHabits(NamedTuple):
    """The changes that mend the habits of a record, and the record with all of them, which may be the record itself."""

    corrections: list[HabitCorrection]
    record: Record


ChangedEvents = list[AnyEvent] | None
"""The events of a deal after a change; None if there is nothing to change."""


def mend_habits(record: Record, findings: Sequence[Finding], *, until: float = inf) -> MendedHabits:
    """Changes for the habits among the findings on a record, each on top of those before.

    The search stops at the time `until`, on the clock of `time.monotonic`, or when its budget of steps has ended.
    """
    budget = SharedBudget(steps=MOST_HABIT_STEPS, grows=False)
    suggested: list[HabitCorrection] = []
    current = _without_notes(findings)
    while len(suggested) < MOST_HABITS_CHANGED:
        best = None
        for habit in _habits(current):
            if best is None and monotonic() < until and budget.left > 0:
                best = _best_change(record, habit, current, budget)
        if best is None:
            break
        correction, record, current = best
        suggested.append(correction)
    return MendedHabits(suggested, record)


def has_habits(findings: Sequence[Finding]) -> bool:
    """Whether there is a habit among these findings for which there is a change."""
    return bool(_habits(_without_notes(findings)))


def _without_notes(findings: Sequence[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.severity != "note"]


def _habits(findings: Sequence[Finding]) -> list[FoldedFindings]:
    """The habits among these findings for which there is a change, the commonest first."""
    folded = [
        group
        for group in fold_findings(findings)
        if len(group.findings) >= FEWEST_PLACES and (group.first.code in HABIT_CHANGES)
    ]
    return sorted(folded, key=lambda group: -len(group.findings) - group.count_consequences())


def _best_change(
    record: Record, habit: FoldedFindings, findings: Sequence[Finding], budget: SharedBudget
) -> tuple[HabitCorrection, Record, list[Finding]] | None:
    """The change of a habit that leaves the fewest of these findings, if it leaves fewer and brings no others."""
    best, most, known = None, len(findings), Counter(finding.code for finding in findings)
    for says, change in HABIT_CHANGES[habit.first.code]:
        changed, places = _change_everywhere(record, habit.findings, change)
        if not places:
            continue
        left = _without_notes(check_record(changed, budget=budget).findings)
        # A wrong change breaks a deal off, which leaves few findings, too: but of a new kind.
        if len(left) < most and Counter(finding.code for finding in left) <= known:
            most = len(left)
            illegal = sum(finding.severity == "illegal" for finding in left)
            best = HabitCorrection(habit.first.code, says, places, most, illegal), changed, left
    return best


def _change_everywhere(
    record: Record, findings: Sequence[Finding], change: Callable[[Deal, set[int]], ChangedEvents]
) -> tuple[Record, int]:
    """The record with a change at the events of these findings, and how many places that are."""
    places: dict[int, set[int]] = {}
    for finding in findings:
        if finding.at.deal is not None and finding.at.event is not None:
            places.setdefault(finding.at.deal, set()).add(finding.at.event)
    deals, count = [*record.deals], 0
    for number, events in places.items():
        changed = change(deals[number], events)
        if changed is not None:
            deals[number] = msgspec.structs.replace(deals[number], events=changed)
            count += len(events)
    return msgspec.structs.replace(record, deals=deals, lines=None, notes=None), count


def _draw_in_order(deal: Deal, places: set[int]) -> ChangedEvents:
    """The two draws at each place in the other order; everybody draws the same card."""
    events = [*deal.events]
    for index, first, second in _pairs_of_draws(events, places):
        events[index : index + 2] = [second, first]
    return events


def _change_who_draws(deal: Deal, places: set[int]) -> ChangedEvents:
    """The two draws at each place by the other player; the cards stay in their order."""
    events = [*deal.events]
    for index, first, second in _pairs_of_draws(events, places):
        events[index : index + 2] = [
            msgspec.structs.replace(first, seat=second.seat),
            msgspec.structs.replace(second, seat=first.seat),
        ]
    return events


def _pairs_of_draws(
    events: Sequence[AnyEvent], places: set[int]
) -> Iterator[tuple[int, Draw, Draw]]:
    """Two draws in a row that begin at one of these places."""
    for index in sorted(places):
        match events[index : index + 2]:
            case [Draw() as first, Draw() as second]:
                yield index, first, second
            case _:
                continue


def _leave_source_open(deal: Deal, places: set[int]) -> ChangedEvents:
    """The plays without what they say of where the card lay."""
    return [
        msgspec.structs.replace(event, source=None)
        if index in places and isinstance(event, Play)
        else event
        for index, event in enumerate(deal.events)
    ]


def _leave_out(deal: Deal, places: set[int]) -> ChangedEvents:
    """The events without those at these places."""
    return [event for index, event in enumerate(deal.events) if index not in places]


HabitChange = tuple[str, Callable[[Deal, set[int]], ChangedEvents]]

LEAVE_OUT: HabitChange = ("These events are left out", _leave_out)
HABIT_CHANGES: Mapping[str, Sequence[HabitChange]] = {
    "draw-out-of-turn": (
        ("The winner of the trick draws first, and everybody draws the same card", _draw_in_order),
        ("The winner of the trick draws first, the card that the loser drew", _change_who_draws),
    ),
    "not-on-table": (("These cards are played from the hand", _leave_source_open),),
    "not-in-hand": (("These cards are played from the table", _leave_source_open),),
    "dix-spent": (LEAVE_OUT,),
    "dix-not-in-rules": (LEAVE_OUT,),
    "dix-not-played": (LEAVE_OUT,),
    "dix-not-held": (LEAVE_OUT,),
    "dix-out-of-window": (LEAVE_OUT,),
    "event-after-end": (LEAVE_OUT,),
    "event-not-in-rules": (LEAVE_OUT,),
    "meld-after-close": (LEAVE_OUT,),
    "meld-by-loser": (LEAVE_OUT,),
    "meld-not-in-rules": (LEAVE_OUT,),
    "meld-out-of-window": (LEAVE_OUT,),
    "meld-reuses-cards": (LEAVE_OUT,),
    "too-many-melds": (LEAVE_OUT,),
    "wrong-cards-for-meld": (LEAVE_OUT,),
    "scored-twice": (LEAVE_OUT,),
    "score-not-earned": (LEAVE_OUT,),
    "trick-out-of-place": (LEAVE_OUT,),
    "wrong-trick-winner": (LEAVE_OUT,),
}
"""By code, the changes that may mend a habit, in words without a full stop: what is told, and what is made."""
