"""Missed chances of one deal: melds, the dix, carte blanche, a brisque not taken."""

from collections import Counter
from collections.abc import Sequence
from typing import Literal, NamedTuple

import msgspec

from records.cards import FACE_OF, describe_card, sorted_faces
from records.engine.choices import legal_dixes, legal_melds, legal_plays
from records.engine.copies import SPENT_BIT, Readings
from records.engine.copy_history import are_all_readings
from records.engine.effects import CHAIN_SHOWN, may_show_carte_blanche
from records.engine.readings import may_meld
from records.engine.reuse import reuse_rule_of
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table, TableStep
from records.events import Declare, Dix, Draw, Irregular, Meld, Play
from records.phrases import name_card
from records.replay import Frame
from records.rules.vocabulary import BrisqueCount, ReuseRule
from records.rules.vocabulary import MeldRule as Row

# A missed chance to score: when it was open, and what became of it. Part of the stored annotation.

ChanceKind = Literal["meld", "dix", "carte_blanche", "brisque"]
ChanceOutcome = Literal["delayed", "lost", "given_up"]
"""Taken later; never taken; never taken because something at least as good was."""


class PossibleScore(msgspec.Struct, frozen=True):
    """A possible score: its name in the format, its words, one set of cards that makes it, its points."""

    name: str
    words: str
    cards: tuple[str, ...]
    points: int


class MissedChance(msgspec.Struct, kw_only=True):
    """A chance that was not taken the first time.

    `first` and `last` are the events after which it was open, `tricks` the numbers of tricks complete then,
    `times` how often the seat could have taken it. `made` is the event that took it in the end, `ended` the
    event that ended it. `lost` is by how many points fewer a meld made late scored. It is `certain` if every
    reading allows it.
    """

    what: ChanceKind
    seat: int
    could: PossibleScore
    first: int
    last: int
    tricks: tuple[int, int]
    times: int = 1
    became: ChanceOutcome
    made: int | None = None
    ended: int | None = None
    certain: bool = True
    lost: int = 0


class WonTrick(msgspec.Struct):
    """A trick whose winner could meld: what was possible, and what was made."""

    event: int
    trick: int
    seat: int
    could: list[PossibleScore]
    made: list[PossibleScore]


# Melds missed in one deal: after every trick, the melds its winner could score and those it scored.
#
# `read` opens a window when a trick is won, or where a position begins right after one, and lists the possible melds
# whenever something changes; the next play or draw closes it. What was possible and not scored becomes an open chance,
# which a later meld takes, or the loss of its cards or the end of the deal ends. If the reading stops before that, nobody
# knows what became of the chance, and nothing is reported.

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
    if table.rules.written.reuse.rule is ReuseRule.ONCE_PER_SET:
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


# Other chances missed in one deal: the dix, carte blanche, a brisque not taken.

DIX_CHANCE_WORDS = {
    "exchange": "exchange of the dix for the turn-up",
    "show": "showing of the dix",
}


