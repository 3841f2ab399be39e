"""All rule sheets, and a sheet with options applied to it."""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any, assert_never

import msgspec

from records.errors import OptionTextError, RulesError, SheetIdTaken
from records.phrases import join_words
from records.pointers import pointer_names, pointer_step
from records.record import Rules
from records.rules.vocabulary import (
    ChoiceOption,
    FieldChange,
    NumberOption,
    Option,
    RuleOptionValue,
    RuleSheet,
    SheetRules,
)

# The laws and rulings that the sheets rest on, read from their published page.

RULINGS_PAGE = Path(__file__).parents[1] / "spec" / "rulings.md"
LAW_NUMBER_PATTERN = re.compile(r"\b(?:[CAZ]-?\d+[a-d]?|R-[A-Z0-9]+)\b")
"""The numbers of laws, rules of reuse and rulings: `C8`, `R-KIND`, `A-30a`."""

_HEADING = re.compile(r"^### (\S+)$", re.MULTILINE)
_CHAPTER = re.compile(r"^## .*", re.MULTILINE)
_MARKS = re.compile(r"\*\*|[*`]")


@dataclass(frozen=True, slots=True)
class Law:
    """One law or ruling: its number, and its paragraphs with the marks of the page (`*` and `` ` ``)."""

    number: str
    paragraphs: tuple[str, ...]

    @property
    def plain(self) -> tuple[str, ...]:
        """The paragraphs without marks."""
        return tuple(_MARKS.sub("", paragraph) for paragraph in self.paragraphs)


@cache
def read_laws() -> Mapping[str, Law]:
    """Every law and ruling by its number, in the order of the page."""
    _, *parts = _HEADING.split(RULINGS_PAGE.read_text(encoding="utf-8"))
    return {
        number: Law(number, _paragraphs(_CHAPTER.split(text)[0]))
        for number, text in zip(parts[::2], parts[1::2], strict=True)
    }


def _paragraphs(text: str) -> tuple[str, ...]:
    """The paragraphs, each on one line; an item of a list is a paragraph, with its dash."""
    parts = re.split(r"\n\s*\n|\n(?=- )", text.strip())
    return tuple(" ".join(part.split()) for part in parts)


def cited_laws(texts: Iterable[str]) -> tuple[Law, ...]:
    """The laws named in texts, each once, in the order of the page."""
    cited = {number for text in texts for number in LAW_NUMBER_PATTERN.findall(text)}
    return tuple(law for number, law in read_laws().items() if number in cited)


SHEETS_FOLDER = Path(__file__).parents[1] / "spec" / "sheets"
SHEET_ORDER = (
    "bezique", "bezique-enhanced", "polish-bezique", "rubicon-bezique", "rubicon-bezique-recommended",
    "rubicon-bezique-club", "chinese-bezique", "six-pack-bezique", "marjolet", "marjolet-oxford", "zique", "zetema",
)  # fmt: skip
"""The sheets in the order in which they are told; nothing else here knows a sheet by its id."""

_DECODER = msgspec.json.Decoder(RuleSheet)
ALL_SHEETS: tuple[RuleSheet, ...] = tuple(
    [_DECODER.decode((SHEETS_FOLDER / f"{name}.json").read_bytes()) for name in SHEET_ORDER]
)
"""The published sheets, read once as the program starts."""
SHEETS_BY_ID = {sheet.id: sheet for sheet in ALL_SHEETS}


_LONGEST_QUOTE = 80
_RULES = "/rules/"

GivenOptions = frozenset[tuple[str, type, RuleOptionValue]]
"""Options as given, with their types: `True` and `1` are equal in Python and differ in a record."""


@dataclass(frozen=True, slots=True, eq=False)
class ResolvedSheet:
    """A sheet with its options applied, and every option's value, defaults included.

    A number that is not given has the value that another option gives it: a long game has a `target` of its own.
    """

    sheet: RuleSheet
    options: Mapping[str, RuleOptionValue]

    @property
    def changed(self) -> dict[str, RuleOptionValue]:
        """The options that differ from the sheet's defaults."""
        return {
            option.name: self.options[option.name]
            for option in self.sheet.options
            if self.options[option.name] != option.default
        }


