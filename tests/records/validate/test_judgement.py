"""Whatever changes verdicts, findings or digests raises the number by which a database tells that it must be judged again."""

import hashlib
from pathlib import Path

import msgspec
import pytest

from records.documents.sheet_files import encode_sheet
from records.rules.registry import ALL_SHEETS
from records.validate.codes import FINDING_CODES
from records.validator import JUDGEMENT_VERSION, check

SAMPLES = Path(__file__).parents[3] / "samples"
PRINTS = {
    1: "2bac56e1344dae7b",
    2: "ee933911f6c75239",
    3: "70e8f7d7136d60b1",
    4: "9a9afddacf689e9b",
    5: "9a9afddacf689e9b",
    6: "35b0a8664988ed35",
    7: "dff413f31e54073e",
    8: "918351d31ae2babe",
    9: "918351d31ae2babe",
    10: "88051abe506d7017",
    11: "88051abe506d7017",
    12: "88051abe506d7017",
    13: "88051abe506d7017",
}
"""What each judgement comes to: the sheets, the codes of findings, and the reports on all samples."""


def judgement_print() -> str:
    """A short hash of all that decides verdicts, and of the verdicts, findings and digests of every sample."""
    found = hashlib.sha256()
    for sheet in ALL_SHEETS:
        found.update(encode_sheet(sheet))
    for code in sorted(FINDING_CODES):
        found.update(f"{code} {FINDING_CODES[code].severity}\n".encode())
    for path in sorted([*SAMPLES.glob("good/*.json"), *SAMPLES.glob("broken/*.json")]):
        report = check(path.read_bytes(), identify=True)
        found.update(f"{path.name} {report.verdict} {report.digest}\n".encode())
        found.update(msgspec.json.encode(report.findings))
    return found.hexdigest()[:16]


@pytest.mark.long
def test_a_judgement_that_changes_has_another_number() -> None:
    """If this fails on purpose: raise `JUDGEMENT_VERSION`, and add its print here."""
    assert PRINTS.get(JUDGEMENT_VERSION) == judgement_print()
    assert max(PRINTS) == JUDGEMENT_VERSION
