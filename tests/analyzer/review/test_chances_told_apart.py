"""Which missed chances are the same one, and in what order the melds that were possible are told."""

import os
import re

import pytest

from analyzer.review.annotation import AnalysisTerms, annotate
from analyzer.review.review_words import describe_missed_chance
from records.events import Meld
from records.selfplay import play_game
from tests.make.tables import NAMES, table

TWO_MARRIAGES = (
    "N: KH QH KD QD QS JD AD AC | S: AS TS 9D 8D 7D 8H 7H 9H | trump C | stock 20 | S leads"
)
THREE_WON = (
    "S 7D, N AD, N draws TC, S draws 8C, N AC, S 8H, N melds marriage KH QH 20, N draws 9C, S draws 7C,"
    " N TC, S 7C, N melds bezique QS JD 40, N draws 7S, S draws 8S, N KD, S 9H,"
    " N draws TD, S draws TH, N QD, S 8D"
)


def annotated(position, told, **options):
    assert table(position, told, **options).codes == []
    return annotated_as_told(position, told, **options)


def annotated_as_told(position, told, **options):
    """The same, whatever is found in it."""
    (deal,) = annotate(table(position, told, **options).record).deals
    return deal


def test_the_melds_that_were_possible_are_told_best_first():
    won = annotated(TWO_MARRIAGES, THREE_WON).won
    assert [[could.points for could in trick.could] for trick in won] == [
        [40, 20, 20], [40, 20, 20], [40, 20],
    ]  # fmt: skip


def test_a_marriage_does_not_make_up_for_one_of_another_suit():
    missed = annotated(TWO_MARRIAGES, THREE_WON).missed
    assert [(each.could.cards, each.became, each.times) for each in missed] == [
        (("KH", "QH"), "delayed", 1), (("JD", "QS"), "delayed", 2), (("KD", "QD"), "lost", 3),
    ]  # fmt: skip


def test_a_marriage_worth_less_later_is_made_late_and_loses_the_difference():
    """Before trumps are made a marriage is worth 40; the other player makes them by another suit."""
    position = "N: KS QS AC AD TC 9C 9D 8D JH | S: KH QH AS AD 8C 7C 7D 7S JC | stock 20 | N leads"
    told = (
        "N AC, S 7C, N draws 7H, S draws 8H, N 8D, S AD, S melds marriage KH QH 40, S draws 9S, N draws 9S,"
        " S 8C, N TC, N melds marriage KS QS 20, N draws TH, S draws TH, N 9C, S 7D,"
        " N draws TD, S draws JD, N KS, S 7S, N draws 9D, S draws JD, N QS, S 9S"
    )
    (only,) = annotated(position, told, sheet="rubicon-bezique").missed
    assert (only.could.points, only.became, only.made, only.lost) == (40, "delayed", 11, 20)
    assert only.tricks == (1, 1)
    says = describe_missed_chance(only, NAMES)
    meld = (
        "North melds late: trump marriage K♠ Q♠ (40), possible after trick 1, and scores 20 less."
    )
    assert says == meld
    never = told.replace("N melds marriage KS QS 20, ", "")
    (only,) = annotated(position, never, sheet="rubicon-bezique").missed
    assert (only.could.points, only.became, only.tricks) == (40, "lost", (1, 1))


def test_a_marriage_that_gave_way_is_worth_what_it_is_worth_later():
    """The first marriage was no mistake: it made trumps. The other is worth 20 from then on."""
    position = "N: KS QS KH QH AC AD TC 9C 9D | S: 8C 7C 7D 7S JC 8D 8H 9S 9H | stock 20 | N leads"
    told = (
        "N AC, S 7C, N melds marriage KH QH 40, N draws 7H, S draws 8H, N AD, S 7D, N draws TD, S draws JD,"
        " N TC, S JC, {}N draws TH, S draws 9S, N KS, S 7S, N draws 9D, S draws JS, N QS, S 9S"
    )
    missed = annotated(position, told.format(""), sheet="rubicon-bezique").missed
    (only,) = [each for each in missed if each.what == "meld"]
    assert (only.could.points, only.became, only.tricks) == (20, "lost", (2, 3))
    made = told.format("N melds marriage KS QS 20, ")
    missed = annotated(position, made, sheet="rubicon-bezique").missed
    (only,) = [each for each in missed if each.what == "meld"]
    assert (only.could.points, only.became, only.tricks, only.lost) == (20, "delayed", (2, 2), 0)


TWO_QUEENS = "N: AH JH QS QC | S: 7S 8S 8C 7C | trump H | N leads"
ONE_BY_ONE = "N JH, S 8S, N QS, S 8C, N QC, S 7C"


def melds_missed(position, told, **options):
    return [
        (set(each.could.cards), each.became)
        for each in annotated(position, told, **options).missed
        if each.what == "meld"
    ]


def test_the_jack_makes_a_meld_with_each_queen():
    """R-SET: one after another, and one does not make up for the other."""
    missed = melds_missed(TWO_QUEENS, f"N AH, S 7S, {ONE_BY_ONE}", sheet="marjolet-oxford")
    spades, clubs = ({"JH", "QS"}, "lost"), ({"JH", "QC"}, "lost")
    assert len(missed) == 2
    assert spades in missed
    assert clubs in missed
    told = f"N AH, S 7S, N melds marjolet JH QS 20, {ONE_BY_ONE}"
    assert melds_missed(TWO_QUEENS, told, sheet="marjolet-oxford") == [clubs]