_OWN_SHEETS: dict[str, RuleSheet] = {}


def add_sheet(sheet: RuleSheet) -> None:
    """Let records of this process name a sheet of one's own; raises SheetIdTaken if another has its id."""
    require_own_id(sheet)
    require_same_sheet(sheet)
    know_sheets((*own_sheets(), sheet))


def require_same_sheet(sheet: RuleSheet) -> None:
    """Raise SheetIdTaken if this process knows another sheet of one's own by the id of this one."""
    if not _says_the_same(_OWN_SHEETS.get(sheet.id, sheet), sheet):
        raise SheetIdTaken(sheet.id, None)


def know_sheets(sheets: Iterable[RuleSheet]) -> None:
    """Let records of this process name these sheets of one's own, and no others."""
    known = dict[str, RuleSheet]()
    for sheet in sheets:
        # Melds are told apart by identity, not by what they say: what is known stays the very same.
        before = known.get(sheet.id) or _OWN_SHEETS.get(sheet.id)
        known[sheet.id] = before if before and _says_the_same(before, sheet) else sheet
    if known != _OWN_SHEETS:
        _OWN_SHEETS.clear()
        _OWN_SHEETS.update(known)
        _forget_resolved()


@contextmanager
def sheet_replaced(sheet: RuleSheet) -> Iterator[None]:
    """Within it records that name the id of a sheet are judged by this one, even if nobody could play by it."""
    before = dict(_OWN_SHEETS)
    _OWN_SHEETS[sheet.id] = sheet
    _forget_resolved()
    try:
        yield
    finally:
        _OWN_SHEETS.clear()
        _OWN_SHEETS.update(before)
        _forget_resolved()


def _forget_resolved() -> None:
    _resolve.cache_clear()
    _own_key.cache_clear()


def _says_the_same(one: RuleSheet, other: RuleSheet) -> bool:
    """Whether a record would carry the same; the English of a sheet also depends on the order of its members."""
    if one is other or msgspec.json.encode(one) == msgspec.json.encode(other):
        return True
    # What reads sheets of one's own takes long to load, and few processes need it.
    from records.rules.inner_sheet import inner_data

    return inner_data(one) == inner_data(other)


def require_own_id(sheet: RuleSheet) -> None:
    """Raise SheetIdTaken if what people type in place of the id of a published sheet is the id of this one."""
    if (published := named_sheet(sheet.id)) is not None:
        raise SheetIdTaken(sheet.id, published)


RESERVED_NAMES = frozenset((
    "bezique", "beziqueenhanced", "polishbezique", "rubiconbezique", "rubiconbeziquerecommended",
    "rubiconbeziquerecommendedscale", "rubiconbeziqueclub", "rubiconbeziqueclubrules", "chinesebezique", "sixpackbezique",
    "marjolet", "marjoletoxford", "marjoletoldertext", "zique", "zetema",
))  # fmt: skip
"""The ids and names that a sheet inside a record may not have, without what stands between words.

They are those of version 1.0 of the format and stay: one published later takes no record away.
"""


def require_id_inside(sheet: RuleSheet) -> None:
    """Raise SheetIdTaken if no record may carry a sheet with this id."""
    if _plain(sheet.id) in RESERVED_NAMES:
        require_own_id(sheet)


def named_sheet(text: str) -> str | None:
    """The id of the published sheet that people mean by its id or name, whatever their capitals and what is between words."""
    return _PLAIN_NAMES.get(_plain(text))


def _plain(text: str) -> str:
    """A name without capitals and without what stands between words."""
    return re.sub(r"[\W_]+", "", text).casefold()


_PLAIN_NAMES = {_plain(name): sheet.id for sheet in ALL_SHEETS for name in (sheet.id, sheet.name)}


def own_sheets() -> tuple[RuleSheet, ...]:
    """The sheets that were added to this process; one that works for it has to know them, too."""
    return tuple(_OWN_SHEETS.values())


def get_sheet(sheet_id: str) -> RuleSheet:
    """The sheet with this id, published or added; raises RulesError (unknown-sheet)."""
    if (found := _OWN_SHEETS.get(sheet_id) or SHEETS_BY_ID.get(sheet_id)) is not None:
        return found
    known = [*SHEETS_BY_ID, *_OWN_SHEETS]
    raise RulesError(
        "unknown-sheet",
        sheet=_quote(sheet_id),
        known=", ".join(known),
        pointer="/rules/id",
        found=_clip(sheet_id),
        candidates=_close(sheet_id, known),
    )


