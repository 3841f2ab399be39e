"""Rule players keep the rules, see only what their seat sees, and play alike at both tables."""

from collections.abc import Sequence
from itertools import product
from math import sqrt
from random import Random
from statistics import mean, stdev

import pytest
from msgspec.structs import replace

from analyzer.play.fast_deal import FastDeal
from analyzer.play.fast_rules import each_bit
from analyzer.play.setting_up import deal_cards
from records.engine.choices import legal_plays
from records.events import Draw, Play
from records.record import Deal
from records.replay import replay
from records.rules.compiled import compile_sheet
from records.rules.registry import ALL_SHEETS, get_sheet
from records.rules.vocabulary import RuleSheet
from records.selfplay import play_game, shuffle_deal
from records.validator import check_record
from tests.analyzer.play.test_expert import Moment
from tests.referee.careful_player import CarefulPlayer
from tests.referee.hoarder import Hoarder
from tests.referee.rule_players import RulePlayer
from tests.referee.rule_seats import RulePlayerSeat, play_out_by_rules, seat_maker
from tests.referee.seat_view import LawfulMeld, SeatView
from tests.referee.trick_taker import TrickTaker
from tests.soak.expert import paired_leads
from tests.soak.strength import PlayerPair, at_random, by_rules, meet

SHEETS = [sheet.id for sheet in ALL_SHEETS if sheet.rules.tableau is None]
PLAYERS: list[RulePlayer] = [Hoarder(), TrickTaker(), CarefulPlayer()]


def name_of(each: object) -> str:
    """A sheet or a player in the name of a test."""
    return each if isinstance(each, str) else type(each).__name__


EVERYWHERE = pytest.mark.parametrize(("sheet", "player"), [*product(SHEETS, PLAYERS)], ids=name_of)
CUTTING = ("cut", "guess")
"""What is scored for luck in cutting: only the engine's table cuts."""
ENOUGH_CHOICES = 5


def dealt(sheet: RuleSheet, random: Random) -> FastDeal:
    """A deal of a shuffled pack."""
    deal = shuffle_deal(compile_sheet(sheet), 1, random, seats=2, labels=True)
    return deal_cards(sheet, deal)


@pytest.mark.slow
@EVERYWHERE
def test_they_keep_the_rules(sheet: str, player: RulePlayer) -> None:
    maker, labels = seat_maker(player), get_sheet(sheet).rules.pack.packs > 1
    for seed, told_apart in enumerate((False, labels, labels)):
        record = play_game(
            sheet, seed=seed, deals=1, seat_players={0: maker, 1: maker}, labels=told_apart
        )
        assert check_record(record).verdict in ("legal", "incomplete")


class Spy:
    """A player who asks another, and asks again as the cards that its seat cannot see are dealt anew."""

    def __init__(self, player: RulePlayer, deal: FastDeal, random: Random) -> None:
        self.player, self.deal, self.random = player, deal, random
        self.asked = self.moved = 0

    def choose_card(self, view: SeatView) -> int:
        chosen = self.player.choose_card(view)
        assert chosen & view.lawful
        assert self.player.choose_card(self._dealt_anew(view)) == chosen
        return chosen

    def choose_meld(self, view: SeatView, melds: Sequence[LawfulMeld]) -> LawfulMeld | None:
        chosen, again = self.player.choose_meld(view, melds), self._dealt_anew(view)
        assert again.lawful_melds() == [*melds]
        assert self.player.choose_meld(again, melds) == chosen
        return chosen

    def choose_dix(self, actions: Sequence[str]) -> str | None:
        return self.player.choose_dix(actions)

    def _dealt_anew(self, view: SeatView) -> SeatView:
        """What the seat sees where its unseen cards lie elsewhere."""
        other, world = 1 - view.seat, self.deal.copy()
        unseen = [*each_bit(view.unseen)]
        self.random.shuffle(unseen)
        hidden = view.others - view.shown.bit_count()
        world.hands[other] = view.shown | sum(unseen[:hidden])
        world.stock = unseen[hidden:]
        self.asked += 1
        self.moved += world.hands[other] != self.deal.hands[other]
        return SeatView(world, view.seat, view.shown)


