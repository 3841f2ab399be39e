"""The SQL of a question, and the values of a dimension that occur."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import NamedTuple

from analyzer.statistics.ask import SHEET, Ask, Filter, Value, refusal
from analyzer.statistics.catalogue import (
    Dimension,
    Grain,
    Metric,
    MetricKind,
    RowSums,
    dimensions,
    grains,
    kind_sql,
    metrics,
)
from analyzer.statistics.intervals import (
    KEY_BITS,
    IntervalKind,
    columns,
    difference_ctes,
    interval_ctes,
    sampled,
    units_join,
    using,
)
from analyzer.statistics.parts import added_sql
from analyzer.store.instance import quote_sql
from analyzer.store.store import Store

# The SQL of a question: the file of its kind, filled with expressions of its metric and dimensions.
#
# What a reader types reaches the database only as parameters; the SQL itself holds nothing but names and
# expressions from the files of the catalogue.

SQL_PARAMETER = re.compile(r"\$(\w+)")
MOST_ANSWER_ROWS = 2_000
"""The most rows an answer has."""
VALUE_FORMATS = {"month": "strftime({}, '%Y-%m')", "flag": "if({}, 'yes', 'no')"}
"""How values of some kinds of dimension are formatted."""
SELECT_KNOWN_POINTS = "SELECT game, deal FROM deals WHERE list_count(scores) = len(scores)"
"""The deals whose points the records tell; of others, some scorings may be known."""
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
        return fill_in(self.sql, self.parameters)


def fill_in(sql: str, values: Mapping[str, object]) -> str:
    """SQL with its parameters filled in, ready to be run."""
    return SQL_PARAMETER.sub(lambda found: _literal(values[found[1]]), sql)


def used_parameters(sql: str, values: Mapping[str, object]) -> dict[str, object]:
    """Those of the values that SQL has parameters for."""
    return {name: values[name] for name in set(SQL_PARAMETER.findall(sql))}


def _literal(value: object) -> str:
    match value:
        case None:
            return "NULL::VARCHAR"
        case date():
            return f"DATE '{value}'"
        case str():
            return quote_sql(value)
        case _:
            return str(value).lower()


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

    def reach(self, table: str) -> None:
        """Join a table, unless it is there already."""
        self._table((table,))

    def tables(self) -> str:
        """The FROM clause."""
        return "\n    ".join((self.grain.tables, *self.joined.values()))

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


def compose(ask: Ask, one_in: int = 1) -> Composed:
    """The SQL of a question that is not refused.

    With `one_in` above 1 the width of the intervals is taken from one match in so many, a power of two.
    """
    metric, read, places = ask.metric, _read(ask, ask.split_by), _places(ask)
    within = places[1:]
    unit_keys = within if metric.kind == "spread" else None
    units = dict[str, str]()
    if metric.per:
        unit_keys, units = _units(ask, metric.per, read.parameters, one_in)
    sql = _with_groups(ask, one_in).format(
        metric=metric.name,
        names="".join(_names(ask)),
        within="PARTITION BY second" if within else "",
        within_keys=columns(within),
        using=using(places),
        intervals=interval_ctes(
            INTERVAL_KINDS[metric.kind], places, unit_keys, alike=ask.mixes_unlike
        ),
        **dict.fromkeys(("low", "high"), "NULL") if _settled(ask) else LOW_AND_HIGH,
        order=_order(ask),
        **_parts(ask, read, one_in),
        **units,
    )
    return Composed(sql, read.parameters, _notes(ask))


def compose_differences(ask: Ask, one_in: int = 1) -> Composed:
    """The SQL of the differences between the two values of the second dimension, for a mean or a share."""
    read = _read(ask, ask.split_by)
    # Groups and matches are those of the measure itself; what follows them compares groups.
    rows, *_ = _with_groups(ask, one_in).partition("{intervals}")
    (first, *_) = ask.split_by
    sql = f"{rows}{difference_ctes(_places(ask), alike=ask.mixes_unlike)}\n{kind_sql('difference')}".format(
        names=_names(ask)[0],
        order="first" if first.ordered else "n DESC, first",
        **_parts(ask, read, one_in),
    )
    return Composed(sql, read.parameters, _notes(ask))


def count_rows(ask: Ask) -> Composed:
    """The SQL that counts the rows which a question looks at."""
    read = _read(ask, (), whole=True)
    count = f"sum({read.sums.rows})::BIGINT" if read.sums else "count(*)"
    sql = f"SELECT {count} AS n FROM {read.source.tables()}\nWHERE {read.fits}"
    return Composed(added_sql(sql), read.parameters, ())


class ReadRows(NamedTuple):
    """The rows that a question reads: those of its metric's own grain, or if there are `sums` of them, deals of players.

    Where matches need not be told apart, they may also be those with the sums of all tricks or scores. `values` are the
    SQL values of its dimensions, `fits` is the condition on the rows.
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