def test_another_queen_later_is_another_meld():
    position = "N: AH JH QD KS | S: 7S 8S 8C 7C | trump H | turn-up 9H | stock 9 | N leads"
    told = (
        "N AH, S 7S, N draws 7D, S draws 9S, N KS, S 8S, N draws AS, S draws 9C, N QD, S 9S, N draws QC,"
        " S draws TC, N AS, S 8C, N melds marjolet JH QC 20, N draws TD, S draws AC, N JH, S 9C"
    )
    assert melds_missed(position, told, sheet="marjolet") == [({"JH", "QD"}, "lost")]


@pytest.mark.parametrize("labels", [True, False], ids=["labelled", "alike"])
def test_a_marriage_of_other_captured_cards_does_not_make_up_for_the_first(labels):
    """Both could have scored, each after the trick that brought its cards (C12)."""
    position = "N: KC.1 KC.2 9S.1 | S: QC.1 QC.2 9H.1 | trump D | N leads"
    told = "N KC.1, S QC.1, N KC.2, S QC.2, N melds marriage KC.2 QC.2 20, N 9S.1, S 9H.1"
    first = {"KC.1", "QC.1"}
    if not labels:
        position, told = (re.sub(r"\.[12]", "", text) for text in (position, told))
        first = {"KC", "QC"}
    assert melds_missed(position, told, sheet="polish-bezique") == [(first, "lost")]


def test_a_captured_card_married_to_another_later_is_the_same_chance():
    position = "N: KC.1 AC.1 9S.1 | S: QC.1 QC.2 9H.1 | trump D | N leads"
    told = "N KC.1, S QC.1, N AC.1, S QC.2, N melds marriage KC.1 QC.2 20, N 9S.1, S 9H.1"
    missed = melds_missed(position, told, sheet="polish-bezique")
    assert missed == [({"KC.1", "QC.1"}, "delayed")]


@pytest.mark.parametrize("tricks", [1, 2])
def test_a_meld_withdrawn_was_never_made(tricks):
    """A-45: everything goes back to what it was, the chance that the meld had taken, too."""
    position = "N: AH AC KD QD KS | S: 7S 8S 9S 7C 8C | trump H | N leads"
    won = ", ".join(["N AH, S 7S", "N AC, S 8C"][:tricks])
    rest = ", ".join(["N KD, S 8S, N QD, S 9S", "N AC, S 8C"][: 3 - tricks])
    told = f"{won}, N melds marriage KD QD 20, irregular N withdrawn_meld, {rest}, N KS, S 7C"
    deal = annotated_as_told(position, told, sheet="zique")
    assert [(each.could.cards, each.became, each.times) for each in deal.missed] == [
        (("KD", "QD"), "lost", tricks)
    ]
    assert [trick.made for trick in deal.won] == [[]] * tricks
    made = annotated_as_told(
        position, told.replace("irregular N withdrawn_meld", "irregular N other"), sheet="zique"
    )
    assert [each.became for each in made.missed] == ["delayed"] * (tricks - 1)
    assert any(trick.made for trick in made.won)


def test_a_meld_that_counts_nothing_was_not_made():
    position = "N: AH KD QD KS QS | S: 7S 8S 7C 8C 9C | trump H | N leads"
    told = "N AH, S 7C, N melds marriage KD QD 20, N melds marriage KS QS 20, N KD, S 8C, N QD, S 9C, N KS, S 7S, N QS, S 8S"
    deal = annotated_as_told(position, told, sheet="zique")
    assert [len(trick.made) for trick in deal.won[:1]] == [1]
    assert ({"KS", "QS"}, "lost") in [(set(each.could.cards), each.became) for each in deal.missed]


@pytest.mark.parametrize(
    "sheet",
    [
        "bezique",
        "rubicon-bezique",
        "polish-bezique",
        "marjolet",
        "marjolet-oxford",
        "zique",
    ],
)
def test_what_is_told_of_a_meld_is_true_of_its_very_cards(sheet):
    """Told apart by their labels: a meld that was never made did not score, and one made late did, by R-SET with its cards."""
    for seed in range(int(os.environ.get("BEZIQUE_MISSED", "2"))):
        record = play_game(sheet, seed=seed, style="random", deals=1, labels=True)
        (deal,) = annotate(record, terms=AnalysisTerms(positions=1, brink=False)).deals
        events = record.deals[0].events
        for each in (one for one in deal.missed if one.what == "meld"):
            if each.became == "delayed":
                made = events[each.made]
                assert (made.seat, made.meld) == (each.seat, each.could.name)
                assert sheet != "polish-bezique" or set(made.cards) & set(each.could.cards)
                assert not sheet.startswith("marjolet") or set(made.cards) == set(each.could.cards)
                continue
            assert [
                event
                for event in events[each.first :]
                if isinstance(event, Meld)
                and (event.seat, event.meld) == (each.seat, each.could.name)
                and set(event.cards) == set(each.could.cards)
            ] == []
