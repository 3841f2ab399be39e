"""Solve the tricks after the close: both hands are face up, and only tricks can still score.

State: a `TrickPosition`, each hand coded as four integers, one a suit, with four bits for the copies of
each rank. Value: points still to come with best play, those of the seat to act minus the other's. It
counts brisques, where they count at the end of the deal, and the last trick. Points for playing a dix
are left out, because they do not depend on the tricks.

This module speaks of cards and points. It translates a position before a lead into the suits, void
cards and units of `trick_search`, which does the searching; a reply to a card led is one more step here.

What is owed to a card led, and what takes it, comes from `records.rules.tricks`. A minimax on tables of the engine
proves the values (`tests/analyzer/solver/test_trick_play.py`).
"""

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from analyzer.solver.melds_held import RemainingCards
from analyzer.solver.suits import (
    COUNT_PER_TRICK,
    MY_CARDS,
    UNITS_MASK,
    Suit,
    SuitOfHands,
    TrickRules,
    steps_without,
    suit_cache_for,
)
from analyzer.solver.trick_search import (
    SUIT_PLACES,
    OpenReply,
    PositionBySuit,
    SearchPosition,
    SuitPlace,
    TrickSearch,
    replace_suit,
)
from records.cards import FACE_OF, SUITS
from records.rules.compiled import CompiledSheet
from records.rules.tricks import duties_of
from records.rules.vocabulary import Follow, RuleSheet, To, When

# Search the tricks after the close where any card may be played to any lead.
#
# State, questions and stored bounds are those of `TrickSearch`; only the replies differ. There are many more
# of them, since nobody must follow, and few are certain: so each is built first and bounded after. Games
# played this way are rare, and their search may be slower.

Reply = tuple[int, bool, PositionBySuit]
"""The units of the trick, whether the reply takes it, and the position for the next leader."""


class FreeTrickSearch(TrickSearch):
    """The trick search without a duty to follow: every reply is built, then bounded."""

    def _open_leads(
        self, position: PositionBySuit, units: int, tricks: int, goal: int
    ) -> list[list[OpenReply]] | None:
        """The leads that may reach the goal; None if one of them surely does."""
        leads: list[list[OpenReply]] = []
        for replies in self._every_lead(position):
            left = self._open_replies(replies, (tricks - 1) * COUNT_PER_TRICK, goal, units - goal)
            if left is not None and not left:
                return None
            if left:
                leads.append(left)
        return leads

    def _open_replies(
        self,
        replies: Iterator[Reply],
        all_tricks: int,
        goal: int,
        spare: int,
    ) -> list[OpenReply] | None:
        """The replies still to be searched; None if one refutes the lead."""
        left: list[OpenReply] = []
        for trick_units, reply_takes, after in replies:
            count = self.sure_count(after)
            if reply_takes:
                if count >= all_tricks or (count & UNITS_MASK) > spare - trick_units:
                    return None
            elif count >= all_tricks or trick_units + (count & UNITS_MASK) >= goal:
                continue
            elif all_tricks == COUNT_PER_TRICK:
                return None
            # With one trick left after this one the counts are exact, and nothing stays open.
            if all_tricks > COUNT_PER_TRICK:
                left.append((trick_units, reply_takes, after, count, after[0].denied))
        return left

    def _every_lead(self, position: PositionBySuit) -> Iterator[Iterator[Reply]]:
        """The replies to every lead: from each suit, then of a void card."""
        suit_cache = self.suit_cache
        for place in SUIT_PLACES:
            suit = position[place]
            for row, step in enumerate(suit.steps):
                if step[MY_CARDS]:
                    steps = steps_without(suit.steps, row, MY_CARDS)
                    rest, change = suit_cache.merge_steps(steps, is_trump=suit.is_trump)
                    after = replace_suit(position, place, rest, change, suit_cache)
                    yield self._replies(position, after, step[0], place, row)
        for trick_units, void in suit_cache.void_cards.leads(position[4]):
            yield self._replies(position, (*position[:4], void), trick_units, None, 0)

    def _replies(
        self,
        position: PositionBySuit,
        after: PositionBySuit,
        trick_units: int,
        place: SuitPlace | None,
        row: int,
    ) -> Iterator[Reply]:
        """Every reply: in the suit led, a ruff, a void card thrown, a card of another suit thrown.

        `position` is before the lead and `after` behind it; `row` is the step of the card led, of
        `trick_units` units, in the suit at `place`, or `place` is None if a void card is led.
        """
        suit_cache, trumps = self.suit_cache, after[0]
        flipped, flipped_after = flip_position(position), flip_position(after)
        if place is not None and position[place].theirs:
            # Suits list their leads by the leader's steps alone: find the one led.
            led = [i for i, step in enumerate(position[place].steps) if step[MY_CARDS]].index(row)
            taking, losing = suit_cache.leads(position[place])[led]
            for both, left, change, *_ in taking:
                yield both, True, replace_suit(flipped, place, left, change, suit_cache)
            for both, left, change, *_ in losing:
                yield both, False, replace_suit(position, place, left, change, suit_cache)
        if place != 0 and trumps.is_trump:
            for units, left, *_ in suit_cache.ruffs(trumps):
                found = replace_suit(flipped_after, 0, left, None, suit_cache)
                yield trick_units + units, True, found
        # Cards that become void cards by this lead are of the suit led: those replies came first.
        _, _, brisques, others = position[4].counts
        if brisques or others:
            units, thrown = (0, (0, 0, 0, -1)) if others else (suit_cache.brisque, (0, 0, -1, 0))
            rest = suit_cache.void_cards.after(after[4], thrown)
            yield trick_units + units, False, (*after[:4], rest)
        for other in SUIT_PLACES:
            if other != place and not after[other].is_trump:
                for units, left, change, *_ in suit_cache.throws(after[other]):
                    found = replace_suit(after, other, left, change, suit_cache)
                    yield trick_units + units, False, found


