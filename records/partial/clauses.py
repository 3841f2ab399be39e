"""What every completion must satisfy to agree with the record, as clauses: the pack, the slots, and cards that a seat had."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from records.cards import count_cards
from records.events import Declare, Discard, Dix, Meld, Play
from records.partial.written_deal import (
    CARDS_A_STEP,
    PROPAGATIONS_A_STEP,
    VARIABLES_A_STEP,
    CardMove,
    DealLayout,
    LayoutStep,
    SearchBudget,
    SearchGivenUpError,
)

if TYPE_CHECKING:
    from pysat.solvers import Minicard


# Clauses about unknown cards: which card lies in each slot, and how many of a card lie in several.

TRUE, FALSE = 1, -1
"""The literals of a variable that is always true."""


class Solution(NamedTuple):
    """A card for every slot, and the literals that are true."""

    cards: list[str]
    true: set[int]


class SlotClauses:
    """A solver that counts; it is made when it is first needed."""

    def __init__(self, budget: SearchBudget) -> None:
        self._budget = budget
        self._variables = 1
        self._cards: list[dict[str, int]] = []

    @cached_property
    def _solver(self) -> "Minicard":
        from pysat.solvers import Minicard  # imported late: it takes time, and few records need it

        solver = Minicard()
        solver.add_clause([TRUE])
        return solver

    def new_variable(self) -> int:
        """A new variable."""
        self._variables += 1
        return self._variables

    def add(self, *clause: int) -> None:
        """At least one of these literals is true."""
        if TRUE in clause:
            return
        self._budget.spend(1)
        self._solver.add_clause(clause)

    def at_most(self, literals: Sequence[int], number: int) -> None:
        """At most so many of these are true."""
        if number < len(literals):
            self._budget.spend(1 + len(literals) // CARDS_A_STEP)
            self._solver.add_atmost(literals, number)

    def add_slot(self, domain: Sequence[str]) -> None:
        """A slot, with exactly one of these cards."""
        if len(domain) == 1:
            self._cards.append({domain[0]: TRUE})
            return
        self._budget.spend(len(domain) // CARDS_A_STEP)
        cards = {card: self.new_variable() for card in domain}
        self._cards.append(cards)
        self.add(*cards.values())
        self.at_most(list(cards.values()), 1)

    def order(self, slots: Sequence[int]) -> None:
        """Slots that are alike hold their cards in the order of the domain: any other order is the same deal."""
        for one, next_one in pairwise(slots):
            before = self._not_before(one)
            after = self._not_before(next_one)
            for mine, other in zip(before, after, strict=True):
                self.add(-mine, other)

    def _not_before(self, slot: int) -> list[int]:
        """By place in its domain, whether a slot holds this card or a later one."""
        known = self._places.get(slot)
        if known is None:
            cards = list(self._cards[slot].values())
            known = [TRUE, *[self.new_variable() for _ in cards[1:]]]
            for place, card in enumerate(cards):
                later = known[place + 1] if place + 1 < len(known) else FALSE
                self.add(-card, known[place])
                self.add(-card, -later)
                self.add(-known[place], card, *([later] if later != FALSE else []))
            self._places[slot] = known
        return known

    @cached_property
    def _places(self) -> dict[int, list[int]]:
        return {}

    def is_card(self, slot: int, card: str) -> int:
        """The literal that says that this card lies in the slot."""
        return self._cards[slot].get(card, FALSE)

    def domain(self, slot: int) -> Iterable[str]:
        """The cards that may lie in a slot."""
        return self._cards[slot]

    def any_of(self, literals: Iterable[int]) -> int:
        """The literal that says that at least one of these is true."""
        chosen = [literal for literal in dict.fromkeys(literals) if literal != FALSE]
        if TRUE in chosen:
            return TRUE
        if len(chosen) < 2:
            return chosen[0] if chosen else FALSE
        found = self.new_variable()
        self.add(-found, *chosen)
        for literal in chosen:
            self.add(-literal, found)
        return found

    def solve(self, assumed: Sequence[int] = ()) -> Solution | None:
        """One solution, if there is one; raises SearchGivenUpError if the solver gives up."""
        if FALSE in assumed:
            return None
        solver, budget = self._solver, self._budget
        budget.spend(1 + len(assumed) // VARIABLES_A_STEP)
        before = solver.accum_stats()["propagations"]
        solver.prop_budget(PROPAGATIONS_A_STEP * (budget.steps + 1))
        found = solver.solve_limited(assumptions=[a for a in assumed if a != TRUE])
        budget.spend((solver.accum_stats()["propagations"] - before) // PROPAGATIONS_A_STEP)
        if found is None:
            raise SearchGivenUpError
        if not found:
            return None
        budget.spend(self._variables // VARIABLES_A_STEP)
        true = {literal for literal in solver.get_model() if literal > 0}
        lying = [
            next(card for card, literal in cards.items() if literal in true)
            for cards in self._cards
        ]
        return Solution(lying, true)

    def close(self) -> None:
        """Free what the solver holds."""
        if "_solver" in self.__dict__:
            self._solver.delete()


class Counter:
    """How many of the first literals of a list are true: `reached(n, k)` says that k of the first n are.

    No more than `most` are ever true. The rows are made when they are asked for.
    """

    def __init__(self, clauses: SlotClauses, literals: Sequence[int], most: int) -> None:
        self._clauses, self._literals = clauses, literals
        self._most = min(most, sum(literal != FALSE for literal in literals))
        self._rows = [[TRUE] + [FALSE] * self._most]

    def reached(self, first: int, number: int) -> int:
        """The literal that says that at least so many of the first literals are true."""
        if number <= 0:
            return TRUE
        if number > self._most:
            return FALSE
        while len(self._rows) <= first:
            self._rows.append(self._next_row(self._literals[len(self._rows) - 1]))
        return self._rows[first][number]

    def _next_row(self, literal: int) -> list[int]:
        last = self._rows[-1]
        if literal == FALSE:
            return last
        return [TRUE, *[self._one_more(last, literal, k) for k in range(1, self._most + 1)]]

    def _one_more(self, last: list[int], literal: int, number: int) -> int:
        """Reached before, or reached all but one before and this one is true."""
        already, short = last[number], last[number - 1]
        if literal == TRUE or short == FALSE or already == TRUE:
            return short if literal == TRUE else already
        if already == FALSE and short == TRUE:
            return literal
        clauses = self._clauses
        found = clauses.new_variable()
        clauses.add(-already, found)
        clauses.add(-literal, -short, found)
        for needed in (literal, short):
            clauses.add(-found, *[one for one in (already, needed) if one != FALSE])
        return found


# How many copies of a card a seat holds at a position of the deal, as literals about the slots.


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


# The clauses of a whole deal: one card in each slot, no more copies than the pack has, and cards held when they were shown.


class Demand(NamedTuple):
    """A literal that is true if an event can be, or is legal; `position` is the event's."""

    position: int
    literal: int


