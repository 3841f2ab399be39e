"""Games of Zetema in which marriages take their cards from hand or tableau in any way there is.

Self-play takes them from the hand where it can. Here the players choose a way at random and write it down,
and like to leave kings and queens of the doubled suit on the tableau: only of those is the way left open.
"""

from collections.abc import Iterator
from random import Random

from msgspec.structs import replace

from records.engine.choices import legal_combinations, legal_plays
from records.engine.deal import lay_out_deal
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table, TableStep
from records.engine.zetema import combination_points, completing_cards, ways_of_marriages
from records.events import AnyEvent, Discard, Draw, Meld, Score
from records.record import Claims, Deal, Player, Record, Result, Rules
from records.replay import Match
from records.rules.registry import resolve_sheet
from tests.playouts.games import Way

PACK_SIZE = 65


def play_any_way(way: Way, seed: int, *, deals: int = 2) -> Record:
    """A legal game, each of its marriages with `from_tableau`; it ends with the match, or after so many deals."""
    random = Random(f"{way} {seed}")
    resolved = resolve_sheet(way.sheet.id, None, dict(way.options))
    record = Record(
        format="bezique-record",
        version="1.0",
        rules=Rules(id=way.sheet.id, options=dict(way.options)),
        players=[Player(name=name) for name in "ABCDEF"[: way.players]],
        sides=way.sides,
        deals=[],
    )
    match, dealer = Match(record, resolved), random.randrange(way.players)
    while not match.complete and len(record.deals) < deals:
        pack = [card for card, count in match.rules.copies.items() for _ in range(count)]
        random.shuffle(pack)
        size = way.sheet.rules.hand[way.players]
        hands = [pack[seat * size : (seat + 1) * size] for seat in range(way.players)]
        rest = pack[size * way.players :]
        deal = Deal(dealer=dealer, knowledge="full", hands=hands, stock=rest)
        table = lay_out_deal(match.rules, deal, match.names)
        match.limit(table)
        deal.events = list(_events(table, random))
        sums = [sum(table.points[seat] for seat in side) for side in match.sides]
        deal.claims, deal.stock = Claims(scores=sums), None
        record.deals.append(deal)
        match.add(table)
        dealer = (dealer + 1) % way.players
    status = "complete" if match.complete else "unfinished"
    record.result = Result(status=status, scores=match.scores, winner=match.winner)
    return record


def ways_unsaid(record: Record) -> Record:
    """The record without saying where the cards of marriages came from."""
    return replace(record, deals=[replace(d, events=_unsaid(d.events)) for d in record.deals])


def _unsaid(events: list[AnyEvent]) -> list[AnyEvent]:
    return [replace(e, from_tableau=None) if isinstance(e, Meld) else e for e in events]


def draws_told_by_the_stock(record: Record) -> Record | None:
    """The record with the draws as a stock and none as events, if every deal was drawn to its end."""
    deals = []
    for deal in record.deals:
        stock = [event.card for event in deal.events if isinstance(event, Draw)]
        if len(stock) + sum(map(len, deal.hands or [])) < PACK_SIZE:
            return None
        events = [event for event in deal.events if not isinstance(event, Draw)]
        deals.append(replace(deal, stock=stock, events=events))
    return replace(record, deals=deals)


def _events(table: Table, random: Random) -> Iterator[AnyEvent]:
    stepper = unchecked_stepper(table)
    eager = random.choice([0.3, 0.7, 0.95])
    while table.step is not TableStep.OVER:
        for event in _turn(table, random, eager):
            stepper.advance(event)
            yield event
            points = table.earned.get((event.seat, "zetema"))
            if points is not None:
                claim = Score(seat=event.seat, what="zetema", points=points)
                stepper.advance(claim)
                yield claim


def _turn(table: Table, random: Random, eager: float) -> Iterator[AnyEvent]:
    """The next event at the table, or the draws that are due."""
    if table.step is TableStep.DRAW:
        for seat in table.draws_due:
            yield Draw(seat=seat, card=table.stock.next_card() or "??")
        return
    found = legal_combinations(table)
    found = [meld for meld in found if "KS" in meld[1]] or found
    if found and random.random() < eager:
        row, cards = random.choice(found)
        points = combination_points(table, row, cards)
        event = Meld(seat=table.seat, meld=row.name, cards=list(cards), points=points)
        if row.name == "marriages":
            taken = random.choice(list(ways_of_marriages(table, event))).from_tableau
            event.from_tableau = [card for card, count in taken.items() for _ in range(count)]
        yield event
        return
    yield Discard(seat=table.seat, card=_choose_discard(table, random))


def _choose_discard(table: Table, random: Random) -> str:
    """A king or queen of spades, a card that completes a pile, a low one, or any, in that order of liking."""
    cards = legal_plays(table)
    completing = completing_cards(table, table.seat)
    for liked in (
        [card for card in cards if card in ("KS", "QS")],
        [card for card in cards if card in completing],
        [card for card in cards if card[0] not in "KQ"],
    ):
        if liked and random.random() < 0.6:
            return random.choice(liked)
    return random.choice(cards)
