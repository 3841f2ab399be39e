"""Cards of plain suits that the other seat does not have: only how many of them are brisques matters."""

from analyzer.annotate.solver.units import COUNT_PER_TRICK

VoidCardCounts = tuple[int, int, int, int]
"""So many loose cards more or fewer: brisques and others of the seat to lead, then of the other seat."""


class VoidCards:
    """The loose cards of both seats, seen from the seat to lead; made once, and kept by `VoidCardsCache`.

    `run` counts the tricks and units they make on the lead where nobody can ruff them. `led` are the
    worths of the cards that may be led, each with what is left then; `thrown` is what the other seat
    throws if it throws one: a brisque only if there is nothing else, for otherwise the two cards are
    alike and it would keep the dearer one.
    """

    __slots__ = ("counts", "flip", "known", "led", "mine", "run", "theirs", "thrown")

    def __init__(self, counts: VoidCardCounts, unit: int) -> None:
        brisques, others, their_brisques, their_others = counts
        self.counts = counts
        self.mine = brisques + others
        self.theirs = their_brisques + their_others
        self.run = self.mine * COUNT_PER_TRICK + brisques * unit
        self.flip = self
        self.known: dict[VoidCardCounts, VoidCards] = {}
        self.led: list[tuple[int, VoidCards]] | None = None
        self.thrown: list[tuple[int, VoidCards]] | None = None


class VoidCardsCache:
    """Every count of loose cards met so far, `brisque` units being the worth of a brisque."""

    def __init__(self, brisque: int) -> None:
        self.brisque = brisque
        self.known: dict[VoidCardCounts, VoidCards] = {}

    def of(self, counts: VoidCardCounts) -> VoidCards:
        """The loose cards of these counts."""
        loose = self.known.get(counts)
        if loose is None:
            loose = self.known[counts] = VoidCards(counts, self.brisque)
            turned = flip_counts(counts)
            if turned != counts:
                loose.flip = self.known[turned] = VoidCards(turned, self.brisque)
                loose.flip.flip = loose
        return loose

    def after(self, loose: VoidCards, change: VoidCardCounts) -> VoidCards:
        """What a change leaves."""
        left = loose.known.get(change)
        if left is None:
            mine, others, theirs, their_others = loose.counts
            counts = (
                mine + change[0],
                others + change[1],
                theirs + change[2],
                their_others + change[3],
            )
            left = loose.known[change] = self.of(counts)
        return left

    def led(self, loose: VoidCards) -> list[tuple[int, VoidCards]]:
        """What the seat to lead may lead: the worth, and what is left."""
        if loose.led is None:
            loose.led = []
            if loose.counts[0]:
                loose.led.append((self.brisque, self.after(loose, (-1, 0, 0, 0))))
            if loose.counts[1]:
                loose.led.append((0, self.after(loose, (0, -1, 0, 0))))
        return loose.led

    def thrown(self, loose: VoidCards) -> list[tuple[int, VoidCards]]:
        """What the other seat may throw, as far as it needs to be asked: at most one way."""
        if loose.thrown is None:
            loose.thrown = []
            if loose.counts[3]:
                loose.thrown = [(0, self.after(loose, (0, 0, 0, -1)))]
            elif loose.counts[2]:
                loose.thrown = [(self.brisque, self.after(loose, (0, 0, -1, 0)))]
        return loose.thrown


def flip_counts(counts: VoidCardCounts) -> VoidCardCounts:
    """Counts seen from the other seat."""
    mine, others, theirs, their_others = counts
    return theirs, their_others, mine, others
