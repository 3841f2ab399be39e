"""The last trick before the close on real deals, against an enumeration of all worlds that uses nothing of the engine.

`python -m tests.soak --last-tricks` compares 300 decisions: fifty of every sheet with a turn-up. It fails if a value,
or the number of cards that may lie face down, differs anywhere. Polish Bezique is compared without melds after the
close: with them its closes are too long, here and there.
"""

import multiprocessing
from collections.abc import Iterator
from typing import NamedTuple

from records.rules.vocabulary import RuleOptionValue
from tests.analyzer.review.last_trick_deals import compare_decisions, real_deal

DECISIONS = 300
WAYS: tuple[tuple[str, dict[str, RuleOptionValue]], ...] = (
    ("bezique", {}),
    ("bezique-enhanced", {}),
    ("zique", {}),
    ("marjolet", {}),
    ("marjolet-oxford", {}),
    ("polish-bezique", {"meld_after_close": False}),
)


class Comparison(NamedTuple):
    """A deal: its sheet and seed, how many decisions were compared, and what differs."""

    sheet: str
    seed: int
    compared: int
    wrong: list[str]


def compare(task: tuple[int, int]) -> Comparison:
    """Compare both decisions of one deal."""
    way, seed = task
    sheet, options = WAYS[way]
    return Comparison(
        sheet, seed, *compare_decisions(real_deal(sheet, seed, options), ("lead", "reply"))
    )


def tasks(decisions: int) -> Iterator[tuple[int, int]]:
    """Deals of all sheets in turn; each has two decisions, if the record tells every copy apart: nine in ten do."""
    for seed in range(-(-decisions // (2 * len(WAYS))) * 6 // 5):
        for way in range(len(WAYS)):
            yield way, seed


def main(decisions: int, workers: int) -> int:
    """Compare so many decisions; 1 if anything differs, or too few could be compared."""
    compared, wrong = dict.fromkeys([sheet for sheet, _ in WAYS], 0), []
    with multiprocessing.Pool(workers) as pool:
        for found in pool.imap_unordered(compare, tasks(decisions)):
            compared[found.sheet] += found.compared
            wrong += [f"{found.sheet}, seed {found.seed}, {line}" for line in found.wrong]
    for sheet, count in compared.items():
        print(f"{sheet}: {count} decisions compared")
    print(*wrong, f"{sum(compared.values())} decisions compared, {len(wrong)} differ", sep="\n")
    return 1 if wrong or sum(compared.values()) < decisions else 0
