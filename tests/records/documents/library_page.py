"""The page of the library, from the names, signatures and docstrings of `import bezique`."""

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import get_args

import msgspec

import bezique
from records.documents.schemas import HEADINGS_OF_TYPES, SPEC_FOLDER, read_member_meanings
from records.events import MELD_NAMES

CHAPTERS = {
    "Reading and checking": ("check", "check_file", "read", "parse", "UnreadableRecord", "RecordSource"),
    "Writing": ("write", "encode"),
    "Playing": (
        "Game", "Move", "EndDeal", "IllegalMove", "play", "Chooser", "AnyPlayer", "PlayerKind",
        "rulebook", "RulesError", "SheetError", "SheetMistake", "SheetIdTaken",
    ),
    "Looking": ("replay", "GameStep", "Position", "StepName", "LaidMeld"),
    "Collections": ("open", "Collection", "StoreError"),
    "Reviewing": (
        "review", "GameReview", "ReviewTerms", "ChanceSource", "ReviewedDeal", "ReviewedDecision", "ReviewedChoice", "CloseSums",
        "LuckBreakdown", "Swing", "WonTrick", "MissedChance", "PossibleScore", "LastStockGap",
        "annotate", "Annotation", "AnalysisTerms", "DealAnnotation", "CloseReview", "CloseDecision", "CloseMove", "ValuedMove",
        "MatchScores", "LastStockDecision", "CardValue",
    ),
    "The report": (
        "Report", "Verdict", "ResolvedRules", "Assignments", "Finding", "FindingGroup", "Cause", "Place", "Claim",
    ),
    "The record": (
        "Record", "Rules", "Player", "Provenance", "Deal", "Setup", "Laid", "Claims", "Result", "Note", "Line",
    ),
    "Events": (
        "AnyEvent", "Play", "Trick", "Draw", "Meld", "Declare", "Dix", "CarteBlanche", "Discard", "Cut", "Score", "Irregular",
    ),
    "Names": ("card", "cards", "CardError", "Card", "MeldName", "ScoreName", "SheetId", "CodeName"),
}  # fmt: skip
"""Every public name but the version, by what it is for."""

BEGINNING = """# The library

What `import bezique` promises: names, signatures and what they say of themselves, from which this page is made. Seats,
sides and deals count from 0, points are whole numbers, and a card is text such as `QS` or `TD`. The
[cookbook](cookbook.md) shows them at work. `bezique.__version__` is the version.
"""
MODULES_OF_NAMES = (
    "bezique.record_types", "bezique.game_moves", "bezique.game_position", "bezique.exchange", "bezique.playing",
    "analyzer.play.seat_players",
)  # fmt: skip
STUB = Path(bezique.__file__).with_name("record_types.pyi")
PAGES_OF_NAMES = {
    "Card": "Cards are `AS` for the ace of spades to `2C`, `??` for one that nobody has seen, and with a label `QS.2`;"
    " [Cards](../../records/spec/format.md#cards) says what may stand where.",
    "CodeName": "The code of a finding; [Findings](../../records/spec/findings.md) lists them.",
    "MeldName": "The name of a meld.",
    "ScoreName": "What a score is for, other than a meld.",
    "AnyEvent": "Any of the events below.",
    "Verdict": "What the findings say of the record together.",
}
"""What stands for names that have no docstring of their own."""


def text() -> str:
    """The whole page."""
    parts = [BEGINNING]
    for chapter, names in CHAPTERS.items():
        parts.append(f"## {chapter}\n")
        for name in names:
            parts += [f"### {name}\n", *_entry(name)]
    return "\n".join(parts)


def _entry(name: str) -> Iterator[str]:
    thing = getattr(bezique, name)
    if inspect.isclass(thing) and issubclass(thing, msgspec.Struct) and name in _stub():
        yield from _struct(name, thing)
    elif inspect.isclass(thing):
        yield from _class(name, thing)
    elif inspect.isfunction(thing):
        node = _definition(thing.__module__, name)
        assert isinstance(node, ast.FunctionDef)
        yield f"```text\n{_signature(node)}\n```\n"
        yield f"{_prose(thing.__doc__)}\n"
    else:
        yield from _alias(name, thing)


def _struct(name: str, thing: type) -> Iterator[str]:
    """A struct of records or reports: its members, as type checkers see them."""
    yield f"{_prose(thing.__doc__)}\n"
    meanings = _meanings().get(name, {})
    fields = [node for node in _stub()[name].body if isinstance(node, ast.AnnAssign)]
    if not fields:
        return
    yield "| member | type |" + (" meaning |" if meanings else "")
    yield "|---|---|" + ("---|" if meanings else "")
    for field in fields:
        member = ast.unparse(field.target)
        written = _written_names(thing).get(member, member)
        said = meanings.get(written, "") + (f" (`{written}` in JSON)" if written != member else "")
        meaning = f" {said} |" if meanings else ""
        yield f"| `{member}` | `{_cell(ast.unparse(field.annotation))}` |{meaning}"
    yield ""


