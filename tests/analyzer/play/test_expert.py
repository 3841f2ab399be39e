"""The expert: what it does is legal, the same for the same seed, better than greedy, and owes nothing to hidden cards."""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from random import Random
from statistics import mean, stdev

import pytest
from msgspec.structs import replace

from analyzer.play.expert import ExpertPlayer, PassedMelds
from analyzer.play.fast_deal import FastDeal
from analyzer.play.likely_worlds import LikelyKnowledge
from analyzer.play.seat_players import base_player_for
from analyzer.play.setting_up import fast_deal_at
from analyzer.play.worlds import RASH, SeatKnowledge, ShownCards, mask_of_shown
from analyzer.review.close_review import CloseReviewer
from analyzer.review.last_stock_trick import LastStockTrickWatch
from records.cards import FACE_OF
from records.engine.table import Table
from records.events import AnyEvent, Dix, Draw, Meld, Play
from records.format import codec
from records.record import Deal, Record
from records.replay import replay
from records.rules.registry import ALL_SHEETS, get_sheet
from records.selfplay import FormedMeld, play_game
from records.validator import check_record
from tests.soak.expert import lead_of, paired_leads
from tests.soak.gains import MeasuredExpert, measure_deal

SHEETS = [sheet.id for sheet in ALL_SHEETS if sheet.rules.tableau is None]
FEW_WORLDS = 2
PAIRS, WORLDS = 20, 8
"""So many deals are played twice, by the expert in each seat."""


def expert(seat: int, deal: Deal, seed: int, worlds: int = FEW_WORLDS) -> ExpertPlayer:
    return ExpertPlayer(seat, deal, seed, worlds)


class SeenExpert(ExpertPlayer):
    """Tells what it weighs."""

    def weighed(self, table: Table) -> list[object]:
        """The choices with their faces and their values."""
        deal, values = self._weigh(table)
        names = deal.view.cards.names_of
        return [
            (
                value.choice.what,
                value.choice.name,
                sorted(FACE_OF[name] for name in names(value.choice.cards)),
                value[1:],
            )
            for value in values
        ]


class Moment:
    """A record up to a choice of a seat, and the cards that this seat cannot see: every copy has its own name."""

    def __init__(self, record: Record, end: int) -> None:
        """The choice is the event that the record has at `end`."""
        deal = record.deals[0]
        self.record, self.end = record, end
        self.seat = getattr(deal.events[end], "seat", 0)
        draws = [event.card for event in deal.events if isinstance(event, Draw)]
        past = sum(isinstance(event, Draw) for event in deal.events[:end])
        other, shown = 1 - self.seat, ShownCards()
        for frame in replay(self.up_to_now()):
            shown.read(frame.event, frame.table)
        known = shown.of(frame.table, other)
        # Whoever draws last takes the turn-up, or the seven that it was exchanged for.
        self.stock = draws[: len(draws) - (deal.turn_up is not None)]
        known.update(draws[len(self.stock) :])
        self.hidden = [card for card in frame.table.held[other] if not known[card]]
        self.face_down = self.stock[past:]

    def up_to_now(self, new_names: Mapping[str, str] | None = None) -> Record:
        """The record of what has happened; cards with `new_names` are others."""
        names = new_names or {}
        deal = self.record.deals[0]
        events: list[AnyEvent] = [
            replace(event, card=names.get(event.card, event.card))
            if isinstance(event, Draw)
            else event
            for event in deal.events[: self.end]
        ]
        hands = [[names.get(card, card) for card in hand] for hand in deal.hands or ()]
        return replace(
            self.record, deals=[replace(deal, hands=hands, events=events, claims=None)], result=None
        )

    def dealt_anew(self, random: Random) -> dict[str, str]:
        """New names for the cards that the seat cannot see: what it has seen stays the same."""
        cards = [*self.hidden, *self.face_down]
        return dict(zip(cards, random.sample(cards, len(cards)), strict=True))

    def weighed(self, new_names: Mapping[str, str] | None = None) -> list[object]:
        """What an expert in the seat weighs when it has read the record."""
        record, names = self.up_to_now(new_names), new_names or {}
        deal = replace(record.deals[0], stock=[names.get(card, card) for card in self.stock])
        player = SeenExpert(self.seat, deal, seed=1, worlds=FEW_WORLDS)
        for frame in replay(record):
            player.see(frame.event, frame.table)
        return player.weighed(frame.table)


