"""Checks of Zetema's turn: the draw, the combination, the discard (laws Z2 to Z5)."""

from records.engine.hidden_cards import can_reveal, count_cards, full_hand_size
from records.engine.table import Table, TableStep
from records.engine.zetema.marriages import enough_from_hand, is_stock_unsure, ways_from_tableau
from records.engine.zetema.turn import combination_points, completing_cards, find_combination
from records.events import Discard, Meld
from records.validate.breach import (
    Breach,
    Breaches,
    card_with_article,
    list_card_names,
    list_cards,
    seat_name,
)
from records.validate.checks.melds import name_in_words

# Bound once: to read a member of an enumeration costs more than to compare it.
DRAW, OVER, DISCARD = TableStep.DRAW, TableStep.OVER, TableStep.DISCARD


def check_discard(table: Table, event: Discard) -> Breaches | None:
    """Everything that can be wrong with a discard."""
    if is_stock_unsure(table):
        return None
    if table.step is OVER:
        return (_over(table, event.seat, f"discards {card_with_article(event.card)}"),)
    found = _turn(table, event.seat, f"discards {card_with_article(event.card)}")
    if event.card not in table.held[event.seat] and not _may_hold(table, event.seat, [event.card]):
        return (*found, _not_held(table, event))
    return (*found, *_bound(table, event), *_chain(table, event)) or None


def _may_hold(table: Table, seat: int, cards: list[str]) -> bool:
    return can_reveal(table, seat, cards, drawn=table.draws_due.count(seat))


def _over(table: Table, seat: int, act: str) -> Breach:
    return Breach(
        code="event-after-end",
        seat=seat,
        message=f"{seat_name(table, seat)} {act} after the deal is over.",
        expected="no further event",
    )


def _turn(table: Table, seat: int, act: str) -> list[Breach]:
    if seat != table.seat:
        return [
            Breach(
                code="out-of-turn",
                seat=seat,
                message=f"{seat_name(table, seat)} {act}, but it is {seat_name(table, table.seat)}'s turn.",
                expected=f"seat {table.seat}",
                found=f"seat {seat}",
            )
        ]
    if table.step is DRAW and not table.knowledge.partial:
        left = len(table.draws_due)
        return [
            Breach(
                code="draw-missing",
                seat=seat,
                message=f"{seat_name(table, seat)} {act} before drawing up to {full_hand_size(table)} cards;"
                f" {left} {'draws are' if left > 1 else 'draw is'} missing.",
                expected=f"a draw by seat {seat}",
            )
        ]
    return []


def _not_held(table: Table, event: Discard) -> Breach:
    return Breach(
        code="card-not-held",
        seat=event.seat,
        message=f"{seat_name(table, event.seat)} discards {card_with_article(event.card)} but does not hold it.",
        expected=f"one of {list_cards(sorted(table.held[event.seat]))}",
        found=event.card,
        legal=tuple(table.held[event.seat]),
    )


def _bound(table: Table, event: Discard) -> list[Breach]:
    if (
        table.tableau.discard_from is None
        or event.card in table.tableau.discard_from
        or event.seat != table.seat
    ):
        return []
    return [
        Breach(
            code="discard-not-of-combination",
            seat=event.seat,
            message=f"{seat_name(table, event.seat)} discards {card_with_article(event.card)}; after a combination the discard"
            f" is one of its cards, {list_cards(table.tableau.discard_from)}.",
            expected=f"one of {list_cards(table.tableau.discard_from)}",
            found=event.card,
            legal=tuple(dict.fromkeys(table.tableau.discard_from)),
        )
    ]


def _chain(table: Table, event: Discard) -> list[Breach]:
    if not table.tableau.must_complete or event.seat != table.seat:
        return []
    cards = completing_cards(table, event.seat)
    if not cards or event.card in cards:
        return []
    return [
        Breach(
            code="must-go-on",
            seat=event.seat,
            message=f"{seat_name(table, event.seat)} has scored a zetema and discards {card_with_article(event.card)}, but must"
            f" go on with {list_card_names(cards, joint='or')}, which completes another.",
            expected=f"one of {list_cards(cards)}",
            found=event.card,
            legal=tuple(cards),
        )
    ]


def check_combination(table: Table, event: Meld) -> Breaches | None:
    """Everything that can be wrong with a combination."""
    act, unsure = f"scores {name_in_words(event.meld)}", is_stock_unsure(table)
    if table.step is OVER and not unsure:
        return (_over(table, event.seat, act),)
    found = [] if unsure else [*_turn(table, event.seat, act), *_window(table, event)]
    row = find_combination(table, event)
    if row is None:
        found.append(_wrong_cards(table, event))
    found += [] if unsure else _cards(table, event)
    if row is not None and event.points is not None:
        points = combination_points(table, row, event.cards)
        if points != event.points:
            found.append(_points(table, event, points))
    return tuple(found) or None


