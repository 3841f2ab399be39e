"""Where melds may be formed again, an unknown card or meld leaves open which copies have scored, and where they lie."""

from tests.tables import table

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
