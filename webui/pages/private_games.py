"""The data of the page of a game that was uploaded privately."""

from dataclasses import dataclass

from records.rules.vocabulary import RuleSheet
from records.validate.report import Report
from webui.games.private_uploads import PrivateRecord
from webui.pages.findings import ShownDiagnosis, ShownGroup
from webui.pages.page import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateGamePage(Page):
    """A private game: `number` is that of its record in the upload, from 1, `key` that of the private link."""

    template = "imports/private_game.html"
    sent: str
    number: int
    stored: PrivateRecord
    report: Report
    sheet: RuleSheet
    diagnosis: ShownDiagnosis | None
    groups: list[ShownGroup]
    reviewable: bool
