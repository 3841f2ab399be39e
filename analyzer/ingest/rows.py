"""Turn the tallies of one game into rows of the statistics tables.

Tricks and scores have many rows per deal: they are packed column by column, without a Python object per row.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, compress
from typing import Any

from analyzer.db.columns import INTEGER, SMALL, pack_numbers
from analyzer.db.tables import MELD_NAMES_AND_NONE, NULL_NUMBER, POINT_SOURCES, ROLES, SHEET_IDS
from analyzer.ingest.deal_tally import DealTally, TableRow
from records.engine.table import Table, TableStep, trick_log_columns
from records.record import Deal, Record
from records.validate.finding import Finding
from records.validate.report import Report

HONOUR_VALUES = {"A": 4, "T": 3, "K": 2, "Q": 1}
"""What a card adds to the strength of the hand dealt, by rank."""

TWO_SEATS = 2
SOURCE_NUMBERS = {name: number for number, name in enumerate(POINT_SOURCES)}
MELD_NUMBERS = {name: number for number, name in enumerate(MELD_NAMES_AND_NONE)}
NO_MELD_NUMBER = MELD_NUMBERS[None]
MELD_SOURCE_NUMBER = SOURCE_NUMBERS["meld"]
NO_TRICK_SUMS = (0,) * 10
"""The sums of tricks in `seats` where no trick was played."""
NO_TRUMP = "-"
"""A suit that no card has."""

SHEET_NUMBERS = {name: number for number, name in enumerate(SHEET_IDS)}


PackedRows = tuple[int, tuple[bytes | bytearray, ...]]
"""Rows of a table filled by columns: how many there are, and each column as packed bytes."""


RowPrefix = tuple[int, int, int, bool]
"""The first columns of every row of a deal: the game's key, the deal, the number of the sheet, `clean`."""


TrickColumns = list[list[Any]]
"""The tricks of a deal by columns: for each of the six values of `TrickPlayed`, one entry per trick."""


@dataclass(slots=True)
class GameRows:
    """The rows of a game: by table, and packed for the tables of tricks and scores."""

    tables: dict[str, list[TableRow]] = field(default_factory=dict)
    tricks: list[PackedRows] = field(default_factory=list)
    scores: list[PackedRows] = field(default_factory=list)


@dataclass(slots=True)
class PlayedGame:
    """What the rows of a game have in common.

    `outcomes` are 1, 0.5 or 0 by side, or None if the match is not complete. `started` is in microseconds and
    `month` in days since 1970. In a `settled` game every deal is a match of its own.
    """

    key: int
    record: Record
    sides: list[list[int]]
    options: str
    variant: int
    started: int | None
    month: int | None
    program: str | None
    outcomes: list[float] | None
    settled: bool


@dataclass(slots=True)
class PlayedDeal:
    """One deal of a game: its tally and verdict, and the points of its sides in it (`points`) and `before` it.

    Both are None by side where the record leaves them open.
    """

    game: PlayedGame
    deal: Deal
    tally: DealTally
    table: Table
    side_of: list[int]
    points: list[int | None]
    before: list[int | None]
    findings: int
    legal: bool
    complete: bool
    clean: bool


@dataclass(slots=True)
class DealGains:
    """Points of a deal: by tricks completed (side 0's minus the others'), by seat and source, and melds by seat.

    `sign` is 1 for the seats of side 0 and -1 for all others. `trick_sums` and `score_sums` are
    what tricks and scores come to by seat, for the last columns of `seats`.
    """

    by_trick: list[int]
    by_source: list[list[int]]
    melds: list[int]
    sign: list[int]
    trick_sums: list[TableRow]
    score_sums: list[list[int]]


def build_rows(deals: list[DealTally], game: PlayedGame, report: Report) -> GameRows:
    """All rows of a game."""
    rows = GameRows({"deals": [], "seats": [], "findings": []})
    if report.findings:
        rows.tables["findings"] = list(_findings(game, report))
    before: list[int | None] = [0] * len(game.sides)
    found: dict[int | None, list[Finding]] = {}
    for finding in report.findings:
        found.setdefault(finding.at.deal, []).append(finding)
    for tally in deals:
        played = _played(game, tally, found.get(tally.number, []), before)
        _add_deal(rows, played)
        if not game.settled:
            before = [
                None if old is None or more is None else old + more
                for old, more in zip(before, played.points, strict=True)
            ]
    return rows


