"""Which physical copy served where: all readings of a record that are still possible.

`QS` in a record is *some* queen of spades. A *reading* says, for one seat, which of the cards it holds
lie on the table and what each has already scored: a sorted tuple of `(card, mark)`, one pair for each marked
copy. Copies without a mark are alike and are not listed. An event is legal if any reading allows it,
and only the readings that allow it survive.

Choosing a copy would be wrong: the record leaves open which it was, and a later event may show that
only another choice is legal. So every function here takes all readings and returns those that survive.

A mark is a set of bits: LAID, SEEN, SPENT, NEW, USED and MOVED, then one bit for each kind of meld, and,
where the sheet's rule of reuse counts sets, one bit for each meld scored. A card that is played may take
such bits along (`forget`: its melds no longer bind the cards left behind) or leave them under the name TRACE
(`trace`: its melds may be restored). Forgetting what can no longer matter makes readings equal, and equal
readings are stored once, which keeps them few.

Where the rule of reuse lets melds be formed again, that is not enough, and readings come by the million.
They are then `ReadingsWithHistory`: some are listed, and the history they share stands for all.
"""

from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from itertools import islice
from sys import maxsize

from records.cards import count_cards
from records.engine import copy_history
from records.engine.copies import (
    LAID_BIT,
    NEW_BIT,
    SEEN_BIT,
    SPENT_BIT,
    STEPS_A_CHOICE,
    USED_BIT,
    BarringRule,
    MarkedCard,
    Reading,
    ReadingBudget,
    ReadingChoice,
    Readings,
    ReadingTracking,
    ReusePredicate,
    choices_by_reading,
    choose_all_copies,
    copy_choices,
    may_lie,
    reading_after_meld,
    reading_after_play,
    size_of,
    without_copies,
)
from records.engine.copy_history import (
    CopiesLying,
    CopiesMelded,
    CopyHistory,
    CopyLeft,
    MeldsTakenUp,
    ReadingsWithHistory,
    readings_after_step,
)
from records.engine.reuse import bars_of
from records.rules.tricks import NO_CARDS

# Likely copies: the first, and mostly the only ones, to be tried where a few readings are to prove a deal legal.
#
# They are the copies with the highest marks, which are those that scored last. By the rule that lets melds grow and be restored
# what a copy that has scored can still do, one without a mark can nearly always do, too: so the others are best
# saved. Where the likely copies fail, others are tried, and in the end all readings.

COPIES_TO_LEAVE = 2
"""Of a card that leaves, at most so many copies are tried."""


def choose_likely_copies(
    reading: Reading,
    wanted: dict[str, int],
    held: dict[str, int],
    bars: BarringRule | None = None,
) -> tuple[MarkedCard, ...] | None:
    """The choice of the copies with the highest marks among those that no rule bars; None if these are too few."""
    binding, lifted = (0, 0) if bars is None else bars(reading)
    missing, unmarked = dict(wanted), {card: held.get(card, 0) for card in wanted}
    chosen: list[MarkedCard] = []
    # Of like copies the last has the highest mark.
    for pair in reversed(reading):
        card, mark = pair
        if card in missing:
            unmarked[card] -= 1
            if missing[card] and (not mark & binding or mark & lifted):
                missing[card] -= 1
                chosen.append(pair)
    for card, count in missing.items():
        if count > unmarked[card]:
            return None
        chosen += [(card, 0)] * count
    return tuple(chosen)


def likely_choices(
    readings: Readings,
    wanted: dict[str, int],
    held: dict[str, int],
    bars: BarringRule | None = None,
) -> list[ReadingChoice]:
    """Every reading with its likely copies, but for those that have too few."""
    choices = [(reading, choose_likely_copies(reading, wanted, held, bars)) for reading in readings]
    return [(reading, chosen) for reading, chosen in choices if chosen is not None]


