"""What a check leaves to another one, and does not find itself: each test fails if its early return goes."""

import json
from types import ModuleType

import pytest

from records.format import semantics
from records.format.codec import decode
from records.validate import check_plays
from tests.exercised.mutated_source import mutated
from tests.make.tables import table

CLOSED = "N: KH QH 9D | S: 7H 8C 9C | trump S | N leads"


def found_in(version: str) -> list[str]:
    """The codes found in a small record of a version whose play is by a seat that is not there."""
    record = {
        "format": "bezique-record", "version": version, "rules": {"id": "bezique"},
        "players": [{"name": "Ann"}, {"name": "Bob"}],
        "deals": [{"dealer": 0, "events": [{"type": "play", "seat": 2, "card": "AS"}]}],
    }  # fmt: skip
    return [finding.code for finding in decode(json.dumps(record).encode()).findings]


def nothing_else_is_said_of_another_major_version():
    assert found_in("2.0") == ["unsupported-version"]


def a_newer_minor_version_is_examined():
    assert found_in("1.9") == ["newer-minor", "out-of-range"]


def a_play_out_of_turn_owes_nothing():
    assert table(CLOSED, "N KH, N 9D").codes == ["out-of-turn"]


CHANGES = [
    (nothing_else_is_said_of_another_major_version, semantics,
     'if finding.severity == "unreadable":\n            return', "if False:\n            return"),
    (a_newer_minor_version_is_examined, semantics,
     'if finding.severity == "unreadable":\n            return', "if True:\n            return"),
    (a_play_out_of_turn_owes_nothing, check_plays,
     "if event.seat != table.seat:\n        return []", "if False:\n        return []"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "module", "old", "new"), CHANGES, ids=[claim.__name__ for claim, *_ in CHANGES]
)
def test_what_is_left_to_another_check(claim, module: ModuleType, old, new):
    claim()
    with mutated(module, old, new), pytest.raises(AssertionError):
        claim()
