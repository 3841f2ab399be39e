"""Answers of Explore: rows with intervals, the headline of each, and pages of many."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from time import perf_counter
from typing import Any, Literal

from analyzer.statistics.ask import Ask, Value, from_address, limit_ask
from analyzer.statistics.compose import (
    MOST_ANSWER_ROWS,
    Composed,
    GrainTables,
    compose,
    compose_differences,
    count_rows,
)
from analyzer.statistics.intervals import FEWEST_MATCHES, sampling_note, sampling_step
from analyzer.statistics.left_out import count_left_out
from analyzer.statistics.parts import added_sql
from analyzer.statistics.questions import Answer, Chart, Question, QuestionFilters
from analyzer.store.player_names import find_people
from analyzer.store.rulebooks import rulebook_name
from analyzer.store.store import QueryResult, Store
from records.phrases import join_words
from records.validate.codes import FINDING_CODES

# The answer: its rows, how they are drawn, what they count, and the caveats.

MEAN_INTERVAL = (
    "From low to high: the 95 % confidence interval, by Student’s t; each match counts as one draw."
)
SHARE_INTERVAL = (
    "From low to high: Wilson’s 95 % confidence interval; each match counts as one draw."
)
INTERVAL_NOTES = {
    "mean": MEAN_INTERVAL, "rate": MEAN_INTERVAL, "share": SHARE_INTERVAL, "spread": SHARE_INTERVAL,
}  # fmt: skip
NO_SHARE_INTERVAL = (
    "A value has no interval if it comes from only one match, or if all matches agree."
)
NO_MEAN_INTERVAL = f"A value has no interval if it comes from fewer than {FEWEST_MATCHES['mean']} matches, or if all matches agree."
NO_INTERVAL_NOTES = {
    "mean": NO_MEAN_INTERVAL, "rate": NO_MEAN_INTERVAL, "share": NO_SHARE_INTERVAL, "spread": NO_SHARE_INTERVAL,
}  # fmt: skip
SIGNED_METRICS = ("luck", "own_lead", "points_ahead", "skill")
"""Metrics whose values may be below zero."""
PEOPLE_DIMENSIONS = ("player", "opponent")
COUNT_SHEETS = """WITH sheets AS (  -- of each part
    SELECT DISTINCT sheet FROM games
)
SELECT count(DISTINCT sheet) FROM sheets"""
MIXED_SHEETS = (
    "Several rulebooks are taken together: groups may differ only because their rules differ. "
    "Split by rulebook, or choose one, to compare like with like."
)
NO_MIXED_INTERVAL = (
    "Where matches by several rulebooks are in one group, it has no interval: its value follows from how often each "
    "was played, which is not left to chance."
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
    ask = _with_people(store, ask)
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
        left_out=count_left_out(store, ask),
    )


def _with_people(store: Store, ask: Ask) -> Ask:
    """The question with players as lists call them, however they were written."""
    filters = [
        replace(
            limit,
            values=tuple(
                dict.fromkeys(label for text in limit.values for label in _people(store, text))
            ),
        )
        if limit.dimension.name in PEOPLE_DIMENSIONS
        else limit
        for limit in ask.filters
    ]
    return replace(ask, filters=tuple(filters))


def _people(store: Store, text: Value) -> Sequence[Value]:
    return find_people(store, str(text)) or [text]


def run_differences(store: Store, ask: Ask, answer: Answer) -> Differences | None:
    """How the two groups of each row's series differ, if the second dimension has two values; raises QueryTimeout.

    Groups of the same matches are compared within these. None for rates and distributions.
    """
    ask = _with_people(store, ask)
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
    ((sheets,),) = store.answer(COUNT_SHEETS, {}).rows
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
    counting = added_sql(f"SELECT count(*) AS n FROM {ask.metric.grain.base}")
    ((rows,),) = store.answer(counting, {}).rows
    if ask.filters and sampling_step(rows) > 1:
        counted = count_rows(ask)
        ((rows,),) = store.answer(counted.sql, counted.parameters).rows
    return sampling_step(rows)


def _caveats(
    ask: Ask, composed: Composed, result: QueryResult, one_in: int, *, mixed: bool
) -> list[str]:
    caveats = [INTERVAL_NOTES[ask.metric.kind]]
    if any(row["low"] is None for row in result.dicts()):
        caveats.append(NO_INTERVAL_NOTES[ask.metric.kind])
    caveats += [ask.metric.caveat, *composed.notes]
    if one_in > 1:
        caveats.append(sampling_note(one_in))
    used = [*ask.split_by, *(limit.dimension for limit in ask.filters)]
    caveats += dict.fromkeys(dimension.caveat for dimension in used if dimension.caveat)
    if mixed:
        caveats += [MIXED_SHEETS, *([] if ask.metric.mixes else [NO_MIXED_INTERVAL])]
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


# Overviews: the questions on the page of a player and on the page of a rule sheet.

EVERYONE_SERIES = "everyone"


@dataclass(frozen=True, slots=True)
class OverviewQuestion:
    """A question of a page; `beside` compares the player with everyone, `alike` takes one sheet only.

    `mixes` says why a question may take all sheets together.
    """

    name: str
    title: str
    ask: Ask
    beside: bool = False
    alike: bool = False
    mixes: str = ""


@cache
def overview_questions(page: Literal["player", "sheet"]) -> tuple[OverviewQuestion, ...]:
    """The questions of a page, in order."""
    text = (files("analyzer") / "statistics" / "overviews.toml").read_text(encoding="utf-8")
    return tuple(
        OverviewQuestion(ask=from_address(entry.pop("address")), **entry)
        for entry in tomllib.loads(text)[page]
    )


def compare_with_everyone(store: Store, ask: Ask, name: str) -> Answer:
    """The answer for one player and for everyone, as two series."""
    own = run_ask(store, limit_ask(ask, player=name))
    everyone = run_ask(store, ask)
    chart = replace(
        own.question.chart,
        kind=_chart_kind(own),
        series=("who",),
        flags=frozenset(own.question.chart.flags - {"histogram"}),
    )
    # The values of the first dimension that are shown: the player's, or everyone's if the player has none.
    labels = {row[0] for row in own.rows or everyone.rows}
    rows = [
        (series, *row)
        for series, answer in ((name, own), (EVERYONE_SERIES, everyone))
        for row in answer.rows
        if row[0] in labels
    ]
    question = replace(
        own.question, chart=chart, title=f"{own.question.title}: {name} and everyone"
    )
    return replace(own, question=question, columns=("who", *own.columns), rows=rows)


def _chart_kind(own: Answer) -> str:
    """The kind of chart; two histograms would hide each other, so they become lines."""
    chart = own.question.chart
    return "scatter" if "histogram" in chart.flags else chart.kind


# The headline: the answer to a stored question in a sentence with its uncertainty, from the same question asked of Explore.

FEWEST_UNITS = 20
"""Of fewer a sentence would say nothing."""
SELECT_BUSIEST_SHEET = """
    SELECT sheet FROM deals WHERE clean OR $every GROUP BY sheet ORDER BY count(*) DESC, sheet LIMIT 1
