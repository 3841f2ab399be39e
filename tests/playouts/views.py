"""What people write down of a game: views of a legal full record, each of a kind with a name.

A view leaves out only what its level of knowledge leaves open, so the game that was played is one of
its completions: a view is never illegal, and no number in it is a mismatch. Every kind says why.

What holds of all: labels are gone (a copy is always open), or stand on every card that is shown; claims and
the result stay where the match is still told from its beginning to its end; and every number is true in the
game that was played.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

from msgspec.structs import replace

from records.events import CarteBlanche, Cut, Declare, Discard, Dix, Draw, Meld, Play, Score, Trick
from records.record import Deal, Record
from tests.playouts import fragments, left_out
from tests.playouts.asserts import sheet_of, stripped
from tests.playouts.games import Way
from tests.playouts.left_out import stock_of
from tests.playouts.referee import judge
from tests.playouts.view_kinds import (
    KINDS,
    SEEN_BY_ALL,
    DealView,
    View,
    blurred,
    draws_unseen,
    every_deal,
    hidden,
    whole,
    without,
)

__all__ = ["KINDS", "View", "fragments", "full_game", "left_out", "of_seat", "views"]


def views(record: Record, random: Random) -> Iterator[View]:
    """Views of every kind of a legal full record; a labelled one gives more fragments."""
    for kind, see in KINDS.items():
        for view in see(record, random):
            yield View(kind, view)


def full_game(way: Way, seed: int) -> Record:
    """A legal game to look at, long or short, labelled so that the true position is known at every event."""
    copies = way.sheet.rules.pack.packs > 1 or bool(way.sheet.rules.pack.doubled_suits)
    style = ("random", "greedy")[seed % 2]
    return way.play(100 + seed, style, deals=1 + (seed % 3 == 2), labels=copies, where=seed % 4 < 2)


# -- the levels of knowledge


@whole
def seat(record: Record, random: Random) -> Iterator[Record]:
    """What each seat saw. The other hands and draws are unknown cards, which `seat` leaves open."""
    bare = stripped(record)
    for number in range(len(record.players)):
        deals = [of_seat(deal, number) for deal in bare.deals]
        yield replace(bare, deals=deals)


def of_seat(deal: Deal, number: int) -> Deal:
    """A deal as one seat saw it: its own hand and draws, and what lay open."""
    hands = [hand if i == number else hidden(hand) for i, hand in enumerate(deal.hands or [])]
    events = draws_unseen(deal.events, number)
    return replace(deal, knowledge="seat", seat=number, hands=hands, events=events)


@whole
def seat_without_draws(record: Record, random: Random) -> Iterator[Record]:
    """One seat's hand and no draw: `seat` leaves open unknown cards and draws not written."""
    bare, number = stripped(record), random.randrange(len(record.players))
    deals = [of_seat(deal, number) for deal in bare.deals]
    yield replace(bare, deals=[replace(deal, events=without(deal, Draw)) for deal in deals])


@every_deal
def public(deal: Deal, random: Random) -> Deal:
    """What an onlooker saw. Hands and draws are unknown cards, which `public` leaves open."""
    hands = [hidden(hand) for hand in deal.hands or []]
    return replace(deal, knowledge="public", hands=hands, events=draws_unseen(deal.events))


@every_deal
def public_without_hands(deal: Deal, random: Random) -> Deal:
    """As `public`, with no hand and no draw written: both are left open."""
    return replace(deal, knowledge="public", hands=None, events=without(deal, Draw))


@every_deal
def level_left_out(deal: Deal, random: Random) -> Deal:
    """As `public`, with no level named: a deal that hides cards is partial without a name."""
    return replace(public(deal, random), knowledge=None)


@every_deal
def plays(deal: Deal, random: Random) -> Deal:
    """The cards played and melded; hands and draws are not written, which `plays` leaves open."""
    return replace(deal, knowledge="plays", hands=None, events=without(deal, Draw))


@every_deal
def plays_without_turn_up(deal: Deal, random: Random) -> Deal:
    """As `plays`, and the turn-up is not written: an unknown card."""
    return replace(plays(deal, random), turn_up=None)


@every_deal
def without_turn_up(deal: Deal, random: Random) -> Deal:
    """As `public`, and the turn-up is not written, or only its rank or its suit: an unknown card."""
    turned = deal.turn_up
    if turned is not None:
        turned = random.choice([None, "??", turned[0] + "?", "?" + turned[1]])
    return replace(public(deal, random), turn_up=turned)


@every_deal
def without_trick_events(deal: Deal, random: Random) -> Deal:
    """As `public`, without who took the tricks: a `trick` may be left out of any record."""
    seen = public(deal, random)
    return replace(seen, events=without(seen, Trick))


