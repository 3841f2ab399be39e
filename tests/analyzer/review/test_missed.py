"""Missed chances: worked out by hand, and counted a second way over many games."""

import os
from collections import Counter

import pytest

from analyzer.review.annotation import annotate
from analyzer.review.deep_review import ReviewTerms
from analyzer.review.narrative import narrate_game
from analyzer.review.reviewer import review_record
from records.events import Meld
from records.selfplay import play_game
from tests.make.tables import table
from tests.referee.every_meld import melds_by_referee

STOCK = "trump S | turn-up 9S | stock 9"
HELD = f"N: KH QH AC 7C 8C 9D | S: 8H 8D 8S 9C 7D 7H | {STOCK} | N won"


def of_kind(what, position, told="", **options):
    (deal,) = annotate(table(position, told, **options).record).deals
    return [each for each in deal.missed if each.what == what]


def missed(what, position, told="", **options):
    return [
        (each.seat, each.could.name, each.could.points, each.became)
        for each in of_kind(what, position, told, **options)
    ]


def test_a_marriage_not_made_is_lost_for_good():
    told = "N draws 7D, S draws 9H, N KH, S 8H, N draws TD, S draws TC, N QH, S 9H"
    lead = "N: KH QH AC 7C 8C 9D | S: 8H 8D 8S 9C 7D 7H | trump S | turn-up 9S | stock 11 | N leads"
    got = missed("meld", lead, f"N AC, S 9C, {told}", sheet="zique")
    assert got == [(0, "marriage", 20, "lost")]


def test_made_later_it_was_delayed():
    lead = "N: KH QH AC AD 8C 9D | S: 8H 8D 8S 9C 7D 7H | trump S | turn-up 9S | stock 11 | N leads"
    told = "N AC, S 9C, N draws 7D, S draws 9H, N AD, S 8D, N melds marriage KH QH 20"
    (deal,) = annotate(table(lead, told, sheet="zique").record).deals
    (only,) = [each for each in deal.missed if each.what == "meld"]
    assert (only.became, only.times, only.made) == ("delayed", 1, 6)
    assert (only.first, only.tricks) == (1, (1, 1))
    assert [(won.could[0].name, [made.name for made in won.made]) for won in deal.won] == [
        ("marriage", []), ("marriage", ["marriage"]),
    ]  # fmt: skip


def test_what_gave_way_to_something_better_is_not_lost():
    lead = "N: KH QH KS QS AC 9D | S: 8H 8D 8S 9C 7D 7H | trump S | turn-up 9S | stock 11 | N leads"
    told = (
        "N AC, S 9C, N melds marriage KS QS 40, N draws 7D, S draws 9H, N KH, S 8H, N draws TD, S draws TC, "
        "N QH, S 9H"
    )
    assert missed("meld", lead, told, sheet="zique") == [(0, "marriage", 20, "given_up")]
    told = told.replace("KS QS 40", "KH QH 20")
    told = told.replace("N KH", "N KS").replace("N QH", "N QS").replace("S 8H", "S 8S")
    assert missed("meld", lead, told, sheet="zique") == [(0, "marriage", 40, "lost")]


def test_what_like_cards_leave_open_is_only_possible():
    """One of two queens was played after the marriage: the other may or may not have married."""
    lead = "N: KH KH QH QH AC AD | S: 8H 8D 8S 9C 7D 9H | trump S | turn-up 9S | stock 13 | N leads"
    told = (
        "N AC, S 9C, N melds marriage KH QH 20, N draws 7D, S draws 8C, "
        "N QH, S 8H, N draws 7C, S draws 9C, N AD, S 8D, N draws 9D, S draws 8S, "
        "N QH, S 9H, N draws TD, S draws TC, N KH, S 7D, N draws TH, S draws 7S, N KH, S 8C"
    )
    (only,) = of_kind("meld", lead, told, sheet="zique")
    assert (only.could.name, only.certain, only.tricks) == ("marriage", False, (2, 3))
    told = told.replace("melds marriage KH QH 20", "takes")
    (only,) = of_kind("meld", lead, told, sheet="zique")
    assert (only.could.name, only.certain, only.tricks) == ("marriage", True, (1, 3))


def test_a_dix_not_exchanged_and_one_exchanged_late():
    lead = "N: 7S AC AD 9D 8D | S: 8H 8C 8S 9C 7D | trump S | turn-up AS | stock 3 | N leads"
    told = "N AC, S 9C, N draws 7D, S draws 9H, N AD, S 7D"
    rest = "N draws TC, S draws AS, N TC, S 8C, N 9D, S 8S, S 8H, N 7S, N 8D, S AS, S 9H, N 7D"
    got = missed("dix", lead, f"{told}, {rest}", dix_in_last_tricks=False)
    assert (0, "exchange", 10, "lost") in got
    assert (0, "exchange", 10, "delayed") in missed("dix", lead, f"{told}, N dix exchange 10")


