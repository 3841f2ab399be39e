"""What follows each finding: for illegal events the table of the format page, for all others their severity."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from records.documents.schemas import SPEC_FOLDER
from records.validate.codes.all_codes import FINDING_CODES
from records.validate.codes.code import FindingCode
from records.validate.finding import Severity

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
