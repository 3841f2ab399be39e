"""Cards hidden, draws and melds left out, numbers miscounted: what makes a small deal a case."""

from random import Random
from typing import Any

from msgspec.structs import replace

from records.events import Declare, Discard, Dix, Draw, Meld, Play, Score, Trick
from records.record import Claims, Deal, Record
from records.rules.vocabulary import When
from tests.playouts.world import Wrong
from tests.records.partial.positions import Given, acted, dealt, referee_of, start

MOST_HIDDEN = 5


def with_cards_hidden(record: Record, random: Random) -> Record:
    """Up to five cards hidden, some draws left out, and the level that says so."""
    deal = record.deals[0]
    setup = deal.setup
    # A token may say nothing at all where few cards are unseen.
    known = setup is None or bool(setup.captured) or len(setup.tableau or []) > 30
    blotted = _blotted(deal, known=known, random=random)
    events = blotted.events
    if random.random() < 0.3:
        share = random.choice([0.3, 1]) if setup else 0.03
        events = [e for e in events if not isinstance(e, Draw) or random.random() >= share]
    level = "public"
    if setup and random.random() < 0.12:
        level = "plays"
        shown = (Meld, Dix, Declare)
        events = [e for e in events if not isinstance(e, shown) or random.random() < 0.5]
    if random.random() < 0.25:
        events = [_miscounted(e) if random.random() < 0.3 else e for e in events]
    claims = _claims(record, random) if setup else deal.claims
    deal = replace(blotted, events=events, knowledge=level, claims=claims)
    return replace(record, deals=[deal])


def _blotted(deal: Deal, *, known: bool, random: Random) -> Deal:
    """The deal with up to five cards hidden: of the hands, the turn-up, plays, draws and melds."""
    hands, _, turn_up = dealt(deal)
    hands, events = [list(hand) for hand in hands], list(deal.events)
    slots: list[tuple[str, int, int]] = [
        ("hand", seat, i) for seat, hand in enumerate(hands) for i in range(len(hand))
    ]
    slots += [("event", i, 0) for i, e in enumerate(events) if isinstance(e, Play | Draw | Discard)]
    melds = [i for i, e in enumerate(events) if isinstance(e, Meld)]
    slots += [("meld", i, 0) for i in melds if random.random() < 0.2]
    slots += [("turn_up", 0, 0)] if turn_up else []
    tableau = deal.setup is not None and deal.setup.tableau is not None
    number = random.randint(1, MOST_HIDDEN if known or not tableau else 3)
    chosen = random.sample(slots, min(number, len(slots)))
    if deal.setup and random.random() < 0.3:
        # One hand unseen as far as five cards go.
        seat = random.randrange(len(hands))
        chosen = [slot for slot in slots if slot[:2] == ("hand", seat)][:MOST_HIDDEN]
    for kind, first, second in chosen:
        if kind == "hand":
            hands[first][second] = _token(hands[first][second], known, random)
        elif kind == "turn_up" and turn_up:
            turn_up = _token(turn_up, known, random)
        elif kind == "meld":
            cards = list(events[first].cards)
            at = random.randrange(len(cards))
            cards[at] = _token(cards[at], True, random)
            events[first] = replace(events[first], cards=cards)
        else:
            events[first] = replace(events[first], card=_token(events[first].card, known, random))
    if deal.setup is None:
        return replace(deal, hands=hands, turn_up=turn_up or None, events=events)
    setup = replace(deal.setup, hands=hands, turn_up=turn_up or None)
    return replace(deal, setup=setup, events=events)


def _miscounted(event: Any) -> Any:
    if isinstance(event, Trick) and event.winner < 2:
        return replace(event, winner=1 - event.winner)
    if getattr(event, "points", None) is not None:
        return replace(event, points=event.points + 10)
    return event


def _claims(record: Record, random: Random) -> Claims | None:
    """What the deal came to in the game as played, or nearly; none where tricks of the close went before."""
    deal = record.deals[0]
    referee, setup = referee_of(record), deal.setup
    if setup is None or any(
        bonus.tricks is When.ALL_CLOSED_TRICKS for bonus in referee.sheet.rules.bonuses
    ):
        return None
    given = Given(
        tuple(map(tuple, setup.hands)), tuple(map(tuple, setup.captured or [])), setup.turn_up or ""
    )
    try:
        worlds = [start(referee, deal, given)]
    except Wrong:
        return None
    for event in deal.events:
        if not isinstance(event, Trick | Score):
            worlds = acted(referee, worlds, event)
        if not worlds:
            return None
    if not worlds[0].over:
        return None
    scores = list(worlds[0].points)
    if record.sides:
        return None
    scores[0] += random.choice([0, 0, 0, 10])
    return Claims(scores=scores)


def _token(card: str, listed: bool, random: Random) -> str:  # noqa: FBT001
    """A token for a card: of any kind where few cards are unseen, else one that tells the rank or suit."""
    ways = ["?" + card[1], card[0] + "?"]
    return random.choice([*ways, "??", "??"] if listed else [*ways, *ways, "??"])
