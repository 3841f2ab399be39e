"""Every benchmark in one run: ratios by round, memory, page times, and a table with the targets.

CPU times on a busy machine drift together, so each ratio is taken inside a round and the median of
the rounds is reported. A missed target is printed and is no error; what could not be measured is one.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.bench import (
    asking,
    environment,
    loading,
    machine,
    solving,
    steps,
    subject,
    web,
    worst_costs,
)
from tests.bench.figures import Figure, median, table
from tests.bench.moves import largest_pickle
from tests.bench.pure_python import copy_sources, is_compiled
from tests.bench.rounds import Contestant, Lap, race
from tests.machine.cpu_cost import slowness

STAGES = ("decode", "digest", "replay", "every_frame", "written")
IN_PURE_PYTHON = "validate in pure Python"
TARGETS = {"compiled": (18.0, 72.0, 7.5, 12.0), "pure Python": (10.0, 40.0, 13.0, None)}
"""How many times as fast as python-chess and as PokerKit validation is to be, and as how many times decoding alone it may
take at most: of two packs, and of six without labels. None where nothing is asked."""
PLAYED_BY_HAND = {
    "legal_and_do": ("legal moves, and one of them made", 1.0),
    "do_and_undo": ("a move made and taken back", 3.0),
    "copy": ("a copy of a game", 2.0),
}
"""The tasks of whoever plays move by move: in words, and how many times as long as python-chess they may take."""
LARGEST_PICKLE = 5_000
FOLLOWED = 5_000
"""So many events a second `bezique follow` is to answer."""
SMALL, TIMES = 60, 10
"""Games in the small file of the memory benchmark, and how many times larger the large one is."""


def main() -> None:
    """Run what is asked for and print it."""
    options = _options()
    before = slowness()
    home = environment.folder()
    peers = environment.ready(home)
    folder = environment.inputs(home)
    print(f"writing {options.games} games", file=sys.stderr)
    subject.write(folder, options.games)
    contestants = _contestants(peers)
    if is_compiled():
        pure = copy_sources(home)
        entry = "tests.bench.subject:validate"
        contestants.append(Contestant(IN_PURE_PYTHON, entry, Path(sys.executable), pure))
    laps = race(contestants, rounds=options.rounds, folder=folder, games=options.games)
    figures = [
        *_speed(laps),
        *_stages(laps),
        *_by_hand(laps),
        *solving.figures(folder, peers),
        *_memory(folder),
        *loading.figures(),
        *web.figures(),
        *steps.figures(),
        *asking.figures(options.deals),
        *worst_costs.figures(),
    ]
    figures = [*machine.figures(before, slowness()), *figures]
    if options.json:
        print(json.dumps([figure.plain() for figure in figures], indent=1))
    else:
        print(table(figures))
    if environment.NOT_MEASURED:
        sys.exit(f"not measured: {', '.join(environment.NOT_MEASURED)}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="rounds of every contestant")
    parser.add_argument("--games", type=int, default=200, help="games of every contestant")
    parser.add_argument(
        "--deals", type=int, default=asking.DEALS, help="deals of the large database"
    )
    parser.add_argument("--json", action="store_true", help="figures as JSON")
    return parser.parse_args()


def _contestants(peers: Path) -> list[Contestant]:
    own = Path(sys.executable)
    subjects = [
        Contestant(name, f"tests.bench.subject:{name}", own)
        for name in ("validate", "floor", "validate_six_packs", "floor_six_packs", *STAGES)
    ]
    chess = Contestant("python-chess", "tests.bench.chess_pgn:read_games", peers)
    poker = Contestant("PokerKit", "tests.bench.poker_phh:read_hands", peers)
    review = Contestant("review", "tests.bench.solving:review", own)
    played = [
        Contestant(name, f"tests.bench.rollouts:{name}", own) for name in ("self_play", "roll_outs")
    ]
    follow = Contestant("follow", "tests.bench.following:follow", own)
    by_hand = [
        Contestant(f"{name}, {task}", f"tests.bench.{module}:{task}", python)
        for task in PLAYED_BY_HAND
        for name, module, python in (("Game", "moves", own), ("Board", "chess_moves", peers))
    ]
    return [*subjects, chess, poker, review, *played, follow, *by_hand]


def _speed(laps: dict[str, list[Lap]]) -> list[Figure]:
    """How fast everybody is, and the ratios that have a target."""
    rates = [
        median("speed", name, f"{unit}/s", [lap.rate for lap in laps[name]])
        for name, unit in (
            ("validate", "events"),
            ("python-chess", "plies"),
            ("PokerKit", "actions"),
            ("self_play", "events"),
            ("roll_outs", "events"),
        )
    ]
    validation = (
        [*_validation(laps, "validate", "compiled"), *_validation(laps, IN_PURE_PYTHON, "pure Python")]
        if IN_PURE_PYTHON in laps
        else _validation(laps, "validate", "pure Python")
    )  # fmt: skip
    reviewing = _ratios(laps, "review", "validate", _slower)
    played = _ratios(laps, "roll_outs", "self_play", _faster)
    followed = [lap.rate for lap in laps["follow"]]
    return [
        *rates,
        median("speed", "follow, with choices", "events/s", followed, bound="at least", target=FOLLOWED),
        *validation,
        median("ratios", "time of reviewing the closes over validate", "x", reviewing, bound="at most", target=17),
        median("ratios", "roll-outs over self-play by the engine", "x", played, bound="at least", target=10),
    ]  # fmt: skip


def _validation(laps: dict[str, list[Lap]], name: str, form: str) -> list[Figure]:
    """How validation in one form compares with its peers and with the decoder."""
    group, (chess, poker, decoding, six_packs) = f"ratios, {form}", TARGETS[form]
    figures = [
        median(group, "validate over python-chess", "x", _ratios(laps, name, "python-chess", _faster), bound="at least", target=chess),
        median(group, "validate over PokerKit", "x", _ratios(laps, name, "PokerKit", _faster), bound="at least", target=poker),
        median(group, "time of validate over decoding alone", "x", _ratios(laps, name, "floor", _slower), bound="at most", target=decoding),
    ]  # fmt: skip
    if name == "validate":
        ratios = _ratios(laps, "validate_six_packs", "floor_six_packs", _slower)
        limit = {} if six_packs is None else {"bound": "at most", "target": six_packs}
        figures.append(median(group, "the same of six packs without labels", "x", ratios, **limit))
    return figures


def _ratios(
    laps: dict[str, list[Lap]], name: str, other: str, ratio: Callable[[Lap, Lap], float]
) -> list[float]:
    """One contestant over another, round by round."""
    return list(map(ratio, laps[name], laps[other]))


def _faster(lap: Lap, other: Lap) -> float:
    return lap.rate / other.rate


def _slower(lap: Lap, other: Lap) -> float:
    return lap.ns / other.ns


def _stages(laps: dict[str, list[Lap]]) -> list[Figure]:
    """Where the time of an event goes; the report's share is what the other stages leave."""

    def row(text: str, times: list[float]) -> Figure:
        return median("stages, ns an event", text, "ns", times)

    ns = {name: [lap.ns for lap in times] for name, times in laps.items()}
    stages = zip(ns["validate"], ns["decode"], ns["replay"], strict=True)
    return [
        row("validate, bytes to report", ns["validate"]),
        row("  decode: decoder, limits, canonical form", ns["decode"]),
        row("  replay, frames where something is found", ns["replay"]),
        row("  report: claims and verdict, what is left", [v - d - r for v, d, r in stages]),
        row("the decoder alone", ns["floor"]),
        row("replay, every frame", ns["every_frame"]),
        row("digest, where it is asked for", ns["digest"]),
        row("report as JSON", ns["written"]),
    ]


