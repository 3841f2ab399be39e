"""Writes the kit into `samples/conformance`, and the page of planted errors: `python -m tests.records.conformance.make`.

It takes some minutes: it runs the tests of the laws to hear their records, judges hundreds of damaged games, and lets
the referee judge them once more with every planted error. Among the records that catch an error it takes the one that
the page names, and otherwise the first.
`--law-records FILE` reads records heard before.
"""

import argparse
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

from records.conformance.cases import Case, write_kit
from records.format import codec
from records.record import Record
from records.rules.registry import ALL_SHEETS
from records.rules.vocabulary import RuleSheet
from tests.records.conformance.candidates import (
    Candidate,
    ends_of_matches,
    every_meld,
    melds_withdrawn,
    no_new_card,
)
from tests.records.conformance.case_making import case_of, copied_games, whole_games
from tests.records.conformance.catching import catches
from tests.records.conformance.game_candidates import (
    forged,
    games,
    mutants,
    rich_games,
    whole_match,
)
from tests.records.conformance.law_records import LawRecord, read_law_records
from tests.records.conformance.law_twins import law_twins
from tests.records.conformance.other_cases import (
    broken_cases,
    canonical_cases,
    ending_cases,
    partial_cases,
    perft_cases,
    replay_cases,
    settlement_cases,
)
from tests.records.conformance.planted.catalogue import ERRORS
from tests.records.conformance.planted.page import PAGE, Catch, Catches, read_page, write_page
from tests.records.conformance.planted.planting import Planted
from tests.records.conformance.refereed import Refereed, may_be_refereed, referee_says
from tests.records.conformance.said_cases import said_cases
from tests.records.conformance.special_positions import special_positions

KIT = Path(__file__).parents[3] / "samples" / "conformance"
EACH = 3
"""So many mutants of every kind of every game are looked at."""
RICH = "A deal played by the rules, with many melds, every number claimed."
KINDS_ANYWAY = 10
"""So many mutants of every sheet are taken, of different kinds, whether they catch a planted error or not."""


class Pool:
    """The records of one sheet from which its part of the kit is chosen, judged by the referee when they are needed."""

    def __init__(self, taken: Iterable[Candidate], others: Iterable[Candidate]) -> None:
        self.taken, self.others = list(taken), list(others)
        self._said: dict[str, Refereed | None] = {}

    def first_to_catch(
        self, error: Planted, known: str | None, *, whole: bool
    ) -> tuple[Candidate, bool] | None:
        """The first record that catches an error by its verdict, and whether it is newly taken.

        Known is the name of one that did so before; if `whole`, only records without positions may.
        """
        some = [[*self.taken, *self.others], self.taken, self.others]
        some[0] = [one for one in some[0] if one.name == known]
        for candidates in some:
            found = self._catching(
                error, [one for one in candidates if not whole or is_whole(one.record)]
            )
            if found is not None:
                is_new = all(one.name != found.name for one in self.taken)
                self.taken += [found] if is_new else []
                return found, is_new
        return None

    def _catching(self, error: Planted, candidates: list[Candidate]) -> Candidate | None:
        judged = [(one, said) for one in candidates if (said := self._judge(one)) is not None]
        with closing(catches(error, [(one.record, said) for one, said in judged])) as answers:
            for (candidate, _), caught in zip(judged, answers, strict=True):
                if caught == "verdict":
                    return candidate
        return None

    def _judge(self, candidate: Candidate) -> Refereed | None:
        """What the referee says of a record; None if it cannot judge it, or does not agree with this program."""
        if candidate.name not in self._said:
            said = referee_says(candidate.record) if may_be_refereed(candidate.record) else None
            agrees = said is not None and case_of(candidate).expect["right"] == said.right
            self._said[candidate.name] = said if agrees else None
        return self._said[candidate.name]


def twins(records: list[LawRecord]) -> dict[str, list[Candidate]]:
    """By sheet: every meld, every end of a match, and a right and a wrong record for every law."""
    found: dict[str, list[Candidate]] = {
        sheet.id: [
            *every_meld(sheet),
            *ends_of_matches(sheet),
            *no_new_card(sheet),
            *melds_withdrawn(sheet),
            *special_positions(sheet),
        ]
        for sheet in ALL_SHEETS
    }
    more = [
        LawRecord(candidate.laws, candidate.record, [])
        for candidates in found.values()
        for candidate in candidates
    ]
    for pair in law_twins(records, more):
        for name, record, other in (("right", pair.right, "wrong"), ("wrong", pair.wrong, "right")):
            about = f"{pair.law}, {name}; in the wrong one {pair.change}."
            candidate = Candidate(
                f"{pair.law}-{name}", "twins", about, record, [pair.law], f"{pair.law}-{other}"
            )
            found[pair.sheet].append(candidate)
    return found


