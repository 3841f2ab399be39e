"""Irregularities: each excuses what it names, just before it, and nothing else; a misdeal annuls its deal."""

import pytest

from records.events import Irregular, Play
from records.record import MAX_EVENTS_BETWEEN, Claims, Deal, Line, Result
from records.validator import check_record
from tests.make.tables import N, S, deal_of, record_of, table
from tests.make.turns import turns

REVOKE = "N: AS KS | S: 9S 8D | trump H | N leads"
REVOKED = "N KS, S 8D"


def severities(told) -> list[tuple[str, str]]:
    return [(finding.code, finding.severity) for finding in told.findings]


@pytest.mark.parametrize(
    "between", ["", "N takes", "N scores brisques 0", "N takes, S scores brisques 0"]
)
@pytest.mark.parametrize("cards", ["", "8D", "8D 9S", "?D", "??"])
def test_a_revoke_explained_is_a_note(between, cards):
    told = table(REVOKE, f"{REVOKED}, {between}, irregular S revoke {cards}")
    assert severities(told)[0] == ("must-follow-suit", "note")
    assert not any(told.tainted)


def test_as_many_events_as_the_limit_says_may_stand_between():
    for between, severity in ((MAX_EVENTS_BETWEEN, "note"), (MAX_EVENTS_BETWEEN + 1, "illegal")):
        claims = ", ".join(["N scores brisques 0"] * between)
        told = table(REVOKE, f"{REVOKED}, {claims}, irregular S revoke")
        assert severities(told)[0] == ("must-follow-suit", severity)


@pytest.mark.parametrize(
    "after",
    [
        "irregular N revoke",
        "irregular S exposed_card",
        "irregular S withdrawn_meld",
        "irregular S misdeal",
        "irregular S revoke 9S",
        "irregular N other",
        "N AS, irregular S revoke",
    ],
)
def test_anything_else_leaves_it_illegal(after):
    told = table(REVOKE, f"{REVOKED}, {after}")
    assert severities(told)[0] == ("must-follow-suit", "illegal")
    assert told.report.verdict == "illegal"


def test_the_duties_to_beat_and_to_trump_are_revokes_too():
    beat = table("N: 7S | S: AH 9H | trump S | S replies to KH", "S 9H, irregular S revoke")
    trump = table("N: 7S | S: 8S 7C | trump S | S replies to KH", "S 7C, irregular S revoke")
    assert severities(beat)[0] == ("must-beat", "note")
    assert severities(trump)[0] == ("must-trump", "note")


def test_of_two_irregularities_either_explains_the_event():
    told = table(REVOKE, f"{REVOKED}, irregular N exposed_card, irregular S revoke")
    assert severities(told)[0] == ("must-follow-suit", "note")


def test_a_revoke_does_not_excuse_a_play_out_of_turn():
    told = table(REVOKE, "S 8D, irregular S revoke")
    assert severities(told)[0] == ("out-of-turn", "illegal")
    exposed = table(REVOKE, "S 8D, irregular S exposed_card 8D")
    assert severities(exposed)[0] == ("out-of-turn", "note")


def test_an_exposed_card_excuses_a_draw_out_of_turn():
    position = "N: 9S | S: 9H | turn-up 8C | stock 3 | N won"
    told = table(position, "S draws KC, irregular S exposed_card, N draws QC")
    assert severities(told)[0] == ("draw-out-of-turn", "note")


def test_other_excuses_any_breach_of_its_seat_just_before_it():
    assert severities(table(REVOKE, f"{REVOKED}, irregular S other"))[0][1] == "note"
    won = "N: 9S | S: KH QH | turn-up 8C | stock 3 | N won"
    loser = table(won, "S melds marriage KH QH 20, irregular S other")
    assert severities(loser)[0] == ("meld-by-loser", "note")


def test_nothing_excuses_an_impossible_event():
    told = table(REVOKE, "N KH, irregular N other")
    assert severities(told) == [("card-not-held", "illegal")]


def test_a_wrong_claim_is_not_excused():
    told = table(REVOKE, "N KS, S 9S, S takes, irregular S other")
    assert severities(told)[0] == ("wrong-trick-winner", "mismatch")


def test_an_irregularity_that_explains_nothing_is_listed():
    told = table(REVOKE, "N KS, S 9S, irregular S revoke")
    assert severities(told) == [("irregularity", "note")]


def test_a_discard_out_of_turn_is_an_exposed_card():
    told = turns(
        "A: 2H 3H 4H 5H 6H 7H | B: 2C 3C 4C 5D 6C 9H | stock 20",
        "B discards 2C, B irregular exposed_card",
    )
    assert severities(told)[0] == ("out-of-turn", "note")


def test_in_a_line_the_same_is_excused():
    record = table(REVOKE).record
    for seat, findings in ((S, []), (N, ["line-not-lawful"])):
        played = [
            Play(seat=N, card="KS"),
            Play(seat=S, card="8D"),
            Irregular(seat=seat, what="revoke"),
        ]
        record.lines = [Line(at=[0, 0], events=played)]
        found = [finding.code for finding in check_record(record).findings]
        assert [code for code in found if code != "unfinished"] == findings


