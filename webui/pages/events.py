"""The data of the pages of events and standings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analyzer.db.store import StoredGame
from analyzer.players.standings import ClubEvent, MatchChoice, Pairing, StandingLine
from records.rules.vocabulary import RuleSheet
from webui.pages.page import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class EventsPage(Page):
    """The events and the seasons."""

    template = "events/events.html"
    events: list[ClubEvent]
    seasons: list[int]


@dataclass(frozen=True, slots=True)
class ResultRound:
    """The matches of a round, or of a day."""

    title: str
    games: list[StoredGame]


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsPage(Page):
    """A standing; the crosstable has the players `names`, and the rounds have the first `shown` of `total` matches.

    Of `stated` matches only the record knows the result.
    """

    template = "events/standings.html"
    choice: MatchChoice
    lines: list[StandingLine]
    names: list[str]
    stated: int
    pairings: Mapping[tuple[str, str], Pairing]
    rounds: list[ResultRound]
    shown: int
    total: int
    sheets: Sequence[RuleSheet]
    events: Sequence[str]
    seasons: Sequence[int]

    @property
    def has_settlements(self) -> bool:
        """Whether some match was settled as one deal."""
        return any(line.received is not None for line in self.lines)

    @property
    def values(self) -> dict[str, str]:
        """The choice as parts of an address."""
        return {name: str(value) for name, value in self.choice.values().items() if value}
