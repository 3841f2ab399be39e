"""Lines are judged by the rules from the event they start at."""

import pytest

from records.engine.stepper import Stepper
from records.events import Dix, Irregular, Play, Trick
from records.proposed_lines import MOST_EVENTS_REPLAYED
from records.record import Line
from records.rules.registry import ALL_SHEETS
from records.selfplay import play_game
from records.validator import check_record
from tests.make.tables import deal_of, events_of, play_with_stock, record_of


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
    assert finding.rule == "zique/play"
    assert report.verdict == "incomplete"


def own_moves(game, start, length=12):
    """The record's own moves as a line that begins there."""
    return Line(at=[0, start], events=game.deals[0].events[start : start + length])


def unlawful(game):
    return [finding for finding in check_record(game).findings if finding.code == "line-not-lawful"]


@pytest.mark.parametrize("sheet", [sheet.id for sheet in ALL_SHEETS])
def test_a_line_goes_on_with_the_stock_where_the_record_writes_no_draw(sheet):
    """The record's own moves are lawful as a line wherever it begins."""
    game = play_with_stock(sheet, seed=4)
    legal = check_record(game)
    assert not [finding for finding in legal.findings if finding.severity == "illegal"]
    events = len(game.deals[0].events)
    game.lines = [own_moves(game, start) for start in range(0, events, max(1, events // 25))]
    assert unlawful(game) == []


def test_a_line_is_judged_after_the_draws_that_are_not_written():
    """A card that only the stock can have brought is held, and one that nobody drew is not."""
    game = play_with_stock("zique", seed=4)
    events = game.deals[0].events
    first_lead = next(i for i, event in enumerate(events) if isinstance(event, Trick)) + 1
    while not isinstance(events[first_lead], Play):
        first_lead += 1
    seat = events[first_lead].seat
    winner_draws, loser_draws = game.deals[0].stock[:2]
    game.lines = [Line(at=[0, first_lead], events=[Play(seat=seat, card=winner_draws)])]
    assert unlawful(game) == []
    game.lines = [Line(at=[0, first_lead], events=[Play(seat=seat, card=loser_draws)])]
    (finding,) = unlawful(game)
    assert finding.found == "card-not-held"


DIX = "N: 9D KH | S: 8D 8C | trump H | turn-up 9H | stock 4 | N leads"


@pytest.mark.parametrize(("drawn", "found"), [("7H", None), ("AC", "dix-not-held")])
def test_a_seven_drawn_first_is_shown_in_a_line_before_the_other_draw(drawn, found):
    """Where the seven may be shown at any time, a line may show the one that its seat has just drawn."""
    deal = deal_of(DIX, "N 9D, S 8D, N takes")
    deal.stock, deal.knowledge = [drawn, "QC", "JC", "TC"], "full"
    game = record_of([deal], sheet="zique", dix=True)
    game.lines = [Line(at=[0, 3], events=[Dix(seat=0, action="show"), Play(seat=0, card="KH")])]
    assert [finding.found for finding in unlawful(game)] == ([found] if found else [])


def test_a_line_of_a_partial_record_goes_on_with_cards_drawn_unseen():
    deal = deal_of(DIX, "N 9D, S 8D, N takes, N KH, S 8C")
    deal.knowledge = "public"
    game = record_of([deal], sheet="zique")
    ways = [own_moves(game, 3), Line(at=[0, 3], events=events_of("N AC, S 8C"))]
    for line in ways:
        game.lines = [line]
        assert unlawful(game) == []
    game.lines = [Line(at=[0, 3], events=events_of("S AC"))]
    assert [finding.found for finding in unlawful(game)] == ["out-of-turn"]


def test_a_line_that_begins_where_the_deal_does_not_come_is_not_judged():
    deal = deal_of(DIX, "N AC, S 8D")
    deal.knowledge = "full"
    game = record_of([deal], sheet="zique")
    game.lines = [Line(at=[0, 2], events=events_of("S KH"))]
    assert unlawful(game) == []


@pytest.mark.parametrize("sheet", ["zique", "bezique"])
def test_lines_together_find_what_each_finds_alone(sheet):
    """However the lines are replayed, a line is read with what led to it, and told in the order of the record."""
    game = play_game(sheet, seed=6, deals=2)
    events = [deal.events for deal in game.deals]
    ways = [
        Line(at=[deal, start], events=[*part[start : start + 3], Play(seat=0, card="AS")])
        for deal, part in enumerate(events)
        for start in range(0, len(part), 9)
    ]
    alone = []
    for number, line in enumerate(ways):
        game.lines = [line]
        alone += [
            f"/lines/{number}" + f.at.pointer.removeprefix("/lines/0") for f in unlawful(game)
        ]
    game.lines = ways
    assert [finding.at.pointer for finding in unlawful(game)] == alone
    assert len(alone) > 20
    game.lines = ways[::-1]
    assert len(unlawful(game)) == len(alone)


def test_what_excuses_an_event_before_a_line_is_the_line_s_own():
    """A trick and an irregularity before the line belong to the event before them, and so does one in the line."""
    game = play_game("zique", seed=1, deals=1)
    game.deals[0].events[4:] = []
    wrong = Play(seat=0, card="AS")
    game.deals[0].events.append(wrong)
    at = len(game.deals[0].events)
    excuse = Irregular(seat=0, what="other", cards=["AS"])
    game.lines = [Line(at=[0, at], events=[excuse, *[wrong] * 2])] * 3
    assert len(unlawful(game)) in (0, 3)


def test_a_deal_is_replayed_once_for_all_lines(monkeypatch):
    """The cost of lines is that of their own events, and not that of the deal for each of them."""
    advanced = []
    advance = Stepper.advance

    def counted(self, event):
        advanced.append(event)
        return advance(self, event)

    game = play_game("zique", seed=1, deals=1)
    events = game.deals[0].events
    last = len(events) - 1
    game.lines = [Line(at=[0, last], events=[events[last]])] * 500
    check_record(game)
    monkeypatch.setattr(Stepper, "advance", counted)
    check_record(game)
    assert len(advanced) < 500 * 6 + 2 * len(events)


def test_lines_that_would_cost_too_much_are_left_with_a_note():
    """Where each line needs a replay of its own, their number is bounded, and the note says from where on."""
    game = play_game("bezique", seed=1, deals=1)
    events = game.deals[0].events
    start = len(events)
    judged = MOST_EVENTS_REPLAYED // start
    game.lines = [Line(at=[0, start], events=[Play(seat=0, card="AS")])] * (judged + 2)
    (note,) = [f for f in check_record(game).findings if f.code == "lines-not-judged"]
    assert (note.at.pointer, note.severity) == (f"/lines/{judged}", "note")
    assert len(unlawful(game)) == judged