@pytest.mark.parametrize("sheet", SHEETS)
def test_records_that_a_seat_cannot_tell_apart_are_weighed_alike(sheet: str) -> None:
    random = Random(sheet)
    record = labelled_game(sheet)
    events = record.deals[0].events
    plays = [end for end, event in enumerate(events) if isinstance(event, Play)]
    melds = [end for end, event in enumerate(events) if isinstance(event, Meld)]
    chosen = [*random.sample(plays, 3), *random.sample(melds, min(2, len(melds)))]
    assert sum(moved_cards(Moment(record, end), random) for end in chosen) > 1


@pytest.mark.long
@pytest.mark.parametrize("sheet", ["bezique", "zique", "marjolet", "rubicon-bezique"])
def test_nor_are_they_told_apart_in_the_last_trick_of_the_stock(sheet: str) -> None:
    """There every world is looked at, and valued exactly if a card is turned up."""
    random, record = Random(sheet), labelled_game(sheet)
    events = record.deals[0].events
    before = [end for end, event in enumerate(events) if isinstance(event, Draw)][-2]
    for end in [end for end in range(before) if isinstance(events[end], Play)][-2:]:
        assert moved_cards(Moment(record, end), random)


def labelled_game(sheet: str) -> Record:
    """A deal of greedy players in which every copy has its own name."""
    return play_game(sheet, seed=1, deals=1, labels=get_sheet(sheet).rules.pack.packs > 1)


def moved_cards(moment: Moment, random: Random) -> bool:
    """Deal anew what the seat cannot see: all is weighed as before. Whether a card has moved."""
    names = moment.dealt_anew(random)
    other = moment.up_to_now(names)
    assert check_record(other).verdict == "incomplete"
    assert moment.weighed(names) == moment.weighed()
    return other.deals != moment.up_to_now().deals


def test_a_meld_of_the_last_trick_that_only_the_engine_lists_is_taken() -> None:
    """The fast table follows one reading of like cards, in which there may be nothing left to choose."""
    record = play_game("polish-bezique", seed=1, deals=1)
    player = expert(0, replace(record.deals[0], stock=[]), seed=1)
    for frame in replay(record):
        player.see(frame.event, frame.table)
    row = get_sheet("polish-bezique").rules.melds[0]
    assert player.choose_meld(frame.table, [(row, ["KS", "QS"])]) == (row, ["KS", "QS"])


class PassesAllUp(ExpertPlayer):
    """Scores no meld, and plays the first card as long as there is a stock."""

    def choose_meld(self, table: Table, melds: Sequence[FormedMeld]) -> None:
        """None, whatever is best."""
        super().choose_meld(table, melds)

    def choose_dix(self, table: Table, actions: Sequence[str]) -> None:
        """None, whatever is best."""
        super().choose_dix(table, actions)

    def choose_card(self, table: Table, cards: Sequence[str]) -> str:
        """The best card where nothing is drawn between a meld that was passed up and the card."""
        return cards[0] if table.stock.left else super().choose_card(table, cards)


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_card_is_chosen_after_melds_were_passed_up(sheet: str) -> None:
    for seed in range(2):
        quick = partial(PassesAllUp, worlds=FEW_WORLDS)
        record = play_game(sheet, seed=seed, deals=1, seat_players={0: quick})
        assert check_record(record).verdict in ("legal", "incomplete")


@pytest.mark.long
@pytest.mark.sampled(4)
@pytest.mark.parametrize("sheet", SHEETS)
def test_experts_play_by_the_rules(sheet: str) -> None:
    record = play_game(sheet, seed=1, deals=1, seat_players={0: partial(expert, worlds=2)})
    assert check_record(record).verdict in ("legal", "incomplete")


@pytest.mark.long
def test_the_same_seed_plays_the_same_game() -> None:
    quick = partial(expert, worlds=2)
    games = [
        codec.encode(play_game("zique", seed=seed, deals=1, seat_players={0: quick, 1: quick}))
        for seed in (5, 5, 6)
    ]
    assert games[0] == games[1] != games[2]


@pytest.mark.slow
def test_the_expert_beats_greedy_players() -> None:
    """On the same cards in both seats: luck alone leads by three standard errors once in a thousand runs."""
    leads = list(paired_leads("marjolet", PAIRS, partial(expert, worlds=WORLDS)))
    assert mean(leads) > 3 * stdev(leads) / math.sqrt(PAIRS)


