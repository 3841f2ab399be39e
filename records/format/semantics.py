"""What the types of a record cannot check: that seats exist, that anchors point somewhere, and the like."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import date, datetime
from operator import attrgetter
from typing import Any

import msgspec

from records.cards import LABEL_PATTERN, is_unknown
from records.errors import RulesError
from records.events import MAX_PLAYERS, AnyEvent, Trick
from records.format.text_places import RecordPath, make_finding, quote_list, quote_value
from records.phrases import plural, pluralize
from records.pointers import pointer_names
from records.record import (
    CARD_MEMBERS,
    MAX_LINE_EVENTS,
    MAX_NESTING_DEPTH,
    RECORD_VERSION,
    Deal,
    Record,
)
from records.rules import registry
from records.validate.finding import Finding

Findings = Iterator[Finding]

_VERSION = re.compile(r"(0|[1-9][0-9]{0,8})\.([0-9]{1,9})", re.ASCII)
_MAJOR, _MINOR = map(int, RECORD_VERSION.split("."))
_RFC_3339 = re.compile(
    r"(\d{4}-\d\d-\d\d)[Tt ]((?:[01]\d|2[0-3]):\d\d:\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:[0-5]\d)",
    re.ASCII,
)
WRITTEN_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_EXTENSION = b'"ext":'
_MOST_RARE_LETTERS, _MOST_RARE_DIGITS = 1000, 100
_DOT = b"."
"""In the canonical form a card with a label has one, and little else."""
_LABEL = re.compile(rb'[SHDC]%b"' % LABEL_PATTERN.encode())
_SEAT = attrgetter("seat")
_SEAT_DIGITS = [b"%d" % seat for seat in range(MAX_PLAYERS)]
_ENDS_OF_SEAT_NAMES = (b'at":', b'er":')
"""How the names of members end whose value is a seat: `seat`, `winner` and `dealer`."""
_BARE = re.compile(rb'"[AKQJT2-9][SHDC]"')
_BARE_END, _SUITS_ALIKE = b'S"', bytes.maketrans(b"HDC", b"SSS")
_NOT_AT_ENDS = bytes(set(range(256)).difference(b'SHDC."'))
"""Every byte but suits, quotes and the dots of labels."""


def check_version(version: str) -> Findings:
    """Another major version cannot be read; a newer minor one can, as far as it is known here."""
    numbers = _VERSION.fullmatch(version)
    if numbers is None or int(numbers[1]) != _MAJOR:
        yield make_finding(
            "unsupported-version",
            ("version",),
            major=_MAJOR,
            expected=RECORD_VERSION,
            found=quote_value(version),
        )
    elif int(numbers[2]) > _MINOR:
        yield make_finding(
            "newer-minor",
            ("version",),
            expected=RECORD_VERSION,
            found=version,
        )


def is_newer_minor(version: str) -> bool:
    """Whether a version may hold members that this one does not know."""
    return any(finding.code == "newer-minor" for finding in check_version(version))


def check_semantics(record: Record, deals: bytes, broken: Collection[str] = ()) -> Findings:
    """Every check of a whole record; `deals` are its deals in canonical form.

    `broken` are the pointers of values that could not be read and have been replaced: what depends
    on them is not checked.
    """
    for finding in check_version(record.version):
        yield finding
        if finding.severity == "unreadable":
            return
    for check, needs in _CHECKS:
        if not _depends_on(needs, broken):
            yield from check(record)
    if _may_name_seat_beyond(record, deals) and not _depends_on(_PLAYERS, broken):
        yield from check_seats(record)
    if record.ext or record.meta:
        yield from check_open_values(record)
    if record.lines or has_extension(deals):
        yield from check_extensions(record)
    if record.lines or _may_mix_labels(deals):
        yield from check_labels(record)


def _depends_on(needs: re.Pattern[str], broken: Collection[str]) -> bool:
    """Whether a value that a check needs could not be read."""
    return bool(broken) and any(needs.fullmatch(pointer) for pointer in broken)


def _may_name_seat_beyond(record: Record, deals: bytes) -> bool:
    """Whether the deals, in canonical form, may name a seat that has no player.

    Few digits of a record are larger than its seats, and looking at those takes two thirds of the time of looking at
    every event. The labels of cards are such digits, too many to look at: then every event is looked at.
    """
    if record.lines or _DOT in deals:
        return True
    for digit in _SEAT_DIGITS[len(record.players) :]:
        at = -1
        for _ in range(_MOST_RARE_DIGITS):
            at = deals.find(digit, at + 1)
            if at < 0:
                break
            if deals[at - 4 : at] in _ENDS_OF_SEAT_NAMES:
                return True
        else:
            return True
    return False


def _may_mix_labels(deals: bytes) -> bool:
    """Whether deals, in canonical form, may have cards with a label and others without.

    Where every card has a label, no suit stands before a quote. A search for that takes a third of the time once the text
    has nothing but suits, quotes and dots, and all suits are written alike.
    """
    return (
        _DOT in deals
        and _BARE_END in deals.translate(_SUITS_ALIKE, _NOT_AT_ENDS)
        and _LABEL.search(deals) is not None
        and _BARE.search(deals) is not None
    )


def has_extension(deals: bytes) -> bool:
    """Whether canonical deals have an `ext` anywhere; a text that reads like one counts too."""
    # While x is rare, a search for that one letter is four times faster than a search for the name.
    at = 0
    for _ in range(_MOST_RARE_LETTERS):
        at = deals.find(b"x", at + 1)
        if at < 0 or deals.startswith(_EXTENSION, at - 2):
            return at >= 0
    return deals.find(_EXTENSION, at) >= 0


def check_seats(record: Record) -> Findings:
    """Every seat named is one of the record's players."""
    last = len(record.players) - 1
    for number, deal in enumerate(record.deals):
        at: RecordPath = ("deals", number)
        yield from _seat(deal.dealer, last, (*at, "dealer"))
        yield from _seat(deal.seat, last, (*at, "seat"))
        if deal.setup is not None:
            yield from _seat(deal.setup.seat, last, (*at, "setup", "seat"))
        yield from _seats_of(deal.events, last, (*at, "events"))
    for number, line in enumerate(record.lines or ()):
        yield from _seats_of(line.events, last, ("lines", number, "events"))


