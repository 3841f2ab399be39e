"""One contestant in its own process: it runs a round for each line it gets and answers with its CPU time.

python -m tests.bench.worker tests.bench.chess_pgn:read_games FOLDER GAMES
"""

import gc
import json
import resource
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

Round = Callable[[], int]


def contestant(entry: str, folder: Path, games: int) -> Round:
    """What `module:function` makes of the inputs: a callable that does one round and counts."""
    module, function = entry.split(":")
    prepare: Callable[[Path, int], Round] = getattr(import_module(module), function)
    return prepare(folder, games)


def measure(one_round: Round) -> tuple[int, float]:
    """How much a round handled, and the CPU seconds it took; garbage of the last is not charged."""
    gc.collect()
    start = _cpu()
    count = one_round()
    return count, _cpu() - start


def _cpu() -> float:
    """CPU seconds of this process, and of others that it has started and seen the end of."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


def serve(one_round: Round) -> None:
    """Warm up, then answer every line of standard input with a round."""
    measure(one_round)
    print("ready", flush=True)
    for _ in sys.stdin:
        print(json.dumps(measure(one_round)), flush=True)


if __name__ == "__main__":
    serve(contestant(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])))
