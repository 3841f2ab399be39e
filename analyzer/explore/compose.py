"""Compose the SQL of a question: the file of its kind, filled with expressions of its metric and dimensions.

What a reader types reaches the database only as parameters; the SQL itself holds nothing but names and
expressions from the files of the catalogue.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from analyzer.db.sums.sampled_tables import sampled_table
from analyzer.explore.ask import Ask, Filter, Value
from analyzer.explore.catalogue import (
    WHOLE_GRAINS,
    Dimension,
    Grain,
    MetricKind,
    RowSums,
    grains,
    kind_sql,
)
from analyzer.intervals.interval_sql import (
    KEY_BITS,
    IntervalKind,
    columns,
    difference_ctes,
    interval_ctes,
    sampled,
    units_join,
    using,
)

MOST_ANSWER_ROWS = 2_000
"""The most rows an answer has."""
COMPOSED_PARAMETER = re.compile(r"\$([a-z]\w*)")
TABLE_READ = re.compile(r"(^|\bJOIN )(\w+)")
VALUE_FORMATS = {"month": "strftime({}, '%Y-%m')", "flag": "if({}, 'yes', 'no')"}
"""How values of some kinds of dimension are formatted."""
LOW_AND_HIGH = {"low": "intervals.low", "high": "intervals.high"}
INTERVAL_KINDS: dict[MetricKind, IntervalKind] = {
    "mean": "mean", "share": "share", "rate": "mean", "spread": "share",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Composed:
    """An SQL statement with its parameters; `notes` say what its joins do to the count."""

    sql: str
    parameters: dict[str, Value]
    notes: tuple[str, ...]

    def filled(self) -> str:
        """The SQL with its parameters filled in, ready to be run."""
        return COMPOSED_PARAMETER.sub(
            lambda found: sql_literal(self.parameters[found[1]]), self.sql
        )


class GrainTables:
    """The tables of a grain; others are joined when a dimension needs them."""

    def __init__(self, grain: Grain) -> None:
        self.grain = grain
        self.joined: dict[str, str] = {}

    def column(self, dimension: Dimension) -> str:
        """The SQL value of a dimension; its table is joined."""
        table = self._option(dimension) if dimension.option else self._table(dimension.tables)
        return re.sub(r"\bit\.", f"{table}.", dimension.value)

    def knows(self, dimension: Dimension) -> bool:
        """Whether the rows of the grain have a value of the dimension."""
        reached = {*self.grain.has, *self.grain.joins, *(["option"] if self.grain.variant else [])}
        return dimension.of in self.grain.tells and bool(reached & {*dimension.tables})

    def tables(self, one_in: int = 1) -> str:
        """The FROM clause; with the rows of one match in so many, where these are kept a second time."""
        return TABLE_READ.sub(
            lambda found: f"{found[1]}{_table_of_some(found[2], one_in)}",
            "\n    ".join((self.grain.tables, *self.joined.values())),
        )

    def notes(self) -> tuple[str, ...]:
        """What the joins do to the count."""
        return tuple(self.grain.notes[table] for table in self.joined if table in self.grain.notes)

    def _table(self, tables: tuple[str, ...]) -> str:
        table = next((name for name in tables if name in self.grain.has), None)
        if table is None:
            table = next(name for name in self.grain.joins if name in tables)
            self.joined[table] = self.grain.joins[table]
        return table

    def _option(self, dimension: Dimension) -> str:
        self._table((self.grain.variant.partition(".")[0],))
        name = f"option_{dimension.option}"
        values = f"SELECT variant, options ->> '$.{dimension.option}' AS value FROM variants"
        self.joined[name] = f"JOIN ({values}) AS {name} ON {name}.variant = {self.grain.variant}"
        return name


def _table_of_some(table: str, one_in: int) -> str:
    """A table as it is read for the rows of one match in so many."""
    found = sampled_table(table, one_in)
    return table if found is None else f"{found} AS {table}"


def compose(ask: Ask, one_in: int = 1, *, by_rows: bool = False) -> Composed:
    """The SQL of a question that is not refused.

    With `one_in` above 1 the width of the intervals is taken from one match in so many, a power of two. `by_rows` reads the rows of
    the metric's own grain even where sums of them would do.
    """
    metric, read = ask.metric, _read(ask, ask.split_by, by_rows=by_rows)
    whole = _read(ask, ask.split_by, by_rows=by_rows, whole=True)
    within = _places(ask)[1:]
    unit_keys = within if metric.kind == "spread" else None
    parts = dict[str, str]()
    if metric.per:
        unit_keys, parts = _units(ask, metric.per, read.parameters, one_in)
    sql = _with_groups(ask, one_in).format(
        metric=metric.name,
        **_counted(ask, read.sums),
        scale=metric.scale,
        **_groups(ask, whole),
        keys=_keys(read.values, _places(ask)),
        plain_keys=columns(_places(ask)),
        names="".join(_names(ask)),
        tables=read.source.tables(one_in),
        fits=read.fits,
        game=read.game,
        sampled=_sampled(read.game, one_in),
        within="PARTITION BY second" if within else "",
        within_keys=columns(within),
        using=using(_places(ask)),
        intervals=interval_ctes(INTERVAL_KINDS[metric.kind], _places(ask), unit_keys),
        **dict.fromkeys(("low", "high"), "NULL") if _settled(ask) else LOW_AND_HIGH,
        order=_order(ask),
        limit=MOST_ANSWER_ROWS,
        **parts,
    )
    return Composed(sql, read.parameters, _notes(ask))


def compose_differences(ask: Ask, one_in: int = 1, *, by_rows: bool = False) -> Composed:
    """The SQL of the differences between the two values of the second dimension, for a mean or a share."""
    metric, read = ask.metric, _read(ask, ask.split_by, by_rows=by_rows)
    whole = _read(ask, ask.split_by, by_rows=by_rows, whole=True)
    # Groups and matches are those of the measure itself; what follows them compares groups.
    rows, *_ = _with_groups(ask, one_in).partition("{intervals}")
    (first, *_) = ask.split_by
    sql = f"{rows}{difference_ctes(_places(ask))}\n{kind_sql('difference')}".format(
        **_counted(ask, read.sums),
        **_groups(ask, whole),
        scale=metric.scale,
        keys=_keys(read.values, _places(ask)),
        plain_keys=columns(_places(ask)),
        names=_names(ask)[0],
        tables=read.source.tables(one_in),
        fits=read.fits,
        game=read.game,
        sampled=_sampled(read.game, one_in),
        order="first" if first.ordered else "n DESC, first",
        limit=MOST_ANSWER_ROWS,
    )
    return Composed(sql, read.parameters, _notes(ask))


def count_rows(ask: Ask, *, by_rows: bool = False) -> Composed:
    """The SQL that counts the rows which a question looks at."""
    read = _read(ask, (), by_rows=by_rows, whole=True)
    count = f"coalesce(sum({read.sums.rows}), 0)::BIGINT" if read.sums else "count(*)"
    sql = f"SELECT {count} FROM {read.source.tables()}\nWHERE {read.fits}"
    return Composed(sql, read.parameters, ())


class ReadRows(NamedTuple):
    """The rows that a question reads: those of its metric's own grain, or if there are `sums` of them, deals of players.

    Where matches need not be told apart, they may also be those with the sums of all tricks or scores. `values` are the SQL values of its dimensions, `fits` is the condition on the rows.
    """

    sums: RowSums | None
    source: GrainTables
    values: list[str]
    fits: str
    parameters: dict[str, Value]

    @property
    def game(self) -> str:
        """The column with the key of the match."""
        return f"{self.source.grain.base}.game"


def _read(
    ask: Ask, split_by: Sequence[Dimension], *, by_rows: bool, whole: bool = False
) -> ReadRows:
    """What a question reads; `whole` if it need not tell matches apart."""
    parameters = dict[str, Value]()
    sums, source = None if by_rows else _sums(ask, whole=whole), GrainTables(ask.metric.grain)
    if sums is not None:
        source = GrainTables(grains()[sums.grain])
    values = [source.column(dimension) for dimension in split_by]
    where = sums.where if sums else ask.metric.where
    return ReadRows(sums, source, values, _fits(ask, source, parameters, values, where), parameters)


def _with_groups(ask: Ask, one_in: int) -> str:
    """The SQL of a metric's kind; where every match is looked at, groups are made of matches, not of rows again."""
    groups = kind_sql("groups_of_matches" if one_in == 1 else "groups_of_rows")
    return kind_sql(ask.metric.kind).replace("{groups}", groups)


