"""`bezique stats`: answer questions and compute measures from the database."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, TypeAlias

import click

from webui.cli.main import (
    ProgressBar,
    Refusal,
    complete_dimensions,
    complete_questions,
    complete_sheets,
    data_option,
    open_filled,
    require_games,
    server_address,
)
from webui.cli.own_sheets import refuse_sheet_file
from webui.cli.row_table import RowFormat, explained_names, format_option, row_table

if TYPE_CHECKING:
    from analyzer.statistics.ask import Ask, Filter
    from analyzer.statistics.questions import Answer, Question, QuestionFilters
    from analyzer.store.store import Store


@click.command()
@click.argument(
    "name", required=False, metavar="[QUESTION|MEASURE]", shell_complete=complete_questions
)
@data_option
@click.option(
    "--by",
    metavar="DIMENSION",
    shell_complete=complete_dimensions,
    help="Split a measure by this dimension.",
)
@click.option(
    "--split",
    metavar="DIMENSION",
    shell_complete=complete_dimensions,
    help="Split it by a second dimension.",
)
@click.option(
    "--only", "limits", multiple=True, metavar="DIMENSION=VALUE",
    help="Filter by a value or a range such as 5..10. Repeat it for one dimension to allow several values.",
)  # fmt: skip
@click.option(
    "--rules",
    "sheet_id",
    metavar="ID",
    shell_complete=complete_sheets,
    callback=refuse_sheet_file,
    help="Only games by this rulebook.",
)
@click.option(
    "--every",
    is_flag=True,
    help="Also count deals with errors, unfinished and partly known ones, as far as their numbers are known.",
)
@click.option("--plot", "drawn", is_flag=True, help="Also draw a chart.")
@click.option(
    "--cluster", "address", metavar="ADDRESS",
    help="Answer on the Dask cluster with this scheduler, such as tcp://10.0.0.1:8786; for a lake.",
)  # fmt: skip
@format_option
@click.option("--sql", is_flag=True, help="Print the SQL instead of the answer.")
def stats(
    name: str | None,
    *,
    folder: Path,
    by: str | None,
    split: str | None,
    limits: tuple[str, ...],
    sheet_id: str | None,
    every: bool,
    drawn: bool,
    address: str | None,
    form: RowFormat,
    sql: bool,
) -> None:
    """Answer questions about the stored games.

    Without arguments, lists all questions, measures and dimensions. A question has a fixed answer. A
    measure can be split by one or two dimensions and filtered by any, as on the Explore page.
    With --cluster, workers that reach the lake and have bezique installed read its parts, and the answer is the same.

    \b
      bezique stats
      bezique stats points_by_source
      bezique stats meld_frequency --rules zique --format csv > melds.csv
      bezique stats deals_won --by sheet --split role
      bezique stats lead --by trick --only sheet=zique --plot
      bezique stats points --data s3://club/games --cluster tcp://10.0.0.1:8786
    """
    if name is None:
        click.echo("\n".join(_listed_lines(*_listed_by_site() if server_address() else _listed())))
        return
    _check_options(form, address, drawn=drawn)
    # --rules is short for --only sheet=...
    limits = _with_keys((*limits, *([f"{SHEET}{sheet_id}"] if sheet_id else [])), name, folder)
    query = _find_query(name, by, split, limits, every=every)
    if sql:
        click.echo(query.sql)
        return
    if server_address():
        _print(query.ask_site(), form, _name_at_site, drawn=False)
        return
    with _opened_on_cluster(folder, address) if address else open_filled(folder) as store:
        _answer(store, query, form, drawn=drawn)
    if address and (why := query.why_alone):
        click.echo(f"{name} was answered in one place: {why}.", err=True)


def _answer(store: "Store", query: "StatsQuery", form: RowFormat, *, drawn: bool) -> None:
    """Print the answer of a store, and which values it does not know."""
    answer = query.run(store)
    _print(answer, form, partial(_name_in_folder, store), query.hint, drawn=drawn)
    if query.ask and not any(answer.column(query.ask.metric.name)):
        for sentence in query.unknown_values(store):
            click.echo(sentence, err=form != "table")


@contextmanager
def _opened_on_cluster(folder: Path, address: str) -> "Iterator[Store]":
    """The lake of a folder, whose questions a cluster answers; raises Refusal and StoreError."""
    from analyzer.ingest.tasks import connect_client
    from analyzer.lake.asking import ClusterStore
    from analyzer.store.lake_place import lake_address

    require_games(folder)
    if lake_address(folder) is None:
        raise Refusal(f"--cluster answers from a lake, and {folder} is none.")
    with (
        connect_client(address) as client,
        ProgressBar("asking") as bar,
        ClusterStore(folder, client, lambda what: bar.show(0, what)) as store,
    ):
        yield store


SHEET_COLUMN = "sheet"
SHEET = f"{SHEET_COLUMN}="
KEYS_AT_SITES = (
    "`bezique rules` lists the published ones, and the site has no games by one of that id."
)


def _with_keys(limits: tuple[str, ...], name: str, folder: Path) -> tuple[str, ...]:
    """The limits with the keys of the rulebooks that they name; raises RulesError.

    A measure counts every version of a rulebook of a table's own, a question is asked of one.
    """
    from analyzer.statistics.catalogue import metrics
    from analyzer.store.rulebooks import only_key
    from records.rules.registry import is_sheet_key, named_sheet

    found: list[str] = []
    for limit in limits:
        text = limit.removeprefix(SHEET)
        if text == limit or is_sheet_key(text):
            found.append(limit)
        elif (published := named_sheet(text)) is not None:
            found.append(f"{SHEET}{published}")
        else:
            keys = _keys_of_site(text) if server_address() else _keys_of_folder(text, folder)
            keys = keys if name in metrics() else [only_key(text, keys)]
            found += [f"{SHEET}{key}" for key in keys]
    return tuple(found)


def _keys_of_folder(text: str, folder: Path) -> list[str]:
    """The keys of the rulebooks that somebody means; raises RulesError."""
    from analyzer.store.rulebooks import keys_named

    with open_filled(folder) as store:
        return keys_named(store, text)


def _keys_of_site(text: str) -> list[str]:
    """Those of the rulebooks with this id at the chosen site; raises RulesError, and Refusal."""
    from records.rules.registry import unknown_rulebook
    from webui.cli.remote import keys_at_site

    found = keys_at_site(text)
    if not found:
        raise unknown_rulebook(text, KEYS_AT_SITES)
    return found


def _check_options(form: RowFormat, address: str | None, *, drawn: bool) -> None:
    """Raise Refusal where a chart is asked for and none can be drawn, or a cluster and a site."""
    if address and server_address():
        raise Refusal("Give either --server or --cluster: one of them answers.")
    if drawn and form != "table":
        raise Refusal(f"--plot draws for people and cannot be combined with --format {form}.")
    if drawn and server_address():
        raise Refusal("--plot cannot be combined with --server; the site's pages have charts.")


def _print(
    answer: "Answer", form: RowFormat, name_of: Callable[[str], str], hint: str = "", *, drawn: bool
) -> None:
    """Print an answer; `name_of` gives the names of the rulebooks of a table's own, whose keys stand in a table."""
    from webui.display.csv import answer_as_csv, answer_as_data

    match form:
        case "table":
            click.echo("\n".join([*table_lines(answer), *_lines_of_names(answer, name_of)]))
            if hint:
                click.echo(click.style(hint, dim=True))
            if drawn:
                from webui.cli.plot import plot

                click.echo("\n".join(plot(answer, get_terminal_size().columns)))
        case "csv":
            for piece in answer_as_csv(answer):
                click.echo(piece, nl=False)
            if answer.left_out.words:
                click.echo(answer.left_out.words, err=True)
        case "json":
            import msgspec

            click.echo(msgspec.json.encode(answer_as_data(answer)).decode())


