"""What holds for all tests: the examples of property tests, when garbage is collected, which tests come first, and the
summary of damaged games."""

import atexit
import gc
import signal
from collections import Counter, defaultdict
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from hypothesis import HealthCheck, settings
from jinja2 import FileSystemBytecodeCache

from records.rules.registry import know_sheets, own_sheets

# No deadlines: a busy machine tries the same examples as an idle one.
settings.register_profile("new", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("same", settings.get_profile("new"), derandomize=True)
settings.load_profile("same")

# What a shell runs in the background ignores Ctrl-C, and so would every process that a test starts.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Every application compiles its templates anew: hundreds of them would spend a tenth of their time so.
Flask.jinja_options = {"bytecode_cache": FileSystemBytecodeCache()}


@pytest.fixture(autouse=True)
def own_sheets_forgotten() -> Iterator[None]:
    """No test knows the rulebooks of another: those that it added, or that a store it left open keeps."""
    before = own_sheets()
    yield
    know_sheets(before)


OBJECTS_BETWEEN_COLLECTIONS = (20_000, 20, 20)
"""So many new objects before the garbage among them is collected, and so many collections before an older part's is."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep the garbage collector from what lives to the end: modules and tests, half a million objects.

    To search them again and again took some modules a quarter of their processor time.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        atexit.register(gc.unfreeze)  # what Python cannot free at its end, DuckDB calls leaked
        gc.enable()
        gc.set_threshold(*OBJECTS_BETWEEN_COLLECTIONS)


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> Generator[None, None, None]:
    """Mark what is slow before tests are chosen by marks, and order those that are left."""
    leave_samples(items)
    yield
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    if workers > 1:
        begin_with_long(items, workers)


def leave_samples(items: list[pytest.Item]) -> None:
    """Mark as slow all but a sample of the cases of a test that has a sample: `make test` tries that, and CI all."""
    cases = defaultdict[tuple[Path, str], list[pytest.Item]](list)
    for item in items:
        if item.get_closest_marker("sampled"):
            cases[item.path, getattr(item, "originalname", item.name)].append(item)
    for each in cases.values():
        count = each[0].get_closest_marker("sampled").args[0]
        sample = {number * len(each) // count for number in range(count)}
        for number, item in enumerate(each):
            if number not in sample:
                item.add_marker("slow")


def begin_with_long(items: list[pytest.Item], workers: int) -> None:
    """Let every worker begin with tests that take long, so that none is alone with one at the end.

    Workers get a part of the list each and take from the end of another's part when theirs is done. The browser's
    tests wait more than they compute: one worker begins with them, and the others with what computes. A module with a
    long test stays whole, or two workers would make what its tests share.
    """
    first: list[list[pytest.Item]] = [[] for _ in range(workers)]
    long = dict.fromkeys(item.path for item in items if item.get_closest_marker("long"))
    turns = {path: 1 + number % (workers - 1) for number, path in enumerate(long)}
    rest = []
    for item in items:
        if item.get_closest_marker("e2e"):
            first[0].append(item)
        elif item.path in turns:
            first[turns[item.path]].append(item)
        else:
            rest.append(item)
    items[:] = in_parts(first, rest)


def in_parts(first: list[list[pytest.Item]], rest: list[pytest.Item]) -> list[pytest.Item]:
    """A list whose equal parts begin with these tests; the rest fills them in its own order."""
    left, filled = len(rest) + sum(map(len, first)), 0
    items: list[pytest.Item] = []
    for number, begun in enumerate(first):
        size = left // (len(first) - number)
        taken = max(0, size - len(begun))
        items += [*begun, *rest[filled : filled + taken]]
        filled += taken
        left -= size
    return [*items, *rest[filled:]]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    tallies: dict[str, Counter[str]] = defaultdict(Counter)
    for outcome in ("passed", "failed"):
        for report in terminalreporter.stats.get(outcome, []):
            for name, value in getattr(report, "user_properties", []):
                if name == "mutants":
                    tallies[value[0]].update(value[1])
    if not tallies:
        return
    terminalreporter.section("damaged games")
    terminalreporter.write_line(
        f"{'kind of damage':28}{'made':>7}{'wrong':>7}{'found':>7}   found at the changed place"
    )
    for kind, tally in sorted(tallies.items(), key=lambda pair: -share(pair[1])):
        terminalreporter.write_line(row(kind, tally))
    terminalreporter.write_line(row("all", sum(tallies.values(), Counter[str]())))


def share(tally: Counter[str]) -> float:
    return tally["located"] / tally["wrong"] if tally["wrong"] else 0.0


def row(kind: str, tally: Counter[str]) -> str:
    counts = "".join(f"{tally[name]:7}" for name in ("made", "wrong", "found"))
    return f"{kind:28}{counts}   {share(tally):5.0%}"
