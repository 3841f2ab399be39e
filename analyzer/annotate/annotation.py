"""An annotation: what is said of a game beside its record, as a document of its own.

It names the record's digest, the version of the analysis and the terms it was made on. Nothing of it is ever
written into the record.
"""

from typing import Literal

import msgspec

from analyzer.annotate.close_review import CloseReview
from analyzer.annotate.last_stock_trick import LastStockDecision
from analyzer.annotate.luck.luck import LuckBreakdown
from analyzer.annotate.missed.chance import MissedChance, WonTrick
from analyzer.annotate.solver.close import DEFAULT_POSITIONS_SEARCHED

ANNOTATION_VERSION = "1.6"
"""Raised when the same record would be annotated otherwise: a minor one adds, a major one changes."""


class AnalysisTerms(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an annotation was asked for; the reader's own.

    `positions` limits the search of a close, `least` are the points a play must lose to be called a
    mistake, `rollouts` how often every position is played out to tell luck from skill: 0 leaves that out.
    `brink` says whether the last trick before the close is weighed.
    """

    positions: int = DEFAULT_POSITIONS_SEARCHED
    least: int = 10
    rollouts: int = 0
    brink: bool = True


class DealAnnotation(msgspec.Struct, omit_defaults=True):
    """One deal annotated; `why_not` says why its close is not, where it is not.

    `tainted` says that a rule was broken in it: what is said holds from the position that came of it.
    """

    deal: int
    close: CloseReview | None = None
    why_not: str = ""
    tainted: bool = False
    brink: list[LastStockDecision] = []
    won: list[WonTrick] = []
    missed: list[MissedChance] = []
    luck: LuckBreakdown | None = None


class Annotation(msgspec.Struct, kw_only=True):
    """The annotation of one record; `why_not` says why there is none of its deals."""

    format: Literal["bezique-annotation"] = "bezique-annotation"
    version: str = ANNOTATION_VERSION
    digest: str
    sheet: str
    options: dict[str, bool | int | str]
    terms: AnalysisTerms
    names: list[str]
    maximises: str = ""
    why_not: str = ""
    deals: list[DealAnnotation]
