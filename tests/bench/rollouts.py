"""Roll-outs at the fast table beside the engine's own self-play: the same deals, the same greedy players."""

from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec.structs import replace

from analyzer.play.fast_deal import FastDeal
from analyzer.play.greedy import play_out
from analyzer.play.setting_up import deal_cards
from records.events import Draw
from records.record import Deal, Record
from records.rules.registry import get_sheet
from records.selfplay import play_game

SHEET = "bezique"
DEALS = 40
PASSES = 10
"""The fast table plays the deals so often in a round, so that the clock sees enough of it."""


def self_play(folder: Path, games: int) -> Callable[[], int]:
    """One round: the deals by the engine; returns the events."""
    return lambda: sum(len(record.deals[0].events) for record in _records(labels=False))


def roll_outs(folder: Path, games: int) -> Callable[[], int]:
    """One round: the same deals at the fast table, to the same points; returns the events that the engine makes of them."""
    records = [*_records(labels=True)]
    deals = [_dealt(record.deals[0]) for record in records]
    events = sum(len(record.deals[0].events) for record in records)
    for record, deal in zip(records, deals, strict=True):
        claims = record.deals[0].claims
        if claims is None or claims.scores is None or play_out(deal.copy()) != _lead(claims.scores):
            raise SystemExit("the fast table and the engine differ")

    def one_round() -> int:
        for _ in range(PASSES):
            for deal in deals:
                play_out(deal.copy())
        return PASSES * events

    return one_round


def _records(*, labels: bool) -> Iterator[Record]:
    """The deals, the same with labels and without; without them the engine is faster."""
    return (play_game(SHEET, seed=seed, deals=1, labels=labels) for seed in range(DEALS))


def _dealt(deal: Deal) -> FastDeal:
    """The deal before its first event, with the stock that its draws tell; the last one takes the turn-up."""
    drawn = [event.card for event in deal.events if isinstance(event, Draw)]
    return deal_cards(get_sheet(SHEET), replace(deal, stock=drawn[:-1], events=[]))


def _lead(scores: list[int]) -> int:
    return scores[0] - scores[1]
