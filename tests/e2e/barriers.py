"""Accessibility barriers that axe finds on a page."""

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

LOADED = "'axe' in window"
RUN = "axe.run({ resultTypes: ['violations'] }).then((results) => results.violations)"

FITS_SOON = """() => new Promise((done) => {
    const look = (tries) => {
        const fits = document.documentElement.scrollWidth <= innerWidth;
        if (fits || !tries) done(fits); else setTimeout(look, 50, tries - 1);
    };
    look(600);
})"""
"""Whether the page fits the window, at once or soon: figures follow the window in a moment."""


def barriers(page: Page) -> list[str]:
    """Every place of every violation, in axe's words."""
    if not page.evaluate(LOADED):
        page.evaluate(AXE_SCRIPT)
    return [
        f"{violation['id']}: {node['html'][:200]} {node['any'][:1]}"
        for violation in page.evaluate(RUN)
        for node in violation["nodes"]
    ]