def _lines_of_names(answer: "Answer", name_of: Callable[[str], str]) -> Iterator[str]:
    """What the rulebooks of a table's own are called of which an answer has the keys."""
    from records.rules.registry import KEY_MARK

    if SHEET_COLUMN not in answer.columns:
        return
    for key in dict.fromkeys(map(str, answer.column(SHEET_COLUMN))):
        if KEY_MARK in key:
            yield click.style(f"{key} is {name_of(key)}.", dim=True)


def _name_at_site(key: str) -> str:
    from webui.cli.remote import name_at_site

    return name_at_site(key)


def _name_in_folder(store: "Store", key: str) -> str:
    from analyzer.store.rulebooks import stored_rulebook

    found = stored_rulebook(store, key)
    return key if found is None else found.name


@dataclass(frozen=True, slots=True)
class StatsQuery:
    """A question or a measure: its SQL, how to run it, how to ask the chosen site, and which command may add to it."""

    sql: str
    run: "Callable[[Store], Answer]"
    ask_site: "Callable[[], Answer]"
    hint: str = ""
    ask: "Ask | None" = None

    @property
    def why_alone(self) -> str:
        """Why parts of a collection have no answers of their own; empty if they have."""
        from analyzer.statistics.parts import why_in_one_place

        return why_in_one_place(self.sql)

    def unknown_values(self, store: "Store") -> Iterator[str]:
        """A sentence for every value that a filter of a measure names and nothing stored has, with similar ones."""
        from analyzer.statistics.answer import run_ask
        from analyzer.statistics.ask import Ask

        assert self.ask is not None
        for limit in self.ask.filters:
            of_all = run_ask(store, Ask(self.ask.metric, limit.dimension, every=True))
            known = [str(value) for value in of_all.column(limit.dimension.name)]
            for value in (str(each) for each in limit.values if str(each) not in known):
                text = value[: len("2026-03")] if limit.dimension.kind == "month" else value
                yield f"Nothing stored has the {limit.dimension.title.lower()} {text}.{_meant(value, known, limit)}"


