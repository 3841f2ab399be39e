"""Every lawful meld at a table, found without the engine's list of choices.

Every set of the cards that a seat may meld from, of every size that a meld has, is put to the checks under every name,
and to the referees of `tests.playouts`, which use nothing of the engine. What they let pass must be listed, up to like
copies, and what is listed they must let pass.

Cards without labels are alike. Labelled copies of a card are alike if they lie in one place and have served in the same
melds: the referee keeps what the rules may ask of a copy.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from records.engine.choices import legal_melds
from records.engine.table import Table, TableStep
from records.events import Meld, Play
from records.record import Record
from records.replay import Frame, replay
from records.rules.registry import resolve_rules
from records.rules.vocabulary import ReuseRule, RuleSheet
from records.validate.dispatch import checks_at
from tests.playouts.games import STANDARD
from tests.playouts.hoarding import HOARDED_SHEETS, play_hoarding_game
from tests.playouts.melds import row_of
from tests.playouts.referee import TooManyWorldsError, Trail, judge
from tests.playouts.world import World
from tests.referee.brute import acted, meld_sizes

MeldCards = tuple[str, tuple[str, ...]]
"""A meld: its name and its cards."""
Likeness = Callable[[MeldCards], object]
"""What a meld has in common with those of like copies, and with no other."""
NO_SUCH_MELD = frozenset(("wrong-cards-for-meld", "meld-not-in-rules"))
MOST_WORLDS = 24
"""Deals that may be read in more ways are put to the checks alone: the referee is slow."""
LARGEST_POOL = 12
"""Of a pile of more cards (Polish) the sets of so many are asked, the trick just won among them."""


class Compared(msgspec.Struct):
    """What was compared: tables, sets of cards asked, lawful melds among them, tables refereed; and what differs.

    At the tables `cut_short` the list says that there may be more. Of `undecided` sets the checks could not say in the
    steps they have whether they are lawful.
    """

    tables: int = 0
    asked: int = 0
    lawful: int = 0
    refereed: int = 0
    cut_short: int = 0
    undecided: int = 0
    wrong: list[str] = []

    def add(self, other: "Compared") -> None:
        """Add what was compared elsewhere."""
        self.tables += other.tables
        self.asked += other.asked
        self.lawful += other.lawful
        self.refereed += other.refereed
        self.cut_short += other.cut_short
        self.undecided += other.undecided
        self.wrong += other.wrong


class MeldComparison:
    """Compares the list of melds at the tables of one record with all that may be melded."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.sheet = resolve_rules(record.rules).sheet
        full = (
            self.sheet.rules.tableau.draw_up_to[len(record.players)]
            if self.sheet.rules.tableau
            else 0
        )
        self.sizes = meld_sizes(self.sheet, full)
        self.found = Compared()
        self._no_melds: set[tuple[object, ...]] = set()

    def compare(self, share: float, random: Random) -> Compared:
        """Compare at this share of the tables where a seat may meld."""
        trails = self._trails()
        for frame in replay(self.record):
            if frame.event is not None and _may_meld(frame.table) and random.random() < share:
                trail = trails[frame.deal] if trails else None
                self._compare_at(frame, trail)
        return self.found

    def _trails(self) -> list[Trail]:
        """The deals as the referee follows them; none if they may be read in too many ways."""
        try:
            return judge(self.record, most_worlds=MOST_WORLDS).trails
        except TooManyWorldsError:
            return []

    def _compare_at(self, frame: Frame, trail: Trail | None) -> None:
        table = frame.table.copy()
        table.events, table.index = frame.table.events, table.index + 1
        # The way that was foreseen for the marriages that follow in the record is not that of others.
        table.tableau = replace(table.tableau, ways={})
        seat = table.seat if table.melding.seat is None else table.melding.seat
        worlds: list[Any] = trail.worlds[frame.index + 1] if trail else []
        like = _likeness(worlds, seat, _kinds_asked(self.sheet))
        searches = table.tracking.budget.for_readers
        searches.gave_up = False
        listed = {like(meld): meld for meld in _listed(table)}
        self.found.cut_short += searches.gave_up
        every = list(self.sets_of(_pool(table, seat)))
        judges: dict[str, Callable[[MeldCards], bool | None]] = {
            "checks": lambda meld: self._pass_checks(table, seat, meld)
        }
        if trail is not None:
            self.found.refereed += 1
            judges["referee"] = lambda meld: self.pass_referee(trail, worlds, seat, meld)
        for name, lets_pass in judges.items():
            lawful = {like(meld): meld for meld in every if lets_pass(meld)}
            missing = () if searches.gave_up else lawful.keys() - listed.keys()
            wrong = [f"not listed: {lawful[key]}" for key in missing]
            wrong += [f"listed: {meld}" for meld in listed.values() if lets_pass(meld) is False]
            where = f"{self.sheet.id}, deal {frame.deal}, event {frame.index}, by the {name}"
            self.found.wrong += [f"{where}, {what}" for what in wrong]
        self.found.tables += 1
        self.found.asked += len(every)
        self.found.lawful += len(lawful)

    def sets_of(self, pool: Sequence[str]) -> Iterator[MeldCards]:
        """Every set of cards under every name of a meld of that size."""
        sets = {
            size: sorted(set(combinations(sorted(pool), size)))
            for size in {size for _, size in self.sizes}
        }
        for name, size in self.sizes:
            for cards in sets[size]:
                yield name, cards

    def _pass_checks(self, table: Table, seat: int, meld: MeldCards) -> bool | None:
        """Whether the checks let cards be melded; None if that stays open since they gave up their search."""
        name, cards = meld
        # That some cards are no such meld depends on their faces and on trumps: it is asked once.
        faces = ("checks", table.trump, name, tuple(sorted(card[:2] for card in cards)))
        if faces in self._no_melds:
            return False
        # Asked about so many sets, the checks would have nothing left to search with, and let everything pass.
        tracking = table.tracking
        tracking.budget.left = tracking.budget.steps
        before, tracking.incomplete = tracking.incomplete, False
        breaches = checks_at(table)[Meld](table, Meld(seat=seat, meld=name, cards=list(cards)))
        if any(breach.code in NO_SUCH_MELD for breach in breaches or ()):
            self._no_melds.add(faces)
        undecided, tracking.incomplete = tracking.incomplete and not breaches, before
        self.found.undecided += undecided
        return None if undecided else not breaches

    def pass_referee(self, trail: Trail, worlds: list[Any], seat: int, meld: MeldCards) -> bool:
        """Whether the referee lets cards be melded in some world."""
        name, cards = meld
        if isinstance(worlds[0], World):
            faces = tuple(sorted(card[:2] for card in cards))
            key = ("referee", worlds[0].trump, name, faces)
            if key in self._no_melds:
                return False
            if row_of(self.sheet, worlds[0], name, list(faces), scores=True) is None:
                self._no_melds.add(key)
                return False
        return bool(acted(trail.referee, worlds, Meld(seat=seat, meld=name, cards=list(cards))))


