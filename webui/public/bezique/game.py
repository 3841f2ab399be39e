"""A game that a program plays move by move, or a person in a notebook."""

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from random import Random
from typing import Any, Literal, NamedTuple, cast

import msgspec
from msgspec.structs import replace

from bezique.exchange import parse
from bezique.game_moves import (
    CLOSING_BONUSES,
    EndDeal,
    IllegalMove,
    Move,
    bonuses_due,
    claims_due,
    legal_moves,
    seat_to_draw,
    trick_claims,
    with_points,
)
from bezique.game_position import Position, RecordMoment, position_of
from bezique.record_types import Card, MeldName, Record, Setup, SheetId
from bezique.table_setup import begin_record, fill_stock
from records.cards import parse_card
from records.engine.deal import are_draws_written, is_partial, lay_out_deal
from records.engine.table import Table, TableStep
from records.errors import CardError
from records.events import (
    AnyEvent,
    CarteBlanche,
    Cut,
    Declare,
    Discard,
    Dix,
    Draw,
    Meld,
    Play,
)
from records.record import Claims, Deal, Result
from records.replay import Match
from records.rules.registry import resolve_rules
from records.selfplay import shuffle_deal
from records.validate.check_deals import side_scores
from records.validate.codes import FINDING_CODES
from records.validate.dispatch import checking_stepper
from webui.replay.what_if import seat_to_meld

AFTER_DRAWS = (Play, Discard, CarteBlanche)
"""What comes only after the draws, where a record leaves them to its stock."""


class _Moment(NamedTuple):
    """The game before a move, to be taken back to."""

    table: Table
    match: Match
    deals: list[Deal]
    events: list[AnyEvent]


