"""The replay: a record as frames, one for each event, with the table after it and what its checks found.

All other code that wants to know what happened in a deal reads these frames.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple, assert_never

import msgspec
from msgspec.structs import replace

from records.cards import SUITS
from records.engine.copies import CopyBoundsByMeld, ReadingBudget, locate_copies
from records.engine.deal import lay_out_deal
from records.engine.deal_state import Award
from records.engine.effects import annul_deal
from records.engine.readings import laid_bounds
from records.engine.table import Table, TableStep
from records.events import AnyEvent, actor_of
from records.phrases import join_words, list_scores, sanitize_text
from records.record import Deal, Record, Result, is_claimed_over
from records.rules.compiled import CompiledSheet, compile_sheet
from records.rules.registry import ResolvedSheet, resolve_rules
from records.rules.settlement import possible_settlements, race_target, race_winner, settle_deal
from records.rules.vocabulary import GameEnd, OneDeal, RaceTo
from records.validate.breach import (
    Breach,
    breach_by,
    excused_codes,
    excused_dealing,
    excused_points,
    is_misdeal,
    make_breach,
)
from records.validate.causes import DealCauses, Difference
from records.validate.check_deals import (
    certain_scores,
    check_claimed_scores,
    check_deal,
    check_deal_end,
    check_dealer,
    is_broken_off,
    side_scores,
)
from records.validate.check_totals import PossibleScores, possible_scores
from records.validate.codes import FINDING_CODES
from records.validate.dispatch import checking_stepper
from records.validate.finding import Cause, Finding, Place


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


class MatchOutcome(NamedTuple):
    """How a match may have ended: its winner, None for a draw, and what each side receives, if it is settled."""

    winner: int | None
    settlement: list[int] | None = None


class Match:
    """What carries over from deal to deal: totals by side, and how the match ended once it is `complete`.

    `scores` are computed from the cards, None where those leave them open. In the `tally` the scores that the record
    claims for a deal stand in for those that its cards leave open; it is None where the record claims none either.
    `outcomes` are those that the tally allows, none if it does not tell. `differences` are what the record counts
    differently in the deals, by side.

    `open` says that the last deal was not played out, `stood_in` that its claim stands in the tally, `broken_off` that
    nothing the record leaves out can have ended it. `claimed_over` says that the result calls the match played out,
    `tainted` that something illegal has happened.

    `reading_budget` is what telling copies apart may still cost, `few_readings_budget` what proving deals legal by few
    readings may.
    """

    __slots__ = (
        "_counted", "_cut_short", "_left_open", "_ruled", "broken_off", "claimed_over", "complete", "differences",
        "few_readings_budget", "names", "next_dealer", "open", "outcomes", "reading_budget", "resolved", "rules", "scores", "sides",
        "stood_in", "tainted", "tally",
    )  # fmt: skip

    def __init__(
        self, record: Record, resolved: ResolvedSheet, *, budget: ReadingBudget | None = None
    ) -> None:
        self.resolved = resolved
        self.reading_budget = budget or ReadingBudget()
        self.few_readings_budget = self.reading_budget.for_few_readings()
        self.rules: CompiledSheet = compile_sheet(resolved.sheet)
        self.names = [
            sanitize_text(player.name) or f"Seat {i}" for i, player in enumerate(record.players)
        ]
        self.sides = record.sides or [[seat] for seat in range(len(record.players))]
        self.scores: list[int] | None = [0] * len(self.sides)
        self.tally: list[int] | None = self.scores
        self._ruled = self.scores
        self.outcomes: list[MatchOutcome] = []
        self.claimed_over = is_claimed_over(record.result)
        self.differences: list[Difference] = []
        self.complete = False
        self.next_dealer: int | None = None
        self.open = False
        self.stood_in = self.broken_off = self.tainted = self._cut_short = False
        self._counted: list[int] | None = None
        self._left_open: list[PossibleScores | None] = []

    @property
    def winner(self) -> int | None:
        """The side that won; None for a draw, and as long as the cards do not tell."""
        decided = self.scores is not None and self.outcomes
        return self.outcomes[0].winner if decided else None

    @property
    def settlement(self) -> list[int] | None:
        """What each side receives; None in games without a settlement, and as long as the cards do not tell."""
        decided = self.scores is not None and self.outcomes
        return self.outcomes[0].settlement if decided else None

    @property
    def result(self) -> Result:
        """What a record of the match played so far says; deals of which too many readings leave the points open count as claimed."""
        outcome = self.outcomes[0] if len(self.outcomes) == 1 else None
        return Result(
            status="complete" if self.complete else "unfinished",
            scores=self.tally,
            settlement=outcome and outcome.settlement,
            winner=outcome and outcome.winner,
        )

    @property
    def is_tally_final(self) -> bool:
        """Whether the tally is known, and stands for deals that were played out or claimed to be."""
        return self.tally is not None and not (self.open and self.stood_in)

    @property
    def is_end_known(self) -> bool:
        """Whether it is known if the match was played to its end."""
        return self.broken_off or self.complete or self.is_tally_final

    @property
    def possible(self) -> PossibleScores | None:
        """What the scores of the match can be, where some deals leave theirs open; None where nothing is sure."""
        if not self._left_open or self._counted is None or self._cut_short or self.tainted:
            return None
        first, *others = self._left_open
        for other in others:
            first = first and first.with_deal(other)
        return first and first.with_scores(self._counted)

    def limit(self, table: Table) -> None:
        """Let a table know its partners and, where play stops at once, what each side still needs (A-40)."""
        self.seat_partners(table)
        game = self.resolved.sheet.rules.match
        if isinstance(game, RaceTo) and game.end is GameEnd.AT_ONCE and self.scores is not None:
            table.points_to_win = [
                (side, race_target(game, len(self.names)) - score)
                for side, score in zip(self.sides, self.scores, strict=True)
            ]

    def seat_partners(self, table: Table) -> None:
        """Let a table know who may meld for whom, where partners may meld for the winner of a trick."""
        if self.resolved.sheet.rules.partners_meld:
            sides = {seat: side for side in self.sides for seat in side}
            table.partners = [
                tuple([other for other in sides[seat] if other != seat])
                for seat in range(len(self.names))
            ]

    def add(self, table: Table, deal: Deal | None = None, *, broken_off: bool = False) -> None:
        """Count a deal, by the scores that the record claims for it where its cards do not tell.

        It may decide the match (A-11), if it is not `broken_off`. Of a misdeal nothing counts but the points of the
        ruling, and these settle nothing.
        """
        self.broken_off = broken_off
        if self.open:
            # Another deal follows one that was not played out, so what that one brought is not known.
            self.scores = self.tally = None
            # In its events nothing ended it, so it may have brought less than a whole deal does.
            self._left_open += [None] if self._cut_short else []
        points = self._count_points(table, deal)
        if table.misdealt:
            self.open = False
            if not self.complete:
                self._ruled = _added(self._ruled, points) or self._ruled
            return
        # Where only the scores of a deal are known, claiming them says that it was played out.
        over = table.step is TableStep.OVER or (table.knowledge.scores_only and self.stood_in)
        self.open = not over
        self._cut_short = self.open and not table.knowledge.scores_only
        if not over or self.complete:
            return
        game = self.resolved.sheet.rules.match
        match game:
            case RaceTo():
                self.outcomes = self.outcomes_of(self.tally) if self.tally else []
                self.complete = bool(self.outcomes)
            case OneDeal():
                self.complete = True
                self.outcomes = self._settled(game, table)
            case _:
                assert_never(game)

    def _count_points(self, table: Table, deal: Deal | None) -> list[int] | None:
        """Add what a deal brought to the scores, the tally and what is left open; returns what its cards tell of it."""
        claimed = deal.claims.scores if deal and deal.claims else None
        points = certain_scores(table, self.sides, claimed)
        stated = claimed if points is None else points
        if stated is None:
            # From here on the tally is not known: what the other deals bring is added up apart from it.
            self._counted = self._counted or self.tally
            possible = possible_scores(table, deal, self.sides) if deal is not None else None
            self._left_open.append(possible)
        elif self._left_open:
            self._counted = _added(self._counted, stated)
        # As long as no claim has stood in, the tally is the scores.
        before, self.scores = self.scores, _added(self.scores, points)
        same = self.tally is before and stated is points
        self.tally = self.scores if same else _added(self.tally, stated)
        self.stood_in = points is None and claimed is not None
        return points

    def outcomes_of(self, totals: list[int]) -> list[MatchOutcome]:
        """How the match may have ended if it came to these totals after a deal; not at all, if none is returned."""
        game = self.resolved.sheet.rules.match
        match game:
            case RaceTo():
                winner = race_winner(game, totals, len(self.names))
                return [] if winner is None else [MatchOutcome(winner)]
            case OneDeal():
                # A match of one deal is settled by that deal: what was ruled for misdeals before it is no part of it.
                own = [total - ruled for total, ruled in zip(totals, self._ruled, strict=True)]
                brisques, worth = (
                    self.rules.brisques_in_pack,
                    self.resolved.sheet.rules.brisques.points,
                )
                found = possible_settlements(game, own, brisques=brisques, worth=worth)
                return [MatchOutcome(winner, receives) for receives, winner in found]
            case _:
                assert_never(game)

    @property
    def believed(self) -> list[int] | None:
        """The totals as the record counts them: the tally with all differences; None if there are none."""
        if self.tally is None or not self.differences:
            return None
        return [
            total + sum(difference.points[side] for difference in self.differences)
            for side, total in enumerate(self.tally)
        ]

    def _settled(self, game: OneDeal, table: Table) -> list[MatchOutcome]:
        """How the only deal was settled; by the totals claimed, where the cards do not tell."""
        if self.scores is not None:
            brisques = [table.brisque_points(seat) for seat in range(table.seats)]
            points = side_scores(table.points, self.sides)
            settled = settle_deal(game, points, side_scores(brisques, self.sides))
            return [MatchOutcome(settled.winner, settled.receives)]
        return [] if self.tally is None else self.outcomes_of(self.tally)


def _added(totals: list[int] | None, more: list[int] | None) -> list[int] | None:
    """Totals with the scores of a deal; None if either is unknown."""
    if totals is None or more is None:
        return None
    return [total + points for total, points in zip(totals, more, strict=True)]


def replay(
    record: Record,
    resolved: ResolvedSheet | None = None,
    *,
    match: Match | None = None,
    findings_only: bool = False,
    log_tricks: bool = False,
    writes_draws: bool | None = None,
    few_readings: bool = False,
    first: int = 0,
) -> Iterator[Frame]:
    """Replay a record from deal to deal, the `first` ones left out; raises RulesError if its rules cannot be resolved.

    With `findings_only`, events, and the deal before its first, get a frame only if they have a finding, and
    what other events score is on the table alone; the end of a deal always gets one. With `log_tricks`, every
    table keeps its tricks.
    `writes_draws` says whether the record writes draws, where its events do not tell (see `lay_out_deal`).
    With `few_readings` and `findings_only`, tables have only a few readings where these prove a deal legal.
    """
    if match is None:
        match = Match(record, resolved or resolve_rules(record.rules))
    for number, deal in enumerate(record.deals[first:], start=first):
        at = DealInMatch(match, number, match.next_dealer, is_last=number == len(record.deals) - 1)
        lay_out = partial(_lay_out, match, deal, log_tricks=log_tricks, writes_draws=writes_draws)
        table, proven = lay_out(few_readings=few_readings and findings_only), None
        while table.tracking.few and (proven := _proven_by_few(at, table, deal)) is None:
            # After the likely copies come others, and then all readings; these at once if a card is unknown.
            again = table.tracking.likely_only and not table.knowledge.uncertain
            table = lay_out(few_readings=again, likely_only=False)
        if proven is not None:
            yield from proven
        elif table.knowledge.scores_only:
            yield from _pass_over_deal(at, table, deal, findings_only=findings_only)
        else:
            yield from _replay_deal(at, table, deal, findings_only=findings_only)
        match.add(table, deal, broken_off=is_broken_off(table, deal))
        if not table.misdealt:
            match.next_dealer = (deal.dealer + 1) % len(match.names)
        elif match.next_dealer is None:
            match.next_dealer = deal.dealer


def _lay_out(
    match: Match,
    deal: Deal,
    *,
    log_tricks: bool,
    writes_draws: bool | None,
    few_readings: bool,
    likely_only: bool = True,
) -> Table:
    """The table of a deal in this match: it knows what the sides still need, and keeps its tricks if asked to."""
    few = match.few_readings_budget if few_readings else None
    table = lay_out_deal(
        match.rules, deal, match.names, writes_draws=writes_draws, budget=match.reading_budget,
        few_readings_budget=few, likely_only=likely_only,
    )  # fmt: skip
    match.limit(table)
    table.trick_log = [] if log_tricks else None
    return table


def _proven_by_few(at: "DealInMatch", table: Table, deal: Deal) -> list[Frame] | None:
    """The frames of a deal in which few readings make every event legal and every card is known; else None."""
    differences, frames = len(at.match.differences), list[Frame]()
    for frame in _replay_deal(at, table, deal, findings_only=True):
        frames.append(frame)
        if frame.event is not None and frame.findings:
            return None
    # What an unknown card leaves open depends on all readings, and nothing is to be counted twice.
    if table.knowledge.uncertain:
        del at.match.differences[differences:]
        return None
    return frames


class DealInMatch(NamedTuple):
    """A deal's place in its match."""

    match: Match
    number: int
    dealer: int | None
    is_last: bool


