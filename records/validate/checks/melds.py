"""Checks of a meld: who, when, how many, which cards, and whether they may score again."""

from records.engine.hidden_cards import may_have_captured, may_hold
from records.engine.melds import find_meld_rule, readings_with_meld
from records.engine.table import Table, TableStep, sorted_faces
from records.events import Declare, Meld, Play
from records.rules.vocabulary import MeldRule, Pending
from records.validate.breach import (
    Breach,
    Breaches,
    list_card_names,
    list_cards,
    meld_limit_words,
    seat_name,
)


def check_meld(table: Table, event: Meld) -> Breaches | None:
    """Everything that can be wrong with a meld that is scored."""
    seat, row, held = event.seat, find_meld_rule(table, event), table.melding.cards[event.seat]
    in_window = table.melding.seat == seat and table.melding.left > 0
    may_be = row is not None and in_window and _holds(held, event.cards)
    if (
        may_be
        and row is not None
        and (readings_with_meld(table, event, row) or table.tracking.incomplete)
    ):
        return None
    found = [*_window(table, event), *_limit(table, event)]
    holding = _holding(table, event)
    found += holding
    if row is None:
        found.append(_wrong_cards(table, event))
    elif not holding and (table.melding.seat == seat or not table.rules.melds_captured):
        found += _reuse(table, event, row)
    return tuple(found) or None


def _holds(held: dict[str, int], cards: list[str]) -> bool:
    for card in cards:
        if card not in held or (held[card] < len(cards) and held[card] < cards.count(card)):
            return False
    return True


def check_declare(table: Table, event: Declare) -> Breaches | None:
    """Everything that can be wrong with a meld that is shown and not scored."""
    found = [*_window(table, event), *_holding(table, event)]
    if table.rules.sheet.pending is Pending.YES:
        found += _closed(table, event)
    else:
        found.append(
            Breach(
                code="no-pending-melds",
                seat=event.seat,
                message=f"{seat_name(table, event.seat)} shows a {name_in_words(event.meld)} without scoring it; this game"
                " has no such thing: a meld is scored when it is shown.",
                found=event.meld,
            )
        )
    if find_meld_rule(table, event) is None:
        found.append(_wrong_cards(table, event))
    return tuple(found) or None


def name_in_words(meld: str) -> str:
    """A meld's name as people say it."""
    return meld.replace("_", " ")


def _window(table: Table, event: Meld | Declare) -> list[Breach]:
    who = seat_name(table, event.seat)
    if table.step is TableStep.OVER and not table.rules.melds_captured:
        return [_outside(event, f"{who} melds after the deal is over.", table)]
    if table.melding.seat is None:
        when = "the draw" if table.phase.draws else "the lead"
        start = "before the first trick" if not table.tricks else f"after {when}"
        return [
            _outside(
                event,
                f"{who} melds {start}; melds come after winning a trick, before {when}.",
                table,
            )
        ]
    if event.seat != table.melding.seat:
        winner = seat_name(table, table.melding.seat)
        return [
            Breach(
                code="meld-by-loser",
                seat=event.seat,
                message=f"{who} melds, but {winner} won the trick; only the winner of a trick melds.",
                expected=f"seat {table.melding.seat}",
                found=f"seat {event.seat}",
            )
        ]
    return []


def _outside(event: Meld | Declare, message: str, table: Table) -> Breach:
    return Breach(
        code="meld-out-of-window",
        seat=event.seat,
        message=message,
        found=f"{event.meld} {list_cards(event.cards)}",
    )


def _limit(table: Table, event: Meld) -> list[Breach]:
    if table.melding.left > 0 or table.melding.seat is None:
        return []
    if table.phase.melds == 0:
        return _closed(table, event)
    who = seat_name(table, event.seat)
    allowed = meld_limit_words(table.phase.melds)
    return [
        Breach(
            code="too-many-melds",
            seat=event.seat,
            message=f"{who} scores another meld, a {name_in_words(event.meld)}; a trick won allows {allowed}.",
            expected=allowed,
            found=f"{event.meld} {list_cards(event.cards)}",
        )
    ]


