"""Findings as pages show them: in words, in groups, each with the address of the step that shows it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from flask import url_for
from msgspec.structs import replace

from analyzer.identify.habits import HabitCorrection, find_main_cause
from analyzer.store.store import StoredGame
from records.validate.finding import Finding, Place, describe_place
from records.validate.report import FoldedFindings, fold_findings
from webui.display.words import name_seats, place_words, pointer_words
from webui.server.game_cache import GameCache, OpenedGame, find_steps, step_of_finding


@dataclass(frozen=True, slots=True)
class ShownFinding:
    """A finding on a page: its place in words, its rule, and the step that shows it.

    `address` leads to the table at this step; it is empty where there is none.
    """

    finding: Finding
    place: str
    sheet: str | None
    article: str | None
    step: int | None
    address: str

    @classmethod
    def of(
        cls,
        finding: Finding,
        names: Sequence[str] = (),
        *,
        step: int | None = None,
        address: str = "",
    ) -> "ShownFinding":
        """A finding in words for the page."""
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
            step=step,
            address=address,
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
        address_of: Callable[[Finding], str] = lambda finding: "",
    ) -> "ShownGroup":
        """A group in words for the page; `address_of` gives the address of the step that shows a finding."""
        seat = folded.only_seat
        return cls(
            message=folded.message_with(_words_of_place(folded.first.at)),
            findings=[
                ShownFinding.of(finding, names, address=address_of(finding))
                for finding in folded.findings
            ],
            consequences=[
                cls.of(below, names, address_of=address_of) for below in folded.consequences
            ],
            following=folded.following,
            player=names[seat] if seat is not None and seat < len(names) else "",
        )


def _words_of_place(at: Place) -> str:
    return pointer_words(at.pointer) if at.deal is None else describe_place(at)


def group_for_page(findings: Sequence[Finding], names: Sequence[str] = ()) -> list[ShownGroup]:
    """The findings on a record that cannot be opened, in groups."""
    return [ShownGroup.of(folded, names) for folded in fold_findings(findings)]


def first_finding_of_deal(findings: Sequence[Finding]) -> Finding | None:
    """The finding that a page shows first, if it is of a deal, whose table can then be drawn; None otherwise."""
    first = next(iter(fold_findings(findings)), None)
    return first.first if first and first.first.at.deal is not None else None


def group_of_opened(
    game: OpenedGame, names: Sequence[str], findings: Sequence[Finding]
) -> list[ShownGroup]:
    """The findings on a game that is in no collection, in groups, each with the address of its step."""
    address_of = addresses_of_steps(game)
    return [ShownGroup.of(each, names, address_of=address_of) for each in fold_findings(findings)]


def steps_of_findings(game: OpenedGame) -> Callable[[Finding], int | None]:
    """Gives the step that shows a finding on a game that is in no collection; None if it is of no deal."""

    @cache
    def steps() -> dict[Finding, int]:
        return find_steps(game.record, game.resolved)

    return lambda finding: step_of_finding(finding, steps)


def addresses_of_steps(game: OpenedGame) -> Callable[[Finding], str]:
    """Gives the address of the table at the step that shows a finding on this game; empty if it is of no deal."""
    step_of = steps_of_findings(game)

    def address_of(finding: Finding) -> str:
        step = step_of(finding)
        if step is None or finding.at.deal is None:
            return ""
        here: dict[str, Any] = {"deal": finding.at.deal + 1, "step": step, **game.source.values}
        return url_for(f"{game.source.blueprint}.replay", **here)

    return address_of


def group_of_game(
    cache: GameCache, game: StoredGame, findings: Sequence[Finding]
) -> list[ShownGroup]:
    """The findings on a stored game, in groups, each with the address of its step."""

    def address_of(finding: Finding) -> str:
        step, deal = cache.step_of(game.digest, finding), finding.at.deal
        if step is None or deal is None:
            return ""
        return url_for("deals.replay", digest=game.digest, deal=deal + 1, step=step)

    return [
        ShownGroup.of(folded, game.names, address_of=address_of)
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
