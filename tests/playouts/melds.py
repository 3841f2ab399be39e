"""Which cards are which meld, and when cards may score again: the rulebooks' words on real cards."""

from collections import Counter
from collections.abc import Callable

from records.rules.vocabulary import (
    FirstMeld,
    LeavesBy,
    MeldRule,
    ReuseRule,
    RuleSheet,
    TrumpsBy,
)
from tests.playouts.world import Scored, World
from tests.records.rules.changed_sheets import pattern_text

SUITS = "SHDC"
LISTS = "αβγδεζηθ"
"""Letters of a suit that the cards of one list share, each time that the list is repeated."""


def row_of(
    sheet: RuleSheet, world: World, name: str, faces: list[str], *, scores: bool
) -> MeldRule | None:
    """The line of the sheet's table that these cards are under this name."""
    rows = [row for row in sheet.rules.melds if row.name == name]
    if world.trump is None and name in trump_makers(sheet, scores=scores):
        # The first one makes its own suit trumps, and is worth what a trump one is.
        found = [row for row in rows if any(_forms(sheet, row, faces, suit) for suit in SUITS)]
        return next((row for row in found if _letters(row) == {"t"}), None)
    return next((row for row in rows if _forms(sheet, row, faces, world.trump)), None)


def trump_makers(sheet: RuleSheet, *, scores: bool) -> tuple[str, ...]:
    """The melds that make trumps where there are none: when they score, or when they are only shown."""
    if not isinstance(sheet.rules.trumps, FirstMeld):
        return ()
    return sheet.rules.trumps.melds if scores or sheet.rules.trumps.when is TrumpsBy.LAID else ()


def _letters(row: MeldRule) -> set[str]:
    return {slot[-1] for slot in pattern_text(row.cards).rpartition(" * ")[2].split()}


def size_of(row: MeldRule) -> int:
    """How many cards a meld has."""
    times, _, pattern = pattern_text(row.cards).rpartition(" * ")
    return int(times or 1) * len(pattern.split())


def ranks_of(row: MeldRule) -> str:
    """The ranks of its cards."""
    slots = pattern_text(row.cards).rpartition(" * ")[2].split()
    return "".join(dict.fromkeys("".join(slot[:-1].strip("[]") for slot in slots)))


def _forms(sheet: RuleSheet, row: MeldRule, faces: list[str], trump: str | None) -> bool:
    """Whether cards are exactly a meld's: its notation laid against them, card by card."""
    if trump is None and "t" in _letters(row):
        return False
    times, _, pattern = pattern_text(row.cards).rpartition(" * ")
    slots = [
        slot.replace("m", LISTS[turn])
        for turn in range(int(times or 1))
        for slot in pattern.split()
    ]
    plain = [suit for suit in SUITS if suit != trump]
    by_trump = changes_with_trumps(sheet) and trump in ("S", "D")
    suits = {
        "x": SUITS,
        "t": trump or "",
        **{suit: suit for suit in SUITS},
        **({"Q": "C", "J": "H"} if by_trump else {"Q": "S", "J": "D"}),
    }
    return any(_fits(slots, {**suits, "p": suit}, Counter(faces)) for suit in plain)


def changes_with_trumps(sheet: RuleSheet) -> bool:
    cards = sheet.rules.bezique_cards
    return cards is not None and cards["S"] != cards["none"]


def _fits(slots: list[str], suits: dict[str, str], faces: Counter[str]) -> bool:
    if not slots:
        return not +faces
    if slots[0][0] == "[":
        # One of these ranks is chosen for the whole meld.
        ranks = slots[0][:-1]
        return any(
            _fits([slot.replace(ranks, rank) for slot in slots], suits, faces)
            for rank in ranks[1:-1]
        )
    if slots[0][1] in LISTS:
        return any(
            _fits([slot.replace(slots[0][1], suit) for slot in slots], suits, faces)
            for suit in SUITS
        )
    rank, letter = slots[0]
    return any(
        faces[rank + suit] > 0 and _fits(slots[1:], suits, faces - Counter([rank + suit]))
        for suit in suits[rank if letter == "b" else letter]
    )


def may_score(
    sheet: RuleSheet, world: World, seat: int, row: MeldRule, cards: frozenset[str]
) -> bool:
    """Whether these very cards may score this meld now, by the sheet's rule of reuse."""
    before, reuse = world.scored[seat], sheet.rules.reuse
    if reuse.once_ever and any(meld.cards & cards for meld in before):
        return False
    return _RULES[reuse.rule](sheet, world, seat, row, cards)


