"""Whether no record shows the planted errors of which it is said that none can: `make soak ARGS="--unshown"`.

Games of every sheet at every table, by every value of every option, are judged with these errors, and so are damaged
games and games played with the errors. One verdict that differs is one too many.
"""

import gc
import time
from concurrent.futures import ProcessPoolExecutor

from records.rules.registry import ALL_SHEETS, get_sheet
from tests.records.conformance.planted.searching import differences

BATCH = 100
MOST_TOLD = 3


def main(games: int, sheets: tuple[str, ...], first: int, *, workers: int, minutes: float) -> int:
    """Play games of every sheet from the number `first` on, until there are so many; 1 if a verdict differed.

    If there is a limit of `minutes`, it ends when as many games of every sheet have been played as of the others.
    """
    names = sheets or tuple([sheet.id for sheet in ALL_SHEETS])
    tasks = [
        (sheet, range(start, min(start + BATCH, games)))
        for start in range(first, games, BATCH)
        for sheet in names
    ]
    failed, started = 0, time.monotonic()
    with ProcessPoolExecutor(workers) as pool:
        for (sheet, seeds), found in zip(tasks, pool.map(_found, tasks), strict=True):
            failed += len(found)
            for line in found[:MOST_TOLD]:
                print(line, flush=True)
            print(
                f"{sheet}: games {first} to {seeds.stop - 1}, {failed} differences so far",
                flush=True,
            )
            if minutes and sheet == names[-1] and time.monotonic() > started + 60 * minutes:
                pool.shutdown(cancel_futures=True)
                break
    return 1 if failed else 0


def _found(task: tuple[str, range]) -> list[str]:
    # To look for cycles in what is kept of a hundred games takes an eighth of the time.
    gc.collect()
    gc.disable()
    sheet, seeds = task
    return list(differences(get_sheet(sheet), seeds))
