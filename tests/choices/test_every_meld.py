"""The list of melds is whole: what the checks and the referees let pass is listed, and nothing else is."""

import pytest

from records.rules.registry import ALL_SHEETS
from tests.choices.every_meld import can_be_labelled, compare_deals

KINDS = [
    (sheet.id, labels)
    for sheet in ALL_SHEETS
    for labels in (False, True)
    if not labels or can_be_labelled(sheet)
]
DEALS = 3
SHARES = {"chinese-bezique": 0.04, "six-pack-bezique": 0.03, "polish-bezique": 0.1}
"""At this share of the tables melds are compared, where it is not a tenth: of many cards there are very many sets."""


@pytest.mark.parametrize(("sheet", "labels"), KINDS)
def test_every_lawful_meld_is_listed_and_no_other(sheet, labels):
    found = compare_deals(sheet, labels=labels, deals=DEALS, share=SHARES.get(sheet, 0.1))
    assert found.wrong == []
    assert found.lawful > 0
    assert found.refereed > 0