@every_deal
def without_scores(deal: Deal, random: Random) -> Deal:
    """As `public`, without score events and sevens played: both may be left out of any record."""
    seen = public(deal, random)
    events = [
        event
        for event in seen.events
        if not isinstance(event, Score) and not (isinstance(event, Dix) and event.action == "play")
    ]
    return replace(seen, events=events)


@every_deal
def only_plays(deal: Deal, random: Random) -> Deal:
    """Nothing but plays (and discards): `plays` leaves open melds, sevens, carte blanche and the cut."""
    events = [event for event in deal.events if isinstance(event, Play | Discard)]
    return replace(deal, knowledge="plays", hands=None, events=events)


@every_deal
def only_plays_with_hands(deal: Deal, random: Random) -> Deal:
    """Nothing but plays and the hands dealt."""
    return replace(only_plays(deal, random), hands=deal.hands)


@every_deal
def only_melds_and_scores(deal: Deal, random: Random) -> Deal:
    """What a scorer wrote: `scores` is not replayed, and every sum of it is true."""
    kinds = (*SEEN_BY_ALL, Score)
    events = [event for event in deal.events if isinstance(event, kinds)]
    return replace(deal, knowledge="scores", hands=None, turn_up=None, events=events)


@every_deal
def scores(deal: Deal, random: Random) -> Deal:
    """The claims and nothing else."""
    return Deal(dealer=deal.dealer, knowledge="scores", claims=deal.claims)


# -- holes


@every_deal
def holes_in_hands_and_draws(deal: Deal, random: Random) -> Deal:
    """Some cards of hands and draws are unknown; all else stands. `public` leaves unknown cards open."""
    share = random.choice([0.1, 0.3, 0.6])

    def hole(card: str) -> str:
        return blurred(card, random) if random.random() < share else card

    hands = [[hole(card) for card in hand] for hand in deal.hands or []]
    events = [replace(e, card=hole(e.card)) if isinstance(e, Draw) else e for e in deal.events]
    return replace(deal, knowledge="public", hands=hands, events=events)


@every_deal
def holes_in_plays(deal: Deal, random: Random) -> Deal:
    """Some cards played are unknown, hands and draws stand or are unseen."""
    share = random.choice([0.05, 0.15, 0.5])
    base = random.choice([_with_level, public])(deal, random)
    events = [
        replace(e, card=blurred(e.card, random))
        if isinstance(e, Play | Discard) and random.random() < share
        else e
        for e in base.events
    ]
    return replace(base, events=events)


def _with_level(deal: Deal, random: Random) -> Deal:
    """The full deal, told at a level that may hide cards."""
    return replace(deal, knowledge="public")


@every_deal
def suits_or_ranks_only(deal: Deal, random: Random) -> Deal:
    """Every card of hands and draws by its suit alone, or by its rank alone."""
    by_suit = random.random() < 0.5

    def half(card: str) -> str:
        return "?" + card[1] if by_suit else card[0] + "?"

    hands = [[half(card) for card in hand] for hand in deal.hands or []]
    events = [replace(e, card=half(e.card)) if isinstance(e, Draw) else e for e in deal.events]
    return replace(deal, knowledge=None, hands=hands, events=events)


@every_deal
def holes_in_melds(deal: Deal, random: Random) -> Deal:
    """A card of some melds is unknown, hands and draws stand or are unseen."""
    base = random.choice([_with_level, public])(deal, random)
    return replace(base, events=[_meld_with_hole(event, random) for event in base.events])


def _meld_with_hole(event: Any, random: Random) -> Any:
    if not isinstance(event, Meld | Declare) or random.random() < 0.5:
        return event
    cards, at = list(event.cards), random.randrange(len(event.cards))
    cards[at] = blurred(cards[at], random)
    return replace(event, cards=cards)


@every_deal
def hidden_plays(deal: Deal, random: Random) -> Deal:
    """Two or three plays of one seat are unknown cards; hands and draws stand or are unseen."""
    base = random.choice([_with_level, public])(deal, random)
    number = random.randrange(len(deal.hands or []))
    places = [
        i for i, event in enumerate(base.events)
        if isinstance(event, Play | Discard) and event.seat == number
    ]  # fmt: skip
    chosen = set(random.sample(places, min(random.choice([2, 3]), len(places))))
    events = [replace(e, card="??") if i in chosen else e for i, e in enumerate(base.events)]
    return replace(base, events=events)


# -- events left out


@every_deal
def random_draws_left_out(deal: Deal, random: Random) -> Deal:
    """The hands and some of the draws: in a partial deal, a draw not written was not recorded."""
    share = random.choice([0.1, 0.5])
    events = [e for e in deal.events if not isinstance(e, Draw) or random.random() >= share]
    return replace(deal, knowledge="public", events=events)


