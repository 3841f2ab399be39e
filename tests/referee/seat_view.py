"""What one seat of a deal sees: its cards, all that lies open, and what can be counted from that. Nothing else.

A deal of the fast table knows every card; rule players choose by this view of it alone. Cards are bits as the table
numbers them. Of cards that lie face down a player may ask how many of a face there are, never which copy it is.
"""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from analyzer.play.fast_deal import FastDeal
from analyzer.play.fast_rules import (
    FastMeld,
    ScoredCards,
    each_bit,
    forget_card,
    score_cards,
    sets_of,
)


class LawfulMeld(NamedTuple):
    """A meld that may be scored now, and its cards."""

    meld: FastMeld
    cards: int


class SeatView:
    """A deal as one seat sees it. Groups of cards are masks.

    `lawful` are the cards that the seat may play now. `unseen` are the cards that lie face down for it, in the stock or in
    the other hand; `shown` are those of the other hand that it has seen, `others` is how many cards that hand has. Melds
    are made from the `pool`: the hand, or the `captured` cards of the seat where melds are made of these. `scored` and
    `captured` have a place for each seat. `stock` counts the cards face down, `draws` those that the seat will still
    draw; `melds_now` and `melds_later` are how many melds a trick brings now and after the close.
    """

    __slots__ = (
        "bound", "captured", "cards", "closed", "draws", "hand", "law", "lawful", "led", "melds", "melds_later",
        "melds_now", "others", "phase", "rules", "scored", "seat", "sheet", "shown", "spent", "stock", "trump", "turn_up",
        "unseen", "window",
    )  # fmt: skip

    def __init__(self, deal: FastDeal, seat: int, shown: int) -> None:
        """`shown` are cards of the other hand that the seat has seen."""
        hidden = deal.hands[1 - seat]
        self.seat, self.window = seat, deal.window
        self.rules, self.sheet, self.phase = deal.rules, deal.rules.sheet, deal.phase
        self.cards, self.melds, self.trump = deal.view.cards, deal.view.melds, deal.view.trump
        self.law, self.bound = deal.law, deal.bound
        self.hand, self.led, self.turn_up = deal.hands[seat], deal.led, deal.turn_up
        self.lawful = deal.lawful_cards() if deal.seat == seat else 0
        self.shown = hidden & shown
        self.unseen = hidden & ~shown | sum(deal.stock)
        self.others, self.stock = hidden.bit_count(), len(deal.stock)
        self.scored, self.captured = deal.scored, deal.captured
        self.spent = deal.spent & ~self.unseen
        self.draws = (len(deal.stock) + bool(deal.turn_up)) // 2
        self.closed = not deal.phase.draws
        self.melds_now, self.melds_later = (
            deal.phase.melds,
            deal.rules.compiled.phases[1].melds,
        )

    @property
    def pool(self) -> int:
        """The cards that the seat melds from."""
        return self.captured[self.seat] if self.rules.compiled.melds_captured else self.hand

    @property
    def is_last_to_meld(self) -> bool:
        """Whether no trick after this one brings a meld."""
        if self.closed:
            return not self.melds_now or self.hand.bit_count() <= 1
        return self.draws <= 1 and not self.melds_later

    def copies(self) -> list[int]:
        """One card of each face that may be played: the copy that can do least in melds to come."""
        found, cards = [], self.lawful
        while cards:
            alike = cards & self.cards.alike[(cards & -cards).bit_length() - 1]
            found.append(min(each_bit(alike), key=self._service) if alike & (alike - 1) else alike)
            cards ^= alike
        return found

    def _service(self, card: int) -> tuple[object, ...]:
        """The order of like cards: those first that have scored most, and among these most lately; new ones last.

        It is that of `records.engine.copies.order_of_service`, so that both tables play the same copy.
        """
        scored, bits = self.scored[self.seat], self.rules.compiled.lasting_bit
        kinds = self.rules.kinds.items()
        marks = [-bits[kind] for kind, number in kinds if card & scored.kinds[number]]
        sets = [(place, each) for place, each in enumerate(scored.sets) if card & each.cards]
        has_moved = bool(sets) and all(card & each.moved for _, each in sets)
        marks += [-(1 << 40 + place) for place, _ in sets]
        marks += [
            -1 for is_marked in (card & scored.ever, card & self.spent, has_moved) if is_marked
        ]
        return bool(card & scored.new), -len(marks), sorted(marks), card

    def after_playing(self, card: int) -> ScoredCards:
        """What the cards of the seat have scored once a card has left its hand."""
        scored = self.scored[self.seat]
        if not card & scored.ever or self.rules.compiled.melds_captured:
            return scored
        scored = scored.copy()
        forget_card(self.rules, [0] * len(self.rules.kinds), scored, card)
        return scored

    def after_scoring(self, meld: FastMeld, cards: int) -> ScoredCards:
        """What the cards of the seat have scored once they have scored this meld, too."""
        scored = self.scored[self.seat].copy()
        score_cards(self.rules, [0] * len(self.rules.kinds), scored, meld, cards)
        return scored

    def missing(self, meld: FastMeld, pool: int, scored: ScoredCards) -> list[tuple[int, int]]:
        """What cards that may serve lack for a meld: the masks of its needs, and how many of each."""
        own = pool & ~self.bound(meld, scored)
        return [
            (mask, number - held)
            for mask, number in meld.needs
            if (held := (own & mask).bit_count()) < number
        ]

    def lawful_melds(self) -> list[LawfulMeld]:
        """The melds that the seat, having won the trick, may score now: each with every set of faces that forms it."""
        scored, found = self.scored[self.seat], list[LawfulMeld]()
        for meld in self.melds:
            best: dict[tuple[str, ...], int] = {}
            sets = sets_of(meld, self.pool & ~self.bound(meld, scored), scored.ever)
            for cards in sorted(sets, key=partial(self._service_of_all, meld)):
                faces = tuple(sorted(self.face(card) for card in each_bit(cards)))
                if faces not in best and self.law(meld, cards, scored):
                    best[faces] = cards
            found += [LawfulMeld(meld, best[faces]) for faces in sorted(best)]
        return found

    def _service_of_all(self, meld: FastMeld, cards: int) -> list[list[tuple[object, ...]]]:
        """The order of the sets of a meld: face by face, in that of the copies."""
        of_faces: dict[tuple[int, str], list[tuple[object, ...]]] = {}
        for place, (mask, _) in enumerate(meld.needs):
            for card in each_bit(cards & mask):
                of_faces.setdefault((place, self.face(card)), []).append(self._service(card))
        return [sorted(of_faces[face]) for face in sorted(of_faces)]

    def ready(self, pool: int, scored: ScoredCards) -> Iterator[LawfulMeld]:
        """Each meld that these cards may score, once."""
        for meld in self.melds:
            if self.missing(meld, pool, scored):
                continue
            for cards in sets_of(meld, pool & ~self.bound(meld, scored), scored.ever):
                if self.law(meld, cards, scored):
                    yield LawfulMeld(meld, cards)
                    break

    def ready_after(self, card: int) -> list[LawfulMeld]:
        """The melds of the hand once a card has left it."""
        return [*self.ready(self.hand & ~card, self.after_playing(card))]

    def duties(self, led: int) -> tuple[int, ...]:
        """The groups of cards that a reply owes to this lead, the first of which it has any."""
        return self.rules.under[self.trump].duties[self.phase.name][led.bit_length() - 1]

    def beaters(self, card: int) -> int:
        """The cards that take this one."""
        return self.cards.beats[card.bit_length() - 1]

    def wins(self, card: int) -> bool:
        """Whether this reply takes the card led."""
        return bool(self.led and self.beaters(self.led) & card)

    def is_brisque(self, card: int) -> int:
        """1 for a brisque, else 0."""
        return self.cards.is_brisque[card.bit_length() - 1]

    def face(self, card: int) -> str:
        """The face of a card: rank and suit."""
        return self.cards.names[card.bit_length() - 1][:2]

    def strength(self, card: int) -> int:
        """The place of a card in its suit, from 0 for the lowest rank."""
        ranks = self.sheet.rules.pack.ranks
        return len(ranks) - 1 - ranks.index(self.face(card)[0])

    def is_trump(self, card: int) -> bool:
        """Whether this is a trump."""
        return self.face(card)[1] == self.trump
