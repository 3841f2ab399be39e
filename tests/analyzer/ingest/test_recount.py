"""Every number in the tables, counted a second time from the plain JSON of the records."""

from typing import Any

import pytest

from analyzer.store.store import Store
from tests.referee.recount import compare


@pytest.mark.slow
def test_every_row_of_three_games_of_every_sheet_is_as_recounted(full: Store, lines: bytes) -> None:
    counts = compare(full, lines)
    assert all(count for table, count in counts.items() if table != "findings")


@pytest.mark.slow
def test_every_set_of_rules_has_a_number(full: Store, raw: list[dict[str, Any]]) -> None:
    variants = full.rows("SELECT variant, sheet FROM variants").rows
    assert len({variant for variant, _ in variants}) == len(variants)
    assert {sheet for _, sheet in variants} == {game["rules"]["id"] for game in raw}
    sql = "SELECT count(*) FROM seats JOIN games USING (game) WHERE seats.variant <> games.variant"
    assert full.rows(sql).rows == [(0,)]