def _replay_deal(
    at: DealInMatch, table: Table, deal: Deal, *, findings_only: bool
) -> Iterator[Frame]:
    number, events, awards = at.number, table.events, table.awards
    frames = FrameMaker(at.match.rules.sheet.id, number, table)
    found_at_start = frames.deal_findings(check_start(at, table, deal), at.match, deal=deal)
    if found_at_start or not findings_only:
        yield frames.frame(-1, None, found_at_start, tuple(awards))
    stepper = checking_stepper(table)
    while table.index + 1 < len(events):
        if findings_only:
            breached = stepper.advance_to_breach()
            if breached is None:
                break
            found, counted, tricks = breached
        else:
            counted, tricks = len(awards), table.tricks
            found = stepper.advance(events[table.index + 1])
        index, event = table.index, events[table.index]
        findings: tuple[Finding, ...] = ()
        if found:
            excused = frozenset() if stepper.stopped else excused_codes(events, index, found)
            if excused:
                found += excused_points(table, event, found)
            findings = frames.event_findings(found, index, tricks, excused=excused)
        scored = tuple(awards[counted:]) if len(awards) > counted else ()
        yield Frame(number, index, event, table, findings, scored, frames.tainted)
        if stepper.stopped:
            at.match.tainted = True
            if is_misdeal(events[index + 1 :]):
                annul_deal(table)
            return
        if table.misdealt:
            yield from _after_misdeal(frames, events, index + 1)
            break
    table.index = len(events)
    at.match.tainted = at.match.tainted or frames.tainted
    breaches = check_deal_end(
        table, deal, at.match.sides, last=at.is_last, tainted=at.match.tainted
    )
    found_at_end = frames.end_findings(breaches, deal, at.match)
    yield frames.frame(len(events), None, found_at_end, ())


