"""How many changes of what implements each law the tests of that law notice: `make soak ARGS="--laws"`.

`make test` asks only whether they notice one. A change that they let pass may be noticed by other tests, or change
nothing; a law whose tests notice none is a failure.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path


def main() -> int:
    """Try every change of every law and print the shares; 1 if a law's tests notice none."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "watched.json"
        command = [
            sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "-p",
            "tests.exercised.watch", "--watched", str(path), "--every-change", "tests/laws",
        ]  # fmt: skip
        done = subprocess.run(command)
        if done.returncode:
            return done.returncode
        changes = json.loads(path.read_text(encoding="utf-8"))["changes"]
    for law, tried in changes.items():
        noticed = [test for _, test in tried if test]
        print(f"{law:9}{len(noticed):4} of {len(tried)}")
        for words, test in tried:
            if not test:
                print(f"             let pass: {words}")
    tests = [test for tried in changes.values() for _, test in tried]
    print(f"{sum(map(bool, tests))} of {len(tests)} changes were noticed.")
    return int(any(not any(test for _, test in tried) for tried in changes.values()))
