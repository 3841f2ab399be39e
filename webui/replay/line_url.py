"""A line as text in an address: `play-0-QS~draw-0-7H~meld-1-marriage-KS-QS`."""

from collections.abc import Sequence

import msgspec

from records.events import AnyEvent, Dix, Irregular, Score, Trick

MOST_LINE_EVENTS = 600
"""The most events of a line in an address: no deal of the rule sheets has so many choices."""
EVENT_MEMBERS = {
    "play": ("card",), "draw": ("card",), "discard": ("card",), "dix": ("action",), "cut": ("packet",),
    "meld": ("meld", "cards"), "declare": ("meld", "cards"), "carte_blanche": (),
}  # fmt: skip
"""The events that an address can hold, and the members written after their seat."""
OPTIONAL_EVENT_MEMBERS = {"play": "from", "dix": "card", "cut": "guess"}
"""The member that may follow those."""
FROM_TABLEAU_WORD = "on"
"""Stands before the cards that a meld takes from the tableau: `meld-0-marriages-KS-QS-on-QS`."""


class UnlawfulLine(ValueError):
    """A line that cannot be read or is not legal; the text says where and why."""


def read_line(text: str, players: int) -> list[AnyEvent]:
    """The events of a line in an address; raises UnlawfulLine."""
    words = text.split("~") if text else []
    if len(words) > MOST_LINE_EVENTS:
        raise UnlawfulLine(f"A line has at most {MOST_LINE_EVENTS} events.")
    return [_read_event(word, number, players) for number, word in enumerate(words, 1)]


def _read_event(text: str, number: int, players: int) -> AnyEvent:
    kind, _, rest = text.partition("-")
    seat, *given = rest.split("-")
    try:
        if not (seat.isascii() and seat.isdigit() and int(seat) < players):
            raise ValueError(seat)
        members = {"type": kind, "seat": int(seat), **_members(kind, given)}
        event: AnyEvent = msgspec.convert(members, AnyEvent, strict=False)
    except (LookupError, ValueError):
        message = f"Event {number} of the line, “{text[:60]}”, cannot be read."
        raise UnlawfulLine(message) from None
    return event


def _members(kind: str, given: list[str]) -> dict[str, object]:
    members: tuple[str, ...] = EVENT_MEMBERS[kind]
    if "cards" in members:
        words, from_tableau = given, []
        if FROM_TABLEAU_WORD in given:
            position = given.index(FROM_TABLEAU_WORD)
            words, from_tableau = given[:position], given[position + 1 :]
        return {
            "meld": words[0],
            "cards": words[1:],
            **({"from_tableau": from_tableau} if from_tableau else {}),
        }
    if kind in OPTIONAL_EVENT_MEMBERS and len(given) > len(members):
        members += (OPTIONAL_EVENT_MEMBERS[kind],)
    return dict(zip(members, given, strict=True))


def write_line(events: Sequence[AnyEvent]) -> str:
    """Events as text for an address."""
    return "~".join(map(_write_event, events))


def _write_event(event: AnyEvent) -> str:
    members = msgspec.to_builtins(event)
    parts = [members["type"], str(members["seat"])]
    for member in EVENT_MEMBERS[members["type"]]:
        value = members[member]
        parts += value if isinstance(value, list) else [str(value)]
    if members.get("from_tableau"):
        parts += [FROM_TABLEAU_WORD, *members["from_tableau"]]
    optional = members.get(OPTIONAL_EVENT_MEMBERS.get(members["type"], ""))
    return "-".join(parts if optional is None else [*parts, str(optional)])


def is_claim(event: AnyEvent) -> bool:
    """Whether an event only claims what follows from the rules: who took a trick, what was scored."""
    return isinstance(event, Score | Trick) or (isinstance(event, Dix) and event.action == "play")


def events_for_url(events: Sequence[AnyEvent]) -> tuple[list[AnyEvent], int]:
    """As much of a line as an address can hold, and the number of events that is.

    Claims are left out. An irregularity ends it: an address cannot hold one.
    """
    writable: list[AnyEvent] = []
    for number, event in enumerate(events):
        if is_claim(event):
            continue
        if isinstance(event, Irregular) or len(writable) == MOST_LINE_EVENTS:
            return writable, number
        writable.append(event)
    return writable, len(events)
