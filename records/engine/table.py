"""The table: everything that is so after an event."""

from collections.abc import Sequence
from typing import Any

import msgspec

from records.cards import FACE_OF
from records.engine.copies.history import CopyHistory, attach_history
from records.engine.copies.marks import SEEN_BIT, Readings
from records.engine.copies.readings import MOST_READINGS_FOLLOWED, NOTHING_MARKED, marked_cards
from records.engine.copies.sat_search import SatSearch
from records.rules.compiled import CompiledPhase, CompiledSheet
from records.rules.vocabulary import ANY_NUMBER_OF_MELDS

LEAD, REPLY, DRAW, OVER, COMBINE, DISCARD = range(6)


class MeldUndo(msgspec.Struct, frozen=True, gc=False):
    """What a table was before the last meld, should it be withdrawn, and at which trick that was made.

    `counted` says how many of the melds that the trick allows it has used up.
    """

    seat: int
    tricks: int
    readings: Readings
    scored: int
    laid: int
    points: int
    trump: str | None
    counted: int


class TurnUndo(msgspec.Struct, frozen=True, gc=False):
    """What a turn of Zetema was before its combination, should that be withdrawn.

    `made_at` is the event that made it, `from_hand` the cards it took from the hand, `piles` those that
    lay on the tableau and `out` how many had left the game.
    """

    made_at: int
    seat: int
    from_hand: tuple[str, ...]
    piles: dict[str, list[str]]
    out: int
    points: int
    step: int
    phase: CompiledPhase
    melds_left: int
    bound: tuple[str, ...] | None
    chain: bool


