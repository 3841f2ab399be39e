"""Luck and skill: roll-outs, the parts of a result, and the draws and decisions that changed it most."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import sqrt
from random import Random
from statistics import mean, stdev
from typing import Literal, NamedTuple, TypeVar, get_args

import msgspec

from analyzer.play.base_player import next_choice, play_out
from analyzer.play.fast_deal import FastDeal
from analyzer.play.greedy import Choice
from analyzer.play.setting_up import ImpossiblePack, deal_cards, fast_deal_at
from analyzer.play.worlds import has_too_large_hand
from records.cards import FACE_OF, card_sign
from records.engine.copies import MOST_REVIEW_STEPS
from records.engine.effects import end_blanche_chains, may_show_carte_blanche
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table, TableStep
from records.event_words import describe_event
from records.events import AnyEvent, CarteBlanche, Cut, Declare, Dix, Draw, Meld, Play
from records.phrases import signed_points, signed_tenths
from records.record import Deal, Record
from records.replay import Frame, Match, replay
from records.rules.registry import resolve_rules
from records.selfplay import shuffle_deal

# Roll-outs: a position played to the end by two base players (`analyzer.play.base_player`), who estimate its value.
#
# They know what their seats know, but make no plans: the value compares positions and is no prediction. Where like cards
# are not told apart, one way to tell them apart is followed: what the players meld is legal, but now and then they miss a
# meld.
#
# A shuffle of the cards face down is played twice, the second time with the two cards of every draw exchanged. What one
# seat is lucky with in the one, the other is in the other, so that most of this luck cancels out: of the deal and the draws
# twice as many shuffles played once tell less, of the decisions as much.


class Rollouts:
    """The position of a table, whose cards are all known, to be played out with any order of its face-down cards.

    Raises ValueError for a game without tricks, and ImpossiblePack if its cards are not those of one pack.
    """

    def __init__(self, table: Table, stock: Sequence[str]) -> None:
        """`stock` are the face-down cards in some order."""
        self._deal = fast_deal_at(table, stock)

    def play_out(self, order: Sequence[int] | None = None) -> int:
        """Seat 0's lead at the end of the deal, in points, with the stock in this order of its places, or as it lies.

        In an order each seat draws the same cards whoever takes the tricks (`FastDeal.paired`). Two positions then differ by
        the decisions between them and little by who draws what, which halves the standard errors.
        """
        deal = self._deal.copy()
        if order is not None:
            deal.paired = True
            last = len(deal.stock) - 1
            deal.stock = [deal.stock[last - place] for place in reversed(order)]
        return play_out(deal)

    def play_out_twice(self, order: Sequence[int]) -> float:
        """The mean of this order and of that in which the two seats draw one another's cards."""
        return (self.play_out(order) + self.play_out(exchange_draws(order))) / 2


_Drawn = TypeVar("_Drawn")


def exchange_draws(order: Sequence[_Drawn]) -> list[_Drawn]:
    """What lies face down, the next card first, with the two cards of every draw exchanged; the last of an odd number stays."""
    exchanged = [*order]
    even = len(order) // 2 * 2
    exchanged[:even:2], exchanged[1:even:2] = order[1:even:2], order[:even:2]
    return exchanged


def next_event(table: Table, stock: Sequence[str]) -> AnyEvent | None:
    """The next event of these players at a table; None if there is nothing left to do.

    `stock` are the cards face down in any order: a player knows which cards are unseen, and not where they lie.
    Raises ValueError and ImpossiblePack as `Rollouts` does.
    """
    event = event_of(table, deal := fast_deal_at(table, stock), next_choice(deal))
    if isinstance(event, Draw):
        return Draw(seat=event.seat, card=table.stock.next_card() or "??")
    return event


def event_of(table: Table, deal: FastDeal, choice: Choice) -> AnyEvent | None:
    """What is chosen at the fast table, as the record of this table would write it: with labels only if it has them."""
    labelled = any(len(card) > 2 for held in (*table.held, *table.captured) for card in held)
    names = deal.view.cards.names_of(choice.cards)
    cards = names if labelled else [FACE_OF[name] for name in names]
    match choice.what:
        case "carte_blanche":
            return CarteBlanche(seat=choice.seat)
        case "exchange" | "show":
            return Dix(seat=choice.seat, action=choice.what)
        case "meld":
            return Meld(seat=choice.seat, meld=choice.name, cards=cards)
        case "draw":
            return Draw(seat=choice.seat, card=cards[0] if cards else "??")
        case "play":
            return Play(seat=choice.seat, card=cards[0])
        case _:
            return None


