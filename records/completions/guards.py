"""What the rules demand of a completion, as literals: duties to follow, who took a trick, a hand without court cards.

Each literal says exactly whether its event is legal, so the solver can be asked for legal and for illegal
completions. What is owed to the card led and who takes it they read from `records.rules.tricks`; law C14 they repeat from
`engine/carte_blanche.py`. Every completion that the solver proposes is judged by the replay, too.
"""

from collections.abc import Iterator
from typing import NamedTuple

from records.completions.demands import Demand
from records.completions.holdings import Holdings
from records.completions.slot_clauses import TRUE, SlotClauses
from records.completions.written_deal.deal_layout import CardPlace, DealLayout, LaidTrick
from records.engine.following import waits_for_trick
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table, TableStep
from records.events import CarteBlanche, Declare, Dix, Draw, Meld, Play
from records.rules.compiled import CompiledPhase, CompiledSheet
from records.rules.tricks import better_replies


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
        rule = self.rules.sheet.carte_blanche
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
