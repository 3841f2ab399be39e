"""A position played out by two simple players, cards still to be drawn shuffled: the evaluator of luck.

Both win brisques cheaply, throw what is worth least, meld the dearest meld at once. They are no good
players: the value that comes of it compares positions, and is no prediction. Where like cards are not
told apart, few of the ways to do so are followed: what they meld is lawful, now and then a meld is missed.
"""

from records.events import CarteBlanche, Dix, Draw, Meld, Play
from records.replay.apply import apply
from records.replay.legal import dixes, melds, plays
from records.replay.openings import may_show
from records.replay.table import DRAW, OVER, Table

KEEP = {"A": 5, "T": 3, "K": 4, "Q": 4, "J": 2}
"""How much a card is worth keeping, by its rank."""
FOLLOWED = 16
"""So many ways to tell like cards apart are followed; all of them take minutes a deal in six packs."""
TRUMP, BEZIQUE = 3, 2
"""How much more a trump is, and a card of bezique."""


def play_out(table: Table, stock: list[str]) -> int:
    """Seat 0's lead at the end, `stock` being the face-down cards in order. The table is used up."""
    table.order, table.down, table.cap = stock, len(stock), FOLLOWED
    while table.step != OVER or (table.book.captures and table.window is not None):
        _blanche(table)
        if table.window is not None and table.melds_left > 0:
            _meld(table)
        if table.step == OVER:
            break
        if table.step == DRAW:
            _draw(table)
        else:
            apply(table, Play(seat=table.seat, card=_chosen(table, plays(table))))
    return table.points[0] - table.points[1]


def _blanche(table: Table) -> None:
    for seat in (0, 1) if table.blanche else ():
        if may_show(table, seat):
            apply(table, CarteBlanche(seat=seat))


def _meld(table: Table) -> None:
    """Exchange or show a dix, then score what scores most."""
    seat = table.window or 0
    if table.seven is not None and table.book.sheet.dix is not None:
        for action in dixes(table)[:1]:
            apply(table, Dix(seat=seat, action=action))  # type: ignore[arg-type]
    while found := melds(table):
        row, cards = found[0]
        apply(table, Meld(seat=seat, meld=row.name, cards=cards))
    table.window = None if table.step == OVER else table.window


def _draw(table: Table) -> None:
    order = table.order or []
    for seat in table.due:
        lies = order[-table.down] if table.down else table.turn_up
        apply(table, Draw(seat=seat, card=lies or "??"))


def _chosen(table: Table, cards: list[str]) -> str:
    if len(cards) == 1:
        return cards[0]
    led = table.led
    if led is not None and led in table.book.brisques:
        takers = [card for card in cards if card in table.beaters[led]]
        cards = takers or cards
    strength, trump, bezique = table.book.strength, table.trump, ("QS", "JD")

    def worth(card: str) -> tuple[int, int, str]:
        value = KEEP.get(card[0], 0) + (TRUMP if card[1] == trump else 0)
        return value + (BEZIQUE if card[:2] in bezique else 0), strength[card], card

    return min(cards, key=worth)
