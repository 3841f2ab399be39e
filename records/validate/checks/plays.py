"""Checks of a card played: whose turn, from which cards, and what it owes (laws C2 to C8)."""

from records.cards import is_unknown
from records.engine.copies.history import search_given_up
from records.engine.copies.readings import after_leaving
from records.engine.following import is_lawful_reply, lawful_replies
from records.engine.hidden_cards import may_hold
from records.engine.table import Table, TableStep
from records.events import Play
from records.rules.vocabulary import Follow
from records.validate.breach import (
    Breach,
    Breaches,
    card_with_article,
    list_card_names,
    list_cards,
    seat_name,
)

# Bound once: to read a member of an enumeration costs more than to compare it.
LEAD, REPLY, DRAW, OVER = (
    TableStep.LEAD,
    TableStep.REPLY,
    TableStep.DRAW,
    TableStep.OVER,
)


def check_play(table: Table, event: Play) -> Breaches | None:
    """Everything that can be wrong with a play."""
    seat, card, step = event.seat, event.card, table.step
    if table.seat == seat and (step is LEAD or step is REPLY) and card in table.held[seat]:
        if event.source is None:
            lies = True
        elif card not in table.marked[seat]:
            lies = event.source == "hand"
        else:
            count = table.held[seat][card]
            lies = bool(after_leaving(table.readings[seat], card, count, where=event.source))
        if lies and (
            step is LEAD
            or not table.phase.must_follow
            or is_lawful_reply(table, seat, table.trick.led or card, card)
        ):
            return None
    return _examine(table, event)


def _examine(table: Table, event: Play) -> Breaches | None:
    if table.step is OVER:
        return (_after_the_end(table, event),)
    found = [*_turn(table, event), *_holding(table, event)]
    if not any(breach.code == "card-not-held" for breach in found):
        found += _duty(table, event)
    return tuple(found) or None


def _after_the_end(table: Table, event: Play) -> Breach:
    return Breach(
        code="event-after-end",
        seat=event.seat,
        message=f"{seat_name(table, event.seat)} plays {card_with_article(event.card)} after the deal is over.",
        expected="no further card",
        found=event.card,
    )


def _turn(table: Table, event: Play) -> list[Breach]:
    if table.step is DRAW and not table.knowledge.partial:
        return _draws_missing(table, event)
    if table.step in (LEAD, REPLY) and event.seat != table.seat:
        act = "lead" if table.step is LEAD else "reply to the card led"
        return [
            Breach(
                code="out-of-turn",
                seat=event.seat,
                message=f"{seat_name(table, event.seat)} plays {card_with_article(event.card)}, but it is for"
                f" {seat_name(table, table.seat)} to {act}.",
                expected=f"seat {table.seat}",
                found=f"seat {event.seat}",
                since=table.index,
            )
        ]
    return []


def _draws_missing(table: Table, event: Play) -> list[Breach]:
    who = " and ".join(seat_name(table, seat) for seat in table.draws_due)
    return [
        Breach(
            code="draw-missing",
            seat=table.draws_due[0] if table.draws_due else event.seat,
            message=f"{seat_name(table, event.seat)} plays {card_with_article(event.card)} before {who}"
            f" {'have' if len(table.draws_due) > 1 else 'has'} drawn.",
            expected=f"a draw by seat {table.draws_due[0]}" if table.draws_due else "a draw",
            found=f"play of {event.card}",
        )
    ]


def _holding(table: Table, event: Play) -> list[Breach]:
    seat, card = event.seat, event.card
    count = table.held[seat].get(card)
    if count is None:
        drawn = table.draws_due.count(seat)
        return [] if may_hold(table, seat, [card], drawn=drawn) else [_not_held(table, event)]
    left = after_leaving(table.readings[seat], card, count, where=event.source)
    if left or table.tracking.incomplete or search_given_up(left):
        return []
    if event.source == "hand" and may_hold(table, seat, [card]):
        return []
    code = "not-on-table" if event.source == "table" else "not-in-hand"
    place = "on the table" if event.source == "table" else "in the hand"
    other = "in the hand" if event.source == "table" else "on the table"
    why = "" if table.phase.draws else "; the melded cards went back to the hand at the close"
    return [
        Breach(
            code=code,
            seat=seat,
            message=f"{seat_name(table, seat)} plays {card_with_article(card)} as one that lies {place}, but none does;"
            f" it is {other}{why}.",
            expected="hand" if event.source == "table" else "table",
            found=event.source,
        )
    ]


def _not_held(table: Table, event: Play) -> Breach:
    seat, card = event.seat, event.card
    return Breach(
        code="card-not-held",
        seat=seat,
        message=f"{seat_name(table, seat)} plays {card_with_article(card)} but does not hold it.",
        expected=f"one of {list_cards(sorted(table.held[seat]))}",
        found=card,
        legal=tuple(
            lawful_replies(table, seat, table.trick.led) if table.trick.led else table.held[seat]
        ),
        candidates=_alike(card, list(table.held[seat])),
        since=_last_seen(table, seat, card),
    )


def _alike(card: str, held: list[str]) -> tuple[str, ...]:
    """Cards held that share the rank or the suit: likely slips of the pen."""
    return tuple(
        sorted(
            (other for other in held if other[0] == card[0] or other[1] == card[1]),
            key=lambda other: (other[0] != card[0], other),
        )[:4]
    )


def _last_seen(table: Table, seat: int, card: str) -> int | None:
    """The last event in which the seat had to do with the card."""
    for i in range(table.index - 1, -1, -1):
        earlier = table.events[i]
        if getattr(earlier, "seat", None) == seat and getattr(earlier, "card", None) == card:
            return i
    return None


def _duty(table: Table, event: Play) -> list[Breach]:
    led = table.trick.led
    if table.step is not REPLY or led is None or table.phase.follow is Follow.ANY:
        return []
    if event.seat != table.seat or is_unknown(led) or is_unknown(event.card):
        return []
    allowed = lawful_replies(table, event.seat, led)
    if event.card in allowed or (
        table.hidden.given[event.seat] and event.card not in table.held[event.seat]
    ):
        return []
    return [_broken_duty(table, event, led, sorted(allowed))]


def _broken_duty(table: Table, event: Play, led: str, allowed: list[str]) -> Breach:
    if allowed[0][1] != led[1]:
        code, owes = "must-trump", "has no card of the suit and held"
    elif event.card[1] != led[1]:
        code, owes = "must-follow-suit", "held"
    else:
        code, owes = "must-beat", "could have beaten it with"
    return Breach(
        code=code,
        seat=event.seat,
        message=f"{seat_name(table, event.seat)} played {card_with_article(event.card)} on {card_with_article(led)} but {owes}"
        f" {list_card_names(allowed, joint='or')}.",
        expected=f"one of {list_cards(allowed)}",
        found=event.card,
        legal=tuple(allowed),
    )
