"""Runs inputs through the real entry points in a process of its own, and measures each.

The folder of the code to run is the first argument, so that other versions can be measured, and a folder to work in
the second; this file imports nothing of the tests. A request is a line of JSON (`door`, the length of the body, `kill_after` CPU seconds) followed
by the body; the answer is a line of JSON. An input that takes much too long is interrupted, or ends the process.
"""

import contextlib
import json
import os
import re
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from time import monotonic, sleep
from types import FrameType
from typing import Any

MIB = 1024 * 1024
MOST_ADDRESS_SPACE = 1024 * MIB
"""How much the address space may grow; what an input may take of it is measured, and is less."""
STORED_SHEETS = ("bezique", "zique", "rubicon-bezique", "marjolet")
OTHER_CODE = re.compile(r"/\.venv/|/site-packages/|/tests/fuzz/")
MOST_FILES, BYTES_AROUND_FILE = 900, 80
"""How many files a form has at most, and what stands around each of them."""
KILL_REST = 10
"""CPU seconds between the interruption and the end of the process."""
FINE = (200, 303, 400, 404, 409, 410, 413, 414, 415, 422, 429, 431, 503)
"""What a site may answer to a strange request: an answer, or a refusal with a sentence."""


class Interrupted(BaseException):
    """The input has had its time; not an `Exception`, so that nothing takes it for an error of its own."""


def interrupt(_number: int, _frame: FrameType | None) -> None:
    raise Interrupted


# -- doors: each takes the bytes of an input, and returns the size of the answer


def check(data: bytes) -> int:
    import msgspec

    from records import validator

    return len(msgspec.json.encode(validator.check(data, identify=True)))


def stream(data: bytes) -> int:
    import msgspec

    from records import validator

    reports = validator.check_path(BytesIO(data), identify=True)
    return sum(len(msgspec.json.encode(report)) for report in reports)


def blocks(data: bytes) -> int:
    """As the importer reads a file."""
    from analyzer.ingest.tasks import ImportTask, Portion, examine_task
    from records.format.files import read_blocks

    size = 0
    for block in read_blocks(BytesIO(data), name="upload"):
        batch, _ = examine_task(ImportTask([], [Portion(block)], 0))
        size += sum(outcome.findings for outcome in batch.outcomes)
    return size


class Site:
    """The web application over a small real database, made at the first request."""

    def __init__(self) -> None:
        self.app: Any = None

    def client(self) -> Any:
        if self.app is None:
            from analyzer.ingest.loader import ingest_bytes
            from records import selfplay
            from records.format import codec
            from webui import create_app

            folder = Path(sys.argv[2])
            self.app = create_app(
                data=folder, testing=True, wtf_csrf_enabled=False, ratelimit_enabled=False
            )
            for seed, sheet in enumerate(STORED_SHEETS * 3):
                game = selfplay.play_game(sheet, seed=seed)
                ingest_bytes(self.app.extensions["store"], "game.json", codec.encode(game))
        return self.app.test_client()

    def evening(self) -> int:
        """The number of an evening of ten."""
        from datetime import date

        from analyzer.players import evenings

        self.client()
        store = self.app.extensions["store"]
        if known := evenings.list_evenings(store):
            return known[0].key
        opening = evenings.EveningOpening("Club", date(2026, 3, 5), "swiss")
        key = evenings.open_evening(store, opening, "fuzzer")
        people = [evenings.PlayerArrival(f"Player {number}") for number in range(10)]
        evenings.take_steps(store, key, people, "fuzzer")
        return key

    def close(self) -> None:
        if self.app is not None:
            from webui.application import close_app

            close_app(self.app)


SITE = Site()


class WrongStatus(Exception):
    """The site answered with a status that says that it failed."""


def end_imports() -> None:
    """Stop what is imported of earlier inputs, so that it is not counted with what comes."""
    if SITE.app is None:
        return
    queue = SITE.app.extensions["imports"]
    for job in queue.jobs():
        queue.stop(job.key)
    while any(job.is_active for job in queue.jobs()):
        sleep(0.02)


def answer(response: Any) -> int:
    size = sum(map(len, response.iter_encoded()))
    response.close()
    if response.status_code not in FINE:
        raise WrongStatus(response.status)
    return size