def _seats_of(events: Sequence[AnyEvent], last: int, at: RecordPath) -> Findings:
    # Every record pays for this check, and isinstance would take three times as long.
    if not events or max(map(_SEAT, events)) <= last:
        return
    for index, event in enumerate(events):
        if type(event) is Trick:
            if event.winner > last:
                yield _no_seat(event.winner, last, (*at, index, "winner"))
        elif event.seat > last:  # type: ignore[union-attr]
            yield _no_seat(event.seat, last, (*at, index, "seat"))  # type: ignore[union-attr]


def _seat(seat: int | None, last: int, path: RecordPath) -> Findings:
    if seat is not None and seat > last:
        yield _no_seat(seat, last, path)


def _no_seat(seat: int, last: int, path: RecordPath) -> Finding:
    return make_finding(
        "out-of-range",
        path,
        clause="seat",
        number=f"Seat {seat}",
        players=last + 1,
        expected=f"0 to {last}",
        found=str(seat),
    )


def sides_of(record: Record) -> list[list[int]]:
    """The seats of each side; every player for himself unless the record says otherwise."""
    return record.sides or [[seat] for seat in range(len(record.players))]


def check_sides(record: Record) -> Findings:
    """Partners sit alternately."""
    players = len(record.players)
    allowed = [
        [list(range(side, players, count)) for side in range(count)]
        for count in sorted({players, 2, 3})
        if players % count == 0 and (count == players or players > 3)
    ]
    if record.sides is not None and record.sides not in allowed:
        expected = " or ".join(str(sides).replace(" ", "") for sides in allowed)
        yield make_finding(
            "bad-sides",
            ("sides",),
            players=players,
            expected=expected,
            found=quote_list(record.sides),
        )


_ONE_A_SEAT = ("hands", "tables", "scores", "brisques", "captured")


def check_counts(record: Record) -> Findings:
    """Scores have one entry for each side, and the lists of a setup one for each seat."""
    sides, players = len(sides_of(record)), len(record.players)
    for number, deal in enumerate(record.deals):
        at: RecordPath = ("deals", number)
        if deal.claims is not None:
            yield from _count(deal.claims.scores, sides, "side", (*at, "claims", "scores"))
        for name in _ONE_A_SEAT if deal.setup else ():
            value = getattr(deal.setup, name)
            yield from _count(value, players, "seat", (*at, "setup", name))
    if record.result is not None:
        yield from _count(record.result.scores, sides, "side", ("result", "scores"))
        yield from _count(record.result.settlement, sides, "side", ("result", "settlement"))


def _count(values: Sequence[Any] | None, count: int, each: str, path: RecordPath) -> Findings:
    if values is not None and len(values) != count:
        yield make_finding(
            "wrong-count",
            path,
            member=path[-1],
            entries=pluralize(len(values), "entry"),
            each=each,
            expected=str(count),
            found=str(len(values)),
        )


