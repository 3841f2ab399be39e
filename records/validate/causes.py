"""What follows from what: later findings that an earlier finding of the same deal explains, and that are shown below it.

Only what is certain is explained: a number that differs by exactly what earlier findings make of it, an act of the player
that the record believes to have won the trick, a card that an illegal event moved.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from records.engine.melds import find_meld_rule
from records.engine.table import Table
from records.engine.zetema import combination_points, find_combination
from records.events import AnyEvent, CarteBlanche, Cut, Dix, Meld, Score
from records.rules.vocabulary import BrisqueCount
from records.validate.finding import Cause, Finding

WRONG_POINTS = frozenset({"wrong-meld-points", "wrong-dix-points", "wrong-score-points"})
UNDUE_POINTS = frozenset({"score-not-earned", "scored-twice"})
ACTS_OF_WINNERS = frozenset({"out-of-turn", "draw-out-of-turn", "meld-by-loser"})
LOST_CARDS = frozenset({"card-not-held", "meld-card-not-held", "dix-not-held"})
Sides = Sequence[Sequence[int]]


class Difference(NamedTuple):
    """By how many points a record that counts as a finding says differs from the rules, by seat or by side."""

    cause: Cause
    points: list[int]


class _Dispute(NamedTuple):
    """A trick that the record gives to another seat: how many were complete, to whom, and its brisques' points."""

    cause: Cause
    tricks: int
    seat: int
    worth: int


