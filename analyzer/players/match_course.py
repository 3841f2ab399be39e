"""The course of a stored match: what was scored, who took each trick, and the chance of winning all through it.

It is read from the tables alone; nothing is replayed.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple, TypeVar

from analyzer.ingest.batch import game_key
from analyzer.players.expectancy import DealPoints, DealReader, DealtMatch, WinChance
from analyzer.players.winning_model import ChanceModels, match_terms
from analyzer.store.store import Store, StoredGame
from records.events import Play
from records.record import Record
from records.rules.registry import ResolvedSheet

SELECT_COURSE = """
    SELECT deal, event, side, points, source FROM scores WHERE game = $game
    UNION ALL
    SELECT deal, event, winner, brisques, NULL FROM tricks WHERE game = $game
"""
SELECT_DEAL_SCORES = """
    SELECT game, list(scores ORDER BY deal) FROM deals WHERE game IN (SELECT unnest($games)) GROUP BY game
"""
MOST_DEALS_BY_TRICK = 40
"""Of a longer match only the chances before each deal are looked at."""


class CourseScore(NamedTuple):
    """Points scored by a side at an event; both are numbered from 0, and the deal itself is the event -1."""

    deal: int
    event: int
    side: int
    points: int
    source: str


class CourseTrick(NamedTuple):
    """A trick: the event that completed it, the seat that took it, and its aces and tens."""

    deal: int
    event: int
    winner: int
    brisques: int


class MatchCourse(NamedTuple):
    """What was scored and taken in a match, in the order of play."""

    scores: Sequence[CourseScore]
    tricks: Sequence[CourseTrick]


class CourseChance(NamedTuple):
    """The first side's chance after a step of a deal; the deal counts from 0."""

    deal: int
    step: int
    chance: WinChance


class CourseChances(NamedTuple):
    """The chances through a match, from so many stored and so many simulated matches; `chances` may be empty."""

    matches: int
    simulated: int
    chances: Sequence[CourseChance]


NO_CHANCES = CourseChances(0, 0, ())


def read_course(store: Store, digest: str) -> MatchCourse:
    """The course of a match, empty where another record stands for it; raises QueryTimeout."""
    rows = sorted(
        store.rows(SELECT_COURSE, {"game": game_key(digest)}).rows, key=lambda row: row[:2]
    )
    return MatchCourse(
        [CourseScore(*row) for row in rows if row[4] is not None],
        [CourseTrick(*row[:4]) for row in rows if row[4] is None],
    )


def read_leads(store: Store, digests: Sequence[str]) -> dict[str, list[int]]:
    """The first side's lead in matches between two sides after each of their deals, by digest; raises QueryTimeout.

    A lead ends with the first deal whose points are open. A match of one deal has no such course, nor one where nobody
    ever led.
    """
    keys = {game_key(digest): digest for digest in digests}
    rows = store.rows(SELECT_DEAL_SCORES, {"games": [*keys]}).rows if keys else []
    leads = {keys[game]: list(_leads(scores)) for game, scores in rows}
    return {digest: lead for digest, lead in leads.items() if len(lead) > 1 and any(lead)}


def _leads(scores: Sequence[Sequence[int | None]]) -> Iterator[int]:
    lead = 0
    for deal in scores:
        if len(deal) != 2 or deal[0] is None or deal[1] is None:
            return
        lead += deal[0] - deal[1]
        yield lead


def chances_through(
    models: ChanceModels,
    game: StoredGame,
    record: Record,
    resolved: ResolvedSheet,
    course: MatchCourse,
    before: Mapping[int, Sequence[int]],
) -> CourseChances:
    """The first side's chances before each deal, after each trick, and at the end of a match; `before` has the points before a deal.

    They are those of `match_expectancy`; of a record for which another one stands, only those between deals are known. A match for more than two has none, nor has a record of several deals each of
    which is a match. Raises QueryTimeout.
    """
    is_one_match = match_terms(resolved).target is not None or len(record.deals) == 1
    if len(record.players) != 2 or not is_one_match or not before:
        return NO_CHANCES
    model = models.model(resolved)
    key = game_key(game.match or game.digest)
    weights = model.without(key)
    scores, tricks = _by_deal(course.scores), _by_deal(course.tricks)
    found: list[CourseChance] = []
    for number in range(len(record.deals)):
        if number not in before:
            break
        reader = DealReader(_deal_start(key, game, record, number, before), model, weights)
        in_deal = MatchCourse(scores.get(number, []), tricks.get(number, []))
        found += _chances_in_deal(reader, record, number, in_deal, is_over=number + 1 in before)
    return CourseChances(model.matches, model.simulated, found)


Happened = TypeVar("Happened", CourseScore, CourseTrick)


def _by_deal(course: Sequence[Happened]) -> dict[int, list[Happened]]:
    found: dict[int, list[Happened]] = {}
    for each in course:
        found.setdefault(each.deal, []).append(each)
    return found


def _deal_start(
    key: int,
    game: StoredGame,
    record: Record,
    number: int,
    before: Mapping[int, Sequence[int]],
) -> DealtMatch:
    dealer = record.deals[number].dealer
    won = 0.5 if game.winner is None else float(game.winner == dealer)
    is_last = game.complete and number == len(record.deals) - 1
    own, other = before[number][dealer], before[number][1 - dealer]
    return DealtMatch(
        key, game.sheet, game.edition, "", dealer, dealer, own, other, won, is_last
    )  # fmt: skip


def _chances_in_deal(
    reader: DealReader, record: Record, number: int, course: MatchCourse, *, is_over: bool
) -> Iterator[CourseChance]:
    """The chances in one deal: what is scored before the next card is played belongs to the trick before it."""
    events = record.deals[number].events
    scores, tricks = course
    is_by_trick = len(record.deals) <= MOST_DEALS_BY_TRICK
    plays = [place for place, event in enumerate(events) if isinstance(event, Play)]
    sign = [1 if each.winner == reader.dealt.seat else -1 for each in tricks]
    ahead = [0, *accumulate(s * t.brisques for s, t in zip(sign, tricks, strict=True))]
    ends = [-1, *(each.event for each in tricks)]
    shown = len(ends) - 1 if tricks and is_over else len(ends)
    for trick in range(shown if is_by_trick else 1):
        following = bisect_left(plays, ends[trick] + 1)
        until = plays[following] if following < len(plays) else len(events) if plays else 0
        yield CourseChance(
            number,
            ends[trick] + 1,
            reader.chance(ends[trick] + 1, trick, ahead[trick], _points(scores, until)),
        )
    if is_over and number == len(record.deals) - 1:
        end = _points(scores, len(events))._replace(over=True)
        yield CourseChance(
            number, len(events), reader.chance(len(events), len(tricks), ahead[-1], end)
        )


def _points(scores: Sequence[CourseScore], until: int) -> DealPoints:
    """The points of both sides before an event of the deal."""
    points = [0, 0]
    for each in scores:
        if each.event < until:
            points[each.side] += each.points
    return DealPoints(points[0], points[1])
