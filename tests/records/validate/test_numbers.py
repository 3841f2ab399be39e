"""Numbers: computed where they are certain, open where they are not, and each wrong one with its cause."""

import re
from typing import Any

import msgspec
import pytest

from records.events import Meld, Score
from records.format.codec import encode
from records.record import Claims, Deal, Knowledge, Result
from records.replay import replay
from records.selfplay import play_game
from records.validate.finding import Cause, Finding
from records.validate.report import Claim, Report
from records.validator import DEALS_SHARED, check
from tests.make.tables import deal_of, events_of, record_of

CLOSE = "N: AS KH | S: TS 7H | trump C | N leads"
"""North takes both tricks, two brisques and the last trick."""
PLAYED = "N AS, S TS, N KH, S 7H"


def claimed(position: str, told: str, scores: list[int] | None = None, **fields: Any) -> Deal:
    deal = deal_of(position, told)
    deal.claims = Claims(scores=scores) if scores else None
    for name, value in fields.items():
        setattr(deal, name, value)
    return deal


def report_on(deals: list[Deal], result: Result | None = None, **rules: Any) -> Report:
    record = record_of(deals, **rules)
    record.result = result
    return check(encode(record))


def of(report: Report, what: str) -> list[Claim]:
    return [claim for claim in report.reconciliation if claim.what == what]


def found(report: Report, code: str) -> Finding:
    (finding,) = [finding for finding in report.findings if finding.code == code]
    return finding


def codes(report: Report) -> list[str]:
    return [finding.code for finding in report.findings if finding.severity != "note"]


# -- what is open


HIDDEN_TRUMPS = "N: AS KH 9H | S: TS 8C 7C | N leads"
TOLD = "N AS, S TS, N takes, N KH, S 8C, N takes, N 9H, S 7C, N takes, N scores last_trick 10"


def test_without_the_trump_suit_winners_and_what_follows_are_open():
    deal = claimed(HIDDEN_TRUMPS, TOLD, [30, 0], knowledge="public")
    report = report_on([deal], Result(status="unfinished", scores=[30, 0]))
    assert (report.verdict, report.known, codes(report)) == ("undetermined", False, [])
    assert [(c.computed, c.status) for c in of(report, "trick")] == [
        (0, "equal"), (0, "equal"), (None, "open"),
    ]  # fmt: skip
    assert [c.status for c in of(report, "last_trick")] == ["open"]
    assert [c.status for c in of(report, "deal scores")] == ["open"]
    assert (report.scores, report.settlement, report.winner) == ([None, None], None, None)


def test_a_trick_in_one_suit_is_certain_without_trumps_and_any_by_the_next_lead():
    """North won the first and the third trick by suit, and the second, since North leads next."""
    position = "N: AS KH 9H | S: TS 8C 8H | N leads"
    told = "N AS, S TS, N takes, N KH, S 8C, N takes, N 9H, S 8H"
    report = report_on([claimed(position, told, [30, 0], knowledge="public")])
    assert [c.status for c in of(report, "trick")] == ["equal", "equal"]
    assert [c.status for c in of(report, "deal scores")] == ["equal"]


def test_what_is_certain_in_a_partial_deal_is_computed_and_compared():
    """Both hands are hidden, and every card played is seen."""
    position = "N: ?? ?? | S: ?? ?? | trump C | N leads"
    right = report_on([claimed(position, PLAYED, [30, 0], knowledge="public")])
    assert [c.status for c in of(right, "deal scores")] == ["equal"]
    assert right.scores == [30, 0]
    wrong = report_on([claimed(position, PLAYED, [20, 0], knowledge="public")])
    assert codes(wrong) == ["wrong-deal-scores"]
    assert wrong.verdict == "legal_with_mismatches"


def test_a_record_of_plays_has_no_scores_but_tricks():
    deal = claimed(CLOSE, "N AS, S TS, S takes, N KH, S 7H", [70, 0], knowledge="plays")
    report = report_on([deal])
    assert codes(report) == ["wrong-trick-winner"]
    assert [c.status for c in of(report, "deal scores")] == ["open"]
    assert report.scores == [None, None]


