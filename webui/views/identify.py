"""Which rules fit a game, and which correction would make an illegal one legal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import request
from flask.typing import ResponseReturnValue

from analyzer.db.store import StoredGame
from analyzer.identify.corrections import Correction
from analyzer.identify.matching_rules import RulesCandidate
from webui.access.actions import Action
from webui.display.words.verdict_words import CUT_SHORT
from webui.http.page import Page, Views
from webui.http.request_kinds import REVIEWS
from webui.views import game_cache

blueprint = Views("identify", __name__)
MOST_BETTER_SHOWN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentifiedPart(Page):
    """Which rules fit better than those that a record names, and which single changes would mend a deal.

    `is_mended` says that the rules were tried on a copy whose habits are mended.
    """

    template = "identify/_identified.html"
    game: StoredGame
    better: Sequence[RulesCandidate]
    is_mended: bool
    corrections: Sequence[Correction]


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentifyPage(Page):
    """The rules that a game fits, and the corrections that would make an illegal one legal.

    `stated` are the options that the record states and that differ from the defaults of its sheet. The
    `mended_candidates` are the rules for a copy whose habits are mended, if there are any.
    """

    template = "identify/identify.html"
    game: StoredGame
    names: Sequence[str]
    stated: Mapping[str, Any]
    candidates: Sequence[RulesCandidate]
    mended_candidates: Sequence[RulesCandidate]
    corrections: Sequence[Correction]
    cut_short: str = CUT_SHORT

    @property
    def accepted(self) -> list[RulesCandidate]:
        """The rules that accept the record."""
        return [candidate for candidate in self.candidates if candidate.accepted]

    @property
    def others(self) -> list[RulesCandidate]:
        """The rules that do not."""
        return [candidate for candidate in self.candidates if not candidate.accepted]

    @property
    def part(self) -> IdentifiedPart:
        """What the page of the game shows of this."""
        return IdentifiedPart(
            game=self.game,
            better=self._better(self.mended_candidates or self.candidates)[:MOST_BETTER_SHOWN],
            is_mended=bool(self.mended_candidates),
            corrections=self.corrections,
        )

    def is_stated(self, candidate: RulesCandidate) -> bool:
        """Whether these are the rules that the record names, with the options that it states."""
        return candidate.sheet == self.game.sheet and candidate.options == self.stated

    def _better(self, candidates: Sequence[RulesCandidate]) -> list[RulesCandidate]:
        """The rules that fit better than those named: other sheets before it, or its own with other options."""
        own = [candidate.sheet for candidate in candidates].index(self.game.sheet)
        if own == 0 and not self.is_stated(candidates[0]):
            return [candidates[0]]
        return list(candidates[:own])


def _identify_data(digest: str) -> object:
    """The same as JSON."""
    game = game_cache().game(digest)
    candidates, corrections, mended = game.identified
    return {
        "rules": candidates,
        "did_you_mean": corrections,
        "habits": game.mended.corrections,
        "rules_once_mended": mended,
    }


@blueprint.page("/games/<digest>/doubts", Action.READ, REVIEWS, data=_identify_data)
def identify(digest: str) -> ResponseReturnValue:
    """The rulebooks that accept a game, what does not fit the others, and possible corrections; for a script a part."""
    game = game_cache().game(digest)
    candidates, corrections, mended = game.identified
    page = IdentifyPage(
        game=game.stored,
        names=[player.name for player in game.record.players],
        stated=game.resolved.changed,
        candidates=candidates,
        mended_candidates=mended,
        corrections=corrections,
    )
    if request.headers.get("X-Requested-With") == "fetch":
        return page.part.render()
    return page.render()
