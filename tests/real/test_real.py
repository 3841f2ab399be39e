"""Real matches from three programs by other authors: they are read and checked, and every finding is true.

The folder with them lies beside the checkout and is not always there. Each finding is confirmed one by
one from the plain JSON by `recount`, which shares no code with the validator.
"""

import json
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from records.codec import decode, encode
from records.validate.report import Report
from records.validator import check, check_record
from tests.playouts.asserts import BAD
from tests.playouts.referee import judge
from tests.real.recount import ORDER, Recount

FOLDER = Path(__file__).parents[2].parent / "shared" / "real"
FILES = sorted(FOLDER.glob("program-*.json"))
pytestmark = pytest.mark.skipif(not FILES, reason=f"no real matches in {FOLDER}")
files = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)

DRAWS_IN_SEAT_ORDER = "draw-out-of-turn"
CODES = {
    # Program a piles brisques up over the match, lets melded cards lie after the close, draws in the
    # order of the seats, lets chance choose the dealer, makes bezique of the queen of clubs and the jack
    # of hearts where spades or diamonds are trumps, and scores a seven turned up again when played.
    "a": {
        DRAWS_IN_SEAT_ORDER: 380, "not-on-table": 140, "wrong-dealer": 12, "dix-spent": 4,
        "wrong-cards-for-meld": 6, "wrong-brisques": 48, "wrong-deal-scores": 25,
        "wrong-result-scores": 10, "wrong-status": 10,
    },
    # Program b draws in the order of the seats, lets chance choose the dealer, scores several melds a
    # trick, 20 for every marriage, a sequence of four cards where the queen has married, only the first
    # seven of a deal, and none turned up; the game stops at once when 1,000 points are reached.
    "b": {
        DRAWS_IN_SEAT_ORDER: 265, "not-on-table": 9, "wrong-dealer": 12, "too-many-melds": 13,
        "wrong-cards-for-meld": 12, "wrong-meld-points": 31, "wrong-deal-scores": 26,
        "wrong-status": 10,
    },
    # Program c lets melded cards lie after the close, need not beat a trump that is led, and scores no
    # seven that is played or turned up.
    "c": {
        "not-on-table": 87, "must-beat": 35, "wrong-deal-scores": 19, "wrong-result-scores": 4,
    },
}  # fmt: skip

HABITS = {
    "a": {
        DRAWS_IN_SEAT_ORDER, "not-on-table", "wrong-dealer", "dix-spent", "wrong-cards-for-meld", "wrong-brisques",
    },
    "b": {
        DRAWS_IN_SEAT_ORDER, "not-on-table", "wrong-dealer", "too-many-melds", "wrong-cards-for-meld",
        "wrong-meld-points", "wrong-deal-scores", "wrong-status",
    },
    "c": {"not-on-table", "must-beat", "wrong-deal-scores"},
}  # fmt: skip
"""What a report tells of each program; all else follows from these."""


@cache
def report_on(path: Path) -> Report:
    return check(path.read_bytes())


@cache
def plain(path: Path) -> dict[str, Any]:
    return json.loads(path.read_bytes())


@cache
def recount(path: Path, deal: int) -> Recount:
    return Recount(plain(path)["deals"][deal])


def test_all_are_there():
    assert Counter(path.stem[8] for path in FILES) == {"a": 10, "b": 10, "c": 4}


@files
def test_a_match_is_read_and_written_again(path):
    decoded = decode(path.read_bytes())
    assert decoded.record is not None
    assert [finding for finding in decoded.findings if finding.severity in BAD] == []
    assert decode(encode(decoded.record)).record == decoded.record


@files
def test_a_match_is_replayed_to_its_end(path):
    report, record = report_on(path), plain(path)
    assert report.verdict == "illegal"
    assert report.deals == len(record["deals"])
    assert report.events == sum(len(deal["events"]) for deal in record["deals"])
    assert not any(finding.severity == "unreadable" for finding in report.findings)


@pytest.mark.parametrize("program", CODES)
def test_what_each_program_does_otherwise(program):
    found = Counter(
        finding.code
        for path in FILES
        if path.stem[8] == program
        for finding in report_on(path).findings
    )
    assert found == CODES[program]


# Every finding is true: what each code says, asked of the plain record.


def drawn_by_the_loser(game: Recount, event: dict[str, Any], index: int) -> bool:
    _, _, winner, _, drawn = game.before[index]
    return event["seat"] != winner and drawn == 0


def taken_up_at_the_close(game: Recount, event: dict[str, Any], index: int) -> bool:
    return event["from"] == "table" and index > game.last_draw


def another_beats(game: Recount, event: dict[str, Any], index: int) -> bool:
    hand, led, _, _, _ = game.before[index]
    suit, rank = (led or "??")[1], ORDER.index
    higher = [card for card in hand if card[1] == suit and rank(card[0]) > rank((led or "7")[0])]
    beats = event["card"][1] == suit and rank(event["card"][0]) > rank((led or "7")[0])
    return index > game.last_draw and bool(higher) and not beats


def second_of_a_trick(game: Recount, event: dict[str, Any], index: int) -> bool:
    return game.before[index][3] >= 1


