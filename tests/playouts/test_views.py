"""Views of legal games: whatever a view leaves out, it is never illegal and no number is a mismatch."""

import os
from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from records.format.codec import decode, encode
from records.validator import check_record
from tests.playouts.asserts import BAD
from tests.playouts.games import STANDARD
from tests.playouts.view_kinds import ALSO_LABELLED
from tests.playouts.views import KINDS, View, full_game, views

DEALS = int(os.environ.get("BEZIQUE_VIEWS", "0"))
"""So many records of every sheet at every table are viewed; the soak sees 400."""
SHARE = 1 if DEALS else 3
"""Of one record of every sheet, only a third of the views are judged, other kinds at every table."""
LEAST_KINDS = 16
WAYS = {str(way): way for way in STANDARD}


@cache
def seen(name: str) -> list[View]:
    """All views of some games of a way to play, long and short, with and without `from`."""
    games = [(full_game(WAYS[name], seed), Random(f"{name} {seed}")) for seed in range(DEALS or 1)]
    return [view for record, random in games for view in views(record, random)]


def judged(name: str, kind: str) -> bool:
    """Whether views of this kind are judged at this table."""
    return (list(WAYS).index(name) + list(KINDS).index(kind)) % SHARE == 0


def wrong(kind: str) -> Iterator[str]:
    """What is found in views of a kind and should not be."""
    for name in WAYS:
        for view in seen(name):
            if view.kind == kind and judged(name, kind):
                for finding in check_record(view.record).findings:
                    if finding.severity in BAD:
                        yield f"{name}: {finding.code} at {finding.at}"


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_no_view_of_a_legal_game_is_illegal_or_has_a_mismatch(kind):
    assert list(wrong(kind)) == []


@pytest.mark.long
def test_there_are_many_kinds_and_every_sheet_has_most():
    assert len(KINDS) >= LEAST_KINDS
    for name in WAYS:
        assert len({view.kind for view in seen(name)}) >= LEAST_KINDS


@pytest.mark.parametrize("name", WAYS)
def test_every_view_is_a_record_and_has_labels_only_where_it_should(name):
    bare, labelled = Counter[str](), Counter[str]()
    for view in seen(name):
        text = encode(view.record)
        assert decode(text).record == view.record
        (labelled if b'.1"' in text else bare)[view.kind] += 1
    labelled.pop("fragment with labels", None)
    assert labelled.keys() <= ALSO_LABELLED
    assert all(bare[kind] >= count for kind, count in labelled.items())
    pack = WAYS[name].sheet.rules.pack
    assert bool(labelled) == (pack.packs > 1 or bool(pack.doubled_suits))