def hand_strength(hand: list[str]) -> int | None:
    """The strength of a hand dealt, by its high cards; None if it is empty or a card is unknown."""
    cards = "".join(hand)  # no high rank has the letter of a suit, so counting letters will do
    if not cards or "?" in cards:
        return None
    return sum([cards.count(rank) * value for rank, value in HONOUR_VALUES.items()])


def _played(
    game: PlayedGame, tally: DealTally, found: list[Finding], before: list[int | None]
) -> PlayedDeal:
    """A deal with its verdict; it is clean if dealt from the full pack, complete, fully known and legal."""
    table, deal = tally.table, game.record.deals[tally.number]
    severities = [finding.severity for finding in found]
    complete = table.step is TableStep.OVER and not table.misdealt
    legal = "illegal" not in severities
    fully_known = deal.setup is None and not (table.knowledge.partial or table.knowledge.uncertain)
    side_of = [0] * table.seats
    for side, seats in enumerate(game.sides):
        for seat in seats:
            side_of[seat] = side
    return PlayedDeal(
        game=game,
        deal=deal,
        tally=tally,
        table=table,
        side_of=side_of,
        points=_side_points(table, game.sides),
        before=before,
        findings=sum([finding.because_of is None for finding in found]),
        legal=legal,
        complete=complete,
        clean=legal and complete and not tally.tainted and fully_known,
    )


def _side_points(table: Table, sides: list[list[int]]) -> list[int | None]:
    """The points of a deal by side; None where the record leaves them open."""
    if table.are_points_open:
        return [None] * len(sides)
    return [sum([table.points[seat] for seat in seats]) for seats in sides]


def _add_deal(rows: GameRows, played: PlayedDeal) -> None:
    """Add the rows of one deal; packing the scores fills the gains that tricks and seats need."""
    game, table = played.game, played.table
    sheet, trail = game.record.rules.id, trick_log_columns(table.trick_log or [])
    ends, _, leaders, *_ = trail
    start = (game.key, played.tally.number, sheet, played.clean)
    known = [points for points in played.points if points is not None]
    best = max(known, default=None)
    winner = played.points.index(best) if known.count(best or 0) == 1 else None
    rows.tables["deals"].append((*start, *_deal(played, winner, leaders[0] if leaders else None)))
    number = (game.key, played.tally.number, SHEET_NUMBERS[sheet], played.clean)
    gains = DealGains(
        by_trick=[0] * (len(ends) + 1),
        by_source=[[0] * len(POINT_SOURCES) for _ in range(table.seats)],
        melds=[0] * table.seats,
        sign=[1 - 2 * (side > 0) for side in played.side_of],
        trick_sums=[NO_TRICK_SUMS] * table.seats,
        score_sums=[[0] * 4 for _ in range(table.seats)],
    )
    if table.awards:
        rows.scores.append(_scores(played, number, ends, gains))
    if ends:
        rows.tricks.append(_tricks(trail, number, winner, gains))
    missed = _missed(table, trail)
    rows.tables["seats"] += [
        (
            *start, *_seat(played, seat), *_seat_gains(played, gains, seat),
            *_seat_comparison(played, seat, missed[seat]), *gains.trick_sums[seat], *gains.score_sums[seat],
        )
        for seat in range(table.seats)
    ]  # fmt: skip


def _deal(played: PlayedDeal, winner: int | None, leader: int | None) -> TableRow:
    table, deal, points = played.table, played.deal, played.points
    known = sorted([each for each in points if each is not None], reverse=True)
    return (
        played.legal, played.tally.tainted, played.complete, deal.dealer, leader, table.trump,
        deal.turn_up, table.tricks, len(deal.events), played.findings, points, winner,
        known[0] - known[1] if len(known) > 1 else None, played.before,
    )  # fmt: skip


