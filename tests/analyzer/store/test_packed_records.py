"""Records are packed so that they come back byte for byte, take little space, and lie side by side where they can."""

import hashlib
import json
import random
import re
from pathlib import Path

import duckdb
import pytest
import zstandard
from hypothesis import example, given
from hypothesis import strategies as st

from analyzer.ingest.loader import ingest_bytes
from analyzer.store.packing import (
    BETWEEN_EVENTS,
    CODED_MARK,
    END_OF_TEXT,
    MOST_BYTES_INLINE,
    MOST_BYTES_TO_SHRINK,
    MOST_RECORD_BYTES,
    RECORD_ZSTD_LEVEL,
    RecordDamaged,
    codes_by_event,
    decode_events,
    encode_events,
    events_by_number,
    record_packer,
    unpack_record,
)
from analyzer.store.parquet import export_parquet
from analyzer.store.store import Store
from analyzer.upkeep.doctor import check_folder
from records.format import codec
from records.format.notation_writer import write_notation
from records.selfplay import play_game

SAMPLES = sorted((Path(__file__).parents[3] / "samples").glob("*/*.*"))
STEP = 500
FLIPS = 300
BLOCKS_OF_LARGE_VALUES = """
    SELECT coalesce(sum(len(additional_block_ids)), 0)
    FROM pragma_storage_info('records') WHERE column_name = 'data'
"""
EVENT_CODES_DIGEST = "ca5523b900d39331d9e922fd71151c5622c4c00512d0b35c5e4edd8ae3f4e1d2"
"""Of every event with its code, in order. If it changes, stored records cannot be read: undo the change."""

pack = record_packer()
pack_as_before = zstandard.ZstdCompressor(level=1, write_checksum=True).compress
"""How schema 8 packed records."""
PIECES = st.one_of(
    st.sampled_from(list(codes_by_event())),
    st.sampled_from([BETWEEN_EVENTS, CODED_MARK, END_OF_TEXT, b"\0", b"{", b"}", b"}, {", b'"type":"play"', b"\xed\xa0\x80"]),
    st.binary(max_size=6),
)  # fmt: skip


@given(st.lists(PIECES, max_size=30), st.sampled_from([b"", BETWEEN_EVENTS]))
@example([], b"")
@example([END_OF_TEXT], BETWEEN_EVENTS)
@example([CODED_MARK, END_OF_TEXT], b"")
@example([BETWEEN_EVENTS, BETWEEN_EVENTS], b"")
def test_any_bytes_come_back(pieces: list[bytes], between: bytes) -> None:
    data = between.join(pieces)
    assert decode_events(encode_events(data)) == data
    assert unpack_record(pack(data)) == data


def restyled(game: bytes) -> list[bytes]:
    """A record as other programs would write it, and in the notation."""
    read = json.loads(game)
    record = codec.decode(game).record
    assert record
    return [
        game,
        json.dumps(read).encode(),
        json.dumps(read, indent=2).encode(),
        json.dumps(read, separators=(",", ":")).encode("utf-16"),
        write_notation(record).encode(),
        *(game[:length] for length in range(0, len(game), STEP)),
    ]


def test_records_come_back_however_they_are_written() -> None:
    played = codec.encode(play_game("zique", seed=1))
    texts = restyled(played) + [path.read_bytes() for path in SAMPLES]
    assert [unpack_record(pack(text)) for text in texts] == texts


def test_the_events_with_codes_never_change() -> None:
    listed = hashlib.sha256()
    for event, code in sorted(codes_by_event().items()):
        listed.update(event + b"\n" + code)
    assert listed.hexdigest() == EVENT_CODES_DIGEST


def test_codes_fit_between_the_marks() -> None:
    codes = codes_by_event()
    assert {len(code) for code in codes.values()} == {2}
    assert END_OF_TEXT not in b"".join(codes.values())
    assert [code for code in codes.values() if code[0] == 0] == []
    assert len(events_by_number()) == len(codes)
    assert [event for event in codes if BETWEEN_EVENTS in event] == []


@pytest.mark.parametrize("sheet", ["bezique", "chinese-bezique", "zique", "zetema"])
def test_every_play_draw_and_trick_has_a_code(sheet: str) -> None:
    game = codec.encode(play_game(sheet, seed=1, labels=sheet == "chinese-bezique"))
    events = [event for event in game.split(BETWEEN_EVENTS) if event.count(b'"type"') == 1]
    turns = [event for event in events if re.match(rb'"type":"(play|draw|trick|discard)"', event)]
    assert len(turns) > 100
    assert [event for event in turns if event not in codes_by_event() and b"}" not in event] == []
    assert len(pack(game)) < 0.75 * len(pack_as_before(game))


