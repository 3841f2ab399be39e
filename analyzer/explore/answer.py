"""A question answered: its rows, what they are over, how they are drawn, and what must be said with them."""

from time import perf_counter
from typing import Any

from analyzer.db.store import QueryResult, Store
from analyzer.explore.ask import Ask
from analyzer.explore.catalogue import Dimension
from analyzer.explore.compose import MOST_ANSWER_ROWS, Composed, GrainTables, compose
from analyzer.questions import Answer, Chart, Question, QuestionFilters

STUDENT = "From low to high: the 95 % confidence interval of the mean, by Student's t."
WILSON = "From low to high: Wilson's 95 % confidence interval."
INTERVAL_NOTES = {"mean": STUDENT, "rate": STUDENT, "share": WILSON, "spread": WILSON}
ROWS_FOR_SPREAD = 500_000
"""Rows from which a spread is known well enough."""


def run_ask(store: Store, ask: Ask) -> Answer:
    """Ask a question that is not refused; raises QueryTimeout."""
    start = perf_counter()
    one_in = _one_in(store, ask)
    composed = compose(ask, one_in)
    result = store.rows(composed.sql, composed.parameters)
    ms = (perf_counter() - start) * 1000
    return Answer(
        question=_question(ask, composed, result, one_in),
        filters=QuestionFilters(every=ask.every),
        columns=result.columns,
        rows=result.rows,
        n=_n(ask, result),
        ms=round(ms, 1),
        sql=composed.filled(),
    )


def _question(ask: Ask, composed: Composed, result: QueryResult, one_in: int) -> Question:
    metric, grain = ask.metric, ask.metric.per or ask.metric.grain
    return Question(
        name="explore",
        title=ask.title,
        answers=metric.asks,
        over=grain.nouns if grain.clean == "true" else f"clean {grain.nouns}",
        chart=_chart(ask),
        unit=metric.unit,
        x=ask.by.axis if ask.by else "",
        caveat=" ".join(_caveats(ask, composed, result, one_in)),
        sql=composed.sql,
    )


def _one_in(store: Store, ask: Ask) -> int:
    """How many games there are for each from which the spread of a rate is taken: all, unless it is of all."""
    if ask.metric.per is None or ask.filters:
        return 1
    ((rows,),) = store.rows(f"SELECT count(*) FROM {ask.metric.grain.base}").rows
    return max(1, int(rows) // ROWS_FOR_SPREAD)


def _caveats(ask: Ask, composed: Composed, result: QueryResult, one_in: int) -> list[str]:
    said = [INTERVAL_NOTES[ask.metric.kind], ask.metric.caveat, *composed.notes]
    if one_in > 1:
        said.append(
            f"How often something comes twice in a deal is taken from one game in {one_in}, for the interval."
        )
    used = [*ask.split_by, *(one.dimension for one in ask.filters)]
    said += dict.fromkeys(dimension.caveat for dimension in used if dimension.caveat)
    if len(result.rows) == MOST_ANSWER_ROWS:
        said.append(f"Only the first {MOST_ANSWER_ROWS:,} rows.")
    return said


def _chart(ask: Ask) -> Chart:
    y = ask.metric.name
    if ask.by is None:
        return Chart("none", {}, (), frozenset())
    x = ask.by.name
    columns = {"x": x, "y": y, "low": "low", "high": "high"}
    series = (ask.split.name,) if ask.split else ()
    if ask.by.ordered:
        kind = "bar" if ask.metric.kind == "spread" and not series else "scatter"
        steps = kind == "bar" and ask.by.kind != "month"
        return Chart(kind, columns, series, frozenset({"histogram"} if steps else ()))
    return Chart("bar", {**columns, "x": y, "y": x}, series, frozenset({"across"}))


def _n(ask: Ask, result: QueryResult) -> int:
    """What the rows are over, each unit counted once: what happens within one does not divide it."""
    if ask.metric.per is None:
        return sum(row["n"] for row in result.dicts())
    units = GrainTables(ask.metric.per)
    known = [_column(one) for one in ask.split_by if units.knows(one)]
    counted: dict[tuple[Any, ...], int] = {
        tuple(row[name] for name in known): row["n"] for row in result.dicts()
    }
    return sum(counted.values())


def _column(dimension: Dimension) -> str:
    return dimension.name
