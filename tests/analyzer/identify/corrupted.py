"""Deals with exactly one error: a wrong card, a wrong seat or a wrong draw."""

from collections.abc import Iterator
from itertools import pairwise
from random import Random

import msgspec

from records.events import Draw, Play
from records.record import Deal, Record
from records.rules.registry import ALL_SHEETS
from records.selfplay import play_game
from records.validator import check_record

TWO_HANDED = [sheet for sheet in ALL_SHEETS if sheet.rules.tableau is None]
FEW_PACKS = [sheet for sheet in TWO_HANDED if sheet.rules.pack.packs <= 2]
MANY = 100
"""From so many deals on, sheets of many packs are among them: without labels these take their time."""


def corrupted(number: int, seed: int) -> Iterator[tuple[Record, Record, str]]:
    """So many records of one deal: spoilt until illegal, as it was played, and how it was spoilt."""
    random = Random(f"corrupted {seed}")
    made = 0
    while made < number:
        sheet = random.choice(TWO_HANDED if number >= MANY else FEW_PACKS)
        style = random.choice(["greedy", "random"])
        record = play_game(sheet.id, seed=random.randrange(10_000), style=style, deals=1)
        how = random.choice(["card", "seat", "draw"])
        spoilt = _spoilt(record, how, random)
        if check_record(spoilt).verdict == "illegal":
            made += 1
            yield spoilt, record, how


def _spoilt(record: Record, how: str, random: Random) -> Record:
    (deal,) = record.deals
    events = list(deal.events)
    moves = [i for i, event in enumerate(events) if isinstance(event, Play | Draw)]
    index = random.choice(moves)
    event = events[index]
    match how:
        case "card":
            faces = sorted({card for hand in deal.hands for card in hand} - {event.card})
            events[index] = msgspec.structs.replace(event, card=random.choice(faces))
        case "seat":
            events[index] = msgspec.structs.replace(event, seat=1 - event.seat)
        case _:
            pairs = [
                i
                for i, (one, other) in enumerate(pairwise(events))
                if isinstance(one, Draw) and isinstance(other, Draw)
            ]
            index = random.choice(pairs)
            one, other = events[index : index + 2]
            if random.random() < 0.5:
                del events[index]
            else:
                events[index] = msgspec.structs.replace(one, card=other.card)
                events[index + 1] = msgspec.structs.replace(other, card=one.card)
    changed: Deal = msgspec.structs.replace(deal, events=events)
    return msgspec.structs.replace(record, deals=[changed])
