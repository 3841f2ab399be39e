"""Damaged games: whatever is really wrong is found, and what is only another way to write it is not.

Whether a mutant is really wrong is decided without the validator. The slow referees follow every
assignment of the copies of the pack to the cards of the record; a mutant counts only if none of them
makes every event lawful and every number true. A mutant that some assignment saves (two draws of one
card exchanged, an optional event left out) is another way to write a legal game: there the validator
must find nothing worse than a note.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from random import Random

import pytest

from records.record import Record
from records.replay import replay
from records.validator import check_record
from tests.playouts.examine import examine
from tests.playouts.games import STANDARD, Way
from tests.playouts.mutants import KINDS, Mutant
from tests.playouts.referee import Judgement, judge

pytestmark = pytest.mark.long

MOST_WORLDS = 12
"""Games with more worlds than this at some event are left to the soak."""
FEWEST, LEAST_KINDS = 300, 24
"""Mutants of every sheet that are really wrong, and kinds of them."""


def sources(way: Way) -> Iterator[tuple[Record, Judgement]]:
    """Games to damage: labelled and not, `from` written and not."""
    for seed, style in enumerate(["greedy", "random", "random", "greedy"]):
        labels = seed in (0, 3) and bool(
            way.sheet.rules.pack.packs > 1 or way.sheet.rules.pack.doubled_suits
        )
        record = way.play(seed, style, deals=2, labels=labels, where=seed % 2 == 0)
        judgement = judge(record)
        assert judgement.right, judgement.why
        if judgement.most_worlds <= MOST_WORLDS:
            yield record, judgement


def mutants(way: Way, each: int) -> Iterator[tuple[str, Mutant, Judgement]]:
    """So many mutants of every kind of every source, and the judgement of what they were made of."""
    for number, (record, judgement) in enumerate(sources(way)):
        for name, damage in KINDS.items():
            for attempt in range(each):
                mutant = damage(record, Random(f"{way} {number} {name} {attempt}"))
                if mutant is not None:
                    known = judgement if mutant.record.rules is record.rules else Judgement()
                    yield name, mutant, known


@pytest.mark.slow
@pytest.mark.parametrize("way", STANDARD, ids=str)
def test_every_mutant_that_is_wrong_is_found(way, record_property):
    tallies: dict[str, Counter[str]] = defaultdict(Counter)
    lone_table = len(way.sheet.rules.players) == 1
    differing = [
        examine(name, mutant, known, tallies[name])
        for name, mutant, known in mutants(way, each=4 if lone_table else 1)
    ]
    for name, tally in tallies.items():
        record_property("mutants", [name, dict(tally)])
    assert list(filter(None, differing)) == []
    assert sum(tally["wrong"] > 0 for tally in tallies.values()) >= LEAST_KINDS
    if lone_table:
        assert sum(tally["wrong"] for tally in tallies.values()) >= FEWEST


@pytest.mark.parametrize("way", STANDARD[::3], ids=str)
def test_the_quick_way_finds_in_mutants_what_the_whole_replay_finds(way):
    for _, mutant, _ in mutants(way, 1):
        if mutant.deal is not None:
            whole = [finding for frame in replay(mutant.record) for finding in frame.findings]
            quick = [f for f in check_record(mutant.record).findings if f.at.deal is not None]
            assert whole == quick
