"""The story of a match: one curve, three moments on it, and the costliest choices, from what is stored alone."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby

from analyzer.players.expectancy import WinChance
from analyzer.players.match_course import (
    NO_CHANCES,
    CourseChances,
    CourseScore,
    MatchCourse,
    chances_through,
    read_course,
)
from analyzer.players.winning_model import ChanceModels, match_terms
from analyzer.review.deep_review import DEFAULT_LEAST, GameReview
from analyzer.review.review_sums import find_match_turns, list_costly_choices
from analyzer.store.store import Store
from records.event_words import describe_event
from records.phrases import pluralize
from webui.display.words import value_words
from webui.replay.match_curve import (
    LETTERS,
    MarkedPlace,
    MatchCurve,
    draw_chances,
    draw_scores,
)
from webui.replay.weighed_deals import CostlyLine, costly_lines, decision_line, grade_review
from webui.server.game_cache import CachedGame

MOMENTS_SHOWN = len(LETTERS)
FEWEST_POINTS = 20
"""Smaller scores turn nothing, unless they took the lead for good."""
COUNTED_SOURCES = ("brisques", "ruling")
"""Points that are counted at the end, not made at a moment of play."""
MOST_PRINTED = 60
"""So many of the costliest choices of a review are printed with a game."""


@dataclass(frozen=True, slots=True)
class StoryMoment:
    """A moment of a match: its `letter` on the curve, its deal, from 1, the step that shows it, and its side.

    `kind` says what it is, in a word or two; `says` and `more` tell it. A choice that cost much has a `grade`, and is seen
    from the seat `near`.
    """

    letter: str
    deal: int
    step: int
    kind: str
    says: str
    more: str
    grade: str = ""
    near: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStory:
    """The story of a match; `why_score` says why its curve is one of the score, empty if it is one of the chance.

    `chances` are those through the match, `after` the last of each deal, by its index. `printed` are the choices that cost
    most, of which `unprinted` more are in the review. `may_know_more` says that nobody has looked for mistakes yet, `goes_on` that
    they are being looked for. The
    `preview_moment` is the deal, from 1, and the step whose picture stands beside links to the game.
    """

    curve: MatchCurve | None
    why_score: str
    chances: CourseChances
    after: Mapping[int, WinChance]
    moments: Sequence[StoryMoment]
    printed: Sequence[CostlyLine]
    unprinted: int
    may_know_more: bool
    goes_on: bool = False
    preview_moment: tuple[int, int] = (1, 0)


NO_STORY = GameStory(
    curve=None, why_score="", chances=NO_CHANCES, after={}, moments=(), printed=(), unprinted=0, may_know_more=False
)  # fmt: skip


def tell_story(
    store: Store,
    models: ChanceModels,
    game: CachedGame,
    sides: Sequence[str],
    totals: Mapping[int, Sequence[int]],
    review: GameReview | None,
) -> GameStory:
    """The story of a match that breaks no rule; `totals` are the points of all deals up to each, as far as they are known.

    The `review` is one that is there already: nothing is looked for. Raises QueryTimeout.
    """
    course, record = read_course(store, game.digest), game.record
    graded = grade_review(review, DEFAULT_LEAST) if review else None
    found = _find_moments(game, course, graded)
    ordered = sorted(found, key=lambda each: (each[0].deal, each[0].event))
    marked = [place for place, _ in ordered]
    why_score = _why_no_chance(game, models)
    chances = NO_CHANCES
    if not why_score:
        before = {0: [0] * len(sides)} | {deal + 1: points for deal, points in totals.items()}
        chances = chances_through(models, game.stored, record, game.resolved, course, before)
    curve = draw_chances(record, sides, chances.chances, marked)
    costly = list_costly_choices(graded, DEFAULT_LEAST) if graded else []
    return GameStory(
        curve=curve or draw_scores(record, sides, course.scores, totals, marked),
        why_score=why_score or ("" if curve else TOO_LITTLE_TEXT),
        chances=chances,
        after=_chances_after(chances),
        moments=[
            replace(moment, letter=letter)
            for letter, (_, moment) in zip(LETTERS, ordered, strict=False)
        ],
        printed=costly_lines(costly[:MOST_PRINTED], game.stored.names, DEFAULT_LEAST),
        unprinted=max(0, len(costly) - MOST_PRINTED),
        may_know_more=not game.why_not_reviewed and review is None,
        preview_moment=(found[0][1].deal, found[0][1].step) if found else (1, 0),
    )


TOO_LITTLE_TEXT = "The record shows too little for a chance of winning."


def _why_no_chance(game: CachedGame, models: ChanceModels) -> str:
    if len(game.record.players) != 2:
        return "A chance of winning is known for two players only."
    if match_terms(game.resolved).target is None and len(game.record.deals) > 1:
        return "Each deal is a match of its own, so there is no one chance of winning."
    model = models.model(game.resolved)
    if not (model.matches or model.simulated):
        return "Too few matches by this rulebook are stored to tell a chance of winning."
    return ""


def _chances_after(chances: CourseChances) -> Mapping[int, WinChance]:
    """The chance after each deal: the one before the next, or that at the end of the match."""
    after = {each.deal - 1: each.chance for each in chances.chances if each.step == 0 and each.deal}
    last = chances.chances[-1] if chances.chances else None
    return {**after, last.deal: last.chance} if last and last.step else after


# The moments: the choices that changed the chance of winning most, and beside them the largest scores.

_Moment = tuple[MarkedPlace, StoryMoment]


def _find_moments(
    game: CachedGame, course: MatchCourse, review: GameReview | None
) -> list[_Moment]:
    """At most `MOMENTS_SHOWN` moments: exact mistakes come before others, and scores last."""
    places: dict[tuple[int, int], _Moment] = {}
    for place, moment in chain(_turns(review) if review else (), _largest_scores(game, course)):
        places.setdefault((place.deal, place.event), (place, moment))
        if len(places) == MOMENTS_SHOWN:
            break
    return [*places.values()]


def _turns(review: GameReview) -> Iterator[_Moment]:
    """The turning points as the review has them, exact ones first."""
    turns = find_match_turns(review, DEFAULT_LEAST)
    for deal, decision in sorted(turns, key=lambda turn: not turn[1].certain):
        line = decision_line(deal, decision, review.names, DEFAULT_LEAST)
        moment = StoryMoment(
            "", line.deal, line.step, line.grade, line.says, line.why, line.grade, line.seat
        )
        yield MarkedPlace(deal, decision.event, decision.seat), moment


@dataclass(frozen=True, slots=True)
class _Scoring:
    """What one event scored in play, 0 if nothing, by which side, and the scores of the match after it."""

    deal: int
    event: int
    side: int
    points: int
    scores: list[int]


def _largest_scores(game: CachedGame, course: MatchCourse) -> Iterator[_Moment]:
    """The score with which the winner took the lead for good, and the largest scores."""
    scorings = list(_scorings(course.scores, len(game.stored.scores)))
    decisive = _last_change_of_lead(scorings, game.stored.winner)
    moments = [each for each in scorings if each is decisive or each.points >= FEWEST_POINTS]
    deals, names = game.record.deals, game.stored.names
    for each in sorted(moments, key=lambda each: (each is not decisive, -each.points)):
        is_decisive = each is decisive
        moment = StoryMoment(
            letter="",
            deal=each.deal + 1,
            step=each.event + 1,
            kind="the lead for good" if is_decisive else "large score",
            says=describe_event(deals[each.deal].events[each.event], names, labels=False),
            more=f"{pluralize(each.points, 'point')}"
            f"{', and the lead for good' if is_decisive else ''}: {value_words(each.scores)}",
        )
        yield MarkedPlace(each.deal, each.event, each.side), moment


def _scorings(scores: Sequence[CourseScore], sides: int) -> Iterator[_Scoring]:
    """What was scored at each event of a match, in order; the deal itself scores at its first event."""
    totals = [0] * sides
    for (deal, event), scored in groupby(scores, key=lambda each: (each.deal, max(each.event, 0))):
        in_play, by = 0, 0
        for each in scored:
            totals[each.side] += each.points
            if each.source not in COUNTED_SOURCES:
                in_play, by = in_play + each.points, each.side
        yield _Scoring(deal, event, by, in_play, [*totals])


def _last_change_of_lead(scorings: Sequence[_Scoring], winner: int | None) -> _Scoring | None:
    """The scoring from which on the winner led all others; None if no event of play did it."""
    first = None
    for scoring in scorings:
        others = [points for side, points in enumerate(scoring.scores) if side != winner]
        if winner is None or scoring.scores[winner] <= max(others, default=0):
            first = None
        elif first is None:
            first = scoring
    return first if first is not None and first.points else None
