"""Every key that the replay lists, and its button, at every width, on four games."""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.e2e.barriers import barriers, new_barriers

WIDTHS = {390: 844, 820: 1180, 1440: 900}
GAMES = ("random", "zetema", "chinese", "polish")
PRESSED = {"random": 390, "zetema": 390, "chinese": 820, "polish": 1440}
"""The window in which every key of a game is pressed and its button clicked.

What a key or a click does knows nothing of the window. Whether a button can be reached does: all are, in every window.
"""
HERE = 20
"""The step that every key is pressed at."""

STEPS = """() => {
    const { steps, margin } = JSON.parse(document.getElementById("deal").textContent);
    const review = JSON.parse(document.getElementById("review")?.textContent ?? "null");
    const where = (holds) => steps.flatMap((step, n) => (holds(step, n) ? [n] : []));
    return {
        last: steps.length - 1,
        trick: [...where((step, n) => !n || step.trick !== steps[n - 1].trick), steps.length - 1],
        choice: where((step) => step.choice), meld: where((step) => step.named.length > 1),
        finding: where((step) => step.findings.length),
        note: [...margin.notes, ...margin.lines].map((note) => note.step).sort((a, b) => a - b),
        mistake: review?.mistakes ?? [], miss: review?.misses ?? [],
    };
}"""
HEARD = """() => import("/static/js/replay/navigation.js").then(({ KEYS, LINKS }) => [
    ...Object.keys(KEYS), ...Object.keys(LINKS).filter((key) => document.querySelector(LINKS[key])),
])"""

UNREACHED = """(keys) => keys.filter((key) => {
    const button = document.querySelector(`[aria-keyshortcuts="${key}"]`);
    if (button?.disabled) return false;
    button?.scrollIntoView({ block: "center", behavior: "instant" });
    const box = button?.checkVisibility() && button.getBoundingClientRect();
    return !box || !button.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2));
})"""
"""The keys whose button cannot be clicked: it is not in sight, or something covers it."""

Act = Callable[[], None]


