"""Whether the hands of a deal are of a size that play can lead to."""

from records.engine.table import Table


def has_too_large_hand(table: Table) -> bool:
    """Whether a seat holds more cards than the rules deal.

    No play leads to that, and what such a hand can meld may be more than can be listed.
    """
    most = table.rules.sheet.hand[table.seats]
    return any(table.hand_count(seat) > most for seat in range(table.seats))