def not_that_meld(game: Recount, event: dict[str, Any], index: int) -> bool:
    return game.worth(event) == 0


def other_points(game: Recount, event: dict[str, Any], index: int) -> bool:
    return game.worth(event) != event["points"]


def scored_before(game: Recount, event: dict[str, Any], index: int) -> bool:
    """This seat has claimed more sevens by now than it had that had not scored."""
    seven = "7" + game.trump
    dealt = game.deal["hands"][event["seat"]]
    drawn = [
        e["card"] for e in game.events[:index] if e["type"] == "draw" and e["seat"] == event["seat"]
    ]
    had = sum(card[:2] == seven for card in [*dealt, *drawn])
    turned_up_again = game.deal["turn_up"][:2] == seven and index > game.last_draw
    claims = [
        e for e in game.events[: index + 1] if e["type"] == "dix" and e["seat"] == event["seat"]
    ]
    return turned_up_again and len(claims) > had - 1


EVENTS: dict[str, Callable[[Recount, dict[str, Any], int], bool]] = {
    DRAWS_IN_SEAT_ORDER: drawn_by_the_loser,
    "not-on-table": taken_up_at_the_close,
    "must-beat": another_beats,
    "too-many-melds": second_of_a_trick,
    "wrong-cards-for-meld": not_that_meld,
    "wrong-meld-points": other_points,
    "dix-spent": scored_before,
}


@files
def test_every_finding_at_an_event_is_true(path):
    for finding in report_on(path).findings:
        deal, index = finding.at.deal, finding.at.event
        if deal is not None and index is not None and finding.code in EVENTS:
            game = recount(path, deal)
            assert EVENTS[finding.code](game, game.events[index], index), finding


@files
def test_every_finding_on_brisques_is_true(path):
    for finding in report_on(path).findings:
        if finding.code == "wrong-brisques":
            game = recount(path, finding.at.deal)
            taken = game.brisques[finding.at.seat]
            claimed = sum(
                event["points"]
                for event in game.events
                if event.get("for") == "brisques" and event["seat"] == finding.at.seat
            )
            assert (finding.expected, finding.found) == (str(10 * taken), str(claimed))
            assert claimed != 10 * taken


@files
def test_every_finding_on_a_deal_is_true(path):
    deals = plain(path)["deals"]
    wrong = {(f.at.deal, f.code) for f in report_on(path).findings if f.at.deal is not None}
    for number, deal in enumerate(deals):
        same = number > 0 and deal["dealer"] == deals[number - 1]["dealer"]
        assert ((number, "wrong-dealer") in wrong) == same
        game = recount(path, number)
        differs = game.over and deal["claims"]["scores"] != game.points
        assert ((number, "wrong-deal-scores") in wrong) == differs


@files
def test_every_finding_on_the_game_is_true(path):
    result, count = plain(path)["result"], len(plain(path)["deals"])
    codes = {finding.code for finding in report_on(path).findings if finding.at.deal is None}
    games = [recount(path, number) for number in range(count)]
    totals = [sum(game.points[seat] for game in games) for seat in (0, 1)]
    played_out = all(game.over for game in games)
    won = played_out and max(totals) >= 1000
    assert ("wrong-result-scores" in codes) == (played_out and result["scores"] != totals)
    assert ("wrong-status" in codes) == ((result["status"] == "complete") != won)
    if won:
        assert result["winner"] == totals.index(max(totals))


@files
def test_nothing_is_found_before_the_slow_referee_sees_it_nor_later(path):
    record = decode(path.read_bytes()).record
    for number, deal in enumerate(record.deals):
        record.deals, record.result = [deal], None
        first = next(f for f in check_record(record).findings if f.severity in BAD)
        judgement = judge(record)
        at_end = judgement.event == len(deal.events) and first.at.event is None
        assert at_end or judgement.event == first.at.event, (number, first, judgement.why)
        record = decode(path.read_bytes()).record


PARDONED = {
    "a": (
        {"bezique_cards": "by_trump", "dix_once_per_card": False},
        {"wrong-cards-for-meld", "dix-spent"},
    ),
    "c": ({"hand_size": 9, "follow": "any"}, {"must-beat"}),
}


@files
def test_the_options_that_a_program_plays_by_pardon_it(path):
    """What differs as an option of the sheet does is found no more where the record says so."""
    if path.stem[8] not in PARDONED:
        return
    options, pardoned = PARDONED[path.stem[8]]
    record = decode(path.read_bytes()).record
    record.rules.options = options
    before = Counter(finding.code for finding in report_on(path).findings)
    after = Counter(finding.code for finding in check_record(record).findings)
    assert not pardoned & set(after)
    for code in (DRAWS_IN_SEAT_ORDER, "not-on-table", "wrong-dealer", "wrong-brisques"):
        assert after[code] == before[code]


@files
def test_the_findings_fold_to_the_habits_of_the_program(path):
    report, program = report_on(path), path.stem.split("-")[1]
    codes = [group.code for group in report.groups]
    assert set(codes) <= HABITS[program]
    assert len(codes) == len(set(codes))
    seats = [group.seats for group in report.groups if group.code == DRAWS_IN_SEAT_ORDER]
    assert seats == ([] if program == "c" else [[0]])