def unknown_rulebook(text: str, advice: str, known: Iterable[str] = ()) -> RulesError:
    """The error about what somebody names who chooses a rulebook: similar names, and where to find the others.

    `known` are the ids that may be meant besides those of this process.
    """
    ids = [*dict.fromkeys((*SHEETS_BY_ID, *_OWN_SHEETS, *known))]
    published = named_sheet(text)
    near = (published,) if published else tuple(get_close_matches(_clip(text).lower(), ids, n=3))
    meant = f"; did you mean {join_words(near, 'or')}?" if near else "."
    return RulesError(
        "unknown-sheet",
        pointer="",
        found=_clip(text),
        candidates=near,
        words=f"There is no rulebook {_quote(text)}{meant} {advice}",
    )


def resolve_sheet(
    sheet_id: str,
    edition: int | None = None,
    options: Mapping[str, RuleOptionValue] | None = None,
) -> ResolvedSheet:
    """The sheet with this id, with options; for a missing edition or option, the sheet's own value.

    Raises RulesError: unknown-sheet, unknown-edition, unknown-option, bad-option-value,
    contradictory-options. The first in that order is the one raised.
    """
    given = frozenset((name, type(value), value) for name, value in (options or {}).items())
    return _resolve(sheet_id, edition, given)


def resolve_rules(rules: Rules) -> ResolvedSheet:
    """The sheet of a record's `rules`, which may be inside; raises RulesError as `resolve_sheet` does, and bad-sheet."""
    if rules.sheet is not None:
        return _resolve_inner(_ENCODER.encode(rules))
    return resolve_sheet(rules.id, rules.edition, rules.options)


def sheet_of_rules(rules: Rules) -> RuleSheet:
    """The sheet of a record's `rules` with every option at its default; raises RulesError."""
    return resolve_rules(Rules(id=rules.id, sheet=rules.sheet)).sheet


def sheet_key(rules: Rules) -> str:
    """What tells the rulebook of a record from all others: its id, and for one's own also what it holds: `ours~0123456789ab`.

    Behind the id stand the first characters of the SHA-256 of `rules.sheet` in canonical form. A record that only names a
    sheet of one's own has the key of the one that this process knows, or the id alone.
    """
    if rules.sheet is None:
        return _own_key(rules.id) if rules.id in _OWN_SHEETS else rules.id
    return _key_of(rules.id, rules.sheet)


@lru_cache(maxsize=64)
def _own_key(sheet_id: str) -> str:
    # What reads sheets of one's own takes long to load, and few processes need it.
    from records.rules.inner_sheet import inner_data

    return _key_of(sheet_id, inner_data(_OWN_SHEETS[sheet_id]))


def _key_of(sheet_id: str, data: Mapping[str, Any]) -> str:
    content = hashlib.sha256(_ENCODER.encode(data)).hexdigest()
    return f"{sheet_id}{KEY_MARK}{content[:KEY_CHARACTERS]}"


KEY_MARK, KEY_CHARACTERS = "~", 12
"""No id has that mark."""
KEY_CHARACTERS_SHOWN = 4


def name_of_key(sheet: RuleSheet, key: str) -> str:
    """The name of the sheet with this key; two tables may use one name, so behind that of one inside stands a part of its key."""
    content = key.partition(KEY_MARK)[2]
    return f"{sheet.name} ({content[:KEY_CHARACTERS_SHOWN]})" if content else sheet.name


_OWN_KEY = re.compile(rf"[a-z-]+{KEY_MARK}[0-9a-f]{{{KEY_CHARACTERS}}}", re.ASCII)


def is_sheet_key(text: str) -> bool:
    """Whether games may be stored under this key: the id of a published sheet, or what `sheet_key` makes of one inside."""
    return text in SHEETS_BY_ID or _OWN_KEY.fullmatch(text) is not None


_ENCODER = msgspec.json.Encoder(order="deterministic")