def after_likely_leaving(
    readings: Readings, card: str, held: int, *, where: str | None, forget: int, trace: int
) -> Readings:
    """The readings after a copy left from there; of each, `COPIES_TO_LEAVE` copies are tried, the highest marks first.

    It repeats `readings.after_leaving`, which tries all: `tests/records/engine/test_likely_copies.py` compares the two.
    """
    found: dict[Reading, None] = {}
    for reading in readings:
        place, unmarked, to_try, last = len(reading), held, COPIES_TO_LEAVE, -1
        # Of like copies the last has the highest mark.
        for pair in reversed(reading):
            place -= 1
            if pair[0] == card:
                unmarked -= 1
                mark = pair[1]
                if to_try and mark != last and may_lie(mark, where):
                    rest = [*reading[:place], *reading[place + 1 :]]
                    found[reading_after_play(rest, mark, forget, trace)] = None
                    to_try, last = to_try - 1, mark
        if to_try and unmarked > 0 and where != "table":
            found[reading] = None
    return tuple(found)


MOST_CHOICES_LISTED = 2048
"""To list all readings after a meld, so many choices of copies are tried where a history is kept."""
MOST_CHOICES_SAMPLED = 256
"""To list some of them, so many are: then a solver is quicker."""
MOST_CHOICES_BEFORE_SOLVER = 512
"""So many are tried to say whether a meld is possible, before a solver is asked."""
NOTHING_MARKED: Readings = ((),)
"""One reading: nothing is marked."""
MOST_PAIRS_REMEMBERED = 4_096
"""Of readings with more cards together it is not remembered which lie on the table: a stranger chooses their number."""
FREE_CHOICES = 32
"""So many are tried for nothing to say whether a meld is possible."""


def allow_any_copies(chosen: tuple[MarkedCard, ...], reading: Reading) -> bool:
    """No rule of reuse: for cards that are laid whatever they have scored."""
    return True


def allow_unmarked_copies(chosen: tuple[MarkedCard, ...], reading: Reading) -> bool:
    """No rule of reuse is needed: no copy of the cards has a mark."""
    return not any([mark for _, mark in chosen])


def after_leaving(
    readings: Readings,
    card: str,
    held: int,
    *,
    where: str | None = None,
    has: int = 0,
    lacks: int = 0,
    forget: int = 0,
    trace: int = 0,
) -> Readings:
    """The readings in which a copy could leave the seat from there, carrying some bits and lacking others.

    `held` counts the copies before it leaves. `has` and `lacks` are asked of sevens alone, and sheets that tell
    sevens apart keep no history (`CompiledSheet.keeps_history`).
    """
    if held == 1 and where is None and not has and not lacks:
        return without_card(readings, card, forget=forget, trace=trace)
    if type(readings) is ReadingsWithHistory:
        left = after_leaving(tuple(readings), card, held, where=where, forget=forget, trace=trace)
        return readings_after_step(readings, left, CopyLeft(card, held, where))
    found: dict[Reading, None] = {}
    anywhere = where is None and not has and not lacks
    for reading in readings:
        places = [place for place, pair in enumerate(reading) if pair[0] == card]
        # An unmarked copy may be the one that leaves: it lies in the hand, and the reading stays as it is.
        if len(places) < held and where != "table" and not has:
            found[reading] = None
        by_mark = {reading[place][1]: place for place in places}
        for mark in set(by_mark) if len(by_mark) > 1 else by_mark:
            if anywhere or (may_lie(mark, where) and mark & has == has and not mark & lacks):
                place = by_mark[mark]
                rest = [*reading[:place], *reading[place + 1 :]]
                found[reading_after_play(rest, mark, forget, trace)] = None
    return tuple(found)


def without_card(readings: Readings, card: str, *, forget: int = 0, trace: int = 0) -> Readings:
    """The readings after the only copy of a card left its seat."""
    if type(readings) is ReadingsWithHistory:
        left = without_card(tuple(readings), card, forget=forget, trace=trace)
        return readings_after_step(readings, left, CopyLeft(card, 1, None))
    if forget or trace:
        return _different([_after_play(reading, card, forget, trace) for reading in readings])
    if len(readings) == 1:
        return (tuple([pair for pair in readings[0] if pair[0] != card]),)
    return _different(
        [tuple([pair for pair in reading if pair[0] != card]) for reading in readings]
    )


def _after_play(reading: Reading, card: str, forget: int, trace: int) -> Reading:
    """A reading after the only copy of a card was played."""
    for place, (name, mark) in enumerate(reading):
        if name == card:
            rest = [*reading[:place], *reading[place + 1 :]]
            return reading_after_play(rest, mark, forget, trace)
    return reading_after_play(list(reading), 0, forget, trace)


