"""The specification: its pages, the rule sheets as data, the schemas, and a search."""

from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from flask import Response, abort, current_app, redirect, url_for
from flask.typing import ResponseReturnValue

from analyzer.review.annotation import annotation_schema
from analyzer.review.deep_review import deep_review_schema, review_schema
from records.conformance.cases import INDEX_FILE, kit_folder
from records.conformance.run import KIT_SCHEMA_FILE
from records.documents.schemas import SPEC_FOLDER, encode_schema
from records.rules.registry import ALL_SHEETS, SHEETS_BY_ID
from records.validate.codes import FINDING_CODES
from webui.display.documents import (
    MOST_RESULTS,
    SPEC_PAGE_NAMES,
    FoundSection,
    search_documents,
    spec_page,
)
from webui.display.page_markup import DocumentMarkup
from webui.server.actions import Action
from webui.server.game_cache import samples_folder
from webui.server.page import Page, Views
from webui.server.request_kinds import FILES, PAGES
from webui.server.responses import json_response, site_path
from webui.views.documents import DocumentPage, page_among, page_data, results_data, search_question

ANALYZER_SCHEMAS = {
    "review.schema.json": review_schema,
    "annotation.schema.json": annotation_schema,
    "deep-review.schema.json": deep_review_schema,
}
SERVED_SCHEMAS = (
    *sorted(path.name for path in SPEC_FOLDER.glob("*.schema.json")),
    *ANALYZER_SCHEMAS,
)
"""The schemas of the specification, and those that the analyzer has."""
KIT_PATH = "conformance/"
KIT_FILES = {
    path.name: "application/json" if path.suffix == ".json" else "text/plain"
    for path in kit_folder().iterdir()
    if path.is_file()
}
"""The files of the conformance kit, and how they are sent: lines of cases, harnesses and the driver as plain text."""
KIT_ARCHIVE = "kit.zip"
"""All of them in one file, which is made when it is asked for first and then kept."""
SAMPLES_PATH = "samples/"
SAMPLE_KINDS = {".json": "application/json", ".csv": "text/csv", ".toml": "text/plain"}
SAMPLE_FOLDERS = ("good", "partial", "logs", "rulebooks")
SAMPLE_FILES = {
    f"{folder}/{path.name}": SAMPLE_KINDS[path.suffix]
    for folder in SAMPLE_FOLDERS
    for path in (samples_folder() / folder).iterdir()
}
"""The samples that the specification shows, by folder and name, and how they are sent; findings have the broken ones."""
CACHED_SECONDS = 3600
"""How long sheets and schemas may be kept without asking again."""
blueprint = Views("specification", __name__)


class SpecificationPage(Page):
    """The list of pages, sheets and schemas, and the results of a search for `question`, at most `most`."""

    template = "specification/specification.html"
    pages: Sequence[DocumentMarkup]
    sheets = ALL_SHEETS
    schemas = SERVED_SCHEMAS
    question: str
    results: Sequence[FoundSection]
    most = MOST_RESULTS


def _list_data() -> object:
    """The pages with their headings, the addresses of sheets and schemas, or what `?q=` finds."""
    if question := search_question():
        return results_data(question)
    return {
            "pages": [
                {"name": name, "title": page.title, "address": site_path(page.address), "summary": page.summary}
                for name in SPEC_PAGE_NAMES
                for page in [spec_page(name)]
            ],
            "sheets": {
                sheet.id: url_for("specification.sheet_data", sheet_id=sheet.id) for sheet in ALL_SHEETS
            },
            "schemas": {
                file: url_for("specification.schema", schema_name=file.partition(".")[0])
                for file in SERVED_SCHEMAS
            },
        }  # fmt: skip


@blueprint.page("/spec", Action.LOOK, PAGES, data=_list_data)
def specification() -> SpecificationPage:
    """The pages of the specification; `?q=` searches them and the documents."""
    question = search_question()
    return SpecificationPage(
        pages=[spec_page(name) for name in SPEC_PAGE_NAMES],
        question=question,
        results=search_documents(question),
    )


def _chapter_data(chapter: str) -> object:
    """The sections of one page of the specification, with their anchors, as text."""
    return page_data(chapter, page_among(chapter, SPEC_PAGE_NAMES, spec_page).markup)


@blueprint.page("/spec/<chapter>", Action.LOOK, PAGES, data=_chapter_data)
def page(chapter: str) -> DocumentPage | ResponseReturnValue:
    """One page of the specification; the glossary has a page of its own."""
    if chapter == "glossary":
        return redirect(url_for("glossary.glossary"), 301)
    return page_among(chapter, SPEC_PAGE_NAMES, spec_page)


@blueprint.address("/spec/sheets/<sheet_id>.json", Action.LOOK, FILES)
def sheet_data(sheet_id: str) -> ResponseReturnValue:
    """A rule sheet as data, for programs that judge or play by it."""
    if sheet_id not in SHEETS_BY_ID:
        abort(404)
    return published_file(f"sheets/{sheet_id}.json")


