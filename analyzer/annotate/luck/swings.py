"""Luck and skill in words: the parts of a result, and the draws and decisions that changed it most."""

from collections.abc import Sequence
from typing import NamedTuple

from analyzer.annotate.luck.luck import SKILL_PARTS, LuckBreakdown, Swing
from analyzer.annotate.signed_points import signed_points, signed_tenths
from records.cards import card_sign
from records.event_words import describe_event
from records.events import AnyEvent, Draw, Play

MOST_SWINGS_SHOWN = 3
"""The most draws listed, and the most decisions."""
STANDARD_ERRORS_TO_TELL = 2
"""A swing is listed only if it is at least so many standard errors from zero."""


class PartOfResult(NamedTuple):
    """A part of a result in words, its points for the first player, and their standard error."""

    words: str
    points: float
    error: float


class SwingText(NamedTuple):
    """A draw or a decision in words, its points in words, and its event.

    A draw or a score passed up is seen `after` that event, a decision before it.
    """

    event: int
    after: bool
    words: str
    worth: str


def parts_of_result(luck: LuckBreakdown, names: Sequence[str]) -> list[PartOfResult]:
    """The parts of a result in order; they add up to it. The remainder is left out if it is 0."""
    values = [luck.base, luck.deal, luck.draws, luck.skill[0], 0 - luck.skill[1], luck.remainder]
    words = [
        "average deal", "the cards dealt", "the cards drawn",
        f"decisions of {names[0]}", f"decisions of {names[1]}", "the rest",
    ]  # fmt: skip
    parts = list(map(PartOfResult, words, values, luck.errors))
    return parts if luck.remainder else parts[:-1]


def describe_greatest_draws(
    luck: LuckBreakdown, events: Sequence[AnyEvent], names: Sequence[str], least: int
) -> list[SwingText]:
    """The draws that changed most, by at least so many points; the greatest change first."""
    return [
        SwingText(swing.event, True, _describe_draw(swing, events, names), _for_whom(swing, names))
        for swing in _greatest([swing for swing in luck.swings if swing.part == "draws"], least)
    ]


def describe_greatest_choices(
    luck: LuckBreakdown, events: Sequence[AnyEvent], names: Sequence[str], least: int
) -> list[SwingText]:
    """The decisions that changed most according to the roll-outs; the greatest change first."""
    return [
        SwingText(
            swing.event, swing.passed, _describe_decision(swing, events, names), _for_chooser(swing)
        )
        for swing in _greatest([swing for swing in luck.swings if swing.part in SKILL_PARTS], least)
    ]


def describe_luck(luck: LuckBreakdown, names: Sequence[str]) -> str:
    """Where a result came from, as two sentences."""
    parts = ", ".join(
        f"{signed_tenths(part.points)} {part.words} (± {part.error:.1f})"
        for part in parts_of_result(luck, names)
    )
    return (
        f"Luck and skill, in points for {names[0]}: {parts}; result {signed_points(luck.result)}. "
        f"Estimated from {luck.rollouts} roll-outs of every position by simple players; ± is the standard error."
    )


def _greatest(swings: list[Swing], least: int) -> list[Swing]:
    """The greatest swings of at least so many points that are certainly not 0."""
    certain = [
        swing
        for swing in swings
        if abs(swing.points) >= max(least, STANDARD_ERRORS_TO_TELL * swing.error)
    ]
    return sorted(certain, key=lambda swing: -abs(swing.points))[:MOST_SWINGS_SHOWN]


def _describe_draw(swing: Swing, events: Sequence[AnyEvent], names: Sequence[str]) -> str:
    pair = events[max(swing.event - 1, 0) : swing.event + 1]
    cards = [
        f"{names[event.seat]} {card_sign(event.card)}" for event in pair if isinstance(event, Draw)
    ]
    return f"{_after(swing, events)}: {', '.join(cards) or 'both draw'}"


def _describe_decision(swing: Swing, events: Sequence[AnyEvent], names: Sequence[str]) -> str:
    event = events[swing.event]
    if swing.passed:
        who = names[SKILL_PARTS.index(swing.part)]
        return f"{_after(swing, events)}: {who} passes up a score"
    text = describe_event(event, names).rstrip(".")
    if isinstance(event, Play):
        return f"Trick {(_cards_played(swing, events) + 1) // 2}: {text}"
    return f"{_after(swing, events)}: {text}"


def _after(swing: Swing, events: Sequence[AnyEvent]) -> str:
    tricks = _cards_played(swing, events) // 2
    return f"After trick {tricks}" if tricks else "Before the first trick"


def _cards_played(swing: Swing, events: Sequence[AnyEvent]) -> int:
    return sum([isinstance(each, Play) for each in events[: swing.event + 1]])


def _for_whom(swing: Swing, names: Sequence[str]) -> str:
    who = names[0] if swing.points > 0 else names[1]
    return f"{abs(swing.points):.0f} ± {swing.error:.0f} for {who}"


def _for_chooser(swing: Swing) -> str:
    """The points for the player who decided; swings are stored as seat 0's."""
    own = swing.points if swing.part == SKILL_PARTS[0] else 0 - swing.points
    return f"{signed_points(round(own))} ± {swing.error:.0f}"
