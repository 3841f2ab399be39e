"""How long a step of the replay takes in Chromium: `python -m tests.bench.steps`.

The game is the longest that there is, a deal of six packs, with its review. Every key is pressed as a reader
presses it, from one end of the deal to the other and back; the browser's own counters say what its main thread
did from the key to the second frame after it: script, the layout that it forces, and everything else.
"""

import json
import sys
import tempfile
from bisect import bisect
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from analyzer.review import stored
from analyzer.review.deep_review import ReviewTerms
from records.format import codec
from tests.bench.environment import ROOT, apart
from tests.bench.figures import Figure, median
from tests.machine.chromium import CHROMIUM, FLAGS
from tests.machine.serving import served

GAME = ROOT / "samples" / "good" / "six-pack-bezique.json"
FRAME = 16.0
"""Milliseconds: a screen shows sixty frames a second."""
STEP_SCRIPT = 4.0
OPENING = 250.0
SECOND = 1000.0
SLOW = 4
"""A phone of the cheap kind is about so many times slower than a desk."""
ROUNDS = 2
"""Every step is taken so many times, and its quickest counts: a collection of garbage falls where it likes."""
OPENED = 7
SIZES = {"desk": (1440, 900), "phone": (390, 844)}
KINDS = {
    "script": "a key's handler, script alone",
    "handler": "a key's handler, layout that it forces included",
    "waited": "the same by the clock, other programs included",
    "all": "all work of the main thread, two frames included",
}
DESK_LIMITS = {"script": {"median": STEP_SCRIPT}, "handler": {"median": FRAME, "worst": FRAME}}
"""What a desk may take at most, in milliseconds."""
FORCED = ("UpdateLayoutTree", "Layout")
"""What the browser does in the middle of a script that asks where things lie: styles, then their layout."""

_SETTLED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
_VISIBLE = """() => new Promise((done) => new PerformanceObserver((list) => {
    const entry = list.getEntries().find((each) => each.identifier === "step");
    if (entry) done(entry.renderTime);
}).observe({ type: "element", buffered: true }))"""
_LISTENS = "() => performance.getEntriesByName('ready').length > 0"
_READY = "() => performance.getEntriesByName('ready')[0].startTime"

Times = dict[str, list[float]]


def figures() -> list[Figure]:
    """The times of steps, measured in a process of its own; none if there is no browser."""
    if CHROMIUM is None:
        print("the steps are not measured: there is no Chromium", file=sys.stderr)
        return []
    print("taking steps in Chromium", file=sys.stderr)
    return list(_rows(apart("tests.bench.steps") or {"steps": {}, "opened": {}}))


def _rows(measured: dict[str, Any]) -> Iterator[Figure]:
    for name, times in measured["steps"].items():
        group = f"steps in Chromium, ms: {len(times['handler'])} of the six-pack game, {name}"
        for kind, words in KINDS.items():
            limits = DESK_LIMITS.get(kind, {}) if times["aim"] else {}
            yield median(group, f"{words}, median", "ms", times[kind], **_limit(limits, "median"))
            worst = max(times[kind])
            yield Figure(group, f"{words}, worst", worst, "ms", **_limit(limits, "worst"))
    for name, times in measured["opened"].items():
        limits = {"median": OPENING, "worst": SECOND} if times["aim"] else {}
        group = f"opening the six-pack game in Chromium, ms: {name}"
        visible = times["visible"]
        yield median(group, "first step visible, median", "ms", visible, **_limit(limits, "median"))
        worst = max(visible)
        yield Figure(group, "first step visible, worst", worst, "ms", **_limit(limits, "worst"))
        yield median(group, "keys are listened to, median", "ms", times["ready"])


def _limit(limits: dict[str, float], name: str) -> dict[str, Any]:
    return {"bound": "at most", "target": limits[name]} if name in limits else {}


@contextmanager
def _site() -> Iterator[str]:
    """The address of a server that has the game, reviewed, and of its only deal."""
    with tempfile.TemporaryDirectory() as folder:
        data = GAME.read_bytes()
        digest = codec.decode(data).digest() or ""
        with served(Path(folder), {GAME.name: data}) as (address, app):
            stored.review_stored_exactly(app.extensions["store"], digest, ReviewTerms(worlds=0))
            yield f"{address}/games/{digest}/deals/1"


