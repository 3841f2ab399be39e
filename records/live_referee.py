"""A referee at the table: judges a game event by event while a program plays it, and keeps the record of it.

What an event means can depend on what follows it. So each is judged by what is known then, and the end of a deal tells
what only the whole deal shows: in the end the findings are those of the validator.
"""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from records.engine.copies import has_single_cards, without_single_labels
from records.engine.deal import lay_out_deal
from records.engine.stepper import Stepper
from records.engine.table import Table
from records.errors import BeziqueError
from records.events import AnyEvent, Irregular
from records.record import (
    MAX_DEALS,
    MAX_EVENTS_PER_DEAL,
    Claims,
    Deal,
    Record,
    Result,
    may_still_cut,
)
from records.replay import DealInMatch, FrameMaker, Match, check_start, replay
from records.rules.registry import resolve_rules
from records.validate.breach import Breach
from records.validate.check_deals import certain_scores
from records.validate.codes import FORBIDDING_CODES
from records.validate.dispatch import DEAL_STOPPING_CODES, checking_stepper
from records.validate.finding import Finding
from records.validate.opening import TurnStepper
from records.validate.report import Report
from records.validator import check_record


class LiveError(BeziqueError):
    """A message that cannot be taken now: an event where no deal is open, a deal where one is."""


class Ruling(NamedTuple):
    """What the referee says of a message: whether it was `taken`, and its findings."""

    taken: bool
    findings: tuple[Finding, ...] = ()


