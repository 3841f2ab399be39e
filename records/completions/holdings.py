"""How many copies of a card a seat holds at a position of the deal, as literals about the slots."""

from records.completions.slot_clauses import FALSE, Counter, SlotClauses
from records.completions.written_deal.deal_layout import CardMove, DealLayout


class Holdings:
    """Counts the copies that each seat has got and given, known and unknown.

    `limits` says by seat and card how many its slots can have at most, where that is fewer than the pack has.
    """

    def __init__(
        self, layout: DealLayout, clauses: SlotClauses, limits: dict[tuple[int, str], int]
    ) -> None:
        self._layout, self._clauses, self._limits = layout, clauses, limits
        self._gains = [_unknown(moves) for moves in layout.gained]
        self._losses = [_unknown(moves) for moves in layout.given]
        self._counters: dict[tuple[int, str, bool], Counter] = {}
        self._balances = [_Balances(layout, seat) for seat in range(layout.seats)]
        self._known: dict[tuple[int, str, int, int, int], int] = {}

    def at_least(self, seat: int, card: str, position: int, number: int) -> int:
        """The literal that says that a seat holds so many copies right before a position."""
        need = number - self._balances[seat].before(card, position)
        gained = _count_before(self._gains[seat], position)
        lost = _count_before(self._losses[seat], position)
        asked = seat, card, gained, lost, need
        if asked not in self._known:
            self._known[asked] = self._at_least(*asked)
        return self._known[asked]

    def gained_before(self, seat: int, card: str, position: int) -> tuple[int, ...]:
        """Literals that say that one, two and more slots of a seat have brought it this card before a position."""
        gained = _count_before(self._gains[seat], position)
        counter, found = self._counter(seat, card, gains=True), list[int]()
        while (literal := counter.reached(gained, len(found) + 1)) != FALSE:
            found.append(literal)
        return tuple(found)

    def _at_least(self, seat: int, card: str, gained: int, lost: int, need: int) -> int:
        """At least `need` more of the first cards gained than of the first cards lost."""
        gains = self._counter(seat, card, gains=True)
        losses = self._counter(seat, card, gains=False)
        if losses.reached(lost, 1) == FALSE:
            return gains.reached(gained, need)
        clauses = self._clauses
        found = clauses.new_variable()
        for number in range(lost + 1):
            given = losses.reached(lost, number)
            if given == FALSE:
                break
            enough = gains.reached(gained, need + number)
            clauses.add(-found, -given, enough)
            clauses.add(found, -enough, losses.reached(lost, number + 1))
        return found

    def _counter(self, seat: int, card: str, *, gains: bool) -> Counter:
        key = seat, card, gains
        if key not in self._counters:
            moves = self._gains[seat] if gains else self._losses[seat]
            literals = [self._clauses.is_card(slot, card) for _, slot in moves]
            # A card that leaves may be a known one, so only the pack limits how many do.
            most = len(literals)
            if gains:
                copies = max(0, self._layout.copies.get(card, 0))
                most = min(copies, self._limits.get((seat, card), copies))
            self._counters[key] = Counter(self._clauses, literals, most)
        return self._counters[key]


class _Balances:
    """The known cards of a seat: how many more copies it has got than given before a position."""

    def __init__(self, layout: DealLayout, seat: int) -> None:
        self._start = layout.held[seat]
        self._changes: dict[str, list[tuple[int, int]]] = {}
        for moves, sign in ((layout.gained[seat], 1), (layout.given[seat], -1)):
            for position, card in moves:
                if isinstance(card, str):
                    self._changes.setdefault(card, []).append((position, sign))

    def before(self, card: str, position: int) -> int:
        """Copies known to be got, less those known to be given."""
        changes = self._changes.get(card, ())
        return self._start.get(card, 0) + sum([sign for at, sign in changes if at < position])


def _unknown(moves: list[CardMove]) -> list[tuple[int, int]]:
    return [(at, card) for at, card in moves if isinstance(card, int)]


def _count_before(moves: list[tuple[int, int]], position: int) -> int:
    """How many of these moves, which are in order, come before a position."""
    low, high = 0, len(moves)
    while low < high:
        middle = (low + high) // 2
        if moves[middle][0] < position:
            low = middle + 1
        else:
            high = middle
    return low
