"""Rulebooks, side by side and as forms, and the pages of findings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO

from flask import abort, request
from flask.typing import ResponseReturnValue

from analyzer.store.rulebooks import LocalRulebook, list_local_rulebooks, local_keys
from records.errors import RulesError
from records.phrases import sentence
from records.rules.compare import Comparison, compare_rule_sheets
from records.rules.english import Explanation, explain_sheet
from records.rules.registry import (
    ALL_SHEETS,
    SHEETS_BY_ID,
    ResolvedSheet,
    apply_options,
    read_options,
)
from records.rules.vocabulary import NoTrumps, RuleOptionValue, RuleSheet
from records.validate.codes import FINDING_CODES, FindingCode
from records.validator import check_path
from webui.display.documents import ScoreForm, score_form
from webui.display.verdict_words import SEVERITY_WORDS
from webui.server import game_cache
from webui.server.access import may
from webui.server.actions import Action
from webui.server.game_cache import InvalidPermalink, encode_permalink, open_permalink
from webui.server.known_rulebooks import (
    OfferedRulebook,
    known_rulebook,
    known_under_key,
    offered_rulebooks,
)
from webui.server.lesson_pictures import Lesson, sheet_lesson
from webui.server.page import Page, Views
from webui.server.request_kinds import PAGES
from webui.server.responses import attachment
from webui.server.shown_findings import ShownFinding, addresses_of_steps
from webui.views import store

# Findings: every code, its meaning, and the smallest record that shows it.

findings_blueprint = Views("findings", __name__)


class FindingsPage(Page):
    """Every finding code."""

    template = "findings/findings.html"
    groups: list[tuple[str, list[FindingCode]]]

    @property
    def data(self) -> object:
        """Every code, as JSON."""
        return list(FINDING_CODES.values())


@findings_blueprint.page("/findings", Action.LOOK, PAGES)
def findings() -> FindingsPage:
    """Every code, the gravest first."""
    groups = [
        (severity, [code for code in FINDING_CODES.values() if code.severity == severity])
        for severity in SEVERITY_WORDS
    ]
    return FindingsPage(groups=[group for group in groups if group[1]])


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


@findings_blueprint.page("/findings/<code>", Action.LOOK, PAGES)
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


@findings_blueprint.address("/findings/<code>/sample.json", Action.LOOK, PAGES)
def sample(code: str) -> ResponseReturnValue:
    """The smallest broken record that has this finding and no other."""
    data = broken_sample(code)
    if data is None:
        abort(404)
    return attachment(data, f"{code}.json")


def _sample_findings(code: str, sample: bytes) -> list[ShownFinding]:
    """The findings of a sample with its code, each with the address of its step if the reader may open the record."""
    (report,) = check_path(BytesIO(sample))
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
    path = game_cache.samples_folder() / "broken" / f"{code}.json"
    return path.read_bytes() if path.is_file() else None


# Rulebooks: the sheets in English, with their options, side by side and as forms.

blueprint = Views("rules", __name__)


class RulesPage(Page):
    """The rule sheets, and those of its own that the site keeps."""

    template = "rules/rules.html"
    sheets: Sequence[Explanation]
    kept: Sequence[LocalRulebook]

    @property
    def data(self) -> object:
        """All rule sheets in English, as JSON."""
        return self.sheets


@blueprint.page("/rules", Action.LOOK, PAGES)
def rules() -> RulesPage:
    """All rule sheets."""
    return RulesPage(
        sheets=[explain_sheet(sheet) for sheet in ALL_SHEETS], kept=list_local_rulebooks(store())
    )


MOST_COMPARED = 20
"""The most rulebooks of an address: each is explained whole."""


class ComparePage(Page):
    """Rule sheets side by side: the `chosen` ones of the `sheets`, by their keys, or else `all` that are published."""

    template = "rules/compare.html"
    comparison: Comparison
    sheets: Sequence[OfferedRulebook]
    chosen: Sequence[str]
    all: bool
    differing: bool
    problem: str

    @property
    def data(self) -> object:
        """The same comparison as JSON."""
        if self.problem:
            abort(400, self.problem)
        return self.comparison


@blueprint.page("/rules/compare", Action.LOOK, PAGES)
def compare_sheets() -> ComparePage:
    """Sheets side by side: `?sheet=` for each (all without it), `against=`, `differing=1`."""
    comparison = _requested_comparison()
    return ComparePage(
        comparison=comparison.compared(),
        sheets=offered_rulebooks(),
        chosen=[sheet.id for sheet in comparison.sheets],
        all=len(comparison.sheets) >= len(ALL_SHEETS),
        differing=comparison.differing,
        problem=comparison.problem,
    )


class FormPage(Page):
    """A form to print, for a deal by one rulebook; `sheets` have forms, too."""

    template = "rules/form.html"
    form: ScoreForm
    key: str
    sheets: Sequence[OfferedRulebook]

    @property
    def data(self) -> object:
        """The same as JSON: how many lines it has, and what scores."""
        return self.form


@blueprint.page("/rules/<sheet_id>/form", Action.LOOK, PAGES)
def form(sheet_id: str) -> FormPage:
    """A form to write a deal down while it is played."""
    return FormPage(
        form=score_form(known_rulebook(sheet_id) or abort(404)),
        key=sheet_id,
        sheets=offered_rulebooks(),
    )


NO_OPTIONS: Mapping[str, RuleOptionValue] = {}


class SheetPage(Page):
    """One rule sheet in English, after its lesson in pictures; `trumps` says whether its game has any.

    One of a table's own has no lesson; the `key` of a published one is its id, and that of a private game's is empty. It is
    `kept` here, or stored games have it inside.
    """

    template = "rules/sheet.html"
    sheet: Explanation
    key: str
    kept: bool
    lesson: Lesson | None
    ranks: str
    trumps: bool
    problem: str

    @property
    def data(self) -> object:
        """One sheet in English, as data."""
        if self.problem:
            abort(400, self.problem)
        return self.sheet


@blueprint.page("/rules/<sheet_id>", Action.LOOK, PAGES)
def sheet(sheet_id: str) -> SheetPage:
    """One sheet in English; options are given as in `?hand_size=9`."""
    return sheet_page(known_rulebook(sheet_id) or abort(404), sheet_id)


def sheet_page(
    sheet: RuleSheet, key: str = "", options: Mapping[str, RuleOptionValue] = NO_OPTIONS
) -> SheetPage:
    """The page of a rulebook, with the requested options or else these; without a key it has no other addresses."""
    resolved, problem = _resolved(sheet, options)
    return SheetPage(
        sheet=explain_sheet(resolved.sheet, resolved.options),
        key=key,
        kept=key in local_keys(store()),
        lesson=sheet_lesson(key) if key in SHEETS_BY_ID else None,
        ranks="".join(resolved.sheet.rules.pack.ranks),
        trumps=not isinstance(resolved.sheet.rules.trumps, NoTrumps),
        problem=problem,
    )


@dataclass(frozen=True, slots=True)
class _ComparisonRequest:
    """The requested comparison; `problem` says what is wrong with the request, if anything."""

    sheets: Sequence[RuleSheet]
    against: str | None
    differing: bool
    problem: str

    def compared(self) -> Comparison:
        """The sheets compared."""
        return compare_rule_sheets(self.sheets, against=self.against, only_differing=self.differing)


def _requested_comparison() -> _ComparisonRequest:
    """The sheets that the address names, or all that are published if it names fewer than two."""
    against = request.args.get("against") or None
    keys = [*filter(None, request.args.getlist("sheet")[:MOST_COMPARED])]
    asked = dict.fromkeys([*keys, against] if against else keys)
    found = {key: sheet for key in asked if (sheet := known_under_key(key))}
    own = [sheet for key, sheet in found.items() if key not in SHEETS_BY_ID]
    chosen = [*(sheet for sheet in ALL_SHEETS if sheet.id in found), *own] if keys else []
    problem = ""
    if unknown := sorted(asked.keys() - found.keys()):
        problem = f"There is no rulebook {unknown[0][:80]!r}."
    elif len(chosen) == 1:
        problem = f"{chosen[0].name} cannot be compared with itself; here are all."
    return _ComparisonRequest(
        sheets=chosen if len(chosen) > 1 else (*ALL_SHEETS, *own),
        against=against if against in found else None,
        differing=bool(request.args.get("differing")),
        problem=problem,
    )


def _resolved(
    sheet: RuleSheet, options: Mapping[str, RuleOptionValue]
) -> tuple[ResolvedSheet, str]:
    """The sheet with the requested options, or else these; without any, and with the reason, if they do not exist."""
    texts = [f"{name}={value}" for name, value in request.args.items() if value]
    try:
        return apply_options(sheet, read_options(sheet, texts) or options), ""
    except RulesError as error:
        return apply_options(sheet, {}), sentence(str(error))
