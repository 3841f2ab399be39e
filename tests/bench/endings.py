"""The solver on real endings: both hands at the close of games played by self-play, half of them at random.

python -m tests.bench.endings FOLDER CARDS ENDINGS    prints the CPU seconds of each as JSON
"""

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from analyzer.solver.tricks import TrickPlaySolver, TrickPosition
from records.replay import replay
from records.rules.compiled import compile_sheet
from records.rules.registry import resolve_sheet
from records.selfplay import play_game
from tests.bench.environment import digest_of_sources

SHEETS = {8: "bezique", 9: "rubicon-bezique-club", 12: "six-pack-bezique"}
"""A sheet for every number of cards; none of them melds after the close."""


def endings(folder: Path, cards: int, number: int) -> list[dict[str, Any]]:
    """So many endings, written now unless these sources wrote them before."""
    path = folder / f"endings-{cards}-{number}-{digest_of_sources()}.json"
    if not path.exists():
        for old in folder.glob(f"endings-{cards}-{number}-*.json"):
            old.unlink()
        found = _played(SHEETS[cards])
        path.write_text(json.dumps([next(found) for _ in range(number)]))
    found_before: list[dict[str, Any]] = json.loads(path.read_text())
    return found_before


def _played(sheet: str) -> Iterator[dict[str, Any]]:
    seed = 0
    while True:
        style = "random" if seed % 2 else "greedy"
        open_phase = True
        for frame in replay(play_game(sheet, seed=seed, style=style, labels=True, deals=8)):
            table = frame.table
            if frame.index == -1:
                open_phase = True
            if open_phase and not table.phase.draws:
                open_phase = False
                yield {
                    "hands": [dict(held) for held in table.held],
                    "trump": table.trump,
                    "seat": table.seat,
                }
        seed += 1


def main() -> None:
    """Time every ending once, each with a solver of its own, after one round to warm up.

    What stays warm are the shapes of single suits, which all solvers share.
    """
    folder, cards, number = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    found = endings(folder, cards, number)
    book = compile_sheet(resolve_sheet(SHEETS[cards]).sheet)
    for ending in found:
        _solve(book, ending)
    seconds = []
    for ending in found:
        start = time.process_time()
        _solve(book, ending)
        seconds.append(time.process_time() - start)
    print(json.dumps(seconds))


def _solve(book: Any, ending: dict[str, Any]) -> int:
    solver = TrickPlaySolver(book, ending["trump"])
    one, other = map(solver.code_hand, ending["hands"])
    return solver.value(TrickPosition((one, other), ending["seat"]))


if __name__ == "__main__":
    main()
