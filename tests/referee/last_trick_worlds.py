"""The last trick before the close, valued the slow way: every world enumerated, every world searched to the end.

The deal is followed by the referee of `tests.playouts`, with physical cards, and so are the trick, the melds after
it and the draws. The close is searched here, trick by trick. Nothing of the engine or the solver is used, and a
sheet is read as data.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from typing import Any

from records.events import Dix, Draw, Meld, Play
from records.rules.vocabulary import BrisqueCount, MeldRule, RuleSheet, To, When
from tests.playouts.melds import may_score, note, row_of
from tests.playouts.tricks import SUITS, TrickReferee
from tests.playouts.world import World, Wrong
from tests.records.rules.changed_sheets import pattern_text

ENDLESS = 1 << 30


def value_decision(referee: TrickReferee, world: World) -> tuple[dict[str, float], int]:
    """The mean of every card by face over all cards that may lie face down, and how many those are."""
    seat = world.to_act
    cases = list(possible_worlds(world))
    unseen = sum(count for _, count in cases)
    values = {}
    for face in sorted({card[:2] for card in world.hands[seat]}):
        total = sum(
            count * (LastTrick(referee).after_play(case, face) - ahead(referee, case))
            for case, count in cases
        )
        values[face] = float(round(Fraction(-total if seat else total, unseen), 2))
    return values, unseen


def possible_worlds(world: World) -> Iterator[tuple[World, int]]:
    """Every world that the seat to act cannot tell from this one, with the number of copies that make it."""
    other = 1 - world.to_act
    (down,) = world.unseen
    hidden = world.hands[other] - world.laid - world.open
    for face, count in sorted(Counter(card[:2] for card in hidden | {down}).items()):
        case = world.copy()
        if face != down[:2]:
            card = min(card for card in hidden if card[:2] == face)
            case.hands[other] = case.hands[other] - {card} | {down}
            case.unseen = {card}
        yield case, count


def ahead(referee: TrickReferee, world: World) -> int:
    """What seat 0 has more than seat 1, with the brisques taken so far."""
    first, second = world.points
    if referee.sheet.rules.brisques.count is BrisqueCount.AT_THE_END and not world.over:
        first, second = first + referee.brisques(world, 0), second + referee.brisques(world, 1)
    return first - second


class LastTrick:
    """The rest of the trick in one world: replies, then what the winner declares, then the draws."""

    def __init__(self, referee: TrickReferee) -> None:
        self.referee = referee

    def after_play(self, world: World, face: str) -> int:
        """Seat 0's lead at the end if the seat to act plays a card of this face."""
        values = [
            self._after_card(after)
            for after in acted(self.referee, world, Play(seat=world.to_act, card=face))
        ]
        return max(values) if world.to_act == 0 else min(values)

    def _after_card(self, world: World) -> int:
        if not world.trick:
            return self._after_trick(world)
        faces = sorted({card[:2] for card in world.hands[world.to_act]})
        values = [self.after_play(world, face) for face in faces]
        return max(values) if world.to_act == 0 else min(values)

    def _after_trick(self, world: World) -> int:
        seat = world.window
        assert seat is not None
        ends: dict[Any, World] = {}
        self._declare(world, seat, ends)
        values = [self._after_draws(end) for end in ends.values()]
        return max(values) if seat == 0 else min(values)

    def _declare(self, world: World, seat: int, ends: dict[Any, World]) -> None:
        """Collect the worlds that any melds, exchanges and showings lead to."""
        key = (
            world.key(),
            world.melds_left,
            frozenset(map(frozenset, (m.cards for m in world.scored[seat]))),
        )
        if key in ends:
            return
        ends[key] = world
        events: list[Meld | Dix] = [
            Dix(seat=seat, action="exchange"),
            Dix(seat=seat, action="show"),
        ]
        if world.melds_left > 0:
            pool = world.taken[seat] if self.referee.captures else world.hands[seat]
            events += [
                Meld(seat=seat, meld=row.name, cards=list(cards))
                for row in self.referee.sheet.rules.melds
                for cards in forming(self.referee.sheet, row, pool, world.trump)
            ]
        for event in events:
            for after in acted(self.referee, world, event):
                self._declare(after, seat, ends)

    def _after_draws(self, world: World) -> int:
        while world.due:
            card = next(iter(world.unseen)) if world.down else world.turn_up
            (world,) = acted(self.referee, world, Draw(seat=world.due[0], card=card))
        return ahead(self.referee, world) + Close(self.referee.sheet, world).value()


def acted(referee: TrickReferee, world: World, event: Any) -> list[World]:
    try:
        return list({after.key(): after for after in referee.act(world, event)}.values())
    except Wrong:
        return []


