"""Records are packed so that DuckDB stores them side by side where it can."""

import random
from pathlib import Path

import duckdb
import pytest
import zstandard

from analyzer.db.store import unpack_record
from analyzer.ingest.batch import (
    MOST_BYTES_INLINE,
    MOST_BYTES_TO_SHRINK,
    RECORD_ZSTD_LEVEL,
    record_packer,
)
from records import codec
from records.selfplay import play_game

STEP = 500
BLOCKS_OF_LARGE_VALUES = """
    SELECT coalesce(sum(len(additional_block_ids)), 0)
    FROM pragma_storage_info('records') WHERE column_name = 'data'
"""


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


def test_only_what_is_a_little_too_large_is_packed_more_tightly() -> None:
    fastest = zstandard.ZstdCompressor(level=RECORD_ZSTD_LEVEL, write_checksum=True).compress
    games = b"".join(codec.encode(play_game("bezique", seed=seed)) for seed in range(4))
    pack, fitted = record_packer(), 0
    for size in range(STEP, len(games), STEP):
        text = games[:size]
        packed, plain = pack(text), fastest(text)
        assert unpack_record(packed) == text
        if MOST_BYTES_INLINE < len(plain) <= MOST_BYTES_TO_SHRINK:
            assert len(packed) <= len(plain)
            fitted += len(packed) <= MOST_BYTES_INLINE
        else:
            assert packed == plain
    assert len(plain) > MOST_BYTES_TO_SHRINK
    assert fitted
