"""No record, however strange, stops the validator: there is always a report, and it is a proper one."""

import json
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from msgspec.structs import replace

from records.documents.schemas import report_schema
from records.format import codec
from records.record import Record, Rules
from records.replay import replay, snapshot_of
from records.rules.registry import ALL_SHEETS
from records.validate.report import Report
from records.validator import check, check_record
from tests.playouts.games import STANDARD, Way
from tests.playouts.mutants import KINDS
from tests.records.strategies import records

PROPER = Draft202012Validator(report_schema())
KNOWLEDGE = [None, "full", "seat", "public", "plays", "scores"]


def assert_proper(report: Report) -> None:
    """The report is JSON by the published schema, and its verdict agrees with its findings."""
    written = msgspec.json.encode(report)
    PROPER.validate(json.loads(written))
    assert msgspec.json.decode(written, type=Report) == report
    severities = {finding.severity for finding in report.findings}
    assert ("unreadable" in severities) == (report.verdict == "unreadable")
    if "illegal" in severities and report.verdict != "unreadable":
        assert report.verdict == "illegal"
    if "mismatch" in severities:
        assert report.verdict != "legal"


@pytest.mark.slow
@given(record=records(), sheet=st.sampled_from(ALL_SHEETS), data=st.data())
@settings(max_examples=60)
def test_any_record_the_format_allows_has_a_report(record, sheet, data):
    if data.draw(st.booleans()):
        record = replace(record, rules=Rules(id=sheet.id))
    assert_proper(check_record(record))
    assert_proper(check(codec.encode(record)))


def damaged(way: Way, seed: int) -> Record:
    """A game with several things wrong at once, some of it not even told."""
    random = Random(f"{way} {seed}")
    record = way.play(seed, "random", deals=2, labels=random.random() < 0.5, where=True)
    for name in random.sample(sorted(KINDS), 4):
        mutant = KINDS[name](record, random)
        record = mutant.record if mutant else record
    return random.choice([shuffled, blotted, renamed, dealt_otherwise])(record, random)


def shuffled(record: Record, random: Random) -> Record:
    """Events in another order."""
    number = random.randrange(len(record.deals))
    events = list(record.deals[number].events)
    start = random.randrange(len(events) + 1)
    part = events[start : start + random.choice([4, 20, 1000])]
    random.shuffle(part)
    events[start : start + len(part)] = part
    deals = list(record.deals)
    deals[number] = replace(deals[number], events=events)
    return replace(record, deals=deals)


def blotted(record: Record, random: Random) -> Record:
    """Cards that cannot be read: `??`, `?S`, `Q?`."""

    def blot(card: str) -> str:
        clear = [card] * 6
        return random.choice([*clear, "??", "?" + card[1], card[0] + "?"])

    deals = [
        replace(
            deal,
            knowledge=random.choice(KNOWLEDGE),
            hands=[[blot(card) for card in hand] for hand in deal.hands or []],
            turn_up=None if deal.turn_up is None else blot(deal.turn_up),
            events=[
                replace(event, card=blot(event.card))
                if getattr(event, "card", None) is not None
                else event
                for event in deal.events
                if random.random() < 0.97
            ],
        )
        for deal in record.deals
    ]
    return replace(record, deals=deals)


def renamed(record: Record, random: Random) -> Record:
    """Told as another game for as many players."""
    seats = len(record.players)
    others = [sheet.id for sheet in ALL_SHEETS if seats in sheet.rules.players]
    return replace(record, rules=Rules(id=random.choice(others)))


def dealt_otherwise(record: Record, random: Random) -> Record:
    """Hands, turn-up or stock missing, too long or too short."""
    deal = random.choice(record.deals)
    hands = deal.hands or []
    cards = [card for hand in hands for card in hand]
    ways = [
        {"hands": None},
        {"hands": [*hands, hands[0]]},
        {"hands": hands[:1]},
        {"hands": [hand[:-1] for hand in hands]},
        {"hands": [[] for _ in hands]},
        {"turn_up": None},
        {"turn_up": cards[0]},
        {"stock": cards},
        {"stock": []},
        {"dealer": (deal.dealer + 1) % len(hands)},
        {"knowledge": random.choice(KNOWLEDGE)},
    ]
    other = replace(deal, **random.choice(ways))
    return replace(record, deals=[other if known is deal else known for known in record.deals])


@pytest.mark.slow
@pytest.mark.parametrize("way", STANDARD, ids=str)
def test_a_game_damaged_in_several_ways_has_a_report(way):
    for seed in range(5):
        record = damaged(way, seed)
        report = check_record(record)
        assert_proper(report)
        for frame in replay(record):
            msgspec.json.encode(snapshot_of(frame.table))
        written = codec.encode(record)
        assert_proper(check(written))
        assert_proper(check(written[: len(written) * (seed + 1) // 6]))