def _by_hand(laps: dict[str, list[Lap]]) -> list[Figure]:
    """How long `bezique.Game` takes beside a board of python-chess, and how many bytes a game pickled has."""
    group = "Game, beside python-chess"
    ratios = [
        median(group, f"time of {words}", "x", _ratios(laps, f"Game, {task}", f"Board, {task}", _slower), bound="at most", target=most)
        for task, (words, most) in PLAYED_BY_HAND.items()
    ]  # fmt: skip
    rate = median(
        group, "legal moves, and one made", "/s", [lap.rate for lap in laps["Game, legal_and_do"]]
    )
    largest = Figure(
        group,
        "largest game of 110 moves, pickled",
        largest_pickle(),
        "bytes",
        bound="at most",
        target=LARGEST_PICKLE,
    )
    return [rate, *ratios, largest]  # fmt: skip


def _memory(folder: Path) -> list[Figure]:
    """Peak memory of a file and of one ten times as large."""
    small, large = (_peak(_file(folder, times), folder) for times in (1, TIMES))
    return [
        Figure("memory", f"peak, {SMALL} records", small, "MiB"),
        Figure("memory", f"peak, {SMALL * TIMES} records", large, "MiB"),
        Figure(
            "memory", "larger file over smaller", large / small, "x", bound="at most", target=1.05
        ),
    ]


def _file(folder: Path, times: int) -> Path:
    path = folder / f"memory-{times}.jsonl"
    with path.open("wb") as out:
        out.writelines(subject.repeated(folder, SMALL, times))
    return path


def _peak(path: Path, folder: Path) -> float:
    command = [sys.executable, "-m", "tests.bench.memory", path]
    done = subprocess.run(command, cwd=environment.ROOT, check=True, stdout=subprocess.PIPE)
    path.unlink()
    return float(json.loads(done.stdout)["peak"])


if __name__ == "__main__":
    main()
