"""The example games with notes that tell each rule at the step where it is first needed."""

from functools import cache

from msgspec.structs import replace

from records.record import Note
from records.rules.explain import explain_sheet
from webui.games.cache import OpenedGame
from webui.lessons.example_games import FIRST_PAGE_EXAMPLE, open_example
from webui.lessons.moments import GameMoment, find_moments

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
