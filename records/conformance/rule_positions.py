"""Positions of a sheet with tricks in which errors show: melds, melds after others, sevens, carte blanche, ends of a match."""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import Any

from msgspec.structs import replace

from records.events import AnyEvent, CarteBlanche, Dix, Meld, Play
from records.record import Deal, Laid, Player, Record, Result, Rules, Setup
from records.rules.compiled import card_sets_for
from records.rules.vocabulary import (
    MeldRule,
    MeldsFrom,
    OneDeal,
    RaceTo,
    RuleSheet,
    SuitLetter,
    TurnUp,
)
from records.selfplay import SELFPLAY_NAMES
from records.validator import check_record

TRUMP: SuitLetter = "H"
TRUMPS_OF_BEZIQUE: tuple[SuitLetter, ...] = ("H", "S", "D")
"""The cards of bezique may go by the trumps."""
Named = tuple[str, Record]
"""A name for a record, and the record."""


def rule_positions(sheet: RuleSheet) -> Iterator[Named]:
    """All of them; none of a game without tricks."""
    if sheet.rules.tableau is not None:
        return
    for row in sheet.rules.melds:
        trumps = TRUMPS_OF_BEZIQUE if row.cards.speaks_of("bezique") else (TRUMP,)
        for trump in trumps:
            for number, cards in enumerate(_sets(sheet, row, trump)):
                name = f"meld-{_plain(row)}-{trump.lower()}-{number}"
                yield from _scored(_Place(sheet, trump), row, cards, name)
    yield from _after_others(_Place(sheet))
    yield from _sevens(_Place(sheet))
    yield from _blank(_Place(sheet))
    yield from _follows(_Place(sheet))
    match sheet.rules.match:
        case RaceTo() as race:
            yield from _ends(_Place(sheet), race)
        case OneDeal() as deal:
            yield from _settled(_Place(sheet), deal)


def _plain(row: MeldRule) -> str:
    return row.words.replace(" ", "-")


def _sets(sheet: RuleSheet, row: MeldRule, trump: str) -> list[list[str]]:
    """The first and the last set of cards that are a meld."""
    found = card_sets_for(row, trump, sheet.rules)
    return [list(cards) for cards in dict.fromkeys((*found[:1], *found[-1:]))]


class _Place:
    """A place at a table: the first seat has just won a trick, unless something else is said."""

    def __init__(self, sheet: RuleSheet, trump: SuitLetter = TRUMP) -> None:
        self.sheet, self.trump = sheet, trump
        self.players = sheet.rules.players[0]
        pack = sheet.rules.pack
        self.pack = Counter(
            {rank + suit: many for suit, many in pack.copies.items() for rank in pack.ranks}
        )

    def record(self, hand: list[str], *events: AnyEvent, **more: Any) -> Record:
        """A record in which the first seat has these cards; of captured cards they were won."""
        left = self.pack - Counter(hand)
        turned = isinstance(self.sheet.rules.trumps, TurnUp)
        stock = more.pop("stock", 3 * self.players - turned)
        turn_up = self._take(left, self.trump, 1)[0] if turned and stock else None
        laid = [card for group in more.get("tables", [[]])[0] for card in group.cards]
        left -= Counter(laid)
        size = len(hand) + len(laid)
        others = [self._take(left, "SHDC", size) for _ in range(self.players - 1)]
        setup = Setup(
            hands=[hand, *others], seat=0, stock=stock, turn_up=turn_up, trump=self.trump, won=True
        )  # fmt: skip
        if self.sheet.rules.melds_from is MeldsFrom.CAPTURED and not more.pop("held", False):
            pile = [*self._take(left, "SHDC", 2 - len(hand) % 2), *hand]
            setup.hands = [self._take(left, "SHDC", 1) for _ in range(self.players)]
            setup.captured = [pile, *([] for _ in others)]
        more.pop("held", None)
        result = more.pop("result", None)
        deal = Deal(
            dealer=self.players - 1, knowledge="full", setup=replace(setup, **more), events=[*events]
        )  # fmt: skip
        names = [Player(name=name) for name in SELFPLAY_NAMES[: self.players]]
        return Record(
            format="bezique-record", version="1.0", rules=Rules(id=self.sheet.id), players=names,
            deals=[deal], result=result,
        )  # fmt: skip

    def _take(self, left: Counter[str], suits: str, many: int) -> list[str]:
        """So many cards of these suits that nobody has, the lowest first, trumps last, no seven."""
        some = [c for c in reversed(left) if c[1] in suits and c[0] != "7" and left[c]]
        taken = sorted(some, key=lambda card: card[1] == self.trump)[:many]
        left.subtract(taken)
        return taken


