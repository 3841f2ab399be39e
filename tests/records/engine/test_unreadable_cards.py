"""Unreadable cards stop nothing: they break no rule and leave the verdict undetermined."""

import pytest

from records.events import Discard, Draw
from records.replay import replay, snapshot_of
from records.selfplay import play_game
from records.validator import check_record
from tests.make.tables import table

CLOSE = "N: {led} 9D | S: AS 8H | trump C | N leads"


@pytest.mark.parametrize("led", ["??", "?D", "Q?"])
def test_nothing_is_owed_to_a_card_that_cannot_be_read(led):
    assert table(CLOSE.format(led="QS"), "N QS, S 8H").codes == ["must-follow-suit"]
    for reply in ("8H", "AS"):
        assert table(CLOSE.format(led=led), f"N {led}, S {reply}").codes == []


def test_a_suit_that_can_be_read_is_owed():
    led = CLOSE.format(led="?S")
    assert table(led, "N ?S, S 8H").codes == ["must-follow-suit"]
    assert table(led, "N ?S, S AS").codes == []


def test_a_discard_that_cannot_be_read_lies_on_no_pile():
    record = play_game("zetema", seed=1, deals=1, players=2)
    events = record.deals[0].events
    first = next(i for i, event in enumerate(events) if isinstance(event, Discard))
    record.deals[0].hands[events[first].seat][0] = events[first].card = "??"
    del events[first + 1 :]
    record.result = None
    record.deals[0].claims = None
    last = list(replay(record))[-1]
    assert last.findings == ()
    assert last.table.tableau.unranked == ["??"]
    assert not any(last.table.tableau.piles.values())
    assert snapshot_of(last.table).seat == 1 - events[first].seat
    assert check_record(record).verdict == "undetermined"
    assert not any(isinstance(event, Draw) for event in events)
