"""The annotation of a game: what the best play was, exact after the close, and what was missed before it.

It is a document beside the record, made in one pass over its frames.
"""

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import msgspec

from analyzer.play.worlds import has_too_large_hand
from analyzer.review import DEFAULT_POSITIONS_SEARCHED
from analyzer.review.close_review import CloseReview, CloseReviewer, table_at_close
from analyzer.review.last_stock_trick import (
    LastStockDecision,
    LastStockGap,
    LastStockTrickWatch,
    trick_gap,
)
from analyzer.review.luck import (
    LuckBreakdown,
    ValueChange,
    luck_breakdown_of,
    play_rollout_task,
    rollout_tasks,
)
from analyzer.review.match_turns import note_matches_lost
from analyzer.review.missed import MeldWatch, MissedChance, OtherChanceWatch, WonTrick
from analyzer.solver.close import SearchLimitExceeded, close_solver_for
from analyzer.solver.moves import Move, ValuedMove, best_line, value_moves
from analyzer.store.processes import map_in_processes
from records.engine.choices import legal_dixes, legal_melds, showable_melds
from records.engine.copies import MOST_REVIEW_STEPS
from records.engine.deal import lay_out_deal
from records.engine.table import Table, TableStep
from records.format.codec import digest as digest_of
from records.record import Record
from records.replay import Frame, Match, replay
from records.rules.compiled import compile_sheet
from records.rules.registry import resolve_rules
from records.rules.vocabulary import BrisqueCount, OneDeal, RuleSheet

# The value of every card that may be played in an ending: a position after the close in which somebody is to lead.


def ending_values(record: Record) -> dict[str, int]:
    """The value of each card that the seat to act may play in the position that a record's last deal sets up.

    It is the points still to come for that seat less those for the other, if both do their best. Points for sevens of
    trumps are not counted. Raises SearchLimitExceeded.
    """
    rules = compile_sheet(resolve_rules(record.rules).sheet)
    table = lay_out_deal(rules, record.deals[-1], [player.name for player in record.players])
    solver = close_solver_for(rules)
    moves = value_moves(solver, solver.position_at(table))
    return {move.ply.card[:2]: move.value for move in moves if move.ply.card is not None}


# The document: beside the record and never in it.
#
# It names the record's digest, the version of the analysis and the terms it was made with. Its members are part
# of stored and published JSON, so their names stay.

ANNOTATION_VERSION = "2.5"
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


# The annotator: review of the close, last stock trick, missed chances and luck, in one pass over the frames.

DEFAULT_TERMS = AnalysisTerms()
MOST_DEALS_SEARCHED_FULLY = 12
"""All searches of one record have together what so many closes may cost; few records take a tenth of it.

With the limit of a page they take 5 CPU seconds where four packs are played, and 8 in Polish Bezique.
"""
SEARCH_ENDED = "The deals before this one have used up what the review of a record may cost."
LAST_STOCK_TRICK_FACTOR = 2
"""The last trick before the close may search this many times what a close may: many closes may follow it."""


def annotate(
    record: Record,
    *,
    digest: str | None = None,
    terms: AnalysisTerms = DEFAULT_TERMS,
) -> Annotation:
    """Annotate a record; raises RulesError if its rules cannot be resolved."""
    rules = record.rules
    resolved = resolve_rules(rules)
    sheet = resolved.sheet
    match = Match(record, resolved)
    match.reading_budget.allow_readers(MOST_REVIEW_STEPS)
    notes = Annotation(
        digest=digest or digest_of(record),
        sheet=sheet.id,
        options=dict(resolved.options),
        terms=terms,
        names=match.names,
        maximises=describe_objective(sheet),
        why_not=reason_not_annotated(sheet, len(record.players)),
        deals=[],
    )
    if notes.why_not:
        return notes
    reader: _DealReader | None = None
    positions = MOST_DEALS_SEARCHED_FULLY * terms.positions
    for frame in replay(record, match=match):
        if reader is None or reader.deal != frame.deal:
            _finish(notes, reader)
            positions -= reader.searched if reader else 0
            reader = _DealReader(frame, terms, min(terms.positions, max(0, positions)))
            scores = match.scores
            reader.before = None if scores is None else (scores[0], scores[1])
        reader.read(frame)
    _finish(notes, reader)
    # The estimate is a generator, so that a page can show its progress; here nobody watches.
    for _ in estimate_luck(notes, record, terms.rollouts):
        pass
    return notes


