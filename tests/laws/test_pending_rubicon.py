"""R-PENDING and A-30d where trumps are made by melds: the club's Rubicon Bezique and six-pack."""

import pytest

from tests.make.tables import N, table
from tests.make.winning import melded, points

SHEETS = ["rubicon-bezique-club", "six-pack-bezique"]
REFUSED = "meld-reuses-cards"

both = pytest.mark.parametrize("sheet", SHEETS)


# shown now, scored later


@both
def test_r_pending_pg_p14_forty_for_bezique_and_twenty_to_score(sheet):
    """[PG p. 14]: king and queen of spades and jack of diamonds are laid; 40 now, 20 after the next trick."""
    acts = ["bezique QS JD 40, shows marriage KS QS", "marriage KS QS 20"]
    assert points(melded("KS QS JD", *acts, sheet=sheet)) == [40, 20]


@both
def test_r_pending_pg_p20_forty_and_forty_for_marriage_to_score(sheet):
    """[PG p. 20]: spades are trumps, four kings lie; bezique, and the marriage of trumps waits."""
    acts = ["four_kings KS KH KD KC", "bezique QS JD 40, shows marriage KS QS", "marriage KS QS 40"]
    told = melded("KS KH KD KC QS JD", *acts, sheet=sheet, trump="S")
    assert points(told) == [80, 40, 40]


@both
def test_r_pending_a_meld_may_wait_for_several_tricks_and_several_may_wait(sheet):
    acts = ["shows bezique QS JD, shows marriage KD QD, four_aces AS AH AD AC", "", "marriage KD QD",
            "bezique QS JD"]  # fmt: skip
    told = melded("AS AH AD AC QS JD KD QD", *acts, sheet=sheet)
    assert points(told) == [100, 20, 40]


@both
def test_r_pending_showing_scores_nothing(sheet):
    told = melded("KS QS", "shows marriage KS QS", sheet=sheet)
    assert points(told) == []
    assert told.points == [0, 0]


@both
def test_a30d_scoring_one_that_waits_is_the_meld_of_that_trick(sheet):
    acts = ["shows marriage KS QS", "marriage KS QS, four_aces AS AH AD AC"]
    melded("KS QS AS AH AD AC", *acts, sheet=sheet).only("too-many-melds")


@both
def test_r_pending_only_one_of_many_shown_is_scored_at_once(sheet):
    acts = ["shows marriage KS QS, shows marriage KD QD", "marriage KS QS, marriage KD QD"]
    melded("KS QS KD QD", *acts, sheet=sheet).only("too-many-melds")


# lost when a card of it is played


@both
def test_r_pending_a_meld_that_waits_is_lost_when_a_card_of_it_is_played(sheet):
    told = melded("KS QS", "shows marriage KS QS", "led QS, marriage KS QS", sheet=sheet)
    told.only("meld-card-not-held")


@both
def test_r_pending_the_cards_shown_lie_on_the_table(sheet):
    position = "N: KS QS 7D 8D | S: 7C 8C | trump H | stock 20 | N leads"
    shown = "N 7D, S 7C, N shows marriage KS QS, N draws 7S, S draws 8S"
    table(position, f"{shown}, N KS from hand", sheet=sheet).only("not-in-hand")
    assert table(position, f"{shown}, N KS from table", sheet=sheet).codes == []


# lost when raised to a higher meld of its class that is scored first


@both
def test_r_pending_a_bezique_that_waits_is_lost_when_the_double_scores_first(sheet):
    acts = ["shows bezique QS JD", "double_bezique QS QS JD JD", "bezique QS JD"]
    melded("QS QS JD JD", *acts, sheet=sheet).only(REFUSED)


@pytest.mark.parametrize(
    ("sheet", "legal"), [("rubicon-bezique-club", False), ("six-pack-bezique", True)]
)
def test_r_pending_a_marriage_that_waits_is_lost_to_its_sequence_only_where_they_are_one_class(
    sheet, legal
):
    acts = ["shows marriage KH QH", "sequence AH TH KH QH JH", "marriage KH QH"]
    told = melded("AH TH KH QH JH", *acts, sheet=sheet)
    if legal:
        assert points(told) == [250, 40]
    else:
        told.only(REFUSED)


@both
def test_r_pending_a_marriage_that_waits_does_not_make_the_king_leave_his_kings(sheet):
    """Only a scored meld takes a card away from another."""
    options = {"card_leaves_by": "played_or_melded"} if sheet == SHEETS[0] else {}
    kings = "four_kings KS KH KD KC"
    acts = [kings, "shows marriage KS QS", kings]
    melded("KS KS KH KD KC QS", *acts, sheet=sheet, **options).only(REFUSED)


# the first marriage or sequence laid makes trumps, or by option the first one scored


@both
def test_a46_a_marriage_shown_makes_trumps(sheet):
    told = melded("KS QS KH QH", "shows marriage KS QS", sheet=sheet, trump="")
    assert told.codes == []
    assert told.position.trump == "S"


@both
def test_a46_a_sequence_shown_makes_trumps_and_scores_as_one_of_trumps(sheet):
    acts = ["shows sequence AD TD KD QD JD", "sequence AD TD KD QD JD 250"]
    told = melded("AD TD KD QD JD", *acts, sheet=sheet, trump="")
    assert (told.position.trump, points(told)) == ("D", [250])


@both
def test_a46_other_melds_shown_make_none(sheet):
    told = melded("QS JD AS AH AD AC", "shows bezique QS JD, shows four_aces AS AH AD AC",
                  sheet=sheet, trump="")  # fmt: skip
    assert (told.codes, told.position.trump) == ([], None)


