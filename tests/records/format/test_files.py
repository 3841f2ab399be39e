"""Files of records: plain, compressed, damaged, enormous."""

import gzip
import io
import itertools
import json
import os
import time
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from records.format import codec, containers, files
from records.format.containers import _kind_without_text, from_windows_1252
from records.format.files import BLOCK_BYTES, read_blocks, read_entries
from records.record import MAX_RECORD_BYTES

ONE = b'{"format":"bezique-record","version":"1.0","rules":{"id":"zique"},"players":[{"name":"a"},{"name":"b"}]}'
TWO = ONE.replace(b'"zique"', b'"marjolet"')
NOTED = b'[bezique 1.0]\n[rules zique]\n[player a "a"]\n[player b "b"]\n'
PRETTY = ONE.replace(b',"', b',\n "')
Found = list[tuple[int | None, bytes, list[str]]]


def found(data: bytes, name: str | None = None) -> Found:
    """Line, text and codes of every entry."""
    return [
        (entry.line, entry.data, [finding.code for finding in entry.findings])
        for entry in read_entries(io.BytesIO(data), name=name)
    ]


def zstd(data: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(data)


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd], ids=["plain", "gzip", "zstd"])
@pytest.mark.parametrize(
    ("name", "data", "entries"),
    [
        ("game.json", ONE, [(None, ONE, [])]),
        ("game.json", PRETTY, [(None, PRETTY, [])]),
        ("games.jsonl", ONE + b"\n" + TWO + b"\n", [(1, ONE, []), (2, TWO, [])]),
        ("games.jsonl", ONE, [(1, ONE, [])]),
        ("GAMES.JSONL.GZ", ONE, [(1, ONE, [])]),
        ("games.ndjson.zst", b"\n\n" + ONE + b"\n \n" + TWO, [(3, ONE, []), (5, TWO, [])]),
        (
            "games.jsonl",
            ONE + b"\r\n" + TWO + b"\r\n",
            [(1, ONE + b"\r", []), (2, TWO + b"\r", [])],
        ),
        (None, ONE, [(None, ONE, [])]),
        (None, b"\n" + ONE + b"\n", [(None, b"\n" + ONE + b"\n", [])]),
        (None, PRETTY, [(None, PRETTY, [])]),
        (None, ONE + b"\n" + TWO, [(1, ONE, []), (2, TWO, [])]),
        (None, b"{broken\n\n" + TWO, [(1, b"{broken", []), (3, TWO, [])]),
        ("upload", b'{"deals":[\n{"dealer":0}\n]}', [(None, b'{"deals":[\n{"dealer":0}\n]}', [])]),
        (None, NOTED, [(None, NOTED, [])]),
        ("game.json", b"\xef\xbb\xbf\n" + NOTED, [(None, b"\xef\xbb\xbf\n" + NOTED, [])]),
        ("games.bezique", NOTED + b"\n" + NOTED, [(1, NOTED + b"\n", []), (6, NOTED, [])]),
        ("games.jsonl", NOTED * 3, [(1, NOTED, []), (5, NOTED, []), (9, NOTED, [])]),
        (None, NOTED + b"[bezique", [(None, NOTED + b"[bezique", [])]),
        (None, b"", [(None, b"", ["empty-file"])]),
        ("games.jsonl", b"\n \r\n", [(None, b"", ["empty-file"])]),
        ("game.json", b" \n", [(None, b" \n", ["empty-file"])]),
    ],
)
def test_what_a_file_holds(
    name: str | None, data: bytes, entries: Found, pack: type[bytes]
) -> None:
    assert found(pack(data), name) == entries


def noted(sizes: list[int]) -> bytes:
    """Records in the notation with comments that make them so large."""
    return b"".join(NOTED + b"#" * (size - len(NOTED) - 1) + b"\n" for size in sizes)


