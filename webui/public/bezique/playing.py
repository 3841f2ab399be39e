"""Whole games between programs: those that come with bezique, and one's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from random import Random
from typing import Any, Literal, Protocol, TypeAlias, cast

from msgspec.structs import replace

from analyzer.play.seat_players import PlayerKind, player_for
from bezique.arguments import require_list, require_number, shown
from bezique.game import Game
from bezique.game_moves import EndDeal, IllegalMove, Move
from bezique.game_position import Position
from bezique.record_types import Record, Rules, SheetId
from records.engine.choices import legal_dixes, legal_melds, legal_plays
from records.engine.effects import may_show_carte_blanche
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table, TableStep
from records.events import CarteBlanche, Cut, Discard, Dix, Draw, Meld, Play
from records.selfplay import SeatPlayerMaker, choose_copy, first_of_each_face, first_of_like_sets


class Chooser(Protocol):
    """A player of one's own: it is shown the table as its seat sees it, and chooses one of `view.legal()`."""

    def choose(self, view: Position) -> Move | None:
        """The move to make; None passes where nothing has to be done, such as a carte blanche out of turn."""


AnyPlayer: TypeAlias = PlayerKind | Chooser | Callable[[Position], Move | None]
"""The name of a player that comes with bezique (simple, base, expert), an object with `choose(view)`, or such a function."""


def play(
    sheet: SheetId | Rules | PathLike[str],
    players: Sequence[AnyPlayer],
    *,
    deals: int | None = None,
    seed: int = 0,
    names: Sequence[str] | None = None,
    options: Mapping[str, bool | int | str] | None = None,
    sides: Sequence[Sequence[int]] | None = None,
    meta: Mapping[str, Any] | None = None,
) -> Record:
    """The record of a match that these players play, one for each seat; after so many `deals` it is left unfinished.

    `sides` are the seats of partners, `[[0, 2], [1, 3]]`; without them everybody plays alone.

    The same seed deals the same cards. A seat is asked whenever it may do something; what can only be done in one way, a draw
    or the end of a deal, is done without asking. Where there are no `names`, players are called as they are in Python. Raises IllegalMove
    for a move that the rules forbid, with a note of who made it, and ValueError for too few players, or ones that do not know
    the game; and what `Game` raises.
    """
    _require_players(players)
    if not isinstance(sheet, str | Rules | PathLike):
        raise ValueError(f'`sheet` is a rulebook such as "zique", not {shown(sheet)}.')
    if deals is not None:
        require_number("deals", deals, least=1)
    if names is not None:
        require_list("names", names, "a name for each player")
    called = _names_of(players) if names is None else names
    if len(called) != len(players):
        raise ValueError(f"There are {len(players)} players and {len(called)} names.")
    game = Game(sheet, seed=seed, names=called, options=options, sides=sides, meta=meta)
    choosers = [_chooser_of(player, game, seat, seed) for seat, player in enumerate(players)]
    while not game.over and (deals is None or game._place[0] < deals):
        _take_turn(game, choosers)
    record = cast(Any, game.record)
    players_named = [replace(each, kind="program") for each in record.players]
    return cast(Record, replace(record, players=players_named, deals=record.deals[:deals]))


def _require_players(players: object) -> None:
    """Raise ValueError unless it is a list of players."""
    require_list("players", players or None, "a player for each seat")
    for player in cast(Sequence[object], players):
        if isinstance(player, type):
            name = player.__name__
            raise ValueError(f"`players` has the class {name}: make a player of it, {name}().")
        if not isinstance(player, str) and not callable(getattr(player, "choose", player)):
            raise ValueError(
                f"`players` has {shown(player)}, which is no player: it has no `choose`."
            )


def _names_of(players: Sequence[AnyPlayer]) -> list[str]:
    """What players are called in Python, with a number where several are called alike."""
    called = [
        player if isinstance(player, str) else getattr(player, "__name__", type(player).__name__)
        for player in players
    ]
    return [
        f"{name} {called[:number].count(name) + 1}" if called.count(name) > 1 else name
        for number, name in enumerate(called)
    ]


_Choose = Callable[[Game], Move | None]


