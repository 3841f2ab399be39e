"""The verdicts on records that were uploaded, at an address of their own, so that going back and reloading keep them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from flask import (
    abort,
    current_app,
    request,
    url_for,
)

from analyzer.db.store import StoredGame
from analyzer.ingest.batch import RecordOutcome
from records.validate.report import Report
from webui.access.actions import Action
from webui.games.cache import CachedGame, GameCache
from webui.games.shown_findings import (
    ShownDiagnosis,
    ShownGroup,
    group_for_page,
    group_of_game,
)
from webui.http.page import Page, Views
from webui.http.request_kinds import UPLOADS
from webui.views import game_cache, store

MOST_IN_ADDRESS = 40
"""More records have no address: it would be too long for a browser's history."""
blueprint = Views("verdicts", __name__)


def verdicts_address(outcomes: Sequence[RecordOutcome]) -> str:
    """The address of the verdicts on these records; empty if there are none or too many, or if one has none.

    What leads to the verdict on a game leads to that on the record as it is stored. The same game may be sent again with
    other claims or words, and then what is wrong with them is told in the answer alone.
    """
    games = [str(each.digest) for each in outcomes if each.state != "rejected"]
    unread = [each.content for each in outcomes if each.state == "rejected"]
    if not 0 < len(outcomes) <= MOST_IN_ADDRESS:
        return ""
    if not all(map(_is_as_stored, outcomes)):
        return ""
    return url_for("verdicts.show", game=[*dict.fromkeys(games)], unread=[*dict.fromkeys(unread)])


def _is_as_stored(outcome: RecordOutcome) -> bool:
    """Whether the verdict on a record is that on the stored one of the same game, if there was one before."""
    if outcome.state != "known" or outcome.report is None:
        return True
    findings = game_cache().game(str(outcome.digest)).report.findings
    return [(each.code, each.message) for each in findings] == [
        (each.code, each.message) for each in outcome.report.findings
    ]


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
class VerdictsPage(Page):
    """The verdicts on some records, at an address of their own."""

    template = "verdicts/verdicts.html"
    verdicts: UploadVerdicts

    @property
    def data(self) -> object:
        """The reports on the stored games and the unreadable records in the address."""
        return {"reports": [each.report for each in self.verdicts.shown]}


@blueprint.page("/verdicts", Action.READ, UPLOADS, about_query=True)
def show() -> VerdictsPage:
    """The verdicts on the stored games and the unreadable records in the address."""
    return VerdictsPage(verdicts=_requested())


def _requested() -> UploadVerdicts:
    """The verdicts that the address names; answers 404 if one of its games is not stored, or nothing is."""
    digests = request.args.getlist("game")[:MOST_IN_ADDRESS]
    outcomes = [_outcome(game_cache().game(digest)) for digest in digests]
    unread = store().rejected_with(request.args.getlist("unread")[:MOST_IN_ADDRESS])
    outcomes += [
        RecordOutcome(
            name=record.name,
            line=record.line,
            size=record.size,
            state="rejected",
            verdict="unreadable",
            digest=None,
            report=Report(verdict="unreadable", line=record.line, findings=record.findings),
        )
        for record in unread
    ]
    if not outcomes:
        abort(404)
    most = int(current_app.config["MAX_SHOWN_RECORDS"])
    return UploadVerdicts.of(game_cache(), outcomes, most)


def _outcome(game: CachedGame) -> RecordOutcome:
    stored = game.stored
    return RecordOutcome(
        name=stored.name,
        line=stored.line,
        size=len(game.data),
        state="stored",
        verdict=game.report.verdict,
        digest=game.digest,
        report=game.report,
    )
