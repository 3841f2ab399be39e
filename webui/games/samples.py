"""Where the samples are."""

from importlib.resources import files
from pathlib import Path


def samples_folder() -> Path:
    """The folder of samples beside the packages; it may be missing in an installed copy."""
    return Path(str(files("records"))).parent / "samples"
