"""What may be done at a position after the close, each with its value, and the best line from there."""

import msgspec

from analyzer.annotate.solver.close import CloseSolver
from analyzer.annotate.solver.position import ClosePosition


class Move(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing done: a card played, a meld scored, a dix shown; or nothing more melded at the very end."""

    seat: int
    card: str | None = None
    meld: str | None = None
    cards: tuple[str, ...] = ()
    points: int = 0
    shows: str | None = None

    @property
    def is_nothing(self) -> bool:
        """Whether nothing is done: what might still be melded is passed over."""
        return self.card is None and self.meld is None and self.shows is None


class ValuedMove(msgspec.Struct, frozen=True):
    """Something that may be done, and what it is worth to its seat: points to come less the other's."""

    ply: Move
    value: int


def value_moves(
    ending: CloseSolver, stand: ClosePosition, guess: int | None = None
) -> list[ValuedMove]:
    """Everything that may be done, a dix and melds first; `guess` is a value that some of it may have.

    Raises TooWide.
    """
    seat = stand.close.seat
    if stand.plain and any(stand.close.hands[seat]):
        values = ending.endgame(stand.trump).choices(stand.close, guess)
        return [ValuedMove(Move(seat, card), value) for card, value in values.items()]
    sign = -1 if seat else 1
    hint = 0 if guess is None else sign * guess
    found = [*_shows(ending, stand, hint), *_melds(ending, stand, hint)]
    if not any(stand.close.hands[seat]):
        return [*found, ValuedMove(Move(seat), 0)]
    before: ValuedMove | None = None
    for card in ending.cards(stand):
        if before and before.ply.card and ending.same(stand, before.ply.card, card):
            value = before.value
        else:
            points, after = ending.play(stand, card)
            value = sign * (points + ending.value(after, hint - points))
        before = ValuedMove(Move(seat, card), value)
        found.append(before)
    return found


def _shows(ending: CloseSolver, stand: ClosePosition, hint: int) -> list[ValuedMove]:
    """The showing of a dix, where that is to be chosen."""
    seat, seven = stand.close.seat, f"7{stand.trump}"
    sign = -1 if seat else 1
    return [
        ValuedMove(
            Move(seat, points=sign * points, shows=seven),
            sign * (points + ending.value(after, hint - points)),
        )
        for points, after in ending.shows(stand)
    ]


def _melds(ending: CloseSolver, stand: ClosePosition, hint: int) -> list[ValuedMove]:
    """The melds that may be scored now, the best way to use the cards where there are several."""
    seat = stand.close.seat
    sign = -1 if seat else 1
    best: dict[tuple[str, int, tuple[str, ...]], ValuedMove] = {}
    for option in ending.options(stand):
        points, after = ending.meld(stand, option)
        value = sign * (points + ending.value(after, hint - points))
        key = option.meld.name, option.meld.points, option.cards
        if key not in best or value > best[key].value:
            ply = Move(seat, None, option.meld.name, option.cards, option.meld.points)
            best[key] = ValuedMove(ply, value)
    return list(best.values())


def best_line(ending: CloseSolver, stand: ClosePosition, limit: int = 99) -> list[Move]:
    """What both do if they do their best from a position on; raises TooWide."""
    found: list[Move] = []
    guess = None
    while len(found) < limit:
        best = max(value_moves(ending, stand, guess), key=lambda way: way.value)
        if best.ply.is_nothing:
            break
        found.append(best.ply)
        points, after = make_move(ending, stand, best)
        if not any([any(hand) for hand in after.close.hands]) and not after.melds:
            break
        seat, then = stand.close.seat, after.close.seat
        left = best.value - (points if seat == 0 else -points)
        guess = left if then == seat else -left
        stand = after
    return found


def make_move(
    ending: CloseSolver, stand: ClosePosition, way: ValuedMove
) -> tuple[int, ClosePosition]:
    """What a way scores for seat 0, and the position after it."""
    ply = way.ply
    if ply.card is not None:
        return ending.play(stand, ply.card)
    if ply.shows is not None:
        return ending.shows(stand)[0]
    sign = -1 if ply.seat else 1
    taken = [
        (points, after)
        for option in ending.options(stand)
        if (option.meld.name, option.meld.points, option.cards) == (ply.meld, ply.points, ply.cards)
        for points, after in [ending.meld(stand, option)]
    ]
    return max(taken, key=lambda each: sign * (each[0] + ending.value(each[1])))
