"""Example games that come with the package, the notes that tell each rule, and the first page's question."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from msgspec.structs import replace

from analyzer.review.deep_review import ReviewedDeal, ReviewedDecision, ReviewTerms
from analyzer.review.review_words import describe_line
from analyzer.review.reviewer import review_record
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
    Score,
    Trick,
)
from records.format import codec
from records.phrases import capitalize_first, name_card, pluralize, signed_points
from records.record import Note
from records.rules.english import explain_sheet
from records.rules.registry import ALL_SHEETS, resolve_rules
from records.rules.vocabulary import RuleSheet, TurnUp
from webui.display.markup import json_in_page
from webui.replay.deal_reviews import review_deal
from webui.replay.steps import DealSteps, ReplayStep
from webui.server.game_cache import GameNotFound, GameSource, OpenedGame

# The games: records that come with the package, shown like stored ones and stored in no database.

FIRST_PAGE_EXAMPLE = "ace-of-diamonds"
"""The game whose position the first page asks about; the other examples are named after their rule sheets."""
EXAMPLE_NAMES = (FIRST_PAGE_EXAMPLE, *(sheet.id for sheet in ALL_SHEETS))


def example_file(name: str) -> Traversable:
    """The file of an example, whether it exists or not."""
    return files("webui.server") / "lesson_games" / f"{name}.json"


@cache
def _open(name: str) -> OpenedGame:
    data = example_file(name).read_bytes()
    record = codec.decode(data).record
    if record is None:
        raise ValueError(f"The example {name} cannot be read.")
    resolved = resolve_rules(record.rules)
    return OpenedGame(
        record=record, resolved=resolved, source=GameSource("examples", {"game": name})
    )


def open_example(name: str) -> OpenedGame:
    """The example game with this name; raises GameNotFound."""
    if name not in EXAMPLE_NAMES:
        raise GameNotFound(name)
    return _open(name)


# What would you play? The question of the first page, and what the server answers.

QUESTION_STEP = 128
"""The step of the last deal of `FIRST_PAGE_EXAMPLE` that the question is about."""
QUESTION_TERMS = ReviewTerms(worlds=0)


@dataclass(frozen=True, slots=True)
class CardAnswer:
    """A card that may be played: its value in points still to come, and what comes of it, in words."""

    card: str
    value: str
    is_best: bool
    was_played: bool
    says: str


@dataclass(frozen=True, slots=True)
class FirstQuestion:
    """A position after the close, with a card to find: `seat` leads at `step` of a deal.

    `answers` begin with the best. `line` is how the deal goes on after the best card, and `played` says what happened.
    `review_json` has the values of every decision of the deal, for the script.
    """

    deal: DealSteps
    step: int
    seat: int
    answers: Sequence[CardAnswer]
    line: str
    played: str
    review_json: str

    def answer_to(self, card: str | None) -> CardAnswer | None:
        """The answer to a card, or None if nobody may play it there."""
        return next((answer for answer in self.answers if answer.card == card), None)

    @property
    def answers_json(self) -> str:
        """The answers for the script, as JSON that may stand inside a page."""
        answers = {answer.card: answer for answer in self.answers}
        return json_in_page(answers)


@cache
def first_question() -> FirstQuestion:
    """The question, with exact values by the solver; they take some hundredths of a second, once."""
    game = open_example(FIRST_PAGE_EXAMPLE)
    number = len(game.record.deals) - 1
    deal = game.deal(number).deal
    notes = review_record(game.record, terms=QUESTION_TERMS)
    played = game.record.deals[number].events
    review = review_deal(notes, number, played)
    decision = _decision(notes.deals[number])
    if review is None or decision is None:
        raise ValueError(f"Step {QUESTION_STEP} of {FIRST_PAGE_EXAMPLE} has no exact values.")
    return FirstQuestion(
        deal=deal,
        step=QUESTION_STEP,
        seat=decision.seat,
        answers=list(_answers(decision, deal, _lead_at_end(deal, decision))),
        line=describe_line(decision.line, deal.names),
        played=deal.steps[QUESTION_STEP + 1].say,
        review_json=review.json,
    )


def _decision(deal: ReviewedDeal) -> ReviewedDecision | None:
    return next((each for each in deal.decisions if each.event == QUESTION_STEP), None)


def _lead_at_end(deal: DealSteps, decision: ReviewedDecision) -> int:
    """By how much the player wins the match with the best card, if both play their best from there.

    What was played lost so many points less, and nobody lost any after it.
    """
    totals = [seat.total or 0 for seat in deal.steps[-1].seats]
    return totals[decision.seat] - totals[1 - decision.seat] + round(decision.lost)


def _answers(decision: ReviewedDecision, deal: DealSteps, margin: int) -> Iterator[CardAnswer]:
    names = deal.names
    player, other = names[decision.seat], names[1 - decision.seat]
    for place, choice in enumerate(decision.choices):
        (card,) = choice.cards
        yield CardAnswer(
            card=card,
            value=signed_points(round(choice.value)),
            is_best=choice.behind == 0,
            was_played=place == decision.chosen,
            says=_outcome(card, player, other, margin - round(choice.behind)),
        )


def _outcome(card: str, player: str, other: str, margin: int) -> str:
    """What comes of a card if both play their best after it."""
    if margin == 0:
        end = "the match is tied, and another deal decides it"
    else:
        end = (
            f"{player if margin > 0 else other} wins the match by {pluralize(abs(margin), 'point')}"
        )
    said = name_card(card)
    return f"{capitalize_first(said)}: if both play their best from there, {end}."


# Where in a game each article of its rulebook can be seen: the step that shows it best.

LATE = 1_000_000
"""More than any number of steps or points: what is less suited comes after everything else."""


@dataclass(frozen=True, slots=True)
class GameMoment:
    """A step of a deal (both counted from 0), with the event that led to it, if one did."""

    deal: int
    number: int
    step: ReplayStep
    before: ReplayStep | None
    event: AnyEvent | None


Fitness = int | None
"""How well a moment shows an article: less is better, None means not at all."""


def find_moments(game: OpenedGame, articles: Sequence[str]) -> dict[str, GameMoment]:
    """The moment of a game that shows each of these articles best, as far as it has one; of equals the first."""
    best: dict[str, tuple[int, GameMoment]] = {}
    sheet = game.resolved.sheet
    for moment in _moments(game):
        for article in articles:
            fitness = JUDGES[article](moment, sheet)
            if fitness is not None and (article not in best or fitness < best[article][0]):
                best[article] = fitness, moment
    return {article: best[article][1] for article in articles if article in best}


def _moments(game: OpenedGame) -> Iterator[GameMoment]:
    for number, deal in enumerate(game.record.deals):
        steps = game.deal(number).deal
        yield from _moments_of(number, steps, deal.events)


def _moments_of(deal: int, steps: DealSteps, events: Sequence[AnyEvent]) -> Iterator[GameMoment]:
    before: ReplayStep | None = None
    for number, step in enumerate(steps.steps):
        event = None if step.event is None else events[step.event]
        yield GameMoment(deal, number, step, before, event)
        before = step


def _at(kind: type[AnyEvent]) -> Callable[[GameMoment, RuleSheet], Fitness]:
    """Every event of a kind shows the article."""
    return lambda moment, sheet: 0 if isinstance(moment.event, kind) else None


def _deal(moment: GameMoment, sheet: RuleSheet) -> Fitness:
    return 0 if moment.before is None else None


def _trumps(moment: GameMoment, sheet: RuleSheet) -> Fitness:
    """The card turned up, or the meld that makes trumps; a game without trumps shows its first cards."""
    if isinstance(sheet.rules.trumps, TurnUp) or moment.before is None:
        return 0 if moment.before is None and moment.step.turn_up is not None else LATE
    return 1 if moment.step.trump and not moment.before.trump else None


def _dix(moment: GameMoment, sheet: RuleSheet) -> Fitness:
    """The dix exchanged, if possible; where the seven is worth nothing, any that is played."""
    match moment.event:
        case Dix(action=action):
            return ("exchange", "show", "play").index(action)
        case Play(card=card) if moment.step.trump and card[:2] == f"7{moment.step.trump}":
            return LATE
    return None


def _play(moment: GameMoment, sheet: RuleSheet) -> Fitness:
    """A trick of two suits that a trump takes while no suit need be followed; or a turn without tricks."""
    if isinstance(moment.event, Discard):
        return 0
    if not isinstance(moment.event, Trick):
        return None
    suits = {item[1] for _, item in moment.step.centre}
    trumped = moment.step.trump in suits and len(suits) > 1
    return (0 if trumped else 1 if len(suits) > 1 else 2) + (LATE if not moment.step.stock else 0)


def _close(moment: GameMoment, sheet: RuleSheet) -> Fitness:
    """A card led after the close that leaves the other player little choice; without tricks, an empty stock."""
    step = moment.step
    if step.stock or step.turn_up or moment.before is None:
        return None
    if sheet.rules.tableau is not None:
        return 0 if moment.before.stock else None
    if not isinstance(moment.event, Play) or len(step.centre) != 1 or step.seat is None:
        return None
    choices = len({item.split()[0] for item in step.plays})
    held = len(step.seats[step.seat].hand)
    return choices - held if held > choices else LATE


def _melds(moment: GameMoment, sheet: RuleSheet) -> Fitness:
    """The meld that scores most."""
    if not isinstance(moment.event, Meld):
        return None
    return -sum(gain.points for gain in moment.step.gains)


def _reuse(moment: GameMoment, sheet: RuleSheet) -> Fitness:
    """A meld with cards that lie in another already, and with others: best with one of them."""
    if not isinstance(moment.event, Meld) or moment.before is None:
        return None
    laid = moment.before.seats[moment.event.seat].laid
    lying = {item[:2] for group in laid if group.kind == "meld" for item in group.cards}
    if sheet.rules.tableau is not None:
        return 0 if _keeps_cards(moment) else None
    used = sum(card[:2] in lying for card in moment.event.cards)
    return used if 0 < used < len(moment.event.cards) else None


def _keeps_cards(moment: GameMoment) -> bool:
    """Whether the cards of a combination stay in the hand."""
    return isinstance(moment.event, Meld) and moment.event.meld != "marriages"


def _tableau(moment: GameMoment, sheet: RuleSheet) -> Fitness:
    """A pile that is completed, or else the most cards that lie in the piles."""
    if isinstance(moment.event, Score):
        return -LATE
    return -sum(len(pile.cards) for pile in moment.step.tableau)


def _bonuses(moment: GameMoment, sheet: RuleSheet) -> Fitness:
    names = [bonus.name for bonus in sheet.rules.bonuses]
    event = moment.event
    return 0 if isinstance(event, Score) and event.what in names else None


def _brisques(moment: GameMoment, sheet: RuleSheet) -> Fitness:
    """The count, or else a trick with as many brisques as possible."""
    if isinstance(moment.event, Score):
        return -LATE if moment.event.what == "brisques" else None
    if not isinstance(moment.event, Trick):
        return None
    taken = [item for _, item in moment.step.centre if item[0] in sheet.rules.brisques.ranks]
    return -len(taken) if taken else None


def _game(moment: GameMoment, sheet: RuleSheet) -> Fitness:
    """The end of the last deal."""
    over = moment.before is not None and moment.step.event is None
    return -moment.deal if over else None


JUDGES: Mapping[str, Callable[[GameMoment, RuleSheet], Fitness]] = {
    "deal": _deal,
    "cut": _at(Cut),
    "trumps": _trumps,
    "dix": _dix,
    "carte_blanche": _at(CarteBlanche),
    "play": _play,
    "draw": _at(Draw),
    "close": _close,
    "melds": _melds,
    "reuse": _reuse,
    "pending": _at(Declare),
    "tableau": _tableau,
    "bonuses": _bonuses,
    "brisques": _brisques,
    "game": _game,
}
"""How well a moment shows each article of a rule sheet."""


# The notes: each rule is told at the step where it is first needed.

SENTENCES_OF_A_NOTE = 2
"""A note is read between two steps: the page of the rules has the rest."""


@cache
def _guided(name: str) -> OpenedGame:
    game = open_example(name)
    sections = {part.article: part for part in explain_sheet(game.resolved.sheet).sections}
    moments = find_moments(game, list(sections))
    notes = [
        Note(
            at=_anchor(game, moment),
            by=sections[article].heading,
            text=" ".join(sections[article].sentences[:SENTENCES_OF_A_NOTE]),
        )
        for article, moment in moments.items()
    ]
    return OpenedGame(
        record=replace(game.record, notes=notes), resolved=game.resolved, source=game.source
    )


def _anchor(game: OpenedGame, moment: GameMoment) -> list[int]:
    """Where a note on a moment belongs: at its event, or at the last one where the deal is over."""
    if moment.before is None:
        return [moment.deal]
    last = len(game.record.deals[moment.deal].events) - 1
    return [moment.deal, last if moment.step.event is None else moment.step.event]


def guided_example(name: str) -> OpenedGame:
    """The example game with this name, with notes if it is a short one for learning; raises GameNotFound."""
    game = open_example(name)
    return game if name == FIRST_PAGE_EXAMPLE else _guided(name)


@dataclass(frozen=True, slots=True)
class LessonChapter:
    """The rules told at a step of a deal, which counts from 1: the heading names their articles."""

    deal: int
    step: int
    heading: str


@cache
def lesson_chapters(name: str) -> tuple[LessonChapter, ...]:
    """The rules of an example for learning in the order in which the game comes to them; none of another game."""
    if name == FIRST_PAGE_EXAMPLE:
        return ()
    game = guided_example(name)
    headings: dict[tuple[int, int], list[str]] = {}
    for number in range(len(game.record.deals)):
        for note in game.deal(number).deal.margin.notes:
            headings.setdefault((number + 1, note.step), []).append(note.by or "")
    return tuple(LessonChapter(*place, ", ".join(headings[place])) for place in sorted(headings))
