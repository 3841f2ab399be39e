"""The file of a study: what is written is read, and the records in it stay byte for byte as they were."""

import gzip
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.format import codec
from records.format.files import read_entries
from records.record import MAX_NAME_LENGTH
from records.selfplay import play_game
from records.study import (
    LineNote,
    Study,
    StudyMoment,
    StudyUnreadable,
    is_study,
    pointed_cards,
    read_study,
    write_study,
)

RECORD = codec.encode(play_game("bezique", seed=3))
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
MOMENTS = st.builds(
    StudyMoment,
    game=st.integers(0, 1),
    at=st.lists(st.integers(0, 200), min_size=2, max_size=2),
    title=st.none() | TEXTS,
    text=st.none() | TEXTS,
    question=st.none() | TEXTS,
    answer=st.none() | TEXTS,
    near=st.integers(0, 5),
    notes=st.lists(st.builds(LineNote, event=st.integers(0, 9), text=TEXTS), max_size=3),
)
STUDIES = st.builds(
    Study, title=TEXTS, by=st.none() | TEXTS, text=st.none() | TEXTS, moments=st.lists(MOMENTS, max_size=4)
)  # fmt: skip
LAYOUTS = st.sampled_from([RECORD, RECORD.replace(b'":', b'" :\n\t'), b"{ }"])


@given(study=STUDIES, records=st.lists(LAYOUTS, min_size=2, max_size=2))
def test_what_is_written_is_read_and_records_keep_their_bytes(study, records):
    data = write_study(study, records)
    assert is_study(data)
    found = read_study(data)
    assert found.study == study
    assert [bytes(each) for each in found.records] == records
    assert write_study(found.study, [bytes(each) for each in found.records]) == data


@pytest.mark.parametrize("name", ["study.json", "pasted", "study.jsonl", "study.txt"])
def test_a_file_of_records_may_be_a_study(name):
    other = codec.encode(play_game("zetema", seed=1))
    data = write_study(Study(title="Two"), [RECORD, other])
    assert [each.data for each in read_entries(BytesIO(data), name=name)] == [RECORD, other]
    spread = data.replace(b',"records":[', b',\n"records":[\n')
    found = list(read_entries(BytesIO(spread), name=name))
    assert [(each.line, each.data) for each in found] == [(3, RECORD), (3, other)]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ((b'"version":"1.0"', b'"version":"2.0"'), "regex|pattern"),
        ((b'"title":"One"', b'"title":3'), "title"),
        ((b'"game":0', b'"game":1'), "a game that it does not have"),
        ((b'"at":[0,3]', b'"at":[0]'), "at"),
        ((b'"title":"One"', b'"title":"' + b"x" * (MAX_NAME_LENGTH + 1) + b'"'), "length"),
        ((b'"records":', b'"more":1,"records":'), "more"),
        ((b"]}\n", b"]"), "truncated"),
    ],
)
def test_what_is_no_study_says_why(change, says):
    data = write_study(Study(title="One", moments=[StudyMoment(game=0, at=[0, 3])]), [RECORD])
    with pytest.raises(StudyUnreadable, match=says):
        read_study(data.replace(*change))


@pytest.mark.parametrize("records", [b"", b',"records":[]'])
def test_there_is_no_record_in_a_study_without_games(records):
    data = (
        b'{"format":"bezique-study","version":"1.0","title":"One","moments":[]' + records + b"}\n"
    )
    for name in ("study.json", "pasted", "study.jsonl"):
        assert list(read_entries(BytesIO(data), name=name)) == []
        (damaged,) = read_entries(BytesIO(gzip.compress(data)[:-1]), name=f"{name}.gz")
        assert damaged.findings


def test_each_record_has_its_own_line_also_if_it_is_there_twice():
    head = b'{"format":"bezique-study","version":"1.0","title":"Two","records":[\n'
    data = head + RECORD + b",\n\n" + RECORD + b"\n]}"
    lines = [entry.line for entry in read_entries(BytesIO(data), name="study.json")]
    assert lines == [2, 4]


def test_a_study_whose_records_cannot_be_told_apart_is_diagnosed():
    data = write_study(Study(title="One"), [RECORD])[:-40]
    (entry,) = read_entries(BytesIO(data), name="study.json")
    assert entry.data == data


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("Q♥ should stay, and 10♠", {"QH", "TS"}),
        ("T♦, not 1♦ or 0♦", {"TD"}),
        ("the queen of hearts", set()),
        ("KQ♥", set()),
        ("", set()),
    ],
)
def test_a_comment_points_at_the_cards_that_it_names(text, cards):
    assert pointed_cards(text) == cards
