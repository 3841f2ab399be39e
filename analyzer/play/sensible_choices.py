"""Choices that players believe: the others are not tried in worlds.

Worlds are played on by base players, who do not make the best of the last tricks before the close. So to lead a high trump
or to throw a ten away may seem to gain some points there, whatever the number of worlds, where whoever plays better
afterwards gains nothing. Before the close, while a low card that is good for nothing may be played, nobody

- throws a brisque on a trick that is lost,
- leads the ace or ten of trumps if no meld is ready that winning would bring, unless the trick is the last before the close,
- breaks a set that can be scored, four of a kind or a trump sequence, unless that takes a brisque or the trick for another
  meld, or more melds are ready than tricks are left for them.

And nobody leaves a meld that no later trick could bring. A card of a meld that may be formed again once it has left is parted
with for that, so none of this holds of it; nor does the second and the third where melds are made of captured cards.
"""

from collections.abc import Sequence

from analyzer.play.card_worth import worth_for
from analyzer.play.fast_deal import FastDeal
from analyzer.play.fast_rules import FastMeld, each_bit, lawful_set
from analyzer.play.greedy import Choice
from analyzer.play.worlds import HOLD_BACK
from records.rules.vocabulary import BrisqueCount

LAST_DRAWS = 2
"""With so many cards to draw at most, a trick is the last before the close."""
SET_SIZE = 4
"""A set has so many cards, or more."""


def sensible_choices(deal: FastDeal, choices: Sequence[Choice]) -> Sequence[Choice]:
    """Those of the choices of a seat that players believe; after the close all of them."""
    if not choices or not deal.phase.draws:
        return choices
    if choices[0].what == "play":
        refused = _refused_cards(deal)
        return [choice for choice in choices if not choice.cards & refused]
    melds = any(choice.what == "meld" for choice in choices)
    if melds and _is_last_chance(deal):
        return [choice for choice in choices if choice.what != HOLD_BACK]
    return choices


def _is_last_chance(deal: FastDeal) -> bool:
    """Whether no later trick brings the melds that may be scored now."""
    compiled = deal.rules.compiled
    return compiled.melds_captured or _tricks_for_melds(deal, deal.actor) == 0


def _tricks_for_melds(deal: FastDeal, seat: int) -> int:
    """How many later tricks may bring melds, as `seat` is to play a card or to score a meld."""
    to_draw = len(deal.stock) + bool(deal.turn_up)
    in_close = deal.hands[seat].bit_count() if deal.rules.compiled.phases[1].melds else 0
    return max(0, to_draw // 2 - 1) + in_close


def _refused_cards(deal: FastDeal) -> int:
    """The cards that the seat to play does not play."""
    cards, lawful, seat = deal.view.cards, deal.lawful_cards(), deal.seat
    idle = lawful & worth_for(deal.rules).under[deal.view.trump].idle
    taking = lawful & cards.beats[deal.led.bit_length() - 1] if deal.led else 0
    if not idle:
        return 0
    refused = _brisques(deal) & lawful & ~taking if deal.led and idle & ~taking else 0
    if not deal.rules.compiled.melds_captured:
        to_draw = len(deal.stock) + bool(deal.turn_up)
        if not deal.led and to_draw > LAST_DRAWS:
            refused |= _high_trumps_without_meld(deal)
        refused |= _breakers_of_sets(deal, lawful, taking)
    return refused & ~_to_part_with(deal, seat)


def _brisques(deal: FastDeal) -> int:
    """All brisques, if they count."""
    if deal.rules.written.brisques.count is BrisqueCount.NEVER:
        return 0
    return sum(is_one << place for place, is_one in enumerate(deal.view.cards.is_brisque))


def _high_trumps_without_meld(deal: FastDeal) -> int:
    """Aces and tens of trumps of the hand without which no meld is ready."""
    cards, hand = deal.view.cards, deal.hands[deal.seat]
    high = sum(cards.faces.get(f"{rank}{deal.view.trump}", 0) for rank in "AT")
    return sum(card for card in each_bit(hand & high) if not _ready_melds(deal, hand & ~card))


def _breakers_of_sets(deal: FastDeal, lawful: int, taking: int) -> int:
    """The cards that break a set for nothing; those `taking` the trick may be played for what is in it, or for a meld."""
    hand, seat = deal.hands[deal.seat], deal.seat
    ready = _ready_melds(deal, hand)
    sets = [meld for meld in ready if _is_set(deal, meld)]
    if not sets or len(ready) > _tricks_for_melds(deal, seat):
        return 0
    found = 0
    for card in each_bit(lawful):
        left = _ready_melds(deal, hand & ~card)
        gains = card & taking and (left or deal.led & _brisques(deal))
        if not gains and any(meld not in left for meld in sets):
            found |= card
    return found


def _ready_melds(deal: FastDeal, hand: int) -> list[FastMeld]:
    """The melds that a hand of the seat to play could score now."""
    scored = deal.scored[deal.seat]
    return [
        meld
        for meld in deal.view.melds
        if lawful_set(deal.law, meld, hand & ~deal.bound(meld, scored), scored, ~scored.ever)
    ]


def _is_set(deal: FastDeal, meld: FastMeld) -> bool:
    """Whether a meld is four or more of a kind, or a sequence in the suit that is trumps or becomes it."""
    cards, full = deal.view.cards, meld.full
    if meld.size >= SET_SIZE and any(not full & ~of_rank for of_rank in cards.ranks.values()):
        return True
    trump = meld.makes_trump or deal.view.trump
    outside = sum(mask for face, mask in cards.faces.items() if face[1] != trump)
    return meld.size > SET_SIZE and len(meld.needs) == meld.size and not full & outside


def _to_part_with(deal: FastDeal, seat: int) -> int:
    """Cards of a seat whose melds may be formed again once they have left."""
    compiled, found = deal.rules.compiled, 0
    if compiled.forgotten_bits | compiled.traced_bits:
        for each in deal.scored[seat].sets:
            found |= each.cards
    return found
