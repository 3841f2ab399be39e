"""The published page of findings; `python -m records.documents.findings_page` writes it from the codes."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from records.documents.schemas import SPEC_FOLDER
from records.validate.codes import FINDING_CODES, FindingCode
from records.validate.finding import Severity

# What follows each finding: for illegal events the table of the format page, for all others their severity.

_CHAPTER = re.compile(r"^### After an illegal event$(.*?)^#", re.MULTILINE | re.DOTALL)
_ROW = re.compile(r"^\| (?P<codes>`.*?) \| (?P<cells>.*) \|$", re.MULTILINE)
_CODE = re.compile(r"`([a-z-]+)`")
_ON_THE_DEAL = re.compile(r"On the deal itself \((.*?)\)", re.DOTALL)
_STOPS = "the deal stops"

_VERDICTS: Mapping[Severity, str] = {
    "unreadable": "unreadable",
    "illegal": "illegal",
    "mismatch": "legal_with_mismatches",
}
_VERDICTS_OF_NOTES = {
    "unfinished": "incomplete",
    "undetermined": "undetermined",
    "too-many-completions": "undetermined",
}
_NOTHING_CHANGES = ("as always", "as always", "as always", "goes on")


class Consequence(NamedTuple):
    """What follows a finding of a code on one kind of event, in the words of the format page.

    `verdict` is the best that the record can still have; empty where the finding does not touch it.
    """

    code: str
    on: str
    verdict: str
    scores: str
    cards: str
    turn: str
    deal: str


def consequences() -> Iterator[Consequence]:
    """What follows each finding, in the order of the codes."""
    for code in FINDING_CODES.values():
        yield from _consequences_of(code)


def _consequences_of(code: FindingCode) -> Iterator[Consequence]:
    verdict = _VERDICTS.get(code.severity, _VERDICTS_OF_NOTES.get(code.code, ""))
    match code.severity:
        case "unreadable":
            nothing = ("nothing", "stay", "none", "no deal is replayed")
            yield Consequence(code.code, "the record", verdict, *nothing)
        case "illegal":
            for row in read_illegal_events().get(code.code, ()):
                yield Consequence(code.code, row.on, verdict, *row[3:])
            if code.code in read_codes_of_deals():
                yield Consequence(code.code, "the deal", verdict, *_NOTHING_CHANGES)
        case "mismatch":
            computed = ("what the rules compute", "as always", "as computed", "goes on")
            yield Consequence(code.code, "a claim", verdict, *computed)
        case _:
            yield Consequence(code.code, "the record", verdict, *_NOTHING_CHANGES)


@cache
def read_illegal_events() -> Mapping[str, tuple[Consequence, ...]]:
    """The table of the format page by code: what an illegal event still does."""
    found: dict[str, tuple[Consequence, ...]] = {}
    for row in _ROW.finditer(_chapter()):
        kinds, scores, cards, turn = row["cells"].split(" | ")
        deal, turn = ("stops", "none") if turn == _STOPS else ("goes on", turn)
        for code in _CODE.findall(row["codes"]):
            line = Consequence(code, kinds, "illegal", scores, cards, turn, deal)
            found[code] = (*found.get(code, ()), line)
    return found


@cache
def read_codes_of_deals() -> frozenset[str]:
    """The codes of what is wrong with a deal before its first event, or with all of it: they change nothing."""
    listed = _ON_THE_DEAL.search(_chapter())
    codes = _CODE.findall(listed[1]) if listed else []
    return frozenset((*codes, "card-not-in-pack", "no-legal-completion"))


def _chapter() -> str:
    found = _CHAPTER.search((SPEC_FOLDER / "format.md").read_text(encoding="utf-8"))
    return found[1] if found else ""


# Which code is told first where one thing has several faults: the order of the checks, as the page of findings has it.

WINDOW = ("meld-out-of-window", "meld-by-loser")
NO_MELD = ("meld-not-in-rules", "wrong-cards-for-meld")
DEAL_OF_CARDS = ("card-not-in-pack", "too-many-copies", "card-twice")

FAULT_ORDER: Mapping[str, tuple[str, ...]] = {
    "`play`": (
        "event-not-in-rules", "event-after-end", "draw-missing", "out-of-turn", "card-not-in-pack", "card-not-held",
        "not-on-table", "not-in-hand", "must-trump", "must-beat", "must-follow-suit",
    ),
    "`draw`": (
        "draw-not-due", "draw-out-of-turn", "card-not-in-pack", "wrong-card-drawn", "no-such-card-left",
    ),
    "`meld`": (
        *WINDOW, "meld-after-close", "too-many-melds", "card-not-in-pack", "meld-card-not-held", *NO_MELD,
        "meld-reuses-cards", "wrong-meld-points",
    ),
    "`declare`": (
        "event-not-in-rules", *WINDOW, "card-not-in-pack", "meld-card-not-held", "meld-after-close", "no-pending-melds",
        *NO_MELD,
    ),
    "`dix`, exchanged or shown": (
        "event-not-in-rules", "dix-not-in-rules", "dix-out-of-window", "card-not-in-pack", "dix-not-held",
        "too-many-melds", "nothing-to-exchange", "dix-spent", "wrong-dix-points",
    ),
    "`dix`, played": (
        "event-not-in-rules", "dix-not-played", "dix-not-in-rules", "dix-spent", "wrong-dix-points",
    ),
    "`carte_blanche`": (
        "event-not-in-rules", "not-blank", "carte-blanche-too-late", "wrong-score-points",
    ),
    "`cut`": ("event-not-in-rules", "cut-out-of-place", "impossible-cut"),
    "`trick`": ("event-not-in-rules", "trick-out-of-place", "wrong-trick-winner"),
    "`score`": (
        "score-not-earned", "wrong-brisques", "scored-twice", "score-out-of-place", "wrong-score-points",
    ),
    "`meld` in Zetema": (
        "event-after-end", "out-of-turn", "draw-missing", "meld-after-close", "too-many-melds", *NO_MELD,
        "not-on-tableau", "card-not-in-pack", "meld-card-not-held", "marriage-without-hand-card", "wrong-meld-points",
    ),
    "`discard`": (
        "event-not-in-rules", "event-after-end", "out-of-turn", "draw-missing", "card-not-in-pack", "card-not-held",
        "discard-not-of-combination", "must-go-on",
    ),
    "what was dealt": (
        "wrong-dealer", "wrong-number-of-hands", "wrong-hand-size", "turn-up-missing", "turn-up-not-in-rules",
        *DEAL_OF_CARDS, "wrong-stock-size", "deal-after-game-won",
    ),
    "a `setup`": (
        "wrong-dealer", "setup-not-in-rules", "turn-up-not-in-rules", "trumps-not-turned-up", "no-meld-on-table",
        "impossible-pile", "impossible-trick", "hand-too-large", "uneven-hands", "impossible-stock", "wrong-stock-size",
        "impossible-captures", "impossible-brisques", "impossible-spent-dix", *DEAL_OF_CARDS, "deal-after-game-won",
    ),
    "the end of a deal": (
        "deal-cut-short", "wrong-brisques", "wrong-deal-scores", "impossible-deal-scores",
    ),
    "`result`": (
        "wrong-result-scores", "impossible-result-scores", "wrong-winner", "settlement-not-in-rules", "wrong-settlement",
        "wrong-status",
    ),
}  # fmt: skip
"""The codes of everything that may have several faults, the first to be told first. The checks decide; a test compares."""

_FAULTS_HEAD = """## If an event has several faults

