"""The data of the page of verdicts."""

from dataclasses import dataclass

from webui.pages.home import UploadVerdicts
from webui.pages.page import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictsPage(Page):
    """The verdicts on some records, at an address of their own."""

    template = "verdicts/verdicts.html"
    verdicts: UploadVerdicts
