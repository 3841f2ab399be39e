"""Gains and losses after the close add up in every game, and a small review agrees with one worked out by hand."""

import os
from itertools import pairwise

import pytest

from analyzer.review.annotation import AnalysisTerms, annotate
from analyzer.review.deep_review import GameReview, ReviewTerms
from analyzer.review.exact_deals import SEARCH_ENDED
from analyzer.review.review_sums import list_costly_choices, seat_sums
from analyzer.review.review_words import describe_line, describe_loss
from analyzer.review.reviewer import MOST_DEALS_SEARCHED_FULLY, review_record
from analyzer.solver.moves import Move
from records.rules.registry import ALL_SHEETS
from records.rules.vocabulary import Phase
from records.selfplay import play_game
from tests.make.tables import table
from tests.make.whole_reviews import balances

GAMES = int(os.environ.get("BEZIQUE_BOOKS", "2"))
"""Games of every sheet and style: `BEZIQUE_BOOKS=1000` for the proof."""
MANY = 100
pytestmark = pytest.mark.timeout(900 if GAMES < MANY else 0)
FEW = AnalysisTerms(positions=1_500, brink=False)
TWO_HANDED = [sheet.id for sheet in ALL_SHEETS if sheet.rules.tableau is None]


def last_phase(sheet: str) -> Phase:
    return next(each for each in ALL_SHEETS if each.id == sheet).rules.phases[-1]


@pytest.mark.sampled(6)
@pytest.mark.long
@pytest.mark.parametrize("style", ["greedy", "random"])
@pytest.mark.parametrize("sheet", TWO_HANDED)
def test_the_books_balance_on_every_game(sheet, style):
    reviewed = decisions = 0
    for seed in range(GAMES):
        notes = annotate(play_game(sheet, seed=seed, style=style), terms=FEW)
        assert notes.why_not == ""
        for deal in notes.deals:
            close = deal.close
            if close is None:
                assert "too many readings" in deal.why_not
                continue
            assert balances(close)
            assert all(choice.lost >= 0 and choice.lawful for choice in close.decisions)
            assert all(choice.value == choice.ways[0].value for choice in close.decisions)
            assert close.lost == [
                sum(choice.lost for choice in close.decisions if choice.seat == seat)
                for seat in (0, 1)
            ]
            reviewed += close.unsolved == 0
            decisions += len(close.decisions)
    assert decisions > 20 * GAMES / 4
    assert reviewed or last_phase(sheet).melds


@pytest.mark.long
def test_the_outlook_changes_by_what_is_lost_and_by_nothing_else():
    for seed in range(3):
        for deal in annotate(play_game("bezique", seed=seed, style="random"), terms=FEW).deals:
            choices = deal.close.decisions
            for now, after in pairwise(choices):
                lost = now.lost if now.seat == 0 else -now.lost
                assert after.outlook == now.outlook - lost


CLOSE = "N: AS 9H | S: TS 7H | trump S | N leads"


def test_a_ten_saved_from_the_ace_of_trumps():
    """North draws the ten with the ace: two brisques, then the last trick. Led the other way he loses nothing."""
    (deal,) = annotate(table(CLOSE, "N AS, S TS, N 9H, S 7H").record).deals
    close = deal.close
    assert (close.value, close.lost, close.result, close.apart) == (30, [0, 0], 30, 0)
    assert [choice.did.card for choice in close.decisions] == ["AS", "TS", "9H", "7H"]
    assert [[ply.card for ply in choice.line] for choice in close.decisions] == [
        ["AS", "TS", "9H", "7H"], ["TS", "9H", "7H"], ["9H", "7H"], ["7H"],
    ]  # fmt: skip


def test_an_ace_led_too_early():
    """The 9 of hearts first makes South take his own ten with it, and the ace still catches the other."""
    (deal,) = annotate(
        table("N: AS 9H | S: TS TH | trump S | N leads", "N AS, S TS, N 9H, S TH").record
    ).deals
    first = deal.close.decisions[0]
    assert (first.did.card, first.lost, first.line[0].card) == ("AS", 20, "9H")
    assert (deal.close.value, deal.close.lost, deal.close.result) == (20, [20, 0], 0)


