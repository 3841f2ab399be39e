"""Where commands write: files, links, pipes and devices, and what is none of them."""

import os
import re
import stat
import threading
from pathlib import Path

import pytest

import bezique
from records.format import codec
from tests.machine.small_disk import fill_disk, small_disk

WAYS = ["play", "convert", "export", "write"]
"""All that writes records to a file that somebody names: three commands, and a function of the library."""


@pytest.fixture
def write_to(run, game, tmp_path):
    """Writes a record to a file in one of these ways."""

    def write(way: str, path: Path) -> None:
        if way == "write":
            assert bezique.write(bezique.parse(game.read_bytes()), path) == 1
            return
        data = ("--data", tmp_path / "data")
        words = {
            "play": ("play", "--rules", "zique", "--out", path),
            "convert": ("convert", game, "--to", "json", "--out", path),
            "export": ("export", path, *data),
        }
        if way == "export":
            run("ingest", game, *data)
        replaced = f"Replaced {path}, which was there before.\n" if path.is_file() else ""
        result = run(*words[way])
        assert (result.exit_code, result.stderr) == (0, f"{replaced}Wrote 1 record to {path}.\n")

    return write


@pytest.mark.parametrize("way", WAYS)
def test_a_pipe_stays_a_pipe_and_receives_the_record(write_to, tmp_path, legal, way):
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    write_to(way, pipe)
    assert stat.S_ISFIFO(pipe.lstat().st_mode)
    reader.join()
    assert codec.decode(read[0]).record == codec.decode(legal).record


@pytest.mark.parametrize("way", WAYS)
def test_a_device_stays_a_device(write_to, tmp_path, way):
    device = tmp_path / "device.jsonl"
    try:
        os.mknod(device, stat.S_IFCHR | 0o600, os.makedev(1, 3))
        device.write_bytes(b"")
    except PermissionError:
        pytest.skip("this user can make no devices")
    write_to(way, device)
    assert stat.S_ISCHR(device.lstat().st_mode)
    assert not [path for path in tmp_path.iterdir() if path.name.endswith(".draft")]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("before", [None, b"before"])
def test_a_link_stays_a_link_and_its_file_is_written(write_to, tmp_path, legal, way, before):
    there, link = tmp_path / "there", tmp_path / "link.jsonl"
    there.mkdir()
    if before is not None:
        (there / "games.jsonl").write_bytes(before)
    link.symlink_to("there/games.jsonl")
    write_to(way, link)
    assert link.readlink() == Path("there/games.jsonl")
    written = codec.decode((there / "games.jsonl").read_bytes().strip()).record
    assert written == codec.decode(legal).record
    assert [path.name for path in there.iterdir()] == ["games.jsonl"]


def test_a_folder_is_refused_before_anything_is_played(run, tmp_path, monkeypatch):
    played: list[object] = []
    monkeypatch.setattr("records.selfplay.play_game", lambda *_, **options: played.append(options))
    result = run("play", "--rules", "zique", "--out", tmp_path)
    assert (result.exit_code, result.stderr) == (2, f"Error: {tmp_path}: Is a directory.\n")
    assert played == []


def test_results_of_the_kit_go_through_links_and_pipes(tmp_path):
    from webui.cli.commands.conform import _try_to_write

    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to("nothing")
    _try_to_write(pipe, link)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "pipe"]


@pytest.mark.long
@pytest.mark.parametrize(
    "words", ["play --rules zique --out {}/games.jsonl", "convert game.json --out {}/game.bezique",
              "export {}/games.jsonl --data data", "export {}/games --data data", "conform write {}/kit"],
)  # fmt: skip
def test_what_is_written_to_a_full_disk_is_named(run, words, tmp_path, game, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("ingest", game, "--data", "data")
    with small_disk(tmp_path / "disk", 1) as disk:
        fill_disk(disk)
        result = run(*words.format("disk").split())
    assert result.exit_code == 2
    place = words.partition("{}")[2].split()[0]
    assert re.fullmatch(rf"Error: disk{place}\S*: No space left on device\.\n", result.stderr), (
        result.stderr
    )


@pytest.mark.long
def test_tables_on_a_full_disk_name_that_disk(run, tmp_path, game, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("ingest", game, "--data", "data")
    with small_disk(tmp_path / "disk", 1) as disk:
        fill_disk(disk, but=16 * 1024)
        result = run("export", "--parquet", "disk/tables", "--data", "data")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"Error: There is no room left on the disk of {tmp_path}/disk:")