def check_winner(record: Record) -> Findings:
    """The winner of the game is a side."""
    winner = record.result.winner if record.result else None
    count = len(sides_of(record))
    if isinstance(winner, int) and winner >= count:
        yield make_finding(
            "out-of-range",
            ("result", "winner"),
            clause="side",
            number=f"Side {winner}",
            sides=count,
            expected=f"0 to {count - 1}",
            found=str(winner),
        )


def check_starts(record: Record) -> Findings:
    """A deal starts afresh or in the middle, and what one seat knew names the seat."""
    for number, deal in enumerate(record.deals):
        for name in ("hands", "turn_up") if deal.setup is not None else ():
            if getattr(deal, name) is not None:
                yield make_finding("two-starts", ("deals", number, name), member=name)
        if deal.knowledge == "seat" and deal.seat is None:
            one_seat = "A deal with the knowledge of one seat"
            yield make_finding(
                "missing-member", ("deals", number), object=one_seat, expected="seat"
            )


def check_anchors(record: Record) -> Findings:
    """Notes point at a deal or an event; lines at an event, or just past the last."""
    for number, note in enumerate(record.notes or ()):
        yield from _anchor(note.at, record.deals, ("notes", number, "at"), past=0)
    for number, line in enumerate(record.lines or ()):
        path: RecordPath = ("lines", number, "at")
        if len(line.at) == 1:
            yield make_finding("bad-anchor", path, clause="line", found=str(line.at))
        else:
            yield from _anchor(line.at, record.deals, path, past=1)


def _anchor(at: list[int], deals: list[Deal], path: RecordPath, *, past: int) -> Findings:
    if at[0] >= len(deals):
        existing = _counted_from_0(len(deals), "deal")
        yield make_finding(
            "bad-anchor", path, clause="deal", deal=at[0], deals=existing, found=str(at)
        )
    elif len(at) > 1 and at[1] >= len(deals[at[0]].events) + past:
        existing = _counted_from_0(len(deals[at[0]].events), "event")
        yield make_finding(
            "bad-anchor",
            path,
            clause="event",
            deal=at[0],
            event=at[1],
            events=existing,
            found=str(at),
        )


def _counted_from_0(number: int, noun: str) -> str:
    return f"{pluralize(number, noun)}, counted from 0" if number else f"no {plural(noun)}"


def check_line_events(record: Record) -> Findings:
    """All lines together have no more events than the format allows."""
    events = sum(len(line.events) for line in record.lines or ())
    if events > MAX_LINE_EVENTS:
        yield make_finding(
            "too-many-events",
            ("lines",),
            member="lines",
            entries=pluralize(events, "event"),
            limit=f"at most {MAX_LINE_EVENTS:,}",
            expected=f"at most {MAX_LINE_EVENTS}",
            found=str(events),
        )


def check_start_time(record: Record) -> Findings:
    """`meta.started`, where given, is an RFC 3339 time with its zone."""
    if record.meta is None or "started" not in record.meta:
        return
    started = record.meta["started"]
    if not isinstance(started, str) or read_time(started) is None:
        yield make_finding(
            "bad-time",
            ("meta", "started"),
            expected="2026-11-20T19:30:00Z",
            found=quote_value(started),
        )


def read_time(text: str) -> datetime | None:
    """An RFC 3339 time as its own clock shows it, with its offset; None if it is none. Microseconds are cut, not rounded."""
    found = _RFC_3339.fullmatch(text)
    if not found:
        return None
    date, clock, fraction, zone = found.groups()
    try:
        return datetime.fromisoformat(f"{date}T{clock}.{(fraction or '0')[:6]:0<6}{zone.upper()}")
    except ValueError:
        return None


def read_day(text: str) -> date | None:
    """A day as RFC 3339 writes it, such as 2026-11-20; None if it is none."""
    try:
        return date.fromisoformat(text) if WRITTEN_DAY.fullmatch(text) else None
    except ValueError:
        return None


def check_sheet(record: Record) -> Findings:
    """The rulebook that a record carries can be played by, and is the one that it names."""
    if record.rules.sheet is None:
        return
    too_deep = list(_open(record.rules.sheet, ("rules", "sheet")))
    yield from too_deep
    if not too_deep:
        # What reads sheets of one's own takes long to load, and few records need it.
        from records.rules.inner_sheet import inner_mistakes

        for mistake in inner_mistakes(record.rules):
            path = tuple(pointer_names(mistake.pointer))
            yield make_finding("bad-sheet", path, says=mistake.says)