# Luck and skill in one deal, both measured by the same roll-outs.
#
# The value of a position is the lead that seat 0 ends with on average. What the cards drawn change is luck: the
# value after them minus the value before, when every face-down card was equally likely. What a choice changes
# is skill: a player who does what the base players would do changes nothing. The sum is exact:
# result = base + deal + draws + skill of seat 0 - skill of seat 1 + remainder.
#
# Every position of a deal is played out with the same shuffles, so that two positions differ by the decisions and
# not by the cards that happen to follow. The standard errors are those of the sums over the shuffles, so they hold
# the error of the base too. Every deal has shuffles and fresh deals of its own, whose seed is made from its cards: over
# many deals the errors are independent and average out.

LuckPart = Literal["base", "deal", "draws", "skill_0", "skill_1", "remainder"]
LUCK_PARTS: tuple[LuckPart, ...] = get_args(LuckPart)
SKILL_PARTS: tuple[LuckPart, LuckPart] = ("skill_0", "skill_1")
MOST_EVENTS_VALUED = 1_000
"""No estimate is made of a deal with more events, twice those of the longest game: every one is played out."""
SHUFFLES_PER_TASK = 2
"""The number of shuffles in one task of a process."""
FEWEST_SHUFFLES = 2
"""Fewer have no standard error."""


