"""Which card a base player plays.

A card is weighed by the tables of `analyzer.play.card_worth`. `lead_card`, `closed_lead`, `reply_card` and their two
siblings for games in which melds are made of captured cards take what their seat knows, and nothing else: `hand`;
`unseen`, the cards that are face down or hidden in the other hand; `shown`, those of the other hand that have scored; `win`,
what it is worth to win the trick, in points.

Where the worth in melds does not matter a card is chosen at once; the others are weighed, the likeliest first.
"""

from collections.abc import Sequence

from analyzer.play.card_worth import MeldTables, PileRows, SheetWorth, Stage, TrumpWorth
from analyzer.play.fast_deal import FastDeal
from analyzer.play.fast_rules import ALL_CARDS, FastMeld, ScoredCards, lawful_set

NO_CHOICE_YET = -1e9
"""Less than any choice is worth, in points."""


# What a hand is worth in melds.


class HandWorth:
    """What the melds that a seat has scored mean for its hand, and which melds are ready; kept from trick to trick.

    `ready` has cards that may score a meld, by its place; they may until the seat scores one of its rivals. `bound_faces`
    are all cards of melds that some cards are kept out of by the rule of reuse, as long as no meld is `stale`.
    """

    __slots__ = ("_bound", "_deal", "bound_faces", "ready", "scored", "seat", "stale", "worth")

    def __init__(self, deal: FastDeal, seat: int, worth: TrumpWorth) -> None:
        self._deal, self.seat, self.worth = deal, seat, worth
        self.scored: ScoredCards = deal.scored[seat]
        self.ready: dict[int, int] = {}
        self._bound = [0] * len(worth.rows)
        self.stale = worth.view.all_melds if self.scored.ever else 0
        self.bound_faces = 0

    def lose_scored_card(self, place: int) -> None:
        """A card that has scored was played: more melds may be formed again than before, or in one game fewer."""
        worth = self.worth
        if worth.counts_sets:
            self.stale |= worth.bound_with[place]
        if worth.may_break:
            self.ready = {}

    def score(self, meld: FastMeld) -> None:
        """A meld was scored."""
        worth = self.worth
        self.stale |= worth.bound_by[meld.place]
        for rival in worth.rivals[meld.place]:
            self.ready.pop(rival, None)

    def note_bound(self) -> None:
        """Note the cards that the rule of reuse keeps out of each meld, by its place, and all faces of such melds."""
        scored, bound, stale, found = self.scored, self._deal.bound, self.stale, self._bound
        ever, faces, rows = scored.ever, 0, self.worth.rows
        while stale:
            bit = stale & -stale
            stale ^= bit
            row = rows[bit.bit_length() - 1]
            full = row.full & ever
            found[bit.bit_length() - 1] = bound(row.meld, scored) & full if full else 0
        for tied, row in zip(found, rows, strict=True):
            if tied:
                faces |= row.full
        self.bound_faces, self.stale = faces, 0

    def lawful_set(self, meld: FastMeld, hand: int) -> int:
        """Cards that may score a meld, 0 if there are none; if possible such as have not scored: they stay in the hand longer."""
        if self.stale:
            self.note_bound()
        scored, cards = self.scored, hand & ~self._bound[meld.place]
        return lawful_set(self._deal.law, meld, cards, scored, ~scored.ever)

    def copy_of(self, place: int, cards: int) -> int:
        """Of these cards the one to play like that at a place: if possible one that has scored, so that the others stay free."""
        like = cards & self.worth.alike[place]
        like = like & self.scored.ever or like
        return like & -like

    def weigh_bound(
        self, tables: MeldTables, like: int, hand: int, held: int, unseen: int
    ) -> float:
        """What the first of like cards may still score where cards of some of its melds have scored and are bound.

        `held` are the lowest bits of the faces of the hand; returns points.
        """
        bound, worth = self._bound, self.worth
        card = self.copy_of(like.bit_length() - 1, like)
        rows = tables.rows[card.bit_length() - 1]
        missing = unseen & ~(held * worth.block)
        value = 0.0
        sets, likes, pairs = rows
        for lows, full, gains, place in sets:
            tied = bound[place]
            if not tied:
                if like == card:
                    value += gains[(held & lows).bit_count()][(missing & full).bit_count()]
            elif (like & ~tied) == card:
                free, have, helpful = hand & ~tied, 0, 0
                for mask, _ in worth.melds[place].needs:
                    if free & mask:
                        have += 1
                    else:
                        helpful += (unseen & mask).bit_count()
                value += gains[have][helpful]
        for full, line, place in likes:
            tied = bound[place]
            if not tied & card:
                value += line[(hand & ~tied & full).bit_count()]
        for full, gains, needs, place in pairs:
            tied = bound[place]
            if not tied & card:
                value += gains[_counted(needs, hand & ~tied)][(unseen & full).bit_count()]
        return value


