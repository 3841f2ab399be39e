"""The glossary: one word for one thing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from records.documents.glossary import GlossaryEntry, read_glossary
from webui.access.actions import Action
from webui.display.documents.document_pages import DocumentPart, document_parts
from webui.http.page import Page, Views
from webui.http.request_kinds import PAGES

blueprint = Views("glossary", __name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class GlossaryPage(Page):
    """The words of the game and of this project, by chapter, and the list of all documents."""

    template = "glossary/glossary.html"
    chapters: Mapping[str, Sequence[GlossaryEntry]]
    parts: Sequence[DocumentPart]

    @property
    def data(self) -> object:
        """The words and what they mean, by chapter."""
        return self.chapters


@blueprint.page("/glossary", Action.LOOK, PAGES)
def glossary() -> GlossaryPage:
    """Every word, with an anchor of its own."""
    return GlossaryPage(chapters=read_glossary(), parts=document_parts())
