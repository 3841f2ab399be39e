"""What every completion must satisfy to agree with the record: the pack, and cards that a seat had when it showed them."""

from collections.abc import Iterator
from typing import NamedTuple

from records.cards import count_cards
from records.completions.holdings import Holdings
from records.completions.slot_clauses import FALSE, TRUE, Counter, SlotClauses
from records.completions.written_deal.deal_layout import DealLayout, LayoutStep
from records.events import Declare, Discard, Dix, Meld, Play


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
