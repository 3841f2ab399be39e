"""What the short cells of a table of sheets share."""

from collections.abc import Callable, Mapping

from records.rules.english.vocabulary_phrases import usual_and_exceptions
from records.rules.vocabulary import ANY_NUMBER_OF_MELDS, Phase, PhaseStep, RuleSheet

NOT_IN_GAME = "–"
"""The cell of something that a game does not have."""


SheetProperty = tuple[str, str, Callable[[RuleSheet], str]]
"""The article it belongs to, its name, and what a sheet says of it."""


def yes_or_no(*, holds: bool) -> str:
    """Whether something holds: `yes` or `no`."""
    return "yes" if holds else "no"


def number_by_players(numbers: Mapping[int, int]) -> str:
    """A number that may depend on the number of players: `6; 5 for 6 players`."""
    usual, exceptions = usual_and_exceptions(numbers)
    return "; ".join(
        [str(usual), *(f"{number} for {players} players" for players, number in exceptions.items())]
    )


def has_tricks(phase: Phase) -> bool:
    """Whether tricks are played in a phase."""
    return PhaseStep.TRICK in phase.steps


def meld_limit(phase: int) -> Callable[[RuleSheet], str]:
    """How many melds a trick or a turn of a phase allows, by the phase's number."""

    def limit_of(sheet: RuleSheet) -> str:
        melds = sheet.phases[phase].melds
        return "any number" if melds == ANY_NUMBER_OF_MELDS else str(melds or "none")

    return limit_of
