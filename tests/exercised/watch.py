"""Records a run of the tests named after laws: the sheets played, the conditions evaluated, the changes noticed.

A plugin of pytest, loaded by `test_exercised` alone: `-p tests.exercised.watch --watched FILE`. A law is
exercised in a sheet where a test that has the law in its name, and passes, replays a record of that sheet.
"""

import json
import re
import signal
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from records.cards import FACE_OF
from records.events import Meld
from records.replay import Match
from tests.exercised.clauses import CLAUSES, clear, instrument
from tests.exercised.law_mutants import LAW_CODE, mutants_of
from tests.make.tables import Told

NAMED = re.compile(r"_(r_[a-z0-9]+|[acz]\d+[a-d]?)(?=_|$|\[)")


def laws_named(test: str) -> list[str]:
    """The laws at the beginning of a test's name: `test_a37_a39_no_sequence` is of A-37 and A-39."""
    rest, found = test.removeprefix("test"), []
    while match := NAMED.match(rest):
        found.append(_number(match[1]))
        rest = rest[match.end() :]
    return found


def _number(name: str) -> str:
    if name[0] == "r":
        return name.upper().replace("_", "-", 1)
    letter, digits = name[0].upper(), name[1:]
    return f"A-{digits}" if letter == "A" else letter + digits


class Watch:
    """Notes, of every test that passes, the sheets played by and the clauses answered."""

    def __init__(self, path: Path, *, every: bool) -> None:
        self.path, self.every, self.sheets = path, every, set[str]()
        self.items: list[Any] = []
        self.changes: dict[str, list[tuple[str, str]]] = {}
        self.tests: list[tuple[str, list[str]]] = []
        self.clauses = set[tuple[str, str, bool]]()
        self.reused = set[tuple[str, str]]()

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Of the tests not about reuse one run a sheet is enough: that is what is asked for here."""
        self.items = list(items)
        once: dict[tuple[Any, object], Any] = {}
        for item in items:
            told = item.callspec.params if hasattr(item, "callspec") else {}
            whole = item.path.stem.startswith(("test_reuse", "test_polish"))
            once.setdefault((item.nodeid if whole else item.function, told.get("sheet")), item)
        items[:] = once.values()

    def pytest_runtest_setup(self, item: Any) -> None:
        self.sheets.clear()
        clear()

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when == "call" and report.passed:
            name = report.nodeid.rpartition("::")[2]
            self.tests.append((name, sorted(self.sheets)))
            self.clauses |= CLAUSES

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self, session: Any) -> Iterator[None]:
        """After the tests, those of each law once more on changes of what implements it, until one is noticed."""
        result = yield
        if not session.testsfailed:
            for law in LAW_CODE:
                items = [item for item in self.items if law in laws_named(item.name)]
                self.changes[law] = list(self._tried(law, items)) if items else []
        return result

    def _tried(self, law: str, items: list[Any]) -> Iterator[tuple[str, str]]:
        """Changes of what implements a law, each with the test that notices it, or nothing."""
        items = [item for item in items if set(item._fixtureinfo.argnames) <= set(_given(item))]
        for words, changed in mutants_of(law):
            with changed:
                noticed = next((item.name for item in items if _fails(item)), "")
            yield words, noticed
            if noticed and not self.every:
                return

    def hear(self, told: Told) -> None:
        """Note whether cards that had scored were allowed to score again, or refused."""
        sheet = told.record.rules.id
        if "meld-reuses-cards" in told.codes:
            self.reused.add((sheet, "refused"))
        elif not told.codes and any(map(_share, *_pairs(told))):
            self.reused.add((sheet, "allowed"))

    def pytest_sessionfinish(self) -> None:
        told = {
            "tests": self.tests, "clauses": sorted(self.clauses), "reused": sorted(self.reused),
            "changes": self.changes,
        }  # fmt: skip
        self.path.write_text(json.dumps(told), encoding="utf-8")


def _given(item: Any) -> dict[str, Any]:
    """The arguments of a test, as far as they are parameters."""
    return item.callspec.params if hasattr(item, "callspec") else {}


def _fails(item: Any) -> bool:
    """Whether a test fails now by what it asserts; an error, or two seconds of work, is no answer."""
    signal.signal(signal.SIGVTALRM, _give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, 2)
    try:
        item.obj(**_given(item))
    except (AssertionError, pytest.fail.Exception):
        return True
    except Exception:
        return False
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return False


def _give_up(*_: object) -> None:
    raise TimeoutError


def _pairs(told: Told) -> tuple[list[Meld], list[Meld]]:
    """Every two melds that one seat scores in a deal."""
    melds = [[e for e in deal.events if isinstance(e, Meld)] for deal in told.record.deals]
    pairs = [
        pair for deal in melds for pair in combinations(deal, 2) if pair[0].seat == pair[1].seat
    ]
    return [first for first, _ in pairs], [second for _, second in pairs]


def _share(first: Meld, second: Meld) -> bool:
    return bool({FACE_OF[card] for card in first.cards} & {FACE_OF[card] for card in second.cards})


def pytest_addoption(parser: Any) -> None:
    parser.addoption("--watched", type=Path, required=True)
    parser.addoption("--every-change", action="store_true")


def pytest_configure(config: Any) -> None:
    watch = Watch(config.getoption("watched"), every=config.getoption("every_change"))
    config.pluginmanager.register(watch)
    instrument()
    begin = Match.__init__

    def noted(match: Match, record: Any, resolved: Any, **more: Any) -> None:
        watch.sheets.add(resolved.sheet.id)
        begin(match, record, resolved, **more)

    Match.__init__ = noted  # type: ignore[method-assign]
    tell = Told.__post_init__

    def heard(told: Told) -> None:
        tell(told)
        watch.hear(told)

    Told.__post_init__ = heard  # type: ignore[method-assign]
