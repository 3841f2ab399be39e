"""The published page of findings is up to date and complete, and its links lead to samples."""

import re

from records.documents import findings_page
from records.documents.schemas import SPEC_FOLDER
from records.validate.codes.all_codes import FINDING_CODES

PAGE = (SPEC_FOLDER / "findings.md").read_text()


def test_the_page_is_fresh() -> None:
    assert findings_page.findings_page() == PAGE, "write it with: python -m records.documents.findings_page"


def test_every_code_has_a_section() -> None:
    assert sorted(re.findall(r"^### (\S+)$", PAGE, re.MULTILINE)) == sorted(FINDING_CODES)


def test_every_link_leads_to_a_sample() -> None:
    links = re.findall(r"\]\((\S+)\)", PAGE)
    assert len(links) == len(FINDING_CODES) - len(findings_page.CODES_WITHOUT_SAMPLE)
    assert [link for link in links if not (SPEC_FOLDER / link).is_file()] == []
