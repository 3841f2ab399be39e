"""Tally the deals of one replay: keep what the statistics tables need."""

from dataclasses import dataclass
from typing import Any

from records.engine.table import Table
from records.replay import Frame

TableRow = tuple[Any, ...]


@dataclass(slots=True)
class DealTally:
    """One deal: its number, whether it is tainted, and its table, which the replay changes until it ends."""

    number: int
    table: Table
    tainted: bool = False


class TallyCollector:
    """Reads the frames of one record's replay and keeps a tally of every deal."""

    def __init__(self) -> None:
        self.deals: list[DealTally] = []

    def see(self, frame: Frame) -> None:
        """Read a frame."""
        if not self.deals or self.deals[-1].number != frame.deal:
            self.deals.append(DealTally(frame.deal, frame.table))
        if frame.tainted:
            self.deals[-1].tainted = True
