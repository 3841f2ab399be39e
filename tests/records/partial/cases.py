"""Small deals that hide a few cards: a position, some events, legal or broken, then up to five cards hidden.

A case is made with the slow referee alone: it deals a position, asks the referee which events are
lawful, plays some at random (and sometimes one that is not lawful, or a damaged number), and hides cards.
"""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace

from records.events import Declare, Discard, Dix, Draw, Meld, Play, Score, Trick
from records.record import Deal, Laid, Player, Record, Rules, Setup
from records.rules.registry import ALL_SHEETS
from records.rules.vocabulary import Follow, RuleSheet, TurnUp
from records.selfplay import play_game
from tests.playouts.games import Options, option_sets
from tests.playouts.mutants import KINDS
from tests.playouts.piles import PileReferee, Seats
from tests.playouts.tricks import TrickReferee
from tests.playouts.world import Wrong
from tests.records.partial.hiding import with_cards_hidden
from tests.records.partial.positions import Given, acted, dealt, pack_of, referee_of, start
from tests.records.partial.truth import combinations_of, rows_in
from tests.records.rules.changed_sheets import pattern_text

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Fay")
DAMAGES = (
    "change a card played", "play another card held", "change a card drawn", "swap cards drawn",
    "swap neighbours", "change a seat", "put in a meld", "change a card of a meld", "change a name",
    "drop a play", "repeat an event", "change a dix", "put in a dix", "drop a meld",
)  # fmt: skip
"""Kinds of damage that ask no more of a record than that it has events."""


LEAST_UNSEEN = 6
"""So many cards of Zetema at least lie neither in a hand nor on the tableau."""
UNDAMAGED = 0.4
"""The share of cases that are not damaged; most of them, and many damaged ones, have a legal completion."""


WITH_DUTIES = [sheet for sheet in ALL_SHEETS if sheet.rules.phases[-1].follow is not Follow.ANY]
"""The sheets by which the second player must follow suit in the end."""
WHOLE_DEALS = 0.15
"""The share of cases that are whole deals instead of positions, where the pack is small."""


class Case(NamedTuple):
    """A record that hides cards, and how it was made."""

    record: Record
    way: str


class _Lax(TrickReferee):
    """A referee who lets a reply revoke."""

    def lawful(self, world: Any, seat: int, card: str) -> bool:
        return True


def make_case(seed: int) -> Case:
    """The case of a seed; the sheets come round in turn."""
    whole, random = make_whole(seed)
    return Case(with_cards_hidden(whole.record, random), whole.way)


def make_whole(seed: int) -> tuple[Case, Random]:
    """The record of a seed with every card known, and the source of chance to hide some."""
    random = Random(f"case {seed}")
    sheet = ALL_SHEETS[seed % len(ALL_SHEETS)]
    options = random.choice(option_sets(sheet)) if random.random() < 0.4 else {}
    seats = random.choice(sheet.rules.players)
    record = Record(
        format="bezique-record", version="1.0", rules=Rules(id=sheet.id, options=dict(options)),
        players=[Player(name=name) for name in NAMES[:seats]],
    )  # fmt: skip
    if sheet.rules.pack.packs <= 2 and random.random() < WHOLE_DEALS:
        # What a whole deal does not hide is nearly all there is, so few cards can be the hidden ones.
        whole = play_game(
            sheet.id, seed=seed, options=options, style="random", deals=1, players=seats
        )
        whole, damage = _damaged(replace(whole, result=None), random)
        return Case(whole, f"{sheet.id} whole deal {damage}".strip()), random
    while True:
        deal = _position(record, sheet, options, random)
        whole = replace(record, deals=[deal])
        events, way = _play(whole, random)
        if events:
            break
    whole = replace(record, deals=[replace(deal, events=events)])
    whole, damage = _damaged(whole, random)
    return Case(whole, f"{sheet.id} {way} {damage}".strip()), random


def make_reply(seed: int) -> Case:
    """One reply, by a hand of which one or two cards are hidden, where suit must be followed; the sheets come in turn."""
    random = Random(f"reply {seed}")
    sheet = WITH_DUTIES[seed % len(WITH_DUTIES)]
    record = Record(
        format="bezique-record", version="1.0", rules=Rules(id=sheet.id),
        players=[Player(name=name) for name in NAMES[:2]],
    )  # fmt: skip
    faces = [face for face in pack_of(sheet) if face[1] in "SHC"]
    led, *hand = random.sample(faces, 4)
    reply = random.choice([card for card in hand if card[1] != led[1]] or hand)
    hidden = random.sample(range(3), random.choice([1, 1, 2]))
    shown = [_hidden(card, random) if at in hidden else card for at, card in enumerate(hand)]
    setup = Setup(
        hands=[random.sample(faces, 2), shown], seat=1, trump=random.choice("SHC"), trick=[led]
    )
    deal = Deal(dealer=0, knowledge="public", setup=setup, events=[Play(seat=1, card=reply)])
    return Case(replace(record, deals=[deal]), f"{sheet.id} reply")


