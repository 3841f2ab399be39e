"""What catches each planted error of a sheet: a case that the kit has, or a record that is then taken."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import cached_property

from records.conformance.cases import Case
from records.record import Record
from records.rules.vocabulary import RuleSheet
from tests.records.conformance.candidates import Candidate
from tests.records.conformance.case_making import BARE, case_of
from tests.records.conformance.catching import catches
from tests.records.conformance.confirming import record_given
from tests.records.conformance.more_candidates import played_by
from tests.records.conformance.planted.page import Catch, Catches
from tests.records.conformance.planted.planting import Planted, SourceChange, program_says
from tests.records.conformance.refereed import Refereed, may_be_refereed


def is_whole(record: Record) -> bool:
    """Whether a record begins with the shuffle, so that programs that read no positions can be asked."""
    return all(deal.setup is None for deal in record.deals)


class Known:
    """A case with its record, and what is to be said of it."""

    def __init__(self, case: Case) -> None:
        self.case, self.record = case, record_given(case)
        at = case.expect.get("at")
        self.expected = Refereed(case.expect["right"], at and (at[0], at[1]))
        # Of a game of many packs without labels the referee follows one reading, and says nothing of the record.
        follows = case.id.endswith(BARE)
        self.refereed = "referee" in case.confirmed and not follows and may_be_refereed(self.record)
        self.whole = is_whole(self.record)


Maker = Callable[[], Iterable[Candidate]]
Judged = tuple[Candidate, Refereed]
"""A record that may be taken, and what this program says of it."""


def judged(candidates: Iterable[Candidate]) -> list[Judged]:
    return [(one, program_says(one.record)) for one in candidates]


class Batch:
    """Records that may be taken, made when they are needed."""

    def __init__(self, make: Maker) -> None:
        self._make = make

    @cached_property
    def judged(self) -> list[Judged]:
        return judged(self._make())


def _first(known: list[Known], names: set[str | None]) -> list[Known]:
    """The cases of these names before all others."""
    return sorted(known, key=lambda one: one.case.id not in names)


class Choice:
    """The cases of a sheet that are taken, and those that may be."""

    def __init__(
        self,
        sheet: RuleSheet,
        cases: list[Case],
        *others: Maker,
        for_referee: Maker,
        before: Catches,
    ) -> None:
        self.sheet = sheet
        some = [case for case in cases if case.ask == "validate" and "record" in case.given]
        self.known = sorted(map(Known, some), key=lambda known: len(repr(known.case.given)))
        self.taken: list[Case] = []
        self.names = {case.id for case in cases}
        self._own = cases
        self._others, self._for_referee = [Batch(each) for each in others], Batch(for_referee)
        self._before = before

    @property
    def cases(self) -> list[Case]:
        """Those of its own, and those taken."""
        return [*self._own, *self.taken]

    def add(self, cases: Iterable[Case]) -> None:
        """Cases taken whatever they catch, after the others are chosen."""
        for case in cases:
            self.taken.append(case)
            self.names.add(case.id)
            if case.ask == "validate":
                self.known.insert(0, Known(case))

    def catch(self, error: Planted) -> Catch:
        """What catches an error: a case that is there, or one taken now."""
        before = self._likely(error)
        some = sorted(self.known, key=lambda one: one.whole)
        known = self._known(error, _first(some, before))
        for batch in self._batches(error) if known is None else ():
            known = known or self._take(error, batch, before)
        if known is None:
            return Catch(None, None)
        return Catch(known.case.id, known.case.id if known.whole else None)

    def whole_deal(self, error: Planted) -> str | None:
        """A deal from the shuffle that catches an error: a case that is there, or one that the kit has had.

        Where none was found before, none is looked for again: in six packs that takes minutes.
        """
        known_before = self._before.get((error.sheet, error.name))
        if known_before is not None and known_before.in_whole_deal is None:
            return None
        before = {known_before.in_whole_deal} if known_before else set[str | None]()
        known = self._known(error, _first([one for one in self.known if one.whole], before))
        batch = [pair for pair in self._others[0].judged if is_whole(pair[0].record)]
        known = known or self._take(error, batch, before)
        return known and known.case.id

    def _likely(self, error: Planted) -> set[str | None]:
        """The case that caught the error before, or else those of the names that catch it in other sheets."""
        if before := self._before.get((error.sheet, error.name)):
            return {before.case}
        cases = [each.case for (_, name), each in self._before.items() if name == error.name]
        return {f"{error.sheet}/{case.partition('/')[2]}" for case in cases if case}

    def _known(self, error: Planted, known: list[Known]) -> Known | None:
        if isinstance(error.change, SourceChange):
            known = [one for one in known if one.refereed]
        with closing(catches(error, [(one.record, one.expected) for one in known])) as answers:
            return next(
                (one for one, caught in zip(known, answers, strict=False) if caught == "verdict"),
                None,
            )

    def _batches(self, error: Planted) -> Iterator[list[Judged]]:
        for batch in self._others:
            yield batch.judged
        if isinstance(error.change, SourceChange):
            yield self._for_referee.judged
        for some in played_by(error):
            yield judged(some)

    def _take(self, error: Planted, batch: list[Judged], before: set[str | None]) -> Known | None:
        """The first record that catches an error and that the referee judges alike, if it is for the referee."""
        batch = sorted(batch, key=lambda pair: pair[0].case_id not in before)
        if isinstance(error.change, SourceChange):
            batch = [pair for pair in batch if may_be_refereed(pair[0].record)]
        while batch:
            with closing(catches(error, [(one.record, said) for one, said in batch])) as answers:
                at = next((at for at, caught in enumerate(answers) if caught == "verdict"), None)
            if at is None:
                return None
            known = Known(case_of(batch[at][0]))
            if known.case.id not in self.names and (
                known.refereed or not may_be_refereed(known.record)
            ):
                self.known.insert(0, known)
                self.taken.append(known.case)
                self.names.add(known.case.id)
                return known
            batch = batch[at + 1 :]
        return None
