"""The version of this program."""

from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version

NOT_INSTALLED = "0+unknown"
"""The version of a checkout that was not installed."""


@lru_cache(maxsize=1)
def own_version() -> str:
    """The version as it was installed."""
    try:
        return version("bezique")
    except PackageNotFoundError:
        return NOT_INSTALLED
