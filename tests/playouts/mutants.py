"""Ways to damage a record: each changes one thing, as a program's error or a pen's slip would.

A kind takes a record and a source of chance and gives the damaged record with the place of the
change, or None where it does not apply. Whether a mutant is wrong is for the referees to say.
"""

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace

from records.cards import FACE_OF
from records.events import (
    MELD_NAMES,
    SCORE_NAMES,
    CarteBlanche,
    Cut,
    Declare,
    Discard,
    Dix,
    Draw,
    Meld,
    Play,
    Score,
    Trick,
)
from records.record import Claims, Deal, Record
from records.rules.registry import get_sheet
from tests.playouts.games import values


class Mutant(NamedTuple):
    """A damaged record, and where: the deal, and the event or None for the deal itself or the game."""

    record: Record
    deal: int | None
    event: int | None


Kind = Callable[[Record, Random], Mutant | None]
KINDS: dict[str, Kind] = {}
"""Every kind of damage by its name."""


def kind(function: Kind) -> Kind:
    KINDS[function.__name__.replace("_", " ")] = function
    return function


def _with_deal(record: Record, number: int, deal: Deal) -> Record:
    deals = list(record.deals)
    deals[number] = deal
    return replace(record, deals=deals)


def _with_events(record: Record, number: int, at: int, remove: int, *new: Any) -> Mutant:
    """Events of a deal from `at` on taken out, and others put in their place."""
    events = list(record.deals[number].events)
    events[at : at + remove] = new
    deal = replace(record.deals[number], events=events)
    return Mutant(_with_deal(record, number, deal), number, at)


def _pick(record: Record, random: Random, *types: type) -> tuple[int, int, Any] | None:
    """An event of one of the types, at random."""
    number = random.randrange(len(record.deals))
    events = record.deals[number].events
    found = [i for i, event in enumerate(events) if not types or type(event) in types]
    if not found:
        return None
    at = random.choice(found)
    return number, at, events[at]


def _changed(
    record: Record, random: Random, change: Callable[[Any], dict[str, Any] | None], *types: type
) -> Mutant | None:
    """One event with some of its members changed."""
    picked = _pick(record, random, *types)
    if picked is None:
        return None
    number, at, event = picked
    members = change(event)
    return _with_events(record, number, at, 1, replace(event, **members)) if members else None


def _any_card(record: Record, random: Random) -> str:
    """A card as this record writes cards."""
    return random.choice([card for hand in record.deals[0].hands or [] for card in hand])


def _other_seat(record: Record, random: Random, seat: int) -> int:
    return random.choice([other for other in range(len(record.players)) if other != seat])


# -- events dropped, doubled, moved, put in


@kind
def drop_an_event(record: Record, random: Random) -> Mutant | None:
    picked = _pick(record, random)
    return picked and _with_events(record, picked[0], picked[1], 1)


@kind
def drop_a_play(record: Record, random: Random) -> Mutant | None:
    picked = _pick(record, random, Play, Discard)
    return picked and _with_events(record, picked[0], picked[1], 1)


@kind
def drop_a_draw(record: Record, random: Random) -> Mutant | None:
    picked = _pick(record, random, Draw)
    return picked and _with_events(record, picked[0], picked[1], 1)


@kind
def drop_a_meld(record: Record, random: Random) -> Mutant | None:
    picked = _pick(record, random, Meld)
    return picked and _with_events(record, picked[0], picked[1], 1)


@kind
def repeat_an_event(record: Record, random: Random) -> Mutant | None:
    picked = _pick(record, random)
    if picked is None:
        return None
    number, at, event = picked
    return _with_events(record, number, at + 1, 0, event)


@kind
def swap_neighbours(record: Record, random: Random) -> Mutant | None:
    number, at, event = _pick(record, random) or (0, 0, None)
    events = record.deals[number].events
    if at + 1 >= len(events) or events[at + 1] == event:
        return None
    return _with_events(record, number, at, 2, events[at + 1], event)


@kind
def put_in_a_meld(record: Record, random: Random) -> Mutant | None:
    source, place = _pick(record, random, Meld), _pick(record, random)
    if source is None or place is None:
        return None
    return _with_events(record, place[0], place[1], 0, source[2])


@kind
def show_without_scoring(record: Record, random: Random) -> Mutant | None:
    picked = _pick(record, random, Meld)
    if picked is None:
        return None
    number, at, event = picked
    shown = Declare(seat=event.seat, meld=event.meld, cards=event.cards)
    return _with_events(record, number, at, 1, shown)


@kind
def put_in_an_opening(record: Record, random: Random) -> Mutant | None:
    number = random.randrange(len(record.deals))
    deal, seat = record.deals[number], random.randrange(len(record.players))
    blanche, cut = CarteBlanche(seat=seat), Cut(seat=deal.dealer, packet=24, guess=24)
    return _with_events(record, number, 0, 0, random.choice([blanche, cut]))


