"""Where the samples are."""

from importlib.resources import files
from pathlib import Path


def samples_folder() -> Path:
    """The folder of samples: in the installed package, which lacks `perft`, or beside the packages."""
    records = Path(str(files("records")))
    packaged = records / "samples"
    return packaged if packaged.is_dir() else records.parent / "samples"
