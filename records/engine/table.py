"""The table: everything that is so after an event."""

from copy import copy
from dataclasses import dataclass
from operator import add
from typing import Any

from records.engine.copies import ReadingBudget, Readings, ReadingTracking
from records.engine.copy_history import ReadingsWithHistory
from records.engine.deal_state import (
    NO_TABLEAU,
    Award,
    DealKnowledge,
    HiddenCards,
    MeldUndo,
    StatedClaims,
    Tableau,
    TurnUndo,
    copied_claims,
    copied_hidden_cards,
    copied_tableau,
)
from records.engine.deal_state import TableStep as TableStep
from records.engine.reading_sat import unmarked_readings
from records.engine.readings import NOTHING_MARKED, marked_cards
from records.rules.compiled import CompiledSheet
from records.rules.settlement import settle_deal
from records.rules.tricks import NO_CARDS
from records.rules.vocabulary import BrisqueCount, OneDeal

# Bound once: to read a member of an enumeration costs more than to compare it.
LEAD, REPLY, DRAW, COMBINE, DISCARD, OVER = (
    TableStep.LEAD,
    TableStep.REPLY,
    TableStep.DRAW,
    TableStep.COMBINE,
    TableStep.DISCARD,
    TableStep.OVER,
)

# The stock: the cards left to be drawn, and which of them comes next.


@dataclass(slots=True)
class Stock:
    """The cards left to be drawn: how many lie face down, in which order if the record says, and the turn-up.

    `turn_up_spent` says that the turn-up is a seven that has scored. The order never changes in place.
    """

    left: int = 0
    order: list[str] | None = None
    turn_up: str | None = None
    turn_up_spent: bool = False

    @property
    def with_turn_up(self) -> int:
        """How many cards are left to be drawn, the turn-up among them."""
        return self.left + (self.turn_up is not None)

    def copy(self) -> "Stock":
        """The same stock, to draw from apart."""
        return Stock(self.left, self.order, self.turn_up, self.turn_up_spent)

    def next_card(self) -> str | None:
        """The card that is drawn next: the top of the stock, then the turn-up; None if it is not known."""
        return self.card_with(self.left) if self.left else self.turn_up

    def card_with(self, left: int) -> str | None:
        """The top of the stock when so many cards lie face down; None if it is not known."""
        order = self.order
        return order[-left] if order is not None and 0 < left <= len(order) else None


# The trick and the melds at a table.


@dataclass(slots=True)
class CurrentTrick:
    """The trick in progress, and the last one completed.

    `led` is None before the lead. `winner` took the last trick; None from the next lead on. `completed` is
    the last trick's leader and card, then the last seat and its card. With more than two seats, `replies` lie on the
    lead, each a seat and its card, and those of the last trick lie `between` its first card and its last.
    `winner_claimed`: whether the record has named its winner. `winner_open`: its cards leave open who won, so
    `winner` is only what later events suggest.
    """

    leader: int
    led: str | None = None
    winner: int | None = None
    completed: tuple[int, str, int, str] | None = None
    winner_claimed: bool = False
    winner_open: bool = False
    replies: tuple[tuple[int, str], ...] = ()
    between: tuple[tuple[int, str], ...] = ()

    def copy(self) -> "CurrentTrick":
        """The same trick, to go on from."""
        return CurrentTrick(
            self.leader,
            self.led,
            self.winner,
            self.completed,
            self.winner_claimed,
            self.winner_open,
            self.replies,
            self.between,
        )