def _different(readings: Collection[Reading]) -> Readings:
    """Every reading once, in a fixed order: where not all can be followed, the same ones always are."""
    # Most often there is one, and looking for others like it would cost as much as making it.
    return tuple(readings if len(readings) == 1 else dict.fromkeys(readings))


def after_meld(
    readings: Readings,
    cards: Collection[str],
    held: dict[str, int],
    allows: ReusePredicate,
    bit: int,
    *,
    supersedes: int = 0,
    tracking: ReadingTracking | None = None,
) -> Readings:
    """The readings in which this set may be melded, with the set marked by `bit` and laid.

    `allows` is the rule of reuse; `supersedes` are the bits of earlier melds that the new one replaces. With a
    `tracking`, no more choices of copies are tried than its budget allows, nor more readings found than it follows;
    it learns if there may be others. With `likely_only`, other copies are tried only if the likely ones may not be melded.
    """
    wanted = count_cards(cards)
    if type(readings) is ReadingsWithHistory:
        return _after_meld_in_history(readings, wanted, held, allows, bit)
    # One reading, and every copy held is melded: there is nothing to choose.
    if len(readings) == 1 and all([held.get(card) == count for card, count in wanted.items()]):
        reading = readings[0]
        chosen = choose_all_copies([pair for pair in reading if pair[0] in wanted], wanted)
        if not allows(chosen, reading):
            return ()
        return (reading_after_meld(reading, chosen, bit, supersedes),)

    size, bars = len(readings[0]) + len(cards), bars_of(allows)
    if tracking is not None and tracking.likely_only:
        likely = likely_choices(readings, wanted, held, bars)
        tracking.pay_for_choices(len(readings), size)
        if found := _first_laid(likely, allows, bit, supersedes, maxsize, maxsize)[0]:
            return found
    choices = choices_by_reading(readings, wanted, held, bars)
    if tracking is None:
        return _first_laid(choices, allows, bit, supersedes, maxsize, maxsize)[0]
    # Of more than are followed one more is found, so that the table sees that it keeps only a sample.
    found, tried, all_tried = _first_laid(
        choices, allows, bit, supersedes, tracking.limit + 1, tracking.most_choices(size)
    )
    if not all_tried and len(found) <= tracking.limit:
        tracking.note_dropped()
    # A reading whose copies are all barred has no choice, but was looked at.
    tracking.pay_for_choices(max(tried, len(readings)), size)
    return found


def _after_meld_in_history(
    before: ReadingsWithHistory,
    wanted: dict[str, int],
    held: dict[str, int],
    allows: ReusePredicate,
    bit: int,
) -> ReadingsWithHistory:
    """The same where a history is kept: all readings while these are few, then some that differ much."""
    step, budget = _melded(wanted, held, bit, allows), before.history.searches.budget
    if before.complete and budget.is_ample:
        choices = choices_by_reading(before, wanted, held)
        most = copy_history.MOST_READINGS_LISTED
        found, tried, all_tried = _first_laid(choices, allows, bit, 0, most, MOST_CHOICES_LISTED)
        budget.spend(STEPS_A_CHOICE * tried)
        if all_tried:
            return readings_after_step(before, found, step)
    choices = _choices_in_turn(before, wanted, held)
    most = copy_history.READINGS_SAMPLED
    found, tried, _ = _first_laid(choices, allows, bit, 0, most, MOST_CHOICES_SAMPLED)
    budget.spend(STEPS_A_CHOICE * tried)
    return readings_after_step(before, found, step, all_found=False)


def _first_laid(
    choices: Iterable[ReadingChoice],
    allows: ReusePredicate,
    bit: int,
    supersedes: int,
    most: int,
    most_tried: int,
) -> tuple[Readings, int, bool]:
    """The first readings after a meld, at most so many, of so many choices tried; how many were, and if these are all."""
    found: dict[Reading, None] = {}
    tried = 0
    for reading, chosen in choices:
        if tried == most_tried or len(found) == most:
            return tuple(found), tried, False
        tried += 1
        if allows(chosen, reading):
            found[reading_after_meld(reading, chosen, bit, supersedes)] = None
    return tuple(found), tried, True


