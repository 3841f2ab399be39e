"""Which readings a story allows, where there are too many to list: asked of a SAT solver.

A variable says that a step took a certain copy. The clauses say that so many copies were taken, that what
was played is gone, where a card was taken from, and what the rule of reuse demands (see `demands`). Every
step's clauses hold only while its own variable `on` is assumed, so a story that branches, as where a meld
is considered and not made, goes on with the same solver.
"""

from collections.abc import Iterable

from records.engine.copies.history import (
    CopiesLying,
    CopiesMelded,
    CopyHistory,
    CopyLeft,
    MeldsTakenUp,
)
from records.engine.copies.marks import (
    LAID_BIT,
    SEEN_BIT,
    Reading,
    Readings,
    mark_after_scoring,
    mark_without_sets,
)
from records.engine.copies.sat_clauses import Clauses, EncodedStep
from records.engine.copies.sat_reuse import ReuseEncoder, constraint_of, copies_taken


class SatSearch:
    """A solver for the stories of one seat; `sets` are the bits that mark the sets scored."""

    def __init__(self, sets: int) -> None:
        self._sets = sets
        self._clauses = Clauses()
        self._encoded: dict[CopyHistory, EncodedStep] = {}

    def __call__(self, story: CopyHistory) -> Readings | None:
        """A reading that the story allows, if there is one; None if the search was given up."""
        chain = self._chain(story)
        true = self._clauses.solve([one.on for one in chain])
        if not true:
            return None if true is None else ()
        return (_reading_of(chain, true, self._sets),)

    def _chain(self, story: CopyHistory) -> list[EncodedStep]:
        chain: list[EncodedStep] = []
        for part in reversed([*story.chain()]):
            if part not in self._encoded:
                self._encoded[part] = self._encode(part, chain)
            chain.append(self._encoded[part])
        return chain

    def _encode(self, story: CopyHistory, before: list[EncodedStep]) -> EncodedStep:
        now = EncodedStep(story, self._clauses.fresh(1)[0], {})
        match story.step:
            case CopyLeft(card, held, where):
                self._take(now, card, 1, held, before)
                self._from(now, card, where, before)
            case CopiesMelded(wanted, held, _, allows):
                for (card, number), of_card in zip(wanted, held, strict=True):
                    self._take(now, card, number, of_card, before)
                if rule := constraint_of(allows):
                    ReuseEncoder(self._clauses, rule, self._sets, before).make(now)
            case CopiesLying():
                self._lie(now, story.step, before)
        return now

    def _take(
        self, now: EncodedStep, card: str, number: int, held: int, before: list[EncodedStep]
    ) -> None:
        """So many copies of a card are taken, none of which is gone; those never touched in their order."""
        touched = [one for one in before if card in one.took]
        gone = [one for one in touched if isinstance(one.step, CopyLeft)]
        now.took[card] = taken = self._clauses.fresh(held + len(gone))
        self._clauses.at_least(now.on, taken, number)
        self._clauses.at_most(now.on, taken, number)
        for copy, mine in enumerate(taken):
            for left in gone:
                for other in left.copy(card, copy):
                    self._clauses.add(-now.on, -mine, -other)
            if copy:
                known = [v for one in touched for v in one.took[card][copy - 1 : copy + 1]]
                self._clauses.add(-now.on, -mine, taken[copy - 1], *known)

    def _from(
        self, now: EncodedStep, card: str, where: str | None, before: list[EncodedStep]
    ) -> None:
        """The copy lies on the table, or does not, where the record says so."""
        for copy, mine in enumerate(now.took[card]):
            laid = _laid(before, card, copy)
            if where == "table":
                self._clauses.add(-now.on, -mine, *laid)
            elif where == "hand":
                for other in laid:
                    self._clauses.add(-now.on, -mine, -other)

    def _lie(self, now: EncodedStep, asked: CopiesLying, before: list[EncodedStep]) -> None:
        """At least, or at most, so many copies of a card lie on the table."""
        card = asked.card
        gone = [one for one in before if isinstance(one.step, CopyLeft)]
        number = max([len(one.took.get(card, [])) for one in before], default=0)
        lying = self._clauses.fresh(number)
        for copy, lies in enumerate(lying):
            laid = _laid(before, card, copy)
            left = [other for one in gone for other in one.copy(card, copy)]
            self._clauses.add(-now.on, -lies, *laid)
            for other in left:
                self._clauses.add(-now.on, -lies, -other)
            for other in laid:
                self._clauses.add(-now.on, lies, -other, *left)
        if asked.at_least:
            self._clauses.at_least(now.on, lying, asked.number)
        else:
            self._clauses.at_most(now.on, lying, asked.number)


def _laid(before: list[EncodedStep], card: str, copy: int) -> list[int]:
    """The variables that say that a copy was laid since the laid cards were last taken up."""
    laid: list[int] = []
    for one in before:
        if isinstance(one.step, MeldsTakenUp):
            laid.clear()
        elif isinstance(one.step, CopiesMelded):
            laid += one.copy(card, copy)
    return laid


def _reading_of(chain: Iterable[EncodedStep], true: set[int], sets: int) -> Reading:
    """The reading in which the copies were taken so."""
    marks: dict[tuple[str, int], int] = {}
    for one in chain:
        taken = [(card, number) for card, number, variable in copies_taken(one) if variable in true]
        if isinstance(one.step, CopiesMelded):
            for copy in taken:
                marks[copy] = mark_after_scoring(marks.get(copy, 0), one.step.bit)
        elif isinstance(one.step, CopyLeft):
            gone = sum([marks.pop(copy, 0) for copy in taken]) & sets
            marks = {copy: mark_without_sets(mark, gone, sets) for copy, mark in marks.items()}
        elif isinstance(one.step, MeldsTakenUp):
            marks = {copy: mark & ~(LAID_BIT | SEEN_BIT) for copy, mark in marks.items()}
    return tuple(sorted([(card, mark) for (card, _), mark in marks.items() if mark]))
