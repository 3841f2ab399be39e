"""What readers ask for that takes seconds and no database has: kept while it is looked at."""

import hashlib
from collections.abc import Sequence

import msgspec

from analyzer.annotate.annotation import AnalysisTerms, Annotation
from analyzer.annotate.annotator import annotate
from analyzer.identify.habit_corrections import HabitCorrection
from analyzer.processes import ProcessPool
from analyzer.weighed_cache import WeighedAnswers
from records import codec
from records.record import Record
from records.validate.finding import Finding
from webui.games.cache import find_mended_habits
from webui.replay.line_url import write_line
from webui.replay.what_if import TriedLine, search_line

MOST_ANALYSES_KEPT, MOST_BYTES_OF_ANALYSES = 64, 32 * 1024 * 1024
"""How many reviews stay in memory, and how many bytes they take at most: that of a long match takes a megabyte.
As many lists of corrections do."""
ANALYSIS_MEMORY = 4
"""How many bytes of memory any of these takes at most for each byte of its JSON."""


class AnalysedGames:
    """Reviews and suggested corrections of games in no collection, and searched lines of any, by what their records say."""

    def __init__(self, processes: ProcessPool, terms: AnalysisTerms) -> None:
        self.processes, self.terms = processes, terms
        room = {"most_answers": MOST_ANALYSES_KEPT, "most_bytes": MOST_BYTES_OF_ANALYSES}
        self._reviews: WeighedAnswers[Annotation] = WeighedAnswers(_memory_of, **room)
        self._corrections: WeighedAnswers[list[HabitCorrection]] = WeighedAnswers(
            _memory_of, **room
        )
        self._lines: WeighedAnswers[TriedLine] = WeighedAnswers(_memory_of, **room)

    def known_review(self, record: Record) -> Annotation | None:
        """The annotation of a game, if it was made not long ago."""
        return self._reviews.known(_content_key(record))

    def review(self, record: Record) -> Annotation:
        """The annotation of a game, from memory or made now, in a process on call: that takes up to some seconds."""
        key = _content_key(record)
        known = self._reviews.known(key)
        if known is not None:
            return known
        return self._reviews.keep(self.processes.call(annotate, record, terms=self.terms), key)

    def corrections(self, record: Record, findings: Sequence[Finding]) -> list[HabitCorrection]:
        """What would mend the habits among all findings on a game, from memory or searched for now."""
        key = _content_key(record)
        known = self._corrections.known(key)
        if known is not None:
            return known
        mended = find_mended_habits(self.processes, record, findings)
        return self._corrections.keep(mended.corrections, key)

    def known_line(self, record: Record, number: int, tried: TriedLine) -> TriedLine | None:
        """A line of the deal with this index as the longer search found it, if a reader has asked for that."""
        return self._lines.known(*_line_key(record, number, tried))

    def search_line(self, record: Record, number: int, tried: TriedLine) -> None:
        """Search longer for the values of a line, in a process on call: that takes up to some seconds."""
        if self.known_line(record, number, tried) is None:
            found = self.processes.call(search_line, record, number, tried.start, tried.line)
            self._lines.keep(found, *_line_key(record, number, tried))


def _line_key(record: Record, number: int, tried: TriedLine) -> tuple[str, int, int, str]:
    return _content_key(record), number, tried.start, write_line(tried.line)


def _memory_of(analysis: Annotation | list[HabitCorrection] | TriedLine) -> int:
    return ANALYSIS_MEMORY * len(msgspec.json.encode(analysis))


def _content_key(record: Record) -> str:
    """What tells one record from another, names and all: they are in an annotation."""
    return hashlib.sha256(codec.encode(record)).hexdigest()