def test_the_next_tag_does_not_make_a_record_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not where a piece ends within it, either."""
    monkeypatch.setattr(files, "MAX_RECORD_BYTES", 300)
    for piece in range(1, 12):
        monkeypatch.setattr(containers, "_PIECE_BYTES", piece)
        for size in range(290, 304):
            entries = read_entries(io.BytesIO(noted([256, 400, 400, size, 60])))
            kept = size if size <= 300 else 0
            assert [len(entry.data) for entry in entries] == [256, 0, 0, kept, 60]


class HesitantStream(io.BytesIO):
    """A stream that delivers a few bytes at a time, as a slow network does."""

    most = 1

    def read(self, size: int | None = -1) -> bytes:
        return super().read(self.most if size is None or size < 0 else min(size, self.most))


LARGE_LINES = st.builds(
    lambda size, broken: (b"{" if broken else b'{"format":"') + b"a" * (size - 13) + b'"}',
    st.sampled_from([*range(295, 306), 60, 400, 1500]),
    st.booleans(),
)
LARGE_FILES = st.one_of(
    st.builds(
        lambda above, sizes: b"# comment\n" * above + noted(sizes),
        st.sampled_from([0, 0, 1, 7, 20, 29]),
        st.lists(st.sampled_from([*range(295, 306), 60, 400, 1500]), min_size=1, max_size=4),
    ),
    st.builds(
        lambda lines, end, between: (end + between).join(lines) + end,
        st.lists(LARGE_LINES, min_size=1, max_size=4),
        st.sampled_from([b"\n", b"\r\n", b" "]),
        st.sampled_from([b"", b"\n", b"\n" * 70]),
    ),
)


@pytest.mark.long
@given(
    data=LARGE_FILES,
    piece=st.integers(1, 400),
    most=st.integers(1, 80),
    name=st.sampled_from([None, "a.json", "a.jsonl"]),
    pack=st.sampled_from([bytes, gzip.compress, zstd]),
)
def test_what_a_file_holds_does_not_depend_on_how_it_is_delivered(
    data: bytes, piece: int, most: int, name: str | None, pack: Callable[[bytes], bytes]
) -> None:
    """Records of about the largest size, in every layout, compared with the same file read at once."""
    packed = pack(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "MAX_RECORD_BYTES", 300)
        patch.setattr(files, "_TELLING_BYTES", 64)
        patch.setattr(HesitantStream, "most", most)
        whole = found(packed, name)
        hesitant = list(read_entries(HesitantStream(packed), name=name))
        assert [(one.line, one.data) for one in hesitant] == [one[:2] for one in whole]
        patch.setattr(containers, "_PIECE_BYTES", piece)
        assert found(packed, name) == whole
        blocks = read_blocks(io.BytesIO(packed), name=name or "-", size=500)
        assert [len(entry.data) for block in blocks for entry in block] == [
            len(text) for _, text, _ in whole
        ]


def test_how_far_a_stream_expands_does_not_depend_on_how_it_is_delivered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(containers, "FREE_EXPANDED_BYTES", 0)
    packed = gzip.compress(b"\n" * 40_000 + ONE) + gzip.compress(os.urandom(3_000))
    whole = found(packed, "a.jsonl")
    for most in (1, 10, 100, 1_000):
        monkeypatch.setattr(HesitantStream, "most", most)
        entries = list(read_entries(HesitantStream(packed), name="a.jsonl"))
        codes = [[finding.code for finding in entry.findings] for entry in entries]
        assert codes == [codes for _, _, codes in whole]


@pytest.mark.long
@pytest.mark.parametrize("piece", [1, 7, 64 * 1024])
@given(data=st.data())
def test_records_in_the_notation_are_cut_the_same_wherever_pieces_end(
    piece: int, data: st.DataObject
) -> None:
    sizes = data.draw(st.lists(st.integers(60, 400), min_size=1, max_size=5))
    text = noted(sizes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(containers, "_PIECE_BYTES", piece)
        patch.setattr(files, "MAX_RECORD_BYTES", 300)
        entries = list(read_entries(io.BytesIO(text)))
        blocks = list(read_blocks(io.BytesIO(text), name="-", size=500))
    lines = [None] if len(sizes) == 1 else [1 + 5 * number for number in range(len(sizes))]
    assert [entry.line for entry in entries] == lines
    assert [len(entry.data) for entry in entries] == [size if size <= 300 else 0 for size in sizes]
    assert [entry.data for block in blocks for entry in block] == [one.data for one in entries]
    assert [block.final for block in blocks] == [False] * (len(blocks) - 1) + [True]
    assert [block.start for block in blocks[1:]] == [block.stop for block in blocks[:-1]]


def test_a_cut_off_file_in_the_notation_says_so() -> None:
    packed = gzip.compress(NOTED * 2)[:-12]
    *_, last = read_entries(io.BytesIO(packed))
    assert [one.code for one in last.findings] == ["damaged-compression"]


def test_a_path_is_opened_and_named(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(ONE + b"\n" + TWO)
    assert [(entry.name, entry.line) for entry in read_entries(path)] == [
        (str(path), 1),
        (str(path), 2),
    ]
    with pytest.raises(FileNotFoundError):
        list(read_entries(tmp_path / "nothing.json"))


def test_every_line_decodes_to_its_own_findings() -> None:
    data = ONE + b"\n{}\n" + TWO + b"\nnot json\n" + ONE
    reports = [
        codec.decode(e.data, line=e.line) for e in read_entries(io.BytesIO(data), name="x.jsonl")
    ]
    assert [report.record is not None for report in reports] == [True, False, True, False, True]
    assert [f.at.line for report in reports for f in report.findings] == [2, 4]


def test_several_compressed_members_are_one_file() -> None:
    for pack in (gzip.compress, zstd):
        data = pack(ONE + b"\n") + pack(TWO + b"\n")
        assert found(data, "x.jsonl") == [(1, ONE, []), (2, TWO, [])]
    padded = gzip.compress(ONE) + b"\0" * 5000
    assert found(padded, "x.jsonl") == [(1, ONE, [])]
    skippable = b"\x50\x2a\x4d\x18\x04\0\0\0skip"
    assert found(skippable + zstd(ONE), "x.json") == [(None, ONE, [])]


@pytest.mark.parametrize("pack", [gzip.compress, zstd], ids=["gzip", "zstd"])
def test_a_file_cut_off_yields_what_came_before(pack: type[bytes]) -> None:
    lines = [ONE.replace(b'"a"', f'"{number * 7919 % 10007}"'.encode()) for number in range(5000)]
    whole = pack(b"\n".join(lines))
    for length in (len(whole) * 2 // 3, len(whole) - 1):
        *good, (line, _, codes) = found(whole[:length], "games.jsonl")
        assert [data for _, data, _ in good] == lines[: len(good)]
        assert codes == ["damaged-compression"]
        assert line == len(good) + 1
    assert len(good) > 3000


@pytest.mark.parametrize("pack", [gzip.compress, zstd], ids=["gzip", "zstd"])
def test_a_damaged_file_says_so(pack: type[bytes]) -> None:
    packed = pack(ONE + b"\n")
    assert found(packed + b"rubbish", "x.jsonl")[-1][2] == ["damaged-compression"]
    assert found(packed[:10] + bytes(20), "x.json")[-1][2] == ["damaged-compression"]


def test_a_window_beyond_reason_is_refused() -> None:
    parameters = zstandard.ZstdCompressionParameters(window_log=28, write_content_size=0)
    packer = zstandard.ZstdCompressor(compression_params=parameters)
    stream = packer.compressobj()
    data = stream.compress(ONE) + stream.flush()
    assert found(data, "x.json")[0][2] == ["damaged-compression"]


@pytest.mark.parametrize("pack", [gzip.compress, zstd], ids=["gzip", "zstd"])
def test_a_file_that_expands_too_far_is_stopped(
    pack: type[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(containers, "MAX_EXPANDED_BYTES", 100_000)
    entries = found(pack((ONE + b"\n") * 10 + b" " * 10_000_000), "x.jsonl")
    assert [data for _, data, _ in entries[:-1]] in ([ONE] * 10, [])
    assert entries[-1][2] == ["expands-too-far"]


def test_a_line_too_long_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_RECORD_BYTES", 300)
    entries = found(b"x" * 301 + b"\n" + ONE + b"\n" + b" " * 300 + b"\n" + b"y" * 999, "x.jsonl")
    assert entries == [(1, b"", ["record-too-large"]), (2, ONE, []), (4, b"", ["record-too-large"])]
    assert found(b"x" * 301, "x.json") == [(None, b"", ["record-too-large"])]
    assert [data for _, data, _ in found(PRETTY * 3)] == [PRETTY.strip()] * 3
    assert found(PRETTY.replace(b"zique", b"z" * 300), "x.json") == [
        (None, b"", ["record-too-large"])
    ]


class Endless(io.RawIOBase):
    """A file made while it is read, so that only the reader's own memory counts."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.pieces = pieces

    def read(self, size: int = -1) -> bytes:
        return next(self.pieces, b"")


