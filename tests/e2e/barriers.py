"""Accessibility barriers that axe finds on a page."""

from collections.abc import Sequence
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

LOADED = "'axe' in window"
PLAIN_FELT = """const felts = [...document.querySelectorAll("*")].filter((part) =>
        getComputedStyle(part).backgroundImage.includes("radial-gradient"));
    felts.forEach((part) => part.style.setProperty("background", "var(--felt)", "important"));"""
"""Make the felt one colour, its lightest: axe judges no contrast with a gradient."""
DRAWINGS_AWAY = """const sheets = [...document.querySelectorAll("svg:has(> symbol)")].map((sheet) => {
        const drawings = document.createDocumentFragment();
        drawings.append(...sheet.childNodes);
        return [sheet, drawings];
    });"""
"""Take out what cards and icons are drawn from: never in sight itself, and up to two thirds of what a page consists of."""
DRAWINGS_BACK = "sheets.forEach(([sheet, drawings]) => sheet.append(drawings));"
RUN = f"""async ([rules, without]) => {{
    {DRAWINGS_AWAY}
    {PLAIN_FELT}
    const results = await axe.run({{
        resultTypes: ["violations"], selectors: false, preload: {{ assets: ["media"] }},
        rules: Object.fromEntries(without.map((name) => [name, {{ enabled: false }}])),
        ...(rules.length && {{ runOnly: {{ type: "rule", values: rules }} }}),
    }});
    felts.forEach((part) => part.style.removeProperty("background"));
    {DRAWINGS_BACK}
    return results.violations;
}}"""
"""What axe finds. No rule that it runs reads style sheets, which it would load and parse each time; and a place is told
by its markup, so that no selector is sought for each."""
COLOURS = ("color-contrast", "link-in-text-block")
"""The rules about colours that axe runs unless told otherwise."""

CONTRAST = ("color-contrast",)
"""More than half of what axe costs; between a phone and a desk no colour is new."""
LAYOUT = ("target-size", "scrollable-region-focusable", "region", "heading-order")
"""The rules that ask where things lie, and which of them are in sight; rules about the whole page are added to them."""
IN_SIGHT = """[...document.querySelectorAll("*")].filter((part) => part.checkVisibility())"""
NOTE_SEEN = f"() => {{ window.seen = new Set({IN_SIGHT}); }}"
RUN_ON_NEW = f"""async (rules) => {{
    {DRAWINGS_AWAY}
    const fresh = {IN_SIGHT}.filter((part) => !window.seen.has(part));
    const among = new Set(fresh), first = fresh.filter((part) => !among.has(part.parentElement));
    const given = {{ resultTypes: ["violations"], selectors: false, preload: {{ assets: ["media"] }} }};
    const ofPages = axe._audit.rules.filter((rule) => rule.pageLevel && rule.enabled).map((rule) => rule.id);
    const values = [...rules, ...ofPages];
    const whole = await axe.run({{ ...given, runOnly: {{ type: "rule", values }} }});
    const parts = first.length ? await axe.run({{ include: first }}, given) : {{ violations: [] }};
    fresh.forEach((part) => window.seen.add(part));
    {DRAWINGS_BACK}
    return [...whole.violations, ...parts.violations];
}}"""
"""What axe finds by some rules on the whole page, and by all on what has not been in sight before."""

FITS_SOON = """() => new Promise((done) => {
    const look = (tries) => {
        const fits = document.documentElement.scrollWidth <= innerWidth;
        if (fits || !tries) done(fits); else setTimeout(look, 50, tries - 1);
    };
    look(600);
})"""
"""Whether the page fits the window, at once or soon: figures follow the window in a moment."""


def barriers(page: Page, rules: Sequence[str] = (), *, without: Sequence[str] = ()) -> list[str]:
    """Every place of every violation of some rules, or of all but those `without`, in axe's words."""
    if not page.evaluate(LOADED):
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate(RUN, [[*rules], [*without]])
    page.evaluate(NOTE_SEEN)
    return _places(found)


def new_barriers(page: Page, rules: Sequence[str] = LAYOUT) -> list[str]:
    """The violations of all rules on what was not in sight when axe last looked at this page, and of some on all of it."""
    return _places(page.evaluate(RUN_ON_NEW, [*rules]))


def _places(violations: list[dict[str, Any]]) -> list[str]:
    return [
        f"{violation['id']}: {node['html'][:200]} {node['any'][:1]}"
        for violation in violations
        for node in violation["nodes"]
    ]
