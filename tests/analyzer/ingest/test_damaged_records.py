"""Damaged records: whatever can be read is stored, and only clean deals count."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from analyzer.ingest.loader import ingest_bytes
from analyzer.store.store import Store

Deal = dict[str, Any]
Chance = random.Random


def drop_event(deal: Deal, chance: Chance) -> None:
    del deal["events"][chance.randrange(len(deal["events"]))]


def cut_short(deal: Deal, chance: Chance) -> None:
    del deal["events"][chance.randrange(len(deal["events"])) :]


def shuffle(deal: Deal, chance: Chance) -> None:
    chance.shuffle(deal["events"])


def change_card(deal: Deal, chance: Chance) -> None:
    event = chance.choice([event for event in deal["events"] if "card" in event])
    event["card"] = chance.choice(["AS", "7D", "??", "?S", "KH", "A?"])


def rule(deal: Deal, chance: Chance) -> None:
    what = chance.choice(["withdrawn_meld", "revoke", "exposed_card", "other"])
    ruling = {"type": "irregular", "seat": 0, "what": what, "points": chance.randrange(-50, 50)}
    deal["events"].insert(chance.randrange(len(deal["events"])), ruling)


def drop_hands(deal: Deal, chance: Chance) -> None:
    del deal["hands"]


def drop_one_hand(deal: Deal, chance: Chance) -> None:
    del deal["hands"][chance.randrange(2)]


def hide_a_hand(deal: Deal, chance: Chance) -> None:
    deal["hands"][0] = ["??"] * len(deal["hands"][0])


def drop_turn_up(deal: Deal, chance: Chance) -> None:
    deal.pop("turn_up", None)


def set_up(deal: Deal, chance: Chance) -> None:
    setup = {
        "hands": [["AS", "KS"], ["QS", "??"]],
        "seat": 0,
        "stock": 2,
        "trump": "S",
        "turn_up": "7S",
    }
    deal.clear()
    deal.update(dealer=0, setup=setup, events=[])


WAYS = (
    drop_event, cut_short, shuffle, change_card, rule, drop_hands, drop_one_hand, hide_a_hand,
    drop_turn_up, set_up,
)  # fmt: skip


@pytest.mark.sampled(4)
@pytest.mark.long
@pytest.mark.parametrize("damage", WAYS, ids=lambda way: way.__name__)
def test_a_damaged_record_is_stored_and_its_numbers_hold(
    store: Store, raw: list[dict[str, Any]], damage: Callable[[Deal, Chance], None]
) -> None:
    chance, lines = Chance(damage.__name__), []
    for game in raw:
        damaged = json.loads(json.dumps(game))
        del damaged["deals"][2:]
        damage(damaged["deals"][-1], chance)
        lines.append(json.dumps(damaged).encode())
    outcomes = ingest_bytes(store, "damaged.jsonl", b"\n".join(lines))
    assert len(outcomes) == len(lines)
    assert {outcome.state for outcome in outcomes} <= {"stored", "known"}
    assert store.counts().games > 1
    assert _differences(store) <= {0, None}
    assert _unfair(store) == []


def _differences(store: Store) -> set[int | None]:
    """Points of the seats less their scoring events; None where the record leaves the points open."""
    sql = """
        SELECT seats.points - coalesce(sum(scores.points), 0)::BIGINT
        FROM seats LEFT JOIN scores USING (game, deal, seat)
        GROUP BY game, deal, seat, seats.points
    """
    return {difference for (difference,) in store.rows(sql).rows}


def _unfair(store: Store) -> list[tuple[Any, ...]]:
    """Clean deals of which a trick, a brisque or a hand is missing."""
    sql = """
        SELECT game, deal, any_value(deals.tricks), sum(brisques)
        FROM deals JOIN seats USING (game, deal)
        WHERE deals.clean
        GROUP BY game, deal
        HAVING NOT (any_value(deals.tricks), sum(brisques)) IN ((16, 8), (32, 16), (64, 32), (96, 48), (0, 0))
            OR bool_or(strength IS NULL)
    """
    return store.rows(sql).rows
