"""Where luck and skill came from, in words: the parts of a result, and the draws and choices that made most of them."""

from collections.abc import Sequence
from typing import NamedTuple

from analyzer.annotate.luck.luck import SKILL_PARTS, LuckBreakdown, Swing
from analyzer.annotate.signed_points import signed_points, signed_tenths
from records.cards import card_sign
from records.event_words import describe_event
from records.events import AnyEvent, Draw, Play

MOST_SWINGS_TOLD = 3
"""So many draws are told, and so many choices."""
STANDARD_ERRORS_TO_TELL = 2
"""What is told is so many standard errors from nothing."""


class PartOfResult(NamedTuple):
    """A part in words, its points for the player named first, the standard error."""

    words: str
    points: float
    error: float


class SwingText(NamedTuple):
    """A draw or a choice in words, its points in words, the event it belongs to.

    What was drawn or passed over is to be seen `after` that event, what was chosen before it.
    """

    event: int
    after: bool
    words: str
    worth: str


def parts_of_result(luck: LuckBreakdown, names: Sequence[str]) -> list[PartOfResult]:
    """The parts of a result in their order; they add up to it. The rest only where there is one."""
    values = [luck.base, luck.deal, luck.draws, luck.skill[0], 0 - luck.skill[1], luck.remainder]
    words = [
        "such a deal on average", "the cards dealt", "the cards drawn",
        f"what {names[0]} chose", f"what {names[1]} chose", "the rest",
    ]  # fmt: skip
    parts = list(map(PartOfResult, words, values, luck.errors))
    return parts if luck.remainder else parts[:-1]


def describe_greatest_draws(
    luck: LuckBreakdown, events: Sequence[AnyEvent], names: Sequence[str], least: int
) -> list[SwingText]:
    """The draws that changed most, by so many points or more; the greatest change first."""
    return [
        SwingText(swing.event, True, _drawn(swing, events, names), _for_whom(swing, names))
        for swing in _greatest([swing for swing in luck.swings if swing.part == "draws"], least)
    ]


def describe_greatest_choices(
    luck: LuckBreakdown, events: Sequence[AnyEvent], names: Sequence[str], least: int
) -> list[SwingText]:
    """The choices that changed most in the eyes of the roll-outs; the greatest change first."""
    return [
        SwingText(swing.event, swing.passed, _chosen(swing, events, names), _for_chooser(swing))
        for swing in _greatest([swing for swing in luck.swings if swing.part in SKILL_PARTS], least)
    ]


def describe_luck(luck: LuckBreakdown, names: Sequence[str]) -> str:
    """Where a result came from, as a sentence."""
    parts = parts_of_result(luck, names)
    said = [f"{signed_tenths(part.points)} {part.words} (± {part.error:.1f})" for part in parts]
    result = signed_points(luck.result)
    return (
        f"Luck and skill for {names[0]}: {', '.join(said)}: {result}. "
        f"By {luck.rollouts} roll-outs of every position by simple players; ± is the standard error."
    )


def _greatest(swings: list[Swing], least: int) -> list[Swing]:
    sure = [
        each
        for each in swings
        if abs(each.points) >= max(least, STANDARD_ERRORS_TO_TELL * each.error)
    ]
    return sorted(sure, key=lambda swing: -abs(swing.points))[:MOST_SWINGS_TOLD]


def _drawn(swing: Swing, events: Sequence[AnyEvent], names: Sequence[str]) -> str:
    pair = events[max(swing.event - 1, 0) : swing.event + 1]
    cards = [
        f"{names[each.seat]} {card_sign(each.card)}" for each in pair if isinstance(each, Draw)
    ]
    return f"{_after(swing, events)}: {', '.join(cards) or 'both draw'}"


def _chosen(swing: Swing, events: Sequence[AnyEvent], names: Sequence[str]) -> str:
    event = events[swing.event]
    if swing.passed:
        who = names[SKILL_PARTS.index(swing.part)]
        return f"{_after(swing, events)}: {who} passes over what could have scored"
    said = describe_event(event, names).rstrip(".")
    if isinstance(event, Play):
        return f"Trick {(_played(swing, events) + 1) // 2}: {said}"
    return f"{_after(swing, events)}: {said}"


def _after(swing: Swing, events: Sequence[AnyEvent]) -> str:
    tricks = _played(swing, events) // 2
    return f"After trick {tricks}" if tricks else "Before the first trick"


def _played(swing: Swing, events: Sequence[AnyEvent]) -> int:
    return sum([isinstance(each, Play) for each in events[: swing.event + 1]])


def _for_whom(swing: Swing, names: Sequence[str]) -> str:
    who = names[0] if swing.points > 0 else names[1]
    return f"{abs(swing.points):.0f} ± {swing.error:.0f} for {who}"


def _for_chooser(swing: Swing) -> str:
    """For whoever chose: what seat 1 gains counts against seat 0."""
    own = swing.points if swing.part == SKILL_PARTS[0] else 0 - swing.points
    return f"{signed_points(round(own))} ± {swing.error:.0f}"
