"""`bezique convert`: records written another way, and files of other programs as records."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from records.phrases import pluralize, sanitize_text
from webui.cli.commands.play import STDOUT, open_output
from webui.cli.main import FilePath, ProgressBar, Refusal, completion
from webui.cli.own_sheets import named_files, own_sheets_option
from webui.cli.sources import JSON_ENDINGS, NOTATION_ENDINGS, CommandInput, InputRecord, find_inputs

if TYPE_CHECKING:  # what works is loaded when it is needed, so that the help starts at once
    from records.format.event_log import Adapter
    from records.record import Record
    from records.validate.finding import Finding

MOST_LOST_NAMED = 5


@completion
def complete_adapters() -> Iterable[tuple[str, str]]:
    """What reads files of other programs."""
    from records.format.event_log import adapter_names

    return [(name, "") for name in adapter_names()]


@click.command()
@click.argument("files", nargs=-1, required=True, type=FilePath())
@click.option(
    "--from", "adapter_name", default="records", show_default=True, metavar="NAME",
    shell_complete=complete_adapters,
    help="What FILES are: records in JSON or in the notation, event-log, or what another package reads.",
)  # fmt: skip
@click.option(
    "--mapping", metavar="FILE", type=FilePath(),
    help="A TOML file that says what the columns of an event log mean.",
)  # fmt: skip
@click.option(
    "--to", "form", type=click.Choice(["notation", "json"]), default="notation", show_default=True,
    help="Write the notation, one line a trick, or JSON, one record per line.",
)  # fmt: skip
@click.option(
    "-o", "--out", default=STDOUT, metavar="FILE", type=FilePath(),
    help="The file to write: .bezique or .jsonl, also with .gz or .zst.  [default: standard output]",
)  # fmt: skip
@click.option(
    "--carry", is_flag=True,
    help="Put the rulebook of a file of --rules into every record that only names it.",
)  # fmt: skip
@own_sheets_option
def convert(
    *,
    files: tuple[str, ...],
    adapter_name: str,
    mapping: str | None,
    form: str,
    out: str,
    carry: bool,
) -> None:
    """Write records in the notation that people read and type, or back as JSON.

    FILES are files of records, folders or patterns; - is standard input. Nothing is lost on the way except members of a
    newer version of the format, which are named: the JSON that comes back is the record in its canonical form. With
    --from event-log they are logs of another program, as CSV, JSON Lines or plain text. Every site explains the
    notation at /spec/notation, and mappings at /docs/converting.

    \b
      bezique convert game.json
      bezique convert games.jsonl --out games.bezique
      bezique convert evening.bezique --to json --out evening.jsonl
      bezique convert old.jsonl --rules ours.toml --carry --to json --out whole.jsonl
      bezique convert games.csv --from event-log --mapping program.toml --to json | bezique validate -
    """
    from records.format import codec
    from records.format.event_log import adapter_names, find_adapter

    adapter = find_adapter(adapter_name)
    if adapter is None:
        raise Refusal(
            f"There is no adapter {adapter_name}; the adapters are {', '.join(adapter_names())}."
        )
    _check_needs(adapter_name, mapping, carry=carry)
    values = {} if mapping is None else _read_mapping(mapping)
    count = 0
    endings = JSON_ENDINGS if form == "json" else NOTATION_ENDINGS
    with open_output(out, endings) as stream, ProgressBar("converting") as bar:
        for source in find_inputs(files):
            for record in _records_of(source, adapter, values, carry=carry):
                count += 1
                text = codec.encode(record) + b"\n" if form == "json" else _notation(record, count)
                stream.write(text)
                bar.show(0, pluralize(count, "record"))
    if out != STDOUT:
        click.echo(f"Wrote {pluralize(count, 'record')} to {out}.", err=True)


def _check_needs(adapter_name: str, mapping: str | None, *, carry: bool) -> None:
    if adapter_name == "event-log" and mapping is None:
        raise Refusal("--from event-log needs --mapping: a TOML file that says what the log means.")
    if carry and not named_files():
        raise Refusal("--carry needs --rules FILE: the rulebook that goes into the records.")


def _read_mapping(name: str) -> dict[str, Any]:
    import tomllib

    try:
        with Path(name).open("rb") as file:
            return tomllib.load(file)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refusal(f"{name} is not TOML: {error}.") from None


def _records_of(
    source: CommandInput, adapter: "Adapter", mapping: dict[str, Any], *, carry: bool
) -> "Iterator[Record]":
    """The records of a file; raises Refusal at what is none."""
    from records.format import codec

    with source.opened() as stream:
        entries = adapter(stream, name=source.name, mapping=mapping)
        for number, entry in enumerate(entries, start=1):
            decoded = codec.decode(entry.data, line=entry.line)
            if entry.findings or decoded.record is None:
                finding = (entry.findings or decoded.findings)[0]
                place = InputRecord(source, number, entry).place
                pointer = f" ({finding.at.pointer})" if finding.at.pointer else ""
                raise Refusal(f"{place} is no record{pointer}: {finding.message}")
            _tell_lost_members(InputRecord(source, number, entry).place, decoded.findings)
            if carry:
                from records.rules.inner_sheet import carry_sheet

                carry_sheet(decoded.record.rules)
            yield decoded.record


def _tell_lost_members(place: str, findings: "list[Finding]") -> None:
    """Say which members of a newer version are not written: nothing knows what they mean, or how to write them."""
    lost = [finding.at.pointer or "" for finding in findings if finding.code == "unknown-member"]
    if lost:
        more = f" and {len(lost) - MOST_LOST_NAMED} more" if len(lost) > MOST_LOST_NAMED else ""
        members = f"{', '.join(lost[:MOST_LOST_NAMED])}{more}"
        words = f"Not written: members of a newer version of the format, {members}."
        click.echo(sanitize_text(f"{place}: {words}"), err=True)


def _notation(record: "Record", number: int) -> bytes:
    """A record in the notation, after a blank line if it is not the first."""
    from records.format.notation_writer import write_notation

    return b"\n" * (number > 1) + write_notation(record).encode()
