"""What if: a line that a reader tries, the table after it, and every legal choice."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, takewhile
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from analyzer.play.greedy import make_choice, next_choice
from analyzer.play.setting_up import ImpossiblePack, fast_deal_at
from analyzer.review.exact_values import NoTableValues, TableValues, value_table
from analyzer.review.luck import event_of
from analyzer.solver.moves import Move, ValuedMove
from records.cards import is_unknown
from records.engine.deal import are_draws_written, is_partial
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table, TableStep
from records.event_words import describe_event
from records.events import (
    AnyEvent,
    Cut,
    Declare,
    Discard,
    Dix,
    Draw,
    Irregular,
    Meld,
    Play,
    Score,
    Trick,
)
from records.format import codec
from records.record import Deal, Line, Record
from records.replay import Match
from records.rules.registry import ResolvedSheet, resolve_rules
from records.validate.finding import Finding
from records.validator import check
from webui.display.words import place_words
from webui.replay.next_events import is_all_done, most_cut, next_events, unseen_faces
from webui.replay.steps import DealSteps, card_labels, points_before, read_deal

# A line as text in an address: `play-0-QS~draw-0-7H~meld-1-marriage-KS-QS`.

MOST_LINE_EVENTS = 600
"""The most events of a line in an address: no deal of the rule sheets has so many choices."""
EVENT_MEMBERS = {
    "play": ("card",), "draw": ("card",), "discard": ("card",), "dix": ("action",), "cut": ("packet",),
    "meld": ("meld", "cards"), "declare": ("meld", "cards"), "carte_blanche": (),
}  # fmt: skip
"""The events that an address can hold, and the members written after their seat."""
OPTIONAL_EVENT_MEMBERS = {"play": "from", "dix": "card", "cut": "guess"}
"""The member that may follow those."""
FROM_TABLEAU_WORD = "on"
"""Stands before the cards that a meld takes from the tableau: `meld-0-marriages-KS-QS-on-QS`."""


class UnlawfulLine(ValueError):
    """A line that cannot be read or is not legal; the text says where and why."""


def read_line(text: str, players: int) -> list[AnyEvent]:
    """The events of a line in an address; raises UnlawfulLine."""
    words = text.split("~") if text else []
    if len(words) > MOST_LINE_EVENTS:
        raise UnlawfulLine(f"A line has at most {MOST_LINE_EVENTS} events.")
    return [_read_event(word, number, players) for number, word in enumerate(words, 1)]


def _read_event(text: str, number: int, players: int) -> AnyEvent:
    kind, _, rest = text.partition("-")
    seat, *given = rest.split("-")
    try:
        if not (seat.isascii() and seat.isdigit() and int(seat) < players):
            raise ValueError(seat)
        members = {"type": kind, "seat": int(seat), **_members(kind, given)}
        event: AnyEvent = msgspec.convert(members, AnyEvent, strict=False)
    except (LookupError, ValueError):
        message = f"Event {number} of the line, “{text[:60]}”, cannot be read."
        raise UnlawfulLine(message) from None
    return event


def _members(kind: str, given: list[str]) -> dict[str, object]:
    members: tuple[str, ...] = EVENT_MEMBERS[kind]
    if "cards" in members:
        words, from_tableau = given, []
        if FROM_TABLEAU_WORD in given:
            position = given.index(FROM_TABLEAU_WORD)
            words, from_tableau = given[:position], given[position + 1 :]
        return {
            "meld": words[0],
            "cards": words[1:],
            **({"from_tableau": from_tableau} if from_tableau else {}),
        }
    if kind in OPTIONAL_EVENT_MEMBERS and len(given) > len(members):
        members += (OPTIONAL_EVENT_MEMBERS[kind],)
    return dict(zip(members, given, strict=True))


def write_line(events: Sequence[AnyEvent]) -> str:
    """Events as text for an address."""
    return "~".join(map(_write_event, events))


def _write_event(event: AnyEvent) -> str:
    members = msgspec.to_builtins(event)
    parts = [members["type"], str(members["seat"])]
    for member in EVENT_MEMBERS[members["type"]]:
        value = members[member]
        parts += value if isinstance(value, list) else [str(value)]
    if members.get("from_tableau"):
        parts += [FROM_TABLEAU_WORD, *members["from_tableau"]]
    optional = members.get(OPTIONAL_EVENT_MEMBERS.get(members["type"], ""))
    return "-".join(parts if optional is None else [*parts, str(optional)])


def cards_of_event(event: AnyEvent) -> list[str]:
    """The cards that an event names; none if it is of no card."""
    return list(getattr(event, "cards", None) or filter(None, [getattr(event, "card", None)]))


def is_claim(event: AnyEvent) -> bool:
    """Whether an event only claims what follows from the rules: who took a trick, what was scored."""
    return isinstance(event, Score | Trick) or (isinstance(event, Dix) and event.action == "play")


def events_for_url(events: Sequence[AnyEvent]) -> tuple[list[AnyEvent], int]:
    """As much of a line as an address can hold, and the number of events that is.

    Claims are left out. An irregularity ends it: an address cannot hold one.
    """
    writable: list[AnyEvent] = []
    for number, event in enumerate(events):
        if is_claim(event):
            continue
        if isinstance(event, Irregular) or len(writable) == MOST_LINE_EVENTS:
            return writable, number
        writable.append(event)
    return writable, len(events)


# How a tried line goes on if simple players play it to the end of the deal.

NextCard = Callable[[Sequence[AnyEvent]], str | None]
"""Gives the card that is drawn after some events of the continuation; None where the record does not say."""


def can_be_played_out(table: Table) -> bool:
    """Whether the simple players can play on: they know no game without tricks, and no hand that is not known."""
    if table.rules.has_tableau or table.step is TableStep.OVER or table.seats != 2:
        return False
    return not any(table.unknown_held(seat) for seat in range(table.seats))


def play_out_line(table: Table, next_card: NextCard, room: int) -> list[AnyEvent]:
    """The events of both players to the end of the deal, at most `room`.

    The line ends before it where the record does not tell the next card, or deals a player too few of them; there is none
    if the cards are not of one pack.
    Cards that the record leaves to be drawn unwritten are drawn, and no event says so.
    """
    known = _known_stock(table, next_card)
    others = Counter(table.unseen) - Counter(known)
    stock = [*known, *others.elements()][: table.stock.left]
    try:
        deal = fast_deal_at(table, stock)
    except ImpossiblePack:
        return []
    line: list[AnyEvent] = []
    while len(line) < room and (not deal.over or deal.window is not None):
        choice = next_choice(deal)
        if choice.what == "draw" and len(stock) - len(deal.stock) >= len(known) and deal.stock:
            break  # nobody knows the next card
        if choice.what == "play" and not choice.cards:
            break  # the record deals this hand no card, or too few
        event = event_of(table, deal, choice)
        make_choice(deal, choice)
        if event is not None and not (isinstance(event, Draw) and table.knowledge.omits_draws):
            line.append(event)
    return line


def _is_known(card: str) -> bool:
    """Whether rank and suit of a card are written."""
    return not is_unknown(card)


def _known_stock(table: Table, next_card: NextCard) -> list[str]:
    """The cards that lie face down, as far as the record tells them, the next one first."""
    left, order = table.stock.left, table.stock.order
    if order is not None:
        return [*takewhile(_is_known, order[len(order) - left :])] if left else []
    cards: list[str] = []
    drawn: list[AnyEvent] = []
    while len(cards) < left:
        card = next_card(drawn)
        if card is None or not _is_known(card):
            break
        cards.append(card)
        drawn.append(Draw(seat=0, card=card))
    return cards


MOST_POSITIONS_SEARCHED = 1_500
"""How many positions are searched for the values of a table after the close while its page is made: a move is shown in a
moment."""
MOST_POSITIONS_ON_REQUEST = 40_000
"""How many are searched if a reader asks for them: that takes some seconds."""


class Continuation(msgspec.Struct):
    """A legal continuation; `recorded` says that the record continues with it.

    `worth` are the points still to come for its seat minus the other's with best play, where both hands are known and
    no card can be drawn any more; `best` says that no other is worth more.
    """

    event: AnyEvent
    words: str
    cards: list[str]
    points: int = 0
    recorded: bool = False
    worth: int | None = None
    best: bool = False

    @property
    def is_card(self) -> bool:
        """Whether it only plays or discards a card."""
        return isinstance(self.event, Play | Discard)

    @property
    def is_shown(self) -> bool:
        """Whether a meld is shown, to be scored later."""
        return isinstance(self.event, Declare)

    @property
    def place(self) -> str:
        """Where a card lies that may be played from two places."""
        return getattr(self.event, "source", None) or ""


class MatchAfterLine(msgspec.Struct):
    """The match after a line that ends its deal: the points of its sides, and whether it is over.

    Then `winner` is the side that won it, None for a draw, and `settlement` what each side receives, if it is settled.
    """

    scores: list[int]
    is_over: bool
    winner: int | None
    settlement: list[int] | None


class TriedLine(msgspec.Struct):
    """The table after a line, which leaves the deal at the step `start` and has come to the step `number`.

    `unseen` are the faces from which the reader may choose the card that is drawn, empty where the record
    gives the order of the stock. `cut` is the most cards that the dealer may cut, where that comes next. `best_line`
    is how both play best from here to the end, where that is known. Where no choice has a value, `why_no_values` says
    why, and `searches_further` that more positions might bring them. Where simple players know how to play on, the line
    `can_be_played_out`. Where the line ends the deal, `match` is how the match stands, unless the record leaves that open.
    """

    start: int
    line: list[AnyEvent]
    number: int
    deal: DealSteps
    choices: list[Continuation]
    unseen: list[str]
    cut: int | None
    why_none: str
    best_line: list[AnyEvent]
    why_no_values: str
    searches_further: bool
    can_be_played_out: bool
    match: MatchAfterLine | None


def try_line(
    record: Record,
    resolved: ResolvedSheet,
    number: int,
    start: int,
    line: list[AnyEvent],
    before: Sequence[int | None] | None = None,
    positions: int = MOST_POSITIONS_SEARCHED,
) -> TriedLine:
    """The deal with this index, continued by a line from a step on; raises UnlawfulLine.

    `before` are the points of the game that every seat had before the deal; without them the deals before it
    are replayed. At most so many `positions` are searched for the values of the choices.
    """
    deal = record.deals[number]
    start = min(start, len(deal.events))
    deal_steps, table, events, match = _read_branch(record, resolved, number, start, line, before)
    # A finished deal has one step more, its settlement: show that one, not the last card of the line.
    at = start + len(line) + (table.step is TableStep.OVER)
    unseen = unseen_faces(table) if _may_name_card(table, deal) else []
    deal_steps.cards |= card_labels(unseen)
    recorded = _next_recorded_choice(deal.events[start:], line)
    choices = list(_choices(table, deal, events, recorded))
    values = value_table(table, positions)
    if isinstance(values, TableValues):
        _add_worth(choices, values.moves)
    return TriedLine(
        start=start,
        line=line,
        number=at,
        deal=deal_steps,
        choices=choices,
        unseen=unseen,
        cut=most_cut(table, deal, events),
        why_none="" if choices else _why_none(table, deal),
        best_line=_playable_line(values.line) if isinstance(values, TableValues) else [],
        why_no_values="" if isinstance(values, TableValues) or not choices else values.says,
        searches_further=isinstance(values, NoTableValues) and values.is_too_long,
        can_be_played_out=bool(choices) and can_be_played_out(table),
        match=_match_after(match, table),
    )


def read_line_steps(
    record: Record, resolved: ResolvedSheet, number: int, start: int, line: Sequence[AnyEvent]
) -> tuple[DealSteps, list[AnyEvent]]:
    """The deal with this index as steps, with a line in place of what was played from a step on, and the line without claims.

    Raises UnlawfulLine.
    """
    choices, _ = events_for_url(line)
    branch = _read_branch(record, resolved, number, start, choices, None)
    return branch.steps, choices


def _match_after(match: Match, table: Table) -> MatchAfterLine | None:
    """How a match stands to which the deal of a table was added; None as long as the deal goes on."""
    if table.step is not TableStep.OVER or table.misdealt or match.scores is None:
        return None
    return MatchAfterLine(match.scores, match.complete, match.winner, match.settlement)


def search_line(record: Record, number: int, start: int, line: list[AnyEvent]) -> TriedLine:
    """The same as `try_line`, with a search that takes some seconds; there is none that goes further."""
    resolved = resolve_rules(record.rules)
    tried = try_line(record, resolved, number, start, line, positions=MOST_POSITIONS_ON_REQUEST)
    return replace(tried, searches_further=False)


def finish_line(
    record: Record, resolved: ResolvedSheet, number: int, start: int, line: list[AnyEvent]
) -> list[AnyEvent]:
    """A line that simple players play on to the end of the deal, as far as the record tells the draws.

    It is the line itself where they cannot play on. Raises UnlawfulLine.
    """
    deal = record.deals[number]
    start = min(start, len(deal.events))
    nobody = [0] * len(record.players)
    _, table, events, _ = _read_branch(record, resolved, number, start, line, nobody)
    if not can_be_played_out(table):
        return line

    def next_card(played: Sequence[AnyEvent]) -> str | None:
        return _next_card(table, deal, [*events, *played])

    return [*line, *play_out_line(table, next_card, MOST_LINE_EVENTS - len(line))]


class _Branch(NamedTuple):
    """A deal with a line: its steps, the table after it, the events that lead there, and the match with that deal."""

    steps: DealSteps
    table: Table
    events: list[AnyEvent]
    match: Match


def _read_branch(
    record: Record,
    resolved: ResolvedSheet,
    number: int,
    start: int,
    line: list[AnyEvent],
    before: Sequence[int | None] | None,
) -> _Branch:
    """The deal with the line in place of what was played from the step on; raises UnlawfulLine."""
    deal = record.deals[number]
    branched = _branched(record, deal, start, line)
    match = Match(branched, resolved)
    before = before or points_before(record, resolved, number)
    scores = [before[side[0]] for side in match.sides]
    known = [points for points in scores if points is not None]
    match.scores = match.tally = known if len(known) == len(scores) else None
    deal_steps, table = read_deal(branched, match, 0, writes_draws=are_draws_written(deal))
    deal_steps.deal, deal_steps.deals = number, len(record.deals)
    _refuse(deal_steps, start)
    return _Branch(deal_steps, table, branched.deals[0].events, match)


def _add_worth(choices: list[Continuation], moves: list[ValuedMove]) -> None:
    """Tell what each choice is worth; of like sets of cards that make a meld, the one of most value is known."""
    worth = {
        _choice_key(_event_of(move.ply)): move.value for move in moves if not move.ply.is_nothing
    }
    most = max((move.value for move in moves), default=0)
    for choice in choices:
        choice.worth = worth.get(_choice_key(choice.event))
        choice.best = choice.worth == most


def _playable_line(line: list[Move]) -> list[AnyEvent]:
    """A line of the solver as events; none where it leaves open which of like cards a meld takes."""
    if any(move.meld is not None and not move.cards for move in line):
        return []
    return list(map(_event_of, line))


def _event_of(move: Move) -> AnyEvent:
    if move.card is not None:
        return Play(seat=move.seat, card=move.card)
    if move.meld is not None:
        return Meld(seat=move.seat, meld=move.meld, cards=list(move.cards))
    return Dix(seat=move.seat, action="show")


def _choice_key(event: AnyEvent) -> tuple[object, ...]:
    """What tells one choice from another for its value: the place that a card is played from does not."""
    match event:
        case Play(card=card):
            return "play", card
        case Meld(meld=name, cards=cards):
            return "meld", name, *sorted(cards)
        case Dix(action=action):
            return "dix", action
        case _:
            return type(event).__name__, id(event)


def _branched(record: Record, deal: Deal, start: int, line: list[AnyEvent]) -> Record:
    """A record of the one deal, with the line in place of what was played from the step on."""
    # Whether a deal is partial may depend on its draws, which the line may leave out: decide it by the whole deal.
    known = deal.knowledge or (None if is_partial(deal) else "full")
    events = [*deal.events[:start], *line]
    changed = replace(deal, events=events, claims=None, knowledge=known)
    return replace(record, deals=[changed], result=None, notes=None, lines=None)


def _refuse(deal_steps: DealSteps, start: int) -> None:
    """Raise UnlawfulLine if the deal does not come to the step, or the line breaks a rule."""
    stopped = deal_steps.steps[-1].event
    if stopped is not None and stopped < start:
        raise UnlawfulLine(
            "The replay of this deal ends before this step, so no line can start here."
        )
    wrong = next((f for f in deal_steps.findings if _is_wrong(f, start)), None)
    if wrong is not None:
        place = (wrong.at.event or 0) - start + 1
        raise UnlawfulLine(f"Event {place} of the line: {wrong.message}")


def _is_wrong(finding: Finding, start: int) -> bool:
    at = finding.at.event
    return at is not None and at >= start and finding.severity == "illegal"


def _choices(
    table: Table, deal: Deal, events: Sequence[AnyEvent], recorded: AnyEvent | None
) -> Iterator[Continuation]:
    """Every legal choice, the melds first, behind the cut that the record makes."""
    if is_all_done(table):
        return
    cut = [(replace(recorded, ms=None, ext=None), 0)] if isinstance(recorded, Cut) else []
    card = _next_card(table, deal, events) if are_draws_written(deal) else None
    drawn = unchecked_stepper(table).table_after_draws()
    for event, points in chain(cut, next_events(table, card=card, drawn=drawn)):
        cards = cards_of_event(event)
        same = recorded is not None and _is_same_choice(event, recorded)
        yield Continuation(event, describe_event(event, table.names), cards, points, recorded=same)


def _next_recorded_choice(rest: Sequence[AnyEvent], line: Sequence[AnyEvent]) -> AnyEvent | None:
    """The next choice that the record made, if the line has made the same choices as the `rest` of the deal."""
    choices = [event for event in rest if not is_claim(event)]
    follows = len(line) < len(choices) and all(map(_is_same_choice, line, choices))
    return choices[len(line)] if follows else None


def _is_same_choice(event: AnyEvent, other: AnyEvent) -> bool:
    """Whether two events are the same choice, whatever they claim; a place counts only if both name one."""
    one, two = _choice_members(event), _choice_members(other)
    if one["from"] is None or two["from"] is None:
        one["from"] = two["from"]
    return one == two


def _choice_members(event: AnyEvent) -> dict[str, object]:
    members = msgspec.to_builtins(event)
    names = ("type", "seat", "card", "meld", "action", "from", "packet", "guess")
    return {name: members.get(name) for name in names} | {"cards": sorted(members.get("cards", []))}


def _may_name_card(table: Table, deal: Deal) -> bool:
    """Whether the reader may name the card that is drawn: where the record does not fix the stock."""
    fixed = table.stock.order is not None or not table.stock.left
    return table.step is TableStep.DRAW and not fixed and are_draws_written(deal)


def _next_card(table: Table, deal: Deal, events: Sequence[AnyEvent]) -> str | None:
    """The card drawn next, by the record's stock or its draws; None where it is not known, or gone."""
    if table.stock.order is not None or not table.stock.left:
        return table.stock.next_card()
    drawn = [event.card for event in deal.events if isinstance(event, Draw)]
    count = sum(isinstance(event, Draw) for event in events)
    card = drawn[count] if count < len(drawn) else None
    return card if card is None or "?" in card or table.unseen.get(card, 0) > 0 else None


def _why_none(table: Table, deal: Deal) -> str:
    if table.is_over:
        return "The deal is over."
    if table.step is TableStep.DRAW and not are_draws_written(deal):
        return "The record does not show what was drawn, so the line ends here."
    if table.step is TableStep.DRAW:
        return "The record does not show the next card of the stock."
    return "The cards of the player to act are unknown, so nothing can be offered."


def add_line(record: Record, line: Line) -> bytes:
    """The record with one more line, checked as a whole; raises UnlawfulLine with what is wrong."""
    lines = [*(record.lines or []), line]
    data = codec.encode(replace(record, lines=lines))
    pointer = f"/lines/{len(lines) - 1}"
    for finding in check(data).findings:
        if finding.severity == "unreadable" or finding.at.pointer.startswith(pointer):
            raise UnlawfulLine(f"{finding.message} ({place_words(finding.at)})")
    return data
