"""Files that survive a power loss: whole or absent, private, and on the disk before anybody is told."""

import os
import re
import threading
from pathlib import Path

import pytest

from analyzer.store import durable_files
from analyzer.store.durable_files import (
    make_private_folder,
    open_draft,
    remove_drafts,
    save_file,
    write_file,
    write_new_file,
)

WRITES = re.compile(
    r"""\.write_(text|bytes)\(|copyfile\(|\bopen\([^)\n]*["'][wxa]b?\+?["']|O_CREAT|fileobj="""
)
WRITERS = {
    "analyzer/store/durable_files.py": "the place for all others",
    "analyzer/store/processes.py": "a setting of the system",
    "analyzer/upkeep/rescue.py": "in a passing folder",
    "analyzer/lake/asking.py": "in a passing folder",
    "analyzer/store/instance.py": "its caller syncs the copy",
    "analyzer/store/reserve.py": "a file whose bytes nobody reads",
    "analyzer/store/parquet.py": "in a draft that is synced as a whole",
    "analyzer/players/simulation.py": "a file of the project, made by hand",
    "analyzer/play/fitting.py": "a file of the project, made by hand",
    "webui/cli/commands/conform.py": "a report and a badge, made anew at every run",
}
"""The modules that write to a file by themselves, and why they may."""


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was asked of the operating system, in order: a file, a folder, a new name."""
    made: list[str] = []
    sync, replace, link = os.fsync, Path.replace, os.link

    def syncing(handle: int) -> None:
        path = Path(f"/proc/self/fd/{handle}").readlink()
        made.append("folder" if path.is_dir() else "file")
        sync(handle)

    def renaming(path: Path, target: Path) -> Path:
        made.append("name")
        return replace(path, target)

    def linking(path: Path, target: Path) -> None:
        made.append("name")
        link(path, target)

    monkeypatch.setattr(durable_files.os, "fsync", syncing)
    monkeypatch.setattr(durable_files.os, "link", linking)
    monkeypatch.setattr(Path, "replace", renaming)
    return made


def test_bytes_are_on_the_disk_before_the_name_and_the_name_before_the_return(
    tmp_path: Path, calls: list[str]
) -> None:
    write_file(tmp_path / "key", b"one")
    write_new_file(tmp_path / "new", b"one")
    save_file(tmp_path / "saved", lambda path: path.write_bytes(b"one"))
    assert calls == ["file", "name", "folder"] * 3


def test_a_file_is_private_even_if_the_mask_is_open(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        write_file(tmp_path / "key", b"")
        save_file(tmp_path / "saved", lambda path: path.write_bytes(b""))
        make_private_folder(tmp_path / "new" / "data")
    finally:
        os.umask(before)
    modes = [path.stat().st_mode & 0o777 for path in (tmp_path / "key", tmp_path / "saved")]
    assert modes == [0o600, 0o600]
    assert [(tmp_path / name).stat().st_mode & 0o777 for name in ("new", "new/data")] == [0o700] * 2


def test_what_fails_changes_nothing_and_leaves_nothing(tmp_path: Path) -> None:
    write_file(tmp_path / "key", b"before")
    with pytest.raises(RuntimeError):
        _write_and_fail(tmp_path / "key")
    with pytest.raises(FileNotFoundError):
        save_file(tmp_path / "key", lambda path: None)
    assert [path.name for path in tmp_path.iterdir()] == ["key"]
    assert (tmp_path / "key").read_bytes() == b"before"


def _write_and_fail(path: Path) -> None:
    with open_draft(path) as stream:
        stream.write(b"half")
        raise RuntimeError


def test_of_many_that_write_a_new_file_one_does(tmp_path: Path) -> None:
    wrote: list[int] = []

    def write(number: int) -> None:
        if write_new_file(tmp_path / "key", str(number).encode()):
            wrote.append(number)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(wrote) == 1
    assert (tmp_path / "key").read_bytes() == str(wrote[0]).encode()
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


def test_a_folder_that_is_there_keeps_its_mode(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir(mode=0o755)
    assert not make_private_folder(tmp_path / "shared")
    assert (tmp_path / "shared").stat().st_mode & 0o777 == 0o755


def test_drafts_of_a_killed_process_are_removed(tmp_path: Path) -> None:
    write_file(tmp_path / "key", b"")
    (tmp_path / ".key.0123.draft").write_bytes(b"half")
    remove_drafts(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


def test_no_other_module_writes_files() -> None:
    root = Path(__file__).parents[3]
    found = {
        str(path.relative_to(root))
        for package in ("analyzer", "webui")
        for path in (root / package).rglob("*.py")
        if WRITES.search(path.read_text(encoding="utf-8"))
    }
    assert found == set(WRITERS)
