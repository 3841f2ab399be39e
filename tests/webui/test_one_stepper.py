"""The recorder, What if and `bezique follow` say the same of a game after the same events."""

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from records.events import AnyEvent, Cut, Irregular
from records.format import codec
from records.record import Deal, Record
from records.rules.registry import SHEET_ORDER, ResolvedSheet, resolve_rules
from records.selfplay import play_game
from records.validate.check_deals import side_scores
from tests.playouts.mutants import KINDS
from webui.replay.followed_game import FollowedGame
from webui.replay.recording import RecordingState, recording_state
from webui.replay.what_if import TriedLine, UnlawfulLine, try_line

GAMES, PLACES = int(os.environ.get("BEZIQUE_STEPPED_GAMES", "6")), 3
"""So many games of each rulebook are asked about, all but the first damaged, each at so many places and at the damage."""


@pytest.mark.slow
@pytest.mark.parametrize("sheet", SHEET_ORDER)
def test_the_recorder_what_if_and_follow_say_the_same(sheet: str) -> None:
    """Whether an event is legal, what is found, the score, and everything that may come next."""
    compared = Counter[bool]()
    for record, place in games(sheet, Random(sheet)):
        for at, before, after in followed(record):
            if at in (place, 0) or Random(at).random() * len(record.deals[0].events) < PLACES:
                compare(record, at, before, after)
                compared[bool(after.get("findings"))] += 1
    assert compared[False] > GAMES
    assert compared[True]


@pytest.mark.parametrize("what", ["other", "misdeal"])
@pytest.mark.parametrize("at", [0, 1, 5])
def test_they_say_the_same_after_a_ruling(what: Any, at: int) -> None:
    """The dealer may still cut if nothing has been done before; nothing may follow a misdeal."""
    record = play_game("six-pack-bezique", seed=1, style="random", deals=1)
    record.deals[0].events.insert(at, Irregular(seat=0, what=what))
    steps = [*followed(record)]
    assert (len(steps) == at + 1) == (what == "misdeal")
    for place, before, after in steps[: at + 3]:
        compare(record, place, before, after)
    if what == "misdeal":
        state = recording_state(alone(record, record.deals[0], at + 1), resolve_rules(record.rules))
        told = steps[-1][2].get("choices", [])
        tried = try_line(record, resolve_rules(record.rules), 0, at + 1, [])
        compare_choices(tried, state, told)
        assert (told, tried.choices, tried.why_none) == ([], [], "The deal is over.")


def games(sheet: str, random: Random) -> Iterator[tuple[Record, int | None]]:
    """A random deal of the sheet, then such deals damaged at an event."""
    yield played(sheet, random), None
    kinds = random.sample(sorted(KINDS), len(KINDS))
    mutants = (KINDS[kind](played(sheet, random), random) for kind in kinds)
    at_events = (each for each in mutants if each is not None and each.event is not None)
    readable = (each for each in at_events if codec.decode(codec.encode(each.record)).record)
    yield from ((each.record, each.event) for each in islice(readable, GAMES - 1))


def played(sheet: str, random: Random) -> Record:
    return play_game(sheet, seed=random.randrange(999), style="random", deals=1)


def followed(record: Record) -> Iterator[tuple[int, Any, Any]]:
    """Every event that is taken as it happened, with the answers before it and to it."""
    game, deal = FollowedGame(keep=True), record.deals[0]
    head = replace(record, deals=[], result=None, notes=None, lines=None)
    for line in (codec.encode(head), codec.ENCODER.encode(replace(deal, events=[], claims=None))):
        answer = json.loads(game.answer(line))
    for at, event in enumerate(deal.events):
        before, answer = answer, json.loads(game.answer(codec.ENCODER.encode(event)))
        if not answer["taken"]:
            return
        yield at, before, answer


def compare(record: Record, at: int, before: Any, after: Any) -> None:
    """Compare what is said before an event and after it."""
    resolved, deal = resolve_rules(record.rules), record.deals[0]
    event, findings = deal.events[at], after.get("findings", [])
    states = [recording_state(alone(record, deal, end), resolved) for end in (at, at + 1)]
    told = [each for each in states[1].findings if each.event == at]
    assert [(each.code, each.message) for each in told] == [
        (each["code"], each["message"]) for each in findings
    ]
    illegal = [each["message"] for each in findings if each["severity"] == "illegal"]
    assert fault_of_line(record, resolved, at, [event]) == (illegal or [""])[0]
    for state, answer in zip(states, (before, after), strict=True):
        if answer.get("scores") is not None and state.points is not None:
            assert side_scores(state.points, sides_of(record)) == answer["scores"]
    # Once something is illegal, What if refuses every line behind it.
    if not any(each.severity == "illegal" for each in states[0].findings):
        tried = try_line(record, resolved, 0, at, [])
        assert [seat.points for seat in tried.deal.steps[tried.number].seats] == states[0].points
        compare_choices(tried, states[0], before.get("choices", []))


def compare_choices(tried: TriedLine, state: RecordingState, choices: Iterable[Any]) -> None:
    offered = Counter(choice(msgspec.convert(each, AnyEvent)) for each in choices)
    cut = offered.pop("cut", 0)
    assert (tried.cut is not None, state.cut is not None) == (bool(cut), bool(cut))
    ours = Counter(choice(each.event) for each in tried.choices if not isinstance(each.event, Cut))
    theirs = Counter(choice(each.events[-1]) for each in state.choices)
    if cut:
        return
    # What if draws the cards that the record tells, or those that the reader names.
    if tried.unseen or tried.why_none:
        ours["draw"] = offered["draw"]
    assert +ours == offered
    assert theirs.keys() == offered.keys()


def choice(event: AnyEvent) -> object:
    """What tells a choice from others: not which card lies face down, nor how well a cut is aimed."""
    members = msgspec.to_builtins(event)
    if members["type"] in ("draw", "cut"):
        return members["type"]
    cards = tuple(sorted(members.get("cards", [])))
    names = ("type", "seat", "card", "meld", "action", "from")
    return (*(members.get(name) for name in names), cards)


def alone(record: Record, deal: Deal, end: int) -> Record:
    """The record as far as this event of its deal."""
    so_far = replace(deal, events=deal.events[:end], claims=None)
    return replace(record, deals=[so_far], result=None, notes=None, lines=None)


def sides_of(record: Record) -> list[list[int]]:
    return record.sides or [[seat] for seat in range(len(record.players))]


def fault_of_line(record: Record, resolved: ResolvedSheet, at: int, line: list[AnyEvent]) -> str:
    """What is wrong with a line that leaves the deal at an event, in words; empty if nothing is."""
    try:
        try_line(record, resolved, 0, at, line)
    except UnlawfulLine as wrong:
        return str(wrong).removeprefix("Event 1 of the line: ")
    return ""
