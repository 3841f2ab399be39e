"""Who played, where and when, in short: what two records of the same play may tell differently."""

from collections.abc import Sequence
from datetime import timedelta

from analyzer.db.columns import EPOCH

LONGEST_PART = 80
"""Characters of a name, an event or a site; a record may hold millions."""


def describe_occasion(
    names: Sequence[str], event: str | None, site: str | None, started: int | None
) -> str:
    """The players, and what else of the occasion is known; `started` is in microseconds since 1970.

    Long texts are cut, so texts that only differ after that are told as the same.
    """
    time = None if started is None else EPOCH + timedelta(microseconds=started)
    parts = [event, site, None if time is None else f"{time.isoformat(' ', 'minutes')} UTC"]
    return ", ".join([" – ".join(map(_cut, names)), *(_cut(part) for part in parts if part)])


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_PART else f"{text[:LONGEST_PART]}…"