@pytest.mark.long
def test_records_that_were_stored_before_can_be_read(tmp_path: Path) -> None:
    games = [codec.encode(play_game("zique", seed=seed)) for seed in range(3)]
    with Store(tmp_path / "data", files=tmp_path) as store:
        outcomes = ingest_bytes(store, "games.jsonl", b"\n".join(games))
        with store.writing() as cursor:
            for outcome, game in zip(outcomes[:2], games, strict=False):
                sql = "UPDATE records SET data = ? WHERE digest = ?"
                cursor.execute(sql, [pack_as_before(game), outcome.digest])
        assert [store.record_bytes(outcome.digest or "") for outcome in outcomes] == games
        export_parquet(store, tmp_path / "tables")
    report = check_folder(tmp_path / "data", lambda *_: None)
    assert (report.records, report.problems) == (3, [])
    found = duckdb.sql(f"SELECT data FROM read_parquet('{tmp_path}/tables/records/**/*.parquet')")
    assert {data for (data,) in found.fetchall()} == set(games)


def test_a_damaged_record_is_never_another_one() -> None:
    game, chance = codec.encode(play_game("zique", seed=1)), random.Random(1)
    packed, damaged = pack(game), 0
    for _ in range(FLIPS):
        at = chance.randrange(len(zstandard.FRAME_HEADER), len(packed))
        changed = packed[at] ^ chance.randrange(1, 256)
        try:
            assert unpack_record(packed[:at] + bytes([changed]) + packed[at + 1 :]) == game
        except RecordDamaged:
            damaged += 1
    assert damaged > FLIPS * 0.9


@pytest.mark.parametrize(
    "coded",
    [
        CODED_MARK,
        CODED_MARK + b"\x07\x01",
        CODED_MARK + END_OF_TEXT + b"\x07",
        CODED_MARK + END_OF_TEXT + b"\0\x07\0\x01\x07",
        CODED_MARK + END_OF_TEXT + b"\xfa\xfa",
        CODED_MARK + END_OF_TEXT + b"\0\0\0\0",
        CODED_MARK + b"a},{b" + END_OF_TEXT + b"\0\0",
        CODED_MARK + END_OF_TEXT + b"\x07\x01" * (MOST_RECORD_BYTES // 50),
    ],
    ids=["nothing", "no end", "half a code", "odd", "unknown", "few texts", "many texts", "huge"],
)
def test_codes_that_mean_nothing_are_damage(coded: bytes) -> None:
    with pytest.raises(RecordDamaged):
        decode_events(coded)


def test_what_claims_to_be_too_large_is_damage() -> None:
    claimed = zstandard.FRAME_HEADER + b"\xe0" + (MOST_RECORD_BYTES + 1).to_bytes(8, "little")
    with pytest.raises(RecordDamaged, match="larger than records are"):
        unpack_record(claimed)


@pytest.mark.long
@pytest.mark.parametrize(("size", "blocks"), [(MOST_BYTES_INLINE, 0), (MOST_BYTES_INLINE + 1, 1)])
def test_duckdb_begins_a_block_for_larger_values(tmp_path: Path, size: int, blocks: int) -> None:
    """What the limit is for: if another version of DuckDB draws it elsewhere, it must move."""
    chance = random.Random(1)
    values = [chance.randbytes(2000) for _ in range(200)] + [chance.randbytes(size)]
    with duckdb.connect(str(tmp_path / "sizes.duckdb")) as connection:
        connection.execute("CREATE TABLE records (data BLOB USING COMPRESSION uncompressed)")
        connection.executemany("INSERT INTO records VALUES (?)", [[value] for value in values])
        connection.execute("CHECKPOINT")
        assert connection.execute(BLOCKS_OF_LARGE_VALUES).fetchall() == [(blocks,)]


@pytest.mark.long
def test_only_what_is_a_little_too_large_is_packed_more_tightly() -> None:
    fastest = zstandard.ZstdCompressor(level=RECORD_ZSTD_LEVEL, write_checksum=True).compress
    games = b"".join(codec.encode(play_game("bezique", seed=seed)) for seed in range(6))
    fitted = 0
    for size in range(STEP, len(games), STEP):
        text = games[:size]
        packed, plain = pack(text), fastest(encode_events(text))
        assert unpack_record(packed) == text
        if MOST_BYTES_INLINE < len(plain) <= MOST_BYTES_TO_SHRINK:
            assert len(packed) <= len(plain)
            fitted += len(packed) <= MOST_BYTES_INLINE
        else:
            assert packed == plain
    assert len(plain) > MOST_BYTES_TO_SHRINK
    assert fitted
