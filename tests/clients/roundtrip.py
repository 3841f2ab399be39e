"""Read and write every document with the types that datamodel-code-generator has written: `roundtrip.py CASES`.

The cases are a list of the module, the name of its type, and the documents; a document must come back as it was.
"""

import json
import sys
from importlib import import_module
from pathlib import Path


def main(cases: str) -> None:
    """Try the cases in this file."""
    for module, name, documents in json.loads(Path(cases).read_bytes()):
        kind = getattr(import_module(module), name)
        for document in documents:
            read = kind.model_validate(document)
            written = read.model_dump(mode="json", by_alias=True, exclude_unset=True)
            assert written == document, (
                f"{json.dumps(written)[:500]} is not {json.dumps(document)[:500]}"
            )


if __name__ == "__main__":
    main(*sys.argv[1:])
