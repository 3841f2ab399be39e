"""One deal at the engine's table and at the fast one, played on together at random."""

from random import Random

from msgspec.structs import replace

from analyzer.play.fast_deal import FastDeal
from analyzer.play.fast_rules import each_bit
from analyzer.play.greedy import dearest_meld
from analyzer.play.setting_up import deal_cards, fast_deal_at
from records.engine.choices import legal_dixes, legal_melds, legal_plays
from records.engine.deal import lay_out_deal
from records.engine.effects import may_show_carte_blanche
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table, TableStep
from records.events import AnyEvent, CarteBlanche, Dix, Draw, Meld, Play
from records.rules.compiled import compile_sheet
from records.rules.registry import resolve_rules
from records.validate.dispatch import checks_at
from tests.playouts.games import Way

MeldCards = tuple[str, tuple[str, ...]]
"""A meld: its name and its cards, sorted."""


class Pair:
    """The two tables of a deal; `melds` counts the sets that were allowed, `choices` all that was chosen."""

    def __init__(self, way: Way, seed: int, courts: tuple[str, ...] = ()) -> None:
        """The deal of a seed; nobody is dealt cards of these `courts`, nor draws one at first."""
        record = way.play(seed, "random", deals=1, labels=way.sheet.rules.pack.packs > 1)
        sheet, (deal,) = resolve_rules(record.rules).sheet, record.deals
        drawn = [event.card for event in deal.events if isinstance(event, Draw)]
        stock = drawn[:-1] if deal.turn_up else drawn
        hands = deal.hands or []
        if courts:
            cards = sorted([*hands[0], *hands[1], *stock], key=lambda card: card[0] in courts)
            size = len(hands[0])
            hands, stock = [cards[:size], cards[size : 2 * size]], cards[2 * size :]
        bare = replace(deal, hands=hands, stock=stock, events=[])
        self.table: Table = lay_out_deal(
            compile_sheet(sheet), bare, ["Ann", "Bob"], writes_draws=True
        )
        self.stepper = unchecked_stepper(self.table)
        self.fast: FastDeal = deal_cards(sheet, bare)
        self.stock = stock
        self.random = Random(f"{way} {seed}")
        self.melds = self.choices = 0

    def names(self, cards: int) -> list[str]:
        """The names of cards at the fast table."""
        return self.fast.view.cards.names_of(cards)

    def take_over(self) -> None:
        """Go on with a fast table made anew from the engine's."""
        left = self.table.stock.left
        self.fast = fast_deal_at(self.table, self.stock[len(self.stock) - left :])

    def step(self) -> None:
        """One event at both tables, chosen at random among all that may happen."""
        event = self._happen()
        self.table.events = [*self.table.events, event]
        self.table.index = len(self.table.events) - 1
        self.stepper.advance(event)
        self.choices += 1

    def _happen(self) -> AnyEvent:
        fast, random = self.fast, self.random
        blanche = [seat for seat in (0, 1) if fast.may_show_blanche(seat)]
        if blanche and random.random() < 0.7:
            seat = random.choice(blanche)
            fast.show_blanche(seat)
            return CarteBlanche(seat=seat)
        dixes, melds = [*fast.lawful_dixes()], [*fast.lawful_melds()]
        if dixes and random.random() < 0.3:
            action, seven = random.choice(dixes)
            dix = Dix(seat=fast.actor, action=action, card=self.names(seven)[0])
            fast.dix(action, seven)
            return dix
        if melds and random.random() < 0.7:
            meld, cards = random.choice(melds)
            said = Meld(seat=fast.actor, meld=meld.rule.name, cards=self.names(cards))
            fast.meld(meld, cards)
            return said
        if fast.due:
            seat = fast.due[0]
            return Draw(seat=seat, card=self.names(fast.draw())[0])
        card = random.choice([*each_bit(fast.lawful_cards())])
        play = Play(seat=fast.seat, card=self.names(card)[0])
        fast.play(card)
        return play

    def assert_same(self) -> None:
        """Every fact of the two tables is the same, and so is all that may be done."""
        table, fast = self.table, self.fast
        assert table.points == fast.points
        assert table.trump == fast.view.trump
        assert [sorted(held) for held in table.held] == [sorted(self.names(h)) for h in fast.hands]
        assert (table.brisques, tuple(table.draws_due)) == (fast.brisques, fast.due)
        assert (table.step is TableStep.OVER) == fast.over
        for seat in (0, 1):
            assert may_show_carte_blanche(table, seat) == fast.may_show_blanche(seat)
        if fast.over and fast.window is None:
            return
        assert table.melding.seat == fast.window
        if not fast.due and not fast.over:
            assert table.seat == fast.seat
            assert sorted(legal_plays(table)) == sorted(self.names(fast.lawful_cards()))
        assert {*legal_dixes(table)} == {action for action, _ in fast.lawful_dixes()}
        self._assert_same_melds()

    def _assert_same_melds(self) -> None:
        """Listed by the engine, which lists one of like copies, or else let pass by its checks; and the dearest is dearest."""
        table, fast = self.table, self.fast
        listed = {(row.name, tuple(sorted(cards))) for row, cards in legal_melds(table)}
        points = {}
        for meld, cards in fast.lawful_melds():
            points[meld.rule.name, tuple(sorted(self.names(cards)))] = meld.points
        assert listed <= points.keys()
        judge = checks_at(table)[Meld]
        for name, cards in points.keys() - listed:
            assert not judge(table, Meld(seat=fast.actor, meld=name, cards=list(cards)))
        if fast.window is not None:
            dearest = dearest_meld(fast.copy()) if fast.left > 0 else None
            assert (dearest[0].points if dearest else 0) == max(points.values(), default=0)
        self.melds += len(points)