def _hidden(card: str, random: Random) -> str:
    return random.choice(["??", "?" + card[1], "?" + card[1], card[0] + "?"])


# -- the position


def _position(record: Record, sheet: RuleSheet, options: Options, random: Random) -> Deal:
    referee = referee_of(record)
    sheet = referee.sheet
    if sheet.rules.tableau is not None:
        return _turn(sheet, len(record.players), random)
    pack = list(pack_of(sheet).elements())
    random.shuffle(pack)
    closed = random.random() < 0.5
    size = random.randint(3, 5)
    turns = isinstance(sheet.rules.trumps, TurnUp)
    stock = 0 if closed else random.choice([2, 4])
    turn_up = None
    trump = random.choice("SHDC")
    if turns and stock:
        turn_up = pack.pop()
        trump, stock = turn_up[1], stock - 1
    given_trump: Any = trump if turns or random.random() < 0.7 else None
    hands, tables = [], []
    for _ in (0, 1):
        laid = []
        if random.random() < 0.4:
            laid = _laid(sheet, pack, given_trump, size, random)
        lying = [card for meld in laid for card in meld.cards]
        if sheet.rules.melds_from.value == "captured":
            lying = []
        near = [card for meld in laid for card in meld.cards]
        hand = _biased(sheet, pack, given_trump, size - len(lying), near, random)
        hands.append(hand)
        tables.append(laid)
    trick = None
    seat, won = random.randrange(2), random.random() < 0.6
    if not won and random.random() < 0.3 and len(hands[1 - seat]) > 1:
        trick = [hands[1 - seat].pop()]
    down = [pack.pop() for _ in range(stock)]
    captured = None
    if random.random() < 0.75 or sheet.rules.melds_from.value == "captured":
        cut = random.randrange(0, len(pack) + 1, 2)
        captured = [pack[:cut], pack[cut:]]
        if won and len(captured[seat]) < 2:
            won = False
    setup = Setup(
        hands=hands, seat=seat, tables=tables if any(tables) else None, stock=len(down),
        trump=given_trump, turn_up=turn_up, won=won, trick=trick, captured=captured,
        scores=[10 * random.randrange(20), 10 * random.randrange(20)],
        brisques=captured and [_brisques(sheet, captured[i], tables[i]) for i in (0, 1)],
    )  # fmt: skip
    deal = Deal(dealer=random.randrange(2), setup=setup)
    try:
        start(
            referee,
            deal,
            Given(tuple(map(tuple, hands)), tuple(map(tuple, captured or [])), turn_up or ""),
        )
    except Wrong:
        return _position(record, sheet, options, random)
    return deal


def _brisques(sheet: RuleSheet, pile: list[str], laid: list[Laid]) -> int:
    cards = list(pile)
    if sheet.rules.melds_from.value == "captured":
        cards += [card for meld in laid for card in meld.cards]
    return sum(card[0] in "AT" for card in cards)


def _laid(
    sheet: RuleSheet, pack: list[str], trump: str | None, size: int, random: Random
) -> list[Laid]:
    """A meld on the table, taken out of the pack; none where it would be trumps' first."""
    if trump is None:
        return []
    name, faces = _a_meld(sheet, trump, size - 1, random)
    if not name or len(set(faces)) < len(faces) or Counter(faces) - Counter(pack):
        return []
    for face in faces:
        pack.remove(face)
    return [Laid(meld=name, cards=faces)]  # type: ignore[arg-type]


def _a_meld(
    sheet: RuleSheet, trump: str | None, size: int, random: Random
) -> tuple[str, list[str]]:
    """The name and the faces of a small meld at random, or of none."""
    rows = [row for row in sheet.rules.melds if 2 <= row.cards.size <= size]
    if not rows:
        return "", []
    row = random.choice(rows)
    times, _, pattern = pattern_text(row.cards).rpartition(" * ")
    made = trump or random.choice("SHDC")
    plain = random.choice([suit for suit in "SHDC" if suit != made])
    suits = {"t": made, "p": plain}
    fixed = {"Q": "S", "J": "D"}
    return row.name, [
        slot[0]
        + (suits.get(slot[1]) or (fixed[slot[0]] if slot[1] == "b" else random.choice("SHDC")))
        for slot in pattern.split() * int(times or 1)
    ]


