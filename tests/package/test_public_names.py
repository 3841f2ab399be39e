"""Every public name: what a signature names is public, and what a program is given can be kept, copied and compared."""

import ast
import builtins
import collections.abc
import inspect
import pickle
import typing
from collections.abc import Iterator
from copy import copy, deepcopy
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

import bezique
from bezique import Game, IllegalMove, RulesError, SheetError, UnreadableRecord
from records.errors import BeziqueError
from records.selfplay import play_game

KNOWN_ELSEWHERE = {*dir(builtins), *dir(typing), *collections.abc.__all__, "PathLike", "msgspec"}
"""What a program finds in Python itself, or in msgspec, where the records come from."""
INSIDE = {
    "ChanceKind", "Marks", "RecordMoment", "Reading", "Readings", "ClosePlace", "SwingKind", "Grade", "Stage",
}  # fmt: skip
"""Literals and private members that only stand in members, where a checker sees through them."""
BEHAVE = {"Game", "Collection", "Chooser", "CardError", "SheetIdTaken", "StoreError"}
"""Names of what does something, or of errors that are raised like those below; games have tests of their own."""


def definition(thing: Any) -> ast.stmt:
    """The code of a public function or class."""
    tree = ast.parse(Path(inspect.getfile(thing)).read_text(encoding="utf-8"))
    return next(node for node in tree.body if getattr(node, "name", None) == thing.__name__)


def signatures(node: ast.AST) -> Iterator[ast.expr]:
    """Every annotation of a public function, or of the public methods and members of a class."""
    if isinstance(node, ast.FunctionDef):
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        yield from [each.annotation for each in arguments if each.annotation is not None]
        yield from [node.returns] if node.returns is not None else []
    if isinstance(node, ast.ClassDef):
        for each in node.body:
            name = getattr(each, "name", None) or ast.unparse(
                getattr(each, "target", ast.Name("_"))
            )
            if isinstance(each, ast.AnnAssign) and not name.startswith("_"):
                yield each.annotation
            elif name == "__init__" or not name.startswith("_"):
                yield from signatures(each)


def names_in(annotation: ast.expr) -> Iterator[str]:
    for node in ast.walk(annotation):
        if isinstance(node, ast.Name):
            yield node.id
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and node.value.isidentifier()
        ):
            yield node.value


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in bezique.__all__
        if callable(getattr(bezique, name)) and inspect.getmodule(getattr(bezique, name))
    ],
)
def test_what_a_signature_names_is_public(name: str) -> None:
    thing = getattr(bezique, name)
    if not (inspect.isclass(thing) or inspect.isfunction(thing)) or thing.__module__ == "typing":
        return
    node = definition(thing)
    if isinstance(node, ast.ClassDef) and issubclass(thing, msgspec.Struct):
        of_members = set(classes_in(*typing.get_type_hints(thing).values()))
        assert of_members <= {getattr(bezique, each) for each in bezique.__all__}
        return
    named = {name for annotation in signatures(node) for name in names_in(annotation)}
    literals = {word for word in named if word.islower() or word.isupper()}
    assert named - literals - KNOWN_ELSEWHERE - INSIDE <= set(bezique.__all__)


def classes_in(*hints: Any) -> Iterator[type]:
    """The structs and tuples that types are made of."""
    for hint in hints:
        yield from classes_in(*typing.get_args(hint))
        if isinstance(hint, type) and (
            issubclass(hint, msgspec.Struct) or hasattr(hint, "_fields")
        ):
            yield hint


