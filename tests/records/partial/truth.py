"""What is true of a record that hides cards: every completion enumerated, and judged with real cards.

Nothing of the replay and the checks is used. A *completion* says which face every hidden card of the
position, every draw and every unknown card of an event has; how it may be read (which copy moves,
when a card was drawn that no event writes) is the referee's to follow, a world each. A completion
is legal if some world survives to the end.

The numbers of a record do not make it illegal. They are taken out before the referee sees an event,
and what the rules give for them in every legal completion is kept.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import product, takewhile
from typing import Any, NamedTuple

from msgspec.structs import replace

from records.events import (
    CarteBlanche,
    Declare,
    Discard,
    Dix,
    Draw,
    Meld,
    Play,
    Score,
    Trick,
)
from records.record import Deal, Record
from records.rules.vocabulary import Window
from tests.playouts.piles import PileReferee, Seats
from tests.playouts.world import World, Wrong
from tests.records.partial.positions import (
    Given,
    covers,
    dealt,
    fillings,
    referee_of,
    start,
    ways_at_most,
)
from tests.records.partial.whereabouts import whereabouts_of
from tests.records.rules.changed_sheets import pattern_text

MOST_STEPS = 8_000
"""So many events are put to the referee for a record; a record that needs more is no case."""

WAYS_A_STEP = 20
"""More ways to fill in a position than so many a step are not even begun."""
STEPS_OF_A_START = 5
"""A position laid out takes as long as so many events."""


MOST_BROKEN = 20
"""So many completions that break a rule are kept for an event."""


class TooMany(Exception):
    """The completions of this record are too many to enumerate."""


class Truth(NamedTuple):
    """What the completions of a record come to.

    `legal`: some completion is legal. `breach`: in some completion every card is where the record needs
    it, and a rule is broken. `misfit`: some completion breaks down because a card is not where the record
    needs it; whether that is a completion at all is a matter of words. `values`: for every number of
    the record (by its pointer) what it comes to in the legal completions, and the brisques of each seat in
    all. `witness` is a legal completion with every card known; none is made where melds went unrecorded.
    `broken` are completions with every card known up to the event that breaks a rule in them, with its index
    in the record: some for every such event.
    """

    legal: bool
    breach: bool
    misfit: bool
    values: dict[str, set[Any]]
    witness: Record | None = None
    broken: tuple[tuple[int, Record], ...] = ()


class State(NamedTuple):
    """One completion as far as it is chosen: its worlds, each with the numbers computed on the way.

    `given` and `told` are its position and its events with every card known.
    """

    worlds: list[tuple[Any, tuple[tuple[str, Any], ...]]]
    given: Given
    told: tuple[Any, ...]

    @property
    def first(self) -> Any:
        return self.worlds[0][0]


def truth_of(record: Record, *, most: int = MOST_STEPS) -> Truth:
    """Enumerate the completions of a record of one deal."""
    return _Enumeration(record, most).run()


class _Enumeration:
    def __init__(self, record: Record, most: int) -> None:
        self.record, self.deal = record, record.deals[0]
        self.referee = referee_of(record)
        self.most, self.made = most, 0
        self.breach = self.misfit = False
        self.broken: list[tuple[int, Record]] = []
        self.omits = self.deal.knowledge not in (None, "full") or hides(self.deal)
        self.plays_only = self.deal.knowledge == "plays"

    def run(self) -> Truth:
        states = self._begin()
        for index, event in enumerate(self.deal.events):
            after: dict[Any, State] = {}
            for state in states:
                for then in self._after(state, index, event):
                    after.setdefault(_key(then), then)
            states = list(after.values())
        values: dict[str, set[Any]] = defaultdict(set)
        for state in states:
            for world, computed in state.worlds:
                for pointer, value in computed:
                    values[pointer].add(value)
                values["/deals/0/claims/scores"].add(self._scores(world))
                if isinstance(world, World) and world.over:
                    for seat in (0, 1):
                        values[f"brisques of {seat}"].add(self.referee.brisques(world, seat))
        witness = self._known(states[0]) if states and not self.plays_only else None
        broken = tuple(self.broken)
        return Truth(bool(states), self.breach, self.misfit, dict(values), witness, broken)

    def _known(self, state: State) -> Record:
        """The record of a completion with every card known."""
        given, deal = state.given, replace(self.deal, knowledge="full", events=list(state.told))
        hands = [list(hand) for hand in given.hands]
        captured = [list(pile) for pile in given.captured]
        turn_up = given.turn_up or None
        setup = deal.setup
        if setup is None:
            deal = replace(deal, hands=hands, turn_up=turn_up)
        else:
            setup = replace(
                setup, hands=hands, turn_up=turn_up, captured=setup.captured and captured
            )
            deal = replace(deal, setup=setup)
        return replace(self.record, deals=[deal])

    def _count(self, steps: int = 1) -> None:
        self.made += steps
        if self.made > self.most:
            raise TooMany

    def _scores(self, world: Any) -> tuple[int, ...]:
        sides = self.record.sides or [[seat] for seat in range(len(self.record.players))]
        over = isinstance(world, World) and world.over
        points = self.referee.adds(world) if over else world.points
        return tuple(sum(points[seat] for seat in side) for side in sides)

    def _begin(self) -> list[State]:
        if ways_at_most(self.referee.sheet, self.deal) > WAYS_A_STEP * self.most:
            raise TooMany
        states: dict[Any, State] = {}
        for given in fillings(self.referee.sheet, self.deal):
            try:
                world = start(self.referee, self.deal, given)
            except Wrong:
                self.misfit = True
                continue
            state = State([(world, ())], given, ())
            states.setdefault(_key(state), state)
            self._count(STEPS_OF_A_START)
        return list(states.values())

    # -- one event

    def _after(self, state: State, index: int, event: Any) -> Iterator[State]:
        """What may follow, for every way to fill in the event and the draws before it."""
        if isinstance(event, Score):
            yield self._scored(state, index, event)
            return
        if isinstance(event, Trick):
            yield self._named(state, index, event)
            return
        if self.plays_only:
            state = self._with_unrecorded(state)
        for drawn in self._drawn_before(state, event):
            filled = list(self._filled(drawn.first, event))
            self.misfit = self.misfit or not filled
            for known in filled:
                then = self._acted(drawn, index, known, event)
                if then.worlds:
                    yield then
                elif self._breaks_a_rule(drawn, index, known):
                    self.breach = True
                    self._keep_broken(drawn, index, known)
                else:
                    self.misfit = True

    def _keep_broken(self, state: State, index: int, event: Any) -> None:
        if not self.plays_only and sum(at == index for at, _ in self.broken) < MOST_BROKEN:
            told = (*state.told, event)
            self.broken.append((index, self._known(State([], state.given, told))))

    def _acted(self, state: State, index: int, event: Any, written: Any) -> State:
        """The worlds that survive an event, with the number that the rules give for it."""
        bare = event
        if getattr(event, "points", None) is not None:
            bare = replace(event, points=None)
        claimed = getattr(written, "points", None) is not None
        found: dict[Any, Any] = {}
        for world, computed in state.worlds:
            self._count()
            try:
                for then in self.referee.act(world, bare):
                    numbers = computed
                    if claimed:
                        points = then.points[event.seat] - world.points[event.seat]
                        if isinstance(event, Dix) and event.action == "play":
                            points = world.sevens_played[event.seat][1]
                        numbers = (*computed, (f"/deals/0/events/{index}/points", points))
                    found[_world_key(then), numbers] = (then, numbers)
            except Wrong:
                continue
        return State(list(found.values()), state.given, (*state.told, event))

    def _breaks_a_rule(self, state: State, index: int, event: Any) -> bool:
        """Whether what no world allows is a rule broken, and not a card that lay elsewhere."""
        if isinstance(event, Play) and event.source is not None:
            anywhere = replace(event, source=None)
            if self._acted(state, index, anywhere, event).worlds:
                return False
        cards = whereabouts_of(state.first)
        return cards.allows([event, *self.deal.events[index + 1 :]])

    def _scored(self, state: State, index: int, event: Score) -> State:
        """A score is a claim: what was earned under its name, or None."""
        pointer = f"/deals/0/events/{index}/points"

        def value(world: Any) -> Any:
            if isinstance(world, Seats):
                # Written once, directly after its discard; once play has gone on it is too late.
                since = list(takewhile(lambda e: isinstance(e, Score), reversed(state.told)))
                before = state.told[-1 - len(since)] if len(since) < len(state.told) else None
                scores = isinstance(before, Discard) and world.zetema == (event.seat, event.points)
                scores = scores and not any(_is_again(e, event) for e in since)
                return event.points if scores else None
            if any(isinstance(e, Score) and _is_again(e, event) for e in state.told):
                return None
            return world.earned.get((event.seat, event.what))

        worlds = [(w, (*computed, (pointer, value(w)))) for w, computed in state.worlds]
        return State(worlds, state.given, (*state.told, event))

    def _named(self, state: State, index: int, event: Trick) -> State:
        """Who took a trick is a claim."""
        pointer = f"/deals/0/events/{index}/winner"
        worlds = []
        for world, computed in state.worlds:
            names = bool(world.winners) and not world.trick and not world.named
            then = world.copy()
            then.named = True
            value = world.winners[-1] if names else None
            worlds.append((then, (*computed, (pointer, value))))
        return State(worlds, state.given, (*state.told, event))

    # -- what the record does not write

    def _drawn_before(self, state: State, event: Any) -> Iterator[State]:
        """The states once the draws are made that are due before an event and that no event writes."""
        world = state.first
        owed = draws_owed(world)
        if not self.omits or not owed:
            yield state
            return
        if isinstance(world, Seats):
            if isinstance(event, Meld | Discard):
                yield from self._draw(state, len(owed))
            else:
                yield state
        elif isinstance(event, Play | CarteBlanche):
            yield from self._draw(state, len(owed))
        elif isinstance(event, Draw) and event.seat in owed:
            yield from self._draw(state, owed.index(event.seat))
        elif isinstance(event, Dix) and self._at_any_time(event):
            yield from self._draw_for(state, event, len(owed))
        else:
            yield state

    def _at_any_time(self, event: Dix) -> bool:
        rule = self.referee.sheet.rules.dix
        return rule is not None and Window.AT_ANY_TIME in (rule.exchange, rule.show)

    def _draw_for(self, state: State, event: Dix, owed: int) -> Iterator[State]:
        """Draws only until the dix is lawful: a card may be shown between two draws."""
        if not owed or self._acted(state, 0, event, event).worlds:
            yield state
            return
        for drawn in self._draw(state, 1):
            yield from self._draw_for(drawn, event, owed - 1)

    def _draw(self, state: State, number: int) -> Iterator[State]:
        if not number:
            yield state
            return
        seat = draws_owed(state.first)[0]
        for face in sorted(_next_faces(state.first)):
            then = self._acted(state, 0, Draw(seat=seat, card=face), None)
            if then.worlds:
                yield from self._draw(then, number - 1)

    def _with_unrecorded(self, state: State) -> State:
        """With every meld and seven that may have gone unrecorded here: at `plays` any of them may."""
        found = {(_world_key(w), c): (w, c) for w, c in state.worlds}
        todo = list(found.values())
        while todo:
            world, computed = todo.pop()
            for event in _showings(self.referee, world):
                for then, _ in self._acted(
                    State([(world, ())], state.given, ()), 0, event, None
                ).worlds:
                    key = (_world_key(then), computed)
                    if key not in found:
                        found[key] = (then, computed)
                        todo.append(found[key])
        return State(list(found.values()), state.given, state.told)

    def _filled(self, world: Any, event: Any) -> Iterator[Any]:
        """The event with its unknown cards filled in from where they must be."""
        if isinstance(event, Play | Discard) and "?" in event.card:
            for face in sorted({c[:2] for c in _hand(world, event.seat)}):
                if covers(event.card, face):
                    yield replace(event, card=face)
        elif isinstance(event, Draw) and "?" in event.card:
            for face in sorted(_next_faces(world)):
                if covers(event.card, face):
                    yield replace(event, card=face)
        elif isinstance(event, Dix) and event.card and "?" in event.card:
            yield replace(event, card=None)
        elif isinstance(event, Meld | Declare) and "?" in "".join(event.cards):
            yield from self._filled_meld(world, event)
        else:
            yield event

    def _filled_meld(self, world: Any, event: Any) -> Iterator[Any]:
        pool = list(_hand(world, event.seat))
        if isinstance(world, World) and world.captures:
            pool = list(world.taken[event.seat])
        if isinstance(world, Seats):
            pool += list(world.tableau.elements())
        faces = sorted({card[:2] for card in pool})
        ways = [
            [face for face in faces if covers(card, face)] if "?" in card else [card]
            for card in event.cards
        ]
        for cards in {tuple(sorted(way)) for way in product(*ways)}:
            yield replace(event, cards=list(cards))


def _is_again(earlier: Score, event: Score) -> bool:
    """Whether a score was written before; brisques may be written as they are taken."""
    return (earlier.seat, earlier.what) == (event.seat, event.what) and event.what != "brisques"


def hides(deal: Deal) -> bool:
    """Whether a deal shows a hand in part only, so that it is partial without naming a level."""
    return any("?" in card for hand in dealt(deal)[0] for card in hand)


def _hand(world: Any, seat: int) -> Iterable[str]:
    hand = world.hands[seat]
    return hand.elements() if isinstance(hand, Counter) else hand


def draws_owed(world: Any) -> list[int]:
    """Whose draws are due, in order."""
    if isinstance(world, Seats):
        return [world.to_act] * world.owes if world.now == "draw" and not world.over else []
    return world.due


def _next_faces(world: Any) -> set[str]:
    """The faces that the next card drawn may have."""
    if isinstance(world, Seats):
        return set(+world.unseen)
    if world.down:
        return {card[:2] for card in world.unseen}
    return {world.turn_up[:2]} if world.turn_up else set()


def _showings(referee: Any, world: Any) -> Iterator[Any]:
    """Every meld, pending meld and seven that a world may allow."""
    if isinstance(referee, PileReferee):
        yield from combinations_of(referee, world)
        return
    seat = world.window
    for event in _melds(referee, world, seat) if seat is not None else ():
        yield event
        if referee.sheet.rules.pending:
            yield Declare(seat=event.seat, meld=event.meld, cards=event.cards)
    if referee.sheet.rules.dix is not None:
        for who in (0, 1):
            yield Dix(seat=who, action="exchange")
            yield Dix(seat=who, action="show")


def _melds(referee: Any, world: Any, seat: int) -> Iterator[Meld]:
    pool = world.taken[seat] if world.captures else world.hands[seat]
    held = Counter(card[:2] for card in pool)
    for name, faces in rows_in(referee.sheet, held):
        yield Meld(seat=seat, meld=name, cards=list(faces))


def rows_in(sheet: Any, held: Counter[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every set of faces held that has the ranks of a meld, with the name of the meld."""
    seen = set()
    for row in sheet.rules.melds:
        times, _, pattern = pattern_text(row.cards).rpartition(" * ")
        slots = pattern.split() * int(times or 1)
        by_rank = {slot[0]: [face for face in held if face[0] == slot[0]] for slot in slots}
        if not all(by_rank.values()):
            continue
        for way in product(*(by_rank[slot[0]] for slot in slots)):
            faces = tuple(sorted(way))
            if (row.name, faces) not in seen:
                seen.add((row.name, faces))
                if all(faces.count(face) <= held[face] for face in faces):
                    yield row.name, faces