@pytest.mark.parametrize(("once", "became"), [(True, "delayed"), (False, "lost")])
def test_a_dix_played_makes_up_for_one_not_shown_if_it_scores_but_once(once, became):
    position = "N: 7S AC 9D | S: 8H 9C 7D | trump S | N leads"
    got = missed("dix", position, "N AC, S 9C, N 7S, S 8H, N 9D, S 7D", sheet="bezique-enhanced",
                 dix_once_per_card=once)  # fmt: skip
    assert got == [(0, "show", 10, became)]


def test_carte_blanche_not_shown():
    hands = "N: AS TS 9S 8S 7S AH TH 9H 8H | S: KS QS JS 9D 8D 7D AD TD KD | S deals afresh"
    got = missed("carte_blanche", hands, "N 9S, S KS", sheet="rubicon-bezique")
    assert got == [(0, "carte_blanche", 50, "lost")]
    told = "N shows carte_blanche 50, N 9S, S KS"
    assert missed("carte_blanche", hands, told, sheet="rubicon-bezique") == []


def test_a_brisque_that_could_be_taken():
    lead = f"N: TH 9D | S: AH 8D | {STOCK} | N leads"
    assert missed("brisque", lead, "N TH, S 8D") == [(1, "brisque", 10, "lost")]
    assert missed("brisque", lead, "N TH, S AH") == []


@pytest.mark.sampled(3)
@pytest.mark.long
@pytest.mark.parametrize("labels", [False, True], ids=["alike", "labelled"])
@pytest.mark.parametrize("sheet", ["bezique", "zique", "marjolet", "rubicon-bezique"])
def test_every_meld_missed_was_possible_and_not_made(sheet, labels):
    """Counted a second time: what could be melded by the referee, who uses nothing of the engine, by name and points."""
    for seed in range(int(os.environ.get("BEZIQUE_MISSED", "1"))):
        record = play_game(sheet, seed=seed, style="random", deals=2, labels=labels)
        could: list[Counter] = [Counter() for _ in record.deals]
        made: list[Counter] = [Counter() for _ in record.deals]
        for deal, _, melds in melds_by_referee(record):
            could[deal].update(melds)
        for number, deal in enumerate(record.deals):
            melded = [event for event in deal.events if isinstance(event, Meld)]
            made[number].update((event.seat, event.meld, event.points) for event in melded)
        for deal in annotate(record).deals:
            for each in (one for one in deal.missed if one.what == "meld"):
                key = each.seat, each.could.name, each.could.points
                assert could[deal.deal][key] >= each.times
                scored = each.seat, each.could.name, each.could.points - each.lost
                assert each.became != "delayed" or scored in made[deal.deal]
            # Where melds make trumps, a meld may be made late for fewer points.
            kept = 2 if sheet == "rubicon-bezique" else 3
            unmade = {key[:kept] for key in could[deal.deal]}
            unmade -= {key[:kept] for key in made[deal.deal]}
            told = {
                (each.seat, each.could.name, each.could.points)[:kept]
                for each in deal.missed
                if each.what == "meld" and each.became != "delayed"
            }
            assert unmade <= told


LABELLED = "N: KH.1 QH.1 AC.1 AD.1 KH.2 9D.1 | S: 8H.1 8D.1 8S.1 9C.1 7D.1 9C.2 | trump S | turn-up 9S.1 | stock 13 | N leads"


def of_labelled(told):
    """Name, cards, what became of it, whether that is certain, and the play that ended it."""
    return [
        (" ".join(each.could.cards), each.became, each.certain, each.ended)
        for each in of_kind("meld", LABELLED, told, sheet="zique")
    ]


AFTER_TWO_TRICKS = (
    "N AC.1, S 9C.1, N draws 7D.2, S draws 9H.1, N KH.1, S 8H.1, N draws QH.2, S draws 8C.1"
)


def test_with_labels_the_same_queen_married_later_is_the_same_chance():
    """Her first king is gone, her second one does: she marries once, and late."""
    told = f"{AFTER_TWO_TRICKS}, N AD.1, S 8D.1, N melds marriage KH.2 QH.1 20"
    assert [became for _, became, *_ in of_labelled(told)] == ["delayed"]


