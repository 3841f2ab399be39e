"""What a game record is: the structs of format version 1, in the canonical order of their members."""

import re
from collections.abc import Iterable
from types import MappingProxyType
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Meta

from records.events import (
    MAX_PLAYERS,
    TOO_LONG,
    AnyEvent,
    Card,
    CardList,
    Count,
    Extensions,
    MeldName,
    Number,
    Seat,
    nothing_done,
)

RECORD_FORMAT = "bezique-record"
RECORD_VERSION = "1.0"
_ABOVE_NOTATION = rb"(?:\xef\xbb\xbf)*+(?:[ \t\r\n]++|#[^\n]*+)*+"
NOTATION_START = re.compile(_ABOVE_NOTATION + rb"\[bezique(?=[ \t\r\n\]]|\Z)")
"""How a record in the notation begins, at the start of a text: after comments, if it has some.

Its version may be missing, which is a mistake.
"""
TYPED_START = re.compile(
    _ABOVE_NOTATION + rb"(?:\[[ \t]*(?!(?:true|false|null)\b)[A-Za-z]{2}"
    rb"|(?![{\"\[])(?=[^\n{]{0,300}?\b(?i:marjolet|bezique|zique|zetema)\b)[^\n{]{1,300}\n)"
)
"""How the notation begins as people type it: with any tag, or with a title that names the game, and a line behind it.

Whether the text is in the notation is for its reader to say.
"""

MAX_RECORD_BYTES = 8 * 1024 * 1024
MAX_DEALS = 1_000
MAX_EVENTS_PER_DEAL = 5_000
MAX_NOTES = 10_000
MAX_LINES = 1_000
MAX_LINE_EVENTS = 20_000
"""The events of all lines together."""
MAX_EVENTS_BETWEEN = 64
"""What an event claims of an earlier one counts if no more events stand between them: games have a handful."""
CLAIMS_REACH = MAX_EVENTS_BETWEEN + 1
"""So many events after one are looked at for what they claim of it."""
MIN_PLAYERS = 2
MAX_NAME_LENGTH = 200
MAX_NESTING_DEPTH = 32
MAX_DIGITS = 4_300
"""The digits of an integer in `ext` or `meta`: Python reads no longer one as a number."""
MAX_EXPANDED_BYTES = 2 * 1024 * 1024 * 1024
MAX_EXPANSION, FREE_EXPANDED_BYTES = 200, 1024 * 1024
"""A compressed file may expand to so many times its size, and a little more; games shrink to a twentieth or an eightieth."""

CARD_MEMBERS = frozenset(
    ("captured", "card", "cards", "from_tableau", "hands", "spent_dixes", "stock", "tableau", "trick",
     "turn_up")
)  # fmt: skip
"""The members that hold cards; `stock` of a setup is a number."""

OptionValue = bool | Number | str
Knowledge = Literal["full", "seat", "public", "plays", "scores"]
RecordVersion = Annotated[str, Meta(extra_json_schema={"pattern": r"^1\.[0-9]{1,9}$"})]
PlayerName = Annotated[str, Meta(max_length=MAX_NAME_LENGTH, extra={"too_many": "name-too-long"})]
HandList = Annotated[list[CardList], TOO_LONG]
NumberList = Annotated[list[Number], TOO_LONG]
CountList = Annotated[list[Count], TOO_LONG]
EventList = Annotated[
    list[AnyEvent], Meta(max_length=MAX_EVENTS_PER_DEAL, extra={"too_many": "too-many-events"})
]
Anchor = Annotated[
    list[Count],
    Meta(min_length=1, max_length=2, extra={"too_few": "bad-anchor", "too_many": "bad-anchor"}),
]
"""`[deal]` or `[deal, event]`."""


