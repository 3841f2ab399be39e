"""What a published sheet repeats; `python -m records.documents.sheet_files` writes it anew into `sheets/<id>.json`.

The files are the sheets. A few of their members follow from others, so that a reader in any language has them ready: the
number of cards, the duty to follow in full, the numbers of sets, the sentences of the articles, and the laws in full.
"""

import json
from typing import Any

import msgspec

from records.rules.complete import complete_sheet
from records.rules.registry import ALL_SHEETS, SHEETS_FOLDER
from records.rules.vocabulary import RuleSheet


def encode_sheet(sheet: RuleSheet) -> bytes:
    """A sheet as the text of its file: a member a line, short lists on one."""
    data = {"$schema": "../sheet.schema.json"} | msgspec.to_builtins(sheet, str_keys=True)
    return _laid_out(data, "").encode() + b"\n"


def _laid_out(value: Any, indent: str) -> str:
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list | tuple) or not value or len(indent + flat) <= 100:
        return flat
    deeper = indent + " "
    if isinstance(value, dict):
        parts = [f"{json.dumps(name)}: {_laid_out(part, deeper)}" for name, part in value.items()]
    else:
        parts = [_laid_out(part, deeper) for part in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return opening + "\n" + ",\n".join(deeper + part for part in parts) + f"\n{indent}{closing}"


def main() -> None:
    """Write what follows from the rest into the files."""
    for sheet in ALL_SHEETS:
        (SHEETS_FOLDER / f"{sheet.id}.json").write_bytes(encode_sheet(complete_sheet(sheet)))


if __name__ == "__main__":
    main()