def test_a_meld_passed_over_after_the_close_is_lost():
    position = "N: KH QH AS | S: 7C 8C 9C | trump S | N leads"
    (deal,) = annotate(
        table(position, "N AS, S 7C, N KH, S 8C, N QH, S 9C", sheet="bezique-enhanced").record
    ).deals
    lost = [(choice.did.card, choice.lost) for choice in deal.close.decisions if choice.lost]
    assert lost == [("KH", 20)]
    meld = next(choice for choice in deal.close.decisions if choice.lost).line[0]
    assert (meld.meld, meld.points, sorted(meld.cards)) == ("marriage", 20, ["KH", "QH"])


@pytest.mark.parametrize(
    ("position", "played", "said"),
    [
        ("N: AD 9H 8D | S: TH KD QD | trump S | N leads", "N 9H, S TH, S melds marriage KD QD 20, S KD, N AD, N 8D, S QD",
         "then ends the deal 10 behind instead of 30 behind. As it was played, South can meld: a marriage (20)."),
        ("N: AD KH QH | S: 7D 8C 9C | trump S | N leads", "N QH, S 8C, N AD, S 7D, N KH, S 9C",
         "instead of 20 ahead. North could then still have melded: a marriage (20)."),
        ("N: KH QH AS | S: 7C 8C 9C | trump S | N leads", "N AS, S 7C, N KH, S 8C, N QH, S 9C",
         "then ends the deal 40 ahead instead of 20 ahead."),
    ],
)  # fmt: skip
def test_the_meld_that_a_card_costs_is_named(position: str, played: str, said: str):
    review = reviewed(position, played, sheet="bezique-enhanced")
    lost = next(choice for choice in review.deals[0].decisions if choice.lost)
    assert lost.why.endswith(said)


def reviewed(position: str, played: str, **more: object) -> GameReview:
    return review_record(table(position, played, **more).record, terms=ReviewTerms(worlds=0))


TWO_MARRIAGES = "N: KD QD AH 8S | N lays marriage KD QD | S: 7D 7C 9H 7S 8C 7S | trump H | N leads"


def test_a_loss_is_not_certain_where_it_depends_on_which_of_like_cards_have_scored():
    """North leads a king of diamonds, and then no queen with it: the king that has scored, or the other one."""
    played = "N KD, S 7D, N AH, S 9H, N 8S, S 7S, N QD, S 7S, N QD, S 7C, N KD, S 8C"
    review = reviewed(TWO_MARRIAGES, played, sheet="zique")
    (loss,) = [each for each in review.deals[0].decisions if each.lost]
    assert (loss.choices[loss.chosen].cards, loss.lost, loss.doubtful) == (["QD"], 20, True)
    assert describe_loss(loss, review.names).startswith("North perhaps loses 20 points by playing")


TOLD_APART = "N: KD.2 QD.2 AH.1 8S.1 | N lays marriage KD.1 QD.1 | S: 7D.1 7C.1 9H.1 7S.1 8C.1 7S.2 | trump H | N leads"


@pytest.mark.parametrize(("first", "last", "event"), [("KD.1", "KD.2", 8), ("KD.2", "KD.1", 0)])
def test_where_copies_are_told_apart_the_loss_is_certain(first, last, event):
    """The king that has scored leaves a marriage to meld; the other one gives it up at once."""
    played = f"N {first}, S 7D.1, N AH.1, S 9H.1, N 8S.1, S 7S.1, N QD.1, S 7S.2, N QD.2, S 7C.1, N {last}, S 8C.1"
    (deal,) = annotate(table(TOLD_APART, played, sheet="zique").record).deals
    losses = [(each.event, each.lost, each.certain) for each in deal.close.decisions if each.lost]
    assert losses == [(event, 20, True)]


def test_a_dix_stands_apart():
    """Ten points for playing the seven of trumps, whatever else happens."""
    position = "N: AS 7S | S: TS 7H | trump S | N leads"
    (deal,) = annotate(table(position, "N AS, S TS, N 7S, N dix play 10, S 7H").record).deals
    assert (deal.close.value, deal.close.apart, deal.close.result) == (30, 10, 40)
    assert balances(deal.close)


