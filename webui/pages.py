"""What each template is given: one dataclass a template, and nothing else."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from flask import render_template
from msgspec.structs import replace

from analyzer.annotate.annotation import Annotation
from analyzer.annotate.summary import SeatSum
from analyzer.db.import_summary import ImportSummary
from analyzer.db.store import StoreCounts, StoredGame
from analyzer.explore.ask import Ask
from analyzer.explore.catalogue import Dimension, Metric
from analyzer.identify.corrections import Correction
from analyzer.identify.matching_rules import RulesCandidate
from analyzer.ingest.batch import RecordOutcome
from analyzer.players.directory import PlayerSummary, SheetSummary
from analyzer.players.ratings import Ladder, Standing
from analyzer.questions import Answer, Question
from analyzer.sql.sandbox import SqlAnswer, TableDescription
from records.documents.glossary import GlossaryEntry
from records.record import Deal
from records.rules.compare import Comparison
from records.rules.explain import Explanation
from records.rules.vocabulary import RuleSheet
from records.validate.codes.code import FindingCode
from records.validate.finding import Finding
from records.validate.report import Claim, Report
from webui.display.wording import name_seats, place_words, pluralize
from webui.jobs.import_job import ImportJob
from webui.jobs.progress import ImportProgress, RolloutProgress
from webui.replay.review import DealReview


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A template and what it shows."""

    template: ClassVar[str]

    def render(self) -> str:
        """The page as text."""
        return render_template(self.template, page=self)


@dataclass(frozen=True, slots=True)
class ShownFinding:
    """A finding on a page: its place in words, its law, and where the step is (deals count from 1)."""

    finding: Finding
    place: str
    sheet: str | None
    article: str | None
    deal: int | None
    step: int | None

    @classmethod
    def on(
        cls, finding: Finding, names: Sequence[str] = (), *, step: int | None = None
    ) -> "ShownFinding":
        """The remark that a finding makes; `step` is where it is seen."""
        sheet, _, article = (finding.rule or "").partition("/")
        at = finding.at
        told = {
            name: name_seats(text, names)
            for name, text in (("expected", finding.expected), ("found", finding.found))
            if isinstance(text, str)
        }
        return cls(
            finding=replace(finding, **told),
            place=place_words(at, names),
            sheet=sheet or None,
            article=article or None,
            deal=None if at.deal is None else at.deal + 1,
            step=step,
        )


