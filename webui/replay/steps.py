"""The frames of a deal as the steps that the replay page draws, with comments and what a seat may see."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import dropwhile, islice, pairwise, takewhile
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from records.cards import FACE_OF, SUIT_NAMES, card_sign, describe_card
from records.engine.choices import LegalChoices, legal_choices
from records.engine.deal_state import Award
from records.engine.table import Table, TableStep
from records.event_words import describe_event
from records.events import (
    AnyEvent,
    Declare,
    Discard,
    Dix,
    Draw,
    Irregular,
    Meld,
    Play,
    Score,
    Trick,
)
from records.phrases import join_words, name_card, pluralize
from records.proposed_lines import check_lines
from records.record import Line, Note, Record
from records.replay import Frame, LaidCard, Match, SeatSnapshot, TableSnapshot, replay, snapshot_of
from records.rules.registry import ResolvedSheet
from records.rules.vocabulary import NoTrumps
from records.study import pointed_cards
from records.validate.codes import FINDING_CODES
from records.validate.finding import Finding
from webui.display.words import (
    award_reason,
    award_words,
    gain_sentence,
    outcome_sentences,
    phase_words,
    taken_sentence,
    trick_heading,
    turn_words,
    won_words,
)
from webui.replay.layout import (
    CardGroup,
    LegalOption,
    card_taken_in_hand,
    cards_laid,
    centre_cards,
    event_cards,
    hand_cards,
    legal_options,
    tableau_piles,
    turn_up_card,
)

# Which cards and steps of a deal a viewer may see: hidden information never leaves the server.

REVEALING_CODES = ("irregularity", "no-such-card-left", "wrong-card-drawn")
"""Findings that could tell a seat more than its own cards: a comment, another's draw, the top of the stock."""


class Visibility(NamedTuple):
    """`seat` is the only one whose hand is seen, `until` the last step shown; None means all."""

    seat: int | None = None
    until: int | None = None

    def sees(self, seat: int | None) -> bool:
        """Whether a seat's hand and its legal choices are visible."""
        return self.seat is None or seat == self.seat

    def hides(self, event: AnyEvent | None, *, openly: bool) -> bool:
        """Whether an event is a card drawn face down by another seat; the turn-up is drawn `openly`."""
        return isinstance(event, Draw) and not self.sees(event.seat) and not openly

    def redact_seat(self, view: SeatSnapshot, seat: int) -> SeatSnapshot:
        """What a seat has; of a hidden one the hand face down, and only what must lie on the table."""
        if self.sees(seat):
            return view
        return replace(
            view,
            hand=[],
            unsure=[],
            between=[],
            laid=surely_laid(view),
            hidden=view.hidden + len(view.hand) + len(view.unsure),
        )

    def redact_event(self, event: AnyEvent) -> AnyEvent:
        """An event as it is told: the comment on an irregularity could reveal what another player holds."""
        if self.seat is None or not isinstance(event, Irregular):
            return event
        return replace(event, text="")

    def redact_finding(self, finding: Finding) -> Finding:
        """A finding, in general words where its own could reveal what another player holds."""
        if self.seat is None or (
            finding.at.seat == self.seat and finding.code not in REVEALING_CODES
        ):
            return finding
        title = FINDING_CODES[finding.code].title
        return replace(
            finding,
            message=f"{title}.",
            clause=None,
            since=None,
            expected=None,
            found=None,
            legal=(),
            candidates=(),
        )


def surely_laid(view: SeatSnapshot) -> list[LaidCard]:
    """What lies on the table whatever the seat holds, as if it were certain in which meld.

    That the position of a card is uncertain shows that the hand holds, or held, another copy of it.
    """
    left = Counter(card.card for card in view.laid if card.sure) + Counter(view.between)
    laid: list[LaidCard] = []
    for card in reversed(view.laid):
        if left[card.card]:
            left[card.card] -= 1
            laid.append(replace(card, sure=True, elsewhere=False))
    return laid[::-1]


FULL_VISIBILITY = Visibility()


# What a record says beside its deals: notes and lines, each at its step.

MOST_NOTES_SHOWN, MOST_LINES_SHOWN, MOST_LINE_EVENTS_SHOWN = 400, 50, 40
"""The most notes and lines of a deal that are shown, and the most events of a line."""
MOST_CHARACTERS_SHOWN = 4_000
"""The most characters of a text that are shown."""


