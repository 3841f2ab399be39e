"""Review the close of one deal: what every card and meld was worth, and what each choice cost.

Points are those of the deal, seat 0's minus seat 1's, unless a decision says otherwise. Rulings count apart,
and so do dixes, which score whatever is played; only a dix that a player chooses to show is a decision.

Decisions are valued from the last to the first: the solver's cache then already holds what may follow, and
the value and best line of the next decision serve as a guess for the one before.
"""

from typing import NamedTuple, TypeGuard

import msgspec

from analyzer.solver.close import (
    ClosePosition,
    SearchLimitExceeded,
    close_solver_for,
    showing_dix_scores,
)
from analyzer.solver.moves import Move, ValuedMove, best_line, make_move, value_moves
from records.cards import FACE_OF
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table, is_closed
from records.events import AnyEvent, Dix, Irregular, Meld, Play
from records.replay import Frame
from records.rules.compiled import CompiledSheet

SOURCES_SCORED_APART = ("dix", "ruling")
"""Sources of points after the close that do not depend on the decisions."""


class MatchScores(msgspec.Struct, frozen=True):
    """The score of a match after a deal, by seat: with best play of both from a decision on, and as it was played."""

    best: tuple[int, int]
    played: tuple[int, int]


class CloseDecision(msgspec.Struct):
    """One decision after the close.

    `ahead` is seat 0's lead before it. `value` is the points still to come for the seat minus the other's, with
    best play; `lost` is what the move made (`did`) cost. `ways` lists every move, the best first, and `line` is
    the best line of play. A move that is not `lawful` may have gained: `lost` is then negative. It is `certain`
    unless the melds may depend on which of like cards have scored: each meld that may have been possible counts then.
    `match` has both scores of the match where the seat would have won it with the best move, and did not.
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
    certain: bool = True
    match: MatchScores | None = None

    @property
    def outlook(self) -> int:
        """Seat 0's lead at the end of the deal with best play by both from here."""
        return self.ahead + (-self.value if self.seat else self.value)


class CloseReview(msgspec.Struct):
    """The review of a close; `result` = `ahead` + `value` - `lost[0]` + `lost[1]` + `apart`.

    It begins at `event`. `unsolved` decisions before that could not be solved: they would have exceeded the
    search limit, the cards had too many readings to list, or a meld only shown could still have made trumps.
    """

    event: int
    ahead: int
    value: int
    lost: list[int]
    apart: int
    result: int
    decisions: list[CloseDecision]
    unsolved: int = 0


class CloseAction(NamedTuple):
    """A move made after the close, with the position and seat 0's lead before it."""

    event: int
    position: ClosePosition
    ahead: int
    did: Move


