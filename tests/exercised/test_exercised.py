"""Every law is exercised in every sheet that cites it, and every condition of reuse is both true and false.

`-s` prints the table. A law is exercised in a sheet by a test that has its number in its name and
plays a record of that sheet (`watch`), or by the playouts (`playouts`); and only if its tests notice a change
of the code or of the field of a sheet that implements it (`law_mutants`).
"""

import json
import subprocess
import sys
from collections import Counter
from typing import Any

import pytest

from records.engine.following import lawful_replies
from records.rules import registry
from records.rules.registry import ALL_SHEETS, LAW_NUMBER_PATTERN, read_laws
from records.rules.vocabulary import ReuseRule, RuleSheet
from tests.bench.pure_python import is_compiled
from tests.exercised.clauses import clauses, unanswered
from tests.exercised.law_mutants import LAW_CODE, mutants_of
from tests.exercised.playouts import WITNESSES, seen_by_sheet, witnessed
from tests.exercised.watch import laws_named

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(is_compiled(), reason="it changes sources, and compiled ones are not run"),
]

REUSING = [sheet for sheet in ALL_SHEETS if sheet.rules.reuse.rule is not ReuseRule.LEAVES_THE_HAND]


def rests_on(sheet: RuleSheet) -> set[str]:
    """The laws and rulings that a sheet names, in its articles and its options."""
    named = [*(each.cited for each in sheet.articles), *(option.law for option in sheet.options)]
    return set(LAW_NUMBER_PATTERN.findall(" ".join(named)))


def watched(tmp_path, tests: str = "tests/laws") -> dict[str, Any]:
    """What the tests named by laws played, asked and noticed, from a run of their own."""
    path = tmp_path / "watched.json"
    command = [
        sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider",
        "-p", "tests.exercised.watch", "--watched", str(path), tests,
    ]  # fmt: skip
    done = subprocess.run(command, text=True, capture_output=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.slow
def test_every_law_and_every_clause_of_reuse_is_exercised(tmp_path):
    run, played = watched(tmp_path), seen_by_sheet()
    tests: Counter[tuple[str, str]] = Counter()
    for name, sheets in run["tests"]:
        tests.update((law, sheet) for law in laws_named(name) for sheet in sheets)
    print("\n" + table(tests, played))
    idle = [
        f"{law} in {sheet.id}"
        for sheet in ALL_SHEETS
        for law in sorted(rests_on(sheet))
        if not tests[law, sheet.id] and not witnessed(law, played[sheet.id])
    ]
    assert idle == []
    changes = {law: [test for _, test in tried] for law, tried in run["changes"].items()}
    assert [law for law in LAW_CODE if not any(changes[law])] == []
    answers = {tuple(answer) for answer in run["clauses"]}
    print(f"{len(clauses())} clauses of the rules of reuse, each true and false in some test")
    assert list(unanswered(answers)) == []
    both = [[sheet.id, answer] for sheet in REUSING for answer in ("allowed", "refused")]
    assert [pair for pair in both if pair not in run["reused"]] == []


def table(tests: Counter[tuple[str, str]], played: dict[str, set[str]]) -> str:
    """A line a law: for each sheet that rests on it the number of its tests, `+` if playouts show it too."""
    lines = [f"{i:6} {sheet.id}" for i, sheet in enumerate(ALL_SHEETS)]
    lines.append("law      " + "".join(f"{i:>5}" for i, _ in enumerate(ALL_SHEETS)))
    for law in read_laws():
        cells = (
            f"{tests[law, sheet.id]}{'+' if witnessed(law, played[sheet.id]) else ' '}"
            if law in rests_on(sheet) else ""
            for sheet in ALL_SHEETS
        )  # fmt: skip
        lines.append(f"{law:9}" + "".join(f"{cell:>5}" for cell in cells))
    return "\n".join(lines)


def test_what_shows_a_law_is_of_a_law():
    assert set(WITNESSES) <= set(read_laws())
    assert list(LAW_CODE) == list(read_laws())


@pytest.mark.slow
def test_a_law_is_not_exercised_by_tests_that_ask_nothing(tmp_path):
    """Tests with the numbers of two laws in their names, which would have passed for exercising both."""
    told = """
import pytest
from tests.make.tables import table
POSITION = "N: KH 9D | S: AH 7H 7C | trump S | turn-up 9S | stock 1 | N leads"
def test_c3_something():
    table(POSITION, "N KH, S AH, S takes")
def test_c4_any_card_may_follow():
    assert table(POSITION, "N KH, S 7C").codes == []
"""
    (tmp_path / "test_laws.py").write_text(told, encoding="utf-8")
    changes = watched(tmp_path, str(tmp_path / "test_laws.py"))["changes"]
    noticed = {law: [test for _, test in tried if test] for law, tried in changes.items()}
    assert (noticed["C3"], noticed["C4"]) == ([], ["test_c4_any_card_may_follow"])


def test_a_change_is_undone():
    sheets, code = registry.ALL_SHEETS, lawful_replies.__code__
    during = []
    for _, changed in mutants_of("C8"):
        with changed:
            during.append((registry.ALL_SHEETS is not sheets, lawful_replies.__code__ is not code))
        assert registry.ALL_SHEETS is sheets
        assert lawful_replies.__code__ is code
    # The sheets, this function, or another that implements the law.
    assert set(during) == {(True, False), (False, True), (False, False)}


def test_a_test_is_named_by_its_laws():
    assert laws_named("test_a37_a39_no_sequence") == ["A-37", "A-39"]
    assert laws_named("test_c8_follow_in_zique") == ["C8"]
    assert laws_named("test_r_001_a21_the_new_card") == ["R-001", "A-21"]
    assert laws_named("test_a30a_at_every_draw") == ["A-30a"]
    assert laws_named("test_a_card_of_c8") == []
