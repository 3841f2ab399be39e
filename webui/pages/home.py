"""The data of the first page and of the verdicts on an upload."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from flask import url_for

from analyzer.db.store import StoreCounts, StoredGame
from analyzer.ingest.batch import RecordOutcome
from records.validate.report import Report
from webui.games.cache import GameCache
from webui.jobs.imports_queue import ImportJob
from webui.lessons.example_games import FIRST_PAGE_EXAMPLE, open_example
from webui.lessons.first_question import CardAnswer, FirstQuestion
from webui.pages.deals import TablePage
from webui.pages.findings import (
    ShownDiagnosis,
    ShownFinding,
    ShownGroup,
    group_for_page,
    group_of_game,
)
from webui.pages.page import Page
from webui.replay.steps import trick_starts
from webui.replay.visibility import FULL_VISIBILITY


@dataclass(frozen=True, slots=True)
class UploadedRecord:
    """One uploaded record: the outcome, and its game if it is stored."""

    outcome: RecordOutcome
    report: Report
    game: StoredGame | None
    groups: list[ShownGroup]
    diagnosis: ShownDiagnosis | None

    @classmethod
    def of(cls, cache: GameCache, outcome: RecordOutcome) -> Self:
        """What the page shows of an outcome; only a stored game has steps to lead to."""
        report = outcome.report or Report(verdict="unreadable")
        digest = outcome.digest if outcome.state != "rejected" else None
        game = cache.store.game(digest) if digest else None
        groups = (
            group_of_game(cache, game, report.findings) if game else group_for_page(report.findings)
        )
        diagnosis = ShownDiagnosis.of(report.findings, game.names if game else ())
        return cls(outcome, report, game, groups, diagnosis)

    @property
    def address_of_report(self) -> str:
        """The address of the whole report; empty if the game is not stored."""
        return url_for("games.report", digest=self.game.digest) if self.game else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadVerdicts(Page):
    """The verdicts on an upload; `records` counts them all, `shown` are those shown in full.

    `rejected` counts those that were to be stored and were not. `link_key` is the key of the sender's private link, empty where there is none.
    """

    template = "home/_verdicts.html"
    records: int
    shown: list[UploadedRecord]
    tally: Mapping[str, int]
    rejected: int
    link_key: str

    @classmethod
    def of(
        cls, cache: GameCache, outcomes: Sequence[RecordOutcome], most: int, link_key: str = ""
    ) -> Self:
        """The verdicts on the records of an upload, the first `most` of them in full."""
        return cls(
            records=len(outcomes),
            shown=[UploadedRecord.of(cache, outcome) for outcome in outcomes[:most]],
            tally=Counter(outcome.verdict for outcome in outcomes),
            rejected=sum(outcome.state == "rejected" for outcome in outcomes),
            link_key=link_key,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstTable(TablePage):
    """The table of the first page: the position of its question, with nothing of the replay around it."""

    template = "home/_question.html"
    endpoint = "deals.replay"
    findings: Sequence[ShownFinding] = ()
    trick_starts: Sequence[int] = ()
    review: None = None

    @classmethod
    def of(cls, question: FirstQuestion) -> Self:
        """The table of this question, seen by the player who is asked."""
        return cls(
            digest="",
            source=open_example(FIRST_PAGE_EXAMPLE).source,
            deal=question.deal,
            visibility=FULL_VISIBILITY,
            near=question.seat,
            step_number=question.step,
            least_loss=None,
            occasion="",
            trick_starts=trick_starts(question.deal.steps),
        )

    @property
    def address_of_match(self) -> str:
        """The address of the first step of the match."""
        return self.address(deal=1, step=None, near=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class HomePage(Page):
    """The first page: a question at the table, drop zone, verdicts on an upload without script, latest games.

    `play` is the card that the reader would play, `asked` says that they want the values, both without script. There
    are no games and no `counts` for visitors who may not see them.
    """

    template = "home/home.html"
    games: list[StoredGame]
    counts: StoreCounts | None
    verdicts: UploadVerdicts | None
    imports: list[ImportJob]
    text: str
    problem: str
    read_only: bool
    question: FirstQuestion
    table: FirstTable
    play: str
    asked: bool

    @property
    def answer(self) -> CardAnswer | None:
        """What the server says to the reader's card."""
        return self.question.answer_to(self.play)
