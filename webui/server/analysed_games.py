"""What readers ask for that takes seconds: analysed games, and positions to try again."""

import hashlib
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import NamedTuple

import msgspec

from analyzer.identify.habits import HabitCorrection
from analyzer.review.deep_review import (
    MISTAKES,
    GameReview,
    ReviewedDecision,
    grade_decision,
    is_played,
)
from analyzer.review.reviewer import review_exactly, review_record
from analyzer.review.stored import EXACT_TERMS
from analyzer.store.processes import ProcessPool
from analyzer.store.store import Store
from analyzer.store.weighed_cache import WeighedAnswers
from records.format import codec
from records.record import Record
from records.validate.finding import Finding
from webui.replay.what_if import TriedLine, search_line, write_line
from webui.server.game_cache import find_mended_habits

# Analysed games: kept while they are looked at, since no database has what takes seconds.

MOST_ANALYSES_KEPT, MOST_BYTES_OF_ANALYSES = 64, 32 * 1024 * 1024
"""How many reviews stay in memory, and how many bytes they take at most: that of a long match takes a megabyte.
As many lists of corrections do."""
ANALYSIS_MEMORY = 4
"""How many bytes of memory any of these takes at most for each byte of its JSON."""


class AnalysedGames:
    """Reviews and suggested corrections of games in no collection, and searched lines of any, by what their records say."""

    def __init__(self, processes: ProcessPool) -> None:
        self.processes = processes
        room = {"most_answers": MOST_ANALYSES_KEPT, "most_bytes": MOST_BYTES_OF_ANALYSES}
        self._reviews: WeighedAnswers[GameReview] = WeighedAnswers(_memory_of, **room)
        self._corrections: WeighedAnswers[list[HabitCorrection]] = WeighedAnswers(
            _memory_of, **room
        )
        self._exact: WeighedAnswers[GameReview] = WeighedAnswers(_memory_of, **room)
        self._lines: WeighedAnswers[TriedLine] = WeighedAnswers(_memory_of, **room)

    def known_review(self, record: Record) -> GameReview | None:
        """The review of a game, if it was made not long ago."""
        return self._reviews.known(_content_key(record))

    def review(self, record: Record) -> GameReview:
        """What is exact in a game, from memory or made now, in a process on call: that takes up to some seconds."""
        key = _content_key(record)
        known = self._reviews.known(key)
        if known is not None:
            return known
        return self._reviews.keep(
            self.processes.call(review_record, record, terms=EXACT_TERMS), key
        )

    def known_exact_review(self, digest: str) -> GameReview | None:
        """The choices in the last deals of a stored game that have exact values, if they were found not long ago."""
        return self._exact.known(digest)

    def exact_review(self, digest: str, record: Record) -> GameReview:
        """The same, from memory or found now, in a process on call."""
        known = self.known_exact_review(digest)
        if known is not None:
            return known
        return self._exact.keep(self.processes.call(review_exactly, record), digest)

    def corrections(self, record: Record, findings: Sequence[Finding]) -> list[HabitCorrection]:
        """What would mend the habits among all findings on a game, from memory or searched for now."""
        key = _content_key(record)
        known = self._corrections.known(key)
        if known is not None:
            return known
        mended = find_mended_habits(self.processes, record, findings)
        return self._corrections.keep(mended.corrections, key)

    def known_line(self, record: Record, number: int, tried: TriedLine) -> TriedLine | None:
        """A line of the deal with this index as the longer search found it, if a reader has asked for that."""
        return self._lines.known(*_line_key(record, number, tried))

    def search_line(self, record: Record, number: int, tried: TriedLine) -> None:
        """Search longer for the values of a line, in a process on call: that takes up to some seconds."""
        if self.known_line(record, number, tried) is None:
            found = self.processes.call(search_line, record, number, tried.start, tried.line)
            self._lines.keep(found, *_line_key(record, number, tried))


def _line_key(record: Record, number: int, tried: TriedLine) -> tuple[str, int, int, str]:
    return _content_key(record), number, tried.start, write_line(tried.line)


def _memory_of(analysis: GameReview | list[HabitCorrection] | TriedLine) -> int:
    return ANALYSIS_MEMORY * len(msgspec.json.encode(analysis))


def _content_key(record: Record) -> str:
    """What tells one record from another, names and all: they are in a review."""
    return hashlib.sha256(codec.encode(record)).hexdigest()


# The positions of a drill: where mistakes were made, in one game or in all games of a player. Exact mistakes come first,
# then those that are only probable; among either the costliest first, and of equal ones those of the game stored last.

