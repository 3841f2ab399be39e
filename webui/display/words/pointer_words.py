"""Where a JSON pointer into a record leads, in words: people count from 1, and read names rather than slashes."""

import re
from collections.abc import Sequence

from records.validate.finding import Place

ENTRY_NOUNS = {
    "deals": "deal", "events": "event", "players": "player", "sides": "side", "hands": "hand", "notes": "note",
    "lines": "proposed line",
}  # fmt: skip
"""What an entry of a list is called; an entry of any other list is told as that, with the name of its list."""
MOST_PARTS = 5
"""A deeper place is told so far: what is nested deeper is a program's own data."""
WHOLE_RECORD = "the whole record"

_IN_A_DEAL = re.compile(r"/deals/(?P<deal>\d+)(?:/events/(?P<event>\d+))?(?=/|$)")


def pointer_words(pointer: str) -> str:
    """The place, with the names of members as code: `deal 3, event 126, `points``; the whole record if it is empty."""
    return ", ".join(_parts(pointer.split("/")[1:])) or WHOLE_RECORD


def place_at(pointer: str) -> Place:
    """The deal and the event that a pointer leads to or into, as far as it does."""
    found = _IN_A_DEAL.match(pointer)
    if found is None:
        return Place(pointer=pointer)
    event = found["event"]
    return Place(deal=int(found["deal"]), event=int(event) if event else None, pointer=pointer)


def member_words(at: Place) -> str:
    """What a place's pointer names beyond its deal and its event; empty if that is all."""
    if at.deal is None:
        return pointer_words(at.pointer) if at.pointer else ""
    known = f"/deals/{at.deal}" + ("" if at.event is None else f"/events/{at.event}")
    rest = at.pointer.removeprefix(known) if _is_below(at.pointer, known) else at.pointer
    return pointer_words(rest) if rest else ""


def _is_below(pointer: str, place: str) -> bool:
    return pointer == place or pointer.startswith(f"{place}/")


def _parts(names: Sequence[str]) -> list[str]:
    parts: list[str] = []
    members: list[str] = []
    for i, name in enumerate(names):
        entry = i > 0 and name.isdigit()
        noun = ENTRY_NOUNS.get(names[i - 1]) if entry else None
        if noun:
            members.pop()
        if members and entry:
            parts.append(f"`{'.'.join(members)}`")
            members = []
        if entry:
            parts.append(f"{noun or 'entry'} {int(name) + 1}")
        else:
            members.append(name.replace("~1", "/").replace("~0", "~"))
    if members:
        parts.append(f"`{'.'.join(members)}`")
    return parts if len(parts) <= MOST_PARTS else [*parts[:MOST_PARTS], "and deeper"]
