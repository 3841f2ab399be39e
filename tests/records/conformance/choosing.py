"""What catches each planted error of a sheet: a case that the kit has, or a record that is then taken."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import cached_property

from records.conformance.cases import Case
from records.record import Record
from records.rules.vocabulary import RuleSheet
from tests.records.conformance.candidates import Candidate
from tests.records.conformance.case_making import case_of
from tests.records.conformance.catching import catches
from tests.records.conformance.confirming import record_given
from tests.records.conformance.more_candidates import played_by
from tests.records.conformance.planted.page import Catch
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
        self.refereed = "referee" in case.confirmed and may_be_refereed(self.record)
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


class Choice:
    """The cases of a sheet that are taken, and those that may be."""

    def __init__(
        self, sheet: RuleSheet, cases: Iterable[Case], *others: Maker, for_referee: Maker
    ) -> None:
        self.sheet = sheet
        some = [case for case in cases if case.ask == "validate" and "record" in case.given]
        self.known = sorted(map(Known, some), key=lambda known: len(repr(known.case.given)))
        self.taken: list[Case] = []
        self.names = {case.id for case in cases}
        self._others, self._for_referee = [Batch(each) for each in others], Batch(for_referee)

    def catch(self, error: Planted) -> Catch:
        """What catches an error: a case that is there, or one taken now; of what programs do wrong also a whole deal."""
        some = [one for one in self.known if not one.whole] + [
            one for one in self.known if one.whole
        ]
        known = self._known(error, some)
        for batch in self._batches(error) if known is None else ():
            known = known or self._take(error, batch)
        if known is None:
            return Catch(None, None)
        whole = known if known.whole else None
        if whole is None and isinstance(error.change, SourceChange):
            whole = self._known(error, [one for one in self.known if one.whole]) or self._take(
                error, [pair for pair in self._others[0].judged if is_whole(pair[0].record)]
            )
        return Catch(known.case.id, whole and whole.case.id)

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

    def _take(self, error: Planted, batch: list[Judged]) -> Known | None:
        """The first record that catches an error and that the referee judges alike, if it is for the referee."""
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
