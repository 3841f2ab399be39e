"""One game as rows of the statistics tables: its deals are tallied while they are replayed.

Tricks and scores have many rows per deal: they are packed column by column, without a Python object per row.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta, timezone
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final, NamedTuple

from analyzer.store.tables import (
    EPOCH,
    INTEGER,
    MELD_NAMES_AND_NONE,
    NULL_NUMBER,
    POINT_SOURCES,
    ROLES,
    SHEET_IDS,
    SMALL,
    pack_numbers,
)
from records.engine.deal_state import Award
from records.engine.table import Table, TableStep, trick_log_columns
from records.people import Person
from records.record import Record
from records.replay import Frame
from records.validate.finding import Finding
from records.validate.report import Report

# The tally of a deal: what the statistics tables need of its replay.

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


# Who played, where and when, in short: what two records of the same play may tell differently.

LONGEST_PART = 80
"""Characters of a name, an event or a site; a record may hold millions."""


def describe_occasion(
    names: Sequence[str],
    event: str | None,
    site: str | None,
    started: int | None,
    utc_offset: int | None,
) -> str:
    """The players, and what else of the occasion is known; `started` is in microseconds by the clock of the place.

    Long texts are cut, so texts that only differ after that are told as the same.
    """
    parts = [event, site, None if started is None else _moment(started, utc_offset)]
    return ", ".join([" – ".join(map(_cut, names)), *(_cut(part) for part in parts if part)])


def _moment(started: int, utc_offset: int | None) -> str:
    time = EPOCH + timedelta(microseconds=started)
    if utc_offset is None:
        return time.date().isoformat()
    return f"{time.isoformat(' ', 'minutes')} {timezone(timedelta(minutes=utc_offset))}"


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_PART else f"{text[:LONGEST_PART]}…"


HONOUR_VALUES: Final = {"A": 4, "T": 3, "K": 2, "Q": 1}
"""What a card adds to the strength of the hand dealt, by rank."""

TWO_SEATS: Final = 2
SOURCE_NUMBERS: Final = {name: number for number, name in enumerate(POINT_SOURCES)}
MELD_NUMBERS: Final = {name: number for number, name in enumerate(MELD_NAMES_AND_NONE)}
NO_MELD_NUMBER: Final = MELD_NUMBERS[None]
MELD_SOURCE_NUMBER: Final = SOURCE_NUMBERS["meld"]
NO_POINTS: Final = (None,) * len(POINT_SOURCES)
"""Points by source where the record leaves them open."""
NO_TRUMP: Final = "-"
"""A suit that no card has."""

SHEET_NUMBERS: Final = {name: number for number, name in enumerate(SHEET_IDS)}
OWN_SHEET: Final = 255
"""Stands in packed rows for a rulebook of one's own: a batch numbers those that it has."""


PackedRows = tuple[int, tuple[bytes, ...]]
"""Rows of a table filled by columns: how many there are, and each column as packed bytes."""


RowPrefix = tuple[bytes, bytes, bytes, bytes]
"""The first columns of a packed row, which are the same in every row of a deal."""


TrickColumns = list[list[Any]]
"""The tricks of a deal by columns: for each of the six values of `TrickPlayed`, one entry per trick."""


class GameRows:
    """The rows of a game: by table, and packed for the tables of tricks and scores; `sheet` is the key of its rulebook."""

    def __init__(self, sheet: str) -> None:
        self.sheet = sheet
        self.tables: dict[str, list[TableRow]] = {"deals": [], "seats": [], "findings": []}
        self.tricks: list[PackedRows] = []
        self.scores: list[PackedRows] = []


class GameStart(NamedTuple):
    """When a game started: by the clock of the place, the minutes by which that is ahead of UTC, and in UTC.

    Times are in microseconds since 1970, `month` is the month of the first in days. `at` is None in the first and the last
    hours that a calendar has. Where only the day is known, `utc_offset` is None, and both times are its midnight.
    """

    own_clock: int
    utc_offset: int | None
    at: int | None
    month: int


NO_START: Final = (None, None, None)
"""The columns of a game that does not say when it started."""


@dataclass(slots=True)
class PlayedGame:
    """What the rows of a game have in common.

    `people` are by seat. `outcomes` are 1, 0.5 or 0 by side, or None if the match is not complete. `month` is in days since
    1970. `sheet` is the key of the rulebook. In a `settled` game every deal is a match of its own.
    """

    key: int
    record: Record
    sheet: str
    people: list[Person]
    sides: list[list[int]]
    options: str
    variant: int
    start: GameStart | None
    month: int | None
    program: str | None
    outcomes: list[float] | None
    settled: bool


