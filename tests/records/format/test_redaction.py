"""What a seat could know: records that it cannot tell apart become the same bytes, for every sheet and at any moment."""

from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace

from records.cards import ALL_CARDS, FACE_OF
from records.events import AnyEvent, CarteBlanche, Declare, Discard, Draw, Meld, Play
from records.format import codec
from records.format.redaction import MatchMoment, redact
from records.record import Deal, Note, Provenance, Record
from records.selfplay import play_game
from records.validator import check_record
from tests.playouts.asserts import BAD, stripped
from tests.playouts.games import STANDARD, Way
from tests.playouts.views import of_seat

TABLES = [pytest.param(way, id=str(way)) for way in STANDARD]
WORLDS = 8
"""Other worlds tried at each moment; some break a rule with what the seat has not seen, and are no games."""


def game(way: Way, seed: int) -> Record:
    copies = way.sheet.rules.pack.packs > 1 or bool(way.sheet.rules.pack.doubled_suits)
    return way.play(seed, ("random", "greedy")[seed % 2], deals=1, labels=copies, where=True)


def revealed(deal: Deal, seat: int, events: int) -> set[str]:
    """The cards that a seat has seen of those of a labelled deal, by then."""
    assert deal.hands is not None
    seen = {*deal.hands[seat], deal.turn_up or ""}
    for index, event in enumerate(deal.events[:events]):
        match event:
            case Draw(seat=own, card=card):
                seen |= {card} if own == seat else set()
            case Meld(cards=cards) | Declare(cards=cards):
                seen |= {*cards}
            case CarteBlanche(seat=own):
                drawn = [
                    e.card for e in deal.events[:index] if isinstance(e, Draw) and e.seat == own
                ]
                seen |= {*deal.hands[own], *drawn}
            case _:
                seen.add(getattr(event, "card", None) or "")
    return seen


def other_world(record: Record, seat: int, events: int, random: Random) -> Record:
    """A full record up to a moment in which the cards that the seat has not seen lie elsewhere, written another way."""
    (deal,) = record.deals
    drawn = [event.card for event in deal.events if isinstance(event, Draw)]
    dealt = [card for hand in deal.hands for card in hand]
    hidden = sorted({*dealt, *drawn} - revealed(deal, seat, events))
    to = dict(zip(hidden, random.sample(hidden, len(hidden)), strict=True))
    labels = {}
    for face in {FACE_OF[card] for card in [*dealt, *drawn]}:
        like = sorted(
            {card for card in [*dealt, *drawn, deal.turn_up] if card and FACE_OF[card] == face}
        )
        labels |= dict(zip(like, random.sample(like, len(like)), strict=True))

    def moved(card: str) -> str:
        card = to.get(card, card)
        return labels.get(card, card)

    def written(event):
        noise = {"ms": random.randrange(5000), "ext": {"org.example": random.random()}}
        if isinstance(event, Meld | Declare):
            cards = [moved(card) for card in event.cards]
            return replace(event, cards=random.sample(cards, len(cards)), **noise)
        card = getattr(event, "card", None)
        return replace(event, **noise, **({"card": moved(card)} if card else {}))

    hands = [[moved(card) for card in hand] for hand in deal.hands]
    last = deal.turn_up is not None and drawn and FACE_OF[drawn[-1]]
    stock = [moved(card) for card in (drawn[:-1] if last else drawn)]
    played = [written(event) for event in deal.events[:events]]
    told = replace(
        deal,
        hands=[random.sample(hand, len(hand)) for hand in hands],
        turn_up=deal.turn_up and moved(deal.turn_up),
        stock=stock,
        events=played,
        claims=None,
        ext={"org.example": [*stock]},
    )
    return replace(
        record,
        deals=[told],
        result=None,
        meta={"event": f"seed {random.random()}"},
        notes=[Note(at=[0], text=str(stock))],
        provenance=Provenance(program=f"world {random.random()}"),
        ext={"org.example": hands},
    )


def moments(record: Record, random: Random) -> Iterator[int]:
    """Moments right after a card was played or discarded, early and late."""
    events = record.deals[0].events
    after = [i + 1 for i, event in enumerate(events) if isinstance(event, Play | Discard)]
    yield from random.sample(after, min(3, len(after)))