def flip_position(position: PositionBySuit) -> PositionBySuit:
    """A position seen from the other seat."""
    first, second, third, fourth, void = position
    return first.flip, second.flip, third.flip, fourth.flip, void.flip


BITS_PER_COUNT = 4
"""Bits for the number of copies of one card that a seat holds: at most six, in games of six packs."""
COUNT_MASK = (1 << BITS_PER_COUNT) - 1

CodedHand = tuple[int, int, int, int]
"""A seat's cards: one integer per suit, trumps first; its lowest bits count the copies of the highest rank."""


CodedGroup = tuple[int, int]
"""Cards of one suit: the index of the suit, and the bits that count them in a coded hand."""


class TrickPosition(NamedTuple):
    """A position after the close: both hands, the seat to act, and the card it replies to, if any."""

    hands: tuple[CodedHand, CodedHand]
    seat: int
    led: str | None = None


def trick_rules_of(sheet: RuleSheet) -> TrickRules:
    """What the endgame of a sheet demands and pays for tricks."""
    last = [bonus for bonus in sheet.rules.bonuses if bonus.tricks is When.LAST_TRICK]
    return TrickRules(
        follow=sheet.rules.phases[-1].follow,
        brisque=sheet.rules.brisques.points_at_the_end,
        ranks=sheet.rules.pack.ranks,
        brisques=sheet.rules.brisques.ranks,
        last_trick=sum([bonus.points for bonus in last if bonus.to is To.WINNER]),
    )


@cache
def card_places(
    ranks: tuple[str, ...], trump: str | None
) -> tuple[str, dict[str, tuple[int, int]]]:
    """The suits, trumps first, and for every card the index of its suit and the shift of its count."""
    order = "".join(sorted(SUITS, key=lambda suit: suit != trump))
    place = {
        rank + suit: (number, BITS_PER_COUNT * shift)
        for number, suit in enumerate(order)
        for shift, rank in enumerate(ranks)
    }
    return order, place


