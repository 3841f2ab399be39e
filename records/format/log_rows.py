"""The lines of a log as rows: the value of every column, by its name."""

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, NamedTuple

from records.format.log_mapping import ConversionError, LogForm


class LogRow(NamedTuple):
    """A line of a log, counted from 1, as it is written, and what it has in its columns."""

    line: int
    text: str
    columns: Mapping[str, Any]


def read_rows(source: BinaryIO, form: LogForm, *, name: str) -> Iterator[LogRow]:
    """The rows of a log in UTF-8; blank lines are passed over. Raises ConversionError and OSError."""
    # A byte that is no UTF-8 becomes a sign that no text has, so that its line can be named.
    text = io.TextIOWrapper(source, encoding="utf-8-sig", errors="surrogateescape", newline="")
    readers = {
        "csv": _read_csv, "json": _read_json, "jsonl": _read_json_lines, "lines": _read_lines,
        "pairs": _read_pairs,
    }  # fmt: skip
    try:
        yield from readers[form.format](_checked_lines(text, name), form, name)
    finally:
        text.detach()


_ESCAPED_BYTE = re.compile("[\udc80-\udcff]")


def _checked_lines(text: io.TextIOWrapper, name: str) -> Iterator[str]:
    for number, line in enumerate(text, start=1):
        if _ESCAPED_BYTE.search(line):
            raise ConversionError(f"line {number} of {name} is not UTF-8.")
        yield line


def _read_csv(lines: Iterator[str], form: LogForm, name: str) -> Iterator[LogRow]:
    read: list[tuple[str, str]] = []
    delimiter = form.delimiter or ","
    rows = csv.reader(_without_comments(lines, form, read), delimiter=delimiter, strict=True)
    names = form.columns
    try:
        for values in rows:
            line = rows.line_num - len(read) + 1
            text = "".join([each for each, _ in read]).rstrip("\r\n")
            comment = " ".join([each for _, each in read if each])
            read.clear()
            if len(values) < 2 and not "".join(values).strip():
                continue
            if names is None:
                names = values
                continue
            columns = {**dict.fromkeys(names, ""), **dict(zip(names, values, strict=False))}
            more = {"": values[len(names) :]} if len(values) > len(names) else {}
            yield LogRow(line, text, _with_comment({**columns, **more}, form, comment))
    except csv.Error as error:
        raise ConversionError(f"line {rows.line_num} of {name} is not CSV: {error}.") from None


def _without_comments(
    lines: Iterator[str], form: LogForm, read: list[tuple[str, str]]
) -> Iterator[str]:
    """The lines up to a comment, which begins outside quotation marks; both are added to what was `read`."""
    is_quoted = False
    for line in lines:
        kept, comment, is_quoted = _split_comment(line, form.comment, is_quoted=is_quoted)
        read.append((line, comment))
        yield kept


def _split_comment(line: str, mark: str, *, is_quoted: bool) -> tuple[str, str, bool]:
    """A line without its comment, the comment, and whether a quotation mark is still open at its end."""
    start = 0
    while True:
        end = line.find(mark, start) if mark else -1
        before = line[start:] if end < 0 else line[start:end]
        is_quoted ^= before.count('"') % 2 == 1
        if end < 0:
            return line, "", is_quoted
        if not is_quoted:
            ending = line[len(line.rstrip("\r\n")) :]
            return line[:end] + ending, line[end + len(mark) :].strip(), is_quoted
        is_quoted ^= mark.count('"') % 2 == 1
        start = end + len(mark)


def _read_json_lines(lines: Iterator[str], form: LogForm, name: str) -> Iterator[LogRow]:
    for number, line in enumerate(lines, start=1):
        if not line.strip() or (form.comment and line.lstrip().startswith(form.comment)):
            continue
        value, rest = _json_value(line, f"line {number} of {name}")
        if rest and not (form.comment and rest.startswith(form.comment)):
            raise ConversionError(f"line {number} of {name} is not JSON.")
        if not isinstance(value, dict):
            raise ConversionError(f"line {number} of {name} is not a JSON object.")
        yield LogRow(
            number, line.strip(), _with_comment(value, form, rest.removeprefix(form.comment))
        )


def _json_value(text: str, place: str) -> tuple[Any, str]:
    """The JSON value that a text begins with, and what stands behind it."""
    begins = len(text) - len(text.lstrip())
    try:
        value, end = json.JSONDecoder().raw_decode(text, begins)
    except (ValueError, RecursionError):
        raise ConversionError(f"{place} is not JSON.") from None
    return value, text[end:].strip()


