"""The marks of comments: those of the specification, and nothing else at the beginning of a text."""

import re
from pathlib import Path

import pytest

from records.note_marks import NOTE_MARKS, split_mark

SPECIFICATION = Path("records/spec/format.md")


def test_the_marks_are_those_of_the_specification() -> None:
    section = SPECIFICATION.read_text().partition("## Notes and lines")[2].partition("\n## ")[0]
    told = re.findall(r"^\| `([!?]+|\([a-z]+\))` \| (.+) \|$", section, re.MULTILINE)
    assert dict(told) == NOTE_MARKS


@pytest.mark.parametrize("mark", NOTE_MARKS)
@pytest.mark.parametrize("blank", [" ", "\n", "\t", "\u00a0", "  "])
@pytest.mark.parametrize("words", ["", "The king had to stay.", "? who knows"])
def test_a_mark_is_the_first_word_of_a_text(mark: str, blank: str, words: str) -> None:
    found = split_mark(f"{mark}{blank}{words}")
    assert found == (mark, words)
    assert found.meaning == NOTE_MARKS[mark]


@pytest.mark.parametrize("mark", NOTE_MARKS)
@pytest.mark.parametrize("text", ["{0}The king", " {0} The king", "The king {0}", "{0}{0} no", ""])
def test_a_text_that_begins_otherwise_has_no_mark(mark: str, text: str) -> None:
    whole = text.format(mark)
    if whole.split()[:1] != ["!!"] and whole.split()[:1] != ["??"]:  # twice ! is a mark of its own
        assert split_mark(whole) == ("", whole)