def _counted(needs: tuple[tuple[int, int], ...], cards: int) -> int:
    """How many of these cards serve a meld."""
    found = 0
    for mask, number in needs:
        of_mask = (cards & mask).bit_count()
        found += of_mask if of_mask < number else number
    return found


# Cards.


def choose_card_by(deal: FastDeal, lawful: int, sheet_worth: SheetWorth) -> int:
    """The card that a player plays of those allowed to whom things are worth this."""
    if not lawful & (lawful - 1):
        return lawful
    worth = sheet_worth.under[deal.view.trump]
    left = len(deal.stock) + (deal.turn_up > 0)
    stage = worth.stages[left] or worth.stage(left)
    seat, other = deal.seat, 1 - deal.seat
    hand, down = deal.hands[seat], sum(deal.stock)
    if deal.rules.compiled.melds_captured:
        piles = PileWorth(worth, deal.captured[seat]), PileWorth(worth, deal.captured[other])
        for pile in piles:
            pile.begin(left)
        unseen = down | deal.hands[other]
        if deal.led:
            return capturing_reply(worth, stage, lawful, deal.led, *piles)
        return capturing_lead(worth, stage, lawful, unseen, *piles)
    own = HandWorth(deal, seat, worth)
    win = worth_of_winning(deal, stage, own, hand)
    shown = deal.hands[other] & deal.scored[other].ever
    unseen = down | deal.hands[other] ^ shown
    if deal.led:
        return reply_card(stage, own, hand, lawful, deal.led, unseen, win)
    if deal.phase.draws:
        return lead_card(stage, own, hand, unseen, shown, win)
    owed = deal.view.duties[deal.phase.name]
    return closed_lead(stage, own, hand, unseen | shown, owed, win)


def lead_card(stage: Stage, own: HandWorth, hand: int, unseen: int, shown: int, win: float) -> int:
    """The card to lead while there is a stock.

    A low card that is good for nothing is led at once, as long as no meld could come too late: what it would be weighed
    against was led instead of it in one of forty cases at most, and with six packs in one of fifteen.
    """
    worth, leads = own.worth, stage.leads
    if not stage.now and (idle := hand & worth.idle):
        return idle & -idle
    held = worth.faces_of(hand)
    chosen, most = 0, NO_CHOICE_YET
    others: list[tuple[float, int]] = []
    plain = held & worth.plain
    for faces in (plain, held ^ plain):
        while faces:
            place = faces.bit_length() - 1
            low = 1 << place
            faces ^= low
            takers, chances, twice, given = leads[place]
            value = chances[(unseen & takers).bit_count()] * (win + twice) + given
            if shown & takers:
                value = given + (value - given) * stage.shown[place]
            if value > most:
                if low & plain:
                    chosen, most = place, value
                else:
                    others.append((value, place))
    if others:
        chosen = _best_card(stage, own, hand, held, unseen, chosen, most, others)
    return own.copy_of(chosen, hand)


