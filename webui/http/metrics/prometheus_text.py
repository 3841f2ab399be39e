"""The counts of a server in the text format of Prometheus."""

import os
from collections.abc import Iterator, Mapping

from analyzer.db.schema import own_version
from webui.http.metrics.request_tally import RequestTally

PROMETHEUS_TYPE = "text/plain; version=0.0.4; charset=utf-8"
GAUGES = {
    "games_stored": "Games in the database.",
    "deals_stored": "Deals in the database.",
    "imports_unfinished": "Imports that run or wait.",
    "disk_free_bytes": "Room on the disk of the data folder.",
}
"""What each number of the moment means."""


def metric_lines(tally: RequestTally, gauges: Mapping[str, int]) -> Iterator[str]:
    """The lines for what was answered so far, for the numbers in `GAUGES`, and for the process."""
    yield from _head("bezique_info", "gauge", "The version of the program.")
    yield f'bezique_info{{version="{own_version()}"}} 1\n'
    yield from _head("bezique_answers_total", "counter", "Answers by kind of request and status.")
    for key, count in sorted(tally.answers().items()):
        yield f'bezique_answers_total{{kind="{key.kind}",status="{key.status}"}} {count}\n'
    yield from _head("bezique_answer_seconds_total", "counter", "Seconds that the answers took.")
    for kind, seconds in sorted(tally.seconds().items()):
        yield f'bezique_answer_seconds_total{{kind="{kind}"}} {seconds:.6f}\n'
    for name, value in gauges.items():
        yield from _head(f"bezique_{name}", "gauge", GAUGES[name])
        yield f"bezique_{name} {value}\n"
    times = os.times()
    yield from _head("process_cpu_seconds_total", "counter", "Processor time of the server itself.")
    yield f"process_cpu_seconds_total {times.user + times.system:.2f}\n"
    yield from _head("process_start_time_seconds", "gauge", "When the server began, since 1970.")
    yield f"process_start_time_seconds {tally.began:.0f}\n"


def _head(name: str, kind: str, meaning: str) -> Iterator[str]:
    yield f"# HELP {name} {meaning}\n"
    yield f"# TYPE {name} {kind}\n"
