"""Choices after the close that lost a match, played to their end at the engine's table."""

from collections.abc import Iterator

import pytest

from analyzer.review.deep_review import ReviewedDecision, ReviewTerms
from analyzer.review.exact_deals import close_decisions
from analyzer.review.review_words import describe_loss
from analyzer.review.reviewer import review_record
from analyzer.solver.moves import Move
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table
from records.events import AnyEvent, Dix, Meld, Play
from records.record import Record
from records.replay import Match, replay
from records.rules.registry import resolve_rules
from records.rules.vocabulary import RaceTo
from records.selfplay import play_game

SHEETS = ("bezique", "marjolet", "marjolet-oxford", "zique")
TARGET = 300
"""So short a match is often decided by the close of its last deal."""


def finished(record: Record, deal: int, decision: ReviewedDecision, line: list[Move]) -> list[int]:
    """The match points if the deal goes on from a decision with these moves."""
    match = Match(record, resolve_rules(record.rules))
    for frame in replay(record, match=match):
        if (frame.deal, frame.index) == (deal, -1):
            before = [*(match.scores or ())]
        if (frame.deal, frame.index) == (deal, decision.event - 1):
            table = frame.table.copy()
            break
    stepper = unchecked_stepper(table)
    for move in line:
        while table.draws_due:
            stepper.advance(draw_of(record, deal, table))
        for event in events_of(move):
            table.events = [*table.events, event]
            table.index = len(table.events) - 1
            stepper.advance(event)
    return [score + points for score, points in zip(before, table.points, strict=True)]


def draw_of(record: Record, deal: int, table: Table) -> AnyEvent:
    return record.deals[deal].events[table.index + 1]


def events_of(move: Move) -> Iterator[AnyEvent]:
    if move.card is not None:
        yield Play(seat=move.seat, card=move.card)
    elif move.meld is not None:
        yield Meld(seat=move.seat, meld=move.meld, cards=[*move.cards])
    else:
        yield Dix(seat=move.seat, action="show", card=move.shows)


def winner(record: Record, scores: list[int]) -> int | None:
    game = resolve_rules(record.rules).sheet.rules.match
    assert isinstance(game, RaceTo)
    if max(scores) < game.target[2] or scores[0] == scores[1]:
        return None
    return scores.index(max(scores))


@pytest.mark.slow
@pytest.mark.parametrize("sheet", SHEETS)
def test_a_match_is_told_as_lost_if_the_best_line_wins_it_and_only_then(sheet: str) -> None:
    """Every best line of last deals is played out by the engine; some of them win what was lost."""
    told = 0
    for seed in range(20):
        record = play_game(sheet, seed=seed, style="casual", options={"target": TARGET})
        assert record.result
        assert record.result.scores
        notes = review_record(record, terms=ReviewTerms(worlds=0))
        for deal in notes.deals:
            decisions = [*close_decisions(deal)]
            ends_by_place = [
                finished(record, deal.deal, decision, decision.line) for decision in decisions
            ]
            is_last = deal.deal == len(record.deals) - 1
            won = record.result.winner if is_last else None
            for place, decision in enumerate(decisions):
                ends = ends_by_place[place]
                after = (
                    winner(record, ends_by_place[place + 1])
                    if decision is not decisions[-1]
                    else won
                )
                lost = winner(record, ends) == decision.seat and decision.seat not in (after, won)
                assert (decision.match is not None) == lost
                if decision.match:
                    told += 1
                    assert decision.choices[0].chance in (None, 1.0)
                    assert [*decision.match.best] == ends
                    if is_last:
                        assert [*decision.match.played] == record.result.scores
                    assert "wins the match" in describe_loss(decision, notes.names)
    assert told
