"""The search for completions: what it finds in small deals, and that it never costs more than its budget."""

from typing import Any

import pytest
from msgspec.structs import replace

from records.events import Discard, Draw, Meld, Play
from records.partial.search import CompletionSearchResult, search_completions
from records.partial.written_deal import MOST_STEPS, STEPS_A_FINDING, SearchBudget
from records.record import Deal, Player, Record, Setup
from records.replay import Match, replay
from records.rules.registry import resolve_rules
from records.selfplay import play_game
from records.validator import check_record
from tests.make.tables import S, deal_of, record_of


def search(record: Record, *, number: int = 0, budget: SearchBudget | None = None) -> Any:
    """The search of one deal, with the deals before it replayed."""
    match = Match(record, resolve_rules(record.rules))
    trump = None
    for frame in replay(record, findings_only=True):
        trump = frame.table.trump if frame.deal == number else trump
    return search_completions(record, match, number, trump, budget or SearchBudget())


def of(position: str, told: str, *, sheet: str = "bezique", **options: Any) -> Any:
    """The search of a position, seen by the public."""
    deal = replace(deal_of(position, told), knowledge="public")
    return search(record_of([deal], sheet=sheet, **options))


def assert_found(found: CompletionSearchResult, outcome: str, event: int | None = None) -> None:
    assert (found.outcome, found.event) == (outcome, event)


# -- duties after the close


def test_an_unknown_card_that_must_have_followed_suit_is_no_other():
    """Two cards are left, the unknown one is led to and played: it was of the suit before, or was not."""
    assert_found(of("N: AS KS | S: ?? 9D | trump H", "N AS, S 9D"), "open", 1)
    assert_found(of("N: AS KS | S: ?? 9D | trump H", "N AS, S 9D, N KS, S 8C"), "legal")
    assert_found(of("N: AS KS | S: ?? 9D | trump H", "N AS, S 9D, N KS, S 8S"), "illegal", 1)
    assert_found(of("N: AS KS | S: ?? 9D | trump H", "N AS, S 9D, N KS, S 8H"), "illegal", 1)


def test_without_a_duty_every_card_may_have_been_there():
    options = {"follow": "any"}
    told = "N AS, S 9D, N KS, S 8S"
    assert_found(of("N: AS KS | S: ?? 9D | trump H", told, sheet="marjolet", **options), "legal")


def test_a_card_known_by_its_suit_decides():
    assert_found(of("N: AS KS | S: ?C 9D | trump H", "N AS, S 9D"), "legal")
    assert_found(of("N: AS KS | S: ?H 9D | trump H", "N AS, S 9D"), "illegal", 1)
    assert_found(of("N: AS KS | S: ?S 9D | trump H", "N AS, S 9D"), "illegal", 1)


def test_a_card_known_by_its_rank_leaves_the_suit_open():
    assert_found(of("N: AS KS | S: K? 9D | trump H", "N AS, S 9D"), "open", 1)


def test_a_lead_that_must_be_beaten():
    """South plays the nine under the jack: the unknown card was not a higher spade."""
    assert_found(of("N: JS KD | S: ?S 9S | trump H", "N JS, S 9S"), "open", 1)
    assert_found(of("N: JS KD | S: A? 9S | trump H", "N JS, S 9S, N KD, S AS"), "illegal", 1)
    assert_found(of("N: JS KD | S: ?S 9S | trump H", "N JS, S 9S, N KD, S 8S"), "legal")


# -- tricks with unknown cards, and an unknown trump suit


def test_one_draw_alone_after_the_last_trick_does_not_tell_who_took_it():
    """If South took it, South has drawn unseen before North: that completion is legal, too."""
    position = "N: KS 9D | S: A? 8D | turn-up QH | stock 3"
    assert_found(of(position, "N KS, S A?, N draws ??"), "given-up")


def test_who_leads_next_has_taken_the_trick():
    """South leads after it: the unknown reply has beaten the king."""
    position = "N: KS 9D | S: ?S 8D | turn-up QH | stock 3"
    assert_found(of(position, "N KS, S ??, S 8D"), "open", 2)
    assert_found(of("N: AS 9D | S: ?S 8D | turn-up QH | stock 3", "N AS, S ??, S 8D"), "illegal", 2)