class CloseReviewer:
    """Reads the frames of one two-player deal and reviews its close.

    At most `positions` positions are searched; None sets no limit.
    """

    def __init__(self, rules: CompiledSheet, positions: int | None) -> None:
        self.solver = close_solver_for(rules, positions)
        self.dix_is_a_choice = showing_dix_scores(rules.sheet)
        self.current: tuple[ClosePosition, int] | None = None
        self.actions: list[CloseAction] = []
        self.unlisted = 0
        self.apart = 0
        self.result = 0

    def read(self, frame: Frame) -> None:
        """Read a frame; both hands must be known."""
        table = table_at_close(frame.table)
        if table is None:
            return
        draws_are_made = table is frame.table
        # What is scored before the last draws is no decision after the close, and counts to the lead at it.
        event = frame.event if draws_are_made else None
        if not self.solver.knows_all_moves(table):
            # Which melds were possible is open: decisions so far cannot be valued, later ones may be.
            self.current = None
            self.unlisted += len(self.actions) + self._is_decision(event)
            self.actions.clear()
            return
        if (
            self.current is None
            or not draws_are_made
            or self._breaks_off(event, self.current[0].trick_position.seat)
        ):
            # The decision by which all moves became known was taken while they were not.
            if self.current is None and self.unlisted:
                self.unlisted += self._is_decision(event)
            self.actions.clear()
            self.apart = 0
            self.current = self.solver.position_at(table), table.points_lead()
            self.result = table.points[0] - table.points[1]
            return
        if not (isinstance(event, Dix) and self._is_decision(event)):
            self.apart += _points_apart(frame)
        if self._is_decision(event):
            move = _move_made(event, frame)
            self.actions.append(CloseAction(frame.index, *self.current, move))
            self.current = self.solver.position_at(table), table.points_lead() - self.apart
        self.result = table.points[0] - table.points[1]

    def _is_decision(self, event: AnyEvent | None) -> TypeGuard[Play | Meld | Dix]:
        """Whether an event is a decision to review: a card, a meld, a dix shown for points."""
        shown = self.dix_is_a_choice and isinstance(event, Dix) and event.action == "show"
        return isinstance(event, Play | Meld) or shown

    def _breaks_off(self, event: AnyEvent | None, seat: int) -> bool:
        """Whether the review must start again: a meld is taken back, or a player acts out of turn."""
        if self._is_decision(event):
            return event.seat != seat
        return isinstance(event, Irregular) and event.what == "withdrawn_meld"

    def review(self, end: int) -> CloseReview | None:
        """The review of the close, or None if no decision was solved; `end` is the number of events."""
        decisions: list[CloseDecision] = []
        actions = [*self.actions, *self._passed_over(end)]
        value, following = 0, list[Move]()
        try:
            for action in reversed(actions):
                decision = self._value_decision(action, value, following)
                decisions.append(decision)
                value = -decision.value if decision.seat else decision.value
                following = decision.line
        except SearchLimitExceeded:
            pass  # earlier decisions are larger: the review begins after them
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
            unsolved=self.unlisted + len(actions) - len(decisions),
        )

    def why_not(self, table: Table) -> str:
        """Why there is no review of the deal that ended at this table."""
        if not self.unlisted:
            return "There was no decision after the close."
        if self.solver.knows_all_readings(table):
            return "Nobody made trumps: what a meld only shown would have changed after the close is not examined."
        return (
            "The deal has too many readings: which melds were possible after the close stays open."
        )

    def _passed_over(self, end: int) -> list[CloseAction]:
        """The decision to meld nothing more after the last trick, where a meld was still possible."""
        if self.current is None or not self.current[0].melds:
            return []
        position, ahead = self.current
        return [CloseAction(end, position, ahead, Move(position.trick_position.seat))]

    def _value_decision(
        self, action: CloseAction, later: int, following: list[Move]
    ) -> CloseDecision:
        """Value one decision; `later` is the value to seat 0 of the position after it, `following` its best line."""
        position, did, seat = action.position, action.did, action.position.trick_position.seat
        sign = -1 if seat else 1
        guess = sign * (self._scored(action) + later)
        found = value_moves(self.solver, position, guess)
        lawful, did, value = _find_choice(found, did, guess)
        best = max(found, key=lambda move: (move.value, move.ply == did))
        if best.ply != did:
            following = best_line(self.solver, make_move(self.solver, position, best)[1])
        return CloseDecision(
            event=action.event,
            seat=seat,
            ahead=action.ahead,
            value=best.value,
            did=did,
            lost=best.value - value,
            ways=sorted(found, key=lambda move: (-move.value, move.ply != best.ply)),
            line=[best.ply, *following],
            lawful=lawful,
            certain=not self.solver.differs_by_reading(position),
        )

    def _scored(self, action: CloseAction) -> int:
        """The points the move made scored for seat 0."""
        if action.did.card is not None:
            return self.solver.after_card(action.position, action.did.card)[0]
        return -action.did.points if action.did.seat else action.did.points


def table_at_close(table: Table) -> Table | None:
    """The table after the close, with the last draws made where the record does not write them; None before the close.

    Draws not written are made with the next card that is played, so the decision which card that is comes after them.
    """
    if is_closed(table):
        return table
    if not table.draws_due or table.stock.left > len(table.draws_due):
        return None
    drawn = unchecked_stepper(table).table_after_draws()
    return drawn if is_closed(drawn) else None


def _points_apart(frame: Frame) -> int:
    """What a frame scores for seat 0 minus seat 1 by dixes and rulings."""
    return sum(
        [
            -award.points if award.seat else award.points
            for award in frame.awards
            if award.source in SOURCES_SCORED_APART
        ]
    )


def _move_made(event: Play | Meld | Dix, frame: Frame) -> Move:
    """An event as a move, with the points it scored."""
    if isinstance(event, Play):
        return Move(event.seat, event.card)
    source = "dix" if isinstance(event, Dix) else "meld"
    points = sum([award.points for award in frame.awards if award.source == source])
    if isinstance(event, Dix):
        return Move(event.seat, points=points, shows=frame.table.seven)
    return Move(event.seat, None, event.meld, tuple(event.cards), points)


def _find_choice(found: list[ValuedMove], did: Move, guess: int) -> tuple[bool, Move, int]:
    """Whether a move made was legal, the move as the solver names it, and its value.

    A meld made replaces the solver's own in `found`, with the value of what followed (`guess`): the record
    says which copies were melded, where the solver only knows the best ones.
    """
    if did.meld is None:
        face = FACE_OF[did.card] if did.card else None
        names = (did.card, did.shows), (face, did.shows)
        move = next(
            (m for m in found if m.ply.meld is None and (m.ply.card, m.ply.shows) in names), None
        )
        return (True, move.ply, move.value) if move else (False, did, guess)
    same_melds = [
        move
        for move in found
        if (move.ply.meld, move.ply.points) == (did.meld, did.points)
        and (not move.ply.cards or _are_named(move.ply.cards, did.cards))
    ]
    for move in same_melds:
        found.remove(move)
    if same_melds:
        found.append(ValuedMove(did, guess))
    return bool(same_melds), did, guess


def _are_named(names: tuple[str, ...], cards: tuple[str, ...]) -> bool:
    """Whether these are the cards named, compared by labels where the names have any, else by faces."""
    labelled = any(["." in name for name in names])
    return sorted(names) == sorted(cards if labelled else [FACE_OF[card] for card in cards])