def estimate_luck(
    notes: Annotation, record: Record, rollouts: int, processes: int = 0
) -> Iterator[tuple[int, int]]:
    """Estimate luck and skill in every deal of an annotation, by roll-outs in `processes` other processes.

    Yields after each task how many are done and how many there are. The annotation changes only at the end.
    Raises StoreError if a process keeps dying.
    """
    if notes.why_not or rollouts < 2:
        return
    tasks = rollout_tasks(record, rollouts)
    changes_by_deal: dict[int, list[list[ValueChange]]] = {}
    results = map_in_processes(play_rollout_task, tasks, processes)
    for done, (task, changes) in enumerate(results, 1):
        changes_by_deal.setdefault(task.deal, []).append(changes)
        yield done, len(tasks)
    for deal in notes.deals:
        deal.luck = luck_breakdown_of(changes_by_deal.get(deal.deal, []))
    notes.terms = msgspec.structs.replace(notes.terms, rollouts=rollouts)


def reason_not_annotated(sheet: RuleSheet, players: int) -> str:
    """Why games by this sheet are not annotated; empty if they are."""
    if sheet.tableau is not None:
        return (
            f"{sheet.name} has no tricks and no close. The other hands stay hidden to the end, so nothing can "
            "be computed exactly."
        )
    if players != 2:
        return "Only games for two are annotated. With more players, your own hand does not tell you the others'."
    return ""


def describe_objective(sheet: RuleSheet) -> str:
    """What the players are assumed to play for after the close, and where that may mislead."""
    objective = "After the close, each player is assumed to play for the largest point difference in the deal"
    if isinstance(sheet.game, OneDeal):
        text = (
            f"{objective}, before settlement. Rounding, bonus and rubicon are left out, so a play that loses "
            "points may settle just as well."
        )
        if sheet.brisques.count is BrisqueCount.TO_SETTLE:
            text += " Brisques count nothing here: they only break a tie or save a player from the rubicon."
        return text
    return (
        f"{objective}, not for the match. Near the end of a match, another play may win more often."
    )


class _DealReader:
    """Passes the frames of one deal to everything that annotates it; its close is searched to so many positions.

    The last trick before it has a limit of its own. `before` are the match points before the deal, as far as they are known.
    """

    def __init__(self, frame: Frame, terms: AnalysisTerms, positions: int) -> None:
        self.deal = frame.deal
        self.positions = positions
        self.reviewer = CloseReviewer(frame.table.rules, positions)
        self.values_last_stock_trick = terms.brink
        self.brink = LastStockTrickWatch(LAST_STOCK_TRICK_FACTOR * positions)
        self.melds, self.chances = MeldWatch(), OtherChanceWatch()
        self.why_not = ""
        self.hides_cards = False
        self.before: tuple[int, int] | None = None
        self.last = frame

    @property
    def searched(self) -> int:
        """How many positions have been searched, for the review of the close and for the trick before it."""
        in_close = self.positions - max(0, self.reviewer.solver.positions_left)
        return in_close + self.brink.positions_searched

    def read(self, frame: Frame) -> None:
        """Read a frame; from the first unknown card on the deal is not annotated."""
        self.last = frame
        if any(finding.code == "event-after-end" for finding in frame.findings):
            return  # nothing was decided by it: the deal was over
        if not self.why_not:
            self.why_not = why_unclear(frame.table)
            self.hides_cards = _hides_cards(frame.table)
        if self.why_not:
            return
        if self.values_last_stock_trick:
            self.brink.read(frame)
        self.melds.read(frame)
        self.chances.read(frame)
        self.reviewer.read(frame)

    def notes(self) -> DealAnnotation:
        """The annotation of the deal."""
        table = self.last.table
        complete = not self.why_not and table.step is TableStep.OVER
        missed = [*self.melds.end(complete=complete), *self.chances.end(complete=complete)]
        missed.sort(key=lambda each: each.last)
        notes = DealAnnotation(
            self.deal,
            why_not=self.why_not,
            # Nothing was lost in a misdeal: it counts for nothing.
            won=[] if table.misdealt else self.melds.won,
            missed=[] if table.misdealt else missed,
            brink=self.brink.found,
            brink_gaps=self._last_stock_gaps(),
            tainted=self.last.tainted,
        )
        if not self.why_not and table.step is not TableStep.OVER:
            notes.why_not = "The deal was not played to its end."
        if not notes.why_not:
            notes.close = self.reviewer.review(len(table.events))
            if notes.close is not None and self.before is not None:
                note_matches_lost(notes.close, table, self.before)
            if notes.close is None:
                cut_short = self.reviewer.actions and not self.positions
                notes.why_not = SEARCH_ENDED if cut_short else self.reviewer.why_not(table)
        return notes

    def _last_stock_gaps(self) -> list[LastStockGap]:
        """Why decisions of the last trick before the close are not valued."""
        if not self.values_last_stock_trick:
            return [trick_gap("not-asked")]
        reason = self.brink.why_not(self.last.table)
        if self.why_not and reason in ("begins-after", "ends-before"):
            reason = "unknown-cards" if self.hides_cards else "impossible-cards"
        return [trick_gap(reason)] if reason else self.brink.gaps


