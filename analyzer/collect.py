"""One game as rows: a reader of frames that keeps what the statistics tables hold."""

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from analyzer.arrow import Columns
from records.cards import is_unknown
from records.events import EVENT_TYPES, MELD_NAMES, Declare, Draw, Meld, Play, Trick
from records.frames import Frame
from records.record import Deal, Record
from records.replay.table import OVER, Table
from records.report import Report
from records.rules.registry import ALL

Row = tuple[Any, ...]

HONOURS = {"A": 4, "T": 3, "K": 2, "Q": 1}
"""What a card adds to the strength of a hand dealt."""

SOURCES = (
    "meld", "dix", "turned_seven", "tenth_trick", "last_trick", "all_last_tricks", "brisques",
    "carte_blanche", "cut", "guess", "zetema", "ruling",
)  # fmt: skip
"""What points are for, in the order of the columns of `seats`."""

COLUMNS = {
    "deals": (
        "game", "deal", "sheet", "clean", "legal", "tainted", "complete", "dealer", "leader", "trump",
        "turn_up", "tricks", "events", "findings", "scores", "winner", "margin",
    ),
    "seats": (
        "game", "deal", "sheet", "clean", "seat", "side", "player", "player_id", "kind", "role",
        "strength", "points", "outcome", *(f"{source}_points" for source in SOURCES),
        "melds", "tricks", "brisques", "won_last_trick",
    ),
    "findings": (
        "game", "sheet", "code", "severity", "deal", "event", "trick", "seat", "rule", "message",
    ),
}  # fmt: skip
"""The columns of the tables with few rows a game, in the order in which a row fills them."""

TRICKS = {
    "game": "q", "deal": "h", "sheet": "b", "clean": "b", "trick": "h", "event": "h", "closed": "b",
    "leader": "b", "winner": "b", "brisques": "b",
}  # fmt: skip
SCORES = {
    "game": "q", "deal": "h", "sheet": "b", "clean": "b", "event": "h", "trick": "h", "seat": "b",
    "side": "b", "source": "b", "meld": "b", "royal": "b", "points": "q",
}  # fmt: skip
"""The columns of the tables with many rows a game, all integers: their types as `array` names them.

Names travel as their place in SHEETS, SOURCES or MELD_NAMES; -1 stands for nothing.
"""

WATCHED = frozenset(EVENT_TYPES) - {Declare, Draw, Trick}
"""The events whose frames are read; the others neither score nor end a trick."""

SHEETS = tuple(sheet.id for sheet in ALL)
_SOURCE_NO = {name: number for number, name in enumerate(SOURCES)}
_MELD_NO = {"": -1, **{name: number for number, name in enumerate(MELD_NAMES)}}


@dataclass(slots=True)
class Rows:
    """What is known of some games, as rows by table and as columns."""

    tables: dict[str, list[Row]]
    tricks: Columns = field(default_factory=lambda: new_columns(TRICKS))
    scores: Columns = field(default_factory=lambda: new_columns(SCORES))


def new_columns(types: dict[str, str]) -> Columns:
    """Empty columns."""
    return {name: array(code) for name, code in types.items()}


@dataclass(slots=True)
class DealTally:
    """What one deal has shown so far; `tricks` and `scores` hold the last columns of their rows."""

    number: int
    table: Table
    tainted: bool = False
    tricks: list[Row] = field(default_factory=list)
    scores: list[Row] = field(default_factory=list)


