"""Zetema positions and turns as text, so that a test reads like its law: seats A to F, piles, turns.

A position, set up with A to act:

    A: KS QS 2H 3H 4H 5H | B: 9C | tableau KD KH | stock 20 | scores 0 40

and its events:

    B draws 9C, A melds flush 2H 4H 5H 7H 9H JH 30, A discards 2H, A zetema 5,
    A melds marriages KS QS KD QD from KD QD 40, A irregular withdrawn_meld

`stock` counts face-down cards; `B plays` makes another seat the first to act. `fresh` deals instead of
setting up, seat A leading; the hands are then as dealt.
"""

import re
from typing import Any

from records.cards import parse_card
from records.events import AnyEvent, Discard, Draw, Irregular, Meld, Score
from records.record import Deal, Player, Record, Rules, Setup
from tests.make.tables import Told

SEATS = "ABCDEF"


def turns(
    position: str, told: str = "", *, sides: list[list[int]] | None = None, **options: Any
) -> Told:
    """Replay what is told from a position, by Zetema with options."""
    return Told(record_of(deal_of(position, told), sides=sides, **options))


def record_of(*deals: Deal, sides: list[list[int]] | None = None, **options: Any) -> Record:
    """A record of as many players as there are hands."""
    hands = deals[0].hands or deals[0].setup.hands
    return Record(
        format="bezique-record",
        version="1.0",
        rules=Rules(id="zetema", options=options),
        players=[Player(name=f"Seat {seat}") for seat in SEATS[: len(hands)]],
        sides=sides,
        deals=list(deals),
    )


def deal_of(position: str, told: str = "") -> Deal:
    """A deal that starts in a position, with the events told."""
    setup = Setup(hands=[], seat=0)
    deal = Deal(dealer=0, knowledge="full", setup=setup, events=events_of(told))
    for clause in position.split("|"):
        _read(clause.replace(":", " :").split(), deal, setup)
    if deal.setup is None:
        deal.hands, deal.dealer = setup.hands, len(setup.hands) - 1
    return deal


def _read(words: list[str], deal: Deal, setup: Setup) -> None:
    match words:
        case [seat, ":", *cards] if seat in SEATS:
            assert seat == SEATS[len(setup.hands)]
            setup.hands.append([parse_card(card) for card in cards])
        case ["tableau", *cards]:
            setup.tableau = [parse_card(card) for card in cards]
        case ["stock", count]:
            setup.stock = int(count)
        case ["scores", *numbers]:
            setup.scores = [int(number) for number in numbers]
        case [seat, "plays"]:
            setup.seat = SEATS.index(seat)
        case ["fresh"]:
            deal.setup = None
        case _:
            raise ValueError(f"nothing to read in {' '.join(words)!r}")


def events_of(told: str) -> list[AnyEvent]:
    """The events that a text tells."""
    return [_event(part.split()) for part in re.split(r"[,\n]", told) if part.strip()]


def _event(words: list[str]) -> AnyEvent:
    points = int(words.pop()) if re.fullmatch(r"-?\d+", words[-1]) else None
    seat, verb, *rest = words
    at = SEATS.index(seat)
    match verb, rest:
        case "draws", [card]:
            return Draw(seat=at, card=parse_card(card))
        case "discards", [card]:
            return Discard(seat=at, card=parse_card(card))
        case "irregular", [what]:
            return Irregular(seat=at, what=what, points=points)
        case "zetema", []:
            return Score(seat=at, what="zetema", points=points)
        case "melds", [meld, *cards]:
            own, binds, lying = (part.split() for part in " ".join(cards).partition("from"))
            return Meld(
                seat=at,
                meld=meld,
                cards=[parse_card(card) for card in own],
                from_tableau=[parse_card(card) for card in lying] if binds else None,
                points=points,
            )
    raise ValueError(f"nothing to read in {' '.join(words)!r}")
