"""Records of Bezique and its relatives: check, read, write, replay and play them.

What `__all__` lists is the promise of this package; every other name of the project may change at any time.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bezique.neighbours import refuse_other_packages

if TYPE_CHECKING:
    from bezique.card_texts import card, cards
    from bezique.exchange import (
        UnreadableRecord,
        annotate,
        check,
        check_file,
        encode,
        parse,
        read,
        write,
    )
    from bezique.game import Game
    from bezique.game_moves import EndDeal, IllegalMove, Move
    from bezique.game_position import GameStep, LaidMeld, Position, replay
    from bezique.record_types import (
        AnyEvent,
        Card,
        CarteBlanche,
        Claim,
        Claims,
        CodeName,
        Cut,
        Deal,
        Declare,
        Discard,
        Dix,
        Draw,
        Finding,
        Irregular,
        Laid,
        Line,
        Meld,
        MeldName,
        Note,
        Place,
        Play,
        Player,
        Provenance,
        Record,
        Report,
        Result,
        Rules,
        Score,
        ScoreName,
        Setup,
        SheetId,
        Trick,
    )
    from bezique.table_setup import rulebook
    from records.errors import CardError, RulesError, SheetIdTaken
    from records.rules.sheet_text import SheetError

    __version__: str

__all__ = [
    "AnyEvent",
    "Card",
    "CardError",
    "CarteBlanche",
    "Claim",
    "Claims",
    "CodeName",
    "Cut",
    "Deal",
    "Declare",
    "Discard",
    "Dix",
    "Draw",
    "EndDeal",
    "Finding",
    "Game",
    "GameStep",
    "IllegalMove",
    "Irregular",
    "Laid",
    "LaidMeld",
    "Line",
    "Meld",
    "MeldName",
    "Move",
    "Note",
    "Place",
    "Play",
    "Player",
    "Position",
    "Provenance",
    "Record",
    "Report",
    "Result",
    "Rules",
    "RulesError",
    "Score",
    "ScoreName",
    "Setup",
    "SheetError",
    "SheetId",
    "SheetIdTaken",
    "Trick",
    "UnreadableRecord",
    "__version__",
    "annotate",
    "card",
    "cards",
    "check",
    "check_file",
    "encode",
    "parse",
    "read",
    "replay",
    "rulebook",
    "write",
]

_HOMES = {
    "bezique.exchange": (
        "UnreadableRecord", "annotate", "check", "check_file", "encode", "parse", "read", "write",
    ),
    "bezique.game": ("Game",),
    "bezique.game_moves": ("EndDeal", "IllegalMove", "Move"),
    "bezique.game_position": ("GameStep", "LaidMeld", "Position", "replay"),
    "bezique.table_setup": ("rulebook",),
    "bezique.card_texts": ("card", "cards"),
    "records.errors": ("CardError", "RulesError", "SheetIdTaken"),
    "records.rules.sheet_text": ("SheetError",),
}  # fmt: skip
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

refuse_other_packages()


def __getattr__(name: str) -> Any:
    """A public name, loaded when it is first used: the version alone, or one function, costs no more than it needs."""
    if name == "__version__":
        from importlib.metadata import version

        value: Any = version("bezique")
    elif name in __all__:
        value = getattr(import_module(_HOME_OF.get(name, "bezique.record_types")), name)
    else:
        raise AttributeError(f"module 'bezique' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names."""
    return list(__all__)
