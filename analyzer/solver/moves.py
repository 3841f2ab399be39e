"""The moves at a position after the close, each with its value, and the best line of play from there."""

import msgspec

from analyzer.solver.close import ClosePosition, CloseSolver


class Move(msgspec.Struct, frozen=True, omit_defaults=True):
    """One move: a card played, a meld scored, a dix shown, or a last meld passed up.

    `shows` is the seven shown. A move without card, meld and seven passes up what could still be melded.
    """

    seat: int
    card: str | None = None
    meld: str | None = None
    cards: tuple[str, ...] = ()
    points: int = 0
    shows: str | None = None

    @property
    def is_nothing(self) -> bool:
        """Whether the move passes up what could still be melded."""
        return self.card is None and self.meld is None and self.shows is None


class ValuedMove(msgspec.Struct, frozen=True):
    """A move (`ply`) and its value: the points still to come for its seat minus the other seat's."""

    ply: Move
    value: int


def value_moves(
    solver: CloseSolver, position: ClosePosition, guess: int | None = None
) -> list[ValuedMove]:
    """Every move with its value, dix and melds first; `guess` is a value that some move may have.

    Raises SearchLimitExceeded.
    """
    seat = position.trick_position.seat
    # The solver for tricks values all cards at once, and much faster.
    if position.only_tricks_left and any(position.trick_position.hands[seat]):
        values = solver.trick_solver(position.trump).card_values(position.trick_position, guess)
        return [ValuedMove(Move(seat, card), value) for card, value in values.items()]
    sign = -1 if seat else 1
    hint = 0 if guess is None else sign * guess
    found = [*_dix_moves(solver, position, hint), *_meld_moves(solver, position, hint)]
    if not any(position.trick_position.hands[seat]):
        return [*found, ValuedMove(Move(seat), 0)]
    before: ValuedMove | None = None
    for card in solver.playable_cards(position):
        # Equivalent neighbours have one value; the search tries the first of them alone.
        if before and before.ply.card and solver.are_equivalent(position, before.ply.card, card):
            value = before.value
        else:
            points, after = solver.after_card(position, card)
            value = sign * (points + solver.value(after, hint - points))
        before = ValuedMove(Move(seat, card), value)
        found.append(before)
    return found


def _dix_moves(solver: CloseSolver, position: ClosePosition, hint: int) -> list[ValuedMove]:
    """The showing of a dix, where that is a choice."""
    seat, seven = position.trick_position.seat, f"7{position.trump}"
    sign = -1 if seat else 1
    return [
        ValuedMove(
            Move(seat, points=sign * points, shows=seven),
            sign * (points + solver.value(after, hint - points)),
        )
        for points, after in solver.dix_showings(position)
    ]


def _meld_moves(solver: CloseSolver, position: ClosePosition, hint: int) -> list[ValuedMove]:
    """The melds that may be scored now; where several sets of cards make one, the set of most value."""
    seat = position.trick_position.seat
    sign = -1 if seat else 1
    best: dict[tuple[str, int, tuple[str, ...]], ValuedMove] = {}
    for option in solver.possible_melds(position):
        points, after = solver.after_meld(position, option)
        value = sign * (points + solver.value(after, hint - points))
        key = option.meld.name, option.meld.points, option.cards
        if key not in best or value > best[key].value:
            ply = Move(seat, None, option.meld.name, option.cards, option.meld.points)
            best[key] = ValuedMove(ply, value)
    return list(best.values())


def best_line(solver: CloseSolver, position: ClosePosition) -> list[Move]:
    """The moves of both seats with best play; raises SearchLimitExceeded."""
    found: list[Move] = []
    guess = None
    while True:
        best = max(value_moves(solver, position, guess), key=lambda move: move.value)
        if best.ply.is_nothing:
            return found
        found.append(best.ply)
        points, after = make_move(solver, position, best)
        if not any([any(hand) for hand in after.trick_position.hands]) and not after.melds:
            return found
        # What is left of the value is exactly the value of the next position: guessing it there
        # settles each question at once.
        seat, next_seat = position.trick_position.seat, after.trick_position.seat
        left = best.value - (points if seat == 0 else -points)
        guess = left if next_seat == seat else -left
        position = after


def make_move(
    solver: CloseSolver, position: ClosePosition, move: ValuedMove
) -> tuple[int, ClosePosition]:
    """The points a move scores for seat 0, and the position after it."""
    ply = move.ply
    if ply.card is not None:
        return solver.after_card(position, ply.card)
    if ply.shows is not None:
        return solver.dix_showings(position)[0]
    # One meld may be made of several sets of cards: take the set whose value `value_moves` reported.
    sign = -1 if ply.seat else 1
    results = [
        (points, after)
        for option in solver.possible_melds(position)
        if (option.meld.name, option.meld.points, option.cards) == (ply.meld, ply.points, ply.cards)
        for points, after in [solver.after_meld(position, option)]
    ]
    return max(results, key=lambda result: sign * (result[0] + solver.value(result[1])))
