"""Where pages get their games: stored games kept in memory, permalinks, samples, short digests."""

from base64 import b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path
from time import monotonic
from typing import NamedTuple

import msgspec
import zstandard
from flask import Flask, current_app, request
from msgspec.structs import replace

from analyzer.identify.corrections import Correction, suggest_corrections
from analyzer.identify.habits import MendedHabits, has_habits, mend_habits
from analyzer.identify.matching_rules import RulesCandidate, identify_rules
from analyzer.review.deep_review import GameReview
from analyzer.review.exact_values import reason_game_not_reviewed
from analyzer.review.review_words import call_players
from analyzer.store.made_corrections import corrections_of
from analyzer.store.player_names import with_names
from analyzer.store.processes import ProcessPool
from analyzer.store.rulebooks import stored_rulebook
from analyzer.store.store import Store, StoredGame
from analyzer.store.weighed_cache import WeighedCache
from records.corrected import NO_CORRECTIONS, Corrections, correct
from records.engine.copies import ReadingBudget
from records.errors import RulesError
from records.format import codec
from records.record import Record
from records.replay import Frame, Match, replay
from records.rules.registry import ResolvedSheet, resolve_rules
from records.rules.vocabulary import RuleSheet
from records.validate.finding import Finding
from records.validate.report import Report
from records.validator import Validator
from webui.display.markup import json_in_page
from webui.replay.steps import FULL_VISIBILITY, DealSteps, Visibility, read_deal_steps
from webui.replay.what_if import TriedLine, finish_line, read_line, try_line, write_line

# A stored record's report, and the step of the replay at which each of its findings is seen.

READING_STEPS_TO_FIND_STEPS = 2_000
"""An upload shows many records beside each other, and each may have a finding whose step must be found."""

CODES_OF_SEARCHES = ("too-many-completions", "no-legal-completion", "undetermined")
"""Findings on a deal as a whole that no step of the replay has: they are seen at its start."""


@dataclass(frozen=True, slots=True)
class CheckedRecord:
    """A report, and by finding on a deal its step: 0 is the deal, the last one is the deal's end."""

    report: Report
    steps: dict[Finding, int]


def step_of_finding(finding: Finding, steps: Callable[[], dict[Finding, int]]) -> int | None:
    """The step at which a finding is seen: step 0 is the deal, step n follows event n, counted from 1.

    Only a finding on a deal as a whole asks for the `steps` of all, as it may be seen at the deal's start or at its
    end. None for a finding on no deal.
    """
    at = finding.at
    if at.deal is None:
        return None
    if at.event is not None:
        return at.event + 1
    return 0 if finding.code in CODES_OF_SEARCHES else steps().get(_without_line(finding), 0)


def find_steps(record: Record, resolved: ResolvedSheet) -> dict[Finding, int]:
    """The step of each finding of the replay alone, at little cost: nothing is searched."""
    match = Match(record, resolved, budget=ReadingBudget(READING_STEPS_TO_FIND_STEPS))
    steps: dict[Finding, int] = {}
    for frame in replay(record, match=match, findings_only=True, few_readings=True):
        _note_steps(frame, steps)
    return steps


def check_opened_record(
    record: Record, text_findings: list[Finding], *, digest: str, line: int | None
) -> CheckedRecord:
    """Check a record in one replay; `text_findings` come from reading its text, `line` counts from 1."""
    validator = Validator(record, line=line)
    steps: dict[Finding, int] = {}
    if validator.match is not None:
        for frame in replay(record, match=validator.match, findings_only=True, few_readings=True):
            validator.see(frame)
            _note_steps(frame, steps)
    report = validator.report()
    report.digest = digest
    report.put_first(text_findings)
    return CheckedRecord(report, steps)


def _note_steps(frame: Frame, steps: dict[Finding, int]) -> None:
    for finding in frame.findings:
        steps.setdefault(_without_line(finding), frame.index + 1)


def _without_line(finding: Finding) -> Finding:
    """The finding as the replay has it: the report adds the line."""
    return replace(finding, at=replace(finding.at, line=None))


