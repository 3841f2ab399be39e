"""Likely copies: the first, and mostly the only ones, to be tried where a few readings are to prove a deal legal.

They are the copies with the highest marks, which are those that scored last. By the rule that lets melds grow and be restored
(R-001), what a copy that has scored can still do, one without a mark can nearly always do, too: so the others are best
saved. Where the likely copies fail, others are tried, and in the end all readings.
"""

from records.engine.copies.marks import (
    BarringRule,
    MarkedCard,
    Reading,
    ReadingChoice,
    Readings,
    may_lie,
    reading_after_play,
)

COPIES_TO_LEAVE = 2
"""Of a card that leaves, at most so many copies are tried."""


def choose_likely_copies(
    reading: Reading,
    wanted: dict[str, int],
    held: dict[str, int],
    bars: BarringRule | None = None,
) -> tuple[MarkedCard, ...] | None:
    """The choice of the copies with the highest marks among those that no rule bars; None if these are too few."""
    binding, lifted = (0, 0) if bars is None else bars(reading)
    missing, unmarked = dict(wanted), {card: held.get(card, 0) for card in wanted}
    chosen: list[MarkedCard] = []
    # Of like copies the last has the highest mark.
    for pair in reversed(reading):
        card, mark = pair
        if card in missing:
            unmarked[card] -= 1
            if missing[card] and (not mark & binding or mark & lifted):
                missing[card] -= 1
                chosen.append(pair)
    for card, count in missing.items():
        if count > unmarked[card]:
            return None
        chosen += [(card, 0)] * count
    return tuple(chosen)


def likely_choices(
    readings: Readings,
    wanted: dict[str, int],
    held: dict[str, int],
    bars: BarringRule | None = None,
) -> list[ReadingChoice]:
    """Every reading with its likely copies, but for those that have too few."""
    choices = [(reading, choose_likely_copies(reading, wanted, held, bars)) for reading in readings]
    return [(reading, chosen) for reading, chosen in choices if chosen is not None]


def after_likely_leaving(
    readings: Readings, card: str, held: int, *, where: str | None, forget: int, trace: int
) -> Readings:
    """The readings after a copy left from there; of each, `COPIES_TO_LEAVE` copies are tried, the highest marks first.

    It repeats `readings.after_leaving`, which tries all: `tests/engine/test_likely_copies.py` compares the two.
    """
    found: dict[Reading, None] = {}
    for reading in readings:
        place, unmarked, to_try, last = len(reading), held, COPIES_TO_LEAVE, -1
        # Of like copies the last has the highest mark.
        for pair in reversed(reading):
            place -= 1
            if pair[0] == card:
                unmarked -= 1
                mark = pair[1]
                if to_try and mark != last and may_lie(mark, where):
                    rest = [*reading[:place], *reading[place + 1 :]]
                    found[reading_after_play(rest, mark, forget, trace)] = None
                    to_try, last = to_try - 1, mark
        if to_try and unmarked > 0 and where != "table":
            found[reading] = None
    return tuple(found)