class PlayedDeal:
    """One deal of a game: its tally and verdict, and the points of its sides in it (`points`) and `before` it.

    Both are None by side where the record leaves them open. `by_seat` are the points of the deal by seat. A deal is clean
    if it was dealt from the full pack, and is complete, fully known and legal. `found` are the findings in it.
    """

    def __init__(
        self, game: PlayedGame, tally: DealTally, found: list[Finding], before: list[int | None]
    ) -> None:
        table, deal, knowledge = tally.table, game.record.deals[tally.number], tally.table.knowledge
        self.game, self.tally, self.table, self.deal, self.before = game, tally, table, deal, before
        self.side_of = [0] * table.seats
        for side, seats in enumerate(game.sides):
            for seat in seats:
                self.side_of[seat] = side
        self.points: list[int | None] = [None] * len(game.sides)
        by_seat: list[int] = table.points
        if not table.are_points_open:
            # Brisques that count to settle a deal belong to its points (C15).
            by_seat = table.deal_points
            self.points = [sum([by_seat[seat] for seat in seats]) for seats in game.sides]
        self.by_seat = by_seat
        self.findings = sum([finding.because_of is None for finding in found])
        self.legal = "illegal" not in [finding.severity for finding in found]
        self.complete: bool = table.step is TableStep.OVER and not table.misdealt
        fully_known = deal.setup is None and not (knowledge.partial or knowledge.uncertain)
        self.clean = self.legal and self.complete and not tally.tainted and fully_known


class LedTricks:
    """What the tricks that a seat led come to, for the last columns of `seats`.

    `ahead` and `behind` count those after which side 0 was so in points.
    """

    def __init__(self) -> None:
        self.tricks = self.won = self.brisques = 0
        self.let_go = self.let_go_known = 0
        self.points_ahead = self.tricks_ahead = 0
        self.ahead = self.behind = 0

    def add(self, brisques: int, missed: int | None, ahead: int, lead: int, *, won: bool) -> None:
        """Add a trick with its brisques; side 0 is `ahead` by so many tricks after it, and by `lead` points."""
        self.tricks += 1
        self.won += won
        self.brisques += brisques
        if missed is not None:
            self.let_go += missed
            self.let_go_known += 1
        self.tricks_ahead += abs(ahead)
        if lead > 0:
            self.ahead += 1
            self.points_ahead += lead
        elif lead < 0:
            self.behind += 1
            self.points_ahead -= lead


class SeatGains:
    """What a seat gains in a deal; `sign` is 1 for the seats of side 0 and -1 for all others."""

    def __init__(self, side: int) -> None:
        self.sign = -1 if side else 1
        self.by_source = [0] * len(POINT_SOURCES)
        self.scorings = self.melds = self.royal_melds = self.timed_melds = self.meld_tricks = 0
        self.led = LedTricks()


class DealGains:
    """What is gained in a deal, by seat, and side 0's points minus the others', by tricks completed (`by_trick`).

    `own_leads` sums up side 0's leads in points after every trick.
    """

    def __init__(self, side_of: list[int], tricks: int) -> None:
        self.seats = [SeatGains(side) for side in side_of]
        self.by_trick = [0] * (tricks + 1)
        self.own_leads = 0


def build_rows(deals: list[DealTally], game: PlayedGame, report: Report) -> GameRows:
    """All rows of a game."""
    rows = GameRows(game.sheet)
    if report.findings:
        rows.tables["findings"] = list(_findings(game, report))
    before: list[int | None] = [0] * len(game.sides)
    found: dict[int | None, list[Finding]] = {}
    for finding in report.findings:
        found.setdefault(finding.at.deal, []).append(finding)
    for tally in deals:
        played = PlayedDeal(game, tally, found.get(tally.number, []), before)
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
    strength = 0
    for rank, value in HONOUR_VALUES.items():
        strength += value * cards.count(rank)
    return strength


