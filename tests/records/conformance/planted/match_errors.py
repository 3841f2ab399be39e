"""Errors in what comes after a deal, in every game that goes to a number of points: the next dealer, and who has won."""

from records.rules.vocabulary import RaceTo
from tests.playouts import referee
from tests.records.conformance.planted.planting import SHEETS, Planted, SourceChange, sheets_where

WITH_TRICKS = sheets_where(lambda rules: isinstance(rules.match, RaceTo))
RACES = (*WITH_TRICKS, "zetema")
DUE = "due = number == 0 or deal.dealer == (record.deals[number - 1].dealer + 1) % seats"
WON = "return best >= self.target(seats) and total.count(best) == 1"

ROWS: list[tuple[str, str, str, tuple[str, ...], str, str]] = [
    ("same-dealer", "turns", "The same player deals again.", RACES, DUE, DUE.replace(" + 1", "")),
    ("any-dealer", "turns", "Nobody asks whose deal it is.", RACES, DUE, "due = True"),
    ("plays-on", "turns", "A deal after the match was won passes.", SHEETS,
     "if not due or game.won:", "if not due:"),
    ("no-tie", "ties", "Of two players who reach the target with equal points the first has won.", RACES,
     WON, WON.partition(" and ")[0]),
    ("beyond-target", "ties", "The match is won only beyond the target, not at it.", RACES,
     WON, WON.replace(">=", ">")),
    ("first-seat-wins", "ties", "The first player to reach the target wins, though the other has more.",
     WITH_TRICKS,
     "total.index(max(total))", "next((i for i, n in enumerate(total) if n >= self.target(2)), 0)"),
]  # fmt: skip

MATCH_ERRORS: list[Planted] = [
    Planted(sheet, name, kind, says, SourceChange(referee, old, new))
    for name, kind, says, sheets, old, new in ROWS
    for sheet in sheets
]
