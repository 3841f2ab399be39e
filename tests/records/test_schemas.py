"""The published schemas can be read by the validators of other languages, and mean the same in all of them."""

import json
import re
from collections.abc import Iterator
from typing import Any

import jsonschema
import jsonschema_rs
import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from analyzer.review.annotation import annotation_schema
from analyzer.review.deep_review import deep_review_schema, review_schema
from records.documents import schemas
from records.documents.schemas import SPEC_FOLDER
from records.events import Extensions

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
SHAPES = frozenset(schemas.NAMED_SHAPES)
LINEAR = jsonschema_rs.RegexOptions()
"""The regular expressions of Rust, which like those of Go and of RE2 have no look-around and no back-references."""


def published(name: str) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads((SPEC_FOLDER / name).read_bytes())
    return schema


SCHEMAS = {
    **{name: published(name) for name in SCHEMA_FILES},
    "review.schema.json": review_schema(),
    "deep-review.schema.json": deep_review_schema(),
    "annotation.schema.json": annotation_schema(),
}


def schemas_in(part: Any) -> Iterator[dict[str, Any]]:
    """A schema and all schemas inside it."""
    if not isinstance(part, dict):
        return
    yield part
    for keyword in ("properties", "$defs"):
        for inner in part.get(keyword, {}).values():
            yield from schemas_in(inner)
    for keyword in ("items", "additionalProperties", "not"):
        yield from schemas_in(part.get(keyword))
    if names := part.get("propertyNames"):
        yield {name: each for name, each in names.items() if name != "not"} | {"type": "string"}
    for keyword in ("anyOf", "prefixItems"):
        for inner in part.get(keyword, []):
            yield from schemas_in(inner)


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_keeps_the_rules_of_strict_mode(name: str) -> None:
    """No unknown keyword, none without its type, no union of types, nothing required that is not described."""
    schema = SCHEMAS[name]
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


@pytest.mark.parametrize("name", SCHEMAS)
def test_patterns_are_understood_without_look_around(name: str) -> None:
    schema = SCHEMAS[name]
    jsonschema_rs.validator_for(schema, pattern_options=LINEAR)
    with pytest.raises(ValueError, match="regex"):
        jsonschema_rs.validator_for({"pattern": OLD_EXTENSION_KEY.pattern}, pattern_options=LINEAR)
    for part in schemas_in(schema):
        for each in (part, part.get("propertyNames", {})):
            # These Go, Rust, ECMAScript and Python read in different ways, or not at all.
            assert not re.search(r"\\[AZzGbBdwsDWS]|\(\?", each.get("pattern", "")), each


@pytest.mark.parametrize("name", SCHEMAS)
def test_what_is_one_of_several_structs_has_a_name(name: str) -> None:
    """Without one, generators name it after any of the structs, and number the types of single words."""
    definitions = SCHEMAS[name]["$defs"]
    for part in schemas_in(SCHEMAS[name]):
        structs = [each for each in part.get("anyOf", ()) if "$ref" in each]
        assert len(structs) < 2 or part in definitions.values(), part
        assert len(part.get("enum", ("several", "words"))) > 1, part
    assert all(each["title"] == name for name, each in definitions.items())


@pytest.mark.parametrize("name", schemas.SCHEMA_FILES)
def test_a_name_changes_nothing_of_what_a_schema_accepts(name: str, monkeypatch) -> None:
    named = schemas.SCHEMA_FILES[name]()
    monkeypatch.setattr(schemas, "NAMED_SHAPES", {})
    assert written_out(named, named["$defs"]) == written_out(schemas.SCHEMA_FILES[name](), {})


def written_out(part: Any, definitions: dict[str, Any]) -> Any:
    """A schema in which each shape with a name stands where the name stood."""
    if isinstance(part, list):
        return [written_out(each, definitions) for each in part]
    if not isinstance(part, dict):
        return part
    name = part.get("$ref", "").removeprefix("#/$defs/")
    if name in SHAPES and name in definitions:
        shape = {key: each for key, each in definitions[name].items() if key != "title"}
        beside = {key: each for key, each in part.items() if key != "$ref"}
        return written_out(shape | beside, definitions)
    return {
        key: written_out(each, definitions)
        for key, each in part.items()
        if not (key in SHAPES and each is definitions.get(key))
    }


OLD_EXTENSION_KEY = re.compile(r"^[A-Za-z][A-Za-z0-9-]*(\.[A-Za-z0-9_-]+)+(?!\n)$")
"""What records of version 1 were read by; it has a look-ahead."""
NEARLY_KEYS = st.lists(
    st.sampled_from(["org", ".", "-", "_", "Z9", "9", "\n", "\r", "\u2028", " ", "é", ""]),
    max_size=6,
).map("".join)


@given(NEARLY_KEYS | st.text(max_size=8))
@example("org.example\n")
@example("org.example")
@example("org\n.example")
def test_a_key_of_an_extension_is_one_to_every_reader(key: str) -> None:
    names = SCHEMAS["record.schema.json"]["$defs"]["Record"]["properties"]["ext"]["anyOf"][0][
        "propertyNames"
    ]
    try:
        msgspec.convert({key: 1}, Extensions)
        decoded = True
    except msgspec.ValidationError:
        decoded = False
    assert decoded == bool(OLD_EXTENSION_KEY.search(key))
    assert decoded == jsonschema.Draft202012Validator(names).is_valid(key)
    assert decoded == jsonschema_rs.validator_for(names, pattern_options=LINEAR).is_valid(key)