def _best_card(
    stage: Stage, own: HandWorth, hand: int, held: int, unseen: int, chosen: int, most: float, others: list[tuple[float, int]]
) -> int:  # fmt: skip
    """The place of the best of cards whose worth in melds is not yet counted and of one that has none, at this place, worth most."""
    worth, tables = own.worth, stage.tables
    alike, rows_of, missing = worth.alike, tables.rows, unseen & ~(held * worth.block)
    if own.stale:
        own.note_bound()
    bound_faces = own.bound_faces
    if len(others) > 1:
        others.sort(reverse=True)
    for value, place in others:
        # What a card is worth in melds only lessens the wish to play it, so that no later one can be better.
        if value <= most:
            break
        like = hand & alike[place]
        if like & bound_faces:
            value -= own.weigh_bound(tables, like, hand, held, unseen)
        else:
            sets, likes, pairs = rows_of[place]
            for full, line, _ in likes:
                value -= line[(hand & full).bit_count()]
            if not like & (like - 1):
                for lows, full, gains, _ in sets:
                    value -= gains[(held & lows).bit_count()][(missing & full).bit_count()]
            if value <= most:
                continue
            for full, gains, needs, _ in pairs:
                value -= gains[_counted(needs, hand)][(unseen & full).bit_count()]
        if value > most:
            chosen, most = place, value
    return chosen


def closed_lead(
    stage: Stage, own: HandWorth, hand: int, others: int, owed: Sequence[tuple[int, ...]], win: float
) -> int:  # fmt: skip
    """The card to lead after the close: the `others` are known, and which of them are `owed` to each card."""
    worth = own.worth
    faces = held = worth.faces_of(hand)
    plain = worth.plain if stage.ready else held
    chosen, most = 0, NO_CHOICE_YET
    melded: list[tuple[float, int]] = []
    while faces:
        low = faces & -faces
        faces ^= low
        place = low.bit_length() - 1
        answers = others
        for group in owed[place]:
            if others & group:
                answers = others & group
                break
        value = stage.given[place]
        if not answers & worth.beats[place]:
            value += stage.twice[place] + win
        if value > most:
            if low & plain:
                chosen, most = place, value
            else:
                melded.append((value, place))
    if melded:
        chosen = _best_card(stage, own, hand, held, others, chosen, most, melded)
    return own.copy_of(chosen, hand)


def reply_card(
    stage: Stage, own: HandWorth, hand: int, lawful: int, led: int, unseen: int, win: float
) -> int:
    """The card to play to a card led."""
    worth = own.worth
    lead = led.bit_length() - 1
    gain, beaten = stage.brisques[lead], worth.beats[lead]
    idle = lawful & worth.idle & ~beaten
    if idle and not lawful & beaten:
        return idle & -idle
    faces = worth.faces_of(lawful)
    melded = ~worth.plain if stage.ready else 0
    chosen, most = 0, NO_CHOICE_YET
    others: list[tuple[float, int]] = []
    winning = faces & beaten
    losing = faces ^ winning
    if idle:
        # The lowest of them is the best of all cards that lose the trick.
        chosen = (idle & -idle).bit_length() - 1
        most, losing = stage.given[chosen] - gain, 0
    for some, values, trick in ((losing, stage.given, -gain), (winning, stage.taken, gain + win)):
        while some:
            place = some.bit_length() - 1
            low = 1 << place
            some ^= low
            value = values[place] + trick
            if value > most:
                if low & melded:
                    others.append((value, place))
                else:
                    chosen, most = place, value
    if others:
        held = faces if lawful == hand else worth.faces_of(hand)
        chosen = _best_card(stage, own, hand, held, unseen, chosen, most, others)
    return own.copy_of(chosen, lawful)


# Cards where melds are made of captured ones.


