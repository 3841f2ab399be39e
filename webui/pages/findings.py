"""The data of the pages of findings, and of a finding on any page."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from records.validate.codes.code import FindingCode
from records.validate.finding import Finding
from webui.display.wording import name_seats, place_words
from webui.games.cache import GameCache
from webui.pages.page import Page


@dataclass(frozen=True, slots=True)
class ShownFinding:
    """A finding on a page: its place in words, its rule, and the deal (from 1) and step that show it."""

    finding: Finding
    place: str
    sheet: str | None
    article: str | None
    deal: int | None
    step: int | None

    @classmethod
    def of(
        cls, finding: Finding, names: Sequence[str] = (), *, step: int | None = None
    ) -> "ShownFinding":
        """A finding in words for the page; `step` is the step that shows it."""
        sheet, _, article = (finding.rule or "").partition("/")
        at = finding.at
        named = {
            name: name_seats(text, names)
            for name, text in (("expected", finding.expected), ("found", finding.found))
            if isinstance(text, str)
        }
        return cls(
            finding=replace(finding, **named),
            place=place_words(at, names),
            sheet=sheet or None,
            article=article or None,
            deal=None if at.deal is None else at.deal + 1,
            step=step,
        )


def shown_findings(
    cache: GameCache, digest: str, findings: Iterable[Finding]
) -> list[ShownFinding]:
    """The findings on a stored game, each with its step."""
    game = cache.store.game(digest)
    names = game.names if game else ()
    return [
        ShownFinding.of(finding, names, step=cache.step_of(digest, finding)) for finding in findings
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingsPage(Page):
    """Every finding code."""

    template = "findings/findings.html"
    groups: list[tuple[str, list[FindingCode]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingPage(Page):
    """One finding code; `sample` is a broken record that shows it, `findings` are its findings with this code."""

    template = "findings/code.html"
    code: FindingCode
    sample: str | None
    findings: list[ShownFinding]
