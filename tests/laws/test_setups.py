"""Setups: melds on the table have scored, even if a card of them is gone."""

import pytest

from tests.make.tables import table

REFUSED = "meld-reuses-cards"


@pytest.mark.parametrize("sheet", ["bezique", "bezique-enhanced", "zique"])
def test_the_king_left_of_a_marriage_has_married(sheet):
    position = "N: QS 9D | S: 8D 7D | trump H | turn-up 9H | stock 9 | N lays marriage KS | N leads"
    table(position, "N 9D, S 8D, N melds marriage KS QS", sheet=sheet).only(REFUSED)


@pytest.mark.parametrize("sheet", ["rubicon-bezique", "rubicon-bezique-club", "six-pack-bezique"])
def test_a_broken_meld_is_formed_again(sheet):
    position = "N: QS 9D | S: 8D 7D | trump H | stock 9 | N lays marriage KS | N leads"
    assert table(position, "N 9D, S 8D, N melds marriage KS QS", sheet=sheet).codes == []
    whole = "N: QS 9D | S: 8D 7D | trump H | stock 9 | N lays marriage KS QS | N leads"
    table(whole, "N 9D, S 8D, N melds marriage KS QS", sheet=sheet).only(REFUSED)


def test_in_six_pack_with_every_card_that_is_left():
    position = "N: AS AS 9D | S: 8D 7D | trump H | stock 9 | N lays four_aces AH AD AC | N leads"
    won = "N 9D, S 8D, N melds four_aces"
    assert table(position, f"{won} AS AH AD AC", sheet="six-pack-bezique").codes == []
    table(position, f"{won} AS AS AH AD", sheet="six-pack-bezique").only(REFUSED)


SHARED = (
    "N: 9S | N lays marriage KS QS | N lays bezique QS JD | S: {} | turn-up 8H | stock 1 | N leads"
)
BOTH = "N QS, S 9D, N takes, N draws KC, S draws 8H, N QS"


def test_a_card_in_two_melds_is_one_card_where_the_hands_say_so():
    told = table(SHARED.format("9D 8D 7D 7C"), BOTH, whole=True)
    assert told.codes == ["card-not-held"]


def test_it_is_two_cards_where_the_hands_say_so():
    told = table(SHARED.format("9D 8D 7D 7C 9C"), BOTH, whole=True)
    assert told.codes == []


def test_a_third_meld_with_two_of_it_has_two():
    position = """N: 9S | N lays marriage KS QS | N lays bezique QS JD | N lays four_queens QS QS QH QD
        | S: 9D 8D 7D 7C 9C 8C 7S | turn-up 8H | stock 1 | N leads"""
    told = table(position, BOTH, whole=True, sheet="bezique-enhanced")
    assert told.codes == []


@pytest.mark.parametrize("seat", ["N", "S"])
def test_whose_seven_of_two_has_scored_stays_open(seat):
    """Each holds a seven and one of them is spent: nobody can be said to claim it twice."""
    position = f"N: 7H 9S | S: 7H 8S | trump H | spent 7H | {seat} leads"
    assert table(position, f"{seat} 7H, {seat} dix play 10", whole=True).codes == []
    both = position.replace("spent 7H", "spent 7H 7H")
    table(both, f"{seat} 7H, {seat} dix play 10", whole=True).only("dix-spent")
