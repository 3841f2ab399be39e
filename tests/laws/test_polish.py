"""C12, A-25, A-26: Polish Bezique, where melds are made of captured cards."""

from functools import partial

import pytest

from tests.make import tables
from tests.make.tables import N, Told, deal_of, record_of

table = partial(tables.table, sheet="polish-bezique")
REFUSED = "meld-reuses-cards"


def won(captured: str, *melds: str, trump: str = "H", **options) -> Told:
    """North has won these cards, the last two just now, and melds."""
    position = f"N: 9C | S: 8C | trump {trump} | turn-up 7{trump} | stock 9"
    told = ", ".join(f"N melds {meld}" for meld in melds)
    return table(f"{position} | N captured {captured} | N won", told, **options)


def points(told: Told) -> list[int]:
    assert told.codes == [], [finding.message for finding in told.findings]
    return [points for _, points in told.scored("meld")]


# C12: of the cards won, and of those alone


def test_c12_a_meld_is_made_of_cards_won():
    assert points(won("KS QS", "marriage KS QS 20")) == [20]
    assert points(won("KS 9D QS 8D", "marriage KS QS 20")) == [20]


def test_c12_cards_in_the_hand_make_none():
    position = "N: KS QS 9C | S: 8C 7D | trump H | turn-up 8H | stock 9 | N leads"
    told = table(position, "N 9C, S 8C, N takes, N melds marriage KS QS 20")
    told.only("meld-card-not-held")
    mixed = table(position, "N QS, S 8C, N takes, N melds marriage KS QS 20")
    mixed.only("meld-card-not-held")


def test_c12_cards_of_the_other_s_tricks_make_none():
    position = "N: KS 9C | S: QS AS | trump H | turn-up 8H | stock 9 | N leads"
    told = table(position, "N KS, S AS, S takes, S melds marriage KS QS 20")
    told.only("meld-card-not-held")


def test_c12_both_cards_of_a_trick_come_to_its_winner():
    position = "N: KS 9C | S: QS AS | trump H | turn-up 8H | stock 9 | N leads"
    assert points(table(position, "N KS, S QS, N takes, N melds marriage KS QS 20")) == [20]


def test_c12_cards_won_are_never_played_again():
    position = "N: 9C | S: 8C | trump H | turn-up 7H | stock 9 | N captured AS KS | N leads"
    table(position, "N KS").only("card-not-held")


def test_c12_they_lie_face_up():
    told = won("KS QS TD 9D")
    assert told.position.seats[N].captured == ["KS", "QS", "TD", "9D"]


# a card of the trick just won in every meld


def test_c12_every_meld_has_a_card_just_won():
    won("KS QS 8D 9D", "marriage KS QS 20").only(REFUSED)


def test_c12_one_new_card_is_enough_and_both_may_be_in_one_meld():
    assert points(won("AS AH 9D AD AC", "four_aces AS AH AD AC")) == [100]
    assert points(won("AS AH AD 9D AC", "four_aces AS AH AD AC")) == [100]


def test_c12_the_other_copy_of_a_new_card_is_not_new():
    position = "N: 9C.1 | S: 8C.1 | trump H | turn-up 7H.1 | stock 9"
    captured = "N captured KS.1 QS.1 7D.1 KS.2 | N won"
    told = table(f"{position} | {captured}", "N melds marriage KS.1 QS.1")
    told.only(REFUSED)
    told = table(f"{position} | {captured}", "N melds marriage KS.2 QS.1")
    assert points(told) == [20]
    assert points(won("KS QS 7D KS", "marriage KS QS")) == [20]


def test_c10_two_aces_and_two_aces_are_four():
    assert points(won("AS AH AS AH", "four_aces AS AS AH AH 100")) == [100]


# one or two melds


def test_c12_none_one_or_two_melds():
    assert points(won("KS QH QS KH")) == []
    assert points(won("KS QH QS KH", "marriage KS QS 20", "marriage KH QH 40")) == [20, 40]


def test_c12_no_third_meld():
    told = won("KS QH JD QS KH", *["marriage KS QS", "marriage KH QH", "bezique QS JD"])
    assert "too-many-melds" in told.codes


def test_c12_a_new_card_is_in_one_meld_of_its_trick():
    """The queen of spades marries or makes bezique, not both."""
    told = won("KS JD 9D QS", "marriage KS QS 20", "bezique QS JD 40")
    told.only(REFUSED)


