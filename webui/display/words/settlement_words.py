"""How a deal was settled, in sentences: who is rubiconed, and what each side receives."""

from collections.abc import Sequence

from records.phrases import join_words
from records.rules.settlement import is_rubiconed
from records.rules.vocabulary import OneDeal


def settlement_sentences(
    game: OneDeal,
    sides: Sequence[str],
    totals: Sequence[int],
    receives: Sequence[int],
    winner: int | None,
) -> list[str]:
    """Whether the loser is rubiconed, and what each side receives: `totals` are the points that were compared."""
    said = []
    if winner is not None and is_rubiconed(game, totals, receives, winner):
        loser = sides[1 - winner]
        said.append(f"{loser} has not reached {game.rubicon:,} points and is rubiconed.")
    received = [
        f"{side} receives {points:,}"
        for side, points in zip(sides, receives, strict=True)
        if points
    ]
    paid = f"Settlement: {join_words(received)}." if received else "Nobody receives anything."
    return [*said, paid]
