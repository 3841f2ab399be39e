"""Stored games as the pages need them: read and decoded once, and kept in memory while they are in use."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import msgspec

from analyzer.db.store import Store, StoredGame
from analyzer.identify.habit_corrections import MendedHabits, has_habits, mend_habits
from analyzer.processes import ProcessPool
from analyzer.weighed_cache import WeighedCache
from records import codec
from records.record import Record
from records.rules.registry import ResolvedSheet, resolve_rules
from records.validate.finding import Finding
from records.validate.report import Report
from webui.games.checked_record import (
    CheckedRecord,
    check_opened_record,
    find_steps,
    step_of_finding,
)
from webui.games.identified_game import IdentifiedGame, identify_game
from webui.replay.line_url import read_line, write_line
from webui.replay.read_deal import read_deal_steps
from webui.replay.steps import DealSteps
from webui.replay.visibility import FULL_VISIBILITY, Visibility
from webui.replay.what_if import TriedLine, finish_line, try_line

MOST_GAMES_CACHED, MOST_BYTES_OF_GAMES = 256, 64 * 1024 * 1024
MOST_DEALS_CACHED, MOST_BYTES_OF_DEALS = 256, 64 * 1024 * 1024
MOST_LINES_CACHED, MOST_BYTES_OF_LINES = 256, 64 * 1024 * 1024
"""How many games, deals and lines stay in memory, and how many bytes they take at most; games of one deal take kilobytes."""
MOST_VIEWS_CACHED = 4
"""How many views of its deals a game has in memory that is itself in no cache."""
GAME_MEMORY, STEPS_MEMORY = 24, 4
"""How many bytes of memory a record with its report takes at most, or the steps of a deal, for each byte of JSON."""

HABIT_SECONDS = 1
"""How long a process searches for what would mend a record's habits; of most records it takes milliseconds."""


class GameNotFound(LookupError):
    """There is no such game, or no such deal in it."""


def find_mended_habits(
    processes: ProcessPool, record: Record, findings: Sequence[Finding]
) -> MendedHabits:
    """What would mend the habits among all findings on a record, searched for in a process on call, if there are any."""
    if not has_habits(findings):
        return MendedHabits([], record)
    return processes.call(mend_habits, record, findings, seconds=HABIT_SECONDS)


@dataclass(frozen=True, eq=False)
class OpenedDeal:
    """One deal of a game as steps, and the same as JSON."""

    deal: DealSteps

    @cached_property
    def json(self) -> str:
        """The steps as JSON that may stand inside a page."""
        return msgspec.json.encode(self.deal).decode().replace("<", "\\u003c")


@dataclass(frozen=True, slots=True)
class GameSource:
    """Where a game comes from: the blueprint of the views that show it, and what their addresses need."""

    blueprint: str
    values: Mapping[str, str | int]


@dataclass(frozen=True, eq=False, kw_only=True)
class OpenedGame:
    """A game that can be looked at: its record and its rules.

    A stored game has a `digest`, which is empty for others.
    """

    record: Record
    resolved: ResolvedSheet
    source: GameSource
    digest: str = ""
    _deals: dict[tuple[int, Visibility], OpenedDeal] = field(default_factory=dict)

    def deal(self, number: int, visibility: Visibility = FULL_VISIBILITY) -> OpenedDeal:
        """The deal with this index as steps, as far as it is visible; raises GameNotFound.

        The last few are kept: an example is open as long as the server runs, and has a view for every seat and step.
        """
        known = self._deals.get((number, visibility))
        if known is None:
            known = self.read_deal(number, visibility)
            for oldest in list(self._deals)[: max(0, len(self._deals) - MOST_VIEWS_CACHED + 1)]:
                self._deals.pop(oldest, None)  # another thread may have done so
            self._deals[number, visibility] = known
        return known

    def read_deal(self, number: int, visibility: Visibility) -> OpenedDeal:
        """The same, read again; raises GameNotFound."""
        if not 0 <= number < len(self.record.deals):
            raise GameNotFound(self.digest)
        return OpenedDeal(read_deal_steps(self.record, self.resolved, number, visibility))

    def try_line(self, number: int, start: int, line: str) -> TriedLine:
        """A deal with a line, as an address spells it, played from a step on; raises UnlawfulLine."""
        if not 0 <= number < len(self.record.deals):
            raise GameNotFound(self.digest)
        # Nobody has points before the first deal; of others the steps are in memory, as a rule, and tell them.
        before = self.deal(number).deal.before if number else None
        events = read_line(line, len(self.record.players))
        return try_line(self.record, self.resolved, number, start, events, before)

    def finish_line(self, number: int, start: int, line: str) -> str:
        """A line, as an address spells it, played on by simple players to the end of the deal; raises UnlawfulLine."""
        if not 0 <= number < len(self.record.deals):
            raise GameNotFound(self.digest)
        events = read_line(line, len(self.record.players))
        return write_line(finish_line(self.record, self.resolved, number, start, events))


