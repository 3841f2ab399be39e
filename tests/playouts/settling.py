"""How a deal is settled, line by line as the rulebooks put it."""

from typing import NamedTuple

from records.rules.vocabulary import OneDeal, Rounding


class Settled(NamedTuple):
    """What was compared, what each side receives, who won (None: drawn), whether brisques counted."""

    totals: list[int]
    receives: list[int]
    winner: int | None
    brisques_count: bool


def settle(game: OneDeal, raw: list[int], brisques: list[int]) -> Settled:
    if game.settlement.terms == "six_pack":
        return _six_pack(game, raw)
    with_brisques = [raw[0] + brisques[0], raw[1] + brisques[1]]
    tie_break = raw[0] == raw[1]
    totals = with_brisques if tie_break else list(raw)
    if totals[0] == totals[1]:
        return Settled(totals, [0, 0], None, True)
    counted, rubicon = tie_break, False
    loser = 0 if totals[0] < totals[1] else 1
    if totals[loser] < game.rubicon:
        if not tie_break and with_brisques[loser] >= game.rubicon:
            totals, counted = with_brisques, True
            if totals[0] == totals[1]:
                return Settled(totals, [0, 0], None, True)
            loser = 0 if totals[0] < totals[1] else 1
        else:
            rubicon = True
    valued = raw if rubicon else totals
    receives = [0, 0]
    receives[1 - loser] = _value(game, valued[1 - loser], valued[loser], rubicon=rubicon)
    return Settled(totals, receives, 1 - loser, counted)


def _value(game: OneDeal, won: int, lost: int, *, rubicon: bool) -> int:
    kind, rounding = game.settlement.terms, game.settlement.win_difference
    under_100 = 100 if lost < 100 else 0
    difference = won - lost
    won, lost = won - won % 100, lost - lost % 100
    if rounding is Rounding.HUNDREDS or (rounding is Rounding.CLOSE and won != lost):
        difference = won - lost
    if kind == "rubicon":
        return 1000 + won + lost if rubicon else game.settlement.win.base + won - lost
    if kind == "club":
        return 1000 + won + lost + 320 + under_100 if rubicon else 500 + difference
    return 1300 + won + lost + under_100 if rubicon else 500 + max(100, difference)


def _six_pack(game: OneDeal, raw: list[int]) -> Settled:
    if raw[0] == raw[1]:
        return Settled(list(raw), list(raw), None, False)
    winner = 0 if raw[0] > raw[1] else 1
    lost = raw[1 - winner]
    final = list(raw)
    final[winner] += 1000 + (lost if lost < game.rubicon else 0)
    return Settled(list(raw), final, winner, False)
