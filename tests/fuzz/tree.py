"""The parts of a plan: where they are, and the plan with one of them changed."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from tests.fuzz.plans import Plan


class Spot(NamedTuple):
    """A part of a plan: `of[key]`, where `of` is a list or an object."""

    of: Any
    key: Any

    @property
    def value(self) -> Plan:
        return self.of[self.key]

    def put(self, value: Plan) -> None:
        """Put another part in its place."""
        self.of[self.key] = value


def spots(plan: Plan) -> Iterator[Spot]:
    """Every part of a plan but the whole, the outer ones first."""
    todo: list[Any] = [plan]
    for part in todo:
        keys = part if isinstance(part, dict) else range(len(part))
        for key in keys:
            yield Spot(part, key)
            if isinstance(part[key], dict | list):
                todo.append(part[key])
