"""A server for each test worker, and a browser whose every complaint fails the test."""

import os
import random
from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect

from analyzer.players.evenings import (
    EveningOpening,
    PlayerArrival,
    ResultTyping,
    RoundPairing,
    open_evening,
    take_steps,
)
from analyzer.players.round_pairing import PairedRound
from analyzer.review.stored import save_review
from analyzer.store.store import Store
from analyzer.store.studies import StudyContent, StudyGame, begin_study
from records.format import codec
from records.format.redaction import redact
from records.record import Line, Note, Record
from records.selfplay import play_game
from records.study import LineNote, Study, StudyMoment
from tests.machine.chromium import CHROMIUM, COMPILE_ONCE, FLAGS
from tests.machine.serving import served
from tests.machine.waiting import PATIENCE_SECONDS
from tests.make.weighed_games import written_review
from webui.replay.what_if import events_for_url

ORDER = os.environ.get("BEZIQUE_ORDER", "")
"""All browser tests of a process share a server. None may rest on what another has stored, so CI takes another order
whenever they change; it prints it, and the same word gives the same order."""
WEIGHED_LOSSES = [(70, 8), (0, 0), (25, 4), (30, 20), (45, 5)]
"""What the first cards played in the annotated game lost where there was a choice, in points, and the errors of that."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    at = [place for place, item in enumerate(items) if item.path.parent == here]
    for place, item in zip(at, in_order([items[place] for place in at], ORDER), strict=True):
        items[place] = item
        item.add_marker(pytest.mark.e2e)


def in_order(items: list[pytest.Item], order: str) -> list[pytest.Item]:
    """The tests as they are written, `reversed`, or by whatever else the order says: modules and their tests are shuffled."""
    if not order or order == "reversed":
        return items[::-1] if order else items
    chance, modules = random.Random(order), defaultdict[Path, list[pytest.Item]](list)
    for item in items:
        modules[item.path].append(item)
    shuffled = chance.sample(list(modules.values()), len(modules))
    return [item for module in shuffled for item in chance.sample(module, len(module))]


expect.set_options(timeout=1000 * PATIENCE_SECONDS)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    if CHROMIUM is None:
        pytest.fail("The browser tests need Chromium on the PATH; `make test` installs it.")
    flags = [*FLAGS, COMPILE_ONCE]
    return {**browser_type_launch_args, "executable_path": CHROMIUM, "args": flags}


@pytest.fixture(scope="session")
def browser(browser: Browser) -> Browser:
    """The browser of every window: in each, actions and requests may take as long as a busy machine needs."""
    browser.on("context", lambda window: window.set_default_timeout(1000 * PATIENCE_SECONDS))
    return browser


@pytest.fixture(scope="session")
def records() -> dict[str, bytes]:
    """Records to upload, by what is the matter with them."""
    broken = play_game("bezique", seed=7, names=["Cleo", "Dan"])
    events = broken.deals[1].events
    events[1] = replace(events[1], seat=events[0].seat)
    made = {
        "legal": play_game("bezique", seed=3),
        "illegal": broken,
        "new": play_game("marjolet", seed=4, names=["Eve", "Fay"]),
        "random": play_game("bezique", seed=26, style="random"),
        "zetema": play_game("zetema", seed=1),
        "long names": play_game(
            "zetema",
            seed=2,
            names=[f"{name} of the Thursday Club" for name in "ABCDEF"],
            sides=[[0, 2, 4], [1, 3, 5]],
        ),
        "chinese": play_game("chinese-bezique", seed=1, labels=True),
        "polish": play_game("polish-bezique", seed=1),
        "told_again": redact(play_game("polish-bezique", seed=1), 0),
        "annotated": annotated(),
    }
    six = Path(__file__).parents[2] / "samples" / "good" / "zetema-6-in-twos.json"
    return {"six": six.read_bytes(), **{name: codec.encode(game) for name, game in made.items()}}


def annotated() -> Record:
    """A game with times, a note at its sixth event, and a line at its second that is not lawful to its end."""
    game = play_game("zique", seed=2, names=["Gus", "Hal"])
    lead, reply = game.deals[0].events[:2]
    game.deals[0].events[:2] = [replace(lead, ms=800), replace(reply, ms=60_000)]
    line = Line(at=[0, 1], events=[reply, reply], by="Gus", text="bolder")
    note = Note(at=[0, 5], text="Now look at this.", by="Hal")
    return replace(game, notes=[note], lines=[line])


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, records: dict[str, bytes]) -> Iterator[str]:
    """The address of a server that has some games; of the annotated one, every choice has been weighed."""
    files = {f"{name}.json": data for name, data in records.items() if name != "new"}
    with served(tmp_path_factory.mktemp("site"), files) as (address, app):
        weighed = codec.decode(records["annotated"]).record
        assert weighed is not None
        save_review(app.extensions["store"], written_review(weighed, WEIGHED_LOSSES))
        hold_evening(app.extensions["store"])
        write_study_of(app.extensions["store"], weighed)
        yield address


def write_study_of(store: Store, game: Record) -> None:
    """A study of two moments, the second with a question, an answer and a line with a comment."""
    played, _ = events_for_url(game.deals[0].events[6:])
    moments = [
        StudyMoment(game=0, at=[0, 4], title="Trick 2", text="?! Too early, as Q♥ shows."),
        StudyMoment(
            game=0, at=[0, 6], question="What would you play?", answer="! What was played.", line=played[:3],
            notes=[LineNote(event=1, text="Now or never.")],
        ),
    ]  # fmt: skip
    study = Study(title="Two moments", by="Nora", text="For Thursday.", moments=moments)
    content = StudyContent(study, [StudyGame(codec.digest(game))], "public")
    begin_study(store, "two-moments", content, "author")


def hold_evening(store: Store) -> None:
    """An evening of seven, with a round and a typed result."""
    names = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Fay", "Gus of the Thursday Club")
    key = open_evening(store, EveningOpening("Club", date(2026, 3, 5), "swiss"), "person")
    paired = PairedRound([(1, 4), (2, 5), (3, 6)], 7)
    first = RoundPairing(1, paired)
    typed = ResultTyping(1, 1, 4, "first", (1050, 760))
    take_steps(store, key, [*map(PlayerArrival, names), first, typed], "person")


@pytest.fixture(scope="session")
def base_url(site: str) -> str:
    return site


@pytest.fixture(scope="session")
def digests(records: dict[str, bytes]) -> dict[str, str]:
    return {name: codec.decode(data).digest() or "" for name, data in records.items()}


class Complaints:
    """What a browser had to say: errors, warnings of its policy, requests to other hosts."""

    def __init__(self, page: Page, site: str) -> None:
        self.site = site
        self.said: list[str] = []
        self.requests: list[str] = []
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.said.append(f"error: {error}"))
        page.on("requestfailed", self._failed)
        page.on("request", self._request)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.said.append(f"{message.type}: {message.text}")

    def _failed(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # the page was left before it had all
            self.said.append(f"failed: {request.url}: {request.failure}")

    def _request(self, request: Request) -> None:
        self.requests.append(request.url)
        if not request.url.startswith((self.site, "blob:", "data:")):
            self.said.append(f"another host: {request.url}")


@pytest.fixture(scope="session")
def first_tab(browser: Browser, site: str) -> Iterator[Page]:
    """A tab that stays open, so that the scripts of the others are read once, and not once a test."""
    with browser.new_context(base_url=site) as window, window.new_page() as tab:
        tab.goto("/api")
        yield tab


@pytest.fixture
def page(first_tab: Page, site: str) -> Iterator[Page]:
    """A new tab beside it: what a browser keeps of earlier tests is forgotten, but for its cache."""
    window = first_tab.context
    with window.expect_page() as opened:
        first_tab.evaluate("() => { open('about:blank').opener = null }")
    with opened.value as page:
        kept = {"origin": site, "storageTypes": "all"}
        window.new_cdp_session(page).send("Storage.clearDataForOrigin", kept)
        yield page


@pytest.fixture
def complaints(page: Page, site: str) -> Iterator[Complaints]:
    found = Complaints(page, site)
    yield found
    assert found.said == []


@pytest.fixture
def quiet_page(page: Page, complaints: Complaints) -> Page:
    """A page on which the browser must find nothing to complain about."""
    return page


@pytest.fixture
def first_page(context: BrowserContext, site: str) -> Iterator[Page]:
    """The same, in a window of its own: nothing is in its cache, and its clock can be stopped."""
    page = context.new_page()
    found = Complaints(page, site)
    yield page
    assert found.said == []
