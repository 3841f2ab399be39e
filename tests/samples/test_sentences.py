"""Every code has a sentence from a record, which people have read; and no finding expects what it found."""

import pytest

from records.documents.findings_page import CODES_WITHOUT_SAMPLE
from records.validate.codes import FINDING_CODES
from tests.samples.sentences import PAGE, found_findings, page, sentences
from tests.make.tables import assert_told_apart

pytestmark = pytest.mark.slow


def test_every_code_has_a_sentence_from_a_record() -> None:
    assert {code for code, _ in sentences()} == set(FINDING_CODES) - set(CODES_WITHOUT_SAMPLE)


def test_the_page_of_sentences_is_fresh() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "read, then: python -m tests.samples.sentences"


def test_what_was_expected_is_never_what_was_found() -> None:
    assert_told_apart(found_findings())