@kind
def put_in_a_score(record: Record, random: Random) -> Mutant | None:
    place = _pick(record, random)
    if place is None:
        return None
    seat = random.randrange(len(record.players))
    score = Score(seat=seat, what=random.choice(SCORE_NAMES), points=10)
    return _with_events(record, place[0], place[1], 0, score)


@kind
def put_in_a_dix(record: Record, random: Random) -> Mutant | None:
    place = _pick(record, random)
    if place is None:
        return None
    seat, action = (
        random.randrange(len(record.players)),
        random.choice(["exchange", "show", "play"]),
    )
    return _with_events(record, place[0], place[1], 0, Dix(seat=seat, action=action, points=10))


# -- one member changed


@kind
def change_a_card_played(record: Record, random: Random) -> Mutant | None:
    def change(event: Any) -> dict[str, Any] | None:
        card = _any_card(record, random)
        return {"card": card} if card != event.card else None

    return _changed(record, random, change, Play, Discard)


@kind
def play_another_card_held(record: Record, random: Random) -> Mutant | None:
    """Swap two plays of one seat: both are held at the first of them."""
    picked = _pick(record, random, Play, Discard)
    if picked is None:
        return None
    number, at, event = picked
    events = list(record.deals[number].events)
    later = [
        i for i in range(at + 1, min(at + 16, len(events)))
        if type(events[i]) is type(event) and events[i].seat == event.seat
        and events[i].card != event.card
    ]  # fmt: skip
    drawn = {
        FACE_OF[e.card] for e in events[at : at + 16] if type(e) is Draw and e.seat == event.seat
    }
    later = [i for i in later if FACE_OF[events[i].card] not in drawn]
    if not later:
        return None
    other = random.choice(later)
    events[at] = replace(event, card=events[other].card)
    events[other] = replace(events[other], card=event.card)
    deal = replace(record.deals[number], events=events)
    return Mutant(_with_deal(record, number, deal), number, at)


@kind
def change_a_card_drawn(record: Record, random: Random) -> Mutant | None:
    def change(event: Any) -> dict[str, Any] | None:
        card = _any_card(record, random)
        return {"card": card} if card != event.card else None

    return _changed(record, random, change, Draw)


@kind
def swap_cards_drawn(record: Record, random: Random) -> Mutant | None:
    picked = _pick(record, random, Draw)
    if picked is None:
        return None
    number, at, event = picked
    events = list(record.deals[number].events)
    other = next((i for i in range(at + 1, len(events)) if type(events[i]) is Draw), None)
    if other is None or events[other].card == event.card:
        return None
    events[at] = replace(event, card=events[other].card)
    events[other] = replace(events[other], card=event.card)
    deal = replace(record.deals[number], events=events)
    return Mutant(_with_deal(record, number, deal), number, at)


@kind
def change_a_seat(record: Record, random: Random) -> Mutant | None:
    def change(event: Any) -> dict[str, Any]:
        return {"seat": _other_seat(record, random, event.seat)}

    return _changed(
        record, random, change, Play, Draw, Meld, Dix, Score, Discard, CarteBlanche, Cut
    )


@kind
def change_a_winner(record: Record, random: Random) -> Mutant | None:
    return _changed(record, random, lambda event: {"winner": 1 - event.winner}, Trick)


@kind
def change_a_name(record: Record, random: Random) -> Mutant | None:
    def change(event: Any) -> dict[str, Any]:
        return {"meld": random.choice([name for name in MELD_NAMES if name != event.meld])}

    return _changed(record, random, change, Meld)


@kind
def change_a_card_of_a_meld(record: Record, random: Random) -> Mutant | None:
    def change(event: Any) -> dict[str, Any] | None:
        cards = list(event.cards)
        cards[random.randrange(len(cards))] = _any_card(record, random)
        return {"cards": cards} if sorted(cards) != sorted(event.cards) else None

    return _changed(record, random, change, Meld)


@kind
def drop_a_card_of_a_meld(record: Record, random: Random) -> Mutant | None:
    return _changed(record, random, lambda event: {"cards": event.cards[1:]}, Meld)


@kind
def change_points(record: Record, random: Random) -> Mutant | None:
    def change(event: Any) -> dict[str, Any]:
        return {"points": (event.points or 0) + random.choice([-20, -10, 5, 10, 20, 100])}

    return _changed(record, random, change, Meld, Dix, Score, CarteBlanche)


@kind
def change_a_score(record: Record, random: Random) -> Mutant | None:
    def change(event: Any) -> dict[str, Any]:
        return {"what": random.choice([name for name in SCORE_NAMES if name != event.what])}

    return _changed(record, random, change, Score)


@kind
def change_a_dix(record: Record, random: Random) -> Mutant | None:
    def change(event: Any) -> dict[str, Any]:
        actions = [act for act in ("exchange", "show", "play") if act != event.action]
        return {"action": random.choice(actions)}

    return _changed(record, random, change, Dix)


