"""The interface keeps what its OpenAPI document and its page say, whatever it is asked."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from jsonschema import Draft202012Validator
from msgspec.structs import fields, replace
from schemathesis import GenerationMode, openapi
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from analyzer.players.evenings import EveningOpening, open_evening
from records.documents.schemas import SPEC_FOLDER
from records.format import codec
from records.format.notation_writer import write_notation
from records.match_play import Relation
from records.record import Record
from records.selfplay import play_game
from records.validate import finding
from tests.machine.serving import served
from tests.make.stored_games import store_game
from tests.webui.example_answers import SAMPLE, answers_of_sample, is_shown
from webui import create_app
from webui.api.operations import OPERATIONS
from webui.api.requests import Operation, SentFile, SentRecords
from webui.application import close_app
from webui.server.error_pages import INTERFACE_PATH, PROBLEM_TYPES
from webui.views.specification import SERVED_SCHEMAS

EXAMPLES = int(os.environ.get("BEZIQUE_ASKED", "2"))
"""How many right and how many wrong requests each operation gets; the soak asks more."""
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
PAGE = (SPEC_FOLDER / "interface.md").read_text(encoding="utf-8")
LINES = "application/x-ndjson"
UNCOMPRESSED = {"Accept-Encoding": "identity"}
CHANGES_EVERY_TIME = {"ms", "stored_at", "made_at", "upload", "program"}
"""Members of answers that two sites never tell alike: times, public ids, and the version of the program."""
WORK_IN_PROGRESS = {"state", "share", "before", "weighed", "decisions"}
"""The same of work that goes on."""

MADE_BY_JOBS = (
    "annotation", "annotation_job", "deep_review", "deep_review_job", "review", "review_job", "show_import",
)  # fmt: skip
"""What the other tests let change at any moment, or nobody has asked for."""


def first_deal(sheet: str, seed: int = 3) -> Record:
    """The first deal of a game: what costs much for a whole game costs little."""
    game = play_game(sheet, seed=seed)
    return replace(game, deals=game.deals[:1], result=None)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """A site with games of several kinds, which answers a client whose address it is not told."""
    app = create_app(data=tmp_path_factory.mktemp("asked"), ratelimit_enabled=False)
    for sheet in ("bezique", "zetema"):
        store_game(app, first_deal(sheet))
    opening = EveningOpening("Club", date(2026, 3, 5), "swiss")
    open_evening(app.extensions["store"], opening, "person")
    application = app.wsgi_app

    def local(environ: dict[str, Any], start_response: Any) -> Any:
        return application({"REMOTE_ADDR": "127.0.0.1", **environ}, start_response)

    app.wsgi_app = local
    yield app
    close_app(app)


@pytest.fixture(scope="module")
def document(asked: Flask) -> dict[str, Any]:
    return asked.test_client().get(f"{INTERFACE_PATH}/openapi.json").json


@pytest.fixture(scope="module")
def contract(asked: Flask) -> Any:
    return openapi.from_wsgi(f"{INTERFACE_PATH}/openapi.json", asked, headers=UNCOMPRESSED)


def modes(operation: Operation) -> list[GenerationMode]:
    """Right requests, and wrong ones where there can be any: what is sent as a record is judged, whatever it is."""
    has_query = len(fields(operation.parameters)) > len(operation.path_parts)
    has_members = operation.body not in (None, SentRecords, SentFile)
    wrong = [GenerationMode.NEGATIVE] if has_query or has_members else []
    return [GenerationMode.POSITIVE, *wrong]


@pytest.mark.slow
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_every_answer_is_what_the_document_says(asked, contract, operation):
    digests = [
        game["digest"] for game in asked.test_client().get(f"{INTERFACE_PATH}/games").json["games"]
    ]
    asked_operation = contract[INTERFACE_PATH + operation.path][operation.method]
    known = {
        "digest": [*digests, "0123456789ab"],
        "deal": [1, 2, 99],
        "sheet": ["zique", "poker"],
        "name": ["points_by_source", "record", "nothing"],
    }
    statuses = []

    def ask(case: schemathesis.Case) -> None:
        for name, values in known.items():
            # A destroyed game would leave nothing to ask for.
            if name in case.path_parameters and operation.method != "DELETE":
                case.path_parameters[name] = values[len(statuses) % len(values)]
        answer = case.call(headers=UNCOMPRESSED)
        statuses.append(answer.status_code)
        case.validate_response(answer, checks=CHECKS)

    as_often = settings(
        max_examples=EXAMPLES,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    for mode in modes(operation):
        as_often(given(case=asked_operation.as_strategy(generation_mode=mode))(ask))()
    assert statuses


@pytest.mark.parametrize(
    "operation",
    [each for each in OPERATIONS if each.method == "GET" and each.name not in MADE_BY_JOBS],
    ids=lambda operation: operation.name,
)
def test_what_has_not_changed_is_sent_once(asked, operation):
    client = asked.test_client()
    known = {
        "digest": codec.digest(first_deal("bezique")),
        "deal": 1,
        "sheet": "zique",
        "name": "record" if "schemas" in operation.path else "points_by_source",
        "number": 1,
    }
    query = {"explore": "?metric=points&by=sheet", "redact_game": "?seat=0"}
    address = INTERFACE_PATH + operation.path.format(**known) + query.get(operation.name, "")
    whole = client.get(address)
    tag = whole.headers.get("ETag")
    assert whole.status_code == 200, whole.text
    assert (tag is None) is (operation.name == "export_games")
    for _ in range(3):
        assert client.head(address).headers.get("ETag") == tag
        assert client.get(address).headers.get("ETag") == tag
    if tag is not None:
        again = client.get(address, headers={"If-None-Match": tag})
        assert (again.status_code, again.data) == (304, b"")


@pytest.mark.slow
def test_the_document_is_in_order(document):
    assert document["openapi"] == "3.1.0"
    described = {
        f"{method.upper()} {path}"
        for path, methods in document["paths"].items()
        for method in methods
    }
    assert described == {f"{each.method} {INTERFACE_PATH}{each.path}" for each in OPERATIONS}
    for name, schema in document["components"]["schemas"].items():
        Draft202012Validator.check_schema(schema)
        assert re.fullmatch(r"\w+", name)
    text = str(document)
    for reference in set(re.findall(r"'\$ref': '#/components/schemas/(\w+)'", text)):
        assert reference in document["components"]["schemas"]
    assert all(each.summary.endswith((".", ";")) for each in OPERATIONS)


def without(answer: Any, names: set[str]) -> Any:
    """An answer without the members of these names."""
    if isinstance(answer, list):
        return [without(each, names) for each in answer]
    if isinstance(answer, dict):
        return {key: without(each, names) for key, each in answer.items() if key not in names}
    return answer


@pytest.mark.long
def test_every_example_is_answered_and_every_answer_is_real(document):
    answers = answers_of_sample()
    named = {problem for each in OPERATIONS for problem in each.problems}
    for operation in OPERATIONS:
        described = document["paths"][INTERFACE_PATH + operation.path][operation.method.lower()]
        told = {
            status: content["example"]
            for status, each in described["responses"].items()
            for content in each.get("content", {}).values()
            if "example" in content
        }
        if operation.name not in answers:
            assert not told
            assert operation.example is None or operation.body is None
            continue
        status, answer = answers[operation.name]
        if status == 404:  # what nobody has asked for yet
            assert answer["type"].rpartition("#")[2] in named
        else:
            assert 200 <= status < 300, (operation.name, answer)
            assert told.keys() == ({str(status)} if is_shown(status, answer) else set())
        for example in told.values():
            names = CHANGES_EVERY_TIME | (WORK_IN_PROGRESS if "share" in answer else set())
            assert without(example, names) == without(answer, names), (
                "write them with: python -m tests.webui.example_answers"
            )
            schema = described["responses"][str(status)]["content"]["application/json"]["schema"]
            whole = {**schema, "components": document["components"]}
            assert Draft202012Validator(whole).is_valid(example)


OF_ANY_SHAPE = {"meta", "ext", "sheet", "value"}
"""Members that may hold anything: what programs add to a record, a rulebook as it was written, what an option puts in."""


def schemas_in(part: Any, name: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema in a part of the document, with the name of the member that it is of."""
    if isinstance(part, list):
        for each in part:
            yield from schemas_in(each, name)
    elif isinstance(part, dict):
        yield name, part
        for key, each in part.items():
            if key not in ("example", "examples", "default"):
                is_named = isinstance(each, dict) and key not in ("items", "additionalProperties")
                yield from schemas_in(each, key if is_named else name)


