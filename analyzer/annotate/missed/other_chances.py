"""Chances other than melds missed in one deal: the dix, carte blanche, a brisque not taken."""

from analyzer.annotate.missed.chance import MissedChance, PossibleScore
from records.cards import FACE_OF, describe_card
from records.engine.carte_blanche import CHAIN_SHOWN, may_show_carte_blanche
from records.engine.choices import legal_dixes, legal_plays
from records.engine.copies.marks import SPENT_BIT, Readings
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table, TableStep
from records.events import Dix, Play
from records.phrases import name_card
from records.replay import Frame
from records.rules.vocabulary import BrisqueCount

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
        dix = table.rules.sheet.dix
        self._turn_up_lies = table.stock.turn_up is not None
        if dix is not None:
            if dix.once_per_card or isinstance(frame.event, Dix):
                self._dix_scores += [
                    (a.seat, frame.index) for a in frame.awards if a.source == "dix"
                ]
            self._read_dix(frame)
        if table.rules.sheet.carte_blanche is not None:
            self._read_carte_blanche(frame)
        if table.rules.sheet.brisques.count is not BrisqueCount.NEVER:
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
        rule = table.rules.sheet.dix
        # A seven that has scored is exchanged for the card alone.
        points = rule.points if rule and _fresh_sevens(table, seat) else 0
        cards = (table.stock.turn_up,) if action == "exchange" and table.stock.turn_up else ()
        self._dix[seat, action] = MissedChance(
            what="dix",
            seat=seat,
            could=PossibleScore(action, DIX_CHANCE_WORDS[action], cards, points),
            first=index,
            last=index,
            tricks=(table.tricks, table.tricks),
            became="lost",
        )

    def _read_carte_blanche(self, frame: Frame) -> None:
        """Note who may show carte blanche, and who let the chance pass."""
        # Where the record does not write draws, the card that brings the chance is drawn with the play that ends it.
        table = unchecked_stepper(frame.table).table_after_draws()
        for seat, (first, trick) in list(self._carte_blanche.items()):
            if not may_show_carte_blanche(table, seat):
                del self._carte_blanche[seat]
                if not (table.blanche_chains and table.blanche_chains[seat] == CHAIN_SHOWN):
                    points = getattr(table.rules.sheet.carte_blanche, "points", 0)
                    could = PossibleScore("carte_blanche", "carte blanche", (), points)
                    self.missed.append(
                        MissedChance(
                            what="carte_blanche",
                            seat=seat,
                            could=could,
                            first=first,
                            last=first,
                            tricks=(trick, trick),
                            became="lost",
                            ended=frame.index,
                        )
                    )
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
                "brisque", words, (led, *takers), table.rules.sheet.brisques.points
            )
            self.missed.append(
                MissedChance(
                    what="brisque",
                    seat=frame.event.seat,
                    could=could,
                    first=frame.index,
                    last=frame.index,
                    tricks=(table.tricks, table.tricks),
                    became="lost",
                    ended=frame.index,
                )
            )
        self._takers = None


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
