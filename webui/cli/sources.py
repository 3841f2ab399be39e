"""The inputs of commands: files, folders, patterns, standard input."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, BinaryIO

import click

from records.phrases import path_text, pluralize, sanitize_text
from webui.cli.main import FROM_ONE, Command, ProgressBar, Refusal, error_sentence

if TYPE_CHECKING:  # what works is loaded when it is needed, so that the help starts at once
    from records.format.files import Entry
    from records.record import Record

JSON_ENDINGS = (".json", ".jsonl", ".ndjson")
NOTATION_ENDINGS = (".bezique",)
PLAIN_ENDINGS = (*JSON_ENDINGS, *NOTATION_ENDINGS)
COMPRESSED_ENDINGS = ("", ".gz", ".gzip", ".zst", ".zstd", ".bz2", ".xz")
RECORD_FILE_ENDINGS = (
    *(plain + packed for plain in (*PLAIN_ENDINGS, ".tar") for packed in COMPRESSED_ENDINGS),
    ".zip",
    ".tgz",
)
"""The endings of record files; other files of a folder are ignored."""

TABLE_ENDINGS = (".csv", ".tsv", ".xls", ".xlsx", ".ods")
"""How names of files end from which somebody expects a table."""
STDIN = "-"


@dataclass(frozen=True, slots=True)
class CommandInput:
    """A file or stream of records; `name` is what it is called in words, `size` is in bytes, None if unknown."""

    name: str
    path: Path | None
    size: int | None

    @property
    def uri(self) -> str:
        """Its path as a URI: relative if the path is."""
        if self.path is None:
            return self.name
        from urllib.parse import quote

        if self.path.is_absolute():
            return self.path.as_uri()
        return quote(os.fsencode(self.path))

    @contextmanager
    def opened(self) -> Iterator[BinaryIO]:
        """Its bytes as a stream; raises OSError that names it."""
        try:
            if self.path is None:
                yield sys.stdin.buffer
                return
            with self.path.open("rb") as stream:
                yield stream
        except OSError as error:
            error.filename = error.filename or self.name
            raise


@dataclass(frozen=True, slots=True)
class InputRecord:
    """A record of a source: `number` counts the records of the source from 1."""

    source: CommandInput
    number: int
    entry: "Entry"

    @property
    def place(self) -> str:
        """The file and line, as compilers write it."""
        line = "" if self.entry.line is None else f":{self.entry.line}"
        return sanitize_text(f"{self.source.name}{line}")


def find_inputs(paths: tuple[str, ...]) -> list[CommandInput]:
    """The inputs that arguments name; a folder stands for every record file below it, by name."""
    return [source for path in paths for source in _sources(path)]


def find_inputs_that_exist(paths: tuple[str, ...]) -> tuple[list[CommandInput], list[str]]:
    """The inputs that arguments name, and a sentence for each argument that names none."""
    found: list[CommandInput] = []
    missing = []
    for path in paths:
        try:
            found += _sources(path)
        except OSError as error:
            missing.append(error_sentence(error))
        except Refusal as refusal:
            missing.append(refusal.message)
    return found, missing


def _sources(path: str) -> list[CommandInput]:
    if path == STDIN:
        return [CommandInput("<stdin>", None, None)]
    location = Path(path)
    if not location.is_dir():
        return ([] if location.exists() else _matching(location)) or [_source(location)]
    files = find_record_files(location)
    if not files:
        raise Refusal(
            f"{path}: no records in this folder. Names of record files end in {', '.join(PLAIN_ENDINGS)}."
        )
    return files


def _matching(pattern: Path) -> list[CommandInput]:
    """The files that match a pattern such as `games/*.jsonl`, by name."""
    try:
        found = list(Path(pattern.anchor).glob(str(pattern.relative_to(pattern.anchor))))
    except ValueError:
        raise Refusal(
            f"{pattern} is not a pattern: ** stands for folders, alone between slashes, as in games/**/*.jsonl."
        ) from None
    return [_source(path) for path in sorted(found) if path.is_file()]


def find_record_files(folder: Path) -> list[CommandInput]:
    """Every record file below a folder, by name; hidden files are ignored."""
    found = (
        file
        for file in folder.rglob("*")
        if file.name.lower().endswith(RECORD_FILE_ENDINGS)
        and not any(part.startswith(".") for part in file.relative_to(folder).parts)
    )
    return [_source(file) for file in sorted(found) if file.is_file()]


def _source(path: Path) -> CommandInput:
    status = path.stat()
    return CommandInput(path_text(path), path, status.st_size if S_ISREG(status.st_mode) else None)


def read_input_records(
    sources: list[CommandInput],
    bar: ProgressBar,
    on_error: Callable[[OSError], None] | None = None,
) -> Iterator[InputRecord]:
    """Every record of these sources, in order, while the progress bar follows.

    A source that cannot be read is told `on_error`, and the next one follows; without it, raises OSError.
    """
    before, count = 0, 0
    sizes = [source.size for source in sources]
    bar.total = None if None in sizes else sum(size or 0 for size in sizes)
    for source in sources:
        try:
            for input_record, done in _records_of(source):
                yield input_record
                count += 1
                bar.show(before + done if bar.total else 0, pluralize(count, "record"))
        except OSError as error:
            if on_error is None:
                raise
            error.filename = error.filename or source.name
            on_error(error)
        before += source.size or 0


def _records_of(source: CommandInput) -> Iterator[tuple[InputRecord, int]]:
    """The records of one source, each with the number of bytes read so far."""
    from records.format.files import read_entries

    with source.opened() as stream:
        for number, entry in enumerate(read_entries(stream, name=source.name), start=1):
            yield InputRecord(source, number, entry), 0 if source.size is None else stream.tell()


def record_option(verb: str) -> Callable[[Command], Command]:
    """Add `--record` to a command that does this to one record, which receives it as `number`."""
    return click.option(
        "--record", "number", type=FROM_ONE, default=1, metavar="N",
        help=f"{verb} the N-th record of the file.  [default: 1]",
    )  # fmt: skip


def find_input_record(file: str, number: int) -> InputRecord:
    """The record with this number in a file, counted from 1; raises Refusal if there is none."""
    inputs = find_inputs((file,))
    if len(inputs) > 1:
        raise Refusal(
            f"{file} stands for {len(inputs):,} files: name one of them, such as {inputs[0].name}."
        )
    with ProgressBar("reading") as bar:
        records = read_input_records(inputs, bar)
        input_record = next(islice(records, number - 1, None), None)
    if input_record is None:
        raise Refusal(f"Record {number} does not exist in {file}.")
    return input_record


@contextmanager
def telling_replaced(path: Path) -> Iterator[None]:
    """Say so where the block replaces a file that was there before."""
    was_there = path.is_file()
    yield
    if was_there:
        click.echo(f"Replaced {path_text(path)}, which was there before.", err=True)


def record_file(name: str, plain: tuple[str, ...] = JSON_ENDINGS) -> Path:
    """The path of a file for records with one of these endings; raises Refusal if its name promises something else."""
    path = Path(name)
    endings = tuple(ending + packed for ending in plain for packed in COMPRESSED_ENDINGS)
    if path.suffix and not path.name.lower().endswith(endings):
        hint = " `bezique stats --format csv` writes tables."
        raise Refusal(
            f"{name}: records are written as {', '.join(plain)}, also compressed (.gz, .zst)."
            f"{hint if path.suffix.lower() in TABLE_ENDINGS else ''}"
        )
    return path


def decode_input_record(input_record: InputRecord) -> "Record":
    """The record itself; raises Refusal if it cannot be read."""
    from records.format import codec

    entry = input_record.entry
    record = None if entry.findings else codec.decode(entry.data, line=entry.line).record
    if record is None:
        raise Refusal(f"{input_record.place} cannot be read. `bezique validate` shows why.")
    return record


def check_deal_number(record: "Record", deal: int | None) -> None:
    """Raise Refusal if a deal, counted from 1, does not exist; None asks for no deal in particular."""
    count = len(record.deals)
    if deal is not None and deal > count:
        deals = pluralize(count, "deal") if count else "no deals"
        raise Refusal(f"Deal {deal} does not exist; the record has {deals}.")