def _once_per_set(
    sheet: RuleSheet, world: World, seat: int, row: MeldRule, cards: frozenset[str]
) -> bool:
    """R-SET: not the very set again."""
    return all(m.cards != cards for m in world.scored[seat] if m.row.kind == row.kind)


def _once_per_kind(
    sheet: RuleSheet, world: World, seat: int, row: MeldRule, cards: frozenset[str]
) -> bool:
    """R-KIND and R-CLASS: no card twice in a kind; the class climbs as the sheet says."""
    before = world.scored[seat]
    if any(m.cards & cards for m in before if m.row.kind == row.kind):
        return False
    return _climbs(sheet, before, row, cards)


def _climbs(sheet: RuleSheet, before: list[Scored], row: MeldRule, cards: frozenset[str]) -> bool:
    """Not down from a bigger meld of the class, not up with nothing new, unless the sheet allows it."""
    reuse = sheet.rules.reuse
    down = reuse.sequence_then_marriage if row.family == "sequence" else reuse.double_then_single
    family = [m for m in before if m.row.family == row.family and m.row.kind != row.kind]
    if not down and any(m.row.level > row.level and m.cards & cards for m in family):
        return False
    lower = frozenset[str]().union(*(m.cards for m in family if m.row.level < row.level))
    return reuse.singles_then_double or not cards <= lower


def _reformed(
    sheet: RuleSheet, world: World, seat: int, row: MeldRule, cards: frozenset[str]
) -> bool:
    """R-RUB and R-PORT: again once a card has left; two marriages may change partners."""
    before, held = world.scored[seat], world.hands[seat]
    if not _climbs(sheet, before, row, cards):
        return False
    same = [(i, m) for i, m in enumerate(before) if m.row.kind == row.kind]
    if any(m.cards == cards for _, m in same):
        return False
    if row.kind == "marriage" and all(any(c in m.cards for _, m in same) for c in cards):
        return True

    def has_left(card: str, number: int) -> bool:
        later = any(card in m.cards for m in before[number + 1 :])
        by_meld = sheet.rules.reuse.card_leaves_by is LeavesBy.PLAYED_OR_MELDED and later
        return card not in held or by_meld

    return all(
        any(has_left(card, i) for card in m.cards - cards) for i, m in same if m.cards & cards
    )


def _restored(
    sheet: RuleSheet, world: World, seat: int, row: MeldRule, cards: frozenset[str]
) -> bool:
    """R-001: once in a class, unless a bezique grows or a meld that lost a card is made whole."""
    before, held = world.scored[seat], world.hands[seat]
    ever = [m for m in before if m.row.family == row.family]
    if not any(m.cards & cards for m in ever):
        return True
    standing = [
        m for i, m in enumerate(before)
        if m.row.family == row.family and (seat, i) not in world.replaced
    ]  # fmt: skip
    touched = [m for m in standing if m.cards & cards]
    if touched and all(m.row.level < row.level and m.cards <= cards for m in touched):
        singles = frozenset[str]().union(*(m.cards for m in ever))
        return sheet.rules.reuse.singles_then_double or not cards <= singles
    return any(
        m.row.kind == row.kind
        and not m.cards <= held
        and m.cards & held <= cards
        and not any(other.cards & (cards - m.cards) for other in ever)
        for m in touched
    )


def _leaves_the_hand(
    sheet: RuleSheet, world: World, seat: int, row: MeldRule, cards: frozenset[str]
) -> bool:
    return True


_RULES: dict[ReuseRule, Callable[..., bool]] = {
    ReuseRule.ONCE_PER_SET: _once_per_set,
    ReuseRule.ONCE_PER_KIND: _once_per_kind,
    ReuseRule.UPWARD_IN_CLASS: _once_per_kind,
    ReuseRule.REFORMED_AFTER_LEAVING: _reformed,
    ReuseRule.AUGMENT_OR_RESTORE: _restored,
    ReuseRule.LEAVES_THE_HAND: _leaves_the_hand,
}


def note(sheet: RuleSheet, world: World, seat: int, row: MeldRule, cards: frozenset[str]) -> None:
    """Remember a meld scored; where melds grow and are restored, it stands for those it touches."""
    if sheet.rules.reuse.rule is ReuseRule.AUGMENT_OR_RESTORE:
        world.replaced |= {
            (seat, i) for i, m in enumerate(world.scored[seat])
            if m.row.family == row.family and m.cards & cards
        }  # fmt: skip
    world.scored[seat].append(Scored(row, cards))
