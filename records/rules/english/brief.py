"""The short words that tables of sheets share."""

from collections.abc import Callable

from records.rules.vocabulary import ANY_NUMBER_OF_MELDS, Phase, PhaseStep, RuleSheet

NOT_IN_GAME = "–"
"""What a sheet says of something that its game does not have."""


SheetProperty = tuple[str, str, Callable[[RuleSheet], str]]
"""The article it belongs to, its name, and what a sheet says of it."""


def yes_or_no(*, holds: bool) -> str:
    """Whether something holds: `yes` or `no`."""
    return "yes" if holds else "no"


def rank_sign(rank: str) -> str:
    """A rank as it stands on its card."""
    return "10" if rank == "T" else rank


def rank_signs(ranks: str) -> str:
    """Ranks as they stand on their cards: `A 10 K`."""
    return " ".join(map(rank_sign, ranks))


def number_by_players(numbers: dict[int, int]) -> str:
    """A number that may depend on the number of players: `6; 5 for 6 players`."""
    usual = max(numbers.values())
    fewer = [f"{cards} for {players} players" for players, cards in numbers.items()
             if cards != usual]  # fmt: skip
    return "; ".join([str(usual), *fewer])


def has_tricks(phase: Phase) -> bool:
    """Whether tricks are played in a phase."""
    return PhaseStep.TRICK in phase.steps


def meld_limit(phase: int) -> Callable[[RuleSheet], str]:
    """How many melds a trick or a turn of a phase allows, by the phase's number."""

    def said(sheet: RuleSheet) -> str:
        melds = sheet.phases[phase].melds
        return "any number" if melds == ANY_NUMBER_OF_MELDS else str(melds or "none")

    return said
