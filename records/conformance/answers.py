"""Our own answers to what the kit asks, and more cases than it has: perft, generated games, damaged ones."""

import base64
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from records.cards import sorted_faces
from records.conformance.cases import Case
from records.engine.choices import legal_choices, legal_dixes, legal_melds, legal_plays
from records.engine.deal import lay_out_deal
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table, TableStep
from records.errors import BeziqueError
from records.events import AnyEvent, Discard, Dix, Draw, Meld, Play
from records.format import codec
from records.format.codec import encode
from records.record import Deal, Record, Rules
from records.replay import Match, replay
from records.rules.registry import resolve_rules
from records.rules.settlement import settle_deal
from records.rules.vocabulary import OneDeal, RuleSheet
from records.selfplay import PlayingStyle, play_game
from records.validate.finding import WRONG_VERDICTS
from records.validate.report import Report
from records.validator import check

# Counts of the legal ways to go on from a position, after the manner of chess's perft, and the points they come to.
#
# A choice is a card played or discarded, a meld scored, or a dix exchanged or shown. Cards are told apart by their faces
# alone. What nobody chooses is no choice: draws (made, in the order of the stock, before the next card), tricks taken,
# points. Showing a meld unscored and carte blanche are left out.


DIX_ACTIONS: tuple[Literal["exchange", "show"], ...] = ("exchange", "show")


class PerftCounts(NamedTuple):
    """By the number of choices made: how many ways there are, and the sum of each seat's points at their ends."""

    nodes: list[int]
    points: list[list[int]]


class Perft:
    """Counts from the end of a record's last deal on."""

    def __init__(self, record: Record) -> None:
        self.match = Match(record, resolve_rules(record.rules))
        self.deal = record.deals[-1]

    def nodes(self, depth: int) -> list[int]:
        """How many ways to go on there are: of one choice, of two, up to `depth`."""
        return [len(paths) for paths in self._paths(depth)]

    def count(self, depth: int) -> PerftCounts:
        """The ways to go on of one choice, of two, up to `depth`, and the points of the deal at their ends."""
        counts = PerftCounts([], [])
        for paths in self._paths(depth):
            ends = [self.table(path).points for path in paths]
            counts.nodes.append(len(paths))
            counts.points.append([sum(seat) for seat in zip(*ends, strict=True)])
        return counts

    def _paths(self, depth: int) -> Iterator[list[list[AnyEvent]]]:
        paths = [list(self.deal.events)]
        for _ in range(depth):
            paths = [path for before in paths for path in self.choices(before)]
            yield paths

    def choices(self, path: list[AnyEvent]) -> Iterator[list[AnyEvent]]:
        """The path, longer by one choice and by the draws that come before it."""
        table = self.table(path)
        if table.melding.seat is not None:
            yield from ([*path, event] for event in [*_melds(table), *self._dixes(path, table)])
        if table.step is TableStep.DRAW:
            path = [*path, *draws_made(table)]
            table = self.table(path)
            if table.rules.has_tableau:
                yield from ([*path, event] for event in _melds(table))
        play = Discard if table.rules.has_tableau else Play
        cards = legal_plays(table) if table.step is not TableStep.OVER else []
        yield from ([*path, play(seat=table.seat, card=card)] for card in cards)

    def _dixes(self, path: list[AnyEvent], table: Table) -> Iterator[Dix]:
        """The sevens that may be shown or exchanged, whichever of two like ones was played before.

        Of one that has scored and one that has not, the table says that the other was played, which scores. A seven shown
        or exchanged later tells that it was not, so a table is asked about each that knows of it.
        """
        seat, legal = table.melding.seat, legal_dixes(table)
        assert seat is not None
        doubtful = any(card[:2] == table.seven for card in table.marked[seat])
        for action in DIX_ACTIONS:
            event = Dix(seat=seat, action=action)
            known = legal_dixes(self.table(path, event)) if doubtful else legal
            if action in (*legal, *known):
                yield event

    def table(self, path: list[AnyEvent], *told: AnyEvent) -> Table:
        """The table after these events; those `told` come later."""
        deal: Deal = msgspec.structs.replace(self.deal, events=[*path, *told])
        table = lay_out_deal(self.match.rules, deal, self.match.names)
        self.match.limit(table)
        stepper = unchecked_stepper(table)
        for event in path:
            stepper.advance(event)
        return table


