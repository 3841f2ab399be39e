"""In which of a seat's melds a card lies that was melded more often than it has copies."""

from collections import Counter
from collections.abc import Sequence

from records.engine.copies.marks import LAID_BIT, Readings

MeldSpots = Sequence[tuple[int, int]]
"""The melds in which a card was laid, oldest first: their number, and the bit that they leave on their cards."""
CopyBoundsByMeld = dict[int, tuple[int, int]]
"""The least and the largest number of copies of a card in each meld."""


def locate_copies(readings: Readings, card: str, spots: MeldSpots) -> CopyBoundsByMeld:
    """Where the copies of a card lie, over all readings: a copy lies in the newest meld that it has served in."""
    found = [_copies_by_meld(reading, card, spots) for reading in set(readings)]
    melds = {meld for where in found for meld in where}
    return {
        meld: (min(where[meld] for where in found), max(where[meld] for where in found))
        for meld in melds
    }


def _copies_by_meld(
    reading: Sequence[tuple[str, int]], card: str, spots: MeldSpots
) -> Counter[int]:
    """How many copies of a card lie in each meld, if this reading is the right one."""
    copies = sorted([mark for name, mark in reading if name == card and mark & LAID_BIT])
    where: Counter[int] = Counter()
    all_placed: set[int] = set()
    # From the newest meld back: the first that a copy has served in is where it lies.
    for meld, bit in reversed(spots):
        if bit in all_placed:
            continue
        served = next((mark for mark in copies if mark & bit), None)
        if served is None:
            all_placed.add(bit)
        else:
            copies.remove(served)
            where[meld] += 1
    return where
