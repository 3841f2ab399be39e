"""Evenings of a club in the interface: which there are, and what each has come to."""

from typing import Annotated

import msgspec
from msgspec import Meta

from analyzer.players import evenings
from analyzer.players.evening_report import EveningEntry, EveningReport, report_evening
from analyzer.players.evenings import read_evening
from webui.api.requests import NoParameters
from webui.server.error_pages import ProblemRaised
from webui.views import store

NO_EVENING = "There is no such evening."
LARGEST_NUMBER = 2**53


class EveningParameters(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
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
    found = read_evening(store(), given.number)
    if found is None:
        raise ProblemRaised("not-found", NO_EVENING)
    return report_evening(store(), found)
