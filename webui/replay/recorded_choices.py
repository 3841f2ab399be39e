"""What may be recorded next in a deal, whatever is known of its hands."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import product

import msgspec
from msgspec.structs import replace

from records.cards import SUITS, is_unknown
from records.engine.choices import legal_dixes
from records.engine.deal import lay_out_deal
from records.engine.hidden_cards import full_hand_size
from records.engine.table import Table, TableStep
from records.engine.zetema import combination_points
from records.event_words import describe_event
from records.events import (
    AnyEvent,
    CarteBlanche,
    Declare,
    Discard,
    Dix,
    Draw,
    Event,
    Meld,
    Play,
    Trick,
)
from records.phrases import join_words
from records.record import Deal
from records.rules.compiled import meld_requirements
from records.rules.vocabulary import MeldRule, ShapedCards
from records.validate.dispatch import checking_stepper
from records.validate.opening import TurnStepper
from webui.display.words import meld_words
from webui.replay.next_events import (
    is_all_done,
    legal_cards,
    legal_declarations,
    seat_to_meld,
    unseen_faces,
)
from webui.replay.what_if import cards_of_event

UNSEEN = "??"


class RecordedChoice(msgspec.Struct):
    """What may be recorded next: its events, in order, in words, with the card or cards and the points of a meld.

    It is a `play`, a `draw`, or something `shown`. Where one seat draws an unseen card before another, both are one choice.
    Melds of one `group` have the same name and differ in their cards; it is empty for everything else. Of a meld that may have
    too many cards to list, `size` says how many are to be named, and its event has none yet. Of one that is `unchecked` nobody has
    asked yet whether its cards may score once more: the validator's report on the record with it tells.
    """

    kind: str
    seat: int
    events: list[AnyEvent]
    words: str
    cards: list[str]
    points: int = 0
    group: str = ""
    size: int = 0
    unchecked: bool = False


# Every choice. Where a hand is known, the engine lists what is legal. Of other hands every card and every meld is held
# against the checks of the validator, on a copy of the table.


def recorded_choices(
    table: Table, deal: Deal, can_be: Callable[[Deal], bool]
) -> list[RecordedChoice]:
    """Everything that may be recorded next at the end of a deal, each once.

    `can_be` says whether a deal can have been played by the rules, whatever it leaves out.
    """
    found: dict[tuple[str, bytes], RecordedChoice] = {}
    for each in possible_tables(table, deal):
        for choice in _choices_at(each, deal):
            found.setdefault((choice.kind, _sorted(choice.events)), choice)
    again = [each for each in found.values() if may_be_spent(table, deal, each.events[-1])]
    if not again or not can_be(deal):  # after a breach nothing can be, and all is offered
        return list(found.values())
    for choice in again[MOST_MELDS_SEARCHED:]:
        choice.unchecked = True
    barred = [
        choice for choice in again[:MOST_MELDS_SEARCHED] if not can_be(_with(deal, choice.events))
    ]
    return [choice for choice in found.values() if choice not in barred]


MOST_MELDS_SEARCHED = 4
"""Of so many melds at one place the search is asked: with six packs each costs up to two thirds of a second, and is rarely barred."""


# Of a hand that is not known, the check of one meld alone cannot tell that its cards have scored already: another copy may
# have been held, or a card have left the meld. Whether any way to fill in the deal allows it, the search tells.


def may_be_spent(table: Table, deal: Deal, event: AnyEvent) -> bool:
    """Whether it is a meld of cards that its seat has melded before, without enough other copies to be sure that it may score."""
    if not isinstance(event, Meld) or table.rules.has_tableau or not table.unknown_held(event.seat):
        return False
    shown = defaultdict[str, Counter[str]](Counter)
    for earlier in deal.events:
        if isinstance(earlier, Meld) and earlier.seat == event.seat:
            shown[earlier.meld].update(earlier.cards)
    return any(
        0 < cards[card] > table.rules.copies[card] - number
        for cards in shown.values()
        for card, number in Counter(event.cards).items()
    )


def _with(deal: Deal, events: Sequence[AnyEvent]) -> Deal:
    return replace(deal, events=[*deal.events, *events])


def _sorted(events: Sequence[AnyEvent]) -> bytes:
    """Events as they are compared: the order of the cards of a meld says nothing."""
    return msgspec.json.encode(
        [
            replace(event, cards=sorted(event.cards))
            if isinstance(event, Meld | Declare)
            else event
            for event in events
        ]
    )


def _choices_at(table: Table, deal: Deal) -> Iterator[RecordedChoice]:
    for taker in _takers(table, deal):
        yield _choice(table, "shown", [taker])
    for shown, points in _shown(table, deal):
        yield _choice(table, "shown", [shown], points)
    for meld, points, size in _open_shapes(table, deal):
        choice = _choice(table, "shown", [meld], points)
        choice.size = size
        yield choice
    if table.step is TableStep.DRAW and deal.knowledge not in ("public", "plays"):
        yield from _draws(table, deal)
        return
    for event in _cards(table, deal):
        yield _choice(table, "play", [event])


def _takers(table: Table, deal: Deal) -> Iterator[Trick]:
    """Who may have taken the trick just completed, where a card that nobody saw leaves it open."""
    if table.trick.winner_open and not table.trick.winner_claimed:
        for seat in range(table.seats):
            event = Trick(winner=seat)
            if is_lawful(table, deal, event):
                yield event


def _choice(table: Table, kind: str, events: list[AnyEvent], points: int = 0) -> RecordedChoice:
    event = events[-1]
    words = join_words([describe_event(each, table.names).rstrip(".") for each in events]) + "."
    seat = event.winner if isinstance(event, Trick) else event.seat
    return RecordedChoice(kind, seat, events, words, cards_of_event(event), points, _group(event))


def _group(event: AnyEvent) -> str:
    if isinstance(event, Declare):
        return f"{meld_words(event.meld)}, scored later"
    return meld_words(event.meld) if isinstance(event, Meld) else ""


def _shown(table: Table, deal: Deal) -> Iterator[tuple[AnyEvent, int]]:
    """What may be shown: by a hand that is known, and by one that may hold the cards."""
    if is_all_done(table):
        return
    yield from legal_declarations(table)
    seat = seat_to_meld(table)
    if not table.unknown_held(seat) and not table.rules.melds_captured:
        return
    for event, points in _possible_declarations(table, seat):
        if is_lawful(table, deal, event):
            yield event, points


def _possible_declarations(table: Table, seat: int) -> Iterator[tuple[AnyEvent, int]]:
    rules = table.rules.written
    for other in range(table.seats):
        if rules.carte_blanche is not None and table.unknown_held(other):
            yield CarteBlanche(seat=other), 0
    if rules.dix is not None and not legal_dixes(table):
        yield Dix(seat=seat, action="exchange"), 0
        yield Dix(seat=seat, action="show"), 0
    for needed, row in meld_requirements(table.rules.sheet, table.trump):
        if all(_may_have(table, seat, card, number) for card, number in needed):
            cards = [card for card, number in needed for _ in range(number)]
            yield Meld(seat=seat, meld=row.name, cards=cards), row.points
    marriages = next((row for row in rules.melds if row.name == "marriages"), None)
    if table.rules.has_tableau and marriages is not None:
        yield from _possible_marriages(table, seat, marriages)


def _possible_marriages(table: Table, seat: int, row: MeldRule) -> Iterator[tuple[AnyEvent, int]]:
    """Marriages that may be shown together: up to two of every suit, with cards of the tableau."""
    for numbers in product(range(3), repeat=len(SUITS)):
        pairs = dict(zip(SUITS, numbers, strict=True))
        fits = [
            _may_have(table, seat, rank + suit, number)
            for suit, number in pairs.items()
            for rank in "KQ"
            if number
        ]
        if fits and all(fits):
            cards = [
                rank + suit
                for suit, number in pairs.items()
                for rank in "KQ"
                for _ in range(number)
            ]
            event = Meld(seat=seat, meld=row.name, cards=cards)
            yield event, combination_points(table, row, cards)


def _open_shapes(table: Table, deal: Deal) -> Iterator[tuple[Meld, int, int]]:
    """The runs and flushes that a hand may have of which not every card is known: without cards, with points and size."""
    seat = table.seat
    if table.step is TableStep.OVER or not table.unknown_held(seat):
        return
    for row in table.rules.written.melds:
        if not isinstance(row.cards, ShapedCards):
            continue
        size = min(row.cards.size, full_hand_size(table))
        for cards in _hands_of(table, row.cards, size):
            if is_lawful(table, deal, Meld(seat=seat, meld=row.name, cards=cards)):
                yield Meld(seat=seat, meld=row.name, cards=[]), row.points, size
                break


def _hands_of(table: Table, shape: ShapedCards, size: int) -> Iterator[list[str]]:
    """Cards of a shape that the seat to act may hold, with those that it is known to hold: a hand of every suit and run."""
    held, ranks = table.held[table.seat], table.rules.written.pack.row or ()
    faces = [rank + suit for rank in ranks for suit in SUITS]
    faces = [face for face in faces if held.get(face) or _unknown_copies(table, table.seat, face)]
    faces.sort(key=lambda face: not held.get(face))
    if not shape.in_a_row:
        for suit in SUITS:
            own = [face for face in faces if face[1] == suit]
            yield [*own[: size - 1], *own[-1:]]
        return
    for first in range(len(ranks) - size + 1):
        window = ranks[first : first + size]
        for suit in SUITS:
            # A run of several suits ends in this one.
            fitting = [
                face
                for face in faces
                if face[1] == suit or (not shape.one_suit and face[0] != window[-1])
            ]
            of_rank = {face[0]: face for face in reversed(fitting)}
            if all(rank in of_rank for rank in window):
                yield [of_rank[rank] for rank in window]


def _may_have(table: Table, seat: int, card: str, number: int) -> bool:
    lying = sum(pile.count(card) for pile in table.tableau.piles.values())
    own = table.melding.cards[seat].get(card, 0)
    return own + lying + _unknown_copies(table, seat, card) >= number


def _unknown_copies(table: Table, seat: int, card: str) -> int:
    """The copies of a card that a seat may have unknown: unseen ones, and such as it may have played when nobody saw it."""
    return max(0, table.unseen.get(card, 0)) + table.hidden.doubtful.get((seat, card), 0)


def _cards(table: Table, deal: Deal) -> Iterator[Play | Discard]:
    if table.step is TableStep.OVER:
        return
    hides_cards = table.unknown_held(table.seat) or table.step is TableStep.DRAW
    if not hides_cards and not (table.trick.led and is_unknown(table.trick.led)):
        yield from legal_cards(table)
        return
    kind = Discard if table.rules.has_tableau else Play
    faces = [
        card
        for card in table.rules.copies
        if table.held[table.seat].get(card) or _unknown_copies(table, table.seat, card)
    ]
    events = [
        kind(seat=table.seat, card=card)
        for card in [*sorted(faces), *([UNSEEN] if hides_cards else [])]
    ]
    found = [event for event in events if is_lawful(table, deal, event)]
    if len(found) == 2 and found[1].card == UNSEEN:
        found.pop()  # it can only be the one
    yield from found


def _draws(table: Table, deal: Deal) -> Iterator[RecordedChoice]:
    """The next draw, with every card that it can be; draws that nobody saw come along with one that somebody did."""
    unseen, turn_up_last = list[AnyEvent](), table.stock.left
    for seat in table.draws_due:
        if not turn_up_last:
            drawn: list[AnyEvent] = [Draw(seat=seat, card=table.stock.turn_up or UNSEEN)]
            yield _choice(table, "draw", [*unseen, *drawn])
            return
        if deal.knowledge != "seat" or seat == deal.seat:
            break
        unseen.append(Draw(seat=seat, card=UNSEEN))
        turn_up_last -= 1
    else:
        yield _choice(table, "draw", unseen)
        return
    for card in [*unseen_faces(table), UNSEEN]:
        yield _choice(table, "draw", [*unseen, Draw(seat=seat, card=card)])


def is_lawful(table: Table, deal: Deal, event: AnyEvent) -> bool:
    """Whether the checks of the validator find nothing wrong with an event at the end of a deal."""
    tried = table.copy()
    tried.index = len(deal.events) - 1
    tried.events = [*deal.events, event]
    return not checking_stepper(tried).advance(event)


# Zetema: where marriages can have happened in several ways, the engine foresees the one that fits what follows. At the end of
# an unfinished deal nothing follows yet, so that whatever is legal in any of the ways may come next.

MOST_TABLES = 8
"""So many ways of all marriages together are followed."""


def possible_tables(table: Table, deal: Deal) -> list[Table]:
    """The table at the end of a deal, and those after other ways of its marriages that nothing contradicts; at most eight."""
    if not any(isinstance(event, Meld) and event.meld == "marriages" for event in deal.events):
        return [table]
    start = lay_out_deal(table.rules, deal, table.names)
    start.points_to_win = table.points_to_win
    tables = [start]
    for event in table.events[: table.index + 1]:
        tables = [after for each in tables for after in _tables_after(each, event)][:MOST_TABLES]
    return [table, *tables]


def _tables_after(table: Table, event: Event) -> Iterator[Table]:
    """The tables after the next event, in each of its ways; none if it is unlawful in all."""
    stepper = checking_stepper(table)
    ways = stepper.ways_of_next(event) if isinstance(stepper, TurnStepper) else []
    for way in ways[1:]:
        tried = table.copy()
        tried.tableau.ways[tried.index + 1] = way
        if not checking_stepper(tried).advance(event):
            yield tried
    if ways:
        table.tableau.ways[table.index + 1] = ways[0]
    if not stepper.advance(event):
        yield table
