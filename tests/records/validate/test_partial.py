"""Partial records: nothing legal is called illegal, whatever the record leaves out."""

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from records.engine.choices import legal_choices
from records.events import Declare, Discard, Dix, Draw, Meld, Play, Score, Trick
from records.format.codec import decode, encode
from records.record import Deal, Record
from records.replay import replay, snapshot_of
from records.rules.registry import ALL_SHEETS
from records.rules.vocabulary import TurnUp
from records.selfplay import play_game
from records.validate.report import Report
from records.validator import Validator, check, check_record

pytestmark = pytest.mark.long

SEEDS = (1, 2)
LOOKED_AT = 9
"""Every so many frames the table is looked at as a page would."""
GAMES = [(sheet.id, seed) for sheet in ALL_SHEETS for seed in SEEDS]
PAIRS = [(sheet.id, seed) for sheet in ALL_SHEETS if not sheet.rules.tableau for seed in SEEDS]
TURNED_UP = {sheet.id for sheet in ALL_SHEETS if isinstance(sheet.rules.trumps, TurnUp)}


@cache
def game(sheet: str, seed: int) -> Record:
    """A deal played out, lawful and with every number right."""
    return play_game(sheet, seed=seed, style="random" if seed % 2 else "greedy", deals=1)


def veiled(record: Record, veil: Callable[[Deal], Deal]) -> Record:
    """The record with every deal seen through a veil."""
    return replace(record, deals=[veil(deal) for deal in record.deals])


def assert_open(record: Record, *verdicts: str) -> Report:
    """The report, which finds nothing wrong; on the way the table is looked at."""
    report = read(record)
    wrong = [f for f in report.findings if f.severity != "note"]
    assert wrong == [], [(f.at.deal, f.at.event, f.code, f.message) for f in wrong[:3]]
    assert report.verdict in verdicts
    return report


def read(record: Record) -> Report:
    """The report on a record that went through bytes, made frame by frame; pages look at some of them."""
    decoded = decode(encode(record))
    assert decoded.findings == []
    assert decoded.record is not None
    validator = Validator(decoded.record)
    for number, frame in enumerate(replay(decoded.record, match=validator.match)):
        validator.see(frame)
        if number % LOOKED_AT == 0:
            snapshot_of(frame.table)
            legal_choices(frame.table)
    return validator.report()


def hide(cards: list[str]) -> list[str]:
    return ["??"] * len(cards)


def of_seat(deal: Deal, seat: int = 0) -> Deal:
    """What one player saw: his own hand and draws."""
    hands = [hand if i == seat else hide(hand) for i, hand in enumerate(deal.hands)]
    events = [
        replace(event, card="??") if isinstance(event, Draw) and event.seat != seat else event
        for event in deal.events
    ]
    return replace(deal, knowledge="seat", seat=seat, hands=hands, events=events)


def of_everybody(deal: Deal) -> Deal:
    """What the table saw: no hand, no draw."""
    events = [replace(e, card="??") if isinstance(e, Draw) else e for e in deal.events]
    return replace(deal, knowledge="public", hands=[hide(h) for h in deal.hands], events=events)


def without_draws(deal: Deal) -> Deal:
    """As the table saw it, with no draw written."""
    seen = of_everybody(deal)
    return replace(seen, events=[event for event in seen.events if not isinstance(event, Draw)])


def without_hands(deal: Deal) -> Deal:
    """Nothing but the turn-up and what was played, melded and scored."""
    return replace(without_draws(deal), hands=None)


def plays_only(deal: Deal) -> Deal:
    """The cards played, and who took each trick."""
    kinds = (Play, Trick, Discard)
    events = [event for event in deal.events if isinstance(event, kinds)]
    return replace(deal, knowledge="plays", hands=None, events=events, claims=deal.claims)


def scores_only(deal: Deal) -> Deal:
    return Deal(dealer=deal.dealer, knowledge="scores", claims=deal.claims)


def by_suit(deal: Deal) -> Deal:
    """Every card of hands and draws known by its suit alone."""
    return _blurred(deal, lambda card: "?" + card[1])


def by_rank(deal: Deal) -> Deal:
    """Every card of hands and draws known by its rank alone."""
    return _blurred(deal, lambda card: card[0] + "?")


def at_random(deal: Deal) -> Deal:
    """Cards of hands and draws known in all degrees."""
    chance = Random(len(deal.events))
    ways = ["??", "{0}?", "?{1}", "{0}{1}"]
    return _blurred(deal, lambda card: chance.choice(ways).format(*card))


def _blurred(deal: Deal, blur: Callable[[str], str]) -> Deal:
    events = [replace(e, card=blur(e.card)) if isinstance(e, Draw) else e for e in deal.events]
    hands = [[blur(card) for card in hand] for hand in deal.hands]
    return replace(deal, knowledge=None, hands=hands, events=events)


