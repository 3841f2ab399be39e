"""What texts cost: each is read and judged in a process of its own, as a request is, and its CPU time and memory are told.

Run as a program with a size in bytes, groups of payloads with commas between, and perhaps the names of some of them,
it prints one line of JSON for each.
"""

import io
import json
import os
import resource
import sys
from pathlib import Path

import msgspec

from records.format.files import count_entries, read_entries
from records.validate.finding import RequestBudget
from records.validate.report import Report
from records.validator import check
from tests.costs import payloads
from tests.machine.cpu_cost import CpuCost

MOST_RECORDS = 10_000
MOST_MEMORY = 512 * 1024 * 1024
"""Beyond the size at rest, in bytes: more than any payload may take, so that a failure is told and not fatal."""


def judge(data: bytes, name: str) -> tuple[int, int]:
    """How many reports a request is answered with, and their size in bytes; none if it is refused."""
    totals = count_entries(io.BytesIO(data), name=name, most=MOST_RECORDS)
    if totals is None or totals.records > MOST_RECORDS:
        return 0, 0
    size, budget = 0, RequestBudget()
    for entry in read_entries(io.BytesIO(data), name=name):
        if not budget.admit(len(entry.data)):
            break
        report = (
            Report(verdict="unreadable", findings=entry.findings)
            if entry.findings
            else check(entry.data, line=entry.line, identify=True, budget=budget)
        )
        size += len(msgspec.json.encode(report))
    return totals.records, size


def _status(name: str) -> int:
    """A number of bytes from the status of this process."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1]) * 1024
    raise LookupError(name)


def _measure(key: str, payload: payloads.Payload, size: int) -> dict[str, object]:
    data = payload.make(size)
    Path("/proc/self/clear_refs").write_text("5")
    resting = _status("VmRSS")
    limit = _status("VmSize") + MOST_MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    failure, reports, answer = "", 0, 0
    with CpuCost() as cost:
        try:
            reports, answer = judge(data, payload.name)
        except Exception as error:
            failure = repr(error)[:200]
    return {
        "key": key,
        "bytes": len(data),
        "seconds": cost.seconds,
        "memory": _status("VmHWM") - resting,
        "reports": reports,
        "answer": answer,
        "failure": failure,
    }


def main(size: int, groups: list[str], keys: list[str]) -> None:
    """Measure payloads of these groups, all or those of these names, each in a copy of this process."""
    check(payloads.WHOLE)
    for sheet in ("zique", "zetema"):
        check(payloads.played_text(sheet))
    for group in groups:
        for key, payload in getattr(payloads, group).items():
            if keys and key not in keys:
                continue
            sys.stdout.flush()
            if os.fork() == 0:
                print(json.dumps(_measure(key, payload, size)), flush=True)
                os._exit(0)
            os.wait()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2].split(","), sys.argv[3:])
