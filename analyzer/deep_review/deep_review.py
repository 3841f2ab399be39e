"""The deep review of a game: a document beside the record and never in it, as an annotation is.

Its members are part of stored and published JSON, so their names stay. The same record, terms and version give the
same review; chances of winning also depend on the matches that the database had then.
"""

from typing import Any, Literal, TypeAlias

import msgspec

DEEP_REVIEW_VERSION = "1.2"
"""Raised when the review of the same record would differ: minor for additions, major for changes."""

METHOD = "Possible deals, played on by simple players with paired draws, before the close; a search after it."
"""How the values of a review were found."""

DEFAULT_WORLDS = 512
"""Each choice is tried in at most so many worlds; a width four times as large halves the standard errors."""

DEFAULT_LEAST = 20
"""The limit in points, where the reader sets no other: a choice so far behind the best is a mistake."""

Phase: TypeAlias = Literal["stock", "last_trick", "close"]
"""Before the close, in the last trick before it, or after it."""
ChoiceKind: TypeAlias = Literal["play", "meld", "exchange", "show", "hold_back"]
"""To play a card, to make a meld, to exchange or show a seven, or to do none of the last three after a trick."""
Grade: TypeAlias = Literal["only", "best", "good", "inaccuracy", "mistake", "blunder", "too_close"]
"""`only`: nothing else was allowed. `too_close`: it may be worse than the best, and the worlds do not tell."""


class DeepReviewTerms(msgspec.Struct, frozen=True):
    """The terms of a deep review, chosen by whoever asks for it.

    `worlds` is in how many worlds each choice is tried at most before the close, and `seed` what they are drawn from.
    `positions` limits the search of a close. `least` is how many points behind the best a mistake is: the grades and the
    turning points depend on it, and where the grade is settled early, fewer worlds are tried.
    """

    worlds: int = DEFAULT_WORLDS
    seed: int = 0
    positions: int = 8_000
    least: int = DEFAULT_LEAST


class ReviewedChoice(msgspec.Struct):
    """One choice: what is done, with which cards, and what comes of it.

    `value` is the lead of its seat at the end of the deal in points, before settlement: exact where `error` is 0, and
    otherwise the mean over `worlds` with its standard error. `behind` is by how much the best choice is better in the
    same worlds, with the error of that difference. `chance` is the mean chance of winning the match, from 0 to 1, None where
    nothing tells it, and `chance_behind` by how much that of the best choice is higher: below 0 where fewer points win more
    matches. Both have standard errors, which hold what the model of winning does not know of itself.
    """

    kind: ChoiceKind
    cards: list[str]
    value: float
    error: float = 0.0
    behind: float = 0.0
    behind_error: float = 0.0
    worlds: int = 0
    meld: str = ""
    chance: float | None = None
    chance_error: float = 0.0
    chance_behind: float = 0.0
    chance_behind_error: float = 0.0


class ReviewedDecision(msgspec.Struct):
    """A decision: `choices` has the best first, `chosen` is the place of what was done there.

    `event` is its event in the deal, counted from 0; who held back did so at the event that ended the turn to meld.
    `certain` says that the values are exact. `lost` is how far the choice is behind the best, in points, and `error` the
    error of that. `why` says in sentences what the worlds show of the best choice, empty where nothing speaks for one. `trump` is the
    letter of the trump suit, empty where there is none yet.
    """

    event: int
    seat: int
    phase: Phase
    choices: list[ReviewedChoice]
    chosen: int
    grade: Grade
    certain: bool = False
    lost: float = 0.0
    error: float = 0.0
    why: str = ""
    trump: str = ""


class DeeplyReviewedDeal(msgspec.Struct):
    """The decisions of a deal in their order; `why_not` says why there are none, or why they end early.

    `turning_points` are the places in `decisions` of at most three that cost most, the costliest first.
    """

    deal: int
    decisions: list[ReviewedDecision]
    turning_points: list[int] = []
    why_not: str = ""


class ChanceSource(msgspec.Struct, frozen=True):
    """What chances of winning rest on: so many stored and so many simulated matches; 0 and 0 where the rules alone tell."""

    matches: int
    simulated: int


class DeepReview(msgspec.Struct, kw_only=True):
    """The deep review of one record; `why_not` says why its deals are not reviewed.

    `chances` says what the chances of winning the match rest on, None where there are none.
    """

    format: Literal["bezique-deep-review"] = "bezique-deep-review"
    version: str = DEEP_REVIEW_VERSION
    method: str = METHOD
    digest: str
    sheet: str
    options: dict[str, bool | int | str]
    terms: DeepReviewTerms
    names: list[str]
    why_not: str = ""
    chances: ChanceSource | None = None
    deals: list[DeeplyReviewedDeal]


def deep_review_schema() -> dict[str, Any]:
    """The JSON Schema of a deep review of this version, made from its types."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "/spec/deep-review.schema.json",
        "title": f"Deep review of a Bezique game, version {DEEP_REVIEW_VERSION}",
        **msgspec.json.schema(DeepReview),
    }
