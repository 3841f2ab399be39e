"""What is exact in a deal: the decisions after the close and in the last trick before it, and the chances missed.

A decision is told on the scale of all reviews: the lead of its seat at the end of the deal.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from analyzer.review.close_review import CloseDecision, CloseReview, CloseReviewer
from analyzer.review.deep_review import (
    ChoiceKind,
    CloseSums,
    ReviewedChoice,
    ReviewedDeal,
    ReviewedDecision,
)
from analyzer.review.exact_values import hides_cards, why_unclear
from analyzer.review.last_stock_trick import (
    LastStockDecision,
    LastStockGap,
    LastStockTrickWatch,
    trick_gap,
)
from analyzer.review.match_turns import note_matches_lost
from analyzer.review.missed import MeldWatch, OtherChanceWatch, PossibleScore
from analyzer.review.winning import DealChances, ExactEnds, add_exact_chances
from analyzer.solver.close import show_all_sevens
from analyzer.solver.last_trick_cases import is_last_stock_trick
from analyzer.solver.moves import Move
from records.engine.stepper import unchecked_stepper
from records.engine.table import TableStep
from records.phrases import name_meld
from records.replay import Frame
from records.rules.compiled import CompiledSheet

LAST_STOCK_TRICK_FACTOR = 2
"""The last trick before the close may search this many times what a close may: many closes may follow it."""
SEARCH_ENDED = "The deals before this one have used up what the review of a record may cost."
NOT_PLAYED_OUT = "The deal was not played to its end."


class ExactDealReader:
    """Passes the frames of one deal between two to everything that is exact; its close is searched to so many positions.

    The last trick before it has a limit of its own. With `chances`, the choices of a deal that is played to its end get their
    chances of winning the match. `before` are the match points before the deal, as far as they are known.
    """

    def __init__(
        self,
        rules: CompiledSheet,
        positions: int,
        chances: DealChances | None = None,
        *,
        before: tuple[int, int] | None = None,
        last_trick: bool = True,
    ) -> None:
        self.positions = positions
        self.close = CloseReviewer(rules, positions)
        self.last_trick = LastStockTrickWatch(LAST_STOCK_TRICK_FACTOR * positions)
        self.melds, self.others = MeldWatch(), OtherChanceWatch()
        self.why_not = ""
        self._rules, self._chances, self._before = rules, chances, before
        self._values_last_trick = last_trick
        self._hides_cards = False
        self._leads: dict[int, int] = {}
        self._trumps: dict[int, str] = {}
        self._brisques: dict[int, tuple[int, int]] = {}
        self._last: Frame | None = None

    @property
    def searched(self) -> int:
        """How many positions have been searched, for the close and for the trick before it."""
        in_close = self.positions - max(0, self.close.solver.positions_left)
        return in_close + self.last_trick.positions_searched

    def read(self, frame: Frame) -> None:
        """Read a frame; from the first unknown card on nothing is exact."""
        self._last = frame
        if any(finding.code == "event-after-end" for finding in frame.findings):
            return  # nothing was decided by it: the deal was over
        if not self.why_not:
            self.why_not = why_unclear(frame.table)
            self._hides_cards = hides_cards(frame.table)
        if self.why_not:
            return
        self._trumps[frame.index + 1] = frame.table.trump or ""
        self._brisques[frame.index + 1] = frame.table.brisques[0], frame.table.brisques[1]
        if self._values_last_trick:
            self._read_last_trick(frame)
        self.melds.read(frame)
        self.others.read(frame)
        self.close.read(frame)

    def _read_last_trick(self, frame: Frame) -> None:
        self.last_trick.read(frame)
        drawn = unchecked_stepper(frame.table).table_after_draws()
        if is_last_stock_trick(drawn):
            # The values of the last trick count from a table on which every seven that may be shown has been.
            self._leads[frame.index + 1] = show_all_sevens(drawn.copy()).points_lead()

    def end(self, deal: int = 0) -> ReviewedDeal:
        """What is exact in the deal, and why not everything is."""
        if self._last is None:
            return ReviewedDeal(deal, [])
        table = self._last.table
        complete = not self.why_not and table.step is TableStep.OVER
        found = ReviewedDeal(deal, [], tainted=self._last.tainted, gaps=self._last_trick_gaps())
        missed = [*self.melds.end(complete=complete), *self.others.end(complete=complete)]
        if not table.misdealt:  # it counts for nothing
            found.won = self.melds.won
            found.missed = sorted(missed, key=lambda each: each.last)
        found.decisions = [
            reviewed_last_trick(decision, self._leads[decision.event])
            for decision in self.last_trick.found
            if decision.event in self._leads
        ]
        found.why_no_close = self.why_not or ("" if complete else NOT_PLAYED_OUT)
        if complete:
            self._add_close(found)
        for decision in (*found.decisions, *found.broken):
            decision.trump = self._trumps[decision.event]
            if complete and self._chances is not None:
                self._add_chances(decision, self._chances, sum(table.points))
        return found

    def _add_close(self, found: ReviewedDeal) -> None:
        """Add the decisions after the close, which were all made."""
        assert self._last is not None
        table = self._last.table
        close = self.close.review(len(table.events))
        if close is None:
            is_cut = self.close.actions and not self.positions
            found.why_no_close = SEARCH_ENDED if is_cut else self.close.why_not(table)
            return
        if self._before is not None:
            note_matches_lost(close, table, self._before)
        found.close = close_sums(close)
        lines = [*[decision.line for decision in close.decisions[1:]], []]
        for decision, following in zip(close.decisions, lines, strict=True):
            into = found.decisions if decision.lawful else found.broken
            into.append(reviewed_close_decision(decision, close.apart))
            if decision.lawful and decision.lost:
                _note_melds_at_stake(into[-1], [decision.did, *following])

    def _add_chances(self, decision: ReviewedDecision, chances: DealChances, together: int) -> None:
        pack, is_brisque = self._rules.copies, self._rules.is_brisque
        taken = self._brisques[decision.event]
        ends = ExactEnds(
            leads=[self._leads_after(decision, choice) for choice in decision.choices],
            together=together,
            taken=taken,
            left=sum(copies for face, copies in pack.items() if is_brisque[face]) - sum(taken),
        )
        add_exact_chances(decision, ends, chances)
        if decision.match is not None:
            _win_with_best(decision)

    def _leads_after(self, decision: ReviewedDecision, choice: ReviewedChoice) -> Mapping[int, int]:
        """The leads of seat 0 at the end after a choice, with the number of cases that have each."""
        if decision.phase == "last_trick":
            gained = self.last_trick.gained[decision.event][choice.cards[0]]
            return {decision.ahead + points: cases for points, cases in gained.items()}
        return {round(-choice.value if decision.seat else choice.value): 1}

    def _last_trick_gaps(self) -> list[LastStockGap]:
        """Why decisions of the last trick before the close are not valued."""
        if not self._values_last_trick:
            return [trick_gap("not-asked")]
        assert self._last is not None
        reason = self.last_trick.why_not(self._last.table)
        if self.why_not and reason in ("begins-after", "ends-before"):
            reason = "unknown-cards" if self._hides_cards else "impossible-cards"
        return [trick_gap(reason)] if reason else self.last_trick.gaps


def _win_with_best(decision: ReviewedDecision) -> None:
    """Let the best choice win the match for sure, where it does: what both make together may be more than they made."""
    best, *others = decision.choices
    best.chance, best.chance_error = 1.0, 0.0
    for each in others:
        if each.chance is not None:
            each.chance_behind = round(1 - each.chance, 4)
            each.chance_behind_error = each.chance_error


def reviewed_last_trick(decision: LastStockDecision, lead: int) -> ReviewedDecision:
    """A decision of the last trick before the close on the scale of the deal's end; `lead` is that of seat 0 before it."""
    ahead, best = lead_of_seat(lead, decision.seat), decision.ways[0].value
    choices = [
        ReviewedChoice(
            "play",
            [way.card],
            round(ahead + way.value, 2),
            behind=round(best - way.value, 2),
            worlds=decision.cards,
            may_meld=way.meld,
            may_allow=way.theirs,
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
        grade="only" if len(choices) == 1 else "best",
        certain=True,
        lost=choices[chosen].behind,
        ahead=lead,
    )


def reviewed_close_decision(decision: CloseDecision, apart: int) -> ReviewedDecision:
    """A decision on the scale of the deal's end; what was done against the rules comes last of its choices."""
    ahead = lead_of_seat(decision.ahead + apart, decision.seat)
    choices = [
        _close_choice(way.ply, ahead + way.value, decision.value - way.value)
        for way in decision.ways
    ]
    if decision.lawful:
        chosen = next(place for place, way in enumerate(decision.ways) if way.ply == decision.did)
    else:
        chosen = len(choices)
        made = ahead + decision.value - decision.lost
        choices.append(_close_choice(decision.did, made, decision.lost))
    return ReviewedDecision(
        event=decision.event,
        seat=decision.seat,
        phase="close",
        choices=choices,
        chosen=chosen,
        grade="only" if len(choices) == 1 else "best",
        certain=True,
        lost=float(decision.lost),
        ahead=decision.ahead,
        line=decision.line,
        match=decision.match,
        doubtful=not decision.certain,
        lawful=decision.lawful,
    )


def _note_melds_at_stake(decision: ReviewedDecision, line: Sequence[Move]) -> None:
    """Note the dearest meld that the best line of play has for the seat, and not that after its choice; for the other the reverse."""
    best, made = (Counter(_melds_in(each)) for each in (decision.line, line))
    own = [meld for meld in best - made if meld.seat == decision.seat]
    others = [meld for meld in made - best if meld.seat != decision.seat]
    decision.best.may_meld, decision.made.may_allow = _dearest(own), _dearest(others)


def _melds_in(line: Sequence[Move]) -> Iterator[Move]:
    """The melds of a line, whichever of like cards make them."""
    return (msgspec.structs.replace(move, cards=()) for move in line if move.meld)


def _dearest(melds: Sequence[Move]) -> PossibleScore | None:
    if not melds:
        return None
    dearest = max(melds, key=lambda move: move.points)
    name = dearest.meld or ""
    return PossibleScore(name, name_meld(name), (), dearest.points)


def close_sums(close: CloseReview) -> CloseSums:
    """The sums of a close, without its decisions."""
    return msgspec.convert(close, CloseSums, from_attributes=True)


def lead_of_seat(lead: int, seat: int) -> int:
    """A lead of seat 0 as that of a seat."""
    return -lead if seat else lead


def _close_choice(move: Move, value: int, behind: int) -> ReviewedChoice:
    return ReviewedChoice(
        _kind_of(move),
        _cards_of(move),
        float(value),
        behind=float(behind),
        meld=move.meld or "",
        points=move.points,
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


def close_decisions(deal: ReviewedDeal) -> Iterator[ReviewedDecision]:
    """The decisions after the close, those against the rules among them, in the order of play."""
    found = [each for each in deal.decisions if each.phase == "close"]
    return iter(sorted([*found, *deal.broken], key=lambda each: each.event))
