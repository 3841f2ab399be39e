"""Every rulebook's game can be shown, step by step, with all its cards."""

from collections import Counter

import pytest

from records.play import play_game
from records.rules.registry import ALL, resolve
from webui.steps import steps_of


def cards_in(step):
    for seat in step.seats:
        yield from seat.hand
        for group in seat.laid:
            yield from group.cards
    for group in step.tableau:
        yield from group.cards


@pytest.mark.parametrize("sheet", ALL, ids=lambda sheet: sheet.id)
def test_a_game_of_every_sheet_can_be_stepped_through(sheet):
    record = play_game(sheet.id, seed=1, deals=2)
    resolved = resolve(sheet.id, None, {})
    for number, deal in enumerate(record.deals):
        shown = steps_of(record, resolved, number)
        assert len(shown.steps) == len(deal.events) + 2
        assert not shown.findings
        for step in shown.steps:
            assert step.say
            assert {item.split()[0] for item in cards_in(step)} <= shown.cards.keys()
            assert step.heading


@pytest.mark.parametrize("sheet", ALL, ids=lambda sheet: sheet.id)
def test_no_card_is_shown_more_often_than_the_pack_has_it(sheet):
    record = play_game(sheet.id, seed=2, deals=1)
    copies = Counter()
    for suit in "SHDC":
        for rank in sheet.pack.ranks:
            copies[rank + suit] = sheet.pack.copies + (suit in sheet.pack.doubled_suits)
    for step in steps_of(record, resolve(sheet.id, None, {}), 0).steps:
        shown = Counter(item.split()[0] for item in cards_in(step) if "half" not in item)
        assert not shown - copies
