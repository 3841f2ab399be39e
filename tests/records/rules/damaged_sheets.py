"""Published sheets damaged at random, and files of unknown content, to see that reading one always ends with a sentence."""

import json
from functools import cache
from random import Random
from typing import Any

from records.rules.registry import ALL_SHEETS, SHEETS_FOLDER

_VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 7, 13, 99, 100_000, 10**9, 10**19, 10**400, 1.5, 1e300, "", "x", "any", "same",
    "bezique", "marriage", "sequence", "S", "QS", "A", "head", "never", "/rules/hand/2", "/rules/x/-", "é\n", "x" * 5_000,
    [], {}, [[]], [{}], [None], ["A", "K"], {"": 0}, {"a/b~": {}}, [0] * 3_000, ["A"] * 3_000, {"2": 8, "x": 9},
)  # fmt: skip
_DEEP: Any = 0
for _ in range(300):
    _DEEP = [_DEEP]


def damaged_file(random: Random) -> bytes:
    """A JSON file of a sheet, whole or as changes, with one to six damages."""
    whole: dict[str, Any] = json.loads(_text(random))
    whole["base"], whole["id"] = whole["id"], "ours"
    if random.random() < 0.6:
        return _of_other_sheets(whole, random)
    del whole["base"]
    damages = random.randint(1, 6)
    if random.random() < 0.5:
        changes = [_change(whole, random) for _ in range(damages)]
        file: Any = {"base": random.choice(ALL_SHEETS).id, "id": "ours", "name": "Ours"}
        file |= {"changes": changes} | {
            name: whole[name] for name in ("options", "laws", "articles") if random.random() < 0.2
        }
        if random.random() < 0.2:
            damage(file, random)
    else:
        file = whole
        for _ in range(damages):
            damage(file, random)
    text = json.dumps(file)
    if random.random() < 0.05:
        at = random.randrange(len(text))
        text = text[:at] + random.choice(['"', "{", "]", ",", "\\ud800", "NaN", "x"]) + text[at:]
    return text.encode()


def _of_other_sheets(whole: dict[str, Any], random: Random) -> bytes:
    """A file in which some parts of the rules are what another sheet has under that name, or numbers not far from them."""
    changes = []
    for _ in range(random.randint(1, 5)):
        path = random.choice(_paths(whole["rules"], "/rules"))
        value = random.choice(_known_values()[_name(path)])
        if type(value) is int and random.random() < 0.6:
            value = random.choice([value + 1, abs(value - 1), value * 2, value * 100, 0, 1, 5])
        if isinstance(value, list) and random.random() < 0.5:
            value = random.choice([value[1:], value + value, value[::-1]])
        operation = random.choice(["replace", "replace", "replace", "add", "remove"])
        changes.append(
            {"path": path, "op": operation} | ({"value": value} if operation != "remove" else {})
        )
    base = random.choice(ALL_SHEETS).id if random.random() < 0.3 else whole["base"]
    return json.dumps({"base": base, "id": "ours", "name": "Ours", "changes": changes}).encode()


@cache
def _known_values() -> dict[str, list[Any]]:
    """What the sheets have under each name of a member."""
    values: dict[str, list[Any]] = {}
    for sheet in ALL_SHEETS:
        data = json.loads((SHEETS_FOLDER / f"{sheet.id}.json").read_bytes())
        for path in _paths(data["rules"], "/rules"):
            found = values.setdefault(_name(path), [])
            if (value := _value_at(data, path)) not in found:
                found.append(value)
    return values


def _name(path: str) -> str:
    """The member that a path leads to, or in which it is an item."""
    names = [step for step in path.split("/") if not step.isdigit()]
    return f"{names[-1]}{'/' * path.split('/')[-1].isdigit()}"


def _text(random: Random) -> bytes:
    return (SHEETS_FOLDER / f"{random.choice(ALL_SHEETS).id}.json").read_bytes()


def damage(data: Any, random: Random) -> None:
    """Put something else in the place of a value somewhere, or take it away, or repeat it."""
    holder, step = random.choice(_places(data))
    value = holder[step]
    match random.randrange(7):
        case 0:
            del holder[step]
        case 1 if isinstance(holder, list):
            holder[step:step] = [value] * random.choice([1, 2, 50])
        case 1:
            holder[random.choice(["", "x", "~/", "points"])] = value
        case 2 if type(value) is int:
            holder[step] = random.choice([value + 1, value - 1, value * 10, -value, value * 1000])
        case 3:
            other, name = random.choice(_places(data))
            holder[step] = json.loads(json.dumps(other[name]))
        case _:
            holder[step] = json.loads(json.dumps(random.choice((*_VALUES, _DEEP))))


def _change(whole: Any, random: Random) -> Any:
    paths = _paths(whole["rules"], "/rules")
    path = random.choice(paths)
    if random.random() < 0.2:
        path += random.choice(["/-", "/0", "/x", "~", "~1", "/", "/99", "/ any"])
    change: dict[str, Any] = {"path": path, "op": random.choice(["replace", "add", "remove"])}
    if change["op"] != "remove":
        values = [_value_at(whole, random.choice(paths)), random.choice((*_VALUES, _DEEP))]
        change["value"] = json.loads(json.dumps(random.choice(values)))
    if random.random() < 0.05:
        change[random.choice(["op", "path", "value", "x"])] = random.choice(_VALUES)
    return change


def _places(data: Any) -> list[tuple[Any, Any]]:
    """Every object or list with each of its names or numbers."""
    steps = list(data) if isinstance(data, dict) else range(len(data))
    found = [(data, step) for step in steps]
    for step in steps:
        if isinstance(data[step], dict | list):
            found += _places(data[step])
    return found


def _paths(data: Any, at: str) -> list[str]:
    steps = (
        list(data) if isinstance(data, dict) else range(len(data) if isinstance(data, list) else 0)
    )
    found = [f"{at}/{step}" for step in steps]
    for step in steps:
        found += _paths(data[step], f"{at}/{step}")
    return found


def _value_at(data: Any, path: str) -> Any:
    for step in path.split("/")[1:]:
        data = data[int(step)] if isinstance(data, list) else data[step]
    return data
