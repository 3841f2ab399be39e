"""The decisions whose values are exact: all after the close, and the cards of the last trick before it."""

from collections.abc import Iterator, Mapping, Sequence

from analyzer.annotate.annotator import LAST_STOCK_TRICK_FACTOR
from analyzer.annotate.close_review import CloseDecision, CloseReview, CloseReviewer
from analyzer.annotate.last_stock_trick import (
    LastStockDecision,
    LastStockTrickWatch,
    is_last_stock_trick,
)
from analyzer.annotate.solver.dix import show_all_sevens
from analyzer.annotate.solver.moves import Move
from analyzer.annotate.words import describe_decision, describe_last_stock_decision
from analyzer.deep_review.deep_review import ChoiceKind, ReviewedChoice, ReviewedDecision
from analyzer.deep_review.winning.choice_chances import ExactEnds, add_exact_chances
from analyzer.deep_review.winning.match_chances import DealChances
from records.engine.stepper import unchecked_stepper
from records.engine.table import TableStep
from records.phrases import pluralize
from records.replay import Frame
from records.rules.compiled import CompiledSheet

NOT_PLAYED_OUT = (
    "The deal was not played to its end, so nothing after the close has an exact value."
)
UNSOLVED = "After the close, {decisions} would take a longer search."


class ExactDecisionReader:
    """Reads the frames of a deal between two, every card of which is known."""

    def __init__(
        self, rules: CompiledSheet, positions: int, chances: DealChances | None = None
    ) -> None:
        """With `chances`, the choices of a deal that is played to its end get their chances of winning the match."""
        self._rules, self._chances = rules, chances
        self._close = CloseReviewer(rules, positions)
        self._last_trick = LastStockTrickWatch(LAST_STOCK_TRICK_FACTOR * positions)
        self._leads: dict[int, int] = {}
        self._trumps: dict[int, str] = {}
        self._brisques: dict[int, tuple[int, int]] = {}
        self._last: Frame | None = None

    def read(self, frame: Frame) -> None:
        """Read a frame."""
        self._last = frame
        self._trumps[frame.index + 1] = frame.table.trump or ""
        self._brisques[frame.index + 1] = frame.table.brisques[0], frame.table.brisques[1]
        self._close.read(frame)
        self._last_trick.read(frame)
        drawn = unchecked_stepper(frame.table).table_after_draws()
        if is_last_stock_trick(drawn):
            # The values of the last trick count from a table on which every seven that may be shown has been.
            self._leads[frame.index + 1] = show_all_sevens(drawn.copy()).points_lead()

    def end(self, names: Sequence[str]) -> tuple[list[ReviewedDecision], str]:
        """The decisions, in the order of their events, and why some after the close are missing."""
        found, why_not = self._decisions(names)
        for decision in found:
            decision.trump = self._trumps[decision.event]
            self._add_chances(decision)
        return found, why_not

    def _add_chances(self, decision: ReviewedDecision) -> None:
        if (
            self._chances is None
            or self._last is None
            or self._last.table.step is not TableStep.OVER
        ):
            return
        pack, is_brisque = self._rules.copies, self._rules.is_brisque
        taken = self._brisques[decision.event]
        ends = ExactEnds(
            leads=[self._leads_after(decision, choice) for choice in decision.choices],
            together=sum(self._last.table.points),
            taken=taken,
            left=sum(copies for face, copies in pack.items() if is_brisque[face]) - sum(taken),
        )
        add_exact_chances(decision, ends, self._chances)

    def _leads_after(self, decision: ReviewedDecision, choice: ReviewedChoice) -> Mapping[int, int]:
        """The leads of seat 0 at the end after a choice, with the number of cases that have each."""
        if decision.phase == "last_trick":
            lead = self._leads[decision.event]
            gained = self._last_trick.gained[decision.event][choice.cards[0]]
            return {lead + points: cases for points, cases in gained.items()}
        return {round(-choice.value if decision.seat else choice.value): 1}

    def _decisions(self, names: Sequence[str]) -> tuple[list[ReviewedDecision], str]:
        found = [
            _last_trick_decision(decision, self._leads[decision.event], names)
            for decision in self._last_trick.found
            if len(decision.ways) > 1 and decision.event in self._leads
        ]
        if self._last is None or not self._close.actions:
            return found, ""
        if self._last.table.step is not TableStep.OVER:
            return found, NOT_PLAYED_OUT
        close = self._close.review(len(self._last.table.events))
        if close is None:
            return found, self._close.why_not(self._last.table)
        return (
            [*found, *_close_decisions(close, names)],
            UNSOLVED.format(decisions=pluralize(close.unsolved, "decision"))
            if close.unsolved
            else "",
        )


def _last_trick_decision(
    decision: LastStockDecision, lead: int, names: Sequence[str]
) -> ReviewedDecision:
    ahead = -lead if decision.seat else lead
    best = decision.ways[0].value
    choices = [
        ReviewedChoice(
            "play",
            [way.card],
            round(ahead + way.value, 2),
            behind=round(best - way.value, 2),
            worlds=decision.cards,
        )
        for way in decision.ways
    ]
    chosen = next(place for place, way in enumerate(decision.ways) if way.card == decision.did)
    if choices[chosen].behind == 0:
        choices.insert(0, choices.pop(chosen))
        chosen = 0
    return ReviewedDecision(
        event=decision.event,
        seat=decision.seat,
        phase="last_trick",
        choices=choices,
        chosen=chosen,
        grade="best",
        certain=True,
        lost=choices[chosen].behind,
        why=describe_last_stock_decision(decision, names) if choices[chosen].behind else "",
    )


def _close_decisions(close: CloseReview, names: Sequence[str]) -> Iterator[ReviewedDecision]:
    """The lawful decisions after the close; those who broke a rule had no such choice."""
    for decision in close.decisions:
        if len(decision.ways) > 1 and decision.lawful:
            yield _close_decision(decision, close.apart, names)


def _close_decision(decision: CloseDecision, apart: int, names: Sequence[str]) -> ReviewedDecision:
    ahead = decision.ahead + apart
    ahead = -ahead if decision.seat else ahead
    choices = [
        ReviewedChoice(
            _kind_of(way.ply),
            _cards_of(way.ply),
            float(ahead + way.value),
            behind=float(decision.value - way.value),
            meld=way.ply.meld or "",
        )
        for way in decision.ways
    ]
    chosen = next(place for place, way in enumerate(decision.ways) if way.ply == decision.did)
    return ReviewedDecision(
        event=decision.event,
        seat=decision.seat,
        phase="close",
        choices=choices,
        chosen=chosen,
        grade="best",
        certain=True,
        lost=float(decision.lost),
        why=describe_decision(decision, names) if decision.lost else "",
    )


def _kind_of(move: Move) -> ChoiceKind:
    if move.card is not None:
        return "play"
    if move.shows is not None:
        return "show"
    return "meld" if move.meld is not None else "hold_back"


def _cards_of(move: Move) -> list[str]:
    if move.meld is not None:
        return list(move.cards)
    return [card for card in (move.card, move.shows) if card is not None]