def forming(
    sheet: RuleSheet, row: MeldRule, pool: Any, trump: str | None
) -> Iterator[tuple[str, ...]]:
    """The faces among these cards that form the meld of a row, each set once."""
    have = Counter(card[:2] for card in pool)
    times, _, pattern = pattern_text(row.cards).rpartition(" * ")
    slots = pattern.split() * int(times or 1)
    letters = {slot[1] for slot in slots}
    if letters == {"x"}:
        rank = slots[0][0]
        found = [
            tuple(rank + suit for suit in suits)
            for suits in combinations_with_replacement(SUITS, len(slots))
        ]
    else:
        plain = [suit for suit in SUITS if suit != trump] if "p" in letters else [""]
        queens = ("S", "C") if "b" in letters else ("",)
        found = [
            tuple(slot[0] + suit_of(slot, trump, suit, queen) for slot in slots)
            for suit, queen in product(plain, queens)
        ]
    for faces in dict.fromkeys(tuple(sorted(faces)) for faces in found):
        if not Counter(faces) - have:
            yield faces


def suit_of(slot: str, trump: str | None, plain: str, queen: str) -> str:
    """The suit of a place in a pattern; the bezique of clubs and hearts is offered, too, and refused if it is none."""
    rank, letter = slot
    if letter == "b":
        return queen if rank == "Q" else {"S": "D", "C": "H"}[queen]
    return (trump or "?") if letter == "t" else plain