@pytest.mark.parametrize(
    ("points", "wrong", "status"),
    [(40, [], "open"), (20, [], "open"), (30, ["wrong-meld-points"], "differs")],
)
def test_the_points_of_a_marriage_are_open_without_trumps(points, wrong, status):
    position = "N: KH QH 9C | S: 7S 8C 9D | turn-up ?? | stock 3 | N won"
    deal = claimed(position, f"N melds marriage KH QH {points}", knowledge="public")
    report = report_on([deal])
    assert codes(report) == wrong
    assert [c.status for c in of(report, "meld marriage")] == [status]


def test_no_claim_differs_without_a_finding_at_its_place_or_event():
    report = report_on(
        [claimed(CLOSE, "N AS, S TS, S takes, N KH, S 7H, S scores last_trick 10", [10, 10])],
        Result(status="abandoned", scores=[10, 10], winner=1),
    )
    at = {finding.at.pointer for finding in report.findings}
    wrong = [claim for claim in report.reconciliation if claim.status == "differs"]
    assert wrong
    for claim in wrong:
        assert claim.pointer in at or claim.pointer.rsplit("/", 1)[0] in at, claim


# -- where the record stays open


def test_the_note_says_what_is_missing_and_where():
    position = "N: KH AS | S: ?? ?? | trump C | N leads"
    deal = claimed(position, "N KH, S ??, N takes, N AS, S ??", knowledge="public")
    note = found(report_on([deal]), "undetermined")
    assert (note.at.deal, note.at.event, note.at.pointer) == (0, 1, "/deals/0/events/1")
    assert note.message.endswith("does not show the hand of South or every card played.")
    position = "N: KH QH AS 9D | S: 7S 8D 9C 8S | trump C | turn-up 9C | stock 5 | N leads"
    deal = claimed(position, "N AS, S 7S, N draws ??, S draws 8H, N KH, S 9C")
    note = found(report_on([deal]), "undetermined")
    assert (note.at.event, note.at.pointer) == (2, "/deals/0/events/2")
    assert note.message.endswith("the record does not show every card drawn.")


def test_the_note_stands_beside_a_mismatch():
    deals = [claimed_scores(600, 700), claimed_scores(500, 400, dealer=1)]
    report = report_on(deals, Result(scores=[1100, 1000]))
    assert [f.code for f in report.findings] == ["wrong-result-scores", "undetermined"]
    assert report.verdict == "legal_with_mismatches"


# -- deals of scores


def claimed_scores(*scores: int, dealer: int = 0, knowledge: Knowledge = "scores") -> Deal:
    return Deal(dealer=dealer, knowledge=knowledge, claims=Claims(scores=list(scores)))


GAME = [claimed_scores(600, 700), claimed_scores(500, 390, dealer=1)]


def test_a_deal_of_scores_is_not_replayed_whatever_its_events():
    deal = claimed_scores(120, 60)
    deal.events = events_of("N melds marriage KS QS 20, S 9D, S 9D, S scores last_trick 10")
    report = report_on([deal], sheet="marjolet")
    assert (report.verdict, codes(report), report.scores) == ("undetermined", [], [None, None])
    record = record_of([deal], sheet="marjolet")
    frames = list(replay(record))
    assert [type(frame.event) for frame in frames[1:3]] == [type(e) for e in deal.events[:2]]
    assert [frame.index for frame in frames] == [-1, 0, 1, 2, 3, 4]
    assert isinstance(frames[1].event, Meld)
    assert isinstance(frames[4].event, Score)


@pytest.mark.parametrize(
    ("result", "wrong"),
    [
        (Result(status="complete", scores=[1100, 1090], winner=0), []),
        (Result(status="complete", scores=[1100, 1090], winner=1), ["wrong-winner"]),
        (Result(status="complete", scores=[1100, 1090], winner=None), ["wrong-winner"]),
        (Result(status="unfinished", scores=[1100, 1090]), ["wrong-status"]),
        (Result(scores=[1100, 1100]), ["wrong-result-scores"]),
        (Result(settlement=[500, 0]), ["settlement-not-in-rules"]),
    ],
)
def test_the_claims_of_deals_of_scores_are_added_up(result, wrong):
    report = report_on(GAME, result)
    assert codes(report) == wrong
    assert report.finished
    assert not report.known
    assert (report.scores, report.winner) == ([None, None], None)


def test_nobody_wins_below_the_target_or_with_equal_scores():
    level = [claimed_scores(600, 700), claimed_scores(500, 400, dealer=1)]
    report = report_on(level, Result(status="unfinished", scores=[1100, 1100]))
    assert (codes(report), report.finished) == ([], False)
    assert codes(report_on(level, Result(status="complete"))) == ["wrong-status"]


