"""A snapshot of the table that does not change: what each seat has, and where like cards leave that open."""

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from records.cards import SUITS
from records.engine.copies.placement import CopyBoundsByMeld, locate_copies
from records.engine.copies.readings import laid_bounds
from records.engine.table import Table, TableStep

HAND_SUIT_ORDER = {suit: i for i, suit in enumerate("SHCD")}

CopyBounds = Mapping[str, tuple[int, int]]
"""The least and the largest number of copies of each card that lie on the table."""


class LaidCard(msgspec.Struct, frozen=True):
    """A card on the table before a seat: the number and name of the meld that laid it there.

    `sure` is false where an unlabelled copy may as well be in the hand, or, `elsewhere`, in another meld.
    """

    card: str
    group: int
    meld: str
    sure: bool
    elsewhere: bool = False


class SeatSnapshot(msgspec.Struct):
    """One seat: its cards, and what it has won so far (`won` cards, of which `brisques`).

    `captured` are the cards won where they lie face up and make the melds. `unsure` are the cards that lie in the
    hand or on the table, `between` those that lie in one meld or another.
    """

    hand: list[str]
    laid: list[LaidCard]
    unsure: list[str]
    between: list[str]
    captured: list[str]
    hidden: int
    won: int
    brisques: int
    tricks: int
    points: int


class TableSnapshot(msgspec.Struct):
    """A snapshot of the table, ready for JSON.

    `tableau` are Zetema's piles by rank and `out` the cards that have left the game.
    """

    phase: str
    step: str
    seat: int | None
    window: int | None
    trump: str | None
    turn_up: str | None
    stock: int
    trick: list[tuple[int, str]]
    taken: list[tuple[int, str]]
    tricks: int
    scores: list[int]
    seats: list[SeatSnapshot]
    tableau: dict[str, list[str]]
    out: list[str]


def snapshot_of(table: Table) -> TableSnapshot:
    """A snapshot of the table that stays as it is."""
    may_meld = table.step is not TableStep.OVER or table.rules.melds_captured
    return TableSnapshot(
        phase=table.phase.name,
        step=table.step.name.lower(),
        seat=None if table.step is TableStep.OVER else table.seat,
        window=table.melding.seat if table.phase.declares and may_meld else None,
        trump=table.trump,
        turn_up=table.stock.turn_up,
        stock=table.stock.left,
        trick=[(table.trick.leader, table.trick.led)]
        if table.step is TableStep.REPLY and table.trick.led
        else [],
        taken=table.last_trick(),
        tricks=table.tricks,
        scores=list(table.points),
        seats=[_seat_snapshot(table, seat) for seat in range(table.seats)],
        tableau={rank: list(pile) for rank, pile in table.tableau.piles.items()},
        out=[*table.tableau.removed, *table.tableau.unranked],
    )


def _seat_snapshot(table: Table, seat: int) -> SeatSnapshot:
    held, bounds = table.held[seat], laid_bounds(table.readings[seat])
    captures = table.rules.melds_captured
    laid_counts = {card: (n, n) for card, n in table.captured[seat].items()} if captures else bounds
    open_melds = _open_melds(table, seat, laid_counts)
    ranked = sorted(held, key=lambda card: _hand_key(card, table.rules.strength.get(card, 0)))
    return SeatSnapshot(
        hand=[card for card in ranked for _ in range(held[card] - bounds.get(card, (0, 0))[1])],
        laid=_laid_cards(table.melding.laid[seat], laid_counts, open_melds),
        unsure=[
            card
            for card in ranked
            for least, most in [bounds.get(card, (0, 0))]
            for _ in range(most - least)
        ],
        between=[
            card
            for card, melds in open_melds.items()
            for _ in range(laid_counts[card][1] - sum([least for least, _ in melds.values()]))
        ],
        captured=list(table.won[seat]) if captures else [],
        hidden=table.unknown_held(seat),
        won=len(table.won[seat]),
        brisques=table.brisques[seat],
        tricks=table.tricks_won[seat],
        points=table.points[seat],
    )


def _open_melds(table: Table, seat: int, laid_counts: CopyBounds) -> dict[str, CopyBoundsByMeld]:
    """The cards of which the readings leave open in which meld they lie, where kinds of meld mark them."""
    readings, rules = table.readings[seat], table.rules
    if len(readings) == 1 or rules.melds_captured or rules.counts_sets:
        return {}
    places_by_card: dict[str, list[tuple[int, int]]] = {}
    for group, meld, card in table.melding.laid[seat]:
        places_by_card.setdefault(card, []).append((group, rules.meld_bits.get(meld, 0)))
    found = {
        card: locate_copies(readings, card, places)
        for card, places in places_by_card.items()
        for least, most in [laid_counts.get(card, (0, 0))]
        if len(places) > most == least > 0
    }
    return {card: melds for card, melds in found.items() if any(a != b for a, b in melds.values())}


def _laid_cards(
    laid: Sequence[tuple[int, str, str]],
    laid_counts: CopyBounds,
    open_melds: Mapping[str, CopyBoundsByMeld],
) -> list[LaidCard]:
    """The laid cards, each in its newest meld: a card that is melded again moves there."""
    shown: list[LaidCard] = []
    left = {card: most for card, (_, most) in laid_counts.items()}
    placed: Counter[tuple[str, int]] = Counter()
    for group, meld, card in reversed(laid):
        if card in open_melds:
            least, most_here = open_melds[card].get(group, (0, 0))
            if placed[card, group] < most_here:
                here = placed[card, group] < least
                shown.append(LaidCard(card, group, meld, here, elsewhere=not here))
                placed[card, group] += 1
        elif left.get(card, 0) > 0:
            least, most = laid_counts[card]
            shown.append(LaidCard(card, group, meld, most - left[card] < least))
            left[card] -= 1
    return shown[::-1]


def _hand_key(card: str, strength: int) -> tuple[int, int, str]:
    return HAND_SUIT_ORDER.get(card[1], len(SUITS)), -strength, card
