"""Pairs of records of one match, written in many ways at once, and pairs of two matches: none may be taken for the other kind.

Half of the pairs are two ways to write one match, which `tests.make.rewritings` makes of plain JSON. In the other half a
card, a person, an option or the day of one of them is changed.
"""

import json
from random import Random

from records.format import codec
from records.match_play import MatchPlay, Relation, match_play, relate
from records.rules.registry import ALL_SHEETS
from records.selfplay import play_game
from tests.make.rewritings import Raw, changed, rewritten

DEALS = 2


def main(pairs: int) -> int:
    """Compare so many pairs; 1 if one was not as it must be."""
    wrong = 0
    sheets = [sheet.id for sheet in ALL_SHEETS]
    for number in range(pairs):
        sheet, random = sheets[number % len(sheets)], Random(number)
        record = play_game(sheet, seed=number // (4 * len(sheets)), deals=DEALS)
        record.meta = {"event": "League", "started": "2026-03-31T19:00:00Z"}
        raw = json.loads(codec.encode(record))
        one_match = bool(number // len(sheets) % 2)
        other = raw if one_match else changed(raw, random)
        found = relate(_play(rewritten(raw, random)), _play(rewritten(other, random)))
        if found is not (Relation.SAME if one_match else None):
            wrong += 1
            print(f"{sheet}, pair {number}: {found}")
        if (number + 1) % 1000 == 0:
            print(f"{number + 1:,} pairs, {wrong} wrong", flush=True)
    print(f"{pairs:,} pairs of records: {wrong} taken for what they are not")
    return 1 if wrong else 0


def _play(raw: Raw) -> MatchPlay:
    record = codec.decode(json.dumps(raw, ensure_ascii=False).encode()).record
    play = None if record is None else match_play(record)
    assert play is not None
    return play
