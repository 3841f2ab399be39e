"""A sheet written as changes to a known one: a JSON Patch (RFC 6902) in which items of lists may be named."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from records.phrases import join_words
from records.pointers import pointer_names, pointer_step
from records.rules.registry import ALL_SHEETS, item_index, value_at
from records.rules.sheet_shape import clipped, perhaps_meant, quoted
from records.rules.sheet_text import Mistakes, SheetText

MOST_CHANGES = 500
"""A file may have so many changes; a whole sheet is shorter than that."""


@dataclass(slots=True)
class WrittenSheet:
    """A sheet as data, and where in its file each part of it was written."""

    data: dict[str, Any]
    base: bool = False
    members: frozenset[str] = frozenset()
    """What the file says beside its base and its changes."""
    first_law: int = 0
    """The laws of the base stand before those of the file."""
    origins: dict[str, str] = field(default_factory=dict)
    """By a pointer into the sheet, the pointer into the file of the value that a change has set."""
    removals: dict[str, str] = field(default_factory=dict)
    """By a pointer to what a change has taken something from, the pointer of that change."""

    def place(self, pointer: str) -> str:
        """Where in the file a part of the sheet was written; of what the base has, where that is named."""
        for origins in (self.origins, self._of_parts(pointer), self.removals):
            inner = pointer
            while inner and inner not in origins:
                inner = inner.rpartition("/")[0]
            if inner:
                return origins[inner] + pointer.removeprefix(inner)
        return self._unchanged_place(pointer) if self.base else pointer

    def _of_parts(self, pointer: str) -> dict[str, str]:
        """What the last change of a part of the rules has set in it, or taken from it."""
        changed = self.origins | self.removals if pointer.count("/") > 1 else {}
        parts = [of for at, of in changed.items() if is_within(at, pointer)]
        return {pointer: max(parts, key=_change_number)} if parts else {}

    def says(self, pointer: str) -> bool:
        """Whether the file itself says this part, or something of it; what is left of a base says nothing."""
        within = [at for at in self.origins if is_within(at, pointer) or is_within(pointer, at)]
        return bool(within) or pointer in self.removals or self._unchanged_place(pointer) != "/base"

    def _unchanged_place(self, pointer: str) -> str:
        name = pointer.partition("/")[2].partition("/")[0]
        if law := re.match("/laws/([0-9]+)", pointer):
            number = int(law[1]) - self.first_law
            return f"/laws/{number}{pointer[law.end() :]}" if number >= 0 else "/base"
        return pointer if name in self.members or not pointer else "/base"

    def set(self, pointer: str, origin: str) -> None:
        """Note what has set a part, and whatever was set in it before."""
        self.origins = {at: of for at, of in self.origins.items() if not is_within(at, pointer)}
        self.origins[pointer] = origin

    def move(self, items: str, index: int, by: int) -> None:
        """Renumber the items of a list from one on, as one is inserted there or removed."""

        def moved(pointers: dict[str, str]) -> dict[str, str]:
            return {new: of for at, of in pointers.items() if (new := _moved(at, items, index, by))}

        self.origins, self.removals = moved(self.origins), moved(self.removals)


def _change_number(origin: str) -> int:
    return int(origin.split("/")[2])


def is_within(pointer: str, part: str) -> bool:
    """Whether a pointer leads to a part or into it."""
    return f"{pointer}/".startswith(f"{part}/")


def _moved(pointer: str, items: str, index: int, by: int) -> str | None:
    """A pointer after an item of a list was inserted (`by` is 1) or removed (-1); None if it led into that item."""
    if not pointer.startswith(f"{items}/"):
        return pointer
    number, slash, rest = pointer.removeprefix(f"{items}/").partition("/")
    if not re.fullmatch("[0-9]+", number):  # there is a list now where the base has an object
        return None
    if int(number) < index:
        return pointer
    if by < 0 and int(number) == index:
        return None
    return f"{items}/{int(number) + by}{slash}{rest}"


_FROM_BASE = (
    "format", "version", "edition", "says", "rules", "options", "articles", "laws", "sources",
)  # fmt: skip


def with_base(file: SheetText) -> WrittenSheet:
    """The sheet that a base becomes by the changes of a file; raises SheetError."""
    value = dict(file.value)
    base, changes, laws = value.pop("base"), value.pop("changes", []), value.pop("laws", [])
    known = {sheet.id: sheet for sheet in ALL_SHEETS}
    if not isinstance(base, str) or base not in known:
        meant = perhaps_meant(base, known) if isinstance(base, str) else ""
        raise file.error([("/base", f"There is no rulebook {quoted(base)}{meant}.")])
    changes = changes if isinstance(changes, list) else [changes]
    if len(changes) > MOST_CHANGES:
        says = f"A file has at most {MOST_CHANGES} changes, and this one has {len(changes):,}."
        raise file.error([("/changes", says)])
    told = msgspec.json.decode(msgspec.json.encode(known[base]))
    data = {name: told[name] for name in _FROM_BASE} | value
    data["laws"] = [*told["laws"], *laws] if isinstance(laws, list) else laws
    members = frozenset([*value, *([] if isinstance(laws, list) else ["laws"])])
    written = WrittenSheet(data, base=True, members=members, first_law=len(told["laws"]))
    mistakes = list(_make_changes(written, changes, keep_options="options" in value))
    if mistakes:
        raise file.error(mistakes)
    return written


def _make_changes(written: WrittenSheet, changes: list[Any], *, keep_options: bool) -> Mistakes:
    """Make the changes, and yield what is wrong with them."""
    options = _InheritedOptions([] if keep_options else written.data["options"])
    for number, change in enumerate(changes):
        try:
            _change(written, change, f"/changes/{number}", options)
        except _WrongChange as error:
            yield f"/changes/{number}{error.member}", str(error)
    if not keep_options:
        written.data["options"] = options.left(written)


# One change.


class _WrongChange(Exception):
    """A sentence about a change, and a pointer to the member of it that is wrong; empty for the change as a whole."""

    def __init__(self, says: str, member: str = "/path") -> None:
        super().__init__(says)
        self.member = member


def _change(written: WrittenSheet, change: Any, origin: str, options: "_InheritedOptions") -> None:
    """Make one change; raises _WrongChange."""
    operation, path = _read_change(change)
    part, pointer, last = _holder(written.data, path)
    if operation == "add" and isinstance(part, list):
        step: Any = _place_to_insert(part, last, path)
        part.insert(step, change["value"])
        for each in (written, options):
            each.move(pointer, step, 1)
    else:
        added = operation == "add" and isinstance(part, dict)
        step = last if added else _step(part, last, path)
        if operation == "remove":
            del part[step]
            _note_removal(written, options, pointer, step, origin)
            return
        part[step] = change["value"]
    pointer = f"{pointer}/{pointer_step(str(step))}"
    written.set(pointer, f"{origin}/value")
    options.changed.append(pointer)


def _holder(part: Any, path: str) -> tuple[Any, str, str]:
    """What a path leads into, the pointer to that with numbers for names, and the last name of the path."""
    pointer = ""
    *way, last = pointer_names(path)
    for name in way:
        step = _step(part, name, path)
        part, pointer = part[step], f"{pointer}/{pointer_step(str(step))}"
    return part, pointer, last


def _place_to_insert(items: list[Any], name: str, path: str) -> int:
    """Before which item something is added: before a number or a name, or behind the last."""
    index = len(items) if name == "-" else item_index(name, len(items) + 1)
    return int(_step(items, name, path)) if index is None else index


def _note_removal(
    written: WrittenSheet, options: "_InheritedOptions", pointer: str, step: str | int, origin: str
) -> None:
    if isinstance(step, int):
        for each in (written, options):
            each.move(pointer, step, -1)
    else:
        gone = f"{pointer}/{pointer_step(step)}"
        written.origins = {at: of for at, of in written.origins.items() if not is_within(at, gone)}
    written.removals[pointer] = origin


def _read_change(change: Any) -> tuple[str, str]:
    """What a change does, and its path; raises _WrongChange."""
    path = change.get("path") if isinstance(change, dict) else None
    if not isinstance(change, dict) or path is None:
        raise _WrongChange('A change has a `path` such as "/rules/hand/2", and a `value`.', "")
    operation = change.get("op", "replace")
    if operation not in OPERATIONS:
        choice = join_words(OPERATIONS, "or")
        raise _WrongChange(f"The `op` of a change is {choice}, not {quoted(operation)}.", "/op")
    for name in sorted(change.keys() - {"op", "path", "value"}):
        says = f"A change has no {quoted(name)}: it has `op`, `path` and `value`."
        raise _WrongChange(says, f"/{pointer_step(name)}")
    if not isinstance(path, str) or not path.startswith("/rules/"):
        raise _WrongChange(f"A `path` begins with /rules/{_path_meant(path)}.")
    if ("value" in change) == (operation == "remove"):
        if operation == "remove":
            raise _WrongChange("A change that removes something has no `value`.", "/value")
        raise _WrongChange("A change has a `value`, unless its `op` is remove.", "")
    if re.search("~(?![01])", path):
        raise _WrongChange(f"In {quoted(path)}, ~ is written ~0, and / in a name ~1.")
    return operation, path


OPERATIONS = ("replace", "add", "remove")


def _path_meant(path: Any) -> str:
    """The path that may be meant by one without slashes, or without its beginning, as an addition to a sentence."""
    names = re.split("[./]+", path.strip("./ ")) if isinstance(path, str) else []
    names = names[1:] if names[:1] == ["rules"] else names
    meant = "/".join(["/rules", *names])
    return f" (perhaps {clipped(quoted(meant))} is meant)" if names and names[0] in _PARTS else ""


_PARTS = frozenset(msgspec.to_builtins(ALL_SHEETS[0].rules, str_keys=True))
"""The parts of the rules."""


def _step(part: Any, step: str, path: str) -> Any:
    """A member of an object; of a list, the number of the item with this number, `words` or `name`."""
    if isinstance(part, dict) and step in part:
        return step
    known: list[Any] = list(part) if isinstance(part, dict) else []
    if isinstance(part, list):
        if (index := item_index(step, len(part))) is not None:
            return index
        named = _named(part, "words", step) or _named(part, "name", step)
        if len(named) == 1:
            return named[0]
        if named:
            words = join_words([quoted(part[number].get("words")) for number in named], "or")
            raise _WrongChange(
                f"{clipped(path)} fits several: name one of them by its words, {words}."
            )
        known = [
            item.get(key) for item in part if isinstance(item, dict) for key in ("words", "name")
        ]
    meant = perhaps_meant(step, [each for each in known if isinstance(each, str)])
    raise _WrongChange(f"{clipped(path)} leads nowhere: there is no {quoted(step)}{meant}.")


def _named(items: list[Any], member: str, name: str) -> list[int]:
    return [
        number
        for number, item in enumerate(items)
        if isinstance(item, dict) and item.get(member) == name
    ]


# The options of the base: those stay that the changes have not settled.


class _InheritedOptions:
    """The options of a base, with their pointers moved along as items of lists come and go."""

    def __init__(self, options: list[dict[str, Any]]) -> None:
        self.options = options
        self.changed: list[str] = []

    def move(self, items: str, index: int, by: int) -> None:
        """Renumber the items of a list from one on, as one is inserted there or removed."""
        self.changed = [new for at in self.changed if (new := _moved(at, items, index, by))]
        self.options = [
            option
            for option in self.options
            if _with_paths(option, lambda path: _moved(path, items, index, by))
        ]

    def left(self, written: WrittenSheet) -> list[dict[str, Any]]:
        """Those of which every member is still there and no change has set one; a number takes over what was set."""
        return [option for option in self.options if self._is_open(option, written.data)]

    def _is_open(self, option: dict[str, Any], data: dict[str, Any]) -> bool:
        try:
            found = [value_at(data["rules"], path) for path in _paths(option)]
        except LookupError:
            return False
        touched = any(
            is_within(path, at) or is_within(at, path)
            for path in _paths(option)
            for at in self.changed
        )
        if not touched or option["takes"] == "choice":
            return not touched
        option["default"] = found[0]
        return type(found[0]) is int and option["least"] <= found[0] <= option["most"]


def _paths(option: dict[str, Any]) -> list[str]:
    """The pointers to all that an option may set."""
    if option["takes"] == "number":
        return list(option["sets"])
    return [change["path"] for value in option["values"] for change in value["changes"]]


def _with_paths(option: dict[str, Any], new: Callable[[str], str | None]) -> bool:
    """Write the pointers of an option anew; returns whether all of them still lead somewhere."""
    paths = [new(path) for path in _paths(option)]
    if None in paths:
        return False
    if option["takes"] == "number":
        option["sets"] = paths
    for value in option.get("values", ()):
        for change in value["changes"]:
            change["path"] = paths.pop(0)
    return True