def test_c12_a_meld_with_both_new_cards_is_the_only_one():
    told = won("JD KH KS QS", "marriage KS QS", "bezique QS JD")
    told.only(REFUSED)
    other = won("AS AH AD QH AC KH", "four_aces AS AH AD AC", "marriage KH QH")
    assert points(other) == [100, 40]


def test_c12_a_new_card_that_has_served_spoils_a_meld_of_the_other_new_card():
    """Both kings are new. The king of spades has married, so four kings with it are none, though the other is new."""
    won("KD KC QS 9D KS KH", "marriage KS QS 20", "four_kings KS KH KD KC 80").only(REFUSED)
    assert points(won("KD KC QS 9D KS KH", "four_kings KS KH KD KC 80")) == [80]


# an old card may be in both


def test_a25_an_old_card_is_in_both_melds_if_their_kinds_differ():
    """Old queen of spades; new king of spades and jack of diamonds."""
    assert points(won("QS KS JD", "marriage KS QS 20", "bezique QS JD 40")) == [20, 40]


def test_a25_not_if_they_are_of_one_kind():
    """One old queen of spades cannot marry both new kings of spades."""
    won("QS KS KS", "marriage KS QS 20", "marriage KS QS 20").only(REFUSED)


# what was not used at once


def won_twice(second: str, *melds: str, **options) -> Told:
    """North wins QS with a nine, melds nothing; then these."""
    position = "N: 9C KS AD 8D | S: QS JD 7D 7C | trump H | turn-up 8H | stock 21 | N leads"
    lead, reply = second.split()
    then = f"N 9C, S QS, N takes, N draws 7S, S draws 7S, N {lead}, S {reply}, N takes"
    return table(position, ", ".join([then, *(f"N melds {meld}" for meld in melds)]), **options)


def test_a26_a_card_not_used_serves_later_as_an_old_one():
    assert points(won_twice("KS 7D", "marriage KS QS 20")) == [20]
    assert points(won_twice("AD JD", "bezique QS JD 40")) == [40]


def test_a26_but_beside_a_new_card_only():
    position = "N: 9C KS 9D 8D | S: QS JD 7D 7C | trump H | turn-up 8H | stock 21 | N leads"
    two = "N KS, S QS, N takes, N draws 7S, S draws 7S, N 9D, S 7D, N takes"
    table(position, f"{two}, N melds marriage KS QS").only(REFUSED)


def test_a26_a_trick_of_the_other_between_makes_no_card_old():
    """North wins KS QS; South's trick passes; the next trick of North is the one that counts."""
    position = "N: KS 9C 9D | S: QS AC 7D | trump H | turn-up 8H | stock 21 | N leads"
    told = """N KS, S QS, N takes, N draws 7S, S draws 7S, N 9C, S AC, S takes, S draws 8S,
        N draws 8S, S 7D, N 9D, N takes, N melds marriage KS QS"""
    table(position, told).only(REFUSED)


def test_a26_by_the_option_a_card_serves_in_one_meld_ever():
    melds = ["marriage KS QS 20", "bezique QS JD 40"]
    won("QS KS JD", *melds, polish_once_ever=True).only(REFUSED)
    assert points(won("QS KS JD", melds[0], polish_once_ever=True)) == [20]
    position = "N: 9C 9D | S: JD 8C | trump H | turn-up 7H | stock 9 | N captured 9S"
    lies = f"{position} | N lays marriage KS QS | N leads"
    told = "N 9D, S JD, S takes"
    assert table(lies, told).codes == []
    mine = lies.replace("N: 9C 9D", "N: 9C AD")
    assert points(table(mine, "N AD, S JD, N takes, N melds bezique QS JD 40")) == [40]
    once = table(mine, "N AD, S JD, N takes, N melds bezique QS JD 40", polish_once_ever=True)
    once.only(REFUSED)


# R-KIND on captured cards


def test_r_kind_a14_no_card_twice_in_one_kind():
    position = "N: 9C AS | S: QS 8C | trump H | turn-up 7H | stock 9 | N captured 9S"
    lies = f"{position} | N lays marriage KS QS | N leads"
    table(lies, "N AS, S QS, N takes, N melds marriage KS QS 20").only(REFUSED)