def _sums(ask: Ask, *, whole: bool) -> RowSums | None:
    """The sums that answer a question, if there are any; `whole` if it need not tell matches apart."""
    used = [*ask.split_by, *(limit.dimension for limit in ask.filters)]
    for sums in ask.metric.sums:
        if (sums.whole and not whole) or (sums.only_clean and ask.every):
            continue
        if all(map(GrainTables(grains()[sums.grain]).knows, used)):
            return sums
    return None


def _groups(ask: Ask, whole: ReadRows) -> dict[str, str]:
    """Where the values of whole groups come from."""
    counted = _counted(ask, whole.sums)
    return {
        "whole_keys": _keys(whole.values, _places(ask)),
        "whole_tables": whole.source.tables(),
        "whole_fits": whole.fits,
        **{f"whole_{part}": counted[part] for part in ("count", "sum", "found")},
    }


def _counted(ask: Ask, sums: RowSums | None) -> dict[str, str]:
    """How values are counted and summed, in a group and in a match; `found` leaves out sums of nothing."""
    value = ask.metric.value
    if sums is not None:
        value, count = sums.total, f"sum({sums.count})::BIGINT"
    elif ask.metric.per:
        count = "count(*)"  # of rows, each of which has a value
    else:
        count = f"count({value})"
    return {
        "count": count,
        "sum": f"sum({value})",
        "match_sum": f"sum(({value})::DOUBLE)",
        "found": f"\n    HAVING {count} > 0" if sums else "",
    }


