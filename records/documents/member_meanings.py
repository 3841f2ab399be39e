"""What the members of a record mean, read from the tables of the format page."""

import re
from collections.abc import Mapping

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

_ROW = re.compile(r"^\| `(\w+)` \| .* \| (?:yes|no) \| (.*) \|$", re.MULTILINE)
_TABLE = re.compile(r"^\| member \| value \| required .*?\n\n", re.MULTILINE | re.DOTALL)


def read_member_meanings(page: str) -> Mapping[str, Mapping[str, str]]:
    """By type and member, what the member means, from the text of the format page."""
    return {name: _meanings(page, heading) for name, heading in HEADINGS_OF_TYPES.items()}


def _meanings(page: str, heading: str) -> Mapping[str, str]:
    table = _TABLE.search(page.split(f"\n{heading}\n", 1)[1])
    return dict(_ROW.findall(table[0])) if table else {}
