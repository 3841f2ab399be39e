"""One game as rows of the statistics tables: its deals are tallied while they are replayed.

Tricks, scores and cards have many rows per deal: they are packed column by column, without a Python object per row.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta, timezone
from functools import lru_cache
from itertools import compress, repeat
from operator import attrgetter
from typing import Any, Final, NamedTuple

from analyzer.store.tables import (
    CARD_USES,
    CARDS_AND_NONE,
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
from records.cards import ALL_CARDS, FACES, UNKNOWN_CARDS
from records.engine.deal_state import Award
from records.engine.table import Table, TableStep, trick_log_columns
from records.events import EVENT_TYPES, MAX_PLAYERS, AnyEvent, Discard, Dix, Draw, Meld, Play
from records.people import Person
from records.record import Record
from records.replay import Frame
from records.rules.compiled import CompiledPhase
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
NO_CARD_NUMBER: Final = CARDS_AND_NONE.index(None)
KINDS_OF_CARDS: Final = (*FACES, *UNKNOWN_CARDS)
CARD_NUMBERS: Final = {card: KINDS_OF_CARDS.index(card[:2]) for card in ALL_CARDS}
"""The number of every card that a record may name in `CARDS_AND_NONE`, whichever of like cards it is."""
DRAWN: Final = CARD_USES.index("draw")
MELDED: Final = CARD_USES.index("meld")
SHOWN_SEVEN: Final = CARD_USES.index("dix")
DISCARDED: Final = CARD_USES.index("discard")
USES: Final = dict.fromkeys(EVENT_TYPES, len(CARD_USES)) | {
    Draw: DRAWN,
    Meld: MELDED,
    Dix: SHOWN_SEVEN,
    Discard: DISCARDED,
}
"""What becomes of a card by an event, as a number, by the type of the event."""
IS_DRAWN: Final = bytes([use == DRAWN for use in range(256)])
IS_ODD: Final = bytes([number % 2 for number in range(256)])
IS_SEAT: Final = [bytes([number == seat for number in range(256)]) for seat in range(MAX_PLAYERS)]
IS_BRISQUE: Final = bytes([card[0] in "AT" for card in KINDS_OF_CARDS]).ljust(256, b"\0")
"""Tables for `bytes.translate`, which mark with a 1 what they are named after."""
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
    """The rows of a game: by table, those of tricks, scores and cards packed; `sheet` is the key of its rulebook."""

    def __init__(self, sheet: str) -> None:
        self.sheet = sheet
        self.tables: dict[str, list[TableRow]] = {"deals": [], "seats": [], "findings": []}
        self.packed: dict[str, list[PackedRows]] = {"tricks": [], "scores": [], "cards": []}


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


class SeatCards:
    """What the cards of a seat come to in a clean deal, for the last columns of `seats`."""

    def __init__(self) -> None:
        self.trumps_led = self.brisques_led = 0
        self.brisques = self.given = 0
        self.closed = self.forced = self.thrown = 0
        self.drawn = self.melded = 0


class SeatGains:
    """What a seat gains in a deal; `sign` is 1 for the seats of side 0 and -1 for all others."""

    def __init__(self, side: int) -> None:
        self.sign = -1 if side else 1
        self.by_source = [0] * len(POINT_SOURCES)
        self.scorings = self.melds = self.royal_melds = self.timed_melds = self.meld_tricks = 0
        self.led, self.cards = LedTricks(), SeatCards()


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
        rows.packed["scores"].append(_scores(played, awards, prefix, ends, gains))
    if ends:
        of_tricks = _tricks(trail, prefix, winner, gains)
        of_cards = _played_cards(played, trail, gains)
        rows.packed["tricks"].append((of_tricks[0], (*of_tricks[1], *of_cards)))
    if cards := _other_cards(played, prefix, gains):
        rows.packed["cards"].append(cards)
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
    led, cards, whole = own.led, own.cards, played.points[side]
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
        cards.trumps_led, cards.brisques_led, cards.brisques, cards.given, cards.closed, cards.forced, cards.thrown,
        cards.drawn, cards.melded,
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


def _played_cards(played: PlayedDeal, trail: TrickColumns, gains: DealGains) -> tuple[bytes, ...]:
    """The last columns of the tricks: players, the lead, trumps, the cards by turn, and which of them were forced.

    What they come to by seat is added to the gains.
    """
    table, events, (ends, closed, leaders, winners, *_) = played.table, played.deal.events, trail
    n, seats = len(ends), table.seats
    places = [_places_of_turn(events, ends, leaders, turn, seats) for turn in range(seats - 1)]
    places.append(ends)
    leads = places[0]
    numbers = [_card_numbers([events[at] for at in of_turn]) for of_turn in places]
    trumps = _trumps_played(table, leads, numbers)
    forced = _forced_plays(played, leaders, closed, numbers)
    if played.clean:
        marks = bytes(leaders), bytes(winners), bytes(closed), trumps.translate(IS_ODD)
        _add_cards(gains, marks, numbers, forced)
    return (
        bytes((seats,)) * n, pack_numbers(SMALL, [end - at for end, at in zip(ends, leads, strict=True)]), trumps,
        *numbers, *[bytes((NO_CARD_NUMBER,)) * n] * (MAX_PLAYERS - seats), *forced,
    )  # fmt: skip


def _add_cards(
    gains: DealGains,
    tricks: tuple[bytes, bytes, bytes, bytes],
    numbers: list[bytes],
    forced: tuple[bytes, bytes],
) -> None:
    """Count the cards of every seat: `tricks` are who led and who won, which were closed, and where a trump was led.

    Each of these is a number with a byte for each trick, whose last bit says so: one operation looks at all tricks.
    """
    seats = range(len(gains.seats))
    leaders, winners, *rest = tricks
    closed, trump_led = map(_as_marks, rest)
    by_leader = [_as_marks(leaders.translate(IS_SEAT[seat])) for seat in seats]
    brisques = [_as_marks(of_turn.translate(IS_BRISQUE)) for of_turn in numbers]
    told = [_as_marks(of_turn) & closed for of_turn in forced]
    for seat in seats:
        own, won = gains.seats[seat].cards, _as_marks(winners.translate(IS_SEAT[seat]))
        own.closed = closed.bit_count()
        own.trumps_led = (by_leader[seat] & trump_led).bit_count()
        own.brisques_led = (by_leader[seat] & brisques[0]).bit_count()
        for turn, of_turn in enumerate(brisques):
            acted = by_leader[(seat - turn) % len(seats)]
            own.brisques += (acted & of_turn).bit_count()
            own.given += (acted & of_turn & ~won).bit_count()
            if turn:
                own.thrown += (acted & ~(closed | won)).bit_count()
            if len(seats) == TWO_SEATS:  # of more it is not told
                own.forced += (acted & told[turn]).bit_count()


def _as_marks(column: bytes) -> int:
    return int.from_bytes(column, "little")


def _places_of_turn(
    events: list[Any], ends: list[int], leaders: list[int], turn: int, seats: int
) -> list[int]:
    """The event by which each trick got its card of one turn: mostly as many before its end as turns are left."""
    left = seats - 1 - turn
    places = [end - left for end in ends]
    actors = [(leader + turn) % seats for leader in leaders] if turn else leaders
    found = [event.seat for at in places if type(event := events[at]) is Play]
    if found != actors or places[0] < 0:
        starts = [-1, *ends[:-1]]
        places = list(map(_last_play, repeat(events), actors, starts, ends))
    return places


def _trumps_played(table: Table, leads: list[int], numbers: list[bytes]) -> bytes:
    """By trick, which of its cards were trumps: 1 for the first, 2 for the second, 4 for the third and so on."""
    # Trumps may have been made in the course of the deal.
    start = bisect_right(leads, table.trump_at)
    played = 0  # a byte for each trick, of all tricks at once
    for turn, of_turn in enumerate(numbers):
        worth = _trump_worth(table.trump or NO_TRUMP, turn)
        played |= int.from_bytes(of_turn[start:].translate(worth), "little")
    return bytes(start) + played.to_bytes(len(leads) - start, "little")


@lru_cache
def _trump_worth(trump: str, turn: int) -> bytes:
    """What the cards of a turn add if they are trumps, by their numbers, as a table for `bytes.translate`."""
    return bytes([(card[1] == trump) << turn for card in KINDS_OF_CARDS]).ljust(256)


def _last_play(events: list[AnyEvent], seat: int, start: int, end: int) -> int:
    """The last play of a seat after one event and up to another: what was withdrawn came before. `end`, if there is none."""
    for at in range(end, start, -1):
        event = events[at]
        if type(event) is Play and event.seat == seat:
            return at
    return end


def _card_numbers(events: list[Any]) -> bytes:
    return bytes([CARD_NUMBERS[event.card] for event in events])


def _forced_plays(
    played: PlayedDeal, leaders: list[int], closed: list[int], numbers: list[bytes]
) -> tuple[bytes, bytes]:
    """Which leads and which replies were forced, as two columns, from the numbers of the cards; empty where that is not told.

    After the close a hand is what its seat plays from then on. Before it, who may play anything and holds more cards than
    there are like ones has a choice.
    """
    table, n = played.table, len(leaders)
    if not played.clean or table.seats != TWO_SEATS:
        return bytes((NULL_NUMBER,)) * n, bytes((NULL_NUMBER,)) * n
    open_value = bytes((0 if _has_choice_before_the_close(played) else NULL_NUMBER,))
    owed = _owed_to(table.phase, table.trump)
    held = [sum({1 << CARD_NUMBERS[card] for card in hand}) for hand in table.held]
    leads, replies, number = list[int](), list[int](), n
    while number and closed[number - 1]:
        number -= 1
        led, leader = numbers[0][number], leaders[number]
        reply, other = 1 << numbers[1][number], 1 - leader
        held[leader] |= 1 << led
        held[other] |= reply
        own, allowed = held[leader], held[other]
        for group in owed[led]:
            if reply & group:
                allowed &= group
                break
        leads.append(not own & own - 1)
        replies.append(not allowed & allowed - 1)
    return open_value * number + bytes(leads[::-1]), open_value * number + bytes(replies[::-1])


@lru_cache
def _owed_to(phase: CompiledPhase, trump: str | None) -> list[list[int]]:
    """The groups of cards that are owed, by the number of the card led; each is a number with a bit for every kind of card."""
    duties = phase.duties[trump]
    return [
        [sum({1 << CARD_NUMBERS[card] for card in group}) for group in duties.get(led, ())]
        for led in KINDS_OF_CARDS
    ]


def _has_choice_before_the_close(played: PlayedDeal) -> bool:
    """Whether nobody owes anything before the close, and a hand holds more cards than there are like ones."""
    rules, hands = played.table.rules, played.deal.hands
    owes = any([phase.draws and phase.must_follow for phase in rules.phases])
    return not owes and hands is not None and len(hands[0]) > rules.written.pack.packs


def _other_cards(played: PlayedDeal, prefix: RowPrefix, gains: DealGains) -> PackedRows | None:
    """The cards drawn, then those melded, shown as a dix, and discarded; None if there are none.

    How many each seat drew and melded is added to the gains.
    """
    events: list[Any] = played.deal.events
    uses = bytes(map(USES.__getitem__, map(type, events)))
    drawn = uses.translate(IS_DRAWN)
    draws = list(compress(events, drawn))
    places, seats = list(compress(range(len(events)), drawn)), [event.seat for event in draws]
    numbers, use_of = _card_numbers(draws), bytes((DRAWN,)) * len(draws)
    for number, own in enumerate(gains.seats):
        own.cards.drawn = seats.count(number)
    for at, use, cards in _cards_shown(played.table, events, uses):
        n = len(cards)
        if use == MELDED:
            gains.seats[events[at].seat].cards.melded += n
        places += [at] * n
        seats += [events[at].seat] * n
        numbers += bytes([CARD_NUMBERS[card] for card in cards])
        use_of += bytes((use,)) * n
    if not (n := len(places)):
        return None
    return n, (*[value * n for value in prefix], pack_numbers(SMALL, places), bytes(seats), use_of, numbers)  # fmt: skip


def _cards_shown(
    table: Table, events: list[Any], uses: bytes
) -> Iterator[tuple[int, int, list[str]]]:
    """The cards of melds that score, those shown as a dix, and those discarded, by event, each with its use."""
    for at in dict.fromkeys([award.event for award in table.awards]):
        if at >= 0 and uses[at] == MELDED:
            yield at, MELDED, events[at].cards
    for use in (SHOWN_SEVEN, DISCARDED):
        at = uses.find(use)
        while at >= 0:
            yield at, use, [events[at].card or table.seven or "??"]
            at = uses.find(use, at + 1)


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
