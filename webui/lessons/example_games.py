"""The example games: records that come with the package, shown like stored ones and stored in no database."""

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from records import codec
from records.rules.registry import ALL_SHEETS, resolve_rules
from webui.games.cache import GameNotFound, GameSource, OpenedGame

FIRST_PAGE_EXAMPLE = "ace-of-diamonds"
"""The game whose position the first page asks about; the other examples are named after their rule sheets."""
EXAMPLE_NAMES = (FIRST_PAGE_EXAMPLE, *(sheet.id for sheet in ALL_SHEETS))


def example_file(name: str) -> Traversable:
    """The file of an example, whether it exists or not."""
    return files("webui.lessons") / "games" / f"{name}.json"


@cache
def _open(name: str) -> OpenedGame:
    data = example_file(name).read_bytes()
    record = codec.decode(data).record
    if record is None:
        raise ValueError(f"The example {name} cannot be read.")
    resolved = resolve_rules(record.rules)
    return OpenedGame(
        record=record, resolved=resolved, source=GameSource("examples", {"game": name})
    )


def open_example(name: str) -> OpenedGame:
    """The example game with this name; raises GameNotFound."""
    if name not in EXAMPLE_NAMES:
        raise GameNotFound(name)
    return _open(name)