def _choices_in_turn(
    readings: Readings, wanted: dict[str, int], held: dict[str, int]
) -> Iterator[ReadingChoice]:
    """As `choices_by_reading`, but one choice of every reading at a time, so that the first of them differ much."""
    choices = [choices_by_reading((reading,), wanted, held) for reading in readings]
    while choices:
        choices_left = []
        for of_reading in choices:
            choice = next(of_reading, None)
            if choice is not None:
                choices_left.append(of_reading)
                yield choice
        choices = choices_left


def _melded(
    wanted: dict[str, int], held: dict[str, int], bit: int, allows: ReusePredicate
) -> CopiesMelded:
    cards = sorted(wanted.items())
    return CopiesMelded(tuple(cards), tuple([held.get(card, 0) for card, _ in cards]), bit, allows)


def may_meld(
    readings: Readings,
    cards: Iterable[str],
    held: dict[str, int],
    allows: ReusePredicate,
    budget: ReadingBudget | None = None,
) -> bool:
    """Whether this set may be melded in some reading; False where the search for one was given up.

    Few choices of copies are tried for nothing; those beyond are paid from the `budget`, and all are tried without one.
    """
    wanted = count_cards(cards)
    choices = choices_by_reading(readings, wanted, held)
    if type(readings) is not ReadingsWithHistory:
        if any(allows(chosen, reading) for reading, chosen in islice(choices, FREE_CHOICES)):
            return True
        return _is_any_allowed(choices, allows, len(readings[0]) + sum(wanted.values()), budget)
    # Beyond that many a search of the history is quicker.
    first_choices = islice(choices, MOST_CHOICES_BEFORE_SOLVER)
    if any(allows(chosen, reading) for reading, chosen in first_choices):
        return True
    if readings.complete and next(choices, None) is None:
        return False
    return readings.history.allows(_melded(wanted, held, 0, allows))


def _is_any_allowed(
    choices: Iterable[ReadingChoice],
    allows: ReusePredicate,
    cards: int,
    budget: ReadingBudget | None,
) -> bool:
    """Whether one of these choices, each of so many cards, is allowed, as far as the budget lasts."""
    if budget is None:
        return any(allows(chosen, reading) for reading, chosen in choices)
    steps, found = STEPS_A_CHOICE * size_of(cards), False
    for reading, chosen in choices:
        if steps > budget.left:
            budget.gave_up = True
            return False
        budget.spend(steps)
        if found := allows(chosen, reading):
            break
    return found


def after_marking(
    readings: Readings, card: str, held: int, bit: int, *, lacks: int = 0
) -> Readings:
    """The readings with one copy of a card marked, taken among those that lack some bits."""
    found: dict[Reading, None] = {}
    for reading in readings:
        for chosen in copy_choices(reading, {card: 1}, {card: held}):
            mark = chosen[0][1]
            if not mark & lacks:
                unchosen = without_copies(reading, chosen)
                found[tuple(sorted((*unchosen, (card, mark | bit))))] = None
    return tuple(found)


def after_fresh_meld(
    readings: Readings, cards: Iterable[str], held: dict[str, int], bit: int
) -> Readings:
    """The readings after a meld of cards none of which is marked in any of them."""
    if type(readings) is ReadingsWithHistory:
        after = after_fresh_meld(tuple(readings), cards, held, bit)
        return readings_after_step(
            readings, after, _melded(count_cards(cards), held, bit, allow_unmarked_copies)
        )
    marked = [(card, bit | LAID_BIT) for card in cards]
    if len(readings) == 1:
        return (tuple(sorted([*readings[0], *marked])),)
    return tuple([tuple(sorted([*reading, *marked])) for reading in readings])


def after_capture(readings: Readings, cards: Iterable[str]) -> Readings:
    """The readings of a pile after these cards came to it, new; the new ones of before are old."""
    old = ~(NEW_BIT | USED_BIT)
    new = [(card, NEW_BIT) for card in cards]
    return _different(
        [
            tuple(sorted([*[(card, mark & old) for card, mark in reading if mark & old], *new]))
            for reading in readings
        ]
    )


