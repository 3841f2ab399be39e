"""What the rules demand of a completion, as literals, and what an event's legality may depend on beside that."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeGuard

from records.engine.following import waits_for_trick
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table, TableStep
from records.events import CarteBlanche, Declare, Dix, Draw, Meld, Play
from records.partial.clauses import FALSE, TRUE, Demand, Holdings, SlotClauses
from records.partial.written_deal import CardPlace, DealLayout, LaidTrick
from records.rules.compiled import CompiledPhase, CompiledSheet
from records.rules.tricks import better_replies
from records.rules.vocabulary import BrisqueCount

# What an event's legality may depend on beside the literals below: copies that melds, dixes and places tell apart.
#
# The replay judges such events. Completions that agree in everything listed here are judged alike, so one of
# them stands for all.


class WatchedSlot(NamedTuple):
    """The literals about a slot that matter from a position on; one at most is true."""

    position: int
    literals: tuple[int, ...]


class WatchedCount(NamedTuple):
    """How many copies of a card a seat has got from slots before a position: at least one, two and so on.

    The more, the more is legal: a copy too many can be left aside.
    """

    position: int
    seat: int
    card: str
    literals: tuple[int, ...]


class Dependence:
    """The slots whose cards matter to melds, dixes and the places of cards, and to the numbers claimed."""

    def __init__(
        self,
        rules: CompiledSheet,
        layout: DealLayout,
        clauses: SlotClauses,
        holdings: Holdings,
        trump: str | None,
    ) -> None:
        self._rules, self._layout, self._trump = rules, layout, trump
        self._clauses, self._holdings = clauses, holdings
        self.from_hand = not rules.melds_captured
        self._melds = [self._melded(seat) for seat in range(layout.seats)]
        matter = [self._copies_that_matter(seat) for seat in range(layout.seats)]
        self._slots = list(self._watch_slots(matter))
        self._counts = list(self._watch_counts(matter))

    def legal_flips(self, true: set[int]) -> list[int]:
        """The literals of which one is true in every completion that need not be legal if this one is."""
        fewer = [fewer_copies(count.literals, true) for count in self._counts]
        return [*self._slot_flips(true), *(flip for flips in fewer for flip in flips)]

    def illegal_flips(self, true: set[int], position: int, seat: int | None) -> list[int]:
        """The same for one that is illegal at a position, by what this seat has, or any if it is None."""
        more = [
            more_copies(count.literals, true)
            for count in self._counts
            if count.position <= position and seat in (None, count.seat)
        ]
        return [*self._slot_flips(true, position), *(flip for flips in more for flip in flips)]

    def number_flips(self, true: set[int], watched: list[WatchedSlot]) -> list[int]:
        """The same for one whose numbers depend on these slots, too."""
        sevens = self._sevens()
        counts = [count.literals for count in self._counts if count.card in sevens]
        return [
            *self._slot_flips(true),
            *(flip for slot in watched for flip in differing(slot.literals, true)),
            *(flip for literals in counts for flip in fewer_copies(literals, true)),
            *(flip for literals in counts for flip in more_copies(literals, true)),
        ]

    def all_flips(self, cards: list[str]) -> list[int]:
        """The literals of which one differs in every other completion."""
        return [-self._clauses.is_card(slot, card) for slot, card in enumerate(cards)]

    def _slot_flips(self, true: set[int], position: int | None = None) -> list[int]:
        return [
            flip
            for slot in self._slots
            if position is None or slot.position <= position
            for flip in differing(slot.literals, true)
        ]

    def number_slots(self, winners: Iterable[int]) -> list[WatchedSlot]:
        """What the numbers of a legal completion depend on, too."""
        found = [WatchedSlot(-1, (winner,)) for winner in winners]
        sheet = self._rules.sheet
        counted = sheet.rules.brisques.count is not BrisqueCount.NEVER
        for slot in self._taken():
            cards = list(self._clauses.domain(slot))
            if counted:
                brisques = [c for c in cards if self._rules.is_brisque[c]]
                found.append(self._watching(-1, [self._any(slot, brisques)]))
            if sheet.rules.dix is not None and self._trump is not None:
                found.append(self._of(slot, -1, self._rules.sevens[self._trump]))
        return found

    def depend_numbers(self, winners: list[int]) -> bool:
        """Whether any number may depend on the completion."""
        return bool(winners or self._slots or self._counts or self._taken())

    def _any(self, slot: int, cards: Iterable[str]) -> int:
        return self._clauses.any_of(self._clauses.is_card(slot, card) for card in cards)

    def _taken(self) -> list[int]:
        """The slots of cards that tricks have taken."""
        layout = self._layout
        places = [card for cards in (*layout.captured, layout.trick) for card in cards]
        played = [move.card for moves in layout.given for move in moves]
        return [card for card in (*places, *played) if isinstance(card, int)]

    def _watch_slots(self, matter: list[set[str]]) -> Iterator[WatchedSlot]:
        """The slots of which the very card matters."""
        layout = self._layout
        if layout.every_card_matters:
            for slot in range(len(layout.domains)):
                yield self._of(slot, -1, self._clauses.domain(slot))
            return
        for position, step in enumerate(layout.steps):
            if isinstance(step.event, Meld | Declare):
                for card in filter(_is_slot, step.cards):
                    yield self._of(card, position, self._clauses.domain(card))
        if isinstance(layout.turn_up, int):
            yield self._of(layout.turn_up, -1, self._clauses.domain(layout.turn_up))
        for seat, cards in enumerate(matter):
            taken = [] if self.from_hand else self._taken()
            for slot in taken:
                yield self._of(slot, -1, cards)
            for position, given in layout.given[seat]:
                if _is_slot(given) and cards:
                    yield self._of(given, position, cards)

    def _watch_counts(self, matter: list[set[str]]) -> Iterator[WatchedCount]:
        """How many copies a seat has whenever one of them moves."""
        known = set[tuple[int, str, tuple[int, ...]]]()
        for position, step in enumerate(self._layout.steps):
            event = step.event
            if not isinstance(event, Play | Meld | Declare | Dix):
                continue
            moved = matter[event.seat]
            if isinstance(event, Play):
                moved = moved & self._cards_at(step.cards)
            for card in sorted(moved):
                literals = self._holdings.gained_before(event.seat, card, position)
                if literals and (event.seat, card, literals) not in known:
                    known.add((event.seat, card, literals))
                    yield WatchedCount(position, event.seat, card, literals)

    def _of(self, slot: int, position: int, cards: Iterable[str]) -> WatchedSlot:
        return self._watching(position, [self._clauses.is_card(slot, card) for card in cards])

    def _watching(self, position: int, literals: list[int]) -> WatchedSlot:
        return WatchedSlot(position, tuple([one for one in literals if one not in (FALSE, TRUE)]))

    def _melded(self, seat: int) -> list[set[str]]:
        """The cards of each of a seat's melds."""
        setup = self._layout.deal.setup
        groups = setup.tables[seat] if setup and setup.tables and seat < len(setup.tables) else []
        return [
            *(set(group.cards) for group in groups),
            *(
                self._cards_at(step.cards)
                for step in self._layout.steps
                if isinstance(step.event, Meld | Declare) and step.event.seat == seat
            ),
        ]

    def _cards_at(self, places: Iterable[CardPlace]) -> set[str]:
        return {
            card
            for place in places
            for card in ([place] if isinstance(place, str) else self._clauses.domain(place))
        }

    def _copies_that_matter(self, seat: int) -> set[str]:
        """The cards of which a seat's copies are told apart, so that their number matters."""
        melds, found = self._melds[seat], set[str]()
        if self._rules.has_tableau:
            return found
        melded = set().union(*melds)
        if self._rules.melds_captured or len(melded) < sum(map(len, melds)):
            found |= melded
        moved = melded | self._sevens()
        for gained in self._layout.gained[seat]:
            moved |= self._cards_at([gained.card]) if gained.card == self._layout.turn_up else set()
        for step in self._layout.steps:
            event = step.event
            if isinstance(event, Play) and event.seat == seat and event.source is not None:
                played = self._cards_at(step.cards)
                found |= (melded | played) if played & moved else set()
        return found | self._sevens()

    def _sevens(self) -> set[str]:
        """The sevens of trumps, where some may have scored already."""
        layout, dix = self._layout, self._rules.sheet.rules.dix
        if dix is None or self._trump is None:
            return set()
        setup, turn_up = layout.deal.setup, layout.turn_up
        told = (
            any(isinstance(step.event, Dix) for step in layout.steps)
            or (setup is not None and bool(setup.spent_dixes))
            or isinstance(turn_up, int)
            or (turn_up is not None and turn_up[0] == "7")
        )
        return set(self._rules.sevens[self._trump]) if told else set()


