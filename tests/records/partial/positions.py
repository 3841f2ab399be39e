"""A position set up in the middle of a deal, as the slow referees see it: real cards, hidden ones filled in.

Written from the format page and apart from the engine. A setup names no copies here: which twin
lies where makes no difference, unless two melds name the same face, and such setups are not made.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec.structs import replace

from records.events import Draw
from records.record import Deal, Setup
from records.rules.registry import resolve_rules
from records.rules.vocabulary import RaceTo, RuleSheet
from tests.playouts.melds import note, row_of
from tests.playouts.piles import PileReferee, Seats
from tests.playouts.tricks import TrickReferee, named
from tests.playouts.world import World, Wrong, demand

STOCK = "stock"
Piles = tuple[tuple[str, ...], ...]


class Given(NamedTuple):
    """Every card that a setup puts somewhere, the hidden ones filled in: hands, captured, the turn-up."""

    hands: Piles
    captured: Piles
    turn_up: str


def covers(token: str, face: str) -> bool:
    """Whether an unknown card may be this face."""
    return token[0] in ("?", face[0]) and token[1] in ("?", face[1])


def pack_of(sheet: RuleSheet) -> Counter[str]:
    """How often every face is in the pack."""
    doubled = sheet.rules.pack.doubled_suits
    return Counter({
        rank + suit: sheet.rules.pack.packs + (suit in doubled)
        for rank in sheet.rules.pack.ranks for suit in "SHDC"
    })  # fmt: skip


def dealt(deal: Deal) -> tuple[list[list[str]], list[list[str]], str]:
    """The hands, the captured cards and the turn-up, as dealt or as set up; the turn-up may be none."""
    setup = deal.setup
    if setup is None:
        return deal.hands or [], [], deal.turn_up or ""
    return setup.hands, setup.captured or [], setup.turn_up or ""


def unseen_faces(sheet: RuleSheet, deal: Deal) -> Counter[str]:
    """The cards of the pack that are neither dealt in sight nor drawn: any of them may be a hidden one."""
    hands, captured, turn_up = dealt(deal)
    seen = [card for pile in [*hands, *captured] for card in pile] + [turn_up or "??"]
    setup = deal.setup
    if setup is not None:
        seen += [*(setup.trick or []), *(setup.tableau or [])]
        seen += [card for melds in setup.tables or [] for laid in melds for card in laid.cards]
    drawn = Counter(event.card for event in deal.events if isinstance(event, Draw))
    # The card that lies there as the turn-up is drawn last, and a seven may have been laid there.
    last = next((event.card for event in reversed(deal.events) if isinstance(event, Draw)), "")
    for card in {turn_up, last, *(f"7{suit}" for suit in "SHDC")}:
        drawn[card] -= 1
    return pack_of(sheet) - Counter(c for c in [*seen, *(+drawn).elements()] if "?" not in c)


def ways_at_most(sheet: RuleSheet, deal: Deal) -> int:
    """A bound on the number of ways to fill in what a deal hides before its first event."""
    unseen, ways = unseen_faces(sheet, deal), 1
    hands, captured, turn_up = dealt(deal)
    for token in (card for pile in [*hands, *captured, [turn_up]] for card in pile if "?" in card):
        ways *= sum(covers(token, face) for face in unseen)
    return ways


def fillings(sheet: RuleSheet, deal: Deal) -> Iterator[Given]:
    """Every way to fill in the cards that a deal hides before its first event; like ways once."""
    unseen = unseen_faces(sheet, deal)
    hands, captured, turn_up = dealt(deal)
    turned = (turn_up,) if turn_up else ()
    trump = deal.setup.trump if deal.setup else None
    for filled in _filled([*map(tuple, hands), *map(tuple, captured), turned], unseen):
        turn_up = filled[-1][0] if turned else ""
        if turn_up and trump not in (None, turn_up[1]):
            continue
        yield Given(filled[: len(hands)], filled[len(hands) : -1], turn_up)


def _filled(piles: list[tuple[str, ...]], unseen: Counter[str]) -> Iterator[Piles]:
    if not piles:
        yield ()
        return
    known = tuple(card for card in piles[0] if "?" not in card)
    tokens = sorted(card for card in piles[0] if "?" in card)
    if not tokens:
        for rest in _filled(piles[1:], unseen):
            yield (known, *rest)
        return
    for way in {tuple(sorted(way)): way for way in _chosen(tokens, unseen, "")}.values():
        left = Counter(unseen)
        left.subtract(way)
        for rest in _filled(piles[1:], left):
            yield ((*known, *way), *rest)


def _chosen(tokens: list[str], unseen: Counter[str], least: str) -> Iterator[tuple[str, ...]]:
    """Faces for tokens; those of like tokens in order, so that like ways come once."""
    if not tokens:
        yield ()
        return
    for face in sorted(unseen):
        if unseen[face] > 0 and face >= least and covers(tokens[0], face):
            unseen[face] -= 1
            same = tokens[1:] and tokens[1] == tokens[0]
            yield from [(face, *rest) for rest in _chosen(tokens[1:], unseen, face if same else "")]
            unseen[face] += 1


def referee_of(record: Any) -> Any:
    """The referee of a record's sheet, which judges positions."""
    seats = len(record.players)
    sheet = resolve_rules(record.rules).sheet
    if sheet.rules.tableau is None:
        return TrickReferee(sheet)
    sides = record.sides or [[seat] for seat in range(seats)]
    game = sheet.rules.match
    target = game.target[seats] if isinstance(game, RaceTo) else 0
    referee = PileReferee(sheet, seats, sides, [target] * len(sides))
    referee.labelled = False
    return referee


