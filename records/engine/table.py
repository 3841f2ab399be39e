"""The table: everything that is so after an event."""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from enum import IntEnum
from operator import add
from typing import Any

import msgspec

from records.cards import FACE_OF
from records.engine.copies.marks import Readings
from records.engine.copies.reading_budget import ReadingBudget
from records.engine.copies.readings import NOTHING_MARKED, ReadingTracking, marked_cards
from records.engine.copies.sat_search import unmarked_readings
from records.engine.stock import Stock
from records.rules.compiled import CompiledPhase, CompiledSheet
from records.rules.vocabulary import BrisqueCount


class TableStep(IntEnum):
    """What comes next at the table.

    Reading a member costs more than comparing it, so modules that ask at every event bind the members
    they need once, and compare with `is`.
    """

    LEAD = 0
    REPLY = 1
    DRAW = 2
    OVER = 3
    COMBINE = 4
    DISCARD = 5


NO_CARDS: frozenset[str] = frozenset()


class MeldUndo(msgspec.Struct, frozen=True, gc=False):
    """What a table was before the last meld, should it be withdrawn, and at which trick that was made.

    `counted` says how many of the melds that the trick allows it has used up; `led` and `stock` are the card
    led and the cards left to draw, the turn-up among them: once they are others, play has gone on.
    """

    seat: int
    tricks: int
    led: str | None
    stock: int
    readings: Readings
    scored: int
    laid: int
    points: int
    trump: str | None
    counted: int


class TurnUndo(msgspec.Struct, frozen=True, gc=False):
    """What a turn of Zetema was before its combination, should that be withdrawn.

    `made_at` is the event that made it, `from_hand` the cards it took from the hand, `piles` those that
    lay on the tableau and `removed` how many had left the game. `to_act` is whose turn it was.
    """

    made_at: int
    seat: int
    to_act: int
    draws_due: tuple[int, ...]
    from_hand: tuple[str, ...]
    piles: dict[str, list[str]]
    removed: int
    points: int
    step: TableStep
    phase: CompiledPhase
    melds_left: int
    discard_from: tuple[str, ...] | None
    must_complete: bool


class Award(msgspec.Struct, frozen=True, gc=False):
    """Points that the rules give: to which seat, for what; `name` is the meld's where it is one.

    `event` earned them, -1 for the deal itself.
    """

    seat: int
    source: str
    points: int
    name: str = ""
    event: int = -1


PlayedTrick = tuple[int, bool, int, int, int, bool | None]
"""A completed trick: the event that completed it, whether it was closed, who led, who won, its brisques, and
whether a brisque was led that the reply could legally have taken and did not (None: not fully known).
"""

TrickLog = list[int | None]
"""The tricks completed, six values for each in one flat list: it takes less memory than a tuple for each."""


def trick_log_columns(log: TrickLog) -> list[list[Any]]:
    """What the tricks of a log have in each of the six places."""
    return [log[place::6] for place in range(6)]


@dataclass(slots=True)
class CurrentTrick:
    """The trick in progress, and the last one completed.

    `led` is None before the lead. `winner` took the last trick; None from the next lead on. `completed` is
    the last trick's leader and card, then the other seat and its card. `winner_claimed`: whether the record
    has named its winner. `winner_open`: its cards leave open who won, so `winner` is only what later events
    suggest.
    """

    leader: int
    led: str | None = None
    winner: int | None = None
    completed: tuple[int, str, int, str] | None = None
    winner_claimed: bool = False
    winner_open: bool = False

    def copy(self) -> "CurrentTrick":
        """The same trick, to go on from."""
        return copy(self)


class HiddenCards(msgspec.Struct, gc=False):
    """By seat, the cards given to it that the record does not show, and those it has shown since.

    What is `given` is written `??`, `?S` or `Q?`; a card `revealed` was one of them. A known card is given,
    too, once it may have left unseen: `doubtful` counts those that have not been shown since, by seat and
    card. `laid` lists cards of a seat that lie on the table, where the record does not say which they are.
    """

    given: list[list[str]]
    revealed: list[list[str]]
    doubtful: dict[tuple[int, str], int] = {}
    laid: list[tuple[int, str]] = []


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

    def copy(self) -> "Melding":
        """The same melds; the cards and their readings stay those of this table until `Table.copy` gives others."""
        laid, scored = list(map(list, self.laid)), list(map(list, self.scored))
        lying, at = (self.cards, self.readings, self.marked), list(map(list, self.scored_at))
        return Melding(*lying, laid, scored, at, self.seat, self.left, self.checked, self.undo)


