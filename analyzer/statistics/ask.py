"""A question to Explore, read from an address, and presets: questions worth asking."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import TypeAlias
from urllib.parse import parse_qs

from analyzer.statistics.catalogue import Dimension, Metric, dimensions, metrics
from records.phrases import join_words
from records.rules.registry import ALL_SHEETS, is_sheet_key

# A question of Explore: a metric, the dimensions it is split by, its filters; and the same as an address.

Value: TypeAlias = str | int | bool | date

MOST_VALUES = 20
"""Values that one filter may name."""
LONGEST_VALUE = 200
SHEET = "sheet"
"""The dimension that tells rulebooks apart."""
NAMES_IN_SMALL_LETTERS = ("meld", "source", "role", "severity", "verdict", "trump", "kind")
"""Dimensions whose values are words of the database: small letters, joined by underscores."""
RANGE_SEPARATOR = ".."
RESERVED_NAMES = ("metric", "by", "split", "every")
"""Parameters of an address that are not filters."""


class Refused(ValueError):
    """A question that cannot be answered; the message is a sentence that says why, `parameter` what in it is wrong."""

    def __init__(self, why: str, parameter: str = "") -> None:
        super().__init__(why)
        self.parameter = parameter


@dataclass(frozen=True, slots=True)
class Filter:
    """Limits one dimension to some values, or to a range that may be open at one end."""

    dimension: Dimension
    values: tuple[Value, ...] = ()
    low: Value | None = None
    high: Value | None = None

    def texts(self) -> Iterator[str]:
        """The filter as an address writes it."""
        if self.values:
            yield from map(_as_text, self.values)
        else:
            ends = ("" if end is None else _as_text(end) for end in (self.low, self.high))
            yield RANGE_SEPARATOR.join(ends)


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to the database; `every` includes deals that are not clean."""

    metric: Metric
    by: Dimension | None = None
    split: Dimension | None = None
    filters: tuple[Filter, ...] = ()
    every: bool = False

    @property
    def split_by(self) -> tuple[Dimension, ...]:
        """The dimensions whose values make the rows."""
        return tuple(dimension for dimension in (self.by, self.split) if dimension is not None)

    @property
    def title(self) -> str:
        """The title: `Deals won by rule sheet and dealer or leader`."""
        names = " and ".join(dimension.title.lower() for dimension in self.split_by)
        return f"{self.metric.title} by {names}" if names else self.metric.title

    @property
    def mixes_sheets(self) -> bool:
        """Whether a row of the answer may rest on games of several rule sheets."""
        fixed = any(
            limit.dimension.name == SHEET and len(limit.values) == 1 for limit in self.filters
        )
        return not fixed and SHEET not in {dimension.name for dimension in self.split_by}

    @property
    def mixes_unlike(self) -> bool:
        """Whether it may rest on games of several rule sheets, although the rules tell how large the measure is."""
        return self.mixes_sheets and not self.metric.mixes

    def address(self) -> list[tuple[str, str]]:
        """The question as the pairs of a query string, always in the same order."""
        pairs = [("metric", self.metric.name)]
        pairs += [("by", self.by.name)] if self.by else []
        pairs += [("split", self.split.name)] if self.split else []
        pairs += [(limit.dimension.name, text) for limit in self.filters for text in limit.texts()]
        return pairs + ([("every", "1")] if self.every else [])


def read_ask(parameters: Mapping[str, Sequence[str]]) -> Ask:
    """The question in the parameters of an address; empty values are ignored. Raises Refused."""
    given = {name: [text for text in texts if text] for name, texts in parameters.items()}
    ask = Ask(
        metric=_metric(_only(given, "metric")),
        by=_dimension(given, "by"),
        split=_dimension(given, "split"),
        filters=tuple(_filters(given)),
        every=_only(given, "every") == "1",
    )
    if ask.by and ask.by == ask.split:
        raise Refused(
            f"“{ask.by.title}” is chosen twice: choose another second dimension.", "split"
        )
    filtered = [(limit.dimension.name, limit.dimension) for limit in ask.filters]
    for parameter, dimension in (("by", ask.by), ("split", ask.split), *filtered):
        reason = refusal(ask.metric, dimension) if dimension else ""
        if reason:
            raise Refused(reason, parameter)
    if ask.split and not ask.by:
        return Ask(ask.metric, ask.split, None, ask.filters, ask.every)
    return ask


def refusal(metric: Metric, dimension: Dimension) -> str:
    """Why a metric cannot be split or filtered by a dimension, as a sentence; empty if it can."""
    grain = metric.grain
    if dimension.of not in grain.tells:
        return (
            f"“{metric.title}” counts {grain.nouns}, and one {grain.noun} has no single value of "
            f"“{dimension.title}”."
        )
    if "option" in dimension.tables:
        return ""
    if not {*grain.has, *grain.joins} & {*dimension.tables}:
        return (
            f"“{metric.title}” counts {grain.nouns}, for which “{dimension.title}” is not stored."
        )
    return ""


def _only(given: Mapping[str, Sequence[str]], name: str) -> str:
    texts = given.get(name) or [""]
    if len(texts) > 1:
        raise Refused(f"The address has `{name}` more than once.", name)
    return texts[0]


def _metric(name: str) -> Metric:
    if name not in metrics():
        raise Refused(_unknown("metric", name, list(metrics())), "metric")
    return metrics()[name]


def _dimension(given: Mapping[str, Sequence[str]], parameter: str) -> Dimension | None:
    name = _only(given, parameter)
    if not name:
        return None
    if name not in dimensions():
        raise Refused(_unknown("dimension", name, list(dimensions())), parameter)
    return dimensions()[name]


