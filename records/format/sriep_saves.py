"""Matches that the Bezique by Sriep has saved, as records: the names, and a deal from the position that was saved.

The program saves after each trick, when both players have drawn: in a `save.json` at first, since 2017-08-06 as `gameData` of
its settings. What it does not save, such as who dealt and what was played, the record does not know.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, BinaryIO, NamedTuple

import msgspec
from msgspec import UNSET, Meta, UnsetType

from records.format import codec
from records.format.files import Entry
from records.format.log_mapping import ConversionError
from records.format.text_places import find_double_member
from records.format.toml_mistakes import describe_toml_mistake
from records.record import (
    RECORD_VERSION,
    Deal,
    Laid,
    Player,
    PlayerName,
    Provenance,
    Record,
    Rules,
    Setup,
)

MOST_SAVED_BYTES = 1024 * 1024
"""A save has some 25,000."""


def read_sriep_saves(source: BinaryIO, *, name: str, mapping: Mapping[str, Any]) -> Iterator[Entry]:
    """The one match of a file; raises ConversionError and OSError."""
    if mapping:
        raise ConversionError("A save needs no mapping: --mapping is for --from event-log.")
    data = source.read(MOST_SAVED_BYTES + 1)
    try:
        record = _record_of(_match_in(data))
    except ConversionError as error:
        raise ConversionError(f"There is no match of Sriep's Bezique in {name}: {error}.") from None
    yield Entry(name, None, codec.encode(record))


# What is saved.

_RANKS, _SUITS = "789JQKTA", "DCHS"
"""As the program counts them, from 0. A number behind the last stands for no card."""
_NUMBERS = 8
"""So many numbers a rank has in the deck: four suits, twice."""

_Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]
_Target = Annotated[int, Meta(ge=100, le=10_000)]
"""What the option `target` of the rulebook can be; a test compares them. The program takes 10 to 5000."""


class SavedCard(msgspec.Struct, frozen=True, rename="camel"):
    """A place for a card: which lies there, and in which melds it has scored."""

    rank: Annotated[int, Meta(ge=0, le=len(_RANKS))]
    suit: Annotated[int, Meta(ge=0, le=len(_SUITS))]
    has_married: bool
    has_beziqued: bool
    has_double_beziqued: bool
    has_flushed: bool
    has_four_kinded: bool

    def __post_init__(self) -> None:
        if (self.rank == len(_RANKS)) != (self.suit == len(_SUITS)):
            raise ValueError("A card has a rank and a suit, or neither")

    @property
    def face(self) -> str:
        """The card as a record writes it; empty where none lies."""
        return _RANKS[self.rank :][:1] + _SUITS[self.suit :][:1]


_Places = Annotated[list[SavedCard], Meta(min_length=8, max_length=8)]


class SavedPlayer(msgspec.Struct, frozen=True, rename="camel"):
    """The points of a player in the match, all cards, and the same parted into hand and table."""

    score: _Count
    cards: _Places
    hidded_cards: _Places
    melded_cards: _Places


class SavedDeck(msgspec.Struct, frozen=True):
    """The stock by the numbers of its cards, the turn-up first and the next card last."""

    deck: Annotated[
        list[Annotated[int, Meta(ge=0, lt=_NUMBERS * len(_RANKS))]], Meta(max_length=64)
    ]


class SavedGame(msgspec.Struct, frozen=True, rename="camel"):
    """The deal that was going on. Early versions played to 1000 points and did not save it."""

    player: SavedPlayer
    ai: SavedPlayer
    deck: SavedDeck
    face_card: SavedCard
    trumps: Annotated[int, Meta(ge=0, lt=len(_SUITS))]
    human_active_player: bool
    winning_threshold: _Target | UnsetType = UNSET


class SavedMatch(msgspec.Struct, frozen=True, rename="camel"):
    """The whole save."""

    bottom_name: PlayerName
    top_name: PlayerName
    bottom_games_won: _Count
    top_games_won: _Count
    game_data: SavedGame


_DECODER = msgspec.json.Decoder(SavedMatch)
_SETTING = re.compile(r'^gameData="@ByteArray\(([^\r\n]*)\)"\r?$', re.MULTILINE)
_ESCAPE = re.compile(r"\\(?:x([0-9a-f]{1,4})|(.))")


def _match_in(data: bytes) -> SavedMatch:
    if len(data) > MOST_SAVED_BYTES:
        raise ConversionError(f"it has more than {MOST_SAVED_BYTES:,} bytes")
    try:
        text = data if data.lstrip()[:1] == b"{" else _setting_in(data)
        match = _DECODER.decode(text)
    except msgspec.ValidationError as error:
        raise ConversionError(describe_toml_mistake(error, table="an object")) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise ConversionError("what it holds is not JSON") from None
    double = find_double_member(text)
    if double is not None and double.code == "duplicate-member":
        raise ConversionError(double.message.removesuffix("."))
    return match


def _setting_in(data: bytes) -> bytes:
    """The match in a file of settings, where Qt writes each byte as a character and escapes those beyond ASCII."""
    found = _SETTING.search(data.decode())
    if found is None:
        raise ConversionError("it is neither JSON nor settings with a `gameData`")
    text = _ESCAPE.sub(lambda escape: chr(int(escape[1], 16)) if escape[1] else escape[2], found[1])
    return text.encode("latin-1")


# The record.


def _record_of(match: SavedMatch) -> Record:
    # What is certain of the program's rules: a seven scores nothing after the close.
    options: dict[str, bool | int | str] = {"dix_in_last_tricks": False}
    if match.game_data.winning_threshold is not UNSET:
        options["target"] = match.game_data.winning_threshold
    return Record(
        format="bezique-record",
        version=RECORD_VERSION,
        rules=Rules(id="bezique", options=options),
        players=[
            Player(name=match.bottom_name, kind="person"),
            Player(name=match.top_name, kind="program"),
        ],
        meta={"games_won": [match.bottom_games_won, match.top_games_won]},
        deals=[_deal_of(match.game_data)],
        provenance=Provenance(made="converted", program="Bezique by Sriep"),
    )


def _deal_of(game: SavedGame) -> Deal:
    deck = [_RANKS[number // _NUMBERS] + _SUITS[number % len(_SUITS)] for number in game.deck.deck]
    _check_game(game, deck)
    players, seat = (game.player, game.ai), 0 if game.human_active_player else 1
    # The tables are taken up at the close, and the program saves just before it does so.
    hands = [_faces(one.hidded_cards if deck else one.cards) for one in players]
    tables = [list(_melds_of(game.player, "player")), list(_melds_of(game.ai, "ai"))]
    trick = _led_card([_faces(one.cards) for one in players], seat, deck)
    setup = Setup(
        hands=hands,
        seat=seat,
        tables=tables if deck and any(tables) else None,
        stock=max(len(deck) - 1, 0),
        trump=_SUITS[game.trumps],  # type: ignore[arg-type]
        turn_up=deck[0] if deck else None,
        scores=[one.score for one in players],
        trick=trick,
    )
    # Nobody knows who dealt. At the start of a deal it is the player who does not lead, and later it does not matter.
    return Deal(dealer=seat if trick else 1 - seat, stock=deck[:0:-1] or None, setup=setup)


def _faces(places: Sequence[SavedCard]) -> list[str]:
    return [card.face for card in places if card.face]


def _check_game(game: SavedGame, deck: Sequence[str]) -> None:
    """Raise ConversionError where a save says a thing twice, and differently."""
    for one, who in ((game.player, "player"), (game.ai, "ai")):
        if Counter(_faces(one.cards)) != Counter(_faces([*one.hidded_cards, *one.melded_cards])):
            raise ConversionError(
                f"`gameData.{who}.cards` are not those of `hiddedCards` and `meldedCards`"
            )
    if deck and deck[0] != game.face_card.face:
        raise ConversionError("`gameData.faceCard` is not the first card of `gameData.deck.deck`")
    if deck and deck[0][1] != _SUITS[game.trumps]:
        raise ConversionError("`gameData.trumps` is not the suit of `gameData.faceCard`")
    if not _faces([*game.player.cards, *game.ai.cards]):
        raise ConversionError(
            "`gameData.player.cards` and `gameData.ai.cards` have no card: the match is over"
        )


def _led_card(held: Sequence[Sequence[str]], seat: int, deck: Sequence[str]) -> list[str] | None:
    """The card that the program has led to the first trick of a deal: all others are known, and it is the one left over."""
    if len(held[seat]) != len(held[1 - seat]) + 1:
        return None
    left = Counter(2 * [rank + suit for rank in _RANKS for suit in _SUITS])
    left.subtract([*deck, *held[0], *held[1]])
    return [*left.elements()] if left.total() == 1 and min(left.values()) == 0 else None


# The melds on a table: the program keeps with each card in which kinds of meld it has scored, not with which other cards.

_FOURS = {"A": "four_aces", "K": "four_kings", "Q": "four_queens", "J": "four_jacks"}


class _Service(NamedTuple):
    """A card in a meld: `like` is what the meld has so `many` of, and marriages are made within a suit."""

    meld: str
    like: str
    many: int = 1
    suit: str = ""


def _melds_of(player: SavedPlayer, who: str) -> Iterator[Laid]:
    """The melds on a table, each with what is left of it; like cards are parted among them in order."""
    melds: dict[tuple[str, str, int], list[str]] = {}
    counts: Counter[tuple[str, str]] = Counter()
    for place, card in enumerate(player.melded_cards):
        services = list(_services_of(card)) if card.face else []
        if any(not one.meld for one in services) or (card.face and not services):
            raise ConversionError(f"`gameData.{who}.meldedCards[{place}]` is in no meld")
        for meld, like, many, suit in services:
            melds.setdefault((meld, suit, counts[meld, like] // many), []).append(card.face)
            counts[meld, like] += 1
    for (meld, _, _), cards in melds.items():
        yield Laid(meld=meld, cards=cards)


def _services_of(card: SavedCard) -> Iterator[_Service]:
    rank, suit = card.face[0], card.face[1]
    if card.has_flushed:
        yield _Service("sequence", card.face)
    if card.has_double_beziqued:
        yield _Service("double_bezique", card.face, 2)
    if card.has_beziqued:
        yield _Service("bezique", card.face)
    if card.has_four_kinded:
        yield _Service(_FOURS.get(rank, ""), rank, 4)
    if card.has_married:
        yield _Service("marriage", card.face, suit=suit)