def _closed(table: Table, event: Meld | Declare) -> list[Breach]:
    if table.phase.melds or table.melding.seat is None:
        return []
    return [
        Breach(
            code="meld-after-close",
            seat=event.seat,
            message=f"{seat_name(table, event.seat)} melds a {name_in_words(event.meld)} after the close; in this game"
            " nobody does.",
            found=f"{event.meld} {list_cards(event.cards)}",
        )
    ]


def _holding(table: Table, event: Meld | Declare) -> list[Breach]:
    held = table.melding.cards[event.seat]
    missing = [
        card
        for card in dict.fromkeys(event.cards)
        for _ in range(event.cards.count(card) - held.get(card, 0))
    ]
    may = may_have_captured if table.rules.melds_captured else may_hold
    if not missing or may(table, event.seat, missing):
        return []
    return [
        Breach(
            code="meld-card-not-held",
            seat=event.seat,
            message=f"{seat_name(table, event.seat)} melds a {name_in_words(event.meld)} with {list_card_names(missing)}, which"
            f" {'are' if len(missing) > 1 else 'is'} not in that hand or on that table.",
            expected=f"cards among {list_cards(sorted(held))}",
            found=list_cards(event.cards),
        )
    ]


def _wrong_cards(table: Table, event: Meld | Declare) -> Breach:
    who, shown = seat_name(table, event.seat), list_cards(event.cards)
    formed = table.rules.melds(table.trump).get(sorted_faces(event.cards), ())
    rows = [row for row in table.rules.sheet.melds if row.name == event.meld]
    if not rows:
        message = f"{who} melds a {name_in_words(event.meld)}, which this game does not have."
        return Breach(code="meld-not-in-rules", seat=event.seat, message=message, found=event.meld,
                      candidates=tuple(row.name for row in formed))  # fmt: skip
    instead = f" They form a {name_in_words(formed[0].name)}." if formed else ""
    return Breach(
        code="wrong-cards-for-meld",
        seat=event.seat,
        message=f"{who} calls {shown} a {name_in_words(event.meld)}, which they are not.{instead}",
        expected=" or ".join(dict.fromkeys(row.words for row in rows)),
        found=shown,
        candidates=tuple(row.name for row in formed),
    )


def _reuse(table: Table, event: Meld, row: MeldRule) -> list[Breach]:
    seat = event.seat
    if table.tracking.incomplete or _knows_not_all(table, event):
        return []
    if readings_with_meld(table, event, row):
        return []
    return [
        Breach(
            code="meld-reuses-cards",
            seat=seat,
            message=f"{seat_name(table, seat)} scores a {row.words} with {list_cards(event.cards)}, but whichever"
            " copies these are, some have scored in a way that this game does not let them repeat.",
            found=list_cards(event.cards),
            since=_scored_before(table, event),
        )
    ]


def _knows_not_all(table: Table, event: Meld) -> bool:
    """Whether some card the seat has, or had, was unknown: then a like copy may have served before."""
    pool = table.captured[event.seat] if table.rules.melds_captured else ()
    return bool(table.hidden.given[event.seat]) or "?" in "".join([*event.cards, *pool])


def _scored_before(table: Table, event: Meld) -> int | None:
    """The earliest meld of the class whose cards may be these; the latest that shares a card if none."""
    found, played, cards = None, set[str](), set(event.cards)
    for i in range(table.index - 1, -1, -1):
        earlier = table.events[i]
        if isinstance(earlier, Play) and earlier.seat == event.seat:
            played.add(earlier.card)
        if not isinstance(earlier, Meld) or earlier.seat != event.seat:
            continue
        shared = cards.intersection(earlier.cards)
        if found is None and shared:
            found = i
        if shared - played and _family(table, earlier) == _family(table, event):
            found = i
    return found


def _family(table: Table, event: Meld) -> str | None:
    row = table.rules.any_meld_named(event.meld)
    return None if row is None else row.family
