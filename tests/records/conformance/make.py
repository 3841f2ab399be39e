"""Writes the kit into `samples/conformance`, and the page of planted errors: `python -m tests.records.conformance.make`.

It runs the tests of the laws to hear their records, judges hundreds of damaged games, and lets programs with every planted
error judge them once more. Among the records that catch an error it takes the one that caught it before, then one that the
kit has already, and otherwise the first. So a second run changes nothing.
`--law-records FILE` reads records heard before, `--rules ID` makes the part of one sheet anew and keeps the others.
"""

import argparse
import multiprocessing
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import islice
from pathlib import Path

from records.conformance.cases import Case, read_kit, write_kit
from records.format import codec
from records.rules.registry import ALL_SHEETS, get_sheet
from records.rules.vocabulary import RuleSheet
from tests.records.conformance.candidates import (
    Candidate,
    ends_of_matches,
    every_meld,
    melds_withdrawn,
    no_new_card,
)
from tests.records.conformance.case_making import case_of, copied_games, whole_games
from tests.records.conformance.choosing import Choice
from tests.records.conformance.clause_cases import clause_cases
from tests.records.conformance.code_twins import code_cases
from tests.records.conformance.confirming import record_given
from tests.records.conformance.error_positions import error_positions
from tests.records.conformance.game_candidates import (
    forged,
    games,
    mutants,
    rich_games,
    whole_match,
)
from tests.records.conformance.law_records import LawRecord, read_law_records
from tests.records.conformance.law_twins import law_twins
from tests.records.conformance.more_candidates import (
    broken_records,
    near_misses,
    option_games,
    told_of,
)
from tests.records.conformance.other_cases import (
    broken_cases,
    canonical_cases,
    ending_cases,
    partial_cases,
    perft_cases,
    replay_cases,
    settlement_cases,
)
from tests.records.conformance.planted.catalogue import planted_errors, unseen_error
from tests.records.conformance.planted.clause_errors import CLAUSE_ERRORS
from tests.records.conformance.planted.page import Catch, Catches, read_page, write_page
from tests.records.conformance.planted.planting import Planted, SourceChange
from tests.records.conformance.said_cases import said_cases
from tests.records.conformance.special_positions import special_positions

KIT = Path(__file__).parents[3] / "samples" / "conformance"
STARTED = time.monotonic() / 60
EVERY = 50
"""After so many errors it is told how far the work is."""
EACH = 3
"""So many mutants of every kind of every game are looked at."""
RICH = "A deal played by the rules, with many melds, every number claimed."
KINDS_ANYWAY = 5
"""So many mutants of every sheet are taken, of different kinds, whether they catch a planted error or not."""


def twins(sheet: RuleSheet, records: list[LawRecord]) -> list[Candidate]:
    """Every meld, every end of a match, and a right and a wrong record for every law of a sheet."""
    found = [
        *every_meld(sheet),
        *ends_of_matches(sheet),
        *no_new_card(sheet),
        *melds_withdrawn(sheet),
        *special_positions(sheet),
        *error_positions(sheet),
    ]
    more = [LawRecord(candidate.laws, candidate.record, []) for candidate in found]
    for pair in law_twins(sheet, records, more):
        for name, record, other in (("right", pair.right, "wrong"), ("wrong", pair.wrong, "right")):
            about = f"{pair.law}, {name}; in the wrong one {pair.change}."
            found.append(
                Candidate(
                    f"{pair.law}-{name}", "twins", about, record, [pair.law], f"{pair.law}-{other}"
                )
            )
    return found


def damaged(sheet: RuleSheet) -> Iterator[Candidate]:
    """Damaged games of a sheet."""
    for name, record in games(sheet):
        for _, candidate in mutants(name, record, each=EACH):
            yield candidate


def law_candidates(records: list[LawRecord], sheet: str) -> Iterator[Candidate]:
    """What else the tests of the laws play of a sheet, the shortest records first."""
    texts = {codec.encode(r.record): r for r in records if r.record.rules.id == sheet}
    for number, text in enumerate(sorted(texts, key=len)):
        laws = texts[text].laws
        about = f"A position of {' and '.join(laws)}."
        yield Candidate(f"position-{number}", "twins", about, texts[text].record, laws)


