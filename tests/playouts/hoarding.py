"""Hoarding games: one seat gets every copy of some cards, keeps them, takes each trick it can and melds after it.

Like cards are then melded again and again, in thousands of readings: the hardest legal records there are to judge. A
game follows from its sheet and seed alone.
"""

from collections.abc import Collection, Iterator
from random import Random
from typing import Any, NamedTuple

from records.engine.choices import legal_melds, legal_plays
from records.engine.deal import lay_out_deal
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table, TableStep
from records.events import AnyEvent, Draw, Meld, Play, Trick
from records.record import Deal, Player, Record, Rules
from records.rules.compiled import CompiledSheet, compile_sheet
from records.rules.registry import ALL_SHEETS, resolve_sheet

SEATS = ["Ann", "Bob"]
HOARDER = 0
HOARDED_SHEETS = [sheet.id for sheet in ALL_SHEETS if sheet.rules.tableau is None]
"""Every sheet with tricks."""


class _Hoard(NamedTuple):
    """The faces kept, how many copies are dealt at once, and how often the seat melds if it can."""

    faces: Collection[str]
    dealt: int
    eagerness: float


def play_hoarding_game(sheet_id: str, seed: int, *, labels: bool = False) -> Record:
    """One hoarding deal without claims; after the deal nothing is scored, so the record stays unfinished."""
    resolved = resolve_sheet(sheet_id, None, {})
    rules, random = compile_sheet(resolved.sheet), Random(f"hoarding {sheet_id} {seed}")
    hoard = _choose_hoard(rules, random)
    deal = _stacked_deal(rules, hoard, random, labels=labels)
    deal.events = list(_events(lay_out_deal(rules, deal, SEATS), hoard, random))
    deal.stock = None
    return Record(
        format="bezique-record",
        version="1.0",
        rules=Rules(id=sheet_id),
        players=[Player(name=name, kind="program") for name in SEATS],
        deals=[deal],
    )


def _choose_hoard(rules: CompiledSheet, random: Random) -> _Hoard:
    suit = random.choice("CDHS")
    faces = [face for face in rules.copies if face[0] in "AKQJ"]
    some = random.sample(faces, random.randint(2, 5))
    bezique, marriage = ["QS", "JD"], ["K" + suit, "Q" + suit]
    sequence = [rank + suit for rank in "ATKQJ"]
    hand = rules.written.hand[2]
    return _Hoard(
        random.choice([bezique, marriage, sequence, some, [*bezique, *marriage]]),
        random.randint(hand // 2, hand),
        random.choice([1, 1, 0.9, 0.6]),
    )


def _stacked_deal(rules: CompiledSheet, hoard: _Hoard, random: Random, *, labels: bool) -> Deal:
    """A deal in which the copies hoarded come first to the hand of their seat, then to its first draws."""
    pack = [
        f"{face}.{copy}" if labels and count > 1 else face
        for face, count in rules.copies.items()
        for copy in range(1, count + 1)
    ]
    random.shuffle(pack)
    size = rules.written.hand[2]
    wanted = [card for card in pack if card[:2] in hoard.faces][: size - random.randint(0, 2)]
    for card in wanted:
        pack.remove(card)
    hand = wanted[: hoard.dealt]
    hand += [pack.pop() for _ in range(size - len(hand))]
    other = [pack.pop() for _ in range(size)]
    turn_up = None if rules.makes_trumps else pack.pop()
    later = [card for mine in wanted[hoard.dealt :] for card in (mine, pack.pop())]
    return Deal(
        dealer=1 - HOARDER,
        knowledge="full",
        hands=[hand, other],
        turn_up=turn_up,
        stock=[*later, *pack],
    )


def _events(table: Table, hoard: _Hoard, random: Random) -> Iterator[AnyEvent]:
    stepper = unchecked_stepper(table)
    while table.step is not TableStep.OVER:
        for event in _next_events(table, hoard, random):
            stepper.advance(event)
            yield event


def _next_events(table: Table, hoard: _Hoard, random: Random) -> Iterator[AnyEvent]:
    if table.step is not TableStep.DRAW:
        yield Play(seat=table.seat, card=_choose_card(table, hoard, random))
    if table.trick.completed and table.melding.seat is not None:
        winner = table.melding.seat
        if not table.trick.winner_claimed:
            yield Trick(winner=winner)
        if random.random() < hoard.eagerness and (melds := legal_melds(table)):
            row, cards = random.choice(melds)
            yield Meld(seat=winner, meld=row.name, cards=cards, points=row.points)
    for seat in table.draws_due:
        yield Draw(seat=seat, card=table.stock.next_card() or "??")


def _choose_card(table: Table, hoard: _Hoard, random: Random) -> str:
    """A card that is not kept; the other seat lets the hoarder take the trick if it can."""
    cards = legal_plays(table)
    cards = [card for card in cards if card[:2] not in hoard.faces] or cards
    if table.step is TableStep.REPLY and table.trick.led is not None:
        beats: Any = table.beaters[table.trick.led]
        takes = table.seat == HOARDER
        cards = [card for card in cards if (card in beats) is takes] or cards
    return random.choice(cards)
