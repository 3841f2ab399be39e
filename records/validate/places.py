"""A finding's place in words. Words count deals and events from 1, as people do; every number of a report counts from 0."""

from collections.abc import Sequence

from records.phrases import join_words
from records.validate.finding import Place


def describe_place(at: Place) -> str:
    """`deal 2, event 34`, `deal 2`, or the pointer where it is in no deal; empty for the whole record."""
    if at.deal is None:
        return at.pointer
    return f"deal {at.deal + 1}" + (
        "" if at.event is None else f", {describe_event_place(at.event)}"
    )


def describe_event_place(event: int) -> str:
    """`event 34`, for the event with the index 33."""
    return f"event {event + 1}"


def describe_places(places: Sequence[Place]) -> str:
    """Several places, by deal: `in deal 1 at events 32 and 37; in deal 2 at event 9`."""
    events: dict[int | None, list[Place]] = {}
    for at in places:
        events.setdefault(at.deal, []).append(at)
    parts = []
    for deal, here in events.items():
        numbers = [str(at.event + 1) for at in here if at.event is not None]
        if deal is None:
            parts.append(f"at {join_words(at.pointer or 'the whole record' for at in here)}")
        elif not numbers:
            parts.append(f"in deal {deal + 1}")
        else:
            noun = "event" if len(numbers) == 1 else "events"
            parts.append(f"in deal {deal + 1} at {noun} {join_words(numbers)}")
    return "; ".join(parts)
