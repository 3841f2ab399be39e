"""Whether a record can be right at all: the slow referees, asked deal by deal, then the result."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from msgspec import UNSET

from records.errors import RulesError
from records.record import Deal, Record, Result
from records.rules.registry import resolve
from records.rules.vocabulary import OneDeal, RaceTo, RuleSheet
from tests.playouts.piles import PileReferee
from tests.playouts.settling import Settled, settle
from tests.playouts.tricks import TrickReferee
from tests.playouts.world import Wrong


@dataclass
class Judgement:
    """Whether some reading of a record is right; if not, the deal and event that no reading survives."""

    right: bool
    deal: int | None = None
    event: int | None = None
    why: str = ""
    over: bool = False
    most_worlds: int = 1
    worlds: list[list[Any]] = field(default_factory=list)


def judge(record: Record) -> Judgement:
    """Judge a record, every deal of which is given in full."""
    rules, seats = record.rules, len(record.players)
    try:
        sheet = resolve(rules.id, rules.edition, rules.options).sheet
    except RulesError as error:
        return Judgement(False, why=str(error))
    if seats not in sheet.players:
        return Judgement(False, why="players")
    sides = record.sides or [[seat] for seat in range(seats)]
    game = _Game(sheet, sides)
    most = 1
    for number, deal in enumerate(record.deals):
        due = number == 0 or deal.dealer == (record.deals[number - 1].dealer + 1) % seats
        if not due or game.won:
            return Judgement(False, number, None, "no such deal is due")
        worlds, event, why, reached = _judge_deal(game.referee(seats), deal)
        most = max(most, reached)
        if not worlds:
            return Judgement(False, number, event, why, most_worlds=most)
        if not worlds[0].over and number < len(record.deals) - 1:
            return Judgement(False, number, len(deal.events), "cut short", most_worlds=most)
        game.add(worlds)
    right = record.result is None or any(game.agrees(record.result, t) for t in game.totals)
    why = "" if right else f"the result, where the deals come to {sorted(game.totals)}"
    return Judgement(right, why=why, over=game.whole, most_worlds=most, worlds=game.worlds)


def _judge_deal(referee: Any, deal: Deal) -> tuple[list[Any], int | None, str, int]:
    """The worlds that survive a deal; if none, the event at which the last one died, and why."""
    try:
        worlds = [referee.start(deal)]
    except Wrong as why:
        return [], None, str(why), 1
    most = 1
    for index, event in enumerate(deal.events):
        after, reason = [], ""
        for world in worlds:
            try:
                after += referee.act(world, event)
            except Wrong as why:
                reason = str(why)
        if not after:
            return [], index, reason, most
        worlds = list({world.key(): world for world in after}.values()) if after[1:] else after
        most = max(most, len(worlds))
    if worlds[0].over:
        worlds = [world for world in worlds if referee.at_the_end(world, deal)]
    return worlds, len(deal.events), "the deal's numbers", most


class _Game:
    """A match as it goes on: the totals that are possible, and whether it is won."""

    def __init__(self, sheet: RuleSheet, sides: list[list[int]]) -> None:
        self.sheet, self.sides = sheet, sides
        self.totals: set[tuple[int, ...]] = {tuple(0 for _ in sides)}
        self.settled: Settled | None = None
        self.won = False
        self.whole = True
        self.worlds: list[list[Any]] = []

    def referee(self, seats: int) -> Any:
        if self.sheet.tableau is None:
            return TrickReferee(self.sheet)
        total = next(iter(self.totals))
        needed = [self.target(seats) - points for points in total]
        return PileReferee(self.sheet, seats, self.sides, needed)

    def target(self, seats: int) -> int:
        game = self.sheet.game
        if not isinstance(game, RaceTo):
            return 0
        return game.many_target if seats >= game.many_from else game.target

    def add(self, worlds: list[Any]) -> None:
        """Count a deal, in every world that is left of it."""
        self.worlds.append(worlds)
        self.whole = worlds[0].over
        before, game = self.totals, self.sheet.game
        if isinstance(game, OneDeal) and self.whole:
            taken = [[_brisques(self.sheet, world, s) for s in (0, 1)] for world in worlds]
            self.settled = settle(game, worlds[0].points, taken[0])
            self.totals = {
                tuple(settle(game, world.points, brisques).totals)
                for world, brisques in zip(worlds, taken, strict=True)
            }
            self.won = True
            return
        self.totals = {
            tuple(
                old + sum(world.points[seat] for seat in side)
                for old, side in zip(total, self.sides, strict=True)
            )
            for total in before
            for world in worlds
        }
        self.won = self.whole and any(self.decided(total) for total in self.totals)

    def decided(self, total: tuple[int, ...]) -> bool:
        best = max(total)
        seats = sum(map(len, self.sides))
        return best >= self.target(seats) and total.count(best) == 1

    def agrees(self, result: Result, total: tuple[int, ...]) -> bool:
        """Whether what the record says of the whole game is true if the deals came to this."""
        one_deal = isinstance(self.sheet.game, OneDeal)
        complete = self.whole and (self.settled is not None if one_deal else self.decided(total))
        winner = self.settled.winner if self.settled else total.index(max(total))
        receives = self.settled.receives if self.settled else None
        return (
            (not self.whole or result.scores in (None, list(total)))
            and (not complete or result.winner is UNSET or result.winner == winner)
            and (result.status is None or (result.status == "complete") == complete)
            and (result.settlement is None or (one_deal and receives in (None, result.settlement)))
        )


def _brisques(sheet: RuleSheet, world: Any, seat: int) -> int:
    return sheet.brisques.points * sum(
        card[0] in sheet.brisques.ranks for card in world.taken[seat]
    )


def points_of(worlds: Iterable[Any]) -> set[tuple[int, ...]]:
    """The points by seat that a deal may have come to."""
    return {tuple(world.points) for world in worlds}