def _biased(
    sheet: RuleSheet, pack: list[str], trump: str | None, size: int, near: list[str], random: Random
) -> list[str]:
    """A hand that often holds a meld, a seven of trumps, or a partner for cards that lie `near`."""
    hand: list[str] = []
    if random.random() < 0.7:
        hand = _a_meld(sheet, trump, size, random)[1]
    if trump and random.random() < 0.3:
        hand = [*hand[: size - 1], "7" + trump]
    if near and random.random() < 0.6:
        card = random.choice(near)
        other = {"K": "Q", "Q": "K", "J": "Q"}.get(card[0], card[0])
        hand = [*hand[: size - 1], random.choice([other + card[1], card])]
    if Counter(hand) - Counter(pack) or len(hand) > size:
        hand = []
    for face in hand:
        pack.remove(face)
    return [*hand, *[pack.pop() for _ in range(size - len(hand))]]


def _turn(sheet: RuleSheet, seats: int, random: Random) -> Deal:
    pack = list(pack_of(sheet).elements())
    random.shuffle(pack)
    full = sheet.rules.tableau.draw_up_to[seats] if sheet.rules.tableau else 6
    stock = random.choice([0, 0, 1, 2, 4])
    sizes = [full if stock else random.randint(1, full) for _ in range(seats)]
    seat = random.randrange(seats)
    if stock:
        # The seat to act has discarded, or married, since it last drew.
        sizes = [full - random.randint(0, min(2, stock)) for _ in range(seats)]
    royal = sorted(pack, key=lambda card: (card[0] not in "KQ", random.random()))
    if random.random() < 0.6:
        pack = royal[:10] + royal[10:]
        mixed = pack[: 4 * seats]
        random.shuffle(mixed)
        pack = mixed + pack[4 * seats :]
    hands = [[pack.pop(0) for _ in range(size)] for size in sizes]
    random.shuffle(pack)
    tableau = _tableau(pack, random)
    setup = Setup(hands=hands, seat=seat, stock=stock, scores=[0] * seats, tableau=tableau)
    return Deal(dealer=(seat - 1) % seats, setup=setup)


def _tableau(pack: list[str], random: Random) -> list[str]:
    """Some cards on the piles, often most of them, no pile full."""
    piles: Counter[str] = Counter()
    lying: list[str] = []
    for card in random.sample(pack, random.choice([12, len(pack), len(pack)])):
        if piles[card[0]] < 4:
            piles[card[0]] += 1
            lying.append(card)
    # The stock must still come from what lies nowhere.
    return lying[: len(pack) - LEAST_UNSEEN]


# -- the events


def _play(record: Record, random: Random) -> tuple[list[Any], str]:
    """Events played from the position, and whether one of them breaks a rule."""
    referee, deal = referee_of(record), record.deals[0]
    setup = deal.setup
    if setup is None:
        return [], ""
    given = Given(
        tuple(map(tuple, setup.hands)), tuple(map(tuple, setup.captured or [])), setup.turn_up or ""
    )
    worlds = [start(referee, deal, given)]
    most = random.choice([3, 6, 12, 99])
    revokes = random.random() < 0.25
    events: list[Any] = []
    way = "legal"
    while len(events) < most and not worlds[0].over:
        event = _choice(referee, worlds, random)
        if (
            way == "legal"
            and random.random() < 0.04
            and (wrong := _unlawful_meld(referee, worlds, random))
        ):
            # The referee goes on as if nothing had been said; in another completion it may be lawful.
            events.append(wrong)
            way = "unlawful meld"
        acting = referee
        if revokes and isinstance(event, Play) and getattr(worlds[0], "trick", None):
            event, acting = _any_reply(worlds[0], event, random), _Lax(referee.sheet)
        then = acted(acting, worlds, event)
        if not then:
            break
        if acting is not referee and not acted(referee, worlds, event):
            way = "revoke"
        worlds = then
        events.append(event)
        if isinstance(event, Play) and _scoring_seven(worlds, event.seat) and random.random() < 0.6:
            events.append(Dix(seat=event.seat, action="play"))
        if isinstance(event, Play) and not worlds[0].trick and random.random() < 0.5:
            events.append(Trick(winner=worlds[0].winners[-1]))
        if isinstance(worlds[0], Seats) and worlds[0].zetema and random.random() < 0.5:
            seat, points = worlds[0].zetema
            events.append(Score(seat=seat, what="zetema", points=points))
    if worlds[0].over and events:
        events += _at_the_end(referee, worlds[0], record, random)
    return events, way


def _at_the_end(referee: Any, world: Any, record: Record, random: Random) -> list[Any]:
    if isinstance(world, Seats):
        return []
    return [
        Score(seat=seat, what=what, points=points)  # type: ignore[arg-type]
        for (seat, what), points in world.earned.items()
        if what == "last_trick" and random.random() < 0.7
    ]


def _scoring_seven(worlds: list[Any], seat: int) -> bool:
    return all(world.sevens_played[seat] and world.sevens_played[seat][1] for world in worlds)


