"""What rule players are, and the card sense that they share: chances, the close, and melds of captured cards.

Three of them, of different style, play every sheet with tricks: `hoarder`, `trick_taker` and `careful_player`. They are
judges of other players, with whom they share no code. Each is written from the data of the sheet and sees what its seat
may see. Their weights were set by hand, in points, and are fitted to nothing: who is measured against them must not
change them.
"""

from collections.abc import Callable, Sequence
from functools import cache
from math import comb
from typing import Protocol

from tests.referee.seat_view import LawfulMeld, SeatView


class RulePlayer(Protocol):
    """Chooses for one seat; it remembers nothing, so the same view gives the same choice."""

    def choose_card(self, view: SeatView) -> int:
        """The card to play, of those that are lawful."""

    def choose_meld(self, view: SeatView, melds: Sequence[LawfulMeld]) -> LawfulMeld | None:
        """The meld to score, of these; None to score none."""

    def choose_dix(self, actions: Sequence[str]) -> str | None:
        """What to do with a seven of trumps."""


def take_turn_up(actions: Sequence[str]) -> str:
    """Exchange the seven where that is allowed, otherwise show it: nobody has a reason to wait."""
    return "exchange" if "exchange" in actions else actions[0]


# Plain card sense for the close: both hands are known then, and one trick is looked at, not the whole end.


def choose_in_close(view: SeatView, trump_worth: float) -> int:
    """The card that does best in this trick alone; `trump_worth` is what it is worth to keep a trump, in points a rank."""
    return max(view.copies(), key=lambda card: worth_in_close(view, card, trump_worth))


def worth_in_close(view: SeatView, card: int, trump_worth: float) -> float:
    """What this trick brings with a card: its brisques, a meld after it, less what the card could do later."""
    other = view.unseen | view.shown
    points = view.sheet.rules.brisques.points_at_the_end
    spent = view.strength(card) * (trump_worth if view.is_trump(card) else 0.3)
    melds = [each.meld.points for each in view.ready_after(card)] if view.melds_later else []
    if view.led:
        won = view.wins(card)
        taken = view.is_brisque(view.led) + view.is_brisque(card)
    else:
        replies = owed_cards(view, card, other)
        takers = replies & view.beaters(card)
        won = not takers
        cheapest = replies & -replies if won else takers & -takers
        taken = view.is_brisque(card) + (view.is_brisque(cheapest) if cheapest else 0)
    brought = points * taken + (2 + max(melds, default=0) if won else 0)
    return (brought if won else -brought) - spent - 0.5 * sum(melds_broken(view, card))


def owed_cards(view: SeatView, led: int, hand: int) -> int:
    """The cards of a hand that may be played to this lead."""
    for group in view.duties(led):
        if owed := hand & group:
            return owed
    return hand


def melds_broken(view: SeatView, card: int) -> list[int]:
    """The points of the melds that could be scored with a card and cannot without it."""
    if view.is_last_to_meld or view.rules.compiled.melds_captured:
        return []
    after = [each.meld for each in view.ready_after(card)]
    before = view.ready(view.hand, view.scored[view.seat])
    return [meld.points for meld, _ in before if meld not in after]


# Chances.


@cache
def chance_to_draw(needed: int, copies: int, draws: int, unseen: int) -> float:
    """The chance that so many draws out of so many unseen cards bring the needed ones, of so many copies left."""
    if copies < needed or unseen < needed:
        return 0.0
    share = min(1.0, draws / unseen)
    missed = sum(comb(copies, n) * share**n * (1 - share) ** (copies - n) for n in range(needed))
    return max(0.0, 1.0 - missed)


def chance_of_beater(view: SeatView, card: int) -> float:
    """The chance that the other holds a card that takes this one."""
    takers = view.beaters(card)
    if view.shown & takers:
        return 1.0
    hidden = view.others - view.shown.bit_count()
    return chance_to_draw(
        1, (view.unseen & takers).bit_count(), hidden, max(1, view.unseen.bit_count())
    )


# Melds of captured cards: a trick is worth what its cards meld with those captured before.

CaptureWorth = Callable[[SeatView, int, int], float]
"""What captured cards are worth to a seat, in points."""


def choose_for_captures(view: SeatView, worth: CaptureWorth) -> int:
    """The card whose trick brings most to the seat, or least to the other."""
    return max(view.copies(), key=lambda card: _worth_of_trick(view, card, worth))


def _worth_of_trick(view: SeatView, card: int, worth: CaptureWorth) -> float:
    points, kept = view.sheet.rules.brisques.points_at_the_end, 0.6 * view.strength(card)
    kept += 6 if view.is_trump(card) else 0
    if view.led:
        seat = view.seat if view.wins(card) else 1 - view.seat
        brisques = view.is_brisque(view.led) + view.is_brisque(card)
        brought = worth(view, seat, view.led | card) + points * brisques
        return (brought if seat == view.seat else -brought) - kept
    if view.closed:
        takers = owed_cards(view, card, view.unseen | view.shown) & view.beaters(card)
        lost = 1.0 if takers else 0.0
    else:
        lost = chance_of_beater(view, card) * (0.9 if view.is_brisque(card) else 0.6)
    brisque = points * view.is_brisque(card)
    own, others = worth(view, view.seat, card), worth(view, 1 - view.seat, card)
    return (1 - lost) * (own + brisque) - lost * (others + brisque) - kept


def melds_of_capture(view: SeatView, seat: int, gained: int) -> float:
    """The points of the melds that a seat may score at once with the cards of a trick: the dearest ones."""
    pool, scored = view.captured[seat] | gained, view.scored[seat].copy()
    scored.new, scored.used = gained, 0
    found = [
        meld.points
        for meld in view.melds
        if any(mask & gained for mask, _ in meld.needs)
        and not view.missing(meld, pool, scored)
        and view.missing(meld, pool & ~gained, scored)
    ]
    return float(sum(sorted(found, reverse=True)[: view.melds_now]))


def hopes_of_capture(view: SeatView, seat: int, gained: int) -> float:
    """By how much melds come nearer, for which other cards are still missing."""
    pool, scored = view.captured[seat], view.scored[seat]
    left = view.unseen | view.shown | view.hand
    worth = 0.0
    for meld in view.melds:
        if any(mask & gained for mask, _ in meld.needs):
            for sign, cards in ((1, pool | gained), (-1, pool)):
                missing = view.missing(meld, cards, scored)
                short = sum(number for _, number in missing)
                possible = all((left & mask).bit_count() >= number for mask, number in missing)
                worth += sign * meld.points * 0.5**short if possible and short else 0.0
    return worth
