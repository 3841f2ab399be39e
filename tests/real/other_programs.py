"""Matches as three other programs would tell them, each with habits of its own that are not in the book.

The habits are those of real programs; the programs are written here, and use nothing of the validator's.
Whoever has real matches compares them too: see `test_real`.
"""

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any

ORDER = "789JQKTA"
SUITS = "SHDC"
TARGET = 1000
FOURS = {"A": ("four_aces", 100), "K": ("four_kings", 80), "Q": ("four_queens", 60), "J": ("four_jacks", 40)}  # fmt: skip
Event = dict[str, Any]


@dataclass(frozen=True)
class Habits:
    """How a program plays; as it stands here, by the book."""

    hand: int = 8
    labels: bool = False
    draws_by_seat: bool = False
    dealer_by_chance: bool = False
    lies_after_close: bool = False
    bezique_by_trump: bool = False
    turned_seven_scores_again: bool = False
    brisques_pile_up: bool = False
    melds_a_trick: int = 1
    royal_marriage: int = 40
    short_sequence: bool = False
    one_seven: bool = False
    no_seven_played: bool = False
    stops_at_target: bool = False
    must_beat_trumps: bool = True


PROGRAMS = {
    "a": Habits(draws_by_seat=True, dealer_by_chance=True, lies_after_close=True,
                bezique_by_trump=True, turned_seven_scores_again=True, brisques_pile_up=True),
    "b": Habits(draws_by_seat=True, dealer_by_chance=True, lies_after_close=True, melds_a_trick=4, royal_marriage=20,
                short_sequence=True, one_seven=True, stops_at_target=True),
    "c": Habits(hand=9, labels=True, lies_after_close=True, no_seven_played=True,
                must_beat_trumps=False),
}  # fmt: skip


def play_match(program: str, seed: int) -> Event:
    """A whole match, as the program would write it down."""
    habits, random = PROGRAMS[program], Random(f"{program} {seed}")
    totals, brisques, dealer = [0, 0], [0, 0], random.randrange(2)
    deals = []
    while max(totals) < TARGET or totals[0] == totals[1]:
        deal = _Deal(habits, random, dealer, totals, brisques)
        deals.append(deal.play())
        totals = [old + new for old, new in zip(totals, deal.points, strict=True)]
        dealer = random.randrange(2) if habits.dealer_by_chance else 1 - dealer
    return {
        "format": "bezique-record", "version": "1.0",
        "rules": {"id": "bezique", "options": {"hand_size": 9} if habits.hand == 9 else {}},
        "players": [{"name": "A", "kind": "program"}, {"name": "B", "kind": "program"}],
        "deals": deals,
        "result": {"status": "complete", "scores": totals, "winner": totals.index(max(totals))},
    }  # fmt: skip


