"""What a base player chooses: the card to play, and the meld to score.

A card is weighed by the tables of `analyzer.play.card_worth`. `lead_card`, `closed_lead`, `reply_card` and their two
siblings for games in which melds are made of captured cards take what their seat knows, and nothing else. Their common
arguments: `hand`, and `unseen`, the cards that are face down or hidden in the other hand; `shown`, those of the other hand
that have scored; `ever`, the cards of the hand that have; `bound`, what the rule of reuse keeps out of melds; `win`, what
it is worth to win the trick, in points.

They look through the faces of a hand from the lowest place on, and stop where no later one can be worth more.
"""

from collections.abc import Sequence
from itertools import islice

from analyzer.play.card_worth import CardRows, PileRow, SheetWorth, Stage, TrumpWorth
from analyzer.play.fast_deal import FastDeal
from analyzer.play.fast_rules import FastMeld, ScoredCards, first_set_of, score_cards, sets_of

NO_CHOICE_YET = -1e9
"""Less than any choice is worth, in points."""


# Cards.


def choose_card_by(deal: FastDeal, lawful: int, sheet_worth: SheetWorth) -> int:
    """The card that a player plays of those allowed to whom things are worth this."""
    if not lawful & (lawful - 1):
        return lawful
    worth = sheet_worth.under[deal.view.trump]
    left = len(deal.stock) + (deal.turn_up > 0)
    stage = worth.stages[left] or worth.stage(left)
    seat, other = deal.seat, 1 - deal.seat
    hand, scored = deal.hands[seat], deal.scored[seat]
    down = sum(deal.stock)
    if deal.rules.compiled.melds_captured:
        piles = PileWorth(worth, deal.captured[seat]), PileWorth(worth, deal.captured[other])
        for pile in piles:
            pile.begin(left)
        unseen = down | deal.hands[other]
        if deal.led:
            return capturing_reply(worth, stage, lawful, deal.led, *piles)
        return capturing_lead(worth, stage, lawful, unseen, *piles)
    bound = bound_sets(deal, seat, worth)
    win = stage.win
    if deal.hopeful[seat]:
        win += worth_of_melding(deal, worth, stage, seat, hand, {})
    shown = deal.hands[other] & deal.scored[other].ever
    unseen = down | deal.hands[other] ^ shown
    if deal.led:
        return reply_card(worth, stage, hand, lawful, deal.led, unseen, scored.ever, bound, win)
    if deal.phase.draws:
        return lead_card(worth, stage, hand, unseen, shown, scored.ever, bound, win)
    owed = deal.view.duties[deal.phase.name]
    return closed_lead(worth, stage, hand, unseen | shown, owed, scored.ever, bound, win)


BoundSets = tuple[int, list[int]] | None
"""The cards that the rule of reuse keeps out of each meld, by its place, and all cards of such melds; None if there are none."""


def bound_sets(deal: FastDeal, seat: int, worth: TrumpWorth) -> BoundSets:
    """What the rule of reuse binds for a seat."""
    scored = deal.scored[seat]
    ever = scored.ever
    if not ever:
        return None
    bound, found, touched = deal.bound, [0] * len(worth.rows), 0
    for place, row in enumerate(worth.rows):
        full = row.full & ever
        if full and (cards := bound(row.meld, scored) & full):
            found[place] = cards
            touched |= row.full
    return (touched, found) if touched else None


def lead_card(
    worth: TrumpWorth, stage: Stage, hand: int, unseen: int, shown: int, ever: int, bound: BoundSets, win: float
) -> int:  # fmt: skip
    """The card to lead while there is a stock."""
    held = hand
    for shift in worth.shifts:
        held |= held >> shift
    faces = held = held & worth.lows
    alike, beats, kept, given = worth.alike, worth.beats, stage.kept, stage.given
    twice, best_led, rows_of = stage.twice, stage.best_led, stage.rows
    missing = unseen & ~(held * worth.block)
    lift = win if win > 0 else 0
    chosen, most = 0, NO_CHOICE_YET
    while faces:
        low = faces & -faces
        faces ^= low
        place = low.bit_length() - 1
        if lift + best_led[place] <= most:
            break
        takers = beats[place]
        chance = kept[place][(unseen & takers).bit_count()]
        if shown & takers:
            chance *= stage.shown[place]
        value = chance * (win + twice[place]) + given[place]
        if value > most:
            if rows := rows_of[place]:
                value -= _worth_in_melds(
                    worth,
                    stage,
                    rows,
                    hand,
                    held,
                    missing,
                    unseen,
                    hand & alike[place],
                    ever,
                    bound,
                )
                if value <= most:
                    continue
            chosen, most = place, value
    like = hand & alike[chosen]
    like = like & ever or like
    return like & -like


