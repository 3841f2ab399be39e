"""What reads the files of other programs as records, by name.

An adapter is a function. Any package may bring one: it names the function under `bezique.adapters` in its entry points.
"""

from collections.abc import Iterator, Mapping
from importlib.metadata import entry_points
from typing import Any, BinaryIO, Protocol, cast

from records.codec import Entry, read_entries
from records.conversion.event_log import read_event_log
from records.conversion.mapping import ConversionError

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


OWN_ADAPTERS: Mapping[str, Adapter] = {"records": read_records, "event-log": read_event_log}


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
