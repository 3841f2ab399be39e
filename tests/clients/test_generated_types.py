"""Types that generators write from the JSON Schemas read and write every sample, and strict validators take the schemas."""

import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from analyzer.review.annotation import annotation_schema
from analyzer.review.deep_review import deep_review_schema, review_schema
from records.documents.schemas import SCHEMA_FILES, SPEC_FOLDER, encode_schema
from records.format import codec
from records.rules.registry import ALL_SHEETS
from records.validator import check
from tests.clients.tools import node_modules, python_tools, run

SAMPLES = SPEC_FOLDER.parents[1] / "samples"
KINDS = {"record": "Record", "report": "Report", "sheet": "RuleSheet"}
"""The schemas whose documents are tried, and the type of each."""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def documents() -> dict[str, list[Any]]:
    """Records, reports and sheets, by the name of their schema: every sample that can be read."""
    texts = [
        path.read_bytes()
        for path in sorted(SAMPLES.rglob("*.json"))
        if path.parent.name in ("good", "broken")
    ]
    readable = [text for text in texts if text[:1] == b"{" and codec.decode(text).record]
    return {
        "record": [json.loads(text) for text in readable],
        "report": [json.loads(msgspec.json.encode(check(text))) for text in texts],
        "sheet": [
            json.loads((SPEC_FOLDER / f"sheets/{each.id}.json").read_bytes()) for each in ALL_SHEETS
        ],
    }


def test_types_in_python_read_and_write_every_sample(documents, tmp_path):
    env = python_tools()
    options = ["--input-file-type", "jsonschema", "--output-model-type", "pydantic_v2.BaseModel"]
    for name in KINDS:
        shutil.copy(SPEC_FOLDER / f"{name}.schema.json", tmp_path)
        command = [
            sys.executable,
            "-m",
            "datamodel_code_generator",
            "--input",
            f"{name}.schema.json",
        ]
        run([*command, *options, "--output", f"types_of_{name}.py"], tmp_path, env)
    cases = [(f"types_of_{name}", kind, documents[name]) for name, kind in KINDS.items()]
    classes = re.findall(
        r"^class (\w+)", (tmp_path / "types_of_record.py").read_text(), re.MULTILINE
    )
    assert "Event" in classes
    assert not [each for each in classes if re.fullmatch(r"Type\d*", each)], "types of single words"
    (tmp_path / "cases.json").write_text(json.dumps(cases))
    shutil.copy(Path(__file__).parent / "roundtrip.py", tmp_path)
    run([sys.executable, "roundtrip.py", "cases.json"], tmp_path, env)


def test_types_in_typescript_read_and_write_every_sample(documents, tmp_path):
    modules = node_modules()
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "node_modules").symlink_to(modules)
    for name in KINDS:
        folder = tmp_path / name
        folder.mkdir()
        (folder / "documents.json").write_text(json.dumps(documents[name]))
        shutil.copy(Path(__file__).parent / "roundtrip.ts", folder)
        command = [modules / ".bin/quicktype", "-s", "schema", SPEC_FOLDER / f"{name}.schema.json"]
        run(
            [*command, "--top-level", "Document", "--lang", "ts", "-o", folder / "generated.ts"],
            tmp_path,
        )
    assert "events?: Event[] | null;" in (tmp_path / "record/generated.ts").read_text()
    files = [f"{name}/roundtrip.ts" for name in KINDS]
    options = ["--skipLibCheck", "--target", "es2022", "--module", "nodenext", "--types", "node"]
    run([modules / ".bin/tsc", *options, *files], tmp_path)
    for name in KINDS:
        run(["node", "roundtrip.js", "documents.json"], tmp_path / name)


STRICT_AJV = """
const Ajv = require("ajv/dist/2020").default, fs = require("fs");
const read = (name) => JSON.parse(fs.readFileSync(name));
for (const [schema, documents] of read("cases.json")) {
  const validate = new Ajv({strict: true}).compile(schema);
  for (const each of documents) if (!validate(each)) throw new Error(JSON.stringify(validate.errors));
}
"""


def test_ajv_takes_the_schemas_in_strict_mode(documents, tmp_path):
    made = [review_schema(), deep_review_schema(), annotation_schema()]
    cases = [(json.loads(encode_schema(schema)), []) for schema in made]
    for name in SCHEMA_FILES:
        kind = name.removesuffix(".schema.json")
        cases.append((json.loads((SPEC_FOLDER / name).read_bytes()), documents.get(kind, [])))
    (tmp_path / "node_modules").symlink_to(node_modules())
    (tmp_path / "cases.json").write_text(json.dumps(cases))
    run(["node", "-e", STRICT_AJV], tmp_path)
