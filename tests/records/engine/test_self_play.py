"""Players with labels meld as those without, on the same deals: to tell copies apart costs them nothing, or little."""

import pytest

from records.events import Meld
from records.record import Record
from records.rules.registry import ALL_SHEETS
from records.rules.vocabulary import ReuseRule
from tests.playouts.games import STANDARD, Way
from tests.referee.every_meld import can_be_labelled

HINDSIGHT = (ReuseRule.REFORMED_AFTER_LEAVING, ReuseRule.AUGMENT_OR_RESTORE)
"""Where melds are formed again, which copies are best to take depends on what comes; who names none decides later."""
LABELLED = [way for way in STANDARD if can_be_labelled(way.sheet)]
STYLES = [("greedy", False), ("greedy", True), ("random", True)]
DEALS = 4


def melds_of(record: Record) -> list[tuple[int, str, list[str]]]:
    """Seat, name and faces of every meld."""
    return [
        (event.seat, event.meld, sorted(card[:2] for card in event.cards))
        for deal in record.deals
        for event in deal.events
        if isinstance(event, Meld)
    ]


def played_twice(way: Way, style: str, *, where: bool, deals: int) -> list[tuple[list, list]]:
    """The melds of the same deals, played with labels and without."""
    return [
        (
            melds_of(way.play(seed, style, deals=1, labels=True, where=where)),
            melds_of(way.play(seed, style, deals=1, where=where)),
        )
        for seed in range(deals)
    ]


@pytest.mark.long
@pytest.mark.parametrize("way", LABELLED, ids=str)
def test_self_play_melds_alike_with_labels_and_without(way):
    pairs = [
        pair
        for style, where in STYLES
        for pair in played_twice(way, style, where=where, deals=DEALS)
    ]
    labelled, unlabelled = (sum(len(melds) for melds in side) for side in zip(*pairs, strict=True))
    assert unlabelled > 10
    if way.sheet.rules.reuse.rule in HINDSIGHT:
        assert 0.95 * unlabelled <= labelled <= 1.02 * unlabelled
    else:
        assert all(with_labels == without for with_labels, without in pairs)


def test_every_sheet_with_like_cards_is_played():
    assert {way.sheet.id for way in LABELLED} == {
        sheet.id for sheet in ALL_SHEETS if can_be_labelled(sheet)
    }
