"""How fast pages answer: Explore, its presets, the fifteen questions and the players' pages.

`python -m tests.bench.asking [--deals 1000000]` makes a database of so many deals and asks every
question of it, each page in full and nothing kept from one to the next.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from flask.testing import FlaskClient

from analyzer.statistics.ask import presets, refusal
from analyzer.statistics.catalogue import dimensions, metrics
from analyzer.statistics.questions import questions
from tests.bench.environment import ROOT, apart
from tests.bench.figures import Figure
from tests.bench.million import make
from webui import create_app
from webui.application import close_app

DEALS = 1_000_000
TRIES = 2
"""The quickest of so many counts: what else the machine does meanwhile is not the page's time."""
MEDIAN, WORST = 70.0, 350.0
SHAPES = (
    "sheet",
    "player",
    "role",
    "month",
    "strength",
    "meld",
    "source",
    "trick",
    "program",
    "option.target",
)
OF_ONE = ("sheet", "opponent", "month", "meld", "trick")
LIMITED = "&player=Player+7"
DEMO = "import sys; from webui.cli.main import main; sys.exit(main())"


def figures(deals: int = DEALS) -> list[Figure]:
    """The times of all questions, measured in a process of its own."""
    print(f"making a database of {deals:,} deals", file=sys.stderr)
    found = apart("tests.bench.asking", "--json", "--deals", str(deals)) or {}
    return [row for group, times in found.items() for row in _rows(group, times)]


def _rows(group: str, times: dict[str, float]) -> Iterator[Figure]:
    worst = max(times, key=lambda name: times[name])
    group = f"asking, ms: {group}"
    median = statistics.median(times.values())
    yield Figure(
        group,
        f"median of {len(times)}",
        median,
        "ms",
        min(times.values()),
        max(times.values()),
        "at most",
        MEDIAN,
    )
    yield Figure(group, f"worst: {worst}"[:44], times[worst], "ms", None, None, "at most", WORST)


def addresses() -> Iterator[tuple[str, str, str]]:
    """Every question by its group and name."""
    for preset in presets():
        yield "presets", preset.title, f"/explore?{_query(preset.ask.address())}"
    for question in questions():
        yield "the fifteen questions", question.name, f"/statistics/{question.name}"
    for metric, by in product(metrics().values(), SHAPES):
        if refusal(metric, dimensions()[by]):
            continue
        name, address = f"{metric.name} by {by}", f"/explore?metric={metric.name}&by={by}"
        yield "explore, all metrics by ten dimensions", name, address
        if by in OF_ONE and not refusal(metric, dimensions()["player"]):
            yield "explore, of one player", name, address + LIMITED
    for part in ("results", "melds", "brisques", "luck"):
        yield "a player's page", part, f"/player/{part}/figure.json?name=Player+7"
    yield "a player's page", "page", "/player?name=Player+7"
    yield "a player's page", "list", "/players?order=rating"


def _query(pairs: list[tuple[str, str]]) -> str:
    return "&".join(f"{name}={text}" for name, text in pairs)


def measure(data: Path) -> dict[str, dict[str, float]]:
    """The milliseconds of every page, by group and name."""
    app = create_app(data=data, testing=True, ratelimit_enabled=False)
    app.extensions["store"].caches_answers = False
    client = app.test_client()
    _timed(client, "/explore")  # templates compile once in the life of a server
    found: dict[str, dict[str, float]] = {}
    for group, name, address in addresses():
        found.setdefault(group, {})[name] = min(_timed(client, address) for _ in range(TRIES))
    close_app(app)
    return found


def _timed(client: FlaskClient, address: str) -> float:
    start, worked = time.perf_counter(), time.process_time()
    response = client.get(address, follow_redirects=True)
    # What it waited for processors that others had is no time of its own.
    taken = min(time.perf_counter() - start, time.process_time() - worked)
    if response.status_code not in (200, 503):
        raise SystemExit(f"{address} answers {response.status}")
    return 1000 * taken


def _main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.asking", description=__doc__)
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--data", type=Path, help="a data folder that has the deals already")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = options.data or Path(folder) / "million"
        if options.data is None:
            demo = [sys.executable, "-c", DEMO, "demo", "--data", f"{folder}/demo"]
            subprocess.run(demo, cwd=ROOT, stdout=sys.stderr, check=True)
            print(f"{make(Path(folder) / 'demo', data, options.deals):,} deals", file=sys.stderr)
        times = measure(data)
    if options.json:
        print(json.dumps(times))
        return
    for group, by_name in times.items():
        for row in _rows(group, by_name):
            print(row.group, row.name, f"{row.value:.0f} ms", "pass" if row.passed else "FAIL")
        for name in sorted(by_name, key=lambda name: -by_name[name])[:8]:
            print(f"    {by_name[name]:7.0f} ms  {name}")


if __name__ == "__main__":
    _main()
