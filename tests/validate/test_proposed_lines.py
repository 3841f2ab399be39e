"""Lines are judged by the rules from the event they start at."""

from records.events import Play
from records.record import Line
from records.selfplay import play_game
from records.validator import check_record


def game_with(seat_of, card_of):
    game = play_game("zique", seed=1, deals=1)
    first = game.deals[0].events[0]
    game.lines = [Line(at=[0, 0], events=[Play(seat=seat_of(first), card=card_of(game, first))])]
    return check_record(game)


def test_a_line_that_could_have_been_played_is_no_finding():
    report = game_with(
        lambda first: first.seat, lambda game, first: game.deals[0].hands[first.seat][-1]
    )
    assert "line-not-lawful" not in {finding.code for finding in report.findings}


def test_a_line_out_of_turn_is_a_warning_at_its_event():
    report = game_with(
        lambda first: 1 - first.seat, lambda game, first: game.deals[0].hands[1 - first.seat][0]
    )
    (finding,) = [finding for finding in report.findings if finding.code == "line-not-lawful"]
    assert (finding.severity, finding.at.pointer, finding.found) == (
        "warning",
        "/lines/0/events/0",
        "out-of-turn",
    )
    assert report.verdict == "incomplete"