class NoteAtStep(msgspec.Struct):
    """A note of the record, at the step of its event."""

    step: int
    by: str
    text: str


class LineAtStep(msgspec.Struct):
    """A line of the record, at the step it starts from; `number` is its index in the record.

    `said` are its events in words. The event at `wrong_at` is not legal, for the reason in `wrong`. `opens` says that
    the replay gets as far as its step.
    """

    number: int
    step: int
    by: str
    text: str
    said: list[str]
    wrong: str
    wrong_at: int | None
    opens: bool


class DealComments(msgspec.Struct):
    """The notes and lines of a deal; `left` counts those that are not shown."""

    notes: list[NoteAtStep]
    lines: list[LineAtStep]
    left: int


def deal_comments(
    record: Record, match: Match, number: int, visibility: Visibility, reach: int
) -> DealComments:
    """The notes and lines of the deal with this index, of which `reach` events can be replayed.

    Text and lines can reveal hands and draws, so what a limited view hides is left out here too.
    """
    notes = [note for note in record.notes or [] if note.at[0] == number]
    lines = [(i, line) for i, line in enumerate(record.lines or []) if line.at[0] == number]
    until = reach + 1 if visibility.until is None else visibility.until
    readable = (
        [_note_at_step(note, reach) for note in notes[:MOST_NOTES_SHOWN]]
        if visibility.seat is None
        else []
    )
    visible_notes = [note for note in readable if note.step <= until]
    visible_lines = (
        list(_lines_at_steps(record, match, lines[:MOST_LINES_SHOWN], reach))
        if visibility == FULL_VISIBILITY
        else []
    )
    left = len(notes) + len(lines) - len(visible_notes) - len(visible_lines)
    return DealComments(visible_notes, visible_lines, left)


def _note_at_step(note: Note, reach: int) -> NoteAtStep:
    step = 0 if len(note.at) == 1 else min(note.at[1], reach) + 1
    return NoteAtStep(step, shorten_text(note.by), shorten_text(note.text))


def shorten_text(text: str | None) -> str:
    """A text, cut to the length that is shown."""
    if text is None or len(text) <= MOST_CHARACTERS_SHOWN:
        return text or ""
    return f"{text[:MOST_CHARACTERS_SHOWN]}…"


def first_unlawful_event(record: Record, match: Match, line: Line) -> tuple[int, str] | None:
    """The index of the first illegal event of a line, and why; None if all are legal as far as they can be followed."""
    found = next(check_lines(replace(record, lines=[line]), match), None)
    if found is None:
        return None
    return int(found.at.pointer.rpartition("/")[2]), found.message


def _lines_at_steps(
    record: Record, match: Match, lines: list[tuple[int, Line]], reach: int
) -> Iterator[LineAtStep]:
    for number, line in lines:
        start = line.at[1] if len(line.at) > 1 else 0
        at, why = first_unlawful_event(record, match, line) or (None, "")
        yield LineAtStep(
            number=number,
            step=min(start, reach),
            by=shorten_text(line.by),
            text=shorten_text(line.text),
            said=[
                describe_event(event, match.names)
                for event in islice(line.events, MOST_LINE_EVENTS_SHOWN)
            ],
            wrong=why,
            wrong_at=at,
            opens=start <= reach,
        )


# A step: what lies where, and what is marked.
#
# A step is complete in itself. A card is one word, with the classes it is drawn in after it: `QS`,
# `7D legal`, `KH half lifted`. The browser draws these words and knows no rule.


class SeatStep(msgspec.Struct):
    """What one seat has: `backs` counts the cards held that are not known.

    `points` are those of the deal and `total` those of the game; `won` says what it took, in words. `unsure` says
    that the record leaves open where a card lies: it stands, marked `half`, in the hand and on the table, or, marked
    `either`, in more melds than one.
    """

    hand: list[str]
    backs: int
    laid: list[CardGroup]
    points: int | None
    total: int | None
    won: str
    unsure: bool


class Gain(msgspec.Struct):
    """Points made at a step; `words` say in short what they are for, `reason` in the words of the sheet.

    The reason is empty where the event itself says it.
    """

    seat: int
    points: int
    words: str
    reason: str