class Trace:
    """What the browser writes down of its own work while a block runs."""

    def __init__(self, page: Page, session: CDPSession) -> None:
        self.page, self.session, self.events, self.complete = page, session, [], False
        session.on("Tracing.dataCollected", lambda data: self.events.extend(data["value"]))
        session.on("Tracing.tracingComplete", self._end)

    def _end(self, _: Any) -> None:
        self.complete = True

    def __enter__(self) -> Self:
        categories = "devtools.timeline,disabled-by-default-devtools.timeline"
        self.session.send("Tracing.start", {"categories": categories})
        return self

    def __exit__(self, *_: object) -> None:
        self.session.send("Tracing.end")
        while not self.complete:
            self.page.wait_for_timeout(20)

    def _keys(self) -> list[dict[str, Any]]:
        return sorted((event for event in self.events if _is_key(event)), key=_start)

    def layouts(self) -> list[int]:
        """For every key how often its handler made the browser lay out the page, in order."""
        laid_out = [event for event in self.events if event["name"] == "Layout"]
        return [
            sum(_start(key) <= _start(event) < _end(key) for event in laid_out)
            for key in self._keys()
        ]

    def steps(self) -> Times:
        """For every key its handler and all that the main thread did until the next, in order."""
        keys = self._keys()
        starts = [key["ts"] for key in keys]
        script = [key["tdur"] / 1000 for key in keys]
        work = [0.0] * len(keys)
        for event in self.events:
            if event["tid"] != keys[0]["tid"] or "dur" not in event:
                continue
            number = bisect(starts, _end(event)) - 1
            if number < 0:
                continue
            if event["name"] == "RunTask":
                work[number] += event.get("tdur", 0) / 1000
            elif event["name"] in FORCED and _end(event) <= _end(keys[number]):
                script[number] -= event.get("tdur", 0) / 1000
        return {
            "script": script,
            "handler": [key["tdur"] / 1000 for key in keys],
            "waited": [key["dur"] / 1000 for key in keys],
            "all": work,
        }


def _is_key(event: dict[str, Any]) -> bool:
    return event["name"] == "EventDispatch" and event["args"]["data"]["type"] == "keydown"


def _start(event: dict[str, Any]) -> float:
    return float(event["ts"])


def _end(event: dict[str, Any]) -> float:
    return float(event["ts"] + event["dur"])


def _steps(browser: Browser, deal: str, size: str, slower: int) -> Times:
    """Every step of the deal, forward and backward."""
    page, session = _opened(browser, size, slower)
    page.goto(deal)
    page.wait_for_function(_LISTENS)
    steps = int(page.locator("[data-slider]").get_attribute("max") or 0)
    rounds = [_round(page, session, steps) for _ in range(ROUNDS)]
    page.context.close()
    return {kind: list(map(min, *(times[kind] for times in rounds))) for kind in KINDS}


def _round(page: Page, session: CDPSession, steps: int) -> Times:
    """All steps forward, and all of them back."""
    with Trace(page, session) as trace:
        for key in ("ArrowRight", "ArrowLeft"):
            for _ in range(steps):
                page.keyboard.press(key)
                page.evaluate(_SETTLED)
    return trace.steps()


def _openings(browser: Browser, deal: str, size: str, slower: int) -> Times:
    """Opening the deal so many times, with nothing of the site in the browser's memory."""
    times: Times = {"visible": [], "ready": []}
    for _ in range(OPENED):
        page, _ = _opened(browser, size, slower)
        page.goto(deal)
        times["visible"].append(page.evaluate(_VISIBLE))
        times["ready"].append(page.evaluate(_READY))
        page.context.close()
    return times


def _opened(browser: Browser, size: str, slower: int) -> tuple[Page, CDPSession]:
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    return page, session


def _measure(browser: Browser, deal: str) -> dict[str, Any]:
    ways = [("desk", 1), ("phone", SLOW)]
    names = {way: way[0] if way[1] == 1 else f"{way[0]}, {way[1]} times slower" for way in ways}
    return {
        "steps": {names[way]: {"aim": way[1] == 1} | _steps(browser, deal, *way) for way in ways},
        "opened": {
            names[way]: {"aim": way[1] == 1} | _openings(browser, deal, *way) for way in ways
        },
    }


if __name__ == "__main__":
    with _site() as deal, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        print(json.dumps(_measure(browser, deal)))
        browser.close()
