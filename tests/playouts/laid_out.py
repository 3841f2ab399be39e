"""The one world that a position in mid-deal describes, as the slow referees know it: how `setup` is read."""

from collections import Counter
from itertools import combinations_with_replacement
from typing import Any

from records.record import Deal, Setup
from records.rules.vocabulary import MeldRule, RuleSheet, TurnUp
from tests.playouts.melds import SUITS, note, ranks_of, row_of, size_of
from tests.playouts.piles import PileReferee, Seats
from tests.playouts.tricks import named
from tests.playouts.world import Scored, World, demand


def begin(referee: Any, deal: Deal) -> Any:
    """The world that a deal begins with, from the shuffle or in the middle; raises Wrong if there is none."""
    if deal.setup is None:
        return referee.start(deal)
    if isinstance(referee, PileReferee):
        return _piles(referee, deal, deal.setup)
    return _Position(referee, deal, deal.setup).world()


class _Position:
    """A position of a game with tricks."""

    def __init__(self, referee: Any, deal: Deal, setup: Setup) -> None:
        self.referee, self.deal, self.setup = referee, deal, setup
        self.sheet: RuleSheet = referee.sheet

    def world(self) -> World:
        setup, captures = self.setup, self.referee.captures
        won = setup.captured or [[], []]
        world = self._cards_placed()
        world.taken = [[*pile] for pile in world.taken]
        for seat, melds in enumerate(setup.tables or []):
            for laid in melds:
                self._lay(world, seat, laid.meld, laid.cards, scored=laid.scored)
        for seat, count in enumerate(setup.brisques or ()):
            known = sum(card[0] in "AT" for card in world.taken[seat])
            world.taken[seat] += ["A-.0"] * (count - known)
        for card in setup.spent_dixes or ():
            free = {c for hand in world.hands for c in hand if card in (c, c[:2])} - world.spent
            demand(free, "nobody holds that seven")
            world.spent.add(min(free))
        trumps = self.sheet.rules.trumps
        demand(isinstance(trumps, TurnUp) or not setup.turn_up, "nothing is turned up")
        if isinstance(trumps, TurnUp) and trumps.dealer_seven and world.turn_up[:1] == "7":
            world.spent.add(world.turn_up)
        world.points = list(setup.scores or [0, 0])
        if world.closed and max(map(len, world.hands)) < self.sheet.rules.hand[2]:
            # Nobody can be said to have taken all tricks of which some are not told.
            world.closed_tricks = [1, 1]
        world.trick = [(1 - setup.seat, card) for card in setup.trick or ()]
        if setup.won:
            self._has_won(world, won[setup.seat][-2:] if captures else [])
        if self.sheet.rules.carte_blanche:
            courts = self.referee.courts
            for seat, hand in enumerate(world.hands):
                world.chains[seat] = "over" if courts(hand) else self._chain(seat)
        return world

    def _chain(self, seat: int) -> str:
        """The chain of a hand without courts: it goes on after a draw, unless a card was played since."""
        setup, rule = self.setup, self.sheet.rules.carte_blanche
        later = [*(setup.brisques or ()), *(setup.captured or ()), *(setup.tables or ())]
        if not (setup.won or setup.trick):
            return "drawn" if any(later) else "open"
        first = bool(setup.trick) and rule is not None and not rule.is_before_first_lead
        return "open" if first and seat == setup.seat and not any(later) else "shown"

    def _cards_placed(self) -> World:
        """Every card with the name of a copy, where it lies."""
        setup, referee = self.setup, self.referee
        laid = [
            [card for group in groups for card in group.cards]
            for groups in setup.tables or [[], []]
        ]
        won = setup.captured or [[], []]
        base = 2 if referee.captures else 0
        places = [(card, seat) for seat in (0, 1) for card in setup.hands[seat]]
        places += [
            (card, base + seat) for seat in (0, 1) for card in _once_each(laid[seat], setup, seat)
        ]
        places += [(card, 2 + seat) for seat in (0, 1) for card in won[seat]]
        places += [(setup.turn_up, 4)] if setup.turn_up else []
        places += [(card, 5) for card in setup.trick or ()]
        given, unseen = named(self.sheet, places, 6)
        return World(
            hands=given[:2],
            unseen=unseen,
            down=setup.stock,
            turn_up=next(iter(given[4]), "") or self._left_out(),
            dealer=self.deal.dealer,
            trump=setup.trump or (setup.turn_up or "")[1:2] or None,
            to_act=setup.seat,
            reuse=self.sheet.rules.reuse.rule,
            captures=referee.captures,
            labelled=any("." in card for card, _ in places),
            taken=[sorted(given[2]), sorted(given[3])],
            played=1,
        )

    def _left_out(self) -> str:
        """The turn-up that a position leaves out: some trump, under an odd number of cards."""
        setup = self.setup
        turned = isinstance(self.sheet.rules.trumps, TurnUp) and setup.stock % 2
        return f"?{setup.trump}" if turned and setup.trump else ""

    def _lay(self, world: World, seat: int, name: str, faces: list[str], *, scored: bool) -> None:
        pool = set(world.taken[seat]) if world.captures else world.hands[seat]
        cards: set[str] = set()
        for face in faces:
            alike = {card for card in pool - cards if face in (card, card[:2])}
            # A card of several melds is one card, where the hand has no more of them.
            cards.add(min(alike - world.laid or alike))
        if not world.captures:
            world.laid |= cards
        if not scored:
            return
        row, missing = _whole_meld(self.sheet, world, name, [face[:2] for face in faces])
        demand(row is not None, "no meld lies there")
        if row is not None:
            whole = frozenset(cards | {f"{face}.gone{n}" for n, face in enumerate(missing)})
            note(self.sheet, world, seat, row, whole)
            assert world.scored[seat][-1] == Scored(row, whole)

    def _has_won(self, world: World, new: list[str]) -> None:
        seat = self.setup.seat
        world.window, world.melds_left = seat, self.sheet.rules.phases[world.closed].meld_limit
        world.due = [] if world.closed else [seat, 1 - seat]
        world.winners, world.named = [seat], False
        for face in new:
            free = {card for card in world.taken[seat] if face in (card, card[:2])} - world.fresh
            world.fresh.add(max(free))