def start(referee: Any, deal: Deal, given: Given) -> Any:
    """The world of a deal before its first event, so filled in; raises Wrong if the pack does not hold it."""
    if deal.setup is None:
        hands = [list(hand) for hand in given.hands]
        return referee.start(replace(deal, hands=hands, turn_up=given.turn_up or None))
    if isinstance(referee, PileReferee):
        return _start_turn(referee, deal, given)
    return _start_trick(referee, deal, given)


def _start_trick(referee: TrickReferee, deal: Deal, given: Given) -> World:
    setup, sheet = _setup(deal), referee.sheet
    tables = setup.tables or [[], []]
    laid = [[card for group in groups for card in group.cards] for groups in tables]
    # Melds of captured cards lie among those captured, all others with the hand.
    base = 2 if referee.captures else 0
    places = [(card, seat) for seat in (0, 1) for card in given.hands[seat]]
    places += [(card, base + seat) for seat in (0, 1) for card in laid[seat]]
    captured = given.captured or ((), ())
    places += [(card, 2 + seat) for seat in (0, 1) for card in captured[seat]]
    places += [(card, 4) for card in setup.trick or []]
    places += [(given.turn_up, 5)] if given.turn_up else []
    piles, unseen = named(sheet, places, 6)
    demand(len(unseen) >= setup.stock, "a stock larger than the pack")
    world = World(
        hands=piles[:2], unseen=unseen, down=setup.stock, turn_up=next(iter(piles[5]), ""),
        dealer=deal.dealer, trump=setup.trump or given.turn_up[1:] or None, to_act=setup.seat,
        reuse=sheet.rules.reuse.rule, captures=referee.captures,
    )  # fmt: skip
    world.taken = [sorted(piles[2]), sorted(piles[3])]
    world.trick = [(1 - setup.seat, card) for card in piles[4]]
    world.points = list(setup.scores or [0, 0])
    if world.turn_up[:1] == "7":
        world.spent.add(world.turn_up)
    for face in setup.spent_dixes or []:
        held = [c for hand in world.hands for c in sorted(hand - world.spent) if c[:2] == face]
        world.spent.update(held[:1])
    for seat, groups in enumerate(tables):
        for group in groups:
            _lay(referee, world, seat, group.meld, group.cards)
    if setup.won:
        _has_won(referee, world, setup, captured[setup.seat])
    return world


def _setup(deal: Deal) -> Setup:
    if deal.setup is None:
        raise ValueError("no setup")
    return deal.setup


def _lay(referee: TrickReferee, world: World, seat: int, name: str, faces: list[str]) -> None:
    cards: set[str] = set()
    pool = set(world.taken[seat]) if referee.captures else world.hands[seat]
    for face in faces:
        cards.add(min(card for card in pool - world.laid - cards if card[:2] == face))
    world.laid |= cards
    row = row_of(referee.sheet, world, name, list(faces), scores=True)
    demand(row is not None, "a laid meld that is none")
    if row is not None:
        note(referee.sheet, world, seat, row, frozenset(cards))


def _has_won(referee: TrickReferee, world: World, setup: Setup, captured: tuple[str, ...]) -> None:
    seat = setup.seat
    world.window, world.melds_left = seat, referee.sheet.rules.phases[world.closed].meld_limit
    world.due = [] if world.closed else [seat, 1 - seat]
    for face in captured[-2:] if referee.captures else ():
        free = set(world.taken[seat]) - world.fresh - world.laid
        world.fresh.add(max(card for card in free if card[:2] == face))


def _start_turn(referee: PileReferee, deal: Deal, given: Given) -> Seats:
    setup = _setup(deal)
    known = [card for hand in given.hands for card in hand] + list(setup.tableau or [])
    unseen = pack_of(referee.sheet) - Counter(known)
    demand(not Counter(known) - pack_of(referee.sheet), "more than the pack has")
    world = Seats(
        hands=[Counter(hand) for hand in given.hands], unseen=unseen, down=setup.stock,
        points=list(setup.scores or [0] * len(setup.hands)), tableau=Counter(setup.tableau or []),
    )  # fmt: skip
    referee.begin(world, setup.seat)
    return world


def acted(referee: Any, worlds: list[Any], event: Any) -> list[Any]:
    """The worlds in which an event is lawful, after it."""
    found = []
    for world in worlds:
        try:
            found += list(referee.act(world, event))
        except Wrong:
            continue
    return found[:24]
