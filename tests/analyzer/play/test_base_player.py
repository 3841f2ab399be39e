"""The base player: its loop is its steps, it owes nothing to hidden cards, what it does is legal, and it beats greedy players."""

from collections.abc import Iterator
from random import Random

import msgspec
import pytest

from analyzer.play import base_player, greedy
from analyzer.play.base_weights import BaseWeights, weights_file, weights_for
from analyzer.play.card_worth import SheetWorth, worth_for
from analyzer.play.fast_deal import FastDeal
from analyzer.play.fast_rules import each_bit, fast_rules
from analyzer.play.fitting import (
    PROBABILITIES,
    Generations,
    estimate,
    lead_over,
    lead_over_greedy,
    shuffled_deals,
)
from analyzer.play.seat_players import base_player_for
from records.events import Meld
from records.rules.registry import ALL_SHEETS, get_sheet
from records.selfplay import play_game
from records.validator import check_record
from tests.soak.expert import paired_leads

SHEETS = [sheet.id for sheet in ALL_SHEETS if sheet.rules.tableau is None]

LEAST_LEADS = {"bezique": 90, "zique": 65, "rubicon-bezique": 250, "marjolet": 10}
"""The lead over greedy players that is promised, in points a deal; elsewhere it is above 0."""


def deals_of(name: str, number: int, seed: int = 0) -> list[FastDeal]:
    return shuffled_deals(get_sheet(name), number, Random(f"{name} {seed}"))


def by_steps(deal: FastDeal) -> Iterator[tuple[FastDeal, greedy.Choice]]:
    """Every choice of base players in a deal, with the deal before it."""
    while not deal.over or deal.window is not None:
        choice = base_player.next_choice(deal)
        yield deal, choice
        greedy.make_choice(deal, choice)


def everything(deal: FastDeal) -> tuple[object, ...]:
    """What a finished deal has come to: points, tricks, brisques, and who took what with which cards."""
    scored = [(each.kinds, each.ever) for each in deal.scored]
    return deal.points, deal.tricks, deal.brisques, deal.closes, deal.captured, deal.spent, scored


@pytest.mark.long
@pytest.mark.parametrize("name", SHEETS)
def test_the_loop_makes_the_same_choices_as_the_steps(name: str):
    for number, deal in enumerate(deals_of(name, 8)):
        deal.paired = number % 2 == 1
        looped, stepped = deal.copy(), deal.copy()
        lead = base_player.play_out(looped)
        for _ in by_steps(stepped):
            pass
        assert lead == looped.points[0] - looped.points[1]
        assert everything(looped) == everything(stepped)


@pytest.mark.long
@pytest.mark.parametrize("name", SHEETS)
def test_in_the_loop_each_seat_plays_by_its_own_weights(name: str):
    rules = fast_rules(get_sheet(name))
    players = SheetWorth(rules, BaseWeights(trump=1.0, win=0.3)), worth_for(rules)
    for deal in deals_of(name, 3, seed=5):
        looped, stepped = deal.copy(), deal.copy()
        base_player.play_out_between(looped, players)
        while not stepped.over or stepped.window is not None:
            choice = base_player.choice_of(stepped, players[stepped.actor])
            greedy.make_choice(stepped, choice)
        assert everything(looped) == everything(stepped)


@pytest.mark.long
@pytest.mark.parametrize("name", SHEETS)
def test_the_loop_makes_the_same_choices_from_the_middle_of_a_deal(name: str):
    random = Random(name)
    for deal in deals_of(name, 2):
        moments = [before.copy() for before, _ in by_steps(deal)]
        for moment in random.sample(moments, 5):
            assert base_player.play_out(moment) == deal.points[0] - deal.points[1]


@pytest.mark.long
@pytest.mark.parametrize("name", SHEETS)
def test_melds_that_are_no_longer_possible_change_no_choice(name: str):
    for deal in deals_of(name, 3):
        for before, choice in by_steps(deal):
            hopeful = before.copy()
            hopeful.hopeful = [before.view.all_melds] * 2
            assert base_player.next_choice(hopeful) == choice


@pytest.mark.long
@pytest.mark.parametrize("name", SHEETS)
def test_where_hidden_cards_are_changes_no_choice(name: str):
    random, changed = Random(name), 0
    for deal in deals_of(name, 3):
        for before, choice in by_steps(deal):
            if choice.what not in ("play", "meld"):
                continue
            other = before.copy()
            changed += hide_anew(other, choice.seat, random)
            assert base_player.next_choice(other) == choice
    assert changed > 30


