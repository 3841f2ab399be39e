"""Worlds that are likely by what the other has played: a base player would have played those cards from such a hand.

A seat that keeps its kings and throws its sevens does not hold what chance would deal it. For each of the last plays of
the other there is the deal as the seat knew it then; in a sampled world the other's hand of that time follows by giving
back what it has played since and taking away what it may have drawn. If the base player would not have played the card
from that hand, the world is refused, unless by chance: players are not always base players.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from random import Random

from analyzer.play.base_choices import choose_card_by
from analyzer.play.card_worth import worth_for
from analyzer.play.fast_deal import FastDeal
from analyzer.play.fast_rules import each_bit
from analyzer.play.worlds import SeatKnowledge
from records.cards import FACE_OF

PLAYS = 2
"""So many plays of the other are looked at, the last ones."""
OTHERWISE = 0.15
"""Players play otherwise than base players about so often, as worlds are judged."""
MOST_TRIES = 6
"""So many unlikely worlds are refused before one is taken as it is."""


class SeenPlay:
    """A card of the other, by the number of its face, with the deal as the seat knew it before; and how many cards came since."""

    __slots__ = ("deal", "drawn_since", "face", "known")

    def __init__(self, deal: FastDeal, known: int, card: str) -> None:
        """`known` are those cards of the other that the seat had seen."""
        self.deal, self.known, self.drawn_since = deal, known, 0
        (self.face,) = {*_faces(deal, deal.view.cards.faces[FACE_OF[card]])}


class SeenPlays:
    """The last plays of the other before the close, as one seat has seen them."""

    def __init__(self) -> None:
        self._plays = deque[SeenPlay](maxlen=PLAYS)

    def play(self, before: SeatKnowledge, card: str) -> None:
        """The other has played a card; `before` is what the seat knew then."""
        self._plays.append(SeenPlay(before.deal, before.known, card))

    def draw(self) -> None:
        """The other has drawn a card."""
        for play in self._plays:
            play.drawn_since += 1

    def likelihood(self, world: FastDeal, seat: int, hidden: int, random: Random) -> float:
        """How likely the plays were if the other, who sits at `seat`, holds what it does in a world.

        `hidden` are those of its cards that it may have drawn since: nobody has seen them.
        """
        may_be_drawn = random.sample([*_faces(world, hidden)], hidden.bit_count())
        hand = [*_faces(world, world.hands[seat])]
        likelihood, given_back = 1.0, 0
        for play in reversed(self._plays):
            if play.deal.view is not world.view or play.drawn_since > len(may_be_drawn):
                break
            for face in may_be_drawn[given_back : play.drawn_since]:
                hand.remove(face)
            given_back = play.drawn_since
            hand.append(play.face)
            then = _deal_with(play, seat, hand)
            if then is None:
                break
            card = choose_card_by(then, then.lawful_cards(), worth_for(then.rules))
            if play.face not in _faces(then, card):
                likelihood *= OTHERWISE
        return likelihood


def _faces(deal: FastDeal, cards: int) -> Iterator[int]:
    """The number of the face of each card."""
    copies = deal.rules.written.pack.packs
    return ((card.bit_length() - 1) // copies for card in each_bit(cards))


def _deal_with(play: SeenPlay, seat: int, faces: list[int]) -> FastDeal | None:
    """The deal before a play if the other held cards of these faces; None if it cannot have held them."""
    deal = play.deal.copy()
    hidden = deal.hands[seat] ^ play.known
    unseen = sum(deal.stock) | hidden
    left, hand, copies = faces[:], play.known, deal.rules.written.pack.packs
    for face in _faces(deal, play.known):
        if face not in left:
            return None
        left.remove(face)
    for face in left:
        free = unseen & ~hand & ((1 << copies) - 1) << face * copies
        if not free:
            return None
        hand |= free & -free
    if hand.bit_count() != deal.hands[seat].bit_count():
        return None
    deal.hands[seat] = hand
    deal.stock = [*each_bit(unseen & ~hand)]
    deal.hopeful[seat] = deal.view.all_melds
    return deal


class LikelyKnowledge(SeatKnowledge):
    """What a seat knows of a deal, with the other's last plays: unlikely worlds are mostly refused."""

    __slots__ = ("_plays",)

    def __init__(self, deal: FastDeal, seat: int, shown: int, drawn_since: int | None, plays: SeenPlays) -> None:  # fmt: skip
        """As of `SeatKnowledge`."""
        super().__init__(deal, seat, shown, drawn_since)
        self._plays = plays

    def world(self, random: Random) -> FastDeal:
        """The deal with the unseen cards dealt as what the other did lets expect."""
        other = 1 - self.seat
        for _ in range(MOST_TRIES):
            world = super().world(random)
            hidden = world.hands[other] & ~self.known
            if random.random() < self._plays.likelihood(world, other, hidden, random):
                break
        return world

    def chance(self, world: FastDeal, hidden: Sequence[int], random: Random) -> float:
        """As of `SeatKnowledge`, and how likely its last plays are."""
        other = 1 - self.seat
        plays = self._plays.likelihood(world, other, sum(hidden), random)
        return super().chance(world, hidden, random) * plays
