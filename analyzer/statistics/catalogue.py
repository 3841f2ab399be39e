"""The catalogue of Explore: metrics, dimensions, and the grains that metrics count.

Each is an SQL file with a header. The body of a metric is the expression that is averaged, counted or summed;
the body of a dimension is its value, with `it` for the table that has it; the body of a grain is the table it
is read from, and its header lists the joins to other tables.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Literal

from records.rules.registry import ALL_SHEETS

CATALOGUE_HEADER_LINE = re.compile(r"^-- ([\w ]+):[ ]?(.*)\n", re.MULTILINE)

MetricKind = Literal["mean", "share", "rate", "spread"]
METRIC_KINDS: tuple[MetricKind, ...] = ("mean", "share", "rate", "spread")
KindPart = Literal["difference", "groups", "whole_groups"]
"""What metrics of several kinds have in common, in files beside them."""
WHOLE_GRAINS = {
    "trick": "trick_sums", "view": "trick_sums", "score": "score_sums", "play": "play_sums", "card": "card_sums",
}  # fmt: skip
"""The sums of a whole table, by the grain whose rows they sum."""
KIND_FILES = {"share": "mean"}
"""The kinds that have no file of their own: a share is the mean of yes and no."""

OPTION_DIMENSION = "option"
"""The file that stands for many dimensions: one for each option of the rule sheets."""


@dataclass(frozen=True, slots=True)
class Grain:
    """What one counted row is: a deal, a deal of a player, a trick.

    `tells` names the things its rows distinguish. `has` are the tables in `tables` already, `joins` those that can
    be joined, and `notes` say what such a join does to the count. `variant` is the column with the rules played,
    `keys` are the columns that identify a row.
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
class RowSums:
    """What the rows of a metric come to in the rows of `grain`: columns that were summed at loading.

    Sums by seat make a question about tricks, scores or cards ten times as quick with a million deals, and up to forty times:
    100 milliseconds of CPU time in place of 1,140. `analyzer.store.sums` says what those of whole tables bring.

    `total` sums the values, `count` says how many there are, `rows` how many rows, with or without a value. `where`
    is the condition on the rows of the grain. With `only_clean`, deals that are not clean may lack the sums. Sums that
    are `whole` do not tell matches apart.
    """

    grain: str
    whole: bool
    total: str
    count: str
    rows: str
    where: str
    only_clean: bool


@dataclass(frozen=True, slots=True)
class Metric:
    """A measure, in `unit`; `per` is the grain a rate is divided by.

    `sums` answer questions that tell apart no more than they do, those of a whole table first. Dimensions in
    `settled_by` leave nothing to chance: a deal won is won in 100 percent of the cases. What `mixes` means the same by
    every rule sheet; other values have no interval where matches by several are taken together. What is `of_points` is
    told only by deals whose points are known, though they need not be clean. `deals` says which clean deals have it, as a
    condition on `seats`; empty if that must be asked row by row. `terminal` is a sentence for whoever has the
    data folder: the command that makes what the measure counts.
    """

    name: str
    title: str
    asks: str
    unit: str
    grain: Grain
    kind: MetricKind
    value: str
    where: str
    per: Grain | None
    sums: tuple[RowSums, ...]
    scale: str
    settled_by: frozenset[str]
    mixes: bool
    of_points: bool
    deals: str
    caveat: str
    terminal: str


@dataclass(frozen=True, slots=True)
class Dimension:
    """Something by which rows differ: `of` is the thing it describes, `tables` are those that have it.

    With `few_matches`, each of its values is found in few of all matches. `column` is the one that tells it, if one with
    few values does that everywhere.
    """

    name: str
    title: str
    axis: str
    kind: Literal["category", "flag", "number", "steps", "month"]
    tables: tuple[str, ...]
    of: str
    value: str
    caveat: str
    few_matches: bool = False
    column: str = ""

    @property
    def ordered(self) -> bool:
        """Whether its values have a natural order."""
        return self.kind in ("number", "steps", "month")

    @property
    def option(self) -> str:
        """The name of the option, if the dimension is one; else empty."""
        return self.name.partition(".")[2]


@cache
def grains() -> dict[str, Grain]:
    """Every grain, by name."""
    return {name: _read_grain(name, *_split_header(text)) for name, text in _read_files("grains")}


@cache
def metrics() -> dict[str, Metric]:
    """Every metric, by name, ordered by title."""
    all_metrics = [read_metric(name, text) for name, text in _read_files("metrics")]
    return {metric.name: metric for metric in sorted(all_metrics, key=lambda metric: metric.title)}


@cache
def dimensions() -> dict[str, Dimension]:
    """Every dimension, by name, ordered by title; options come last."""
    all_dimensions = [read_dimension(name, text) for name, text in _read_files("dimensions")]
    (of_options,) = (
        dimension for dimension in all_dimensions if dimension.name == OPTION_DIMENSION
    )
    stored = sorted(
        (dimension for dimension in all_dimensions if dimension is not of_options),
        key=lambda dimension: dimension.title,
    )
    return {dimension.name: dimension for dimension in (*stored, *_options(of_options))}


