"""Answer a question of Explore: its rows, how they are drawn, what they count, and the caveats."""

from dataclasses import dataclass
from time import perf_counter
from typing import Any

from analyzer.db.file.query_result import QueryResult
from analyzer.db.store import Store
from analyzer.explore.ask import Ask
from analyzer.explore.compose import (
    MOST_ANSWER_ROWS,
    Composed,
    GrainTables,
    compose,
    compose_differences,
    count_rows,
)
from analyzer.intervals.interval_sql import sampling_note, sampling_step
from analyzer.questions import Answer, Chart, Question, QuestionFilters

MEAN_INTERVAL = (
    "From low to high: the 95 % confidence interval, by Student’s t; each match counts as one draw."
)
SHARE_INTERVAL = (
    "From low to high: Wilson’s 95 % confidence interval; each match counts as one draw."
)
INTERVAL_NOTES = {
    "mean": MEAN_INTERVAL, "rate": MEAN_INTERVAL, "share": SHARE_INTERVAL, "spread": SHARE_INTERVAL,
}  # fmt: skip
NO_INTERVAL = "A value has no interval if it comes from only one match, or if all matches agree."
SIGNED_METRICS = ("luck", "own_lead", "points_ahead", "skill")
"""Metrics whose values may be below zero."""
MIXED_SHEETS = (
    "Several rulebooks are taken together: groups may differ only because their rules differ. "
    "Split by rulebook, or choose one, to compare like with like."
)


@dataclass(frozen=True, slots=True)
class Differences:
    """The differences of two series: `title` says which is taken from which."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    sql: str


def run_ask(store: Store, ask: Ask) -> Answer:
    """Answer a question from `read_ask`; raises QueryTimeout."""
    start = perf_counter()
    one_in = _sampling_step(store, ask)
    composed = compose(ask, one_in)
    result = store.answer(composed.sql, composed.parameters)
    ms = (perf_counter() - start) * 1000
    return Answer(
        question=_question(ask, composed, result, one_in, mixed=_mixes_sheets(store, ask)),
        filters=QuestionFilters(every=ask.every),
        columns=result.columns,
        rows=result.rows,
        n=_count_units(ask, result),
        ms=round(ms, 1),
        sql=composed.filled(),
    )


def run_differences(store: Store, ask: Ask, answer: Answer) -> Differences | None:
    """How the two groups of each row's series differ, if the second dimension has two values; raises QueryTimeout.

    Groups of the same matches are compared within these. None for rates and distributions.
    """
    if ask.split is None or ask.metric.kind not in ("mean", "share"):
        return None
    match sorted(set(answer.column(ask.split.name))):
        case [smaller, larger]:
            composed = compose_differences(ask, _sampling_step(store, ask))
            result = store.answer(composed.sql, composed.parameters)
            title = f"{larger} less {smaller}".replace("_", " ")
            return Differences(title, result.columns, result.rows, composed.filled())
        case _:
            return None


def _mixes_sheets(store: Store, ask: Ask) -> bool:
    """Whether the answer compares groups in which several rule sheets were played."""
    if not ask.mixes_sheets:
        return False
    ((sheets,),) = store.answer("SELECT count(DISTINCT sheet) FROM games", {}).rows
    return int(sheets) > 1


def _question(
    ask: Ask, composed: Composed, result: QueryResult, one_in: int, *, mixed: bool
) -> Question:
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
        caveat=" ".join(_caveats(ask, composed, result, one_in, mixed=mixed)),
        sql=composed.sql,
    )


def _sampling_step(store: Store, ask: Ask) -> int:
    """Take the width of intervals from one match in so many: more than one only for a large collection."""
    ((rows,),) = store.answer(f"SELECT count(*) FROM {ask.metric.grain.base}", {}).rows
    if ask.filters and sampling_step(rows) > 1:
        counting = count_rows(ask)
        ((rows,),) = store.answer(counting.sql, counting.parameters).rows
    return sampling_step(rows)


def _caveats(
    ask: Ask, composed: Composed, result: QueryResult, one_in: int, *, mixed: bool
) -> list[str]:
    caveats = [INTERVAL_NOTES[ask.metric.kind]]
    if any(row["low"] is None for row in result.dicts()):
        caveats.append(NO_INTERVAL)
    caveats += [ask.metric.caveat, *composed.notes]
    if one_in > 1:
        caveats.append(sampling_note(one_in))
    used = [*ask.split_by, *(limit.dimension for limit in ask.filters)]
    caveats += dict.fromkeys(dimension.caveat for dimension in used if dimension.caveat)
    if mixed:
        caveats.append(MIXED_SHEETS)
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
    signed = {"signed"} if ask.metric.name in SIGNED_METRICS else set[str]()
    if ask.by.ordered:
        kind = "bar" if ask.metric.kind == "spread" and not series else "scatter"
        steps = {"histogram"} if kind == "bar" and ask.by.kind != "month" else set[str]()
        return Chart(kind, columns, series, frozenset(steps | signed))
    return Chart("bar", {**columns, "x": y, "y": x}, series, frozenset({"across"} | signed))


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
