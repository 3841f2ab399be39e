"""The interface as an OpenAPI 3.1 document, made from the table of operations and the structs that read requests."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from records.documents.schemas import (
    CARD_AND_MELD_SCHEMAS,
    NAMED_SHAPES,
    name_cards_and_melds,
    name_shapes,
    plain_shapes,
    record_schema,
    report_schema,
    sheet_schema,
)
from records.phrases import join_words
from records.record import Record
from webui.api.requests import (
    JSON_MEDIA_TYPE,
    LINES_MEDIA_TYPES,
    NOTATION_MEDIA_TYPE,
    Operation,
    OperationAnswer,
    SentFile,
    SentRecords,
)
from webui.api.statistics import AnswerCell, StatementCell
from webui.server.actions import GRANTS, VISITOR_CHOICES, Action, Role
from webui.server.error_pages import (
    INTERFACE_PATH,
    PROBLEM_MEDIA_TYPE,
    TYPES_BY_NAME,
    InterfaceProblem,
    ProblemType,
)

OPENAPI_VERSION = "3.1.0"
ANSWERS_FILE = Path(__file__).with_name("example_answers.json")
"""By operation, what a site with the first sample answers to its example; `python -m tests.webui.example_answers` writes it."""
_COMPONENTS = "#/components/schemas/"
_RECORD_BODY = {
    "$ref": f"{_COMPONENTS}Record",
    "description": "A record. Whatever else is sent is judged, too: it cannot be read.",
}
_SHAPES = NAMED_SHAPES | {"AnswerCell": AnswerCell, "StatementCell": StatementCell}
"""What has a name in this document besides the structs."""
SUBJECTS = {
    "this interface": "What this server offers.",
    "records": "Records that are judged or changed, and not stored.",
    "games": "Stored games.",
    "deals": "What lies where in a deal, and what might have been played.",
    "analysis": "Reviews, and the rules that a record fits.",
    "players": "Names of players, and evenings.",
    "statistics": "Questions to all games.",
    "rules": "Rulebooks and schemas.",
}
"""The subjects of operations, each in a sentence."""
_LINES_BODY = {"type": "string", "description": "One record per line."}
_NOTATION_BODY = {
    "type": "string",
    "description": "Records in the [notation](/spec/notation), one after the other.",
}
_SMALLEST_TEXT = '[bezique 1.0]\n[rules bezique]\n[player a "Ann"]\n[player b "Bob"]\n'
_PROBLEMS_OF_ALL = (
    "invalid-request", "unknown-parameter", "unknown-token", "not-allowed", "wrong-address",
    "too-many-requests", "busy",
)  # fmt: skip
_PROBLEMS_OF_BODIES = ("invalid-body", "too-large", "unsupported-media-type")
_PROBLEMS_OF_CHANGES = ("foreign-origin", "no-room")
_SCOPES = {Role.READER: "read", Role.UPLOADER: "upload", Role.STEWARD: "admin"}


def openapi_document(
    operations: Iterable[Operation], version: str, rates: Mapping[str, str], prefix: str
) -> dict[str, Any]:
    """The document; `rates` are those of this server by kind of request, `prefix` is what stands before every path."""
    listed = list(operations)
    contents = _types(listed)
    schemas, components = msgspec.json.schema_components(
        list(contents), ref_template=_COMPONENTS + "{name}"
    )
    by_type = dict(zip(contents, schemas, strict=True))
    for published in (record_schema(), report_schema(), sheet_schema()):
        components |= _published(published)
    paths: dict[str, Any] = {}
    for operation in listed:
        described = _operation(operation, by_type, rates)
        paths.setdefault(INTERFACE_PATH + operation.path, {})[operation.method.lower()] = described
    told = name_cards_and_melds({"paths": paths, "schemas": components}, _COMPONENTS)
    named = _name_shapes(told)
    _show_answers(listed, named["paths"], prefix)
    return {
        "openapi": OPENAPI_VERSION,
        "info": {
            "title": "Bezique games",
            "version": version,
            "description": "Judge, store, list, replay and review records of games of the Bezique family. The page"
            " `/spec/interface` explains it with examples.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "servers": [{"url": prefix or "/"}],
        "tags": [{"name": name, "description": words} for name, words in SUBJECTS.items()],
        "paths": named["paths"],
        "components": {
            "schemas": _used_schemas(named["paths"], named["schemas"] | CARD_AND_MELD_SCHEMAS),
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A token of `bezique admin token add`, with the scope read, upload or admin; each"
                    " includes those before it. No cookie counts.",
                }
            },
        },
    }


def _published(schema: dict[str, Any]) -> dict[str, Any]:
    """The parts of a published schema, which say more than their types: what a member means, and what may be null."""
    found: dict[str, Any] = _with_place(schema["$defs"])
    return found


def _with_place(part: Any) -> Any:
    """A part of a schema whose references lead to the components."""
    if isinstance(part, list):
        return [_with_place(each) for each in part]
    if isinstance(part, dict):
        return {name: _with_place(each) for name, each in part.items()}
    if isinstance(part, str) and part.startswith("#/$defs/"):
        return part.replace("#/$defs/", _COMPONENTS)
    return part


_ADDRESS = re.compile('(?<=")(?=/(?:api|spec)/)')
"""Where an address of the site begins in JSON; pointers into a record begin with a stroke, too."""


def _show_answers(operations: Iterable[Operation], paths: dict[str, Any], prefix: str) -> None:
    """Put the examples of answers into their places; their addresses begin with the `prefix` of the site."""
    written = ANSWERS_FILE.read_text(encoding="utf-8")
    answers = msgspec.json.decode(_ADDRESS.sub(lambda _: prefix, written))
    for operation in operations:
        if operation.name in answers:
            described = paths[INTERFACE_PATH + operation.path][operation.method.lower()]
            status = str(operation.successes[0].status)
            content = described["responses"][status]["content"][JSON_MEDIA_TYPE]
            content["example"] = answers[operation.name]


def _name_shapes(document: dict[str, Any]) -> dict[str, Any]:
    """The paths and schemas of a document, in which a reference stands for each shape that has a name."""
    kinds, _ = msgspec.json.schema_components(_SHAPES.values(), ref_template=_COMPONENTS + "{name}")
    shapes = plain_shapes(_SHAPES, _COMPONENTS)
    found: dict[str, Any] = _without_empty(name_shapes(document, shapes, _COMPONENTS))
    tagged = map(_tagged, shapes.values(), kinds)
    found["schemas"] |= dict(zip(shapes, tagged, strict=True))
    return found


def _tagged(told: dict[str, Any], kind: dict[str, Any]) -> dict[str, Any]:
    """A shape; one of several structs that a member tells apart says which."""
    if "discriminator" not in kind:
        return told
    return {"oneOf": told["anyOf"], "discriminator": kind["discriminator"]}


def _without_empty(part: Any) -> Any:
    """A part without empty defaults: leaving the member out means the same, and no generator writes them right."""
    if isinstance(part, list):
        return [_without_empty(each) for each in part]
    if not isinstance(part, dict):
        return part
    return {
        key: _without_empty(each)
        for key, each in part.items()
        if not (key == "default" and each in ([], {}))
    }


def _text(schema: Any) -> str:
    return msgspec.json.encode(schema, order="deterministic").decode()


_REFERENCE = re.compile(rf"{_COMPONENTS}(\w+)")
"""A reference, or the name of what stands on a line of an answer, which is told in words."""


def _used_schemas(paths: Any, schemas: dict[str, Any]) -> dict[str, Any]:
    """The schemas that the paths use, and those that they use in turn."""
    used: set[str] = set()
    found = set(_REFERENCE.findall(_text(paths)))
    while found:
        used |= found
        found = set(_REFERENCE.findall(_text([schemas[name] for name in found]))) - used
    return {name: schema for name, schema in schemas.items() if name in used}


def _types(operations: Iterable[Operation]) -> list[Any]:
    """Every type that a request or an answer has, each once."""
    found: list[Any] = [InterfaceProblem, Record]
    for operation in operations:
        found.append(operation.parameters)
        found += [content for answer in operation.successes for content in answer.contents]
        if operation.body not in (None, SentRecords, SentFile):
            found.append(operation.body)
    unique = {id(each): each for each in found if not isinstance(each, dict)}
    return list(unique.values())


def _operation(
    operation: Operation, by_type: Mapping[Any, Any], rates: Mapping[str, str]
) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.name,
        "tags": [operation.subject],
        "summary": operation.summary,
        "description": f"{operation.description}\n\n{_limits(operation, rates)}".strip(),
        "parameters": _parameters(operation),
        "responses": _responses(operation, by_type),
        "security": [{"token": []}, {}],
    }
    if operation.body is not None:
        described["requestBody"] = {"required": True, "content": _body(operation, by_type)}
    return described


def _limits(operation: Operation, rates: Mapping[str, str]) -> str:
    """Who may do it, and how often, in words."""
    action, kind = operation.action, operation.cost.counted_as
    if action is Action.LOOK:
        allowed = "Everybody may."
    else:
        scope = next(words for role, words in _SCOPES.items() if role in GRANTS[action])
        visitors = " or whom the site lets do it" if action in VISITOR_CHOICES else ""
        allowed = f"For tokens with the scope {scope}{visitors}."
        if action is Action.USE_LINK:
            allowed = "For whoever has the key."
    return f"{allowed} Counted as {kind}: {rates[kind]} for each client."


def _parameters(operation: Operation) -> list[dict[str, Any]]:
    kind = operation.parameters
    _, components = msgspec.json.schema_components([kind], ref_template=_COMPONENTS + "{name}")
    own = components[kind.__name__]
    found = []
    for name, each in own["properties"].items():
        in_path = name in operation.path_parts
        description = each.pop("description", "")
        parameter = {
            "name": name,
            "in": "path" if in_path else "query",
            "schema": _without_null(each),
        }
        if in_path or name in own.get("required", ()):
            parameter["required"] = True
        if description:
            parameter["description"] = description
        found.append(parameter)
    return found


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of a parameter, which is left out where a struct says null, and says where it needs more than 32 bits."""
    if schema.get("maximum", 0) >= 2**31:
        schema["format"] = "int64"
    if schema.get("default", 0) is None:
        del schema["default"]
    kinds = schema.get("anyOf", [])
    plain = [kind for kind in kinds if kind != {"type": "null"}]
    if len(plain) == 1 and len(kinds) > 1:
        del schema["anyOf"]
        return {**plain[0], **schema}
    return schema