def _read_json(lines: Iterator[str], form: LogForm, name: str) -> Iterator[LogRow]:
    """One value: an object is one row, and so is each object of a list; a row has the line in which it begins."""
    text = "".join(lines)
    if not text.strip():
        return
    values, starts, rest = _json_items(text, name)
    if rest.strip():
        raise ConversionError(
            f"line {_line_at(text, len(text) - len(rest))} of {name} is not JSON."
        )
    for value, start in zip(values, starts, strict=True):
        line = _line_at(text, start)
        if not isinstance(value, dict):
            raise ConversionError(f"line {line} of {name} is not a JSON object.")
        yield LogRow(line, json.dumps(value, ensure_ascii=False), value)


_JSON_BLANKS = re.compile(r"[ \t\r\n]*+")
_JSON_BETWEEN = re.compile(r"[ \t\r\n]*+([,\]])[ \t\r\n]*+")


def _json_items(text: str, name: str) -> tuple[list[Any], list[int], str]:
    """The items of a list, or the one value that is none, where each begins, and what stands behind all."""
    decoder = json.JSONDecoder()
    at = _end_of(_JSON_BLANKS, text, 0)
    is_list = text[at : at + 1] == "["
    values: list[Any] = []
    starts: list[int] = []
    if is_list:
        at = _end_of(_JSON_BLANKS, text, at + 1)
        if text[at : at + 1] == "]":
            return values, starts, text[at + 1 :]
    while True:
        try:
            value, end = decoder.raw_decode(text, at)
        except json.JSONDecodeError as error:
            raise ConversionError(f"line {error.lineno} of {name} is not JSON.") from None
        except (ValueError, RecursionError):
            raise ConversionError(f"line {_line_at(text, at)} of {name} is not JSON.") from None
        values.append(value)
        starts.append(at)
        if not is_list:
            return values, starts, text[end:]
        between = _JSON_BETWEEN.match(text, end)
        if between is None:
            raise ConversionError(f"line {_line_at(text, end)} of {name} is not JSON.")
        at = between.end()
        if between[1] == "]":
            return values, starts, text[at:]


def _end_of(pattern: re.Pattern[str], text: str, start: int) -> int:
    found = pattern.match(text, start)
    return start if found is None else found.end()


def _line_at(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def _read_lines(lines: Iterator[str], form: LogForm, name: str) -> Iterator[LogRow]:
    for number, line in enumerate(lines, start=1):
        kept, comment = _cut_comment(line, form.comment)
        if kept.strip():
            columns = {"line": kept.rstrip("\r\n")}
            yield LogRow(number, line.rstrip("\r\n"), _with_comment(columns, form, comment))


def _cut_comment(line: str, mark: str) -> tuple[str, str]:
    if not mark or mark not in line:
        return line, ""
    kept, _, comment = line.partition(mark)
    return kept.rstrip(), comment.strip()


def _with_comment(columns: Mapping[str, Any], form: LogForm, comment: str) -> Mapping[str, Any]:
    """The columns, and the comment as a column of its own where lines may have one."""
    return {"comment": comment.strip(), **columns} if form.comment else columns


_PAIR = r'(?P<name>[^\s=,;|"]+)=(?:"(?P<quoted>(?:[^"\\]|\\.)*+)"|(?P<plain>PLAIN*))'


def _read_pairs(lines: Iterator[str], form: LogForm, name: str) -> Iterator[LogRow]:
    """`name=value` at every value; what belongs to no pair is the column `line`."""
    plain = rf"[^{re.escape(form.delimiter)}\r\n]" if form.delimiter else r"\S"
    pattern = re.compile(_PAIR.replace("PLAIN", plain))
    for number, line in enumerate(lines, start=1):
        kept, comment, _ = _split_comment(line, form.comment, is_quoted=False)
        if kept.strip():
            columns = _with_comment(_pairs_in(kept, pattern), form, comment)
            yield LogRow(number, line.rstrip("\r\n"), columns)


def _pairs_in(line: str, pattern: re.Pattern[str]) -> Mapping[str, str]:
    columns: dict[str, str] = {}
    for pair in pattern.finditer(line):
        quoted = pair["quoted"]
        value = pair["plain"] if quoted is None else re.sub(r"\\(.)", r"\1", quoted)
        columns[pair["name"]] = value.strip()
    return {"line": " ".join(pattern.sub("", line).split()), **columns}
