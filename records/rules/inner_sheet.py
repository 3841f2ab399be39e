"""The rulebook that a record carries inside: a whole sheet of one's own, without what follows from the rest of it.

As nothing in it follows from anything else, it reads the same by every later version, and one rulebook is written in one way.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import count
from typing import Any, NamedTuple

import msgspec

from records.errors import SheetIdTaken
from records.pointers import pointer_step
from records.record import Rules
from records.rules import compiled
from records.rules.complete import settled_by_law
from records.rules.english import explain_sheet
from records.rules.own_sheet import sheet_of_data
from records.rules.registry import own_sheets, require_id_inside
from records.rules.sheet_shape import quoted
from records.rules.sheet_text import LARGEST_SHEET_BYTES
from records.rules.vocabulary import RuleSheet

_ENCODER = msgspec.json.Encoder(order="deterministic")
MOST_SHEETS_REMEMBERED = 32
MOST_SHEETS_LISTED = 5
"""After so many sheets that were read, the cards of melds are listed anew: strangers send sheets, and each may have many."""


class SheetMistakeAt(NamedTuple):
    """A mistake: a JSON Pointer, and a sentence."""

    pointer: str
    says: str


class InnerSheet(NamedTuple):
    """What `rules.sheet` comes to: the sheet with all that follows from it, or what is wrong with it."""

    sheet: RuleSheet | None
    mistakes: tuple[SheetMistakeAt, ...] = ()


def read_inner_sheet(data: dict[str, Any]) -> InnerSheet:
    """The sheet that a record carries; the order of its members does not matter. Never raises, whatever the data."""
    try:
        return _read(_ENCODER.encode(data))
    except RecursionError:
        return _wrong("", "The rulebook is nested too deeply.")


@lru_cache(maxsize=MOST_SHEETS_REMEMBERED)
def _read(text: bytes) -> InnerSheet:
    if len(text) > LARGEST_SHEET_BYTES:
        most = f"A rulebook in a record has at most {LARGEST_SHEET_BYTES:,} bytes"
        return _wrong("", f"{most}, and this one has {len(text):,}.")
    _forget_cards()
    said = msgspec.json.decode(text)
    sheet, found = sheet_of_data(msgspec.json.decode(text))
    if sheet is None:
        return InnerSheet(None, tuple(SheetMistakeAt(*each) for each in found))
    try:
        require_id_inside(sheet)
    except SheetIdTaken as error:
        return _wrong("/id", str(error))
    mistakes = tuple(_beside(said, inner_data(sheet), ""))
    return InnerSheet(None if mistakes else sheet, mistakes)


def _wrong(pointer: str, says: str) -> InnerSheet:
    return InnerSheet(None, (SheetMistakeAt(pointer, says),))


def inner_mistakes(rules: Rules) -> Iterator[SheetMistakeAt]:
    """What is wrong with the sheet that the rules of a record carry, by pointers into the record; nothing without one."""
    if rules.sheet is None:
        return
    read = read_inner_sheet(rules.sheet)
    for mistake in read.mistakes:
        yield SheetMistakeAt(f"/rules/sheet{mistake.pointer}", mistake.says)
    if read.sheet is not None and read.sheet.id != rules.id:
        says = (
            f"The record names the rulebook {quoted(rules.id)} and carries {quoted(read.sheet.id)}."
        )
        yield SheetMistakeAt("/rules/sheet/id", says)


_reads = count(1)


def _forget_cards() -> None:
    """Let go of the cards of melds that were listed for earlier sheets, once they may be many."""
    if next(_reads) % MOST_SHEETS_LISTED == 0:
        compiled.forget_cards()


# A sheet as a record carries it.


def inner_data(sheet: RuleSheet) -> dict[str, Any]:
    """A sheet without what follows from the rest of it, as `rules.sheet` has it."""
    data: dict[str, Any] = msgspec.to_builtins(sheet, str_keys=True)
    del data["format"], data["version"]
    _drop_from_rules(data["rules"])
    for article in data["articles"]:
        del article["heading"], article["says"], article["follows"]
    ours = {law.number for law in explain_sheet(sheet).laws}
    data["laws"] = [law for law in data["laws"] if law["id"] not in ours]
    plain: dict[str, Any] = msgspec.json.decode(_ENCODER.encode(data))
    return plain


def carry_sheet(rules: Rules) -> None:
    """Put the sheet that the rules of a record name into them, if it is one of one's own that is known, and not there yet."""
    named = next((sheet for sheet in own_sheets() if sheet.id == rules.id), None)
    if named is not None and rules.sheet is None:
        rules.sheet = inner_data(named)


def _drop_from_rules(rules: dict[str, Any]) -> None:
    del rules["pack"]["cards"]
    for phase in rules["phases"]:
        del phase["must_play"]
    for meld in rules["melds"]:
        del meld["sets"]
    if rules["play"]["by"] == "tricks":
        del rules["play"]["takes"], rules["play"]["at_the_close"]
    for name in ("forbids", *settled_by_law(rules["reuse"]["law"])):
        del rules["reuse"][name]


def _beside(said: Any, inner: Any, at: str) -> Iterator[SheetMistakeAt]:
    """What a record says beside what it has to carry, or does not say."""
    if isinstance(said, dict) and isinstance(inner, dict):
        for name in sorted(inner.keys() - said.keys()):
            yield SheetMistakeAt(at, f"The member {quoted(name)} is missing.")
        for name in sorted(said):
            here = f"{at}/{pointer_step(name)}"
            if name in inner:
                yield from _beside(said[name], inner[name], here)
            else:
                yield SheetMistakeAt(here, _FOLLOWS)
    elif isinstance(said, list) and isinstance(inner, list) and len(said) == len(inner):
        for number, part in enumerate(said):
            yield from _beside(part, inner[number], f"{at}/{number}")
    elif said != inner:
        yield SheetMistakeAt(at, _FOLLOWS)


_FOLLOWS = (
    "This follows from the rest of the sheet, or is a law that it cites: a record leaves it out."
)