@both
def test_a46_the_one_shown_first_is_royal_when_it_scores_and_another_is_common(sheet):
    acts = ["shows marriage KS QS", "marriage KH QH 20", "marriage KS QS 40"]
    told = melded("KS QS KH QH", *acts, sheet=sheet, trump="")
    assert (told.position.trump, points(told)) == ("S", [20, 40])


@both
def test_a46_of_two_in_one_trick_the_one_laid_first_makes_trumps(sheet):
    acts = ["shows marriage KS QS, marriage KH QH 20", "marriage KS QS 40"]
    assert points(melded("KS QS KH QH", *acts, sheet=sheet, trump="")) == [20, 40]
    acts = ["marriage KH QH 40, shows marriage KS QS", "marriage KS QS 20"]
    assert points(melded("KS QS KH QH", *acts, sheet=sheet, trump="")) == [40, 20]


@both
def test_a46_from_the_next_trick_on_its_suit_takes_others(sheet):
    position = "N: KS QS 9D 8D | S: 8C 7S 7C | stock 20 | N leads"
    told = (
        "N 9D, S 8C, N takes, N shows marriage KS QS, N draws 7C, S draws 7D, N 8D, S 7S, {} takes"
    )
    assert table(position, told.format("S"), sheet=sheet).codes == []
    assert table(position, told.format("N"), sheet=sheet, trumps_by="scored").codes == []


@both
def test_a46_trumps_made_by_showing_bind_after_the_close(sheet):
    position = "N: KS QS 9D 9C | S: 8C 7S 7H | stock 2 | N leads"
    shown = "N 9D, S 8C, N shows marriage KS QS, N draws 7D, S draws 8H, N 9C, S {}"
    assert table(position, shown.format("7S"), sheet=sheet).codes == []
    table(position, shown.format("7H"), sheet=sheet).only("must-trump")
    assert table(position, shown.format("7H"), sheet=sheet, trumps_by="scored").codes == []


@both
def test_a46_a45_withdrawing_the_one_shown_takes_trumps_back(sheet):
    position = "N: KS QS KD QD 9D | S: 7D 7H | stock 20 | N leads"
    told = """N 9D, S 7H, N takes, N shows marriage KS QS, irregular N withdrawn_meld,
        N melds marriage KD QD 40"""
    heard = table(position, told, sheet=sheet)
    assert heard.codes == ["irregularity"]
    assert (heard.position.trump, heard.points) == ("D", [40, 0])


@both
def test_a46_withdrawing_a_later_one_leaves_the_trumps_that_lie(sheet):
    position = "N: KS QS KD QD 9D | S: 7D 7H | stock 20 | N leads"
    told = """N 9D, S 7H, N takes, N shows marriage KS QS, N melds marriage KD QD 20,
        irregular N withdrawn_meld"""
    assert table(position, told, sheet=sheet).position.trump == "S"


@both
def test_a46_what_is_shown_without_being_a_marriage_makes_none(sheet):
    position = "N: KS QH 9D | S: 7D 7H | stock 20 | N leads"
    told = table(position, "N 9D, S 7H, N takes, N shows marriage KS QH", sheet=sheet)
    told.only("wrong-cards-for-meld")
    assert told.position.trump is None


@both
def test_a46_by_option_a_marriage_shown_makes_no_trumps(sheet):
    by = {"sheet": sheet, "trump": "", "trumps_by": "scored"}
    assert melded("KS QS KH QH", "shows marriage KS QS", **by).position.trump is None
    acts = ["shows marriage KS QS", "marriage KH QH 40", "marriage KS QS 20"]
    told = melded("KS QS KH QH", *acts, **by)
    assert (told.position.trump, points(told)) == ("H", [40, 20])


@both
def test_a46_by_option_the_one_that_waited_makes_them_when_it_scores(sheet):
    acts = ["shows marriage KS QS", "marriage KS QS 40"]
    told = melded("KS QS", *acts, sheet=sheet, trump="", trumps_by="scored")
    assert (told.position.trump, points(told)) == ("S", [40])


# whose, when, where


@both
def test_r_pending_only_the_winner_of_the_trick_shows(sheet):
    position = "N: KS QS 7D | S: KD QD 8D | trump H | stock 20 | N leads"
    table(position, "N 7D, S 8D, N shows marriage KS QS", sheet=sheet).only("meld-by-loser")


@both
def test_r_pending_nobody_shows_after_drawing(sheet):
    position = "N: KS QS 9D | S: KD QD 8D | trump H | stock 20 | N leads"
    told = "N 9D, S 8D, N draws 7S, S draws 7S, N shows marriage KS QS"
    table(position, told, sheet=sheet).only("meld-out-of-window")


@both
def test_r_pending_nobody_shows_after_the_close(sheet):
    position = "N: KS QS 9D | S: KC QC 8D | trump H | N leads"
    table(position, "N 9D, S 8D, N shows marriage KS QS", sheet=sheet).only("meld-after-close")


@both
def test_r_pending_what_waits_at_the_close_is_lost(sheet):
    position = "N: KS QS 9D 8S | S: KD 8D 7D 8S | trump H | stock 2 | N leads"
    last = "N 9D, S 8D, N shows marriage KS QS, N draws 7C, S draws 7C"
    told = table(position, f"{last}, N 8S, S 8S, N melds marriage KS QS", sheet=sheet)
    told.only("meld-after-close")


@pytest.mark.parametrize("sheet", ["rubicon-bezique", "rubicon-bezique-recommended", "chinese-bezique",
                                   "polish-bezique"])  # fmt: skip
def test_elsewhere_a_meld_is_scored_when_it_is_shown(sheet):
    position = "N: KS QS 9D | S: KD QD 8D | trump H | stock 20 | N leads"
    told = table(position, "N 9D, S 8D, N shows marriage KS QS", sheet=sheet)
    assert "no-pending-melds" in told.codes
    assert told.points[N] == 0