# Which rules fit a game, and which correction would make an illegal one legal, searched for as long as a page may wait.

SEARCH_SECONDS = 5
"""A page searches this long for rules, and again as long for corrections; the command line has no such limit."""


class IdentifiedGame(NamedTuple):
    """The rules that a game fits, and corrections if it is illegal.

    `mended_candidates` are the rules that it fits once its habits are mended; empty if it has none that can be.
    """

    candidates: list[RulesCandidate]
    corrections: list[Correction]
    mended_candidates: list[RulesCandidate]


def identify_game(record: Record, mended: Record | None = None) -> IdentifiedGame:
    """Search for both; `mended` is the record with its habits mended, if it has any."""
    until = monotonic() + SEARCH_SECONDS
    return IdentifiedGame(
        identify_rules(record, until=until),
        _corrections(record, until + SEARCH_SECONDS),
        identify_rules(mended, until=monotonic() + SEARCH_SECONDS) if mended else [],
    )


def _corrections(record: Record, until: float) -> list[Correction]:
    """Corrections, of which there are none by rules that do not exist."""
    try:
        return suggest_corrections(record, until=until)
    except RulesError:
        return []


# Stored games as the pages need them: read and decoded once, and kept in memory while they are in use.

MOST_GAMES_CACHED, MOST_BYTES_OF_GAMES = 256, 64 * 1024 * 1024
FINDING_MEMORY, MOST_BYTES_OF_STEPS = 2_000, 16 * 1024 * 1024
MOST_DEALS_CACHED, MOST_BYTES_OF_DEALS = 256, 64 * 1024 * 1024
MOST_LINES_CACHED, MOST_BYTES_OF_LINES = 256, 64 * 1024 * 1024
"""How many games, deals and lines stay in memory, and how many bytes they take at most; games of one deal take kilobytes."""
MOST_RULEBOOKS_CACHED, RULEBOOK_MEMORY = 32, 256 * 1024
"""How many rulebooks of stored games stay in memory, and what one takes."""
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
        return json_in_page(self.deal)


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

    @property
    def shown_record(self) -> Record:
        """The record as pages show it: who was renamed since has the new name there."""
        return self.record

    @property
    def why_not_reviewed(self) -> str:
        """Why the game cannot be reviewed, in a sentence; empty if it can."""
        return reason_game_not_reviewed(self.record, self.resolved.sheet)

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
        self._require_deal(number)
        return OpenedDeal(read_deal_steps(self.shown_record, self.resolved, number, visibility))

    def _require_deal(self, number: int) -> None:
        if not 0 <= number < len(self.record.deals):
            raise GameNotFound(self.digest)

    def try_line(self, number: int, start: int, line: str) -> TriedLine:
        """A deal with a line, as an address spells it, played from a step on; raises UnlawfulLine."""
        self._require_deal(number)
        # Nobody has points before the first deal; of others the steps are in memory, as a rule, and tell them.
        before = self.deal(number).deal.before if number else None
        events = read_line(line, len(self.record.players))
        return try_line(self.shown_record, self.resolved, number, start, events, before)

    def finish_line(self, number: int, start: int, line: str) -> str:
        """A line, as an address spells it, played on by simple players to the end of the deal; raises UnlawfulLine."""
        self._require_deal(number)
        events = read_line(line, len(self.record.players))
        return write_line(finish_line(self.shown_record, self.resolved, number, start, events))


