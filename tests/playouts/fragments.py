"""Printed fragments: a start, or a position in the middle of a deal and a stretch of what followed."""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from msgspec.structs import replace

from records.events import Discard, Dix, Draw, Meld, Play, Score, Trick
from records.record import Deal, Laid, Record, Setup
from records.rules.vocabulary import OneDeal
from tests.playouts.asserts import sheet_of, stripped
from tests.playouts.piles import Seats
from tests.playouts.referee import judge
from tests.playouts.view_kinds import draws_unseen, hidden, whole, without
from tests.playouts.world import World


@whole
def start_of_a_deal(record: Record, random: Random) -> Iterator[Record]:
    """The turn-up and the first events, without hands and draws. What is not written is left open."""
    deal = random.choice(stripped(record).deals)
    events = without(deal, Draw)
    events = events[: random.randint(1, len(events))]
    start = replace(deal, knowledge=None, hands=None, events=events, claims=None)
    yield replace(record, deals=[start], result=None)


@whole
def fragment(record: Record, random: Random) -> Iterator[Record]:
    """A position in the middle of a deal and a stretch of what followed.

    The position is the true one: hands, melds still held with what they have scored, the stock's
    number, points and brisques so far. What it does not say (cards captured earlier, what melds no
    longer held have scored) is open, and the game is one way to fill it in. A score is left out where it was
    earned before the position. No card of one seat's melds has a twin in another of them.
    """
    cut = _cut_out(record, random)
    if cut is not None and not _shares_cards(cut.deals[0].setup):
        bare = stripped_of_setup(cut)
        yield replace(bare, deals=[_seen_from(bare.deals[0], random)])


@whole
def fragment_with_labels(record: Record, random: Random) -> Iterator[Record]:
    """As `fragment`, with the copies labelled if the record labels them, and every card known."""
    cut = _cut_out(record, random)
    if cut is not None:
        yield cut


@whole
def fragment_with_shared_cards(record: Record, random: Random) -> Iterator[Record]:
    """As `fragment`, where two melds of a seat name one face: one card in both, or two. Copies are open."""
    cut = _cut_out(record, random)
    if cut is not None and _shares_cards(cut.deals[0].setup):
        yield stripped_of_setup(cut)


def _shares_cards(setup: Setup | None) -> bool:
    """Whether two melds that one seat holds name the same face."""
    for laid in (setup and setup.tables) or []:
        faces = [face for meld in laid for face in {card[:2] for card in meld.cards}]
        if len(faces) > len(set(faces)):
            return True
    return False


def _cut_out(record: Record, random: Random) -> Record | None:
    """A stretch of a deal as a record of its own, with the labels that the record has."""
    number = random.randrange(len(record.deals))
    deal, worlds = record.deals[number], judge(record).trails[number].worlds
    places = [
        i for i in range(1, len(deal.events))
        if len(worlds[i]) == 1 and may_begin(deal.events, i, worlds[i][0])
    ]  # fmt: skip
    if not places:
        return None
    start = random.choice(places)
    stop = random.choice([len(deal.events), random.randint(start + 1, len(deal.events))])
    world = worlds[start][0]
    old = set(world.earned) if isinstance(world, World) else set()
    events = [
        event for event in deal.events[start:stop]
        if not (isinstance(event, Score) and (event.seat, event.what) in old)
    ]  # fmt: skip
    ended = stop == len(deal.events)
    labelled = any("." in card for hand in deal.hands or [] for card in hand)
    setup = position_setup(world, labelled) if isinstance(world, World) else turn_setup(world)
    fragment = replace(
        deal, knowledge=None, hands=None, turn_up=None, setup=setup, events=events,
        claims=deal.claims if ended else None,
    )  # fmt: skip
    lone = ended and isinstance(sheet_of(record).rules.match, OneDeal)
    return replace(record, deals=[fragment], result=record.result if lone else None)


def stripped_of_setup(record: Record) -> Record:
    """A record of one deal, its labels taken off the setup too."""
    deal = record.deals[0]
    if deal.setup is None:
        return record
    bare = stripped(replace(record, deals=[replace(deal, hands=[])])).deals[0]
    return replace(record, deals=[replace(bare, hands=None, setup=bare_setup(deal.setup))])