@pytest.mark.parametrize("sheet", ["bezique", "zique", "rubicon-bezique", "six-pack-bezique"])
def test_who_passed_up_melding_held_no_meld(sheet: str) -> None:
    """Greedy players score every meld, so their true hands are hardly ever taken for impossible."""
    record = play_game(sheet, seed=1, deals=1, labels=True)
    deal = record.deals[0]
    draws = [event.card for event in deal.events if isinstance(event, Draw)]
    stock = draws[: len(draws) - (deal.turn_up is not None)]
    passed, shown, drawn = PassedMelds(1), ShownCards(), list[str]()
    asked = wrong = 0
    for frame in replay(record):
        event, table = frame.event, frame.table
        passed.read(event, table)
        shown.read(event, table)
        if isinstance(event, Draw) and event.seat == 1:
            drawn.append(event.card)
        if passed.drawn_since is None or table.draws_due or not isinstance(event, Draw | Play):
            continue
        fast = fast_deal_at(table, stock[len(stock) - table.stock.left :], viewer=0)
        since = drawn[len(drawn) - passed.drawn_since :]
        bits = sum(fast.view.cards.bits[card] for card in since) & fast.hands[1]
        seen = mask_of_shown(fast, 1, shown.of(table, 1))
        knowledge = SeatKnowledge(fast, 0, seen, passed.drawn_since)
        wrong += knowledge.has_overlooked(fast, bits)
        asked += 1
    assert asked > 10
    assert wrong <= RASH * asked


@pytest.mark.parametrize("seed", range(4))
def test_that_a_seven_was_played_says_nothing_of_melds_passed_up(seed: int) -> None:
    """A record may write it or not: what the other is held to have drawn since is the same."""
    record = play_game("bezique", seed=seed, style="casual", deals=1)
    passed = PassedMelds(0), PassedMelds(1)
    silent = PassedMelds(0), PassedMelds(1)
    for frame in replay(record):
        event = frame.event
        for seat in (0, 1):
            passed[seat].read(event, frame.table)
            if not (isinstance(event, Dix) and event.action == "play"):
                silent[seat].read(event, frame.table)
            assert passed[seat].drawn_since == silent[seat].drawn_since


@pytest.mark.parametrize(
    "sheet",
    ["bezique", "zique", "marjolet", pytest.param("rubicon-bezique", marks=pytest.mark.slow)],
)
def test_experts_lose_nothing_from_the_last_trick_of_the_stock_on(
    monkeypatch: pytest.MonkeyPatch, sheet: str
) -> None:
    """By the values of the reviews, for which any card not seen is as likely to be the one face down."""
    monkeypatch.setattr(LikelyKnowledge, "chance", lambda *_: 1.0)
    quick = partial(expert, worlds=1)
    record = play_game(sheet, seed=3, deals=1, seat_players={0: quick, 1: quick})
    last_trick = LastStockTrickWatch(None)
    reviewer: CloseReviewer | None = None
    for frame in replay(record):
        reviewer = reviewer or CloseReviewer(frame.table.rules, None)
        reviewer.read(frame)
        last_trick.read(frame)
    assert reviewer is not None
    review = reviewer.review(len(record.deals[0].events))
    assert review is not None
    assert review.lost == [0, 0]
    assert [decision.lost for decision in last_trick.found] == [0, 0] or not has_turn_up(record)


def has_turn_up(record: Record) -> bool:
    return record.deals[0].turn_up is not None


class ExpertInTrueOrder(MeasuredExpert):
    """Measures its choices with the stock as it lies."""

    def orders(self, deal: FastDeal) -> Iterator[FastDeal]:
        """The deal itself."""
        yield deal


@pytest.mark.long
@pytest.mark.parametrize("sheet", ["marjolet", "zique"])
def test_what_choices_gain_adds_up_to_what_the_deal_gains(sheet: str) -> None:
    """Each gain is over what base players would have made of the same cards from there."""
    players = list[ExpertInTrueOrder]()

    def sit_down(seat: int, deal: Deal, seed: int) -> ExpertInTrueOrder:
        players.append(ExpertInTrueOrder(seat, deal, seed, worlds=FEW_WORLDS * 8))
        return players[-1]

    base, labels = base_player_for(get_sheet(sheet)), get_sheet(sheet).rules.pack.packs > 1
    leads = [
        lead_of(
            play_game(sheet, seed=2, deals=1, labels=labels, seat_players={0: first, 1: base}), 0
        )
        for first in (sit_down, base)
    ]
    assert players[0].different > 1
    assert players[0].gained == leads[0] - leads[1]


@pytest.mark.slow
def test_choices_gain_over_those_of_base_players_and_few_are_odd() -> None:
    """At the default width; `python -m tests.soak --gains` asks it of more deals and sheets."""
    deals = [measure_deal("bezique", seed) for seed in range(2)]
    assert mean(deal.gain for deal in deals) > 0
    times, occasions = [
        sum(counts.total() for counts in each)
        for each in zip(*[(d.times, d.occasions) for d in deals], strict=True)
    ]
    assert times <= occasions / 20
    assert occasions > 30
