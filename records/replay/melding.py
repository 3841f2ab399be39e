"""Melds: laid, scored, and kept in the readings (laws C5, C7, C10, C11)."""

from records.events import Declare, Meld
from records.replay.holding import narrow_pool, pull
from records.replay.readings import Readings, after_fresh_meld, after_meld
from records.replay.reuse import bit_of, rule_of, superseded
from records.replay.table import Table, Undo
from records.rules import vocabulary as v


def meld(table: Table, event: Meld) -> None:
    """Cards are laid and scored; cards that form no such meld score nothing."""
    seat = event.seat
    readings_before, laid, trump = table.pool_readings[seat], len(table.laid[seat]), table.trump
    _pull_missing(table, seat, event.cards)
    if table.pulled[seat]:
        table.melded = None
    row = meld_row(table, event)
    if row is None:
        _lay(table, seat, event.meld, event.cards, bit=0)
        return
    scored = table.scored[seat]
    readings = melded(table, event, row)
    if readings:
        narrow_pool(table, seat, readings)
        _show(table, seat, event.meld, event.cards)
    else:
        table.lost = table.lost or table.capped
        _lay(table, seat, event.meld, event.cards, bit=bit_of(row, table.book, scored))
    scored.append((row.kind, len(event.cards)))
    table.melds_left -= 1
    table.award(seat, "meld", row.points, row.name)
    if table.trump is None and row.kind in table.book.makes_trumps:
        table.set_trump(event.cards[0][1])
    table.undo = Undo(seat, table.tricks, readings_before, len(scored) - 1, laid, row.points, trump)


def melded(table: Table, event: Meld, row: v.Meld) -> Readings:
    """The readings in which the sheet's reuse rule allows this meld, with the meld made."""
    if table.melded is event:
        return table.melded_readings
    seat, cards = event.seat, event.cards
    scored, before = table.scored[seat], table.pool_readings[seat]
    bit = bit_of(row, table.book, scored)
    if table.pool_marked[seat].isdisjoint(cards) and not table.book.captures:
        after = after_fresh_meld(before, cards, bit)
    else:
        after = after_meld(
            before,
            cards,
            table.pool[seat],
            rule_of(row, table.book, scored),
            bit,
            supersedes=superseded(row, table.book, scored),
        )
    table.melded, table.melded_readings = event, after
    return after


def _pull_missing(table: Table, seat: int, cards: list[str]) -> None:
    held = table.held[seat]
    if not table.hidden[seat] or table.book.captures:
        return
    for card in dict.fromkeys(cards):
        for _ in range(cards.count(card) - held.get(card, 0)):
            pull(table, seat, card)


def _show(table: Table, seat: int, name: str, cards: list[str]) -> None:
    laid = table.laid[seat]
    group = laid[-1][0] + 1 if laid else 1
    laid += [(group, name, card) for card in cards]


def _lay(table: Table, seat: int, name: str, cards: list[str], *, bit: int) -> None:
    readings = after_meld(
        table.pool_readings[seat], cards, table.pool[seat], lambda chosen, reading: True, bit
    )
    narrow_pool(table, seat, readings)
    _show(table, seat, name, cards)


def meld_row(table: Table, event: Meld | Declare) -> v.Meld | None:
    """The meld of the sheet that these cards form under this name, if they do."""
    return table.book.row(table.trump, event.meld, tuple(event.cards))


def declare(table: Table, event: Declare) -> None:
    """Cards are laid and not scored."""
    _pull_missing(table, event.seat, event.cards)
    _lay(table, event.seat, event.meld, event.cards, bit=0)
