"""What adding to a large lake takes in memory."""

from pathlib import Path
from unittest.mock import patch

import duckdb
import pytest

from analyzer.lake import workbench
from analyzer.lake.taking_over import Brought, read_brought
from analyzer.lake.workbench import reading_parts
from analyzer.store.lake_parts import publish_part, rows_by_part
from analyzer.store.lake_place import LakePlace
from analyzer.store.lake_state import LakePart
from tests.analyzer.lake.lakes import new_place

pytestmark = pytest.mark.long
REVIEWS = """(
    SELECT it AS game, now()::TIMESTAMP AS made_at,
        list_aggregate(list_transform(range(200), lambda each: md5((200 * it + each)::VARCHAR)), 'string_agg', '')::BLOB AS data
    FROM range(20_000) AS them (it)
)"""
"""Reviews of 128 MB, which cannot be compressed much."""


def test_reviews_are_compared_in_less_memory_than_they_fill(tmp_path: Path) -> None:
    place = new_place("folder", tmp_path)
    old, made = (_part_of_reviews(place, tmp_path) for _ in range(2))
    with patch.object(workbench, "MEMORY", "100MB"), reading_parts(place, [old, made]) as reading:
        rows = rows_by_part(place, [made], "game_reviews")
        reading.execute(f"CREATE TABLE new_games AS SELECT game, part, true AS known FROM {rows}")
        assert read_brought(reading, place, [old], [made]) == Brought([], [])


def _part_of_reviews(place: LakePlace, folder: Path) -> LakePart:
    with duckdb.connect() as writer:
        part = publish_part(place, writer, folder, {"game_reviews": REVIEWS}.get)
    assert part
    return part
