"""The data of the page of the glossary."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from records.documents.glossary import GlossaryEntry
from webui.display.documents.document_pages import DocumentPart
from webui.pages.page import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class GlossaryPage(Page):
    """The words of the game and of this project, by chapter, and the list of all documents."""

    template = "glossary/glossary.html"
    chapters: Mapping[str, Sequence[GlossaryEntry]]
    parts: Sequence[DocumentPart]
