"""Checks of what is done with single cards: plays, draws, carte blanche, the cut and guess (laws C1 to C8, C14, C16)."""

from records.cards import SUIT_NAMES, card_sign, is_unknown
from records.engine.copy_history import search_given_up
from records.engine.effects import may_show_carte_blanche
from records.engine.following import card_to_beat, is_lawful_reply, lawful_replies, replies_owed
from records.engine.hidden_cards import (
    draws_left_out_before,
    is_card_on_top,
    is_copy_left,
    is_exchanged_unseen,
    may_all_be_in_pack,
    may_hold,
    may_lie_unseen,
    ranks_surely_hidden,
)
from records.engine.readings import after_leaving
from records.engine.table import DRAW, LEAD, OVER, REPLY, Table
from records.engine.zetema import is_turn_unsure
from records.event_words import SCORE_WORDS
from records.events import CarteBlanche, Cut, Draw, Play, nothing_done
from records.phrases import join_words, list_cards, name_card, name_cards, pluralize
from records.rules.english_melds import first_play_words
from records.rules.vocabulary import CarteBlancheRule
from records.validate.breach import (
    Breach,
    Breaches,
    breach_by,
    make_breach,
    not_in_pack,
    score_article,
    seat_name,
)

# Carte blanche, and the cut and guess (laws C14, C16).


def check_carte_blanche(table: Table, event: CarteBlanche) -> Breaches | None:
    """Everything that can be wrong with a carte blanche."""
    rule, seat = table.rules.written.carte_blanche, event.seat
    if rule is None:
        return (breach_by(table, seat, "event-not-in-rules", clause="CarteBlanche"),)
    # After a trick that either may have taken, nobody knows who drew which card of a stock in order.
    drawn_by_either = table.trick.winner_open and table.stock.order is not None
    breaches = [] if drawn_by_either else _cannot_be_shown(table, seat, rule)
    if event.points is not None and event.points != rule.points:
        breaches.append(_wrong_points(table, seat, event.points, rule.points))
    return tuple(breaches) or None


def _cannot_be_shown(table: Table, seat: int, rule: CarteBlancheRule) -> list[Breach]:
    courts = sorted(card for card in table.held[seat] if card[0] in rule.courts)
    courts += ranks_surely_hidden(table, seat, rule.courts)
    if courts:
        return [_court_cards(table, seat, list_cards(courts))]
    if may_show_carte_blanche(table, seat):
        return []
    return [breach_by(table, seat, "carte-blanche-too-late", limit=first_play_words(rule))]


def check_cut(table: Table, event: Cut) -> Breaches | None:
    """Everything that can be wrong with the cut."""
    seat = event.seat
    if table.rules.written.cut is None:
        return (breach_by(table, seat, "event-not-in-rules", clause="Cut"),)
    if seat != table.dealer or not nothing_done(table.events[: table.index]):
        expected = f"seat {table.dealer}, first of all"
        return (
            breach_by(table, seat, "cut-out-of-place", expected=expected, found=f"seat {seat}"),
        )
    pack = table.rules.pack_size
    if not 0 < event.packet < pack or (event.guess is not None and event.guess < 0):
        return (_impossible_cut(table, event, pack),)
    return None


def _court_cards(table: Table, seat: int, courts: str) -> Breach:
    expected = "no king, queen or jack"
    return breach_by(table, seat, "not-blank", cards=courts, expected=expected, found=courts)


def _impossible_cut(table: Table, event: Cut, pack: int) -> Breach:
    return breach_by(
        table,
        event.seat,
        "impossible-cut",
        cards=pluralize(event.packet, "card"),
        pack=pack,
        expected=f"1 to {pack - 1}",
        found=str(event.packet),
        pointer="/packet",
    )


def _wrong_points(table: Table, seat: int, claimed: int, computed: int) -> Breach:
    return breach_by(
        table,
        seat,
        "wrong-score-points",
        clause="points",
        points=pluralize(claimed, "point"),
        score=SCORE_WORDS["carte_blanche"],
        article=score_article(table, "carte_blanche"),
        expected=str(computed),
        found=str(claimed),
        pointer="/points",
    )


# A draw: whose turn it is, which card lies there, and whether a copy is left (laws C1, C5, C6).