def _unknown(noun: str, name: str, names: list[str]) -> str:
    if not name:
        return f"Choose a {noun}."
    near = get_close_matches(name, names, n=3)
    hint = f"did you mean {join_words(near, 'or')}?" if near else f"there are {', '.join(names)}."
    return f"There is no {noun} “{name[:LONGEST_VALUE]}”; {hint}"


def _filters(given: Mapping[str, Sequence[str]]) -> Iterator[Filter]:
    """Every filter, in the order of the dimensions."""
    for name in given:
        if name not in RESERVED_NAMES and name not in dimensions():
            raise Refused(_unknown("dimension", name, list(dimensions())), name)
    for name, dimension in dimensions().items():
        texts = list(dict.fromkeys(given.get(name) or []))
        if texts:
            try:
                yield read_filter(dimension, texts)
            except Refused as why:
                raise Refused(str(why), name) from why


def limit_ask(ask: Ask, **values: str | None) -> Ask:
    """The question with these dimensions limited to a value each; None sets no limit."""
    limits = [read_filter(dimensions()[name], [value]) for name, value in values.items() if value]
    order = list(dimensions())
    filters = sorted([*ask.filters, *limits], key=lambda limit: order.index(limit.dimension.name))
    return replace(ask, filters=tuple(filters))


def read_filter(dimension: Dimension, texts: Sequence[str]) -> Filter:
    """A filter from its texts: values, or one range such as `5..10`; raises Refused."""
    if len(texts) > MOST_VALUES or any(len(text) > LONGEST_VALUE for text in texts):
        raise Refused(
            f"A filter takes at most {MOST_VALUES} values of at most {LONGEST_VALUE} characters: "
            f"“{dimension.title}” has more."
        )
    if dimension.ordered and len(texts) == 1 and RANGE_SEPARATOR in texts[0]:
        low, _, high = texts[0].partition(RANGE_SEPARATOR)
        ends = [_value(dimension, end) if end else None for end in (low, high)]
        if ends == [None, None]:
            raise Refused(f"“{texts[0]}” is a range without limits.")
        return Filter(dimension, low=ends[0], high=ends[1])
    return Filter(dimension, values=tuple(_value(dimension, text) for text in texts))


def _value(dimension: Dimension, text: str) -> Value:
    try:
        match dimension.kind:
            case "number" | "steps":
                return _database_number(int(text))
            case "month":
                return date.fromisoformat(f"{text}-01")
            case "flag":
                return {"yes": True, "no": False}[text.strip().lower()]
            case _:
                return _known_name(dimension, text)
    except Refused:
        raise
    except (ValueError, KeyError):
        forms = {"month": "a month such as 2026-03", "flag": "yes or no"}
        expected = forms.get(dimension.kind, "a number, or a range such as 5..10")
        raise Refused(f"“{dimension.title}” is {expected}, not “{text}”.") from None


def _known_name(dimension: Dimension, text: str) -> str:
    """A name as the database has it, from how people write it: `Rubicon Bezique`, `four aces`.

    Raises Refused for a rulebook that does not exist. Names of players and programs are taken as they are.
    """
    if dimension.name == SHEET:
        return _sheet_id(text)
    if dimension.name in NAMES_IN_SMALL_LETTERS:
        return "_".join(text.lower().split())
    return text


def split_values(name: str, text: str) -> list[str]:
    """The values of a filter that somebody wrote with commas between them; some rulebooks have one in their name."""
    parts = [part.strip() for part in text.split(",")]
    if name != SHEET:
        return parts
    merged: list[str] = []
    for part in parts:
        if merged and _plain(f"{merged[-1]} {part}") in SHEET_IDS:
            part = f"{merged.pop()}, {part}"
        merged.append(part)
    return merged


def _sheet_id(text: str) -> str:
    """The id of the rulebook with this id or name, or the key of one that games have inside; raises Refused."""
    wanted = _plain(text)
    if is_sheet_key(text):
        return text
    if wanted in SHEET_IDS:
        return SHEET_IDS[wanted]
    names = {_plain(sheet.name): sheet.name for sheet in ALL_SHEETS}
    near = get_close_matches(wanted, list(names), n=1, cutoff=0.4)
    hint = f"did you mean “{names[near[0]]}”?" if near else "the list of rules names all."
    raise Refused(f"There is no rulebook “{text}”; {hint}")


def _plain(name: str) -> str:
    """A rulebook's name without what people leave out: capitals, commas, hyphens."""
    return " ".join(re.findall(r"\w+", name.lower()))


SHEET_IDS = {
    **{_plain(sheet.id): sheet.id for sheet in ALL_SHEETS},
    **{_plain(sheet.name): sheet.id for sheet in ALL_SHEETS},
}
"""The ids of the rulebooks by id and by name, both written plainly."""


def _database_number(number: int) -> int:
    """A number that the database can hold; raises ValueError."""
    if abs(number) > 10**9:
        raise ValueError(number)
    return number


def _as_text(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:%Y-%m}" if isinstance(value, date) else str(value)


# Presets: questions worth asking, as addresses.


@dataclass(frozen=True, slots=True)
class Preset:
    """A question with a title of its own; `mixes` says why it may take all rule sheets together, if it does."""

    title: str
    ask: Ask
    mixes: str


@cache
def presets() -> tuple[Preset, ...]:
    """Every preset, in the order of the file."""
    text = (files("analyzer") / "statistics" / "presets.toml").read_text(encoding="utf-8")
    return tuple(
        Preset(preset["title"], from_address(preset["address"]), preset.get("mixes", ""))
        for preset in tomllib.loads(text)["preset"]
    )


def from_address(address: str) -> Ask:
    """The question in a query string; raises Refused."""
    return read_ask(parse_qs(address))
