"""Positions as a seat saw them: to try again, and one a day; what the choices were worth is told later."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from flask import abort, request, url_for

from analyzer.review.deep_review import DEFAULT_LEAST, GameReview, ReviewedDecision
from analyzer.review.stored import load_review
from webui.replay.drills import (
    DrillAnswer,
    OfferedChoice,
    answer_choice,
    choice_key,
    offered_choices,
)
from webui.replay.steps import DealSteps, ReplayStep, Visibility
from webui.server.actions import Action
from webui.server.analysed_games import (
    MOST_NEW_EXACT_GAMES,
    DrillMistake,
    DrillPosition,
    find_decision,
    in_drill_order,
    list_daily_games,
    list_games_not_weighed,
    list_mistakes,
    list_weighed_mistakes,
)
from webui.server.game_cache import OpenedGame
from webui.server.page import Page, Views
from webui.server.request_kinds import REPLAYS
from webui.views import analysed_games, game_cache, store
from webui.views.deals import WRONG_STEP_TEXT, TablePage, requested_least_loss, requested_number
from webui.views.games import read_date
from webui.views.players import requested_name

WRONG_DEAL_TEXT = "A deal is a number; 1 is the first."
NOT_WEIGHED_TEXT = "No weighed decision is at this step."
NO_SUCH_CHOICE_TEXT = "There is no such choice at this step."
KEY_LETTERS = 12
"""So many letters of a digest tell the games on a reader's device apart."""
blueprint = Views("drills", __name__)


@dataclass(frozen=True, slots=True)
class Drill:
    """The positions of a drill in their order; `subject` is what its addresses need besides the position."""

    endpoint: str
    subject: dict[str, str]
    positions: Sequence[DrillPosition]

    def address(self, position: DrillPosition, choice: str | None = None) -> str:
        """The address of a position, or of what comes of a choice there."""
        values: dict[str, Any] = {
            **self.subject,
            "game": None if "digest" in self.subject else position.digest,
            "deal": position.deal + 1,
            "step": position.event,
            "melding": 1 if position.melding else None,
            "least": requested_least_loss(),
        }
        return url_for(self.endpoint, **values, choice=choice)

    def after(self, position: DrillPosition) -> DrillPosition | None:
        """The position that comes next; after the last the first again, and None where there is no other."""
        if position in self.positions:
            number = self.positions.index(position) + 1
            following = self.positions[number % len(self.positions)]
            return None if following == position else following
        later = (each for each in self.positions if each[1:] > position[1:])
        return next(later, next(iter(self.positions), None))


@dataclass(frozen=True, slots=True)
class OfferedLink:
    """A choice on offer, and the address that makes it."""

    choice: OfferedChoice
    address: str


@dataclass(frozen=True, slots=True)
class DrillQuestion:
    """A position as its seat saw it, with what it could do.

    `key` names it on the reader's device, which goes back by its `address` to what was missed. The `table` holds nothing that the seat could not see. `number` is its place in the drill, from 1, None if it is
    there for another reason.
    """

    key: str
    address: str
    table: TablePage
    seat: int
    is_melding: bool
    offers: Sequence[OfferedLink]
    number: int | None

    @property
    def deal(self) -> DealSteps:
        """The deal as far as the seat had seen it."""
        return self.table.deal

    @property
    def step(self) -> ReplayStep:
        """The position."""
        return self.table.deal.steps[self.table.step_number]

    @property
    def name(self) -> str:
        """The player who decides."""
        return self.table.deal.names[self.seat]

    @property
    def data(self) -> dict[str, object]:
        """The position and its choices, for programs."""
        return {
            "key": self.key,
            "number": self.number,
            "deal": self.deal.deal + 1,
            "step": self.table.step_number,
            "names": self.deal.names,
            "seat": self.seat,
            "sheet": self.deal.sheet,
            "position": self.step,
            "choices": [offer.choice for offer in self.offers],
        }