def closed_lead(
    worth: TrumpWorth, stage: Stage, hand: int, others: int, owed: Sequence[tuple[int, ...]], ever: int, bound: BoundSets, win: float
) -> int:  # fmt: skip
    """The card to lead after the close: the other hand is known, and what it owes to each card."""
    alike, beats, given, twice = worth.alike, worth.beats, stage.given, stage.twice
    held = hand
    for shift in worth.shifts:
        held |= held >> shift
    faces = held = held & worth.lows
    missing = others & ~(held * worth.block)
    chosen, most = 0, NO_CHOICE_YET
    while faces:
        low = faces & -faces
        faces ^= low
        place = low.bit_length() - 1
        answers = others
        for group in owed[place]:
            if others & group:
                answers = others & group
                break
        value = given[place]
        if not answers & beats[place]:
            value += twice[place] + win
        if value > most:
            if stage.ready and (rows := stage.rows[place]):
                value -= _worth_in_melds(
                    worth,
                    stage,
                    rows,
                    hand,
                    held,
                    missing,
                    others,
                    hand & alike[place],
                    ever,
                    bound,
                )
                if value <= most:
                    continue
            chosen, most = place, value
    like = hand & alike[chosen]
    like = like & ever or like
    return like & -like


def reply_card(
    worth: TrumpWorth, stage: Stage, hand: int, lawful: int, led: int, unseen: int, ever: int, bound: BoundSets, win: float
) -> int:  # fmt: skip
    """The card to play to a card led."""
    held, faces, lows = hand, lawful, worth.lows
    for shift in worth.shifts:
        held |= held >> shift
    held &= lows
    if lawful == hand:
        faces = held
    else:
        for shift in worth.shifts:
            faces |= faces >> shift
        faces &= lows
    missing = unseen & ~(held * worth.block)
    alike, rows_of = worth.alike, stage.rows
    lead = led.bit_length() - 1
    gain, beaten = stage.brisques[lead], worth.beats[lead]
    chosen, most = 0, NO_CHOICE_YET
    # First the cards that lose the trick, then those that win it.
    for some, values, best, more in (
        (faces & ~beaten, stage.given, stage.best_given, -gain),
        (faces & beaten, stage.taken, stage.best_taken, gain + win),
    ):
        faces = some
        while faces:
            low = faces & -faces
            faces ^= low
            place = low.bit_length() - 1
            if best[place] + more <= most:
                break
            value = values[place] + more
            if value > most:
                if rows := rows_of[place]:
                    value -= _worth_in_melds(
                        worth,
                        stage,
                        rows,
                        hand,
                        held,
                        missing,
                        unseen,
                        hand & alike[place],
                        ever,
                        bound,
                    )
                    if value <= most:
                        continue
                chosen, most = place, value
    like = lawful & alike[chosen]
    like = like & ever or like
    return like & -like


def _worth_in_melds(
    worth: TrumpWorth, stage: Stage, rows: CardRows, hand: int, held: int, missing: int, unseen: int, like: int, ever: int, bound: BoundSets
) -> float:  # fmt: skip
    """What the first of like cards may still score in the melds that it belongs to."""
    if bound and bound[0] & like:
        return _worth_where_bound(
            worth, stage, rows, hand, held, missing, unseen, like, ever, bound[1]
        )
    value = 0.0
    sets, counts = rows
    if not like & (like - 1):
        for lows, full, gains, _ in sets:
            value += gains[(held & lows).bit_count()][(missing & full).bit_count()]
    for full, gains, needs, _ in counts:
        number = _counted(needs, hand) if needs else (hand & full).bit_count()
        value += gains[number][(unseen & full).bit_count()]
    return value


def _counted(needs: tuple[tuple[int, int], ...], cards: int) -> int:
    """How many of these cards serve a meld."""
    found = 0
    for mask, number in needs:
        of_mask = (cards & mask).bit_count()
        found += of_mask if of_mask < number else number
    return found


