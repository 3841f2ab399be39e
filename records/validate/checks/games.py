"""Checks of what a record says of the whole game."""

from typing import Any, NamedTuple

import msgspec

from records.record import Result
from records.validate.breach import Breach


class ComputedResult(NamedTuple):
    """What a game came to by the rules.

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
    found = []
    if outcome.whole and result.scores is not None:
        found += _scores(result.scores, outcome.scores)
    if outcome.complete and outcome.known and result.winner is not msgspec.UNSET:
        found += _winner(result.winner, outcome.winner)
    if result.settlement is not None:
        found += _settlement(result.settlement, outcome)
    if result.status is not None and outcome.known:
        found += _status(result.status, complete=outcome.complete)
    return found


def _settlement(claimed: list[int], outcome: ComputedResult) -> list[Breach]:
    found: list[Breach] = []
    if not outcome.settles:
        found.append(
            Breach(
                code="settlement-not-in-rules",
                message="A settlement is claimed; this game is a race to a number of points and has none.",
                found=_versus(claimed),
                pointer="/result/settlement",
            )
        )
    elif outcome.whole and outcome.settlement is not None and claimed != outcome.settlement:
        found.append(
            Breach(
                code="wrong-settlement",
                message=f"The game is said to be settled {_versus(claimed)}; by the rules it is"
                f" {_versus(outcome.settlement)}.",
                expected=_versus(outcome.settlement),
                found=_versus(claimed),
                pointer="/result/settlement",
            )
        )
    return found


def _versus(scores: list[int]) -> str:
    return " : ".join(map(str, scores))


def _scores(claimed: list[int], computed: list[int]) -> list[Breach]:
    if claimed == computed:
        return []
    return [
        Breach(
            code="wrong-result-scores",
            message=f"The game is said to end {_versus(claimed)}; the deals add up to {_versus(computed)}.",
            expected=_versus(computed),
            found=_versus(claimed),
            pointer="/result/scores",
        )
    ]


def _winner(claimed: Any, computed: int | None) -> list[Breach]:
    if claimed == computed:
        return []
    said, truth = ("nobody" if side is None else f"side {side}" for side in (claimed, computed))
    return [
        Breach(
            code="wrong-winner",
            message=f"The record names {said} the winner; it is {truth}.",
            expected=truth,
            found=said,
            pointer="/result/winner",
        )
    ]


def _status(claimed: str, *, complete: bool) -> list[Breach]:
    if (claimed == "complete") == complete:
        return []
    truth = (
        "is finished" if complete else "is not finished: no side has won it at the end of a deal"
    )
    return [
        Breach(
            code="wrong-status",
            message=f"The record calls the game {claimed}; by the rules it {truth}.",
            expected="complete" if complete else "unfinished",
            found=claimed,
            pointer="/result/status",
        )
    ]
