"""The mapping of an event log: what its columns and words mean, as its user says in TOML."""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from records.cards import MAX_COPIES, RANKS, SUITS
from records.conversion.toml_mistakes import describe_toml_mistake
from records.errors import BeziqueError


class ConversionError(BeziqueError):
    """A file cannot be converted: its mapping makes no sense, or a line of it; the sentence says where and why."""


class _MappingPart(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A table of the mapping."""


class LogForm(_MappingPart, frozen=True):
    """How the file is laid out: `csv` whose first line names the columns, `jsonl`, or `lines` of text.

    Plain lines have one column, `line`. `columns` are the names if the first line of a `csv` is none.
    """

    format: Literal["csv", "jsonl", "lines"]
    delimiter: str = ","
    columns: list[str] | None = None


class CardForm(_MappingPart, frozen=True):
    """How the log writes cards: the form of one, its words for ranks and suits, and what is between several.

    A card that is an object in JSON has the texts of these `members` one after the other.
    """

    form: str = "{rank}{suit}"
    ranks: dict[str, str] = {}
    suits: dict[str, str] = {}
    unknown: tuple[str, ...] = ("??", "?")
    separator: str = " "
    members: list[str] = []

    def spellings(self) -> Mapping[str, str]:
        """Every way in which the log may write a card, in small letters, and the card."""
        found = {word.lower(): "??" for word in self.unknown}
        ranks = [*((rank, rank) for rank in RANKS), ("10", "T"), *self.ranks.items()]
        suits = [*((suit, suit) for suit in SUITS), *self.suits.items()]
        copies = range(1, MAX_COPIES + 1) if "{copy}" in self.form else (0,)
        for said_rank, rank in ranks:
            for said_suit, suit in suits:
                for copy in copies:
                    said = self.form.replace("{rank}", said_rank).replace("{suit}", said_suit)
                    label = f".{copy}" if copy else ""
                    found[said.replace("{copy}", str(copy)).lower()] = f"{rank}{suit}{label}"
        return found


class GameForm(_MappingPart, frozen=True):
    """What begins a game, and what its record says beside the deals; `more` are members such as `meta`.

    A player is a name, or an object as the record has it.
    """

    rules: dict[str, Any]
    players: list[str | dict[str, Any]]
    begins: str = ""
    more: dict[str, Any] = {}

    def __post_init__(self) -> None:
        for name in ("format", "version", "rules", "players", "deals"):
            if name in self.more:
                raise ValueError(f"`{name}` cannot stand in `game.more`")


class DealForm(_MappingPart, frozen=True):
    """What begins a deal, and what the record says of it; `more` are members such as `knowledge`."""

    begins: str = ""
    dealer: str | int | None = None
    more: dict[str, Any] = {}


class LineRule(_MappingPart, frozen=True):
    """What a line means if each column of `when` is as its pattern says; named groups are columns, too."""

    write: dict[str, Any] | list[dict[str, Any]]
    when: dict[str, str] = {}


class LogMapping(_MappingPart, frozen=True):
    """A whole mapping: `words` are the log's for those of the format, `seats` its names for seats."""

    log: LogForm
    game: GameForm
    deal: DealForm = DealForm()
    cards: CardForm = CardForm()
    seats: dict[str, int] = {}
    words: dict[str, str] = {}
    line: list[LineRule] = []


def read_mapping(values: Mapping[str, Any]) -> LogMapping:
    """The mapping that a TOML file holds; raises ConversionError."""
    try:
        return msgspec.convert(values, LogMapping)
    except msgspec.ValidationError as error:
        raise ConversionError(
            f"The mapping cannot be used: {describe_toml_mistake(error)}."
        ) from None