def _pass_over_deal(
    at: DealInMatch, table: Table, deal: Deal, *, findings_only: bool
) -> Iterator[Frame]:
    """The frames of a deal of which only the scores are recorded: its events are listed, and not replayed."""
    frames = FrameMaker(at.match.rules.sheet.id, at.number, table)
    breaches = check_dealer(table, deal.dealer, at.dealer) + _after_the_game(at.match)
    found = frames.deal_findings(breaches, at.match)
    if found or not findings_only:
        yield frames.frame(-1, None, found, ())
    if not findings_only:
        for table.index, event in enumerate(deal.events):
            yield frames.frame(table.index, event, (), ())
    table.index = len(deal.events)
    played_out = at.match.claimed_over or not at.is_last
    claimed = check_claimed_scores(
        table, deal, at.match.sides, tainted=at.match.tainted, played_out=played_out
    )
    found = frames.deal_findings(claimed, at.match)
    yield frames.frame(table.index, None, found, ())


def _after_misdeal(frames: "FrameMaker", events: Sequence[AnyEvent], index: int) -> Iterator[Frame]:
    """A frame for the event that follows a misdeal, if one does: it is illegal, and the rest is not judged."""
    if index == len(events):
        return
    table, event = frames.table, events[index]
    table.index = index
    seat = actor_of(event)
    breach = breach_by(
        table,
        seat,
        "event-after-end",
        clause="misdeal",
        expected="the next deal",
        found=type(event).__name__.lower(),
    )
    findings = frames.event_findings((breach,), index, table.tricks, excused=frozenset())
    yield frames.frame(index, event, findings, ())