@cache
def kind_sql(kind: MetricKind | KindPart) -> str:
    """The SQL for metrics of a kind, or a part of it, with places to fill in."""
    file = files("analyzer") / "statistics" / "kinds" / f"{KIND_FILES.get(kind, kind)}.sql"
    return file.read_text(encoding="utf-8").strip()


def read_metric(name: str, text: str) -> Metric:
    """A metric from the text of its file; raises ValueError if the header is incomplete."""
    header, value = _split_header(text)
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
            sums=tuple(_read_sums(header)),
            scale=header.get("scale", "100" if kind in ("share", "spread") else "1"),
            settled_by=frozenset(header.get("settled by", "").split()),
            mixes="mixes" in header,
            of_points="of points" in header,
            deals=header.get("deals", ""),
            caveat=header["caveat"],
            terminal=header.get("terminal", ""),
        )
    except (KeyError, StopIteration) as error:
        raise ValueError(f"{name}.sql: its header lacks {error or 'a known kind'}") from error


def _read_sums(header: dict[str, str]) -> Iterator[RowSums]:
    """The sums that a header names: of a whole table, and by seat.

    Columns are named as in `seats`, if the header does not name those `of tricks` apart. Of whole tables of cards it has the
    `sum of cards`, and on which rows of them it is taken.
    """
    if "sum" not in header:
        return
    only_clean = header.get("sum of") == "clean deals"
    of_seats = _sum_columns(header, "")
    whole, where = WHOLE_GRAINS[header["grain"]], header.get("sum where", "")
    if "sum of cards" in header:
        cards = f"{whole}.cards"
        yield RowSums(whole, True, header["sum of cards"], cards, cards, where, False)
        yield RowSums("seat", False, *of_seats, "", only_clean)
        return
    of_rows = _sum_columns(header, " of tricks") if "sum of tricks" in header else of_seats
    total, count, rows = (column.replace("seats.", f"{whole}.") for column in of_rows)
    yield RowSums(whole, True, total, count, rows, where.replace("seats.", f"{whole}."), only_clean)
    yield RowSums("seat", False, *of_seats, where, only_clean)


def _sum_columns(header: dict[str, str], of: str) -> tuple[str, str, str]:
    """The sum of the values, their number, and the number of rows, as the header names them."""
    count = header[f"count{of}"]
    return header[f"sum{of}"], count, header.get(f"rows{of}", count)


def read_dimension(name: str, text: str) -> Dimension:
    """A dimension from the text of its file; raises ValueError if the header is incomplete."""
    header, value = _split_header(text)
    try:
        return Dimension(
            name=name,
            title=header["title"],
            axis=header["axis"],
            kind=header["kind"],  # type: ignore[arg-type]  # a test checks every file
            tables=tuple(header["tables"].split()),
            of=header["of"],
            value=value,
            caveat=header["caveat"],
            few_matches="few matches" in header,
            column=header.get("column", ""),
        )
    except KeyError as error:
        raise ValueError(f"{name}.sql: its header lacks {error}") from error


def _options(of_options: Dimension) -> Iterable[Dimension]:
    """A dimension for each option of the rule sheets."""
    names = sorted({option.name for sheet in ALL_SHEETS for option in sheet.options})
    for name in names:
        words = name.replace("_", " ")
        yield replace(
            of_options,
            name=f"{OPTION_DIMENSION}.{name}",
            title=f"Option: {words}",
            axis=f"option “{words}”",
        )


def _read_grain(name: str, header: dict[str, str], body: str) -> Grain:
    return Grain(
        name=name,
        noun=header["noun"],
        nouns=header["nouns"],
        tables=body,
        base=body.split()[0],
        tells=frozenset(header["tells"].split()),
        has=frozenset((body.split()[0], *header.get("has", "").split())),
        joins=_with_prefix(header, "join "),
        notes=_with_prefix(header, "note "),
        clean=header["clean"],
        where=header.get("where", ""),
        variant=header["variant"],
        keys=tuple(header.get("keys", "").split(", ")),
    )


def _with_prefix(header: dict[str, str], word: str) -> dict[str, str]:
    return {name.removeprefix(word): text for name, text in header.items() if name.startswith(word)}


def _read_files(folder: str) -> list[tuple[str, str]]:
    found = (files("analyzer") / "statistics" / folder).iterdir()
    return sorted(
        (file.name.removesuffix(".sql"), file.read_text(encoding="utf-8"))
        for file in found
        if file.name.endswith(".sql")
    )


def _split_header(text: str) -> tuple[dict[str, str], str]:
    return dict(CATALOGUE_HEADER_LINE.findall(text)), CATALOGUE_HEADER_LINE.sub("", text).strip()