@dataclass(frozen=True, eq=False, kw_only=True)
class CachedGame(OpenedGame):
    """One stored game: its row in the database, its bytes, what reading them found, its report. Its deals and lines stay in the `cache`.

    Its record tells what the `corrections` say that hold; its bytes are as they were `uploaded`. No rename is in it: what
    pages write of its players comes from the `shown_record`.
    """

    stored: StoredGame
    data: bytes
    uploaded: Record
    corrections: Corrections
    text_findings: list[Finding]
    cache: "GameCache"

    @property
    def corrected_data(self) -> bytes:
        """The record as corrected, in the canonical form; its bytes if nothing was corrected."""
        return codec.encode(self.record) if self.corrections else self.data

    @cached_property
    def checked(self) -> CheckedRecord:
        """The report as the rules are now; most pages never ask for it."""
        return check_opened_record(
            self.record, self.text_findings, digest=self.digest, line=self.stored.line
        )

    @cached_property
    def shown_record(self) -> Record:
        """The record with the names that lists give those of its players who were renamed."""
        return with_names(self.record, self.stored.names)

    def rename_review(self, review: GameReview) -> GameReview:
        """A review of this game with the names of `shown_record`."""
        if self.shown_record is self.record:
            return review
        return call_players(review, Match(self.shown_record, self.resolved).names)

    @cached_property
    def shown_report(self) -> Report:
        """The report as pages show it: a sentence of it may name who won."""
        if self.shown_record is self.record:
            return self.report
        return check_opened_record(
            self.shown_record, self.text_findings, digest=self.digest, line=self.stored.line
        ).report

    @cached_property
    def identified(self) -> IdentifiedGame:
        """The rules that the game fits, and corrections; only one page asks for them, and they take seconds."""
        mended = None
        if self.mended.corrections:
            mended = with_names(self.mended.record, self.stored.names)
        return self.cache.processes.call(identify_game, self.shown_record, mended)

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
    """Takes games from a store and keeps the last ones in memory, until somebody corrects, renames or deletes something."""

    def __init__(self, store: Store, processes: ProcessPool | None = None) -> None:
        self.store, self.processes = store, processes or ProcessPool(0)
        store.when_changed(self.clear)
        self.game = WeighedCache(
            self._open,
            lambda game: GAME_MEMORY * len(game.data),
            most_answers=MOST_GAMES_CACHED,
            most_bytes=MOST_BYTES_OF_GAMES,
        )
        # Every finding of a page asks for its step.
        self.steps = WeighedCache(
            lambda digest: self.game(digest).steps,
            lambda steps: FINDING_MEMORY * len(steps),
            most_answers=MOST_GAMES_CACHED,
            most_bytes=MOST_BYTES_OF_STEPS,
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

        self.rulebook = WeighedCache(
            self._read_rulebook,
            lambda _: RULEBOOK_MEMORY,
            most_answers=MOST_RULEBOOKS_CACHED,
            most_bytes=MOST_RULEBOOKS_CACHED * RULEBOOK_MEMORY,
        )

    def _read_rulebook(self, key: str) -> RuleSheet:
        found = stored_rulebook(self.store, key)
        if found is None:
            raise GameNotFound(key)
        return found

    def clear(self) -> None:
        """Forget everything: a game has been deleted or corrected, or a player renamed."""
        self.rulebook.cache_clear()
        self.game.cache_clear()
        self.steps.cache_clear()
        self.deal.cache_clear()
        self.line.cache_clear()

    def step_of(self, digest: str, finding: Finding) -> int | None:
        """The step at which a finding on a stored game is seen; None for a finding on no deal."""
        return step_of_finding(finding, lambda: self.steps(digest))

    def _open(self, digest: str) -> CachedGame:
        stored, data = self.store.game(digest), self.store.record_bytes(digest)
        if stored is None or data is None:
            # A record without deals had another digest once, and old links name it.
            today = self.store.digests_beginning(digest) if len(digest) == DIGEST_CHARACTERS else []
            if today and today[0] != digest:
                return self._open(today[0])
            raise GameNotFound(digest)
        decoded = codec.decode(data, line=stored.line)
        if decoded.record is None:
            raise GameNotFound(digest)
        holding = corrections_of(self.store, [digest]).get(digest, NO_CORRECTIONS)
        record = correct(decoded.record, holding)
        return CachedGame(
            record=record,
            resolved=resolve_rules(record.rules),
            digest=digest,
            source=GameSource("deals", {"digest": digest}),
            stored=stored,
            data=data,
            text_findings=decoded.findings,
            uploaded=decoded.record,
            corrections=holding,
            cache=self,
        )

    # Both go past the methods of CachedGame, which would ask the cache again.
    def _read_deal(self, digest: str, number: int, visibility: Visibility) -> OpenedDeal:
        return self.game(digest).read_deal(number, visibility)

    def _try_line(self, digest: str, number: int, start: int, line: str) -> TriedLine:
        return OpenedGame.try_line(self.game(digest), number, start, line)


# Permalinks: a whole record inside an address, compressed, and expanded only up to a limit.

LONGEST_PERMALINK = 6_000
"""The most characters of a permalink's record: browsers, chats and servers still pass on this many."""
LARGEST_RECORD_BYTES = 256 * 1024
"""The most bytes that a permalink may expand to."""
PERMALINK_ZSTD_LEVEL = 19
_LARGEST_WINDOW_BYTES = 1 << 20


class InvalidPermalink(ValueError):
    """A permalink that holds no record; the text says why."""


def encode_permalink(data: bytes) -> str:
    """The record as text for an address; empty if it is too long."""
    return _encode(data) if len(data) <= LARGEST_RECORD_BYTES else ""


@lru_cache(16)
def _encode(data: bytes) -> str:
    text = urlsafe_b64encode(zstandard.compress(data, PERMALINK_ZSTD_LEVEL)).decode().rstrip("=")
    return text if len(text) <= LONGEST_PERMALINK and decode_permalink(text) == data else ""


def decode_permalink(text: str) -> bytes:
    """The bytes that a permalink holds, at most `LARGEST_RECORD_BYTES`; raises InvalidPermalink."""
    if len(text) > LONGEST_PERMALINK:
        raise InvalidPermalink(
            f"A record in an address has at most {LONGEST_PERMALINK:,} characters."
        )
    try:
        packed = b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        reader = zstandard.ZstdDecompressor(max_window_size=_LARGEST_WINDOW_BYTES).stream_reader(
            packed
        )
        data = reader.read(LARGEST_RECORD_BYTES + 1)
    except (ValueError, zstandard.ZstdError):
        raise InvalidPermalink("The record in this address is damaged or cut off.") from None
    if len(data) > LARGEST_RECORD_BYTES:
        raise InvalidPermalink(
            f"The record in this address expands to more than {LARGEST_RECORD_BYTES // 1024} KiB."
        )
    return data


def open_permalink(text: str) -> OpenedGame:
    """The game that a permalink holds; raises InvalidPermalink."""
    return open_record(decode_permalink(text), GameSource("permalinks", {"record": text}))


def open_record(data: bytes, source: GameSource) -> OpenedGame:
    """The game of a record that is in no collection; raises InvalidPermalink where it cannot be replayed."""
    decoded = codec.decode(data)
    if decoded.record is None:
        raise InvalidPermalink(decoded.findings[0].message)
    validator = Validator(decoded.record)
    if validator.resolved is None or validator.match is None:
        raise InvalidPermalink(validator.findings[0].message)
    return OpenedGame(record=decoded.record, resolved=validator.resolved, source=source)


# The samples: where they are.


def samples_folder() -> Path:
    """The folder of samples: in the installed package, which lacks `perft`, or beside the packages."""
    records = Path(str(files("records")))
    packaged = records / "samples"
    return packaged if packaged.is_dir() else records.parent / "samples"


# Short addresses of stored games: the first twelve characters of a digest stand for all of it.

SHORT_DIGEST_CHARACTERS = 12
"""How many characters of a digest short addresses have; an address may have more, and as few as this."""
DIGEST_CHARACTERS = 64


def init_app(app: Flask) -> None:
    """Complete the short digests in addresses, once it is settled that the request is answered at all."""
    app.before_request(_complete_digest)


def shorten_digest(digest: str) -> str:
    """The characters of a digest that an address needs."""
    return digest[:SHORT_DIGEST_CHARACTERS]


def _complete_digest() -> None:
    """Put the whole digest in the place of its beginning; one that fits no game, or several, stays as it is."""
    values = request.view_args or {}
    start = values.get("digest", "")
    if SHORT_DIGEST_CHARACTERS <= len(start) < DIGEST_CHARACTERS:
        store: Store = current_app.extensions["store"]
        found = store.digests_beginning(start)
        values["digest"] = found[0] if len(found) == 1 else start
