"""The tallies of one game as rows of the statistics tables."""

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from operator import add

from analyzer.arrow import Columns
from analyzer.collect import NOT_KNOWN, SOURCES, Collector, DealTally, Row
from records.cards import is_unknown
from records.record import Deal, Record
from records.replay.table import OVER, Table
from records.report import Report
from records.rules.registry import ALL

HONOURS = {"A": 4, "T": 3, "K": 2, "Q": 1}
"""What a card adds to the strength of a hand dealt."""

SHEETS = tuple(sheet.id for sheet in ALL)
ROLES = ("dealer", "leader", "other")
TWO = 2

COLUMNS = {
    "deals": (
        "game", "deal", "sheet", "clean", "legal", "tainted", "complete", "dealer", "leader", "trump",
        "turn_up", "tricks", "events", "findings", "scores", "winner", "margin", "match_scores",
    ),
    "seats": (
        "game", "deal", "sheet", "clean", "seat", "side", "player", "player_id", "kind", "role",
        "strength", "points", "outcome", *(f"{source}_points" for source in SOURCES),
        "melds", "tricks", "brisques", "won_last_trick", "opponent", "points_against", "deal_tricks",
        "brisques_missed", "match_score", "match_score_against", "match_outcome", "variant", "month", "program",
    ),
    "findings": (
        "game", "sheet", "code", "severity", "deal", "event", "trick", "seat", "rule", "message",
        "tainted",
    ),
}  # fmt: skip
"""The columns of the tables with few rows a game, in the order in which a row fills them."""

TRICKS = {
    "game": "q", "deal": "h", "sheet": "b", "clean": "b", "deal_winner": "b", "trick": "h", "event": "h",
    "closed": "b", "leader": "b", "winner": "b", "brisques": "b", "tricks_ahead": "h", "points_ahead": "q",
    "missed": "b",
}  # fmt: skip
SCORES = {
    "game": "q", "deal": "h", "sheet": "b", "clean": "b", "event": "h", "trick": "h", "seat": "b",
    "source": "b", "meld": "b", "royal": "b", "points": "q", "side": "b", "role": "b",
}  # fmt: skip
"""The columns of the tables with many rows a game, all integers: their types as `array` names them.

Names travel as their place in SHEETS, ROLES, SOURCES or MELD_NAMES; -1 stands for nothing.
"""


@dataclass(slots=True)
class Rows:
    """What is known of a game, as rows by table and as columns."""

    tables: dict[str, list[Row]]
    tricks: Columns = field(default_factory=lambda: _columns(TRICKS))
    scores: Columns = field(default_factory=lambda: _columns(SCORES))


@dataclass(frozen=True, slots=True)
class PlayedDeal:
    """One deal of a record: its tally, its verdict, the points and sides it came to."""

    record: Record
    deal: Deal
    tally: DealTally
    side_of: dict[int, int]
    points: list[int]
    before: list[int]
    findings: int
    legal: bool

    @property
    def table(self) -> Table:
        """The table at the end of the deal."""
        return self.tally.table

    @property
    def complete(self) -> bool:
        """Whether it was played to its end."""
        return self.table.step == OVER

    @property
    def clean(self) -> bool:
        """Whether it enters the statistics: dealt afresh, complete, no card guessed, no breach."""
        fair = self.legal and self.complete and not self.tally.tainted
        return fair and self.deal.setup is None and not (self.table.partial or self.table.guessed)

    @property
    def leader(self) -> int | None:
        """Who led to the first trick."""
        return int(self.tally.tricks[0][3]) if self.tally.tricks else None

    @property
    def winner(self) -> int | None:
        """The side with the most points, if one has."""
        best = max(self.points)
        return self.points.index(best) if self.points.count(best) == 1 else None

    @property
    def margin(self) -> int:
        """By how many points the best side leads the next."""
        best, *rest = sorted(self.points, reverse=True)
        return best - rest[0] if rest else 0


@dataclass(frozen=True, slots=True)
class Game:
    """What the rows of a game have in common; `outcomes` are those of the match by side, if it has any."""

    key: int
    variant: int
    month: date | None
    program: str | None
    outcomes: list[float] | None
    settled: bool


def rows_of(collector: Collector, game: Game, report: Report) -> Rows:
    """Everything that was collected of a game, under its key."""
    rows = Rows({table: [] for table in COLUMNS})
    rows.tables["findings"] = list(_findings(game.key, collector.record.rules.id, report))
    before: list[int] | None = None
    for tally in collector.deals:
        played = _played(collector.record, tally, report, before)
        _add_deal(rows, game, played)
        after = map(add, played.before, played.points)
        before = None if game.settled else list(after)
    return rows


def strength(hand: list[str]) -> int | None:
    """The honours of a hand dealt; None if there is none or a card of it is unknown."""
    if not hand or any(map(is_unknown, hand)):
        return None
    return sum(HONOURS.get(card[0], 0) for card in hand)


def _columns(types: dict[str, str]) -> Columns:
    return {name: array(code) for name, code in types.items()}


def _played(
    record: Record, tally: DealTally, report: Report, before: list[int] | None
) -> PlayedDeal:
    sides = record.sides or [[seat] for seat in range(len(record.players))]
    found = [finding for finding in report.findings if finding.at.deal == tally.number]
    return PlayedDeal(
        record=record,
        deal=record.deals[tally.number],
        tally=tally,
        side_of={seat: side for side, seats in enumerate(sides) for seat in seats},
        points=[sum(tally.table.points[seat] for seat in seats) for seats in sides],
        before=before or [0] * len(sides),
        findings=len(found),
        legal=not any(finding.severity == "illegal" for finding in found),
    )


