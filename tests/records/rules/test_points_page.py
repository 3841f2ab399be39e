"""The published page of points is up to date; its settlements are those worked out here by hand."""

import re

import pytest

from records.documents.points_page import points_page, settlement_examples, settlement_terms
from records.documents.schemas import SPEC_FOLDER
from records.rules.english import option_value_text
from records.rules.registry import ALL_SHEETS
from records.rules.settlement import settle_deal
from records.rules.vocabulary import BrisqueCount, ChoiceOption, OneDeal, RuleSheet

PAGE = (SPEC_FOLDER / "points.md").read_text()

RUBICON_1000 = [
    # by [000], by the club's terms, by the Portland terms; by the club's with the difference not rounded, and where close
    ((1510, 1240), (500 + 1500 - 1200, 0), (500 + 1500 - 1200, 0), (500 + 300, 0),
     (500 + 270, 0), (800, 0)),
    ((1550, 1520), (500, 0), (500, 0), (500 + 100, 0),
     (500 + 30, 0), (500 + 30, 0)),
    ((1320, 620), (1000 + 1300 + 600, 0), (1000 + 1300 + 600 + 320, 0), (1300 + 1300 + 600, 0),
     (3220, 0), (3220, 0)),
    ((1350, 90), (1000 + 1300, 0), (1000 + 1300 + 320 + 100, 0), (1300 + 1300 + 100, 0),
     (2720, 0), (2720, 0)),
    ((850, 510), (1000 + 800 + 500, 0), (1000 + 800 + 500 + 320, 0), (1300 + 800 + 500, 0),
     (2620, 0), (2620, 0)),
    ((1320, 1100), (500 + 1300 - 1100, 0), (700, 0), (700, 0),
     (500 + 220, 0), (700, 0)),
    ((1200, 890), (1000 + 1200 + 800, 0), (1000 + 1200 + 800 + 320, 0), (1300 + 1200 + 800, 0),
     (3320, 0), (3320, 0)),
    ((1030, 1250), (0, 500 + 1200 - 1000), (0, 700), (0, 700),
     (0, 500 + 220), (0, 700)),
    ((1110, 1110), (0, 0), (0, 0), (0, 0),
     (0, 0), (0, 0)),
    ((990, 1210), (0, 500 + 1200 - 900), (0, 800), (0, 800),
     (0, 500 + 220), (0, 800)),
    ((1390, 1330), (500 + 1300 - 1300, 0), (500, 0), (500 + 100, 0),
     (500 + 60, 0), (500 + 60, 0)),
    ((1100, 1020), (500 + 1100 - 1000, 0), (600, 0), (500 + 100, 0),
     (500 + 80, 0), (600, 0)),
    ((850, 870), (0, 1000 + 700 + 700), (0, 1000 + 700 + 700 + 320), (0, 1300 + 700 + 700),
     (0, 2720), (0, 2720)),
    ((230, 190), (1000, 0), (1000 + 320 + 100, 0), (1300 + 100, 0),
     (1420, 0), (1420, 0)),
    ((1360, 1360), (0, 0), (0, 0), (0, 0),
     (0, 0), (0, 0)),
]  # fmt: skip
CHINESE = [
    # by [000], with a bonus of 1000 for winning, by the Portland terms
    ((4210, 3010), (500 + 4200 - 3000, 0), (1000 + 4200 - 3000, 0), (500 + 1200, 0)),
    ((4210, 2950), (1000 + 4200 + 2900, 0), (8100, 0), (1300 + 4200 + 2900, 0)),
    ((4380, 3000), (500 + 4300 - 3000, 0), (1000 + 4300 - 3000, 0), (500 + 1300, 0)),
    ((3450, 3430), (500, 0), (1000, 0), (500 + 100, 0)),
    ((2750, 2730), (1000 + 2500 + 2500, 0), (6000, 0), (1300 + 2500 + 2500, 0)),
]
SIX_PACK = [
    ((3500, 2800), (3500 + 1000 + 2800, 2800)),
    ((3510, 3000), (3510 + 1000, 3000)),
    ((850, 510), (850 + 1000 + 510, 510)),
    ((2200, 2200), (2200, 2200)),
]
# The terms of a sheet are its own and those of its options, in the order of the page.
BY_HAND = {
    "rubicon-bezique": (RUBICON_1000, (0, 2)),
    "rubicon-bezique-recommended": (RUBICON_1000, (0, 2)),
    "rubicon-bezique-club": (RUBICON_1000, (1, 2, 3, 4)),
    "chinese-bezique": (CHINESE, (0, 2, 1)),
    "six-pack-bezique": (SIX_PACK, (0,)),
}
ONE_DEAL = [sheet for sheet in ALL_SHEETS if isinstance(sheet.rules.match, OneDeal)]
one_deal = pytest.mark.parametrize("sheet", ONE_DEAL, ids=lambda sheet: sheet.id)


def test_the_page_is_fresh() -> None:
    assert points_page() == PAGE, "write it with: python -m records.documents.points_page"


@one_deal
def test_every_example_of_a_settlement_is_worked_out_by_hand(sheet: RuleSheet) -> None:
    rows, columns = BY_HAND[sheet.id]
    terms = settlement_terms(sheet)
    assert len(terms) == len(columns)
    for (_, points, brisques), (totals, *receives) in zip(
        settlement_examples(sheet), rows, strict=True
    ):
        for (_, game), column in zip(terms, columns, strict=True):
            settled = settle_deal(game, list(points), list(brisques))
            assert (tuple(settled.totals), tuple(settled.receives)) == (totals, receives[column])
        shown = [f"{receives[column][0]:,} : {receives[column][1]:,}" for column in columns]
        assert f"| {totals[0]:,} : {totals[1]:,} | {' | '.join(shown)} |" in PAGE


@one_deal
def test_the_brisques_of_an_example_are_all_there_are(sheet: RuleSheet) -> None:
    """Each pack has 8 brisques of 10 points."""
    counted = sheet.rules.brisques.count is BrisqueCount.TO_SETTLE
    every = 80 * sheet.rules.pack.packs if counted else 0
    assert {sum(brisques) for _, _, brisques in settlement_examples(sheet)} == {every}


def chapter(sheet: RuleSheet) -> str:
    return PAGE.split(f"\n## {sheet.name}\n", 1)[1].split("\n## ", 1)[0]


@pytest.mark.parametrize("sheet", ALL_SHEETS, ids=lambda sheet: sheet.id)
def test_every_meld_and_every_option_with_its_values_is_there(sheet: RuleSheet) -> None:
    text = chapter(sheet)
    for meld in sheet.rules.melds:
        assert f"| {meld.points:,} | {meld.words} | `{meld.name}` |" in text
    for option in sheet.options:
        (row,) = re.findall(rf"^\| `{option.name}` \| (.*)$", text, re.MULTILINE)
        known = option.permitted if isinstance(option, ChoiceOption) else ()
        values = [f"`{option_value_text(value)}`" for value in known]
        shown = ", ".join(values) or f"{option.least} to {option.most}"  # type: ignore[union-attr]
        assert row.startswith(f"{shown} | `{option_value_text(option.default)}` | {option.says}")
