"""What a seat holds: the readings narrowed, a card shown from among the unknown ones."""

from records.cards import covers
from records.replay.readings import CAP, Readings, after_leaving
from records.replay.table import Table


def leave(table: Table, seat: int, card: str, count: int, *, where: str | None = None) -> None:
    """Keep the readings in which a copy may leave from there; if there is none, from anywhere."""
    readings, forget, trace = table.readings[seat], table.book.forgets, table.book.traces
    left = after_leaving(readings, card, count, where=where, forget=forget, trace=trace)
    if not left:
        table.lost = table.lost or table.capped
        left = after_leaving(readings, card, count, forget=forget, trace=trace)
    narrow(table, seat, left)


def narrow(table: Table, seat: int, readings: Readings) -> None:
    """Keep these readings, unless there is none, and no more than can be followed."""
    if readings:
        table.set_readings(seat, _followed(table, readings))


def _followed(table: Table, readings: Readings) -> Readings:
    """At most CAP readings, taken from all over: any one that survives shows that the record is lawful."""
    if len(readings) <= CAP:
        return readings
    table.capped = True
    return tuple(sorted(readings)[:: -(-len(readings) // CAP)])


def narrow_pool(table: Table, seat: int, readings: Readings) -> None:
    """The same for the cards a seat melds from."""
    if readings:
        table.set_pool(seat, _followed(table, readings))


def pull(table: Table, seat: int, card: str) -> int:
    """Show a card from among a seat's unknown ones; returns how many copies it then holds."""
    held = table.held[seat]
    table.pulled[seat].append(card)
    table.guessed = True
    held[card] = held.get(card, 0) + 1
    if card in table.unseen:
        table.unseen[card] -= 1
    return held[card]


def can_pull(table: Table, seat: int, cards: list[str], *, drawn: int = 0) -> bool:
    """Whether these cards can all be among a seat's unknown ones, beside those already shown.

    `drawn` counts cards that the seat should have drawn by now and that the record does not write.
    """
    tokens = [*table.hidden[seat], *["??"] * drawn]
    wanted = [*table.pulled[seat], *cards]
    if len(wanted) > len(tokens):
        return False
    owner: dict[int, int] = {}
    return all(_match(tokens, wanted, i, owner, set()) for i in range(len(wanted)))


def _match(
    tokens: list[str], wanted: list[str], card: int, owner: dict[int, int], tried: set[int]
) -> bool:
    for i, token in enumerate(tokens):
        if i in tried or not (covers(token, wanted[card]) or covers(wanted[card], token)):
            continue
        tried.add(i)
        if i not in owner or _match(tokens, wanted, owner[i], owner, tried):
            owner[i] = card
            return True
    return False
