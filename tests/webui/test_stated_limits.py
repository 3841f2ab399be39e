"""The limits that SECURITY.md and the pages of the format and the interface state in sentences are those that the code keeps."""

import re
from pathlib import Path

import pytest

from analyzer.sql.guard import LONGEST_STATEMENT, PROCESS_BYTES, STATEMENT_SECONDS
from records.proposed_lines import MOST_EVENTS_REPLAYED
from records.record import FREE_EXPANDED_BYTES, MAX_EXPANSION
from records.validate.finding import MOST_BYTES_EXAMINED, REQUEST_STEPS
from tests.costs.test_costs import MOST_MEMORY, MOST_SECONDS, SIZE
from webui.api.requests import LARGEST_BODY_BYTES
from webui.application import DEFAULT_SETTINGS
from webui.views.home import MOST_RECORDS_AT_ONCE

ROOT = Path(__file__).parents[2]
SECURITY, FORMAT, INTERFACE = (
    " ".join((ROOT / name).read_text().split())
    for name in ("SECURITY.md", "records/spec/format.md", "records/spec/interface.md")
)
KIB, MIB = 1024, 1024 * 1024
REFUSALS = re.compile(r"\b(?:4[0-3]|50)\d\b")


@pytest.mark.parametrize(
    "sentence",
    [
        f"up to {SIZE // KIB} KiB costs more than {MOST_SECONDS:g} CPU second or "
        f"{MOST_MEMORY // MIB} MB of memory",
        f"at most {REQUEST_STEPS:,} steps",
        f"at most {MOST_BYTES_EXAMINED // MIB} MiB however",
        f"at most {MAX_EXPANSION} times its size and {FREE_EXPANDED_BYTES // MIB} MiB more",
        f"A statement has {STATEMENT_SECONDS:g} seconds, and its process {PROCESS_BYTES // MIB} MiB",
    ],
)
def test_a_limit_of_the_security_page_is_kept(sentence: str) -> None:
    assert sentence in SECURITY


@pytest.mark.parametrize(
    "sentence",
    [
        f"expanded, for each of its own bytes, and {FREE_EXPANDED_BYTES:,} more",
        f"| records in one request to `/api/validate` | {DEFAULT_SETTINGS['MAX_REQUEST_RECORDS']:,} |",
        f"of a stream of records to `/api/v1/validate` | {DEFAULT_SETTINGS['STREAM_SECONDS']:g} |",
        f"holds no records, as they are sent and expanded | {LARGEST_BODY_BYTES:,} |",
        f"| characters of a statement in SQL | {LONGEST_STATEMENT:,} |",
        f"more of a file are imported in the background | {MOST_RECORDS_AT_ONCE} |",
        f"from the start of the deal, {MOST_EVENTS_REPLAYED:,} events in all",
    ],
)
def test_a_limit_of_the_format_page_is_kept(sentence: str) -> None:
    assert sentence in FORMAT


@pytest.mark.parametrize(
    "sentence",
    [
        f"A body that holds no records has at most {LARGEST_BODY_BYTES // KIB} KiB",
        f"a statement in SQL at most {LONGEST_STATEMENT:,} characters",
    ],
)
def test_a_limit_of_the_interface_page_is_kept(sentence: str) -> None:
    assert sentence in INTERFACE


def test_the_security_page_names_the_statuses_that_refuse() -> None:
    """413 too large, 429 too many, 503 too busy or too slow, 507 no room: tested beside the code that answers so."""
    assert {*REFUSALS.findall(SECURITY)} == {"413", "429", "503", "507"}