def _scored(place: _Place, row: MeldRule, cards: list[str], name: str) -> Iterator[Named]:
    """A meld, and what is not quite this meld."""

    def melded(cards: list[str], points: int | None = None) -> Record:
        return place.record(cards, Meld(seat=0, meld=row.name, cards=cards, points=points))

    for points in (row.points, row.points + 10):
        yield f"{name}-{points}", melded(cards, points)
    for at, card in enumerate(cards):
        for other in _near(place.sheet, card):
            changed = [*cards[:at], other, *cards[at + 1 :]]
            yield f"{name}-{at}-{other.lower()}", melded(changed)
            every = [other if each == card else each for each in cards]
            if every != changed:
                yield f"{name}-all-{at}-{other.lower()}", melded(every)
    for many in (2, 3):
        copies = list((Counter(cards * many) & place.pack).elements())
        if len(copies) == many * len(cards):
            yield f"{name}-{many}-times", melded(copies)


def _near(sheet: RuleSheet, card: str) -> list[str]:
    """The same rank in the other suits, and the ranks next to it in the suit."""
    ranks = sheet.rules.pack.ranks
    at = ranks.index(card[0])
    some = [card[0] + suit for suit in "SHDC"]
    some += [rank + card[1] for rank in ranks[max(0, at - 1) : at + 2]]
    return [other for other in some if other != card]


def _after_others(place: _Place) -> Iterator[Named]:
    """A meld of a class after another one of the class, with its cards or without; and twice the same."""
    rows = place.sheet.rules.melds
    pairs = [pair for pair in permutations(rows, 2) if pair[0].family == pair[1].family]
    for first, then in [*pairs, *((row, row) for row in rows)]:
        for number, (lying, cards) in enumerate(
            (one, other)
            for one in _sets(place.sheet, first, place.trump)
            for other in _sets(place.sheet, then, place.trump)
        ):
            name = f"{_plain(first)}-then-{_plain(then)}-{number}"
            own = list((Counter(cards) - Counter(lying)).elements())
            laid = [[Laid(meld=first.name, cards=lying)], *([] for _ in range(place.players - 1))]
            yield name, place.record(own, Meld(seat=0, meld=then.name, cards=cards), tables=laid)
            # The same cards twice: two melds side by side.
            twice = [
                Meld(seat=0, meld=row.name, cards=some)
                for row, some in ((first, lying), (then, cards))
            ]
            yield f"{name}-at-once", place.record([*lying, *own], *twice)


def _sevens(place: _Place) -> Iterator[Named]:
    """A seven exchanged or shown: by the winner, by another, when it has scored, with a meld, after the close, played."""
    seven, rank = f"7{place.trump}", place.sheet.rules.pack.ranks
    other = f"{rank[-2]}C"
    acts: tuple[tuple[str, int], ...] = (("exchange", 0), ("show", 0), ("exchange", 1), ("show", 1))
    for action, seat in acts:
        dix = Dix(seat=0, action=action)  # type: ignore[arg-type]
        marriage = Meld(seat=0, meld="marriage", cards=[f"K{place.trump}", f"Q{place.trump}"])
        hand = [seven, *marriage.cards]
        name = f"seven-{action}-{seat}"
        for spent in (None, [seven]):
            more = {"held": True, "spent_dixes": spent, "seat": seat}
            yield f"{name}{'-spent' * bool(spent)}", place.record(hand, dix, **more)
        yield f"{name}-then-meld", place.record(hand, dix, marriage, held=True, seat=seat)
        yield f"{name}-after-the-close", place.record(hand, dix, held=True, seat=seat, stock=0)
    for stock in (None, 0):
        for spent in (None, [seven]):
            more = {"held": True, "won": False, "spent_dixes": spent}
            more |= {"stock": 0} if stock == 0 else {}
            name = f"seven-played{'-spent' * bool(spent)}{'-after-the-close' * (stock == 0)}"
            events: tuple[AnyEvent, ...] = (Play(seat=0, card=seven), Dix(seat=0, action="play"))
            yield name, place.record([seven, other], *events, **more)


