"""A rulebook is for so many players, and says which sides they may form."""

import pytest

from records.rules.registry import ALL_SHEETS
from records.validator import check
from tests.samples.unreadable import game, players, rules_of_more

SIDES = {
    4: [[[0, 2], [1, 3]]],
    6: [[[0, 3], [1, 4], [2, 5]], [[0, 2, 4], [1, 3, 5]]],
}
"""By number of players, every way in which the format lets some of them be partners."""


def codes(rules: object, number: int, sides: list[list[int]] | None) -> list[str]:
    more = {} if sides is None else {"sides": sides}
    return [one.code for one in check(game(rules=rules, players=players(number), **more)).findings]


@pytest.mark.parametrize(
    ("number", "allowed"), [(4, ()), (4, (2,)), (6, ()), (6, (2,)), (6, (3,)), (6, (2, 3))]
)
def test_partners_are_those_that_the_rulebook_has(number: int, allowed: tuple[int, ...]) -> None:
    rules = rules_of_more(number, *allowed)
    for sides in SIDES[number]:
        wanted = [] if len(sides[0]) in allowed else ["sides-not-in-rules"]
        assert [c for c in codes(rules, number, sides) if c != "unfinished"] == wanted, sides
    for alone in (None, [[seat] for seat in range(number)]):
        assert codes(rules, number, alone) in ([], ["unfinished"])


@pytest.mark.parametrize("sheet", ALL_SHEETS, ids=lambda sheet: sheet.id)
def test_the_published_rulebooks_have_the_sides_of_the_format_or_none(sheet) -> None:
    for number in sheet.rules.players:
        found = [codes({"id": sheet.id}, number, sides) for sides in SIDES.get(number, [])]
        assert all("sides-not-in-rules" not in each for each in found)


def test_the_sentence_says_what_may_be_formed() -> None:
    text = game(rules=rules_of_more(6, 2), players=players(6), sides=[[0, 2, 4], [1, 3, 5]])
    (finding,) = check(text).findings
    assert finding.message == (
        "In Bezique for 6, 6 players play alone or in sides of 2; the record has sides of 3."
    )
    assert (finding.expected, finding.found, finding.clause) == ("1 or 2", "3", "some")
