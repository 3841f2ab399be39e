"""What a deal can score, whatever a record leaves out: at least by side, at least and at most in all, and in what steps."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import comb, gcd, prod
from typing import Any, NamedTuple

from records.cards import SUITS
from records.engine.following import takes_trick
from records.engine.table import Table, TableStep
from records.engine.zetema import MARRIED_RANKS
from records.events import Irregular, Play
from records.phrases import list_scores
from records.record import Deal
from records.rules.compiled import CompiledSheet, card_sets_for
from records.rules.vocabulary import (
    BrisqueCount,
    GameEnd,
    MeldRule,
    OneDeal,
    RaceTo,
    ReuseRule,
    RuleSheet,
    ShapedCards,
    When,
)
from records.validate.breach import Breach, make_breach

_DISJOINT = (ReuseRule.ONCE_PER_KIND, ReuseRule.UPWARD_IN_CLASS)
"""By these rules of reuse, melds of one kind never share a card."""


class PossibleScores(NamedTuple):
    """What deals can add to the scores: by side at `least`, `together` at least, and at `most` in all.

    Every score is a multiple of `unit`. Where all sides have the same, the sum is at least `if_tied`. `most` is None
    where nothing limits it.
    """

    least: tuple[int, ...]
    together: int
    most: int | None
    unit: int
    if_tied: int = 0

    def with_scores(self, scores: Sequence[int]) -> "PossibleScores":
        """The same with the scores of other deals, which are known or claimed."""
        total = sum(scores)
        least = tuple(low + points for low, points in zip(self.least, scores, strict=True))
        most = None if self.most is None else self.most + total
        unit = gcd(self.unit, *scores)
        # A deal is settled by itself: equal totals of the match say nothing of it if a misdeal brought points before.
        if_tied = 0 if any(scores) else self.if_tied
        return PossibleScores(least, self.together + total, most, unit, if_tied)

    def when_broken_off(self) -> "PossibleScores":
        """The same of a deal that may have been broken off: then nothing is certain that its end brings."""
        return self._replace(together=sum(self.least), if_tied=0)

    def with_deal(self, other: "PossibleScores | None") -> "PossibleScores | None":
        """What these deals and another can add; None if nothing is sure of the other."""
        if other is None:
            return None
        least = tuple(low + more for low, more in zip(self.least, other.least, strict=True))
        most = None if None in (self.most, other.most) else (self.most or 0) + (other.most or 0)
        return PossibleScores(
            least, self.together + other.together, most, gcd(self.unit, other.unit)
        )


class _SheetLimits(NamedTuple):
    """What one whole deal by a sheet brings all players together, ruled points apart."""

    together: int
    most: int | None
    unit: int
    if_tied: int


def possible_scores(table: Table, deal: Deal, sides: list[list[int]]) -> PossibleScores | None:
    """What a deal that was played out, or is said to have been, can add to the scores of each side.

    None where nothing is sure: what players rule may be any number of points, and a position begins with any scores.
    """
    over = table.step is TableStep.OVER or table.knowledge.scores_only
    ruled = any(isinstance(event, Irregular) for event in deal.events)
    if not over or ruled or deal.setup is not None:
        return None
    limits = _limits(table.rules, len(table.names))
    points = [0] * table.seats if table.knowledge.scores_only else _certain_points(table)
    least = tuple(sum(points[seat] for seat in side) for side in sides)
    together = max(limits.together, sum(least))
    return PossibleScores(least, together, limits.most, limits.unit, limits.if_tied)


def check_possible(
    code: str, scores: list[int], possible: PossibleScores | None, pointer: str
) -> list[Breach]:
    """Scores that cannot be, whatever the record leaves out."""
    if possible is None or len(scores) != len(possible.least):
        return []
    total, low = sum(scores), list_scores(possible.least)
    tied = len(set(scores)) == 1 and possible.if_tied > possible.together
    together = possible.if_tied if tied else possible.together
    if possible.unit > 1 and any(score % possible.unit for score in scores):
        clause, expected = "step", f"multiples of {possible.unit}"
    elif any(score < points for score, points in zip(scores, possible.least, strict=True)):
        clause, expected = "least", f"at least {low}"
    elif total < together:
        clause = "tied" if tied else "together"
        expected = f"at least {together:,} in all"
    elif possible.most is not None and total > possible.most:
        clause, expected = "most", f"at most {possible.most:,} in all"
    else:
        return []
    facts: dict[str, Any] = {"unit": possible.unit, "least": low, "expected": expected}
    found = list_scores(scores)
    return [make_breach(code, clause=clause, found=found, pointer=pointer, **facts)]


# What the record shows for certain of a deal that it leaves open.


def _certain_points(table: Table) -> list[int]:
    """What each seat has surely scored: its melds at their least, and the bonuses and brisques of tricks that are known."""
    worth: dict[str, int] = {}
    for rule in table.rules.written.melds:
        worth[rule.name] = min(rule.points, worth.get(rule.name, rule.points))
    points = _certain_brisques(table)
    for award in table.awards:
        if award.source == "meld":
            points[award.seat] += min(award.points, worth[award.name])
    bonuses = {bonus.name for bonus in table.rules.written.bonuses} - table.knowledge.bonuses_open
    for (seat, name), earned in table.earned.items():
        if name in bonuses:
            points[seat] += earned
    return points


def _certain_brisques(table: Table) -> list[int]:
    """The points of the brisques in the tricks of which the winner and a brisque are known."""
    points, worth = [0] * table.seats, table.rules.brisque_rule.points_at_the_end
    if not worth:
        return points
    if not table.knowledge.brisques_open:
        return [worth * taken for taken in table.brisques]
    trick = list[Play]()
    agreed = set(table.claims.winners_agreed)
    for index, event in enumerate(table.events):
        if not isinstance(event, Play):
            continue
        trick.append(event)
        if len(trick) < table.seats:
            continue
        winner = _certain_winner(table, trick)
        if winner is None and index + 1 in agreed:
            winner = table.events[index + 1].winner
        if winner is not None:
            points[winner] += worth * sum([table.rules.is_brisque[play.card] for play in trick])
        trick = []
    return points


def _certain_winner(table: Table, trick: Sequence[Play]) -> int | None:
    """Who took a trick, if its cards tell.

    Where brisques count at the end, trumps are turned up: those known now are those of every trick.
    """
    best = trick[0]
    for play in trick[1:]:
        taken = takes_trick(table, best.card, play.card)
        if taken is None:
            return None
        best = play if taken else best
    return best.seat


# What a sheet says of every deal.


@lru_cache(maxsize=256)
def _limits(rules: CompiledSheet, seats: int) -> _SheetLimits:
    sheet = rules.sheet
    brisques = sheet.rules.brisques.points * rules.brisques_in_pack
    counted = sheet.rules.brisques.count is BrisqueCount.AT_THE_END
    to_settle = sheet.rules.brisques.count is BrisqueCount.TO_SETTLE
    due = sum(b.points for b in sheet.rules.bonuses if b.tricks is not When.ALL_CLOSED_TRICKS)
    together = due + brisques * counted + _zetemas_due(sheet)
    settles = to_settle and isinstance(sheet.rules.match, OneDeal)
    return _SheetLimits(
        together=together,
        most=_most(rules, seats, brisques * (counted or to_settle)),
        unit=gcd(*_amounts(sheet)),
        # A tie lets the brisques count, and they are taken by somebody.
        if_tied=due + brisques if settles else 0,
    )


def _amounts(sheet: RuleSheet) -> Iterator[int]:
    """Every number of points that a sheet gives."""
    yield from [rule.points for rule in sheet.rules.melds]
    yield from [bonus.points for bonus in sheet.rules.bonuses]
    if sheet.rules.brisques.count is not BrisqueCount.NEVER:
        yield sheet.rules.brisques.points
    yield getattr(sheet.rules.trumps, "dealer_seven", 0)
    if sheet.rules.dix is not None:
        yield sheet.rules.dix.points
    if sheet.rules.carte_blanche is not None:
        yield sheet.rules.carte_blanche.points
    if sheet.rules.cut is not None:
        yield from (sheet.rules.cut.dealer_points, sheet.rules.cut.guess_points)
    if sheet.rules.tableau is not None:
        yield from (*sheet.rules.tableau.zetemas.values(), sheet.rules.tableau.doubled_suit_points)


def _zetemas_due(sheet: RuleSheet) -> int:
    """The zetemas of every deal that is played out: of all ranks but those that marry, whose cards are all discarded."""
    plays_out = (
        isinstance(sheet.rules.match, RaceTo) and sheet.rules.match.end is GameEnd.FINISH_HAND
    )
    if sheet.rules.tableau is None or not plays_out:
        return 0
    zetemas = sheet.rules.tableau.zetemas.items()
    return sum(points for rank, points in zetemas if rank not in MARRIED_RANKS)


def _most(rules: CompiledSheet, seats: int, brisques: int) -> int | None:
    """The most that a deal can bring all players; None where a dix may score any number of times."""
    sheet = rules.sheet
    dealt = seats * sheet.rules.hand[seats]
    most = brisques + sum(bonus.points for bonus in sheet.rules.bonuses)
    if sheet.rules.dix is not None:
        if not sheet.rules.dix.once_per_card:
            return None
        most += sheet.rules.dix.points * sheet.rules.pack.packs + getattr(
            sheet.rules.trumps, "dealer_seven", 0
        )
    if sheet.rules.carte_blanche is not None:
        most += sheet.rules.carte_blanche.points * (seats + rules.pack_size - dealt)
    if sheet.rules.cut is not None:
        most += sheet.rules.cut.dealer_points + sheet.rules.cut.guess_points
    if sheet.rules.tableau is not None:
        most += sum(sheet.rules.tableau.zetemas.values())
    return most + max(_most_of_melds(rules, seats, trump) for trump in SUITS)


def _most_of_melds(rules: CompiledSheet, seats: int, trump: str) -> int:
    """The points of the dearest melds, each as often as its cards allow, as many as there are turns to meld in."""
    left, most = _turns_to_meld(rules, seats), 0
    dearest = [(_most_of_meld(rules.sheet, rule), rule) for rule in rules.written.melds]
    for points, rule in sorted(dearest, key=lambda each: -each[0]):
        count = min(left, _times(rules, rule, trump))
        left -= count
        most += count * points
    return most


def _most_of_meld(sheet: RuleSheet, rule: MeldRule) -> int:
    """The points of a meld, of marriages as if all of them were in the doubled suit (A-41)."""
    tableau, pairs = sheet.rules.tableau, rule.cards.size // 2
    if tableau is None or rule.name != "marriages" or pairs >= tableau.doubled_suit_below:
        return rule.points
    return rule.points + pairs * tableau.doubled_suit_points


def _turns_to_meld(rules: CompiledSheet, seats: int) -> int:
    """How many melds the tricks of a deal allow; where there are none, every turn takes a card from a hand at least."""
    if rules.has_tableau:
        return rules.pack_size
    closed = rules.written.hand[seats]
    opened = rules.pack_size // seats - closed
    return sum(
        phase.melds * (opened if phase.draws else closed)
        for phase in rules.phases
        if phase.declares
    )


def _times(rules: CompiledSheet, rule: MeldRule, trump: str) -> int:
    """How often a meld can score at most, by the cards there are."""
    sheet, copies = rules.sheet, rules.copies
    # Melds of the bezique cards may be made before there are trumps, too; a shape has too many sets to list.
    known = (trump, None) if rule.cards.speaks_of("bezique") else (trump,)
    sets = {cards for suit in known for cards in card_sets_for(rule, suit, sheet.rules)}
    if not sets:
        return rules.pack_size if isinstance(rule.cards, ShapedCards) else 0
    if sheet.rules.reuse.rule in _DISJOINT:
        used = {face for cards in sets for face in cards}
        return sum(copies[face] for face in used) // len(next(iter(sets)))
    return sum(prod(comb(copies[face], cards.count(face)) for face in set(cards)) for cards in sets)
