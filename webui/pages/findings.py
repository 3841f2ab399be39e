"""The data of the pages of findings, and of a finding on any page."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from analyzer.db.store import StoredGame
from analyzer.identify.habit_corrections import HabitCorrection
from analyzer.identify.main_cause import find_main_cause
from records.validate.codes.code import FindingCode
from records.validate.finding import Finding
from records.validate.groups import FoldedFindings, fold_findings
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


@dataclass(frozen=True, slots=True)
class ShownGroup:
    """Findings that a page tells once, at least one: their sentence, the findings, and what follows from them.

    `player` is the name of whoever made them all, if there are several; `following` counts the consequences.
    """

    message: str
    findings: list[ShownFinding]
    consequences: list["ShownGroup"]
    following: int
    player: str

    @property
    def first(self) -> ShownFinding:
        """The first of them in the record."""
        return self.findings[0]

    @classmethod
    def of(
        cls,
        folded: FoldedFindings,
        names: Sequence[str] = (),
        *,
        step_of: Callable[[Finding], int | None] = lambda finding: None,
    ) -> "ShownGroup":
        """A group in words for the page; `step_of` gives the step that shows a finding."""
        seat = folded.only_seat
        return cls(
            message=folded.message,
            findings=[
                ShownFinding.of(finding, names, step=step_of(finding))
                for finding in folded.findings
            ],
            consequences=[cls.of(below, names, step_of=step_of) for below in folded.consequences],
            following=folded.following,
            player=names[seat] if seat is not None and seat < len(names) else "",
        )


def group_for_page(findings: Sequence[Finding], names: Sequence[str] = ()) -> list[ShownGroup]:
    """The findings on a record that is not stored, in groups."""
    return [ShownGroup.of(folded, names) for folded in fold_findings(findings)]


def group_of_game(
    cache: GameCache, game: StoredGame, findings: Sequence[Finding]
) -> list[ShownGroup]:
    """The findings on a stored game, in groups, each with its step."""
    return [
        ShownGroup.of(
            folded, game.names, step_of=lambda finding: cache.step_of(game.digest, finding)
        )
        for folded in fold_findings(findings)
    ]


@dataclass(frozen=True, slots=True)
class ShownDiagnosis:
    """What is wrong with a record, in a sentence, and the changes that would mend its habits.

    `player` is whose habit it is, if it is one player's; `mends` come one on top of the other.
    """

    says: str
    player: str
    mends: Sequence[HabitCorrection]

    @classmethod
    def of(
        cls,
        findings: Sequence[Finding],
        names: Sequence[str] = (),
        mends: Sequence[HabitCorrection] = (),
    ) -> "ShownDiagnosis | None":
        """The diagnosis of a record with these findings; None if there is nothing to explain."""
        cause = find_main_cause(findings)
        if cause is None or (cause.explained == 1 and not mends):
            return None
        seat = cause.seat
        player = names[seat] if seat is not None and seat < len(names) else ""
        return cls(cause.says, player, mends)


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
