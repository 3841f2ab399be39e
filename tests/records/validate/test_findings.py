"""Findings: place, cause, law, what was expected and found, legal choices and suggestions."""

import pytest

from records.format.codec import encode
from records.record import Claims, Result
from records.rules.registry import get_sheet
from records.rules.vocabulary import When
from records.validate.codes import FINDING_CODES
from records.validate.dispatch import DEAL_STOPPING_CODES
from records.validator import check, check_record
from tests.make.tables import N, S, Told, deal_of, record_of, table


def test_the_place_of_a_finding():
    told = table("N: AS KS 9D | S: 7S 8S 8D | trump C | N leads", "N AS, S 7S, N takes, N KS, S 8D")
    finding = told.only("must-follow-suit")
    at = finding.at
    assert (at.deal, at.event, at.trick, at.seat) == (0, 4, 1, S)
    assert at.pointer == "/deals/0/events/4"
    assert finding.rule == "bezique/close"


def test_the_pointer_of_a_number_leads_to_the_number():
    told = table("N: AS 9D | S: 7S 8D | trump C | N leads", "N AS, S 7S, S takes")
    assert told.only("wrong-trick-winner").at.pointer == "/deals/0/events/2/winner"
    position = "N: KH QH | S: 7S 8D | trump C | turn-up 9C | stock 3 | N won"
    told = table(position, "N melds marriage KH QH 40")
    assert told.only("wrong-meld-points").at.pointer == "/deals/0/events/0/points"


def test_the_line_of_a_file_is_told_where_there_is_one():
    record = record_of([deal_of("N: AS 9D | S: 7S 8D | trump C | N leads", "N AS, S 7S, S takes")])
    report = check(encode(record), line=7)
    assert [finding.at.line for finding in report.findings] == [7, 7]
    assert {finding.at.line for finding in check(encode(record)).findings} == {None}


def test_what_a_broken_duty_expected_found_and_allowed():
    told = table("N: KH 9D | S: AH TH 9H 7C | trump C | N leads", "N KH, S 9H")
    finding = told.only("must-beat")
    assert finding.found == "9H"
    assert sorted(finding.legal) == ["AH", "TH"]
    assert finding.message == (
        "South plays the 9 of hearts on the king of hearts but must beat it with"
        " the ace of hearts or the 10 of hearts."
    )


def test_a_card_not_held_names_what_was_probably_meant():
    told = table("N: QH KS 8D | S: 9D 9C 7C | trump C | turn-up 9C | stock 3 | N leads", "N KH")
    finding = told.only("card-not-held")
    assert finding.found == "KH"
    assert finding.candidates == ("KS", "QH")
    assert sorted(finding.legal) == ["8D", "KS", "QH"]
    assert finding.since is None


def test_a_card_played_before_was_lost_then():
    position = "N: KH KS | S: 9D 9C | trump C | turn-up 9H | stock 5 | N leads"
    told = table(position, "N KH, S 9D, N takes, N draws 8S, S draws 7S, N KH")
    finding = told.only("card-not-held")
    assert finding.since == (0, 0)
    assert finding.at.event == 5


def test_what_was_found_of_a_deal_cut_short_and_of_a_carte_blanche():
    position = "N: 9S | S: 8S | trump H | N leads"
    found = Told(record_of([deal_of(position), deal_of(position)])).report.findings
    assert [each.found for each in found if each.code == "deal-cut-short"] == ["0 tricks"]
    blank = "N: 7S 8S 9S TS AS 7H 8H 9H TH | S: KC 8C 9C TC AC 7D 8D 9D TD | S deals afresh"
    told = table(blank, "N shows carte_blanche 40", sheet="rubicon-bezique")
    wrong = told.only("wrong-score-points")
    assert (wrong.found, wrong.expected) == ("40", "50")


def test_since_is_the_meld_that_used_the_cards():
    position = (
        "N: KH QH KD KS KC 9D 8D 9S | S: 7D 7S 8S 8H 7H | trump C | turn-up 9C | stock 9 | N leads"
    )
    told = table(
        position,
        "N 9D, S 7D, N melds marriage KH QH, N draws TC, S draws JC,"
        "N 8D, S 7S, N melds four_kings KH KD KS KC, N draws TD, S draws JD,"
        "N 9S, S 8S, N melds marriage KH QH",
    )
    finding = told.only("meld-reuses-cards")
    assert finding.since == (0, 2)
    assert finding.found == "K♥ Q♥"
    assert finding.rule == "bezique/reuse"


def test_since_passes_over_a_meld_whose_cards_are_gone():
    position = (
        "N: KH KH QH QH 9D 8D | S: 7D 7S 8S 8H 7H | trump C | turn-up 9C | stock 19 | N leads"
    )
    told = table(
        position,
        "N 9D, S 7D, N melds marriage KH QH, N draws TC, S draws JC,"
        "N KH, S 7S, N draws TD, S draws JD, N QH, S 8S, N draws TS, S draws JS,"
        "N 8D, S 7H, N melds marriage KH QH, N draws AC, S draws AD,"
        "N TC, S 8H, N melds marriage KH QH",
    )
    finding = told.only("meld-reuses-cards")
    assert finding.since == (0, 15)


