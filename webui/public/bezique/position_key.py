"""A short text for a position, equal for equal ones."""

import hashlib
from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec

from records.engine.copies import MOVED_BIT, TRACE_NAME, Readings
from records.engine.table import Table
from records.rules.compiled import CompiledSheet, compile_sheet
from records.rules.registry import resolve_rules, sheet_key

KEY_BYTES = 12
Scored = tuple[tuple[str, int], ...]
"""The kinds of a seat's melds in the order in which they were scored, each with its number of cards."""


class Marks(NamedTuple):
    """What a table knows beyond the cards that lie there, as far as a seat sees it: which of like copies have scored.

    `held` and `melded` are the readings of the cards in hand and of those that melds are made of, by seat, empty for a seat
    whose hand is hidden; `scored` the kinds of the melds made; `turn` what else decides what may come next.
    """

    held: tuple[Readings, ...]
    melded: tuple[Readings, ...]
    scored: tuple[Scored, ...]
    turn: tuple[Any, ...]


def marks_at(table: Table, viewer: int | None) -> Marks:
    """The marks at a table, as a seat sees them; None sees all."""
    seats, melding, tableau = range(table.seats), table.melding, table.tableau
    seen = [viewer in (None, seat) for seat in seats]
    chains = [chain if seen[seat] else "" for seat, chain in enumerate(table.blanche_chains)]
    turn = (
        melding.left, table.draws_due, table.stock.turn_up_spent, tuple(table.closed_tricks), table.whole_close,
        tuple(chains), tableau.discard_from if seen[table.seat] else None, tableau.must_complete,
    )  # fmt: skip
    return Marks(
        held=tuple(tuple(table.readings[seat]) if seen[seat] else () for seat in seats),
        melded=tuple(map(tuple, melding.readings)) if table.rules.melds_captured else (),
        scored=tuple(map(tuple, melding.scored)),
        turn=turn,
    )


def position_key(position: Any, rules: Any, marks: Marks) -> str:
    """The key of a `bezique.Position` under the rules of its record."""
    resolved = resolve_rules(rules)
    compiled = compile_sheet(resolved.sheet)
    melds = [[[meld.meld, _faces(meld.cards)] for meld in seat] for seat in position.melds]
    content = [
        [sheet_key(rules), resolved.sheet.edition, resolved.changed],
        [position.viewer, position.step, position.seat, position.may_meld, position.trump, position.stock],
        [list(map(_faces, position.hands)), list(map(sorted, melds)), list(map(_faces, position.captured))],
        [position.turn_up and position.turn_up[:2], [[seat, card[:2]] for seat, card in position.trick]],
        [position.points, position.won, position.brisques],
        {rank: [card[:2] for card in pile] for rank, pile in position.tableau.items()},
        [_readings(each, compiled, scored) for each, scored in zip((*marks.held, *marks.melded), 2 * marks.scored, strict=False)],
        [sorted(scored) for scored in marks.scored],
        marks.turn,
    ]  # fmt: skip
    text = msgspec.json.encode(content, order="deterministic")
    return hashlib.blake2b(text, digest_size=KEY_BYTES).hexdigest()


def _faces(cards: Iterable[str]) -> list[str]:
    return sorted(card[:2] for card in cards)


def _readings(readings: Readings, rules: CompiledSheet, scored: Scored) -> list[Any]:
    """Readings in an order of their own, without labels, each mark in words."""
    return sorted(
        sorted([_name(card), _mark(mark, rules, scored)] for card, mark in reading)
        for reading in readings
    )


def _name(card: str) -> str:
    return card if card == TRACE_NAME else card[:2]


def _mark(mark: int, rules: CompiledSheet, scored: Scored) -> str:
    """A mark in words: its first bits as a number, then the melds by name, as the bits of kinds may change.

    A set with a bit of its own is told by its kind, and by how many of it were scored before.
    """
    kinds = mark >> rules.first_set_bit
    own = [
        f"{kind} {[each for each, _ in scored[:number]].count(kind)}"
        for number, (kind, _) in enumerate(scored)
        if kinds >> number & 1
    ]
    above = -2 * MOVED_BIT
    named = [name for name, bits in rules.meld_bits.items() if bits & mark & above]
    return ", ".join([str(mark & ~above), *sorted(named), *sorted(own)])