def parts(value: Any, seen: dict[type, Any]) -> None:
    """An example of every class that a value is made of."""
    if isinstance(value, list | tuple | set | frozenset):
        for each in value:
            parts(each, seen)
    elif isinstance(value, dict):
        for each in value.values():
            parts(each, seen)
    is_struct = isinstance(value, msgspec.Struct | BaseException) or is_dataclass(value)
    if not is_struct and not hasattr(value, "_fields"):
        return
    seen.setdefault(type(value), value)
    if isinstance(value, BaseException):
        parts(vars(value), seen)
    members = value.__struct_fields__ if isinstance(value, msgspec.Struct) else ()
    members = members or (tuple(each.name for each in fields(value)) if is_dataclass(value) else ())
    for member in members:
        parts(getattr(value, member), seen)


def caught(act: Any) -> BaseException:
    with pytest.raises(BeziqueError) as error:
        act()
    return error.value


@pytest.fixture(scope="module")
def examples() -> dict[type, Any]:
    """An example of nearly every public class."""
    seen: dict[type, Any] = {}
    for sheet in ("bezique", "zique", "six-pack-bezique", "zetema", "rubicon-bezique"):
        record = play_game(sheet, seed=3, deals=1, style="casual")
        parts([record, bezique.check(record), bezique.annotate(record)], seen)
        parts(list(bezique.replay(record))[::9], seen)
    review = bezique.review(play_game("marjolet", seed=3, deals=1, style="random"), rollouts=2)
    broken = bezique.parse(msgspec.json.encode(record))
    del broken.deals[0].events[7]
    for each in (Path(__file__).parents[2] / "samples/broken").glob("*.json"):
        parts(bezique.check(each.read_bytes()), seen)
    parts([review, bezique.check(broken), bezique.Trick(winner=0), bezique.EndDeal()], seen)
    parts(
        [
            bezique.Note(at=[0], text=""),
            bezique.Line(at=[0, 1], events=[]),
            bezique.Setup(hands=[], seat=0),
        ],
        seen,
    )
    parts(
        [bezique.Laid(meld="bezique", cards=[]), bezique.Declare(seat=0, meld="bezique", cards=[])],
        seen,
    )
    parts(
        [bezique.CarteBlanche(seat=0), bezique.Dix(seat=0, action="show"), bezique.ReviewTerms()],
        seen,
    )
    parts(
        [
            bezique.Irregular(seat=0, what="other"),
            bezique.ChanceSource(0, 0),
            bezique.MatchScores((1, 2), (3, 4)),
        ],
        seen,
    )
    parts(
        [bezique.LastStockGap("limit", "")],
        seen,
    )
    parts(
        [
            caught(lambda: bezique.parse("{}")),
            caught(lambda: Game("ziqe")),
            caught(lambda: Game("zique").end_deal()),
            caught(lambda: bezique.rulebook({})),
        ],
        seen,
    )
    return seen


def test_what_a_program_is_given_can_be_kept_copied_and_compared(examples: dict[type, Any]) -> None:
    for value in examples.values():
        for again in (pickle.loads(pickle.dumps(value)), copy(value), deepcopy(value)):
            assert type(again) is type(value)
            assert again == value
            assert str(again) == str(value)


def test_every_public_class_was_tried(examples: dict[type, Any]) -> None:
    public = {name: getattr(bezique, name) for name in bezique.__all__}
    classes = {name: each for name, each in public.items() if inspect.isclass(each)}
    missing = {name for name, each in classes.items() if each not in examples} - BEHAVE
    assert missing == set()


def test_errors_go_to_another_process_whole() -> None:
    for error, members in (
        (caught(lambda: bezique.parse("{}")), ["report"]),
        (caught(lambda: Game("ziqe")), ["code", "candidates", "pointer"]),
        (caught(lambda: Game("zique").end_deal()), ["code", "legal"]),
        (caught(lambda: bezique.rulebook({})), ["mistakes"]),
    ):
        again = pickle.loads(pickle.dumps(error))
        assert type(again) in (UnreadableRecord, RulesError, IllegalMove, SheetError)
        assert [getattr(again, name) for name in members] == [
            getattr(error, name) for name in members
        ]
        assert hash(again) == hash(error)
        assert again != caught(lambda: bezique.card("no card"))
