"""`bezique convert`: records written another way."""

import click

from records import codec
from records.notation import write_notation
from records.phrases import pluralize
from webui.cli.commands.play import STDOUT, open_output
from webui.cli.progress_bar import ProgressBar
from webui.cli.sources import (
    JSON_ENDINGS,
    NOTATION_ENDINGS,
    decode_input_record,
    find_inputs,
    read_input_records,
)


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path())
@click.option(
    "--to", "form", type=click.Choice(["notation", "json"]), default="notation", show_default=True,
    help="Write the notation, one line a trick, or JSON, one record per line.",
)  # fmt: skip
@click.option(
    "-o", "--out", default=STDOUT, metavar="FILE", type=click.Path(),
    help="The file to write: .bezique or .jsonl, also with .gz or .zst.  [default: standard output]",
)  # fmt: skip
def convert(*, files: tuple[str, ...], form: str, out: str) -> None:
    """Write records in the notation that people read and type, or back as JSON.

    FILES are files of records, folders or patterns; - is standard input. Nothing is lost on the way: the JSON that
    comes back is the record in its canonical form. The notation is explained at /spec/notation of every site.

    \b
      bezique convert game.json
      bezique convert games.jsonl --out games.bezique
      bezique convert evening.bezique --to json --out evening.jsonl
    """
    count = 0
    endings = JSON_ENDINGS if form == "json" else NOTATION_ENDINGS
    with open_output(out, endings) as stream, ProgressBar("converting") as bar:
        for count, input_record in enumerate(read_input_records(find_inputs(files), bar), 1):
            record = decode_input_record(input_record)
            if form == "json":
                stream.write(codec.encode(record) + b"\n")
            else:
                blank = b"\n" if count > 1 else b""
                stream.write(blank + write_notation(record).encode())
    if out != STDOUT:
        click.echo(f"Wrote {pluralize(count, 'record')} to {out}.", err=True)