def _melds(table: Table) -> Iterator[AnyEvent]:
    seat = table.seat if table.melding.seat is None else table.melding.seat
    for melder in table.melders() or (seat,):
        for row, cards in legal_melds(table, melder if table.partners else None):
            yield Meld(seat=melder, meld=row.name, cards=cards)


def draws_made(table: Table) -> Iterator[AnyEvent]:
    """The draws that are due, in the order of the stock."""
    order, down = table.stock.order or [], table.stock.left
    for number, seat in enumerate(table.draws_due):
        left = down - number
        yield Draw(seat=seat, card=order[-left] if left > 0 else str(table.stock.turn_up))


# Our own answers to what the kit asks: they are what the cases expect, and tests confirm them by other programs.

KitAnswer = dict[str, Any]
Answerer = Callable[[Mapping[str, Any]], KitAnswer]

FAULTS = ("unreadable", "illegal", "mismatch")
"""Severities of findings that make a record wrong."""


class UnansweredError(BeziqueError):
    """Something was asked that makes no sense, such as the settlement of a game that is not settled."""


def validate_given(given: Mapping[str, Any]) -> KitAnswer:
    """The verdict on a record, the first of its faults, and which numbers are open.

    `at` is the place of that fault, deal and event counted from 0; the event is null for a fault of the deal itself,
    and both are for one of the match. `since` is the earliest event from which the fault follows, if it is another.
    """
    return describe_report(check(given_bytes(given)))


def describe_report(report: Report) -> KitAnswer:
    """What the kit compares of a report."""
    answer: KitAnswer = {"right": report.verdict not in WRONG_VERDICTS, "verdict": report.verdict}
    fault = next((finding for finding in report.findings if finding.severity in FAULTS), None)
    if fault is not None:
        answer |= {"code": fault.code, "at": [fault.at.deal, fault.at.event]}
        if fault.since is not None:
            answer["since"] = list(fault.since)
    is_open = [claim.pointer for claim in report.reconciliation if claim.status == "open"]
    if is_open:
        answer["open"] = sorted(set(is_open))
    return answer


def given_bytes(given: Mapping[str, Any]) -> bytes:
    """The text of a record as it is given: a JSON object, or bytes in base64 that may be anything."""
    if "base64" in given:
        return base64.b64decode(given["base64"])
    return msgspec.json.encode(given["record"])


def replay_given(given: Mapping[str, Any]) -> KitAnswer:
    """What every deal of a legal record comes to, event by event, and what could be chosen before each of them."""
    record = _decoded(given)
    steps: list[KitAnswer] = []
    before: KitAnswer = {}
    for frame in replay(record):
        if frame.event is not None:
            steps.append(
                {"at": [frame.deal, frame.index], "scores": list(frame.table.points), **before}
            )
        before = _choices(frame.table)
    return {"steps": steps}


def _choices(table: Table) -> KitAnswer:
    """What may be done at a table; cards and melds by their faces, in an order of their own."""
    if table.step is TableStep.OVER and not table.rules.melds_captured:
        return {}
    found = legal_choices(table)
    melds = sorted({(meld.name, meld.points, *sorted_faces(meld.cards)) for meld in found.melds})
    answer: KitAnswer = {}
    if found.plays:
        answer |= {"seat": table.seat, "plays": sorted({card[:2] for card in found.plays})}
    if melds:
        answer["melds"] = [list(meld) for meld in melds]
    if found.dix:
        answer["dix"] = sorted(found.dix)
    return answer


def canonical_given(given: Mapping[str, Any]) -> KitAnswer:
    """The canonical text of a record, and its digest."""
    decoded = codec.decode(given_bytes(given))
    if decoded.record is None:
        raise UnansweredError("This text is no record.")
    return {"canonical": codec.encode(decoded.record).decode(), "digest": decoded.digest()}


def settle_given(given: Mapping[str, Any]) -> KitAnswer:
    """What a deal of these points and points of brisques comes to, where one deal is the match."""
    sheet = resolve_rules(Rules(id=given["sheet"], options=given.get("options", {}))).sheet
    if not isinstance(sheet.rules.match, OneDeal):
        raise UnansweredError(f"{sheet.name} has no settlement.")
    settled = settle_deal(sheet.rules.match, list(given["points"]), list(given["brisques"]))
    return {"totals": settled.totals, "receives": settled.receives, "winner": settled.winner}