class Room:
    """The replay of a deal, open at its view panel; links are not followed."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        page.goto(address)
        page.locator("#tab-view").click()
        self.steps: dict[str, Any] = page.evaluate(STEPS)
        page.route(re.compile("/games/"), self._stay)

    def _stay(self, route: Route) -> None:
        """A page that is asked for is not there to be shown: the browser stays where it is."""
        if asks_for_a_page(route.request):
            route.fulfill(status=204)
        else:
            route.continue_()

    def listed(self) -> list[str]:
        """The keys of the list that `?` opens, by the names that the browser gives them."""
        self.page.keyboard.press("?")
        keys = self.page.locator("[data-help] [data-key]")
        names = [str(key.get_attribute("data-key")) for key in keys.all()]
        assert new_barriers(self.page) == []  # all that was in sight has been looked at
        self.page.keyboard.press("Escape")
        return names

    def at(self, step: int) -> None:
        self.page.locator(f'[data-events] [data-step="{step}"]').dispatch_event("click")

    def shown(self) -> int:
        return int(self.page.locator("[data-number]").inner_text())

    def press(self, key: str) -> None:
        name = key if len(key.removeprefix("Shift+")) > 1 or "Shift" in key else key.lower()
        self.page.keyboard.press(name)

    def click(self, key: str) -> None:
        button = self.page.locator(f'[aria-keyshortcuts="{key}"]').first
        if button.is_enabled():
            button.click(force=button.get_attribute("aria-disabled") == "true")


def leads(to: Callable[[dict[str, Any], int], int]) -> Callable[[Room, Act], None]:
    """A check that an act, twice, leads to where the data of the page say."""

    def check(room: Room, act: Act) -> None:
        room.at(HERE)
        act()
        act()
        assert room.shown() == to(room.steps, to(room.steps, HERE))

    return check


def next_(what: str) -> Callable[[Room, Act], None]:
    return leads(lambda steps, now: next((n for n in steps[what] if n > now), now))


def before(what: str) -> Callable[[Room, Act], None]:
    return leads(lambda steps, now: next((n for n in reversed(steps[what]) if n < now), now))


def asks_for_a_page(request: Request) -> bool:
    """Whether a page is asked for: by the browser, or by the script that shows it in place of this one."""
    return request.headers.get("accept", "").startswith("text/html")


def asks(ending: str, **query: str | None) -> Callable[[Room, Act], None]:
    """A check that an act asks for a page that ends so, with this in its query; None is absent."""

    def check(room: Room, act: Act) -> None:
        room.at(HERE)
        with room.page.expect_request(asks_for_a_page) as request:
            act()
        address = urlsplit(request.value.url)
        given = dict(parse_qsl(address.query))
        assert address.path.endswith(ending)
        assert {name: given.get(name) for name in query} == query
        expect(room.page.locator("#main[aria-busy]")).to_have_count(0)  # keys wait that long

    return check


def plays(room: Room, act: Act) -> None:
    button = room.page.locator('[data-autoplay="walk"]')
    room.at(HERE)
    for playing in ("true", "false"):
        act()
        expect(button).to_have_attribute("aria-pressed", playing)


def shows_the_best(room: Room, act: Act) -> None:
    best = room.page.locator("[data-best-line]")
    room.at(room.steps["mistake"][0])
    if best.is_visible():  # who goes to the next mistake sees it
        act()
    expect(best).to_be_hidden()
    act()
    expect(best).to_have_text(re.compile("^.+ (loses|cost) .+ points"))
    act()
    expect(best).to_be_hidden()


def helps(room: Room, act: Act) -> None:
    act()
    expect(room.page.locator("[data-help]")).to_be_visible()
    room.page.keyboard.press("ArrowRight")
    room.page.get_by_role("button", name="Close").click()
    expect(room.page.locator("[data-help]")).to_be_hidden()


def shares(room: Room, act: Act) -> None:
    room.at(HERE)
    act()
    link = room.page.locator("[data-share-link]")
    expect(link).to_have_value(re.compile(rf"/games/\w{{12}}/deals/1\?step={HERE}"))
    room.page.keyboard.press("Escape")
    expect(room.page.locator("[data-share]")).to_be_hidden()


CHECKS: dict[str, Callable[[Room, Act], None]] = {
    "Home": leads(lambda steps, now: 0),
    "End": leads(lambda steps, now: steps["last"]),
    "ArrowLeft": leads(lambda steps, now: max(now - 1, 0)),
    "ArrowRight": leads(lambda steps, now: min(now + 1, steps["last"])),
    "ArrowUp": before("trick"),
    "ArrowDown": next_("trick"),
    **{
        key: check
        for letter, what in {
            "D": "choice", "M": "meld", "F": "finding", "N": "note", "E": "mistake", "L": "miss",
        }.items()
        for key, check in ((letter, next_(what)), (f"Shift+{letter}", before(what)))
    },
    "PageDown": asks("/deals/2", until=None),
    "W": asks("/what-if", step=str(HERE), see=None),
    "H": asks("/deals/1", step=str(HERE), until=str(HERE)),
    "T": asks("/deals/1", step=str(HERE), near="1"),
    "0": asks("/deals/1", step=str(HERE), see=None),
    **{str(seat + 1): asks("/deals/1", step=str(HERE), see=str(seat)) for seat in range(6)},
    "P": plays,
    "B": shows_the_best,
    "S": shares,
    "?": helps,
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_key_that_is_listed_works_and_its_button_does_the_same(
    quiet_page: Page, digests, game
):
    quiet_page.emulate_media(reduced_motion="reduce")
    if game == "random":
        quiet_page.request.get(f"/games/{digests[game]}/review")
    resize(quiet_page, min(WIDTHS))
    room = Room(quiet_page, f"/games/{digests[game]}/deals/1?step={HERE}")
    for width in WIDTHS:
        resize(quiet_page, width)
        assert (barriers if width == min(WIDTHS) else new_barriers)(quiet_page) == [], width
        listed = room.listed()
        heard = [
            f"Shift+{key}" if key.isupper() and len(key) == 1 else key
            for key in quiet_page.evaluate(HEARD)
        ]
        missing = {key if len(key) > 1 else key.upper() for key in heard} - {*listed}
        assert {key.removeprefix("Shift+") for key in missing} <= {*"NEL"}, "heard, and not listed"
        assert quiet_page.evaluate("document.documentElement.scrollWidth") <= width
        room.at(HERE)
        assert quiet_page.evaluate(UNREACHED, listed) == [], width
    resize(quiet_page, PRESSED[game])
    for key in listed:
        for act in (room.press, room.click):
            CHECKS[key](room, lambda act=act, key=key: act(key))


def resize(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": WIDTHS[width]})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "width"), [("random", 390), ("zetema", 820), ("chinese", 390), ("polish", 1440)]
)
def test_what_the_keys_ask_for_is_shown(quiet_page: Page, digests, game, width):
    quiet_page.set_viewport_size({"width": width, "height": WIDTHS[width]})
    quiet_page.goto(f"/games/{digests[game]}/deals/1?step={HERE}")
    other = quiet_page.locator('[data-hand="0"] [data-card="??"]')
    slider = quiet_page.locator("[data-slider]")
    near = quiet_page.locator(".near [data-hand]")

    def press(key: str, address: str) -> None:
        quiet_page.keyboard.press(key)
        quiet_page.wait_for_url(re.compile(address))

    press("2", "see=1")
    expect(near).to_have_attribute("data-hand", "1")
    expect(other).not_to_have_count(0)
    press("h", f"until={HERE}")
    expect(slider).to_have_attribute("max", str(HERE))
    press("ArrowRight", f"until={HERE + 1}")
    expect(slider).to_have_attribute("max", str(HERE + 1))
    for wide, high in WIDTHS.items():
        quiet_page.set_viewport_size({"width": wide, "height": high})
        looked = barriers if wide == min(WIDTHS) else new_barriers
        assert looked(quiet_page) == [], wide
    quiet_page.set_viewport_size({"width": width, "height": WIDTHS[width]})
    press("h", r"^((?!until).)*$")
    expect(slider).not_to_have_attribute("max", str(HERE + 1))
    press("t", "near=")
    expect(near).not_to_have_attribute("data-hand", "1")
    press("0", r"^((?!see=).)*$")
    expect(other).to_have_count(0)
    press("w", "what-if")
    expect(quiet_page.locator(".choice").first).to_be_visible()
