"""A player's mistakes in all games, from stored reviews alone: nothing is looked for, and the costliest come first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from analyzer.review.deep_review import GameReview
from analyzer.review.review_words import call_players, points_with_error
from analyzer.review.stored import unpack_review
from analyzer.store.store import Store, by_clock_of_place
from webui.replay.weighed_deals import CostlyLine, decision_line
from webui.server.analysed_games import (
    DrillMistake,
    DrillPosition,
    find_decision,
    list_mistakes,
)

MOST_EXACT_REVIEWS = 300
"""So many reviews are read of games whose choices were not weighed: those of the games stored last."""
MOST_WEIGHED = 1000
"""The most mistakes that are listed of weighed games."""
PLAYED = """
    played AS (
        SELECT games.digest, any_value(seats.seat) AS seat, any_value(games.stored_at) AS stored_at
        FROM seats JOIN games USING (game)
        WHERE seats.player = $player AND games.players = 2 AND ($sheet IS NULL OR games.sheet = $sheet)
        GROUP BY games.digest
    )
"""
COUNT_REVIEWED = f"""
    WITH {PLAYED}
    SELECT count(*), count(made.digest), count(*) FILTER (made.stage <> 'weighed')
    FROM played LEFT JOIN game_reviews AS made USING (digest)
"""
SELECT_NOT_REVIEWED = f"""
    WITH {PLAYED}
    SELECT digest FROM played ANTI JOIN game_reviews USING (digest) ORDER BY stored_at DESC, digest LIMIT $most
"""
SELECT_EXACT = f"""
    WITH {PLAYED}
    SELECT played.seat, played.stored_at, made.data
    FROM played JOIN game_reviews AS made USING (digest)
    WHERE made.stage <> 'weighed'
    ORDER BY played.stored_at DESC, played.digest
    LIMIT $most
"""
SELECT_WEIGHED = """
    SELECT games.digest, decisions.deal, decisions.event, decisions.kind <> 'play', decisions.certain, decisions.lost,
        games.stored_at, count(*) OVER ()
    FROM decisions JOIN seats USING (game, deal, seat) JOIN games USING (game)
    WHERE seats.player = $player AND ($sheet IS NULL OR games.sheet = $sheet) AND decisions.lost >= $least
      AND decisions.grade IN ('mistake', 'blunder')
    ORDER BY decisions.lost DESC, games.stored_at DESC, games.game, decisions.deal, decisions.event
    LIMIT $most
"""
SELECT_GAMES = """
    SELECT games.digest, games.names, games.sheet, games.started, games.utc_offset, made.data
    FROM games JOIN game_reviews AS made USING (digest)
    WHERE list_contains($digests, games.digest)
"""


@dataclass(frozen=True, slots=True)
class PlayerMistakes:
    """Where a player lost points: of `games` for two so many are `reviewed`, and the costliest of the `mistakes` come first.

    So many reviews are `unread`, which have no choice weighed, and so many mistakes that cost less are `unlisted`.
    """

    games: int
    reviewed: int
    unread: int
    mistakes: Sequence[DrillMistake]
    unlisted: int


@dataclass(frozen=True, slots=True)
class DescribedMistake:
    """A mistake in words, with its game: its sheet, the other player, and when it began by the clock of the place.

    What was `lost` is in points, with its standard error before the close: `23 ± 6`.
    """

    digest: str
    sheet: str
    against: str
    started: datetime | None
    line: CostlyLine
    lost: str


def find_player_mistakes(
    store: Store, name: str, sheet: str | None, least: float
) -> PlayerMistakes:
    """The mistakes of a player by a limit of `least` points, by one sheet or all; raises QueryTimeout."""
    chosen = {"player": name, "sheet": sheet}
    ((games, reviewed, exact),) = store.rows(COUNT_REVIEWED, chosen).rows
    limits = {"least": least, "most": MOST_WEIGHED}
    weighed = store.rows(SELECT_WEIGHED, {**chosen, **limits}).rows
    found = [
        *(
            DrillMistake(DrillPosition(digest, deal, event, melding), is_exact, lost, at)
            for digest, deal, event, melding, is_exact, lost, at, _ in weighed
        ),
        *_exact(store, chosen, least),
    ]
    found.sort(key=lambda each: (-each.lost, -each.stored_at.timestamp(), each.position))
    unlisted = weighed[0][-1] - len(weighed) if weighed else 0
    return PlayerMistakes(games, reviewed, max(0, exact - MOST_EXACT_REVIEWS), found, unlisted)


def _exact(store: Store, chosen: dict[str, str | None], least: float) -> Iterator[DrillMistake]:
    values = {**chosen, "most": MOST_EXACT_REVIEWS}
    for seat, stored_at, data in store.rows(SELECT_EXACT, values).rows:
        review = unpack_review(data)
        if review is not None:
            yield from list_mistakes(review, least, stored_at, seat)


def list_games_not_reviewed(store: Store, name: str, sheet: str | None, most: int) -> list[str]:
    """The digests of a player's games for two that have no review, those stored last first; some may not have any."""
    values = {"player": name, "sheet": sheet, "most": most}
    return [digest for (digest,) in store.rows(SELECT_NOT_REVIEWED, values).rows]


def describe_mistakes(
    store: Store, mistakes: Sequence[DrillMistake], least: float
) -> list[DescribedMistake]:
    """Mistakes in words, in their order; one whose review has gone meanwhile is left out."""
    digests = list({each.position.digest for each in mistakes})
    games = {row[0]: row for row in store.rows(SELECT_GAMES, {"digests": digests}).rows}
    reviews = {digest: _renamed(data, names) for digest, names, *_, data in games.values()}
    told = []
    for each in mistakes:
        position, review = each.position, reviews.get(each.position.digest)
        decision = find_decision(review, position) if review else None
        if review is None or decision is None:
            continue
        digest, names, sheet, started, utc_offset, _ = games[position.digest]
        told.append(
            DescribedMistake(
                digest=digest,
                sheet=sheet,
                against=names[1 - decision.seat],
                started=by_clock_of_place(started, utc_offset),
                line=decision_line(position.deal, decision, review.names, least),
                lost=points_with_error(decision.lost, decision.error).removeprefix("+"),
            )
        )
    return told


def _renamed(data: bytes, names: Sequence[str]) -> GameReview | None:
    review = unpack_review(data)
    return call_players(review, names) if review else None
