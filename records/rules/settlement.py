"""Who wins a match: a race to a target (A-11), or one deal and its settlement (C15) with brisques and bonus."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, assert_never

from records.rules.vocabulary import OneDeal, RaceTo, Rounding, Settlement


def race_target(game: RaceTo, seats: int) -> int:
    """The points that win a race of so many players."""
    return game.many_target if seats >= game.many_from else game.target


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


class SettlementTerms(NamedTuple):
    """The points of one kind of settlement besides the bonus for winning.

    `rubicon_bonus` takes the place of that bonus for a rubicon, unless it is None.
    """

    least_difference: int
    rubicon_bonus: int | None
    for_brisques: int
    below_100: int


SETTLEMENT_TERMS: Mapping[Settlement, SettlementTerms] = {
    Settlement.RUBICON: SettlementTerms(0, 1000, 0, 0),
    Settlement.CLUB: SettlementTerms(0, 1000, 320, 100),
    Settlement.PORTLAND: SettlementTerms(100, 1300, 0, 100),
    Settlement.SIX_PACK: SettlementTerms(0, None, 0, 0),
}
"""The points of every settlement of law C15."""


def settle_deal(game: OneDeal, raw: list[int], brisques: list[int]) -> SettledDeal:
    """Settle a deal of two sides: `raw` points and the points of their `brisques`."""
    match game.settlement:
        case Settlement.SIX_PACK:
            return _six_pack(game, raw)
        case Settlement.RUBICON | Settlement.CLUB | Settlement.PORTLAND:
            return _with_brisques(game, raw, brisques)
        case _:
            assert_never(game.settlement)


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
    if game.settlement is Settlement.SIX_PACK:
        return True
    saved = _valued(game, [*totals], winner, rubiconed=False, brisques_count=True)
    return list(receives) != saved.receives


def _six_pack(game: OneDeal, raw: list[int]) -> SettledDeal:
    """[001]: nothing is rounded; the winner adds the bonus, and the loser's points if the loser is rubiconed."""
    if raw[0] == raw[1]:
        return SettledDeal(list(raw), list(raw), None, brisques_count=False)
    winner = 0 if raw[0] > raw[1] else 1
    lost = raw[1 - winner]
    receives = list(raw)
    receives[winner] += game.win_bonus + (lost if lost < game.rubicon else 0)
    return SettledDeal(list(raw), receives, winner, brisques_count=False)


def _with_brisques(game: OneDeal, raw: list[int], brisques: list[int]) -> SettledDeal:
    """Brisques count for both sides if they break a tie, or may save the loser from the rubicon (A-27, A-28)."""
    counted = [
        points + brisque_points for points, brisque_points in zip(raw, brisques, strict=True)
    ]
    if raw[0] == raw[1]:
        if counted[0] == counted[1]:
            return SettledDeal(counted, [0, 0], None, brisques_count=True)
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
        return SettledDeal(counted, [0, 0], None, brisques_count=True)
    return _valued(game, counted, _higher(counted), rubiconed=False, brisques_count=True)


def _higher(totals: list[int]) -> int:
    return 0 if totals[0] > totals[1] else 1


def _valued(
    game: OneDeal, totals: list[int], winner: int, *, rubiconed: bool, brisques_count: bool
) -> SettledDeal:
    won, lost = _hundreds(totals[winner]), _hundreds(totals[1 - winner])
    terms = SETTLEMENT_TERMS[game.settlement]
    if rubiconed:
        small = terms.below_100 if totals[1 - winner] < 100 else 0
        value = (terms.rubicon_bonus or 0) + won + lost + terms.for_brisques + small
    else:
        difference = won - lost
        if game.rounding is Rounding.NONE or (game.rounding is Rounding.CLOSE and not difference):
            difference = totals[winner] - totals[1 - winner]
        value = game.win_bonus + max(terms.least_difference, difference)
    receives = [0, 0]
    receives[winner] = value
    return SettledDeal(totals, receives, winner, brisques_count)


def _hundreds(points: int) -> int:
    return points // 100 * 100
