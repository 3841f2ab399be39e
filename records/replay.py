"""The replay: turn a record into frames, one for each event, which all other code reads."""

from collections.abc import Container, Iterator, Sequence
from typing import NamedTuple, assert_never

import msgspec

from records.engine.deal import lay_out_deal
from records.engine.plain_play import PLAIN_STARTS, may_run_plainly, run_plain_events
from records.engine.table import Award, Table, TableStep
from records.events import AnyEvent, Irregular
from records.phrases import join_words, list_scores
from records.record import Deal, Record
from records.rules.compiled import CompiledSheet, compile_sheet
from records.rules.registry import ResolvedSheet, resolve_sheet
from records.rules.settlement import settle_deal
from records.rules.vocabulary import GameEnd, OneDeal, RaceTo
from records.safe_text import sanitize_text
from records.validate.breach import Breach, make_breach
from records.validate.checks.deals import check_deal, check_deal_end, side_scores
from records.validate.codes.all_codes import FINDING_CODES
from records.validate.dispatch import checking_stepper
from records.validate.finding import Finding, Place


class Frame(msgspec.Struct, gc=False):
    """One step of a replay: the event, the table after it, its findings, and what was scored.

    `index` is -1 for the deal before its first event, and the number of events (with no event) after
    its last, unless something impossible stopped the deal. The table is live: take `position_of(table)`
    to keep it. `tainted` says that something illegal has happened in this deal, here or before.
    """

    deal: int
    index: int
    event: AnyEvent | None
    table: Table
    findings: tuple[Finding, ...]
    awards: tuple[Award, ...]
    tainted: bool


class Match:
    """What carries over from deal to deal: totals by side, the next dealer, who has won.

    `open` says that the last deal was not played out; once another follows it, the totals are `unsure`.
    """

    __slots__ = (
        "complete", "names", "open", "resolved", "rules", "scores", "settlement", "sides", "unsure", "winner",
    )  # fmt: skip

    def __init__(self, record: Record, resolved: ResolvedSheet) -> None:
        self.resolved = resolved
        self.rules: CompiledSheet = compile_sheet(resolved.sheet)
        self.names = [
            sanitize_text(player.name) or f"Seat {i}" for i, player in enumerate(record.players)
        ]
        self.sides = record.sides or [[seat] for seat in range(len(record.players))]
        self.scores = [0] * len(self.sides)
        self.winner: int | None = None
        self.settlement: list[int] | None = None
        self.complete = False
        self.unsure = False
        self.open = False

    def limit(self, table: Table) -> None:
        """Where play stops at once, let a table know what each side still needs (A-40)."""
        game = self.resolved.sheet.game
        if isinstance(game, RaceTo) and game.end is GameEnd.AT_ONCE:
            table.points_to_win = [
                (side, self._target(game) - score)
                for side, score in zip(self.sides, self.scores, strict=True)
            ]

    def _target(self, game: RaceTo) -> int:
        return game.many_target if len(self.names) >= game.many_from else game.target

    def add(self, table: Table) -> None:
        """Count a deal; the game is won at its end by a single leader on the target (A-11)."""
        points = side_scores(table.points, self.sides)
        self.scores = [total + more for total, more in zip(self.scores, points, strict=True)]
        self.unsure = (
            self.unsure or self.open or table.knowledge.uncertain or table.knowledge.partial
        )
        self.open = table.step is not TableStep.OVER
        if table.step is not TableStep.OVER or self.complete:
            return
        game = self.resolved.sheet.game
        match game:
            case RaceTo():
                self._race(game)
            case OneDeal():
                brisques = [table.brisque_points(seat) for seat in range(table.seats)]
                settled = settle_deal(game, points, side_scores(brisques, self.sides))
                self.scores, self.settlement = settled.totals, settled.receives
                self.complete, self.winner = True, settled.winner
            case _:
                assert_never(game)

    def _race(self, game: RaceTo) -> None:
        best = max(self.scores)
        if best >= self._target(game) and self.scores.count(best) == 1:
            self.complete, self.winner = True, self.scores.index(best)


def replay(
    record: Record,
    resolved: ResolvedSheet | None = None,
    *,
    match: Match | None = None,
    only: Container[type] | None = None,
    log_tricks: bool = False,
    writes_draws: bool | None = None,
) -> Iterator[Frame]:
    """Replay a record from deal to deal; raises RulesError if its rules cannot be resolved.

    With `only`, events of other types, and the deal before its first, get a frame only if they have a
    finding, and what they score is on the table alone. With `log_tricks`, every table keeps its tricks.
    `writes_draws` says whether the record writes draws, where its events do not tell (see `lay_out_deal`).
    """
    if match is None:
        rules = record.rules
        match = Match(record, resolved or resolve_sheet(rules.id, rules.edition, rules.options))
    dealer: int | None = None
    for number, deal in enumerate(record.deals):
        table = lay_out_deal(match.rules, deal, match.names, writes_draws=writes_draws)
        match.limit(table)
        table.trick_log = [] if log_tricks else None
        at = _DealInMatch(match, number, dealer, is_last=number == len(record.deals) - 1)
        yield from _replay_deal(at, table, deal, only)
        match.add(table)
        dealer = (deal.dealer + 1) % len(match.names)


