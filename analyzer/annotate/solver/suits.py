"""What is left of one suit after the close, and everything that can happen in it.

After the close nobody draws: a position is what each seat still holds. Suit by suit that is a row of
*steps* from the highest card down: `(worth, mine, theirs)`, so many cards of the seat to lead and of
the other one that are as good as each other. Ranks merge into one step where no card of the other seat
tells them apart and they are worth the same, so that most positions of a deal, and many of different
deals, are one. A suit is made once, with the leads it offers, and kept.

Cards of a plain suit that the other seat does not have are no suit any more but loose (`loose.py`).
All worths are in units: the largest number of points that divides what a brisque and the last trick pay.
"""

from collections.abc import Iterable
from functools import lru_cache
from math import gcd
from typing import NamedTuple

from analyzer.annotate.solver.units import COUNT_PER_TRICK
from analyzer.annotate.solver.void_cards import VoidCardCounts, VoidCardsCache, flip_counts
from records.rules.vocabulary import Follow

SuitStep = tuple[int, int, int]
SuitSteps = tuple[SuitStep, ...]
"""From the highest down: worth in units, cards of the seat to lead, cards of the other."""

SuitReply = tuple[int, "Suit", VoidCardCounts | None, int, int, int]
"""What a trick leaves of the suit it was played in, seen from the next seat to lead: the trick's worth,
the suit, the cards that are loose now, and by how much `sure`, `run` and `kept` change for that seat."""

SuitLead = tuple[list[SuitReply], list[SuitReply]]
"""A card led: the replies that take the trick, and those that do not."""

SettledSuit = tuple["Suit", VoidCardCounts | None, int, int]
"""A suit of two hands, its loose cards, the units in it, and how many of the cards are the leader's."""

MY_CARDS, THEIR_CARDS = 1, 2
MOST_SUITS_CACHED = 60_000
"""Suits kept for one law before they are dropped and made anew: some 60 MB."""


class TrickRules(NamedTuple):
    """What a closing law comes to: the duty, the points of a brisque and of the last trick, the ranks.

    `ranks` are those of the pack from the highest, `brisques` those among them that are brisques.
    """

    follow: Follow
    brisque: int
    last_trick: int
    ranks: str
    brisques: str


class Suit:
    """One suit, seen from the seat to lead.

    `sure` counts the tricks and units that seat makes by leading it from the top while the other may
    have trumps, `run` while he has none; `ruffs` says that trumps led from the top leave him some.
    `kept` are the units that the other seat makes in it at the least.
    """

    __slots__ = (
        "flip", "is_trump", "kept", "leads", "mine", "ruffs", "run", "steps", "sure", "taken", "theirs",
        "thrown",
    )  # fmt: skip

    def __init__(self, steps: SuitSteps, *, is_trump: bool) -> None:
        self.steps = steps
        self.is_trump = is_trump
        self.mine = sum([step[MY_CARDS] for step in steps])
        self.theirs = sum([step[THEIR_CARDS] for step in steps])
        self.flip = self
        self.leads: list[SuitLead] | None = None
        self.thrown: list[SuitReply] | None = None
        self.taken: list[SuitReply] | None = None
        self.kept = self.sure = self.run = 0
        self.ruffs = False

    def count_following(self) -> None:
        """Count what is sure where the other seat must follow suit.

        It throws the cheapest cards on what it cannot beat; once it has none the rest of the suit is
        good as well. Of its own best cards as many are sure as the leader has cards to be caught.
        """
        winners = self._top(MY_CARDS, THEIR_CARDS, ties=True)
        if len(winners) >= self.theirs:
            winners = self._worths(MY_CARDS)
        rounds = min(len(winners), self.theirs)
        thrown = sum(sorted(self._worths(THEIR_CARDS))[:rounds])
        self.run = len(winners) * COUNT_PER_TRICK + sum(winners) + thrown
        self.ruffs = self.is_trump and self.theirs > rounds
        self.sure = rounds * COUNT_PER_TRICK + sum(winners[:rounds]) + thrown
        masters = self._top(THEIR_CARDS, MY_CARDS, ties=False)
        if self.is_trump:
            self.kept = sum(masters)
        else:
            caught = sorted(self._worths(MY_CARDS))[: len(masters)]
            self.kept = sum(masters[: self.mine]) + sum(caught)

    def count_free(self) -> None:
        """Count it where nothing is owed: only what cannot be beaten is sure."""
        winners = self._top(MY_CARDS, THEIR_CARDS, ties=True)
        self.run = len(winners) * COUNT_PER_TRICK + sum(winners)
        self.ruffs = self.is_trump and self.theirs > 0
        self.sure = self.run if self.is_trump else 0
        self.kept = sum(self._top(THEIR_CARDS, MY_CARDS, ties=False)) if self.is_trump else 0

    def _worths(self, seat: int) -> list[int]:
        return [step[0] for step in self.steps for _ in range(step[seat])]

    def _top(self, seat: int, other: int, *, ties: bool) -> list[int]:
        """The worths of a seat's cards that none of the other's beats; the first of two like cards wins."""
        winners: list[int] = []
        for step in self.steps:
            if step[other] and not ties:
                break
            winners += [step[0]] * step[seat]
            if step[other]:
                break
        return winners


