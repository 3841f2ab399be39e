"""Lines: what might have been played instead, judged by the rules like what was."""

from collections.abc import Iterator

from records.engine.copies import has_single_cards, without_single_labels
from records.engine.deal import lay_out_deal
from records.engine.stepper import Stepper
from records.engine.table import Table
from records.events import AnyEvent, Irregular, Score, Trick
from records.phrases import pluralize
from records.record import Line, Record
from records.replay import Match
from records.validate.breach import Breach, excused_codes
from records.validate.codes import FINDING_CODES
from records.validate.dispatch import checking_stepper
from records.validate.finding import Finding, Place

MOST_EVENTS_REPLAYED = 20_000
"""So many events are replayed again for the lines of a record that must each be read with what led to it."""

CLAIMS = (Trick, Score, Irregular)
"""Events that may say something of the one before them."""


def check_lines(record: Record, match: Match) -> Iterator[Finding]:
    """A finding for the first unlawful event of every line; a line never makes its game illegal.

    Lines that would cost too much are not judged: a note says which is the first.
    """
    found: dict[int, Finding] = {}
    given_up: list[int] = []
    left = MOST_EVENTS_REPLAYED
    walks: dict[int, _Walk] = {}
    lines = list(enumerate(record.lines or []))
    for number, line in sorted(lines, key=lambda numbered: _anchor(numbered[1])):
        deal, start = _anchor(line)
        if not line.events:
            continue
        if deal not in walks:
            walks = {deal: _Walk(record, match, deal)}
        walk = walks[deal]
        # Of a deal of scores nobody knows what might have been played instead.
        if walk.table.knowledge.scores_only:
            continue
        if not walk.shared:
            left -= start
            if left < 0:
                given_up.append(number)
                continue
        stepper = walk.stepper_at(start, line)
        if not stepper.stopped:
            found.update((number, finding) for finding in _check_line(stepper, line, number))
    yield from (found[number] for number in sorted(found))
    if given_up:
        yield _lines_left_out(min(given_up), len(given_up))


def _anchor(line: Line) -> tuple[int, int]:
    return line.at[0], line.at[1] if len(line.at) > 1 else 0


class _Walk:
    """One deal on the way to its lines, which come in the order of the events they start at.

    Some rules look at what follows, and what led to a line is read as fits the line. Where only claims can be
    looked at, the deal is `shared`: it is replayed once, and each line goes on with a copy from the last event
    that is no claim. Elsewhere it is replayed from the start for every line.
    """

    def __init__(self, record: Record, match: Match, number: int) -> None:
        deal, budget = record.deals[number], match.reading_budget
        self._match = match
        self.table = lay_out_deal(match.rules, deal, match.names, budget=budget)
        match.seat_partners(self.table)
        self._events = list(self.table.events)
        self._stepper = checking_stepper(self.table)
        knowledge, dix = self.table.knowledge, match.rules.written.dix
        self.shared = not (
            knowledge.partial
            or knowledge.omits_draws
            or deal.setup is not None
            or match.rules.has_tableau
            or (dix is not None and dix.played)
        )

    def stepper_at(self, start: int, line: Line) -> Stepper[Breach]:
        """The deal as it was played up to where a line begins; stopped where the deal does not get there."""
        tried: list[AnyEvent] = line.events
        if has_single_cards(self._match.rules):
            tried = without_single_labels(self._match.rules, tried)
        table = self._table_before_claims(start) if self.shared else self.table.copy()
        stepper = checking_stepper(table)
        stepper.stopped = self._stepper.stopped
        table.events = [*self._events[:start], *tried]
        for event in self._events[table.index + 1 : start]:
            if stepper.stopped:
                break
            stepper.advance(event)
        return stepper

    def _table_before_claims(self, start: int) -> Table:
        """A copy of the table before the last event, up to `start`, that is no claim."""
        last = start - 1
        while last > self.table.index + 1 and isinstance(self._events[last], CLAIMS):
            last -= 1
        while self.table.index + 1 < last and not self._stepper.stopped:
            self._stepper.advance(self._events[self.table.index + 1])
        return self.table.copy()


def _lines_left_out(number: int, lines: int) -> Finding:
    return FINDING_CODES["lines-not-judged"].finding(
        Place(pointer=f"/lines/{number}"),
        lines=pluralize(lines, "line is", "lines are"),
        limit=f"{MOST_EVENTS_REPLAYED:,}",
    )


def _check_line(stepper: Stepper[Breach], line: Line, number: int) -> Iterator[Finding]:
    for index, event in enumerate(stepper.table.events[stepper.table.index + 1 :]):
        found = stepper.advance(event)
        table = stepper.table
        excused = excused_codes(table.events, table.index, found) if found else ()
        for breach in found:
            if FINDING_CODES[breach.code].severity == "illegal" and breach.code not in excused:
                yield _unlawful(breach, line, f"/lines/{number}/events/{index}", stepper)
                return


def _unlawful(breach: Breach, line: Line, pointer: str, stepper: Stepper[Breach]) -> Finding:
    code = FINDING_CODES["line-not-lawful"]
    return Finding(
        code=code.code,
        severity=code.severity,
        at=Place(
            deal=line.at[0],
            event=line.at[1] if len(line.at) > 1 else None,
            pointer=pointer,
            seat=breach.seat,
        ),
        message=code.sentence(breach=breach.message),
        rule=f"{stepper.table.rules.sheet.id}/{breach.article or FINDING_CODES[breach.code].article}",
        expected=breach.expected,
        found=breach.code,
        legal=breach.legal,
    )
