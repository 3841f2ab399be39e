"""The evening of the secretary's tour: twelve people, five rounds, a misspelt name, a game recorded twice, one abandoned."""

from collections.abc import Iterator
from datetime import date
from typing import Literal

from analyzer.ingest.correcting import make_correction
from analyzer.ingest.loader import ingest_bytes
from analyzer.players.evening_results import pair_next_round, read_results
from analyzer.players.evenings import (
    Evening,
    EveningOpening,
    PlayerArrival,
    ResultTyping,
    RoundPairing,
    open_evening,
    read_evening,
    take_steps,
)
from analyzer.store.store import Store
from records.corrected import CorrectedFact
from records.format import codec
from records.format.redaction import redact
from records.record import Record, Result
from records.selfplay import play_game

NAMES = (
    "Ann", "Bob", "Cleo", "Dan", "Eve", "Frank", "Grace", "Hugo", "Ines", "Jack", "Kim", "Leo",
)  # fmt: skip
OPENING = EveningOpening("Thursday club", date(2026, 3, 5), "swiss")
ROUNDS = 5
MISSPELT, TOLD_TWICE, ABANDONED = (2, 3), (3, 1), (4, 5)
"""What happened at which table of which round."""
SECRETARY = "person"

TourStage = Literal["paired", "misspelt", "told twice", "abandoned", "over"]


def hold_tour(store: Store) -> Iterator[TourStage]:
    """Let the evening happen in a store; stops where the page of the tour has something to say."""
    key = open_evening(store, OPENING, SECRETARY)
    take_steps(store, key, list(map(PlayerArrival, NAMES)), SECRETARY)
    for number in range(1, ROUNDS + 1):
        evening = evening_now(store, key)
        paired = pair_next_round(evening, read_results(store, evening))
        take_steps(store, key, [RoundPairing(number, paired)], SECRETARY)
        if number == 1:
            yield "paired"
        yield from _play_round(store, key, number)
    yield "over"


def evening_now(store: Store, key: int = 1) -> Evening:
    """The evening as it is."""
    found = read_evening(store, key)
    assert found is not None
    return found


def _play_round(store: Store, key: int, number: int) -> Iterator[TourStage]:
    evening = evening_now(store, key)
    for table, (one, other) in enumerate(evening.round(number).paired.pairs, start=1):
        names = [evening.player(player).name for player in (one, other)]
        record = _record(names, number, table)
        place = number, table
        if place == MISSPELT:
            assert names[0] == "Hugo"
            record.players[0].name = "Hogo"
        if place == ABANDONED:
            _abandon(record)
        _send(store, record)
        if place == MISSPELT:
            yield "misspelt"
            fact = CorrectedFact("name", 0)
            make_correction(store, codec.digest(record), fact, names[0], made_by=SECRETARY)
        if place == TOLD_TWICE:
            _send(store, redact(record, 1))
            yield "told twice"
        if place == ABANDONED:
            yield "abandoned"
            take_steps(store, key, [ResultTyping(number, one, other, "draw")], SECRETARY)


def _record(names: list[str], number: int, table: int) -> Record:
    record = play_game("zique", seed=10 * number + table, names=names)
    record.provenance = None
    record.meta = {
        "event": OPENING.event,
        "round": number,
        "table": table,
        "started": f"2026-03-05T{18 + number}:00:00Z",
    }
    return record


def _abandon(record: Record) -> None:
    """The players stop in the first deal."""
    deal = record.deals[0]
    deal.events, deal.claims = deal.events[:20], None
    record.deals, record.result = [deal], Result(status="abandoned")


def _send(store: Store, record: Record) -> None:
    ingest_bytes(store, "game.json", codec.encode(record))