class SuitCache:
    """Every suit met so far under one law, each made once."""

    def __init__(self, law: TrickRules) -> None:
        self.unit = gcd(law.brisque, law.last_trick) or 1
        self.brisque = law.brisque // self.unit
        self.last_trick = law.last_trick // self.unit
        self.free = law.follow is Follow.ANY
        self.heads = law.follow is Follow.HEAD
        self.looses = VoidCardsCache(self.brisque)
        self.known: dict[tuple[SuitSteps, bool], Suit] = {}
        self.settled: dict[tuple[int, int, bool], SettledSuit] = {}
        self.none = self._suit((), is_trump=False)

    def settle(
        self, steps: Iterable[SuitStep], *, is_trump: bool
    ) -> tuple[Suit, VoidCardCounts | None]:
        """The suit that these steps come to, and the cards of it that are loose."""
        merged: list[SuitStep] = []
        worth = mine = theirs = -1
        all_mine = all_theirs = 0
        for step in steps:
            more, their_more = step[MY_CARDS], step[THEIR_CARDS]
            if not (more or their_more):
                continue
            all_mine += more
            all_theirs += their_more
            if worth == step[0] and not ((theirs or their_more) and (mine or more)):
                mine, theirs = mine + more, theirs + their_more
                merged[-1] = (worth, mine, theirs)
            else:
                worth, mine, theirs = step
                merged.append(step)
        if all_mine and all_theirs:
            return self._suit(tuple(merged), is_trump=is_trump), None
        if is_trump:
            return self._suit(self._unordered(merged), is_trump=True), None
        brisques = sum([step[MY_CARDS] + step[THEIR_CARDS] for step in merged if step[0]])
        others = all_mine + all_theirs - brisques
        if all_mine:
            return self.none, (brisques, others, 0, 0)
        return self.none, (0, 0, brisques, others) if all_theirs else None

    def _unordered(self, steps: list[SuitStep]) -> SuitSteps:
        """Trumps of one seat alone: their ranks do not matter, only how many are brisques."""
        rows = []
        for worth in sorted({step[0] for step in steps}, reverse=True):
            mine = sum([step[MY_CARDS] for step in steps if step[0] == worth])
            rows.append(
                (worth, mine, sum([step[THEIR_CARDS] for step in steps if step[0] == worth]))
            )
        return tuple(rows)

    def _suit(self, steps: SuitSteps, *, is_trump: bool) -> Suit:
        suit = self.known.get((steps, is_trump))
        if suit is None:
            suit = self._made(steps, is_trump=is_trump)
            turned = tuple([(worth, theirs, mine) for worth, mine, theirs in steps])
            if turned != steps:
                suit.flip = self._made(turned, is_trump=is_trump)
                suit.flip.flip = suit
        return suit

    def _made(self, steps: SuitSteps, *, is_trump: bool) -> Suit:
        suit = self.known[steps, is_trump] = Suit(steps, is_trump=is_trump)
        if self.free:
            suit.count_free()
        else:
            suit.count_following()
        return suit

    def leads(self, suit: Suit) -> list[SuitLead]:
        """Every lead from a suit that both seats have, with the replies in that suit."""
        if suit.leads is None:
            both = suit.mine and suit.theirs
            rows = [row for row, step in enumerate(suit.steps) if step[MY_CARDS]] if both else []
            suit.leads = [self._lead(suit, row) for row in rows]
        return suit.leads

    def _lead(self, suit: Suit, led: int) -> SuitLead:
        """A lead and its replies, the cheapest first."""
        rows = range(len(suit.steps) - 1, -1, -1)
        higher = [row for row in rows if row < led and suit.steps[row][THEIR_CARDS]]
        others = [row for row in rows if row >= led and suit.steps[row][THEIR_CARDS]]
        if higher and not self.free and (self.heads or suit.is_trump):
            others = []
        worth, after = suit.steps[led][0], steps_without(suit.steps, led, MY_CARDS)
        taking, losing = [], []
        for row in higher:
            left, loose = self.settle(
                steps_without(after, row, THEIR_CARDS), is_trump=suit.is_trump
            )
            change = flip_counts(loose) if loose else None
            taking.append(self._reply(worth + after[row][0], suit.flip, left.flip, change))
        for row in others:
            left, loose = self.settle(
                steps_without(after, row, THEIR_CARDS), is_trump=suit.is_trump
            )
            losing.append(self._reply(worth + after[row][0], suit, left, loose))
        return taking, losing

    def thrown(self, suit: Suit) -> list[SuitReply]:
        """What the other seat may throw from a suit on a trick it does not take."""
        if suit.thrown is None:
            suit.thrown = []
            for row, (worth, _, theirs) in enumerate(suit.steps):
                if theirs:
                    steps = steps_without(suit.steps, row, THEIR_CARDS)
                    left, loose = self.settle(steps, is_trump=suit.is_trump)
                    suit.thrown.append(self._reply(worth, suit, left, loose))
        return suit.thrown

    def taken(self, trumps: Suit) -> list[SuitReply]:
        """The trumps with which the other seat may take a trick of another suit: it leads next."""
        if trumps.taken is None:
            trumps.taken = [
                self._reply(worth, trumps.flip, left.flip, None)
                for worth, left, *_ in self.thrown(trumps)
            ]
        return trumps.taken

    def _reply(
        self, worth: int, before: Suit, left: Suit, loose: VoidCardCounts | None
    ) -> SuitReply:
        run = left.run - before.run
        if loose:
            run += (loose[0] + loose[1]) * COUNT_PER_TRICK + loose[0] * self.brisque
        return worth, left, loose, left.sure - before.sure, run, left.kept - before.kept


def steps_without(steps: SuitSteps, row: int, seat: int) -> SuitSteps:
    """The steps without one card that `MY_CARDS` or `THEIR_CARDS` has in a row of them."""
    worth, mine, theirs = steps[row]
    left = (worth, mine - 1, theirs) if seat == MY_CARDS else (worth, mine, theirs - 1)
    return (*steps[:row], left, *steps[row + 1 :])


@lru_cache(maxsize=32)
def _suit_caches(law: TrickRules) -> list[SuitCache]:
    return [SuitCache(law)]


def suit_cache_for(law: TrickRules) -> SuitCache:
    """The suits of a law, new ones once there are too many."""
    kept = _suit_caches(law)
    if len(kept[0].known) + len(kept[0].settled) > MOST_SUITS_CACHED:
        kept[0] = SuitCache(law)
    return kept[0]
