"""The hoarder: a rule player who keeps cards by what melds they may still make, and wins tricks mainly to meld."""

from collections.abc import Sequence

from analyzer.play.fast_rules import FastMeld, ScoredCards, each_bit
from tests.referee.rule_players import (
    chance_of_beater,
    chance_to_draw,
    choose_for_captures,
    choose_in_close,
    hopes_of_capture,
    melds_of_capture,
    take_turn_up,
)
from tests.referee.seat_view import LawfulMeld, SeatView

READY, TO_COME = 0.95, 0.75
"""How surely a meld that is ready is scored in the end, and one for which cards are missing once they have come."""
LED_TRICK_TAKEN = 0.35
"""How often the other takes a trick without a brisque that it could take."""


class Hoarder:
    """Throws what its melds need least, and wins a trick when that melds."""

    choose_dix = staticmethod(take_turn_up)

    def choose_card(self, view: SeatView) -> int:
        """The card to play."""
        if view.rules.compiled.melds_captured:
            return choose_for_captures(view, self._captured_worth)
        if view.closed:
            return choose_in_close(view, 1.5)
        rate = self._reply if view.led else self._lead
        worths = self._worths(view, view.hand, view.scored[view.seat])

        def gain(card: int) -> float:
            return (
                rate(view, card) - self._melds_lost(view, card, worths) - self._strength(view, card)
            )

        return max(view.copies(), key=gain)

    def choose_meld(self, view: SeatView, melds: Sequence[LawfulMeld]) -> LawfulMeld | None:
        """The meld after which most is scored in all, so that a marriage comes before its sequence."""
        return max(melds, key=lambda each: self._worth_of_scoring(view, each))

    def _worth_of_scoring(self, view: SeatView, each: LawfulMeld) -> float:
        meld, cards = each
        after = view.after_scoring(meld, cards)
        worth = meld.points + sum(self._worths(view, view.pool, after))
        if meld.makes_trump is not None:
            suit = {view.face(card) for card in each_bit(view.hand)}
            worth += 20 * sum(face[1] == meld.makes_trump and face[0] in "ATKQJ" for face in suit)
        return worth

    def _melds_lost(self, view: SeatView, card: int, worths: Sequence[float]) -> float:
        """What melds lose without a card; `worths` are those with it. Melds that it is not in change if it frees others."""
        after = view.after_playing(card)
        frees, rest = after is not view.scored[view.seat], view.hand & ~card
        return sum(
            worth - self._worth(view, meld, rest, after)
            for meld, worth in zip(view.melds, worths, strict=False)
            if frees or any(mask & card for mask, _ in meld.needs)
        )

    def _strength(self, view: SeatView, card: int) -> float:
        """What a card is worth as one that wins tricks."""
        strength = view.strength(card)
        if view.is_trump(card):
            return 6 + 2 * strength
        return (4 if view.is_brisque(card) else 0) + 0.3 * strength

    def _worths(self, view: SeatView, pool: int, scored: ScoredCards) -> list[float]:
        """What each meld is worth; none is worth anything once no trick brings melds."""
        if view.is_last_to_meld:
            return []
        return [self._worth(view, meld, pool, scored) for meld in view.melds]

    def _worth(self, view: SeatView, meld: FastMeld, pool: int, scored: ScoredCards) -> float:
        """What a meld is worth: its points times the chance to score it."""
        return meld.points * self._chance(view, view.missing(meld, pool, scored))

    def _chance(self, view: SeatView, missing: list[tuple[int, int]]) -> float:
        if not missing:
            return READY
        chance, unseen = TO_COME, view.unseen.bit_count()
        for mask, number in missing:
            copies = (view.unseen & mask).bit_count()
            chance *= chance_to_draw(number, copies, view.draws, max(1, unseen))
        return chance

    def _reply(self, view: SeatView, card: int) -> float:
        taken = view.is_brisque(view.led) + view.is_brisque(card)
        points = view.sheet.rules.brisques.points_at_the_end * taken
        return points + self._gain_by_melding(view, card) if view.wins(card) else -points

    def _lead(self, view: SeatView, card: int) -> float:
        points = view.sheet.rules.brisques.points_at_the_end * view.is_brisque(card)
        lost = chance_of_beater(view, card) * (0.9 if view.is_brisque(card) else LED_TRICK_TAKEN)
        return (1 - lost) * (points + self._gain_by_melding(view, card)) - lost * points

    def _gain_by_melding(self, view: SeatView, card: int) -> float:
        """What it is worth to meld after this trick and not after a later one: more, the more melds wait."""
        ready = [each.meld.points for each in view.ready_after(card)] if view.melds_now else []
        later = view.draws - 1 + (8 if view.melds_later else 0)
        urgency = max(0.3, min(1.0, 2 * len(ready) / max(1, later)))
        sevens = view.hand & ~card & view.cards.sevens & ~view.spent
        return urgency * max(ready, default=0) + (4 if sevens else 0)

    def _captured_worth(self, view: SeatView, seat: int, gained: int) -> float:
        """What captured cards bring: melds at once, and the chance of others."""
        return melds_of_capture(view, seat, gained) + 0.3 * hopes_of_capture(view, seat, gained)
