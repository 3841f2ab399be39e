"""Which missed chances are the same one, and in what order the melds that were possible are told."""

from analyzer.annotate.annotator import annotate
from tests.tables import table

TWO_MARRIAGES = (
    "N: KH QH KD QD QS JD AD AC | S: AS TS 9D 8D 7D 8H 7H 9H | trump C | stock 20 | S leads"
)
THREE_WON = (
    "S 7D, N AD, N draws TC, S draws 8C, N AC, S 8H, N melds marriage KH QH 20, N draws 9C, S draws 7C,"
    " N TC, S 7C, N melds bezique QS JD 40, N draws 7S, S draws 8S, N KD, S 9H,"
    " N draws TD, S draws TH, N QD, S 8D"
)


def annotated(position, told, **options):
    replayed = table(position, told, **options)
    assert replayed.codes == []
    (deal,) = annotate(replayed.record).deals
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


def test_a_marriage_worth_less_later_does_not_make_up_for_it():
    """Before trumps are made a marriage is worth 40; the other player makes them by another suit."""
    position = "N: KS QS AC AD TC 9C 9D 8D JH | S: KH QH AS AD 8C 7C 7D 7S JC | stock 20 | N leads"
    told = (
        "N AC, S 7C, N draws 7H, S draws 8H, N 8D, S AD, S melds marriage KH QH 40, S draws 9S, N draws 9S,"
        " S 8C, N TC, N melds marriage KS QS 20, N draws TH, S draws TH, N 9C, S 7D,"
        " N draws TD, S draws JD, N KS, S 7S, N draws 9D, S draws JD, N QS, S 9S"
    )
    (only,) = annotated(position, told, sheet="rubicon-bezique").missed
    assert (only.could.points, only.became, only.made) == (40, "lost", None)