class Swing(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an event changed: the part it belongs to, the mean over the shuffles, its standard error.

    `passed` says that a score was passed up after the event.
    """

    event: int
    part: LuckPart
    points: float
    error: float
    passed: bool = False


class LuckBreakdown(msgspec.Struct):
    """Where a result came from, in points, seat 0's minus seat 1's.

    Estimated from so many `rollouts` of every position; `errors` are the standard errors of the parts. `base` is what such a deal brings seat 0 on average, `deal`
    what the cards dealt and a cut that scores bring; `skill` is what the choices of each seat brought it. The
    `remainder` is what nobody decided: rulings, and melds that a roll-out missed where like cards are not told
    apart. `swings` are the changes one by one.
    """

    rollouts: int
    result: int
    base: float
    deal: float
    draws: float
    skill: list[float]
    remainder: float
    errors: list[float]
    swings: list[Swing] = []


class ValueChange(NamedTuple):
    """What an event changed under each shuffle."""

    event: int
    part: LuckPart
    by: list[float]
    passed: bool = False


class RolloutTask(NamedTuple):
    """Some shuffles of a deal of a record, to be played out by a process."""

    record: Record
    deal: int
    shuffles: range

    def __repr__(self) -> str:
        return f"deal {self.deal + 1}, shuffles {self.shuffles.start + 1} to {self.shuffles.stop}"


def rollout_tasks(record: Record, rollouts: int) -> list[RolloutTask]:
    """The tasks: a few shuffles each of every deal that was dealt, whose hands are written, and that is not too long.

    Every shuffle is two roll-outs. They are as many as asked for or one more, and no fewer than four.
    """
    return [
        RolloutTask(msgspec.structs.replace(record, deals=[deal], lines=None), number, shuffles)
        for number, deal in enumerate(record.deals)
        if deal.setup is None and deal.hands is not None and len(deal.events) <= MOST_EVENTS_VALUED
        for shuffles in _shuffle_ranges(max(FEWEST_SHUFFLES, -(-rollouts // 2)))
    ]


def _shuffle_ranges(shuffles: int) -> Iterator[range]:
    for first in range(0, shuffles, SHUFFLES_PER_TASK):
        yield range(first, min(first + SHUFFLES_PER_TASK, shuffles))


def play_rollout_task(share: RolloutTask) -> list[ValueChange]:
    """What every event changed under these shuffles.

    Nothing if the cards are not known, if there are more of them than the rules deal, or if the deal has no end.
    """
    record = share.record
    rules = record.rules
    match = Match(record, resolve_rules(rules))
    match.reading_budget.allow_readers(MOST_REVIEW_STEPS)
    reader = LuckReader(match, record.deals[0], share.shuffles)
    for frame in replay(record, match=match):
        if frame.table.knowledge.uncertain or frame.table.knowledge.partial:
            return []
        if has_too_large_hand(frame.table):
            return []
        try:
            reader.read(frame)
        except ImpossiblePack:
            return []
    return reader.changes if frame.table.step is TableStep.OVER else []


def luck_breakdown_of(parts: Sequence[Sequence[ValueChange]]) -> LuckBreakdown | None:
    """The luck in a deal by all its shares, each a list of the same events; rounded, it still adds up."""
    if not parts or not all(parts):
        return None
    changes = [
        same[0]._replace(by=[by for each in same for by in each.by])
        for same in zip(*parts, strict=True)
    ]
    sums = {
        part: [
            sum(by) for by in zip(*(each.by for each in changes if each.part == part), strict=True)
        ]
        for part in LUCK_PARTS
    }
    shuffles = len(changes[0].by)
    means = {part: round(mean(values), 1) if values else 0.0 for part, values in sums.items()}
    result = round(sum(mean(each.by) for each in changes))
    # Every part is rounded by itself, so the remainder is what the rounded parts leave of the exact result.
    rest = result - sum([means[part] for part in LUCK_PARTS[:-1]])
    return LuckBreakdown(
        rollouts=2 * shuffles,
        result=result,
        base=means["base"],
        deal=means["deal"],
        draws=means["draws"],
        skill=[means["skill_0"], round(0 - means["skill_1"], 1)],
        remainder=round(rest, 1) + 0.0,  # adding 0 turns -0.0, which would be written so, into 0.0
        errors=[_error(sums[part] or [0.0] * shuffles) for part in LUCK_PARTS],
        swings=[
            Swing(each.event, each.part, round(mean(each.by), 1), _error(each.by), each.passed)
            for each in changes[1:]
            if any(each.by)
        ],
    )


def _error(values: Sequence[float]) -> float:
    return round(stdev(values) / sqrt(len(values)), 1)


class LuckReader:
    """Plays out the positions of a deal, and attributes each change of value to its cause."""

    def __init__(self, match: Match, deal: Deal, shuffles: range) -> None:
        self.match, self.deal = match, deal
        seed = shuffle_seed(match, deal)
        self.shuffles = [Random(f"{seed} {number}") for number in shuffles]
        self.changes: list[ValueChange] = []
        self.values = [0.0] * len(self.shuffles)
        self.stock: list[str] = []
        self.keys: list[list[float]] = []
        self.expected: AnyEvent | None = None

    def read(self, frame: Frame) -> None:
        """Read a frame."""
        table, event, index = frame.table, frame.event, frame.index
        if index == -1:
            self._begin(table)
        elif event is None:
            lead = table.points[0] - table.points[1]
            self._count(index, "remainder", [lead] * len(self.keys))
            return
        events = self.deal.events
        following = events[index + 1] if index + 1 < len(events) else None
        between = isinstance(event, Draw) and isinstance(following, Draw)
        if not between and not _is_expected(event, self.expected) and (part := _part(frame)):
            self._count(index, part, self._values(table))
        self._read_silence(table.copy(), index, following)

    def _begin(self, table: Table) -> None:
        """Before the first event: the base, and the order of the cards face down."""
        self.stock = _stock(table, self.deal)
        self.keys = [[random.random() for _ in self.stock] for random in self.shuffles]
        base = [_base(self.match, self.deal, random) for random in self.shuffles]
        self._count(-1, "base", base)

    def _read_silence(self, table: Table, index: int, following: AnyEvent | None) -> None:
        """Read what happens between two events: a score passed up, draws that are not written."""
        drawn = table.copy()
        if following is not None:
            unchecked_stepper(drawn).draw_before(following)
        over = isinstance(following, Play | Draw | None) or drawn.draws_due != table.draws_due
        self.expected = next_event(table, self._face_down(table))
        if isinstance(self.expected, Meld | Dix) and over:
            table.melding.seat = drawn.melding.seat = None
            self._pass(index, self.expected.seat, table)
        if drawn.draws_due != table.draws_due:
            self._count(index, "draws", self._values(drawn))
        self.expected = next_event(drawn, self._face_down(drawn))
        if isinstance(self.expected, CarteBlanche) and isinstance(following, Play):
            end_blanche_chains(drawn, following.seat)
            if not may_show_carte_blanche(drawn, self.expected.seat):
                self._pass(index, self.expected.seat, drawn)
            self.expected = next_event(drawn, self._face_down(drawn))

    def _pass(self, index: int, seat: int, table: Table) -> None:
        """Note a score that a seat passed up although the base players would have taken it."""
        self._count(index, SKILL_PARTS[seat], self._values(table), passed=True)

    def _count(
        self, index: int, part: LuckPart, values: list[float], *, passed: bool = False
    ) -> None:
        by = [float(value - was) for value, was in zip(values, self.values, strict=True)]
        self.changes.append(ValueChange(index, part, by, passed))
        self.values = values

    def _values(self, table: Table) -> list[float]:
        """The lead at the end under every shuffle of the cards still face down."""
        face_down = self._face_down(table)
        rollouts, first = Rollouts(table, face_down), len(self.stock) - len(face_down)
        if len(face_down) < 2:
            return [rollouts.play_out()] * len(self.keys)
        return [
            rollouts.play_out_twice(
                [i - first for i in sorted(range(first, len(self.stock)), key=keys.__getitem__)]
            )
            for keys in self.keys
        ]

    def _face_down(self, table: Table) -> list[str]:
        """The cards still face down, in the order in which they are drawn."""
        return self.stock[max(len(self.stock) - table.stock.left, 0) :]


def shuffle_seed(match: Match, deal: Deal) -> str:
    """The seed of a deal's shuffles: its rules and cards, whether the record writes its draws or its stock."""
    hands = [" ".join(sorted(hand)) for hand in deal.hands or []]
    return f"{match.resolved.sheet.id} {deal.dealer} {hands} {deal.turn_up}"


def _part(frame: Frame) -> LuckPart | None:
    """The part to which a change of value at this event belongs; None if it cannot change the value."""
    event = frame.event
    if event is None or isinstance(event, Cut):
        return "deal"
    if isinstance(event, Draw):
        return "draws"
    if isinstance(event, Play | Meld | Dix | CarteBlanche | Declare):
        return SKILL_PARTS[event.seat]
    return "remainder" if frame.awards else None


def _is_expected(event: AnyEvent | None, expected: AnyEvent | None) -> bool:
    """Whether a choice is the one that the base players make."""
    match event, expected:
        case Play(source=None), Play():
            return event.card == expected.card
        case Meld(), Meld():
            return event.meld == expected.meld and sorted(event.cards) == sorted(expected.cards)
        case Dix(), Dix():
            return event.action == expected.action
        case CarteBlanche(), CarteBlanche():
            return event.seat == expected.seat
        case _:
            return False


def _stock(table: Table, deal: Deal) -> list[str]:
    """The cards face down in the order in which they are drawn, those that nobody drew last."""
    left = Counter(table.unseen)
    stock: list[str] = []
    for card in (
        [event.card for event in deal.events if isinstance(event, Draw)] or deal.stock or ()
    ):
        if left[card] > 0 and len(stock) < table.stock.left:
            left[card] -= 1
            stock.append(card)
    return [*stock, *left.elements()][: table.stock.left]


def _base(match: Match, deal: Deal, random: Random) -> float:
    """The value of a deal by the same dealer before any card is seen: a fresh one, and the same with all cards exchanged."""
    rules = match.rules
    dealt = shuffle_deal(rules, deal.dealer, random, seats=len(match.names), labels=True)
    hands, stock = dealt.hands or [], dealt.stock or []
    exchanged = msgspec.structs.replace(dealt, hands=hands[::-1], stock=exchange_draws(stock))
    total = 0
    for each in (dealt, exchanged):
        fresh = deal_cards(rules.sheet, each)
        fresh.paired = True
        total += play_out(fresh)
    return total / 2


# In words: the parts of a result, and the draws and decisions that changed it most.

MOST_SWINGS_SHOWN = 3
"""The most draws listed, and the most decisions."""
STANDARD_ERRORS_TO_TELL = 2
"""A swing is listed only if it is at least so many standard errors from zero."""


class PartOfResult(NamedTuple):
    """A part of a result in words, its points for the first player, and their standard error."""

    words: str
    points: float
    error: float


class SwingText(NamedTuple):
    """A draw or a decision in words, its points in words, and its event.

    A draw or a score passed up is seen `after` that event, a decision before it.
    """

    event: int
    after: bool
    words: str
    worth: str


def parts_of_result(luck: LuckBreakdown, names: Sequence[str]) -> list[PartOfResult]:
    """The parts of a result in order; they add up to it. The remainder is left out if it is 0."""
    values = [luck.base, luck.deal, luck.draws, luck.skill[0], 0 - luck.skill[1], luck.remainder]
    words = [
        "average deal", "the cards dealt", "the cards drawn",
        f"decisions of {names[0]}", f"decisions of {names[1]}", "the rest",
    ]  # fmt: skip
    parts = list(map(PartOfResult, words, values, luck.errors))
    return parts if luck.remainder else parts[:-1]


def describe_greatest_draws(
    luck: LuckBreakdown, events: Sequence[AnyEvent], names: Sequence[str], least: int
) -> list[SwingText]:
    """The draws that changed most, by at least so many points; the greatest change first."""
    return [
        SwingText(swing.event, True, _describe_draw(swing, events, names), _for_whom(swing, names))
        for swing in _greatest([swing for swing in luck.swings if swing.part == "draws"], least)
    ]


def describe_greatest_choices(
    luck: LuckBreakdown, events: Sequence[AnyEvent], names: Sequence[str], least: int
) -> list[SwingText]:
    """The decisions that changed most according to the roll-outs; the greatest change first."""
    return [
        SwingText(
            swing.event, swing.passed, _describe_decision(swing, events, names), _for_chooser(swing)
        )
        for swing in _greatest([swing for swing in luck.swings if swing.part in SKILL_PARTS], least)
    ]


def describe_luck(luck: LuckBreakdown, names: Sequence[str]) -> str:
    """Where a result came from, as two sentences."""
    parts = ", ".join(
        f"{signed_tenths(part.points)} {part.words} (± {part.error:.1f})"
        for part in parts_of_result(luck, names)
    )
    return (
        f"Luck and skill, in points for {names[0]}: {parts}; result {signed_points(luck.result)}. "
        f"Estimated from {luck.rollouts} simulations of every position by base players; ± is the standard error."
    )


def _greatest(swings: list[Swing], least: int) -> list[Swing]:
    """The greatest swings of at least so many points that are certainly not 0."""
    certain = [
        swing
        for swing in swings
        if abs(swing.points) >= max(least, STANDARD_ERRORS_TO_TELL * swing.error)
    ]
    return sorted(certain, key=lambda swing: -abs(swing.points))[:MOST_SWINGS_SHOWN]


def _describe_draw(swing: Swing, events: Sequence[AnyEvent], names: Sequence[str]) -> str:
    pair = events[max(swing.event - 1, 0) : swing.event + 1]
    cards = [
        f"{names[event.seat]} {card_sign(event.card)}" for event in pair if isinstance(event, Draw)
    ]
    return f"{_after(swing, events)}: {', '.join(cards) or 'both draw'}"


def _describe_decision(swing: Swing, events: Sequence[AnyEvent], names: Sequence[str]) -> str:
    event = events[swing.event]
    if swing.passed:
        who = names[SKILL_PARTS.index(swing.part)]
        return f"{_after(swing, events)}: {who} passes up a score"
    text = describe_event(event, names).rstrip(".")
    if isinstance(event, Play):
        return f"Trick {(_cards_played(swing, events) + 1) // 2}: {text}"
    return f"{_after(swing, events)}: {text}"


def _after(swing: Swing, events: Sequence[AnyEvent]) -> str:
    tricks = _cards_played(swing, events) // 2
    return f"After trick {tricks}" if tricks else "Before the first trick"


def _cards_played(swing: Swing, events: Sequence[AnyEvent]) -> int:
    return sum([isinstance(each, Play) for each in events[: swing.event + 1]])


def _for_whom(swing: Swing, names: Sequence[str]) -> str:
    who = names[0] if swing.points > 0 else names[1]
    return f"{abs(swing.points):.0f} ± {swing.error:.0f} for {who}"


def _for_chooser(swing: Swing) -> str:
    """The points for the player who decided; swings are stored as seat 0's."""
    own = swing.points if swing.part == SKILL_PARTS[0] else 0 - swing.points
    return f"{signed_points(round(own))} ± {swing.error:.0f}"