@lru_cache(maxsize=64)
def _resolve_inner(text: bytes) -> ResolvedSheet:
    # What reads sheets of one's own takes long to load, and few records need it.
    from records.rules.inner_sheet import inner_mistakes, read_inner_sheet

    rules = msgspec.json.decode(text, type=Rules)
    sheet = read_inner_sheet(rules.sheet or {}).sheet
    for mistake in inner_mistakes(rules):
        raise RulesError("bad-sheet", pointer=mistake.pointer, found="", says=mistake.says)
    assert sheet is not None
    _check_edition(sheet, rules.edition)
    return apply_options(sheet, rules.options)


@lru_cache(maxsize=512, typed=True)
def _resolve(sheet_id: str, edition: int | None, given: GivenOptions) -> ResolvedSheet:
    sheet = get_sheet(sheet_id)
    _check_edition(sheet, edition)
    return apply_options(sheet, {name: value for name, _, value in given})


def apply_options(sheet: RuleSheet, given: Mapping[str, RuleOptionValue]) -> ResolvedSheet:
    """A sheet with these options; raises RulesError as `resolve_sheet` does."""
    for name in sorted(given):
        _check_known(sheet, name)
    for option in sheet.options:
        _check_value(option, given.get(option.name, option.default))
    values = {option.name: given.get(option.name, option.default) for option in sheet.options}
    changes = {
        option.name: changes_of(option, values[option.name])
        for option in sheet.options
        if option.name in given
    }
    _check_agreement(changes, values)
    sheet = _with(sheet, [change for each in changes.values() for change in each])
    for option in sheet.options:
        if isinstance(option, NumberOption) and option.name not in given:
            values[option.name] = value_at(_as_data(sheet.rules), option.sets[0])
    return ResolvedSheet(sheet, values)


def changes_of(option: Option, value: RuleOptionValue) -> tuple[FieldChange, ...]:
    """What a permitted value of an option sets if it is given; a number sets its members also by default."""
    match option:
        case ChoiceOption():
            return next(each.changes for each in option.values if _same(each.value, value))
        case NumberOption():
            return tuple([FieldChange("replace", path, value) for path in option.sets])
        case _:
            assert_never(option)


def permits(option: Option, value: RuleOptionValue) -> bool:
    """Whether a value is one that the option may take; `true` is not 1."""
    match option:
        case ChoiceOption():
            return any(_same(known, value) for known in option.permitted)
        case NumberOption():
            return type(value) is int and option.least <= value <= option.most
        case _:
            assert_never(option)


def read_options(sheet: RuleSheet, texts: Iterable[str]) -> dict[str, RuleOptionValue]:
    """Options written as texts, `hand_size=9` or `dix=true`; raises RulesError, and OptionTextError."""
    values: dict[str, RuleOptionValue] = {}
    for text in texts:
        name, equals, written = text.partition("=")
        option = _check_known(sheet, name)
        if not equals:
            example = json.dumps(option.default).strip('"')
            raise OptionTextError("no-value", name=name, example=example)
        if name in values:
            raise OptionTextError("twice", name=name)
        values[name] = _read_value(option, written)
    return values


def _read_value(option: Option, text: str) -> RuleOptionValue:
    values: list[RuleOptionValue] = [text, {"true": True, "false": False}.get(text, text)]
    if text.isascii() and text.isdigit() and len(text) <= 9:
        values.append(int(text))
    return next((value for value in values if permits(option, value)), text)


def _check_edition(sheet: RuleSheet, edition: int | None) -> None:
    if edition is None or edition == sheet.edition:
        return
    raise RulesError(
        "unknown-edition",
        sheet=sheet.id,
        edition=edition,
        known=sheet.edition,
        pointer="/rules/edition",
        found=str(edition),
        candidates=(str(sheet.edition),),
    )


def _check_known(sheet: RuleSheet, name: str) -> Option:
    for option in sheet.options:
        if option.name == name:
            return option
    known = [option.name for option in sheet.options]
    raise RulesError(
        "unknown-option",
        sheet=sheet.id,
        option=_quote(name),
        known=", ".join(known),
        pointer=_pointer(name),
        found=_clip(name),
        candidates=_close(name, known),
    )


