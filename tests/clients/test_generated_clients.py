"""Clients that generators write from the OpenAPI document drive a real server from upload to deletion."""

import json
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from records.documents.schemas import SPEC_FOLDER
from tests.clients.tools import (
    MORE_NODE_TOOLS,
    MORE_PYTHON_TOOLS,
    node_modules,
    python_tools,
    run,
)
from tests.machine.serving import served
from webui.server.error_pages import INTERFACE_PATH

HERE = Path(__file__).parent
RECORD = SPEC_FOLDER.parents[1] / "samples/good/bezique.json"

EVERY_CLIENT = pytest.mark.skipif(
    not os.environ.get("BEZIQUE_EVERY_CLIENT"),
    reason="the generators that take minutes were not tried: set BEZIQUE_EVERY_CLIENT",
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, bytes]]:
    """The address of a server without games, and its OpenAPI document."""
    with served(tmp_path_factory.mktemp("asked"), {}) as (address, app):
        yield address, app.test_client().get(f"{INTERFACE_PATH}/openapi.json").data


def test_a_client_in_python_goes_from_upload_to_deletion(server, tmp_path):
    address, document = server
    env = python_tools()
    (tmp_path / "openapi.json").write_bytes(document)
    (tmp_path / "config.json").write_text(json.dumps({"post_hooks": []}))
    options = ["--meta", "none", "--config", "config.json", "--output-path", "generated"]
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--path", "openapi.json"]
    run([*command, *options], tmp_path, env)
    for tags in json.loads(document)["paths"].values():
        for each in tags.values():
            folder = each["tags"][0].replace(" ", "_")
            assert (tmp_path / f"generated/api/{folder}/{each['operationId']}.py").exists()
    assert dict(members_of_any_shape(tmp_path / "generated/models")) == SHAPELESS
    shutil.copy(HERE / "drive.py", tmp_path)
    run([sys.executable, "drive.py", address, RECORD], tmp_path, env)


SHAPELESS = {
    "field_change.py": ["value: Any"],
    "statement_answer.py": [
        "rows: list[list[bool | float | int | list[Any] | None | StatementCellType5 | str]]"
    ],
}
"""The members that may be anything: the changed value of any member of a record, and what lies in a list that SQL makes."""


def members_of_any_shape(models: Path) -> Iterator[tuple[str, list[str]]]:
    """The members in which the client has `Any`, by the file of their type."""
    for path in models.glob("*.py"):
        members = re.findall(r"^    ([a-z_]+: .*\bAny\b.*)$", path.read_text(), re.MULTILINE)
        if found := [each for each in members if not each.startswith("additional_properties:")]:
            yield path.name, found


def test_a_client_in_typescript_goes_from_upload_to_deletion(server, tmp_path):
    address, document = server
    modules = node_modules()
    (tmp_path / "openapi.json").write_bytes(document)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "node_modules").symlink_to(modules)
    shutil.copy(HERE / "drive.ts", tmp_path)
    command = [modules / ".bin/openapi-typescript", "openapi.json", "-o", "generated.d.ts"]
    run(command, tmp_path)
    options = [
        "--strict",
        "--skipLibCheck",
        "--target",
        "es2022",
        "--module",
        "nodenext",
        "--types",
        "node",
    ]
    run([modules / ".bin/tsc", *options, "drive.ts"], tmp_path)
    run(["node", "drive.js", address, RECORD], tmp_path)


@EVERY_CLIENT
@pytest.mark.parametrize(
    "command",
    [
        "spectral lint --fail-severity error --ruleset rules.yaml openapi.json",
        "redocly lint openapi.json",
        "openapi-ts -i openapi.json -o generated -c @hey-api/client-fetch",
        "orval --input openapi.json --output generated/api.ts --client fetch",
    ],
)
def test_other_tools_in_javascript_take_the_document(server, tmp_path, command):
    modules = node_modules(MORE_NODE_TOOLS)
    (tmp_path / "openapi.json").write_bytes(server[1])
    (tmp_path / "rules.yaml").write_text('extends: ["spectral:oas"]')
    name, *arguments = command.split()
    run([modules / ".bin" / name, *arguments], tmp_path)
    check_typescript(modules, tmp_path)


@EVERY_CLIENT
@pytest.mark.parametrize("language", ["python", "typescript-fetch", "go", "java"])
def test_openapi_generator_takes_the_document(server, tmp_path, language):
    env = python_tools(MORE_PYTHON_TOOLS)
    (tmp_path / "openapi.json").write_bytes(server[1])
    start = "from openapi_generator_cli import cli; raise SystemExit(cli())"
    command = [sys.executable, "-c", start, "generate", "-i", "openapi.json"]
    run([*command, "-g", language, "-o", "generated"], tmp_path, env)
    if language == "python":
        run([sys.executable, "-c", "from openapi_client import *"], tmp_path / "generated", env)
    if language == "typescript-fetch":
        check_typescript(node_modules(MORE_NODE_TOOLS), tmp_path)


@pytest.mark.parametrize(
    "command",
    [
        "vacuum lint openapi.json",
        "ogen --target generated --package generated openapi.json",
        "oapi-codegen -generate types,client -package generated -o generated.go openapi.json",
    ],
)
def test_tools_in_go_take_the_document(server, tmp_path, command):
    """No registry that the suite asks has them: they are tried where they are installed."""
    name, *arguments = command.split()
    if (tool := shutil.which(name)) is None:
        pytest.skip(f"{name.upper()} WAS NOT TRIED: it is not installed here")
    (tmp_path / "openapi.json").write_bytes(server[1])
    run([tool, *arguments], tmp_path)


def check_typescript(modules: Path, folder: Path) -> None:
    """Let tsc check what was generated, if it is TypeScript."""
    options = "--noEmit --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler"
    if files := list(folder.rglob("generated/**/*.ts")):
        lib = ["--lib", "es2022,dom,dom.iterable"]
        run([modules / ".bin/tsc", *options.split(), *lib, *files], folder)
