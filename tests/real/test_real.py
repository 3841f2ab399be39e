"""Matches of three programs with habits of their own: they are read and checked, and every finding is true.

The programs are imitated here, by `other_programs`. The matches of the real ones may lie beside the checkout,
or in the folder `BEZIQUE_REAL`; where they are, they are tested as well. Each finding is confirmed one by
one from the plain JSON by `recount`, which shares no code with the validator.
"""

import json
import os
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from records.format.codec import decode, encode
from records.validate import check_melds, check_plays, check_scores
from records.validate.report import Report
from records.validator import check, check_record
from tests.exercised.mutated_source import mutated
from tests.playouts.asserts import BAD
from tests.playouts.referee import judge
from tests.real.other_programs import PROGRAMS, play_match
from tests.real.recount import ORDER, Recount

FOLDER = Path(os.environ.get("BEZIQUE_REAL", Path(__file__).parents[2].parent / "shared" / "real"))
FILES = {path.stem: path for path in sorted(FOLDER.glob("program-*.json"))}
IMITATED = {
    f"imitated-{program}-{seed}": (program, seed) for program in PROGRAMS for seed in range(4)
}
matches = pytest.mark.parametrize("match", [*IMITATED, *FILES])

DRAWS_IN_SEAT_ORDER = "draw-out-of-turn"
CODES = {
    # How often each finding comes in all the real matches of a program.
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


IMITATIONS_ALONE = {
    "a": set(),
    "c": set(),
    "b": {"dix-spent", "deal-after-game-won", "wrong-result-scores"},
}
"""What follows from the habits of program b too, and did not come about in its real matches."""


@cache
def text_of(match: str) -> bytes:
    if match in FILES:
        return FILES[match].read_bytes()
    return msgspec.json.encode(play_match(*IMITATED[match]))


def program_of(match: str) -> str:
    return match.split("-")[1]


@cache
def report_on(match: str) -> Report:
    return check(text_of(match))


@cache
def plain(match: str) -> dict[str, Any]:
    return json.loads(text_of(match))


@cache
def recount(match: str, deal: int) -> Recount:
    return Recount(plain(match)["deals"][deal])


@matches
def test_a_match_is_read_and_written_again(match):
    decoded = decode(text_of(match))
    assert decoded.record is not None
    assert [finding for finding in decoded.findings if finding.severity in BAD] == []
    assert decode(encode(decoded.record)).record == decoded.record


@matches
def test_a_match_is_replayed_to_its_end(match):
    report, record = report_on(match), plain(match)
    assert report.verdict == "illegal"
    assert report.deals == len(record["deals"])
    assert report.events == sum(len(deal["events"]) for deal in record["deals"])
    assert not any(finding.severity == "unreadable" for finding in report.findings)


if FILES:

    @pytest.mark.parametrize("program", CODES)
    def test_what_each_real_program_does_otherwise(program):
        files = [match for match in FILES if program_of(match) == program]
        assert len(files) == {"a": 10, "b": 10, "c": 4}[program]
        found = Counter(finding.code for match in files for finding in report_on(match).findings)
        assert found == CODES[program]


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_habit_of_an_imitated_program_is_found(program):
    imitated = [match for match, (of, _) in IMITATED.items() if of == program]
    found = {finding.code for match in imitated for finding in report_on(match).findings}
    assert found >= HABITS[program]
    assert found <= {*CODES[program], *IMITATIONS_ALONE[program]}


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
    return game.worth(event) not in (
        0,
        event["points"],
    )  # what is no such meld has no points to compare


def scored_before(game: Recount, event: dict[str, Any], index: int) -> bool:
    """This seat has claimed more sevens by now than it had that had not scored."""
    seven = "7" + game.trump
    dealt = game.deal["hands"][event["seat"]]
    drawn = [
        e["card"] for e in game.events[:index] if e["type"] == "draw" and e["seat"] == event["seat"]
    ]
    had = sum(card[:2] == seven for card in [*dealt, *drawn])
    last = game.events[game.last_draw]
    turned_up_again = (
        game.deal["turn_up"] == last["card"]
        and last["card"][:2] == seven
        and last["seat"] == event["seat"]
        and index > game.last_draw
    )
    claims = [
        e for e in game.events[: index + 1] if e["type"] == "dix" and e["seat"] == event["seat"]
    ]
    return turned_up_again and len(claims) > had - 1


BROKEN_BY: dict[str, dict[str, Callable[[Recount, dict[str, Any], int], bool]]] = {
    "play": {"not-on-table": taken_up_at_the_close, "must-beat": another_beats},
    "draw": {DRAWS_IN_SEAT_ORDER: drawn_by_the_loser},
    "meld": {
        "wrong-cards-for-meld": not_that_meld,
        "too-many-melds": second_of_a_trick,
        "wrong-meld-points": other_points,
    },
    "dix": {"dix-spent": scored_before},
}


def broken(match, report):
    """What is found at events, and what the recount says they break: place and code."""
    counted = {code for codes in BROKEN_BY.values() for code in codes}
    found = {
        (finding.at.deal, finding.at.event, finding.code)
        for finding in report.findings
        if finding.at.event is not None and finding.code in counted
    }
    so = set()
    for number, deal in enumerate(plain(match)["deals"]):
        game = recount(match, number)
        for index, event in enumerate(deal["events"]):
            for code, wrong in BROKEN_BY.get(event["type"], {}).items():
                if wrong(game, event, index):
                    so.add((number, index, code))
    return found, so


@matches
def test_what_is_found_at_events_is_so(match):
    found, so = broken(match, report_on(match))
    assert found == so


@matches
def test_every_finding_on_brisques_is_true(match):
    for finding in report_on(match).findings:
        if finding.code == "wrong-brisques":
            game = recount(match, finding.at.deal)
            taken = game.brisques[finding.at.seat]
            claimed = sum(
                event["points"]
                for event in game.events
                if event.get("for") == "brisques" and event["seat"] == finding.at.seat
            )
            assert (finding.expected, finding.found) == (str(10 * taken), str(claimed))
            assert claimed != 10 * taken


@matches
def test_every_finding_on_a_deal_is_true(match):
    deals = plain(match)["deals"]
    wrong = {(f.at.deal, f.code) for f in report_on(match).findings if f.at.deal is not None}
    for number, deal in enumerate(deals):
        same = number > 0 and deal["dealer"] == deals[number - 1]["dealer"]
        assert ((number, "wrong-dealer") in wrong) == same
        game = recount(match, number)
        differs = game.over and deal["claims"]["scores"] != game.points
        assert ((number, "wrong-deal-scores") in wrong) == differs


@matches
def test_every_finding_on_the_game_is_true(match):
    result, count = plain(match)["result"], len(plain(match)["deals"])
    codes = {finding.code for finding in report_on(match).findings if finding.at.deal is None}
    totals, played_out, won = [0, 0], True, False
    for number in range(count):
        game = recount(match, number)
        totals = [old + new for old, new in zip(totals, game.points, strict=True)]
        played_out &= game.over
        won = played_out and max(totals) >= 1000 and totals[0] != totals[1]
        if won:
            break
    assert ("deal-after-game-won" in {f.code for f in report_on(match).findings}) == (
        number < count - 1
    )
    assert ("wrong-result-scores" in codes) == (played_out and result["scores"] != totals)
    assert ("wrong-status" in codes) == ((result["status"] == "complete") != won)
    if won:
        assert result["winner"] == totals.index(max(totals))


@matches
def test_nothing_is_found_before_the_slow_referee_sees_it_nor_later(match):
    record = decode(text_of(match)).record
    for number, deal in enumerate(record.deals):
        record.deals, record.result = [deal], None
        first = next(f for f in check_record(record).findings if f.severity in BAD)
        judgement = judge(record)
        at_end = judgement.event == len(deal.events) and first.at.event is None
        assert at_end or judgement.event == first.at.event, (number, first, judgement.why)
        record = decode(text_of(match)).record


PARDONED = {
    "a": (
        {"bezique_cards": "by_trump", "dix_once_per_card": False},
        {"wrong-cards-for-meld", "dix-spent"},
    ),
    "c": ({"hand_size": 9, "follow": "any"}, {"must-beat"}),
}


@matches
def test_the_options_that_a_program_plays_by_pardon_it(match):
    """What differs as an option of the sheet does is found no more where the record says so."""
    if program_of(match) not in PARDONED:
        return
    options, pardoned = PARDONED[program_of(match)]
    record = decode(text_of(match)).record
    record.rules.options = options
    before = Counter(finding.code for finding in report_on(match).findings)
    after = Counter(finding.code for finding in check_record(record).findings)
    assert not pardoned & set(after)
    for code in (DRAWS_IN_SEAT_ORDER, "not-on-table", "wrong-dealer", "wrong-brisques"):
        assert after[code] == before[code]


@matches
def test_the_findings_fold_to_the_habits_of_the_program(match):
    report, program = report_on(match), program_of(match)
    codes = [group.code for group in report.groups]
    assert set(codes) <= HABITS[program] | (
        IMITATIONS_ALONE[program] if match in IMITATED else set()
    )
    assert len(codes) == len(set(codes))
    seats = [group.seats for group in report.groups if group.code == DRAWS_IN_SEAT_ORDER]
    assert seats == ([] if program == "c" else [[0]])


@pytest.mark.parametrize(
    ("program", "module", "old", "new"),
    [
        ("a", check_plays, "if event.seat == table.seat or draws_left_out", "if event.seat != table.seat or draws_left_out"),
        ("a", check_melds, "if last[1] == 0:\n        return", "if last[1] < 0:\n        return"),
        ("b", check_melds, "if table.melding.left > 0 or table", "if table.melding.left >= 0 or table"),
        ("b", check_melds, "breaches.append(_wrong_cards(table, event))\n    elif", "pass\n    elif"),
        ("b", check_scores, "row.points == event.points:", "row.points >= event.points:"),
        ("c", check_plays, 'if event.source == "table":\n        clause', 'if event.source != "table":\n        clause'),
        ("c", check_plays, "if event.seat != table.seat:\n        return []", "return []"),
    ],
)  # fmt: skip
def test_a_check_that_finds_something_else_is_seen(program, module, old, new):
    imitated = [match for match, (of, _) in IMITATED.items() if of == program]
    with mutated(module, old, new):
        differences = [broken(match, check(text_of(match))) for match in imitated]
    assert any(found != so for found, so in differences)