def own_candidates(sheet: RuleSheet, twins: list[Candidate]) -> Iterator[Candidate]:
    """What is taken of a sheet, whether it catches a planted error or not."""
    yield from twins
    yield from whole_games(sheet)
    name, record = next(games(sheet))
    yield from (mutant for _, mutant in islice(mutants(name, record, each=1), KINDS_ANYWAY))


def other_candidates(sheet: RuleSheet, records: list[LawRecord]) -> Iterator[Candidate]:
    """What may be taken, the shortest first: positions of the laws, of other sheets too, then deals and damaged deals."""
    yield from law_candidates(records, sheet.id)
    rich = [*rich_games(sheet), *whole_match(sheet)]
    yield from copied_games(sheet)
    yield from (Candidate(name, "games", RICH, record) for name, record in rich)
    yield from (mutant for name, record in rich for _, mutant in mutants(name, record, each=1))
    if sheet.rules.tableau is None:
        yield from (
            one for name, record in rich if len(record.deals) == 1 for one in forged(name, record)
        )
    yield from damaged(sheet)


def hear(file: Path) -> None:
    """Write the records of the tests of the laws."""
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "tests.records.conformance.law_records",
         "--law-records", str(file), "tests/laws"],
        check=True,
    )  # fmt: skip


@cache
def heard(file: Path) -> list[LawRecord]:
    """The records of the tests of the laws; a process reads them once."""
    return list(read_law_records(file))


def own_cases(sheet: RuleSheet, twins: list[Candidate], told: list[Candidate]) -> list[Case]:
    """What the kit has of a sheet, whether it catches a planted error or not."""
    by_name = {one.name: one for one in reversed([*own_candidates(sheet, twins)])}
    cases = [case_of(one) for one in reversed(by_name.values())]
    for make in (
        replay_cases,
        partial_cases,
        settlement_cases,
        perft_cases,
        ending_cases,
        said_cases,
    ):
        cases += make(sheet)
    cases += [case for case in broken_cases() if case.sheet == sheet.id]
    plain = [one.record for one in told if not one.record.rules.options]
    return [*cases, *code_cases(sheet, cases, plain)]


def own_part(sheet: RuleSheet, records: list[LawRecord]) -> tuple[list[Case], list[Candidate]]:
    """What the kit has of a sheet, whatever it catches, and the broken records that are told of the sheet."""
    own = twins(sheet, records)
    every = [*broken_records(), *(each.record for each in records)]
    told = told_of(sheet, every, [one.record for one in own])
    return own_cases(sheet, own, told), told


def part_of(sheet_id: str, file: Path) -> tuple[list[Case], Catches]:
    """The part of the kit about a sheet, and what catches each planted error."""
    sheet, records = get_sheet(sheet_id), heard(file)
    cases, told = own_part(sheet, records)
    say(f"{sheet.id}: {len(cases)} cases of its own")
    choice = Choice(
        sheet, cases, lambda: kept(sheet), lambda: told, lambda: near_misses(sheet), lambda: option_games(sheet),
        for_referee=lambda: other_candidates(sheet, records), before=read_page(),
    )  # fmt: skip
    caught = catch_all(sheet, choice)
    # They come last, so that they displace no case.
    clauses = [*clause_cases(sheet)]
    choice.add(clauses)
    caught |= catch_clauses(sheet, choice, caught)
    taken = choice.cases
    say(f"{sheet.id}: {len(taken)} cases, {len(caught)} errors")
    return taken, caught


def catch_all(sheet: RuleSheet, choice: Choice) -> Catches:
    """What catches each planted error of a sheet; what a program does wrong is shown by a whole deal, too."""
    own = {error.name for error in CLAUSE_ERRORS}
    errors = [
        one
        for one in planted_errors()
        if one.sheet == sheet.id and one.kind != "findings" and one.name not in own
    ]
    caught = _catch(choice, errors)
    for error in errors:
        catch = caught[sheet.id, error.name]
        if isinstance(error.change, SourceChange) and catch.case and not catch.in_whole_deal:
            caught[sheet.id, error.name] = Catch(catch.case, choice.whole_deal(error))
    # What is taken for one code may have another.
    while unseen := _unseen(sheet, choice, caught):
        caught |= _catch(choice, unseen)
    return caught