class Award(msgspec.Struct, frozen=True):
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
whether a brisque was led that the reply could lawfully have taken and did not (None: not fully known).
"""

TrickTrail = list[int | None]
"""The tricks completed, the six values of each behind those of the one before: a tuple for each cost more to keep."""


def trail_columns(trail: TrickTrail) -> list[list[Any]]:
    """What the tricks of a trail have in each of the six places."""
    return [trail[place::6] for place in range(6)]


class Table:
    """The live table of one deal; `records.engine.event_effects` changes it, everything else reads it.

    `held` counts the cards a seat has, in hand and laid; `readings` says which of them are marked.
    `hidden` are the unknown cards a seat was given and `pulled` the cards it has shown from among
    them. `due` are the seats that still draw after the last trick, `window` the seat that may meld.
    `unseen` counts the cards nobody has seen yet, `foreign` lists cards that the pack does not have.
    `agreed` are the events that name a trick's winner rightly, `named` the others: event, winner said,
    winner computed; `stated` the points it
    claims at events: event, what for, points said, points computed. `plays_only` says that the record
    leaves out melds and exchanges, too. `trail` are the tricks completed, kept where a reader asks for them.
    Of so many readings as `cap` all are followed; a reader may ask for fewer.
    """

    __slots__ = (
        "agreed",
        "awards",
        "beaters",
        "blanche",
        "book",
        "bound",
        "brisque_claims",
        "brisques",
        "cap",
        "capped",
        "chain",
        "claimed",
        "closed_tricks",
        "dealer",
        "down",
        "due",
        "earned",
        "events",
        "foreign",
        "guessed",
        "held",
        "hidden",
        "index",
        "laid",
        "largest",
        "leader",
        "led",
        "lost",
        "marked",
        "melded",
        "melded_readings",
        "melds",
        "melds_left",
        "named",
        "names",
        "needed",
        "order",
        "out",
        "partial",
        "phase",
        "phase_no",
        "piles",
        "plays_only",
        "points",
        "pool",
        "pool_marked",
        "pool_readings",
        "pulled",
        "readings",
        "scored",
        "seat",
        "seats",
        "seven",
        "seven_played",
        "sevens",
        "stated",
        "step",
        "tableau",
        "taken",
        "trail",
        "trick_claimed",
        "tricks",
        "trump",
        "turn_up",
        "turn_up_spent",
        "undo",
        "unseen",
        "was_cut",
        "whole_close",
        "window",
        "winner",
        "won",
        "worth",
    )  # fmt: skip

    def __init__(self, book: CompiledSheet, *, seats: int, dealer: int, names: list[str]) -> None:
        self.book = book
        self.seats = seats
        self.dealer = dealer
        self.names = names
        self.held: list[dict[str, int]] = [{} for _ in range(seats)]
        self.hidden: list[list[str]] = [[] for _ in range(seats)]
        self.pulled: list[list[str]] = [[] for _ in range(seats)]
        self.readings: list[Readings] = [NOTHING_MARKED] * seats
        if book.has_stories:
            self.readings = [
                attach_history(NOTHING_MARKED, CopyHistory(SatSearch(book.forgets)))
                for _ in range(seats)
            ]
        self.marked: list[frozenset[str]] = [frozenset()] * seats
        self.laid: list[list[tuple[int, str, str]]] = [[] for _ in range(seats)]
        self.scored: list[list[tuple[str, int]]] = [[] for _ in range(seats)]
        self.unseen: dict[str, int] = dict(book.faces)
        self.order: list[str] | None = None
        self.down = 0
        self.turn_up: str | None = None
        self.turn_up_spent = False
        self.trump: str | None = None
        self.beaters = book.beaters(None)
        self.melds = book.melds(None)
        self.melded: object = None
        self.melded_readings: Readings = NOTHING_MARKED
        self.seven: str | None = None
        self.sevens: frozenset[str] = frozenset()
        self.worth = book.worth
        self.seven_played: tuple[int, str, int] | None = None
        self.phase_no = 0
        self.phase: CompiledPhase = book.phases[0]
        self.step = LEAD
        self.seat = (dealer + 1) % seats
        self.leader = self.seat
        self.led: str | None = None
        self.window: int | None = None
        self.melds_left = 0
        self.due: tuple[int, ...] = ()
        self.winner: int | None = None
        self.taken: tuple[int, str, int, str] | None = None
        self.trick_claimed = False
        self.tricks = 0
        self.closed_tricks = [0] * seats
        self.whole_close = True
        self.won: list[list[str]] = [[] for _ in range(seats)]
        self.brisques = [0] * seats
        self.points = [0] * seats
        self.awards: list[Award] = []
        self.earned: dict[tuple[int, str], int] = {}
        self.claimed: dict[tuple[int, str], int | None] = {}
        self.brisque_claims = [0] * seats
        self.piles: list[dict[str, int]] = [{} for _ in range(seats)]
        captures = book.captures
        self.pool = self.piles if captures else self.held
        self.pool_readings = [NOTHING_MARKED] * seats if captures else self.readings
        self.pool_marked = [frozenset()] * seats if captures else self.marked
        self.blanche: list[str] = []
        self.was_cut = False
        ranks = book.sheet.pack.ranks if book.sheet.tableau else ""
        self.tableau: dict[str, list[str]] = {rank: [] for rank in ranks}
        self.out: list[str] = []
        self.bound: tuple[str, ...] | None = None
        self.chain = False
        self.needed: list[tuple[list[int], int]] = []
        self.undo: MeldUndo | TurnUndo | None = None
        self.partial = False
        self.plays_only = False
        self.guessed = False
        self.cap = MOST_READINGS_FOLLOWED
        self.capped = False
        self.lost = False
        self.largest = 1
        self.stated: list[tuple[int, str, int, int | None]] = []
        self.agreed: list[int] = []
        self.named: list[tuple[int, int, int | None]] = []
        self.foreign: list[str] = []
        self.trail: TrickTrail | None = None
        self.events: Sequence[object] = ()
        self.index = -1

    def copy(self) -> "Table":
        """A table to go on from, this one untouched."""
        copy = Table.__new__(Table)
        for name in Table.__slots__:
            setattr(copy, name, _copied(getattr(self, name)))
        copy.pool = copy.piles if self.book.captures else copy.held
        if not self.book.captures:
            copy.pool_readings, copy.pool_marked = copy.readings, copy.marked
        copy.events = ()
        return copy

    @property
    def assignments(self) -> int:
        """The number of ways in which the copies that look alike can still be told apart."""
        count = 1
        for readings in self.readings:
            count *= len(readings)
        if self.book.captures:
            for readings in self.pool_readings:
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
            self.largest = max(self.largest, self.assignments)

    def set_pool(self, seat: int, readings: Readings) -> None:
        """Keep these readings of the cards a seat melds from: those it holds, or has captured."""
        self.pool_readings[seat] = readings
        self.pool_marked[seat] = marked_cards(readings)
        if len(readings) > 1:
            self.largest = max(self.largest, self.assignments)

    def set_trump(self, trump: str | None) -> None:
        """Fix the trump suit, and with it which card takes which."""
        self.trump = trump
        self.beaters = self.book.beaters(trump)
        self.melds = self.book.melds(trump)
        if self.book.sheet.dix is not None and trump is not None:
            self.seven = "7" + trump
            self.sevens = self.book.sevens[trump]

    def award(self, seat: int, source: str, points: int, name: str = "") -> None:
        """Give a seat points by the rules."""
        self.awards.append(Award(seat, source, points, name, self.index))
        self.points[seat] += points

    def state(self, what: str, claimed: int | None, computed: int | None) -> None:
        """Keep the points a record claims at the event at hand beside those computed."""
        if claimed is not None:
            self.stated.append((self.index, what, claimed, computed))

    def brisque_points(self, seat: int) -> int:
        """What the brisques in a seat's tricks are worth so far, in points."""
        return self.book.sheet.brisques.points * self.brisques[seat]

    def last_trick(self) -> list[tuple[int, str]]:
        """The two cards of the last completed trick, each with the seat that played it."""
        if self.taken is None:
            return []
        leader, led, seat, card = self.taken
        return [(leader, led), (seat, card)]

    def unknown_held(self, seat: int) -> int:
        """How many cards a seat holds of which nothing or only a part is known."""
        return len(self.hidden[seat]) - len(self.pulled[seat])

    def hand_count(self, seat: int) -> int:
        """How many cards a seat holds, laid ones included."""
        return sum(self.held[seat].values()) + self.unknown_held(seat)


def melds_allowed(phase: CompiledPhase) -> str:
    """How many melds a won trick allows in a phase, in words."""
    if phase.melds == ANY_NUMBER_OF_MELDS:
        return "any number of melds"
    return {0: "no meld", 1: "one meld", 2: "two melds"}.get(phase.melds, f"{phase.melds} melds")


def sorted_faces(cards: list[str]) -> tuple[str, ...]:
    """The faces of cards, labels apart, in the order in which a book looks melds up."""
    return tuple(sorted([FACE_OF[card] for card in cards]))


def _copied(value: Any) -> Any:
    """Lists and dicts copied, and those in them; what else a table holds never changes."""
    if isinstance(value, dict):
        lists = isinstance(next(iter(value.values()), None), list)
        return {key: list(each) for key, each in value.items()} if lists else dict(value)
    if isinstance(value, list):
        return [each.copy() if isinstance(each, dict | list) else each for each in value]
    return value


__all__ = [
    "DRAW",
    "LEAD",
    "OVER",
    "REPLY",
    "SEEN_BIT",
    "Award",
    "MeldUndo",
    "PlayedTrick",
    "Table",
    "TurnUndo",
    "melds_allowed",
    "sorted_faces",
]  # fmt: skip
