"""Tricks: which card takes which, and which cards are owed to those before (laws C3, C4 and C8).

This is the one place that says so. The engine, the checks, the completions, the solver and the roll-outs read the tables
made here, as sets of cards or as masks of their own. Only the search of the close has a form of its own for the cards of
one suit (`analyzer.solver.suits`); `tests/records/rules/test_tricks.py` compares all of them, card by card.
"""

from functools import lru_cache

from records.cards import ALL_CARDS, FACE_OF, RANKS, SUITS, is_unknown
from records.rules.vocabulary import Follow

HIGHER, SUIT, TRUMPS, HIGHER_TRUMPS = (
    "higher_of_suit_led", "suit_led", "trumps", "higher_trumps",
)  # fmt: skip
"""The groups of cards that may be owed to a card led, as published sheets name them."""

OWED: dict[Follow, tuple[tuple[str, ...], tuple[str, ...]]] = {
    Follow.ANY: ((), ()),
    Follow.HEAD: ((HIGHER, SUIT, TRUMPS), (HIGHER, SUIT)),
    Follow.SUIT: ((SUIT, TRUMPS), (HIGHER, SUIT)),
}
"""The groups owed to a plain suit led, and to trumps led: a card of the first that is held; of none, any card."""

OWED_WHEN_TRUMPED = (SUIT, HIGHER_TRUMPS)
"""What a third or later hand owes once a plain suit led has been trumped: who can do neither may throw any card."""

CardGroups = tuple[frozenset[str], ...]
"""Groups of cards, in the order in which they are owed."""

CardSets = dict[str, frozenset[str]]
NO_CARDS: frozenset[str] = frozenset()


class RankedCards:
    """How the cards of a pack with these ranks beat one another; all sheets with the same ranks share one.

    Labelled copies of a card (`QS`, `QS.1`) share their sets. An unknown card led has sets, too, so that no lookup fails:
    the cards of its suit if that is known, and else none.
    """

    __slots__ = ("higher", "sevens", "strength", "suits")

    def __init__(self, ranks: tuple[str, ...]) -> None:
        # A record may name a card that the pack does not have. It has a strength too, below all others, so that
        # the lookup of a known card never fails.
        self.strength = {
            card: len(RANKS) - ranks.index(card[0]) if card[0] in ranks else -RANKS.index(card[0])
            for card in ALL_CARDS
            if not is_unknown(card)
        }
        self.suits: CardSets = {
            suit: frozenset(card for card in self.strength if card[1] == suit) for suit in SUITS
        }
        self.higher: CardSets = {
            face: frozenset(
                card for card in self.suits[face[1]] if self.strength[card] > self.strength[face]
            )
            for face in self.strength
            if len(face) == 2
        }
        self.sevens: CardSets = {
            suit: frozenset(card for card in self.strength if FACE_OF[card] == "7" + suit)
            for suit in SUITS
        }

    def beaters(self, trump: str | None) -> CardSets:
        """For every card led, the replies that take the trick; of like cards the first wins (C3)."""
        trumps = self.suits[trump] if trump else NO_CARDS
        taking = {
            face: higher if face[1] == trump else higher | trumps
            for face, higher in self.higher.items()
        }
        return {card: taking.get(FACE_OF[card], NO_CARDS) for card in ALL_CARDS}

    def duties(self, follow: Follow, trump: str | None) -> dict[str, CardGroups]:
        """For every card led, the groups of cards that are owed to it (C4, C8)."""
        plain, trumps = OWED[follow]
        owed = {
            face: tuple([self._group(name, face, trump) for name in names])
            for face in set(FACE_OF.values())
            for names in [trumps if face[1] == trump else plain]
        }
        return {card: owed[face] for card, face in FACE_OF.items()}

    def _group(self, name: str, led: str, trump: str | None) -> frozenset[str]:
        if name == HIGHER:
            return self.higher.get(led, NO_CARDS)
        return self.suits.get((led[1] if name == SUIT else trump) or "", NO_CARDS)


def better_replies(owed: CardGroups, reply: str) -> frozenset[str]:
    """The cards of which a seat that holds any owes one rather than this reply."""
    better = NO_CARDS
    for group in owed:
        if reply in group:
            break
        better |= group
    return better


def trumped_duties(ranks: tuple[str, ...], led: str, best: str) -> CardGroups:
    """The groups of cards that are owed by a later hand to a card of a plain suit that this trump has taken."""
    ranked = rank_cards(ranks)
    return ranked.suits[led[1]], ranked.higher[FACE_OF[best]]


@lru_cache(maxsize=32)
def rank_cards(ranks: tuple[str, ...]) -> RankedCards:
    """How cards of these ranks, from high to low, beat one another: a record chooses the options, and not the ranks."""
    return RankedCards(ranks)


@lru_cache(maxsize=128)
def beaters_of(ranks: tuple[str, ...], trump: str | None) -> CardSets:
    """The replies that take the trick, by the card led."""
    return rank_cards(ranks).beaters(trump)


@lru_cache(maxsize=128)
def duties_of(ranks: tuple[str, ...], follow: Follow) -> dict[str | None, dict[str, CardGroups]]:
    """The groups of cards that are owed under each trump suit, by the card led."""
    return {trump: rank_cards(ranks).duties(follow, trump) for trump in (None, *SUITS)}
