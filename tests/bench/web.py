"""How long the server takes for the page of one step, on the demo database: `python -m tests.bench.web`.

Each page is asked for twice: cold, with nothing of its game in memory, and again at another step.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from flask.testing import FlaskClient

from analyzer.store.store import GameFilter, Store
from records.events import Play
from records.format import codec
from tests.bench.environment import ROOT, apart
from tests.bench.figures import Figure, median
from webui import create_app
from webui.server.game_cache import GameCache

PLAYS = 64
"""The cards of a deal of 32 tricks."""
DEALS = 20
TRIES = 3
"""The quickest of so many counts: what else the machine does meanwhile is not the page's time."""
LIMIT = 50.0
_COMMAND = "import sys; from webui.cli.main import main; sys.exit(main())"

Milliseconds = list[float]


def figures() -> list[Figure]:
    """The times of the pages, measured in a process of its own; none if the pages cannot be served."""
    print("making the demo database", file=sys.stderr)
    times = apart("tests.bench.web")
    if times is None:
        return []
    cold, warm = times
    group = f"pages, ms: a step of {len(cold)} legal deals of 32 tricks"
    return [*_rows(group, "first time", cold), *_rows(group, "another step", warm)]


def _rows(group: str, name: str, times: Milliseconds) -> Iterator[Figure]:
    yield median(group, f"{name}, median", "ms", times, bound="at most", target=LIMIT)
    yield Figure(group, f"{name}, worst", max(times), "ms", bound="at most", target=LIMIT)


def _measure(data: Path) -> tuple[Milliseconds, Milliseconds]:
    app = create_app(data=data, testing=True)
    store: Store = app.extensions["store"]
    game_cache: GameCache = app.extensions["game_cache"]
    deals = list(islice(_legal_deals(store), DEALS))
    if not deals:
        raise SystemExit("there is no legal deal of 32 tricks in the demo database")
    client = app.test_client()
    _timed(client, f"{deals[0]}?step=1")  # templates compile once in the life of a server
    cold, warm = [], []
    for deal in deals:
        first, again = [], []
        for _ in range(TRIES):
            game_cache.game.cache_clear()
            game_cache.deal.cache_clear()
            first.append(_timed(client, f"{deal}?step=60"))
            again.append(_timed(client, f"{deal}?step=61"))
        cold.append(min(first))
        warm.append(min(again))
    store.close()
    return cold, warm


def _legal_deals(store: Store) -> Iterator[str]:
    """The addresses of the deals of legal games in which 64 cards were played."""
    for game in store.games(GameFilter(verdict="legal"), limit=1000).games:
        record = codec.decode(store.record_bytes(game.digest) or b"").record
        for number, deal in enumerate(record.deals if record else (), start=1):
            if sum(isinstance(event, Play) for event in deal.events) == PLAYS:
                yield f"/games/{game.digest}/deals/{number}"


def _timed(client: FlaskClient, address: str) -> float:
    start = time.perf_counter()
    response = client.get(address)
    taken = time.perf_counter() - start
    if response.status_code != 200:
        raise SystemExit(f"{address} answers {response.status}")
    return 1000 * taken


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        demo = [sys.executable, "-c", _COMMAND, "demo", "--data", folder]
        if subprocess.run(demo, cwd=ROOT, stdout=sys.stderr).returncode:
            raise SystemExit("the demo database could not be made")
        print(json.dumps(_measure(Path(folder))))
