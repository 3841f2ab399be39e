"""What must hold of a game played by the rules; the tests and the soak ask the same."""

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from records.cards import FACE_OF
from records.engine.table import Table
from records.record import Record
from records.replay import Frame, TableSnapshot, snapshot_of
from records.replay import replay as frames_of
from records.rules.registry import resolve_rules
from records.rules.vocabulary import BrisqueCount, RuleSheet
from records.validate.report import Report
from records.validator import check_record
from tests.playouts.referee import Judgement, judge
from tests.playouts.world import World

BAD = ("illegal", "mismatch", "unreadable")


def sheet_of(record: Record) -> RuleSheet:
    return resolve_rules(record.rules).sheet


def assert_clean(record: Record) -> Report:
    """A finished game has no finding, and every number in it is true."""
    report = check_record(record)
    assert_clean_report(record, report)
    return report


def assert_clean_report(record: Record, report: Report) -> None:
    """The same of a report that was made already."""
    finished = bool(record.result and record.result.status == "complete")
    assert report.verdict == ("legal" if finished else "incomplete"), report.findings
    assert [f.code for f in report.findings] == ([] if finished else ["unfinished"])
    assert {claim.status for claim in report.reconciliation} <= {"equal"}, report.reconciliation


def assert_as_refereed(record: Record) -> Judgement:
    """The slow referee, who knows nothing of the replay, comes to the same tricks and points."""
    judgement = judge(record)
    assert judgement.right, (judgement.deal, judgement.event, judgement.why)
    for frame in frames_of(record):
        if frame.event is None and frame.index >= 0:
            seats = snapshot_of(frame.table).seats
            for world in judgement.last(frame.deal):
                assert world.points == [seat.points for seat in seats]
                if isinstance(world, World):
                    assert [world.winners.count(seat) for seat in (0, 1)] == [
                        s.tricks for s in seats
                    ]
                    assert [len(pile) for pile in world.taken] == [seat.won for seat in seats]
                    brisques = [sum(card[0] in "AT" for card in pile) for pile in world.taken]
                    assert brisques == [seat.brisques for seat in seats]
    return judgement


def assert_conserved(record: Record) -> None:
    """At every frame the cards make up the pack, and the points are the sum of the awards."""
    sheet = sheet_of(record)
    awarded: Counter[int] = Counter()
    for frame in frames_of(record):
        if frame.index == -1:
            awarded.clear()
            pack = every_card(frame.table)
            assert pack.total() == len(sheet.rules.pack.ranks) * (
                4 * sheet.rules.pack.packs + len(sheet.rules.pack.doubled_suits)
            )
        for award in frame.awards:
            awarded[award.seat] += award.points
        position = snapshot_of(frame.table)
        assert frame.findings == ()
        assert position.scores == [awarded[seat] for seat in range(len(position.scores))]
        assert every_card(frame.table) == pack, (frame.deal, frame.index)
        assert shown(position) == pack.total(), (frame.deal, frame.index)
        if frame.event is None and frame.index >= 0 and position.step == "over":
            assert_brisques(frame, sheet)


def assert_brisques(frame: Frame, sheet: RuleSheet) -> None:
    """A deal played out has every ace and ten of the pack in its tricks."""
    if not sheet.rules.brisques.ranks:
        return
    total = sum(seat.brisques for seat in snapshot_of(frame.table).seats)
    assert total == 8 * sheet.rules.pack.packs
    if sheet.rules.brisques.count is BrisqueCount.AT_THE_END:
        earned = [p for (_, what), p in frame.table.earned.items() if what == "brisques"]
        assert sum(earned) == {1: 80, 2: 160}[sheet.rules.pack.packs]


def every_card(table: Table) -> Counter[str]:
    """Where all the cards are: held, won, in the trick, on the piles, out, turned up, unseen."""
    cards = Counter(table.unseen)
    for held in table.held:
        cards.update(held)
    piles = [*table.won, *table.tableau.piles.values(), table.tableau.removed]
    for pile in piles:
        cards.update(pile)
    cards.update(card for card in (table.stock.turn_up, table.trick.led) if card)
    return +cards


def shown(position: TableSnapshot) -> int:
    """How many cards a position shows to a reader."""
    held = sum(
        len(seat.hand)
        + len(seat.unsure)
        + len(seat.between)
        + seat.hidden
        + seat.won
        # In Polish the laid cards are among those won.
        + (0 if seat.captured else sum(laid.sure for laid in seat.laid))
        for seat in position.seats
    )
    piles = sum(map(len, position.tableau.values())) + len(position.out)
    return held + piles + position.stock + len(position.trick) + (position.turn_up is not None)


def prefix(record: Record, events: int) -> Record:
    """A record that stops after so many events of its last deal, with nothing claimed of the rest."""
    deal = replace(record.deals[-1], events=record.deals[-1].events[:events], claims=None)
    return replace(record, deals=[*record.deals[:-1], deal], result=None)


def prefixes(record: Record) -> Iterator[Record]:
    """Everything that the record was while it was written: after each deal dealt and each event."""
    for number, deal in enumerate(record.deals):
        whole = replace(record, deals=record.deals[: number + 1])
        for events in range(len(deal.events) + 1):
            yield prefix(whole, events)


def assert_prefix_clean(record: Record) -> None:
    """Nothing worse than a note, and legal only if the game is won."""
    report = check_record(record)
    assert {f.severity for f in report.findings} <= {"note"}, report.findings
    assert report.verdict in ("incomplete", "legal")
    if report.verdict == "incomplete":
        assert [f.code for f in report.findings] == ["unfinished"]


def stripped(record: Record) -> Record:
    """The record with every label taken off: QS.1 as QS."""

    def bare(card: str | None) -> str | None:
        return None if card is None else FACE_OF[card]

    deals = [
        replace(
            deal,
            hands=[[FACE_OF[card] for card in hand] for hand in deal.hands or []],
            turn_up=bare(deal.turn_up),
            events=[_bare_event(event) for event in deal.events],
        )
        for deal in record.deals
    ]
    return replace(record, deals=deals)


def _bare_event(event: object) -> object:
    members = {}
    if getattr(event, "card", None) is not None:
        members["card"] = FACE_OF[event.card]  # type: ignore[attr-defined]
    for name in ("cards", "from_tableau"):
        if getattr(event, name, None) is not None:
            members[name] = [FACE_OF[card] for card in getattr(event, name)]
    return replace(event, **members) if members else event  # type: ignore[type-var]