@kind
def change_from(record: Record, random: Random) -> Mutant | None:
    def change(event: Any) -> dict[str, Any]:
        other = "hand" if event.source == "table" else "table"
        return {"source": other}

    return _changed(record, random, change, Play)


@kind
def change_a_guess(record: Record, random: Random) -> Mutant | None:
    def change(event: Any) -> dict[str, Any]:
        return random.choice([{"guess": event.guess + 1}, {"packet": event.packet + 1}])

    return _changed(record, random, change, Cut)


@kind
def change_a_label(record: Record, random: Random) -> Mutant | None:
    """A card named as its twin: QS.1 as QS.2."""

    def change(event: Any) -> dict[str, Any] | None:
        card = event.card
        if len(card) < 4:
            return None
        return {"card": card[:3] + ("2" if card[3] == "1" else "1")}

    return _changed(record, random, change, Play, Draw, Discard)


# -- the deal and the game


def _pick_deal(record: Record, random: Random) -> tuple[int, Deal]:
    number = random.randrange(len(record.deals))
    return number, record.deals[number]


@kind
def change_a_card_dealt(record: Record, random: Random) -> Mutant | None:
    number, deal = _pick_deal(record, random)
    hands = [list(hand) for hand in deal.hands or []]
    hand = random.choice(hands)
    at, card = random.randrange(len(hand)), _any_card(record, random)
    if hand[at] == card:
        return None
    hand[at] = card
    return Mutant(_with_deal(record, number, replace(deal, hands=hands)), number, None)


@kind
def drop_a_card_dealt(record: Record, random: Random) -> Mutant | None:
    number, deal = _pick_deal(record, random)
    hands = [list(hand) for hand in deal.hands or []]
    random.choice(hands).pop()
    return Mutant(_with_deal(record, number, replace(deal, hands=hands)), number, None)


@kind
def change_the_turn_up(record: Record, random: Random) -> Mutant | None:
    number, deal = _pick_deal(record, random)
    card = _any_card(record, random)
    if deal.turn_up in (None, card):
        return None
    return Mutant(_with_deal(record, number, replace(deal, turn_up=card)), number, None)


@kind
def change_the_dealer(record: Record, random: Random) -> Mutant | None:
    number, deal = _pick_deal(record, random)
    other = replace(deal, dealer=_other_seat(record, random, deal.dealer))
    return Mutant(_with_deal(record, number, other), number, None)


@kind
def change_claims(record: Record, random: Random) -> Mutant | None:
    number, deal = _pick_deal(record, random)
    if deal.claims is None or deal.claims.scores is None:
        return None
    scores = list(deal.claims.scores)
    scores[random.randrange(len(scores))] += random.choice([-10, 10, 100])
    changed = replace(deal, claims=Claims(scores=scores))
    return Mutant(_with_deal(record, number, changed), number, None)


@kind
def drop_a_deal(record: Record, random: Random) -> Mutant | None:
    number = random.randrange(len(record.deals))
    deals = [deal for i, deal in enumerate(record.deals) if i != number]
    return Mutant(replace(record, deals=deals), None, None) if deals else None


@kind
def repeat_a_deal(record: Record, random: Random) -> Mutant | None:
    number = random.randrange(len(record.deals))
    deals = [*record.deals[: number + 1], *record.deals[number:]]
    return Mutant(replace(record, deals=deals), number + 1, None)


@kind
def cut_a_deal_short(record: Record, random: Random) -> Mutant | None:
    number, at, _ = _pick(record, random) or (0, 0, None)
    deal = record.deals[number]
    short = replace(deal, events=deal.events[:at], claims=None)
    return Mutant(_with_deal(record, number, short), number, None)


@kind
def change_the_result(record: Record, random: Random) -> Mutant | None:
    result = record.result
    if result is None or result.scores is None:
        return None
    scores = list(result.scores)
    scores[random.randrange(len(scores))] += random.choice([-10, 10])
    ways: list[dict[str, Any]] = [{"scores": scores}]
    if isinstance(result.winner, int):
        ways.append({"winner": (result.winner + 1) % len(result.scores)})
    if result.status is not None:
        ways.append({"status": "unfinished" if result.status == "complete" else "complete"})
    if result.settlement is not None:
        ways.append({"settlement": [points + 100 for points in result.settlement]})
    changed = replace(result, **random.choice(ways))
    return Mutant(replace(record, result=changed), None, None)


@kind
def change_an_option(record: Record, random: Random) -> Mutant | None:
    rules = record.rules
    options = get_sheet(rules.id).options
    if not options:
        return None
    option = random.choice(options)
    told = {**rules.options, option.name: random.choice(values(option))}
    return Mutant(replace(record, rules=replace(rules, options=told)), None, None)
