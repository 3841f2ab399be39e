"""The end of one deal, solved: both hands are known, and only tricks are left to be won.

A *value* is points still to come: those of the seat asked about less those of the other, if both play
their best from there. It counts what the closing phase of the sheet scores by tricks: each brisque if
brisques count at the end of the deal, and the last trick. Points that do not depend on what is
played, a dix for its being played, are left out.
"""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from analyzer.annotate.solver.free_tricks import FreeTrickSearch
from analyzer.annotate.solver.melds.held import RemainingCards
from analyzer.annotate.solver.suits import SettledSuit, Suit, TrickRules, suit_cache_for
from analyzer.annotate.solver.trick_search import SearchPosition, TrickSearch
from records.cards import FACE_OF, SUITS
from records.rules.compiled import CompiledSheet
from records.rules.vocabulary import BrisqueCount, Follow, RuleSheet, To, When

BITS_PER_COUNT = 4
"""Bits for the number of a seat's copies of one card; six packs have six."""
COUNT_MASK = (1 << BITS_PER_COUNT) - 1

CodedHand = tuple[int, int, int, int]
"""A seat's cards: a number a suit, trumps first; the copies of the highest rank are its lowest bits."""


class TrickPosition(NamedTuple):
    """A position after the close: both hands, the seat to act, and the card it replies to, if any."""

    hands: tuple[CodedHand, CodedHand]
    seat: int
    led: str | None = None


def trick_rules_of(sheet: RuleSheet) -> TrickRules:
    """What the closing phase of a sheet asks and pays for tricks."""
    brisques = sheet.brisques
    last = [bonus for bonus in sheet.bonuses if bonus.when is When.LAST_TRICK]
    return TrickRules(
        follow=sheet.phases[-1].follow,
        brisque=brisques.points if brisques.count is BrisqueCount.AT_THE_END else 0,
        ranks=sheet.pack.ranks,
        brisques=brisques.ranks,
        last_trick=sum([bonus.points for bonus in last if bonus.to is To.WINNER]),
    )


@cache
def card_places(ranks: str, trump: str | None) -> tuple[str, dict[str, tuple[int, int]]]:
    """The suits, trumps first, and for every card the number of its suit and the place of its count."""
    order = "".join(sorted(SUITS, key=lambda suit: suit != trump))
    place = {
        rank + suit: (number, BITS_PER_COUNT * shift)
        for number, suit in enumerate(order)
        for shift, rank in enumerate(ranks)
    }
    return order, place