def _body(operation: Operation, by_type: Mapping[Any, Any]) -> dict[str, Any]:
    more = {} if operation.example is None else {"example": operation.example}
    if operation.body not in (SentRecords, SentFile):
        return {JSON_MEDIA_TYPE: {"schema": by_type[operation.body], **more}}
    return {
        JSON_MEDIA_TYPE: {"schema": _RECORD_BODY, **more},
        **{media_type: {"schema": _LINES_BODY} for media_type in LINES_MEDIA_TYPES},
        NOTATION_MEDIA_TYPE: {"schema": _NOTATION_BODY, "example": _SMALLEST_TEXT},
    }


def _responses(operation: Operation, by_type: Mapping[Any, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for answer in operation.successes:
        response = found.setdefault(str(answer.status), {"description": answer.words or "Done."})
        if answer.content is not None:
            content = response.setdefault("content", {})
            content[answer.media_type] = {"schema": _content(answer, by_type)}
    if operation.method == "GET":
        found["304"] = {"description": "The client has this already, by its `If-None-Match`."}
    for status, kinds in _problems(operation).items():
        words = " ".join(f"[{each.name}]({each.address}): {each.title}." for each in kinds)
        schema = {"$ref": f"{_COMPONENTS}InterfaceProblem"}
        found[str(status)] = {
            "description": words,
            "content": {PROBLEM_MEDIA_TYPE: {"schema": schema}},
        }
    return found


def _content(answer: OperationAnswer, by_type: Mapping[Any, Any]) -> Any:
    if isinstance(answer.content, dict):
        return answer.content
    schema = by_type[answer.content]
    if answer.media_type == JSON_MEDIA_TYPE:
        return schema
    words = f"One value of this schema per line: {schema['$ref']}"
    if answer.last_lines:
        last = join_words([by_type[each]["$ref"] for each in answer.last_lines], "or")
        words += f"; the last line may be one of {last}"
    return {"type": "string", "description": words}


def _problems(operation: Operation) -> dict[int, list[ProblemType]]:
    """The problems that an operation may answer with, by status."""
    names = [*_PROBLEMS_OF_ALL, *operation.problems]
    if len(msgspec.structs.fields(operation.parameters)):
        names.append("invalid-parameter")
    if operation.path_parts:
        names.append("not-found")
    if operation.body is not None or operation.method in ("POST", "PUT"):
        names += _PROBLEMS_OF_BODIES
    if operation.method != "GET":
        names += _PROBLEMS_OF_CHANGES
    found: dict[int, list[ProblemType]] = {}
    for name in dict.fromkeys(names):
        kind = TYPES_BY_NAME[name]
        found.setdefault(kind.status, []).append(kind)
    return dict(sorted(found.items()))
