"""The published schemas pass the strict mode of Ajv, the validator that most programs in JavaScript use."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from records.documents.schemas import SPEC_FOLDER
from records.rules.registry import ALL_SHEETS
from tests.machine.waiting import PATIENCE_SECONDS

SCHEMA_FILES = sorted(path.name for path in SPEC_FOLDER.glob("*.schema.json"))
KEYWORDS = {
    "object": {"properties", "required", "additionalProperties", "minProperties", "propertyNames"},
    "array": {"items", "prefixItems", "minItems", "maxItems"},
    "string": {"pattern", "minLength", "maxLength"},
    "number": {"minimum", "maximum"},
    "any": {
        "$schema", "$id", "$ref", "$defs", "title", "description", "default", "type", "enum", "const", "anyOf",
    },
}  # fmt: skip
"""The keywords that the schemas use, by the type that strict mode wants beside them."""


def schemas_in(part: Any) -> Iterator[dict[str, Any]]:
    """A schema and all schemas inside it."""
    if not isinstance(part, dict):
        return
    yield part
    for keyword in ("properties", "$defs"):
        for inner in part.get(keyword, {}).values():
            yield from schemas_in(inner)
    for keyword in ("items", "additionalProperties"):
        yield from schemas_in(part.get(keyword))
    if names := part.get("propertyNames"):
        yield {"type": "string"} | names  # which they always are
    for keyword in ("anyOf", "prefixItems"):
        for inner in part.get(keyword, []):
            yield from schemas_in(inner)


@pytest.mark.parametrize("name", SCHEMA_FILES)
def test_a_schema_keeps_the_rules_of_strict_mode(name: str) -> None:
    """No unknown keyword, none without its type, no union of types, nothing required that is not described."""
    schema = json.loads((SPEC_FOLDER / name).read_bytes())
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$id"] == f"/spec/{name}"
    for part in schemas_in(schema):
        kind = part.get("type", "any")
        assert isinstance(kind, str), part
        kind = "number" if kind == "integer" else kind
        assert part.keys() <= KEYWORDS["any"] | KEYWORDS.get(kind, set()), part
        assert set(part.get("required", ())) <= part.get("properties", {}).keys(), part
        assert "prefixItems" not in part or part["minItems"] == len(part["prefixItems"]), part
        reference = part.get("$ref", "#/$defs/").removeprefix("#/$defs/")
        assert reference == "" or reference in schema["$defs"]


STRICT_AJV = """
const [folder, modules, cases] = process.argv.slice(1);
const Ajv = require(modules + "/ajv/dist/2020").default, fs = require("fs");
const read = (name) => JSON.parse(fs.readFileSync(folder + "/" + name));
for (const [schema, ...files] of JSON.parse(cases)) {
  const validate = new Ajv({strict: true}).compile(read(schema));
  for (const file of files) if (!validate(read(file))) throw new Error(file + JSON.stringify(validate.errors));
}
"""


def test_ajv_accepts_them_in_strict_mode() -> None:
    """`BEZIQUE_AJV` is a folder node_modules with Ajv 8, made by `npm install ajv@8`; without it this does not run."""
    modules = os.environ.get("BEZIQUE_AJV")
    if not modules or not shutil.which("node"):
        pytest.skip("Ajv did not run: set BEZIQUE_AJV to a folder node_modules that has it")
    sheets = [f"sheets/{sheet.id}.json" for sheet in ALL_SHEETS]
    cases = [[name, *(sheets if name == "sheet.schema.json" else [])] for name in SCHEMA_FILES]
    command = ["node", "-e", STRICT_AJV, str(SPEC_FOLDER), str(Path(modules).resolve())]
    subprocess.run([*command, json.dumps(cases)], check=True, timeout=PATIENCE_SECONDS)