def melds_by_referee(record: Record) -> Iterator[tuple[int, int, set[tuple[int, str, int]]]]:
    """After every trick what its winner could meld, by the referee alone: deal, event, and seat, name and points of each."""
    comparison = MeldComparison(record)
    for number, trail in enumerate(judge(record).trails):
        for index, event in enumerate(trail.deal.events):
            worlds = trail.worlds[index + 1]
            seat = worlds[0].window
            if not isinstance(event, Play) or seat is None:
                continue
            world = worlds[0]
            pool = world.taken[seat] if world.captures else world.hands[seat]
            labelled = any("." in card for hand in trail.deal.hands or [] for card in hand)
            found = set()
            for name, cards in comparison.sets_of([c if labelled else c[:2] for c in pool]):
                if comparison.pass_referee(trail, worlds, seat, (name, cards)):
                    faces = [card[:2] for card in cards]
                    row = row_of(comparison.sheet, world, name, faces, scores=True)
                    assert row is not None
                    found.add((seat, name, row.points))
            yield number, index, found


def _may_meld(table: Table) -> bool:
    return table.melding.seat is not None or table.step is TableStep.COMBINE


def _listed(table: Table) -> list[MeldCards]:
    return [(row.name, tuple(cards)) for row, cards in legal_melds(table)]