def check_start(at: DealInMatch, table: Table, deal: Deal) -> list[Breach]:
    """Everything that can be wrong with a deal before its first event."""
    return check_deal(table, deal, at.dealer) + _after_the_game(at.match)


def _after_the_game(match: Match) -> list[Breach]:
    if not match.complete or not match.outcomes or match.tally is None:
        return []
    scores = list_scores(match.tally)
    winner = match.outcomes[0].winner
    if winner is None:
        return [make_breach("deal-after-game-won", clause="drawn", found=scores)]
    names = join_words(match.names[seat] for seat in match.sides[winner])
    return [make_breach("deal-after-game-won", clause="won", winner=names, found=scores)]


class FrameMaker:
    """Makes the frames of one deal: breaches get their place, severity and law, and taint what follows."""

    def __init__(self, sheet_id: str, deal: int, table: Table) -> None:
        self.sheet_id = sheet_id
        self.number = deal
        self.table = table
        self.tainted = False
        self.causes: DealCauses | None = None

    def frame(
        self,
        index: int,
        event: AnyEvent | None,
        findings: tuple[Finding, ...],
        awards: tuple[Award, ...],
    ) -> Frame:
        """A frame of this deal."""
        return Frame(self.number, index, event, self.table, findings, awards, self.tainted)

    def deal_findings(
        self, breaches: list[Breach], match: Match, *, deal: Deal | None = None
    ) -> tuple[Finding, ...]:
        """Findings on the deal itself; what was dealt in a `deal` that is replayed is excused by a misdeal in it."""
        if not breaches:
            return ()
        excused, tricks = frozenset[str](), self.table.tricks
        if deal is not None:
            excused = excused_dealing(self.table.events, is_set_up=deal.setup is not None)
        findings = [self._finding(breach, None, tricks, excused=excused) for breach in breaches]
        believed = match.believed
        return tuple(
            replace(finding, because_of=match.differences[0].cause)
            if finding.code == "deal-after-game-won"
            and believed is not None
            and not match.outcomes_of(believed)
            else finding
            for finding in findings
        )

    def end_findings(self, breaches: list[Breach], deal: Deal, match: Match) -> tuple[Finding, ...]:
        """Findings on the deal that was played; the match keeps what the record counts differently in it."""
        if not breaches and self.causes is None:
            return ()
        findings = [self._finding(breach, None, self.table.tricks) for breach in breaches]
        if self.causes is None or self.table.misdealt:
            return tuple(findings)
        claimed = deal.claims.scores if deal.claims else None
        if claimed is None:
            difference = self.causes.total(match.sides)
        elif findings and findings[-1].code == "wrong-deal-scores":
            wrong = findings.pop()
            computed = side_scores(self.table.deal_points, match.sides)
            cause = self.causes.explain_scores(claimed, computed, match.sides)
            findings.append(replace(wrong, because_of=cause))
            more = [said - points for said, points in zip(claimed, computed, strict=True)]
            root = cause or Cause(code=wrong.code, pointer=wrong.at.pointer)
            difference = Difference(root, more)
        else:
            difference = None
        match.differences += [difference] if difference else []
        return tuple(findings)

    def event_findings(
        self,
        breaches: tuple[Breach, ...],
        index: int,
        tricks: int,
        *,
        excused: frozenset[str],
    ) -> tuple[Finding, ...]:
        """Findings on one event after so many tricks; irregularities after it have `excused` some codes."""
        return tuple([self._finding(breach, index, tricks, excused=excused) for breach in breaches])

    def _finding(
        self,
        breach: Breach,
        index: int | None,
        tricks: int,
        *,
        excused: frozenset[str] = frozenset(),
    ) -> Finding:
        code = FINDING_CODES[breach.code]
        article = breach.article or code.article
        pointer = f"/deals/{self.number}" + ("" if index is None else f"/events/{index}")
        severity = "note" if breach.code in excused else code.severity
        self.tainted = self.tainted or severity == "illegal"
        finding = Finding(
            code=breach.code,
            severity=severity,
            at=Place(
                deal=self.number,
                event=index,
                pointer=pointer + breach.pointer,
                # Zetema has no tricks.
                trick=None if self.table.rules.has_tableau else tricks,
                seat=breach.seat,
            ),
            message=breach.message,
            clause=breach.clause,
            since=None if breach.since is None else (self.number, breach.since),
            rule=f"{self.sheet_id}/{article}" if article else None,
            expected=breach.expected,
            found=None if breach.found is None else str(breach.found),
            legal=breach.legal,
            candidates=breach.candidates,
        )
        if self.causes is None:
            self.causes = DealCauses(self.table)
        return self.causes.explain(finding, None if index is None else self.table.events[index])


