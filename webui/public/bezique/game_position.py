"""The table at one moment of a game, and the moments of a record in order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, cast

import click

from bezique.exchange import UnreadableRecord, parse
from bezique.game_moves import Move, legal_moves
from bezique.position_key import Marks, marks_at, position_key
from bezique.record_types import AnyEvent, Card, Finding, MeldName, Record, SheetId
from records.engine.table import Table
from records.event_words import SCORE_WORDS, describe_event
from records.record import may_still_cut
from records.replay import LaidCard, snapshot_of
from records.replay import replay as frames_of
from records.rules.registry import resolve_rules
from records.validator import Validator
from webui.replay.board import render_step_text
from webui.replay.pictures import render_step_svg
from webui.replay.steps import DealSteps, Visibility, read_deal_steps, surely_laid

StepName = Literal["lead", "reply", "draw", "combine", "discard", "over"]
"""What comes next: a lead or a reply, a draw, a combination or a discard (Zetema), or nothing."""


@dataclass(frozen=True, slots=True)
class LaidMeld:
    """The cards of one meld that lie on the table; a card that served in two melds lies in the newer one."""

    meld: MeldName
    cards: list[Card]


@dataclass(frozen=True, slots=True)
class RecordMoment:
    """A step of a deal of a record: 0 before its first event, 1 after it."""

    record: Record
    deal: int
    step: int

    def steps(self, viewer: int | None) -> DealSteps:
        """The whole deal, as a seat sees it."""
        record = cast(Any, self.record)
        return read_deal_steps(record, resolve_rules(record.rules), self.deal, Visibility(viewer))

    def legal(self) -> list[Move]:
        """Every move that may come next, as far as the cards are known."""
        table = self.table_then()
        deal = cast(Any, self.record.deals[self.deal])
        is_fresh = may_still_cut(deal, deal.events[: self.step])
        return [] if table is None else legal_moves(table, is_fresh=is_fresh)

    def table_then(self) -> Table | None:
        """The table at this step; None if there is none to play on at."""
        for frame in frames_of(cast(Any, self.record)):
            if (frame.deal, frame.index + 1) == (self.deal, self.step):
                return frame.table
        return None


@dataclass(frozen=True, slots=True)
class MomentOfGame(RecordMoment):
    """A step of a game, and its table, which nothing changes any more; None if the game is over."""

    table: Table | None = field(repr=False, compare=False)

    def table_then(self) -> Table | None:
        """The table at this step."""
        return self.table

    def __reduce__(self) -> tuple[Any, ...]:
        return RecordMoment, (self.record, self.deal, self.step)


def require_seat(seat: int | None, seats: int) -> None:
    """Raise ValueError, in a sentence, unless there is such a seat; None stands for all."""
    if seat is not None and (type(seat) is not int or not 0 <= seat < seats):
        raise ValueError(f"There is no seat {seat!r}: the seats are 0 to {seats - 1}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """The table at one moment: what lies where, who acts, and the points of this deal by seat.

    `hands` are the cards in hand, `??` for one that `viewer` cannot see (None sees all), and `melds` those on the
    table; `captured` are won cards that lie face up. `stock` counts the cards face down, `won` the cards of tricks
    taken, `brisques` those of them that are brisques. Seats and deals are counted from 0. A card of which
    another copy lies on the table may be in the hand or there; it is told in the hand. Nothing changes a position.
    """

    sheet: SheetId
    names: list[str]
    deal: int
    step: StepName
    seat: int | None
    may_meld: int | None
    hands: list[list[Card]]
    melds: list[list[LaidMeld]]
    captured: list[list[Card]]
    stock: int
    turn_up: Card | None
    trump: Literal["S", "H", "D", "C"] | None
    trick: list[tuple[int, Card]]
    last_trick: list[tuple[int, Card]]
    points: list[int]
    won: list[int]
    brisques: list[int]
    tableau: dict[str, list[Card]]
    viewer: int | None = None
    _marks: Marks = field(repr=False)
    _moment: RecordMoment = field(repr=False, compare=False)

    def legal(self) -> list[Move]:
        """The moves that the viewer may make now, where it may; of a position that hides nothing, the moves of all.

        A card that lies face down is `??` in its draw. Of a record that does not show every card, those that it shows are known.
        """
        moves = self._moment.legal()
        if self.viewer is None:
            return moves
        return [move for move in moves if getattr(move, "seat", None) == self.viewer]

    @property
    def key(self) -> str:
        """A short text that is equal for equal positions, in every process and version of the program.

        It covers the rules, the cards that can be seen, what they have scored, whose turn it is and the points of the deal; not
        the names, the number of the deal and the last trick. Like copies of a card do not tell.
        """
        return position_key(self, self._moment.record.rules, self._marks)

    def svg(self) -> str:
        """The table as a picture, in SVG, with the viewer's hand nearest, or that of the first seat."""
        deal = self._moment.steps(self.viewer)
        return render_step_svg(deal, self._number(deal), self.viewer or 0)

    def _repr_html_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        deal = self._moment.steps(self.viewer)
        return click.unstyle("\n".join(render_step_text(deal, self._number(deal))))

    def _number(self, deal: DealSteps) -> int:
        return min(self._moment.step, len(deal.steps) - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStep:
    """One step of a replay: the event, in words too, the table after it, what it scored, and what is wrong with it.

    `number` counts the events of the deal from 1; 0 is the table before them, with no event. `scored` lists the
    seat, what for, and the points.
    """

    deal: int
    number: int
    event: AnyEvent | None
    words: str
    position: Position
    scored: list[tuple[int, str, int]]
    findings: list[Finding]


def replay(record: Record) -> Iterator[GameStep]:
    """Every step of a record, deal after deal; the table before the first event of each, and after its last.

    Raises UnreadableRecord.
    """
    plain = cast(Any, parse(record))
    validator = Validator(plain)
    if validator.match is None:
        raise UnreadableRecord("", cast(Any, validator.report()))
    names = validator.match.names
    for frame in frames_of(plain, match=validator.match):
        moment = RecordMoment(cast(Record, plain), frame.deal, frame.index + 1)
        yield GameStep(
            deal=frame.deal,
            number=frame.index + 1,
            event=cast("AnyEvent | None", frame.event),
            words="" if frame.event is None else describe_event(frame.event, names),
            position=position_of(frame.table, moment),
            scored=[
                (award.seat, SCORE_WORDS.get(award.source, award.source), award.points)
                for award in frame.awards
            ],
            findings=cast(Any, list(frame.findings)),
        )


def position_of(table: Table, moment: RecordMoment, viewer: int | None = None) -> Position:
    """The position at a table, as a seat sees it."""
    shown = snapshot_of(table)
    sight = Visibility(viewer)
    seats = [sight.redact_seat(view, seat) for seat, view in enumerate(shown.seats)]
    values: dict[str, Any] = {
        "sheet": table.rules.sheet.id,
        "names": list(table.names),
        "deal": moment.deal,
        "step": shown.step,
        "seat": shown.seat,
        "may_meld": shown.window,
        "hands": [[*view.hand, *view.unsure, *["??"] * view.hidden] for view in seats],
        "melds": [_melds(surely_laid(view)) for view in seats],
        "captured": [view.captured for view in seats],
        "stock": shown.stock,
        "turn_up": shown.turn_up,
        "trump": shown.trump,
        "trick": shown.trick,
        "last_trick": shown.taken,
        "points": shown.scores,
        "won": [view.won for view in seats],
        "brisques": [view.brisques for view in seats],
        "tableau": shown.tableau,
    }
    return Position(**values, viewer=viewer, _marks=marks_at(table, viewer), _moment=moment)


def _melds(laid: list[LaidCard]) -> list[LaidMeld]:
    melds: dict[int, LaidMeld] = {}
    for lying in laid:
        meld = melds.setdefault(lying.group, LaidMeld(cast(MeldName, lying.meld), []))
        meld.cards.append(cast(Card, lying.card))
    return list(melds.values())