def _is_slot(place: CardPlace) -> TypeGuard[int]:
    return isinstance(place, int)


def differing(literals: Iterable[int], true: set[int]) -> list[int]:
    """The fewest of these literals, negated or not, of which one is true wherever any of them changes."""
    chosen = [literal for literal in literals if literal in true]
    # One card to a slot: while it stays, no other card can come there.
    return [-literal for literal in chosen] or list(literals)


def fewer_copies(literals: Sequence[int], true: set[int]) -> list[int]:
    """The literal that says that there are fewer, if there can be."""
    reached = [literal for literal in literals if literal in true]
    return [-reached[-1]] if reached and reached[-1] != TRUE else []


def more_copies(literals: Sequence[int], true: set[int]) -> list[int]:
    """The literal that says that there are more, if there can be."""
    return [literal for literal in literals if literal not in true][:1]


# What the rules demand of a completion, as literals: duties to follow, who took a trick, a hand without court cards.
#
# Each literal says exactly whether its event is legal, so the solver can be asked for legal and for illegal
# completions. What is owed to the card led and who takes it they read from `records.rules.tricks`; law C14 they repeat from
# `records.engine.effects`. Every completion that the solver proposes is judged by the replay, too.


class Moment(NamedTuple):
    """The trump suit and the phase when a card is played."""

    trump: str | None
    phase: CompiledPhase


