"""The trick taker: a rule player who takes brisques and tricks whenever it pays, and melds what comes.

It reckons no chances. A card is worth what its rank and suit are worth in tricks, and more where it stands in a meld that
is ready or lacks one card. Trumps and aces are kept for the close and for the last trick.
"""

from collections.abc import Sequence

from tests.referee.rule_players import (
    choose_for_captures,
    choose_in_close,
    melds_of_capture,
    take_turn_up,
)
from tests.referee.seat_view import LawfulMeld, SeatView

RANK_WORTH = {"A": 7, "T": 5, "K": 5, "Q": 5, "J": 3, "9": 1, "8": 0.5, "7": 0}
"""What a card is worth in tricks to come, in points."""
TRUMP_WORTH, HIGH_TRUMP_WORTH = 9, 8
"""How much more a trump is worth, and how much more than this an ace or ten of trumps."""
SHARE_OF_READY, SHARE_OF_LACKING_ONE = 0.7, 0.3
"""How much of a meld's points a card is worth that it needs: when it is ready, and when it lacks one card."""
TRICK_WORTH = 2
"""What a trick is worth by itself, beyond its brisques, in points: sevens, the order of draws, nothing given away."""
MELD_NOW = 0.6
"""What share of a meld's points it is worth to score it at once."""


class TrickTaker:
    """Takes what can be taken."""

    choose_dix = staticmethod(take_turn_up)

    def choose_card(self, view: SeatView) -> int:
        """The card to play."""
        if view.rules.compiled.melds_captured:
            return choose_for_captures(view, melds_of_capture)
        if view.closed:
            return choose_in_close(view, 2.5)
        rate = self._reply if view.led else self._lead
        return max(view.copies(), key=lambda card: rate(view, card) - self._worth(view, card))

    def choose_meld(self, view: SeatView, melds: Sequence[LawfulMeld]) -> LawfulMeld | None:
        """The dearest meld; of those that make trumps, the one of the suit of which most is held."""
        return max(melds, key=lambda each: (each.meld.points, self._length(view, each)))

    def _length(self, view: SeatView, each: LawfulMeld) -> int:
        suit = each.meld.makes_trump
        faces = view.cards.faces.items()
        return sum((mask & view.hand).bit_count() for face, mask in faces if face[1] == suit)

    def _worth(self, view: SeatView, card: int) -> float:
        """What it costs to part with a card, in points."""
        rank = view.face(card)[0]
        worth = float(RANK_WORTH[rank])
        if view.is_trump(card):
            worth += TRUMP_WORTH + (HIGH_TRUMP_WORTH if rank in "AT" else 0)
        return worth + (0 if view.is_last_to_meld else self._melds_hurt(view, card))

    def _melds_hurt(self, view: SeatView, card: int) -> float:
        """What a card is worth to melds that are ready or lack one card that somebody may still have."""
        scored, after, hurt = view.scored[view.seat], view.after_playing(card), 0.0
        for meld in view.melds:
            if not any(mask & card for mask, _ in meld.needs):
                continue
            before = view.missing(meld, view.hand, scored)
            lacking = sum(number for _, number in before)
            rest = view.missing(meld, view.hand & ~card, after)
            if lacking > 1 or sum(number for _, number in rest) <= lacking:
                continue
            if not before:
                hurt += SHARE_OF_READY * meld.points
            elif view.unseen & before[0][0]:
                hurt += SHARE_OF_LACKING_ONE * meld.points
        return hurt

    def _reply(self, view: SeatView, card: int) -> float:
        taken = view.is_brisque(view.led) + view.is_brisque(card)
        points = taken * view.sheet.rules.brisques.points
        if not view.wins(card):
            return -points
        # A brisque that takes a trick is safe, so it is worth no more in the hand.
        safe = RANK_WORTH[view.face(card)[0]] if view.is_brisque(card) else 0
        return points + safe + TRICK_WORTH + self._meld_after(view, card)

    def _lead(self, view: SeatView, card: int) -> float:
        """A lead is taken the more surely, the more cards there are that take it."""
        takers = view.beaters(card) & (view.unseen | view.shown)
        hidden = max(1, view.unseen.bit_count() + view.shown.bit_count())
        risk = min(1.0, takers.bit_count() * view.others / hidden / 2)
        points = view.sheet.rules.brisques.points * view.is_brisque(card)
        return (1 - risk) * (points + TRICK_WORTH + self._meld_after(view, card)) - risk * points

    def _meld_after(self, view: SeatView, card: int) -> float:
        if not view.melds_now:
            return 0.0
        ready = [each.meld.points for each in view.ready_after(card)]
        return (1.0 if view.is_last_to_meld else MELD_NOW) * max(ready, default=0)
