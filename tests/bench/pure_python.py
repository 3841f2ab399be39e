"""The same sources without what `make fast` compiled, so that one run measures both forms side by side."""

import shutil
from pathlib import Path

from tests.bench.environment import ROOT

PACKAGES = ("records", "analyzer", "tests/bench")
LEFT_OUT = shutil.ignore_patterns("*.so", "__pycache__")


def is_compiled() -> bool:
    """Whether this checkout is compiled: all of its modules that can be are, or none."""
    return any(ROOT.glob("*__mypyc.*"))


def copy_sources(home: Path) -> Path:
    """A folder with the sources of this checkout alone, made anew."""
    folder = home / "pure"
    shutil.rmtree(folder, ignore_errors=True)
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / package, ignore=LEFT_OUT)
    return folder
