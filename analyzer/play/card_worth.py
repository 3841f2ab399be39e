"""What cards, melds and tricks are worth to a base player, in points.

The tables are made from the data of a sheet and from weights, which were fitted by play sheet by sheet
(`analyzer.play.fitting`): one for each trump suit and each number of cards that are still to be drawn, when it is needed.

A meld of `points` that lacks some cards is worth the points times the chance to complete it in time. Of the cards that
would help, each comes into the hand before the close with a share that depends on the draws left alone; so the chance to
get one of several is known, and several that are needed are taken as independent.
"""

from collections.abc import Iterable
from functools import lru_cache
from math import exp
from typing import NamedTuple

from analyzer.play.base_weights import BaseWeights, weights_for
from analyzer.play.fast_rules import ALL_CARDS, FastMeld, FastRules, TrumpRules, each_bit
from records.rules.vocabulary import ReuseRule, When

ERAS = 6
"""The stock is parted into so many parts; in each but the last everything is worth what it is worth in its middle."""
LEAST_WORTH = 1.0
"""If the dearest meld adds less to the worth of a trick, in points, nobody looks for melds that are ready: that is slow."""
CARDS_THAT_HELP = 10
"""So many cards are taken to help a meld of captured cards: most of them lie in piles and hands of either seat."""


class MeldRow(NamedTuple):
    """A meld as the tables have it: `lows` are the lowest bits of its `faces`, which are numbers, `full` all its cards.

    Of its `shape` it depends what is counted: faces held, cards of one need, or cards of several needs.
    """

    shape: int
    lows: int
    full: int
    faces: tuple[int, ...]
    meld: FastMeld


ONE_EACH, ONE_NEED, MANY_NEEDS = range(3)
GainTable = list[list[float]]
"""What a card adds to a meld, by how many of its cards are held with it and how many that would help are unseen."""


