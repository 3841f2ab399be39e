"""`bezique convert`: records written another way, and files of other programs as records."""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from records.phrases import pluralize, sanitize_text
from webui.cli.commands.play import STDOUT, open_output
from webui.cli.main import FilePath, ProgressBar, Refusal, completion
from webui.cli.own_sheets import named_files, own_sheets_option
from webui.cli.sources import (
    JSON_ENDINGS,
    NOTATION_ENDINGS,
    InputRecord,
    find_inputs,
    telling_replaced,
)

if TYPE_CHECKING:  # what works is loaded when it is needed, so that the help starts at once
    from records.format.event_log import Adapter, LogReader
    from records.format.files import Entry
    from records.format.log_mapping import MappingFile
    from records.format.log_translator import LineAccount
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
    help="What FILES are: records in JSON or in the notation, event-log, sriep-bezique, or what another package reads.",
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
@click.option(
    "--explain", "explained", metavar="LINES",
    help="Instead say of lines of an event log what became of them: 12, 12-20 or all.",
)  # fmt: skip
@click.option(
    "--draft", is_flag=True,
    help="Instead propose a mapping for FILES, a log of another program, to be finished by hand.",
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
    explained: str | None,
    draft: bool,
) -> None:
    """Write records in the notation that people read and type, or back as JSON.

    FILES are files of records, folders or patterns; - is standard input. Nothing is lost on the way except members of a
    newer version of the format, which are named: the JSON that comes back is the record in its canonical form. With
    --from event-log they are logs of another program, as CSV, JSON or plain text, and --draft proposes a mapping for
    one; with --from sriep-bezique they are matches that the Bezique by Sriep has saved. Every site explains the notation
    at /spec/notation, and the rest at /docs/converting.

    \b
      bezique convert game.json
      bezique convert games.jsonl --out games.bezique
      bezique convert evening.bezique --to json --out evening.jsonl
      bezique convert old.jsonl --rules ours.toml --carry --to json --out whole.jsonl
      bezique convert games.csv --from event-log --mapping program.toml --to json | bezique validate -
      bezique convert games.csv --draft --out program.toml
      bezique convert save.json --from sriep-bezique --to json --out position.json
      bezique convert games.csv --from event-log --mapping program.toml --explain 12-20
    """
    if draft:
        _write_draft(files, out)
        return
    adapter = _find_adapter(adapter_name)
    _check_needs(adapter_name, mapping, carry=carry)
    values = {} if mapping is None else _read_mapping(mapping)
    if explained is not None:
        _explain(files, adapter_name, values, explained)
        return
    _write_records(_records_of(_entries(files, adapter, values), values, carry=carry), form, out)


def _write_records(records: "Iterator[Record]", form: str, out: str) -> None:
    """Write records to a file as they come, and say how many at the end."""
    from records.format import codec

    count = 0
    endings = JSON_ENDINGS if form == "json" else NOTATION_ENDINGS
    with open_output(out, endings) as stream, ProgressBar("converting") as bar:
        for record in records:
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


def _find_adapter(name: str) -> "Adapter":
    from records.format.event_log import adapter_names, find_adapter

    adapter = find_adapter(name)
    if adapter is None:
        raise Refusal(f"There is no adapter {name}; the adapters are {', '.join(adapter_names())}.")
    return adapter


def _read_mapping(name: str) -> "MappingFile":
    from records.format.log_mapping import read_mapping_file

    return read_mapping_file(Path(name).read_bytes(), name)


def _entries(
    files: tuple[str, ...], adapter: "Adapter", mapping: Mapping[str, Any]
) -> "Iterator[InputRecord]":
    """The records of all files; a game of an event log may go on from one file to the next."""
    from records.format.event_log import LogReader, read_event_log

    reader = LogReader(mapping) if adapter is read_event_log else None
    read = adapter if reader is None else partial(_read_log, reader)
    source = None
    for source in find_inputs(files):
        with source.opened() as stream:
            for number, entry in enumerate(
                read(stream, name=source.name, mapping=mapping), start=1
            ):
                yield InputRecord(source, number, entry)
    if reader is not None and source is not None:
        for entry in reader.finish():
            yield InputRecord(source, 1, entry)


def _read_log(
    reader: "LogReader", stream: BinaryIO, *, name: str, mapping: Mapping[str, Any]
) -> "Iterator[Entry]":
    yield from reader.read(stream, name=name)


