"""The data of the pages of rule sheets."""

from collections.abc import Sequence
from dataclasses import dataclass

from records.rules.compare import Comparison
from records.rules.explain import Explanation
from records.rules.vocabulary import RuleSheet
from webui.display.documents.score_form import ScoreForm
from webui.lessons.pictures import Lesson
from webui.pages.page import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesPage(Page):
    """The rule sheets."""

    template = "rules/rules.html"
    sheets: Sequence[Explanation]


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetPage(Page):
    """One rule sheet in English, after its lesson in pictures; `trumps` says whether its game has any."""

    template = "rules/sheet.html"
    sheet: Explanation
    lesson: Lesson
    ranks: str
    trumps: bool
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparePage(Page):
    """Rule sheets side by side; `chosen` are the ids of those shown."""

    template = "rules/compare.html"
    comparison: Comparison
    sheets: Sequence[RuleSheet]
    chosen: Sequence[str]
    differing: bool
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FormPage(Page):
    """A form to print, for a deal by one rulebook; `sheets` have forms, too."""

    template = "rules/form.html"
    form: ScoreForm
    sheets: Sequence[RuleSheet]
