"""Errors in what a program takes a rulebook to say: every value of a sheet's data changed, one at a time.

They follow from the sheet, so that every sheet has them, one of one's own, too. The cases of the kit are chosen by them.
"""

import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec.structs import replace

from records.rules.complete import complete_rules
from records.rules.registry import ALL_SHEETS
from records.rules.vocabulary import (
    ChoiceOption,
    ChoiceValue,
    FieldChange,
    NumberOption,
    Option,
    RuleOptionValue,
    RuleSheet,
)

Json = Any
Way = tuple[str | int, ...]
"""The steps to a value of a sheet's rules."""
Changed = Iterator[tuple[Way, Json]]
"""Ways to values, and what may stand there by mistake."""

LEFT_OUT = {
    "name", "words", "law",
    # What follows from other members.
    "must_play", "sets", "forbids", "takes", "at_the_close", "last_card", "until", "steps",
    # What only the rule of reuse reads, whose clauses are errors of their own.
    "kind", "class", "level",
    # What is said once for all sheets, and differs only among more than two.
    "draws", "melds_by",
}  # fmt: skip
"""Members that are not changed."""
KINDS = {
    "players": "players", "partners": "players", "pack": "taking tricks", "hand": "dealing", "trumps": "trumps", "cut": "cut",
    "dix": "sevens", "carte_blanche": "carte blanche", "play": "drawing", "phases": "following", "tableau": "piles",
    "melds": "melds", "bezique_cards": "melds", "pending": "who melds", "reuse": "reuse", "bonuses": "bonuses",
    "brisques": "brisques", "match": "match",
}  # fmt: skip
SUITS_MISTAKEN = ("any", "trumps", "plain")
RANKS = "AKQJT987"
LONGEST_VALUE = 40


@dataclass(frozen=True)
class MistakenValue:
    """A program that takes one value for another: the name and kind of the error, a sentence, and the sheet as it reads it.

    With these `options` the error may show.
    """

    name: str
    kind: str
    says: str
    sheet: RuleSheet
    options: Mapping[str, RuleOptionValue] = field(default_factory=dict)


def mistaken_values(sheet: RuleSheet) -> Iterator[MistakenValue]:
    """Every error that changes one value of the sheet's rules, or what one value of an option does."""
    data = msgspec.json.decode(msgspec.json.encode(sheet))
    seen = {msgspec.json.encode(sheet.rules)}
    for way, value in _of_struct(sheet.rules, ()):
        changed = _made({**data, "rules": _replaced(data["rules"], way, value)})
        text = msgspec.json.encode(changed and changed.rules)
        if changed is None or text in seen:
            continue
        seen.add(text)
        place, old = _described(data["rules"], way)
        says = f"`{place}` is {_short(value)}, not {_short(old)}."
        kind = "points" if way[-1] == "points" else KINDS[str(way[0])]
        yield MistakenValue(f"{place}={_short(value)}", kind, says, changed)
    yield from _option_errors(sheet)


def _made(data: Json) -> RuleSheet | None:
    """The sheet that data says, with what follows from it; None if it says none."""
    try:
        sheet = msgspec.convert(data, RuleSheet, str_keys=True)
        return replace(sheet, rules=complete_rules(sheet.rules))
    except (msgspec.MsgspecError, StopIteration, LookupError, ValueError):
        return None


# -- the values of a sheet


def _of_struct(part: msgspec.Struct, way: Way) -> Changed:
    for name, (attribute, hint) in _members(type(part)).items():
        if name not in LEFT_OUT and (*way, name) != ("pack", "cards"):
            yield from _of_value(getattr(part, attribute), hint, (*way, name))


@lru_cache(maxsize=256)
def _members(kind: type[msgspec.Struct]) -> dict[str, tuple[str, Any]]:
    hints = get_type_hints(kind)
    return {
        each.encode_name: (each.name, hints[each.name]) for each in msgspec.structs.fields(kind)
    }


def _of_value(value: Any, hint: Any, way: Way) -> Changed:
    match value:
        case bool():
            yield way, not value
        case int():
            yield from ((way, other) for other in _numbers(value, hint, way[-1]))
        case Enum():
            yield from ((way, other.value) for other in type(value) if other is not value)
        case str():
            words = SUITS_MISTAKEN if way[-1] == "suit" else _words(hint)
            yield from ((way, other) for other in words if other != value)
        case msgspec.Struct():
            if type(None) in get_args(hint):
                yield way, None
            yield from _of_struct(value, way)
        case None:
            yield from ((way, other) for other in _elsewhere(way))
        case dict():
            inner = get_args(hint)[-1]
            for key, each in value.items():
                yield from _of_value(each, inner, (*way, str(key)))
        case tuple():
            yield from _of_list(value, hint, way)


def _numbers(value: int, hint: Any, name: str | int) -> list[int]:
    """The next numbers: of points by ten."""
    if words := _words(hint):
        return [other for other in words if other != value]
    step = 10 if value % 10 == 0 and name not in ("melds", "doubled_suit_below") else 1
    return [value + step, *([value - step] if value >= step else [])]


def _words(hint: Any) -> tuple[Any, ...]:
    """The words that a type allows."""
    inner = get_args(hint)
    return (
        inner
        if get_origin(hint) is Literal
        else tuple(word for each in inner for word in _words(each))
    )


