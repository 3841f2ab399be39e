"""Every sample, good or broken, can be uploaded, opened and stepped through."""

from io import BytesIO
from pathlib import Path

import pytest

from records.validate.codes.all_codes import FINDING_CODES
from records.validator import check
from webui import create_app

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
    answer = client.post("/", data={"files": (BytesIO(data), request.param.name)})
    return check(data, identify=True), answer


def test_a_sample_can_be_opened(client, uploaded):
    report, answer = uploaded
    assert answer.status_code == 200
    for finding in report.findings[:50]:
        assert f"/findings/{finding.code}" in answer.text
    if report.verdict == "unreadable":
        assert "It was not stored." in answer.text
        return
    assert client.get(f"/games/{report.digest}").status_code == 200
    for deal in range(1, report.deals + 1):
        address = f"/games/{report.digest}/deals/{deal}"
        for step in (0, 1, 10_000):
            assert client.get(f"{address}?step={step}").status_code == 200


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


@pytest.mark.parametrize("code", sorted(path.stem for path in SAMPLES.glob("broken/*.json")))
def test_the_page_of_a_code_shows_its_sample(client, code):
    if code in FINDING_CODES:
        page = client.get(f"/findings/{code}").text
        assert f"/findings/{code}/sample.json" in page or "smallest record" not in page
