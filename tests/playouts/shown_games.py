"""Games in which much is shown: sevens of trumps at any time, carte blanche, melds; and shown cards are played.

Self-play shows a seven once after a trick, and is seldom dealt a hand without court cards. Here a seat is dealt the
sevens, or such a hand, more often; everything that the rules allow is done by chance, and every copy has its label.
"""

from collections.abc import Iterator
from random import Random

from records.cards import FACE_OF
from records.engine.choices import legal_melds, legal_plays
from records.engine.copies import SPENT_BIT
from records.engine.deal import lay_out_deal
from records.engine.dix import (
    dix_points,
    is_open,
    may_be_exchanged,
    scores_when_shown,
)
from records.engine.effects import may_show_carte_blanche
from records.engine.readings import after_leaving
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table, TableStep
from records.events import AnyEvent, CarteBlanche, Cut, Dix, Draw, Meld, Play, Trick
from records.record import Claims, Deal, Player, Record, Result, Rules
from records.replay import Match
from records.rules.compiled import CompiledSheet
from records.rules.registry import resolve_sheet
from records.selfplay import shuffle_deal
from records.validate.check_deals import side_scores
from tests.playouts.games import OPTIONED, STANDARD, Way

COURTS = "KQJ"
SHOWING = [way for way in [*STANDARD, *OPTIONED] if way.sheet.rules.tableau is None]
"""Every game with tricks, by its defaults and by every other value of every option."""
ZIQUES = [
    Way(way.sheet, way.players, None, {"dix": dix, "dix_exchange": True})
    for way in STANDARD
    for dix in (True, False)
    if way.sheet.id == "zique"
]
"""Zique with sevens that may be exchanged at any time, whether they score or not."""
WAYS = {str(way): way for way in [*SHOWING, *ZIQUES]}


def play_showing(way: Way, seed: int, *, deals: int = 1) -> Record:
    """A legal game of so many deals at most, labelled; its claims and its result are those of the rules."""
    random = Random(f"showing {way} {seed}")
    resolved = resolve_sheet(way.sheet.id, None, dict(way.options))
    record = Record(
        format="bezique-record",
        version="1.0",
        rules=Rules(id=way.sheet.id, options=dict(way.options)),
        players=[Player(name=name) for name in ("Ann", "Bob")],
        deals=[],
    )
    match, dealer = Match(record, resolved), random.randrange(2)
    while not match.complete and len(record.deals) < deals:
        deal = _stacked_deal(match.rules, dealer, random)
        table = lay_out_deal(match.rules, deal, match.names, writes_draws=True)
        deal.events = list(_events(table, random))
        deal.claims = Claims(scores=side_scores(table.deal_points, match.sides))
        deal.stock = None
        record.deals.append(deal)
        match.add(table)
        dealer = 1 - dealer
    status = "complete" if match.complete else "unfinished"
    record.result = Result(
        status=status, scores=match.scores, settlement=match.settlement, winner=match.winner
    )
    return record


def _stacked_deal(rules: CompiledSheet, dealer: int, random: Random) -> Deal:
    """A shuffled deal in which sevens of trumps, or cards that are no court cards, come early to a seat."""
    deal = shuffle_deal(rules, dealer, random, seats=2, labels=rules.written.pack.packs > 1)
    hands, stock = deal.hands or [], deal.stock or []
    seat = random.randrange(2)
    if deal.turn_up is not None:
        wanted = [card for card in stock[12:] if FACE_OF[card] == "7" + deal.turn_up[1]]
        _swap_in(wanted[: random.randint(0, 4)], hands[seat], stock, random)
    elif rules.written.carte_blanche is not None and random.random() < 0.7:
        courts = [card for card in hands[seat] if card[0] in COURTS]
        blank = [card for card in stock[12:] if card[0] not in COURTS][: len(courts)]
        for court, card in zip(courts, blank, strict=True):
            here, there = hands[seat].index(court), stock.index(card)
            hands[seat][here], stock[there] = card, court
    return deal