def _read(ask: Ask, split_by: Sequence[Dimension], *, whole: bool = False) -> ReadRows:
    """What a question reads; `whole` if it need not tell matches apart."""
    parameters = dict[str, Value]()
    sums = _sums(ask, whole=whole)
    source = GrainTables(grains()[sums.grain] if sums else ask.metric.grain)
    values = [source.column(dimension) for dimension in split_by]
    where = sums.where if sums else ask.metric.where
    return ReadRows(
        sums, source, values, fits_of(ask, source, parameters, values, where), parameters
    )


def _with_groups(ask: Ask, one_in: int) -> str:
    """The SQL of a metric's kind; where every match is looked at, groups are made of matches, not of rows again."""
    whole, grouped = ("", "matches") if one_in == 1 else (kind_sql("whole_groups"), "whole_groups")
    groups = f"{whole}\n{kind_sql('groups')}".strip().replace("{grouped}", grouped)
    return kind_sql(ask.metric.kind).replace("{groups}", groups)


def _sums(ask: Ask, *, whole: bool) -> RowSums | None:
    """The sums that answer a question, if there are any; `whole` if it need not tell matches apart."""
    used = [*ask.split_by, *(limit.dimension for limit in ask.filters)]
    for sums in ask.metric.sums:
        if (sums.whole and not whole) or (ask.every and (sums.only_clean or ask.metric.of_points)):
            continue
        if all(map(GrainTables(grains()[sums.grain]).knows, used)):
            return sums
    return None


def _parts(ask: Ask, read: ReadRows, one_in: int) -> dict[str, object]:
    """The parts that the SQL of matches and that of whole groups are made of, and what they share."""
    sheet = _sheet(ask, read.source)  # may join a table
    return {
        "sheet": sheet,
        "scale": ask.metric.scale,
        "limit": MOST_ANSWER_ROWS,
        **_counted(ask, read.sums),
        "keys": _keys(read.values, _places(ask)),
        "plain_keys": columns(_places(ask)),
        "tables": read.source.tables(),
        "fits": read.fits,
        "game": read.game,
        "sampled": _sampled(read.game, one_in),
        "sheet_again": ",\n        any_value(sheet) AS sheet" if ask.mixes_unlike else "",
        **{f"whole_{part}": text for part, text in _whole_parts(ask).items()},
    }


def _whole_parts(ask: Ask) -> dict[str, str]:
    """The parts of the SQL of whole groups, which need not tell matches apart."""
    whole, places = _read(ask, ask.split_by, whole=True), _places(ask)
    counted = _counted(ask, whole.sums)
    if whole.sums is None and any(dimension.column for dimension in ask.split_by):
        return _parts_in_two_steps(ask, counted)
    return {
        **{part: counted[part] for part in ("count", "sum", "found")},
        "keys": _keys(whole.values, places),
        "tables": whole.source.tables(),
        "fits": whole.fits,
    }


