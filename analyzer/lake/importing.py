"""Importing into a lake: every process or worker writes the tables of its share; they count all together at the end.

What is made of a share is noted in the lake, so that an import that was interrupted goes on with what is left. Nobody sees
anything of an import before its last step, which adds all parts at once.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from analyzer.ingest.importer import ImportSource, group_blocks, read_source_blocks
from analyzer.ingest.loader import MOST_EXAMPLES, IngestCounts, imported_file, ingest
from analyzer.ingest.tasks import ALL_RECORDS, ImportTask, count_threads, map_tasks
from analyzer.lake.joining import AddedParts, add_parts, compare_parts
from analyzer.lake.merging import MergeTask, group_parts, merge_parts
from analyzer.lake.workbench import (
    MadePart,
    open_workbench,
    parts_of_notes,
    read_note,
    rulebooks_of,
    write_note,
)
from analyzer.store.lake_parts import part_folder
from analyzer.store.lake_place import LakePlace, LakeUnreachable
from analyzer.store.lake_state import PENDING, VERSIONS, LakePart, read_state
from records.format.files import BLOCK_BYTES
from records.rules.registry import own_sheets
from records.rules.vocabulary import RuleSheet

if TYPE_CHECKING:
    from distributed import Client

_Task = TypeVar("_Task")
_Answer = TypeVar("_Answer")
LEAST_SHARE, MOST_SHARE = 4 * 1024 * 1024, 64 * 1024 * 1024
"""Bytes of records in a share."""
SHARES_PER_PROCESS = 8


@dataclass(frozen=True, slots=True)
class ShareTask:
    """A share of an import: its name in it, and the records; whoever makes it knows these rulebooks."""

    place: LakePlace
    name: str
    task: ImportTask
    sheets: tuple[RuleSheet, ...]

    def __str__(self) -> str:
        return str(self.task)


class MadeShare(MadePart, frozen=True):
    """What was made of a share, and what became of its records."""

    counts: IngestCounts


def make_share(share: ShareTask) -> MadeShare:
    """Examine the records of a share and write their tables into the lake, unless that was done; raises OSError and StoreError."""
    if (noted := read_note(share.place, share.name, MadeShare)) is not None:
        return noted
    task = share.task
    entries = (task.wanted.of(portion.entries()) for portion in task.portions)
    with open_workbench(share.place, share.sheets) as bench:
        counts = ingest(bench, chain.from_iterable(entries))
        made = MadeShare(bench.publish(), counts)
    write_note(share.place, share.name, made)
    return made


@dataclass(slots=True)
class LakeImport:
    """One import of files into a lake; `counts` grows with every share.

    Shares are made in `processes` other processes, in this one if that is 0, or by the cluster of a `client`. `progress` is
    called with the bytes read, and it may raise to stop: what is made stays noted, and nothing is added. `telling` is called
    with what is done at the end, in words.
    """

    place: LakePlace
    processes: int = 0
    progress: Callable[[int], None] = lambda _: None
    telling: Callable[[str], None] = lambda _: None
    client: "Client | None" = None
    counts: IngestCounts = field(default_factory=IngestCounts)

    def run(self, sources: Sequence[ImportSource]) -> AddedParts:
        """Import these files, all of them or nothing; raises OSError and StoreError."""
        key = _import_key(sources)
        folder = f"{PENDING}/{key}"
        self._forget_used_notes(folder)
        made = []
        for share, result in self._map(make_share, self._shares(sources, folder)):
            add_counts(self.counts, result.counts)
            made += [result.part] if result.part else []
            self.progress(share.task.done)
        self.telling("comparing the games with each other")
        joined = compare_parts(self.place, (), made)
        merged = self._merged(joined.parts)
        self.telling("adding all games together")
        # What could not be read, or waits for a rulebook, may be read the next time.
        is_whole = not (self.counts.states["rejected"] or self.counts.waiting)
        added = add_parts(self.place, merged, key if is_whole else "", self.telling)
        for compared in (joined, added):
            self.counts.states["stored"] -= compared.known
            self.counts.states["known"] += compared.known
            add_otherwise(self.counts, compared.otherwise)
        self.counts.told_again = added.told_again
        passing = {part.key for part in (*made, *joined.parts)} - {part.key for part in merged}
        # The games count already: `bezique lake compact` deletes what is left.
        with suppress(LakeUnreachable):
            self.place.remove([folder, *map(part_folder, sorted(passing))])
        return added

    def _forget_used_notes(self, folder: str) -> None:
        """Delete notes of parts that count already: what was deleted of them since must be made anew."""
        there = {part.key for part in read_state(self.place).parts}
        if there & parts_of_notes(self.place, [folder]):
            self.place.remove([folder])

    def _shares(self, sources: Sequence[ImportSource], folder: str) -> Iterator[ShareTask]:
        workers = count_threads(self.client) if self.client else self.processes
        size = _share_size(sources, max(1, workers))
        sent = bool(self.processes or self.client)
        sheets = (*own_sheets(), *rulebooks_of(self.place, read_state(self.place).parts))
        blocks = read_source_blocks([*sources], size=min(size, BLOCK_BYTES))
        tasks = group_blocks(blocks, size, ALL_RECORDS, sent=sent)
        for number, task in enumerate(tasks):
            yield ShareTask(self.place, f"{folder}/{number:06}-{size}.json", task, sheets)

    def _map(
        self, function: Callable[[_Task], _Answer], tasks: Iterable[_Task]
    ) -> Iterator[tuple[_Task, _Answer]]:
        """Each task with its answer, in order."""
        return map_tasks(function, tasks, self.processes, self.client, self.telling)

    def _merged(self, made: Sequence[LakePart]) -> list[LakePart]:
        """The parts of an import in as few as are good to read."""
        groups = group_parts(made)
        single = [group[0] for group in groups if len(group) == 1]
        tasks = [MergeTask(self.place, tuple(group)) for group in groups if len(group) > 1]
        if not tasks:
            return single
        self.telling("merging what was made")
        return [*(part for _, part in self._map(merge_parts, tasks) if part), *single]


def add_counts(total: IngestCounts, more: IngestCounts) -> None:
    """Add the counts of a share to those of an import; which records are of one match is seen when all are there."""
    for name in ("records", "size", "deals", "events", "findings"):
        setattr(total, name, getattr(total, name) + getattr(more, name))
    total.states.update(more.states)
    total.verdicts.update(more.verdicts)
    total.waiting.update(more.waiting)
    add_otherwise(total, more)


def add_otherwise(total: IngestCounts, more: IngestCounts) -> None:
    """Add the known games that are told otherwise."""
    total.told_otherwise += more.told_otherwise
    total.examples = [*total.examples, *more.examples][:MOST_EXAMPLES]


def _import_key(sources: Sequence[ImportSource]) -> str:
    """The name of an import: the same for the same files in the same state, and a program that judges alike."""
    keys = [*map(str, VERSIONS)]
    keys += [str(imported_file(source.path, source.name).key) for source in sources]
    return hashlib.sha256(" ".join(keys).encode()).hexdigest()[:24]


def _share_size(sources: Sequence[ImportSource], processes: int) -> int:
    """Bytes of a share: several for each process, so that none waits for another at the end."""
    sizes = [source.size for source in sources]
    if None in sizes:
        return MOST_SHARE
    total = sum(size or 0 for size in sizes)
    return min(MOST_SHARE, max(LEAST_SHARE, total // (SHARES_PER_PROCESS * processes)))
