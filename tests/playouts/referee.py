"""Whether a record can be right at all: the slow referees, asked deal by deal, then the result."""

import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from msgspec import UNSET

from records.errors import RulesError
from records.events import AnyEvent, Declare, Irregular, Meld
from records.record import Deal, Record, Result
from records.rules.registry import resolve_rules
from records.rules.vocabulary import OneDeal, RaceTo, RuleSheet
from tests.playouts.laid_out import begin
from tests.playouts.piles import PileReferee
from tests.playouts.settling import Settled, settle
from tests.playouts.tricks import TrickReferee
from tests.playouts.world import Wrong


class Trail(NamedTuple):
    """A deal as judged: the worlds left before its first event, after it, after the second, and so on."""

    deal: Deal
    referee: Any
    worlds: list[list[Any]]


@dataclass
class Judgement:
    """Whether some reading of a record is right; if not, the deal and event that no reading survives."""

    right: bool = False
    deal: int | None = None
    event: int | None = None
    why: str = ""
    over: bool = False
    trails: list[Trail] = field(default_factory=list)

    @property
    def most_worlds(self) -> int:
        return max((len(worlds) for trail in self.trails for worlds in trail.worlds), default=1)

    def last(self, number: int) -> list[Any]:
        """The worlds that a deal ends with."""
        return self.trails[number].worlds[-1]


class TooManyWorldsError(Exception):
    """A record may be read in more ways than the referee was told to follow."""


def judge(
    record: Record, *, like: Judgement | None = None, most_worlds: float = math.inf
) -> Judgement:
    """Judge a record, every deal of which is given in full.

    `like` is the judgement of a record by the same rules; where its deals begin with the very same
    events, they are not judged again. Raises TooManyWorldsError if more than `most_worlds` are possible
    after an event.
    """
    rules, seats = record.rules, len(record.players)
    try:
        sheet = resolve_rules(rules).sheet
    except RulesError as error:
        return Judgement(why=str(error))
    if seats not in sheet.rules.players:
        return Judgement(why="players")
    game = _Game(sheet, record.sides or [[seat] for seat in range(seats)])
    found = Judgement(trails=[])
    known = like.trails if like else []
    for number, deal in enumerate(record.deals):
        due = number == 0 or deal.dealer == (record.deals[number - 1].dealer + 1) % seats
        found.deal, found.event = number, None
        if not due or game.won:
            found.why = "no such deal is due"
            return found
        trail = known[number] if number < len(known) else None
        if not _play_deal(game.referee(seats), deal, trail, found, most_worlds):
            return found
        if not found.last(number)[0].over and number < len(record.deals) - 1:
            found.event, found.why = len(deal.events), "cut short"
            return found
        game.add(found.last(number))
        known = known if trail and trail.deal is deal else []
    found.right = record.result is None or any(game.agrees(record.result, t) for t in game.totals)
    found.why = "" if found.right else f"the result; the deals come to {sorted(game.totals)}"
    found.deal = found.event = None
    found.over = game.whole
    return found


def _play_deal(
    referee: Any, deal: Deal, known: Trail | None, found: Judgement, most_worlds: float
) -> bool:
    """Play a deal in every world, or go on from where a known one parts; False if none survives."""
    same = known and _begins_like(deal, known.deal)
    if known and same is not None:
        referee, worlds = known.referee, known.worlds[: same + 1]
    else:
        try:
            worlds = [[begin(referee, deal)]]
        except Wrong as why:
            found.why = str(why)
            return False
    found.trails.append(Trail(deal, referee, worlds))
    for index in range(len(worlds) - 1, len(deal.events)):
        if is_withdrawal(deal.events, index):
            after = worlds[-2]
        else:
            after = _act(referee, worlds[-1], deal.events[index], found)
        if not after:
            found.event = index
            return False
        if len(after) > most_worlds:
            raise TooManyWorldsError
        worlds.append(
            list({world.key(): world for world in after}.values()) if after[1:] else after
        )
    if worlds[-1][0].over:
        worlds[-1] = [world for world in worlds[-1] if referee.at_the_end(world, deal)]
    found.event, found.why = len(deal.events), "the deal's numbers"
    return bool(worlds[-1])


def _act(referee: Any, worlds: list[Any], event: AnyEvent, found: Judgement) -> list[Any]:
    """What becomes of every world in which an event is lawful; the judgement has the last reason why it is not."""
    after = []
    for world in worlds:
        try:
            after += referee.act(world, event)
        except Wrong as why:
            found.why = str(why)
    return after


def is_withdrawal(events: list[AnyEvent], index: int) -> bool:
    """Whether an event takes back the meld just before it: then the worlds are again those before the meld."""
    event, before = events[index], events[index - 1] if index else None
    return (
        isinstance(event, Irregular)
        and event.what == "withdrawn_meld"
        and event.points is None
        and isinstance(before, Meld | Declare)
        and before.seat == event.seat
    )


def _begins_like(deal: Deal, known: Deal) -> int | None:
    """How many events two deals share from their beginning; None if they are dealt otherwise."""
    if (deal.dealer, deal.hands, deal.turn_up) != (known.dealer, known.hands, known.turn_up):
        return None
    shared = 0
    for mine, theirs in zip(deal.events, known.events, strict=False):
        if mine is not theirs:
            break
        shared += 1
    # Not the last step: it holds only the worlds in which the known deal's claims are true.
    return min(shared, max(0, len(known.events) - 1))


class _Game:
    """A match as it goes on: the totals that are possible, and whether it is won."""

    def __init__(self, sheet: RuleSheet, sides: list[list[int]]) -> None:
        self.sheet, self.sides = sheet, sides
        self.totals: set[tuple[int, ...]] = {tuple(0 for _ in sides)}
        self.settled: Settled | None = None
        self.won = False
        self.whole = True

    def referee(self, seats: int) -> Any:
        if self.sheet.rules.tableau is None:
            return TrickReferee(self.sheet, self.sides)
        total = next(iter(self.totals))
        needed = [self.target(seats) - points for points in total]
        return PileReferee(self.sheet, seats, self.sides, needed)

    def target(self, seats: int) -> int:
        game = self.sheet.rules.match
        if not isinstance(game, RaceTo):
            return 0
        return game.target[seats]

    def add(self, worlds: list[Any]) -> None:
        """Count a deal, in every world that is left of it."""
        self.whole = worlds[0].over
        before, game = self.totals, self.sheet.rules.match
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
        one_deal = isinstance(self.sheet.rules.match, OneDeal)
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
    return sheet.rules.brisques.points * sum(
        card[0] in sheet.rules.brisques.ranks for card in world.taken[seat]
    )