# A snapshot of the table that does not change: what each seat has, and where like cards leave that open.

HAND_SUIT_ORDER = {suit: i for i, suit in enumerate("SHCD")}

CopyBounds = Mapping[str, tuple[int, int]]
"""The least and the largest number of copies of each card that lie on the table."""


class LaidCard(msgspec.Struct, frozen=True):
    """A card on the table before a seat: the number and name of the meld that laid it there.

    `sure` is false where an unlabelled copy may as well be in the hand, or, `elsewhere`, in another meld.
    """

    card: str
    group: int
    meld: str
    sure: bool
    elsewhere: bool = False


class SeatSnapshot(msgspec.Struct):
    """One seat: its cards, and what it has won so far (`won` cards, of which `brisques`).

    `captured` are the cards won where they lie face up and make the melds. `unsure` are the cards that lie in the
    hand or on the table, `between` those that lie in one meld or another.
    """

    hand: list[str]
    laid: list[LaidCard]
    unsure: list[str]
    between: list[str]
    captured: list[str]
    hidden: int
    won: int
    brisques: int
    tricks: int
    points: int


class TableSnapshot(msgspec.Struct):
    """A snapshot of the table, ready for JSON.

    `tableau` are Zetema's piles by rank and `out` the cards that have left the game.
    """

    phase: str
    step: str
    seat: int | None
    window: int | None
    trump: str | None
    turn_up: str | None
    stock: int
    trick: list[tuple[int, str]]
    taken: list[tuple[int, str]]
    tricks: int
    scores: list[int]
    seats: list[SeatSnapshot]
    tableau: dict[str, list[str]]
    out: list[str]