def test_wrong_cards_for_a_meld_name_what_they_are():
    position = "N: KH QH JH | S: 7S 8D 9D | trump C | turn-up 9C | stock 3 | N won"
    finding = table(position, "N melds bezique KH QH").only("wrong-cards-for-meld")
    assert finding.candidates == ("marriage",)
    assert finding.expected == "bezique"
    told = table(position, "N melds four_tens KH QH")
    assert told.only("meld-not-in-rules").candidates == ("marriage",)


@pytest.mark.parametrize("code", sorted(DEAL_STOPPING_CODES))
def test_what_stops_a_deal_is_documented(code):
    assert code in FINDING_CODES
    assert FINDING_CODES[code].severity == "illegal"


def test_every_violation_up_to_the_first_impossible_event():
    """A revoke, a play out of turn, a wrong winner: then a card nobody can hold; nothing after it."""
    position = "N: AS KS QS 9D | S: 7S 8D 9C JD | trump C | N leads"
    told = table(
        position,
        "N AS, S 8D, S takes, S 7S, N KS, N QS, S TH, N 9D, S 9C, S JD",
    )
    assert told.codes == [
        "must-follow-suit", "wrong-trick-winner", "out-of-turn", "card-not-held",
    ]  # fmt: skip
    assert [finding.at.event for finding in told.findings] == [1, 2, 3, 6]


def test_after_an_impossible_event_the_next_deal_goes_on():
    stopped = deal_of("N: AS | S: 7S | trump C | N leads", "N KS, S 7S, N QS")
    revoked = deal_of("N: KH 8D | S: AH 9D | trump C | S leads | N deals", "S 9D, N KH")
    found = check_record(record_of([stopped, revoked])).findings
    assert [(f.code, f.at.deal, f.at.event) for f in found] == [
        ("card-not-held", 0, 0),
        ("must-follow-suit", 1, 1),
    ]


def test_totals_of_a_game_with_a_stopped_deal_are_not_judged():
    stopped = deal_of("N: AS | S: 7S | trump C | N leads", "N KS")
    played = deal_of("N: KH | S: AH | trump C | S leads | N deals", "S AH, N KH")
    record = record_of([stopped, played])
    record.result = Result(status="complete", scores=[1000, 800], winner=0)
    assert [f.code for f in check_record(record).findings] == ["card-not-held"]


def test_taint_begins_with_the_breach_and_ends_with_the_deal():
    position = "N: KH AS | S: AH 7S | trump C | N leads"
    revoke = deal_of(position, "N KH, S 7S, N AS, S AH")
    after = deal_of("N: KH | S: AH | trump C | S leads | N deals", "S AH, N KH")
    told = Told(record_of([revoke, after]))
    before_first, lead, *rest = told.tainted[:6]
    assert (before_first, lead, rest) == (False, False, [True] * 4)
    assert told.tainted[6:] == [False] * 4


def test_a_mismatch_does_not_taint():
    told = table("N: AS 9D | S: 7S 8D | trump C | N leads", "N AS, S 7S, S takes")
    assert told.codes == ["wrong-trick-winner"]
    assert not any(told.tainted)


def test_an_irregular_right_after_excuses_the_breach():
    told = table(
        "N: KH AS | S: AH 7S | trump C | N leads", "N KH, S 7S, irregular S revoke, N AS, S AH"
    )
    assert told.codes == ["must-follow-suit", "irregularity"]
    assert [finding.severity for finding in told.findings] == ["note", "note"]
    assert not any(told.tainted)
    assert told.report.verdict == "incomplete"


def test_an_irregular_later_does_not():
    told = table(
        "N: KH AS | S: AH 7S | trump C | N leads", "N KH, S 7S, N AS, irregular S revoke, S AH"
    )
    assert [finding.severity for finding in told.findings] == ["illegal", "note"]
    assert told.report.verdict == "illegal"


def test_an_irregular_does_not_excuse_the_impossible():
    told = table("N: KH | S: AH | trump C | N leads", "N KS, irregular N other")
    assert [(f.code, f.severity) for f in told.findings] == [("card-not-held", "illegal")]


def test_an_irregular_gives_and_takes_points():
    told = table("N: KH | S: AH | trump C | N leads", "irregular S exposed_card -20, N KH")
    assert told.points == [0, -20]
    assert told.scored("ruling") == [(S, -20)]


def test_a_meld_withdrawn_scores_nothing_and_may_score_again():
    position = "N: KH QH AS | S: 7S 8D 9D | trump C | turn-up 9C | stock 9 | N leads"
    won = "N AS, S 7S, N melds marriage KH QH 20, irregular N withdrawn_meld"
    told = table(position, won)
    assert told.points == [0, 0]
    assert told.hands[N] == ["KH", "QH"]
    again = f"{won}, N melds marriage KH QH 20"
    assert table(position, again).points == [20, 0]


