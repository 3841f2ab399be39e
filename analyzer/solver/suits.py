"""One suit after the close as the trick search sees it: its cards, leads and replies, and what is certain in it."""

from collections.abc import Iterable
from math import gcd
from typing import NamedTuple

from records.rules.tricks import HIGHER, OWED
from records.rules.vocabulary import Follow

# Tricks and units as one number, a *count*, so that the search adds both at once.
#
# A unit is the largest number of points that divides all that tricks score. It fills the low bits:
# `count = tricks * COUNT_PER_TRICK + units`.

COUNT_PER_TRICK = 1 << 16
"""What one trick adds to a count."""

UNITS_MASK = COUNT_PER_TRICK - 1
"""The units of a count are `count & UNITS_MASK`."""


# Void cards: cards of plain suits in which the other seat is void.
#
# Nothing but a trump can beat them, so only their number matters, and how many of them are brisques. Four
# numbers stand for all of them, whatever their suits.

VoidCardCounts = tuple[int, int, int, int]
"""Numbers of void cards, or changes of them: brisques and others of the leader, then of the other seat."""


class VoidCards:
    """The void cards of both seats, seen from the seat to lead; made once by `VoidCardsCache`.

    `run` counts the tricks and units they take when led where nobody can ruff. `leads` lists the units of
    each card that may be led with what it leaves, `throws` the same for the card the other seat throws.
    """

    __slots__ = ("by_change", "counts", "flip", "leads", "mine", "run", "theirs", "throws")

    def __init__(self, counts: VoidCardCounts, unit: int) -> None:
        brisques, others, their_brisques, their_others = counts
        self.counts = counts
        self.mine = brisques + others
        self.theirs = their_brisques + their_others
        self.run = self.mine * COUNT_PER_TRICK + brisques * unit
        self.flip = self
        self.by_change: dict[VoidCardCounts, VoidCards] = {}
        self.leads: list[tuple[int, VoidCards]] | None = None
        self.throws: list[tuple[int, VoidCards]] | None = None


class VoidCardsCache:
    """All void cards met so far, by their counts; a brisque is `brisque` units."""

    def __init__(self, brisque: int) -> None:
        self.brisque = brisque
        self.by_counts: dict[VoidCardCounts, VoidCards] = {}

    def with_counts(self, counts: VoidCardCounts) -> VoidCards:
        """The void cards with these counts."""
        cards = self.by_counts.get(counts)
        if cards is None:
            cards = self.by_counts[counts] = VoidCards(counts, self.brisque)
            flipped = flip_counts(counts)
            if flipped != counts:
                cards.flip = self.by_counts[flipped] = VoidCards(flipped, self.brisque)
                cards.flip.flip = cards
        return cards

    def after(self, cards: VoidCards, change: VoidCardCounts) -> VoidCards:
        """The void cards after a change, cached with the cards themselves: this is asked most of all."""
        left = cards.by_change.get(change)
        if left is None:
            mine, others, theirs, their_others = cards.counts
            counts = (
                mine + change[0],
                others + change[1],
                theirs + change[2],
                their_others + change[3],
            )
            left = cards.by_change[change] = self.with_counts(counts)
        return left

    def leads(self, cards: VoidCards) -> list[tuple[int, VoidCards]]:
        """What the seat to lead may lead: the units of the card, and what is left."""
        if cards.leads is None:
            cards.leads = []
            if cards.counts[0]:
                cards.leads.append((self.brisque, self.after(cards, (-1, 0, 0, 0))))
            if cards.counts[1]:
                cards.leads.append((0, self.after(cards, (0, -1, 0, 0))))
        return cards.leads

    def throws(self, cards: VoidCards) -> list[tuple[int, VoidCards]]:
        """What the other seat may throw: at most one card is worth trying.

        A void card takes no trick unless led, and a brisque led takes as much as any other. So a seat
        throws a brisque only when it has nothing else.
        """
        if cards.throws is None:
            cards.throws = []
            if cards.counts[3]:
                cards.throws = [(0, self.after(cards, (0, 0, 0, -1)))]
            elif cards.counts[2]:
                cards.throws = [(self.brisque, self.after(cards, (0, 0, -1, 0)))]
        return cards.throws


def flip_counts(counts: VoidCardCounts) -> VoidCardCounts:
    """Counts seen from the other seat."""
    mine, others, theirs, their_others = counts
    return theirs, their_others, mine, others


