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

from records.conformance.own_cases import own_cases
from records.engine.copies import laid_copies
from records.format.codec import decode, encode
from records.format.redaction import redact
from records.record import Laid, Line, Record, Setup
from records.rules.compiled import compile_sheet
from records.rules.own_sheet import read_sheet_at
from records.rules.registry import know_sheets, resolve_sheet
from records.selfplay import PlayingStyle, play_game
from records.validator import check
from tests.playouts.asserts import BAD
from tests.playouts.referee import judge
from tests.playouts.views import views
from tests.referee import brute
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
def test_twenty_games_are_legal(rulebook: str, sides: list[list[int]] | None) -> None:
    """`make soak` plays games of three and four by random rulebooks for as long as one likes."""
    for seed in range(3, 23):
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


@pytest.mark.long
@pytest.mark.parametrize(("rulebook", "games"), [("three-hands", 0), ("four-partners", 2)])
def test_the_cases_of_the_kit_are_as_the_referee_has_them(rulebook: str, games: int) -> None:
    with_sides = set[str]()
    for case in own_cases(resolve_sheet(rulebook, None, {}).sheet, 4):
        given = json.dumps(case.given["record"]).encode()
        record = decode(given).record
        assert record is not None
        with_sides |= {case.id} if record.sides and case.area == "games" else set()
        if case.area in ("games", "mutants"):
            assert judge(record).right == case.expect["right"], case.id
        elif case.area == "perft":
            assert brute.nodes(record, case.given["depth"]) == case.expect["nodes"], case.id
    assert len(with_sides) == games


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
def test_no_view_of_a_game_is_called_wrong(rulebook: str, sides: list[list[int]] | None) -> None:
    """Plays hidden, draws left out, the turn-up unknown, fragments: who took a trick is never guessed wrongly."""
    for seed in range(2):
        record = play_game(
            rulebook, seed=seed, sides=sides, style=STYLES[seed], deals=2, labels=seed == 0
        )
        for view in views(record, Random(seed)):
            report = check(encode(view.record))
            wrong = [finding for finding in report.findings if finding.severity in BAD]
            assert wrong == [], (seed, view.kind)


def test_who_took_a_trick_of_unknown_cards_is_not_told_by_a_partner_who_melds() -> None:
    for seed in range(3):
        data = told(game("four-partners", PAIRS, seed, deals=1))
        deal = data["deals"][0]
        deal["events"] = [event for event in deal["events"] if event["type"] != "draw"]
        for event in deal["events"]:
            if event["type"] == "play":
                event["card"] = "??"
        deal |= {"knowledge": "public", "hands": None, "claims": None}
        data["result"] = None
        assert check(json.dumps(data).encode()).verdict == "undetermined"


def test_of_draws_left_out_the_first_written_is_not_always_the_winners() -> None:
    data = told(game("three-hands", None, 1, deals=1))
    deal = data["deals"][0]
    winner, events = None, []
    for event in deal["events"]:
        winner = event["winner"] if event["type"] == "trick" else winner
        if event["type"] == "play":
            event["card"] = "??"
        if event["type"] != "trick" and (event["type"] != "draw" or event["seat"] != winner):
            events.append(event)
    deal |= {"knowledge": "public", "hands": None, "claims": None, "events": events}
    data["result"] = None
    report = check(json.dumps(data).encode())
    assert report.verdict == "undetermined"
    assert "every card drawn" in " ".join(finding.message for finding in report.findings)


def test_a_card_of_two_melds_may_lie_twice_where_the_hands_tell_so() -> None:
    """Ann holds two fewer than Bob and Cleo if one king of spades is in both melds, so two of them lie there."""
    setup = Setup(
        hands=[["7S", "8S"], ["7H"] * 3 + ["8H"] * 3 + ["9H", "9H"], ["7C"] * 3 + ["8C"] * 3 + ["9C"] * 2],
        tables=[
            [
                Laid(meld="marriage", cards=["KS", "QS"]),
                Laid(meld="four_kings", cards=["KS", "KH", "KD", "KC"]),
            ],
            [],
            [],
        ],
        seat=0,
        stock=23,
        turn_up="9D",
    )  # fmt: skip
    for setup.trick, setup.seat in ((None, 0), (["TD"], 0), (["TD", "9D"], 0)):
        for seat in range(3 - len(setup.trick or []), 3):
            del setup.hands[seat][7:]
        sheet = compile_sheet(resolve_sheet("three-hands", None, {}).sheet)
        assert laid_copies(sheet, setup, [], partial=False)[0].copies["KS"] == 2


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