def _worth_where_bound(
    worth: TrumpWorth, stage: Stage, rows: CardRows, hand: int, held: int, missing: int, unseen: int, like: int, ever: int, bound: list[int]
) -> float:  # fmt: skip
    """The same where cards of some of these melds have scored and are bound."""
    card = like & ever or like
    card &= -card
    value = 0.0
    sets, counts = rows
    for lows, full, gains, place in sets:
        tied = bound[place]
        if not tied:
            if like == card:
                value += gains[(held & lows).bit_count()][(missing & full).bit_count()]
        elif tied & card:
            value -= _worth_restored(worth, stage, place, hand & full & tied, unseen & full)
        elif (like & ~tied) == card:
            free, number, helpful = hand & ~tied, 0, 0
            for mask, _ in worth.melds[place].needs:
                if free & mask:
                    number += 1
                else:
                    helpful += (unseen & mask).bit_count()
            value += gains[number][helpful]
    for full, gains, needs, place in counts:
        tied = bound[place]
        if tied & card:
            value -= _worth_restored(worth, stage, place, hand & full & tied, unseen & full)
            continue
        free = hand & ~tied
        number = _counted(needs, free) if needs else (free & full).bit_count()
        value += gains[number][(unseen & full).bit_count()]
    return value


def _worth_restored(worth: TrumpWorth, stage: Stage, place: int, whole: int, helpful: int) -> float:
    """What it is worth that a meld which lies whole may be formed again once a card has left it."""
    if worth.owner.reforms and whole.bit_count() >= worth.rows[place].meld.size:
        scale, chances = stage.restore[place]
        return scale * chances[helpful.bit_count()]
    return 0.0


# Cards where melds are made of captured ones.


