"""Games of every sheet in which much is shown, by a number, and what is found in views of them and should not be."""

from collections.abc import Iterator
from random import Random

from records.record import Record
from records.validator import check_record
from tests.playouts.asserts import BAD
from tests.playouts.games import OPTIONED, STANDARD, Way
from tests.playouts.shown_games import WAYS, ZIQUES, play_showing
from tests.playouts.tableau_games import play_any_way, ways_unsaid
from tests.playouts.views import KINDS

BY_SHEET: dict[str, list[Way]] = {}
"""Every way to play each sheet: those with tricks as sevens are shown, most of Zique with sevens, Zetema at every table."""
ZETEMAS = [way for way in [*STANDARD, *OPTIONED] if way.sheet.rules.tableau]
for each in [*ZIQUES * 5, *WAYS.values(), *ZETEMAS]:
    BY_SHEET.setdefault(each.sheet.id, []).append(each)


def game_of(sheet: str, seed: int) -> Record:
    """A legal game of a sheet, labelled where its pack has copies; its way to play follows from the seed."""
    ways = BY_SHEET[sheet]
    way = ways[seed % len(ways)]
    if not way.sheet.rules.tableau:
        return play_showing(way, seed, deals=1 + (seed % 8 == 7))
    if seed % 2:
        return ways_unsaid(play_any_way(way, seed, deals=1))
    return way.play(seed, ("random", "greedy")[seed // 2 % 2], deals=1, labels=True)


def wrong_in_views(sheet: str, seed: int, kind: str) -> Iterator[str]:
    """What is found in the views of a kind of one game, without labels and with them, and should not be."""
    for view in KINDS[kind](game_of(sheet, seed), Random(f"{sheet} {seed} {kind}")):
        report = check_record(view)
        found = [(f.code, f.at.pointer) for f in report.findings if f.severity in BAD]
        found += [(c.what, c.pointer) for c in report.reconciliation if c.status == "differs"]
        if found:
            yield f"{sheet}, seed {seed}, {kind}: {found[:3]}"
