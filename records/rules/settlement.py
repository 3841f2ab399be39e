"""Who wins a match: a race to a target (A-11), or one deal and its settlement (C15) with brisques and bonus."""

from collections.abc import Sequence
from typing import NamedTuple

from records.rules.vocabulary import OneDeal, RaceTo, Rounding


def race_target(game: RaceTo, seats: int) -> int:
    """The points that win a race of so many players."""
    return game.target.get(seats) or min(game.target.values())


def race_winner(game: RaceTo, totals: Sequence[int], seats: int) -> int | None:
    """The side that has won a race with these totals after a deal; None if it goes on, as after a tie at the target."""
    best = max(totals)
    won = best >= race_target(game, seats) and totals.count(best) == 1
    return totals.index(best) if won else None


class SettledDeal(NamedTuple):
    """A settled deal: the totals compared, what each side receives, the winner or none for a draw."""

    totals: list[int]
    receives: list[int]
    winner: int | None
    brisques_count: bool


def settle_deal(game: OneDeal, raw: list[int], brisques: list[int]) -> SettledDeal:
    """Settle a deal of two sides: `raw` points and the points of their `brisques`."""
    if _valued_without_brisques(game):
        return _with_brisques(game, raw, brisques)
    return _compared(game, raw)


def _valued_without_brisques(game: OneDeal) -> bool:
    """Whether brisques may decide who wins and save the loser, which a rubicon's value leaves out (A-48)."""
    return game.settlement.rubicon_valued_by == "points_without_brisques"


def possible_settlements(
    game: OneDeal, totals: list[int], *, brisques: int, worth: int
) -> list[tuple[list[int], int | None]]:
    """What the sides may receive, and who may have won, where only the totals compared are known.

    Each side took some of the `brisques`, of which each is `worth` so many points; the totals include them
    where they counted.
    """
    found = []
    plain = settle_deal(game, totals, [0, 0])
    if not plain.brisques_count:
        found.append((plain.receives, plain.winner))
    for taken in range(brisques + 1):
        split = [worth * taken, worth * (brisques - taken)]
        raw = [total - points for total, points in zip(totals, split, strict=True)]
        settled = settle_deal(game, raw, split)
        outcome = settled.receives, settled.winner
        if settled.brisques_count and min(raw) >= 0 and outcome not in found:
            found.append(outcome)
    return found


def is_rubiconed(
    game: OneDeal, totals: Sequence[int], receives: Sequence[int], winner: int
) -> bool:
    """Whether the loser of a settled deal was rubiconed: short of the rubicon, and not saved by brisques."""
    if totals[1 - winner] >= game.rubicon:
        return False
    if not _valued_without_brisques(game):
        return True
    saved = _valued(game, [*totals], winner, rubiconed=False, brisques_count=True)
    return list(receives) != saved.receives


def _compared(game: OneDeal, raw: list[int]) -> SettledDeal:
    """Settle by the points alone."""
    if raw[0] == raw[1]:
        return _drawn(game, list(raw), brisques_count=False)
    winner = _higher(raw)
    rubiconed = raw[1 - winner] < game.rubicon
    return _valued(game, list(raw), winner, rubiconed=rubiconed, brisques_count=False)


def _drawn(game: OneDeal, totals: list[int], *, brisques_count: bool) -> SettledDeal:
    receives = list(totals) if game.settlement.draw == "own_total" else [0, 0]
    return SettledDeal(totals, receives, None, brisques_count)


def _with_brisques(game: OneDeal, raw: list[int], brisques: list[int]) -> SettledDeal:
    """Brisques count for both sides if they break a tie, or may save the loser from the rubicon (A-27, A-28)."""
    counted = [
        points + brisque_points for points, brisque_points in zip(raw, brisques, strict=True)
    ]
    if raw[0] == raw[1]:
        if counted[0] == counted[1]:
            return _drawn(game, counted, brisques_count=True)
        winner = _higher(counted)
        rubiconed = counted[1 - winner] < game.rubicon
        # A tie broken: the loser is rubiconed by the totals with brisques, but then the values are without them.
        valued = raw if rubiconed else counted
        settled = _valued(game, valued, winner, rubiconed=rubiconed, brisques_count=True)
        return settled._replace(totals=counted)
    winner = _higher(raw)
    if raw[1 - winner] >= game.rubicon:
        return _valued(game, list(raw), winner, rubiconed=False, brisques_count=False)
    if counted[1 - winner] < game.rubicon:
        return _valued(game, list(raw), winner, rubiconed=True, brisques_count=False)
    if counted[0] == counted[1]:
        return _drawn(game, counted, brisques_count=True)
    return _valued(game, counted, _higher(counted), rubiconed=False, brisques_count=True)


def _higher(totals: list[int]) -> int:
    return 0 if totals[0] > totals[1] else 1


def _valued(
    game: OneDeal, totals: list[int], winner: int, *, rubiconed: bool, brisques_count: bool
) -> SettledDeal:
    terms, loser = game.settlement, 1 - winner
    paid = terms.rubicon if rubiconed else terms.win
    valued = [total // terms.rounded_to * terms.rounded_to for total in totals]
    equal = valued[0] == valued[1]
    exact = terms.win_difference is Rounding.NONE or (
        terms.win_difference is Rounding.CLOSE and equal
    )
    if exact and not rubiconed:
        valued = totals
    value = paid.winner_total * valued[winner] + paid.loser_total * valued[loser]
    if paid.loser_total < 0:
        value = max(paid.least_difference, value)
    small = paid.loser_below_100 if totals[loser] < 100 else 0
    receives = list(totals) if terms.loser == "own_total" else [0, 0]
    receives[winner] = paid.base + value + paid.for_brisques + small
    return SettledDeal(totals, receives, winner, brisques_count)
