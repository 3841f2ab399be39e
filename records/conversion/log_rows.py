"""The lines of a log as rows: the value of every column, by its name."""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, NamedTuple

from records.conversion.mapping import ConversionError, LogForm


class LogRow(NamedTuple):
    """A line of a log, counted from 1, and what it has in its columns."""

    line: int
    columns: Mapping[str, Any]


def read_rows(source: BinaryIO, form: LogForm) -> Iterator[LogRow]:
    """The rows of a log in UTF-8; blank lines are passed over. Raises ConversionError and OSError."""
    text = io.TextIOWrapper(source, encoding="utf-8-sig", newline="")
    readers = {"csv": _read_csv, "jsonl": _read_json_lines, "lines": _read_lines}
    try:
        yield from readers[form.format](text, form)
    except UnicodeDecodeError:
        raise ConversionError("The log is not UTF-8.") from None
    finally:
        text.detach()


def _read_csv(text: io.TextIOWrapper, form: LogForm) -> Iterator[LogRow]:
    if len(form.delimiter) != 1:
        raise ConversionError("The mapping cannot be used: `delimiter` must be one character.")
    rows = csv.DictReader(
        text, form.columns, delimiter=form.delimiter, restkey="", restval="", strict=True
    )
    try:
        for row in rows:
            yield LogRow(rows.line_num, row)
    except csv.Error as error:
        raise ConversionError(f"After line {rows.line_num} the log is not CSV: {error}.") from None


def _read_json_lines(text: io.TextIOWrapper, form: LogForm) -> Iterator[LogRow]:
    for number, line in enumerate(text, start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            raise ConversionError(f"Line {number} is not JSON.") from None
        if not isinstance(value, dict):
            raise ConversionError(f"Line {number} is not a JSON object.")
        yield LogRow(number, dict(_flatten(value)))


def _flatten(value: dict[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """The members of an object, and of those in it as `card.suit`."""
    for name, member in value.items():
        yield above + name, member
        if isinstance(member, dict):
            yield from _flatten(member, f"{above}{name}.")


def _read_lines(text: io.TextIOWrapper, form: LogForm) -> Iterator[LogRow]:
    for number, line in enumerate(text, start=1):
        if line.strip():
            yield LogRow(number, {"line": line.rstrip("\r\n")})
