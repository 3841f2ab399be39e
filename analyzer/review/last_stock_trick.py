"""Value the last trick before the close, when one face-down card is left in the stock.

A seat knows its own hand, the cards played, and those of the other hand that it has seen (`analyzer.play.worlds`). One of the
cards it has not seen lies face down; the other player holds the rest. Each of them may be the face-down card, and
each is one case. For every case the trick, the melds after it and the whole close are solved, and a card's value is
the exact mean over the cases. The other player is assumed to know the case, so the mean is a guaranteed value.

Where a decision is not valued, a `LastStockGap` says why.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import msgspec

from analyzer.play.worlds import ShownCards
from analyzer.review.missed import PossibleScore, possible_score_of
from analyzer.solver.close import CloseSolver, SearchLimitExceeded, close_solver_for
from analyzer.solver.last_trick_cases import cases_of_last_trick, is_last_stock_trick
from analyzer.solver.stock_trick import StockTrickSolver
from records.engine.choices import legal_melds, legal_plays
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table, TableStep
from records.events import Play
from records.replay import Frame
from records.rules.vocabulary import TurnUp

WhyNotValued = Literal[
    "not-asked", "no-turn-up", "unknown-cards", "impossible-cards", "begins-after", "ends-before", "not-to-play",
    "too-many-readings", "too-many-positions",
]  # fmt: skip
WHY_NOT_VALUED: Mapping[WhyNotValued, str] = {
    "not-asked": "this analysis was made without it",
    "no-turn-up": "no card is turned up in this game, so two cards lie face down and not one",
    "unknown-cards": "the record does not show every card",
    "impossible-cards": "a hand has cards that it cannot have",
    "begins-after": "the record of the deal begins after it",
    "ends-before": "the record of the deal ends before it",
    "not-to-play": "the card was not the player's to play",
    "too-many-readings": "which of several like cards have served in melds stays open in too many ways",
    "too-many-positions": "it has more positions than the search may examine ({done:.0%} of the cases were solved)",
}
"""Why the last trick before the close, or one card of it, is not valued."""
REPLY_PART = 4
"""The reply may search this part of the limit. The lead has eight times as many plays to try, but their closes are alike."""
MOST_BEFORE_LAST_TRICK = 3
"""So many cards lie face down at most when the draws before the last trick of the stock are due."""
UNVALUED_TRICK = "The last trick before the close is not valued: {why}."
UNVALUED_LEAD = "The lead to the last trick before the close is not valued: {why}."
UNVALUED_REPLY = "The reply in the last trick before the close is not valued: {why}."


class CardValue(msgspec.Struct, frozen=True, omit_defaults=True):
    """A card and its mean value: the points to come for its seat minus the other's.

    `meld` is the highest meld its seat could make after taking the trick, `theirs` the highest the other
    seat could make after taking it.
    """

    card: str
    value: float
    meld: PossibleScore | None = None
    theirs: PossibleScore | None = None


class LastStockDecision(msgspec.Struct):
    """A decision in the last trick before the close; `cards` cards may be the one that lies face down.

    `lost` is what the card played (`did`) cost on average; `ways` lists every card, the best first.
    """

    event: int
    seat: int
    did: str
    lost: float
    cards: int
    ways: list[CardValue]


class LastStockGap(msgspec.Struct, frozen=True, omit_defaults=True):
    """A decision of the last trick before the close that is not valued, or the whole trick if it names no event.

    `why_not` says in words what `reason` says as a code. `done` is the part of the cases that was solved before the
    search reached its limit, from 0 to 1.
    """

    reason: WhyNotValued
    why_not: str
    event: int | None = None
    seat: int | None = None
    done: float = 0.0


def describe_reasons() -> dict[str, str]:
    """Every reason for a missing value in words, by its code; a share is written `n%`."""
    return {code: words.replace("{done:.0%}", "n%") for code, words in WHY_NOT_VALUED.items()}


def trick_gap(reason: WhyNotValued) -> LastStockGap:
    """The gap of a deal whose last trick before the close is not valued at all."""
    return LastStockGap(reason, UNVALUED_TRICK.format(why=WHY_NOT_VALUED[reason]))


def gap_sentences(gaps: Sequence[LastStockGap]) -> list[str]:
    """Why there are no values, in sentences: one where the lead and the reply have the same reason."""
    if len(gaps) > 1 and len({(gap.reason, gap.done) for gap in gaps}) == 1:
        why = WHY_NOT_VALUED[gaps[0].reason].format(done=gaps[0].done)
        return [UNVALUED_TRICK.format(why=why)]
    return [gap.why_not for gap in gaps]


class _PlayedCard(NamedTuple):
    """A card played in the trick: its event, the table before it, and the cards of the other hand its seat has seen."""

    event: int
    table: Table
    card: str
    shown: Counter[str]


class LastStockTrickWatch:
    """Reads the frames of one two-player deal and values both decisions of the last trick before the close.

    At most `positions` positions are searched; None sets no limit. `gained` has, by the event of a decision and by its
    cards, what seat 0 gains on seat 1 from there on: how many cases have each gain in points.
    """

    def __init__(self, positions: int | None) -> None:
        self.positions = positions
        self.positions_searched = 0
        self.found: list[LastStockDecision] = []
        self.gained: dict[int, dict[str, Counter[int]]] = {}
        self.gaps: list[LastStockGap] = []
        self._begins_before = False
        self._shown = ShownCards()
        self._played: list[_PlayedCard] = []
        self._table_before: Table | None = None

    def read(self, frame: Frame) -> None:
        """Read a frame."""
        table, event = frame.table, frame.event
        self._begins_before = self._begins_before or bool(table.phase.draws)
        self._shown.read(frame.event, frame.table)
        if isinstance(event, Play) and self._table_before is not None:
            before, self._table_before = self._table_before, None
            if event.seat == before.seat and event.card in before.held[event.seat]:
                shown = self._shown.of(before, 1 - event.seat)
                self._played.append(_PlayedCard(frame.index, before, event.card, shown))
            else:
                self.gaps.append(_gap("not-to-play", frame.index, event.seat, leads=_leads(before)))
        if table.stock.left > MOST_BEFORE_LAST_TRICK:
            return
        # Where the record does not write draws, those due are made with the next card that is played.
        drawn = unchecked_stepper(table).table_after_draws()
        if is_last_stock_trick(drawn):
            self._table_before = drawn.copy() if drawn is table else drawn
        elif drawn.stock.left == 0 and self._played:
            self._value_decisions(_find_face_down(self._played[0].table, drawn))

    def why_not(self, table: Table) -> WhyNotValued | None:
        """Why neither decision has a value or a gap of its own, given the last table; None if one has."""
        if self.found or self.gaps:
            return None
        if not isinstance(table.rules.written.trumps, TurnUp):
            return "no-turn-up"
        if table.phase.draws or self._played:
            return "ends-before"
        return "no-turn-up" if self._begins_before else "begins-after"

    def _value_decisions(self, face_down: str | None) -> None:
        """Value the decisions of the trick, now that the last face-down card is known.

        The reply comes first: it is far less work, and its answers serve the lead.
        """
        played, self._played = self._played, []
        if face_down is None:
            for card in played:
                self._add_gap("impossible-cards", card)
            return
        solver = close_solver_for(played[0].table.rules, self.positions)
        allowed = solver.positions_left
        # Without a limit there is nothing to keep for the lead.
        kept = 0 if self.positions is None else allowed - allowed // REPLY_PART
        solver.positions_left -= kept
        for card in reversed(played):
            if not solver.knows_all_moves(card.table):
                self._add_gap("too-many-readings", card)
                continue
            valuation = _Valuation(card, face_down, solver)
            try:
                self.found.insert(0, valuation.decision())
                self.gained[card.event] = valuation.gained
                solver.positions_left, kept = solver.positions_left + kept, 0
            except SearchLimitExceeded:
                # A lead has every reply to search: what is too much for the reply is too much for the lead.
                self._add_gap("too-many-positions", card, valuation.done)
        self.positions_searched += allowed - kept - max(0, solver.positions_left)

    def _add_gap(self, reason: WhyNotValued, card: _PlayedCard, done: float = 0.0) -> None:
        gap = _gap(reason, card.event, card.table.seat, leads=_leads(card.table), done=done)
        self.gaps.insert(0, gap)


def _leads(table: Table) -> bool:
    return table.step is TableStep.LEAD


def _gap(
    reason: WhyNotValued, event: int, seat: int, *, leads: bool, done: float = 0.0
) -> LastStockGap:
    sentence = UNVALUED_LEAD if leads else UNVALUED_REPLY
    why = WHY_NOT_VALUED[reason].format(done=done)
    return LastStockGap(reason, sentence.format(why=why), event, seat, round(done, 3))


def _find_face_down(before: Table, after: Table) -> str | None:
    """The card that lay face down: of the cards in the hands and under the stock after the draw, the one that is new.

    None if there is no such card, or more than one.
    """
    _, led, _, reply = after.trick.completed or (0, "", 0, "")
    drawn = _known_cards(after) - (_known_cards(before) - Counter([led, reply]))
    return next(iter(drawn)) if drawn.total() == 1 else None


def _known_cards(table: Table) -> Counter[str]:
    """The cards of both hands, the turn-up and the card led."""
    known = Counter(table.held[0]) + Counter(table.held[1])
    # The turn-up may still lie there after the first draw, and the card drawn may be like it.
    known.update(card for card in (table.stock.turn_up, table.trick.led) if card)
    return known


class _Valuation:
    """Values one decision; `done` is the part of the cases solved so far, card by card."""

    def __init__(self, played: _PlayedCard, face_down: str, solver: CloseSolver) -> None:
        self.played = played
        self.cases = cases_of_last_trick(played.table, played.shown, face_down)
        self.cards = legal_plays(played.table)
        self.trick_solver = StockTrickSolver(solver)
        self.gained: dict[str, Counter[int]] = {}
        self.solved = 0

    @property
    def done(self) -> float:
        """The part of the cases solved so far, from 0 to 1."""
        return self.solved / (len(self.cases) * len(self.cards))

    def decision(self) -> LastStockDecision:
        """The decision with the mean value of every card; raises SearchLimitExceeded."""
        table, played = self.played.table, self.played.card
        unseen_count = sum([case.copies for case in self.cases])
        ways = [
            CardValue(
                card, round(self._total(card) / unseen_count, 2), *_highest_melds(table, card)
            )
            for card in self.cards
        ]
        ways.sort(key=lambda way: -way.value)
        mine = next(way.value for way in ways if way.card == played)
        return LastStockDecision(
            event=self.played.event,
            seat=table.seat,
            did=played,
            lost=round(ways[0].value - mine, 2),
            cards=unseen_count,
            ways=ways,
        )

    def _total(self, card: str) -> int:
        """The points to come for the seat minus the other's if it plays this card, summed over all cases."""
        gained = self.gained[card] = Counter()
        for case in self.cases:
            lead = self.trick_solver.lead_after(case.table, card, case.card)
            gained[lead - case.table.points_lead()] += case.copies
            self.solved += 1
        total = sum(points * copies for points, copies in gained.items())
        return -total if self.played.table.seat else total


def _highest_melds(table: Table, card: str) -> tuple[PossibleScore | None, PossibleScore | None]:
    """The highest meld a card could bring its seat if it takes the trick, and the other seat if that does."""
    seat, after = table.seat, table.copy()
    unchecked_stepper(after).advance(Play(seat=seat, card=card))
    tables = [after]
    if after.step is TableStep.REPLY:
        replies = legal_plays(after)
        tables = [after.copy() for _ in replies]
        for replied, reply in zip(tables, replies, strict=True):
            unchecked_stepper(replied).advance(Play(seat=1 - seat, card=reply))
    mine, theirs = (
        [
            possible_score_of(*meld)
            for after_trick in tables
            if after_trick.melding.seat == winner
            for meld in legal_melds(after_trick)
        ]
        for winner in (seat, 1 - seat)
    )
    return max(mine, key=_points, default=None), max(theirs, key=_points, default=None)


def _points(could: PossibleScore) -> int:
    return could.points
