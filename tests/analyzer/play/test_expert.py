"""The expert: what it does is legal, the same for the same seed, better than greedy, and owes nothing to hidden cards."""

import math
from collections.abc import Mapping
from functools import partial
from random import Random
from statistics import mean, stdev

import pytest
from msgspec.structs import replace

from analyzer.play.expert import ExpertPlayer, PassedMelds
from analyzer.play.setting_up import fast_deal_at
from analyzer.play.worlds import RASH, SeatKnowledge, ShownCards, mask_of_shown
from analyzer.review.close_review import CloseReviewer
from records.cards import FACE_OF
from records.engine.table import Table
from records.events import AnyEvent, Dix, Draw, Meld, Play
from records.format import codec
from records.record import Deal, Record
from records.replay import replay
from records.rules.registry import ALL_SHEETS, get_sheet
from records.selfplay import play_game
from records.validator import check_record
from tests.soak.expert import paired_leads

SHEETS = [sheet.id for sheet in ALL_SHEETS if sheet.tableau is None]
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
    random, moved = Random(sheet), 0
    labels = get_sheet(sheet).pack.copies > 1
    record = play_game(sheet, seed=1, deals=1, labels=labels)
    events = record.deals[0].events
    plays = [end for end, event in enumerate(events) if isinstance(event, Play)]
    melds = [end for end, event in enumerate(events) if isinstance(event, Meld)]
    for end in [*random.sample(plays, 3), *random.sample(melds, min(2, len(melds)))]:
        moment = Moment(record, end)
        names = moment.dealt_anew(random)
        other = moment.up_to_now(names)
        assert check_record(other).verdict == "incomplete"
        assert moment.weighed(names) == moment.weighed()
        moved += other.deals != moment.up_to_now().deals
    assert moved > 1


def test_a_meld_of_the_last_trick_that_only_the_engine_lists_is_taken() -> None:
    """The fast table follows one reading of like cards, in which there may be nothing left to choose."""
    record = play_game("polish-bezique", seed=1, deals=1)
    player = expert(0, replace(record.deals[0], stock=[]), seed=1)
    for frame in replay(record):
        player.see(frame.event, frame.table)
    row = get_sheet("polish-bezique").melds[0]
    assert player.choose_meld(frame.table, [(row, ["KS", "QS"])]) == (row, ["KS", "QS"])


@pytest.mark.long
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
def test_experts_lose_nothing_after_the_close(sheet: str) -> None:
    quick = partial(expert, worlds=1)
    record = play_game(sheet, seed=3, deals=1, seat_players={0: quick, 1: quick})
    reviewer: CloseReviewer | None = None
    for frame in replay(record):
        reviewer = reviewer or CloseReviewer(frame.table.rules, None)
        reviewer.read(frame)
    assert reviewer is not None
    review = reviewer.review(len(record.deals[0].events))
    assert review is not None
    assert review.lost == [0, 0]
