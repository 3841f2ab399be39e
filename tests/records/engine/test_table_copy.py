"""A copied table: changes to the copy leave the original unchanged."""

import pytest

from records.engine.deal_state import NO_TABLEAU
from records.engine.stepper import unchecked_stepper
from records.engine.table import TABLE_MEMBERS
from records.replay import replay
from records.selfplay import play_game
from tests.make.tables import everything


@pytest.mark.parametrize(
    "sheet", ["bezique-enhanced", "polish-bezique", "rubicon-bezique", "zetema"]
)
def test_a_deal_goes_on_upon_the_copy_alone(sheet: str) -> None:
    record = play_game(sheet, seed=5, style="random", deals=1)
    events = record.deals[0].events
    for frame in replay(record):
        if 0 <= frame.index < len(events) and frame.index % 25 == 3:
            before, copy = everything(frame.table), frame.table.copy()
            assert everything(copy) == before
            for event in events[frame.index + 1 :]:
                unchecked_stepper(copy).advance(event)
            assert everything(copy) != before or frame.index == len(events) - 1
            assert everything(frame.table) == before


@pytest.mark.parametrize("sheet", ["bezique-enhanced", "polish-bezique", "zetema"])
def test_a_copy_shares_no_list_with_the_table(sheet: str) -> None:
    """Whoever adds a list to a group of fields must say that it is copied."""
    *_, last = replay(play_game(sheet, seed=5, style="random", deals=1))
    table, copy = last.table, last.table.copy()
    for name in set(TABLE_MEMBERS) - {"rules"}:
        group, copied = getattr(table, name), getattr(copy, name)
        if group is NO_TABLEAU:
            continue  # nothing is ever laid on it
        fields = getattr(group, "__struct_fields__", None) or getattr(
            group, "__dataclass_fields__", ()
        )
        for field in fields:
            value = getattr(group, field)
            if isinstance(value, list | dict):
                assert getattr(copied, field) is not value, (name, field)
