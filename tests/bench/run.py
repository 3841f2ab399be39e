"""Run the benchmarks as a script: `python tests/bench/run.py`, the same as `python -m tests.bench`."""

import runpy
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[2])
    runpy.run_module("tests.bench", run_name="__main__", alter_sys=True)
