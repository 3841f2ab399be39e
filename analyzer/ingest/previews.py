"""What would become of records if they were stored: each examined, and compared with what is stored; nothing is stored."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import msgspec

from analyzer.ingest.batch import (
    ExaminedRecord,
    KnownOccasion,
    NotExamined,
    base_name,
    content_digest,
    digest_apart,
    examine_alone,
    examine_record,
    game_key,
    is_other_match,
)
from analyzer.ingest.matches import (
    MOST_CANDIDATE_BYTES,
    MOST_CANDIDATES,
    plays_of,
    uploaded_and_corrected,
)
from analyzer.ingest.sent_matches import SentMatch
from analyzer.store.made_corrections import holding_corrections
from analyzer.store.packing import unpack_record
from analyzer.store.player_names import PeopleNames, read_people_names
from analyzer.store.store import Store, answers_of
from records.corrected import NO_CORRECTIONS
from records.format import codec
from records.format.files import Entry
from records.match_play import MatchPlay, Relation, day_played, match_traces, relate
from records.people import NO_NAME, list_people, player_key
from records.validate.report import SEVERITIES_IN_ORDER, Report

PreviewState: TypeAlias = Literal["new", "known", "again", "unreadable"]
"""New, stored already, the same as one before it in the same files, or nothing that can be stored."""
BYTES_OF_PREVIEWS, RECORDS_OF_PREVIEWS = 1024 * 1024, 100
"""What is examined together, at most."""

SELECT_KNOWN = "SELECT game, data FROM records WHERE game IN (SELECT unnest($keys::BIGINT[]))"
SELECT_ALIKE = """
    SELECT game, count(*) AS shared FROM traces WHERE trace IN (SELECT unnest($traces::BIGINT[]))
    GROUP BY game ORDER BY shared DESC, game LIMIT $most
"""
SELECT_STANDING = """
    SELECT DISTINCT standing.game, standing.digest, standing.data, standing.size
    FROM records AS own LEFT JOIN other_games ON other_games.game = own.game
    JOIN records AS standing ON standing.game = coalesce(other_games.match, own.game)
    WHERE own.game IN (SELECT unnest($keys::BIGINT[])) ORDER BY standing.digest
"""


class RecordPreview(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What would become of a record: whose it is, the verdict on it, and what is stored of its match.

    `content` is the digest of its bytes, by which it is known here; `name` and `line` are where it was found. `day` is when it
    was played. `match` is the digest of a stored record of the same match, of which this one is the `relation`.
    `within` names a fuller record of the same match in the same files. `same_cards` is the digest of a stored record with
    the same cards, of other people or of another day. `problem` says
    what keeps one from being stored, `is_asked` that it can be read in several ways, and `report` and `text` are kept where they
    are shown. One that `awaits` a rulebook of this id is kept until it is added.
    """

    content: str
    name: str
    line: int | None
    size: int
    state: PreviewState
    verdict: str
    digest: str = ""
    players: list[str] = []
    day: str = ""
    sheet: str = ""
    deals: int = 0
    findings: int = 0
    match: str = ""
    relation: str = ""
    within: SentMatch | None = None
    same_cards: str = ""
    problem: str = ""
    is_asked: bool = False
    awaits: str = ""
    report: Report | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class PreviewTask:
    """Records to examine together; of the first `reports` of them the report is wanted, too."""

    entries: list[Entry]
    done: int
    reports: int = 0


@dataclass(slots=True)
class ExaminedPreview:
    """A preview before it is compared with what is stored: with what tells its match from others."""

    preview: RecordPreview
    people: tuple[str, ...] = ()
    apart: str = ""
    traces: tuple[int, ...] = ()


def preview_tasks(entries: Iterator[tuple[Entry, int]], reports: int) -> Iterator[PreviewTask]:
    """The tasks for records, each with the bytes read up to it; of the first `reports` of all a report is wanted."""
    group: list[Entry] = []
    size = number = 0
    for entry, done in entries:
        group.append(entry)
        size += len(entry.data)
        if len(group) == RECORDS_OF_PREVIEWS or size >= BYTES_OF_PREVIEWS:
            yield PreviewTask(group, done, max(0, reports - number))
            number += len(group)
            group, size = [], 0
    if group:
        yield PreviewTask(group, done, max(0, reports - number))


def examine_previews(task: PreviewTask) -> list[ExaminedPreview]:
    """The previews of the records of a task, before they are compared; never raises, whatever they hold."""
    return [
        _examine_preview(entry, with_report=number < task.reports)
        for number, entry in enumerate(task.entries)
    ]


def _examine_preview(entry: Entry, *, with_report: bool) -> ExaminedPreview:
    try:
        examined = examine_record(entry, reconcile=with_report)
    except NotExamined:
        raise
    except Exception:
        examined = examine_alone(entry, "")
    preview = _preview_of(examined)
    if with_report:
        preview.report = examined.report
    if examined.rows is None:
        if with_report and codec.is_notation(entry.data):
            preview.text = entry.data.decode("utf-8", "replace")
        return ExaminedPreview(preview)
    traces = tuple(trace for _, trace in examined.rows.tables["traces"])
    return ExaminedPreview(preview, examined.people, digest_apart(entry), traces)


