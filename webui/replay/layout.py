"""What lies where at a step: a card is one word, with the marks it is drawn with (`7D legal`)."""

from collections import Counter
from itertools import groupby

import msgspec

from records.cards import RANK_NAMES
from records.engine.choices import Choices
from records.events import AnyEvent, Declare, Discard, Dix, Draw, Meld, Play
from records.replay import Frame
from records.snapshot import HAND_ORDER, Position, SeatView
from webui.display.wording import meld_words


class Group(msgspec.Struct):
    """Cards that lie together: a `meld`, a `pile` of the tableau, or cards `won` that are in no meld."""

    kind: str
    words: str
    cards: list[str]


class Option(msgspec.Struct):
    """Something lawful besides playing a card; a meld that can be made in several `ways` is told once."""

    words: str
    cards: list[str]
    points: int
    ways: int


def turn_up_at(position: Position, event: AnyEvent | None) -> str | None:
    """The turn-up, lifted where it has just been exchanged."""
    exchanged = isinstance(event, Dix) and event.action == "exchange"
    return _word(position.turn_up, lifted=exchanged) if position.turn_up else None


def centre_at(position: Position, frame: Frame) -> list[tuple[int, str]]:
    """The trick on the table: the one in progress, or the one just taken until cards are drawn."""
    played = isinstance(frame.event, Play)
    if position.trick:
        return [(seat, _word(card, lifted=played)) for seat, card in position.trick]
    if isinstance(frame.event, Draw) or frame.index < 0:
        return []
    last = len(position.taken) - 1
    return [
        (seat, _word(card, lifted=played and i == last, won=seat == frame.table.winner))
        for i, (seat, card) in enumerate(position.taken)
    ]


def named_by(event: AnyEvent | None) -> list[str]:
    """The cards that an event names."""
    match event:
        case Play(card=card) | Draw(card=card) | Discard(card=card):
            return [card]
        case Meld(cards=cards) | Declare(cards=cards):
            return list(cards)
        case Dix(card=str(card)):
            return [card]
        case _:
            return []


def taken_in_hand(event: AnyEvent | None, seat: int, turn_up: str | None) -> str | None:
    """The card that has just come into a seat's hand, or is shown from it."""
    match event:
        case Draw(seat=who, card=card) if who == seat:
            return card
        case Dix(seat=who, action="exchange") if who == seat:
            return turn_up
        case _:
            return None


def hand_of(view: SeatView, playable: frozenset[str], lifted: str | None) -> list[str]:
    """The cards in a seat's hand, then those that may as well lie on the table."""
    place = view.hand.index(lifted) if lifted in view.hand else -1
    return [
        *(
            _word(card, legal=card in playable, lifted=i == place)
            for i, card in enumerate(view.hand)
        ),
        *(_word(card, legal=card in playable, half=True) for card in view.unsure),
    ]


def laid_by(view: SeatView, playable: frozenset[str], ranks: str, *, lifts: bool) -> list[Group]:
    """What lies before a seat: its melds, and where cards won are melded, the others won, by suit."""
    newest = max((card.group for card in view.laid), default=0)
    groups = [
        Group(
            "meld",
            meld_words(meld),
            [
                _word(
                    card.card,
                    legal=card.card in playable,
                    half=not card.sure and not card.elsewhere,
                    either=card.elsewhere,
                    lifted=lifts and group == newest,
                )
                for card in cards
            ],
        )
        for (group, meld), cards in groupby(view.laid, key=lambda card: (card.group, card.meld))
    ]
    others = (Counter(view.captured) - Counter(card.card for card in view.laid)).elements()
    won = sorted(others, key=lambda card: (HAND_ORDER.get(card[1], 4), ranks.find(card[0]), card))
    return [*groups, Group("won", "won", won)] if won else groups


def piles_at(position: Position, event: AnyEvent | None) -> list[Group]:
    """Zetema's piles, each rank's in its place even where it is empty."""
    thrown = event.card if isinstance(event, Discard) else None
    return [
        Group(
            "pile",
            RANK_NAMES[rank],
            [
                _word(card, lifted=card == thrown and i == len(pile) - 1)
                for i, card in enumerate(pile)
            ],
        )
        for rank, pile in position.tableau.items()
    ]


def _word(
    card: str,
    *,
    legal: bool = False,
    half: bool = False,
    either: bool = False,
    lifted: bool = False,
    won: bool = False,
) -> str:
    """A card and how it is drawn."""
    if legal:
        card += " legal"
    if half:
        card += " half"
    if either:
        card += " either"
    if lifted:
        card += " lifted"
    return card + " won" if won else card


def options_of(legal: Choices) -> list[Option]:
    """What may lawfully be done besides playing a card."""
    told: dict[tuple[str, int], Option] = {}
    for meld in legal.melds:
        option = told.setdefault(
            (meld.words, meld.points), Option(meld.words, meld.cards, meld.points, ways=0)
        )
        option.ways += 1
    dix = {"exchange": "exchange the seven for the turn-up", "show": "show the seven of trumps"}
    return [*told.values(), *(Option(dix[way], [], 0, ways=1) for way in legal.dix)]
