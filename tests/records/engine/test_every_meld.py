"""The list of melds is whole: what the checks and the referees let pass is listed, and nothing else is."""

import pytest

from records.rules.registry import ALL_SHEETS, resolve_sheet
from records.rules.vocabulary import MeldsFrom
from tests.referee.every_meld import can_be_labelled, compare_deals

KINDS = [
    (sheet.id, labels)
    for sheet in ALL_SHEETS
    for labels in (False, True)
    if not labels or can_be_labelled(sheet)
]
DEALS = 3
SHARES = {1: 0.2, 2: 0.2, 4: 0.1, 6: 0.03}
"""At this share of the tables melds are compared, by the packs of the sheet: many cards form very many sets."""
CAPTURED_SHARE = 0.1
"""And so many where they are made of the cards won."""


@pytest.mark.slow
@pytest.mark.parametrize(("sheet", "labels"), KINDS)
def test_every_lawful_meld_is_listed_and_no_other(sheet, labels):
    rules = resolve_sheet(sheet).sheet
    captured = rules.rules.melds_from is MeldsFrom.CAPTURED
    share = CAPTURED_SHARE if captured else SHARES[rules.rules.pack.packs]
    found = compare_deals(sheet, labels=labels, deals=DEALS, share=share)
    assert found.wrong == []
    assert found.lawful > 0
    assert found.refereed > 0