@pytest.mark.sampled(10)
@pytest.mark.long
@EVERYWHERE
def test_they_choose_alike_wherever_the_cards_lie_that_they_cannot_see(
    sheet: str, player: RulePlayer
) -> None:
    random = Random(sheet)
    deal = dealt(get_sheet(sheet), random)
    spies = [Spy(player, deal, random) for _ in range(2)]
    play_out_by_rules(deal, spies)
    for spy in spies:
        assert spy.moved > ENOUGH_CHOICES


@pytest.mark.parametrize("sheet", ["bezique", "polish-bezique", "rubicon-bezique", "marjolet"])
def test_records_that_a_seat_cannot_tell_apart_are_played_alike(sheet: str) -> None:
    random, moved = Random(sheet), 0
    labels = get_sheet(sheet).rules.pack.packs > 1
    record = play_game(sheet, seed=1, deals=1, labels=labels)
    plays = [end for end, event in enumerate(record.deals[0].events) if isinstance(event, Play)]
    for end, player in product(random.sample(plays, 4), PLAYERS):
        moment = Moment(record, end)
        names = moment.dealt_anew(random)
        assert chosen_at(moment, player, names) == chosen_at(moment, player, {})
        moved += moment.up_to_now(names).deals != moment.up_to_now().deals
    assert moved > len(PLAYERS)


def chosen_at(moment: Moment, player: RulePlayer, names: dict[str, str]) -> str:
    """The card that a player chooses at a moment of a record, in which cards with new `names` are others."""
    record = moment.up_to_now(names)
    deal = replace(record.deals[0], stock=[names.get(card, card) for card in moment.stock])
    seat = RulePlayerSeat(moment.seat, deal, 1, player=player)
    for frame in replay(record):
        seat.see(frame.event, frame.table)
    return seat.choose_card(frame.table, legal_plays(frame.table))


@pytest.mark.slow
@EVERYWHERE
def test_they_score_the_same_at_both_tables(sheet: str, player: RulePlayer) -> None:
    maker, labels = seat_maker(player), get_sheet(sheet).rules.pack.packs > 1
    for seed, (first, second) in enumerate(((maker, maker), (maker, seat_maker(Hoarder())))):
        record = play_game(
            sheet, seed=seed, deals=1, seat_players={0: first, 1: second}, labels=labels
        )
        *_, end = replay(record)
        by_luck = [award for award in end.table.awards if award.source in CUTTING]
        scores = [
            points - sum(award.points for award in by_luck if award.seat == seat)
            for seat, points in enumerate(end.table.points)
        ]
        fast = deal_cards(get_sheet(sheet), with_stock(record.deals[0]))
        players = [player, player if first is second else Hoarder()]
        assert play_out_by_rules(fast, players) == scores[0] - scores[1]
        assert fast.points == scores


@pytest.mark.slow
@pytest.mark.parametrize("player", PLAYERS, ids=name_of)
@pytest.mark.parametrize(("sheet", "pairs"), [("bezique", 24), ("zique", 24), ("marjolet", 60)])
def test_they_beat_greedy_players(sheet: str, pairs: int, player: RulePlayer) -> None:
    """On the same cards in both seats: luck alone leads by three standard errors once in a thousand runs."""
    leads = [*paired_leads(sheet, pairs, seat_maker(player), first=500)]
    assert mean(leads) > 3 * stdev(leads) / sqrt(pairs)


@pytest.mark.long
def test_a_meeting_is_of_the_first_of_a_pair_in_both_seats() -> None:
    pair = PlayerPair("hoarder over random", by_rules(Hoarder()), at_random)
    back = PlayerPair("random over hoarder", at_random, by_rules(Hoarder()))
    there, again = (meet(get_sheet("bezique"), each, range(3)) for each in (pair, back))
    assert there.deals == 6
    assert there.lead.mean == -again.lead.mean > 0
    assert sum(there.times.values()) == 0 < sum(again.times.values())


def with_stock(deal: Deal) -> Deal:
    """A deal before its first event, the cards in the order in which they were drawn."""
    draws = [event.card for event in deal.events if isinstance(event, Draw)]
    stock = draws[: len(draws) - (deal.turn_up is not None)]
    return Deal(dealer=deal.dealer, hands=deal.hands, turn_up=deal.turn_up, stock=stock)
