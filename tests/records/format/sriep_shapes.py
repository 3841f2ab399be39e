"""Saves as the Bezique by Sriep writes them, of positions that the referee of the playouts has followed card by card."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from records.events import Draw, Play
from records.record import Setup
from records.selfplay import play_game
from tests.playouts.fragments import position_setup
from tests.playouts.referee import judge
from tests.playouts.world import World

Save = dict[str, Any]

RANKS = ["7", "8", "9", "J", "Q", "K", "T", "A"]
SUITS = ["D", "C", "H", "S"]
FLAGS = ["hasMarried", "hasBeziqued", "hasDoubleBeziqued", "hasFlushed", "hasFourKinded"]
MELDS = {
    "marriage": "hasMarried", "bezique": "hasBeziqued", "double_bezique": "hasDoubleBeziqued",
    "sequence": "hasFlushed",
}  # fmt: skip
FILES = {"T": "10", "A": "01", "J": "11", "Q": "12", "K": "13"}
NO_PLACE = 8


def place_of(card: str, link: int = NO_PLACE, flags: Sequence[str] = ()) -> Save:
    """A place with a card, or an empty one."""
    rank, suit = (RANKS.index(card[0]), SUITS.index(card[1])) if card else (8, 4)
    name = f"tinydeck/{FILES.get(card[0], '0' + card[0])}{card[1].lower()}.gif" if card else ""
    return {
        "rank": rank, "suit": suit, "imageFile": f"content/gfx/{name or 'onePixelGreen.png'}",
        "link": link, **{flag: flag in flags for flag in FLAGS},
    }  # fmt: skip


def row_of(places: list[Save]) -> list[Save]:
    return places + [place_of("")] * (8 - len(places))


def number_of(card: str) -> int:
    """The number of a card in the deck: either copy's, where it has no label."""
    return RANKS.index(card[0]) * 8 + SUITS.index(card[1]) + (4 if card.endswith(".2") else 0)


def player_of(
    hand: Sequence[str], table: Sequence[str], flags: dict[str, list[str]], score: int, at: Random
) -> Save:
    """A player with the cards in places by chance; the rows of hand and table say where among all each is."""
    held = [*hand, *table]
    links = dict(zip(held, at.sample(range(8), len(held)), strict=True))
    placed = {card: place_of(card, links[card], flags.get(card, [])) for card in held}
    cards = [place_of("")] * 8
    for card, link in links.items():
        cards[link] = placed[card]
    return {
        "cards": cards, "hiddedCards": row_of([placed[card] for card in hand]),
        "meldedCards": row_of([placed[card] for card in table]), "score": score,
        "unseenCards": [dict.fromkeys(("diamonds", "clubs", "hearts", "spades"), 1)] * 8,
    }  # fmt: skip


def save_of(
    players: Sequence[Save],
    deck: Sequence[str],
    *,
    trump: str,
    seat: int,
    target: int | None = None,
) -> Save:
    """A whole save; the first card of the deck is the turn-up, and the last is drawn next."""
    data = {
        "player": players[0], "ai": players[1], "aiActivePlayer": seat == 1, "humanActivePlayer": seat == 0,
        "faceCard": place_of(deck[0] if deck else ""), "deck": {"deck": [number_of(card) for card in deck]},
        "meldedSeven": False, "humanStarted": True, "trumps": SUITS.index(trump), "isEndgame": not deck,
        "gameState": "earlyGame" if deck else "endgame",
    }  # fmt: skip
    if target is not None:
        data["winningThreshold"] = target
    return {
        "bottomName": "Ann", "topName": "AI", "bottomGamesWon": 2, "topGamesWon": 1, "gameData": data,
    }  # fmt: skip


def saves_of_a_game(seed: int) -> Iterator[tuple[Save, Setup, list[str]]]:
    """A save at each lead of the first deal of a game, the position as the referee knows it, and its stock."""
    record = play_game("bezique", seed=seed, labels=True, deals=1)
    events, at = record.deals[0].events, Random(seed)
    trail = judge(record).trails[0].worlds
    for number in range(1, len(events)):
        (world,) = trail[number]
        if isinstance(events[number], Play) and not world.trick:
            drawn = [event.card for event in events[number:] if isinstance(event, Draw)]
            yield _save_of_world(world, drawn, at), position_setup(world, False), drawn[:-1]


def _save_of_world(world: World, drawn: Sequence[str], at: Random) -> Save:
    """What the program would save: a brisque has scored its 10 points with the trick."""
    flags: dict[str, list[str]] = {}
    for meld in (meld for scored in world.scored for meld in scored):
        for card in meld.cards:
            flags.setdefault(card, []).append(MELDS.get(meld.row.name, "hasFourKinded"))
    players = [
        player_of(sorted(hand - world.laid), sorted(hand & world.laid), flags, points + brisques, at)
        for hand, points, taken in zip(world.hands, world.points, world.taken, strict=True)
        for brisques in [10 * sum(card[0] in "AT" for card in taken)]
    ]  # fmt: skip
    deck = [world.turn_up, *reversed(drawn[:-1])] if drawn else []
    return save_of(players, deck, trump=world.trump or "", seat=world.to_act)