def _elsewhere(way: Way) -> Iterator[Json]:
    """What may be thought to stand where this sheet has nothing: a number of melds, or what another sheet has there."""
    if way[-1] == "melds":
        yield from (0, 1, 2)
    elif way in (("dix",), ("carte_blanche",), ("cut",)):
        some = [getattr(sheet.rules, str(way[0])) for sheet in ALL_SHEETS]
        yield from (msgspec.json.decode(msgspec.json.encode(each)) for each in some if each)


def _of_list(value: tuple[Any, ...], hint: Any, way: Way) -> Changed:
    data = msgspec.json.decode(msgspec.json.encode(value))
    if way[0] == "bezique_cards":
        yield way, {"QS": ["QC", "JH"], "QC": ["QS", "JD"]}[data[0]]
        yield way, [data[0][0] + data[1][1], data[1][0] + data[0][1]]
    elif way[-1] in ("ranks", "row") and way[0] == "pack":
        yield from (
            (way, [*data[:at], *data[at : at + 2][::-1], *data[at + 2 :]])
            for at in range(len(data) - 1)
        )
    elif way[-1] in ("ranks", "courts") and len(data) == 1:
        yield from ((way, [rank]) for rank in _near(data[0]))
    else:
        yield from ((way, [*data[:at], *data[at + 1 :]]) for at in range(len(data)) if data[1:])
        if way[-1] in ("ranks", "courts"):
            yield from ((way, [*data, rank]) for rank in RANKS if rank not in data)
    for at, each in enumerate(value):
        if isinstance(each, msgspec.Struct):
            yield from _of_value(each, get_args(hint)[0], (*way, at))


def _near(rank: str) -> list[str]:
    at = RANKS.find(rank)
    return [] if at < 0 else [each for each in RANKS[max(0, at - 1) : at + 2] if each != rank]


# -- options


def _option_errors(sheet: RuleSheet) -> Iterator[MistakenValue]:
    """An option ignored at a value, done by half, taken for another value, or refused at its ends."""
    for number, option in enumerate(sheet.options):
        for name, says, changed, value in _changed_options(option):
            every = (*sheet.options[:number], changed, *sheet.options[number + 1 :])
            wrong, told = replace(sheet, options=every), f"`{option.name}` {says}"
            yield MistakenValue(
                f"{option.name}{name}", "options", told, wrong, {option.name: value}
            )


def _changed_options(option: Option) -> Iterator[tuple[str, str, Option, RuleOptionValue]]:
    """The end of a name, a sentence, the option as it is read wrongly, and the value with which that may show."""
    if isinstance(option, NumberOption):
        # Nothing is played by the number of cards, which follows from the others.
        yield (
            "-ignored",
            "changes nothing.",
            replace(option, sets=("/rules/pack/cards",)),
            option.most,
        )
        yield (
            "-least",
            f"may not be {option.least}.",
            replace(option, least=option.least + 1),
            option.least,
        )
        yield (
            "-most",
            f"may not be {option.most}.",
            replace(option, most=option.most - 1),
            option.most,
        )
        return
    for at, each in enumerate(option.values):
        word = _short(each.value)
        for changes, name, says in _changed_values(option, each):
            values = (*option.values[:at], replace(each, changes=changes), *option.values[at + 1 :])
            yield f"={word}{name}", f"as {word} {says}", replace(option, values=values), each.value


def _changed_values(
    option: ChoiceOption, each: ChoiceValue
) -> Iterator[tuple[tuple[FieldChange, ...], str, str]]:
    for other in option.values:
        if other.changes != each.changes:
            word = _short(other.value)
            yield other.changes, f"-as-{word}", f"is read as {word}."
    # A duty in full follows from its name.
    parts = [change for change in each.changes if "must_play" not in change.path]
    for part in parts[: len(parts) if parts[1:] else 0]:
        place = part.path.removeprefix("/rules/").replace("/", ".")
        yield (
            tuple(c for c in each.changes if c is not part),
            f"-without-{place}",
            f"leaves `{place}` as it is.",
        )


# -- ways


def _replaced(part: Json, way: Way, value: Json) -> Json:
    if not way:
        return value
    step, rest = way[0], way[1:]
    if isinstance(part, list):
        return [
            _replaced(each, rest, value) if at == step else each for at, each in enumerate(part)
        ]
    return {**part, step: _replaced(part[step], rest, value)}


def _described(part: Json, way: Way) -> tuple[str, Json]:
    """The way in words, with the names of melds and bonuses in place of their numbers; and what stands there."""
    names: list[str] = []
    for step in way:
        part = part[step]
        said = part.get("words", part.get("name")) if isinstance(part, dict) else None
        names.append(said.replace(" ", "-") if said and isinstance(step, int) else str(step))
    return ".".join(names), part


def _short(value: Json) -> str:
    """A value in a few characters."""
    text = json.dumps(value, separators=(",", ":")).replace('"', "")
    return (
        text
        if len(text) <= LONGEST_VALUE
        else f"{text[: LONGEST_VALUE - 8]}..{zlib.crc32(text.encode()) % 1000}"
    )