class LiveReferee:
    """Judges one match while it is played; `record` is what has been taken of it.

    What the rules forbid is refused, and changes nothing. With `keep` it is taken as it happened, as a record of play
    would have it; only what cannot have happened, such as a card that nobody held, is refused then. Every
    draw is an event of its own. The deals that the record begins with are taken as played. Raises RulesError if its rules cannot be resolved.
    """

    def __init__(self, record: Record, *, keep: bool = False) -> None:
        self.record = replace(record, deals=list(record.deals), result=None)
        self.match = Match(self.record, resolve_rules(record.rules))
        self.table: Table | None = None
        self._forbidding = DEAL_STOPPING_CODES if keep else FORBIDDING_CODES
        self._told: set[tuple[str, str]] = set()
        self._played: list[AnyEvent] = []
        self._take_over(0)

    def begin(self, deal: Deal) -> Ruling:
        """A deal, without its events; raises LiveError while another one is open."""
        if self.table is not None:
            raise LiveError("A deal is open: end it first.")
        if len(self.record.deals) >= MAX_DEALS:
            raise LiveError(f"A record has at most {MAX_DEALS:,} deals.")
        self.record.deals.append(replace(deal, events=[], claims=None))
        self._played = []
        self._lay_out()
        at = DealInMatch(self.match, self._number, self.match.next_dealer, is_last=True)
        breaches = check_start(at, self._table, deal)
        findings = self._frames.deal_findings(breaches, self.match, deal=deal)
        if any(finding.code in self._forbidding for finding in findings):
            self.record.deals.pop()
            self.table = None
            return Ruling(False, findings)
        return self._tell(findings)

    def take(self, event: AnyEvent) -> Ruling:
        """An event; raises LiveError where no deal is open, or one can have no more."""
        table = self._table
        if table.misdealt:
            raise LiveError("This was a misdeal: end it, and deal again.")
        if len(self._played) >= MAX_EVENTS_PER_DEAL:
            raise LiveError(f"A deal has at most {MAX_EVENTS_PER_DEAL:,} events.")
        table.tracking.budget.renew()
        self._played.append(event)
        found = self._advance(event)
        if any(finding.code in self._forbidding for finding in found):
            self._played.pop()
            self._lay_out()
            return Ruling(False, found)
        if isinstance(event, Irregular):
            # A ruling changes what the event before it was worth.
            self._lay_out()
        return self._tell(found)

    def take_back(self, events: int) -> None:
        """Take back so many events of the open deal; raises LiveError where it has fewer."""
        if not 0 < events <= len(self._played) or self.table is None:
            raise LiveError(f"The deal has {len(self._played)} events to take back.")
        del self._played[-events:]
        self._told = {told for told in self._told if not told[1].startswith(f"/deals/{self._number}/")}  # fmt: skip
        self._lay_out()

    def end_deal(self, claims: Claims | None = None) -> tuple[Finding, ...]:
        """The deal is over: what only the whole of it shows. Raises LiveError where none is open."""
        number, deal = self._number, self._deal
        self.record.deals[number] = replace(deal, events=self._played, claims=claims)
        self.table = None
        return tuple(
            found for found in self._take_over(number) if (found.code, found.at.pointer) not in self._told
        )  # fmt: skip

    def end_match(self, result: Result | None = None) -> Report:
        """The report on the whole record, which the validator makes anew; a deal that is open ends."""
        if self.table is not None:
            self.end_deal()
        self.record.result = result
        return check_record(self.record)

    @property
    def scores(self) -> list[int] | None:
        """The points of every side, those of the open deal included; None where the cards leave them open."""
        before = self.match.scores
        if before is None or self.table is None:
            return before
        here = certain_scores(self.table, self.match.sides, None)
        return here and [total + points for total, points in zip(before, here, strict=True)]

    @property
    def seat(self) -> int | None:
        """The seat that acts next; None between deals and when a deal is over."""
        return None if self.table is None or self.is_deal_over else self.table.seat

    @property
    def is_deal_over(self) -> bool:
        """Whether nothing is left to do in the open deal but to end it, and to show melds where that is still allowed."""
        return self.table is not None and self.table.is_over

    @property
    def is_fresh(self) -> bool:
        """Whether nothing has been done in the open deal yet, which does not begin with a position either."""
        return may_still_cut(self._deal, self._played)

    @property
    def _number(self) -> int:
        return len(self.record.deals) - 1

    @property
    def _deal(self) -> Deal:
        if self.table is None:
            raise LiveError("No deal is open: begin one first.")
        return self.record.deals[-1]

    @property
    def _table(self) -> Table:
        if self.table is None:
            raise LiveError("No deal is open: begin one first.")
        return self.table

    def _take_over(self, first: int) -> Sequence[Finding]:
        """The findings of the deals from this one on, which count for the match now."""
        frames = replay(self.record, match=self.match, findings_only=True, first=first)
        return [finding for frame in frames for finding in frame.findings]

    def _lay_out(self) -> tuple[Finding, ...]:
        """Lay out the open deal anew, and play what was taken; returns the findings on the last event."""
        match, number = self.match, self._number
        whole = replace(_as_known(self.record.deals[-1]), events=self._played)
        self.table = table = lay_out_deal(
            match.rules, whole, match.names, writes_draws=True, budget=match.reading_budget
        )
        match.limit(table)
        table.events = self._unlabelled(self._played)[:]
        self._frames = FrameMaker(match.rules.sheet.id, number, table)
        self._stepper: Stepper[Breach] = checking_stepper(table)
        found: tuple[Finding, ...] = ()
        while table.index + 1 < len(table.events) and not self._stepper.stopped:
            found = self._findings(
                table.tricks, self._stepper.advance(table.events[table.index + 1])
            )
        return found

    def _advance(self, event: AnyEvent) -> tuple[Finding, ...]:
        """Apply an event, unless it is forbidden; its findings."""
        table, tricks, forks = self._table, self._table.tricks, self._forks
        (written,) = self._unlabelled([event])
        table.events.append(written)
        breaches = self._stepper.advance_unless(written, self._forbidding)
        if self._may_read_otherwise(breaches, forks):
            return self._lay_out()
        return self._findings(tricks, breaches)

    @property
    def _forks(self) -> int:
        """How many marriages of Zetema there have been whose way shows only in what follows them."""
        return self._stepper.forks if isinstance(self._stepper, TurnStepper) else 0

    def _may_read_otherwise(self, breaches: tuple[Breach, ...], forks: int) -> bool:
        """Whether an event may show that marriages happened in another way than it seemed, after so many open ones.

        The way that was chosen is the first of those with the fewest faults, and the others gain none by an event that
        has no fault in it, unless it ends the deal in one of them.
        """
        table = self._table
        if self._forks > forks or (table.rules.has_tableau and table.knowledge.partial):
            return True
        return forks > 0 and (bool(breaches) or not table.stock.left or table.tableau.ways_given_up)

    def _findings(self, tricks: int, breaches: tuple[Breach, ...]) -> tuple[Finding, ...]:
        if not breaches:
            return ()
        index = self._table.index
        return self._frames.event_findings(breaches, index, tricks, excused=frozenset())

    def _unlabelled(self, events: list[AnyEvent]) -> list[AnyEvent]:
        rules = self.match.rules
        return without_single_labels(rules, events) if has_single_cards(rules) else events

    def _tell(self, findings: tuple[Finding, ...]) -> Ruling:
        self._told.update((finding.code, finding.at.pointer) for finding in findings)
        return Ruling(True, findings)


def _as_known(deal: Deal) -> Deal:
    """The deal as one of which every card is known, where its hands are: its draws are still to come, each as an event."""
    hands = deal.setup.hands if deal.setup is not None else deal.hands
    is_known = deal.knowledge is None and hands is not None and "?" not in "".join(map("".join, hands))  # fmt: skip
    return replace(deal, knowledge="full") if is_known else deal