def test_generators_of_clients_find_a_shape_and_a_name_for_everything(document):
    schemas = document["components"]["schemas"]
    for name, part in schemas_in(schemas):
        assert "enum" not in part or part["type"] in ("string", "integer"), name
        assert part.get("type") != "array" or part["items"] or name == "StatementCell", name
        assert part != {} or name in OF_ANY_SHAPE or name == "StatementCell", name
        structs = [each for each in part.get("anyOf", []) if "properties" in each or "enum" in each]
        assert len(structs) < 2, f"{name}: a union of things without names"
        told_apart = [each for each in part.get("anyOf", []) if "$ref" in each]
        assert len(told_apart) < 2, f"{name}: nothing tells {told_apart} apart"
    used = set(re.findall(r"#/components/schemas/(\w+)", json.dumps(document)))
    assert used == schemas.keys()
    # Generators write a struct of this name for the parameters of an operation, or for its answer.
    taken = {
        each.name.replace("_", "").lower() + end
        for each in OPERATIONS
        for end in ("request", "response")
    }
    assert not taken & {name.lower() for name in schemas}


WRONG_VALUES = {"integer": ["x", "-1", "1000000"], "boolean": ["maybe"]}
"""Values of parameters that are wrong, by their type; of a text or a list, one that is too long for any."""
RIGHT_VALUES = {"metric": "points", "seat": "0", "deal": "1", "name": "Ann", "rulebook": "ours"}


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_a_problem_of_a_parameter_names_it(asked, document, operation):
    described = document["paths"][INTERFACE_PATH + operation.path][operation.method.lower()]
    asked_for = {each["name"]: each for each in described["parameters"]}
    record = first_deal("bezique")
    known = {"digest": codec.digest(record), "deal": 1, "name": "points_by_source"}
    parts = {name: known.get(name, "none") for name in operation.path_parts}
    body = operation.example
    body = codec.encode(record) if operation.body is SentRecords else msgspec.json.encode(body)
    query = {
        name: RIGHT_VALUES[name]
        for name, each in asked_for.items()
        if each["in"] == "query" and (each.get("required") or name == "deal")
    }

    def names(parameter: str, parts: dict[str, Any], query: dict[str, str]) -> None:
        answer = asked.test_client().open(
            INTERFACE_PATH + operation.path.format(**parts),
            method=operation.method,
            query_string=query,
            data=None if operation.body is None else body,
            content_type="application/json",
        )
        missing = answer.status_code == 404 and parameter in operation.path_parts
        assert missing or answer.status_code == 400, (parameter, query, answer.text)
        assert missing or answer.json.get("parameter") == parameter, answer.text

    for name, each in asked_for.items():
        if each.get("required") and name in query:
            names(name, parts, {key: text for key, text in query.items() if key != name})
        for wrong in WRONG_VALUES.get(each["schema"].get("type", "string"), ["x" * 301]):
            if (operation.name, name, wrong) == ("frames", "until", "1000000"):
                continue  # every step is shown until then
            if name in parts:
                names(name, {**parts, name: wrong}, query)
            else:
                names(name, parts, {**query, name: wrong})