class PileWorth:
    """What a card more would be worth in the pile of captured cards of a seat, by the number of its face, in points."""

    __slots__ = ("_faces", "_rows", "_values", "left", "pile", "worth")

    def __init__(self, worth: TrumpWorth, pile: int) -> None:
        self.worth, self.pile, self.left = worth, 0, -1
        self._faces = 0
        self._rows: list[list[PileRow]] = []
        self._values: list[float] = []
        self.take(pile)

    def begin(self, left: int) -> None:
        """Take note of how many cards are still to be drawn; rounded up to eights, so that values serve several tricks."""
        left = -(-left // 8) * 8
        if left != self.left:
            self.left, self._rows = left, self.worth.pile_rows(left)
            self._values = [UNKNOWN] * len(self._rows)

    def take(self, cards: int) -> None:
        """Add cards to the pile."""
        self.pile |= cards
        copies, values, worth = self.worth.copies, self._values, self.worth
        while cards:
            low = cards & -cards
            cards ^= low
            face = (low.bit_length() - 1) // copies
            self._faces |= 1 << face * copies
            if values:
                for neighbour in worth.neighbours[face]:
                    values[neighbour] = UNKNOWN

    def of(self, face: int) -> float:
        """The worth of a face."""
        value = self._values[face]
        if value >= 0:
            return value
        pile, value = self.pile, 0.0
        for lows, cards, number, needs, gains in self._rows[face]:
            if (pile & cards).bit_count() < number:
                value += gains[_counted(needs, pile) if needs else (self._faces & lows).bit_count()]
        self._values[face] = value
        return value


UNKNOWN = -1.0


def capturing_lead(
    worth: TrumpWorth, stage: Stage, hand: int, unseen: int, mine: PileWorth, theirs: PileWorth
) -> int:
    """The card to lead."""
    alike, beats, copies = worth.alike, worth.beats, worth.copies
    chosen, most = 0, NO_CHOICE_YET
    while hand:
        low = hand & -hand
        place = low.bit_length() - 1
        hand &= ~alike[place]
        face = place // copies
        lost = theirs.of(face) * stage.theirs
        won = mine.of(face) * stage.mine + stage.win
        chance = stage.kept[place][(unseen & beats[place]).bit_count()]
        value = stage.given[place] - lost + chance * (stage.twice[place] + won + lost)
        if value > most:
            chosen, most = low, value
    return chosen


def capturing_reply(
    worth: TrumpWorth, stage: Stage, lawful: int, led: int, mine: PileWorth, theirs: PileWorth
) -> int:
    """The card to play to a card led."""
    alike, copies = worth.alike, worth.copies
    lead = led.bit_length() - 1
    beaten, gain = worth.beats[lead], stage.brisques[lead]
    win = stage.win + gain + stage.mine * mine.of(lead // copies)
    lost = gain + stage.theirs * theirs.of(lead // copies)
    chosen, most = 0, NO_CHOICE_YET
    while lawful:
        low = lawful & -lawful
        place = low.bit_length() - 1
        lawful &= ~alike[place]
        if low & beaten:
            value = stage.taken[place] + win
            if value > most:
                value += stage.mine * mine.of(place // copies)
        else:
            value = stage.given[place] - lost
            if value > most:
                value -= stage.theirs * theirs.of(place // copies)
        if value > most:
            chosen, most = low, value
    return chosen


# Melds.


KnownSets = dict[int, int]
"""Sets of cards that may score a meld, by its place; such a set may score until the seat scores or plays a card that has."""


def worth_of_melding(
    deal: FastDeal, worth: TrumpWorth, stage: Stage, seat: int, pool: int, known: KnownSets
) -> float:
    """What it is worth to win this trick for the melds that are ready."""
    if not stage.ready:
        return 0.0
    hopes, melds, points, scored = deal.hopeful[seat], worth.melds, worth.points, deal.scored[seat]
    left, best, total = hopes, 0, 0
    while left:
        bit = left & -left
        left ^= bit
        place = bit.bit_length() - 1
        if place not in known or known[place] & ~pool:
            cards = _lawful_set(deal, melds[place], pool, scored)
            if not cards:
                hopes ^= bit
                continue
            known[place] = cards
        total += points[place]
        if points[place] > best:
            best = points[place]
    deal.hopeful[seat] = hopes
    return stage.now * best + stage.more * (total - best)


def _lawful_set(deal: FastDeal, meld: FastMeld, pool: int, scored: ScoredCards) -> int:
    """Cards that may score a meld, 0 if there are none: rather such as have scored before."""
    for mask, number in meld.needs:
        if (pool & mask).bit_count() < number:
            return 0
    ever, law = scored.ever, deal.law
    cards = pool & ~deal.bound(meld, scored)
    found = first_set_of(meld, cards, ever)
    # Mostly the first set will do; to list them all takes longer.
    if found and not law(meld, found, scored):
        for found in islice(sets_of(meld, cards, ever), 1, None):
            if law(meld, found, scored):
                return found
        return 0
    return found


def make_melds(deal: FastDeal, worth: SheetWorth) -> None:
    """Show or exchange sevens and score melds, as far as the winner of the trick may."""
    while deal.left > 0:
        if dix := next(deal.lawful_dixes(), None):
            deal.dix(*dix)
        elif best := choose_meld(deal, worth):
            deal.meld(*best)
        else:
            return


def choose_meld(deal: FastDeal, worth: SheetWorth) -> tuple[FastMeld, int] | None:
    """The meld to score, and its cards; None if there is none."""
    seat = deal.window
    assert seat is not None
    hopes, melds, scored = deal.hopeful[seat], deal.view.melds, deal.scored[seat]
    pool, left = deal.meldable(seat), hopes
    found: list[tuple[FastMeld, int]] = []
    while left:
        bit = left & -left
        left ^= bit
        meld = melds[bit.bit_length() - 1]
        if cards := _lawful_set(deal, meld, pool, scored):
            found.append((meld, cards))
        else:
            hopes ^= bit
    deal.hopeful[seat] = hopes
    if len(found) < 2:
        return found[0] if found else None
    return _best_of(deal, worth, pool, found)


def _best_of(
    deal: FastDeal, sheet_worth: SheetWorth, pool: int, found: list[tuple[FastMeld, int]]
) -> tuple[FastMeld, int]:
    """The meld that brings most together with those that can still be scored after it."""
    families = {meld.rule.family for meld, _ in found}
    if len(families) == len(found):
        return found[0]
    assert deal.window is not None
    scored = deal.scored[deal.window]
    left = len(deal.stock) + (deal.turn_up > 0)
    weights = sheet_worth.weights
    share = 1.0
    if deal.left < 2:
        share = weights.order * (1 - (1 - weights.win) ** max(0, (left - 1) // 2))
    best, most = found[0], NO_CHOICE_YET
    for meld, cards in found:
        after = scored.copy()
        score_cards(deal.rules, deal.view.melds_freed, after, meld, cards)
        later = sum(
            other.points
            for other, _ in found
            if other is not meld and _lawful_set(deal, other, pool, after)
        )
        value = meld.points + share * later
        if value > most:
            best, most = (meld, cards), value
    return best
