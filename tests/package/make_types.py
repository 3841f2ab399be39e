"""Writes the types that checkers see: `python -m tests.package.make_types`."""

from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

import bezique
from bezique import record_types
from records.cards import ALL_CARDS
from records.events import MELD_NAMES, SCORE_NAMES, NamedWords
from records.rules.registry import ALL_SHEETS
from records.validate.codes import FINDING_CODES
from records.validate.finding import Verdict

STUB = Path(bezique.__file__).with_name("record_types.pyi")
NAMES: dict[str, tuple[str, ...]] = {
    "Card": tuple(ALL_CARDS),
    "MeldName": MELD_NAMES,
    "ScoreName": SCORE_NAMES,
    "SheetId": tuple(sheet.id for sheet in ALL_SHEETS),
    "CodeName": tuple(FINDING_CODES),
    "Verdict": get_args(Verdict),
}
"""Names that a checker knows one by one."""
TEXTS_OF_NAMES = {
    ("Finding", "code"): "CodeName",
    ("FindingGroup", "code"): "CodeName",
    ("Cause", "code"): "CodeName",
    ("Rules", "id"): "SheetId",
    ("ResolvedRules", "id"): "SheetId",
}
"""Members that any text may be in a record, and one of these names in a program."""
HEAD = '''"""Made by `python -m tests.package.make_types`; never edit it."""

from typing import Any, Literal, TypeAlias

import msgspec

'''


def stub() -> str:
    """The types of every struct, and the names in them."""
    names = "".join(
        f"{name}: TypeAlias = Literal[\n" + "".join(f'    "{word}",\n' for word in words) + "]\n"
        for name, words in NAMES.items()
    )
    structs, events = [], []
    for kind in record_types.STRUCTS:
        structs.append(_struct(kind))
        if issubclass(kind, record_types.Event):
            events.append(kind.__name__)
        if kind is record_types.Irregular:
            structs.append(f"AnyEvent: TypeAlias = (\n    {' | '.join(events)}\n)\n")
    return (
        HEAD + names + "\nclass Event(msgspec.Struct, kw_only=True): ...\n\n" + "\n".join(structs)
    )


def _struct(kind: type[msgspec.Struct]) -> str:
    config = kind.__struct_config__
    base = "Event" if issubclass(kind, record_types.Event) else "msgspec.Struct"
    words = [f"{word}=True" for word in ("frozen",) if getattr(config, word)]
    # A report may be told member by member, a claim only in order: the structs say so themselves.
    if kind is not record_types.Claim:
        words.append("kw_only=True")
    hints = get_type_hints(kind, include_extras=True)
    lines = [f"class {kind.__name__}({', '.join([base, *words])}):"]
    lines += [f'    """{(kind.__doc__ or "").splitlines()[0]}"""']
    for field in msgspec.structs.fields(kind):
        written = TEXTS_OF_NAMES.get((kind.__name__, field.name)) or _written(hints[field.name])
        lines.append(f"    {field.name}: {written}{'' if field.required else ' = ...'}")
    return "\n".join(lines) + "\n"


def _written(hint: Any) -> str:
    """A type as a checker reads it."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _written(args[0])
    if isinstance(hint, NamedWords):
        return repr(hint)
    if origin is Literal:
        name = next((name for name, words in NAMES.items() if set(words) == set(args)), None)
        return (
            name or f"Literal[{', '.join(repr(word).replace(chr(39), chr(34)) for word in args)}]"
        )
    if origin in (Union, UnionType):
        if set(args) == set(get_args(record_types.AnyEvent)):
            return "AnyEvent"
        return " | ".join(_written(arg) for arg in args)
    if origin in (list, dict, tuple):
        of = ", ".join("..." if arg is Ellipsis else _written(arg) for arg in args)
        return f"{origin.__name__}[{of}]"
    if hint is NoneType:
        return "None"
    if hint is Any:
        return "Any"
    if hint is msgspec.UnsetType:
        return "msgspec.UnsetType"
    return str(hint.__name__)


if __name__ == "__main__":
    STUB.write_text(stub(), encoding="utf-8")
