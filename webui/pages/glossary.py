"""The data of the page of the glossary."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from records.documents.glossary import GlossaryEntry
from webui.pages.page import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class GlossaryPage(Page):
    """The words of the game and of this project, by chapter."""

    template = "glossary/glossary.html"
    chapters: Mapping[str, Sequence[GlossaryEntry]]