# misdeals


DEALT = "N: AS AH AD AC 9S 9H 9D 9C | S: 8S 8H 8D 8C JS JH JD JC | turn-up QD | {} deals afresh"
PLAYED = "N: 9S | S: 8S | trump H | {} deals"


def deals(*told: tuple[str, str, str]):
    """A record of these deals: its position, its dealer, and its events."""
    return record_of(
        [deal_of(position.format(dealer), events) for position, dealer, events in told]
    )


def found(record) -> list[tuple[str, str, int | None]]:
    report = check_record(record)
    return [(f.code, f.severity, f.at.deal) for f in report.findings if f.code != "unfinished"]


MISDEAL = "irregular S misdeal"
LISTED = ("irregularity", "note", 0)


def test_after_a_misdeal_the_same_player_deals_again():
    record = deals((DEALT, "S", MISDEAL), (PLAYED, "S", "N 9S, S 8S"), (PLAYED, "N", "N 9S"))
    assert found(record) == [LISTED]
    again = deals((DEALT, "S", MISDEAL), (DEALT, "S", MISDEAL), (PLAYED, "S", "N 9S, S 8S"))
    assert found(again) == [LISTED, ("irregularity", "note", 1)]


def test_the_other_may_not_deal_after_a_misdeal():
    record = deals((DEALT, "S", MISDEAL), (PLAYED, "N", "N 9S"))
    assert found(record) == [LISTED, ("wrong-dealer", "mismatch", 1)]
    later = deals((PLAYED, "S", "N 9S, S 8S"), (DEALT, "N", MISDEAL), (PLAYED, "S", "N 9S"))
    assert found(later) == [("irregularity", "note", 1), ("wrong-dealer", "mismatch", 2)]


def test_a_deal_by_the_wrong_player_may_be_the_misdeal():
    record = deals((PLAYED, "S", "N 9S, S 8S"), (DEALT, "S", MISDEAL), (PLAYED, "N", "N 9S"))
    assert found(record) == [("wrong-dealer", "note", 1), ("irregularity", "note", 1)]


def test_a_misdeal_excuses_what_was_dealt():
    short = DEALT.replace(" 9C", "")
    assert found(deals((short, "S", MISDEAL))) == [("wrong-hand-size", "note", 0), LISTED]
    assert found(deals((short, "S", "irregular S other")))[0] == ("wrong-hand-size", "illegal", 0)
    thrice = DEALT.replace("JC", "AS").replace("JD", "AS")
    assert found(deals((thrice, "S", MISDEAL))) == [("too-many-copies", "note", 0), LISTED]


def test_a_misdeal_scores_nothing():
    """A seven was turned up and a marriage scored before the misdeal; the deal before it counts."""
    turned = DEALT.replace("QD", "7C")
    record = deals(
        (PLAYED + " | scores 40 0", "N", "N 9S, S 8S"),
        (turned, "S", f"S scores turned_seven 10, N 9S, S 8S, {MISDEAL}"),
        (PLAYED + " | scores 60 20", "S", "N 9S, S 8S"),
    )
    assert check_record(record).scores == [120, 20]
    assert found(record) == [("irregularity", "note", 1)]


def test_the_claims_of_a_misdeal_are_nothing():
    record = deals((PLAYED, "N", "N 9S, S 8S"), (DEALT, "S", MISDEAL))
    record.deals[1].claims = Claims(scores=[0, 0])
    record.result = Result(status="unfinished", scores=[10, 0])
    assert found(record) == [("irregularity", "note", 1)]
    record.deals[1].claims = Claims(scores=[0, 10])
    assert ("wrong-deal-scores", "mismatch", 1) in found(record)


def test_the_points_of_the_ruling_count():
    record = deals(
        (DEALT.replace("QD", "7C"), "S", "irregular N misdeal 10"), (PLAYED, "S", "N 9S, S 8S")
    )
    assert check_record(record).scores == [20, 0]


@pytest.mark.parametrize(
    "since", ["N 9S", "irregular N other", "S scores turned_seven 10", "N takes"]
)
def test_nothing_follows_a_misdeal_in_its_deal(since):
    record = deals((DEALT, "S", f"{MISDEAL}, {since}"), (PLAYED, "S", "N 9S, S 8S"))
    assert found(record) == [LISTED, ("event-after-end", "illegal", 0)]
    assert check_record(record).scores == [10, 0]


def test_a_misdeal_leaves_nothing_open():
    """Nobody wrote down the cards of a misdeal, and nobody needs them."""
    record = record_of(
        [
            Deal(dealer=S, events=[Irregular(seat=S, what="misdeal")]),
            deal_of(PLAYED.format("S") + " | scores 1100 0", "N 9S, S 8S"),
        ]
    )
    report = check_record(record)
    assert (report.verdict, report.scores, report.winner) == ("legal", [1110, 0], 0)


