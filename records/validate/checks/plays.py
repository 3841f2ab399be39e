"""Checks of a play: whose turn it is, whether the card is held, and whether it follows (laws C2 to C8)."""

from records.cards import SUIT_NAMES, is_unknown
from records.engine.copies.history import search_given_up
from records.engine.copies.readings import after_leaving
from records.engine.following import is_lawful_reply, lawful_replies, replies_owed
from records.engine.hidden_cards import may_hold, may_lie_unseen
from records.engine.table import Table, TableStep
from records.events import Play
from records.phrases import join_words, list_cards, name_card, name_cards
from records.validate.breach import Breach, Breaches, breach_by, make_breach, not_in_pack, seat_name

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
    # Nearly every play is legal and returns here; only the others need the slower checks.
    if table.seat == seat and (step is LEAD or step is REPLY) and card in table.held[seat]:
        if event.source is None:
            is_there = True
        elif card not in table.marked[seat]:
            is_there = event.source == "hand"
        else:
            count = table.held[seat][card]
            is_there = bool(after_leaving(table.readings[seat], card, count, where=event.source))
        if is_there and (
            step is LEAD
            or not table.phase.must_follow
            or (
                not table.knowledge.uncertain
                and is_lawful_reply(table, seat, table.trick.led or card, card)
            )
        ):
            return None
    return _examine(table, event)


def _examine(table: Table, event: Play) -> Breaches | None:
    if table.step is OVER:
        return (_after_the_end(table, event),)
    breaches = [*_turn(table, event), *_holding(table, event)]
    if not any(breach.code in ("card-not-held", "card-not-in-pack") for breach in breaches):
        breaches += _duty(table, event)
    return tuple(breaches) or None


def _after_the_end(table: Table, event: Play) -> Breach:
    return breach_by(
        table,
        event.seat,
        "event-after-end",
        clause="play",
        card=name_card(event.card),
        expected="no further card",
        found=event.card,
    )


def _turn(table: Table, event: Play) -> list[Breach]:
    if table.step is DRAW and not table.knowledge.partial:
        return [_draws_missing(table, event)]
    if event.seat == table.seat or not (table.step is LEAD or table.step is REPLY):
        return []
    return [
        breach_by(
            table,
            event.seat,
            "out-of-turn",
            clause="lead" if table.step is LEAD else "reply",
            card=name_card(event.card),
            other=seat_name(table, table.seat),
            expected=f"seat {table.seat}",
            found=f"seat {event.seat}",
            since=table.index,
        )
    ]


def _draws_missing(table: Table, event: Play) -> Breach:
    due = table.draws_due or [event.seat]
    return make_breach(
        "draw-missing",
        clause="play",
        seat=due[0],
        player=seat_name(table, event.seat),
        card=name_card(event.card),
        others=join_words(seat_name(table, seat) for seat in due),
        expected=f"a draw by seat {due[0]}",
        found=f"play of {event.card}",
    )


def _holding(table: Table, event: Play) -> list[Breach]:
    seat, card = event.seat, event.card
    count = table.held[seat].get(card)
    if count is None:
        if beyond := not_in_pack(table, seat, [card], "play"):
            return beyond
        drawn = table.draws_due.count(seat)
        return [] if may_hold(table, seat, [card], drawn=drawn) else [_not_held(table, event)]
    left = after_leaving(table.readings[seat], card, count, where=event.source)
    if left or table.tracking.incomplete or search_given_up(left):
        return []
    if event.source == "hand" and may_hold(table, seat, [card]):
        return []
    if event.source == "table" and may_lie_unseen(table, seat, card):
        return []
    return [_elsewhere(table, event)]


def _elsewhere(table: Table, event: Play) -> Breach:
    card, found = name_card(event.card), event.source
    if event.source == "table":
        clause = "in-hand" if table.phase.draws else "taken-back"
        details = {"clause": clause, "card": card, "expected": "hand", "found": found}
        return breach_by(table, event.seat, "not-on-table", **details)
    return breach_by(table, event.seat, "not-in-hand", card=card, expected="table", found=found)


def _not_held(table: Table, event: Play) -> Breach:
    seat, card, held = event.seat, event.card, table.held[event.seat]
    led = table.trick.led
    return breach_by(
        table,
        seat,
        "card-not-held",
        clause="play",
        card=name_card(card),
        expected=f"one of {list_cards(sorted(held))}",
        found=card,
        legal=tuple(lawful_replies(table, seat, led) if led else held),
        candidates=_similar_cards(card, list(held)),
        since=_last_seen(table, seat, card),
    )


def _similar_cards(card: str, held: list[str]) -> tuple[str, ...]:
    """Up to four cards held that share the rank or the suit: one of them may have been meant."""
    return tuple(
        sorted(
            (other for other in held if other[0] == card[0] or other[1] == card[1]),
            key=lambda other: (other[0] != card[0], other),
        )[:4]
    )


def _last_seen(table: Table, seat: int, card: str) -> int | None:
    """The last event of the seat that involves the card."""
    for i in range(table.index - 1, -1, -1):
        earlier = table.events[i]
        if getattr(earlier, "seat", None) == seat and getattr(earlier, "card", None) == card:
            return i
    return None


def _duty(table: Table, event: Play) -> list[Breach]:
    led = table.trick.led
    if table.step is not REPLY or led is None or not table.phase.must_follow:
        return []
    if event.seat != table.seat:
        return []
    if table.knowledge.uncertain or is_unknown(event.card):
        allowed = replies_owed(table, event.seat, led, event.card)
        return [_broken_duty(table, event, led, sorted(allowed))] if allowed else []
    allowed = lawful_replies(table, event.seat, led)
    if event.card in allowed:
        return []
    return [_broken_duty(table, event, led, sorted(allowed))]


def _broken_duty(table: Table, event: Play, led: str, allowed: list[str]) -> Breach:
    if allowed[0][1] != led[1]:
        code = "must-trump"
    else:
        code = "must-beat" if event.card[1] == led[1] else "must-follow-suit"
    return breach_by(
        table,
        event.seat,
        code,
        card=name_card(event.card),
        led=name_card(led),
        suit=SUIT_NAMES[led[1]],
        allowed=name_cards(allowed, "or"),
        expected=f"one of {list_cards(allowed)}",
        found=event.card,
        legal=tuple(allowed),
    )
