"""The data of the page about the API."""

from dataclasses import dataclass

from webui.pages.page import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiPage(Page):
    """How programs use this server; `largest` is the most that a body may have."""

    template = "api/api.html"
    host: str
    largest: str
    rate: str