class _Deal:
    """One deal; cards bear labels here, whatever is told of them."""

    def __init__(
        self, habits: Habits, random: Random, dealer: int, totals: list[int], brisques: list[int]
    ) -> None:
        self.habits, self.random, self.dealer = habits, random, dealer
        self.totals, self.brisques = totals, brisques
        pack = [f"{rank}{suit}.{copy}" for rank in ORDER for suit in SUITS for copy in "12"]
        random.shuffle(pack)
        size = habits.hand
        self.hands = [pack[:size], pack[size : 2 * size]]
        self.turn_up, *self.stock = pack[2 * size :]
        self.trump = self.turn_up[1]
        self.points, self.laid, self.served = [0, 0], set[str](), set[str]()
        self.spent = set[str]()
        self.events: list[Event] = []
        if not habits.brisques_pile_up:
            brisques[:] = [0, 0]

    def play(self) -> Event:
        """Play it to its end, or as far as the program does."""
        told = {
            "dealer": self.dealer,
            "hands": [[self._told(card) for card in hand] for hand in self.hands],
            "turn_up": self._told(self.turn_up),
            "events": self.events,
        }
        if self.turn_up[0] == "7" and not (self.habits.one_seven or self.habits.no_seven_played):
            self.points[self.dealer] += 10
            self.spent |= set() if self.habits.turned_seven_scores_again else {self.turn_up}
        self.lies, winner, closed = self.turn_up, 1 - self.dealer, False
        while self.hands[winner] and not self._stops():
            winner = self._trick(winner, closed=closed)
            if not closed:
                self._chances(winner)
                closed = self._draw(winner)
        if not self.hands[winner]:
            self._score(winner, "last_trick", 10)
            for seat in (0, 1):
                self._score(seat, "brisques", 10 * self.brisques[seat])
        return told | {"claims": {"scores": list(self.points)}}

    def _stops(self) -> bool:
        mine, theirs = (old + new for old, new in zip(self.totals, self.points, strict=True))
        return self.habits.stops_at_target and max(mine, theirs) >= TARGET and mine != theirs

    def _told(self, card: str) -> str:
        return card if self.habits.labels else card[:2]

    def _score(self, seat: int, what: str, points: int) -> None:
        if points:
            self.points[seat] += points
            self.events.append({"type": "score", "seat": seat, "for": what, "points": points})

    def _trick(self, leader: int, *, closed: bool) -> int:
        led = self._put(leader, self._choice(self.hands[leader]))
        reply = 1 - leader
        duty = _bound(self.hands[reply], led, self.trump, self.habits) if closed else []
        answer = self._put(reply, self._choice(duty or self.hands[reply]))
        winner = reply if _beats(answer, led, self.trump) else leader
        self.brisques[winner] += (led[0] in "AT") + (answer[0] in "AT")
        self.events.append({"type": "trick", "winner": winner})
        return winner

    def _choice(self, cards: list[str]) -> str:
        """Mostly the least of some cards, so that those worth melding stay."""
        if self.random.random() < 0.1:
            return self.random.choice(cards)
        return min(cards, key=lambda card: (card[1] == self.trump, card[0] in "QJ", ORDER.index(card[0]), card))  # fmt: skip

    def _put(self, seat: int, card: str) -> str:
        self.hands[seat].remove(card)
        place = "table" if card in self.laid else "hand"
        self.events.append({"type": "play", "seat": seat, "card": self._told(card), "from": place})
        seven, habits = card[:2] == "7" + self.trump, self.habits
        if seven and card not in self.spent and not habits.no_seven_played:
            self._dix(seat, "play", card)
        return card

    def _dix(self, seat: int, action: str, card: str) -> None:
        if self.habits.one_seven and self.spent:
            return
        self.spent.add(card)
        self.points[seat] += 10
        self.events.append({"type": "dix", "seat": seat, "action": action, "points": 10})

    def _chances(self, seat: int) -> None:
        hand, lies = self.hands[seat], self.lies
        sevens = [card for card in hand if card[:2] == "7" + self.trump and card not in self.spent]
        if sevens and lies[0] != "7" and not (self.habits.one_seven and self.spent):
            self._dix(seat, "exchange", sevens[0])
            hand.remove(sevens[0])
            hand.append(lies)
            self.lies = sevens[0]
        # Who may score several at once has no reason to hurry.
        waits = self.habits.melds_a_trick > 1 and self.random.random() < 0.6
        for _ in range(0 if waits else self.habits.melds_a_trick):
            if not self._meld(seat):
                break

    def _meld(self, seat: int) -> bool:
        """Score a meld of cards that have not served, as the book has it whatever the rule of reuse."""
        free = sorted(card for card in self.hands[seat] if card not in self.served)
        married = {card[:2] for card in self.served} >= {"K" + self.trump, "Q" + self.trump}
        for name, faces, points in _melds(self.trump, self.habits, married=married):
            cards = _taken(free, faces)
            if cards:
                self.served |= set(cards)
                self.laid |= set(cards)
                self.points[seat] += points
                told = [self._told(card) for card in cards]
                self.events.append(
                    {"type": "meld", "seat": seat, "meld": name, "cards": told, "points": points}
                )
                return True
        return False

    def _draw(self, winner: int) -> bool:
        """Draw a card each; whether the stock is gone then."""
        for seat in (0, 1) if self.habits.draws_by_seat else (winner, 1 - winner):
            card = self.stock.pop() if self.stock else self.lies
            self.hands[seat].append(card)
            self.events.append({"type": "draw", "seat": seat, "card": self._told(card)})
        closed = not self.stock
        if closed and not self.habits.lies_after_close:
            self.laid.clear()
        return closed


def _beats(card: str, led: str, trump: str) -> bool:
    if card[1] == led[1]:
        return ORDER.index(card[0]) > ORDER.index(led[0])
    return card[1] == trump


def _bound(hand: list[str], led: str, trump: str, habits: Habits) -> list[str]:
    """The cards that may answer a lead after the close; none if all may."""
    same = [card for card in hand if card[1] == led[1]]
    higher = [card for card in same if _beats(card, led, trump)]
    if led[1] == trump and not habits.must_beat_trumps:
        return same
    return higher or same or [card for card in hand if card[1] == trump]


def _melds(trump: str, habits: Habits, *, married: bool) -> list[tuple[str, list[str], int]]:
    """The melds that a program knows, the dearest first: name, cards as suits and ranks, points."""
    bezique = ["QC", "JH"] if habits.bezique_by_trump and trump in "SD" else ["QS", "JD"]
    whole = ("sequence", [rank + trump for rank in "AKQJT"], 250)
    short = ("sequence", [rank + trump for rank in "AKJT"], 250)
    fours = [
        (name, [rank + suit for suit in SUITS], worth) for rank, (name, worth) in FOURS.items()
    ]
    marriages = [
        ("marriage", ["K" + suit, "Q" + suit], habits.royal_marriage if suit == trump else 20)
        for suit in SUITS
    ]
    known = [whole, *fours, ("bezique", bezique, 40), *marriages]
    return [short, *known] if habits.short_sequence and married else known


def _taken(free: list[str], faces: list[str]) -> list[str]:
    """A card for each face; none if one is missing."""
    if Counter(faces) - Counter(card[:2] for card in free):
        return []
    return [next(card for card in free if card[:2] == face) for face in faces]