def peak_of(pieces: Iterator[bytes], name: str) -> int:
    """The most memory that reading takes, in bytes."""
    tracemalloc.start()
    try:
        for _ in read_entries(Endless(pieces), name=name):  # type: ignore[arg-type]
            pass
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_memory_does_not_grow_with_the_file() -> None:
    piece = (ONE + b"\n") * 600
    assert peak_of((piece for _ in range(600)), "x.jsonl") < 2_000_000


def test_a_line_without_end_is_not_kept() -> None:
    piece = b"x" * 65536
    assert peak_of((piece for _ in range(1000)), "x.jsonl") < 3 * MAX_RECORD_BYTES


def test_a_string_without_end_is_not_kept_nor_read_again() -> None:
    """Quotation marks, backslashes and braces in it do not matter; what follows it is no record."""
    start = time.process_time()
    for start_of, piece in ((b'[\n{"', b"a" * 65536), (b'{\n"a": "', b'\\"{\\\\}' * 9000)):
        pieces = itertools.chain([start_of], (piece for _ in range(600)))
        assert peak_of(pieces, "x.json") < 5 * MAX_RECORD_BYTES
    assert time.process_time() - start < 10


@given(
    st.lists(st.sampled_from(["a", '"', "\\", "{", "}", "[", ",", "\n", "é", " "]), max_size=25),
    st.integers(1, 5),
)
def test_values_do_not_depend_on_the_pieces(words: list[str], size: int) -> None:
    text = json.dumps({"a": "".join(words), "b": {"c": ['"' * len(words)]}}, indent=1)
    data = f"[{text},\n{text}]".encode()
    pieces = iter([data[start : start + size] for start in range(0, len(data), size)])
    entries = list(read_entries(Endless(pieces), name="x.json"))  # type: ignore[arg-type]
    assert [entry.data.decode() for entry in entries] == [text, text]


