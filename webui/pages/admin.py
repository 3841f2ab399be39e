"""The data of the pages for deleting a game and copying the database."""

from dataclasses import dataclass

from analyzer.db.store import StoreCounts, StoredGame
from records.rules.vocabulary import RuleSheet
from webui.pages.page import Page


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
