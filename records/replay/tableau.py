"""Zetema's turn: draw up, combine, discard to the piles (laws Z2 to Z5, rulings A-31 to A-38)."""

from collections.abc import Iterator
from itertools import product

from records.cards import FACE_OF
from records.events import Discard, Draw, Meld
from records.replay.holding import counted, pull
from records.replay.table import COMBINE, DISCARD, DRAW, OVER, Table
from records.rules import vocabulary as v

FromTableau = dict[str, int]
"""How many copies of each card of a set of marriages come from the tableau."""


def full_hand(table: Table) -> int:
    """How many cards a turn draws up to."""
    tableau = table.book.sheet.tableau
    return tableau.draw_up_to[table.seats] if tableau else 0


def begin_turn(table: Table, seat: int) -> None:
    """The next seat that has cards, or may draw some, begins its turn (A-35)."""
    for step in range(table.seats):
        table.seat = (seat + step) % table.seats
        if table.down or table.hand_count(table.seat):
            break
    else:
        table.step = OVER
        return
    missing = max(0, full_hand(table) - table.hand_count(table.seat))
    if missing and not table.down:
        table.phase = table.book.phases[-1]
    table.melds_left = table.phase.melds
    table.bound, table.chain = None, False
    table.due = (table.seat,) * min(missing, table.down)
    table.step = DRAW
    if not table.due:
        drawn_up(table)


def drawn_up(table: Table) -> None:
    """The hand is full: the seat may combine, where the phase has that, and discards."""
    combines = table.phase.combines
    table.step = COMBINE if combines else DISCARD
    table.window = table.seat if combines else None


def combine(table: Table, event: Meld) -> None:
    """A combination is scored; the cards of marriages leave the game and end the turn."""
    seat, row = event.seat, combination(table, event)
    _forget_zetemas(table)
    if event.meld == "marriages":
        _marry(table, event)
    table.melds_left -= 1
    table.window = None
    points = combination_points(table, row, event.cards) if row else 0
    table.state(f"meld {event.meld}", event.points, points)
    if row is not None:
        table.award(seat, "meld", points, row.name)
        _stop_if_won(table)
    if table.step == OVER:
        return
    if event.meld == "marriages":
        begin_turn(table, seat + 1)
    else:
        table.step, table.bound = DISCARD, tuple(event.cards)


def combination(table: Table, event: Meld) -> v.Meld | None:
    """The combination that these cards form under this name, if they do."""
    return table.book.combination(full_hand(table), event.meld, tuple(event.cards))


def combination_points(table: Table, row: v.Meld, cards: list[str]) -> int:
    """A combination's points, with the extra for marriages of the doubled suit (A-41)."""
    tableau = table.book.sheet.tableau
    pairs = len(cards) // 2
    if tableau is None or row.name != "marriages" or pairs >= tableau.imperial_below:
        return row.points
    doubled = sum(card[1] in table.book.sheet.pack.doubled_suits for card in cards) // 2
    return row.points + doubled * tableau.imperial_points


def _marry(table: Table, event: Meld) -> None:
    held = table.held[event.seat]
    taken = from_tableau(table, event)
    for card, count in counted(event.cards).items():
        for _ in range(taken.get(card, 0)):
            _lift(table, card)
        for _ in range(count - taken.get(card, 0)):
            if not held.get(card):
                pull(table, event.seat, card)
            held[card] -= 1
            if not held[card]:
                del held[card]
    table.out += event.cards


def _lift(table: Table, card: str) -> None:
    pile = table.tableau[card[0]]
    if card in pile:
        pile.remove(card)
    else:
        alike = next((other for other in pile if FACE_OF[other] == FACE_OF[card]), None)
        if alike is not None:
            pile.remove(alike)


def from_tableau(table: Table, event: Meld) -> FromTableau:
    """Which cards of marriages come from the tableau: as said, or the way that fits what follows."""
    if event.from_tableau is not None:
        return counted(event.from_tableau)
    ways = list(ways_from_tableau(table, event))
    if len(ways) > 1:
        ways.sort(key=lambda way: _contradictions(table, event, way))
    return ways[0] if ways else {}


def ways_from_tableau(table: Table, event: Meld) -> Iterator[FromTableau]:
    """Every way to take the cards of marriages from hand and tableau, from the hand first."""
    held, unknown = table.held[event.seat], table.unknown_held(event.seat)
    needs = counted(event.cards)
    short = {card: max(0, count - held.get(card, 0)) for card, count in needs.items()}
    ranges = []
    for card, count in needs.items():
        lies = table.tableau.get(card[0], []).count(card)
        ranges.append(range(max(0, short[card] - unknown), min(count, lies) + 1))
    for numbers in product(*ranges):
        way = {card: number for card, number in zip(needs, numbers, strict=True) if number}
        drawn_on = sum(max(0, short[card] - way.get(card, 0)) for card in needs)
        if drawn_on <= unknown and enough_from_hand(table, event, way):
            yield way


def stock_is_unsure(table: Table) -> bool:
    """Whether nobody knows how many cards are left to draw: where marriages came from is not written."""
    return table.plays_only or (
        table.partial
        and any(
            isinstance(event, Meld) and event.meld == "marriages" and event.from_tableau is None
            for event in table.events[: table.index]
        )
    )