def _chooser_of(player: AnyPlayer, game: Game, seat: int, seed: int) -> _Choose:
    if isinstance(player, str):
        return _SeatAtGame(player_for(player, game._resolved.sheet), seat, seed).choose
    choose = getattr(player, "choose", player)
    return lambda game: choose(game.view(seat))


def _take_turn(game: Game, choosers: Sequence[_Choose]) -> None:
    """Make the next move of the game: the only one there is, or that of the first seat that wants to make one."""
    moves = game.legal()
    if len(moves) == 1 and isinstance(moves[0], EndDeal | Draw | Cut):
        game.do(moves[0])
        return
    in_turn, can_end = game.seat, isinstance(moves[-1], EndDeal)
    seats = {seat for move in moves if (seat := getattr(move, "seat", None)) is not None}
    # Whoever may do something out of turn is asked first, before the other goes on.
    for seat in sorted(seats, key=lambda seat: (seat == in_turn, seat)):
        move = choosers[seat](game)
        if move is not None:
            _do(game, seat, move)
            return
        if seat == in_turn and not can_end:
            raise IllegalMove(
                f"No move was chosen by {game.record.players[seat].name}, and one has to be made."
            )
    game.end_deal()


def _do(game: Game, seat: int, move: Move) -> None:
    try:
        if getattr(move, "seat", seat) != seat:
            raise IllegalMove(f"Seat {seat} was asked, and {move!r} is a move of another seat.")
        game.do(move)
    except IllegalMove as error:
        deal, events = game._place
        name = game.record.players[seat].name
        error.add_note(f"chosen by {name}, deal {deal}, after {events} events")
        raise


class _SeatAtGame:
    """A player that comes with the program at one seat of a game: it follows every event, and is asked as it expects."""

    def __init__(self, make: SeatPlayerMaker, seat: int, seed: int) -> None:
        self._make, self._seat, self._random = make, seat, Random(f"{seed} {seat}")
        self._deal = -1

    def choose(self, game: Game) -> Move | None:
        """The move to make."""
        self._follow(game)
        table, seat = self._table, self._seat
        if may_show_carte_blanche(table, seat):
            return cast(Move, CarteBlanche(seat=seat))
        if seat in (*table.melders(), table.seat) and self._melds_at != table.tricks:
            if (shown := self._choose_shown(table)) is not None:
                return shown
            self._melds_at = table.tricks
        if seat != table.seat:
            return None  # a partner of the winner who has nothing to meld
        if table.step is TableStep.DRAW:
            return cast(Move, Draw(seat=seat, card="??"))
        if table.step is TableStep.OVER:
            return None
        card = self._player.choose_card(table, first_of_each_face(legal_plays(table)))
        kind = Discard if table.rules.has_tableau else Play
        return cast(Move, kind(seat=seat, card=choose_copy(table, card)))

    def _choose_shown(self, table: Table) -> Move | None:
        """The dix or the meld to show after a trick, or in a turn of a game without tricks; None once that is enough."""
        if table.melding.seat is None and not table.rules.has_tableau:
            return None
        actions = legal_dixes(table) if table.melding.seat == self._seat else ()
        if actions and self._dix_at != table.tricks:
            self._dix_at = table.tricks
            action = self._player.choose_dix(table, actions)
            if action is not None:
                return cast(Move, Dix(seat=self._seat, action=cast(Literal["exchange"], action)))
        melds = first_of_like_sets(legal_melds(table, self._seat))
        chosen = self._player.choose_meld(table, melds) if melds else None
        if chosen is None:
            return None
        return cast(Move, Meld(seat=self._seat, meld=chosen[0].name, cards=chosen[1]))

    def _follow(self, game: Game) -> None:
        """See every event since the player was last asked, each at the table after it."""
        deal, _ = game._place
        if deal != self._deal:
            dealt = game._deals[-1]
            self._deal, self._table = deal, game._table_as_dealt()
            self._stepper = unchecked_stepper(self._table)
            self._seen, self._melds_at, self._dix_at = 0, -1, -1
            self._player = self._make(self._seat, dealt, self._random.getrandbits(32))
            self._player.see(None, self._table)
        events = game._deals[-1].events
        for event in events[self._seen :]:
            self._stepper.advance(event)
            self._player.see(event, self._table)
            if self._table.rules.has_tableau:
                self._melds_at = -1
        self._seen = len(events)
