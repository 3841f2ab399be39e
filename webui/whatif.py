"""A line that a reader tries: how it stands in an address, the table after it, and what may come next."""

from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import replace

from records import codec
from records.check import check
from records.events import AnyEvent, CarteBlanche, Discard, Dix, Draw, Meld, Play
from records.frames import Match, replay
from records.record import Deal, Line, Record
from records.replay.legal import choices
from records.replay.openings import may_show
from records.replay.start import is_partial
from records.replay.table import DRAW, OVER, Table
from records.rules.registry import Resolved
from records.validate.finding import Finding
from records.words import say
from webui.steps import DealSteps, named_in, steps_of

MOST = 400
"""Events of a line in an address."""
FORMS = {
    "play": ("card",), "draw": ("card",), "discard": ("card",), "dix": ("action",),
    "meld": ("meld", "cards"), "carte_blanche": (),
}  # fmt: skip
"""The events of a line and what stands behind their seat: `play-0-QS`, `meld-1-marriage-KS-QS`."""


class Unlawful(ValueError):
    """A line that cannot be read or may not be played; the text says where and why."""


class Choice(msgspec.Struct):
    """Something lawful to go on with; `recorded` says that the record goes on so, or its stock does."""

    event: AnyEvent
    words: str
    cards: list[str]
    points: int = 0
    recorded: bool = False

    @property
    def is_card(self) -> bool:
        """Whether a card of the hand is all there is to it."""
        return isinstance(self.event, Play | Discard)


class Tried(msgspec.Struct):
    """The table after a line: `start` is the step it leaves the deal at, `number` the step it has come to.

    `unseen` are the faces from which the reader may choose the card that is drawn, empty where the record
    gives the order of the stock.
    """

    start: int
    line: list[AnyEvent]
    number: int
    deal: DealSteps
    choices: list[Choice]
    unseen: list[str]
    why_none: str


def read_line(text: str, players: int) -> list[AnyEvent]:
    """The events that an address names; raises Unlawful."""
    words = text.split("~") if text else []
    if len(words) > MOST:
        raise Unlawful(f"A line has {MOST} events at most.")
    return [_read_event(word, number, players) for number, word in enumerate(words, 1)]


def _read_event(text: str, number: int, players: int) -> AnyEvent:
    kind, _, rest = text.partition("-")
    seat, *given = rest.split("-")
    members = FORMS.get(kind)
    if members is None or not (seat.isascii() and seat.isdigit() and int(seat) < players):
        raise Unlawful(f"Event {number} of the line, “{text[:60]}”, is none that can be read.")
    values: list[object] = [*given[:1], given[1:]] if kind == "meld" else list(given)
    try:
        told = {"type": kind, "seat": int(seat), **dict(zip(members, values, strict=True))}
        event: AnyEvent = msgspec.convert(told, AnyEvent)
    except ValueError:  # a value that does not fit, or too many of them
        raise Unlawful(
            f"Event {number} of the line, “{text[:60]}”, is none that can be read."
        ) from None
    return event


def write_line(events: Sequence[AnyEvent]) -> str:
    """Events as they stand in an address."""
    return "~".join(map(_write_event, events))


def _write_event(event: AnyEvent) -> str:
    told = msgspec.to_builtins(event)
    parts = [told["type"], str(told["seat"])]
    for member in FORMS[told["type"]]:
        value = told[member]
        parts += value if isinstance(value, list) else [value]
    return "-".join(parts)


def tried(
    record: Record, resolved: Resolved, number: int, start: int, line: list[AnyEvent]
) -> Tried:
    """The deal with this index, gone on with by a line from a step on; raises Unlawful."""
    deal = record.deals[number]
    start = min(start, len(deal.events))
    branched = _branched(record, number, start, line)
    table = _table_after(branched, resolved, start)
    told = steps_of(branched, resolved, number)
    wrong = next((f for f in told.findings if _is_wrong(f, start)), None)
    if wrong is not None:
        place = (wrong.at.event or 0) - start + 1
        raise Unlawful(f"Event {place} of the line: {wrong.message}")
    at = start + len(line) + (table.step == OVER)
    named = sorted(
        {card for card, left in table.unseen.items() if left > 0} if _is_free(table, deal) else ()
    )
    told.cards |= named_in(named)
    found = list(_choices(table, deal, branched.deals[number].events))
    return Tried(start, line, at, told, found, named, "" if found else _why_none(table, deal))


