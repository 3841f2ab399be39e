"""Records of one match in one upload: their relations are those of stored records, whatever order they come in."""

from pathlib import Path
from random import Random

import pytest

from analyzer.ingest.loader import ingest_bytes
from analyzer.ingest.sent_matches import AlikeBeginnings, AlikeRecords, relate_records
from analyzer.store.player_names import PeopleNames
from analyzer.store.store import Store
from records.format import codec
from records.format.files import Entry
from records.match_play import match_traces
from tests.analyzer.ingest.test_matches import contradicting, told
from tests.make.empty_store import with_empty_database


def relations(lines: list[bytes]) -> dict[bytes, tuple[bytes, str]]:
    """The fullest record of the match, and the relation to it, by each record that is not the fullest."""
    beginnings = AlikeBeginnings()
    for number, data in enumerate(lines):
        record = codec.decode(data).record
        assert record is not None
        traces = [int(trace[:12], 16) for trace in match_traces(record)]
        beginnings.add(number, traces, len(data), data.hex())
    found: dict[bytes, tuple[bytes, str]] = {}
    for groups in beginnings.passes():
        for group in groups:
            alike = [(number, Entry("a.jsonl", number + 1, lines[number])) for number in group]
            for number, match in relate_records(AlikeRecords(PeopleNames(), alike)).items():
                assert match.line == match.number + 1
                found[lines[number]] = lines[match.number], match.relation
    return found


def by_play(found: dict[bytes, tuple[bytes, str]]) -> set[tuple[str, ...]]:
    """Relations between plays: of several records with one play, any may stand for it."""
    pairs = set[tuple[str, ...]]()
    for data, (fullest, relation) in found.items():
        keys = [str(match_traces(codec.decode(each).record)) for each in (data, fullest)]  # type: ignore[arg-type]
        if relation == "same":
            pairs.add((*keys, relation))
        else:
            pairs.add((data.hex(), relation, *keys))
    return pairs


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", ["told", "contradicting"])
def test_any_order_of_records_comes_to_the_same_relations(seed: int, kind: str) -> None:
    random = Random(seed)
    if kind == "contradicting":
        lines = contradicting(random)
    else:
        lines = [
            line
            for sheet in ("zique", "rubicon-bezique")
            for fullest, others in [told(sheet, seed, random)]
            for line in (fullest, *others)
        ]
    lines = list(dict.fromkeys(lines))
    expected = by_play(relations(lines))
    assert expected
    for _ in range(6):
        random.shuffle(lines)
        assert by_play(relations(lines)) == expected


@pytest.mark.parametrize("seed", range(3))
def test_they_are_told_what_they_are_told_once_they_are_stored(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    fullest, others = told("zique", seed, random)
    lines = list(dict.fromkeys([fullest, *others]))
    random.shuffle(lines)
    found = relations(lines)
    with Store(with_empty_database(tmp_path)) as store:
        ingest_bytes(store, "a.jsonl", b"\n".join(lines))
        for line in lines:
            game = store.game(str(codec.decode(line).digest()))
            assert game is not None
            assert game.relation == (found[line][1] if line in found else None)
            if line in found:
                assert game.match == codec.decode(found[line][0]).digest()


def test_of_very_many_that_begin_alike_some_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analyzer.ingest.sent_matches.MOST_RELATED", 3)
    beginnings = AlikeBeginnings()
    for number in range(9):
        beginnings.add(number, [7], 100 + number, str(number))
    assert list(beginnings.groups()) == [[8, 7, 6]]
    monkeypatch.setattr("analyzer.ingest.sent_matches.MOST_CANDIDATE_BYTES", 10)
    assert list(beginnings.groups()) == [[8, 7]]
