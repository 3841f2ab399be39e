"""Void cards: cards of plain suits in which the other seat is void.

Nothing but a trump can beat them, so only their number matters, and how many of them are brisques. Four
numbers stand for all of them, whatever their suits.
"""

from analyzer.annotate.solver.units import COUNT_PER_TRICK

VoidCardCounts = tuple[int, int, int, int]
"""Numbers of void cards, or changes of them: brisques and others of the leader, then of the other seat."""


class VoidCards:
    """The void cards of both seats, seen from the seat to lead; made once by `VoidCardsCache`.

    `run` counts the tricks and units they take when led where nobody can ruff. `leads` lists the units of
    each card that may be led with what it leaves, `throws` the same for the card the other seat throws.
    """

    __slots__ = ("by_change", "counts", "flip", "leads", "mine", "run", "theirs", "throws")

    def __init__(self, counts: VoidCardCounts, unit: int) -> None:
        brisques, others, their_brisques, their_others = counts
        self.counts = counts
        self.mine = brisques + others
        self.theirs = their_brisques + their_others
        self.run = self.mine * COUNT_PER_TRICK + brisques * unit
        self.flip = self
        self.by_change: dict[VoidCardCounts, VoidCards] = {}
        self.leads: list[tuple[int, VoidCards]] | None = None
        self.throws: list[tuple[int, VoidCards]] | None = None


class VoidCardsCache:
    """All void cards met so far, by their counts; a brisque is `brisque` units."""

    def __init__(self, brisque: int) -> None:
        self.brisque = brisque
        self.by_counts: dict[VoidCardCounts, VoidCards] = {}

    def with_counts(self, counts: VoidCardCounts) -> VoidCards:
        """The void cards with these counts."""
        cards = self.by_counts.get(counts)
        if cards is None:
            cards = self.by_counts[counts] = VoidCards(counts, self.brisque)
            flipped = flip_counts(counts)
            if flipped != counts:
                cards.flip = self.by_counts[flipped] = VoidCards(flipped, self.brisque)
                cards.flip.flip = cards
        return cards

    def after(self, cards: VoidCards, change: VoidCardCounts) -> VoidCards:
        """The void cards after a change, cached with the cards themselves: this is asked most of all."""
        left = cards.by_change.get(change)
        if left is None:
            mine, others, theirs, their_others = cards.counts
            counts = (
                mine + change[0],
                others + change[1],
                theirs + change[2],
                their_others + change[3],
            )
            left = cards.by_change[change] = self.with_counts(counts)
        return left

    def leads(self, cards: VoidCards) -> list[tuple[int, VoidCards]]:
        """What the seat to lead may lead: the units of the card, and what is left."""
        if cards.leads is None:
            cards.leads = []
            if cards.counts[0]:
                cards.leads.append((self.brisque, self.after(cards, (-1, 0, 0, 0))))
            if cards.counts[1]:
                cards.leads.append((0, self.after(cards, (0, -1, 0, 0))))
        return cards.leads

    def throws(self, cards: VoidCards) -> list[tuple[int, VoidCards]]:
        """What the other seat may throw: at most one card is worth trying.

        A void card takes no trick unless led, and a brisque led takes as much as any other. So a seat
        throws a brisque only when it has nothing else.
        """
        if cards.throws is None:
            cards.throws = []
            if cards.counts[3]:
                cards.throws = [(0, self.after(cards, (0, 0, 0, -1)))]
            elif cards.counts[2]:
                cards.throws = [(self.brisque, self.after(cards, (0, 0, -1, 0)))]
        return cards.throws


def flip_counts(counts: VoidCardCounts) -> VoidCardCounts:
    """Counts seen from the other seat."""
    mine, others, theirs, their_others = counts
    return theirs, their_others, mine, others
