"""Whether the lists of melds are whole: `python -m tests.soak --choices 200`.

So many deals of every sheet, with labels and without, are played by greedy players, by random ones and by one who hoards
cards. At some of their tables, the same ones in every run, every set of cards is put to the checks and to the referees,
as `tests.referee.every_meld` describes. It fails if a lawful meld is not listed, or one is listed that is not lawful.
"""

import multiprocessing
import sys
from collections.abc import Sequence
from typing import NamedTuple

from records.rules.registry import ALL_SHEETS
from tests.referee.every_meld import Compared, can_be_labelled, compare_deals

SHARE, SMALL_SHARE = 0.5, 0.1
"""At this share of the tables melds are compared; at the small one where a seat has very many sets of cards."""
LARGE_SHEETS = ("polish-bezique", "chinese-bezique", "six-pack-bezique")


class Task(NamedTuple):
    """Deals of one sheet, with labels or without."""

    sheet: str
    labels: bool
    deals: int


def run(task: Task) -> tuple[Task, Compared]:
    """Compare the deals of a task."""
    share = SMALL_SHARE if task.sheet in LARGE_SHEETS else SHARE
    return task, compare_deals(task.sheet, labels=task.labels, deals=task.deals, share=share)


def main(deals: int, sheets: Sequence[str], workers: int) -> int:
    """Compare every sheet, or these, and print what was compared; 1 if anything was wrong."""
    tasks = [
        Task(sheet.id, labels, deals)
        for sheet in ALL_SHEETS
        if not sheets or sheet.id in sheets
        for labels in (True, False)
        if not labels or can_be_labelled(sheet)
    ]
    wrong = []
    with multiprocessing.Pool(workers) as pool:
        for task, found in pool.imap_unordered(run, tasks):
            print(
                f"{task.sheet}, {'labelled' if task.labels else 'no labels'}: {task.deals} deals, "
                f"{found.tables} tables ({found.refereed} refereed), {found.asked} sets of cards, "
                f"{found.lawful} lawful melds, {found.undecided} undecided, "
                f"{found.cut_short} tables with more than are listed, {len(found.wrong)} wrong",
                flush=True,
            )
            wrong += found.wrong
    sys.stderr.write("".join(f"{line}\n" for line in wrong[:50]))
    return 1 if wrong else 0