class _DealInMatch(NamedTuple):
    """A deal's place in its match."""

    match: Match
    number: int
    dealer: int | None
    is_last: bool


def _replay_deal(
    at: _DealInMatch, table: Table, deal: Deal, only: Container[type] | None
) -> Iterator[Frame]:
    number, events, awards = at.number, table.events, table.awards
    frames = _FrameMaker(at.match.rules.sheet.id, number, table)
    found_at_start = frames.deal_findings(_check_start(at, table, deal))
    if only is None or found_at_start:
        yield frames.frame(-1, None, found_at_start, tuple(awards))
    stepper = checking_stepper(table)
    plainly = only is not None and may_run_plainly(table)
    while (index := table.index + 1) < len(events):
        # Readers of findings alone need no frames of legal events, so most of those are applied in one go.
        if plainly and type(events[index]) in PLAIN_STARTS:
            index = run_plain_events(table, events, index)
            table.index = index - 1
            if index == len(events):
                break
        event, counted, tricks = events[index], len(awards), table.tricks
        found = stepper.advance(event)
        if found:
            excused = _is_excused(events, index) and not stepper.stopped
            findings = frames.event_findings(found, index, tricks, excused=excused)
        elif only is None or type(event) in only:
            findings = ()
        else:
            continue
        scored = tuple(awards[counted:]) if len(awards) > counted else ()
        yield Frame(number, index, event, table, findings, scored, frames.tainted)
        if stepper.stopped:
            return
    table.index = len(events)
    found_at_end = frames.deal_findings(
        check_deal_end(table, deal, at.match.sides, last=at.is_last)
    )
    yield frames.frame(len(events), None, found_at_end, ())


def _is_excused(events: Sequence[AnyEvent], index: int) -> bool:
    """Whether an `irregular` event right after this one explains what was wrong with it."""
    return index + 1 < len(events) and type(events[index + 1]) is Irregular


def _check_start(at: _DealInMatch, table: Table, deal: Deal) -> list[Breach]:
    match = at.match
    breaches = check_deal(table, deal, at.dealer)
    won = match.complete and not match.unsure
    return [*breaches, _after_the_game(match)] if won else breaches


def _after_the_game(match: Match) -> Breach:
    scores = list_scores(match.scores)
    if match.winner is None:
        return make_breach("deal-after-game-won", clause="drawn", found=scores)
    winner = join_words(match.names[seat] for seat in match.sides[match.winner])
    return make_breach("deal-after-game-won", clause="won", winner=winner, found=scores)


class _FrameMaker:
    """Makes the frames of one deal: breaches get their place, severity and law, and taint what follows."""

    def __init__(self, sheet_id: str, deal: int, table: Table) -> None:
        self.sheet_id = sheet_id
        self.number = deal
        self.table = table
        self.tainted = False

    def frame(
        self,
        index: int,
        event: AnyEvent | None,
        findings: tuple[Finding, ...],
        awards: tuple[Award, ...],
    ) -> Frame:
        """A frame of this deal."""
        return Frame(self.number, index, event, self.table, findings, awards, self.tainted)

    def deal_findings(self, breaches: list[Breach]) -> tuple[Finding, ...]:
        """Findings on the deal itself."""
        if not breaches:
            return ()
        return tuple(
            [self._finding(breach, None, self.table.tricks, excused=False) for breach in breaches]
        )

    def event_findings(
        self, breaches: tuple[Breach, ...], index: int, tricks: int, *, excused: bool
    ) -> tuple[Finding, ...]:
        """Findings on one event after so many tricks; an `irregular` event right after it excuses what was illegal."""
        return tuple([self._finding(breach, index, tricks, excused=excused) for breach in breaches])

    def _finding(self, breach: Breach, index: int | None, tricks: int, *, excused: bool) -> Finding:
        code = FINDING_CODES[breach.code]
        pointer = f"/deals/{self.number}" + ("" if index is None else f"/events/{index}")
        severity = "note" if excused and code.severity == "illegal" else code.severity
        self.tainted = self.tainted or severity == "illegal"
        return Finding(
            code=breach.code,
            severity=severity,
            at=Place(
                deal=self.number,
                event=index,
                pointer=pointer + breach.pointer,
                trick=tricks,
                seat=breach.seat,
            ),
            message=breach.message,
            since=None if breach.since is None else (self.number, breach.since),
            rule=f"{self.sheet_id}/{code.article}" if code.article else None,
            expected=breach.expected,
            found=None if breach.found is None else str(breach.found),
            legal=breach.legal,
            candidates=breach.candidates,
        )