def _notes(ask: Ask) -> tuple[str, ...]:
    """What the joins of the metric's own grain do to the count, whichever tables are read."""
    source = GrainTables(ask.metric.grain)
    for dimension in (*ask.split_by, *(limit.dimension for limit in ask.filters)):
        source.column(dimension)
    return source.notes()


def _settled(ask: Ask) -> bool:
    """Whether nothing is left to chance: the dimensions say what the metric asks for."""
    if ask.metric.kind == "spread" and ask.by is None:
        return True
    return bool(ask.metric.settled_by & {dimension.name for dimension in ask.split_by})


def _sampled(game: str, one_in: int) -> str:
    if one_in == 1:
        return ""
    return f"\n        AND {sampled(game, one_in)}  -- keys are random numbers of {KEY_BITS} bits"


def _units(
    ask: Ask, per: Grain, parameters: dict[str, Value], one_in: int
) -> tuple[list[str], dict[str, str]]:
    """The divisor of a rate: the rows of another grain, split by the dimensions that grain has."""
    source = GrainTables(per)
    places = dict(zip(_places(ask), ask.split_by, strict=True))
    known = {place: dimension for place, dimension in places.items() if source.knows(dimension)}
    limits = tuple([limit for limit in ask.filters if source.knows(limit.dimension)])
    limited = Ask(ask.metric, filters=limits, every=ask.every)
    used = [*known.values(), *(limit.dimension for limit in limits)]
    whole = GrainTables(_whole_grain(per, used))
    game = f"{per.base}.game"
    return list(known), {
        **_unit_rows("unit", source, known, limited, parameters),
        **_unit_rows("whole_unit", whole, known, limited, parameters),
        "whole_units": f"sum({whole.grain.rows})::BIGINT" if whole.grain.rows else "count(*)",
        "unit_game": game,
        "unit_sampled": _sampled(game, one_in),
        "using_units": using(list(known)),
        "joined": units_join(list(places), list(known)),
    }


