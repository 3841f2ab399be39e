"""The peer of the solver: endplay asks Bo Haglund's double-dummy solver of bridge about endings of so many cards.

python tests/bench/dds.py CARDS ENDINGS    prints the CPU seconds of each as JSON
"""

import json
import random
import sys
import time

from endplay.dds import solve_board
from endplay.dealer import generate_deals
from endplay.types import Deal, Denom, Player


def endings(cards: int, number: int) -> list[Deal]:
    """Bridge hands of so many cards each, spades trumps, North to lead."""
    shuffled = random.Random(cards)
    deals = []
    for deal in generate_deals(produce=number, seed=5):
        for player in Player:
            hand = deal[player]
            held = list(hand)
            shuffled.shuffle(held)
            for card in held[cards:]:
                hand.remove(card)
        deal.trump, deal.first = Denom.spades, Player.north
        deals.append(deal)
    return deals


def main() -> None:
    """Time every ending once, after one round to warm up."""
    cards, number = int(sys.argv[1]), int(sys.argv[2])
    deals = endings(cards, number)
    for deal in deals:
        solve_board(deal)
    seconds = []
    for deal in deals:
        start = time.process_time()
        solve_board(deal)
        seconds.append(time.process_time() - start)
    print(json.dumps(seconds))


if __name__ == "__main__":
    main()
