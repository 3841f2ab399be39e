"""Files as people send them: compressed, in archives, in other encodings, in any layout; the records are always the same."""

import bz2
import gzip
import io
import lzma
import os
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from records.format import containers
from records.format.containers import MOST_LEVELS, from_windows_1252
from records.format.files import Entry, count_entries, read_blocks, read_entries
from records.validator import check_path
from tests.machine.cpu_cost import CpuCost

FOUND = Path(__file__).parents[4] / "shared" / "found2" / "people"
RECORDS = [
    b'{"format":"bezique-record","version":"1.0","rules":{"id":"zique"},"players":[{"name":"%s"},{"name":"Bob"}]}'
    % name
    for name in (b"Ann", "Zo\u00eb".encode(), b'{[\\"]}', b"Eve\\\\")
]


def zip_of(data: bytes) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("__MACOSX/._games", b"\x00\x05\x16\x07")
        packed.writestr("evening/games", data)
        packed.writestr("evening/.DS_Store", b"\x00")
    return archive.getvalue()


def tar_of(data: bytes) -> bytes:
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as packed:
        folder = tarfile.TarInfo("evening")
        folder.type = tarfile.DIRTYPE
        packed.addfile(folder)
        member = tarfile.TarInfo("evening/" + "games" * 30)
        member.size = len(data)
        packed.addfile(member, io.BytesIO(data))
    return archive.getvalue()


PACKINGS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "zst": lambda data: zstandard.ZstdCompressor().compress(data),
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "tar": tar_of,
    "zip": zip_of,
}
LAYOUTS: dict[str, Callable[[list[bytes]], bytes]] = {
    "lines": lambda records: b"\n".join(records),
    "a list": lambda records: b"[" + b", ".join(records) + b"]",
    "a list of lines": lambda records: b"[\n" + b",\n".join(records) + b"\n]\n",
    "lines with commas": lambda records: b"".join(record + b",\r\n" for record in records),
    "one behind the other": lambda records: b"".join(records),
    "separators": lambda records: b"".join(b"\x1e" + record + b"\n" for record in records),
    "blank lines": lambda records: b"\n\n" + b"\n \n\n".join(records) + b"\n\n",
}
ENCODINGS: dict[str, Callable[[bytes], bytes]] = {
    "utf-8": lambda data: data,
    "utf-16": lambda data: data.decode().encode("utf-16"),
    "utf-16 the other way": lambda data: b"\xfe\xff" + data.decode().encode("utf-16-be"),
    "utf-32": lambda data: data.decode().encode("utf-32"),
    **{
        name: lambda data, name=name: data.decode().encode(name)
        for name in ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
    },
    "windows": lambda data: data.decode().encode("cp1252"),
}


def entries_of(data: bytes, name: str | None = None) -> list[Entry]:
    return list(read_entries(io.BytesIO(data), name=name))


def codes_of(data: bytes, name: str = "x") -> list[str]:
    return [finding.code for entry in entries_of(data, name) for finding in entry.findings]