def catch_clauses(sheet: RuleSheet, choice: Choice, caught: Catches) -> Catches:
    """What catches the errors in single clauses, and those of not looking for a code that only these cases have."""
    errors = [error for error in CLAUSE_ERRORS if error.sheet == sheet.id]
    found = _catch(choice, errors)
    return found | _catch(choice, _unseen(sheet, choice, caught))


def _unseen(sheet: RuleSheet, choice: Choice, caught: Catches) -> list[Planted]:
    codes = sorted({case.expect["code"] for case in choice.cases if "code" in case.expect})
    errors = [unseen_error(sheet.id, code) for code in codes]
    return [error for error in errors if (sheet.id, error.name) not in caught]


def _catch(choice: Choice, errors: list[Planted]) -> Catches:
    caught: Catches = {}
    for number, error in enumerate(errors, 1):
        catch = caught[error.sheet, error.name] = choice.catch(error)
        if catch.case is None:
            say(f"{error.sheet}: {error.name} survives")
        if number % EVERY == 0 or number == len(errors):
            say(f"{error.sheet}: {number} of {len(errors)} errors")
    return caught


def say(line: str) -> None:
    """Tell how far the work is, with the minutes since this process began."""
    print(f"{time.monotonic() / 60 - STARTED:5.1f} min  {line}", flush=True)


def kept(sheet: RuleSheet) -> Iterator[Candidate]:
    """What the stored kit has of a sheet, so that it changes little."""
    for case in read_kit(KIT):
        if (
            case.sheet == sheet.id
            and case.ask == "validate"
            and "record" in case.given
            and case.area in ("twins", "games", "mutants")
        ):
            yield Candidate(
                case.id.rpartition("/")[2], case.area, case.about, record_given(case), case.laws
            )


def parts(
    sheets: list[str], law_records: Path | None, workers: int
) -> list[tuple[list[Case], Catches]]:
    """The parts of the kit about these sheets, several at a time."""
    with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor(workers) as pool:
        file = law_records or Path(folder) / "laws.jsonl"
        if law_records is None:
            hear(file)
        return list(pool.map(part_of, sheets, [file] * len(sheets)))


def made_anew(
    sheets: list[str], law_records: Path | None, workers: int
) -> tuple[list[Case], Catches]:
    """All cases, those of these sheets made anew, and what catches each planted error."""
    caught, by_sheet = read_page(), {sheet.id: list[Case]() for sheet in ALL_SHEETS}
    for case in read_kit(KIT):
        if case.sheet is not None:
            by_sheet[case.sheet].append(case)
    for sheet, (cases, found) in zip(sheets, parts(sheets, law_records, workers), strict=True):
        by_sheet[sheet] = cases
        caught = {name: catch for name, catch in caught.items() if name[0] != sheet} | found
    every = [case for cases in by_sheet.values() for case in cases]
    every += [*canonical_cases(), *(case for case in broken_cases() if case.sheet is None)]
    names = {case.id for case in every}
    assert len(names) == len(every), "an id occurs twice"
    for case in every:
        # A twin that was not taken is none.
        case.twin = case.twin if case.twin in names else None
    return every, caught


def main() -> None:
    """Write the kit and the page."""
    every = [sheet.id for sheet in ALL_SHEETS]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--law-records", type=Path)
    parser.add_argument("--rules", nargs="+", choices=every, default=every)
    parser.add_argument("--workers", type=int, default=multiprocessing.cpu_count())
    told = parser.parse_args()
    cases, caught = made_anew(told.rules, told.law_records, told.workers)
    write_kit(KIT, cases)
    # The errors of not looking for a fault follow from the codes of the kit.
    planted_errors.cache_clear()
    write_page(caught)
    say("done")


if __name__ == "__main__":
    main()
