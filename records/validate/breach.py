"""What a check returns: a finding without its place, which the fold adds."""

import msgspec

from records.cards import card_sign, describe_card
from records.engine.table import Table
from records.rules.vocabulary import ANY_NUMBER_OF_MELDS


class Breach(msgspec.Struct, frozen=True, kw_only=True):
    """One broken rule or wrong number; `since` is the earliest event that may be the cause."""

    code: str
    message: str
    seat: int | None = None
    expected: str | None = None
    found: str | None = None
    legal: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    since: int | None = None
    pointer: str = ""


Breaches = tuple[Breach, ...]


def seat_name(table: Table, seat: int | None) -> str:
    """Who sits there, as a sentence calls them."""
    if seat is not None and 0 <= seat < len(table.names):
        return table.names[seat]
    return f"seat {seat}"


def card_with_article(card: str) -> str:
    """A card with its article: `the queen of spades`, `an unseen card`."""
    if card == "??":
        return "an unseen card"
    return f"{'a' if '?' in card else 'the'} {describe_card(card)}"


def list_cards(cards: list[str] | tuple[str, ...]) -> str:
    """Cards as a list of signs: `K♥ Q♥`."""
    return " ".join(card_sign(card) for card in cards)


def list_card_names(cards: list[str] | tuple[str, ...], *, joint: str = "and") -> str:
    """Cards as people list them: `the king of hearts and the queen of hearts`."""
    said = [card_with_article(card) for card in cards]
    return f" {joint} ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said)


def meld_limit_words(limit: int) -> str:
    """How many melds a won trick allows."""
    return {
        0: "no meld",
        1: "one meld",
        2: "two melds",
        ANY_NUMBER_OF_MELDS: "any number of melds",
    }.get(limit, f"{limit} melds")