class TrickPlaySolver:
    """The close of one deal. What was once found is kept, for all later questions."""

    def __init__(self, book: CompiledSheet, trump: str | None) -> None:
        law = trick_rules_of(book.sheet)
        self.suits = suit_cache_for(law)
        self.tricks: TrickSearch = (
            FreeTrickSearch(self.suits) if self.suits.free else TrickSearch(self.suits)
        )
        self.trump = trump
        self.heads = law.follow is Follow.HEAD
        self.ranks = law.ranks
        self.order, self.place = card_places(law.ranks, trump)
        self.worth = [self.suits.brisque if rank in law.brisques else 0 for rank in self.ranks]
        self._left: dict[CodedHand, RemainingCards] = {}
        self._faces: dict[tuple[int, int], list[str]] = {}

    def hand(self, cards: Mapping[str, int]) -> CodedHand:
        """A seat's cards, labels apart, as they are counted here."""
        codes = [0, 0, 0, 0]
        for card, count in cards.items():
            number, shift = self.place[FACE_OF[card]]
            codes[number] += count << shift
        return codes[0], codes[1], codes[2], codes[3]

    def cards(self, hand: CodedHand) -> list[str]:
        """The different cards of a hand."""
        return [card for number in range(4) for card in self._listed(number, hand[number])]

    def replies(self, hand: CodedHand, led: str) -> list[str]:
        """The cards that may be played to the card led (laws C4 and C8)."""
        number, shift = self.place[led]
        same = hand[number]
        trumps = hand[0] if self.trump and number else 0
        if self.suits.free:
            return self.cards(hand)
        if same:
            higher = same & ((1 << shift) - 1)
            must_head = self.heads or self.order[number] == self.trump
            return self._listed(number, higher if higher and must_head else same)
        return self._listed(0, trumps) if trumps else self.cards(hand)

    def takes(self, led: str, reply: str) -> bool:
        """Whether a reply takes the trick; of like cards the first wins (C3)."""
        number, shift = self.place[led]
        other, its_shift = self.place[reply]
        return its_shift < shift if number == other else self.order[other] == self.trump

    def after(self, close: TrickPosition, card: str) -> tuple[int, TrickPosition]:
        """What the seat to act scores at once by a card, less the other, and the position then."""
        hands, seat, led = close
        left = self._without(hands, seat, card)
        if led is None:
            return 0, TrickPosition(left, 1 - seat, card)
        units = self._worth(led, card) + (0 if any(left[0]) else self.suits.last_trick)
        points = units * self.suits.unit
        if self.takes(led, card):
            return points, TrickPosition(left, seat)
        return -points, TrickPosition(left, 1 - seat)

    def value(self, close: TrickPosition) -> int:
        """The points still to come for the seat to act, less those of the other."""
        if close.led is not None:
            return max(self.choices(close).values())
        spot = self.spot(close)
        return (2 * self.tricks.share(spot) - spot.units) * self.suits.unit

    def reaches(self, close: TrickPosition, points: int) -> bool:
        """Whether the value of a position before a lead is so much."""
        spot = self.spot(close)
        return self.tricks.reaches(
            spot, -(-(points + spot.units * self.suits.unit) // (2 * self.suits.unit))
        )

    def bounds(self, close: TrickPosition) -> tuple[int, int]:
        """The least and the most that a position before a lead may be worth, as far as is known."""
        spot = self.spot(close)
        low, high = self.tricks.bounds.get(spot.position) or self.tricks.bound(spot)
        unit = self.suits.unit
        return (2 * low - spot.units) * unit, (2 * high - spot.units) * unit

    def all_points(self, close: TrickPosition) -> int:
        """The points left to be taken in tricks, those of a card led among them."""
        return self._units(close) * self.suits.unit

    def left(self, close: TrickPosition) -> RemainingCards:
        """What is still to be played and won, a card led among it."""
        mine, theirs = close.hands
        codes = [own + other for own, other in zip(mine, theirs, strict=True)]
        if close.led:
            number, shift = self.place[close.led]
            codes[number] += 1 << shift
        key = codes[0], codes[1], codes[2], codes[3]
        left = self._left.get(key)
        if left is None:
            faces = {card: self._count(key, card) for card in self.cards(key)}
            left = self._left[key] = RemainingCards((sum(faces.values()) + 1) // 2, faces, key)
        return left

    def moved(self, close: TrickPosition, other: "TrickPlaySolver") -> TrickPosition:
        """A position before a lead as another endgame counts it, whose trumps are others."""
        hands = [
            other.hand({card: self._count(hand, card) for card in self.cards(hand)})
            for hand in close.hands
        ]
        return TrickPosition((hands[0], hands[1]), close.seat)

    def _count(self, hand: CodedHand, card: str) -> int:
        number, shift = self.place[card]
        return hand[number] >> shift & COUNT_MASK

    def choices(self, close: TrickPosition, guess: int | None = None) -> dict[str, int]:
        """The value of every card that may be played, for the seat that plays it.

        `guess` is a value that some of them may have: it is tried first.
        """
        hands, seat, led = close
        units = self._units(close)
        unit = self.suits.unit
        share = None if guess is None else (guess // unit + units) // 2
        found: dict[str, int] = {}
        before: str | None = None
        for card in self.cards(hands[seat]) if led is None else self.replies(hands[seat], led):
            if before and self.alike(before, card, hands[1 - seat], led):
                found[card] = found[before]
            elif led is None:
                left = self._without(hands, seat, card)
                replies = self.replies(left[1 - seat], card)
                share = self._least(
                    [self._trick(left, seat, card, reply) for reply in replies], share
                )
                found[card] = (2 * share - units) * unit
            else:
                theirs = None if share is None else units - share
                share = units - self._least([self._trick(hands, 1 - seat, led, card)], theirs)
                found[card] = (2 * share - units) * unit
            before = card
        return found

    def _units(self, close: TrickPosition) -> int:
        """The units left to be taken, those of a card led among them."""
        hands, seat, led = close
        return self._spot(hands[seat], hands[1 - seat]).units + (self._worth(led) if led else 0)

    def spot(self, close: TrickPosition) -> SearchPosition:
        """A position before a lead, as the tricks are searched."""
        hands, seat, _ = close
        return self._spot(hands[seat], hands[1 - seat])

    def alike(self, higher: str, lower: str, theirs: CodedHand, led: str | None) -> bool:
        """Whether it makes no difference which of a seat's two neighbouring cards it plays."""
        number, shift = self.place[higher]
        other, its_shift = self.place[lower]
        if (
            number != other
            or self.worth[shift // BITS_PER_COUNT] != self.worth[its_shift // BITS_PER_COUNT]
        ):
            return False
        if led and self.place[led][0] == number and shift <= self.place[led][1] <= its_shift:
            return False
        return not theirs[number] & ((1 << its_shift + BITS_PER_COUNT) - (1 << shift))

    def _trick(
        self, hands: tuple[CodedHand, CodedHand], leader: int, led: str, reply: str
    ) -> tuple[int, bool, SearchPosition]:
        """A trick's worth, whether the reply takes it, and what is left for the next leader.

        `hands` are without the card led.
        """
        left = self._without(hands, 1 - leader, reply)
        takes = self.takes(led, reply)
        leads = 1 - leader if takes else leader
        spot = self._spot(left[leads], left[1 - leads])
        last = 0 if spot.tricks else self.suits.last_trick
        return self._worth(led, reply) + last, takes, spot

    def _least(self, tricks: list[tuple[int, bool, SearchPosition]], guess: int | None) -> int:
        """The units that the leader takes if the reply is the worst of these for him."""
        least: int | None = None
        for worth, changed, spot in tricks:
            if least is not None:
                goal = spot.units - least + 1 if changed else least - worth
                if self.tricks.reaches(spot, goal) is not changed:
                    continue
                guess = least - 1
            if changed:
                its = None if guess is None else spot.units - guess
                least = spot.units - self.tricks.share(spot, its)
            else:
                its = None if guess is None else guess - worth
                least = worth + self.tricks.share(spot, its)
        assert least is not None
        return least

    def _spot(self, mine: CodedHand, theirs: CodedHand) -> SearchPosition:
        """The position of two hands, seen from the first, who is to lead."""
        suits: list[Suit] = []
        settled, is_trump = self.suits.settled, self.trump is not None
        units = tricks = a = b = c = d = 0
        for own, other in zip(mine, theirs, strict=True):
            key = own, other, is_trump
            known = settled.get(key)
            if known is None:
                known = settled[key] = self._settle(own, other, is_trump=is_trump)
            suit, change, worth, cards = known
            suits.append(suit)
            if change:
                a, b, c, d = a + change[0], b + change[1], c + change[2], d + change[3]
            units += worth
            tricks += cards
            is_trump = False
        position = suits[0], suits[1], suits[2], suits[3], self.suits.looses.of((a, b, c, d))
        return SearchPosition(position, units + self.suits.last_trick if tricks else 0, tricks)

    def _settle(self, mine: int, theirs: int, *, is_trump: bool) -> SettledSuit:
        """One suit of two hands, its loose cards, the units of both, and the cards of the first."""
        shifts = range(0, BITS_PER_COUNT * len(self.ranks), BITS_PER_COUNT)
        steps = [
            (worth, mine >> shift & COUNT_MASK, theirs >> shift & COUNT_MASK)
            for worth, shift in zip(self.worth, shifts, strict=True)
        ]
        suit, change = self.suits.settle(steps, is_trump=is_trump)
        units = sum([worth * (own + other) for worth, own, other in steps])
        return suit, change, units, sum([own for _, own, _ in steps])

    def _worth(self, *cards: str) -> int:
        return sum([self.worth[self.place[card][1] // BITS_PER_COUNT] for card in cards])

    def _without(
        self, hands: tuple[CodedHand, CodedHand], seat: int, card: str
    ) -> tuple[CodedHand, CodedHand]:
        number, shift = self.place[card]
        hand = hands[seat]
        codes = [*hand]
        codes[number] -= 1 << shift
        left = codes[0], codes[1], codes[2], codes[3]
        return (left, hands[1]) if seat == 0 else (hands[0], left)

    def _listed(self, number: int, code: int) -> list[str]:
        """The different cards of one suit of a hand, the highest first."""
        listed = self._faces.get((number, code))
        if listed is None:
            suit = self.order[number]
            listed = self._faces[number, code] = [
                rank + suit
                for place, rank in enumerate(self.ranks)
                if code >> BITS_PER_COUNT * place & COUNT_MASK
            ]
        return listed
