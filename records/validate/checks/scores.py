"""Checks of what a record claims: trick winners, points of melds, bonuses and brisques."""

from records.cards import covers, is_unknown
from records.engine.event_effects import claimed_points
from records.engine.melds import find_meld_rule
from records.engine.table import Table, TableStep
from records.events import Meld, Score, Trick
from records.rules.vocabulary import BrisqueCount
from records.validate.breach import Breach, Breaches, list_cards, seat_name
from records.validate.checks.melds import name_in_words


def check_trick(table: Table, event: Trick) -> Breaches | None:
    """The winner named is the winner computed, once a trick."""
    if table.trick.winner == event.winner and not table.trick.winner_claimed:
        return None
    if table.trick.winner is None or table.step is TableStep.REPLY or table.trick.winner_claimed:
        return (
            Breach(
                code="trick-out-of-place",
                seat=event.winner,
                message="A trick is said to be taken here, but no trick has just been completed."
                if not table.trick.winner_claimed
                else "The winner of this trick has already been named.",
                found=f"trick won by seat {event.winner}",
            ),
        )
    taken = list_cards([card for _, card in table.last_trick()])
    return (
        Breach(
            code="wrong-trick-winner",
            seat=event.winner,
            message=f"The trick {taken} is {seat_name(table, table.trick.winner)}'s, not {seat_name(table, event.winner)}'s.",
            expected=f"seat {table.trick.winner}",
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
    return (
        Breach(
            code="wrong-meld-points",
            seat=event.seat,
            message=f"{seat_name(table, event.seat)} claims {event.points} points for a {row.words}; it is worth"
            f" {row.points}.",
            expected=str(row.points),
            found=str(event.points),
            pointer="/points",
        ),
    )


def check_score(table: Table, event: Score) -> Breaches | None:
    """Points claimed were earned, once, and are as many as the rules give."""
    if event.what == "brisques":
        return _brisques(table, event)
    due = event.seat, event.what
    earned = table.earned.get(due)
    if earned is None:
        return None if _turned_unseen(table, event) else (_not_earned(table, event),)
    found = []
    if due in table.claims.scores:
        found.append(_again(table, event))
    if event.what == "turned_seven" and (table.tricks or table.step is TableStep.REPLY):
        found.append(_late(table, event))
    if event.points is not None and event.points != earned:
        found.append(_wrong_points(table, event, earned))
    return tuple(found) or None


def _turned_unseen(table: Table, event: Score) -> bool:
    """Whether the turn-up is unknown and may be the seven that its dealer claims."""
    lies = table.stock.turn_up
    if event.what != "turned_seven" or event.seat != table.dealer or lies is None:
        return False
    return is_unknown(lies) and covers(lies, "7" + (table.trump or "?"))


def _not_earned(table: Table, event: Score) -> Breach:
    due = [seat for seat in range(table.seats) if (seat, event.what) in table.earned]
    to = f"; it is {seat_name(table, due[0])}'s" if due else ""
    return Breach(
        code="score-not-earned",
        seat=event.seat,
        message=f"{seat_name(table, event.seat)} scores {name_in_words(event.what)} without having earned it{to}.",
        expected=f"seat {due[0]}" if due else None,
        found=f"{event.points} points" if event.points is not None else event.what,
    )


def _again(table: Table, event: Score) -> Breach:
    return Breach(
        code="scored-twice",
        seat=event.seat,
        message=f"{seat_name(table, event.seat)} scores {name_in_words(event.what)} a second time.",
        found=event.what,
    )


def _late(table: Table, event: Score) -> Breach:
    return Breach(
        code="score-out-of-place",
        seat=event.seat,
        message=f"{seat_name(table, event.seat)} scores {name_in_words(event.what)} after the first card was played.",
        expected="before the first play",
        found=event.what,
    )


def _wrong_points(table: Table, event: Score, earned: int) -> Breach:
    return Breach(
        code="wrong-score-points",
        seat=event.seat,
        message=f"{seat_name(table, event.seat)} claims {event.points} points for {name_in_words(event.what)}; it is worth"
        f" {earned}.",
        expected=str(earned),
        found=str(event.points),
        pointer="/points",
    )


def _brisques(table: Table, event: Score) -> Breaches | None:
    rule = table.rules.sheet.brisques
    if rule.count is BrisqueCount.NEVER:
        return (_not_earned(table, event),)
    if rule.count is BrisqueCount.TO_SETTLE and (event.seat, "brisques") not in table.earned:
        return (_not_earned(table, event),)
    taken = rule.points * table.brisques[event.seat]
    claimed = table.claims.brisques[event.seat] + (claimed_points(table, event) or 0)
    if claimed > taken and not table.knowledge.uncertain:
        return (_too_many_brisques(table, event, claimed, taken),)
    if (
        event.count is not None
        and event.points is not None
        and event.count * rule.points != event.points
    ):
        return (_wrong_points(table, event, event.count * rule.points),)
    return None


def _too_many_brisques(table: Table, event: Score, claimed: int, taken: int) -> Breach:
    when = "in all" if table.step is TableStep.OVER else "so far"
    return Breach(
        code="wrong-brisques",
        seat=event.seat,
        message=f"{seat_name(table, event.seat)} claims {claimed} points of brisques {when}, but has taken"
        f" {taken}.",
        expected=str(taken),
        found=str(claimed),
        pointer="/points",
    )