def _whole_meld(
    sheet: RuleSheet, world: World, name: str, faces: list[str]
) -> tuple[MeldRule | None, tuple[str, ...]]:
    """The meld that cards on the table are or are left of, and the faces that were played from it: none where they are captured."""
    for rule in (rule for rule in sheet.rules.melds if rule.name == name):
        pack = [rank + suit for rank in ranks_of(rule) for suit in SUITS]
        lost = 0 if world.captures else size_of(rule) - len(faces)
        for missing in combinations_with_replacement(pack, lost) if lost > 0 else [()]:
            row = row_of(sheet, world, name, [*faces, *missing], scores=True)
            if row is not None:
                return row, missing
    return None, ()


def _once_each(laid: list[str], setup: Setup, seat: int) -> list[str]:
    """The cards that lie melded; one that lies in two melds once."""
    melds = [Counter(group.cards) for group in (setup.tables or [[], []])[seat]]
    most: Counter[str] = Counter()
    for meld in melds:
        most |= meld
    return list(most.elements()) if laid else []


def _piles(referee: PileReferee, deal: Deal, setup: Setup) -> Seats:
    """A position of Zetema."""
    cards = [*(card for hand in setup.hands for card in hand), *(setup.tableau or [])]
    referee.labelled = any("." in card for card in cards)
    places = [(card, seat) for seat, hand in enumerate(setup.hands) for card in hand]
    places += [(card, len(setup.hands)) for card in setup.tableau or []]
    given, unseen = named(referee.sheet, places, len(setup.hands) + 1)
    world = Seats(
        hands=[Counter(map(referee.name, hand)) for hand in given[:-1]],
        unseen=Counter(map(referee.name, unseen)),
        down=setup.stock,
        points=list(setup.scores or [0] * len(setup.hands)),
        tableau=Counter(map(referee.name, given[-1])),
    )
    if deal.stock is not None:
        world.unseen = Counter(deal.stock)
    referee.begin(world, setup.seat)
    return world