@pytest.mark.long
def test_a_bomb_is_opened_in_small_pieces() -> None:
    bomb = zstd(bytes(400_000_000))
    assert peak_of(iter([bomb]), "x.jsonl") < 8 * MAX_RECORD_BYTES


@given(
    st.lists(st.binary(max_size=30).map(lambda line: line.replace(b"\n", b"")), max_size=8),
    st.integers(1, 7),
)
def test_lines_do_not_depend_on_the_pieces(lines: list[bytes], size: int) -> None:
    data = b"\n".join(lines)
    pieces = iter([data[start : start + size] for start in range(0, len(data), size)])
    entries = list(read_entries(Endless(pieces), name="x.jsonl"))  # type: ignore[arg-type]
    blanks = b" \t\r\n"
    # A comma at the end of a line is one between the records of a list.
    told = [
        line.rstrip(blanks)[:-1] if line.rstrip(blanks)[-1:] == b"," else line for line in lines
    ]
    wanted = [
        (number, from_windows_1252(text) or text)
        for number, (line, text) in enumerate(zip(lines, told, strict=True), 1)
        if line.strip(blanks)
    ]
    compressed = data.startswith((b"\x1f\x8b", b"\x28\xb5\x2f\xfd")) or data[1:4] == b"\x2a\x4d\x18"
    encoded = _kind_without_text(data) or data.startswith((b"\xff\xfe", b"\xfe\xff", b"\x1e", b"["))
    if wanted and not compressed and not encoded:
        assert [(entry.line, entry.data) for entry in entries] == wanted


@given(
    st.binary(max_size=100),
    st.sampled_from([b"", b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", gzip.compress(ONE)]),
)
def test_no_file_does_harm(data: bytes, start: bytes) -> None:
    for name in (None, "x.json", "x.jsonl"):
        assert found(start + data, name)


LONGEST = 400
LINES = st.lists(
    st.sampled_from([ONE, TWO, b"", b"  \t", b"{}", b'{"cut', b"\r", b"x" * 401, b"y" * 400]),
    max_size=8,
)


@pytest.mark.long
@given(
    LINES,
    st.sampled_from([b"", b"\n", b"z" * 401]),
    st.sampled_from([1, 100, 399, 1000, 10_000]),
    st.sampled_from([7, 100, 64 * 1024]),
    st.sampled_from(["games.jsonl", "game.json", "games"]),
    st.sampled_from([bytes, gzip.compress, zstd]),
    st.integers(0, 3),
)
def test_blocks_hold_the_same_records_as_the_file(
    lines: list[bytes], end: bytes, size: int, piece: int, name: str, pack: type[bytes], lost: int
) -> None:
    data = pack(b"\n".join(lines) + end)
    data = data[: len(data) - lost]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "MAX_RECORD_BYTES", LONGEST)
        patch.setattr(files, "MAX_RECORD_BYTES", LONGEST)
        patch.setattr(containers, "_PIECE_BYTES", piece)
        cut = list(read_blocks(io.BytesIO(data), name=name, size=size))
        held = [entry for block in cut for entry in block]
        assert held == list(read_entries(io.BytesIO(data), name=name))
    assert [block.final for block in cut] == [False] * (len(cut) - 1) + [True]
    assert cut[0].start == 0
    for one, after in itertools.pairwise(cut):
        assert (one.stop, one.line + one.lines) == (after.start, after.line)
    for block in cut:
        if block.plain and block.data:
            assert data[block.start : block.start + len(block.data)] == block.data


def test_blocks_of_a_large_file_are_small() -> None:
    line = ONE + b"\n"
    data = line * (3 * BLOCK_BYTES // len(line))
    cut = list(read_blocks(io.BytesIO(data), name="games.jsonl"))
    assert len(cut) >= 3
    assert all(len(block.data) < BLOCK_BYTES + 128 * 1024 for block in cut)
    assert b"".join(block.data for block in cut) == data


@pytest.mark.parametrize("name", ["games.zip", "games.jsonl", "games.json", None])
def test_a_zip_archive_is_read_whatever_its_name(name: str | None) -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("games.jsonl", ONE + b"\n" + ONE)
    archive.seek(0)
    entries = [(entry.name, entry.line, entry.data) for entry in read_entries(archive, name=name)]
    named = "games.jsonl" if name is None else f"{name}/games.jsonl"
    assert entries == [(named, 1, ONE), (named, 2, ONE)]