VEILS = [
    of_seat, of_everybody, without_draws, without_hands, plays_only, scores_only, by_suit, by_rank, at_random,
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("veil", VEILS, ids=lambda veil: veil.__name__)
@pytest.mark.parametrize(("sheet", "seed"), GAMES)
def test_a_lawful_game_seen_in_part_is_not_illegal(sheet, seed, veil):
    record = game(sheet, seed)
    assert_open(veiled(record, veil), "undetermined", "incomplete", "legal")


@pytest.mark.parametrize("veil", VEILS, ids=lambda veil: veil.__name__)
def test_a_report_on_bytes_is_the_one_made_frame_by_frame(veil):
    """Nor does it matter that somebody looks at the table on the way."""
    record = veiled(game("marjolet", 2), veil)
    assert check(encode(record)) == read(record)


def no_turn_up(deal: Deal) -> Deal:
    return replace(deal, knowledge="public", turn_up=None)


def turn_up_unseen(deal: Deal) -> Deal:
    return replace(deal, turn_up="??")


def turn_up_by_rank(deal: Deal) -> Deal:
    return replace(deal, turn_up=deal.turn_up[0] + "?")


def turn_up_by_suit(deal: Deal) -> Deal:
    return replace(deal, turn_up="?" + deal.turn_up[1])


UNREAD = [
    (sheet, seed, veil)
    for sheet, seed in PAIRS
    for veil in (no_turn_up, turn_up_unseen, turn_up_by_rank, turn_up_by_suit)
    if veil is no_turn_up or sheet in TURNED_UP
]


@pytest.mark.slow
@pytest.mark.parametrize(("sheet", "seed", "veil"), UNREAD)
def test_a_game_whose_turn_up_nobody_wrote_down(sheet, seed, veil):
    record = game(sheet, seed)
    assert_open(veiled(record, veil), "undetermined", "incomplete", "legal")
    assert_open(veiled(veiled(record, veil), without_draws), "undetermined", "incomplete", "legal")


@pytest.mark.slow
@pytest.mark.parametrize("card", ["??", "rank", "suit"])
@pytest.mark.parametrize(("sheet", "seed"), PAIRS)
def test_any_one_card_may_be_illegible(sheet, seed, card):
    """One event after another of a full record, its card blotted; all else stands."""
    record = game(sheet, seed)
    deal = record.deals[0]
    chance = Random(seed)
    blots = [
        i for i, e in enumerate(deal.events) if isinstance(e, Play | Draw | Meld | Declare | Dix)
    ]
    for at in chance.sample(blots, min(12, len(blots))):
        events = list(deal.events)
        events[at] = _blotted(events[at], card)
        blotted = replace(record, deals=[replace(deal, events=events, knowledge=None)])
        assert_open(replace(blotted, result=None), "undetermined", "incomplete", "legal")


def _blotted(event: Any, how: str) -> Any:
    def blot(card: str) -> str:
        return {"??": "??", "rank": card[0] + "?", "suit": "?" + card[1]}[how]

    if isinstance(event, Meld | Declare):
        return replace(event, cards=[blot(event.cards[0]), *event.cards[1:]])
    return replace(event, card=blot(event.card)) if event.card else event


@pytest.mark.parametrize(("sheet", "seed"), GAMES)
def test_a_stock_instead_of_draws_says_as_much(sheet, seed):
    record = game(sheet, seed)
    report = check_record(record)
    stocked = check_record(veiled(record, with_stock))
    assert [f.code for f in stocked.findings] == [f.code for f in report.findings]
    assert (stocked.verdict, stocked.scores) == (report.verdict, report.scores)


def with_stock(deal: Deal) -> Deal:
    """The cards drawn, in order, as the stock; the turn-up, or what was exchanged for it, is not of it."""
    drawn = [event.card for event in deal.events if isinstance(event, Draw)]
    turned = 1 if deal.turn_up else 0
    stock = drawn[: len(drawn) - turned]
    events = [event for event in deal.events if not isinstance(event, Draw)]
    return replace(deal, stock=stock, events=events)


@pytest.mark.parametrize(("sheet", "seed"), GAMES)
def test_numbers_left_out_are_unclaimed_and_no_finding(sheet, seed):
    record = game(sheet, seed)
    silent = veiled(record, without_numbers)
    silent.result = None
    report = check_record(silent)
    assert {f.severity for f in report.findings} <= {"note"}
    assert report.scores == check_record(record).scores


def without_numbers(deal: Deal) -> Deal:
    events = [event for event in deal.events if not isinstance(event, Trick | Score)]
    events = [
        replace(event, points=None) if isinstance(event, Meld | Dix) else event for event in events
    ]
    return replace(deal, events=events, claims=None)
