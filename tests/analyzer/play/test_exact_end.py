"""Exact values at a deal's end: those of the last trick before the close are means over what may lie face down."""

from collections import Counter
from typing import NamedTuple

import pytest

from analyzer.play import exact_end
from analyzer.play.exact_end import ExactEnd
from analyzer.play.worlds import ShownCards
from analyzer.review.last_stock_trick import LastStockTrickWatch
from analyzer.solver.last_trick_cases import is_last_stock_trick
from records.cards import FACE_OF
from records.engine.table import Table
from records.events import Draw
from records.record import Record
from records.replay import replay
from records.rules.registry import get_sheet
from records.selfplay import play_game

CARD = 0.11
"""How likely each card that is not seen is to lie face down, in some unit."""


class Decision(NamedTuple):
    """A decision of the last trick before the close: its event, what the seat has seen of the other hand, the card face down."""

    event: int
    table: Table
    shown: Counter[str]
    face_down: str

    def values(self) -> dict[str, float]:
        """Its values if any card that the seat has not seen is as likely."""
        unseen = Counter(self.table.held[1 - self.table.seat]) - self.shown
        chances = dict[str, float]()
        for card in [*unseen.elements(), self.face_down]:
            chances[FACE_OF[card]] = chances.get(FACE_OF[card], 0) + CARD
        found = ExactEnd().values_before_close(self.table, self.shown, self.face_down, chances)
        assert found is not None
        return found


def last_trick(sheet: str) -> tuple[list[Decision], Record]:
    """Both decisions in a deal of greedy players."""
    record = play_game(sheet, seed=1, deals=1, labels=get_sheet(sheet).rules.pack.packs > 1)
    events, shown, found = record.deals[0].events, ShownCards(), list[Decision]()
    for frame in replay(record):
        table = frame.table
        shown.read(frame.event, table)
        if is_last_stock_trick(table):
            draws = [event for event in events[frame.index + 1 :] if isinstance(event, Draw)]
            seen = shown.of(table, 1 - table.seat)
            found.append(Decision(frame.index + 1, table.copy(), seen, draws[0].card))
    return found, record


@pytest.mark.long
@pytest.mark.parametrize("sheet", ["bezique", "marjolet"])
def test_values_are_those_of_the_reviews_if_any_card_is_as_likely(sheet: str) -> None:
    decisions, record = last_trick(sheet)
    watch = LastStockTrickWatch(None)
    for frame in replay(record):
        watch.read(frame)
    assert len(watch.found) == len(decisions) == 2
    for decision, reviewed in zip(decisions, watch.found, strict=True):
        assert decision.event == reviewed.event
        found, best = decision.values(), reviewed.ways[0].value
        behind = {face: max(found.values()) - value for face, value in found.items()}
        told = {FACE_OF[way.card]: best - way.value for way in reviewed.ways}
        assert behind == pytest.approx(told, abs=0.011)


def test_equal_means_are_equal_whatever_order_they_are_summed_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else what comes first among equals would be decided by rounding, and not by play."""

    class PretendedSolver:
        def __init__(self, solver: object) -> None:
            self.cards, self.number = list[str](), 0

        def lead_after(self, table: Table, card: str, face_down: str) -> int:
            """The numbers of the cases from 1 on, for every second card in the other order."""
            if card not in self.cards:
                self.cards.append(card)
                self.number = 0
            self.number += 1
            return self.number if len(self.cards) % 2 else cases + 1 - self.number

    monkeypatch.setattr(exact_end, "StockTrickSolver", PretendedSolver)
    (lead, _), _ = last_trick("marjolet")
    cases = len(exact_end.cases_of_last_trick(lead.table, lead.shown, lead.face_down))
    assert cases > 2
    assert len({*lead.values().values()}) == 1
