"""Checks of what a record says of the whole game."""

from typing import Any

import msgspec

from records.record import Result
from records.validate.breach import Breach


def check_game(
    result: Result | None,
    scores: list[int],
    winner: int | None,
    *,
    complete: bool,
    settled: bool,
    whole: bool,
) -> list[Breach]:
    """The result claimed against the result computed; `whole` says whether every deal was played out."""
    if result is None:
        return []
    found = []
    if whole and result.scores is not None:
        found += _scores(result.scores, scores)
    if complete and result.winner is not msgspec.UNSET:
        found += _winner(result.winner, winner)
    if result.settlement is not None and not settled:
        found.append(
            Breach(
                code="settlement-not-in-rules",
                message="A settlement is claimed; this game is a race to a number of points and has none.",
                found=_versus(result.settlement),
                pointer="/result/settlement",
            )
        )
    if result.status is not None:
        found += _status(result.status, complete=complete)
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
    said = "nobody" if claimed is None else f"side {claimed}"
    return [
        Breach(
            code="wrong-winner",
            message=f"The record names {said} the winner; it is side {computed}.",
            expected=f"side {computed}",
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
