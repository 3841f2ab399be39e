"""Reads the frames of a deal into the steps that the replay page draws."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import dropwhile, pairwise, takewhile

from records.cards import FACE_OF, card_sign, describe_card
from records.engine.choices import LegalChoices, legal_choices
from records.engine.table import Table, TableStep
from records.engine.table_parts.deal_state import Award
from records.event_words import describe_event
from records.events import AnyEvent, Declare, Discard, Dix, Draw, Meld, Play, Score, Trick
from records.phrases import join_words, name_card, pluralize
from records.record import Record
from records.replay import Frame, Match, replay
from records.rules.registry import ResolvedSheet
from records.rules.vocabulary import NoTrumps
from records.snapshot import TableSnapshot, snapshot_of
from records.validate.finding import Finding
from webui.display.wording import (
    phase_words,
    suit_words,
    trick_heading,
    turn_words,
    won_words,
)
from webui.display.words.outcome_words import outcome_sentences
from webui.display.words.reason_words import award_reason, award_words, taken_sentence
from webui.replay.comments import deal_comments
from webui.replay.layout import (
    card_taken_in_hand,
    cards_laid,
    centre_cards,
    event_cards,
    hand_cards,
    legal_options,
    tableau_piles,
    turn_up_card,
)
from webui.replay.steps import DealSteps, Gain, ReplayStep, SeatStep
from webui.replay.visibility import FULL_VISIBILITY, Visibility

CHOICE_EVENTS = (Play, Draw, Meld, Declare, Dix, Discard)
"""Events that are choices; a draw is one because the seat might have melded instead."""
NO_CHOICES = LegalChoices([], [], [], draws=False)


def read_deal_steps(
    record: Record, resolved: ResolvedSheet, number: int, visibility: Visibility = FULL_VISIBILITY
) -> DealSteps:
    """The visible steps of the record's deal with this index."""
    return read_deal(record, Match(record, resolved), number, visibility)[0]


def points_before(record: Record, resolved: ResolvedSheet, number: int) -> list[int | None]:
    """The points of the game that every seat had before the deal with this index; the deals before it are replayed."""
    match = Match(record, resolved)
    reader = _StepReader(record, match, number, FULL_VISIBILITY)
    if number:
        next(_of_deal(replay(record, match=match), number), None)
    return reader.points()


def read_deal(
    record: Record,
    match: Match,
    number: int,
    visibility: Visibility = FULL_VISIBILITY,
    *,
    writes_draws: bool | None = None,
) -> tuple[DealSteps, Table]:
    """The same, with the state of the match before the record's first deal given; and the last table."""
    reader = _StepReader(record, match, number, visibility)
    frames = replay(record, match=match, writes_draws=writes_draws)
    reader.read(_of_deal(frames, number))
    return reader.deal_steps(), reader.table


def _of_deal(frames: Iterable[Frame], number: int) -> Iterator[Frame]:
    return takewhile(
        lambda frame: frame.deal == number, dropwhile(lambda frame: frame.deal < number, frames)
    )


