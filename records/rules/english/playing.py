"""Tricks and turns, the stock, the close."""

from typing import assert_never

from records.rules.english.phrases import at_most, join_words, number_word, plural
from records.rules.vocabulary import (
    FirstScored,
    Follow,
    MeldsFrom,
    NoTrumps,
    Phase,
    PhaseStep,
    RuleSheet,
    TurnUp,
    Until,
)


def explain_play(sheet: RuleSheet) -> list[str]:
    """Who begins, what wins, what may be played while there is a stock."""
    first = sheet.phases[0]
    if PhaseStep.TRICK not in first.steps:
        return [
            "The player after the dealer begins, and the turn passes round the table.",
            f"In a turn a player {join_words(_step(step, sheet) for step in first.steps)}.",
        ]
    return [
        "The player who did not deal leads to the first trick, the winner of a trick to the next.",
        _winning(sheet),
        _following(first.follow, "a card led"),
    ]


def _step(step: PhaseStep, sheet: RuleSheet) -> str:
    match step:
        case PhaseStep.TRICK:
            return "plays a trick"
        case PhaseStep.DECLARE:
            return "may declare"
        case PhaseStep.DRAW:
            return "draws a card"
        case PhaseStep.DRAW_UP:
            return f"draws up to {_full_hand(sheet)}"
        case PhaseStep.COMBINE:
            return "may score one combination"
        case PhaseStep.DISCARD:
            return "lays one card on the pile of its rank"
        case _:
            assert_never(step)


def _full_hand(sheet: RuleSheet) -> str:
    full = sheet.tableau.draw_up_to if sheet.tableau else sheet.hand
    usual = max(full.values())
    fewer = [
        f"{number_word(cards)} with {number_word(players)} players"
        for players, cards in full.items()
        if cards != usual
    ]
    return plural(usual, "card") + (f" ({join_words(fewer)})" if fewer else "")


def _winning(sheet: RuleSheet) -> str:
    match sheet.trumps:
        case TurnUp():
            rule = "The highest trump wins the trick, or else the highest card of the suit led"
        case FirstScored():
            rule = (
                "The highest card of the suit led wins the trick, or, once there are trumps, the"
                " highest trump"
            )
        case NoTrumps():
            rule = "The highest card of the suit led wins the trick"
        case _:
            assert_never(sheet.trumps)
    return rule + ("; of two equal cards the first." if sheet.pack.copies > 1 else ".")


def _following(follow: Follow, led: str) -> str:
    match follow:
        case Follow.ANY:
            return f"Any card may be played to {led}."
        case Follow.HEAD:
            return (
                "The second player must follow suit, and with a card that wins if able; without the"
                " suit, must trump; without trumps either, may play anything."
            )
        case Follow.SUIT:
            return (
                "The second player must follow suit but need not win, except that a trump led must"
                " be beaten if able; without the suit, must trump; without trumps either, may play"
                " anything."
            )
        case _:
            assert_never(follow)


def explain_draw(sheet: RuleSheet) -> list[str]:
    """How hands are filled up from the stock."""
    steps = sheet.phases[0].steps
    if PhaseStep.DRAW_UP in steps:
        return ["When the stock is too small to fill a hand, the player takes what is left."]
    if PhaseStep.DRAW not in steps:
        return []
    told = ["After each trick its winner takes a card from the stock, then the loser."]
    if isinstance(sheet.trumps, TurnUp):
        told.append("At the last draw the winner takes the last card, the loser the turn-up.")
    return told


def explain_close(sheet: RuleSheet) -> list[str]:
    """What changes when the stock is gone."""
    return [sentence for phase in sheet.phases[1:] for sentence in _after_the_stock(phase, sheet)]


def _after_the_stock(phase: Phase, sheet: RuleSheet) -> list[str]:
    if PhaseStep.TRICK not in phase.steps:
        turn = join_words(_step(step, sheet) for step in phase.steps)
        return [
            "The turn that takes the last card of the stock is a whole one.",
            f"Later a player {turn} in each turn, and one without cards is passed over.",
            _until(phase.until),
        ]
    captured = sheet.melds_from is MeldsFrom.CAPTURED
    return [
        *([] if captured else _take_back()),
        _following(phase.follow, "a card led"),
        *_without_trumps(sheet, phase),
        _late_melds(phase, to_the_end=captured),
        _until(phase.until),
    ]


def _without_trumps(sheet: RuleSheet, phase: Phase) -> list[str]:
    """What is owed where nobody has made trumps (ruling A-13)."""
    if not isinstance(sheet.trumps, FirstScored) or phase.follow is Follow.ANY:
        return []
    return ["As long as there are no trumps, a player without the suit may play anything."]


def _take_back() -> list[str]:
    return ["When the stock is gone, both players take their melded cards back into the hand."]


def _late_melds(phase: Phase, *, to_the_end: bool) -> str:
    if PhaseStep.DECLARE not in phase.steps or phase.melds == 0:
        return "Nothing is melded any more."
    last = ", and after the last trick too" if to_the_end else ""
    return f"The winner of a trick may still score {at_most(phase.melds)} before leading{last}."


def _until(until: Until) -> str:
    match until:
        case Until.STOCK_EMPTY:
            return "So it goes until the stock is empty."
        case Until.HANDS_EMPTY:
            return "The deal is over when the hands are empty."
        case _:
            assert_never(until)
