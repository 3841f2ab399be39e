"""A copy of a damaged database that DuckDB agrees to read: every checksum is computed again.

DuckDB refuses a block of 256 KiB when one byte of it is wrong, and with it hundreds of whole records. With the
checksum of the damaged bytes it reads the block; what is wrong in it is told by the digests of the records.
"""

import struct
from pathlib import Path

from analyzer.durable_files import PRIVATE_FILE, errors_about

HEADER_BYTES = 4096
HEADERS = 3
BLOCK_BYTES = 256 * 1024
FIRST_BLOCK = HEADERS * HEADER_BYTES
CHECKSUM = struct.Struct("<Q")
CHECKSUM_FACTOR, CHECKSUM_START = 0xBF58476D1CE4E5B9, 5381
"""How DuckDB sums a block: the factor times each word of eight bytes, all of them combined with exclusive or."""
WORD_MASK = (1 << 64) - 1


def write_mended_copy(source: Path, target: Path) -> list[int]:
    """Copy a database and mend its checksums; the numbers of the damaged blocks, headers being negative.

    A file that was cut short is filled with zeros up to the end of its last block. Raises OSError.
    """
    damaged = []
    with errors_about(target), source.open("rb") as original, target.open("wb") as copy:
        target.chmod(PRIVATE_FILE)
        for number in range(-HEADERS, 1 << 40):
            length = HEADER_BYTES if number < 0 else BLOCK_BYTES
            block = original.read(length)
            if not block:
                break
            whole = block.ljust(length, b"\0")
            checksum = CHECKSUM.pack(_checksum(whole[CHECKSUM.size :]))
            if checksum != whole[: CHECKSUM.size] or len(block) < length:
                damaged.append(number)
            copy.write(checksum + whole[CHECKSUM.size :])
    return damaged


def _checksum(data: bytes) -> int:
    total = CHECKSUM_START
    for (word,) in CHECKSUM.iter_unpack(data):
        total ^= word * CHECKSUM_FACTOR & WORD_MASK
    return total
