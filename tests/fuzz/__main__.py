"""Search for inputs that cost too much or stop the program: `python -m tests.fuzz --minutes 30`.

Every shape of input gets as much time as the others. What breaks a bound is made small and written into a folder, as
a plan and as the input itself; `--again PLAN` runs a plan once more. The exit status is 1 if anything was found.
"""

import argparse
import json
import multiprocessing
import sys
from pathlib import Path

from tests.fuzz.hunt import Found, Input, Runners, Tally, hunt, measured_size
from tests.fuzz.measuring import ROOT
from tests.fuzz.plans import write
from tests.fuzz.shapes import SHAPES
from tests.fuzz.worker import DOORS


def tell(found: Found) -> None:
    print("FOUND", found.say(), flush=True)


def row(name: str, tally: Tally) -> str:
    worst = [
        f"{figure:>12}"
        for figure in (
            f"{tally.slowest.cost.cpu:.2f} s" if tally.slowest else "",
            f"{tally.largest.cost.mib:.0f} MiB" if tally.largest else "",
            f"{tally.longest.cost.answer:,}" if tally.longest else "",
        )
    ]
    return (
        f"{name:<10}{tally.inputs:>10,}{tally.seconds:>9.0f} s{''.join(worst)}{len(tally.found):>7}"
    )


def report(tallies: dict[str, Tally]) -> str:
    """What was tried, and the worst of it."""
    head = f"{'shape':<10}{'inputs':>10}{'time':>11}{'slowest':>12}{'largest':>12}{'answer':>12}{'found':>7}"
    total = sum(tally.inputs for tally in tallies.values())
    rows = [row(name, tally) for name, tally in tallies.items()]
    return "\n".join([head, *rows, f"{total:,} inputs tried"])


def options(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    add = parser.add_argument
    add("--shape", action="append", choices=sorted(SHAPES), help="only this one; may be repeated")
    add("--door", action="append", default=[], choices=sorted(DOORS), help="only through this one")
    add("--minutes", type=float, default=10.0, help="how long (%(default)s)")
    add("--seed", type=int, default=1, help="another seed makes other inputs (%(default)s)")
    add("--workers", type=int, default=1, help="hunts at once, each with a seed of its own")
    add("--first", action="store_true", help="end at the first finding")
    add("--folder", type=Path, default=ROOT / "var" / "fuzz", help="where findings are written")
    add("--code", type=Path, default=ROOT, help="a checkout of another version to hunt in")
    add("--again", type=Path, action="append", default=[], help="run this plan only")
    return parser.parse_args(arguments)


def again(paths: list[Path], code: Path) -> int:
    """Run plans once more and say what they cost."""
    broken = 0
    runners = Runners(code)
    for path in paths:
        told = json.loads(path.read_text(encoding="utf-8"))
        data = write(told["plan"])
        runner = runners.of(told["door"])
        size = measured_size(told["plan"], told["door"], data)
        cost = runner.run(told["door"], data, size=size)
        breach = runner.breach(told["door"], size, cost)
        broken += breach is not None
        print(f"{path.name}: {breach or 'within its bounds'} {cost._asdict()}")
    runners.close()
    return 1 if broken else 0


def search(told: argparse.Namespace) -> dict[str, Tally]:
    """One hunt; writes down what it finds and what was costliest."""
    tallies = hunt(
        told.shape or list(SHAPES),
        seed=told.seed,
        seconds=60 * told.minutes,
        first_only=told.first,
        code=told.code,
        doors=told.door,
        tell=tell,
    )
    for name, tally in tallies.items():
        for found in tally.found:
            found.save(told.folder)
        if tally.slowest is not None:
            _save_worst(told, name, tally.slowest)
    return tallies


def _save_worst(told: argparse.Namespace, name: str, slowest: Input) -> None:
    Found(name, "slowest", slowest, told.seed, 0, 0.0).save(told.folder / "slowest")


def main(arguments: list[str] | None = None) -> int:
    told = options(arguments)
    if told.again:
        return again(told.again, told.code)
    seeds = [
        argparse.Namespace(**{**vars(told), "seed": told.seed + number})
        for number in range(told.workers)
    ]
    if told.workers == 1:
        results = [search(told)]
    else:
        with multiprocessing.Pool(told.workers) as pool:
            results = pool.map(search, seeds)
    failed = False
    for each, tallies in zip(seeds, results, strict=True):
        print(f"\nseed {each.seed}\n{report(tallies)}")
        failed |= any(tally.found for tally in tallies.values())
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
