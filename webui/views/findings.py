"""Findings: every code, its meaning, and the smallest record that shows it."""

from dataclasses import dataclass
from functools import cache

from flask import abort
from flask.typing import ResponseReturnValue

from records.validate.codes.all_codes import FINDING_CODES
from records.validate.codes.code import FindingCode
from records.validator import check
from webui.access.actions import Action
from webui.access.gate import may
from webui.display.words.verdict_words import SEVERITY_WORDS
from webui.games import samples
from webui.games.permalink import InvalidPermalink, encode_permalink, open_permalink
from webui.games.shown_findings import ShownFinding, addresses_of_steps
from webui.http.page import Page, Views
from webui.http.request_kinds import PAGES
from webui.http.responses import attachment

blueprint = Views("findings", __name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingsPage(Page):
    """Every finding code."""

    template = "findings/findings.html"
    groups: list[tuple[str, list[FindingCode]]]

    @property
    def data(self) -> object:
        """Every code, as JSON."""
        return list(FINDING_CODES.values())


@blueprint.page("/findings", Action.LOOK, PAGES)
def findings() -> FindingsPage:
    """Every code, the gravest first."""
    groups = [
        (severity, [code for code in FINDING_CODES.values() if code.severity == severity])
        for severity in SEVERITY_WORDS
    ]
    return FindingsPage(groups=[group for group in groups if group[1]])


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingPage(Page):
    """One finding code; `sample` is a broken record that shows it, `findings` are its findings with this code."""

    template = "findings/code.html"
    code: FindingCode
    sample: str | None
    findings: list[ShownFinding]

    @property
    def data(self) -> object:
        """One code, as JSON."""
        return self.code


@blueprint.page("/findings/<code>", Action.LOOK, PAGES)
def finding(code: str) -> FindingPage:
    """One code."""
    if code not in FINDING_CODES:
        abort(404)
    sample = broken_sample(code)
    return FindingPage(
        code=FINDING_CODES[code],
        sample=None if sample is None else sample.decode("utf-8", "replace"),
        findings=[] if sample is None else _sample_findings(code, sample),
    )


@blueprint.address("/findings/<code>/sample.json", Action.LOOK, PAGES)
def sample(code: str) -> ResponseReturnValue:
    """The smallest broken record that has this finding and no other."""
    data = broken_sample(code)
    if data is None:
        abort(404)
    return attachment(data, f"{code}.json")


def _sample_findings(code: str, sample: bytes) -> list[ShownFinding]:
    """The findings of a sample with its code, each with the address of its step if the reader may open the record."""
    report = check(sample)
    found = [finding for finding in report.findings if finding.code == code]
    if report.verdict == "unreadable" or not may(Action.VALIDATE):
        return [ShownFinding.of(finding) for finding in found]
    try:
        address_of = addresses_of_steps(open_permalink(encode_permalink(sample)))
    except InvalidPermalink:
        return [ShownFinding.of(finding) for finding in found]
    return [ShownFinding.of(finding, address=address_of(finding)) for finding in found]


def broken_sample(code: str) -> bytes | None:
    """The broken sample of a code, if there is one and it is a single record."""
    return _read_sample(code) if code in FINDING_CODES else None


@cache
def _read_sample(code: str) -> bytes | None:
    path = samples.samples_folder() / "broken" / f"{code}.json"
    return path.read_bytes() if path.is_file() else None
