"""What people write down of a game: views of a legal full record, each of a kind with a name.

A view leaves out only what its level of knowledge leaves open, so the game that was played is one of
its completions: a view is never illegal, and no number in it is a mismatch. Every kind says why.

What holds of all: labels are gone (a copy is always open), claims and the result stay where the match
is still told from its beginning to its end, and every number is true in the game that was played.
"""

from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace

from records.events import (
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
from records.record import Deal, Laid, Record, Setup
from records.rules.vocabulary import OneDeal
from tests.playouts.asserts import sheet_of, stripped
from tests.playouts.games import Way
from tests.playouts.piles import Seats
from tests.playouts.referee import judge
from tests.playouts.world import World


class View(NamedTuple):
    """A record that tells less than was known, and the kind of view that it is."""

    kind: str
    record: Record


DealView = Callable[[Deal, Random], Deal]
KINDS: dict[str, Callable[[Record, Random], Iterator[Record]]] = {}
"""Every kind of view by its name: it takes a legal full record and gives views of it."""

SEEN_BY_ALL = (Meld, Declare, Dix, CarteBlanche, Cut)
"""What everybody at the table saw; only the levels `plays` and `scores` may leave it out."""


def views(record: Record, random: Random) -> Iterator[View]:
    """Views of every kind of a legal full record; a labelled one gives more fragments."""
    for kind, see in KINDS.items():
        for view in see(record, random):
            yield View(kind, view)


def full_game(way: Way, seed: int) -> Record:
    """A legal game to look at, long or short, labelled so that the true position is known at every event."""
    copies = way.sheet.pack.copies > 1 or bool(way.sheet.pack.doubled_suits)
    style = ("random", "greedy")[seed % 2]
    return way.play(100 + seed, style, deals=1 + (seed % 3 == 2), labels=copies, where=seed % 4 < 2)


def every_deal(function: DealView) -> DealView:
    """A kind in which every deal of the record is seen in the same way."""

    def see(record: Record, random: Random) -> Iterator[Record]:
        bare = stripped(record)
        yield replace(bare, deals=[function(deal, random) for deal in bare.deals])

    KINDS[_name(function)] = see
    return function


def whole(function: Callable[[Record, Random], Iterator[Record]]) -> None:
    """A kind that looks at the whole record."""
    KINDS[_name(function)] = function


def _name(function: Callable[..., Any]) -> str:
    return function.__name__.replace("_", " ")


def _hidden(cards: Iterable[str]) -> list[str]:
    return ["??" for _ in cards]


def _without(deal: Deal, *types: type) -> list[Any]:
    return [event for event in deal.events if not isinstance(event, types)]


def _draws_unseen(events: Iterable[Any], but: int | None = None) -> list[Any]:
    return [
        replace(event, card="??") if isinstance(event, Draw) and event.seat != but else event
        for event in events
    ]


def _blurred(card: str, random: Random) -> str:
    """The card with its rank, its suit or both gone."""
    return random.choice(["??", "?" + card[1], card[0] + "?"])


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
    hands = [hand if i == number else _hidden(hand) for i, hand in enumerate(deal.hands or [])]
    events = _draws_unseen(deal.events, number)
    return replace(deal, knowledge="seat", seat=number, hands=hands, events=events)


@whole
def seat_without_draws(record: Record, random: Random) -> Iterator[Record]:
    """One seat's hand and no draw: `seat` leaves open unknown cards and draws not written."""
    bare, number = stripped(record), random.randrange(len(record.players))
    deals = [of_seat(deal, number) for deal in bare.deals]
    yield replace(bare, deals=[replace(deal, events=_without(deal, Draw)) for deal in deals])


@every_deal
def public(deal: Deal, random: Random) -> Deal:
    """What an onlooker saw. Hands and draws are unknown cards, which `public` leaves open."""
    hands = [_hidden(hand) for hand in deal.hands or []]
    return replace(deal, knowledge="public", hands=hands, events=_draws_unseen(deal.events))


@every_deal
def public_without_hands(deal: Deal, random: Random) -> Deal:
    """As `public`, with no hand and no draw written: both are left open."""
    return replace(deal, knowledge="public", hands=None, events=_without(deal, Draw))


@every_deal
def level_left_out(deal: Deal, random: Random) -> Deal:
    """As `public`, with no level named: a deal that hides cards is partial without a name."""
    return replace(public(deal, random), knowledge=None)


@every_deal
def plays(deal: Deal, random: Random) -> Deal:
    """The cards played and melded; hands and draws are not written, which `plays` leaves open."""
    return replace(deal, knowledge="plays", hands=None, events=_without(deal, Draw))


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
    return replace(seen, events=_without(seen, Trick))


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
        return _blurred(card, random) if random.random() < share else card

    hands = [[hole(card) for card in hand] for hand in deal.hands or []]
    events = [replace(e, card=hole(e.card)) if isinstance(e, Draw) else e for e in deal.events]
    return replace(deal, knowledge="public", hands=hands, events=events)


@every_deal
def holes_in_plays(deal: Deal, random: Random) -> Deal:
    """Some cards played are unknown, hands and draws stand or are unseen."""
    share = random.choice([0.05, 0.15, 0.5])
    base = random.choice([_with_level, public])(deal, random)
    events = [
        replace(e, card=_blurred(e.card, random))
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
    cards[at] = _blurred(cards[at], random)
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
def hands_without_draws(deal: Deal, random: Random) -> Deal:
    """All hands and no draw: `public` leaves open the order of the stock."""
    return replace(deal, knowledge="public", events=_without(deal, Draw))


@every_deal
def melds_left_out(deal: Deal, random: Random) -> Deal:
    """Plays, and some of the melds, sevens, carte blanche and the cut: `plays` may lack any of them."""
    share = random.choice([0.3, 0.7, 1])
    events = [
        e for e in _without(deal, Draw) if not isinstance(e, SEEN_BY_ALL) or random.random() >= share
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


# -- fragments


@whole
def start_of_a_deal(record: Record, random: Random) -> Iterator[Record]:
    """The turn-up and the first events, without hands and draws. What is not written is left open."""
    deal = random.choice(stripped(record).deals)
    events = _without(deal, Draw)
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
        if len(worlds[i]) == 1 and _may_begin(deal.events, i, worlds[i][0])
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
    setup = _position(world, labelled) if isinstance(world, World) else _turn(world)
    fragment = replace(
        deal, knowledge=None, hands=None, turn_up=None, setup=setup, events=events,
        claims=deal.claims if ended else None,
    )  # fmt: skip
    lone = ended and isinstance(sheet_of(record).game, OneDeal)
    return replace(record, deals=[fragment], result=record.result if lone else None)


def stripped_of_setup(record: Record) -> Record:
    """A record of one deal, its labels taken off the setup too."""
    deal = record.deals[0]
    if deal.setup is None:
        return record
    bare = stripped(replace(record, deals=[replace(deal, hands=[])])).deals[0]
    return replace(record, deals=[replace(bare, hands=None, setup=_bare_setup(deal.setup))])


def _bare_setup(setup: Setup) -> Setup:
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
        return replace(deal, knowledge="public", events=_without(deal, Draw))
    number = random.randrange(len(setup.hands))
    hands = [hand if i == number else _hidden(hand) for i, hand in enumerate(setup.hands)]
    setup = replace(setup, hands=hands)
    events = _draws_unseen(deal.events, number)
    if way == 2:
        return replace(deal, knowledge="seat", seat=number, setup=setup, events=events)
    return replace(deal, knowledge="public", setup=setup, events=events)


def _may_begin(events: list[Any], at: int, world: Any) -> bool:
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


def _position(world: World, labelled: bool) -> Setup:  # noqa: FBT001
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
        for number in (0, 1)
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


def _turn(world: Seats) -> Setup:
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


# -- Zetema


@whole
def from_tableau_written(record: Record, random: Random) -> Iterator[Record]:
    """Zetema, as `public` and as one seat: where the cards of some marriages came from is written."""
    if sheet_of(record).tableau is None:
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
