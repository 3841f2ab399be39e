"""Logs of other programs, line by line, as records: a mapping says what their columns and words mean."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import PurePath
from typing import Any, BinaryIO, Protocol, cast

from records.format.files import Entry, read_entries
from records.format.log_mapping import ConversionError as ConversionError
from records.format.log_mapping import (
    LogMapping,
    compile_pattern,
    name_mapping_place,
    unusable_mapping,
)
from records.format.log_rows import read_rows
from records.format.log_translator import LineAccount, LogTranslator, Written
from records.format.sriep_saves import read_sriep_saves

# A log, file by file.


@dataclass(frozen=True, slots=True)
class ConvertedGame(Entry):
    """A game of a log, with what became of its lines."""

    accounts: list[LineAccount] = field(default_factory=list)

    def origin_of(self, pointer: str) -> tuple[LineAccount, Written] | None:
        """The line that wrote the value at a pointer, or the nearest one around it."""
        around = [
            (account, written)
            for account in self.accounts
            for written in account.written
            if f"{pointer}/".startswith(f"{written.pointer}/")
        ]
        return max(around, key=lambda each: len(each[1].pointer), default=None)


def read_event_log(source: BinaryIO, *, name: str, mapping: Mapping[str, Any]) -> Iterator[Entry]:
    """The games of a log, each as the JSON of a record; raises ConversionError and OSError."""
    reader = LogReader(mapping)
    yield from reader.read(source, name=name)
    yield from reader.finish()


class LogReader:
    """Reads the games of logs, file by file; where the mapping knows the names of files, a game may go on in the next."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = values
        self._translator = LogTranslator(values)
        form = self._translator.mapping.log
        _check_delimiter(values, self._translator.mapping)
        self._names = None
        if form.name:
            self._names = compile_pattern(values, form.name, ("log", "name"))
        self._accounts: list[LineAccount] = []

    def read(self, source: BinaryIO, *, name: str) -> Iterator[ConvertedGame]:
        """The games that end in this file."""
        for found in self.follow(source, name=name):
            if isinstance(found, ConvertedGame):
                yield found

    def follow(self, source: BinaryIO, *, name: str) -> Iterator[LineAccount | ConvertedGame]:
        """What becomes of each line, and each game as soon as it has ended."""
        of_file = self._columns_of(name)
        for row in read_rows(source, self._translator.mapping.log, name=name):
            with self._naming_the_place():
                data, account = self._translator.read(name, row, {**of_file, **row.columns})
            if data is not None:
                yield self._game(data)
            self._accounts.append(account)
            yield account
        if self._names is None:
            yield from self.finish()

    def finish(self) -> Iterator[ConvertedGame]:
        """The last game, if there is one."""
        if self._accounts:
            with self._naming_the_place():
                data = self._translator.finish()
            yield self._game(data)

    def _game(self, data: bytes) -> ConvertedGame:
        accounts, self._accounts = self._accounts, []
        return ConvertedGame(accounts[0].name, accounts[0].line, data, accounts=accounts)

    def _columns_of(self, name: str) -> Mapping[str, str]:
        """What the name of a file says of all its lines."""
        if self._names is None:
            return {}
        found = self._names.fullmatch(PurePath(name).name)
        if found is None:
            place = name_mapping_place(self.values, ("log", "name"))
            raise ConversionError(f"the name {name} is not such as the mapping wants. See {place}.")
        return {"file": name} | {key: value or "" for key, value in found.groupdict().items()}

    @contextmanager
    def _naming_the_place(self) -> Iterator[None]:
        """Say where in the log it was, and where in the mapping, if a line cannot be converted."""
        translator = self._translator
        try:
            yield
        except RecursionError:
            name, line = translator.line
            raise ConversionError(f"line {line} of {name}: values are nested too deeply.") from None
        except ConversionError as error:
            name, line = translator.line
            see = f" See {name_mapping_place(self.values, translator.at)}." if translator.at else ""
            raise ConversionError(f"line {line} of {name}: {error}{see}") from None


def _check_delimiter(values: Mapping[str, Any], mapping: LogMapping) -> None:
    delimiter = mapping.log.delimiter
    is_wrong = len(delimiter) > 1 or delimiter in ('"', "\r", "\n")
    if is_wrong and mapping.log.format in ("csv", "pairs"):
        says = "`log.delimiter` must be one character"
        raise unusable_mapping(values, ("log", "delimiter"), says)


# Adapters, by name: what reads the files of other programs as records.
#
# An adapter is a function. Any package may bring one: it names the function under `bezique.adapters` in its entry points.

ENTRY_POINT_GROUP = "bezique.adapters"


class Adapter(Protocol):
    """Reads a file of another program.

    It gives each game as an entry, in order: the bytes of a record, in JSON or in the notation, and its line in the
    file, if it has one. What it gives is judged as every record is: it need not be legal, nor even be a record.
    `mapping` is what the user's TOML file says, empty without one. Raises ConversionError where the file or the mapping
    makes no sense, and OSError.
    """

    def __call__(
        self, source: BinaryIO, *, name: str, mapping: Mapping[str, Any]
    ) -> Iterator[Entry]:
        """The games of the file."""


def read_records(source: BinaryIO, *, name: str, mapping: Mapping[str, Any]) -> Iterator[Entry]:
    """The records of a file that has records already, in JSON or in the notation; it knows no mapping."""
    if mapping:
        raise ConversionError("Records need no mapping: --mapping is for --from event-log.")
    yield from read_entries(source, name=name)


OWN_ADAPTERS: Mapping[str, Adapter] = {
    "records": read_records, "event-log": read_event_log, "sriep-bezique": read_sriep_saves,
}  # fmt: skip


def adapter_names() -> list[str]:
    """The names of all adapters: ours, then those of other packages."""
    others = {point.name for point in entry_points(group=ENTRY_POINT_GROUP)}
    return [*OWN_ADAPTERS, *sorted(others - set(OWN_ADAPTERS))]


def find_adapter(name: str) -> Adapter | None:
    """The adapter of a name, or None; raises what importing it from its package raises."""
    if name in OWN_ADAPTERS:
        return OWN_ADAPTERS[name]
    for point in entry_points(group=ENTRY_POINT_GROUP, name=name):
        return cast(Adapter, point.load())
    return None
