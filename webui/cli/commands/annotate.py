"""`bezique annotate`: the review of games, in files or in the database."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from analyzer.review import DEFAULT_POSITIONS_SEARCHED
from records.phrases import pluralize
from webui.cli.deep_options import DeepOptions, DeepWidth, PrintOptions, deep_options
from webui.cli.main import FilePath, ProgressBar, Refusal, data_option, open_filled
from webui.cli.sources import (
    InputRecord,
    check_deal_number,
    decode_input_record,
    find_inputs,
    read_input_records,
)

if TYPE_CHECKING:  # what works is loaded when it is needed, so that the help starts at once
    from analyzer.review.annotator import AnalysisTerms, Annotation
    from records.record import Record

EXIT_INTERRUPTED = 130
DEFAULT_LEAST = 10
"""In points, where a mistake of the close is meant."""
MOST_ROLLOUTS_IN_ONE_PROCESS = 20
"""Up to this many roll-outs, starting other processes takes longer than the work."""


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH...]", type=FilePath())
@click.option(
    "--format", "form", type=click.Choice(["text", "prose", "json"]), default="text", show_default=True,
    help="text: what was lost, in short; prose: the whole game told; json: one annotation per line.",
)  # fmt: skip
@click.option(
    "--record",
    "number",
    type=click.IntRange(min=1),
    metavar="N",
    help="Annotate only the N-th record.",
)
@click.option(
    "--deal", type=click.IntRange(min=1), metavar="N", help="Print details of the N-th deal only."
)
@click.option(
    "--least", type=click.IntRange(min=0), metavar="POINTS",
    help="A decision that loses this many points is a mistake.  [default: 10, or 20 with --deep]",
)  # fmt: skip
@click.option(
    "--positions", type=click.IntRange(min=1), default=DEFAULT_POSITIONS_SEARCHED, show_default=True, metavar="N",
    help="Search at most N positions per deal where melds are still allowed after the close, and 2N for the last trick before it.",
)  # fmt: skip
@click.option(
    "--luck", "rollouts", type=click.IntRange(min=0, max=10_000), default=0, show_default=True, metavar="N",
    help="Estimate luck and skill from N roll-outs of every position, in pairs and at least four; 0 skips this. 50 take seconds per deal, or a minute with four packs or more.",
)  # fmt: skip
@click.option(
    "--brink/--no-brink", default=None,
    help="Also review the last trick before the close, which takes longest.  [default: not with --stored]",
)  # fmt: skip
@deep_options
@click.option(
    "--stored", is_flag=True,
    help="Annotate the stored games that have no annotation yet, and store the annotations.",
)  # fmt: skip
@click.option("--again", is_flag=True, help="With --stored, also replace existing annotations.")
@data_option
@click.pass_context
def annotate(
    ctx: click.Context,
    paths: tuple[str, ...],
    *,
    form: str,
    number: int | None,
    deal: int | None,
    least: int | None,
    positions: int,
    rollouts: int,
    brink: bool | None,
    deep: DeepWidth | None,
    stored: bool,
    again: bool,
    folder: Path,
) -> None:
    """Review games: mistakes, missed chances, luck and skill.

    After the close both hands can be known, so every card and meld has an exact value. Prints what each
    decision lost, the best line, and the melds that were possible and not made. Only two-player games are
    reviewed; for others it says why not.

    With --deep, weighs every choice of the whole deal instead: before the close in possible deals of the
    cards that its player could not see. A deal then takes a quarter of a minute, with six packs two minutes.

    PATH is a file, a folder, or - for standard input. With --stored, annotates the games of the data folder
    and stores the annotations there. If interrupted, run it again to continue.

    \b
      bezique annotate game.json
      bezique annotate games.jsonl --record 3 --deal 1 --deep --worlds quick
      bezique annotate game.json --luck 50
      bezique annotate games.jsonl --format json > annotations.jsonl
      bezique annotate --stored --data var
    """
    _refuse_contradictions(paths, rollouts, stored=stored, again=again)
    options = PrintOptions(number, deal, form)
    if deep:
        wanted = _deep_options(deep, positions, least, rollouts, brink=brink)
        ctx.exit(_review_deeply(paths, folder, wanted, options, again=again))
    # The last trick before the close takes most of the time: worth it for a file, not for a collection.
    terms = _terms(positions, least, rollouts, brink=not stored if brink is None else brink)
    if stored:
        ctx.exit(_annotate_stored(folder, terms, again=again))
    _print(paths, terms, options)


def _refuse_contradictions(
    paths: tuple[str, ...], rollouts: int, *, stored: bool, again: bool
) -> None:
    """Raise Refusal if options contradict each other, or there is nothing to annotate."""
    if rollouts == 1:
        raise Refusal("One roll-out has no standard error. Choose 2 or more, or 0.")
    if stored and paths:
        raise Refusal("--stored reviews stored games: leave out the files, or leave out --stored.")
    if again and not stored:
        raise Refusal("--again replaces stored annotations and needs --stored.")
    if not stored and not paths:
        raise Refusal("Nothing to annotate. Name a file, or use --stored.")


def _terms(positions: int, least: int | None, rollouts: int, *, brink: bool) -> "AnalysisTerms":
    from analyzer.review.annotator import AnalysisTerms

    return AnalysisTerms(positions, DEFAULT_LEAST if least is None else least, rollouts, brink)


def _deep_options(
    width: DeepWidth, positions: int, least: int | None, rollouts: int, *, brink: bool | None
) -> DeepOptions:
    """What is asked of a deep review; refuses what it does by itself, or not at all."""
    if rollouts or brink is not None:
        raise Refusal("--deep weighs every choice by itself: leave out --luck and --brink.")
    return DeepOptions(width, positions, least)


def _review_deeply(
    paths: tuple[str, ...], folder: Path, wanted: DeepOptions, options: PrintOptions, *, again: bool
) -> int:
    """Review these files deeply, or without any the stored games; returns the exit status."""
    from webui.cli.deep_reviewing import print_deep_reviews, review_stored_games

    if not paths:
        return review_stored_games(folder, wanted, again=again)
    print_deep_reviews(paths, wanted, options)
    return 0


def _print(paths: tuple[str, ...], terms: "AnalysisTerms", options: PrintOptions) -> None:
    import msgspec

    from analyzer.review.annotator import annotate as annotated

    printed = 0
    with ProgressBar("annotating") as bar:
        for input_record in read_input_records(find_inputs(paths), bar):
            if options.record not in (None, input_record.number):
                continue
            record = decode_input_record(input_record)
            notes = annotated(record, terms=msgspec.structs.replace(terms, rollouts=0))
            bar.clear()  # the roll-outs take longest and show a bar of their own
            _estimate_luck(notes, record, terms.rollouts)
            if printed and options.form != "json":
                click.echo()
            if options.form == "json":
                _name_place(notes, input_record)
            for line in _lines(record, notes, options):
                click.echo(line)
            printed += 1
    if options.record is not None and not printed:
        raise Refusal(f"Record {options.record} does not exist.")


def _name_place(notes: "Annotation", input_record: InputRecord) -> None:
    """Say in an annotation where its record was read."""
    notes.file = input_record.source.name
    if input_record.entry.line is not None:
        notes.line = input_record.entry.line


def _estimate_luck(notes: "Annotation", record: "Record", rollouts: int) -> None:
    from analyzer.review.annotator import estimate_luck

    with ProgressBar("rolling out") as bar:
        for done, bar.total in estimate_luck(
            notes, record, rollouts, processes_for_rollouts(rollouts)
        ):
            bar.show(done, pluralize(rollouts, "roll-out"))


def processes_for_rollouts(rollouts: int) -> int:
    """How many extra processes to use for roll-outs; 0 if there is little to do."""
    number = os.cpu_count() or 1
    return number if number > 1 and rollouts > MOST_ROLLOUTS_IN_ONE_PROCESS else 0


def _lines(record: "Record", notes: "Annotation", options: PrintOptions) -> Iterator[str]:
    """The lines printed for one record."""
    import msgspec

    from analyzer.review.narrative import narrate_game
    from records.validator import check_record
    from webui.cli.review_text import annotation_lines

    if options.form == "json":
        yield msgspec.json.encode(notes).decode()
    elif options.form == "prose":
        yield "\n\n".join(narrate_game(record, notes))
    else:
        check_deal_number(record, options.deal)
        deals = range(len(record.deals)) if options.deal is None else [options.deal - 1]
        scores = check_record(record).scores or [None] * len(notes.names)
        yield from annotation_lines(notes, record, scores, deals)


def _annotate_stored(folder: Path, terms: "AnalysisTerms", *, again: bool) -> int:
    """Annotate stored games; returns the exit status."""
    from analyzer.review.stored import (
        annotate_stored_games,
        list_two_player_games,
        list_unannotated_games,
    )

    done = 0
    with open_filled(folder) as store, ProgressBar("annotating") as bar:
        if store.read_only:
            raise Refusal(f"{folder} is read-only: annotations cannot be stored there.")
        digests = list_two_player_games(store) if again else list_unannotated_games(store)
        bar.total = len(digests)
        try:
            games = [(digest, terms) for digest in digests]
            found = annotate_stored_games(store, games, os.cpu_count() or 1)
            for done, _ in enumerate(found, 1):
                bar.show(done, pluralize(done, "game"))
        except KeyboardInterrupt:
            bar.clear()
            hint = "With --again it starts over." if again else "Run it again to continue."
            click.echo(f"{pluralize(done, 'game')} annotated. Interrupted. {hint}")
            return EXIT_INTERRUPTED
    click.echo(f"{pluralize(done, 'game')} annotated.")
    return 0