def _window(table: Table, event: Meld) -> list[Breach]:
    if table.step is not DISCARD or event.seat != table.seat:
        return []
    if table.phase.melds == 0:
        return [
            Breach(
                code="meld-after-close",
                seat=event.seat,
                message=f"{seat_name(table, event.seat)} scores {name_in_words(event.meld)}; once the stock is empty only"
                " discards are left.",
                found=list_cards(event.cards),
            )
        ]
    return [
        Breach(
            code="too-many-melds",
            seat=event.seat,
            message=f"{seat_name(table, event.seat)} scores {name_in_words(event.meld)}; a turn has one combination, before"
            " its discard.",
            found=list_cards(event.cards),
        )
    ]


def _wrong_cards(table: Table, event: Meld) -> Breach:
    rows = [row for row in table.rules.sheet.melds if row.name == event.meld]
    if not rows:
        return Breach(
            code="meld-not-in-rules",
            seat=event.seat,
            message=f"{seat_name(table, event.seat)} scores {name_in_words(event.meld)}, which this game does not have.",
            found=event.meld,
        )
    formed = table.rules.combinations(full_hand_size(table), tuple(event.cards))
    instead = f" They are {name_in_words(formed[0].name)}." if formed else ""
    return Breach(
        code="wrong-cards-for-meld",
        seat=event.seat,
        message=f"{seat_name(table, event.seat)} calls {list_cards(event.cards)} {name_in_words(event.meld)}, which they are"
        f" not.{instead}",
        found=list_cards(event.cards),
        candidates=tuple(row.name for row in formed),
    )


def _cards(table: Table, event: Meld) -> list[Breach]:
    if event.meld == "marriages":
        return _married(table, event)
    held = table.held[event.seat]
    missing = [
        card
        for card, count in count_cards(event.cards).items()
        for _ in range(count - held.get(card, 0))
    ]
    return _missing(table, event, missing, "not in that hand")


def _missing(table: Table, event: Meld, missing: list[str], where: str) -> list[Breach]:
    if not missing or _may_hold(table, event.seat, missing):
        return []
    return [
        Breach(
            code="meld-card-not-held",
            seat=event.seat,
            message=f"{seat_name(table, event.seat)} scores {name_in_words(event.meld)} with {list_card_names(missing)}, which"
            f" {'are' if len(missing) > 1 else 'is'} {where}.",
            found=list_cards(event.cards),
        )
    ]


def _married(table: Table, event: Meld) -> list[Breach]:
    held, needs = table.held[event.seat], count_cards(event.cards)
    lies = {
        card: table.tableau.piles[card[0]].count(card)
        for card in needs
        if card[0] in table.tableau.piles
    }
    said_lying = count_cards(event.from_tableau or []) if event.from_tableau is not None else lies
    missing = [
        card
        for card, count in needs.items()
        for _ in range(count - held.get(card, 0) - min(lies.get(card, 0), said_lying.get(card, 0)))
    ]
    absent = [
        card
        for card, count in count_cards(event.from_tableau or []).items()
        if count > min(needs.get(card, 0), lies.get(card, 0))
    ]
    if absent:
        return [_not_lying(table, event, absent)]
    if missing:
        where = "in the tableau" if event.from_tableau is None else "said to be in the tableau"
        return _missing(table, event, missing, f"neither in that hand nor {where}")
    return [] if _has_hand_card(table, event) else [_no_hand_card(table, event)]


def _has_hand_card(table: Table, event: Meld) -> bool:
    if event.from_tableau is not None:
        return enough_from_hand(table, event, count_cards(event.from_tableau))
    possible = next(ways_from_tableau(table, event), None) is not None
    return possible or table.unknown_held(event.seat) > 0


def _not_lying(table: Table, event: Meld, absent: list[str]) -> Breach:
    return Breach(
        code="not-on-tableau",
        seat=event.seat,
        message=f"{seat_name(table, event.seat)} marries {list_card_names(absent)} as coming from the tableau, where"
        f" {'they do' if len(absent) > 1 else 'it does'} not lie so.",
        found=list_cards(absent),
    )


def _no_hand_card(table: Table, event: Meld) -> Breach:
    return Breach(
        code="marriage-without-hand-card",
        seat=event.seat,
        message=f"{seat_name(table, event.seat)} marries cards of the tableau only; a card must come from the hand.",
        found=list_cards(event.cards),
    )


def _points(table: Table, event: Meld, points: int) -> Breach:
    return Breach(
        code="wrong-meld-points",
        seat=event.seat,
        message=f"{seat_name(table, event.seat)} claims {event.points} points for {name_in_words(event.meld)}; it is worth"
        f" {points}.",
        expected=str(points),
        found=str(event.points),
        pointer="/points",
    )
