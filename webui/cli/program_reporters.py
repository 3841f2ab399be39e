"""Findings for other programs: reports as JSON, annotations of GitHub, SARIF 2.1.0 and JUnit's XML."""

import re
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import msgspec

from records.phrases import sanitize_text
from records.validate.codes import FINDING_CODES
from records.validate.finding import Severity, describe_place
from records.validate.report import Report, fold_findings
from webui.cli.reports import WRONG_SEVERITIES, FindingTally, Reporter, file_place, text_places
from webui.cli.sources import InputRecord

GITHUB_LEVELS: dict[Severity, str] = {"warning": "warning", "note": "notice"}
SARIF_LEVELS: dict[Severity, str] = {"warning": "warning", "note": "note"}
"""The level of each severity; all others are errors."""
SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
SARIF_VERSION = "2.1.0"
NO_XML = re.compile("[\ud800-\udfff\ufffe\uffff]")
"""Characters that no document of XML may have, beside those that control a terminal."""


class JsonReporter(Reporter):
    """One report per line, with the file in each: every line is a document of its own."""

    def tell(self, input_record: InputRecord, report: Report) -> Iterator[str]:
        """The report."""
        named = msgspec.structs.replace(report, file=input_record.source.name)
        yield _json(named)


class GithubReporter(Reporter):
    """Commands of GitHub's workflows, which annotate the lines of a change."""

    def tell(self, input_record: InputRecord, report: Report) -> Iterator[str]:
        """One command for each finding or habit."""
        told = (
            [(finding, finding.message) for finding in report.findings]
            if self.every
            else [(group.first, group.message) for group in fold_findings(report.findings)]
        )[: self.most]
        places = text_places(input_record, [finding for finding, _ in told])
        for (finding, message), place in zip(told, places, strict=True):
            words = {"title": f"bezique {finding.code}", "file": input_record.source.name}
            if place is not None:
                words |= {"line": str(place.line), "col": str(place.column)}
            said = ",".join(f"{name}={_property(value)}" for name, value in words.items())
            where = describe_place(finding.at)
            text = f"{where}: {message}" if where else message
            yield f"::{GITHUB_LEVELS.get(finding.severity, 'error')} {said}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


class SarifReporter(Reporter):
    """One run of SARIF, with every finding as a result, written as the records come."""

    comma = ""

    def begin(self) -> Iterator[str]:
        """The tool, and every code that it knows."""
        rules = [
            {
                "id": code.code,
                "shortDescription": {"text": code.title},
                "fullDescription": {"text": code.meaning},
                "defaultConfiguration": {"level": SARIF_LEVELS.get(code.severity, "error")},
            }
            for code in FINDING_CODES.values()
        ]
        driver = {"name": "bezique", "version": version("bezique"), "rules": rules}
        yield (
            f'{{"$schema": "{SARIF_SCHEMA}", "version": "{SARIF_VERSION}", "runs": [{{"tool": {{"driver": '
            f'{_json(driver)}}}, "columnKind": "unicodeCodePoints", "results": ['
        )

    def tell(self, input_record: InputRecord, report: Report) -> Iterator[str]:
        """One result for each finding."""
        for finding, place in zip(
            report.findings, text_places(input_record, report.findings), strict=True
        ):
            physical: dict[str, Any] = {"artifactLocation": {"uri": input_record.source.uri}}
            if place is not None:
                physical["region"] = {"startLine": place.line, "startColumn": place.column}
            location: dict[str, Any] = {"physicalLocation": physical}
            if finding.at.pointer:
                location["logicalLocations"] = [{"fullyQualifiedName": finding.at.pointer}]
            result = {
                "ruleId": finding.code,
                "level": SARIF_LEVELS.get(finding.severity, "error"),
                "message": {"text": finding.message},
                "locations": [location],
            }
            yield self.comma + _json(result)
            self.comma = ","

    def end(self, tally: FindingTally) -> Iterator[str]:
        """The end of the run; it failed if a file could not be read."""
        done = "false" if tally.missing else "true"
        yield f'], "invocations": [{{"executionSuccessful": {done}}}]}}]}}'


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


class JunitReporter(Reporter):
    """JUnit's XML: a suite for each file and a test case for each record, failed by what makes the exit status 1."""

    file = ""

    def begin(self) -> Iterator[str]:
        """The head of the document."""
        yield '<?xml version="1.0" encoding="UTF-8"?>'
        yield '<testsuites name="bezique validate">'

    def tell(self, input_record: InputRecord, report: Report) -> Iterator[str]:
        """A test case, in the suite of its file."""
        name = input_record.source.name
        if input_record.number == 1:
            if self.file:
                yield "</testsuite>"
            self.file = name
            yield f"<testsuite name={_attribute(name)}>"
        line = "" if report.line is None else f" line={_attribute(str(report.line))}"
        case = f"<testcase classname={_attribute(name)} name={_attribute(f'record {input_record.number}')} file={_attribute(name)}{line}"
        wrong = [finding for finding in report.findings if finding.severity in WRONG_SEVERITIES]
        if not wrong:
            yield f"{case}/>"
            return
        yield f"{case}>"
        groups = fold_findings(wrong)
        places = text_places(input_record, [group.first for group in groups])
        for group, place in zip(groups, places, strict=True):
            said = f"{file_place(input_record, place)}: {group.first.severity}: {group.message}"
            yield (
                f"<failure type={_attribute(group.first.code)} message={_attribute(group.message)}>"
                f"{escape(_clean(said))}</failure>"
            )
        yield "</testcase>"

    def end(self, tally: FindingTally) -> Iterator[str]:
        """The end of the document."""
        if self.file:
            yield "</testsuite>"
        yield "</testsuites>"


def _attribute(text: str) -> str:
    return quoteattr(_clean(text))


def _clean(text: str) -> str:
    """A text with nothing in it that XML forbids."""
    return NO_XML.sub("?", sanitize_text(text))


REPORTERS: dict[str, type[Reporter]] = {
    "json": JsonReporter,
    "github": GithubReporter,
    "sarif": SarifReporter,
    "junit": JunitReporter,
}
"""The formats for other programs."""
