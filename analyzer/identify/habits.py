"""Habits: what a program or a scorer does wrong again and again, as one sentence with its correction."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import inf
from time import monotonic
from typing import NamedTuple

import msgspec

from records.events import AnyEvent, Draw, Play
from records.phrases import capitalize_first, pluralize
from records.record import Deal, Record
from records.validate.finding import MOST_STEPS_A_RECORD, Finding, StepBudget
from records.validate.report import FoldedFindings, fold_findings
from records.validator import check_record

# What would mend the habits of a program: a change made at every place of a habit, and what it leaves wrong.
#
# A program that lets the loser draw first breaks a rule in every deal, so no single change makes a deal legal. Each
# habit is changed everywhere at once, the commonest first, and the whole record is checked again. A change is suggested
# only if it leaves fewer findings and brings no new ones, and those after it are made on top of it.

MOST_HABITS_CHANGED = 6
"""Changes that are made on top of each other, at most."""
MOST_HABIT_STEPS = 4 * MOST_STEPS_A_RECORD
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


class ChangedEvents(NamedTuple):
    """The events of a deal after a change, and how often it was made in the deal."""

    events: list[AnyEvent]
    changes: int


def mend_habits(
    record: Record, findings: Sequence[Finding], *, seconds: float = inf
) -> MendedHabits:
    """Changes for the habits among the findings on a record, each on top of those before.

    The search stops after so many seconds, or when its budget of steps has ended.
    """
    until = monotonic() + seconds
    budget = StepBudget(MOST_HABIT_STEPS)
    suggested: list[HabitCorrection] = []
    current = _without_notes(findings)
    while len(suggested) < MOST_HABITS_CHANGED:
        best = None
        for habit in _habits(current):
            if monotonic() >= until or budget.left <= 0:
                break
            best = _best_change(record, habit, current, budget)
            if best is not None:
                break
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
    return sorted(folded, key=lambda group: -group.explained)


def _best_change(
    record: Record, habit: FoldedFindings, findings: Sequence[Finding], budget: StepBudget
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
    """The record with a change at the events of these findings, and how often it was made."""
    places: dict[int, set[int]] = {}
    for finding in findings:
        if finding.at.deal is not None and finding.at.event is not None:
            places.setdefault(finding.at.deal, set()).add(finding.at.event)
    deals, count = [*record.deals], 0
    for number, events in places.items():
        changed = change(deals[number], events)
        deals[number] = msgspec.structs.replace(deals[number], events=changed.events)
        count += changed.changes
    return msgspec.structs.replace(record, deals=deals, lines=None, notes=None), count


def _draw_in_order(deal: Deal, places: set[int]) -> ChangedEvents:
    """The two draws at each place in the other order; everybody draws the same card."""
    events, pairs = [*deal.events], _pairs_of_draws(deal.events, places)
    for index, first, second in pairs:
        events[index : index + 2] = [second, first]
    return ChangedEvents(events, len(pairs))


def _change_who_draws(deal: Deal, places: set[int]) -> ChangedEvents:
    """The two draws at each place by the other player; the cards stay in their order."""
    events, pairs = [*deal.events], _pairs_of_draws(deal.events, places)
    for index, first, second in pairs:
        events[index : index + 2] = [
            msgspec.structs.replace(first, seat=second.seat),
            msgspec.structs.replace(second, seat=first.seat),
        ]
    return ChangedEvents(events, len(pairs))


def _pairs_of_draws(events: Sequence[AnyEvent], places: set[int]) -> list[tuple[int, Draw, Draw]]:
    """Two draws in a row that begin at one of these places, with the place of the first; no draw is in two pairs."""
    pairs: list[tuple[int, Draw, Draw]] = []
    for index in sorted(places):
        match events[index : index + 2]:
            case [Draw() as first, Draw() as second] if not pairs or index > pairs[-1][0] + 1:
                pairs.append((index, first, second))
            case _:
                continue
    return pairs


def _leave_source_open(deal: Deal, places: set[int]) -> ChangedEvents:
    """The plays without what they say of where the card lay."""
    events, count = [*deal.events], 0
    for index in places:
        event = events[index]
        if isinstance(event, Play) and event.source is not None:
            events[index] = msgspec.structs.replace(event, source=None)
            count += 1
    return ChangedEvents(events, count)


def _leave_out(deal: Deal, places: set[int]) -> ChangedEvents:
    """The events without those at these places."""
    left = [event for index, event in enumerate(deal.events) if index not in places]
    return ChangedEvents(left, len(deal.events) - len(left))


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


# What is wrong with a record, in one sentence: the cause that most of its findings follow from.


class MainCause(msgspec.Struct, frozen=True):
    """The main cause of what is wrong: a sentence, its finding code, and how many of all findings follow from it.

    Notes are no findings here. `seat` is the only one whose habit it is, None if it is of several, or no habit.
    """

    says: str
    code: str
    explained: int
    total: int
    seat: int | None


def find_main_cause(findings: Sequence[Finding]) -> MainCause | None:
    """The main cause among these findings; None if nothing is wrong."""
    wrong = [finding for finding in findings if finding.severity != "note"]
    if not wrong:
        return None
    main = max(fold_findings(wrong), key=lambda group: group.explained)
    return MainCause(
        _sentence(main, len(wrong)), main.first.code, main.explained, len(wrong), main.only_seat
    )


def _sentence(main: FoldedFindings, total: int) -> str:
    explained = main.explained
    if explained == 1:
        more = f" {pluralize(total - 1, 'other finding has a cause of its own', 'other findings have causes of their own')}."
        return main.first.message + (more if total > 1 else "")
    share = (
        f"all {total:,} findings follow"
        if explained == total
        else f"{explained:,} of {total:,} findings follow"
    )
    if len(main.findings) == 1:
        return f"{main.first.message} {capitalize_first(share)} from it."
    return f"{main.habit}: {share} from it."