def test_a_deal_of_scores_after_the_end_and_by_the_wrong_dealer():
    deals = [claimed_scores(1000, 700), claimed_scores(500, 400, dealer=0)]
    assert sorted(codes(report_on(deals))) == ["deal-after-game-won", "wrong-dealer"]


def test_deals_of_cards_and_deals_of_scores_add_up_together():
    deals = [claimed_scores(990, 500, dealer=1), claimed(CLOSE, PLAYED, dealer=0)]
    report = report_on(deals, Result(status="complete", scores=[1020, 500], winner=0))
    assert (codes(report), report.finished, report.scores) == ([], True, [None, None])
    report = report_on(deals, Result(scores=[1010, 500]))
    assert codes(report) == ["wrong-result-scores"]


@pytest.mark.parametrize(
    ("scores", "settlement", "wrong"),
    [
        ([1510, 1240], [800, 0], []),
        ([1510, 1240], [900, 0], ["wrong-settlement"]),
        ([1510, 940], [1000 + 1500 + 900, 0], []),
        ([1510, 940], [500 + 1500 - 900, 0], ["wrong-settlement"]),
        # A tie of 1000 broken by 170 brisques to 150, or of 920 with 250 to 70 and then the rubicon.
        ([1170, 1150], [500, 0], []),
    ],
)
def test_a_settlement_is_possible_or_not_by_the_totals(scores, settlement, wrong):
    deal = claimed_scores(*scores)
    result = Result(scores=scores, settlement=settlement, winner=0)
    report = report_on([deal], result, sheet="rubicon-bezique")
    assert codes(report) == wrong
    assert report.finished
    assert report.settlement is None


def test_settlements_that_are_possible_are_told_as_alternatives():
    """Of deals of scores nobody knows whether brisques were counted to settle them."""
    report = report_on(
        [claimed_scores(800, 900)],
        Result(scores=[800, 900], settlement=[1, 2]),
        sheet="rubicon-bezique",
    )
    (wrong,) = [found for found in report.findings if found.code == "wrong-settlement"]
    assert re.search(r"the rules give 0 : \d+ or 0 : \d+\.$", wrong.message)


def test_a_line_in_a_deal_of_scores_is_not_judged():
    deal = claimed_scores(120, 60)
    text = encode(record_of([deal]))[:-1] + (
        b',"lines":[{"at":[0,0],"events":[{"type":"play","seat":1,"card":"AS"},'
        b'{"type":"play","seat":1,"card":"AS"}]}]}'
    )
    assert codes(check(text)) == []


# -- what counts


def test_counted_brisques_are_in_the_scores_of_a_deal():
    """North 990 and South 990 by play; brisques break the tie, and are what the deal adds."""
    position = "N: AS KH | S: TS 7H | N leads | scores 990 1040"
    deal = claimed(position, PLAYED, [1060, 1040])
    report = report_on([deal], Result(scores=[1060, 1040]), sheet="rubicon-bezique")
    assert codes(report) == []
    assert [c.status for c in of(report, "deal scores")] == ["equal"]
    assert report.scores == [1060, 1040]


ILLEGAL_MELD = "N: KS QS 7D | S: 9D 8D TD | trump H | N won"
AFTER_IT = "N KS, S 8D, N QS, S 9D, N 7D, S TD"


def test_an_illegal_meld_scores_nothing():
    deal = claimed(ILLEGAL_MELD, f"N melds marriage KS QS 20, {AFTER_IT}", [0, 20])
    report = report_on([deal], sheet="marjolet")
    assert codes(report) == ["meld-after-close"]
    (claim,) = of(report, "meld marriage")
    assert (claim.claimed, claim.computed, claim.status) == (20, 0, "differs")
    assert claim.because_of == Cause(code="meld-after-close", pointer="/deals/0/events/0")


def test_scores_that_count_an_illegal_meld_follow_from_it():
    deal = claimed(ILLEGAL_MELD, f"N melds marriage KS QS 20, {AFTER_IT}", [20, 20])
    report = report_on([deal], Result(scores=[20, 20]), sheet="marjolet")
    cause = Cause(code="meld-after-close", pointer="/deals/0/events/0")
    assert found(report, "wrong-deal-scores").because_of == cause
    assert found(report, "wrong-result-scores").because_of == cause
    assert found(report, "meld-after-close").because_of is None


