"""Stored games as the pages need them: read once, and kept at hand while they are asked for."""

from functools import lru_cache
from typing import Self

import msgspec

from analyzer.db.store import Store, StoredGame
from records import codec
from records.record import Record
from records.rules.registry import ResolvedSheet, resolve_sheet
from records.validate.finding import Finding
from records.validate.report import Report
from webui.replay.line_url import read_line
from webui.replay.read_deal import read_deal_steps
from webui.replay.steps import DealSteps
from webui.replay.visibility import FULL_VISIBILITY, Visibility
from webui.replay.what_if import TriedLine, try_line

MOST_GAMES_CACHED = 16
MOST_DEALS_CACHED = 64
MOST_LINES_CACHED = 64
LAST_STEP = 1_000_000
"""Leads to the last step of a deal, however many it has."""


class GameNotFound(LookupError):
    """There is no such game, or no such deal in it."""


class OpenedDeal(msgspec.Struct, frozen=True, eq=False):
    """One deal of a game as steps, and the same as JSON."""

    deal: DealSteps
    json: str

    @classmethod
    def of(cls, deal: DealSteps) -> Self:
        """The deal, and its JSON as it may stand in a page."""
        return cls(deal, msgspec.json.encode(deal).decode().replace("<", "\\u003c"))


class OpenedGame(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """A game that can be looked at: its record and its rules.

    A stored one has a `digest`; of one that came inside an address, `carried` is what the address held.
    """

    record: Record
    resolved: ResolvedSheet
    digest: str = ""
    carried: str = ""

    def deal(self, number: int, sight: Visibility = FULL_VISIBILITY) -> OpenedDeal:
        """A deal as steps, as far as they are to be seen; raises NotOnShelf."""
        if not 0 <= number < len(self.record.deals):
            raise GameNotFound(self.digest)
        return OpenedDeal.of(read_deal_steps(self.record, self.resolved, number, sight))

    def tried(self, number: int, start: int, line: str) -> TriedLine:
        """A deal gone on with by a line as an address has it; raises Unlawful."""
        before = self.deal(number).deal.before
        events = read_line(line, len(self.record.players))
        return try_line(self.record, self.resolved, number, start, events, before)


class CachedGame(OpenedGame, frozen=True, eq=False, kw_only=True):
    """One stored game, with its line in the list, its bytes and its report; its deals are kept on a `shelf`."""

    game: StoredGame
    data: bytes
    report: Report
    shelf: "GameCache"

    def deal(self, number: int, sight: Visibility = FULL_VISIBILITY) -> OpenedDeal:
        """A deal as steps, read once; raises NotOnShelf."""
        return self.shelf.story(self.digest, number, sight)

    def tried(self, number: int, start: int, line: str) -> TriedLine:
        """A deal gone on with by a line, read once; raises Unlawful."""
        return self.shelf.tried(self.digest, number, start, line)


class GameCache:
    """Takes games from a store, the last ones from memory: a stored game never changes, it can only go."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.book = lru_cache(MOST_GAMES_CACHED)(self._book)
        self.story = lru_cache(MOST_DEALS_CACHED)(self._read)
        self.tried = lru_cache(MOST_LINES_CACHED)(self._try)

    def forget(self) -> None:
        """Put all games back: one of them is there no more."""
        self.book.cache_clear()
        self.story.cache_clear()
        self.tried.cache_clear()

    def step_of(self, digest: str, finding: Finding) -> int | None:
        """The step at which a finding is seen: step 0 is the deal, step n follows event n."""
        at = finding.at
        if at.deal is None:
            return None
        if at.event is not None:
            return at.event + 1
        if at.trick:
            return LAST_STEP
        deal = self.book(digest).deal(at.deal).deal
        known = deal.findings.index(finding) if finding in deal.findings else -1
        return next((i for i, step in enumerate(deal.steps) if known in step.findings), 0)

    def _book(self, digest: str) -> CachedGame:
        game, data = self.store.game(digest), self.store.record_bytes(digest)
        report = self.store.report(digest)
        if game is None or data is None or report is None:
            raise GameNotFound(digest)
        report.digest = digest
        record = codec.decode(data, line=game.line).record
        if record is None:
            raise GameNotFound(digest)
        rules = record.rules
        return CachedGame(
            record=record,
            resolved=resolve_sheet(rules.id, rules.edition, rules.options),
            digest=digest,
            game=game,
            data=data,
            report=report,
            shelf=self,
        )

    def _read(self, digest: str, number: int, sight: Visibility) -> OpenedDeal:
        return OpenedGame.deal(self.book(digest), number, sight)

    def _try(self, digest: str, number: int, start: int, line: str) -> TriedLine:
        return OpenedGame.tried(self.book(digest), number, start, line)
