"""A deal in fast play: whose turn it is, what may be done, and what it changes."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from analyzer.play.fast_rules import (
    FastMeld,
    FastRules,
    ScoredCards,
    bound_cards,
    each_bit,
    forget_card,
    reuse_law,
    score_cards,
    sets_of,
)
from records.engine.dix import is_open, scores_when_shown, worth_of_fresh_seven
from records.rules.vocabulary import TurnUp, When

CLOSED_CHAIN, OPEN_CHAIN, SHOWN_CHAIN = 0, 1, 2
"""The chain of carte blanche of a seat: over, a hand or a card may be shown now, it has just been shown."""


class PointSource(NamedTuple):
    """Where points come from: a meld of this name and worth, a bonus, `brisques`, or `other` for all the rest."""

    seat: int
    name: str
    worth: int = 0


class FastDeal:
    """The state of a deal between two seats, every card of it known.

    Cards are bits as `view.cards` numbers them, hands and piles are masks. `stock` lists the face-down cards, the next
    one last; `turn_up` is the card under them, or 0. `seat` is to act, `led` the card led to the trick, or 0. `window` is
    the seat that has just won a trick and may meld `left` times, or None; `due` are the seats that still draw. `closes`
    counts the tricks won after the close by seat, `tricks` counts all; `spent` are the sevens that have scored. `hopeful`
    are each seat's melds, as bits, that may have become possible since they were last tried.

    `paired` deals let seat 0 draw the first card of every two, whoever won the trick. Where the order of the stock is
    unknown, that is as likely as any other; and two lines of play differ less, since each seat draws the same cards in both.

    `sources` counts the melds and the bonuses scored by their source; None, as after `copy`, counts nothing.
    """

    __slots__ = (
        "bound", "brisques", "captured", "chains", "closes", "due", "hands", "hopeful", "law", "leader", "led", "left", "over",
        "paired", "phase", "points", "rules", "scored", "seat", "sources", "spent", "stock", "tricks", "turn_up", "view", "whole_close",
        "window",
    )  # fmt: skip

    def __init__(self, rules: FastRules, trump: str | None, *, seat: int) -> None:
        """A table without cards, `seat` to lead."""
        self.rules, self.view = rules, rules.under[trump]
        self.law, self.bound = reuse_law(rules), bound_cards(rules)
        self.phase = rules.compiled.phases[0]
        self.hands, self.captured, self.points = [0, 0], [0, 0], [0, 0]
        self.brisques, self.closes, self.hopeful = [0, 0], [0, 0], [0, 0]
        self.scored = [ScoredCards(len(rules.kinds)) for _ in range(2)]
        self.stock: list[int] = []
        self.turn_up = self.led = self.spent = self.left = self.tricks = 0
        self.seat = self.leader = seat
        self.window: int | None = None
        self.due: tuple[int, ...] = ()
        self.chains = [CLOSED_CHAIN, CLOSED_CHAIN]
        self.over, self.whole_close = False, True
        self.paired = False
        self.sources: Counter[PointSource] | None = None

    def copy(self) -> "FastDeal":
        """The same deal, to go on from apart."""
        twin = FastDeal(self.rules, self.view.trump, seat=self.seat)
        twin.phase, twin.leader, twin.led = self.phase, self.leader, self.led
        twin.hands, twin.captured, twin.points = self.hands[:], self.captured[:], self.points[:]
        twin.brisques, twin.closes = self.brisques[:], self.closes[:]
        twin.scored = [each.copy() for each in self.scored]
        twin.hopeful, twin.chains = self.hopeful[:], self.chains[:]
        twin.stock, twin.turn_up, twin.spent = self.stock[:], self.turn_up, self.spent
        twin.window, twin.left, twin.due = self.window, self.left, self.due
        twin.over, twin.whole_close, twin.tricks = self.over, self.whole_close, self.tricks
        twin.paired = self.paired
        return twin

    # -- what may be done

    def lawful_cards(self) -> int:
        """The cards that the seat to act may play."""
        hand = self.hands[self.seat]
        if self.led:
            for group in self.view.duties[self.phase.name][self.led.bit_length() - 1]:
                if owed := hand & group:
                    return owed
        return hand

    def lawful_melds(self) -> Iterator[tuple[FastMeld, int]]:
        """The melds that the winner of the trick may score, with every set of cards that forms them."""
        seat = self.window
        if seat is None or self.left <= 0:
            return
        pool, scored = self.meldable(seat), self.scored[seat]
        for meld in self.view.melds:
            for cards in sets_of(meld, pool, scored.ever):
                if self.law(meld, cards, scored):
                    yield meld, cards

    def meldable(self, seat: int) -> int:
        """The cards that a seat melds from."""
        return (self.captured if self.rules.compiled.melds_captured else self.hands)[seat]

    def lawful_dixes(self) -> Iterator[tuple[str, int]]:
        """What may be done with a seven of trumps by who may meld, or is to act: `exchange` or `show`, and the seven."""
        rule = self.rules.written.dix
        if rule is None or self.over:
            return
        seat = self.actor
        sevens = self.hands[seat] & self.view.cards.sevens
        fresh = sevens & ~self.spent
        if not sevens:
            return
        won = self.window is not None
        may_take = self.turn_up and self.view.cards.names[self.turn_up.bit_length() - 1][0] != "7"
        if (
            may_take
            and is_open(rule.exchange, trick_won=won)
            and (self.left > 0 or not rule.exchange_is_the_meld)
        ):
            for seven in each_bit(sevens if rule.spent_exchanges else fresh):
                yield "exchange", seven
        if is_open(rule.show, trick_won=won) and scores_when_shown(rule, self.phase):
            for seven in each_bit(fresh):
                yield "show", seven

    @property
    def actor(self) -> int:
        """Who is to do something: meld, draw, or play."""
        if self.window is not None:
            return self.window
        return self.due[0] if self.due else self.seat

    def may_show_blanche(self, seat: int) -> bool:
        """Whether a seat may show carte blanche now."""
        return self.chains[seat] == OPEN_CHAIN

    # -- what it changes

    def begin(self, dealer: int) -> None:
        """Begin a deal whose cards have been dealt: the turn-up may score, and carte blanche may be shown."""
        trumps, blanche = self.rules.written.trumps, self.rules.written.carte_blanche
        points = trumps.dealer_seven if isinstance(trumps, TurnUp) else 0
        if points and self.turn_up & self.view.cards.sevens:
            self.points[dealer] += points
            self.spent |= self.turn_up
        for seat, hand in enumerate(self.hands):
            blank = blanche is not None and not hand & self.view.cards.courts
            self.chains[seat] = OPEN_CHAIN if blank else CLOSED_CHAIN
            self.hope_for(seat, hand)

    def hope_for(self, seat: int, cards: int) -> None:
        """Note that melds with these cards may have become possible for a seat."""
        self.hopeful[seat] |= self.view.melds_of(cards)

    def show_blanche(self, seat: int) -> None:
        """Show carte blanche."""
        blanche = self.rules.written.carte_blanche
        self.points[seat] += blanche.points if blanche else 0
        self.chains[seat] = SHOWN_CHAIN

    def play(self, card: int) -> None:
        """Play a card, lead or reply; the seat that leads no longer melds, and its draws have been made."""
        seat = self.seat
        self.hands[seat] ^= card
        cards = self.view.cards
        if card & cards.sevens:
            self.score_seven(seat, card)
        scored = self.scored[seat]
        leaves = card & scored.ever and not self.rules.compiled.melds_captured
        if leaves:
            self.hopeful[seat] |= forget_card(self.rules, self.view.melds_freed, scored, card)
        self._end_chains(seat)
        if self.led:
            self._complete_trick(seat, card)
        else:
            self.led, self.leader, self.seat = card, seat, 1 - seat
            self.window = None

    def score_seven(self, seat: int, card: int) -> None:
        """Score a seven of trumps that is played, if it has not scored yet."""
        rule = self.rules.written.dix
        if rule is not None and not (card & self.spent and rule.once_per_card):
            self.points[seat] += worth_of_fresh_seven(rule, self.phase)

    def _end_chains(self, seat: int) -> None:
        blanche = self.rules.written.carte_blanche
        if blanche is None or self.chains == [CLOSED_CHAIN, CLOSED_CHAIN]:
            return
        first = not blanche.is_before_first_lead and self.tricks == 0
        for other in range(2):
            if self.chains[other] == OPEN_CHAIN and not (first and other != seat):
                self.chains[other] = CLOSED_CHAIN

    def _complete_trick(self, seat: int, card: int) -> None:
        cards, led = self.view.cards, self.led
        place = led.bit_length() - 1
        winner = seat if cards.beats[place] & card else self.leader
        self.seat = self.window = winner
        self.led = 0
        self.tricks += 1
        self.brisques[winner] += cards.is_brisque[place] + cards.is_brisque[card.bit_length() - 1]
        self.left = self.phase.melds
        if self.rules.compiled.melds_captured:
            self.captured[winner] |= led | card
            self.scored[winner].new, self.scored[winner].used = led | card, 0
            self.hope_for(winner, led | card)
        if self.phase.draws:
            self.due = (winner, 1 - winner)
            if len(self.stock) + bool(self.turn_up) <= 2:
                self.award_last_stock_trick(winner)
            return
        self.closes[winner] += 1
        if not self.hands[0] and not self.hands[1]:
            self.finish(winner)

    def award_last_stock_trick(self, winner: int) -> None:
        """Award what the last trick before the close brings."""
        self._award(When.LAST_STOCK_TRICK, winner)

    def _award(self, when: When, winner: int) -> None:
        for bonus in self.rules.written.bonuses:
            if bonus.tricks is when:
                seat = bonus.goes_to(winner)
                self.points[seat] += bonus.points
                if self.sources is not None:
                    self.sources[PointSource(seat, when.value, bonus.points)] += 1

    def finish(self, winner: int) -> None:
        """End the deal after its last trick: bonuses, then brisques."""
        self._award(When.LAST_TRICK, winner)
        if self.whole_close and 0 in self.closes:
            self._award(When.ALL_CLOSED_TRICKS, winner)
        self.over = True
        if not self.rules.compiled.melds_captured:
            self.window = None
        worth = self.rules.written.brisques.points_at_the_end
        for seat, taken in enumerate(self.brisques):
            self.points[seat] += worth * taken

    @property
    def lead_so_far(self) -> int:
        """The lead of seat 0 in points, with the brisques taken, whenever they count."""
        worth = 0 if self.over else self.rules.written.brisques.points_at_the_end
        return self.points[0] - self.points[1] + worth * (self.brisques[0] - self.brisques[1])

    def meld(self, meld: FastMeld, cards: int) -> None:
        """Score a meld of the seat that has just won a trick."""
        seat = self.window
        assert seat is not None
        self.left -= 1
        self.points[seat] += meld.points
        if self.sources is not None:
            self.sources[PointSource(seat, meld.rule.name, meld.points)] += 1
        self.hopeful[seat] |= score_cards(
            self.rules, self.view.melds_freed, self.scored[seat], meld, cards
        )
        if meld.makes_trump is not None:
            self.make_trump(meld.makes_trump)

    def make_trump(self, trump: str) -> None:
        """Number all cards anew, now that there are trumps."""
        old, self.view = self.view, self.rules.under[trump]
        bits, names = self.view.cards.bits, old.cards.names
        new = {1 << place: bits[name] for place, name in enumerate(names)}

        def renumbered(cards: int) -> int:
            return sum(new[card] for card in each_bit(cards))

        self.hands = [*map(renumbered, self.hands)]
        self.captured = [*map(renumbered, self.captured)]
        self.stock = [new[card] for card in self.stock]
        self.turn_up, self.led, self.spent = (
            renumbered(self.turn_up),
            renumbered(self.led),
            renumbered(self.spent),
        )
        for seat, scored in enumerate(self.scored):
            scored.put(renumbered)
            self.hopeful[seat] = 0
            self.hope_for(seat, self.meldable(seat))

    def dix(self, action: str, seven: int) -> None:
        """Exchange a seven of trumps for the turn-up, or show it."""
        rule = self.rules.written.dix
        assert rule is not None
        seat = self.actor
        if not seven & self.spent:
            self.points[seat] += rule.points
        if action == "show" or rule.points > 0:
            self.spent |= seven
        if action == "show":
            return
        self.hands[seat] ^= seven | self.turn_up
        self.hope_for(seat, self.turn_up)
        self.turn_up = seven
        if rule.exchange_is_the_meld:
            self.left -= 1

    def draw(self) -> int:
        """The next seat draws; returns the card."""
        seat, *rest = self.due
        self.due, self.window = tuple(rest), None
        if self.stock:
            second = self.paired and seat == 1 and rest and len(self.stock) > 1
            card = self.stock.pop(-2 if second else -1)
        else:
            card, self.turn_up = self.turn_up, 0
        self.hands[seat] |= card
        if not self.rules.compiled.melds_captured:
            self.hope_for(seat, card)
        if self.chains[seat] == SHOWN_CHAIN:
            courtly = card & self.view.cards.courts
            self.chains[seat] = CLOSED_CHAIN if courtly else OPEN_CHAIN
        if not rest and not self.stock and not self.turn_up:
            self.phase = self.rules.compiled.phases[1]
        return card