class OtherChanceWatch:
    """Reads the frames of one two-player deal and finds the chances missed.

    Playing a dix makes up for not showing it, unless it would have scored both times. An exchange that was missed
    cost no points if every seven that the seat held then has scored without it.
    """

    def __init__(self) -> None:
        self.missed: list[MissedChance] = []
        self._dix: dict[tuple[int, str], MissedChance] = {}
        self._dix_scores: list[tuple[int, int]] = []
        self._sevens_to_score: dict[int, int] = {}
        self._carte_blanche: dict[int, tuple[int, int]] = {}
        self._takers: tuple[str, list[str]] | None = None
        self._turn_up_lies = False

    def read(self, frame: Frame) -> None:
        """Read a frame."""
        table = frame.table
        dix = table.rules.written.dix
        self._turn_up_lies = table.stock.turn_up is not None
        if dix is not None:
            if dix.once_per_card or isinstance(frame.event, Dix):
                self._dix_scores += [
                    (a.seat, frame.index) for a in frame.awards if a.source == "dix"
                ]
            self._read_dix(frame)
        if table.rules.written.carte_blanche is not None:
            self._read_carte_blanche(frame)
        if table.rules.written.brisques.count is not BrisqueCount.NEVER:
            self._read_brisque(frame)

    def end(self, *, complete: bool) -> list[MissedChance]:
        """The chances missed, in the order of their last moment.

        Of a deal that was not read to its end (`complete`), those are left out that may still be taken.
        """
        for (seat, action), missed in self._dix.items():
            later = [
                index for who, index in self._dix_scores if who == seat and index > missed.first
            ]
            if action == "show" and (seat, "exchange") in self._dix:
                continue  # one chance, and the exchange is the better half of it
            needed = self._sevens_to_score[seat] if action == "exchange" else 1
            still_open = action == "exchange" and self._turn_up_lies
            if not complete and (still_open or len(later) < needed):
                continue
            if later and action == "show":
                missed.became, missed.made = "delayed", later[0]
            elif later and len(later) >= needed:
                missed.could = PossibleScore(
                    "exchange", missed.could.words, missed.could.cards, 0
                )  # played later, it scored all the same: only the card was missed
            self.missed.append(missed)
        self._dix.clear()
        return sorted(self.missed, key=lambda missed: missed.last)

    def _read_dix(self, frame: Frame) -> None:
        """Open chances to show or exchange a dix, and close them when they are taken."""
        table, event = frame.table, frame.event
        if isinstance(event, Dix) and event.action != "play":
            taken = self._dix.pop((event.seat, event.action), None)
            if taken is not None and taken.tricks[0] < table.tricks:
                taken.became, taken.made = "delayed", frame.index
                self.missed.append(taken)
            self._dix.pop((event.seat, "show"), None)
        elif isinstance(event, Play) or (frame.index < 0 and table.melding.seat is not None):
            seat = table.melding.seat if table.melding.seat is not None else table.seat
            for action in legal_dixes(table):
                self._open_dix_chance(table, seat, action, frame.index)

    def _open_dix_chance(self, table: Table, seat: int, action: str, index: int) -> None:
        known = self._dix.get((seat, action))
        if action == "exchange":
            scored = [
                at for who, at in self._dix_scores if known and who == seat and at > known.first
            ]
            needed = len(scored) + _fresh_sevens(table, seat)
            self._sevens_to_score[seat] = max(needed, self._sevens_to_score.get(seat, 0))
        if known is not None:
            known.last, known.tricks = index, (known.tricks[0], table.tricks)
            known.times += 1
            return
        rule = table.rules.written.dix
        # A seven that has scored is exchanged for the card alone.
        points = rule.points if rule and _fresh_sevens(table, seat) else 0
        cards = (table.stock.turn_up,) if action == "exchange" and table.stock.turn_up else ()
        could = PossibleScore(action, DIX_CHANCE_WORDS[action], cards, points)
        self._dix[seat, action] = _lost_at(index, "dix", seat, could, table.tricks)

    def _read_carte_blanche(self, frame: Frame) -> None:
        """Note who may show carte blanche, and who let the chance pass."""
        # Where the record does not write draws, the card that brings the chance is drawn with the play that ends it.
        table = unchecked_stepper(frame.table).table_after_draws()
        for seat, (first, trick) in list(self._carte_blanche.items()):
            if not may_show_carte_blanche(table, seat):
                del self._carte_blanche[seat]
                if not (table.blanche_chains and table.blanche_chains[seat] == CHAIN_SHOWN):
                    points = getattr(table.rules.written.carte_blanche, "points", 0)
                    could = PossibleScore("carte_blanche", "carte blanche", (), points)
                    lost = _lost_at(first, "carte_blanche", seat, could, trick, frame.index)
                    self.missed.append(lost)
        for seat in range(table.seats):
            if may_show_carte_blanche(table, seat):
                self._carte_blanche.setdefault(seat, (frame.index, table.tricks))

    def _read_brisque(self, frame: Frame) -> None:
        """Note a brisque led that the reply could legally have taken and did not."""
        table = frame.table
        if not isinstance(frame.event, Play):
            return
        if table.step is TableStep.REPLY and table.trick.led is not None:
            brisque = table.rules.is_brisque.get(table.trick.led, 0) > 0 and not table.unknown_held(
                table.seat
            )
            # Noted before the reply: once it is played, the table no longer knows which cards could be played.
            takers = [card for card in legal_plays(table) if card in table.beaters[table.trick.led]]
            self._takers = (table.trick.led, takers) if brisque and takers else None
            return
        if self._takers and table.trick.winner != frame.event.seat:
            led, takers = self._takers
            words = f"{describe_card(FACE_OF[led])} with {name_card(takers[-1])}"
            could = PossibleScore(
                "brisque", words, (led, *takers), table.rules.written.brisques.points
            )
            seat, at = frame.event.seat, frame.index
            self.missed.append(_lost_at(at, "brisque", seat, could, table.tricks, at))
        self._takers = None


def _lost_at(
    event: int, what: ChanceKind, seat: int, could: PossibleScore, trick: int, ended: int | None = None
) -> MissedChance:  # fmt: skip
    """A chance that was open after one event, with so many tricks complete, and never taken."""
    return MissedChance(
        what=what, seat=seat, could=could, first=event, last=event, tricks=(trick, trick),
        became="lost", ended=ended,
    )  # fmt: skip


def _fresh_sevens(table: Table, seat: int) -> int:
    """How many sevens of trumps a seat holds that may not have scored yet."""
    held, readings = table.held[seat], table.readings[seat]
    return sum(
        [
            _fresh_copies(readings, card, count)
            for card, count in held.items()
            if FACE_OF[card] == table.seven
        ]
    )


def _fresh_copies(readings: Readings, card: str, count: int) -> int:
    """How many copies of a card may not have scored as a dix, in the reading that spares most."""
    spent = [
        len([mark for name, mark in reading if name == card and mark & SPENT_BIT])
        for reading in readings
    ]
    return count - min(spent, default=0)
