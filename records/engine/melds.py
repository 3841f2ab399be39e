"""Melds: laid, scored, and kept in the readings (laws C5, C7, C10, C11)."""

from records.cards import SUITS, is_unknown
from records.engine.copies.history import left_open
from records.engine.copies.marks import Readings
from records.engine.copies.readings import after_fresh_meld, after_meld, anything
from records.engine.copies.reuse import bit_of, rule_of, superseded
from records.engine.hidden_cards import blur, may_be, narrow_pool, pull, trumps_unknown
from records.engine.table import Table, Undo
from records.events import MELD_NAMES, Declare, Meld
from records.rules import vocabulary as v

MELD_CLAIMS = {name: f"meld {name}" for name in MELD_NAMES}
"""What a report calls the points claimed for a meld."""


def meld(table: Table, event: Meld) -> None:
    """Cards are laid and scored; cards that form no such meld score nothing."""
    seat = event.seat
    readings_before, laid, trump = table.pool_readings[seat], len(table.laid[seat]), table.trump
    _pull_missing(table, seat, event.cards)
    if table.pulled[seat]:
        table.melded = None
    row = meld_row(table, event)
    table.state(MELD_CLAIMS[event.meld], event.points, row.points if row else 0)
    scored = table.scored[seat]
    if row is None:
        table.undo = Undo(seat, table.tricks, readings_before, len(scored), laid, 0, trump, 0)
        _lay(table, seat, event.meld, event.cards, bit=0)
        return
    readings = melded(table, event, row)
    table.melded = None
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
        table.set_trump(event.cards[0][1].replace("?", "") or None)
    before = readings_before, len(scored) - 1, laid
    table.undo = Undo(seat, table.tricks, *before, row.points, trump, 1)


def meld_plainly(table: Table, event: Meld) -> bool:
    """Score a meld, if nothing about it needs a second look."""
    seat, cards, name, book = event.seat, event.cards, event.meld, table.book
    row = book.row(table.trump, name, tuple(cards))
    marked, held = table.marked[seat], table.held[seat]
    if row is None or event.points != row.points:
        return False
    if seat != table.window or table.melds_left < 1 or row.kind in book.makes_trumps:
        return False
    for card in cards:
        if card not in held or held[card] < cards.count(card):
            return False
    before, laid, scored = table.readings[seat], table.laid[seat], table.scored[seat]
    if marked.isdisjoint(cards):
        table.readings[seat] = after_fresh_meld(before, cards, held, bit_of(row, book, scored))
        table.marked[seat] = marked.union(cards)
    elif readings := melded(table, event, row):
        narrow_pool(table, seat, readings)
        table.melded = None
    else:
        return False
    trick, trump = table.tricks, table.trump
    table.undo = Undo(seat, trick, before, len(scored), len(laid), row.points, trump, 1)
    scored.append((row.kind, len(cards)))
    group = laid[-1][0] + 1 if laid else 1
    laid += [(group, name, card) for card in cards]
    table.melds_left -= 1
    table.award(seat, "meld", row.points, row.name)
    table.stated.append((table.index, MELD_CLAIMS[name], row.points, row.points))
    return True


def melded(table: Table, event: Meld, row: v.Meld) -> Readings:
    """The readings in which the sheet's reuse rule allows this meld, with the meld made."""
    if table.melded is event:
        return table.melded_readings
    seat, cards = event.seat, event.cards
    scored, before = table.scored[seat], table.pool_readings[seat]
    bit = bit_of(row, table.book, scored)
    if table.pool_marked[seat].isdisjoint(cards) and not table.book.captures:
        after = after_fresh_meld(before, cards, table.pool[seat], bit)
    else:
        after = after_meld(
            before,
            cards,
            table.pool[seat],
            rule_of(row, table.book, scored),
            bit,
            supersedes=superseded(row, table.book, scored),
        )
    table.capped = table.capped or left_open(after)
    table.melded, table.melded_readings = event, after
    return after


def _pull_missing(table: Table, seat: int, cards: list[str]) -> None:
    held = table.held[seat]
    if table.book.captures or not (table.hidden[seat] or "?" in "".join(cards)):
        return
    for card in dict.fromkeys(cards):
        if is_unknown(card):
            blur(table, seat, card)
            continue
        for _ in range(cards.count(card) - held.get(card, 0)):
            pull(table, seat, card)


def _show(table: Table, seat: int, name: str, cards: list[str]) -> None:
    laid = table.laid[seat]
    group = laid[-1][0] + 1 if laid else 1
    laid += [(group, name, card) for card in cards]


def _lay(table: Table, seat: int, name: str, cards: list[str], *, bit: int) -> None:
    readings = after_meld(table.pool_readings[seat], cards, table.pool[seat], anything, bit)
    narrow_pool(table, seat, readings)
    _show(table, seat, name, cards)


def meld_row(table: Table, event: Meld | Declare) -> v.Meld | None:
    """The meld of the sheet that these cards form under this name, if they do."""
    cards = tuple(event.cards)
    row = table.book.row(table.trump, event.meld, cards)
    if table.guessed and trumps_unknown(table):
        return _row_that_may_be(table, event)
    if row is None and "?" in "".join(cards):
        return _row_that_may_be(table, event)
    return row


def _row_that_may_be(table: Table, event: Meld | Declare) -> v.Meld | None:
    """A meld that the cards may form, as far as they and the trumps are known; the one claimed if any."""
    trumps = SUITS if trumps_unknown(table) else (table.trump,)
    rows = {
        row
        for trump in trumps
        for faces, found in table.book.melds(trump).items()
        for row in found
        if row.name == event.meld and len(faces) == len(event.cards) and may_be(event.cards, faces)
    }
    claimed = event.points if isinstance(event, Meld) else None
    return min(rows, key=lambda row: (row.points != claimed, row.points), default=None)


def declare(table: Table, event: Declare) -> None:
    """Cards are laid and not scored."""
    seat = event.seat
    before = table.pool_readings[seat], len(table.scored[seat]), len(table.laid[seat])
    table.undo = Undo(seat, table.tricks, *before, 0, table.trump, 0)
    _pull_missing(table, seat, event.cards)
    _lay(table, seat, event.meld, event.cards, bit=0)