def snapshot_of(table: Table) -> TableSnapshot:
    """A snapshot of the table that stays as it is."""
    may_meld = table.step is not TableStep.OVER or table.rules.melds_captured
    return TableSnapshot(
        phase=table.phase.name,
        step=table.step.name.lower(),
        seat=None if table.step is TableStep.OVER else table.seat,
        window=table.melding.seat if table.phase.declares and may_meld else None,
        trump=table.trump,
        turn_up=table.stock.turn_up,
        stock=table.stock.left,
        trick=table.current_trick() if table.step is TableStep.REPLY else [],
        taken=table.last_trick(),
        tricks=table.tricks,
        scores=list(table.points),
        seats=[_seat_snapshot(table, seat) for seat in range(table.seats)],
        tableau={rank: list(pile) for rank, pile in table.tableau.piles.items()},
        out=[*table.tableau.removed, *table.tableau.unranked],
    )


def _seat_snapshot(table: Table, seat: int) -> SeatSnapshot:
    held, bounds = table.held[seat], laid_bounds(table.readings[seat])
    captures = table.rules.melds_captured
    laid_counts = {card: (n, n) for card, n in table.captured[seat].items()} if captures else bounds
    open_melds = _open_melds(table, seat, laid_counts)
    ranked = sorted(held, key=lambda card: _hand_key(card, table.rules.strength.get(card, 0)))
    return SeatSnapshot(
        hand=[card for card in ranked for _ in range(held[card] - bounds.get(card, (0, 0))[1])],
        laid=_laid_cards(table.melding.laid[seat], laid_counts, open_melds),
        unsure=[
            card
            for card in ranked
            for least, most in [bounds.get(card, (0, 0))]
            for _ in range(most - least)
        ],
        between=[
            card
            for card, melds in open_melds.items()
            for _ in range(laid_counts[card][1] - sum([least for least, _ in melds.values()]))
        ],
        captured=list(table.won[seat]) if captures else [],
        hidden=table.unknown_held(seat),
        won=len(table.won[seat]),
        brisques=table.brisques[seat],
        tricks=table.tricks_won[seat],
        points=table.points[seat],
    )