@pytest.mark.parametrize("way", TABLES)
def test_worlds_that_a_seat_cannot_tell_apart_become_the_same_bytes(way: Way):
    compared, random = 0, Random(str(way))
    record = game(way, len(way.sheet.id))
    for events in moments(record, random):
        seat = random.randrange(way.players)
        known = codec.encode(redact(record, seat, MatchMoment(0, events)))
        for _ in range(WORLDS):
            other = other_world(record, seat, events, random)
            if any(found.severity in BAD for found in check_record(other).findings):
                continue
            compared += 1
            assert codec.encode(redact(other, seat)) == known
            bare = [e for e in other.deals[0].events if not isinstance(e, Draw)]
            by_stock = replace(other, deals=[replace(other.deals[0], events=bare)])
            assert codec.encode(redact(by_stock, seat)) == known
    assert compared >= WORLDS


@pytest.mark.parametrize("way", TABLES)
def test_what_a_seat_saw_is_told_and_breaks_no_rule(way: Way):
    """The record of a seat is the one that it would have written itself, but for the order of its cards."""
    record, seat = game(way, 3), way.players - 1
    redacted = redact(record, seat)
    assert redact(redacted, seat) == redacted
    assert not [f for f in check_record(redacted).findings if f.severity in BAD]
    (deal,), (own,) = redacted.deals, stripped(record).deals
    seen = of_seat(own, seat)
    assert deal.hands[seat] == sorted(seen.hands[seat], key=ALL_CARDS.index)
    assert [sorted_cards(e) for e in deal.events] == [sorted_cards(e) for e in shown(seen, own)]
    assert (deal.turn_up, deal.claims) == (seen.turn_up, seen.claims)


def shown(seen: Deal, own: Deal) -> list[AnyEvent]:
    """The events that a seat saw, with the draws of who has shown carte blanche since."""
    last = {e.seat: i for i, e in enumerate(own.events) if isinstance(e, CarteBlanche)}
    return [
        real if isinstance(event, Draw) and i < last.get(event.seat, 0) else event
        for i, (event, real) in enumerate(zip(seen.events, own.events, strict=True))
    ]


def sorted_cards(event: AnyEvent) -> AnyEvent:
    """An event with the cards of a meld in one order."""
    if isinstance(event, Meld | Declare):
        return replace(event, cards=sorted(event.cards))
    return event


def test_what_comes_after_a_moment_is_left_out():
    record = play_game("bezique", seed=3)
    first, second = record.deals[:2]
    whole = redact(record, 0)
    assert whole.result == record.result
    assert [deal.claims for deal in whole.deals] == [deal.claims for deal in record.deals]
    cut = redact(record, 0, MatchMoment(1, 10))
    assert cut.result is None
    assert [len(deal.events) for deal in cut.deals] == [len(first.events), 10]
    assert [deal.claims for deal in cut.deals] == [first.claims, None]
    over = redact(record, 0, MatchMoment(1, len(second.events)))
    assert over.deals[1].claims == second.claims
    assert over.result is None


@pytest.mark.parametrize(
    ("seat", "until", "missing"),
    [
        (2, None, "seat 2"),
        (-1, None, "seat -1"),
        (0, MatchMoment(99, 0), "deal 100"),
        (0, MatchMoment(0, 9999), "event 9999 in deal 1"),
        (0, MatchMoment(-1, 0), "deal 0"),
    ],
)
def test_a_seat_or_a_moment_that_is_not_there_is_refused(seat, until, missing):
    """Deals and events are counted from 1 in the sentence, from 0 by programs."""
    with pytest.raises(ValueError, match=f"The record has no {missing}[.]"):
        redact(play_game("marjolet", seed=1, deals=1), seat, until)


@pytest.mark.long
def test_carte_blanche_shows_the_hand():
    for seed in range(3000):
        record = play_game("rubicon-bezique", seed=seed, deals=1)
        (deal,) = record.deals
        shown = [e for e in deal.events if isinstance(e, CarteBlanche)]
        if shown:
            break
    seat = shown[0].seat
    assert "??" not in redact(record, 1 - seat).deals[0].hands[seat]
    before = deal.events.index(shown[0])
    assert {*redact(record, 1 - seat, MatchMoment(0, before)).deals[0].hands[seat]} == {"??"}


@pytest.mark.parametrize(
    ("knowledge", "seat", "told"),
    [
        ("full", None, ("seat", 0)),
        ("public", None, ("public", None)),
        ("seat", 1, ("public", None)),
    ],
)
def test_a_deal_is_told_on_no_higher_level_than_it_was(knowledge, seat, told):
    record = play_game("marjolet", seed=1, deals=1)
    deal = replace(record.deals[0], knowledge=knowledge, seat=seat)
    (redacted,) = redact(replace(record, deals=[deal]), 0).deals
    assert (redacted.knowledge, redacted.seat) == told
