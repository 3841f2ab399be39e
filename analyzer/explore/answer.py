"""Answer a question of Explore: its rows, how they are drawn, what they count, and the caveats."""

from time import perf_counter
from typing import Any

from analyzer.db.store import QueryResult, Store
from analyzer.explore.ask import Ask
from analyzer.explore.compose import MOST_ANSWER_ROWS, Composed, GrainTables, compose
from analyzer.questions import Answer, Chart, Question, QuestionFilters

STUDENT = "From low to high: the 95 % confidence interval of the mean, by Student's t."
WILSON = "From low to high: Wilson's 95 % confidence interval."
INTERVAL_NOTES = {"mean": STUDENT, "rate": STUDENT, "share": WILSON, "spread": WILSON}
ROWS_FOR_SPREAD = 500_000
"""Rows that are enough to estimate a spread."""


def run_ask(store: Store, ask: Ask) -> Answer:
    """Answer a question from `read_ask`; raises QueryTimeout."""
    start = perf_counter()
    one_in = _sampling_step(store, ask)
    composed = compose(ask, one_in)
    result = store.rows(composed.sql, composed.parameters)
    ms = (perf_counter() - start) * 1000
    return Answer(
        question=_question(ask, composed, result, one_in),
        filters=QuestionFilters(every=ask.every),
        columns=result.columns,
        rows=result.rows,
        n=_count_units(ask, result),
        ms=round(ms, 1),
        sql=composed.filled(),
    )


def _question(ask: Ask, composed: Composed, result: QueryResult, one_in: int) -> Question:
    metric, grain = ask.metric, ask.metric.per or ask.metric.grain
    clean = "" if grain.clean == "true" else "clean "
    return Question(
        name="explore",
        title=ask.title,
        answers=metric.asks,
        over=f"{clean}{grain.nouns}",
        over_one=f"{clean}{grain.noun}",
        chart=_chart(ask),
        unit=metric.unit,
        x=ask.by.axis if ask.by else "",
        caveat=" ".join(_caveats(ask, composed, result, one_in)),
        sql=composed.sql,
    )


def _sampling_step(store: Store, ask: Ask) -> int:
    """Take the spread of a rate from one game in so many: 1 with filters, more only for a large collection."""
    if ask.metric.per is None or ask.filters:
        return 1
    ((rows,),) = store.rows(f"SELECT count(*) FROM {ask.metric.grain.base}").rows
    return max(1, int(rows) // ROWS_FOR_SPREAD)


def _caveats(ask: Ask, composed: Composed, result: QueryResult, one_in: int) -> list[str]:
    caveats = [INTERVAL_NOTES[ask.metric.kind], ask.metric.caveat, *composed.notes]
    if one_in > 1:
        caveats.append(
            f"The width of the intervals is estimated from one game in {one_in}; the values come from all games."
        )
    used = [*ask.split_by, *(limit.dimension for limit in ask.filters)]
    caveats += dict.fromkeys(dimension.caveat for dimension in used if dimension.caveat)
    if len(result.rows) == MOST_ANSWER_ROWS:
        caveats.append(f"Only the first {MOST_ANSWER_ROWS:,} rows are shown.")
    return caveats


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


def _count_units(ask: Ask, result: QueryResult) -> int:
    """How many units the answer counts, each once: several rows may belong to the same unit."""
    if ask.metric.per is None:
        return sum(row["n"] for row in result.dicts())
    units = GrainTables(ask.metric.per)
    names = [dimension.name for dimension in ask.split_by if units.knows(dimension)]
    counts: dict[tuple[Any, ...], int] = {
        tuple(row[name] for name in names): row["n"] for row in result.dicts()
    }
    return sum(counts.values())
