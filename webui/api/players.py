"""Players in the interface, other names for them, and two made one; and the evenings of a club, what each has come to."""

from typing import Annotated

import msgspec
from msgspec import Meta

from analyzer.ingest import renaming
from analyzer.players import evenings
from analyzer.players.evening_report import EveningEntry, EveningReport, report_evening
from analyzer.store import player_names
from analyzer.store.player_names import LONGEST_LABEL, MadeRename, PlannedRename, RenameRefused
from webui.api.requests import NoParameters, SentStruct, refusals_as
from webui.server.error_pages import ProblemRaised
from webui.views import game_cache, store

# Names of players.

PlayerText = Annotated[str, Meta(min_length=1, max_length=LONGEST_LABEL)]


class RenameRequest(SentStruct, frozen=True):
    """Another name for a player; with `plan` nothing is done, and the answer says what would be."""

    old: PlayerText
    new: PlayerText
    plan: bool = False


class RenamedParameters(SentStruct, frozen=True):
    """Which player, by any of the names."""

    name: PlayerText


class RenameList(msgspec.Struct, frozen=True):
    """The renames that hold, in the order in which they were made, and groups of players with similar names."""

    renames: list[MadeRename]
    similar: list[list[str]]


def list_renames(given: NoParameters) -> RenameList:
    """Who was renamed, and who may be one player in two spellings."""
    return RenameList(player_names.list_renames(store()), player_names.list_similar_people(store()))


def rename_player(given: NoParameters, wanted: RenameRequest) -> PlannedRename:
    """Give a player another name; if that is a player, too, the two become one. No record changes."""
    with refusals_as("refused-rename", RenameRefused):
        if wanted.plan:
            return player_names.plan_rename(store(), wanted.old, wanted.new)
        made = renaming.rename_player(store(), wanted.old, wanted.new)
    game_cache().clear()
    return made


def take_back_rename(given: RenamedParameters) -> MadeRename:
    """Take back the last rename of a player: everything is as before."""
    with refusals_as("refused-rename", RenameRefused):
        taken = renaming.take_back_rename(store(), given.name)
    game_cache().clear()
    return taken


# Evenings of a club.

NO_EVENING = "There is no such evening."
LARGEST_NUMBER = 2**53


class EveningParameters(SentStruct, frozen=True, kw_only=True):
    """Which evening."""

    number: Annotated[
        int, Meta(ge=1, le=LARGEST_NUMBER, description="Its number in the list of evenings.")
    ]


class EveningList(msgspec.Struct, frozen=True):
    """The evenings, the latest first."""

    evenings: list[EveningEntry]


def list_evenings(given: NoParameters) -> EveningList:
    """The evenings of all events."""
    return EveningList([EveningEntry.of(each) for each in evenings.list_evenings(store())])


def evening(given: EveningParameters) -> EveningReport:
    """An evening with its players, its rounds, the standing, and the records that fit no table."""
    found = evenings.read_evening(store(), given.number)
    if found is None:
        raise ProblemRaised("not-found", NO_EVENING)
    return report_evening(store(), found)
