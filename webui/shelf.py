"""Stored games as the pages need them: read once, and kept at hand while they are asked for."""

from functools import lru_cache

import msgspec

from analyzer.store import Game, Store
from records import codec
from records.record import Record
from records.report import Report
from records.rules.registry import Resolved, resolve
from records.validate.finding import Finding
from webui.lines import read_line
from webui.sight import SEEN_BY_ALL, Sight
from webui.step import DealSteps
from webui.steps import steps_of
from webui.whatif import Tried, tried

GAMES = 16
DEALS = 64
TRIED = 64
LAST_STEP = 1_000_000
"""Leads to the last step of a deal, however many it has."""


class Book(msgspec.Struct, frozen=True, eq=False):
    """One stored game: its line in the list, its bytes, its record, its rules and its report."""

    game: Game
    data: bytes
    record: Record
    resolved: Resolved
    report: Report


class Opened(msgspec.Struct, frozen=True, eq=False):
    """One deal of a game as steps, and the same as JSON."""

    deal: DealSteps
    json: str


class NotOnShelf(LookupError):
    """There is no such game, or no such deal in it."""


class Shelf:
    """Takes games from a store, the last ones from memory: a stored game never changes, it can only go."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.book = lru_cache(GAMES)(self._book)
        self.story = lru_cache(DEALS)(self._read)
        self.tried = lru_cache(TRIED)(self._try)

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
        deal = self.deal(digest, at.deal).deal
        known = deal.findings.index(finding) if finding in deal.findings else -1
        return next((i for i, step in enumerate(deal.steps) if known in step.findings), 0)

    def _book(self, digest: str) -> Book:
        game, data = self.store.game(digest), self.store.record_bytes(digest)
        report = self.store.report(digest)
        if game is None or data is None or report is None:
            raise NotOnShelf(digest)
        report.digest = digest
        record = codec.decode(data, line=game.line).record
        if record is None:
            raise NotOnShelf(digest)
        rules = record.rules
        return Book(game, data, record, resolve(rules.id, rules.edition, rules.options), report)

    def deal(self, digest: str, number: int, sight: Sight = SEEN_BY_ALL) -> Opened:
        """A deal as steps, as far as they are to be seen."""
        return self.story(digest, number, sight)

    def _read(self, digest: str, number: int, sight: Sight) -> Opened:
        book = self.book(digest)
        if not 0 <= number < len(book.record.deals):
            raise NotOnShelf(digest)
        deal = steps_of(book.record, book.resolved, number, sight)
        return Opened(deal, msgspec.json.encode(deal).decode().replace("<", "\\u003c"))

    def _try(self, digest: str, number: int, start: int, line: str) -> Tried:
        """A deal gone on with by a line as an address has it; raises Unlawful."""
        book = self.book(digest)
        events = read_line(line, len(book.record.players))
        before = self.deal(digest, number).deal.before
        return tried(book.record, book.resolved, number, start, events, before)
