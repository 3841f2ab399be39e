"""The close of one deal reviewed: what every card and meld was worth, and what each cost.

Points are those of the deal, seat 0's less seat 1's, unless a decision says whose. A ruling stands apart, and so
does a dix, which scores whatever is played, but for one that is shown where that is a choice.
"""

from typing import NamedTuple, TypeGuard

import msgspec

from analyzer.annotate.solver.dix import close_solver_for, showing_dix_scores
from analyzer.annotate.solver.moves import Move, ValuedMove, best_line, make_move, value_moves
from analyzer.annotate.solver.position import ClosePosition, SearchLimitExceeded
from records.cards import FACE_OF
from records.engine.table import Table, TableStep
from records.events import AnyEvent, Dix, Irregular, Meld, Play
from records.replay import Frame
from records.rules.compiled import CompiledSheet

SOURCES_SCORED_APART = ("dix", "ruling")
"""What scores after the close without being played for."""


class CloseDecision(msgspec.Struct):
    """One choice after the close.

    `value` are the points still to come for the seat, less the other's, with best play; `ahead` how
    far seat 0 is ahead before it. `lost` is what it cost, `value_moves` all there was, the best first, `best_line` the
    best that could follow. What was not `lawful` may have lost less than nothing.
    """

    event: int
    seat: int
    ahead: int
    value: int
    did: Move
    lost: int
    ways: list[ValuedMove]
    line: list[Move]
    lawful: bool = True

    @property
    def outlook(self) -> int:
        """Seat 0's lead at the end of the deal, if both do their best from here."""
        return self.ahead + (-self.value if self.seat else self.value)


class CloseReview(msgspec.Struct):
    """The books of a close: `result` = `ahead` + `value` - what seat 0 lost + what seat 1 lost + `apart`.

    They open at `event`; `unsolved` decisions before it left more open than was to be searched, or like
    cards that could be told apart in too many ways to list.
    """

    event: int
    ahead: int
    value: int
    lost: list[int]
    apart: int
    result: int
    decisions: list[CloseDecision]
    unsolved: int = 0

    @property
    def balances(self) -> bool:
        """Whether the books come out even."""
        first, second = self.lost
        return self.result == self.ahead + self.value - first + second + self.apart


class CloseAction(NamedTuple):
    """Something done after the close: the positions before and after it, and seat 0's lead before."""

    event: int
    stand: ClosePosition
    ahead: int
    did: Move
    after: ClosePosition


