"""Which documents there are, in which order, and each as a page."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypedDict

from records.documents.schemas import SPEC_ADDRESS, SPEC_FOLDER
from webui.display.documents.document_links import (
    DOCUMENT_ADDRESS,
    DOCUMENT_FILES,
    DOCUMENT_FOLDER,
    SPEC_FILES,
    page_path,
)
from webui.display.documents.page_markup import (
    DocumentMarkup,
    plain_text,
    render_document,
    shorten_summary,
)

SPEC_PAGE_NAMES = (
    "format", "writing", "notation", "authors", "deals", "sheets", "points", "rulings", "findings", "conformance",
    "planted_errors", "interface", "glossary", "versions",
)  # fmt: skip
"""The pages of the specification in the order in which a newcomer reads them: `format` is `format.md`."""

CONTENTS_FILE = DOCUMENT_FOLDER / "contents.toml"
"""The parts of the documents, each with its pages."""


@dataclass(frozen=True, slots=True)
class DocumentEntry:
    """A page as lists have it: its address, its title, and how it begins."""

    address: str
    title: str
    summary: str


@dataclass(frozen=True, slots=True)
class DocumentPart:
    """A part of the documents: its title, and its pages."""

    title: str
    pages: Sequence[DocumentEntry]


@cache
def document_page_names() -> tuple[str, ...]:
    """The names of the documents in the order of their parts: `tutorial` is `tutorial.md`."""
    return tuple(name for part in _contents() for name in part["pages"])


@cache
def document_parts() -> tuple[DocumentPart, ...]:
    """All parts, the specification being the last."""
    parts = [
        DocumentPart(part["title"], [_listed(DOCUMENT_ADDRESS + name) for name in part["pages"]])
        for part in _contents()
    ]
    specification = [_listed(page_path(name)) for name in SPEC_PAGE_NAMES]
    return (*parts, DocumentPart("Specification", specification))


@cache
def document_page(name: str) -> DocumentMarkup:
    """The document of this name; KeyError if there is none."""
    if name not in document_page_names():
        raise KeyError(name)
    return render_document(
        f"{DOCUMENT_FILES}{name}.md", DOCUMENT_ADDRESS + name, _text(DOCUMENT_FOLDER, name)
    )


@cache
def spec_page(name: str) -> DocumentMarkup:
    """The page of the specification of this name; KeyError if there is none."""
    if name not in SPEC_PAGE_NAMES:
        raise KeyError(name)
    return render_document(f"{SPEC_FILES}{name}.md", page_path(name), _text(SPEC_FOLDER, name))


def page_at(address: str) -> DocumentMarkup:
    """The page of the documents or of the specification at an address; KeyError if there is none."""
    if address.startswith(DOCUMENT_ADDRESS):
        return document_page(address.removeprefix(DOCUMENT_ADDRESS))
    return spec_page(address.removeprefix(SPEC_ADDRESS).lstrip("/"))


class _ContentsPart(TypedDict):
    title: str
    pages: list[str]


def _contents() -> list[_ContentsPart]:
    parts: list[_ContentsPart] = tomllib.loads(CONTENTS_FILE.read_text(encoding="utf-8"))["part"]
    return parts


def _listed(address: str) -> DocumentEntry:
    """A page of which only the beginning is read: lists need no page as HTML."""
    name = address.rpartition("/")[2]
    folder = DOCUMENT_FOLDER if address.startswith(DOCUMENT_ADDRESS) else SPEC_FOLDER
    title, paragraph = _text(folder, name).split("\n\n", 2)[:2]
    return DocumentEntry(address, plain_text(title), shorten_summary(plain_text(paragraph)))


def _text(folder: Path, name: str) -> str:
    return (folder / f"{name}.md").read_text(encoding="utf-8")
