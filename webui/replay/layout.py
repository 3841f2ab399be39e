"""Where each card lies at a step: a card is one word, followed by the marks it is drawn with (`7D legal`)."""

from collections import Counter
from itertools import groupby

import msgspec

from records.cards import RANK_NAMES
from records.engine.choices import LegalChoices
from records.events import AnyEvent, Declare, Discard, Dix, Draw, Meld, Play
from records.replay import HAND_SUIT_ORDER, Frame, SeatSnapshot, TableSnapshot
from webui.display.words import meld_words


class CardGroup(msgspec.Struct):
    """Cards that lie together: a `meld`, a `pile` of the tableau, or captured cards (`won`) in no meld."""

    kind: str
    words: str
    cards: list[str]


class LegalOption(msgspec.Struct):
    """A legal choice besides playing a card; a meld that can be made in several `ways` is listed once."""

    words: str
    cards: list[str]
    points: int
    ways: int


def turn_up_card(position: TableSnapshot, event: AnyEvent | None) -> str | None:
    """The turn-up, lifted if it has just been exchanged."""
    exchanged = isinstance(event, Dix) and event.action == "exchange"
    return _marked_card(position.turn_up, lifted=exchanged) if position.turn_up else None


def centre_cards(position: TableSnapshot, frame: Frame) -> list[tuple[int, str]]:
    """The trick on the table: the one in progress, or the one just taken, until cards are drawn."""
    played = isinstance(frame.event, Play)
    if position.trick:
        return [(seat, _marked_card(card, lifted=played)) for seat, card in position.trick]
    if isinstance(frame.event, Draw) or frame.index < 0:
        return []
    last = len(position.taken) - 1
    return [
        (
            seat,
            _marked_card(card, lifted=played and i == last, won=seat == frame.table.trick.winner),
        )
        for i, (seat, card) in enumerate(position.taken)
    ]


def event_cards(event: AnyEvent | None) -> list[str]:
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


def card_taken_in_hand(event: AnyEvent | None, seat: int, turn_up: str | None) -> str | None:
    """The card that a seat has just drawn or taken by exchange."""
    match event:
        case Draw(seat=who, card=card) if who == seat:
            return card
        case Dix(seat=who, action="exchange") if who == seat:
            return turn_up
        case _:
            return None


def hand_cards(view: SeatSnapshot, playable: frozenset[str], lifted: str | None) -> list[str]:
    """The cards in a seat's hand, then those that may be in the hand or on the table."""
    place = view.hand.index(lifted) if lifted in view.hand else -1
    return [
        *(
            _marked_card(card, legal=card in playable, lifted=i == place)
            for i, card in enumerate(view.hand)
        ),
        *(_marked_card(card, legal=card in playable, half=True) for card in view.unsure),
    ]


def cards_laid(
    view: SeatSnapshot, playable: frozenset[str], ranks: str, *, lifts: bool
) -> list[CardGroup]:
    """What lies before a seat: its melds, then captured cards by suit where they lie face up."""
    newest = max((card.group for card in view.laid), default=0)
    groups = [
        CardGroup(
            "meld",
            meld_words(meld),
            [
                _marked_card(
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
    unmelded = (Counter(view.captured) - Counter(card.card for card in view.laid)).elements()
    won = sorted(
        unmelded, key=lambda card: (HAND_SUIT_ORDER.get(card[1], 4), ranks.find(card[0]), card)
    )
    return [*groups, CardGroup("won", "won", won)] if won else groups


def tableau_piles(position: TableSnapshot, event: AnyEvent | None) -> list[CardGroup]:
    """Zetema's piles, one for each rank, empty ones included."""
    thrown = event.card if isinstance(event, Discard) else None
    return [
        CardGroup(
            "pile",
            RANK_NAMES[rank],
            [
                _marked_card(card, lifted=card == thrown and i == len(pile) - 1)
                for i, card in enumerate(pile)
            ],
        )
        for rank, pile in position.tableau.items()
    ]


def _marked_card(
    card: str,
    *,
    legal: bool = False,
    half: bool = False,
    either: bool = False,
    lifted: bool = False,
    won: bool = False,
) -> str:
    """A card with its marks."""
    if legal:
        card += " legal"
    if half:
        card += " half"
    if either:
        card += " either"
    if lifted:
        card += " lifted"
    return card + " won" if won else card


MORE_MELDS = "perhaps more melds: which like cards have served stays open in too many ways"


def legal_options(legal: LegalChoices) -> list[LegalOption]:
    """The legal choices besides playing a card."""
    options: dict[tuple[str, int], LegalOption] = {}
    for meld in legal.melds:
        option = options.setdefault(
            (meld.words, meld.points), LegalOption(meld.words, meld.cards, meld.points, ways=0)
        )
        option.ways += 1
    more = [LegalOption(MORE_MELDS, [], 0, ways=1)] if legal.more_melds else []
    dix = {"exchange": "exchange the seven for the turn-up", "show": "show the seven of trumps"}
    return [
        *options.values(),
        *more,
        *(LegalOption(dix[action], [], 0, ways=1) for action in legal.dix),
    ]