def _seat(played: PlayedDeal, seat: int) -> TableRow:
    table, player, side = played.table, played.game.record.players[seat], played.side_of[seat]
    points, hands = played.points, played.deal.hands
    dealt = hands[seat] if hands and seat < len(hands) else []
    own, others = points[side], [p for at, p in enumerate(points) if at != side and p is not None]
    outcome = None
    if own is not None and others:
        best = max(others)
        outcome = 0.0 if own < best else 0.5 if own == best else 1.0
    return (
        seat, side, player.name, player.id, player.kind, ROLES[_roles(table.seats, table.dealer)[seat]], hand_strength(dealt),
        None if own is None else table.points[seat], outcome,
    )  # fmt: skip


def _seat_gains(played: PlayedDeal, gains: DealGains, seat: int) -> TableRow:
    """A seat's points by source and its melds; all empty where the record leaves its points open."""
    row = (*gains.by_source[seat], gains.melds[seat])
    return (None,) * len(row) if played.points[0] is None else row


def _seat_comparison(played: PlayedDeal, seat: int, missed: int | None) -> TableRow:
    """What a seat took, and how it compares with the others in the deal and in the match."""
    table, game, side, before = played.table, played.game, played.side_of[seat], played.before
    others = [number for number in range(len(before)) if number != side]
    knowledge = table.knowledge
    opponent = game.record.players[1 - seat].name if table.seats == TWO_SEATS else None
    return (
        None if knowledge.scores_only else len(table.won[seat]) // 2,
        None if knowledge.brisques_open else table.brisques[seat], played.complete and seat == table.trick.winner,
        opponent, _best_of([played.points[other] for other in others]), table.tricks, missed,
        before[side], _best_of([before[other] for other in others]),
        None if game.outcomes is None else game.outcomes[side], game.variant, game.month, game.program, table.seats,
    )  # fmt: skip


def _best_of(numbers: list[int | None]) -> int | None:
    """The best of these numbers; None if one is not known."""
    known = [number for number in numbers if number is not None]
    return max(known) if len(known) == len(numbers) else None


def _missed(table: Table, trail: TrickColumns) -> list[int | None]:
    """The brisques led against each seat that it could have taken and did not; None if its hand is not known."""
    if table.knowledge.partial:
        return [None] * table.seats
    missed: list[int | None] = [0] * table.seats
    _, _, leaders, _, _, missed_by_trick = trail
    for leader, was_missed in zip(leaders, missed_by_trick, strict=True):
        if was_missed is not False:
            count = missed[1 - leader]
            missed[1 - leader] = None if was_missed is None or count is None else count + 1
    return missed


def role_number(seats: int, dealer: int, seat: int) -> int:
    """The index of a seat's role in `ROLES`."""
    return min((seat - dealer) % seats, TWO_SEATS)


def _tricks(
    trail: TrickColumns, start: RowPrefix, won_by: int | None, gains: DealGains
) -> PackedRows:
    """The tricks, each with side 0's lead after it, in tricks and in points; their sums are put into the gains."""
    events, closed, leaders, winners, brisques, missed = trail
    n, sign = len(events), gains.sign
    tricks = list(accumulate([sign[winner] for winner in winners]))
    points = list(accumulate(gains.by_trick))[1:]
    gains.trick_sums = _trick_sums(trail, tricks, points, won_by, gains)
    missed_numbers = (
        [NULL_NUMBER if value is None else value for value in missed] if None in missed else missed
    )
    return n, (
        *prefix_columns(n, start), bytes((NULL_NUMBER if won_by is None else won_by,)) * n, _trick_numbers(n), pack_numbers(SMALL, events), bytes(closed), bytes(leaders),
        bytes(winners), bytes(brisques), pack_numbers(SMALL, tricks), pack_numbers(INTEGER, points), bytes(missed_numbers),
    )  # fmt: skip


def _trick_sums(
    trail: TrickColumns, tricks: list[int], points: list[int], won_by: int | None, gains: DealGains
) -> list[TableRow]:
    """What the tricks of a deal come to for each seat.

    The migration to schema 8 has the same in SQL.
    """
    _, _, leaders, winners, brisques, missed = trail
    whole, sums = sum(points), list[TableRow]()
    for seat, sign in enumerate(gains.sign):
        led = [leader == seat for leader in leaders]
        let_go = list(compress(missed, led))
        ahead = list(compress(points, led))
        above, below = sum([lead > 0 for lead in ahead]), sum([lead < 0 for lead in ahead])
        sums.append((
            len(let_go), list(compress(winners, led)).count(seat), sum(compress(brisques, led)),
            let_go.count(True), len(let_go) - let_go.count(None),
            sum(map(abs, ahead)), sum(map(abs, compress(tricks, led))),
            0 if won_by is None else above + below, above if won_by == 0 else below if won_by == 1 else 0, sign * whole,
        ))  # fmt: skip
    return sums


