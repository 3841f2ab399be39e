"""How a log that nobody has described is laid out, found from its lines; and the values of its rows by their paths."""

import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, BinaryIO, NamedTuple

from records.format.log_mapping import ConversionError, LogForm
from records.format.log_rows import LogRow, read_rows
from records.format.text_places import is_json

MOST_ROWS_READ = 5_000
MOST_BYTES_READ = 2_000_000
QUESTION = "# ?"

# The layout of a log, and its rows.


class LogSample(NamedTuple):
    """The beginning of a log: its layout, what is to be asked about that, and its rows."""

    form: LogForm
    questions: list[str]
    rows: list[Mapping[str, Any]]


_DELIMITERS = ",;\t|"
_PAIRS = re.compile(r"[^\s=,;|\"]+=\S")
_COMMENTS = ("#", "//", "--")


def read_beginning(name: str, stream: BinaryIO) -> bytes:
    """A log, or the whole lines at the beginning of a long one; raises ConversionError if that has none, and OSError."""
    data = stream.read(MOST_BYTES_READ + 1)
    if len(data) <= MOST_BYTES_READ:
        return data
    first, _, _ = data.lstrip().partition(b"\n")
    lines, _, _ = data.rpartition(b"\n")
    if not lines or (first[:1] in (b"{", b"[") and not is_json(first)):
        raise ConversionError(
            f"the log {name} is one value of JSON, or one line, of more than {MOST_BYTES_READ:,} bytes: draft from a shorter log."
        )
    return lines + b"\n"


def read_sample(logs: Sequence[tuple[str, bytes]]) -> LogSample:
    """The first rows of logs of one kind, each with its name; raises ConversionError for what is no text."""
    rows: list[LogRow] = []
    form, questions = _find_form("")
    for name, data in logs:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise ConversionError(f"line {line} of {name} is not UTF-8.") from None
        if not rows:
            form, questions = _find_form(text)
        rows += read_rows(io.BytesIO(text.encode()), form, name=name)
        if len(rows) > MOST_ROWS_READ:
            break
    return LogSample(form, questions, [row.columns for row in rows[:MOST_ROWS_READ]])


def _find_form(text: str) -> tuple[LogForm, list[str]]:
    lines = [line for line in text.splitlines() if line.strip()]
    mark = next((mark for mark in _COMMENTS if any(line.startswith(mark) for line in lines)), "")
    lines = [line for line in lines if not (mark and line.startswith(mark))]
    if not lines:
        return LogForm(format="lines"), [f"{QUESTION} The log has no lines."]
    if all(map(_is_json_object, lines)):
        return LogForm(format="jsonl", comment=mark), []
    if text.lstrip()[:1] in ("{", "[") and is_json(text):
        return LogForm(format="json"), []
    for delimiter in sorted(_DELIMITERS, key=lambda sign: -sum(line.count(sign) for line in lines)):
        if _is_table(Counter(line.count(delimiter) for line in lines), len(lines)):
            return _table_form(lines, delimiter, mark)
    are_pairs = sum(len(_PAIRS.findall(line)) >= 2 for line in lines) > 0.8 * len(lines)
    return LogForm(format="pairs" if are_pairs else "lines", comment=mark), []


def _is_table(counts: Counter[int], lines: int) -> bool:
    """Whether nearly all lines have as many signs, of which there is one at least."""
    (count, often), *_ = counts.most_common(1)
    return count > 0 and often >= 0.9 * lines


def _table_form(lines: Sequence[str], delimiter: str, mark: str) -> tuple[LogForm, list[str]]:
    heads, *others = ([cell.strip() for cell in line.split(delimiter)] for line in lines)
    values = {cell for cells in others for cell in cells}
    is_head = len(set(heads)) == len(heads) and all(heads) and not values & set(heads)
    form = LogForm(format="csv", delimiter="" if delimiter == "," else delimiter, comment=mark)
    if is_head and not any(cell.isdecimal() for cell in heads):
        return form, []
    columns = [f"column{number}" for number in range(1, len(heads) + 1)]
    form = LogForm(format="csv", delimiter=form.delimiter, comment=mark, columns=columns)
    return form, [f"{QUESTION} The first line names no columns: what are they?"]


def _is_json_object(line: str) -> bool:
    return line.lstrip().startswith("{") and is_json(line)


# What a row has: its values by their paths.


def paths_in(value: Any, members: Sequence[str], above: str = "") -> Iterator[tuple[str, Any]]:
    """The values of a row by the paths that a mapping writes; lists, and objects that are a card, are values."""
    if isinstance(value, Mapping) and set(value) != set(members):
        for name, member in value.items():
            yield from paths_in(member, members, f"{above}.{name}" if above else str(name))
    else:
        yield above, value


def objects_in(value: Any) -> Iterator[Mapping[str, Any]]:
    """Every object in a value."""
    if isinstance(value, Mapping):
        yield value
    parts = (
        value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    )
    for part in parts:
        yield from objects_in(part)


def whole_numbers_in(value: Any) -> Iterator[int]:
    """The numbers that a value is, or is a list of."""
    if isinstance(value, list):
        for part in value:
            yield from whole_numbers_in(part)
    elif isinstance(value, int) or re.fullmatch(r"\d{1,3}(?:[ ,;|-]\d{1,3})*", str(value)):
        yield from map(int, re.findall(r"\d+", str(value)))


def has_value(value: Any) -> bool:
    """Whether a column is filled."""
    return value is not None and value != "" and value != []


def texts_in(value: Any) -> Iterator[str]:
    """Every text in a value that may be a card, also those of objects that may be one."""
    if isinstance(value, Mapping):
        scalars = [str(member) for member in value.values() if isinstance(member, (str, int))]
        if len(scalars) == len(value) == 2:
            yield "".join(scalars)
            yield "".join(reversed(scalars))
        for member in value.values():
            yield from texts_in(member)
    elif isinstance(value, list):
        for member in value:
            yield from texts_in(member)
    elif isinstance(value, str):
        yield value
        yield from re.split(r"[|,;+]\s*|\s+", value)
        words = re.findall(r"[^\s,;|()]+", value)
        for length in (2, 3):
            yield from (" ".join(words[at : at + length]) for at in range(len(words) - length + 1))