"""
SELECT_ALL_BY_PROGRAMS = """
    SELECT bool_and(kind IS NOT DISTINCT FROM 'program') FROM seats JOIN games USING (game)
    WHERE deal = 0 AND games.sheet = coalesce($sheet, games.sheet)
"""
GAME_WIDE = ("findings", "legal_records")
"""Metrics that are told of all rulebooks together."""


@dataclass(frozen=True, slots=True)
class _Group:
    """A group of the answer: written, it is its value with its interval."""

    x: str
    value: float
    low: float | None
    high: float | None

    def __str__(self) -> str:
        if self.low is None or self.high is None:
            return _number(self.value)
        return f"{_number(self.value)} ({_number(self.low)} to {_number(self.high)})"


def headline(store: Store, answer: Answer) -> str:
    """The answer in a sentence; of too few units it says that. Raises QueryTimeout."""
    if answer.n < FEWEST_UNITS:
        return (
            f"Only {answer.basis}: too few to answer this."
            if answer.n
            else "Nothing is stored that could answer this."
        )
    ask = from_address(answer.question.headline)
    of_all = ask.metric.name in GAME_WIDE
    sheet = answer.filters.sheet or (
        None if of_all else busiest_sheet(store, every=answer.filters.every)
    )
    ask = _limited(ask, sheet, answer.filters)
    found = run_ask(store, ask)
    groups = _groups(ask, found)
    if not groups:
        return "Too few of each group are stored to answer this."
    says = answer.question.says
    said = _sentence(says, groups) + (_doubt(store, ask, found) or _rivals(says, groups))
    if answer.question.besides:
        said += _besides(store, answer, sheet)
    where = _sheet_words(store, sheet, chosen=answer.filters.sheet is not None) if sheet else ""
    interval = ", with 95 % intervals" if any(group.low is not None for group in groups) else ""
    return (
        f"{where}{said[:1].lower() + said[1:] if where else said} "
        f"(From {found.basis_in_deals}{interval}.)"
    )


def _besides(store: Store, answer: Answer, sheet: str | None) -> str:
    """What a question that asks for two things tells of the second; empty where too little is known of it."""
    ask = _limited(from_address(answer.question.besides), sheet, answer.filters)
    found = run_ask(store, ask)
    groups = _groups(ask, found)
    if len(groups) < 2:
        return ""
    return f" {_sentence(answer.question.adds, groups)}{_doubt(store, ask, found)}"


NO_DIFFERENCE = " No difference can be shown: one so small may be chance."


def _doubt(store: Store, ask: Ask, found: Answer) -> str:
    """What is to be said of two groups by one sheet whose difference may be chance; empty where there is nothing to say."""
    if ask.by is None or len(found.rows) != 2 or ask.mixes_sheets:
        return ""
    # A difference is taken within the groups of a first dimension: the sheet, of which there is one.
    compared = replace(ask, by=from_address("metric=points&by=sheet").by, split=ask.by)
    differences = run_differences(store, compared, found)
    rows = [dict(zip(differences.columns, row, strict=True)) for row in differences.rows] if differences else []  # fmt: skip
    is_open = bool(rows) and all(
        row["low"] is not None and row["low"] <= 0 <= row["high"] for row in rows
    )
    return NO_DIFFERENCE if is_open else ""


MOST_RIVALS_NAMED = 3


def _rivals(says: str, groups: Sequence[_Group]) -> str:
    """Of several groups, those whose intervals reach that of the highest, if a sentence names it.

    Intervals that overlap do not show that groups are alike, only that their order is not sure.
    """
    most = max(groups, key=lambda group: group.value)
    if "{most" not in says or len(groups) < 3 or most.low is None:
        return ""
    rivals = [
        each.x
        for each in sorted(groups, key=lambda group: -group.value)
        if each is not most and each.high is not None and each.high >= most.low
    ]
    if not rivals:
        return ""
    several = len(rivals) > MOST_RIVALS_NAMED
    words = f"{len(rivals)} others" if several else join_words([f"“{each}”" for each in rivals])
    intervals = "interval" if len(rivals) == 1 else "intervals"
    reach = "reaches" if len(rivals) == 1 else "reach"
    return f" The {intervals} of {words} {reach} that of “{most.x}”, so their order may be chance."


def is_all_by_programs(store: Store, sheet: str | None = None) -> bool:
    """Whether every game, or every one by a sheet, says that all its players were programs."""
    ((every,),) = store.answer(SELECT_ALL_BY_PROGRAMS, {"sheet": sheet}).rows
    return bool(every)


def _sentence(says: str, groups: Sequence[_Group]) -> str:
    """The sentence of a question with its groups; what it would compare must be two groups that differ."""
    by_value = sorted(groups, key=lambda group: group.value)
    least, most = by_value[0], by_value[-1]
    if "{least" in says or "{last" in says:
        if len(groups) == 1:
            return f"There is only one group with enough to count, {most.x}: {most}."
        if _number(least.value) == _number(most.value):
            return f"All {len(groups)} groups are alike: {_number(most.value)}."
    return says.format(only=groups[0], first=groups[0], last=groups[-1], most=most, least=least)


def _limited(ask: Ask, sheet: str | None, filters: QuestionFilters) -> Ask:
    limited = limit_ask(ask, sheet=sheet)
    return Ask(limited.metric, limited.by, limited.split, limited.filters, filters.every)


def busiest_sheet(store: Store, *, every: bool = False) -> str | None:
    """The sheet played most; with `every`, deals with errors count too. None where there is no deal."""
    rows = store.answer(SELECT_BUSIEST_SHEET, {"every": every}).rows
    return str(rows[0][0]) if rows else None


def _sheet_words(store: Store, sheet: str, *, chosen: bool) -> str:
    name = rulebook_name(store, sheet)
    return f"In {name}: " if chosen else f"In {name}, the rulebook played most: "


def _groups(ask: Ask, found: Answer) -> Sequence[_Group]:
    """The groups with enough units, in their order."""
    value, by = ask.metric.name, ask.by.name if ask.by else ""
    return [
        _Group(_words(by, row.get(by)), row[value], _low_end(value, row["low"]), row["high"])
        for row in found.dicts()
        if row[value] is not None and row["n"] >= FEWEST_UNITS
    ]


def _low_end(metric: str, low: float | None) -> float | None:
    """The lower end of an interval, not below zero for what cannot be."""
    return low if low is None or metric in SIGNED_METRICS else max(low, 0.0)


def _words(by: str, value: Any) -> str:
    """The name of a group as a sentence has it."""
    if by == "code" and value in FINDING_CODES:
        return FINDING_CODES[value].title
    return str(value).replace("_", " ")


def _number(value: float) -> str:
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    return f"{value:,.{digits}f}"
