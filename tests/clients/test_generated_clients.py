"""Clients that generators write from the OpenAPI document drive a real server from upload to deletion."""

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from records.documents.schemas import SPEC_FOLDER
from tests.clients.tools import node_modules, python_tools, run
from tests.machine.serving import served
from webui.server.error_pages import INTERFACE_PATH

HERE = Path(__file__).parent
RECORD = SPEC_FOLDER.parents[1] / "samples/good/bezique.json"

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
    shutil.copy(HERE / "drive.py", tmp_path)
    run([sys.executable, "drive.py", address, RECORD], tmp_path, env)


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
