"""The published schemas of records, reports, sheets and studies, made from their types and the meanings in the specification."""

import re
from collections.abc import Mapping
from inspect import cleandoc
from pathlib import Path
from typing import Any

import msgspec

from records.cards import ALL_CARDS, LABEL_PATTERN
from records.events import MELD_NAMES, AnyEvent
from records.record import Record
from records.rules.vocabulary import (
    GameKind,
    MeldCards,
    Option,
    PlayKind,
    RuleOptionValue,
    RuleSheet,
    Trumps,
)
from records.study import StudyFile
from records.validate.finding import Severity, Verdict
from records.validate.report import ClaimedValue, Report

# What the members of a record mean, read from the tables of the format page.

HEADINGS_OF_TYPES = {
    "Record": "## The record",
    "Rules": "### Rules",
    "Player": "### Players and sides",
    "Provenance": "`provenance` says where the record comes from:",
    "Deal": "## A deal",
    "Setup": "### Setup",
    "Laid": "A meld in `tables`:",
    "Claims": "`claims` on a deal:",
    "Result": "`result` on the record:",
    "Note": "A note:",
    "Line": "A line:",
    "Play": "### play",
    "Trick": "### trick",
    "Draw": "### draw",
    "Meld": "### meld",
    "Declare": "### declare",
    "Dix": "### dix",
    "CarteBlanche": "### carte_blanche",
    "Discard": "### discard",
    "Cut": "### cut",
    "Score": "### score",
    "Irregular": "### irregular",
}
"""Where the table of each type of the format stands: the line before it, or the heading above it."""
HEADINGS_OF_STUDIES = {
    "StudyFile": "## The file",
    "StudyMoment": "## A moment",
    "LineNote": "A comment in the line:",
}
"""The same on the page of studies."""

_ROW = re.compile(r"^\| `(\w+)` \| .* \| (?:yes|no) \| (.*) \|$", re.MULTILINE)
_TABLE = re.compile(r"^\| member \| value \| required .*?\n\n", re.MULTILINE | re.DOTALL)


def read_member_meanings(
    page: str, headings: Mapping[str, str] = HEADINGS_OF_TYPES
) -> Mapping[str, Mapping[str, str]]:
    """By type and member, what the member means, from the text of a page with tables under these headings."""
    return {name: _meanings(page, heading) for name, heading in headings.items()}


def _meanings(page: str, heading: str) -> Mapping[str, str]:
    table = _TABLE.search(page.split(f"\n{heading}\n", 1)[1])
    return dict(_ROW.findall(table[0])) if table else {}


# The published JSON schemas; `python -m records.documents.schemas` writes them from the types.

SPEC_FOLDER = Path(__file__).parents[1] / "spec"
SPEC_ADDRESS = "/spec/"
"""Where every site serves the specification. The `$id` of a schema is a path, since sites have different hosts."""

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_CARD = {
    "description": "Rank and suit, with a label where copies are told apart; ? for what is unknown."
    " 10S is read as TS.",
    "type": "string",
    "pattern": rf"^(([AKQJT2-9]|10)[SHDC]({LABEL_PATTERN})?|\?\?|\?[SHDC]|([AKQJT2-9]|10)\?)$",
}
CARD_AND_MELD_SCHEMAS: dict[str, dict[str, Any]] = {
    "Card": _CARD,
    "MeldName": {"type": "string", "enum": list(MELD_NAMES)},
}
"""The schemas of the names that stand for the long lists."""
NAMED_SHAPES: dict[str, Any] = {
    "Event": AnyEvent,
    "Verdict": Verdict,
    "Severity": Severity,
    "OptionValue": RuleOptionValue,
    "ClaimedValue": ClaimedValue,
    "SheetOption": Option,
    "SheetTrumps": Trumps,
    "SheetPlay": PlayKind,
    "SheetMatch": GameKind,
    "SheetMeldCards": MeldCards,
}
"""What has no name of its own and several places use, or is one of several structs: names for generators of types."""
REPORT_MEMBERS_ALWAYS_WRITTEN = ("format", "version", "finished", "known")
"""Members of a report that are written although their types have a default."""


def record_schema() -> dict[str, Any]:
    """The schema of a record of format version 1."""
    schema = make_schema(Record, "record", "Bezique game record, format version 1")
    for kind in schema["$defs"].values():
        for name, member in kind.get("properties", {}).items():
            kind["properties"][name] = _or_null(member)
    page = (SPEC_FOLDER / "format.md").read_text(encoding="utf-8")
    _describe(schema, read_member_meanings(page))
    return schema


def study_schema() -> dict[str, Any]:
    """The schema of the file of a study, of version 1; its records have a schema of their own."""
    schema = make_schema(StudyFile, "study", "Bezique study, format version 1")
    page = (SPEC_FOLDER / "studies.md").read_text(encoding="utf-8")
    _describe(schema, read_member_meanings(page, HEADINGS_OF_STUDIES))
    return schema


def _describe(schema: dict[str, Any], meanings: Mapping[str, Mapping[str, str]]) -> None:
    """Put into a schema what each member means, by type and member."""
    for name, of_members in meanings.items():
        for member, meaning in of_members.items():
            found = schema["$defs"][name]["properties"][member]
            schema["$defs"][name]["properties"][member] = {"description": meaning} | found


def _or_null(member: dict[str, Any]) -> dict[str, Any]:
    """An optional member, which may be null to say nothing, whatever its default; others as they are."""
    if member.get("default") is None:
        return member
    told = {name: value for name, value in member.items() if name != "default"}
    return {"anyOf": [told, {"type": "null"}], "default": member["default"]}


