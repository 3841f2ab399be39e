"""The answers in the OpenAPI document: `python -m tests.webui.example_answers` asks a site with the first sample for them."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from flask.testing import FlaskClient
from msgspec.structs import fields

from records.documents.schemas import SPEC_FOLDER
from webui import create_app
from webui.api.openapi import ANSWERS_FILE
from webui.api.operations import OPERATIONS
from webui.api.requests import Operation
from webui.application import close_app
from webui.server.error_pages import INTERFACE_PATH

SAMPLE = SPEC_FOLDER.parents[1] / "samples/good/bezique.json"
LONGEST_ANSWER = 3_000
"""A longer answer, in characters, is no example that anybody would read."""


def example_of(operation: Operation, document: Any) -> dict[str, Any]:
    """What the document proposes to ask: the path, the query and the body; fields without an example are left out."""
    described = document["paths"][INTERFACE_PATH + operation.path][operation.method.lower()]
    given = {
        each["name"]: each["schema"]["examples"][0]
        for each in described["parameters"]
        if "examples" in each["schema"]
    }
    missing = {*operation.path_parts} - given.keys()
    required = [each.encode_name for each in fields(operation.parameters) if each.required]
    if missing or not given.keys() >= {*required}:
        return {}
    query = {name: value for name, value in given.items() if name not in operation.path_parts}
    return {
        "path": INTERFACE_PATH + operation.path.format(**given),
        "method": operation.method,
        "query_string": query,
        "json": operation.example,
    }


def answers_to_examples(client: FlaskClient) -> dict[str, tuple[int, Any]]:
    """By operation, the status of the answer to its example and its JSON, if any: reading first, then what changes."""
    document = client.get(f"{INTERFACE_PATH}/openapi.json").json
    found = {}
    for operation in sorted(
        OPERATIONS, key=lambda each: ("GET", "POST", "DELETE").index(each.method)
    ):
        example = example_of(operation, document)
        if example and (operation.method == "GET" or operation.example is not None):
            answer = client.open(**example)
            found[operation.name] = answer.status_code, answer.get_json(silent=True)
    return found


def answers_of_sample() -> dict[str, tuple[int, Any]]:
    """The answers of a site that has the first sample, and nothing else."""
    with TemporaryDirectory() as folder:
        app = create_app(data=Path(folder), ratelimit_enabled=False)
        client = app.test_client()
        client.post(
            f"{INTERFACE_PATH}/games", data=SAMPLE.read_bytes(), content_type="application/json"
        )
        found = answers_to_examples(client)
        close_app(app)
    return found


def is_shown(status: int, answer: Any) -> bool:
    """Whether an answer is an example in the document."""
    return 200 <= status < 300 and bool(answer) and len(json.dumps(answer)) <= LONGEST_ANSWER


if __name__ == "__main__":
    shown = {name: told[1] for name, told in answers_of_sample().items() if is_shown(*told)}
    ANSWERS_FILE.write_text(
        json.dumps(shown, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