def test_an_illegal_meld_makes_no_trumps_and_leaves_its_cards_unscored():
    position = "N: KS QS 9D 8D | S: 7D 7C 8C AH | N won | stock 9"
    deal = deal_of(position, "N melds four_kings KS QS 80, N melds marriage KS QS 40")
    frames = list(replay(record_of([deal], sheet="rubicon-bezique")))
    assert frames[1].findings[0].code == "wrong-cards-for-meld"
    assert frames[1].table.trump == "S"
    assert [a.points for a in frames[1].table.awards] == [40]


def test_an_excused_meld_counts():
    deal = claimed(
        ILLEGAL_MELD, f"N melds marriage KS QS 20, irregular N other, {AFTER_IT}", [20, 20]
    )
    assert codes(report_on([deal], sheet="marjolet")) == []


# -- causes


def test_one_wrong_count_of_brisques_is_one_cause():
    told = f"{PLAYED}, N counts 4 brisques 40"
    report = report_on([claimed(CLOSE, told, [50, 0])], Result(scores=[50, 0]))
    cause = Cause(code="wrong-brisques", pointer="/deals/0/events/4/points")
    assert found(report, "wrong-brisques").because_of is None
    assert found(report, "wrong-deal-scores").because_of == cause
    assert found(report, "wrong-result-scores").because_of == cause
    (scores,) = of(report, "deal scores")
    assert scores.because_of == cause


def test_numbers_that_do_not_close_are_findings_of_their_own():
    told = f"{PLAYED}, N counts 4 brisques 40"
    report = report_on([claimed(CLOSE, told, [60, 0])])
    assert found(report, "wrong-deal-scores").because_of is None


def test_a_wrong_winner_of_a_trick_explains_the_lead_the_brisques_and_the_scores():
    position = "N: AS KH | S: TS 7H | trump C | N leads"
    told = (
        "N AS, S TS, S takes, S 7H, N KH, N takes, N scores last_trick 10, S counts 2 brisques 20"
    )
    report = report_on([claimed(position, told, [10, 20])])
    cause = Cause(code="wrong-trick-winner", pointer="/deals/0/events/2/winner")
    assert found(report, "out-of-turn").because_of == cause
    assert found(report, "wrong-brisques").because_of == cause
    assert found(report, "wrong-deal-scores").because_of == cause


def test_a_wrong_total_explains_winner_and_status():
    deals = [claimed_scores(600, 700), claimed_scores(500, 390, dealer=1)]
    report = report_on(deals, Result(status="complete", scores=[1090, 1100], winner=1))
    cause = Cause(code="wrong-result-scores", pointer="/result/scores")
    assert found(report, "wrong-result-scores").because_of is None
    assert found(report, "wrong-winner").because_of == cause


def test_a_bonus_claimed_before_it_is_earned_can_be_claimed_again():
    told = "N AS, S TS, N scores last_trick 10, N KH, S 7H, N scores last_trick 10"
    report = report_on([claimed(CLOSE, told, [40, 0])])
    assert codes(report) == ["score-not-earned", "wrong-deal-scores"]
    cause = Cause(code="score-not-earned", pointer="/deals/0/events/2")
    assert found(report, "wrong-deal-scores").because_of == cause


def test_the_report_and_its_causes_can_be_read_back():
    told = f"{PLAYED}, N counts 4 brisques 40"
    report = report_on([claimed(CLOSE, told, [50, 0])])
    assert msgspec.json.decode(msgspec.json.encode(report), type=Report) == report
    assert b'"because_of":{"code":"wrong-brisques",' in msgspec.json.encode(report)


# -- who won a trick


def test_every_deal_of_a_long_match_states_its_own_winners():
    game = play_game("marjolet", seed=3, options={"target": 4000})
    record = msgspec.json.decode(encode(game))
    assert len(record["deals"]) > 2 * DEALS_SHARED
    stated = {
        (f"/deals/{number}/events/{index}/winner", event["winner"])
        for number, deal in enumerate(record["deals"])
        for index, event in enumerate(deal["events"])
        if event["type"] == "trick"
    }
    claims = of(check(encode(game)), "trick")
    assert {(claim.pointer, claim.claimed) for claim in claims} == stated
    assert len(claims) == len(stated)
    assert {(claim.status, claim.claimed == claim.computed) for claim in claims} == {
        ("equal", True)
    }