def find_moments(table: Table) -> dict[int, Moment]:
    """By position, trumps and phase at every reply; the same in every completion."""
    stepper, found = unchecked_stepper(table), {}
    for position, event in enumerate(table.events):
        if isinstance(event, Play) and table.step is TableStep.REPLY:
            found[position] = Moment(table.trump, table.phase)
        stepper.advance(event)
    return found


class GuardEncoder:
    """Encodes what the rules demand of the deal written out."""

    def __init__(
        self,
        rules: CompiledSheet,
        layout: DealLayout,
        clauses: SlotClauses,
        holdings: Holdings,
        moments: dict[int, Moment],
    ) -> None:
        self.rules, self.layout, self.clauses = rules, layout, clauses
        self.holdings, self.moments = holdings, moments
        self.open_winners: list[int] = []

    def guards(self) -> list[Demand]:
        """Every demand that depends on the slots, in the order of the deal."""
        found = [*self._duties(), *self._winners(), *self._blank_hands()]
        return sorted(demand for demand in found if demand.literal != TRUE)

    def _duties(self) -> Iterator[Demand]:
        for trick in self.layout.tricks:
            moment = self.moments.get(trick.position)
            if moment is not None and moment.phase.must_follow:
                breach = self._breach(trick, moment)
                yield Demand(trick.position, -breach)

    def _breach(self, trick: LaidTrick, moment: Moment) -> int:
        """The literal that says that the reply breaks the duty to follow."""
        held = _HeldGroups(self, 1 - trick.leader, trick.position, moment.trump)
        if isinstance(trick.led, str) and isinstance(trick.reply, str):
            return held.better_than(trick.led, trick.reply, moment.phase)
        clauses, breach = self.clauses, self.clauses.new_variable()
        for led, is_led in self._possible(trick.led):
            for reply, is_reply in self._possible(trick.reply):
                better = held.better_than(led, reply, moment.phase)
                clauses.add(-is_led, -is_reply, -better, breach)
                clauses.add(-is_led, -is_reply, better, -breach)
        return breach

    def _possible(self, place: CardPlace) -> list[tuple[str, int]]:
        """The cards that may lie in a place, each with the literal that says so."""
        if isinstance(place, str):
            return [(place, TRUE)]
        return [(card, self.clauses.is_card(place, card)) for card in self.clauses.domain(place)]

    def _winners(self) -> Iterator[Demand]:
        for number, trick in enumerate(self.layout.tricks):
            if isinstance(trick.led, str) and isinstance(trick.reply, str):
                continue
            takes = self._takes(trick)
            end = len(self.layout.steps)
            if number + 1 < len(self.layout.tricks):
                end = self.layout.tricks[number + 1].position
            actors = list(self._actors(trick.position + 1, end))
            if not actors:
                self.open_winners.append(takes)
            for position, seat in actors:
                yield Demand(position, takes if seat != trick.leader else -takes)

    def _takes(self, trick: LaidTrick) -> int:
        """The literal that says that the reply takes the trick (C3)."""
        clauses, takes = self.clauses, self.clauses.new_variable()
        moment = self.moments.get(trick.position)
        beaters = self.rules.beaters(moment.trump if moment else None)
        for led, is_led in self._possible(trick.led):
            for reply, is_reply in self._possible(trick.reply):
                beats = takes if reply in beaters[led] else -takes
                clauses.add(-is_led, -is_reply, beats)
        return takes

    def _actors(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Who shows, from the position and by the seat, that they took the last trick: until the next card is led."""
        drawn = False
        for position in range(start, end):
            event = self.layout.steps[position].event
            match event:
                case Play():
                    yield position, event.seat
                    return
                case Meld() | Declare():
                    yield position, event.seat
                case Draw() if not drawn:
                    drawn = True
                    yield position, event.seat
                case Dix() if waits_for_trick(self.rules, event):
                    yield position, event.seat

    def _blank_hands(self) -> Iterator[Demand]:
        """Carte blanche: no card that the seat has had so far is a court card."""
        rule = self.rules.written.carte_blanche
        if rule is None:
            return
        for position, step in enumerate(self.layout.steps):
            if not isinstance(step.event, CarteBlanche):
                continue
            courts = [
                self.clauses.is_card(card, face)
                for at, card in self.layout.gained[step.event.seat]
                if at < position and isinstance(card, int)
                for face in self.clauses.domain(card)
                if face[0] in rule.courts
            ]
            yield Demand(position, -self.clauses.any_of(courts))


class _HeldGroups:
    """Whether a seat holds a card of some group, when it replies."""

    def __init__(self, encoder: GuardEncoder, seat: int, position: int, trump: str | None) -> None:
        self.encoder, self.seat, self.position, self.trump = encoder, seat, position, trump
        self.known: dict[frozenset[str], int] = {}

    def better_than(self, led: str, reply: str, phase: CompiledPhase) -> int:
        """Whether it holds a card that the duty demands instead of this reply (C8)."""
        return self.any_of(better_replies(phase.duties[self.trump][led], reply))

    def any_of(self, cards: frozenset[str]) -> int:
        """The literal that says that the seat holds one of these cards."""
        if cards not in self.known:
            encoder = self.encoder
            self.known[cards] = encoder.clauses.any_of(
                encoder.holdings.at_least(self.seat, card, self.position, 1)
                for card in encoder.layout.copies
                if card in cards
            )
        return self.known[cards]
