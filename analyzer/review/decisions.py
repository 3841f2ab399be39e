"""The decisions of a deal before the close, each as its seat saw it: what it knew, what it could do, what it did."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from analyzer.play.expert import PassedMelds
from analyzer.play.fast_deal import CLOSED_CHAIN, OPEN_CHAIN, FastDeal
from analyzer.play.greedy import Choice
from analyzer.play.sensible_choices import sensible_choices
from analyzer.play.setting_up import fast_deal_at
from analyzer.play.worlds import HOLD_BACK, SeatKnowledge, ShownCards, choices_of, mask_of_shown
from analyzer.review.deep_review import ChoiceKind, Phase
from records.cards import FACE_OF, sorted_faces
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table, TableStep, is_closed
from records.events import AnyEvent, Dix, Draw, Meld, Play
from records.replay import Frame

DRAWN_IN_A_TRICK = 2
"""With so many cards left, those under the turn-up and the turn-up itself, the next trick is the last before the close."""
KIND_OF: dict[str, ChoiceKind] = {
    "play": "play",
    "meld": "meld",
    "exchange": "exchange",
    "show": "show",
    HOLD_BACK: "hold_back",
}


class OpenDecision(NamedTuple):
    """A decision whose outcome cards decide that its seat could not see.

    `event` is its event in the deal, `chosen` the place in `choices` of what was done. `labelled` says whether the
    record tells the copies of a card apart.
    """

    event: int
    phase: Phase
    knowledge: SeatKnowledge
    choices: Sequence[Choice]
    chosen: int
    labelled: bool

    @property
    def seat(self) -> int:
        """Who decides."""
        return self.knowledge.seat

    @property
    def refused(self) -> frozenset[int]:
        """The places of choices that no player would believe; what was done is none of them."""
        believed = [*sensible_choices(self.knowledge.deal, self.choices), self.choices[self.chosen]]
        return frozenset(place for place, each in enumerate(self.choices) if each not in believed)

    def cards_of(self, choice: Choice) -> list[str]:
        """The cards of a choice, as the record writes them, the highest first."""
        names = self.knowledge.deal.view.cards.names_of(choice.cards)[::-1]
        return names if self.labelled else [FACE_OF[name] for name in names]


class OpenDecisionReader:
    """Reads the frames of a deal between two and lists its decisions before the close, where there was a choice.

    Every card of the deal must be known. `unlisted` counts the decisions that are left out since what was done is not
    among the choices: where like cards are not told apart, it may be that another of them could have done it.

    `read` raises ImpossiblePack if the cards are not those of one pack.
    """

    def __init__(self, events: Sequence[AnyEvent]) -> None:
        self.decisions: list[OpenDecision] = []
        self.unlisted = 0
        self._events = events
        self._shown = ShownCards()
        self._passed = PassedMelds(0), PassedMelds(1)

    def read(self, frame: Frame) -> None:
        """Read a frame: what its table leaves to decide is decided by the next event."""
        table, place = frame.table, frame.index + 1
        self._shown.read(frame.event, table)
        for passed in self._passed:
            passed.read(frame.event, table)
        if place >= len(self._events) or is_closed(table):
            return
        event = self._events[place]
        if isinstance(event, Meld | Dix | Draw | Play) and table.melding.seat is not None:
            self._add_melding(table, place, event)
        drawn = self._table_before(event, table)
        if isinstance(event, Play) and not is_closed(drawn) and drawn.seat == event.seat:
            self._add_play(drawn, place, event)

    def _table_before(self, event: AnyEvent, table: Table) -> Table:
        """The table on which an event happens: with the draws made that come before it and are not written.

        They are read as if they were, for what they tell of the melds passed up.
        """
        if not (table.draws_due and table.knowledge.omits_draws):
            return table
        drawn = table.copy()
        unchecked_stepper(drawn).draw_before(event)
        for seat in table.draws_due[: len(table.draws_due) - len(drawn.draws_due)]:
            for passed in self._passed:
                passed.read(Draw(seat=seat, card="??"), drawn)
        return drawn

    def _add_melding(self, table: Table, place: int, event: Meld | Dix | Draw | Play) -> None:
        """What the winner of a trick did with its turn to meld."""
        seat = table.melding.seat
        if seat is None or not table.draws_due:
            return
        if isinstance(event, Dix) and event.action == "play":
            return  # it claims the points of a card played: what the seat does with its turn comes after it
        if isinstance(event, Meld | Dix) and event.seat != seat:
            return
        self._add(table, place, event, seat)

    def _add_play(self, table: Table, place: int, event: Play) -> None:
        if table.step in (TableStep.LEAD, TableStep.REPLY):
            self._add(table, place, event, event.seat)

    def _add(self, table: Table, place: int, event: AnyEvent, seat: int) -> None:
        deal = _deal_at(table, seat)
        if isinstance(event, Play) and not table.draws_due:
            deal.window = None
        other = 1 - seat
        shown = mask_of_shown(deal, other, self._shown.of(table, other))
        knowledge = SeatKnowledge(deal, seat, shown, self._passed[other].drawn_since)
        choices = choices_of(knowledge.deal)
        if len(choices) < 2:
            return
        chosen = _place_of(event, choices, knowledge.deal)
        if chosen is None:
            self.unlisted += 1
            return
        left = len(deal.stock) + bool(deal.turn_up)
        phase: Phase = "last_trick" if left <= DRAWN_IN_A_TRICK else "stock"
        labelled = any(len(card) > 2 for held in (*table.held, *table.captured) for card in held)
        decision = OpenDecision(place, phase, knowledge, choices, chosen, labelled)
        self.decisions.append(decision if labelled else _one_of_like_choices(decision))


def _deal_at(table: Table, viewer: int) -> FastDeal:
    """The deal at a table, its face-down cards in any order. Who could show carte blanche has not, so the moment is over."""
    stock = [card for card, number in table.unseen.items() for _ in range(number)]
    deal = fast_deal_at(table, stock, viewer)
    deal.chains = [CLOSED_CHAIN if chain == OPEN_CHAIN else chain for chain in deal.chains]
    return deal


def _one_of_like_choices(decision: OpenDecision) -> OpenDecision:
    """The decision with one of those choices that are written alike: what was done, or else the first.

    They differ in which of like cards they take, those that have scored before or others, and the record tells neither.
    """
    made = decision.choices[decision.chosen]
    choices_by_words = {_written(decision, made): made}
    for choice in decision.choices:
        choices_by_words.setdefault(_written(decision, choice), choice)
    choices = [choice for choice in decision.choices if choice in choices_by_words.values()]
    return decision._replace(choices=choices, chosen=choices.index(made))


def _written(decision: OpenDecision, choice: Choice) -> tuple[str, ...]:
    return choice.what, choice.name, *sorted(decision.cards_of(choice))


def _place_of(event: AnyEvent, choices: Sequence[Choice], deal: FastDeal) -> int | None:
    """The place of what was done among the choices; None if it is not there."""
    match event:
        case Meld():
            return _place_of_meld(event, choices, deal)
        case Dix():
            same = [choice.what == event.action for choice in choices]
        case Play() if choices[0].what == "play":
            faces = [FACE_OF[deal.view.cards.names_of(choice.cards)[0]] for choice in choices]
            same = [face == FACE_OF[event.card] for face in faces]
        case _:
            same = [choice.what == HOLD_BACK for choice in choices]
    return same.index(True) if True in same else None


def _place_of_meld(event: Meld, choices: Sequence[Choice], deal: FastDeal) -> int | None:
    """The place of a meld: of several with the same faces the one whose cards have scored as often."""
    names = deal.view.cards.names_of
    faces = sorted_faces(event.cards)
    like = [
        place
        for place, choice in enumerate(choices)
        if choice.name == event.meld and sorted_faces(names(choice.cards)) == faces
    ]
    ever = deal.scored[deal.actor].ever
    done = Counter(_marks(deal, event.cards, ever))
    same = [
        place for place in like if Counter(_marks(deal, names(choices[place].cards), ever)) == done
    ]
    return next(iter([*same, *like]), None)


def _marks(deal: FastDeal, cards: Sequence[str], ever: int) -> Iterator[tuple[str, bool]]:
    """Every card by its face, and whether it has scored; an unlabelled one has not, as far as one can tell."""
    bits = deal.view.cards.bits
    return ((FACE_OF[card], bool(bits.get(card, 0) & ever)) for card in cards)