def _branched(record: Record, number: int, start: int, line: list[AnyEvent]) -> Record:
    deal = record.deals[number]
    known = deal.knowledge or (None if is_partial(deal) else "full")
    events = [*deal.events[:start], *line]
    tried_deal = replace(deal, events=events, claims=None, knowledge=known)
    return replace(record, deals=[*record.deals[:number], tried_deal], result=None)


def _table_after(branched: Record, resolved: Resolved, start: int) -> Table:
    number = len(branched.deals) - 1
    *_, last = replay(branched, match=Match(branched, resolved))
    if last.index < start and last.event is not None:
        raise Unlawful(
            "The deal cannot be followed to this step, so that no line leads on from it."
        )
    assert last.deal == number
    return last.table


def _is_wrong(finding: Finding, start: int) -> bool:
    at = finding.at.event
    return at is not None and at >= start and finding.severity == "illegal"


def _choices(table: Table, deal: Deal, events: Sequence[AnyEvent]) -> Iterator[Choice]:
    """Everything that may be done, the melds first."""
    if table.step == OVER and table.window is None:
        return
    legal = choices(table)
    meld_seat = table.window if table.window is not None else table.seat
    coming = deal.events[len(events)] if _follows(deal, events) else None
    found: list[tuple[AnyEvent, int]] = [
        (CarteBlanche(seat=seat), 0) for seat in range(table.seats) if may_show(table, seat)
    ]
    for way in ("exchange", "show"):
        if way in legal.dix:
            found.append((Dix(seat=meld_seat, action=way), 0))
    for meld in legal.melds:
        found.append((Meld(seat=meld_seat, meld=meld.name, cards=meld.cards), meld.points))
    kind = Discard if table.tableau else Play
    found += [(kind(seat=table.seat, card=card), 0) for card in legal.plays]
    if legal.draws and _draws_written(deal):
        card = _next_card(table, deal, events)
        if card is not None:
            found.append((Draw(seat=table.seat, card=card), 0))
    for event, points in found:
        cards = list(getattr(event, "cards", None) or filter(None, [getattr(event, "card", None)]))
        same = coming is not None and _like(event) == _like(coming)
        yield Choice(event, say(event, table.names), cards, points, recorded=same)


def _follows(deal: Deal, events: Sequence[AnyEvent]) -> bool:
    return len(events) < len(deal.events) and list(events) == deal.events[: len(events)]


def _like(event: AnyEvent) -> dict[str, object]:
    """What makes two events the same choice: claims, times and the place of the card apart."""
    told = msgspec.to_builtins(event)
    kept = {name: told.get(name) for name in ("type", "seat", "card", "meld", "action")}
    return kept | {"cards": sorted(told.get("cards", []))}


def _draws_written(deal: Deal) -> bool:
    return any(isinstance(event, Draw) for event in deal.events)


def _is_free(table: Table, deal: Deal) -> bool:
    """Whether the reader may name the card that is drawn: where the record does not fix the stock."""
    return table.step == DRAW and table.down > 0 and table.order is None and _draws_written(deal)


def _next_card(table: Table, deal: Deal, events: Sequence[AnyEvent]) -> str | None:
    """The card that comes next as the record has the stock; None where it is not known, or gone."""
    if table.down == 0:
        return table.turn_up
    if table.order is not None:
        return table.order[-table.down] if table.down <= len(table.order) else None
    drawn = [event.card for event in deal.events if isinstance(event, Draw)]
    so_far = sum(isinstance(event, Draw) for event in events)
    card = drawn[so_far] if so_far < len(drawn) else None
    return card if card is None or "?" in card or table.unseen.get(card, 0) > 0 else None


def _why_none(table: Table, deal: Deal) -> str:
    if table.step == OVER:
        return "The deal is over."
    if table.step == DRAW and not _draws_written(deal):
        return "The record does not say what was drawn, so that the line ends here."
    if table.step == DRAW:
        return "The record does not say what comes next from the stock."
    return "The cards of the player to act are not known, so that nothing can be offered."


def with_line(record: Record, line: Line) -> bytes:
    """The record with one more line, checked as a whole; raises Unlawful with what is wrong."""
    lines = [*(record.lines or []), line]
    data = codec.encode(replace(record, lines=lines))
    pointer = f"/lines/{len(lines) - 1}"
    for finding in check(data).findings:
        if finding.severity == "unreadable" or finding.at.pointer.startswith(pointer):
            raise Unlawful(f"{finding.message} ({finding.at.pointer})")
    return data
