"""Views that leave out draws one by one, and plays of cards that everybody had seen."""

from collections.abc import Sequence
from random import Random
from typing import Any

from msgspec.structs import replace

from records.cards import FACE_OF
from records.events import CarteBlanche, Declare, Discard, Dix, Draw, Meld, Play
from records.record import Deal
from tests.playouts.view_kinds import blurred, draws_unseen, every_deal, hidden

KINDS_LEFT_OUT = (
    "draws left out one by one",
    "first draws of turns left out",
    "draws before what was shown left out",
    "exchanges after hidden plays",
    "shown cards leave by hidden plays",
)
MOST_HIDDEN = 4
"""So many plays of one deal at most are hidden."""


def _of_draws(deal: Deal, random: Random, gone: Sequence[int]) -> Deal:
    """The deal without these events, which are draws; its stock is written in order, or not."""
    left_out = set(gone)
    events = [event for i, event in enumerate(deal.events) if i not in left_out]
    stock = stock_of(deal) if random.random() < 0.5 else None
    return replace(deal, knowledge="public", events=events, stock=stock)


def stock_of(deal: Deal) -> list[str]:
    """The stock of a deal that was played out, in the order in which it was drawn."""
    stock = [event.card for event in deal.events if isinstance(event, Draw)]
    # The turn-up, or the seven exchanged for it, is drawn last and is none of the stock.
    return stock if deal.turn_up is None else stock[:-1]


def _draw_places(deal: Deal) -> list[int]:
    return [i for i, event in enumerate(deal.events) if isinstance(event, Draw)]


@every_deal
def draws_left_out_one_by_one(deal: Deal, random: Random) -> Deal:
    """Single draws, or single ones of a turn, are not written: in a partial deal they were not recorded."""
    places = _draw_places(deal)
    share = random.choice([1 / max(1, len(places)), 0.2, 0.5, 0.8])
    return _of_draws(deal, random, [i for i in places if random.random() < share])


@every_deal
def first_draws_of_turns_left_out(deal: Deal, random: Random) -> Deal:
    """Of several draws one after the other, the last is written and others are not."""
    events, gone = deal.events, []
    for i in _draw_places(deal):
        is_last = not isinstance(events[i + 1 : i + 2][:1] and events[i + 1], Draw)
        if not is_last and random.random() < 0.7:
            gone.append(i)
    return _of_draws(deal, random, gone)


@every_deal
def draws_before_what_was_shown_left_out(deal: Deal, random: Random) -> Deal:
    """The draws around a seven shown or exchanged, or a carte blanche, are not written, one or all of them."""
    gone = [
        i
        for at, event in enumerate(deal.events)
        if isinstance(event, Dix | CarteBlanche)
        for i in range(max(0, at - 4), min(len(deal.events), at + 4))
        if isinstance(deal.events[i], Draw) and random.random() < 0.7
    ]
    return _of_draws(deal, random, gone)


# -- plays that nobody saw


def _with_plays_hidden(deal: Deal, random: Random, places: Sequence[int]) -> Deal:
    """The deal with some of these plays unknown; its hands and draws stand, are unseen, or are in part not written."""
    chosen = set(random.sample(places, min(len(places), random.randint(1, MOST_HIDDEN))))
    token = random.choice(["??", "blurred"])
    events = [
        replace(e, card=token if token == "??" else blurred(e.card, random)) if i in chosen else e
        for i, e in enumerate(deal.events)
    ]
    told = replace(deal, knowledge="public", events=_without_some_points(events, random))
    way = random.randrange(4)
    if way == 0:
        return told
    if way == 1:
        return _of_draws(told, random, [i for i in _draw_places(told) if random.random() < 0.3])
    if way == 2:
        return replace(told, events=[e for e in told.events if not isinstance(e, Draw)])
    hands = [hidden(hand) for hand in told.hands or []]
    return replace(told, hands=hands, events=draws_unseen(told.events))


def _without_some_points(events: list[Any], random: Random) -> list[Any]:
    """The points of a seven may be left out; they follow from the rules."""
    return [
        replace(e, points=None) if isinstance(e, Dix) and random.random() < 0.3 else e
        for e in events
    ]


@every_deal
def exchanges_after_hidden_plays(deal: Deal, random: Random) -> Deal:
    """Plays of a seat before it shows or exchanges a seven are unknown cards."""
    places = {
        i
        for at, event in enumerate(deal.events)
        if isinstance(event, Dix)
        for i in range(at)
        if isinstance(deal.events[i], Play) and getattr(deal.events[i], "seat", None) == event.seat
    }
    plays = [i for i, e in enumerate(deal.events) if isinstance(e, Play | Discard)]
    return _with_plays_hidden(deal, random, sorted(places)[-8:] or plays)


@every_deal
def shown_cards_leave_by_hidden_plays(deal: Deal, random: Random) -> Deal:
    """Plays of cards that their seat has melded, shown or taken in exchange, or of cards like them, are unknown cards."""
    shown: set[tuple[int, str]] = set()
    places, turn_up = [], deal.turn_up
    for i, event in enumerate(deal.events):
        match event:
            case Meld(seat=seat, cards=cards) | Declare(seat=seat, cards=cards):
                shown |= {(seat, FACE_OF[card]) for card in cards}
            case Dix(seat=seat) if deal.turn_up is not None:
                shown.add((seat, "7" + deal.turn_up[1]))
                if event.action == "exchange" and turn_up is not None:
                    shown.add((seat, FACE_OF[turn_up]))
            case Play(seat=seat, card=card) | Discard(seat=seat, card=card):
                if (seat, FACE_OF[card]) in shown:
                    places.append(i)
    plays = [i for i, e in enumerate(deal.events) if isinstance(e, Play | Discard)]
    return _with_plays_hidden(deal, random, places or plays)
