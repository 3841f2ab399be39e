"""What can happen in a deal: one struct an event, told apart by `type`.

The order of the fields is the canonical order of the members. A number in an event is a claim: the
replay computes its own and compares.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta

from records.cards import ALL_CARDS

MAX_PLAYERS = 6
MIN_INTEGER = -(2**63)
MAX_INTEGER = 2**63 - 1
MAX_LIST_LENGTH = 512
"""Of every list that has no limit of its own: more than the cards of the largest pack."""
TOO_LONG = Meta(max_length=MAX_LIST_LENGTH, extra={"too_many": "list-too-long"})


class NamedWords:
    """Words of which a value is one, as `Literal` has them; an error or a signature shows their name, not all of them."""

    __origin__ = Literal

    def __init__(self, name: str, words: tuple[str, ...]) -> None:
        self._name = name
        self.__args__ = words

    def __repr__(self) -> str:
        return self._name


CardSource = Literal["hand", "table"]
MELD_NAMES = (
    "marriage", "sequence", "four_aces", "four_tens", "four_kings", "four_queens", "four_jacks",
    "four_trump_aces", "four_trump_tens", "four_trump_kings", "four_trump_queens", "four_trump_jacks",
    "bezique", "double_bezique", "triple_bezique", "quadruple_bezique", "marjolet",
    "flush", "flush_sequence", "assembly", "marriages",
)  # fmt: skip
SCORE_NAMES = (
    "turned_seven", "tenth_trick", "last_trick", "all_last_tricks", "brisques", "cut", "guess", "zetema",
)  # fmt: skip
EXTENSION_KEY_PATTERN = r"^[A-Za-z][A-Za-z0-9-]*(\.[A-Za-z0-9_-]+)+\Z"
"""A reverse domain: at least one dot, and no line break at the end, which `$` would allow in Python."""

# The codes are those of the findings where a value does not fit; mypy cannot read a starred Literal.
if TYPE_CHECKING:
    Card = str
    MeldName = str
    ScoreName = str
else:
    Card = Annotated[NamedWords("Card", ALL_CARDS), Meta(extra={"code": "bad-card"})]
    MeldName = Annotated[NamedWords("MeldName", MELD_NAMES), Meta(extra={"code": "unknown-meld"})]
    ScoreName = Literal[*SCORE_NAMES]
Seat = Annotated[int, Meta(ge=0, le=MAX_PLAYERS - 1)]
Count = Annotated[int, Meta(ge=0, le=MAX_INTEGER)]
Number = Annotated[int, Meta(ge=MIN_INTEGER, le=MAX_INTEGER)]
ExtensionKey = Annotated[
    str, Meta(pattern=EXTENSION_KEY_PATTERN, extra={"code": "bad-extension-key"})
]
CardList = Annotated[list[Card], TOO_LONG]
Extensions = dict[ExtensionKey, Any]


class Event(
    msgspec.Struct,
    tag_field="type",
    forbid_unknown_fields=True,
    omit_defaults=True,
    kw_only=True,
    gc=False,
):
    """What every event may carry: the time it took in milliseconds, and extensions."""


class Play(Event, tag="play"):
    """A card is played to a trick; `from` says where it lay, if the record does."""

    seat: Seat
    card: Card
    source: CardSource | None = msgspec.field(name="from", default=None)
    ms: Count | None = None
    ext: Extensions | None = None


class Trick(Event, tag="trick"):
    """A trick is taken: a claim about who won it."""

    winner: Seat
    ms: Count | None = None
    ext: Extensions | None = None


# A trick's seat is its winner's: who wants the seat of every event need not ask for its type.
Trick.seat = Trick.winner  # type: ignore[attr-defined]


class Draw(Event, tag="draw"):
    """A seat takes a card from the stock, or the turn-up at its end."""

    seat: Seat
    card: Card
    ms: Count | None = None
    ext: Extensions | None = None


class Meld(Event, tag="meld"):
    """A combination is shown and scored."""

    seat: Seat
    meld: MeldName
    cards: CardList
    from_tableau: CardList | None = None
    points: Number | None = None
    ms: Count | None = None
    ext: Extensions | None = None


class Declare(Event, tag="declare"):
    """A combination is shown and not scored; a later `meld` may score it."""

    seat: Seat
    meld: MeldName
    cards: CardList
    ms: Count | None = None
    ext: Extensions | None = None


class Dix(Event, tag="dix"):
    """The seven of trumps is exchanged for the turn-up, shown, or was played."""

    seat: Seat
    action: Literal["exchange", "show", "play"]
    card: Card | None = None
    points: Number | None = None
    ms: Count | None = None
    ext: Extensions | None = None


class CarteBlanche(Event, tag="carte_blanche"):
    """A hand without court cards is shown."""

    seat: Seat
    points: Number | None = None
    ms: Count | None = None
    ext: Extensions | None = None


class Discard(Event, tag="discard"):
    """A card is laid on its rank's pile of the tableau (Zetema)."""

    seat: Seat
    card: Card
    ms: Count | None = None
    ext: Extensions | None = None


class Cut(Event, tag="cut"):
    """The dealer's packet, and the other player's guess of its size in cards (six-pack)."""

    seat: Seat
    packet: Count
    guess: Count | None = None
    ms: Count | None = None
    ext: Extensions | None = None


class Score(Event, tag="score"):
    """Points for what is not a meld, a dix or carte blanche."""

    seat: Seat
    what: ScoreName = msgspec.field(name="for")
    count: Count | None = None
    points: Number | None = None
    ms: Count | None = None
    ext: Extensions | None = None


class Irregular(Event, tag="irregular"):
    """What went wrong at the table and what was ruled; it explains the event before it."""

    seat: Seat
    what: Literal["revoke", "exposed_card", "withdrawn_meld", "misdeal", "other"]
    cards: CardList | None = None
    points: Number | None = None
    text: str = ""
    ms: Count | None = None
    ext: Extensions | None = None


AnyEvent = (
    Play | Trick | Draw | Meld | Declare | Dix | CarteBlanche | Discard | Cut | Score | Irregular
)
EVENT_TYPES: tuple[type[Event], ...] = get_args(AnyEvent)


def nothing_done(events: Iterable[AnyEvent]) -> bool:
    """Whether none of these is more than a ruling: the dealer may still cut."""
    return all(isinstance(event, Irregular) for event in events)


def actor_of(event: AnyEvent) -> int:
    """The seat that acts at an event: the winner of a trick, or its own."""
    return event.winner if isinstance(event, Trick) else event.seat
