"""The fuzzer finds what it is made for: defects put into a program that does nothing else, each of another kind."""

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from tests.fuzz.hunt import hunt
from tests.fuzz.measuring import Runner
from tests.fuzz.minimise import minimised
from tests.fuzz.plans import PlanTooLarge, json_text, spell, write
from tests.fuzz.shapes import SHAPES

pytestmark = pytest.mark.long

REPORTS = """
import json

class Report(dict):
    pass

def check(data, **how):
    try:
        size = weigh(data)
    except (TypeError, ValueError, LookupError, AttributeError):
        size = 1
    return Report(answer="x" * size)

def weigh(data):
    size = 1
    {defect}
    return size
"""
DEFECTS = {
    "marked cards": ("setups", "time", """
    setup = json.loads(data)["deals"][0]["setup"] if b'"setup"' in data else {}
    melds = [meld for table in setup.get("tables") or [] for meld in table]
    for _ in range(2 ** min(40, max([len(meld["cards"]) for meld in melds], default=0))):
        pass
"""),
    "marks": ("texts", "RecursionError", """
    def skip(rest):
        return skip(rest[3:]) if rest.startswith(b"\\xef\\xbb\\xbf") else rest
    skip(data)
"""),
    "late lines": ("lines", "time", """
    record = json.loads(data)
    for line in record.get("lines") or []:
        for event in record["deals"][line["at"][0]].get("events", []) * 200:
            hash(str(event))
"""),
    "kept memory": ("records", "memory", """
    known = b"x" * (min(300, data.count(b'"play"')) * 1024 * 1024)
"""),
    "long answers": ("games", "answer", """
    size += data.count(b'"draw"') * 400_000
"""),
}  # fmt: skip
"""By name: the shape whose inputs come upon it, what it breaks, and the code."""


QUICK = 0.1
"""The share of its time that an input may cost here, so that the hunt is a short one."""


def program(folder: Path, defect: str) -> Path:
    """A program whose only function has a defect."""
    package = folder / "records"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "validator.py").write_text(REPORTS.replace("{defect}", defect.strip()))
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_is_found(name: str, tmp_path: Path) -> None:
    shape, kind, defect = DEFECTS[name]
    if shape == "texts":
        kind = "RecursionError in validator.py"
    tallies = hunt(
        [shape],
        seed=1,
        inputs=2_000,
        cpu_seconds=120,
        first_only=True,
        code=program(tmp_path, defect),
        doors=("check",),
        minimise_seconds=2,
        share=QUICK if kind == "time" else 1.0,
    )
    (found,) = tallies[shape].found
    assert found.kind.startswith(kind)
    assert found.save(tmp_path / "found").exists()


def test_the_same_seed_makes_the_same_inputs() -> None:
    for shape in SHAPES.values():
        first, again = Random(f"7 {shape.name}"), Random(f"7 {shape.name}")
        for _ in range(2):
            assert shape.make(first) == shape.make(again)


def test_a_plan_writes_what_it_says() -> None:
    assert json_text([1, {"@": "repeat", "times": 3, "of": 2}]) == "[1,2,2,2]"
    assert json_text({"@": "nest", "times": 2, "of": 1}) == "[[1]]"
    assert json_text({"@": "nest", "times": 2, "of": 1, "member": "a"}) == '{"a":{"a":1}}'
    twice = {"@": "members", "of": [{"@": "repeat", "times": 2, "of": ["n#", 1]}]}
    assert json_text(twice) == '{"n0":1,"n1":1}'
    assert json_text({"@": "text", "times": 3, "of": "ab"}) == '"ababab"'
    assert spell(["(", {"@": "repeat", "times": 2, "of": "g#", "between": ", "}, ")"]) == "(g0, g1)"
    assert spell({"@": "wrap", "times": 2, "before": "(", "of": "1", "after": ")"}) == "((1))"
    parts = [{"times": 2, "of": {}, "end": "\n"}, {"times": 1, "of": {"@": "raw", "of": "\uf7ff"}}]
    assert write({"@": "stream", "pack": "", "parts": parts}) == b"{}\n{}\n\xff"
    with pytest.raises(PlanTooLarge):
        write([{"@": "repeat", "times": 10**9, "of": "many"}])


def test_what_is_found_is_made_small() -> None:
    plan = {"a": [1, 2, {"@": "repeat", "times": 700, "of": 3}], "b": "long" * 9, "c": [[4] * 30]}
    small = minimised(plan, lambda plan: json_text(plan).count("3") > 99, seconds=20)
    assert len(json_text(small)) <= len(json_text([3] * 100)) + len('{"a":}')


def test_a_process_that_ends_is_a_finding(tmp_path: Path) -> None:
    runner = Runner(program(tmp_path, "import os\n    os._exit(3) if data != b'{}' else None"))
    cost = runner.run("check", b"[]")
    runner.close()
    assert runner.breach("check", 2, cost) == "the process ended with 3"


@pytest.mark.slow
def test_a_child_that_has_ended_is_not_taken_for_its_parent():
    """The mark of a child begins with the size of the process that started it."""
    code = """
import subprocess
from tests.fuzz.worker import MIB, Meter
large = b"x" * (400 * MIB)
meter = Meter()
subprocess.run(["true"], check=True)
child = meter.read()["mib"]
subprocess.run([__import__("sys").executable, "-c", f"large = b'x' * {600 * MIB}"], check=True)
print(round(child), meter.read()["mib"] >= 600)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    child, large = done.stdout.split()
    assert (int(child) < 100, large) == (True, "True")