# One suit after the close as the trick search sees it: its cards, leads and replies, and what is certain in it.
#
# After the close nobody draws, so a position is what each seat still holds. Within a suit only the order
# of the cards matters: it is a row of *steps* from the highest card down, `(units, mine, theirs)`, each
# step so many cards of the seat to lead and of the other seat that are as good as each other. Ranks with
# the same units merge into one step where no card of the other seat lies between them. Many positions of
# a deal, and of different deals, thus become one, and every suit is made once, with its leads, and cached.
#
# Each suit also carries what is certain in it whatever the other suits hold: what the leader surely takes
# (`sure`, `run`), what the other seat surely takes (`denied`). Added up over the suits these bound a position
# before it is searched, and settle most positions at once.
#
# Cards of a plain suit in which the other seat is void are no suit any more (see void cards, above). All card
# values are in units: the largest number of points that divides what a brisque and the last trick score.
#
# Who takes a trick and what is owed stands in `records.rules.tricks`; but steps have no names, so `_lead` finds again which
# are higher: these take the trick, and where the rules owe higher cards, others are no replies. The tests of those tables
# compare this card by card, `test_trick_play.py` the results with the engine's own moves.

SuitStep = tuple[int, int, int]
SuitSteps = tuple[SuitStep, ...]
"""From the highest down: units of a card, number of the leader's cards, number of the other seat's."""

SuitReply = tuple[int, "Suit", VoidCardCounts | None, int, int, int]
"""What one trick leaves of a suit, seen from the next seat to lead: the units of the trick, the suit, the
cards that become void cards, and the changes of `sure`, `run` and `denied` for that seat."""

SuitLead = tuple[list[SuitReply], list[SuitReply]]
"""A lead: the replies that take the trick, and those that do not."""

SuitOfHands = tuple["Suit", VoidCardCounts | None, int, int]
"""A suit of two hands: the suit, its void cards, its units, and how many of its cards the leader holds."""

MY_CARDS, THEIR_CARDS = 1, 2
MOST_RULES_CACHED = 32
"""Rules of which suits are cached."""
MOST_SUITS_CACHED = 60_000
"""Suits cached, those of all rules together, before the caches are emptied: about 60 MB."""


class TrickRules(NamedTuple):
    """The rules of tricks after the close: the duty to follow, and the points of a brisque and the last trick.

    `ranks` lists the ranks of the pack from the highest, `brisques` those among them that are brisques.
    """

    follow: Follow
    brisque: int
    last_trick: int
    ranks: tuple[str, ...]
    brisques: tuple[str, ...]


class Suit:
    """One suit, seen from the seat to lead.

    `sure` counts the tricks and units the leader takes by leading the suit from the top while the other
    seat may have trumps, `run` the same while it has none. `leaves_trumps` says whether leading trumps from
    the top leaves the other seat some. `denied` is the least number of units the other seat takes in it.
    """

    __slots__ = (
        "denied", "flip", "is_trump", "leads", "leaves_trumps", "mine", "ruffs", "run", "steps", "sure", "theirs",
        "throws",
    )  # fmt: skip

    def __init__(self, steps: SuitSteps, *, is_trump: bool) -> None:
        self.steps = steps
        self.is_trump = is_trump
        self.mine = sum([step[MY_CARDS] for step in steps])
        self.theirs = sum([step[THEIR_CARDS] for step in steps])
        self.flip = self
        self.leads: list[SuitLead] | None = None
        self.throws: list[SuitReply] | None = None
        self.ruffs: list[SuitReply] | None = None
        self.denied = self.sure = self.run = 0
        self.leaves_trumps = False

    def count_following(self) -> None:
        """Count what is certain where the other seat must follow suit.

        On a card it cannot beat it throws its cheapest; once it has none left, the rest of the suit is
        good too. Of its own best cards it surely takes as many tricks as the leader has cards to lose.
        """
        winners = self._top(MY_CARDS, THEIR_CARDS, ties=True)
        if len(winners) >= self.theirs:
            winners = self._units(MY_CARDS)
        rounds = min(len(winners), self.theirs)
        thrown = sum(sorted(self._units(THEIR_CARDS))[:rounds])
        self.run = len(winners) * COUNT_PER_TRICK + sum(winners) + thrown
        self.leaves_trumps = self.is_trump and self.theirs > rounds
        self.sure = rounds * COUNT_PER_TRICK + sum(winners[:rounds]) + thrown
        masters = self._top(THEIR_CARDS, MY_CARDS, ties=False)
        if self.is_trump:
            self.denied = sum(masters)
        else:
            caught = sorted(self._units(MY_CARDS))[: len(masters)]
            self.denied = sum(masters[: self.mine]) + sum(caught)

    def count_free(self) -> None:
        """Count what is certain where any card may be played: only cards that nothing beats."""
        winners = self._top(MY_CARDS, THEIR_CARDS, ties=True)
        self.run = len(winners) * COUNT_PER_TRICK + sum(winners)
        self.leaves_trumps = self.is_trump and self.theirs > 0
        self.sure = self.run if self.is_trump else 0
        self.denied = sum(self._top(THEIR_CARDS, MY_CARDS, ties=False)) if self.is_trump else 0

    def _units(self, seat: int) -> list[int]:
        """The units of each card of a seat, highest card first."""
        return [step[0] for step in self.steps for _ in range(step[seat])]

    def _top(self, seat: int, other: int, *, ties: bool) -> list[int]:
        """The units of a seat's cards that nothing of the other seat beats.

        With `ties` a like card does not beat them: they were led, and the first of like cards wins.
        """
        winners: list[int] = []
        for step in self.steps:
            if step[other] and not ties:
                break
            winners += [step[0]] * step[seat]
            if step[other]:
                break
        return winners


