"""`bezique stats`: the questions, and their answers from the database."""

from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal

import click
import msgspec

from analyzer.queries import Answer, Filters, Question, find, questions, run
from records.rules.registry import get
from webui.answers import as_csv, as_data
from webui.commands.folder import data_option, open_filled
from webui.commands.refusal import Refusal


@click.command()
@click.argument("name", required=False, metavar="[QUESTION]")
@data_option
@click.option("--rules", "sheet_id", metavar="ID", help="Only the games of this rulebook.")
@click.option("--every", is_flag=True, help="Count games in which a rule was broken, too.")
@click.option(
    "--format", "form", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True,
    help="A table for people, or the rows for another program.",
)  # fmt: skip
@click.option("--sql", is_flag=True, help="Print the SQL instead of what it answers.")
def stats(
    name: str | None,
    *,
    folder: Path,
    sheet_id: str | None,
    every: bool,
    form: Literal["table", "csv", "json"],
    sql: bool,
) -> None:
    """List the questions about the games, or answer one.

    \b
      bezique stats
      bezique stats points_by_source
      bezique stats meld_frequency --rules zique --format csv > melds.csv
    """
    if name is None:
        click.echo("\n".join(_every_question()))
        return
    question = find(name) or _refuse(name)
    filters = Filters(sheet=get(sheet_id).id if sheet_id else None, every=every)
    if sql:
        click.echo(question.sql)
        return
    with open_filled(folder) as store:
        answer = run(store, question, filters)
    match form:
        case "table":
            click.echo("\n".join(table(answer)))
        case "csv":
            click.echo(as_csv(answer), nl=False)
        case "json":
            click.echo(msgspec.json.encode(as_data(answer)).decode())


def _every_question() -> Iterator[str]:
    width = max(len(question.name) for question in questions())
    for question in questions():
        yield f"{click.style(f'{question.name:<{width}}', bold=True)}  {question.answers}"


def _refuse(name: str) -> Question:
    near = get_close_matches(name, [question.name for question in questions()], n=3)
    hint = f"near are {', '.join(near)}" if near else "`bezique stats` lists all"
    raise Refusal(f"There is no question {name!r}; {hint}.")


def table(answer: Answer) -> Iterator[str]:
    """An answer for people: numbers to the right, words to the left, what it is over below."""
    question = answer.question
    yield click.style(question.answers, bold=True)
    rows = [[_cell(value) for value in row] for row in answer.rows]
    widths = [max(map(len, column)) for column in zip(answer.columns, *rows, strict=True)]
    numeric = [_is_numeric([row[i] for row in answer.rows]) for i in range(len(widths))]
    for row in [list(answer.columns), *rows]:
        cells = zip(row, widths, numeric, strict=True)
        yield "  ".join(
            f"{cell:>{w}}" if right else f"{cell:<{w}}" for cell, w, right in cells
        ).rstrip()
    yield click.style(
        f"Over {answer.n:,} {answer.over}, in {answer.ms:g} ms. {question.caveat}", dim=True
    )
    if not answer.rows:
        yield "Nothing fits; `--every` counts games in which a rule was broken, too."


def _cell(value: object) -> str:
    if value is None:
        return ""
    return (
        f"{value:,}"
        if isinstance(value, int | float) and not isinstance(value, bool)
        else str(value)
    )


def _is_numeric(values: list[Any]) -> bool:
    return all(value is None or isinstance(value, int | float) for value in values)
