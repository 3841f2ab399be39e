"""What can be asked for: the metrics, the dimensions, and the grains that metrics are counted in.

Each is an SQL file with a header. A metric's body is the expression it averages, counts or sums; a
dimension's body is its value, where `it` stands for the table that has it; a grain's body is the
table it is read from, its header the joins to others.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from records.rules.registry import ALL_SHEETS

CATALOGUE_HEADER_LINE = re.compile(r"^-- ([\w ]+):[ ]?(.*)\n", re.MULTILINE)

MetricKind = Literal["mean", "share", "rate", "spread"]
METRIC_KINDS: tuple[MetricKind, ...] = ("mean", "share", "rate", "spread")

OPTION_DIMENSION = "option"
"""The dimension that stands for many: one for each option that a rulebook offers."""


@dataclass(frozen=True, slots=True)
class Grain:
    """What one row is that a metric counts.

    `tells` are the things that its rows tell apart; `joins` are the tables that can be joined to it,
    `has` those that are in `tables` already; `notes` say what a join does to the count. `variant` is the
    column that names the rules, and `keys` are the columns that name a row.
    """

    name: str
    noun: str
    nouns: str
    tables: str
    base: str
    tells: frozenset[str]
    has: frozenset[str]
    joins: dict[str, str]
    notes: dict[str, str]
    clean: str
    where: str
    variant: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Metric:
    """Something that can be measured, in `unit`; `per` is the grain a rate is counted over."""

    name: str
    title: str
    asks: str
    unit: str
    grain: Grain
    kind: MetricKind
    value: str
    where: str
    per: Grain | None
    scale: str
    caveat: str


@dataclass(frozen=True, slots=True)
class Dimension:
    """Something by which deals differ: `of` is what it tells apart, `tables` are those that know it."""

    name: str
    title: str
    axis: str
    kind: Literal["category", "flag", "number", "steps", "month"]
    tables: tuple[str, ...]
    of: str
    value: str
    caveat: str

    @property
    def ordered(self) -> bool:
        """Whether its values have an order of their own."""
        return self.kind in ("number", "steps", "month")

    @property
    def option(self) -> str:
        """The option it is about, if it is one."""
        return self.name.partition(".")[2]


@cache
def grains() -> dict[str, Grain]:
    """Every grain, by name."""
    return {name: _grain(name, *_parsed(text)) for name, text in _texts("grains")}


@cache
def metrics() -> dict[str, Metric]:
    """Every metric, by name, in the order of their titles."""
    found = [read_metric(name, text) for name, text in _texts("metrics")]
    return {metric.name: metric for metric in sorted(found, key=lambda metric: metric.title)}


@cache
def dimensions() -> dict[str, Dimension]:
    """Every dimension, by name, in the order of their titles; the options come last."""
    found = [read_dimension(name, text) for name, text in _texts("dimensions")]
    (of_options,) = (dimension for dimension in found if dimension.name == OPTION_DIMENSION)
    plain = sorted(
        (dimension for dimension in found if dimension is not of_options),
        key=lambda dimension: dimension.title,
    )
    return {dimension.name: dimension for dimension in (*plain, *_options(of_options))}


@cache
def kind_sql(kind: MetricKind) -> str:
    """How the metrics of a kind are asked for: SQL with places to fill in."""
    file = files("analyzer") / "explore" / "kinds" / f"{kind}.sql"
    return file.read_text(encoding="utf-8").strip()


def read_metric(name: str, text: str) -> Metric:
    """A metric file's text; raises ValueError if its header is not complete."""
    header, value = _parsed(text)
    try:
        kind = next(kind for kind in METRIC_KINDS if kind == header["kind"])
        return Metric(
            name=name,
            title=header["title"],
            asks=header["asks"],
            unit=header["unit"],
            grain=grains()[header["grain"]],
            kind=kind,
            value=value,
            where=header.get("where", ""),
            per=grains()[header["per"]] if kind == "rate" else None,
            scale=header.get("scale", "1"),
            caveat=header["caveat"],
        )
    except (KeyError, StopIteration) as error:
        raise ValueError(f"{name}.sql: its header lacks {error or 'a known kind'}") from error


def read_dimension(name: str, text: str) -> Dimension:
    """A dimension file's text; raises ValueError if its header is not complete."""
    header, value = _parsed(text)
    try:
        return Dimension(
            name=name,
            title=header["title"],
            axis=header["axis"],
            kind=header["kind"],  # type: ignore[arg-type]  # the tests hold it to the known ones
            tables=tuple(header["tables"].split()),
            of=header["of"],
            value=value,
            caveat=header["caveat"],
        )
    except KeyError as error:
        raise ValueError(f"{name}.sql: its header lacks {error}") from error


def _options(of_options: Dimension) -> Iterable[Dimension]:
    """A dimension for each option that a rulebook offers."""
    names = sorted({option.name for sheet in ALL_SHEETS for option in sheet.options})
    for name in names:
        words = name.replace("_", " ")
        yield Dimension(
            name=f"{OPTION_DIMENSION}.{name}",
            title=f"Option: {words}",
            axis=f"option “{words}”",
            kind=of_options.kind,
            tables=of_options.tables,
            of=of_options.of,
            value=of_options.value,
            caveat=of_options.caveat,
        )


def _grain(name: str, header: dict[str, str], body: str) -> Grain:
    return Grain(
        name=name,
        noun=header["noun"],
        nouns=header["nouns"],
        tables=body,
        base=body.split()[0],
        tells=frozenset(header["tells"].split()),
        has=frozenset((body.split()[0], *header.get("has", "").split())),
        joins=_starting(header, "join "),
        notes=_starting(header, "note "),
        clean=header["clean"],
        where=header.get("where", ""),
        variant=header["variant"],
        keys=tuple(header.get("keys", "").split(", ")),
    )


def _starting(header: dict[str, str], word: str) -> dict[str, str]:
    return {name.removeprefix(word): text for name, text in header.items() if name.startswith(word)}


def _texts(folder: str) -> list[tuple[str, str]]:
    found = (files("analyzer") / "explore" / folder).iterdir()
    return sorted(
        (file.name.removesuffix(".sql"), file.read_text(encoding="utf-8"))
        for file in found
        if file.name.endswith(".sql")
    )


def _parsed(text: str) -> tuple[dict[str, str], str]:
    return dict(CATALOGUE_HEADER_LINE.findall(text)), CATALOGUE_HEADER_LINE.sub("", text).strip()
