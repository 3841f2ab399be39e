"""The careful player: a rule player who throws what is safe, breaks no set, and gives no brisque away.

It follows rules in their order, not a sum of worths: first what must not be given, then what must not be broken, then
what is least. It wins a trick only for a meld, or when much is in it, and not with a trump unless it must.
"""

from collections.abc import Sequence

from tests.referee.rule_players import (
    choose_for_captures,
    choose_in_close,
    hopes_of_capture,
    melds_of_capture,
    take_turn_up,
)
from tests.referee.seat_view import LawfulMeld, SeatView

MOST_LACKING = 2
"""A set that lacks more cards than this is no set yet."""
MELD_WORTH_A_TRICK = 20
"""A trick is won for a meld of so many points."""
LAST_TRICKS = 3
"""So many tricks before melds end, whatever can be melded is worth the trick."""

Danger = tuple[float, ...]
"""What is wrong with throwing a card, the worst first."""


class CarefulPlayer:
    """Throws the safest card."""

    choose_dix = staticmethod(take_turn_up)

    def choose_card(self, view: SeatView) -> int:
        """The card to play."""
        if view.rules.compiled.melds_captured:
            return choose_for_captures(view, self._captured_worth)
        if view.closed:
            return choose_in_close(view, 1.0)
        winners = [card for card in self._sure_winners(view) if self._is_worth_winning(view, card)]
        if winners:
            return min(winners, key=lambda card: self._price(view, card))
        return min(view.copies(), key=lambda card: self._danger(view, card))

    def choose_meld(self, view: SeatView, melds: Sequence[LawfulMeld]) -> LawfulMeld | None:
        """The dearest meld, but first a lesser one after which it can still be scored, while there is time."""
        dearest = max(melds, key=lambda each: each.meld.points)
        if view.is_last_to_meld or view.draws <= LAST_TRICKS:
            return dearest
        for each in sorted(melds, key=lambda each: -each.meld.points):
            after = view.after_scoring(*each)
            still = any(meld is dearest.meld for meld, _ in view.ready(view.pool, after))
            if each is not dearest and each.meld.makes_trump is None and still:
                return each
        return dearest

    def _sure_winners(self, view: SeatView) -> list[int]:
        """The cards that win this trick whatever the other has."""
        if view.led:
            return [card for card in view.copies() if view.wins(card)]
        hidden = view.unseen | view.shown
        return [card for card in view.copies() if not view.beaters(card) & hidden]

    def _is_worth_winning(self, view: SeatView, card: int) -> bool:
        """Whether there is a meld to be scored, or enough in the trick for the card that it costs."""
        broken, near, _ = self._sets_hurt(view, card)
        ready = [each.meld.points for each in view.ready_after(card)] if view.melds_now else []
        best = max(ready, default=0)
        if best > broken and (best >= MELD_WORTH_A_TRICK or view.draws <= LAST_TRICKS):
            return best >= near or not view.is_trump(card)
        if not view.led or broken:
            return False
        brisques = view.is_brisque(view.led) + view.is_brisque(card)
        if view.is_trump(card):
            low = view.face(card)[0] in "789"
            return bool(view.is_brisque(view.led)) and low and not near
        return brisques > 0 and 10 * brisques >= near

    def _price(self, view: SeatView, card: int) -> Danger:
        """What winning with a card costs: sets, trumps; a brisque is best won with a brisque."""
        broken, near, far = self._sets_hurt(view, card)
        return broken, near, view.is_trump(card), -view.is_brisque(card), far, view.strength(card)

    def _danger(self, view: SeatView, card: int) -> Danger:
        """What is wrong with throwing a card: a brisque may go, a set breaks, a trump is spent."""
        broken, near, far = self._sets_hurt(view, card)
        wins = view.wins(card)
        given = view.is_brisque(card) and not wins
        worth = broken + 0.5 * near + (12 if given else 0) + self._trump_held_back(view, card)
        return worth + 0.15 * far, view.is_brisque(card), view.strength(card)

    def _trump_held_back(self, view: SeatView, card: int) -> float:
        return 10 + 2.0 * view.strength(card) if view.is_trump(card) else 0

    def _sets_hurt(self, view: SeatView, card: int) -> tuple[float, float, float]:
        """The points of the best set that a card breaks: of those complete, lacking one card, and lacking two."""
        hurt = [0.0] * (MOST_LACKING + 1)
        if view.is_last_to_meld:
            return 0.0, 0.0, 0.0
        scored, after = view.scored[view.seat], view.after_playing(card)
        for meld in view.melds:
            if not any(mask & card for mask, _ in meld.needs):
                continue
            missing = view.missing(meld, view.hand, scored)
            lacking = sum(number for _, number in missing)
            rest = sum(number for _, number in view.missing(meld, view.hand & ~card, after))
            can_come = all((view.unseen & mask).bit_count() >= number for mask, number in missing)
            if lacking <= min(MOST_LACKING, view.draws) and rest > lacking and can_come:
                hurt[lacking] = max(hurt[lacking], meld.points)
        return hurt[0], hurt[1], hurt[2]

    def _captured_worth(self, view: SeatView, seat: int, gained: int) -> float:
        """What the other may make of captured cards weighs more than what the seat itself may."""
        share = 0.2 if seat == view.seat else 0.4
        return melds_of_capture(view, seat, gained) + share * hopes_of_capture(view, seat, gained)
