"""Checks of Zetema's turn: the draw, the combination, the discard (laws Z2 to Z5)."""

from typing import Any

from records.cards import cards_missing, count_cards, may_be_same
from records.engine.hidden_cards import full_hand_size
from records.engine.table import COMBINE, DISCARD, DRAW, OVER, Table
from records.engine.zetema import (
    completing_cards,
    find_combination,
    is_turn_unsure,
    may_show,
    possible_points,
    ways_of_marriages,
)
from records.events import Discard, Meld
from records.phrases import (
    list_cards,
    name_card,
    name_cards,
    name_meld,
    pluralize,
)
from records.rules.vocabulary import HandCards, MeldRule
from records.validate.breach import Breach, Breaches, breach_by, not_in_pack, seat_name
from records.validate.check_melds import missing_cards_words, wrong_cards_breach
from records.validate.check_scores import wrong_points_breach


def check_discard(table: Table, event: Discard) -> Breaches | None:
    """Everything that can be wrong with a discard."""
    tableau = table.tableau
    # Nearly every discard is legal and returns here.
    if (
        event.seat == table.seat
        and event.card in table.held[event.seat]
        and (table.step is COMBINE or table.step is DISCARD)
        and tableau.discard_from is None
        and not tableau.must_complete
    ):
        return None
    breaches = _turn(table, event)
    if table.step is OVER and not is_turn_unsure(table):
        return tuple(breaches)
    if event.card not in table.held[event.seat]:
        if beyond := not_in_pack(table, event.seat, [event.card], "discard"):
            return (*breaches, *beyond)
        if not _may_hold(table, event.seat, [event.card]):
            return (*breaches, _not_held(table, event))
    return (*breaches, *_discard_from(table, event), *_must_complete(table, event)) or None


def _may_hold(table: Table, seat: int, cards: list[str]) -> bool:
    return may_show(table, seat, cards, drawn=table.draws_due.count(seat))


def _act(event: Discard | Meld) -> dict[str, Any]:
    """What the player does, as facts of a message."""
    if isinstance(event, Discard):
        return {"clause": "discard", "card": name_card(event.card)}
    return {"clause": "combine", "meld": name_meld(event.meld)}


def _over(table: Table, event: Discard | Meld) -> Breach:
    expected = "no further event"
    return breach_by(table, event.seat, "event-after-end", expected=expected, **_act(event))


def _turn(table: Table, event: Discard | Meld) -> list[Breach]:
    """An event after the end, by another seat, or before the draws; where turns are unsure, only a sure one counts."""
    seat, unsure = event.seat, is_turn_unsure(table)
    if unsure and table.tableau.discard_from is None:
        return []
    if table.step is OVER and not unsure:
        return [_over(table, event)]
    if seat != table.seat:
        return [
            breach_by(
                table,
                seat,
                "out-of-turn",
                other=seat_name(table, table.seat),
                expected=f"seat {table.seat}",
                found=f"seat {seat}",
                **_act(event),
            )
        ]
    if table.step is DRAW and not table.knowledge.partial:
        draws, expected = pluralize(len(table.draws_due), "card"), f"a draw by seat {seat}"
        act = _act(event)
        return [breach_by(table, seat, "draw-missing", draws=draws, expected=expected, **act)]
    return []


def _not_held(table: Table, event: Discard) -> Breach:
    held = table.held[event.seat]
    return breach_by(
        table,
        event.seat,
        "card-not-held",
        expected=f"one of {list_cards(sorted(held))}",
        found=event.card,
        legal=tuple(held),
        **_act(event),
    )


def _discard_from(table: Table, event: Discard) -> list[Breach]:
    allowed = table.tableau.discard_from
    if allowed is None or event.card in allowed or event.seat != table.seat:
        return []
    if any(may_be_same(card, event.card) for card in allowed):
        return []
    cards = list_cards(allowed)
    return [
        breach_by(
            table,
            event.seat,
            "discard-not-of-combination",
            card=name_card(event.card),
            cards=cards,
            expected=f"one of {cards}",
            found=event.card,
            legal=tuple(dict.fromkeys(allowed)),
        )
    ]


def _must_complete(table: Table, event: Discard) -> list[Breach]:
    if not table.tableau.must_complete or event.seat != table.seat or is_turn_unsure(table):
        return []
    cards = completing_cards(table, event.seat)
    if not cards or event.card in cards or _may_complete(table, event.card):
        return []
    return [
        breach_by(
            table,
            event.seat,
            "must-go-on",
            card=name_card(event.card),
            cards=name_cards(cards, "or"),
            expected=f"one of {list_cards(cards)}",
            found=event.card,
            legal=tuple(cards),
        )
    ]


