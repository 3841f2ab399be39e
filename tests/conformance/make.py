"""Writes the kit into `samples/conformance`, and the page of planted errors: `python -m tests.conformance.make`.

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

from records import codec
from records.conformance.cases import Case, write_kit
from records.rules.registry import ALL_SHEETS
from records.rules.vocabulary import RuleSheet
from tests.conformance.candidates import (
    Candidate,
    ends_of_matches,
    every_meld,
    games,
    mutants,
    no_new_card,
)  # fmt: skip
from tests.conformance.case_making import case_of, copied_games
from tests.conformance.catching import catches
from tests.conformance.law_records import LawRecord, read_law_records
from tests.conformance.law_twins import law_twins
from tests.conformance.other_cases import (
    broken_cases,
    canonical_cases,
    ending_cases,
    partial_cases,
    perft_cases,
    replay_cases,
    settlement_cases,
)  # fmt: skip
from tests.conformance.planted.catalogue import ERRORS
from tests.conformance.planted.page import PAGE, Catches, read_page, write_page
from tests.conformance.planted.planting import Planted
from tests.conformance.refereed import Refereed, may_be_refereed, referee_says
from tests.conformance.special_positions import special_positions

KIT = Path(__file__).parents[2] / "samples" / "conformance"
EACH = 3
"""So many mutants of every kind of every game are looked at."""
KINDS_ANYWAY = 10
"""So many mutants of every sheet are taken, of different kinds, whether they catch a planted error or not."""


class Pool:
    """The records of one sheet from which its part of the kit is chosen, judged by the referee when they are needed."""

    def __init__(self, candidates: Iterable[Candidate]) -> None:
        self.candidates = list(candidates)
        self._said: dict[str, Refereed | None] = {}

    def first_to_catch(self, error: Planted, *, name: str | None = None) -> Candidate | None:
        """The first record that catches an error by its verdict, of those with a name if there is one."""
        some = [one for one in self.candidates if name in (None, one.name)]
        judged = [(one, said) for one in some if (said := self._judge(one)) is not None]
        pairs = [(candidate.record, said) for candidate, said in judged]
        with closing(catches(error, pairs)) as answers:
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
    yield from own
    errors = [error for error in ERRORS if error.sheet == sheet.id]
    mutated = list(damaged(sheet))[: None if errors else KINDS_ANYWAY]
    yield from mutated[:KINDS_ANYWAY]
    if not errors:
        return
    before = read_page() if PAGE.exists() else {}
    taken = Pool([*own, *mutated[:KINDS_ANYWAY]])
    rest = Pool([*copied_games(sheet), *mutated[KINDS_ANYWAY:], *law_candidates(records, sheet.id)])
    for error in errors:
        name = (before.get((sheet.id, error.name)) or "").rpartition("/")[2]
        found = (
            taken.first_to_catch(error, name=name)
            or rest.first_to_catch(error, name=name)
            or taken.first_to_catch(error)
            or rest.first_to_catch(error)
        )
        if found is not None and found not in taken.candidates:
            taken.candidates.append(found)
            yield found
        caught[sheet.id, error.name] = f"{sheet.id}/{found.area}/{found.name}" if found else None
        if found is None:
            print(f"survives: {sheet.id} {error.name}", flush=True)


def heard(path: Path | None) -> list[LawRecord]:
    """The records of the tests of the laws, heard now or before."""
    if path is not None:
        return list(read_law_records(path))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "laws.jsonl"
        subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "tests.conformance.law_records",
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
        for make in (replay_cases, partial_cases, settlement_cases, perft_cases, ending_cases):
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
