"""A record annotated: one pass over its frames, read by everyone who has something to say of a deal."""

from collections.abc import Iterator

import msgspec

from analyzer.annotate.annotation import AnalysisTerms, Annotation, DealAnnotation
from analyzer.annotate.close_review import CloseReviewer, is_closed
from analyzer.annotate.last_stock_trick import LastStockTrickWatch
from analyzer.annotate.luck.luck import (
    ValueChange,
    luck_breakdown_of,
    play_rollout_task,
    rollout_tasks,
)
from analyzer.annotate.missed.missed_melds import MeldWatch
from analyzer.annotate.missed.other_chances import OtherChanceWatch
from analyzer.process_pool import map_in_processes
from records.codec import digest as digest_of
from records.engine.table import Table, TableStep
from records.record import Record
from records.replay import Frame, Match, replay
from records.rules.registry import resolve_sheet
from records.rules.vocabulary import BrisqueCount, OneDeal, RuleSheet

DEFAULT_TERMS = AnalysisTerms()
LAST_STOCK_TRICK_DIVISOR = 20
"""One part in so many of the positions to be searched goes to each choice before the close."""


def annotate(
    record: Record,
    *,
    digest: str | None = None,
    terms: AnalysisTerms = DEFAULT_TERMS,
) -> Annotation:
    """What is to be said of a record; raises RulesError if its rules cannot be resolved."""
    rules = record.rules
    resolved = resolve_sheet(rules.id, rules.edition, rules.options)
    sheet = resolved.sheet
    match = Match(record, resolved)
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
    for frame in replay(record, match=match):
        if reader is None or reader.deal != frame.deal:
            _finish(notes, reader)
            reader = _DealReader(frame, terms)
        reader.read(frame)
    _finish(notes, reader)
    for _ in estimate_luck(notes, record, terms.rollouts):
        pass
    return notes


def estimate_luck(
    notes: Annotation, record: Record, rollouts: int, processes: int = 0
) -> Iterator[tuple[int, int]]:
    """Tell luck from skill in every deal of an annotation, in so many processes beside this one.

    Says after each share of the work how many are done of how many; raises StoreError if a process
    ends again and again. The annotation changes at the end only.
    """
    if notes.why_not or rollouts < 2:
        return
    todo = rollout_tasks(record, rollouts)
    parts: dict[int, list[list[ValueChange]]] = {}
    for done, (share, changes) in enumerate(
        map_in_processes(play_rollout_task, todo, processes), 1
    ):
        parts.setdefault(share.deal, []).append(changes)
        yield done, len(todo)
    for deal in notes.deals:
        deal.luck = luck_breakdown_of(parts.get(deal.deal, []))
    notes.terms = msgspec.structs.replace(notes.terms, rollouts=rollouts)


def reason_not_annotated(sheet: RuleSheet, players: int) -> str:
    """Why a game by this sheet is not annotated; empty if it is."""
    if sheet.tableau is not None:
        return (
            f"{sheet.name} has no tricks and no close: what others hold stays hidden to the end, so that "
            "nothing can be worked out exactly."
        )
    if players != 2:
        return "Only games of two are annotated: with more, nobody's cards follow from one's own."
    return ""


def describe_objective(sheet: RuleSheet) -> str:
    """What the players are taken to play for after the close, where that is not the whole story."""
    said = (
        "After the close, each is taken to play for the greatest difference of points in the deal"
    )
    if isinstance(sheet.game, OneDeal):
        said += (
            ", before settlement: rounding, bonus and rubicon are left out, so that a play which loses points "
            "may still settle as well"
        )
        if sheet.brisques.count is BrisqueCount.TO_SETTLE:
            said += ", and brisques, which only break a tie or save the rubicon, count nothing"
        return said + "."
    return said + ", not for the match: near its end, another play may win more often."


class _DealReader:
    """Everyone who reads the frames of one deal."""

    def __init__(self, frame: Frame, terms: AnalysisTerms) -> None:
        self.deal = frame.deal
        self.reviewer: CloseReviewer | None = CloseReviewer(frame.table.rules, terms.positions)
        self.brink = (
            LastStockTrickWatch(terms.positions // LAST_STOCK_TRICK_DIVISOR)
            if terms.brink
            else None
        )
        self.melds, self.chances = MeldWatch(), OtherChanceWatch()
        self.why_not = ""
        self.last = frame

    def read(self, frame: Frame) -> None:
        """Take in a frame; where cards are unknown nothing more is said."""
        self.last = frame
        self.why_not = self.why_not or _unclear(frame)
        if self.why_not:
            return
        if self.brink is not None:
            self.brink.read(frame)
        self.melds.read(frame)
        self.chances.read(frame)
        if self.reviewer is not None:
            self.reviewer.read(frame)

    def notes(self) -> DealAnnotation:
        """What there is to say of the deal."""
        missed = [*self.melds.end(), *self.chances.end()]
        missed.sort(key=lambda each: each.last)
        notes = DealAnnotation(
            self.deal,
            why_not=self.why_not,
            won=self.melds.won,
            missed=missed,
            brink=self.brink.found if self.brink else [],
            tainted=self.last.tainted,
        )
        if not self.why_not and self.last.table.step is not TableStep.OVER:
            notes.why_not = "The deal was not played to its end."
        if not notes.why_not and self.reviewer is not None:
            notes.close = self.reviewer.review(len(self.last.table.events))
            if notes.close is None:
                notes.why_not = (
                    "Like cards could be told apart in too many ways for the melds after the close."
                    if self.reviewer.unlisted
                    else "Nothing was left to choose after the close."
                )
        return notes


def _finish(notes: Annotation, reader: _DealReader | None) -> None:
    if reader is not None:
        notes.deals.append(reader.notes())


def _unclear(frame: Frame) -> str:
    """Why nothing exact can be said from this frame on; empty if it can."""
    table = frame.table
    if table.knowledge.uncertain or table.knowledge.partial or _has_unknown_cards(table):
        return "The record does not say what everybody held."
    if is_closed(table) and not _hands_can_be_played(table):
        return "After the close one hand has more cards than the other."
    return ""


def _hands_can_be_played(table: Table) -> bool:
    """Whether both hands can be played to the end."""
    counts = [table.hand_count(seat) for seat in (0, 1)]
    if table.step is TableStep.REPLY:
        counts[1 - table.seat] += 1
    return counts[0] == counts[1]


def _has_unknown_cards(table: Table) -> bool:
    return any(table.unknown_held(seat) for seat in range(table.seats))
