"""Other ways to come to what the cases expect: the referee, brute force, a search to the end, a second writer."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from records.conformance.answers import given_bytes
from records.conformance.cases import Case
from records.events import Meld, Play
from records.format import codec
from records.record import Record
from records.rules.registry import get_sheet, resolve_rules
from records.rules.vocabulary import BrisqueCount
from tests.playouts.asserts import stripped
from tests.playouts.referee import judge
from tests.records.conformance.case_making import BARE
from tests.records.conformance.game_candidates import games
from tests.records.conformance.other_cases import replayed_deal
from tests.records.conformance.referee_program import settled, validate
from tests.referee import brute

Json = Any
MOST_NODES_CONFIRMED = 60
"""Brute force counts as far as one choice more has no more ways than this."""


def record_given(case: Case) -> Record:
    """The record that a case gives."""
    record = codec.decode(given_bytes(case.given)).record
    assert record is not None, case.id
    return record


def refereed(case: Case) -> None:
    """The referee says the same of a judgement or a settlement, and of its place."""
    said = validate(case.given) if case.ask == "validate" else settled(case.given)
    if "skip" in said and case.area == "games":
        played = {name + BARE: record for name, record in games(get_sheet(case.sheet or ""))}
        record = played[case.id.rpartition("/")[2]]
        assert stripped(record) == record_given(case), case.id
        assert judge(record).right == case.expect["right"], case.id
        return
    if "skip" in said:
        assert case.area == "partial", case.id
        return
    expected = {name: value for name, value in case.expect.items() if name in said}
    assert expected.items() <= said.items(), (case.id, said)


def replayed(case: Case) -> None:
    """The referee comes to the same scores after every event."""
    for step, worlds in zip(case.expect["steps"], _followed(case)[1:], strict=True):
        for world in worlds:
            assert world.points == step["scores"], (case.id, step["at"])


def _followed(case: Case) -> list[list[Any]]:
    """The worlds before the first event of the deal, after it, and so on; of many packs only those of one reading."""
    record = replayed_deal(get_sheet(case.sheet or ""))
    assert stripped(record) == record_given(case), case.id
    judged = judge(record)
    assert judged.right, (case.id, judged.why)
    return judged.trails[0].worlds


def choices_confirmed(case: Case, *, every: int) -> None:
    """Every conceivable event put to the referee gives the choices before every so many-th event.

    Where it follows one reading, the melds of that reading are among the choices.
    """
    sheet = get_sheet(case.sheet or "")
    game: Any = brute._Piles if sheet.rules.tableau else brute._Tricks
    worlds = _followed(case)
    for step in case.expect["steps"][::every]:
        slow = game(sheet, record_given(case).deals[0])
        slow.referee.labelled = False
        plays, melds = _brute_choices(slow, worlds[step["at"][1]])
        assert plays == step.get("plays", []), (case.id, step)
        told = sorted([name, *cards] for name, _, *cards in step.get("melds", []))
        if sheet.rules.pack.packs > 2:
            told = [meld for meld in told if meld in melds]
        assert melds == told, (case.id, step)


def _brute_choices(slow: Any, worlds: list[Any]) -> tuple[list[str], list[list[str]]]:
    if slow.sheet.rules.tableau:
        events = list(slow._events(worlds[0])) if worlds[0].now != "draw" else []
    else:
        faces = {card[:2] for hand in worlds[0].hands for card in hand}
        events = [*slow._melds(worlds[0])]
        events += [Play(seat=seat, card=card) for card in faces for seat in (0, 1)]
    found = [event for event in events if brute.acted(slow.referee, worlds, event)]
    plays = sorted({event.card for event in found if not isinstance(event, Meld)})
    melds = sorted([event.meld, *sorted(event.cards)] for event in found if isinstance(event, Meld))
    return plays, melds


def counted(case: Case) -> None:
    """Brute force comes to the same numbers and points, as deep as it can."""
    record, nodes = record_given(case), case.expect["nodes"]
    deep = next((i for i, count in enumerate(nodes) if count > MOST_NODES_CONFIRMED), len(nodes))
    sheet, deal = resolve_rules(record.rules).sheet, record.deals[-1]
    game: Any = brute._Piles if sheet.rules.tableau else brute._Tricks
    slow = game(sheet, deal)
    states = [slow.start()]
    for depth in range(max(1, deep)):
        states = [after for worlds in states for after in slow.after(worlds)]
        assert len(states) == nodes[depth], (case.id, depth)
        points = [worlds[0].points for worlds in states]
        assert [sum(seat) for seat in zip(*points, strict=True)] == case.expect["points"][depth], (
            case.id
        )


def searched(case: Case) -> None:
    """A search to the end by the referee's rules values every card alike."""
    record = record_given(case)
    sheet, deal = resolve_rules(record.rules).sheet, record.deals[-1]
    assert deal.setup is not None
    slow = brute._Tricks(sheet, deal)
    search = _Search(slow, counts_brisques=sheet.rules.brisques.count is BrisqueCount.AT_THE_END)
    (start,) = slow.start()
    found = {}
    for worlds in slow.after([start]):
        (card,) = [card[:2] for _, card in worlds[0].trick]
        value = search.value(worlds) - search.ahead(start)
        found[card] = -value if deal.setup.seat else value
    assert found == case.expect["values"], case.id