class Tableau(msgspec.Struct, gc=False):
    """Zetema's tableau: the piles by rank, and the cards removed from the game.

    After a combination the discard must come `discard_from` its cards; after a zetema, `must_complete`
    says that the next discard must complete a pile if it can. `unranked` are the discards of which the
    record does not show the rank, `lifted` the cards of marriages that were among the unknown ones of the
    tableau; which of these they were is left open, so all of them stay there. `may_be_earned` are the
    points, by seat, of the zetemas that the last discard may have completed. `ways` are those of marriages,
    by their event, as foreseen (see `records.engine.zetema.marriages`); if `ways_given_up`, there were too
    many to follow.
    """

    piles: dict[str, list[str]]
    removed: list[str] = []
    discard_from: tuple[str, ...] | None = None
    must_complete: bool = False
    unranked: list[str] = []
    lifted: list[str] = []
    may_be_earned: dict[int, frozenset[int]] = {}
    ways: dict[int, Any] = {}
    ways_given_up: bool = False


NO_TABLEAU = Tableau({})
"""The tableau of every game that has none: nothing is ever laid on it."""


class DealKnowledge(msgspec.Struct, gc=False):
    """What the record leaves open.

    `partial`: it does not show every card of the deal. `plays_only`: it leaves out melds and exchanges, too.
    `scores_only`: it shows no play, so the deal is not replayed.
    `omits_draws`: it leaves out draws, so those that are due are made before the next card is played.
    `uncertain`: an unknown card or trump suit has mattered, so the verdict cannot be firm. `open_since` is
    the first event that left something open, -1 the deal itself. `points_open`: some points may be other
    than the table has, `brisques_open`: so may the brisques that somebody has taken; `bonuses_open` are
    the bonuses that may be another's, or nobody's. All these are set by `Table.leave_open`. `trumps_open`:
    a meld made trumps, or may have, and the record does not show of which suit.
    """

    partial: bool = False
    scores_only: bool = False
    plays_only: bool = False
    omits_draws: bool = False
    uncertain: bool = False
    open_since: int | None = None
    points_open: bool = False
    brisques_open: bool = False
    bonuses_open: frozenset[str] = frozenset()
    trumps_open: bool = False


class StatedClaims(msgspec.Struct, gc=False):
    """What the record claims, kept for the reconciliation.

    `points` lists claims of points: event, what for, points said, points computed, None where the record
    leaves them open. `winners_agreed` are the events that name a trick's winner rightly, `winners_disputed`
    the others: event, winner said, winner computed, None where the record leaves the winner open. `scores`
    are the points claimed by seat and bonus, `brisques` those claimed for brisques.
    """

    points: list[tuple[int, str, int, int | None]] = []
    winners_agreed: list[int] = []
    winners_disputed: list[tuple[int, int, int | None]] = []
    scores: dict[tuple[int, str], int | None] = {}
    brisques: list[int] = []


