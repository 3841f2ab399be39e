"""R-PENDING in Bezique: several melds are declared, one scores per trick."""

import pytest

from tests.make.tables import N, table
from tests.make.winning import melded, points

REFUSED = ["meld-reuses-cards"]


def bezique(hand, *acts, **options):
    return melded(hand, *acts, sheet="bezique", **options)


def test_r_pending_pg_p14_forty_for_bezique_and_twenty_to_score():
    """[PG p. 14]: king and queen of spades and jack of diamonds are laid; 40 now, 20 after the next trick."""
    acts = "bezique QS JD 40, shows marriage KS QS", "marriage KS QS 20"
    assert points(bezique("KS QS JD", *acts)) == [40, 20]


def test_r_pending_pg_p20_forty_and_forty_for_marriage_to_score():
    """[PG p. 20]: spades are trumps, four kings lie; bezique, and the marriage of trumps waits."""
    acts = (
        "four_kings KS KH KD KC 80",
        "bezique QS JD 40, shows marriage KS QS",
        "marriage KS QS 40",
    )
    assert points(bezique("KS KH KD KC QS JD", *acts, trump="S")) == [80, 40, 40]


def test_r_pending_pg_p19_four_queens_one_played_and_another_added_is_of_rubicon_and_not_of_bezique():
    """Where four packs are played they score again; in two packs R-CLASS (ii) and A-14 refuse them."""
    acts = "four_queens QS QH QD QC 60", "led QD, four_queens QS QH QC QC"
    assert bezique("QS QH QD QC QC", *acts).codes == REFUSED


def test_r_pending_shown_before_or_after_the_meld_that_is_scored():
    before = "shows marriage KS QS, bezique QS JD", "marriage KS QS"
    assert points(bezique("KS QS JD", *before)) == [40, 20]


def test_r_pending_shown_scores_nothing_and_lies_on_the_table():
    told = bezique("KS QS JD", "shows marriage KS QS")
    assert told.codes == []
    assert told.points == [0, 0]
    assert [laid.card for laid in told.position.seats[N].laid] == ["KS", "QS"]


def test_r_pending_shown_without_any_meld_scored():
    assert points(bezique("KS QS", "shows marriage KS QS", "", "marriage KS QS")) == [20]


def test_r_pending_scoring_what_waited_is_the_meld_of_that_trick():
    acts = "bezique QS JD, shows marriage KS QS", "marriage KS QS, four_kings KS KH KD KC"
    assert bezique("KS QS JD KH KD KC", *acts).codes == ["too-many-melds"]


def test_r_pending_it_is_lost_when_one_of_its_cards_is_played():
    acts = "shows marriage KS QS", "led KS, marriage KS QS"
    assert bezique("KS QS", *acts).codes == ["meld-card-not-held"]


def test_r_pending_with_a_like_card_it_is_another_meld_and_legal():
    acts = "shows marriage KS QS", "led KS, marriage KS QS"
    assert points(bezique("KS KS QS", *acts)) == [20]


def test_r_pending_it_is_lost_to_a_higher_meld_of_its_class_that_scores_first():
    acts = "shows marriage KH QH", "sequence AH TH KH QH JH", "marriage KH QH"
    assert bezique("AH TH KH QH JH", *acts).codes == REFUSED
    acts = "shows bezique QS JD", "double_bezique QS QS JD JD", "bezique QS JD"
    assert bezique("QS QS JD JD", *acts).codes == REFUSED


def test_r_pending_reuse_is_judged_when_it_is_scored_not_when_it_is_shown():
    acts = "sequence AH TH KH QH JH, shows marriage KH QH", "marriage KH QH"
    assert bezique("AH TH KH QH JH", *acts).codes == REFUSED
    assert bezique("AH TH KH QH JH", acts[0]).codes == []


def test_r_pending_it_is_scored_by_the_winner_of_a_later_trick():
    position = "N: AS KH QH 8D | S: 7S AD 9D 8C | trump C | turn-up 9C | stock 9 | N leads"
    shown = "N AS, S 7S, N shows marriage KH QH, N draws 8S, S draws 9S"
    lost = f"{shown}, N 8D, S AD"
    assert table(position, f"{lost}, N melds marriage KH QH 20").codes == ["meld-by-loser"]


def test_r_pending_it_is_lost_at_the_close():
    position = "N: AS KH QH AD | S: 7S 7D 9D 8C | trump C | turn-up 9C | stock 1 | N leads"
    shown = "N AS, S 7S, N shows marriage KH QH, N draws 8S, S draws 9C"
    told = table(position, f"{shown}, N AD, S 7D, N melds marriage KH QH 20")
    assert told.codes == ["meld-after-close"]


@pytest.mark.parametrize("sheet", ["bezique-enhanced", "marjolet", "marjolet-oxford", "zique"])
def test_elsewhere_a_meld_is_scored_when_it_is_shown(sheet):
    assert melded("KH QH", "shows marriage KH QH", sheet=sheet).codes == ["no-pending-melds"]


def test_r_pending_what_is_shown_must_be_held_and_be_a_meld():
    assert bezique("KH QH", "shows marriage KS QS").codes == ["meld-card-not-held"]
    assert bezique("KH QS", "shows marriage KH QS").codes == ["wrong-cards-for-meld"]
