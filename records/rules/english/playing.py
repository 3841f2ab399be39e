"""Tricks, turns, draws and the close in sentences."""

from typing import assert_never

from records.phrases import count_in_words, join_words, number_word
from records.rules.english.vocabulary_phrases import FOLLOW_WORDS, at_most, usual_and_exceptions
from records.rules.vocabulary import (
    FirstMeld,
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
    """Who leads, which card wins, and what may be played while the stock lasts."""
    first = sheet.phases[0]
    if PhaseStep.TRICK not in first.steps:
        return [
            "The player after the dealer begins, and the turn passes round the table.",
            f"In a turn a player {join_words(_step(step, sheet) for step in first.steps)}.",
        ]
    return [
        "The player who did not deal leads to the first trick, the winner of a trick to the next.",
        _winning(sheet),
        _following(first.follow),
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
    sizes = sheet.tableau.draw_up_to if sheet.tableau else sheet.hand
    usual, exceptions = usual_and_exceptions(sizes)
    others = [
        f"{number_word(cards)} with {number_word(players)} players"
        for players, cards in exceptions.items()
    ]
    return count_in_words(usual, "card") + (f" ({join_words(others)})" if others else "")


def _winning(sheet: RuleSheet) -> str:
    match sheet.trumps:
        case TurnUp():
            rule = "The highest trump wins the trick; without a trump, the highest card of the suit led wins"
        case FirstMeld():
            rule = (
                "The highest card of the suit led wins the trick; once there are trumps, the highest"
                " trump wins"
            )
        case NoTrumps():
            rule = "The highest card of the suit led wins the trick"
        case _:
            assert_never(sheet.trumps)
    return rule + (". Of two equal cards, the first wins." if sheet.pack.copies > 1 else ".")


def _following(follow: Follow) -> str:
    words = FOLLOW_WORDS[follow]
    if follow is Follow.ANY:
        return f"The second player may play {words}."
    return f"The second player must {words}; a player who can do neither may play any card."


def explain_draw(sheet: RuleSheet) -> list[str]:
    """How hands are filled up from the stock."""
    steps = sheet.phases[0].steps
    if PhaseStep.DRAW_UP in steps:
        return [
            "When the stock is too small to fill a hand, the player takes the cards that are left."
        ]
    if PhaseStep.DRAW not in steps:
        return []
    sentences = ["After each trick the winner draws a card from the stock, then the loser."]
    if isinstance(sheet.trumps, TurnUp):
        sentences.append(
            "At the last draw the winner takes the last card of the stock and the loser the turn-up."
        )
    return sentences


def explain_close(sheet: RuleSheet) -> list[str]:
    """What changes when the stock is gone."""
    return [sentence for phase in sheet.phases[1:] for sentence in _after_the_stock(phase, sheet)]


def _after_the_stock(phase: Phase, sheet: RuleSheet) -> list[str]:
    if PhaseStep.TRICK not in phase.steps:
        turn = join_words(_step(step, sheet) for step in phase.steps)
        return [
            "The turn in which the last card of the stock is drawn is played in full.",
            f"After that, a player {turn} in each turn; a player without cards is skipped.",
            _until(phase.until),
        ]
    captured = sheet.melds_from is MeldsFrom.CAPTURED
    return [
        *([] if captured else _take_back()),
        _following(phase.follow),
        *_without_trumps(sheet, phase),
        _late_melds(phase, to_the_end=captured),
        _until(phase.until),
    ]


def _without_trumps(sheet: RuleSheet, phase: Phase) -> list[str]:
    """What the second player may play while nobody has made trumps (ruling A-13)."""
    if not isinstance(sheet.trumps, FirstMeld) or phase.follow is Follow.ANY:
        return []
    return ["As long as there are no trumps, a player without the suit may play any card."]


def _take_back() -> list[str]:
    return ["When the stock is empty, both players take their melded cards back into the hand."]


def _late_melds(phase: Phase, *, to_the_end: bool) -> str:
    if PhaseStep.DECLARE not in phase.steps or phase.melds == 0:
        return "Nobody melds any more."
    last = ", and after the last trick too" if to_the_end else ""
    return f"The winner of a trick may still score {at_most(phase.melds)} before leading{last}."


def _until(until: Until) -> str:
    match until:
        case Until.STOCK_EMPTY:
            return "This goes on until the stock is empty."
        case Until.HANDS_EMPTY:
            return "The deal is over when the hands are empty."
        case _:
            assert_never(until)