class ReplayStep(msgspec.Struct):
    """One step: `event` is its index in the deal, `who` its seat, `named` its cards, `ms` the time it took.

    `taken` says who takes the trick that the event completes, and why. `trick` is the number of its trick or turn, from 1. `choice` says that the next event was one of
    several legal choices.

    `tableau` are the piles of a game that has them; `out` says how many cards have left the game. `turn` says
    what is due next, and `seat` from whom. `centre` are the cards in the middle with the seats they came from;
    `plays` are the cards that may be played next.
    """

    event: int | None
    who: int | None
    named: list[str]
    ms: int | None
    choice: bool
    say: str
    taken: str
    gains: list[Gain]
    phase: str
    trick: int
    heading: str
    trump: str | None
    turn_up: str | None
    stock: int
    centre: list[tuple[int, str]]
    tableau: list[CardGroup]
    out: str
    seats: list[SeatStep]
    seat: int | None
    turn: str
    plays: list[str]
    options: list[LegalOption]
    findings: list[int]
    tainted: bool


class DealSteps(msgspec.Struct):
    """A whole deal, from the cards dealt to the last card played.

    `sides` says on which side each seat plays, and `partners` with whom, in words. `cards` gives the
    words and the sign of every card; `findings` are those of the steps, `margin` what the record says
    beside them. `more` says that later steps are held back; then `deals` counts no later deal. `outcome` are the
    sentences that say how the deal ended, and the match with it.
    """

    deal: int
    deals: int
    names: list[str]
    sides: list[int]
    partners: list[str]
    dealer: int
    sheet: str
    ranks: str
    no_trump: str
    before: list[int | None]
    cards: dict[str, tuple[str, str]]
    findings: list[Finding]
    margin: DealComments
    steps: list[ReplayStep]
    more: bool
    outcome: list[str]


def point_at(step: ReplayStep, faces: Collection[str]) -> ReplayStep:
    """A step whose cards of these faces carry the mark `pointed`, wherever they lie face up."""
    if not faces:
        return step

    def marked(items: Sequence[str]) -> list[str]:
        return [f"{item} pointed" if item[:2] in faces else item for item in items]

    def of_seat(view: SeatStep) -> SeatStep:
        laid = [CardGroup(group.kind, group.words, marked(group.cards)) for group in view.laid]
        return replace(view, hand=marked(view.hand), laid=laid)

    return replace(
        step,
        seats=list(map(of_seat, step.seats)),
        centre=[(seat, *marked([item])) for seat, item in step.centre],
    )


def step_sentences(step: ReplayStep) -> str:
    """A step in words: what happens, and who takes the trick."""
    return f"{step.say} {step.taken}".rstrip()


def step_reasons(step: ReplayStep, names: Sequence[str]) -> list[str]:
    """What a step does not say by itself, in sentences: who takes the trick and why, and what points are for."""
    gains = [
        gain_sentence(names[gain.seat], gain.points, gain.reason)
        for gain in step.gains
        if gain.reason
    ]
    return [step.taken, *gains] if step.taken else gains


def trick_starts(steps: Sequence[ReplayStep]) -> list[int]:
    """The steps at which a trick is led to, the deal first."""
    starts = [0]
    for number in range(1, len(steps)):
        if steps[number].trick != steps[number - 1].trick:
            starts.append(number)
    return starts


# From the frames of a deal to its steps.

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
        self.ranks = "".join(match.resolved.sheet.rules.pack.ranks)
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
        self._point_at_cards(comments)
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
            ranks="".join(sheet.rules.pack.ranks),
            no_trump="no trumps" if isinstance(sheet.rules.trumps, NoTrumps) else "no trumps yet",
            before=self.before,
            cards=card_labels(sorted(cards)),
            findings=self.findings,
            margin=comments,
            steps=self.steps,
            more=has_more,
            outcome=[] if has_more else self._outcome(),
        )

    def _point_at_cards(self, comments: DealComments) -> None:
        """Mark the cards that the comments on each step name."""
        named: dict[int, str] = defaultdict(str)
        told = [(each.step, each.text) for each in comments.notes]
        for step, text in (*told, *((each.step, each.text) for each in comments.lines)):
            named[step] += f" {text}"
        for number, text in named.items():
            if number < len(self.steps):
                self.steps[number] = point_at(self.steps[number], pointed_cards(text))

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
        trump = "" if position.trump is None else f": {SUIT_NAMES[position.trump]} are trumps"
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