def _may_complete(table: Table, card: str) -> bool:
    """Whether a card may complete a pile, perhaps with discards of unknown rank, or is itself of unknown rank."""
    pile = table.tableau.piles.get(card[0])
    if pile is None:
        return True
    return len(pile) + len(table.tableau.unranked) >= table.rules.full_pile - 1


def check_combination(table: Table, event: Meld) -> Breaches | None:
    """Everything that can be wrong with a combination."""
    unsure = is_turn_unsure(table)
    breaches = _turn(table, event)
    if table.step is OVER and not unsure:
        return tuple(breaches)
    breaches += _window(table, event)
    row = find_combination(table, event)
    if row is None:
        breaches.append(_wrong_cards(table, event))
    breaches += _cards(table, event)
    if row is not None and event.points is not None:
        breaches += _points(table, event, row, event.points)
    return tuple(breaches) or None


def _window(table: Table, event: Meld) -> list[Breach]:
    if table.step is not DISCARD or event.seat != table.seat:
        return []
    if is_turn_unsure(table) and table.tableau.discard_from is None:
        return []
    meld, found = name_meld(event.meld), list_cards(event.cards)
    if table.phase.melds == 0:
        return [breach_by(table, event.seat, "meld-after-close", meld=meld, found=found)]
    return [
        breach_by(table, event.seat, "too-many-melds", clause="turn", meld=meld, found=found),
    ]


def _wrong_cards(table: Table, event: Meld) -> Breach:
    if not any(row.name == event.meld for row in table.rules.written.melds):
        meld = name_meld(event.meld)
        return breach_by(table, event.seat, "meld-not-in-rules", meld=meld, found=event.meld)
    formed = table.rules.combinations(full_hand_size(table), tuple(event.cards))
    return wrong_cards_breach(table, event, formed)


def _cards(table: Table, event: Meld) -> list[Breach]:
    if event.meld == "marriages":
        return _married(table, event)
    missing = cards_missing(count_cards(event.cards), table.held[event.seat])
    return _missing(table, event, missing, "held")


def _missing(table: Table, event: Meld, missing: list[str], clause: str) -> list[Breach]:
    if beyond := not_in_pack(table, event.seat, missing, "meld"):
        return beyond
    if not missing or _may_hold(table, event.seat, missing):
        return []
    return [
        breach_by(
            table,
            event.seat,
            "meld-card-not-held",
            clause=clause,
            meld=name_meld(event.meld),
            cards=missing_cards_words(missing, event.cards),
            found=list_cards(event.cards),
        )
    ]


def _married(table: Table, event: Meld) -> list[Breach]:
    if _is_possible(table, event):
        return []
    held, needs = table.held[event.seat], count_cards(event.cards)
    on_tableau = {card: table.tableau.piles.get(card[0], []).count(card) for card in needs}
    # A record that does not say which cards come from the tableau may have taken any that lie there.
    named = on_tableau if event.from_tableau is None else count_cards(event.from_tableau)
    missing = [
        card
        for card, count in needs.items()
        for _ in range(count - held.get(card, 0) - min(on_tableau.get(card, 0), named.get(card, 0)))
    ]
    absent = [
        card
        for card, count in count_cards(event.from_tableau or []).items()
        if count > min(needs.get(card, 0), on_tableau.get(card, 0))
    ]
    if absent:
        return [_not_on_tableau(table, event, absent)]
    clause = "tableau" if event.from_tableau is None else "named"
    return _missing(table, event, missing, clause) or [_no_hand_card(table, event)]


def _is_possible(table: Table, event: Meld) -> bool:
    """Whether there is some way for marriages to come from hand and tableau."""
    tableau = table.tableau
    if table.index in tableau.ways:
        return tableau.ways[table.index] is not None
    return tableau.ways_given_up or next(ways_of_marriages(table, event), None) is not None


def _not_on_tableau(table: Table, event: Meld, absent: list[str]) -> Breach:
    cards, found = name_cards(absent), list_cards(absent)
    return breach_by(table, event.seat, "not-on-tableau", cards=cards, found=found)


def _no_hand_card(table: Table, event: Meld) -> Breach:
    tableau = table.rules.written.tableau
    each_pair = tableau is not None and tableau.marriage_hand_cards is HandCards.EACH_PAIR
    return breach_by(
        table,
        event.seat,
        "marriage-without-hand-card",
        clause="each-pair" if each_pair else "one",
        found=list_cards(event.cards),
    )


def _points(table: Table, event: Meld, row: MeldRule, claimed: int) -> list[Breach]:
    possible = possible_points(table, event, row)
    return [] if claimed in possible else [wrong_points_breach(table, event, row, possible)]
