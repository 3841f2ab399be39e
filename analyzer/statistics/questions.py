"""The fixed questions: one SQL file each, whose header holds title, chart and caveat."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from time import perf_counter
from typing import Any

from analyzer.statistics.ask import Ask, Filter, from_address
from analyzer.statistics.catalogue import dimensions
from analyzer.statistics.compose import fill_in, used_parameters
from analyzer.statistics.intervals import (
    IntervalKind,
    columns,
    interval_ctes,
    sampled,
    sampling_note,
    sampling_step,
)
from analyzer.statistics.left_out import NOTHING_LEFT_OUT, LeftOut, count_left_out
from analyzer.statistics.parts import added_sql
from analyzer.store.store import Store
from records.phrases import pluralize

MOST_QUESTION_ROWS = 20_000
"""The most rows of an answer; only those with a row for each program could have more."""
QUESTION_HEADER_LINE = re.compile(r"^-- (\w+): (.*)$", re.MULTILINE)
QUESTION_MATCHES = re.compile(r"\{matches of (\w+) by ([\w, ]+)\}")
QUESTION_INTERVALS = re.compile(r"\{intervals of the (mean|share) of (\w+) by ([\w, ]+)\}")
"""Where the SQL of a question takes the intervals of its groups, and before them its matches, from what all intervals come from."""
COUNT_SEATS = added_sql("SELECT count(*) AS n FROM seats")
QUESTION_HEADER_FIELDS = (
    "title", "answers", "over", "chart", "unit", "x", "headline", "says", "caveat",
)  # fmt: skip

POPULATIONS = ("clean deals", "complete games", "games")
"""What an answer may be taken over."""


@dataclass(frozen=True, slots=True)
class Chart:
    """How an answer is drawn: kind of chart, the columns it uses, the columns that split it, flags."""

    kind: str
    columns: dict[str, str]
    series: tuple[str, ...]
    flags: frozenset[str]


@dataclass(frozen=True, slots=True)
class Question:
    """One query file: its name, its header and its SQL; `over_one` is one of those it is taken over.

    `headline` is the address of the same question in Explore, whose groups fill the sentence `says`. A question that asks for
    two things has a second address `besides`, of the same groups, and its sentence `adds`.
    """

    name: str
    title: str
    answers: str
    over: str
    over_one: str
    chart: Chart
    unit: str
    x: str
    caveat: str
    sql: str
    headline: str = ""
    says: str = ""
    besides: str = ""
    adds: str = ""


@dataclass(frozen=True, slots=True)
class QuestionFilters:
    """The filters of an answer; `every` includes deals that are not clean."""

    sheet: str | None = None
    every: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question: `n` counts what it is taken over, `left_out` what it is not taken over.

    `ms` is the time it took in milliseconds.
    """

    question: Question
    filters: QuestionFilters
    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    n: int
    ms: float
    sql: str = field(repr=False)
    left_out: LeftOut = NOTHING_LEFT_OUT

    @property
    def over(self) -> str:
        """What `n` counts, as the interface names it."""
        over = self.question.over
        return over.replace("clean ", "") if self.filters.every else over

    @property
    def basis(self) -> str:
        """What the answer is taken over, counted, in words for readers: `1 error-free deal`."""
        clean = "" if self.filters.every else "error-free "
        one, many = (
            words.replace("clean ", clean) for words in (self.question.over_one, self.question.over)
        )
        return pluralize(self.n, one, many)

    @property
    def full_basis(self) -> str:
        """The same in the unit of what is left out, if that is another: `20 error-free deals of players in 10 deals`."""
        counted = self.left_out.counted
        return (
            self.basis
            if counted in (0, self.n)
            else f"{self.basis} in {self.left_out.counted_words}"
        )

    @property
    def basis_in_deals(self) -> str:
        """The same for a sentence, in deals where it counts the players of each: `10 error-free deals, both players of each`."""
        counted = self.left_out.counted
        players, rest = divmod(self.n, counted or 1)
        is_by_player = self.question.over_one.endswith("deal of a player")
        if not counted or rest or players < 2 or not is_by_player or self.left_out.of != "deals":
            return self.full_basis
        clean = "" if self.filters.every else "error-free "
        who = "both" if players == 2 else f"all {players}"
        return f"{pluralize(counted, f'{clean}deal')}, {who} players of each"

    def column(self, name: str) -> list[Any]:
        """The values of one column."""
        number = self.columns.index(name)
        return [row[number] for row in self.rows]

    def dicts(self) -> list[dict[str, Any]]:
        """Every row by column name."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


@cache
def questions() -> tuple[Question, ...]:
    """Every question, ordered by title."""
    folder = files("analyzer") / "statistics" / "queries"
    found = [
        read_question(file.name.removesuffix(".sql"), file.read_text(encoding="utf-8"))
        for file in folder.iterdir()
        if file.name.endswith(".sql")
    ]
    return tuple(sorted(found, key=lambda question: question.title))


def find_question(name: str) -> Question | None:
    """The question with this name, or None."""
    return next((question for question in questions() if question.name == name), None)


def read_question(name: str, text: str) -> Question:
    """A question from the text of its file; raises ValueError if the header is incomplete."""
    header = dict(QUESTION_HEADER_LINE.findall(text))
    missing = [word for word in QUESTION_HEADER_FIELDS if word not in header]
    if missing or header["over"] not in POPULATIONS:
        raise ValueError(f"{name}.sql: its header lacks {', '.join(missing) or 'a known over'}")
    return Question(
        name=name,
        sql=_with_intervals(QUESTION_HEADER_LINE.sub("", text).strip()),
        chart=_read_chart(header.pop("chart")),
        over_one=header["over"].removesuffix("s"),
        **{word: header[word] for word in QUESTION_HEADER_FIELDS if word != "chart"},
        **{word: header[word] for word in ("besides", "adds") if word in header},
    )


def _with_intervals(sql: str) -> str:
    sql = QUESTION_MATCHES.sub(lambda found: _matches(found[1], found[2].split(", ")), sql)
    return QUESTION_INTERVALS.sub(
        lambda found: _intervals(
            "share" if found[1] == "share" else "mean", found[2], found[3].split(", ")
        ),
        sql,
    )


def _matches(value: str, keys: Sequence[str]) -> str:
    """What the matches of every group come to; it follows `rows`."""
    return f"""matches_of_{value} AS (  -- of each part
    SELECT{columns(keys)}
        game,
        sum({value})::DOUBLE AS total,
        count({value}) AS units
    FROM rows
    WHERE {sampled("game", "$one_in")}
    GROUP BY ALL
    HAVING units > 0
)"""


def _intervals(kind: IntervalKind, value: str, keys: Sequence[str]) -> str:
    """The expressions that end with the intervals of a mean or a share; they follow the matches and `groups`."""
    return f"matches AS (FROM matches_of_{value}),\n{interval_ctes(kind, keys)}"


def run_question(
    store: Store, question: Question, filters: QuestionFilters | None = None
) -> Answer:
    """Answer a question, in at most `MOST_QUESTION_ROWS` rows; raises QueryTimeout."""
    filters = filters or QuestionFilters()
    start = perf_counter()
    one_in = _sampling_step(store, question)
    values: dict[str, object] = {"sheet": filters.sheet, "every": filters.every, "one_in": one_in}
    result = store.answer(
        f"{question.sql}\nLIMIT {MOST_QUESTION_ROWS}", used_parameters(question.sql, values)
    )
    ms = (perf_counter() - start) * 1000
    left_out = count_left_out(store, question_ask(question, filters))
    notes = [sampling_note(one_in)] if one_in > 1 else []
    if len(result.rows) == MOST_QUESTION_ROWS:
        notes.append(f"Only the first {MOST_QUESTION_ROWS:,} rows are shown.")
    return Answer(
        question=replace(question, caveat=" ".join((question.caveat, *notes))),
        filters=filters,
        columns=result.columns,
        rows=result.rows,
        n=left_out.counted,
        ms=round(ms, 1),
        sql=fill_in(question.sql, values),
        left_out=left_out,
    )


def question_ask(question: Question, filters: QuestionFilters) -> Ask:
    """The same question in Explore."""
    asked = from_address(question.headline)
    sheet = (Filter(dimensions()["sheet"], (filters.sheet,)),) if filters.sheet else ()
    return replace(asked, filters=sheet, every=filters.every)


def _sampling_step(store: Store, question: Question) -> int:
    """Take the width of intervals from one match in so many."""
    if "$one_in" not in question.sql:
        return 1
    ((rows,),) = store.answer(COUNT_SEATS, {}).rows
    return sampling_step(rows)


def _read_chart(text: str) -> Chart:
    kind, *words = text.split()
    columns = dict(word.split("=", 1) for word in words if "=" in word)
    series = tuple(columns.pop("series", "").split(","))
    return Chart(kind, columns, series, frozenset(word for word in words if "=" not in word))