All faults of an event are findings of a report. The first of them is the `code` that the
[conformance kit](conformance.md) compares. It is the first in this table that fits, whether a rule is broken or a claim
wrong. A fault that only matters without an earlier one need not be told at all: who leads out of turn owes no suit.
"""


def fault_order_table() -> list[str]:
    """The chapter of the page of findings that says which code comes first."""
    rows = [
        f"| {what} | {', '.join(f'`{code}`' for code in FAULT_ORDER[what])} |"
        for what in FAULT_ORDER
    ]
    notes = [
        "",
        "- A card that is no dix is `dix-not-held`. For a seven played after the close where it scores no more,"
        " `dix-not-in-rules` comes after `dix-not-played`; where the game has no dix at all, it comes first.",
        "- `not-blank` looks at the hand as it is when it is shown: with a court card in it, it is never"
        " `carte-blanche-too-late`.",
        "- Points that another player earned are `score-not-earned`, also if that player has scored them already;"
        " `scored-twice` is the same player's second claim.",
        "- Brisques: `wrong-brisques` if more are claimed than were taken so far; else `wrong-score-points` if `count` and"
        " `points` of one event disagree; too few are `wrong-brisques` of the deal, when it is over.",
        "",
    ]  # fmt: skip
    return [
        _FAULTS_HEAD,
        "| fault of | first the first that fits |",
        "| --- | --- |",
        *rows,
        *notes,
    ]


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
