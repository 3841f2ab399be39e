"""Checks of what a record claims about the whole game."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from records.phrases import join_words, list_scores
from records.record import Result
from records.validate.breach import Breach, make_breach


class ComputedResult(NamedTuple):
    """The result of a game by the rules, as far as the cards tell it, or else the claims for its deals.

    `scores` are None where neither tell. The `settlements` and `winners` are those that are possible: one
    unless something is open. `complete` is None if it is open whether the match was played to its end.
    """

    scores: list[int] | None
    settlements: list[list[int]]
    winners: list[int | None]
    complete: bool | None
    settles: bool


def check_game(result: Result | None, outcome: ComputedResult) -> list[Breach]:
    """The result claimed against the result computed."""
    if result is None:
        return []
    breaches = []
    if outcome.scores is not None and result.scores is not None:
        breaches += _scores(result.scores, outcome.scores)
    if result.winner is not msgspec.UNSET:
        breaches += _winner(result.winner, outcome.winners)
    if result.settlement is not None:
        breaches += _settlement(result.settlement, outcome)
    if result.status is not None and outcome.complete is not None:
        breaches += _status(result.status, complete=outcome.complete)
    return breaches


def _settlement(claimed: list[int], outcome: ComputedResult) -> list[Breach]:
    pointer = "/result/settlement"
    found = list_scores(claimed)
    if not outcome.settles:
        return [make_breach("settlement-not-in-rules", found=found, pointer=pointer)]
    if not outcome.settlements or claimed in outcome.settlements:
        return []
    expected = _alternatives(list_scores(settlement) for settlement in outcome.settlements)
    return [make_breach("wrong-settlement", expected=expected, found=found, pointer=pointer)]


def _scores(claimed: list[int], computed: list[int]) -> list[Breach]:
    if claimed == computed:
        return []
    return [
        make_breach(
            "wrong-result-scores",
            expected=list_scores(computed),
            found=list_scores(claimed),
            pointer="/result/scores",
        )
    ]


def _winner(claimed: Any, winners: Sequence[int | None]) -> list[Breach]:
    if not winners or claimed in winners:
        return []
    found, *expected = (
        "nobody" if side is None else f"side {side}" for side in (claimed, *winners)
    )
    return [
        make_breach(
            "wrong-winner", expected=_alternatives(expected), found=found, pointer="/result/winner"
        )
    ]


def _alternatives(words: Iterable[str]) -> str:
    return join_words(list(dict.fromkeys(words)), "or")


def _status(claimed: str, *, complete: bool) -> list[Breach]:
    if (claimed == "complete") == complete:
        return []
    expected = "complete" if complete else "unfinished"
    return [
        make_breach(
            "wrong-status",
            clause=expected,
            expected=expected,
            found=claimed,
            pointer="/result/status",
        )
    ]
