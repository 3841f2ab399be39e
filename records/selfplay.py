"""Self-play: complete games by simple players, for demo data, tests and benchmarks.

A player sees the table as the replay sees it and chooses among what `records.engine.choices` lists; every
event is written, and the numbers in the record are those that the rules give.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Literal, Protocol

from records.cards import FACE_OF, sorted_faces
from records.engine.choices import legal_dixes, legal_melds, legal_plays, showable_melds
from records.engine.copies import LAID_BIT, order_of_service
from records.engine.deal import lay_out_deal
from records.engine.dix import dix_points, seven_of
from records.engine.effects import may_show_carte_blanche
from records.engine.readings import laid_bounds
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table, TableStep
from records.engine.zetema import combination_points, completing_cards
from records.events import (
    AnyEvent,
    CarteBlanche,
    Cut,
    Declare,
    Discard,
    Dix,
    Draw,
    Meld,
    Play,
    Score,
    Trick,
)
from records.record import Claims, Deal, Player, Provenance, Record, Rules
from records.replay import Match
from records.rules.compiled import CompiledSheet
from records.rules.registry import SHEETS_BY_ID, ResolvedSheet, resolve_sheet
from records.rules.vocabulary import MeldRule, RuleOptionValue, TurnUp
from records.validate.check_deals import side_scores

FormedMeld = tuple[MeldRule, list[str]]
"""A meld and the cards that form it."""
PlayingStyle = Literal["greedy", "casual", "random"]
"""Greedy players take what scores and keep what may; random ones choose by chance; casual ones mix both."""
CASUAL_GREED = 0.7
"""How often a casual player chooses as a greedy one would."""
MAX_SELFPLAY_DEALS = 200
RANK_KEEP_VALUES = {"A": 5, "T": 3, "K": 4, "Q": 4, "J": 2}
"""How much a card is worth keeping, by its rank."""
TRUMP_KEEP_BONUS, BEZIQUE_KEEP_BONUS = 3, 2
"""How much more a trump is worth keeping, and a card of bezique."""
BEZIQUE_FACES = ("QS", "JD")
SHOWN_SHARE = 0.5
"""How many of the melds that may wait to be scored are shown, by players who show them."""
SELFPLAY_NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Fay")


class SeatPlayer(Protocol):
    """Plays one seat of a deal: it sees every event, and chooses among what is legal."""

    def see(self, event: AnyEvent | None, table: Table) -> None:
        """Take note of an event, or of None before the first; `table` is the table after it."""

    def choose_card(self, table: Table, cards: Sequence[str]) -> str:
        """The card to play or discard, of these."""

    def choose_dix(self, table: Table, actions: Sequence[str]) -> str | None:
        """What to do with a seven of trumps, of these actions; None to do nothing now."""

    def choose_meld(self, table: Table, melds: Sequence[FormedMeld]) -> FormedMeld | None:
        """The meld to score, of these; None to score none."""


SeatPlayerMaker = Callable[[int, Deal, int], SeatPlayer]
"""Makes the player of a seat for a deal; the number is a seed, another one for each deal of a game."""


def play_game(
    sheet_id: str,
    *,
    seed: int,
    options: Mapping[str, RuleOptionValue] | None = None,
    style: PlayingStyle = "greedy",
    styles: Sequence[PlayingStyle] = (),
    seat_players: Mapping[int, SeatPlayerMaker] | None = None,
    program: str = "",
    names: list[str] | None = None,
    where: bool = False,
    labels: bool = False,
    deals: int = MAX_SELFPLAY_DEALS,
    players: int | None = None,
    sides: list[list[int]] | None = None,
    shows: bool = False,
    carry: bool = False,
) -> Record:
    """Play one complete game of a sheet.

    All players have the same `style`, unless `styles` gives one for each seat; `seat_players` choose by themselves, and
    `program` is then what the record names as its program. `where` writes from where each card was played, `labels` tells
    the copies of a card apart, `shows` lets melds wait to be scored where the sheet has pending melds, `carry` puts a sheet
    of one's own into the record. The same arguments give the same record. Raises RulesError for an unknown sheet or option.
    """
    resolved = resolve_sheet(sheet_id, None, dict(options or {}))
    player_names = names or list(SELFPLAY_NAMES[: players or resolved.sheet.rules.players[0]])
    styles = styles or [style] * len(player_names)
    program = program or f"bezique play ({', '.join(sorted(set(styles)))})"
    record = _header(resolved, seed, program, player_names, dict(options or {}), sides)
    if carry and resolved.sheet.id not in SHEETS_BY_ID:
        _carry_sheet(record)
    match = Match(record, resolved)
    # One generator for the whole game: any change in the order of its calls changes every game of a seed.
    random = Random(f"{sheet_id} {seed}")
    dealer, own = random.randrange(len(record.players)), seat_players or {}
    while not match.complete and len(record.deals) < deals:
        deal, table = _play_deal(
            match, dealer, random, styles, own, where=where, labels=labels, shows=shows
        )
        record.deals.append(deal)
        match.add(table, deal)
        dealer = (dealer + 1) % len(record.players)
    record.result = match.result
    return record


def play_greedily(table: Table, random: Random) -> Iterator[AnyEvent]:
    """Let greedy players play a deal on from a table whose cards are all known; each event is made when it is asked for."""
    player = _Player(table, random, ["greedy"] * table.seats, {}, where=False, shows=False)
    while table.step is not TableStep.OVER:
        yield from player.act()


def _carry_sheet(record: Record) -> None:
    from records.rules.inner_sheet import carry_sheet  # it takes long to load

    carry_sheet(record.rules)


def _header(
    resolved: ResolvedSheet,
    seed: int,
    program: str,
    names: list[str],
    options: dict[str, RuleOptionValue],
    sides: list[list[int]] | None,
) -> Record:
    sheet = resolved.sheet
    return Record(
        format="bezique-record",
        version="1.0",
        rules=Rules(id=sheet.id, edition=sheet.edition, options=options),
        players=[Player(name=name, kind="program") for name in names],
        meta={"event": f"self-play {seed}"},
        sides=sides,
        deals=[],
        provenance=Provenance(made="self-play", program=program),
    )


def _play_deal(
    match: Match,
    dealer: int,
    random: Random,
    styles: Sequence[PlayingStyle],
    seat_players: Mapping[int, SeatPlayerMaker],
    *,
    where: bool,
    labels: bool,
    shows: bool,
) -> tuple[Deal, Table]:
    rules = match.rules
    deal = shuffle_deal(rules, dealer, random, seats=len(match.names), labels=labels)
    table = lay_out_deal(rules, deal, match.names)
    match.limit(table)
    own = {seat: make(seat, deal, random.getrandbits(32)) for seat, make in seat_players.items()}
    player = _Player(table, random, styles, own, where=where, shows=shows)
    deal.events = list(player.events())
    deal.claims = Claims(scores=side_scores(table.deal_points, match.sides))
    deal.stock = None
    return deal, table


def shuffle_deal(
    rules: CompiledSheet, dealer: int, random: Random, *, seats: int, labels: bool
) -> Deal:
    """A deal of a shuffled pack before its first event: hands, turn-up, and the stock in its order."""
    pack = [
        f"{face}.{copy}" if labels and count > 1 else face
        for face, count in rules.copies.items()
        for copy in range(1, count + 1)
    ]
    random.shuffle(pack)
    size = rules.written.hand[seats]
    hands = [pack[seat * size : (seat + 1) * size] for seat in range(seats)]
    rest = pack[seats * size :]
    turn_up = rest.pop(0) if isinstance(rules.written.trumps, TurnUp) else None
    return Deal(dealer=dealer, knowledge="full", hands=hands, turn_up=turn_up, stock=rest)


def choose_greedy_card(table: Table, cards: list[str]) -> str:
    """The card a greedy player plays of those allowed: wins brisques cheaply, else throws what is worth least."""
    if len(cards) == 1:
        return cards[0]
    led = table.trick.led
    if led is not None and led in table.rules.brisques:
        cards = [card for card in cards if card in table.beaters[led]] or cards
    strength, trump = table.rules.strength, table.trump
    return min(cards, key=lambda card: rank_for_throwing(strength, trump, card))


def rank_for_throwing(
    strength: Mapping[str, int], trump: str | None, card: str
) -> tuple[int, int, str]:
    """Where a card stands among those of a hand: greedy players throw the lowest."""
    value = RANK_KEEP_VALUES.get(card[0], 0) + (TRUMP_KEEP_BONUS if card[1] == trump else 0)
    value += BEZIQUE_KEEP_BONUS if card[:2] in BEZIQUE_FACES else 0
    return value, strength[card], card


def choose_copy(table: Table, card: str, *, from_hand: bool = False) -> str:
    """The copy of a card that the seat to act plays: labelled, the one that can do least in melds to come.

    So a player with labels melds what another can who need not say which copy it was. `from_hand`: rather one that does
    not lie on the table, so that melds stay whole.
    """
    readings = table.readings[table.seat]
    if len(card) == 2 or len(readings) != 1:
        return card
    marks = dict(readings[0])

    def order(copy: str) -> tuple[object, ...]:
        mark = marks.get(copy, 0)
        return from_hand and mark & LAID_BIT, order_of_service(mark), copy

    return min(
        [copy for copy in table.held[table.seat] if FACE_OF[copy] == FACE_OF[card]], key=order
    )


def first_of_each_face(cards: list[str]) -> list[str]:
    """The first of these cards of every face: players choose among faces, with labels and without."""
    if "." not in "".join(cards):
        return cards
    return list({FACE_OF[card]: card for card in reversed(cards)}.values())[::-1]


def first_of_like_sets(melds: list[FormedMeld]) -> list[FormedMeld]:
    """Every meld of these once, with the first set of its faces."""
    first = {(row, sorted_faces(cards)): (row, cards) for row, cards in reversed(melds)}
    return list(first.values())[::-1]


class _Player:
    """Plays all seats of one deal, and claims what the rules give."""

    def __init__(
        self,
        table: Table,
        random: Random,
        styles: Sequence[PlayingStyle],
        seat_players: Mapping[int, SeatPlayer],
        *,
        where: bool,
        shows: bool,
    ) -> None:
        self.table = table
        self.stepper = unchecked_stepper(table)
        self.random = random
        self.styles = styles
        self.seat_players = seat_players
        self.where = where
        self.shows = shows

    def _is_greedy(self, seat: int) -> bool:
        """Whether a seat makes its next choice greedily; who chooses by itself does so where it is not asked."""
        if seat in self.seat_players:
            return True
        style = self.styles[seat]
        if style == "casual":
            return self.random.random() < CASUAL_GREED
        return style == "greedy"

    def events(self) -> Iterator[AnyEvent]:
        """Every event of the deal, each applied to the table before it is given out."""
        for player in self.seat_players.values():
            player.see(None, self.table)
        yield from self._cut()
        yield from self._claims("cut", "guess", "turned_seven")
        while self.table.step is not TableStep.OVER:
            yield from self.act()
        yield from self._claims("last_trick", "all_last_tricks", "brisques")

    def _apply(self, event: AnyEvent) -> AnyEvent:
        self.stepper.advance(event)
        for player in self.seat_players.values():
            player.see(event, self.table)
        return event

    def act(self) -> Iterator[AnyEvent]:
        """What is done next at the table, and what follows at once."""
        table = self.table
        yield from self._show_carte_blanche()
        if table.step in (TableStep.LEAD, TableStep.REPLY):
            yield from self._play_card()
        elif table.step is TableStep.DRAW:
            yield from self._draw()
        elif table.rules.has_tableau:
            yield from self._combine()
        if (
            table.melding.seat is not None
            and table.trick.completed
            and not table.trick.winner_claimed
        ):
            yield from self._after_trick()

    def _cut(self) -> Iterator[AnyEvent]:
        rule = self.table.rules.written.cut
        if rule is not None:
            packet = rule.packet + self.random.randint(-2, 2)
            guess = rule.packet + self.random.randint(-2, 2)
            yield self._apply(Cut(seat=self.table.dealer, packet=packet, guess=guess))

    def _show_carte_blanche(self) -> Iterator[AnyEvent]:
        rule = self.table.rules.written.carte_blanche
        for seat in range(self.table.seats):
            if (
                rule is not None
                and may_show_carte_blanche(self.table, seat)
                and (self._is_greedy(seat) or self.random.random() < 0.7)
            ):
                yield self._apply(CarteBlanche(seat=seat, points=rule.points))

    def _play_card(self) -> Iterator[AnyEvent]:
        table, seat = self.table, self.table.seat
        cards = first_of_each_face(legal_plays(table))
        if player := self.seat_players.get(seat):
            card = player.choose_card(table, cards)
        else:
            greedy = self._is_greedy(seat)
            card = choose_greedy_card(table, cards) if greedy else self.random.choice(cards)
        card = choose_copy(table, card, from_hand=self.where)
        before = len(table.awards)
        source = self._source_of(seat, card)
        yield self._apply(Play(seat=seat, card=card, source=source))
        for award in table.awards[before:]:
            if award.source == "dix":
                seven = card if len(card) > 2 else None
                yield self._apply(
                    Dix(seat=award.seat, action="play", card=seven, points=award.points)
                )

    def _combine(self) -> Iterator[AnyEvent]:
        """Zetema: a combination if there is one, then a discard, completing a pile if it can."""
        table, seat = self.table, self.table.seat
        meld = self._choose_meld(seat)
        if meld is not None:
            row, cards = meld
            points = combination_points(table, row, cards)
            yield self._apply(Meld(seat=seat, meld=row.name, cards=cards, points=points))
            if row.name == "marriages" or table.step is TableStep.OVER:
                return
        cards = first_of_each_face(legal_plays(table))
        if player := self.seat_players.get(seat):
            card = player.choose_card(table, cards)
        else:
            completing = completing_cards(table, seat) if self._is_greedy(seat) else ()
            best = [card for card in cards if card in completing]
            card = self.random.choice(best or cards)
        yield self._apply(Discard(seat=seat, card=card))
        yield from self._claims_of(seat, "zetema")

    def _claims_of(self, seat: int, name: str) -> Iterator[AnyEvent]:
        points = self.table.earned.get((seat, name))
        if points is not None:
            yield self._apply(Score(seat=seat, what=name, points=points))

    def _source_of(self, seat: int, card: str) -> Literal["hand", "table"] | None:
        """Where a card is taken from: the hand first, so that melds stay whole."""
        if not self.where:
            return None
        most_laid = laid_bounds(self.table.readings[seat]).get(card, (0, 0))[1]
        return "hand" if self.table.held[seat][card] > most_laid else "table"

    def _after_trick(self) -> Iterator[AnyEvent]:
        table = self.table
        winner = table.trick.winner if table.trick.winner is not None else table.seat
        yield self._apply(Trick(winner=winner))
        if table.stock.with_turn_up == table.seats:
            yield from self._claims("tenth_trick")
        yield from self._show_dix(winner)
        melders = table.melders()
        for seat in melders:
            yield from self._show_melds(seat)
        for seat in melders:
            while table.melding.seat is not None:
                meld = self._choose_meld(seat)
                if meld is None:
                    break
                row, cards = meld
                yield self._apply(Meld(seat=seat, meld=row.name, cards=cards, points=row.points))
        for seat in melders:
            yield from self._show_melds(seat)

    def _choose_meld(self, seat: int) -> tuple[MeldRule, list[str]] | None:
        table = self.table
        melds = first_of_like_sets(legal_melds(table, seat))
        if not melds:
            return None
        if player := self.seat_players.get(seat):
            return player.choose_meld(table, melds)
        greedy = self._is_greedy(seat)
        if not greedy and self.random.random() < 0.3:
            return None
        return melds[0] if greedy else self.random.choice(melds)

    def _show_melds(self, seat: int) -> Iterator[AnyEvent]:
        """Show some melds without scoring them."""
        for row, cards in (
            first_of_like_sets(showable_melds(self.table, seat)) if self.shows else ()
        ):
            if self.random.random() < SHOWN_SHARE:
                yield self._apply(Declare(seat=seat, meld=row.name, cards=cards))

    def _show_dix(self, seat: int) -> Iterator[AnyEvent]:
        rule = self.table.rules.written.dix
        actions = legal_dixes(self.table)
        if not actions or rule is None:
            return
        if player := self.seat_players.get(seat):
            chosen = player.choose_dix(self.table, actions)
            if chosen is None:
                return
            actions = [chosen]
        elif not self._is_greedy(seat) and self.random.random() < 0.3:
            return
        event = Dix(seat=seat, action="exchange" if "exchange" in actions else "show")
        seven = seven_of(self.table, event)
        event.card = seven if len(seven) > 2 else None
        event.points = dix_points(self.table, event)
        yield self._apply(event)

    def _draw(self) -> Iterator[AnyEvent]:
        table = self.table
        for seat in table.draws_due:
            yield self._apply(Draw(seat=seat, card=table.stock.next_card() or "??"))

    def _claims(self, *names: str) -> Iterator[AnyEvent]:
        for name in names:
            for (seat, what), points in list(self.table.earned.items()):
                if what == name:
                    count = (
                        points // self.table.rules.brisque_rule.points
                        if name == "brisques"
                        else None
                    )
                    yield self._apply(Score(seat=seat, what=name, count=count, points=points))
