"""Positions and events as text, so that a test reads like its law.

A position is a list of clauses between bars. North is seat 0, South is seat 1:

    N: KS QS 9H | S: AS 7D | trump S | turn-up 9S | stock 3 | N leads

    N: ...                 cards in the hand
    N lays marriage KS QS  a meld that lies scored;  N shows ... one that lies unscored
    N captured KS QH       cards won that lie face up (Polish), the last two just won if N won
    trump S, turn-up 9S, stock 3, scores 40 0, brisques 2 1, spent 7S
    N leads, N won (has just won a trick), N replies to KH
    S deals                who dealt (South, unless told); "S deals afresh" makes it a fresh deal

Events stand between commas or on lines of their own:

    N KS from hand, S 7D, N takes, N melds marriage KS QS 40, N shows bezique QS JD,
    N dix exchange 10, N draws 9C, N scores last_trick 10, N counts 3 brisques 30,
    N shows carte_blanche 50, S cuts 24 guessed 26, irregular N revoke

A position is cut down to the cards that matter, so hands may be uneven and a stock odd. Whether a game can
come to it is judged only where `whole` is asked for.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from unittest.mock import patch

from records.cards import SUITS, parse_card
from records.engine.choices import LegalChoices, legal_choices
from records.engine.table import TABLE_MEMBERS, Table
from records.events import (
    AnyEvent,
    CarteBlanche,
    Cut,
    Declare,
    Dix,
    Draw,
    Irregular,
    Meld,
    Play,
    Score,
    Trick,
)
from records.record import Deal, Laid, Player, Record, Rules, Setup
from records.replay import Frame, TableSnapshot, replay, snapshot_of
from records.rules.registry import SHEETS_BY_ID, get_sheet
from records.selfplay import play_game
from records.validate.finding import Finding
from records.validate.report import Report
from records.validator import check_record

SEATS = {"N": 0, "S": 1}
N, S = SEATS.values()
NAMES = ("North", "South")


@contextmanager
def cut_down(*, whole: bool = False) -> Iterator[None]:
    """Within it a position need not be one that a game can come to, unless it is a whole one."""
    if whole:
        yield
    else:
        with patch("records.validate.check_deals.check_setup", return_value=[]):
            yield


ARTICLES_OF_NOTHING = ("pending",)
"""Articles that a finding names also where the sheet does not have them: it has no such melds, and says nothing of them."""


def assert_told_apart(findings: Iterable[Finding]) -> None:
    """No finding expects what it found, and each belongs to an article that its sheet has."""
    for finding in findings:
        assert finding.expected is None or finding.expected != finding.found, finding
        if finding.rule is not None:
            sheet, article = finding.rule.split("/")
            if sheet not in SHEETS_BY_ID:
                continue  # a rulebook inside a record, which nobody else knows
            assert get_sheet(sheet).cited(article) or article in ARTICLES_OF_NOTHING, finding


@dataclass
class Told:
    """A deal that was told: its record, and what the replay makes of it."""

    record: Record
    codes: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    awards: list[tuple[int, str, int]] = field(default_factory=list)
    points: list[int] = field(default_factory=list)
    position: TableSnapshot | None = None
    choices: LegalChoices | None = None
    tainted: list[bool] = field(default_factory=list)
    whole: bool = False

    def __post_init__(self) -> None:
        frame = None
        with cut_down(whole=self.whole):
            for frame in replay(self.record):
                self._see(frame)
        assert frame is not None
        self.position, self.choices = snapshot_of(frame.table), legal_choices(frame.table)
        self.points = list(frame.table.points)
        self.readings = frame.table.assignments

    def _see(self, frame: Frame) -> None:
        assert_told_apart(frame.findings)
        self.findings += frame.findings
        self.codes += [finding.code for finding in frame.findings]
        self.awards += [(award.seat, award.source, award.points) for award in frame.awards]
        self.tainted.append(frame.tainted)

    @cached_property
    def report(self) -> Report:
        """The whole report."""
        with cut_down(whole=self.whole):
            report = check_record(self.record)
        assert_told_apart(report.findings)
        return report

    @property
    def hands(self) -> list[list[str]]:
        """What each seat surely holds in the hand."""
        return [sorted(seat.hand) for seat in self.position.seats]

    def only(self, code: str) -> Finding:
        """The one finding there is, which has this code."""
        assert self.codes == [code], self.codes
        return self.findings[0]

    def scored(self, source: str) -> list[tuple[int, int]]:
        """Seat and points of what was scored from one source."""
        return [(seat, points) for seat, what, points in self.awards if what == source]


def table(
    position: str,
    told: str = "",
    *,
    sheet: str = "bezique",
    knowledge: str | None = "full",
    whole: bool = False,
    **options: Any,
) -> Told:
    """Replay what is told from a position, by a sheet with options."""
    deal = deal_of(position, told)
    deal.knowledge = knowledge
    return Told(record_of([deal], sheet=sheet, **options), whole=whole)


def record_of(deals: list[Deal], *, sheet: str = "bezique", **options: Any) -> Record:
    """A record of two players and these deals."""
    return Record(
        format="bezique-record",
        version="1.0",
        rules=Rules(id=sheet, options=options),
        players=[Player(name=name) for name in NAMES],
        deals=deals,
    )


def play_with_stock(sheet: str, *, seed: int, **options: Any) -> Record:
    """A deal by self-play that writes the order of the stock, and no draw."""
    record = play_game(sheet, seed=seed, deals=1, options=options)
    deal = record.deals[0]
    deal.stock = [event.card for event in deal.events if isinstance(event, Draw)]
    if deal.turn_up is not None:
        deal.stock.pop()  # the turn-up is drawn last
    deal.events = [event for event in deal.events if not isinstance(event, Draw)]
    return record


def deal_of(position: str, told: str = "") -> Deal:
    """A deal that starts in a position, with the events told."""
    clauses = [clause.strip() for clause in position.split("|") if clause.strip()]
    hands: list[list[str]] = [[], []]
    setup = Setup(hands=hands, seat=N)
    deal = Deal(dealer=S, setup=setup, events=events_of(told))
    for clause in clauses:
        _read(clause, deal, setup)
    if deal.setup is None:
        deal.hands, deal.turn_up = hands, setup.turn_up
    return deal


def _read(clause: str, deal: Deal, setup: Setup) -> None:
    words = clause.replace(":", " :").split()
    match words:
        case [("N" | "S") as seat, ":", *cards]:
            setup.hands[SEATS[seat]] = _cards(cards)
        case [("N" | "S") as seat, ("lays" | "shows") as how, meld, *cards]:
            tables = setup.tables = setup.tables or [[], []]
            tables[SEATS[seat]].append(Laid(meld=meld, cards=_cards(cards), scored=how == "lays"))
        case [("N" | "S") as seat, "captured", *cards]:
            won = setup.captured = setup.captured or [[], []]
            won[SEATS[seat]] = _cards(cards)
        case [("N" | "S") as seat, "leads"]:
            setup.seat = SEATS[seat]
        case [("N" | "S") as seat, "won"]:
            setup.seat, setup.won = SEATS[seat], True
        case [("N" | "S") as seat, "replies", "to", card]:
            setup.seat, setup.trick = SEATS[seat], _cards([card])
        case [("N" | "S") as seat, "deals"]:
            deal.dealer = SEATS[seat]
        case [("N" | "S") as seat, "deals", "afresh"]:
            deal.dealer, deal.setup = SEATS[seat], None
        case _:
            _read_fact(words, setup)


def _read_fact(words: list[str], setup: Setup) -> None:
    match words:
        case ["trump", suit]:
            setup.trump = suit
        case ["turn-up", card]:
            setup.turn_up = parse_card(card)
        case ["stock", count]:
            setup.stock = int(count)
        case ["scores", *numbers]:
            setup.scores = [int(number) for number in numbers]
        case ["brisques", *numbers]:
            setup.brisques = [int(number) for number in numbers]
        case ["spent", *cards]:
            setup.spent_dixes = _cards(cards)
        case _:
            raise ValueError(f"nothing to read in {' '.join(words)!r}")


def events_of(told: str) -> list[AnyEvent]:
    """The events that a text tells."""
    return [_event(part.split()) for part in re.split(r"[,\n]", told) if part.strip()]


def _event(words: list[str]) -> AnyEvent:
    words, points = _points(words)
    match words:
        case ["irregular", seat, what, *cards]:
            return Irregular(
                seat=SEATS[seat], what=what, cards=_cards(cards) or None, points=points
            )
        case [seat, "takes"]:
            return Trick(winner=SEATS[seat])
        case [seat, "draws", card]:
            return Draw(seat=SEATS[seat], card=parse_card(card))
        case [seat, "melds", meld, *cards]:
            return Meld(seat=SEATS[seat], meld=meld, cards=_cards(cards), points=points)
        case [seat, "shows", "carte_blanche"]:
            return CarteBlanche(seat=SEATS[seat], points=points)
        case [seat, "cuts", packet, "guessed"]:
            return Cut(seat=SEATS[seat], packet=int(packet), guess=points)
        case [seat, "cuts"]:
            return Cut(seat=SEATS[seat], packet=points or 0)
        case [seat, "shows", meld, *cards]:
            return Declare(seat=SEATS[seat], meld=meld, cards=_cards(cards))
        case [seat, "dix", action, *cards]:
            card = _cards(cards)[0] if cards else None
            return Dix(seat=SEATS[seat], action=action, card=card, points=points)
        case [seat, "scores", what]:
            return Score(seat=SEATS[seat], what=what, points=points)
        case [seat, "counts", count, "brisques"]:
            return Score(seat=SEATS[seat], what="brisques", count=int(count), points=points)
        case [seat, card, "from", where]:
            return Play(seat=SEATS[seat], card=parse_card(card), source=where)
        case [seat, card]:
            return Play(seat=SEATS[seat], card=parse_card(card))
    raise ValueError(f"nothing to read in {' '.join(words)!r}")


def _points(words: list[str]) -> tuple[list[str], int | None]:
    if re.fullmatch(r"-?\d+", words[-1]):
        return words[:-1], int(words[-1])
    return words, None


def _cards(words: list[str]) -> list[str]:
    return [parse_card(word) for word in words]


def everything(table: Table) -> str:
    """All that a table holds, written out."""
    left_out = ("rules", "events", "beaters")
    held = [getattr(table, name) for name in TABLE_MEMBERS if name not in left_out]
    return repr([held, _beaters_of(table)])


def _beaters_of(table: Table) -> object:
    """The trump suit that says which cards beat which: to write out half a million letters takes longer than all else."""
    for trump in (None, *SUITS):
        if table.beaters is table.rules.beaters(trump):
            return trump, sum(map(len, table.beaters.values()))
    return table.beaters
