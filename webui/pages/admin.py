"""The data of the pages for deleting a game and copying the database."""

from collections.abc import Mapping
from dataclasses import dataclass

from analyzer.db.store import StoreCounts, StoredGame
from records.rules.vocabulary import RuleSheet
from webui.disk_room import DiskRoom
from webui.pages.page import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletePage(Page):
    """The confirmation before a game is deleted."""

    template = "admin/delete.html"
    game: StoredGame
    sides: list[str]
    sheet: RuleSheet


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupPage(Page):
    """The page that offers a copy of the database; `size` is in bytes.

    `rooms` says what uploads take of the disk beside the database, by what they are.
    """

    template = "admin/admin.html"
    counts: StoreCounts
    size: int
    rooms: Mapping[str, DiskRoom]