def api(data: bytes) -> int:
    return answer(SITE.client().post("/api/validate", data=data))


def upload(data: bytes) -> int:
    form = {"files": (BytesIO(data), "upload.jsonl")}
    headers = {"X-Requested-With": "fetch"}
    return answer(SITE.client().post("/", data=form, headers=headers))


def form(data: bytes) -> int:
    """The same file again and again, as often as a form of 64 KiB has it."""
    times = max(1, min(MOST_FILES, 64 * 1024 // (len(data) + BYTES_AROUND_FILE)))
    fields = {"files": [(BytesIO(data), f"{number}.jsonl") for number in range(times)]}
    headers = {"X-Requested-With": "fetch"}
    checked = answer(SITE.client().post("/check", data=dict(fields), headers=headers))
    fields = {"files": [(BytesIO(data), f"{number}.jsonl") for number in range(times)]}
    return checked + answer(SITE.client().post("/", data=fields, headers=headers))


def pasted(data: bytes) -> int:
    form = {"record": data.decode("utf-8", "replace")}
    return answer(SITE.client().post("/", data=form))


def evening(data: bytes) -> int:
    """A form of an evening, and the page after it."""
    place = f"/evenings/{SITE.evening()}"
    kind = "application/x-www-form-urlencoded"
    sent = answer(SITE.client().post(place, data=data, content_type=kind))
    return sent + answer(SITE.client().get(place))


def recorder(data: bytes) -> int:
    """A record that is being written: what may come next in it, with the validator's report."""
    return answer(SITE.client().post("/record/next?report=1", data=data))


def recorder_file(data: bytes) -> int:
    """A file to go on with, whatever is in it."""
    return answer(SITE.client().post("/record/file", data=data))


def link(data: bytes) -> int:
    return answer(SITE.client().get(data.decode("utf-8", "replace")))


def sql(data: bytes) -> int:
    statement = data.decode("utf-8", "replace")
    return answer(SITE.client().get("/sql.json", query_string={"q": statement}))


def stored(data: bytes) -> str | None:
    """The digest of a record that is now stored; None if it was refused."""
    from analyzer.ingest.loader import ingest_bytes

    SITE.client()
    outcomes = list(ingest_bytes(SITE.app.extensions["store"], "stranger.json", data))
    digests = [getattr(outcome, "digest", None) for outcome in outcomes]
    return digests[0] if digests else None


def page(address: str) -> Callable[[str], int]:
    """The door to a page of a stored record."""
    return lambda digest: answer(SITE.client().get(address.format(digest)))


DOORS: dict[str, Callable[[Any], int]] = {
    "check": check,
    "stream": stream,
    "blocks": blocks,
    "api": api,
    "upload": upload,
    "form": form,
    "pasted": pasted,
    "evening": evening,
    "recorder": recorder,
    "recorder-file": recorder_file,
    "link": link,
    "sql": sql,
    "game": page("/games/{}"),
    "deal": page("/games/{}/deals/1"),
    "what-if": page("/games/{}/deals/1/what-if"),
    "review": page("/games/{}/review"),
    "narrative": page("/games/{}/review.txt"),
    "identify": page("/games/{}/doubts"),
}
STORED_DOORS = ("game", "deal", "what-if", "review", "narrative", "identify")
SITE_DOORS = (
    "api",
    "upload",
    "form",
    "pasted",
    "evening",
    "recorder",
    "recorder-file",
    "link",
    "sql",
    *STORED_DOORS,
)


# -- measuring


def descendants(process: int | str = "self") -> Iterator[int]:
    """The processes that this one has started and that they have started, as far as they live."""
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            children = [int(word) for word in task.read_text().split()]
        except OSError:
            continue
        for child in children:
            yield child
            yield from descendants(child)


def cpu_seconds() -> float:
    """CPU seconds of this process, of those it has started, and of those that have ended."""
    total = 0.0
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        usage = resource.getrusage(who)
        total += usage.ru_utime + usage.ru_stime
    ticks = os.sysconf("SC_CLK_TCK")
    for process in descendants():
        try:
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        total += sum(map(int, fields[11:15])) / ticks
    return total


def memory(process: int | str, name: str) -> int:
    """`VmRSS` or `VmHWM` of a process in bytes, 0 if it has ended."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    line = next((line for line in status.splitlines() if line.startswith(name + ":")), "")
    return 1024 * int(line.split()[1]) if line else 0


def forget_peak(process: int | str) -> None:
    """Let the high-water mark of a process begin again."""
    with contextlib.suppress(OSError):
        Path(f"/proc/{process}/clear_refs").write_text("5")


class Meter:
    """What one input costs: CPU seconds, and memory over what was in use before it."""

    def __init__(self) -> None:
        self.before = {process: memory(process, "VmRSS") for process in descendants()}
        self.own = memory("self", "VmRSS")
        for process in ("self", *self.before):
            forget_peak(process)
        self.largest_ended = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        self.start, self.cpu_before = monotonic(), cpu_seconds()

    def read(self) -> dict[str, float]:
        cpu = cpu_seconds() - self.cpu_before
        peak = memory("self", "VmHWM") - self.own
        usual = max(self.before.values(), default=0)
        others = [
            memory(process, "VmHWM") - self.before.get(process, usual) for process in descendants()
        ]
        # A child's mark begins with the size of its parent, so that only what is beyond that is its own.
        ended = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        if ended > self.largest_ended and 1024 * ended > memory("self", "VmHWM"):
            others.append(1024 * ended - usual)
        return {
            "cpu": cpu,
            "wall": monotonic() - self.start,
            "mib": max(peak, *others, 0) / MIB if others else max(peak, 0) / MIB,
            "rest": memory("self", "VmRSS") / MIB,
        }


def limit_cpu(seconds: float) -> None:
    """Interrupt after so many CPU seconds of this process; soon after, the system ends it."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    used = usage.ru_utime + usage.ru_stime
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(used + seconds) + KILL_REST, hard))
    signal.setitimer(signal.ITIMER_PROF, seconds)


