"""Where melds may be formed again, an unknown card or meld leaves open which copies have scored, and where they lie."""

from tests.make.tables import table

RUBICON = {"sheet": "rubicon-bezique", "knowledge": "public"}
HANDS = "S: 7H 7H 7D 7D 7S 8S 9S 8H 8D | trump C | stock 60 | N won"


def test_after_a_meld_with_an_unknown_card_either_copy_may_marry_again():
    """The first queen marries twice, her first king having scored in four kings: the other is still in the hand."""
    position = f"N: KS KS QS QS KH KD KC AC AH | {HANDS}"
    melds = (
        "N melds marriage KS QS 20, N draws 7C, S draws 7C, N 7C, S 7H, N takes,"
        " N melds four_kings K? KH KD KC 80, N draws 8C, S draws 8C, N 8C, S 7H, N takes,"
        " N melds marriage KS QS 20, N draws 9C, S draws 9C"
    )
    for place in ("hand", "table"):
        told = table(position, f"{melds}, N QS from {place}, S 7D, N QS", **RUBICON)
        assert told.codes == []


def test_after_a_play_that_nobody_saw_a_marriage_may_be_formed_again():
    """The first king may have been played: then the queen marries the second."""
    position = f"N: KS KS QS KH KD KC AC AH 7C | {HANDS}"
    melds = (
        "N melds marriage KS QS 20, N draws 7C, S draws 7C, N ??, S ??, N takes,"
        " N melds marriage KS QS 20"
    )
    assert table(position, melds, **RUBICON).codes == []


def test_a_position_after_the_close_does_not_say_who_has_married():
    """Two marriages may be rearranged, and both kings may have married before the close."""
    position = "N: KD KD QD AS | S: 7H 8H 9H TH | trump D | scores 40 0 | N won"
    again = "N melds marriage KD QD 40, N AS, S 7H, N takes, N melds marriage KD QD 40"
    assert table(position, again, sheet="rubicon-bezique").codes == []
    # Without the points of a marriage nobody has married.
    poor = position.replace("scores 40 0", "scores 10 0")
    assert "meld-reuses-cards" in table(poor, again, sheet="rubicon-bezique").codes
    aces = "N: AS AH AD AC AC TC | S: 7H 8H 9H TH JH QH | trump C | scores 40 0 | N won"
    twice = (
        "N melds four_aces AS AH AD AC 100, N TC, S 7H, N takes, N melds four_aces AS AH AD AC 100"
    )
    assert "meld-reuses-cards" in table(aces, twice, sheet="rubicon-bezique").codes