class Close:
    """One close: both hands are known. Values are seat 0's points less seat 1's, from here to the end."""

    def __init__(self, sheet: RuleSheet, world: World) -> None:
        self.sheet, self.world, self.trump = sheet, world, world.trump
        self.order = "".join(reversed(sheet.rules.pack.ranks))
        phase = sheet.rules.phases[-1]
        self.follow, self.melds = phase.follow.name, phase.meld_limit
        self.brisque = (
            sheet.rules.brisques.points
            if sheet.rules.brisques.count is BrisqueCount.AT_THE_END
            else 0
        )
        self.last = self._bonus(When.LAST_TRICK)
        self.all = self._bonus(When.ALL_CLOSED_TRICKS)
        self.known: dict[Any, tuple[int, int]] = {}
        self.offers = [self._offers(seat) if self.melds else [] for seat in (0, 1)]

    def _bonus(self, when: When) -> int:
        return sum(
            bonus.points if bonus.to is To.WINNER else -bonus.points
            for bonus in self.sheet.rules.bonuses
            if bonus.tricks is when
        )

    def _offers(self, seat: int) -> list[tuple[MeldRule, frozenset[str]]]:
        """Every set of cards in a hand that is a meld, whether or not it may still score."""
        hand = self.world.hands[seat]
        found = []
        for row in self.sheet.rules.melds:
            for faces in forming(self.sheet, row, hand, self.trump):
                counts = Counter(faces)
                copies = [
                    combinations(sorted(card for card in hand if card[:2] == face), count)
                    for face, count in counts.items()
                ]
                if row_of(self.sheet, self.world, row.name, list(faces), scores=True) is not row:
                    continue
                for chosen in product(*copies):
                    found.append((row, frozenset(card for part in chosen for card in part)))
        return found

    def value(self) -> int:
        """The value of the whole close; a show of the seven scores what its play would, so it is left out."""
        hands = frozenset(self.world.hands[0]), frozenset(self.world.hands[1])
        assert len(hands[0]) == len(hands[1])
        return self._lead(hands, self.world.to_act, (0, 1), ((), ()), -ENDLESS, ENDLESS)

    def _lead(self, hands: Any, seat: int, may_sweep: Any, made: Any, low: int, high: int) -> int:
        """Alpha-beta before a lead; the melds `made` in the close are those of a seat by their place in its offers."""
        if not hands[0]:
            return 0
        key = hands, seat, may_sweep, tuple(map(frozenset, made)) if self.melds else ()
        least, most = self.known.get(key, (-ENDLESS, ENDLESS))
        if least >= high or least == most:
            return least
        if most <= low:
            return most
        alpha, beta = max(low, least), min(high, most)
        best = -ENDLESS if seat == 0 else ENDLESS
        a, b = alpha, beta
        for card in self._distinct(hands[seat], hands[1 - seat], made):
            value = self._reply(hands, seat, card, may_sweep, made, a, b)
            if seat == 0:
                best = max(best, value)
                a = max(a, best)
            else:
                best = min(best, value)
                b = min(b, best)
            if a >= b:
                break
        least, most = self.known.get(key, (-ENDLESS, ENDLESS))
        if best > alpha:
            least = max(least, best)
        if best < beta:
            most = min(most, best)
        self.known[key] = least, most
        return best

    def _reply(
        self, hands: Any, seat: int, led: str, may_sweep: Any, made: Any, low: int, high: int
    ) -> int:
        other = 1 - seat
        replies = self._lawful(hands[other], led)
        best = -ENDLESS if other == 0 else ENDLESS
        for card in self._distinct(replies, hands[seat], made):
            winner = other if self._beats(card, led) else seat
            points = self._points(card, led, winner, seat, last=len(hands[0]) == 1)
            left = [hands[0] - {led, card}, hands[1] - {led, card}]
            sweeps = tuple(who for who in may_sweep if who == winner)
            if len(hands[0]) == 1 and sweeps:
                points += -self.all if winner else self.all
            value = points + self._window(
                tuple(left), winner, sweeps, made, self.melds, low - points, high - points
            )
            if other == 0:
                best, low = max(best, value), max(low, value)
            else:
                best, high = min(best, value), min(high, value)
            if low >= high:
                break
        return best

    def _window(
        self, hands: Any, seat: int, sweeps: Any, made: Any, melds: int, low: int, high: int
    ) -> int:
        """What the winner of a trick may meld, then its lead."""
        best = self._lead(hands, seat, sweeps, made, low, high)
        if not melds or not hands[0]:
            return best
        for place, (row, cards) in enumerate(self.offers[seat]):
            if not cards <= hands[seat] or not self._may_score(seat, row, cards, made[seat], hands):
                continue
            low, high = (max(low, best), high) if seat == 0 else (low, min(high, best))
            if low >= high:
                return best
            points = -row.points if seat else row.points
            more = (*made[seat], place)
            then = (made[0], more) if seat else (more, made[1])
            value = points + self._window(
                hands, seat, sweeps, then, melds - 1, low - points, high - points
            )
            best = max(best, value) if seat == 0 else min(best, value)
        return best

    def _may_score(
        self, seat: int, row: MeldRule, cards: frozenset[str], made: Any, hands: Any
    ) -> bool:
        world = self.world.copy()
        world.hands = [set(hand) for hand in hands]
        for place in made:
            note(self.sheet, world, seat, *self.offers[seat][place])
        return may_score(self.sheet, world, seat, row, cards)

    def _points(self, card: str, led: str, winner: int, leader: int, *, last: bool) -> int:
        """What a trick scores: brisques, the last trick, and the sevens played to it."""
        points = self.brisque * sum(
            each[0] in self.sheet.rules.brisques.ranks for each in (card, led)
        )
        points += self.last if last else 0
        points = -points if winner else points
        for seat, each in ((leader, led), (1 - leader, card)):
            seven = self._seven(each)
            points += -seven if seat else seven
        return points

    def _seven(self, card: str) -> int:
        rule = self.sheet.rules.dix
        if (
            rule is None
            or not rule.played
            or not rule.in_last_tricks
            or card[:2] != f"7{self.trump}"
        ):
            return 0
        return 0 if rule.once_per_card and card in self.world.spent else rule.points

    def _distinct(self, cards: Any, theirs: Any, made: Any) -> list[str]:
        """One of each face, high cards first; where copies may differ in what they still score, all of them."""
        ordered = sorted(cards, key=lambda card: (-self.order.index(card[0]), card))
        if self.melds:
            ordered_faces: dict[Any, str] = {}
            for card in ordered:
                ordered_faces.setdefault((card[:2], self._past(card, made)), card)
            return list(ordered_faces.values())
        return list({(card[:2], self._seven(card)): card for card in ordered}.values())

    def _past(self, card: str, made: Any) -> Any:
        """What a copy has served in, before the close and in it; a spent seven differs from a fresh one."""
        before = tuple(
            (seat, number)
            for seat in (0, 1)
            for number, meld in enumerate(self.world.scored[seat])
            if card in meld.cards
        )
        now = tuple(
            (seat, place)
            for seat in (0, 1)
            for place in made[seat]
            if card in self.offers[seat][place][1]
        )
        return before, now, self._seven(card)

    def _beats(self, card: str, led: str) -> bool:
        if card[1] == led[1]:
            return self.order.index(card[0]) > self.order.index(led[0])
        return card[1] == self.trump

    def _lawful(self, hand: Any, led: str) -> Any:
        """The cards that may be played to the card led, as the rulebooks say it."""
        same = [card for card in hand if card[1] == led[1]]
        higher = [card for card in same if self._beats(card, led)]
        trumps = [card for card in hand if card[1] == self.trump]
        if self.follow == "ANY":
            return hand
        if self.follow == "HEAD" or led[1] == self.trump:
            return higher or same or trumps or hand
        return same or trumps or hand