@dataclass(frozen=True, eq=False, kw_only=True)
class CachedGame(OpenedGame):
    """One stored game: its row in the database, its bytes, what reading them found, its report. Its deals and lines stay in the `cache`."""

    stored: StoredGame
    data: bytes
    text_findings: list[Finding]
    cache: "GameCache"

    @cached_property
    def checked(self) -> CheckedRecord:
        """The report as the rules are now; most pages never ask for it."""
        return check_opened_record(
            self.record, self.text_findings, digest=self.digest, line=self.stored.line
        )

    @cached_property
    def identified(self) -> IdentifiedGame:
        """The rules that the game fits, and corrections; only one page asks for them, and they take seconds."""
        mended = self.mended.record if self.mended.corrections else None
        return self.cache.processes.call(identify_game, self.record, mended)

    @cached_property
    def mended(self) -> MendedHabits:
        """What would mend the habits in the record; it takes many checks of it, where there are any."""
        return find_mended_habits(self.cache.processes, self.record, self.report.findings)

    @cached_property
    def steps(self) -> dict[Finding, int]:
        """The steps of the findings of the replay, without checking the record if that was not done."""
        known: CheckedRecord | None = self.__dict__.get("checked")
        return known.steps if known else find_steps(self.record, self.resolved)

    @property
    def report(self) -> Report:
        """The report on the record, by the rules as they are now."""
        return self.checked.report

    def deal(self, number: int, visibility: Visibility = FULL_VISIBILITY) -> OpenedDeal:
        """The deal with this index as steps, from memory if it was read before; raises GameNotFound."""
        return self.cache.deal(self.digest, number, visibility)

    def try_line(self, number: int, start: int, line: str) -> TriedLine:
        """A deal with a line, from memory if it was tried before; raises UnlawfulLine."""
        return self.cache.line(self.digest, number, start, line)


class GameCache:
    """Takes games from a store and keeps the last ones in memory: a stored game never changes, it can only go."""

    def __init__(self, store: Store, processes: ProcessPool | None = None) -> None:
        self.store, self.processes = store, processes or ProcessPool(0)
        self.game = WeighedCache(
            self._open,
            lambda game: GAME_MEMORY * len(game.data),
            most_answers=MOST_GAMES_CACHED,
            most_bytes=MOST_BYTES_OF_GAMES,
        )
        self.deal = WeighedCache(
            self._read_deal,
            lambda opened: STEPS_MEMORY * len(opened.json),
            most_answers=MOST_DEALS_CACHED,
            most_bytes=MOST_BYTES_OF_DEALS,
        )
        self.line = WeighedCache(
            self._try_line,
            lambda tried: STEPS_MEMORY * len(msgspec.json.encode(tried)),
            most_answers=MOST_LINES_CACHED,
            most_bytes=MOST_BYTES_OF_LINES,
        )

    def clear(self) -> None:
        """Forget everything: a game has been deleted."""
        self.game.cache_clear()
        self.deal.cache_clear()
        self.line.cache_clear()

    def step_of(self, digest: str, finding: Finding) -> int | None:
        """The step at which a finding on a stored game is seen; None for a finding on no deal."""
        return step_of_finding(finding, lambda: self.game(digest).steps)

    def _open(self, digest: str) -> CachedGame:
        stored, data = self.store.game(digest), self.store.record_bytes(digest)
        if stored is None or data is None:
            raise GameNotFound(digest)
        decoded = codec.decode(data, line=stored.line)
        record = decoded.record
        if record is None:
            raise GameNotFound(digest)
        return CachedGame(
            record=record,
            resolved=resolve_rules(record.rules),
            digest=digest,
            source=GameSource("deals", {"digest": digest}),
            stored=stored,
            data=data,
            text_findings=decoded.findings,
            cache=self,
        )

    # Both go past the methods of CachedGame, which would ask the cache again.
    def _read_deal(self, digest: str, number: int, visibility: Visibility) -> OpenedDeal:
        return self.game(digest).read_deal(number, visibility)

    def _try_line(self, digest: str, number: int, start: int, line: str) -> TriedLine:
        return OpenedGame.try_line(self.game(digest), number, start, line)
