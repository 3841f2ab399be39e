"""Whether a file without a name has a record a line is found out once, however its start comes."""

import io

import pytest

from records.format import containers, files
from records.format.files import read_entries

RECORD = b'{"format":"bezique-record"}'


@pytest.mark.parametrize("size", [1, 5, 64])
@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (RECORD + b"\n" + RECORD, [1, 2]),
        (b"\n \n" + RECORD + b"\n\n" + RECORD + b"\n", [3, 5]),
        (b"{broken\n" + RECORD + b"\n{", [1, 2, 3]),
        (b"{broken\n{}\n" + RECORD, [None]),
        (RECORD + b"\n\n", [None]),
        (b"\n" * 70, [None]),
    ],
)
def test_the_start_tells_whatever_pieces_it_comes_in(
    monkeypatch: pytest.MonkeyPatch, data: bytes, lines: list[int | None], size: int
) -> None:
    monkeypatch.setattr(containers, "_PIECE_BYTES", size)
    assert [entry.line for entry in read_entries(io.BytesIO(data))] == lines


def test_the_first_line_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the number of pieces: each was once a reason to read the start again from its beginning."""
    parsed = []
    members = files._members

    def counted(line: bytes) -> object:
        parsed.append(len(line))
        return members(line)

    monkeypatch.setattr(files, "_members", counted)
    monkeypatch.setattr(containers, "_PIECE_BYTES", 16)
    data = b'{"a":[' + b"1," * 10_000 + b"\n" + b"x" * 10_000
    assert [entry.line for entry in read_entries(io.BytesIO(data))] == [None]
    # Once as a line, once as the second one, and the whole file as the only record.
    assert parsed == [20_006, 10_000, len(data)]