def _pool(table: Table, seat: int) -> list[str]:
    """The cards that a seat may meld from: its own, or those it has won; in Zetema those of the tableau, too."""
    piles: list[dict[str, int]] = [table.held[seat]]
    if table.rules.melds_captured:
        piles = [table.captured[seat]]
    cards = [card for pile in piles for card, count in pile.items() for _ in range(count)]
    if table.rules.has_tableau:
        cards += [card for rank in "KQ" for card in table.tableau.piles.get(rank, ())]
    if len(cards) > LARGEST_POOL and not table.rules.has_tableau:
        new = [card for _, card in table.last_trick()]
        for card in new:
            cards.remove(card)
        cards = [*new, *Random(str(cards)).sample(sorted(cards), LARGEST_POOL - len(new))]
    return cards


def _kinds_asked(sheet: RuleSheet) -> Callable[[str], bool]:
    """Whether the rule of reuse of a sheet can still ask if a card scored in a kind, when that very meld is broken.

    The referee asks more than that: where a class does not bind, it is only whether king and queen have married before.
    """
    reuse = sheet.rules.reuse
    if reuse.rule is not ReuseRule.REFORMED_AFTER_LEAVING:
        return lambda kind: True
    beziques = not (reuse.singles_then_double and reuse.double_then_single)
    return lambda kind: (
        kind == "marriage"
        or (kind == "sequence" and not reuse.sequence_then_marriage)
        or (kind.endswith("bezique") and beziques)
    )


def _likeness(worlds: list[Any], seat: int, asks: Callable[[str], bool]) -> Likeness:
    """What tells melds apart at a table that the referee follows in these worlds."""

    def card_of(card: str) -> object:
        if len(card) == 2 or len(worlds) != 1:
            return card
        (world,) = worlds
        if isinstance(world, World):
            *places, kinds, sets = world.past(card)
            return card[:2], *places, tuple(filter(asks, kinds)), sets
        return card[:2], world.hands[seat][card] > 0

    return lambda meld: (meld[0], tuple(sorted(map(card_of, meld[1]), key=repr)))


def deals_to_compare(sheet: str, *, labels: bool, deals: int) -> Iterator[Record]:
    """So many deals of a sheet: by greedy players, by random ones, and, in games with tricks, by one who hoards cards."""
    ways = [way for way in STANDARD if way.sheet.id == sheet]
    for seed in range(deals):
        if seed % 3 == 2 and sheet in HOARDED_SHEETS:
            yield play_hoarding_game(sheet, seed, labels=labels)
        else:
            way = ways[seed % len(ways)]
            yield way.play(seed, ("random", "greedy")[seed % 3 == 1], deals=1, labels=labels)


def compare_deals(sheet: str, *, labels: bool, deals: int, share: float) -> Compared:
    """What was compared in so many deals, at this share of the tables."""
    found = Compared()
    for number, record in enumerate(deals_to_compare(sheet, labels=labels, deals=deals)):
        random = Random(f"{sheet} {labels} {number}")
        found.add(MeldComparison(record).compare(share, random))
    return found


def can_be_labelled(sheet: RuleSheet) -> bool:
    """Whether the pack has a card twice."""
    return sheet.rules.pack.packs > 1 or bool(sheet.rules.pack.doubled_suits)