def test_what_the_rules_do_not_allow_is_in_the_books_too():
    """South keeps his ten by not following suit; that is no loss of his, and the books say so."""
    told = table("N: AS 9H | S: TS 7H | trump S | N leads", "N AS, S 7H, N 9H, S TS")
    assert "must-follow-suit" in told.codes
    (deal,) = annotate(told.record).deals
    second = deal.close.decisions[1]
    assert (second.did.card, second.lawful, second.lost) == ("7H", False, -40)
    assert balances(deal.close)
    assert deal.tainted


def test_who_had_one_lawful_card_made_no_mistake_in_the_numbers():
    """The points that the breach cost are lost all the same."""
    position = "N: KS 9D | S: AS TD | trump H | N leads"
    review = reviewed(position, "N KS, S TD, irregular S revoke, N 9D, S AS")
    _, south = seat_sums(review)
    assert (south.choices, south.mistakes, south.lost) == (0, 0, 60)
    assert list_costly_choices(review) == []


@pytest.mark.long
def test_why_there_is_nothing_to_say():
    assert "no tricks" in annotate(play_game("zetema", seed=1)).why_not
    record = play_game("bezique", seed=1)
    record.deals = record.deals[:1]
    record.deals[0].events = record.deals[0].events[:-12]
    assert "not played to its end" in annotate(record).deals[0].why_not
    record = play_game("bezique", seed=1)
    record.deals[0].hands[1] = ["??"] * 8
    assert "does not show every hand" in annotate(record).deals[0].why_not


@pytest.mark.slow
def test_the_search_stops_where_it_was_told_to():
    record = play_game("polish-bezique", seed=1)
    few = annotate(record, terms=AnalysisTerms(positions=50)).deals[0].close
    more = annotate(record, terms=AnalysisTerms(positions=2_000)).deals[0].close
    assert few.unsolved > more.unsolved
    assert few.decisions == more.decisions[-len(few.decisions) :]
    assert balances(few)
    assert balances(more)


def test_where_like_cards_can_be_told_apart_in_too_many_ways_it_says_so():
    """Four packs without labels, melds reused again and again: what may still be melded cannot be listed."""
    (deal,) = annotate(play_game("rubicon-bezique", seed=15), terms=FEW).deals
    assert deal.close is None
    assert "too many readings" in deal.why_not
    (deal,) = annotate(play_game("rubicon-bezique", seed=15, labels=True), terms=FEW).deals
    assert balances(deal.close)


@pytest.mark.parametrize("sheet", ["rubicon-bezique", "chinese-bezique", "bezique-enhanced"])
def test_the_books_balance_where_like_cards_are_told_apart(sheet):
    for seed in range(GAMES):
        record = play_game(sheet, seed=seed, labels=True, deals=2)
        for deal in annotate(record, terms=FEW).deals:
            assert balances(deal.close)
            assert min(choice.lost for choice in deal.close.decisions) == 0


def test_a_meld_of_other_cards_that_keeps_more_melds_open_is_better():
    """Who holds five aces melds four with the one that is played next, and then four again."""
    record = play_game("chinese-bezique", seed=58, labels=True)
    (deal,) = annotate(record, terms=FEW).deals
    assert balances(deal.close)
    (choice,) = [choice for choice in deal.close.decisions if choice.lost and choice.did.meld]
    best = choice.ways[0].ply
    assert (choice.did.meld, best.meld, choice.lost) == ("four_aces", "four_aces", 100)
    assert "AS.5" in best.cards
    assert "AS.5" not in choice.did.cards


UNTRUMPED = "N: 9D KS QS | S: 9S 8C 8S | N leads"
LATE = {"sheet": "rubicon-bezique-club", "meld_after_close": True}