def _follows(place: _Place) -> Iterator[Named]:
    """Replies after the close: a lower and a higher card of the suit, a trump, a card of another suit."""
    high, *_, middle, low, _ = [rank for rank in place.sheet.rules.pack.ranks if rank not in "7"]
    trump = place.trump
    other = [f"{high}C", f"{low}C", f"{low}{trump}", f"{low}D"]
    for led in (f"{middle}C", f"{middle}{trump}"):
        for held in (other, [f"{low}S", *other[1:]], [f"{low}S", f"{middle}S", *other[2:]]):
            for card in held:
                record = place.record(
                    [led, f"{high}D", f"{high}S", f"{middle}D"], held=True, won=False, stock=0
                )
                (deal,) = record.deals
                setup = deal.setup
                assert setup is not None
                setup.hands[1] = held
                events: list[AnyEvent] = [Play(seat=0, card=led), Play(seat=1, card=card)]
                name = f"reply-{led.lower()}-{held[0].lower()}-{card.lower()}"
                yield name, replace(record, deals=[replace(deal, events=events)])


def _blank(place: _Place) -> Iterator[Named]:
    """A hand without court cards."""
    low = [rank for rank in place.sheet.rules.pack.ranks if rank not in "KQJ7"]
    hand = [rank + suit for suit in "SDC" for rank in low][:3]
    for points in (None, 50, 250):
        event = CarteBlanche(seat=0, points=points)
        yield f"blank-{points or 'hand'}", place.record(hand, event, held=True, won=False)


def _ends(place: _Place, match: RaceTo) -> Iterator[Named]:
    """The last trick of a deal, and a match that is called complete at the target and near it."""
    target, rank = match.target[place.players], place.sheet.rules.pack.ranks
    low = [f"{rank[-2]}{suit}" for suit in "SDC"]
    for short in range(-10, 60, 10):
        for status in ("complete", "unfinished"):
            record = place.record(
                low[:1], held=True, won=False, stock=0, result=Result(status=status),
                scores=[target - short, *([0] * (place.players - 1))],
            )  # fmt: skip
            yield f"end-{target - short}-{status}", _played_out(record)


def _settled(place: _Place, match: OneDeal) -> Iterator[Named]:
    """Deals that end about the rubicon, without brisques and with them, and what each side receives; more brisques than there are."""
    low, line = place.sheet.rules.pack.ranks[-2], match.rubicon
    every = place.sheet.rules.pack.packs * len(place.sheet.rules.brisques.ranks) * 4
    near = (0, -10, 50, -100, 220, 320, 350, -200)
    points = [(line + one, line + other) for one in near for other in near]
    some = [(scores, taken) for scores in points for taken in ((0, 0), (10, 10), (20, 0), (0, 20))]
    some += [((line, line), (every, 0)), ((line, line), (every + 1, 0))]
    for scores, brisques in some:
        record = place.record(
            [f"{low}S"], held=True, won=False, stock=0, scores=[*scores], brisques=[*brisques]
        )  # fmt: skip
        record = _played_out(record)
        report = check_record(record)
        scores_told = [score for score in report.scores or () if score is not None]
        if report.settlement is not None and len(scores_told) == place.players:
            record.result = Result(
                status="complete", scores=scores_told, settlement=report.settlement, winner=report.winner
            )  # fmt: skip
        yield f"settled-{scores[0]}-{scores[1]}-{brisques[0]}-{brisques[1]}", record


def _played_out(record: Record) -> Record:
    """The position of a single trick with the cards of each seat played, the first seat first."""
    (deal,) = record.deals
    hands = deal.setup.hands if deal.setup else []
    events: list[AnyEvent] = [Play(seat=seat, card=hand[0]) for seat, hand in enumerate(hands)]
    return replace(record, deals=[replace(deal, events=events)])
