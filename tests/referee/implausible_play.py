"""Play that no player would believe: four patterns, counted in finished records.

- A brisque thrown away: before the close, an ace or ten was played to a trick that it lost, while the hand held a plain
  seven, eight or nine that would have lost it, too. An occasion is a reply that lost, of a hand that held both. Where
  brisques never count it is not asked.
- A high trump led: the ace or ten of trumps was led although the hand held a plain seven, eight or nine, cards were left
  to be drawn after this trick, no meld was ready in the hand without it, and none was scored after the trick. An occasion
  is a lead of a hand that held both, with cards left. Where melds are made of captured cards it is not asked: there a
  card must win its trick to serve in one.
- A set broken for nothing: a card was played without which four of a kind or a trump sequence could no longer be scored
  (in the suit that it would make trumps, as long as there are none), while a plain seven, eight or nine was lawful. The
  set could be scored at once if its seat might meld; after this trick so many tricks that bring melds were left that
  all melds ready could be scored; and the card won no brisque of the other, nor did its seat meld after the trick. An
  occasion is a play with such a set and such a low card. Where melds are made of captured cards it is not asked.
- A last chance passed up: after a trick, a meld that could be scored was not, though one more was allowed, and it was the
  last time: no later trick brings melds, or the meld is all that the hand holds, so that the next card breaks it, or it
  is made of captured cards and needs one of this trick. An occasion is such a trick with a meld to score.

In the first three a card does not count that belongs to a meld that has scored, where the rules let such a meld be formed
again once a card has left it: that is a reason to part with it.

A low card is plain if it is no trump; as long as there are no trumps all are plain. Records with labels are judged
exactly; in others, of like cards the first reading decides which have scored.
"""

from collections import Counter
from enum import Enum
from typing import NamedTuple

from analyzer.play.fast_rules import FastMeld
from analyzer.play.setting_up import fast_deal_at
from records.cards import FACE_OF
from records.engine.choices import legal_melds, legal_plays
from records.engine.table import Table, TableStep
from records.events import AnyEvent, Draw, Meld, Play
from records.record import Record
from records.replay import replay
from records.rules.vocabulary import BrisqueCount
from tests.referee.seat_view import SeatView

LOW_RANKS, HIGH_TRUMPS, BRISQUE_RANKS = "987", "AT", "AT"
SET_SIZE = 4
"""A set has so many cards, or more."""


class Pattern(Enum):
    """A way to play that no player would believe, in words."""

    BRISQUE_THROWN = "brisque thrown away"
    HIGH_TRUMP_LED = "high trump led"
    SET_BROKEN = "set broken for nothing"
    LAST_CHANCE_PASSED = "last chance passed up"


class PatternCounts(NamedTuple):
    """How often each pattern was played, and on how many occasions it could have been; by seat."""

    times: Counter[tuple[int, Pattern]]
    occasions: Counter[tuple[int, Pattern]]


def count_patterns(record: Record) -> PatternCounts:
    """The patterns in a record between two whose cards are all known."""
    counter = _PatternCounter()
    for frame in replay(record):
        events = record.deals[frame.deal].events
        following = events[frame.index + 1] if frame.index + 1 < len(events) else None
        counter.read(frame.event, frame.table, following)
    return PatternCounts(counter.times, counter.occasions)


