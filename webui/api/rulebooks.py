"""What is published: rule sheets, schemas, and this interface itself; and the rulebooks of its own that the folder keeps."""

from importlib.metadata import version
from typing import Annotated

import msgspec
from flask import Response, current_app

from analyzer.sql.guard import LONGEST_STATEMENT
from analyzer.store.rulebooks import LocalRulebook, list_local_rulebooks
from analyzer.upkeep import keeping
from analyzer.upkeep.keeping import AddedRulebook, RulebookRefused
from records.documents.schemas import SPEC_ADDRESS
from records.rules.registry import ALL_SHEETS, SHEETS_BY_ID
from records.rules.sheet_text import LARGEST_SHEET_BYTES
from records.rules.vocabulary import RuleSheet
from webui.api.requests import LARGEST_BODY_BYTES, NoParameters, SentStruct, refusals_as
from webui.server.access import actor, may
from webui.server.error_pages import ProblemRaised, interface_address
from webui.server.known_rulebooks import keep_rulebook, known_rulebook
from webui.server.responses import json_response
from webui.views import store
from webui.views.specification import SERVED_SCHEMAS, published_file

INTERFACE_VERSION = "1.0"
"""The version of the interface: a change that programs must know of raises the first number, and the address with it."""
SCHEMA_ENDING = ".schema.json"


class InterfaceLimits(msgspec.Struct, frozen=True):
    """What a request may be: bytes of a body, bytes of an upload, and records in a request.

    `body_without_records` is the most bytes of a body that holds none, `statement` the most characters of one in SQL.
    A stream may be as large as an upload, with any number of records, and takes at most `stream_seconds`.
    """

    body: int
    upload: int
    records: int
    body_without_records: int
    statement: int
    stream_seconds: float


class InterfaceDescription(msgspec.Struct, frozen=True):
    """The interface: its version and the program's, its limits, who asks, and what they may do."""

    interface: str
    program: str
    openapi: str
    role: str
    may: list[str]
    limits: InterfaceLimits


class ListedSheet(msgspec.Struct, frozen=True):
    """A rule sheet: its id, its name, its edition, and where it stands whole."""

    id: str
    name: str
    edition: int
    address: str


class SheetList(msgspec.Struct, frozen=True):
    """All rule sheets."""

    sheets: list[ListedSheet]


class ListedSchema(msgspec.Struct, frozen=True):
    """A JSON Schema: its name, its `$id`, and where it stands."""

    name: str
    id: str
    address: str


class SchemaList(msgspec.Struct, frozen=True):
    """All JSON Schemas."""

    schemas: list[ListedSchema]


class SheetParameters(SentStruct, frozen=True):
    """Which sheet."""

    sheet: Annotated[
        str,
        msgspec.Meta(
            description="The id of a rule sheet, or the key of one of a table's own.",
            examples=["bezique"],
        ),
    ]


class SchemaParameters(SentStruct, frozen=True):
    """Which schema."""

    name: Annotated[str, msgspec.Meta(description="The name of a schema.", examples=["record"])]


def describe(given: NoParameters) -> InterfaceDescription:
    """What this server offers, and what the sender of this request may do."""
    config = current_app.config
    actions = ("read", "validate", "upload", "rollouts", "delete")
    return InterfaceDescription(
        interface=INTERFACE_VERSION,
        program=version("bezique"),
        openapi=interface_address("openapi.json"),
        role=actor().role,
        may=[name for name in actions if may(name)],
        limits=InterfaceLimits(
            body=config["MAX_CONTENT_LENGTH"],
            upload=config["MAX_UPLOAD_LENGTH"],
            records=config["MAX_REQUEST_RECORDS"],
            body_without_records=LARGEST_BODY_BYTES,
            statement=LONGEST_STATEMENT,
            stream_seconds=config["STREAM_SECONDS"],
        ),
    )


def list_sheets(given: NoParameters) -> SheetList:
    """All rule sheets, each with its address."""
    return SheetList(
        [
            ListedSheet(
                sheet.id, sheet.name, sheet.edition, interface_address(f"sheets/{sheet.id}")
            )
            for sheet in ALL_SHEETS
        ]
    )


def sheet(given: SheetParameters) -> Response:
    """A rule sheet as data: cards, phases, melds with their points, settlement, options, laws."""
    if given.sheet in SHEETS_BY_ID:
        return published_file(f"sheets/{given.sheet}.json")
    own = known_rulebook(given.sheet)
    if own is None:
        raise ProblemRaised("not-found", f"There is no rule sheet “{given.sheet[:100]}”.")
    return json_response(own)


# The rulebooks of its own that the folder keeps.


class RulebookRequest(SentStruct, frozen=True):
    """The text of a rulebook of one's own, in JSON, or in TOML."""

    text: Annotated[str, msgspec.Meta(max_length=LARGEST_SHEET_BYTES)]
    toml: bool = False


class RulebookParameters(SentStruct, frozen=True):
    """Which rulebook."""

    rulebook: Annotated[
        str, msgspec.Meta(min_length=1, max_length=100, description="Its id or its key.")
    ]


class RulebookList(msgspec.Struct, frozen=True):
    """The rulebooks that the folder keeps, those added first first."""

    rulebooks: list[LocalRulebook]


def list_rulebooks(given: NoParameters) -> RulebookList:
    """The rulebooks of its own that the folder keeps."""
    return RulebookList(list_local_rulebooks(store()))


def add_rulebook(given: NoParameters, sent: RulebookRequest) -> AddedRulebook:
    """Keep a rulebook of one's own: records that name it are judged by it, and those that waited for it become games."""
    with refusals_as("refused-rulebook", RulebookRefused):
        return keep_rulebook(sent.text, toml=sent.toml)


def remove_rulebook(given: RulebookParameters) -> LocalRulebook:
    """Remove a rulebook that no game goes by."""
    with refusals_as("refused-rulebook", RulebookRefused):
        return keeping.remove_rulebook(store(), given.rulebook)


def list_schemas(given: NoParameters) -> SchemaList:
    """The JSON Schemas of records, reports, sheets and annotations."""
    names = [file.removesuffix(SCHEMA_ENDING) for file in SERVED_SCHEMAS]
    return SchemaList(
        [
            ListedSchema(
                name, f"{SPEC_ADDRESS}{name}{SCHEMA_ENDING}", interface_address(f"schemas/{name}")
            )
            for name in names
        ]
    )


def schema(given: SchemaParameters) -> Response:
    """One JSON Schema."""
    file = f"{given.name}{SCHEMA_ENDING}"
    if file not in SERVED_SCHEMAS:
        raise ProblemRaised("not-found", f"There is no schema “{given.name[:100]}”.")
    return published_file(file)


SHEET_CONTENT = RuleSheet
SCHEMA_CONTENT = {"type": "object", "description": "A JSON Schema of the dialect 2020-12."}