def _records_of(
    entries: "Iterator[InputRecord]", mapping: Mapping[str, Any], *, carry: bool
) -> "Iterator[Record]":
    """The records that entries are; raises Refusal at what is none."""
    from records.format import codec

    for given in entries:
        entry = given.entry
        decoded = codec.decode(entry.data, line=entry.line)
        if entry.findings or decoded.record is None:
            finding = (entry.findings or decoded.findings)[0]
            pointer = f" ({finding.at.pointer})" if finding.at.pointer else ""
            origin = _origin_of(entry, finding.at.pointer or "", mapping)
            raise Refusal(f"{given.place} is no record{pointer}: {finding.message}{origin}")
        _tell_lost_members(given.place, decoded.findings)
        if carry:
            from records.rules.inner_sheet import carry_sheet

            carry_sheet(decoded.record.rules)
        yield decoded.record


def _origin_of(entry: "Entry", pointer: str, mapping: Mapping[str, Any]) -> str:
    """Which line of a log wrote a value of a record, and what made it do so, in a sentence."""
    from records.format.event_log import ConvertedGame
    from records.format.log_mapping import name_mapping_place

    origin = entry.origin_of(pointer) if isinstance(entry, ConvertedGame) else None
    if origin is None:
        return ""
    account, written = origin
    place = name_mapping_place(mapping, written.path)
    return f" Line {account.line} of {account.name} wrote this. See {place}."


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


# What became of the lines of a log.

_LINES = re.compile(r"(\d{1,12})(?:-(\d{1,12}))?")
_EVENT_PLACE = re.compile(r"/deals/(\d+)(?:/events/(\d+))?(?=/|$)")


def _explain(
    files: tuple[str, ...], adapter_name: str, mapping: Mapping[str, Any], lines: str
) -> None:
    from records.format.event_log import LogReader

    if adapter_name != "event-log":
        raise Refusal("--explain is for --from event-log.")
    wanted = _wanted_lines(lines)
    reader = LogReader(mapping)
    for source in find_inputs(files):
        with source.opened() as stream:
            for account in _accounts(reader, stream, source.name):
                if account.line in wanted:
                    click.echo("\n".join(_explanation(account, mapping)))
    list(reader.finish())


def _wanted_lines(lines: str) -> range:
    found = _LINES.fullmatch(lines)
    if lines != "all" and found is None:
        raise Refusal(f"--explain takes a line as 12, lines as 12-20, or all, not {lines}.")
    if found is None:
        return range(1, sys.maxsize)
    return range(int(found[1]), int(found[2] or found[1]) + 1)


def _accounts(reader: "LogReader", stream: BinaryIO, name: str) -> "Iterator[LineAccount]":
    """What became of each line, told when its game has ended, or when a line cannot be converted."""
    from records.format.event_log import ConversionError, ConvertedGame

    waiting: list[LineAccount] = []
    try:
        for found in reader.follow(stream, name=name):
            if isinstance(found, ConvertedGame):
                yield from waiting
                waiting.clear()
            else:
                waiting.append(found)
    except ConversionError:
        yield from waiting
        raise
    yield from waiting


def _explanation(account: "LineAccount", mapping: Mapping[str, Any]) -> Iterator[str]:
    from records.format.log_mapping import name_mapping_place

    place = click.style(f"{account.name}:{account.line}:", bold=True)
    yield f"{place} {sanitize_text(account.text)}"
    yield f"  read by {name_mapping_place(mapping, account.rule)}"
    if account.groups:
        values = ", ".join(f"{name} “{value}”" for name, value in account.groups.items())
        yield f"  with {sanitize_text(values)}"
    for written in account.written:
        yield sanitize_text(f"  {_place_in_words(written.pointer)}: {_json(written.value)}")
    if not account.written:
        yield "  writes nothing"


def _place_in_words(pointer: str) -> str:
    found = _EVENT_PLACE.match(pointer)
    if found is None:
        return pointer.lstrip("/")
    event = "" if found[2] is None else f", event {int(found[2]) + 1}"
    rest = pointer[found.end() :].strip("/").replace("/", " ")
    return f"deal {int(found[1]) + 1}{event}{', ' if rest else ''}{rest}"


def _json(value: Any) -> str:
    import json

    return json.dumps(value, ensure_ascii=False, default=str)


def _write_draft(files: tuple[str, ...], out: str) -> None:
    """Propose a mapping for logs."""
    from analyzer.store.durable_files import open_named_file
    from records.format.log_layout import read_beginning
    from records.format.mapping_draft import draft_mapping

    logs = []
    for source in find_inputs(files):
        with source.opened() as stream:
            logs.append((source.name, read_beginning(source.name, stream)))
    text = draft_mapping(logs)
    if out == STDOUT:
        click.echo(text, nl=False)
        return
    with telling_replaced(Path(out)), open_named_file(Path(out)) as stream:
        stream.write(text.encode())
    click.echo(f"Wrote a mapping to {out}.", err=True)
