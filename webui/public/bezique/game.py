"""A game that a program plays move by move, or a person in a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from difflib import get_close_matches
from os import PathLike
from random import Random
from typing import Any, Literal, NamedTuple, cast

from msgspec import Struct
from msgspec.structs import replace

from bezique.arguments import META_EXAMPLE, require_members, require_number, shown
from bezique.card_texts import card, cards
from bezique.exchange import notation_of, parse
from bezique.game_moves import (
    CLOSING_BONUSES,
    EndDeal,
    IllegalMove,
    Move,
    bonuses_due,
    claims_due,
    legal_moves,
    move_written,
    read_move,
    read_moves,
    trick_claims,
    write_moves,
)
from bezique.game_position import MomentOfGame, Position, position_of, require_seat
from bezique.record_types import Card, MeldName, Record, Rules, Setup, SheetId
from bezique.table_setup import begin_record, fill_stock, resolved_rules, rulebook
from records.engine.deal import are_draws_written, is_partial, lay_out_deal
from records.engine.stepper import Stepper
from records.engine.table import Table, TableStep
from records.engine.taking_back import TableMemory, remember_table, return_table
from records.errors import CardError
from records.events import (
    MELD_NAMES,
    AnyEvent,
    CarteBlanche,
    Cut,
    Declare,
    Discard,
    Dix,
    Draw,
    Irregular,
    Meld,
    Play,
)
from records.phrases import join_words
from records.record import Claims, Deal, Result, may_still_cut
from records.replay import Match
from records.selfplay import shuffle_deal
from records.validate.breach import Breach
from records.validate.check_deals import side_scores
from records.validate.codes import FORBIDDING_CODES
from records.validate.dispatch import checking_stepper
from webui.replay.next_events import seat_to_draw, seat_to_meld

AFTER_DRAWS = (Play, Discard, CarteBlanche)
"""What comes only after the draws, where a record leaves them to its stock."""


class _Moment(Struct, gc=False):
    """A move, and the game before it: its table, or what that was, and so many deals, and events of the last of them."""

    move: Move
    table: Table
    memory: TableMemory | None
    match: Match
    deals: int
    events: int


class _Origin(NamedTuple):
    """What a game began with: a record, and a step of a deal of it to go on from; without deals, new ones are dealt."""

    record: Any
    deal: int | None
    step: int | None
    seed: int


class Game:
    """One match, move by move, by the rules of a sheet; whatever is played is a legal record.

    `Game("zique", seed=1)` deals a new game; the same seed deals the same cards. `Game(record)` goes on where a
    record ends, or at a `step` of a `deal`, both counted from 0; `Game(position)` where a position was taken, and `Game("zique",
    setup=Setup(...))` from a position set up by hand. In place of a sheet's name stands a rulebook of your own: its file, as a
    path, or what `rulebook` makes of it. Cards of a stock that nobody has seen are shuffled by the seed.

    `names` are those of the players, two for most sheets; `options` are the sheet's, `sides` the seats of partners
    (`[[0, 2], [1, 3]]`), `meta` tells the occasion. Two games are
    equal if the same has happened in them and the same cards come next. Raises RulesError for a sheet or
    an option that does not exist, SheetError for a rulebook that cannot be played by, UnreadableRecord for a record that is
    none, IllegalMove for one that breaks the rules, and ValueError where cards are unknown, for a step or deal that the record
    does not have, for players that no record can have, and for what is of a wrong type.
    """

    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self,
        source: SheetId | Rules | PathLike[str] | Record | Position,
        *,
        seed: int = 0,
        names: Sequence[str] | None = None,
        options: Mapping[str, bool | int | str] | None = None,
        sides: Sequence[Sequence[int]] | None = None,
        setup: Setup | None = None,
        deal: int | None = None,
        step: int | None = None,
        meta: Mapping[str, Any] | None = None,
    ) -> None:
        new = {"names": names, "options": options, "sides": sides, "setup": setup, "meta": meta}
        if isinstance(source, str | Rules | PathLike):
            if deal is not None or step is not None:
                raise ValueError("`deal` and `step` are places in a record; a new game has none.")
            record: Any = _new_record(source, **new)
        elif given := [name for name, value in new.items() if value is not None]:
            raise ValueError(f"`{given[0]}` is for a new game; this one goes on as it began.")
        elif isinstance(source, Position):
            if source.viewer is not None:
                raise ValueError("This position hides cards; only a whole one can be played on.")
            moment = source._moment
            record, deal, step = moment.record, moment.deal, moment.step
        elif isinstance(source, Record | Mapping | bytes | bytearray):
            record = parse(source)
        else:
            raise ValueError(
                f'`source` is a rulebook such as "zique", a record or a position, not {shown(source)}.'
            )
        for name, place in (("deal", deal), ("step", step)):
            if place is not None:
                require_number(name, place)
        require_number("seed", seed)
        self._begin(_Origin(record, deal, step, seed))

    @classmethod
    def from_record(
        cls, record: Record, *, deal: int | None = None, step: int | None = None, seed: int = 0
    ) -> Game:
        """The game that goes on where a record ends, or at a step of a deal; the same as `Game(record)`."""
        return cls(record, deal=deal, step=step, seed=seed)

    @classmethod
    def from_notation(cls, text: str, *, seed: int = 0) -> Game:
        """The game that goes on where a text in the notation ends; raises UnreadableRecord."""
        return cls(parse(text), seed=seed)

    def _begin(self, origin: _Origin) -> None:
        self._origin, self._seed = origin, origin.seed
        self._past: list[_Moment] = []
        self._shared = 0  # so much of the past is that of a copy, too
        self._record = replace(
            origin.record, deals=[], result=None, notes=None, lines=None, ext=None
        )
        self._resolved = resolved_rules(self._record.rules)
        self._match = Match(self._record, self._resolved)
        self._rules = self._match.rules
        self._deals: list[Deal] = []
        self._go_to(origin.record.deals, origin.deal, origin.step)

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
            if (is_partial(deal) and not _is_only_set_up(deal)) or not _shows_every_card(deal):
                raise ValueError(
                    f"Deal {at}, counted from 0, does not show every card, so it cannot be played on."
                )
            self._lay_out(deal, deal.events if at < last else deal.events[:step])
            if at < last:
                self._deals[-1] = replace(self._deals[-1], claims=deal.claims)
                self._match.add(self._table, self._deals[-1])

    def _deal_out(self) -> None:
        number = len(self._deals)
        random = Random(f"{self._record.rules.id} {self._seed} {number}")
        seats = len(self._match.names)
        first = Random(f"{self._record.rules.id} {self._seed}").randrange(seats)
        # After a misdeal the same player deals again.
        passes = bool(self._deals) and not self._table.misdealt
        dealer = (self._deals[-1].dealer + passes) % seats if self._deals else first
        self._lay_out(shuffle_deal(self._rules, dealer, random, seats=seats, labels=False), [])

    def _lay_out(self, deal: Deal, events: Iterable[AnyEvent]) -> None:
        """Begin a deal, and apply what has happened in it."""
        whole = fill_stock(self._match, deal, Random(f"stock {self._seed} {len(self._deals)}"))
        self._deals.append(whole)
        self._table = lay_out_deal(self._rules, whole, self._match.names, writes_draws=True)
        self._table.events = whole.events
        self._match.limit(self._table)
        draws_written, events = are_draws_written(deal), list(events)
        for event in events:
            while (
                not draws_written
                and self._table.step is TableStep.DRAW
                and isinstance(event, AFTER_DRAWS)
            ):
                self._apply(self._next_draw(), checking_stepper(self._table))
            self._apply(event, checking_stepper(self._table))
        self._stepper = stepper = checking_stepper(self._table)
        if not events and (self._rules.sheet.rules.cut is None or whole.setup is not None):
            self._claim(None, stepper)
        elif self._table.step is not TableStep.OVER:
            self._claim(events[-1] if events else None, stepper)

    def legal(self) -> list[Move]:
        """Every move that the rules allow next: melds, draws, cards; none once the match is over.

        A card that lies face down is `??` in its draw; a cut names the number of cards to aim at. `view(seat).legal()`
        has the moves of one seat alone.
        """
        if self._match.complete:
            return []
        return legal_moves(self._table, is_fresh=self._is_fresh)

    @property
    def _is_fresh(self) -> bool:
        """Whether nothing has been done in the deal yet."""
        return may_still_cut(self._deals[-1], self._deals[-1].events)

    def do(self, move: Move) -> None:
        """Make a move, and what follows from it without a choice: who won the trick, and bonuses.

        A draw of `??` draws the next card. Raises IllegalMove, and changes nothing then.
        """
        if self._match.complete:
            raise IllegalMove("The match is over.")
        self._table.tracking.budget.renew()
        event = move if type(move) is EndDeal else read_move(move, self._table)
        before = self._remember(event)
        try:
            self._make(event)
        except IllegalMove:
            self._return_to(before)
            raise
        self._past.append(before)

    def _remember(self, event: Any) -> _Moment:
        """What the game is before an event or the end of a deal."""
        table = self._table
        kind, events = type(event), table.events
        # A ruling, and marriages that can have happened in several ways, may change what no other move does.
        if kind is Irregular or (kind is Meld and self._rules.has_tableau):
            memory = None
            self._table = table.copy()
            self._table.events = events
        else:
            memory = remember_table(table, event)
        return _Moment(event, table, memory, self._match, len(self._deals), len(events))

    def _make(self, event: Any) -> None:
        """Change the game by an event that was read, or end the deal."""
        if type(event) is EndDeal:
            self._end_deal()
            return
        table, stepper = self._table, self._stepper
        if table.misdealt:
            raise IllegalMove("This was a misdeal: end it, and deal again.", code="event-after-end")
        if stepper.table is not table or self._rules.has_tableau:
            self._stepper = stepper = checking_stepper(table)
        self._apply(event, stepper)
        self._claim(event, stepper)

    def play(self, card: Card, *, source: Literal["hand", "table"] | None = None) -> None:
        """Play a card, or discard it in Zetema; `source` says from where, if it lies in two places."""
        table = self._table
        face = _read_card(card)
        if source not in (None, "hand", "table"):
            raise IllegalMove(
                f'`source` is "hand" or "table", where the card lies, not {shown(source)}.'
            )
        if self._rules.has_tableau:
            self._do(Discard(seat=table.seat, card=face))
        else:
            self._do(Play(seat=table.seat, card=face, source=source))

    def meld(self, name: MeldName, cards: Sequence[Card]) -> None:
        """Score a meld."""
        _require_meld(name)
        seat = seat_to_meld(self._table)
        self._do(Meld(seat=seat, meld=name, cards=_read_cards(cards)))

    def declare(self, name: MeldName, cards: Sequence[Card]) -> None:
        """Lay a meld now, to score it later, where the rules allow that."""
        _require_meld(name)
        seat = seat_to_meld(self._table)
        self._do(Declare(seat=seat, meld=name, cards=_read_cards(cards)))

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
        """Settle the deal once its last card is played, or after a misdeal; the next one is dealt if the match goes on."""
        self.do(EndDeal())

    def undo(self) -> None:
        """Take back the last move, and what followed from it; raises ValueError if there is none."""
        if not self._past:
            raise ValueError("There is no move to take back.")
        before, is_shared = self._past.pop(), len(self._past) < self._shared
        if is_shared:
            self._shared = len(self._past)
        self._return_to(before, is_shared=is_shared)

    def copy(self) -> Game:
        """The same game, to go on with apart: its moves can be taken back, too."""
        self._shared = len(self._past)
        other = Game.__new__(type(self))
        vars(other).update(vars(self))
        other._past = self._past[:]
        other._deals = [replace(deal, events=deal.events[:]) for deal in self._deals]
        other._table = self._table.copy()
        other._table.events = other._deals[-1].events
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self.copy()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return (self._record, self._deals, self._seed, self.over) == (
            other._record, other._deals, other._seed, other.over,
        )  # fmt: skip

    def __reduce__(self) -> tuple[Any, ...]:
        return _remade, (type(self), write_moves([*self._origin], [m.move for m in self._past]))

    @property
    def over(self) -> bool:
        """Whether the match is over and settled."""
        return self._match.complete

    @property
    def score(self) -> list[int]:
        """The points of every side so far, those of this deal included."""
        scores = self._match.tally or [0] * len(self._match.sides)
        if self.over:
            return list(scores)
        here = side_scores(self._table.deal_points, self._match.sides)
        return [before + points for before, points in zip(scores, here, strict=True)]

    @property
    def winner(self) -> int | None:
        """The side that won the match; None for a draw, and as long as it is not over."""
        return self._match.result.winner

    @property
    def seat(self) -> int | None:
        """The seat to act: that which may meld, draws or plays; None once the deal is over."""
        return None if self._table.is_over else self._table.seat

    @property
    def _place(self) -> tuple[int, int]:
        """The deal, counted from 0, and how many events it has."""
        return len(self._deals) - 1, len(self._deals[-1].events)

    @property
    def meta(self) -> dict[str, Any]:
        """The occasion: event, place, time; set it to give the record another."""
        return dict(self._record.meta or {})

    @meta.setter
    def meta(self, meta: Mapping[str, Any]) -> None:
        require_members("meta", meta, META_EXAMPLE)
        record = replace(self._record, meta=dict(meta or {}) or None)
        self._record = cast(Any, parse(record))
        self._origin = self._origin._replace(record=replace(self._origin.record, meta=record.meta))

    @property
    def record(self) -> Record:
        """The game so far as a record of its own, which later moves do not change."""
        deals = [replace(deal, stock=None, events=list(deal.events)) for deal in self._deals]
        result = self._match.result if self.over else Result(status="unfinished")
        return cast(Record, replace(self._record, deals=deals, result=result))

    def to_notation(self) -> str:
        """The game so far in the notation."""
        return notation_of(self.record)

    @property
    def position(self) -> Position:
        """The table now, with every card."""
        return self.view(None)

    def view(self, seat: int | None) -> Position:
        """The table as a seat sees it, with other hands face down; None sees all. Raises ValueError for another seat."""
        require_seat(seat, len(self._match.names))
        deal = self._deals[-1]
        deals = [*self._deals[:-1], replace(deal, events=list(deal.events))]
        record = cast(Record, replace(self._record, deals=deals))
        moment = MomentOfGame(
            record, len(deals) - 1, len(deal.events), None if self.over else self._table.copy()
        )
        return position_of(self._table, moment, seat)

    def _repr_html_(self) -> str:
        return self.position.svg()

    def __str__(self) -> str:
        return str(self.position)

    def __repr__(self) -> str:
        return f"<Game {self._record.rules.id}, deal {len(self._deals)}, {' : '.join(map(str, self.score))}>"

    def _table_as_dealt(self) -> Table:
        """The table of this deal before its first event."""
        deal = replace(self._deals[-1], events=[])
        table = lay_out_deal(self._rules, deal, self._match.names, writes_draws=True)
        self._match.limit(table)
        return table

    def _do(self, event: AnyEvent) -> None:
        self.do(cast(Any, event))

    def _next_draw(self) -> Draw:
        card = self._table.stock.next_card()
        if card is None:
            raise IllegalMove("The stock is empty: there is no card to draw.")
        return Draw(seat=seat_to_draw(self._table), card=card)

    def _apply(self, event: AnyEvent, stepper: Stepper[Breach]) -> None:
        """Apply one event to the table; raises IllegalMove, and then the event is written all the same."""
        stepper.table.events.append(event)
        for breach in stepper.advance_unless(event, FORBIDDING_CODES):
            if breach.code in FORBIDDING_CODES:
                raise IllegalMove(breach.message, code=breach.code, legal=breach.legal)

    def _claim(self, event: AnyEvent | None, stepper: Stepper[Breach]) -> None:
        """Write what follows from an event: all bonuses as the table is before them, then the trick and its bonus."""
        table = stepper.table
        if table.misdealt:
            return
        for claim in claims_due(table, event):
            self._apply(claim, stepper)
        if table.melding.seat is None:
            return
        for claim in trick_claims(table):
            self._apply(claim, stepper)
            if table.stock.with_turn_up == table.seats:
                for bonus in bonuses_due(table, ("tenth_trick",)):
                    self._apply(bonus, stepper)

    def _end_deal(self) -> None:
        if not self._table.is_over:
            raise IllegalMove("The deal is not over: cards are left to play.")
        stepper = checking_stepper(self._table)
        for bonus in bonuses_due(self._table, CLOSING_BONUSES):
            self._apply(bonus, stepper)
        scores = side_scores(self._table.deal_points, self._match.sides)
        self._deals[-1] = replace(self._deals[-1], claims=Claims(scores=scores))
        self._match = copy(self._match)
        self._match.add(self._table, self._deals[-1])
        if not self._match.complete:
            self._deal_out()

    def _return_to(self, before: _Moment, *, is_shared: bool = False) -> None:
        """Let the game be again what it was; what another game shares of it stays as it is."""
        if self._match is not before.match:
            self._take_back_end(before, is_shared=is_shared)
        elif before.memory is None:
            self._table = before.table.copy() if is_shared else before.table
            self._table.events = self._deals[-1].events
        table = self._table
        events = table.events
        del events[before.events :]
        if before.memory is not None:
            return_table(table, before.memory)
            if is_shared:
                # The lists of the memory were those of the table now.
                self._table = table.copy()
                self._table.events = events

    def _take_back_end(self, before: _Moment, *, is_shared: bool) -> None:
        """Let a deal that was settled, and perhaps followed by the next one, be the last again."""
        self._match = before.match
        if len(self._deals) > before.deals:
            self._table = before.table.copy() if is_shared else before.table
            del self._deals[before.deals :]
        self._deals[-1] = replace(self._deals[-1], claims=None)
        self._table.events = self._deals[-1].events


def _remade(kind: type[Game], packed: bytes) -> Game:
    """A game made anew from what it began with, and its moves."""
    origin, moves = read_moves(packed)
    game = Game.__new__(kind)
    game._begin(_Origin(*origin))
    for written in moves:
        game.do(move_written(written, game._table))
    return game


def _new_record(
    source: SheetId | Rules | PathLike[str],
    *,
    names: Sequence[str] | None,
    options: Mapping[str, bool | int | str] | None,
    sides: Sequence[Sequence[int]] | None,
    setup: Setup | None,
    meta: Mapping[str, Any] | None,
) -> Any:
    """A record without deals, or with one that begins with a position."""
    rules: Any = source if isinstance(source, str) else rulebook(source)
    record = begin_record(rules, names, options, sides, meta)
    if setup is None:
        return record
    return parse(cast(Any, replace(record, deals=[Deal(dealer=0, setup=cast(Any, setup))])))


def _is_only_set_up(deal: Deal) -> bool:
    """Whether the deal begins with a position of which only the order of the stock is not told, and nothing has happened."""
    return deal.setup is not None and deal.knowledge is None and not deal.events


def _shows_every_card(deal: Deal) -> bool:
    cards = deal.setup.hands if deal.setup is not None else deal.hands or []
    return not any("?" in card for hand in cards for card in hand)


def _read_card(text: str) -> str:
    try:
        return card(text)
    except CardError as error:
        raise IllegalMove(str(error), code="bad-card") from error


def _require_meld(name: object) -> None:
    """Raise IllegalMove unless a meld has this name."""
    if name in MELD_NAMES:
        return
    near = get_close_matches(name, MELD_NAMES, n=2) if isinstance(name, str) else ()
    meant = join_words(near or ("bezique", "marriage", "sequence"), "or")
    hint = f"did you mean {meant}?" if near else f"such as {meant}."
    raise IllegalMove(
        f"`name` is the name of a meld, not {shown(name)}: {hint}", code="unknown-meld"
    )


def _read_cards(texts: Sequence[str]) -> list[str]:
    if not isinstance(texts, Iterable) or isinstance(texts, type):
        words = f'`cards` is a list of cards such as ["QS", "JD"], not {shown(texts)}.'
        raise IllegalMove(words, code="bad-card")
    try:
        return list(cards(texts) if isinstance(texts, str) else map(card, texts))
    except CardError as error:
        raise IllegalMove(str(error), code="bad-card") from error