def _meant(value: str, known: list[str], limit: "Filter") -> str:
    """Stored values that are written like one that is not; of a number, or of a rulebook that exists, none is meant."""
    from analyzer.statistics.ask import SHEET as RULEBOOK

    if limit.dimension.kind != "category" or limit.dimension.name == RULEBOOK:
        return ""
    spelt = {name.lower(): name for name in known}
    near = get_close_matches(value.lower(), spelt, n=3)
    return f" Did you mean {' or '.join(spelt[name] for name in near)}?" if near else ""


def _find_query(
    name: str, by: str | None, split: str | None, limits: tuple[str, ...], *, every: bool
) -> StatsQuery:
    from analyzer.statistics.answer import run_ask
    from analyzer.statistics.catalogue import metrics
    from analyzer.statistics.compose import compose
    from analyzer.statistics.questions import QuestionFilters, find_question, run_question

    if name in metrics():
        ask = _measure(name, by, split, limits, every=every)
        return StatsQuery(
            compose(ask).filled(),
            lambda store: run_ask(store, ask),
            lambda: _ask_site(ask),
            ask.metric.terminal,
            ask,
        )
    question = find_question(name) or _refuse(name)
    if by or split or any(not limit.startswith("sheet=") for limit in limits) or len(limits) > 1:
        raise Refusal(f"{name!r} is a question. Only a measure can be split and filtered.")
    filters = QuestionFilters(limits[0].partition("=")[2] if limits else None, every)
    return StatsQuery(
        question.sql,
        lambda store: run_question(store, question, filters),
        lambda: _ask_site(question, filters),
    )


def _ask_site(asked: "Ask | Question", filters: "QuestionFilters | None" = None) -> "Answer":
    """The answer of the chosen site."""
    from webui.cli.remote import ask_site

    return ask_site(asked, filters)


def _measure(
    name: str, by: str | None, split: str | None, limits: tuple[str, ...], *, every: bool
) -> "Ask":
    from analyzer.statistics.ask import RESERVED_NAMES, Refused, read_ask

    query: dict[str, list[str]] = {"metric": [name], "every": ["1" if every else ""]}
    query |= {"by": [by or ""], "split": [split or ""]}
    for limit in limits:
        dimension, equals, value = limit.partition("=")
        if not equals or dimension in RESERVED_NAMES:
            raise Refusal(f"--only needs DIMENSION=VALUE, not {limit!r}.")
        query.setdefault(dimension, []).append(value)
    try:
        return read_ask(query)
    except Refused as why:
        raise Refusal(str(why)) from why


Listed: TypeAlias = Iterable[tuple[str, str]]
"""Names of what can be asked, and what they mean."""


def _listed() -> tuple[Listed, Listed, Listed]:
    """The questions, measures and dimensions of this program."""
    from analyzer.statistics.catalogue import dimensions, metrics
    from analyzer.statistics.questions import questions

    return (
        [(question.name, question.answers) for question in questions()],
        [(metric.name, metric.asks) for metric in metrics().values()],
        [(dimension.name, dimension.axis) for dimension in dimensions().values()],
    )


def _listed_by_site() -> tuple[Listed, Listed, Listed]:
    """Those of the chosen site, which may have another version."""
    from webui.cli.remote import list_of_site

    found = list_of_site()
    return (
        [(question.name, question.answers) for question in found.questions],
        [(measure.name, measure.answers) for measure in found.measures],
        [(dimension.name, dimension.title) for dimension in found.dimensions],
    )


def _listed_lines(questions: Listed, measures: Listed, dimensions: Listed) -> Iterator[str]:
    lists = [
        ("Questions", questions),
        ("Measures", measures),
        ("Dimensions", dimensions),
    ]
    width = max(len(name) for _, lines in lists for name, _ in lines)
    for heading, lines in lists:
        yield click.style(heading, bold=True)
        yield from explained_names(lines, width=width)


def _refuse(name: str) -> "Question":
    from analyzer.statistics.catalogue import metrics
    from analyzer.statistics.questions import questions

    names = [*(question.name for question in questions()), *metrics()]
    near = get_close_matches(name, names, n=3)
    hint = f"Did you mean {' or '.join(near)}?" if near else "`bezique stats` lists all."
    raise Refusal(f"There is no question or measure {name!r}. {hint}")


def table_lines(answer: "Answer") -> Iterator[str]:
    """An answer for people, and its basis below."""
    question = answer.question
    yield click.style(question.answers, bold=True)
    yield from row_table(answer.columns, answer.rows)
    yield click.style(
        " ".join(
            [
                f"Based on {answer.full_basis}; answered in {answer.ms:g} ms.",
                *([answer.left_out.words] if answer.left_out.words else []),
                question.caveat,
            ]
        ),
        dim=True,
    )
    if not answer.rows:
        yield "Nothing matches. --every also counts deals with errors, unfinished and partly known ones."