def _preview_of(examined: ExaminedRecord) -> RecordPreview:
    entry, report = examined.entry, examined.report
    is_readable = examined.rows is not None or bool(examined.awaits)
    decoded = codec.decode(entry.data) if is_readable else None
    record = decoded.record if decoded else None
    people = list_people(record.players, examined.digest or "") if record else []
    return RecordPreview(
        content=content_digest(entry.data),
        name=base_name(entry.name),
        line=entry.line,
        size=len(entry.data),
        state="new" if is_readable else "unreadable",
        verdict=report.verdict,
        digest=examined.digest or (decoded.digest() if decoded else "") or "",
        players=[person.name or NO_NAME for person in people],
        day=examined.day,
        sheet=record.rules.id if record else "",
        deals=report.deals,
        findings=len(report.findings),
        problem="" if is_readable else _problem(examined),
        is_asked=any(finding.code == "several-readings" for finding in report.findings),
        awaits=examined.awaits,
    )


def _problem(examined: ExaminedRecord) -> str:
    """What keeps a record from being stored: of its findings the first that is as grave as any."""
    findings = examined.report.findings
    gravest = min(findings, key=lambda each: SEVERITIES_IN_ORDER.index(each.severity), default=None)
    return gravest.message if gravest else examined.reason


@dataclass(slots=True)
class StoredComparison:
    """Compares previews with what is stored, and with those before them in the same files."""

    store: Store
    _seen: dict[str, KnownOccasion] = field(default_factory=dict)

    def compare(self, task: PreviewTask, examined: Sequence[ExaminedPreview]) -> None:
        """Say of each preview of a task whether it is stored, or what is stored of its match."""
        keys = [game_key(each.preview.digest) for each in examined if each.preview.digest]
        stored = self._stored(keys)
        for entry, each in zip(task.entries, examined, strict=True):
            preview = each.preview
            if preview.state != "unreadable":
                self._compare(each, stored)
            if preview.state == "new" and each.traces:
                each.traces += self._traces_of_renamed(entry)
                preview.match, preview.relation = self._match_of(entry, each.traces)

    def _compare(self, each: ExaminedPreview, stored: dict[int, KnownOccasion]) -> None:
        preview = each.preview
        for known in (stored.get(game_key(preview.digest)), self._seen.get(preview.digest)):
            if known is not None and is_other_match(known, each.people, preview.day):
                if game_key(preview.digest) in stored:
                    preview.same_cards = preview.digest
                preview.digest = each.apart
                stored = {**stored, **self._stored([game_key(each.apart)])}
        if game_key(preview.digest) in stored:
            preview.state = "known"
        elif preview.digest in self._seen:
            preview.state = "again"
        self._seen.setdefault(preview.digest, KnownOccasion(each.people, preview.day))

    def _stored(self, keys: list[int]) -> dict[int, KnownOccasion]:
        """The people and the day of those of these games that are stored."""
        found = dict[int, KnownOccasion]()
        for key, data in self.store.rows(SELECT_KNOWN, {"keys": keys}).rows if keys else ():
            record = codec.decode(unpack_record(data)).record
            if record is not None:
                people = tuple(map(player_key, record.players))
                found[key] = KnownOccasion(people, day_played(record))
        return found

    def names(self) -> PeopleNames:
        """Who is who now."""
        return read_people_names(answers_of(self.store))

    def _traces_of_renamed(self, entry: Entry) -> tuple[int, ...]:
        """What a record begins with, by who its people are now, if some were made one with others."""
        names = self.names()
        told = uploaded_and_corrected(entry.data) if names.made_one else []
        return tuple(
            game_key(trace) for one in told for trace in match_traces(one, names.person_of)
        )

    def _match_of(self, entry: Entry, traces: Sequence[int]) -> tuple[str, str]:
        """The stored record that stands for the match of a new one, and how this one stands to it; empty if there is none."""
        asked = {"traces": list(traces), "most": MOST_CANDIDATES}
        keys = [key for key, _ in self.store.rows(SELECT_ALIKE, asked).rows]
        names = self.names()
        plays = plays_of(uploaded_and_corrected(entry.data), names) if keys else ()
        related = [
            (-fullness, digest, relation)
            for digest, others in (self._standing(keys, names) if plays else ())
            for fullness, relation in [(others[0].fullness, _first_relation(plays[0], others))]
            if relation
        ]
        return (str(min(related)[1]), str(min(related)[2])) if related else ("", "")

    def _standing(
        self, keys: list[int], names: PeopleNames
    ) -> Iterator[tuple[str, tuple[MatchPlay, ...]]]:
        """The records that stand for the matches of these games, with their plays; as many as may be read, one at least."""
        rows = self.store.rows(SELECT_STANDING, {"keys": keys}).rows
        held = holding_corrections(answers_of(self.store), [key for key, *_ in rows])
        read = 0
        for number, (key, digest, data, size) in enumerate(rows):
            read += size
            if number and read > MOST_CANDIDATE_BYTES:
                return
            told = uploaded_and_corrected(unpack_record(data), held.get(key, NO_CORRECTIONS))
            if others := plays_of(told, names):
                yield digest, others


def _first_relation(own: MatchPlay, others: Sequence[MatchPlay]) -> Relation | None:
    return next(filter(None, (relate(own, other) for other in others)), None)