class _PatternCounter:
    """Reads deals event by event, each with the table after it and the event that follows.

    `_doubtful` are patterns of the trick in progress that a meld after it, or a brisque won, would excuse.
    """

    def __init__(self) -> None:
        self.times: Counter[tuple[int, Pattern]] = Counter()
        self.occasions: Counter[tuple[int, Pattern]] = Counter()
        self._doubtful: list[tuple[int, Pattern]] = []
        self._has_last_chance = self._is_window_open = False

    def read(self, event: AnyEvent | None, table: Table, following: AnyEvent | None) -> None:
        """Read an event."""
        if event is None:
            self._doubtful = []
        elif isinstance(event, Play) and table.trick.winner is not None:
            self._begin_window(table)
        elif isinstance(event, Meld):
            self._doubtful = [each for each in self._doubtful if each[0] != event.seat]
        goes_on = following is None or isinstance(following, Draw | Play)
        if self._is_window_open and goes_on:
            self._end_window(table)
        if isinstance(following, Play):
            self._ask_play(table, following.seat, following.card)

    def _count(self, seat: int, pattern: Pattern, *, played: bool) -> None:
        self.occasions[seat, pattern] += 1
        self.times[seat, pattern] += played

    # -- after a trick

    def _begin_window(self, table: Table) -> None:
        winner, completed = table.trick.winner, table.trick.completed
        assert completed is not None
        for seat, card in (completed[:2], completed[2:]):
            if seat != winner and card[0] in BRISQUE_RANKS:
                excused = (winner, Pattern.SET_BROKEN)
                self._doubtful = [each for each in self._doubtful if each != excused]
        self._is_window_open = True
        self._has_last_chance = _is_last_chance(table) and bool(legal_melds(table))

    def _end_window(self, table: Table) -> None:
        for each in self._doubtful:
            self.times[each] += 1
        self._doubtful = []
        passed = _is_last_chance(table) and bool(legal_melds(table))
        if table.melding.seat is not None and (passed or self._has_last_chance):
            self._count(table.melding.seat, Pattern.LAST_CHANCE_PASSED, played=passed)
        self._has_last_chance = self._is_window_open = False

    # -- a card that is played

    def _ask_play(self, table: Table, seat: int, card: str) -> None:
        low = [each for each in legal_plays(table) if _is_low(table, each)]
        if not low:
            return
        if table.phase.draws:
            if table.step is TableStep.REPLY:
                self._ask_reply(table, seat, card, low)
            elif _tricks_before_close(table) > 1 and not table.rules.melds_captured:
                self._ask_lead(table, seat, card)
        if not table.rules.melds_captured:
            self._ask_set(table, seat, card)

    def _ask_reply(self, table: Table, seat: int, card: str, low: list[str]) -> None:
        assert table.trick.led is not None
        takers = table.beaters[table.trick.led]
        losing = [each for each in table.held[seat] if each not in takers]
        if table.rules.written.brisques.count is BrisqueCount.NEVER or card not in losing:
            return
        if any(each in losing for each in low) and any(each[0] in BRISQUE_RANKS for each in losing):
            thrown = card[0] in BRISQUE_RANKS and not _frees_meld(*_view_of_card(table, seat, card))
            self._count(seat, Pattern.BRISQUE_THROWN, played=thrown)

    def _ask_lead(self, table: Table, seat: int, card: str) -> None:
        high = [each for each in table.held[seat] if _is_high_trump(table, each)]
        if not high:
            return
        self._count(seat, Pattern.HIGH_TRUMP_LED, played=False)
        if card in high:
            view, bit = _view_of_card(table, seat, card)
            if not view.ready_after(bit) and not _frees_meld(view, bit):
                self._doubtful.append((seat, Pattern.HIGH_TRUMP_LED))

    def _ask_set(self, table: Table, seat: int, card: str) -> None:
        view, bit = _view_of_card(table, seat, card)
        ready = [each.meld for each in view.ready(view.hand, view.scored[seat])]
        sets = [meld for meld in ready if _is_set(view, meld)]
        if not sets or len(ready) > _tricks_with_melds_after(table, seat):
            return
        self._count(seat, Pattern.SET_BROKEN, played=False)
        left = [each.meld for each in view.ready_after(bit)]
        if any(meld not in left for meld in sets) and not _frees_meld(view, bit):
            self._doubtful.append((seat, Pattern.SET_BROKEN))


def _is_low(table: Table, card: str) -> bool:
    return card[0] in LOW_RANKS and card[1] != table.trump


def _is_high_trump(table: Table, card: str) -> bool:
    return card[0] in HIGH_TRUMPS and card[1] == table.trump


def _tricks_before_close(table: Table) -> int:
    """How many tricks are followed by a draw, from this one on."""
    return table.stock.with_turn_up // table.seats if table.phase.draws else 0


def _tricks_with_melds_after(table: Table, seat: int) -> int:
    """After how many tricks melds may be scored that come after this one."""
    close = table.rules.phases[1]
    if not table.phase.draws:
        return table.hand_count(seat) - 1 if close.melds else 0
    return _tricks_before_close(table) - 1 + (table.hand_count(seat) if close.melds else 0)


def _is_last_chance(table: Table) -> bool:
    """Whether the winner of the trick can score some meld now only."""
    seat = table.melding.seat
    if seat is None or table.melding.left <= 0 or table.rules.melds_captured:
        return seat is not None and table.melding.left > 0
    if table.phase.draws:
        return table.stock.with_turn_up <= table.seats and not table.rules.phases[1].melds
    return any(len(cards) == table.hand_count(seat) for _, cards in legal_melds(table))


def _view_of_card(table: Table, seat: int, card: str) -> tuple[SeatView, int]:
    """What a seat that is to play sees of its own hand, and the bit of this card of it."""
    view = SeatView(fast_deal_at(table, (), viewer=seat), seat, shown=0)
    copies = view.hand & (view.cards.bits.get(card) or view.cards.faces[FACE_OF[card]])
    of_face = [each for each in view.copies() if each & copies]
    return view, of_face[0] if of_face else copies & -copies


def _frees_meld(view: SeatView, card: int) -> bool:
    """Whether a card belongs to a meld that has scored and may be formed again once it has left."""
    compiled = view.rules.compiled
    again = compiled.forgotten_bits | compiled.traced_bits
    return bool(again) and any(card & each.cards for each in view.scored[view.seat].sets)


def _is_set(view: SeatView, meld: FastMeld) -> bool:
    """Whether a meld is four or more of a kind, or a sequence of trumps, or one that makes trumps."""
    faces = [
        face
        for face, mask in view.cards.faces.items()
        if any(mask & need for need, _ in meld.needs)
    ]
    if meld.size >= SET_SIZE and len({face[0] for face in faces}) == 1:
        return True
    suits = {face[1] for face in faces}
    return (
        meld.size > SET_SIZE
        and suits == {meld.makes_trump or view.trump}
        and len(faces) == meld.size
    )