def add_slots(layout: DealLayout, clauses: SlotClauses) -> None:
    """Every slot has one card, and no card lies in more places than the pack has copies."""
    for domain in layout.domains:
        if not domain:
            clauses.add(FALSE)
        clauses.add_slot(domain or ["??"])
    for alike in layout.alike:
        clauses.order(alike)
    for card, copies in layout.copies.items():
        literals = [clauses.is_card(slot, card) for slot in layout.entering]
        clauses.at_most([one for one in literals if one != FALSE], max(0, copies))
        if copies < 0:
            clauses.add(FALSE)


def add_hand_sizes(layout: DealLayout, clauses: SlotClauses) -> dict[tuple[int, str], int]:
    """No seat has got more copies of a card than it gives, and can still hold at the end; by seat and card.

    This follows from the slots and from what is given; but a solver would have to count to see it.
    """
    limits = {}
    for seat in range(layout.seats):
        gained = [move.card for move in layout.gained[seat]]
        given = [move.card for move in layout.given[seat]]
        held = sum(layout.held[seat].values()) + len(gained) - len(given)
        slots = [card for card in gained if isinstance(card, int)]
        plays = [card for card in given if isinstance(card, int)]
        known = {card: -count for card, count in layout.held[seat].items()}
        for moves, sign in ((gained, -1), (given, 1)):
            for card in moves:
                if isinstance(card, str):
                    known[card] = known.get(card, 0) + sign
        for card, copies in layout.copies.items():
            most = known.get(card, 0) + held
            if most < min(copies, len(slots)):
                got = _literals(clauses, slots, card)
                gave = _literals(clauses, plays, card)
                limits[seat, card] = max(0, most + len(gave))
                clauses.at_most([*got, *[-one for one in gave]], limits[seat, card])
    return limits


def _literals(clauses: SlotClauses, slots: list[int], card: str) -> list[int]:
    literals = [clauses.is_card(slot, card) for slot in slots]
    return [literal for literal in literals if literal != FALSE]


def find_demands(
    layout: DealLayout, clauses: SlotClauses, holdings: Holdings, *, from_hand: bool
) -> list[Demand]:
    """What the cards played, shown and discarded demand; melds are made `from_hand`, except of captured cards."""
    found = []
    for position, step in enumerate(layout.steps):
        literal = _shown(position, step, clauses, holdings, from_hand=from_hand)
        if literal != TRUE:
            found.append(Demand(position, literal))
    return found


def _shown(
    position: int, step: LayoutStep, clauses: SlotClauses, holdings: Holdings, *, from_hand: bool
) -> int:
    match step.event:
        case Play(seat=seat) | Discard(seat=seat):
            pass
        case Meld(seat=seat) | Declare(seat=seat) if from_hand:
            pass
        case Dix(seat=seat) if step.event.action != "play":
            pass
        case _:
            return TRUE
    shown = step.cards if step.shown is None else step.shown
    known = count_cards(card for card in shown if isinstance(card, str))
    hidden = [card for card in shown if isinstance(card, int)]
    if not hidden:
        needs = [holdings.at_least(seat, c, position, n) for c, n in known.items()]
        return _all_of(clauses, needs)
    needed = clauses.new_variable()
    for card, more in _possible(clauses, hidden):
        for number in range(1, len(hidden) + 1):
            holds = holdings.at_least(seat, card, position, known.get(card, 0) + number)
            clauses.add(-needed, -more.reached(len(hidden), number), holds)
    for card, number in known.items():
        clauses.add(-needed, holdings.at_least(seat, card, position, number))
    return needed


def _possible(clauses: SlotClauses, hidden: list[int]) -> Iterator[tuple[str, Counter]]:
    """The cards that these slots may hold, each with a count of those that do."""
    for card in dict.fromkeys(card for slot in hidden for card in clauses.domain(slot)):
        literals = [clauses.is_card(slot, card) for slot in hidden]
        yield card, Counter(clauses, literals, len(literals))


def _all_of(clauses: SlotClauses, literals: list[int]) -> int:
    return -clauses.any_of([-literal for literal in literals])