def _parts_in_two_steps(ask: Ask, counted: dict[str, str]) -> dict[str, str]:
    """The same parts where a dimension is told by a column with few values: these are grouped, then its own values.

    DuckDB groups a column of a table several times as quickly as what is computed from it.
    """
    plain = [_of_column(dimension) for dimension in ask.split_by]
    steps = ["first_step", "second_step"][: len(plain)]
    asked = replace(ask, by=plain[0], split=plain[1] if len(plain) > 1 else None)
    rows = _read(asked, plain, whole=True)
    values = [
        re.sub(r"\bit\.\w+", step, dimension.value) if dimension.column else step
        for dimension, step in zip(ask.split_by, steps, strict=True)
    ]
    keys, tables, fits = _keys(rows.values, steps), rows.source.tables(), rows.fits
    grouped = f"""(
    SELECT{keys}
        {counted["count"]} AS counted,
        {counted["sum"]} AS summed
    FROM {tables}
    WHERE {fits}
    GROUP BY ALL""".replace("\n    ", "\n        ")
    return {
        "count": "sum(counted)::BIGINT", "sum": "sum(summed)", "found": "",
        "keys": _keys(values, _places(ask)), "tables": f"{grouped}\n    )", "fits": "true",
    }  # fmt: skip


def _of_column(dimension: Dimension) -> Dimension:
    return replace(dimension, value=f"it.{dimension.column}") if dimension.column else dimension


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


def _sheet(ask: Ask, source: GrainTables) -> str:
    """The sheet of a match, where groups of several have no interval; its table is joined."""
    if not ask.mixes_unlike:
        return ""
    return f",\n        any_value({source.column(dimensions()[SHEET])}) AS sheet"


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
    values = [source.column(dimension) for dimension in known.values()]
    sheet = _sheet(ask, source)
    fits = fits_of(limited, source, parameters, values)
    game = f"{per.base}.game"
    return list(known), {
        "unit_keys": _keys(values, list(known)),
        "plain_unit_keys": columns(list(known)),
        "unit_sheet": sheet,
        "unit_tables": source.tables(),
        "unit_fits": fits,
        "unit_game": game,
        "unit_sampled": _sampled(game, one_in),
        "using_units": using(list(known)),
        "joined": units_join(list(places), list(known)),
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


def fits_of(
    ask: Ask,
    source: GrainTables,
    parameters: dict[str, Value],
    columns: Sequence[str],
    where: str = "",
) -> str:
    """The conditions of a question on the rows of a source; `where` is that of its metric."""
    grain: Grain = source.grain
    conditions = [] if ask.every or grain.clean == "true" else [grain.clean]
    if ask.every and ask.metric.of_points:
        conditions.append(f"({grain.base}.game, {grain.base}.deal) IN ({SELECT_KNOWN_POINTS})")
    conditions += [part for part in (grain.where, where) if part]
    conditions += [f"{column} IS NOT NULL" for column in columns]
    for limit in ask.filters:
        condition = condition_of(limit, source.column(limit.dimension), parameters)
        conditions += [condition, *_narrowed(grain, limit.dimension, condition)]
    return "\n        AND ".join(conditions or ["true"])


def _narrowed(grain: Grain, dimension: Dimension, condition: str) -> Iterator[str]:
    """What a condition on the matches of a player comes to for a larger table, which then skips most of its rows.

    A join alone would bring every row of it to the few matches.
    """
    if dimension.few_matches and grain.base != "seats":
        yield f"{grain.base}.game IN (SELECT game FROM seats WHERE {condition})"


def condition_of(limit: Filter, column: str, parameters: dict[str, Value]) -> str:
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


# The values of a dimension that occur, to choose from in a filter.

MOST_VALUES_LISTED = 100
CHEAP_METRICS = ("share_of_deals", "share_of_records")


def values_of(store: Store, dimension: Dimension) -> list[str]:
    """The values that occur, in their natural order or most frequent first; raises QueryTimeout."""
    metric = _metric(dimension)
    composed = compose(Ask(metric, by=dimension, every=True))
    return [
        str(row[0])
        for row in store.answer(composed.sql, composed.parameters).rows[:MOST_VALUES_LISTED]
    ]


def _metric(dimension: Dimension) -> Metric:
    """A metric that can be split by the dimension, a fast one if possible."""
    known = sorted(metrics().values(), key=lambda metric: metric.name not in CHEAP_METRICS)
    return next(metric for metric in known if not refusal(metric, dimension))
