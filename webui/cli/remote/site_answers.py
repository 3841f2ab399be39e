"""`bezique --server ADDRESS stats`: the answers of a site to questions and measures."""

from typing import Any

import msgspec

from analyzer.explore.ask import Ask
from analyzer.questions import Answer, Chart, Question, QuestionFilters
from webui.cli.remote.site_client import requested_site
from webui.interface.calls.statistics import StatisticsAnswer, StatisticsList


def ask_site(asked: Ask | Question, filters: QuestionFilters | None = None) -> Answer:
    """The answer of the chosen site to a question of Explore, or to one with a fixed answer; raises Refusal."""
    site = requested_site()
    if isinstance(asked, Ask):
        data = site.get("explore", parameters=asked.address())
        return _answer(data, QuestionFilters(every=asked.every))
    filters = filters or QuestionFilters()
    parameters = {"every": "true"} if filters.every else {}
    if filters.sheet:
        parameters["sheet"] = filters.sheet
    return _answer(site.get("statistics", asked.name, parameters=parameters), filters)


def list_of_site() -> StatisticsList:
    """What the chosen site can be asked; raises Refusal."""
    return msgspec.convert(requested_site().get("statistics"), StatisticsList)


def _answer(data: Any, filters: QuestionFilters) -> Answer:
    found = msgspec.convert(data, StatisticsAnswer)
    question = Question(
        name=found.name,
        title=found.title,
        answers=found.answers,
        over=found.over,
        over_one=found.over_one,
        chart=Chart("", {}, (), frozenset()),
        unit=found.unit,
        x="",
        caveat=found.caveat,
        sql=found.sql,
    )
    return Answer(
        question=question,
        filters=filters,
        columns=tuple(found.columns),
        rows=[tuple(row) for row in found.rows],
        n=found.n,
        ms=found.ms,
        sql=found.sql,
    )
