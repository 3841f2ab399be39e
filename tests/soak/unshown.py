"""Whether no record shows the planted errors of which it is said that none can: `make soak ARGS="--unshown"`.

Games of every sheet at every table, by every value of every option, are judged with these errors, and so are damaged
games and games played with the errors. One verdict that differs is one too many.
"""

from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from records.rules.registry import ALL_SHEETS, get_sheet
from tests.records.conformance.planted.searching import differences

BATCH = 100
MOST_TOLD = 3


def main(games: int, sheets: tuple[str, ...], workers: int) -> int:
    """Play so many games of every sheet; 1 if a verdict differed."""
    names = sheets or tuple([sheet.id for sheet in ALL_SHEETS])
    tasks = [
        (sheet, range(first, min(first + BATCH, games)))
        for first in range(0, games, BATCH)
        for sheet in names
    ]
    played, failed = Counter[str](), 0
    with ProcessPoolExecutor(workers) as pool:
        for (sheet, seeds), found in zip(tasks, pool.map(_found, tasks), strict=True):
            played[sheet] += len(seeds)
            failed += len(found)
            for line in found[:MOST_TOLD]:
                print(line, flush=True)
            print(f"{sheet}: {played[sheet]} games, {failed} differences so far", flush=True)
    return 1 if failed else 0


def _found(task: tuple[str, range]) -> list[str]:
    sheet, seeds = task
    return list(differences(get_sheet(sheet), seeds))
