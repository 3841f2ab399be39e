"""Records in and out: judged, read, written and reviewed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import msgspec

from bezique.arguments import require_number, require_path, require_several, shown
from bezique.record_types import Record, Report
from records import validator
from records.errors import BeziqueError
from records.format import codec
from records.format.files import read_entries
from records.format.notation_writer import write_notation
from records.phrases import pluralize
from records.record import MAX_NESTING_DEPTH
from records.validate.report import Report as JudgedRecord

if TYPE_CHECKING:
    from analyzer.review.annotation import Annotation
    from analyzer.review.deep_review import GameReview

RecordSource = Record | Mapping[str, Any] | str | bytes | bytearray
"""A record: the struct, the values of its JSON, or its JSON as text or bytes."""
_ENCODER = msgspec.json.Encoder(order="deterministic")
_LONGEST_INTEGER = 2**70
"""What is longer is written as this: both are larger than any number of a record may be."""


class UnreadableRecord(BeziqueError):
    """A text or a struct is no record; `report` has every finding."""

    def __init__(self, where: str, report: Report) -> None:
        findings = report.findings
        reason = findings[0].message if findings else "The rules cannot be resolved."
        more = f" ({pluralize(len(findings) - 1, 'more finding')})" if len(findings) > 1 else ""
        super().__init__(f"{where}: {reason}{more}" if where else f"{reason}{more}")
        self.report = report


def check(source: RecordSource, *, strict: bool = True) -> Report:
    """The report on one record; never raises, whatever the record holds and however it was made.

    A struct is judged as the text that it is written as, so a card that is none, or a seat that nobody has, is a
    finding in it as in a file. Without `strict`, unknown members are warnings.
    """
    return _public(validator.check(_text_of(source), strict=strict, identify=True))


def check_file(path: str | PathLike[str], *, strict: bool = True) -> Iterator[Report]:
    """The reports on all records of a file, in order; `line` is the line where it has one record per line.

    The file may be compressed. Raises OSError if it cannot be read.
    """
    require_path("path", path)
    return map(_public, validator.check_path(Path(path), strict=strict, identify=True))


def read(path: str | PathLike[str]) -> Iterator[Record]:
    """The records of a file, in order: one in all or one per line, plain, compressed or in an archive.

    Raises UnreadableRecord at the first that is none, and OSError.
    """
    require_path("path", path)
    return _records_in(path)


def _records_in(path: str | PathLike[str]) -> Iterator[Record]:
    for entry in read_entries(Path(path)):
        where = str(path) if entry.line is None else f"{path}:{entry.line}"
        if entry.findings:
            raise UnreadableRecord(where, _unreadable(entry.findings, entry.line))
        yield _decoded(entry.data, where, entry.line)


def parse(source: RecordSource) -> Record:
    """The record in a text, or a struct with the values that its text has; raises UnreadableRecord."""
    return _decoded(_text_of(source), _name_of_file(source), None)


def encode(record: Record) -> bytes:
    """The record in canonical form, one line of UTF-8 without a break; raises UnreadableRecord if it is none."""
    return codec.encode(cast(Any, parse(record)))


def notation_of(record: Record) -> str:
    """A record in the notation; raises UnreadableRecord if it is none."""
    return write_notation(cast(Any, parse(record)))


def write(records: Record | Iterable[Record], path: str | PathLike[str]) -> int:
    """Write records to a file, and tell how many; the name may end in .gz or .zst.

    The ending before that says how: .bezique in the notation, .json one record in JSON, and any other one a line. The file
    appears whole, or not at all. Raises UnreadableRecord, ValueError for several records in one .json, and OSError.
    """
    require_path("path", path)
    target = Path(path)
    ending = next((each for each in target.suffixes if each in (".json", ".bezique")), "")
    several = (
        [records]
        if isinstance(records, Record)
        else require_several("records", records, "a record or several")
    )
    count = 0
    from analyzer.store.durable_files import open_named_file

    with open_named_file(target) as stream:
        for count, record in enumerate(several, start=1):
            if count > 1 and ending == ".json":
                raise ValueError(f"{target} can hold one record. Use .jsonl for more.")
            if ending == ".bezique":
                between = "\n" if count > 1 else ""
                stream.write((between + notation_of(record)).encode())
            else:
                stream.write(encode(record) + b"\n")
    return count


def annotate(record: Record) -> Annotation:
    """The review of a game: what every decision after the close lost, and the melds that were missed.

    Raises UnreadableRecord, also if the rules of the record cannot be resolved.
    """
    from analyzer.review.annotation import annotate as annotated

    return annotated(_reviewable(record))


def review(record: Record, *, worlds: int = 0, rollouts: int = 0, seed: int = 0) -> GameReview:
    """The review of a game: what every decision cost, how each deal went, and the melds that were missed.

    Without `worlds`, it tells what is exact, after the close and in the last trick before it, and takes a moment. With some,
    such as 64, every choice before the close is tried in so many deals that its seat could hold possible, which takes minutes.
    `rollouts` tell luck from skill. The same `seed` gives the same review. Raises UnreadableRecord, also if the rules of the
    record cannot be resolved, and ValueError for a number below 0.
    """
    from analyzer.review.deep_review import ReviewTerms
    from analyzer.review.reviewer import review_record

    require_number("worlds", worlds, least=0)
    require_number("rollouts", rollouts, least=0)
    require_number("seed", seed)
    terms = ReviewTerms(worlds=worlds, rollouts=rollouts, seed=seed)
    return review_record(_reviewable(record), terms=terms)


def _reviewable(record: Record) -> Any:
    """The record, as it can be reviewed; raises UnreadableRecord."""
    report = check(record)
    if report.verdict == "unreadable":
        raise UnreadableRecord(_name_of_file(record), report)
    return parse(record)


def _name_of_file(source: object) -> str:
    """What to do with a text that is no record but the name of a file; empty for anything else."""
    is_name = isinstance(source, str) and source.lower().endswith((".json", ".jsonl", ".bezique"))
    return f"{shown(source)} is the name of a file, which bezique.read reads" if is_name else ""


def _decoded(data: bytes, where: str, line: int | None) -> Record:
    decoded = codec.decode(data, line=line)
    if decoded.record is None:
        raise UnreadableRecord(where, _unreadable(decoded.findings, line))
    return cast(Record, decoded.record)


def _unreadable(findings: list[Any], line: int | None) -> Report:
    return _public(JudgedRecord(verdict="unreadable", line=line, findings=findings))


def _public(report: JudgedRecord) -> Report:
    """A report as type checkers are told of it: at run time it is the same struct."""
    return cast(Report, report)


def _text_of(source: RecordSource) -> bytes:
    """The text of a record: of a struct the one that it would be written as, whatever it holds."""
    if isinstance(source, bytes | bytearray):
        return bytes(source)
    if isinstance(source, str):
        return source.encode("utf-8", "surrogatepass")
    try:
        return _ENCODER.encode(source)
    except Exception:
        # A struct that a program has filled may hold anything, and `check` tells it where.
        return json.dumps(_plain(source, frozenset())).encode()


def _plain(value: Any, above: frozenset[int]) -> Any:
    """A value as JSON can write it; what JSON has no word for becomes the name of its type, which fits nowhere."""
    if value is None or isinstance(value, str | bool | float):
        return value
    if isinstance(value, int):
        return max(-_LONGEST_INTEGER, min(_LONGEST_INTEGER, int(value)))
    if id(value) in above:
        return f"<{type(value).__name__} within itself>"
    if len(above) > MAX_NESTING_DEPTH:
        return []
    within = above | {id(value)}
    if isinstance(value, msgspec.Struct):
        return {name: _plain(member, within) for name, member in _members(value)}
    if isinstance(value, Mapping):
        return {str(name): _plain(member, within) for name, member in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(member, within) for member in value]
    return f"<{type(value).__name__}>"


def _members(struct: msgspec.Struct) -> Iterator[tuple[str, Any]]:
    """The members of a struct as a text names them, its type first."""
    config = struct.__struct_config__
    if isinstance(config.tag_field, str):
        yield config.tag_field, config.tag
    for field in msgspec.structs.fields(struct):
        value = getattr(struct, field.name, msgspec.UNSET)
        if value is not msgspec.UNSET:
            yield field.encode_name, value