class Table:
    """The live table of one deal; `records.engine.event_effects` changes it, everything else reads it.

    `held` counts the cards a seat has, in hand and laid; `readings` says which copies of them are marked,
    and `marked` lists those cards. `unseen` counts the cards nobody has seen yet; `not_in_pack` lists
    cards that the pack does not have. `beaters`, `seven` and `sevens` (with labels) follow from the trump
    suit; `seven_played` are the seats whose last card was a seven of trumps, with that card and the points
    that may be claimed for it. `seat` is to act; `draws_due` are the seats that still draw. `closed_tricks` counts the tricks won after the close by
    seat, all of them if `whole_close`. `won` and `brisques` are what each seat has taken, `captured` the
    same cards counted where melds are made of them. `earned` are the bonuses by seat and name.
    `misdealt` says that the deal was declared a misdeal, and counts for nothing. `points_to_win` are the
    seats of a side and what it needs, where play stops at once. `trick_log` keeps the tricks completed,
    where a reader asks for them. `events` are those of the record, `index` the one
    at hand; it `counts_nothing` if it is illegal and not excused.
    """

    __slots__ = (
        "awards", "beaters", "blanche_chains", "brisques", "captured", "claims", "closed_tricks",
        "counts_nothing", "dealer", "draws_due", "earned", "events", "held", "hidden", "index", "knowledge",
        "marked", "melding", "misdealt",
        "names", "not_in_pack", "phase", "phase_no", "points", "points_to_win", "readings", "rules",
        "seat", "seats", "seven", "seven_played", "sevens", "step", "stock", "tableau", "tracking",
        "trick", "trick_log", "tricks", "trump", "unseen", "whole_close", "won",
    )  # fmt: skip

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
        self.tricks, self.whole_close, self.index = 0, True, -1
        self.points, self.brisques, self.closed_tricks = [0] * seats, [0] * seats, [0] * seats
        self.melding = self._melding()
        self.awards: list[Award] = []
        self.earned: dict[tuple[int, str], int] = {}
        self.points_to_win: list[tuple[list[int], int]] = []
        self.blanche_chains: list[str] = []
        self.tableau = _tableau(rules)
        self.knowledge, self.claims = DealKnowledge(), StatedClaims(brisques=[0] * seats)
        self.trick_log: TrickLog | None = None
        self.events: Sequence[Any] = ()
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
        other = Table.__new__(Table)
        for name in Table.__slots__:
            setattr(other, name, _copied(getattr(self, name)))
        # Melds come from the cards held or captured: the copy's own, not copies of the copies.
        melding = other.melding
        if self.rules.melds_captured:
            melding.cards = other.captured
            melding.readings, melding.marked = list(melding.readings), list(melding.marked)
        else:
            melding.cards, melding.readings, melding.marked = (
                other.held,
                other.readings,
                other.marked,
            )
        other.events = ()
        return other

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
        return [len(cards) // 2 for cards in self.won]

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
        self.tracking.pay_for(readings)
        self.tracking.largest = max(self.tracking.largest, self.assignments)

    def set_trump(self, trump: str | None) -> None:
        """Fix the trump suit, and with it which card takes which."""
        self.trump = trump
        self.beaters = self.rules.beaters(trump)
        if self.rules.sheet.dix is not None and trump is not None:
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
    def are_points_open(self) -> bool:
        """Whether the record leaves open what some seat has scored in this deal, counted brisques included."""
        knowledge = self.knowledge
        if self.misdealt:
            return False
        if knowledge.points_open or (knowledge.partial and self.step is not TableStep.OVER):
            return True
        return knowledge.brisques_open and self.rules.sheet.brisques.count is not BrisqueCount.NEVER

    @property
    def deal_points(self) -> list[int]:
        """What each seat adds to the scores of the match: its points, with brisques that count to settle it."""
        if self.rules.sheet.brisques.count is not BrisqueCount.TO_SETTLE:
            return self.points
        counted = [self.earned.get((seat, "brisques"), 0) for seat in range(self.seats)]
        return list(map(add, self.points, counted))

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
        return self.rules.sheet.brisques.points * self.brisques[seat]

    def points_lead(self) -> int:
        """Seat 0's lead over seat 1 in points, the brisques among them that are counted at the end."""
        lead = self.points[0] - self.points[1]
        counted_later = self.rules.sheet.brisques.count is BrisqueCount.AT_THE_END
        if counted_later and self.step is not TableStep.OVER:
            lead += self.brisque_points(0) - self.brisque_points(1)
        return lead

    def last_trick(self) -> list[tuple[int, str]]:
        """The two cards of the last completed trick, each with the seat that played it."""
        if self.trick.completed is None:
            return []
        leader, led, seat, card = self.trick.completed
        return [(leader, led), (seat, card)]

    def unknown_held(self, seat: int) -> int:
        """How many cards of a seat are unknown or only partly known."""
        return len(self.hidden.given[seat]) - len(self.hidden.revealed[seat])

    def hand_count(self, seat: int) -> int:
        """How many cards a seat holds, laid ones included."""
        return sum(self.held[seat].values()) + self.unknown_held(seat)


def sorted_faces(cards: list[str]) -> tuple[str, ...]:
    """The faces of cards, labels apart, in the order in which a sheet's melds are looked up."""
    return tuple(sorted([FACE_OF[card] for card in cards]))


def _tableau(rules: CompiledSheet) -> Tableau:
    """The piles of a game that has some, all of them empty."""
    if not rules.has_tableau:
        return NO_TABLEAU
    return Tableau({rank: [] for rank in rules.sheet.pack.ranks})


def _copied(value: Any) -> Any:
    """Lists, dicts and groups of fields copied, and the lists in them; what else a table holds never changes."""
    if isinstance(value, dict):
        lists = isinstance(next(iter(value.values()), None), list)
        return {key: list(each) for key, each in value.items()} if lists else dict(value)
    if isinstance(value, list):
        return [each.copy() if isinstance(each, dict | list) else each for each in value]
    if isinstance(value, CurrentTrick | Stock | Melding):
        return value.copy()
    changing = _LISTS_OF_GROUPS.get(type(value))
    if changing is None:
        return value
    group = copy(value)
    for name in changing:
        setattr(group, name, _copied(getattr(group, name)))
    return group


_LISTS_OF_GROUPS: dict[type, tuple[str, ...]] = {
    HiddenCards: ("given", "revealed", "doubtful", "laid"),
    Tableau: ("piles", "removed", "unranked", "lifted", "may_be_earned", "ways"),
    DealKnowledge: (),
    ReadingTracking: (),
    StatedClaims: ("points", "winners_agreed", "winners_disputed", "scores", "brisques"),
}
"""The groups of a table's fields that are structs, each with the fields that change in place.

Structs are quicker to make, classes with slots quicker to write to: those written at every trick are classes.
"""
