"""Checks of carte blanche and of the cut and guess (laws C14, C16)."""

from records.cards import is_unknown
from records.engine.carte_blanche import may_show_carte_blanche
from records.engine.table import Table
from records.events import CarteBlanche, Cut, Irregular
from records.validate.breach import Breach, Breaches, list_cards, seat_name


def check_carte_blanche(table: Table, event: CarteBlanche) -> Breaches | None:
    """Everything that can be wrong with a carte blanche."""
    rule = table.rules.sheet.carte_blanche
    seat, who = event.seat, seat_name(table, event.seat)
    if rule is None:
        return (_none_here(table, seat, "shows carte blanche"),)
    found = []
    courts = [card for card in table.held[seat] if card[0] in rule.courts]
    hidden = bool(table.hidden.given[seat]) or any(map(is_unknown, table.held[seat]))
    if courts:
        found.append(
            Breach(
                code="not-blank",
                seat=seat,
                message=f"{who} shows carte blanche with {list_cards(sorted(courts))} in hand.",
                expected="no king, queen or jack",
                found=list_cards(sorted(courts)),
            )
        )
    elif not hidden and not may_show_carte_blanche(table, seat):
        found.append(
            Breach(
                code="carte-blanche-too-late",
                seat=seat,
                message=f"{who} shows carte blanche when the chance is past: the hand as dealt is shown"
                " before its first card is played, and each card drawn after it before the next card.",
            )
        )
    if event.points is not None and event.points != rule.points:
        found.append(_points(table, seat, "carte blanche", event.points, rule.points))
    return tuple(found) or None


def check_cut(table: Table, event: Cut) -> Breaches | None:
    """Everything that can be wrong with the cut."""
    rule = table.rules.sheet.cut
    if rule is None:
        return (_none_here(table, event.seat, "cuts for the deal"),)
    if event.seat != table.dealer or not _is_first(table):
        return (
            Breach(
                code="cut-out-of-place",
                seat=event.seat,
                message=f"{seat_name(table, event.seat)} cuts here; the dealer cuts once, before anything else.",
                expected=f"seat {table.dealer}, first of all",
                found=f"seat {event.seat}",
            ),
        )
    cards = sum(table.rules.copies.values())
    if not 0 < event.packet < cards or (event.guess is not None and event.guess < 0):
        return (
            Breach(
                code="impossible-cut",
                seat=event.seat,
                message=f"A packet of {event.packet} cards, guessed as {event.guess}, cannot be cut from"
                f" {cards}.",
                expected=f"1 to {cards - 1}",
                found=str(event.packet),
                pointer="/packet",
            ),
        )
    return None


def _is_first(table: Table) -> bool:
    return all(isinstance(event, Irregular) for event in table.events[: table.index])


def _none_here(table: Table, seat: int, act: str) -> Breach:
    return Breach(
        code="event-not-in-rules",
        seat=seat,
        message=f"{seat_name(table, seat)} {act}; this game has no such thing.",
    )


def _points(table: Table, seat: int, what: str, claimed: int, computed: int) -> Breach:
    return Breach(
        code="wrong-score-points",
        seat=seat,
        message=f"{seat_name(table, seat)} claims {claimed} points for {what}; it is worth {computed}.",
        expected=str(computed),
        found=str(claimed),
        pointer="/points",
    )
