"""The published page of findings is up to date and complete, and its links lead to samples."""

import pytest
import re

from records.documents import findings_page
from records.documents.findings_page import consequences
from records.documents.schemas import SPEC_FOLDER
from records.validate.codes import FINDING_CODES
from records.validator import check

PAGE = (SPEC_FOLDER / "findings.md").read_text()
SAMPLES = SPEC_FOLDER.parents[1] / "samples/broken"


def test_the_page_is_fresh() -> None:
    assert findings_page.findings_page() == PAGE, "write it with: python -m records.documents.findings_page"


def test_every_code_has_a_section() -> None:
    assert sorted(re.findall(r"^### (\S+)$", PAGE, re.MULTILINE)) == sorted(FINDING_CODES)


def test_every_link_leads_to_a_sample() -> None:
    links = re.findall(r"\]\((\.\./\S+)\)", PAGE)
    assert len(links) == len(FINDING_CODES) - len(findings_page.CODES_WITHOUT_SAMPLE)
    assert [link for link in links if not (SPEC_FOLDER / link).is_file()] == []


def test_the_table_says_what_follows_every_finding() -> None:
    table = PAGE.split("\n## What follows each finding\n", 1)[1]
    assert set(re.findall(r"^\| `(\S+)` \|", table, re.MULTILINE)) == set(FINDING_CODES)
    rows = list(consequences())
    assert len({(row.code, row.on) for row in rows}) == len(rows) == table.count("\n| `")


def test_the_best_verdict_is_that_of_the_sample_with_no_other_finding() -> None:
    best = {row.code: row.verdict for row in consequences()}
    verdicts = {
        code: check((SAMPLES / f"{code}.json").read_bytes()).verdict
        for code in FINDING_CODES
        if (SAMPLES / f"{code}.json").is_file()
    }
    told = {code: verdict for code, verdict in best.items() if verdict and code in verdicts}
    assert told == {code: verdicts[code] for code in told}