def test_with_labels_another_pair_does_not_make_up_for_the_one_that_went():
    """King and queen of the first pair are played; the second pair marries when it can."""
    first = "N: KH.1 QH.1 AC.1 AD.1 TD.1 9D.1 | S: 8H.1 8D.1 8S.1 9C.1 7D.1 9C.2 | trump S | turn-up 9S.1"
    told = (
        "N AC.1, S 9C.1, N draws 7D.2, S draws 9H.1, N KH.1, S 8H.1, N draws KH.2, S draws 8C.1, "
        "N QH.1, S 9H.1, N draws QH.2, S draws 8C.2, N AD.1, S 8D.1, N melds marriage KH.2 QH.2 20"
    )
    (lost,) = of_kind("meld", f"{first} | stock 15 | N leads", told, sheet="zique")
    assert (lost.could.cards, lost.became, lost.certain) == (("KH.1", "QH.1"), "lost", True)


def test_with_labels_it_ends_with_its_own_card():
    told = f"{AFTER_TWO_TRICKS}, N QH.2, S 9H.1, N draws 7C.1, S draws 7C.2, N QH.1, S 8D.1"
    told += ", N draws TC.1, S draws TD.1, N KH.2, S 9C.2"
    assert of_labelled(told) == [("KH.2 QH.1", "lost", True, 12)]


def test_a_dix_played_and_not_exchanged_scored_all_the_same():
    """Only the card was missed."""
    told = "N draws 7D, S draws 7C, N QS, S 8S, N draws 8C, S draws AH, N 7H, S AH"
    position = "N: 7H KS QS 9C 8C | S: 7S 8S 8D 9D TD | turn-up AH | stock 3 | N won"
    assert missed("dix", position, told) == [(0, "exchange", 0, "lost")]


def test_a_position_after_a_trick_won_begins_with_a_turn_to_meld():
    position = "N: KS QS 9D | S: 7C 8C 9C | trump H | N won"
    rest = "N KS, S 7C, N QS, S 8C, N 9D, S 9C"
    assert missed("meld", position, rest, sheet="zique") == [(0, "marriage", 20, "lost")]
    told = f"N melds marriage KS QS 20, {rest}"
    (deal,) = annotate(table(position, told, sheet="zique").record).deals
    assert deal.missed == []
    assert [(won.event, [made.name for made in won.made]) for won in deal.won] == [
        (-1, ["marriage"])
    ]


def test_a_position_after_a_trick_won_begins_with_a_dix_to_exchange():
    position = "N: 7H KS QC 9C 8C | S: 7S 8S 8D 9D TD | turn-up AH | stock 1 | N won"
    rest = "N draws 7D, S draws AH, N KS, S 7S, N 7H, S AH"
    assert missed("dix", position, rest) == [(0, "exchange", 0, "lost")]
    assert (
        missed("dix", position, f"N dix exchange 10, {rest}".replace("S draws AH", "S draws 7H"))
        == []
    )


def test_a_meld_missed_before_the_first_trick_is_told_with_that():
    position = "N: KS QS 9D | S: 7C 8C 9C | trump H | N won"
    record = table(position, "N KS, S 7C, N QS, S 8C, N 9D, S 9C", sheet="zique").record
    text = " ".join(narrate_game(record, review_record(record, terms=ReviewTerms(worlds=0))))
    assert text.count("North never melds") == 1


TWO_SEVENS = "N: 7H 7H AC 9S | S: 8C 9C 8D 9D | trump H | turn-up KH | stock 3 | N leads"
ONE_SCORES = (
    "N AC, S 8C, N draws 9S, S draws 8S, N 7H, S 9C, N draws 8S, S draws KH, N 9S, S 8S, N 9S, S KH,"
    " S 8D, N 7H, N 8S, S 9D"
)


@pytest.mark.parametrize(("in_last_tricks", "points"), [(False, 10), (True, 0)])
def test_of_two_sevens_both_must_score_or_the_exchange_was_lost(in_last_tricks, points):
    got = missed("dix", TWO_SEVENS, ONE_SCORES, dix_in_last_tricks=in_last_tricks)
    assert (0, "exchange", points, "lost") in got


@pytest.mark.parametrize(
    ("spent", "dix", "points"), [("", False, 0), (" | spent 7H", True, 0), ("", True, 10)]
)
def test_an_exchange_that_scores_nothing_loses_no_points(spent, dix, points):
    """A-44: the exchange alone, or a seven that has scored already."""
    position = f"N: 7H KS QC 9C | S: 7S 8S 8D 9D | trump H | turn-up AH | stock 1 | N won{spent}"
    told = "N draws 7D, S draws AH, N KS, S 7S, N QC, S AH, S 8S, N 7H, N 9C, S 8D, N 7D, S 9D"
    got = missed("dix", position, told, sheet="zique", dix=dix, dix_exchange=True)
    assert got == [(0, "exchange", points, "lost")]