def _finish(notes: Annotation, reader: _DealReader | None) -> None:
    if reader is not None:
        notes.deals.append(reader.notes())


class TableValues(NamedTuple):
    """Every move at a table after the close with its value, and the best line of play from there."""

    moves: list[ValuedMove]
    line: list[Move]


class NoTableValues(NamedTuple):
    """Why a table has no exact values, in a sentence, empty once the deal is over; a longer search might find them."""

    says: str
    is_too_long: bool = False


def value_table(table: Table, positions: int) -> TableValues | NoTableValues:
    """The exact values of a table after the close, from at most so many positions, or why there are none."""
    if table.step is TableStep.OVER:
        return NoTableValues("")
    if reason := reason_not_annotated(table.rules.sheet, table.seats):
        return NoTableValues(reason)
    closed = table_at_close(table)
    if closed is None or (closed is not table and _may_declare(table)):
        return NoTableValues("No choice has an exact value while cards can be drawn.")
    if reason := why_unclear(closed):
        return NoTableValues(f"No choice has an exact value here. {reason}")
    solver = close_solver_for(closed.rules, positions)
    if not solver.knows_all_moves(closed):
        return NoTableValues(
            "No choice has an exact value here: the record leaves open which of like cards lie in which meld."
        )
    position = solver.position_at(closed)
    try:
        return TableValues(value_moves(solver, position), best_line(solver, position))
    except SearchLimitExceeded:
        return NoTableValues(
            f"Exact values would take a search of more than {positions:,} positions.",
            is_too_long=True,
        )


def _may_declare(table: Table) -> bool:
    """Whether a meld or a dix may come before the next card: that choice lies before the last draws."""
    return bool(legal_melds(table) or showable_melds(table) or legal_dixes(table))


def why_unclear(table: Table) -> str:
    """Why nothing exact can be computed from this table on; empty if it can."""
    if _hides_cards(table):
        return "The record does not show every hand."
    if table.not_in_pack:
        return "The record names cards that the pack does not have."
    if has_too_large_hand(table):
        return "One hand has more cards than the rules deal."
    closed = table_at_close(table)
    if closed is not None and not _hands_can_be_played(closed):
        return "After the close one hand has more cards than the other."
    return ""


def _hands_can_be_played(table: Table) -> bool:
    """Whether both hands can be played to the end: the seat that has led holds one card less."""
    counts = [table.hand_count(seat) for seat in (0, 1)]
    if table.step is TableStep.REPLY:
        counts[1 - table.seat] += 1
    return counts[0] == counts[1]


def _hides_cards(table: Table) -> bool:
    """Whether the record leaves some card open."""
    unknown = any(table.unknown_held(seat) for seat in range(table.seats))
    return table.knowledge.uncertain or table.knowledge.partial or unknown
