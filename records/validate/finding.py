"""One thing found in a record: its code, its place, its rule and its sentence."""

from typing import Literal

import msgspec
from msgspec.structs import replace

Severity = Literal["unreadable", "illegal", "mismatch", "warning", "note"]


class Place(msgspec.Struct, omit_defaults=True, frozen=True, kw_only=True):
    """Where: 0-based indices, a JSON pointer into the record, and the line of a `.jsonl` file (1-based)."""

    deal: int | None = None
    event: int | None = None
    pointer: str = ""
    trick: int | None = None
    seat: int | None = None
    line: int | None = None


class Cause(msgspec.Struct, omit_defaults=True, frozen=True, kw_only=True):
    """An earlier finding that another finding, or a wrong number, follows from: its code, and its pointer."""

    code: str
    pointer: str = ""


class Finding(msgspec.Struct, omit_defaults=True, frozen=True, kw_only=True):
    """One finding of the report. `rule` names the article of the rule sheet, such as `zique/close`.

    `clause` is the way in which the code is meant, where it has several; the page of findings lists them.
    `because_of` is the earlier finding that this one follows from: a reader may fold the two into one.
    """

    code: str
    severity: Severity
    at: Place
    message: str
    clause: str | None = None
    since: tuple[int, int] | None = None
    rule: str | None = None
    expected: str | None = None
    found: str | None = None
    legal: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    because_of: Cause | None = None

    def on_line(self, line: int) -> "Finding":
        """The same finding with the line of the record in its file, counted from 1."""
        return replace(self, at=replace(self.at, line=line))