def _scores(played: PlayedDeal, start: RowPrefix, ends: list[int], gains: DealGains) -> PackedRows:
    """The scores in order; their points are added to the gains."""
    table, awards, sign = played.table, played.table.awards, gains.sign
    at, points = [award.event for award in awards], [award.points for award in awards]
    tricks = [bisect_right(ends, event) for event in at]
    seats = bytes([award.seat for award in awards])
    kinds = bytes([SOURCE_NUMBERS[award.source] for award in awards])
    for seat, kind, trick, score in zip(seats, kinds, tricks, points, strict=True):
        gains.by_source[seat][kind] += score
        gains.by_trick[trick] += sign[seat] * score
    for seat, sums in enumerate(gains.score_sums):
        sums[0] = seats.count(seat)
    melds, royal = _award_melds(played, kinds, tricks, gains)
    n = len(awards)
    return n, (
        *prefix_columns(n, start), pack_numbers(SMALL, at), pack_numbers(SMALL, tricks), seats, kinds, melds, royal, pack_numbers(INTEGER, points),
        seats.translate(bytes(played.side_of).ljust(256)), seats.translate(_roles(table.seats, table.dealer)),
    )  # fmt: skip


def _award_melds(
    played: PlayedDeal, kinds: bytes, tricks: list[int], gains: DealGains
) -> tuple[bytearray, bytearray]:
    """For each award the number of its meld and whether that is all trumps; melds are counted in the gains."""
    trump, events = played.table.trump or NO_TRUMP, played.deal.events
    melds, royal = bytearray((NO_MELD_NUMBER,)) * len(kinds), bytearray((NULL_NUMBER,)) * len(kinds)
    for index in [index for index, kind in enumerate(kinds) if kind == MELD_SOURCE_NUMBER]:
        award = played.table.awards[index]
        cards: list[str] = getattr(events[award.event], "cards", [])
        melds[index] = MELD_NUMBERS[award.name]
        royal[index] = "".join(cards).count(trump) == len(cards)
        gains.melds[award.seat] += 1
        sums = gains.score_sums[award.seat]
        sums[1] += royal[index]
        sums[2] += tricks[index] > 0
        sums[3] += tricks[index]
    return melds, royal


@lru_cache
def _trick_numbers(n: int) -> bytes:
    return pack_numbers(SMALL, range(n))


@lru_cache
def _roles(seats: int, dealer: int) -> bytes:
    """The roles of all seats, as a table for `bytes.translate`."""
    return bytes([role_number(seats, dealer, seat) for seat in range(seats)]).ljust(256)


def prefix_columns(n: int, start: RowPrefix) -> tuple[bytes, ...]:
    """The first columns of n rows: game, deal, sheet, clean."""
    game, deal, sheet, clean = start
    return (
        game.to_bytes(8, "little") * n, deal.to_bytes(2, "little") * n, bytes((sheet,)) * n,
        bytes((clean,)) * n,
    )  # fmt: skip


def _findings(game: PlayedGame, report: Report) -> Iterator[TableRow]:
    """The findings that follow from no other, each marked as tainted if at or after the first breach of its deal."""
    broken: dict[int | None, int] = {}
    for finding in report.findings:
        if finding.severity == "illegal":
            event = -1 if finding.at.event is None else finding.at.event
            broken[finding.at.deal] = min(event, broken.get(finding.at.deal, event))
    for finding in report.findings:
        if finding.because_of is not None:
            continue
        at = finding.at
        tainted = at.deal in broken and (at.event is None or broken[at.deal] <= at.event)
        yield (
            game.key, game.record.rules.id, finding.code, finding.severity, at.deal, at.event, at.trick,
            at.seat, finding.rule, finding.message, tainted and at.deal is not None,
        )  # fmt: skip