def test_r_kind_a16_a_trump_sequence_after_its_marriage():
    position = "N: 9C AH | S: TH 8C | trump H | turn-up 7H | stock 9 | N captured JH"
    lies = f"{position} | N lays marriage KH QH | N leads"
    assert points(table(lies, "N AH, S TH, N takes, N melds sequence AH TH KH QH JH 250")) == [250]


@pytest.mark.parametrize("option", [{}, {"double_then_single": False}])
def test_a18_double_then_single(option):
    position = "N: 9C AD | S: JD 8C | trump H | turn-up 7H | stock 9 | N captured 9S"
    lies = f"{position} | N lays double_bezique QS QS JD | N leads"
    told = table(lies, "N AD, S JD, N takes, N melds bezique QS JD 40", **option)
    if option:
        told.only(REFUSED)
    else:
        assert points(told) == [40]


# after the close, and after the last trick


def test_a08_melds_go_on_after_the_close():
    position = "N: KS 9C | S: QS 8C | trump H | N leads"
    told = "N KS, S QS, N takes, N melds marriage KS QS 20"
    assert points(table(position, told)) == [20]
    table(position, told, meld_after_close=False).only("meld-after-close")


def test_a08_the_very_last_trick_melds_too():
    told = table(
        "N: KS | S: QS | trump H | N leads", "N KS, S QS, N takes, N melds marriage KS QS 20"
    )
    assert points(told) == [20]
    assert told.points == [20 + 10, 0]
    assert told.position.step == "over"
    assert told.position.window == N


def test_a08_two_of_them():
    position = "N: KS | S: QS | trump H | N captured JD AH AD AC | N leads"
    told = table(position, "N KS, S QS, N melds bezique QS JD 40, N scores last_trick 10")
    assert points(told) == [40]
    two = table(position.replace("AH AD AC", "KH KD KC"),
                "N KS, S QS, N melds four_kings KS KH KD KC 80, N melds bezique QS JD 40")  # fmt: skip
    assert points(two) == [80, 40]


def test_a08_these_points_decide_the_game():
    """990 and the last trick's 10 win with a marriage of 20 to come: 1020."""
    deal = deal_of("N: KS | S: QS | trump H | scores 990 0 | N leads",
                   "N KS, S QS, N takes, N melds marriage KS QS 20")  # fmt: skip
    report = Told(record_of([deal], sheet="polish-bezique")).report
    assert (report.scores, report.winner, report.verdict) == ([1020, 0], N, "legal")


def test_a08_the_loser_of_the_last_trick_melds_nothing():
    position = "N: KS | S: 9S | trump H | S captured KH QH | N leads"
    table(position, "N KS, S 9S, N takes, S melds marriage KH QH 40").only("meld-by-loser")


# the seven of trumps is a matter of the hand


def test_the_dix_is_exchanged_from_the_hand_after_a_trick():
    position = "N: 7H 9C | S: 8C 8D | trump H | turn-up AH | stock 9 | N leads"
    told = table(position, "N 9C, S 8C, N takes, N dix exchange 10, N draws 9D, S draws 9D")
    assert (told.codes, told.points) == ([], [10, 0])
    assert "AH" in told.hands[N]


def test_a_dix_won_in_a_trick_is_none():
    position = "N: 9H 9C | S: 7H 8D | trump H | turn-up AH | stock 9 | N leads"
    told = table(position, "N 9H, S 7H, S dix play 10, N takes, N dix exchange")
    told.only("dix-not-held")
    assert told.points == [0, 10]


def test_the_card_gained_melds_only_when_it_is_won():
    position = "N: 7H 9C QH | S: 8C 8D | trump H | turn-up KH | stock 9 | N leads"
    told = table(position, "N QH, S 8C, N takes, N dix exchange 10, N melds marriage KH QH 40")
    told.only("meld-card-not-held")


# a meld withdrawn


def test_a_meld_withdrawn_may_be_another():
    told = """N melds marriage KS QS 20, irregular N withdrawn_meld, N melds bezique QS JD 40"""
    position = "N: 9C | S: 8C | trump H | turn-up 7H | stock 9 | N captured JD KS QS | N won"
    heard = table(position, told)
    assert heard.codes == ["irregularity"]
    assert heard.points == [40, 0]


def test_copies_of_captured_cards_that_look_alike_are_counted_among_the_readings():
    """The king just won married the queen of this trick, or the one won before."""
    told = won("QS 9D 8D KS QS", "marriage KS QS")
    assert (told.codes, told.readings) == ([], 2)
    assert told.report.assignments.final == 2