def _add_deal(rows: Rows, game: Game, played: PlayedDeal) -> None:
    number, sheet, clean = played.tally.number, played.record.rules.id, played.clean
    start = (game.key, number, sheet, clean)
    end = (game.variant, game.month, game.program)
    rows.tables["deals"].append((*start, *_deal(played)))
    for seat, side in played.side_of.items():
        outcome = None if game.outcomes is None else game.outcomes[side]
        rows.tables["seats"].append(
            (*start, *_seat(played, seat), *_against(played, seat), outcome, *end)
        )
    won_by = NOT_KNOWN if played.winner is None else played.winner
    _extend(rows.tricks, (game.key, number, SHEETS.index(sheet), clean, won_by), _tricks(played))
    _extend(rows.scores, (game.key, number, SHEETS.index(sheet), clean), _scores(played))


def _deal(played: PlayedDeal) -> Row:
    table, deal = played.table, played.deal
    return (
        played.legal, played.tally.tainted, played.complete, deal.dealer, played.leader, table.trump,
        deal.turn_up, table.tricks, len(deal.events), played.findings, played.points, played.winner,
        played.margin, played.before,
    )  # fmt: skip


def _seat(played: PlayedDeal, seat: int) -> Row:
    table, player = played.table, played.record.players[seat]
    by_source = [0] * len(SOURCES)
    melds = 0
    for _, _, scorer, source, meld, _, points in played.tally.scores:
        if scorer == seat:
            by_source[source] += points
            melds += meld >= 0
    return (
        seat, played.side_of[seat], player.name, player.id, player.kind, ROLES[_role(table, seat)],
        strength(_dealt(played.deal, seat)), table.points[seat], _outcome(played, seat), *by_source,
        melds, table.tricks_won[seat], sum(card in table.book.brisques for card in table.won[seat]),
        played.complete and seat == table.winner,
    )  # fmt: skip


def _against(played: PlayedDeal, seat: int) -> Row:
    """A seat beside the others: opponent, their points, tricks, brisques missed, scores before the deal."""
    players, side = played.record.players, played.side_of[seat]
    others = [number for number in range(len(played.points)) if number != side]
    return (
        players[1 - seat].name if len(players) == TWO else None,
        max(played.points[other] for other in others), played.table.tricks, _missed(played, seat),
        played.before[side], max(played.before[other] for other in others),
    )  # fmt: skip


def _missed(played: PlayedDeal, seat: int) -> int | None:
    """The brisques led against a seat that it let go; None if its hand is not fully known."""
    found = [trick[6] for trick in played.tally.tricks if trick[3] != seat]
    return None if played.table.partial or NOT_KNOWN in found else sum(found)


def _role(table: Table, seat: int) -> int:
    after_dealer = (seat - table.dealer) % table.seats
    return min(after_dealer, 2)


def _dealt(deal: Deal, seat: int) -> list[str]:
    """The hand a record says was dealt; it may give fewer hands than there are seats."""
    return deal.hands[seat] if deal.hands and seat < len(deal.hands) else []


def _outcome(played: PlayedDeal, seat: int) -> float:
    best = max(played.points)
    if played.points[played.side_of[seat]] < best:
        return 0.0
    return 0.5 if played.points.count(best) > 1 else 1.0


def _tricks(played: PlayedDeal) -> list[Row]:
    """The tricks, each with the leads of the first side after it: in tricks and in points."""
    gains = [0] * (len(played.tally.tricks) + 1)
    for _, trick, seat, _, _, _, points in played.tally.scores:
        gains[trick] += points if played.side_of[seat] == 0 else -points
    tricks, points = 0, gains[0]
    rows: list[Row] = []
    for trick in played.tally.tricks:
        tricks += 1 if played.side_of[trick[4]] == 0 else -1
        points += gains[trick[0] + 1]
        rows.append((*trick[:6], tricks, points, trick[6]))
    return rows


def _scores(played: PlayedDeal) -> list[Row]:
    table, side_of = played.table, played.side_of
    return [(*score, side_of[score[2]], _role(table, score[2])) for score in played.tally.scores]


def _extend(columns: Columns, start: Row, rows: list[Row]) -> None:
    """Add rows that all begin alike."""
    arrays = iter(columns.values())
    for value in start:
        next(arrays).extend([value] * len(rows))
    for values, column in zip(zip(*rows, strict=True), arrays, strict=False):
        column.extend(values)


def _findings(game: int, sheet: str, report: Report) -> Iterator[Row]:
    broken: dict[int | None, int] = {}
    for finding in report.findings:
        if finding.severity == "illegal":
            event = -1 if finding.at.event is None else finding.at.event
            broken[finding.at.deal] = min(event, broken.get(finding.at.deal, event))
    for finding in report.findings:
        at = finding.at
        tainted = at.deal in broken and (at.event is None or broken[at.deal] <= at.event)
        yield (
            game, sheet, finding.code, finding.severity, at.deal, at.event, at.trick, at.seat,
            finding.rule, finding.message, tainted and at.deal is not None,
        )  # fmt: skip