def test_while_a_meld_only_shown_could_make_trumps_no_decision_is_valued():
    """Showing a meld unscored is no move of the search, so the review begins once there are trumps."""
    played = "N 9D, S 8C, N melds marriage KS QS 40, N KS, S 9S, N QS, S 8S"
    (deal,) = annotate(table(UNTRUMPED, played, **LATE).record).deals
    assert (deal.close.unsolved, balances(deal.close)) == (3, True)
    (deal,) = annotate(table(UNTRUMPED, played, **LATE, trumps_by="scored").record).deals
    assert (deal.close.unsolved, balances(deal.close)) == (0, True)
    never = "N 9D, S 8C, N KS, S 9S, N QS, S 8S"
    (deal,) = annotate(table(UNTRUMPED, never, **LATE).record).deals
    assert deal.close is None
    assert "Nobody made trumps" in deal.why_not


AGAIN = {"sheet": "bezique-enhanced", "dix_once_per_card": False}
SEVEN = "N: AS 7S 8H | S: 8S 9H 7D | trump S | N leads"


def test_a_dix_that_scores_again_is_worth_a_trick_won_with_it_in_hand():
    """The ace takes a trick, the seven is shown, and scores again when it is played."""
    played = "N AS, S 8S, N dix show 10, N 8H, S 9H, S 7D, N 7S"
    (deal,) = annotate(table(SEVEN, played, **AGAIN).record).deals
    close = deal.close
    assert (close.value, close.lost, close.apart) == (10 + 10 + 10, [0, 0], 10)
    assert balances(close)
    shown = close.decisions[2]
    assert (shown.did, shown.lost) == (Move(0, points=10, shows="7S"), 0)
    assert len(shown.ways) == 3
    passed = [way.value for way in shown.ways if way.ply.card]
    assert max(passed) == shown.value - 10


def test_a_dix_not_shown_costs_what_it_would_have_scored():
    played = "N AS, S 8S, N 8H, S 9H, S 7D, N 7S"
    (deal,) = reviewed(SEVEN, played, **AGAIN).deals
    assert (deal.close.lost, balances(deal.close)) == ([10, 0], True)
    (worst,) = [each for each in deal.decisions if each.lost]
    assert describe_loss(worst, ["North", "South"]) == (
        "North loses 10 points by playing the 8 of hearts; showing the 7 of spades was better: "
        "with best play North then ends the deal 40 ahead instead of 30 ahead."
    )
    assert describe_line(worst.line, ["North", "South"]).startswith("North shows 7♠, 10; North 8♥")


def test_a_dix_shown_stands_apart_where_it_scores_but_once():
    played = "N AS, S 8S, N dix show 10, N 8H, S 9H, S 7D, N 7S"
    (deal,) = annotate(table(SEVEN, played, sheet="bezique-enhanced").record).deals
    assert (deal.close.value, deal.close.lost, deal.close.apart) == (20, [0, 0], 10)
    assert balances(deal.close)


@pytest.mark.long
@pytest.mark.parametrize("sheet", ["bezique-enhanced", "polish-bezique"])
def test_the_books_balance_where_a_dix_scores_again(sheet):
    for seed in range(GAMES):
        style = "greedy" if seed % 2 else "random"
        options = {"dix_once_per_card": False}
        for deal in annotate(
            play_game(sheet, seed=seed, options=options, style=style), terms=FEW
        ).deals:
            assert balances(deal.close)
            assert all(choice.lost >= 0 and choice.lawful for choice in deal.close.decisions)


@pytest.mark.long
def test_the_deals_of_a_record_share_what_a_review_may_cost():
    """Each of these closes needs more positions than it may have; after so many deals none is left."""
    record = play_game("polish-bezique", seed=5, deals=1)
    terms = AnalysisTerms(positions=200, brink=False)
    (alone,) = annotate(record, terms=terms).deals
    record.deals, record.result = record.deals * (MOST_DEALS_SEARCHED_FULLY + 3), None
    deals = annotate(record, terms=terms).deals
    fully, others = deals[:MOST_DEALS_SEARCHED_FULLY], deals[MOST_DEALS_SEARCHED_FULLY:]
    for deal in fully:
        # What a choice costs in the match depends on the score that the deals before it have brought.
        for decision in (*deal.close.decisions, *alone.close.decisions):
            decision.match = None
        assert deal.close == alone.close
    for deal in others:
        assert (
            deal.close.unsolved > alone.close.unsolved
            if deal.close
            else deal.why_not == SEARCH_ENDED
        )
