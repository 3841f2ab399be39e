"""Zetema: its turn, its combinations, and where the cards of marriages come from (laws Z2 to Z5, rulings A-31 to A-38)."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations, islice, product
from typing import NamedTuple

from records.cards import FACE_OF, SUITS, cards_missing, count_cards, covers, is_unknown
from records.engine.deal_state import TurnUndo
from records.engine.hidden_cards import (
    can_reveal,
    full_hand_size,
    may_be_among,
    may_hold,
    reveal_card,
)
from records.engine.table import COMBINE, DISCARD, DRAW, OVER, Table
from records.events import Discard, Draw, Meld
from records.record import CLAIMS_REACH
from records.rules import vocabulary as v
from records.rules.compiled import CompiledSheet, in_a_row, meld_requirements

# Where the cards of marriages come from, hand or tableau: the ways in which a meld can have happened.
#
# A record need not say it, and both are often possible; of a marriage it may show cards by rank or suit alone.
# Every way is then possible, and `records.validate.opening` tries them against what follows.

MOST_MARRIED = 10
"""Five kings and five queens are all there are."""
MOST_WAYS_LISTED = 1024
"""More ways than any marriages have of which every card is known."""


class MarriageWay(NamedTuple):
    """One way for marriages to have happened: which cards they are, and how many of each come from the tableau."""

    cards: tuple[str, ...]
    from_tableau: dict[str, int]

    @property
    def from_hand(self) -> list[str]:
        """The cards that come from the hand."""
        return [
            card
            for card, count in count_cards(self.cards).items()
            for _ in range(count - self.from_tableau.get(card, 0))
        ]


def way_of_marriages(table: Table, event: Meld) -> MarriageWay:
    """The way of the marriages at hand: as foreseen, or else the first possible one, or as the record says."""
    ways = table.tableau.ways
    way: MarriageWay | None = (
        ways[table.index] if table.index in ways else next(ways_of_marriages(table, event), None)
    )
    return way or MarriageWay(tuple(event.cards), count_cards(event.from_tableau or ()))


def ways_of_marriages(table: Table, event: Meld) -> Iterator[MarriageWay]:
    """Every way in which marriages can have happened at this table, those with most from the hand first."""
    shown = tuple(event.cards)
    sets = sets_of_pairs(table, shown) if any(map(is_unknown, shown)) else (shown,)
    for cards in sets:
        yield from _ways_with(table, event, cards)


def _ways_with(table: Table, event: Meld, cards: tuple[str, ...]) -> Iterator[MarriageWay]:
    needs, said = count_cards(cards), event.from_tableau
    places = _Places(table, event.seat)
    ranges = [places.numbers_from_tableau(card, count) for card, count in needs.items()]
    # Cards that are no marriages may be so many that nobody can try all ways.
    most_tried = MOST_WAYS_LISTED if len(cards) <= MOST_MARRIED else 1
    for numbers in islice(product(*ranges), most_tried):
        taken = {card: number for card, number in zip(needs, numbers, strict=True) if number}
        way = MarriageWay(cards, taken)
        if said is not None and not _agrees_with_record(taken, said):
            continue
        if enough_from_hand(table, way) and places.have(way):
            yield way


def _agrees_with_record(taken: dict[str, int], said: list[str]) -> bool:
    cards = [card for card, number in taken.items() for _ in range(number)]
    return len(cards) == len(said) and _are_shown_so(cards, said)


class _Places:
    """A seat's hand and the tableau: which cards are known to be there, and which may be."""

    def __init__(self, table: Table, seat: int) -> None:
        self.table, self.seat = table, seat
        self.held, self.piles = table.held[seat], table.tableau.piles
        self.unsure = is_turn_unsure(table)
        self.unknown_held = table.unknown_held(seat)
        self.unknown_lying = unknown_on_tableau(table)

    def numbers_from_tableau(self, card: str, count: int) -> range:
        """How many of so many copies of a card may come from the tableau."""
        shown = copies_left(self.table, card, self.seat)
        least = count - self.held.get(card, 0)
        if least > 0:
            least -= shown if self.unsure else min(shown, self.unknown_held)
        most = self._lying(card)
        if most < count and self.unknown_lying:
            alike = sum(covers(token, card) for token in self.unknown_lying)
            most += min(alike, copies_left(self.table, card))
        return range(max(0, least), min(count, most) + 1)

    def _lying(self, card: str) -> int:
        return self.piles.get(card[0], []).count(card)

    def have(self, way: MarriageWay) -> bool:
        """Whether the cards not known to be in hand or tableau can be among the unknown ones there."""
        if not (self.unknown_held or self.unknown_lying or self.unsure):
            return True
        shown = cards_missing(count_cards(way.from_hand), self.held)
        lifted = [
            card
            for card, count in way.from_tableau.items()
            for _ in range(count - self._lying(card))
        ]
        if not self.unsure and len(shown) > self.unknown_held:
            return False
        left = count_cards(shown + lifted)
        return (
            all(copies_left(self.table, card) >= count for card, count in left.items())
            and may_show(self.table, self.seat, shown)
            and may_be_among([*self.table.tableau.lifted, *lifted], self.unknown_lying)
        )


