"""The expert: a player who weighs every choice in worlds that its seat must hold possible.

The method is sampling of perfect information, as computer bridge and Skat use it (Levy 1989, Ginsberg 2001): cards that
the seat has not seen are dealt at random, each choice is made in the same worlds, and each world is played on by base
players (`analyzer.play.base_player`), whose result counts. `analyzer.play.halving` says how a choice follows from that.
What it cannot see it cannot use: the worlds depend on nothing but what the seat knows.

The worlds are those that what the other did lets expect: who could have scored a meld and did not had none, nine times
in ten, and its last cards are mostly those that a base player would have played (`analyzer.play.likely_worlds`). With up to
four packs they are played to their end: a result after some tricks favours what scores at once. In the last trick before
the close every world is looked at, and valued exactly where a card is turned up (`analyzer.play.exact_end`). After the close
both hands are known: the exact solver decides, and roll-outs between choices that it values alike.

How much its choices gain over those of base players, in points a deal, on seeds that had no part in any choice
(`python -m tests.soak --gains`; normal intervals of 95 %, rather narrow for so few deals, each played from both seats):
Bezique 35 ± 17 (24 deals from seed 8000), Six-Pack Bezique 999 ± 420 and Chinese Bezique 1,753 ± 913 (3 each, from 7000),
Zique 53 ± 39 (8), Polish Bezique 500 ± 200 (3), Rubicon Bezique 368 ± 235 (3), Marjolet 18 ± 8 (12). On the same deals it
was 29 ± 11, 26 ± 14 and 38 ± 14 in Bezique with 16, 32 and 64 worlds, and 524 ± 313 in Six-Pack Bezique with 7, half of
its worlds. Of the choices that `analyzer.play.sensible_choices` refuses it made six in 29 deals before; since then none in
138 of Bezique, Zique, Marjolet, Polish and Six-Pack Bezique, and one in 2 of Chinese Bezique, where the seat that took a
trick for another meld did not score it. Not measured were players written by rules in other sheets than Bezique
(`python -m tests.soak --strength`), where it led the hoarder by 129 ± 106 (5).

A game without tricks has an expert of its own, `TableauExpert`, by the same method: there the engine plays the worlds on.
"""

from collections.abc import Sequence
from functools import partial
from random import Random

from analyzer.play.exact_end import ExactEnd, exact_value
from analyzer.play.fast_deal import FastDeal
from analyzer.play.greedy import WHOLE_DEAL, Choice
from analyzer.play.halving import WeighedChoice, weigh_against_base, weigh_in_every_world
from analyzer.play.likely_worlds import LikelyKnowledge, SeenPlays
from analyzer.play.sensible_choices import sensible_choices
from analyzer.play.setting_up import fast_deal_at
from analyzer.play.worlds import HOLD_BACK, ShownCards, choices_of, mask_of_shown
from analyzer.solver.last_trick_cases import is_last_stock_trick
from records.cards import FACE_OF, sorted_faces
from records.engine.choices import legal_plays
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table, is_closed
from records.engine.zetema import combination_points
from records.events import AnyEvent, Discard, Dix, Draw, Meld, Play, Trick
from records.record import Deal
from records.rules.vocabulary import RuleSheet
from records.selfplay import FormedMeld, SeatPlayerMaker, play_greedily

# When a seat last could have melded and did not: a player who had a meld would mostly have scored it.


class PassedMelds:
    """Reads one deal event by event for one seat.

    `drawn_since` counts the cards that the seat has drawn since it last passed up melding. It is None as long as it has
    not passed, or has melded or exchanged since, and where melds are made of captured cards, which all lie open.
    """

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.drawn_since: int | None = None
        self._may_meld = False

    def read(self, event: AnyEvent | None, table: Table) -> None:
        """Read an event with the table after it."""
        match event:
            case Trick(winner=winner):
                self._may_meld = winner == self.seat and table.melding.left > 0
            case Meld(seat=seat) | Dix(seat=seat, action="exchange" | "show") if seat == self.seat:
                self.drawn_since = None
                self._may_meld = table.melding.seat == seat and table.melding.left > 0
            case Draw() | Play():
                if self._may_meld and not table.rules.melds_captured:
                    self.drawn_since = 0
                self._may_meld = False
                if self.drawn_since is not None and isinstance(event, Draw):
                    self.drawn_since += event.seat == self.seat
            case _:
                pass


