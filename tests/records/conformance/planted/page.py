"""The published list of planted errors and of what catches each, `records/spec/planted_errors.md`."""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from records.conformance.unshown_errors import why_never
from records.documents.schemas import SPEC_FOLDER
from records.rules.registry import get_sheet
from tests.records.conformance.planted.catalogue import planted_errors
from tests.records.conformance.planted.planting import (
    SHEETS,
    OwnChange,
    Planted,
    SourceChange,
    Unread,
)
from tests.records.conformance.planted.value_errors import unshown_errors

PAGE: Path = SPEC_FOLDER / "planted_errors.md"


class Catch(NamedTuple):
    """The ids of a case that catches an error, and of one that begins with the shuffle; None if there is none."""

    case: str | None
    in_whole_deal: str | None


Catches = dict[tuple[str, str], Catch]
"""What catches each error, by sheet and name."""

_HEAD = """# Planted errors

The cases of the [conformance kit](conformance.md) were chosen by mutation. Single errors of the kinds that authors of
programs make were planted, one at a time, in a program that judges by the rules. Errors in what a program does were planted
in the referee of this project's tests. Errors in what a program takes the rulebook to say, and in what it looks for, were
planted in this program: every value of a sheet was changed, every value of an option was ignored, halved or taken for
another, every finding code was forgotten, and what a record tells was not read. Errors in single clauses were planted in
the source of this program, each at one place. A case was taken if the program with the error gives another verdict than it
should. So every error is caught by a verdict alone.

The table counts the errors by kind and rule sheet. In brackets: how many of them are caught also by a deal from the
shuffle. A program that reads no positions in the middle of a deal (`setup`) can rely on these only.
"""
GAMES_SEARCHED = 100_000
"""So many games of every sheet were searched, from the first on; the search goes on behind them with `--first`."""
_NEVER = f"""## What no record can show

These errors were not planted: they change no verdict. `make soak ARGS="--unshown"` searches for a verdict that differs: in
games by every option, damaged ones, melds that games seldom show, and games played with the errors. Several errors are
planted together, in other company every time. The search found none in {GAMES_SEARCHED:,} games of every sheet, in damaged
copies of them, and in as many of these melds.
"""
_NOT_FOUND = """## What is not caught

No record was found that shows these errors. Some of them change no verdict.
"""
_DETAILS = """## Every error, and what catches it

Cases are named without their sheet: `twins/C3-wrong` below Marjolet is `marjolet/twins/C3-wrong`. Other cases may catch
the error, too. A dash means that no deal from the shuffle was found that catches it. An error in a value is named by the
value that a program wrongly takes: `dix.points=20`. A star marks cases that are deals from the shuffle.

<!-- `python -m tests.records.conformance.make` chooses the cases and writes this page; do not edit it by hand.
`make soak ARGS="--kit"` plants every error again. -->
"""
_STAR = "*"


def planted_page(caught: Catches) -> str:
    """The page: a table of numbers, then the errors of every sheet, folded."""
    return "\n".join(
        [
            _HEAD,
            _counts(caught),
            _NEVER,
            *_never(),
            _NOT_FOUND,
            *_not_found(caught),
            _DETAILS,
            *(_chapter(sheet, caught) for sheet in SHEETS),
        ]
    )


def _never() -> Iterator[str]:
    for sheet in map(get_sheet, SHEETS):
        by_reason = defaultdict[str, list[str]](list)
        for error in unshown_errors(sheet):
            by_reason[str(why_never(sheet, error.name))].append(f"`{error.name}`")
        yield from (
            f"- {sheet.name}: {', '.join(names)}. {why}" for why, names in by_reason.items()
        )
    yield ""


def _not_found(caught: Catches) -> Iterator[str]:
    for sheet in SHEETS:
        names = [
            f"`{e.name}`"
            for e in planted_errors()
            if e.sheet == sheet and caught[sheet, e.name].case is None
        ]
        if names:
            yield f"- Not caught in {sheet}: {', '.join(names)}."
    yield ""


def _counts(caught: Catches) -> str:
    kinds = list(dict.fromkeys(error.kind for error in planted_errors()))
    rows = [[kind, *(_count(caught, sheet, kind) for sheet in SHEETS)] for kind in kinds]
    rows.append(["**all**", *(_count(caught, sheet, None) for sheet in SHEETS)])
    head = ["kind", *(get_sheet(sheet).name for sheet in SHEETS)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)) + "\n"


def _count(caught: Catches, sheet: str, kind: str | None) -> str:
    """How many errors there are of a kind in a sheet, and in brackets how many whole deals catch."""
    some = [
        e
        for e in planted_errors()
        if e.sheet == sheet and kind in (None, e.kind) and caught[sheet, e.name].case is not None
    ]
    whole = sum(caught[sheet, error.name].in_whole_deal is not None for error in some)
    return f"{len(some)} ({whole})" if some else ""


def _chapter(sheet: str, caught: Catches) -> str:
    errors = [error for error in planted_errors() if error.sheet == sheet]
    done = [
        error for error in errors if isinstance(error.change, SourceChange | OwnChange | Unread)
    ]
    by_case = defaultdict[tuple[str, bool], list[str]](list)
    for error in errors:
        if error not in done and caught[sheet, error.name].case is not None:
            case, whole = caught[sheet, error.name]
            by_case[_within(case), whole is not None].append(f"`{error.name}`")
    return "\n".join(
        [
            f"### {get_sheet(sheet).name}\n",
            f"<details>\n<summary>The {len(errors)} errors in {sheet}</summary>\n",
            "| error | kind | what the program does | caught by | in a whole deal |",
            "| --- | --- | --- | --- | --- |",
            *(_row(error, caught[sheet, error.name]) for error in done),
            "\n| case | the values and findings that it catches |",
            "| --- | --- |",
            *(
                f"| {case}{_STAR * whole} | {', '.join(names)} |"
                for (case, whole), names in by_case.items()
            ),
            "\n</details>\n",
        ]
    )


def _within(case: str | None) -> str:
    return f"`{case.partition('/')[2]}`" if case else "-"


def _row(error: Planted, catch: Catch) -> str:
    case, whole = _within(catch.case), _within(catch.in_whole_deal)
    return f"| `{error.name}` | {error.kind} | {error.says} | {case} | {whole} |"


def write_page(caught: Catches) -> None:
    """Write the page beside the specification."""
    PAGE.write_text(planted_page(caught), encoding="utf-8")


def read_page() -> Catches:
    """What catches each error, as the page says."""
    found: Catches = {}
    sheet = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        chapter = re.search(r"errors in (.*)</summary>", line)
        sheet = chapter[1] if chapter else sheet
        done = re.match(r"^\| `([^`]+)` \|.*\| (?:`([^`]+)`|-) \| (?:`([^`]+)`|-) \|$", line)
        missed = re.match(r"^- Not caught in (\S+): ", line)
        if missed:
            names = re.findall(r"`([^`]+)`", line)
            found |= {(missed[1], name): Catch(None, None) for name in names}
        values = re.match(r"^\| `([^`]+)`(\*?) \| (`[^|]+`) \|$", line)
        if done and sheet:
            case, whole = (name and f"{sheet}/{name}" for name in done.groups()[1:])
            found[sheet, done[1]] = Catch(case, whole)
        elif values and sheet:
            case = f"{sheet}/{values[1]}"
            for name in re.findall(r"`([^`]+)`", values[3]):
                found[sheet, name] = Catch(case, case if values[2] else None)
    return found
