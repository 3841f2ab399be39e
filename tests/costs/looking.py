"""What it costs to look at positions that nobody can have: validated, replayed, tried, reviewed, in a process of its own.

Run as a program, it prints one line of JSON for every position and way of looking at it, or only for the two that are named.
"""

import json
import os
import resource
import signal
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path
from types import FrameType
from typing import Any

from analyzer.review.annotation import AnalysisTerms, annotate
from analyzer.review.luck import play_rollout_task, rollout_tasks
from records.format import codec
from records.record import Record
from records.rules.registry import ResolvedSheet, resolve_sheet
from records.validator import check
from tests.bench.memory import forget_peak, peak_mib
from tests.machine.cpu_cost import CpuCost
from webui.replay.steps import read_deal_steps
from webui.replay.what_if import try_line

MOST_MEMORY = 1024 * 1024 * 1024
"""Beyond the size at rest, in bytes: more than anything may take, so that a failure is told and not fatal."""
KILL_SECONDS = 10
KINGS_AND_QUEENS = [rank + suit for suit in "SHDC" for rank in "KQ"]
SEQUENCE = ["AS", "TS", "KS", "QS", "JS"]

JsonObject = dict[str, Any]


def position(
    sheet: str, hands: list[list[str]], events: list[JsonObject] | None = None, **setup: Any
) -> bytes:
    """A record of one position with the first seat to act."""
    names = [{"name": name} for name in "abcdef"[: len(hands)]]
    deal = {"dealer": len(hands) - 1, "setup": {"hands": hands, "seat": 0, **setup}}
    record = {
        "format": "bezique-record",
        "version": "1.0",
        "rules": {"id": sheet},
        "players": names,
        "deals": [{**deal, "events": events or []}],
    }
    return json.dumps(record).encode()


def laid(meld: str, cards: list[str], times: int) -> list[JsonObject]:
    """A meld on the table so many times."""
    return [{"meld": meld, "cards": cards}] * times


def labelled(faces: list[str]) -> list[str]:
    """Four copies of every face, told apart."""
    return [f"{face}.{copy}" for face in faces for copy in (1, 2, 3, 4)]


def positions() -> dict[str, bytes]:
    """Positions with far too many cards, each of a kind that once was slow, or might be."""
    beziques = ["QS", "JD"] * 190
    found = {
        "marriages": position("zetema", [KINGS_AND_QUEENS * 5, [], []]),
        "marriages of six": position("zetema", [KINGS_AND_QUEENS * 48] * 6),
        "marriages from the tableau": position(
            "zetema", [KINGS_AND_QUEENS] * 6, tableau=KINGS_AND_QUEENS * 48
        ),
    }
    for sheet in ("zique", "rubicon-bezique", "chinese-bezique", "six-pack-bezique"):
        illegal = {"type": "meld", "seat": 0, "meld": "bezique", "cards": ["QS", "JD"] * 40}
        marriage = {"type": "meld", "seat": 0, "meld": "marriage", "cards": ["KS", "QS"]}
        table = laid("bezique", ["QS", "JD"], 60) + laid("sequence", SEQUENCE, 60)
        crowd = [*SEQUENCE, "JD"] * 60
        found |= {
            f"{sheet}, closed": position(sheet, [beziques, beziques], trump="S", stock=0),
            f"{sheet}, closed, labelled": position(
                sheet, [labelled(["QS", "JD", *SEQUENCE]) * 8] * 2, trump="S", stock=0
            ),
            f"{sheet}, illegal melds": position(
                sheet,
                [crowd, ["7H"] * 300],
                [illegal] * 60,
                tables=[table[:3], []],
                trump="S",
                stock=100,
                won=True,
            ),
            f"{sheet}, melds": position(
                sheet,
                [crowd, ["7H"] * 300],
                [marriage] * 300,
                tables=[table, []],
                trump="S",
                stock=100,
                won=True,
            ),
        }
    return found


def _last(record: Record) -> int:
    return len(record.deals[0].events)


Look = Callable[[Record, ResolvedSheet, bytes], object]
LOOKS: dict[str, Look] = {
    "check": lambda record, resolved, data: check(data),
    "steps": lambda record, resolved, data: read_deal_steps(record, resolved, 0),
    "what if": lambda record, resolved, data: try_line(record, resolved, 0, _last(record), []),
    "review": lambda record, resolved, data: annotate(record, terms=AnalysisTerms(positions=1_000)),
    "luck": lambda record, resolved, data: [*map(play_rollout_task, rollout_tasks(record, 2))],
}


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise TimeoutError(f"more than {KILL_SECONDS} CPU seconds")


def _measure(data: bytes, look: Look) -> dict[str, object]:
    record = codec.decode(data).record
    assert record is not None
    resolved = resolve_sheet(record.rules.id)
    address_space = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (address_space + MOST_MEMORY,) * 2)
    signal.signal(signal.SIGPROF, _interrupt)
    signal.setitimer(signal.ITIMER_PROF, KILL_SECONDS)
    forget_peak()
    resting, failure = _peak(), ""
    with CpuCost() as cost:
        try:
            look(record, resolved, data)
        except (Exception, RecursionError) as error:
            failure = repr(error)[:200]
        signal.setitimer(signal.ITIMER_PROF, 0)
        memory = _peak() - resting
    return {"seconds": cost.seconds, "memory": memory, "failure": failure}


def _peak() -> int:
    """The most bytes of memory that this process has had so far."""
    return int(peak_mib() * 1024 * 1024)


def main() -> None:
    """Measure every position in every way, or only what is named, each in a copy of this process."""
    found = positions()
    named = [(sys.argv[1], sys.argv[2])] if sys.argv[1:] else product(found, LOOKS)
    for name, way in named:
        sys.stdout.flush()
        if os.fork() == 0:
            told = {"position": name, "way": way, **_measure(found[name], LOOKS[way])}
            print(json.dumps(told), flush=True)
            os._exit(0)
        os.wait()


if __name__ == "__main__":
    main()
