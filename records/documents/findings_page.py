"""The published page of findings; `python -m records.documents.findings_page` writes it from the codes."""

from records.documents.consequences import consequences
from records.documents.fault_order import fault_order_table
from records.documents.schemas import SPEC_FOLDER
from records.validate.codes.all_codes import FINDING_CODES
from records.validate.codes.code import FindingCode

SEVERITY_MEANINGS = {
    "unreadable": "The record cannot be read, so it is not replayed.",
    "illegal": "A rule of the game is broken.",
    "mismatch": "The play is legal, but a number or a name in the record is wrong.",
    "warning": "Something is wrong, but not with the game itself.",
    "note": "Nothing is wrong; this is worth knowing.",
}
"""What each severity means, the most serious first."""

CODES_WITHOUT_SAMPLE = {
    "record-too-large": "the smallest has 8 MiB and one byte",
    "expands-too-far": "the smallest expands beyond 2 GiB",
    "too-many-events": "the smallest has 5,001 events in one deal",
}
"""Codes whose smallest sample is too large to keep, and how large it would be."""

_CODES_WITH_COMPRESSED_SAMPLE = {"damaged-compression"}
_HEAD = """# Findings

Every code that a validation report can have. A code keeps its meaning and is never used for another
one; any version may add new ones. Each code links to the smallest record that has this finding and no
other, except the notes `unfinished`, `undetermined` and `too-many-completions` where so small a record
cannot avoid them. The article is the part of the rule sheet that the finding is about: its `rule` is the
sheet and the article, such as `bezique/draw`. Where a code can be meant in several ways, the finding's
`clause` says which.
[One table at the end](#if-an-event-has-several-faults) says which code comes first if there are several, and
[another](#what-follows-each-finding) what follows each finding.
Numbers and pointers of a report count from 0; sentences, the command line and the pages count deals and
events from 1 and name the players.

<!-- `python -m records.documents.findings_page` writes this page from the code; do not edit it by hand. -->
"""

_CONSEQUENCES_HEAD = """## What follows each finding

A record is never repaired, and a replay goes on from what was done. *On* is the kind of event that has the finding, *at
best* the best verdict that the record can still have; where it is empty, the finding does not touch the verdict. The
other columns say what the event still does; their words are explained in
[format.md](format.md#after-an-illegal-event), from whose table the illegal ones are.
"""
_COLUMNS = ("finding", "on", "at best", "it scores", "its cards", "the turn", "the deal")


def findings_page() -> str:
    """The page of all finding codes, by severity, and the table of what follows them."""
    parts = [_HEAD]
    for severity, words in SEVERITY_MEANINGS.items():
        parts.append(f"## {severity.capitalize()}\n\n{words}\n")
        parts += [_section(code) for code in FINDING_CODES.values() if code.severity == severity]
    return "\n".join([*parts, *fault_order_table(), *_table_of_consequences(), ""])


def _table_of_consequences() -> list[str]:
    rows = [
        (f"`{row.code}`", row.on, row.verdict and f"`{row.verdict}`", *row[3:])
        for row in consequences()
    ]
    cells = (_COLUMNS, ["---"] * len(_COLUMNS), *rows)
    return [_CONSEQUENCES_HEAD, *(f"| {' | '.join(row)} |" for row in cells)]


def _section(code: FindingCode) -> str:
    article = f"`{code.article}`" if code.article else "none"
    clauses = ", ".join(f"`{name}`" for name in code.clauses)
    ways = f" *Clauses* {clauses}." if clauses else ""
    return (
        f"### {code.code}\n\n{code.title}.\n\n{code.meaning}\n\n"
        f"*Severity* {code.severity}. *Article* {article}. *Sample* {_sample(code.code)}.{ways}\n"
    )


def _sample(code: str) -> str:
    if code in CODES_WITHOUT_SAMPLE:
        return f"none is kept: {CODES_WITHOUT_SAMPLE[code]}"
    file = f"{code}.json.gz" if code in _CODES_WITH_COMPRESSED_SAMPLE else f"{code}.json"
    return f"[{file}](../../samples/broken/{file})"


def main() -> None:
    """Write the page beside the specification."""
    (SPEC_FOLDER / "findings.md").write_text(findings_page())


if __name__ == "__main__":
    main()