@settings(max_examples=150)
@given(
    st.sampled_from([*LAYOUTS]),
    st.sampled_from([*ENCODINGS]),
    st.lists(st.sampled_from([*PACKINGS]), max_size=MOST_LEVELS),
    st.sampled_from([None, "games.jsonl", "games.json", "evening.zip", "games"]),
    st.sampled_from([16, 1_000, 64 * 1024]),
)
def test_the_records_are_the_same_however_they_are_packed(
    layout: str, encoding: str, packings: list[str], name: str | None, piece: int
) -> None:
    data = ENCODINGS[encoding](LAYOUTS[layout](RECORDS))
    for packing in packings:
        data = PACKINGS[packing](data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(containers, "_PIECE_BYTES", piece)
        entries = entries_of(data, name)
        assert [entry.data for entry in entries] == RECORDS
        assert not any(entry.findings for entry in entries)
        assert any(entry.notes for entry in entries) == (encoding != "utf-8")
        blocks = list(read_blocks(io.BytesIO(data), name=name or "-", size=300))
        assert [entry.data for block in blocks for entry in block] == RECORDS
        totals = count_entries(io.BytesIO(data), name=name, most=100)
        assert totals is not None
        assert totals.records == len(RECORDS)


@pytest.mark.parametrize("packing", PACKINGS)
def test_a_file_inside_too_many_others_is_told(packing: str) -> None:
    data = RECORDS[0]
    for _ in range(MOST_LEVELS + 1):
        data = PACKINGS[packing](data)
    (entry,) = entries_of(data, "x")
    assert [finding.clause for finding in entry.findings] == ["too-deep"]


@pytest.mark.parametrize("packing", PACKINGS)
def test_a_bomb_ends_where_it_expands_too_far(packing: str) -> None:
    data = PACKINGS[packing](b" " * 3_000_000)
    assert codes_of(gzip.compress(data)) == ["expands-too-far"]
    with CpuCost() as cost:
        bomb = gzip.compress(gzip.compress(bytes(100_000_000)))
        assert codes_of(PACKINGS[packing](bomb)) == ["expands-too-far"]
    assert cost.seconds < 10


@pytest.mark.parametrize("packing", PACKINGS)
def test_a_damaged_or_shortened_file_gives_what_stands_before_and_is_told(packing: str) -> None:
    whole = PACKINGS[packing](b"\n".join(RECORDS) + b"\n" + os.urandom(20_000).hex().encode())
    for cut in (len(whole) // 2, len(whole) - 40)[: 1 if packing == "tar" else 2]:
        entries = entries_of(whole[:cut], "games.jsonl")
        assert any(entry.findings for entry in entries)
    for place in range(0, len(whole), len(whole) // 30):
        damaged = whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :]
        entries_of(damaged, "games.jsonl")


@given(st.binary(max_size=400), st.sampled_from([*PACKINGS]), st.data())
def test_no_archive_does_harm(data: bytes, packing: str, draw: st.DataObject) -> None:
    packed = bytearray(PACKINGS[packing](data))
    for _ in range(draw.draw(st.integers(0, 4))):
        packed[draw.draw(st.integers(0, len(packed) - 1))] = draw.draw(st.integers(0, 255))
    entries_of(bytes(packed), "x")


def test_an_archive_has_the_files_that_people_put_there() -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("a.json", RECORDS[0])
        packed.writestr("photo.jpg", b"\xff\xd8\xff\xe0")
        packed.writestr("more/b.jsonl.gz", gzip.compress(RECORDS[1] + b"\n" + RECORDS[2]))
        packed.writestr("empty.json", b"")
    found = [
        (entry.name, entry.line, [finding.code for finding in entry.findings])
        for entry in entries_of(archive.getvalue(), "evening.zip")
    ]
    assert found == [
        ("evening.zip/a.json", None, []),
        ("evening.zip/photo.jpg", None, ["not-text"]),
        ("evening.zip/more/b.jsonl.gz", 1, []),
        ("evening.zip/more/b.jsonl.gz", 2, []),
        ("evening.zip/empty.json", None, ["empty-file"]),
    ]


@pytest.mark.parametrize(
    ("data", "code", "words"),
    [
        (b"%PDF-1.7", "not-text", "a PDF document: copy its text, and paste that"),
        (b"\x89PNG\r\n", "not-text", "a picture (PNG): type the game, or tap it in the recorder"),
        (b"7z\xbc\xaf\x27\x1c\0\4", "not-text", "pack the files as ZIP"),
        (b"Rar!\x1a\7", "not-text", "pack the files as ZIP"),
        (b"PK\5\6" + bytes(18), "damaged-compression", "an archive without files"),
    ],
)
def test_what_cannot_be_read_is_told_once_with_its_cure(data: bytes, code: str, words: str) -> None:
    (entry,) = entries_of(data + bytes(10 if code == "not-text" else 0), "x.jsonl")
    (finding,) = entry.findings
    assert finding.code == code
    assert words in finding.message


def test_a_locked_archive_is_told() -> None:
    archive = bytearray(zip_of(RECORDS[0]))
    for sign, place in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        at = archive.find(sign)
        while at >= 0:
            archive[at + place] |= 1
            at = archive.find(sign, at + 4)
    (entry,) = entries_of(bytes(archive), "x.zip")
    assert [finding.clause for finding in entry.findings] == ["locked"]


def test_a_document_of_an_office_program_is_no_archive_of_records() -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("[Content_Types].xml", "<x/>")
        packed.writestr("word/document.xml", "<x/>")
    assert codes_of(archive.getvalue(), "evening.docx") == ["not-text"]


def test_too_many_files_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(containers, "MOST_FILES", 3)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        for number in range(5):
            packed.writestr(f"{number}.json", RECORDS[0])
    entries = entries_of(archive.getvalue(), "x.zip")
    assert [bool(entry.findings) for entry in entries] == [False, False, False, True]
    assert entries[-1].findings[0].clause == "too-many-files"
    monkeypatch.setattr(containers, "_MOST_DIRECTORY_BYTES", 100)
    assert codes_of(archive.getvalue(), "x.zip") == ["damaged-compression"]


def test_a_name_that_fills_the_memory_is_not_read() -> None:
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w", format=tarfile.GNU_FORMAT) as packed:
        member = tarfile.TarInfo("n" * 200_000)
        packed.addfile(member)
    (entry,) = entries_of(archive.getvalue(), "x.tar")
    assert "a name of more than 65,536 bytes" in entry.findings[0].message


@pytest.mark.parametrize(
    ("text", "certain"),
    [
        ("Zo\u00eb", True), ("\u00c9mile", True), ("M\u00fcller \u2013 \u201cgood\u201d", True),
        ("\u00e9", False), ("na\u00ef\u00efve", False), ("\u00a3 5", False),
    ],
)  # fmt: skip
def test_windows_1252_is_read_where_it_is_certain(text: str, certain: bool) -> None:  # noqa: FBT001
    data = text.encode("cp1252")
    assert from_windows_1252(data) == (text.encode() if certain else None)
    assert from_windows_1252(text.encode()) is None


@pytest.mark.parametrize("encoding", ["cp1251", "koi8-r", "cp1253", "cp932", "gbk"])
def test_other_scripts_are_not_taken_for_windows_1252(encoding: str) -> None:
    for text in ("Анна Иванова", "Άννα", "山田太郎"):
        try:
            data = f'{{"name":"{text}"}}'.encode(encoding)
        except UnicodeEncodeError:
            continue
        assert from_windows_1252(data) is None


def test_ten_thousand_games_in_an_archive_need_little_memory_and_no_list_of_all() -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for number in range(10_000):
            packed.writestr(f"game-{number}.json", RECORDS[0])
    first = next(iter(read_entries(io.BytesIO(archive.getvalue()), name="x.zip")))
    assert first.data == RECORDS[0]
    assert sum(1 for _ in read_entries(io.BytesIO(archive.getvalue()), name="x.zip")) == 10_000


@pytest.mark.skipif(not FOUND.is_dir(), reason="the files are not beside the repository")
def test_files_that_people_sent_are_read() -> None:
    names = (
        "evening.tar.gz",
        "array_of_records.json",
        "pretty_printed.jsonl",
        "utf16_powershell.jsonl",
    )
    for name in names:
        reports = [*check_path(FOUND / name)]
        assert len(reports) >= 2
        assert {report.verdict for report in reports} <= {"legal", "undetermined", "incomplete"}, (
            name
        )