def after_taking_up(readings: Readings, *, scoring: bool) -> Readings:
    """The readings after all laid cards went back to the hand (law C7).

    Where nothing will be melded any more (`scoring` false) only a spent dix is still told apart.
    """
    if type(readings) is ReadingsWithHistory:
        after = after_taking_up(tuple(readings), scoring=scoring)
        return readings_after_step(readings, after, MeldsTakenUp()) if scoring else after
    kept_bits = ~(LAID_BIT | SEEN_BIT) if scoring else SPENT_BIT
    if len(readings) == 1 and not any([mark & kept_bits for _, mark in readings[0]]):
        return NOTHING_MARKED
    return _different(
        [
            tuple(sorted([(card, mark & kept_bits) for card, mark in reading if mark & kept_bits]))
            for reading in readings
        ]
    )


def after_breaking(readings: Readings, sets: int, forget: int, trace: int) -> Readings:
    """The readings in which these melds, still lying there, have lost a card to a trick."""
    return _different(
        [reading_after_play(list(reading), sets, forget, trace) for reading in readings]
    )


def laid_bounds(readings: Readings) -> dict[str, tuple[int, int]]:
    """The least and the largest number of copies of each card that lie on the table."""
    if type(readings) is ReadingsWithHistory:
        past = readings.history
        if past.bounds is None:
            found = _bounds_of(tuple(readings))
            past.bounds = found if readings.complete else _widened(past, found)
        return past.bounds
    return _bounds_of(readings)


def _bounds_of(readings: Readings) -> dict[str, tuple[int, int]]:
    """The bounds, from memory where the readings are few enough to keep."""
    few = sum(map(len, readings[:1])) * len(readings) <= MOST_PAIRS_REMEMBERED
    return _remembered_bounds(readings) if few else _lying(readings)


def _widened(past: CopyHistory, found: dict[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """The bounds over all readings, widened from those over some by asking for readings outside them."""
    wider = {}
    for card in sorted(past.cards):
        least, most = found.get(card, (0, 0))
        surely_least, surely_most = past.sure_bounds(card)
        while least > surely_least and past.allows(CopiesLying(card, least - 1, at_least=False)):
            least -= 1
        while most < surely_most and past.allows(CopiesLying(card, most + 1, at_least=True)):
            most += 1
        wider[card] = least, most
    return wider


def _lying(readings: Readings) -> dict[str, tuple[int, int]]:
    found: dict[str, tuple[int, int]] = {}
    for number, reading in enumerate(readings):
        counts = dict.fromkeys(found, 0)
        for card, mark in reading:
            if mark & LAID_BIT:
                counts[card] = counts.get(card, 0) + 1
        for card, count in counts.items():
            least, most = found.get(card, (0 if number else count, count))
            found[card] = min(least, count), max(most, count)
    return found


_remembered_bounds = lru_cache(maxsize=64)(_lying)


def marked_cards(readings: Readings) -> frozenset[str]:
    """The cards of which some copy is marked in some reading."""
    if readings is NOTHING_MARKED:
        return NO_CARDS
    if type(readings) is ReadingsWithHistory and not readings.complete:
        return readings.history.cards
    if len(readings) == 1:
        return frozenset([pair[0] for pair in readings[0]])
    return frozenset([pair[0] for reading in readings for pair in reading])


def followed(readings: Readings, tracking: ReadingTracking) -> Readings:
    """As many of these readings as are followed: any one that survives proves the record legal."""
    if len(readings) <= tracking.limit:
        return readings
    tracking.note_dropped()
    if tracking.few:
        return _likely_to_survive(readings, tracking.limit)
    return copy_history.scattered(sorted(readings), tracking.limit)


def _likely_to_survive(readings: Readings, most: int) -> Readings:
    """So many readings: mostly those with the fewest different marks, which forbid least, and some unlike them.

    Of the mixtures tried on self-played games, this one ran out least often.
    """
    by_marks = sorted(readings, key=_count_marks)
    least = 3 * most // 4
    return (*by_marks[:least], *copy_history.scattered(by_marks[least:], most - least))


def _count_marks(reading: Reading) -> int:
    """How many different marks the copies of a reading have."""
    every = 0
    for _, mark in reading:
        every |= mark
    return every.bit_count()
