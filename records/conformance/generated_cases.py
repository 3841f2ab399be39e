"""More cases than the kit has: games of simple players, followed event by event, and damaged ones.

What is expected of them is what this program says; the cases of the kit itself are also confirmed by others.
"""

from collections.abc import Iterator
from random import Random

import msgspec
from msgspec.structs import replace

from records.codec import encode
from records.conformance.answers import OWN_ANSWERS
from records.conformance.cases import Case
from records.events import AnyEvent, Discard, Draw, Meld, Play
from records.record import Deal, Record
from records.rules.vocabulary import RuleSheet
from records.selfplay import PlayingStyle, play_game

DAMAGES_OF_GAME = 12


def generated_cases(sheet: RuleSheet, games: int) -> Iterator[Case]:
    """So many games of a sheet, and as many times twelve that are damaged."""
    for seed in range(games):
        style: PlayingStyle = "random" if seed % 2 else "greedy"
        record = play_game(sheet.id, seed=1000 + seed, deals=1, style=style)
        record = replace(record, meta=None, provenance=None)
        yield _case(sheet, f"generated-{seed}", "replay", record, f"A deal of {style} players.")
        yield _case(sheet, f"generated-{seed}", "games", record, f"A deal of {style} players.")
        for number in range(DAMAGES_OF_GAME):
            random = Random(f"{sheet.id} {seed} {number}")
            damaged = replace(record, deals=[_damaged(record.deals[0], random)], result=None)
            yield _case(
                sheet, f"generated-{seed}-{number}", "mutants", damaged, "A deal with one change."
            )


def _case(sheet: RuleSheet, name: str, area: str, record: Record, about: str) -> Case:
    given = {"record": msgspec.json.decode(encode(record))}
    ask = "replay" if area == "replay" else "validate"
    return msgspec.convert(
        {
            "id": f"{sheet.id}/{area}/{name}", "area": area, "ask": ask, "sheet": sheet.id,
            "about": about, "given": given, "expect": OWN_ANSWERS[ask](given),
        },
        Case,
    )  # fmt: skip


def _damaged(deal: Deal, random: Random) -> Deal:
    """The deal with an event left out, repeated, moved, or with another seat, card or number."""
    events = list(deal.events)
    at = random.randrange(len(events) - 1)
    match random.randrange(5):
        case 0:
            del events[at]
        case 1:
            events.insert(at, events[at])
        case 2:
            events[at : at + 2] = events[at + 1], events[at]
        case _:
            events[at] = _changed(events[at], deal, random)
    return replace(deal, events=events)


def _changed(event: AnyEvent, deal: Deal, random: Random) -> AnyEvent:
    cards = [card for hand in deal.hands or [] for card in hand]
    match event:
        case Play() | Draw() | Discard():
            return replace(event, card=random.choice(cards))
        case Meld():
            return replace(event, points=(event.points or 0) + 10)
        case _:
            return event