class CloseReviewer:
    """Reads the frames of one deal of two seats, and reviews its close.

    At most so many `positions` are searched; all if it is None.
    """

    def __init__(self, book: CompiledSheet, positions: int | None) -> None:
        self.ending = close_solver_for(book, positions)
        self.shows = showing_dix_scores(book.sheet)
        self.before: tuple[ClosePosition, int] | None = None
        self.seen: list[CloseAction] = []
        self.unlisted = 0
        self.apart = 0
        self.result = 0

    def read(self, frame: Frame) -> None:
        """Take in a frame; both hands must be known."""
        table, event = frame.table, frame.event
        if not is_closed(table):
            return
        if not self.ending.lists(table):
            self.before = None
            self.unlisted += len(self.seen) + self._chooses(event)
            self.seen.clear()
            return
        if self.before is None or self._breaks(frame, self.before[0].close.seat):
            self.seen.clear()
            self.apart = 0
            self.before = self.ending.stand(table), table.points_lead()
            self.result = table.points[0] - table.points[1]
            return
        if not (isinstance(event, Dix) and self._chooses(event)):
            self.apart += sum(
                [
                    -a.points if a.seat else a.points
                    for a in frame.awards
                    if a.source in SOURCES_SCORED_APART
                ]
            )
        if self._chooses(event):
            stand, ahead = self.before
            after = self.ending.stand(table)
            self.seen.append(CloseAction(frame.index, stand, ahead, _ply(event, frame), after))
            self.before = after, table.points_lead() - self.apart
        self.result = table.points[0] - table.points[1]

    def _chooses(self, event: AnyEvent | None) -> TypeGuard[Play | Meld | Dix]:
        """Whether an event is a choice that the books hold: a card, a meld, a dix shown for points."""
        shown = self.shows and isinstance(event, Dix) and event.action == "show"
        return isinstance(event, Play | Meld) or shown

    def _breaks(self, frame: Frame, seat: int) -> bool:
        """Whether the thread is lost: a meld is taken back, or somebody acts who is not to act."""
        event = frame.event
        if self._chooses(event):
            return event.seat != seat
        return isinstance(event, Irregular) and event.what == "withdrawn_meld"

    def review(self, end: int) -> CloseReview | None:
        """The books of the close, `end` being the number of events; None if nothing was solved."""
        decisions: list[CloseDecision] = []
        seen = [*self.seen, *self._passed_over(end)]
        value, follow = 0, list[Move]()
        try:
            for each in reversed(seen):
                decision = self._decide(each, value, follow)
                decisions.append(decision)
                value = -decision.value if decision.seat else decision.value
                follow = decision.line
        except SearchLimitExceeded:
            pass
        if not decisions:
            return None
        first = decisions[-1]
        return CloseReview(
            event=first.event,
            ahead=first.ahead,
            value=value,
            lost=[sum([d.lost for d in decisions if d.seat == seat]) for seat in (0, 1)],
            apart=self.apart,
            result=self.result,
            decisions=decisions[::-1],
            unsolved=self.unlisted + len(seen) - len(decisions),
        )

    def _passed_over(self, end: int) -> list[CloseAction]:
        """The choice to meld nothing more after the last trick, where that could still be done."""
        if self.before is None or not self.before[0].melds:
            return []
        stand, ahead = self.before
        after = stand._replace(melds=0, rights=(None, None))
        return [CloseAction(end, stand, ahead, Move(stand.close.seat), after)]

    def _decide(self, seen: CloseAction, later: int, follow: list[Move]) -> CloseDecision:
        """One decision, `later` being the value of the position after it to seat 0, and `follow` its line."""
        stand, did, seat = seen.stand, seen.did, seen.stand.close.seat
        sign = -1 if seat else 1
        guess = sign * (self._scored(seen) + later)
        found = value_moves(self.ending, stand, guess)
        lawful, did, value = _find_choice(found, did, guess)
        best = max(found, key=lambda way: (way.value, way.ply == did))
        if best.ply != did:
            follow = best_line(self.ending, make_move(self.ending, stand, best)[1])
        return CloseDecision(
            event=seen.event,
            seat=seat,
            ahead=seen.ahead,
            value=best.value,
            did=did,
            lost=best.value - value,
            ways=sorted(found, key=lambda way: (-way.value, way.ply != best.ply)),
            line=[best.ply, *follow],
            lawful=lawful,
        )

    def _scored(self, seen: CloseAction) -> int:
        """What was scored for seat 0 by what was done."""
        if seen.did.card is not None:
            return self.ending.play(seen.stand, seen.did.card)[0]
        return -seen.did.points if seen.did.seat else seen.did.points


def is_closed(table: Table) -> bool:
    """Whether nothing is left to be drawn."""
    return not table.phase.draws and table.step in (TableStep.LEAD, TableStep.REPLY, TableStep.OVER)


def _ply(event: Play | Meld | Dix, frame: Frame) -> Move:
    if isinstance(event, Play):
        return Move(event.seat, event.card)
    source = "dix" if isinstance(event, Dix) else "meld"
    points = sum([award.points for award in frame.awards if award.source == source])
    if isinstance(event, Dix):
        return Move(event.seat, points=points, shows=frame.table.seven)
    return Move(event.seat, None, event.meld, tuple(event.cards), points)


def _find_choice(found: list[ValuedMove], did: Move, guess: int) -> tuple[bool, Move, int]:
    """Whether something was among the ways, under which name, and its value.

    A meld is valued by what followed, `guess`, and takes the place of the way it was: the record knows its
    cards better.
    """
    if did.meld is None:
        face = FACE_OF[did.card] if did.card else None
        same_ply = (did.card, did.shows), (face, did.shows)
        way = next(
            (w for w in found if w.ply.meld is None and (w.ply.card, w.ply.shows) in same_ply), None
        )
        return (True, way.ply, way.value) if way else (False, did, guess)
    same = [
        way
        for way in found
        if (way.ply.meld, way.ply.points) == (did.meld, did.points)
        and (not way.ply.cards or _are_named(way.ply.cards, did.cards))
    ]
    for way in same:
        found.remove(way)
    if same:
        found.append(ValuedMove(did, guess))
    return bool(same), did, guess


def _are_named(names: tuple[str, ...], cards: tuple[str, ...]) -> bool:
    """Whether cards are those named: by their labels where the names have any, else by their faces."""
    labelled = any(["." in name for name in names])
    return sorted(names) == sorted(cards if labelled else [FACE_OF[card] for card in cards])
