"""Matches of one deal that end at certain points, with brisques that count to settle them and with some that do not."""

from typing import NamedTuple

from records.events import AnyEvent, Irregular
from records.record import Record
from tests.make.tables import deal_of, record_of

LAST_TRICK = {"chinese-bezique": 250, "six-pack-bezique": 250}


class EndedDeal(NamedTuple):
    """The points after the last trick, the brisques taken, whether they count, and what the deal comes to.

    North takes the last trick: the points for it are among these. Rulings may follow.
    """

    plain: tuple[int, int]
    brisques: tuple[int, int]
    counted: bool
    scores: list[int]
    sheet: str = "rubicon-bezique"
    then: tuple[AnyEvent, ...] = ()

    @property
    def record(self) -> Record:
        """A record of the last trick of this deal."""
        north = self.plain[0] - LAST_TRICK.get(self.sheet, 50)
        before = f"scores {north} {self.plain[1]} | brisques {self.brisques[0]} {self.brisques[1]}"
        deal = deal_of(f"N: 9S | S: 8S | trump H | {before} | N leads", "N 9S, S 8S")
        deal.knowledge = "full"
        deal.events += self.then
        return record_of([deal], sheet=self.sheet)


CLUB, CHINESE = "rubicon-bezique-club", "chinese-bezique"
RULING = (Irregular(seat=1, what="other", points=-60),)
MISDEAL = (Irregular(seat=1, what="misdeal"),)
ENDED_DEALS = {
    "level": EndedDeal((710, 710), (19, 13), True, [900, 840]),
    "level with brisques": EndedDeal((710, 710), (16, 16), True, [870, 870], CLUB),
    "one has none": EndedDeal((50, 50), (0, 3), True, [50, 80], "rubicon-bezique-recommended"),
    "saved": EndedDeal((1500, 990), (7, 2), True, [1570, 1010]),
    "saved and ahead": EndedDeal((1000, 990), (1, 4), True, [1010, 1030]),
    "not saved": EndedDeal((1500, 940), (7, 5), False, [1500, 940]),
    "beyond the rubicon": EndedDeal((1000, 1010), (9, 1), False, [1000, 1010]),
    "of six packs": EndedDeal((3100, 2800), (10, 20), True, [3200, 3000], CHINESE),
    "of six packs, not saved": EndedDeal((1000, 990), (1, 4), False, [1000, 990], CHINESE),
    "no more level by a ruling": EndedDeal((710, 710), (19, 13), False, [710, 650], then=RULING),
    "level by a ruling": EndedDeal((710, 770), (19, 13), True, [900, 840], then=RULING),
    "a misdeal after it": EndedDeal((710, 710), (19, 13), False, [0, 0], then=MISDEAL),
    "never": EndedDeal((290, 290), (19, 13), False, [290, 290], "six-pack-bezique"),
}
