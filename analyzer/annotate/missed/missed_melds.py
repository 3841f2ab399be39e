"""Melds missed in one deal: after every trick, the melds its winner could score and those it scored.

`read` opens a window when a trick is won, or where a position begins right after one, and lists the possible melds
whenever something changes; the next play or draw closes it. What was possible and not scored becomes an open chance,
which a later meld takes, or the loss of its cards or the end of the deal ends. If the reading stops before that, nobody
knows what became of the chance, and nothing is reported.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from analyzer.annotate.missed.chance import MissedChance, PossibleScore, WonTrick
from records.cards import sorted_faces
from records.engine.choices import legal_melds
from records.engine.copies.history import are_all_readings
from records.engine.copies.readings import may_meld
from records.engine.copies.reuse import reuse_rule_of
from records.engine.table import Table, TableStep
from records.events import Declare, Dix, Draw, Irregular, Meld, Play
from records.replay import Frame
from records.rules.vocabulary import MeldRule as Row
from records.rules.vocabulary import ReuseRule

MOST_READINGS_TRIED = 2_048
"""Of a meld with more readings it is not said that it is certain."""
ChanceKey = tuple[int, str, str]
"""A meld of a seat: its name, and what tells it from others of that name (`_key`).

Not its points: they change once trumps are made.
"""


class PlayedCard(NamedTuple):
    """A card played: the event, the seat, the card by its name, and how many of that name the seat has left."""

    event: int
    seat: int
    card: str
    left: int


class MadeMeld(NamedTuple):
    """A meld scored in the window: the event, its key and score, the points."""

    event: int
    key: ChanceKey
    score: PossibleScore
    points: int


class MeldChance(msgspec.Struct):
    """A meld that has been possible and is not made yet, as it was worth most.

    `first`, `last`, `tricks` and `times` say when it was worth that. `cards` made it when it was possible last,
    perhaps for fewer points, after the event `open_at`.
    `free` says that at least once it was still possible when the window closed; `lesser`, that a meld of fewer
    points was scored in its place. While the seat keeps one of its cards it is one chance, since no card
    serves twice in one meld; by R-SET one does, and every set of cards is a chance of its own. Captured cards
    (Polish) never leave: there a meld is the same chance only if one of its cards is, and `captured` is what the
    seat had won when the chance was last open.
    """

    could: PossibleScore
    first: int
    last: int
    tricks: tuple[int, int]
    cards: tuple[str, ...]
    open_at: int
    times: int = 0
    free: bool = False
    lesser: bool = False
    certain: bool = False
    captured: dict[str, int] = {}

    def note(self, could: PossibleScore, event: int, trick: int, *, certain: bool) -> None:
        """Note that the meld was possible and not scored, after an event in which so many tricks were complete."""
        self.cards, self.open_at = could.cards, event
        was_in_the_way = self.times and not (self.free or self.lesser)
        change = could.points - self.could.points
        if change > 0 or (change and was_in_the_way):
            self.first, self.tricks, self.times, self.certain = event, (trick, trick), 0, False
        elif change:
            return
        self.could, self.last, self.tricks = could, event, (self.tricks[0], trick)
        self.times += 1
        self.certain = self.certain or certain


class MeldWatch:
    """Reads the frames of one two-player deal and finds the melds missed."""

    def __init__(self) -> None:
        self.won: list[WonTrick] = []
        self.missed: list[MissedChance] = []
        self._window: WonTrick | None = None
        self._possible: dict[ChanceKey, tuple[PossibleScore, bool]] = {}
        self._possible_now: dict[ChanceKey, tuple[PossibleScore, bool]] = {}
        self._made: list[MadeMeld] = []
        self._chances: dict[ChanceKey, list[MeldChance]] = {}
        self._captured: dict[str, int] = {}
        self._plays: list[PlayedCard] = []
        self._melds_are_over = False

    def read(self, frame: Frame) -> None:
        """Read a frame."""
        event, table = frame.event, frame.table
        if isinstance(event, Draw | Play):
            self._close_window()
        self._melds_are_over = not table.phase.melds
        match event:
            case Play(seat=seat, card=card):
                if not table.rules.melds_captured:
                    left = table.held[seat].get(card, 0)
                    self._plays.append(PlayedCard(frame.index, seat, card, left))
                if table.step is not TableStep.REPLY:
                    self._open_window(frame)
            case None if frame.index < 0:
                self._open_window(frame)
            case Meld() if self._window is not None:
                self._record_meld(event, frame)
                self._list_possible(table)
            case Dix() | Declare() | Irregular() if self._window is not None:
                self._take_back(table)
                self._list_possible(table)
            case _:
                pass

    def end(self, *, complete: bool) -> list[MissedChance]:
        """The chances missed, in the order of their last moment.

        Of a deal that was not read to its end (`complete`), those are left out that may still be taken.
        """
        self._close_window()
        certain = complete or self._melds_are_over
        for (seat, *_), chances in self._chances.items():
            for chance in chances:
                own = set(chance.cards)
                if certain or own <= self._played_out_since(chance, seat):
                    self._give_up(seat, chance)
        self._chances.clear()
        return sorted(self.missed, key=lambda missed: (missed.last, -missed.could.points))

    def _give_up(self, seat: int, chance: MeldChance) -> None:
        """Report a chance that was never taken."""
        became = "lost" if chance.free or chance.lesser else "given_up"
        ended = self._ended(seat, chance)
        self.missed.append(_missed_meld(seat, chance, became=became, ended=ended))

    def _open_chance(self, key: ChanceKey, cards: Sequence[str]) -> MeldChance | None:
        """The open chance that these cards continue, if any; a chance whose cards have left is given up."""
        chances = self._chances.get(key, [])
        for chance in sorted(chances, key=lambda one: -len({*one.cards} & {*cards})):
            if self._captured and self._is_of_other_captures(chance, cards):
                continue
            chances.remove(chance)
            played_out = self._played_out_since(chance, key[0])
            own = set(chance.cards)
            if own.isdisjoint(played_out) or own.intersection(cards) - played_out:
                return chance
            self._give_up(key[0], chance)
        return None

    def _is_of_other_captures(self, chance: MeldChance, cards: Sequence[str]) -> bool:
        """Whether captured cards may all be others than those of a chance: won since, where they look alike."""
        return not any(
            card in chance.cards
            and count > self._captured.get(card, 0) - chance.captured.get(card, 0)
            for card, count in Counter(cards).items()
        )

    def _played_out_since(self, chance: MeldChance, seat: int) -> set[str]:
        """The cards of which a seat has played the last since a meld was possible."""
        return {
            play.card
            for play in self._plays
            if play.event > chance.open_at and play.seat == seat and not play.left
        }

    def _open_window(self, frame: Frame) -> None:
        """Open the window if a trick was just won, be it before a position (its frame has the index -1)."""
        seat, table = frame.table.melding.seat, frame.table
        if seat is not None:
            self._window = WonTrick(frame.index, table.tricks, seat, [], [])
            self._list_possible(table)

    def _list_possible(self, table: Table) -> None:
        """List the melds that may be scored now."""
        assert self._window is not None
        if table.rules.melds_captured:
            self._captured = dict(table.captured[self._window.seat])
        self._possible_now = {
            _key(table, self._window.seat, row, cards): (
                possible_score_of(row, cards),
                _is_certain(table, row, cards),
            )
            for row, cards in reversed(legal_melds(table))
        }
        self._possible = {**self._possible_now, **self._possible}

    def _record_meld(self, event: Meld, frame: Frame) -> None:
        """Record a meld made; one that counts nothing is none."""
        table = frame.table
        row = table.rules.meld_rule(table.trump, event.meld, tuple(event.cards))
        if row is None or frame.index not in table.melding.scored_at[event.seat]:
            return
        points = sum([award.points for award in frame.awards if award.source == "meld"])
        key, score = _key(table, event.seat, row, event.cards), possible_score_of(row, event.cards)
        self._made.append(MadeMeld(frame.index, key, score, points))

    def _take_back(self, table: Table) -> None:
        """Forget a meld that was withdrawn (A-45)."""
        if (
            self._made
            and self._made[-1].event not in table.melding.scored_at[self._made[-1].key[0]]
        ):
            self._made.pop()

    def _take_chances(self, window: WonTrick) -> None:
        """Close the chances that the melds made take."""
        for event, key, score, *_ in self._made:
            window.made.append(score)
            chance = self._open_chance(key, score.cards)
            if chance is not None and chance.free:
                missed = _missed_meld(key[0], chance, became="delayed", made=event)
                missed.lost = max(0, missed.could.points - score.points)
                self.missed.append(missed)

    def _close_window(self) -> None:
        """Close the window: every meld that was possible and not scored is an open chance now."""
        window, self._window = self._window, None
        if window is None:
            return
        self._take_chances(window)
        made = {meld.key for meld in self._made}
        most = max([meld.points for meld in self._made], default=0)
        for key, (could, certain) in self._possible.items():
            window.could.append(could)
            if key in made:
                continue
            event, trick = window.event, window.trick
            chance = self._open_chance(key, could.cards) or MeldChance(
                could, event, event, (trick, trick), could.cards, event
            )
            self._chances.setdefault(key, []).append(chance)
            chance.captured = self._captured
            chance.note(could, event, trick, certain=certain)
            # Still possible: nothing stood in its way. Otherwise a meld made now used its cards or its turn.
            if key in self._possible_now:
                chance.free = True
            elif most < could.points:
                chance.lesser = True
        if window.could:
            window.could.sort(key=lambda could: -could.points)
            self.won.append(window)
        self._possible, self._possible_now, self._made = {}, {}, []

    def _ended(self, seat: int, chance: MeldChance) -> int | None:
        """The play that made the meld impossible: the first that leaves too few of its cards."""
        needed = Counter(chance.cards)
        return next(
            (
                play.event
                for play in self._plays
                if play.event > chance.open_at
                and play.seat == seat
                and play.left < needed.get(play.card, 0)
            ),
            None,
        )


def possible_score_of(row: Row, cards: list[str]) -> PossibleScore:
    """A meld with its cards as a possible score."""
    return PossibleScore(row.name, row.words, tuple(cards), row.points)


def _key(table: Table, seat: int, row: Row, cards: list[str]) -> ChanceKey:
    """Melds of one name are told apart by their suit, if they have one, and where any set scores (R-SET) by their cards."""
    if table.rules.sheet.reuse.rule is ReuseRule.ONCE_PER_SET:
        return seat, row.name, " ".join(sorted_faces(cards))
    suits = {card[1] for card in cards}
    return seat, row.name, suits.pop() if len(suits) == 1 else ""


def _is_certain(table: Table, row: Row, cards: list[str]) -> bool:
    """Whether every reading allows a meld, as far as they are few enough to ask each."""
    seat = table.melding.seat
    if seat is None:
        return True
    readings = table.melding.readings[seat]
    if not are_all_readings(readings) or len(readings) > MOST_READINGS_TRIED:
        return False
    if len(readings) == 1:
        return True
    allows = reuse_rule_of(row, table.rules, table.melding.scored[seat])
    held, budget = table.melding.cards[seat], table.tracking.budget.for_readers
    return all([may_meld((reading,), cards, held, allows, budget) for reading in readings])


def _missed_meld(
    seat: int, chance: MeldChance, *, became: str, made: int | None = None, ended: int | None = None
) -> MissedChance:
    return MissedChance(
        what="meld",
        seat=seat,
        could=chance.could,
        first=chance.first,
        last=chance.last,
        tricks=chance.tricks,
        times=chance.times,
        became=became,  # type: ignore[arg-type]
        made=made,
        ended=ended,
        certain=chance.certain,
    )
