"""The studies of a data folder: what each says, who may see it, and the games that it shows.

Every change of a study is a row with the whole of it, and a deletion a row with nothing: to undo the last change is to take the
last row away. The last `MOST_VERSIONS` rows of a study stay. A study has the public id of a link whose key only its author
has, as an upload has (`webui.server.private_links`).
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Literal

import duckdb
import msgspec

from analyzer.store.store import Store
from records.errors import StoreError
from records.study import Study

StudyVisibility = Literal["private", "unlisted", "public"]
"""Who sees a study: who has its link, whoever knows its address, or everybody, who also finds it in the list."""
LARGEST_STUDY = 256 * 1024
"""The most bytes of a study, without its games."""
MOST_STUDIES = 10_000
STUDY_ROOM = 256 * 1024 * 1024
"""The most studies of a data folder, and the most bytes of their rows together."""
MOST_VERSIONS = 20
DAYS_DELETED = 30
"""How long a deleted study can be brought back."""
MOST_LISTED = 1_000

SELECT_LAST = """
    SELECT number, content, made_by, made_at, versions FROM (
        SELECT *, count(*) OVER () AS versions
        FROM studies WHERE study = $study
    ) ORDER BY number DESC LIMIT 1
"""
SELECT_LISTED = """
    SELECT study, arg_max(content, number), max(made_at) FROM studies
    GROUP BY study
    HAVING arg_max(content, number) <> ''
        AND (arg_max(visibility, number) = 'public' OR $every OR list_contains($own, study))
    ORDER BY max(made_at) DESC, study LIMIT $most
"""
SELECT_ROOM = "SELECT count(DISTINCT study), coalesce(sum(size), 0) FROM studies"
INSERT_STUDY = """
    INSERT INTO studies (study, number, content, visibility, size, made_by)
    VALUES ($study, $number, $content, $visibility, $size, $made_by)
"""
DELETE_OLDEST = "DELETE FROM studies WHERE study = $study AND number <= $number"
DELETE_LAST = "DELETE FROM studies WHERE study = $study AND number = $number"
DELETE_EXPIRED = f"""
    DELETE FROM studies WHERE study IN (
        SELECT study FROM studies GROUP BY study HAVING arg_max(content, number) = ''
            AND max(made_at) < (now() AT TIME ZONE 'UTC') - INTERVAL {DAYS_DELETED} DAY
    )
"""
SELECT_STUDY_ROWS = "SELECT study, number, content, visibility, size, made_by, epoch_us(made_at) FROM studies ORDER BY study, number"
INSERT_STUDY_ROW = "INSERT INTO studies VALUES (?, ?, ?, ?, ?, ?, make_timestamp(?))"
"""The rows of a database as another one takes them."""
CHANGED_TEXT = "Somebody changed this study at the same time. Look at it, and try again."


class StudyRefused(StoreError):
    """A change that a study cannot take; the words say why."""


class StudiesFull(StudyRefused):
    """There is no room for another study, or for more of one."""


class StudyGame(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game of a study: the digest of its record, and, of a private game, its upload and its number in it, from 1."""

    digest: str
    sent: str = ""
    number: int = 0


class StudyContent(msgspec.Struct, frozen=True):
    """What is stored of a study: what it says, its games in the order of their numbers, and who may see it."""

    study: Study
    games: list[StudyGame] = []
    visibility: StudyVisibility = "private"


class StoredStudy(msgspec.Struct, frozen=True):
    """A study as it is now, after so many changes: `version`; `earlier` of them can be undone. A deleted one has no `content`.

    Times are in UTC.
    """

    id: str
    version: int
    content: StudyContent | None
    earlier: int
    changed_by: str
    changed_at: datetime


class ListedStudy(msgspec.Struct, frozen=True):
    """A study in a list; the time is in UTC."""

    id: str
    content: StudyContent
    changed_at: datetime


def read_stored_study(store: Store, study: str) -> StoredStudy | None:
    """A study by its public id, also a deleted one; None if there is none."""
    return _stored(study, store.rows(SELECT_LAST, {"study": study}).rows)


def _stored(study: str, rows: Sequence[tuple[Any, ...]]) -> StoredStudy | None:
    if not rows:
        return None
    number, text, made_by, made_at, versions = rows[0]
    content = msgspec.json.decode(text, type=StudyContent) if text else None
    return StoredStudy(study, number, content, versions - 1, made_by, made_at.replace(tzinfo=UTC))


def list_studies(store: Store, own: Sequence[str], *, every: bool) -> list[ListedStudy]:
    """The public studies and one's `own`, by their ids, or `every` one, the one changed last first."""
    values = {"own": list(own), "every": every, "most": MOST_LISTED}
    return [
        ListedStudy(
            study, msgspec.json.decode(text, type=StudyContent), made_at.replace(tzinfo=UTC)
        )
        for study, text, made_at in store.rows(SELECT_LISTED, values).rows
    ]


def begin_study(store: Store, study: str, content: StudyContent, made_by: str) -> None:
    """Store a new study under a public id; raises StudyRefused, StudiesFull and StoreReadOnly."""
    store.require_writable()
    with store.writing() as cursor:
        cursor.execute(DELETE_EXPIRED)
        if _last(cursor, study) is not None:
            raise StudyRefused(CHANGED_TEXT)
        _insert(cursor, study, 1, content, made_by)


def change_study(
    store: Store, study: str, content: StudyContent | None, made_by: str, *, after: int
) -> None:
    """Let a study be this from now on, or delete it, if it has had `after` changes; raises StudyRefused and StoreReadOnly."""
    store.require_writable()
    with store.writing() as cursor:
        before = _last(cursor, study)
        if before is None or before.version != after:
            raise StudyRefused(CHANGED_TEXT)
        if before.content == content:
            return
        _insert(cursor, study, after + 1, content, made_by)
        cursor.execute(DELETE_OLDEST, {"study": study, "number": after + 1 - MOST_VERSIONS})


def undo_change(store: Store, study: str, *, after: int) -> None:
    """Undo the last change of a study that has had `after` of them; raises StudyRefused and StoreReadOnly."""
    store.require_writable()
    with store.writing() as cursor:
        before = _last(cursor, study)
        if before is None or before.version != after:
            raise StudyRefused(CHANGED_TEXT)
        if not before.earlier:
            raise StudyRefused("There is nothing to undo.")
        cursor.execute(DELETE_LAST, {"study": study, "number": after})


def _last(cursor: duckdb.DuckDBPyConnection, study: str) -> StoredStudy | None:
    return _stored(study, cursor.execute(SELECT_LAST, {"study": study}).fetchall())


def _insert(
    cursor: duckdb.DuckDBPyConnection,
    study: str,
    number: int,
    content: StudyContent | None,
    made_by: str,
) -> None:
    text = msgspec.json.encode(content) if content else b""
    if len(text) > LARGEST_STUDY:
        raise StudyRefused(f"A study has at most {LARGEST_STUDY // 1024} KiB of text and lines.")
    ((studies, size),) = cursor.execute(SELECT_ROOM).fetchall()
    if size + len(text) > STUDY_ROOM or (number == 1 and studies >= MOST_STUDIES):
        raise StudiesFull("There is no room left for studies on this server. Nothing was stored.")
    values = {
        "study": study,
        "number": number,
        "content": text.decode(),
        "visibility": content.visibility if content else "private",
        "size": len(text),
        "made_by": made_by[:100],
    }
    cursor.execute(INSERT_STUDY, values)
