"""`bezique annotate --deep`: the deep review of games, in files or in the database."""

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import click
import msgspec

from analyzer.players.expectancy import shipped_models
from analyzer.players.winning_model import ChanceModels
from analyzer.review.annotator import annotate
from analyzer.review.deep_review import (
    DEFAULT_LEAST,
    DeepReview,
    DeepReviewTerms,
    worlds_of_width,
)
from analyzer.review.deep_review_words import turning_point_remarks
from analyzer.review.narrative import narrate_game
from analyzer.review.reviewer import DeepReviewWork
from analyzer.review.stored import list_two_player_games, list_unreviewed_games, review_stored_game
from analyzer.review.winning import WinningModel
from records.phrases import pluralize
from records.record import Record
from records.rules.registry import resolve_rules
from webui.cli.deep_options import DeepOptions, PrintOptions
from webui.cli.main import ProgressBar, Refusal, open_filled
from webui.cli.review_text import deep_review_lines
from webui.cli.sources import (
    check_deal_number,
    decode_input_record,
    find_inputs,
    read_input_records,
)

EXIT_INTERRUPTED = 130
MOST_WORLDS_IN_ONE_PROCESS = 64
"""Up to this many worlds, starting other processes takes longer than the work."""


def terms_for(options: DeepOptions, record: Record) -> DeepReviewTerms:
    """The terms for a record; raises RulesError if its rules cannot be resolved."""
    worlds = options.width.worlds
    if not isinstance(worlds, int):
        worlds = worlds_of_width(worlds, resolve_rules(record.rules).sheet)
    least = DEFAULT_LEAST if options.least is None else options.least
    return DeepReviewTerms(worlds, options.width.seed, options.positions, least)


def print_deep_reviews(
    paths: tuple[str, ...], options: DeepOptions, printing: PrintOptions
) -> None:
    """Review the records of these files, and print the reviews."""
    printed = 0
    with ProgressBar("reading") as reading:
        for input_record in read_input_records(find_inputs(paths), reading):
            if printing.record not in (None, input_record.number):
                continue
            record = decode_input_record(input_record)
            terms = terms_for(options, record)
            work = DeepReviewWork(record, terms=terms, model=_model_for(record))
            reading.clear()  # the work takes longest and shows a bar of its own
            with ProgressBar("weighing choices") as bar:
                for done, bar.total in work.run(_processes_for(terms.worlds)):
                    bar.show(done, "")
            if printed and printing.form != "json":
                click.echo()
            for line in _lines(record, work.review(), printing):
                click.echo(line)
            printed += 1
    if printing.record is not None and not printed:
        raise Refusal(f"Record {printing.record} does not exist.")


def _model_for(record: Record) -> WinningModel | None:
    """What is known of winning where no matches are stored: what simulated ones tell."""
    model = shipped_models().get(record.rules.id)
    return WinningModel.of_simulated(model) if model else None


def _processes_for(worlds: int) -> int:
    """How many other processes to use; 0 if there is little to do."""
    number = os.cpu_count() or 1
    return number if number > 1 and worlds > MOST_WORLDS_IN_ONE_PROCESS else 0


def _lines(record: Record, review: DeepReview, printing: PrintOptions) -> Iterator[str]:
    """The lines printed for one record."""
    if printing.form == "json":
        yield msgspec.json.encode(review).decode()
    elif printing.form == "prose":
        remarks = turning_point_remarks(review)
        yield "\n\n".join(narrate_game(record, annotate(record), remarks))
    else:
        check_deal_number(record, printing.deal)
        deals = range(len(record.deals)) if printing.deal is None else [printing.deal - 1]
        yield from deep_review_lines(review, record, deals)


def review_stored_games(folder: Path, options: DeepOptions, *, again: bool) -> int:
    """Review the stored games that have no deep review, or all; returns the exit status."""
    done, few = (
        0,
        isinstance(options.width.worlds, int)
        and options.width.worlds <= MOST_WORLDS_IN_ONE_PROCESS,
    )
    processes = 0 if few else os.cpu_count() or 1
    with open_filled(folder) as store, ProgressBar("reviewing") as bar:
        if store.read_only:
            raise Refusal(f"{folder} is read-only: reviews cannot be stored there.")
        models = ChanceModels(store, shipped_models())
        digests = list_two_player_games(store) if again else list_unreviewed_games(store)
        bar.total = len(digests)
        try:
            for digest in digests:
                terms = partial(terms_for, options)
                for _ in review_stored_game(store, digest, terms, processes, models):
                    pass
                done += 1
                bar.show(done, pluralize(done, "game"))
        except KeyboardInterrupt:
            bar.clear()
            hint = "With --again it starts over." if again else "Run it again to continue."
            click.echo(f"{pluralize(done, 'game')} reviewed. Interrupted. {hint}")
            return EXIT_INTERRUPTED
    click.echo(f"{pluralize(done, 'game')} reviewed.")
    return 0