class RecordStruct(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A member of a record."""


class Rules(RecordStruct):
    """The rule sheet, its edition, the options that differ from the default, and the sheet itself if it is one's own."""

    id: str
    edition: Count | None = None
    options: dict[str, OptionValue] = {}
    sheet: dict[str, Any] | None = None


class Player(RecordStruct):
    """Who sat there."""

    name: PlayerName
    id: str | None = None
    kind: Literal["person", "program"] | None = None


class Laid(RecordStruct):
    """Cards that lie melded in a `setup`, and whether they were scored there."""

    meld: MeldName
    cards: CardList
    scored: bool = True


LaidMelds = Annotated[list[Laid], TOO_LONG]


class Setup(RecordStruct):
    """A position in mid-deal: where a problem or a published fragment starts.

    `hands` are the cards in hand, `tables` what lies melded before each seat and is still held;
    `stock` counts the face-down cards; `seat` is to act and `won` is whether that seat has just won
    a trick and may still meld; `trick` holds the cards already played to the trick. Where melds are
    made of captured cards, `tables` names those that lie melded and `captured` the others, the last two
    of them just won if `won`. `tableau` are the cards on Zetema's piles.
    """

    hands: HandList
    seat: Seat
    tables: Annotated[list[LaidMelds], TOO_LONG] | None = None
    stock: Count = 0
    trump: Literal["S", "H", "D", "C"] | None = None
    turn_up: Card | None = None
    scores: NumberList | None = None
    brisques: CountList | None = None
    won: bool = False
    trick: CardList | None = None
    spent_dixes: CardList | None = None
    captured: HandList | None = None
    tableau: CardList | None = None


class Claims(RecordStruct):
    """What the record says a deal came to: this deal's points, one number a side."""

    scores: NumberList | None = None


class Deal(RecordStruct):
    """One deal: who dealt, what was dealt, what happened."""

    dealer: Seat
    knowledge: Knowledge | None = None
    seat: Seat | None = None
    hands: HandList | None = None
    turn_up: Card | None = None
    stock: CardList | None = None
    setup: Setup | None = None
    events: EventList = []
    claims: Claims | None = None
    ext: Extensions | None = None


class Result(RecordStruct):
    """What the record says the game came to."""

    status: Literal["complete", "unfinished", "abandoned"] | None = None
    scores: NumberList | None = None
    settlement: NumberList | None = None
    winner: Seat | msgspec.UnsetType | None = msgspec.UNSET


def may_still_cut(deal: Deal, events: Iterable[AnyEvent]) -> bool:
    """Whether these first events of a deal are no more than rulings: where the rules ask for a cut, it comes next."""
    return deal.setup is None and nothing_done(events)


def is_claimed_over(result: Result | None) -> bool:
    """Whether a result says that the match was played to its end: by its status, or else by an outcome that it names."""
    if result is None or result.status is not None:
        return result is not None and result.status == "complete"
    return result.winner is not msgspec.UNSET or result.settlement is not None


class Note(RecordStruct):
    """A comment at a deal (`[deal]`) or an event (`[deal, event]`)."""

    at: Anchor
    text: str
    by: str | None = None


# The mark that a text of a note or line begins with: what its author thinks of the choice, as chess writers put it.

NOTE_MARKS = MappingProxyType(
    {
        "!!": "brilliant",
        "!": "good",
        "!?": "interesting",
        "?!": "doubtful",
        "?": "a mistake",
        "??": "a blunder",
        "(forced)": "the only choice",
        "(luck)": "a matter of luck",
    }
)
"""Every mark with its meaning."""


class MarkedText(NamedTuple):
    """A comment as its mark, empty if it has none, and its words."""

    mark: str
    words: str

    @property
    def meaning(self) -> str:
        """What the mark says; empty without one."""
        return NOTE_MARKS.get(self.mark, "")


def split_mark(text: str) -> MarkedText:
    """Part a comment from its mark: the first word of the text, if it is one ("Notes and lines" in the specification)."""
    first = (text.split(maxsplit=1) or [""])[0]
    if first not in NOTE_MARKS or not text.startswith(first):
        return MarkedText("", text)
    return MarkedText(first, text[len(first) :].lstrip())


class Line(RecordStruct):
    """What might have been played instead, from the event at `at` on."""

    at: Anchor
    events: EventList
    text: str | None = None
    by: str | None = None


class Provenance(RecordStruct):
    """Which program made the record, and how."""

    made: str | None = None
    program: str | None = None
    version: str | None = None


Players = Annotated[
    list[Player],
    Meta(
        min_length=MIN_PLAYERS,
        max_length=MAX_PLAYERS,
        extra={"too_few": "too-few-players", "too_many": "too-many-players"},
    ),
]
SideList = Annotated[list[Annotated[list[Seat], TOO_LONG]], TOO_LONG]
NoteList = Annotated[list[Note], Meta(max_length=MAX_NOTES, extra={"too_many": "list-too-long"})]
LineList = Annotated[list[Line], Meta(max_length=MAX_LINES, extra={"too_many": "list-too-long"})]
Deals = Annotated[list[Deal], Meta(max_length=MAX_DEALS, extra={"too_many": "too-many-deals"})]


class Record(RecordStruct):
    """One game: players, rules, and the deals until it was decided."""

    format: Literal["bezique-record"]
    version: RecordVersion
    rules: Rules
    players: Players
    sides: SideList | None = None
    meta: dict[str, Any] | None = None
    deals: Deals = []
    result: Result | None = None
    notes: NoteList | None = None
    lines: LineList | None = None
    provenance: Provenance | None = None
    ext: Extensions | None = None


def has_only_scores(record: Record) -> bool:
    """Whether a record tells no play: it has only the scores of every deal, or no deal and how the match ended."""
    if not record.deals:
        return is_claimed_over(record.result)
    return all(deal.knowledge == "scores" for deal in record.deals)