def test_the_replay_goes_on_with_the_computed_winner():
    position = "N: AS 9D | S: 7S 8D | trump C | N leads"
    told = table(position, "N AS, S 7S, S takes, N 9D, S 8D, N takes")
    assert told.codes == ["wrong-trick-winner"]
    told = table(position, "N AS, S 7S, S takes, S 8D, N 9D")
    assert told.codes == ["wrong-trick-winner", "out-of-turn"]


def test_the_replay_goes_on_with_the_card_played():
    """South leads out of turn and wins: it is South's lead that counts."""
    position = "N: 7S 9D | S: KS 8D | trump C | N leads"
    told = table(position, "S KS, N 7S, S takes, S 8D, N 9D, N takes")
    assert told.codes == ["out-of-turn"]


def test_events_after_the_end_change_nothing():
    position = "N: 9H | S: AH | trump S | N leads"
    told = table(position, "N 9H, S AH, N 9H, S AH, S takes")
    assert told.codes == ["event-after-end", "event-after-end"]
    assert told.points == [0, 20]
    assert told.scored("last_trick") == [(S, 10)]


@pytest.mark.parametrize("score", ["turned_seven", "last_trick", "all_last_tricks", "tenth_trick"])
def test_points_that_nobody_earned(score):
    position = "N: 9H 8H | S: AH 7H | trump S | N leads"
    told = table(position, f"N 9H, S AH, N scores {score} 10")
    assert told.codes == ["score-not-earned"]


def test_the_same_points_twice():
    told = table(
        "N: AH | S: 9H | trump S | N leads",
        "N AH, S 9H, N scores last_trick 10, N scores last_trick 10",
    )
    assert told.codes == ["scored-twice"]
    told = table("N: AH | S: 9H | trump S | N leads", "N AH, S 9H, N scores last_trick 20")
    assert told.only("wrong-score-points").expected == "10"


def test_a_trick_is_named_once_and_where_it_was_completed():
    position = "N: AH 9D | S: 9H 8D | trump S | N leads"
    assert table(position, "N takes").codes == ["trick-out-of-place"]
    assert table(position, "N AH, N takes").codes == ["trick-out-of-place"]
    assert table(position, "N AH, S 9H, N takes, N takes").codes == ["trick-out-of-place"]
    assert table(position, "N AH, S 9H, N 9D, N takes").codes == ["trick-out-of-place"]


def test_a_trick_out_of_place_says_why():
    position = "N: AS 9D | S: 7S 8D | trump C | N leads"
    assert (
        table(position, "N AS, S 7S, N takes, N takes").only("trick-out-of-place").clause == "again"
    )
    assert table(position, "N takes").only("trick-out-of-place").clause == "no-trick"


def test_a_draw_that_is_not_due_says_why():
    position = "N: AS 9D | S: 7S 8D | stock 8 | N leads"
    rubicon = {"sheet": "rubicon-bezique"}
    assert table(position, "N draws 9C", **rubicon).only("draw-not-due").clause == "no-trick"
    closed = table(position.replace("stock 8", "stock 0"), "N draws 9C", **rubicon)
    assert closed.only("draw-not-due").clause == "no-stock"


@pytest.mark.parametrize("between", ["", "S 9S, "])
def test_since_may_be_the_event_just_before_or_the_one_before_that(between):
    position = "N: KH 9D | S: 9S 8D | trump C | N leads"
    told = table(position, f"N KH, {between}N KH")
    (finding,) = [each for each in told.findings if each.code == "card-not-held"]
    assert finding.since == (0, 0)


def test_a_card_that_has_run_out_was_drawn_then():
    """The first king of clubs was dealt and played, the second is drawn in event 4."""
    position = "N: KC 9D 8D | S: 7D 7S 8S | trump H | turn-up 9H | stock 9 | N leads"
    told = "N KC, S 7D, N takes, N draws 8C, S draws KC, N 9D, S 7S, N takes, N draws KC"
    finding = table(position, told).only("no-such-card-left")
    assert (finding.at.event, finding.since) == (8, (0, 4))


def test_who_may_have_taken_all_tricks_after_the_close_may_have_scored_for_it():
    """A position after the close tells nothing of the tricks before it; its scores may."""
    told = table("N: KS | S: 7S | trump H | N leads", "N KS, S 7S", sheet="marjolet")
    (bonus,) = [
        each
        for each in get_sheet("marjolet").rules.bonuses
        if each.tricks is When.ALL_CLOSED_TRICKS
    ]
    for more, codes in [(0, []), (bonus.points, []), (bonus.points + 10, ["wrong-deal-scores"])]:
        told.record.deals[0].claims = Claims(scores=[10 + more, 0])
        found = [f.code for f in Told(told.record).report.findings if f.severity == "mismatch"]
        assert found == codes