# The expert at the engine's table: one seat of a game that `records.selfplay` plays.

TRICKS_OF_ONE_PACK, MOST_WORLDS = 2_560, 128
"""A choice is tried in as many worlds as have so many tricks to come, divided by the packs, and at most in so many.

So all choices take about as long; and more worlds are tried where the end is near, and they tell more.
"""
WHOLE_TRICKS, TRICKS_AHEAD = 60, 32
"""Where a deal has at most so many tricks before the close, every world is played to its end; else for so many tricks."""


class ExpertPlayer:
    """Plays one seat of a deal of a game with tricks between two; the same seed plays alike.

    Each choice is tried in so many `worlds`, or in as many as pay where the deal stands; twice as many take about twice as
    long. The `stock` of the deal is only counted among the cards that the seat has not seen. Raises ValueError at its first
    choice in a game without tricks.
    """

    def __init__(self, seat: int, deal: Deal, seed: int, worlds: int | None = None) -> None:
        self.seat = seat
        self._stock = list(deal.stock or ())
        self._random = Random(seed)
        self._worlds = worlds
        self._shown = ShownCards()
        self._passed = PassedMelds(1 - seat)
        self._end = ExactEnd()
        self._plays = SeenPlays()
        self._before_play: LikelyKnowledge | None = None
        self._weighed: tuple[FastDeal, list[WeighedChoice]] | None = None

    def see(self, event: AnyEvent | None, table: Table) -> None:
        """Take note of an event; `table` is the table after it."""
        self._shown.read(event, table)
        self._passed.read(event, table)
        other = 1 - self.seat
        if isinstance(event, Draw) and event.seat == other:
            self._plays.draw()
        elif isinstance(event, Play) and event.seat == other and self._before_play:
            self._plays.play(self._before_play, event.card)
        is_next = table.seat == other and not table.draws_due and not is_closed(table)
        has_tricks = table.rules.written.tableau is None
        self._before_play = self._knowledge(table)[1] if is_next and has_tricks else None
        self._weighed = None

    def choose_card(self, table: Table, cards: Sequence[str]) -> str:
        """The card to play, of these."""
        if len(cards) == 1:
            return cards[0]
        deal, (best, *_) = self._weigh(table)
        if best.choice.what != "play":
            # Without draws nothing happens between a meld that is passed up and the card: now only cards are weighed.
            deal, (best, *_) = self._weighed = self._weigh_anew(table, is_melding_over=True)
        return card_at_table(deal, best.choice.cards, cards)

    def choose_dix(self, table: Table, actions: Sequence[str]) -> str | None:
        """What to do with a seven of trumps, of these actions; None to do nothing now."""
        _, values = self._weigh(table)
        chosen = values[0].choice.what if values else actions[0]
        return chosen if chosen in actions else None

    def choose_meld(self, table: Table, melds: Sequence[FormedMeld]) -> FormedMeld | None:
        """The meld to score, of these; None to score none.

        Where like cards are not told apart, the fast table and the engine may list different melds: the best that both
        list is taken, and the dearest of `melds` where there is none.
        """
        deal, values = self._weigh(table)
        for value in values:
            if value.choice.what == HOLD_BACK:
                return None
            faces = _faces(deal, value.choice)
            for row, cards in melds:
                if row.name == value.choice.name and sorted_faces(cards) == faces:
                    return row, cards
        return melds[0]

    def _weigh(self, table: Table) -> tuple[FastDeal, list[WeighedChoice]]:
        """The deal at the table, and what may be chosen there, the best first; weighed once between two events."""
        if self._weighed is None:
            self._weighed = self._weigh_anew(table)
        return self._weighed

    def _knowledge(self, table: Table) -> tuple[FastDeal, LikelyKnowledge]:
        """The deal at the table, and what the seat knows of it."""
        left, other = table.stock.left, 1 - self.seat
        deal = fast_deal_at(table, self._stock[len(self._stock) - left :], viewer=self.seat)
        shown = mask_of_shown(deal, other, self._shown.of(table, other))
        return deal, LikelyKnowledge(deal, self.seat, shown, self._passed.drawn_since, self._plays)

    def _weigh_anew(
        self, table: Table, *, is_melding_over: bool = False
    ) -> tuple[FastDeal, list[WeighedChoice]]:
        deal, knowledge = self._knowledge(table)
        if is_melding_over:
            knowledge.deal.left = 0
        choices = choices_of(knowledge.deal)
        if not choices:
            return deal, []
        sensible = sensible_choices(knowledge.deal, choices)
        every_world = knowledge.every_world(self._random)
        if not every_world:
            return deal, self._weigh_in_samples(table, knowledge, sensible)
        values = weigh_in_every_world(knowledge, choices, every_world)
        if not self._put_exact_first(values, table, deal, every_world):
            values.sort(key=lambda value: value.choice not in sensible)
        return deal, values

    def _weigh_in_samples(
        self, table: Table, knowledge: LikelyKnowledge, choices: Sequence[Choice]
    ) -> list[WeighedChoice]:
        whole = len(self._stock) <= 2 * WHOLE_TRICKS
        to_come = table.stock.with_turn_up // 2 + table.hand_count(self.seat)
        tricks = to_come if whole else min(to_come, TRICKS_AHEAD)
        worlds = TRICKS_OF_ONE_PACK // table.rules.written.pack.packs // tricks
        return weigh_against_base(
            knowledge,
            choices,
            self._random,
            self._worlds or min(worlds, MOST_WORLDS),
            most_tricks=WHOLE_DEAL if whole else TRICKS_AHEAD,
        )

    def _put_exact_first(
        self,
        values: list[WeighedChoice],
        table: Table,
        deal: FastDeal,
        worlds: Sequence[tuple[FastDeal, float]],
    ) -> bool:
        """Order choices by their exact values, if they are known; of equal ones the best against base players stays first."""
        if moves := self._end.values_in_close(table):
            values.sort(key=lambda value: exact_value(deal, value.choice, moves), reverse=True)
            return True
        if not is_last_stock_trick(table):
            return False
        shown = self._shown.of(table, 1 - self.seat)
        chances = {
            FACE_OF[name]: chance
            for world, chance in worlds
            for name in world.view.cards.names_of(world.stock[0])
        }
        means = self._end.values_before_close(table, shown, self._stock[-1], chances)
        if not means:
            return False
        values.sort(key=lambda value: means[_faces(deal, value.choice)[0]], reverse=True)
        return True