@blueprint.address("/spec/<schema_name>.schema.json", Action.LOOK, FILES)
def schema(schema_name: str) -> ResponseReturnValue:
    """The JSON Schema of records, reports, sheets, the conformance kit, reviews, or of the two documents before them."""
    if f"{schema_name}.schema.json" not in SERVED_SCHEMAS:
        abort(404)
    return published_file(f"{schema_name}.schema.json")


@blueprint.address("/spec/<chapter>.md", Action.LOOK, FILES)
def page_by_file_name(chapter: str) -> ResponseReturnValue:
    """A page by the name of its file, which other pages give to their links, leads to the page."""
    if chapter not in SPEC_PAGE_NAMES:
        abort(404)
    return redirect(url_for("specification.page", chapter=chapter), 301)


@blueprint.address("/spec/<folder>/", Action.LOOK, FILES)
def folder_index(folder: str) -> ResponseReturnValue:
    """The folder of the kit, or of the samples, leads to its index."""
    if folder not in ("conformance", "samples"):
        abort(404)
    return redirect(f"{url_for('specification.specification')}/{folder}/{INDEX_FILE}", 301)


@blueprint.address("/spec/conformance/<file>", Action.LOOK, FILES)
def kit_file(file: str) -> ResponseReturnValue:
    """A file of the conformance kit: its index, the cases of a sheet, a harness, the driver, or all in one."""
    if file == "README.md":
        return redirect(url_for("specification.page", chapter="conformance"), 301)
    if file == KIT_ARCHIVE:
        return published_file(f"{KIT_PATH}{file}", "application/zip")
    if file not in KIT_FILES:
        abort(404)
    return published_file(f"{KIT_PATH}{file}", KIT_FILES[file])


@blueprint.address("/spec/samples/index.json", Action.LOOK, FILES)
def sample_index() -> ResponseReturnValue:
    """The samples that the specification shows: their names and addresses, by folder; the broken ones by finding."""
    shown: dict[str, dict[str, str]] = {folder: {} for folder in SAMPLE_FOLDERS}
    for name in sorted(SAMPLE_FILES):
        folder, _, file = name.partition("/")
        shown[folder][file] = url_for("specification.sample_file", folder=folder, file=file)
    broken = {
        code: url_for("findings.sample", code=code)
        for code in FINDING_CODES
        if (samples_folder() / "broken" / f"{code}.json").is_file()
    }
    return json_response({**shown, "broken": broken})


@blueprint.address("/spec/samples", Action.LOOK, FILES)
def samples() -> ResponseReturnValue:
    """The samples are listed by their index."""
    return redirect(url_for("specification.sample_index"), 301)


@blueprint.address("/spec/samples/<folder>/<file>", Action.LOOK, FILES)
def sample_file(folder: str, file: str) -> ResponseReturnValue:
    """A good or partial sample, a log of another program with its mapping, or a rulebook of a table's own."""
    kind = SAMPLE_FILES.get(f"{folder}/{file}") or abort(404)
    return published_file(f"{SAMPLES_PATH}{folder}/{file}", kind)


def published_file(path: str, kind: str = "application/json") -> Response:
    """A file of the specification, which caches may keep for a while."""
    data, version = _read_published(path)
    response = current_app.response_class(data, mimetype=kind)
    response.set_etag(version)
    response.cache_control.public = True
    response.cache_control.max_age = CACHED_SECONDS
    return response


@cache
def _read_published(path: str) -> tuple[bytes, str]:
    if path == KIT_PATH + KIT_ARCHIVE:
        data = _kit_archive()
    elif path.startswith(KIT_PATH):
        data = (kit_folder() / path.removeprefix(KIT_PATH)).read_bytes()
    elif path.startswith(SAMPLES_PATH):
        data = (samples_folder() / path.removeprefix(SAMPLES_PATH)).read_bytes()
    elif path in ANALYZER_SCHEMAS:
        data = encode_schema(ANALYZER_SCHEMAS[path]())
    else:
        data = (SPEC_FOLDER / path).read_bytes()
    return data, sha256(data).hexdigest()[:16]


def _kit_archive() -> bytes:
    """The kit as a zip, the same bytes from the same kit: its files, its page and its schema."""
    kit = [kit_folder() / name for name in sorted(KIT_FILES)]
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for path in (*kit, SPEC_FOLDER / "conformance.md", SPEC_FOLDER / KIT_SCHEMA_FILE):
            # No time of a file goes in: two servers with one kit send one archive.
            entry = ZipInfo(f"bezique-kit/{path.name}")
            entry.compress_type = ZIP_DEFLATED
            archive.writestr(entry, path.read_bytes())
    return packed.getvalue()