@lru_cache(maxsize=128)
def _coded_duties(
    ranks: tuple[str, ...], follow: Follow, trump: str | None
) -> dict[str, list[CodedGroup]]:
    """For every card of the pack led, the groups that are owed to it."""
    _, place_of = card_places(ranks, trump)
    duties = duties_of(ranks, follow)[trump]
    return {led: [_coded(group, place_of) for group in duties[led] if group] for led in place_of}


def _coded(group: frozenset[str], place_of: dict[str, tuple[int, int]]) -> CodedGroup:
    """A group of cards, all of one suit."""
    places = [place for card, place in place_of.items() if card in group]
    return places[0][0] if places else 0, sum([COUNT_MASK << shift for _, shift in places])


class TrickPlaySolver:
    """Solves the tricks of one deal's close; answers are cached for later questions."""

    def __init__(self, rules: CompiledSheet, trump: str | None) -> None:
        trick_rules = trick_rules_of(rules.sheet)
        self.suit_cache = suit_cache_for(trick_rules)
        self.search: TrickSearch = (
            FreeTrickSearch(self.suit_cache)
            if self.suit_cache.free
            else TrickSearch(self.suit_cache)
        )
        self.trump = trump
        self.ranks = trick_rules.ranks
        self.suit_order, self.place_of = card_places(trick_rules.ranks, trump)
        self.beaters = rules.beaters(trump)
        self.duties = _coded_duties(trick_rules.ranks, trick_rules.follow, trump)
        self.units_of_rank = [
            self.suit_cache.brisque if rank in trick_rules.brisques else 0 for rank in self.ranks
        ]
        self._remaining: dict[CodedHand, RemainingCards] = {}
        self._faces: dict[tuple[int, int], list[str]] = {}

    def code_hand(self, cards: Mapping[str, int]) -> CodedHand:
        """A seat's cards as integers; labels are dropped."""
        codes = [0, 0, 0, 0]
        for card, count in cards.items():
            number, shift = self.place_of[FACE_OF[card]]
            codes[number] += count << shift
        return codes[0], codes[1], codes[2], codes[3]

    def cards_of(self, hand: CodedHand) -> list[str]:
        """The different cards of a hand."""
        return [card for number in range(4) for card in self._faces_in(number, hand[number])]

    def replies(self, hand: CodedHand, led: str) -> list[str]:
        """The cards that may be played to the card led (laws C4 and C8)."""
        for number, counts in self.duties[led]:
            if owed := hand[number] & counts:
                return self._faces_in(number, owed)
        return self.cards_of(hand)

    def takes(self, led: str, reply: str) -> bool:
        """Whether a reply takes the trick."""
        return reply in self.beaters[led]

    def after_card(self, position: TrickPosition, card: str) -> tuple[int, TrickPosition]:
        """The points a card scores at once, for its seat minus the other, and the position after it."""
        hands, seat, led = position
        left = self._without(hands, seat, card)
        if led is None:
            return 0, TrickPosition(left, 1 - seat, card)
        units = self._units_of(led, card) + (0 if any(left[0]) else self.suit_cache.last_trick)
        points = units * self.suit_cache.unit
        if self.takes(led, card):
            return points, TrickPosition(left, seat)
        return -points, TrickPosition(left, 1 - seat)

    def value(self, position: TrickPosition) -> int:
        """The points still to come for the seat to act minus those of the other."""
        if position.led is not None:
            return max(self.card_values(position).values())
        root = self.root(position)
        # The search counts what the leader takes; the other seat takes the rest of the units.
        return (2 * self.search.share(root) - root.units) * self.suit_cache.unit

    def reaches(self, position: TrickPosition, points: int) -> bool:
        """Whether the value of a position before a lead is at least `points`."""
        root = self.root(position)
        return self.search.reaches(
            root, -(-(points + root.units * self.suit_cache.unit) // (2 * self.suit_cache.unit))
        )

    def bounds(self, position: TrickPosition) -> tuple[int, int]:
        """The lower and upper bound known for the value of a position before a lead."""
        root = self.root(position)
        low, high = self.search.bounds.get(root.suits) or self.search.bound(root)
        unit = self.suit_cache.unit
        return (2 * low - root.units) * unit, (2 * high - root.units) * unit

    def all_points(self, position: TrickPosition) -> int:
        """The points still to be taken in tricks, a card led included."""
        return self._units(position) * self.suit_cache.unit

    def remaining(self, position: TrickPosition) -> RemainingCards:
        """The cards still to be won, a card led included."""
        mine, theirs = position.hands
        codes = [own + other for own, other in zip(mine, theirs, strict=True)]
        if position.led:
            number, shift = self.place_of[position.led]
            codes[number] += 1 << shift
        key = codes[0], codes[1], codes[2], codes[3]
        left = self._remaining.get(key)
        if left is None:
            faces = {card: self._count(key, card) for card in self.cards_of(key)}
            left = self._remaining[key] = RemainingCards((sum(faces.values()) + 1) // 2, faces, key)
        return left

    def recode(self, position: TrickPosition, other: "TrickPlaySolver") -> TrickPosition:
        """A position before a lead as coded by the solver for other trumps."""
        hands = [
            other.code_hand({card: self._count(hand, card) for card in self.cards_of(hand)})
            for hand in position.hands
        ]
        return TrickPosition((hands[0], hands[1]), position.seat)

    def _count(self, hand: CodedHand, card: str) -> int:
        number, shift = self.place_of[card]
        return hand[number] >> shift & COUNT_MASK

    def card_values(self, position: TrickPosition, guess: int | None = None) -> dict[str, int]:
        """The value of every card that may be played, for the seat that plays it.

        `guess` is a value that some card may have; it is tried first.
        """
        hands, seat, led = position
        units = self._units(position)
        unit = self.suit_cache.unit
        share = None if guess is None else (guess // unit + units) // 2
        found: dict[str, int] = {}
        before: str | None = None
        for card in self.cards_of(hands[seat]) if led is None else self.replies(hands[seat], led):
            if before and self.are_equivalent(before, card, hands[1 - seat], led):
                found[card] = found[before]
            elif led is None:
                left = self._without(hands, seat, card)
                replies = self.replies(left[1 - seat], card)
                share = self._least_units(
                    [self._resolve_trick(left, seat, card, reply) for reply in replies], share
                )
                found[card] = (2 * share - units) * unit
            else:
                theirs = None if share is None else units - share
                share = units - self._least_units(
                    [self._resolve_trick(hands, 1 - seat, led, card)], theirs
                )
                found[card] = (2 * share - units) * unit
            before = card
        return found

    def _units(self, position: TrickPosition) -> int:
        """The units still to be taken, a card led included."""
        hands, seat, led = position
        return self._root_of(hands[seat], hands[1 - seat]).units + (
            self._units_of(led) if led else 0
        )

    def root(self, position: TrickPosition) -> SearchPosition:
        """A position before a lead, as `trick_search` sees it."""
        hands, seat, _ = position
        return self._root_of(hands[seat], hands[1 - seat])

    def are_equivalent(self, higher: str, lower: str, theirs: CodedHand, led: str | None) -> bool:
        """Whether two neighbouring cards of a seat are equivalent: playing either has the same value.

        They are if they count the same, and neither a card of the other seat nor the card led lies
        between them.
        """
        number, shift = self.place_of[higher]
        other, reply_shift = self.place_of[lower]
        if (
            number != other
            or self.units_of_rank[shift // BITS_PER_COUNT]
            != self.units_of_rank[reply_shift // BITS_PER_COUNT]
        ):
            return False
        if (
            led
            and self.place_of[led][0] == number
            and shift <= self.place_of[led][1] <= reply_shift
        ):
            return False
        return not theirs[number] & ((1 << reply_shift + BITS_PER_COUNT) - (1 << shift))

    def _resolve_trick(
        self, hands: tuple[CodedHand, CodedHand], leader: int, led: str, reply: str
    ) -> tuple[int, bool, SearchPosition]:
        """The units of a trick, whether the reply takes it, and what is left for the next leader.

        `hands` do not hold the card led any more.
        """
        left = self._without(hands, 1 - leader, reply)
        takes = self.takes(led, reply)
        leads = 1 - leader if takes else leader
        root = self._root_of(left[leads], left[1 - leads])
        last = 0 if root.tricks else self.suit_cache.last_trick
        return self._units_of(led, reply) + last, takes, root

    def _least_units(
        self, tricks: list[tuple[int, bool, SearchPosition]], guess: int | None
    ) -> int:
        """The units the leader takes against the best of these replies.

        `tricks` are the results of the replies, and `guess` is the number to try first. After the first
        reply each is only asked whether it does better: most are refuted by one question.
        """
        least: int | None = None
        for worth, reply_takes, root in tricks:
            if least is not None:
                goal = root.units - least + 1 if reply_takes else least - worth
                if self.search.reaches(root, goal) is not reply_takes:
                    continue
                guess = least - 1
            if reply_takes:
                root_guess = None if guess is None else root.units - guess
                least = root.units - self.search.share(root, root_guess)
            else:
                root_guess = None if guess is None else guess - worth
                least = worth + self.search.share(root, root_guess)
        assert least is not None
        return least

    def _root_of(self, mine: CodedHand, theirs: CodedHand) -> SearchPosition:
        """The search position of two hands, seen from the first, which is to lead."""
        suits: list[Suit] = []
        by_hands, is_trump = self.suit_cache.by_hands, self.trump is not None
        units = tricks = a = b = c = d = 0
        for own, other in zip(mine, theirs, strict=True):
            key = own, other, is_trump
            known = by_hands.get(key)
            if known is None:
                known = by_hands[key] = self._suit_of(own, other, is_trump=is_trump)
            suit, change, worth, cards = known
            suits.append(suit)
            if change:
                a, b, c, d = a + change[0], b + change[1], c + change[2], d + change[3]
            units += worth
            tricks += cards
            is_trump = False
        void_cards = self.suit_cache.void_cards.with_counts((a, b, c, d))
        by_suit = suits[0], suits[1], suits[2], suits[3], void_cards
        return SearchPosition(by_suit, units + self.suit_cache.last_trick if tricks else 0, tricks)

    def _suit_of(self, mine: int, theirs: int, *, is_trump: bool) -> SuitOfHands:
        """One suit of two hands, its void cards, the units of both, and the number of the first hand's cards."""
        shifts = range(0, BITS_PER_COUNT * len(self.ranks), BITS_PER_COUNT)
        steps = [
            (worth, mine >> shift & COUNT_MASK, theirs >> shift & COUNT_MASK)
            for worth, shift in zip(self.units_of_rank, shifts, strict=True)
        ]
        suit, change = self.suit_cache.merge_steps(steps, is_trump=is_trump)
        units = sum([worth * (own + other) for worth, own, other in steps])
        return suit, change, units, sum([own for _, own, _ in steps])

    def _units_of(self, *cards: str) -> int:
        return sum([self.units_of_rank[self.place_of[card][1] // BITS_PER_COUNT] for card in cards])

    def _without(
        self, hands: tuple[CodedHand, CodedHand], seat: int, card: str
    ) -> tuple[CodedHand, CodedHand]:
        number, shift = self.place_of[card]
        hand = hands[seat]
        codes = [*hand]
        codes[number] -= 1 << shift
        left = codes[0], codes[1], codes[2], codes[3]
        return (left, hands[1]) if seat == 0 else (hands[0], left)

    def _faces_in(self, number: int, code: int) -> list[str]:
        """The different cards of one suit of a hand, highest first."""
        listed = self._faces.get((number, code))
        if listed is None:
            suit = self.suit_order[number]
            listed = self._faces[number, code] = [
                rank + suit
                for place, rank in enumerate(self.ranks)
                if code >> BITS_PER_COUNT * place & COUNT_MASK
            ]
        return listed