def bare_setup(setup: Setup) -> Setup:
    def bare(cards: list[str] | None) -> list[str] | None:
        return cards and [card[:2] for card in cards]

    tables = setup.tables and [
        [replace(laid, cards=bare(laid.cards) or []) for laid in melds] for melds in setup.tables
    ]
    return replace(
        setup,
        hands=[bare(hand) or [] for hand in setup.hands],
        tables=tables,
        turn_up=setup.turn_up and setup.turn_up[:2],
        trick=bare(setup.trick),
        spent_dixes=bare(setup.spent_dixes),
        captured=setup.captured and [bare(pile) or [] for pile in setup.captured],
        tableau=bare(setup.tableau),
    )


def _seen_from(deal: Deal, random: Random) -> Deal:
    """The fragment with every card known, or a hand and the draws unseen, or no draw written."""
    way, setup = random.randrange(4), deal.setup
    if setup is None or way == 0:
        return replace(deal, knowledge=None)
    if way == 1:
        return replace(deal, knowledge="public", events=without(deal, Draw))
    number = random.randrange(len(setup.hands))
    hands = [hand if i == number else hidden(hand) for i, hand in enumerate(setup.hands)]
    setup = replace(setup, hands=hands)
    events = draws_unseen(deal.events, number)
    if way == 2:
        return replace(deal, knowledge="seat", seat=number, setup=setup, events=events)
    return replace(deal, knowledge="public", setup=setup, events=events)


def may_begin(events: list[Any], at: int, world: Any) -> bool:
    """Whether a fragment may begin here: after a trick and before its melds, before a lead or a reply.

    What still looks back over the edge (who took the trick, a seven played) would be lost.
    """
    if isinstance(events[at], Trick) or (
        isinstance(events[at], Dix) and events[at].action == "play"
    ):
        return False
    before = events[at - 1]
    if isinstance(world, World):
        if isinstance(before, Draw):
            return not world.due and not world.over
        return isinstance(before, Play | Trick) and not world.over and bool(any(world.hands))
    turned = isinstance(before, Discard) or (
        isinstance(before, Meld) and before.meld == "marriages"
    )
    return turned and not (world.going_on or world.over or isinstance(events[at], Score))


def position_setup(world: World, labelled: bool) -> Setup:  # noqa: FBT001
    """The position of a game with tricks as a setup, in faces or with the names of copies."""

    def cards(some: Iterable[str]) -> list[str]:
        return sorted(some) if labelled else _faces(some)

    tables = [
        [
            Laid(meld=meld.row.name, cards=cards(held))
            for meld in world.scored[number]
            for held in [meld.cards if world.captures else meld.cards & world.laid]
            if held
        ]
        for number in range(world.seats)
    ]
    captured = None
    if world.captures:
        melded = {card for scored in world.scored for meld in scored for card in meld.cards}
        # In their order: the last two are those just won.
        captured = [
            [c if labelled else c[:2] for c in pile if c not in melded] for pile in world.taken
        ]
    turned = world.turn_up if labelled else world.turn_up[:2]
    return Setup(
        hands=[cards(hand - world.laid) for hand in world.hands],
        seat=world.due[0] if world.due else world.to_act,
        tables=tables if any(tables) else None,
        stock=world.down,
        trump=world.trump,  # type: ignore[arg-type]
        turn_up=turned or None,
        scores=list(world.points),
        brisques=[sum(card[0] in "AT" for card in pile) for pile in world.taken],
        won=world.window is not None and not world.trick,
        trick=[card if labelled else card[:2] for _, card in world.trick] or None,
        spent_dixes=cards(c for hand in world.hands for c in hand & world.spent) or None,
        captured=captured,
    )


def turn_setup(world: Seats) -> Setup:
    """The beginning of a turn of Zetema as a setup, the cards as the record names them."""
    return Setup(
        hands=[sorted(hand.elements()) for hand in world.hands],
        seat=world.to_act,
        stock=world.down,
        scores=list(world.points),
        tableau=sorted(world.tableau.elements()),
    )


def _faces(cards: Iterable[str]) -> list[str]:
    return sorted(card[:2] for card in cards)