class _StepReader:
    """Reads the frames of one deal, in order, into steps."""

    def __init__(self, record: Record, match: Match, number: int, visibility: Visibility) -> None:
        self.visibility = visibility
        self.record = record
        self.match = match
        self.number = number
        self.names = match.names
        self.before: list[int | None] = []
        self.steps: list[ReplayStep] = []
        self.findings: list[Finding] = []
        self.turn_up: str | None = None
        self.trick = 0
        self.actor: int | None = None
        self.ranks = match.resolved.sheet.pack.ranks
        self.seat_views: dict[int, tuple[object, ...]] = {}
        self.legal = NO_CHOICES
        self.table: Table

    def read(self, frames: Iterable[Frame]) -> None:
        """Read every frame of the deal."""
        for frame in frames:
            self.table = frame.table
            if not self.steps:
                self.before = self.points()
            self.steps.append(self._step(frame))

    def points(self) -> list[int | None]:
        """The points of the game that every seat has now; None where the record leaves them open."""
        scores, seats = self.match.scores, range(len(self.names))
        return [scores[self._side(seat)] if scores else None for seat in seats]

    def deal_steps(self) -> DealSteps:
        """The deal as steps."""
        deal = self.record.deals[self.number]
        stopped = self.steps[-1].event
        reach = len(deal.events) if stopped is None else stopped
        comments = deal_comments(self.record, self.match, self.number, self.visibility, reach)
        self._explain_stop(len(deal.events))
        has_more = self._drop_hidden_steps()
        self._mark_choices(deal.events, has_more=has_more)
        self._explain_tricks_taken(deal.events)
        sheet = self.match.resolved.sheet
        cards = {card.split()[0] for step in self.steps for card in _cards_of(step)}
        return DealSteps(
            deal=self.number,
            deals=self._deals(has_more=has_more),
            names=self.names,
            sides=[self._side(seat) for seat in range(len(self.names))],
            partners=[self._partners(seat) for seat in range(len(self.names))],
            dealer=deal.dealer,
            sheet=sheet.id,
            ranks=sheet.pack.ranks,
            no_trump="no trumps" if isinstance(sheet.trumps, NoTrumps) else "no trumps yet",
            before=self.before,
            cards=card_labels(sorted(cards)),
            findings=self.findings,
            margin=comments,
            steps=self.steps,
            more=has_more,
            outcome=[] if has_more else self._outcome(),
        )

    def _outcome(self) -> list[str]:
        """How the deal ended; nothing if an event stopped it, or its points are open."""
        if self.steps[-1].event is not None or self._points_open():
            return []
        before = [self.before[side[0]] for side in self.match.sides]
        known = [points for points in before if points is not None]
        whole = len(known) == len(before)
        return outcome_sentences(self.match, self.table, known if whole else None)

    def _deals(self, *, has_more: bool) -> int:
        """How many deals there are; where the future is hidden, as many as are known by then."""
        deals = len(self.record.deals)
        return (
            deals if self.visibility.until is None else min(deals, self.number + 1 + (not has_more))
        )

    def _mark_choices(self, events: Sequence[AnyEvent], *, has_more: bool) -> None:
        """Mark every step whose next event was a choice; where later steps are hidden, the last as if it were."""
        for step, after in pairwise(self.steps):
            if after.event is not None and isinstance(events[after.event], CHOICE_EVENTS):
                step.choice = _is_open(step)
        if has_more:
            self.steps[-1].choice = _is_open(self.steps[-1])

    def _explain_tricks_taken(self, events: Sequence[AnyEvent]) -> None:
        """Where the record itself names the winner of a trick, and rightly, the reason stands there."""
        reply: ReplayStep | None = None
        for step in self.steps:
            if step.taken:
                reply = step
            elif reply and step.event is not None and isinstance(events[step.event], Trick):
                if reply.taken.startswith(step.say.removesuffix(".")):
                    reply.taken, step.say = "", reply.taken
                reply = None

    def _drop_hidden_steps(self) -> bool:
        """Drop the steps that are hidden; returns whether there were any."""
        until = self.visibility.until
        if until is None or until >= len(self.steps) - 1:
            return False
        self.steps = self.steps[: until + 1]
        self.findings = self.findings[: sum(len(step.findings) for step in self.steps)]
        return True

    def _explain_stop(self, events: int) -> None:
        """If something impossible stopped the replay before the end of the deal, say so at the last step."""
        last = self.steps[-1]
        if last.event is not None:
            left = events - last.event - 1
            last.turn = "The replay of this deal ends here" + (
                f": {pluralize(left, 'event')} not shown" if left else ""
            )
            last.plays, last.options = [], []

    def _side(self, seat: int) -> int:
        return next(i for i, side in enumerate(self.match.sides) if seat in side)

    def _partners(self, seat: int) -> str:
        others = [
            self.names[other] for other in self.match.sides[self._side(seat)] if other != seat
        ]
        return f"with {join_words(others)}" if others else ""

    def _step(self, frame: Frame) -> ReplayStep:
        position = snapshot_of(frame.table)
        event = frame.event
        legal = self._legal_choices(frame, position)
        first = len(self.findings)
        self.findings += map(self.visibility.redact_finding, frame.findings)
        # An exchange or the last draw takes the turn-up of the step before, which this snapshot no longer has.
        turn_up, self.turn_up = self.turn_up, position.turn_up
        self._number_trick(position, event)
        openly = turn_up is not None and position.turn_up is None
        unseen = self.visibility.hides(event, openly=openly)
        return ReplayStep(
            event=frame.index if event is not None else None,
            who=getattr(event, "seat", None),
            named=[] if unseen else event_cards(event),
            ms=getattr(event, "ms", None),
            choice=False,
            say=self._text(frame, position, unseen=unseen),
            taken=self._taken(frame),
            gains=[self._gain(award, event) for award in frame.awards],
            phase=phase_words(position.phase),
            trick=self.trick,
            heading=trick_heading(self.trick, turns=bool(position.tableau)),
            trump=position.trump,
            turn_up=turn_up_card(position, event),
            stock=position.stock,
            centre=centre_cards(position, frame),
            tableau=tableau_piles(position, event),
            out=f"{pluralize(len(position.out), 'card')} out of the game"
            if position.tableau
            else "",
            seats=[self._seat(seat, position, event, turn_up) for seat in range(len(self.names))],
            seat=position.seat,
            turn=turn_words(position, self.names, may_meld=bool(legal.melds or legal.dix)),
            plays=legal.plays,
            options=legal_options(legal),
            findings=list(range(first, len(self.findings))),
            tainted=frame.tainted,
        )

    def _taken(self, frame: Frame) -> str:
        """Who takes a trick that this event completes, and why."""
        is_complete = isinstance(frame.event, Play) and frame.table.trick.led is None
        return taken_sentence(frame.table) if is_complete else ""

    def _gain(self, award: Award, event: AnyEvent | None) -> Gain:
        reason = award_reason(award, event, self.match.resolved.sheet)
        return Gain(award.seat, award.points, award_words(award), reason)

    def _legal_choices(self, frame: Frame, position: TableSnapshot) -> LegalChoices:
        """What the seat to act may do; nothing if its hand is hidden."""
        # A claim changes nothing on the table, so the choices of the step before still hold.
        if not isinstance(frame.event, Trick | Score):
            visible = self.visibility.sees(position.seat)
            self.legal = legal_choices(frame.table) if visible else NO_CHOICES
        return self.legal

    def _number_trick(self, position: TableSnapshot, event: AnyEvent | None) -> None:
        """Count the tricks, or the turns in a game without tricks."""
        if isinstance(event, Play):
            self.trick = position.tricks + bool(position.trick)
        elif position.tableau and isinstance(event, Draw | Meld | Discard):
            self.trick += event.seat != self.actor
            self.actor = event.seat

    def _text(self, frame: Frame, position: TableSnapshot, *, unseen: bool) -> str:
        if isinstance(frame.event, Draw) and unseen:
            return f"{self.names[frame.event.seat]} draws a card."
        if frame.event is not None:
            event = self.visibility.redact_event(frame.event)
            return describe_event(event, self.names, labels=False)
        return self._opening(position) if frame.index < 0 else self._ending(position)

    def _opening(self, position: TableSnapshot) -> str:
        dealer = self.names[self.record.deals[self.number].dealer]
        trump = "" if position.trump is None else f": {suit_words(position.trump)} are trumps"
        if position.turn_up is None:
            return f"{dealer} has dealt{trump}."
        return f"{dealer} deals and turns up {name_card(position.turn_up)}{trump}."

    def _ending(self, position: TableSnapshot) -> str:
        if position.step == "over":
            if self._points_open():
                return "The deal is over; the record leaves the points open."
            points = ", ".join(
                f"{name} {points}" for name, points in zip(self.names, position.scores, strict=True)
            )
            return f"The deal is over: {points}."
        return "The record of this deal ends here."

    def _points_open(self) -> bool:
        """Whether the record leaves open how many points the seats have by now."""
        over = self.table.step is TableStep.OVER
        return self.table.knowledge.points_open or (over and self.table.are_points_open)

    def _seat(
        self, seat: int, position: TableSnapshot, event: AnyEvent | None, turn_up: str | None
    ) -> SeatStep:
        """What a seat has; the same object as at the step before if nothing of it has changed."""
        view = self.visibility.redact_seat(position.seats[seat], seat)
        playable = frozenset(self.legal.plays) if position.seat == seat else frozenset[str]()
        lifted = card_taken_in_hand(event, seat, turn_up)
        lifts = isinstance(event, Meld | Declare) and event.seat == seat
        side = self.match.sides[self._side(seat)]
        points, before = None if self._points_open() else view.points, self.before[seat]
        total = None
        if points is not None and before is not None:
            total = before + sum(position.seats[other].points for other in side)
        seat_view = (view, playable, lifted, lifts, points, total)
        if self.seat_views.get(seat) == seat_view:
            return self.steps[-1].seats[seat]
        self.seat_views[seat] = seat_view
        return SeatStep(
            hand=hand_cards(view, playable, lifted),
            backs=view.hidden,
            laid=cards_laid(view, playable, self.ranks, lifts=lifts),
            points=points,
            total=total,
            won="" if position.tableau else won_words(view.tricks, view.brisques),
            unsure=bool(view.unsure or view.between),
        )


def _is_open(step: ReplayStep) -> bool:
    """Whether there was more than one legal choice."""
    return len(step.plays) > 1 or bool(step.options)


def card_labels(cards: Iterable[str]) -> dict[str, tuple[str, str]]:
    """The words and the sign of cards, as players see them: copies look alike."""
    return {card: (describe_card(FACE_OF[card]), card_sign(FACE_OF[card])) for card in cards}


def _cards_of(step: ReplayStep) -> Iterator[str]:
    yield "??"
    for seat in step.seats:
        yield from seat.hand
    for group in (*step.tableau, *(group for seat in step.seats for group in seat.laid)):
        yield from group.cards
    yield from (card for _, card in step.centre)
    yield from step.plays
    for option in step.options:
        yield from option.cards
    if step.turn_up:
        yield step.turn_up
