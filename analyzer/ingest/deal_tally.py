"""One game's replay as tallies: a reader of frames that keeps what the statistics tables need."""

from dataclasses import dataclass
from typing import Any

from records.engine.table import Table
from records.replay import Frame

TableRow = tuple[Any, ...]


@dataclass(slots=True)
class DealTally:
    """One deal: its number, its table, which the replay changes up to its end, and whether it is tainted."""

    number: int
    table: Table
    tainted: bool = False


class TallyCollector:
    """Fed the frames of one record's replay, it keeps a tally of each deal."""

    def __init__(self) -> None:
        self.deals: list[DealTally] = []

    def see(self, frame: Frame) -> None:
        """Note what one frame adds."""
        if not self.deals or self.deals[-1].number != frame.deal:
            self.deals.append(DealTally(frame.deal, frame.table))
        if frame.tainted:
            self.deals[-1].tainted = True
