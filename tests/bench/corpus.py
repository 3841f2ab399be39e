"""Any number of self-played deals of all sheets: `python -m tests.bench.corpus FILE DEALS [START]`.

Some games are really played. Every further one is one of them with some claims left out that may be left out,
between other players and in another month: another game, whose digest differs and whose play does not.
"""

import re
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random

from records import selfplay
from records.format import codec
from records.rules.registry import ALL_SHEETS
from records.rules.vocabulary import RuleSheet
from records.selfplay import PlayingStyle
from tests.bench.environment import digest_of_sources

PLAYED = 150
"""Deals of each sheet that are really played."""
STYLES: tuple[PlayingStyle, ...] = ("greedy", "random")
FEW_COPIES = 2
"""Games of more packs tell the copies of a card apart, as a server would."""
OPTIONAL = re.compile(rb'\{"type":"trick","winner":\d\},|,"points":\d+(?=\})')
"""What may be left out of a record: who won a trick, what is said to be scored."""
PLAYERS, MONTHS = 300, 36


def file(folder: Path, deals: int) -> Path:
    """The file of about so many deals, named by what wrote it; written now unless it was before."""
    path = folder / f"mixed-{deals}-{digest_of_sources()}.jsonl"
    if not path.exists():
        for old in folder.glob(f"mixed-{deals}-*.jsonl"):
            old.unlink()
        write(path, mixed(deals))
    return path


def write(path: Path, records: Iterator[bytes]) -> None:
    """Write records, one a line; a file of this name is always whole."""
    unfinished = path.with_suffix(".part")
    with unfinished.open("wb") as out:
        out.writelines(text + b"\n" for text in records)
    unfinished.rename(path)


def mixed(deals: int, start: int = 0) -> Iterator[bytes]:
    """Records with about so many deals, the same number of each sheet, after the first `start` deals."""
    done = dict.fromkeys([sheet.id for sheet in ALL_SHEETS], 0)
    games = {sheet.id: _games(sheet) for sheet in ALL_SHEETS}
    before = 0
    while before < start + deals:
        sheet = min(done, key=done.__getitem__)
        text, number = next(games[sheet])
        if before >= start:
            yield text
        done[sheet] += number
        before += number


def _games(sheet: RuleSheet) -> Iterator[tuple[bytes, int]]:
    """Games of a sheet and their deals, without an end."""
    played = list(_played(sheet))
    places = [[found.span() for found in OPTIONAL.finditer(text)] for text, _ in played]
    chance = Random(sheet.id)
    for variant in count():
        for (text, deals), optional in zip(played, places, strict=True):
            left_out = [span for bit, span in enumerate(optional) if variant >> bit & 1]
            yield _dressed(_without(text, left_out), chance), deals


def _without(text: bytes, spans: list[tuple[int, int]]) -> bytes:
    for start, end in reversed(spans):
        text = text[:start] + text[end:]
    return text


def _dressed(text: bytes, chance: Random) -> bytes:
    """A game between other players, in another month."""
    head, deals, rest = text.partition(b'"deals"')
    for name in selfplay.SELFPLAY_NAMES:
        other = f'"Player {chance.randrange(PLAYERS)}"'
        head = head.replace(f'"{name}"'.encode(), other.encode())
    year, month = divmod(chance.randrange(MONTHS), 12)
    started = f'"started":"{2024 + year}-{month + 1:02}-15T20:00:00Z"'
    return re.sub(rb'"event":"[^"]*"', started.encode(), head) + deals + rest


def _played(sheet: RuleSheet) -> Iterator[tuple[bytes, int]]:
    """So many deals by two players of different style, of any number of players the sheet is for."""
    deals, labels = 0, sheet.rules.pack.packs > FEW_COPIES
    for seed in count():
        players = sheet.rules.players[seed % len(sheet.rules.players)]
        style = STYLES[seed % len(STYLES)]
        game = selfplay.play_game(sheet.id, seed=seed, style=style, labels=labels, players=players)
        yield codec.encode(game), len(game.deals)
        deals += len(game.deals)
        if deals >= PLAYED:
            return


def main() -> None:
    """Write a file of records, one a line."""
    write(Path(sys.argv[1]), mixed(*map(int, sys.argv[2:])))


if __name__ == "__main__":
    main()
