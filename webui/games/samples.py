"""Where the samples lie."""

from importlib.resources import files
from pathlib import Path


def samples_folder() -> Path:
    """The samples beside the packages, where they are there."""
    return Path(str(files("records"))).parent / "samples"