_SHEET = re.compile(r"/rules(/sheet.*)?")
_PLAYERS = re.compile(r"/players")
_SIDES = re.compile(r"/players|/sides.*")
_DEALS = re.compile(r"/deals(/\d+(/events)?)?")
_NO_POINTER = re.compile(r"(?!)")
_CHECKS: tuple[tuple[Callable[[Record], Findings], re.Pattern[str]], ...] = (
    (check_sides, _SIDES),
    (check_counts, _SIDES),
    (check_winner, _SIDES),
    (check_starts, _NO_POINTER),
    (check_anchors, _DEALS),
    (check_line_events, _NO_POINTER),
    (check_start_time, _NO_POINTER),
    (check_sheet, _SHEET),
)
"""Every check, and the pointers of values that it needs: where one of them is broken, the check is left out."""


def check_open_values(record: Record) -> Findings:
    """`meta` and the record's `ext` may hold anything that is not nested too deeply."""
    yield from _open(record.meta, ("meta",))
    yield from _open(record.ext, ("ext",))


def check_extensions(record: Record) -> Findings:
    """The same for the `ext` of deals and events."""
    for number, deal in enumerate(record.deals):
        yield from _open(deal.ext, ("deals", number, "ext"))
        yield from _extensions_of(deal.events, ("deals", number, "events"))
    for number, line in enumerate(record.lines or ()):
        yield from _extensions_of(line.events, ("lines", number, "events"))


def _extensions_of(events: Sequence[AnyEvent], at: RecordPath) -> Findings:
    for index, event in enumerate(events):
        if event.ext is not None:
            yield from _open(event.ext, (*at, index, "ext"))


def _open(root: Any, start: RecordPath) -> Findings:
    """Errors in an open value; the walk is not recursive, as a value may be nested as deeply as the decoder allows."""
    above: list[Iterator[tuple[str | int, Any]]] = [iter([(start[-1], root)])]
    path = list(start[:-1])
    while above:
        for key, value in above[-1]:
            if isinstance(value, (dict, list)):
                path.append(key)
                if len(path) >= MAX_NESTING_DEPTH:
                    yield _too_deep((*path,))
                    path.pop()
                else:
                    above.append(
                        iter(value.items() if isinstance(value, dict) else enumerate(value))
                    )
                    break
        else:
            above.pop()
            del path[len(start) - 2 + len(above) :]


def _too_deep(path: RecordPath) -> Finding:
    return make_finding("too-deep", path, limit=MAX_NESTING_DEPTH, where="here")


def check_labels(record: Record) -> Findings:
    """If any card has a label, every known card that has a duplicate needs one."""
    cards = list(_cards_of(record))
    labelled = {card[1] for _, card in cards if len(card) > 2}
    if not labelled:
        return
    doubled = _doubled_suits(record, labelled)
    unlabelled: dict[RecordPath, list[tuple[RecordPath, str]]] = {}
    for path, card in cards:
        if len(card) == 2 and card[1] in doubled and not is_unknown(card):
            unlabelled.setdefault(path[:2], []).append((path, card))
    for places in unlabelled.values():
        path, card = places[0]
        yield make_finding(
            "mixed-labels",
            path,
            clause="several" if len(places) > 1 else "one",
            others=pluralize(len(places) - 1, "other"),
            expected=f"{card}.1 or {card}.2",
            found=card,
        )


def _doubled_suits(record: Record, labelled: set[str]) -> set[str]:
    """The suits of which the game's pack has several copies; the labelled ones if the game is unknown."""
    try:
        pack = registry.resolve_rules(record.rules).sheet.rules.pack
    except RulesError:
        return labelled
    return set("SHDC" if pack.packs > 1 else pack.doubled_suits)


def _cards_of(record: Record) -> Iterator[tuple[RecordPath, str]]:
    """Every card of a record with its path."""
    for number, deal in enumerate(record.deals):
        yield from _cards_in(msgspec.structs.asdict(deal), ("deals", number))
    for number, line in enumerate(record.lines or ()):
        yield from _cards_in(msgspec.structs.asdict(line), ("lines", number))


def _cards_in(members: dict[str, Any], path: RecordPath) -> Iterator[tuple[RecordPath, str]]:
    for name, value in members.items():
        if name in CARD_MEMBERS:
            yield from _cards_listed(value, (*path, name))
        elif isinstance(value, msgspec.Struct):
            yield from _cards_in(msgspec.structs.asdict(value), (*path, name))
        elif name in ("events", "tables"):
            yield from _cards_below(value, (*path, name))


def _cards_below(values: Any, path: RecordPath) -> Iterator[tuple[RecordPath, str]]:
    for index, value in enumerate(values or ()):
        if isinstance(value, list):
            yield from _cards_below(value, (*path, index))
        else:
            yield from _cards_in(msgspec.structs.asdict(value), (*path, index))


def _cards_listed(value: Any, path: RecordPath) -> Iterator[tuple[RecordPath, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _cards_listed(item, (*path, index))