@pytest.mark.parametrize("path", dict.fromkeys(each.path for each in OPERATIONS))
def test_an_address_has_the_methods_of_its_operations_and_no_others(asked, path):
    known = {
        part: 1 if part in ("deal", "number") else "0123456789ab"
        for part in re.findall(r"{(\w+)}", path)
    }
    answer = asked.test_client().put(INTERFACE_PATH + path.format(**known))
    assert answer.status_code == 405
    methods = {str(each.method) for each in OPERATIONS if each.path == path}
    more = {"OPTIONS", *(["HEAD"] if "GET" in methods else [])}
    assert {*answer.headers["Allow"].split(", ")} == methods | more
    for method in {"DELETE", "POST", "PATCH"} - methods:
        refused = asked.test_client().open(answer.request.path, method=method)
        assert refused.status_code == 405


def test_every_schema_is_served(asked):
    client = asked.test_client()
    listed = client.get(f"{INTERFACE_PATH}/schemas").json["schemas"]
    assert [f"{each['name']}.schema.json" for each in listed] == list(SERVED_SCHEMAS)
    for each in listed:
        assert client.get(each["address"]).json["$id"] == each["id"]


def test_every_line_of_an_answer_is_what_the_document_says(asked, document, monkeypatch):
    monkeypatch.setattr(finding, "MOST_BYTES_EXAMINED", 1000)
    body = b"\n".join([b"{}"] * 2 + [b'{"a": "%b"}' % (b"x" * 1000)] * 2)
    answers = document["paths"][f"{INTERFACE_PATH}/validate"]["post"]["responses"]["200"]
    named = re.findall(
        "#/components/schemas/([A-Za-z]+)", answers["content"][LINES]["schema"]["description"]
    )
    assert named == ["Report", "RecordsNotExamined", "StreamEnd"]
    answer = asked.test_client().post(f"{INTERFACE_PATH}/validate", data=body, content_type=LINES)
    lines = [json.loads(line) for line in answer.text.splitlines()]
    schemas = [
        {"$ref": f"#/components/schemas/{name}", "components": document["components"]}
        for name in named
    ]
    kinds = [[Draft202012Validator(schema).is_valid(line) for schema in schemas] for line in lines]
    assert kinds == [[True, False, False], [True, False, False], [False, True, False]]
    streamed = asked.test_client().post(
        f"{INTERFACE_PATH}/validate?stream=true", data=body, content_type=LINES
    )
    lines = [json.loads(line) for line in streamed.text.splitlines()]
    kinds = [[Draft202012Validator(schema).is_valid(line) for schema in schemas] for line in lines]
    assert kinds == [[True, False, False]] * 4 + [[False, False, True]]