class SheetWorth:
    """The worth of things in one sheet with certain weights; `under` has it by trump suit."""

    __slots__ = ("_chances", "_hopes", "rules", "stock", "under", "weights")

    _chances: dict[tuple[int, int, int, float], GainTable]
    _hopes: dict[int, tuple[list[float], list[float]]]

    def __init__(self, rules: FastRules, weights: BaseWeights) -> None:
        self.rules, self.weights = rules, weights
        sheet = rules.sheet
        self.stock = max(1, rules.compiled.pack_size - 2 * sheet.rules.hand[2])
        self._chances, self._hopes = {}, {}
        self.under = {trump: TrumpWorth(self, view) for trump, view in rules.under.items()}

    def chance_to_score(self, left: int) -> float:
        """The chance to win a trick in which a meld may be scored."""
        in_close = self.rules.compiled.phases[1].melds > 0
        return 1 - (1 - self.weights.win) ** ((left + 1) // 2 + in_close)

    def hopes(self, left: int) -> tuple[list[float], list[float]]:
        """The hope to win with a low card led, and with a brisque, by the number of unseen cards that take it."""
        if left not in self._hopes:
            hand, weights = self.rules.written.hand[2], self.weights
            share, numbers = hand / (left + hand), range(self.rules.compiled.pack_size)
            self._hopes[left] = (
                [exp(-weights.low_beaten * share * unseen) for unseen in numbers],
                [exp(-weights.brisque_beaten * share * unseen) for unseen in numbers],
            )
        return self._hopes[left]

    def chances(self, left: int, size: int, width: int, chain: float) -> GainTable:
        """The chance to complete a meld of some size, by cards missing and by unseen cards that help, up to `width`."""
        key = (left, size, width, chain)
        if key not in self._chances:
            share = left / 2 / (left + self.rules.written.hand[2])
            self._chances[key] = [
                [
                    (chain * (1 - (1 - share) ** (unseen / missing))) ** missing if missing else 1.0
                    for unseen in range(width + 1)
                ]
                for missing in range(size + 1)
            ]
        return self._chances[key]


class TrumpWorth:
    """The worth of things under one trump suit, or under none yet."""

    __slots__ = (
        "_piles", "_shifts", "alike", "beats", "block", "bound_by", "bound_with", "copies", "counts_sets", "idle", "lows", "may_break", "melds",
        "near_others", "near_sets", "owner", "plain", "points", "rivals", "rows", "stages", "view",
    )  # fmt: skip

    def __init__(self, owner: SheetWorth, view: TrumpRules) -> None:
        self.owner, self.view = owner, view
        cards, copies = view.cards, owner.rules.written.pack.packs
        self.alike, self.beats = cards.alike, cards.beats
        self.block = (1 << copies) - 1
        self.lows = sum(mask & -mask for mask in cards.faces.values())
        self._shifts = _shifts(copies)
        self.rows = [_row(meld, self.lows, copies) for meld in view.melds]
        self.melds = view.melds
        self.points = [meld.points for meld in view.melds]
        self.copies = copies
        sets = [row.full for row in self.rows if row.shape == ONE_EACH]
        others = [row.full for row in self.rows if row.shape != ONE_EACH]
        self.near_sets = [_near(face, sets) for face in cards.alike]
        self.near_others = [_near(face, others) for face in cards.alike]
        melded = _near(ALL_CARDS, [*sets, *others])
        self.plain = sum(mask for mask in cards.faces.values() if not mask & melded)
        self.idle = sum(
            mask
            for face, mask in cards.faces.items()
            if mask & self.plain
            and face[1] != view.trump
            and not owner.rules.compiled.is_brisque[face]
        )
        compiled, law = owner.rules.compiled, owner.rules.written.reuse
        self.counts_sets = bool(compiled.counts_sets)
        self.may_break = law.rule is ReuseRule.AUGMENT_OR_RESTORE
        apart = not law.once_ever
        self.rivals = [
            [
                row.meld.place
                for row in self.rows
                if row.lows & own.lows
                and not (apart and row.meld.rule.family != own.meld.rule.family)
            ]
            for own in self.rows
        ]
        self.bound_by = [self._bound_by(own) for own in self.rows]
        of_face = [self._bound_with(face) for face in cards.faces.values()]
        self.bound_with = [each for each in of_face for _ in range(copies)]
        self.stages: list[Stage | None] = [None] * (2 * owner.rules.compiled.pack_size)
        self._piles: dict[int, list[PileRows]] = {}

    def stage(self, left: int) -> "Stage":
        """The tables when about so many cards are still to be drawn: for several tricks the same, but not for the last."""
        step = max(2, self.owner.stock // ERAS)
        middle = -(-left // step) * step - step // 2 if left > step else left
        found = self.stages[middle] or Stage(self, middle)
        self.stages[middle] = self.stages[left] = found
        return found

    def pile_rows(self, left: int) -> list["PileRows"]:
        """The melds that a captured card belongs to, by the number of its face; `left` is rounded up to eights."""
        found = self._piles.get(left)
        if found is None:
            found = self._piles[left] = _pile_rows(self, left)
        return found

    def _bound_by(self, own: MeldRow) -> int:
        """The melds whose bound cards change when a meld is scored, as bits: those of its family.

        Where cards that move on to another meld free what they leave, it is all that share a card with it.
        """
        moves = self.counts_sets and not self.may_break
        return sum(
            1 << row.meld.place
            for row in self.rows
            if (moves or row.meld.rule.family == own.meld.rule.family)
            and (self.may_break or row.lows & own.lows)
        )

    def _bound_with(self, face: int) -> int:
        """The melds whose bound cards change when a card of a face that has scored leaves, as bits.

        Where that breaks a meld, others of its family may be formed again.
        """
        melds = [row for row in self.rows if row.full & face]
        families = {row.meld.rule.family for row in melds} if self.may_break else set()
        return sum(
            1 << row.meld.place
            for row in self.rows
            if row.full & face or row.meld.rule.family in families
        )

    def faces_of(self, hand: int) -> int:
        """The lowest bits of the faces of a hand."""
        for shift in self._shifts:
            hand |= hand >> shift
        return hand & self.lows


def _shifts(copies: int) -> tuple[int, ...]:
    """By what to shift a hand to the right, one after the other, so that every face held has its lowest bit set."""
    shifts, span = [], 1
    while span < copies:
        shifts.append(min(span, copies - span))
        span += shifts[-1]
    return tuple(shifts)


def _near(face: int, melds: Iterable[int]) -> int:
    """All cards of those melds that a face belongs to."""
    near = 0
    for full in melds:
        near |= full if full & face else 0
    return near


def _face_numbers(lows: int, copies: int) -> list[int]:
    return [(low.bit_length() - 1) // copies for low in each_bit(lows)]


def _row(meld: FastMeld, lows: int, copies: int) -> MeldRow:
    full = meld.full
    if all(number == 1 for _, number in meld.needs):
        shape = ONE_EACH
    else:
        shape = ONE_NEED if len(meld.needs) == 1 else MANY_NEEDS
    faces = tuple(_face_numbers(full & lows, copies))
    return MeldRow(shape, full & lows, full, faces, meld)


class SetRow(NamedTuple):
    """A meld of one card of each face, as a stage has it for a card of it; `place` is that of the meld."""

    lows: int
    full: int
    gains: GainTable
    place: int


class LikeRow(NamedTuple):
    """A meld of like cards; `gains` has what a card adds by how many of its cards are held with it.

    How many others are unseen is taken from how many cards are: to count them each time won two points a deal (± 4) in
    Zique and less in Bezique, and took longer.
    """

    full: int
    gains: list[float]
    place: int


class PairsRow(NamedTuple):
    """A meld of several like cards of more than one face, such as double bezique."""

    full: int
    gains: GainTable
    needs: tuple[tuple[int, int], ...]
    place: int


CardRows = tuple[list[SetRow], list[LikeRow], list[PairsRow]]
"""The melds that a card belongs to."""


class Stage:
    """What things are worth when so many cards are still to be drawn; lists have a value for the place of every card.

    `ready` is the chance that a meld which is ready can still be scored, `now` what the dearest is worth in this trick, as
    a factor of its points. `win` is the worth of the trick itself.

    A card that is played is worth `given` if it loses the trick and `taken` if it wins it, in both cases without the melds
    that it could still be in: `tables` has these. `twice` is what a brisque of one's own makes between winning and losing it.
    `kept` is the hope to win with a card led, by the number of unseen cards that take it; `shown` is what is left of that
    hope where a card is known that takes it. `leads` has together the cards that take a card, `kept`, `twice` and `given`.
    """

    __slots__ = (
        "brisques", "given", "kept", "leads", "left", "mine", "now", "ready",
        "shown", "tables", "taken", "theirs", "twice", "win",
    )  # fmt: skip

    def __init__(self, owner: "TrumpWorth", left: int) -> None:
        self.left = left
        self._weigh_tricks(owner.owner)
        static = self._worth_in_hand(owner)
        cards = owner.view.cards
        brisque = self._brisque(owner.owner)
        self.brisques = [brisque * each for each in cards.is_brisque]
        self.twice = [2 * each for each in self.brisques]
        self.taken = [own - kept for own, kept in zip(self.brisques, static, strict=True)]
        self.given = [-own - kept for own, kept in zip(self.brisques, static, strict=True)]
        self._weigh_leads(owner)
        self.tables = MeldTables(owner, left)

    def _weigh_tricks(self, sheet: SheetWorth) -> None:
        weights, phases, left = sheet.weights, sheet.rules.compiled.phases, self.left
        tricks = (left + 1) // 2
        in_close = phases[1].melds > 0
        self.ready = sheet.chance_to_score(left)
        last_chance = (1 - weights.win) ** (max(0, tricks - 1) + in_close)
        self.now = weights.now * last_chance if self.ready else 0.0
        dearest = sheet.rules.under[None].melds[0].points
        if self.now * dearest < LEAST_WORTH:
            self.now = 0.0
        self.mine, self.theirs = weights.mine, weights.theirs
        self.win = weights.slot if left else 0.0
        for bonus in sheet.rules.written.bonuses:
            if bonus.tricks is When.LAST_STOCK_TRICK and 0 < left <= 2:
                self.win += bonus.points if bonus.goes_to(0) == 0 else -bonus.points

    def _brisque(self, sheet: SheetWorth) -> float:
        brisques = sheet.rules.written.brisques
        return sheet.weights.brisque * (brisques.points_at_the_end or brisques.points)

    def _worth_in_hand(self, owner: "TrumpWorth") -> list[float]:
        """What each card is worth for tricks to come."""
        rules, weights, trump = owner.owner.rules, owner.owner.weights, owner.view.trump
        strength = rules.compiled.strength
        scale = 1 + weights.late * (1 - self.left / owner.owner.stock)
        top, found = max(strength.values()), []
        for face in owner.view.cards.faces:
            high = strength[face] / top
            worth = weights.plain_rank * high
            if face[1] == trump:
                worth = weights.trump + weights.trump_rank * high
            worth *= scale
            if self.left and rules.has_dixes and face == f"7{trump}":
                worth += weights.seven
            found += [worth] * owner.copies
        return found

    def _weigh_leads(self, owner: "TrumpWorth") -> None:
        weights, is_brisque = owner.owner.weights, owner.view.cards.is_brisque
        low, high = owner.owner.hopes(self.left)
        self.kept = [high if each else low for each in is_brisque]
        of_low, of_high = exp(-weights.low_beaten), exp(-weights.brisque_beaten)
        self.shown = [of_high if each else of_low for each in is_brisque]
        self.leads = [*zip(owner.beats, self.kept, self.twice, self.given, strict=True)]


class MeldTables:
    """What cards are worth in melds when so many cards are still to be drawn.

    `rows` has the melds by the place of a card.
    """

    __slots__ = ("left", "ready", "rows")

    def __init__(self, owner: TrumpWorth, left: int) -> None:
        self.left, self.ready = left, owner.owner.chance_to_score(left)
        self._weigh_melds(owner)

    def _weigh_melds(self, owner: "TrumpWorth") -> None:
        numbers = range(len(owner.view.cards.faces))
        sets: list[list[SetRow]] = [[] for _ in numbers]
        likes: list[list[LikeRow]] = [[] for _ in numbers]
        pairs: list[list[PairsRow]] = [[] for _ in numbers]
        made: dict[tuple[int, int, int, float], GainTable] = {}
        weights = owner.owner.weights
        for place, (shape, lows, full, faces, meld) in enumerate(owner.rows):
            width = full.bit_count()
            chain = weights.rank_chain if shape == ONE_NEED else weights.chain
            key = (meld.points, meld.size, width, chain)
            if key not in made:
                made[key] = self._gain_table(owner.owner, *key)
            gains = made[key]
            for face in faces:
                if shape == ONE_EACH:
                    sets[face].append(SetRow(lows, full, gains, place))
                elif shape == ONE_NEED:
                    likes[face].append(LikeRow(full, self._expected(owner, gains), place))
                else:
                    pairs[face].append(PairsRow(full, gains, meld.needs, place))
        rows = [*zip(sets, likes, pairs, strict=True)]
        self.rows = [of_face for of_face in rows for _ in range(owner.copies)]

    def _expected(self, owner: "TrumpWorth", gains: GainTable) -> list[float]:
        """What a card adds by how many of its cards are held, with as many others unseen as there should be."""
        hand = owner.owner.rules.written.hand[2]
        share = (self.left + hand) / (owner.owner.rules.compiled.pack_size - hand)
        width = len(gains) - 1
        return [gains[held][round((width - held) * min(1.0, share))] for held in range(width + 1)]

    def _gain_table(
        self, sheet: SheetWorth, points: int, size: int, width: int, chain: float
    ) -> GainTable:
        """By how many cards of a meld are held, and how many that would help are unseen."""
        chances = sheet.chances(self.left, size, width + 1, chain)
        worth = points * self.ready
        none = [0.0] * (width + 1)
        gains = [none]
        for missing in reversed(range(size)):
            with_it, without = chances[missing], chances[missing + 1]
            gains.append([worth * (with_it[n] - without[n + 1]) for n in range(width + 1)])
        return gains + [none] * (width - size)


class PileRow(NamedTuple):
    """A meld of captured cards, for one face of it.

    `gains` is what one card more of the face is worth by the number already in the pile, in points. What is counted depends
    on the shape of the meld: faces by their lowest bits `lows`; its `cards`; or, where the meld has several `needs`, what
    serves these, as long as fewer than `number` of the `cards` of the face are there.
    """

    lows: int
    cards: int
    gains: list[float]
    needs: tuple[tuple[int, int], ...]
    number: int


PileRows = tuple[list[PileRow], list[PileRow]]
"""The melds of a face: those to which one card more may add if none of the face is in the pile, and if one is."""


def _pile_rows(owner: TrumpWorth, left: int) -> list[PileRows]:
    sheet = owner.owner
    weights = sheet.weights
    faces = owner.view.cards.faces
    found: list[PileRows] = [([], []) for _ in faces]
    for shape, lows, full, _, meld in owner.rows:
        chain = weights.rank_chain if shape == ONE_NEED else weights.chain
        by_missing = sheet.chances(left, meld.size, CARDS_THAT_HELP, chain)
        chances = [by_unseen[CARDS_THAT_HELP] for by_unseen in by_missing]
        gains = [
            meld.points * (chances[missing - 1] - chances[missing])
            for missing in range(meld.size, 0, -1)
        ]
        for cards, number in meld.needs:
            if shape == ONE_EACH:
                row = PileRow(lows, 0, gains, (), number)
            elif shape == ONE_NEED:
                enough = [0.0] * (full.bit_count() + 1 - number)
                row = PileRow(0, full, gains + enough, (), number)
            else:
                row = PileRow(0, cards, gains, meld.needs, number)
            for (first, more), mask in zip(found, faces.values(), strict=True):
                if mask & cards:
                    first.append(row)
                    if shape != ONE_EACH:
                        more.append(row)
    return found


@lru_cache(maxsize=64)
def worth_for(rules: FastRules) -> SheetWorth:
    """The worth of things in a sheet, with its own weights."""
    return SheetWorth(rules, weights_for(rules.sheet.id))
