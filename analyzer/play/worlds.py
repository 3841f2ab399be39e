"""What a seat has seen, worlds that agree with it, and what each choice is worth in them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations
from random import Random

from analyzer.play.fast_deal import CLOSED_CHAIN, OPEN_CHAIN, FastDeal
from analyzer.play.fast_rules import each_bit
from analyzer.play.greedy import Choice, dearest_meld, make_choice
from records.cards import FACE_OF
from records.engine.copies import LAID_BIT, SEEN_BIT
from records.engine.copy_history import are_all_readings
from records.engine.readings import laid_bounds
from records.engine.table import Table
from records.events import AnyEvent, Dix, Draw, Irregular, Meld, Play

# What a seat may choose at a moment of a deal: one of each kind that differs in what follows from it.

HOLD_BACK = "hold_back"
"""To score no meld and no dix after a trick, though one could."""


def choices_of(deal: FastDeal) -> list[Choice]:
    """The choices of whoever is to act; one alone where nothing is to be chosen, as for a draw.

    Of like cards that have scored in the same way there is one choice. Carte blanche is shown by whoever has it.
    """
    for seat in (0, 1):
        if deal.may_show_blanche(seat):
            return [Choice("carte_blanche", seat)]
    seat = deal.actor
    if deal.window is not None and deal.left > 0:
        found = [*_dixes(deal, seat), *_melds(deal, seat)]
        if found:
            return [*found, Choice(HOLD_BACK, seat)]
    if deal.over:
        return []
    if deal.due:
        return [Choice("draw", deal.due[0])]
    return [Choice("play", seat, card) for card in _different_cards(deal, deal.lawful_cards())]


def _dixes(deal: FastDeal, seat: int) -> Iterator[Choice]:
    first = dict(reversed([*deal.lawful_dixes()]))
    return (Choice(action, seat, seven) for action, seven in first.items())


def _melds(deal: FastDeal, seat: int) -> Iterator[Choice]:
    """Every meld with one of each set of cards that differ in face or in what they have scored."""
    alike, scored = deal.view.cards.alike, deal.scored[seat].ever
    seen = set[object]()
    for meld, cards in deal.lawful_melds():
        faces = [(alike[card.bit_length() - 1], card & scored > 0) for card in each_bit(cards)]
        like = meld.place, tuple(sorted(faces))
        if like not in seen:
            seen.add(like)
            yield Choice("meld", seat, cards, meld)


def _different_cards(deal: FastDeal, cards: int) -> Iterator[int]:
    """One card of each face, one that has scored before one that has not: the others stay free for melds."""
    alike, scored = deal.view.cards.alike, deal.scored[deal.seat].ever
    while cards:
        low = cards & -cards
        of_face = cards & alike[low.bit_length() - 1]
        used = of_face & scored
        yield used & -used or low
        cards ^= of_face


def do_choice(deal: FastDeal, choice: Choice) -> None:
    """Make a choice in a deal of whose cards all are known."""
    if choice.what == HOLD_BACK:
        deal.left = 0
    else:
        make_choice(deal, choice)


# What a seat knows of a deal, and worlds that agree with it.

RASH = 0.1
"""Players leave a meld that they hold unscored about so often."""
MOST_REFUSED = 20
"""So many worlds in which the other would have melded are refused before one is taken as it is."""


MOST_DRAWS_OF_A_TRICK = 2
DRAWS_TRIED = 4
"""Where every world is looked at, so many draws of the other are tried in each."""


class SeatKnowledge:
    """A deal as one seat knows it: its own cards, all that lies open, and the cards of the other that it has `shown`.

    The other cards of the other hand and the stock are `unseen`. They are taken together and in the order of the pack,
    so that nothing that is asked here can depend on where they truly are. `deal` is the first such world.
    """

    __slots__ = ("_drawn_since", "_missing", "deal", "known", "seat", "unseen")

    def __init__(
        self, deal: FastDeal, seat: int, shown: int, drawn_since: int | None = None
    ) -> None:
        """`deal` has every card somewhere; `shown` are cards of the other hand, as a mask.

        `drawn_since` is how many cards the other has drawn since it last could have melded and did not: worlds in which it
        had a meld then are rare. With None nothing is known of that.
        """
        other = 1 - seat
        self.seat, self._drawn_since = seat, drawn_since
        self.known = deal.hands[other] & shown
        hidden = deal.hands[other] ^ self.known
        self._missing = hidden.bit_count()
        self.unseen = sorted([*each_bit(hidden), *deal.stock])
        self.deal = self._dealt(deal, self.unseen)
        _forget_marks(self.deal, other, sum(self.unseen))
        if self.deal.chains[other] == OPEN_CHAIN:
            # Whether the other could show carte blanche is not known before it does.
            self.deal.chains[other] = CLOSED_CHAIN

    def world(self, random: Random) -> FastDeal:
        """The deal with the unseen cards dealt at random, as far as what the other did lets expect."""
        cards = self.unseen[:]
        for _ in range(MOST_REFUSED):
            random.shuffle(cards)
            world = self._dealt(self.deal, cards)
            if self._drawn_since is None or random.random() < RASH:
                break
            if not self._overlooks(world, cards):
                break
        return world

    def every_world(self, random: Random) -> list[tuple[FastDeal, float]]:
        """Every world that differs, with its chance in any unit, if the draws of one trick are left at most; else none.

        Which of its cards the other has drawn last stays a matter of chance: the mean of some draws counts.
        """
        size = len(self.deal.stock)
        if size + (self.deal.turn_up > 0) > MOST_DRAWS_OF_A_TRICK:
            return []
        alike = self.deal.view.cards.alike
        number = Counter(
            tuple(alike[card.bit_length() - 1] for card in cards)
            for cards in permutations(self.unseen, size)
        )
        found = []
        for cards in permutations(self.unseen, size):
            # Of stocks that look alike the first stands for all.
            copies = number.pop(tuple(alike[card.bit_length() - 1] for card in cards), 0)
            if copies:
                hidden = [card for card in self.unseen if card not in cards]
                found.append(self._world_with_chance(hidden, cards, copies, random))
        return found

    def _world_with_chance(
        self, hidden: list[int], stock: Sequence[int], copies: int, random: Random
    ) -> tuple[FastDeal, float]:
        world, chance = self._dealt(self.deal, [*hidden, *stock]), 0.0
        for _ in range(DRAWS_TRIED):
            random.shuffle(hidden)
            chance += self.chance(world, hidden, random)
        return world, copies * chance

    def chance(self, world: FastDeal, hidden: Sequence[int], random: Random) -> float:
        """How likely what the other did is in a world, from 0 to 1; `hidden` are its hidden cards, those drawn last first."""
        return RASH if self._overlooks(world, hidden) else 1.0

    def _overlooks(self, world: FastDeal, cards: Sequence[int]) -> bool:
        """Whether the other held a meld and did not score it; the cards that it has drawn since come first."""
        if self._drawn_since is None:
            return False
        return self.has_overlooked(world, sum(cards[: self._missing][: self._drawn_since]))

    def has_overlooked(self, world: FastDeal, drawn: int) -> bool:
        """Whether the other held a meld already when it did not meld; `drawn` are the cards that have come since.

        Where melds may be formed again once a card has left, only cards never shown count: what the others could do then is
        forgotten.
        """
        other, compiled = 1 - self.seat, world.rules.compiled
        before = world.hands[other], world.window, world.hopeful[other]
        world.hands[other] &= ~drawn
        if compiled.forgotten_bits | compiled.traced_bits:
            world.hands[other] &= ~self.known
        world.window = other
        found = dearest_meld(world) is not None
        world.hands[other], world.window, world.hopeful[other] = before
        return found

    def _dealt(self, deal: FastDeal, cards: list[int]) -> FastDeal:
        """The deal with these unseen cards: first those of the other hand, then the stock."""
        deal, other = deal.copy(), 1 - self.seat
        deal.hands[other] = self.known | sum(cards[: self._missing])
        deal.stock = cards[self._missing :]
        deal.hopeful[other] = deal.view.all_melds
        return deal


def _forget_marks(deal: FastDeal, seat: int, cards: int) -> None:
    """Let these cards have served in nothing: what has was seen, or cannot be told from what has not."""
    deal.scored[seat].put(lambda marked: marked & ~cards)
    deal.spent &= ~cards


# Whether the hands of a deal are of a size that play can lead to.


def has_too_large_hand(table: Table) -> bool:
    """Whether a seat holds more cards than the rules deal.

    No play leads to that, and what such a hand can meld may be more than can be listed.
    """
    most = table.rules.written.hand[table.seats]
    return any(table.hand_count(seat) > most for seat in range(table.seats))


# Which cards of each hand the other player has seen.
#
# Such a card cannot be the one that lies face down: a card laid in a meld, the turn-up taken in exchange, a seven
# shown, a card that was exposed, and one that was seen in a meld and is back in the hand.

SHOWN_BITS = LAID_BIT | SEEN_BIT


class ShownCards:
    """Reads one two-player deal, event by event; counts cards by name and seat.

    Of like cards that the record does not tell apart, only as many count as have surely been shown.
    """

    def __init__(self) -> None:
        self._shown: tuple[Counter[str], Counter[str]] = Counter(), Counter()
        self._before: AnyEvent | None = None
        self._turn_up: str | None = None

    def read(self, event: AnyEvent | None, table: Table) -> None:
        """Read an event, or the deal before its first, with the table after it."""
        if isinstance(event, Play):
            # Of like cards the other player cannot tell which was played; `of` adds those that lie on the table.
            shown = self._shown[event.seat]
            if shown[event.card]:
                shown[event.card] -= 1
        elif isinstance(event, Meld | Dix | Irregular):
            shown, turn_up = self._shown[event.seat], table.stock.turn_up
            if isinstance(event, Dix) and self._turn_up and turn_up != self._turn_up:
                shown[self._turn_up] += 1
            if isinstance(event, Irregular) and event.what == "exposed_card":
                shown |= self._card_drawn(event.seat)
            # What is laid here stays known if the meld is withdrawn.
            shown |= surely_shown(table, event.seat)
        if event is not None:
            self._before = event
        self._turn_up = table.stock.turn_up

    def _card_drawn(self, seat: int) -> Counter[str]:
        """The card that the seat has drawn in the event before, if any."""
        drawn = self._before
        return Counter([drawn.card] if isinstance(drawn, Draw) and drawn.seat == seat else [])

    def of(self, table: Table, seat: int) -> Counter[str]:
        """The cards a seat holds that the other has seen."""
        held, shown = table.held[seat], self._shown[seat] | surely_shown(table, seat)
        return Counter({card: min(count, held.get(card, 0)) for card, count in shown.items()})


def mask_of_shown(deal: FastDeal, seat: int, shown: Counter[str]) -> int:
    """The cards of a hand that the other has seen, as a mask; of like cards those that have scored come first."""
    cards, hand, scored = deal.view.cards, deal.hands[seat], deal.scored[seat].ever
    found = 0
    for name, number in shown.items():
        like = hand & (cards.bits.get(name, 0) or cards.faces[FACE_OF[name]])
        ordered = [*each_bit(like & scored), *each_bit(like & ~scored)]
        found |= sum(ordered[:number])
    return found


def surely_shown(table: Table, seat: int) -> Counter[str]:
    """The cards of a hand that lie on the table or are known to both seats in every reading."""
    readings = table.readings[seat]
    if not are_all_readings(readings):
        return Counter({card: least for card, (least, _) in laid_bounds(readings).items()})
    counts = [
        Counter([card for card, mark in reading if mark & SHOWN_BITS]) for reading in readings
    ]
    least = counts[0]
    for other in counts[1:]:
        least &= other
    return least