class DrillPage(Page):
    """A position to try again, of a game or of all weighed games of a player.

    `whose` is the player of a player's drill, `digest` the game of a game's. There is a `question` unless there is
    nothing to try, and an `answer` once a choice was made. Of `total` positions `next_address` leads to the next one.
    """

    template = "drills/drill.html"
    whose: str
    digest: str
    question: DrillQuestion | None
    answer: DrillAnswer | None
    again_address: str
    next_address: str
    total: int
    least: int
    least_loss: int | None

    @property
    def data(self) -> object:
        """The same as JSON: the position and its choices, and the values once one is chosen."""
        question = self.question
        return {
            "total": self.total,
            "next": self.next_address or None,
            "question": question and question.data,
            "answer": self.answer,
        }


@blueprint.page("/games/<digest>/drill", Action.READ, REPLAYS)
def game(digest: str) -> DrillPage:
    """The mistakes of a game, to try again; or any other decision of it whose choices have values."""
    return _drill_page(*_game_drill(digest))


@blueprint.page("/player/drill", Action.READ, REPLAYS, about_query=True)
def player() -> DrillPage:
    """A player's mistakes to try again: the exact ones first, then those of weighed games, the costliest first."""
    return _drill_page(*_player_drill())


def _game_drill(digest: str) -> tuple[Drill, DrillPosition | None]:
    """The drill of a game, and the position that the address names."""
    game = game_cache().game(digest)
    mistakes = list_mistakes(_review_of(game.digest), _least(), game.stored.stored_at)
    drill = Drill("drills.game", {"digest": game.digest}, in_drill_order(mistakes))
    return drill, _requested_position(game.digest)


def _player_drill() -> tuple[Drill, DrillPosition | None]:
    """The drill of a player, and the position that the address names."""
    name = requested_name()
    if not name:
        abort(404, "There is no player without a name.")
    digest = request.args.get("game", "")
    position = _requested_position(game_cache().game(digest).digest) if digest else None
    mistakes = [
        *_exact_mistakes(name, 0 if position else MOST_NEW_EXACT_GAMES),
        *list_weighed_mistakes(store(), name, _least()),
    ]
    return Drill("drills.player", {"name": name}, in_drill_order(mistakes)), position


def _exact_mistakes(name: str, most_new: int) -> Iterator[DrillMistake]:
    """A player's mistakes in games not weighed; at most so many are looked at that nobody has looked at lately."""
    for played in list_games_not_weighed(store(), name):
        review = analysed_games().known_exact_review(played.digest)
        if review is None and most_new:
            most_new -= 1
            review = _review_of(played.digest)
        if review is not None:
            yield from list_mistakes(review, _least(), played.stored_at, played.seat)


def _least() -> int:
    return requested_least_loss() or DEFAULT_LEAST


def _requested_position(digest: str) -> DrillPosition | None:
    deal = requested_number("deal", WRONG_DEAL_TEXT)
    step = requested_number("step", WRONG_STEP_TEXT)
    if deal is None or step is None:
        return None
    return DrillPosition(digest, deal - 1, step, request.args.get("melding") == "1")


def _drill_page(drill: Drill, position: DrillPosition | None) -> DrillPage:
    """The page at this position, or at the first; empty if there is none."""
    position = position or next(iter(drill.positions), None)
    question = answer = following = None
    if position is not None:
        decision = _decision_at(position)
        question = drill_question(game_cache().game(position.digest), drill, position, decision)
        following = drill.after(position)
        chosen = request.args.get("choice")
        if chosen is not None:
            names = question.deal.names
            answer = answer_choice(decision, chosen, names, _least())
            if answer is None:
                abort(400, NO_SUCH_CHOICE_TEXT)
    return DrillPage(
        whose=drill.subject.get("name", ""),
        digest=position.digest if position else drill.subject.get("digest", ""),
        question=question,
        answer=answer,
        again_address=drill.address(position) if position else "",
        next_address=drill.address(following) if following else "",
        total=len(drill.positions),
        least=_least(),
        least_loss=requested_least_loss(),
    )


def _decision_at(position: DrillPosition) -> ReviewedDecision:
    """The decision at a position; answers 404 if none was weighed there."""
    decision = find_decision(_review_of(position.digest), position)
    return decision or abort(404, NOT_WEIGHED_TEXT)


def _review_of(digest: str) -> GameReview:
    """The choices of a game that were weighed, or else those that have exact values."""
    game, known = game_cache().game(digest), load_review(store(), digest)
    if known is None or not (known.is_weighed or known.is_read):
        known = analysed_games().exact_review(digest, game.record)
    return game.rename_review(known)


