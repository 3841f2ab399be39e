"""Melds: laid, scored, and kept in the readings (laws C5, C7, C10, C11)."""

from records.cards import SUITS, is_unknown
from records.engine.copies.history import search_given_up
from records.engine.copies.marks import Readings
from records.engine.copies.readings import after_fresh_meld, after_meld, allow_any_copies
from records.engine.copies.reuse import mark_bits_of, reuse_rule_of, superseded_bits
from records.engine.hidden_cards import (
    blur_card,
    may_be_among,
    narrow_meld_readings,
    reveal_card,
    trumps_unknown,
)
from records.engine.table import MeldUndo, Table
from records.events import MELD_NAMES, Declare, Meld
from records.rules import vocabulary as v

MELD_CLAIM_NAMES = {name: f"meld {name}" for name in MELD_NAMES}
"""What a report calls the points claimed for a meld."""


def meld(table: Table, event: Meld) -> None:
    """Cards are laid and scored; cards that form no such meld score nothing."""
    seat = event.seat
    readings_before, laid, trump = (
        table.melding.readings[seat],
        len(table.melding.laid[seat]),
        table.trump,
    )
    _pull_missing(table, seat, event.cards)
    if table.hidden.revealed[seat]:
        table.melding.checked = None
    row = find_meld_rule(table, event)
    table.state(MELD_CLAIM_NAMES[event.meld], event.points, row.points if row else 0)
    scored = table.melding.scored[seat]
    if row is None:
        table.melding.undo = MeldUndo(
            seat, table.tricks, readings_before, len(scored), laid, 0, trump, 0
        )
        _lay(table, seat, event.meld, event.cards, bit=0)
        return
    readings = readings_with_meld(table, event, row)
    table.melding.checked = None
    if readings:
        narrow_meld_readings(table, seat, readings)
        _show(table, seat, event.meld, event.cards)
    else:
        table.tracking.exhausted = table.tracking.exhausted or table.tracking.incomplete
        _lay(table, seat, event.meld, event.cards, bit=mark_bits_of(row, table.rules, scored))
    scored.append((row.kind, len(event.cards)))
    table.melding.left -= 1
    table.award(seat, "meld", row.points, row.name)
    if table.trump is None and row.kind in table.rules.makes_trumps:
        table.set_trump(event.cards[0][1].replace("?", "") or None)
    before = readings_before, len(scored) - 1, laid
    table.melding.undo = MeldUndo(seat, table.tricks, *before, row.points, trump, 1)


def score_plain_meld(table: Table, event: Meld) -> bool:
    """Score a meld, if nothing about it needs a second look."""
    seat, cards, name, rules = event.seat, event.cards, event.meld, table.rules
    row = rules.meld_rule(table.trump, name, tuple(cards))
    marked, held = table.marked[seat], table.held[seat]
    if row is None or event.points != row.points:
        return False
    if seat != table.melding.seat or table.melding.left < 1 or row.kind in rules.makes_trumps:
        return False
    for card in cards:
        if card not in held or held[card] < cards.count(card):
            return False
    before, laid, scored = (
        table.readings[seat],
        table.melding.laid[seat],
        table.melding.scored[seat],
    )
    if marked.isdisjoint(cards):
        table.readings[seat] = after_fresh_meld(
            before, cards, held, mark_bits_of(row, rules, scored)
        )
        table.marked[seat] = marked.union(cards)
    elif readings := readings_with_meld(table, event, row):
        narrow_meld_readings(table, seat, readings)
        table.melding.checked = None
    else:
        return False
    trick, trump = table.tricks, table.trump
    table.melding.undo = MeldUndo(seat, trick, before, len(scored), len(laid), row.points, trump, 1)
    scored.append((row.kind, len(cards)))
    group = laid[-1][0] + 1 if laid else 1
    laid += [(group, name, card) for card in cards]
    table.melding.left -= 1
    table.award(seat, "meld", row.points, row.name)
    table.claims.points.append((table.index, MELD_CLAIM_NAMES[name], row.points, row.points))
    return True


def readings_with_meld(table: Table, event: Meld, row: v.MeldRule) -> Readings:
    """The readings in which the sheet's reuse rule allows this meld, with the meld made."""
    checked = table.melding.checked
    if checked is not None and checked[0] is event:
        return checked[1]
    seat, cards = event.seat, event.cards
    scored, before = table.melding.scored[seat], table.melding.readings[seat]
    bit = mark_bits_of(row, table.rules, scored)
    if table.melding.marked[seat].isdisjoint(cards) and not table.rules.melds_captured:
        after = after_fresh_meld(before, cards, table.melding.cards[seat], bit)
    else:
        after = after_meld(
            before,
            cards,
            table.melding.cards[seat],
            reuse_rule_of(row, table.rules, scored),
            bit,
            supersedes=superseded_bits(row, table.rules, scored),
        )
    table.tracking.incomplete = table.tracking.incomplete or search_given_up(after)
    table.melding.checked = event, after
    return after


def _pull_missing(table: Table, seat: int, cards: list[str]) -> None:
    held = table.held[seat]
    if table.rules.melds_captured or not (table.hidden.given[seat] or "?" in "".join(cards)):
        return
    for card in dict.fromkeys(cards):
        if is_unknown(card):
            blur_card(table, seat, card)
            continue
        for _ in range(cards.count(card) - held.get(card, 0)):
            reveal_card(table, seat, card)


def _show(table: Table, seat: int, name: str, cards: list[str]) -> None:
    laid = table.melding.laid[seat]
    group = laid[-1][0] + 1 if laid else 1
    laid += [(group, name, card) for card in cards]


def _lay(table: Table, seat: int, name: str, cards: list[str], *, bit: int) -> None:
    readings = after_meld(
        table.melding.readings[seat], cards, table.melding.cards[seat], allow_any_copies, bit
    )
    narrow_meld_readings(table, seat, readings)
    _show(table, seat, name, cards)


def find_meld_rule(table: Table, event: Meld | Declare) -> v.MeldRule | None:
    """The meld of the sheet that these cards form under this name, if they do."""
    cards = tuple(event.cards)
    row = table.rules.meld_rule(table.trump, event.meld, cards)
    if table.knowledge.uncertain and trumps_unknown(table):
        return _row_that_may_be(table, event)
    if row is None and "?" in "".join(cards):
        return _row_that_may_be(table, event)
    return row


def _row_that_may_be(table: Table, event: Meld | Declare) -> v.MeldRule | None:
    """A meld that the cards may form, as far as they and the trumps are known; the one claimed if any."""
    trumps = SUITS if trumps_unknown(table) else (table.trump,)
    rows = {
        row
        for trump in trumps
        for faces, found in table.rules.melds(trump).items()
        for row in found
        if row.name == event.meld
        and len(faces) == len(event.cards)
        and may_be_among(event.cards, faces)
    }
    claimed = event.points if isinstance(event, Meld) else None
    return min(rows, key=lambda row: (row.points != claimed, row.points), default=None)


def declare(table: Table, event: Declare) -> None:
    """Cards are laid and not scored."""
    seat = event.seat
    before = (
        table.melding.readings[seat],
        len(table.melding.scored[seat]),
        len(table.melding.laid[seat]),
    )
    table.melding.undo = MeldUndo(seat, table.tricks, *before, 0, table.trump, 0)
    _pull_missing(table, seat, event.cards)
    _lay(table, seat, event.meld, event.cards, bit=0)