def _written_names(thing: type) -> dict[str, str]:
    """The names of the members of a struct as its JSON has them."""
    return {field.name: field.encode_name for field in msgspec.structs.fields(thing)}


def _class(name: str, thing: type) -> Iterator[str]:
    """A class: how one is made, its attributes, and its methods."""
    node = _definition(thing.__module__, thing.__name__)
    assert isinstance(node, ast.ClassDef)
    functions = [each for each in node.body if isinstance(each, ast.FunctionDef)]
    makers = [each for each in functions if each.name == "__init__"]
    if makers and not issubclass(thing, Exception):
        yield f"```text\n{_signature(makers[0], name)}\n```\n"
    yield f"{_prose(thing.__doc__)}\n"
    fields = [
        each
        for each in node.body
        if isinstance(each, ast.AnnAssign) and not ast.unparse(each.target).startswith("_")
    ]
    if fields:
        yield "| attribute | type |\n|---|---|"
        for each in fields:
            yield f"| `{ast.unparse(each.target)}` | `{_cell(ast.unparse(each.annotation))}` |"
        yield ""
    public = [each for each in functions if not each.name.startswith("_") and not _is_setter(each)]
    if public:
        yield "| member | meaning |\n|---|---|"
        for each in public:
            is_property = any(ast.unparse(mark) == "property" for mark in each.decorator_list)
            shown = (
                f"{each.name}: {ast.unparse(each.returns)}"
                if is_property and each.returns
                else _signature(each)
            )
            yield f"| `{_cell(shown)}` | {_cell(' '.join(_prose(ast.get_docstring(each)).split()))} |"
        yield ""


def _is_setter(node: ast.FunctionDef) -> bool:
    """Whether a function sets a property, which has its row already."""
    return any(isinstance(mark, ast.Attribute) for mark in node.decorator_list)


def _alias(name: str, thing: object) -> Iterator[str]:
    """A name for other types: what stands below it in its module, or here, and its words if they are few."""
    words = MELD_NAMES if name == "MeldName" else get_args(thing)
    said = PAGES_OF_NAMES.get(name) or _words_below(name)
    values = [f"`{word}`" for word in words if isinstance(word, str)]
    is_list = name in ("MeldName", "ScoreName", "SheetId", "PlayerKind", "StepName", "Verdict")
    yield f"{_prose(said)}{' One of ' + ', '.join(values) + '.' if is_list else ''}\n"


@cache
def _words_below(name: str) -> str:
    """The text below the assignment of a name."""
    for module in MODULES_OF_NAMES:
        body = ast.parse(Path(str(import_module(module).__file__)).read_text(encoding="utf-8")).body
        for node, after in pairwise(body):
            match node, after:
                case (
                    (ast.Assign(targets=[ast.Name(id=found)]) | ast.AnnAssign(target=ast.Name(id=found))),
                    ast.Expr(value=ast.Constant(value=str(said))),
                ) if found == name:  # fmt: skip
                    return said
    raise KeyError(name)


@cache
def _stub() -> dict[str, ast.ClassDef]:
    tree = ast.parse(STUB.read_text(encoding="utf-8"))
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}


@cache
def _meanings() -> dict[str, dict[str, str]]:
    page = (SPEC_FOLDER / "format.md").read_text(encoding="utf-8")
    meanings = read_member_meanings(page)
    return {
        name: {
            member: said.replace("](#", "](../../records/spec/format.md#")
            for member, said in meanings[name].items()
        }
        for name in HEADINGS_OF_TYPES
    }


def _definition(module: str, name: str) -> ast.stmt:
    path = Path(str(sys.modules[module].__file__))
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return next(node for node in body if getattr(node, "name", None) == name)


def _signature(node: ast.FunctionDef, name: str = "") -> str:
    """A signature as it would be typed, without `self`."""
    said = re.sub(r"^(self|cls)(, )?", "", ast.unparse(node.args))
    said = re.sub(r"(: [^,=]+(?:\[[^\]]*\])?[^,=]*)=", r"\1 = ", said)
    if name or node.returns is None:
        return f"{name}({said})"
    returns = ast.unparse(node.returns).strip("'")
    return f"{node.name}({said}) -> {returns}"


def _prose(words: str | None) -> str:
    return inspect.cleandoc(words or "")


def _cell(words: str) -> str:
    """Text of a cell: what is a union there must not end it."""
    return words.replace("|", "\\|")