def drill_question(
    game: OpenedGame, drill: Drill, position: DrillPosition, decision: ReviewedDecision
) -> DrillQuestion:
    """The position of a game as the seat of the decision saw it: every step before it, and nothing after it."""
    seat = decision.seat
    seen = Visibility(seat=seat, until=position.event)
    deal = game.deal(position.deal, seen).deal
    step = deal.steps[position.event]
    hand = [item[:2] for item in step.seats[seat].hand]
    place = f"{position.deal + 1}-{position.event}{'-meld' if position.melding else ''}"
    return DrillQuestion(
        key=f"{position.digest[:KEY_LETTERS]}-{place}",
        address=Drill("drills.player", {"name": deal.names[seat]}, ()).address(position),
        table=TablePage(
            digest=game.digest,
            source=game.source,
            deal=deal,
            sheet=game.resolved.sheet,
            visibility=seen,
            near=seat,
            step_number=position.event,
            least_loss=None,
            occasion="",
        ),
        seat=seat,
        is_melding=position.melding,
        offers=[
            OfferedLink(choice, drill.address(position, choice=choice.key))
            for choice in offered_choices(decision, hand, game.resolved.sheet, step.trump)
        ],
        number=drill.positions.index(position) + 1 if position in drill.positions else None,
    )


# A position a day, from the exact mistakes of the collection: its answer comes the next day.


WITHOUT_PLACE = ("names", "seat", "sheet", "position", "choices")
"""What a question tells that does not lead to the game."""


class DailyPage(Page):
    """The position of a day, with its answer once the day is over (by the clock of UTC); none where no mistake was found.

    `before` and `after` are the addresses of its neighbours, empty after today.
    """

    template = "drills/daily.html"
    day: date
    question: DrillQuestion | None
    answer: DrillAnswer | None
    before: str
    after: str
    replay: str

    @property
    def data(self) -> object:
        """The same as JSON; until the day is over `answer` is null, and nothing says of which game the position is."""
        question = self.question.data if self.question else None
        if question and self.answer is None:
            question = {name: question[name] for name in WITHOUT_PLACE}
        return {"day": self.day, "question": question, "answer": self.answer}


MOST_DAYS_BACK = 14
"""Older positions are gone: their games would have to be looked at anew for everybody who asks."""
daily_blueprint = Views("daily", __name__)


@daily_blueprint.page("/daily", Action.READ, REPLAYS, about_query=True)
def position() -> DailyPage:
    """The position of today, or of a day that is over with its answer."""
    today = datetime.now(UTC).date()
    day = read_date(request.args.get("day", "")) or today
    first = today - timedelta(MOST_DAYS_BACK)
    if not first <= day <= today:
        abort(404, "That day has not come yet." if day > today else "That position is gone.")
    place, decision = _daily_position(day) or (None, None)
    question = answer = None
    if place is not None and decision is not None:
        drill = Drill("drills.game", {"digest": place.digest}, ())
        question = drill_question(game_cache().game(place.digest), drill, place, decision)
        if day < today:
            best = next(each for each in decision.choices if not each.behind)
            names = question.deal.names
            answer = answer_choice(decision, choice_key(best), names, DEFAULT_LEAST)
    return DailyPage(
        day=day,
        question=question,
        answer=answer,
        before=url_for("daily.position", day=day - timedelta(1)) if day > first else "",
        after=url_for("daily.position", day=day + timedelta(1)) if day < today else "",
        replay=_replay_address(place, question),
    )


def _daily_position(day: date) -> tuple[DrillPosition, ReviewedDecision] | None:
    """The costliest exact mistake of the first game drawn for the day that has one, with its decision."""
    for digest, stored_at in list_daily_games(store(), day):
        review = analysed_games().exact_review(digest, game_cache().game(digest).record)
        mistakes = list_mistakes(review, DEFAULT_LEAST, stored_at)
        for place in in_drill_order([each for each in mistakes if each.is_exact]):
            if decision := find_decision(review, place):
                return place, decision
    return None


def _replay_address(place: DrillPosition | None, question: DrillQuestion | None) -> str:
    if place is None or question is None:
        return ""
    return url_for(
        "deals.replay",
        digest=place.digest,
        deal=place.deal + 1,
        step=place.event,
        near=question.seat or None,
        best=1,
    )