class PileWorth:
    """What a card more would be worth in the pile of captured cards of a seat, by the number of its face, in points.

    That of `stale` cards is not known now. `held` are all cards of the faces in the pile.
    """

    __slots__ = ("_rows", "held", "left", "pile", "stale", "values", "worth")

    def __init__(self, worth: TrumpWorth, pile: int) -> None:
        self.worth, self.pile, self.left = worth, pile, -1
        self._rows: list[PileRows] = []
        self.values = [0.0] * len(worth.view.cards.faces)
        self.held = worth.faces_of(pile) * worth.block
        self.stale = ALL_CARDS

    def begin(self, left: int) -> None:
        """Take note of how many cards are still to be drawn; rounded up to eights, so that values serve several tricks."""
        left = -(-left // 8) * 8
        if left != self.left:
            self.left, self._rows = left, self.worth.pile_rows(left)
            self.stale = ~self.worth.plain

    def take(self, place: int) -> None:
        """Add the card at a place to the pile: of the sets that it belongs to, only its first copy changes what others add."""
        worth = self.worth
        like, stale = worth.alike[place], worth.near_others[place]
        if not self.held & like:
            stale |= like | worth.near_sets[place] & ~self.held
            self.held |= like
        self.pile |= 1 << place
        self.stale |= stale

    def weigh(self, cards: int) -> None:
        """Find what those of these cards are worth that are stale."""
        worth, values, rows, pile = self.worth, self.values, self._rows, self.pile
        alike, copies, faces = worth.alike, worth.copies, self.held
        cards, stale = cards & self.stale, self.stale
        while cards:
            place = cards.bit_length() - 1
            like = alike[place]
            cards &= ~like
            stale &= ~like
            face, value = place // copies, 0.0
            for lows, counted, gains, needs, number in rows[face][faces & like > 0]:
                if lows:
                    value += gains[(faces & lows).bit_count()]
                elif not needs:
                    value += gains[(pile & counted).bit_count()]
                elif (pile & counted).bit_count() < number:
                    value += gains[_counted(needs, pile)]
            values[face] = value
        self.stale = stale


def capturing_lead(
    worth: TrumpWorth, stage: Stage, hand: int, unseen: int, mine: PileWorth, theirs: PileWorth
) -> int:
    """The card to lead."""
    alike, copies, leads = worth.alike, worth.copies, stage.leads
    chosen, most = 0, NO_CHOICE_YET
    for pile in (mine, theirs):
        if pile.stale & hand:
            pile.weigh(hand)
    won_values, lost_values = mine.values, theirs.values
    of_mine, of_theirs, win = stage.mine, stage.theirs, stage.win
    while hand:
        low = hand & -hand
        place = low.bit_length() - 1
        hand &= ~alike[place]
        face = place // copies
        takers, chances, twice, given = leads[place]
        lost = lost_values[face] * of_theirs
        won = won_values[face] * of_mine + win
        value = given - lost + chances[(unseen & takers).bit_count()] * (twice + won + lost)
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
    for pile in (mine, theirs):
        if pile.stale & led:
            pile.weigh(led)
    won_values, lost_values = mine.values, theirs.values
    of_mine, of_theirs = stage.mine, stage.theirs
    win = stage.win + gain + of_mine * won_values[lead // copies]
    lost = gain + of_theirs * lost_values[lead // copies]
    chosen, most = 0, NO_CHOICE_YET
    while lawful:
        low = lawful & -lawful
        place = low.bit_length() - 1
        lawful &= ~alike[place]
        if low & beaten:
            value = stage.taken[place] + win
            if value > most:
                if mine.stale & low:
                    mine.weigh(low)
                value += of_mine * won_values[place // copies]
        else:
            value = stage.given[place] - lost
            if value > most:
                if theirs.stale & low:
                    theirs.weigh(low)
                value -= of_theirs * lost_values[place // copies]
        if value > most:
            chosen, most = low, value
    return chosen


# What winning a trick allows.


def worth_of_winning(deal: FastDeal, stage: Stage, own: HandWorth, hand: int) -> float:
    """What it is worth to win this trick, by the dearest meld that is ready."""
    hopes = deal.hopeful[own.seat]
    if not hopes or not stage.now:
        return stage.win
    ready, melds, dearest = own.ready, own.worth.melds, 0
    while hopes:
        bit = hopes & -hopes
        place = bit.bit_length() - 1
        if place in ready and not ready[place] & ~hand:
            break
        for mask, number in melds[place].needs:
            if (hand & mask).bit_count() < number:
                break
        else:
            if cards := own.lawful_set(melds[place], hand):
                ready[place] = cards
                break
        hopes ^= bit
    deal.hopeful[own.seat] = hopes
    if hopes:
        dearest = own.worth.points[place]
    return stage.win + stage.now * dearest