def _swap_in(wanted: list[str], hand: list[str], stock: list[str], random: Random) -> None:
    """Bring these cards of the stock into a hand, or among the cards that are drawn first."""
    for card in wanted:
        there = stock.index(card)
        if random.random() < 0.4:
            here = random.randrange(len(hand))
            hand[here], stock[there] = card, hand[here]
        else:
            here = random.randrange(12)
            stock[here], stock[there] = card, stock[here]


def _events(table: Table, random: Random) -> Iterator[AnyEvent]:
    stepper, eager = unchecked_stepper(table), random.choice([0.2, 0.6, 1])
    rule = table.rules.written.cut
    if rule is not None:
        cut = Cut(seat=table.dealer, packet=rule.packet, guess=rule.packet)
        stepper.advance(cut)
        yield cut
    while table.step is not TableStep.OVER:
        for choose in (_carte_blanche, _sevens, _melds, _sevens):
            while (event := choose(table, random)) is not None and random.random() < eager:
                stepper.advance(event)
                yield event
                if isinstance(event, Meld):
                    break
        event = _next_event(table, random)
        stepper.advance(event)
        yield event
        played = table.seven_played.get(event.seat) if isinstance(event, Play) else None
        if isinstance(event, Play) and played is not None and played[1]:
            claim = Dix(seat=event.seat, action="play", card=played[0], points=played[1])
            stepper.advance(claim)
            yield claim
        if (
            (
                table.trick.winner is not None
                and not table.trick.winner_claimed
                and random.random() < 0.5
            )
            and isinstance(event, Play)
            and table.trick.led is None
        ):
            trick = Trick(winner=table.trick.winner)
            stepper.advance(trick)
            yield trick
    while table.rules.melds_captured and (event := _melds(table, random)) is not None:
        stepper.advance(event)
        yield event


def _carte_blanche(table: Table, random: Random) -> AnyEvent | None:
    rule = table.rules.written.carte_blanche
    seats = [seat for seat in (0, 1) if may_show_carte_blanche(table, seat)]
    if rule is None or not seats:
        return None
    return CarteBlanche(seat=random.choice(seats), points=rule.points)


def _sevens(table: Table, random: Random) -> AnyEvent | None:
    """A seven that one of the seats may show or exchange now."""
    found = [
        Dix(seat=seat, action=action, card=card)
        for seat in (0, 1)
        for card in table.held[seat]
        if FACE_OF[card] == table.seven
        for action in ("exchange", "show")
        if _may_be_done(table, seat, card, action)
    ]
    if not found:
        return None
    event = random.choice(found)
    event.points = dix_points(table, event)
    if len(event.card or "") == 2:
        event.card = None
    return event


def _may_be_done(table: Table, seat: int, card: str, action: str) -> bool:
    rule = table.rules.written.dix
    if rule is None or not is_open(rule.window(action), trick_won=table.melding.seat == seat):
        return False
    is_fresh = bool(
        after_leaving(table.readings[seat], card, table.held[seat][card], lacks=SPENT_BIT)
    )
    if action == "show":
        return is_fresh and scores_when_shown(rule, table.phase)
    if rule.exchange_is_the_meld and table.melding.left <= 0:
        return False
    return may_be_exchanged(table) and (is_fresh or rule.spent_exchanges)


def _melds(table: Table, random: Random) -> AnyEvent | None:
    seat = table.melding.seat
    if seat is None or not (melds := legal_melds(table)):
        return None
    row, cards = random.choice(melds)
    return Meld(seat=seat, meld=row.name, cards=cards, points=row.points)


def _next_event(table: Table, random: Random) -> AnyEvent:
    if table.step is TableStep.DRAW:
        return Draw(seat=table.draws_due[0], card=table.stock.next_card() or "??")
    cards = legal_plays(table)
    laid = {card for _, _, card in table.melding.laid[table.seat]}
    liked = [card for card in cards if card in laid or FACE_OF[card] == table.seven]
    return Play(
        seat=table.seat, card=random.choice(liked if liked and random.random() < 0.4 else cards)
    )