def _check_value(option: Option, value: RuleOptionValue) -> None:
    if permits(option, value):
        return
    match option:
        case ChoiceOption():
            candidates = tuple(_quote(known) for known in option.permitted)
            may_be = join_words(candidates, "or")
        case NumberOption():
            candidates = (str(option.default),)
            may_be = f"a whole number from {option.least} to {option.most}"
        case _:
            assert_never(option)
    raise RulesError(
        "bad-option-value",
        option=option.name,
        allowed=may_be,
        pointer=_pointer(option.name),
        found=_quote(value),
        candidates=candidates,
    )


def _check_agreement(
    changes: Mapping[str, Iterable[FieldChange]], values: Mapping[str, RuleOptionValue]
) -> None:
    """Refuse two options that set one member to different values, or a member and a part of it: others agree."""
    for (first, its_changes), (second, other_changes) in combinations(changes.items(), 2):
        for one, other in ((a, b) for a in its_changes for b in other_changes):
            if _overlap(one.path, other.path) and one != other:
                raise RulesError(
                    "contradictory-options",
                    first=first,
                    value=_quote(values[first]),
                    second=second,
                    field=min(one.path, other.path, key=len).removeprefix(_RULES).replace("/", "."),
                    pointer=_pointer(second),
                    found=_quote(values[second]),
                    candidates=(first, second),
                )


def _overlap(path: str, other: str) -> bool:
    return f"{path}/".startswith(f"{other}/") or f"{other}/".startswith(f"{path}/")


def _with(sheet: RuleSheet, changes: Iterable[FieldChange]) -> RuleSheet:
    """The sheet with members of its rules replaced; those that no change names stay the very same."""
    told: dict[str, Any] = {}
    for change in changes:
        _, name, *way = pointer_names(change.path)
        if name not in told:
            told[name] = _as_data(getattr(sheet.rules, _MEMBERS[name].name))
        told[name] = _replaced(told[name], way, change.value)
    if not told:
        return sheet
    changed = {
        _MEMBERS[name].name: msgspec.convert(value, _MEMBERS[name].type, str_keys=True)
        for name, value in told.items()
    }
    rules = msgspec.structs.replace(sheet.rules, **changed)
    articles = tuple([article.citing(rules) for article in sheet.articles])
    return msgspec.structs.replace(sheet, rules=rules, articles=articles)


_MEMBERS = {field.encode_name: field for field in msgspec.structs.fields(SheetRules)}


def _as_data(value: object) -> Any:
    """A part of a sheet as its file has it."""
    return msgspec.to_builtins(value, str_keys=True)


def _replaced(part: Any, way: list[str], value: object) -> Any:
    """A part with the value at the end of the way replaced."""
    if not way:
        return value
    step, *rest = way
    if isinstance(part, dict):
        return part | {step: _replaced(part[step], rest, value)}
    place = _item(step, part)
    return [*part[:place], _replaced(part[place], rest, value), *part[place + 1 :]]


def value_at(part: Any, path: str) -> Any:
    """What stands at a pointer in the rules; raises LookupError."""
    for step in pointer_names(path)[1:]:
        part = part[step] if isinstance(part, dict) else part[_item(step, part)]
    return part


def item_index(step: str, length: int) -> int | None:
    """The number of an item, if a step of a JSON Pointer is one of a list of this length."""
    found = re.fullmatch("0|[1-9][0-9]{0,5}", step)
    return int(step) if found and int(step) < length else None


def _item(step: str, items: Any) -> int:
    """The number of an item of a list; raises LookupError."""
    index = item_index(step, len(items)) if isinstance(items, list | tuple) else None
    if index is None:
        raise LookupError(step)
    return index


def _same(known: RuleOptionValue, value: RuleOptionValue) -> bool:
    return type(known) is type(value) and known == value


def _pointer(name: str) -> str:
    return "/rules/options/" + _clip(pointer_step(name))


def _clip(text: str) -> str:
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"


def _quote(value: RuleOptionValue) -> str:
    """A value as a record writes it."""
    return _clip(json.dumps(value, ensure_ascii=False))


def _close(found: str, known: list[str]) -> tuple[str, ...]:
    return tuple(get_close_matches(_clip(found), known, n=3, cutoff=0.5)) or tuple(known)
