"""A-30c and other rules of Six-Pack Bezique: the cut, the guess, trumps, the last trick, no brisques."""

import pytest

from tests.make.tables import N, S, table

SHEET = "six-pack-bezique"
FRESH = "N: KS KH KD KC QS QH QD QC JS JH JD 7C | S: AS AS AH AD TS TH TD 9D 8D 7D 7C 8C | S deals afresh"


def cut(told: str, **more):
    return table(FRESH, told, sheet=SHEET, **more)


# A-30c


@pytest.mark.parametrize(
    ("packet", "guess", "dealer", "other"),
    [
        (24, 23, 250, 0),
        (24, 24, 250, 150),
        (26, 26, 0, 150),
        (23, 24, 0, 0),
        (1, 0, 0, 0),
        (191, 191, 0, 150),
    ],
)
def test_c16_a30c_packet_of_24_and_guess_right_are_two_things(packet, guess, dealer, other):
    told = cut(f"S cuts {packet} guessed {guess}")
    assert told.codes == []
    assert (told.points[S], told.points[N]) == (dealer, other)


def test_c16_a30c_the_scores_may_be_written():
    told = cut("S cuts 24 guessed 24, S scores cut 250, N scores guess 150")
    assert told.codes == []
    assert told.points == [150, 250]
    cut("S cuts 25 guessed 24, S scores cut 250").only("score-not-earned")
    cut("S cuts 25 guessed 24, N scores guess 150").only("score-not-earned")
    cut("S cuts 24 guessed 24, S scores guess 150").only("score-not-earned")
    cut("S cuts 24 guessed 24, S scores cut 150").only("wrong-score-points")


def test_c16_a30c_a_packet_without_a_guess():
    told = cut("S cuts 24")
    assert told.codes == []
    assert told.points == [0, 250]


@pytest.mark.parametrize("packet", [0, 192, 500])
def test_c16_a30c_a_packet_has_cards_and_leaves_some(packet):
    cut(f"S cuts {packet} guessed 24").only("impossible-cut")


@pytest.mark.parametrize(
    "told",
    [
        "N cuts 24 guessed 24",
        "N KS, S cuts 24 guessed 24",
        "S cuts 25 guessed 24, S cuts 24 guessed 24",
    ],
)
def test_c16_a30c_the_dealer_cuts_once_and_first_of_all(told):
    cut(told).only("cut-out-of-place")


def test_c16_a30c_not_after_carte_blanche():
    fresh = FRESH.replace(
        "KS KH KD KC QS QH QD QC JS JH JD 7C", "AS AS AH AD TS TH TD 9D 8D 7D 7C 8C"
    )
    told = "N shows carte_blanche, S cuts 24 guessed 24"
    table(fresh, told, sheet=SHEET).only("cut-out-of-place")


@pytest.mark.parametrize("sheet", ["chinese-bezique", "rubicon-bezique"])
def test_c16_a30c_no_other_game_cuts_for_points(sheet):
    table("N: 9S | S: 9H | stock 9 | N leads", "S cuts 24 guessed 24", sheet=sheet).only(
        "event-not-in-rules"
    )


# the last trick, brisques, the close


def test_last_trick_250_and_no_brisques():
    told = table(
        "N: AS | S: TS | trump H | N leads", "N AS, S TS, N scores last_trick 250", sheet=SHEET
    )
    assert told.codes == []
    assert told.points == [250, 0]
    assert told.scored("brisques") == []


def test_brisques_take_no_part():
    """[001]: the cards of past tricks take no further part in play."""
    told = "N AS, S TS, N counts 2 brisques 20"
    table("N: AS | S: TS | trump H | N leads", told, sheet=SHEET).only("score-not-earned")


def test_a12_no_meld_after_the_close_but_by_the_option():
    position, told = (
        "N: 9S KS QS | S: 8S KD QD | trump H | N leads",
        "N 9S, S 8S, N melds marriage KS QS",
    )
    table(position, told, sheet=SHEET).only("meld-after-close")
    assert table(position, told, sheet=SHEET, meld_after_close=True).codes == []


def test_c8_the_second_player_follows_and_wins_if_able():
    position = "N: 9S KS | S: 8S TS | trump H | N leads"
    table(position, "N 9S, S 8S", sheet=SHEET).only("must-beat")
    position = "N: 9S KS | S: 8D 7H | trump H | N leads"
    table(position, "N 9S, S 8D", sheet=SHEET).only("must-trump")
