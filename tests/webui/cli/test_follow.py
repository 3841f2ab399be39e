"""`bezique follow`: one answer for every line, whatever it holds, over standard input and over a socket."""

import json
import re
import socket
import subprocess
import sys
from typing import Any

import pytest
from msgspec.structs import replace

from records.format import codec
from records.record import Record
from records.rules.registry import SHEET_ORDER
from records.selfplay import play_game
from webui.replay.followed_game import FollowedGame

RECORD = play_game("marjolet", seed=3)
CLAIMS = ("trick", "score", "irregular")


def lines_of(record: Record) -> list[bytes]:
    encode = codec.ENCODER.encode
    lines = [encode(replace(record, deals=[], result=None))]
    for deal in record.deals:
        lines += [encode(replace(deal, events=[], claims=None)), *map(encode, deal.events)]
        lines.append(b'{"end":"deal","claims":%s}' % encode(deal.claims))
    return [*lines, b'{"end":"match","result":%s}' % encode(record.result)]


LINES = lines_of(RECORD)


def test_a_game_is_followed_over_standard_input():
    command = [sys.executable, "-m", "webui.cli", "follow"]
    done = subprocess.run(command, input=b"\n".join(LINES), capture_output=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["line"] for answer in answers] == [*range(1, len(LINES) + 1)]
    assert all(answer["taken"] for answer in answers)
    assert answers[-1]["report"]["verdict"] == "legal"
    assert answers[-1]["digest"] == codec.digest(RECORD)
    assert answers[-1]["scores"] == RECORD.result.scores


@pytest.mark.parametrize("sheet", SHEET_ORDER)
def test_every_choice_that_is_made_was_on_offer(sheet):
    """Whatever is no claim: a cut, a meld, a seven, a draw, a card."""
    game, offered = FollowedGame(), list[tuple[object, ...]]()
    for line in lines_of(play_game(sheet, seed=3, style="random", deals=1)):
        event = json.loads(line)
        if event.get("type") not in (None, *CLAIMS) and event.get("action") != "play":
            assert choice(event) in offered
        offered = [*map(choice, json.loads(game.answer(line)).get("choices", []))]


def choice(event: dict[str, Any]) -> tuple[object, ...]:
    """What tells a choice from others: not the points, nor which card lies face down, nor how well a cut was aimed."""
    kind = event["type"]
    if kind in ("draw", "cut"):
        return kind, event["seat"]
    members = ("meld", "card", "action") if kind != "dix" else ("action",)
    return (
        kind,
        event["seat"],
        *sorted(event.get("cards", [])),
        *(event.get(each) for each in members),
    )


def test_a_head_that_no_game_can_have_is_refused():
    five = replace(RECORD, deals=[], result=None, players=RECORD.players * 2)
    for head in (codec.encode(five), codec.encode(five).replace(b"marjolet", b"marjolett")):
        answer = json.loads(FollowedGame().answer(head))
        assert not answer["taken"]
        assert answer["findings"]


def test_a_line_that_is_too_long_is_one_line():
    command = [sys.executable, "-m", "webui.cli", "follow"]
    sent = b"x" * (5 * 2**20 // 2) + b"\n" + LINES[0] + b"\n"
    done = subprocess.run(command, input=sent, capture_output=True, check=True)
    first, second = map(json.loads, done.stdout.splitlines())
    assert "at most" in first["error"]
    assert (second["line"], second["taken"]) == (2, True)


@pytest.mark.long
def test_programs_are_followed_over_a_socket_each_with_its_own_game():
    command = [sys.executable, "-m", "webui.cli", "follow", "--listen", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            port = int(re.search(r":(\d+)\.", server.stderr.readline()).group(1))
            with (
                socket.create_connection(("127.0.0.1", port)) as one,
                socket.create_connection(("127.0.0.1", port)) as other,
            ):
                answers = one.makefile("rb")
                for line in LINES:
                    one.sendall(line + b"\n")
                    assert json.loads(answers.readline())["taken"]
                other.sendall(LINES[1] + b"\n")
                said = json.loads(other.makefile("rb").readline())
                assert said["error"] == "The first line is a record with the rules and the players."
        finally:
            server.terminate()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"{", "This line is no JSON object."),
        (b"[" * 100_000, "This line is no JSON object."),
        (b"\xff", "This line is no JSON object."),
        (b"[1]", "This line is no JSON object."),
        (b'{"a":1}', "A line is a record, a deal, an event"),
        (b'{"end":"deal","claims":{"scores":[1]}}', "/deals/0/claims/scores"),
        (b'{"end":"deal","claims":7}', "/deals/0/claims"),
        (b'{"end":"match","result":{"status":"complete","scores":[1]}}', "/result/scores"),
        (b'{"end":"\xff"}', "This line is no JSON object."),
        (b'{"end":"evening"}', "What ends is the “deal” or the “match”."),
        (b'{"end":{}}', "What ends cannot be read."),
        (b'{"back":"two"}', "The number of events to take back cannot be read."),
        (b'{"back":9}', "The deal has 0 events to take back."),
        (b'{"dealer":0}', "A deal is open: end it first."),
        (b'{"type":"play","seat":7,"card":"KH"}', "out-of-range"),
        (b'{"type":"play","seat":0,"card":"1H"}', "bad-card"),
        (b'{"type":"play","seat":0,"card":"KH"}]},{"dealer":1,"events":[{"type":"play","seat":0,"card":"KH"}', "no JSON"),
        (b'{"type":"plya"}', "unknown-event-type"),
        (b'{"type":"play","seat":0,"card":"KH","x":"' + b"x" * 2**20 + b'"}', "A line has at most"),
    ],
)  # fmt: skip
def test_a_line_that_says_nothing_that_can_be_is_refused_in_words(line, said):
    game = FollowedGame()
    for before in LINES[:2]:
        game.answer(before)
    answer = json.loads(game.answer(line))
    assert not answer["taken"]
    assert said in json.dumps(answer, ensure_ascii=False)
    for finding in answer.get("findings", []):
        assert finding["at"]["pointer"].startswith(("/deals/0/", "/result/"))
    assert json.loads(game.answer(LINES[2]))["taken"], "and nothing has changed"