class Game:
    """One match, move by move, by the rules of a sheet; whatever is played is a legal record.

    `Game("zique", seed=1)` deals a new game; the same seed deals the same cards. `Game(record)` goes on where a
    record ends, or at a `step` of a `deal`, both counted from 0; `Game(position)` where a position was taken, and `Game("zique",
    setup=Setup(...))` from a position set up by hand. Cards of a stock that nobody has seen are shuffled by the seed.

    `names` are those of the players, two for most sheets; `options` are the sheet's. Raises RulesError for a sheet or
    an option that does not exist, UnreadableRecord for a record that is none, IllegalMove for one that breaks the
    rules, and ValueError where cards are unknown, for a step or deal that the record does not have, and for players that
    no record can have.
    """

    def __init__(
        self,
        source: SheetId | Record | Position,
        *,
        seed: int = 0,
        names: Sequence[str] | None = None,
        options: Mapping[str, bool | int | str] | None = None,
        setup: Setup | None = None,
        deal: int | None = None,
        step: int | None = None,
    ) -> None:
        if isinstance(source, Position):
            if source.viewer is not None:
                raise ValueError("This position hides cards; only a whole one can be played on.")
            moment = source._moment
            source, deal, step = moment.record, moment.deal, moment.step
        self._seed = seed
        self._past: list[_Moment] = []
        if isinstance(source, str):
            self._record = begin_record(source, names, dict(options or {}))
            self._start()
            if setup is None:
                self._deal_out()
            else:
                self._lay_out(_set_up_deal(self._record, setup), [])
        else:
            self._record = cast(Any, parse(source))
            recorded = self._record.deals
            self._start()
            self._go_to(recorded, deal, step)

    def _start(self) -> None:
        self._record = replace(
            self._record, deals=[], result=None, notes=None, lines=None, ext=None
        )
        self._resolved = resolve_rules(self._record.rules)
        self._match = Match(self._record, self._resolved)
        self._rules = self._match.rules
        self._deals: list[Deal] = []

    def _go_to(self, deals: Sequence[Deal], number: int | None, step: int | None) -> None:
        """Play the deals of a record as far as a step of one."""
        last = len(deals) - 1 if number is None else number
        if not deals or not 0 <= last < len(deals):
            if deals or number is not None:
                raise ValueError(f"The record has no deal {number}, counted from 0.")
            if step is not None:
                raise ValueError("The record has no deals, so it has no step.")
            self._deal_out()
            return
        if step is not None and not 0 <= step <= len(deals[last].events):
            raise ValueError(
                f"Deal {last} has no step {step}: its steps are 0 to {len(deals[last].events)}."
            )
        for at, deal in enumerate(deals[: last + 1]):
            if is_partial(deal) or not _shows_every_card(deal):
                raise ValueError(
                    f"Deal {at}, counted from 0, does not show every card, so it cannot be played on."
                )
            self._lay_out(deal, deal.events if at < last else deal.events[:step])
            if at < last:
                self._match.add(self._table)

    def _deal_out(self) -> None:
        number = len(self._deals)
        random = Random(f"{self._record.rules.id} {self._seed} {number}")
        seats = len(self._match.names)
        first = Random(f"{self._record.rules.id} {self._seed}").randrange(seats)
        dealer = (self._deals[-1].dealer + 1) % seats if self._deals else first
        self._lay_out(shuffle_deal(self._rules, dealer, random, seats=seats, labels=False), [])

    def _lay_out(self, deal: Deal, events: Iterable[AnyEvent]) -> None:
        """Begin a deal, and apply what has happened in it."""
        whole = fill_stock(self._match, deal, Random(f"stock {self._seed} {len(self._deals)}"))
        self._deals = [*self._deals, whole]
        self._table = lay_out_deal(self._rules, whole, self._match.names, writes_draws=True)
        self._match.limit(self._table)
        draws_written = are_draws_written(deal)
        events = list(events)
        for event in events:
            while (
                not draws_written
                and self._table.step is TableStep.DRAW
                and isinstance(event, AFTER_DRAWS)
            ):
                self._apply(self._next_draw())
            self._apply(event)
        if not events and (self._rules.sheet.rules.cut is None or whole.setup is not None):
            self._claim(None)
        elif self._table.step is not TableStep.OVER:
            self._claim(events[-1] if events else None)

    def legal(self) -> list[Move]:
        """Every move that the rules allow next: melds, draws, cards; none once the match is over.

        A draw names the card that comes, a cut the number of cards to aim at.
        """
        if self.over:
            return []
        events = self._deals[-1].events
        fresh = not events and self._deals[-1].setup is None
        return legal_moves(self._table, is_fresh=fresh)

    def do(self, move: Move) -> None:
        """Make a move, and what follows from it without a choice: who won the trick, and bonuses.

        Raises IllegalMove, and changes nothing then.
        """
        if self.over:
            raise IllegalMove("The match is over.")
        deal = self._deals[-1]
        before = _Moment(self._table, self._match, self._deals, list(deal.events))
        try:
            if isinstance(move, EndDeal):
                self._end_deal()
            else:
                event = with_points(self._table, _read_move(move))
                self._apply(event)
                self._claim(event)
        except IllegalMove:
            self._return_to(before)
            raise
        self._past.append(before)

    def play(self, card: Card, *, source: Literal["hand", "table"] | None = None) -> None:
        """Play a card, or discard it in Zetema; `source` says from where, if it lies in two places."""
        table = self._table
        face = _read_card(card)
        if self._rules.has_tableau:
            self._do(Discard(seat=table.seat, card=face))
        else:
            self._do(Play(seat=table.seat, card=face, source=source))

    def meld(self, name: MeldName, cards: Sequence[Card]) -> None:
        """Score a meld."""
        seat = seat_to_meld(self._table)
        self._do(Meld(seat=seat, meld=name, cards=list(map(_read_card, cards))))

    def declare(self, name: MeldName, cards: Sequence[Card]) -> None:
        """Lay a meld now, to score it later, where the rules allow that."""
        seat = seat_to_meld(self._table)
        self._do(Declare(seat=seat, meld=name, cards=list(map(_read_card, cards))))

    def dix(self, action: Literal["exchange", "show"]) -> None:
        """Exchange the seven of trumps for the turn-up, or show it."""
        self._do(Dix(seat=seat_to_meld(self._table), action=action))

    def carte_blanche(self, seat: int) -> None:
        """Show a hand without court cards."""
        self._do(CarteBlanche(seat=seat))

    def cut(self, packet: int, guess: int | None = None) -> None:
        """Cut the pack before the first lead (Six-Pack Bezique): the dealer's cards, and the other player's guess."""
        self._do(Cut(seat=self._table.dealer, packet=packet, guess=guess))

    def draw(self) -> Card:
        """Draw the next card, for the seat whose turn it is, and tell which it was."""
        event = self._next_draw()
        self._do(event)
        return cast(Card, event.card)

    def end_deal(self) -> None:
        """Settle the deal once its last card is played; the next one is dealt if the match goes on."""
        self.do(EndDeal())

    def undo(self) -> None:
        """Take back the last move, and what followed from it; raises ValueError if there is none."""
        if not self._past:
            raise ValueError("There is no move to take back.")
        self._return_to(self._past.pop())

    @property
    def over(self) -> bool:
        """Whether the match is over and settled."""
        return self._match.complete

    @property
    def score(self) -> list[int]:
        """The points of every side so far, those of this deal included."""
        scores = self._match.scores or [0] * len(self._match.sides)
        if self.over:
            return list(scores)
        here = side_scores(self._table.deal_points, self._match.sides)
        return [before + points for before, points in zip(scores, here, strict=True)]

    @property
    def winner(self) -> int | None:
        """The side that won the match; None for a draw, and as long as it is not over."""
        return self._match.winner

    @property
    def seat(self) -> int | None:
        """The seat to act: that which may meld, draws or plays; None once the deal is over."""
        return self.position.seat

    @property
    def record(self) -> Record:
        """The game so far as a record of its own, which later moves do not change."""
        deals = [replace(deal, stock=None, events=list(deal.events)) for deal in self._deals]
        if self.over:
            match = self._match
            result = Result(
                status="complete",
                scores=match.scores,
                settlement=match.settlement,
                winner=match.winner,
            )
        else:
            result = Result(status="unfinished")
        return cast(Record, replace(self._record, deals=deals, result=result))

    @property
    def position(self) -> Position:
        """The table now, with every card."""
        return self.view(None)

    def view(self, seat: int | None) -> Position:
        """The table as a seat sees it, with other hands face down; None sees all."""
        deal = self._deals[-1]
        deals = [*self._deals[:-1], replace(deal, events=list(deal.events))]
        record = cast(Record, replace(self._record, deals=deals))
        moment = RecordMoment(record, len(deals) - 1, len(deal.events))
        return position_of(self._table, moment, seat)

    def _repr_html_(self) -> str:
        return self.position.svg()

    def __str__(self) -> str:
        return str(self.position)

    def __repr__(self) -> str:
        return f"<Game {self._record.rules.id}, deal {len(self._deals)}, {' : '.join(map(str, self.score))}>"

    def _do(self, event: AnyEvent) -> None:
        self.do(cast(Any, event))

    def _next_draw(self) -> Draw:
        card = self._table.stock.next_card()
        if card is None:
            raise IllegalMove("The stock is empty: there is no card to draw.")
        return Draw(seat=seat_to_draw(self._table), card=card)

    def _apply(self, event: AnyEvent) -> None:
        """Apply one event to a new table; raises IllegalMove, and then the event is written all the same."""
        events = self._deals[-1].events
        events.append(event)
        table = self._table.copy()
        table.events = events
        for breach in checking_stepper(table).advance(event):
            if FINDING_CODES[breach.code].severity in ("illegal", "mismatch"):
                raise IllegalMove(breach.message, code=breach.code, legal=breach.legal)
        self._table = table

    def _claim(self, event: AnyEvent | None) -> None:
        """Write what follows from an event: each claim is looked for at the table after the one before."""
        for claim in claims_due(self._table, event):
            self._apply(claim)
        for claim in trick_claims(self._table):
            self._apply(claim)
            stock, seats = self._table.stock, self._table.seats
            if stock.with_turn_up == seats:
                for bonus in bonuses_due(self._table, ("tenth_trick",)):
                    self._apply(bonus)

    def _end_deal(self) -> None:
        if self._table.step is not TableStep.OVER:
            raise IllegalMove("The deal is not over: cards are left to play.")
        for bonus in bonuses_due(self._table, CLOSING_BONUSES):
            self._apply(bonus)
        scores = side_scores(self._table.deal_points, self._match.sides)
        ended = replace(self._deals[-1], claims=Claims(scores=scores))
        self._deals = [*self._deals[:-1], ended]
        self._match = copy(self._match)
        self._match.add(self._table)
        if not self._match.complete:
            self._deal_out()

    def _return_to(self, before: _Moment) -> None:
        self._table, self._match, self._deals = before.table, before.match, before.deals
        self._deals[-1].events[:] = before.events


def _set_up_deal(record: Any, setup: Setup) -> Deal:
    """A deal that begins with a position; raises UnreadableRecord if it is none."""
    deal = Deal(dealer=0, setup=cast(Any, setup))
    return cast(Any, parse(replace(record, deals=[deal]))).deals[0]


def _shows_every_card(deal: Deal) -> bool:
    cards = deal.setup.hands if deal.setup is not None else deal.hands or []
    return not any("?" in card for hand in cards for card in hand)


def _read_card(text: str) -> str:
    try:
        return parse_card(text)
    except CardError as error:
        raise IllegalMove(f"{error}.", code="bad-card") from error


def _read_move(move: Move) -> AnyEvent:
    """A move as an event of its own, with the types that a record demands."""
    try:
        return msgspec.convert(msgspec.to_builtins(move), cast(Any, AnyEvent))
    except (msgspec.ValidationError, TypeError) as error:
        raise IllegalMove(f"{move!r} is no move: {error}.") from error
