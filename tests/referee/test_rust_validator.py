"""The validator in `rust`, which somebody wrote from the published pages alone, agrees with the kit and with this program.

It knows two rulebooks, and tells verdict, place and code of what tells everything. By hand:

    rustc -O --edition 2021 tests/referee/rust/main.rs -o validator
    bezique conform run -- ./validator records/spec
"""

import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest

from records.conformance.answers import OWN_ANSWERS
from records.conformance.cases import Case, kit_folder, read_kit
from records.conformance.program import RunningProgram, is_as_expected, request_line
from records.conformance.run import run_kit
from records.documents.schemas import SPEC_FOLDER
from records.format.codec import encode
from records.record import Record
from records.rules.registry import get_sheet
from tests.playouts.games import Way, option_sets
from tests.playouts.hoarding import play_hoarding_game
from tests.playouts.mutants import KINDS

SOURCES = Path(__file__).with_name("rust")
SHEETS = ("rubicon-bezique-club", "six-pack-bezique")
OLDEST = (1, 82)
LONG = 300.0
"""Seconds for an answer where nothing is to be late."""
FEWEST_CASES, MOST_SKIPPED = 780, 5
GAMES = int(os.environ.get("BEZIQUE_RUST_GAMES", "8"))
"""So many games of each sheet, each damaged in every way and each beside a hoarding game."""
FEWEST_JUDGED, FEWEST_RIGHT = 28, 2
"""Of a game with all that was made of it, at least so many on average."""


def tool(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"THE VALIDATOR IN RUST WAS NOT TRIED: there is no {name} on this machine")
    return path


@pytest.fixture(scope="module")
def validator(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command that runs it, compiled anew."""
    told = subprocess.run([tool("rustc"), "--version"], capture_output=True, text=True, check=True)
    version = re.search(r"(\d+)\.(\d+)", told.stdout)
    if version is None or tuple(map(int, version.groups())) < OLDEST:
        pytest.skip(f"THE VALIDATOR IN RUST WAS NOT TRIED: {told.stdout.strip()} is too old")
    program = tmp_path_factory.mktemp("rust") / "validator"
    options = ["--edition", "2021", "-C", "opt-level=1", "-o", program]
    done = subprocess.run(
        ["rustc", *options, SOURCES / "main.rs"], capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    return [str(program), str(SPEC_FOLDER)]


@pytest.mark.long
def test_it_is_formatted() -> None:
    command = [tool("rustfmt"), "--check", "--edition", "2021", SOURCES / "main.rs"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_it_agrees_with_every_case_that_it_can_be_asked(validator: list[str]) -> None:
    cases = [case for case in read_kit(kit_folder()) if case.sheet in (None, *SHEETS)]
    _, results = run_kit(validator, cases, seconds=LONG)
    told = Counter(result.outcome for result in results)
    assert {
        result.case for result in results if result.outcome in ("differs", "no answer")
    } == set()
    assert told["agrees"] >= FEWEST_CASES
    assert told["skipped"] <= MOST_SKIPPED


def records(sheet: str) -> Iterator[tuple[str, Record]]:
    """Games by every option, labelled and not, each with what damage makes of it, and with like cards hoarded."""
    sets = option_sets(get_sheet(sheet), more=4)
    for seed in range(GAMES):
        way = Way(get_sheet(sheet), 2, None, sets[seed % len(sets)])
        style, labels = ("greedy", "random")[seed % 2], seed % 3 == 0
        record = way.play(seed, style, deals=1, labels=labels, where=seed % 2 == 0)
        yield f"{way} {seed}", record
        for name, damage in KINDS.items():
            if mutant := damage(record, Random(f"{way} {seed} {name}")):
                yield f"{way} {seed} {name}", mutant.record
        yield f"hoarding {seed}", play_hoarding_game(sheet, seed, labels=seed % 2 == 1)


@pytest.mark.slow
@pytest.mark.parametrize("sheet", SHEETS)
def test_it_judges_games_and_damaged_games_alike(validator: list[str], sheet: str) -> None:
    told: Counter[str] = Counter()
    with RunningProgram(validator) as program:
        for number, (name, record) in enumerate(records(sheet)):
            given = {"record": msgspec.json.decode(encode(record))}
            case = Case(id=name, area="games", ask="validate", about=name, given=given,
                        expect=OWN_ANSWERS["validate"](given))  # fmt: skip
            answer = program.ask(request_line(number, case), seconds=LONG)
            if "skip" in answer:
                told["skipped"] += 1
                continue
            told["right" if case.expect["right"] else "wrong"] += 1
            differing = f"{name}: {case.expect}, but {answer}, of {encode(record).decode()}"
            assert is_as_expected(answer, case, "code"), differing
    assert told["right"] >= GAMES * FEWEST_RIGHT, told
    assert told["right"] + told["wrong"] >= GAMES * FEWEST_JUDGED, told