def _unlawful_meld(referee: Any, worlds: list[Any], random: Random) -> Any:
    """A meld of cards that are held, which is not lawful now; None if there is none."""
    world = worlds[0]
    if isinstance(world, Seats):
        ways = [Discard(seat=world.to_act, card=card) for card in sorted(+world.tableau)]
        return random.choice(ways) if ways else None
    pool = world.taken if referee.captures else world.hands
    ways = [
        Meld(seat=seat, meld=name, cards=list(faces))
        for seat in (0, 1)
        for name, faces in rows_in(referee.sheet, _some(pool[seat], world.fresh))
    ]
    ways = [event for event in ways if not acted(referee, worlds, event)]
    return random.choice(ways) if ways else None


def _some(pool: Any, fresh: set[str]) -> Counter[str]:
    """The faces of a hand, or of a few captured cards and those just won."""
    return Counter(card[:2] for card in (sorted(pool)[:8] if len(pool) > 12 else pool)) | Counter(
        card[:2] for card in fresh
    )


def _any_reply(world: Any, event: Play, random: Random) -> Play:
    card = random.choice(sorted(world.hands[event.seat]))
    return replace(event, card=card[:2], source=None)


def _choice(referee: Any, worlds: list[Any], random: Random) -> Any:
    """A lawful event, melds gladly."""
    world = worlds[0]
    if isinstance(referee, PileReferee):
        return _choice_of_turn(referee, worlds, random)
    lawful = [e for e in _melds(referee, world, random) if acted(referee, worlds, e)]
    if lawful and random.random() < 0.6:
        return _with_points(referee, worlds, random.choice(lawful), random)
    if world.due:
        seat = world.due[0]
        card = random.choice(sorted(world.unseen)) if world.down else world.turn_up
        return Draw(seat=seat, card=card[:2])
    seat = world.to_act
    ways = [
        Play(seat=seat, card=face, source=source)  # type: ignore[arg-type]
        for face in sorted({card[:2] for card in world.hands[seat]})
        for source in (None, "hand", "table")
    ]
    lawful_plays = [e for e in ways if acted(referee, worlds, e)]
    plain = [e for e in lawful_plays if e.source is None]
    told = [e for e in lawful_plays if e.source is not None]
    return random.choice(told if told and random.random() < 0.3 else plain)


def _melds(referee: Any, world: Any, random: Random) -> Iterator[Any]:
    for seat in (0, 1):
        pool = world.taken[seat] if referee.captures else world.hands[seat]
        if world.window == seat:
            held = Counter(card[:2] for card in pool)
            if len(held) > 12:
                fresh = {card[:2] for card in world.fresh}
                names = [
                    (name, faces) for name, faces in rows_in(referee.sheet, held & Counter(
                        {face: n for face, n in held.items() if face[0] in "KQJA"}))
                    if fresh & set(faces)
                ]  # fmt: skip
            else:
                names = list(rows_in(referee.sheet, held))
            random.shuffle(names)
            for name, faces in names[:12]:
                yield Meld(seat=seat, meld=name, cards=list(faces))
                if referee.sheet.rules.pending and random.random() < 0.2:
                    yield Declare(seat=seat, meld=name, cards=list(faces))
        if referee.sheet.rules.dix is not None:
            yield Dix(seat=seat, action="exchange")
            yield Dix(seat=seat, action="show")


def _with_points(referee: Any, worlds: list[Any], event: Any, random: Random) -> Any:
    if isinstance(event, Declare) or random.random() < 0.4:
        return event
    then = acted(referee, worlds, event)[0]
    points = then.points[event.seat] - worlds[0].points[event.seat]
    told = replace(event, points=points)
    return told if acted(referee, worlds, told) else event


def _choice_of_turn(referee: PileReferee, worlds: list[Any], random: Random) -> Any:
    world = worlds[0]
    seat = world.to_act
    if world.now == "draw":
        return Draw(seat=seat, card=random.choice(sorted(+world.unseen)))
    lawful = [e for e in combinations_of(referee, world) if acted(referee, worlds, e)]
    if lawful and random.random() < 0.7:
        return _with_points(referee, worlds, random.choice(lawful), random)
    ways = [Discard(seat=seat, card=card) for card in sorted(+world.hands[seat])]
    return random.choice([e for e in ways if acted(referee, worlds, e)])


# -- damage and hiding


def _damaged(record: Record, random: Random) -> tuple[Record, str]:
    if random.random() < UNDAMAGED:
        return record, ""
    name = random.choice(DAMAGES)
    # Some kinds of damage pick cards from the hands dealt.
    deal = record.deals[0]
    with_hands = replace(deal, hands=dealt(deal)[0])
    mutant = KINDS[name](replace(record, deals=[with_hands]), random)
    if mutant is None or not mutant.record.deals:
        return record, ""
    return replace(record, deals=[replace(mutant.record.deals[0], hands=deal.hands)]), name
