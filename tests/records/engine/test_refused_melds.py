"""Illegal melds laid again and again: what is followed of their copies stays small."""

from msgspec.structs import replace

from records.engine.copies import LEAST_FOLLOWED
from records.events import Meld
from records.record import Record
from records.replay import replay
from records.selfplay import play_game

TIMES = 30


def repeated() -> tuple[Record, int]:
    """A game of Chinese Bezique in which one meld is repeated at once, and where; its copies fit in many ways."""
    record = play_game("chinese-bezique", seed=10, style="greedy", deals=1)
    (deal,) = record.deals
    melds = [index for index, event in enumerate(deal.events) if isinstance(event, Meld)]
    at = melds[len(melds) * 2 // 3] + 1
    again = [replace(deal.events[at - 1], points=None)] * TIMES
    events = [*deal.events[:at], *again, *deal.events[at:]]
    return replace(record, deals=[replace(deal, events=events)], result=None), at


def test_few_readings_are_followed_once_illegal_melds_were_laid_in_many():
    record, at = repeated()
    codes, sizes = [], []
    for frame in replay(record):
        if at <= frame.index < at + TIMES:
            codes.append([finding.code for finding in frame.findings])
            sizes.append(max(map(len, frame.table.melding.readings)))
    assert all("too-many-melds" in found for found in codes)
    assert "meld-reuses-cards" in codes[0]
    assert max(sizes) > LEAST_FOLLOWED >= sizes[-1]
