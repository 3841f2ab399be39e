"""The result of a benchmark: a figure, its rounds, and its target."""

import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

Bound = Literal["at least", "at most"]


@dataclass(frozen=True, slots=True)
class Figure:
    """One row of the table; without a target it is for information."""

    group: str
    name: str
    value: float
    unit: str
    low: float | None = None
    high: float | None = None
    bound: Bound | None = None
    target: float | None = None

    @property
    def passed(self) -> bool | None:
        """Whether the target is met; None where there is none."""
        if self.target is None:
            return None
        return self.value >= self.target if self.bound == "at least" else self.value <= self.target

    def plain(self) -> dict[str, Any]:
        """The figure for JSON."""
        return {**asdict(self), "passed": self.passed}


def median(group: str, name: str, unit: str, rounds: Sequence[float], **aim: Any) -> Figure:
    """The median of the rounds, with the lowest and the highest."""
    return Figure(
        group, name, statistics.median(rounds), unit, low=min(rounds), high=max(rounds), **aim
    )


def table(figures: Sequence[Figure]) -> str:
    """All figures as text, grouped, the target and the verdict at the right."""
    lines: list[str] = []
    for number, figure in enumerate(figures):
        if number == 0 or figures[number - 1].group != figure.group:
            lines += ["", figure.group]
        lines.append(_row(figure))
    return "\n".join(lines)


def _row(figure: Figure) -> str:
    spread = ""
    if figure.low is not None and figure.high is not None:
        spread = f"{_number(figure.low)} to {_number(figure.high)}"
    target = "" if figure.target is None else f"{figure.bound} {figure.target:.4g}"
    verdict = {None: "", True: "pass", False: "FAIL"}[figure.passed]
    value = f"{_number(figure.value)} {figure.unit}"
    return f"  {figure.name:<44}{value:>18}  {spread:<22}{target:<15}{verdict}".rstrip()


def _number(value: float) -> str:
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.2f}" if value < 100 else f"{value:.0f}"