def damaged(sheet: RuleSheet) -> Iterator[Candidate]:
    """Damaged games of a sheet, those of one kind apart from one another."""
    by_kind: dict[str, list[Candidate]] = defaultdict(list)
    for name, record in games(sheet):
        for kind, candidate in mutants(name, record, each=EACH):
            by_kind[kind].append(candidate)
    for number in range(max(map(len, by_kind.values()))):
        yield from (some[number] for some in by_kind.values() if number < len(some))


def law_candidates(records: list[LawRecord], sheet: str) -> Iterator[Candidate]:
    """What else the tests of the laws play of a sheet, the shortest records first."""
    texts = {codec.encode(r.record): r for r in records if r.record.rules.id == sheet}
    for number, text in enumerate(sorted(texts, key=len)):
        laws = texts[text].laws
        about = f"A position of {' and '.join(laws)}."
        yield Candidate(f"position-{number}", "twins", about, texts[text].record, laws)


def chosen(
    sheet: RuleSheet, own: list[Candidate], records: list[LawRecord], caught: Catches
) -> Iterator[Candidate]:
    """The candidates of a sheet that are taken, and what catches each planted error of it."""
    own = [*own, *whole_games(sheet)]
    yield from own
    errors = [error for error in ERRORS if error.sheet == sheet.id]
    mutated = list(damaged(sheet))[: None if errors else KINDS_ANYWAY]
    yield from mutated[:KINDS_ANYWAY]
    if not errors:
        return
    before = read_page() if PAGE.exists() else {}
    rich = [*rich_games(sheet), *whole_match(sheet)]
    pool = Pool(
        [*own, *mutated[:KINDS_ANYWAY]],
        [
            *copied_games(sheet),
            *(Candidate(name, "games", RICH, record) for name, record in rich),
            *(mutant for name, record in rich for _, mutant in mutants(name, record, each=1)),
            *(
                one
                for name, record in rich
                if sheet.rules.tableau is None and len(record.deals) == 1
                for one in forged(name, record)
            ),
            *mutated[KINDS_ANYWAY:],
            *law_candidates(records, sheet.id),
        ],
    )
    for error in errors:
        known, ids = before.get((sheet.id, error.name), Catch(None, None)), list[str | None]()
        for name, whole in ((known.case, False), (known.in_whole_deal, True)):
            found = pool.first_to_catch(error, name and name.rpartition("/")[2], whole=whole)
            ids.append(found and f"{sheet.id}/{found[0].area}/{found[0].name}")
            if found is not None and found[1]:
                yield found[0]
        caught[sheet.id, error.name] = Catch(*ids)
        if ids[0] is None:
            print(f"survives: {sheet.id} {error.name}", flush=True)


def is_whole(record: Record) -> bool:
    """Whether a record begins with the shuffle, so that programs that read no positions can be asked."""
    return all(deal.setup is None for deal in record.deals)


def heard(path: Path | None) -> list[LawRecord]:
    """The records of the tests of the laws, heard now or before."""
    if path is not None:
        return list(read_law_records(path))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "laws.jsonl"
        subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "tests.records.conformance.law_records",
             "--law-records", str(file), "tests/laws"],
            check=True,
        )  # fmt: skip
        return list(read_law_records(file))


def every_case(records: list[LawRecord], caught: Catches) -> Iterator[Case]:
    """The whole kit, sheet by sheet, and what is of no sheet."""
    own = twins(records)
    for sheet in ALL_SHEETS:
        seen = set[str]()
        for candidate in chosen(sheet, own[sheet.id], records, caught):
            if candidate.name not in seen:
                seen.add(candidate.name)
                yield case_of(candidate)
        for make in (
            replay_cases,
            partial_cases,
            settlement_cases,
            perft_cases,
            ending_cases,
            said_cases,
        ):
            yield from make(sheet)
        print(sheet.id, len(seen), flush=True)
    yield from canonical_cases()
    yield from broken_cases()


def main() -> None:
    """Write the kit and the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--law-records", type=Path)
    caught: Catches = {}
    cases = list(every_case(heard(parser.parse_args().law_records), caught))
    names = {case.id for case in cases}
    assert len(names) == len(cases), "an id occurs twice"
    for case in cases:
        # A twin that was not taken is none.
        case.twin = case.twin if case.twin in names else None
    write_kit(KIT, cases)
    write_page(caught)


if __name__ == "__main__":
    main()