def test_an_impossible_event_before_a_misdeal_does_not_move_the_deal_on():
    record = deals((DEALT, "S", f"N KS, {MISDEAL}"), (PLAYED, "S", "N 9S, S 8S"))
    assert found(record) == [("card-not-held", "illegal", 0)]
    assert check_record(record).scores == [10, 0]


# points claimed for what is excused

WON = "N: KH QH 7H 9C | S: KD QD 7H 9D | turn-up 8H | stock 5 | N won"
NO_MELD = "N: QH QH QH QH | S: 9D 8D 7S 7C | trump D | stock 4 | N won"
TURN = "A: KH QH 2C 3D 4C 6D | B: 5C | stock 7"


@pytest.mark.parametrize(
    ("position", "event", "sheet", "worth", "code"),
    [
        (WON, "N melds marriage KH 9C {}", "bezique", 0, "wrong-meld-points"),
        (WON, "N melds marjolet KH 9C {}", "bezique", 0, "wrong-meld-points"),
        (WON, "S melds marriage KD QD {}", "bezique", 20, "wrong-meld-points"),
        (WON, "S dix exchange {}", "bezique", 10, "wrong-dix-points"),
        (WON + " | spent 7H 7H", "N dix exchange {}", "bezique", 0, "wrong-dix-points"),
        (WON, "N dix play {}", "bezique", 0, "wrong-dix-points"),
        (WON, "N dix show {}", "zique", 0, "wrong-dix-points"),
        (WON, "N shows carte_blanche {}", "bezique", 0, "wrong-score-points"),
        (NO_MELD, "N melds four_trump_queens QH QH QH QH {}", "chinese-bezique", 0, "wrong-meld-points"),
        (NO_MELD, "N dix show {}", "chinese-bezique", 0, "wrong-dix-points"),
        (NO_MELD, "N shows carte_blanche {}", "chinese-bezique", 250, "wrong-score-points"),
    ],
)  # fmt: skip
def test_the_points_claimed_for_what_is_excused_are_judged(position, event, sheet, worth, code):
    excuse = f", irregular {event[0]} other"
    right = table(position, event.format(worth) + excuse, sheet=sheet)
    assert [each for each in severities(right) if each[1] != "note"] == []
    wrong = table(position, event.format(worth + 40) + excuse, sheet=sheet)
    assert (code, "mismatch") in severities(wrong)
    (claim,) = [each for each in wrong.report.reconciliation if each.pointer.endswith("/points")]
    assert (claim.computed, claim.status, claim.because_of) == (worth, "differs", None)
    alone = table(position, event.format(worth + 40), sheet=sheet)
    assert alone.report.verdict == "illegal"


def test_a_meld_withdrawn_is_taken_back_and_its_wrong_claim_stays_wrong():
    told = table(WON, "N melds marriage KH 9C 40, irregular N withdrawn_meld")
    assert ("wrong-meld-points", "mismatch") in severities(told)
    for right in ("KH 9C 0", "KH 9C", "KH QH 40"):
        told = table(WON, f"N melds marriage {right}, irregular N withdrawn_meld")
        assert {severity for _, severity in severities(told)} == {"note"}
    legal = table(WON, "N melds marriage KH QH 20, irregular N withdrawn_meld")
    assert ("wrong-meld-points", "mismatch") in severities(legal)


def test_a_combination_of_wrong_cards_scores_nothing_if_excused():
    told = turns(TURN, "A melds flush KH QH 40, A irregular other")
    assert ("wrong-meld-points", "mismatch") in severities(told)


def test_the_scores_of_a_deal_follow_from_a_claim_for_what_is_excused():
    position = "N: 9S | S: 8S | turn-up 8H | stock 1 | N won"
    events = (
        "N melds marriage 9S 40, irregular N other, N draws 7D, S draws 8H, N 9S, S 8S, N 7D, S 8H"
    )
    record = table(position, events, sheet="bezique").record
    record.deals[0].claims = Claims(scores=[40, 10])
    report = check_record(record)
    (wrong,) = [each for each in report.findings if each.code == "wrong-deal-scores"]
    assert wrong.because_of is not None
    assert wrong.because_of.code == "wrong-meld-points"


def test_a_misdeal_excuses_no_impossible_position():
    """A position was not dealt, so nobody can have dealt it wrongly; but it may have been the wrong player's deal."""
    position = "N: 9S {} | S: 8S | turn-up 8H | stock 5"
    told = table(position.format("9H"), "irregular S misdeal", whole=True)
    assert severities(told)[0] == ("uneven-hands", "illegal")
    record = deals((PLAYED, "S", "N 9S, S 8S"), (position.format(""), "S", MISDEAL))
    record.deals[1].dealer = S
    assert ("wrong-dealer", "note", 1) in found(record)
