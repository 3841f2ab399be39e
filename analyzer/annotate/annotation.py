"""The annotation of a game: a document beside the record and never in it.

It names the record's digest, the version of the analysis and the terms it was made with. Its members are part
of stored and published JSON, so their names stay.
"""

from typing import Any, Literal

import msgspec

from analyzer.annotate import DEFAULT_POSITIONS_SEARCHED
from analyzer.annotate.close_review import CloseReview
from analyzer.annotate.last_stock_trick import LastStockDecision, LastStockGap
from analyzer.annotate.luck.luck import LuckBreakdown
from analyzer.annotate.missed.chance import MissedChance, WonTrick

ANNOTATION_VERSION = "2.3"
"""Raised when the analysis of the same record would differ: minor for additions, major for changes."""


class AnalysisTerms(msgspec.Struct, frozen=True, omit_defaults=True):
    """The terms of an annotation, chosen by whoever asks for it.

    `positions` limits the search of a close. `least` is how many points a decision must lose to count as a
    mistake. `rollouts` is the number of roll-outs of every position for luck and skill; 0 leaves them out.
    `brink` says whether the last trick before the close is valued.
    """

    positions: int = DEFAULT_POSITIONS_SEARCHED
    least: int = 10
    rollouts: int = 0
    brink: bool = True


class DealAnnotation(msgspec.Struct, omit_defaults=True):
    """The annotation of one deal; `why_not` says why it has no review of the close.

    `brink` holds the decisions of the last trick before the close, and `brink_gaps` says why one of them, or both,
    are missing there. `won` holds the tricks after which a meld was possible. `tainted` deals break a rule; their
    annotation goes on from the position that resulted.
    """

    deal: int
    close: CloseReview | None = None
    why_not: str = ""
    tainted: bool = False
    brink: list[LastStockDecision] = []
    brink_gaps: list[LastStockGap] = []
    won: list[WonTrick] = []
    missed: list[MissedChance] = []
    luck: LuckBreakdown | None = None


def annotation_schema() -> dict[str, Any]:
    """The JSON Schema of an annotation of this version, made from its types."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "/spec/annotation.schema.json",
        "title": f"Annotation of a Bezique game, version {ANNOTATION_VERSION}",
        **msgspec.json.schema(Annotation),
    }


class Annotation(msgspec.Struct, kw_only=True):
    """The annotation of one record; `why_not` says why its deals are not annotated.

    `maximises` says in words what the players are assumed to play for. `file` and `line` say where the record was read:
    only the command knows, and they are stored nowhere.
    """

    format: Literal["bezique-annotation"] = "bezique-annotation"
    version: str = ANNOTATION_VERSION
    digest: str
    sheet: str
    options: dict[str, bool | int | str]
    terms: AnalysisTerms
    names: list[str]
    file: str | msgspec.UnsetType = msgspec.UNSET
    line: int | msgspec.UnsetType = msgspec.UNSET
    maximises: str = ""
    why_not: str = ""
    deals: list[DealAnnotation]
