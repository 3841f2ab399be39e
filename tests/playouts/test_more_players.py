"""Tricks of three and four cards: whole games agree with a referee that shares nothing with the engine, and so do mutants."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from records.format.codec import encode
from records.format.redaction import redact
from records.record import Line, Record
from records.rules.own_sheet import read_sheet_at
from records.rules.registry import know_sheets
from records.selfplay import PlayingStyle, play_game
from records.validator import check
from tests.playouts.referee import judge
from tests.referee.round_tricks import RoundReferee, may_follow
from tests.soak.sheets import examine_middle

RULEBOOKS = Path(__file__).parents[2] / "samples" / "rulebooks"
PAIRS = [[0, 2], [1, 3]]
STYLES: tuple[PlayingStyle, ...] = ("greedy", "casual", "random")
TABLES = (("three-hands", None), ("four-partners", None), ("four-partners", PAIRS))
each_table = pytest.mark.parametrize(
    ("rulebook", "sides"), TABLES, ids=["three", "four", "partners"]
)
Told = dict[str, Any]


@contextmanager
def known_rulebooks() -> Iterator[None]:
    """Rulebooks for three and for four are known meanwhile."""
    names = ("three-hands", "four-partners")
    know_sheets([read_sheet_at(RULEBOOKS / f"bezique-{name}.toml") for name in names])
    yield
    know_sheets([])


@pytest.fixture(autouse=True)
def _known() -> Iterator[None]:
    with known_rulebooks():
        yield


def game(rulebook: str, sides: list[list[int]] | None, seed: int, deals: int = 200) -> Record:
    style = STYLES[seed % len(STYLES)]
    return play_game(
        rulebook, seed=seed, sides=sides, style=style, shows=seed % 2 == 1, deals=deals
    )


def told(record: Record) -> Told:
    data: Told = json.loads(encode(record))
    return data


def referees(data: Told) -> list[RoundReferee]:
    players = len(data["players"])
    return [RoundReferee(deal, players, data.get("sides")) for deal in data["deals"]]


def agree(record: Record) -> None:
    data = told(record)
    report = check(encode(record))
    assert report.verdict == "legal", report.findings
    judged = judge(record)
    assert judged.right, judged.why
    assert record.result is not None
    for deal, referee in zip(data["deals"], referees(data), strict=True):
        assert referee.faults == []
        assert not any(referee.hands)
        claimed = [0] * len(data["players"])
        for event in deal["events"]:
            if event["type"] == "score" and event["for"] == "brisques":
                claimed[event["seat"]] = event["count"]
        assert claimed == referee.brisques
        assert sum(referee.brisques) == 8 * len(data["players"])


@pytest.mark.long
@each_table
def test_a_game_is_legal_and_the_referee_agrees(
    rulebook: str, sides: list[list[int]] | None
) -> None:
    for seed in range(3):
        agree(game(rulebook, sides, seed))


@pytest.mark.long
@each_table
def test_a_game_goes_on_in_as_many_ways_as_the_referee_counts(
    rulebook: str, sides: list[list[int]] | None
) -> None:
    tally = Counter[str]()
    for seed in range(4):
        assert examine_middle(game(rulebook, sides, seed, deals=1), Random(seed), tally) == []
    assert tally["middles"] == 8


@pytest.mark.slow
@each_table
def test_fifty_games_are_legal(rulebook: str, sides: list[list[int]] | None) -> None:
    for seed in range(3, 53):
        agree(game(rulebook, sides, seed))


@pytest.mark.long
@each_table
def test_what_was_played_is_lawful_as_a_line_too(
    rulebook: str, sides: list[list[int]] | None
) -> None:
    record = game(rulebook, sides, 6, deals=1)
    events = record.deals[0].events
    record.lines = [
        Line(at=[0, at], events=events[at : at + 8]) for at in range(0, len(events) - 8, 8)
    ]
    codes = [finding.code for finding in check(encode(record)).findings]
    assert "line-not-lawful" not in codes


def codes_of(data: Told) -> set[str]:
    return {finding.code for finding in check(json.dumps(data).encode()).findings}


def swapped(events: list[Told], at: int, other: int) -> list[Told]:
    events = deepcopy(events)
    events[at], events[other] = events[other], events[at]
    return events


def runs_of(events: list[Told], kind: str, length: int) -> list[int]:
    """Where so many events of a type stand in a row."""
    return [
        at
        for at in range(len(events) - length + 1)
        if all(event["type"] == kind for event in events[at : at + length])
    ]


@pytest.mark.slow
@each_table
@pytest.mark.parametrize(
    ("kind", "code", "fault"),
    [("play", "out-of-turn", "turn"), ("draw", "draw-out-of-turn", "draw")],
)
def test_what_is_done_out_of_turn_is_found(
    rulebook: str, sides: list[list[int]] | None, kind: str, code: str, fault: str
) -> None:
    data = told(game(rulebook, sides, 4, deals=1))
    deal = data["deals"][0]
    events = deal["events"]
    for at in runs_of(events, kind, 2)[::5]:
        deal["events"] = swapped(events, at, at + 1)
        assert code in codes_of(data), at
        assert referees(data)[0].faults[0] == (at, fault)


@pytest.mark.slow
@each_table
def test_the_wrong_winner_is_found(rulebook: str, sides: list[list[int]] | None) -> None:
    data = told(game(rulebook, sides, 4, deals=1))
    events = data["deals"][0]["events"]
    for event in [event for event in events if event["type"] == "trick"][::4]:
        for other in {*range(len(data["players"]))} - {event["winner"]}:
            right, event["winner"] = event["winner"], other
            assert "wrong-trick-winner" in codes_of(data)
            event["winner"] = right


@pytest.mark.slow
@each_table
def test_after_the_close_every_other_card_is_judged_as_the_referee_does(
    rulebook: str, sides: list[list[int]] | None
) -> None:
    """Each card that a hand could have played instead: legal or not as it follows, for the second hand and later ones."""
    found: dict[bool, int] = {True: 0, False: 0}
    for seed in range(3):
        data = told(game(rulebook, sides, seed, deals=1))
        events, trick = data["deals"][0]["events"], list[str]()
        size = len(data["players"])
        closed = max(at for at, event in enumerate(events) if event["type"] == "draw") + 1
        short = data | {"result": None}
        for at in range(closed, len(events)):
            event = events[at]
            if event["type"] != "play":
                continue
            trick = [] if len(trick) == size else trick
            for card in _held(data, at, event["seat"]) if trick else ():
                told_so_far = [*events[:at], event | {"card": card}]
                short["deals"] = [data["deals"][0] | {"events": told_so_far, "claims": None}]
                codes = codes_of(short)
                hand = _held(data, at, event["seat"])
                lawful = card in may_follow(hand, trick, _trump(data))
                broken = codes & {"must-beat", "must-follow-suit", "must-trump"}
                assert lawful == (not broken), (seed, at, card, trick, hand, codes)
                found[lawful] += 1
            trick.append(event["card"])
    assert min(found.values()) > 20


def _trump(data: Told) -> str:
    trump: str = data["deals"][0]["turn_up"][1]
    return trump


def _held(data: Told, at: int, seat: int) -> list[str]:
    """The hand of a seat before an event, as the referee has it."""
    deal = data["deals"][0] | {"events": data["deals"][0]["events"][:at]}
    return sorted(set(RoundReferee(deal, len(data["players"]), data.get("sides")).hands[seat]))


@pytest.mark.long
def test_only_partners_meld_for_the_winner() -> None:
    data = told(game("four-partners", PAIRS, 6, deals=2))
    assert check(json.dumps(data).encode()).verdict == "incomplete"
    winner, partners = None, 0
    for deal in data["deals"]:
        for event in deal["events"]:
            winner = event["winner"] if event["type"] == "trick" else winner
            if event["type"] == "meld" and event["seat"] != winner:
                assert (event["seat"] - winner) % 4 == 2
                partners += 1
    assert partners
    del data["sides"], data["result"]
    for deal in data["deals"]:
        del deal["claims"]
    assert "meld-by-loser" in codes_of(data)


@pytest.mark.slow
@each_table
def test_what_one_seat_saw_is_never_called_illegal(
    rulebook: str, sides: list[list[int]] | None
) -> None:
    for seed in range(3):
        record = game(rulebook, sides, seed, deals=1)
        for seat in range(len(record.players)):
            view = redact(record, seat)
            report = check(encode(view))
            assert report.verdict == "undetermined", (seed, seat, report.findings)
            assert all(finding.severity == "note" for finding in report.findings)