def combinations_of(referee: PileReferee, world: Seats) -> Iterator[Meld]:
    seat = world.to_act
    if world.now != "combine" or world.over:
        return
    hand, lying = world.hands[seat], world.tableau
    size = min(6, referee.full)
    if hand.total() == size:
        for name in ("sequence", "flush", "flush_sequence"):
            yield Meld(seat=seat, meld=name, cards=sorted(hand.elements()))
    for rank in "AKQJT98765432":
        cards = sorted(card for card in hand.elements() if card[0] == rank)
        if len(cards) >= 5:
            yield Meld(seat=seat, meld="assembly", cards=cards[:5])
    both = hand + lying
    pairs = [suit for suit in "SHDC" for _ in range(min(both["K" + suit], both["Q" + suit]))]
    for number in range(1, len(pairs) + 1):
        for suits in set(product(sorted(set(pairs)), repeat=number)):
            if list(suits) == sorted(suits) and not Counter(suits) - Counter(pairs):
                cards = [rank + suit for suit in suits for rank in "KQ"]
                yield Meld(seat=seat, meld="marriages", cards=cards)


# -- keys


def _key(state: State) -> Any:
    return frozenset((_world_key(world), computed) for world, computed in state.worlds)


def _world_key(world: Any) -> Any:
    if isinstance(world, Seats):
        return (
            world.key(), tuple(sorted(world.unseen.items())), world.owes, world.bound, world.down,
            world.combines, world.going_on, world.zetema, world.over,
        )  # fmt: skip
    return (
        world.key(),
        frozenset(world.unseen),
        tuple((seat, card[:2], world.past(card)) for seat, card in world.trick),
        (world.to_act, tuple(world.due), world.window, world.melds_left, world.trump, world.down),
        tuple(map(frozenset, world.taken)),
        world.named, tuple(world.closed_tricks), tuple(sorted(world.earned.items())),
    )  # fmt: skip