def hide_anew(deal: FastDeal, seat: int, random: Random) -> bool:
    """Deal the stock and the hidden cards of the other hand again; tells whether its cards are others."""
    other = 1 - seat
    shown = deal.hands[other] & (deal.scored[other].ever | deal.spent)
    hidden = deal.hands[other] ^ shown
    cards = [*each_bit(hidden), *deal.stock]
    random.shuffle(cards)
    number, before = hidden.bit_count(), deal.hands[other]
    deal.hands[other], deal.stock = shown | sum(cards[:number]), cards[number:]
    deal.hope_for(other, deal.hands[other])
    return deal.hands[other] != before


@pytest.mark.parametrize("name", SHEETS)
def test_a_deal_played_for_some_tricks_is_the_same_so_far(name: str):
    (deal,) = deals_of(name, 1)
    part, stepped = deal.copy(), deal.copy()
    lead = base_player.play_out(part, 5)
    for before, _ in by_steps(stepped):
        if before.tricks == 5 and not before.led and not before.due and before.window is None:
            break
    assert (lead, part.hands) == (stepped.lead_so_far, stepped.hands)


@pytest.mark.long
@pytest.mark.parametrize("name", SHEETS)
def test_it_plays_lawfully_at_the_engines_table(name: str):
    maker = base_player_for(get_sheet(name))
    record = play_game(name, seed=3, seat_players={0: maker, 1: maker}, deals=1)
    assert check_record(record).verdict in ("legal", "incomplete")
    assert any(isinstance(event, Meld) for event in record.deals[0].events)


def test_there_is_none_for_a_game_without_tricks():
    with pytest.raises(ValueError, match="no tricks"):
        base_player_for(get_sheet("zetema"))


def test_it_beats_greedy_players_in_few_deals():
    worth = worth_for(fast_rules(get_sheet("bezique")))
    lead = estimate([lead_over_greedy(worth, deal) for deal in deals_of("bezique", 40, seed=1)])
    assert lead.mean - lead.within > 50


@pytest.mark.slow
@pytest.mark.parametrize("name", SHEETS)
def test_it_leads_greedy_players_by_what_is_promised(name: str):
    worth = worth_for(fast_rules(get_sheet(name)))
    lead = estimate([lead_over_greedy(worth, deal) for deal in deals_of(name, 150, seed=2)])
    assert lead.mean - lead.within > LEAST_LEADS.get(name, 0)


@pytest.mark.slow
@pytest.mark.parametrize("name", SHEETS)
def test_it_beats_greedy_players_at_the_engines_table(name: str):
    maker = base_player_for(get_sheet(name))
    lead = estimate([*paired_leads(name, 12, maker, first=9000)])
    assert lead.mean > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", SHEETS)
def test_fitted_weights_are_no_worse_than_those_set_by_hand(name: str):
    rules = fast_rules(get_sheet(name))
    fitted, by_hand = worth_for(rules), SheetWorth(rules, BaseWeights())
    lead = estimate([lead_over(fitted, by_hand, deal) for deal in deals_of(name, 60, seed=3)])
    assert lead.mean + lead.within >= 0


def test_every_sheet_has_weights_and_says_where_they_come_from():
    found = weights_file().sheets
    assert {*SHEETS} == found.keys()
    assert all(sheet.how for sheet in found.values())
    for sheet in found.values():
        weights = msgspec.structs.asdict(sheet.weights)
        assert min(weights.values()) >= 0
        assert max(weights[name] for name in PROBABILITIES) <= 1


def test_a_sheet_without_weights_of_its_own_has_the_generic_ones():
    assert weights_for("no-such-sheet") == weights_file().generic


def test_fitting_again_with_the_same_seed_gives_the_same_weights():
    rules = fast_rules(get_sheet("marjolet"))
    first, again, other = (Generations(rules, BaseWeights(), seed) for seed in (1, 1, 2))
    assert first.weights == BaseWeights()
    leads = [bred.breed(2) for bred in (first, again, other)]
    assert leads[0] == leads[1]
    assert first.weights == again.weights != other.weights
    assert first.games == 20 * 2 * 4


def test_an_idle_card_is_led_first():
    """A low plain card that is in no meld is led rather than a brisque or a trump, while the close is far away."""
    for deal in deals_of("bezique", 20, seed=4):
        for before, choice in by_steps(deal):
            cards = before.view.cards
            if choice.what != "play" or before.led or len(before.stock) < 16:
                continue
            idle = worth_for(before.rules).under[before.view.trump].idle
            if before.hands[choice.seat] & idle:
                (name,) = cards.names_of(choice.cards)
                assert name[0] in "789"
                assert name[1] != before.view.trump
