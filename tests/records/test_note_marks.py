"""The marks of comments: those of the specification, and nothing else at the beginning of a text."""

import re
from itertools import product
from pathlib import Path

from records.record import NOTE_MARKS, split_mark

SPECIFICATION = Path("records/spec/format.md")


def test_the_marks_are_those_of_the_specification() -> None:
    section = SPECIFICATION.read_text().partition("## Notes and lines")[2].partition("\n## ")[0]
    told = re.findall(r"^\| `([!?]+|\([a-z]+\))` \| (.+) \|$", section, re.MULTILINE)
    assert dict(told) == NOTE_MARKS


def test_a_mark_is_the_first_word_of_a_text() -> None:
    for mark, blank, words in product(
        NOTE_MARKS, (" ", "\n", "\t", "\u00a0", "  "), ("", "The king had to stay.", "? who knows")
    ):
        found = split_mark(f"{mark}{blank}{words}")
        assert found == (mark, words)
        assert found.meaning == NOTE_MARKS[mark]


def test_a_text_that_begins_otherwise_has_no_mark() -> None:
    for mark, text in product(
        NOTE_MARKS, ("{0}The king", " {0} The king", "The king {0}", "{0}{0} no", "")
    ):
        whole = text.format(mark)
        if whole.split()[:1] not in (["!!"], ["??"]):  # ! twice is a mark of its own
            assert split_mark(whole) == ("", whole)