def _whole_grain(per: Grain, used: Sequence[Dimension]) -> Grain:
    """The grain with the sums of all rows of another that tells apart all that is used, if there is one; else that other."""
    for name in WHOLE_GRAINS.get(per.name, ()):
        if all(map(GrainTables(grains()[name]).knows, used)):
            return grains()[name]
    return per


def _unit_rows(
    name: str,
    source: GrainTables,
    known: dict[str, Dimension],
    limited: Ask,
    parameters: dict[str, Value],
) -> dict[str, str]:
    """The rows that a rate is divided by: their keys, their tables, and the condition on them."""
    values = [source.column(dimension) for dimension in known.values()]
    fits = _fits(limited, source, parameters, values)
    return {
        f"{name}_keys": _keys(values, list(known)),
        f"{name}_tables": source.tables(),
        f"{name}_fits": fits,
    }


def _places(ask: Ask) -> list[str]:
    return ["first", "second"][: len(ask.split_by)]


def _names(ask: Ask) -> list[str]:
    """The dimensions as columns of the answer, formatted and named."""
    return [
        f"\n    {VALUE_FORMATS.get(dimension.kind, '{}').format(place)} AS {_name(dimension)},"
        for dimension, place in zip(ask.split_by, _places(ask), strict=True)
    ]


def _keys(columns: list[str], places: list[str]) -> str:
    return "".join(
        f"\n        {column} AS {place}," for column, place in zip(columns, places, strict=True)
    )


def _fits(
    ask: Ask, source: GrainTables, parameters: dict[str, Value], columns: list[str], where: str = ""
) -> str:
    """The conditions of a question on the rows of a source; `where` is that of its metric."""
    grain: Grain = source.grain
    conditions = [] if ask.every or grain.clean == "true" else [grain.clean]
    conditions += [part for part in (grain.where, where) if part]
    conditions += [f"{column} IS NOT NULL" for column in columns]
    for limit in ask.filters:
        condition = _condition(limit, source.column(limit.dimension), parameters)
        conditions += [condition, *_narrowed(grain, limit.dimension, condition)]
    return "\n        AND ".join(conditions or ["true"])


def _narrowed(grain: Grain, dimension: Dimension, condition: str) -> Iterator[str]:
    """What a condition on the matches of a player comes to for a larger table, which then skips most of its rows.

    A join alone would bring every row of it to the few matches.
    """
    if dimension.few_matches and grain.base != "seats" and not grain.rows:
        yield f"{grain.base}.game IN (SELECT game FROM seats WHERE {condition})"


def _condition(limit: Filter, column: str, parameters: dict[str, Value]) -> str:
    """The SQL condition of a filter; its values become parameters."""
    stem = limit.dimension.name.replace(".", "_")
    if limit.values:
        names = [_parameter(parameters, f"{stem}_{n}", v) for n, v in enumerate(limit.values, 1)]
        return f"{column} IN ({', '.join(names)})"
    ends = []
    if limit.low is not None:
        ends.append(f"{column} >= {_parameter(parameters, f'{stem}_from', limit.low)}")
    if limit.high is not None:
        ends.append(f"{column} <= {_parameter(parameters, f'{stem}_to', limit.high)}")
    return " AND ".join(ends)


def _parameter(parameters: dict[str, Value], name: str, value: Value) -> str:
    parameters[name] = value
    return f"${name}"


def _order(ask: Ask) -> str:
    """The ORDER BY clause: dimensions with a natural order by it, others by size, largest first."""
    if not ask.split_by:
        return "n"
    first, *_ = ask.split_by
    count = "times" if ask.metric.per else "n"
    size = "" if first.ordered else f"sum({count}) OVER (PARTITION BY first) DESC, "
    return f"{size}{', '.join(_places(ask))}"


def _name(dimension: Dimension) -> str:
    return f'"{dimension.name}"' if dimension.option else dimension.name


def sql_literal(value: Value) -> str:
    """A value as an SQL literal."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, date):
        return f"DATE '{value}'"
    return "'" + value.replace("'", "''") + "'"
