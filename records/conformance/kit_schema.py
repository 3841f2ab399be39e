"""The JSON schema of the kit, its protocol and its reports; `python -m records.conformance.kit_schema` writes it."""

from typing import Any

import msgspec

from records.conformance.answer_shapes import ANSWER_SHAPES
from records.conformance.cases import Case, KitIndex
from records.conformance.kit_report import KitReport
from records.conformance.protocol import Hello, Request
from records.documents.schemas import SPEC_ADDRESS, SPEC_FOLDER, encode_schema

KIT_SCHEMA_FILE = "conformance.schema.json"


def kit_schema() -> dict[str, Any]:
    """The schema of a case; under `$defs` also those of an index, a request, the handshake, answers and a report."""
    kinds = (Case, KitIndex, Request, Hello, *ANSWER_SHAPES.values(), KitReport)
    (case, *_), definitions = msgspec.json.schema_components(kinds)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"{SPEC_ADDRESS}{KIT_SCHEMA_FILE}",
        "title": "Bezique conformance kit, version 1",
        **case,
        "$defs": definitions,
    }


def main() -> None:
    """Write the schema beside the specification."""
    (SPEC_FOLDER / KIT_SCHEMA_FILE).write_bytes(encode_schema(kit_schema()))


if __name__ == "__main__":
    main()