@dataclass(frozen=True, slots=True)
class UploadedRecord:
    """One uploaded record: what became of it, and its game where it is stored."""

    outcome: RecordOutcome
    report: Report
    game: StoredGame | None
    remarks: list[ShownFinding]


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadVerdicts(Page):
    """What an upload came to: `records` counts all of them, `judged` are those shown in full."""

    template = "home/_verdicts.html"
    records: int
    judged: list[UploadedRecord]
    tally: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class HomePage(Page):
    """The first page: the drop zone, what was just uploaded without script, the last games."""

    template = "home/home.html"
    games: list[StoredGame]
    counts: StoreCounts
    verdicts: UploadVerdicts | None
    imports: list[ImportJob]
    text: str
    problem: str
    read_only: bool

    @property
    def example(self) -> StoredGame | None:
        """A game to look at first: the latest that is legal and complete, if there is one."""
        whole = (game for game in self.games if game.complete and game.verdict == "legal")
        return next(whole, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportPart(Page):
    """What there is to see of an import; `came` once it is over."""

    template = "imports/_import.html"
    job: ImportJob
    told: ImportProgress
    came: ImportSummary | None

    @property
    def took(self) -> str:
        """How long the last run took, in words."""
        return pluralize(max(1, round(self.job.seconds)), "second")


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportPage(Page):
    """One import."""

    template = "imports/import.html"
    part: ImportPart


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportsPage(Page):
    """All imports."""

    template = "imports/imports.html"
    imports: list[ImportProgress]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletePage(Page):
    """The question whether a game is to go."""

    template = "admin/delete.html"
    game: StoredGame
    sides: list[str]
    sheet: RuleSheet


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupPage(Page):
    """The way to a copy of the database, which has `size` bytes."""

    template = "admin/admin.html"
    counts: StoreCounts
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GamesPage(Page):
    """The list of games."""

    template = "games/games.html"
    games: list[StoredGame]
    total: int
    number: int
    last: int
    sheets: Sequence[RuleSheet]
    filters: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class DealLine:
    """A deal in the list of a game: its points as computed, none where it was not played out."""

    number: int
    deal: Deal
    scores: list[int] | None
    remarks: int
    tone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePage(Page):
    """One game."""

    template = "games/game.html"
    game: StoredGame
    report: Report
    sheet: RuleSheet
    sides: list[str]
    changed: Mapping[str, Any]
    deals: list[DealLine]
    remarks: list[ShownFinding]
    differing: list[Claim]
    may_review: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StatisticsPage(Page):
    """The questions."""

    template = "statistics/statistics.html"
    questions: Sequence[Question]
    counts: StoreCounts
    sheets: Sequence[RuleSheet]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPage(Page):
    """One question and its answer."""

    template = "statistics/answer.html"
    answer: Answer
    figure: str | None
    left_out: str
    sheets: Sequence[RuleSheet]
    others: Sequence[Question]


@dataclass(frozen=True, slots=True)
class FilterChip:
    """A filter that is set, and the address without it."""

    name: str
    title: str
    text: str
    without: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplorePage(Page):
    """Any metric by any dimension; `refused` are the dimensions that each metric has no answer by."""

    template = "explore/explore.html"
    ask: Ask | None
    answer: Answer | None
    figure: str | None
    left_out: str
    problem: str
    chosen: Mapping[str, str]
    chips: list[FilterChip]
    metrics: Mapping[str, list[Metric]]
    dimensions: Sequence[Dimension]
    options: Sequence[Dimension]
    refused: Mapping[str, list[str]]
    presets: list[tuple[str, str]]
    twins: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PageFigure:
    """A figure among others: what it shows, of which sheet, where it comes from, and where there is more."""

    title: str
    sheet: str | None
    unit: str
    caveat: str
    figure: str
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayersPage(Page):
    """Who plays."""

    template = "players/players.html"
    players: list[PlayerSummary]
    total: int
    number: int
    last: int
    order: str
    part: str
    ladder: Ladder


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPage(Page):
    """One player, by all rule sheets or by one."""

    template = "players/player.html"
    name: str
    sheet: str | None
    sheets: list[SheetSummary]
    standing: Standing | None
    opponents: Answer
    opponents_address: str
    most_opponents: int
    parts: list[PageFigure]
    rating_figure: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetStatisticsPage(Page):
    """What was played by one rule sheet."""

    template = "statistics/sheet.html"
    sheet: RuleSheet
    counts: Mapping[str, int]
    melds: Answer
    parts: list[PageFigure]


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlPage(Page):
    """A reader's own statement, and the schema beside it."""

    template = "sql/sql.html"
    text: str
    told: SqlAnswer | None
    problem: str
    tables: Sequence[TableDescription]
    examples: Sequence[tuple[str, str]]
    most_rows: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesPage(Page):
    """The rule sheets."""

    template = "rules/rules.html"
    sheets: Sequence[Explanation]


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetPage(Page):
    """One rule sheet in English; `trumps` says whether its game has any."""

    template = "rules/sheet.html"
    sheet: Explanation
    ranks: str
    trumps: bool
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparePage(Page):
    """Rule sheets side by side; `chosen` are the ids of those shown, of all that there are."""

    template = "rules/compare.html"
    comparison: Comparison
    sheets: Sequence[RuleSheet]
    chosen: Sequence[str]
    differing: bool
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingsPage(Page):
    """Every finding code."""

    template = "findings/findings.html"
    groups: list[tuple[str, list[FindingCode]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingPage(Page):
    """One finding code; `sample` is the broken record that shows it, `said` what is said of it."""

    template = "findings/code.html"
    code: FindingCode
    sample: str | None
    said: list[ShownFinding]


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiPage(Page):
    """How programs talk to this server."""

    template = "api/api.html"
    host: str
    largest: int
    rate: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorPage(Page):
    """Something went wrong."""

    template = "errors/error.html"
    status: int
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class MistakeLine:
    """A mistake on the page of a review; deals count from 1, `step` is the one before it.

    `did` is the card that was played, `better` the cards that would have lost nothing; empty where it was no card.
    """

    deal: int
    step: int
    say: str
    line: str
    did: str
    better: list[str]


@dataclass(frozen=True, slots=True)
class ReviewedDeal:
    """A deal in the list of a review."""

    number: int
    review: DealReview


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewPage(Page):
    """The review of a game: a summary, the dearest cards, deal by deal.

    `asked` is what the address calls a mistake, None if it leaves that to the annotation; so many `rollouts`
    can be asked for, and `rolling` is how far they are.
    """

    template = "reviews/review.html"
    game: StoredGame
    sheet: RuleSheet
    scores: Sequence[int]
    winner: int | None
    notes: Annotation
    sums: Sequence[SeatSum]
    worst: Sequence[MistakeLine]
    deals: Sequence[ReviewedDeal]
    asked: int | None
    rollouts: Sequence[int]
    rolling: RolloutProgress | None

    @property
    def luck_told(self) -> bool:
        """Whether there is a deal in which luck could be told from skill."""
        return any(deal.luck is not None for deal in self.notes.deals)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewHelpPage(Page):
    """What the numbers of a review mean."""

    template = "reviews/explained.html"
    version: str
    positions: int
    least: int


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentifyPage(Page):
    """By which rules a game may have been played, and what an illegal one may have meant."""

    template = "identify/identify.html"
    game: StoredGame
    names: Sequence[str]
    accepted: Sequence[RulesCandidate]
    others: Sequence[RulesCandidate]
    meant: Sequence[Correction]


@dataclass(frozen=True, slots=True, kw_only=True)
class GlossaryPage(Page):
    """The words of the game and of this project, by chapter."""

    template = "glossary/glossary.html"
    chapters: Mapping[str, Sequence[GlossaryEntry]]
