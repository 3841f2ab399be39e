"""Setups: melds on the table have scored, even if a card of them is gone."""

import pytest

from tests.tables import table

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