def _open_melds(table: Table, seat: int, laid_counts: CopyBounds) -> dict[str, CopyBoundsByMeld]:
    """The cards of which the readings leave open in which meld they lie, where kinds of meld mark them."""
    readings, rules = table.readings[seat], table.rules
    if len(readings) == 1 or rules.melds_captured or rules.counts_sets:
        return {}
    places_by_card: dict[str, list[tuple[int, int]]] = {}
    for group, meld, card in table.melding.laid[seat]:
        places_by_card.setdefault(card, []).append((group, rules.meld_bits.get(meld, 0)))
    found = {
        card: locate_copies(readings, card, places)
        for card, places in places_by_card.items()
        for least, most in [laid_counts.get(card, (0, 0))]
        if len(places) > most == least > 0
    }
    return {card: melds for card, melds in found.items() if any(a != b for a, b in melds.values())}


def _laid_cards(
    laid: Sequence[tuple[int, str, str]],
    laid_counts: CopyBounds,
    open_melds: Mapping[str, CopyBoundsByMeld],
) -> list[LaidCard]:
    """The laid cards, each in its newest meld: a card that is melded again moves there."""
    shown: list[LaidCard] = []
    left = {card: most for card, (_, most) in laid_counts.items()}
    placed: Counter[tuple[str, int]] = Counter()
    for group, meld, card in reversed(laid):
        if card in open_melds:
            least, most_here = open_melds[card].get(group, (0, 0))
            if placed[card, group] < most_here:
                here = placed[card, group] < least
                shown.append(LaidCard(card, group, meld, here, elsewhere=not here))
                placed[card, group] += 1
        elif left.get(card, 0) > 0:
            least, most = laid_counts[card]
            shown.append(LaidCard(card, group, meld, most - left[card] < least))
            left[card] -= 1
    return shown[::-1]


def _hand_key(card: str, strength: int) -> tuple[int, int, str]:
    return HAND_SUIT_ORDER.get(card[1], len(SUITS)), -strength, card
