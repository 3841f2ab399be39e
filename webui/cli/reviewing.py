"""The work of `bezique review`: the review of games, in files or in the database."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TypeAlias

import click
import msgspec

from analyzer.ingest.tasks import connect_client
from analyzer.lake.added_reviews import adding_reviews
from analyzer.players.expectancy import shipped_models
from analyzer.players.winning_model import ChanceModels
from analyzer.review.annotation import annotation_of
from analyzer.review.deep_review import GameReview, ReviewTerms, deep_review_of, worlds_of_width
from analyzer.review.narrative import narrate_game
from analyzer.review.reviewer import ReviewWork, estimate_luck
from analyzer.review.stored import (
    GameNotStored,
    Keep,
    list_games_without_review,
    list_two_player_games,
    review_games_exactly,
    review_games_on_cluster,
    review_stored_game,
    save_review,
)
from analyzer.review.winning import WinningModel
from analyzer.store.lake_store import LakeStore
from analyzer.store.store import Store
from records.phrases import pluralize
from records.record import Record
from records.replay import replay
from records.rules.registry import resolve_rules
from records.validator import check_record
from webui.cli.commands.review import ReviewOptions
from webui.cli.main import ProgressBar, Refusal, open_filled
from webui.cli.review_text import review_lines
from webui.cli.sources import (
    InputRecord,
    check_deal_number,
    decode_input_record,
    find_inputs,
    read_input_records,
)

EXIT_INTERRUPTED = 130
ReviewStored: TypeAlias = Callable[[Store, list[str], ReviewOptions, Keep], Iterator[GameReview]]
MOST_IN_ONE_PROCESS = {"worlds": 64, "roll-outs": 20}
"""Up to so many, starting other processes takes longer than the work."""


def run_review(options: ReviewOptions) -> int:
    """Review what is named; returns the exit status. Raises Refusal if options contradict each other."""
    _refuse_contradictions(options)
    if options.stored:
        return _review_stored(options)
    _print_reviews(options)
    return 0


def _refuse_contradictions(options: ReviewOptions) -> None:
    if options.rollouts == 1:
        raise Refusal("One simulation has no standard error. Choose 2 or more, or 0.")
    if options.stored and options.paths:
        raise Refusal("--stored reviews stored games: leave out the files, or leave out --stored.")
    if options.again and not options.stored:
        raise Refusal("--again replaces stored reviews and needs --stored.")
    if options.cluster and not options.stored:
        raise Refusal("--cluster reviews stored games and needs --stored.")
    if not options.stored and not options.paths:
        raise Refusal("Nothing to review. Name a file, or use --stored.")


def _terms_for(options: ReviewOptions, record: Record) -> ReviewTerms:
    """The terms for a record; raises RulesError if its rules cannot be resolved."""
    worlds = options.worlds
    if worlds == "exact":
        number = 0
    elif isinstance(worlds, int):
        number = worlds
    else:
        number = worlds_of_width(worlds, resolve_rules(record.rules).sheet)
    return ReviewTerms(number, options.seed, options.positions, options.least, options.last_trick)


def _print_reviews(options: ReviewOptions) -> None:
    printed = 0
    with ProgressBar("reading") as reading:
        for input_record in read_input_records(find_inputs(options.paths), reading):
            if options.number not in (None, input_record.number):
                continue
            record = decode_input_record(input_record)
            reading.clear()  # the work takes longest and shows a bar of its own
            review = _review(record, options)
            _name_place(review, input_record)
            if printed and options.form != "json":
                click.echo()
            for line in _lines(record, review, options):
                click.echo(line)
            printed += 1
    if options.number is not None and not printed:
        raise Refusal(f"Record {options.number} does not exist.")


def _review(record: Record, options: ReviewOptions) -> GameReview:
    terms = _terms_for(options, record)
    work = ReviewWork(record, terms=terms, model=_model_for(record))
    portions = work.run(_processes("worlds", terms.worlds)) if terms.worlds else work.read_deals()
    with ProgressBar("reviewing") as bar:
        for done, bar.total in portions:
            bar.show(done, "")
    review = work.review()
    processes = _processes("roll-outs", options.rollouts)
    with ProgressBar("rolling out") as bar:
        for done, bar.total in estimate_luck(review, record, options.rollouts, processes):
            bar.show(done, pluralize(options.rollouts, "simulation"))
    return review


def _model_for(record: Record) -> WinningModel | None:
    """What is known of winning where no matches are stored: what simulated ones tell."""
    model = shipped_models().get(record.rules.id)
    return WinningModel.of_simulated(model) if model else None


def _processes(work: str, number: int) -> int:
    """How many other processes to use; 0 if there is little to do."""
    processors = os.cpu_count() or 1
    return processors if processors > 1 and number > MOST_IN_ONE_PROCESS[work] else 0


def _name_place(review: GameReview, input_record: InputRecord) -> None:
    """Say in a review where its record was read."""
    review.file = input_record.source.name
    if input_record.entry.line is not None:
        review.line = input_record.entry.line


def _scores_of_deal(record: Record, deal: int) -> list[int | None]:
    """The points of one deal by seat; empty if it has none."""
    last = [frame for frame in replay(record) if frame.deal == deal]
    return [*last[-1].table.deal_points] if last else []


def _lines(record: Record, review: GameReview, options: ReviewOptions) -> Iterator[str]:
    """The lines printed for one record."""
    if options.form == "json":
        documents = {"annotation": annotation_of, "deep review": deep_review_of}
        document = documents.get(options.document)
        yield msgspec.json.encode(document(review) if document else review).decode()
    elif options.form == "prose":
        yield "\n\n".join(narrate_game(record, review))
    else:
        check_deal_number(record, options.deal)
        deals = range(len(record.deals)) if options.deal is None else [options.deal - 1]
        scores = (
            check_record(record).scores
            if options.deal is None
            else _scores_of_deal(record, options.deal - 1)
        )
        scores = scores or [None] * len(review.names)
        yield from review_lines(review, record, scores, deals)


def _review_stored(options: ReviewOptions) -> int:
    """Review the stored games that have no such review, or all; returns the exit status."""
    done = 0
    with open_filled(options.folder) as store, ProgressBar("reviewing") as bar:
        if store.read_only and not isinstance(store, LakeStore):
            raise Refusal(f"{store.whence} is read-only: reviews cannot be stored there.")
        digests = (
            list_two_player_games(store)
            if options.again
            else list_games_without_review(store, weighed=options.is_deep)
        )
        bar.total = len(digests)
        work: ReviewStored = _weigh_stored if options.is_deep else _read_stored
        try:
            with _keeping(store) as keep, _cluster(options.cluster, bar) as on_cluster:
                work = on_cluster or work
                for done, _ in enumerate(work(store, digests, options, keep), 1):
                    bar.show(done, pluralize(done, "game"))
        except KeyboardInterrupt:
            bar.clear()
            hint = "With --again it starts over." if options.again else "Run it again to continue."
            click.echo(f"{pluralize(done, 'game')} reviewed. Interrupted. {hint}")
            return EXIT_INTERRUPTED
    click.echo(f"{pluralize(done, 'game')} reviewed.")
    return 0


@contextmanager
def _keeping(store: Store) -> Iterator[Keep]:
    """What stores reviews where their games are."""
    if isinstance(store, LakeStore):
        with adding_reviews(store.place) as add:
            yield lambda _, review: add(review)
    else:
        yield save_review


@contextmanager
def _cluster(address: str | None, bar: ProgressBar) -> Iterator[ReviewStored | None]:
    """What reviews stored games on the cluster at an address; None without one. Raises StoreError."""
    if address is None:
        yield None
        return
    with connect_client(address) as client:

        def review_there(
            store: Store, digests: list[str], options: ReviewOptions, keep: Keep
        ) -> Iterator[GameReview]:
            def terms(record: Record) -> ReviewTerms:
                own = _terms_for(options, record)
                return msgspec.structs.replace(own, rollouts=options.rollouts)

            models = ChanceModels(store, shipped_models())
            yield from review_games_on_cluster(
                store, digests, terms, client, models, keep, lambda what: bar.show(0, what)
            )

        yield review_there


def _read_stored(
    store: Store, digests: list[str], options: ReviewOptions, keep: Keep
) -> Iterator[GameReview]:
    terms = ReviewTerms(
        0, options.seed, options.positions, options.least, options.last_trick, options.rollouts
    )
    games = [(digest, terms) for digest in digests]
    models = ChanceModels(store, shipped_models())
    yield from review_games_exactly(store, games, os.cpu_count() or 1, models, keep)


def _weigh_stored(
    store: Store, digests: list[str], options: ReviewOptions, keep: Keep
) -> Iterator[GameReview]:
    models = ChanceModels(store, shipped_models())
    worlds = options.worlds
    few = isinstance(worlds, int) and worlds <= MOST_IN_ONE_PROCESS["worlds"]
    processes = 0 if few else os.cpu_count() or 1
    for digest in digests:
        terms = partial(_terms_for, options)
        work = review_stored_game(store, digest, terms, processes, models, options.rollouts, keep)
        while True:
            try:
                next(work)
            except StopIteration as end:
                yield end.value
                break
            except GameNotStored:  # somebody has deleted it meanwhile
                break