class SuitCache:
    """Every suit met so far under one set of rules, each made once."""

    def __init__(self, rules: TrickRules) -> None:
        self.unit = gcd(rules.brisque, rules.last_trick) or 1
        self.brisque = rules.brisque // self.unit
        self.last_trick = rules.last_trick // self.unit
        self.free = rules.follow is Follow.ANY
        plain, trumps = OWED[rules.follow]
        self.must_head = {True: HIGHER in trumps, False: HIGHER in plain}
        self.void_cards = VoidCardsCache(self.brisque)
        self.cache: dict[tuple[SuitSteps, bool], Suit] = {}
        self.by_hands: dict[tuple[int, int, bool], SuitOfHands] = {}
        self.empty_suit = self._cached_suit((), is_trump=False)

    @property
    def size(self) -> int:
        """How many suits, pairs of hands and void cards it has."""
        return len(self.cache) + len(self.by_hands) + len(self.void_cards.by_counts)

    def merge_steps(
        self, steps: Iterable[SuitStep], *, is_trump: bool
    ) -> tuple[Suit, VoidCardCounts | None]:
        """Merge steps into a suit; where only one seat has cards of it, its void cards are returned apart."""
        merged: list[SuitStep] = []
        units = mine = theirs = -1
        all_mine = all_theirs = 0
        for step in steps:
            more, their_more = step[MY_CARDS], step[THEIR_CARDS]
            if not (more or their_more):
                continue
            all_mine += more
            all_theirs += their_more
            # Ranks merge while they count the same and belong to one seat alone.
            if units == step[0] and not ((theirs or their_more) and (mine or more)):
                mine, theirs = mine + more, theirs + their_more
                merged[-1] = (units, mine, theirs)
            else:
                units, mine, theirs = step
                merged.append(step)
        if all_mine and all_theirs:
            return self._cached_suit(tuple(merged), is_trump=is_trump), None
        if is_trump:
            return self._cached_suit(self._unordered(merged), is_trump=True), None
        brisques = sum([step[MY_CARDS] + step[THEIR_CARDS] for step in merged if step[0]])
        others = all_mine + all_theirs - brisques
        if all_mine:
            return self.empty_suit, (brisques, others, 0, 0)
        return self.empty_suit, (0, 0, brisques, others) if all_theirs else None

    def _unordered(self, steps: list[SuitStep]) -> SuitSteps:
        """Trumps that only one seat holds: their order does not matter, only how many are brisques."""
        rows = []
        for units in sorted({step[0] for step in steps}, reverse=True):
            mine = sum([step[MY_CARDS] for step in steps if step[0] == units])
            rows.append(
                (units, mine, sum([step[THEIR_CARDS] for step in steps if step[0] == units]))
            )
        return tuple(rows)

    def _cached_suit(self, steps: SuitSteps, *, is_trump: bool) -> Suit:
        suit = self.cache.get((steps, is_trump))
        if suit is None:
            suit = self._new_suit(steps, is_trump=is_trump)
            turned = tuple([(units, theirs, mine) for units, mine, theirs in steps])
            if turned != steps:
                suit.flip = self._new_suit(turned, is_trump=is_trump)
                suit.flip.flip = suit
        return suit

    def _new_suit(self, steps: SuitSteps, *, is_trump: bool) -> Suit:
        suit = self.cache[steps, is_trump] = Suit(steps, is_trump=is_trump)
        if self.free:
            suit.count_free()
        else:
            suit.count_following()
        return suit

    def leads(self, suit: Suit) -> list[SuitLead]:
        """Every lead from a suit that both seats hold, with the legal replies in that suit."""
        if suit.leads is None:
            both = suit.mine and suit.theirs
            rows = [row for row, step in enumerate(suit.steps) if step[MY_CARDS]] if both else []
            suit.leads = [self._lead(suit, row) for row in rows]
        return suit.leads

    def _lead(self, suit: Suit, led: int) -> SuitLead:
        """A lead and its legal replies, cheapest first (laws C4 and C8)."""
        rows = range(len(suit.steps) - 1, -1, -1)
        higher = [row for row in rows if row < led and suit.steps[row][THEIR_CARDS]]
        others = [row for row in rows if row >= led and suit.steps[row][THEIR_CARDS]]
        if higher and self.must_head[suit.is_trump]:
            others = []  # a seat that can head the trick must
        units, after = suit.steps[led][0], steps_without(suit.steps, led, MY_CARDS)
        taking, losing = [], []
        for row in higher:
            left, void = self.merge_steps(
                steps_without(after, row, THEIR_CARDS), is_trump=suit.is_trump
            )
            change = flip_counts(void) if void else None
            taking.append(self._reply(units + after[row][0], suit.flip, left.flip, change))
        for row in others:
            left, void = self.merge_steps(
                steps_without(after, row, THEIR_CARDS), is_trump=suit.is_trump
            )
            losing.append(self._reply(units + after[row][0], suit, left, void))
        return taking, losing

    def throws(self, suit: Suit) -> list[SuitReply]:
        """What the other seat may throw from this suit on a trick it does not take."""
        if suit.throws is None:
            suit.throws = []
            for row, (units, _, theirs) in enumerate(suit.steps):
                if theirs:
                    steps = steps_without(suit.steps, row, THEIR_CARDS)
                    left, void = self.merge_steps(steps, is_trump=suit.is_trump)
                    suit.throws.append(self._reply(units, suit, left, void))
        return suit.throws

    def ruffs(self, trumps: Suit) -> list[SuitReply]:
        """The trumps with which the other seat may ruff a plain suit; it leads next."""
        if trumps.ruffs is None:
            trumps.ruffs = [
                self._reply(units, trumps.flip, left.flip, None)
                for units, left, *_ in self.throws(trumps)
            ]
        return trumps.ruffs

    def _reply(
        self, units: int, before: Suit, left: Suit, void: VoidCardCounts | None
    ) -> SuitReply:
        """A reply as the suit it leaves and its changes; cards that become void move from the suit to `run`."""
        run = left.run - before.run
        if void:
            run += (void[0] + void[1]) * COUNT_PER_TRICK + void[0] * self.brisque
        return units, left, void, left.sure - before.sure, run, left.denied - before.denied


def steps_without(steps: SuitSteps, row: int, seat: int) -> SuitSteps:
    """The steps less one card in a row: the leader's (`MY_CARDS`) or the other seat's (`THEIR_CARDS`)."""
    units, mine, theirs = steps[row]
    left = (units, mine - 1, theirs) if seat == MY_CARDS else (units, mine, theirs - 1)
    return (*steps[:row], left, *steps[row + 1 :])


_SUIT_CACHES: dict[TrickRules, SuitCache] = {}


def suit_cache_for(rules: TrickRules) -> SuitCache:
    """The cache of suits for these rules; all are made anew once they are too large together.

    Games by many rules fill many of them, and a record names the rules.
    """
    caches = list(_SUIT_CACHES.values())
    if len(caches) > MOST_RULES_CACHED or sum([c.size for c in caches]) > MOST_SUITS_CACHED:
        _SUIT_CACHES.clear()
    known = _SUIT_CACHES.get(rules)
    return _SUIT_CACHES.setdefault(rules, SuitCache(rules)) if known is None else known