class Collector:
    """Fed every frame of one record's replay, it makes the rows once the report is known."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.sides = record.sides or [[seat] for seat in range(len(record.players))]
        self.side_of = {seat: side for side, seats in enumerate(self.sides) for seat in seats}
        self.deals: list[DealTally] = []
        self._tally: DealTally

    def see(self, frame: Frame) -> None:
        """Note what one frame adds."""
        if frame.index < 0:
            self._tally = DealTally(frame.deal, frame.table)
            self.deals.append(self._tally)
        if frame.tainted:
            self._tally.tainted = True
        if frame.awards:
            self._score(frame)
        if type(frame.event) is Play:
            table, tricks = frame.table, self._tally.tricks
            if table.tricks > len(tricks):
                tricks.append(_trick(table, frame.index))

    def _score(self, frame: Frame) -> None:
        table = frame.table
        for award in frame.awards:
            royal = _is_royal(frame.event, table.trump) if award.name else -1
            self._tally.scores.append(
                (
                    frame.index, table.tricks, award.seat, self.side_of[award.seat],
                    _SOURCE_NO[award.source], _MELD_NO[award.name], royal, award.points,
                )
            )  # fmt: skip

    def rows(self, game: int, report: Report) -> Rows:
        """Everything that was collected."""
        rows = Rows({table: [] for table in COLUMNS})
        rows.tables["findings"] = list(_findings(game, self.record.rules.id, report))
        for tally in self.deals:
            self._add_deal(rows, tally, game, report)
        return rows

    def _add_deal(self, rows: Rows, tally: DealTally, game: int, report: Report) -> None:
        deal = self.record.deals[tally.number]
        found = [finding for finding in report.findings if finding.at.deal == tally.number]
        legal = not any(finding.severity == "illegal" for finding in found)
        complete = tally.table.step == OVER
        clean = legal and complete and not tally.tainted and _is_whole(deal, tally.table)
        sheet = self.record.rules.id
        start = (game, tally.number, sheet, clean)
        state = (legal, tally.tainted, complete)
        rows.tables["deals"].append((*start, *state, *self._deal(tally, deal, len(found))))
        rows.tables["seats"] += [(*start, *self._seat(tally, deal, seat)) for seat in self.side_of]
        numbers = (game, tally.number, SHEETS.index(sheet), clean)
        _extend(rows.tricks, numbers, tally.tricks)
        _extend(rows.scores, numbers, tally.scores)

    def _deal(self, tally: DealTally, deal: Deal, findings: int) -> Row:
        table = tally.table
        points = self._side_points(table)
        best, *rest = sorted(points, reverse=True)
        margin = best - rest[0] if rest else 0
        return (
            deal.dealer, _leader(tally), table.trump, deal.turn_up, table.tricks, len(deal.events),
            findings, points, points.index(best) if margin else None, margin,
        )  # fmt: skip

    def _seat(self, tally: DealTally, deal: Deal, seat: int) -> Row:
        table, player = tally.table, self.record.players[seat]
        by_source = [0] * len(SOURCES)
        melds = 0
        for _, _, scorer, _, source, meld, _, points in tally.scores:
            if scorer == seat:
                by_source[source] += points
                melds += meld >= 0
        taken = sum(card in table.book.brisques for card in table.won[seat])
        return (
            seat, self.side_of[seat], player.name, player.id, player.kind, _role(table, seat),
            strength(_dealt(deal, seat)),
            table.points[seat], self._outcome(table, seat), *by_source, melds,
            table.tricks_won[seat], taken, table.step == OVER and seat == table.winner,
        )  # fmt: skip

    def _outcome(self, table: Table, seat: int) -> float:
        points = self._side_points(table)
        best = max(points)
        if points[self.side_of[seat]] < best:
            return 0.0
        return 0.5 if points.count(best) > 1 else 1.0

    def _side_points(self, table: Table) -> list[int]:
        return [sum(table.points[seat] for seat in seats) for seats in self.sides]


def strength(hand: list[str]) -> int | None:
    """The honours of a hand dealt; None if a card of it is unknown."""
    if not hand or any(map(is_unknown, hand)):
        return None
    return sum(HONOURS.get(card[0], 0) for card in hand)


def _dealt(deal: Deal, seat: int) -> list[str]:
    """The hand a record says was dealt; it may give fewer hands than there are seats."""
    return deal.hands[seat] if deal.hands and seat < len(deal.hands) else []


def _trick(table: Table, event: int) -> Row:
    assert table.taken is not None
    leader, led, _, reply = table.taken
    brisques = (led in table.book.brisques) + (reply in table.book.brisques)
    return (table.tricks - 1, event, not table.phase.draws, leader, table.winner, brisques)


def _extend(columns: Columns, start: Row, rows: list[Row]) -> None:
    """Add rows that all begin alike."""
    arrays = iter(columns.values())
    for value in start:
        next(arrays).extend([value] * len(rows))
    for values, column in zip(zip(*rows, strict=True), arrays, strict=False):
        column.extend(values)


def _leader(tally: DealTally) -> int | None:
    return int(tally.tricks[0][3]) if tally.tricks else None


def _role(table: Table, seat: int) -> str:
    if seat == table.dealer:
        return "dealer"
    return "leader" if seat == (table.dealer + 1) % table.seats else "other"


def _is_royal(event: object, trump: str | None) -> bool:
    return isinstance(event, Meld) and all(card[1] == trump for card in event.cards)


def _is_whole(deal: Deal, table: Table) -> bool:
    """Whether the deal was seen from its first card to its last, with no card guessed."""
    return deal.setup is None and not (table.partial or table.guessed)


def _findings(game: int, sheet: str, report: Report) -> Iterator[Row]:
    for finding in report.findings:
        at = finding.at
        yield (
            game, sheet, finding.code, finding.severity, at.deal, at.event, at.trick, at.seat,
            finding.rule, finding.message,
        )  # fmt: skip
