"""A slow referee of the games with tricks, written from the rulebooks and apart from the replay.

It plays a deal with real cards: where the record does not say which copy moves, it follows every
copy that differs from its twins, a `World` each. A deal is right if some world survives to its end,
with every event lawful and every number true. A sheet is read as data; nothing of `records.engine`
or `records.validate` is used.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product

from records.events import (
    AnyEvent,
    CarteBlanche,
    Cut,
    Declare,
    Dix,
    Draw,
    Meld,
    Play,
    Score,
    Trick,
)
from records.record import Deal
from records.rules.vocabulary import (
    BrisqueCount,
    Follow,
    MeldsFrom,
    OneDeal,
    RuleSheet,
    To,
    TurnUp,
    When,
    Window,
)
from tests.playouts.melds import may_score, note, row_of, trump_makers
from tests.playouts.settling import settle
from tests.playouts.world import World, Wrong, demand, places_for

SUITS = "SHDC"


class TrickReferee:
    """Judges one deal of a game with tricks, for two or more; `sides` are the seats of each, where partners play."""

    def __init__(self, sheet: RuleSheet, sides: list[list[int]] | None = None) -> None:
        self.sheet = sheet
        self.sides = sides or []
        self.order = "".join(reversed(sheet.rules.pack.ranks))
        self.captures = sheet.rules.melds_from is MeldsFrom.CAPTURED
        self.acts = {
            Play: self.play, Draw: self.draw, Meld: self.meld, Declare: self.meld, Dix: self.dix,
            Trick: self.trick, Score: self.score, CarteBlanche: self.blanche, Cut: self.cut,
        }  # fmt: skip

    def start(self, deal: Deal) -> World:
        """The table as dealt; raises Wrong for a deal that the pack or the sheet does not give."""
        sheet, hands, turn_up = self.sheet, deal.hands or [], deal.turn_up
        (seats,) = sheet.rules.players
        demand(isinstance(sheet.rules.trumps, TurnUp) == (turn_up is not None), "turn-up")
        size = sheet.rules.hand[seats]
        demand(len(hands) == seats and all(len(hand) == size for hand in hands), "hands")
        places = [(card, seat) for seat, hand in enumerate(hands) for card in hand]
        places += [] if turn_up is None else [(turn_up, seats)]
        given, unseen = named(self.sheet, places, seats + 1)
        world = World(
            **places_for(seats),
            hands=given[:seats],
            unseen=unseen,
            down=len(unseen),
            turn_up=next(iter(given[seats]), ""),
            dealer=deal.dealer,
            trump=turn_up[1] if turn_up else None,
            to_act=(deal.dealer + 1) % seats,
            reuse=sheet.rules.reuse.rule,
            captures=self.captures,
            labelled=any("." in card for hand in hands for card in hand),
        )
        if turn_up and turn_up[0] == "7" and sheet.rules.trumps.dealer_seven:
            world.earn(deal.dealer, "turned_seven", sheet.rules.trumps.dealer_seven)
            world.spent.add(world.turn_up)
        if sheet.rules.carte_blanche:
            world.chains = ["over" if self.courts(hand) else "open" for hand in world.hands]
        return world

    def courts(self, cards: set[str]) -> bool:
        rule = self.sheet.rules.carte_blanche
        return any(card[0] in rule.courts for card in cards) if rule else True

    def act(self, world: World, event: AnyEvent) -> Iterator[World]:
        """Every world that may follow; raises Wrong if there is none."""
        demand(type(event) in self.acts, "an event of another game")
        found = list(self.acts[type(event)](world, event))
        demand(found, "no copy can do that")
        yield from found

    def at_the_end(self, world: World, deal: Deal) -> bool:
        """Whether what the record claims of a deal played out is true in this world."""
        claims = deal.claims.scores if deal.claims else None
        return (claims is None or claims == self.adds(world)) and all(
            (seat, "brisques") not in world.claimed
            or world.brisques_claimed[seat] == self.brisques(world, seat)
            for seat in range(world.seats)
        )

    def adds(self, world: World) -> list[int]:
        """What a deal adds to the scores of the sides in the match: counted brisques, too."""
        if not isinstance(self.sheet.rules.match, OneDeal):
            sides = self.sides or [[seat] for seat in range(world.seats)]
            return [sum(world.points[seat] for seat in side) for side in sides]
        brisques = [self.brisques(world, seat) for seat in (0, 1)]
        return settle(self.sheet.rules.match, world.points, brisques).totals

    # -- plays and draws

    def copies(self, world: World, seat: int, card: str) -> list[str]:
        """The copies in a seat's hand that a card of the record can mean, one of each past if names tell nothing."""
        held = sorted(c for c in world.hands[seat] if card in (c, c[:2]))
        return held if world.labelled else list({world.past(copy): copy for copy in held}.values())

    def play(self, world: World, event: Play) -> Iterator[World]:
        seat = event.seat
        demand(not world.due, "cards are to be drawn first")
        demand(seat == world.to_act, "not in turn")
        for card in self.copies(world, seat, event.card):
            laid = card in world.laid
            shown = card in world.open and not laid
            if event.source is not None and not shown and laid != (event.source == "table"):
                continue
            if world.trick and not self.lawful(world, seat, card):
                continue
            then = world.copy()
            then.hands[seat].remove(card)
            then.laid.discard(card)
            then.open.discard(card)
            then.played += 1
            self.play_seven(then, seat, card)
            self.break_chains(then, seat)
            self.to_trick(then, seat, card)
            yield then

    def lawful(self, world: World, seat: int, card: str) -> bool:
        """What is owed to a lead once the stock is gone, and by later hands to the card that has the trick (C8, C17)."""
        follow = self.sheet.rules.phases[world.closed].follow
        led, hand = world.trick[0][1], world.hands[seat]
        best = world.trick[self.best(world)][1]
        same = [c for c in hand if c[1] == led[1]]
        trumps = [c for c in hand if c[1] == world.trump]
        if best[1] != led[1]:
            higher = [c for c in trumps if self.rank(c) > self.rank(best)]
            return follow is Follow.ANY or card in (same or higher or hand)
        higher = [c for c in same if self.rank(c) > self.rank(best)]
        if follow is Follow.HEAD:
            return card in (higher or same or trumps or hand)
        if follow is Follow.SUIT and led[1] == world.trump:
            return card in (higher or same or hand)
        return follow is Follow.ANY or card in (same or trumps or hand)

    def best(self, world: World) -> int:
        """The place in the trick of the card that has it."""
        place, best = 0, world.trick[0][1]
        for number, (_, card) in enumerate(world.trick):
            beats = card[1] == best[1] and self.rank(card) > self.rank(best)
            ruffs = card[1] == world.trump != best[1]
            if beats or ruffs:
                place, best = number, card
        return place

    def rank(self, card: str) -> int:
        return self.order.index(card[0])

    def play_seven(self, world: World, seat: int, card: str) -> None:
        rule = self.sheet.rules.dix
        if rule is None or card[:2] != f"7{world.trump}":
            self.remember_seven(world, seat, None)
            return
        fresh = card not in world.spent or not rule.once_per_card
        earns = rule.played and (rule.in_last_tricks or not world.closed) and fresh
        points = rule.points if earns else 0
        self.remember_seven(world, seat, (card, points))
        world.points[seat] += points

    def remember_seven(self, world: World, seat: int, played: tuple[str, int] | None) -> None:
        """The seven that a seat's last card was, with the points that may still be claimed for it."""
        sevens = list(world.sevens_played)
        sevens[seat] = played
        world.sevens_played = tuple(sevens)

    def to_trick(self, world: World, seat: int, card: str) -> None:
        world.trick.append((seat, card))
        world.window = None
        world.fresh = set()
        if len(world.trick) < world.seats:
            world.to_act = (seat + 1) % world.seats
            return
        leader, cards = world.trick[0][0], [card for _, card in world.trick]
        winner = (leader + self.best(world)) % world.seats
        world.taken[winner] += cards
        world.winners.append(winner)
        world.trick = []
        world.to_act = world.window = winner
        world.named = False
        world.melds_left = self.sheet.rules.phases[world.closed].meld_limit
        world.fresh = set(cards) if self.captures else set()
        if world.closed:
            world.closed_tricks[winner] += 1
        else:
            world.due = [(winner + n) % world.seats for n in range(world.seats)]
            if world.down + bool(world.turn_up) == world.seats:
                self.bonus(world, When.LAST_STOCK_TRICK)
        if world.over:
            self.finish(world)

    def bonus(self, world: World, when: When) -> None:
        winner = world.winners[-1]
        for bonus in self.sheet.rules.bonuses:
            if bonus.tricks is when:
                world.earn(
                    winner if bonus.to is To.WINNER else 1 - winner, bonus.name, bonus.points
                )

    def finish(self, world: World) -> None:
        self.bonus(world, When.LAST_TRICK)
        if sum(world.closed_tricks) == max(world.closed_tricks):
            self.bonus(world, When.ALL_CLOSED_TRICKS)
        if self.sheet.rules.brisques.count is BrisqueCount.AT_THE_END:
            for seat in range(world.seats):
                world.points[seat] += self.brisques(world, seat)

    def brisques(self, world: World, seat: int) -> int:
        rule = self.sheet.rules.brisques
        return rule.points * sum(card[0] in rule.ranks for card in world.taken[seat])

    def trick(self, world: World, event: Trick) -> Iterator[World]:
        demand(world.winners and not world.trick and not world.named, "no trick to name")
        demand(world.winners[-1] == event.winner, "another took it")
        then = world.copy()
        then.named = True
        yield then

    def draw(self, world: World, event: Draw) -> Iterator[World]:
        demand(world.due and world.due[0] == event.seat, "no draw due")
        cards = sorted(world.unseen) if world.down else [world.turn_up]
        if cards[0][:1] == "?":
            # The position leaves the turn-up out: it may be any trump that nobody has seen.
            cards = [card for card in sorted(world.unseen) if card[1] == world.turn_up[1]]
        card = next((c for c in cards if event.card in (c, c[:2])), None)
        if card is None:
            raise Wrong("no such card to draw")
        then = world.copy()
        then.due.pop(0)
        then.window = None
        then.fresh = set()
        then.hands[event.seat].add(card)
        then.unseen.discard(card)
        if world.down:
            then.down -= 1
        else:
            then.turn_up = ""
        if then.closed:
            then.laid.clear()
            then.open.clear()
        if then.chains[event.seat] == "shown":
            then.chains[event.seat] = "over" if self.courts({card}) else "open"
        yield then

    # -- melds

    def meld(self, world: World, event: Meld | Declare) -> Iterator[World]:
        seat, scores = event.seat, isinstance(event, Meld)
        demand(self.may_meld(world, seat), "not the time to meld")
        demand(self.captures or not world.over, "the deal is over")
        demand(world.melds_left > 0 or not scores, "too many melds")
        demand(scores or self.sheet.rules.pending, "nothing is shown unscored")
        demand(self.limit(world), "no melds in the close")
        faces = [card[:2] for card in event.cards]
        row = row_of(self.sheet, world, event.meld, faces, scores=scores)
        if row is None:
            raise Wrong("not that meld")
        demand(not scores or event.points in (None, row.points), "not those points")
        for cards in self.sets(world, seat, event.cards):
            if scores and not may_score(self.sheet, world, seat, row, cards):
                continue
            if self.captures and not cards & world.fresh:
                continue
            then = world.copy()
            if not self.captures:
                then.laid |= cards
                then.open -= cards
            if scores:
                note(self.sheet, then, seat, row, cards)
                then.points[seat] += row.points
                then.melds_left -= 1
            if then.trump is None and event.meld in trump_makers(self.sheet, scores=scores):
                then.trump = event.cards[0][1]
            yield then

    def may_meld(self, world: World, seat: int) -> bool:
        """Whether a seat has just won a trick, or a partner has, and partners meld."""
        partners = self.sides if self.sheet.rules.partners_meld else []
        return world.window == seat or any({seat, world.window} <= {*side} for side in partners)

    def sets(self, world: World, seat: int, cards: list[str]) -> Iterator[frozenset[str]]:
        """Every set of copies that the cards of a meld can mean; twins of one past count once."""
        pool = set(world.taken[seat]) if self.captures else world.hands[seat]
        # A card of the trick just won serves one meld of that trick (Polish).
        served = {
            card for meld in world.scored[seat][-(self.limit(world) - world.melds_left) :]
            for card in meld.cards & world.fresh
        } if self.captures and world.melds_left < self.limit(world) else set()  # fmt: skip
        ways = []
        for card, count in Counter(cards).items():
            held = sorted(c for c in pool - served if card in (c, c[:2]))
            distinct = {
                tuple(sorted(map(world.past, some))): some for some in combinations(held, count)
            }
            ways.append(list(distinct.values()))
        for some in product(*ways):
            chosen = frozenset(copy for group in some for copy in group)
            if len(chosen) == len(cards):
                yield chosen

    def limit(self, world: World) -> int:
        return self.sheet.rules.phases[world.closed].meld_limit

    # -- sevens, openings, claims

    def dix(self, world: World, event: Dix) -> Iterator[World]:
        rule = self.sheet.rules.dix
        if rule is None:
            raise Wrong("no dix in this game")
        if event.action == "play":
            yield self.claim_seven(world, event)
            return
        window = rule.exchange if event.action == "exchange" else rule.show
        demand(window is not Window.NEVER and not world.over, "not in this game")
        demand(window is Window.AT_ANY_TIME or world.window == event.seat, "not the time")
        if event.action == "show" and window is not Window.AT_ANY_TIME:
            demand(self.limit(world) > 0, "nothing is shown once melds are over")
        if event.action == "show":
            demand(rule.in_last_tricks or not world.closed, "it scores no more after the close")
        if event.action == "exchange":
            demand(world.turn_up and world.turn_up[0] != "7", "nothing to take")
            demand(not rule.exchange_is_the_meld or world.melds_left > 0, "too many melds")
        seven = f"7{world.trump}"
        demand(event.card is None or event.card[:2] == seven, "not the dix")
        for card in self.copies(world, event.seat, event.card or seven):
            fresh = card not in world.spent
            points = rule.points if fresh else 0
            may = fresh or (event.action == "exchange" and rule.spent_exchanges)
            if may and event.points in (None, points):
                yield self.use_seven(world, event, card, points)

    def use_seven(self, world: World, event: Dix, card: str, points: int) -> World:
        then, seat, rule = world.copy(), event.seat, self.sheet.rules.dix
        then.points[seat] += points
        if event.action == "show":
            then.spent.add(card)
            then.open.add(card)
            return then
        then.hands[seat].remove(card)
        then.hands[seat].add(world.turn_up)
        then.open.discard(card)
        then.open.add(world.turn_up)
        then.turn_up = card
        if points:
            then.spent.add(card)
        if rule and rule.exchange_is_the_meld:
            then.melds_left -= 1
        return then

    def claim_seven(self, world: World, event: Dix) -> World:
        last = world.sevens_played[event.seat]
        if last is None or not last[1]:
            raise Wrong("no such seven was played")
        demand(event.card in (None, last[0], last[0][:2]), "another seven")
        demand(event.points in (None, last[1]), "not those points")
        then = world.copy()
        self.remember_seven(then, event.seat, None)
        return then

    def break_chains(self, world: World, seat: int) -> None:
        """A card is played: what was not shown by now never will be."""
        rule = self.sheet.rules.carte_blanche
        first = rule is not None and not rule.is_before_first_lead and not world.winners
        for other in range(world.seats):
            chain = world.chains[other]
            if chain == "drawn" or (chain == "open" and not (first and other != seat)):
                world.chains[other] = "over"

    def blanche(self, world: World, event: CarteBlanche) -> Iterator[World]:
        rule, seat = self.sheet.rules.carte_blanche, event.seat
        if rule is None or world.chains[seat] not in ("open", "drawn"):
            raise Wrong("no carte blanche to show")
        demand(event.points in (None, rule.points), "not those points")
        then = world.copy()
        then.chains[seat] = "shown"
        then.points[seat] += rule.points
        yield then

    def cut(self, world: World, event: Cut) -> Iterator[World]:
        rule = self.sheet.rules.cut
        if rule is None or world.was_cut or world.played or event.seat != world.dealer:
            raise Wrong("no cut here")
        demand(0 < event.packet < 32 * self.sheet.rules.pack.packs, "no such packet")
        then = world.copy()
        then.was_cut = True
        if event.packet == rule.packet:
            then.earn(event.seat, "cut", rule.dealer_points)
        if event.guess == event.packet:
            then.earn(1 - event.seat, "guess", rule.guess_points)
        yield then

    def score(self, world: World, event: Score) -> Iterator[World]:
        seat, what, points = event.seat, event.what, event.points
        then = world.copy()
        if what == "brisques":
            demand(self.brisques_count(world), "brisques do not count")
            then.brisques_claimed[seat] += points or 0
            demand(then.brisques_claimed[seat] <= self.brisques(world, seat), "not so many taken")
            worth = self.sheet.rules.brisques.points * (event.count or 0)
            demand(None in (event.count, points) or worth == points, "not what they are worth")
        else:
            demand((seat, what) in world.earned, "not earned")
            demand((seat, what) not in world.claimed, "twice")
            demand(points in (None, world.earned[seat, what]), "not those points")
            demand(what != "turned_seven" or not world.played, "too late")
        then.claimed.add((seat, what))
        yield then

    def brisques_count(self, world: World) -> bool:
        sheet = self.sheet
        if sheet.rules.brisques.count is BrisqueCount.TO_SETTLE and isinstance(
            sheet.rules.match, OneDeal
        ):
            taken = [self.brisques(world, seat) for seat in (0, 1)]
            return world.over and settle(sheet.rules.match, world.points, taken).brisques_count
        return sheet.rules.brisques.count is BrisqueCount.AT_THE_END


def named(
    sheet: RuleSheet, places: list[tuple[str, int]], piles: int
) -> tuple[list[set[str]], set[str]]:
    """Give every card dealt to a pile the name of a copy, and list the copies nobody has seen."""
    doubled = sheet.rules.pack.doubled_suits
    left = {
        rank + suit: [
            f"{rank}{suit}.{i + 1}" for i in range(sheet.rules.pack.packs + (suit in doubled))
        ]
        for rank in sheet.rules.pack.ranks
        for suit in SUITS
    }
    given: list[set[str]] = [set() for _ in range(piles)]
    # Labelled cards first: the others take what is left.
    for card, place in sorted(places, key=lambda pair: -len(pair[0])):
        copies = left.get(card[:2], [])
        demand(copies, f"{card} is not in the pack, or not so often")
        name = card if len(card) > 2 else copies[0]
        demand(name in copies, f"{card} is in two places")
        copies.remove(name)
        given[place].add(name)
    return given, {name for names in left.values() for name in names}
