"""Where in a game each article of its rulebook can be seen: the step that shows it best."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

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
from records.rules.vocabulary import RuleSheet, TurnUp
from webui.games.cache import OpenedGame
from webui.replay.steps import DealSteps, ReplayStep

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


def _deal(moment: GameMoment, sheet: RuleSheet) -> Fitness:
    return 0 if moment.before is None else None


def _cut(moment: GameMoment, sheet: RuleSheet) -> Fitness:
    return 0 if isinstance(moment.event, Cut) else None


def _trumps(moment: GameMoment, sheet: RuleSheet) -> Fitness:
    """The card turned up, or the meld that makes trumps; a game without trumps shows its first cards."""
    if isinstance(sheet.trumps, TurnUp) or moment.before is None:
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


def _carte_blanche(moment: GameMoment, sheet: RuleSheet) -> Fitness:
    return 0 if isinstance(moment.event, CarteBlanche) else None


def _play(moment: GameMoment, sheet: RuleSheet) -> Fitness:
    """A trick of two suits that a trump takes while no suit need be followed; or a turn without tricks."""
    if isinstance(moment.event, Discard):
        return 0
    if not isinstance(moment.event, Trick):
        return None
    suits = {item[1] for _, item in moment.step.centre}
    trumped = moment.step.trump in suits and len(suits) > 1
    return (0 if trumped else 1 if len(suits) > 1 else 2) + (LATE if not moment.step.stock else 0)


def _draw(moment: GameMoment, sheet: RuleSheet) -> Fitness:
    return 0 if isinstance(moment.event, Draw) else None


def _close(moment: GameMoment, sheet: RuleSheet) -> Fitness:
    """A card led after the close that leaves the other player little choice; without tricks, an empty stock."""
    step = moment.step
    if step.stock or step.turn_up or moment.before is None:
        return None
    if sheet.tableau is not None:
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
    if sheet.tableau is not None:
        return 0 if _keeps_cards(moment) else None
    used = sum(card[:2] in lying for card in moment.event.cards)
    return used if 0 < used < len(moment.event.cards) else None


def _keeps_cards(moment: GameMoment) -> bool:
    """Whether the cards of a combination stay in the hand."""
    return isinstance(moment.event, Meld) and moment.event.meld != "marriages"


def _pending(moment: GameMoment, sheet: RuleSheet) -> Fitness:
    return 0 if isinstance(moment.event, Declare) else None


def _tableau(moment: GameMoment, sheet: RuleSheet) -> Fitness:
    """A pile that is completed, or else the most cards that lie in the piles."""
    if isinstance(moment.event, Score):
        return -LATE
    return -sum(len(pile.cards) for pile in moment.step.tableau)


def _bonuses(moment: GameMoment, sheet: RuleSheet) -> Fitness:
    names = [bonus.name for bonus in sheet.bonuses]
    event = moment.event
    return 0 if isinstance(event, Score) and event.what in names else None


def _brisques(moment: GameMoment, sheet: RuleSheet) -> Fitness:
    """The count, or else a trick with as many brisques as possible."""
    if isinstance(moment.event, Score):
        return -LATE if moment.event.what == "brisques" else None
    if not isinstance(moment.event, Trick):
        return None
    taken = [item for _, item in moment.step.centre if item[0] in sheet.brisques.ranks]
    return -len(taken) if taken else None


def _game(moment: GameMoment, sheet: RuleSheet) -> Fitness:
    """The end of the last deal."""
    over = moment.before is not None and moment.step.event is None
    return -moment.deal if over else None


JUDGES: Mapping[str, Callable[[GameMoment, RuleSheet], Fitness]] = {
    "deal": _deal,
    "cut": _cut,
    "trumps": _trumps,
    "dix": _dix,
    "carte_blanche": _carte_blanche,
    "play": _play,
    "draw": _draw,
    "close": _close,
    "melds": _melds,
    "reuse": _reuse,
    "pending": _pending,
    "tableau": _tableau,
    "bonuses": _bonuses,
    "brisques": _brisques,
    "game": _game,
}
"""How well a moment shows each article of a rule sheet."""