def _add_deal(rows: GameRows, played: PlayedDeal) -> None:
    """Add the rows of one deal; packing the scores fills the gains that tricks and seats need."""
    game, table = played.game, played.table
    sheet, trail = game.sheet, trick_log_columns(table.trick_log or [])
    ends, _, leaders, *_ = trail
    start = (game.key, played.tally.number, sheet, played.clean)
    known = [points for points in played.points if points is not None]
    best = max(known, default=None)
    winner = played.points.index(best) if known.count(best or 0) == 1 else None
    rows.tables["deals"].append((*start, *_deal(played, winner, leaders[0] if leaders else None)))
    prefix = packed_prefix(
        game.key, played.tally.number, SHEET_NUMBERS.get(sheet, OWN_SHEET), clean=played.clean
    )
    gains = DealGains(played.side_of, len(ends))
    awards = table.awards
    # Without brisques that may settle a deal, its points are the very list of the table.
    if played.by_seat is not table.points:
        awards = _with_settling_brisques(table, ends)
    if awards:
        rows.scores.append(_scores(played, awards, prefix, ends, gains))
    if ends:
        rows.tricks.append(_tricks(trail, prefix, winner, gains))
    seats = rows.tables["seats"]
    for seat in range(table.seats):
        seats.append((*start, *_seat(played, seat), *_seat_gains(played, gains, seat, winner)))


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
        seat, side, played.game.people[seat].label, player.id, player.kind, ROLES[_roles(table.seats, table.dealer)[seat]], hand_strength(dealt),
        None if own is None else played.by_seat[seat], outcome,
    )  # fmt: skip


def _seat_gains(played: PlayedDeal, gains: DealGains, seat: int, winner: int | None) -> TableRow:
    """What a seat gained and took, and how it compares with the others in the deal and in the match.

    Points by source and melds are empty where the record leaves the points open.
    """
    table, game, side, before = played.table, played.game, played.side_of[seat], played.before
    own, knowledge, for_two = gains.seats[seat], table.knowledge, table.seats == TWO_SEATS
    led, whole = own.led, played.points[side]
    leads = 0 if winner is None else led.ahead + led.behind
    return (
        *(NO_POINTS if whole is None else own.by_source), None if whole is None else own.melds,
        None if knowledge.scores_only else len(table.won[seat]) // table.seats,
        None if knowledge.brisques_open else table.brisques[seat], played.complete and seat == table.trick.winner,
        game.people[1 - seat].label if for_two else None,
        _best_of_others(played.points, side), table.tricks, _missed(table, gains, seat),
        before[side], _best_of_others(before, side),
        None if game.outcomes is None else game.outcomes[side], game.variant, game.month, game.program, table.seats,
        led.tricks, led.won, led.brisques, led.let_go, led.let_go_known, led.points_ahead, led.tricks_ahead, leads,
        led.ahead if winner == 0 else led.behind if winner == 1 else 0, own.sign * gains.own_leads,
        own.scorings, own.royal_melds, own.timed_melds, own.meld_tricks,
        None if whole is None else whole - played.by_seat[seat],
    )  # fmt: skip


def _best_of_others(points: list[int | None], side: int) -> int | None:
    """The best points of all sides but this one; None if one is not known."""
    best: int | None = None
    for other, number in enumerate(points):
        if other != side:
            if number is None:
                return None
            if best is None or number > best:
                best = number
    return best


def _missed(table: Table, gains: DealGains, seat: int) -> int | None:
    """The brisques led against a seat that it could have taken and did not; None if its hand is not known."""
    if table.knowledge.partial:
        return None
    if table.seats != TWO_SEATS:
        return None if table.tricks else 0  # told of two players only
    led = gains.seats[1 - seat].led
    return led.let_go if led.let_go_known == led.tricks else None


def role_number(seats: int, dealer: int, seat: int) -> int:
    """The index of a seat's role in `ROLES`."""
    return min((seat - dealer) % seats, TWO_SEATS)


