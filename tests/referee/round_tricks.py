"""A referee for tricks of three cards and more, with physical cards: who plays, what follows, who takes, who draws what.

It shares no code with the engine, and knows the rules from law C17 alone. Melds it only asks for their seat and cards.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

RANKS = "789JQKTA"


def rank(card: str) -> int:
    """How high a card stands in its suit."""
    return RANKS.index(card[0])


def beats(card: str, best: str, trump: str) -> bool:
    """Whether a card takes a trick from the best so far."""
    if card[1] == best[1]:
        return rank(card) > rank(best)
    return card[1] == trump


def best_of(cards: list[str], trump: str) -> int:
    """The place of the card that takes the trick."""
    place = 0
    for number, card in enumerate(cards):
        if beats(card, cards[place], trump):
            place = number
    return place


def may_follow(hand: list[str], trick: list[str], trump: str) -> set[str]:
    """The cards of a hand that may be played after the close to the cards of a trick: suit, winning, or trumps that win."""
    led, best = trick[0][1], trick[best_of(trick, trump)]
    winning = {card for card in hand if beats(card, best, trump)}
    suit = {card for card in hand if card[1] == led}
    if suit:
        return winning & suit or suit
    return winning or set(hand)


class RoundReferee:
    """Plays one deal of plain data; `faults` is the first thing that it finds wrong, with the number of its event."""

    def __init__(self, deal: dict[str, Any], players: int, sides: list[list[int]] | None) -> None:
        self.players, self.sides = players, sides or [[seat] for seat in range(players)]
        self.hands = [list(hand) for hand in deal["hands"]]
        self.turn_up, self.events = deal["turn_up"], deal["events"]
        self.trump = self.turn_up[1]
        pack = Counter(rank + suit for rank in RANKS for suit in "SHDC" for _ in range(players))
        pack.subtract([card for hand in self.hands for card in hand])
        pack[self.turn_up] -= 1
        self.stock = +pack
        self.turn = (deal["dealer"] + 1) % players
        self.trick: list[tuple[int, str]] = []
        self.to_draw: list[int] = []
        self.winner: int | None = None
        self.brisques, self.tricks = [0] * players, [0] * players
        self.faults = list(self._judge())

    def _judge(self) -> Iterator[tuple[int, str]]:
        acts = {
            "play": self._play, "trick": self._trick, "draw": self._draw, "dix": self._dix,
            "meld": self._meld,
        }  # fmt: skip
        for number, event in enumerate(self.events):
            act = acts.get(event["type"])
            if act is not None and (fault := act(event)):
                yield number, fault
                return

    def _play_card(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        self.turn = (seat + 1) % self.players
        if len(self.trick) == self.players:
            cards = [card for _, card in self.trick]
            self.winner = self.turn = self.trick[best_of(cards, self.trump)][0]
            self.brisques[self.winner] += sum(card[0] in "AT" for card in cards)
            self.tricks[self.winner] += 1
            self.trick = []
            if self.stock.total() or self.turn_up:
                self.to_draw = [(self.winner + n) % self.players for n in range(self.players)]

    def _play_fault(self, seat: int, card: str) -> str | None:
        if seat != self.turn or self.to_draw:
            return "turn"
        if card not in self.hands[seat]:
            return "not held"
        closed = not self.stock.total() and not self.turn_up
        cards = [card for _, card in self.trick]
        if closed and cards and card not in may_follow(self.hands[seat], cards, self.trump):
            return "duty"
        return None

    def _play(self, event: dict[str, Any]) -> str | None:
        fault, self.winner = self._play_fault(event["seat"], event["card"]), None
        if fault != "not held":
            self._play_card(event["seat"], event["card"])
        return fault

    def _trick(self, event: dict[str, Any]) -> str | None:
        return None if event["winner"] == self.winner else "winner"

    def _draw(self, event: dict[str, Any]) -> str | None:
        seat, card = event["seat"], event["card"]
        if not self.to_draw or self.to_draw.pop(0) != seat:
            return "draw"
        if self.stock.total():
            if not self.stock[card]:
                return "card"
            self.stock[card] -= 1
        elif card == self.turn_up:
            self.turn_up = None
        else:
            return "card"
        self.hands[seat].append(card)
        return None

    def _dix(self, event: dict[str, Any]) -> str | None:
        if event["action"] == "exchange":
            seven = "7" + self.trump
            self.hands[event["seat"]].remove(seven)
            self.hands[event["seat"]].append(self.turn_up)
            self.turn_up = seven
        return None if event["action"] == "play" or event["seat"] == self.winner else "dix"

    def _meld(self, event: dict[str, Any]) -> str | None:
        seat = event["seat"]
        side = (
            next(side for side in self.sides if self.winner in side)
            if self.winner is not None
            else []
        )
        if seat not in side or len(self.to_draw) != self.players:
            return "melder"
        missing = Counter(event["cards"]) - Counter(self.hands[seat])
        return "not held" if missing else None