def test_each_trump_suit_breaks_a_rule_of_its_own():
    told = "N TD, S 9C, N 8S, S 9S, S 9H, N JC, S QH, N JD"
    assert_found(of("N: TD 8S JC JD | S: 9C 9S 9H QH", told), "illegal", 5)
    told = "N TD, S 9C, N 8S, S 9S, S 9H, N JD, N JC, S QH"
    assert_found(of("N: TD 8S JC JD | S: 9C 9S 9H QH", told), "open", 1)


# -- the pack, hands and draws


def test_more_cards_than_the_pack_has():
    assert_found(of("N: A? A? A? | S: AS AS AH | trump H", ""), "legal")
    assert_found(of("N: A? A? A? A? A? A? | S: AS AS AH | trump H", ""), "illegal")
    assert_found(of("N: ?S ?S | S: AS AS | trump H", "N AS"), "illegal", 0)


def test_a_card_played_must_have_been_drawn_in_time():
    """The draws are not written: the winner draws first, both before the next lead."""
    position = "N: KS 9D | S: 8S 8D | turn-up QH | stock 3"
    assert_found(of(position, "N KS, S 8S, N AC, S 7C"), "legal")
    assert_found(of(position, "N KS, S 8S, N AC, S 7C, N 9D, S QC"), "illegal", 5)


def test_the_turn_up_is_the_last_card_drawn():
    position = "N: KS 9D | S: 8S 8D | turn-up QH | stock 1"
    assert_found(of(position, "N KS, S 8S, N 9D, S QH"), "illegal", 3)
    assert_found(of(position, "N KS, S 8S, N 9D, S 8D, N 7C, S QH"), "legal")


def test_a_draw_told_of_the_loser_alone():
    position, told = (
        "N: KS 9D | S: 8S 8D | turn-up QH | stock 3",
        "N KS, S 8S, S draws KC, N AC, S ",
    )
    assert_found(of(position, told + "KC"), "legal")
    assert_found(of(position, told + "9C"), "illegal", 4)


# -- melds, sevens, carte blanche


def test_a_marriage_again_needs_another_copy():
    position = "N: KS QS {} 9D | S: 8S 8D 8C 7C | turn-up 9H | stock 7 | N won"
    told = "N melds marriage KS QS, N 9D, S 8D, N melds marriage KS QS"
    assert_found(of(position.format("KS"), told), "open", 3)
    assert_found(of(position.format("??"), told), "open", 3)
    assert_found(of(position.format("?D"), told), "illegal", 3)


def test_a_seven_shown_twice_is_two_sevens():
    position = "N: 7H {} 9D | S: 8S 8D 8C | turn-up KH | stock 7 | N won"
    told = "N dix show, N 9D, S 8D, N dix show"
    assert_found(of(position.format("7H"), told), "legal")
    assert_found(of(position.format("7?"), told), "open", 3)
    told = "N dix show, N draws KS, N 9D, S 8D, N dix show"
    assert_found(of(position.format("KC"), told), "illegal", 4)


def test_carte_blanche_leaves_no_court_card():
    hand = ["??"] * 8
    shown = ["7S", "8S", "9S", "TS", "AS", "7H", "8H", "9H", "TH"]
    deal = Deal(dealer=S, knowledge="public", hands=[[*hand, "?S"], shown])
    blank = deal_of("N: 9S | S: 9S", "N shows carte_blanche 50").events
    found = search(record_of([replace(deal, events=blank)], sheet="rubicon-bezique"))
    assert found.outcome == "open"
    courtly = replace(deal, hands=[[*hand, "K?"], shown], events=blank)
    assert search(record_of([courtly], sheet="rubicon-bezique")).outcome == "illegal"


# -- numbers


def test_a_number_wrong_in_every_completion_is_a_mismatch():
    told = "N AS, S ?S, N scores last_trick 20"
    found = of("N: AS | S: ?S | trump H", told)
    assert (found.outcome, found.numbers_open) == ("legal", False)
    assert [finding.code for finding in found.mismatches] == ["wrong-score-points"]


def test_a_number_right_in_some_completions_is_none():
    found = of("N: AS | S: ?S | trump H", "N AS, S ?S, N counts 2 brisques 20")
    assert (found.outcome, found.mismatches, found.numbers_open) == ("legal", (), True)


# -- Zetema


def zetema(hands: list[list[str]], events: list[Any], **setup: Any) -> Any:
    deal = Deal(
        dealer=0,
        knowledge="public",
        setup=Setup(hands=hands, seat=0, **setup),
        events=events,
    )
    record = record_of([deal], sheet="zetema")
    players = [Player(name=f"Seat {seat}") for seat in range(len(hands))]
    return search(replace(record, players=players))