class _Search:
    """Values of worlds at the end of a deal, seat 0's points less seat 1's, both doing their best."""

    def __init__(self, slow: Any, *, counts_brisques: bool) -> None:
        self.slow, self.counts = slow, counts_brisques
        self.known: dict[object, int] = {}

    def ahead(self, world: Any) -> int:
        return int(world.points[0] - world.points[1])

    def value(self, worlds: list[Any]) -> int:
        world = worlds[0]
        key = (
            world.key(),
            world.to_act,
            world.window,
            world.melds_left,
            tuple(world.trick),
            world.trump,
        )
        key = (*key, tuple(map(tuple, world.taken)), tuple(map(tuple, world.scored)))
        if key not in self.known:
            after = [self.value(then) for then in self.slow.after(worlds)]
            seat = world.to_act if world.window is None else world.window
            best = max if seat == 0 else min
            self.known[key] = best(after) if after else self.ahead(world)
        return self.known[key]


# -- a second writer of the canonical form

MEMBERS: dict[str, list[str]] = {
    "record": ["format", "version", "rules", "players", "sides", "meta", "deals", "result", "notes", "lines",
               "provenance", "ext"],
    "rules": ["id", "edition", "options"],
    "players": ["name", "id", "kind"],
    "deals": ["dealer", "knowledge", "seat", "hands", "turn_up", "stock", "setup", "events", "claims", "ext"],
    "setup": ["hands", "seat", "tables", "stock", "trump", "turn_up", "scores", "brisques", "won", "trick",
              "spent_dixes", "captured", "tableau"],
    "claims": ["scores"],
    "result": ["status", "scores", "settlement", "winner"],
    "play": ["type", "seat", "card", "from", "ms", "ext"],
    "trick": ["type", "winner", "ms", "ext"],
    "draw": ["type", "seat", "card", "ms", "ext"],
    "meld": ["type", "seat", "meld", "cards", "from_tableau", "points", "ms", "ext"],
    "dix": ["type", "seat", "action", "card", "points", "ms", "ext"],
    "score": ["type", "seat", "for", "count", "points", "ms", "ext"],
}  # fmt: skip
"""The order of members, copied from the tables of the specification."""


def written(value: Json, kind: str = "record") -> Json:
    """A part of a record with its members in their order, without nulls and defaults, tens as T."""
    if kind in ("meta", "ext", "options"):
        return _sorted(value)
    if isinstance(value, list):
        return [
            written(item, item.get("type", kind) if isinstance(item, dict) else kind)
            for item in value
        ]
    if isinstance(value, str):
        return "T" + value[2:] if kind == "card" and value.startswith("10") else value
    if not isinstance(value, dict):
        return value
    found = {}
    for name in MEMBERS[kind]:
        part = value.get(name)
        if name in value and (part is not None or (kind == "result" and name == "winner")):
            if part in ({}, []) and name in ("options", "deals", "events"):
                continue
            inner = "card" if name in ("card", "cards", "hands", "turn_up", "stock") else name
            found[name] = written(part, inner)
    return found


def _sorted(value: Json) -> Json:
    if isinstance(value, dict):
        return {name: _sorted(value[name]) for name in sorted(value)}
    return [_sorted(item) for item in value] if isinstance(value, list) else value


def dumped(value: Json) -> str:
    """JSON without white space; Python escapes what the canonical form escapes, U+007F apart."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def rewritten(case: Case) -> None:
    """A second writer comes to the same text and digest."""
    text = json.loads(given_bytes(case.given))
    record = written(text)
    assert dumped(record) == case.expect["canonical"], case.id
    deals = json.loads(dumped(record.get("deals", [])))
    for deal in deals:
        deal.pop("ext", None)
        for event in deal.get("events", []):
            event.pop("ext", None)
            event.pop("ms", None)
    players = len(record["players"])
    tells_scores = all(deal.get("knowledge") == "scores" for deal in deals)
    names = [player["name"] for player in record["players"]]
    ids = {} if deals else {"ids": [player.get("id") for player in record["players"]]}
    result = {} if deals else {"result": record.get("result")}
    told_of_scores: dict[str, Json] = {}
    if tells_scores:
        told_of_scores = {"names": names, **ids, "meta": record.get("meta"), **result}
    told: Mapping[str, Json] = {
        "format": record["format"], "version": record["version"], "rules": record["rules"],
        "players": players, "sides": record.get("sides") or [[seat] for seat in range(players)],
        **told_of_scores, "deals": deals,
    }  # fmt: skip
    assert hashlib.sha256(dumped(told).encode()).hexdigest() == case.expect["digest"], case.id


def same_again(case: Case, answers: Mapping[str, Any]) -> None:
    """This program still answers what the case expects, as far as the case expects it."""
    said = answers[case.ask](case.given)
    assert case.expect.items() <= said.items(), (case.id, said)
