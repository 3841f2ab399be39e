"""Every sample, good or broken, can be uploaded, opened and stepped through."""

import re
from html import unescape
from io import BytesIO
from pathlib import Path

import pytest

from records.validate.codes import FINDING_CODES
from records.validator import check_path
from tests.exercised.mutated_source import mutated
from webui import create_app
from webui.views import rules

SAMPLES = Path(__file__).parents[2] / "samples"
FILES = sorted([*SAMPLES.glob("broken/*.json"), *SAMPLES.glob("good/*.json")])


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    app = create_app(
        data=tmp_path_factory.mktemp("samples"), ratelimit_enabled=False, wtf_csrf_enabled=False
    )
    yield app.test_client()
    app.extensions["store"].close()


@pytest.fixture(scope="module", params=FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def uploaded(request, client):
    """The report of a sample, and what was answered when it was uploaded."""
    data = request.param.read_bytes()
    files = {"files": (BytesIO(data), request.param.name)}
    answer = client.post("/", data=files, follow_redirects=True)
    (report,) = check_path(BytesIO(data), identify=True)
    return report, answer


@pytest.mark.slow
def test_a_sample_can_be_opened(client, uploaded):
    report, answer = uploaded
    assert answer.status_code == 200
    for finding in report.findings[:50]:
        assert f"/findings/{finding.code}" in answer.text
    if report.verdict == "unreadable":
        waits = any(finding.code == "unknown-sheet" for finding in report.findings)
        assert ("It is kept until the rulebook" if waits else "It was not stored.") in answer.text
        return
    assert client.get(f"/games/{report.digest}").status_code == 200
    for deal in range(1, report.deals + 1):
        address = f"/games/{report.digest}/deals/{deal}"
        for step in (0, 1, 10_000):
            assert client.get(f"{address}?step={step}").status_code == 200


@pytest.mark.slow
def test_a_finding_of_a_sample_stands_at_the_step_its_button_leads_to(client, uploaded):
    report, _ = uploaded
    if report.verdict == "unreadable":
        return
    game_cache = client.application.extensions["game_cache"]
    for deal in range(report.deals):
        shown = game_cache.game(report.digest).deal(deal).deal
        for place, finding in enumerate(shown.findings):
            step = min(game_cache.step_of(report.digest, finding), len(shown.steps) - 1)
            assert place in shown.steps[step].findings, finding


def assert_the_page_shows_its_sample(client, code):
    """The page of a code quotes its sample, tells what is found in it, and links to the file itself."""
    path = SAMPLES / "broken" / f"{code}.json"
    address, page = f"/findings/{code}/sample.json", unescape(client.get(f"/findings/{code}").text)
    if not path.is_file():
        assert (address in page, "<pre" in page) == (False, False)
        assert client.get(address).status_code == 404
        return
    data = path.read_bytes()
    assert f'href="{address}"' in page
    assert client.get(address).data == data
    assert data.decode("utf-8", "replace")[:6000] in page
    found = [
        finding
        for report in check_path(path)
        for finding in report.findings
        if finding.code == code
    ]
    assert found
    for finding in found:
        assert re.sub(r"`([^`]+)`", r"<code>\1</code>", finding.message) in page


@pytest.mark.parametrize("code", FINDING_CODES)
def test_the_page_of_a_code_shows_its_sample(client, code):
    assert_the_page_shows_its_sample(client, code)


def test_every_broken_sample_is_of_a_code():
    assert {path.stem for path in SAMPLES.glob("broken/*.json")} <= set(FINDING_CODES)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("sample = broken_sample(code)\n", "sample = None\n"),
        ("findings=[] if sample is None", "findings=[] if sample is not None"),
        ("if finding.code == code]", "if finding.code != code]"),
        ("return attachment(data,", "return attachment(data[:-1],"),
    ],
)
def test_a_page_that_does_not_show_it_is_seen(client, old, new):
    with mutated(rules, old, new), pytest.raises(AssertionError):
        assert_the_page_shows_its_sample(client, "out-of-turn")
