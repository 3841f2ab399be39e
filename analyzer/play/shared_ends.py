"""Deals of one world played on together: where two have become alike, the rest is played once.

After two choices of a decision the same players often come to the same table again, a few tricks later: a card that was not
thrown at once is thrown next. What comes from there on is the same, too, and takes no time.
"""

from collections.abc import Callable, Sequence

from analyzer.play.fast_deal import FastDeal
from analyzer.play.fast_rules import ScoredCards
from analyzer.play.greedy import WHOLE_DEAL

TRICKS_BEFORE_LOOKING = 3
"""After so many tricks the deals are compared first, and each time after twice as many as before."""

TableMarks = tuple[object, ...]


def play_out_together(deals: Sequence[FastDeal], play_out: Callable[[FastDeal, int], int]) -> None:
    """Play deals on to their ends, by players who choose by what is on the table alone.

    They are those of one world, so that their stocks are the same as long as they have the same number of cards.

    Where melds are made of captured cards, each trick that went another way keeps two deals apart: one in twenty would become
    alike, and to look for it takes longer than it saves.
    """
    if deals[0].rules.compiled.melds_captured:
        for deal in deals:
            play_out(deal, WHOLE_DEAL)
        return
    going, tricks = [*deals], TRICKS_BEFORE_LOOKING
    alike: list[tuple[FastDeal, FastDeal, list[int], list[int]]] = []
    while len(going) > 1 and len(going[0].stock) > 2 * tricks:
        first_at: dict[TableMarks, FastDeal] = {}
        for deal in going:
            play_out(deal, tricks)
            first = first_at.setdefault(table_of(deal), deal)
            if first is not deal:
                points = [a - b for a, b in zip(deal.points, first.points, strict=True)]
                brisques = [a - b for a, b in zip(deal.brisques, first.brisques, strict=True)]
                alike.append((deal, first, points, brisques))
        going, tricks = [*first_at.values()], 2 * tricks
    for deal in going:
        play_out(deal, WHOLE_DEAL)
    for deal, first, points, brisques in reversed(alike):
        end_as(deal, first, points, brisques)


def end_as(deal: FastDeal, first: FastDeal, points: list[int], brisques: list[int]) -> None:
    """End a deal as the `first` ended, with so many points and brisques more by seat."""
    worth = deal.rules.written.brisques.points_at_the_end
    deal.over, deal.window = True, None
    for seat in range(2):
        deal.brisques[seat] = first.brisques[seat] + brisques[seat]
        deal.points[seat] = first.points[seat] + points[seat] + worth * brisques[seat]


def table_of(deal: FastDeal) -> TableMarks:
    """All that decides how a deal goes on before the close, from a lead; not the points and the brisques so far."""
    first, second = deal.scored
    return (
        deal.view.trump, deal.seat, len(deal.stock), deal.turn_up, deal.spent, *deal.chains,
        *deal.hands, *deal.captured, *_marks_of(first), *_marks_of(second),
    )  # fmt: skip


def _marks_of(scored: ScoredCards) -> TableMarks:
    sets = [(each.meld.place, each.cards, each.moved, each.broken) for each in scored.sets]
    return scored.ever, scored.new, scored.used, tuple(scored.kinds), tuple(sets)
