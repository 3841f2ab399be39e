"""The validator under test: unlabelled two-pack records, timed stage by stage."""

import io
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from records import replay as frames
from records import selfplay, validator
from records.events import Play
from records.format import codec
from records.record import Record
from records.rules import registry
from tests.bench.environment import digest_of_sources

SHEET, SIX_PACKS = "bezique", "six-pack-bezique"
PASSES = 5
"""The short stages are repeated inside a round, so that the clock sees enough of them."""


def path_of(folder: Path, games: int, sheet: str = SHEET) -> Path:
    """The records' file, named by a digest of the sources that wrote it."""
    return folder / f"{sheet}-{games}-{digest_of_sources()}.jsonl"


def write(folder: Path, games: int, sheet: str = SHEET) -> Path:
    """The file of complete games, one a seed, written now unless these sources wrote it before."""
    path = path_of(folder, games, sheet)
    if not path.exists():
        for old in folder.glob(f"{sheet}-{games}-*.jsonl"):
            old.unlink()
        text = b"".join(codec.encode(_game(sheet, seed)) + b"\n" for seed in range(games))
        path.write_bytes(text)
    return path


def _game(sheet: str, seed: int) -> Record:
    """A game by self-play that leaves open which of two like cards was played."""
    record = selfplay.play_game(sheet, seed=seed)
    for deal in record.deals:
        for event in deal.events:
            if isinstance(event, Play):
                event.source = None
    return record


def _lines(folder: Path, games: int, sheet: str = SHEET) -> list[bytes]:
    return write(folder, games, sheet).read_bytes().splitlines()


def _records(folder: Path, games: int) -> list[Record]:
    return list(map(msgspec.json.Decoder(Record).decode, _lines(folder, games)))


def _events(records: list[Record]) -> int:
    return sum(len(deal.events) for record in records for deal in record.deals)


def validate(folder: Path, games: int) -> Callable[[], int]:
    """Bytes in, report out; every game must be found legal."""
    return _validated(_lines(folder, games))


def validate_six_packs(folder: Path, games: int) -> Callable[[], int]:
    """The same of six packs."""
    return _validated(_lines(folder, games, SIX_PACKS))


def _validated(lines: list[bytes]) -> Callable[[], int]:
    verdicts = {validator.check(line).verdict for line in lines}
    if verdicts != {"legal"}:
        raise SystemExit(f"not every generated game is legal: {verdicts}")
    return lambda: sum(validator.check(line).events for line in lines)


def floor(folder: Path, games: int) -> Callable[[], int]:
    """The decoder alone, into the same structs."""
    return _decoded(_lines(folder, games))


def floor_six_packs(folder: Path, games: int) -> Callable[[], int]:
    """The same of six packs."""
    return _decoded(_lines(folder, games, SIX_PACKS))


def _decoded(lines: list[bytes]) -> Callable[[], int]:
    decoder = msgspec.json.Decoder(Record)
    events = _events(list(map(decoder.decode, lines)))

    def one_round() -> int:
        for _ in range(PASSES):
            for line in lines:
                decoder.decode(line)
        return PASSES * events

    return one_round


def decode(folder: Path, games: int) -> Callable[[], int]:
    """The codec: the decoder and its limits and checks."""
    lines = _lines(folder, games)
    events = _events(_records(folder, games))

    def one_round() -> int:
        for _ in range(PASSES):
            for line in lines:
                codec.decode(line)
        return PASSES * events

    return one_round


def digest(folder: Path, games: int) -> Callable[[], int]:
    """The identity of decoded records."""
    decoded = list(map(codec.decode, _lines(folder, games)))
    events = _events(_records(folder, games))

    def one_round() -> int:
        for one in decoded:
            one.digest()
        return events

    return one_round


def replay(folder: Path, games: int) -> Callable[[], int]:
    """The fold as the report reads it: frames only where something is found, and at the end of a deal."""
    return _folded(_records(folder, games), findings_only=True)


def every_frame(folder: Path, games: int) -> Callable[[], int]:
    """The fold as pages and statistics read it."""
    return _folded(_records(folder, games), findings_only=False)


def _folded(records: list[Record], *, findings_only: bool) -> Callable[[], int]:
    events = _events(records)
    sheet = registry.resolve_sheet(SHEET, None, {})

    def one_round() -> int:
        for record in records:
            for _frame in frames.replay(record, sheet, findings_only=findings_only):
                pass
        return events

    return one_round


def written(folder: Path, games: int) -> Callable[[], int]:
    """Reports as JSON, as the command line prints them."""
    reports = list(map(validator.check, _lines(folder, games)))
    encode = msgspec.json.Encoder().encode

    def one_round() -> int:
        return sum(report.events for report in reports if encode(report))

    return one_round


def repeated(folder: Path, games: int, times: int) -> Iterator[bytes]:
    """The lines of the file over and over, for a larger one."""
    for _ in range(times):
        yield from io.BytesIO(write(folder, games).read_bytes())
