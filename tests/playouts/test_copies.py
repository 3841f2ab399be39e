"""Like cards: what is legal with labels is legal without, and a label binds where it is given."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from records.events import Meld, Play
from records.record import Record
from records.validator import check_record
from tests.playouts.asserts import BAD, assert_clean, stripped
from tests.playouts.games import STANDARD
from tests.playouts.referee import judge

LABELLED = [
    way for way in STANDARD if way.sheet.rules.pack.packs > 1 or way.sheet.rules.pack.doubled_suits
]
ways = pytest.mark.parametrize("way", LABELLED, ids=str)


@ways
@pytest.mark.parametrize("where", [False, True], ids=["bare", "where"])
def test_without_its_labels_a_legal_game_stays_legal(way, where):
    for seed, style in enumerate(["greedy", "random"]):
        record = way.play(seed, style, deals=2, labels=True, where=where)
        assert_clean(record)
        assert_clean(stripped(record))


@ways
def test_without_some_of_its_from_a_legal_game_stays_legal(way):
    random = Random(str(way))
    record = stripped(way.play(11, "greedy", deals=1, labels=True, where=True))
    for share in (0.2, 0.5, 0.8):
        assert_clean(told_less(record, share, random))


def told_less(record: Record, share: float, random: Random) -> Record:
    """The record with this share of its `from` taken away."""

    def less(event: Any) -> Any:
        hides = isinstance(event, Play) and random.random() < share
        return replace(event, source=None) if hides else event

    deals = [replace(deal, events=[less(event) for event in deal.events]) for deal in record.deals]
    return replace(record, deals=deals)


def mislabelled(record: Record) -> Iterator[Record]:
    """From the end of every meld with a card on, the names of that card and its twin change places.

    Every event after it is as before but for the names, so whatever is now wrong is so by the labels
    alone: without them the record is the legal one it was.
    """
    events = record.deals[0].events
    for index, event in enumerate(events):
        if not isinstance(event, Meld):
            continue
        card = next((card for card in event.cards if len(card) > 2), None)
        if card is None:
            continue
        twin = card[:3] + ("2" if card[3] == "1" else "1")
        names = {card: twin, twin: card}
        after = [_renamed(later, names) for later in events[index + 1 :]]
        deal = replace(record.deals[0], events=[*events[: index + 1], *after])
        yield replace(record, deals=[deal, *record.deals[1:]])


def _renamed(event: Any, names: dict[str, str]) -> Any:
    members: dict[str, Any] = {}
    if getattr(event, "card", None) in names:
        members["card"] = names[event.card]
    for name in ("cards", "from_tableau"):
        if getattr(event, name, None):
            members[name] = [names.get(card, card) for card in getattr(event, name)]
    return replace(event, **members) if members else event


@pytest.mark.sampled(6)
@pytest.mark.long
@ways
def test_a_label_binds(way):
    wrong = 0
    for seed in range(3):
        record = way.play(seed, "greedy", deals=1, labels=True)
        known = judge(record)
        for other in mislabelled(record):
            found = [f for f in check_record(other).findings if f.severity in BAD]
            judgement = judge(other, like=known)
            assert bool(found) == (not judgement.right), (found, judgement.why)
            assert_clean(stripped(other))
            wrong += bool(found)
    assert wrong


@pytest.mark.slow
def test_two_labels_exchanged_between_a_meld_and_a_later_one_break_the_reuse_rule():
    """Somewhere in these games a reuse rule, and not who holds what, is what the labels break."""
    codes = {
        finding.code
        for way in LABELLED
        for seed in range(4)
        for other in mislabelled(way.play(seed, "greedy", deals=1, labels=True))
        for finding in check_record(other).findings
    }
    assert "meld-reuses-cards" in codes
