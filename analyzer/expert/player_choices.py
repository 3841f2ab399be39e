"""What a seat may choose at a moment of a deal: one of each kind that differs in what follows from it."""

from collections.abc import Iterator

from analyzer.fast_table.card_bits import each_bit
from analyzer.fast_table.fast_deal import FastDeal
from analyzer.fast_table.greedy import Choice

HOLD_BACK = "hold_back"
"""To score no meld and no dix after a trick, though one could."""


def choices_of(deal: FastDeal) -> list[Choice]:
    """The choices of whoever is to act; one alone where nothing is to be chosen, as for a draw.

    Of like cards that have scored in the same way there is one choice. Carte blanche is shown by whoever has it.
    """
    for seat in (0, 1):
        if deal.may_show_blanche(seat):
            return [Choice("carte_blanche", seat)]
    seat = deal.actor
    if deal.window is not None and deal.left > 0:
        found = [*_dixes(deal, seat), *_melds(deal, seat)]
        if found:
            return [*found, Choice(HOLD_BACK, seat)]
    if deal.over:
        return []
    if deal.due:
        return [Choice("draw", deal.due[0])]
    return [Choice("play", seat, card) for card in _different_cards(deal, deal.lawful_cards())]


def _dixes(deal: FastDeal, seat: int) -> Iterator[Choice]:
    first = dict(reversed([*deal.lawful_dixes()]))
    return (Choice(action, seat, seven) for action, seven in first.items())


def _melds(deal: FastDeal, seat: int) -> Iterator[Choice]:
    """Every meld with one of each set of cards that differ in face or in what they have scored."""
    alike, scored = deal.view.cards.alike, deal.scored[seat].ever
    seen = set[object]()
    for meld, cards in deal.lawful_melds():
        faces = [(alike[card.bit_length() - 1], card & scored > 0) for card in each_bit(cards)]
        like = meld.place, tuple(sorted(faces))
        if like not in seen:
            seen.add(like)
            yield Choice("meld", seat, cards, meld)


def _different_cards(deal: FastDeal, cards: int) -> Iterator[int]:
    """One card of each face, one that has scored before one that has not: the others stay free for melds."""
    alike, scored = deal.view.cards.alike, deal.scored[deal.seat].ever
    while cards:
        low = cards & -cards
        of_face = cards & alike[low.bit_length() - 1]
        used = of_face & scored
        yield used & -used or low
        cards ^= of_face