FULL = [["7H", "7D", "7C", "2H", "2D", "2C"], ["6H", "6D", "6C", "3H", "3D", "3C"]]


def test_zetema_a_card_discarded_was_held():
    deal = [Discard(seat=0, card="9S")]
    assert_found(zetema([["??", "KS"], ["7H", "7D"], ["6H", "6D"]], deal), "legal")
    assert_found(zetema([["?H", "KS"], ["7H", "7D"], ["6H", "6D"]], deal), "illegal", 0)


def test_zetema_draws_up_before_it_discards():
    events = [Discard(seat=0, card="9S"), Discard(seat=1, card="7H"), Discard(seat=2, card="6H")]
    hand = ["KS", "AS", "4S", "5S", "4H"]
    assert_found(zetema([hand, *FULL], events, stock=10), "legal")
    assert_found(zetema([[*hand, "??"], *FULL], events, stock=10), "legal")
    assert_found(zetema([[*hand, "3S"], *FULL], events, stock=10), "illegal", 0)


def test_zetema_marriages_from_hand_or_tableau():
    """The queen of the tableau or an unknown one of the hand: both ways are tried."""
    rest = ["AS", "4S", "5S", "4H"]
    married = [Meld(seat=0, meld="marriages", cards=["KH", "QH"])]
    on_table, in_hand = {"tableau": ["QH"], "stock": 10}, {"stock": 10}
    assert_found(zetema([["KH", "??", *rest], *FULL], married, **on_table), "legal")
    assert_found(zetema([["KH", "?H", *rest], *FULL], married, **in_hand), "legal")
    assert_found(zetema([["KH", "?S", *rest], *FULL], married, **in_hand), "illegal", 0)


# -- cost


def costly() -> Record:
    """A record of many deals, each with plays that nobody saw."""
    plays = [Play(seat=(1 + k) % 2, card="??") for k in range(32)]
    deals = [Deal(dealer=0, knowledge="public", events=plays) for _ in range(60)]
    return record_of(deals, sheet="marjolet")


@pytest.mark.long
def test_the_deals_of_a_record_share_one_budget():
    record, budget = costly(), SearchBudget()
    outcomes = [search(record, number=n, budget=budget).outcome for n in range(0, 60, 4)]
    assert outcomes[-1] == "given-up"
    # What is over the budget is at most one more deal laid out, however many there are.
    assert budget.steps > -MOST_STEPS // 10


def test_what_is_wrong_in_completions_is_paid_for():
    """A finding takes several times as long as an event in which there is nothing to find."""

    def spent(winner: str) -> int:
        budget, deal = SearchBudget(), deal_of("N: AS KS | S: ?? 9D", f"N AS, S 9S, {winner} takes")
        record = record_of([replace(deal, knowledge="public")], sheet="marjolet")
        assert_found(search(record, budget=budget), "legal")
        return budget.spent

    assert spent("S") >= spent("N") + STEPS_A_FINDING > spent("N")


@pytest.mark.long
def test_what_was_not_examined_is_told_once():
    codes = [finding.code for finding in check_record(costly()).findings]
    assert codes.count("too-many-completions") == 1


def cost_notes(*levels: str) -> list[str]:
    """What the notes of cost say about deals at these levels, each with a card that nobody saw."""
    plays = [Play(seat=1, card="??"), Play(seat=0, card="9S")]
    deals = [Deal(dealer=0, knowledge=level, events=plays) for level in levels]
    found = check_record(record_of(deals, sheet="marjolet")).findings
    return [finding.message for finding in found if finding.code == "too-many-completions"]


def test_a_deal_of_which_only_the_plays_are_known_says_that_it_was_not_searched():
    (said,) = cost_notes("plays", "plays")
    assert "melds may be missing anywhere" in said
    assert cost_notes("public") == cost_notes("scores") == []


@pytest.mark.parametrize("sheet", ["bezique", "marjolet", "polish-bezique", "zique"])
def test_a_deal_seen_by_the_public_and_played_out_is_legal(sheet):
    """With every card shown in the end, no completion can break a rule that the record keeps."""
    record = play_game(sheet, seed=3, style="random", deals=1)
    (deal,) = record.deals
    hidden = replace(
        deal,
        knowledge="public",
        hands=[["??"] * len(hand) for hand in deal.hands],
        events=[replace(e, card="??") if isinstance(e, Draw) else e for e in deal.events],
    )
    assert_found(search(replace(record, deals=[hidden], result=None)), "legal")
