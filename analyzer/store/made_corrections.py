"""The corrections of stored games: who corrected what of an occasion, when and why, and what holds of it.

`records.corrected` says what can be corrected. A correction is a row, and stays one when it is undone. What holds of a
fact is the last correction of it that is not undone. `analyzer.ingest.correcting` makes and undoes them, with all rows
that follow.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec

from analyzer.store.store import StatementAnswerer, Store, answers_of
from records.corrected import CorrectedFact, Corrections, Subject, correct, fact_value
from records.format import codec
from records.record import Record

SELECT_HOLDING = """
    SELECT game, subject, place, value FROM corrections
    WHERE undone_at IS NULL AND game IN (SELECT unnest($keys::BIGINT[])) ORDER BY game, number
"""
SELECT_HISTORY = """
    SELECT number, subject, place, value, reason, made_by, made_at, undone_by, undone_at
    FROM corrections WHERE game = (SELECT game FROM records WHERE digest = $digest) ORDER BY number
"""
SELECT_CORRECTED = "SELECT DISTINCT game FROM corrections WHERE undone_at IS NULL ORDER BY game"
SELECT_KEYS = "SELECT game, digest FROM records WHERE list_contains($digests, digest)"


class MadeCorrection(msgspec.Struct, frozen=True):
    """A correction of a game: its `number` among those of the game, from 1, and who made it, when, in UTC, and why.

    `place` is the seat of a name or an id, or the number of a note, from 0. `value` is told since, and `uploaded` what the
    record tells; an empty text stands for nothing. An undone one says by whom and when.
    """

    number: int
    subject: Subject
    place: int | None
    uploaded: str
    value: str
    reason: str
    made_by: str
    made_at: datetime
    undone_by: str | None = None
    undone_at: datetime | None = None

    @property
    def fact(self) -> CorrectedFact:
        """What is corrected."""
        return CorrectedFact(self.subject, self.place)


def holding_corrections(
    answer: StatementAnswerer, keys: Iterable[int]
) -> Mapping[int, Corrections]:
    """What holds of the games with these keys, by key; those without corrections have nothing."""
    found = defaultdict[int, dict[CorrectedFact, str]](dict)
    for game, subject, place, value in answer(SELECT_HOLDING, {"keys": list(keys)}):
        found[game][CorrectedFact(subject, place)] = value
    return found


def corrections_of(store: Store, digests: Iterable[str]) -> Mapping[str, Corrections]:
    """What holds of these games, by digest; those without corrections are not there."""
    answer = answers_of(store)
    keys: dict[int, str] = dict(answer(SELECT_KEYS, {"digests": list(digests)}))
    return {keys[key]: own for key, own in holding_corrections(answer, keys).items()}


def held_corrections(made: Iterable[MadeCorrection]) -> dict[CorrectedFact, str]:
    """What holds of these corrections of a game, in the order in which they were made."""
    return {each.fact: each.value for each in made if each.undone_at is None}


def holding_numbers(made: Iterable[MadeCorrection]) -> set[int]:
    """The numbers of those that hold: neither undone nor overtaken by a later one of the same fact."""
    return set({each.fact: each.number for each in made if each.undone_at is None}.values())


def list_corrections(store: Store, digest: str) -> list[MadeCorrection]:
    """The corrections of a game, those undone too, in the order in which they were made."""
    rows = store.rows(SELECT_HISTORY, {"digest": digest}).rows
    record = codec.decode(store.record_bytes(digest) or b"").record if rows else None
    return [_made(row, record) for row in rows]


def _made(row: tuple[Any, ...], record: Record | None) -> MadeCorrection:
    number, subject, place, value, reason, made_by, made_at, undone_by, undone_at = row
    uploaded = fact_value(record, CorrectedFact(subject, place)) if record else ""
    return MadeCorrection(
        number, subject, place, uploaded, value, reason, made_by, made_at.replace(tzinfo=UTC),
        undone_by, undone_at and undone_at.replace(tzinfo=UTC),
    )  # fmt: skip


def corrected_bytes(data: bytes, corrections: Corrections) -> bytes:
    """The bytes of a record that tells what the corrections say, in the canonical form; its own where there are none."""
    record = codec.decode(data).record if corrections else None
    return data if record is None else codec.encode(correct(record, corrections))
