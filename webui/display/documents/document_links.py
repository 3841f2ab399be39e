"""Where a link of a document leads on the site: documents name each other as files of the repository."""

import re
from pathlib import Path
from posixpath import dirname, join, normpath

from records.documents.schemas import SPEC_ADDRESS, SPEC_FOLDER

DOCUMENT_ADDRESS = "/docs/"
"""Below it are the pages of the documents folder."""
DOCUMENT_FOLDER = Path(__file__).parents[2] / "documents"
"""The Markdown of the documents; in a wheel, too."""
DOCUMENT_FILES = "webui/documents/"
SPEC_FILES = "records/spec/"
"""Where the repository has both."""

_STATIC_FOLDER = Path(__file__).parents[2] / "static"
_STATIC_FILES = "webui/static/"
_BROKEN_SAMPLE = re.compile(r"samples/broken/([a-z0-9-]+)\.json")
_SAMPLE = re.compile(r"samples/(?:good|logs)/[a-z0-9-]+\.[a-z]+")
_KIT_FILE = re.compile(r"samples/(conformance/[a-z-]+\.[a-z]+)")
_ONLY_IN_THE_REPOSITORY = re.compile(r"samples/.*|[A-Z]+\.md")


def page_path(name: str) -> str:
    """The address of a page of the specification."""
    return "/glossary" if name == "glossary" else SPEC_ADDRESS + name


def document_link(file: str, address: str) -> str | None:
    """Where a link in a file of the repository leads on the site; None to a file that only the repository has.

    Raises ValueError for any other address.
    """
    path, mark, anchor = address.partition("#")
    if not path:
        return address
    target = normpath(join(dirname(file), path))
    if (place := _page_place(target) or _data_place(target)) is not None:
        return place + mark + anchor
    if _ONLY_IN_THE_REPOSITORY.fullmatch(target):
        return None
    raise ValueError(f"{file} leads to {address}, which the site does not have")


def _page_place(target: str) -> str | None:
    """The address of a page."""
    name = target.rpartition("/")[2].removesuffix(".md")
    if target == f"{SPEC_FILES}{name}.md" and (SPEC_FOLDER / f"{name}.md").is_file():
        return page_path(name)
    if target == f"{DOCUMENT_FILES}{name}.md" and (DOCUMENT_FOLDER / f"{name}.md").is_file():
        return DOCUMENT_ADDRESS + name
    return None


def _data_place(target: str) -> str | None:
    """The address of a schema, a rule sheet, a sample, a file of the kit or a picture."""
    inside = target.removeprefix(SPEC_FILES)
    if inside != target and target.endswith(".json") and (SPEC_FOLDER / inside).is_file():
        return SPEC_ADDRESS + inside
    inside = target.removeprefix(_STATIC_FILES)
    if inside != target and (_STATIC_FOLDER / inside).is_file():
        return f"/static/{inside}"
    if broken := _BROKEN_SAMPLE.fullmatch(target):
        return f"/findings/{broken[1]}/sample.json"
    if _SAMPLE.fullmatch(target):
        return SPEC_ADDRESS + target
    if kit_file := _KIT_FILE.fullmatch(target):
        return SPEC_ADDRESS + kit_file[1]
    return None