def enough_from_hand(table: Table, event: Meld, way: FromTableau) -> bool:
    """Whether the hand gives a card of the marriages: one in all, or by the option one a pair (A-38)."""
    tableau = table.book.sheet.tableau
    from_hand = len(event.cards) - sum(way.values())
    if tableau is None or tableau.marriage_hand_cards is v.HandCards.ONE:
        return from_hand >= 1
    lying: dict[str, int] = {}
    for suit in "SHDC":
        for rank in "KQ":
            lying[rank + suit] = sum(n for card, n in way.items() if FACE_OF[card] == rank + suit)
    pairs = {suit: sum(FACE_OF[card] == "K" + suit for card in event.cards) for suit in "SHDC"}
    return all(lying["K" + suit] + lying["Q" + suit] <= pairs[suit] for suit in "SHDC")


class _Hand:
    """The hand that one way leaves to the seat, followed through what the record tells later."""

    def __init__(self, table: Table, event: Meld, way: FromTableau) -> None:
        self.table, self.seat, self.married = table, event.seat, event.cards
        self.full, self.down, self.partial = full_hand(table), table.down, table.partial
        self.cards = dict(table.held[event.seat])
        self.unknown = table.unknown_held(event.seat)
        self.begins_turn = True
        for card, count in counted(event.cards).items():
            self.cards[card] = self.cards.get(card, 0) - (count - way.get(card, 0))

    def allows(self, later: object) -> bool:
        """Whether an event can be, as far as this hand goes; the hand is then as after it."""
        if isinstance(later, Draw):
            self.down -= 1
            self.begins_turn = self.begins_turn or later.seat != self.seat
            if later.seat == self.seat:
                self.cards[later.card] = self.cards.get(later.card, 0) + 1
            return True
        if not isinstance(later, Discard | Meld):
            return True
        cards = [later.card] if isinstance(later, Discard) else later.cards
        if later.seat != self.seat:
            self.begins_turn = True
            return not any(card in self.married and self.cards.get(card, 0) > 0 for card in cards)
        return self._has_drawn_up() & self._gives(later, cards)

    def _has_drawn_up(self) -> bool:
        begins, self.begins_turn = self.begins_turn, False
        size = sum(self.cards.values()) + self.unknown
        return not begins or self.partial or self.down == 0 or size == self.full

    def _gives(self, later: Discard | Meld, cards: list[str]) -> bool:
        if isinstance(later, Meld) and later.meld == "marriages":
            return self._marries(later)
        held = all(self.cards.get(card, 0) >= count for card, count in counted(cards).items())
        if isinstance(later, Discard):
            self.cards[later.card] = self.cards.get(later.card, 0) - 1
        return held

    def _marries(self, later: Meld) -> bool:
        needs = counted(later.cards)
        held = {card: min(count, self.cards.get(card, 0)) for card, count in needs.items()}
        lies = {card: count - held[card] for card, count in needs.items()}
        if later.from_tableau is not None:
            lies = counted(later.from_tableau)
        for card, count in needs.items():
            self.cards[card] = self.cards.get(card, 0) - (count - lies.get(card, 0))
        return enough_from_hand(self.table, later, lies) and min(self.cards.values()) >= 0


def _contradictions(table: Table, event: Meld, way: FromTableau) -> int:
    """How many of the events that follow cannot be if the cards of the marriages came this way."""
    hand = _Hand(table, event, way)
    return sum(not hand.allows(later) for later in table.events[table.index + 1 :])


def discard(table: Table, event: Discard) -> None:
    """A card goes to its pile; the fifth makes a zetema, and two players then go on (A-36)."""
    seat, card = event.seat, event.card
    held = table.held[seat]
    if card not in held:
        pull(table, seat, card)
    held[card] -= 1
    if not held[card]:
        del held[card]
    table.window = None
    _forget_zetemas(table)
    completes = _to_its_pile(table, seat, card)
    if table.step == OVER:
        return
    if completes and goes_on(table, seat):
        table.step, table.bound, table.chain = DISCARD, None, True
    else:
        begin_turn(table, seat + 1)


def _forget_zetemas(table: Table) -> None:
    """A zetema is claimed directly after its discard, or not at all."""
    for seat in range(table.seats):
        table.earned.pop((seat, "zetema"), None)
        table.claimed.pop((seat, "zetema"), None)


def _to_its_pile(table: Table, seat: int, card: str) -> bool:
    """Lay a card on the pile of its rank; one that cannot be read is on none that is known."""
    pile = table.tableau.get(card[0])
    if pile is None:
        table.guessed = True
        table.out.append(card)
        return False
    pile.append(card)
    return _zetema(table, seat, card[0])


def _zetema(table: Table, seat: int, rank: str) -> bool:
    rule, pile = table.book.sheet.tableau, table.tableau[rank]
    if rule is None or len(pile) < rule.full:
        return False
    table.out += pile
    pile.clear()
    table.award(seat, "zetema", rule.zetemas[rank], rank)
    table.earned[seat, "zetema"] = rule.zetemas[rank]
    _stop_if_won(table)
    return True


def goes_on(table: Table, seat: int) -> bool:
    """Whether a zetema obliges this seat to discard again (A-36)."""
    rule = table.book.sheet.tableau
    if rule is None or table.seats != 2 or not table.hand_count(seat):
        return False
    return rule.chain is v.Chain.WHOLE_HAND or table.down == 0


def completing(table: Table, seat: int) -> list[str]:
    """The cards of a seat that would complete a pile."""
    rule = table.book.sheet.tableau
    full = rule.full if rule else 0
    return [card for card in table.held[seat] if len(table.tableau[card[0]]) == full - 1]


def _stop_if_won(table: Table) -> None:
    """Where play stops at once, the hand is over when a side has what it needs (A-40)."""
    for seats, needed in table.needed:
        if sum(table.points[seat] for seat in seats) >= needed:
            table.step = OVER