def perft_given(given: Mapping[str, Any]) -> KitAnswer:
    """How many ways to go on there are, and the sums of the points at their ends."""
    counts = Perft(_decoded(given)).count(given["depth"])
    return {"nodes": counts.nodes, "points": counts.points}


OWN_ANSWERS: dict[str, Answerer] = {
    "validate": validate_given,
    "replay": replay_given,
    "canonical": canonical_given,
    "settle": settle_given,
    "perft": perft_given,
}
"""What `records` answers by itself; who can value endings adds that."""


def _decoded(given: Mapping[str, Any]) -> Record:
    decoded = codec.decode(given_bytes(given))
    if decoded.record is None:
        raise UnansweredError("This text is no record.")
    return decoded.record


# More cases than the kit has: games of simple players, followed event by event, and damaged ones.
#
# What is expected of them is what this program says; the cases of the kit itself are also confirmed by others.

DAMAGES_OF_GAME = 12


def generated_cases(sheet: RuleSheet, games: int) -> Iterator[Case]:
    """So many games of a sheet, and as many times twelve that are damaged."""
    for seed in range(games):
        style: PlayingStyle = "random" if seed % 2 else "greedy"
        sides = partners_by_turns(sheet, seed)
        record = play_game(
            sheet.id, seed=1000 + seed, deals=1, style=style, sides=sides, carry=True
        )
        record = replace(record, meta=None, provenance=None)
        yield case_of(sheet, f"generated-{seed}", "replay", record, f"A deal of {style} players.")
        yield case_of(sheet, f"generated-{seed}", "games", record, f"A deal of {style} players.")
        for number in range(DAMAGES_OF_GAME):
            random = Random(f"{sheet.id} {seed} {number}")
            damaged = replace(record, deals=[_damaged(record.deals[0], random)], result=None)
            yield case_of(
                sheet, f"generated-{seed}-{number}", "mutants", damaged, "A deal with one change."
            )


def partners_by_turns(sheet: RuleSheet, seed: int) -> list[list[int]] | None:
    """The sides of a game: of every other one, where so few may form any, the next of those that they may form."""
    players = sheet.rules.players[0]
    sizes = sheet.rules.partner_sizes.get(players, ())
    if not sizes or seed % 2 == 0:
        return None
    apart = players // sizes[seed // 2 % len(sizes)]
    return [[*range(side, players, apart)] for side in range(apart)]


QUESTION_AREAS = ("replay", "canonical", "perft")
"""The areas about records in which something else is asked than whether they are legal."""
PERFT_DEPTH = 2


def case_of(sheet: RuleSheet, name: str, area: str, record: Record, about: str) -> Case:
    """A case about a record, with our own answer."""
    given = {"record": msgspec.json.decode(encode(record))}
    ask = area if area in QUESTION_AREAS else "validate"
    if ask == "perft":
        given["depth"] = PERFT_DEPTH
    level = record.deals[0].knowledge if record.deals else "full"
    return msgspec.convert(
        {
            "id": f"{sheet.id}/{area}/{name}", "area": area, "ask": ask, "sheet": sheet.id,
            "level": level or "full", "about": about, "given": given, "expect": OWN_ANSWERS[ask](given),
        },
        Case,
    )  # fmt: skip


def _damaged(deal: Deal, random: Random) -> Deal:
    """The deal with an event left out, repeated, moved, or with another seat, card or number."""
    events = list(deal.events)
    at = random.randrange(len(events) - 1)
    match random.randrange(5):
        case 0:
            del events[at]
        case 1:
            events.insert(at, events[at])
        case 2:
            events[at : at + 2] = events[at + 1], events[at]
        case _:
            events[at] = _changed(events[at], deal, random)
    return replace(deal, events=events)


def _changed(event: AnyEvent, deal: Deal, random: Random) -> AnyEvent:
    cards = [card for hand in deal.hands or [] for card in hand]
    match event:
        case Play() | Draw() | Discard():
            return replace(event, card=random.choice(cards))
        case Meld():
            return replace(event, points=(event.points or 0) + 10)
        case _:
            return event