MOST_POSITIONS = 200
"""The most positions of a player's drill from weighed games."""
SELECT_MISTAKES = """
    SELECT games.digest, decisions.deal, decisions.event, decisions.kind <> 'play' AS melding,
        decisions.certain, decisions.lost, games.stored_at
    FROM decisions JOIN seats USING (game, deal, seat) JOIN games USING (game)
    WHERE seats.player = $player AND decisions.lost >= $least
      AND decisions.grade IN ('inaccuracy', 'mistake', 'blunder')
    ORDER BY decisions.certain DESC, decisions.lost DESC, games.stored_at DESC, games.game, decisions.deal,
        decisions.event, melding DESC
    LIMIT $most
"""

MOST_EXACT_GAMES = 30
"""Of so many games of a player, those stored last, the exact mistakes are looked for."""
MOST_NEW_EXACT_GAMES = 2
"""So many of them are looked at anew each time a player's drill is begun."""
SELECT_NOT_WEIGHED = """
    SELECT games.digest, any_value(seats.seat), games.stored_at
    FROM seats JOIN games USING (game)
    ANTI JOIN (SELECT digest FROM game_reviews WHERE stage = 'weighed') USING (digest)
    WHERE seats.player = $player
    GROUP BY games.digest, games.stored_at
    ORDER BY games.stored_at DESC, games.digest
    LIMIT $most
"""


MOST_DAILY_GAMES = 4
"""Of so many games a day's position is looked for."""
SELECT_DAILY = """
    SELECT digest, stored_at
    FROM games
    WHERE verdict = 'legal' AND status = 'complete' AND players = 2
    ORDER BY stored_at >= $day, md5(concat($day, digest))
    LIMIT $most
"""
"""Games stored before the day come first: what is stored on the day changes nothing, unless there is nothing else."""


class DrillPosition(NamedTuple):
    """A decision of a stored game: its deal and its event, both from 0; `melding` if it was not about a card to play."""

    digest: str
    deal: int
    event: int
    melding: bool


class DrillMistake(NamedTuple):
    """A mistake to try again: whether its loss is exact, the points it lost, and when its game was stored."""

    position: DrillPosition
    is_exact: bool
    lost: float
    stored_at: datetime


class SeatOfGame(NamedTuple):
    """A player's seat in a game, and when the game was stored."""

    digest: str
    seat: int
    stored_at: datetime


def in_drill_order(mistakes: Iterable[DrillMistake]) -> list[DrillPosition]:
    """The positions of mistakes: exact ones first, then the costliest, then those of the game stored last."""
    ordered = sorted(mistakes, key=lambda each: each.stored_at, reverse=True)
    ordered.sort(key=lambda each: (not each.is_exact, -each.lost))
    return [each.position for each in ordered]


def list_games_not_weighed(store: Store, name: str) -> list[SeatOfGame]:
    """The games of a player whose choices were not weighed, those stored last first."""
    values = {"player": name, "most": MOST_EXACT_GAMES}
    return [SeatOfGame(*row) for row in store.rows(SELECT_NOT_WEIGHED, values).rows]


def list_daily_games(store: Store, day: date) -> list[tuple[str, datetime]]:
    """The games among which the position of a day is looked for: drawn by lot from the day, with the times of storing."""
    values = {"day": day, "most": MOST_DAILY_GAMES}
    return [(digest, stored_at) for digest, stored_at in store.answer(SELECT_DAILY, values).rows]


def list_weighed_mistakes(store: Store, name: str, least: float) -> list[DrillMistake]:
    """Where a player surely lost so many points, in games whose choices were weighed."""
    values = {"player": name, "least": least, "most": MOST_POSITIONS}
    return [
        DrillMistake(DrillPosition(digest, deal, event, melding), is_exact, lost, stored_at)
        for digest, deal, event, melding, is_exact, lost, stored_at in store.rows(
            SELECT_MISTAKES, values
        ).rows
    ]


def list_mistakes(
    review: GameReview, least: float, stored_at: datetime, seat: int | None = None
) -> list[DrillMistake]:
    """Where a seat, or either, surely lost so many points, in the order of play."""
    return [
        DrillMistake(
            DrillPosition(review.digest, deal.deal, decision.event, is_melding(decision)),
            decision.certain,
            decision.lost,
            stored_at,
        )
        for deal in review.deals
        for decision in deal.decisions
        if grade_decision(decision, least) in MISTAKES and seat in (None, decision.seat)
    ]


def find_decision(review: GameReview, position: DrillPosition) -> ReviewedDecision | None:
    """The decision at a position, if it was weighed and there was a choice."""
    for deal in review.deals:
        if deal.deal == position.deal:
            for decision in deal.decisions:
                is_there = decision.event == position.event
                if is_there and is_melding(decision) == position.melding:
                    return decision if len(decision.choices) > 1 else None
    return None


def is_melding(decision: ReviewedDecision) -> bool:
    """Whether a decision was about something else than a card to play."""
    return not is_played(decision)