class DealCauses:
    """The findings of one deal so far, and what they explain."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._illegal: dict[int, Cause] = {}
        self._first: dict[str, Cause] = {}
        self._disputes: list[_Dispute] = []
        self._differences: list[Difference] = []
        self._brisques: dict[int, tuple[Cause, int]] = {}
        self._forgone: dict[int, Cause] = {}

    def explain(self, finding: Finding, event: AnyEvent | None) -> Finding:
        """The finding with the earlier one that it follows from; it may in turn explain later ones."""
        cause = self._cause_of(finding, event)
        if cause is not None:
            finding = replace(finding, because_of=cause)
        root = cause or Cause(code=finding.code, pointer=finding.at.pointer)
        self._keep(finding, event, root)
        return finding

    def explain_scores(
        self, claimed: Sequence[int], computed: Sequence[int], sides: Sides
    ) -> Cause | None:
        """What makes the scores claimed for the deal differ: all that was found together, or one finding alone."""
        wanted = [said - is_ for said, is_ in zip(claimed, computed, strict=True)]
        for differences in self._alternatives():
            if differences and _by_side(_sum(differences, self.table.seats), sides) == wanted:
                return differences[0].cause
        return None

    def total(self, sides: Sides) -> Difference | None:
        """All that was found together, by side, with its first cause; None if nothing changes any points."""
        differences = next(self._alternatives())
        if not differences:
            return None
        return Difference(
            differences[0].cause, _by_side(_sum(differences, self.table.seats), sides)
        )

    # -- what explains a finding

    def _cause_of(self, finding: Finding, event: AnyEvent | None) -> Cause | None:
        index, code = finding.at.event, finding.code
        if index is not None and finding.severity == "mismatch" and index in self._illegal:
            return self._illegal[index]
        if code == "event-after-end":
            return self._first.get(code)
        if code == "draw-not-due":
            return self._of_missing_draw(finding)
        if code in ACTS_OF_WINNERS or code == "score-not-earned":
            return self._of_dispute(finding) or self._of_cut(event)
        if code in LOST_CARDS and finding.since is not None:
            return self._illegal.get(finding.since[1])
        if code == "wrong-brisques":
            return self._of_brisques(finding)
        return None

    def _of_dispute(self, finding: Finding) -> Cause | None:
        """The last trick was given to another seat, which therefore acts, or scores what its winner or loser does."""
        if not self._disputes or self._disputes[-1].tricks != self.table.tricks:
            return None
        dispute = self._disputes[-1]
        agrees = finding.code == "score-not-earned" or finding.at.seat == dispute.seat
        return dispute.cause if agrees else None

    def _of_missing_draw(self, finding: Finding) -> Cause | None:
        """A draw was missing before and is made later: the hand had been filled without it.

        In Zetema a hand that was filled once too often stays full, and the stock has a card less for everybody.
        """
        seat, has_tableau = finding.at.seat or 0, self.table.rules.has_tableau
        if has_tableau and finding.clause == "no-stock":
            return next(iter(self._forgone.values()), None)
        return self._forgone.get(seat) if has_tableau else self._forgone.pop(seat, None)

    def _of_cut(self, event: AnyEvent | None) -> Cause | None:
        if not isinstance(event, Score) or event.what not in ("cut", "guess"):
            return None
        cuts = [i for i in self._illegal if isinstance(self.table.events[i], Cut)]
        return self._illegal[cuts[0]] if cuts else None

    def _of_brisques(self, finding: Finding) -> Cause | None:
        """As many brisques too many, or too few, as were claimed before, or as disputed tricks had."""
        seat, excess = finding.at.seat or 0, _excess(finding)
        cause, before = self._brisques.get(seat, (None, 0))
        if cause is not None and before == excess:
            return cause
        disputed = self._disputed_brisques(seat)
        return self._disputes[0].cause if disputed and disputed == excess else None

    def _disputed_brisques(self, seat: int) -> int:
        return sum(d.worth if seat == d.seat else -d.worth for d in self._disputes)

    # -- what a finding explains

    def _keep(self, finding: Finding, event: AnyEvent | None, root: Cause) -> None:
        index, code = finding.at.event, finding.code
        self._first.setdefault(code, root)
        if code == "wrong-brisques":
            self._brisques[finding.at.seat or 0] = root, _excess(finding)
        if index is None or event is None:
            return
        if code == "draw-missing":
            self._keep_missing_draws(finding, root)
        counts_already = index in self._illegal
        if finding.severity == "illegal":
            self._illegal.setdefault(index, root)
        if code == "wrong-trick-winner":
            self._keep_dispute(root, finding.at.seat or 0)
        elif not counts_already:
            self._keep_points(finding, event, root)

    def _keep_missing_draws(self, finding: Finding, root: Cause) -> None:
        """Whose draws were missing: in Zetema that of the turn, after a trick those of all who had not drawn."""
        seats = range(self.table.seats)
        for seat in [finding.at.seat or 0] if self.table.rules.has_tableau else seats:
            self._forgone.setdefault(seat, root)

    def _keep_dispute(self, root: Cause, seat: int) -> None:
        rules, cards = self.table.rules, self.table.last_trick()
        worth = rules.brisque_rule.points * sum(rules.is_brisque[card] for _, card in cards)
        self._disputes.append(_Dispute(root, self.table.tricks, seat, worth))

    def _keep_points(self, finding: Finding, event: AnyEvent, root: Cause) -> None:
        points = 0
        if isinstance(event, Score) and event.what == "brisques":
            return
        if finding.code in WRONG_POINTS:
            points = _excess(finding)
        elif finding.code in UNDUE_POINTS and isinstance(event, Score):
            points = event.points or 0
        elif finding.severity == "illegal":
            points = _worth(self.table, event)
        if points:
            by_seat = [0] * self.table.seats
            by_seat[finding.at.seat or 0] = points
            self._differences.append(Difference(root, by_seat))

    # -- points

    def _alternatives(self) -> Iterator[list[Difference]]:
        """All differences, with the bonuses moved from seat to seat or given to both; then each alone."""
        brisques = list(self._brisque_differences())
        everything = [*self._differences, *brisques]
        yield everything
        moved = list(self._moved_bonuses())
        if moved:
            yield [*everything, *moved]
        for difference in everything:
            yield [difference]

    def _moved_bonuses(self) -> Iterator[Difference]:
        """What the seat that earned a bonus goes without, where another claims it."""
        for (seat, what), points in self.table.earned.items():
            claims = [key for key in self.table.claims.scores if key[1] == what]
            cause = next(
                (d.cause for d in self._differences if d.cause.code == "score-not-earned"), None
            )
            if self._disputes and cause is None:
                cause = self._disputes[-1].cause
            if what != "brisques" and cause is not None and not claims:
                by_seat = [0] * self.table.seats
                by_seat[seat] = -points
                yield Difference(cause, by_seat)

    def _brisque_differences(self) -> Iterator[Difference]:
        table = self.table
        if table.rules.brisque_rule.count is not BrisqueCount.AT_THE_END:
            return
        for seat in range(table.seats):
            if (seat, "brisques") in table.claims.scores:
                cause, points = self._brisques.get(seat, (None, 0))
            else:
                cause = self._disputes[0].cause if self._disputes else None
                points = self._disputed_brisques(seat)
            if cause is not None and points:
                by_seat = [0] * table.seats
                by_seat[seat] = points
                yield Difference(cause, by_seat)


def _excess(finding: Finding) -> int:
    """By how much the number found differs from the one expected; 0 where several numbers would be right."""
    if " or " in (finding.expected or ""):
        return 0
    return int(finding.found or 0) - int(finding.expected or 0)


def _worth(table: Table, event: AnyEvent) -> int:
    """The points that somebody would count for an event that counts nothing."""
    match event:
        case Meld():
            points = event.points
            if points is None and table.rules.has_tableau:
                row = find_combination(table, event)
                points = combination_points(table, row, event.cards) if row else 0
            elif points is None:
                row = find_meld_rule(table, event)
                points = row.points if row else 0
            return points
        case Dix():
            rule = table.rules.written.dix
            return event.points if event.points is not None else rule.points if rule else 0
        case CarteBlanche():
            blank = table.rules.written.carte_blanche
            return event.points if event.points is not None else blank.points if blank else 0
        case _:
            return 0


def _sum(differences: Sequence[Difference], seats: int) -> list[int]:
    return [sum(difference.points[seat] for difference in differences) for seat in range(seats)]


def _by_side(by_seat: Sequence[int], sides: Sides) -> list[int]:
    return [sum(by_seat[seat] for seat in side) for side in sides]