def copies_left(table: Table, card: str, seat: int | None = None) -> int:
    """How many copies of a card this seat, or any, may have that nobody has seen, or that have perhaps left unseen."""
    doubtful = table.hidden.doubtful
    perhaps = [n for (owner, face), n in doubtful.items() if face == card and seat in (None, owner)]
    return max(0, table.unseen.get(card, 0)) + sum(perhaps)


def may_show(table: Table, seat: int, cards: list[str], *, drawn: int = 0) -> bool:
    """Whether a seat may have these cards beyond those it is known to hold; `drawn` are draws it has not written.

    Where nobody knows how many cards it holds, these may be any that are left.
    """
    if table.tableau.ways_given_up:
        return True
    if is_turn_unsure(table):
        counts = count_cards(card for card in cards if not is_unknown(card))
        return all(copies_left(table, card, seat) >= count for card, count in counts.items())
    return may_hold(table, seat, cards, drawn=drawn)


def unknown_on_tableau(table: Table) -> list[str]:
    """The cards of the tableau that the record does not show, or not fully."""
    if not table.knowledge.partial and not table.knowledge.uncertain:
        return []
    piles = table.tableau.piles.values()
    return [*table.tableau.unranked, *(card for pile in piles for card in pile if is_unknown(card))]


def sets_of_pairs(table: Table, cards: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The pairs that marriages may be of which the record does not show every card."""
    if len(cards) > MOST_MARRIED or len(cards) % 2:
        return ()
    return _sets_shown_so(table.rules, cards, labelled=is_labelled(table))


def is_labelled(table: Table) -> bool:
    """Whether the copies of a card are told apart."""
    return "." in "".join(table.unseen)


@lru_cache(maxsize=4096)
def _sets_shown_so(
    rules: CompiledSheet, shown: tuple[str, ...], *, labelled: bool
) -> tuple[tuple[str, ...], ...]:
    """Every set of pairs of this pack that a record may show so, in part only."""
    pairs = _sets_of_pairs(rules, len(shown) // 2, labelled=labelled)
    return tuple(cards for cards in pairs if _are_shown_so(cards, shown))


def _are_shown_so(cards: Iterable[str], shown: Iterable[str]) -> bool:
    """Whether these cards are what a record shows, in part only, of as many."""
    left = list(cards)
    for card in shown:
        if not is_unknown(card):
            if card not in left:
                return False
            left.remove(card)
    return may_be_among([card for card in shown if is_unknown(card)], left)


@lru_cache(maxsize=64)
def _sets_of_pairs(
    rules: CompiledSheet, number: int, *, labelled: bool
) -> tuple[tuple[str, ...], ...]:
    """Every set of so many kings with as many queens of the same suits."""
    kings, queens = [
        [
            f"{face}.{copy}" if labelled and count > 1 else face
            for face, count in rules.copies.items()
            for copy in range(1, count + 1)
            if face[0] == rank
        ]
        for rank in "KQ"
    ]
    found = {
        (*some, *others)
        for some in combinations(kings, number)
        for others in combinations(queens, number)
        if all(_suit_count(some, suit) == _suit_count(others, suit) for suit in SUITS)
    }
    return tuple(sorted(found))


def _suit_count(cards: Iterable[str], suit: str) -> int:
    return sum(card[1] == suit for card in cards)


def is_turn_unsure(table: Table) -> bool:
    """Whether nobody knows how many cards the seats hold, and so whose turn it is and how many cards are left.

    Where a record may lack combinations, marriages may have ended a turn that it does not tell of; and
    where there are too many ways to follow, the hands that they leave are not known.
    """
    return table.knowledge.plays_only or table.tableau.ways_given_up


def enough_from_hand(table: Table, way: MarriageWay) -> bool:
    """Whether the hand gives a card: one of all the marriages or, by the option, one of each pair (A-38)."""
    tableau = table.rules.written.tableau
    if tableau is None or tableau.marriage_hand_cards is v.HandCards.ONE:
        return len(way.cards) > sum(way.from_tableau.values())
    lying = dict.fromkeys(SUITS, 0)
    for card, count in way.from_tableau.items():
        lying[card[1]] += count
    kings = [FACE_OF[card] for card in way.cards]
    return all(lying[suit] <= kings.count("K" + suit) for suit in SUITS)


# Which combination some cards form, and what it is worth, as far as the record shows the cards (law Z3).


def find_combination(table: Table, event: Meld) -> v.MeldRule | None:
    """The combination that these cards form under this name, if they do; of several possible ones the cheapest."""
    if not any(map(is_unknown, event.cards)):
        return table.rules.combination(full_hand_size(table), event.meld, tuple(event.cards))
    rows = [row for row, _ in _possible(table, event)]
    return min(rows, key=lambda row: row.points, default=None)


def combination_points(table: Table, row: v.MeldRule, cards: list[str] | tuple[str, ...]) -> int:
    """A combination's points, with the extra for marriages of the doubled suit (A-41)."""
    tableau = table.rules.written.tableau
    pairs = len(cards) // 2
    if tableau is None or row.name != "marriages" or pairs >= tableau.doubled_suit_below:
        return row.points
    doubled = sum(card[1] in table.rules.doubled_suits for card in cards) // 2
    return row.points + doubled * tableau.doubled_suit_points


def possible_points(table: Table, event: Meld, row: v.MeldRule) -> list[int]:
    """All that a combination found can be worth, the least first; of cards that the record shows it is one number."""
    if not any(map(is_unknown, event.cards)):
        return [combination_points(table, row, event.cards)]
    return sorted({combination_points(table, row, cards) for row, cards in _possible(table, event)})


PossibleCombination = tuple[v.MeldRule, tuple[str, ...]]
"""A combination that cards may form, and the cards as far as they matter for its points."""


def _possible(table: Table, event: Meld) -> tuple[PossibleCombination, ...]:
    """What cards that are not all known may form under the name given."""
    full, cards = full_hand_size(table), tuple(event.cards)
    if len(cards) > MOST_MARRIED:
        return ()
    if event.meld == "marriages":
        return tuple(
            (row, pairs)
            for pairs in sets_of_pairs(table, cards)
            for row in table.rules.combinations(full, pairs)
        )
    return _formed_by(table.rules.sheet, full, event.meld, cards)


@lru_cache(maxsize=4096)
def _formed_by(
    sheet: v.RuleSheet, full: int, name: str, cards: tuple[str, ...]
) -> tuple[PossibleCombination, ...]:
    listed = [
        (row, cards)
        for needed, row in meld_requirements(sheet, None)
        if row.name == name and _may_be(cards, [face for face, n in needed for _ in range(n)])
    ]
    shaped = [
        (row, cards)
        for row in sheet.rules.melds
        if row.name == name and _may_have_shape(row, cards, full, sheet.rules.pack)
    ]
    return tuple(listed + shaped)


def _may_be(cards: tuple[str, ...], faces: list[str]) -> bool:
    return len(cards) == len(faces) and may_be_among(cards, faces)


def _may_have_shape(row: v.MeldRule, cards: tuple[str, ...], full: int, pack: v.Pack) -> bool:
    shape, size, order = row.cards, len(cards), pack.row or ()
    if not isinstance(shape, v.ShapedCards) or size != min(shape.size, full):
        return False
    ranks = [card[0] for card in cards if card[0] != "?"]
    suits = [card[1] for card in cards if card[1] != "?"]
    starts = range(len(order) - size + 1)
    run = len(set(ranks)) == len(ranks) and any(
        set(ranks) <= set(order[start : start + size]) for start in starts
    )
    no_run = len(ranks) < size or not in_a_row(cards, order)
    one_suit, more_suits = len(set(suits)) <= 1, len(suits) < size or len(set(suits)) > 1
    return (run if shape.in_a_row else no_run) and (one_suit if shape.one_suit else more_suits)


# The turn: draw up, combine, discard to the piles.

MARRIED_RANKS = "KQ"


def begin_turn(table: Table, seat: int) -> None:
    """The next seat that has cards, or may draw some, begins its turn (A-35)."""
    left = table.stock.left
    for offset in range(table.seats):
        table.seat = (seat + offset) % table.seats
        held = table.hand_count(table.seat)
        if left or held:
            break
    else:
        table.step = OVER
        return
    missing = max(0, full_hand_size(table) - held)
    # A turn that begins without a stock is of the last phase; the one that empties it still is not.
    if missing and not left:
        table.phase = table.rules.phases[-1]
    table.melding.left = table.phase.melds
    table.tableau.discard_from, table.tableau.must_complete = None, False
    table.draws_due = (table.seat,) * min(missing, left)
    table.step = DRAW
    if not table.draws_due:
        finish_drawing_up(table)


def finish_drawing_up(table: Table) -> None:
    """The hand is full: the seat may combine, where the phase has that, and discards."""
    combines = table.phase.combines
    table.step = COMBINE if combines else DISCARD
    table.melding.seat = table.seat if combines else None


def is_certainly_over(table: Table) -> bool:
    """Whether the deal is over; where the end of the stock is not known, it may go on."""
    return table.step is OVER and not is_turn_unsure(table)


def combine(table: Table, event: Meld) -> None:
    """A combination is scored; the cards of marriages leave the game and end the turn."""
    if is_certainly_over(table):
        return
    seat, row = event.seat, find_combination(table, event)
    way = way_of_marriages(table, event) if event.meld == "marriages" else None
    cards = way.cards if way else tuple(event.cards)
    points = combination_points(table, row, cards) if row else 0
    if table.counts_nothing:
        row, points = None, 0
    _forget_zetemas(table)
    if way is None:
        _show_cards(table, event)
    else:
        _identify_on_tableau(table, way)
    table.melding.undo = _undo_of(table, event, way, points)
    # Out of turn: the turn goes on as if it had been this seat's.
    if seat != table.seat:
        table.seat, table.draws_due = seat, ()
        table.tableau.discard_from, table.tableau.must_complete = None, False
    if way is not None:
        _marry(table, seat, way)
    table.melding.left -= 1
    table.melding.seat = None
    is_open = row is not None and len(possible_points(table, event, row)) > 1
    table.state(f"meld {event.meld}", event.points, None if is_open else points)
    if is_open:
        table.leave_open(points=True)
    if row is not None:
        table.award(seat, "meld", points, row.name)
        _stop_if_won(table)
    if table.step is OVER:
        return
    if way is not None:
        begin_turn(table, seat + 1)
        return
    table.step = DISCARD
    # A combination that counts nothing binds nobody to discard one of its cards.
    if not table.counts_nothing:
        table.tableau.discard_from = tuple(event.cards)


def _show_cards(table: Table, event: Meld) -> None:
    """The cards of a combination that were not known to be in the hand are now."""
    for card in cards_missing(count_cards(event.cards), table.held[event.seat]):
        if not is_unknown(card) and can_reveal(table, event.seat, [card]):
            reveal_card(table, event.seat, card)


def _undo_of(table: Table, event: Meld, way: MarriageWay | None, points: int) -> TurnUndo:
    ranks = {card[0] for card in way.from_tableau} if way else set[str]()
    return TurnUndo(
        made_at=table.index,
        seat=event.seat,
        to_act=table.seat,
        draws_due=table.draws_due,
        from_hand=tuple(way.from_hand) if way else (),
        piles={rank: list(pile) for rank, pile in table.tableau.piles.items() if rank in ranks},
        removed=len(table.tableau.removed),
        points=points,
        step=table.step,
        phase=table.phase,
        melds_left=table.melding.left,
        discard_from=table.tableau.discard_from,
        must_complete=table.tableau.must_complete,
    )


def withdraw_combination(table: Table, undo: TurnUndo) -> None:
    """Take a combination back: its cards go where they came from, and the turn goes on (A-45)."""
    table.melding.undo = None
    held = table.held[undo.seat]
    for card in undo.from_hand:
        held[card] = held.get(card, 0) + 1
    table.tableau.piles |= undo.piles
    del table.tableau.removed[undo.removed :]
    if undo.points:
        table.award(undo.seat, "ruling", -undo.points)
    table.seat, table.step, table.phase = undo.to_act, undo.step, undo.phase
    table.melding.left, table.tableau.discard_from, table.tableau.must_complete = (
        undo.melds_left,
        undo.discard_from,
        undo.must_complete,
    )
    table.melding.seat = table.seat if table.step is COMBINE else None
    table.draws_due = undo.draws_due


def _identify_on_tableau(table: Table, way: MarriageWay) -> None:
    """Cards that come from the tableau and were not known to lie there were among its unknown ones."""
    tableau = table.tableau
    for card, count in way.from_tableau.items():
        pile = tableau.piles.get(card[0], [])
        lifted = [card] * (count - pile.count(card))
        if unknown_on_tableau(table):
            pile += lifted
            tableau.lifted += lifted
            for each in lifted:
                _count_as_seen(table, each)


def _count_as_seen(table: Table, card: str) -> None:
    """Count a card as seen that some seat discarded unseen; if it may be one of several copies, none is counted."""
    doubtful = [at for at, count in table.hidden.doubtful.items() if at[1] == card and count]
    if not doubtful:
        table.unseen[card] = table.unseen.get(card, 0) - 1
    elif len(doubtful) == 1 and table.unseen.get(card, 0) <= 0:
        table.hidden.doubtful[doubtful[0]] -= 1


def _marry(table: Table, seat: int, way: MarriageWay) -> None:
    for card, count in count_cards(way.cards).items():
        for _ in range(way.from_tableau.get(card, 0)):
            _take_from_tableau(table, card)
        for _ in range(count - way.from_tableau.get(card, 0)):
            _leave_hand(table, seat, card)
    table.tableau.removed += way.cards


def _leave_hand(table: Table, seat: int, card: str) -> None:
    held = table.held[seat]
    if card not in held:
        reveal_card(table, seat, card)
    held[card] -= 1
    if not held[card]:
        del held[card]


def _take_from_tableau(table: Table, card: str) -> None:
    pile = table.tableau.piles[card[0]]
    if card in pile:
        pile.remove(card)
    else:
        # The record may label the card where the tableau does not, or the other way round.
        alike = next((other for other in pile if FACE_OF[other] == FACE_OF[card]), None)
        if alike is not None:
            pile.remove(alike)


def discard(table: Table, event: Discard) -> None:
    """A card goes to its pile; the last one completes it, and a player against one other may have to go on (A-36)."""
    if is_certainly_over(table):
        return
    seat, card = event.seat, event.card
    _leave_hand(table, seat, card)
    table.melding.seat = None
    _forget_zetemas(table)
    completes = _lay_on_pile(table, seat, card)
    if table.step is OVER:
        return
    if completes and must_go_on(table, seat):
        table.step, table.tableau.discard_from, table.tableau.must_complete = (
            DISCARD,
            None,
            True,
        )
    elif table.tableau.may_be_earned and _seems_to_go_on(table, seat):
        table.step, table.tableau.discard_from = DISCARD, None
    else:
        begin_turn(table, seat + 1)


def _seems_to_go_on(table: Table, seat: int) -> bool:
    """Whether a discard that may have completed a pile did, and obliged its seat to discard again: as the record goes on."""
    if not must_go_on(table, seat):
        return False
    # A player without cards is skipped, so whoever discarded has the next turn as well.
    if not (table.stock.left or table.hand_count(1 - seat)):
        return False
    after = table.index + 1
    for event in table.events[after : after + CLAIMS_REACH]:
        if isinstance(event, Draw | Meld | Discard):
            return isinstance(event, Discard) and event.seat == seat
    return False


def _forget_zetemas(table: Table) -> None:
    """A zetema is claimed directly after its discard or not at all, so a later claim finds nothing earned."""
    # After most discards there is none.
    if not (table.earned or table.claims.scores or table.tableau.may_be_earned):
        return
    for points in (table.earned, table.claims.scores):
        for earned in [each for each in points if each[1] == "zetema"]:
            del points[earned]
    table.tableau.may_be_earned = {}


def _lay_on_pile(table: Table, seat: int, card: str) -> bool:
    """Lay a card on the pile of its rank, and say whether that completes it; an unknown rank has no known pile."""
    rank, tableau = card[0], table.tableau
    pile = tableau.piles.get(rank)
    if pile is None:
        tableau.unranked.append(card)
        return _may_complete(table, seat, list(tableau.piles))
    pile.append(card)
    if table.knowledge.partial and not _is_surely_complete(table, rank):
        return _may_complete(table, seat, [rank])
    if len(pile) < table.rules.full_pile:
        return False
    _complete_pile(table, seat, rank)
    return True


def _is_surely_complete(table: Table, rank: str) -> bool:
    """Whether all cards of a rank lie on the tableau."""
    is_full = len(table.tableau.piles[rank]) >= table.rules.full_pile
    return is_full and _is_pile_known(table, rank)


def _is_pile_known(table: Table, rank: str) -> bool:
    """Whether the record tells how many cards lie on a pile, but for discards of unknown rank."""
    return rank not in MARRIED_RANKS or not (is_turn_unsure(table) or table.tableau.lifted)


def _complete_pile(table: Table, seat: int, rank: str) -> None:
    rule, pile = table.rules.written.tableau, table.tableau.piles[rank]
    assert rule is not None
    table.tableau.removed += pile
    pile.clear()
    table.award(seat, "zetema", rule.zetemas[rank], rank)
    table.earned[seat, "zetema"] = rule.zetemas[rank]
    _stop_if_won(table)


def _may_complete(table: Table, seat: int, ranks: list[str]) -> bool:
    """Note what the last discard may have completed, if discards of unknown rank lie there too; nothing for certain."""
    rule, tableau = table.rules.written.tableau, table.tableau
    if rule is not None:
        unranked, left = len(tableau.unranked), {card[0] for card in tableau.removed}
        points = frozenset(
            rule.zetemas[rank]
            for rank in ranks
            if len(tableau.piles[rank]) + unranked >= table.rules.full_pile and rank not in left
        )
        if points:
            tableau.may_be_earned = {seat: points}
            table.leave_open(bonus="zetema")
    return False


def must_go_on(table: Table, seat: int) -> bool:
    """Whether a zetema obliges this seat to discard again (A-36)."""
    rule = table.rules.written.tableau
    if rule is None or table.seats != 2 or not table.hand_count(seat):
        return False
    return rule.chain is v.Chain.WHOLE_HAND or table.stock.left == 0


def completing_cards(table: Table, seat: int) -> list[str]:
    """The cards of a seat that would complete a pile."""
    full, piles = table.rules.full_pile, table.tableau.piles
    return [
        card
        for card in table.held[seat]
        if len(piles.get(card[0], ())) == full - 1 and _is_pile_known(table, card[0])
    ]


def _stop_if_won(table: Table) -> None:
    """By the option that play stops at once, the deal is over as soon as a side has what it needs (A-40)."""
    if table.knowledge.points_open:
        return
    for seats, needed in table.points_to_win:
        if sum(table.points[seat] for seat in seats) >= needed:
            table.step = OVER