@dataclass(slots=True)
class Melding:
    """Who may meld now, of which cards, and what each seat has melded.

    `seat` may meld, `left` times. `cards` are the cards each seat melds from, `readings` what is known of
    their copies, and `marked` those that are told apart: the very objects of the table's hands or, where
    melds are made of captured cards, of its captures. `laid` lists a seat's cards on the table as (number
    of the meld, its name, card), `scored` its melds as (kind, number of cards), and `scored_at` the event of
    each, -1 for a meld of the setup. `checked` is the meld that a check has just looked at and the readings
    after it, so that applying it need not search again.
    """

    cards: list[dict[str, int]]
    readings: list[Readings]
    marked: list[frozenset[str]]
    laid: list[list[tuple[int, str, str]]]
    scored: list[list[tuple[str, int]]]
    scored_at: list[list[int]]
    seat: int | None = None
    left: int = 0
    checked: tuple[object, Readings] | None = None
    undo: MeldUndo | TurnUndo | None = None

    def copy_with(
        self, cards: list[dict[str, int]], readings: list[Readings], marked: list[frozenset[str]]
    ) -> "Melding":
        """The same melds at another table, made of its cards."""
        laid, scored, at = self.laid, self.scored, self.scored_at
        if len(laid) == 2:
            laid, scored = [laid[0][:], laid[1][:]], [scored[0][:], scored[1][:]]
            at = [at[0][:], at[1][:]]
        else:
            laid, scored, at = list(map(list, laid)), list(map(list, scored)), list(map(list, at))
        return Melding(
            cards, readings, marked, laid, scored, at, self.seat, self.left, self.checked, self.undo
        )


PlayedTrick = tuple[int, bool, int, int, int, bool | None]
"""A completed trick: the event that completed it, whether it was closed, who led, who won, its brisques, and
whether a brisque was led that the reply could legally have taken and did not (None: not fully known).
"""

TrickLog = list[int | None]
"""The tricks completed, six values for each in one flat list: it takes less memory than a tuple for each."""


def trick_log_columns(log: TrickLog) -> list[list[Any]]:
    """What the tricks of a log have in each of the six places."""
    return [log[place::6] for place in range(6)]


TABLE_MEMBERS = (
    "awards", "beaters", "blanche_chains", "brisques", "captured", "claims", "closed_tricks",
    "counts_nothing", "dealer", "draws_due", "earned", "events", "held", "hidden", "index", "knowledge",
    "marked", "melding", "misdealt",
    "names", "not_in_pack", "partners", "phase", "phase_no", "points", "points_to_win", "readings", "rules",
    "seat", "seats", "seven", "seven_played", "sevens", "step", "stock", "tableau", "tracking",
    "trick", "trick_log", "tricks", "trump", "trump_at", "unseen", "whole_close", "won",
)  # fmt: skip


