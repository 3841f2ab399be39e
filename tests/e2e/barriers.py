"""Accessibility barriers that axe finds on a page."""

from collections.abc import Sequence

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

LOADED = "'axe' in window"
RUN = """(rules) => axe.run({
    resultTypes: ["violations"], selectors: false, preload: { assets: ["media"] },
    ...(rules.length && { runOnly: { type: "rule", values: rules } }),
}).then((results) => results.violations)"""
"""What axe finds. No rule that it runs reads style sheets, which it would load and parse each time; and a place is told
by its markup, so that no selector is sought for each."""
COLOURS = ("color-contrast", "link-in-text-block")
"""The rules about colours that axe runs unless told otherwise."""

FITS_SOON = """() => new Promise((done) => {
    const look = (tries) => {
        const fits = document.documentElement.scrollWidth <= innerWidth;
        if (fits || !tries) done(fits); else setTimeout(look, 50, tries - 1);
    };
    look(600);
})"""
"""Whether the page fits the window, at once or soon: figures follow the window in a moment."""


def barriers(page: Page, rules: Sequence[str] = ()) -> list[str]:
    """Every place of every violation of some rules, or of all, in axe's words."""
    if not page.evaluate(LOADED):
        page.evaluate(AXE_SCRIPT)
    return [
        f"{violation['id']}: {node['html'][:200]} {node['any'][:1]}"
        for violation in page.evaluate(RUN, [*rules])
        for node in violation["nodes"]
    ]