def report_schema() -> dict[str, Any]:
    """The schema of a validation report of version 1."""
    schema = make_schema(Report, "report", "Bezique validation report, version 1")
    schema["$defs"]["Report"]["required"] += REPORT_MEMBERS_ALWAYS_WRITTEN
    return schema


def sheet_schema() -> dict[str, Any]:
    """The schema of a rule sheet as data, of version 1."""
    schema = make_schema(RuleSheet, "sheet", "Bezique rule sheet as data, version 1")
    place = {"description": "where editors find this schema", "type": "string"}
    schema["$defs"]["RuleSheet"]["properties"] |= {"$schema": place}
    return schema


def encode_schema(schema: dict[str, Any]) -> bytes:
    """A schema as the text of its file."""
    return msgspec.json.format(msgspec.json.encode(schema), indent=1) + b"\n"


SCHEMA_FILES = {
    "record.schema.json": record_schema,
    "report.schema.json": report_schema,
    "sheet.schema.json": sheet_schema,
    "study.schema.json": study_schema,
}


def make_schema(kind: type[msgspec.Struct], name: str, title: str) -> dict[str, Any]:
    """The schema of a struct, by the name of its file, in words that every reader of JSON Schema knows."""
    return finish_schema(msgspec.json.schema(kind), name, title)


def finish_schema(schema: dict[str, Any], name: str, title: str) -> dict[str, Any]:
    """A schema with its head, in words that every reader knows; what `$defs` has is named, lists and shapes too."""
    shapes = plain_shapes(NAMED_SHAPES, "#/$defs/")
    made = name_shapes(name_cards_and_melds(schema, "#/$defs/"), shapes, "#/$defs/")
    text = str(made)
    # Some generators name a type by its title only.
    made["$defs"] |= {
        word: {"title": word, **named}
        for word, named in (shapes | CARD_AND_MELD_SCHEMAS).items()
        if f"#/$defs/{word}'" in text
    }
    return {
        "$schema": _DIALECT,
        "$id": f"{SPEC_ADDRESS}{name}.schema.json",
        "title": title,
        **made,
    }


def plain_shapes(kinds: Mapping[str, Any], place: str) -> dict[str, dict[str, Any]]:
    """The schemas of types by name, in words that every reader knows, as they stand where a schema does not name them."""
    schemas, _ = msgspec.json.schema_components(kinds.values(), ref_template=place + "{name}")
    return dict(zip(kinds, name_cards_and_melds([*schemas], place), strict=True))


def name_shapes(part: Any, shapes: Mapping[str, Any], place: str) -> Any:
    """A part of a schema in which references to a `place` stand for what has a name among these shapes."""
    return _with_references(part, {_text(shape): place + name for name, shape in shapes.items()})


def _with_references(part: Any, addresses: Mapping[bytes, str]) -> Any:
    if isinstance(part, list):
        return [_with_references(each, addresses) for each in part]
    if not isinstance(part, dict):
        return part
    beside = {name: part[name] for name in ("description", "default", "examples") if name in part}
    address = addresses.get(_text({key: part[key] for key in part if key not in beside}))
    if address is not None:
        return {"$ref": address, **beside}
    return {key: _with_references(each, addresses) for key, each in part.items()}


def _text(schema: Any) -> bytes:
    return msgspec.json.encode(schema, order="deterministic")


def name_cards_and_melds(part: Any, place: str) -> Any:
    """A part of a schema in words that every reader knows; references to a `place` stand for the lists of cards and melds.

    `discriminator` is a word of OpenAPI: strict readers of JSON Schema refuse a schema that has it.
    """
    if isinstance(part, list):
        return [name_cards_and_melds(item, place) for item in part]
    if not isinstance(part, dict):
        return part
    match part.get("enum"):
        case list(words) if set(words) == set(ALL_CARDS):
            return {"$ref": f"{place}Card"}
        case list(words) if set(words) == set(MELD_NAMES):
            return {"$ref": f"{place}MeldName"}
        case [word]:
            # Generators write a type of its own for each list of words.
            part = {"const": word, **{name: each for name, each in part.items() if name != "enum"}}
    unwanted = {"discriminator"} if "anyOf" in part else ()
    described = part.get("description")
    clean = {"description": cleandoc(described)} if isinstance(described, str) else {}
    named = {
        name: name_cards_and_melds(item, place)
        for name, item in part.items()
        if name not in unwanted
    }
    return named | clean | _plain_words(named)


def _plain_words(part: Mapping[str, Any]) -> dict[str, Any]:
    """What a schema says in a way that not every reader understands, said in one that all do."""
    match part:
        case {"enum": [str(), *_]} | {"const": str()}:
            return {"type": "string"}
        case {"enum": [int(), *_]} | {"const": int()}:
            return {"type": "integer"}
        case {"prefixItems": [*kinds], "maxItems": _}:
            # Many know no list whose places have types of their own: to them, each place may have any of these.
            distinct = [kind for i, kind in enumerate(kinds) if kind not in kinds[:i]]
            return {"items": distinct[0] if len(distinct) == 1 else {"anyOf": distinct}}
        case {"type": "array"} if "items" not in part:
            return {"items": {}}
        case {"pattern": str(pattern)} if pattern.endswith(r"\Z"):
            # Only some know this. `$` is the end in most, and in Python also the place before a last line break.
            return {"pattern": pattern.removesuffix(r"\Z") + "$", "not": {"pattern": r"\n"}}
    return {}


def main() -> None:
    """Write the schemas beside the specification."""
    for name, make in SCHEMA_FILES.items():
        (SPEC_FOLDER / name).write_bytes(encode_schema(make()))


if __name__ == "__main__":
    main()
