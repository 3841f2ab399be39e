"""Sending records as a person does: what is typed or chosen is looked at, and then stored."""

import re

from playwright.sync_api import Page


def look_at_text(page: Page, text: str) -> None:
    """Paste a record on the first page, and look at what was found."""
    page.get_by_label("or paste a record").fill(text)
    page.get_by_role("button", name="Look at it").click()
    page.wait_for_url("**/look/*")


def store_found(page: Page, *, private: bool = False) -> None:
    """Store what was found."""
    page.wait_for_url("**/look/*")
    if private:
        page.get_by_label("Keep it private").check()
    page.get_by_role("button", name=re.compile("^Store ")).click()
