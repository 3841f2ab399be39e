"""Writes the kit into `samples/conformance`, and the page of planted errors: `python -m tests.records.conformance.make`.

It takes half an hour: it runs the tests of the laws to hear their records, judges hundreds of damaged games, and lets
programs with every planted error judge them once more. Among the records that catch an error it takes one that the kit
has already, and otherwise the first.
`--law-records FILE` reads records heard before.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from records.conformance.cases import Case, read_kit, write_kit
from records.format import codec
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
from tests.records.conformance.choosing import Choice
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
from tests.records.conformance.planted.page import Catches, write_page
from tests.records.conformance.said_cases import said_cases
from tests.records.conformance.special_positions import special_positions

KIT = Path(__file__).parents[3] / "samples" / "conformance"
EACH = 3
"""So many mutants of every kind of every game are looked at."""
RICH = "A deal played by the rules, with many melds, every number claimed."
KINDS_ANYWAY = 5
"""So many mutants of every sheet are taken, of different kinds, whether they catch a planted error or not."""


def twins(records: list[LawRecord]) -> dict[str, list[Candidate]]:
    """By sheet: every meld, every end of a match, and a right and a wrong record for every law."""
    found: dict[str, list[Candidate]] = {
        sheet.id: [
            *every_meld(sheet),
            *ends_of_matches(sheet),
            *no_new_card(sheet),
            *melds_withdrawn(sheet),
            *special_positions(sheet),
            *error_positions(sheet),
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


def cases_of(
    sheet: RuleSheet, twins: list[Candidate], records: list[LawRecord], caught: Catches
) -> list[Case]:
    """The part of the kit about a sheet; adds what catches each planted error."""
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
    positions = [one.record for one in twins]
    told = told_of(sheet, [*broken_records(), *(each.record for each in records)], positions)
    cases += code_cases(sheet, cases, [one.record for one in told if not one.record.rules.options])
    choice = Choice(
        sheet, cases, lambda: kept(sheet), lambda: [*told, *near_misses(sheet)], lambda: option_games(sheet),
        for_referee=lambda: other_candidates(sheet, records),
    )  # fmt: skip
    codes = {case.expect["code"] for case in cases if "code" in case.expect}
    errors = [
        error for error in planted_errors() if error.sheet == sheet.id and error.kind != "findings"
    ]
    for error in (*errors, *(unseen_error(sheet.id, code) for code in sorted(codes))):
        catch = caught[sheet.id, error.name] = choice.catch(error)
        if catch.case is None:
            print(f"survives: {sheet.id} {error.name}", flush=True)
    print(sheet.id, len(cases), "and", len(choice.taken), "cases", flush=True)
    return [*cases, *choice.taken]


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


def main() -> None:
    """Write the kit and the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--law-records", type=Path)
    caught: Catches = {}
    records = heard(parser.parse_args().law_records)
    own = twins(records)
    cases = [
        case for sheet in ALL_SHEETS for case in cases_of(sheet, own[sheet.id], records, caught)
    ]
    cases += [*canonical_cases(), *(case for case in broken_cases() if case.sheet is None)]
    names = {case.id for case in cases}
    assert len(names) == len(cases), "an id occurs twice"
    for case in cases:
        # A twin that was not taken is none.
        case.twin = case.twin if case.twin in names else None
    write_kit(KIT, cases)
    write_page(caught)


if __name__ == "__main__":
    main()
