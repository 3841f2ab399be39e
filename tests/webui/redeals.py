"""Deals that look the same to one seat: the cards that it cannot see lie elsewhere, and all else is the same.

Every card of the pack is a place: one of a hand as dealt, the turn-up, or one of the stock as it was drawn. The deal is
followed place by place, so that it is known which cards a seat has seen after every event. A re-deal shuffles the
cards of the places that it has not seen, and lets everybody play from the same places as before. Nothing of the engine
is used here. Where a record does not tell which of two like cards was played or melded, it was one that lay open: the
other may then be any card. But where a seat has melded a card twice, the rules of reuse decide which copies lie there,
and players at the table saw them: without labels the other copies of such a card stay where they are.
"""

from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from records.events import CarteBlanche, Declare, Discard, Dix, Draw, Irregular, Meld, Play
from records.record import Record
from records.rules.compiled import compile_sheet
from records.rules.registry import resolve_sheet
from records.rules.vocabulary import MeldsFrom

CardPlace = tuple[str, int, int]
"""A hand, its seat and a number in it; `turn-up`, 0, 0; or `stock`, 0 and the index of its draw."""
TURN_UP: CardPlace = ("turn-up", 0, 0)


class Moment(NamedTuple):
    """What is known after an event: the places that every seat has held, those that everybody has seen, and the
    cards without a label that a seat has melded twice."""

    had: list[frozenset[CardPlace]]
    open: frozenset[CardPlace]
    melded_twice: frozenset[str]


class FollowedDeal:
    """The deal of a record with one deal, followed place by place."""

    def __init__(self, record: Record) -> None:
        self.record, deal = record, record.deals[0]
        self.events = deal.events
        self.dealt: dict[CardPlace, str] = {
            ("hand", seat, i): card
            for seat, hand in enumerate(deal.hands or [])
            for i, card in enumerate(hand)
        }
        draws = [i for i, event in enumerate(self.events) if isinstance(event, Draw)]
        sheet = resolve_sheet(record.rules.id, None, record.rules.options).sheet
        # The turn-up is the last card drawn.
        rest = sum(compile_sheet(sheet).copies.values()) - sum(map(len, deal.hands or []))
        drawn_out = deal.turn_up is not None and len(draws) == rest
        self.takes_turn_up = draws[-1] if drawn_out else None
        self.dealt |= {
            ("stock", 0, i): self.events[i].card for i in draws if i != self.takes_turn_up
        }
        if deal.turn_up is not None:
            self.dealt[TURN_UP] = deal.turn_up
        self.held = [
            {place for place in self.dealt if place[:2] == ("hand", seat)}
            for seat in range(len(record.players))
        ]
        self.had = [{*places} for places in self.held]
        self.melded = Counter[tuple[int, str]]()
        self.open, self.turned = {TURN_UP}, TURN_UP
        self.captured = sheet.rules.melds_from is MeldsFrom.CAPTURED
        self.named: list[list[CardPlace | None]] = []
        self.moments = [self._moment()]
        for index, event in enumerate(self.events):
            self.named.append(self._follow(index, event))
            self.moments.append(self._moment())

    def _moment(self) -> Moment:
        twice = {card for (_, card), count in self.melded.items() if count > 1 and len(card) == 2}
        return Moment([*map(frozenset, self.had)], frozenset(self.open), frozenset(twice))

    def _follow(self, index: int, event: object) -> list[CardPlace | None]:
        """The places of the cards that an event names, None where a card lies in no hand."""
        match event:
            case Play(seat=seat, card=card, source=source):
                return self._leave(seat, card, source)
            case Discard(seat=seat, card=card):
                return self._leave(seat, card, None)
            case Draw(seat=seat):
                place = self.turned if index == self.takes_turn_up else ("stock", 0, index)
                self._take(seat, place)
                return [place]
            case Meld(seat=seat, cards=cards) | Declare(seat=seat, cards=cards):
                self.melded.update((seat, card) for card in {*cards})
                return [None] * len(cards) if self.captured else self._lay(seat, cards)
            case Dix(seat=seat, action="exchange"):
                seven = event.card or f"7{self.dealt[TURN_UP][1]}"
                (given,) = self._leave(seat, seven, None)
                taken, self.turned = self.turned, given or self.turned
                self._take(seat, taken)
                return [given] if event.card else []
            case Dix(seat=seat, action="show"):
                self.open |= self._like(seat, event.card or f"7{self.dealt[TURN_UP][1]}", None)
            case CarteBlanche(seat=seat):
                self.open |= self.held[seat]
            case Irregular(seat=seat, cards=[*cards]):
                return self._lay(seat, cards)
        return []

    def _take(self, seat: int, place: CardPlace) -> None:
        self.held[seat].add(place)
        self.had[seat].add(place)

    def _like(self, seat: int, card: str, source: str | None) -> set[CardPlace]:
        """The places that a seat holds from which this card may come."""
        like = {place for place in self.held[seat] if self.dealt[place] == card}
        return (
            like if source is None else {p for p in like if (p in self.open) == (source == "table")}
        )

    def _leave(self, seat: int, card: str, source: str | None) -> list[CardPlace | None]:
        like = self._like(seat, card, source)
        if not like:
            return [None]
        place = min(like & self.open or like)
        self.open.add(place)
        self.held[seat].discard(place)
        return [place]

    def _lay(self, seat: int, cards: Iterable[str]) -> list[CardPlace | None]:
        laid: list[CardPlace | None] = []
        for card in cards:
            like = self._like(seat, card, None) - {*laid}
            laid.append(min(like & self.open or like) if like else None)
        self.open.update(filter(None, laid))
        return laid

    def unseen(self, seat: int, steps: int) -> list[CardPlace]:
        """The places of which a seat has not seen the card after so many events, and which may hold any other."""
        now = self.moments[steps]
        places = set(self.dealt) - now.open - now.had[seat]
        return sorted(place for place in places if self.dealt[place] not in now.melded_twice)

    def hides_something(self, seat: int, steps: int) -> bool:
        """Whether a seat has not seen two different cards, so that they may lie the other way round."""
        return len({self.dealt[place] for place in self.unseen(seat, steps)}) > 1

    def redeal(self, seat: int, steps: int, random: Random) -> dict[CardPlace, str]:
        """The card of every place, those that a seat has not seen after so many events dealt anew."""
        places = self.unseen(seat, steps)
        cards = [self.dealt[place] for place in places]
        random.shuffle(cards)
        return self.dealt | dict(zip(places, cards, strict=True))

    def written(self, dealt: dict[CardPlace, str], end: int) -> Record:
        """The record of these cards, with so many events from the same places."""
        deal = self.record.deals[0]
        hands = [
            [dealt["hand", seat, i] for i in range(len(hand))]
            for seat, hand in enumerate(deal.hands or [])
        ]
        events = [
            _with_cards(event, [place and dealt[place] for place in self.named[i]])
            for i, event in enumerate(self.events[:end])
        ]
        return replace(self.record, deals=[replace(deal, hands=hands, events=events)])


def _with_cards(event: object, cards: list[str | None]) -> object:
    """An event of other cards; it keeps those for which there is None."""
    match event, cards:
        case ((Play() | Draw() | Discard() | Dix()), [str(card)]):
            return replace(event, card=card)
        case ((Meld() | Declare() | Irregular()), [_, *_]):
            kept = [card or old for card, old in zip(cards, event.cards, strict=True)]
            return replace(event, cards=kept)
    return event
