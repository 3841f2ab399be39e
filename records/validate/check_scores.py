"""Checks of what a record claims: trick winners, points of melds, bonuses and brisques, and the result of the match."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec

from records.engine.effects import claimed_points
from records.engine.melds import find_meld_rule
from records.engine.table import Table, TableStep
from records.event_words import SCORE_WORDS
from records.events import Meld, Score, Trick
from records.phrases import join_words, list_cards, list_scores, pluralize, with_article
from records.record import Result
from records.rules.vocabulary import BrisqueCount, MeldRule, TurnUp
from records.validate.breach import (
    Breach,
    Breaches,
    breach_by,
    make_breach,
    score_article,
    seat_name,
)
from records.validate.check_totals import PossibleScores, check_possible

# Of the whole game: its scores, its winner, its settlement and its status.


class ComputedResult(NamedTuple):
    """The result of a game by the rules, as far as the cards tell it, or else the claims for its deals.

    `scores` are None where neither tell; then those claimed must be `possible`, and where nothing else does, the rest
    is told `by_scores` claimed, or `by_itself`: by what else the result names. The `settlements` and `winners` are those that are possible: one unless something
    is open. `complete` is None if it is open whether the match was played to its end.
    """

    scores: list[int] | None
    settlements: list[list[int]]
    winners: list[int | None]
    complete: bool | None
    settles: bool
    possible: PossibleScores | None = None
    by_scores: bool = False
    by_itself: bool = False


def check_game(result: Result | None, outcome: ComputedResult) -> list[Breach]:
    """The result claimed against the result computed."""
    if result is None:
        return []
    breaches = []
    if outcome.scores is not None and result.scores is not None:
        breaches += _scores(result.scores, outcome.scores)
    elif result.scores is not None:
        possible, pointer = outcome.possible, "/result/scores"
        breaches += check_possible("impossible-result-scores", result.scores, possible, pointer)
    if result.winner is not msgspec.UNSET:
        breaches += _winner(result, result.winner, outcome)
    if result.settlement is not None:
        breaches += _settlement(result, result.settlement, outcome)
    if result.status is not None and outcome.complete is not None:
        breaches += _status(result, result.status, outcome)
    return breaches


def _settlement(result: Result, claimed: list[int], outcome: ComputedResult) -> list[Breach]:
    pointer = "/result/settlement"
    found = list_scores(claimed)
    if not outcome.settles:
        return [make_breach("settlement-not-in-rules", found=found, pointer=pointer)]
    if not outcome.settlements or claimed in outcome.settlements:
        return []
    expected = _alternatives(list_scores(settlement) for settlement in outcome.settlements)
    facts: dict[str, Any] = {
        "expected": expected,
        "found": found,
        "pointer": pointer,
    } | _standard_of(result, outcome)
    return [make_breach("wrong-settlement", **facts)]


def _standard_of(result: Result, outcome: ComputedResult) -> dict[str, Any]:
    """What a winner and a settlement are judged by: the rules, or the scores that the result itself claims."""
    if not outcome.by_scores:
        return {"clause": "rules"}
    return {"clause": "scores", "scores": list_scores(result.scores or [])}


def _scores(claimed: list[int], computed: list[int]) -> list[Breach]:
    if claimed == computed:
        return []
    return [
        make_breach(
            "wrong-result-scores",
            expected=list_scores(computed),
            found=list_scores(claimed),
            pointer="/result/scores",
        )
    ]


def _winner(result: Result, claimed: Any, outcome: ComputedResult) -> list[Breach]:
    winners: list[int | None] = outcome.winners
    standard = _standard_of(result, outcome)
    if outcome.by_itself and result.settlement is not None and outcome.settles:
        winners = [_higher_side(result.settlement)]
        standard = {"clause": "settlement", "settlement": list_scores(result.settlement)}
    elif not winners and outcome.by_scores and result.status is None and claimed is not None:
        # Nobody has reached the target. Perhaps the players agreed on another: by that, too, the leader won.
        winners = [_higher_side(result.scores or [])]
    if not winners or claimed in winners:
        return []
    found, *sides = ["nobody" if side is None else f"side {side}" for side in (claimed, *winners)]
    facts: dict[str, Any] = {
        "expected": _alternatives(sides),
        "found": found,
        "pointer": "/result/winner",
    }
    return [make_breach("wrong-winner", **facts, **standard)]


def _higher_side(points: list[int]) -> int | None:
    """The side with the most points; None if two have as many."""
    most = max(points)
    return points.index(most) if points.count(most) == 1 else None


def _alternatives(words: Iterable[str]) -> str:
    return join_words(list(dict.fromkeys(words)), "or")


def _status(result: Result, claimed: str, outcome: ComputedResult) -> list[Breach]:
    if (claimed == "complete") == outcome.complete:
        return []
    expected = "complete" if outcome.complete else "unfinished"
    clause = "scores" if outcome.by_scores else expected
    facts: dict[str, Any] = {"expected": expected, "found": claimed, "pointer": "/result/status"}
    scores = list_scores(result.scores or [])
    return [make_breach("wrong-status", clause=clause, scores=scores, **facts)]


# Of single events: trick winners, points of melds, bonuses and brisques.


def check_trick(table: Table, event: Trick) -> Breaches | None:
    """The winner named is the winner computed, once a trick."""
    trick = table.trick
    if trick.winner == event.winner and not trick.winner_claimed:
        return None
    if trick.winner_open and not trick.winner_claimed:
        return None
    if trick.winner is None or table.step is TableStep.REPLY or trick.winner_claimed:
        clause = "again" if trick.winner_claimed else "no-trick"
        found = f"trick won by seat {event.winner}"
        return (breach_by(table, event.winner, "trick-out-of-place", clause=clause, found=found),)
    return (
        breach_by(
            table,
            event.winner,
            "wrong-trick-winner",
            winner=seat_name(table, trick.winner),
            # The cards of a trick won just before a position are not told.
            cards=list_cards([card for _, card in table.last_trick()]) or "just won",
            expected=f"seat {trick.winner}",
            found=f"seat {event.winner}",
            pointer="/winner",
        ),
    )


def check_meld_points(table: Table, event: Meld) -> Breaches | None:
    """The points claimed for a meld are those of the rules."""
    if event.points is None:
        return None
    row = find_meld_rule(table, event)
    if row is None or row.points == event.points:
        return None
    return (wrong_points_breach(table, event, row, [row.points]),)


def wrong_points_breach(table: Table, event: Meld, row: MeldRule, possible: list[int]) -> Breach:
    """The breach of a meld that claims none of the points possible."""
    return breach_by(
        table,
        event.seat,
        "wrong-meld-points",
        points=pluralize(event.points or 0, "point"),
        meld=with_article(row.words),
        expected=join_words(list(map(str, possible)), "or"),
        found=str(event.points),
        pointer="/points",
    )


def check_score(table: Table, event: Score) -> Breaches | None:
    """Points claimed were earned, once, and are as many as the rules give."""
    if event.what == "brisques":
        return _brisques(table, event)
    due = event.seat, event.what
    earned = table.earned.get(due)
    if earned is None:
        if event.seat in table.tableau.may_be_earned and event.what == "zetema":
            return _perhaps_earned(table, event)
        return None if _may_have_earned(table, event) else (_not_earned(table, event),)
    breaches = []
    if due in table.claims.scores:
        breaches.append(_claimed_wrongly(table, event, "scored-twice"))
    if event.what == "turned_seven" and (table.tricks or table.step is TableStep.REPLY):
        limit = "before the first play"
        breaches.append(_claimed_wrongly(table, event, "score-out-of-place", expected=limit))
    if event.points is not None and event.points != earned:
        breaches.append(_wrong_points(table, event, event.points, earned))
    return tuple(breaches) or None


def _perhaps_earned(table: Table, event: Score) -> Breaches | None:
    """What is wrong with a claim of a zetema that unknown discards may have made: it is worth nothing of the kind."""
    worth = sorted(table.tableau.may_be_earned[event.seat])
    if (event.seat, event.what) in table.claims.scores:
        return (_claimed_wrongly(table, event, "scored-twice"),)
    if event.points is None or event.points in worth:
        return None
    return (_wrong_points(table, event, event.points, join_words(map(str, worth), "or")),)


def _may_have_earned(table: Table, event: Score) -> bool:
    """Whether the record leaves open who earned this bonus, and it may be this seat.

    Only a dealer turns a seven or cuts, and only the other guesses; a zetema is known where it may be earned.
    """
    deals = event.seat == table.dealer
    if event.what == "zetema":
        return False
    if (event.what in ("turned_seven", "cut") and not deals) or (event.what == "guess" and deals):
        return False
    return event.what in table.knowledge.bonuses_open


def _is_in_rules(table: Table, what: str) -> bool:
    """Whether the game gives points for this, to whoever earns them."""
    sheet = table.rules.sheet
    match what:
        case "turned_seven":
            return isinstance(sheet.rules.trumps, TurnUp) and sheet.rules.trumps.dealer_seven > 0
        case "cut" | "guess":
            return sheet.rules.cut is not None
        case "zetema":
            return sheet.rules.tableau is not None
        case "brisques":
            return sheet.rules.brisques.count is not BrisqueCount.NEVER
        case _:
            return any(bonus.name == what for bonus in sheet.rules.bonuses)


def _why_not_earned(table: Table, event: Score, *, by_other: bool) -> str:
    if not _is_in_rules(table, event.what):
        return "not-in-rules"
    if event.what == "brisques":
        return "to-settle"
    return "other" if by_other else "nobody"


def _not_earned(table: Table, event: Score) -> Breach:
    due = [seat for seat in range(table.seats) if (seat, event.what) in table.earned]
    return breach_by(
        table,
        event.seat,
        "score-not-earned",
        clause=_why_not_earned(table, event, by_other=bool(due)),
        article=score_article(table, event.what),
        score=SCORE_WORDS[event.what],
        other=seat_name(table, due[0]) if due else "",
        expected=f"seat {due[0]}" if due else None,
        found=event.what if event.points is None else pluralize(event.points, "point"),
    )


def _claimed_wrongly(
    table: Table, event: Score, code: str, *, expected: str | None = None
) -> Breach:
    facts = {"score": SCORE_WORDS[event.what], "article": score_article(table, event.what)}
    return breach_by(table, event.seat, code, expected=expected, found=event.what, **facts)


def _wrong_points(table: Table, event: Score, claimed: int, earned: int | str) -> Breach:
    return breach_by(
        table,
        event.seat,
        "wrong-score-points",
        clause="points",
        points=pluralize(claimed, "point"),
        score=SCORE_WORDS[event.what],
        expected=str(earned),
        found=str(claimed),
        pointer="/points",
        article=score_article(table, event.what),
    )


def _wrong_count(table: Table, event: Score, count: int, points: int, worth: int) -> Breach:
    return breach_by(
        table,
        event.seat,
        "wrong-score-points",
        clause="count",
        brisques=pluralize(count, "brisque"),
        points=pluralize(points, "point"),
        expected=str(worth),
        found=str(points),
        pointer="/points",
        article="brisques",
    )


def _brisques(table: Table, event: Score) -> Breaches | None:
    rule = table.rules.brisque_rule
    if rule.count is BrisqueCount.NEVER:
        return (_not_earned(table, event),)
    if rule.count is BrisqueCount.TO_SETTLE and (event.seat, "brisques") not in table.earned:
        # They count at the end of the deal, whatever the record leaves open before it.
        is_open = table.step is TableStep.OVER and table.are_points_open
        return None if is_open else (_not_earned(table, event),)
    taken = rule.points * table.brisques[event.seat]
    claimed = table.claims.brisques[event.seat] + (claimed_points(table, event) or 0)
    if claimed > taken:
        # Where the record hides some, `taken` is the fewest: nobody knows whether more were claimed than were taken.
        open_ = table.knowledge.brisques_open
        return None if open_ else (_too_many_brisques(table, event, claimed, taken),)
    if event.count is None or event.points is None:
        return None
    worth = event.count * rule.points
    if worth == event.points:
        return None
    return (_wrong_count(table, event, event.count, event.points, worth),)


def _too_many_brisques(table: Table, event: Score, claimed: int, taken: int) -> Breach:
    return breach_by(
        table,
        event.seat,
        "wrong-brisques",
        clause="over" if table.step is TableStep.OVER else "so-far",
        points=pluralize(claimed, "point"),
        expected=str(taken),
        found=str(claimed),
        pointer="/points",
    )
