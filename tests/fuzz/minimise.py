"""Making a plan small while what was found in it stays: delta debugging on lists, members, numbers and texts."""

from collections.abc import Callable, Iterator
from time import monotonic

from tests.fuzz.mutations import FIXED
from tests.fuzz.plans import Plan, copied
from tests.fuzz.tree import spots

Holds = Callable[[Plan], bool]


def minimised(plan: Plan, holds: Holds, *, seconds: float) -> Plan:
    """A smaller plan in which `holds` is still true; the search stops after so many seconds."""
    until = monotonic() + seconds
    smaller = True
    while smaller and monotonic() < until:
        smaller = False
        number = 0
        while monotonic() < until:
            found = _first_smaller(plan, number, holds, until)
            if found is None:
                break
            plan, number = found
            smaller = True
    return plan


def _first_smaller(plan: Plan, number: int, holds: Holds, until: float) -> tuple[Plan, int] | None:
    """The plan with one part smaller from this part on, and the number of the part."""
    places = list(spots({"plan": plan}))
    for at in range(number, len(places)):
        # Unless the clock stops it, every smaller value of the part is tried, the smallest first.
        for value in _smaller(places[at].value, places[at].key):
            if monotonic() > until:
                return None
            whole = {"plan": copied(plan)}
            list(spots(whole))[at].put(value)
            if holds(whole["plan"]):
                return whole["plan"], at
    return None


def _smaller(value: Plan, key: object) -> Iterator[Plan]:
    """Values to put in place of one, the smallest first."""
    match value:
        case bool() | None:
            return
        case int():
            yield from _smaller_numbers(value)
        case str() if key not in FIXED and value:
            yield from (value[:1], value[: len(value) // 2], value[:-1])
        case list():
            yield from _smaller_lists(value)
        case dict():
            if isinstance(value.get("of"), dict | list) and value.get("@") in ("repeat", "nest"):
                yield value["of"]
            for name in value:
                if name not in FIXED:
                    yield {other: part for other, part in value.items() if other != name}


def _smaller_numbers(value: int) -> Iterator[int]:
    tried = set()
    for smaller in (0, 1, value // 10, value // 2, value * 3 // 4, value * 9 // 10, value - 1):
        if abs(smaller) < abs(value) and smaller not in tried:
            tried.add(smaller)
            yield smaller


def _smaller_lists(items: list[Plan]) -> Iterator[list[Plan]]:
    size = len(items)
    while size:
        for start in range(0, len(items), size):
            yield items[:start] + items[start + size :]
        size //= 2