def limit_memory() -> None:
    """Let the address space grow by no more than so much from now on."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (memory("self", "VmSize") + MOST_ADDRESS_SPACE, hard))


def place_of(error: BaseException) -> str:
    """Where an error was raised: the innermost place in the code that is measured."""
    place, found = error.__traceback__, ""
    while place is not None:
        code = place.tb_frame.f_code
        if code.co_filename.startswith(sys.path[0]) and not OTHER_CODE.search(code.co_filename):
            found = f"{Path(code.co_filename).name}:{code.co_name}"
        place = place.tb_next
    return found


NOTHING = {"cpu": 0.0, "wall": 0.0, "mib": 0.0, "rest": 0.0, "answer": 0, "raised": None, "where": ""}  # fmt: skip


def run(door: str, data: bytes, kill_after: float) -> dict[str, Any]:
    """One input through one door, measured."""
    given: Any = data
    if door in STORED_DOORS:
        given = stored(data)
        if given is None:
            return NOTHING
    size, raised, where = 0, None, ""
    end_imports()
    meter = Meter()
    try:
        limit_cpu(kill_after)
        size = DOORS[door](given)
        signal.setitimer(signal.ITIMER_PROF, 0)
    except Interrupted as late:
        where = place_of(late)
    except Exception as error:
        where = place_of(error)
        raised = f"{type(error).__name__} in {where}: {str(error)[:200]}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return {**meter.read(), "answer": size, "raised": raised, "where": where}


def serve() -> None:
    """Answer every request."""
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what is printed must not stand among the answers
    signal.signal(signal.SIGPROF, interrupt)
    limited = False
    for line in requests:
        request = json.loads(line)
        data = requests.read(request["length"])
        if request["door"] in SITE_DOORS and SITE.app is None:
            SITE.client().get("/sql.json?q=SELECT+1")
            limited = False
        if not limited:
            check(b"{}")
            limit_memory()
            limited = True
        try:
            measured = run(request["door"], data, request["kill_after"])
        except Interrupted:  # in the moment between the end and the clock's
            measured = {**NOTHING, "cpu": request["kill_after"]}
        print(json.dumps(measured), file=answers, flush=True)
    SITE.close()


if __name__ == "__main__":
    sys.path[0] = str(Path(sys.argv[1]).resolve())
    serve()
