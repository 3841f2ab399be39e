"""Records of Bezique and its relatives: check, read, write, replay and play them.

Let two players play a game, write it to a file, and check what was written:

    import bezique

    record = bezique.play("zique", ["base", "simple"], seed=1)
    bezique.write(record, "game.json")
    for report in bezique.check_file("game.json"):
        print(report.verdict, report.scores)

`check`, `check_file`, `read`, `parse` and `write` are for records in files, `replay` and `review` for what happened in
them, `Game` and `play` for new games, and `open` for a collection of many. All else names what these take and return:
`help(bezique.Game)` tells one of them, and the cookbook shows them at work.

What `__all__` lists is the promise of this package; every other name of the project may change at any time.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bezique.neighbours import refuse_other_packages

if TYPE_CHECKING:
    from analyzer.play.seat_players import PlayerKind
    from analyzer.review.annotation import AnalysisTerms, Annotation, DealAnnotation
    from analyzer.review.close_review import CloseDecision, CloseReview, MatchScores
    from analyzer.review.deep_review import (
        ChanceSource,
        CloseSums,
        GameReview,
        ReviewedChoice,
        ReviewedDeal,
        ReviewedDecision,
        ReviewTerms,
    )
    from analyzer.review.last_stock_trick import CardValue, LastStockDecision, LastStockGap
    from analyzer.review.luck import LuckBreakdown, Swing
    from analyzer.review.missed import MissedChance, PossibleScore, WonTrick
    from analyzer.solver.moves import Move as CloseMove
    from analyzer.solver.moves import ValuedMove
    from bezique.card_texts import card, cards
    from bezique.collection import Collection, open  # noqa: A004 - it is called `bezique.open`
    from bezique.exchange import (
        RecordSource,
        UnreadableRecord,
        annotate,
        check,
        check_file,
        encode,
        parse,
        read,
        review,
        write,
    )
    from bezique.game import Game
    from bezique.game_moves import EndDeal, IllegalMove, Move
    from bezique.game_position import GameStep, LaidMeld, Position, StepName, replay
    from bezique.playing import AnyPlayer, Chooser, play
    from bezique.record_types import (
        AnyEvent,
        Assignments,
        Card,
        CarteBlanche,
        Cause,
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
        FindingGroup,
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
        ResolvedRules,
        Result,
        Rules,
        Score,
        ScoreName,
        Setup,
        SheetId,
        Trick,
        Verdict,
    )
    from bezique.table_setup import rulebook
    from records.errors import CardError, RulesError, SheetIdTaken, StoreError
    from records.rules.sheet_text import SheetError, SheetMistake

    __version__: str

__all__ = [
    "AnalysisTerms",
    "Annotation",
    "AnyEvent",
    "AnyPlayer",
    "Assignments",
    "Card",
    "CardError",
    "CardValue",
    "CarteBlanche",
    "Cause",
    "ChanceSource",
    "Chooser",
    "Claim",
    "Claims",
    "CloseDecision",
    "CloseMove",
    "CloseReview",
    "CloseSums",
    "CodeName",
    "Collection",
    "Cut",
    "Deal",
    "DealAnnotation",
    "Declare",
    "Discard",
    "Dix",
    "Draw",
    "EndDeal",
    "Finding",
    "FindingGroup",
    "Game",
    "GameReview",
    "GameStep",
    "IllegalMove",
    "Irregular",
    "Laid",
    "LaidMeld",
    "LastStockDecision",
    "LastStockGap",
    "Line",
    "LuckBreakdown",
    "MatchScores",
    "Meld",
    "MeldName",
    "MissedChance",
    "Move",
    "Note",
    "Place",
    "Play",
    "Player",
    "PlayerKind",
    "Position",
    "PossibleScore",
    "Provenance",
    "Record",
    "RecordSource",
    "Report",
    "ResolvedRules",
    "Result",
    "ReviewTerms",
    "ReviewedChoice",
    "ReviewedDeal",
    "ReviewedDecision",
    "Rules",
    "RulesError",
    "Score",
    "ScoreName",
    "Setup",
    "SheetError",
    "SheetId",
    "SheetIdTaken",
    "SheetMistake",
    "StepName",
    "StoreError",
    "Swing",
    "Trick",
    "UnreadableRecord",
    "ValuedMove",
    "Verdict",
    "WonTrick",
    "__version__",
    "annotate",
    "card",
    "cards",
    "check",
    "check_file",
    "encode",
    "open",
    "parse",
    "play",
    "read",
    "replay",
    "review",
    "rulebook",
    "write",
]

_HOMES = {
    "bezique.collection": ("Collection", "open"),
    "bezique.exchange": ("RecordSource", "UnreadableRecord", "annotate", "check", "check_file", "encode", "parse", "read", "review", "write"),
    "bezique.game": ("Game",),
    "bezique.game_moves": ("EndDeal", "IllegalMove", "Move"),
    "bezique.game_position": ("GameStep", "LaidMeld", "Position", "StepName", "replay"),
    "bezique.playing": ("AnyPlayer", "Chooser", "play"),
    "bezique.table_setup": ("rulebook",),
    "bezique.card_texts": ("card", "cards"),
    "analyzer.play.seat_players": ("PlayerKind",),
    "analyzer.review.annotation": ("AnalysisTerms", "Annotation", "DealAnnotation"),
    "analyzer.review.close_review": ("CloseDecision", "CloseReview", "MatchScores"),
    "analyzer.review.deep_review": ("ChanceSource", "CloseSums", "GameReview", "ReviewTerms", "ReviewedChoice", "ReviewedDeal", "ReviewedDecision"),
    "analyzer.review.last_stock_trick": ("CardValue", "LastStockDecision", "LastStockGap"),
    "analyzer.review.luck": ("LuckBreakdown", "Swing"),
    "analyzer.review.missed": ("MissedChance", "PossibleScore", "WonTrick"),
    "analyzer.solver.moves": ("ValuedMove",),
    "records.errors": ("CardError", "RulesError", "SheetIdTaken", "StoreError"),
    "records.rules.sheet_text": ("SheetError", "SheetMistake"),
}  # fmt: skip
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

refuse_other_packages()


def __getattr__(name: str) -> Any:
    """A public name, loaded when it is first used: the version alone, or one function, costs no more than it needs."""
    if name == "__version__":
        from importlib.metadata import version

        value: Any = version("bezique")
    elif name == "CloseMove":
        value = import_module("analyzer.solver.moves").Move
    elif name in __all__:
        value = getattr(import_module(_HOME_OF.get(name, "bezique.record_types")), name)
    else:
        raise AttributeError(f"module 'bezique' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names."""
    return list(__all__)