def _tricks(
    trail: TrickColumns, prefix: RowPrefix, won_by: int | None, gains: DealGains
) -> PackedRows:
    """The tricks, each with side 0's lead after it, in tricks and in points; what a seat led is added to its gains."""
    events, closed, leaders, winners, brisques, missed = trail
    n, seats, by_trick = len(events), gains.seats, gains.by_trick
    tricks, points = list[int](), list[int]()
    ahead, lead, whole, all_known = 0, by_trick[0], 0, True
    for number in range(n):  # one pass, as a deal has dozens of tricks
        leader: int = leaders[number]
        winner: int = winners[number]
        ahead += seats[winner].sign
        lead += by_trick[number + 1]
        whole += lead
        tricks.append(ahead)
        points.append(lead)
        was_missed: int | None = missed[number]
        all_known = all_known and was_missed is not None
        seats[leader].led.add(brisques[number], was_missed, ahead, lead, won=leader == winner)
    if not all_known:
        missed = [NULL_NUMBER if value is None else value for value in missed]
    gains.own_leads = whole
    return n, (
        *[value * n for value in prefix], bytes((NULL_NUMBER if won_by is None else won_by,)) * n, _trick_numbers(n), pack_numbers(SMALL, events), bytes(closed), bytes(leaders),
        bytes(winners), bytes(brisques), pack_numbers(SMALL, tricks), pack_numbers(INTEGER, points), bytes(missed),
    )  # fmt: skip


def _with_settling_brisques(table: Table, ends: list[int]) -> list[Award]:
    """The awards of a deal, and the brisques that count to settle it, for which the engine makes none.

    The last trick has earned them, as it has those that count at the end in other games; a ruling may follow.
    """
    counted = [
        Award(seat, what, points, event=ends[-1])
        for (seat, what), points in table.earned.items()
        if what == "brisques" and points
    ]
    return sorted([*table.awards, *counted], key=attrgetter("event")) if counted else table.awards


def _scores(
    played: PlayedDeal, awards: list[Award], prefix: RowPrefix, ends: list[int], gains: DealGains
) -> PackedRows:
    """The scores in order; their points and melds are added to the gains."""
    table, by_trick, events = played.table, gains.by_trick, played.deal.events
    trump, unknown = table.trump or NO_TRUMP, NULL_NUMBER
    at, tricks, points, seats = list[int](), list[int](), list[int](), list[int]()
    kinds, melds, royal = list[int](), list[int](), list[int]()
    for award in awards:
        event: int = award.event
        seat: int = award.seat
        score: int = award.points
        kind, own = SOURCE_NUMBERS[award.source], gains.seats[seat]
        trick = _tricks_before(ends, event, tricks[-1] if tricks else 0)
        at.append(event)
        tricks.append(trick)
        points.append(score)
        seats.append(seat)
        kinds.append(kind)
        own.by_source[kind] += score
        own.scorings += 1
        by_trick[trick] += own.sign * score
        if kind == MELD_SOURCE_NUMBER:
            cards: list[str] = getattr(events[event], "cards", [])
            is_royal = "".join(cards).count(trump) == len(cards)
            melds.append(MELD_NUMBERS[award.name])
            royal.append(is_royal)
            own.melds += 1
            own.royal_melds += is_royal
            own.timed_melds += trick > 0
            own.meld_tricks += trick
        else:
            melds.append(NO_MELD_NUMBER)
            royal.append(unknown)
    n, of_seats = len(at), bytes(seats)
    return n, (
        *[value * n for value in prefix], pack_numbers(SMALL, at), pack_numbers(SMALL, tricks), of_seats,
        bytes(kinds), bytes(melds), bytes(royal), pack_numbers(INTEGER, points),
        of_seats.translate(bytes(played.side_of).ljust(256)), of_seats.translate(_roles(table.seats, table.dealer)),
    )  # fmt: skip


def _tricks_before(ends: list[int], event: int, likely: int) -> int:
    """How many tricks have ended with this event: `likely` or a few more, as awards come in the order of events."""
    tricks = likely
    while tricks > 0 and ends[tricks - 1] > event:
        tricks -= 1
    while tricks < len(ends) and ends[tricks] <= event:
        tricks += 1
    return tricks


@lru_cache
def _trick_numbers(n: int) -> bytes:
    return pack_numbers(SMALL, range(n))


@lru_cache
def _roles(seats: int, dealer: int) -> bytes:
    """The roles of all seats, as a table for `bytes.translate`."""
    return bytes([role_number(seats, dealer, seat) for seat in range(seats)]).ljust(256)


def packed_prefix(game: int, deal: int, sheet: int, *, clean: bool) -> RowPrefix:
    """The first columns of one packed row: the game's key, the deal, the number of the sheet, `clean`."""
    return game.to_bytes(8, "little"), deal.to_bytes(2, "little"), bytes((sheet,)), bytes((clean,))


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
            game.key, game.sheet, finding.code, finding.severity, at.deal, at.event, at.trick,
            at.seat, finding.rule, finding.message, tainted and at.deal is not None,
        )  # fmt: skip
