"""The data of the page of an error."""

from dataclasses import dataclass

from webui.pages.page import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorPage(Page):
    """An error in words."""

    template = "errors/error.html"
    status: int
    title: str
    text: str
