"""Checks of what a record claims about the whole game."""

from typing import Any, NamedTuple

import msgspec

from records.phrases import list_scores
from records.record import Result
from records.validate.breach import Breach, make_breach


class ComputedResult(NamedTuple):
    """The result of a game by the rules.

    `whole` says whether every deal was played out, `known` whether no unknown card leaves it open.
    """

    scores: list[int]
    settlement: list[int] | None
    winner: int | None
    complete: bool
    settles: bool
    whole: bool
    known: bool


def check_game(result: Result | None, outcome: ComputedResult) -> list[Breach]:
    """The result claimed against the result computed."""
    if result is None:
        return []
    breaches = []
    if outcome.whole and result.scores is not None:
        breaches += _scores(result.scores, outcome.scores)
    if outcome.complete and outcome.known and result.winner is not msgspec.UNSET:
        breaches += _winner(result.winner, outcome.winner)
    if result.settlement is not None:
        breaches += _settlement(result.settlement, outcome)
    if result.status is not None and outcome.known:
        breaches += _status(result.status, complete=outcome.complete)
    return breaches


def _settlement(claimed: list[int], outcome: ComputedResult) -> list[Breach]:
    pointer = "/result/settlement"
    found = list_scores(claimed)
    if not outcome.settles:
        return [make_breach("settlement-not-in-rules", found=found, pointer=pointer)]
    if not outcome.whole or outcome.settlement is None or claimed == outcome.settlement:
        return []
    expected = list_scores(outcome.settlement)
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


def _winner(claimed: Any, computed: int | None) -> list[Breach]:
    if claimed == computed:
        return []
    found, expected = ("nobody" if side is None else f"side {side}" for side in (claimed, computed))
    return [make_breach("wrong-winner", expected=expected, found=found, pointer="/result/winner")]


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
