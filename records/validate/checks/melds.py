"""Checks of a meld: whose turn it is, how many are allowed, which cards it has, and whether they may score."""

from collections.abc import Sequence

from records.cards import cards_missing, count_cards, sorted_faces
from records.engine.hidden_cards import may_have_captured, may_hold
from records.engine.melds import (
    find_meld_rule,
    is_reuse_open,
    may_have_married_before,
    readings_with_meld,
)
from records.engine.table import Table, TableStep
from records.events import Declare, Meld
from records.phrases import list_cards, name_cards, name_meld
from records.rules.english.vocabulary_phrases import meld_limit_words
from records.rules.vocabulary import MeldRule, Pending
from records.validate.breach import Breach, Breaches, breach_by, not_in_pack, seat_name
from records.validate.checks.meld_reuse import reuse_breach


def check_meld(table: Table, event: Meld) -> Breaches | None:
    """Everything that can be wrong with a meld that is scored."""
    seat, row, held = event.seat, find_meld_rule(table, event), table.melding.cards[event.seat]
    in_window = table.melding.seat == seat and table.melding.left > 0
    if (
        row is not None
        and in_window
        and _holds(held, event.cards)
        and (readings_with_meld(table, event, row) or table.tracking.incomplete)
    ):
        return None
    breaches = [*_window(table, event), *_limit(table, event)]
    holding = _holding(table, event)
    breaches += holding
    if row is None:
        breaches.append(_wrong_cards(table, event))
    elif not holding and (table.melding.seat == seat or not table.rules.melds_captured):
        breaches += _reuse(table, event, row)
    return tuple(breaches) or None


def _holds(held: dict[str, int], cards: list[str]) -> bool:
    # Counting a card in the list takes long, so it is done only where there may be too few copies.
    for card in cards:
        if card not in held or (held[card] < len(cards) and held[card] < cards.count(card)):
            return False
    return True


def check_declare(table: Table, event: Declare) -> Breaches | None:
    """Everything that can be wrong with a meld that is shown and not scored."""
    breaches = [*_window(table, event), *_holding(table, event)]
    if table.rules.sheet.pending is Pending.YES:
        breaches += _closed(table, event)
    else:
        breaches.append(_not_pending(table, event))
    if find_meld_rule(table, event) is None:
        breaches.append(_wrong_cards(table, event))
    return tuple(breaches) or None


def _not_pending(table: Table, event: Declare) -> Breach:
    meld = name_meld(event.meld)
    return breach_by(table, event.seat, "no-pending-melds", meld=meld, found=event.meld)


def _meld_and_cards(event: Meld | Declare) -> str:
    return f"{event.meld} {list_cards(event.cards)}"


def _window(table: Table, event: Meld | Declare) -> list[Breach]:
    if table.step is TableStep.OVER and not table.rules.melds_captured:
        return [_outside(table, event, "over")]
    if table.melding.seat is None:
        time = "draw" if table.phase.draws else "lead"
        return [_outside(table, event, "first" if _is_first_trick(table) else time)]
    if event.seat == table.melding.seat:
        return []
    return [
        breach_by(
            table,
            event.seat,
            "meld-by-loser",
            winner=seat_name(table, table.melding.seat),
            expected=f"seat {table.melding.seat}",
            found=f"seat {event.seat}",
        )
    ]


def _is_first_trick(table: Table) -> bool:
    """Whether no trick was completed; before a position some were, unless its cards are still the whole pack."""
    lying = table.stock.with_turn_up + (table.trick.led is not None)
    held = sum([table.hand_count(seat) for seat in range(table.seats)])
    return not table.tricks and held + lying == table.rules.pack_size


def _outside(table: Table, event: Meld | Declare, clause: str) -> Breach:
    found = _meld_and_cards(event)
    return breach_by(table, event.seat, "meld-out-of-window", clause=clause, found=found)


def _limit(table: Table, event: Meld) -> list[Breach]:
    if table.melding.left > 0 or table.melding.seat is None:
        return []
    if table.phase.melds == 0:
        return _closed(table, event)
    allowed = meld_limit_words(table.phase.melds)
    return [
        breach_by(
            table,
            event.seat,
            "too-many-melds",
            clause="trick",
            meld=name_meld(event.meld),
            allowed=allowed,
            expected=allowed,
            found=_meld_and_cards(event),
        )
    ]


def _closed(table: Table, event: Meld | Declare) -> list[Breach]:
    if table.phase.melds or table.melding.seat is None:
        return []
    meld, found = name_meld(event.meld), _meld_and_cards(event)
    return [breach_by(table, event.seat, "meld-after-close", meld=meld, found=found)]


def _holding(table: Table, event: Meld | Declare) -> list[Breach]:
    held, captured = table.melding.cards[event.seat], table.rules.melds_captured
    missing = cards_missing(count_cards(event.cards), held)
    act = "meld" if isinstance(event, Meld) else "show"
    if beyond := not_in_pack(table, event.seat, missing, act):
        return beyond
    may = may_have_captured if captured else may_hold
    if not missing or may(table, event.seat, missing):
        return []
    return [
        breach_by(
            table,
            event.seat,
            "meld-card-not-held",
            clause="captured" if captured else "held",
            meld=name_meld(event.meld),
            cards=name_cards(missing),
            expected=f"cards among {list_cards(sorted(held))}",
            found=list_cards(event.cards),
        )
    ]


def _wrong_cards(table: Table, event: Meld | Declare) -> Breach:
    formed = table.rules.melds(table.trump).get(sorted_faces(event.cards), ())
    rows = [row for row in table.rules.sheet.melds if row.name == event.meld]
    if not rows:
        return breach_by(
            table,
            event.seat,
            "meld-not-in-rules",
            meld=name_meld(event.meld),
            found=event.meld,
            candidates=tuple(row.name for row in formed),
        )
    return wrong_cards_breach(
        table, event, formed, expected=" or ".join(dict.fromkeys(row.words for row in rows))
    )


def wrong_cards_breach(
    table: Table,
    event: Meld | Declare,
    formed: Sequence[MeldRule],
    *,
    expected: str | None = None,
) -> Breach:
    """The breach of a meld whose cards form other melds, `formed`, or none."""
    cards = list_cards(event.cards)
    return breach_by(
        table,
        event.seat,
        "wrong-cards-for-meld",
        clause="other" if formed else "no-meld",
        cards=cards,
        meld=name_meld(event.meld),
        formed=name_meld(formed[0].name) if formed else "",
        expected=expected,
        found=cards,
        candidates=tuple(row.name for row in formed),
    )


def _reuse(table: Table, event: Meld, row: MeldRule) -> list[Breach]:
    if table.tracking.incomplete or _may_be_other_copies(table, event):
        return []
    if readings_with_meld(table, event, row) or may_have_married_before(table, event.seat, row):
        return []
    return [reuse_breach(table, event, row)]


def _may_be_other_copies(table: Table, event: Meld) -> bool:
    """Whether an unknown card, or an unknown meld, may make legal what the known ones forbid."""
    if "?" in "".join(event.cards):
        return True
    seat = event.seat
    if table.rules.melds_captured:
        if "?" in "".join(table.captured[seat]):
            return True
    elif table.hidden.given[seat]:
        return True
    return is_reuse_open(table, seat)
