"""Adapters by name: ours, and those of other packages."""

import io
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from records.format import codec, event_log
from records.format.event_log import ConversionError, adapter_names, find_adapter
from records.format.files import Entry
from records.selfplay import play_game

SAMPLES = Path(__file__).parents[3] / "samples"
GAME = codec.encode(play_game("zique", seed=1, deals=1))


def read_backwards(source, *, name, mapping) -> Iterator[Entry]:
    """The adapter of another package: its files are records spelt backwards."""
    yield Entry(name, None, source.read()[::-1])


@pytest.fixture
def another_package(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("backwards", f"{__name__}:read_backwards", event_log.ENTRY_POINT_GROUP)
    monkeypatch.setattr(EntryPoint, "load", lambda self: read_backwards)

    def points(group: str, name: str = point.name) -> list[EntryPoint]:
        return [point] if (group, name) == (event_log.ENTRY_POINT_GROUP, point.name) else []

    monkeypatch.setattr(event_log, "entry_points", points)


def test_ours_come_first(another_package) -> None:
    assert adapter_names() == ["records", "event-log", "sriep-bezique", "backwards"]


def test_another_package_brings_its_own(another_package, run, tmp_path) -> None:
    path = tmp_path / "game.back"
    path.write_bytes(GAME[::-1])
    assert run("convert", path, "--from", "backwards", "--to", "json").stdout_bytes == GAME + b"\n"


def test_records_need_no_mapping() -> None:
    adapter = find_adapter("records")
    assert adapter is not None
    with pytest.raises(ConversionError):
        list(adapter(io.BytesIO(GAME), name="game.json", mapping={"log": {}}))


def test_an_unknown_adapter_is_refused(run, tmp_path) -> None:
    refused = run("convert", tmp_path, "--from", "chess")
    assert refused.exit_code == 2
    assert "the adapters are records, event-log, sriep-bezique." in " ".join(refused.stderr.split())


def test_a_match_that_another_program_saved_is_converted_and_judged(run, tmp_path) -> None:
    saved = run("convert", SAMPLES / "logs" / "sriep-save.json", "--from", "sriep-bezique")
    (tmp_path / "position.bezique").write_bytes(saved.stdout_bytes)
    assert "legal so far" in run("validate", tmp_path / "position.bezique").stdout
    refused = run("convert", tmp_path / "position.bezique", "--from", "sriep-bezique")
    assert refused.exit_code == 2
    assert "There is no match of Sriep's Bezique in" in " ".join(refused.stderr.split())