def test_how_records_of_one_match_stand_to_each_other_is_a_list_of_words(document):
    words = sorted(Relation)
    for name in ("StoredGame", "StoredRecordState"):
        relation = document["components"]["schemas"][name]["properties"]["relation"]
        assert {"enum": words} in [resolved(each, document) for each in relation["anyOf"]]


def resolved(schema: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    """The enumeration that a schema or its reference has."""
    name = schema.get("$ref", "").rpartition("/")[2]
    found = document["components"]["schemas"].get(name, schema)
    return {"enum": sorted(found["enum"])} if "enum" in found else {}


def test_the_page_lists_every_operation_and_every_problem():
    table = re.findall(r"^\| `(\w+ /\S+)` \|", PAGE, re.M)
    assert sorted(table) == sorted(
        f"{each.method} {INTERFACE_PATH}{each.path}" for each in OPERATIONS
    )
    problems = re.findall(r"^#### (.*)\n\n(\d{3}): ", PAGE, re.M)
    assert problems == [(each.name, str(each.status)) for each in PROBLEM_TYPES]


@pytest.mark.slow
def test_the_commands_of_the_page_run(tmp_path: Path):
    sample = codec.decode(SAMPLE.read_bytes()).record
    assert sample is not None
    records = [sample, first_deal("bezique", 4)]
    games = [codec.encode(each) for each in records]
    (tmp_path / "evening.bezique").write_text("".join(map(write_notation, records)))
    (tmp_path / "game.json").write_bytes(games[0])
    (tmp_path / "games.jsonl").write_bytes(b"\n".join(games))
    commands = "".join(re.findall(r"^```sh\n(.*?)^```", PAGE, re.M | re.DOTALL)).splitlines()
    assert len(commands) > 15
    run = partial(subprocess.run, shell=True, cwd=tmp_path, capture_output=True, text=True)
    with served(tmp_path / "data", {"game.json": games[0]}) as (address, _):
        for command in commands:
            asked = command.replace("http://127.0.0.1:8000", address)
            done = run(asked.replace("curl ", "curl --silent --show-error --fail-with-body "))
            assert done.returncode == 0, (command, done.stdout, done.stderr)
            assert done.stdout or "-o " in command