def check_draw(table: Table, event: Draw) -> Breaches | None:
    """Everything that can be wrong with a draw."""
    # Nearly every draw is legal and returns here.
    if (
        table.step is DRAW
        and table.seat == event.seat
        and (left := table.stock.left)
        and (table.stock.order is None or _is_next_of_known(table, left, event.card))
        and table.unseen.get(event.card, 0) > 0
        and not table.knowledge.uncertain
    ):
        return None
    breaches = [*_draw_turn(table, event), *_card(table, event)]
    return tuple(breaches) or None


def _is_next_of_known(table: Table, left: int, card: str) -> bool:
    """Whether a card is the next of a stock in order, where the record leaves no draws out."""
    return not table.knowledge.partial and table.stock.card_with(left) == card


def _draw_turn(table: Table, event: Draw) -> list[Breach]:
    if _is_stock_unsure(table):
        return []
    if table.step is not DRAW or event.seat not in table.draws_due:
        return [_not_due(table, event)]
    if event.seat == table.seat or draws_left_out_before(table, event) or table.trick.winner_open:
        return []
    return [
        breach_by(
            table,
            event.seat,
            "draw-out-of-turn",
            clause="first" if table.seat == table.trick.winner else "turn",
            winner=seat_name(table, table.seat),
            expected=f"seat {table.seat}",
            found=f"seat {event.seat}",
        )
    ]


def _is_stock_unsure(table: Table) -> bool:
    """Whether nobody knows how many cards have been drawn (Zetema)."""
    return table.rules.has_tableau and is_turn_unsure(table)


def _not_due(table: Table, event: Draw) -> Breach:
    if not table.stock.left and table.stock.turn_up is None:
        clause = "no-stock"
    elif table.rules.has_tableau:
        clause = "other-turn" if table.step is DRAW else "full-hand"
    else:
        clause = "again" if table.step is DRAW else "no-trick"
    return breach_by(
        table,
        event.seat,
        "draw-not-due",
        clause=clause,
        card=name_card(event.card),
        other=seat_name(table, table.seat),
        found=f"draw of {event.card}",
    )


def _card(table: Table, event: Draw) -> list[Breach]:
    if beyond := not_in_pack(table, event.seat, [event.card], "draw"):
        return beyond
    stock = table.stock
    left = stock.left - draws_left_out_before(table, event)
    if left <= 0 and stock.turn_up is not None:
        known = not is_unknown(stock.turn_up) or is_exchanged_unseen(table, stock.turn_up)
        breaches = _other_card(table, event, stock.turn_up, "turn-up")
        return breaches if breaches or known else _copies(table, event, is_turn_up=True)
    top = None if _is_stock_unsure(table) else stock.card_with(left)
    breaches = _other_card(table, event, top, "stock") if top is not None else []
    return [*breaches, *_copies(table, event)]


def _copies(table: Table, event: Draw, *, is_turn_up: bool = False) -> list[Breach]:
    if table.tableau.ways_given_up:
        return []
    if not is_copy_left(table, event.card):
        return [_none_left(table, event)]
    # In Zetema, a card married may have come from the tableau, and is none of those that its seat has shown.
    if table.rules.has_tableau or not (table.knowledge.uncertain or is_unknown(event.card)):
        return []
    if may_all_be_in_pack(table, drawn=event.card, is_turn_up=is_turn_up):
        return []
    return [_none_left(table, event, clause="wanted")]


def _other_card(table: Table, event: Draw, top: str, place: str) -> list[Breach]:
    if is_card_on_top(event.card, top):
        return []
    return [
        breach_by(
            table,
            event.seat,
            "wrong-card-drawn",
            clause=place,
            card=name_card(event.card),
            top=name_card(top),
            expected=top,
            found=event.card,
        )
    ]


def _none_left(table: Table, event: Draw, clause: str = "out") -> Breach:
    return breach_by(
        table,
        event.seat,
        "no-such-card-left",
        clause=clause,
        card=name_card(event.card),
        found=card_sign(event.card),
        since=_earlier_draw(table, event.card),
    )


def _earlier_draw(table: Table, card: str) -> int | None:
    for i in range(table.index):
        if isinstance(table.events[i], Draw) and getattr(table.events[i], "card", None) == card:
            return i
    return None


# A play: whose turn it is, whether the card is held, and whether it follows (laws C2 to C8).


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
    elif event.card[1] == led[1]:
        code, led = "must-beat", card_to_beat(table)
    else:
        code = "must-follow-suit"
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