@every_deal
def several_things_left_out(deal: Deal, random: Random) -> Deal:
    """Cards everywhere, the turn-up, draws, and what follows from the rest, each to its own extent: all are left open."""
    level, may_miss = random.choice(["public", "plays"]), (Draw, Trick, Score)
    if level == "plays":
        may_miss += (Meld, Declare, Dix)
    shares = {kind: random.choice([0, 0.1, 0.5, 1]) for kind in (*may_miss, Play, Cut, list, str)}

    def seen(card: str, kind: type) -> str:
        return blurred(card, random) if random.random() < shares[kind] / 2 else card

    events: list[Any] = []
    for event in deal.events:
        if random.random() < shares.get(type(event), 0) and isinstance(event, may_miss):
            continue
        if isinstance(event, Draw):
            event = replace(event, card=seen(event.card, list))
        elif isinstance(event, Play | Discard):
            event = replace(event, card=seen(event.card, Play))
        elif isinstance(event, Meld | Declare):
            event = replace(event, cards=[seen(card, Cut) for card in event.cards])
        elif isinstance(event, Dix) and random.random() < shares[Trick]:
            event = replace(event, card=None)
        events.append(event)
    hands = [[seen(card, list) for card in hand] for hand in deal.hands or []]
    turn_up = deal.turn_up and seen(deal.turn_up, str)
    told = replace(deal, hands=random.choice([hands, None]), turn_up=turn_up, events=events)
    stock = [seen(card, list) for card in stock_of(deal)] if random.random() < 0.5 else None
    return replace(told, knowledge=level, stock=stock)


@every_deal
def hands_without_draws(deal: Deal, random: Random) -> Deal:
    """All hands and no draw: `public` leaves open the order of the stock."""
    return replace(deal, knowledge="public", events=without(deal, Draw))


@every_deal
def melds_left_out(deal: Deal, random: Random) -> Deal:
    """Plays, and some of the melds, sevens and the cut: `plays` may lack any of them, and every carte blanche."""
    share = random.choice([0.3, 0.7, 1])
    alone = tuple(kind for kind in SEEN_BY_ALL if kind is not CarteBlanche)
    gone = (Draw, CarteBlanche) if random.random() < share else (Draw,)
    events = [
        e for e in without(deal, *gone) if not isinstance(e, alone) or random.random() >= share
    ]  # fmt: skip
    hands = random.choice([None, deal.hands])
    return replace(deal, knowledge="plays", hands=hands, events=events)


@whole
def every_deal_another_level(record: Record, random: Random) -> Iterator[Record]:
    """Each deal seen in a way of its own; a record may change its level from deal to deal."""
    bare = stripped(record)
    ways: list[DealView] = [
        public, plays, only_plays, scores, only_melds_and_scores, holes_in_plays, melds_left_out,
        hands_without_draws, lambda deal, random: deal,
    ]  # fmt: skip
    yield replace(bare, deals=[random.choice(ways)(deal, random) for deal in bare.deals])


# -- Zetema


@whole
def from_tableau_written(record: Record, random: Random) -> Iterator[Record]:
    """Zetema, as `public` and as one seat: where the cards of some marriages came from is written."""
    if sheet_of(record).rules.tableau is None:
        return
    told = _with_tableau(stripped(record), random)
    yield replace(told, deals=[public(deal, random) for deal in told.deals])
    number = random.randrange(len(record.players))
    yield replace(told, deals=[of_seat(deal, number) for deal in told.deals])


def _with_tableau(record: Record, random: Random) -> Record:
    """The record with `from_tableau` in some of its marriages, such that the referee finds it right."""
    for number, deal in enumerate(record.deals):
        for at, event in enumerate(deal.events):
            if not isinstance(event, Meld) or event.meld != "marriages" or random.random() < 0.5:
                continue
            for lying in [[], *([card] for card in sorted(set(event.cards)))]:
                events = list(record.deals[number].events)
                events[at] = replace(event, from_tableau=lying)
                deals = list(record.deals)
                deals[number] = replace(deals[number], events=events)
                if judge(told := replace(record, deals=deals)).right:
                    record = told
                    break
    return record


@every_deal
def hidden_discards(deal: Deal, random: Random) -> Deal:
    """Some discards of Zetema (or plays) are unknown, and so are the hands and draws."""
    share = random.choice([0.1, 0.4])
    events = [
        replace(e, card="??") if isinstance(e, Discard | Play) and random.random() < share else e
        for e in public(deal, random).events
    ]
    return replace(public(deal, random), events=events)
