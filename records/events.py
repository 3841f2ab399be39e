"""What can happen in a deal: one struct an event, told apart by `type`.

The order of the fields is the canonical order of the members. A number in an event is a claim: the
replay computes its own and compares.
"""

from typing import Any, Literal

import msgspec

from records.cards import ALL_CARDS

Card = Literal[*ALL_CARDS]  # type: ignore[valid-type]
Where = Literal["hand", "table"]
MELD_NAMES = (
    "marriage", "sequence", "four_aces", "four_tens", "four_kings", "four_queens", "four_jacks",
    "four_trump_aces", "four_trump_tens", "four_trump_kings", "four_trump_queens", "four_trump_jacks",
    "bezique", "double_bezique", "triple_bezique", "quadruple_bezique", "marjolet",
    "flush", "flush_sequence", "assembly", "marriages",
)  # fmt: skip
MeldName = Literal[*MELD_NAMES]  # type: ignore[valid-type]
SCORE_NAMES = (
    "turned_seven", "tenth_trick", "last_trick", "all_last_tricks", "brisques", "cut", "guess", "zetema",
)  # fmt: skip
ScoreName = Literal[*SCORE_NAMES]  # type: ignore[valid-type]


class Event(
    msgspec.Struct, tag_field="type", forbid_unknown_fields=True, omit_defaults=True, kw_only=True, gc=False
):
    """What every event may carry: the time it took in milliseconds, and extensions."""


class Play(Event, tag="play"):
    """A card is played to a trick; `source` says where it lay, if the record does."""

    seat: int
    card: Card
    source: Where | None = msgspec.field(name="from", default=None)
    ms: int | None = None
    ext: dict[str, Any] | None = None


class Trick(Event, tag="trick"):
    """A trick is taken: a claim about who won it."""

    winner: int
    ms: int | None = None
    ext: dict[str, Any] | None = None


class Draw(Event, tag="draw"):
    """A seat takes a card from the stock, or the turn-up at its end."""

    seat: int
    card: Card
    ms: int | None = None
    ext: dict[str, Any] | None = None


class Meld(Event, tag="meld"):
    """A combination is shown and scored."""

    seat: int
    meld: MeldName
    cards: list[Card]
    from_tableau: list[Card] | None = None
    points: int | None = None
    ms: int | None = None
    ext: dict[str, Any] | None = None


class Declare(Event, tag="declare"):
    """A combination is shown and not scored; a later `meld` may score it."""

    seat: int
    meld: MeldName
    cards: list[Card]
    ms: int | None = None
    ext: dict[str, Any] | None = None


class Dix(Event, tag="dix"):
    """The seven of trumps is exchanged for the turn-up, shown, or was played."""

    seat: int
    action: Literal["exchange", "show", "play"]
    card: Card | None = None
    points: int | None = None
    ms: int | None = None
    ext: dict[str, Any] | None = None


class CarteBlanche(Event, tag="carte_blanche"):
    """A hand without court cards is shown."""

    seat: int
    points: int | None = None
    ms: int | None = None
    ext: dict[str, Any] | None = None


class Discard(Event, tag="discard"):
    """A card is laid on its rank's pile of the tableau (Zetema)."""

    seat: int
    card: Card
    ms: int | None = None
    ext: dict[str, Any] | None = None


class Cut(Event, tag="cut"):
    """The dealer's packet, and the other player's guess of its size in cards (six-pack)."""

    seat: int
    packet: int
    guess: int | None = None
    ms: int | None = None
    ext: dict[str, Any] | None = None


class Score(Event, tag="score"):
    """Points for what is not a meld, a dix or carte blanche."""

    seat: int
    what: ScoreName = msgspec.field(name="for")
    count: int | None = None
    points: int | None = None
    ms: int | None = None
    ext: dict[str, Any] | None = None


class Irregular(Event, tag="irregular"):
    """What went wrong at the table and what was ruled; it explains the event before it."""

    seat: int
    what: Literal["revoke", "exposed_card", "withdrawn_meld", "misdeal", "other"]
    cards: list[Card] | None = None
    points: int | None = None
    text: str = ""
    ms: int | None = None
    ext: dict[str, Any] | None = None


AnyEvent = (
    Play | Trick | Draw | Meld | Declare | Dix | CarteBlanche | Discard | Cut | Score | Irregular
)
EVENT_TYPES: tuple[type[Event], ...] = (
    Play, Trick, Draw, Meld, Declare, Dix, CarteBlanche, Discard, Cut, Score, Irregular,
)  # fmt: skip
