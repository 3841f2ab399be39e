"""The glossary: one word for one thing."""

from flask import Blueprint
from flask.typing import ResponseReturnValue

from records.documents.glossary import read_glossary
from webui.display.documents.document_pages import document_parts
from webui.http.responses import json_response
from webui.pages.glossary import GlossaryPage

blueprint = Blueprint("glossary", __name__)


@blueprint.get("/glossary")
def glossary() -> ResponseReturnValue:
    """Every word, with an anchor of its own."""
    return GlossaryPage(chapters=read_glossary(), parts=document_parts()).render()


@blueprint.get("/glossary.json")
def glossary_json() -> ResponseReturnValue:
    """The words and what they mean, by chapter."""
    return json_response(read_glossary())