def card_at_table(deal: FastDeal, chosen: int, cards: Sequence[str]) -> str:
    """Of these cards of a table the one chosen at the fast table; where like cards are not told apart, one like it."""
    (name,) = deal.view.cards.names_of(chosen)
    return name if name in cards else next(card for card in cards if FACE_OF[card] == FACE_OF[name])


def _faces(deal: FastDeal, choice: Choice) -> tuple[str, ...]:
    """The faces of the cards of a choice, sorted."""
    return sorted_faces(deal.view.cards.names_of(choice.cards))


# The expert of a game without tricks: combinations and discards, weighed in possible deals that the engine plays on.

TABLEAU_WORLDS = 8
"""Each choice is tried in so many worlds."""
TURNS_AHEAD = 2
"""Each world is played on for so many turns of every seat."""


class TableauExpert:
    """Plays one seat of a deal of a game without tricks; the same seed plays alike.

    It knows its own hand, the tableau, and how many cards the others hold. Which of them were shown in combinations it does
    not remember. The `stock` of the deal is only counted among the cards that the seat has not seen.
    """

    def __init__(self, seat: int, deal: Deal, seed: int, worlds: int = TABLEAU_WORLDS) -> None:
        self.seat = seat
        self._stock = list(deal.stock or ())
        self._random = Random(seed)
        self._worlds = worlds

    def see(self, event: AnyEvent | None, table: Table) -> None:
        """Take note of an event: all that counts lies on the table."""

    def choose_card(self, table: Table, cards: Sequence[str]) -> str:
        """The card to discard, of these."""
        return cards[self._best(table, self._discards(cards))]

    def choose_dix(self, table: Table, actions: Sequence[str]) -> str | None:
        """Nothing: there are no trumps."""
        return None

    def choose_meld(self, table: Table, melds: Sequence[FormedMeld]) -> FormedMeld | None:
        """The combination to score, of these; None to discard at once."""
        combinations = [
            Meld(
                seat=self.seat,
                meld=row.name,
                cards=cards,
                points=combination_points(table, row, cards),
            )
            for row, cards in melds
        ]
        best = self._best(table, [*combinations, *self._discards(legal_plays(table))])
        return melds[best] if best < len(melds) else None

    def _discards(self, cards: Sequence[str]) -> list[AnyEvent]:
        return [Discard(seat=self.seat, card=card) for card in cards]

    def _best(self, table: Table, events: Sequence[AnyEvent]) -> int:
        """The place of the event with the best lead over the mean of the others, in the same worlds."""
        leads = [0.0] * len(events)
        for _ in range(self._worlds if len(events) > 1 else 0):
            cards, seed = self._dealt_anew(table), self._random.random()
            for place, event in enumerate(events):
                leads[place] += self._lead_after(_world(table, self.seat, cards), event, seed)
        return leads.index(max(leads))

    def _dealt_anew(self, table: Table) -> list[str]:
        """The cards that the seat has not seen, in random order."""
        unseen = self._stock[len(self._stock) - table.stock.left :]
        for seat, held in enumerate(table.held):
            if seat != self.seat:
                unseen += [card for card, number in held.items() for _ in range(number)]
        return self._random.sample(sorted(unseen), len(unseen))

    def _lead_after(self, world: Table, event: AnyEvent, seed: float) -> float:
        """The lead over the mean of the others when greedy players have played on."""
        unchecked_stepper(world).advance(event)
        turns = TURNS_AHEAD * world.seats
        for played in play_greedily(world, Random(seed)):
            turns -= isinstance(played, Discard)
            if turns == 0:
                break
        points = world.points
        return points[self.seat] - (sum(points) - points[self.seat]) / (world.seats - 1)


def _world(table: Table, viewer: int, cards: Sequence[str]) -> Table:
    """The table with these cards in the other hands and, after them, in the stock."""
    world, first = table.copy(), 0
    for seat, held in enumerate(world.held):
        if seat != viewer:
            number = sum(held.values())
            held.clear()
            for card in cards[first : first + number]:
                held[card] = held.get(card, 0) + 1
            first += number
    world.stock.order = [*cards[first:]]
    return world


# Which expert plays a sheet.


def expert_for(sheet: RuleSheet, worlds: int | None = None) -> SeatPlayerMaker:
    """The maker of experts who play this sheet; they weigh each choice in so many worlds, or in as many as they mostly do.

    Raises ValueError for a game of tricks for more than two.
    """
    require_two_at_tricks(sheet)
    player = ExpertPlayer if sheet.rules.tableau is None else TableauExpert
    return player if worlds is None else partial(player, worlds=worlds)


def require_two_at_tricks(sheet: RuleSheet) -> None:
    """Raise ValueError if more than two play tricks by this sheet: who weighs cards there knows one other hand."""
    if sheet.rules.tricks_of_more:
        raise ValueError(
            f"{sheet.name} is for more than two: only simple players play tricks then."
        )