class Table:
    """The live table of one deal; `records.engine.effects` changes it, everything else reads it.

    `held` counts the cards a seat has, in hand and laid; `readings` says which copies of them are marked,
    and `marked` lists those cards. `unseen` counts the cards nobody has seen yet; `not_in_pack` lists
    cards that the pack does not have. `beaters`, `seven` and `sevens` (with labels) follow from the trump
    suit, which event `trump_at` made, -1 for the deal itself; `seven_played` are the seats whose last card was a seven of trumps, with that card and the points
    that may be claimed for it. `seat` is to act; `draws_due` are the seats that still draw. `closed_tricks`
    counts the tricks won after the close by seat, all of them if `whole_close`. `won` and `brisques` are what
    each seat has taken, `captured` the same cards counted where melds are made of them. `earned` are the
    bonuses by seat and name. `misdealt` says that the deal was declared a misdeal, and counts for nothing.
    `points_to_win` are the seats of a side and what it needs, where play stops at once. `partners` are by seat the
    others who may meld after a trick that it has won; empty where only the winner may. `trick_log` keeps the
    tricks completed, where a reader asks for them. `events` are those of the record, `index` the one at hand;
    it `counts_nothing` if it is illegal and not excused.
    """

    __slots__ = TABLE_MEMBERS

    def __init__(
        self, rules: CompiledSheet, names: list[str], budget: ReadingBudget, *, dealer: int
    ) -> None:
        self.rules, self.dealer, self.names = rules, dealer, names
        self.seats = seats = len(names)
        # A table is made for every deal, nearly always for two seats: literals take a third of the time of comprehensions.
        self.held: list[dict[str, int]] = [{}, {}]
        self.captured: list[dict[str, int]] = [{}, {}]
        self.won: list[list[str]] = [[], []]
        self.hidden = HiddenCards([[], []], [[], []])
        for _ in range(seats - 2):
            self.held.append({})
            self.captured.append({})
            self.won.append([])
            self.hidden.given.append([])
            self.hidden.revealed.append([])
        self.tracking = ReadingTracking(budget)
        self.readings: list[Readings] = unmarked_readings(rules, seats, budget)
        self.marked: list[frozenset[str]] = [NO_CARDS] * seats
        self.unseen: dict[str, int] = dict(rules.copies)
        self.not_in_pack: list[str] = []
        self.stock = Stock()
        self.trump: str | None = None
        self.seven: str | None = None
        self.beaters = rules.beaters(None)
        self.sevens: frozenset[str] = frozenset()
        self.seven_played: dict[int, tuple[str, int]] = {}
        self.phase_no, self.phase = 0, rules.phases[0]
        self.step = TableStep.LEAD
        self.seat = (dealer + 1) % seats
        self.draws_due: tuple[int, ...] = ()
        self.trick = CurrentTrick(self.seat)
        self.tricks, self.whole_close, self.index, self.trump_at = 0, True, -1, -1
        self.points, self.brisques, self.closed_tricks = [0] * seats, [0] * seats, [0] * seats
        self.melding = self._melding()
        self.awards: list[Award] = []
        self.earned: dict[tuple[int, str], int] = {}
        self.points_to_win: list[tuple[list[int], int]] = []
        self.partners: list[tuple[int, ...]] = []
        self.blanche_chains: list[str] = []
        self.tableau = _tableau(rules)
        self.knowledge, self.claims = DealKnowledge(), StatedClaims(brisques=[0] * seats)
        self.trick_log: TrickLog | None = None
        self.events: list[Any] = []
        self.misdealt = self.counts_nothing = False

    def _melding(self) -> Melding:
        laid: list[list[tuple[int, str, str]]] = [[], []]
        scored: list[list[tuple[str, int]]] = [[], []]
        scored_at: list[list[int]] = [[], []]
        for _ in range(self.seats - 2):
            laid.append([])
            scored.append([])
            scored_at.append([])
        if not self.rules.melds_captured:
            return Melding(self.held, self.readings, self.marked, laid, scored, scored_at)
        unmarked = [NOTHING_MARKED] * self.seats, [NO_CARDS] * self.seats
        return Melding(self.captured, *unmarked, laid, scored, scored_at)

    def copy(self) -> "Table":
        """A table to go on from, this one untouched."""
        # Member by member: a game copies its table at every move, and a loop over their names takes six times as long.
        other = Table(self.rules, self.names, self.tracking.budget, dealer=self.dealer)
        other.trump = self.trump
        other.trump_at = self.trump_at
        other.beaters = self.beaters
        other.seven = self.seven
        other.sevens = self.sevens
        other.phase = self.phase
        other.phase_no = self.phase_no
        other.step = self.step
        other.seat = self.seat
        other.draws_due = self.draws_due
        other.points_to_win = self.points_to_win
        other.partners = self.partners
        other.index = self.index
        other.tricks = self.tricks
        other.whole_close = self.whole_close
        other.misdealt = self.misdealt
        other.counts_nothing = self.counts_nothing
        other.events = []
        other.trick = self.trick.copy()
        other.stock = self.stock.copy()
        other.points = self.points[:]
        other.brisques = self.brisques[:]
        other.closed_tricks = self.closed_tricks[:]
        other.awards = self.awards[:]
        other.earned = self.earned.copy()
        other.blanche_chains = self.blanche_chains[:]
        other.seven_played = self.seven_played.copy()
        other.trick_log = None if self.trick_log is None else self.trick_log[:]
        other.hidden = copied_hidden_cards(self.hidden)
        other.tableau = copied_tableau(self.tableau)
        other.knowledge = copy(self.knowledge)
        other.claims = copied_claims(self.claims)
        self._copy_cards_to(other)
        return other

    def _copy_cards_to(self, other: "Table") -> None:
        """The cards and what is known of them; melds come from the cards held or captured: those of the other table."""
        other.tracking = self.tracking.copy()
        other.unseen = self.unseen.copy()
        other.not_in_pack = self.not_in_pack[:]
        held, won = self.held, self.won
        if len(held) == 2:
            other.held = [held[0].copy(), held[1].copy()]
            other.won = [won[0][:], won[1][:]]
        else:
            other.held = [cards.copy() for cards in held]
            other.won = [cards[:] for cards in won]
        other.readings = self.readings[:]
        other.marked = self.marked[:]
        melding = self.melding
        if self.rules.melds_captured:
            other.captured = [cards.copy() for cards in self.captured]
            readings, marked = melding.readings[:], melding.marked[:]
            other.melding = melding.copy_with(other.captured, readings, marked)
        else:
            other.captured = self.captured
            other.melding = melding.copy_with(other.held, other.readings, other.marked)

    @property
    def assignments(self) -> int:
        """The number of ways in which the copies that look alike can still be told apart."""
        count = 1
        for readings in self.readings:
            count *= len(readings)
        if self.rules.melds_captured:
            for readings in self.melding.readings:
                count *= len(readings)
        return count

    @property
    def tricks_won(self) -> list[int]:
        """How many tricks each seat has taken."""
        return [len(cards) // self.seats for cards in self.won]

    def set_readings(self, seat: int, readings: Readings) -> None:
        """Keep these readings for a seat, and what follows from them."""
        self.readings[seat] = readings
        self.marked[seat] = marked_cards(readings)
        if len(readings) > 1:
            self._count_assignments(readings)

    def set_meld_readings(self, seat: int, readings: Readings) -> None:
        """Keep these readings of the cards a seat melds from: those it holds, or has captured."""
        self.melding.readings[seat] = readings
        self.melding.marked[seat] = marked_cards(readings)
        if len(readings) > 1:
            self._count_assignments(readings)

    def _count_assignments(self, readings: Readings) -> None:
        # Where a history is kept, its steps have paid.
        if type(readings) is not ReadingsWithHistory:
            self.tracking.pay_for_readings(len(readings), len(readings[0]))
        self.tracking.largest = max(self.tracking.largest, self.assignments)

    def set_trump(self, trump: str | None) -> None:
        """Fix the trump suit, and with it which card takes which."""
        if trump != self.trump:
            self.trump_at = -1 if trump is None else self.index
        self.trump = trump
        self.beaters = self.rules.beaters(trump)
        if self.rules.written.dix is not None and trump is not None:
            self.seven = "7" + trump
            self.sevens = self.rules.sevens[trump]

    def leave_open(
        self, *, points: bool = False, brisques: bool = False, bonus: str | None = None
    ) -> None:
        """The record shows too little at the event at hand: of a card, and perhaps of points or brisques, too."""
        knowledge = self.knowledge
        knowledge.uncertain = True
        if knowledge.open_since is None:
            knowledge.open_since = self.index
        knowledge.brisques_open = knowledge.brisques_open or brisques
        if bonus is not None:
            knowledge.bonuses_open |= {bonus}
        if points or bonus is not None:
            knowledge.points_open = True

    @property
    def is_over(self) -> bool:
        """Whether no card is left to be played: the last one was, or it was a misdeal."""
        return self.misdealt or self.step is TableStep.OVER

    @property
    def are_points_open(self) -> bool:
        """Whether the record leaves open what some seat has scored in this deal, counted brisques included."""
        knowledge = self.knowledge
        if self.misdealt:
            return False
        if knowledge.points_open or (knowledge.partial and self.step is not TableStep.OVER):
            return True
        return knowledge.brisques_open and self.rules.brisque_rule.count is not BrisqueCount.NEVER

    @property
    def deal_points(self) -> list[int]:
        """What each seat adds to the scores of the match: its points, with brisques that count to settle it."""
        if self.rules.brisque_rule.count is not BrisqueCount.TO_SETTLE:
            return self.points
        counted = [self.earned.get((seat, "brisques"), 0) for seat in range(self.seats)]
        return list(map(add, self.points, counted))

    def count_brisques_to_settle(self) -> None:
        """Let brisques be earned if they count to settle the deal at its points (C15); they score nothing by themselves."""
        brisques, game = self.rules.brisque_rule, self.rules.written.match
        if brisques.count is not BrisqueCount.TO_SETTLE or not isinstance(game, OneDeal):
            return
        taken = [self.brisque_points(seat) for seat in range(self.seats)]
        counted = settle_deal(game, self.points, taken).brisques_count
        for seat, points in enumerate(taken):
            if counted:
                self.earned[seat, "brisques"] = points
            else:
                self.earned.pop((seat, "brisques"), None)

    def award(self, seat: int, source: str, points: int, name: str = "") -> None:
        """Give a seat points by the rules."""
        self.awards.append(Award(seat, source, points, name, self.index))
        self.points[seat] += points

    def state(self, what: str, claimed: int | None, computed: int | None) -> None:
        """Keep the points a record claims at the event at hand beside those computed."""
        if claimed is not None:
            self.claims.points.append((self.index, what, claimed, computed))

    def brisque_points(self, seat: int) -> int:
        """What the brisques in a seat's tricks are worth so far, in points."""
        return self.rules.brisque_rule.points * self.brisques[seat]

    def points_lead(self) -> int:
        """Seat 0's lead over seat 1 in points, the brisques among them that are counted at the end."""
        lead = self.points[0] - self.points[1]
        if self.step is TableStep.OVER:
            return lead
        worth = self.rules.brisque_rule.points_at_the_end
        return lead + worth * (self.brisques[0] - self.brisques[1])

    def current_trick(self) -> list[tuple[int, str]]:
        """The cards of the trick in progress, each with the seat that played it; none before the lead."""
        trick = self.trick
        return [] if trick.led is None else [(trick.leader, trick.led), *trick.replies]

    def last_trick(self) -> list[tuple[int, str]]:
        """The cards of the last completed trick, each with the seat that played it."""
        if self.trick.completed is None:
            return []
        leader, led, seat, card = self.trick.completed
        return [(leader, led), *self.trick.between, (seat, card)]

    def melders(self) -> tuple[int, ...]:
        """The seats that may meld now: the winner of the last trick, and partners where they may; none outside that time."""
        winner = self.melding.seat
        if winner is None:
            return ()
        return (winner, *self.partners[winner]) if self.partners else (winner,)

    def seats_from(self, seat: int) -> tuple[int, ...]:
        """All seats, in turn round the table from one on."""
        return tuple([(seat + n) % self.seats for n in range(self.seats)])

    def unknown_held(self, seat: int) -> int:
        """How many cards of a seat are unknown or only partly known."""
        return len(self.hidden.given[seat]) - len(self.hidden.revealed[seat])

    def hand_count(self, seat: int) -> int:
        """How many cards a seat holds, laid ones included."""
        # A loop, as `sum` of the values takes half as long again where this is compiled.
        count = self.unknown_held(seat)
        for copies in self.held[seat].values():
            count += copies
        return count


def _tableau(rules: CompiledSheet) -> Tableau:
    """The piles of a game that has some, all of them empty."""
    if not rules.has_tableau:
        return NO_TABLEAU
    return Tableau({rank: [] for rank in rules.written.pack.ranks})


def is_closed(table: Table) -> bool:
    """Whether the stock is empty and no draw is due."""
    return not table.phase.draws and table.step in (TableStep.LEAD, TableStep.REPLY, TableStep.OVER)
